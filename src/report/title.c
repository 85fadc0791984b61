/* The title of a bug: compiler, version, flags, and what happens, in the compiler's own words.
 *
 *     gcc 12.2.0 -O2: internal compiler error: in gimplify_expr, at gimplify.cc:15423
 *     clang 14.0.6 -O3: wrong code (prints 7 instead of 8)
 *     pcc 1.2.0: rejects a valid program: invalid type conversion
 *
 * A signature is no title: it is made to be the same for many programs, and what is quoted, numbers
 * and places are gone from it. The words are taken from the messages themselves, from the line that
 * says what is wrong, without the place in the program and the tool that stand in front of it. */
#include "base/pattern.h"
#include "base/text.h"
#include "program/undefined.h"
#include "report/report_internal.h"

#include <ctype.h>
#include <inttypes.h>

enum { LONGEST = 160, LONGEST_FLAGS = 60, LONGEST_OUTPUT = 40 };

/* -- the line that says it --------------------------------------------------------------------- */

struct line {
    const char *s;
    size_t n;
};

static bool says(struct line l, const char *const *words, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (memmem(l.s, l.n, words[i], strlen(words[i])))
            return true;
    return false;
}
#define SAYS(line, words) says(line, words, sizeof(words) / sizeof *(words))

/* How much the line tells of what is wrong; 0: nothing. */
static int interest(struct line l)
{
    /* what a driver says of the death of its child, requests for reports, remarks, stacks */
    static const char *const around[] = {"ubmit a ",        "bug report",
                                         "due to signal",   "command failed",
                                         "ld returned",     "unable to execute",
                                         "terminated with", "warning:",
                                         "note:",           "NOTE:",
                                         "n function",      "ncluded from",
                                         "Stack dump",      "Program arguments:",
                                         "diagnostic msg",  "for instructions",
                                         "egmentation fau", "undefined reference to `main'"};
    static const char *const crash[] = {"internal compiler error", "compiler error:", "ssertion ",
                                        "UNREACHABLE executed", "error in backend"};
    static const char *const wrong[] = {"rror:", "rror ", "undefined reference"};
    size_t blank = 0, letters = 0;
    while (blank < l.n && strchr(" \t~^|", l.s[blank]))
        blank++;
    for (size_t i = 0; i < l.n; i++)
        letters += isalpha((unsigned char)l.s[i]) != 0;
    /* nothing, a frame of a stack ("#3 0x55...", "1.\t..."), a line of the program ("4 | int x") */
    const char *first = l.s + blank;
    size_t digits = blank < l.n ? strspn(first, "0123456789") : 0;
    if (!letters || *first == '#' || (digits && strchr(". |", first[digits])))
        return 0;
    if (SAYS(l, crash))
        return 4;
    if (SAYS(l, around))
        return 0;
    return SAYS(l, wrong) ? 3 : 1;
}

/* What the toolchain's file says is the message; else the first of the lines that tell most. */
static struct line telling_line(const char *messages, const char *pattern)
{
    struct line best = {"", 0};
    struct pattern p = {0};
    regmatch_t m[2];
    if (*pattern && !pattern_compile(&p, pattern, NULL)) {
        if (!regexec(&p.regex, messages, 2, m, 0) && m[1].rm_so >= 0)
            best = (struct line){messages + m[1].rm_so, (size_t)(m[1].rm_eo - m[1].rm_so)};
        pattern_release(&p);
    }
    int most = 0;
    for (const char *at = messages; *at && !best.n;) {
        struct line l = {at, strcspn(at, "\n")};
        most = interest(l) > most ? interest(l) : most;
        at += l.n + (at[l.n] == '\n');
    }
    for (const char *at = messages; *at && most && !best.n;) {
        struct line l = {at, strcspn(at, "\n")};
        if (interest(l) == most)
            best = l;
        at += l.n + (at[l.n] == '\n');
    }
    return best;
}

/* -- its words --------------------------------------------------------------------------------- */

/* Without sequences that colour, and with each absolute path as the name of its file: whose folder
 * it was says nothing elsewhere. */
static const char *plain(struct line l, struct arena *a)
{
    struct strbuf out;
    strbuf_init(&out, 0);
    for (const char *p = l.s, *end = l.s + l.n; p < end;) {
        bool begins = p == l.s || strchr(" \t'\"`(=", p[-1]);
        if (p[0] == '\033' && p + 1 < end && p[1] == '[') {
            p += 2;
            while (p < end && !isalpha((unsigned char)*p))
                p++;
            p += p < end;
        } else if (*p == '/' && begins) {
            const char *name = p;
            while (p < end && !strchr(" \t'\"`):,", *p))
                if (*p++ == '/')
                    name = p;
            strbuf_add(&out, name, (size_t)(p - name));
        } else {
            strbuf_addc(&out, *p == '\t' ? ' ' : *p);
            p++;
        }
    }
    return strbuf_keep(&out, a);
}

