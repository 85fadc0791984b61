/* Addresses: pointers as numbers, and back.
 *
 * An object gets an address when a pointer to it is first looked at as a number. Addresses rise and
 * are never given twice, so that a number leads back to the one lifetime it came from. */
#include "interp/interp_internal.h"

enum { FIRST_ADDRESS = 0x10000, LAST_ADDRESS = 0x70000000 };

/* Upwards from the first, or downwards from the last: a program whose result depends on which is
 * not decided by C. */
static uint64_t new_address(struct interp *in, uint64_t size, uint64_t align)
{
    size_t n = in->addresses.n;
    const struct address *before = n ? &in->addresses.at[n - 1] : NULL;
    uint64_t start;
    if (in->options.otherwise) { /* and no better aligned than it must be */
        start = (before ? before->start : LAST_ADDRESS) - size - 1;
        start = start / align * align;
        if (start / align % 2 == 0)
            start -= align;
    } else {
        align = align < 16 ? 16 : align;
        start = before ? before->start + before->size + 1 : FIRST_ADDRESS;
        start = (start + align - 1) / align * align;
    }
    vec_push(&in->addresses, (struct address){.start = start, .size = (uint32_t)size});
    return start;
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
        new_address(in, o->type->size, align);
        struct address *a = &in->addresses.at[in->addresses.n - 1];
        a->object = o;
        a->serial = o->serial;
        i = o->exposed = (uint32_t)in->addresses.n;
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
    uint64_t start = new_address(in, 16, 16);
    in->addresses.at[in->addresses.n - 1].function = f;
    return start;
}

/* What has the address, or ends just before it; NULL: nothing. */
static const struct address *address_before(const struct interp *in, uint64_t address)
{
    for (size_t i = in->addresses.n; i > 0; i--) {
        const struct address *a = &in->addresses.at[i - 1];
        if (address >= a->start && address - a->start <= a->size)
            return a;
    }
    return NULL;
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
