#include "base/fs.h"
#include "base/text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *reason(int error)
{
    return error == ENOSPC ? "the disk is full, free some space" : strerror(error);
}

/* `fd` is that of the file, or -1 with errno set. */
static int read_and_close(int fd, const char *path, struct strbuf *out, struct error *e)
{
    if (fd < 0)
        return error_at(e, ERROR_ENVIRONMENT, path, 0, "cannot be read: %s", strerror(errno));
    char chunk[16384];
    ssize_t n;
    while ((n = read(fd, chunk, sizeof chunk)) > 0)
        strbuf_add(out, chunk, (size_t)n);
    int failed = n < 0 ? errno : 0;
    close(fd);
    if (failed)
        return error_at(e, ERROR_ENVIRONMENT, path, 0, "cannot be read: %s", strerror(failed));
    return 0;
}

int fs_read(const char *path, struct strbuf *out, struct error *e)
{
    return read_and_close(open(path, O_RDONLY | O_CLOEXEC), path, out, e);
}

int fs_read_in(const char *dir, const char *path, struct strbuf *out, struct error *e)
{
    struct open_how how = {.flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC, .resolve = RESOLVE_BENEATH};
    char whole[PATH_MAX];
    struct stat st;
    snprintf(whole, sizeof whole, "%s/%s", dir, path);
    int folder = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
    int fd = folder < 0 ? -1 : (int)syscall(SYS_openat2, folder, path, &how, sizeof how);
    int failed = errno;
    if (folder >= 0)
        close(folder);
    if (fd < 0 && failed == EXDEV)
        return error_at(e, ERROR_USAGE, whole, 0, "is not read: a link leads out of %s", dir);
    if (fd >= 0 && (fstat(fd, &st) || !S_ISREG(st.st_mode))) {
        close(fd);
        return error_at(e, ERROR_USAGE, whole, 0, "is not read: it is no file");
    }
    errno = failed;
    return read_and_close(fd, whole, out, e);
}

void fs_be_quiet(void)
{
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (nothing < 0)
        return;
    dup2(nothing, STDOUT_FILENO);
    dup2(nothing, STDERR_FILENO);
}

int fs_write_all(int fd, const void *data, size_t n)
{
    for (const char *at = data; n;) {
        ssize_t wrote = write(fd, at, n);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote <= 0)
            return -1;
        at += wrote;
        n -= (size_t)wrote;
    }
    return 0;
}

int fs_list(const char *dir, struct arena *a, string_list *out, struct error *e)
{
    DIR *all = opendir(dir);
    if (!all)
        return error_at(e, ERROR_USAGE, dir, 0, "this folder cannot be read: %s", reason(errno));
    for (struct dirent *d; (d = readdir(all));)
        if (d->d_name[0] != '.')
            vec_push(out, arena_strdup(a, d->d_name));
    closedir(all);
    text_sort(out);
    return 0;
}

/* `fd` is that of the file, or -1 with errno set. */
static int write_and_close(int fd, const char *path, const void *data, size_t n, struct error *e)
{
    int failed = fd < 0 || fs_write_all(fd, data, n) ? errno : 0;
    if (fd >= 0 && close(fd) && !failed)
        failed = errno;
    if (failed)
        return error_at(e, ERROR_ENVIRONMENT, path, 0, "cannot be written: %s", reason(failed));
    return 0;
}

int fs_write(const char *path, const void *data, size_t n, struct error *e)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    return write_and_close(fd, path, data, n, e);
}

int fs_write_in(const char *dir, const char *name, const void *data, size_t n, struct error *e)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    if (!fs_is_plain_name(name))
        return error_at(e, ERROR_ENVIRONMENT, path, 0,
                        "is not written: '%s' is not a plain file name", name);
    int folder = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
    int fd = folder < 0 ? -1
                        : openat(folder, name,
                                 O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0644);
    int failed = errno;
    if (folder >= 0)
        close(folder);
    if (fd < 0 && failed == ELOOP)
        return error_at(e, ERROR_ENVIRONMENT, path, 0,
                        "is not written: it is a symbolic link, which may point anywhere");
    errno = failed;
    return write_and_close(fd, path, data, n, e);
}

bool fs_is_plain_name(const char *name)
{
    return *name && !strchr("-@", *name) && !strchr(name, '/') && strlen(name) <= NAME_MAX &&
           strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
}

const char *fs_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

const char *fs_folder(struct arena *a, const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? arena_memdup(a, path, slash > path ? (size_t)(slash - path) : 1) : ".";
}

