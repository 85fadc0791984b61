/* Scripts of interest: written, run by sh on programs that show an anomaly and on programs that do
 * not. The accused and the reference are one compiler with two meanings of BAD. */
#include "base/child.h"
#include "base/fs.h"
#include "reduce/script.h"
#include "tap.h"

#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>

static char dir[PATH_MAX];

static void write_file(const char *name, const char *text, mode_t mode)
{
    char path[PATH_MAX + 32];
    struct error e = {0};
    snprintf(path, sizeof path, "%s/%s", dir, name);
    if (fs_write(path, text, strlen(text), &e) || chmod(path, mode))
        ok(false, "%s: %s", path, e.message);
}

/* The exit status of the script in a fresh folder with this program. */
static int judge(const struct reduce_script *s, const char *program)
{
    struct strbuf text;
    struct error e = {0};
    struct child_result r;
    char work[PATH_MAX + 16], script[PATH_MAX + 32];
    strbuf_init(&text, 0);
    if (reduce_script(s, &text, &e))
        ok(false, "script: %s", e.message);
    write_file("interesting.sh", text.s, 0755);
    snprintf(script, sizeof script, "%s/interesting.sh", dir);
    snprintf(work, sizeof work, "%s/work", dir);
    fs_remove_tree(work);
    fs_make_dirs(work, &e);
    write_file("work/t.c", program, 0644);
    const char *const argv[] = {"sh", script, NULL};
    const struct child_spec spec = {.argv = argv, .cwd = work, .limits = {.wall_ms = 120 * 1000}};
    child_result_init(&r, 1 << 16, 1 << 16);
    int status = child_run(&spec, &r, &e) || r.end != CHILD_EXITED ? -1 : r.status;
    if (status != 0 && status != 1) {
        tap_note("script", text.s);
        tap_note("error", r.err.s);
    }
    child_result_release(&r);
    strbuf_release(&text);
    return status;
}

#define HEAD "#include <stdio.h>\n#include <stdlib.h>\n"

static struct reduce_script a_script(enum anomaly anomaly)
{
    return (struct reduce_script){
        .title = "made by the test",
        .sources = "t.c",
        .anomaly = anomaly,
        .accused = {"gcc -w -DBAD=1 -c t.c -o t.o\ngcc t.o -o t", "./t"},
        .reference = {"gcc -w -DBAD=0 t.c -o r", "./r"},
        .run_seconds = 10,
        .build_seconds = 10,
    };
}

static void test_output(void)
{
    struct reduce_script s = a_script(ANOMALY_WRONG_OUTPUT);
    is_int(judge(&s, HEAD "int main(void) { printf(\"%d\\n\", BAD); return 0; }"), 0,
           "another output");
    is_int(judge(&s, HEAD "int main(void) { return BAD; }"), 0, "another status");
    is_int(judge(&s, HEAD "int main(void) { printf(\"1\\n\"); return 0; }"), 1, "the same output");
    is_int(judge(&s, HEAD "int main(void) { if (BAD) abort(); return 0; }"), 1,
           "a crash is another anomaly");
    is_int(judge(&s, HEAD "int main(void) { if (!BAD) abort(); return 0; }"), 1,
           "a reference that crashes says nothing");
    is_int(judge(&s, HEAD "int main(void) { return BAD }"), 1, "no program");
}

static void test_run(void)
{
    struct reduce_script s = a_script(ANOMALY_RUN_CRASH);
    is_int(judge(&s, HEAD "int main(void) { if (BAD) abort(); return 0; }"), 0, "a crash");
    is_int(judge(&s, HEAD "int main(void) { return BAD; }"), 1, "no crash");
    is_int(judge(&s, HEAD "int main(void) { abort(); }"), 1, "a crash with the reference too");
    s.run_seconds = 1;
    is_int(judge(&s, HEAD "int main(void) { while (BAD) puts(\"y\"); return 0; }"), 1,
           "endless output is no crash");
    s.run_seconds = 10;
    s.pattern = "assertion 7";
    is_int(judge(&s, HEAD "int main(void) { if (BAD) { fputs(\"assertion 7\", stderr); abort(); } "
                          "return 0; }"),
           0, "a crash with its words");
    is_int(judge(&s, HEAD "int main(void) { if (BAD) abort(); return 0; }"), 1,
           "a crash without them");
    s = a_script(ANOMALY_RUN_HANG);
    s.run_seconds = 1;
    is_int(judge(&s, HEAD "int main(void) { while (BAD) {} return 0; }"), 0, "no end");
    is_int(judge(&s, HEAD "int main(void) { return BAD; }"), 1, "an end");
    is_int(judge(&s, HEAD "int main(void) { while (1) {} return 0; }"), 1,
           "no end with the reference either");
}

