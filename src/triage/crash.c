/* What a crash says of itself: the assertion and its place, or else the top frames of the stack.
 *
 * The text must be the same for the same crash of two programs, and of two releases of a compiler,
 * so line numbers, addresses, folders, arguments and template parameters go, and function and file
 * stay. Frames of the machinery that reports crashes are the same in all of them and are skipped.
 * Where a check sits in a header (the element access of a vector), every caller shares it: then the
 * frames above it are told as well. */
#include "base/strbuf.h"
#include "triage/triage_internal.h"

#include <ctype.h>
#include <regex.h>
#include <string.h>

enum { FRAMES_MOST = 3 };

/* Groups by what they are; 0: there is none. */
struct form {
    const char *needs; /* a text without it is not searched: patterns take their time */
    const char *pattern;
    const char *intro; /* what is told before the rest */
    int words, function, path;
};

#define WORDS "([^\n]*)"
#define PLACE "([^: \t\n]+):[0-9]+"

static const struct form forms[] = {
    /* GCC: a checking build names what it found, all name the function */
    {"internal compiler error: in ", "internal compiler error: in ([^\n]+), at " PLACE,
     "internal compiler error: ", 0, 1, 2},
    {"internal compiler error: ", "internal compiler error: " WORDS " in ([^ \n]+), at " PLACE,
     "internal compiler error: ", 1, 2, 3},
    /* glibc's assert, as in LLVM, Lua, SQLite and MariaDB */
    {"Assertion `", PLACE ": ([^`\n]+): Assertion `" WORDS "' failed", "assertion ", 3, 2, 1},
    {"Assertion `", PLACE ": Assertion `" WORDS "' failed", "assertion ", 2, 0, 1},
    {"Assertion failed: (", "Assertion failed: \\(" WORDS "\\), function ([^,\n]+), file ([^,\n]+)",
     "assertion ", 1, 2, 3},
    /* LLVM */
    {"UNREACHABLE executed at ", WORDS "\n(UNREACHABLE) executed at " PLACE, "unreachable: ", 1, 0,
     3},
    /* PostgreSQL, before and since version 16 */
    {"TRAP: FailedAssertion", "TRAP: FailedAssertion\\(\"" WORDS "\", File: \"([^\"\n]+)\"",
     "assertion ", 1, 0, 2},
    {"TRAP: failed Assert", "TRAP: failed Assert\\(\"" WORDS "\"\\), File: \"([^\"\n]+)\"",
     "assertion ", 1, 0, 2},
    /* Z3 */
    {"\nLine: ",
     "(ASSERTION VIOLATION|UNEXPECTED CODE WAS REACHED.|UNREACHABLE CODE)\nFile: ([^\n]+)\nLine: "
     "[0-9]+\n" WORDS,
     "assertion ", 3, 0, 2},
    {"Failed to verify: ", "Failed to verify: " WORDS, "assertion ", 1, 0, 0},
    /* cvc4 and cvc5 */
    {"Fatal failure within ", "Fatal failure within ([^\n]+) at " PLACE "\n" WORDS, "", 3, 1, 2},
    {"AddressSanitizer: ", "AddressSanitizer: ([a-z-]+)", "AddressSanitizer: ", 1, 0, 0},
};

/* -- names ------------------------------------------------------------------------------------- */

/* _ZN4llvm3Foo3barEv -> llvm::Foo::bar; what is more involved stays as it is. */
static void demangle(const char *s, size_t n, struct strbuf *out)
{
    const char *end = s + n, *p = s + 2;
    bool any = false;
    if (n < 4 || s[0] != '_' || s[1] != 'Z') {
        strbuf_add(out, s, n);
        return;
    }
    while (p < end && strchr("NKVRLS", *p)) /* nested, with qualifiers */
        p++;
    while (p < end && isdigit((unsigned char)*p)) {
        size_t length = 0;
        while (p < end && isdigit((unsigned char)*p))
            length = length * 10 + (size_t)(*p++ - '0');
        if (length > (size_t)(end - p))
            break;
        strbuf_addf(out, "%s%.*s", any ? "::" : "", (int)length, p);
        any = true;
        p += length;
    }
    if (!any)
        strbuf_add(out, s, n);
}

