/* Programs in several files and in C++ as C++ is: a header that all units include, arrays as
 * containers of the standard library, static members, globals that are hidden before the entry.
 *
 * One program has a global of every shape; the interpreter says what it prints. Whatever its arrays
 * are and however it is cut into files, each compiler must take it under -Wall -Wextra -Werror with
 * no exceptions but those in `warnings`, and the result must print the same. */
#include "base/child.h"
#include "base/fs.h"
#include "interp/make.h"

struct compiler {
    const char *name, *standard;
    enum cc_language language;
};

static const struct compiler compilers[] = {
    {"gcc", "-std=c11", CC_C11},
    {"clang", "-std=c11", CC_C11},
    {"g++", "-std=c++17", CC_CXX17},
    {"clang++", "-std=c++17", CC_CXX17},
};
enum { COMPILERS = sizeof compilers / sizeof *compilers };

static const char *const container_name[] = {"arrays", "std::array", "std::vector",
                                             "std::valarray"};

/* What is said about values, and we mean them: 200 in an int8_t, 2.5 in an int64_t. */
static const char *const warnings[] = {"-Wno-overflow", "-Wno-constant-conversion",
                                       "-Wno-literal-conversion"};

static char folder[256];
static struct child_result result;
static struct strbuf texts[3]; /* init.h, driver, func */

/* -- the program ------------------------------------------------------------------------------ */

static struct {
    const struct cc_type *bits, *outer;
    struct cc_var *scalars[16];
    int n_scalars;
    struct cc_var *bytes, *matrix, *cube, *zeros, *zero_cube, *flags, *records, *pointers, *fixed;
    struct cc_var *lanes, *far, *record, *limit, *view, *pointed, *watched, *member, *member_array,
        *member_self;
} g;

static struct cc_expr *element(struct cc_expr *array, struct cc_expr *index, bool at)
{
    struct cc_expr *e = AT(array, index);
    e->at = at;
    return e;
}

/* A struct with a bit-field of every integer type, and one that has that, an array and pointers. */
static void make_types(void)
{
    g.bits = STRUCT("S0", BITS("f0", BOOL, 1), BITS("f1", SCHAR, 3), BITS("f2", UCHAR, 8),
                    BITS("f3", SHORT, 9), BITS("f4", BASIC(CC_USHORT), 15), BITS("f5", INT, 17),
                    BITS("f6", UINT, 31), BITS("f7", LLONG, 20), BITS("f8", ULLONG, 31),
                    FIELD("f9", INT));
    g.outer = STRUCT("S1", FIELD("f0", g.bits), FIELD("f1", ARRAY(SHORT, 3)),
                     FIELD("f2", PTR(QUAL(INT, CC_CONST))), FIELD("f3", LLONG));
}

static struct cc_expr *bits_list(int n)
{
    return LIST(g.bits, I(n & 1), I(n % 4), I(200), I(-n), I(5000 + n), I(-1000 * n),
                N(UINT, 1U << 30), N(LLONG, -n), N(ULLONG, 70000 + n), I(n));
}

static struct cc_expr *outer_list(int n, struct cc_expr *pointer)
{
    struct cc_expr *inner = LIST(ARRAY(SHORT, 3), I(n), I(-n), I(7));
    return LIST(g.outer, bits_list(n), inner, pointer, N(LLONG, INT64_MIN));
}

static void make_scalars(void)
{
    for (int kind = CC_BOOL; kind <= CC_DOUBLE; kind++) {
        const struct cc_type *type = BASIC((enum cc_kind)kind);
        if (kind == CC_LONG || kind == CC_ULONG)
            continue;
        struct cc_expr *init = cc_is_float(type) ? D(0.5 * kind) : I(100 - kind);
        char name[16];
        snprintf(name, sizeof name, "g_%d", kind);
        g.scalars[g.n_scalars++] = global(name, type, init);
    }
    g.limit = global("g_limit", QUAL(LLONG, CC_CONST), N(LLONG, INT64_MAX));
    g.view = global("g_view", PTR(QUAL(LLONG, CC_CONST)), ADDR(V(g.limit)));
    g.record = global("g_record", g.outer, outer_list(5, cc_null(P, PTR(QUAL(INT, CC_CONST)))));
}

