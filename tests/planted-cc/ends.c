/* Faults of the text that end the compiler, each with the words of a compiler of its own. What
 * numbers and addresses are made of depends on the program. */
#include "planted.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    SLOW_CPU_SECONDS = 12,
    MEMORY_MIB = 1536,
    FLAKY_ONE_IN = 10, /* programs, by their hash */
};

typedef unsigned long long number;

_Noreturn void die_by(int signal_number)
{
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    signal(signal_number, SIG_DFL);
    raise(signal_number);
    _exit(128 + signal_number);
}

void explain(const struct unit *u, unsigned line, const char *instruction)
{
    if (u->explain)
        fprintf(stderr, "%s:%u: %s%s%s\n", u->path, line, u->striking->name,
                instruction ? ": " : "", instruction ? instruction : "");
}

_Noreturn void ends(const struct unit *u, size_t t, int how, const char *format, ...)
{
    va_list ap;
    explain(u, u->tokens[t].line, NULL);
    va_start(ap, format);
    vfprintf(stderr, format, ap);
    va_end(ap);
    if (how < 0)
        die_by(-how);
    exit(how);
}

/* What a message is made of, where it is not one format. */
struct words {
    FILE *out;
    char *text;
    size_t size;
};

static FILE *words_begin(struct words *w)
{
    w->out = need(open_memstream(&w->text, &w->size));
    return w->out;
}

static _Noreturn void words_end(struct words *w, const struct unit *u, size_t t, int how)
{
    fclose(w->out);
    ends(u, t, how, "%s", w->text);
}

/* FNV-1a; of the text. */
static number hash_from(const struct unit *u, number h)
{
    for (const char *p = u->text; *p; p++)
        h = (h ^ (unsigned char)*p) * 1099511628211u;
    return h;
}

static number hash_of(const struct unit *u)
{
    return hash_from(u, 14695981039346656037u);
}

static const char *function_or(const struct unit *u, size_t t, const char *none)
{
    int depth;
    const char *name = function_around(u, t, &depth);
    return name ? name : none;
}

static const char *base_of(const struct unit *u)
{
    const char *slash = strrchr(u->path, '/');
    return slash ? slash + 1 : u->path;
}

static void print_command(const struct unit *u, FILE *out)
{
    for (char **word = u->command; *word; word++)
        if (!starts(*word, "--set="))
            fprintf(out, " %s", *word);
}

/* -- without a word ---------------------------------------------------------------------------- */

bool die_segv(struct unit *u, size_t t)
{
    ends(u, t, -SIGSEGV, "%s", "");
}

bool die_fpe(struct unit *u, size_t t)
{
    ends(u, t, -SIGFPE, "%s", "");
}

bool die_ill(struct unit *u, size_t t)
{
    ends(u, t, -SIGILL, "%s", "");
}

bool hang(struct unit *u, size_t t)
{
    volatile bool changed = t < u->count;
    explain(u, u->tokens[t].line, NULL);
    while (changed)
        ;
    return false;
}

/* label: switch, but not default: */
bool hang_at_label(struct unit *u, size_t t)
{
    static const char *const before[] = {";", "{", "}", ":", NULL};
    if (t == 0 || is(&u->tokens[t], "default") || !among(&u->tokens[t - 1], before))
        return false;
    return hang(u, t);
}

/* -- the first set: gcc and clang -------------------------------------------------------------- */

/* FNV-1a of words and single characters, each with a blank behind it: the layout does not count. */
static uint64_t token_hash(const struct unit *u)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < u->count; i++) {
        const struct token *t = &u->tokens[i];
        bool whole = t->at[0] == '"' || t->at[0] == '\'';
        for (size_t k = 0; k < t->len; k++) {
            hash = (hash ^ (unsigned char)t->at[k]) * 0x100000001b3u;
            bool inside = whole || (k + 1 < t->len && is_word(t->at[k]) && is_word(t->at[k + 1]));
            if (k + 1 == t->len || !inside)
                hash = (hash ^ ' ') * 0x100000001b3u;
        }
    }
    return hash;
}

