/* main as it is made: which values are hashed, in which order; and the hash itself. */
#include "base/strbuf.h"
#include "cc/build.h"
#include "cc/builtin.h"
#include "cc/checksum.h"
#include "tap.h"

static struct arena arena;
static struct cc_program program, *p = &program;

static const struct cc_type *basic(enum cc_kind kind)
{
    return cc_basic(&p->types, kind);
}

/* -- running main by hand --------------------------------------------------------------------- */

static int counters[64]; /* of the loop variables, by id */

static int loop_value(const struct cc_expr *e)
{
    while (e->kind == CC_E_CAST)
        e = e->a;
    return e->kind == CC_E_INT ? (int)e->value : counters[e->var->id];
}

/* What a call hashes, with the indices as they are now. */
static void put(struct strbuf *b, const struct cc_expr *e)
{
    switch (e->kind) {
    case CC_E_VAR:
        strbuf_adds(b, e->var->name);
        break;
    case CC_E_MEMBER:
        put(b, e->a);
        strbuf_addf(b, ".%s", e->a->type->record->fields[e->field].name);
        break;
    case CC_E_INDEX:
        put(b, e->a);
        strbuf_addf(b, "[%d]", loop_value(e->b));
        break;
    case CC_E_CAST:
        if (!e->implicit)
            strbuf_addf(b, "(u%d)", e->type->bits);
        put(b, e->a);
        break;
    case CC_E_BINARY:
        put(b, e->a);
        strbuf_adds(b, cc_op_text[e->op]);
        put(b, e->b);
        break;
    case CC_E_ADDR:
        strbuf_adds(b, "&");
        put(b, e->a);
        break;
    case CC_E_NULL:
        strbuf_adds(b, "0");
        break;
    case CC_E_INT:
        strbuf_addf(b, "%d", (int)e->value);
        break;
    case CC_E_CALL:
        strbuf_addf(b, "%s()", e->callee->func->name);
        break;
    default:
        strbuf_adds(b, "?");
    }
}

static void run_block(struct strbuf *b, const struct cc_stmt *block);

static void run_for(struct strbuf *b, const struct cc_stmt *s)
{
    ok(s->init->kind == CC_E_ASSIGN && s->expr->op == CC_LT && s->step->kind == CC_E_INCDEC,
       "a loop counts");
    uint32_t id = s->init->a->var->id;
    ok(s->expr->a->var->id == id && s->step->a->var->id == id, "  by one variable");
    for (counters[id] = loop_value(s->init->b); counters[id] < loop_value(s->expr->b);
         counters[id]++)
        run_block(b, s->a);
}

static void run_block(struct strbuf *b, const struct cc_stmt *block)
{
    for (size_t i = 0; i < block->list.n; i++) {
        const struct cc_stmt *s = block->list.at[i];
        if (s->kind == CC_S_FOR) {
            run_for(b, s);
        } else if (s->kind == CC_S_DECL) {
            strbuf_addf(b, "int %s\n", s->var->name);
        } else {
            const struct cc_expr *e = s->expr;
            bool hash = e->kind == CC_E_BUILTIN && e->field == CC_BUILTIN_CHECKSUM;
            put(b, hash ? e->args[0] : e);
            strbuf_adds(b, hash ? "\n" : ";\n");
        }
    }
}

/* -- a program with one of each --------------------------------------------------------------- */

static struct cc_var *g_1, *g_8;

static int union_member(void *of, const struct cc_var *v, const int *path, int n)
{
    strbuf_addf(of, "%s", v->name);
    for (int i = 0; i < n; i++)
        strbuf_addf(of, " %d", path[i]);
    strbuf_adds(of, "\n");
    return !strcmp(v->name, "g_6") ? -1 : 1;
}

static struct cc_expr *points_to(void *of, const struct cc_var *v, const int *path, int n)
{
    (void)of;
    if (n == 1 && path[0] == 0) /* g_8.p */
        return cc_null(p, v->type->record->fields[0].type);
    return v == g_8 ? NULL : cc_addr(p, cc_use(p, g_1));
}

static void make_globals(void)
{
    struct cc_types *t = &p->types;
    const struct cc_type *i = basic(CC_INT), *c = basic(CC_SCHAR), *pi = cc_pointer_to(t, i);
    const struct cc_type *vd = cc_qualified(t, basic(CC_DOUBLE), CC_VOLATILE);
    const struct cc_field u[] = {{.name = "a", .type = i, .bits = -1},
                                 {.name = "b", .type = cc_array_of(t, c, 2), .bits = -1}};
    const struct cc_type *ut = cc_record_type(t, "U", true, false, u, 2);
    const struct cc_field s[] = {{.name = "x", .type = i, .bits = 5},
                                 {.name = NULL, .type = i, .bits = 0},
                                 {.name = "y", .type = basic(CC_BOOL), .bits = 1},
                                 {.name = "u", .type = ut, .bits = -1}};
    const struct cc_type *st = cc_record_type(t, "S", false, false, s, 4);
    const struct cc_field q[] = {{.name = "p", .type = pi, .bits = -1},
                                 {.name = "q", .type = pi, .bits = -1}};
    g_1 = cc_global(p, "g_1", i, NULL);
    cc_global(p, "g_2", vd, NULL);
    cc_global(p, "g_3", basic(CC_INT128), NULL);
    cc_global(p, "g_4", cc_array_of(t, cc_array_of(t, c, 2), 2), NULL);
    cc_global(p, "g_5", cc_array_of(t, st, 2), NULL);
    cc_global(p, "g_6", ut, NULL);
    cc_global(p, "g_7", cc_array_of(t, pi, 3), NULL);
    g_8 = cc_global(p, "g_8", cc_record_type(t, "P", false, false, q, 2), NULL);
    cc_global(p, "g_9", cc_pointer_to(t, cc_qualified(t, i, CC_CONST)), NULL);
}