const char *fs_on_path(struct arena *a, const char *name)
{
    const char *path = getenv("PATH");
    while (path && *path) {
        size_t n = strcspn(path, ":");
        const char *file = arena_printf(a, "%.*s/%s", (int)n, path, name);
        if (*path == '/' && !access(file, X_OK) && !fs_is_dir(file))
            return file;
        path += n + (path[n] == ':');
    }
    return NULL;
}

bool fs_exists(const char *path)
{
    return access(path, F_OK) == 0;
}

bool fs_is_dir(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

bool fs_is_file(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

int fs_make_dirs(const char *path, struct error *e)
{
    char part[PATH_MAX];
    if (strlen(path) >= sizeof part)
        return error_at(e, ERROR_USAGE, path, 0, "path too long");
    for (size_t i = 1; path[i - 1]; i++) {
        if (path[i] && path[i] != '/')
            continue;
        memcpy(part, path, i);
        part[i] = '\0';
        if (mkdir(part, 0777) && errno != EEXIST)
            return error_at(e, ERROR_ENVIRONMENT, part, 0, "folder cannot be made: %s",
                            reason(errno));
    }
    if (!fs_is_dir(path))
        return error_at(e, ERROR_ENVIRONMENT, path, 0, "is not a folder");
    return 0;
}

/* -- temporary folders ------------------------------------------------------------------------- */

/* Those that are there, for the handler of a signal, which can reach nothing else. A slot without
 * an owner is free. */
static struct {
    volatile pid_t owner; /* a child that we forked leaves them alone */
    char path[PATH_MAX];
} temporary[64];
enum { N_TEMPORARY = sizeof temporary / sizeof *temporary };

int fs_make_temp_dir(const char *prefix, char *out, size_t out_size, struct error *e)
{
    const char *base = getenv("TMPDIR");
    int slot = 0;
    if (!base || !*base)
        base = "/tmp";
    snprintf(out, out_size, "%s/%s-XXXXXX", base, prefix);
    while (slot < N_TEMPORARY && temporary[slot].owner)
        slot++;
    if (!mkdtemp(out))
        return error_at(
            e, ERROR_ENVIRONMENT, base, 0,
            "no temporary folder can be created here: %s (set TMPDIR to another folder)",
            reason(errno));
    if (slot < N_TEMPORARY) {
        snprintf(temporary[slot].path, sizeof temporary[slot].path, "%s", out);
        temporary[slot].owner = getpid();
    }
    return 0;
}

/* Empties and closes the folder. Also used by the handler: no memory is allocated. */
static void empty_at(int fd, int depth)
{
    enum { DEEPEST = 200 };
    _Alignas(struct dirent64) char buffer[4096];
    ssize_t n;
    bool some = depth < DEEPEST;
    while (some) { /* removing entries may move others, so it is read until it is empty */
        some = false;
        lseek(fd, 0, SEEK_SET);
        while ((n = getdents64(fd, buffer, sizeof buffer)) > 0) {
            for (ssize_t at = 0; at < n;) {
                const struct dirent64 *entry = (const void *)(buffer + at);
                const char *name = entry->d_name;
                at += entry->d_reclen;
                if (!strcmp(name, ".") || !strcmp(name, ".."))
                    continue;
                if (!unlinkat(fd, name, 0)) {
                    some = true;
                    continue;
                }
                int below = openat(fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
                if (below >= 0)
                    empty_at(below, depth + 1);
                some |= !unlinkat(fd, name, AT_REMOVEDIR);
            }
        }
    }
    close(fd);
}

void fs_empty_dir(const char *path)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd >= 0)
        empty_at(fd, 0);
}

void fs_remove_tree(const char *path)
{
    if (unlink(path)) {
        fs_empty_dir(path);
        rmdir(path);
    }
    for (int i = 0; i < N_TEMPORARY; i++)
        if (temporary[i].owner && !strcmp(temporary[i].path, path))
            temporary[i].owner = 0;
}

/* What is still written to the folders has an end: children and their groups are killed. */
static void kill_children(void)
{
    char list[4096];
    int fd = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, list, sizeof list);
    pid_t pid = 0;
    if (fd >= 0)
        close(fd);
    for (ssize_t i = 0; i < n; i++) {
        if (list[i] >= '0' && list[i] <= '9') {
            pid = pid * 10 + (list[i] - '0');
        } else if (pid) {
            kill(-pid, SIGKILL);
            kill(pid, SIGKILL);
            waitpid(pid, NULL, 0);
            pid = 0;
        }
    }
}

