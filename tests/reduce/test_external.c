/* C-Vise or C-Reduce, where there is one; and a tool of our own that behaves badly, everywhere. */
#include "base/fs.h"
#include "reduce/external.h"
#include "tap.h"

#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Interesting: the word stands in the first file, and the second one is there. */
static const char script[] = "#!/bin/sh\n"
                             "[ -f b.txt ] || exit 1\n"
                             "grep -q -e '^magic' a.txt\n";

static char home[PATH_MAX]; /* TMPDIR of this test: nothing may be left in it */
static volatile int stop;

struct heard {
    int64_t last;
    int times;
    bool named;
    bool stops; /* at the first success */
};

static void listen(void *of, int64_t bytes, const char *pass)
{
    struct heard *h = of;
    h->last = bytes;
    h->times++;
    h->named |= *pass != '\0';
    if (h->stops)
        stop = 1;
}

static int left_behind(void)
{
    int n = 0;
    DIR *d = opendir(home);
    for (struct dirent *entry; d && (entry = readdir(d));)
        n += entry->d_name[0] != '.';
    if (d)
        closedir(d);
    return n;
}

static void make_program(struct arena *a, struct program *p)
{
    struct strbuf text;
    strbuf_init(&text, 0);
    for (int i = 0; i < 100; i++)
        strbuf_addf(&text, "%s %d\n", i == 57 ? "magic" : "nothing", i);
    *p = (struct program){.language = "none",
                          .n_files = 2,
                          .needs = "",
                          .expected = {"100 lines", 9},
                          .made = {"", "", "", 0, NULL}};
    p->files = arena_array(a, struct program_file, 2);
    p->files[0] = (struct program_file){"a.txt", arena_memdup(a, text.s, text.n), text.n};
    p->files[1] = (struct program_file){"b.txt", "one\ntwo\n", 8};
    strbuf_release(&text);
}

static bool is_magic(const struct program *p)
{
    return p->n_files == 2 && !strcmp(p->files[0].name, "a.txt") &&
           (strstr(p->files[0].text, "\nmagic") || !strncmp(p->files[0].text, "magic", 5));
}

static void test_tool(const struct external_reducer *tool)
{
    struct arena a;
    struct program p, out;
    struct heard heard = {0};
    struct error e = {0};
    struct external_job job = {.tool = tool,
                               .script = script,
                               .cores = 1,
                               .test_seconds = 20,
                               .stop = &stop,
                               .of = &heard,
                               .progress = listen};
    arena_init(&a);
    make_program(&a, &p);
    is_int(reduce_external(&job, &p, &a, &out, &e), 0, "%s runs: %s", tool->version, e.message);
    ok(is_magic(&out), "what it leaves is interesting");
    ok(program_size(&out) <= 10, "and small: %zu bytes", program_size(&out));
    ok(!out.expected.data, "what the original printed is forgotten");
    ok(heard.times > 1 && heard.last < 500, "progress was told %d times", heard.times);
    ok(heard.named, "with the name of a pass");
    is_int(left_behind(), 0, "nothing is left behind");

    heard = (struct heard){.stops = true};
    is_int(reduce_external(&job, &p, &a, &out, &e), 1, "stopped on its way");
    ok(is_magic(&out), "what it had is interesting");
    ok(program_size(&out) < program_size(&p), "and smaller: %zu bytes", program_size(&out));
    is_int(left_behind(), 0, "nothing is left behind");
    stop = 0;
    arena_release(&a);
}

/* A tool of ours: `body` is run in the folder with the files. */
static int run_own(const char *body, const char *own_script, struct arena *a, struct program *p,
                   struct program *out, struct error *e)
{
    char path[PATH_MAX + 16];
    struct external_reducer tool = {"own", path, "1"};
    struct external_job job = {
        .tool = &tool, .script = own_script, .cores = 1, .test_seconds = 5, .wall_ms = 3000};
    snprintf(path, sizeof path, "%s/tool", home);
    if (fs_write(path, body, strlen(body), e) || chmod(path, 0755))
        return -2;
    make_program(a, p);
    int status = reduce_external(&job, p, a, out, e);
    unlink(path);
    return status;
}

static void test_bad_tools(void)
{
    struct arena a;
    struct program p, out;
    struct error e = {0};
    arena_init(&a);
    is_int(run_own("#!/bin/sh\necho magic >a.txt\n", script, &a, &p, &out, &e), 0, "a good tool");
    is_str(out.files[0].text, "magic\n", "its file is taken");
    is_str(out.files[1].text, "one\ntwo\n", "so is the one that it left alone");
    is_int(run_own("#!/bin/sh\necho other >a.txt\n", script, &a, &p, &out, &e), 0,
           "a tool that leaves something boring");
    ok(out.files[0].size == p.files[0].size && out.expected.data, "gets us the original");
    is_int(run_own("#!/bin/sh\necho magic >a.txt\nsleep 100\n", script, &a, &p, &out, &e), 1,
           "a tool that does not end");
    is_str(out.files[0].text, "magic\n", "what it had is taken");
    is_int(run_own("#!/bin/sh\nexit 7\n", script, &a, &p, &out, &e), -1, "a tool that fails");
    has_str(e.message, "status 7", "is told");
    is_int(run_own("#!/bin/sh\nrm a.txt\n", script, &a, &p, &out, &e), -1,
           "a tool that removes a file");
    has_str(e.file, "a.txt", "is told too");
    is_int(run_own("#!/bin/sh\necho magic >a.txt\n", "#!/bin/sh\nexit 1\n", &a, &p, &out, &e), -1,
           "a script that finds nothing interesting");
    has_str(e.message, "to begin with", "is told before anything is done");
    is_int(
        run_own("#!/bin/sh\n[ \"$*\" = '--n 1 --timeout 5 --not-c ./interesting.sh a.txt b.txt' ] "
                "&& ./interesting.sh && echo magic >a.txt\n",
                script, &a, &p, &out, &e),
        0, "the command line is that of both tools");
    is_int(left_behind(), 0, "nothing is left behind");
    arena_release(&a);
}

int main(void)
{
    struct arena a;
    struct external_reducer tool;
    struct error e = {0};
    if (fs_make_temp_dir("assay-test-external-", home, sizeof home, &e)) {
        ok(false, "%s", e.message);
        return tap_done();
    }
    setenv("TMPDIR", home, 1);
    arena_init(&a);
    test_bad_tools();
    if (reduce_external_find(&a, &tool)) {
        tap_skip("C-Vise and C-Reduce", "neither is installed");
    } else {
        ok(*tool.path == '/' && *tool.version, "%s is %s", tool.path, tool.version);
        test_tool(&tool);
    }
    setenv("PATH", "/nonexistent", 1);
    is_int(reduce_external_find(&a, &tool), -1, "none on an empty path");
    arena_release(&a);
    fs_remove_tree(home);
    return tap_done();
}
