#include "gen/lala/lala.h"
#include "ag/runtime.h"
#include "ag/search.h"
#include "base/fs.h"
#include "base/json.h"
#include "base/map.h"
#include "base/text.h"
#include "base/vec.h"
#include "gen/lala/language.h"

#include <stdlib.h>
#include <string.h>

static const char version[] = "1";
static const char prefix[] = "lala:";

#define SETTINGS(X) /* name, takes a value, help */                                                \
    X(FEATURES, "features", 1, "what of the language is enabled: a+b, default+c, default+-a")      \
    X(MAX_HEIGHT, "max-height", 1, "height budget of a recursive component; 0: no limit")          \
    X(SIZE, "size", 1, "nodes after which the search looks for an end; 0: no limit")               \
    X(WEIGHTS, "weights", 1, "weights of productions: a file, or Class.production:3+...")          \
    X(NO_FAIL_PATTERNS, "no-fail-patterns", 0, "whole trees instead of patterns (for bench/lala)")

enum setting_id {
#define X(id, name, takes, help) SET_##id,
    SETTINGS(X)
#undef X
        N_SETTINGS
};

static const struct {
    const char *name;
    int takes_value;
    const char *help;
} settings[N_SETTINGS] = {
#define X(id, name, takes, help) {name, takes, help},
    SETTINGS(X)
#undef X
};

struct lala_generator {
    struct generator head;
    struct arena arena;
    struct lala_language language;
    struct ag_runtime *runtime;
    struct ag_messages messages;
    struct ag_spec *spec;
    struct ag_search *search;
    struct ag_options options;
    const char *features; /* with '+' between, as in the config */
    struct map weights;
    bool weighted;
    uint64_t seed; /* of the last program */
};

/* -- settings ---------------------------------------------------------------------------------- */

static int set_number(const char *name, const char *value, int64_t most, int64_t *out,
                      struct error *e)
{
    char *end;
    int64_t number = value ? strtoll(value, &end, 10) : -1;
    if (!value || end == value || *end || number < 0 || number > most)
        return error_set(e, ERROR_USAGE, "--%s needs a number from 0 to %lld", name,
                         (long long)most);
    *out = number;
    return 0;
}

static bool known_feature(const struct ag_spec *s, const char *word, size_t n)
{
    for (int i = 0; i < s->n_classes; i++)
        for (int j = 0; j < s->classes[i].n_productions; j++) {
            const struct ag_names *f = &s->classes[i].productions[j].features;
            for (int k = 0; k < f->n; k++)
                if (strlen(f->at[k]) == n && !memcmp(f->at[k], word, n))
                    return true;
        }
    return false;
}

typedef VEC(const char *) words;

static void add_word(words *list, const char *word, bool add)
{
    for (size_t i = 0; i < list->n; i++)
        if (!strcmp(list->at[i], word)) {
            if (!add) {
                memmove(&list->at[i], &list->at[i + 1], (list->n - i - 1) * sizeof *list->at);
                list->n--;
            }
            return;
        }
    if (add)
        vec_push(list, word);
}

