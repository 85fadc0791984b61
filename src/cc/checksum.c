/* main() as a tree, and the CRC it computes.
 *
 * A walk over the type of every global, in order: each scalar becomes one call of the checksum
 * function, each array or vector a loop over its elements. The lvalue that a call hashes is built
 * anew each time (`build` is given the way to it), so that no node stands in the tree twice. */
#include "cc/checksum.h"

#include "base/error.h"
#include "cc/build.h"
#include "cc/builtin.h"

enum { MAX_NESTING = 64 }; /* of records and arrays in one global */

/* -- the way to a subobject ------------------------------------------------------------------- */

/* One step: into a field, or into the element that a loop variable counts. */
struct step {
    int field;           /* -1: an element */
    struct cc_var *loop; /* then its index */
};

struct walk {
    struct cc_program *p;
    const struct cc_final *final; /* may be NULL */
    struct cc_var *var;           /* the global */
    struct step steps[MAX_NESTING];
    int n_steps;
    int path[MAX_NESTING]; /* the fields among the steps */
    int n_path;
    int n_loops;                       /* loops around this place */
    struct cc_var *loops[MAX_NESTING]; /* the variables of main made so far */
    int n_loop_vars;
};

static struct cc_expr *build(const struct walk *w)
{
    struct cc_expr *e = cc_use(w->p, w->var);
    for (int i = 0; i < w->n_steps; i++) {
        const struct step *s = &w->steps[i];
        e = s->field >= 0 ? cc_member(w->p, e, s->field) : cc_index(w->p, e, cc_use(w->p, s->loop));
    }
    return e;
}

/* i, j, ... n, then i6, i7 and so on. */
static struct cc_var *loop_variable(struct walk *w)
{
    REQUIRE(w->n_loops < MAX_NESTING);
    if (w->n_loops == w->n_loop_vars) {
        static const char letters[] = "ijklmn";
        int n = w->n_loop_vars;
        const char *name = n < 6 ? arena_printf(w->p->arena, "%c", letters[n])
                                 : arena_printf(w->p->arena, "i%d", n);
        w->loops[w->n_loop_vars++] = cc_local(w->p, name, cc_basic(&w->p->types, CC_INT), NULL);
    }
    return w->loops[w->n_loops];
}

/* -- statements ------------------------------------------------------------------------------- */

static void add_hash(struct walk *w, struct cc_stmt *block, struct cc_expr *value)
{
    cc_append(block, cc_expr_stmt(w->p, cc_builtin(w->p, CC_BUILTIN_CHECKSUM, &value, 1)));
}

static void add_integer(struct walk *w, struct cc_stmt *block, const struct cc_type *type)
{
    if (type->bits <= 64) {
        add_hash(w, block, build(w));
        return;
    }
    const struct cc_type *half = cc_int_type(&w->p->types, 64, false);
    struct cc_expr *count = cc_int(w->p, cc_basic(&w->p->types, CC_INT), 64, CC_DECIMAL);
    add_hash(w, block, cc_cast(w->p, half, build(w)));
    add_hash(w, block, cc_cast(w->p, half, cc_binary(w->p, CC_SHR, build(w), count)));
}

/* Where a pointer points is hashed as the truth of a comparison: addresses differ between runs. */
static void add_pointer(struct walk *w, struct cc_stmt *block)
{
    if (w->n_loops > 0 || !w->final || !w->final->points_to)
        return;
    struct cc_expr *object = w->final->points_to(w->final->of, w->var, w->path, w->n_path);
    if (object)
        add_hash(w, block, cc_binary(w->p, CC_EQ, build(w), object));
}

static void add_object(struct walk *w, struct cc_stmt *block, const struct cc_type *type);

static void add_field(struct walk *w, struct cc_stmt *block, const struct cc_type *record,
                      int field)
{
    REQUIRE(w->n_steps < MAX_NESTING);
    w->steps[w->n_steps++] = (struct step){.field = field};
    w->path[w->n_path++] = field;
    add_object(w, block, record->record->fields[field].type);
    w->n_steps--;
    w->n_path--;
}

static void add_record(struct walk *w, struct cc_stmt *block, const struct cc_type *type)
{
    const struct cc_record *r = type->record;
    if (!r->is_union) {
        for (int i = 0; i < r->n_fields; i++)
            if (r->fields[i].name)
                add_field(w, block, type, i);
        return;
    }
    if (!w->final || !w->final->union_member)
        return;
    int member = w->final->union_member(w->final->of, w->var, w->path, w->n_path);
    if (member >= 0)
        add_field(w, block, type, member);
}

