/* A skeleton back to text: pieces of the source between the holes, copied as they are. */
#include "gen/spe/skeleton.h"

void skeleton_render(const struct skeleton *s, const uint32_t *filling, struct strbuf *out)
{
    for (int i = 0; i < s->n_holes; i++) {
        const struct skeleton_hole *hole = &s->holes[i];
        const struct skeleton_variable *v = skeleton_filled(s, hole, filling);
        strbuf_add(out, hole->before, hole->before_size);
        strbuf_add(out, v->name, v->size);
    }
    strbuf_add(out, s->tail, s->tail_size);
}

void skeleton_render_holes(const struct skeleton *s, struct strbuf *out)
{
    for (int i = 0; i < s->n_holes; i++) {
        strbuf_add(out, s->holes[i].before, s->holes[i].before_size);
        strbuf_addf(out, "[%d]", i + 1);
    }
    strbuf_add(out, s->tail, s->tail_size);
}
