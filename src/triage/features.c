/* What a small program has that may predict a failure of the compiler (spectrum.c). */
#include "triage/features.h"
#include "base/strbuf.h"
#include "triage/listing.h"
#include "triage/triage_internal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct making {
    struct map *names;
    struct arena *arena;
    struct features made;
    enum feature_kind kind; /* of what is noted */
};

static void note(struct making *m, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void note(struct making *m, const char *format, ...)
{
    char name[96]; /* a longer one is cut */
    va_list args;
    va_start(args, format);
    int n = vsnprintf(name, sizeof name, format, args);
    va_end(args);
    uint32_t id = intern(m->names, name, n < (int)sizeof name ? (size_t)n : sizeof name - 1);
    vec_push(&m->made.list, (struct feature){id, 1, m->kind});
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

struct set {
    const char *name, *members;
};

/* What one part of a code generator makes. */
static const struct set families[] = {
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

static const struct set conditions[] = {
    {"unsigned order", " a ae b be na nae nb nbe hi hs lo ls cc cs "},
    {"signed order", " g ge l le gt lt "},
    {"equality", " e ne eq z nz "},
    {"parity", " p np "},
    {"sign", " s ns mi pl "},
};

enum {
    N_FAMILIES = sizeof families / sizeof *families,
    N_CONDITIONS = sizeof conditions / sizeof *conditions
};

/* The name of the set that has the word; NULL: none. */
static const char *set_of(const struct set *sets, size_t n, const char *word)
{
    char spaced[32];
    snprintf(spaced, sizeof spaced, " %s ", word);
    for (size_t i = 0; i < n; i++)
        if (strstr(sets[i].members, spaced))
            return sets[i].name;
    return NULL;
}

/* A wrong condition shows in a jump, in a move and in a value. */
static void note_condition(struct making *m, const char *whose, const char *condition)
{
    const char *kind = set_of(conditions, N_CONDITIONS, condition);
    note(m, "%s condition %s", whose, condition);
    if (kind)
        note(m, "%s condition of %s", whose, kind);
}

/* "cmovne r64,m", taken apart. */
struct instruction {
    char exact[24], name[24];  /* with its condition and without */
    char kinds[40], loose[40]; /* of the operands, with and without widths; " r64,m" */
    const char *condition;     /* in `exact`; "": none */
    const char *constant;      /* in the line, behind '$'; NULL: none */
};

/* x86 has short forms of what is done to the first register: the same instruction to a compiler. */
static void without_short_form(struct instruction *i)
{
    static const struct {
        const char *name, *means, *kinds;
    } forms[] = {{"cltq", "movslq", " r32,r64"},
                 {"cwtl", "movswl", " r16,r32"},
                 {"cbtw", "movsbw", " r8,r16"}};
    for (size_t k = 0; k < sizeof forms / sizeof *forms; k++)
        if (!strcmp(i->exact, forms[k].name)) {
            snprintf(i->exact, sizeof i->exact, "%s", forms[k].means);
            snprintf(i->kinds, sizeof i->kinds, "%s", forms[k].kinds);
        }
}

/* False: a label, or nothing. */
static bool take_apart(const char *line, size_t n, struct instruction *out)
{
    size_t k = 0, name = 0;
    *out = (struct instruction){.condition = ""};
    if (!n || line[n - 1] == ':' || n >= sizeof out->exact + sizeof out->kinds)
        return false;
    while (name < n && line[name] != ' ')
        name++;
    snprintf(out->exact, sizeof out->exact, "%.*s", (int)name, line);
    for (const char *p = line + name; p < line + n && k < sizeof out->kinds - 1; p++) {
        out->kinds[k++] = *p == '$' ? 'i' : *p;
        if (*p == '$') {
            out->constant = p + 1;
            p += strspn(p + 1, "-0123456789abcdefx");
        }
    }
    without_short_form(out);
    k = 0;
    for (const char *p = out->kinds; *p; p++)
        if (!isdigit((unsigned char)*p))
            out->loose[k++] = *p;
    memcpy(out->name, out->exact, sizeof out->name);
    without_condition(out->name);
    out->condition = out->exact + strlen(out->name);
    return *out->exact;
}

/* At several depths, so that two programs agree at one of them. */
static void note_instruction(struct making *m, const char *whose, const struct instruction *i)
{
    note(m, "%s %s", whose, i->name);
    if (*i->loose)
        note(m, "%s %s%s", whose, i->name, i->loose);
    if (strcmp(i->loose, i->kinds) != 0)
        note(m, "%s %s%s", whose, i->name, i->kinds);
    if (*i->condition) {
        note(m, "%s %s%s", whose, i->exact, i->kinds);
        note_condition(m, whose, i->condition);
    }
    const char *family = set_of(families, N_FAMILIES, i->name);
    bool zero =
        !strcmp(i->name, "xor") && !strcmp(i->loose, " r,r"); /* how registers are cleared */
    if (family && !zero) {
        note(m, "%s %s", whose, family);
        note(m, "%s %s%s", whose, family, i->loose);
    }
}

/* Which instructions are neighbours was tried, too, and tells what the scheduler did. */
static void note_code(struct making *m, const char *whose, const char *code)
{
    struct instruction i;
    for (const char *line = code; *line;) {
        size_t n = strcspn(line, "\n");
        if (take_apart(line, n, &i) && !is_frame(i.exact))
            note_instruction(m, whose, &i);
        line += n + (line[n] == '\n');
    }
}

/* -- what is different ------------------------------------------------------------------------- */

/* More instructions are no sign of one fault, and longer names would be cut to the same one. */
enum { CHANGED_MOST = 4, CHANGE_NAME_MOST = 70 };

/* How much of an instruction counts. */
enum depth {
    BY_NAME,
    WITH_WIDTHS,
    WITH_KINDS,
    BY_CONDITION,
    BY_FAMILY,
    BY_FAMILY_WITH_WIDTHS, /* the lower half alone: of `and` and of `or` */
    DEPTHS
};

static void write_instruction(struct strbuf *out, const struct instruction *i, enum depth depth)
{
    const char *family = set_of(families, N_FAMILIES, i->name);
    const char *kind = set_of(conditions, N_CONDITIONS, i->condition);
    bool by_family = depth >= BY_FAMILY;
    strbuf_adds(out, out->n ? "; " : "");
    if (depth == WITH_WIDTHS || depth == WITH_KINDS)
        strbuf_addf(out, "%s%s", i->exact, depth == WITH_WIDTHS ? i->kinds : i->loose);
    else if (depth == BY_NAME || (!*i->condition && !(by_family && family)))
        strbuf_adds(out, i->exact);
    else if (*i->condition)
        strbuf_addf(out, "condition %s%s", by_family && kind ? "of " : "",
                    by_family && kind ? kind : i->condition);
    else
        strbuf_addf(out, "%s%s", family, depth == BY_FAMILY ? i->loose : i->kinds);
}

/* The lines from..to-1. */
static void write_lines(struct strbuf *out, const struct listing *l, int from, int to,
                        enum depth depth)
{
    struct instruction i;
    strbuf_clear(out);
    for (; from < to; from++)
        if (take_apart(l->at[from].s, (size_t)l->at[from].n, &i))
            write_instruction(out, &i, depth);
}

/* The first constant in the lines from..to-1; NULL: none. */
static const char *constant_of(const struct listing *l, int from, int to)
{
    struct instruction i;
    for (; from < to; from++)
        if (take_apart(l->at[from].s, (size_t)l->at[from].n, &i) && i.constant)
            return i.constant;
    return NULL;
}

/* "mov $0x4,r32" for "mov $0x8,r32": what is computed before any code is made is another value, and
 * the instructions that bring it are accident. So are the values: (_Bool)4 is 4, (_Bool)7 is 7. */
static bool other_constant(const struct listing *x, const struct listing *y, const int *from,
                           const int *to)
{
    const char *was = constant_of(x, from[0], to[0]), *is = constant_of(y, from[1], to[1]);
    return was && is && strtoull(was, NULL, 0) != strtoull(is, NULL, 0);
}

/* Lines from[0]..to[0]-1 of x stand where from[1]..to[1]-1 of y stand. */
static void note_change(struct making *m, const struct listing *x, const struct listing *y,
                        const int *from, const int *to)
{
    int lost = to[0] - from[0], added = to[1] - from[1];
    bool small = lost <= CHANGED_MOST && added <= CHANGED_MOST;
    if (small && other_constant(x, y, from, to))
        return;
    m->made.otherwise = true;
    if (!small)
        return;
    bool same_name = false;
    struct strbuf was, is;
    strbuf_init(&was, 0);
    strbuf_init(&is, 0);
    for (enum depth depth = 0; depth < DEPTHS; depth++) {
        write_lines(&was, x, from[0], to[0], depth);
        write_lines(&is, y, from[1], to[1], depth);
        bool same = !strcmp(was.s, is.s);
        same_name |= same && depth == BY_NAME;
        if ((same && same_name) || was.n + is.n > CHANGE_NAME_MOST)
            continue; /* a matter of operands, or of much more */
        if (!lost)
            note(m, "code %s too much", is.s);
        else if (!added)
            note(m, "code no %s", was.s);
        else
            note(m, "code %s instead of %s", is.s, was.s);
    }
    strbuf_release(&is);
    strbuf_release(&was);
}

/* What the accused made otherwise than a compiler whose code is right. Where the two are of one
 * stock, versions of one compiler or one with a patch, this is the fault itself; others differ
 * everywhere, and spectrum.c does not look at it. */
static void note_changes(struct making *m, const char *right, const char *accused)
{
    struct listing x, y;
    if (!*right || !*accused)
        return;
    listings_compare(m->arena, right, accused, &x, &y);
    for (int i = 0, j = 0; i < x.n || j < y.n;) {
        int from[] = {i, j};
        while (i < x.n && x.at[i].only)
            i++;
        while (j < y.n && y.at[j].only)
            j++;
        if (i > from[0] || j > from[1]) {
            m->made.differs = true;
            note_change(m, &x, &y, from, (const int[]){i, j});
        }
        i += i < x.n;
        j += j < y.n;
    }
}

/* -- all of it --------------------------------------------------------------------------------- */

/* The digits that a number has ahead of its exponent, without zeros in front. */
static int digits_of(const struct token *t)
{
    int n = 0;
    for (int i = 0; i < t->n && !strchr("eEpPfFlL", t->s[i]); i++)
        n += isdigit((unsigned char)t->s[i]) && (n || t->s[i] != '0');
    return n;
}

static void note_floating(struct making *m, const struct token *t)
{
    char last = t->s[t->n - 1];
    note(m, "floating number");
    note(m, "floating number %s",
         strchr("fF", last)   ? "with F"
         : strchr("lL", last) ? "with L"
                              : "without a suffix");
    for (int n = digits_of(t); n > 1; n--)
        note(m, "floating number of %d digits or more", n);
}

static void note_literals(struct making *m, struct tokens t)
{
    for (int i = 0; i < t.n; i++) {
        const struct token *k = &t.at[i];
        if (k->kind != TOKEN_NUMBER)
            continue;
        struct number n = number_of(k);
        if (n.floating) {
            note_floating(m, k);
            continue;
        }
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
            if (bits >= widths[w]) {
                note(m, "number of %d bits or more", widths[w]);
                if (*suffix)
                    note(m, "number of %d bits or more with %s", widths[w], suffix);
            }
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

struct features features_of(struct map *names, struct arena *a, const char *language,
                            const struct kin *k)
{
    struct making m = {.names = names, .arena = a};
    struct tokens t = tokens_of(a, language, k->text);
    struct constructs source = constructs_of(names, a, language, t, k->constructs);
    for (int i = 0; i < source.n; i++)
        vec_push(&m.made.list, (struct feature){source.at[i].id, 1, OF_SOURCE});
    note_literals(&m, t);
    m.kind = OF_CODE;
    note_code(&m, "code", k->code);
    note_code(&m, "another compiler's", k->second);
    m.kind = OF_CHANGE;
    note_changes(&m, k->second, k->code);
    if (m.made.list.n)
        qsort(m.made.list.at, m.made.list.n, sizeof *m.made.list.at, by_id);
    size_t kept = 0;
    for (size_t i = 0; i < m.made.list.n; i++)
        if (!kept || m.made.list.at[kept - 1].id != m.made.list.at[i].id)
            m.made.list.at[kept++] = m.made.list.at[i];
    m.made.list.n = kept;
    return m.made;
}
