/* Layouts, promotions and common types against real compilers.
 *
 * The compilers are asked without running anything: a file defines one packed object that starts
 * with a magic text, then holds what we want to know (sizes, offsets, kinds of expressions) and,
 * for each bit-field of each record, the record with just this bit-field set to ones. We compile
 * it, find the magic text in the object file and compare what follows, byte by byte, with the same
 * image made from our tables. That works for targets whose programs cannot run here. */
#include "base/child.h"
#include "base/choice.h"
#include "base/fs.h"
#include "cc/type.h"
#include "tap.h"

enum { RECORDS = 400 };
static const char magic[] = "<<assay-layout>>";
static char dir[256];

/* -- the object, as source and as image ------------------------------------------------------- */

struct probe {
    const struct cc_model *model;
    struct strbuf types, members, values; /* the source */
    struct strbuf image;                  /* what we expect after the magic text */
    VEC(const char *) what;               /* for each byte of the image */
    struct arena arena;
    int n;
};

static void expect_bytes(struct probe *o, const void *data, size_t n, const char *what)
{
    strbuf_add(&o->image, data, n);
    for (size_t i = 0; i < n; i++)
        vec_push(&o->what, what);
}

/* One number: the compiler's expression against ours. */
static void ask(struct probe *o, const char *expression, uint32_t ours)
{
    unsigned char bytes[4];
    for (int i = 0; i < 4; i++)
        bytes[i] = (unsigned char)(ours >> (o->model->big_endian ? 24 - 8 * i : 8 * i));
    strbuf_addf(&o->members, "    unsigned int m%d;\n", o->n);
    strbuf_addf(&o->values, "    .m%d = (unsigned int)(%s),\n", o->n++, expression);
    expect_bytes(o, bytes, sizeof bytes, arena_strdup(&o->arena, expression));
}

static void ask_bits(struct probe *o, const struct cc_type *type, const struct cc_field *f)
{
    unsigned char *bytes = arena_alloc(&o->arena, type->size);
    for (int i = 0; i < f->bits; i++) {
        uint32_t at = f->offset * 8 + f->bit + (uint32_t)i;
        bytes[at / 8] |= (unsigned char)(o->model->big_endian ? 0x80 >> at % 8 : 1 << at % 8);
    }
    const char *kind = type->kind == CC_UNION ? "union" : "struct";
    strbuf_addf(&o->members, "    %s %s m%d;\n", kind, type->record->tag, o->n);
    strbuf_addf(&o->values, "    .m%d = {.%s = -1},\n", o->n++, f->name);
    expect_bytes(o, bytes, type->size,
                 arena_printf(&o->arena, "bits of %s.%s", type->record->tag, f->name));
}

static void probe_init(struct probe *o, const struct cc_model *m)
{
    *o = (struct probe){.model = m};
    arena_init(&o->arena);
    strbuf_init(&o->types, 0);
    strbuf_init(&o->members, 0);
    strbuf_init(&o->values, 0);
    strbuf_init(&o->image, 0);
}

static void probe_release(struct probe *o)
{
    arena_release(&o->arena);
    strbuf_release(&o->types);
    strbuf_release(&o->members);
    strbuf_release(&o->values);
    strbuf_release(&o->image);
    vec_release(&o->what);
}

/* -- random records --------------------------------------------------------------------------- */

static void put_kind(struct strbuf *b, const struct cc_type *t)
{
    if (t->quals & CC_CONST)
        strbuf_adds(b, "const ");
    if (t->kind < CC_N_BASIC)
        strbuf_adds(b, cc_kind_text[t->kind]);
    else if (t->kind == CC_ENUM)
        strbuf_addf(b, "enum %s", t->enumeration->tag);
    else if (t->kind == CC_POINTER)
        strbuf_adds(b, "void *");
    else if (t->kind == CC_VECTOR)
        strbuf_addf(b, "V%u_%u", (unsigned)t->to->kind, t->length);
    else
        strbuf_addf(b, "%s %s", t->kind == CC_UNION ? "union" : "struct", t->record->tag);
}

static void put_field(struct strbuf *b, const struct cc_field *f)
{
    const struct cc_type *t = f->type;
    char lengths[40] = "";
    for (; t->kind == CC_ARRAY; t = t->to)
        snprintf(lengths + strlen(lengths), sizeof lengths - strlen(lengths), "[%u]", t->length);
    strbuf_adds(b, " ");
    put_kind(b, t);
    strbuf_addf(b, " %s%s", f->name ? f->name : "", lengths);
    if (f->bits >= 0)
        strbuf_addf(b, " : %d", f->bits);
    strbuf_adds(b, ";");
}

