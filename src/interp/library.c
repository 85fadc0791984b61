/* The C library, as far as imported programs need it: what each function of cc/library.h does, by
 * C11's chapter 7, and what of it is undefined.
 *
 * The table at the end gives each function its handler and its type as letters. Arguments are
 * checked against the letters first: a call by another type is undefined (6.5.2.2p6 and p9) even
 * where the program declared it so. Handlers then copy what they read from the program's memory to
 * memory of the host, compute there with the host's own function, and write the result back;
 * bytes.c checks each access. What a function is said to take is checked as a whole: strcmp takes
 * two strings, so that both must end, even where their first bytes differ already.
 *
 * C leaves some results open: the magnitude of what memcmp and strcmp return, what isalpha and
 * signbit return for true, the sign of the lesser of two zeros, and what puts returns. Here those
 * are -1, 0 and 1 or as the machine has it, and others in a run that decides otherwise. Where a
 * program's output would show what is open (the text of a NaN, an address), the run ends
 * undecided. */
#include "interp/library_internal.h"

#include <ctype.h>
#include <limits.h>

struct function {
    union value (*run)(struct call *c);
    const char *result, *params; /* letters: see letter_type; "." for any more arguments */
};
static const struct function functions[CC_N_LIBRARY];

/* -- results ---------------------------------------------------------------------------------- */

static union value nothing(void)
{
    return (union value){.w = 0};
}

union value library_integer(const struct call *c, int64_t v)
{
    const struct cc_type *type = c->f->type->to;
    return type->kind == CC_VOID ? nothing() : (union value){.i = cc_wrap_small(type, v)};
}

static union value address(struct pointer p)
{
    return (union value){.p = p};
}

int library_open(struct call *c, int v)
{
    interp_note_choice(c->in, "the value of a function of the library");
    return ((v > 0) - (v < 0)) * (c->in->options.way == 1 ? 13 : 1);
}

/* -- types of parameters ---------------------------------------------------------------------- */

/* i int, n long, N unsigned long, l long long, z size_t, f float, d double; p, a pointer to an
 * object of any type, r, a float or double, and v, void, have none. */
static const struct cc_type *letter_type(const struct interp *in, char letter)
{
    static const enum cc_kind kinds[] = {
        ['i'] = CC_INT,   ['n'] = CC_LONG,   ['N'] = CC_ULONG, ['l'] = CC_LLONG,
        ['f'] = CC_FLOAT, ['d'] = CC_DOUBLE, ['z'] = CC_ULONG,
    };
    const struct cc_types *t = &in->p->types;
    enum cc_kind kind = kinds[(unsigned char)letter];
    if (letter == 'z' && t->model->pointer_size == 4)
        kind = CC_UINT;
    return kind == CC_VOID ? NULL : cc_basic(t, kind);
}

const struct cc_type *library_pointee(const struct cc_type *type)
{
    return type->kind == CC_POINTER ? type->to : NULL;
}

struct type_text library_type_text(const struct cc_type *type)
{
    struct type_text t;
    const struct cc_type *to = library_pointee(type);
    snprintf(t.s, sizeof t.s, "%s%s", cc_kind_text[to ? to->kind : type->kind], to ? " *" : "");
    return t;
}

/* Signed and unsigned integers of one size are passed and returned in one way. */
static bool is_of_letter(const struct interp *in, const struct cc_type *type, char letter)
{
    const struct cc_type *wanted = letter_type(in, letter), *to = library_pointee(type);
    switch (letter) {
    case 'v':
        return type->kind == CC_VOID;
    case 'p':
        return to && to->kind != CC_FUNCTION;
    case 'r':
        return cc_is_float(type);
    case 'f':
    case 'd':
        return type->kind == wanted->kind;
    default:
        return cc_is_integer(type) && type->size == wanted->size;
    }
}

static bool never_returns(int library)
{
    return library >= CC_LIB_ABORT && library <= CC_LIB_UNREACHABLE;
}

/* Arguments and result against the function's own type, and the arguments' values. */
static void take_arguments(struct call *c)
{
    const struct function *function = &functions[c->f->library];
    const struct cc_type *result = c->f->type->to;
    const char *letter = function->params;
    uint32_t i = 0;
    for (; *letter && *letter != '.'; i++, letter++) {
        if (i == c->n)
            FAIL(c, CALL_TYPE, "%s with too few arguments", c->f->name);
        const struct argument *a = &c->args[i];
        const struct cc_type *wanted = letter_type(c->in, *letter);
        if (*letter == 'r' && a->type->kind == CC_LDOUBLE)
            FAIL(c, UNDECIDED, "%s of a long double", c->f->name);
        if (!is_of_letter(c->in, a->type, *letter))
            FAIL(c, CALL_TYPE, "argument %u of %s has type %s", i + 1, c->f->name,
                 library_type_text(a->type).s);
        c->a[i] = a->v;
        if (wanted && cc_is_integer(wanted))
            c->a[i].i = cc_wrap_small(wanted, a->v.i);
    }
    if (i < c->n && *letter != '.')
        FAIL(c, CALL_TYPE, "%s with too many arguments", c->f->name);
    if (!is_of_letter(c->in, result, *function->result) && !never_returns(c->f->library) &&
        result->kind != CC_VOID)
        FAIL(c, CALL_TYPE, "%s does not return %s", c->f->name, library_type_text(result).s);
}

/* -- memory of the program and of the host ---------------------------------------------------- */

void *library_space(struct call *c, uint64_t bytes)
{
    enum { ALIGNMENT = _Alignof(struct cell) };
    return stack_alloc(&c->in->cells, (size_t)((bytes + ALIGNMENT) / ALIGNMENT * ALIGNMENT));
}

