/* eighth-cc: an eighth compiler with faults that were planted by somebody who does not work on
 * what finds them. README.md tells the faults.
 *
 * All of them are always there, from -O1 on; at -O0 it is gcc. -Xfault=NAME leaves only that one.
 *
 * The driver is that of third-cc to seventh-cc: a fault of the text ends the compiler on a
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

enum { STATUS_ERROR = 1, STATUS_USAGE = 2 };

/* -- the faults -------------------------------------------------------------------------------- */

static strike_fn panic_first, assert_return, trap_shift, hang_join, once_do, union_short, not_flip,
    case_high;
static edit_fn link_copy, imm_byte, unsigned_quotient, mask_top;

static const struct fault faults[] = {
    {"panic-first", "__builtin_ffs (", panic_first, true, NULL},
    {"assert-return", "return !", assert_return, true, NULL},
    {"trap-shift", "<<= $id", trap_shift, true, NULL},
    {"hang-join", "| ~", hang_join, true, NULL},
    {"link-copy", NULL, NULL, false, link_copy},
    {"once-do", "} while (", once_do, false, NULL},
    {"union-short", "union $id $id = { $num", union_short, false, NULL},
    {"imm-byte", NULL, NULL, false, imm_byte},
    {"unsigned-quotient", NULL, NULL, false, unsigned_quotient},
    {"mask-top", NULL, NULL, false, mask_top},
    {"not-flip", "! $id", not_flip, false, NULL},
    {"case-high", "case $num :", case_high, false, NULL},
};
enum { FAULTS = sizeof faults / sizeof *faults };

/* -- faults that end the compiler -------------------------------------------------------------- */

/* __builtin_ffs(x) */
static bool panic_first(struct unit *u, size_t t)
{
    uint64_t h = hash_of(u);
    fprintf(stderr,
            "octava: panic! (the 'impossible' happened)\n"
            "  octava version 8.0:\n"
            "        lowerPrim: no rule for\n"
            "  Ffs32 v%u_%c%c%u [in %s, block %u]\n"
            "  Call stack:\n"
            "      panicDoc, called at compiler/Lower/Prim.hs:%d:%d in octava:Lower.Prim\n"
            "Please report this as a bug: https://octava.example/issues\n",
            3 + (unsigned)(h % 90), 'a' + (int)(h >> 20) % 26, 'A' + (int)(h >> 30 & 15),
            (unsigned)(h >> 40) % 50, function_around(u, t), 1 + (unsigned)(h >> 50) % 20, 614, 27);
    exit(STATUS_ERROR);
}

/* return !x */
static bool assert_return(struct unit *u, size_t t)
{
    fprintf(stderr,
            "Assertion failed: (isLegalResult(Ty) && \"result was not legalised\"), function "
            "lowerReturn, file ReturnLowering.cpp, line 418.\n"
            "octava: while compiling '%s' (0x%012llx)\n",
            function_around(u, t),
            0x7f0000000000ull + (unsigned long long)(hash_of(u) & 0xffffffff8));
    die_by(SIGABRT);
}

/* a <<= b */
static bool trap_shift(struct unit *u, size_t t)
{
    (void)u, (void)t;
    die_by(SIGILL);
}

/* a | ~b */
static bool hang_join(struct unit *u, size_t t)
{
    volatile bool changed = t < u->count;
    while (changed)
        ;
    return false;
}

/* -- faults that edit the text ----------------------------------------------------------------- */

/* The bracket that closes the one at i. */
static size_t closing(const struct unit *u, size_t i)
{
    int depth = 0;
    for (; i < u->count; i++) {
        const struct token *t = &u->tokens[i];
        depth += is(t, "(") || is(t, "[") || is(t, "{");
        depth -= is(t, ")") || is(t, "]") || is(t, "}");
        if (depth == 0)
            return i;
    }
    return u->count - 1;
}

