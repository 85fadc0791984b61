/* Files of known counts of skeletons: JSON. */
#include "fuzz.h"
#include "spe/vectors.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct error e = {0};
    struct strbuf out;
    struct fuzz_file f;
    int passed, failed;
    if (size > 600) /* counting takes exponential time */
        return 0;
    strbuf_init(&out, 1 << 20);
    fuzz_file_make(&f, data, size);
    spe_check_vectors(f.path, &out, &passed, &failed, &e);
    close(f.fd);
    strbuf_release(&out);
    return 0;
}
