#include "gen/gen.h"
#include "base/fs.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "base/vec.h"
#include "gen/extern/extern.h"
#include "gen/graft/graft.h"
#include "gen/lala/lala.h"
#include "gen/lm/lm.h"
#include "gen/smith/smith.h"
#ifndef ASSAY_NO_SPE
#include "gen/spe/spe.h"
#endif
#include "gen/ub/ub.h"
#include "gen/yarp/yarp.h"

static const struct gen_class *const classes[] = {
    &gen_smith,  &gen_yarp, &gen_graft, &gen_ub, &gen_lala, &gen_lm,
#ifndef ASSAY_NO_SPE
    &gen_spe,
#endif
    &gen_extern,
};
enum { N_CLASSES = sizeof classes / sizeof *classes };

struct names {
    struct arena arena;
    string_list list;
};

static void collect(void *to, const char *name, const char *help)
{
    (void)help;
    struct names *names = to;
    vec_push(&names->list, arena_strdup(&names->arena, name));
}

static int unknown(const char *name, const struct gen_context *context, struct error *e)
{
    struct names all = {0};
    gen_list(context, collect, &all);
    const char *near = text_nearest(name, all.list.at, all.list.n);
    if (near)
        error_set(e, ERROR_USAGE, "there is no generator '%s': did you mean '%s'?", name, near);
    else
        error_set(e, ERROR_USAGE,
                  "there is no generator '%s': there are %s, or the path of an .ini file", name,
                  text_join(&all.arena, all.list.at, all.list.n, ", "));
    vec_release(&all.list);
    arena_release(&all.arena);
    return -1;
}

static bool owns(const struct gen_class *c, const char *name)
{
    return (c->name && !strcmp(name, c->name)) ||
           (c->prefix && !strncmp(name, c->prefix, strlen(c->prefix)));
}

int gen_open(const char *name, const struct gen_context *context, struct generator **out,
             struct error *e)
{
    for (int i = 0; i < N_CLASSES; i++) {
        bool by_name = classes[i]->name || classes[i]->prefix;
        if (by_name && !owns(classes[i], name))
            continue;
        struct generator *g = mem_alloc(classes[i]->size);
        memset(g, 0, classes[i]->size);
        *g = (struct generator){
            .class = classes[i], .stop = context->stop, .name = classes[i]->name};
        int status = g->class->open(g, name, context, e);
        if (status)
            gen_close(g);
        else
            *out = g;
        if (status <= 0)
            return status;
    }
    return unknown(name, context, e);
}

int gen_next(struct generator *g, struct choice *c, struct arena *a, struct program *out,
             struct error *e)
{
    int64_t began = own_cpu_us();
    int status = g->class->next(g, c, a, out, e);
    if (g->class != &gen_extern) /* starting a command is the harness's work */
        g->own_us += own_cpu_us() - began;
    return status;
}

int gen_ready(struct generator *g, struct error *e)
{
    return g->class->ready ? g->class->ready(g, e) : 0;
}

void gen_close(struct generator *g)
{
    if (!g)
        return;
    if (g->class->release)
        g->class->release(g);
    arena_release(&g->arena);
    free(g);
}

int gen_explain(struct generator *g, struct choice *c, struct strbuf *out, struct error *e)
{
    if (!g->class->explain)
        return error_set(e, ERROR_USAGE, "the generator %s has no --explain", g->name);
    g->class->explain(g, c, out);
    return 0;
}

void gen_list(const struct gen_context *context,
              void (*each)(void *to, const char *name, const char *help), void *to)
{
    for (int i = 0; i < N_CLASSES; i++)
        if (classes[i]->list)
            classes[i]->list(context, each, to);
        else
            each(to, classes[i]->name, classes[i]->help);
}

/* -- settings ---------------------------------------------------------------------------------- */

