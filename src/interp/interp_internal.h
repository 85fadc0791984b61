/* What the files of the interpreter share: memory, the state of a run, and the fast paths.
 *
 * The tree is walked as it is. A generated program runs each of its nodes a handful of times, so
 * that any translation costs more than it saves; instead, the walk does little per node. A value is
 * 16 bytes and travels in two registers; an undefined operation leaves by longjmp, so that no
 * caller looks at a status; a cell carries everything that an access has to check, so that the
 * usual access is two comparisons of one cell. What is rare (volatile, const, unions, bit-fields,
 * bytes) is marked in the cell's flags and taken out of line.
 *
 *     memory.c   layouts, loads and stores, unions, pointer arithmetic
 *     order.c    which accesses have no order
 *     eval.c     expressions
 *     exec.c     statements, calls, blocks
 *     interp.c   the module's interface: set-up, violations, final values, output */
#ifndef ASSAY_INTERP_INTERP_INTERNAL_H
#define ASSAY_INTERP_INTERP_INTERNAL_H

#include "base/error.h"
#include "cc/build.h"
#include "cc/builtin.h"
#include "cc/checksum.h"
#include "cc/library.h"
#include "cc/small.h"
#include "interp/interp.h"

#include <setjmp.h>

#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)
#define NOINLINE __attribute__((noinline))

/* -- memory ----------------------------------------------------------------------------------- */

/* A place in an object, and where a pointer points: `at` is cell << 7 | byte << 1 | past. `byte` is
 * not 0 only for a pointer to a character type inside of a larger scalar; `past`: one past the end
 * of its array, the cell after the last one. A null pointer has no object. A lifetime has a serial
 * number of its own: the pointer dangles when it is not the object's any more (6.2.4p2).
 *
 * Real programs (interp_options.real) look at objects as bytes. A pointer that has been converted
 * to one to void or a character is wide: `at` is then its offset in bytes << 7 | AT_WIDE, and its
 * array is the whole object (6.3.2.3p7). One past an array is wide as well, and past. There, a
 * pointer without object is a number, in serial and at. */
struct pointer {
    struct object *object;
    uint32_t serial;
    uint32_t at;
};

enum { AT_PAST = 1, AT_BYTE_SHIFT = 1, AT_BYTE_MASK = 31, AT_WIDE = 64, AT_CELL_SHIFT = 7 };
enum { LDOUBLE_BITS = 80 }; /* of a long double; the rest of its bytes is padding */
enum { MAX_CELLS = 1 << 25, MAX_REAL_CELLS = 1 << 20 }; /* in one object */

/* One scalar. Which member holds is known from the static type. */
union value {
    int64_t i; /* an integer of at most 64 bits, normalised; of an unsigned one its bit pattern */
    cc_wide w; /* __int128 */
    double f;
    long double x; /* of kind CC_LDOUBLE */
    struct pointer p;
    struct cc_func *fn; /* a pointer to a function */
};

enum cell_flags {
    CELL_INDETERMINATE = 1, /* at least one byte is; `known` tells which are not */
    CELL_VOLATILE = 2,      /* defined so, or within what is */
    CELL_CONST = 4,
    CELL_IN_UNION = 8, /* part of a union, at any depth */
    CELL_BITFIELD = 16,
    CELL_TRAP = 32,  /* the bytes are no value of the type: a _Bool that is 2 */
    CELL_UNION = 64, /* stands for a union: v.i is the member stored last, -1: none */
    CELL_SLOW_READ = CELL_INDETERMINATE | CELL_VOLATILE | CELL_IN_UNION | CELL_TRAP | CELL_UNION,
    CELL_SLOW_WRITE =
        CELL_VOLATILE | CELL_CONST | CELL_IN_UNION | CELL_BITFIELD | CELL_TRAP | CELL_UNION,
};

struct cell {
    union value v;
    uint32_t read, write; /* when it was last, by the clock; 0: never */
    uint16_t known;       /* bytes that are determinate, bit 0 the one at the lowest address */
    uint8_t kind;         /* enum cc_kind of the scalar; of an enumeration its compatible type */
    uint8_t flags;
    uint8_t bits;  /* width of a bit-field */
    uint8_t size;  /* bytes */
    uint16_t leaf; /* index into interp.leaves: its type, unqualified */
};

