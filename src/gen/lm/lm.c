#include "gen/lm/lm.h"
#include "base/fs.h"
#include "base/vec.h"
#include "gen/lm/repair.h"
#include "gen/lm/wrap.h"
#include "gen/sieve.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char version[] = "2";
static const char prefix[] = "lm:";

struct lm_values {
    const char *model, *language, *checker;
    double temperature; /* NAN: the language's own */
    int masked, most_tokens /* -1: the language's own */, repair, again;
};

#define ROW(kind, name, member, standard, help)                                                    \
    SETTING_ROW(kind, name, struct lm_values, member, standard, help)

static const struct setting rows[] = {
    {.name = "lm", .kind = SETTING_SECTION, .help = "--NAME VALUE"},
    {ROW(TEXT, "model", model, "", "model file; none: models/NAME.lm")},
    {ROW(TEXT, "language", language, "", "language file; none: languages/NAME.ini")},
    {ROW(INT, "masked", masked, "80",
         "percent of programs that are sampled under the mask and repaired"),
     .most = 100},
    {ROW(NUMBER, "temperature", temperature, "",
         "0: always the likeliest; none: the language's own"),
     .most = 10},
    {ROW(INT, "most-tokens", most_tokens, "", "of a program; none: the language's own"),
     .most = 100000},
    {ROW(INT, "repair", repair, "8",
         "attempts to repair a program that the language's check rejects"),
     .most = 1000},
    {ROW(INT, "again", again, "8", "times to redraw a program that copies one of the corpus"),
     .most = 1000},
    {ROW(TEXT, "checker", checker, "", "version of the checking command; recorded, not chosen")},
};

static const struct settings lm_settings = {"lm", rows, SETTINGS_COUNT(rows), NULL};

struct lm_generator {
    struct generator head;
    struct lm_values values, standard;
    struct lm_language language;
    string_list languages, models; /* where they are looked for, later ones first */
    double temperature;            /* these two as set, or the language's own */
    int most_tokens;

    bool loaded;
    struct lm_model model;
    struct lm_bytes *bytes;
    struct lm_words *words;
    struct lm_writer *writer;
    char folder[PATH_MAX]; /* for the checker; "": not made yet */
    struct strbuf last;    /* what is said of the last program */
};

/* -- settings ---------------------------------------------------------------------------------- */

/* Workers start elsewhere: a file is known by its whole path. */
static int whole_path(struct lm_generator *g, const char *name, const char *value, struct error *e)
{
    char path[PATH_MAX];
    if (!*value)
        return 0;
    if (!realpath(value, path))
        return error_set(e, ERROR_USAGE, "%s: there is no file %s", name, value);
    return settings_set(&lm_settings, &g->values, &g->head.arena, name, path, e);
}

static int take_settings(struct lm_generator *g, const struct gen_context *context, struct error *e)
{
    struct lm_values *v = &g->values;
    settings_default(&lm_settings, &g->standard);
    *v = g->standard;
    return gen_take_settings(&g->head, context, v, e) || whole_path(g, "model", v->model, e) ||
                   whole_path(g, "language", v->language, e)
               ? -1
               : 0;
}

/* -- opening ----------------------------------------------------------------------------------- */

static const char *find_model(struct arena *a, const string_list *models, const char *name)
{
    for (size_t i = models->n; i > 0; i--) {
        const char *path = arena_printf(a, "%s/%s.lm", models->at[i - 1], name);
        if (fs_exists(path))
            return path;
    }
    return NULL;
}

static const char *model_path(struct lm_generator *g)
{
    if (*g->values.model)
        return g->values.model;
    return find_model(&g->head.arena, &g->models, g->language.name);
}

static bool is_mendable(const struct lm_generator *g)
{
    return g->values.repair > 0 && g->values.masked > 0 && g->language.check;
}

/* Whoever opens it again elsewhere may have another checker: people are told. */
static void note_checker(struct lm_generator *g)
{
    if (!is_mendable(g))
        return;
    const char *now = lm_check_version(&g->language, &g->head.arena);
    const char *then = g->values.checker;
    if (!*then)
        g->values.checker = now;
    else if (strcmp(then, now) != 0)
        g->head.note =
            arena_printf(&g->head.arena, "programs were checked by %s, now by %s: some may differ",
                         then, *now ? now : "nothing");
}

static int load_model(struct lm_generator *g, const char *path, struct error *e)
{
    bool opencl = !strcmp(g->language.unit, "kernel");
    if (gen_set_version(&g->head, version, (const char *const[]){g->language.file, path, NULL},
                        e) ||
        lm_model_load(&g->model, path, e))
        return -1;
    g->loaded = true;
    if (*g->model.language && strcmp(g->model.language, g->language.name) != 0)
        return error_at(e, ERROR_USAGE, path, 0, "is a model of %s, not of %s", g->model.language,
                        g->language.name);
    g->bytes = lm_bytes_new(&g->model);
    if (g->language.names == LM_NAMES_C)
        g->words = lm_words_new(&g->model.encoder, opencl);
    const struct lm_writer_options o = {.language = &g->language,
                                        .encoder = &g->model.encoder,
                                        .bytes = g->bytes,
                                        .words = g->words};
    g->writer = lm_writer_new(&o);
    note_checker(g);
    return 0;
}

