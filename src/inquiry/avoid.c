#include "inquiry/avoid.h"
#include "base/map.h"

#include <ctype.h>
#include <string.h>

/* Patterns are tokens with blanks between: a word or a mark stands for itself, @ for any name, #
 * for any number, and a word that ends with * for every word that begins so. Several patterns are
 * separated by |. From what programs rarely have to what they often have. */
const struct avoidance avoidances[] = {
    {"128-bit integers", "__int128", "int128=0", ""},
    {"vectors", "vector_size", "", "policy=vectors=off"},
    {"packed structs", "packed", "packed=0", ""},
    {"zero-width bit-fields", ": 0 ;", "zero-width=0", "policy=bit-fields=off"},
    {"unions", "union", "unions=0", ""},
    {"bit-fields", "@ @ : #|; @ : #|{ @ : #", "bitfields=0", "policy=bit-fields=off"},
    {"goto", "goto", "goto=0", ""},
    {"functions that return structs", "struct @ @ (", "struct-results=0", ""},
    {"builtins", "__builtin_*", "builtins=0", ""},
    {"volatile objects", "volatile", "volatiles=0 volatile-pointers=0", ""},
    {"floating point", "float|double", "floats=0", "policy=floats=off"},
    {"enumerations", "enum", "enums=0", ""},
    {"_Bool", "_Bool|bool", "bool=0", "policy=bools=off"},
    {"compound literals", ") { # }|) { @ }", "compound-literals=0", ""},
    {"switch", "switch", "switch=0", "policy=switches=off"},
    {"do loops", "do", "do=0", ""},
    {"inline functions", "inline", "inline=0", ""},
    {"division", "/|%|/=|%=", "division=0", ""},
    {"shifts", "<<|>>|<<=|>>=", "shifts=0", ""},
    {"conditional expressions", "?", "conditional=0", "policy=ternaries=off"},
    {"while loops", "while", "while=0", ""},
    {"structs", "struct", "structs=0", "policy=structs=off"},
};
const int n_avoidances = sizeof avoidances / sizeof *avoidances;

/* -- tokens ------------------------------------------------------------------------------------ */

struct cursor {
    const char *at; /* behind the token */
    const char *token;
    size_t n;
};

/* What is no part of the program: space, comments, texts and lines of the preprocessor. */
static const char *skip(const char *p)
{
    for (;;) {
        if (isspace((unsigned char)*p)) {
            p++;
        } else if (p[0] == '/' && p[1] == '*') {
            const char *end = strstr(p + 2, "*/");
            p = end ? end + 2 : p + strlen(p);
        } else if ((p[0] == '/' && p[1] == '/') || *p == '#') {
            p += strcspn(p, "\n");
        } else if (*p == '"' || *p == '\'') {
            char quote = *p++;
            while (*p && *p != quote)
                p += 1 + (*p == '\\' && p[1]);
            p += *p == quote;
        } else {
            return p;
        }
    }
}

static bool in_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static bool next(struct cursor *c)
{
    static const char *const marks[] = {"<<=", ">>=", "<<", ">>", "/=", "%="};
    c->token = c->at = skip(c->at);
    if (!*c->at)
        return false;
    if (in_word(*c->at)) {
        while (in_word(*c->at) || (isdigit((unsigned char)*c->token) && *c->at == '.'))
            c->at++;
    } else {
        size_t n = 1;
        for (size_t i = 0; n == 1 && i < sizeof marks / sizeof *marks; i++)
            if (!strncmp(c->at, marks[i], strlen(marks[i])))
                n = strlen(marks[i]);
        c->at += n;
    }
    c->n = (size_t)(c->at - c->token);
    return true;
}

/* -- patterns ---------------------------------------------------------------------------------- */

static bool token_fits(const struct cursor *c, const char *pattern, size_t n)
{
    unsigned char first = (unsigned char)*c->token;
    if (n == 1 && *pattern == '@')
        return isalpha(first) || first == '_';
    if (n == 1 && *pattern == '#')
        return isdigit(first);
    if (n > 1 && pattern[n - 1] == '*')
        return c->n >= n - 1 && !memcmp(c->token, pattern, n - 1);
    return c->n == n && !memcmp(c->token, pattern, n);
}

/* Does one pattern, up to `end`, begin at this token? */
static bool begins_here(struct cursor c, const char *pattern, const char *end)
{
    for (bool more = true; pattern < end; more = next(&c)) {
        size_t n = strcspn(pattern, " |");
        if (!more || !token_fits(&c, pattern, n))
            return false;
        pattern += n + (pattern[n] == ' ');
    }
    return true;
}

static bool occurs(const char *text, const char *patterns)
{
    struct cursor c = {.at = text};
    while (next(&c))
        for (const char *p = patterns; *p;) {
            const char *end = p + strcspn(p, "|");
            if (begins_here(c, p, end))
                return true;
            p = end + (*end == '|');
        }
    return false;
}

/* -- the table in use -------------------------------------------------------------------------- */

const char *avoidance_settings(const struct avoidance *a, const char *generator)
{
    return !strcmp(generator, "smith") ? a->smith : !strcmp(generator, "yarp") ? a->yarp : "";
}

const struct avoidance *avoidance_find(const char *text, const char *generator)
{
    for (int i = 0; i < n_avoidances; i++)
        if (*avoidance_settings(&avoidances[i], generator) && occurs(text, avoidances[i].patterns))
            return &avoidances[i];
    return NULL;
}

bool avoidance_applies(uint64_t seed)
{
    return map_hash(&seed, sizeof seed) % 4 != 0;
}