/* for (i = 0; i < length; i++) { ... }, or nothing where nothing is hashed inside. */
static void add_array(struct walk *w, struct cc_stmt *block, const struct cc_type *type)
{
    struct cc_program *p = w->p;
    const struct cc_type *int_type = cc_basic(&p->types, CC_INT);
    struct cc_stmt *body = cc_block(p);
    struct cc_var *i = loop_variable(w);
    REQUIRE(w->n_steps < MAX_NESTING && type->length <= INT32_MAX);
    w->steps[w->n_steps++] = (struct step){.field = -1, .loop = i};
    w->n_loops++;
    add_object(w, body, type->to);
    w->n_loops--;
    w->n_steps--;
    if (body->list.n == 0)
        return;
    struct cc_expr *zero = cc_int(p, int_type, 0, CC_DECIMAL);
    struct cc_expr *length = cc_int(p, int_type, type->length, CC_DECIMAL);
    cc_append(block, cc_for(p, cc_assign(p, CC_NONE, cc_use(p, i), zero),
                            cc_binary(p, CC_LT, cc_use(p, i), length),
                            cc_incdec(p, CC_ADD, true, cc_use(p, i)), body));
}

static void add_object(struct walk *w, struct cc_stmt *block, const struct cc_type *type)
{
    if (cc_is_integer(type))
        add_integer(w, block, type);
    else if (cc_is_float(type))
        add_hash(w, block, build(w));
    else if (type->kind == CC_POINTER)
        add_pointer(w, block);
    else if (type->kind == CC_ARRAY || type->kind == CC_VECTOR)
        add_array(w, block, type);
    else
        add_record(w, block, type);
}

/* Declared only where a loop that uses it was kept: nested loops use them in order. */
static int loops_used(const struct cc_stmt *block)
{
    int most = 0;
    for (size_t i = 0; i < block->list.n; i++) {
        const struct cc_stmt *s = block->list.at[i];
        int n = s->kind == CC_S_FOR ? 1 + loops_used(s->a) : 0;
        most = n > most ? n : most;
    }
    return most;
}

void cc_make_main(struct cc_program *p, const struct cc_final *final)
{
    struct cc_func *f = cc_function(p, "main", cc_basic(&p->types, CC_INT), NULL, 0);
    p->funcs.n--; /* cc_function put it last; main is not one of them */
    f->storage = CC_EXTERN;
    f->body = cc_block(p);
    if (p->entry) {
        REQUIRE(p->entry->n_params == 0);
        cc_append(f->body, cc_expr_stmt(p, cc_call(p, cc_func_use(p, p->entry), NULL, 0)));
    }
    size_t first = f->body->list.n;
    struct walk w = {.p = p, .final = final};
    for (size_t i = 0; i < p->globals.n; i++) {
        w.var = p->globals.at[i];
        if (!w.var->not_hashed)
            add_object(&w, f->body, w.var->type);
    }
    for (int i = loops_used(f->body) - 1; i >= 0; i--)
        cc_insert(f->body, first, cc_decl(p, w.loops[i]));
    p->main = f;
}

/* -- the hash --------------------------------------------------------------------------------- */

/* CRC-32 of IEEE 802.3, reflected, as Csmith's transparent_crc. Half a byte at a time: its table is
 * small enough to be read, and hashing is far from being what takes time. */
static const uint32_t crc_of_nibble[16] = {
    0x00000000, 0x1DB71064, 0x3B6E20C8, 0x26D930AC, 0x76DC4190, 0x6B6B51F4, 0x4DB26158, 0x5005713C,
    0xEDB88320, 0xF00F9344, 0xD6D6A3E8, 0xCB61B38C, 0x9B64C2B0, 0x86D3D2D4, 0xA00AE278, 0xBDBDF21C};

static uint32_t crc_byte(uint32_t crc, uint8_t byte)
{
    crc ^= byte;
    crc = crc >> 4 ^ crc_of_nibble[crc & 15];
    return crc >> 4 ^ crc_of_nibble[crc & 15];
}

uint32_t cc_crc_start(void)
{
    return 0xFFFFFFFF;
}

uint32_t cc_crc_u64(uint32_t crc, uint64_t value)
{
    for (int i = 0; i < 64; i += 8)
        crc = crc_byte(crc, (uint8_t)(value >> i));
    return crc;
}

uint32_t cc_crc_bytes(uint32_t crc, const void *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        crc = crc_byte(crc, ((const uint8_t *)bytes)[i]);
    return crc;
}

uint32_t cc_crc_end(uint32_t crc)
{
    return crc ^ 0xFFFFFFFF;
}
