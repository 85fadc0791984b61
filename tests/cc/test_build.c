/* Trees as they are built: types against real compilers on random expressions, the invariants of
 * implicit conversions, effects, wrappers, and what is refused. */
#include "base/child.h"
#include "base/choice.h"
#include "base/fs.h"
#include "cc/build.h"
#include "cc/builtin.h"
#include "tap.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static struct arena arena;
static struct cc_program program, *p = &program;
static struct choice choices;
static char dir[256];

static const struct cc_type *basic(enum cc_kind kind)
{
    return cc_basic(&p->types, kind);
}

static struct cc_expr *number(int v)
{
    return cc_int(p, basic(CC_INT), v, CC_DECIMAL);
}

static struct cc_expr *var(enum cc_kind kind)
{
    return cc_use(p, cc_local(p, "x", basic(kind), NULL));
}

/* -- a small printer, with every parenthesis --------------------------------------------------- */

static void put(struct strbuf *b, const struct cc_expr *e)
{
    static const char *const suffix[] = {[CC_UINT] = "u",
                                         [CC_LONG] = "l",
                                         [CC_ULONG] = "ul",
                                         [CC_LLONG] = "ll",
                                         [CC_ULLONG] = "ull"};
    switch (e->kind) {
    case CC_E_INT:
        if (e->type->kind == CC_ENUM)
            strbuf_adds(b, e->type->enumeration->values[0].name);
        else
            strbuf_addf(b, "%lld%s", (long long)e->value,
                        e->type->kind >= CC_UINT ? suffix[e->type->kind] : "");
        return;
    case CC_E_VAR:
        strbuf_adds(b, e->var->name);
        return;
    case CC_E_MEMBER:
        put(b, e->a);
        strbuf_addf(b, ".%s", e->a->type->record->fields[e->field].name);
        return;
    default:
        break;
    }
    if (e->kind == CC_E_CAST && e->implicit) {
        put(b, e->a);
        return;
    }
    strbuf_addc(b, '(');
    if (e->kind == CC_E_CAST)
        strbuf_addf(b, "(%s)", cc_kind_text[e->type->kind]);
    if (e->kind == CC_E_UNARY)
        strbuf_addf(b, "%s ", cc_op_text[e->op]);
    if (e->kind == CC_E_INCDEC && !e->postfix)
        strbuf_adds(b, e->op == CC_ADD ? "++" : "--");
    put(b, e->a);
    if (e->kind == CC_E_INCDEC && e->postfix)
        strbuf_adds(b, e->op == CC_ADD ? "++" : "--");
    if (e->b) {
        const char *op = e->kind == CC_E_COND    ? "?"
                         : e->kind == CC_E_COMMA ? ","
                                                 : cc_op_text[e->op];
        strbuf_addf(b, " %s%s ", op, e->kind == CC_E_ASSIGN ? "=" : "");
        put(b, e->b);
    }
    if (e->kind == CC_E_COND) {
        strbuf_adds(b, " : ");
        put(b, e->c);
    }
    strbuf_addc(b, ')');
}

/* -- random expressions ----------------------------------------------------------------------- */

static struct cc_var *vars[CC_N_BASIC + 1];
static struct cc_var *fields;
enum { N_FIELDS = 40 };

