/* The way to libclang's outline, which is in the module assay-clang.so (clang_outline.c). */
#include "cc/import/outline.h"

#include "cc/import/parsed_internal.h"

#include <string.h>

int outline_read(const struct outline_job *job, struct arena *arena, struct outline *out,
                 struct error *error)
{
    outline_work *work;
    void *symbol = parsed_module_symbol("clang_outline", error);
    if (!symbol)
        return -1;
    memcpy(&work, &symbol, sizeof work); /* POSIX has it so, C11 has no such cast */
    return work(job, arena, out, error);
}
