/* What the script checks, in this order, because most candidates fail early and compiling is
 * cheaper than running, and running cheaper than sanitizers:
 *
 *     1  the program is C: compilers accept it, without the warnings that betray undefined
 * behaviour 2  the accused does what it is accused of 3  the reference does not 4  nothing
 * undefined happens when it runs; of no interest if it is the build that goes wrong, because no
 * input excuses a compiler that crashes
 *
 * The warnings are of the kinds that the manual of C-Reduce recommends, as far as they do not also
 * hit correct programs of generators (constants that overflow, comparisons that are always true).
 * What neither compilers nor sanitizers see, unsequenced side effects above all, is seen by interp;
 * where that cannot judge, the warnings about it are errors. */
#include "reduce/script.h"

#include "base/text.h"

#include <string.h>

enum { DEFAULT_SECONDS = 10, SANITIZER_FACTOR = 4, FILE_BLOCKS = 65536 /* of 512 bytes */ };

/* Warnings that make a program boring: option, whose it is, why. */
#define WARNINGS(X)                                                                                \
    X("uninitialized", BOTH, "a variable without a value is read")                                 \
    X("return-type", BOTH, "a function ends without the value that it should return")              \
    X("implicit-function-declaration", BOTH, "a function without declaration is called")           \
    X("implicit-int", BOTH, "a declaration without type")                                          \
    X("int-conversion", BOTH, "integers as pointers, pointers as integers")                        \
    X("incompatible-pointer-types", BOTH, "pointers of the wrong type")                            \
    X("format", BOTH, "printf gets other arguments than its format says")                          \
    X("main", GCC, "main returns something else than int")                                         \
    X("main-return-type", CLANG, "the same")                                                       \
    X("return-local-addr", GCC, "the address of a local variable is returned")                     \
    X("return-stack-address", CLANG, "the same")                                                   \
    X("builtin-declaration-mismatch", GCC, "a library function is declared in another way")        \
    X("incompatible-library-redeclaration", CLANG, "the same")

/* Warnings that matter only where interp cannot judge. */
#define BLIND_SPOTS(X)                                                                             \
    X("sequence-point", GCC, "two unsequenced side effects on one object")                         \
    X("unsequenced", CLANG, "the same")

enum whose { GCC = 1, CLANG = 2, BOTH = GCC | CLANG };

struct warning {
    const char *option;
    enum whose whose;
    const char *why;
};

static const struct warning warnings[] = {
#define X(option, whose, why) {option, whose, why},
    WARNINGS(X)
#undef X
};
static const struct warning blind_spots[] = {
#define X(option, whose, why) {option, whose, why},
    BLIND_SPOTS(X)
#undef X
};

enum { N_WARNINGS = sizeof warnings / sizeof *warnings };
enum { N_BLIND_SPOTS = sizeof blind_spots / sizeof *blind_spots };

static int seconds(int wanted)
{
    return wanted > 0 ? wanted : DEFAULT_SECONDS;
}

static bool is_of_build(enum anomaly a)
{
    return a == ANOMALY_BUILD_CRASH || a == ANOMALY_BUILD_FAIL || a == ANOMALY_BUILD_HANG;
}

static const char *needs(const struct reduce_script *s)
{
    return s->needs ? s->needs : "";
}

/* -- parts of the text ------------------------------------------------------------------------- */

static void add_head(const struct reduce_script *s, struct strbuf *out)
{
    strbuf_adds(out, "#!/bin/sh\n");
    if (s->title)
        strbuf_addf(out, "# %.*s\n#\n", (int)strcspn(s->title, "\n"), s->title);
    strbuf_addf(out,
                "# An interestingness test for C-Vise and C-Reduce: exit status 0 if the files in "
                "this\n# folder still show the anomaly '%s', for the same reason.\n"
                "#     cvise --n 2 ./interesting.sh %s\n",
                anomaly_name[s->anomaly], s->sources);
    strbuf_adds(out, "\n# The same messages everywhere, no core files, no endless output.\n"
                     "LC_ALL=C; export LC_ALL\n"
                     "ulimit -c 0\n");
    strbuf_addf(out, "ulimit -f %d\n", FILE_BLOCKS);
    strbuf_adds(out, "\n# limited SECONDS COMMAND...\nlimited() { (");
    if (s->memory_mb > 0)
        strbuf_addf(out, "ulimit -v %lld; ", (long long)s->memory_mb * 1024);
    strbuf_adds(out, "exec timeout -k 1 \"$@\"); }\n");
}

