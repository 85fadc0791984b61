/* What a small program has that may predict a failure of the compiler (spectrum.c). */
#include "triage/features.h"
#include "triage/triage_internal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct making {
    struct map *names;
    feature_list list;
};

static void note(struct making *m, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void note(struct making *m, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    uint32_t id = name_of_feature(m->names, format, args);
    va_end(args);
    vec_push(&m->list, (struct feature){id, 1});
}

/* What calls and returns look like says nothing of what is done between them. */
static bool is_frame(const char *name)
{
    static const char *const words[] = {"ret", "endbr64", "leave", "call", "push", "pop"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strcmp(name, words[i]))
            return true;
    return false;
}

/* Which condition it is, is accident: "cmovne" is "cmov", "b.ne" is "b.". */
static void without_condition(char *name)
{
    static const char *const families[] = {"cmov", "set", "b."};
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        if (!strncmp(name, families[i], strlen(families[i])))
            name[strlen(families[i])] = '\0';
    if (*name == 'j' && strcmp(name, "jmp") != 0)
        name[1] = '\0';
}

/* What one part of a code generator makes. */
static const struct {
    const char *name, *members;
} families[] = {
    {"bitwise", " and or xor orr eor bic "},
    {"shift", " shl shr sar sal rol ror shlx shrx sarx lsl lsr asr "},
    {"arithmetic", " add sub "},
    {"multiply", " mul imul madd msub smull umull "},
    {"divide", " div idiv sdiv udiv "},
    {"extension", " movzbl movzwl movsbl movswl movsbq movswq movslq movzbw movsbw cltq cwtl cltd "
                  "cqto sxtw sxtb sxth uxtb uxth "},
    {"float arithmetic", " addsd subsd mulsd divsd addss subss mulss divss fadd fsub fmul fdiv "},
    {"float compare", " comisd ucomisd comiss ucomiss fcmp fcmpe "},
};

static const char *family_of(const char *name)
{
    char word[32];
    snprintf(word, sizeof word, " %s ", name);
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        if (strstr(families[i].members, word))
            return families[i].name;
    return NULL;
}

/* A wrong condition shows in a jump, in a move and in a value. */
static void note_condition(struct making *m, const char *whose, const char *condition)
{
    static const struct {
        const char *name, *members;
    } kinds[] = {{"unsigned order", " a ae b be na nae nb nbe hi hs lo ls cc cs "},
                 {"signed order", " g ge l le gt lt "},
                 {"equality", " e ne eq z nz "},
                 {"parity", " p np "},
                 {"sign", " s ns mi pl "}};
    char word[16];
    snprintf(word, sizeof word, " %s ", condition);
    note(m, "%s condition %s", whose, condition);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strstr(kinds[i].members, word))
            note(m, "%s condition of %s", whose, kinds[i].name);
}

/* "cmovne r64,m": at several depths, so that two programs agree at one of them. */
static void note_instruction(struct making *m, const char *whose, const char *exact,
                             const char *name, const char *kinds)
{
    char loose[40]; /* kinds without widths */
    size_t k = 0;
    for (const char *p = kinds; *p; p++)
        if (!isdigit((unsigned char)*p))
            loose[k++] = *p;
    loose[k] = '\0';
    note(m, "%s %s", whose, name);
    if (k)
        note(m, "%s %s%s", whose, name, loose);
    if (strcmp(loose, kinds) != 0)
        note(m, "%s %s%s", whose, name, kinds);
    if (strcmp(exact, name) != 0)
        note(m, "%s %s%s", whose, exact, kinds);
    if (strlen(exact) > strlen(name))
        note_condition(m, whose, exact + strlen(name));
    const char *family = family_of(name);
    bool zero = !strcmp(name, "xor") && !strcmp(loose, " r,r"); /* how registers are cleared */
    if (family && !zero) {
        note(m, "%s %s", whose, family);
        note(m, "%s %s%s", whose, family, loose);
    }
}

/* Which instructions are neighbours was tried, too, and tells what the scheduler did. */
static void note_code(struct making *m, const char *whose, const char *code)
{
    for (const char *line = code; *line;) {
        size_t n = strcspn(line, "\n");
        char exact[24] = "", name[24], kinds[40] = "";
        bool label = n && line[n - 1] == ':';
        if (n < sizeof exact + sizeof kinds)
            sscanf(line, "%23s%39[^\n]", exact, kinds);
        line += n + (line[n] == '\n');
        if (label || !*exact || is_frame(exact))
            continue;
        memcpy(name, exact, sizeof name);
        without_condition(name);
        note_instruction(m, whose, exact, name, kinds);
    }
}

static void note_literals(struct making *m, struct tokens t)
{
    for (int i = 0; i < t.n; i++) {
        const struct token *k = &t.at[i];
        if (k->kind != TOKEN_NUMBER)
            continue;
        struct number n = number_of(k);
        if (n.floating)
            continue;
        bool zero = k->n > 1 && k->s[0] == '0';
        bool hex = zero && (k->s[1] | 32) == 'x', octal = zero && isdigit((unsigned char)k->s[1]);
        const char *base = hex ? "hexadecimal" : octal ? "octal" : "decimal";
        const char *suffix = n.is_unsigned ? n.longs ? "UL" : "U" : n.longs ? "L" : "";
        note(m, "%s number", base);
        int bits = 0;
        while (bits < 64 && n.value >> bits)
            bits++;
        static const int widths[] = {2, 8, 16, 32, 64}; /* where types end, and what is no flag */
        for (size_t w = 0; w < sizeof widths / sizeof *widths; w++)
            if (bits >= widths[w])
                note(m, "number of %d bits or more", widths[w]);
        if (!*suffix)
            continue;
        note(m, "number with %s", suffix);
        note(m, "%s number with %s", base, suffix);
    }
}

static int by_id(const void *x, const void *y)
{
    const struct feature *a = x, *b = y;
    return (a->id > b->id) - (a->id < b->id);
}

/* Each feature once. The caller releases the list. */
feature_list features_of(struct map *names, struct arena *a, const char *language,
                         const struct kin *k)
{
    struct making m = {.names = names};
    struct tokens t = tokens_of(a, language, k->text);
    struct constructs source = constructs_of(names, a, language, t);
    for (int i = 0; i < source.n; i++)
        vec_push(&m.list, (struct feature){source.at[i].id, 1});
    note_literals(&m, t);
    note_code(&m, "code", k->code);
    note_code(&m, "another compiler's", k->second);
    if (m.list.n)
        qsort(m.list.at, m.list.n, sizeof *m.list.at, by_id);
    size_t kept = 0;
    for (size_t i = 0; i < m.list.n; i++)
        if (!kept || m.list.at[kept - 1].id != m.list.at[i].id)
            m.list.at[kept++] = m.list.at[i];
    m.list.n = kept;
    return m.list;
}
