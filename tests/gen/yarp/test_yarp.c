/* yarp's programs: the interpreter agrees with every one, whatever the policies, languages and
 * forms; the arithmetic is bare; and each policy does what it says, seen in the text and in the
 * tree.
 *
 * Policies that say what there is are tried both ways: forced, it shows in most programs; off, in
 * none. Policies that say how often are measured against the same programs without any policy. */
#include "gen/yarp/policy.h"
#include "gen/yarp/values.h"
#include "gen/yarp/yarp.h"
#include "tap.h"

#include <regex.h>
#include <stddef.h>
#include <stdlib.h>

static const char *const policies[] = {
#define X(id, name, group, percent, from, to, help) name,
    YARP_POLICY_TABLE(X)
#undef X
};

/* -- opening and generating ------------------------------------------------------------------- */

enum { MOST_SETTINGS = 8 };

/* A generator from settings with blanks between. */
static struct generator *open_with(const char *settings)
{
    char words[512];
    const char *list[MOST_SETTINGS];
    int n = 0;
    snprintf(words, sizeof words, "%s", settings);
    for (char *w = words, *blank; *w && n < MOST_SETTINGS; w = blank) {
        blank = w + strcspn(w, " ");
        if (*blank)
            *blank++ = '\0';
        if (*w)
            list[n++] = w;
    }
    struct gen_context context = {.settings = list, .n_settings = n};
    struct generator *g = NULL;
    struct error e = {0};
    if (gen_open("yarp", &context, &g, &e)) {
        ok(false, "%s: %s", settings, e.message);
        exit(tap_done());
    }
    yarp_check(g, true);
    return g;
}

/* The files of a program, each after its name; false, with a note: there is none. */
static bool text_of(struct generator *g, uint64_t seed, struct strbuf *out)
{
    struct choice c;
    struct arena a;
    struct program p = {0};
    struct error e = {0};
    choice_init_random(&c, seed);
    arena_init(&a);
    bool good = !gen_next(g, &c, &a, &p, &e);
    strbuf_clear(out);
    for (size_t i = 0; good && i < (size_t)p.n_files; i++)
        strbuf_addf(out, "-- %s\n%.*s", p.files[i].name, (int)p.files[i].size, p.files[i].text);
    if (!good)
        printf("# %s: %s\n", g->config, e.message);
    arena_release(&a);
    choice_release(&c);
    return good;
}

static bool matches(const char *text, const char *pattern)
{
    regex_t re;
    bool compiled = !regcomp(&re, pattern, REG_EXTENDED | REG_NOSUB | REG_NEWLINE);
    if (!compiled)
        ok(false, "the pattern %s", pattern);
    bool found = compiled && !regexec(&re, text, 0, NULL, 0);
    if (compiled)
        regfree(&re);
    return found;
}

/* -- what is in a tree ------------------------------------------------------------------------ */

struct counts {
    double op[CC_N_OP]; /* binary operators */
    double binary;
    double leaves, constants;              /* outside of subscripts */
    double special, near, blocks, reused;  /* constants by kind */
    double subtrees, common;               /* with two operands or more; those seen before */
    double casts;                          /* that are written */
    double effects;                        /* assignments and ++ inside of expressions */
    double compound;                       /* op= and ++ as statements */
    double conditions, ifs, loops, nested; /* ?: and statements */
    double walks;                          /* loops over a pointer */
    double kernels, perfect; /* loops of element assignments alone; of another loop alone */
    double subscripts, gathers, shifted, strides;
    double dead; /* operations that can only be undefined, by their constant operand */
};

struct walk {
    struct counts n;
    VEC(uint64_t) trees;
    VEC(int64_t) values;
};

static const struct cc_expr *bare(const struct cc_expr *e)
{
    while (e->kind == CC_E_CAST && e->implicit)
        e = e->a;
    return e;
}

static bool is_induction(const struct cc_expr *e)
{
    return e->kind == CC_E_VAR && !strncmp(e->var->name, "i_", 2);
}

