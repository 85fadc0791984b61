/* Regular expressions of literal classes: a tree of four kinds of nodes, from which strings are
 * drawn (paper, III-A; regex.h describes the syntax).
 *
 *     SET        one character out of several         [a-z]  x
 *     SEQUENCE   one after the other                  ab
 *     CHOICE     one of them, the shortest first      a|b
 *     REPEAT     as often as chosen between bounds    a{1,3}
 *
 * What may be long is refused when it is parsed, so that drawing needs no limit: no string has more
 * than MAX_LENGTH bytes.
 *
 * Published specifications know no `* + ?` and write operators of languages as they are, "++|--".
 * An operator with nothing before it that it could repeat is therefore a character, and so is every
 * operator behind one that is a character. */
#include "ag/regex_internal.h"
#include "base/map.h"
#include "base/vec.h"

enum {
    MAX_LENGTH = 4096, /* bytes of a string */
    MAX_DEPTH = 100,   /* of groups: a limit for our stack */
    OPEN_MORE = 8      /* how often {m,} * and + repeat beyond what they must */
};

/* -- parsing ----------------------------------------------------------------------------------- */

struct reader {
    struct arena *a;
    const char *text, *at;
    int depth;
    const char *why; /* NULL as long as all is well */
    const char *where;
};

typedef VEC(struct node *) nodes;

static struct node *give_up(struct reader *r, const char *where, const char *why)
{
    if (!r->why) {
        r->why = why;
        r->where = where;
    }
    return NULL;
}

static struct node *new_node(struct reader *r, enum node_kind kind)
{
    struct node *n = arena_new(r->a, struct node);
    n->kind = kind;
    return n;
}

static struct node *new_set(struct reader *r, const char *characters, size_t n)
{
    struct node *set = new_node(r, SET);
    set->set = arena_memdup(r->a, characters, n);
    set->n = (int)n;
    set->least = set->most = 1;
    return set;
}

static void take_parts(struct reader *r, struct node *n, nodes *parts)
{
    n->n = (int)parts->n;
    n->parts = arena_array(r->a, struct node *, parts->n + 1);
    for (size_t i = 0; i < parts->n; i++)
        n->parts[i] = parts->at[i];
    vec_release(parts);
}

static int longer(int a, int b)
{
    return a + b > MAX_LENGTH ? MAX_LENGTH + 1 : a + b;
}

static int times(int length, int n)
{
    return length && n > MAX_LENGTH / length ? MAX_LENGTH + 1 : length * n;
}

static char escaped(char c)
{
    return c == 'n' ? '\n' : c == 't' ? '\t' : c;
}

/* One character of a class, where `]` may not stand; -1 with a reason where there is none. */
static int member(struct reader *r)
{
    const char *start = r->at;
    char c = *r->at;
    if (c)
        r->at++;
    if (c == '\\' && *r->at)
        c = escaped(*r->at++);
    if (!c || c & ~0x7f) {
        give_up(r, start,
                c ? "only ASCII characters can stand in [...]"
                  : "this class is not closed with ']'");
        return -1;
    }
    return c;
}

/* Characters in the order in which they were named, each once. */
struct set {
    bool has[128];
    char order[128];
    size_t n;
};

static void set_add(struct set *s, int c)
{
    if (s->has[c])
        return;
    s->has[c] = true;
    s->order[s->n++] = (char)c;
}

