/* INI files, and the settings of a toolchain in them. */
#include "fuzz.h"
#include "testbed/toolchain.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena a;
    struct error e = {0};
    struct toolchain t;
    struct fuzz_file f;
    toolchain_list list = {0};
    arena_init(&a);
    fuzz_file_make(&f, data, size);
    if (toolchain_read(f.path, &a, &t, &e) == 0)
        vec_push(&list, t);
    toolchains_release(&list);
    close(f.fd);
    arena_release(&a);
    return 0;
}
