/* Training for machines that have a compiler, nvcc and a GPU, and nothing else: no Meson, no BLAS,
 * none of assay's libraries. scripts/train-gpu builds it out of src/lm and what that needs of
 * src/base. It is `assay lm train` with the words of that command that a training depends on:
 *
 *     train CORPUS OUTPUT.lm [options]
 *
 * OUTPUT.lm gets floats, OUTPUT.lm.bytes the quantised model, both at the end; OUTPUT.lm.checkpoint
 * is written each minute, after each epoch and when a signal ends the training, and the same
 * command goes on from it. --words FILE has the atoms of a language, blanks between them: its .ini
 * cannot be read without assay's libraries (grep '^atoms' languages/NAME.ini | cut -d= -f2). */
#include "base/fs.h"
#include "base/text.h"
#include "lm/train.h"

#include <getopt.h>
#include <math.h>
#include <signal.h>

int lm_cuda_engine_open(const struct lm_model *m, int batch, int length, struct lm_engine **out,
                        struct error *e);

struct words {
    const char *corpus, *output, *language, *from, *losses, *words;
    int64_t layers, units, atoms, at_least;
    uint64_t seed;
    struct lm_train_options train;
};

/* Signal handlers can reach nothing but this. */
static volatile int stop;

static void on_stop(int signal)
{
    (void)signal;
    stop = 1;
}

static void on_progress(void *to, const struct lm_model *m, double loss, double tokens_per_s,
                        int64_t step, int64_t steps, bool epoch_ends)
{
    int64_t *shown = to, now = clock_ms();
    if (!epoch_ends && now - *shown < 5000)
        return;
    *shown = now;
    if (epoch_ends)
        printf("epoch %d: %.4f nats per token, held out %.4f, %.0f tokens/s\n", m->progress.epoch,
               m->progress.loss, m->progress.held_out, tokens_per_s);
    else
        printf("epoch %d, step %lld of %lld: %.4f nats per token, %.0f tokens/s\n",
               m->progress.epoch + 1, (long long)step, (long long)steps, loss, tokens_per_s);
    fflush(stdout);
}

/* -- losses of each step ----------------------------------------------------------------------- */

/* An engine in front of another: it asks for every loss, and writes it down. */
struct listener {
    struct lm_engine engine;
    struct lm_engine *behind;
    FILE *to;
};

static int listen_step(struct lm_engine *g, const struct lm_step *s, double *loss, struct error *e)
{
    struct listener *l = (struct listener *)g;
    double own;
    if (l->behind->step(l->behind, s, &own, e))
        return -1;
    fprintf(l->to, "%s%.9g\n", s->rate > 0 ? "" : "held out ", own);
    if (loss)
        *loss = own;
    return 0;
}
static int listen_losses(struct lm_engine *g, double *sum, int64_t *steps, struct error *e)
{
    struct lm_engine *behind = ((struct listener *)g)->behind;
    return behind->losses(behind, sum, steps, e);
}
static int listen_reset(struct lm_engine *g, struct error *e)
{
    struct lm_engine *behind = ((struct listener *)g)->behind;
    return behind->reset(behind, e);
}
static int listen_fetch(struct lm_engine *g, struct lm_model *m, struct error *e)
{
    struct lm_engine *behind = ((struct listener *)g)->behind;
    return behind->fetch(behind, m, e);
}
static int listen_gradient(struct lm_engine *g, float *out, struct error *e)
{
    struct lm_engine *behind = ((struct listener *)g)->behind;
    return behind->gradient(behind, out, e);
}
static void listen_close(struct lm_engine *g)
{
    struct listener *l = (struct listener *)g;
    l->behind->close(l->behind);
    fclose(l->to);
    free(l);
}

static int listen(struct lm_engine **g, const char *path, struct error *e)
{
    FILE *to = fopen(path, "a");
    if (!to)
        return error_at(e, ERROR_ENVIRONMENT, path, 0, "cannot be written");
    struct listener *l = mem_alloc(sizeof *l);
    *l = (struct listener){.engine = {.name = (*g)->name,
                                      .kernels = (*g)->kernels,
                                      .batch = (*g)->batch,
                                      .length = (*g)->length,
                                      .step = listen_step,
                                      .losses = listen_losses,
                                      .reset = listen_reset,
                                      .fetch = listen_fetch,
                                      .gradient = listen_gradient,
                                      .close = listen_close},
                           .behind = *g,
                           .to = to};
    *g = &l->engine;
    return 0;
}

/* -- the model --------------------------------------------------------------------------------- */

