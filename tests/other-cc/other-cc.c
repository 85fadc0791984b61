/* other-cc: a second compiler with faults that we planted, to find out whether what assay learned
 * on faulty-cc holds elsewhere. Built with the tests, never installed. README.md tells the faults.
 *
 * All of them are always there, from -O1 on; at -O0 it is gcc. -Xfault=NAME leaves only that one.
 *
 * It works on the text alone. The program is cut into tokens; a construct (a row of tokens) makes
 * the compiler fail, in a way of its own, or the text is edited before gcc gets to see it. gcc
 * reads the edited text from memory and takes our place, so that there is nothing to clean up.
 *
 * The checksum of a generated program is spared: its functions, and the statements of main that
 * call them. Otherwise every program would fail there.
 */
#include "planted.h"

#include <stdint.h>
#include <sys/mman.h>

enum { STATUS_ERROR = 1, STATUS_USAGE = 2, STATUS_INTERNAL = 3, STATUS_PANIC = 70 };

/* -- the faults -------------------------------------------------------------------------------- */

/* Called for every place that holds the construct; `t` is its first token. A fault that ends the
 * compiler does not return; the others edit, and say whether they did. */
typedef bool strike_fn(struct unit *u, size_t t);
static strike_fn assert_not, dump_layout, panic_xor, internal_array, hang_product, reject_jump,
    narrow_field, divide_assign, short_loop, lost_float, or_short, null_double;

static const struct fault {
    const char *name, *construct;
    strike_fn *strike;
    bool ends; /* the compiler */
} faults[] = {
    {"assert-not", "! ( int16_t )", assert_not, true},
    {"dump-layout", "struct $id { int32_t|uint32_t *", dump_layout, true},
    {"panic-xor", "^ ~ $num", panic_xor, true},
    {"internal-array", "_Bool $id [ $num ] [ $num ]", internal_array, true},
    {"hang-product", "*= ~", hang_product, true},
    {"reject-jump", ") {? continue ; }? *", reject_jump, true},
    {"narrow-field", "signed|unsigned|int|int32_t|uint32_t $id : 7|9|11 ;", narrow_field, false},
    {"divide-assign", "%=", divide_assign, false},
    {"short-loop", "for ( $id = $num ; $id > $num ; $id -= $num )", short_loop, false},
    {"lost-float", "float $id [ $num ] = {", lost_float, false},
    {"or-short", "$id ^=", or_short, false},
    {"null-double", "( double ) $id [", null_double, false},
};
enum { FAULTS = sizeof faults / sizeof *faults };

static char **command; /* argv, for messages */

/* -- faults that end the compiler -------------------------------------------------------------- */

static unsigned long long hash(const struct unit *u)
{
    unsigned long long h = 5381;
    for (const char *p = u->text; *p; p++)
        h = h * 33 + (unsigned char)*p;
    return h;
}

/* The function around token i, "" if there is none, and how many blocks are open. */
static const char *around(const struct unit *u, size_t i, int *depth)
{
    const struct token *name = NULL;
    *depth = 0;
    for (size_t k = 0; k < i; k++) {
        if (*depth == 0 && function_at(u, k))
            name = function_at(u, k);
        *depth += is(&u->tokens[k], "{") - is(&u->tokens[k], "}");
    }
    return *depth && name ? text_of("%.*s", (int)name->len, name->at) : "";
}

static void print_dump(const struct unit *u, const char *doing, const char *const *frames)
{
    unsigned long long base = 0x556000000000u + (hash(u) % 0x80000) * 4096;
    fputs("PLEASE submit a bug report and include the crash backtrace and preprocessed source.\n"
          "Stack dump:\n0.\tProgram arguments:",
          stderr);
    for (char **word = command; *word; word++)
        fprintf(stderr, " %s", *word);
    fprintf(stderr, "\n1.\t%s\n", doing);
    for (int i = 0; frames[i]; i++)
        fprintf(stderr, " #%d 0x%016llx %s\n", i, base + (unsigned)i * 0x2c5u, frames[i]);
}

