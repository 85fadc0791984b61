/* The text of a program as planted-cc looks at it: tokens, what is spared, constructs. */
#include "planted.h"

#include <errno.h>
#include <stdarg.h>

void *need(void *p)
{
    if (!p) {
        fprintf(stderr, "%s: out of memory\n", program_invocation_short_name);
        exit(2);
    }
    return p;
}

char *text_of(const char *format, ...)
{
    va_list ap;
    char *made = NULL;
    va_start(ap, format);
    int n = vasprintf(&made, format, ap);
    va_end(ap);
    return need(n < 0 ? NULL : made);
}

bool starts(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* -- tokens ------------------------------------------------------------------------------------ */

bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static size_t string_length(const char *p)
{
    const char *end = p + 1;
    while (*end && *end != *p && *end != '\n')
        end += end[0] == '\\' && end[1] ? 2 : 1;
    return (size_t)(end - p) + (*end == *p);
}

/* 0 where no comment begins. */
static size_t comment_length(const char *p)
{
    if (p[0] != '/' || (p[1] != '/' && p[1] != '*'))
        return 0;
    const char *end = p[1] == '/' ? strchr(p, '\n') : strstr(p + 2, "*/");
    return !end ? strlen(p) : (size_t)(end - p) + (p[1] == '*' ? 2 : 0);
}

static size_t token_length(const char *p)
{
    static const char *const longer[] = {
        "<<=", ">>=", "...", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=",
        "<<",  ">>",  "<=",  ">=", "==", "!=", "&&", "||", "++", "--", "->"};
    size_t n = 0;
    if (*p == '"' || *p == '\'')
        return string_length(p);
    while (is_word(p[n]) || (n && isdigit((unsigned char)*p) && p[n] == '.'))
        n++;
    for (size_t i = 0; n == 0 && i < sizeof longer / sizeof *longer; i++)
        if (starts(p, longer[i]))
            n = strlen(longer[i]);
    return n ? n : 1;
}

static void cut(struct unit *u)
{
    unsigned line = 1;
    bool directive = false;
    const char *start = u->text;
    u->tokens = need(calloc(strlen(u->text) + 1, sizeof *u->tokens));
    for (const char *p = u->text; *p;) {
        size_t n = comment_length(p);
        bool blank = n > 0 || isspace((unsigned char)*p) || *p == '\\';
        if (!blank) {
            n = token_length(p);
            directive = directive || *p == '#';
            u->tokens[u->count++] =
                (struct token){p, n, line, (unsigned)(p - start) + 1, directive, NULL};
        }
        for (n = n ? n : 1; n > 0; n--, p++)
            if (*p == '\n') {
                directive = directive && p > u->text && p[-1] == '\\';
                line++;
                start = p + 1;
            }
    }
    u->lines = line;
    u->spared = need(calloc(line + 2, sizeof *u->spared));
}

bool is(const struct token *t, const char *spelling)
{
    return t->len == strlen(spelling) && memcmp(t->at, spelling, t->len) == 0;
}

bool same(const struct token *a, const struct token *b)
{
    return a->len == b->len && memcmp(a->at, b->at, a->len) == 0;
}

bool among(const struct token *t, const char *const *list)
{
    for (; *list; list++)
        if (is(t, *list))
            return true;
    return false;
}

bool is_name(const struct token *t)
{
    return is_word(t->at[0]) && !isdigit((unsigned char)t->at[0]);
}

/* -- what is spared ---------------------------------------------------------------------------- */

static bool of_checksum(const struct token *t)
{
    static const char *const beginnings[] = {"crc32_", "transparent_crc", "platform_main_",
                                             "print_hash_value", "hide_nothing"};
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        if (starts(t->at, beginnings[i]))
            return true;
    return false;
}

/* The name of the function whose body opens with token i; NULL: none does. */
static const struct token *function_at(const struct unit *u, size_t i)
{
    int depth = 0;
    if (!is(&u->tokens[i], "{") || i == 0 || !is(&u->tokens[i - 1], ")"))
        return NULL;
    while (i-- > 1) {
        depth += is(&u->tokens[i], ")") - is(&u->tokens[i], "(");
        if (depth == 0)
            return &u->tokens[i - 1];
    }
    return NULL;
}

const char *function_around(const struct unit *u, size_t i, int *depth)
{
    const struct token *name = NULL;
    *depth = 0;
    for (size_t k = 0; k < i; k++) {
        if (*depth == 0 && function_at(u, k))
            name = function_at(u, k);
        *depth += is(&u->tokens[k], "{") - is(&u->tokens[k], "}");
    }
    return *depth && name ? text_of("%.*s", (int)name->len, name->at) : NULL;
}

size_t element_end(const struct unit *u, size_t i)
{
    int depth = 0;
    for (; i < u->count; i++) {
        const struct token *t = &u->tokens[i];
        bool opens = is(t, "(") || is(t, "[") || is(t, "{");
        bool closes = is(t, ")") || is(t, "]") || is(t, "}");
        if (depth == 0 && (closes || is(t, ",") || is(t, ";")))
            return i;
        depth += opens - closes;
    }
    return u->count - 1;
}

static void spare(struct unit *u, size_t from, size_t to)
{
    for (size_t i = from; i <= to; i++) {
        u->tokens[i].spared = true;
        u->spared[u->tokens[i].line] = true;
    }
}

static void spare_checksum(struct unit *u)
{
    const struct token *function = NULL;
    int braces = 0, parens = 0;
    size_t from = 0; /* of the body, or of the statement in main */
    bool mentioned = false;
    for (size_t i = 0; i < u->count; i++) {
        const struct token *t = &u->tokens[i];
        const struct token *name = braces == 0 ? function_at(u, i) : NULL;
        if (name) {
            function = name;
            from = of_checksum(name) ? (size_t)(name - u->tokens) : i;
            mentioned = false;
        }
        braces += is(t, "{") - is(t, "}");
        parens += is(t, "(") - is(t, ")");
        mentioned = mentioned || of_checksum(t);
        bool closes = is(t, "}") && braces == 0;
        if (closes && function && of_checksum(function))
            spare(u, from, i);
        if (function && is(function, "main") && braces == 1 && parens == 0 &&
            (is(t, ";") || is(t, "{") || is(t, "}")) && !(i + 1 < u->count && is(t + 1, "else"))) {
            if (mentioned && !is(t, "{"))
                spare(u, from, i);
            from = i + 1;
            mentioned = false;
        }
        if (closes) {
            function = NULL;
            mentioned = false;
        }
    }
}

/* -- constructs -------------------------------------------------------------------------------- */

static bool fits(const char *word, size_t len, const struct token *t)
{
    if (len == 3 && memcmp(word, "$id", 3) == 0)
        return is_name(t);
    if (len == 4 && memcmp(word, "$num", 4) == 0)
        return isdigit((unsigned char)t->at[0]);
    if (len == 4 && memcmp(word, "$chr", 4) == 0)
        return t->at[0] == '\'';
    for (const char *p = word; p < word + len;) {
        size_t n = 0;
        while (p + n < word + len && (p[n] != '|' || n == 0))
            n++;
        if (n == t->len && memcmp(p, t->at, n) == 0)
            return true;
        p += n + 1;
    }
    return false;
}

bool construct_at(const struct unit *u, size_t i, const char *construct)
{
    for (const char *word = construct; *word;) {
        size_t len = strcspn(word, " ");
        bool optional = len == 2 && word[1] == '?';
        bool spared = i < u->count && u->tokens[i].spared && u->striking->set != FAULTY;
        bool there = i < u->count && !spared && fits(word, optional ? 1 : len, &u->tokens[i]);
        if (!there && !optional)
            return false;
        i += there;
        word += len + (word[len] == ' ');
    }
    return true;
}

void unit_cut(struct unit *u)
{
    cut(u);
    spare_checksum(u);
}