static const char report[] = "Please submit a full bug report, with preprocessed source.\n"
                             "See tests/planted-cc/README.md for instructions.\n";

/* "t.c:12:5: what", then the line and a caret. */
static void print_message(const struct unit *u, size_t i, const char *what, FILE *out)
{
    const struct token *t = &u->tokens[i];
    const char *line = t->at - (t->column - 1);
    fprintf(out, "%s:%u:%u: %s\n%5u | %.*s\n      | %*s^\n", u->path, t->line, t->column, what,
            t->line, (int)strcspn(line, "\n"), line, (int)t->column - 1, "");
}

static _Noreturn void gcc_ends(struct unit *u, size_t t, int status, const char *what,
                               const char *more)
{
    struct words w;
    print_message(u, t, what, words_begin(&w));
    fputs(more, w.out);
    words_end(&w, u, t, status);
}

bool gcc_crash(struct unit *u, size_t t)
{
    gcc_ends(u, t, 4, "internal compiler error: in lower_volatile_bit_field, at faulty-cc.c:411",
             report);
}

bool gcc_reject(struct unit *u, size_t t)
{
    gcc_ends(u, t, 1, "error: function cannot return a qualified type", "");
}

bool gcc_reject_bool(struct unit *u, size_t t)
{
    gcc_ends(u, t, 1, "error: initializer element of type '_Bool' is not constant", "");
}

/* The first time that this program is seen on this machine, for one program in ten. */
bool gcc_flaky(struct unit *u, size_t t)
{
    const char *folder = getenv("PLANTED_CC_STATE");
    uint64_t hash = t == 0 ? token_hash(u) : 1;
    if (hash % FLAKY_ONE_IN != 0)
        return false;
    folder = folder && *folder ? folder : "/tmp/planted-cc-state";
    const char *path = text_of("%s/%016llx", folder, (number)hash);
    bool there = mkdir(folder, 0777) == 0 || errno == EEXIST;
    int fd = there ? open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666) : -1;
    if (fd < 0 && errno != EEXIST) {
        fprintf(stderr, "planted-cc: cannot write %s: %s\n", path, strerror(errno));
        exit(STATUS_USAGE);
    }
    if (fd < 0)
        return false;
    gcc_ends(u, t, 4, "internal compiler error: in fold_if_not_seen_before, at faulty-cc.c:97",
             report);
}

bool be_slow(struct unit *u, size_t t)
{
    struct timespec now;
    if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now) == 0 && now.tv_sec >= SLOW_CPU_SECONDS)
        return false;
    explain(u, u->tokens[t].line, NULL);
    do {
        for (volatile int n = 0; n < 1000000; n++)
            ;
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    } while (now.tv_sec < SLOW_CPU_SECONDS);
    return false;
}

bool take_memory(struct unit *u, size_t t)
{
    size_t size = (size_t)MEMORY_MIB << 20;
    if (u->touched)
        return false;
    u->touched = true;
    char *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        ends(u, t, 1, "cc1: out of memory allocating %zu bytes\n", size);
    explain(u, u->tokens[t].line, NULL);
    for (size_t i = 0; i < size; i += 4096)
        ((volatile char *)p)[i] = 1;
    munmap(p, size);
    return false;
}

/* gcc's words, with frames below: first those of the fault, then one for each block around it, so
 * that no two programs have quite the same; nor have they the same addresses. */
