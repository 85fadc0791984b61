#include "testbed/tracer.h"

#include <stdlib.h>

enum { KEEP_OTHER = 64 << 10 };

/* Without --vex-iropt-level=0 Valgrind drops a load whose value is not used before the tool sees
 * it, and `g_3;` would be no access: 14 accesses of a small program were seen as 9. */
const char *const tracer_command[] = {
    "valgrind",
    "--command-line-only=yes",
    "--tool=lackey",
    "--trace-mem=yes",
    "--basic-counts=no",
    "--vex-iropt-level=0",
    "--vgdb=no",
    "--quiet",
    NULL,
};

static int by_address(const void *a, const void *b)
{
    const struct symbol *x = a, *y = b;
    return ORDER(x->address, y->address);
}

const char *tracer_init(struct tracer *t, const char *exe, const struct volatile_accesses *accesses,
                        struct arena *a)
{
    *t = (struct tracer){.objects = arena_array(a, struct symbol, accesses->n_objects)};
    volatile_trace_init(&t->trace);
    strbuf_init(&t->other, KEEP_OTHER);
    const char *why = symbols_find(exe, accesses->objects, accesses->n_objects, a, t->objects);
    for (int i = 0; i < accesses->n_objects && !why; i++)
        if (t->objects[i].size)
            t->objects[t->n_objects++] = t->objects[i];
    qsort(t->objects, (size_t)t->n_objects, sizeof *t->objects, by_address);
    return why;
}

void tracer_release(struct tracer *t)
{
    strbuf_release(&t->other);
}

/* The first object that ends behind the address; n_objects where none does. */
static int first_behind(const struct tracer *t, uint64_t address)
{
    int low = 0, high = t->n_objects;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (t->objects[middle].address + t->objects[middle].size <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* An access that begins ahead of an object and reaches into it counts from the object's start. */
static void access(struct tracer *t, uint64_t address, unsigned size, bool read, bool write)
{
    for (int i = first_behind(t, address); i < t->n_objects; i++) {
        const struct symbol *o = &t->objects[i];
        if (o->address >= address + size)
            return;
        uint64_t offset = address > o->address ? address - o->address : 0;
        if (read)
            volatile_trace_add(&t->trace, o->name, offset, size, false);
        if (write)
            volatile_trace_add(&t->trace, o->name, offset, size, true);
    }
}

/* "I  04001000,3" and " L 404028,4": true when it is one of these. */
static bool take_trace_line(struct tracer *t, const char *line, size_t n)
{
    if (n < 6 || line[2] != ' ')
        return false;
    if (line[0] == 'I' && line[1] == ' ')
        return true;
    char kind = line[1];
    if (line[0] != ' ' || (kind != 'L' && kind != 'S' && kind != 'M'))
        return false;
    uint64_t address = 0;
    unsigned size = 0;
    const char *at = line + 3, *end = line + n;
    for (; at < end && *at != ','; at++) {
        int digit = *at >= '0' && *at <= '9'   ? *at - '0'
                    : *at >= 'a' && *at <= 'f' ? *at - 'a' + 10
                                               : -1;
        if (digit < 0)
            return false;
        address = address << 4 | (unsigned)digit;
    }
    for (at++; at < end; at++) {
        if (*at < '0' || *at > '9')
            return false;
        size = size * 10 + (unsigned)(*at - '0');
    }
    if (size)
        access(t, address, size, kind != 'S', kind != 'L');
    return size > 0;
}

static void take_line(struct tracer *t, const char *line, size_t n)
{
    if (take_trace_line(t, line, n))
        return;
    strbuf_add(&t->other, line, n);
    strbuf_addc(&t->other, '\n');
}

/* More of the line in `part`: lackey's are short, of others what fits is enough. */
static void add_part(struct tracer *t, const char *data, size_t n)
{
    size_t room = sizeof t->part - t->part_size;
    t->part_long |= n > room;
    memcpy(t->part + t->part_size, data, n < room ? n : room);
    t->part_size += n < room ? n : room;
}

static void end_part(struct tracer *t)
{
    if (t->part_long) {
        strbuf_add(&t->other, t->part, t->part_size);
        strbuf_addc(&t->other, '\n');
    } else {
        take_line(t, t->part, t->part_size);
    }
    t->part_size = 0;
    t->part_long = false;
}

void tracer_take(void *tracer, const char *data, size_t n)
{
    struct tracer *t = tracer;
    const char *end = data + n;
    while (data < end) {
        const char *newline = memchr(data, '\n', (size_t)(end - data));
        const char *stop = newline ? newline : end;
        if (newline && !t->part_size) {
            take_line(t, data, (size_t)(stop - data));
        } else {
            add_part(t, data, (size_t)(stop - data));
            if (newline)
                end_part(t);
        }
        data = stop + 1;
    }
}

const char *tracer_complaint(const struct tracer *t, struct arena *a)
{
    /* lackey fails with an assertion of its own where Valgrind does not know an instruction. */
    static const char *const marks[] = {"unhandled instruction", "valgrind: ", "Lackey: "};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        const char *at = strstr(t->other.s, marks[i]);
        if (at)
            return arena_printf(a, "Valgrind cannot trace it: %.*s", (int)strcspn(at, "\n"), at);
    }
    return NULL;
}
