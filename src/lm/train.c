/* Training: from a corpus and a model that is anywhere in its training to one that is further.
 *
 * Everything that a step depends on is the seed, the corpus, the options, the numbers of epoch and
 * step, and what a checkpoint holds: so a training that was interrupted goes on as if it had not
 * been. Programs are encoded once; an epoch is another order of them, joined:
 *
 *     END program END program END ... program END
 *
 * N tokens become B streams of S = (N - 1) / B tokens each, of which S / T * T are used: the target
 * of a stream's last token is the first of the next stream. What is held out is chosen by the seed
 * alone, never trained on, and looked at in the same way at the end of each epoch, in one order. */
#include "lm/train.h"
#include "base/choice.h"
#include "base/fs.h"

#include <sys/stat.h>

/* -- corpora ----------------------------------------------------------------------------------- */

static int read_corpus(struct arena *a, const char *path, char **text, size_t *n, struct error *e)
{
    struct stat st;
    struct strbuf whole;
    if (stat(path, &st) || !S_ISREG(st.st_mode))
        return error_at(e, ERROR_USAGE, path, 0, "there is no such corpus");
    strbuf_init(&whole, (size_t)st.st_size + 1);
    int status = fs_read(path, &whole, e);
    *text = arena_memdup(a, whole.s, whole.n);
    *n = whole.n;
    strbuf_release(&whole);
    return status;
}

int lm_corpus_load(struct lm_corpus *c, const char *path, struct error *e)
{
    char *text = NULL;
    size_t size = 0, programs = 0;
    *c = (struct lm_corpus){0};
    arena_init(&c->arena);
    int status = read_corpus(&c->arena, path, &text, &size, e);
    if (!status && (size == 0 || text[size - 1] != '\0'))
        status = error_at(e, ERROR_USAGE, path, 0,
                          "is not a corpus, or is truncated: `assay lm corpus` makes one, with a "
                          "NUL byte after each program");
    if (status) {
        lm_corpus_release(c);
        return -1;
    }
    for (size_t i = 0; i < size; i++)
        programs += text[i] == '\0';
    c->texts = arena_array(&c->arena, const char *, programs);
    c->sizes = arena_array(&c->arena, size_t, programs);
    for (const char *p = text, *end; p < text + size; p = end + 1) {
        end = p + strlen(p);
        if (end > p) {
            c->texts[c->n] = p;
            c->sizes[c->n++] = (size_t)(end - p);
        }
    }
    return 0;
}

void lm_corpus_release(struct lm_corpus *c)
{
    arena_release(&c->arena);
    *c = (struct lm_corpus){0};
}

int lm_train_from(struct lm_model *m, const char *path, uint64_t seed, struct lm_corpus *c,
                  struct error *e)
{
    lm_tokens tokens = {0};
    size_t n = 0;
    if (lm_model_load(m, path, e))
        return -1;
    free(m->m);
    free(m->v);
    free(m->state);
    m->m = m->v = m->state = NULL;
    m->state_batch = 0;
    m->progress = (struct lm_progress){.seed = seed};
    for (size_t i = 0; i < c->n; i++, tokens.n = 0)
        if (!lm_encode(&m->encoder, c->texts[i], c->sizes[i], &tokens, NULL)) {
            c->texts[n] = c->texts[i];
            c->sizes[n++] = c->sizes[i];
        }
    c->n = n;
    vec_release(&tokens);
    return 0;
}

/* -- streams ----------------------------------------------------------------------------------- */

/* The corpus as tokens: program p is tokens[begin[p] .. begin[p + 1]), END included. */
struct encoded {
    lm_tokens tokens;
    size_t *begin;
    size_t *order;        /* of programs: those that are held out, then the others */
    size_t n, n_held_out; /* programs */
    int64_t steps;        /* in an epoch */
};

static uint64_t mix(uint64_t seed, uint64_t epoch)
{
    return seed ^ (epoch + 1) * 0x9e3779b97f4a7c15u;
}

static void shuffle(size_t *at, size_t n, uint64_t seed)
{
    struct choice c;
    choice_init_random(&c, seed);
    for (size_t i = n; i > 1; i--) {
        size_t k = (size_t)choose(&c, i), other = at[k];
        at[k] = at[i - 1];
        at[i - 1] = other;
    }
    choice_release(&c);
}

static void encoded_release(struct encoded *x)
{
    vec_release(&x->tokens);
    free(x->begin);
    free(x->order);
}

static size_t tokens_of(const struct encoded *x, size_t from, size_t to)
{
    size_t n = 0;
    for (size_t i = from; i < to; i++)
        n += x->begin[x->order[i] + 1] - x->begin[x->order[i]];
    return n;
}

static int encode_programs(struct encoded *x, const struct lm_encoder *encoder,
                           const struct lm_corpus *c, struct error *e)
{
    for (size_t i = 0; i < c->n; i++) {
        struct error why = {0};
        x->begin[i] = x->tokens.n;
        x->order[i] = i;
        if (lm_encode(encoder, c->texts[i], c->sizes[i], &x->tokens, &why))
            return error_set(e, ERROR_USAGE, "program %zu of the corpus: %s", i + 1, why.message);
        vec_push(&x->tokens, LM_END);
    }
    x->begin[c->n] = x->tokens.n;
    return 0;
}