/* "t.c:12:5: ", "t.c, line 12: ", "cc1: ": the length of a place or a tool in front; 0: none. */
static size_t place(const char *s)
{
    static const char line[] = ", line ";
    size_t n = strcspn(s, " ");
    if (n > 1 && s[n - 1] == ',' && !strncmp(s + n - 1, line, sizeof line - 1)) {
        const char *number = s + n - 1 + sizeof line - 1;
        size_t digits = strspn(number, "0123456789");
        return digits && !strncmp(number + digits, ": ", 2) ? (size_t)(number + digits + 2 - s) : 0;
    }
    bool word = n > 1 && s[n] && s[n - 1] == ':';
    for (size_t i = 0; word && i + 1 < n; i++)
        word = isgraph((unsigned char)s[i]) && !strchr("`'\"", s[i]);
    return word && strncasecmp(s, "error:", 6) && strncasecmp(s, "fatal:", 6) ? n + 1 : 0;
}

static const char *after(const char *s, const char *words)
{
    return strncasecmp(s, words, strlen(words)) ? s : s + strlen(words);
}

/* At most so many bytes, cut between words. */
static const char *cut(const char *s, size_t most, struct arena *a)
{
    size_t n = strlen(s);
    if (n <= most)
        return s;
    n = most;
    while (n > most / 2 && s[n] != ' ')
        n--;
    while (n && ((unsigned char)s[n] & 0xc0) == 0x80) /* not within a character */
        n--;
    return arena_printf(a, "%.*s ...", (int)n, s);
}

static const char *words_of(const char *messages, const char *pattern, struct arena *a)
{
    const char *s = plain(telling_line(text_cut_lines(a, messages), pattern), a);
    s += strspn(s, " ~^|");
    for (size_t n; (n = place(s)) != 0;)
        s += n + strspn(s + n, " ");
    size_t n = strlen(s);
    while (n && isspace((unsigned char)s[n - 1]))
        n--;
    return cut(arena_memdup(a, s, n), LONGEST, a);
}

/* Of the program that is shown; where that was not tried, or said nothing, of the original. */
static const char *own_words(const struct report_bug *b, struct arena *a)
{
    const char *words = words_of(b->seen->messages, b->way.message, a);
    return *words ? words : words_of(b->recorded->messages, b->way.message, a);
}

/* -- what happens ------------------------------------------------------------------------------ */

/* "SIGSEGV": how it ended, where that says anything. */
static const char *end_of(const struct report_bug *b)
{
    const char *end = b->seen->signal       ? b->seen->detail
                      : b->recorded->signal ? b->recorded->detail
                                            : "";
    return !strncmp(end, "SIG", 3) ? end : "";
}

/* The innermost of the frames that a signature ends with, " [f < g < main]". */
static const char *innermost(const char *signature, struct arena *a)
{
    size_t n = strlen(signature);
    const char *open = n && signature[n - 1] == ']' ? strrchr(signature, '[') : NULL;
    if (!open || open == signature || open[-1] != ' ')
        return "";
    const char *end = strstr(open, " < ");
    return arena_memdup(a, open + 1, end ? (size_t)(end - open - 1) : strlen(open) - 2);
}

static const char *crash(const struct report_bug *b, struct arena *a)
{
    const char *words = own_words(b, a), *end = end_of(b);
    const char *frame = innermost(b->finding->signature, a);
    bool cut_off = strstr(b->finding->signature, "truncated output") != NULL;
    if (*words && !cut_off)
        return words;
    if (*frame)
        return arena_printf(a, "the compiler crashes in %s%s%s%s", frame, *end ? " (" : "", end,
                            *end ? ")" : "");
    if (*end)
        return arena_printf(a, "the compiler crashes (%s)", end);
    return cut_off ? "the compiler crashes while writing its output, without a message"
                   : "the compiler crashes without a message";
}

static const char *rejection(const struct report_bug *b, struct arena *a)
{
    const char *words = own_words(b, a);
    words = after(after(words, "fatal error: "), "error: ");
    return arena_printf(a, "rejects a valid program%s%s", *words ? ": " : "", words);
}

/* Is there a compiler, whose code is wrong? An interpreter, a solver or a database has none. */
static bool makes_code(const struct report_bug *b)
{
    return *b->bug.first->testbed->compile && !*b->way.run_crash;
}

static const char *run_crash(const struct report_bug *b, struct arena *a)
{
    const char *end = end_of(b);
    const char *brackets = *end ? arena_printf(a, " (%s)", end) : "";
    if (makes_code(b))
        return arena_printf(a, "wrong code: the program crashes%s", brackets);
    const char *words = own_words(b, a);
    if (!*words)
        words = words_of(text_shown(a, b->seen->output), "", a);
    return *words ? words : arena_printf(a, "crashes%s", brackets);
}

