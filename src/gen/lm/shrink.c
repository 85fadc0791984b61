/* Each step marks lexemes that go, then all marked ones are taken out at once. What is used is told
 * by counting how often an entity is mentioned. */
#include "gen/lm/shrink.h"

#include <string.h>

enum { ROUNDS = 12, MOST_PARAMETERS = 64 };

struct shrinking {
    lm_lexemes *l;
    const struct outline *outline;
    uint32_t root;
    uint32_t *mentions; /* by entity: lexemes */
    bool *gone;         /* by lexeme */
    bool changed;
};

static uint8_t kind_of(const struct shrinking *s, const struct lm_lexeme *l)
{
    return s->outline->entities[l->entity].kind;
}

static void count_mentions(struct shrinking *s)
{
    memset(s->mentions, 0, s->outline->n_entities * sizeof *s->mentions);
    for (size_t i = 0; i < s->l->n; i++)
        s->mentions[s->l->at[i].entity]++;
    memset(s->gone, 0, s->l->n * sizeof *s->gone);
}

static void go(struct shrinking *s, size_t from, size_t to)
{
    memset(s->gone + from, 1, to - from);
}

static void take_out(struct shrinking *s)
{
    size_t n = 0;
    for (size_t i = 0; i < s->l->n; i++)
        if (!s->gone[i])
            s->l->at[n++] = s->l->at[i];
    s->changed |= n < s->l->n;
    s->l->n = n;
}

static size_t end_of_piece(const struct shrinking *s, size_t i)
{
    size_t end = i;
    while (end < s->l->n && s->l->at[end].piece == s->l->at[i].piece)
        end++;
    return end;
}

/* -- names of builtin types ------------------------------------------------------------------- */

struct alias {
    size_t at, n; /* its words, among those that are kept; n 0: it is none */
};

/* `typedef unsigned int NAME;`: the number of words between; 0: it is something else. */
static size_t alias_words(const struct shrinking *s, const struct lm_lexeme *l, size_t n)
{
    if (n < 4 || !lm_lexeme_is(&l[0], "typedef") || !lm_is_sign(&l[n - 1], ';') ||
        !l[n - 2].declares || kind_of(s, &l[n - 2]) != OUTLINE_TYPEDEF)
        return 0;
    for (size_t i = 1; i < n - 2; i++)
        if (!lm_lexeme_is_type(&l[i]) || lm_lexeme_is(&l[i], "struct") ||
            lm_lexeme_is(&l[i], "union") || lm_lexeme_is(&l[i], "enum"))
            return 0;
    return n - 3;
}

static void push_resolved(const struct lm_lexeme *l, const struct alias *aliases,
                          const lm_lexemes *words, lm_lexemes *out)
{
    const struct alias *a = &aliases[l->entity];
    if (!l->entity || !a->n || l->declares) {
        vec_push(out, *l);
        return;
    }
    for (size_t i = 0; i < a->n; i++) {
        struct lm_lexeme word = words->at[a->at + i];
        word.piece = l->piece;
        vec_push(out, word);
    }
}

static void resolve_aliases(struct shrinking *s)
{
    lm_lexemes out = {0}, words = {0};
    size_t size = s->outline->n_entities * sizeof(struct alias);
    struct alias *aliases = mem_alloc(size);
    memset(aliases, 0, size);
    for (size_t i = 0, end; i < s->l->n; i = end) {
        size_t first = out.n;
        end = end_of_piece(s, i);
        for (size_t k = i; k < end; k++)
            push_resolved(&s->l->at[k], aliases, &words, &out);
        size_t n = alias_words(s, out.at + first, out.n - first);
        if (!n)
            continue;
        aliases[out.at[out.n - 2].entity] = (struct alias){.at = words.n, .n = n};
        for (size_t k = 0; k < n; k++)
            vec_push(&words, out.at[first + 1 + k]);
        out.n = first;
    }
    vec_release(s->l);
    s->l->at = out.at;
    s->l->n = out.n;
    s->l->cap = out.cap;
    vec_release(&words);
    free(aliases);
}

/* -- parameters ------------------------------------------------------------------------------- */

/* What stands between the parentheses at `open`, by commas: `begin[k]` to `begin[k + 1] - 1`. */
struct parts {
    size_t begin[MOST_PARAMETERS + 2];
    int n;
};

