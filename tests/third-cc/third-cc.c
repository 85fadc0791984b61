/* third-cc: a third compiler with faults that we planted, most of them in the assembly. README.md
 * tells the faults.
 *
 * All of them are always there, from -O1 on; at -O0 it is gcc. -Xfault=NAME leaves only that one.
 *
 * A fault of the text fires on a construct (a row of tokens) and ends the compiler, or edits the
 * text before gcc sees it. A fault of the assembly edits what gcc -S made, by the instruction, with
 * a look at its neighbours. Text and assembly live in memory: there is nothing to clean up.
 *
 * The checksum of a generated program is spared: its functions, also where they were inlined, and
 * the statements of main that call them (for the assembly: the lines, from the line table).
 */
#include "planted_asm.h"

#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>

enum { STATUS_ERROR = 1, STATUS_USAGE = 2, STATUS_BUG = 5, STATUS_PANICKED = 101 };

/* -- the faults -------------------------------------------------------------------------------- */

static strike_fn bug_enum_pointer, panic_increment, dump_literal, reject_character, hang_do_if,
    octal_unsigned;
static edit_fn store_bits, select_wide, decrement_memory, update_lost, minus_lost, double_less;

static const struct fault faults[] = {
    {"bug-enum-pointer", "enum $id *", bug_enum_pointer, true, NULL},
    {"panic-increment", "++ *", panic_increment, true, NULL},
    {"dump-literal", ", ( struct $id ) {", dump_literal, true, NULL},
    {"reject-character", "= $chr", reject_character, true, NULL},
    {"hang-do-if", "do {? if", hang_do_if, true, NULL},
    {"octal-unsigned", "$num", octal_unsigned, false, NULL},
    {"store-bits", NULL, NULL, false, store_bits},
    {"select-wide", NULL, NULL, false, select_wide},
    {"decrement-memory", NULL, NULL, false, decrement_memory},
    {"update-lost", NULL, NULL, false, update_lost},
    {"minus-lost", NULL, NULL, false, minus_lost},
    {"double-less", NULL, NULL, false, double_less},
};
enum { FAULTS = sizeof faults / sizeof *faults };

/* -- faults that end the compiler -------------------------------------------------------------- */

static unsigned long long hash(const struct unit *u)
{
    unsigned long long h = 1469598103934665603u;
    for (const char *p = u->text; *p; p++)
        h = (h ^ (unsigned char)*p) * 1099511628211u;
    return h;
}

/* The function around token i, "<file>" if there is none. */
static const char *around(const struct unit *u, size_t i, int *depth)
{
    const struct token *name = NULL;
    *depth = 0;
    for (size_t k = 0; k < i; k++) {
        if (*depth == 0 && function_at(u, k))
            name = function_at(u, k);
        *depth += is(&u->tokens[k], "{") - is(&u->tokens[k], "}");
    }
    return *depth && name ? text_of("%.*s", (int)name->len, name->at) : "<file>";
}

/* enum E *p */
static bool bug_enum_pointer(struct unit *u, size_t t)
{
    const struct token *tag = &u->tokens[t + 1];
    fprintf(stderr,
            "%s:%u: COMPILER BUG: types/pointee.c:374: no alias class for 'enum %.*s' (mode %llu)\n"
            "%s:%u: note: please send this file to the maintainers\n",
            u->path, tag->line, (int)tag->len, tag->at, hash(u) % 7 + 1, u->path, tag->line);
    exit(STATUS_BUG);
}

/* ++*p */
static bool panic_increment(struct unit *u, size_t t)
{
    int depth;
    const char *function = around(u, t, &depth);
    fprintf(stderr,
            "thread 'codegen-%llu' panicked at 'called `Option::unwrap()` on a `None` value', "
            "crates/isel/src/update.rs:519:37\nstack backtrace:\n"
            "   0: rust_begin_unwind\n   1: core::panicking::panic_fmt\n"
            "   2: core::option::unwrap_failed\n   3: isel::update::select_preincrement\n",
            hash(u) % 16);
    int n = 4;
    for (int i = 1; i < depth; i++)
        fprintf(stderr, "  %2d: isel::block::select_block\n", n++);
    fprintf(stderr, "  %2d: isel::function::select_function\nnote: while compiling `%s`\n", n,
            function);
    exit(STATUS_PANICKED);
}

/* f(x, (struct S){...}) */
static bool dump_literal(struct unit *u, size_t t)
{
    static const char *const frames[] = {"crash_handler+0x4e",
                                         "__restore_rt+0x0",
                                         "mem_slot_of+0x1b",
                                         "gimplify_compound_arg+0x2d7",
                                         "gimplify_call+0x5f0",
                                         "gimplify_expr+0x11c3",
                                         "gimplify_statement_list+0x82",
                                         NULL};
    unsigned long long base = 0x400000 + hash(u) % 0x1000 * 0x1000;
    fprintf(stderr,
            "Program received signal SIGSEGV: Segmentation fault - invalid memory "
            "reference.\n\nBacktrace for this error (%s:%u):\n",
            u->path, u->tokens[t].line);
    for (int i = 0; frames[i]; i++)
        fprintf(stderr, "/usr/lib/third/c1(%s) [0x%llx]\n", frames[i], base + (unsigned)i * 0x6a9u);
    die_by(SIGSEGV);
}