static void count_constant(struct walk *w, const struct cc_expr *e)
{
    int64_t x = (int64_t)e->value;
    w->n.constants++;
    w->n.special += x >= -2 && x <= 8;
    cc_wide from_least = e->value - cc_int_min(e->type);
    cc_wide from_most = (cc_wide)cc_int_max(e->type) - e->value;
    w->n.near += (e->type->is_signed && from_least <= 3) || from_most <= 3;
    /* ones in one piece, or zeroes: at most two places where neighbours differ */
    uint64_t bits = (uint64_t)x, mask = e->type->bits == 64 ? ~0ull : (1ull << e->type->bits) - 1;
    uint64_t edges = (bits ^ bits >> 1) & (mask >> 1);
    w->n.blocks += __builtin_popcountll(edges) <= 2;
    for (size_t i = 0; i < w->values.n; i++)
        if (w->values.at[i] == x || w->values.at[i] == (int64_t)(0 - (uint64_t)x) ||
            w->values.at[i] == ~x) {
            w->n.reused++;
            return;
        }
    vec_push(&w->values, x);
}

/* a[i], a[i + c], a[i * 2 + c], a[c - i], or something that is computed. */
static void count_subscript(struct walk *w, const struct cc_expr *e)
{
    e = bare(e);
    if (e->kind == CC_E_INT)
        return;
    w->n.subscripts++;
    if (is_induction(e))
        return;
    if (e->kind == CC_E_BINARY) {
        const struct cc_expr *a = bare(e->a), *b = bare(e->b);
        if (is_induction(a) && b->kind == CC_E_INT && (e->op == CC_ADD || e->op == CC_SUB)) {
            w->n.shifted++;
            return;
        }
        if (e->op == CC_ADD && a->kind == CC_E_BINARY) /* i * 2 + c */
            e = a;
        if ((e->op == CC_MUL && is_induction(bare(e->a))) ||
            (e->op == CC_SUB && bare(e->a)->kind == CC_E_INT && is_induction(bare(e->b)))) {
            w->n.strides++;
            return;
        }
    }
    w->n.gathers++;
}

/* The value of an integer expression of constants alone. False: it is none, or undefined. */
static bool fold(const struct cc_expr *e, union cc_scalar *out)
{
    union cc_scalar a, b;
    if (!cc_is_integer(e->type))
        return false;
    switch (e->kind) {
    case CC_E_INT:
        out->i = e->value;
        return true;
    case CC_E_CAST:
        return fold(e->a, &a) && !cc_convert_value(e->a->type, e->type, a, out);
    case CC_E_UNARY:
        return fold(e->a, &a) && !cc_unary_value(e->op, e->a->type, a, out);
    case CC_E_BINARY:
        return fold(e->a, &a) && fold(e->b, &b) && !cc_binary_value(e->op, e->a->type, a, b, out);
    default:
        return false;
    }
}

/* By its constant operands, whatever the others are. */
static bool always_undefined(const struct cc_expr *e)
{
    union cc_scalar a = {.i = 0}, b, result;
    if (!cc_is_integer(e->a->type) || !fold(e->b, &b))
        return false;
    bool by_right = e->op >= CC_DIV && e->op <= CC_SHR; /* if so for 0, then for all */
    if (!fold(e->a, &a) && !by_right)
        return false;
    return cc_binary_value(e->op, e->a->type, a, b, &result) != CC_UB_NONE;
}

static uint64_t count_expr(struct walk *w, const struct cc_expr *e, bool inside);

static uint64_t mix(uint64_t h, uint64_t x)
{
    return (h ^ x) * 0x9E3779B97F4A7C15u + (h >> 29);
}

static void count_subtree(struct walk *w, uint64_t hash)
{
    w->n.subtrees++;
    for (size_t i = 0; i < w->trees.n; i++)
        if (w->trees.at[i] == hash) {
            w->n.common++;
            return;
        }
    vec_push(&w->trees, hash);
}