static void declare_variables(struct strbuf *b)
{
    struct cc_field f[N_FIELDS];
    const struct cc_enumerator values[] = {{"E_A", 1}};
    const struct cc_type *e = cc_enum_type(&p->types, "E", values, 1);
    strbuf_addf(b, "enum E { E_A = 1 };\nenum E v%d;\n", CC_ENUM);
    vars[CC_ENUM] = cc_global(p, arena_printf(&arena, "v%d", CC_ENUM), e, NULL);
    for (int k = CC_BOOL; k < CC_N_BASIC; k++) {
        if (!p->types.basic[k])
            continue;
        const char *name = arena_printf(&arena, "v%d", k);
        vars[k] = cc_global(p, name, basic((enum cc_kind)k), NULL);
        strbuf_addf(b, "%s %s;\n", cc_kind_text[k], name);
    }
    strbuf_adds(b, "struct {\n");
    for (int i = 0; i < N_FIELDS; i++) {
        enum cc_kind k = CC_BOOL + (enum cc_kind)choose(&choices, CC_ULLONG);
        int bits = 1 + (int)choose(&choices, basic(k)->bits);
        if (bits == 32 && basic(k)->bits > 32)
            bits++;
        f[i] = (struct cc_field){arena_printf(&arena, "f%d", i), basic(k), bits, 0, 0};
        strbuf_addf(b, "    %s f%d : %d;\n", cc_kind_text[k], i, bits);
    }
    strbuf_adds(b, "} s;\n");
    fields = cc_global(p, "s", cc_record_type(&p->types, "S", false, false, f, N_FIELDS), NULL);
}

static struct cc_expr *random_lvalue(bool integer)
{
    if (choose(&choices, 3) == 0)
        return cc_member(p, cc_use(p, fields), (int)choose(&choices, N_FIELDS));
    struct cc_var *v;
    do
        v = vars[choose(&choices, CC_N_BASIC + 1)];
    while (!v || (integer && !cc_is_integer(v->type)));
    return cc_use(p, v);
}

static struct cc_expr *random_expr(int depth, bool integer);

static struct cc_expr *random_leaf(bool integer)
{
    if (choose(&choices, 4))
        return random_lvalue(integer);
    if (choose(&choices, 8) == 0)
        return cc_int(p, vars[CC_ENUM]->type, 1, CC_ENUMERATOR);
    enum cc_kind k = CC_SCHAR + (enum cc_kind)choose(&choices, CC_ULLONG - CC_SCHAR + 1);
    return cc_int(p, basic(k), (cc_wide)choose(&choices, 100), CC_DECIMAL);
}

static struct cc_expr *random_write(int depth, bool integer)
{
    struct cc_expr *l = random_lvalue(integer);
    bool wide = cc_bitfield_bits(l) > 32;
    if (!wide && choose(&choices, 2))
        return cc_incdec(p, CC_ADD, choose(&choices, 2), l);
    enum cc_op op = wide ? CC_NONE : (enum cc_op)choose(&choices, CC_XOR + 1);
    if (op > CC_DIV && !cc_is_integer(l->type))
        op = CC_ADD;
    return cc_assign(p, op, l, random_expr(depth, integer || op > CC_DIV));
}

static struct cc_expr *random_expr(int depth, bool integer)
{
    if (depth == 0)
        return random_leaf(integer);
    depth--;
    enum cc_op op;
    switch (choose(&choices, 7)) {
    case 0:
        return random_leaf(integer);
    case 1:
        op = (enum cc_op)(CC_PLUS + choose(&choices, 4));
        return cc_unary(p, op, random_expr(depth, integer || op == CC_COMPL));
    case 2:
        return cc_cond(p, random_expr(depth, false), random_expr(depth, integer),
                       random_expr(depth, integer));
    case 3:
        return cc_comma(p, random_expr(depth, false), random_expr(depth, integer));
    case 4:
        return random_write(depth, integer);
    default:
        op = (enum cc_op)(CC_ADD + choose(&choices, CC_LOR));
        bool integers = integer || (op >= CC_REM && op <= CC_XOR);
        return cc_binary(p, op, random_expr(depth, integers), random_expr(depth, integers));
    }
}

