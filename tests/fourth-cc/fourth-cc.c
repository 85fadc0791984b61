/* fourth-cc: a fourth compiler with faults that were planted by somebody who does not work on what
 * finds them. README.md tells the faults.
 *
 * All of them are always there, from -O1 on; at -O0 it is gcc. -Xfault=NAME leaves only that one.
 *
 * The driver is that of third-cc: a fault of the text ends the compiler on a construct, or edits
 * the text before gcc sees it; a fault of the assembly edits what gcc -S made. The checksum of a
 * generated program is spared. gcc gets -fwrapv, so that an edited text means one thing only.
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

static strike_fn assert_select, internal_enum, signal_static, reject_null, hang_minus,
    compound_flat, sizeof_long, enum_byte;
static edit_fn extend_long, store_through, double_equal, bound_off;

static const struct fault faults[] = {
    {"assert-select", "? !", assert_select, true, NULL},
    {"internal-enum", "enum $id $id ;", internal_enum, true, NULL},
    {"signal-static", ") {? static", signal_static, false, NULL},
    {"reject-null", "== ( void * ) 0", reject_null, true, NULL},
    {"hang-minus", "- !", hang_minus, true, NULL},
    {"compound-flat", "$id -=|*=|+=", compound_flat, false, NULL},
    {"sizeof-long", "sizeof ( int64_t|long", sizeof_long, false, NULL},
    {"enum-byte", "enum $id {", enum_byte, false, NULL},
    {"extend-long", NULL, NULL, false, extend_long},
    {"store-through", NULL, NULL, false, store_through},
    {"double-equal", NULL, NULL, false, double_equal},
    {"bound-off", NULL, NULL, false, bound_off},
};
enum { FAULTS = sizeof faults / sizeof *faults };

/* -- faults that end the compiler -------------------------------------------------------------- */

/* The token that opens what token i closes; 0 if there is none. */
static size_t opener(const struct unit *u, size_t i)
{
    int depth = 0;
    for (;; i--) {
        const struct token *t = &u->tokens[i];
        depth += is(t, ")") + is(t, "]") - is(t, "(") - is(t, "[");
        if (depth == 0 || i == 0)
            return i;
    }
}

/* c ? !x : y */
static bool assert_select(struct unit *u, size_t t)
{
    fprintf(stderr,
            "fourth1: fold/select.cpp:288: Expr *SelectFolder::fold_arms(Cond *): Assertion "
            "`arm->type() == cond->type()' failed.\n"
            "fourth1: aborted while compiling function '%s', %s:%u\n",
            function_around(u, t), u->path, u->tokens[t].line);
    die_by(SIGABRT);
}

/* enum E member; */
static bool internal_enum(struct unit *u, size_t t)
{
    const struct token *name = &u->tokens[t + 2];
    fprintf(stderr,
            "%s:%u: Internal error in layout_field (layout.c, line 913): '%.*s' has no mode\n"
            "fourth1: compilation stopped\n",
            u->path, name->line, (int)name->len, name->at);
    exit(STATUS_INTERNAL);
}

/* for (...) { static ... } */
static bool signal_static(struct unit *u, size_t t)
{
    size_t open = opener(u, t);
    if (open == 0 || !is(&u->tokens[open - 1], "for"))
        return false;
    if (getenv("OTHER_CC_EXPLAIN"))
        fprintf(stderr, "%s:%u: signal-static\n", u->path, u->tokens[t].line);
    fprintf(stderr, "fourth1: caught signal 11 (Segmentation fault) in pass 'scope'\n"
                    "#0  symbol_bind (scope.c:207)\n"
                    "#1  declare_static (decl.c:1184)\n"
                    "#2  parse_block (stmt.c:96)\n"
                    "#3  parse_for (stmt.c:431)\n"
                    "#4  parse_function (parse.c:350)\n"
                    "#5  main (fourth1.c:77)\n");
    die_by(SIGSEGV);
}

/* p == (void *)0 */
static bool reject_null(struct unit *u, size_t t)
{
    const struct token *op = &u->tokens[t];
    fprintf(stderr,
            "%s:%u:%u: error: operands of '==' point to incompatible types [Q2041]\n"
            "1 error\n",
            u->path, op->line, op->column);
    exit(STATUS_ERROR);
}

/* - !x */
static bool hang_minus(struct unit *u, size_t t)
{
    volatile bool changed = t < u->count;
    while (changed)
        ;
    return false;
}

/* -- faults that edit the text ----------------------------------------------------------------- */

static bool among(const struct token *t, const char *const *list)
{
    for (; *list; list++)
        if (is(t, *list))
            return true;
    return false;
}

