/* The table of rewrites, without trusting any of its code.
 *
 * At few bits every operation with every value: a row is found exactly where C11 says undefined,
 * and the replacement, evaluated from its text for every c of its interval, is defined. At the
 * widths of real types, trees with the values at the edges: what is built computes what the text
 * says.
 *
 *   test-rewrites            the tests
 *   test-rewrites --table    the table, for tests/slow/rewrites.py */
#include "base/error.h"
#include "gen/yarp/rewrite.h"
#include "tap.h"

/* -- what C says ------------------------------------------------------------------------------ */

typedef struct rewrite_operand operand;

static cc_wide power(int n)
{
    return (cc_wide)1 << n;
}

static bool fits(cc_wide v, operand type)
{
    return type.is_signed ? v >= -power(type.bits - 1) && v < power(type.bits - 1)
                          : v >= 0 && v < power(type.bits);
}

/* The value of the low bits of v in a type. */
static operand wrapped(cc_wide v, int bits, bool is_signed)
{
    cc_wide low = v & (power(bits) - 1);
    return (operand){is_signed && low >> (bits - 1) ? low - power(bits) : low, bits, is_signed};
}

enum verdict { DEFINED, BY_COMPILER, UNDEFINED };

static bool is_shift(enum cc_op op)
{
    return op == CC_SHL || op == CC_SHR;
}

/* a op b by C11 6.5.5 to 6.5.7 and 6.5p5. */
static enum verdict calculate(enum cc_op op, operand a, operand b, operand *out)
{
    cc_wide v = 0;
    *out = (operand){0, a.bits, a.is_signed};
    if (is_shift(op) ? b.value < 0 || b.value >= a.bits : op != CC_MINUS && a.bits != b.bits)
        return UNDEFINED;
    if ((op == CC_DIV || op == CC_REM) && b.value == 0)
        return UNDEFINED;
    switch (op) {
    case CC_PLUS:
        v = a.value;
        break;
    case CC_MINUS:
        v = -a.value;
        break;
    case CC_ADD:
        v = a.value + b.value;
        break;
    case CC_SUB:
        v = a.value - b.value;
        break;
    case CC_MUL: /* the low bits are right where the product of unsigned operands is too long */
        v = (cc_wide)((cc_uwide)a.value * (cc_uwide)b.value);
        break;
    case CC_DIV:
        v = a.value / b.value;
        break;
    case CC_REM: /* 6.5.5p6: defined where the quotient is */
        if (!fits(a.value / b.value, a))
            return UNDEFINED;
        v = a.value % b.value;
        break;
    case CC_SHL:
        if (a.value < 0)
            return UNDEFINED;
        v = (cc_wide)((cc_uwide)a.value << b.value);
        break;
    case CC_SHR:
        v = a.value >> b.value;
        break;
    default:
        BUG("operator %d", (int)op);
    }
    *out = wrapped(v, a.bits, a.is_signed);
    if (a.is_signed && !fits(v, a))
        return UNDEFINED;
    return op == CC_SHR && a.value < 0 ? BY_COMPILER : DEFINED;
}

/* -- replacements from their text ------------------------------------------------------------- */

/* Recursive descent over "(T)((U)a << (b + c))"; the worst verdict of its operations. */
struct reader {
    const char *at;
    operand a, b, c;
    enum verdict worst;
};

static bool take(struct reader *r, const char *token)
{
    r->at += strspn(r->at, " ");
    size_t n = strlen(token);
    if (strncmp(r->at, token, n) != 0)
        return false;
    r->at += n;
    return true;
}

static operand combine(struct reader *r, enum cc_op op, operand a, operand b)
{
    operand result;
    enum verdict verdict = calculate(op, a, b, &result);
    if (!is_shift(op) && (a.bits != b.bits || a.is_signed != b.is_signed))
        BUG("the text needs the usual conversions");
    if (verdict > r->worst)
        r->worst = verdict;
    return result;
}

static operand read_shift(struct reader *r);

static operand read_factor(struct reader *r)
{
    if (take(r, "(T)") || take(r, "(U)")) {
        bool to_signed = r->at[-2] == 'T' && r->a.is_signed;
        return wrapped(read_factor(r).value, r->a.bits, to_signed);
    }
    if (take(r, "(")) {
        operand v = read_shift(r);
        if (!take(r, ")"))
            BUG("no ) at '%s'", r->at);
        return v;
    }
    if (take(r, "+"))
        return read_factor(r);
    if (take(r, "MAX"))
        return (operand){power(r->a.bits - r->a.is_signed) - 1, r->a.bits, r->a.is_signed};
    if (take(r, "a"))
        return r->a;
    if (take(r, "b"))
        return r->b;
    if (take(r, "c"))
        return r->c;
    BUG("no operand at '%s'", r->at);
}