static const char wanted[] = "func_1();\nint i\nint j\n"
                             "g_1\n"
                             "g_2\n"
                             "(u64)g_3\n(u64)g_3>>64\n"
                             "g_4[0][0]\ng_4[0][1]\ng_4[1][0]\ng_4[1][1]\n"
                             "g_5[0].x\ng_5[0].y\ng_5[0].u.b[0]\ng_5[0].u.b[1]\n"
                             "g_5[1].x\ng_5[1].y\ng_5[1].u.b[0]\ng_5[1].u.b[1]\n"
                             "g_8.p==0\n"
                             "g_9==&g_1\n";

static void test_main(void)
{
    struct strbuf b, asked;
    strbuf_init(&b, 0);
    strbuf_init(&asked, 0);
    cc_program_init(p, &arena, &cc_lp64);
    make_globals();
    p->entry = cc_function(p, "func_1", basic(CC_VOID), NULL, 0);
    struct cc_final final = {&asked, union_member, points_to};
    cc_make_main(p, &final);
    run_block(&b, p->main->body);
    is_str(b.s, wanted, "each scalar is hashed once, in order");
    is_str(asked.s, "g_5 3\ng_6\n", "unions are asked for by their path");
    is_int(p->funcs.n, 1, "main is not among the functions");
    ok(p->main->type->to == basic(CC_INT) && p->main->storage == CC_EXTERN, "int main(void)");
    struct cc_func *before = p->main;
    p->entry = NULL;
    cc_make_main(p, NULL);
    strbuf_clear(&b);
    run_block(&b, p->main->body);
    ok(p->main != before && p->funcs.n == 1, "main can be made again");
    has_str(b.s, "int i\nint j\ng_1\n", "without an entry");
    ok(!strstr(b.s, "g_6") && !strstr(b.s, "g_9") && !strstr(b.s, ".u"),
       "and without answers unions and pointers are left out");
    cc_program_release(p);
    strbuf_release(&asked);
    strbuf_release(&b);
}

static void test_empty(void)
{
    cc_program_init(p, &arena, &cc_ilp32);
    const struct cc_type *pi = cc_pointer_to(&p->types, basic(CC_INT));
    cc_global(p, "g_1", cc_array_of(&p->types, pi, 3), NULL);
    cc_make_main(p, NULL);
    is_int(p->main->body->list.n, 0, "no loop and no variable for what is not hashed");
    cc_program_release(p);
}

/* -- the hash --------------------------------------------------------------------------------- */

static uint32_t bit_by_bit(uint32_t crc, const uint8_t *bytes, int n)
{
    for (int i = 0; i < n * 8; i++) {
        uint32_t bit = (uint32_t)(bytes[i / 8] >> i % 8) & 1;
        crc = ((crc ^ bit) & 1) ? crc >> 1 ^ 0xEDB88320 : crc >> 1;
    }
    return crc;
}

static void test_crc(void)
{
    uint32_t crc = cc_crc_bytes(cc_crc_start(), "123456789", 9);
    is_int(cc_crc_end(crc), 0xCBF43926, "the check value of CRC-32");
    is_int(cc_crc_end(cc_crc_start()), 0, "of nothing it is 0");
    is_int(cc_crc_end(cc_crc_u64(cc_crc_start(), 0)), 0x6522DF69, "of eight zero bytes");
    bool good = true;
    uint64_t v = 88172645463325252;
    uint32_t a = cc_crc_start(), b = a;
    for (int i = 0; i < 1000; i++) {
        uint8_t bytes[8];
        v = v * 6364136223846793005 + 1442695040888963407;
        for (int k = 0; k < 8; k++)
            bytes[k] = (uint8_t)(v >> (8 * k));
        a = cc_crc_u64(a, v);
        b = bit_by_bit(b, bytes, 8);
        good &= a == b;
    }
    ok(good, "low byte first, bit by bit");
    is_int(cc_crc_u64(7, (uint64_t)(int8_t)-1), cc_crc_u64(7, UINT64_MAX), "-1 has all bits");
}

int main(void)
{
    arena_init(&arena);
    test_main();
    test_empty();
    test_crc();
    arena_release(&arena);
    return tap_done();
}