static void clean_and_die(int signal)
{
    bool have = false;
    for (int i = 0; i < N_TEMPORARY; i++)
        have |= temporary[i].owner == getpid();
    if (have)
        kill_children();
    for (int i = 0; i < N_TEMPORARY; i++)
        if (temporary[i].owner == getpid()) {
            fs_empty_dir(temporary[i].path);
            rmdir(temporary[i].path);
        }
    raise(signal); /* by default, now; it comes when we return */
}

void fs_clean_on_signals(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
    struct sigaction action = {.sa_handler = clean_and_die, .sa_flags = (int)SA_RESETHAND}, before;
    sigfillset(&action.sa_mask);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        if (!sigaction(signals[i], NULL, &before) && before.sa_handler == SIG_DFL)
            sigaction(signals[i], &action, NULL);
}

/* -- clocks ------------------------------------------------------------------------------------ */

int64_t clock_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

int64_t clock_ms(void)
{
    return clock_us() / 1000;
}

int64_t own_cpu_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

int64_t clock_wall(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return t.tv_sec;
}

bool fs_own_folder(char *out, size_t size)
{
    ssize_t n = readlink("/proc/self/exe", out, size - 1);
    if (n <= 0)
        return false;
    out[n] = '\0';
    char *slash = strrchr(out, '/');
    if (slash)
        *slash = '\0';
    return slash != NULL;
}

bool fs_cache_file(const char *name, char *out, size_t size)
{
    const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (base && *base == '/')
        snprintf(out, size, "%s/assay", base);
    else if (home && *home == '/')
        snprintf(out, size, "%s/.cache/assay", home);
    else
        return false;
    if (fs_make_dirs(out, NULL))
        return false;
    size_t n = strlen(out);
    return (size_t)snprintf(out + n, size - n, "/%s", name) < size - n;
}

void fs_cache_write(const char *path, const char *data, size_t n)
{
    char beside[PATH_MAX + 32];
    snprintf(beside, sizeof beside, "%s.%ld", path, (long)getpid());
    if (fs_write(beside, data, n, NULL) || rename(beside, path))
        unlink(beside);
}

bool fs_sources(char *out, size_t size)
{
    char folder[PATH_MAX], path[PATH_MAX + 16];
    struct strbuf text;
    if (!fs_own_folder(folder, sizeof folder))
        return false;
    snprintf(path, sizeof path, "%s/assay-source", folder);
    strbuf_init(&text, PATH_MAX);
    bool found = !fs_read(path, &text, NULL) && text.n && text.n < size;
    if (found)
        snprintf(out, size, "%s", text.s);
    strbuf_release(&text);
    return found;
}

const char *fs_shipped(const char *name, char *path, size_t size)
{
    char folder[PATH_MAX];
    bool is_page = !strncmp(name, "docs/", 5);
    if (fs_own_folder(folder, sizeof folder)) {
        char *slash = strrchr(folder, '/'); /* of PREFIX/bin */
        if (slash)
            *slash = '\0';
        snprintf(path, size, "%s/share/%s%s", folder, is_page ? "doc/assay/" : "assay/",
                 is_page ? name + 5 : name);
        if (fs_exists(path))
            return path;
    }
    if (fs_sources(folder, sizeof folder)) {
        snprintf(path, size, "%s/%s", folder, name);
        if (fs_exists(path))
            return path;
    }
    snprintf(path, size, "%s", name);
    return path;
}

int fs_open_in_root(int root, const char *path)
{
    struct open_how how = {.flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_IN_ROOT};
    return (int)syscall(SYS_openat2, root, path, &how, sizeof how);
}

bool fs_resolve_in_root(const char *root, const char *path, char *out, size_t size)
{
    char link[64];
    int top = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
    int fd = top < 0 ? -1 : fs_open_in_root(top, path);
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t n = fd < 0 ? -1 : readlink(link, out, size);
    if (top >= 0)
        close(top);
    if (fd >= 0)
        close(fd);
    if (n <= 0 || (size_t)n >= size)
        return false;
    out[n] = '\0';
    return true;
}

bool fs_find_own(const char *file, char *path, size_t size)
{
    static const char *const places[] = {"%s/%s", "%s/../%s", "%s/../lib/assay/%s"};
    char folder[PATH_MAX];
    for (int i = 0; i < 3 && fs_own_folder(folder, sizeof folder); i++) {
        snprintf(path, size, places[i], folder, file);
        if (!access(path, R_OK))
            return true;
    }
    return false;
}
