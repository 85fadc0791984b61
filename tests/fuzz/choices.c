/* Choices as text, and back. */
#include "base/choice.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena a;
    choice_values values = {0};
    arena_init(&a);
    if (choice_parse(fuzz_text(&a, data, size), &values)) {
        struct choice c;
        choice_init_replay(&c, values.at, values.n);
        for (size_t i = 0; i < values.n; i++)
            choose(&c, i % 7 + 1);
        choice_release(&c);
    }
    vec_release(&values);
    arena_release(&a);
    return 0;
}