struct object {
    struct cell *cells;
    const struct cc_type *type;
    const struct cc_var *var; /* NULL: a compound literal or a temporary */
    uint32_t serial;          /* of its lifetime; 0: it has ended */
    uint32_t n;               /* cells */
    uint32_t heap;            /* allocated: its number in interp.allocations, from 1 */
    uint32_t exposed;         /* has an address: its number in interp.addresses, from 1 */
};

struct allocation { /* of malloc, calloc, realloc, alloca */
    struct object *object;
    uint32_t size;
    bool typed;          /* its layout has been decided by how it was first used */
    struct frame *frame; /* alloca: which ends it; NULL: free */
};

struct address { /* that a pointer was converted to, in the order in which they were */
    uint64_t start;
    uint32_t size, serial;
    uint32_t ended; /* the last lifetime that had begun when this one ended; 0: it has not */
    bool touches;   /* there may be something right before or after it */
    struct object *object;
    struct cc_func *function; /* or of a function */
};

/* What a layout without gaps puts side by side; see addresses.c. */
struct lane {
    uint64_t edge; /* of what it has so far; 0: there is nothing yet */
    size_t last;   /* the number of the last address in it, from 1 */
};

struct string {
    const struct cc_expr *expr;
    struct object *object;
};

struct file { /* that the program made, see library_stream.c */
    struct file *next;
    const char *name; /* "": of tmpfile */
    struct strbuf data;
    bool removed; /* or not made yet */
};

struct stream {
    struct stream *next;
    struct file *file;
    struct object *object; /* what a FILE * points to; its lifetime ends with fclose */
    size_t at;             /* in the file */
    bool reads, writes, appends, eof;
    bool eof_open; /* nobody knows whether it is set */
    int pushed;    /* by ungetc; EOF: nothing */
    enum { STREAM_FRESH, STREAM_READ, STREAM_WROTE } last;
};

struct label { /* whose address was taken */
    struct cc_stmt *stmt;
    struct object *object; /* what it points to: something that is nowhere else */
};

/* How a type is made of cells. An array is `count` times its innermost element, `unit`; anything
 * else is its own unit, and has the cells that a new object starts with. */
struct layout {
    uint32_t n;
    uint32_t count;
    const struct layout *unit;
    uint32_t *field;           /* of a record: the first cell of each field */
    struct cell *fresh, *zero; /* indeterminate; initialised to 0 (6.7.9p10) */
};

/* Memory in the order of a stack, that never moves. */
struct chunk {
    struct chunk *down;
    char *end;
    _Alignas(16) char data[];
};

struct stack {
    struct chunk *top;
    char *free, *end;
    struct chunk *spare;
};

struct stack_mark {
    struct chunk *top;
    char *free;
};

void *interp_stack_grow(struct stack *s, size_t size);
void interp_stack_shrink(struct stack *s, struct stack_mark m);
void interp_stack_free(struct stack *s);

static inline void *stack_alloc(struct stack *s, size_t size)
{
    if (UNLIKELY((size_t)(s->end - s->free) < size))
        return interp_stack_grow(s, size);
    void *at = s->free;
    s->free += size;
    return at;
}

static inline struct stack_mark stack_mark(const struct stack *s)
{
    return (struct stack_mark){s->top, s->free};
}

static inline void stack_release(struct stack *s, struct stack_mark m)
{
    if (UNLIKELY(s->top != m.top))
        interp_stack_shrink(s, m);
    s->free = m.free;
}

/* -- the state of a run ----------------------------------------------------------------------- */

/* Clock values of operands that the one being evaluated is not sequenced with. Intervals lie on the
 * stack in order of time and do not overlap. */
struct interval {
    uint32_t start, end;
    int depth;   /* of the frame whose operator it is */
    bool listed; /* elements of an initialiser list: indeterminately sequenced (6.7.9p23) */
};

/* A ++ or -- whose value nobody takes, while operands without order are under way. Two calls that
 * do that to one object may come in any order. */