static void lm_close(struct generator *head)
{
    struct lm_generator *g = (struct lm_generator *)head;
    if (g->loaded) {
        lm_writer_free(g->writer);
        lm_words_free(g->words);
        lm_bytes_free(g->bytes);
        lm_model_release(&g->model);
    }
    if (*g->folder)
        fs_remove_tree(g->folder);
    vec_release(&g->languages);
    vec_release(&g->models);
    strbuf_release(&g->last);
}

static int open_all(struct lm_generator *g, const char *name, const struct gen_context *context,
                    struct error *e)
{
    if (take_settings(g, context, e))
        return -1;
    const char *language = *g->values.language ? g->values.language : name;
    if (lm_language_load(language, g->languages.at, (int)g->languages.n, &g->head.arena,
                         &g->language, e))
        return -1;
    g->temperature = isnan(g->values.temperature) ? g->language.temperature : g->values.temperature;
    g->most_tokens = g->values.most_tokens < 0 ? g->language.most_tokens : g->values.most_tokens;
    g->head.language = g->language.name;
    const char *model = model_path(g);
    if (model && load_model(g, model, e))
        return -1;
    gen_keep_settings(&g->head, &g->values, &g->standard);
    return 0;
}

static int lm_open(struct generator *head, const char *name, const struct gen_context *context,
                   struct error *e)
{
    struct lm_generator *g = (struct lm_generator *)head;
    strbuf_init(&g->last, 1 << 16);
    const char *language = strchr(name, ':') ? name + strlen(prefix) : "opencl";
    head->name = arena_printf(&head->arena, "%s%s", prefix, language);
    head->version = version;
    g->languages = gen_beside(context, "languages", &head->arena);
    g->models = gen_beside(context, "models", &head->arena);
    return open_all(g, language, context, e);
}

static int lm_ready(struct generator *head, struct error *e)
{
    struct lm_generator *g = (struct lm_generator *)head;
    if (g->loaded)
        return 0;
    const char *where = text_join(&head->arena, g->models.at, g->models.n, ", ");
    return error_set(e, ERROR_ENVIRONMENT,
                     "%s has no model: `assay lm train` makes one, --model FILE names one, and "
                     "%s.lm is looked for in %s",
                     head->name, g->language.name, *where ? where : "no folder");
}

/* -- one program ------------------------------------------------------------------------------- */

static int mend(struct lm_generator *g, struct choice *c, struct error *e)
{
    struct lm_repair r;
    struct lm_checker checker = {.language = &g->language, .stop = g->head.stop};
    if (!*g->folder && fs_make_temp_dir("assay-lm", g->folder, sizeof g->folder, e)) {
        *g->folder = '\0';
        return -1;
    }
    checker.folder = g->folder;
    int status = lm_repair(g->writer, &checker, g->values.repair, c, &r, e);
    g->head.cpu_us += checker.cpu_us;
    strbuf_addf(&g->last, "%-20s %12d\n%-20s %12s\n", "attempts", r.attempts, "builds",
                r.last.good ? "yes" : "no");
    if (!r.last.good)
        strbuf_addf(&g->last, "%-20s %d:%d: %s\n", "first error", r.last.line, r.last.column,
                    r.last.message);
    return status;
}

static int sample(struct lm_generator *g, struct choice *c, struct error *e)
{
    const struct lm_language *l = &g->language;
    bool masked = choose(c, 100) < (uint64_t)g->values.masked;
    const char *seed = l->seeds[choose(c, (uint64_t)l->n_seeds)];
    strbuf_clear(&g->last);
    if (lm_writer_begin(g->writer, seed, masked, g->temperature, g->most_tokens, NULL))
        return error_at(e, ERROR_USAGE, l->file, 0, "the model has no tokens for seed = \"%s\"",
                        seed);
    lm_writer_run(g->writer, c);
    strbuf_addf(&g->last, "%-20s %12s\n", "masked", masked && g->words ? "yes" : "no");
    bool mends = masked && is_mendable(g);
    int status = mends ? mend(g, c, e) : 0;
    if (!mends)
        strbuf_addf(&g->last, "%-20s %12s\n", "builds", "not checked");
    strbuf_addf(&g->last, "%-20s %12zu\n%-20s %12llu\n", "tokens", lm_writer_size(g->writer),
                "tokens drawn", (unsigned long long)lm_writer_drawn(g->writer));
    if (lm_writer_end(g->writer) == LM_END_SIZE)
        strbuf_addf(&g->last, "cut at %d tokens\n", g->most_tokens);
    if (lm_writer_end(g->writer) == LM_END_TURNS)
        strbuf_adds(&g->last, "closed after too many dead ends\n");
    return status;
}

