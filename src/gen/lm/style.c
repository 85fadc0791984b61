/* Tokens, and tokens laid out.
 *
 * Statements are found by recursive descent over brackets, keywords and semicolons; what is in
 * them, expressions and declarations alike, is a run of tokens with blanks by what stands on either
 * side. Whether `*` multiplies or points is decided by the token before it: that takes knowing
 * which words are types, and nothing else of the grammar. */
#include "gen/lm/style.h"

#include "base/scan.h"

#include <ctype.h>
#include <string.h>

/* -- tokens ----------------------------------------------------------------------------------- */

bool lm_lexeme_is(const struct lm_lexeme *l, const char *text)
{
    return strlen(text) == l->n && !memcmp(l->s, text, l->n);
}

bool lm_is_sign(const struct lm_lexeme *l, char c)
{
    return l->kind == LM_LEX_SIGN && l->n == 1 && *l->s == c;
}

int lm_bracket(const struct lm_lexeme *l)
{
    return l->kind != LM_LEX_SIGN ? 0 : strchr("([{", *l->s) ? 1 : strchr(")]}", *l->s) ? -1 : 0;
}

size_t lm_behind_bracket(const struct lm_lexeme *l, size_t n, size_t i)
{
    for (int depth = 0; i < n; i++) {
        depth += lm_bracket(&l[i]);
        if (depth <= 0 && l[i].kind == LM_LEX_SIGN)
            return i + 1;
    }
    return n;
}

static bool is_one_of(const struct lm_lexeme *l, const char *words)
{
    return scan_listed(words, l->s, l->n);
}

/* In a literal any byte may stand; elsewhere what is printed in ASCII. */
static bool is_plain(const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (s[i] <= ' ' || s[i] > '~')
            return false;
    return true;
}

int lm_lex(const char *text, size_t n, lm_lexemes *out)
{
    static const uint8_t kinds[] = {[SCAN_WORD] = LM_LEX_WORD,
                                    [SCAN_NUMBER] = LM_LEX_NUMBER,
                                    [SCAN_STRING] = LM_LEX_TEXT,
                                    [SCAN_MARK] = LM_LEX_SIGN};
    struct scan s = scan_of(&scan_c, text, n);
    for (;;) {
        if (scan_space(&s) || scan_directive(&s))
            continue;
        struct scan_token t = scan_token(&s);
        if (t.kind == SCAN_END)
            return 0;
        if (t.open || (t.kind != SCAN_STRING && !is_plain(text + t.from, t.to - t.from)))
            return -1;
        vec_push(out, (struct lm_lexeme){.s = text + t.from,
                                         .n = (uint32_t)(t.to - t.from),
                                         .at = (uint32_t)t.from,
                                         .kind = kinds[t.kind]});
    }
}

/* -- one spelling ----------------------------------------------------------------------------- */

/* Several ways to write a word, the one that stays; "": it goes. */
static const struct spelling {
    const char *from, *to;
} spellings[] = {
    {"__kernel", "kernel"},
    {"__global", "global"},
    {"__local", "local"},
    {"__constant", "constant"},
    {"__private", "private"},
    {"__generic", "generic"},
    {"__read_only", "read_only"},
    {"__write_only", "write_only"},
    {"__read_write", "read_write"},
    {"__const", "const"},
    {"__const__", "const"},
    {"__volatile", "volatile"},
    {"__volatile__", "volatile"},
    {"__signed", "signed"},
    {"__signed__", "signed"},
    {"__restrict", "restrict"},
    {"__restrict__", "restrict"},
    {"__typeof", "typeof"},
    {"__typeof__", "typeof"},
    {"__alignof", "_Alignof"},
    {"__alignof__", "_Alignof"},
    {"__complex__", "_Complex"},
    {"__real", "__real__"},
    {"__imag", "__imag__"},
    {"inline", ""},
    {"__inline", ""},
    {"__inline__", ""},
    {"register", ""},
    {"__extension__", ""},
    {"_Noreturn", ""},
};

/* Attributes without which a program may not compile, or means something else to the compiler. */
static const char kept_attributes[] =
    " vector_size __vector_size__ ext_vector_type mode __mode__ packed __packed__ may_alias "
    "__may_alias__ ";
static const char assembly[] = " asm __asm __asm__ ";

