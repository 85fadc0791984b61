/* What the tree of a C text makes a compiler do, as a reduction notes it. */
#ifndef ASSAY_TESTS_TRIAGE_TREES_H
#define ASSAY_TESTS_TRIAGE_TREES_H

#include "base/map.h"
#include "inquiry/reduce.h"
#include "triage/kin.h"

/* Each text is imported once. "" where it has no tree. */
static inline const char *constructs_in(const char *text)
{
    static struct map known;
    static struct arena arena;
    if (!known.slots) {
        map_init(&known);
        arena_init(&arena);
    }
    bool added;
    struct map_entry *entry = map_put_str(&known, text, &added);
    if (added) {
        struct program_file file = {"t.c", text, strlen(text)};
        struct program p = {.language = "c", .files = &file, .n_files = 1};
        const char *lines = inquiry_constructs(&p, &arena);
        entry->value.pointer = (void *)(uintptr_t)lines;
    }
    return entry->value.pointer;
}

static inline void add_kin(struct strbuf *out, bool right, const char *text, const char *code,
                           const char *second)
{
    kin_add(out, &(struct kin){right, text, constructs_in(text), code, second});
}

#endif
