#include "gen/lala/lala.h"
#include "ag/runtime.h"
#include "ag/search.h"
#include "base/fs.h"
#include "base/map.h"
#include "base/text.h"
#include "base/vec.h"
#include "gen/lala/language.h"

#include <stdlib.h>
#include <string.h>

static const char version[] = "1";
static const char prefix[] = "lala:";

struct lala_values {
    struct lala_generator *of;
    struct ag_options options;
    const char *features; /* with '+' between, as in the config */
    struct map weights;
};

struct lala_generator {
    struct generator head;
    struct lala_language language;
    struct ag_runtime *runtime;
    struct ag_messages messages;
    struct ag_spec *spec;
    struct ag_search *search;
    struct lala_values values, standard;
    uint64_t seed; /* of the last program */
};

/* -- settings ---------------------------------------------------------------------------------- */

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

static void add_word(string_list *list, const char *word, bool add)
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

static int add_features(struct lala_generator *g, string_list *list, const char *text,
                        struct error *e)
{
    static const char between[] = "+, ";
    for (text += strspn(text, between); *text; text += strspn(text, between)) {
        bool add = *text != '-';
        text += !add;
        size_t n = strcspn(text, between);
        const char *word = arena_memdup(&g->head.arena, text, n);
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

/* In one order, so that the same features are the same config. */
static int set_features(const struct setting *row, void *to, struct arena *arena, const char *text,
                        struct error *e)
{
    struct lala_values *v = to;
    struct lala_generator *g = v->of;
    string_list list = {0};
    struct strbuf out;
    (void)row;
    (void)arena;
    int status = add_features(g, &list, text, e);
    strbuf_init(&out, 0);
    text_sort(&list);
    for (size_t i = 0; i < list.n; i++)
        strbuf_addf(&out, "%s%s", i ? "+" : "", list.at[i]);
    const char *all = strbuf_keep(&out, &g->head.arena);
    if (!status)
        v->features = all;
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
        return error_at(e, ERROR_USAGE, file, line,
                        "'%s' is not a weight: use a number up to 1000000", value);
    map_put_str(&g->values.weights, key, NULL)->value.number = (uint64_t)number;
    return 0;
}

/* "Class.production = 3" lines, or on the command line "Class.production:3+Class.other:0". */
static int set_weights(const struct setting *row, void *to, struct arena *arena, const char *value,
                       struct error *e)
{
    struct lala_generator *g = ((struct lala_values *)to)->of;
    struct strbuf text;
    int status = 0, line = 0;
    bool is_file = *value && !strchr(value, ':');
    (void)row;
    (void)arena;
    strbuf_init(&text, 1 << 20);
    if (is_file)
        status = fs_read(value, &text, e);
    else
        strbuf_adds(&text, value);
    const char *file = is_file ? value : "";
    char *rest = text.s;
    while (!status && *rest) {
        size_t n = strcspn(rest, is_file ? "\n" : "+");
        char *word = arena_memdup(&g->head.arena, rest, n);
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

static void features_text(const void *of, const struct setting *row, struct strbuf *out)
{
    (void)row;
    strbuf_adds(out, ((const struct lala_values *)of)->features);
}

static void weights_text(const void *of, const struct setting *row, struct strbuf *out)
{
    const struct map *weights = &((const struct lala_values *)of)->weights;
    (void)row;
    for (size_t i = 0; i < weights->n; i++)
        strbuf_addf(out, "%s%s:%llu", i ? "+" : "", weights->entries[i].key,
                    (unsigned long long)weights->entries[i].value.number);
}

#define ROW(kind, name, member, standard, help)                                                    \
    SETTING_ROW(kind, name, struct lala_values, member, standard, help)

/* The defaults are the language's; "": may be empty. */
static const struct setting rows[] = {
    {.name = "lala", .kind = SETTING_SECTION, .help = "--NAME VALUE"},
    {ROW(OWN, "features", features, "", "features of the language that are enabled"),
     .what = "a+b, default+c, default+-a", .set = set_features, .text = features_text},
    {ROW(INT, "max-height", options.max_height, NULL,
         "height budget of a recursive component; 0: no limit"),
     .most = 1000000},
    {ROW(INT, "size", options.size, NULL,
         "nodes after which the search looks for an end; 0: no limit"),
     .most = INT32_MAX},
    {ROW(OWN, "weights", weights, "", "weights of productions"),
     .what = "a file, or Class.production:3+...", .set = set_weights, .text = weights_text},
    {ROW(SWITCH, "no-fail-patterns", options.no_fail_patterns, "off",
         "whole trees instead of patterns (for bench/lala)")},
};

static const struct settings lala_settings = {"lala", rows, SETTINGS_COUNT(rows), NULL};

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
    *out = gen_program(head, g->seed);
    out->trusted = g->language.trusted;
    out->build_only = g->language.build_only;
    out->files = arena_new(a, struct program_file);
    out->files[out->n_files++] =
        program_file_new(a, arena_printf(a, "t%s", g->language.suffix), bytes_in(&text));
    strbuf_release(&text);
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
    } counts[] = {{"nodes", s->nodes},
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
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        strbuf_addf(out, "%-20s %12lld\n", counts[i].name, (long long)counts[i].value);
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
    map_release(&g->values.weights);
    ag_runtime_free(g->runtime);
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
    ag_messages_init(&g->messages, &g->head.arena, l->spec);
    return ag_load(&g->head.arena, l->spec, g->runtime, &g->messages, &g->spec, e);
}

/* A specification is part of the generator: another text is another version. */
static int version_of(struct lala_generator *g, struct error *e)
{
    const char *ini = arena_printf(&g->head.arena, "%s/language.ini", g->language.dir);
    const char *runtime = g->language.runtime, *files[4] = {g->language.spec};
    int n = 1;
    if (fs_exists(ini)) /* it has the defaults of the settings */
        files[n++] = ini;
    if (runtime && fs_exists(runtime))
        files[n++] = runtime;
    return gen_set_version(&g->head, version, files, e);
}

static int configure(struct lala_generator *g, const struct gen_context *context, struct error *e)
{
    struct lala_values *v = &g->values;
    v->of = g;
    v->options.size = g->language.size;
    v->options.max_height = g->language.max_height;
    if (set_features(NULL, v, NULL, "default", e))
        return -1;
    g->standard = *v;
    if (gen_take_settings(&g->head, context, v, e))
        return -1;
    v->options.features = v->features;
    v->options.weights = v->weights.n ? &v->weights : NULL;
    gen_keep_settings(&g->head, v, &g->standard);
    return ag_search_new(g->spec, &v->options, &g->search, e);
}

static int lala_open(struct generator *head, const char *name, const struct gen_context *context,
                     struct error *e)
{
    struct lala_generator *g = (struct lala_generator *)head;
    map_init(&g->values.weights);
    string_list bases = gen_beside(context, NULL, &head->arena);
    head->name = arena_strdup(&head->arena, name);
    int status = lala_language_open(&head->arena, name + strlen(prefix), bases.at, (int)bases.n,
                                    &g->language, e);
    vec_release(&bases);
    head->language = g->language.language;
    return status || load(g, e) || version_of(g, e) || configure(g, context, e) ? -1 : 0;
}

struct telling {
    void (*each)(void *to, const char *name, const char *help);
    void *to;
};

static void list_one(void *to, const struct lala_language *l)
{
    struct telling *telling = to;
    char name[128];
    snprintf(name, sizeof name, "%s%s", prefix, l->name);
    telling->each(telling->to, name, l->help);
}

static void list(const struct gen_context *context,
                 void (*each)(void *to, const char *name, const char *help), void *to)
{
    struct arena a;
    struct telling telling = {each, to};
    arena_init(&a);
    string_list bases = gen_beside(context, NULL, &a);
    lala_language_list(bases.at, (int)bases.n, list_one, &telling);
    vec_release(&bases);
    arena_release(&a);
}

const struct gen_class gen_lala = {
    .size = sizeof(struct lala_generator),
    .prefix = prefix,
    .open = lala_open,
    .next = lala_next,
    .release = lala_close,
    .list = list,
    .settings = &lala_settings,
    .stats = lala_stats,
    .tree = lala_tree,
    .search = lala_search,
    .print = lala_print,
};