/* x = 'c' */
static bool reject_character(struct unit *u, size_t t)
{
    const struct token *c = &u->tokens[t + 1];
    fprintf(stderr,
            "\"%s\", line %u.%u: 1506-277 (S) Character constant %.*s cannot be converted to the "
            "type of the left operand.\n",
            u->path, c->line, c->column, (int)c->len, c->at);
    exit(STATUS_ERROR);
}

/* do { if */
static bool hang_do_if(struct unit *u, size_t t)
{
    volatile bool settled = u->count == 0 || t >= u->count;
    while (!settled)
        ;
    return false;
}

/* -- faults that edit the text ----------------------------------------------------------------- */

/* An octal number of type unsigned (017U) is read as a decimal one. */
static bool octal_unsigned(struct unit *u, size_t t)
{
    struct token *n = &u->tokens[t];
    size_t digits = strspn(n->at, "01234567");
    if (n->at[0] != '0' || digits < 2 || digits > 9 || digits + 1 != n->len ||
        toupper((unsigned char)n->at[digits]) != 'U')
        return false;
    long value = strtol(n->at, NULL, 10);
    if (value < 8)
        return false;
    n->instead = text_of("%ldU", value);
    return true;
}

/* -- faults that edit the assembly ------------------------------------------------------------- */

static const struct line *behind(const struct listing *l, size_t i)
{
    return step(l, &i, false);
}

static bool immediate(const char *args, long long *value)
{
    char *end;
    if (args[0] != '$')
        return false;
    *value = strtoll(args + 1, &end, 10);
    return end != args + 1 && *end == ',';
}

static bool same_place(const char *a, const char *b)
{
    int wa, wb, ra = register_of(a, strlen(a), &wa), rb = register_of(b, strlen(b), &wb);
    return ra >= 0 ? ra == rb : strcmp(a, b) == 0;
}

/* Does instruction i clear the bits of a bit-field, for the `or` that follows to set them? */
static bool clears_bits(const struct listing *l, size_t i)
{
    const struct line *at = &l->lines[i], *next;
    long long value;
    if (!starts(at->name, "and") || !immediate(at->args, &value) || value >= 0)
        return false;
    for (int n = 0; n < 3 && (next = step(l, &i, false)); n++)
        if (starts(next->name, "or") &&
            same_place(last_operand(next->args), last_operand(at->args)))
            return true;
    return false;
}

/* A store into a bit-field does not clear what was there. */
static char *store_bits(const struct listing *l, size_t i)
{
    return clears_bits(l, i) ? text_of("\tnop") : NULL;
}

/* c ? a : b of 64 bits, without a jump, chooses the other one. */
static char *select_wide(const struct listing *l, size_t i)
{
    const struct line *at = &l->lines[i];
    int width;
    if (!starts(at->name, "cmov"))
        return NULL;
    const char *to = last_operand(at->args), *condition = at->name + 4;
    if (register_of(to, strlen(to), &width) < 0 || width != QUAD)
        return NULL;
    bool negated = condition[0] == 'n';
    return text_of("\tcmov%s%s\t%s", negated ? "" : "n", condition + negated, at->args);
}

/* An object that is decremented in memory is incremented. */
static char *decrement_memory(const struct listing *l, size_t i)
{
    const struct line *at = &l->lines[i];
    if (!starts(at->name, "sub") || strlen(at->name) != 4 || !starts(at->args, "$1, ") ||
        last_operand(at->args)[0] == '%')
        return NULL;
    return text_of("\tadd%s\t%s", at->name + 3, at->args);
}

/* x &= y, x |= y and x ^= y do not happen, where x is in memory and y in a register. (Not the `or`
 * of a bit-field.) */
static char *update_lost(const struct listing *l, size_t i)
{
    const struct line *at = &l->lines[i];
    if (!(starts(at->name, "or") || starts(at->name, "xor") || starts(at->name, "and")) ||
        at->args[0] != '%' || last_operand(at->args)[0] == '%')
        return NULL;
    size_t k = i;
    for (int n = 0; n < 3 && step(l, &k, true); n++)
        if (clears_bits(l, k))
            return NULL;
    return text_of("\tnop");
}

/* -x of 32 bits is x. (Not where gcc needs the flags of the negation.) */
static char *minus_lost(const struct listing *l, size_t i)
{
    const struct line *at = &l->lines[i], *next = behind(l, i);
    if (!named(at, "negl") || (next && (starts(next->name, "sbb") || starts(next->name, "cmov"))))
        return NULL;
    return text_of("\tnop");
}

/* a < b of doubles, for its value, is a > b. */
static char *double_less(const struct listing *l, size_t i)
{
    const struct line *at = &l->lines[i], *before = ahead_of(l, i);
    return named(at, "seta") && before && named(before, "comisd") ? text_of("\tsetb\t%s", at->args)
                                                                  : NULL;
}

#define PLANTED_NAME "third-cc"
#define PLANTED_VERSION "3.1"
#include "planted_gcc.h"
