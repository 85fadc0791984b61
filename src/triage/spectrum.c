/* What failing programs have and right ones lack.
 *
 * Bugs that show as a wrong output say nothing of themselves, and several of them are there at
 * once. Liblit et al. (Scalable statistical bug isolation, PLDI 2005) have that problem with the
 * runs of one program: they look for the predicate that predicts failure best, take away the runs
 * that it explains, and begin again with the rest. Here a run is a small program given to the
 * compiler, and a predicate a feature that it has:
 *
 *     a construct of the source, or the form of a literal
 *     an instruction that the accused compiler made
 *     an instruction that another compiler makes of the same program
 *
 * The right runs are the kin of the reduced cases (triage/kin.h): nearly the same programs, so that
 * a feature must be near the fault to tell them apart. Instructions are what comes closest to the
 * coverage of the compiler (Csmith 7.2.4, Chen et al.) from outside: a conditional move comes from
 * `?:`, from an `if` and from a minimum, which no construct of the source has in common. */
#include "base/strbuf.h"
#include "base/vec.h"
#include "triage/kin.h"
#include "triage/triage_internal.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An explanation of fewer cases than this, or one that right programs have as often, is none. */
static const double least_failing = 1.5, least_precision = 0.4;
/* A case is explained by a feature that at least this share of its kin lacks. */
static const float least_contrast = 0.5F;

/* -- features ---------------------------------------------------------------------------------- */

struct feature {
    uint32_t id;    /* of its name */
    float contrast; /* the share of right kin that lack it */
};

