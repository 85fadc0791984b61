/* Smaller texts in any language, from what can be seen without a grammar.
 *
 * A program is tokens: words, numbers, strings, punctuation, brackets that match, lines with their
 * indentation. From those come trees that most languages agree with, and each pass below names the
 * parts of one kind. A part is an `atom`: pieces of the text that go, or that are replaced, all
 * together. Atoms of one level of a tree are handed to delta debugging at once, from the outermost
 * level inwards (hierarchical delta debugging, Misherghi and Su): a function goes in one test, and
 * what is inside of it is looked at only if it stays.
 *
 *     comments                                   first
 *     files, indented blocks, statements, lines, elements of lists, contents of brackets, brackets
 *     and all, a bracket for one of its members, brackets around something, heads of blocks,
 *     tokens, windows of tokens, strings, numbers       until none of them helps any more
 *     names, each at all of its places; blank space     at the end
 *
 * Strings, comments and words are never cut in two, and all bytes above 127 belong to words: the
 * text stays as good UTF-8 as it was. What each language does differently is in its row
 * (program/language.h). */
#include "reduce/reduce.h"

#include <ctype.h>
#include <string.h>

/* Words that go on with what the line or the bracket before them began. */
static const char going_on[] =
    " end else elseif elif until fi done esac catch finally except while ";

/* Names that are hardly ever the program's own, besides the words of its language. A hint only, to
 * save tests. */
static const char known[] = " main include define printf require print assert varchar ";

static bool is_among(const char *list, const char *word, size_t n)
{
    return list && scan_listed(list, word, n);
}

/* -- tokens ------------------------------------------------------------------------------------ */

/* Those of the scanner, and brackets. */
enum token_kind { BLANK = SCAN_BLANK, NEWLINE, COMMENT, WORD, NUMBER, STRING, MARK, OPEN, CLOSE };
_Static_assert(MARK == (int)SCAN_MARK, "kinds of tokens");

struct token {
    enum token_kind kind;
    int depth;    /* how many brackets are around; of a bracket itself: around the pair */
    size_t match; /* of a bracket: the index of its partner */
    size_t from, to;
};

struct line {
    size_t from, to; /* with its newline */
    size_t first;    /* its first token that says something; NONE */
    int level;       /* lines that are less indented, and hold this one */
    bool goes_on;    /* it ends or continues the block of the line before it with this level */
};

struct source {
    const struct language *language;
    const char *text;
    size_t n;
    VEC(struct token) tokens;
    VEC(struct line) lines;
    int deepest; /* of brackets */
    int deepest_line;
};

static const size_t NONE = SIZE_MAX;

static bool says_something(const struct token *t)
{
    return t->kind >= WORD;
}