/* Every dimension, lists that are full, short and absent, constants that do not fit. */
static void make_arrays(void)
{
    const struct cc_type *row = ARRAY(LLONG, 3), *face = ARRAY(ARRAY(UCHAR, 2), 2);
    const struct cc_type *bytes = ARRAY(SCHAR, 4), *matrix = ARRAY(row, 4), *cube = ARRAY(face, 3);
    const struct cc_type *fixed = ARRAY(ARRAY(QUAL(UINT, CC_CONST), 2), 2);
    const struct cc_type *fixed_row = ARRAY(QUAL(UINT, CC_CONST), 2);
    g.bytes = global("g_bytes", bytes, LIST(bytes, I(200), I(-1), N(ULLONG, UINT64_MAX)));
    struct cc_expr *rows[] = {LIST(row, N(LLONG, INT64_MIN), N(UINT, 7), D(2.5)), LIST(row, I(4))};
    g.matrix = global("g_matrix", matrix, cc_list(P, matrix, rows, 2, 0));
    struct cc_expr *corner = LIST(face, LIST(ARRAY(UCHAR, 2), I(-1), I(1)));
    g.cube = global("g_cube", cube, LIST(cube, corner));
    g.zeros = global("g_zeros", ARRAY(INT, 5), NULL);
    g.zero_cube = global("g_zero_cube", cube, NULL);
    g.flags = global("g_flags", ARRAY(ARRAY(BOOL, 3), 2),
                     LIST(ARRAY(ARRAY(BOOL, 3), 2), LIST(ARRAY(BOOL, 3), I(1), I(0), I(9))));
    const struct cc_type *records = ARRAY(g.outer, 3);
    g.records = global("g_records", records,
                       LIST(records, outer_list(1, ADDR(AT(V(g.zeros), I(2)))),
                            outer_list(-2, cc_null(P, PTR(QUAL(INT, CC_CONST))))));
    const struct cc_type *pointers = ARRAY(PTR(LLONG), 3);
    g.pointers =
        global("g_pointers", pointers,
               LIST(pointers, ADDR(AT(AT(V(g.matrix), I(1)), I(2))), ADDR(DOT(V(g.record), 3))));
    g.fixed = global("g_fixed", fixed,
                     LIST(fixed, LIST(fixed_row, I(-1), I(2)), LIST(fixed_row, I(3), I(4))));
    const struct cc_type *four = cc_vector_type(&P->types, INT, 4), *lanes = ARRAY(four, 3);
    g.lanes = global("g_lanes", lanes,
                     LIST(lanes, LIST(four, I(1), I(-2), N(UINT, 3)), LIST(four, I(5))));
    g.pointed = global("g_pointed", PTR(INT), V(g.zeros)); /* decays */
    g.far = global("g_far", ARRAY(PTR(INT), 2), NULL);     /* main hashes no pointers in arrays */
    g.far->unit = 1;
    g.watched = global("g_watched", ARRAY(QUAL(SHORT, CC_VOLATILE), 2), NULL);
}

static void make_members(void)
{
    const struct cc_type *pair = ARRAY(ARRAY(SHORT, 2), 2);
    g.member = global("g_member", UCHAR, I(77));
    g.member_array = global("g_member_array", pair, LIST(pair, LIST(ARRAY(SHORT, 2), I(8), I(9))));
    g.member_self = global("g_member_self", g.bits, bits_list(6));
    g.member->member_of = g.member_array->member_of = g.outer;
    g.member_self->member_of = g.bits;
}

