/* Models of texts. The input is what stands between the size and the checksum, both of which are
 * put in here; with a first byte of 'r' it is the whole file. */
#include "fuzz.h"
#include "lm/model.h"

static uint64_t fnv(const unsigned char *p, size_t n)
{
    uint64_t h = 0xcbf29ce484222325u;
    for (size_t i = 0; i < n; i++)
        h = (h ^ p[i]) * 0x100000001b3u;
    return h;
}

static unsigned char *whole(const uint8_t *data, size_t size, size_t *n)
{
    static const char line[] = "assay-lm 2 c\n";
    size_t at = sizeof line - 1;
    uint64_t all = at + size + 16;
    unsigned char *file = malloc((size_t)all);
    if (!file)
        abort();
    memcpy(file, line, at);
    memcpy(file + at, &all, 8);
    memcpy(file + at + 8, data, size);
    uint64_t sum = fnv(file, at + 8 + size);
    memcpy(file + at + 8 + size, &sum, 8);
    *n = (size_t)all;
    return file;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct lm_model m;
    struct error e = {0};
    struct fuzz_file f;
    size_t n = size ? size - 1 : 0;
    if (size && data[0] == 'r') {
        fuzz_file_make(&f, data + 1, n);
    } else {
        unsigned char *file = whole(data, size, &n);
        fuzz_file_make(&f, file, n);
        free(file);
    }
    if (lm_model_load(&m, f.path, &e) == 0)
        lm_model_release(&m);
    close(f.fd);
    return 0;
}
