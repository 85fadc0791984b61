/* The text of a bug report, as those who read it ask for it.
 *
 * GCC (https://gcc.gnu.org/bugs/): the exact version, the system type, the options, the complete
 * command line, the output of the compiler, the preprocessed file; in Bugzilla's fields component
 * and keywords. LLVM: title, code, version and target, what is expected and what happens, the pass
 * that -opt-bisect-limit names. Anyone else: the same facts in plain order. */
#include "base/text.h"
#include "report/folder_internal.h"

#include <inttypes.h>

static bool is_gcc(const char *toolchain)
{
    return !strncmp(toolchain, "gcc", 3) || !strncmp(toolchain, "g++", 3);
}

static bool is_llvm(const char *toolchain)
{
    return !strncmp(toolchain, "clang", 5);
}

/* -- text that came from anywhere, and stays text ---------------------------------------------- */

static int longest_run(const struct strbuf *text)
{
    int longest = 0, run = 0;
    for (const char *at = text->s; *at; at++) {
        run = *at == '`' ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    return longest;
}

static void add_ticks(struct strbuf *out, int n)
{
    for (int i = 0; i < n; i++)
        strbuf_addc(out, '`');
}

/* A block of code. Its fence is longer than any in the text (CommonMark, 4.5). */
static void add_block(struct strbuf *out, const char *language, struct bytes s)
{
    struct strbuf text;
    strbuf_init(&text, 0);
    text_visible(&text, s);
    int longest = longest_run(&text), fence = longest >= 3 ? longest + 1 : 3;
    add_ticks(out, fence);
    size_t word =
        strspn(language, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-");
    strbuf_addf(out, "%.*s\n%s", (int)word, language, text.s);
    if (text.n && text.s[text.n - 1] != '\n')
        strbuf_addc(out, '\n');
    add_ticks(out, fence);
    strbuf_addc(out, '\n');
    strbuf_release(&text);
}

/* One line of it. */
static void one_line(struct strbuf *text, const char *s)
{
    strbuf_init(text, 0);
    text_visible(text, bytes_of(s));
    for (char *at = text->s; *at; at++)
        if (*at == '\n' || *at == '\t')
            *at = ' ';
}

/* Code in a line: the backticks around it are more than any in it (CommonMark, 6.1). */
static void add_code(struct strbuf *out, const char *s)
{
    struct strbuf text;
    one_line(&text, s);
    int ticks = longest_run(&text) + 1;
    const char *space = ticks > 1 ? " " : "";
    add_ticks(out, ticks);
    strbuf_addf(out, "%s%s%s", space, text.s, space);
    add_ticks(out, ticks);
    strbuf_release(&text);
}

/* Words in a line: none of it is markup. */
static void add_words(struct strbuf *out, const char *s)
{
    struct strbuf text;
    one_line(&text, s);
    for (const char *at = text.s; *at; at++) {
        if (strchr("\\`*[]<>&|~", *at))
            strbuf_addc(out, '\\');
        strbuf_addc(out, *at);
    }
    strbuf_release(&text);
}

static void add_text_block(struct strbuf *out, const char *text)
{
    add_block(out, "", bytes_of(text));
}

/* A longer program is attached, not quoted. */
enum { MOST_LINES = 200 };

static void add_sources(const struct report_bug *b, struct strbuf *out)
{
    for (int i = 0; i < b->reduced.n_files; i++) {
        const struct program_file *f = &b->reduced.files[i];
        if (b->reduced.n_files > 1) {
            add_code(out, f->name);
            strbuf_adds(out, ":\n\n");
        }
        int lines = text_lines(f->text, f->size);
        if (lines > MOST_LINES) {
            strbuf_addf(out, "%d lines, in `reduced/` as ", lines);
            add_code(out, f->name);
            strbuf_adds(out, ".\n");
        } else {
            add_block(out, b->reduced.language, program_bytes(f));
        }
        strbuf_addc(out, '\n');
    }
}

static void add_commands(const struct report_bug *b, struct strbuf *out)
{
    struct arena a;
    arena_init(&a);
    add_text_block(out, report_typed(b, &a));
    arena_release(&a);
}

static void add_title(const struct report_bug *b, struct arena *a, struct strbuf *out)
{
    strbuf_adds(out, "# ");
    add_words(out, b->title);
    strbuf_adds(out, "\n\n");
    const char *unreduced = report_unreduced(b, a);
    if (!*unreduced)
        return;
    strbuf_adds(out, "**This program is ");
    add_words(out, unreduced);
    strbuf_adds(out, ".**\n\n");
}

/* What GCC's Bugzilla calls it. */
static const char *keyword(enum anomaly kind)
{
    switch (kind) {
    case ANOMALY_BUILD_CRASH:
        return "ice-on-valid-code";
    case ANOMALY_BUILD_FAIL:
        return "rejects-valid";
    case ANOMALY_BUILD_HANG:
    case ANOMALY_SLOW_COMPILE:
        return "compile-time-hog";
    case ANOMALY_MEMORY:
        return "memory-hog";
    default:
        return "wrong-code";
    }
}

static const char *component(const struct report_bug *b)
{
    const char *pass = b->bug.first->blame ? b->bug.first->blame->pass : "";
    if (b->finding->verdict.anomaly == ANOMALY_BUILD_FAIL)
        return b->reduced.language;
    if (strstr(pass, "ipa") || strstr(pass, "inline"))
        return "ipa";
    if (strstr(pass, "rtl") || strstr(pass, "sched") || strstr(pass, "gcse") ||
        strstr(pass, "reorder"))
        return "rtl-optimization";
    return strstr(pass, "tree") ? "tree-optimization" : "middle-end";
}

/* The end of a paragraph, behind what more there is to say, if anything. */
static void add_more(struct strbuf *out, const char *between, const char *more, const char *end)
{
    strbuf_adds(out, *more ? between : "");
    add_words(out, more);
    strbuf_addf(out, "%s\n\n", end);
}

static void add_regression(const struct report_bug *b, struct strbuf *out)
{
    const struct store_blame *blame = b->bug.first->blame;
    if (!blame)
        return;
    if (*blame->pass) {
        strbuf_adds(out, "Blamed on ");
        add_code(out, blame->pass);
        add_more(out, ": ", blame->detail, *blame->detail ? "" : ".");
    }
    if (*blame->first_bad) {
        strbuf_adds(out, "First bad version: ");
        add_words(out, blame->first_bad);
        add_more(out, "; last good: ", blame->last_good, ".");
    }
    if (*blame->last_bad) {
        strbuf_adds(out, "Last bad version: ");
        add_words(out, blame->last_bad);
        add_more(out, "; right again: ", blame->next_good, ".");
    }
}

static const char *version_of(const struct report_bug *b)
{
    return *b->bug.first->testbed->version ? b->bug.first->testbed->version : "unknown";
}

static void add_expected_and_seen(const struct report_bug *b, const char *expected,
                                  const char *seen, struct arena *a, struct strbuf *out)
{
    strbuf_addf(out, "%s\n\n", expected);
    add_text_block(out, report_expected(b, a));
    strbuf_addf(out, "\n%s%s\n\n", seen, report_seen_of(b));
    add_text_block(out, report_shown(report_seen(b, a)));
    strbuf_addc(out, '\n');
}

static void gcc_report(const struct report_bug *b, struct arena *a, struct strbuf *out)
{
    strbuf_adds(out, "- Product: gcc\n- Version: ");
    add_words(out, version_of(b));
    strbuf_adds(out, "\n- Component: ");
    add_words(out, component(b));
    strbuf_addf(out, "\n- Keywords: %s\n- Options: ", keyword(b->finding->verdict.anomaly));
    if (*b->flags)
        add_code(out, b->flags);
    strbuf_adds(out, *b->flags ? "\n\n" : "none\n\n");
    strbuf_adds(out, "## Version and system type\n\n");
    add_text_block(out, *b->way.about ? b->way.about : version_of(b));
    strbuf_adds(out, "\n## Complete command line\n\n");
    add_commands(b, out);
    strbuf_adds(out, "\n## Source\n\n");
    add_sources(b, out);
    strbuf_adds(out, program_includes(&b->reduced)
                         ? "Preprocessed file: the first command with `-E` instead of `-o` and "
                           "everything after it.\n\n"
                         : "It includes nothing, so it is also the preprocessed file.\n\n");
    add_expected_and_seen(b, "## Expected", "## Output", a, out);
    add_regression(b, out);
}

/* The rest of the line that begins with `key`; "": there is none. */
static const char *line_after(const char *text, const char *key, struct arena *a)
{
    const char *at = strstr(text, key);
    return at ? arena_memdup(a, at + strlen(key), strcspn(at + strlen(key), "\n")) : "";
}

/* clang ends a crash with what it wants to be sent: "PLEASE submit a bug report to ... and include
 * the crash backtrace, preprocessed source, and associated run script." */
static void add_what_clang_asks(const struct report_bug *b, struct arena *a, struct strbuf *out)
{
    const char *messages = b->seen->messages;
    if (!strstr(messages, "submit a bug report"))
        return;
    const char *target = line_after(b->way.about, "Target: ", a);
    strbuf_adds(out, "What clang asks for with a crash:\n\n- Crash backtrace: ");
    strbuf_adds(out, strstr(messages, "Stack dump:")
                         ? "in the messages below, from `Stack dump:` on.\n"
                         : "the messages have none; a clang with symbols, or llvm-symbolizer on "
                           "PATH, prints one.\n");
    strbuf_adds(out, program_includes(&b->reduced)
                         ? "- Preprocessed source: the command with `-E` instead of `-o` and "
                           "everything after it.\n"
                         : "- Preprocessed source: the program above, which includes nothing.\n");
    strbuf_adds(out, "- Associated run script: the command above, or `repro.sh`.\n- Target: ");
    if (*target)
        add_code(out, target);
    else
        strbuf_adds(out, "unknown, the compiler was not run");
    strbuf_adds(out, ".\n\n");
}

static void llvm_report(const struct report_bug *b, struct arena *a, struct strbuf *out)
{
    strbuf_adds(out, "clang ");
    add_words(out, version_of(b));
    strbuf_adds(out, ", ");
    add_code(out, b->flags);
    strbuf_adds(out, ".\n\n");
    add_sources(b, out);
    add_commands(b, out);
    strbuf_addc(out, '\n');
    add_what_clang_asks(b, a, out);
    add_expected_and_seen(b, "Expected:", "Actual:", a, out);
    add_regression(b, out);
    strbuf_adds(out, "Version and target:\n\n");
    add_text_block(out, *b->way.about ? b->way.about : version_of(b));
    strbuf_addc(out, '\n');
}

static void generic_report(const struct report_bug *b, struct arena *a, struct strbuf *out)
{
    add_words(out, b->bug.first->testbed->toolchain);
    strbuf_addc(out, ' ');
    add_words(out, version_of(b));
    strbuf_addf(out, ": %s.\n\n", anomaly_help[b->finding->verdict.anomaly]);
    strbuf_adds(out, "## Program\n\n");
    add_sources(b, out);
    strbuf_adds(out, "## Commands\n\n");
    add_commands(b, out);
    strbuf_addc(out, '\n');
    add_expected_and_seen(b, "## Expected", "## Seen", a, out);
    add_regression(b, out);
    if (*b->way.about) {
        strbuf_adds(out, "## Version\n\n");
        add_text_block(out, b->way.about);
        strbuf_addc(out, '\n');
    }
}

static void add_origin(const struct report_bug *b, struct strbuf *out)
{
    const struct provenance *made = &b->original.made;
    char number[REPORT_NUMBER_SIZE];
    strbuf_addf(out, "---\n\nFound by assay %s with a program of ", ASSAY_VERSION);
    add_words(out, made->generator);
    strbuf_adds(out, *made->version ? " " : "");
    add_words(out, made->version);
    strbuf_addf(out, " (seed %" PRIu64 ")", b->finding->seed);
    if (b->is_reduced)
        strbuf_addf(out, ", reduced from %s bytes",
                    report_number((int64_t)program_size(&b->original), number));
    strbuf_adds(out, ". Shown on: ");
    add_words(out, b->bug.testbeds);
    strbuf_adds(out, ". `repro.sh` checks whether a compiler has the bug.\n");
}

void folder_markdown(const struct report_bug *b, struct strbuf *out)
{
    struct arena a;
    arena_init(&a);
    const char *toolchain = b->bug.first->testbed->toolchain;
    add_title(b, &a, out);
    if (is_gcc(toolchain))
        gcc_report(b, &a, out);
    else if (is_llvm(toolchain))
        llvm_report(b, &a, out);
    else
        generic_report(b, &a, out);
    add_origin(b, out);
    arena_release(&a);
}
