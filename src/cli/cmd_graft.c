/* assay graft: libraries of functions for the generator of that name: made from folders of C,
 * listed, shown. */
#include "base/fs.h"
#include "base/json.h"
#include "base/text.h"
#include "cc/print.h"
#include "cli/cli.h"
#include "gen/graft/copy.h"
#include "gen/graft/harvest.h"

struct graft_command {
    struct arena arena;
    const char *library, *output, *cflags;
    int64_t steps, most;
    bool why, json;
};

/* -- harvest ----------------------------------------------------------------------------------- */

static void print_fate(void *to, const char *path, const char *function, const char *why)
{
    (void)to;
    text_print(stderr, "%s%s%s: %s\n", path, function ? ": " : "", function ? function : "",
               why ? why : "kept");
}

static int write_library(const struct graft_command *c, const struct strbuf *text,
                         const struct harvest_counts *n)
{
    struct error e = {0};
    if (c->output && fs_write(c->output, text->s, text->n, &e))
        return cli_fail(&e);
    if (!c->output)
        fputs(text->s, stdout);
    if (c->json)
        json_print(json_new("{s:i,s:i,s:i,s:i}", "files", n->files, "unread", n->unread,
                            "functions", n->functions, "kept", n->kept),
                   false);
    else
        text_print(stderr, "%d of %d functions kept, from %d files (%d could not be read)\n",
                   n->kept, n->functions, n->files, n->unread);
    return EXIT_CLEAN;
}

static int harvest(struct graft_command *c, int n, char **words)
{
    char **arguments = NULL;
    struct error e = {0};
    struct strbuf text;
    struct harvest_counts counts;
    if (!n)
        return cli_usage(&command_graft, "graft harvest takes folders or files");
    if (c->json && !c->output)
        return cli_usage(&command_graft, "--json needs --output");
    if (c->cflags && text_split(&c->arena, c->cflags, &arguments) < 0)
        return cli_usage(&command_graft, "--cflags has a quote that is not closed");
    const struct harvest_options o = {.steps = (uint64_t)c->steps,
                                      .most = (int)c->most,
                                      .arguments = (const char *const *)arguments,
                                      .each = c->why ? print_fate : NULL};
    strbuf_init(&text, 0);
    int status = graft_harvest((const char *const *)words, n, &o, &text, &counts, &e)
                     ? cli_fail(&e)
                     : write_library(c, &text, &counts);
    strbuf_release(&text);
    return status;
}

/* -- list and show ----------------------------------------------------------------------------- */

static int load(struct graft_command *c, struct graft_library *l, struct error *e)
{
    struct cli_data data;
    cli_data_init(&data, NULL);
    const struct gen_context context = cli_gen_context(&data, NULL);
    const char *path = graft_library_file(&context, c->library ? c->library : "", &c->arena);
    int status = path ? graft_load(path, l, e)
                      : error_set(e, ERROR_USAGE, "there is no library %s",
                                  c->library ? c->library : "that came with assay");
    cli_data_release(&data);
    return status;
}

static const char *domain_text(struct arena *a, const struct graft_param *p)
{
    struct strbuf text;
    strbuf_init(&text, 0);
    graft_write_domain(p, &text);
    return strbuf_keep(&text, a);
}

static const char *signature(struct arena *a, const struct graft_function *f)
{
    struct strbuf text;
    strbuf_init(&text, 0);
    strbuf_addf(&text, "%s(", f->name);
    for (int i = 0; i < f->n_params; i++)
        strbuf_addf(&text, "%s%s: %s", i ? ", " : "", f->params[i].name,
                    domain_text(a, &f->params[i]));
    strbuf_adds(&text, ")");
    return strbuf_keep(&text, a);
}

static int list(struct graft_command *c, int n, char **words)
{
    struct graft_library l;
    struct error e = {0};
    (void)words;
    if (n)
        return cli_usage(&command_graft, "graft list takes no words: name the file by --library");
    if (load(c, &l, &e))
        return cli_fail(&e);
    struct json *all = c->json ? json_new("[]") : NULL;
    for (int i = 0; i < l.n; i++) {
        const struct graft_function *f = &l.at[i];
        struct json *domain = c->json ? json_new("{}") : NULL;
        for (int k = 0; c->json && k < f->n_params; k++)
            json_extend(domain, "{s:s}", f->params[k].name, domain_text(&c->arena, &f->params[k]));
        if (c->json)
            json_append(all, "{s:s,s:o,s:I,s:i}", "name", f->name, "domain", domain, "steps",
                        (int64_t)f->steps, "tries", f->n_tries);
        else
            text_print(stdout, "%7llu steps  %s\n", (unsigned long long)f->steps,
                       signature(&c->arena, f));
    }
    if (c->json)
        json_print(all, false);
    graft_release(&l);
    return EXIT_CLEAN;
}