static const struct cc_type *random_integer(struct choice *c, struct cc_types *t)
{
    if (t->enums.n && choose(c, 8) == 0)
        return t->enums.at[choose(c, t->enums.n)];
    return cc_basic(t, CC_BOOL + (enum cc_kind)choose(c, CC_ULLONG - CC_BOOL + 1));
}

static const struct cc_type *random_type(struct choice *c, struct cc_types *t)
{
    uint64_t what = choose(c, 11);
    if (what == 0)
        return cc_pointer_to(t, cc_basic(t, CC_VOID));
    if (what == 1)
        return cc_basic(t, choose(c, 2) ? CC_FLOAT : CC_DOUBLE);
    if (what == 2 && t->model->has_int128)
        return cc_basic(t, choose(c, 2) ? CC_INT128 : CC_UINT128);
    if (what == 3) {
        const struct cc_type *inner =
            cc_array_of(t, random_integer(c, t), 1 + (uint32_t)choose(c, 3));
        return choose(c, 3) ? inner : cc_array_of(t, inner, 2);
    }
    if (what == 4 && t->records.n) {
        const struct cc_type *r = t->records.at[choose(c, t->records.n)];
        if (r->size <= 64)
            return r;
    }
    if (what == 5) { /* on i386, gcc places one of 8 bytes by 4 and clang by 8 */
        const struct cc_type *v = t->vectors.at[choose(c, t->vectors.n)];
        if (v->size > 8 || t->model->pointer_size == 8)
            return v;
    }
    return random_integer(c, t);
}

static void random_record(struct choice *c, struct cc_types *t, struct probe *o)
{
    struct cc_field fields[12];
    int n = 1 + (int)choose(c, 11);
    bool is_union = choose(c, 5) == 0, packed = choose(c, 3) == 0;
    const char *names[] = {"f0", "f1", "f2", "f3", "f4",  "f5",
                           "f6", "f7", "f8", "f9", "f10", "f11"};
    for (int i = 0; i < n; i++) {
        struct cc_field *f = &fields[i];
        bool bits = i > 0 && choose(c, 5) < 3;
        *f = (struct cc_field){.name = names[i], .bits = -1};
        f->type = bits ? random_integer(c, t) : random_type(c, t);
        if (!bits)
            continue;
        f->bits = 1 + (int)choose(c, f->type->bits);
        if (choose(c, 6) == 0) {
            f->name = NULL;
            f->bits = choose(c, 2) ? 0 : f->bits;
        }
    }
    char tag[20];
    snprintf(tag, sizeof tag, "R%zu", t->records.n);
    const struct cc_type *r = cc_record_type(t, tag, is_union, packed, fields, n);
    uint32_t align = choose(c, 4) == 0 ? 1U << choose(c, 7) : 0;
    align = align > r->align ? align : 0;
    if (align)
        cc_record_align(r, align);
    const char *kind = is_union ? "union" : "struct";
    strbuf_addf(&o->types, "%s %s%s {", kind, packed ? "__attribute__((packed)) " : "", tag);
    for (int i = 0; i < n; i++)
        put_field(&o->types, &r->record->fields[i]);
    strbuf_adds(&o->types, " }");
    if (align)
        strbuf_addf(&o->types, " __attribute__((aligned(%u)))", (unsigned)align);
    strbuf_adds(&o->types, ";\n");
    char text[80];
    snprintf(text, sizeof text, "sizeof(%s %s)", kind, tag);
    ask(o, text, r->size);
    snprintf(text, sizeof text, "__alignof__(%s %s)", kind, tag);
    ask(o, text, r->align);
    for (int i = 0; i < n; i++) {
        const struct cc_field *f = &r->record->fields[i];
        if (f->bits > 0 && f->name) {
            ask_bits(o, r, f);
        } else if (f->bits < 0) {
            snprintf(text, sizeof text, "__builtin_offsetof(%s %s, %s)", kind, tag, f->name);
            ask(o, text, f->offset);
        }
    }
}

/* -- promotions ------------------------------------------------------------------------------- */