typedef VEC(struct feature) feature_list;

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
static feature_list features_of(struct map *names, struct arena *a, const char *language,
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

/* -- the spectrum ------------------------------------------------------------------------------ */

typedef VEC(double) tally; /* by the number of a feature; missing ones are 0 */

static double *tally_at(tally *t, uint32_t id)
{
    while (t->n <= id)
        vec_push(t, 0.0);
    return &t->at[id];
}

struct suspect {
    feature_list has;
    bool left; /* not explained yet */
};

struct spectrum {
    struct map *names;
    const char *language;
    struct suspect *cases;
    int n, n_left;
    tally right; /* how many cases have right kin with the feature; a share of them is a share */
};

/* The features of case i, and what its kin say of them. */
static void read_kin(struct spectrum *s, int i, const char *kin)
{
    struct arena scratch;
    struct kin k;
    tally with = {0};
    struct suspect *c = &s->cases[i];
    double n = 0;
    arena_init(&scratch);
    for (const char *at = kin; kin_next(&at, &scratch, &k);) {
        feature_list f = features_of(s->names, &scratch, s->language, &k);
        if (!k.right && !c->has.n) {
            c->has = f;
            continue;
        }
        for (size_t j = 0; k.right && j < f.n; j++)
            *tally_at(&with, f.at[j].id) += 1;
        n += k.right;
        vec_release(&f);
    }
    c->left = c->has.n && n > 0;
    s->n_left += c->left;
    for (size_t j = 0; c->left && j < with.n; j++)
        if (with.at[j] > 0)
            *tally_at(&s->right, (uint32_t)j) += with.at[j] / n;
    for (size_t j = 0; c->left && j < c->has.n; j++)
        c->has.at[j].contrast = (float)(1 - *tally_at(&with, c->has.at[j].id) / n);
    vec_release(&with);
    arena_release(&scratch);
}

/* Something that failing programs have and right ones lack. */
struct predictor {
    uint32_t id;
    double precision;  /* the share of failing programs among those that have it */
    double importance; /* 0: none */
};

/* Does it predict failure, and of how many of those that are left? The harmonic mean of both, as
 * there (3.3): a feature of one case and one of all programs are both no explanation. The exponent
 * was chosen on the faults of tests/third-cc, fourth-cc and faulty-cc: with 1 a shift was common to
 * two of them, with 2 one was explained in four ways. */
static struct predictor judge(const struct spectrum *s, uint32_t id, double failing, double having,
                              double right)
{
    struct predictor p = {id, failing / (having + right), 0};
    double coverage = log(1 + failing) / log(1 + s->n_left);
    if (failing >= least_failing && p.precision >= least_precision)
        p.importance = 2 / (1 / pow(p.precision, 1.5) + 1 / coverage);
    return p;
}

/* The one that explains most of what is left. */
static struct predictor best_predictor(struct spectrum *s)
{
    tally failing = {0}, having = {0};
    for (int i = 0; i < s->n; i++)
        for (size_t j = 0; s->cases[i].left && j < s->cases[i].has.n; j++) {
            const struct feature *f = &s->cases[i].has.at[j];
            *tally_at(&failing, f->id) += (double)f->contrast;
            *tally_at(&having, f->id) += 1;
        }
    struct predictor best = {0};
    for (uint32_t id = 0; id < failing.n; id++) {
        struct predictor p =
            judge(s, id, failing.at[id], *tally_at(&having, id), *tally_at(&s->right, id));
        if (p.importance > best.importance)
            best = p;
    }
    vec_release(&failing);
    vec_release(&having);
    return best;
}

/* How much its kin lack the feature; 0: it does not explain the case. */
static double contrast_of(const struct suspect *c, uint32_t id)
{
    for (size_t j = 0; j < c->has.n; j++)
        if (c->has.at[j].id == id && c->has.at[j].contrast >= least_contrast)
            return (double)c->has.at[j].contrast;
    return 0;
}

typedef VEC(struct predictor) predictor_list;

static void find_predictors(struct spectrum *s, predictor_list *out)
{
    while (s->n_left > 1) {
        struct predictor best = best_predictor(s);
        if (best.importance <= 0)
            return;
        vec_push(out, best);
        for (int i = 0; i < s->n; i++)
            if (s->cases[i].left && contrast_of(&s->cases[i], best.id) > 0) {
                s->cases[i].left = false;
                s->n_left--;
            }
    }
}

/* -- who is left ------------------------------------------------------------------------------- */

/* What explains a case that no predictor was chosen for: a feature that most cases of some
 * predictor have, too, though others have it as well. A bound that is off by one shows by `jb` in
 * ten cases and by `jae` in one; all eleven compare unsigned numbers. */
static const double least_kinship = 0.3;

struct kinship {
    const struct spectrum *s;
    const int *of; /* by case: its predictor; -1: none */
    int n_predictors;
    tally failing; /* by feature: how many cases have it */
};

/* The mean contrast of the feature in the cases of a predictor. */
static double mean_contrast(const struct kinship *k, int predictor, uint32_t id)
{
    double sum = 0, n = 0;
    for (int i = 0; i < k->s->n; i++)
        if (k->of[i] == predictor) {
            sum += contrast_of(&k->s->cases[i], id);
            n++;
        }
    return n > 0 ? sum / n : 0;
}

static int nearest_predictor(struct kinship *k, tally *right, int i)
{
    const struct suspect *c = &k->s->cases[i];
    double most = least_kinship;
    int best = -1;
    for (size_t j = 0; j < c->has.n; j++) {
        const struct feature *f = &c->has.at[j];
        double failing = *tally_at(&k->failing, f->id);
        double guilt = failing / (failing + *tally_at(right, f->id));
        if (f->contrast < least_contrast || guilt * (double)f->contrast <= most)
            continue;
        for (int p = 0; p < k->n_predictors; p++) {
            double now = guilt * fmin((double)f->contrast, mean_contrast(k, p, f->id));
            if (now > most) {
                most = now;
                best = p;
            }
        }
    }
    return best;
}

static void join_those_left(struct spectrum *s, int *of, int n_predictors)
{
    struct kinship k = {s, of, n_predictors, {0}};
    int *to = mem_alloc((size_t)(s->n + 1) * sizeof *to);
    for (int i = 0; i < s->n; i++)
        for (size_t j = 0; j < s->cases[i].has.n; j++)
            *tally_at(&k.failing, s->cases[i].has.at[j].id) += 1;
    for (int i = 0; i < s->n; i++)
        to[i] = s->cases[i].left ? nearest_predictor(&k, &s->right, i) : of[i];
    memcpy(of, to, (size_t)s->n * sizeof *of);
    free(to);
    vec_release(&k.failing);
}

/* A case may have what several predict: the best of them is its own, though another came first. */
static int own_predictor(const struct suspect *c, const predictor_list *list)
{
    double most = 0;
    int best = -1;
    for (size_t k = 0; k < list->n; k++) {
        double now = contrast_of(c, list->at[k].id) * list->at[k].precision;
        if (now > most) {
            most = now;
            best = (int)k;
        }
    }
    return best;
}

void spectrum_explain(struct map *names, struct arena *a, const char *language,
                      const char *const *kin, int n, const char **explanation)
{
    struct spectrum s = {names, language, arena_array(a, struct suspect, n), n, 0, {0}};
    predictor_list predictors = {0};
    int *of = arena_array(a, int, n);
    for (int i = 0; i < n; i++) {
        if (kin[i] && *kin[i])
            read_kin(&s, i, kin[i]);
        explanation[i] = s.cases[i].left ? "" : NULL;
    }
    find_predictors(&s, &predictors);
    for (int i = 0; i < n; i++)
        of[i] = own_predictor(&s.cases[i], &predictors);
    join_those_left(&s, of, (int)predictors.n);
    for (int i = 0; i < n; i++) {
        if (of[i] >= 0)
            explanation[i] = arena_strdup(a, intern_text(names, predictors.at[of[i]].id));
        vec_release(&s.cases[i].has);
    }
    vec_release(&predictors);
    vec_release(&s.right);
}
