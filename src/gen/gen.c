#include "gen/gen.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "base/vec.h"
#include "gen/extern/extern.h"
#include "gen/lala/lala.h"
#include "gen/lm/lm.h"
#include "gen/smith/smith.h"
#ifndef ASSAY_NO_SPE
#include "gen/spe/spe.h"
#endif
#include "gen/yarp/yarp.h"

static const struct gen_class *const classes[] = {
    &gen_smith,  &gen_yarp, &gen_lala, &gen_lm,
#ifndef ASSAY_NO_SPE
    &gen_spe,
#endif
    &gen_extern,
};
enum { N_CLASSES = sizeof classes / sizeof *classes };

typedef VEC(const char *) names;

static void collect(void *to, const char *name, const char *help)
{
    (void)help;
    names *list = to;
    vec_push(list, strdup(name));
}

static int unknown(const char *name, const struct gen_context *context, struct error *e)
{
    names list = {0};
    gen_list(context, collect, &list);
    const char *near = text_nearest(name, list.at, list.n);
    struct strbuf all;
    strbuf_init(&all, 512);
    for (size_t i = 0; i < list.n; i++)
        strbuf_addf(&all, "%s%s", i ? ", " : "", list.at[i]);
    if (near)
        error_set(e, ERROR_USAGE, "there is no generator '%s': did you mean '%s'?", name, near);
    else
        error_set(e, ERROR_USAGE,
                  "there is no generator '%s': there are %s, or the path of an .ini file", name,
                  all.s);
    strbuf_release(&all);
    for (size_t i = 0; i < list.n; i++)
        free((void *)list.at[i]);
    vec_release(&list);
    return -1;
}

/* Settings for a class that has none. */
static int no_settings(struct generator **g, const struct gen_context *context, struct error *e)
{
    char setting[64];
    gen_setting_split(context->settings[0], setting, sizeof setting);
    error_set(e, ERROR_USAGE, "the generator %s has no option --%s", (*g)->name, setting);
    gen_close(*g);
    *g = NULL;
    return -1;
}

int gen_open(const char *name, const struct gen_context *context, struct generator **out,
             struct error *e)
{
    for (int i = 0; i < N_CLASSES; i++) {
        int status = classes[i]->open(name, context, out, e);
        if (!status && context->n_settings && !classes[i]->takes_value && !classes[i]->settings)
            return no_settings(out, context, e);
        if (status <= 0)
            return status;
    }
    return unknown(name, context, e);
}

int gen_next(struct generator *g, struct choice *c, struct arena *a, struct program *out,
             struct error *e)
{
    return g->class->next(g, c, a, out, e);
}

int gen_ready(struct generator *g, struct error *e)
{
    return g->class->ready ? g->class->ready(g, e) : 0;
}

void gen_close(struct generator *g)
{
    if (g)
        g->class->close(g);
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
        classes[i]->list(context, each, to);
}

/* -- settings ---------------------------------------------------------------------------------- */

int gen_takes_value(const char *setting)
{
    int known = -1;
    for (int i = 0; i < N_CLASSES; i++) {
        int takes = classes[i]->settings      ? settings_takes_value(classes[i]->settings, setting)
                    : classes[i]->takes_value ? classes[i]->takes_value(setting)
                                              : -1;
        REQUIRE(takes < 0 || known < 0 || takes == known);
        known = takes >= 0 ? takes : known;
    }
    return known;
}

struct looking {
    const char *name;
    bool found;
};

static void look(void *to, const char *name, const char *help)
{
    (void)help;
    struct looking *l = to;
    l->found |= !strcmp(l->name, name);
}

bool gen_has_settings(const char *name)
{
    const struct gen_context nowhere = {0};
    struct looking looking = {.name = name};
    for (int i = 0; i < N_CLASSES; i++)
        if (classes[i]->owns)
            looking.found |= classes[i]->owns(name);
        else if (classes[i]->takes_value || classes[i]->settings)
            classes[i]->list(&nowhere, look, &looking);
    return looking.found;
}

void gen_options(const struct generator *g, bool json, struct strbuf *out)
{
    if (g->class->settings)
        settings_list(g->class->settings, g->values, g->standard, json, out);
    else
        g->class->options(g, json, out);
}

const char *gen_setting_split(const char *setting, char *name, size_t name_size)
{
    size_t n = strcspn(setting, "=");
    snprintf(name, name_size, "%.*s", (int)n, setting);
    return setting[n] ? setting + n + 1 : NULL;
}

int gen_config_parse(const char *text,
                     int (*set)(void *to, const char *name, const char *value, struct error *e),
                     void *to, struct error *e)
{
    struct arena a;
    int status = 0;
    arena_init(&a);
    while (*text && !status) {
        size_t n = strcspn(text, ","), name = strcspn(text, "=,");
        const char *value = name < n ? arena_memdup(&a, text + name + 1, n - name - 1) : NULL;
        status = set(to, arena_memdup(&a, text, name), value, e);
        text += n + (text[n] == ',');
    }
    arena_release(&a);
    return status;
}

void gen_command(const char *name, const char *config, uint64_t seed, struct strbuf *out)
{
    strbuf_addf(out, "assay gen %s -s %llu", name, (unsigned long long)seed);
    if (!config || !gen_has_settings(name))
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

int gen_settings_apply(const struct gen_context *context,
                       int (*set)(void *to, const char *name, const char *value, struct error *e),
                       void *to, struct error *e)
{
    char name[128];
    if (context->config && gen_config_parse(context->config, set, to, e))
        return -1;
    for (int i = 0; i < context->n_settings; i++) {
        const char *value = gen_setting_split(context->settings[i], name, sizeof name);
        if (set(to, name, value, e))
            return -1;
    }
    return 0;
}

int gen_take_settings(const struct gen_context *context, const struct settings *t, void *values,
                      struct arena *a, struct error *e)
{
    char name[128];
    if (context->config && settings_parse(t, values, a, context->config, e))
        return -1;
    for (int i = 0; i < context->n_settings; i++) {
        const char *value = gen_setting_split(context->settings[i], name, sizeof name);
        if (settings_set(t, values, a, name, value, e))
            return -1;
    }
    return 0;
}

void gen_keep_settings(struct generator *g, const void *values, const void *standard,
                       struct arena *a)
{
    struct strbuf text;
    strbuf_init(&text, 0);
    settings_text(g->class->settings, values, standard, &text);
    g->values = values;
    g->standard = standard;
    g->config = arena_strdup(a, text.s);
    strbuf_release(&text);
}

const char *gen_settings_config(const struct gen_setting *rows, int n, struct arena *a)
{
    struct strbuf b;
    strbuf_init(&b, 0);
    for (int i = 0; i < n; i++)
        if (strcmp(rows[i].value, rows[i].standard) != 0)
            strbuf_addf(&b, "%s%s=%s", b.n ? "," : "", rows[i].name, rows[i].value);
    const char *text = arena_strdup(a, b.s);
    strbuf_release(&b);
    return text;
}

void gen_settings_list(const struct gen_setting *rows, int n, bool json, struct strbuf *out)
{
    struct json *all = json ? json_new("[]") : NULL;
    for (int i = 0; i < n; i++) {
        const struct gen_setting *s = &rows[i];
        if (json)
            json_append(all, "{s:s, s:s, s:s, s:b, s:s}", "name", s->name, "value", s->value,
                        "default", s->standard, "takes_value", s->takes_value, "help", s->help);
        else
            strbuf_addf(out, "  --%-12s %-10s %s\n", s->name, *s->value ? s->value : "-", s->help);
    }
    if (json)
        json_write(all, false, out);
}