/* Counts what is in it; returns a hash of its form. */
static uint64_t count_node(struct walk *w, const struct cc_expr *e)
{
    uint64_t h = mix(e->kind, e->op);
    switch (e->kind) {
    case CC_E_INT:
        w->n.leaves++;
        count_constant(w, e);
        return mix(h, (uint64_t)e->value);
    case CC_E_VAR:
        w->n.leaves++;
        return mix(h, (uint64_t)e->var->id);
    case CC_E_INDEX:
        count_subscript(w, e->b);
        return mix(count_expr(w, e->a, true), h);
    case CC_E_BINARY:
    case CC_E_LOGICAL:
        w->n.op[e->op]++;
        w->n.binary++;
        w->n.dead += e->kind == CC_E_BINARY && always_undefined(e);
        h = mix(h, count_expr(w, e->a, true));
        h = mix(h, count_expr(w, e->b, true));
        if (bare(e->a)->kind > CC_E_VAR || bare(e->b)->kind > CC_E_VAR)
            count_subtree(w, h);
        return h;
    case CC_E_COND:
        w->n.conditions++;
        h = mix(h, count_expr(w, e->c, true)); /* fall through */
    case CC_E_ASSIGN:
    case CC_E_COMMA:
        h = mix(h, count_expr(w, e->b, true)); /* fall through */
    case CC_E_INCDEC:
    case CC_E_UNARY:
    case CC_E_CAST:
    case CC_E_MEMBER:
    case CC_E_ADDR:
    case CC_E_DEREF:
        return mix(h, count_expr(w, e->a, true));
    case CC_E_CALL:
        for (uint32_t i = 0; i < e->n_args; i++)
            h = mix(h, count_expr(w, e->args[i], true));
        return h;
    default:
        return h;
    }
}

static uint64_t count_expr(struct walk *w, const struct cc_expr *e, bool inside)
{
    e = bare(e);
    w->n.casts += e->kind == CC_E_CAST;
    bool writes = e->kind == CC_E_INCDEC || e->kind == CC_E_ASSIGN;
    w->n.effects += inside && writes;
    w->n.compound += !inside && writes && e->op != CC_NONE;
    return count_node(w, e);
}

static bool is_loop(const struct cc_stmt *s)
{
    return s->kind == CC_S_FOR || s->kind == CC_S_WHILE || s->kind == CC_S_DO;
}

/* An element, or the accumulator of a reduction. */
static bool sets_element(const struct cc_stmt *s)
{
    const struct cc_expr *e = s->kind == CC_S_EXPR ? s->expr : NULL;
    if (!e || (e->kind != CC_E_ASSIGN && e->kind != CC_E_INCDEC))
        return false;
    return e->a->kind == CC_E_INDEX ||
           (e->a->kind == CC_E_VAR && !strncmp(e->a->var->name, "acc_", 4));
}

static void count_body(struct walk *w, const struct cc_stmt *body)
{
    size_t elements = 0, n = body->list.n;
    for (size_t i = 0; i < n; i++)
        elements += sets_element(body->list.at[i]);
    w->n.kernels += n && elements == n;
    const struct cc_stmt *only = n == 1 ? body->list.at[0] : NULL;
    for (size_t i = 0; only && only->kind == CC_S_BLOCK && i < only->list.n; i++)
        w->n.perfect += is_loop(only->list.at[i]);
}

static void count_stmt(struct walk *w, const struct cc_stmt *s, int depth)
{
    if (!s)
        return;
    bool loop = is_loop(s);
    if (s->kind == CC_S_FOR)
        count_body(w, s->a);
    w->n.loops += loop;
    w->n.nested += loop && depth > 0;
    w->n.ifs += s->kind == CC_S_IF;
    if (s->kind == CC_S_FOR && s->step && s->step->type->kind == CC_POINTER)
        w->n.walks++;
    for (size_t i = 0; s->kind == CC_S_BLOCK && i < s->list.n; i++)
        count_stmt(w, s->list.at[i], depth);
    if (s->expr)
        count_expr(w, s->expr, s->kind != CC_S_EXPR);
    if (s->step)
        count_expr(w, s->step, false);
    if (s->kind == CC_S_DECL && s->var->init && cc_is_scalar(s->var->type))
        count_expr(w, s->var->init, true);
    count_stmt(w, s->a, depth + loop);
    count_stmt(w, s->b, depth + loop);
}

