#include "inquiry/avoid.h"
#include "base/map.h"
#include "base/scan.h"
#include "testbed/extensions.h"

#include <string.h>

/* From what programs rarely have to what they often have. */
const struct avoidance avoidances[] = {
    {"128-bit integers", "__int128", "int128=0", ""},
    {"floats of IEEE 754", "__FLT_EVAL_METHOD__", "ieee-floats=0", ""},
    {"vectors", "vector_size", "", "policy=vectors=off"},
    {"packed structs", "packed", "packed=0", ""},
    {"zero-width bit-fields", ": 0 ;", "zero-width=0", "policy=bit-fields=off"},
    {"unions", "union", "unions=0", ""},
    {"bit-fields", "@ @ : #|; @ : #|{ @ : #", "bitfields=0", "policy=bit-fields=off"},
    {"goto", "goto", "goto=0", ""},
    {"attributes", "__attribute__", "attributes=0 packed=0", ""},
    {"functions that return structs", "struct @ @ (", "struct-results=0", ""},
    {"builtins", "__builtin_*", "builtins=0", ""},
    {"volatile objects", "volatile", "volatiles=0 volatile-pointers=0", ""},
    {"floating point", "float|double", "floats=0", "policy=floats=off"},
    {"enumerations", "enum", "enums=0", ""},
    {"_Bool", "_Bool|bool", "bool=0", "policy=bools=off"},
    {"compound literals", ") { # }|) { @ }", "compound-literals=0", ""},
    {"ranges of cases", "case # ...|case - # ...", "case-ranges=0", ""},
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

/* -- the table in use -------------------------------------------------------------------------- */

const char *avoidance_settings(const struct avoidance *a, const char *generator)
{
    return !strcmp(generator, "smith") ? a->smith : !strcmp(generator, "yarp") ? a->yarp : "";
}

const struct avoidance *avoidance_find(const char *text, const char *generator)
{
    for (int i = 0; i < n_avoidances; i++)
        if (*avoidance_settings(&avoidances[i], generator) &&
            scan_has(&scan_c, text, strlen(text), avoidances[i].patterns))
            return &avoidances[i];
    return NULL;
}

bool avoidance_applies(uint64_t seed, int of_four)
{
    return (int)(map_hash(&seed, sizeof seed) % 4) >= 4 - of_four;
}

static const struct avoidance *row_of(const char *construct)
{
    for (int i = 0; i < n_avoidances; i++)
        if (!strcmp(avoidances[i].construct, construct))
            return &avoidances[i];
    BUG("nobody can do without '%s'", construct);
}

/* Is the setting of "name=value" among those of "name=value,name=value"? */
static bool is_given(const char *setting, const char *given)
{
    size_t n = strcspn(setting, "=");
    for (const char *at = given; at && *at;) {
        if (strcspn(at, "=") == n && !strncmp(at, setting, n))
            return true;
        at += strcspn(at, ",");
        at += *at == ',';
    }
    return false;
}

/* The settings that do without the extensions of a set, each once, and none of those in `done`. */
static const char *const *settings_without(uint64_t set, const char *generator, const char *given,
                                           const char *const *done, int n_done, struct arena *a,
                                           int *n, const char **what)
{
    const char **list = arena_array(a, const char *, 4 * EXTENSIONS_MOST);
    *n = 0;
    *what = "";
    for (int i = 0; i < n_extensions; i++) {
        const struct avoidance *found =
            set >> i & 1 && extensions[i].construct ? row_of(extensions[i].construct) : NULL;
        int before = *n;
        for (const char *word = found ? avoidance_settings(found, generator) : ""; *word;) {
            size_t length = strcspn(word, " ");
            const char *one = arena_memdup(a, word, length);
            bool known = is_given(one, given);
            for (int k = 0; k < *n; k++)
                known |= !strcmp(list[k], one);
            for (int k = 0; k < n_done; k++)
                known |= !strcmp(done[k], one);
            if (!known)
                list[(*n)++] = one;
            word += length + (word[length] == ' ');
        }
        if (*n > before)
            *what = arena_printf(a, "%s%s%s", *what, **what ? ", " : "", found->construct);
    }
    return list;
}

void avoidance_lacking(const struct testbed *testbeds, int n, const char *generator,
                       const char *given, struct arena *a, struct lacking *out)
{
    uint64_t all = n ? UINT64_MAX : 0, any = 0;
    for (int i = 0; i < n; i++) {
        all &= testbeds[i].lacks_extensions;
        any |= testbeds[i].lacks_extensions;
    }
    out->all = settings_without(all, generator, given, NULL, 0, a, &out->n_all, &out->what_all);
    out->some = settings_without(any & ~all, generator, given, out->all, out->n_all, a,
                                 &out->n_some, &out->what_some);
}
