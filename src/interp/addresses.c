/* Addresses: pointers as numbers, and back.
 *
 * An object gets an address when a pointer to it is first looked at as a number. C says little
 * about which: a program whose outcome depends on it has no outcome that compilers must agree on.
 * So a program that looks at an address runs several times, each time in another layout (interp.h,
 * interp_settled):
 *
 *     0      upwards, aligned to 16, with a gap between objects; no address is given twice, so
 *            that a number leads back to the one lifetime it came from
 *     1      downwards from a high address, 4 GiB apart, no better aligned than must be
 *     2, 3   upwards and downwards without gaps: one past an object is where the next one starts.
 *            What has ended makes room for objects that are made later. String literals are merged
 *            where they end alike
 *     4..7   the same in pairs: the first and second object, the third and fourth; then the second
 *            and third. So alignment, which breaks a row, parts no two that follow each other
 *     8..13  all that in two lanes that take turns, so that every second object touches; and so on,
 *            with other places used again in each
 *
 * In a dense layout a number may be both the end of one object and the start of the next. Converted
 * back it is taken for the latter, and the run is then `doubtful`. */
#include "interp/interp_internal.h"

enum {
    FIRST_ADDRESS = 0x10000,
    MOST_SEARCHED = 100, /* addresses: with more of them, none is given again */
    FAR_APART = 1 << 14, /* objects between which there is room for a gap */
    ROUND = 64,
};
static const uint64_t last_address = UINT64_C(0x7FFFF0000000), gap = UINT64_C(1) << 32,
                      first_lane = UINT64_C(0x100000000000), lane_size = UINT64_C(0xA3000000000);

/* -- layouts without gaps --------------------------------------------------------------------- */

static bool grows_down(const struct interp *in)
{
    return in->options.way & 1;
}

static uint32_t n_lanes(const struct interp *in)
{
    return (in->options.way - 2) / INTERP_WAYS_OF_LANES + 1;
}

/* 0: in a row; 1: in pairs from the first one on; 2: from the second one on. */
static uint32_t pairing(const struct interp *in)
{
    return (in->options.way - 2) % INTERP_WAYS_OF_LANES / 2;
}

static bool is_literal(const struct interp *in, const struct object *o)
{
    return o && !o->var && !o->heap && interp_is_string(in, o);
}

static bool end_alike(const struct object *a, const struct object *b)
{
    for (uint32_t i = 1; i <= a->n && i <= b->n; i++) {
        const struct cell *x = &a->cells[a->n - i], *y = &b->cells[b->n - i];
        if (x->kind != y->kind || x->v.i != y->v.i)
            return false;
    }
    return true;
}

/* Does what is alive together with `o` leave room for it? A string literal that ends at the same
 * place does (6.4.5p7). */
static bool fits(const struct interp *in, const struct object *o, uint64_t start, uint64_t size)
{
    for (size_t i = 0; i < in->addresses.n; i++) {
        const struct address *a = &in->addresses.at[i];
        bool apart = a->start + a->size <= start || start + size <= a->start;
        bool before = a->ended && a->ended < o->serial;
        bool merged = a->start + a->size == start + size && is_literal(in, o) &&
                      is_literal(in, a->object) && end_alike(a->object, o);
        if (!apart && !before && !merged)
            return false;
    }
    return true;
}

/* In the place of something that ended before `o` began. In one lane the last such address where
 * they grow upwards, else the first; in several lanes any of them, or none, as if by chance. NULL:
 * none. */
static struct address *place_of_another(const struct interp *in, const struct object *o,
                                        uint64_t size, uint64_t align)
{
    uint64_t n = in->addresses.n, first = 0;
    bool last_first = n_lanes(in) == 1 && !grows_down(in);
    if (!o || n > MOST_SEARCHED)
        return NULL;
    if (n_lanes(in) > 1) {
        first = (o->serial + in->options.way * UINT64_C(0x9E3779B97F4A7C15)) *
                    UINT64_C(0xD6E8FEB86659FD93) >>
                32;
        if (first % (n + 1) == n)
            return NULL;
    }
    for (uint64_t i = 0; i < n; i++) {
        struct address *a = &in->addresses.at[last_first ? n - 1 - i : (first + i) % n];
        if (a->ended && a->ended < o->serial && a->start % align == 0 &&
            fits(in, o, a->start, size))
            return a;
    }
    return NULL;
}

