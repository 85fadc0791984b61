/* The tables that the process with libclang hands over: numbers of rows in the first bytes, then
 * the rows. What is believed must be fit to be printed. */
#include "../cc/import/dump.h"
#include "cc/import/parsed_internal.h"
#include "fuzz.h"

/* The next n bytes, exactly, with zeros behind the end of the input. */
static void *carve(const uint8_t **data, size_t *size, size_t n)
{
    char *made = calloc(n + !n, 1);
    size_t have = n < *size ? n : *size;
    if (!made)
        abort();
    memcpy(made, *data, have);
    *data += have;
    *size -= have;
    return made;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 8)
        return 0;
    struct parsed p = {.n_nodes = data[0],
                       .n_types = data[1],
                       .n_params = data[2],
                       .n_strings = data[3],
                       .source_size = data[4]};
    struct strbuf out;
    data += 8;
    size -= 8;
    p.strings = carve(&data, &size, p.n_strings);
    p.source = carve(&data, &size, p.source_size + 1u);
    p.nodes = carve(&data, &size, p.n_nodes * sizeof *p.nodes);
    p.types = carve(&data, &size, p.n_types * sizeof *p.types);
    p.params = carve(&data, &size, p.n_params * sizeof *p.params);
    p.offsets = carve(&data, &size, p.n_nodes * sizeof *p.offsets);
    strbuf_init(&out, 1 << 20);
    if (!parsed_check(&p))
        parsed_dump(&p, &out);
    strbuf_release(&out);
    free(p.strings);
    free(p.source);
    free(p.nodes);
    free(p.types);
    free(p.params);
    free(p.offsets);
    return 0;
}