/* int func_2(int *a, int b): used by func_1 alone, in the same unit. */
static struct cc_func *make_helper(void)
{
    struct cc_var *a = param("p_1", PTR(INT)), *b = param("p_2", INT);
    struct cc_func *f = function("func_2", INT, a, b);
    eval(ASSIGN_OP(CC_ADD, AT(V(a), I(1)), V(b)));
    struct cc_var *own = local("l_2", ARRAY(INT, 2), LIST(ARRAY(INT, 2), V(b), I(3)));
    struct cc_var *kept = local("l_3", ARRAY(ARRAY(INT, 2), 2), NULL);
    own->container = kept->container = g.zeros->container;
    kept->storage = CC_STATIC;
    eval(INC(AT(AT(V(kept), I(1)), I(0))));
    give(ADD(DEREF(V(own)), ADD(DEREF(V(a)), AT(AT(V(kept), I(1)), I(0)))));
    end_function();
    f->unit = 1;
    return f;
}

/* Every bit-field is an int where it is computed with, whatever its type (6.3.1.1p2). */
static void use_bits(void)
{
    struct cc_var *sums = global("g_sums", ARRAY(LLONG, 9), NULL);
    sums->container = g.zeros->container;
    for (int field = 1; field < 9; field++) { /* ~ of a bool asks for a warning */
        struct cc_expr *chosen[2];
        for (int i = 0; i < 2; i++)
            chosen[i] = cc_cond(P, DOT(V(g.member_self), 9), DOT(V(g.member_self), field), I(-1));
        struct cc_expr *below = LT(BIN(CC_SUB, DOT(V(g.member_self), field), I(1100000000)), I(0));
        struct cc_expr *above = LT(BIN(CC_MUL, chosen[0], I(-1)), I(0));
        struct cc_expr *mixed = BIN(CC_SHR, BIN(CC_XOR, chosen[1], N(UINT, 1)), I(1));
        struct cc_expr *turned = cc_unary(P, CC_COMPL, DOT(DOT(V(g.record), 0), field));
        struct cc_expr *sum = ADD(ADD(below, above), BIN(CC_SHR, turned, I(1)));
        set(AT(V(sums), I(field)), ADD(CAST(LLONG, sum), mixed));
    }
}

/* Writes, reads, decays, both subscripts, pointers to elements, sizes. */
static void make_entry(struct cc_func *helper)
{
    struct cc_var *i = local("l_i", INT, NULL), *j = local("l_j", UCHAR, NULL);
    enter_count(i, 3);
    enter_for(ASSIGN(V(j), I(0)), LT(V(j), I(2)), INC(V(j)));
    set(element(element(AT(V(g.zero_cube), V(i)), V(j), true), BIN(CC_LT, V(i), I(1)), true),
        ADD(element(element(element(V(g.cube), V(i), true), V(j), false), I(0), true), I(300)));
    eval(ASSIGN_OP(CC_XOR, element(element(V(g.member_array), V(j), true), I(1), true), V(i)));
    leave();
    set(element(element(V(g.flags), I(1), true), V(i), false), BIN(CC_GT, V(i), I(0)));
    leave();
    set(V(g.scalars[6]), CALL(helper, V(g.zeros), I(40)));
    eval(ASSIGN_OP(CC_ADD, AT(V(g.zeros), I(4)), CALL(helper, ADDR(AT(V(g.zeros), I(2))), I(2))));
    set(DEREF(AT(V(g.pointers), I(0))), DEREF(AT(V(g.matrix), I(0))));
    set(AT(V(g.pointers), I(2)), ADD(AT(V(g.matrix), I(3)), I(1)));
    eval(ASSIGN_OP(CC_ADD, DEREF(V(g.pointed)), I(11)));
    eval(ASSIGN_OP(CC_SUB, DOT(DOT(element(V(g.records), I(2), true), 0), 1), I(2)));
    set(AT(DOT(AT(V(g.records), I(1)), 1), I(2)), DEREF(DOT(AT(V(g.records), I(0)), 2)));
    set(element(V(g.watched), I(1), true), V(g.member));
    eval(INC(V(g.member)));
    set(AT(V(g.far), I(1)), ADDR(AT(V(g.zeros), I(3))));
    struct cc_var *flag = local("l_flag", PTR(BOOL), ADDR(AT(AT(V(g.flags), I(1)), I(0))));
    set(DEREF(V(flag)), DEREF(AT(V(g.far), I(1))));
    eval(ASSIGN_OP(CC_SUB, DOT(V(g.member_self), 8), N(ULLONG, 3)));
    eval(ASSIGN_OP(CC_ADD, element(V(g.lanes), I(2), true), element(V(g.lanes), I(0), true)));
    eval(INC(AT(element(V(g.lanes), I(1), true), I(3))));
    set(V(g.scalars[7]), AT(AT(V(g.fixed), I(0)), I(0)));
    set(V(g.scalars[5]), cc_sizeof_of(P, V(g.matrix)));
    struct cc_var *all = local("l_all", QUAL(ARRAY(ARRAY(INT, 2), 2), CC_CONST),
                               LIST(ARRAY(ARRAY(INT, 2), 2), LIST(ARRAY(INT, 2), V(i))));
    all->container = g.zeros->container;
    set(DOT(V(g.record), 3), ADD(DEREF(V(g.view)), N(LLONG, -1)));
    set(DOT(V(g.record), 2), AT(V(all), I(0)));
    set(AT(V(g.bytes), I(3)), DEREF(DOT(V(g.record), 2)));
    set(DOT(V(g.record), 2), ADDR(AT(V(g.zeros), I(1))));
    use_bits();
}

