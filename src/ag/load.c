/* From a path to a specification that can be searched: the three passes in their order. A pass that
 * relies on what an earlier one made is left out when that one found an error. */
#include "ag/spec.h"
#include "base/fs.h"

enum { MAX_SPECIFICATION = 64 << 20 }; /* bytes; the largest published one has 70 thousand */

int ag_load(struct arena *a, const char *path, const struct ag_runtime *rt, struct ag_messages *m,
            struct ag_spec **out, struct error *e)
{
    *out = NULL;
    struct strbuf text;
    strbuf_init(&text, MAX_SPECIFICATION);
    if (fs_read(path, &text, e)) {
        ag_say(m, AG_ERROR, (struct ag_place){0}, NULL, "it cannot be read");
        strbuf_release(&text);
        return -1;
    }
    struct ag_spec *s = ag_parse(a, text.s, text.n, m);
    strbuf_release(&text);
    if (!m->errors)
        ag_bind(s, rt, m);
    if (!m->errors)
        ag_check(s, rt, m);
    if (m->errors)
        return ag_messages_error(m, e);
    *out = s;
    return 0;
}