struct count {
    const struct cell *cell;
    uint32_t stamp;       /* clock: of this read and write, and of nothing else */
    uint32_t read, write; /* the cell's stamps before */
    uint8_t op;           /* enum cc_op */
};

struct range { /* clock values while a called function ran */
    uint32_t start, end;
};

/* A compound literal or a temporary record, while it lives. */
struct literal {
    struct literal *next, *older; /* on its owner's list; of all ever made */
    const struct cc_expr *expr;
    struct object *object;
};

struct local {                /* a parameter or a variable of a block */
    const struct cc_var *var; /* its slot: which of the frame's objects */
    const struct layout *layout;
    uint32_t cell; /* its first, in the frame */
};

struct block {
    struct local *locals;
    uint32_t n;
};

struct func { /* what is known of a function after its first call */
    struct cc_func *f;
    struct block params;
    uint32_t n_objects, n_cells; /* of a frame */
};

struct stmt_info {
    struct cc_stmt *parent;
    uint32_t index; /* in the list of a parent that is a block */
    struct block block;
};

struct argument { /* of a call, where no parameter takes it */
    const struct cc_type *type;
    union value v;
    struct cell *cells; /* of a record or vector */
};

struct frame {
    struct frame *up;
    struct func *func;
    struct object *objects;
    struct cell *cells;
    struct cell *record; /* where a returned record or vector goes */
    struct literal *literals;
    size_t n_ranges;       /* of the callers */
    bool alloca;           /* something was allocated here */
    struct argument *more; /* of a variadic function: the arguments after its parameters */
    uint32_t n_more;
    struct object *list; /* what a va_list of it points to; NULL: none yet */
    uint32_t n_lists;    /* begun here and not ended */
    bool took;           /* arguments from lists that are parameters: see interp.taken */
    bool returned;       /* a value */
};

struct taken { /* a list that was a parameter where an argument was taken from it */
    const struct frame *by;
    struct pointer list;
};

struct hash { /* one call of transparent_crc */
    const struct cc_expr *expr;
    uint32_t crc;
    uint32_t first_index, n_indices; /* in interp.indices */
};

#define CHOICE_ADDRESS "an address"

struct choice {       /* of something that C leaves open */
    const char *what; /* NULL: none was made */
    const struct cc_stmt *stmt;
    const struct cc_func *func;
};

struct event {   /* of a history */
    uint64_t at; /* the how manieth it is */
    char text[256];
};

struct history { /* see history.c */
    uint64_t n_events;
    VEC(struct event) calls; /* under way */
    struct event *stores;    /* the last `most`, in a ring */
    size_t n_stores, most;
};

enum { INTERP_LANES = 8, INTERP_WAYS_OF_LANES = 6 }; /* see addresses.c */

enum { SLOT_STATIC = 1u << 30 }; /* in cc_var.slot: index into statics, not into the frame */

struct interp {
    /* hot */
    uint64_t steps, max_steps;
    uint32_t clock;
    uint32_t lowest, span;  /* of all intervals: from the first's start to the last's end */
    struct object *objects; /* of the frame */
    struct object **statics;
    struct frame *frame;
    struct layout **layouts; /* by type id */
    uint32_t n_layouts;
    uint32_t serial;
    const struct cc_stmt *stmt;
    bool annex_f; /* floats are those of IEEE 754: nothing that they do is undefined but a
                     conversion to an integer that does not fit */

    /* Order: 6.5p2. `pending`: stores whose side effect is not yet sequenced before what follows,
     * kept while `watch` assignments with effects in their operands are under way in this frame. */
    VEC(struct interval) intervals;
    VEC(struct range) ranges;
    VEC(struct count) counts;
    const struct cc_expr *discarded; /* the ++ or -- that is evaluated now */
    VEC(struct cell *) pending;
    int watch;
    int open; /* evaluations under way of operands that have no order and of which several have
                 effects */
    uint32_t last_volatile; /* clock */

    struct stack cells, object_stack;
    struct literal *temporaries, *static_literals, *free_literals, *all_literals;
    struct pointer union_read; /* the last read from within a union, and the lvalue that read */
    const struct cc_expr *union_reader;
    bool through; /* the pointer being read is about to be dereferenced */
    union value result;
    struct cc_expr written; /* the object that an overflow builtin stores to, as an lvalue */
    int depth, max_depth;
    const char *c_stack;               /* where our own stack began */
    struct cc_stmt *entering, *target; /* goto: on the way to a label; the label */

