/* What a compiler outside of /usr brings into the sandbox, and what it leaves behind. */
#include "base/sees.h"
#include "base/child.h"
#include "base/fs.h"
#include "tap.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static struct arena arena;
static char home[512];

static const char *at(const char *path)
{
    return arena_printf(&arena, "%s/%s", home, path);
}

static void put(const char *path, const char *text)
{
    struct error e = {0};
    char *folder = arena_strdup(&arena, at(path));
    *strrchr(folder, '/') = '\0';
    if (fs_make_dirs(folder, &e) || fs_write(at(path), text, strlen(text), &e) ||
        chmod(at(path), 0755))
        printf("# %s\n", e.message);
}

static bool listed(const sees_list *list, const char *path)
{
    bool found = false;
    for (size_t i = 0; i < list->n; i++)
        found |= !strcmp(list->at[i], path);
    return found;
}

/* The list is these paths in the home, NULL-terminated, and no others. */
static void brings(const char *what, sees_list *list, const char *const *wanted)
{
    size_t n = 0;
    bool all = true;
    for (; wanted[n]; n++)
        all &= listed(list, *wanted[n] == '/' ? wanted[n] : at(wanted[n]));
    if (!ok(all && list->n == n, "%s", what))
        for (size_t i = 0; i < list->n; i++)
            printf("# %s\n", list->at[i]);
    vec_release(list);
}

#define BRINGS(what, list, ...) brings(what, list, (const char *const[]){__VA_ARGS__, NULL})

static void test_programs(void)
{
    sees_list list = {0};
    put("opt/gcc/bin/gcc", "x");
    put("build/cc", "x");
    put("bin/cc", "x");
    put("lib/libx.so", "x");
    put(".ssh/id", "secret");
    put(".local/bin/cc", "x");
    put(".local/lib/x", "x");
    put(".local/share/keyrings/login", "secret");
    put("cc", "x");
    put("python/bin/python3", "x");
    put("scripts/cc", arena_printf(&arena, "#! %s -u\n", at("python/bin/python3")));
    put("links/x", "x");

    sees_add_program(&arena, &list, at("opt/gcc/bin/gcc"));
    BRINGS("an installation: all of it", &list, "opt/gcc/bin", "opt/gcc");
    sees_add_program(&arena, &list, at("build/cc"));
    BRINGS("a build folder: that", &list, "build");
    sees_add_program(&arena, &list, at("bin/cc"));
    BRINGS("bin in a home: the folders of programs beside it", &list, "bin", "lib");
    sees_add_program(&arena, &list, at(".local/bin/cc"));
    BRINGS("~/.local/bin: likewise", &list, ".local/bin", ".local/lib");
    sees_add_program(&arena, &list, at("cc"));
    BRINGS("straight in a home: the file", &list, "cc");
    sees_add_program(&arena, &list, at("scripts/cc"));
    BRINGS("a script: its folder and its interpreter", &list, "scripts", "python/bin", "python");
    if (symlink("../build/cc", at("links/cc")) || symlink("links/cc", at("again")) ||
        symlink("../cc", at("links/up")))
        printf("# no links\n");
    sees_add_program(&arena, &list, at("again"));
    BRINGS("links: each step", &list, "again", "build", "links");
    sees_add_program(&arena, &list, at("links/up"));
    BRINGS("a link into a home brings no home", &list, "links", "cc");
    sees_add_program(&arena, &list, "/usr/bin/env");
    is_int(list.n, 0, "what is in /usr brings nothing");
}

static void test_words(void)
{
    sees_list list = {0};
    const char *const words[] = {arena_printf(&arena, "-I%s", at("lib")),
                                 arena_printf(&arena, "-Wl,-rpath,%s", at("build")),
                                 arena_printf(&arena, "--x=%s", at(".ssh/id")),
                                 "./program.exe",
                                 "-x/y",
                                 "/tmp",
                                 "/",
                                 "a/b",
                                 "/dev/null",
                                 "/usr/include",
                                 home};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        sees_add_word(&arena, &list, words[i]);
    BRINGS("paths in words; whole homes are none", &list, "lib", "build", ".ssh");
}

/* In the sandbox: a compiler in a folder that is closed to others runs, its secrets stay. */
static void test_inside(void)
{
    struct error e = {0};
    struct child_result r;
    if (child_sandbox_available(&e)) {
        tap_skip("a compiler in a home", e.message);
        return;
    }
    put("mine/cc", "#!/bin/sh\ncat \"$@\"; echo ran\n");
    chmod(at("mine"), 0700);
    const char *const argv[] = {at("mine/cc"), at(".ssh/id"), NULL};
    struct child_spec spec = {.argv = argv, .limits = {.wall_ms = 120000}, .sandbox = {.on = true}};
    child_result_init(&r, 4096, 4096);
    is_int(child_run(&spec, &r, &e), 0, "a compiler in a home");
    is_str(r.out.s, "ran\n", "runs, and sees nothing else of it");
    has_str(r.err.s, "No such file", "not even closed doors");
    child_result_release(&r);
}

int main(void)
{
    struct error e = {0};
    arena_init(&arena);
    if (fs_make_temp_dir("assay-home", home, sizeof home, &e) || setenv("HOME", home, 1))
        return 1;
    test_programs();
    test_words();
    test_inside();
    fs_remove_tree(home);
    arena_release(&arena);
    return tap_done();
}
