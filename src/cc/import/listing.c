/* The way to libclang's listing, which is in the module assay-clang.so (clang_listing.c). */
#include "cc/import/listing.h"

#include "cc/import/parsed_internal.h"

#include <string.h>

int listing_read(const struct listing_job *job, struct arena *arena, struct listing *out,
                 struct error *error)
{
    listing_work *work;
    void *symbol = parsed_module_symbol("clang_list", error);
    if (!symbol)
        return -1;
    memcpy(&work, &symbol, sizeof work); /* POSIX has it so, C11 has no such cast */
    return work(job, arena, out, error);
}
