/* Texts of any language as tokens, and the shape that is left when names and numbers are
 * generalised (Csmith 7.2.4: distances are "computed with a normalized input").
 *
 * A C program's frame is not part of its shape: the declaration of printf, the typedefs of the
 * fixed-width integers, `int main(void) {` to `return 0; }` around the statements, and of a call of
 * printf all but its arguments. Every reduced program has these, and they would make all alike. */
#include "base/vec.h"
#include "program/language.h"
#include "triage/triage_internal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

bool language_is_c(const char *language)
{
    return language_find(language)->scan.c_lines;
}

bool token_is(const struct token *t, const char *text)
{
    return strlen(text) == (size_t)t->n && !memcmp(t->s, text, (size_t)t->n);
}

/* -- support ----------------------------------------------------------------------------------- */

/* What generators add to every program to see its variables (Csmith's checksum) or to keep its
 * operators defined: it is in all of them, and none of it is tested. */
static const char *const support[] = {"crc32_", "transparent_crc", "print_hash_value", "platform_",
                                      "safe_",  "assay_",          "_Static_assert"};

static bool is_support(const struct token *t)
{
    for (size_t i = 0; t->kind == TOKEN_NAME && i < sizeof support / sizeof *support; i++)
        if (!strncmp(t->s, support[i], strlen(support[i])))
            return true;
    return false;
}

/* Behind the declaration, definition or statement that begins at `at`: a semicolon or a closing
 * brace outside of all brackets. */
static int item_end(const struct tokens *t, int at)
{
    int depth = 0;
    for (; at < t->n; at++) {
        const struct token *token = &t->at[at];
        depth += token_is(token, "(") + token_is(token, "[") + token_is(token, "{");
        depth -= token_is(token, ")") + token_is(token, "]") + token_is(token, "}");
        if (depth <= 0 &&
            (token_is(token, ";") || (token_is(token, "}") && depth == 0 &&
                                      !(at + 1 < t->n && token_is(&t->at[at + 1], ";")))))
            return at + 1;
    }
    return at;
}

/* Is what begins here support? A statement that calls it, a condition on it, or the declaration of
 * it, whose name stands before the first bracket, `=` or semicolon. */
static bool begins_support(const struct tokens *t, int at, bool inside)
{
    if (inside && token_is(&t->at[at], "if"))
        return at + 2 < t->n && is_support(&t->at[at + 2]);
    if (inside && token_is(&t->at[at], "printf"))
        for (int i = at, end = item_end(t, at); i < end; i++)
            if (is_support(&t->at[i]))
                return true;
    for (int i = at; i < t->n && t->at[i].kind == TOKEN_NAME; i++)
        if (is_support(&t->at[i]))
            return true;
    return false;
}

/* How many tokens stand between the bracket here and its partner. */
static int bracketed(const struct tokens *t, int at)
{
    int depth = 0;
    for (int i = at; i < t->n; i++) {
        depth += token_is(&t->at[i], "(") - token_is(&t->at[i], ")");
        if (depth == 0)
            return i - at - 1;
    }
    return 0;
}

/* A loop that had nothing but support in it. */
static int empty_loop(const struct tokens *t, int at)
{
    if (!token_is(&t->at[at], "for") || at + 1 >= t->n || !token_is(&t->at[at + 1], "("))
        return 0;
    int behind = at + 3 + bracketed(t, at + 1);
    bool empty =
        behind + 1 < t->n && token_is(&t->at[behind], "{") && token_is(&t->at[behind + 1], "}");
    return empty ? behind + 2 - at : 0;
}

static void drop_support(struct tokens *t)
{
    int kept = 0, depth = 0;
    bool begins = true; /* a declaration or a statement */
    for (int at = 0; at < t->n;) {
        if (begins && begins_support(t, at, depth > 0)) {
            at = item_end(t, at);
            continue;
        }
        const struct token *token = &t->at[at];
        depth += token_is(token, "{") - token_is(token, "}");
        begins = token_is(token, "{") || token_is(token, "}") || token_is(token, ";");
        bool parameters = at >= 1 && token_is(token, "(") && token_is(&t->at[at - 1], "main");
        int skipped = parameters ? bracketed(t, at) : 0;
        t->at[kept++] = *token;
        at += 1 + skipped;
    }
    t->n = kept;
    kept = 0;
    for (int at = 0, n; at < t->n;)
        if ((n = empty_loop(t, at)))
            at += n;
        else
            t->at[kept++] = t->at[at++];
    t->n = kept;
}

struct tokens tokens_of(struct arena *a, const char *language, const char *text)
{
    static const enum token_kind kinds[] = {[SCAN_WORD] = TOKEN_NAME,
                                            [SCAN_NUMBER] = TOKEN_NUMBER,
                                            [SCAN_STRING] = TOKEN_TEXT,
                                            [SCAN_MARK] = TOKEN_MARK};
    struct scan s = scan_of(&language_find(language)->scan, text, strlen(text));
    VEC(struct token) list = {0};
    while (list.n < TOKENS_MOST) {
        if (scan_space(&s) || scan_directive(&s))
            continue;
        struct scan_token t = scan_token(&s);
        if (t.kind == SCAN_END)
            break;
        vec_push(&list, (struct token){kinds[t.kind], text + t.from, (int)(t.to - t.from)});
    }
    struct tokens out = {arena_array(a, struct token, list.n + 1), (int)list.n};
    if (list.n)
        memcpy(out.at, list.at, list.n * sizeof *list.at);
    vec_release(&list);
    if (language_is_c(language))
        drop_support(&out);
    return out;
}