static bool is_blank_byte(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

/* A quote or a comment that is not closed is a mark like others. */
static struct token next_token(struct scan *s, const struct language *l)
{
    struct scan_token t = scan_token(s);
    const char *text = s->text + t.from;
    struct token out = {.kind = (enum token_kind)t.kind, .match = NONE, .from = t.from, .to = t.to};
    if (t.open) {
        out.kind = MARK;
        s->at = out.to = t.from + 1;
    } else if (t.kind == SCAN_WORD) {
        out.kind = is_among(l->open, text, t.to - t.from)    ? OPEN
                   : is_among(l->close, text, t.to - t.from) ? CLOSE
                                                             : WORD;
    } else if (t.kind == SCAN_MARK && *text) {
        out.kind = strchr("([{", *text) ? OPEN : strchr(")]}", *text) ? CLOSE : MARK;
    }
    return out;
}

/* Do these two brackets belong together? Any word that opens goes with any that closes. */
static bool pairs(const struct source *s, const struct token *open, const struct token *close)
{
    char a = s->text[open->from], b = s->text[close->from];
    const char *bracket = strchr("()[]{}", a);
    return bracket ? b == bracket[1] : isalpha((unsigned char)b);
}

/* A bracket without its partner is a mark like others. */
static void match_brackets(struct source *s)
{
    VEC(size_t) open = {0};
    for (size_t i = 0; i < s->tokens.n; i++) {
        struct token *t = &s->tokens.at[i];
        if (t->kind == OPEN)
            vec_push(&open, i);
        if (t->kind != CLOSE || !open.n || !pairs(s, &s->tokens.at[open.at[open.n - 1]], t))
            continue;
        t->match = open.at[--open.n];
        s->tokens.at[t->match].match = i;
    }
    vec_release(&open);
    int depth = 0;
    for (size_t i = 0; i < s->tokens.n; i++) {
        struct token *t = &s->tokens.at[i];
        if ((t->kind == OPEN || t->kind == CLOSE) && t->match == NONE)
            t->kind = MARK;
        depth -= t->kind == CLOSE;
        t->depth = depth;
        depth += t->kind == OPEN;
        s->deepest = depth > s->deepest ? depth : s->deepest;
    }
}

static int columns(const struct source *s, const struct line *l)
{
    int n = 0;
    for (size_t i = l->from; is_blank_byte(s->text[i]); i++)
        n = s->text[i] == '\t' ? (n / 8 + 1) * 8 : n + 1;
    return n;
}

static void add_line(struct source *s, size_t from, size_t to, size_t first)
{
    struct line l = {.from = from, .to = to, .first = first};
    if (first != NONE) {
        const struct token *t = &s->tokens.at[first];
        l.goes_on = t->kind == CLOSE || is_among(going_on, s->text + t->from, t->to - t->from);
    }
    vec_push(&s->lines, l);
}

static void find_lines(struct source *s)
{
    size_t from = 0, first = NONE;
    VEC(int) around = {0}; /* columns of the lines that hold this one */
    for (size_t i = 0; i < s->tokens.n; i++) {
        const struct token *t = &s->tokens.at[i];
        if (first == NONE && says_something(t))
            first = i;
        if (t->kind != NEWLINE && i + 1 < s->tokens.n)
            continue;
        add_line(s, from, t->to, first);
        from = t->to;
        first = NONE;
    }
    for (size_t i = 0; i < s->lines.n; i++) {
        struct line *l = &s->lines.at[i];
        int column = columns(s, l);
        if (l->first == NONE)
            continue;
        while (around.n && around.at[around.n - 1] >= column)
            around.n--;
        l->level = (int)around.n;
        vec_push(&around, column);
        s->deepest_line = l->level > s->deepest_line ? l->level : s->deepest_line;
    }
    vec_release(&around);
}

static void read_source(struct source *s, const struct language *l, const char *text, size_t n)
{
    struct scan scan = scan_of(&l->scan, text, n);
    *s = (struct source){.language = l, .text = text, .n = n};
    while (scan.at < n)
        vec_push(&s->tokens, next_token(&scan, l));
    match_brackets(s);
    find_lines(s);
}

/* -- atoms ------------------------------------------------------------------------------------- */

struct piece {
    int file;
    size_t from, to, atom;
    const char *with; /* what stands there instead; NULL: nothing */
};

struct change {
    struct reduction *r;
    struct arena a;
    struct program base;      /* as it was when the atoms were found */
    struct source *sources;   /* its files */
    VEC(struct piece) pieces; /* in the order of the text */
    size_t n_atoms;
    bool *applied;     /* by atom */
    VEC(size_t) left;  /* atoms that are not */
    int level;         /* of the pass that looks for atoms */
    bool drops_commas; /* the one before a closing bracket goes with what stood between */
};

static void change_init(struct change *c, struct reduction *r)
{
    *c = (struct change){.r = r};
    arena_init(&c->a);
    c->base = program_copy(&c->a, &r->best.program);
    c->sources = arena_array(&c->a, struct source, c->base.n_files);
    for (int i = 0; i < c->base.n_files; i++)
        read_source(&c->sources[i], &r->language, c->base.files[i].text, c->base.files[i].size);
}

static void change_release(struct change *c)
{
    for (int i = 0; i < c->base.n_files; i++) {
        vec_release(&c->sources[i].tokens);
        vec_release(&c->sources[i].lines);
    }
    vec_release(&c->pieces);
    vec_release(&c->left);
    arena_release(&c->a);
}

static void add_piece(struct change *c, int file, size_t from, size_t to, const char *with)
{
    vec_push(&c->pieces, (struct piece){file, from, to, c->n_atoms, with});
}

/* The pieces so far are an atom. */
static void end_atom(struct change *c)
{
    c->n_atoms++;
}

static void add_cut(struct change *c, int file, size_t from, size_t to)
{
    if (from < to) {
        add_piece(c, file, from, to, NULL);
        end_atom(c);
    }
}

static int by_place(const void *a, const void *b)
{
    const struct piece *x = a, *y = b;
    int order = ORDER(x->file, y->file);
    order = order ? order : ORDER(x->from, y->from);
    order = order ? order : ORDER(y->to, x->to);
    return order ? order : ORDER(x->atom, y->atom);
}

static void atoms_are_complete(struct change *c)
{
    c->applied = arena_array(&c->a, bool, c->n_atoms + 1);
    for (size_t i = 0; i < c->n_atoms; i++)
        vec_push(&c->left, i);
    vec_sort(&c->pieces, by_place);
}

/* -- text without some atoms ------------------------------------------------------------------- */

struct output {
    char *s;
    size_t n;
};

/* Would the two be read as one token? */
static bool glue(const struct language *l, char a, char b)
{
    static const char marks[] = "+-*/<>=!&|.:~%^#";
    return (scan_in_word(&l->scan, a) && scan_in_word(&l->scan, b)) ||
           (a && b && strchr(marks, a) && strchr(marks, b));
}

static void copy(struct output *out, const struct source *s, size_t from, size_t to, bool after_cut)
{
    if (from >= to)
        return;
    if (after_cut && out->n && glue(s->language, out->s[out->n - 1], s->text[from]))
        out->s[out->n++] = ' ';
    memcpy(out->s + out->n, s->text + from, to - from);
    out->n += to - from;
}

static void drop_comma(struct output *out, const struct source *s, size_t next)
{
    size_t n = out->n;
    while (next < s->n && isspace((unsigned char)s->text[next]))
        next++;
    if (next >= s->n || !s->text[next] || !strchr(")]}", s->text[next]))
        return;
    while (n && isspace((unsigned char)out->s[n - 1]))
        n--;
    if (n && out->s[n - 1] == ',')
        out->n = n - 1;
}

/* Pieces may lie inside of others, and then change nothing. The result is never longer: what
 * replaces something is no longer than it was, and a blank stands for at least one byte. */
static void render(const struct change *c, int file, const bool *also, struct arena *a,
                   struct program_file *out)
{
    const struct source *s = &c->sources[file];
    struct output o = {arena_alloc(a, s->n + 1), 0};
    size_t at = 0;
    bool cut = false;
    for (size_t i = 0; i < c->pieces.n; i++) {
        const struct piece *p = &c->pieces.at[i];
        if (p->file != file || !(c->applied[p->atom] || also[p->atom]) || p->from < at)
            continue;
        copy(&o, s, at, p->from, cut);
        cut = !p->with;
        if (p->with) {
            memcpy(o.s + o.n, p->with, strlen(p->with));
            o.n += strlen(p->with);
        }
        at = p->to;
        if (c->drops_commas)
            drop_comma(&o, s, at);
    }
    copy(&o, s, at, s->n, cut);
    *out = (struct program_file){c->base.files[file].name, o.s, o.n};
}

static enum reduce_made make_without(void *of, size_t from, size_t n, struct arena *a,
                                     struct reduce_case *out)
{
    struct change *c = of;
    const struct program *best = &c->r->best.program;
    bool *also = arena_array(a, bool, c->n_atoms + 1), same = true;
    for (size_t i = from; i < from + n; i++)
        also[c->left.at[i]] = true;
    *out = c->r->best;
    out->program.files = arena_array(a, struct program_file, best->n_files);
    for (int i = 0; i < best->n_files; i++) {
        struct program_file *f = &out->program.files[i];
        render(c, i, also, a, f);
        same &= f->size == best->files[i].size && !memcmp(f->text, best->files[i].text, f->size);
    }
    return same ? REDUCE_REFUSED : REDUCE_MADE;
}

static size_t count_left(void *of)
{
    return ((const struct change *)of)->left.n;
}

static void took(void *of, size_t from, size_t n)
{
    struct change *c = of;
    for (size_t i = from; i < from + n; i++)
        c->applied[c->left.at[i]] = true;
    memmove(c->left.at + from, c->left.at + from + n, (c->left.n - from - n) * sizeof *c->left.at);
    c->left.n -= n;
}

static enum reduce_made make_one(void *of, size_t i, struct arena *a, struct reduce_case *out)
{
    struct change *c = of;
    return i < c->n_atoms ? make_without(c, i, 1, a, out) : REDUCE_END;
}

/* -- what atoms there are: lines and blocks ---------------------------------------------------- */

static void find_comments(struct change *c, int file)
{
    const struct source *s = &c->sources[file];
    for (size_t i = 0; i < s->tokens.n; i++)
        if (s->tokens.at[i].kind == COMMENT)
            add_cut(c, file, s->tokens.at[i].from, s->tokens.at[i].to);
}

static bool is_all_blank(const struct source *s, const struct line *l)
{
    size_t i = l->from; /* a line that says nothing may still have a comment */
    while (i < l->to && isspace((unsigned char)s->text[i]))
        i++;
    return i == l->to;
}

/* Blanks that no reader needs, and most languages neither. Of a run, the first may be needed where
 * the others are not. */
static void find_blank_space(struct change *c, int file)
{
    const struct source *s = &c->sources[file];
    for (size_t i = 0; i < s->lines.n; i++)
        if (is_all_blank(s, &s->lines.at[i]))
            add_cut(c, file, s->lines.at[i].from, s->lines.at[i].to);
    for (size_t i = 0; i < s->tokens.n; i++) {
        const struct token *t = &s->tokens.at[i];
        if (t->kind != BLANK)
            continue;
        char before = t->from ? s->text[t->from - 1] : '\n';
        char after = t->to < s->n ? s->text[t->to] : '\n';
        add_cut(c, file, t->from + 1, t->to);
        if (strchr("\n([", before) || strchr("\n)],;", after))
            add_cut(c, file, t->from, t->from + 1);
    }
}

static void find_every_line(struct change *c, int file)
{
    const struct source *s = &c->sources[file];
    for (size_t i = 0; i < s->lines.n; i++)
        add_cut(c, file, s->lines.at[i].from, s->lines.at[i].to);
}

/* The line after the block that begins with this one. */
static size_t block_end(const struct source *s, size_t head)
{
    size_t i = head + 1;
    while (i < s->lines.n) {
        const struct line *l = &s->lines.at[i];
        bool inside = l->first == NONE || l->level > s->lines.at[head].level ||
                      (l->level == s->lines.at[head].level && l->goes_on);
        if (!inside)
            break;
        i++;
    }
    return i;
}

static void find_blocks(struct change *c, int file)
{
    const struct source *s = &c->sources[file];
    for (size_t i = 0; i < s->lines.n; i++) {
        if (s->lines.at[i].first == NONE || s->lines.at[i].level != c->level)
            continue;
        size_t end = block_end(s, i);
        add_cut(c, file, s->lines.at[i].from, s->lines.at[end - 1].to);
        i = end - 1;
    }
}

static size_t indentation(const struct source *s, const struct line *l)
{
    size_t i = l->from;
    while (i < s->n && is_blank_byte(s->text[i]))
        i++;
    return i - l->from;
}

/* A block without its head and its end: what is inside stays, and moves to the left. */
static void find_heads(struct change *c, int file)
{
    const struct source *s = &c->sources[file];
    for (size_t i = 0; i < s->lines.n; i++) {
        const struct line *head = &s->lines.at[i];
        size_t end = head->first == NONE || head->goes_on ? i + 1 : block_end(s, i);
        size_t left = indentation(s, head), inside = NONE;
        for (size_t k = i; k < end && end > i + 1; k++) {
            const struct line *l = &s->lines.at[k];
            size_t here = indentation(s, l);
            if (l->first == NONE)
                continue;
            if (l->level == head->level)
                add_piece(c, file, l->from, l->to, NULL);
            else if (here > left) {
                inside = inside == NONE ? here : inside;
                add_piece(c, file, l->from, l->from + (here < inside ? here : inside) - left, NULL);
            }
        }
        if (inside != NONE)
            end_atom(c);
    }
}

/* -- statements, members, brackets ------------------------------------------------------------- */

static char first_byte(const struct source *s, size_t token)
{
    return s->text[s->tokens.at[token].from];
}

static bool is_mark(const struct source *s, size_t token, char mark)
{
    const struct token *t = &s->tokens.at[token];
    return t->kind == MARK && t->to == t->from + 1 && s->text[t->from] == mark;
}

static size_t next_telling(const struct source *s, size_t i)
{
    do
        i++;
    while (i < s->tokens.n && !says_something(&s->tokens.at[i]));
    return i;
}

/* Does a statement end with this token? With `;`, with `}` or `end` unless something goes on, with
 * the line of a preprocessor's directive. */
static bool ends_statement(const struct source *s, size_t i, bool directive)
{
    const struct token *t = &s->tokens.at[i];
    if (t->kind == NEWLINE)
        return directive && !(i > 0 && is_mark(s, i - 1, '\\'));
    if (t->kind != CLOSE)
        return is_mark(s, i, ';');
    char c = s->text[t->from];
    size_t next = next_telling(s, i);
    if (c == ')' || c == ']')
        return s->language->lists;
    if (next >= s->tokens.n)
        return true;
    const struct token *n = &s->tokens.at[next];
    return (n->kind == WORD && !is_among(going_on, s->text + n->from, n->to - n->from)) ||
           is_mark(s, next, '#');
}

static bool holds_statements(const struct source *s, size_t open)
{
    return first_byte(s, open) == '{' || isalpha((unsigned char)first_byte(s, open));
}

static void find_statements(struct change *c, int file)
{
    const struct source *s = &c->sources[file];
    bool inside = c->level == 0, telling = false, directive = false, new_line = true;
    size_t from = 0;
    for (size_t i = 0; i < s->tokens.n; i++) {
        const struct token *t = &s->tokens.at[i];
        if (t->depth == c->level - 1 && (t->kind == OPEN || t->kind == CLOSE)) {
            if (t->kind == CLOSE && inside && telling)
                add_cut(c, file, from, t->from);
            inside = t->kind == OPEN && holds_statements(s, i);
            from = t->to;
            telling = directive = false;
        }
        if (t->depth != c->level || !inside)
            continue;
        if (new_line && says_something(t))
            directive = is_mark(s, i, '#') && !s->language->lists;
        new_line = t->kind == NEWLINE || (new_line && !says_something(t));
        telling |= says_something(t);
        if (telling && ends_statement(s, i, directive)) {
            add_cut(c, file, from, t->to);
            from = t->to;
            telling = directive = false;
        }
    }
    if (c->level == 0 && telling)
        add_cut(c, file, from, s->n);
}

/* Members of a list without commas: tokens and brackets one level inside of it. */
static void find_list_members(struct change *c, int file)
{
    const struct source *s = &c->sources[file];
    for (size_t i = 0; i < s->tokens.n; i++) {
        const struct token *t = &s->tokens.at[i];
        if (t->depth != c->level || !says_something(t) || t->kind == CLOSE)
            continue;
        size_t last = t->kind == OPEN ? t->match : i;
        bool blank = last + 1 < s->tokens.n && s->tokens.at[last + 1].kind == BLANK;
        add_cut(c, file, t->from, s->tokens.at[last + blank].to);
    }
}

static void find_members(struct change *c, int file)
{
    const struct source *s = &c->sources[file];
    if (s->language->lists) {
        find_list_members(c, file);
        return;
    }
    c->drops_commas = true;
    for (size_t open = 0; open < s->tokens.n; open++) {
        const struct token *o = &s->tokens.at[open];
        if (o->kind != OPEN || o->depth != c->level)
            continue;
        size_t from = o->to;
        for (size_t i = open + 1; i <= o->match; i++) {
            const struct token *t = &s->tokens.at[i];
            if (i == o->match)
                add_cut(c, file, from, t->from);
            else if (t->depth == c->level + 1 && is_mark(s, i, ',')) {
                add_cut(c, file, from, t->to);
                from = t->to;
            }
        }
    }
}

static bool is_pair(const struct source *s, size_t i)
{
    return s->tokens.at[i].kind == OPEN;
}

static void cut_content(struct change *c, int file, size_t i)
{
    const struct source *s = &c->sources[file];
    if (is_pair(s, i) && s->tokens.at[i].depth == c->level &&
        next_telling(s, i) < s->tokens.at[i].match)
        add_cut(c, file, s->tokens.at[i].to, s->tokens.at[s->tokens.at[i].match].from);
}

static void cut_pair(struct change *c, int file, size_t i)
{
    const struct source *s = &c->sources[file];
    if (is_pair(s, i) && s->tokens.at[i].depth == c->level)
        add_cut(c, file, s->tokens.at[i].from, s->tokens.at[s->tokens.at[i].match].to);
}

/* Where what a bracket holds begins: `if c then x end` holds x. */
static size_t head_end(const struct source *s, size_t open)
{
    const struct token *o = &s->tokens.at[open];
    for (size_t i = open + 1; i < o->match && s->language->then; i++) {
        const struct token *t = &s->tokens.at[i];
        if (t->kind == WORD && t->depth == o->depth + 1 &&
            is_among(s->language->then, s->text + t->from, t->to - t->from))
            return t->to;
    }
    return o->to;
}

static void cut_wrapping(struct change *c, int file, size_t i)
{
    const struct source *s = &c->sources[file];
    if (is_pair(s, i)) {
        const struct token *open = &s->tokens.at[i], *close = &s->tokens.at[open->match];
        bool word = isalpha((unsigned char)first_byte(s, i));
        add_piece(c, file, open->from, word ? head_end(s, i) : open->to, NULL);
        add_piece(c, file, close->from, close->to, NULL);
        end_atom(c);
    }
}

/* (f a b) becomes a; f(a, b) as well. The order of atoms is outside in, and left to right. */
static void hoist_from(struct change *c, int file, size_t i)
{
    const struct source *s = &c->sources[file];
    if (!is_pair(s, i) || first_byte(s, i) != '(')
        return;
    const struct token *open = &s->tokens.at[i], *close = &s->tokens.at[open->match];
    bool called = !s->language->lists && i > 0 && s->tokens.at[i - 1].kind == WORD;
    size_t from = called ? s->tokens.at[i - 1].from : open->from;
    for (size_t k = i + 1; k < open->match; k++) {
        const struct token *t = &s->tokens.at[k];
        if (t->depth != open->depth + 1 || t->kind == CLOSE || t->kind == MARK ||
            !says_something(t))
            continue;
        size_t to = t->kind == OPEN ? s->tokens.at[t->match].to : t->to;
        add_piece(c, file, from, t->from, NULL);
        add_piece(c, file, to, close->to, NULL);
        end_atom(c);
    }
}

/* -- tokens ------------------------------------------------------------------------------------ */

static void cut_token(struct change *c, int file, size_t i)
{
    const struct source *s = &c->sources[file];
    const struct token *t = &s->tokens.at[i];
    bool blank = i + 1 < s->tokens.n && s->tokens.at[i + 1].kind == BLANK;
    if (says_something(t) && t->kind != OPEN && t->kind != CLOSE)
        add_cut(c, file, t->from, blank ? s->tokens.at[i + 1].to : t->to);
}

static const int window_widths[] = {8, 6, 4, 3, 2};
enum { WINDOWS = sizeof window_widths / sizeof *window_widths };

/* The last token of the window of this width; NONE where brackets in it lack their partners. */
static size_t window_end(const struct source *s, size_t first, int width)
{
    size_t last = first;
    for (size_t i = first; i < s->tokens.n && width > 0; i++) {
        const struct token *t = &s->tokens.at[i];
        if (!says_something(t))
            continue;
        if (t->kind == CLOSE && t->match < first)
            return NONE;
        last = i;
        width--;
    }
    for (size_t i = first; i <= last; i++)
        if (s->tokens.at[i].kind == OPEN && s->tokens.at[i].match > last)
            return NONE;
    return width ? NONE : last;
}

static void cut_window(struct change *c, int file, size_t i)
{
    const struct source *s = &c->sources[file];
    size_t last =
        says_something(&s->tokens.at[i]) ? window_end(s, i, window_widths[c->level]) : NONE;
    if (last != NONE)
        add_cut(c, file, s->tokens.at[i].from, s->tokens.at[last].to);
}

static void cut_string(struct change *c, int file, size_t i)
{
    const struct source *s = &c->sources[file];
    if (s->tokens.at[i].kind == STRING && first_byte(s, i) != '[')
        add_cut(c, file, s->tokens.at[i].from + 1, s->tokens.at[i].to - 1);
}

static bool is_number(const struct source *s, size_t i, const char *number)
{
    const struct token *t = &s->tokens.at[i];
    return t->kind == NUMBER && t->to - t->from == strlen(number) &&
           !memcmp(s->text + t->from, number, strlen(number));
}

static void simplify_number(struct change *c, int file, size_t i)
{
    const struct source *s = &c->sources[file];
    const struct token *t = &s->tokens.at[i];
    bool simplest = is_number(s, i, "0") || (c->level == 1 && is_number(s, i, "1"));
    if (t->kind != NUMBER || simplest)
        return;
    add_piece(c, file, t->from, t->to, c->level == 0 ? "0" : "1");
    end_atom(c);
}

/* The first half of the digits. */
static void halve_digits(struct change *c, int file, size_t i)
{
    const struct source *s = &c->sources[file];
    const struct token *t = &s->tokens.at[i];
    size_t n = t->to - t->from, digits = 0;
    while (digits < n && isdigit((unsigned char)s->text[t->from + digits]))
        digits++;
    if (t->kind == NUMBER && digits == n)
        add_cut(c, file, t->from + (n + 1) / 2, t->to);
}

/* -- names ------------------------------------------------------------------------------------- */

static const char *short_name(struct arena *a, size_t i)
{
    char letter = (char)('a' + i % 26);
    return i < 26 ? arena_printf(a, "%c", letter) : arena_printf(a, "%c%zu", letter, i / 26 - 1);
}

/* All words of the program, by their text, in order. */
static void list_words(const struct change *c, struct map *words)
{
    for (int f = 0; f < c->base.n_files; f++)
        for (size_t i = 0; i < c->sources[f].tokens.n; i++) {
            const struct token *t = &c->sources[f].tokens.at[i];
            if (t->kind == WORD || t->kind == OPEN || t->kind == CLOSE)
                map_put(words, c->sources[f].text + t->from, t->to - t->from, NULL);
        }
}

static void rename_word(struct change *c, const struct map_entry *word, const char *name)
{
    for (int f = 0; f < c->base.n_files; f++)
        for (size_t i = 0; i < c->sources[f].tokens.n; i++) {
            const struct source *s = &c->sources[f];
            const struct token *t = &s->tokens.at[i];
            if (t->kind == WORD && t->to - t->from == word->key_size &&
                !memcmp(s->text + t->from, word->key, word->key_size))
                add_piece(c, f, t->from, t->to, name);
        }
    end_atom(c);
}

/* Each name gets a new one that nothing else has, in all files at once. */
static void find_names(struct change *c, int file)
{
    const struct language *l = c->sources[0].language;
    struct map words;
    size_t used = 0;
    if (file > 0)
        return;
    map_init(&words);
    list_words(c, &words);
    for (size_t i = 0; i < words.n; i++) {
        const struct map_entry *word = &words.entries[i];
        const char *name = short_name(&c->a, used);
        if (word->key_size < 2 || is_among(known, word->key, word->key_size) ||
            language_is_keyword(l, word->key, word->key_size) ||
            language_is_type(l, word->key, word->key_size) || !scan_in_word(&scan_c, word->key[0]))
            continue;
        while (map_find_str(&words, name))
            name = short_name(&c->a, ++used);
        if (strlen(name) >= word->key_size)
            continue;
        rename_word(c, word, name);
        used++;
    }
    map_release(&words);
}

/* -- passes ------------------------------------------------------------------------------------ */

/* What the level of a pass counts. */
enum levels { ONE, TWO, BRACKETS, INDENTATION, WIDTHS };

struct text_pass {
    const char *name;
    void (*find)(struct change *c, int file);           /* the atoms of a file, */
    void (*each)(struct change *c, int file, size_t i); /* or those that begin with a token */
    enum levels levels;
    size_t most;   /* of atoms at once, as in struct reduce_atoms */
    bool one_each; /* atoms get in each other's way: one at a time, then find them anew */
};

static const struct text_pass uncommenting[] = {{"comments", find_comments, NULL, ONE, 0, false}};

static const struct text_pass passes[] = {
    {"blocks", find_blocks, NULL, INDENTATION, 0, false},
    {"statements", find_statements, NULL, BRACKETS, 0, false},
    {"lines", find_every_line, NULL, ONE, 0, false},
    {"members", find_members, NULL, BRACKETS, 0, false},
    {"contents", NULL, cut_content, BRACKETS, 0, false},
    {"pairs", NULL, cut_pair, BRACKETS, 0, false},
    {"hoists", NULL, hoist_from, ONE, 0, true},
    {"wrappings", NULL, cut_wrapping, ONE, 0, false},
    {"heads", find_heads, NULL, ONE, 0, true},
    {"tokens", NULL, cut_token, ONE, 16, false},
    {"windows", NULL, cut_window, WIDTHS, 0, true},
    {"strings", NULL, cut_string, ONE, 0, false},
    {"numbers", NULL, simplify_number, TWO, 0, false},
    {"digits", NULL, halve_digits, ONE, 0, false},
};

/* Indentation goes last: blocks are known by it. */
static const struct text_pass polishing[] = {
    {"names", find_names, NULL, ONE, 0, false},
    {"comments", find_comments, NULL, ONE, 0, false},
    {"blank space", find_blank_space, NULL, ONE, 0, false},
};

static int last_level(const struct change *c, enum levels levels)
{
    int last = levels == TWO ? 1 : levels == WIDTHS ? WINDOWS - 1 : 0;
    for (int i = 0; i < c->base.n_files; i++) {
        const struct source *s = &c->sources[i];
        if (levels == BRACKETS && s->deepest > last)
            last = s->deepest;
        if (levels == INDENTATION && s->deepest_line > last)
            last = s->deepest_line;
    }
    return last;
}

/* The atoms of the best. */
static void find_atoms(struct change *c, struct reduction *r, const struct text_pass *pass,
                       int level)
{
    change_init(c, r);
    c->level = level;
    for (int i = 0; i < c->base.n_files; i++) {
        if (pass->find)
            pass->find(c, i);
        for (size_t k = 0; pass->each && k < c->sources[i].tokens.n; k++)
            pass->each(c, i, k);
    }
    atoms_are_complete(c);
}

static int run_one_each(struct reduction *r, const struct text_pass *pass, int level,
                        struct error *e)
{
    size_t at = 0;
    int kept = 0, found = 1;
    while (found == 1) {
        struct change c;
        find_atoms(&c, r, pass, level);
        struct reduce_space space = {&c, make_one};
        found = reduction_first(r, &space, &at, e);
        kept += found > 0;
        change_release(&c);
    }
    return found < 0 ? -1 : kept;
}

static int run_together(struct reduction *r, const struct text_pass *pass, int level,
                        struct error *e)
{
    struct change c;
    find_atoms(&c, r, pass, level);
    const struct reduce_atoms atoms = {
        .of = &c, .count = count_left, .make = make_without, .took = took, .most = pass->most};
    int kept = reduction_atoms(r, &atoms, e);
    change_release(&c);
    return kept;
}

static bool has_level(struct reduction *r, const struct text_pass *pass, int level)
{
    struct change c;
    change_init(&c, r);
    bool has = level <= last_level(&c, pass->levels);
    change_release(&c);
    return has;
}

static int run_passes(struct reduction *r, const struct text_pass *table, size_t n, struct error *e)
{
    int kept = 0;
    for (size_t i = 0; i < n; i++) {
        r->pass = table[i].name;
        for (int level = 0; has_level(r, &table[i], level); level++) {
            int more = table[i].one_each ? run_one_each(r, &table[i], level, e)
                                         : run_together(r, &table[i], level, e);
            if (more < 0)
                return -1;
            kept += more;
        }
    }
    return kept;
}

/* -- files ------------------------------------------------------------------------------------- */

static enum reduce_made make_without_file(void *of, size_t i, struct arena *a,
                                          struct reduce_case *out)
{
    const struct reduction *r = of;
    const struct program *p = &r->best.program;
    int at = 0;
    if (p->n_files < 2 || i >= (size_t)p->n_files)
        return REDUCE_END;
    *out = r->best;
    out->program.files = arena_array(a, struct program_file, p->n_files);
    for (int k = 0; k < p->n_files; k++)
        if ((size_t)k != i)
            out->program.files[at++] = p->files[k];
    out->program.n_files = at;
    return REDUCE_MADE;
}

static int drop_files(struct reduction *r, struct error *e)
{
    struct reduce_space space = {r, make_without_file};
    size_t at = 0;
    int kept = 0, found;
    r->pass = "files";
    while ((found = reduction_first(r, &space, &at, e)) == 1)
        kept++;
    return found < 0 ? -1 : kept;
}

/* -- the whole --------------------------------------------------------------------------------- */

#define TABLE(t) t, sizeof t / sizeof *t

int reduce_text(struct reduction *r, struct error *e)
{
    int kept = run_passes(r, TABLE(uncommenting), e);
    int round = kept, files = 0;
    while (round >= 0) {
        files = drop_files(r, e);
        round = files < 0 ? -1 : run_passes(r, TABLE(passes), e);
        if (round < 0 || files + round == 0)
            break;
        kept += files + round;
    }
    int polished = round < 0 ? -1 : run_passes(r, TABLE(polishing), e);
    return polished < 0 ? -1 : kept + polished;
}