static bool split(const struct shrinking *s, size_t open, struct parts *out)
{
    size_t close = lm_behind_bracket(s->l->at, s->l->n, open) - 1;
    out->n = 0;
    if (close >= s->l->n || !lm_is_sign(&s->l->at[close], ')'))
        return false;
    if (close == open + 1)
        return true;
    out->begin[0] = open + 1;
    for (size_t i = open + 1; i <= close; i++) {
        if (lm_is_sign(&s->l->at[i], ',') || i == close) {
            out->begin[++out->n] = i + 1;
            if (out->n > MOST_PARAMETERS)
                return false;
        } else if (lm_bracket(&s->l->at[i]) > 0) {
            i = lm_behind_bracket(s->l->at, s->l->n, i) - 1;
        }
    }
    return true;
}

/* Something that is to happen when the argument is evaluated. */
static bool has_effect(const struct shrinking *s, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        const struct lm_lexeme *l = &s->l->at[i];
        bool assigns = l->kind == LM_LEX_SIGN && l->s[l->n - 1] == '=' && l->n != 2;
        if (assigns || lm_lexeme_is(l, "++") || lm_lexeme_is(l, "--") ||
            (l->kind == LM_LEX_SIGN && l->n == 2 && l->s[1] == '=' && strchr("+-*/%&|^", *l->s)))
            return true;
    }
    return false;
}

/* The parameter's entity; 0: it has no name. */
static uint32_t parameter(const struct shrinking *s, const struct parts *p, int k)
{
    for (size_t i = p->begin[k]; i + 1 < p->begin[k + 1]; i++)
        if (s->l->at[i].declares && kind_of(s, &s->l->at[i]) == OUTLINE_LOCAL)
            return s->l->at[i].entity;
    return 0;
}

static size_t find_definition(const struct shrinking *s, uint32_t function)
{
    for (size_t i = 0; i + 1 < s->l->n; i++) {
        const struct lm_lexeme *l = &s->l->at[i];
        if (l->entity != function || !l->declares || !lm_is_sign(l + 1, '('))
            continue;
        size_t behind = lm_behind_bracket(s->l->at, s->l->n, i + 1);
        if (behind < s->l->n && lm_is_sign(&s->l->at[behind], '{'))
            return i;
    }
    return s->l->n;
}

/* May parameter k go: is each mention of the function a call or declaration of so many? */
static bool may_lose(const struct shrinking *s, uint32_t function, int n, int k)
{
    for (size_t i = 0; i < s->l->n; i++) {
        struct parts p;
        if (s->l->at[i].entity != function)
            continue;
        if (i + 1 >= s->l->n || !lm_is_sign(&s->l->at[i + 1], '(') || !split(s, i + 1, &p) ||
            p.n != n || has_effect(s, p.begin[k], p.begin[k + 1] - 1))
            return false;
    }
    return true;
}

/* Parameter or argument k of every mention. A list that is empty then: `(void)` is for the printer,
 * an empty one means the same here. */
static void lose(struct shrinking *s, uint32_t function, int k)
{
    for (size_t i = 0; i + 1 < s->l->n; i++) {
        struct parts p;
        if (s->l->at[i].entity != function || !split(s, i + 1, &p))
            continue;
        size_t from = p.begin[k], to = p.begin[k + 1] - 1;
        if (k + 1 < p.n)
            to++; /* its comma */
        else if (k)
            from--;
        go(s, from, to);
    }
}

/* One parameter of the function that nobody uses. True: there was one, and it is marked. */
static bool lose_parameter(struct shrinking *s, uint32_t function)
{
    struct parts p;
    size_t at = find_definition(s, function);
    if (at == s->l->n || !split(s, at + 1, &p))
        return false;
    for (int k = p.n - 1; k >= 0; k--) {
        uint32_t entity = parameter(s, &p, k);
        if (!entity || s->mentions[entity] != 1 || !may_lose(s, function, p.n, k))
            continue;
        lose(s, function, k);
        return true;
    }
    return false;
}

static void lose_parameters(struct shrinking *s)
{
    for (size_t i = 0; i < s->l->n; i++) {
        uint32_t function = s->l->at[i].entity;
        if (!s->l->at[i].declares || kind_of(s, &s->l->at[i]) != OUTLINE_FUNCTION)
            continue;
        for (int k = 0; k < MOST_PARAMETERS; k++) {
            count_mentions(s);
            if (!lose_parameter(s, function))
                break;
            take_out(s);
        }
    }
}

/* -- members ---------------------------------------------------------------------------------- */