static void set_containers(enum cc_container c)
{
    struct cc_var *const arrays[] = {g.bytes, g.matrix,  g.cube,        g.zeros, g.zero_cube,
                                     g.flags, g.records, g.pointers,    g.fixed, g.watched,
                                     g.lanes, g.far,     g.member_array};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        arrays[i]->container = c;
}

static void make(enum cc_container c)
{
    memset(&g, 0, sizeof g);
    begin(&cc_lp64);
    P->n_units = 2;
    P->entry->unit = 1;
    make_types();
    make_scalars();
    make_arrays();
    make_members();
    set_containers(c);
    make_entry(make_helper());
    enum cc_ub rule = run();
    is_int(rule, CC_UB_NONE, "the program is valid, %s", container_name[c]);
    if (rule) {
        struct strbuf why;
        strbuf_init(&why, 0);
        interp_explain(make_interp, &why);
        tap_note("but", why.s);
        strbuf_release(&why);
    }
}

/* -- files ------------------------------------------------------------------------------------ */

struct way {
    const char *name;
    bool header; /* init.h */
    int units;
    struct cc_print_options o;
};

static const struct way ways[] = {
    {"a header", true, 2, {.wrappers = CC_WRAP_FUNCTIONS, .header = "one header"}},
    {"a header, hidden", true, 2, {.hide_globals = true, .no_print_names = true}},
    {"one file, hidden", false, 1, {.hide_globals = true, .no_attributes = true}},
    {"two files, hidden", false, 2, {.hide_globals = true, .plain_types = true}},
};
enum { WAYS = sizeof ways / sizeof *ways };

static const char *const file_names[2][3] = {{"init.h", "driver.c", "func.c"},
                                             {"init.h", "driver.cpp", "func.cpp"}};

/* Print one of the files to texts[file] and to the folder. */
static bool print_file(struct cc_print_options o, int file, enum cc_form form)
{
    char path[512];
    o.form = form;
    o.unit = file == 2;
    strbuf_clear(&texts[file]);
    cc_print_unit(P, &o, &texts[file]);
    snprintf(path, sizeof path, "%s/%s", folder, file_names[o.language][file]);
    return !fs_write(path, texts[file].s, texts[file].n, NULL);
}

static bool print_files(const struct way *w, enum cc_language language)
{
    struct cc_print_options o = w->o;
    enum cc_form form = w->header ? CC_FORM_INCLUDED : CC_FORM_REPEATED;
    o.language = language;
    P->n_units = w->units;
    bool good = !w->header || print_file(o, 0, CC_FORM_HEADER);
    for (int unit = 0; unit < w->units; unit++)
        good &= print_file(o, unit + 1, form);
    P->n_units = 2;
    return good;
}