static void add_warnings(struct strbuf *out, const struct warning *w, size_t n, enum whose whose)
{
    for (size_t i = 0; i < n; i++)
        if (w[i].whose & whose)
            strbuf_addf(out, " -Werror=%s", w[i].option);
}

static void explain_warnings(struct strbuf *out, const struct warning *w, size_t n,
                             enum whose whose)
{
    for (size_t i = 0; i < n; i++)
        if (w[i].whose & whose)
            strbuf_addf(out, "#     %-34s %s\n", w[i].option, w[i].why);
}

/* GCC sees uninitialised variables only when it optimises; clang sees them anyway. */
static void add_validity(const struct reduce_script *s, struct strbuf *out)
{
    enum whose whose = (s->gcc ? GCC : 0) | (s->clang ? CLANG : 0);
    if (!whose)
        return;
    strbuf_adds(out, "\n# 1. It is a C program. Warnings that betray undefined behaviour count:\n");
    explain_warnings(out, warnings, N_WARNINGS, whose);
    if (s->gcc) {
        strbuf_addf(out, "timeout %d %s -O1 -Wall -Wextra", seconds(s->build_seconds), s->gcc);
        add_warnings(out, warnings, N_WARNINGS, GCC);
        strbuf_addf(out, " %s -c %s >valid.txt 2>&1 || exit 1\n", needs(s), s->sources);
    }
    if (s->clang) {
        strbuf_addf(out, "timeout %d %s -Wall -Wextra", seconds(s->build_seconds), s->clang);
        add_warnings(out, warnings, N_WARNINGS, CLANG);
        strbuf_addf(out, " %s -fsyntax-only %s >valid.txt 2>&1 || exit 1\n", needs(s), s->sources);
    }
}

/* Each line under timeout, one after the other as long as they succeed; the status of the last that
 * was run is in $status. */
static void add_lines(struct strbuf *out, const char *lines, int limit, const char *redirection)
{
    strbuf_adds(out, "status=0\n");
    while (*lines) {
        size_t n = strcspn(lines, "\n");
        if (n)
            strbuf_addf(out, "[ $status != 0 ] || limited %d %.*s %s || status=$?\n", limit, (int)n,
                        lines, redirection);
        lines += n + (lines[n] == '\n');
    }
}

static void add_pattern(const char *pattern, const char *file, struct strbuf *out)
{
    while (pattern && *pattern) {
        size_t n = strcspn(pattern, "\n");
        if (n) {
            struct strbuf line;
            strbuf_init(&line, 0);
            strbuf_add(&line, pattern, n);
            strbuf_adds(out, "grep -F -q -e ");
            text_quote_shown(out, line.s);
            strbuf_addf(out, " %s || exit 1\n", file);
            strbuf_release(&line);
        }
        pattern += n + (pattern[n] == '\n');
    }
}

/* What the status of the last command must be: text for sh, and for people. 124 is timeout's word
 * for too long, 137 where it had to kill; from 128 on it is a signal. */
static const struct expectation {
    enum anomaly anomaly;
    const char *test, *why;
} expectations[] = {
    {ANOMALY_BUILD_CRASH, "[ $status != 0 ] && [ $status != 124 ] && [ $status != 137 ]",
     "it fails, and not for lack of time"},
    {ANOMALY_BUILD_FAIL, "[ $status != 0 ] && [ $status -lt 124 ]",
     "it fails, without a signal and not for lack of time"},
    {ANOMALY_BUILD_HANG, "[ $status = 124 ] || [ $status = 137 ]", "it does not end"},
    {ANOMALY_RUN_CRASH, "[ $status -ge 128 ] && [ $status != 137 ] && [ $status != 153 ]",
     "a signal ends it, but not one of our limits"},
    {ANOMALY_RUN_HANG, "[ $status = 124 ] || [ $status = 137 ]", "it does not end"},
    {ANOMALY_WRONG_OUTPUT, "[ $status -lt 124 ]", "it ends by itself"},
};

