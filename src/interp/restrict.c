/* restrict, at a call of a function whose accesses are known (cc/import/import_restrict.c): what a
 * restrict parameter points to must not be reached in another way, if it is modified at all.
 * Objects are compared as wholes: two halves of one array are undecided. */
#include "interp/interp_internal.h"

static const struct object *argument(const struct frame *frame, int param)
{
    const struct func *f = frame->func;
    const struct cc_type *t = f->f->params[param]->type;
    bool points = t->kind == CC_POINTER && t->to->kind != CC_FUNCTION;
    return points ? frame->cells[f->params.locals[param].cell].v.p.object : NULL;
}

void interp_check_restrict(struct interp *in, const struct cc_expr *e, const struct frame *frame)
{
    const struct cc_func *f = frame->func->f;
    const struct cc_restrict *r = f->restricts;
    if (r->unclear)
        interp_fail(in, CC_UB_UNDECIDED, e, "restrict");
    for (int i = 0; i < f->n_params; i++) {
        const struct object *o = argument(frame, i);
        if (!(r->params >> i & 1) || !(r->used >> i & 1) || !o)
            continue;
        for (int k = 0; k < f->n_params; k++)
            if (k != i && (r->used >> k & 1) && ((r->stored >> i | r->stored >> k) & 1) &&
                argument(frame, k) == o)
                interp_fail(in, CC_UB_UNDECIDED, e, "restrict");
        bool stored = (r->stored >> i & 1) || (r->stored & CC_RESTRICT_STORED_OUTSIDE);
        for (int k = 0; k < r->n_outside; k++)
            if (stored && object_of(in, r->outside[k]) == o)
                interp_fail(in, CC_UB_UNDECIDED, e, "restrict");
    }
}