static operand read_product(struct reader *r)
{
    operand v = read_factor(r);
    for (;;) {
        if (take(r, "*"))
            v = combine(r, CC_MUL, v, read_factor(r));
        else if (take(r, "/"))
            v = combine(r, CC_DIV, v, read_factor(r));
        else
            return v;
    }
}

static operand read_sum(struct reader *r)
{
    operand v = read_product(r);
    for (;;) {
        if (take(r, "+"))
            v = combine(r, CC_ADD, v, read_product(r));
        else if (take(r, "-"))
            v = combine(r, CC_SUB, v, read_product(r));
        else
            return v;
    }
}

static operand read_shift(struct reader *r)
{
    operand v = read_sum(r);
    for (;;) {
        if (take(r, "<<"))
            v = combine(r, CC_SHL, v, read_sum(r));
        else if (take(r, ">>"))
            v = combine(r, CC_SHR, v, read_sum(r));
        else
            return v;
    }
}

static operand replaced(const struct rewrite_row *row, operand a, operand b, cc_wide c,
                        enum verdict *verdict)
{
    struct reader r = {row->replacement, a, b, {c, b.bits, b.is_signed}, DEFINED};
    operand v = read_shift(&r);
    if (*r.at && *r.at != ',')
        BUG("'%s' is left of '%s'", r.at, row->replacement);
    *verdict = fits(c, b) ? r.worst : UNDEFINED;
    return wrapped(v.value, a.bits, a.is_signed);
}

/* -- every value of few bits ------------------------------------------------------------------ */

static struct {
    long wrong_find, wrong_replacement, empty, overlap, idle, cases;
    long used[64];
} seen;

static void complain(const char *what, enum cc_op op, operand a, operand b)
{
    static int complaints;
    if (complaints++ < 20)
        printf("# %s: %d%s %s %d%s\n", what, (int)a.value, a.is_signed ? "" : "u", cc_op_text[op],
               (int)b.value, b.is_signed ? "" : "u");
}

static void check_replacement(const struct rewrite_row *row, operand a, operand b, bool negative)
{
    cc_wide least = 0, most = 0;
    bool has_c = rewrite_constants(row, a, b, &least, &most);
    if (has_c != (strstr(row->replacement, "c in") != NULL) || least > most) {
        seen.empty++;
        complain("no c", row->op, a, b);
    }
    for (cc_wide c = least; c <= most; c++) {
        enum verdict verdict;
        replaced(row, a, b, c, &verdict);
        if (verdict == UNDEFINED || (verdict == BY_COMPILER && !negative)) {
            seen.wrong_replacement++;
            complain(row->replacement, row->op, a, b);
        }
    }
}

static void check_values(enum cc_op op, operand a, operand b)
{
    operand unused;
    enum verdict verdict = calculate(op, a, b, &unused);
    seen.cases++;
    for (int negative = 0; negative < 2; negative++) {
        const struct rewrite_row *row = rewrite_find(op, a, b, negative);
        bool wanted = verdict == UNDEFINED || (verdict == BY_COMPILER && !negative);
        if ((row != NULL) != wanted) {
            seen.wrong_find++;
            complain(row ? "defined" : "undefined", op, a, b);
        }
        if (row) {
            seen.used[row - rewrite_table]++;
            check_replacement(row, a, b, negative);
        }
    }
    int holding[2] = {0, 0};
    for (int i = 0; i < rewrite_rows; i++) {
        const struct rewrite_row *row = &rewrite_table[i];
        if (rewrite_holds(row, op, a, b)) {
            holding[row->defined_by_compiler]++;
            if (verdict == DEFINED)
                seen.idle++;
        }
    }
    if (holding[0] > 1 || holding[1] > 1) {
        seen.overlap++;
        complain("two rows", op, a, b);
    }
}