    struct cc_program *p;
    struct interp_options options;
    struct arena arena;
    VEC(const struct cc_type *) leaves;
    VEC(struct object *) static_list; /* statics == static_list.at */
    struct func **funcs;              /* by function id */
    uint32_t n_funcs;
    struct stmt_info *stmts; /* by statement id */
    uint32_t n_stmts;

    uint32_t crc;
    VEC(struct hash) hashes;
    VEC(int32_t) indices;
    VEC(struct interp_access) trace;
    struct interp_ub ub;
    struct interp_end end;
    struct strbuf printed;
    uint64_t seen;

    /* of options.values */
    enum {
        WATCH_OFF,
        WATCH_THIS, /* what is evaluated now is being watched already */
        WATCH_NEXT
    } watching;
    struct seen_value *values; /* a hash table by node; NULL while nothing was seen */
    size_t n_values, value_slots;
    struct history *history;  /* of options.history; or NULL */
    struct object *tables[3]; /* of <ctype.h>, see library.c; NULL: not asked for yet */

    /* of real programs */
    VEC(struct allocation) allocations;
    uint64_t allocated; /* bytes, freed or not */
    struct choice choice;
    bool packed; /* members may be less aligned than their types: pointers to them, too */
    VEC(struct address) addresses;
    struct lane lanes[INTERP_LANES];
    uint32_t placed; /* in them */
    bool doubtful; /* a number may have been taken for the wrong one of two objects side by side */
    VEC(struct string) strings;
    VEC(struct label) labels;
    VEC(struct cc_func *) at_exit; /* to be called by the end, the last first */
    struct file *files;
    struct stream *streams;
    int n_names;                /* of files, given so far */
    struct object *name_buffer; /* of tmpnam itself; NULL: not asked for yet */
    VEC(struct taken) taken;    /* by functions that have not returned */
    struct cell nowhere;        /* stands for the cell of a place that is bytes */
    jmp_buf out;                /* 1: a violation; 2: the program has ended */
};

/* Note the violation and leave the run. */
_Noreturn void interp_fail(struct interp *in, enum cc_ub rule, const struct cc_expr *e,
                           const char *format, ...) __attribute__((format(printf, 4, 5), cold));

/* The program has ended by itself: leave the run. */
_Noreturn void interp_leave(struct interp *in, enum interp_ending how, int status);

/* The run decides something that C leaves open: the first address is remembered, and if there is
 * none, the first of all. */
void interp_note_choice(struct interp *in, const char *what);

/* -- values.c --------------------------------------------------------------------------------- */

void interp_note_value(struct interp *in, const struct cc_expr *e, cc_wide value);

/* -- history.c -------------------------------------------------------------------------------- */

void interp_start_history(struct interp *in, uint32_t most);
void interp_end_history(struct interp *in);
/* The lvalue `e`, or the variable that is declared, has got a value. */
void interp_note_store(struct interp *in, const struct cc_expr *e, const struct cc_var *declared,
                       const struct cc_type *type, union value v);
void interp_note_call(struct interp *in, const struct frame *frame);
void interp_note_return(struct interp *in);
/* A scalar as text ("-3", "&g_4 + 8"). */
void interp_put_value(struct interp *in, struct strbuf *out, const struct cc_type *type,
                      union value v);

/* -- restrict.c ------------------------------------------------------------------------------- */

void interp_check_restrict(struct interp *in, const struct cc_expr *e, const struct frame *frame);

/* -- library_stream.c ------------------------------------------------------------------------- */

void interp_end_files(struct interp *in);

/* -- library.c -------------------------------------------------------------------------------- */

/* A call of a function of the library. `e` is the call, for messages; each argument has the type it
 * has after conversion or promotion. Returns its value (nothing for void). */
union value interp_library(struct interp *in, const struct cc_expr *e, const struct cc_func *f,
                           const struct argument *args, uint32_t n);

/* -- bytes.c ---------------------------------------------------------------------------------- */

