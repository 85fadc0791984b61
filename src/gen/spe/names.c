/* The text of a C file as names, for what a syntax tree does not tell: where a name stands that is
 * in no node (operands of sizeof, bodies of macros), and which macros make text of their arguments,
 * so that another name there would be another program than the tree says (C11 6.10.3.2, 6.10.3.3).
 *
 * No preprocessor: text in branches that are left out is looked at, too. Both answers only make
 * fewer variables interchangeable and fewer uses holes, so that too many of them do no harm. */
#include "gen/spe/skeleton_internal.h"

#include <ctype.h>

uint32_t names_skip_space(const char *text, uint32_t size, uint32_t at)
{
    struct scan s = {&scan_c, text, size, at};
    scan_space(&s);
    return (uint32_t)s.at;
}

/* The last character before `at` that is no white space; 0 at the beginning. */
static uint32_t before(const char *text, uint32_t at, bool same_line)
{
    while (at && isspace((unsigned char)text[at - 1]) && !(same_line && text[at - 1] == '\n'))
        at--;
    return at;
}

static bool after_member_operator(const char *text, uint32_t at)
{
    at = before(text, at, false);
    return at && (text[at - 1] == '.' || (at > 1 && text[at - 1] == '>' && text[at - 2] == '-'));
}

static bool after_hash(const char *text, uint32_t at)
{
    at = before(text, at, true);
    if (!at || text[at - 1] != '#')
        return false;
    at = before(text, at - 1, true);
    return !at || text[at - 1] == '\n';
}

bool names_next(struct scan *s, struct name_at *out)
{
    for (struct scan_token t; (t = scan_token(s)).kind != SCAN_END;)
        if (t.kind == SCAN_WORD) {
            *out = (struct name_at){.at = (uint32_t)t.from,
                                    .size = (uint32_t)(t.to - t.from),
                                    .member = after_member_operator(s->text, (uint32_t)t.from),
                                    .directive = after_hash(s->text, (uint32_t)t.from)};
            return true;
        }
    return false;
}

bool names_is(const struct parsed *p, uint32_t at, const char *name)
{
    size_t n = strlen(name);
    return n && at + n <= p->source_size && !memcmp(p->source + at, name, n) &&
           !scan_in_word(&scan_c, p->source[at + n]) &&
           !(at && scan_in_word(&scan_c, p->source[at - 1]));
}

/* -- macros that make text of their arguments -------------------------------------------------- */

struct macro {
    uint32_t name, name_size;
    uint32_t body, end;
    unsigned char marks; /* what becomes of its arguments */
};
typedef VEC(struct macro) macro_list;

static bool name_equals(const struct parsed *p, const struct macro *m, uint32_t at, uint32_t size)
{
    return m->name_size == size && !memcmp(p->source + m->name, p->source + at, size);
}

static unsigned char marks_of(const struct parsed *p, const macro_list *list, struct name_at name)
{
    unsigned char marks = 0; /* a macro may be defined more than once */
    for (size_t i = 0; i < list->n; i++)
        if (list->at[i].marks && name_equals(p, &list->at[i], name.at, name.size))
            marks |= list->at[i].marks;
    return marks;
}

static unsigned char marks_of_body(const char *text, uint32_t at, uint32_t end)
{
    struct scan s = {&scan_c, text, end, at};
    unsigned char marks = 0;
    for (struct scan_token t; (t = scan_token(&s)).kind != SCAN_END;)
        marks |= scan_token_is(&s, &t, "##")  ? NAMES_PASTED
                 : scan_token_is(&s, &t, "#") ? NAMES_QUOTED
                                              : 0;
    return marks;
}

/* The end of the line, continued ones included. */
static uint32_t line_end(const char *text, uint32_t size, uint32_t at)
{
    while (at < size && text[at] != '\n')
        at += text[at] == '\\' ? 2u : 1u;
    return at < size ? at : size;
}

static void find_macros(const struct parsed *p, macro_list *out)
{
    struct scan scan = {&scan_c, p->source, p->source_size, 0};
    struct name_at name;
    while (names_next(&scan, &name)) {
        if (!name.directive || name.size != 6 || memcmp(p->source + name.at, "define", 6))
            continue;
        if (!names_next(&scan, &name))
            break;
        uint32_t body = name.at + name.size, end = line_end(p->source, p->source_size, body);
        bool function_like = body < end && p->source[body] == '(';
        vec_push(out,
                 (struct macro){.name = name.at,
                                .name_size = name.size,
                                .body = body,
                                .end = end,
                                .marks = function_like ? marks_of_body(p->source, body, end) : 0});
    }
}

/* A macro that hands its arguments on does with them what the other one does. */
static void spread(const struct parsed *p, macro_list *list)
{
    for (bool more = true; more;) {
        more = false;
        for (size_t i = 0; i < list->n; i++) {
            struct macro *m = &list->at[i];
            struct scan scan = {&scan_c, p->source, m->end, m->body};
            struct name_at name;
            unsigned char marks = m->marks;
            while (names_next(&scan, &name))
                marks |= marks_of(p, list, name);
            more = more || marks != m->marks;
            m->marks = marks;
        }
    }
}

/* Mark what stands between the parentheses behind the name of a macro. */
static void mark_arguments(const struct parsed *p, uint32_t at, unsigned char mark,
                           unsigned char *marks)
{
    struct scan s = {&scan_c, p->source, p->source_size, at};
    scan_space(&s);
    size_t from = s.at;
    if (scan_peek(&s, 0) != '(')
        return;
    scan_brackets(&s);
    for (size_t i = from; i < s.at; i++)
        marks[i] |= mark;
}

unsigned char *names_macros(const struct parsed *p, struct arena *arena)
{
    unsigned char *marks = arena_alloc(arena, (size_t)p->source_size + 1);
    macro_list macros = {0};
    find_macros(p, &macros);
    spread(p, &macros);
    struct scan scan = {&scan_c, p->source, p->source_size, 0};
    struct name_at name;
    while (macros.n && names_next(&scan, &name))
        if (marks_of(p, &macros, name))
            mark_arguments(p, name.at + name.size, marks_of(p, &macros, name), marks);
    vec_release(&macros);
    return marks;
}
