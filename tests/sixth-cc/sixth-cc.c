/* sixth-cc: a sixth compiler with faults that were planted by somebody who does not work on what
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

enum { STATUS_ERROR = 1, STATUS_USAGE = 2 };

/* -- the faults -------------------------------------------------------------------------------- */

static strike_fn assert_swap, throw_union, trap_divide, hang_label, reject_tag, bool_low,
    rest_repeats, top_signed, value_wide;
static edit_fn zero_store, or_adds, less_branch;

static const struct fault faults[] = {
    {"assert-swap", "__builtin_bswap32 (", assert_swap, true, NULL},
    {"throw-union", "volatile union $id", throw_union, true, NULL},
    {"trap-divide", "/= $num", trap_divide, true, NULL},
    {"hang-label", ": switch", hang_label, true, NULL},
    {"reject-tag", "( enum $id $id", reject_tag, true, NULL},
    {"bool-low", "_Bool", bool_low, false, NULL},
    {"rest-repeats", "int8_t|uint8_t|int16_t|uint16_t|char|short $id [ $num ] = {", rest_repeats,
     false, NULL},
    {"top-signed", "$num", top_signed, false, NULL},
    {"value-wide", "=", value_wide, false, NULL},
    {"zero-store", NULL, NULL, false, zero_store},
    {"or-adds", NULL, NULL, false, or_adds},
    {"less-branch", NULL, NULL, false, less_branch},
};
enum { FAULTS = sizeof faults / sizeof *faults };

/* -- faults that end the compiler -------------------------------------------------------------- */

static const char *base_of(const struct unit *u)
{
    const char *slash = strrchr(u->path, '/');
    return slash ? slash + 1 : u->path;
}

/* __builtin_bswap32(x) */
static bool assert_swap(struct unit *u, size_t t)
{
    uint64_t h = hash_of(u);
    fprintf(stderr,
            "\n### Assertion failure at line 1874 of ../../be/cg/whirl2ops.cxx:\n"
            "### Compiler Error in file %s during Code_Expansion phase:\n"
            "### Expand_Byte_Swap: no TOP for operand TN%u (WN 0x%llx) at line %u in PU %s\n"
            "sixth-cc INTERNAL ERROR: /usr/lib/sixth/6.0/be returned non-zero status 1\n",
            base_of(u), 100 + (unsigned)(h % 900), 0x2aaaab000000ull + (h >> 8) % 0x100000 * 16,
            u->tokens[t].line, function_around(u, t));
    exit(STATUS_ERROR);
}

/* volatile union U */
static bool throw_union(struct unit *u, size_t t)
{
    static const char *const frames[][2] = {
        {"_ZN5sixth10TypeLayout8memberAtEm", "5c"},
        {"_ZN5sixth10TypeLayout12addQualifierENS_4QualE", "1f3"},
        {"_ZN5sixth4Sema14buildTypeOfTagERNS_7TagDeclE", "88"},
        {"_ZN5sixth6Parser16parseDeclarationEv", "2d0"},
        {"_ZN5sixth6Parser20parseTranslationUnitEv", "41"},
        {"main", "19a"}};
    uint64_t at = 0x550000000000u + (hash_of(u) >> 20) % 0xfffffff * 4096;
    unsigned members = 2 + u->tokens[t].line % 11;
    fprintf(stderr,
            "terminate called after throwing an instance of 'std::out_of_range'\n"
            "  what():  vector::_M_range_check: __n (which is %u) >= this->size() (which is %u)\n"
            "*** cc6 aborted at %s:%u; backtrace:\n",
            members, members, u->path, u->tokens[t].line);
    for (size_t i = 0; i < sizeof frames / sizeof *frames; i++)
        fprintf(stderr, "/usr/lib/sixth/cc6(%s+0x%s) [0x%llx]\n", frames[i][0], frames[i][1],
                (unsigned long long)at + 0x1a30 * (i + 1));
    die_by(SIGABRT);
}

/* a /= N */
static bool trap_divide(struct unit *u, size_t t)
{
    (void)u;
    (void)t;
    die_by(SIGFPE);
}

/* case N: switch (...) */
static bool hang_label(struct unit *u, size_t t)
{
    volatile bool open = t < u->count;
    while (open)
        ;
    return false;
}

/* f(enum E p) */
static bool reject_tag(struct unit *u, size_t t)
{
    const struct token *tag = &u->tokens[t + 2], *name = &u->tokens[t + 3];
    fprintf(stderr,
            "\"%s\", line %u: dubious tag in parameter list: enum %.*s\n"
            "\"%s\", line %u: parameter has incomplete type: %.*s\n"
            "cc6: acomp failed for %s\n",
            u->path, tag->line, (int)tag->len, tag->at, u->path, name->line, (int)name->len,
            name->at, u->path);
    exit(STATUS_ERROR);
}

/* -- faults that edit the text ----------------------------------------------------------------- */

static char *spelling(const struct token *t)
{
    return t->instead ? text_of("%s", t->instead) : text_of("%.*s", (int)t->len, t->at);
}

