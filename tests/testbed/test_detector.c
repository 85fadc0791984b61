/* What a program says of its undefined operation and what a detector saw of it, as texts that read
 * back; breakpoints at the lines of a built program; and the toolchains that are shipped, which
 * must name rules and rows that there are. Argument: the folder of the toolchains. */
#include "base/fs.h"
#include "gen/ub/rows.h"
#include "program/undefined.h"
#include "tap.h"
#include "testbed/detector.h"
#include "testbed/toolchain.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static struct arena arena;

static struct program program_of(const char *text, const char *twin)
{
    struct program p = {.language = "c", .needs = "", .build_only = true};
    p.files = arena_array(&arena, struct program_file, 2);
    p.files[p.n_files++] = (struct program_file){UNDEFINED_FILE, text, strlen(text)};
    p.files[p.n_files++] = (struct program_file){UNDEFINED_TWIN, twin, strlen(twin)};
    return p;
}

static void test_comment(void)
{
    struct undefined u = {"out-of-bounds", "heap-write", "func_3", 0, 0, 0, true}, read = {0};
    const char *text = arena_printf(&arena, "/* made by a test\n * %s */\nint\nx /* here */\n;\n",
                                    undefined_comment(&u, &arena));
    struct program p = program_of(text, "int x;\n");
    undefined_locate(&p.files[0], " /* here */", &u);
    is_int(u.line, 5, "the line of the mark");
    text = arena_printf(&arena, "/* first */\n/* %s */\nint x;\n", undefined_comment(&u, &arena));
    p = program_of(text, "int x;\n");
    ok(program_undefined(&p, &arena, &read) && !strcmp(read.rule, "out-of-bounds") &&
           !strcmp(read.row, "heap-write") && !strcmp(read.func, "func_3") && read.line == 5 &&
           read.first == 5 && read.last == 6 && read.stored,
       "what it says reads back, from a second comment, too");
    p = program_of("int x; /* undefined: a/b at line 1 of 1-1, in f */\n", "");
    ok(!program_undefined(&p, &arena, &read), "behind the first token nothing is said");
    p = program_of("/* undefined: behaviour */\n", "");
    ok(!program_undefined(&p, &arena, &read), "another sentence is none");
    struct program half = undefined_half(&p, UNDEFINED_TWIN, &arena);
    ok(half.n_files == 1 && program_is_twin(half.files[0].name) && !half.build_only,
       "the twin by itself is to be run");
}

static void test_text(void)
{
    struct detection d = {"out-of-bounds/heap", "out-of-bounds", 7, SITE_GONE, TWIN_REPORTED,
                          "t.c:7: bad",         "twin.c:7: bad"};
    struct detection none = {"a/b", NULL, 0, SITE_REACHED, TWIN_SILENT, "", ""}, read = {0};
    ok(detection_read(bytes_of(detection_text(&d, &arena)), &arena, &read) &&
           !strcmp(read.what, d.what) && !strcmp(read.said, d.said) && read.line == 7 &&
           read.site == SITE_GONE && read.twin == TWIN_REPORTED && !strcmp(read.text, d.text) &&
           !strcmp(read.twin_text, d.twin_text),
       "a detection reads back");
    ok(detection_read(bytes_of(detection_text(&none, &arena)), &arena, &read) && !read.said &&
           !read.line && read.site == SITE_REACHED && read.twin == TWIN_SILENT,
       "so does one without a report");
    ok(!detection_read(bytes_of("checksum = 1\n"), &arena, &read), "an output is none");
    ok(undefined_stands_for("a b/c", "b", "c") && !undefined_stands_for("a b/c", "b", "d") &&
           !undefined_stands_for("ab", "a", "b") && undefined_stands_for("any", "x", "y"),
       "words of a report");
}

/* How a program ends: 0, or its signal. */
static int run(const char *exe)
{
    int status;
    pid_t pid = fork();
    if (!pid) {
        execl(exe, exe, (char *)NULL);
        _exit(127);
    }
    waitpid(pid, &status, 0);
    return WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
}

/* 0: all went well. */
static int shell(const char *command)
{
    pid_t pid = fork();
    int status;
    if (!pid) {
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(127);
    }
    waitpid(pid, &status, 0);
    return status;
}

/* Breakpoints at a line that is executed, at one that is not, and at one without code. */
static void test_break(void)
{
    static const struct {
        int line, signal;
        bool any;
        const char *name;
    } lines[] = {{3, SIGTRAP, true, "a line that is executed"},
                 {5, 0, true, "one that is not"},
                 {1, 0, false, "one that has no code"}};
    static const char text[] = "static volatile int x, y;\nint main(void) {\n  x = 1;\n  if (y)\n"
                               "    x = 2;\n  return 0;\n}\n";
    char dir[256];
    struct error e = {0};
    struct strbuf table;
    if (fs_make_temp_dir("assay-test", dir, sizeof dir, &e)) {
        ok(false, "%s", e.message);
        return;
    }
    strbuf_init(&table, 0);
    const char *exe = arena_printf(&arena, "%s/t", dir);
    fs_write(arena_printf(&arena, "%s/t.c", dir), text, strlen(text), &e);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        strbuf_clear(&table);
        ok(!shell(arena_printf(&arena,
                               "cd %s && gcc -g -O1 -o t t.c && "
                               "readelf --wide --debug-dump=decodedline t >table",
                               dir)) &&
               !fs_read(arena_printf(&arena, "%s/table", dir), &table, &e),
           "built");
        int n = detector_break(exe, table.s, "t.c", lines[i].line, &e);
        ok((n > 0) == lines[i].any, "%s: %d breakpoints", lines[i].name, n);
        is_int(run(exe), lines[i].signal, "  and so it ends");
    }
    is_int(detector_break(arena_printf(&arena, "%s/none", dir), "", "t.c", 1, &e), -1,
           "a file that is not there");
    strbuf_release(&table);
    fs_remove_tree(dir);
}

static bool names_row(const char *name)
{
    for (int i = 0; i < ub_n_rows; i++)
        if (ub_row_is(&ub_rows[i], name))
            return true;
    return false;
}

static void test_shipped(const char *dir)
{
    toolchain_list list = {0};
    struct error e = {0};
    int detectors = 0;
    if (!ok(!toolchains_read(&dir, 1, &arena, &list, &e), "toolchains are read: %s", e.message))
        return;
    for (size_t i = 0; i < list.n; i++) {
        const struct toolchain *t = &list.at[i];
        const string_list *lists[] = {&t->detects, &t->may_detect};
        detectors += t->report.n > 0;
        for (int k = 0; k < 2; k++)
            for (size_t j = 0; j < lists[k]->n; j++)
                ok(names_row(lists[k]->at[j]), "%s: %s", t->name, lists[k]->at[j]);
        for (size_t j = 0; j < t->report.n; j++) {
            char **words;
            int n = text_split(&arena, t->report.at[j].to, &words);
            for (int k = 0; k < n; k++)
                ok(names_row(words[k]) || !strcmp(words[k], "any") || !strcmp(words[k], "other"),
                   "%s reports: %s", t->name, words[k]);
        }
    }
    is_int(detectors, 9, "detectors");
    toolchains_release(&list);
}

int main(int argc, char **argv)
{
    arena_init(&arena);
    test_comment();
    test_text();
    test_break();
    test_shipped(argc > 1 ? argv[1] : "testbeds");
    arena_release(&arena);
    return tap_done();
}