/* Bytes to the end of the object. The pointer must be valid even where nothing is accessed
 * (7.24.1p2). */
static uint64_t room_at(struct call *c, struct pointer p)
{
    if (!p.object)
        FAIL(c, NULL_ACCESS, "%s%s", c->f->name, is_null(p) ? "" : " of an address of nothing");
    if (p.object->serial != p.serial)
        FAIL(c, DANGLING, "%s", p.object->var ? p.object->var->name : "");
    return interp_room(c->in, p);
}

void library_need(struct call *c, struct pointer p, uint64_t bytes)
{
    uint64_t room = room_at(c, p);
    if (bytes > room)
        FAIL(c, BOUNDS, "%s of %llu bytes where %llu are left", c->f->name,
             (unsigned long long)bytes, (unsigned long long)room);
}

static struct pointer byte_at(struct call *c, struct pointer p, uint64_t n)
{
    return interp_byte_at(c->in, c->e, p, n);
}

static const uint8_t *read_bytes(struct call *c, struct pointer p, uint64_t n)
{
    library_need(c, p, n);
    uint8_t *bytes = library_space(c, n);
    if (n)
        interp_read_bytes(c->in, c->e, p, n, bytes);
    return bytes;
}

static void fill_bytes(struct call *c, struct pointer p, int value, uint64_t n)
{
    library_need(c, p, n);
    if (!n)
        return;
    uint8_t *bytes = library_space(c, n);
    memset(bytes, value, (size_t)n);
    interp_write_bytes(c->in, c->e, p, n, bytes);
}

static void move_bytes(struct call *c, struct pointer to, struct pointer from, uint64_t n)
{
    library_need(c, from, n);
    library_need(c, to, n);
    if (n)
        interp_move_bytes(c->in, c->e, to, from, n);
}

/* 7.24.2.1p2 and others. Also where the two are the same: compilers copy structs so, programs may
 * not. */
void library_need_apart(struct call *c, struct pointer a, uint64_t n, struct pointer b, uint64_t m)
{
    if (a.object != b.object || n == 0 || m == 0)
        return;
    uint64_t x = interp_byte_offset(c->in, a), y = interp_byte_offset(c->in, b);
    if (x < y + m && y < x + n)
        FAIL(c, OVERLAP, "%s", c->f->name);
}

struct text library_read_text(struct call *c, struct pointer p, int64_t limit)
{
    uint64_t n = 0, most = (uint64_t)limit;
    library_need(c, p, 0);
    while (n < most && interp_read_byte(c->in, c->e, p, n))
        n++;
    char *s = library_space(c, n + 1);
    if (n)
        interp_read_bytes(c->in, c->e, p, n, (uint8_t *)s);
    s[n] = '\0';
    return (struct text){s, n, n + (n < most)};
}

static struct text string(struct call *c, int argument)
{
    return library_read_text(c, c->a[argument].p, NO_LIMIT);
}

/* What a function stores through its argument of that number: 7.1.4p1, and 6.5p7. */
void library_store(struct call *c, uint32_t argument, struct pointer p, const struct cc_type *type,
                   union value v)
{
    struct interp *in = c->in;
    struct cc_expr *from = argument < c->e->n_args ? c->e->args[argument] : (struct cc_expr *)c->e;
    in->written = (struct cc_expr){.kind = CC_E_DEREF, .type = type, .a = from};
    p = interp_deref(in, &in->written, p);
    store(in, &in->written, p, v);
}

/* -- control ---------------------------------------------------------------------------------- */

static union value run_abort(struct call *c)
{
    interp_leave(c->in, INTERP_ABORTED, 0);
}

static union value run_exit(struct call *c)
{
    interp_leave(c->in, INTERP_EXITED, (int)(c->a[0].i & 0xFF));
}

/* Whether what was printed and not flushed appears is the implementation's (7.22.4.5p2). */
static union value run_quick_exit(struct call *c)
{
    if (c->in->printed.n)
        FAIL(c, UNDECIDED, "%s with output that may be lost", c->f->name);
    interp_leave(c->in, INTERP_QUIT, (int)(c->a[0].i & 0xFF));
}

static union value run_trap(struct call *c)
{
    interp_leave(c->in, INTERP_TRAPPED, 0);
}

static union value run_unreachable(struct call *c)
{
    FAIL(c, UNREACHABLE, "%s", "");
}

/* 7.22.4.2: at least 32 can be registered. */
static union value run_atexit(struct call *c)
{
    const struct cc_type *to = c->n == 1 ? library_pointee(c->args[0].type) : NULL;
    struct cc_func *f = to && to->kind == CC_FUNCTION ? c->args[0].v.fn : NULL;
    if (!f || f->n_params || !f->body || c->in->at_exit.n == 32)
        FAIL(c, UNDECIDED, "%s", c->f->name);
    vec_push(&c->in->at_exit, f);
    return library_integer(c, 0);
}

static union value run_nothing(struct call *c)
{
    (void)c;
    return nothing();
}

/* -- lists of arguments (7.16) ---------------------------------------------------------------- */

static union value run_va_start(struct call *c)
{
    interp_start_list(c->in, c->e, c->a[0].p);
    return nothing();
}

static union value run_va_copy(struct call *c)
{
    interp_copy_list(c->in, c->e, c->a[0].p, c->a[1].p);
    return nothing();
}

static union value run_va_end(struct call *c)
{
    interp_end_list(c->in, c->e, c->a[0].p);
    return nothing();
}