/* What an evaluator relies on: operands have the type of the operation. */
static bool well_typed(const struct cc_expr *e)
{
    switch (e->kind) {
    case CC_E_BINARY: {
        const struct cc_type *a = e->a->type->plain, *b = e->b->type->plain;
        bool shift = e->op == CC_SHL || e->op == CC_SHR;
        bool good = shift                     ? a == e->type && b->bits >= 32
                    : cc_is_comparison(e->op) ? a == b && e->type == basic(CC_INT)
                                              : a == b && a == e->type;
        return good && a->kind >= CC_INT && a->kind != CC_ENUM && well_typed(e->a) &&
               well_typed(e->b);
    }
    case CC_E_UNARY:
        return (e->op == CC_NOT || e->a->type->plain == e->type) && well_typed(e->a);
    case CC_E_COND:
        return e->b->type->plain == e->type && e->c->type->plain == e->type && well_typed(e->a) &&
               well_typed(e->b) && well_typed(e->c);
    case CC_E_ASSIGN:
        return (e->op || e->b->type->plain == e->type) && e->type == e->a->type->plain &&
               e->effects && well_typed(e->b);
    case CC_E_CAST:
        return well_typed(e->a);
    case CC_E_COMMA:
    case CC_E_LOGICAL:
        return well_typed(e->a) && well_typed(e->b);
    default:
        return true;
    }
}

static bool accepted(const char *cc, const char *option, const char *file, struct strbuf *errors)
{
    const char *argv[] = {cc, "-w", "-std=gnu17", option, "-fsyntax-only", file, NULL};
    struct child_spec spec = {.argv = argv, .cwd = dir, .limits = {.wall_ms = 120000}};
    struct child_result r;
    struct error e;
    child_result_init(&r, 4096, 65536);
    bool good = child_run(&spec, &r, &e) == 0 && r.end == CHILD_EXITED && r.status == 0;
    strbuf_clear(errors);
    strbuf_adds(errors, r.err.s);
    child_result_release(&r);
    return good;
}

static void write_file(const char *name, const char *text)
{
    fs_write(arena_printf(&arena, "%s/%s", dir, name), text, strlen(text), NULL);
}

static void test_types(const struct cc_model *m, const char *option)
{
    static const char *const compilers[] = {"gcc", "clang"};
    struct strbuf b, errors;
    bool good = true;
    strbuf_init(&b, 0);
    strbuf_init(&errors, 0);
    cc_program_init(p, &arena, m);
    memset(vars, 0, sizeof vars);
    choice_init_random(&choices, 11);
    declare_variables(&b);
    for (int i = 0; i < 3000; i++) {
        /* the value of a bit-field has no type that _Generic could name, so + makes it one */
        struct cc_expr *e = cc_unary(p, CC_PLUS, random_expr(1 + (int)choose(&choices, 4), false));
        good &= well_typed(e);
        strbuf_addf(&b, "_Static_assert(_Generic(");
        put(&b, e);
        strbuf_addf(&b, ", %s: 1, default: 0), \"%s\");\n", cc_kind_text[e->type->kind],
                    cc_kind_text[e->type->kind]);
    }
    ok(good, "%s: operands have the types of their operations", m->name);
    write_file("empty.c", "int x;");
    write_file("types.c", arena_printf(&arena, "void f(void) {\n%s}\n", b.s));
    for (size_t i = 0; i < 2; i++) {
        const char *what = arena_printf(&arena, "%s %s", compilers[i], option);
        if (!accepted(compilers[i], option, "empty.c", &errors))
            tap_skip(what, "no such compiler or target");
        else if (!ok(accepted(compilers[i], option, "types.c", &errors),
                     "%s gives 3000 expressions the types we do", what))
            tap_note("it says", errors.s);
    }
    cc_program_release(p);
    choice_release(&choices);
    strbuf_release(&b);
    strbuf_release(&errors);
}

/* -- single rules ----------------------------------------------------------------------------- */