/* "static bool llvm::Foo<int>::bar(const X &) const [with X = int]" -> "llvm::Foo::bar". */
static void bare_function(const char *s, size_t n, struct strbuf *out)
{
    static const char anonymous[] = "(anonymous namespace)::";
    struct strbuf name;
    strbuf_init(&name, 1024);
    while (n && s[n - 1] == ' ')
        n--;
    int depth = 0;
    for (const char *p = s, *end = s + n; p < end; p++) {
        size_t left = (size_t)(end - p);
        if (left > sizeof anonymous - 1 && !strncmp(p, anonymous, sizeof anonymous - 1)) {
            p += sizeof anonymous - 2;
            continue;
        }
        bool operator_ = name.n >= 8 && !strcmp(name.s + name.n - 8, "operator");
        if (operator_ && left >= 2 && strchr("(<>-[", *p)) { /* its brackets are its name */
            size_t length = p[0] == p[1] || p[1] == ')' || p[1] == ']' || p[1] == '>' ? 2 : 1;
            strbuf_add(&name, p, length);
            p += length - 1;
            continue;
        }
        if (!depth && (*p == '(' || *p == '[' || *p == '+' || *p == '.'))
            break; /* arguments, "[with T = int]", an offset, ".isra.0" */
        depth += *p == '<';
        bool arguments = left > 1 && p[1] == '(' && strncmp(p + 1, anonymous, sizeof anonymous - 1);
        if (!depth && *p == ' ' && arguments)
            break; /* GDB's */
        if (!depth && *p == ' ')
            strbuf_clear(&name); /* what stood before it was a type */
        else if (!depth)
            strbuf_addc(&name, *p);
        depth -= *p == '>' && depth;
    }
    size_t marks = strspn(name.s, "*&"); /* of the type before it */
    demangle(name.s + marks, name.n - marks, out);
    strbuf_release(&name);
}

/* "../../src/gcc/fold-const.cc" -> "fold-const": the folder is the builder's, and files were
 * renamed from .c to .cc. */
static void bare_file(const char *s, size_t n, struct strbuf *out)
{
    const char *slash = memrchr(s, '/', n);
    const char *base = slash ? slash + 1 : s;
    size_t length = (size_t)(s + n - base);
    const char *dot = memrchr(base, '.', length);
    strbuf_add(out, base, dot > base ? (size_t)(dot - base) : length);
}

static bool is_header(const char *s, size_t n)
{
    return (n > 2 && !strncmp(s + n - 2, ".h", 2)) || (n > 4 && !strncmp(s + n - 4, ".hpp", 4));
}

/* -- the place --------------------------------------------------------------------------------- */

/* White space once; addresses and %3 or 0x55d0:i32 are the program's. */
static void add_words(const char *s, size_t n, struct strbuf *out)
{
    size_t from = out->n;
    for (const char *p = s, *end = s + n; p < end; p++) {
        if (isspace((unsigned char)*p)) {
            if (out->n > from && out->s[out->n - 1] != ' ')
                strbuf_addc(out, ' ');
        } else if (p[0] == '0' && p + 1 < end && p[1] == 'x') {
            for (p++; p + 1 < end && isxdigit((unsigned char)p[1]); p++)
                ;
            strbuf_addc(out, 'N');
        } else {
            strbuf_addc(out, *p);
        }
    }
}

static void tell(const struct form *f, const char *messages, const regmatch_t *m,
                 struct strbuf *out)
{
#define GROUP(i) messages + m[i].rm_so, (size_t)(m[i].rm_eo - m[i].rm_so)
    strbuf_adds(out, f->intro);
    if (f->words)
        add_words(GROUP(f->words), out);
    if (f->function) {
        strbuf_adds(out, f->words ? " in " : "in ");
        bare_function(GROUP(f->function), out);
    }
    if (f->path) {
        strbuf_adds(out, f->function ? ", at " : " at ");
        bare_file(GROUP(f->path), out);
    }
}

const char *crash_place(struct arena *a, const char *messages, bool *vague)
{
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        const struct form *f = &forms[i];
        regex_t regex;
        regmatch_t m[4];
        if (!strstr(messages, f->needs) || regcomp(&regex, f->pattern, REG_EXTENDED))
            continue;
        bool found = regexec(&regex, messages, 4, m, 0) == 0;
        regfree(&regex);
        if (!found)
            continue;
        struct strbuf out;
        strbuf_init(&out, 4096);
        tell(f, messages, m, &out);
        *vague = !f->path || is_header(GROUP(f->path));
#undef GROUP
        const char *result = arena_strdup(a, out.s);
        strbuf_release(&out);
        return result;
    }
    return NULL;
}

/* -- frames ------------------------------------------------------------------------------------ */