static const struct expectation *expectation_of(enum anomaly anomaly)
{
    for (size_t i = 0; i < sizeof expectations / sizeof *expectations; i++)
        if (expectations[i].anomaly == anomaly)
            return &expectations[i];
    return NULL;
}

static void add_expectation(const struct expectation *x, struct strbuf *out)
{
    strbuf_addf(out, "# %s\n{ %s; } || exit 1\n", x->why, x->test);
}

static void add_accused(const struct reduce_script *s, struct strbuf *out)
{
    const struct expectation *x = expectation_of(s->anomaly);
    int run_limit = seconds(s->run_seconds);
    strbuf_adds(out, "\n# 2. The accused still goes wrong.\n: >accused.txt\n");
    add_lines(out, s->accused.build, seconds(s->build_seconds), ">>accused.txt 2>&1");
    if (is_of_build(s->anomaly)) {
        add_expectation(x, out);
        if (s->pattern)
            strbuf_adds(out, "# with the same words\n");
        add_pattern(s->pattern, "accused.txt", out);
        if (s->anomaly == ANOMALY_BUILD_CRASH && !s->pattern)
            strbuf_adds(out, "# a signal, or the compiler's own message\n"
                             "[ $status -ge 128 ] || grep -q -e 'internal compiler error' -e "
                             "'PLEASE submit a bug report' accused.txt || exit 1\n");
        return;
    }
    strbuf_adds(out, "[ $status = 0 ] || exit 1\n: >seen.txt; : >seen.err\n");
    add_lines(out, s->accused.run, run_limit, ">>seen.txt 2>>seen.err");
    add_expectation(x, out);
    add_pattern(s->pattern, "seen.err", out);
    strbuf_adds(out, "echo \"status $status\" >>seen.txt\n");
}

static void add_reference(const struct reduce_script *s, struct strbuf *out)
{
    if (!s->reference.build)
        return;
    strbuf_adds(out, "\n# 3. The reference does not.\n: >reference.txt\n");
    add_lines(out, s->reference.build, seconds(s->build_seconds), ">>reference.txt 2>&1");
    strbuf_adds(out, "[ $status = 0 ] || exit 1\n");
    if (is_of_build(s->anomaly) || !s->reference.run)
        return;
    strbuf_adds(out, ": >wanted.txt\n");
    add_lines(out, s->reference.run, seconds(s->run_seconds), ">>wanted.txt 2>reference.err");
    strbuf_adds(out, "[ $status -lt 124 ] || exit 1\n"
                     "echo \"status $status\" >>wanted.txt\n");
    if (s->anomaly == ANOMALY_WRONG_OUTPUT)
        strbuf_adds(out, "# outputs and statuses that are equal are no finding\n"
                         "! cmp -s seen.txt wanted.txt || exit 1\n");
}

/* -- nothing undefined ------------------------------------------------------------------------- */

/* Builds that fail have failed above already, or the sanitizer is not installed. */
static void add_sanitizer(const struct reduce_script *s, const char *indent, const char *compiler,
                          const char *sanitizer, const char *words, struct strbuf *out)
{
    strbuf_addf(out,
                "%sif timeout %d %s -w -g -O0 -fno-omit-frame-pointer -fsanitize=%s %s %s -o "
                "sanitized >sanitized.txt 2>&1; then\n",
                indent, seconds(s->build_seconds) * SANITIZER_FACTOR, compiler, sanitizer, needs(s),
                s->sources);
    strbuf_addf(out, "%s    timeout -k 1 %d ./sanitized >sanitized.out 2>sanitized.err\n", indent,
                seconds(s->run_seconds) * SANITIZER_FACTOR);
    strbuf_addf(out, "%s    [ $? != 124 ] || exit 1\n", indent);
    strbuf_addf(out, "%s    ! grep -q %s sanitized.err || exit 1\n%sfi\n", indent, words, indent);
}

