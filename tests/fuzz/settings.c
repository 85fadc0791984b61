/* Settings of a generator as a text, and what they are as text again. */
#include "fuzz.h"
#include "gen/smith/config.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct smith_config config, standard;
    struct arena a;
    struct error e = {0};
    struct strbuf text, again;
    arena_init(&a);
    strbuf_init(&text, 1 << 20);
    strbuf_init(&again, 1 << 20);
    settings_default(&smith_settings, &config);
    settings_default(&smith_settings, &standard);
    if (settings_parse(&smith_settings, &config, &a, fuzz_text(&a, data, size), &e) == 0) {
        settings_text(&smith_settings, &config, &standard, &text);
        settings_default(&smith_settings, &config);
        if (settings_parse(&smith_settings, &config, &a, text.s, &e))
            abort(); /* what we print we read */
        settings_text(&smith_settings, &config, &standard, &again);
        if (strcmp(text.s, again.s) != 0)
            abort();
    }
    strbuf_release(&text);
    strbuf_release(&again);
    settings_release(&smith_settings, &config);
    arena_release(&a);
    return 0;
}