static bool is_dropped_attribute(const struct lm_lexeme *l, size_t n, size_t i, size_t *behind)
{
    if (!lm_lexeme_is(&l[i], "__attribute__") && !lm_lexeme_is(&l[i], "__attribute"))
        return false;
    *behind = i + 1 < n ? lm_behind_bracket(l, n, i + 1) : n;
    for (size_t k = i; k < *behind; k++)
        if (is_one_of(&l[k], kept_attributes))
            return false;
    return true;
}

static const char *spelling_of(const struct lm_lexeme *l)
{
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++)
        if (lm_lexeme_is(l, spellings[i].from))
            return spellings[i].to;
    return NULL;
}

int lm_style_clean(lm_lexemes *l)
{
    size_t n = 0, behind;
    for (size_t i = 0; i < l->n; i++) {
        struct lm_lexeme one = l->at[i];
        if (one.kind == LM_LEX_WORD && !one.entity) {
            if (is_one_of(&one, assembly))
                return -1;
            if (is_dropped_attribute(l->at, l->n, i, &behind)) {
                i = behind - 1;
                continue;
            }
            const char *to = spelling_of(&one);
            if (to && !*to)
                continue;
            if (to)
                one.s = to, one.n = (uint32_t)strlen(to);
        }
        l->at[n++] = one;
    }
    l->n = n;
    return 0;
}

/* -- blanks ----------------------------------------------------------------------------------- */

struct printer {
    const struct lm_lexeme *l;
    size_t n;
    uint32_t *match; /* by lexeme: the bracket that it opens or closes */
    struct strbuf *out;
    int depth; /* of indentation */
    bool bad;
};

static const char type_words[] =
    " void char short int long float double half signed unsigned bool _Bool _Complex uchar "
    "ushort uint ulong size_t ptrdiff_t intptr_t uintptr_t const volatile restrict global "
    "local constant private generic struct union enum static extern typedef auto read_only "
    "write_only read_write sampler_t event_t kernel __int128 _Float128 __float128 _Atomic "
    "va_list __builtin_va_list typeof ";
static const char vector_words[] =
    " char uchar short ushort int uint long ulong float double half ";
static const char statement_words[] =
    " return case else goto do sizeof _Alignof __real__ __imag__ ";
static const char control_words[] = " if for while switch return case ";

static bool is_vector_type(const struct lm_lexeme *l)
{
    uint32_t n = l->n;
    while (n > 1 && isdigit((unsigned char)l->s[n - 1]))
        n--;
    struct lm_lexeme stem = {.s = l->s, .n = n};
    return n < l->n && l->n - n <= 2 && is_one_of(&stem, vector_words);
}

static bool is_type(const struct lm_lexeme *l)
{
    if (l->kind != LM_LEX_WORD)
        return false;
    if (l->type || is_one_of(l, type_words) || is_vector_type(l))
        return true;
    return !l->entity && l->n > 2 && !memcmp(l->s + l->n - 2, "_t", 2);
}

bool lm_lexeme_is_type(const struct lm_lexeme *l)
{
    return !l->entity && is_type(l);
}

static bool is_sign(const struct lm_lexeme *l, const char *text)
{
    return l->kind == LM_LEX_SIGN && lm_lexeme_is(l, text);
}

static bool ends_operand(const struct printer *p, size_t i);

/* The closing parenthesis at i closes a cast. */
static bool is_cast(const struct printer *p, size_t i)
{
    size_t open = p->match[i];
    if (!is_sign(&p->l[i], ")") || open + 1 >= i || !is_type(&p->l[open + 1]))
        return false;
    const struct lm_lexeme *before = open ? &p->l[open - 1] : NULL;
    if (!before || before->kind == LM_LEX_SIGN)
        return !before || !strchr(")]", *before->s) || is_cast(p, open - 1);
    return is_one_of(before, control_words) && !lm_lexeme_is(before, "for");
}

/* A value may end here, so that an operator behind it is binary. */
static bool ends_operand(const struct printer *p, size_t i)
{
    const struct lm_lexeme *l = &p->l[i];
    if (l->kind == LM_LEX_SIGN)
        return (is_sign(l, ")") && !is_cast(p, i)) || is_sign(l, "]") || is_sign(l, "}") ||
               ((is_sign(l, "++") || is_sign(l, "--")) && i && ends_operand(p, i - 1));
    return l->kind != LM_LEX_WORD || (!is_type(l) && !is_one_of(l, statement_words));
}

