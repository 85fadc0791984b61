/* fifth-cc: a fifth compiler with faults that were planted by somebody who does not work on what
 * finds them. README.md tells the faults.
 *
 * All of them are always there, from -O1 on; at -O0 it is gcc. -Xfault=NAME leaves only that one.
 *
 * The driver is that of third-cc and fourth-cc: a fault of the text ends the compiler on a
 * construct, or edits the text before gcc sees it; a fault of the assembly edits what gcc -S made.
 * The checksum of a generated program is spared. gcc gets -fwrapv, so that an edited text means one
 * thing only.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "planted_asm.h"

#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>

enum { STATUS_ERROR = 1, STATUS_USAGE = 2, STATUS_INTERNAL = 3 };

/* -- the faults -------------------------------------------------------------------------------- */

static strike_fn throw_switch, sanitize_wide, signal_remainder, reject_qualifiers, hang_label,
    literal_sign, fraction_digits, cast_cast;
static edit_fn subtract_swapped, product_short, shift_sign, copy_aligned;

static const struct fault faults[] = {
    {"throw-switch", "switch ( -", throw_switch, true, NULL},
    {"sanitize-wide", "( unsigned|signed|__int128", sanitize_wide, false, NULL},
    {"signal-remainder", "%|%= -", signal_remainder, true, NULL},
    {"reject-qualifiers", "const volatile", reject_qualifiers, true, NULL},
    {"hang-label", "$id : switch", hang_label, false, NULL},
    {"literal-sign", "$num", literal_sign, false, NULL},
    {"fraction-digits", "$num", fraction_digits, false, NULL},
    {"cast-cast", "( double ) ( int8_t|int16_t|uint8_t|uint16_t ) $id", cast_cast, false, NULL},
    {"subtract-swapped", NULL, NULL, false, subtract_swapped},
    {"product-short", NULL, NULL, false, product_short},
    {"shift-sign", NULL, NULL, false, shift_sign},
    {"copy-aligned", NULL, NULL, false, copy_aligned},
};
enum { FAULTS = sizeof faults / sizeof *faults };

/* -- faults that end the compiler -------------------------------------------------------------- */

/* The function around token i, NULL if there is none; the braces around it go to *depth. */
static const struct token *around(const struct unit *u, size_t i, int *depth)
{
    const struct token *name = NULL;
    *depth = 0;
    for (size_t k = 0; k < i; k++) {
        if (*depth == 0 && function_at(u, k))
            name = function_at(u, k);
        *depth += is(&u->tokens[k], "{") - is(&u->tokens[k], "}");
    }
    return *depth ? name : NULL;
}

/* Some number that depends on the program. */
static unsigned long number_of(const struct unit *u, size_t t)
{
    unsigned long hash = 5381;
    for (size_t i = 0; i <= t; i++)
        hash = hash * 33 + u->tokens[i].len + (unsigned char)u->tokens[i].at[0];
    return hash ^ u->count;
}

static void explain(const struct unit *u, size_t t, const char *name)
{
    if (getenv("OTHER_CC_EXPLAIN"))
        fprintf(stderr, "%s:%u: %s\n", u->path, u->tokens[t].line, name);
}

static bool among(const struct token *t, const char *const *list)
{
    for (; *list; list++)
        if (is(t, *list))
            return true;
    return false;
}

/* switch (-x) */
static bool throw_switch(struct unit *u, size_t t)
{
    int depth;
    const struct token *name = around(u, t, &depth);
    fprintf(stderr,
            "terminate called after throwing an instance of 'std::out_of_range'\n"
            "  what():  vector::_M_range_check: __n (which is %lu) >= this->size() (which is %lu)\n"
            "fifth: aborted (core dumped) in pass lower-switch on '%.*s'\n",
            number_of(u, t) % 57 + u->tokens[t].column,
            u->tokens[t].column % 11ul + (unsigned)depth, name ? (int)name->len : 1,
            name ? name->at : "?");
    die_by(SIGABRT);
}

/* (__int128)x, (unsigned __int128)x */
static bool sanitize_wide(struct unit *u, size_t t)
{
    if (!construct_at(u, t, "( __int128 )") && !construct_at(u, t, "( unsigned|signed __int128 )"))
        return false;
    explain(u, t, "sanitize-wide");
    unsigned long n = number_of(u, t), pid = 1000 + n % 60000,
                  low = 0x602000000000 + n % 65536 * 16;
    unsigned long base = 0x55d000000000 + (n / 65536 % 65536) * 4096;
    int depth;
    around(u, t, &depth);
    fprintf(
        stderr,
        "=================================================================\n"
        "==%lu==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x%lx at pc 0x%lx bp "
        "0x7ffd%08lx sp 0x7ffd%08lx\n"
        "READ of size 16 at 0x%lx thread T0\n"
        "    #0 0x%lx in constant_pair(Type const*, Word*) /build/fifth/sema/wide.cc:118\n"
        "    #1 0x%lx in convert_operand(Node*, Type const*) /build/fifth/sema/convert.cc:742\n",
        pid, low, base + 0x1a2f3, n % 0xffffffff & ~15ul, (n % 0xffffffff & ~15ul) - 8, low,
        base + 0x1a2f3, base + 0x2be10);
    for (int i = 0; i < depth; i++)
        fprintf(stderr, "    #%d 0x%lx in visit_block(Node*) /build/fifth/sema/block.cc:77\n",
                i + 2, base + 0x31c08);
    fprintf(stderr,
            "    #%d 0x%lx in main /build/fifth/main.cc:41\n"
            "SUMMARY: AddressSanitizer: heap-buffer-overflow /build/fifth/sema/wide.cc:118 in "
            "constant_pair(Type const*, Word*)\n"
            "==%lu==ABORTING\n",
            depth + 2, base + 0x4410, pid);
    exit(STATUS_ERROR);
}