/* Parts of names that belong to the reporting of crashes, to the C library or to no one. */
static const char *const machinery[] = {
    "crash_signal",
    "SignalHandler",
    "PrintStackTrace",
    "RunSignalHandlers",
    "CrashRecovery",
    "CrashHandler",
    "abort",
    "raise",
    "gsignal",
    "__assert",
    "__GI_",
    "pthread_kill",
    "__libc",
    "libc_start",
    "_start",
    "__restore_rt",
    "diagnostic",
    "internal_error",
    "fatal_error",
    "llvm_unreachable",
    "bug_report",
    "print_stack",
    "handle_fatal",
    "stacktrace",
    "backtrace",
    "__interceptor",
    "__asan",
    "__ubsan",
    "__sanitizer",
    "__cxa_",
    "__gxx_",
    "terminate",
    "_Unwind",
    "check_failed",
    "ExceptionalCondition",
    "errfinish",
    "killpg",
    "clone",
    "start_thread",
    "??",
};

static bool is_machinery(const char *name)
{
    for (size_t i = 0; i < sizeof machinery / sizeof *machinery; i++)
        if (strstr(name, machinery[i]))
            return true;
    return !*name || !strcmp(name, "main") || !strcmp(name, "kill");
}

static const char *past_hex(const char *p)
{
    if (p[0] != '0' || p[1] != 'x')
        return NULL;
    for (p += 2; isxdigit((unsigned char)*p); p++)
        ;
    return p;
}

/* The function that a line of a stack dump names, and its length; NULL: it names none.
 *
 *     0x7f6c3a fold_binary(tree_node*)            GCC; the place is on the next line
 *      #4 0x0000 llvm::Foo::bar(int) foo.cpp:3:1   LLVM; sanitizers say "in" before the name
 *     #1  0x0000 in bar (x=1) at foo.c:3          GDB
 *     mysqld(_ZN4Item3barEv+0x12)[0x55d0]         backtrace_symbols
 *     sql/item.cc:12(Item::bar())[0x55d0]         MariaDB */
static const char *frame_function(const char *line, size_t n, size_t *length)
{
    const char *end = line + n, *p = line;
    while (p < end && isspace((unsigned char)*p))
        p++;
    const char *number = p;
    bool counted = *p == '#' && isdigit((unsigned char)p[1]);
    if (counted) {
        for (p++; isdigit((unsigned char)*p); p++)
            ;
        p += strspn(p, " ");
    }
    const char *behind = past_hex(p);
    if (counted || (behind && number == line)) {
        p = behind ? behind : p;
        p += strspn(p, " ");
        if (!strncmp(p, "in ", 3))
            p += 3;
        const char *path = memmem(p, (size_t)(end - p), " /", 2);
        const char *object = memmem(p, (size_t)(end - p), "(/", 2);
        const char *stop = path ? path : end;
        stop = object && object < stop ? object : stop;
        *length = p < stop ? (size_t)(stop - p) : 0;
        return *length ? p : NULL;
    }
    const char *open = memchr(line, '(', n);
    const char *address = memmem(line, n, "[0x", 3);
    if (!open || !address || address < open)
        return NULL;
    const char *close = memrchr(open, ')', (size_t)(address - open));
    *length = close ? (size_t)(close - open - 1) : 0;
    return *length && open[1] != '+' ? open + 1 : NULL;
}

const char *crash_frames(struct arena *a, const char *messages)
{
    struct strbuf out, name;
    strbuf_init(&out, 4096);
    strbuf_init(&name, 1024);
    int told = 0;
    for (const char *p = messages; *p && told < FRAMES_MOST;) {
        size_t n = strcspn(p, "\n"), length;
        const char *function = frame_function(p, n, &length);
        p += n + (p[n] == '\n');
        if (!function)
            continue;
        /* GCC's place on the next line: what stands in a header is in everyone's hands. */
        size_t next = strcspn(p, "\n"), path = strcspn(p, ":\n");
        if (*p == '\t' && path < next && is_header(p, path))
            continue;
        strbuf_clear(&name);
        bare_function(function, length, &name);
        if (is_machinery(name.s))
            continue;
        strbuf_addf(&out, "%s%s", told++ ? " < " : "", name.s);
    }
    const char *result = told ? arena_strdup(a, out.s) : NULL;
    strbuf_release(&out);
    strbuf_release(&name);
    return result;
}

/* Clang without symbols still says what it was at: the innermost is told last. */
const char *crash_pass(struct arena *a, const char *messages)
{
    const char *result = NULL;
    for (const char *p = messages; (p = strstr(p, "Running pass ")); p++) {
        p += strlen("Running pass ");
        char quote = *p;
        const char *end = quote == '\'' || quote == '"' ? strchr(p + 1, quote) : NULL;
        if (!end)
            continue;
        const char *name = arena_memdup(a, p + 1, (size_t)(end - p - 1));
        if (!strstr(name, "Pass Manager"))
            result = name;
    }
    return result;
}