/* 0: no literal ends as this one does. */
static uint64_t place_merged(const struct interp *in, const struct object *o, uint64_t size,
                             uint64_t align)
{
    size_t n = is_literal(in, o) ? in->addresses.n : 0;
    for (size_t i = 0; n <= MOST_SEARCHED && i < n; i++) {
        const struct address *a = &in->addresses.at[i];
        uint64_t start = a->start + a->size - size;
        if (is_literal(in, a->object) && end_alike(a->object, o) && start % align == 0 &&
            fits(in, o, start, size))
            return start;
    }
    return 0;
}

/* Next to what was placed last in its lane. What begins a row or pair ends, or starts, at an
 * address that suits any neighbour. */
static uint64_t place_beside(struct interp *in, uint64_t size, uint64_t align, bool *touches)
{
    uint32_t lanes = n_lanes(in), i = in->placed % lanes, turn = in->placed++ / lanes;
    struct lane *lane = &in->lanes[i];
    bool down = grows_down(in), begins = pairing(in) && (turn + pairing(in)) % 2;
    uint64_t edge = lane->edge ? lane->edge : first_lane + i * lane_size, start;
    if (!lane->edge || begins) {
        uint64_t suits = ROUND - 1;
        start = down ? (edge - size) & ~suits : ((edge + align + size + suits) & ~suits) - size;
        start = start / align * align;
    } else {
        start = (down ? edge - size : edge + align - 1) / align * align;
    }
    *touches = lane->last && edge == (down ? start + size : start);
    if (*touches)
        in->addresses.at[lane->last - 1].touches = true;
    lane->edge = down ? start : start + size;
    lane->last = in->addresses.n + 1;
    return start;
}

static void pass_edges(struct interp *in, uint64_t start, uint64_t size)
{
    for (int i = 0; i < INTERP_LANES && !grows_down(in); i++)
        if (in->lanes[i].edge >= start && in->lanes[i].edge < start + size)
            in->lanes[i].edge = start + size;
}

static struct address *place_densely(struct interp *in, const struct object *o, uint64_t size,
                                     uint64_t align)
{
    struct address *before = place_of_another(in, o, size, align);
    struct address a = {.start = before ? before->start : place_merged(in, o, size, align),
                        .touches = true};
    if (a.start)
        pass_edges(in, a.start, size);
    else
        a.start = place_beside(in, size, align, &a.touches);
    if (before) {
        *before = a;
        return before;
    }
    vec_push(&in->addresses, a);
    return &in->addresses.at[in->addresses.n - 1];
}

/* -- any layout ------------------------------------------------------------------------------- */

static uint64_t place_upwards(const struct interp *in, uint64_t align)
{
    size_t n = in->addresses.n;
    const struct address *before = n ? &in->addresses.at[n - 1] : NULL;
    align = align < 16 ? 16 : align;
    uint64_t start = before ? before->start + before->size + 1 : FIRST_ADDRESS;
    return (start + align - 1) / align * align;
}

static uint64_t place_downwards(const struct interp *in, uint64_t size, uint64_t align)
{
    size_t n = in->addresses.n;
    uint64_t start = n ? in->addresses.at[n - 1].start : last_address;
    start = (start - size - (n && n < FAR_APART ? gap : 1)) / align * align;
    return start / align % 2 ? start : start - align;
}

