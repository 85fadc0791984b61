#include "program/program.h"
#include "base/fs.h"
#include "base/text.h"
#include "program/finding.h"
#include "program/observation.h"
#include "program/trace.h"
#include "program/verdict.h"
#include "tap.h"

#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

static bool announces(const char *name, const char *text, struct arena *a,
                      struct volatile_accesses *out)
{
    struct program_file file = {name, text, strlen(text)};
    struct program p = {.language = "c", .files = &file, .n_files = 1, .needs = ""};
    return program_volatile_accesses(&p, a, out);
}

static void test_traces(struct arena *a)
{
    struct volatile_trace t;
    struct volatile_accesses accesses;
    char summary[VOLATILE_SUMMARY_SIZE];
    volatile_trace_init(&t);
    is_str(volatile_trace_summary(&t, summary), "volatile: 0 accesses, hash 811C9DC5",
           "nothing happened");
    volatile_trace_add(&t, "g_5", 4, 2, false);
    is_str(volatile_trace_summary(&t, summary), "volatile: 1 accesses, hash 1C5143F5", "a read");
    volatile_trace_add(&t, "g_5", 0, 4, true);
    is_str(volatile_trace_summary(&t, summary), "volatile: 2 accesses, hash 400B87E6",
           "and a write: the hash is pinned");
    struct strbuf line;
    strbuf_init(&line, 0);
    volatile_trace_comment(&t, (const char *const[]){"g_5", "g_12"}, 2, &line);
    is_str(line.s, "volatile: 2 accesses, hash 400B87E6, of g_5 g_12", "the comment");
    const char *comments[] = {"/*\n * a program\n * %s\n */\nint x;\n", "/* %s */ int x;",
                              "// one\n\n// %s\n", "/* one */\n/* two\n   %s*/"};
    for (size_t i = 0; i < sizeof comments / sizeof *comments; i++) {
        const char *text = text_fill(a, comments[i], "%s", line.s, NULL);
        accesses = (struct volatile_accesses){.n_objects = 9};
        ok(announces("t.c", text, a, &accesses), "read back from %zu", i);
        is_str(accesses.summary, summary, "  the summary");
        ok(accesses.n_objects == 2 && !strcmp(accesses.objects[0], "g_5") &&
               !strcmp(accesses.objects[1], "g_12"),
           "  the objects");
    }
    strbuf_release(&line);
    const char *none[] = {"",
                          "/*",
                          "/* volatile: */",
                          "/* volatile: 2 accesses, hash 400B87E6 */",
                          "/* volatile: 2 accesses, hash 400B87E6, often g_5 */",
                          "/* volatile: x accesses, hash 400B87E6, of g_5 */",
                          "int x; /* volatile: 2 accesses, hash 400B87E6, of g_5 */"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        ok(!announces("t.c", none[i], a, &accesses), "no such comment: %s", none[i]);
    ok(!announces("t.h", "/* volatile: 0 accesses, hash 811C9DC5, of */", a, &accesses),
       "nor in a header");
    ok(announces("t.c", "/* volatile: 0 accesses, hash 811C9DC5, of */", a, &accesses) &&
           accesses.n_objects == 0,
       "a comment about nothing");
    is_str(volatile_summary_in(bytes_of("x\nvolatile: 1\n")), "volatile: 1\n", "the last line");
    is_str(volatile_summary_in(bytes_of("volatile: 1\n")), "volatile: 1\n", "the only one");
    is_str(volatile_summary_in(bytes_of("volatile: 1\nx\n")), "", "not another");
    is_str(volatile_summary_in(bytes_of("volatile: 1")), "", "nor half of one");
    is_str(volatile_summary_in(bytes_of("")), "", "nor none");
}

/* Whatever the names are, nothing is written outside the folder. */
static void test_announced_output(struct arena *a)
{
    static const struct {
        const char *text, *output; /* NULL: none */
    } all[] = {
        {"/* made by assay: assay gen smith -s 1\n * smith 2\n * expected: checksum = 1F\n * v "
         "*/\n",
         "checksum = 1F\n"},
        {"/* made by assay: x\n * expected: checksum = 1F */\nint x;", "checksum = 1F\n"},
        {"/* made by assay: x\n * expected:  */", NULL},
        {"/* made by assay: x */\n/* y\n * expected: checksum = 1F */\n", NULL},
        {"/* made by assay: x\n * expected: checksum = 1F\n", NULL},
        {"/* finding 3, reduced by assay: expected \"1\" */\n/* made by assay: x\n * expected: 1 "
         "*/",
         NULL},
        {"// made by assay: x\n * expected: 1 */", NULL},
        {" /* made by assay: x\n * expected: 1 */", NULL},
        {"/* made by assay", NULL},
        {"", NULL},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct program_file f = {"t.c", all[i].text, strlen(all[i].text)};
        struct bytes output = program_announced_output(&f, a);
        is_str(output.data ? output.data : "none", all[i].output ? all[i].output : "none",
               "the output that comment %zu announces", i);
    }
}

static void test_announced_needs(void)
{
    static const struct {
        const char *text, *needs;
    } all[] = {
        {"/* made by assay: assay gen smith -s 1\n * needs: -ffp-contract=off\n */\nint x;\n",
         "-ffp-contract=off"},
        {"/* made by assay: assay gen smith -s 1\n * needs: -ffp-contract=off -lm\n */\nint x;\n",
         "-ffp-contract=off"},
        {"/* made by assay: assay gen smith -s 1\n * needs: -fplugin=x.so\n */\nint x;\n", ""},
        {"/* made by assay: assay gen smith -s 1\n * needs: -ffp-contract=off -wrapper x\n */\n",
         ""},
        {"/* needs: -ffp-contract=off */\nint x;\n", ""},
        {"int x;\n", ""},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct program_file f = {"t.c", all[i].text, strlen(all[i].text)};
        is_str(program_announced_needs(&f), all[i].needs, "what comment %zu says it needs", i);
    }
}

static void test_write(void)
{
    char dir[PATH_MAX / 2], inside[PATH_MAX], link[PATH_MAX], outside[PATH_MAX];
    struct error e = {0};
    if (!ok(fs_make_temp_dir("program-test", dir, sizeof dir, &e) == 0, "a folder"))
        return;
    snprintf(inside, sizeof inside, "%s/in", dir);
    snprintf(link, sizeof link, "%s/in/link.c", dir);
    snprintf(outside, sizeof outside, "%s/out.c", dir);
    ok(!mkdir(inside, 0755) && !symlink("../out.c", link), "a folder with a link in it");
    const char *const names[] = {"../out.c", outside, "sub/../../out.c", "link.c",
                                 "..",       "",      "-o../out.c"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct program_file file = {names[i], "int x;\n", 7};
        struct program p = {.language = "c", .files = &file, .n_files = 1, .needs = ""};
        e = (struct error){0};
        ok(program_write(&p, inside, &e) == -1 && !fs_exists(outside), "'%s' is not written",
           names[i]);
        has_str(e.message, "is not written", "it says so");
    }
    struct program_file file = {"t.c", "int x;\n", 7};
    struct program p = {.language = "c", .files = &file, .n_files = 1, .needs = ""};
    is_int(program_write(&p, inside, &e), 0, "t.c is");
    fs_remove_tree(dir);
}

int main(void)
{
    struct arena a;
    arena_init(&a);
    test_announced_output(&a);
    test_announced_needs();
    struct program_file files[] = {{"driver.c", "int main(void){}\n", 17}, {"init.h", "a\0b", 3}};
    struct program p = {.language = "c", .files = files, .n_files = 2, .needs = ""}, q = p;
    struct strbuf packed;
    strbuf_init(&packed, 0);
    program_pack(&p, &packed);
    q.files = NULL;
    is_int(program_unpack(&a, packed.s, packed.n, &q), 0, "unpacked");
    ok(q.n_files == 2 && !strcmp(q.files[0].name, "driver.c") && q.files[1].size == 3 &&
           !memcmp(q.files[1].text, "a\0b", 3),
       "all there, NULs too");
    char h1[PROGRAM_HASH_SIZE], h2[PROGRAM_HASH_SIZE];
    program_hash(&p, h1);
    program_hash(&q, h2);
    is_str(h1, h2, "the same program has the same hash");
    is_str(h1, "9af00e65d76e4f320d054f14a9a4a7f1", "which is pinned");
    q.language = "c++";
    program_hash(&q, h2);
    ok(strcmp(h1, h2) != 0, "another language is another program");
    q.language = "c";
    q.build_only = true;
    program_hash(&q, h2);
    ok(strcmp(h1, h2) != 0, "and so is one that must not be run");
    bool refused = true;
    struct program r = p;
    for (size_t n = 0; n < packed.n; n++)
        refused &= n == 0 || n == 34 || program_unpack(&a, packed.s, n, &r) == -1;
    ok(refused, "a cut pack is refused");
    is_int(program_size(&p), 20, "size");
    ok(program_is_source("t.c") && program_is_source("x.lua") && !program_is_source("init.h"),
       "headers are no sources");
    ok(program_is_library("libfunc.c") && program_is_library("lib.cc") &&
           !program_is_library("libfunc.h") && !program_is_library("t.c") &&
           !program_is_library("mylib.c") && !program_is_library("lib"),
       "sources lib*.* are libraries");
    for (int i = 0; i < OUTCOME_COUNT; i++)
        is_int(outcome_from_name(outcome_name[i]), i, "outcome %s", outcome_name[i]);
    is_int(OUTCOME_COUNT, 7, "seven outcomes");
    for (int i = 0; i < ANOMALY_COUNT; i++)
        is_int(anomaly_from_name(anomaly_name[i]), i, "anomaly %s", anomaly_name[i]);
    for (int i = 0; i < EVIDENCE_COUNT; i++)
        is_int(evidence_from_name(evidence_name[i]), i, "evidence %s", evidence_name[i]);
    for (int i = 0; i < FINDING_STATE_COUNT; i++)
        is_int(finding_state_from_name(finding_state_name[i]), i, "state %s",
               finding_state_name[i]);
    is_int(outcome_from_name("nonsense"), -1, "a name that is none");
    observation_hash(0, bytes_of("x"), h1);
    observation_hash(1, bytes_of("x"), h2);
    ok(strcmp(h1, h2) != 0, "the exit status is part of what is compared");
    test_traces(&a);
    test_write();
    strbuf_release(&packed);
    arena_release(&a);
    return tap_done();
}
