/* assay lm train: a corpus becomes a model.
 *
 * Two files: OUTPUT, which is what samples are drawn from, written anew at the end of each epoch;
 * and OUTPUT.checkpoint, which has the optimiser and the place in the training too, written each
 * minute, at the end of each epoch and when the training is stopped. The same command goes on from
 * the checkpoint. What it must have in common with the one that began stands in the model's note,
 * and another training does not overwrite it. */
#include "cli/cmd_lm.h"
#include "lm/batch.h"
#include "base/fs.h"
#include "base/json.h"
#include "base/map.h"
#include "base/text.h"
#include "cli/cli.h"
#include "lm/train.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

struct training {
    /* as given */
    const char *corpus_path, *output, *language, *device, *from;
    int64_t epochs, batch, length, layers, units, atoms, at_least, time_ms, steps;
    double rate, decay, clip, held_out;
    uint64_t seed;
    bool quantise, json;
    /* made of it */
    struct arena arena;
    const char *checkpoint, *lock_path;
    int lock; /* -1: none */
    bool locked;
    struct lm_corpus corpus;
    struct lm_model model;
    struct lm_engine *engine;
    int64_t began_ms;    /* clock_ms */
    int64_t told_ms;     /* when the last line was written */
    int64_t first_steps; /* model.progress.all_steps when this command began */
    double tokens_per_s; /* as last reported */
    bool shown;          /* a line on the terminal waits to be written over */
    struct json *history;
    struct error *save_error;
    volatile int *stop;
};

/* -- what people see --------------------------------------------------------------------------- */

static double bits(double nats)
{
    return nats / log(2);
}

static void clear_line(struct training *t)
{
    if (t->shown)
        fputs("\r\033[K", stderr);
    t->shown = false;
}

/* On a terminal one line that is written over, elsewhere a line each minute. */
static void show_step(struct training *t, const struct lm_model *m, double loss, int64_t step,
                      int64_t steps)
{
    char left[32] = "?";
    bool terminal = isatty(STDERR_FILENO);
    if (!terminal && clock_ms() - t->told_ms < 60000)
        return;
    double rest = (double)(t->epochs - m->progress.epoch) * (double)steps - (double)step;
    if (t->tokens_per_s > 0)
        text_duration((int64_t)(rest * (double)(t->batch * t->length) / t->tokens_per_s * 1e3),
                      left);
    fprintf(
        stderr,
        "%sepoch %d of %lld, step %lld of %lld: %.3f bits (%.3f nats) per token, %.0f tokens/s, "
        "%s left%s",
        terminal ? "\r\033[K" : "", m->progress.epoch + 1, (long long)t->epochs, (long long)step,
        (long long)steps, bits(loss), loss, t->tokens_per_s, left, terminal ? "" : "\n");
    fflush(stderr);
    t->told_ms = clock_ms();
    t->shown = terminal;
}

static void show_epoch(struct training *t, const struct lm_model *m)
{
    const struct lm_progress *p = &m->progress;
    clear_line(t);
    if (t->json) {
        json_append(t->history, "{s:i,s:f,s:f}", "epoch", p->epoch, "loss", p->loss, "held_out",
                    p->held_out);
        return;
    }
    text_print(stdout, "epoch %d of %lld: %.4f bits (%.4f nats) per token", p->epoch,
               (long long)t->epochs, bits(p->loss), p->loss);
    if (p->held_out > 0)
        text_print(stdout, ", held out %.4f (%.4f)", bits(p->held_out), p->held_out);
    text_print(stdout, ", %.0f tokens/s\n", t->tokens_per_s);
    fflush(stdout);
}

static int save_output(struct training *t, const struct lm_model *m, struct error *e)
{
    return lm_model_save(m, t->quantise ? LM_SAVE_BYTES : LM_SAVE_FLOATS, t->output, e);
}

static void print_sample(void *to, const struct lm_sampled *p)
{
    (void)to;
    for (const char *line = p->text.s; *line;) {
        size_t n = strcspn(line, "\n");
        text_print(stdout, "    | %.*s\n", (int)n, line);
        line += n + (line[n] == '\n');
    }
}

/* What it makes up by now: a look says more than a loss. */
static void show_sample(const struct lm_model *m)
{
    enum { TOKENS = 48 };
    const struct lm_batch_options o = {.streams = 1,
                                       .programs = 1,
                                       .seed = (uint64_t)m->progress.epoch,
                                       .temperature = 0.8,
                                       .most = TOKENS,
                                       .start = ""};
    struct lm_bytes *bytes = lm_bytes_new(m);
    lm_batch(bytes, &m->encoder, &o, print_sample, NULL, NULL);
    lm_bytes_free(bytes);
    fflush(stdout);
}