/* Of one program. */
static struct counts count_program(struct generator *g, uint64_t seed)
{
    struct choice c;
    struct arena a;
    struct walk w = {0};
    choice_init_random(&c, seed);
    arena_init(&a);
    struct cc_program *p = yarp_tree(g, &c, &a);
    for (size_t i = 0; i < p->funcs.n; i++)
        count_stmt(&w, p->funcs.at[i]->body, 0);
    vec_release(&w.trees);
    vec_release(&w.values);
    cc_program_release(p);
    arena_release(&a);
    choice_release(&c);
    return w.n;
}

enum { N_MEASURED = 12, N_COUNTS = sizeof(struct counts) / sizeof(double) };

/* Of several programs together. */
static struct counts measure(const char *policy)
{
    char settings[256];
    snprintf(settings, sizeof settings, "size=3000 policy=%s", policy);
    struct generator *g = open_with(settings);
    struct counts sum = {0};
    for (uint64_t seed = 1; seed <= N_MEASURED; seed++) {
        struct counts n = count_program(g, seed);
        for (int i = 0; i < N_COUNTS; i++)
            ((double *)&sum)[i] += ((double *)&n)[i];
    }
    gen_close(g);
    return sum;
}

/* -- policies that say what there is ---------------------------------------------------------- */

#define TEXT(pattern) pattern, 0
#define TREE(field) NULL, offsetof(struct counts, field)

/* `apart`: policies without which something else would look like it, or it would have no place. */
static const struct trace {
    const char *policy, *apart, *language;
    const char *pattern; /* in a line of the program; NULL: in the tree */
    size_t field;
} traces[] = {
    {"arrays", "structs=off", "c", TEXT("^extern .*\\[[0-9]+\\];")},
    {"structs", "", "c", TEXT("^struct [a-zA-Z_0-9]+ \\{")},
    {"bit-fields", "structs=force", "c", TEXT("^    [a-z0-9_ ]+ member_[0-9_]+ : [0-9]+;")},
    {"pointers", "", "c", TEXT("^extern .*\\*")},
    {"consts", "", "c", TEXT("^extern const ")},
    {"static-members", "structs=force", "c++", TEXT("^    static .*;")},
    {"containers", "arrays=force", "c++", TEXT("^extern .*std::(array|vector|valarray)<")},
    {"containers", "arrays=force", "c++", TEXT("[a-z]_[0-9]+\\.at\\(")},
    {"bools", "shuffle=off", "c", TEXT("(^|[ (])_Bool ")},
    {"bools", "shuffle=off", "c++", TEXT("(^|[ (])bool ")},
    {"conditionals", "loops=off", "c", TREE(ifs)},
    {"switches", "conditionals=off,loops=off", "c", TEXT("^ *switch \\(")},
    {"loops", "", "c", TEXT("^ .*(for \\(|while \\(|goto )")},
    {"nests", "loops=force,arrays=force", "c", TREE(nested)},
    {"reductions", "loops=force", "c", TEXT(" acc_[0-9]+ = ")},
    {"strides", "loops=force,arrays=force,stencils=off,gathers=off", "c", TREE(strides)},
    {"gathers", "loops=off,arrays=force", "c", TREE(gathers)},
    {"parametrised-bounds", "loops=force", "c",
     TEXT("; i_[0-9]+ [<>=!]+ (\\([a-z0-9_ ]+\\))?\\(?in_[0-9]+")},
    {"breaks", "loops=force,switches=off", "c", TEXT("^ *continue;")},
    {"calls", "", "c", TEXT("(pure|func)_[0-9]+\\(")},
    {"pointer-walks", "loops=force,arrays=force", "c", TREE(walks)},
    {"side-effects", "", "c", TREE(effects)},
    {"compound-assignments", "", "c", TREE(compound)},
    {"floats", "vectors=off", "c", TEXT("^extern .*(float|double) ")},
    {"vectors", "", "c", TEXT("vector_size")},
    {"ternaries", "reductions=off,min-max=off", "c", TREE(conditions)},
    {"min-max", "reductions=off,ternaries=off", "c", TREE(conditions)},
    {"dead-ub", "loops=off,shuffle=off,near-limits=force,all-constants=force", "c", TREE(dead)},
    {"long", "shuffle=off", "c", TEXT("^extern .*[ (]long [^l]")},
    {"long", "shuffle=off", "c", TEXT("^typedef .*sizeof\\(long\\) == 8")},
    {"long", "shuffle=off", "c++", TEXT("^typedef .*sizeof\\(long\\) == 8")},
};