static const char *kind_of(struct arena *a, const struct cc_model *m, const char *expression)
{
    const char *wide = m->has_int128 ? ", __int128: 13, unsigned __int128: 14" : "";
    return arena_printf(a,
                        "_Generic(%s, _Bool: 1, char: 2, signed char: 3, unsigned char: 4, "
                        "short: 5, unsigned short: 6, int: 7, unsigned int: 8, long: 9, "
                        "unsigned long: 10, long long: 11, unsigned long long: 12%s, "
                        "float: 15, double: 16, long double: 17)",
                        expression, wide);
}

static void ask_kinds(struct cc_types *t, struct probe *o)
{
    struct arena *a = &o->arena;
    for (int k = CC_BOOL; k < CC_N_BASIC; k++) {
        if (!t->basic[k])
            continue;
        ask(o, arena_printf(a, "sizeof(%s)", cc_kind_text[k]), t->basic[k]->size);
        ask(o, arena_printf(a, "_Alignof(struct { %s x; })", cc_kind_text[k]), t->basic[k]->align);
        ask(o, kind_of(a, o->model, arena_printf(a, "+(%s)0", cc_kind_text[k])),
            cc_promoted(t, t->basic[k], -1)->kind);
        if (k < CC_FLOAT)
            ask(o, arena_printf(a, "(%s)-1 < (%s)1", cc_kind_text[k], cc_kind_text[k]),
                t->basic[k]->is_signed);
        for (int l = CC_BOOL; l < CC_N_BASIC; l++)
            if (t->basic[l])
                ask(o,
                    kind_of(a, o->model,
                            arena_printf(a, "(%s)0 + (%s)0", cc_kind_text[k], cc_kind_text[l])),
                    cc_common(t, t->basic[k], t->basic[l])->kind);
    }
    for (int k = CC_BOOL; k <= CC_UINT; k++)
        for (int bits = 1; bits <= t->basic[k]->bits; bits++)
            ask(o,
                kind_of(a, o->model,
                        arena_printf(a, "+((struct { %s x : %d; } *)0)->x", cc_kind_text[k], bits)),
                cc_promoted(t, t->basic[k], bits)->kind);
    for (int k = CC_LONG; k <= CC_ULLONG; k++)
        for (int bits = 1; bits < 32; bits++)
            ask(o,
                kind_of(a, o->model,
                        arena_printf(a, "+((struct { %s x : %d; } *)0)->x", cc_kind_text[k], bits)),
                cc_promoted(t, t->basic[k], bits)->kind);
    for (size_t i = 0; i < t->enums.n; i++) {
        const char *tag = t->enums.at[i]->enumeration->tag;
        ask(o, kind_of(a, o->model, arena_printf(a, "+(enum %s)0", tag)),
            cc_promoted(t, t->enums.at[i], -1)->kind);
        ask(o, kind_of(a, o->model, arena_printf(a, "(enum %s)0 + 0LL", tag)),
            cc_common(t, t->enums.at[i], t->basic[CC_LLONG])->kind);
        ask(o, kind_of(a, o->model, arena_printf(a, "+((struct { enum %s x : 6; } *)0)->x", tag)),
            cc_promoted(t, t->enums.at[i], 6)->kind);
    }
}

static void make_enums(struct cc_types *t, struct probe *o)
{
    const struct cc_enumerator plain[] = {{"E0_A", 0}, {"E0_B", 7}, {"E0_C", INT32_MAX}};
    const struct cc_enumerator negative[] = {{"E1_A", -5}, {"E1_B", 3}};
    cc_enum_type(t, "E0", plain, 3);
    cc_enum_type(t, "E1", negative, 2);
    strbuf_adds(&o->types, "enum E0 { E0_A, E0_B = 7, E0_C = 2147483647 };\n"
                           "enum E1 { E1_A = -5, E1_B = 3 };\n");
}

/* Every vector there is, and its size and alignment. gcc's _Alignof knows no more than the
 * machine's vectors are aligned to, whatever they are. */