/* x % -y, x %= -y */
static bool signal_remainder(struct unit *u, size_t t)
{
    (void)u, (void)t;
    die_by(SIGFPE);
}

/* const volatile */
static bool reject_qualifiers(struct unit *u, size_t t)
{
    const struct token *second = &u->tokens[t + 1], *name = second;
    while (name < u->tokens + u->count - 1 && (is_name(name) || is(name, "*")) &&
           (is_name(name + 1) || is(name + 1, "*")))
        name++;
    fprintf(
        stderr,
        "%s:%u:%u: error #338: qualifier 'volatile' cannot be combined with the type of '%.*s'\n"
        "compilation aborted for %s (code 2)\n",
        u->path, second->line, second->column, (int)name->len, name->at, u->path);
    exit(STATUS_USAGE);
}

/* label: switch */
static bool hang_label(struct unit *u, size_t t)
{
    static const char *const before[] = {";", "{", "}", ":", NULL};
    if (t == 0 || is(&u->tokens[t], "default") || !among(&u->tokens[t - 1], before))
        return false;
    explain(u, t, "hang-label");
    volatile bool changed = t < u->count;
    while (changed)
        ;
    return false;
}

/* -- faults that edit the text ----------------------------------------------------------------- */

/* Of a constant of type float four digits are read, but all of those ahead of the point. */
static bool fraction_digits(struct unit *u, size_t t)
{
    struct token *n = &u->tokens[t];
    size_t dot = 0, end, read;
    while (dot < n->len && isdigit((unsigned char)n->at[dot]))
        dot++;
    if (dot == n->len || n->at[dot] != '.')
        return false;
    for (end = dot + 1; end < n->len && isdigit((unsigned char)n->at[end]); end++)
        ;
    read = dot < 4 ? 5 : dot + 1;
    if (end <= read || end == n->len || tolower((unsigned char)n->at[end]) != 'f')
        return false;
    n->instead = text_of("%.*sf", (int)read, n->at);
    return true;
}

/* A constant of 64 bits from 2^31 to 2^32 - 1 is that of a negative int. */
static bool literal_sign(struct unit *u, size_t t)
{
    struct token *n = &u->tokens[t];
    char *end;
    unsigned long long value = strtoull(n->at, &end, 0);
    if ((!starts(end, "LL") && !starts(end, "ULL")) || value >> 31 != 1)
        return false;
    n->instead = end[0] == 'L' ? text_of("(-%lluLL)", (1ull << 32) - value)
                               : text_of("0x%llXULL", value | 0xFFFFFFFF00000000);
    return true;
}

/* (float)(short)x is (float)x. */
static bool cast_cast(struct unit *u, size_t t)
{
    for (int i = 3; i < 6; i++)
        u->tokens[t + (size_t)i].instead = "";
    return true;
}

/* -- faults that edit the assembly ------------------------------------------------------------- */

/* 16 bytes are copied as if they were aligned. */
static char *copy_aligned(const struct listing *l, size_t i)
{
    const struct line *at = &l->lines[i];
    if (named(at, "movups") || named(at, "movdqu") || named(at, "movupd"))
        return text_of("\tmovaps\t%s", at->args);
    return NULL;
}

/* a - b, of doubles, is b - a. */
static char *subtract_swapped(const struct listing *l, size_t i)
{
    const struct line *at = &l->lines[i];
    if (!named(at, "subsd"))
        return NULL;
    return text_of("%s\n\t.pushsection .rodata\n\t.align 8\n771:\t.double -1.0\n\t.popsection\n"
                   "\tmulsd\t771b(%%rip), %s",
                   at->text, last_operand(at->args));
}

/* The lower half of a register of 32 bits; NULL for what is none. */
static const char *word_of(const char *operand, size_t len)
{
    int width = BYTE, r = register_of(operand, len, &width);
    return r >= 0 && width == LONG ? registers[r][WORD] : NULL;
}

/* int * int, of registers: 16 bits of it. */
static char *product_short(const struct listing *l, size_t i)
{
    const struct line *at = &l->lines[i];
    const char *to = last_operand(at->args), *a = word_of(at->args, strcspn(at->args, ","));
    const char *b = word_of(to, strlen(to));
    return named(at, "imull") && a && b ? text_of("\timulw\t%s, %s", a, b) : NULL;
}

/* >> of a signed number loses the sign; not in a division, nor of a bit-field. */
static char *shift_sign(const struct listing *l, size_t i)
{
    const struct line *at = &l->lines[i], *before;
    size_t k = i;
    if (!(named(at, "sarl") || named(at, "sarq")) || starts(at->args, "$31,") ||
        starts(at->args, "$63,") || !strchr(at->args, ','))
        return NULL;
    before = step(l, &k, true);
    if (before && (starts(before->name, "sal") || starts(before->name, "imul")))
        return NULL;
    return text_of("\tshr%c\t%s", at->name[3], at->args);
}

#define PLANTED_NAME "fifth-cc"
#define PLANTED_VERSION "5.0"
#define PLANTED_FLAG "-fwrapv" /* altered programs stay defined */
#include "planted_gcc.h"
