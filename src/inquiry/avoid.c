#include "inquiry/avoid.h"
#include "base/map.h"
#include "base/scan.h"

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
    struct scan scan; /* behind the token */
    const char *token;
    size_t n;
};

/* Space, comments, texts and lines of the preprocessor are no part of the program. */
static bool next(struct cursor *c)
{
    while (scan_space(&c->scan) || scan_directive(&c->scan) || scan_string(&c->scan))
        ;
    struct scan_token t = scan_token(&c->scan);
    c->token = c->scan.text + t.from;
    c->n = t.to - t.from;
    return t.kind != SCAN_END;
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
    struct cursor c = {.scan = scan_of(&scan_c, text, strlen(text))};
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
