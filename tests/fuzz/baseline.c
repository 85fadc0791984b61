/* A baseline of known bugs, and the programs in it. */
#include "bugs/baseline.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena a;
    struct error e = {0};
    struct baseline b;
    size_t bytes = 0;
    arena_init(&a);
    if (!baseline_parse("fuzz", (struct bytes){fuzz_text(&a, data, size), size}, &a, &b, &e)) {
        for (int i = 0; i < b.n; i++) {
            const struct baseline_entry *entry = &b.entries[i];
            char hash[PROGRAM_HASH_SIZE];
            program_hash(&entry->program, hash);
            bytes += program_size(&entry->program);
            if (entry->bug.kind <= ANOMALY_NONE || entry->bug.kind >= ANOMALY_COUNT ||
                (entry->bug.mark != MARK_KNOWN && entry->bug.mark != MARK_WONTFIX))
                abort();
        }
        if (bytes > size) /* nothing grows by being read */
            abort();
    } else if (!*e.message) {
        abort();
    }
    arena_release(&a);
    return 0;
}