/* -- allocation (7.22.3) ---------------------------------------------------------------------- */

static union value run_malloc(struct call *c)
{
    return address(interp_allocate(c->in, c->e, (uint64_t)c->a[0].i, false));
}

static union value run_calloc(struct call *c)
{
    uint64_t size; /* too large: bytes.c says so */
    if (__builtin_mul_overflow((uint64_t)c->a[0].i, (uint64_t)c->a[1].i, &size))
        size = UINT64_MAX;
    return address(interp_allocate(c->in, c->e, size, true));
}

static union value run_realloc(struct call *c)
{
    struct pointer old = c->a[0].p;
    uint64_t size = (uint64_t)c->a[1].i;
    if (is_null(old))
        return address(interp_allocate(c->in, c->e, size, false));
    uint64_t room = room_at(c, old);
    if (size == 0)
        FAIL(c, UNDECIDED, "realloc to 0 bytes");
    struct pointer moved = interp_allocate(c->in, c->e, size, false);
    move_bytes(c, moved, old, room < size ? room : size);
    interp_release_memory(c->in, c->e, old);
    moved.object->serial = moved.serial = next_serial(c->in); /* it may be where the old one was */
    return address(moved);
}

static union value run_free(struct call *c)
{
    interp_release_memory(c->in, c->e, c->a[0].p);
    return nothing();
}

static union value run_alloca(struct call *c)
{
    return address(interp_allocate_here(c->in, c->e, (uint64_t)c->a[0].i));
}

/* -- memory (7.24.2 to 7.24.6) ---------------------------------------------------------------- */

static void copy_apart(struct call *c)
{
    struct pointer to = c->a[0].p, from = c->a[1].p;
    uint64_t n = (uint64_t)c->a[2].i;
    library_need(c, to, n);
    library_need(c, from, n);
    library_need_apart(c, to, n, from, n);
    move_bytes(c, to, from, n);
}

static union value run_memcpy(struct call *c)
{
    copy_apart(c);
    return c->a[0];
}

static union value run_mempcpy(struct call *c)
{
    copy_apart(c);
    return address(byte_at(c, c->a[0].p, (uint64_t)c->a[2].i));
}

static union value run_memmove(struct call *c)
{
    move_bytes(c, c->a[0].p, c->a[1].p, (uint64_t)c->a[2].i);
    return c->a[0];
}

static union value run_bcopy(struct call *c) /* the source comes first */
{
    move_bytes(c, c->a[1].p, c->a[0].p, (uint64_t)c->a[2].i);
    return nothing();
}

static union value run_memset(struct call *c)
{
    fill_bytes(c, c->a[0].p, (int)c->a[1].i, (uint64_t)c->a[2].i);
    return c->a[0];
}

static union value run_bzero(struct call *c)
{
    fill_bytes(c, c->a[0].p, 0, (uint64_t)c->a[1].i);
    return nothing();
}

static union value run_memcmp(struct call *c)
{
    uint64_t n = (uint64_t)c->a[2].i;
    const uint8_t *a = read_bytes(c, c->a[0].p, n), *b = read_bytes(c, c->a[1].p, n);
    return library_integer(c, library_open(c, memcmp(a, b, (size_t)n)));
}

/* 7.24.5.1p2: as if it read in order and stopped at a match, so that what follows need not be
 * there. */
static union value run_memchr(struct call *c)
{
    struct pointer p = c->a[0].p;
    uint64_t n = (uint64_t)c->a[2].i;
    uint8_t wanted = (uint8_t)c->a[1].i;
    library_need(c, p, 0);
    for (uint64_t i = 0; i < n; i++)
        if (interp_read_byte(c->in, c->e, p, i) == wanted)
            return address(byte_at(c, p, i));
    return nothing();
}

/* -- strings (7.24.2 to 7.24.6) --------------------------------------------------------------- */

/* A size_t as the most bytes to read: more than any object has is no limit. */
static int64_t limit_of(const struct call *c, int argument)
{
    int64_t n = c->a[argument].i;
    return n < 0 ? INT64_MAX : n;
}

static union value run_strlen(struct call *c)
{
    return library_integer(c, (int64_t)string(c, 0).n);
}

static union value run_strnlen(struct call *c)
{
    return library_integer(c, (int64_t)library_read_text(c, c->a[0].p, limit_of(c, 1)).n);
}

static uint64_t copy_string(struct call *c)
{
    struct text from = string(c, 1);
    library_need(c, c->a[0].p, from.read);
    library_need_apart(c, c->a[0].p, from.read, c->a[1].p, from.read);
    move_bytes(c, c->a[0].p, c->a[1].p, from.read);
    return from.n;
}

static union value run_strcpy(struct call *c)
{
    copy_string(c);
    return c->a[0];
}

static union value run_stpcpy(struct call *c)
{
    return address(byte_at(c, c->a[0].p, copy_string(c)));
}

static union value run_strncpy(struct call *c)
{
    struct pointer to = c->a[0].p;
    uint64_t n = (uint64_t)c->a[2].i;
    struct text from = library_read_text(c, c->a[1].p, limit_of(c, 2));
    library_need(c, to, n);
    library_need_apart(c, to, n, c->a[1].p, from.read);
    move_bytes(c, to, c->a[1].p, from.n);
    if (n > from.n)
        fill_bytes(c, byte_at(c, to, from.n), 0, n - from.n);
    return c->a[0];
}