static void check_types(enum cc_op op, operand a, operand b)
{
    cc_wide a0 = a.is_signed ? -power(a.bits - 1) : 0, b0 = b.is_signed ? -power(b.bits - 1) : 0;
    for (cc_wide i = 0; i < power(a.bits); i++)
        for (cc_wide k = 0; k < power(b.bits); k++) {
            a.value = a0 + i;
            b.value = b0 + k;
            check_values(op, a, b);
        }
}

static const enum cc_op operators[] = {CC_MINUS, CC_ADD, CC_SUB, CC_MUL,
                                       CC_DIV,   CC_REM, CC_SHL, CC_SHR};
enum { N_OPERATORS = sizeof operators / sizeof *operators };

static void test_few_bits(void)
{
    for (int i = 0; i < N_OPERATORS; i++) {
        enum cc_op op = operators[i];
        for (int signs = 0; signs < 4; signs++)
            for (int widths = 0; widths < 9; widths++) {
                operand a = {0, 3 + widths / 3, signs & 1};
                operand b = {0, 3 + widths % 3, signs >> 1 & 1};
                if (is_shift(op) || (a.bits == b.bits && a.is_signed == b.is_signed))
                    check_types(op, a, b);
            }
    }
    is_int(seen.wrong_find, 0, "a row is found where an operation is undefined, and only there");
    is_int(seen.idle, 0, "no row holds for an operation that is defined");
    is_int(seen.overlap, 0, "no two rows hold for the same operation");
    is_int(seen.empty, 0, "every interval has a c");
    is_int(seen.wrong_replacement, 0, "every replacement is defined with every c");
    for (int i = 0; i < rewrite_rows; i++)
        ok(seen.used[i] > 0, "row %d is used: %s of %s", i, rewrite_table[i].condition,
           rewrite_table[i].op == CC_MINUS ? "-a" : cc_op_text[rewrite_table[i].op]);
    ok(seen.cases > 10000, "%ld operations", seen.cases);
}

/* -- trees ------------------------------------------------------------------------------------ */

static struct arena arena;
static struct cc_program program;

static const enum cc_kind kinds[] = {CC_SCHAR, CC_USHORT, CC_INT,   CC_UINT,
                                     CC_LONG,  CC_ULONG,  CC_LLONG, CC_ULLONG};
enum { N_KINDS = sizeof kinds / sizeof *kinds, N_EDGES = 18 };

static cc_wide edge(const struct cc_type *type, int i)
{
    cc_wide least = cc_int_min(type), most = (cc_wide)cc_int_max(type);
    const cc_wide edges[N_EDGES] = {0,  1,  2,  3,    31,       32,       33,    63,        64,
                                    65, -1, -2, most, most - 1, most / 2, least, least + 1, -31};
    return cc_wrap(type, edges[i]);
}

struct evaluation {
    cc_wide a, b; /* of the variables */
    enum cc_ub ub;
    bool negative_right_shift;
    int reads[2];
};

static struct cc_var *variables[2];

/* By value.c, which has tests of its own; every node's type is believed. */
static union cc_scalar evaluate(const struct cc_expr *e, struct evaluation *v)
{
    union cc_scalar a = {0}, b = {0}, out = {0};
    enum cc_ub ub = CC_UB_NONE;
    switch (e->kind) {
    case CC_E_INT:
        return (union cc_scalar){.i = e->value};
    case CC_E_VAR:
        v->reads[e->var == variables[1]]++;
        return (union cc_scalar){.i = e->var == variables[0] ? v->a : v->b};
    case CC_E_CAST:
        ub = cc_convert_value(e->a->type->plain, e->type, evaluate(e->a, v), &out);
        break;
    case CC_E_UNARY:
        REQUIRE(e->a->type->plain == e->type);
        ub = cc_unary_value(e->op, e->type, evaluate(e->a, v), &out);
        break;
    case CC_E_BINARY:
        a = evaluate(e->a, v);
        b = evaluate(e->b, v);
        REQUIRE(e->a->type->plain == e->type);
        REQUIRE(is_shift(e->op) || e->b->type->plain == e->type);
        v->negative_right_shift |= e->op == CC_SHR && a.i < 0;
        ub = cc_binary_value(e->op, e->type, a, b, &out);
        break;
    default:
        BUG("kind %d", e->kind);
    }
    if (ub)
        v->ub = ub;
    return out;
}

static operand operand_of(const struct cc_expr *e, cc_wide value)
{
    return (operand){value, e->type->bits, e->type->is_signed};
}