/* -- numbers ----------------------------------------------------------------------------------- */

struct number number_of(const struct token *t)
{
    struct number out = {0};
    char copy[64];
    int n = t->n < (int)sizeof copy - 1 ? t->n : (int)sizeof copy - 1;
    memcpy(copy, t->s, (size_t)n);
    copy[n] = '\0';
    bool hex = copy[0] == '0' && (copy[1] | 32) == 'x';
    out.floating = strpbrk(copy, hex ? ".pP" : ".eE") != NULL;
    char *end;
    out.value = out.floating ? (uint64_t)0 : strtoull(copy, &end, 0);
    if (out.floating)
        return out;
    for (; *end; end++) {
        out.is_unsigned |= (*end | 32) == 'u';
        out.longs += (*end | 32) == 'l';
    }
    return out;
}

const char *number_class(const struct number *n)
{
    return n->floating            ? "N float"
           : n->value == 0        ? "N zero"
           : n->value == 1        ? "N one"
           : n->value < 64        ? "N small"
           : n->value < (1 << 16) ? "N middle"
                                  : "N large";
}

/* -- shape ------------------------------------------------------------------------------------- */

#define C_WORDS                                                                                    \
    "auto break case char const continue default do double else enum extern float for goto if "    \
    "inline int long register restrict return short signed sizeof static struct switch typedef "   \
    "union unsigned void volatile while _Bool _Complex _Alignas _Alignof _Atomic _Generic "        \
    "_Noreturn _Static_assert _Thread_local __int128 __attribute__ asm __asm__ bool true false "   \
    "class template typename namespace operator new delete this throw try catch public private "   \
    "constexpr nullptr abort exit memcpy memmove memset memcmp strlen strcmp strcpy malloc "       \
    "calloc free "
static const char c_words[] = " " C_WORDS;

static bool among(const char *words, const struct token *t)
{
    for (const char *p = words; (p = memmem(p, strlen(p), t->s, (size_t)t->n)); p++)
        if (p > words && p[-1] == ' ' && p[t->n] == ' ')
            return true;
    return false;
}

/* Words that may make up the type of an integer, and the fixed widths. */
static const char integer_words[] = " char short int long signed unsigned ";

static const struct {
    const char *name, *plain;
} fixed_width[] = {{"int8_t", "s8"},   {"uint8_t", "u8"},   {"int16_t", "s16"}, {"uint16_t", "u16"},
                   {"int32_t", "s32"}, {"uint32_t", "u32"}, {"int64_t", "s64"}, {"uint64_t", "u64"},
                   {"size_t", "u64"},  {"ssize_t", "s64"}};

static const char *fixed_width_of(const struct token *t)
{
    for (size_t i = 0; i < sizeof fixed_width / sizeof *fixed_width; i++)
        if (token_is(t, fixed_width[i].name))
            return fixed_width[i].plain;
    return NULL;
}

/* `unsigned long int` is one token, and the same as uint64_t. Returns how many tokens it takes. */
static int integer_type(const struct token *t, int n, const char **name)
{
    *name = n ? fixed_width_of(t) : NULL;
    if (*name)
        return 1;
    bool is_unsigned = false, is_char = false, is_short = false, is_long = false, is_double = false;
    int i = 0;
    for (; i < n && t[i].kind == TOKEN_NAME && among(integer_words, &t[i]); i++) {
        is_unsigned |= token_is(&t[i], "unsigned");
        is_char |= token_is(&t[i], "char");
        is_short |= token_is(&t[i], "short");
        is_long |= token_is(&t[i], "long");
    }
    is_double = i < n && token_is(&t[i], "double");
    if (i == 0 || is_double)
        return 0;
    *name = is_char    ? is_unsigned ? "u8" : "s8"
            : is_short ? is_unsigned ? "u16" : "s16"
            : is_long  ? is_unsigned ? "u64" : "s64"
                       : (is_unsigned ? "u32" : "s32");
    return i;
}

/* A name by its role. */
static const char *role(const struct tokens *t, int i)
{
    const struct token *before = i ? &t->at[i - 1] : NULL;
    const struct token *after = i + 1 < t->n ? &t->at[i + 1] : NULL;
    if (before &&
        (token_is(before, "struct") || token_is(before, "union") || token_is(before, "enum")))
        return "a tag";
    if (before && (token_is(before, ".") || token_is(before, "->")))
        return "a member";
    if (before && token_is(before, "goto"))
        return "a label";
    return after && token_is(after, "(") ? "a function" : "a variable";
}

/* In a language that is not ours to know, a name is what ends with a digit or has one letter. */
static bool looks_made_up(const struct token *t)
{
    return t->n == 1 || isdigit((unsigned char)t->s[t->n - 1]) || memchr(t->s, '_', (size_t)t->n);
}