static union value append_string(struct call *c, int64_t limit)
{
    struct pointer to = c->a[0].p;
    struct text before = string(c, 0), from = library_read_text(c, c->a[1].p, limit);
    uint64_t total = before.n + from.n + 1;
    library_need(c, to, total);
    library_need_apart(c, to, total, c->a[1].p, from.read);
    move_bytes(c, byte_at(c, to, before.n), c->a[1].p, from.n);
    fill_bytes(c, byte_at(c, to, total - 1), 0, 1);
    return c->a[0];
}

static union value run_strcat(struct call *c)
{
    return append_string(c, NO_LIMIT);
}

static union value run_strncat(struct call *c)
{
    return append_string(c, limit_of(c, 2));
}

static union value run_strcmp(struct call *c)
{
    return library_integer(c, library_open(c, strcmp(string(c, 0).s, string(c, 1).s)));
}

static union value run_strncmp(struct call *c)
{
    int64_t limit = limit_of(c, 2);
    struct text a = library_read_text(c, c->a[0].p, limit),
                b = library_read_text(c, c->a[1].p, limit);
    return library_integer(c, library_open(c, strcmp(a.s, b.s)));
}

/* Where the host found something, as a pointer of the program. */
static union value found(struct call *c, const struct text *in, const char *at)
{
    return at ? address(byte_at(c, c->a[0].p, (uint64_t)(at - in->s))) : nothing();
}

static union value run_strchr(struct call *c)
{
    struct text s = string(c, 0);
    return found(c, &s, strchr(s.s, (int)c->a[1].i));
}

static union value run_strrchr(struct call *c)
{
    struct text s = string(c, 0);
    return found(c, &s, strrchr(s.s, (int)c->a[1].i));
}

static union value run_strstr(struct call *c)
{
    struct text s = string(c, 0), part = string(c, 1);
    return found(c, &s, strstr(s.s, part.s));
}

static union value run_strpbrk(struct call *c)
{
    struct text s = string(c, 0), set = string(c, 1);
    return found(c, &s, strpbrk(s.s, set.s));
}

static union value run_strspn(struct call *c)
{
    return library_integer(c, (int64_t)strspn(string(c, 0).s, string(c, 1).s));
}

static union value run_strcspn(struct call *c)
{
    return library_integer(c, (int64_t)strcspn(string(c, 0).s, string(c, 1).s));
}

static union value run_strdup(struct call *c)
{
    struct text s = string(c, 0);
    struct pointer copy = interp_allocate(c->in, c->e, s.read, false);
    interp_write_bytes(c->in, c->e, copy, s.read, (const uint8_t *)s.s);
    return address(copy);
}

/* -- streams (7.21) --------------------------------------------------------------------------- */

/* The only streams that a program has are stderr, which nobody looks at, and stdout. */
bool library_is_stdout(struct call *c, struct pointer stream)
{
    const struct cc_var *var = stream.object ? stream.object->var : NULL;
    bool out = var && strcmp(var->name, "stdout") == 0;
    if (!out && !(var && strcmp(var->name, "stderr") == 0))
        FAIL(c, UNDECIDED, "%s to a stream that is not known", c->f->name);
    return out;
}

/* Output is observable, as accesses to volatile objects are: its order must be given (5.1.2.3p6).
 */
void library_print(struct call *c, const char *text, size_t n)
{
    struct interp *in = c->in;
    if (in->last_volatile - in->lowest <= in->span && interp_in_interval(in, in->last_volatile))
        FAIL(c, VOLATILE_ORDER, "output");
    in->last_volatile = in->clock;
    if (in->printed.n + n > MAX_OUTPUT)
        FAIL(c, UNDECIDED, "too much output");
    strbuf_add(&in->printed, text, n);
}

/* -- formatted output (7.21.6.1) -------------------------------------------------------------- */

static union value run_printf(struct call *c)
{
    return library_print_format(c, 0, false);
}

static union value run_vprintf(struct call *c)
{
    return library_print_format(c, 0, true);
}

static union value run_fprintf(struct call *c)
{
    return library_print_format(c, 1, false);
}

static union value run_vfprintf(struct call *c)
{
    return library_print_format(c, 1, true);
}

static union value run_sprintf(struct call *c)
{
    return library_store_format(c, UINT64_MAX, 1, false);
}

static union value run_vsprintf(struct call *c)
{
    return library_store_format(c, UINT64_MAX, 1, true);
}

/* Libraries refuse a size over INT_MAX, or do not. */
static uint64_t size_for_text(struct call *c)
{
    uint64_t size = (uint64_t)c->a[1].i;
    if (size > INT_MAX)
        FAIL(c, UNDECIDED, "%s with a size over INT_MAX", c->f->name);
    return size;
}

static union value run_snprintf(struct call *c)
{
    return library_store_format(c, size_for_text(c), 2, false);
}

static union value run_vsnprintf(struct call *c)
{
    return library_store_format(c, size_for_text(c), 2, true);
}

/* -- integers (7.22) -------------------------------------------------------------------------- */

static union value run_abs(struct call *c)
{
    const struct cc_type *type = letter_type(c->in, functions[c->f->library].params[0]);
    int64_t v = c->a[0].i;
    if (v == (int64_t)cc_int_min(type)) /* 7.22.6.1p2 */
        FAIL(c, OVERFLOW, "%s of the least value", c->f->name);
    return library_integer(c, v < 0 ? -v : v);
}

