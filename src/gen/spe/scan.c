/* The text of a C file as names, for what a syntax tree does not tell: where a name stands that is
 * in no node (operands of sizeof, bodies of macros), and which macros make text of their arguments,
 * so that another name there would be another program than the tree says (C11 6.10.3.2, 6.10.3.3).
 *
 * No preprocessor: text in branches that are left out is looked at, too. Both answers only make
 * fewer variables interchangeable and fewer uses holes, so that too many of them do no harm. */
#include "gen/spe/skeleton_internal.h"

#include <ctype.h>

static bool begins_name(char c)
{
    return isalpha((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

static bool continues_name(char c)
{
    return begins_name(c) || isdigit((unsigned char)c);
}

/* Behind a comment, a literal or a number that begins at `at`; `at` itself where none does. */
static uint32_t skip_comment(const char *text, uint32_t size, uint32_t at)
{
    if (at + 1 >= size || text[at] != '/')
        return at;
    if (text[at + 1] == '/') {
        for (at += 2; at < size && text[at] != '\n'; at++)
            if (text[at] == '\\' && at + 1 < size)
                at++;
        return at < size ? at : size;
    }
    if (text[at + 1] != '*')
        return at;
    for (at += 2; at + 1 < size && !(text[at] == '*' && text[at + 1] == '/'); at++)
        ;
    return at + 2 < size ? at + 2 : size;
}

static uint32_t skip_literal(const char *text, uint32_t size, uint32_t at)
{
    char quote = text[at];
    if (quote != '"' && quote != '\'')
        return at;
    /* A newline ends it as well: `#error don't`. */
    for (at++; at < size && text[at] != quote && text[at] != '\n'; at++)
        if (text[at] == '\\')
            at++;
    return at + 1 < size ? at + 1 : size;
}

static uint32_t skip_number(const char *text, uint32_t size, uint32_t at)
{
    if (!isdigit((unsigned char)text[at]))
        return at;
    while (at < size && (continues_name(text[at]) || text[at] == '.'))
        at++;
    return at;
}

uint32_t scan_skip_space(const char *text, uint32_t size, uint32_t at)
{
    for (uint32_t before = size + 1; before != at;) {
        before = at;
        while (at < size && (isspace((unsigned char)text[at]) ||
                             (text[at] == '\\' && at + 1 < size && text[at + 1] == '\n')))
            at++;
        at = skip_comment(text, size, at);
    }
    return at;
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

bool scan_next(struct scan *s, struct scan_name *out)
{
    while (s->at < s->size) {
        uint32_t at = scan_skip_space(s->text, s->size, s->at);
        if (at == s->size)
            break;
        uint32_t next = skip_literal(s->text, s->size, at);
        if (next == at)
            next = skip_number(s->text, s->size, at);
        if (next == at && !begins_name(s->text[at]))
            next++;
        s->at = next;
        if (next > at)
            continue;
        while (next < s->size && continues_name(s->text[next]))
            next++;
        s->at = next;
        *out = (struct scan_name){.at = at,
                                  .size = next - at,
                                  .member = after_member_operator(s->text, at),
                                  .directive = after_hash(s->text, at)};
        return true;
    }
    return false;
}

bool scan_name_is(const struct parsed *p, uint32_t at, const char *name)
{
    size_t n = strlen(name);
    return n && at + n <= p->source_size && !memcmp(p->source + at, name, n) &&
           !continues_name(p->source[at + n]) && !(at && continues_name(p->source[at - 1]));
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

static unsigned char marks_of(const struct parsed *p, const macro_list *list, struct scan_name name)
{
    unsigned char marks = 0; /* a macro may be defined more than once */
    for (size_t i = 0; i < list->n; i++)
        if (list->at[i].marks && name_equals(p, &list->at[i], name.at, name.size))
            marks |= list->at[i].marks;
    return marks;
}

static unsigned char marks_of_body(const char *text, uint32_t at, uint32_t end)
{
    unsigned char marks = 0;
    while (at < end) {
        uint32_t next = skip_literal(text, end, at);
        bool hash = next == at && text[at] == '#';
        bool pastes = hash && at + 1 < end && text[at + 1] == '#';
        if (hash)
            marks |= pastes ? SCAN_PASTED : SCAN_QUOTED;
        at = next + (next == at ? 1u : 0u) + pastes;
    }
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
    struct scan scan = {p->source, p->source_size, 0};
    struct scan_name name;
    while (scan_next(&scan, &name)) {
        if (!name.directive || name.size != 6 || memcmp(p->source + name.at, "define", 6))
            continue;
        if (!scan_next(&scan, &name))
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
            struct scan scan = {p->source, m->end, m->body};
            struct scan_name name;
            unsigned char marks = m->marks;
            while (scan_next(&scan, &name))
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
    at = scan_skip_space(p->source, p->source_size, at);
    if (at >= p->source_size || p->source[at] != '(')
        return;
    for (int depth = 0; at < p->source_size;) {
        uint32_t next = skip_literal(p->source, p->source_size, at);
        if (next != at) {
            at = next;
            continue;
        }
        depth += (p->source[at] == '(') - (p->source[at] == ')');
        marks[at++] |= mark;
        if (!depth)
            break;
    }
}

unsigned char *scan_macros(const struct parsed *p, struct arena *arena)
{
    unsigned char *marks = arena_alloc(arena, (size_t)p->source_size + 1);
    macro_list macros = {0};
    find_macros(p, &macros);
    spread(p, &macros);
    struct scan scan = {p->source, p->source_size, 0};
    struct scan_name name;
    while (macros.n && scan_next(&scan, &name))
        if (marks_of(p, &macros, name))
            mark_arguments(p, name.at + name.size, marks_of(p, &macros, name), marks);
    vec_release(&macros);
    return marks;
}