/* The operation on two fresh variables. */
static struct cc_expr *operation(enum cc_op op, const struct cc_type *a, const struct cc_type *b)
{
    variables[0] = cc_local(&program, "a", a, NULL);
    variables[1] = cc_local(&program, "b", b, NULL);
    struct cc_expr *left = cc_use(&program, variables[0]);
    if (op == CC_MINUS)
        return cc_unary(&program, op, left);
    return cc_binary(&program, op, left, cc_use(&program, variables[1]));
}

static struct {
    long applied, undefined, retyped, other_value, read_twice, sign_shifted, out_of_turn;
} trees;

/* One way to rewrite the operation, by the choices to come. */
static void apply_once(struct choice *choices, enum cc_op op, const struct cc_type *at, cc_wide av,
                       const struct cc_type *bt, cc_wide bv, bool negative)
{
    struct cc_expr *e = operation(op, at, bt);
    const struct cc_type *type = e->type;
    operand a = operand_of(e->a, cc_wrap(e->a->type, av)), b = a;
    if (op != CC_MINUS)
        b = operand_of(e->b, cc_wrap(e->b->type, bv));
    const struct rewrite_row *row = rewrite_find(op, a, b, negative);
    if (!row)
        return;
    rewrite_apply(&program, choices, row, e, a, b);
    trees.applied++;
    struct evaluation v = {.a = av, .b = bv};
    cc_wide value = evaluate(e, &v).i;
    trees.undefined += v.ub != CC_UB_NONE;
    trees.retyped += e->type != type;
    trees.sign_shifted += v.negative_right_shift && !negative;

    cc_wide least = 0, most = 0, c = 0;
    bool has_c = rewrite_constants(row, a, b, &least, &most);
    trees.out_of_turn += choices->next != (size_t)has_c;
    if (has_c) {
        cc_wide count = (cc_wide)choices->path.at[0].value;
        c = strstr(row->replacement, "b + c") ? least + count : most - count;
        trees.out_of_turn += choices->path.at[0].limit != (uint64_t)(most - least) + 1;
    }
    enum verdict verdict;
    trees.other_value += replaced(row, a, b, c, &verdict).value != value;
}

static void apply_all(enum cc_op op, const struct cc_type *at, const struct cc_type *bt)
{
    for (int i = 0; i < N_EDGES; i++)
        for (int k = 0; k < N_EDGES; k++)
            for (int negative = 0; negative <= (op == CC_SHR); negative++) {
                struct choice choices;
                choice_init_exhaustive(&choices);
                do
                    apply_once(&choices, op, at, edge(at, i), bt, edge(bt, k), negative);
                while (choice_next_sequence(&choices));
                choice_release(&choices);
            }
}

/* After one rewriting the tree is defined for every pair. */
static void for_good(struct choice *choices, enum cc_op op, const struct cc_type *at,
                     const struct cc_type *bt, bool negative)
{
    struct cc_expr *e = operation(op, at, bt);
    const struct cc_type *type = e->type;
    rewrite_for_good(&program, choices, e, negative);
    trees.applied++;
    trees.retyped += e->type != type;
    for (int i = 0; i < N_EDGES; i++)
        for (int k = 0; k < N_EDGES; k++) {
            struct evaluation v = {.a = edge(at, i), .b = edge(bt, k)};
            evaluate(e, &v);
            trees.undefined += v.ub != CC_UB_NONE;
            trees.sign_shifted += v.negative_right_shift && !negative;
            trees.read_twice += v.reads[0] != 1 || v.reads[1] != (op != CC_MINUS);
        }
}

static int for_good_forms(enum cc_op op, const struct cc_type *at, const struct cc_type *bt,
                          bool negative)
{
    struct choice choices;
    int forms = 0;
    choice_init_exhaustive(&choices);
    do {
        for_good(&choices, op, at, bt, negative);
        forms++;
    } while (choice_next_sequence(&choices));
    choice_release(&choices);
    return forms;
}

static const struct cc_type *basic(enum cc_kind kind)
{
    return cc_basic(&program.types, kind);
}

static void forget(void)
{
    cc_program_release(&program);
    arena_reset(&arena);
    cc_program_init(&program, &arena, &cc_lp64);
}