static void test_conversions(void)
{
    struct cc_expr *c = var(CC_SCHAR), *u = var(CC_UINT), *e = cc_binary(p, CC_ADD, c, u);
    ok(e->a->kind == CC_E_CAST && e->a->implicit && e->a->a == c, "one conversion, not two");
    ok(e->b == u, "none where the type is right");
    ok(cc_convert(p, basic(CC_UINT), u) == u, "nor where it is asked for");
    const struct cc_type *cu = cc_qualified(&p->types, basic(CC_UINT), CC_CONST);
    ok(cc_convert(p, cu, u) == u, "qualifiers of a value do not count");
    e = cc_assign(p, CC_NONE, var(CC_SHORT), number(7));
    ok(e->b->kind == CC_E_CAST && e->type == basic(CC_SHORT), "a stored value is converted");
    e = cc_assign(p, CC_ADD, var(CC_SCHAR), var(CC_LLONG));
    ok(cc_assign_type(p, e) == basic(CC_LLONG) && e->type == basic(CC_SCHAR), "c += ll");
    e = cc_assign(p, CC_SHL, var(CC_USHORT), var(CC_LLONG));
    ok(cc_assign_type(p, e) == basic(CC_INT) && e->b->type == basic(CC_LLONG), "us <<= ll");
    ok(cc_assign_type(p, cc_incdec(p, CC_ADD, true, var(CC_BOOL))) == basic(CC_INT), "b++");
    struct cc_expr *args[] = {var(CC_SCHAR)};
    e = cc_builtin(p, CC_BUILTIN_POPCOUNTLL, args, 1);
    ok(e->args[0]->type == basic(CC_ULLONG) && e->type == basic(CC_INT), "a builtin's argument");
    ok(cc_sizeof(p, basic(CC_INT))->type == basic(CC_ULONG), "sizeof is unsigned long");
    ok(cc_sizeof_of(p, cc_int(p, basic(CC_SCHAR), 1, CC_CHARACTER))->a->type == basic(CC_INT),
       "a character constant has the size of an int");
    e = cc_int(p, basic(CC_UCHAR), -1, CC_DECIMAL);
    ok(e->value == 255, "a constant is normalised");
}

static void test_pointers(void)
{
    struct cc_types *t = &p->types;
    const struct cc_type *i = basic(CC_INT), *ci = cc_qualified(t, i, CC_CONST);
    const struct cc_type *pi = cc_pointer_to(t, i), *pci = cc_pointer_to(t, ci);
    const struct cc_type *a = cc_array_of(t, cc_array_of(t, i, 3), 2);
    struct cc_var *array = cc_global(p, "a", a, NULL), *q = cc_global(p, "q", pi, NULL);
    struct cc_var *cq = cc_global(p, "cq", pci, NULL);
    ok(cc_addr(p, cc_use(p, array))->type == cc_pointer_to(t, a), "&array");
    ok(cc_index(p, cc_index(p, cc_use(p, array), number(1)), number(2))->type == i, "a[1][2]");
    ok(cc_deref(p, cc_use(p, array))->type == a->to, "*array");
    ok(cc_binary(p, CC_ADD, cc_use(p, array), number(1))->type == cc_pointer_to(t, a->to), "a + 1");
    ok(cc_binary(p, CC_ADD, number(1), cc_use(p, q))->type == pi, "1 + q");
    ok(cc_binary(p, CC_SUB, cc_use(p, q), cc_use(p, cq))->type == basic(CC_LONG), "q - cq");
    ok(cc_binary(p, CC_LT, cc_use(p, q), cc_use(p, cq))->type == i, "q < cq");
    ok(cc_cond(p, number(1), cc_use(p, q), cc_use(p, cq))->type == pci, "?: adds qualifiers");
    ok(cc_cond(p, number(1), cc_null(p, pi), cc_use(p, q))->type == pi, "?: with a null pointer");
    struct cc_expr *row = cc_index(p, cc_use(p, array), number(0));
    struct cc_expr *e = cc_assign(p, CC_NONE, cc_use(p, q), row);
    ok(e->b == row, "an array decays without a node");
    e = cc_assign(p, CC_NONE, cc_use(p, cq), cc_use(p, q));
    ok(e->b->kind == CC_E_CAST && e->b->type == pci, "int * to const int *");
    ok(cc_assign_type(p, cc_assign(p, CC_ADD, cc_use(p, q), number(1))) == pi, "q += 1");
    ok(cc_binary(p, CC_EQ, cc_use(p, cq), cc_null(p, pi))->type == i, "cq == 0");
}