enum role { ROLE_NONE, ROLE_UNARY, ROLE_BINARY, ROLE_POINTER };

static enum role role_of(const struct printer *p, size_t i, size_t begin)
{
    static const char either[] = " * & + - && ", unary[] = " ! ~ ++ -- ";
    static const char none[] = " ( ) [ ] { } , ; . -> ... ";
    const struct lm_lexeme *l = &p->l[i];
    if (l->kind != LM_LEX_SIGN || is_one_of(l, none))
        return ROLE_NONE;
    if (is_one_of(l, unary))
        return ROLE_UNARY;
    if (!is_one_of(l, either))
        return ROLE_BINARY;
    if (i == begin)
        return ROLE_UNARY;
    if (is_sign(l, "*") && (is_type(&p->l[i - 1]) || (is_sign(&p->l[i - 1], "*") &&
                                                      role_of(p, i - 1, begin) == ROLE_POINTER)))
        return ROLE_POINTER;
    return ends_operand(p, i - 1) ? ROLE_BINARY : ROLE_UNARY;
}

/* A blank before the parenthesis or bracket at i? */
static bool blank_before_open(const struct printer *p, size_t i, enum role before)
{
    const struct lm_lexeme *last = &p->l[i - 1];
    if (last->kind == LM_LEX_SIGN)
        return is_sign(last, ",") || is_sign(last, ";") || before == ROLE_BINARY;
    if (is_sign(&p->l[i], "["))
        return false;
    if (is_one_of(last, control_words))
        return true;
    return is_type(last) && !lm_lexeme_is(last, "typeof") && !lm_lexeme_is(last, "_Atomic");
}

static bool blank_between(const struct printer *p, size_t i, size_t begin)
{
    const struct lm_lexeme *last = &p->l[i - 1], *now = &p->l[i];
    enum role before = role_of(p, i - 1, begin), here = role_of(p, i, begin);
    if (is_sign(now, ",") || is_sign(now, ";") || is_sign(now, ")") || is_sign(now, "]") ||
        is_sign(now, "}") || is_sign(now, "->") || is_sign(last, "->") || is_sign(last, "(") ||
        is_sign(last, "[") || is_sign(last, "{"))
        return false;
    if (is_sign(last, "."))
        return false;
    if (is_sign(now, "."))
        return is_sign(last, ",") || before == ROLE_BINARY;
    if (here == ROLE_BINARY || before == ROLE_BINARY)
        return true;
    if (here == ROLE_POINTER)
        return before != ROLE_POINTER;
    if (before == ROLE_POINTER)
        return false;
    if (before == ROLE_UNARY && here == ROLE_UNARY && *last->s == *now->s && last->n + now->n < 5)
        return *now->s == '+' || *now->s == '-' || *now->s == '&';
    if (before == ROLE_UNARY &&
        !((is_sign(last, "++") || is_sign(last, "--")) && i - 1 > begin && ends_operand(p, i - 2)))
        return false;
    if (is_sign(now, "(") || is_sign(now, "["))
        return blank_before_open(p, i, before);
    if (is_sign(now, "{"))
        return !is_sign(last, ")");
    if (is_sign(now, "++") || is_sign(now, "--"))
        return is_sign(last, ";") || is_sign(last, ",") ||
               (!ends_operand(p, i - 1) && last->kind != LM_LEX_SIGN);
    return !is_cast(p, i - 1);
}

/* -- runs ------------------------------------------------------------------------------------- */

static void new_line(struct printer *p)
{
    strbuf_addc(p->out, '\n');
    for (int i = 0; i < p->depth; i++)
        strbuf_adds(p->out, "  ");
}

static size_t print_statement(struct printer *p, size_t i, size_t end, bool in_switch);

/* All statements from i on, each on a line. */
static void print_statements(struct printer *p, size_t i, size_t end, bool in_switch)
{
    while (i < end && !p->bad) {
        if (is_sign(&p->l[i], ";")) {
            i++;
            continue;
        }
        i = print_statement(p, i, end, in_switch);
    }
}

/* `{`, what is in it, `}`; the line goes on behind it. */
static void print_block(struct printer *p, size_t open, bool is_switch)
{
    strbuf_addc(p->out, '{');
    p->depth++;
    print_statements(p, open + 1, p->match[open], is_switch);
    p->depth--;
    new_line(p);
    strbuf_addc(p->out, '}');
}