/* NULL: of a function. */
static struct address *new_address(struct interp *in, const struct object *o, uint64_t size,
                                   uint64_t align)
{
    struct address *a, sparse = {0};
    interp_note_choice(in, CHOICE_ADDRESS);
    if (in->options.way > 1) {
        a = place_densely(in, o, size + !size, align);
    } else {
        sparse.start =
            in->options.way ? place_downwards(in, size, align) : place_upwards(in, align);
        vec_push(&in->addresses, sparse);
        a = &in->addresses.at[in->addresses.n - 1];
    }
    a->size = (uint32_t)size;
    return a;
}

void interp_end_address(struct interp *in, const struct object *o)
{
    struct address *a = &in->addresses.at[o->exposed - 1];
    if (a->serial == o->serial)
        a->ended = in->serial;
}

uint64_t interp_address(struct interp *in, struct pointer p)
{
    struct object *o = p.object;
    if (!o)
        return (uint64_t)p.serial << 32 | p.at;
    size_t i = o->exposed;
    if (i == 0 || in->addresses.at[i - 1].serial != p.serial) {
        if (o->serial != p.serial) { /* it has ended, and may have had an address */
            for (i = in->addresses.n; i > 0; i--)
                if (in->addresses.at[i - 1].object == o &&
                    in->addresses.at[i - 1].serial == p.serial)
                    return in->addresses.at[i - 1].start;
            return FIRST_ADDRESS - 1;
        }
        uint32_t align = o->heap ? 16 : o->type->align;
        if (o->var && o->var->align > align)
            align = o->var->align;
        struct address *a = new_address(in, o, o->type->size, align);
        a->object = o;
        a->serial = o->serial;
        i = o->exposed = (uint32_t)(a - in->addresses.at) + 1;
    }
    return in->addresses.at[i - 1].start + interp_byte_offset(in, p);
}

uint64_t interp_function_address(struct interp *in, struct cc_func *f)
{
    if (!f)
        return 0;
    for (size_t i = 0; i < in->addresses.n; i++)
        if (in->addresses.at[i].function == f)
            return in->addresses.at[i].start;
    struct address *a = new_address(in, NULL, 16, 1);
    a->function = f;
    return a->start;
}

/* What has the address, or ends just before it; NULL: nothing. Where there are several: what is
 * alive rather than what has ended, and what starts there rather than what ends there. */
static const struct address *address_before(struct interp *in, uint64_t address)
{
    const struct address *best = NULL;
    int best_rank = 0;
    for (size_t i = in->addresses.n; i > 0; i--) {
        const struct address *a = &in->addresses.at[i - 1];
        if (address < a->start || address - a->start > a->size)
            continue;
        bool end = address - a->start == a->size, edge = end || address == a->start;
        int rank = 1 + 2 * !a->ended + !end;
        in->doubtful |= a->touches && edge;
        if (rank > best_rank) {
            best = a;
            best_rank = rank;
        }
        if (in->options.way < 2 || (!a->ended && !(end && a->touches)))
            break;
    }
    return best;
}

union value interp_pointer_at(struct interp *in, const struct cc_type *pointer, uint64_t address)
{
    const struct address *a = address_before(in, address);
    struct pointer number = {NULL, (uint32_t)(address >> 32), (uint32_t)address};
    bool function = pointer->to->kind == CC_FUNCTION;
    bool known = a && address - a->start <= a->size;
    if (function && known && a->function && address == a->start)
        return (union value){.fn = a->function};
    if (function && address)
        interp_fail(in, CC_UB_UNDECIDED, NULL, "a function at the address %llu",
                    (unsigned long long)address);
    if (!known || a->function)
        return (union value){.p = number};
    struct pointer p = {a->object, a->serial,
                        (uint32_t)(address - a->start) << AT_CELL_SHIFT | AT_WIDE};
    const struct cc_type *to = pointer->to;
    bool bytes = to->size == 0 || (to->kind >= CC_CHAR && to->kind <= CC_UCHAR);
    if (!bytes && a->object->serial == a->serial)
        p = interp_narrow(in, NULL, p, to);
    return (union value){.p = p};
}