static void test_records(void)
{
    struct cc_types *t = &p->types;
    const struct cc_type *i = basic(CC_INT), *vi = cc_qualified(t, i, CC_VOLATILE);
    const struct cc_field f[] = {{.name = "a", .type = i, .bits = 3},
                                 {.name = NULL, .type = i, .bits = 4},
                                 {.name = "b", .type = vi, .bits = -1},
                                 {.name = "c", .type = cc_array_of(t, i, 2), .bits = -1}};
    const struct cc_type *s = cc_record_type(t, "S", false, false, f, 4);
    struct cc_var *x = cc_global(p, "x", s, NULL);
    struct cc_var *k = cc_global(p, "k", cc_qualified(t, s, CC_CONST), NULL);
    ok(cc_member(p, cc_use(p, k), 0)->type->quals == CC_CONST, "a member of a const record");
    ok(cc_member(p, cc_use(p, k), 3)->type->to->quals == CC_CONST, "an array in it");
    is_int(cc_bitfield_bits(cc_member(p, cc_use(p, x), 0)), 3, "the width of a bit-field");
    is_int(cc_bitfield_bits(cc_member(p, cc_use(p, x), 2)), -1, "of what is none");
    ok(!cc_member(p, cc_use(p, x), 0)->effects, "a member beside a volatile one has no effects");
    ok(cc_member(p, cc_use(p, x), 2)->effects, "the volatile one has");
    ok(cc_use(p, x)->effects, "so has the whole record");
    ok(!cc_addr(p, cc_member(p, cc_use(p, x), 2))->effects, "its address has not");
    ok(!cc_index(p, cc_member(p, cc_use(p, x), 3), number(0))->effects, "nor an array beside it");
    ok(!cc_sizeof_of(p, cc_member(p, cc_use(p, x), 2))->effects, "nor its size");
    struct cc_expr *part[] = {number(1), number(2), NULL};
    struct cc_expr *inner[] = {number(3)};
    part[2] = cc_list(p, f[3].type, inner, 1, 0);
    struct cc_expr *list = cc_list(p, s, part, 3, 0);
    ok(list->args[2] == part[2] && list->n_args == 3, "unnamed members are not initialised");
    struct cc_expr *literal = cc_literal(p, s, list);
    ok(cc_is_lvalue(literal) && cc_is_lvalue(cc_member(p, literal, 0)), "a compound literal");
    struct cc_func *g = cc_function(p, "g", s, NULL, 0);
    struct cc_expr *call = cc_call(p, cc_func_use(p, g), NULL, 0);
    ok(call->type == s && call->calls && call->effects, "a call");
    ok(!cc_is_lvalue(cc_member(p, call, 0)) && cc_member(p, call, 0)->calls,
       "a member of its value");
}

static bool wrapped(struct cc_expr *e)
{
    bool made = cc_make_safe(e);
    return made && e->safe;
}