/* The words of the file, in the corpus's arena; NULL at the end. */
static int read_words(const char *path, struct arena *a, const char *const **out, struct error *e)
{
    struct strbuf text;
    VEC(const char *) list = {0};
    strbuf_init(&text, 1 << 20);
    int status = fs_read(path, &text, e);
    for (const char *p = text.s; !status && *(p += strspn(p, " \n"));) {
        size_t n = strcspn(p, " \n");
        vec_push(&list, arena_memdup(a, p, n));
        p += n;
    }
    vec_push(&list, NULL);
    const char **words = arena_array(a, const char *, list.n);
    memcpy(words, list.at, list.n * sizeof *words);
    *out = words;
    vec_release(&list);
    strbuf_release(&text);
    return status;
}

static int new_model(const struct words *w, struct lm_corpus *c, struct lm_model *m,
                     struct error *e)
{
    struct lm_encoder_options o = {.most = (int)w->atoms, .at_least = (int)w->at_least};
    struct lm_encoder encoder;
    if ((w->words && read_words(w->words, &c->arena, &o.always, e)) ||
        lm_encoder_derive(&encoder, c->texts, c->sizes, c->n, &o, e))
        return -1;
    const struct lm_shape shape = {encoder.n, (int)w->layers, (int)w->units};
    lm_model_init(m, &shape, &encoder, w->seed);
    return 0;
}

static int model_from(const struct words *w, struct lm_corpus *c, struct lm_model *m,
                      struct error *e)
{
    size_t all = c->n;
    if (lm_train_from(m, w->from, w->seed, c, e))
        return -1;
    printf("%zu of %zu programs have tokens in %s\n", c->n, all, w->from);
    return 0;
}

static int open_model(const struct words *w, struct lm_corpus *c, struct lm_model *m,
                      struct error *e)
{
    if (fs_exists(w->train.checkpoint)) {
        struct lm_model other = {0};
        if (w->from && model_from(w, c, &other, e)) /* for the programs that it leaves out */
            return -1;
        lm_model_release(&other);
        printf("going on from %s\n", w->train.checkpoint);
        return lm_model_load(m, w->train.checkpoint, e);
    }
    if (w->from ? model_from(w, c, m, e) : new_model(w, c, m, e))
        return -1;
    if (w->language)
        text_copy(m->language, sizeof m->language, w->language);
    snprintf(m->note, sizeof m->note,
             "%zu programs%s%.100s; batch %d, length %d, rate %g, decay %g, clip %g, held out %g, "
             "seed %llu",
             c->n, w->from ? ", from " : "", w->from ? w->from : "", w->train.batch,
             w->train.length, (double)w->train.rate, (double)w->train.decay, (double)w->train.clip,
             w->train.held_out, (unsigned long long)w->seed);
    return 0;
}

static int save_models(const struct words *w, const struct lm_model *m, struct error *e)
{
    struct strbuf bytes;
    strbuf_init(&bytes, 0);
    strbuf_addf(&bytes, "%s.bytes", w->output);
    int status = lm_model_save(m, LM_SAVE_FLOATS, w->output, e) ||
                 lm_model_save(m, LM_SAVE_BYTES, bytes.s, e);
    strbuf_release(&bytes);
    return status ? -1 : 0;
}

static int train(struct words *w, struct lm_corpus *c, struct lm_model *m, struct error *e)
{
    struct lm_engine *g = NULL;
    int64_t shown = clock_ms(), began = shown;
    if (lm_corpus_load(c, w->corpus, e) || open_model(w, c, m, e))
        return -1;
    printf("%zu programs, %d tokens, %d layers of %d units, %zu parameters, batch %d, length %d\n",
           c->n, m->shape.vocabulary, m->shape.layers, m->shape.units, m->at.total, w->train.batch,
           w->train.length);
    fflush(stdout);
    if (lm_cuda_engine_open(m, w->train.batch, w->train.length, &g, e))
        return -1;
    if (w->losses && listen(&g, w->losses, e)) {
        g->close(g);
        return -1;
    }
    w->train.to = &shown;
    int status = lm_train(m, c, g, &w->train, e);
    g->close(g);
    if (status < 0 || save_models(w, m, e))
        return -1;
    printf("%s after %lld steps in all, %.1f s: %.4f nats per token, held out %.4f\n",
           status ? "stopped" : "done", (long long)m->progress.all_steps,
           (double)(clock_ms() - began) / 1e3, m->progress.loss, m->progress.held_out);
    return 0;
}

/* -- words ------------------------------------------------------------------------------------- */