static int encode_corpus(struct encoded *x, const struct lm_model *m, const struct lm_corpus *c,
                         const struct lm_train_options *o, struct error *e)
{
    *x = (struct encoded){.begin = mem_alloc((c->n + 1) * sizeof *x->begin),
                          .order = mem_alloc((c->n + 1) * sizeof *x->order),
                          .n = c->n,
                          .n_held_out = (size_t)(o->held_out * (double)c->n)};
    if (encode_programs(x, &m->encoder, c, e)) {
        encoded_release(x);
        return -1;
    }
    shuffle(x->order, x->n, ~m->progress.seed);
    size_t tokens = tokens_of(x, x->n_held_out, x->n);
    x->steps = (int64_t)(tokens / (size_t)o->batch / (size_t)o->length);
    if (x->steps > 0)
        return 0;
    encoded_release(x);
    return error_set(
        e, ERROR_USAGE,
        "the corpus has %zu tokens, too few for a batch of %d times %d: take a smaller "
        "--batch or --length, or a larger corpus",
        tokens, o->batch, o->length);
}

int64_t lm_train_steps(const struct lm_model *m, const struct lm_corpus *c,
                       const struct lm_train_options *o, struct error *e)
{
    struct encoded x;
    if (encode_corpus(&x, m, c, o, e))
        return -1;
    encoded_release(&x);
    return x.steps;
}

/* END, then the programs in the order given. */
static void join(const struct encoded *x, const size_t *order, size_t n, lm_tokens *out)
{
    out->n = 0;
    vec_push(out, LM_END);
    for (size_t i = 0; i < n; i++) {
        const lm_token *from = x->tokens.at + x->begin[order[i]];
        size_t size = x->begin[order[i] + 1] - x->begin[order[i]];
        vec_reserve(out, out->n + size);
        memcpy(out->at + out->n, from, size * sizeof *from);
        out->n += size;
    }
}

/* -- steps ------------------------------------------------------------------------------------- */

struct training {
    struct lm_model *model;
    struct lm_engine *engine;
    const struct lm_train_options *o;
    struct encoded x;
    size_t *order;         /* of this epoch, programs that are not held out */
    lm_tokens stream;      /* of this epoch */
    lm_token *in, *target; /* (T, B) */
    double sum;            /* of the losses of the steps of this epoch that were asked for */
    int64_t done;          /* steps in this call */
    int64_t began, reported, saved; /* clock_ms */
};

/* Tokens of step k: T of each of B streams of a length of `stream` tokens. Past the end they begin
 * again, which happens to what is held out alone. */
static void fill(struct training *t, const lm_tokens *s, size_t stream, size_t k)
{
    size_t B = (size_t)t->o->batch, T = (size_t)t->o->length;
    for (size_t b = 0; b < B; b++)
        for (size_t i = 0; i < T; i++) {
            size_t at = b * stream + k * T + i;
            t->in[i * B + b] = s->at[at % s->n];
            t->target[i * B + b] = s->at[(at + 1) % s->n];
        }
}

static void begin_epoch(struct training *t)
{
    size_t n = t->x.n - t->x.n_held_out;
    memcpy(t->order, t->x.order + t->x.n_held_out, n * sizeof *t->order);
    shuffle(t->order, n, mix(t->model->progress.seed, (uint64_t)t->model->progress.epoch));
    join(&t->x, t->order, n, &t->stream);
}

static float rate_of(const struct training *t)
{
    double rate = (double)t->o->rate;
    for (int i = 0; i < t->model->progress.epoch; i++)
        rate *= (double)t->o->decay;
    return (float)rate;
}

static int one_step(struct training *t, struct error *e)
{
    struct lm_progress *p = &t->model->progress;
    struct lm_step s = {t->in, t->target, rate_of(t), t->o->clip};
    fill(t, &t->stream, (t->stream.n - 1) / (size_t)t->o->batch, (size_t)p->step);
    if (t->engine->step(t->engine, &s, NULL, e))
        return -1;
    p->step++;
    t->done++;
    return 0;
}

/* Take the losses that have come together, and keep the epoch's mean. */
static int take_losses(struct training *t, double *mean, struct error *e)
{
    double sum;
    int64_t steps;
    if (t->engine->losses(t->engine, &sum, &steps, e))
        return -1;
    t->sum += sum;
    t->model->progress.loss =
        t->model->progress.step ? t->sum / (double)t->model->progress.step : 0;
    *mean = steps ? sum / (double)steps : t->model->progress.loss;
    return 0;
}

static void report(struct training *t, double loss, int64_t step, bool epoch_ends)
{
    int64_t now = clock_ms();
    double seconds = (double)(now - t->began) / 1e3;
    double tokens = (double)t->done * t->o->batch * t->o->length;
    t->reported = now;
    if (t->o->progress)
        t->o->progress(t->o->to, t->model, loss, seconds > 0 ? tokens / seconds : 0, step,
                       t->x.steps, epoch_ends);
}