enum { N_TRACED = 8 };

/* main, with its support and its loops over arrays, is in the first file. */
static const char *after_main(const char *text)
{
    return strstr(text, "\n-- ");
}

/* In how many programs it shows. */
static int shown(const struct trace *t, const char *value)
{
    char settings[512];
    snprintf(settings, sizeof settings, "size=2500 lang=%s policy=%s=%s%s%s", t->language,
             t->policy, value, *t->apart ? "," : "", t->apart);
    struct generator *g = open_with(settings);
    struct strbuf text;
    strbuf_init(&text, 0);
    int n = 0;
    for (uint64_t seed = 1; seed <= N_TRACED; seed++) {
        if (!t->pattern) {
            struct counts c = count_program(g, seed);
            n += *(double *)((char *)&c + t->field) > 0;
        } else {
            n += text_of(g, seed, &text) && matches(after_main(text.s), t->pattern);
        }
    }
    strbuf_release(&text);
    gen_close(g);
    return n;
}

static void test_traces(void)
{
    for (size_t i = 0; i < sizeof traces / sizeof *traces; i++) {
        const struct trace *t = &traces[i];
        int forced = shown(t, "force"), off = shown(t, "off");
        ok(forced * 2 >= N_TRACED, "%s forced, in %s: in %d of %d programs", t->policy, t->language,
           forced, N_TRACED);
        ok(off == 0, "  off: in %d", off);
    }
}

/* -- policies that say how often -------------------------------------------------------------- */

static double sum_of(const struct counts *n, const enum cc_op *ops)
{
    double sum = 0;
    for (; *ops != CC_NONE; ops++)
        sum += n->op[*ops];
    return sum;
}

static void test_contexts(void)
{
    static const struct {
        const char *policy;
        enum cc_op ops[6];
    } contexts[] = {
        {"additive", {CC_ADD, CC_SUB, CC_NONE}},
        {"bitwise", {CC_AND, CC_OR, CC_XOR, CC_NONE}},
        {"logical", {CC_LAND, CC_LOR, CC_NONE}},
        {"multiplicative", {CC_MUL, CC_DIV, CC_NONE}},
        {"bitwise-shift", {CC_AND, CC_OR, CC_XOR, CC_SHL, CC_SHR, CC_NONE}},
        {"additive-multiplicative", {CC_ADD, CC_SUB, CC_MUL, CC_DIV, CC_NONE}},
    };
    struct counts plain = measure("all=off");
    for (size_t i = 0; i < sizeof contexts / sizeof *contexts; i++) {
        char policy[64];
        snprintf(policy, sizeof policy, "all=off,%s=force", contexts[i].policy);
        struct counts forced = measure(policy);
        double before = sum_of(&plain, contexts[i].ops) / plain.binary;
        double after = sum_of(&forced, contexts[i].ops) / forced.binary;
        ok(after > before + 0.25, "%s: %.0f %% of the operators are its own, %.0f %% without",
           contexts[i].policy, 100 * after, 100 * before);
    }
}

