/* The text of a bug report, as those who read it ask for it.
 *
 * GCC (https://gcc.gnu.org/bugs/): the exact version, the system type, the options, the complete
 * command line, the output of the compiler, the preprocessed file; in Bugzilla's fields component
 * and keywords. LLVM: title, code, version and target, what is expected and what happens, the pass
 * that -opt-bisect-limit names. Anyone else: the same facts in plain order. */
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

/* A block of code. Its fence is longer than any in the text (CommonMark, 4.5). */
static void add_block(struct strbuf *out, const char *language, const char *text, size_t n)
{
    int longest = 0, run = 0;
    for (size_t i = 0; i < n; i++) {
        run = text[i] == '`' ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    int fence = longest >= 3 ? longest + 1 : 3;
    for (int i = 0; i < fence; i++)
        strbuf_addc(out, '`');
    strbuf_addf(out, "%s\n", language);
    report_utf8(out, text, n);
    if (n && text[n - 1] != '\n')
        strbuf_addc(out, '\n');
    for (int i = 0; i < fence; i++)
        strbuf_addc(out, '`');
    strbuf_addc(out, '\n');
}

static void add_text_block(struct strbuf *out, const char *text)
{
    add_block(out, "", text, strlen(text));
}

/* A longer program is attached, not quoted. */
enum { MOST_LINES = 200 };

static void add_sources(const struct report_bug *b, struct strbuf *out)
{
    for (int i = 0; i < b->reduced.n_files; i++) {
        const struct program_file *f = &b->reduced.files[i];
        if (b->reduced.n_files > 1)
            strbuf_addf(out, "`%s`:\n\n", f->name);
        int lines = report_lines(f->text, f->size);
        if (lines > MOST_LINES)
            strbuf_addf(out, "%d lines, in `reduced/%s`.\n", lines, f->name);
        else
            add_block(out, b->reduced.language, f->text, f->size);
        strbuf_addc(out, '\n');
    }
}

static void add_commands(const struct report_bug *b, struct strbuf *out)
{
    struct strbuf all;
    strbuf_init(&all, 0);
    strbuf_adds(&all, b->build);
    if (!report_of_build(b->finding->verdict.anomaly) && *b->way.run)
        strbuf_addf(&all, "%s\n", b->way.run);
    add_text_block(out, all.s);
    strbuf_release(&all);
}

static void add_title(const struct report_bug *b, struct strbuf *out)
{
    strbuf_adds(out, "# ");
    report_title(b, out);
    strbuf_adds(out, "\n\n");
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

static void add_regression(const struct report_bug *b, struct strbuf *out)
{
    if (!b->bug.first->blame)
        return;
    if (*b->bug.first->blame->pass)
        strbuf_addf(out, "Blamed on `%s`%s%s\n\n", b->bug.first->blame->pass,
                    *b->bug.first->blame->detail ? ": " : ".", b->bug.first->blame->detail);
    if (*b->bug.first->blame->first_bad)
        strbuf_addf(out, "First bad version: %s%s%s.\n\n", b->bug.first->blame->first_bad,
                    *b->bug.first->blame->last_good ? "; last good: " : "",
                    b->bug.first->blame->last_good);
}

/* A program that includes nothing is its own preprocessed form. */
static bool includes_something(const struct report_bug *b)
{
    for (int i = 0; i < b->reduced.n_files; i++)
        if (memmem(b->reduced.files[i].text, b->reduced.files[i].size, "#include", 8))
            return true;
    return false;
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
    strbuf_addf(out, "- Product: gcc\n- Version: %s\n- Component: %s\n- Keywords: %s\n",
                version_of(b), component(b), keyword(b->finding->verdict.anomaly));
    strbuf_addf(out, *b->flags ? "- Options: `%s`\n\n" : "- Options: none%s\n\n", b->flags);
    strbuf_adds(out, "## Version and system type\n\n");
    add_text_block(out, *b->way.about ? b->way.about : version_of(b));
    strbuf_adds(out, "\n## Complete command line\n\n");
    add_commands(b, out);
    strbuf_adds(out, "\n## Source\n\n");
    add_sources(b, out);
    strbuf_adds(out, includes_something(b)
                         ? "The preprocessed file: the first command with `-E` in place of `-o` "
                           "and what follows it.\n\n"
                         : "It includes nothing: it is the preprocessed file, too.\n\n");
    add_expected_and_seen(b, "## Expected", "## Output", a, out);
    add_regression(b, out);
}

static void llvm_report(const struct report_bug *b, struct arena *a, struct strbuf *out)
{
    strbuf_addf(out, "clang %s, `%s`.\n\n", version_of(b), b->flags);
    add_sources(b, out);
    add_commands(b, out);
    strbuf_addc(out, '\n');
    add_expected_and_seen(b, "Expected:", "Actual:", a, out);
    add_regression(b, out);
    strbuf_adds(out, "Version and target:\n\n");
    add_text_block(out, *b->way.about ? b->way.about : version_of(b));
    strbuf_addc(out, '\n');
}

static void generic_report(const struct report_bug *b, struct arena *a, struct strbuf *out)
{
    strbuf_addf(out, "%s %s: %s.\n\n", b->bug.first->testbed->toolchain, version_of(b),
                anomaly_help[b->finding->verdict.anomaly]);
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
    strbuf_addf(out, "---\n\nFound by assay %s with a program of %s%s%s (seed %" PRIu64 ")",
                ASSAY_VERSION, made->generator, *made->version ? " " : "", made->version,
                b->finding->seed);
    if (b->is_reduced)
        strbuf_addf(out, ", reduced from %s bytes",
                    report_number((int64_t)program_size(&b->original), number));
    strbuf_addf(out, ". Shown on: %s. `repro.sh` tells whether a compiler has it.\n",
                b->bug.testbeds);
}

void folder_markdown(const struct report_bug *b, struct strbuf *out)
{
    struct arena a;
    arena_init(&a);
    const char *toolchain = b->bug.first->testbed->toolchain;
    add_title(b, out);
    if (is_gcc(toolchain))
        gcc_report(b, &a, out);
    else if (is_llvm(toolchain))
        llvm_report(b, &a, out);
    else
        generic_report(b, &a, out);
    add_origin(b, out);
    arena_release(&a);
}