/* Objects as bytes, whatever their types. Each checks what C11 7.1.4p1 and 7.24.1p2 ask for: not
 * null, alive, inside of the object; a read: that the bytes are determinate. */
uint64_t interp_room(struct interp *in, struct pointer p); /* bytes from p to the object's end */
void interp_read_bytes(struct interp *in, const struct cc_expr *e, struct pointer p, uint64_t n,
                       uint8_t *bytes);
void interp_write_bytes(struct interp *in, const struct cc_expr *e, struct pointer p, uint64_t n,
                        const uint8_t *bytes);
/* memmove: indeterminate bytes stay so, pointers keep what they point to. */
void interp_move_bytes(struct interp *in, const struct cc_expr *e, struct pointer to,
                       struct pointer from, uint64_t n);
/* p + n as a pointer to a character, 0 <= n <= room. */
struct pointer interp_byte_at(struct interp *in, const struct cc_expr *e, struct pointer p,
                              uint64_t n);
/* The byte at p + n, n < room. */
uint8_t interp_read_byte(struct interp *in, const struct cc_expr *e, struct pointer p, uint64_t n);
/* A scalar of a union member that is not the one stored last, from the bytes that are there. */
union value interp_load_bytes(struct interp *in, const struct cc_expr *e, struct pointer p);
/* Is what was stored at a wide place a scalar of that type, but for its sign? */
bool interp_stored_as(struct interp *in, struct pointer p, const struct cc_type *type);
/* A scalar at a wide place: bytes, or a cell of its type. */
union value interp_load_wide(struct interp *in, const struct cc_expr *e, struct pointer p);
union value interp_store_wide(struct interp *in, const struct cc_expr *e, struct pointer p,
                              union value v);
struct pointer interp_must_narrow(struct interp *in, const struct cc_expr *e, struct pointer p);
/* The union at `header` gets another member that is stored in; its bytes stay what they are. */
void interp_switch_member(struct interp *in, const struct cc_expr *e, struct cell *header,
                          const struct cc_type *type, int member);
/* A record at a byte of an object, decoded into cells laid out for its type. */
void interp_decode_record(struct interp *in, const struct cc_expr *e, struct pointer p,
                          struct cell *to);
/* Wide pointers: made, and made narrow where there is a subobject of the type. */
struct pointer interp_widen(struct interp *in, struct pointer p);
struct pointer interp_narrow(struct interp *in, const struct cc_expr *e, struct pointer p,
                             const struct cc_type *to);
struct pointer interp_deref_wide(struct interp *in, const struct cc_expr *e, struct pointer p);
struct pointer interp_string_place(struct interp *in, const struct cc_expr *e);
void interp_end_alloca(struct interp *in, struct frame *frame);
/* malloc and free. An allocated object has no declared type (6.5p6). */
struct pointer interp_allocate(struct interp *in, const struct cc_expr *e, uint64_t size,
                               bool zero);
void interp_release_memory(struct interp *in, const struct cc_expr *e, struct pointer p);
/* alloca: until the function returns. */
struct pointer interp_allocate_here(struct interp *in, const struct cc_expr *e, uint64_t size);
/* va_start, va_arg, va_copy: a list is the struct of cc_va_list_type that `list` points to. */
void interp_start_list(struct interp *in, const struct cc_expr *e, struct pointer list);
void interp_copy_list(struct interp *in, const struct cc_expr *e, struct pointer to,
                      struct pointer from);
void interp_end_list(struct interp *in, const struct cc_expr *e, struct pointer list);
/* Somebody else took arguments from the list: all that may be done with it now is to end it
 * (7.16p3). */
void interp_spend_list(struct interp *in, const struct cc_expr *e, struct pointer list);
void interp_spend_lists(struct interp *in, const struct cc_expr *e, const struct frame *by);
/* The next argument; NULL: there is none. `passed`: the list is a parameter here. */
const struct argument *interp_next_argument(struct interp *in, const struct cc_expr *e,
                                            struct pointer list, bool passed);

/* -- addresses.c ------------------------------------------------------------------------------ */