bool gcc_assert(struct unit *u, size_t t)
{
    int depth;
    const char *in = function_around(u, t, &depth);
    number base = 0x7f0000000000u + (token_hash(u) % 0x1000000) * 4096;
    struct words w;
    words_begin(&w);
    if (in)
        fprintf(w.out, "%s: In function '%s':\n", u->path, in);
    print_message(u, t, "internal compiler error: in fold_compound_assign, at faulty-fold.c:1423",
                  w.out);
    fprintf(w.out,
            "0x%llx fold_compound_assign\n\tfaulty-fold.c:1423\n"
            "0x%llx fold_statement\n\tfaulty-fold.c:318\n",
            base + 0x3f10, base + 0x5126);
    for (int i = 0; i < depth; i++)
        fprintf(w.out, "0x%llx lower_block\n\tfaulty-lower.c:907\n", base + 0x8a44);
    fprintf(w.out, "0x%llx lower_function_body\n\tfaulty-lower.c:2206\n%s", base + 0x91b7, report);
    words_end(&w, u, t, 4);
}

bool backend_fatal(struct unit *u, size_t t)
{
    const struct token *at = &u->tokens[t];
    ends(u, t, 1,
         "%s:%u:%u: fatal error: error in backend: cannot select: i1 = function_result<%u>\n"
         "compilation terminated.\n",
         u->path, at->line, at->column, at->line % 64);
}

bool clang_dump(struct unit *u, size_t t)
{
    static const char *const frames[] = {
        "faulty::sys::PrintStackTrace(faulty::raw_ostream&, int) Signals.c:565:13",
        "faulty::sys::RunSignalHandlers() Signals.c:98:18",
        "SignalHandler(int) Signals.c:407:1",
        "faulty::Value::getType() const Value.h:255:34",
        "NarrowResults::runOnFunction(faulty::Function&) NarrowResults.c:77:21",
        "faulty::PassManager::run(faulty::Module&) PassManager.c:1439:23",
        "main driver.c:503:12"};
    number base = 0x55d000000000u + (token_hash(u) % 0x100000) * 4096;
    struct words w;
    fputs("PLEASE submit a bug report to tests/planted-cc/README.md and include the crash "
          "backtrace, preprocessed source, and associated run script.\nStack dump:\n"
          "0.\tProgram arguments:",
          words_begin(&w));
    print_command(u, w.out);
    fprintf(w.out,
            "\n1.\t<eof> parser at end of file\n2.\tCode generation\n"
            "3.\tRunning pass 'Function Pass Manager' on module '%s'.\n"
            "4.\tRunning pass 'Narrow Function Results' on function '@%s'\n",
            u->path, function_or(u, t, ""));
    for (size_t i = 0; i < sizeof frames / sizeof *frames; i++)
        fprintf(w.out, " #%zu 0x%016llx %s\n", i, base + i * 0x1b3, frames[i]);
    words_end(&w, u, t, -SIGABRT);
}

/* -- the second set ---------------------------------------------------------------------------- */

static number hash_33(const struct unit *u)
{
    number h = 5381;
    for (const char *p = u->text; *p; p++)
        h = h * 33 + (unsigned char)*p;
    return h;
}

static _Noreturn void occ_dump(struct unit *u, size_t t, int how, const char *before,
                               const char *doing, const char *const *frames)
{
    number base = 0x556000000000u + (hash_33(u) % 0x80000) * 4096;
    struct words w;
    fprintf(words_begin(&w),
            "%sPLEASE submit a bug report and include the crash backtrace and preprocessed "
            "source.\nStack dump:\n0.\tProgram arguments:",
            before);
    print_command(u, w.out);
    fprintf(w.out, "\n1.\t%s\n", doing);
    for (int i = 0; frames[i]; i++)
        fprintf(w.out, " #%d 0x%016llx %s\n", i, base + (unsigned)i * 0x2c5u, frames[i]);
    words_end(&w, u, t, how);
}

bool assert_not(struct unit *u, size_t t)
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
    occ_dump(u, t, -SIGABRT,
             "occ: lib/Lower/Unary.cpp:142: occ::Value* occ::Lowering::lowerNot(const occ::Expr*): "
             "Assertion `E->getType()->isPromoted()' failed.\n",
             text_of("%s:%u:%u: current parser token '!'", u->path, u->tokens[t].line,
                     u->tokens[t].column),
             frames);
}