static void test_shares(void)
{
    static const struct {
        const char *policy, *others;
        size_t part, of;
        double more; /* at least so much, of 1 */
        const char *what;
    } shares[] = {
#define SHARE(part, of) offsetof(struct counts, part), offsetof(struct counts, of)
        {"all-constants", "all=off", SHARE(constants, leaves), 0.3, "of the leaves are constants"},
        {"half-constants", "all=off", SHARE(constants, leaves), 0.1, "of the leaves are constants"},
        {"special-constants", "all=off", SHARE(special, constants), 0.4,
         "of the constants are special"},
        {"near-limits", "all=off", SHARE(near, constants), 0.4,
         "of the constants are near a limit"},
        {"bit-blocks", "all=off", SHARE(blocks, constants), 0.4,
         "of the constants are blocks of bits"},
        {"reused-constants", "all=off", SHARE(reused, constants), 0.3,
         "of the constants come back"},
        {"common-subexpressions", "all=off", SHARE(common, subtrees), 0.3,
         "of the subtrees come back"},
        {"casts", "all=off", SHARE(casts, leaves), 0.5, "casts per leaf"},
        {"kernels", "all=off,loops=force,arrays=force", SHARE(kernels, loops), 0.3,
         "of the loops compute elements alone"},
        {"perfect-nests", "all=off,loops=force,nests=force", SHARE(perfect, nested), 0.3,
         "of the nested loops stand alone"},
        /* a loop that starts late needs a shift to stay inside, whatever the policy */
        {"stencils", "all=off,loops=force,arrays=force", SHARE(shifted, subscripts), 0.3,
         "of the subscripts are shifted"},
#undef SHARE
    };
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
        char policy[128];
        struct counts plain = measure(shares[i].others);
        snprintf(policy, sizeof policy, "%s,%s=force", shares[i].others, shares[i].policy);
        struct counts forced = measure(policy);
        double share[2];
        const struct counts *both[2] = {&plain, &forced};
        for (int k = 0; k < 2; k++)
            share[k] = *(const double *)((const char *)both[k] + shares[i].part) /
                       *(const double *)((const char *)both[k] + shares[i].of);
        ok(share[1] > share[0] + shares[i].more, "%s: %.0f %% %s, %.0f %% without",
           shares[i].policy, 100 * share[1], shares[i].what, 100 * share[0]);
    }
}

/* How far the share of one operator is spread over programs. */
static double spread(const char *policy)
{
    char settings[128];
    snprintf(settings, sizeof settings, "size=4000 policy=%s", policy);
    struct generator *g = open_with(settings);
    double sum = 0, squares = 0;
    enum { N = 30 };
    for (uint64_t seed = 1; seed <= N; seed++) {
        struct counts n = count_program(g, seed);
        double share = n.op[CC_XOR] / n.binary;
        sum += share;
        squares += share * share;
    }
    gen_close(g);
    return squares / N - sum / N * (sum / N);
}

static void test_shuffle(void)
{
    double with = spread("all=off,shuffle=force"), without = spread("all=off");
    ok(with > 4 * without, "shuffled: programs differ in their operators (variance %.5f, not %.5f)",
       with, without);
}

/* -- >> of negative values -------------------------------------------------------------------- */

static void place_locals(struct values *v, struct cc_stmt *s)
{
    if (!s)
        return;
    if (s->kind == CC_S_DECL)
        values_add(v, s->var);
    for (size_t i = 0; s->kind == CC_S_BLOCK && i < s->list.n; i++)
        place_locals(v, s->list.at[i]);
    place_locals(v, s->a);
    place_locals(v, s->b);
}

