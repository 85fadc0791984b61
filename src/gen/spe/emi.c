/* First every statement of the text is listed whose text is sure to be it; then changes are drawn
 * one after the other, none where another one was made; at last they are written in the order of
 * their places.
 *
 * A node has an extent, but an expression's ends before its semicolon, parentheses around it are
 * not in it, and of what a macro makes it is the place of the macro. So the text decides: what
 * stands before the statement must be able to end another one, and behind it there is `;` or its
 * last character is `}` (C11 6.8).
 *
 * A statement that is moved or copied meets the same names if nothing is declared between the two
 * places, or nothing that it mentions. */
#include "gen/spe/emi.h"

#include "gen/spe/skeleton_internal.h"

#include <ctype.h>
#include <stdlib.h>

enum { MOST_COPIED = 2000 }; /* bytes of a copy */

enum change { LEAVE, PRUNE, INSERT, SWAP, N_CHANGES };
static const unsigned change_weight[N_CHANGES] = {1, 4, 5, 2};

struct place { /* a statement and its text, [begin, end), the semicolon included */
    uint32_t node, parent, begin, end;
    bool dead;     /* no part of it ran */
    bool in_block; /* one of the statements of a block */
    bool stays;    /* where it is: jumped to, or the last return of a function */
    bool copied;   /* may be: no static variables */
};

struct edit { /* [begin, end) becomes `;`, or what stands in [from, to), in braces or not */
    uint32_t begin, end, from, to;
    bool braces;
};

enum { CODE = 1, IN_PARENTHESES = 2 }; /* marks of bytes; no CODE: comment or literal */

struct emi {
    const struct parsed *p;
    const struct import *im;
    unsigned char *marks;       /* by byte of the source */
    VEC(struct place) places;   /* each after its parts */
    VEC(struct place *) able;   /* for the change in hand */
    VEC(struct place *) others; /* and what it can be made with */
    VEC(struct edit) edits;
    VEC(struct edit) touched; /* [begin, end): not to be changed any more */
};

static const struct parsed_node *node_of(const struct emi *e, uint32_t node)
{
    return &e->p->nodes[node];
}

/* -- the text --------------------------------------------------------------------------------- */

/* Of the body of a function. A statement stands in no parentheses, unless in an argument of a macro
 * or in GNU's ({ ... }): both are left alone. */
static void mark_text(struct emi *e, uint32_t at, uint32_t end)
{
    struct scan s = {&scan_c, e->p->source, end, at};
    int open = 0;
    for (;;) {
        scan_space(&s);
        struct scan_token t = scan_token(&s);
        if (t.kind == SCAN_END)
            return;
        if (t.kind == SCAN_STRING)
            continue;
        open -= s.text[t.from] == ')' && open > 0;
        memset(e->marks + t.from, CODE | (open ? IN_PARENTHESES : 0), t.to - t.from);
        open += s.text[t.from] == '(';
    }
}

static bool has_directive(const struct emi *e, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++)
        if (e->p->source[i] == '#' && (e->marks[i] & CODE))
            return true;
    return false;
}

static bool is_balanced(const struct emi *e, uint32_t from, uint32_t to)
{
    static const char opening[] = "([{", closing[] = ")]}";
    int open[3] = {0};
    for (uint32_t i = from; i < to; i++) {
        if (!(e->marks[i] & CODE))
            continue;
        for (int k = 0; k < 3; k++) {
            open[k] += e->p->source[i] == opening[k];
            open[k] -= e->p->source[i] == closing[k];
            if (open[k] < 0)
                return false;
        }
    }
    return !open[0] && !open[1] && !open[2];
}

/* The last character before `at` that is not white space; 0: there is none. */
static char character_before(const struct emi *e, uint32_t at)
{
    while (at && isspace((unsigned char)e->p->source[at - 1]))
        at--;
    return at ? e->p->source[at - 1] : '\0';
}

static bool word_before(const struct emi *e, uint32_t at, const char *word)
{
    size_t n = strlen(word);
    while (at && isspace((unsigned char)e->p->source[at - 1]))
        at--;
    return at >= n && names_is(e->p, at - (uint32_t)n, word);
}

/* -- the tree --------------------------------------------------------------------------------- */

/* Which of its children, by bit, are statements. Of a block all are. */
static const uint8_t statements_of[PARSED_N_KINDS] = {
    [PARSED_IF] = 6,    [PARSED_FOR] = 8,  [PARSED_WHILE] = 2,   [PARSED_DO] = 1,
    [PARSED_LABEL] = 1, [PARSED_CASE] = 4, [PARSED_DEFAULT] = 1, [PARSED_SWITCH] = 2,
};