static void add_blind_spots(const struct reduce_script *s, const char *indent, struct strbuf *out)
{
    if (s->gcc) {
        strbuf_addf(out, "%s%s", indent, s->gcc);
        add_warnings(out, blind_spots, N_BLIND_SPOTS, GCC);
        strbuf_addf(out, " %s -fsyntax-only %s >valid.txt 2>&1 || exit 1\n", needs(s), s->sources);
    }
    if (s->clang) {
        strbuf_addf(out, "%s%s", indent, s->clang);
        add_warnings(out, blind_spots, N_BLIND_SPOTS, CLANG);
        strbuf_addf(out, " %s -fsyntax-only %s >valid.txt 2>&1 || exit 1\n", needs(s), s->sources);
    }
}

static void add_sanitizers(const struct reduce_script *s, const char *indent, struct strbuf *out)
{
    if (!s->gcc && !s->clang)
        return;
    strbuf_addf(out, "%s# the sanitizers, and warnings about what they do not see: %s\n", indent,
                blind_spots[0].why);
    add_blind_spots(s, indent, out);
    add_sanitizer(s, indent, s->gcc ? s->gcc : s->clang, "address,undefined",
                  "-e 'runtime error:' -e 'ERROR: AddressSanitizer'", out);
    if (s->clang)
        add_sanitizer(s, indent, s->clang, "memory", "-e MemorySanitizer", out);
}

static void add_definedness(const struct reduce_script *s, struct strbuf *out)
{
    bool one_file = !strchr(s->sources, ' ');
    if (is_of_build(s->anomaly) || (!s->gcc && !s->clang && !s->assay))
        return;
    strbuf_adds(out, "\n# 4. Nothing undefined happens when it runs.\n"
                     "ASAN_OPTIONS=detect_leaks=0; export ASAN_OPTIONS\n");
    if (!s->assay || !one_file) { /* assay reads one file at a time */
        add_sanitizers(s, "", out);
        return;
    }
    strbuf_addf(out, "timeout %d ", seconds(s->run_seconds) * SANITIZER_FACTOR);
    text_quote_shown(out, s->assay);
    strbuf_addf(out,
                " check --ub %s >undefined.txt 2>&1\n"
                "case $? in\n"
                "0) ;; # assay has run it, and each step was defined\n"
                "3 | 124) # assay cannot judge it\n",
                s->sources);
    add_sanitizers(s, "    ", out);
    strbuf_adds(out, "    ;;\n"
                     "*) exit 1 ;; # undefined: undefined.txt says what and where\n"
                     "esac\n");
}

/* -- the whole --------------------------------------------------------------------------------- */

static int check_wishes(const struct reduce_script *s, struct error *e)
{
    if (!expectation_of(s->anomaly))
        return error_set(e, ERROR_USAGE, "there is no script for the anomaly '%s'",
                         anomaly_name[s->anomaly]);
    if (!s->sources || !*s->sources || !s->accused.build || !*s->accused.build)
        return error_set(e, ERROR_USAGE, "a script needs sources and the command that builds them");
    if (!is_of_build(s->anomaly) && !s->accused.run)
        return error_set(e, ERROR_USAGE, "a script for '%s' needs the command that runs it",
                         anomaly_name[s->anomaly]);
    if (s->anomaly == ANOMALY_WRONG_OUTPUT && (!s->reference.build || !s->reference.run))
        return error_set(e, ERROR_USAGE, "a wrong output needs a reference to compare with");
    return 0;
}

int reduce_script(const struct reduce_script *s, struct strbuf *out, struct error *e)
{
    if (check_wishes(s, e))
        return -1;
    add_head(s, out);
    add_validity(s, out);
    add_accused(s, out);
    add_reference(s, out);
    add_definedness(s, out);
    strbuf_adds(out, "\nexit 0\n");
    return 0;
}