static int save(struct training *t, struct error *e)
{
    t->saved = clock_ms();
    if (t->engine->fetch(t->engine, t->model, e))
        return -1;
    return t->o->checkpoint ? lm_model_save(t->model, LM_SAVE_CHECKPOINT, t->o->checkpoint, e) : 0;
}

/* The mean loss on what is held out. The state is that of a new epoch before and after. */
static int look_at_held_out(struct training *t, struct error *e)
{
    struct lm_step s = {t->in, t->target, 0, 0};
    lm_tokens held = {0};
    double sum = 0;
    int64_t steps = 0;
    join(&t->x, t->x.order, t->x.n_held_out, &held);
    size_t stream = (held.n - 1) / (size_t)t->o->batch, n = stream / (size_t)t->o->length;
    int status = t->engine->losses(t->engine, &sum, &steps, e);
    for (size_t k = 0; !status && k < (n ? n : 1); k++) {
        fill(t, &held, stream, k);
        status = t->engine->step(t->engine, &s, NULL, e);
    }
    status =
        status || t->engine->losses(t->engine, &sum, &steps, e) || t->engine->reset(t->engine, e);
    t->model->progress.held_out = steps ? sum / (double)steps : 0;
    vec_release(&held);
    return status ? -1 : 0;
}

static int end_epoch(struct training *t, struct error *e)
{
    struct lm_progress *p = &t->model->progress;
    double mean;
    if (take_losses(t, &mean, e) || t->engine->reset(t->engine, e) ||
        (t->x.n_held_out && look_at_held_out(t, e)))
        return -1;
    /* In pieces the sum is rounded elsewhere than at once; the file is the same. */
    p->loss = (double)(float)p->loss;
    int64_t steps = p->step;
    p->epoch++;
    p->step = 0;
    t->sum = 0;
    if (save(t, e))
        return -1;
    report(t, p->loss, steps, true);
    return 0;
}

/* -- the whole --------------------------------------------------------------------------------- */

static bool shall_stop(const struct training *t)
{
    return (t->o->stop && *t->o->stop) || (t->o->most_steps && t->done >= t->o->most_steps);
}

/* What is due between two steps, by the clock. */
static int look_up(struct training *t, struct error *e)
{
    enum { REPORT_MS = 500 };
    int64_t now = clock_ms();
    double mean;
    if (now - t->reported >= REPORT_MS) {
        if (take_losses(t, &mean, e))
            return -1;
        report(t, mean, t->model->progress.step, false);
    }
    if (!t->o->checkpoint || now - t->saved < t->o->save_every_ms)
        return 0;
    return take_losses(t, &mean, e) || save(t, e) ? -1 : 0;
}

/* 0: all epochs are done; 1: stopped. */
static int run_epochs(struct training *t, struct error *e)
{
    struct lm_progress *p = &t->model->progress;
    double mean;
    while (p->epoch < t->o->epochs) {
        begin_epoch(t);
        while (p->step < t->x.steps) {
            if (shall_stop(t))
                return take_losses(t, &mean, e) || save(t, e) ? -1 : 1;
            if (one_step(t, e) || look_up(t, e))
                return -1;
        }
        if (end_epoch(t, e))
            return -1;
    }
    return 0;
}

static int begin(struct training *t, struct error *e)
{
    struct lm_progress *p = &t->model->progress;
    double sum;
    int64_t steps;
    if (p->step > t->x.steps || p->step < 0 || p->epoch < 0)
        return error_set(e, ERROR_USAGE,
                         "the checkpoint is of another corpus: it has done %lld steps of an epoch, "
                         "which has %lld",
                         (long long)p->step, (long long)t->x.steps);
    t->sum = p->step ? p->loss * (double)p->step : 0;
    if (t->engine->losses(t->engine, &sum, &steps, e)) /* of whoever used the engine before */
        return -1;
    return p->step == 0 ? t->engine->reset(t->engine, e) : 0;
}

int lm_train(struct lm_model *m, const struct lm_corpus *c, struct lm_engine *g,
             const struct lm_train_options *o, struct error *e)
{
    int64_t now = clock_ms();
    struct training t = {
        .model = m, .engine = g, .o = o, .began = now, .reported = now, .saved = now};
    REQUIRE(g->batch == o->batch && g->length == o->length);
    if (encode_corpus(&t.x, m, c, o, e))
        return -1;
    lm_model_know(m, c->texts, c->sizes, c->n);
    size_t cells = (size_t)o->batch * (size_t)o->length;
    t.order = mem_alloc((t.x.n + 1) * sizeof *t.order);
    t.in = mem_alloc(cells * sizeof *t.in);
    t.target = mem_alloc(cells * sizeof *t.target);
    t.began = clock_ms();
    int status = begin(&t, e) ? -1 : run_epochs(&t, e);
    free(t.order);
    free(t.in);
    free(t.target);
    vec_release(&t.stream);
    encoded_release(&t.x);
    return status;
}