/* The text of the tokens from..to as gcc would see it. */
static char *texts(const struct unit *u, size_t from, size_t to)
{
    char *all = text_of("%s", "");
    for (size_t i = from; i <= to; i++)
        all = text_of("%s%s%s", all, *all ? " " : "", spelling(&u->tokens[i]));
    return all;
}

/* _Bool is a byte, and what is stored in it is not compared with 0. */
static bool bool_low(struct unit *u, size_t t)
{
    u->tokens[t].instead = "unsigned char";
    return true;
}

/* T a[N] = {x, y}, of 8 or 16 bits: what has no initializer gets the last. */
static bool rest_repeats(struct unit *u, size_t t)
{
    long room = strtol(u->tokens[t + 3].at, NULL, 0), given = 0;
    size_t from = t + 7, end = from;
    for (;; from = end + 1) {
        end = element_end(u, from);
        if (end == from || is(&u->tokens[from], "{") || is(&u->tokens[end], ";"))
            return false;
        given++;
        if (is(&u->tokens[end], "}"))
            break;
    }
    if (given >= room)
        return false;
    u->tokens[end].instead =
        text_of(", [%ld ... %ld] = %s}", given, room - 1, texts(u, from, end - 1));
    return true;
}

/* The first token of the object that ends at token i: names, members, elements, dereferences. */
static size_t object_start(const struct unit *u, size_t i)
{
    for (;;) {
        int depth = 0;
        while (i > 0) {
            depth += is(&u->tokens[i], "]") - is(&u->tokens[i], "[");
            if (depth == 0 && !is(&u->tokens[i], "["))
                break;
            i--;
        }
        if (i == 0 || !is_name(&u->tokens[i]))
            return 0;
        if (!is(&u->tokens[i - 1], ".") && !is(&u->tokens[i - 1], "->"))
            break;
        i -= 2;
    }
    while (i > 0 && is(&u->tokens[i - 1], "*"))
        i--;
    return i;
}

/* Is token i directly within parentheses? */
static bool in_parens(const struct unit *u, size_t i)
{
    int depth = 0;
    while (i-- > 0) {
        const struct token *t = &u->tokens[i];
        if (is(t, ";"))
            return false;
        depth += is(t, ")") + is(t, "]") + is(t, "}") - is(t, "(") - is(t, "[") - is(t, "{");
        if (depth < 0)
            return is(t, "(") && i > 0 && !is(t - 1, "for");
    }
    return false;
}

/* The value of (a = b) is b, not converted to the type of a. */
static bool value_wide(struct unit *u, size_t t)
{
    size_t from = t > 0 ? object_start(u, t - 1) : 0, end = element_end(u, t + 1);
    if (from < 2 || (!is(&u->tokens[from - 1], "(") && !is(&u->tokens[from - 1], ",")) ||
        !in_parens(u, from) || !(is(&u->tokens[end], ")") || is(&u->tokens[end], ",")))
        return false;
    char *to = texts(u, from, t - 1);
    for (size_t i = from; i <= t; i++)
        u->tokens[i].instead = "";
    u->tokens[from].instead = "__extension__({ __auto_type value_ = (0, ";
    u->tokens[end - 1].instead =
        text_of("%s); %s = value_; value_; })", spelling(&u->tokens[end - 1]), to);
    return true;
}

/* 4294967288U is the int -8. */
static bool top_signed(struct unit *u, size_t t)
{
    char *end;
    unsigned long long value = strtoull(u->tokens[t].at, &end, 0);
    if (end != u->tokens[t].at + u->tokens[t].len - 1 || *end != 'U' || value < 0x80000000u ||
        value > 0xFFFFFFFFu)
        return false;
    u->tokens[t].instead =
        value == 0x80000000u ? "(-2147483647 - 1)" : text_of("(-%llu)", 0x100000000u - value);
    return true;
}

/* -- faults that edit the assembly ------------------------------------------------------------- */

/* A store of the byte 0 to a static object is taken for its first value, and dropped. */
static char *zero_store(const struct listing *l, size_t i)
{
    const struct line *at = &l->lines[i];
    if (!named(at, "movb") || !starts(at->args, "$0, ") || !strstr(at->args, "(%rip)"))
        return NULL;
    return text_of("\tnop");
}

/* a | b of 32 bits, as if no bit were in both. */
static char *or_adds(const struct listing *l, size_t i)
{
    const struct line *at = &l->lines[i];
    int from, to;
    if (!named(at, "orl") || !two_registers(at, LONG, &from, &to))
        return NULL;
    return text_of("\taddl\t%s", at->args);
}

/* a < b of two ints decides a branch as if they were unsigned. */
static char *less_branch(const struct listing *l, size_t i)
{
    const struct line *at = &l->lines[i], *before = ahead_of(l, i);
    int from, to;
    if ((!named(at, "jl") && !named(at, "jge")) || !before || !named(before, "cmpl") ||
        !two_registers(before, LONG, &from, &to))
        return NULL;
    return text_of("\t%s\t%s", named(at, "jl") ? "jb" : "jae", at->args);
}

#define PLANTED_NAME "sixth-cc"
#define PLANTED_VERSION "6.0"
#define PLANTED_FLAG "-fwrapv" /* altered programs stay defined */
#include "planted_gcc.h"