static void test_wrappers(void)
{
    ok(wrapped(cc_binary(p, CC_ADD, var(CC_INT), number(1))), "int + int");
    ok(!wrapped(cc_binary(p, CC_ADD, var(CC_UINT), number(1))), "unsigned + int");
    ok(!wrapped(cc_binary(p, CC_ADD, var(CC_SHORT), var(CC_USHORT))), "short + unsigned short");
    ok(!wrapped(cc_binary(p, CC_MUL, var(CC_SHORT), var(CC_USHORT))), "short * unsigned short");
    ok(wrapped(cc_binary(p, CC_MUL, var(CC_USHORT), var(CC_USHORT))), "the square of uint16_t");
    ok(wrapped(cc_binary(p, CC_DIV, var(CC_UCHAR), var(CC_UCHAR))), "any integer / any integer");
    ok(!wrapped(cc_binary(p, CC_DIV, var(CC_DOUBLE), var(CC_INT))), "double / int");
    ok(wrapped(cc_binary(p, CC_SHR, var(CC_UINT), var(CC_INT))), "a shift");
    ok(!wrapped(cc_binary(p, CC_LT, var(CC_INT), var(CC_INT))), "a comparison");
    ok(!wrapped(cc_binary(p, CC_AND, var(CC_INT), var(CC_INT))), "a bit operation");
    ok(wrapped(cc_unary(p, CC_MINUS, var(CC_LLONG))), "- long long");
    ok(!wrapped(cc_unary(p, CC_MINUS, var(CC_SHORT))), "- short");
    ok(wrapped(cc_assign(p, CC_MUL, var(CC_INT), number(2))), "int *= int");
    ok(!wrapped(cc_assign(p, CC_NONE, var(CC_INT), number(2))), "int = int");
    ok(!wrapped(cc_assign(p, CC_ADD, var(CC_SCHAR), var(CC_SCHAR))), "char += char");
    ok(wrapped(cc_assign(p, CC_ADD, var(CC_SCHAR), var(CC_INT))), "char += int");
    ok(wrapped(cc_incdec(p, CC_SUB, false, var(CC_INT))), "--int");
    ok(!wrapped(cc_incdec(p, CC_SUB, true, var(CC_INT))), "int--");
    ok(!wrapped(cc_incdec(p, CC_ADD, false, var(CC_UINT))), "++unsigned");
    ok(wrapped(cc_cast(p, basic(CC_INT), var(CC_DOUBLE))), "(int)double");
    ok(!wrapped(cc_cast(p, basic(CC_BOOL), var(CC_DOUBLE))), "(_Bool)double");
    ok(!wrapped(cc_cast(p, basic(CC_SCHAR), var(CC_INT))), "(char)int");
}

static void test_statements(void)
{
    struct cc_stmt *b = cc_block(p), *s[4];
    uint32_t first = p->n_stmts;
    for (int i = 0; i < 4; i++)
        s[i] = cc_expr_stmt(p, number(i));
    cc_append(b, s[1]);
    cc_append(b, s[3]);
    cc_insert(b, 0, s[0]);
    cc_insert(b, 2, s[2]);
    bool good = b->list.n == 4;
    for (int i = 0; i < 4; i++)
        good &= b->list.at[i] == s[i] && s[i]->id == first + (uint32_t)i;
    ok(good, "a block's list, and ids in order");
    ok(cc_switch(p, var(CC_SCHAR), b)->expr->type == basic(CC_INT), "a switch promotes");
    struct cc_var *param = cc_param(p, "n", basic(CC_UCHAR));
    struct cc_func *f = cc_function(p, "f", basic(CC_SHORT), &param, 1);
    ok(f->type->params[0] == basic(CC_UCHAR) && p->funcs.at[p->funcs.n - 1] == f, "a function");
    ok(cc_return(p, f, number(1))->expr->type == basic(CC_SHORT), "return converts");
    struct cc_expr *arg = number(300);
    ok(cc_call(p, cc_func_use(p, f), &arg, 1)->args[0]->type == basic(CC_UCHAR), "so does a call");
    char name[] = "g_1";
    struct cc_var *g = cc_global(p, name, basic(CC_LLONG), number(1));
    name[0] = 'x';
    is_str(g->name, "g_1", "names are copied");
    ok(g->init->type == basic(CC_LLONG) && g->global && g->storage == CC_STATIC, "a global");
}

