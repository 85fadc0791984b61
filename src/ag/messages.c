/* The list of messages that parser, binder and checker share: everything that is wrong with a
 * specification, told at once and in the order of the text.
 *
 * The three passes walk a specification in different orders, so the list is sorted when it is
 * printed and not when it is filled. Texts and hints are copied into the arena: a pass may build
 * them where it likes. */
#include "ag/spec.h"

#include <stdarg.h>

void ag_messages_init(struct ag_messages *m, struct arena *a, const char *file)
{
    *m = (struct ag_messages){.arena = a, .file = file};
}

void ag_messages_release(struct ag_messages *m)
{
    vec_release(&m->list);
    m->errors = 0;
}

void ag_say(struct ag_messages *m, enum ag_severity severity, struct ag_place place,
            const char *hint, const char *format, ...)
{
    struct strbuf text;
    strbuf_init(&text, 0);
    va_list args;
    va_start(args, format);
    strbuf_vaddf(&text, format, args);
    va_end(args);
    vec_push(&m->list, (struct ag_message){severity, place, arena_strdup(m->arena, text.s),
                                           hint ? arena_strdup(m->arena, hint) : NULL});
    m->errors += severity == AG_ERROR;
    strbuf_release(&text);
}

static bool is_before(struct ag_place a, struct ag_place b)
{
    return a.line < b.line || (a.line == b.line && a.column < b.column);
}

/* Insertion sort, for there are few and most are in order. */
const struct ag_message **ag_messages_in_order(const struct ag_messages *m)
{
    const struct ag_message **sorted = mem_alloc((m->list.n + 1) * sizeof *sorted);
    for (size_t i = 0; i < m->list.n; i++) {
        size_t at = i;
        for (; at > 0 && is_before(m->list.at[i].place, sorted[at - 1]->place); at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = &m->list.at[i];
    }
    return sorted;
}

void ag_messages_text(const struct ag_messages *m, struct strbuf *out)
{
    const struct ag_message **sorted = ag_messages_in_order(m);
    for (size_t i = 0; i < m->list.n; i++) {
        const struct ag_message *it = sorted[i];
        strbuf_adds(out, m->file ? m->file : "specification");
        if (it->place.line)
            strbuf_addf(out, ":%d:%d", it->place.line, it->place.column);
        strbuf_addf(out, ": %s: %s\n", it->severity == AG_ERROR ? "error" : "warning", it->text);
        if (it->hint)
            strbuf_addf(out, "    hint: %s\n", it->hint);
    }
    free(sorted);
}

int ag_messages_error(const struct ag_messages *m, struct error *e)
{
    REQUIRE(m->errors > 0);
    const struct ag_message **sorted = ag_messages_in_order(m);
    size_t i = 0;
    while (sorted[i]->severity != AG_ERROR)
        i++;
    const struct ag_message *first = sorted[i];
    free(sorted);
    return error_at(e, ERROR_USAGE, m->file ? m->file : "", first->place.line, "%s%s%s",
                    first->text, first->hint ? "; " : "", first->hint ? first->hint : "");
}