uint64_t interp_address(struct interp *in, struct pointer p);
uint64_t interp_function_address(struct interp *in, struct cc_func *f);
/* An object that has had an address ends; its serial still stands. */
void interp_end_address(struct interp *in, const struct object *o);
union value interp_pointer_at(struct interp *in, const struct cc_type *pointer, uint64_t address);

/* -- exec.c: addresses of labels ------------------------------------------------------------- */

struct pointer interp_label_address(struct interp *in, const struct cc_expr *e);
bool interp_is_label(const struct interp *in, const struct object *o);

/* -- memory.c --------------------------------------------------------------------------------- */

struct layout *interp_make_layout(struct interp *in, const struct cc_type *type);

static inline const struct layout *layout_of(struct interp *in, const struct cc_type *type)
{
    if (LIKELY(type->id < in->n_layouts && in->layouts[type->id]))
        return in->layouts[type->id];
    return interp_make_layout(in, type);
}

static inline uint32_t cells_of(struct interp *in, const struct cc_type *type)
{
    return cc_is_scalar(type) ? 1 : layout_of(in, type)->n;
}

void interp_fill(struct cell *to, const struct layout *l, bool zero);
/* Values and what is known of them; not what the cells are. */
void interp_copy_values(struct cell *to, const struct cell *from, uint32_t n);

/* The subobject that has a cell, from the whole object down. */
struct spot {
    const struct cc_type *type;
    const struct cc_field *field; /* that it is; NULL: an element or the whole */
    uint32_t cell, offset;        /* where it starts, in cells and in bytes */
    uint32_t index;               /* which field or element it is */
};
bool interp_step_down(struct interp *in, struct spot *s, uint32_t cell);
bool interp_type_at(struct interp *in, const struct object *o, uint32_t cell,
                    const struct cc_type *type);
bool interp_is_string(const struct interp *in, const struct object *o);     /* a literal */
bool interp_same_element(const struct cc_type *a, const struct cc_type *b); /* but for the sign */
/* Is there a vector at the byte of an array of its elements? GCC and clang let them alias. */
bool interp_lanes_in(const struct cc_type *array, uint64_t offset, const struct cc_type *vector);
/* The bytes of a scalar as in memory, the one at the lowest address lowest; and back. */
cc_uwide interp_scalar_bytes(struct interp *in, const struct cell *c);
union value interp_scalar_of(struct interp *in, const struct cc_type *type, cc_uwide bytes);
uint32_t interp_byte_offset(struct interp *in, struct pointer p);

union value interp_load_slow(struct interp *in, const struct cc_expr *e, struct pointer p);
union value interp_load_pointer(struct interp *in, const struct cc_expr *e, struct cell *c);
union value interp_store_slow(struct interp *in, const struct cc_expr *e, struct pointer p,
                              union value v);
/* The cell of the variable (NULL: of something else) is const, or of a temporary. */
_Noreturn void interp_refuse_store(struct interp *in, const struct cc_expr *e,
                                   const struct cc_var *var, const struct cell *c);
/* A whole record or vector, as one value: into cells laid out for its type, and from such. */
void interp_load_record(struct interp *in, const struct cc_expr *e, struct pointer p,
                        struct cell *to);
void interp_store_record(struct interp *in, const struct cc_expr *e, struct pointer p,
                         const struct cell *from);
/* 6.5.16.1p3, of the read just made and the store to come. */
void interp_check_overlap(struct interp *in, const struct cc_expr *e, struct pointer to);

struct pointer interp_deref(struct interp *in, const struct cc_expr *e, struct pointer p);
struct pointer interp_past(struct interp *in, struct pointer p, uint32_t bytes);
struct pointer interp_pointer_add(struct interp *in, const struct cc_expr *e, struct pointer p,
                                  const struct cc_type *to, int64_t n);
int64_t interp_pointer_difference(struct interp *in, const struct cc_expr *e, struct pointer a,
                                  struct pointer b, const struct cc_type *to);
bool interp_pointer_compare(struct interp *in, const struct cc_expr *e, struct pointer a,
                            struct pointer b);
struct pointer interp_pointer_cast(struct interp *in, const struct cc_expr *e, struct pointer p,
                                   const struct cc_type *to);
void interp_check_alignment(struct interp *in, const struct cc_expr *e, struct pointer p,
                            const struct cc_type *type);