struct shaping {
    struct map *words;
    struct tokens t;
    struct shape *out;
};

static void put(struct shaping *s, const char *word, size_t n)
{
    if (s->out->n < SHAPE_MOST)
        s->out->at[s->out->n++] = intern(s->words, word, n);
}

static void put_word(struct shaping *s, const char *word)
{
    put(s, word, strlen(word));
}

/* Does the text go on with these words here? */
static int match(const struct tokens *t, int at, const char *const *words, int n)
{
    if (at + n > t->n)
        return 0;
    for (int i = 0; i < n; i++)
        if (!token_is(&t->at[at + i], words[i]))
            return 0;
    return n;
}

#define MATCH(t, at, ...)                                                                          \
    match((t), (at), (const char *const[]){__VA_ARGS__},                                           \
          (int)(sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *)))

static int statement_end(const struct tokens *t, int at)
{
    while (at < t->n && !token_is(&t->at[at], ";"))
        at++;
    return at + (at < t->n);
}

/* How many tokens of the frame stand here. */
static int frame(const struct tokens *t, int at)
{
    int n;
    if ((n = MATCH(t, at, "int", "printf", "(")) || (n = MATCH(t, at, "extern", "int", "printf")))
        return statement_end(t, at) - at;
    if ((n = MATCH(t, at, "int", "main", "(", "void", ")", "{")) ||
        (n = MATCH(t, at, "int", "main", "(", ")", "{")))
        return n;
    if (at + 3 < t->n && token_is(&t->at[at], "typedef")) {
        int end = statement_end(t, at);
        return end - at <= 6 && fixed_width_of(&t->at[end - 2]) ? end - at : 0;
    }
    /* the end of main, which stands last */
    if (at + 4 == t->n && (n = MATCH(t, at, "return", "0", ";", "}")))
        return n;
    return at + 1 == t->n ? MATCH(t, at, "}") : 0;
}

/* The length of a list of values: nothing but expressions in it. */
static int initialiser(const struct tokens *t, int at)
{
    int depth = 0;
    for (int i = at; i < t->n; i++) {
        if (token_is(&t->at[i], ";"))
            return 0;
        depth += token_is(&t->at[i], "{") - token_is(&t->at[i], "}");
        if (depth == 0)
            return i + 1 - at;
    }
    return 0;
}

static int shape_c(struct shaping *s, int at)
{
    const struct token *t = &s->t.at[at];
    const char *name;
    int n = frame(&s->t, at);
    if (n)
        return n;
    if (token_is(t, "printf") && at + 2 < s->t.n && s->t.at[at + 2].kind == TOKEN_TEXT) {
        put_word(s, "printf");
        return 3;
    }
    if (token_is(t, "{") && at &&
        (token_is(&s->t.at[at - 1], "=") || token_is(&s->t.at[at - 1], ")")) &&
        (n = initialiser(&s->t, at))) {
        put_word(s, "{}");
        return n;
    }
    n = t->kind == TOKEN_NAME ? integer_type(t, s->t.n - at, &name) : 0;
    if (n) {
        put_word(s, name);
        return n;
    }
    if (t->kind == TOKEN_NAME && !among(c_words, t) && strncmp(t->s, "__builtin_", 10) != 0)
        put_word(s, role(&s->t, at));
    else
        put(s, t->s, (size_t)t->n);
    return 1;
}

static int shape_any(struct shaping *s, int at)
{
    const struct token *t = &s->t.at[at];
    char lower[32];
    if (t->kind == TOKEN_NAME && looks_made_up(t)) {
        put_word(s, "a name");
    } else {
        int n = t->n < (int)sizeof lower ? t->n : (int)sizeof lower;
        for (int i = 0; i < n; i++)
            lower[i] = (char)tolower((unsigned char)t->s[i]);
        put(s, lower, (size_t)n);
    }
    return 1;
}

struct shape shape_of(struct map *words, struct arena *a, const char *language, struct tokens t)
{
    struct shape out = {arena_array(a, uint32_t, t.n < SHAPE_MOST ? t.n + 1 : SHAPE_MOST), 0};
    struct shaping s = {words, t, &out};
    bool c = language_is_c(language);
    for (int at = 0; at < t.n;) {
        const struct token *token = &t.at[at];
        /* A sign belongs to its number where no operand stands before it. */
        bool negative =
            token_is(token, "-") && at + 1 < t.n && t.at[at + 1].kind == TOKEN_NUMBER &&
            (at == 0 || (t.at[at - 1].kind == TOKEN_MARK && !token_is(&t.at[at - 1], ")") &&
                         !token_is(&t.at[at - 1], "]")));
        if (negative) {
            put_word(&s, "N negative");
            at += 2;
        } else if (token->kind == TOKEN_NUMBER) {
            struct number n = number_of(token);
            put_word(&s, number_class(&n));
            at++;
        } else if (token->kind == TOKEN_TEXT) {
            put_word(&s, "a text");
            at++;
        } else {
            at += c ? shape_c(&s, at) : shape_any(&s, at);
        }
    }
    return out;
}