static bool begins_record(const struct printer *p, size_t open, size_t begin)
{
    for (size_t back = 1; back <= 2 && open >= begin + back; back++) {
        const struct lm_lexeme *l = &p->l[open - back];
        if (lm_lexeme_is(l, "struct") || lm_lexeme_is(l, "union"))
            return true;
        if (l->kind != LM_LEX_WORD)
            return false;
    }
    return false;
}

/* Lexemes of one statement or declaration, on one line but for records and statements in it. */
static void print_run(struct printer *p, size_t begin, size_t end)
{
    for (size_t i = begin; i < end && !p->bad; i++) {
        if (i > begin && blank_between(p, i, begin))
            strbuf_addc(p->out, ' ');
        bool statements = is_sign(&p->l[i], "{") && i > begin && is_sign(&p->l[i - 1], "(");
        if (statements || (is_sign(&p->l[i], "{") && begins_record(p, i, begin))) {
            print_block(p, i, false);
            i = p->match[i];
            continue;
        }
        strbuf_add(p->out, p->l[i].s, p->l[i].n);
    }
}

/* The `;`, or any sign given, at the level of i; end: there is none. */
static size_t find_sign(const struct printer *p, size_t i, size_t end, const char *sign)
{
    int conditions = 0;
    for (; i < end; i++) {
        if (is_sign(&p->l[i], sign) && !conditions)
            return i;
        conditions += is_sign(&p->l[i], "?");
        conditions -= is_sign(&p->l[i], ":") && conditions;
        if (lm_bracket(&p->l[i]) > 0)
            i = p->match[i];
    }
    return end;
}

/* -- statements ------------------------------------------------------------------------------- */

/* A body, in braces whether or not it had them; behind it. */
static size_t print_body(struct printer *p, size_t i, size_t end, bool is_switch)
{
    strbuf_addc(p->out, ' ');
    if (i >= end) {
        p->bad = true;
        return end;
    }
    if (is_sign(&p->l[i], "{")) {
        print_block(p, i, is_switch);
        return p->match[i] + 1;
    }
    strbuf_addc(p->out, '{');
    p->depth++;
    i = is_sign(&p->l[i], ";") ? i + 1 : print_statement(p, i, end, false);
    p->depth--;
    new_line(p);
    strbuf_addc(p->out, '}');
    return i;
}

/* `if (...)`: the word and what is in parentheses; behind them. */
static size_t print_head(struct printer *p, size_t i, size_t end)
{
    if (i + 1 >= end || !is_sign(&p->l[i + 1], "(")) {
        p->bad = true;
        return end;
    }
    print_run(p, i, p->match[i + 1] + 1);
    return p->match[i + 1] + 1;
}

static size_t print_if(struct printer *p, size_t i, size_t end)
{
    i = print_head(p, i, end);
    i = print_body(p, i, end, false);
    while (i < end && lm_lexeme_is(&p->l[i], "else") && !p->bad) {
        strbuf_adds(p->out, " else");
        bool more = i + 1 < end && lm_lexeme_is(&p->l[i + 1], "if");
        if (more)
            strbuf_addc(p->out, ' ');
        i = more ? print_head(p, i + 1, end) : i + 1;
        i = print_body(p, i, end, false);
        if (!more)
            break;
    }
    return i;
}

static size_t print_do(struct printer *p, size_t i, size_t end)
{
    strbuf_adds(p->out, "do");
    i = print_body(p, i + 1, end, false);
    if (i >= end || !lm_lexeme_is(&p->l[i], "while")) {
        p->bad = true;
        return end;
    }
    strbuf_addc(p->out, ' ');
    i = print_head(p, i, end);
    strbuf_addc(p->out, ';');
    return i < end && is_sign(&p->l[i], ";") ? i + 1 : i;
}

/* A label of any kind, and what follows it: a statement must. */
static size_t print_label(struct printer *p, size_t i, size_t end)
{
    size_t colon = find_sign(p, i, end, ":");
    print_run(p, i, colon);
    strbuf_addc(p->out, ':');
    if (colon + 1 >= end) {
        new_line(p);
        strbuf_addc(p->out, ';'); /* GNU C and C23 do without */
        return end;
    }
    if (!is_sign(&p->l[colon + 1], ";"))
        return colon + 1;
    new_line(p);
    strbuf_addc(p->out, ';');
    return colon + 2;
}