static struct cc_expr *vector(enum cc_kind kind, uint32_t length, int quals)
{
    const struct cc_type *t = cc_vector_type(&p->types, basic(kind), length);
    return cc_use(p, cc_local(p, "v", cc_qualified(&p->types, t, quals), NULL));
}

static void test_vectors(void)
{
    struct cc_types *t = &p->types;
    struct cc_expr *bytes = vector(CC_UCHAR, 16, CC_CONST), *floats = vector(CC_FLOAT, 4, 0);
    const struct cc_type *byte_type = bytes->type->plain;
    struct cc_expr *e = cc_binary(p, CC_SHL, bytes, vector(CC_UCHAR, 16, 0));
    ok(e->type == byte_type && e->a == bytes, "lanes are not promoted");
    ok(cc_unary(p, CC_COMPL, bytes)->type == byte_type, "nor by ~");
    ok(cc_binary(p, CC_LT, bytes, bytes)->type == cc_vector_type(t, basic(CC_SCHAR), 16),
       "a comparison gives signed lanes of the same width");
    ok(cc_binary(p, CC_EQ, floats, floats)->type == cc_vector_type(t, basic(CC_INT), 4),
       "of floats too");
    e = cc_index(p, bytes, number(1));
    ok(e->type == cc_qualified(t, basic(CC_UCHAR), CC_CONST) && cc_is_lvalue(e) && !e->effects,
       "a lane has the vector's qualifiers");
    ok(cc_index(p, vector(CC_LONG, 2, CC_VOLATILE), number(1))->effects, "it may be volatile");
    ok(cc_cond(p, number(1), bytes, vector(CC_UCHAR, 16, 0))->type == byte_type, "a conditional");
    e = cc_assign(p, CC_SHR, vector(CC_INT, 4, 0), vector(CC_INT, 4, CC_CONST));
    ok(e->type == e->a->type && cc_assign_type(p, e) == e->type && !cc_make_safe(e),
       "an assignment, which has no wrapper");
    e = cc_binary(p, CC_DIV, vector(CC_INT, 4, 0), vector(CC_INT, 4, 0));
    ok(!cc_make_safe(e) && !cc_make_safe(cc_unary(p, CC_MINUS, e)), "nor have operators");
    struct cc_expr *list[] = {number(300), number(2)};
    e = cc_list(p, byte_type, list, 2, 0);
    ok(e->args[0]->type == basic(CC_UCHAR), "a list converts to lanes");
    struct cc_var *param = cc_param(p, "n", byte_type);
    ok(cc_function(p, "vf", byte_type, &param, 1)->type->to == byte_type, "a function");
}

/* -- what is refused -------------------------------------------------------------------------- */

static void store_to_const(void)
{
    const struct cc_type *ci = cc_qualified(&p->types, basic(CC_INT), CC_CONST);
    cc_assign(p, CC_NONE, cc_use(p, cc_local(p, "x", ci, NULL)), number(1));
}

static void store_to_value(void)
{
    cc_assign(p, CC_NONE, cc_binary(p, CC_ADD, var(CC_INT), number(1)), number(1));
}

static void shift_of_double(void)
{
    cc_binary(p, CC_SHL, var(CC_DOUBLE), number(1));
}

static void integer_to_pointer(void)
{
    const struct cc_type *pi = cc_pointer_to(&p->types, basic(CC_INT));
    cc_assign(p, CC_NONE, cc_use(p, cc_local(p, "x", pi, NULL)), number(0));
}

static void drop_const(void)
{
    struct cc_types *t = &p->types;
    const struct cc_type *pi = cc_pointer_to(t, basic(CC_INT));
    const struct cc_type *pci = cc_pointer_to(t, cc_qualified(t, basic(CC_INT), CC_CONST));
    cc_assign(p, CC_NONE, cc_use(p, cc_local(p, "x", pi, NULL)),
              cc_use(p, cc_local(p, "y", pci, NULL)));
}

