/* Specifications of languages: read, bound and checked without a runtime. */
#include "ag/spec.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena a;
    struct ag_messages m;
    struct strbuf text;
    arena_init(&a);
    ag_messages_init(&m, &a, "fuzz.lala");
    strbuf_init(&text, 1 << 20);
    struct ag_spec *s = ag_parse(&a, fuzz_text(&a, data, size), size, &m);
    if (!m.errors)
        ag_bind(s, NULL, &m);
    if (!m.errors)
        ag_check(s, NULL, &m);
    if (!m.errors)
        ag_explain(s, false, &text);
    ag_messages_text(&m, &text);
    strbuf_release(&text);
    ag_messages_release(&m);
    arena_release(&a);
    return 0;
}