static bool assert_not(struct unit *u, size_t t)
{
    static const char *const frames[] = {
        "occ::sys::PrintStackTrace(occ::raw_ostream&) (/opt/occ/bin/occ+0x1c3f2a1)",
        "occ::sys::RunSignalHandlers() (/opt/occ/bin/occ+0x1c3d1f4)",
        "raise (/lib/x86_64-linux-gnu/libc.so.6+0x3bd51)",
        "abort (/lib/x86_64-linux-gnu/libc.so.6+0x25536)",
        "__assert_fail (/lib/x86_64-linux-gnu/libc.so.6+0x34df1)",
        "occ::Lowering::lowerNot(occ::Expr const*) (/opt/occ/bin/occ+0x9a1c02)",
        "occ::Lowering::lowerExpr(occ::Expr const*) (/opt/occ/bin/occ+0x99d7be)",
        NULL};
    fputs("occ: lib/Lower/Unary.cpp:142: occ::Value* occ::Lowering::lowerNot(const occ::Expr*): "
          "Assertion `E->getType()->isPromoted()' failed.\n",
          stderr);
    print_dump(u,
               text_of("%s:%u:%u: current parser token '!'", u->path, u->tokens[t].line,
                       u->tokens[t].column),
               frames);
    die_by(SIGABRT);
}

static bool dump_layout(struct unit *u, size_t t)
{
    static const char *const frames[] = {
        "occ::sys::PrintStackTrace(occ::raw_ostream&) (/opt/occ/bin/occ+0x1c3f2a1)",
        "occ::sys::RunSignalHandlers() (/opt/occ/bin/occ+0x1c3d1f4)",
        "SignalHandler(int) (/opt/occ/bin/occ+0x1c3d9a0)",
        "occ::RecordLayout::alignOf(unsigned int) const (/opt/occ/bin/occ+0x77b410)",
        "occ::RecordLayoutBuilder::layoutField(occ::FieldDecl*) (/opt/occ/bin/occ+0x77c9d5)",
        "occ::RecordLayoutBuilder::layout(occ::RecordDecl*) (/opt/occ/bin/occ+0x77e120)",
        NULL};
    const struct token *name = &u->tokens[t + 1];
    print_dump(u,
               text_of("%s:%u:%u: parsing struct/union body '%.*s'", u->path, name->line,
                       name->column, (int)name->len, name->at),
               frames);
    die_by(SIGSEGV);
}

static bool panic_xor(struct unit *u, size_t t)
{
    int depth;
    const char *function = around(u, t, &depth);
    fprintf(stderr, "panic: unexpected node %llu in emit_xor (emit.c:211)\n", hash(u) % 90 + 10);
    for (int i = 1; i < depth; i++)
        fprintf(stderr, "  in emit_block (emit.c:88), level %d\n", depth - i);
    fprintf(stderr, "  in emit_function '%s' (emit.c:19)\n", function);
    exit(STATUS_PANIC);
}

static bool internal_array(struct unit *u, size_t t)
{
    const struct token *name = &u->tokens[t + 1];
    fprintf(stderr, "%s, line %u: *** internal error 1045: no storage unit for \"%.*s\" ***\n",
            u->path, name->line, (int)name->len, name->at);
    exit(STATUS_INTERNAL);
}

static bool hang_product(struct unit *u, size_t t)
{
    volatile bool converged = u->count == 0 || t >= u->count;
    while (!converged)
        ;
    return false;
}

static bool reject_jump(struct unit *u, size_t t)
{
    const struct token *star = &u->tokens[t];
    while (!is(star, "*"))
        star++;
    fprintf(stderr,
            "%s(%u,%u): error E2188: statement is not reachable and its operand "
            "has no type\n1 error generated by occ.\n",
            u->path, star->line, star->column);
    exit(STATUS_ERROR);
}

/* -- faults that edit the text ----------------------------------------------------------------- */

/* A bit-field of 7, 9 or 11 bits has one less. */
static bool narrow_field(struct unit *u, size_t t)
{
    struct token *width = &u->tokens[t + 3];
    width->instead = text_of("%ld", strtol(width->at, NULL, 10) - 1);
    return true;
}