static const struct graft_function *find(const struct graft_library *l, const char *name,
                                         struct error *e)
{
    string_list names = {0};
    const struct graft_function *f = NULL;
    for (int i = 0; i < l->n && !f; i++) {
        vec_push(&names, l->at[i].name);
        if (!strcmp(l->at[i].name, name))
            f = &l->at[i];
    }
    const char *near = f ? NULL : text_nearest(name, names.at, names.n);
    if (!f)
        error_set(e, ERROR_USAGE, "%s has no function '%s'%s%s%s", l->path, name,
                  near ? ": did you mean '" : "", near ? near : "", near ? "'?" : "");
    vec_release(&names);
    return f;
}

/* The function with its comment and all that it needs: a library of one function. */
static int print_function(const struct graft_function *f, struct arena *a)
{
    const struct cc_print_options print = {.wrappers = CC_WRAP_NONE, .plain_types = true};
    struct cc_program p;
    struct strbuf text;
    const char *why;
    cc_program_init(&p, a, &cc_lp64);
    strbuf_init(&text, 0);
    struct copy *c = copy_new(&p, "", a);
    struct cc_func *copied = copy_function(c, f->func, &why);
    if (!copied)
        BUG("%s was copied before: %s", f->name, why);
    graft_write(f, &text);
    copied->comment = arena_strdup(a, text.s);
    strbuf_clear(&text);
    cc_print_unit(&p, &print, &text);
    fputs(text.s, stdout);
    copy_free(c);
    strbuf_release(&text);
    cc_program_release(&p);
    return EXIT_CLEAN;
}

static int show(struct graft_command *c, int n, char **words)
{
    struct graft_library l;
    struct error e = {0};
    if (n != 1)
        return cli_usage(&command_graft, "graft show takes the name of one function");
    if (load(c, &l, &e))
        return cli_fail(&e);
    const struct graft_function *f = find(&l, words[0], &e);
    int status = f ? print_function(f, &c->arena) : cli_fail(&e);
    graft_release(&l);
    return status;
}

/* -- the command ------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    int (*run)(struct graft_command *c, int n, char **words);
} actions[] = {{"harvest", harvest}, {"list", list}, {"show", show}};
enum { N_ACTIONS = sizeof actions / sizeof *actions };

static int dispatch(struct graft_command *c, int n, char **words)
{
    const char *names[N_ACTIONS];
    if (!n)
        return cli_usage(&command_graft, "which action: harvest, list or show?");
    for (int i = 0; i < N_ACTIONS; i++)
        if (!strcmp(names[i] = actions[i].name, words[0]))
            return actions[i].run(c, n - 1, words + 1);
    return cli_unknown_action(&command_graft, words[0], names, N_ACTIONS);
}

int cmd_graft(int argc, char **argv)
{
    struct graft_command c = {0};
    int rest, status;
    const struct option_spec specs[] = {
        TEXT('o', "output", "FILE", "harvest: write the library here (default: standard output)",
             &c.output),
        INT(0, "steps", "N", "harvest: steps of the interpreter that a call may take (20000)",
            &c.steps),
        INT(0, "most", "N", "harvest: keep at most so many functions", &c.most),
        TEXT(0, "cflags", "WORDS", "harvest: arguments of clang, such as -Iinclude", &c.cflags),
        FLAG(0, "why", "harvest: print for each function why it was refused", &c.why),
        TEXT(0, "library", "FILE", "list, show: another library than the one that comes along",
             &c.library),
        FLAG(0, "json", "print JSON", &c.json),
    };
    if (!cli_parse(&command_graft, OPTIONS(specs), argc, argv, &rest, &status))
        return status;
    arena_init(&c.arena);
    status = dispatch(&c, rest, argv);
    arena_release(&c.arena);
    return status;
}
