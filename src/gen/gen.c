#include "gen/gen.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "base/vec.h"
#include "gen/extern/extern.h"

static const struct gen_class *const classes[] = {&gen_extern};

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

int gen_open(const char *name, const struct gen_context *context, struct generator **out,
             struct error *e)
{
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
        int status = classes[i]->open(name, context, out, e);
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

void gen_close(struct generator *g)
{
    if (g)
        g->class->close(g);
}

void gen_list(const struct gen_context *context,
              void (*each)(void *to, const char *name, const char *help), void *to)
{
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        classes[i]->list(context, each, to);
}