/* a %= b is a /= b. */
static bool divide_assign(struct unit *u, size_t t)
{
    u->tokens[t].instead = "/=";
    return true;
}

/* A loop that counts down by a constant stops one iteration too early. */
static bool short_loop(struct unit *u, size_t t)
{
    struct token *bound = &u->tokens[t + 8], *step = &u->tokens[t + 12];
    if (!same(&u->tokens[t + 2], &u->tokens[t + 6]) || !same(&u->tokens[t + 2], &u->tokens[t + 10]))
        return false;
    bound->instead = text_of("%.*s + %.*s", (int)bound->len, bound->at, (int)step->len, step->at);
    return true;
}

/* The last initializer of an array of float is taken for 0. */
static bool lost_float(struct unit *u, size_t t)
{
    size_t last = t + 7, end = t + 7; /* behind the brace */
    for (; end < u->count && !is(&u->tokens[end], "}"); end++) {
        if (is(&u->tokens[end], "{"))
            return false;
        if (is(&u->tokens[end], ",") && !is(&u->tokens[end + 1], "}"))
            last = end + 1;
    }
    for (size_t i = last; i < end; i++)
        u->tokens[i].instead = i == last ? "0" : "";
    return last < end;
}

/* Is the nearest declaration of this name, ahead of token i, one of a short, signed or not? */
static bool is_short(const struct unit *u, size_t i)
{
    const struct token *name = &u->tokens[i];
    while (i-- > 1) {
        const struct token *type = &u->tokens[i - 1];
        if (!same(&u->tokens[i], name) || !is_name(type) || is(type, "return") ||
            is(type, "goto") || is(type, "case") || is(type, "else"))
            continue;
        return is(type, "uint16_t") || is(type, "int16_t") || is(type, "short");
    }
    return false;
}

/* a ^= b is a |= b if a is a short. */
static bool or_short(struct unit *u, size_t t)
{
    static const char *const parts[] = {".", "->"}; /* a member: its type is not looked up */
    for (size_t i = 0; t > 0 && i < sizeof parts / sizeof *parts; i++)
        if (is(&u->tokens[t - 1], parts[i]))
            return false;
    if (!is_short(u, t))
        return false;
    u->tokens[t + 1].instead = "|=";
    return true;
}

/* An element of an array that becomes a double is looked for at address 0. */
static bool null_double(struct unit *u, size_t t)
{
    struct token *name = &u->tokens[t + 3];
    name->instead = text_of("(*(volatile char *)0, %.*s)", (int)name->len, name->at);
    return true;
}

/* -- the compiler ------------------------------------------------------------------------------ */

static bool unit_read(struct unit *u, const char *path)
{
    FILE *f = fopen(path, "r");
    size_t size = 0, n;
    char part[1 << 14];
    if (!f)
        return false;
    FILE *all = open_memstream(&u->text, &size);
    while (all && (n = fread(part, 1, sizeof part, f)) > 0)
        fwrite(part, 1, n, all);
    fclose(f);
    if (!all || fclose(all) != 0)
        need(NULL);
    u->path = path;
    cut(u);
    spare_checksum(u);
    return true;
}

static void strike_all(struct unit *u, const bool *on)
{
    bool explain = getenv("OTHER_CC_EXPLAIN") != NULL;
    for (int f = 0; f < FAULTS; f++)
        for (size_t i = 0; on[f] && i < u->count; i++) {
            if (!construct_at(u, i, faults[f].construct))
                continue;
            if (explain && faults[f].ends)
                fprintf(stderr, "%s:%u: %s\n", u->path, u->tokens[i].line, faults[f].name);
            if (faults[f].strike(u, i) && explain)
                fprintf(stderr, "%s:%u: %s\n", u->path, u->tokens[i].line, faults[f].name);
        }
}