/* Every printable character that is not in the set; letters are the simplest. */
static struct set complement(const struct set *s)
{
    static const char first[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    struct set rest = {0};
    for (const char *c = first; *c; c++)
        if (!s->has[(int)*c])
            set_add(&rest, *c);
    for (int c = ' '; c < 127; c++)
        if (!s->has[c])
            set_add(&rest, c);
    return rest;
}

/* Members and ranges up to the closing bracket, which is passed. */
static bool class_members(struct reader *r, const char *opened, struct set *s)
{
    while (*r->at != ']') {
        const char *start = r->at;
        int low = *r->at ? member(r) : -1, high = low;
        if (low >= 0 && r->at[0] == '-' && r->at[1] && r->at[1] != ']') {
            r->at++;
            high = member(r);
        }
        if (low < 0 || high < 0)
            return give_up(r, opened, "this class is not closed with ']'");
        if (high < low)
            return give_up(r, start, "this range runs backwards");
        for (int c = low; c <= high; c++)
            set_add(s, c);
    }
    r->at++;
    return true;
}

/* [a-z_] or [^"], behind the bracket. */
static struct node *class_of(struct reader *r)
{
    const char *opened = r->at - 1;
    bool negated = *r->at == '^';
    r->at += negated;
    struct set s = {0};
    if (!class_members(r, opened, &s))
        return NULL;
    if (negated)
        s = complement(&s);
    return s.n ? new_set(r, s.order, s.n) : give_up(r, opened, "this class holds no character");
}

/* n, n and m, or an open end, behind the brace; `{` has been seen to be followed by a digit. */
static bool bounds(struct reader *r, int *low, int *high)
{
    const char *opened = r->at - 1;
    char *end;
    long least = strtol(r->at, &end, 10), most = least;
    bool open = false;
    if (*end == ',') {
        open = end[1] == '}';
        end++;
        if (*end >= '0' && *end <= '9')
            most = strtol(end, &end, 10);
    }
    if (*end != '}')
        return give_up(r, opened, "bounds are {n}, {m,n} or {m,}");
    if (least > MAX_LENGTH || most > MAX_LENGTH)
        return give_up(r, opened, "that is too often");
    if (!open && most < least)
        return give_up(r, opened, "the upper bound is less than the lower one");
    *low = (int)least;
    *high = (int)(open ? least + OPEN_MORE : most);
    r->at = end + 1;
    return true;
}

static bool at_operator(const struct reader *r)
{
    char c = *r->at;
    return c == '*' || c == '+' || c == '?' || (c == '{' && r->at[1] >= '0' && r->at[1] <= '9');
}

/* The part as often as the operator here says. */
static struct node *repeated(struct reader *r, struct node *part)
{
    struct node *n = new_node(r, REPEAT);
    switch (*r->at++) {
    case '*':
        n->at_most = OPEN_MORE;
        break;
    case '+':
        n->at_least = 1;
        n->at_most = 1 + OPEN_MORE;
        break;
    case '?':
        n->at_most = 1;
        break;
    default:
        if (!bounds(r, &n->at_least, &n->at_most))
            return NULL;
    }
    n->n = 1;
    n->parts = arena_new(r->a, struct node *);
    n->parts[0] = part;
    n->least = times(part->least, n->at_least);
    n->most = times(part->most, n->at_most);
    return n;
}

static struct node *alternatives(struct reader *r);

static struct node *group(struct reader *r)
{
    const char *opened = r->at - 1;
    if (++r->depth > MAX_DEPTH)
        return give_up(r, opened, "groups are nested too deep");
    struct node *n = alternatives(r);
    r->depth--;
    if (!n)
        return NULL;
    if (*r->at != ')')
        return give_up(r, opened, "this group is not closed with ')'");
    r->at++;
    return n;
}

/* A character, a class or a group. */
static struct node *atom(struct reader *r)
{
    const char *start = r->at;
    char c = *r->at++;
    if (c == '(')
        return group(r);
    if (c == '[')
        return class_of(r);
    if (c == '\\') {
        if (!*r->at)
            return give_up(r, start, "a backslash escapes the character after it");
        c = escaped(*r->at++);
    }
    return new_set(r, &c, 1);
}

/* One alternative: atoms with their repetitions. */
static struct node *sequence(struct reader *r)
{
    nodes parts = {0};
    bool repeatable = false; /* can the last atom be repeated? */
    while (*r->at && *r->at != '|' && *r->at != ')') {
        bool is_operator = at_operator(r);
        struct node *n = NULL;
        if (is_operator && repeatable) {
            n = repeated(r, parts.at[parts.n - 1]);
            parts.n--;
            repeatable = false;
        } else {
            n = is_operator ? new_set(r, r->at++, 1) : atom(r);
            repeatable = !is_operator;
        }
        if (!n) {
            vec_release(&parts);
            return NULL;
        }
        vec_push(&parts, n);
    }
    struct node *n = new_node(r, SEQUENCE);
    take_parts(r, n, &parts);
    for (int i = 0; i < n->n; i++) {
        n->least = longer(n->least, n->parts[i]->least);
        n->most = longer(n->most, n->parts[i]->most);
    }
    return n;
}

/* The shortest first, so that choice 0 is the simplest; otherwise as written. */
static void insert_by_length(nodes *list, struct node *n)
{
    vec_push(list, n);
    size_t i = list->n - 1;
    for (; i > 0 && list->at[i - 1]->least > n->least; i--)
        list->at[i] = list->at[i - 1];
    list->at[i] = n;
}

static struct node *alternatives(struct reader *r)
{
    nodes parts = {0};
    for (;;) {
        struct node *n = sequence(r);
        if (!n) {
            vec_release(&parts);
            return NULL;
        }
        insert_by_length(&parts, n);
        if (*r->at != '|')
            break;
        r->at++;
    }
    if (parts.n == 1) {
        struct node *only = parts.at[0];
        vec_release(&parts);
        return only;
    }
    struct node *n = new_node(r, CHOICE);
    take_parts(r, n, &parts);
    n->least = n->parts[0]->least;
    for (int i = 0; i < n->n; i++)
        n->most = n->parts[i]->most > n->most ? n->parts[i]->most : n->most;
    return n;
}

struct ag_regex *ag_regex_parse(struct arena *a, const char *text, int *where, const char **why)
{
    struct reader r = {.a = a, .text = text, .at = text};
    struct node *root = alternatives(&r);
    if (root && *r.at)
        root = give_up(&r, r.at, "this ')' closes no group");
    if (root && root->most > MAX_LENGTH)
        root = give_up(&r, text, "its strings can be longer than 4096 characters");
    if (!root) {
        *where = (int)(r.where - text);
        *why = r.why;
        return NULL;
    }
    struct ag_regex *regex = arena_new(a, struct ag_regex);
    regex->root = root;
    return regex;
}

/* -- drawing and counting ---------------------------------------------------------------------- */

/* A number below n; where there is but one there is no choice. */
static int pick(struct choice *c, int n)
{
    return n > 1 ? (int)choose(c, (uint64_t)n) : 0;
}

static void draw(const struct node *n, struct choice *c, struct strbuf *out)
{
    int chosen;
    switch (n->kind) {
    case SET:
        chosen = pick(c, n->n);
        strbuf_addc(out, n->set[chosen]);
        break;
    case SEQUENCE:
        for (int i = 0; i < n->n; i++)
            draw(n->parts[i], c, out);
        break;
    case CHOICE:
        chosen = pick(c, n->n);
        draw(n->parts[chosen], c, out);
        break;
    case REPEAT:
        chosen = pick(c, n->at_most - n->at_least + 1);
        for (int i = 0; i < n->at_least + chosen; i++)
            draw(n->parts[0], c, out);
        break;
    }
}

void ag_regex_draw(const struct ag_regex *r, struct choice *c, struct strbuf *out)
{
    draw(r->root, c, out);
}
