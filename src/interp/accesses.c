#include "interp/accesses.h"

#include "base/vec.h"
#include "program/trace.h"

/* Volatile scalars of at most a word that are no bit-fields: accesses that every compiler owes. */
static bool traceable(const struct cc_type *t)
{
    if (t->kind == CC_ARRAY)
        return traceable(t->to);
    return (t->quals & CC_VOLATILE) && cc_is_scalar(t) && t->size <= 8;
}

const char *interp_volatile_comment(const struct cc_program *p, const struct interp *in,
                                    struct arena *a)
{
    VEC(const char *) names = {0};
    for (size_t i = 0; i < p->globals.n; i++)
        if (traceable(p->globals.at[i]->type))
            vec_push(&names, p->globals.at[i]->name);
    if (!names.n)
        return NULL;
    struct volatile_trace t;
    volatile_trace_init(&t);
    size_t n;
    const struct interp_access *all = interp_trace(in, &n);
    for (size_t i = 0; i < n; i++)
        if (all[i].var && all[i].var->global && traceable(all[i].var->type))
            volatile_trace_add(&t, all[i].var->name, all[i].offset, all[i].size, all[i].write);
    struct strbuf out;
    strbuf_init(&out, 0);
    volatile_trace_comment(&t, names.at, (int)names.n, &out);
    const char *text = strbuf_keep(&out, a);
    vec_release(&names);
    return text;
}
