/* A skeleton together with its fillings: in mode paper, and where mode pattern refuses what is
 * hidden, the variables that some hole cannot see take no part. */
#include "gen/spe/skeleton.h"

struct spe *skeleton_space(const struct parsed *parsed, const struct skeleton_options *o,
                           enum spe_mode mode, struct arena *arena, struct skeleton *out,
                           struct error *error)
{
    struct skeleton_options plain = *o;
    plain.plain = o->plain || mode == SPE_PAPER;
    if (skeleton_build(parsed, &plain, arena, out, error))
        return NULL;
    struct spe *space = spe_new(out->parts, out->n_parts, mode, error);
    if (space || mode != SPE_PATTERN || plain.plain)
        return space;
    plain.plain = true;
    return skeleton_build(parsed, &plain, arena, out, error)
               ? NULL
               : spe_new(out->parts, out->n_parts, mode, error);
}