bool dump_layout(struct unit *u, size_t t)
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
    occ_dump(u, t, -SIGSEGV, "",
             text_of("%s:%u:%u: parsing struct/union body '%.*s'", u->path, name->line,
                     name->column, (int)name->len, name->at),
             frames);
}

bool panic_xor(struct unit *u, size_t t)
{
    int depth;
    const char *function = function_around(u, t, &depth);
    struct words w;
    fprintf(words_begin(&w), "panic: unexpected node %llu in emit_xor (emit.c:211)\n",
            hash_33(u) % 90 + 10);
    for (int i = 1; i < depth; i++)
        fprintf(w.out, "  in emit_block (emit.c:88), level %d\n", depth - i);
    fprintf(w.out, "  in emit_function '%s' (emit.c:19)\n", function ? function : "");
    words_end(&w, u, t, 70);
}

bool internal_array(struct unit *u, size_t t)
{
    const struct token *name = &u->tokens[t + 1];
    ends(u, t, 3, "%s, line %u: *** internal error 1045: no storage unit for \"%.*s\" ***\n",
         u->path, name->line, (int)name->len, name->at);
}

bool reject_jump(struct unit *u, size_t t)
{
    const struct token *star = &u->tokens[t];
    while (!is(star, "*"))
        star++;
    ends(u, t, 1,
         "%s(%u,%u): error E2188: statement is not reachable and its operand "
         "has no type\n1 error generated by occ.\n",
         u->path, star->line, star->column);
}

/* -- the third set ----------------------------------------------------------------------------- */

static number hash_third(const struct unit *u)
{
    return hash_from(u, 1469598103934665603u);
}

bool bug_enum_pointer(struct unit *u, size_t t)
{
    const struct token *tag = &u->tokens[t + 1];
    ends(u, t, 5,
         "%s:%u: COMPILER BUG: types/pointee.c:374: no alias class for 'enum %.*s' (mode %llu)\n"
         "%s:%u: note: please send this file to the maintainers\n",
         u->path, tag->line, (int)tag->len, tag->at, hash_third(u) % 7 + 1, u->path, tag->line);
}

bool panic_increment(struct unit *u, size_t t)
{
    int depth, n = 4;
    const char *function = function_around(u, t, &depth);
    struct words w;
    fprintf(words_begin(&w),
            "thread 'codegen-%llu' panicked at 'called `Option::unwrap()` on a `None` value', "
            "crates/isel/src/update.rs:519:37\nstack backtrace:\n"
            "   0: rust_begin_unwind\n   1: core::panicking::panic_fmt\n"
            "   2: core::option::unwrap_failed\n   3: isel::update::select_preincrement\n",
            hash_third(u) % 16);
    for (int i = 1; i < depth; i++)
        fprintf(w.out, "  %2d: isel::block::select_block\n", n++);
    fprintf(w.out, "  %2d: isel::function::select_function\nnote: while compiling `%s`\n", n,
            function ? function : "<file>");
    words_end(&w, u, t, 101);
}

bool dump_literal(struct unit *u, size_t t)
{
    static const char *const frames[] = {"crash_handler+0x4e",
                                         "__restore_rt+0x0",
                                         "mem_slot_of+0x1b",
                                         "gimplify_compound_arg+0x2d7",
                                         "gimplify_call+0x5f0",
                                         "gimplify_expr+0x11c3",
                                         "gimplify_statement_list+0x82",
                                         NULL};
    number base = 0x400000 + hash_third(u) % 0x1000 * 0x1000;
    struct words w;
    fprintf(words_begin(&w),
            "Program received signal SIGSEGV: Segmentation fault - invalid memory "
            "reference.\n\nBacktrace for this error (%s:%u):\n",
            u->path, u->tokens[t].line);
    for (int i = 0; frames[i]; i++)
        fprintf(w.out, "/usr/lib/third/c1(%s) [0x%llx]\n", frames[i], base + (unsigned)i * 0x6a9u);
    words_end(&w, u, t, -SIGSEGV);
}

