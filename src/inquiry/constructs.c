/* What the reduced case of a finding makes a compiler do, from its tree (triage/constructs.h). */
#include "inquiry/reduce.h"
#include "reduce/c.h"
#include "triage/constructs.h"

const char *inquiry_constructs(const struct program *p, struct arena *a)
{
    struct program only_read = *p;
    struct reduce_c tree;
    struct strbuf lines;
    only_read.build_only = true;
    if (reduce_c_import(&only_read, a, &tree, NULL))
        return "";
    strbuf_init(&lines, 0);
    constructs_write(tree.program, &lines);
    const char *out = arena_strdup(a, lines.s);
    strbuf_release(&lines);
    cc_program_release(tree.program);
    return out;
}

static int look_at(struct store *s, int64_t finding, struct arena *a, struct error *e)
{
    struct store_reduction row;
    struct program best;
    if (store_reduction_get(s, finding, a, &row, e) || store_program(s, row.program, a, &best, e))
        return -1;
    return store_constructs_put(s, finding, inquiry_constructs(&best, a), e);
}

int inquiry_look_at_old(struct store *s, struct error *e)
{
    struct arena a, scratch;
    int64_t *findings;
    int n;
    arena_init(&a);
    arena_init(&scratch);
    int status = store_without_constructs(s, &a, &findings, &n, e);
    for (int i = 0; i < n && !status; i++) {
        status = look_at(s, findings[i], &scratch, e);
        arena_reset(&scratch);
    }
    arena_release(&scratch);
    arena_release(&a);
    return status;
}