static void on_progress(void *to, const struct lm_model *m, double loss, double tokens_per_s,
                        int64_t step, int64_t steps, bool epoch_ends)
{
    struct training *t = to;
    t->tokens_per_s = tokens_per_s;
    if (epoch_ends) {
        show_epoch(t, m);
        if (!t->json)
            show_sample(m);
        if (!t->save_error->kind && save_output(t, m, t->save_error))
            *t->stop = 1; /* the checkpoint is there; the error is told at the end */
    } else {
        show_step(t, m, loss, step, steps);
    }
    if (t->time_ms && clock_ms() - t->began_ms >= t->time_ms)
        *t->stop = 1;
}

/* -- the model --------------------------------------------------------------------------------- */

/* What a checkpoint and a command must have in common; for people, too. */
static void write_note(const struct training *t, char *out, size_t size)
{
    uint64_t hash = 0;
    for (size_t i = 0; i < t->corpus.n; i++)
        hash = hash * 31 + map_hash(t->corpus.texts[i], t->corpus.sizes[i]);
    snprintf(out, size,
             "corpus %.100s (%zu programs, %016llx)%s%.80s%s%.40s; %lld layers of %lld units, %lld "
             "atoms, batch %lld, length %lld, rate %g, decay %g, clip %g, held out %g, seed %llu",
             fs_name(t->corpus_path), t->corpus.n, (unsigned long long)hash,
             t->from ? ", from " : "", t->from ? t->from : "", t->language ? ", " : "",
             t->language ? t->language : "", (long long)t->layers, (long long)t->units,
             (long long)t->atoms, (long long)t->batch, (long long)t->length, t->rate, t->decay,
             t->clip, t->held_out, (unsigned long long)t->seed);
}

static int derive_encoder(struct training *t, struct lm_encoder *out, struct error *e)
{
    struct lm_language language = {0};
    struct lm_encoder_options o = {.most = (int)t->atoms, .at_least = (int)t->at_least};
    const char **always = NULL;
    if (t->language) {
        if (lm_find_language(t->language, &t->arena, &language, e))
            return -1;
        always = arena_array(&t->arena, const char *, language.n_atoms + 1);
        for (int i = 0; i < language.n_atoms; i++)
            always[i] = language.atoms[i];
        o.always = always;
        text_copy(t->model.language, sizeof t->model.language, language.name);
    }
    return lm_encoder_derive(out, t->corpus.texts, t->corpus.sizes, t->corpus.n, &o, e);
}

static int new_model(struct training *t, struct error *e)
{
    struct lm_encoder encoder;
    char language[sizeof t->model.language];
    if (derive_encoder(t, &encoder, e))
        return -1;
    memcpy(language, t->model.language, sizeof language);
    const struct lm_shape shape = {encoder.n, (int)t->layers, (int)t->units};
    lm_model_init(&t->model, &shape, &encoder, t->seed);
    memcpy(t->model.language, language, sizeof language);
    return 0;
}

static int model_from(struct training *t, struct error *e)
{
    struct lm_language language;
    size_t all = t->corpus.n;
    if (lm_train_from(&t->model, t->from, t->seed, &t->corpus, e) ||
        (t->language && lm_find_language(t->language, &t->arena, &language, e)))
        return -1;
    if (t->language)
        text_copy(t->model.language, sizeof t->model.language, language.name);
    if (t->corpus.n < all)
        text_print(stderr,
                   "assay: %zu of %zu programs left out: %s has no tokens for their bytes\n",
                   all - t->corpus.n, all, t->from);
    return 0;
}

/* The corpus of a checkpoint that began with --from had programs left out, too. */
static int load_checkpoint(struct training *t, const char *note, struct error *e)
{
    if (lm_model_load(&t->model, t->checkpoint, e))
        return -1;
    if (!strcmp(t->model.note, note) && t->model.m && t->model.progress.seed == t->seed)
        return 0;
    return error_at(e, ERROR_USAGE, t->checkpoint, 0,
                    "belongs to another training run (%.300s; this one: %.300s): use another "
                    "--output, or remove it",
                    t->model.note, note);
}

static struct lm_train_options train_options(struct training *t)
{
    return (struct lm_train_options){.epochs = (int)t->epochs,
                                     .batch = (int)t->batch,
                                     .length = (int)t->length,
                                     .rate = (float)t->rate,
                                     .decay = (float)t->decay,
                                     .clip = (float)t->clip,
                                     .held_out = t->held_out,
                                     .save_every_ms = 60000,
                                     .checkpoint = t->checkpoint,
                                     .most_steps = t->steps,
                                     .stop = t->stop,
                                     .progress = on_progress,
                                     .to = t};
}