static bool is_statement_child(const struct parsed_node *parent, int index)
{
    return parent->kind == PARSED_BLOCK || (index < 8 && statements_of[parent->kind] >> index & 1);
}

/* The statement that another one ends with; 0: none, it ends by itself. */
static uint32_t last_statement(const struct emi *e, uint32_t node)
{
    const struct parsed_node *n = node_of(e, node);
    uint32_t last = 0;
    int index = 0;
    if (n->kind == PARSED_BLOCK || n->kind == PARSED_DO)
        return 0;
    for (uint32_t c = n->first; c; c = node_of(e, c)->next, index++)
        if (is_statement_child(n, index) && node_of(e, c)->kind != PARSED_NONE)
            last = c;
    return last;
}

/* Where the text of a statement ends; 0: that cannot be said. */
static uint32_t end_of(const struct emi *e, uint32_t node)
{
    for (uint32_t last; (last = last_statement(e, node));)
        node = last;
    const struct parsed_node *n = node_of(e, node);
    const char *text = e->p->source;
    if (!n->end || n->end > e->p->source_size)
        return 0;
    if (n->kind == PARSED_BLOCK)
        return text[n->end - 1] == '}' ? n->end : 0;
    if (n->kind == PARSED_EMPTY || n->kind == PARSED_DECLS)
        return text[n->end - 1] == ';' ? n->end : 0;
    uint32_t at = names_skip_space(text, e->p->source_size, n->end);
    return at < e->p->source_size && text[at] == ';' ? at + 1 : 0;
}

/* What a statement is made of. */
struct parts {
    bool ran;
    bool jumped_to;      /* has a label, or a case of a switch around it */
    bool strange;        /* asm and what the parser does not know: may define symbols */
    bool has_statics;    /* variables */
    int switches_around; /* while walking */
};

static void look_at(const struct emi *e, uint32_t node, struct parts *out)
{
    const struct parsed_node *n = node_of(e, node);
    const struct cc_stmt *s = e->im->stmts[node];
    const struct cc_expr *use = e->im->uses[node];
    out->ran |= (s && s->ran) || (use && use->ran);
    switch (n->kind) {
    case PARSED_LABEL:
    case PARSED_LABEL_ADDRESS:
        out->jumped_to = true;
        break;
    case PARSED_CASE:
    case PARSED_DEFAULT:
        out->jumped_to |= !out->switches_around;
        break;
    case PARSED_ASM:
    case PARSED_COMPUTED_GOTO:
    case PARSED_OTHER_STMT:
    case PARSED_OTHER_EXPR:
        out->strange = true;
        break;
    case PARSED_VAR:
        out->has_statics |= (n->flags & PARSED_STATIC) != 0;
        break;
    default:
        break;
    }
    out->switches_around += n->kind == PARSED_SWITCH;
    for (uint32_t c = n->first; c; c = node_of(e, c)->next)
        look_at(e, c, out);
    out->switches_around -= n->kind == PARSED_SWITCH;
}

/* -- places ----------------------------------------------------------------------------------- */

/* Does a statement begin here and not before? `behind`: where the one before it ends, or 0. */
static bool begins_at(const struct emi *e, const struct parsed_node *parent, uint32_t at,
                      uint32_t behind)
{
    char before = character_before(e, at);
    if (parent->kind != PARSED_BLOCK)
        return before == ')' || before == ':' || word_before(e, at, "else") ||
               word_before(e, at, "do");
    return (behind && names_skip_space(e->p->source, e->p->source_size, behind) == at) ||
           (before && strchr("{};", before));
}

static bool takes_part(const struct parsed_node *n)
{
    switch (n->kind) {
    case PARSED_NONE:
    case PARSED_DECLS:
    case PARSED_LABEL:
    case PARSED_CASE:
    case PARSED_DEFAULT:
    case PARSED_EMPTY:
        return false;
    default:
        return !(n->flags & PARSED_IN_MACRO);
    }
}

static void add_place(struct emi *e, uint32_t node, uint32_t parent, uint32_t behind, bool is_body)
{
    const struct parsed_node *n = node_of(e, node), *up = node_of(e, parent);
    uint32_t end = end_of(e, node);
    if (!takes_part(n) || !e->im->stmts[node] || !end || !begins_at(e, up, n->begin, behind) ||
        e->marks[n->begin] != CODE)
        return;
    /* a macro may have made more of the same text */
    if (up->kind == PARSED_BLOCK && n->next && node_of(e, n->next)->begin < end)
        return;
    struct parts parts = {0};
    look_at(e, node, &parts);
    if (parts.jumped_to || parts.strange || has_directive(e, n->begin, end) ||
        !is_balanced(e, n->begin, end))
        return;
    vec_push(&e->places,
             (struct place){.node = node,
                            .parent = parent,
                            .begin = n->begin,
                            .end = end,
                            .dead = !parts.ran,
                            .in_block = up->kind == PARSED_BLOCK,
                            .stays = is_body && !n->next && n->kind == PARSED_RETURN,
                            .copied = !parts.has_statics && end - n->begin <= MOST_COPIED});
}

