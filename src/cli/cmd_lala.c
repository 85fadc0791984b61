/* assay lala: look after a specification of a language: is it right, what does the search know of
 * it, compile its runtime. docs/LALA.md describes the language. */
#include "ag/runtime.h"
#include "ag/spec.h"
#include "base/fs.h"
#include "base/json.h"
#include "base/text.h"
#include "cli/cli.h"
#include "gen/lala/language.h"

struct lala_command {
    struct cli_data data;
    struct arena arena;
    string_list bases; /* folders that may hold specs/ and include/ */
    struct lala_language language;
    bool no_runtime, json;
    struct ag_runtime *rt;
    struct ag_messages messages;
    struct ag_spec *spec;
};

static int open_language(struct lala_command *c, const char *where, struct error *e)
{
    return lala_language_open(&c->arena, where, c->bases.at, (int)c->bases.n, &c->language, e);
}

/* -- check and explain ------------------------------------------------------------------------- */

/* What is built in, and the module of the language; or nothing, and functions are trusted. */
static int open_runtime(struct lala_command *c, struct error *e)
{
    const char *module = c->language.module;
    if (c->no_runtime)
        return 0;
    if (module && !fs_exists(module))
        return error_set(
            e, ERROR_ENVIRONMENT,
            "the runtime of %s is not built: run `assay lala build %s`, or use --no-runtime",
            c->language.name, c->language.where);
    c->rt = ag_runtime_new();
    return module ? ag_runtime_load(c->rt, module, e) : 0;
}

/* 0 and the specification, 1 when it has mistakes, -1 when it cannot be looked at. */
static int load(struct lala_command *c, const char *where, struct error *e)
{
    if (open_language(c, where, e) || open_runtime(c, e))
        return -1;
    if (!fs_exists(c->language.spec))
        return error_set(e, ERROR_USAGE, "there is no specification %s", c->language.spec);
    ag_messages_init(&c->messages, &c->arena, c->language.spec);
    struct error first;
    return ag_load(&c->arena, c->language.spec, c->rt, &c->messages, &c->spec, &first) ? 1 : 0;
}

static void print_messages(const struct lala_command *c)
{
    struct strbuf text;
    strbuf_init(&text, 0);
    ag_messages_text(&c->messages, &text);
    fputs(text.s, stderr);
    strbuf_release(&text);
}

static const char *counted(struct arena *a, int n, const char *one, const char *many)
{
    return n ? arena_printf(a, "%d %s", n, n == 1 ? one : many) : arena_printf(a, "no %s", many);
}

static int guards(const struct ag_spec *s)
{
    int n = 0;
    for (int i = 0; i < s->n_classes; i++)
        for (int k = 0; k < s->classes[i].n_attrs; k++)
            n += s->classes[i].attrs[k].kind == AG_GRD;
    return n;
}

static void summary_text(struct lala_command *c, int warnings)
{
    FILE *out = c->spec ? stdout : stderr;
    fprintf(out, "%s: ", fs_name(c->language.spec));
    if (c->spec)
        fprintf(out, "%s, %s, %s: ", counted(&c->arena, c->spec->n_classes, "class", "classes"),
                counted(&c->arena, c->spec->n_productions, "production", "productions"),
                counted(&c->arena, guards(c->spec), "guard", "guards"));
    fprintf(out, "%s, %s\n", counted(&c->arena, c->messages.errors, "error", "errors"),
            counted(&c->arena, warnings, "warning", "warnings"));
}

static void summary_json(struct lala_command *c, int warnings)
{
    struct json *messages = json_new("[]");
    const struct ag_message **sorted = ag_messages_in_order(&c->messages);
    for (size_t i = 0; i < c->messages.list.n; i++) {
        const struct ag_message *m = sorted[i];
        json_append(messages, "{s:s,s:i,s:i,s:s,s:s}", "severity",
                    m->severity == AG_ERROR ? "error" : "warning", "line", m->place.line, "column",
                    m->place.column, "text", m->text, "hint", m->hint);
    }
    free(sorted);
    struct json *out = json_new("{s:s,s:i,s:i,s:o}", "spec", c->language.spec, "errors",
                                c->messages.errors, "warnings", warnings, "messages", messages);
    if (c->spec)
        json_extend(out, "{s:i,s:i,s:i}", "classes", c->spec->n_classes, "productions",
                    c->spec->n_productions, "guards", guards(c->spec));
    json_print(out, false);
}