/* Does an initialiser in braces follow a type of the program's own? It may count members. */
static bool has_initialisers(const struct shrinking *s)
{
    bool own = false;
    for (size_t i = 1; i < s->l->n; i++) {
        const struct lm_lexeme *l = &s->l->at[i];
        if (lm_is_sign(l, ';') || lm_is_sign(l, '{') || lm_is_sign(l, '}'))
            own = false;
        own |= l->type;
        if (i + 1 < s->l->n && lm_is_sign(l + 1, '{') && own &&
            (lm_is_sign(l, '=') || (lm_is_sign(l, ')') && s->l->at[i - 1].type)))
            return true;
    }
    return false;
}

/* Members in [from, to) are used by nobody, and there is at least one. */
static bool is_unused(const struct shrinking *s, size_t from, size_t to)
{
    bool any = false;
    for (size_t i = from; i < to; i++) {
        if (lm_is_sign(&s->l->at[i], '{'))
            return false;
        if (!s->l->at[i].declares || kind_of(s, &s->l->at[i]) != OUTLINE_MEMBER)
            continue;
        if (s->mentions[s->l->at[i].entity] != 1)
            return false;
        any = true;
    }
    return any;
}

/* The record whose brace is at `open`: its first member stays where no other does. */
static void lose_members_of(struct shrinking *s, size_t open)
{
    size_t close = lm_behind_bracket(s->l->at, s->l->n, open) - 1;
    size_t first = 0;
    bool kept = false;
    for (size_t i = open + 1, begin = i; i < close; i++) {
        if (lm_is_sign(&s->l->at[i], '{'))
            i = lm_behind_bracket(s->l->at, s->l->n, i) - 1;
        if (!lm_is_sign(&s->l->at[i], ';'))
            continue;
        if (!is_unused(s, begin, i))
            kept = true;
        else
            go(s, begin, i + 1);
        if (!first)
            first = i + 1;
        begin = i + 1;
    }
    if (!kept && first)
        memset(s->gone + open + 1, 0, first - open - 1);
}

static bool is_record_word(const struct lm_lexeme *l)
{
    return lm_lexeme_is(l, "struct") || lm_lexeme_is(l, "union");
}

static void lose_members(struct shrinking *s)
{
    count_mentions(s);
    if (has_initialisers(s))
        return;
    for (size_t i = 0; i + 2 < s->l->n; i++) {
        const struct lm_lexeme *l = &s->l->at[i];
        if (is_record_word(l) && (lm_is_sign(l + 1, '{') || lm_is_sign(l + 2, '{')))
            lose_members_of(s, lm_is_sign(l + 1, '{') ? i + 1 : i + 2);
    }
    take_out(s);
}

/* -- tags and declarations -------------------------------------------------------------------- */

static void lose_tags(struct shrinking *s)
{
    count_mentions(s);
    for (size_t i = 0; i + 3 < s->l->n; i++) {
        const struct lm_lexeme *l = &s->l->at[i];
        if (lm_lexeme_is(l, "typedef") && is_record_word(l + 1) && lm_is_sign(l + 3, '{') &&
            s->mentions[l[2].entity] == 1)
            s->gone[i + 2] = true;
    }
    take_out(s);
}

/* Is something that [from, to) declares at file scope mentioned outside? */
static bool is_needed(const struct shrinking *s, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        const struct lm_lexeme *l = &s->l->at[i];
        uint8_t kind = kind_of(s, l);
        if (!l->declares || kind == OUTLINE_LOCAL || kind == OUTLINE_MEMBER ||
            kind == OUTLINE_LABEL)
            continue;
        uint32_t inside = 0;
        for (size_t k = from; k < to; k++)
            inside += s->l->at[k].entity == l->entity;
        if (s->mentions[l->entity] > inside)
            return true;
    }
    return false;
}

static void lose_declarations(struct shrinking *s)
{
    count_mentions(s);
    for (size_t i = 0, end; i < s->l->n; i = end) {
        end = end_of_piece(s, i);
        if (s->l->at[i].piece != s->root && !is_needed(s, i, end))
            go(s, i, end);
    }
    take_out(s);
}

/* -- what is too large ------------------------------------------------------------------------ */

enum { LONG_LIST = 32, SHORT_LIST = 16 /* values */ };

