/* Texts of any language as tokens, and the words that are left when names and numbers are
 * generalised (Csmith 7.2.4: distances are "computed with a normalized input"). */
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
    struct language l;
    language_of_text(language, text, a, &l);
    struct scan s = scan_of(&l.scan, text, strlen(text));
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

/* -- words ------------------------------------------------------------------------------------- */

/* A name is what ends with a digit or has one letter. */
static bool looks_made_up(const struct token *t)
{
    return t->n == 1 || isdigit((unsigned char)t->s[t->n - 1]) || memchr(t->s, '_', (size_t)t->n);
}

/* A sign belongs to its number where no operand stands before it. */
static bool is_negative(const struct tokens *t, int at)
{
    const struct token *before = at ? &t->at[at - 1] : NULL;
    bool operand =
        before && (before->kind != TOKEN_MARK || token_is(before, ")") || token_is(before, "]"));
    return token_is(&t->at[at], "-") && at + 1 < t->n && t->at[at + 1].kind == TOKEN_NUMBER &&
           !operand;
}

static uint32_t plain_word(struct map *names, const struct token *t)
{
    char lower[32];
    int n = t->n < (int)sizeof lower ? t->n : (int)sizeof lower;
    for (int i = 0; i < n; i++)
        lower[i] = (char)tolower((unsigned char)t->s[i]);
    return intern(names, lower, (size_t)n);
}

struct words words_of(struct map *names, struct arena *a, struct tokens t)
{
    struct words out = {arena_array(a, uint32_t, t.n < WORDS_MOST ? t.n + 1 : WORDS_MOST), 0};
    for (int at = 0; at < t.n && out.n < WORDS_MOST; at++) {
        const struct token *token = &t.at[at];
        const char *general = NULL;
        struct number n;
        switch (token->kind) {
        case TOKEN_NUMBER:
            n = number_of(token);
            general = number_class(&n);
            break;
        case TOKEN_TEXT:
            general = "a text";
            break;
        case TOKEN_NAME:
            general = looks_made_up(token) ? "a name" : NULL;
            break;
        case TOKEN_MARK:
            general = is_negative(&t, at) ? "N negative" : NULL;
            at += general != NULL;
            break;
        }
        out.at[out.n++] =
            general ? intern(names, general, strlen(general)) : plain_word(names, token);
    }
    return out;
}

static int by_number(const void *x, const void *y)
{
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return (a > b) - (a < b);
}

struct words words_as_set(struct words w)
{
    int kept = 0;
    if (w.n)
        qsort(w.at, (size_t)w.n, sizeof *w.at, by_number);
    for (int i = 0; i < w.n; i++)
        if (!kept || w.at[kept - 1] != w.at[i])
            w.at[kept++] = w.at[i];
    return (struct words){w.at, kept};
}