static void make_vectors(struct cc_types *t, struct probe *o)
{
    for (int k = CC_CHAR; k <= CC_DOUBLE; k++) {
        if (k == CC_INT128 || k == CC_UINT128)
            continue;
        const struct cc_type *element = cc_basic(t, (enum cc_kind)k);
        for (uint32_t size = 8; size <= 64; size *= 2) {
            const struct cc_type *v = cc_vector_type(t, element, size / element->size);
            strbuf_addf(&o->types, "typedef %s V%d_%u __attribute__((vector_size(%u)));\n",
                        cc_kind_text[k], k, v->length, size);
            ask(o, arena_printf(&o->arena, "sizeof(V%d_%u)", k, v->length), v->size);
            ask(o, arena_printf(&o->arena, "__alignof__(V%d_%u)", k, v->length), v->align);
        }
    }
}

/* -- the compilers ---------------------------------------------------------------------------- */

static bool run(const char *const *argv, struct child_result *r)
{
    struct child_spec spec = {.argv = argv, .cwd = dir, .limits = {.wall_ms = 120000}};
    struct error e;
    return child_run(&spec, r, &e) == 0 && r->end == CHILD_EXITED && r->status == 0;
}

static bool compiles(const char *cc, const char *option, const char *text, struct child_result *r)
{
    char path[300];
    snprintf(path, sizeof path, "%s/t.c", dir);
    fs_write(path, text, strlen(text), NULL);
    const char *argv[] = {cc, "-w", "-std=gnu17", option, "-c", "t.c", "-o", "t.o", NULL};
    return run(argv, r);
}

/* The first byte in which the object file and our image differ, NULL: none. */
static const char *difference(const struct probe *o, const struct strbuf *object)
{
    const char *found = memmem(object->s, object->n, magic, sizeof magic - 1);
    if (!found || (size_t)(object->s + object->n - found) < sizeof magic - 1 + o->image.n)
        return "the magic text is not there";
    found += sizeof magic - 1;
    for (size_t i = 0; i < o->image.n; i++)
        if (found[i] != o->image.s[i])
            return o->what.at[i];
    return NULL;
}

static void test_against(const char *cc, const char *option, const struct probe *o)
{
    struct child_result r;
    struct strbuf source, object;
    struct error e;
    char what[80], path[300];
    child_result_init(&r, 4096, 4096);
    strbuf_init(&source, 0);
    strbuf_init(&object, 0);
    snprintf(what, sizeof what, "%s %s", cc, option);
    snprintf(path, sizeof path, "%s/t.o", dir);
    if (!compiles(cc, option, "int x;", &r)) {
        tap_skip(what, "no such compiler or target");
    } else {
        strbuf_addf(&source, "%sstruct __attribute__((packed)) all { char magic[16];\n%s};\n",
                    o->types.s, o->members.s);
        strbuf_addf(&source, "struct all all = {\n    .magic = \"%s\",\n%s};\n", magic,
                    o->values.s);
        strbuf_clear(&r.err);
        if (!ok(compiles(cc, option, source.s, &r), "%s takes the probe", what))
            tap_note("it says", r.err.s);
        fs_read(path, &object, &e);
        const char *bad = difference(o, &object);
        if (!ok(!bad, "%s: %d records and %d answers are the same", what, RECORDS, o->n))
            tap_note("first difference", bad);
    }
    strbuf_release(&source);
    strbuf_release(&object);
    child_result_release(&r);
}

static void test_model(const struct cc_model *m, const char *const (*compilers)[2], int n)
{
    struct arena a;
    struct cc_types t;
    struct choice c;
    struct probe o;
    arena_init(&a);
    cc_types_init(&t, &a, m);
    choice_init_random(&c, 20260101);
    probe_init(&o, m);
    make_enums(&t, &o);
    make_vectors(&t, &o);
    ask_kinds(&t, &o);
    for (int i = 0; i < RECORDS; i++)
        random_record(&c, &t, &o);
    ok(o.image.n > 20000, "%s: the image has %zu bytes", m->name, o.image.n);
    for (int i = 0; i < n; i++)
        test_against(compilers[i][0], compilers[i][1], &o);
    probe_release(&o);
    choice_release(&c);
    cc_types_release(&t);
    arena_release(&a);
}

/* -- the table -------------------------------------------------------------------------------- */