static void test_build(void)
{
    struct reduce_script s = a_script(ANOMALY_BUILD_CRASH);
    write_file("crashing",
               "#!/bin/sh\n"
               "grep -q magic t.c && { echo \"t.c:3: internal compiler error: in don't, at "
               "x.c:7\"; exit 4; }\n"
               "grep -q signal t.c && kill -SEGV $$\n"
               "grep -q other t.c && { echo 'internal compiler error: in other'; exit 4; }\n"
               "grep -q stays t.c && sleep 60\n"
               "grep -q wrong t.c && { echo 'error: rejected'; exit 1; }\n"
               "exit 0\n",
               0755);
    s.accused.build = "../crashing t.c";
    s.reference.build = "gcc -c t.c";
    is_int(judge(&s, "int magic;"), 0, "an internal error");
    is_int(judge(&s, "int signal;"), 0, "a signal");
    is_int(judge(&s, "int wrong;"), 1, "an error is no crash");
    is_int(judge(&s, "int fine;"), 1, "no crash");
    is_int(judge(&s, "int magic"), 1, "the reference rejects it");
    s.pattern = "internal compiler error\nin don't, at x.c";
    is_int(judge(&s, "int magic;"), 0, "the same words");
    is_int(judge(&s, "int other;"), 1, "other words");
    s = a_script(ANOMALY_BUILD_FAIL);
    s.accused.build = "../crashing t.c";
    s.reference.build = "gcc -c t.c";
    s.pattern = "rejected";
    is_int(judge(&s, "int wrong;"), 0, "rejected");
    is_int(judge(&s, "int signal;"), 1, "a crash is another anomaly");
    is_int(judge(&s, "int fine;"), 1, "accepted");
    s = a_script(ANOMALY_BUILD_HANG);
    s.accused.build = "../crashing t.c";
    s.reference.build = "gcc -c t.c";
    s.build_seconds = 1;
    is_int(judge(&s, "int stays;"), 0, "the compiler does not end");
    is_int(judge(&s, "int fine;"), 1, "it ends");
}

/* -- undefined behaviour ----------------------------------------------------------------------- */

static bool works(const char *command)
{
    char work[PATH_MAX + 16];
    struct child_result r;
    struct error e = {0};
    const char *const argv[] = {"sh", "-c", command, NULL};
    snprintf(work, sizeof work, "%s", dir);
    const struct child_spec spec = {.argv = argv, .cwd = work, .limits = {.wall_ms = 60 * 1000}};
    child_result_init(&r, 1 << 12, 1 << 12);
    bool good = !child_run(&spec, &r, &e) && r.end == CHILD_EXITED && r.status == 0;
    child_result_release(&r);
    return good;
}

static const char differs[] = HEAD "int main(void) { printf(\"%d\\n\", BAD); return 0; }";

static void test_warnings(void)
{
    struct reduce_script s = a_script(ANOMALY_WRONG_OUTPUT);
    s.needs = "-DBAD=1";
    s.accused.build = "gcc -w -UBAD -DBAD=1 t.c -o t";
    static const struct {
        const char *text, *name;
    } bad[] = {
        {HEAD "int main(void) { int x; printf(\"%d %d\\n\", x, BAD); return 0; }", "uninitialised"},
        {HEAD "int f(void) {}\nint main(void) { f(); return BAD; }", "no value returned"},
        {"void main(void) {}", "main without a value"},
        {"int main(void) { return f(BAD); }\nint f(int x) { return x; }", "no declaration"},
        {"int main(void) { int *p = 7; return BAD + !p; }", "an integer as pointer"},
        {"int *f(void) { int x = 1; return &x; }\nint main(void) { return BAD + !f(); }",
         "the address of a local"},
        {HEAD "int main(void) { printf(\"%s\\n\", 0 ? 1 : BAD); return 0; }", "a wrong format"},
    };
    for (int who = 0; who < 2; who++) {
        if (who && !works("clang --version")) {
            tap_skip("warnings of clang", "there is no clang");
            continue;
        }
        s.gcc = who ? NULL : "gcc";
        s.clang = who ? "clang" : NULL;
        is_int(judge(&s, differs), 0, "%s: nothing to warn of", who ? "clang" : "gcc");
        struct reduce_script build = s; /* without running anything */
        build.anomaly = ANOMALY_BUILD_CRASH;
        build.accused.build = "sh -c 'kill -SEGV $$'";
        build.reference.build = NULL;
        is_int(judge(&build, differs), 0, "and the build crashes");
        for (size_t i = 0; i < sizeof bad / sizeof *bad; i += who ? (size_t)tap_amount(3, 1) : 1)
            is_int(judge(&build, bad[i].text), 1, "%s", bad[i].name);
    }
}