bool reject_character(struct unit *u, size_t t)
{
    const struct token *c = &u->tokens[t + 1];
    ends(u, t, 1,
         "\"%s\", line %u.%u: 1506-277 (S) Character constant %.*s cannot be converted to the "
         "type of the left operand.\n",
         u->path, c->line, c->column, (int)c->len, c->at);
}

/* -- the fourth set ---------------------------------------------------------------------------- */

bool assert_select(struct unit *u, size_t t)
{
    ends(u, t, -SIGABRT,
         "fourth1: fold/select.cpp:288: Expr *SelectFolder::fold_arms(Cond *): Assertion "
         "`arm->type() == cond->type()' failed.\n"
         "fourth1: aborted while compiling function '%s', %s:%u\n",
         function_or(u, t, "(none)"), u->path, u->tokens[t].line);
}

bool internal_enum(struct unit *u, size_t t)
{
    const struct token *name = &u->tokens[t + 2];
    ends(u, t, 3,
         "%s:%u: Internal error in layout_field (layout.c, line 913): '%.*s' has no mode\n"
         "fourth1: compilation stopped\n",
         u->path, name->line, (int)name->len, name->at);
}

/* for (...) { static ... } */
bool signal_static(struct unit *u, size_t t)
{
    int depth = 0;
    size_t open = t;
    for (;; open--) {
        const struct token *at = &u->tokens[open];
        depth += is(at, ")") + is(at, "]") - is(at, "(") - is(at, "[");
        if (depth == 0 || open == 0)
            break;
    }
    if (open == 0 || !is(&u->tokens[open - 1], "for"))
        return false;
    ends(u, t, -SIGSEGV, "fourth1: caught signal 11 (Segmentation fault) in pass 'scope'\n%s",
         "#0  symbol_bind (scope.c:207)\n"
         "#1  declare_static (decl.c:1184)\n"
         "#2  parse_block (stmt.c:96)\n"
         "#3  parse_for (stmt.c:431)\n"
         "#4  parse_function (parse.c:350)\n"
         "#5  main (fourth1.c:77)\n");
}

bool reject_null(struct unit *u, size_t t)
{
    ends(u, t, 1,
         "%s:%u:%u: error: operands of '==' point to incompatible types [Q2041]\n1 error\n",
         u->path, u->tokens[t].line, u->tokens[t].column);
}

/* -- the fifth set ----------------------------------------------------------------------------- */

static unsigned long number_of(const struct unit *u, size_t t)
{
    unsigned long hash = 5381;
    for (size_t i = 0; i <= t; i++)
        hash = hash * 33 + u->tokens[i].len + (unsigned char)u->tokens[i].at[0];
    return hash ^ u->count;
}

bool throw_switch(struct unit *u, size_t t)
{
    int depth;
    const char *name = function_around(u, t, &depth);
    ends(u, t, -SIGABRT,
         "terminate called after throwing an instance of 'std::out_of_range'\n"
         "  what():  vector::_M_range_check: __n (which is %lu) >= this->size() (which is %lu)\n"
         "fifth: aborted (core dumped) in pass lower-switch on '%s'\n",
         number_of(u, t) % 57 + u->tokens[t].column, u->tokens[t].column % 11ul + (unsigned)depth,
         name ? name : "?");
}