int gen_takes_value(const char *setting)
{
    int known = -1;
    for (int i = 0; i < N_CLASSES; i++) {
        int takes = classes[i]->settings ? settings_takes_value(classes[i]->settings, setting) : -1;
        REQUIRE(takes < 0 || known < 0 || takes == known);
        known = takes >= 0 ? takes : known;
    }
    return known;
}

const struct settings *gen_settings(const char *name)
{
    for (int i = 0; i < N_CLASSES; i++)
        if (owns(classes[i], name))
            return classes[i]->settings;
    return NULL;
}

void gen_options(const struct generator *g, bool json, struct strbuf *out)
{
    settings_list(g->class->settings, g->values, g->standard, json, out);
}

void gen_command(const char *name, const char *config, uint64_t seed, struct strbuf *out)
{
    strbuf_addf(out, "assay gen %s -s %llu", name, (unsigned long long)seed);
    if (!gen_settings(name)) /* a command */
        extern_add_args(config, out);
    if (!config || !gen_settings(name))
        return;
    for (size_t n; *config; config += n + (config[n] == ',')) {
        n = strcspn(config, ",");
        strbuf_addf(out, " --%.*s", (int)n, config);
    }
}

void gen_add_header(const struct generator *g, const struct language *l, uint64_t seed,
                    struct strbuf *out)
{
    if (!l->note)
        return;
    strbuf_adds(out, l->note);
    gen_command(g->name, g->config, seed, out);
    strbuf_addf(out, " (%s %s)%s\n", g->name, g->version, l->note_end);
}

int gen_take_settings(struct generator *g, const struct gen_context *context, void *values,
                      struct error *e)
{
    const struct settings *t = g->class->settings;
    int status = context->config ? settings_parse(t, values, &g->arena, context->config, e) : 0;
    for (int i = 0; i < context->n_settings && !status; i++) {
        const char *setting = context->settings[i];
        size_t n = strcspn(setting, "=");
        status = settings_set(t, values, &g->arena, arena_memdup(&g->arena, setting, n),
                              setting[n] ? setting + n + 1 : NULL, e);
    }
    return status;
}

void gen_keep_settings(struct generator *g, const void *values, const void *standard)
{
    struct strbuf text;
    strbuf_init(&text, 0);
    settings_text(g->class->settings, values, standard, &text);
    g->values = values;
    g->standard = standard;
    g->config = strbuf_keep(&text, &g->arena);
}

int gen_set_version(struct generator *g, const char *version, const char *const *files,
                    struct error *e)
{
    struct strbuf text;
    char hash[PROGRAM_HASH_SIZE];
    int status = 0;
    strbuf_init(&text, (size_t)1 << 30);
    for (; *files && !status; files++)
        status = fs_read(*files, &text, e);
    hash_bytes(text.s, text.n, hash);
    g->version = arena_printf(&g->arena, "%s.%.8s", version, hash);
    strbuf_release(&text);
    return status;
}

/* -- programs ---------------------------------------------------------------------------------- */

struct program gen_program(const struct generator *g, uint64_t seed)
{
    return (struct program){
        .language = g->language,
        .needs = "",
        .made = {.generator = g->name, .version = g->version, .config = g->config, .seed = seed}};
}

void gen_only_compile(struct program *p, struct arena *a, bool maybe_invalid)
{
    struct program_file *f = &p->files[0];
    f->text =
        arena_printf(a, "%s%s", f->text,
                     maybe_invalid ? PROGRAM_MAYBE_INVALID : "/* only compiled, not linked */\n");
    f->size = strlen(f->text);
    p->n_files = 1;
    p->needs = arena_printf(a, "%s -c", p->needs);
}

string_list gen_beside(const struct gen_context *context, const char *name, struct arena *a)
{
    string_list list = {0};
    for (int i = 0; i < context->n_dirs; i++) {
        const char *base = fs_folder(a, context->dirs[i]);
        vec_push(&list, name ? arena_printf(a, "%s/%s", base, name) : base);
    }
    return list;
}