/* May the member be read now, in place, by the rules for unions? */
bool interp_member_readable(struct interp *in, struct cell *header, const struct cc_type *type,
                            int member);

/* May the ++ or -- go ahead though others did the same to the cell, in no given order with it? If
 * not, it is an access as any other, and is noted as a count. */
bool interp_may_count(struct interp *in, const struct cc_expr *e, struct pointer p);
void interp_conflict(struct interp *in, const struct cc_expr *e, uint32_t stamp);
bool interp_in_interval(const struct interp *in, uint32_t stamp);
void interp_push_interval(struct interp *in, uint32_t start, bool listed);
void interp_extend_interval(struct interp *in); /* the last one, to now */
void interp_pop_interval(struct interp *in);
void interp_check_pending(struct interp *in, const struct cc_expr *e, struct pointer p,
                          size_t since);

static inline struct cell *cell_of(struct pointer p)
{
    return p.object->cells + (p.at >> AT_CELL_SHIFT);
}

static inline uint32_t byte_of(struct pointer p)
{
    return p.at >> AT_BYTE_SHIFT & AT_BYTE_MASK;
}

/* The cell of a place that a store goes to; bytes have none of their own. */
static inline struct cell *cell_at(struct interp *in, struct pointer p)
{
    return UNLIKELY(p.at & AT_WIDE) ? &in->nowhere : cell_of(p);
}

/* A pointer that has no object is null, or a number. */
static inline bool is_null(struct pointer p)
{
    return !p.object && !p.serial && !p.at;
}

/* Time passes between operands, not between accesses. */
static inline uint32_t tick(struct interp *in)
{
    if (UNLIKELY(in->clock == UINT32_MAX - 2))
        interp_fail(in, CC_UB_STEPS, NULL, "the clock");
    return ++in->clock;
}

/* Of a lifetime that begins. */
static inline uint32_t next_serial(struct interp *in)
{
    if (UNLIKELY(in->serial == UINT32_MAX))
        interp_fail(in, CC_UB_STEPS, NULL, "lifetimes");
    return ++in->serial;
}

/* The `i`th of several operands without order has been evaluated, all from `start` on. */
static inline void next_operand(struct interp *in, uint32_t start, uint32_t i, bool listed)
{
    if (i == 0)
        interp_push_interval(in, start, listed);
    else
        interp_extend_interval(in);
}

/* Between the interpreter's values and those of value.h. */
static inline union cc_scalar to_scalar(const struct cc_type *t, union value v)
{
    if (UNLIKELY(t->kind == CC_LDOUBLE))
        return (union cc_scalar){.x = v.x};
    if (cc_is_float(t))
        return (union cc_scalar){.f = v.f};
    if (!cc_is_small(t))
        return (union cc_scalar){.i = v.w};
    return (union cc_scalar){.i = t->is_signed ? (cc_wide)v.i : (cc_wide)(uint64_t)v.i};
}

static inline union value from_scalar(const struct cc_type *t, union cc_scalar s)
{
    if (UNLIKELY(t->kind == CC_LDOUBLE))
        return (union value){.x = s.x};
    if (cc_is_float(t))
        return (union value){.f = s.f};
    if (!cc_is_small(t))
        return (union value){.w = s.i};
    return (union value){.i = (int64_t)s.i};
}

/* A store to this cell is not complete before the next sequence point. */
static inline void note_pending(struct interp *in, struct pointer p)
{
    if (UNLIKELY(in->watch) && !(p.at & AT_WIDE))
        vec_push(&in->pending, cell_of(p));
}

/* Do several of the expressions have effects, in no given order? */
static inline bool several_effects(struct cc_expr *const *list, uint32_t n)
{
    uint32_t some = 0;
    for (uint32_t i = 0; i < n; i++)
        some += list[i]->effects;
    return some > 1;
}

static inline void stamp_read(struct interp *in, const struct cc_expr *e, struct cell *c)
{
    if (UNLIKELY(c->write - in->lowest <= in->span))
        interp_conflict(in, e, c->write);
    /* A read in an open interval is the one that a write would conflict with: keep it. */
    if (LIKELY(c->read - in->lowest > in->span) || !interp_in_interval(in, c->read))
        c->read = in->clock;
}