/* One that is not in the corpus, if that is not too much to ask. */
static int sample_new(struct lm_generator *g, struct choice *c, struct error *e)
{
    for (int i = 0;; i++) {
        if (sample(g, c, e))
            return -1;
        const struct strbuf *text = lm_writer_text(g->writer);
        bool copy = lm_model_knows(&g->model, text->s, text->n);
        if (!copy || i >= g->values.again) {
            strbuf_addf(&g->last, "%-20s %12d%s\n", "copies before it", i,
                        copy ? " (a copy itself)" : "");
            return 0;
        }
    }
}

/* Is a program of C worth running, and what must it print? What is not is compiled only, nor
 * linked: it may call what is nowhere. */
static int judge_c(struct lm_generator *g, struct strbuf *text, size_t header, struct arena *a,
                   struct program *out, struct error *e)
{
    struct strbuf body, expected, why;
    int status = 0;
    strbuf_init(&body, 0);
    strbuf_init(&expected, 0);
    strbuf_init(&why, 0);
    strbuf_add(&body, text->s + header, text->n - header);
    enum lm_wrap_verdict verdict = lm_wrap_run(&body, &expected, &why);
    text->s[text->n = header] = '\0';
    strbuf_add(text, body.s, body.n);
    out->needs = "-w";
    out->files[0] = program_file_new(a, out->files[0].name, bytes_in(text));
    out->build_only = verdict != LM_WRAP_DEFINED;
    if (verdict == LM_WRAP_DEFINED)
        out->expected = bytes_copy(a, bytes_in(&expected));
    if (verdict == LM_WRAP_UNDECIDED)
        status = sieve_decide(&g->head, out, &why, e);
    if (out->build_only)
        gen_only_compile(out, a, false);
    strbuf_addf(&g->last, "%-20s %12s %s\n", "run", lm_wrap_verdict_name[verdict], why.s);
    strbuf_release(&body);
    strbuf_release(&expected);
    strbuf_release(&why);
    return status;
}

static int lm_next(struct generator *head, struct choice *c, struct arena *a, struct program *out,
                   struct error *e)
{
    struct lm_generator *g = (struct lm_generator *)head;
    struct strbuf text;
    int status = 0;
    if (lm_ready(head, e) || sample_new(g, c, e))
        return -1;
    strbuf_init(&text, 0);
    gen_add_header(&g->head, &g->language.own, c->seed, &text);
    size_t header = text.n;
    strbuf_add(&text, lm_writer_text(g->writer)->s, lm_writer_text(g->writer)->n);
    if (text.n && text.s[text.n - 1] != '\n')
        strbuf_addc(&text, '\n');
    if (g->language.after)
        strbuf_addf(&text, "%s\n", g->language.after);
    *out = gen_program(head, c->seed);
    out->files = arena_new(a, struct program_file);
    out->files[out->n_files++] =
        program_file_new(a, arena_printf(a, "t%s", g->language.suffix), bytes_in(&text));
    if (g->language.wrap == LM_WRAP_C)
        status = judge_c(g, &text, header, a, out, e);
    strbuf_release(&text);
    return status;
}

/* -- lists ------------------------------------------------------------------------------------- */

static void list(const struct gen_context *context,
                 void (*each)(void *to, const char *name, const char *help), void *to)
{
    struct arena a;
    struct error ignored;
    const char **names;
    int n;
    arena_init(&a);
    string_list languages = gen_beside(context, "languages", &a),
                models = gen_beside(context, "models", &a);
    lm_language_list(languages.at, (int)languages.n, &a, &names, &n, &ignored);
    for (int i = 0; i < n; i++) {
        struct lm_language l;
        bool known = !strcmp(names[i], "opencl") || !strcmp(names[i], "c");
        bool there = find_model(&a, &models, names[i]) != NULL;
        if ((!known && !there) ||
            lm_language_load(names[i], languages.at, (int)languages.n, &a, &l, &ignored))
            continue;
        each(to, arena_printf(&a, "%s%s", prefix, names[i]),
             arena_printf(&a, "%s%s", l.help, there ? "" : " (no model)"));
    }
    vec_release(&languages);
    vec_release(&models);
    arena_release(&a);
}

static void stats(struct generator *head, struct strbuf *out)
{
    const struct lm_generator *g = (const struct lm_generator *)head;
    strbuf_add(out, g->last.s, g->last.n);
}

const struct gen_class gen_lm = {
    .size = sizeof(struct lm_generator),
    .name = "lm", /* of OpenCL */
    .prefix = prefix,
    .open = lm_open,
    .next = lm_next,
    .release = lm_close,
    .ready = lm_ready,
    .list = list,
    .settings = &lm_settings,
    .stats = stats,
};