static void test_rows_on_trees(void)
{
    memset(&trees, 0, sizeof trees);
    for (int i = 0; i < N_OPERATORS; i++)
        for (int a = 0; a < N_KINDS; a++) {
            for (int b = 0; b < N_KINDS; b++)
                apply_all(operators[i], basic(kinds[a]), basic(kinds[b]));
            forget();
        }
    ok(trees.applied > 100000, "%ld trees are rewritten", trees.applied);
    is_int(trees.undefined, 0, "they are defined");
    is_int(trees.retyped, 0, "their types stay");
    is_int(trees.other_value, 0, "they compute what the table says");
    is_int(trees.sign_shifted, 0, "no negative value is shifted where that is not wanted");
    is_int(trees.out_of_turn, 0, "one choice for a c, none without");
}

static void test_for_good(void)
{
    memset(&trees, 0, sizeof trees);
    for (int i = 0; i < N_OPERATORS; i++)
        for (int a = 0; a < N_KINDS; a++) {
            for (int b = 0; b < N_KINDS; b++)
                for (int negative = 0; negative < 2; negative++)
                    for_good_forms(operators[i], basic(kinds[a]), basic(kinds[b]), negative);
            forget();
        }
    ok(trees.applied > 1000, "%ld trees are rewritten for good", trees.applied);
    is_int(trees.undefined, 0, "they are defined for all values");
    is_int(trees.retyped, 0, "their types stay");
    is_int(trees.read_twice, 0, "each operand is read once");
    is_int(trees.sign_shifted, 0, "no negative value is shifted where that is not wanted");

    const struct cc_type *i32 = basic(CC_INT), *u32 = basic(CC_UINT);
    for (int i = 0; i < N_OPERATORS; i++)
        ok(for_good_forms(operators[i], i32, i32, true) > 1, "several forms of %s on int",
           operators[i] == CC_MINUS ? "-a" : cc_op_text[operators[i]]);
    static const enum cc_op defined[] = {CC_ADD, CC_SUB, CC_MUL, CC_AND, CC_XOR, CC_LT};
    for (size_t i = 0; i < sizeof defined / sizeof *defined; i++) {
        struct choice choices;
        struct cc_expr *e = operation(defined[i], u32, u32), before = *e;
        choice_init_exhaustive(&choices);
        rewrite_for_good(&program, &choices, e, false);
        ok(!memcmp(e, &before, sizeof before) && choices.next == 0, "%s on unsigned stays",
           cc_op_text[defined[i]]);
        choice_release(&choices);
    }
}

/* -- the table as text ------------------------------------------------------------------------ */

/* One row per line, tab-separated: operator ("neg" for the unary minus), signs of a and b (S, U, or
 * SU), condition, replacement, flags ("ours", "by-compiler", comma-separated; "-": none). */
static void rewrite_text(struct strbuf *out)
{
    static const char *const sign[] = {"SU", "S", "U"};
    static const char *const flags[2][2] = {{"-", "ours"}, {"by-compiler", "ours,by-compiler"}};
    for (int i = 0; i < rewrite_rows; i++) {
        const struct rewrite_row *row = &rewrite_table[i];
        strbuf_addf(out, "%s\t%s\t%s\t%s\t%s\t%s\n",
                    row->op == CC_MINUS ? "neg" : cc_op_text[row->op], sign[row->a], sign[row->b],
                    row->condition, row->replacement, flags[row->defined_by_compiler][row->ours]);
    }
}

static void print_table(void)
{
    struct strbuf text;
    strbuf_init(&text, 0);
    rewrite_text(&text);
    fputs(text.s, stdout);
    strbuf_release(&text);
}

static void test_text(void)
{
    struct strbuf text;
    strbuf_init(&text, 0);
    rewrite_text(&text);
    has_str(text.s, "neg\tS\tSU\ta == MIN\t+a\t-\n", "a row of the paper");
    has_str(text.s, "<<\tS\tSU\ta < 0 && 0 <= b && b < width\t(T)((U)a << b)\tours\n",
            "a row of ours");
    has_str(text.s, ">>\tS\tSU\ta == MIN\tb\tby-compiler\n", "a row that compilers define");
    has_str(text.s, "\ta >> (b - c), c in [b - width + 1, b]\t", "an interval");
    strbuf_release(&text);
}

int main(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "--table")) {
        print_table();
        return 0;
    }
    arena_init(&arena);
    cc_program_init(&program, &arena, &cc_lp64);
    test_few_bits();
    test_rows_on_trees();
    test_for_good();
    test_text();
    cc_program_release(&program);
    arena_release(&arena);
    return tap_done();
}
