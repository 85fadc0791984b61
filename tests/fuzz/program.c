/* Programs as they are packed in a database. */
#include "fuzz.h"
#include "program/program.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena a;
    struct program p = {0};
    struct strbuf again;
    arena_init(&a);
    strbuf_init(&again, 1 << 24);
    if (program_unpack(&a, data, size, &p) == 0) {
        struct program q = {0};
        program_pack(&p, &again);
        if (program_unpack(&a, again.s, again.n, &q) || p.n_files != q.n_files)
            abort(); /* what we pack we unpack */
    }
    strbuf_release(&again);
    arena_release(&a);
    return 0;
}