/* do ... while (e): once. */
static bool once_do(struct unit *u, size_t t)
{
    size_t end = closing(u, t + 2);
    if (end + 1 >= u->count || !is(&u->tokens[end + 1], ";"))
        return false;
    u->tokens[t + 2].instead = "((";
    u->tokens[end].instead = "), 0)";
    return true;
}

/* union U a = {N}: 31 bits of it. */
static bool union_short(struct unit *u, size_t t)
{
    struct token *n = &u->tokens[t + 5];
    if (memchr(n->at, '.', n->len))
        return false;
    n->instead = text_of("%.*s & 0x7fffffff", (int)n->len, n->at);
    return true;
}

/* -- faults that edit the assembly ------------------------------------------------------------- */

/* A block is copied: by a function that no library has. */
static char *link_copy(const struct listing *l, size_t i)
{
    const struct line *at = &l->lines[i];
    if (!at->name || !starts(at->text, "\trep") || !strstr(at->text, "movs"))
        return NULL;
    return text_of("\tcall\t__octava_block_copy");
}

/* A constant of 128 to 255 is encoded as a signed byte. */
static char *imm_byte(const struct listing *l, size_t i)
{
    static const char *const names[] = {"addl", "subl", "andl", "orl",   "xorl", "cmpl",
                                        "movl", "movw", "cmpw", "imull", "addq", "andq",
                                        "orq",  "xorq", "cmpq", NULL};
    const struct line *at = &l->lines[i];
    bool known = false;
    for (int k = 0; names[k]; k++)
        known = known || named(at, names[k]);
    if (!known || at->args[0] != '$' || strstr(at->args, "%rsp"))
        return NULL;
    char *rest;
    long n = strtol(at->args + 1, &rest, 10);
    return n < 128 || n > 255 ? NULL : text_of("\t%s\t$%ld%s", at->name, n - 256, rest);
}

/* A signed division of 32 bits is done as an unsigned one. */
static char *unsigned_quotient(const struct listing *l, size_t i)
{
    const struct line *at = &l->lines[i];
    if (!named(at, "idivl"))
        return NULL;
    return text_of("\txorl\t%%edx, %%edx\n\tdivl\t%s", at->args);
}

/* A mask of 5 low bits or more lacks its highest. */
static char *mask_top(const struct listing *l, size_t i)
{
    const struct line *at = &l->lines[i];
    char *rest;
    if (!named(at, "andl") || at->args[0] != '$')
        return NULL;
    long n = strtol(at->args + 1, &rest, 10);
    return n < 31 || n & (n + 1) ? NULL : text_of("\tandl\t$%ld%s", n >> 1, rest);
}

/* !a is a ^ 1, as if a were 0 or 1. Not for pointers and floating types. */
static bool not_flip(struct unit *u, size_t t)
{
    static const char *const behind[] = {"(", "[", ".", "->", "++", "--", NULL};
    struct token *name = &u->tokens[t + 1];
    if (t + 2 >= u->count || is(name, "sizeof") || starts(name->at, "__"))
        return false;
    for (int k = 0; behind[k]; k++)
        if (is(name + 1, behind[k]))
            return false;
    for (size_t i = 1; i + 1 < u->count; i++) {
        const struct token *at = &u->tokens[i];
        if (same(at, name) && (is(at - 1, "*") || is(at - 1, "double") || is(at - 1, "float") ||
                               is(at + 1, "[") || is(at + 1, "(")))
            return false;
    }
    u->tokens[t].instead = "(1 ^ ";
    name->instead = text_of("%.*s)", (int)name->len, name->at);
    return true;
}

/* case N, N from 2 on, is never met. */
static bool case_high(struct unit *u, size_t t)
{
    struct token *n = &u->tokens[t + 1];
    if (strtoull(n->at, NULL, 0) < 2)
        return false;
    n->instead = text_of("1000 + %.*s", (int)n->len, n->at);
    return true;
}

#define PLANTED_NAME "eighth-cc"
#define PLANTED_VERSION "8.0"
#define PLANTED_FLAG "-fwrapv" /* altered programs stay defined */
#include "planted_gcc.h"