/* Lists of values without braces in them; what is missing is zero. */
static void cut_lists(struct shrinking *s)
{
    count_mentions(s);
    for (size_t i = 1; i < s->l->n; i++) {
        if (!lm_is_sign(&s->l->at[i], '{') || !lm_is_sign(&s->l->at[i - 1], '='))
            continue;
        size_t end = lm_behind_bracket(s->l->at, s->l->n, i), cut = 0;
        int values = 0;
        bool flat = true;
        for (size_t k = i + 1; k + 1 < end && flat; k++) {
            flat = !lm_is_sign(&s->l->at[k], '{');
            values += lm_is_sign(&s->l->at[k], ',');
            if (values == SHORT_LIST && !cut)
                cut = k;
        }
        if (flat && values >= LONG_LIST)
            go(s, cut, end - 1);
    }
    take_out(s);
}

/* The function with the largest definition, the root aside; 0: there is no other. */
static uint32_t largest_function(const struct shrinking *s)
{
    uint32_t function = 0;
    size_t largest = 0;
    for (size_t i = 0, end; i < s->l->n; i = end) {
        end = end_of_piece(s, i);
        if (s->l->at[i].piece == s->root || end - i <= largest ||
            !lm_is_sign(&s->l->at[end - 1], '}'))
            continue;
        for (size_t k = i; k + 1 < end; k++)
            if (s->l->at[k].declares && kind_of(s, &s->l->at[k]) == OUTLINE_FUNCTION) {
                function = s->l->at[k].entity;
                largest = end - i;
                break;
            }
    }
    return function;
}

static bool begins_statement(const struct shrinking *s, size_t i)
{
    const struct lm_lexeme *before = &s->l->at[i - 1];
    if (!lm_is_sign(before, ')'))
        return lm_is_sign(before, ';') || lm_is_sign(before, '{') || lm_is_sign(before, '}') ||
               lm_lexeme_is(before, "else");
    int depth = 0; /* the head of a loop or condition? */
    for (size_t k = i; k-- > 1;) {
        depth += lm_is_sign(&s->l->at[k], ')');
        depth -= lm_is_sign(&s->l->at[k], '(');
        if (!depth)
            return lm_lexeme_is(&s->l->at[k - 1], "if") || lm_lexeme_is(&s->l->at[k - 1], "for") ||
                   lm_lexeme_is(&s->l->at[k - 1], "while");
    }
    return false;
}

static void drop_call(struct shrinking *s, size_t i)
{
    bool call = i + 1 < s->l->n && lm_is_sign(&s->l->at[i + 1], '(');
    size_t behind = call ? lm_behind_bracket(s->l->at, s->l->n, i + 1) : i + 1;
    go(s, i, behind);
    if (call && behind < s->l->n && lm_is_sign(&s->l->at[behind], ';') && begins_statement(s, i))
        return;
    s->gone[i] = false;
    s->l->at[i].s = "0";
    s->l->at[i].n = 1;
    s->l->at[i].kind = LM_LEX_NUMBER;
    s->l->at[i].entity = 0;
}

static void drop_function(struct shrinking *s, uint32_t function)
{
    count_mentions(s);
    for (size_t i = 0, end; i < s->l->n; i = end) {
        bool declares = false;
        end = end_of_piece(s, i);
        for (size_t k = i; k < end; k++)
            declares |= s->l->at[k].entity == function && s->l->at[k].declares;
        for (size_t k = i; k < end; k++)
            if (s->l->at[k].entity == function && !declares)
                drop_call(s, k);
        if (declares)
            go(s, i, end);
    }
    take_out(s);
}

/* -- the whole -------------------------------------------------------------------------------- */

static void begin(struct shrinking *s)
{
    s->mentions = mem_alloc(s->outline->n_entities * sizeof *s->mentions);
    s->gone = mem_alloc((s->l->n + 1) * sizeof *s->gone);
}

static void end(struct shrinking *s)
{
    free(s->mentions);
    free(s->gone);
}

static void settle(struct shrinking *s)
{
    for (int round = 0; round < ROUNDS; round++) {
        s->changed = false;
        lose_parameters(s);
        lose_members(s);
        lose_tags(s);
        lose_declarations(s);
        if (!s->changed)
            break;
    }
}

void lm_shrink(lm_lexemes *program, const struct outline *l, uint32_t root)
{
    struct shrinking s = {.l = program, .outline = l, .root = root};
    resolve_aliases(&s);
    begin(&s);
    settle(&s);
    end(&s);
}

bool lm_shrink_below(lm_lexemes *program, const struct outline *l, uint32_t root, size_t most)
{
    struct shrinking s = {.l = program, .outline = l, .root = root};
    begin(&s);
    cut_lists(&s);
    for (uint32_t function; program->n > most && (function = largest_function(&s));) {
        drop_function(&s, function);
        lose_declarations(&s);
    }
    settle(&s);
    end(&s);
    return program->n <= most;
}