/* Run the finished tree once more: nothing is left to rewrite but these, where they are minded. */
static uint64_t count_negative_shifts(struct cc_program *p, struct choice *c, struct arena *a)
{
    struct values v;
    values_init(&v, p, c, a);
    for (size_t i = 0; i < p->globals.n; i++)
        values_add(&v, p->globals.at[i]);
    v.off = true;
    for (size_t i = 0; i < p->funcs.n; i++) {
        for (int k = 0; k < p->funcs.at[i]->n_params; k++)
            values_add(&v, p->funcs.at[i]->params[k]);
        place_locals(&v, p->funcs.at[i]->body);
    }
    v.off = false;
    v.mode = VALUES_RUNNING;
    values_exec(&v, p->entry->body);
    uint64_t n = v.n_rewritten;
    values_release(&v);
    return n;
}

static uint64_t negative_shifts(const char *policy)
{
    char settings[128];
    snprintf(settings, sizeof settings, "size=4000 policy=%s", policy);
    struct generator *g = open_with(settings);
    uint64_t n = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct choice c;
        struct arena a;
        choice_init_random(&c, seed);
        arena_init(&a);
        struct cc_program *p = yarp_tree(g, &c, &a);
        n += count_negative_shifts(p, &c, &a);
        cc_program_release(p);
        arena_release(&a);
        choice_release(&c);
    }
    gen_close(g);
    return n;
}

static void test_negative_shifts(void)
{
    uint64_t on = negative_shifts("all=off,calls=force,negative-shifts=force");
    ok(on > 20, "negative-shifts: %llu values that are shifted", (unsigned long long)on);
    is_int(negative_shifts("all=off,calls=force"), 0, "  off: none");
}

/* -- every program ---------------------------------------------------------------------------- */

/* Functions in the file of the tests are tests or what they call: there are no wrappers. */
static int wrappers_in(const char *text)
{
    int n = strstr(text, "safe_") != NULL;
    const char *at = strstr(text, "func.c\n");
    if (!at)
        return n;
    const char *end = strstr(at, "\n-- ");
    for (const char *line = at; line && (!end || line < end); line = strchr(line, '\n')) {
        line += *line == '\n';
        if (*line == '\0')
            break;
        size_t length = strcspn(line, "\n");
        bool header = line[length] && line[length + 1] == '{' && line[length + 2] == '\n';
        char copy[256];
        snprintf(copy, sizeof copy, "%.*s", (int)length, line);
        n += header && !matches(copy, " (test|func|pure)_[0-9]+\\(");
    }
    return n;
}

/* Programs from seed 1 on; how many the interpreter rejects or that have a wrapper. */
static int bad_programs(const char *settings, int count)
{
    struct generator *g = open_with(settings);
    struct strbuf text;
    strbuf_init(&text, 0);
    int bad = 0;
    for (uint64_t seed = 1; seed <= (uint64_t)count; seed++)
        bad += !text_of(g, seed, &text) || wrappers_in(text.s);
    strbuf_release(&text);
    gen_close(g);
    return bad;
}

static void test_policies(void)
{
    static const char *const ways[] = {"policy=%s=force", "policy=%s=off",
                                       "policy=all=off,%s=force"};
    for (size_t i = 0; i < sizeof policies / sizeof *policies; i++)
        for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
            char policy[64], settings[128];
            snprintf(policy, sizeof policy, ways[k], policies[i]);
            snprintf(settings, sizeof settings, "size=1500 %s %s", policy,
                     (i + k) % 3 ? "" : "lang=c++");
            is_int(bad_programs(settings, 4), 0, "4 programs with %s", settings);
        }
}