/* The statements below one, but not those in expressions; is_body: it is that of a function. */
static void add_places(struct emi *e, uint32_t node, bool is_body)
{
    const struct parsed_node *n = node_of(e, node);
    bool is_block = n->kind == PARSED_BLOCK;
    uint32_t behind = is_block ? n->begin + 1 : 0;
    int index = 0;
    for (uint32_t c = n->first; c; c = node_of(e, c)->next, index++) {
        if (!is_statement_child(n, index))
            continue;
        add_places(e, c, false);
        add_place(e, c, node, behind, is_body);
        behind = is_block ? end_of(e, c) : 0;
    }
}

static void add_function(struct emi *e, uint32_t node)
{
    const struct parsed_node *f = node_of(e, node);
    if (f->kind != PARSED_FUNCTION || (f->flags & (PARSED_INCLUDED | PARSED_IN_MACRO)))
        return;
    for (uint32_t c = f->first; c; c = node_of(e, c)->next) {
        const struct parsed_node *body = node_of(e, c);
        if (body->kind != PARSED_BLOCK || body->end > e->p->source_size ||
            body->begin >= body->end || e->p->source[body->begin] != '{')
            continue;
        mark_text(e, body->begin, body->end);
        add_places(e, c, true);
    }
}

/* -- names ------------------------------------------------------------------------------------ */

static bool text_mentions(const struct emi *e, const struct place *s, const char *name)
{
    struct scan scan = {&scan_c, e->p->source, s->end, s->begin};
    struct name_at found;
    while (names_next(&scan, &found))
        if (names_is(e->p, found.at, name))
            return true;
    return false;
}

typedef bool node_test(const struct emi *e, const struct parsed_node *n, const void *context);

static bool any_in_tree(const struct emi *e, uint32_t node, node_test *is, const void *context)
{
    const struct parsed_node *n = node_of(e, node);
    if (is(e, n, context))
        return true;
    for (uint32_t c = n->first; c; c = node_of(e, c)->next)
        if (any_in_tree(e, c, is, context))
            return true;
    return false;
}

static bool is_named(const struct emi *e, const struct parsed_node *n, const void *name)
{
    return n->name && !strcmp(parsed_string(e->p, n->name), name);
}

/* Is a name that is declared here one of the statement's? In its text, or in a macro. */
static bool declares_for(const struct emi *e, const struct parsed_node *n, const void *statement)
{
    const struct place *s = statement;
    const char *name = parsed_string(e->p, n->name);
    bool is_declaration = n->kind >= PARSED_FUNCTION && n->kind <= PARSED_OTHER_DECL;
    return is_declaration && *name &&
           (text_mentions(e, s, name) || any_in_tree(e, s->node, is_named, name));
}

/* A declaration with braces may define types, which are nodes elsewhere: all that it names counts.
 */
static bool defines_for(const struct emi *e, uint32_t node, const struct place *s)
{
    const struct parsed_node *n = node_of(e, node);
    if (n->end > e->p->source_size || n->begin >= n->end ||
        !memchr(e->p->source + n->begin, '{', n->end - n->begin))
        return false;
    struct scan scan = {&scan_c, e->p->source, n->end, n->begin};
    struct name_at found;
    char name[128];
    while (names_next(&scan, &found)) {
        snprintf(name, sizeof name, "%.*s", (int)found.size, e->p->source + found.at);
        if (found.size >= sizeof name || text_mentions(e, s, name))
            return true;
    }
    return false;
}

/* Would the statement mean the same at the place of the other? They are of one block. */
static bool may_stand_at(const struct emi *e, const struct place *s, const struct place *other)
{
    uint32_t from = s->begin < other->begin ? s->begin : other->begin;
    uint32_t to = s->end > other->end ? s->end : other->end;
    if (s == other || has_directive(e, from, to))
        return s == other;
    bool between = false;
    for (uint32_t c = node_of(e, s->parent)->first; c; c = node_of(e, c)->next) {
        bool end = c == s->node || c == other->node;
        if (end && between)
            return true;
        between |= end;
        uint32_t inner = c; /* a label may stand before a declaration */
        while (node_of(e, inner)->kind == PARSED_LABEL || node_of(e, inner)->kind == PARSED_CASE ||
               node_of(e, inner)->kind == PARSED_DEFAULT)
            inner = last_statement(e, inner);
        if (between && node_of(e, inner)->kind == PARSED_DECLS &&
            (any_in_tree(e, inner, declares_for, s) || defines_for(e, inner, s)))
            return false;
    }
    return true;
}