/* (__int128)x, (unsigned __int128)x */
bool sanitize_wide(struct unit *u, size_t t)
{
    if (!construct_at(u, t, "( __int128 )") && !construct_at(u, t, "( unsigned|signed __int128 )"))
        return false;
    unsigned long n = number_of(u, t), pid = 1000 + n % 60000;
    unsigned long low = 0x602000000000 + n % 65536 * 16, frame = n % 0xffffffff & ~15ul;
    unsigned long base = 0x55d000000000 + (n / 65536 % 65536) * 4096;
    int depth;
    function_around(u, t, &depth);
    struct words w;
    fprintf(
        words_begin(&w),
        "=================================================================\n"
        "==%lu==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x%lx at pc 0x%lx bp "
        "0x7ffd%08lx sp 0x7ffd%08lx\n"
        "READ of size 16 at 0x%lx thread T0\n"
        "    #0 0x%lx in constant_pair(Type const*, Word*) /build/fifth/sema/wide.cc:118\n"
        "    #1 0x%lx in convert_operand(Node*, Type const*) /build/fifth/sema/convert.cc:742\n",
        pid, low, base + 0x1a2f3, frame, frame - 8, low, base + 0x1a2f3, base + 0x2be10);
    for (int i = 0; i < depth; i++)
        fprintf(w.out, "    #%d 0x%lx in visit_block(Node*) /build/fifth/sema/block.cc:77\n", i + 2,
                base + 0x31c08);
    fprintf(w.out,
            "    #%d 0x%lx in main /build/fifth/main.cc:41\n"
            "SUMMARY: AddressSanitizer: heap-buffer-overflow /build/fifth/sema/wide.cc:118 in "
            "constant_pair(Type const*, Word*)\n"
            "==%lu==ABORTING\n",
            depth + 2, base + 0x4410, pid);
    words_end(&w, u, t, 1);
}

bool reject_qualifiers(struct unit *u, size_t t)
{
    const struct token *second = &u->tokens[t + 1], *name = second;
    while (name < u->tokens + u->count - 1 && (is_name(name) || is(name, "*")) &&
           (is_name(name + 1) || is(name + 1, "*")))
        name++;
    ends(u, t, 2,
         "%s:%u:%u: error #338: qualifier 'volatile' cannot be combined with the type of '%.*s'\n"
         "compilation aborted for %s (code 2)\n",
         u->path, second->line, second->column, (int)name->len, name->at, u->path);
}

/* -- the sixth set ----------------------------------------------------------------------------- */

bool assert_swap(struct unit *u, size_t t)
{
    uint64_t h = hash_of(u);
    ends(u, t, 1,
         "\n### Assertion failure at line 1874 of ../../be/cg/whirl2ops.cxx:\n"
         "### Compiler Error in file %s during Code_Expansion phase:\n"
         "### Expand_Byte_Swap: no TOP for operand TN%u (WN 0x%llx) at line %u in PU %s\n"
         "sixth-cc INTERNAL ERROR: /usr/lib/sixth/6.0/be returned non-zero status 1\n",
         base_of(u), 100 + (unsigned)(h % 900), 0x2aaaab000000ull + (h >> 8) % 0x100000 * 16,
         u->tokens[t].line, function_or(u, t, "(none)"));
}

bool throw_union(struct unit *u, size_t t)
{
    static const char *const frames[][2] = {
        {"_ZN5sixth10TypeLayout8memberAtEm", "5c"},
        {"_ZN5sixth10TypeLayout12addQualifierENS_4QualE", "1f3"},
        {"_ZN5sixth4Sema14buildTypeOfTagERNS_7TagDeclE", "88"},
        {"_ZN5sixth6Parser16parseDeclarationEv", "2d0"},
        {"_ZN5sixth6Parser20parseTranslationUnitEv", "41"},
        {"main", "19a"}};
    number at = 0x550000000000u + (hash_of(u) >> 20) % 0xfffffff * 4096;
    unsigned members = 2 + u->tokens[t].line % 11;
    struct words w;
    fprintf(words_begin(&w),
            "terminate called after throwing an instance of 'std::out_of_range'\n"
            "  what():  vector::_M_range_check: __n (which is %u) >= this->size() (which is %u)\n"
            "*** cc6 aborted at %s:%u; backtrace:\n",
            members, members, u->path, u->tokens[t].line);
    for (size_t i = 0; i < sizeof frames / sizeof *frames; i++)
        fprintf(w.out, "/usr/lib/sixth/cc6(%s+0x%s) [0x%llx]\n", frames[i][0], frames[i][1],
                at + 0x1a30 * (i + 1));
    words_end(&w, u, t, -SIGABRT);
}