static int open_model(struct training *t, struct error *e)
{
    const struct lm_train_options o = train_options(t);
    char note[sizeof t->model.note];
    write_note(t, note, sizeof note);
    bool goes_on = fs_exists(t->checkpoint);
    if (t->from && goes_on) { /* for the programs that it leaves out */
        if (model_from(t, e))
            return -1;
        lm_model_release(&t->model);
    }
    if (goes_on)
        return load_checkpoint(t, note, e);
    if (fs_exists(t->output))
        return error_at(
            e, ERROR_USAGE, t->output, 0,
            "exists, but has no checkpoint to resume from: use another --output, or remove it");
    if (t->from ? model_from(t, e) : new_model(t, e))
        return -1;
    text_copy(t->model.note, sizeof t->model.note, note);
    if (lm_train_steps(&t->model, &t->corpus, &o, e) < 0)
        return -1;
    /* A folder that is not there, or full, shall show now and not after an epoch. */
    lm_model_reserve(&t->model, (int)t->batch);
    return lm_model_save(&t->model, LM_SAVE_CHECKPOINT, t->checkpoint, e);
}

/* -- one training at a time -------------------------------------------------------------------- */

/* OUTPUT.lock is held while OUTPUT is trained, and removed behind it: who waited for one that was
 * removed meanwhile holds nothing. */