/* GCC's bit builtins for long. Its width is the model's. */
static union value run_bits(struct call *c)
{
    int bits = 8 * c->in->p->types.model->long_size;
    int64_t v = c->a[0].i;
    uint64_t u = (uint64_t)v & (UINT64_MAX >> (64 - bits));
    uint64_t folded = (uint64_t)(v < 0 ? ~v : v);
    bool counts = c->f->library == CC_LIB_CLZL || c->f->library == CC_LIB_CTZL;
    if (counts && !u)
        FAIL(c, BUILTIN_ARGUMENT, "%s of 0", c->f->name);
    switch (c->f->library) {
    case CC_LIB_CLZL:
        return library_integer(c, __builtin_clzll(u) - (64 - bits));
    case CC_LIB_CTZL:
        return library_integer(c, __builtin_ctzll(u));
    case CC_LIB_FFSL:
        return library_integer(c, __builtin_ffsll((long long)u));
    case CC_LIB_POPCOUNTL:
        return library_integer(c, __builtin_popcountll(u));
    case CC_LIB_PARITYL:
        return library_integer(c, __builtin_parityll(u));
    default: /* CLRSBL: bits below the sign bit that equal it */
        return library_integer(c, folded ? __builtin_clzll(folded) - (64 - bits) - 1 : bits - 1);
    }
}

/* -- characters (7.4), in the locale "C", which a program starts in and which is ours ---------- */

static int (*const character_functions[CC_N_LIBRARY])(int) = {
    [CC_LIB_ISDIGIT] = isdigit, [CC_LIB_ISALPHA] = isalpha,   [CC_LIB_ISALNUM] = isalnum,
    [CC_LIB_ISSPACE] = isspace, [CC_LIB_ISUPPER] = isupper,   [CC_LIB_ISLOWER] = islower,
    [CC_LIB_ISPRINT] = isprint, [CC_LIB_ISXDIGIT] = isxdigit, [CC_LIB_ISPUNCT] = ispunct,
    [CC_LIB_ISCNTRL] = iscntrl, [CC_LIB_ISGRAPH] = isgraph,   [CC_LIB_ISBLANK] = isblank,
    [CC_LIB_TOUPPER] = toupper, [CC_LIB_TOLOWER] = tolower,
};

static union value run_character(struct call *c)
{
    int64_t ch = c->a[0].i;
    if (ch != EOF && (ch < 0 || ch > UCHAR_MAX)) /* 7.4p1 */
        FAIL(c, BUILTIN_ARGUMENT, "%s of %lld", c->f->name, (long long)ch);
    int v = character_functions[c->f->library]((int)ch);
    bool converts = c->f->library == CC_LIB_TOUPPER || c->f->library == CC_LIB_TOLOWER;
    return library_integer(c, converts ? v : library_open(c, v != 0));
}

/* A table of glibc's <ctype.h>, whose macros look into it: for each character and for EOF, which is
 * -1 (7.4p1). One object each; the result points to a pointer to the element for 0. */
static union value character_table(struct call *c, enum cc_kind kind, int64_t (*value)(int))
{
    struct cc_types *t = &c->in->p->types;
    const struct cc_type *element = cc_qualified(t, cc_basic(t, kind), CC_CONST);
    const struct cc_type *list = cc_array_of(t, element, UCHAR_MAX + 2);
    const struct cc_type *to = cc_pointer_to(t, element);
    struct object **known = &c->in->tables[c->f->library - CC_LIB_CTYPE_B];
    if (!*known) {
        struct object *o = interp_new_literal(c->in, &c->in->static_literals, NULL, list);
        interp_fill(o->cells, layout_of(c->in, list), true);
        for (uint32_t i = 0; i < o->n; i++)
            o->cells[i].v.i = value((int)i - 1);
        *known = interp_new_literal(c->in, &c->in->static_literals, NULL, to);
        (*known)->cells[0].v.p = (struct pointer){o, o->serial, 1 << AT_CELL_SHIFT};
        (*known)->cells[0].flags &= (uint8_t)~CELL_INDETERMINATE;
    }
    return address((struct pointer){*known, (*known)->serial, 0});
}

static int64_t class_bits(int ch)
{
    return (*__ctype_b_loc())[ch];
}

static int64_t upper(int ch)
{
    return toupper(ch);
}

static int64_t lower(int ch)
{
    return tolower(ch);
}

static union value run_character_table(struct call *c)
{
    switch (c->f->library) {
    case CC_LIB_CTYPE_B:
        return character_table(c, CC_USHORT, class_bits);
    case CC_LIB_CTYPE_TOUPPER:
        return character_table(c, CC_INT, upper);
    default:
        return character_table(c, CC_INT, lower);
    }
}

/* -- hints to the compiler -------------------------------------------------------------------- */

/* assume_aligned(p, alignment, offset): p - offset is aligned. An address that happens to be is
 * not enough: the object's own alignment must say so. */
static union value run_assume_aligned(struct call *c)
{
    struct pointer p = c->a[0].p;
    uint64_t alignment = (uint64_t)c->a[1].i, skip = 0;
    if (c->n > 2 && cc_is_integer(c->args[2].type))
        skip = (uint64_t)c->args[2].v.i;
    if (alignment == 0 || (alignment & (alignment - 1)))
        FAIL(c, BUILTIN_ARGUMENT, "an alignment of %llu", (unsigned long long)alignment);
    if (is_null(p))
        return c->a[0];
    library_need(c, p, 0);
    const struct object *o = p.object;
    uint64_t offset = interp_byte_offset(c->in, p), known = o->type->align;
    if (o->var && o->var->align > known)
        known = o->var->align;
    if (o->heap) /* for any type (7.22.3p1) */
        known = 2 * c->in->p->types.model->pointer_size;
    if ((offset - skip) % (known < alignment ? known : alignment))
        FAIL(c, ALIGNMENT, "byte %llu of an object", (unsigned long long)offset);
    if (known < alignment)
        FAIL(c, UNDECIDED, "whether an object is aligned to %llu", (unsigned long long)alignment);
    return c->a[0];
}