/* A line of an output as it stands in a title; NULL: it is too long. */
static const char *shown_line(struct bytes output, size_t from, struct arena *a)
{
    if (from >= output.size)
        return "nothing";
    const char *end = memchr(output.data + from, '\n', output.size - from);
    size_t n = end ? (size_t)(end - output.data) - from : output.size - from;
    if (n > LONGEST_OUTPUT)
        return NULL;
    return n ? text_shown(a, (struct bytes){arena_memdup(a, output.data + from, n), n})
             : "an empty line";
}

/* Where the two outputs differ first, their lines; "": that cannot be told in a few words. */
static const char *difference(const struct report_bug *b, struct arena *a)
{
    const struct observation *o = b->seen;
    size_t from = 0, least;
    if (o->outcome != OUTCOME_OK || !b->expected.data || b->seen_original)
        return "";
    if (bytes_equal(o->output, b->expected))
        return o->exit_status == b->expected_status || b->way.ignore_status
                   ? ""
                   : arena_printf(a, "exit status %d instead of %d", o->exit_status,
                                  b->expected_status);
    least = o->output.size < b->expected.size ? o->output.size : b->expected.size;
    for (size_t i = 0; i < least && o->output.data[i] == b->expected.data[i]; i++)
        if (o->output.data[i] == '\n')
            from = i + 1;
    const char *seen = shown_line(o->output, from, a), *right = shown_line(b->expected, from, a);
    if (!seen || !right || !strcmp(seen, right)) /* but for a newline */
        return "";
    return arena_printf(a, "prints %s instead of %s", seen, right);
}

static const char *wrong_output(const struct report_bug *b, struct arena *a)
{
    const char *how = difference(b, a), *what = makes_code(b) ? "wrong code" : "wrong output";
    if (!*how)
        how = b->bug.first->blame && *b->bug.first->blame->pass ? b->bug.first->blame->pass
                                                                : report_reason(b);
    return *how ? arena_printf(a, "%s (%s)", what, how) : what;
}

/* What a detector of undefined operations does with one. */
static const char *detection(const struct report_bug *b, struct arena *a)
{
    struct detection d;
    enum anomaly kind = b->finding->verdict.anomaly;
    if (!detection_read(b->seen->output, a, &d))
        return anomaly_help[kind];
    if (kind == ANOMALY_FALSE_ALARM)
        return arena_printf(a, "false alarm: %s", d.twin_text);
    if (kind == ANOMALY_MISPLACED)
        return arena_printf(a, "reports %s (%s) as %s, line %d", d.what, d.text, d.said, d.line);
    return arena_printf(a, "misses %s", d.what);
}

static const char *what_happens(const struct report_bug *b, struct arena *a)
{
    double cpu_s = (double)b->recorded->build.cpu_us / 1e6;
    switch (b->finding->verdict.anomaly) {
    case ANOMALY_BUILD_CRASH:
        return crash(b, a);
    case ANOMALY_BUILD_FAIL:
        return rejection(b, a);
    case ANOMALY_BUILD_HANG:
        return cpu_s >= 1 ? arena_printf(a, "the compiler does not terminate (over %.0f s)", cpu_s)
                          : "the compiler does not terminate";
    case ANOMALY_RUN_CRASH:
        return run_crash(b, a);
    case ANOMALY_RUN_HANG:
        return makes_code(b) ? "wrong code: the program does not terminate" : "does not end";
    case ANOMALY_WRONG_OUTPUT:
        return wrong_output(b, a);
    case ANOMALY_WRONG_VOLATILE:
        return "wrong accesses to volatile objects";
    case ANOMALY_SLOW_COMPILE:
        return arena_printf(a, "takes %.1f s to compile, far more than others", cpu_s);
    case ANOMALY_MEMORY:
        return arena_printf(a, "takes %" PRId64 " MiB of memory to compile, far more than others",
                            b->recorded->build.peak_kb >> 10);
    case ANOMALY_MISSED:
    case ANOMALY_FALSE_ALARM:
    case ANOMALY_MISPLACED:
        return detection(b, a);
    case ANOMALY_SUSPECT:
        return "our interpreter is wrong, or all of the compilers are";
    default:
        return "compilers disagree on the output";
    }
}

const char *report_title(const struct report_bug *b, struct arena *a)
{
    const struct store_testbed *t = b->bug.first->testbed;
    const char *what = what_happens(b, a), *flags = cut(b->flags, LONGEST_FLAGS, a);
    if (anomaly_is_of_group(b->finding->verdict.anomaly)) /* nobody knows who is wrong */
        return what;
    return arena_printf(a, "%s%s%s%s%s: %s", t->toolchain, *t->version ? " " : "", t->version,
                        *flags ? " " : "", flags, what);
}