/* -- changes ---------------------------------------------------------------------------------- */

static bool is_touched(const struct emi *e, const struct place *s)
{
    for (size_t i = 0; i < e->touched.n; i++)
        if (s->begin < e->touched.at[i].end && e->touched.at[i].begin < s->end)
            return true;
    return false;
}

static void touch(struct emi *e, const struct place *s)
{
    vec_push(&e->touched, (struct edit){.begin = s->begin, .end = s->end});
}

/* What a copy can be made of, before `s`; or what `s` can change places with, once each pair. */
static void find_others(struct emi *e, enum change change, const struct place *s)
{
    e->others.n = 0;
    for (size_t i = 0; i < e->places.n; i++) {
        struct place *o = &e->places.at[i];
        if (o->parent != s->parent || !o->in_block)
            continue;
        bool fits = change == INSERT
                        ? o->copied && may_stand_at(e, o, s)
                        : o->begin > s->begin && o->dead && !o->stays && !is_touched(e, o) &&
                              may_stand_at(e, o, s) && may_stand_at(e, s, o);
        if (fits)
            vec_push(&e->others, o);
    }
}

static bool can_change(struct emi *e, enum change change, const struct place *s)
{
    if (!s->dead || is_touched(e, s))
        return false;
    if (change == PRUNE)
        return !s->stays;
    if (!s->in_block || (change == SWAP && s->stays))
        return false;
    find_others(e, change, s);
    return e->others.n > 0;
}

static void make_change(struct emi *e, struct choice *c, enum change change,
                        struct cc_emi_counts *counts)
{
    e->able.n = 0;
    for (size_t i = 0; i < e->places.n; i++)
        if (can_change(e, change, &e->places.at[i]))
            vec_push(&e->able, &e->places.at[i]);
    if (!e->able.n)
        return;
    const struct place *s = e->able.at[choose(c, e->able.n)], *other;
    touch(e, s);
    if (change == PRUNE) {
        vec_push(&e->edits, (struct edit){s->begin, s->end, 0, 0, false});
        counts->pruned++;
        return;
    }
    find_others(e, change, s);
    other = e->others.at[choose(c, e->others.n)];
    if (change == INSERT) {
        vec_push(&e->edits, (struct edit){s->begin, s->begin, other->begin, other->end, true});
        counts->inserted++;
    } else {
        touch(e, other);
        vec_push(&e->edits, (struct edit){s->begin, s->end, other->begin, other->end, false});
        vec_push(&e->edits, (struct edit){other->begin, other->end, s->begin, s->end, false});
        counts->swapped++;
    }
}

/* -- the whole -------------------------------------------------------------------------------- */

static int by_place(const void *a, const void *b)
{
    const struct edit *x = a, *y = b;
    return ORDER(x->begin, y->begin);
}

static void write_text(struct emi *e, struct strbuf *out)
{
    const char *text = e->p->source;
    uint32_t at = 0;
    vec_sort(&e->edits, by_place);
    for (size_t i = 0; i < e->edits.n; i++) {
        const struct edit *x = &e->edits.at[i];
        strbuf_add(out, text + at, x->begin - at);
        strbuf_adds(out, x->from == x->to ? ";" : x->braces ? "{ " : "");
        strbuf_add(out, text + x->from, x->to - x->from);
        strbuf_adds(out, x->braces ? " } " : "");
        at = x->end;
    }
    strbuf_add(out, text + at, e->p->source_size - at);
}

int emi_text(const struct parsed *p, const struct import *im, struct choice *c, int max_changes,
             struct strbuf *out, struct cc_emi_counts *counts)
{
    struct emi e = {.p = p, .im = im};
    struct cc_emi_counts n = {0};
    e.marks = mem_alloc(p->source_size + 1);
    memset(e.marks, 0, p->source_size + 1);
    /* a line that is counted by the program must stay the same line */
    bool counts_lines = strstr(p->source, "__LINE__") || strstr(p->source, "__COUNTER__");
    for (uint32_t f = counts_lines ? 0 : p->nodes[1].first; f; f = p->nodes[f].next)
        add_function(&e, f);
    for (int i = 0; i < max_changes; i++) {
        enum change change = (enum change)choose_weighted(c, change_weight, N_CHANGES);
        if (change != LEAVE)
            make_change(&e, c, change, &n);
    }
    write_text(&e, out);
    if (counts)
        *counts = n;
    free(e.marks);
    vec_release(&e.places);
    vec_release(&e.able);
    vec_release(&e.others);
    vec_release(&e.edits);
    vec_release(&e.touched);
    return 0;
}