static bool run_child(const char *const *argv)
{
    struct child_spec spec = {.argv = argv, .cwd = folder};
    struct error e = {0};
    spec.limits.wall_ms = 240000;
    if (child_run(&spec, &result, &e)) {
        printf("# %s\n", e.message);
        return false;
    }
    return result.end == CHILD_EXITED && result.status == 0;
}

static bool exists(const char *name)
{
    const char *const argv[] = {name, "--version", NULL};
    struct child_spec spec = {.argv = argv};
    return !child_run(&spec, &result, NULL) && result.end != CHILD_NOT_STARTED;
}

static void compiles_and_runs(const struct compiler *c, const struct way *w, enum cc_container kind)
{
    const char *argv[16] = {c->name,   c->standard, "-O1", "-Wall",
                            "-Wextra", "-Werror",   "-o",  "program"};
    const char *const program[] = {"./program", w->o.no_print_names ? NULL : "1", NULL};
    int n = 8;
    for (size_t i = 0; i < sizeof warnings / sizeof *warnings; i++)
        argv[n++] = warnings[i];
    for (int unit = 0; unit < w->units; unit++)
        argv[n++] = file_names[c->language][unit + 1];
    if (!ok(print_files(w, c->language) && run_child(argv), "%s takes %s with %s", c->name,
            container_name[kind], w->name)) {
        tap_note("its words", result.err.s);
        return;
    }
    struct strbuf wanted;
    strbuf_init(&wanted, 0);
    interp_output(make_interp, !w->o.no_print_names, &wanted);
    ok(run_child(program), "it runs");
    is_str(result.out.s, wanted.s, "and prints what the interpreter says");
    strbuf_release(&wanted);
}

static void test_programs(enum cc_container kind)
{
    make(kind);
    for (int c = 0; c < COMPILERS; c++) {
        if (compilers[c].language == CC_C11 && kind != CC_C_ARRAY)
            continue; /* the same text */
        if (!exists(compilers[c].name)) {
            tap_skip(compilers[c].name, "no such compiler");
            continue;
        }
        for (int i = tap_amount(c % 2, 0); i < WAYS; i += tap_amount(2, 1))
            compiles_and_runs(&compilers[c], &ways[i], kind);
    }
    finish();
}

/* -- texts ------------------------------------------------------------------------------------ */

static void has_not(const char *text, const char *part)
{
    if (!ok(!strstr(text, part), "without %s", part))
        tap_note("in", text);
}

/* In C nothing is left of containers and static members. */
static void test_c_texts(void)
{
    make(CC_STD_VECTOR);
    print_files(&ways[0], CC_C11);
    const char *header = texts[0].s, *driver = texts[1].s, *func = texts[2].s;
    has_str(header, "/* one header */\n\n#ifndef INIT_H\n#define INIT_H\n\n", "the include guard");
    has_str(header, "\n\n#endif\n", "and its end");
    has_str(header, "typedef signed char int8_t;\n", "a typedef that only a unit uses");
    has_str(header, "\n#define ATTRIBUTE(x)\n", "attributes");
    has_str(header, "\nextern int64_t g_matrix[4][3];\n", "an array");
    has_str(header, "\nextern const int64_t g_limit;\n", "a constant");
    has_str(header, "\nextern uint8_t g_member;\n", "a member is a global in C");
    has_str(header, "\nvoid func_1(void);\n", "the entry");
    has_not(header, "func_2");
    has_not(header, "static");
    has_not(header, "std::");
    has_not(header, " = ");
    has_not(header, "crc32");
    ok(strstr(driver, "/* one header */\n\n#include \"init.h\"\n\n") == driver, "its use");
    has_not(driver, "typedef");
    has_not(driver, "extern");
    has_not(driver, "func_1(void);");
    has_not(driver, "struct S1 {");
    has_not(driver, "func_2");
    has_str(driver, "\nconst int64_t g_limit = 9223372036854775807LL;\n", "a definition");
    has_not(driver, "hide");
    has_str(func, "\nstatic int32_t func_2(int32_t *p_1, int32_t p_2);\n", "its own functions");
    has_str(func, "g_zero_cube[l_i][l_j][l_i < 1] = g_cube[l_i][l_j][0] + 300;\n", "no at()");
    has_str(func, "g_7 = func_2(g_zeros, 40);\n", "an array decays");
    has_not(func, "main(");
    finish();
}