static int take_lock(struct training *t, struct error *e)
{
    struct stat held, there;
    t->lock_path = arena_printf(&t->arena, "%s.lock", t->output);
    for (;;) {
        t->lock = open(t->lock_path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
        if (t->lock < 0)
            return error_at(e, ERROR_ENVIRONMENT, t->lock_path, 0, "cannot be written: %s",
                            strerror(errno));
        if (flock(t->lock, LOCK_EX | LOCK_NB))
            return error_at(e, ERROR_ENVIRONMENT, t->output, 0,
                            "is being trained by another `assay lm train`: wait for it, or use "
                            "another --output");
        if (!fstat(t->lock, &held) && !stat(t->lock_path, &there) && held.st_ino == there.st_ino)
            break;
        close(t->lock);
    }
    t->locked = true;
    return 0;
}

static void leave_lock(struct training *t)
{
    if (t->locked)
        unlink(t->lock_path);
    if (t->lock >= 0)
        close(t->lock);
}

/* -- the training ------------------------------------------------------------------------------ */

static struct json *result_json(struct training *t, int status, int64_t cpu_us)
{
    const struct lm_progress *p = &t->model.progress;
    struct json *epochs = t->history;
    t->history = NULL;
    double tokens = (double)(p->all_steps - t->first_steps) * (double)(t->batch * t->length);
    return json_new("{s:s,s:s,s:s,s:s,s:i,s:i,s:i,s:I,s:b,s:i,s:I,s:I,s:f,s:f,s:f,s:f,s:f,s:o}",
                    "model", t->output, "language", t->model.language, "device",
                    t->engine ? t->engine->name : "none", "kernels",
                    t->engine ? t->engine->kernels : NULL, "tokens", t->model.shape.vocabulary,
                    "layers", t->model.shape.layers, "units", t->model.shape.units, "parameters",
                    (int64_t)t->model.at.total, "done", status == 0, "epoch", p->epoch, "step",
                    (int64_t)p->step, "all_steps", (int64_t)p->all_steps, "loss", p->loss,
                    "held_out", p->held_out, "trained_tokens", tokens, "cpu_s",
                    (double)cpu_us / 1e6, "tokens_per_s", t->tokens_per_s, "epochs", epochs);
}

static void print_result(struct training *t, int status, int64_t cpu_us)
{
    clear_line(t);
    if (t->json)
        json_print(result_json(t, status, cpu_us), false);
    else if (status == 0)
        text_print(stdout, "%s: %d tokens, %zu parameters, %d epochs\n", t->output,
                   t->model.shape.vocabulary, t->model.at.total, t->model.progress.epoch);
    else
        text_print(stdout,
                   "stopped in epoch %d after step %lld: the same command resumes from %s\n",
                   t->model.progress.epoch + 1, (long long)t->model.progress.step, t->checkpoint);
}

static int train_model(struct training *t, struct error *e)
{
    struct error save_error = {0};
    const struct lm_train_options o = train_options(t);
    bool cuda = !strcmp(t->device, "cuda");
    if ((cuda ? lm_cuda_open : lm_cpu_open)(&t->model, o.batch, o.length, &t->engine, e))
        return -1;
    t->save_error = &save_error;
    t->began_ms = t->told_ms = clock_ms();
    t->first_steps = t->model.progress.all_steps;
    int64_t cpu = own_cpu_us();
    int status = lm_train(&t->model, &t->corpus, t->engine, &o, e);
    cpu = own_cpu_us() - cpu;
    if (status >= 0 && save_error.kind) {
        *e = save_error;
        status = -1;
    }
    if (status >= 0 && !fs_exists(t->output) && save_output(t, &t->model, e))
        status = -1;
    clear_line(t);
    if (status >= 0)
        print_result(t, status, cpu);
    t->engine->close(t->engine);
    return status < 0 ? -1 : 0;
}

static int train(struct training *t, struct error *e)
{
    t->stop = cli_heed_signals();
    if (lm_corpus_load(&t->corpus, t->corpus_path, e) || take_lock(t, e) || open_model(t, e))
        return -1;
    if (t->model.progress.epoch < t->epochs)
        return train_model(t, e);
    /* All is done; perhaps the model is wanted in the other form, or was removed. */
    if (save_output(t, &t->model, e))
        return -1;
    print_result(t, 0, 0);
    return 0;
}

/* -- words ------------------------------------------------------------------------------------- */

/* What the table of options cannot check. */
static int check_words(struct training *t, int rest, char **argv)
{
    if (rest > 0)
        return cli_usage(&command_lm_train, "lm train takes options only, not '%s'", argv[0]);
    if (!t->corpus_path || !t->output)
        return cli_usage(&command_lm_train, "lm train needs --%s",
                         t->corpus_path ? "output" : "corpus");
    if (strcmp(t->device, "cpu") && strcmp(t->device, "cuda"))
        return cli_usage(&command_lm_train, "there is no device '%s': cpu or cuda", t->device);
    if (t->units % 16 || t->units > LM_MOST_UNITS)
        return cli_usage(&command_lm_train, "--units: %lld is not a multiple of 16 of at most %d",
                         (long long)t->units, LM_MOST_UNITS);
    if (t->layers > 64 || t->batch > 65536 || t->length > 65536 || t->epochs > 1000000 ||
        t->atoms > LM_MOST_TOKENS)
        return cli_usage(&command_lm_train,
                         "at most 64 layers, a batch of 65536, a length of 65536, "
                         "1000000 epochs and 4096 atoms");
    return 0;
}

static void release(struct training *t)
{
    leave_lock(t);
    json_drop(t->history);
    lm_model_release(&t->model);
    lm_corpus_release(&t->corpus);
    arena_release(&t->arena);
}

int lm_train_command(int argc, char **argv)
{
    struct training t = {.device = "cpu",
                         .lock = -1,
                         .epochs = 50,
                         .batch = 64,
                         .length = 64,
                         .layers = 2,
                         .units = 512,
                         .atoms = 256,
                         .at_least = 20,
                         .rate = 0.002,
                         .decay = 0.95,
                         .clip = 5,
                         .held_out = 0.02,
                         .seed = 1,
                         .json = false};
    const struct option_spec specs[] = {
        TEXT(0, "corpus", "FILE", "the file written by `assay lm corpus`", &t.corpus_path),
        TEXT('o', "output", "FILE", "the model to write, such as opencl.lm", &t.output),
        TEXT(0, "language", "NAME", "the language: its atoms, and the form of samples",
             &t.language),
        INT(0, "epochs", "N", "passes through the corpus (50)", &t.epochs),
        INT(0, "batch", "N", "streams in parallel (64)", &t.batch),
        INT(0, "length", "N", "length of backpropagation in tokens (64)", &t.length),
        INT(0, "layers", "N", "layers of the network (2)", &t.layers),
        INT(0, "units", "N", "units of a layer, a multiple of 16 (512)", &t.units),
        INT(0, "atoms", "N", "words and indentations that become one token (256)", &t.atoms),
        SHARE(0, "rate", "X", "learning rate (0.002)", &t.rate),
        SHARE(0, "decay", "X", "factor of the rate after each epoch (0.95)", &t.decay),
        NUMBER(0, "clip", "X", "maximum norm of a gradient (5); 0: no limit", &t.clip),
        U64('s', "seed", "SEED", "random seed (1)", &t.seed),
        TEXT(0, "device", "NAME", "cpu or cuda (cpu)", &t.device),
        FLAG(0, "quantise", "store weights as bytes: a quarter of the size", &t.quantise),
        TEXT(0, "from", "MODEL", "start with the weights and tokens of MODEL", &t.from),
        DURATION(0, "time", "TIME", "stop after 10m, 8h, ...; the same command resumes",
                 &t.time_ms),
        INT(0, "steps", "N", "stop after N steps; the same command resumes", &t.steps),
        FLAG(0, "json", "print JSON", &t.json),
    };
    struct error e = {0};
    int rest, status;
    if (!cli_parse(&command_lm_train, OPTIONS(specs), argc, argv, &rest, &status))
        return status;
    status = check_words(&t, rest, argv);
    if (status)
        return status;
    arena_init(&t.arena);
    t.history = json_new("[]");
    t.checkpoint = arena_printf(&t.arena, "%s.checkpoint", t.output);
    status = train(&t, &e) ? cli_fail(&e) : EXIT_CLEAN;
    release(&t);
    return status;
}