static void address_of_bit_field(void)
{
    const struct cc_field f[] = {{.name = "a", .type = basic(CC_INT), .bits = 3}};
    const struct cc_type *s = cc_record_type(&p->types, "B", false, false, f, 1);
    cc_addr(p, cc_member(p, cc_use(p, cc_local(p, "x", s, NULL)), 0));
}

static void sum_of_record(void)
{
    cc_binary(p, CC_ADD, number(1), cc_use(p, fields));
}

static void difference_of_record(void)
{
    cc_binary(p, CC_SUB, cc_use(p, fields), number(1));
}

static void comparison_of_records(void)
{
    cc_binary(p, CC_EQ, cc_use(p, fields), cc_use(p, fields));
}

static void too_few_arguments(void)
{
    cc_builtin(p, CC_BUILTIN_CLZ, NULL, 0);
}

static void two_kinds_of_lanes(void)
{
    cc_binary(p, CC_ADD, vector(CC_INT, 4, 0), vector(CC_UINT, 4, 0));
}

static void scalar_and_vector(void)
{
    cc_binary(p, CC_ADD, number(1), vector(CC_INT, 4, 0));
}

static void rest_of_floats(void)
{
    cc_binary(p, CC_REM, vector(CC_FLOAT, 4, 0), vector(CC_FLOAT, 4, 0));
}

static void not_of_vector(void)
{
    cc_unary(p, CC_NOT, vector(CC_INT, 4, 0));
}

static void cast_of_vector(void)
{
    cc_cast(p, cc_vector_type(&p->types, basic(CC_UINT), 4), vector(CC_INT, 4, 0));
}

static void address_of_lane(void)
{
    cc_addr(p, cc_index(p, vector(CC_INT, 4, 0), number(0)));
}

static void vector_of_24_bytes(void)
{
    vector(CC_LLONG, 3, 0);
}

static bool aborts(void (*what)(void))
{
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        if (!freopen("/dev/null", "w", stderr))
            _exit(1);
        signal(SIGABRT, SIG_DFL);
        what();
        _exit(0);
    }
    int status = 0;
    waitpid(pid, &status, 0);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

static void test_refusals(void)
{
    ok(aborts(store_to_const), "a store to a const object");
    ok(aborts(store_to_value), "a store to a value");
    ok(aborts(shift_of_double), "a shift of a double");
    ok(aborts(integer_to_pointer), "an integer stored in a pointer");
    ok(aborts(drop_const), "a pointer to const stored in one that is not");
    ok(aborts(address_of_bit_field), "the address of a bit-field");
    ok(aborts(sum_of_record), "a sum of an integer and a record");
    ok(aborts(difference_of_record), "a difference of a record and an integer");
    ok(aborts(comparison_of_records), "a comparison of records");
    ok(aborts(too_few_arguments), "too few arguments");
    ok(aborts(two_kinds_of_lanes), "a sum of vectors of two types");
    ok(aborts(scalar_and_vector), "a sum of a scalar and a vector");
    ok(aborts(rest_of_floats), "a remainder of floats");
    ok(aborts(not_of_vector), "! of a vector");
    ok(aborts(cast_of_vector), "a cast between vectors");
    ok(aborts(address_of_lane), "the address of a lane");
    ok(aborts(vector_of_24_bytes), "a vector of 24 bytes");
}

int main(void)
{
    struct error e;
    if (fs_make_temp_dir("assay-build", dir, sizeof dir, &e) != 0)
        return 1;
    arena_init(&arena);
    test_types(&cc_lp64, "-m64");
    test_types(&cc_ilp32, "-m32");
    cc_program_init(p, &arena, &cc_lp64);
    test_conversions();
    test_pointers();
    test_records();
    test_wrappers();
    test_statements();
    test_vectors();
    test_refusals();
    cc_program_release(p);
    arena_release(&arena);
    fs_remove_tree(dir);
    return tap_done();
}