static void test_cxx_texts(void)
{
    make(CC_STD_VECTOR);
    print_files(&ways[1], CC_CXX17);
    const char *header = texts[0].s, *driver = texts[1].s, *func = texts[2].s;
    has_str(header, "\n#include <array>\n#include <vector>\n\n", "what is used is included");
    has_not(header, "valarray");
    has_not(header, "int64_t");
    has_str(header, "    int f9;\n    static struct S0 g_member_self;\n};\n", "a static member");
    has_str(header, "    static std::vector<std::vector<short>> g_member_array;\n", "a container");
    has_not(header, "extern unsigned char g_member;");
    has_str(header, "\nextern const std::vector<std::vector<unsigned int>> g_fixed;\n", "const");
    has_str(header, "\nextern std::array<std::array<bool, 3>, 2> g_flags;\n", "bool");
    has_str(header, "\nextern std::array<volatile short, 2> g_watched;\n", "volatile");
    has_str(driver, "\nstd::vector<signed char> g_bytes = {(signed char)200, -1,", "no narrowing");
    has_str(driver, "\nstd::vector<int> g_zeros(5);\n", "its size");
    has_str(driver, "\nunsigned char S1::g_member = 77;\n", "the definition of a member");
    has_str(driver, "\nint *g_pointed = &g_zeros[0];\n", "it has to be asked for a pointer");
    has_str(driver, "\nstatic void (*volatile hide)(void *) = hide_nothing;\n", "hide");
    has_str(driver, "    hide(&S1::g_member);\n", "a member is hidden");
    has_str(driver, "    hide((void *)&g_watched);\n", "volatile");
    has_not(driver, "hide(&g_limit)");
    has_not(driver, "extern const");
    const char *last = strstr(driver, "    hide(&g_sums);\n    func_1();\n");
    ok(last != NULL, "hidden before the call");
    has_str(func, "g_zero_cube[l_i].at(l_j).at(l_i < 1) = g_cube.at(l_i)[l_j].at(0) + 300;\n",
            "each subscript as its flag says");
    has_str(func, "S1::g_member++;\n", "the use of a member");
    has_not(func, " g_member");
    finish();
}

/* Where statements stand in a unit that includes the header; the header itself moves none. */
static void test_lines(void)
{
    make(CC_C_ARRAY);
    print_files(&ways[0], CC_CXX17);
    print_file(ways[0].o, 0, CC_FORM_HEADER);
    const struct cc_stmt *body = P->entry->body;
    uint32_t line = body->list.at[body->list.n - 1]->line;
    const char *text = texts[2].s;
    for (uint32_t i = 1; i < line && text; i++)
        text = strchr(text, '\n') + 1;
    ok(text && !strncmp(text, "    g_sums[8] = ", 16), "a line: %u", line);
    finish();
}

int main(void)
{
    struct error e = {0};
    child_result_init(&result, 1 << 20, 1 << 20);
    for (int i = 0; i < 3; i++)
        strbuf_init(&texts[i], 0);
    if (fs_make_temp_dir("assay-harness", folder, sizeof folder, &e)) {
        printf("Bail out! %s\n", e.message);
        return 1;
    }
    for (int kind = CC_C_ARRAY; kind <= CC_STD_VALARRAY; kind++)
        test_programs((enum cc_container)kind);
    test_c_texts();
    test_cxx_texts();
    test_lines();
    fs_remove_tree(folder);
    for (int i = 0; i < 3; i++)
        strbuf_release(&texts[i]);
    child_result_release(&result);
    return tap_done();
}