static void test_forms(void)
{
    static const char *const languages[] = {"c", "c++"};
    static const char *const forms[] = {"separate", "single-file", "shared-library"};
    for (int l = 0; l < 2; l++)
        for (int f = 0; f < 3; f++) {
            char settings[128];
            snprintf(settings, sizeof settings, "lang=%s form=%s", languages[l], forms[f]);
            is_int(bad_programs(settings, 6), 0, "6 programs with %s", settings);
        }
    is_int(bad_programs("size=1500 policy=all=force", 10), 0, "10 with everything forced");
    is_int(bad_programs("size=1500 policy=all=on", 10), 0, "10 with everything on");
    is_int(bad_programs("size=1500 policy=all=off", 10), 0, "10 with nothing");
    is_int(bad_programs("size=300 policy=all=off,arrays=force,gathers=force,calls=force,"
                        "side-effects=force",
                        600),
           0, "600 with calls and effects close together");
    is_int(bad_programs("size=1500 no-policies", 10), 0, "10 without the paper's policies");
}

/* The files of each form, and that the command which makes the program stands in every one. */
static void test_files(void)
{
    static const struct {
        const char *settings, *names;
    } forms[] = {
        {"size=1500", "driver.c func.c init.h "},
        {"size=1500 single-file", "t.c "},
        {"size=1500 shared-library", "driver.c libfunc.c init.h "},
        {"size=1500 lang=c++", "driver.cc func.cc init.h "},
        {"size=1500 lang=c++ single-file", "t.cc "},
        {"size=1500 lang=c++ shared-library", "driver.cc libfunc.cc init.h "},
    };
    struct strbuf text;
    strbuf_init(&text, 0);
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        struct generator *g = open_with(forms[i].settings);
        char names[128] = "", command[256];
        strbuf_clear(&text);
        gen_command("yarp", g->config, 7, &text);
        snprintf(command, sizeof command, "made by assay: %s\n", text.s);
        text_of(g, 7, &text);
        int files = 0, heads = 0;
        for (const char *at = text.s; (at = strstr(at, "-- ")); at++)
            if (at == text.s || at[-1] == '\n') {
                size_t n = strlen(names);
                snprintf(names + n, sizeof names - n, "%.*s ", (int)strcspn(at + 3, "\n"), at + 3);
                files++;
            }
        for (const char *at = text.s; (at = strstr(at, command)); at++)
            heads++;
        is_str(names, forms[i].names, "%s: its files", forms[i].settings);
        is_int(heads, files, "  each names the command");
        gen_close(g);
    }
    strbuf_release(&text);
}

static void test_same(void)
{
    static const char *const settings[] = {"size=2000", "size=2000 lang=c++ single-file",
                                           "size=2000 policy=all=on shared-library"};
    int different = 0, alike = 0;
    struct strbuf a, b;
    strbuf_init(&a, 0);
    strbuf_init(&b, 0);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        struct generator *g = open_with(settings[i]), *h = open_with(settings[i]);
        for (uint64_t seed = 1; seed <= 5; seed++) {
            text_of(g, seed, &a);
            text_of(h, 6 - seed, &b); /* what came before makes no difference */
            text_of(h, seed, &b);
            different += strcmp(a.s, b.s) != 0;
            text_of(h, seed + 100, &b);
            alike += !strcmp(a.s, b.s);
        }
        gen_close(g);
        gen_close(h);
    }
    is_int(different, 0, "the same seed makes the same text");
    is_int(alike, 0, "another seed another one");
    strbuf_release(&a);
    strbuf_release(&b);
}

static void test_loops(void)
{
    static const char *const settings[] = {"", "size=1500", "lang=c++ size=1500"};
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        struct generator *g = open_with(settings[i]);
        for (uint64_t seed = 1; seed <= 30; seed++)
            count_program(g, seed);
        struct yarp_counts n = yarp_measure(g);
        is_int(n.programs, 30, "programs are counted");
        ok(n.with_loops * 2 >= n.programs, "at least half of them have loops: %llu of 30, \"%s\"",
           (unsigned long long)n.with_loops, settings[i]);
        gen_close(g);
    }
}

int main(void)
{
    test_files();
    test_same();
    test_loops();
    test_forms();
    test_policies();
    test_traces();
    test_contexts();
    test_shares();
    test_shuffle();
    test_negative_shifts();
    return tap_done();
}