static int add_features(struct lala_generator *g, words *list, const char *text, struct error *e)
{
    static const char between[] = "+, ";
    for (text += strspn(text, between); *text; text += strspn(text, between)) {
        bool add = *text != '-';
        text += !add;
        size_t n = strcspn(text, between);
        const char *word = arena_memdup(&g->arena, text, n);
        text += n;
        if (!strcmp(word, "default")) {
            if (add_features(g, list, g->language.features, e))
                return -1;
        } else if (*word && !known_feature(g->spec, word, n)) {
            return error_set(e, ERROR_USAGE,
                             "%s has no feature '%s' (assay lala explain lists them)",
                             g->language.name, word);
        } else if (*word) {
            add_word(list, word, add);
        }
    }
    return 0;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* In one order, so that the same features are the same config. */
static int set_features(struct lala_generator *g, const char *text, struct error *e)
{
    words list = {0};
    struct strbuf out;
    if (!text)
        return error_set(e, ERROR_USAGE, "--features needs a list such as default+a");
    int status = add_features(g, &list, text, e);
    strbuf_init(&out, 0);
    if (list.n)
        qsort(list.at, list.n, sizeof *list.at, by_text);
    for (size_t i = 0; i < list.n; i++)
        strbuf_addf(&out, "%s%s", i ? "+" : "", list.at[i]);
    if (!status)
        g->features = arena_strdup(&g->arena, out.s);
    strbuf_release(&out);
    vec_release(&list);
    return status;
}

static const struct ag_production *find_production(const struct ag_spec *s, const char *key)
{
    const char *dot = strchr(key, '.');
    if (!dot)
        return NULL;
    for (int i = 0; i < s->n_classes; i++) {
        const struct ag_class *c = &s->classes[i];
        if (strncmp(c->name, key, (size_t)(dot - key)) || c->name[dot - key])
            continue;
        for (int j = 0; j < c->n_productions; j++)
            if (!strcmp(c->productions[j].name, dot + 1))
                return &c->productions[j];
    }
    return NULL;
}

static int set_weight(struct lala_generator *g, const char *key, const char *value,
                      const char *file, int line, struct error *e)
{
    char *end;
    long number = strtol(value, &end, 10);
    if (!find_production(g->spec, key))
        return error_at(e, ERROR_USAGE, file, line, "%s has no production '%s' (Class.production)",
                        g->language.name, key);
    if (end == value || *end || number < 0 || number > 1000000)
        return error_at(e, ERROR_USAGE, file, line, "'%s' is no weight: a number up to 1000000",
                        value);
    map_put_str(&g->weights, key, NULL)->value.number = (uint64_t)number;
    g->weighted = true;
    return 0;
}

/* "Class.production = 3" lines, or on the command line "Class.production:3+Class.other:0". */
static int set_weights(struct lala_generator *g, const char *value, struct error *e)
{
    struct strbuf text;
    int status = 0, line = 0;
    bool is_file = value && !strchr(value, ':');
    if (!value)
        return error_set(e, ERROR_USAGE, "--weights needs a file or Class.production:3");
    strbuf_init(&text, 1 << 20);
    if (is_file)
        status = fs_read(value, &text, e);
    else
        strbuf_adds(&text, value);
    const char *file = is_file ? value : "";
    char *rest = text.s;
    while (!status && *rest) {
        size_t n = strcspn(rest, is_file ? "\n" : "+");
        char *word = arena_memdup(&g->arena, rest, n);
        rest += n + (rest[n] != '\0');
        line++;
        word[strcspn(word, "#;")] = '\0';
        char *split = strpbrk(word, "=:");
        if (!*(word + strspn(word, " \t\r")))
            continue;
        if (!split) {
            status = error_at(e, ERROR_USAGE, file, is_file ? line : 0,
                              "'%s' is not of the form Class.production = 3", word);
            break;
        }
        *split = '\0';
        char *key = word + strspn(word, " \t"), *number = split + 1 + strspn(split + 1, " \t");
        key[strcspn(key, " \t")] = '\0';
        number[strcspn(number, " \t\r")] = '\0';
        status = set_weight(g, key, number, file, is_file ? line : 0, e);
    }
    strbuf_release(&text);
    return status;
}

static int find_setting(const char *name)
{
    for (int i = 0; i < N_SETTINGS; i++)
        if (!strcmp(settings[i].name, name))
            return i;
    return -1;
}

static int set(void *to, const char *name, const char *value, struct error *e)
{
    struct lala_generator *g = to;
    int64_t number = 0;
    switch (find_setting(name)) {
    case SET_FEATURES:
        return set_features(g, value, e);
    case SET_WEIGHTS:
        return set_weights(g, value, e);
    case SET_SIZE:
        return set_number(name, value, INT32_MAX, &g->options.size, e);
    case SET_MAX_HEIGHT:
        if (set_number(name, value, 1000000, &number, e))
            return -1;
        g->options.max_height = (int)number;
        return 0;
    case SET_NO_FAIL_PATTERNS:
        g->options.no_fail_patterns = !value || strcmp(value, "0") != 0;
        return 0;
    default: {
        const char *names[N_SETTINGS];
        for (int i = 0; i < N_SETTINGS; i++)
            names[i] = settings[i].name;
        const char *near = text_nearest(name, names, N_SETTINGS);
        return near ? error_set(e, ERROR_USAGE, "lala has no option --%s: did you mean --%s?", name,
                                near)
                    : error_set(e, ERROR_USAGE, "lala has no option --%s", name);
    }
    }
}

static void weights_text(const struct lala_generator *g, struct strbuf *out)
{
    for (size_t i = 0; i < g->weights.n; i++)
        strbuf_addf(out, "%s%s:%llu", i ? "+" : "", g->weights.entries[i].key,
                    (unsigned long long)g->weights.entries[i].value.number);
}

static void value_text(const struct lala_generator *g, int setting, struct strbuf *out)
{
    switch (setting) {
    case SET_FEATURES:
        strbuf_adds(out, g->features);
        break;
    case SET_MAX_HEIGHT:
        strbuf_addf(out, "%d", g->options.max_height);
        break;
    case SET_SIZE:
        strbuf_addf(out, "%lld", (long long)g->options.size);
        break;
    case SET_WEIGHTS:
        weights_text(g, out);
        break;
    case SET_NO_FAIL_PATTERNS:
        strbuf_addf(out, "%d", g->options.no_fail_patterns);
        break;
    }
}

/* What differs from the language's own defaults. */
static const char *config_text(struct lala_generator *g, const char *const plain[N_SETTINGS])
{
    struct strbuf out, value;
    strbuf_init(&out, 0);
    strbuf_init(&value, 0);
    for (int i = 0; i < N_SETTINGS; i++) {
        strbuf_clear(&value);
        value_text(g, i, &value);
        if (strcmp(value.s, plain[i]) != 0)
            strbuf_addf(&out, "%s%s=%s", out.n ? "," : "", settings[i].name, value.s);
    }
    const char *text = arena_strdup(&g->arena, out.s);
    strbuf_release(&value);
    strbuf_release(&out);
    return text;
}

static int lala_takes_value(const char *name)
{
    int i = find_setting(name);
    return i < 0 ? -1 : settings[i].takes_value;
}

static void lala_options(const struct generator *head, bool json, struct strbuf *out)
{
    const struct lala_generator *g = (const struct lala_generator *)head;
    struct json *all = json ? json_new("[]") : NULL;
    struct strbuf value;
    strbuf_init(&value, 0);
    for (int i = 0; i < N_SETTINGS; i++) {
        strbuf_clear(&value);
        value_text(g, i, &value);
        if (json)
            json_append(all, "{s:s,s:b,s:s,s:s}", "name", settings[i].name, "takes_value",
                        settings[i].takes_value, "help", settings[i].help, "value", value.s);
        else
            strbuf_addf(out, "%-17s = %-24s ; %s\n", settings[i].name, value.s, settings[i].help);
    }
    strbuf_release(&value);
    if (json)
        json_write(all, false, out);
}

/* -- programs ---------------------------------------------------------------------------------- */

/* The header names the seed of the tree from which the one at hand was made. */
static int lala_print(struct generator *head, struct arena *a, struct program *out, struct error *e)
{
    struct lala_generator *g = (struct lala_generator *)head;
    struct strbuf text;
    strbuf_init(&text, 0);
    gen_add_header(head, &g->language.own, g->seed, &text);
    if (ag_search_text(g->search, &text, e)) {
        strbuf_release(&text);
        return -1;
    }
    struct program_file *file = arena_new(a, struct program_file);
    file->name = arena_printf(a, "t%s", g->language.suffix);
    file->text = arena_memdup(a, text.s, text.n);
    file->size = text.n;
    strbuf_release(&text);
    *out = (struct program){.language = head->language,
                            .files = file,
                            .n_files = 1,
                            .needs = "",
                            .trusted = g->language.trusted,
                            .build_only = g->language.build_only,
                            .made = {.generator = head->name,
                                     .version = head->version,
                                     .config = head->config,
                                     .seed = g->seed}};
    return 0;
}

static int lala_next(struct generator *head, struct choice *c, struct arena *a, struct program *out,
                     struct error *e)
{
    struct lala_generator *g = (struct lala_generator *)head;
    g->seed = c->seed;
    if (ag_search_next(g->search, c, e) || lala_print(head, a, out, e))
        return GEN_FAILED;
    return 0;
}

static struct ag_search *lala_search(struct generator *head)
{
    return ((struct lala_generator *)head)->search;
}

static void lala_stats(struct generator *head, struct strbuf *out)
{
    const struct lala_generator *g = (const struct lala_generator *)head;
    const struct tree_stats *s = ag_search_stats(g->search);
    const struct {
        const char *name;
        int64_t value;
    } rows[] = {{"nodes", s->nodes},
                {"nodes made", s->created},
                {"rules evaluated", s->rules},
                {"searches", s->searches},
                {"productions refused", s->refused},
                {"alternatives", s->alternatives},
                {"fail patterns", s->patterns},
                {"failures of height", s->heights},
                {"lists shortened", s->shortened},
                {"restarts", s->restarts},
                {"bytes of memory", (int64_t)ag_search_memory(g->search)}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        strbuf_addf(out, "%-20s %12lld\n", rows[i].name, (long long)rows[i].value);
}

static void lala_tree(struct generator *head, bool json, struct strbuf *out)
{
    ag_search_tree(((struct lala_generator *)head)->search, json, out);
}

/* -- opening ----------------------------------------------------------------------------------- */

static void lala_close(struct generator *head)
{
    struct lala_generator *g = (struct lala_generator *)head;
    ag_search_free(g->search);
    ag_messages_release(&g->messages);
    map_release(&g->weights);
    ag_runtime_free(g->runtime);
    arena_release(&g->arena);
    free(g);
}

/* Presets lie in BASE/generators, languages in BASE/specs. */
static words find_bases(struct arena *a, const struct gen_context *context)
{
    words bases = {0};
    for (int i = 0; i < context->n_dirs; i++) {
        const char *slash = strrchr(context->dirs[i], '/');
        size_t n = slash ? (size_t)(slash - context->dirs[i]) : 0;
        vec_push(&bases, arena_memdup(a, context->dirs[i], n));
    }
    return bases;
}

static int load(struct lala_generator *g, struct error *e)
{
    const struct lala_language *l = &g->language;
    g->runtime = ag_runtime_new();
    if (l->module && !fs_exists(l->module))
        return error_set(e, ERROR_ENVIRONMENT,
                         "the runtime of %s is not built: run `assay lala build %s`", l->name,
                         l->where);
    if (l->stale)
        return error_set(e, ERROR_ENVIRONMENT,
                         "%s is newer than its module: run `assay lala build %s`", l->runtime,
                         l->where);
    if (l->module && ag_runtime_load(g->runtime, l->module, e))
        return -1;
    ag_messages_init(&g->messages, &g->arena, l->spec);
    return ag_load(&g->arena, l->spec, g->runtime, &g->messages, &g->spec, e);
}

/* A specification is part of the generator: another text is another version. */
static int version_of(struct lala_generator *g, struct error *e)
{
    struct strbuf text;
    char hash[PROGRAM_HASH_SIZE];
    strbuf_init(&text, 0);
    const char *ini = arena_printf(&g->arena, "%s/language.ini", g->language.dir);
    int status = fs_read(g->language.spec, &text, e);
    if (!status && fs_exists(ini)) /* it has the defaults of the settings */
        status = fs_read(ini, &text, e);
    if (!status && g->language.runtime && fs_exists(g->language.runtime))
        status = fs_read(g->language.runtime, &text, e);
    hash_bytes(text.s, text.n, hash);
    hash[8] = '\0';
    g->head.version = arena_printf(&g->arena, "%s.%s", version, hash);
    strbuf_release(&text);
    return status;
}

static int configure(struct lala_generator *g, const struct gen_context *context, struct error *e)
{
    const char *plain[N_SETTINGS];
    struct strbuf value;
    g->options.size = g->language.size;
    g->options.max_height = g->language.max_height;
    if (set_features(g, "default", e))
        return -1;
    strbuf_init(&value, 0);
    for (int i = 0; i < N_SETTINGS; i++) {
        strbuf_clear(&value);
        value_text(g, i, &value);
        plain[i] = arena_strdup(&g->arena, value.s);
    }
    strbuf_release(&value);
    if (gen_settings_apply(context, set, g, e))
        return -1;
    g->options.features = g->features;
    g->options.weights = g->weighted ? &g->weights : NULL;
    g->head.config = config_text(g, plain);
    return ag_search_new(g->spec, &g->options, &g->search, e);
}

static int lala_open(const char *name, const struct gen_context *context, struct generator **out,
                     struct error *e)
{
    if (strncmp(name, prefix, strlen(prefix)) != 0)
        return 1;
    struct lala_generator *g = mem_alloc(sizeof *g);
    *g = (struct lala_generator){0};
    arena_init(&g->arena);
    map_init(&g->weights);
    words bases = find_bases(&g->arena, context);
    g->head = (struct generator){.class = &gen_lala, .name = arena_strdup(&g->arena, name)};
    int status = lala_language_open(&g->arena, name + strlen(prefix), bases.at, (int)bases.n,
                                    &g->language, e);
    vec_release(&bases);
    g->head.language = g->language.language;
    if (status || load(g, e) || version_of(g, e) || configure(g, context, e)) {
        lala_close(&g->head);
        return -1;
    }
    *out = &g->head;
    return 0;
}

struct listing {
    void (*each)(void *to, const char *name, const char *help);
    void *to;
};

static void list_one(void *to, const struct lala_language *l)
{
    struct listing *listing = to;
    char name[128];
    snprintf(name, sizeof name, "%s%s", prefix, l->name);
    listing->each(listing->to, name, l->help);
}

static void list(const struct gen_context *context,
                 void (*each)(void *to, const char *name, const char *help), void *to)
{
    struct arena a;
    struct listing listing = {each, to};
    arena_init(&a);
    words bases = find_bases(&a, context);
    lala_language_list(bases.at, (int)bases.n, list_one, &listing);
    vec_release(&bases);
    arena_release(&a);
}

static bool lala_owns(const char *name)
{
    return !strncmp(name, prefix, strlen(prefix));
}

const struct gen_class gen_lala = {
    .open = lala_open,
    .next = lala_next,
    .close = lala_close,
    .list = list,
    .owns = lala_owns,
    .takes_value = lala_takes_value,
    .options = lala_options,
    .stats = lala_stats,
    .tree = lala_tree,
    .search = lala_search,
    .print = lala_print,
};
