#include "base/sees.h"

#include "base/child.h"
#include "base/fs.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_LINKS = 8, SCRIPT_HEAD = 256, MOST_FILES = 100 };

static bool is_below(const char *path, const char *folder)
{
    size_t n = strlen(folder);
    return !strncmp(path, folder, n) && (path[n] == '/' || path[n] == '\0');
}

bool sees_anyway(const char *path)
{
    static const char *const shown[] = {
        "/usr",  "/bin", "/sbin",   "/lib",      "/lib32",     "/lib64",     "/dev",
        "/proc", "/sys", "/libx32", "/tmp/work", "/nix/store", "/gnu/store", "/etc/alternatives"};
    if (is_below(path, "/dev/shm")) /* where servers have their sockets */
        return false;
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
        if (is_below(path, shown[i]))
            return true;
    return false;
}

/* Does a folder hold more than one installation: a home, or what all users share? Judged by where
 * it really is: "~/bin/.." is a home, too. */
static bool is_wide(struct arena *a, const char *folder)
{
    static const char *const shared[] = {"/tmp",     "/var/tmp", "/dev/shm", "/run", "/etc",
                                         "/var/lib", "/root",    "/opt",     "/srv"};
    char real[PATH_MAX], home[PATH_MAX];
    const char *own = getenv("HOME");
    if (!realpath(folder, real) || !strcmp(real, "/") || !strcmp(fs_folder(a, real), "/home"))
        return true;
    if (own && realpath(own, home) && is_below(home, real))
        return true;
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++)
        if (is_below(shared[i], real))
            return true;
    return false;
}

void sees_add(struct arena *a, sees_list *list, const char *path)
{
    for (size_t i = 0; i < list->n; i++)
        if (is_below(path, list->at[i]))
            return;
    vec_push(list, arena_strdup(a, path));
}

/* A file with its folder, or a folder, unless that is wide. */
static void add_with_folder(struct arena *a, sees_list *list, const char *path)
{
    if (*path != '/' || sees_anyway(path) || !fs_exists(path))
        return;
    bool folder = fs_is_dir(path);
    const char *around = folder ? path : fs_folder(a, path);
    if (!is_wide(a, around))
        sees_add(a, list, around);
    else if (!folder)
        sees_add(a, list, path);
}

/* .../bin/NAME: what lies beside bin. */
static void add_installation(struct arena *a, sees_list *list, const char *program)
{
    static const char *const parts[] = {"lib", "lib32", "lib64", "libexec", "include"};
    const char *folder = fs_folder(a, program), *prefix = fs_folder(a, folder);
    if (strcmp(fs_name(folder), "bin") != 0 || sees_anyway(prefix))
        return;
    if (!is_wide(a, prefix) && *fs_name(prefix) != '.') { /* ~/.local has more than programs */
        sees_add(a, list, prefix);
        return;
    }
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const char *part = arena_printf(a, "%s/%s", strcmp(prefix, "/") ? prefix : "", parts[i]);
        if (!sees_anyway(part) && fs_is_dir(part))
            sees_add(a, list, part);
    }
}

/* "#!/home/me/bin/python3 -u": the path; NULL: it is no script. */
static const char *interpreter_of(struct arena *a, const char *program)
{
    char head[SCRIPT_HEAD + 1];
    int fd = open(program, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    ssize_t n = fd < 0 ? -1 : read(fd, head, SCRIPT_HEAD);
    if (fd >= 0)
        close(fd);
    head[n > 0 ? n : 0] = '\0';
    if (strncmp(head, "#!", 2) != 0)
        return NULL;
    const char *path = head + 2 + strspn(head + 2, " \t");
    return *path == '/' ? arena_memdup(a, path, strcspn(path, " \t\r\n")) : NULL;
}

/* What a link says, as an absolute path; NULL: it is none. */
static const char *target_of(struct arena *a, const char *path)
{
    char target[PATH_MAX];
    ssize_t n = readlink(path, target, sizeof target - 1);
    if (n <= 0)
        return NULL;
    target[n] = '\0';
    return *target == '/' ? arena_strdup(a, target)
                          : arena_printf(a, "%s/%s", fs_folder(a, path), target);
}

static void add_one_program(struct arena *a, sees_list *list, const char *path)
{
    for (int i = 0; path && i < MOST_LINKS; i++) {
        char real[PATH_MAX];
        if (sees_anyway(path))
            return;
        add_with_folder(a, list, path);
        if (realpath(path, real) && !sees_anyway(real)) {
            add_with_folder(a, list, real);
            add_installation(a, list, real);
        }
        path = target_of(a, path);
    }
}

void sees_add_program(struct arena *a, sees_list *list, const char *path)
{
    if (*path != '/' || sees_anyway(path))
        return;
    add_one_program(a, list, path);
    const char *interpreter = interpreter_of(a, path);
    if (interpreter)
        add_one_program(a, list, interpreter);
}

void sees_add_word(struct arena *a, sees_list *list, const char *word)
{
    static const char ends[] = ",:;=\"'`$|&<>() \t\n";
    for (const char *at = word; (at = strchr(at, '/')) != NULL;) {
        size_t n = strcspn(at, ends);
        bool begins = at == word || strchr(ends, at[-1]) || (at == word + 2 && *word == '-');
        if (begins) {
            const char *path = arena_memdup(a, at, n);
            if (!fs_is_dir(path) && !access(path, X_OK))
                sees_add_program(a, list, path);
            else
                add_with_folder(a, list, path);
        }
        at += n;
    }
}

/* To the user and the group that a command in the sandbox has when we are root. */
static bool is_closed(const char *path)
{
    struct stat st;
    if (geteuid() != 0 || stat(path, &st) || !S_ISDIR(st.st_mode))
        return false;
    return (st.st_gid == CHILD_SANDBOX_ID && !(st.st_mode & S_IXGRP)) ||
           (st.st_gid != CHILD_SANDBOX_ID && !(st.st_mode & S_IXOTH));
}

const char *const *sees_all(struct arena *a, const sees_list *list)
{
    sees_list all = {0};
    for (size_t i = 0; i < list->n; i++) {
        DIR *dir = is_closed(list->at[i]) ? opendir(list->at[i]) : NULL;
        size_t most = all.n + MOST_FILES;
        for (struct dirent *entry; dir && all.n < most && (entry = readdir(dir));)
            if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
                vec_push(&all, arena_printf(a, "%s/%s", list->at[i], entry->d_name));
        if (dir)
            closedir(dir);
        else
            vec_push(&all, list->at[i]);
    }
    vec_push(&all, NULL);
    const char **copy = arena_array(a, const char *, all.n);
    memcpy(copy, all.at, all.n * sizeof *copy);
    vec_release(&all);
    return copy;
}