static bool is_case(const struct lm_lexeme *l)
{
    return lm_lexeme_is(l, "case") || lm_lexeme_is(l, "default");
}

static size_t print_statement(struct printer *p, size_t i, size_t end, bool in_switch)
{
    const struct lm_lexeme *l = &p->l[i];
    bool label =
        is_case(l) || (l->kind == LM_LEX_WORD && i + 1 < end && is_sign(&p->l[i + 1], ":"));
    p->depth += in_switch && !is_case(l);
    new_line(p);
    if (label)
        i = print_label(p, i, end);
    else if (is_sign(l, "{"))
        print_block(p, i, false), i = p->match[i] + 1;
    else if (lm_lexeme_is(l, "if"))
        i = print_if(p, i, end);
    else if (lm_lexeme_is(l, "for") || lm_lexeme_is(l, "while") || lm_lexeme_is(l, "switch"))
        i = print_body(p, print_head(p, i, end), end, lm_lexeme_is(l, "switch"));
    else if (lm_lexeme_is(l, "do"))
        i = print_do(p, i, end);
    else {
        size_t stop = find_sign(p, i, end, ";");
        p->bad |= stop == end;
        print_run(p, i, stop);
        strbuf_addc(p->out, ';');
        i = stop + 1;
    }
    p->depth -= in_switch && !is_case(l);
    return i;
}

/* -- the whole -------------------------------------------------------------------------------- */

/* Where the body of a function begins, before the next `;` of file scope; end: it is no function.
 */
static size_t find_function_body(const struct printer *p, size_t i, size_t end)
{
    for (size_t k = i; k < end && !is_sign(&p->l[k], ";"); k++) {
        if (is_sign(&p->l[k], "="))
            return end;
        if (is_sign(&p->l[k], "{") && k > i && is_sign(&p->l[k - 1], ")"))
            return k;
        if (lm_bracket(&p->l[k]) > 0)
            k = p->match[k];
    }
    return end;
}

static void print_file(struct printer *p)
{
    bool function = false;
    for (size_t i = 0; i < p->n && !p->bad;) {
        size_t body = find_function_body(p, i, p->n);
        if (is_sign(&p->l[i], ";")) {
            i++;
            continue;
        }
        if (p->out->n)
            strbuf_adds(p->out, function || body < p->n ? "\n\n" : "\n");
        function = body < p->n;
        if (function) {
            print_run(p, i, body);
            i = print_body(p, body, p->n, false);
        } else {
            size_t stop = find_sign(p, i, p->n, ";");
            p->bad |= stop == p->n;
            print_run(p, i, stop);
            strbuf_addc(p->out, ';');
            i = stop + 1;
        }
    }
    strbuf_addc(p->out, '\n');
}

/* Which bracket belongs to which; false: they do not match. */
static bool match_brackets(struct printer *p)
{
    static const char closers[] = ")]}";
    VEC(uint32_t) open = {0};
    bool good = true;
    for (size_t i = 0; i < p->n && good; i++) {
        const struct lm_lexeme *l = &p->l[i];
        if (l->kind != LM_LEX_SIGN)
            continue;
        if (strchr("([{", *l->s))
            vec_push(&open, (uint32_t)i);
        const char *closing = strchr(closers, *l->s);
        if (!closing)
            continue;
        good = open.n && *p->l[open.at[open.n - 1]].s == "([{"[closing - closers];
        if (good) {
            uint32_t at = open.at[--open.n];
            p->match[at] = (uint32_t)i;
            p->match[i] = at;
        }
    }
    good = good && !open.n;
    vec_release(&open);
    return good;
}

int lm_style_print(const struct lm_lexeme *l, size_t n, struct strbuf *out)
{
    struct strbuf text;
    struct printer p = {.l = l, .n = n, .out = &text};
    strbuf_init(&text, 0);
    p.match = mem_alloc((n + 1) * sizeof *p.match);
    memset(p.match, 0, (n + 1) * sizeof *p.match);
    p.bad = !match_brackets(&p);
    if (!p.bad)
        print_file(&p);
    if (!p.bad)
        strbuf_add(out, text.s, text.n);
    free(p.match);
    strbuf_release(&text);
    return p.bad ? -1 : 0;
}