/* -- the table -------------------------------------------------------------------------------- */

static const struct function functions[CC_N_LIBRARY] = {
    [CC_LIB_ABORT] = {run_abort, "v", ""},
    [CC_LIB_EXIT] = {run_exit, "v", "i"},
    [CC_LIB_QUICK_EXIT] = {run_quick_exit, "v", "i"},
    [CC_LIB_TRAP] = {run_trap, "v", ""},
    [CC_LIB_ASSERT_FAIL] = {run_abort, "v", "."}, /* what it says goes to stderr */
    [CC_LIB_UNREACHABLE] = {run_unreachable, "v", ""},
    [CC_LIB_ATEXIT] = {run_atexit, "i", "."},

    [CC_LIB_VA_START] = {run_va_start, "v", "p."},
    [CC_LIB_VA_END] = {run_va_end, "v", "p"},
    [CC_LIB_VA_COPY] = {run_va_copy, "v", "pp"},

    [CC_LIB_MALLOC] = {run_malloc, "p", "z"},
    [CC_LIB_CALLOC] = {run_calloc, "p", "zz"},
    [CC_LIB_REALLOC] = {run_realloc, "p", "pz"},
    [CC_LIB_FREE] = {run_free, "v", "p"},
    [CC_LIB_ALLOCA] = {run_alloca, "p", "z"},

    [CC_LIB_MEMCPY] = {run_memcpy, "p", "ppz"},
    [CC_LIB_MEMMOVE] = {run_memmove, "p", "ppz"},
    [CC_LIB_MEMPCPY] = {run_mempcpy, "p", "ppz"},
    [CC_LIB_MEMSET] = {run_memset, "p", "piz"},
    [CC_LIB_MEMCMP] = {run_memcmp, "i", "ppz"},
    [CC_LIB_MEMCHR] = {run_memchr, "p", "piz"},
    [CC_LIB_BZERO] = {run_bzero, "v", "pz"},
    [CC_LIB_BCOPY] = {run_bcopy, "v", "ppz"},
    [CC_LIB_BCMP] = {run_memcmp, "i", "ppz"},

    [CC_LIB_STRLEN] = {run_strlen, "z", "p"},
    [CC_LIB_STRNLEN] = {run_strnlen, "z", "pz"},
    [CC_LIB_STRCPY] = {run_strcpy, "p", "pp"},
    [CC_LIB_STRNCPY] = {run_strncpy, "p", "ppz"},
    [CC_LIB_STPCPY] = {run_stpcpy, "p", "pp"},
    [CC_LIB_STRCAT] = {run_strcat, "p", "pp"},
    [CC_LIB_STRNCAT] = {run_strncat, "p", "ppz"},
    [CC_LIB_STRCMP] = {run_strcmp, "i", "pp"},
    [CC_LIB_STRNCMP] = {run_strncmp, "i", "ppz"},
    [CC_LIB_STRCHR] = {run_strchr, "p", "pi"},
    [CC_LIB_STRRCHR] = {run_strrchr, "p", "pi"},
    [CC_LIB_STRSTR] = {run_strstr, "p", "pp"},
    [CC_LIB_STRSPN] = {run_strspn, "z", "pp"},
    [CC_LIB_STRCSPN] = {run_strcspn, "z", "pp"},
    [CC_LIB_STRPBRK] = {run_strpbrk, "p", "pp"},
    [CC_LIB_INDEX] = {run_strchr, "p", "pi"},
    [CC_LIB_RINDEX] = {run_strrchr, "p", "pi"},
    [CC_LIB_STRDUP] = {run_strdup, "p", "p"},

    [CC_LIB_PRINTF] = {run_printf, "i", "p."},
    [CC_LIB_SPRINTF] = {run_sprintf, "i", "pp."},
    [CC_LIB_SNPRINTF] = {run_snprintf, "i", "pzp."},
    [CC_LIB_FPRINTF] = {run_fprintf, "i", "pp."},
    [CC_LIB_VPRINTF] = {run_vprintf, "i", "pp"},
    [CC_LIB_VSPRINTF] = {run_vsprintf, "i", "ppp"},
    [CC_LIB_VSNPRINTF] = {run_vsnprintf, "i", "pzpp"},
    [CC_LIB_VFPRINTF] = {run_vfprintf, "i", "ppp"},
    [CC_LIB_PUTS] = {library_puts, "i", "p"},
    [CC_LIB_PUTCHAR] = {library_putchar, "i", "i"},
    [CC_LIB_FPUTS] = {library_fputs, "i", "pp"},
    [CC_LIB_FPUTC] = {library_fputc, "i", "ip"},
    [CC_LIB_PUTC] = {library_fputc, "i", "ip"},
    [CC_LIB_FFLUSH] = {library_fflush, "i", "p"},

    [CC_LIB_FGETC] = {library_fgetc, "i", "p"},
    [CC_LIB_GETC] = {library_fgetc, "i", "p"},
    [CC_LIB_UNGETC] = {library_ungetc, "i", "ip"},
    [CC_LIB_FGETS] = {library_fgets, "p", "pip"},
    [CC_LIB_FREAD] = {library_fread, "z", "pzzp"},
    [CC_LIB_FWRITE] = {library_fwrite, "z", "pzzp"},
    [CC_LIB_FSEEK] = {library_fseek, "i", "pni"},
    [CC_LIB_REWIND] = {library_fseek, "v", "p"},
    [CC_LIB_FTELL] = {library_ftell, "n", "p"},
    [CC_LIB_FEOF] = {library_feof, "i", "p"},
    [CC_LIB_FERROR] = {library_feof, "i", "p"},
    [CC_LIB_CLEARERR] = {library_feof, "v", "p"},
    [CC_LIB_TMPFILE] = {library_tmpfile, "p", ""},
    [CC_LIB_TMPNAM] = {library_tmpnam, "p", "p"},
    [CC_LIB_FOPEN] = {library_fopen, "p", "pp"},
    [CC_LIB_FCLOSE] = {library_fclose, "i", "p"},
    [CC_LIB_REMOVE] = {library_remove, "i", "p"},
    [CC_LIB_FSCANF] = {library_fscanf, "i", "pp."},
    [CC_LIB_SETVBUF] = {library_setvbuf, "i", "ppiz"},
    [CC_LIB_SETBUF] = {library_setvbuf, "v", "pp"},

    [CC_LIB_ABS] = {run_abs, "i", "i"},
    [CC_LIB_LABS] = {run_abs, "n", "n"},
    [CC_LIB_LLABS] = {run_abs, "l", "l"},
    [CC_LIB_ATOI] = {library_ato, "i", "p"},
    [CC_LIB_ATOL] = {library_ato, "n", "p"},
    [CC_LIB_ATOLL] = {library_ato, "l", "p"},
    [CC_LIB_ATOF] = {library_strtod, "d", "p"},
    [CC_LIB_STRTOL] = {library_strtol, "n", "ppi"},
    [CC_LIB_STRTOUL] = {library_strtol, "N", "ppi"},
    [CC_LIB_STRTOLL] = {library_strtol, "l", "ppi"},
    [CC_LIB_STRTOULL] = {library_strtol, "l", "ppi"},
    [CC_LIB_STRTOD] = {library_strtod, "d", "pp"},
    [CC_LIB_SSCANF] = {library_sscanf, "i", "pp."},
    [CC_LIB_VSSCANF] = {library_vsscanf, "i", "ppp"},

    [CC_LIB_FABS] = {library_math, "d", "d"},
    [CC_LIB_FABSF] = {library_math, "f", "f"},
    [CC_LIB_SQRT] = {library_math, "d", "d"},
    [CC_LIB_SQRTF] = {library_math, "f", "f"},
    [CC_LIB_FLOOR] = {library_math, "d", "d"},
    [CC_LIB_CEIL] = {library_math, "d", "d"},
    [CC_LIB_TRUNC] = {library_math, "d", "d"},
    [CC_LIB_RINT] = {library_math, "d", "d"},
    [CC_LIB_FMOD] = {library_fmod, "d", "dd"},
    [CC_LIB_COPYSIGN] = {library_copysign, "d", "dd"},
    [CC_LIB_COPYSIGNF] = {library_copysign, "f", "ff"},
    [CC_LIB_FMIN] = {library_extreme, "d", "dd"},
    [CC_LIB_FMAX] = {library_extreme, "d", "dd"},
    [CC_LIB_FLOORF] = {library_math, "f", "f"},
    [CC_LIB_CEILF] = {library_math, "f", "f"},
    [CC_LIB_TRUNCF] = {library_math, "f", "f"},
    [CC_LIB_RINTF] = {library_math, "f", "f"},
    [CC_LIB_ROUNDF] = {library_math, "f", "f"},
    [CC_LIB_ROUND] = {library_math, "d", "d"},
    [CC_LIB_NEARBYINT] = {library_math, "d", "d"},
    [CC_LIB_EXP] = {library_approximate, "d", "d"},
    [CC_LIB_EXP2] = {library_approximate, "d", "d"},
    [CC_LIB_LOG] = {library_approximate, "d", "d"},
    [CC_LIB_LOG2] = {library_approximate, "d", "d"},
    [CC_LIB_LOG10] = {library_approximate, "d", "d"},
    [CC_LIB_SIN] = {library_approximate, "d", "d"},
    [CC_LIB_COS] = {library_approximate, "d", "d"},
    [CC_LIB_TAN] = {library_approximate, "d", "d"},
    [CC_LIB_ASIN] = {library_approximate, "d", "d"},
    [CC_LIB_ACOS] = {library_approximate, "d", "d"},
    [CC_LIB_ATAN] = {library_approximate, "d", "d"},
    [CC_LIB_SINH] = {library_approximate, "d", "d"},
    [CC_LIB_COSH] = {library_approximate, "d", "d"},
    [CC_LIB_TANH] = {library_approximate, "d", "d"},
    [CC_LIB_CBRT] = {library_approximate, "d", "d"},
    [CC_LIB_EXPF] = {library_approximate, "f", "f"},
    [CC_LIB_EXP2F] = {library_approximate, "f", "f"},
    [CC_LIB_LOGF] = {library_approximate, "f", "f"},
    [CC_LIB_LOG2F] = {library_approximate, "f", "f"},
    [CC_LIB_LOG10F] = {library_approximate, "f", "f"},
    [CC_LIB_SINF] = {library_approximate, "f", "f"},
    [CC_LIB_COSF] = {library_approximate, "f", "f"},
    [CC_LIB_TANF] = {library_approximate, "f", "f"},
    [CC_LIB_ASINF] = {library_approximate, "f", "f"},
    [CC_LIB_ACOSF] = {library_approximate, "f", "f"},
    [CC_LIB_ATANF] = {library_approximate, "f", "f"},
    [CC_LIB_SINHF] = {library_approximate, "f", "f"},
    [CC_LIB_COSHF] = {library_approximate, "f", "f"},
    [CC_LIB_TANHF] = {library_approximate, "f", "f"},
    [CC_LIB_CBRTF] = {library_approximate, "f", "f"},
    [CC_LIB_POW] = {library_pow, "d", "dd"},
    [CC_LIB_POWF] = {library_pow, "f", "ff"},
    [CC_LIB_ATAN2] = {library_angle, "d", "dd"},
    [CC_LIB_HYPOT] = {library_angle, "d", "dd"},
    [CC_LIB_ATAN2F] = {library_angle, "f", "ff"},
    [CC_LIB_HYPOTF] = {library_angle, "f", "ff"},
    [CC_LIB_LDEXP] = {library_scale, "d", "di"},
    [CC_LIB_SCALBN] = {library_scale, "d", "di"},
    [CC_LIB_LDEXPF] = {library_scale, "f", "fi"},
    [CC_LIB_SCALBNF] = {library_scale, "f", "fi"},
    [CC_LIB_FDIM] = {library_two_floats, "d", "dd"},
    [CC_LIB_REMAINDER] = {library_two_floats, "d", "dd"},
    [CC_LIB_NEXTAFTER] = {library_two_floats, "d", "dd"},
    [CC_LIB_NEXTAFTERF] = {library_two_floats, "f", "ff"},
    [CC_LIB_FMODF] = {library_fmod, "f", "ff"},
    [CC_LIB_FMINF] = {library_extreme, "f", "ff"},
    [CC_LIB_FMAXF] = {library_extreme, "f", "ff"},
    [CC_LIB_FMA] = {library_fma, "d", "ddd"},
    [CC_LIB_LROUND] = {library_to_long, "n", "d"},
    [CC_LIB_LRINT] = {library_to_long, "n", "d"},
    [CC_LIB_LLROUND] = {library_to_long, "l", "d"},
    [CC_LIB_LLRINT] = {library_to_long, "l", "d"},
    [CC_LIB_FREXP] = {library_frexp, "d", "dp"},
    [CC_LIB_MODF] = {library_modf, "d", "dp"},
    [CC_LIB_ISNAN] = {library_classify, "i", "r"},
    [CC_LIB_ISINF] = {library_classify, "i", "r"},
    [CC_LIB_ISFINITE] = {library_classify, "i", "r"},
    [CC_LIB_SIGNBIT] = {library_classify, "i", "r"},
    [CC_LIB_INF] = {library_infinity, "d", ""},
    [CC_LIB_INFF] = {library_infinity, "f", ""},
    [CC_LIB_HUGE_VAL] = {library_infinity, "d", ""},
    [CC_LIB_HUGE_VALF] = {library_infinity, "f", ""},
    [CC_LIB_NAN] = {library_nan, "d", "p"},
    [CC_LIB_NANF] = {library_nan, "f", "p"},
    [CC_LIB_ISGREATER] = {library_order, "i", "rr"},
    [CC_LIB_ISGREATEREQUAL] = {library_order, "i", "rr"},
    [CC_LIB_ISLESS] = {library_order, "i", "rr"},
    [CC_LIB_ISLESSEQUAL] = {library_order, "i", "rr"},
    [CC_LIB_ISLESSGREATER] = {library_order, "i", "rr"},
    [CC_LIB_ISUNORDERED] = {library_order, "i", "rr"},

    [CC_LIB_ISDIGIT] = {run_character, "i", "i"},
    [CC_LIB_ISALPHA] = {run_character, "i", "i"},
    [CC_LIB_ISALNUM] = {run_character, "i", "i"},
    [CC_LIB_ISSPACE] = {run_character, "i", "i"},
    [CC_LIB_ISUPPER] = {run_character, "i", "i"},
    [CC_LIB_ISLOWER] = {run_character, "i", "i"},
    [CC_LIB_ISPRINT] = {run_character, "i", "i"},
    [CC_LIB_ISXDIGIT] = {run_character, "i", "i"},
    [CC_LIB_ISPUNCT] = {run_character, "i", "i"},
    [CC_LIB_ISCNTRL] = {run_character, "i", "i"},
    [CC_LIB_ISGRAPH] = {run_character, "i", "i"},
    [CC_LIB_ISBLANK] = {run_character, "i", "i"},
    [CC_LIB_TOUPPER] = {run_character, "i", "i"},
    [CC_LIB_TOLOWER] = {run_character, "i", "i"},

    [CC_LIB_CTYPE_B] = {run_character_table, "p", ""},
    [CC_LIB_CTYPE_TOUPPER] = {run_character_table, "p", ""},
    [CC_LIB_CTYPE_TOLOWER] = {run_character_table, "p", ""},

    [CC_LIB_CLZL] = {run_bits, "i", "N"},
    [CC_LIB_CTZL] = {run_bits, "i", "N"},
    [CC_LIB_FFSL] = {run_bits, "i", "n"},
    [CC_LIB_POPCOUNTL] = {run_bits, "i", "N"},
    [CC_LIB_PARITYL] = {run_bits, "i", "N"},
    [CC_LIB_CLRSBL] = {run_bits, "i", "n"},
    [CC_LIB_ASSUME_ALIGNED] = {run_assume_aligned, "p", "pz."},
    [CC_LIB_PREFETCH] = {run_nothing, "v", "p."},
};

union value interp_library(struct interp *in, const struct cc_expr *e, const struct cc_func *f,
                           const struct argument *args, uint32_t n)
{
    REQUIRE(f->library > CC_LIB_NONE && f->library < CC_N_LIBRARY);
    REQUIRE(functions[f->library].run);
    struct call c = {.in = in, .e = e, .f = f, .args = args, .n = n};
    take_arguments(&c);
    return functions[f->library].run(&c);
}
