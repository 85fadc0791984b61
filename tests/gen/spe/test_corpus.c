/* The list of a folder's skeletons, and when it is counted anew: after a change of what it depends
 * on, and of files that only a limit kept from being read. */
#include "gen/spe/corpus.h"
#include "base/fs.h"
#include "gen/spe/spe.h"
#include "tap.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static struct arena arena;
static const char *folder, *cache;
static int counted; /* files, by the last corpus_open */

static void progress(int done, int all)
{
    (void)all;
    counted = done;
}

static struct corpus_options options = {
    .subject.mode = SPE_SOUND, .threshold = 10000, .progress = progress};

static void write_file(const char *name, const char *text)
{
    if (fs_write(arena_printf(&arena, "%s/%s", folder, name), text, strlen(text), NULL))
        printf("Bail out! %s cannot be written\n", name);
}

/* The skeletons; -1: none could be listed. */
static int list(void)
{
    struct corpus c;
    struct error e;
    counted = 0;
    if (corpus_open(folder, &options, &c, &e)) {
        tap_note("error", e.message);
        return -1;
    }
    int n = (int)c.units.n;
    corpus_close(&c);
    return n;
}

/* The path of the only list that is kept; NULL: there is none, or more than one. */
static const char *kept(void)
{
    const char *found = NULL, *dir = arena_printf(&arena, "%s/assay", cache);
    int n = 0;
    DIR *d = opendir(dir);
    for (struct dirent *f; d && (f = readdir(d));)
        if (!strncmp(f->d_name, "skeletons-", 10)) {
            found = arena_printf(&arena, "%s/%s", dir, f->d_name);
            n++;
        }
    if (d)
        closedir(d);
    return n == 1 ? found : NULL;
}

/* Counting with no more than one file open: no process can be watched, none gives an answer. */
static int list_in_want(void)
{
    struct rlimit before, few;
    int next = open("/dev/null", O_RDONLY);
    close(next);
    getrlimit(RLIMIT_NOFILE, &before);
    few = before;
    few.rlim_cur = (rlim_t)next + 1;
    setrlimit(RLIMIT_NOFILE, &few);
    int n = list();
    setrlimit(RLIMIT_NOFILE, &before);
    return n;
}

static void test_limits(void)
{
    is_int(list_in_want(), 0, "no file can be read");
    is_int(counted, 3, "  though all were tried");
    is_int(list(), 2, "later they can");
    is_int(counted, 3, "  which needs another try of each");
    is_int(list(), 2, "what is known stays known");
    is_int(counted, 0, "  and is not counted again, the file that clang refuses included");
}

static void stop(int done, int all)
{
    (void)all;
    if (done == 2)
        _exit(0);
}

/* A process that ends after two of the three files. */
static void test_interrupted(void)
{
    options.subject.skeleton.structs = true;
    options.keep_every = 1;
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        options.progress = stop;
        list();
        _exit(1);
    }
    int status;
    is_int(waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status) : -1, 0,
           "counting is interrupted");
    is_int(list(), 2, "the next one has all");
    is_int(counted, 1, "  and counts what is left");
    is_int(list(), 2, "that list is kept");
    is_int(counted, 0, "  and is whole");
    options.subject.skeleton.structs = false;
    options.keep_every = 0;
}

static void test_contents(void)
{
    struct stat s;
    const char *path = arena_printf(&arena, "%s/a.c", folder);
    if (stat(path, &s))
        return;
    write_file("a.c", "int a, b = 5; int main(void) { a = 1; return 4; }\n");
    const struct timespec times[] = {s.st_atim, s.st_mtim};
    ok(!utimensat(AT_FDCWD, path, times, 0) && list() == 2 && counted == 3,
       "another text of the same size and time is another file");
    write_file("a.c", "int a, b = 5; int main(void) { a = 1; return 3; }\n");
    ok(list() == 2 && counted == 0, "the same text at another time is not");
}

static void test_settings(void)
{
    options.intra = true;
    ok(list() == 2 && counted == 3, "another setting is another list");
    options.intra = false;
    options.subject.skeleton.flat = options.subject.skeleton.plain = true;
    ok(list() >= 0 && counted == 3, "  flat scopes, too");
    options.subject.skeleton.flat = options.subject.skeleton.plain = false;
}

/* Each version stands in the list. One that was made by another is not believed. */
static void test_versions(void)
{
    char clang[256];
    struct strbuf text;
    const char *path = kept();
    strbuf_init(&text, 0);
    parsed_version(clang, sizeof clang);
    if (!ok(path && !fs_read(path, &text, NULL), "the list is kept"))
        return;
    ok(*clang && strstr(clang, "clang"), "libclang says its version");
    const char *versions[] = {clang, "assay " ASSAY_VERSION, "skeletons " SPE_VERSION};
    for (size_t i = 0; i < 3; i++) {
        char *at = strstr(text.s, versions[i]);
        if (!ok(at, "it names %s", versions[i]))
            continue;
        at += strlen(versions[i]) - 1;
        char last = *at;
        *at = '~';
        ok(!fs_write(path, text.s, text.n, NULL) && list() == 2 && counted == 3,
           "  another one makes it anew");
        *at = last;
    }
    ok(list() == 2 && counted == 0, "then it is right again");
    strbuf_release(&text);
}

int main(void)
{
    char dir[256];
    arena_init(&arena);
    if (fs_make_temp_dir("assay-corpus", dir, sizeof dir, NULL))
        return 1;
    folder = arena_printf(&arena, "%s/programs", dir);
    cache = arena_printf(&arena, "%s/cache", dir);
    setenv("XDG_CACHE_HOME", cache, 1);
    fs_make_dirs(folder, NULL);
    write_file("a.c", "int a, b = 5; int main(void) { a = 1; return 3; }\n");
    write_file("b.c", "int main(void) { int x = 1; int y; y = 2; return x == 2; }\n");
    write_file("refused.c", "int x = ;\n");
    test_limits();
    test_versions();
    test_contents();
    test_settings();
    test_interrupted();
    fs_remove_tree(dir);
    arena_release(&arena);
    return tap_done();
}