static int check(struct lala_command *c, const char *where)
{
    struct error e = {0};
    int status = load(c, where, &e);
    if (status < 0)
        return cli_fail(&e);
    int warnings = (int)c->messages.list.n - c->messages.errors;
    if (c->json) {
        summary_json(c, warnings);
    } else {
        print_messages(c);
        summary_text(c, warnings);
    }
    return status ? EXIT_USAGE : EXIT_CLEAN;
}

static int explain(struct lala_command *c, const char *where)
{
    struct error e = {0};
    int status = load(c, where, &e);
    if (status < 0)
        return cli_fail(&e);
    if (status) {
        print_messages(c);
        return EXIT_USAGE;
    }
    struct strbuf text;
    strbuf_init(&text, 0);
    ag_explain(c->spec, c->json, &text);
    fputs(text.s, stdout);
    strbuf_release(&text);
    return EXIT_CLEAN;
}

/* -- build ------------------------------------------------------------------------------------- */

/* The folder of <assay/lala.h>: in the source tree, or where we are installed. */
static const char *include_dir(struct lala_command *c)
{
    static const char *const below[] = {"include", "../../include"};
    for (size_t i = 0; i < c->bases.n; i++)
        for (size_t k = 0; k < sizeof below / sizeof *below; k++) {
            const char *dir = arena_printf(&c->arena, "%s/%s", c->bases.at[i], below[k]);
            if (fs_exists(arena_printf(&c->arena, "%s/assay/lala.h", dir)))
                return dir;
        }
    return NULL;
}

static int build(struct lala_command *c, const char *where)
{
    struct error e = {0};
    if (open_language(c, where, &e))
        return cli_fail(&e);
    const struct lala_language *l = &c->language;
    if (!l->runtime) {
        text_print(stdout, "%s: no runtime to build\n", l->name);
        return EXIT_CLEAN;
    }
    const char *include = include_dir(c);
    if (!include) {
        error_set(&e, ERROR_ENVIRONMENT, "<assay/lala.h> is neither next to assay nor installed");
        return cli_fail(&e);
    }
    struct strbuf said;
    strbuf_init(&said, 1 << 20);
    /* Beside its source, also where a module that is shipped is in use so far. */
    const char *module = arena_printf(&c->arena, "%s/runtime.so", l->dir);
    int status = ag_runtime_build(l->runtime, module, include, &said, &e);
    fputs(said.s, stderr);
    strbuf_release(&said);
    if (status)
        return cli_fail(&e);
    text_print(stdout, "%s: %s\n", l->name, module);
    return EXIT_CLEAN;
}

/* -------------------------------------------------------------------------------------------------
 */

static const struct {
    const char *name;
    int (*run)(struct lala_command *c, const char *where);
} actions[] = {{"check", check}, {"explain", explain}, {"build", build}};
enum { N_ACTIONS = sizeof actions / sizeof *actions };

static int dispatch(struct lala_command *c, int n, char **words)
{
    const char *names[N_ACTIONS];
    if (n < 1)
        return cli_usage(&command_lala, "which action: check, explain or build?");
    for (int i = 0; i < N_ACTIONS; i++) {
        names[i] = actions[i].name;
        if (strcmp(words[0], names[i]))
            continue;
        if (n != 2)
            return cli_usage(&command_lala, "lala %s takes one specification", names[i]);
        return actions[i].run(c, words[1]);
    }
    return cli_unknown_action(&command_lala, words[0], names, N_ACTIONS);
}

int cmd_lala(int argc, char **argv)
{
    struct lala_command c = {0};
    int rest, status;
    const struct option_spec specs[] = {
        FLAG(0, "no-runtime", "do not load the runtime, trust its functions", &c.no_runtime),
        FLAG(0, "json", "print JSON", &c.json),
    };
    if (!cli_parse(&command_lala, OPTIONS(specs), argc, argv, &rest, &status))
        return status;
    arena_init(&c.arena);
    cli_data_init(&c.data, NULL);
    const struct gen_context context = cli_gen_context(&c.data, NULL);
    c.bases = gen_beside(&context, NULL, &c.arena);
    status = dispatch(&c, rest, argv);
    if (c.messages.arena)
        ag_messages_release(&c.messages);
    if (c.rt)
        ag_runtime_free(c.rt);
    vec_release(&c.bases);
    cli_data_release(&c.data);
    arena_release(&c.arena);
    return status;
}
