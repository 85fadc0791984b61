/* seventh-cc: a seventh compiler with faults that were planted by somebody who does not work on
 * what finds them. README.md tells the faults.
 *
 * All of them are always there, from -O1 on; at -O0 it is gcc. -Xfault=NAME leaves only that one.
 *
 * The driver is that of third-cc to sixth-cc: a fault of the text ends the compiler on a construct,
 * or edits the text before gcc sees it; a fault of the assembly edits what gcc -S made. The
 * checksum of a generated program is spared. gcc gets -fwrapv, so that an edited text means one
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

enum { STATUS_ERROR = 1, STATUS_USAGE = 2, STATUS_INTERNAL = 4 };

/* -- the faults -------------------------------------------------------------------------------- */

static strike_fn insn_count, verify_unequal, memory_arrow, hang_mask, early_value, lost_continue,
    lost_fall, row_merge, power_modulus;
static edit_fn operand_float, narrow_load, low_logic;

static const struct fault faults[] = {
    {"insn-count", "__builtin_popcount (", insn_count, true, NULL},
    {"verify-unequal", "!= ~", verify_unequal, true, NULL},
    {"memory-arrow", ") -> $id", memory_arrow, true, NULL},
    {"hang-mask", "&= -", hang_mask, true, NULL},
    {"operand-float", NULL, NULL, false, operand_float},
    {"early-value", "++ $id", early_value, false, NULL},
    {"lost-continue", "continue ;", lost_continue, false, NULL},
    {"lost-fall", "case|default", lost_fall, false, NULL},
    {"row-merge", "int16_t|uint16_t $id [ $num ] [ $num ] = { {", row_merge, false, NULL},
    {"power-modulus", "% $num", power_modulus, false, NULL},
    {"narrow-load", NULL, NULL, false, narrow_load},
    {"low-logic", NULL, NULL, false, low_logic},
};
enum { FAULTS = sizeof faults / sizeof *faults };

/* -- faults that end the compiler -------------------------------------------------------------- */

/* __builtin_popcount(x) */
static bool insn_count(struct unit *u, size_t t)
{
    uint64_t h = hash_of(u);
    unsigned r = 82 + (unsigned)(h % 300), line = u->tokens[t].line;
    fprintf(stderr,
            "%s: In function '%s':\n"
            "%s:%u:%u: error: unrecognizable insn:\n"
            "(insn %u %u %u %u (set (reg:SI %u)\n"
            "        (popcount:SI (reg:SI %u))) \"%s\":%u -1\n"
            "     (nil))\n"
            "during pass: instantiate_vregs\n"
            "%s:%u:%u: internal septima error: in fetch_insn, at rtl/recog.c:2206\n"
            "Please keep the preprocessed source; see <https://septima.example/bugs>.\n",
            u->path, function_around(u, t), u->path, line, u->tokens[t].column, r / 2, r / 2 - 1,
            r / 2 + 1, 2 + (unsigned)(h >> 40) % 30, r, r - 1, u->path, line, u->path, line,
            u->tokens[t].column);
    exit(STATUS_INTERNAL);
}

/* a != ~b */
static bool verify_unequal(struct unit *u, size_t t)
{
    uint64_t h = hash_of(u);
    unsigned value = 10 + (unsigned)(h % 190), block = 3 + (unsigned)(h >> 32) % 20;
    fprintf(stderr,
            "Value does not dominate all uses!\n"
            "  %%v%u = not i32 %%v%u\n"
            "  br i1 %%v%u, label %%bb%u, label %%bb%u\n"
            "in function %s\n"
            "SEPTIMA FATAL: broken function found after pass 'compare-fold', compilation "
            "aborted!\n",
            value, value - 3, value + 1, block, block + 2, function_around(u, t));
    die_by(SIGABRT);
}

/* (*p)->m */
static bool memory_arrow(struct unit *u, size_t t)
{
    uint64_t h = hash_of(u);
    (void)t;
    fprintf(stderr, "\nsc1: out of memory allocating %llu bytes after a total of %llu bytes\n",
            0xffffffffffff0000ull + (h & 0xfff8), 1000000ull + (h >> 16) % 9000000);
    exit(STATUS_ERROR);
}

/* a &= -b */
static bool hang_mask(struct unit *u, size_t t)
{
    volatile bool changed = t < u->count;
    while (changed)
        ;
    return false;
}

/* -- faults that edit the text ----------------------------------------------------------------- */