static inline void stamp_write(struct interp *in, const struct cc_expr *e, struct cell *c)
{
    if (UNLIKELY(c->write - in->lowest <= in->span))
        interp_conflict(in, e, c->write);
    if (UNLIKELY(c->read - in->lowest <= in->span))
        interp_conflict(in, e, c->read);
    c->write = in->clock;
}

/* Read the scalar that the lvalue `e` designates; the place is alive and inside of its object. */
static inline union value load(struct interp *in, const struct cc_expr *e, struct pointer p)
{
    if (UNLIKELY(p.at & AT_WIDE))
        return interp_load_wide(in, e, p);
    struct cell *c = cell_of(p);
    if (UNLIKELY(c->kind != e->type->kind || (c->flags & CELL_SLOW_READ)))
        return interp_load_slow(in, e, p);
    stamp_read(in, e, c);
    if (c->kind == CC_POINTER)
        return interp_load_pointer(in, e, c);
    return c->v;
}

/* Store; gives the value that the object has then. */
static inline union value store(struct interp *in, const struct cc_expr *e, struct pointer p,
                                union value v)
{
    if (UNLIKELY(p.at & AT_WIDE))
        return interp_store_wide(in, e, p, v);
    struct cell *c = cell_of(p);
    if (UNLIKELY(c->kind != e->type->kind || (c->flags & CELL_SLOW_WRITE) ||
                 (c->kind == CC_POINTER && in->leaves.at[c->leaf] != e->type->plain)))
        return interp_store_slow(in, e, p, v);
    stamp_write(in, e, c);
    c->v = v;
    c->flags &= (uint8_t)~CELL_INDETERMINATE;
    return v;
}

/* -- eval.c ----------------------------------------------------------------------------------- */

static inline void count_node(struct interp *in, struct cc_expr *e)
{
    in->steps++;
    e->ran = true;
}

union value interp_eval(struct interp *in, struct cc_expr *e); /* a scalar or decayed array */
void interp_eval_void(struct interp *in, struct cc_expr *e);   /* for its effects */
void interp_eval_record(struct interp *in, struct cc_expr *e, struct cell *to); /* or a vector */
bool interp_truth(struct interp *in, struct cc_expr *e);
/* The same, and whether `e` compares integers with a constant; then also what is compared. */
bool interp_compared(struct interp *in, struct cc_expr *e, cc_wide *left, bool *compared);
/* Fill laid-out cells of an object of `type` from its initialiser. */
void interp_init(struct interp *in, struct cell *to, const struct cc_type *type, struct cc_expr *e);
/* `to` is zero already. 6.7.9p23: the elements are in no given order. */
void interp_init_list(struct interp *in, struct cell *to, const struct cc_type *type,
                      struct cc_expr *e);
union value interp_eval_builtin(struct interp *in, struct cc_expr *e);

/* -- exec.c ----------------------------------------------------------------------------------- */

union value interp_eval_call(struct interp *in, struct cc_expr *e, struct cell *record,
                             bool discard);
/* Is it what the default argument promotions leave alone? */
bool interp_is_promoted(const struct cc_types *types, const struct cc_type *t);
/* Run statements of a function without parameters, from the `first` of its body on. */
void interp_run_function(struct interp *in, struct cc_func *f, size_t first);
bool interp_run_main(struct interp *in, struct cc_func *f, const union value *args);
void interp_add_static(struct interp *in, struct cc_var *v); /* as zero */
void interp_init_static(struct interp *in, struct cc_var *v);
union value interp_eval_stmts(struct interp *in, struct cc_expr *e, struct cell *record);
/* A new object outside of frames, on a list whose owner ends it. */
struct object *interp_new_literal(struct interp *in, struct literal **list, const struct cc_expr *e,
                                  const struct cc_type *type);
void interp_end_literals(struct interp *in, struct literal **list, struct literal *until);

static inline struct object *object_of(struct interp *in, const struct cc_var *v)
{
    uint32_t slot = v->slot;
    return slot & SLOT_STATIC ? in->statics[slot ^ SLOT_STATIC] : in->objects + slot;
}

#endif