static void test_interning(void)
{
    struct arena a;
    struct cc_types t;
    arena_init(&a);
    cc_types_init(&t, &a, &cc_lp64);
    const struct cc_type *i = cc_basic(&t, CC_INT), *p = cc_pointer_to(&t, i);
    const struct cc_type *ci = cc_qualified(&t, i, CC_CONST);
    ok(p == cc_pointer_to(&t, i), "pointers to one type are one type");
    ok(ci == cc_qualified(&t, i, CC_CONST) && ci != i && ci->plain == i, "so are qualified types");
    ok(cc_qualified(&t, ci, CC_CONST) == ci, "a qualifier is added once");
    const struct cc_type *cvi = cc_qualified(&t, ci, CC_VOLATILE);
    ok(cvi->quals == 3 && cvi == cc_qualified(&t, cc_qualified(&t, i, CC_VOLATILE), CC_CONST),
       "the order of qualifiers does not matter");
    ok(cc_pointer_to(&t, ci) != p && cc_pointer_to(&t, ci)->to == ci, "const int * is no int *");
    ok(!cc_pointer_to(&t, ci)->has_const, "a pointer to const is not const");
    const struct cc_type *a3 = cc_array_of(&t, i, 3);
    ok(a3 == cc_array_of(&t, i, 3) && a3 != cc_array_of(&t, i, 4), "arrays");
    is_int(cc_array_of(&t, a3, 5)->size, 60, "an array of arrays");
    ok(cc_qualified(&t, a3, CC_CONST) == cc_array_of(&t, ci, 3),
       "a const array has const elements");
    ok(cc_array_of(&t, ci, 3)->has_const, "and has something const");
    const struct cc_type *v = cc_vector_type(&t, i, 4), *cv = cc_qualified(&t, v, CC_CONST);
    ok(v == cc_vector_type(&t, i, 4) && v != cc_vector_type(&t, i, 2) &&
           v != cc_vector_type(&t, cc_basic(&t, CC_UINT), 4),
       "vectors");
    ok(cv != v && cv->plain == v && cv->to == i && cv->length == 4 && cv->has_const,
       "a const vector");
    ok(v->kind == CC_VECTOR && v->size == 16 && v->align == 16 && !cc_is_scalar(v) &&
           !cc_is_arithmetic(v) && !cc_is_record(v) && cc_is_composite(v),
       "it is neither a scalar nor a record");
    ok(cc_is_composite(
           cc_record_type(&t, "S", true, false, &(struct cc_field){"x", i, -1, 0, 0}, 1)),
       "a record is composite too");
    ok(!cc_is_composite(a3) && !cc_is_composite(i), "an array or a scalar is not");
    const struct cc_type *params[] = {i, ci}, *others[] = {i, i};
    const struct cc_type *f = cc_function_type(&t, i, params, 2);
    ok(f == cc_function_type(&t, i, others, 2), "a parameter's qualifier is not in the type");
    ok(f != cc_function_type(&t, i, params, 1), "the number of parameters is");
    const struct cc_field fields[] = {
        {.name = "x", .type = cc_qualified(&t, i, CC_VOLATILE), .bits = -1}};
    const struct cc_type *r = cc_record_type(&t, "S0", false, false, fields, 1);
    ok(r != cc_record_type(&t, "S1", false, false, fields, 1), "each record is a type of its own");
    ok(r->has_volatile && !r->has_const && !r->quals, "it has what its parts have");
    ok(cc_qualified(&t, r, CC_CONST)->record == r->record, "a const record has the same members");
    is_int(t.records.n, 3, "records are listed once");
    ok(cc_int_type(&t, 64, true)->kind == CC_LLONG, "64 bits is long long");
    const struct cc_enumerator values[] = {{"A", 1}};
    const struct cc_type *e = cc_enum_type(&t, "E", values, 1);
    ok(cc_representation(&t, e) == cc_basic(&t, CC_UINT), "an enumeration is an unsigned int");
    ok(cc_representation(&t, ci) == i, "an int is an int");
    cc_types_release(&t);
    arena_release(&a);
}

int main(void)
{
    struct error e;
    if (fs_make_temp_dir("assay-type", dir, sizeof dir, &e) != 0)
        return 1;
    static const char *const lp64[][2] = {{"gcc", "-m64"}, {"clang", "-m64"}};
    static const char *const ilp32[][2] = {{"gcc", "-m32"}, {"clang", "-m32"}};
    static const char *const lp64_be[][2] = {{"clang", "--target=powerpc64-linux-gnu"}};
    test_interning();
    test_model(&cc_lp64, lp64, 2);
    test_model(&cc_ilp32, ilp32, 2);
    test_model(&cc_lp64_be, lp64_be, 1);
    fs_remove_tree(dir);
    return tap_done();
}