static bool any(const struct token *t, const char *const *list)
{
    for (; *list; list++)
        if (is(t, *list))
            return true;
    return false;
}

/* ++a where its value is used: the value is that before. */
static bool early_value(struct unit *u, size_t t)
{
    static const char *const ahead[] = {"(",  ",", "=", "+", "-",  "*",  "/",  "%",  "&",
                                        "|",  "^", "<", ">", "<=", ">=", "==", "!=", "&&",
                                        "||", "?", "!", "~", "+=", "-=", NULL};
    static const char *const behind[] = {"[", ".", "->", "(", NULL};
    if (t == 0 || !any(&u->tokens[t - 1], ahead) || t + 2 >= u->count ||
        any(&u->tokens[t + 2], behind))
        return false;
    struct token *name = &u->tokens[t + 1];
    name->instead = text_of("%.*s++", (int)name->len, name->at);
    u->tokens[t].instead = "";
    return true;
}

/* continue leaves the loop. */
static bool lost_continue(struct unit *u, size_t t)
{
    u->tokens[t].instead = "break";
    return true;
}

/* Control does not fall from one case into the next. */
static bool lost_fall(struct unit *u, size_t t)
{
    static const char *const ends[] = {"break", "continue", "return", "{", NULL};
    if (t < 3 || (!is(&u->tokens[t - 1], ";") && !is(&u->tokens[t - 1], "}")) ||
        any(&u->tokens[t - 2], ends))
        return false;
    u->tokens[t].instead = text_of("break; %.*s", (int)u->tokens[t].len, u->tokens[t].at);
    return true;
}

/* T a[N][M] = {{...}, {...}}: the second row is the first again. */
static bool row_merge(struct unit *u, size_t t)
{
    size_t first = t + 10, comma = element_end(u, first), second = comma + 1;
    if (!is(&u->tokens[comma], ",") || !is(&u->tokens[second], "{"))
        return false;
    size_t end = element_end(u, second);
    char *row = text_of("%s", "");
    for (size_t i = first; i < comma; i++)
        row = text_of("%s%.*s ", row, (int)u->tokens[i].len, u->tokens[i].at);
    for (size_t i = second; i < end; i++)
        u->tokens[i].instead = "";
    u->tokens[second].instead = row;
    return true;
}

/* a % N, N from 7 on, is done with the next lower power of two. */
static bool power_modulus(struct unit *u, size_t t)
{
    char *end;
    unsigned long long value = strtoull(u->tokens[t + 1].at, &end, 0), power = 1;
    if (value < 7 || (value & (value - 1)) == 0)
        return false;
    while (power <= value / 2)
        power *= 2;
    const struct token *n = &u->tokens[t + 1];
    u->tokens[t + 1].instead = text_of("%llu%.*s", power, (int)(n->at + n->len - end), end);
    return true;
}

/* -- faults that edit the assembly ------------------------------------------------------------- */

/* An int becomes a float: the operand has the wrong size, and the assembler says so. */
static char *operand_float(const struct listing *l, size_t i)
{
    const struct line *at = &l->lines[i];
    if (!named(at, "cvtsi2ssl"))
        return NULL;
    return text_of("\tcvtsi2ssl\t%%ax, %s", last_operand(at->args));
}

/* 16 bits through a pointer: only the low 8 are read. */
static char *narrow_load(const struct listing *l, size_t i)
{
    const struct line *at = &l->lines[i];
    if ((!named(at, "movzwl") && !named(at, "movswl")) || !starts(at->args, "(%r"))
        return NULL;
    return text_of("\t%s\t%s", named(at, "movzwl") ? "movzbl" : "movsbl", at->args);
}

/* &, |, ^ of 64 bits are done with 32. */
static char *low_logic(const struct listing *l, size_t i)
{
    const struct line *at = &l->lines[i];
    int from, to;
    if ((!named(at, "xorq") && !named(at, "andq") && !named(at, "orq")) ||
        !two_registers(at, QUAD, &from, &to))
        return NULL;
    return text_of("\t%.*sl\t%s, %s", (int)strlen(at->name) - 1, at->name, registers[from][LONG],
                   registers[to][LONG]);
}

#define PLANTED_NAME "seventh-cc"
#define PLANTED_VERSION "7.0"
#define PLANTED_FLAG "-fwrapv" /* altered programs stay defined */
#include "planted_gcc.h"