/* Programs that only sanitizers find fault with. */
static void test_sanitizers(void)
{
    struct reduce_script s = a_script(ANOMALY_WRONG_OUTPUT);
    static const char overflow[] =
        HEAD "int main(int n, char **v) { int x = 2147483647; x += n; printf(\"%d %d\\n\", x, "
             "BAD); return v == 0; }";
    static const char out_of_bounds[] =
        HEAD "int main(int n, char **v) { int a[4] = {0}; printf(\"%d\\n\", BAD); return a[n + 3] "
             "== 12345 + (v == 0); }";
    static const char unsequenced[] =
        HEAD "int main(void) { int x = 1; x = x++ + x++; printf(\"%d\\n\", BAD); return 0; }";
    static const char uninitialised[] =
        HEAD "int main(int n, char **v) { int *volatile p = malloc(8); if (p[n]) puts(\"y\"); "
             "printf(\"%d\\n\", BAD); return v == 0; }";
    s.needs = "-DBAD=1";
    s.accused.build = "gcc -w -UBAD -DBAD=1 t.c -o t";
    if (!works("echo 'int main(void) { return 0; }' >s.c && gcc -fsanitize=address,undefined s.c "
               "-o s && ./s")) {
        tap_skip("sanitizers", "gcc has none here");
        return;
    }
    is_int(judge(&s, overflow), 0, "without judges an overflow is as good as anything");
    s.gcc = "gcc";
    is_int(judge(&s, differs), 0, "nothing undefined");
    is_int(judge(&s, overflow), 1, "an overflow");
    is_int(judge(&s, out_of_bounds), 1, "an array's end");
    is_int(judge(&s, unsequenced), 1, "unsequenced side effects");

    write_file("assay", "#!/bin/sh\nexit $(cat ../says)\n", 0755);
    s.assay = "../assay";
    write_file("says", "0", 0644);
    is_int(judge(&s, overflow), 0, "what assay says comes first: defined");
    is_int(judge(&s, unsequenced), 0, "and is enough");
    write_file("says", "1", 0644);
    is_int(judge(&s, differs), 1, "undefined");
    write_file("says", "3", 0644);
    is_int(judge(&s, differs), 0, "it cannot judge: the sanitizers do");
    is_int(judge(&s, overflow), 1, "and see the overflow");
    write_file("says", "2", 0644);
    is_int(judge(&s, differs), 1, "not even a program");

    if (!works("clang -fsanitize=memory s.c -o s && ./s")) {
        tap_skip("memory sanitizer", "clang has none here");
        return;
    }
    s.assay = NULL;
    is_int(judge(&s, uninitialised), 0, "memory without a value: gcc does not see it");
    s.clang = "clang";
    is_int(judge(&s, uninitialised), 1, "clang does");
    is_int(judge(&s, differs), 0, "and finds no fault with what is right");
}

static void test_wishes(void)
{
    struct strbuf out;
    struct error e = {0};
    struct reduce_script s = a_script(ANOMALY_SLOW_COMPILE);
    strbuf_init(&out, 0);
    is_int(reduce_script(&s, &out, &e), -1, "no script for a slow compiler");
    has_str(e.message, "slow-compile", "which the message says");
    s = a_script(ANOMALY_WRONG_OUTPUT);
    s.reference.run = NULL;
    is_int(reduce_script(&s, &out, &e), -1, "a wrong output needs a reference");
    s = a_script(ANOMALY_RUN_CRASH);
    s.accused.run = NULL;
    is_int(reduce_script(&s, &out, &e), -1, "a crash needs something to run");
    is_int(out.n, 0, "nothing was written");
    s = a_script(ANOMALY_RUN_CRASH);
    s.memory_mb = 512;
    is_int(reduce_script(&s, &out, &e), 0, "a script");
    has_str(out.s, "# made by the test\n", "has its title");
    has_str(out.s, "ulimit -v 524288", "and a limit on memory");
    has_str(out.s, "cvise --n 2 ./interesting.sh t.c", "and says how to use it");
    strbuf_release(&out);
}

int main(void)
{
    struct error e = {0};
    if (fs_make_temp_dir("assay-test-script-", dir, sizeof dir, &e)) {
        ok(false, "%s", e.message);
        return tap_done();
    }
    if (works("gcc --version && timeout --version")) {
        test_output();
        test_run();
        test_build();
        test_warnings();
        test_sanitizers();
    } else {
        tap_skip("scripts", "there is no gcc, or no timeout");
    }
    test_wishes();
    fs_remove_tree(dir);
    return tap_done();
}