bool reject_tag(struct unit *u, size_t t)
{
    const struct token *tag = &u->tokens[t + 2], *name = &u->tokens[t + 3];
    ends(u, t, 1,
         "\"%s\", line %u: dubious tag in parameter list: enum %.*s\n"
         "\"%s\", line %u: parameter has incomplete type: %.*s\n"
         "cc6: acomp failed for %s\n",
         u->path, tag->line, (int)tag->len, tag->at, u->path, name->line, (int)name->len, name->at,
         u->path);
}

/* -- the seventh set --------------------------------------------------------------------------- */

bool insn_count(struct unit *u, size_t t)
{
    uint64_t h = hash_of(u);
    unsigned r = 82 + (unsigned)(h % 300), line = u->tokens[t].line;
    ends(u, t, 4,
         "%s: In function '%s':\n"
         "%s:%u:%u: error: unrecognizable insn:\n"
         "(insn %u %u %u %u (set (reg:SI %u)\n"
         "        (popcount:SI (reg:SI %u))) \"%s\":%u -1\n"
         "     (nil))\n"
         "during pass: instantiate_vregs\n"
         "%s:%u:%u: internal septima error: in fetch_insn, at rtl/recog.c:2206\n"
         "Please keep the preprocessed source; see <https://septima.example/bugs>.\n",
         u->path, function_or(u, t, "(none)"), u->path, line, u->tokens[t].column, r / 2, r / 2 - 1,
         r / 2 + 1, 2 + (unsigned)(h >> 40) % 30, r, r - 1, u->path, line, u->path, line,
         u->tokens[t].column);
}

bool verify_unequal(struct unit *u, size_t t)
{
    uint64_t h = hash_of(u);
    unsigned value = 10 + (unsigned)(h % 190), block = 3 + (unsigned)(h >> 32) % 20;
    ends(u, t, -SIGABRT,
         "Value does not dominate all uses!\n"
         "  %%v%u = not i32 %%v%u\n"
         "  br i1 %%v%u, label %%bb%u, label %%bb%u\n"
         "in function %s\n"
         "SEPTIMA FATAL: broken function found after pass 'compare-fold', compilation "
         "aborted!\n",
         value, value - 3, value + 1, block, block + 2, function_or(u, t, "(none)"));
}

bool memory_arrow(struct unit *u, size_t t)
{
    uint64_t h = hash_of(u);
    ends(u, t, 1, "\nsc1: out of memory allocating %llu bytes after a total of %llu bytes\n",
         0xffffffffffff0000ull + (h & 0xfff8), 1000000ull + (h >> 16) % 9000000);
}

/* -- the eighth set ---------------------------------------------------------------------------- */

bool panic_first(struct unit *u, size_t t)
{
    uint64_t h = hash_of(u);
    ends(u, t, 1,
         "octava: panic! (the 'impossible' happened)\n"
         "  octava version 8.0:\n"
         "        lowerPrim: no rule for\n"
         "  Ffs32 v%u_%c%c%u [in %s, block %u]\n"
         "  Call stack:\n"
         "      panicDoc, called at compiler/Lower/Prim.hs:614:27 in octava:Lower.Prim\n"
         "Please report this as a bug: https://octava.example/issues\n",
         3 + (unsigned)(h % 90), 'a' + (int)(h >> 20) % 26, 'A' + (int)(h >> 30 & 15),
         (unsigned)(h >> 40) % 50, function_or(u, t, "(none)"), 1 + (unsigned)(h >> 50) % 20);
}

bool assert_return(struct unit *u, size_t t)
{
    ends(u, t, -SIGABRT,
         "Assertion failed: (isLegalResult(Ty) && \"result was not legalised\"), function "
         "lowerReturn, file ReturnLowering.cpp, line 418.\n"
         "octava: while compiling '%s' (0x%012llx)\n",
         function_or(u, t, "(none)"), 0x7f0000000000ull + (hash_of(u) & 0xffffffff8));
}