/* a -= b < c, of a plain variable, is a = a - b < c: no parentheses. *= and += likewise. */
static bool compound_flat(struct unit *u, size_t t)
{
    static const char *const parts[] = {".", "->", "*", NULL};
    static const char *const assigns[] = {
        "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", NULL};
    static const char *const looser[] = {"+",  "-", "<<", ">>", "<",  ">",  "<=", ">=", "==",
                                         "!=", "&", "^",  "|",  "&&", "||", "?",  NULL};
    static const char *const unary_after[] = {
        "+",  "-",  "<<", ">>", "<", ">", "<=", ">=", "==", "!=", "&",  "^",  "|",
        "&&", "||", "?",  ":",  "*", "/", "%",  "~",  "!",  "-=", "*=", "+=", NULL};
    bool loose = false;
    int depth = 0;
    if (t == 0 || among(&u->tokens[t - 1], parts))
        return false;
    for (size_t i = t + 2; i < u->count; i++) {
        const struct token *at = &u->tokens[i];
        bool opens = is(at, "(") || is(at, "["), closes = is(at, ")") || is(at, "]");
        if (depth == 0 && (closes || is(at, ";") || is(at, ",")))
            break;
        depth += opens - closes;
        if (depth != 0)
            continue;
        if (among(at, assigns))
            return false;
        /* not a sign, nor an address */
        bool cast =
            i >= t + 5 && is(at - 1, ")") && is_name(at - 2) && is(at - 3, "(") && !is_name(at - 4);
        loose = loose || (among(at, looser) && !among(at - 1, unary_after) && !cast);
    }
    if (!loose)
        return false;
    u->tokens[t + 1].instead =
        text_of("= %.*s %c", (int)u->tokens[t].len, u->tokens[t].at, u->tokens[t + 1].at[0]);
    return true;
}

/* sizeof (long long) is 4. */
static bool sizeof_long(struct unit *u, size_t t)
{
    if (construct_at(u, t + 2, "int64_t )"))
        u->tokens[t + 2].instead = "int";
    else if (construct_at(u, t + 2, "long long )"))
        u->tokens[t + 2].instead = "int", u->tokens[t + 3].instead = "";
    else
        return false;
    return true;
}

/* An enumerator from 128 to 255 is that of a signed byte. */
static bool enum_byte(struct unit *u, size_t t)
{
    bool any = false;
    for (size_t i = t + 3; i + 1 < u->count && !is(&u->tokens[i], "}"); i++) {
        struct token *n = &u->tokens[i + 1];
        long value = is(&u->tokens[i], "=") ? strtol(n->at, NULL, 0) : 0;
        if (value < 128 || value > 255)
            continue;
        n->instead = text_of("%ld", value - 256);
        any = true;
    }
    return any;
}

/* -- faults that edit the assembly ------------------------------------------------------------- */

static bool immediate(const char *args, long long *value)
{
    char *end;
    if (args[0] != '$')
        return false;
    *value = strtoll(args + 1, &end, 10);
    return end != args + 1 && *end == ',';
}

/* int to 64 bits, between registers, loses the sign. */
static char *extend_long(const struct listing *l, size_t i)
{
    const struct line *at = &l->lines[i];
    int width, from = register_of(at->args, strcspn(at->args, ","), &width);
    const char *last = last_operand(at->args);
    int to = register_of(last, strlen(last), &width);
    if (named(at, "cltq"))
        return text_of("\tmovl\t%%eax, %%eax");
    if (!named(at, "movslq") || from < 0 || to < 0)
        return NULL;
    return text_of("\tmovl\t%s, %s", registers[from][LONG], registers[to][LONG]);
}

/* A store of 16 bits through a pointer writes the low byte only. */
static char *store_through(const struct listing *l, size_t i)
{
    const struct line *at = &l->lines[i];
    const char *to = last_operand(at->args);
    int width, r = register_of(at->args, strcspn(at->args, ","), &width);
    if (!named(at, "movw") || r < 0 || !starts(to, "(%r") || strstr(to, "%rsp"))
        return NULL;
    return text_of("\tmovb\t%s, %s", registers[r][BYTE], to);
}

/* == and != of doubles, for their value, only look whether the operands are ordered. */
static char *double_equal(const struct listing *l, size_t i)
{
    const struct line *at = &l->lines[i], *before;
    size_t k = i;
    if (!named(at, "cmovne"))
        return NULL;
    for (int n = 0; n < 3 && (before = step(l, &k, true)); n++)
        if (named(before, "setp") || named(before, "setnp"))
            return text_of("\tnop");
    return NULL;
}

/* x <= N, unsigned, is x < N. */
static char *bound_off(const struct listing *l, size_t i)
{
    const struct line *at = &l->lines[i], *before = ahead_of(l, i);
    bool above = named(at, "ja") || named(at, "seta");
    bool below = named(at, "jbe") || named(at, "setbe");
    long long value;
    if (!(above || below) || !before || !starts(before->name, "cmp") ||
        !immediate(before->args, &value))
        return NULL;
    return text_of("\t%s%s\t%s", at->name[0] == 'j' ? "j" : "set", above ? "ae" : "b", at->args);
}

#define PLANTED_NAME "fourth-cc"
#define PLANTED_VERSION "4.0"
#define PLANTED_FLAG "-fwrapv" /* altered programs stay defined */
#include "planted_gcc.h"