/* The edited text as a file that only we and gcc know. */
static char *unit_write(const struct unit *u)
{
    int fd = memfd_create("unit", 0);
    FILE *out = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (!out) {
        fprintf(stderr, "other-cc: cannot write a file in memory: %s\n", strerror(errno));
        exit(STATUS_USAGE);
    }
    fprintf(out, "# 1 \"%s\"\n", u->path);
    const char *p = u->text;
    for (size_t i = 0; i < u->count; i++) {
        const struct token *t = &u->tokens[i];
        fwrite(p, 1, (size_t)(t->at - p), out);
        fprintf(out, "%.*s", t->instead ? (int)strlen(t->instead) : (int)t->len,
                t->instead ? t->instead : t->at);
        p = t->at + t->len;
    }
    fputs(p, out);
    fflush(out);
    return text_of("/dev/fd/%d", fd);
}

struct call {
    char **args; /* for gcc */
    int count;
    bool on[FAULTS];
    bool only;      /* -Xfault was given */
    bool optimises; /* the last -O is not -O0 */
    bool whole;     /* gcc does it all */
    bool object, output;
};

static void switch_on(struct call *c, const char *name)
{
    for (int f = 0; f < FAULTS; f++)
        if (strcmp(name, faults[f].name) == 0) {
            c->only = c->on[f] = true;
            return;
        }
    fprintf(stderr, "other-cc: there is no fault '%s'\n", name);
    exit(STATUS_USAGE);
}

static bool is_source(const char *word)
{
    size_t n = strlen(word);
    return word[0] != '-' && n > 2 && strcmp(word + n - 2, ".c") == 0;
}

static void read_options(struct call *c, char **argv)
{
    static const char *const others[] = {"-E", "-S", "-M", "-MM", "-fsyntax-only", "-x"};
    for (char **word = argv + 1; *word; word++) {
        if (strncmp(*word, "-Xfault=", 8) == 0)
            switch_on(c, *word + 8);
        else
            c->args[c->count++] = *word;
        if (strncmp(*word, "-O", 2) == 0)
            c->optimises = strcmp(*word, "-O0") != 0;
        c->object = c->object || strcmp(*word, "-c") == 0;
        c->output = c->output || strncmp(*word, "-o", 2) == 0;
        for (size_t i = 0; i < sizeof others / sizeof *others; i++)
            c->whole = c->whole || strcmp(*word, others[i]) == 0;
    }
    for (int f = 0; f < FAULTS && !c->only; f++)
        c->on[f] = true;
}

/* Where argument i is a source, and the four or so that come in its place. */
static void compile_argument(struct call *to, const struct call *from, int i)
{
    struct unit u = {0};
    char *word = from->args[i];
    bool value = i > 1 && strcmp(from->args[i - 1], "-o") == 0;
    if (value || !is_source(word) || !unit_read(&u, word)) {
        to->args[to->count++] = word;
        return;
    }
    strike_all(&u, from->on);
    const char *slash = strrchr(word, '/'), *base = slash ? slash + 1 : word;
    to->args[to->count++] = "-iquote";
    to->args[to->count++] = slash ? text_of("%.*s", (int)(slash - word) + 1, word) : ".";
    to->args[to->count++] = "-xc";
    to->args[to->count++] = unit_write(&u);
    to->args[to->count++] = "-xnone";
    if (from->object && !from->output)
        to->args[to->count++] = text_of("-o%.*s.o", (int)strlen(base) - 2, base);
    free(u.tokens);
    free(u.text);
}

int main(int argc, char **argv)
{
    struct call given = {.args = need(calloc((size_t)argc + 2, sizeof(char *))), .count = 1};
    struct call made = {.args = need(calloc(6 * (size_t)argc + 8, sizeof(char *))), .count = 1};
    command = argv;
    if (argc == 2 && strcmp(argv[1], "--version") == 0) {
        puts("other-cc 0.9");
        return 0;
    }
    read_options(&given, argv);
    given.args[0] = made.args[0] = "gcc";
    bool planted = given.optimises && !given.whole;
    for (int i = 1; planted && i < given.count; i++)
        compile_argument(&made, &given, i);
    execvp("gcc", planted ? made.args : given.args);
    fprintf(stderr, "other-cc: cannot start gcc: %s\n", strerror(errno));
    return STATUS_USAGE;
}