static const struct option options[] = {
    {"epochs", 1, NULL, 'e'},   {"batch", 1, NULL, 'b'},    {"length", 1, NULL, 't'},
    {"units", 1, NULL, 'u'},    {"layers", 1, NULL, 'l'},   {"rate", 1, NULL, 'r'},
    {"decay", 1, NULL, 'd'},    {"clip", 1, NULL, 'c'},     {"seed", 1, NULL, 's'},
    {"atoms", 1, NULL, 'a'},    {"language", 1, NULL, 'n'}, {"device", 1, NULL, 'v'},
    {"from", 1, NULL, 'f'},     {"steps", 1, NULL, 'p'},    {"losses", 1, NULL, 'o'},
    {"held-out", 1, NULL, 'h'}, {"words", 1, NULL, 'w'},    {NULL, 0, NULL, 0}};

static bool take_number(const char *text, double low, double high, double *out)
{
    char *end;
    *out = strtod(text, &end);
    return end > text && !*end && *out >= low && *out <= high;
}

/* One option; false: its value is wrong. */
static bool take(struct words *w, int option, const char *value)
{
    struct lm_train_options *o = &w->train;
    int64_t n = 0;
    double x = 0;
    if (option == 'v')
        return !strcmp(value, "cuda");
    if (strchr("nfow", option)) {
        *(option == 'n'   ? &w->language
          : option == 'f' ? &w->from
          : option == 'o' ? &w->losses
                          : &w->words) = value;
        return true;
    }
    if (option == 's')
        return text_parse_u64(value, &w->seed);
    if (strchr("rdch", option)) {
        bool good = take_number(value, 0, option == 'c' ? 1e9 : 1, &x);
        if (option == 'h')
            o->held_out = x;
        else
            *(option == 'r' ? &o->rate : option == 'd' ? &o->decay : &o->clip) = (float)x;
        return good;
    }
    if (!text_parse_int(value, option == 'a' ? 0 : 1, 1 << 30, &n))
        return false;
    if (option == 'p')
        o->most_steps = n;
    else if (option == 'u' || option == 'l' || option == 'a')
        *(option == 'u' ? &w->units : option == 'l' ? &w->layers : &w->atoms) = n;
    else
        *(option == 'e' ? &o->epochs : option == 'b' ? &o->batch : &o->length) = (int)n;
    return option != 'u' || n % 16 == 0;
}

static int parse(struct words *w, int argc, char **argv)
{
    int option, which = 0;
    while ((option = getopt_long(argc, argv, "", options, &which)) != -1) {
        if (option == '?')
            return 2;
        if (!take(w, option, optarg)) {
            fprintf(stderr, "train: --%s: '%s' is not a value for it\n", options[which].name,
                    optarg);
            return 2;
        }
    }
    if (argc - optind != 2) {
        fputs("usage: train CORPUS OUTPUT.lm [--epochs N] [--batch N] [--length N] [--units N] "
              "[--layers N]\n"
              "       [--rate X] [--decay X] [--clip X] [--held-out X] [--seed N] [--atoms N] "
              "[--language NAME]\n"
              "       [--device cuda] [--from MODEL] [--steps N] [--losses FILE] [--words FILE]\n",
              stderr);
        return 2;
    }
    w->corpus = argv[optind];
    w->output = argv[optind + 1];
    return 0;
}

int main(int argc, char **argv)
{
    struct words w = {.layers = 2,
                      .units = 512,
                      .atoms = 256,
                      .at_least = 20,
                      .seed = 1,
                      .train = {.epochs = 50,
                                .batch = 64,
                                .length = 64,
                                .rate = 0.002f,
                                .decay = 0.95f,
                                .clip = 5,
                                .held_out = 0.02,
                                .save_every_ms = 60000,
                                .stop = &stop,
                                .progress = on_progress}};
    struct sigaction action = {.sa_handler = on_stop};
    struct lm_corpus corpus = {0};
    struct lm_model model = {0};
    struct strbuf checkpoint;
    struct error e = {0};
    char text[1200];
    if (parse(&w, argc, argv))
        return 2;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    strbuf_init(&checkpoint, 0);
    strbuf_addf(&checkpoint, "%s.checkpoint", w.output);
    w.train.checkpoint = checkpoint.s;
    int status = train(&w, &corpus, &model, &e);
    if (status)
        fprintf(stderr, "train: %s\n", error_text(&e, text, sizeof text));
    lm_model_release(&model);
    lm_corpus_release(&corpus);
    strbuf_release(&checkpoint);
    return status ? (int)e.kind : 0;
}
