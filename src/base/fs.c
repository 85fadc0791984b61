#include "base/fs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *reason(int error)
{
    return error == ENOSPC ? "the disk is full, free some space" : strerror(error);
}

int fs_read(const char *path, struct strbuf *out, struct error *e)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
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

int fs_write(const char *path, const void *data, size_t n, struct error *e)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    const char *p = data;
    int failed = fd < 0 ? errno : 0;
    while (!failed && n > 0) {
        ssize_t done = write(fd, p, n);
        if (done < 0 && errno != EINTR)
            failed = errno;
        if (done > 0) {
            p += done;
            n -= (size_t)done;
        }
    }
    if (fd >= 0 && close(fd) && !failed)
        failed = errno;
    if (failed)
        return error_at(e, ERROR_ENVIRONMENT, path, 0, "cannot be written: %s", reason(failed));
    return 0;
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

int fs_make_temp_dir(const char *prefix, char *out, size_t out_size, struct error *e)
{
    const char *base = getenv("TMPDIR");
    if (!base || !*base)
        base = "/tmp";
    snprintf(out, out_size, "%s/%s-XXXXXX", base, prefix);
    if (!mkdtemp(out))
        return error_at(e, ERROR_ENVIRONMENT, base, 0,
                        "no temporary folder can be made here: %s (set TMPDIR to another place)",
                        reason(errno));
    return 0;
}

static void empty_at(int fd)
{
    DIR *dir = fdopendir(fd);
    if (!dir) {
        close(fd);
        return;
    }
    for (struct dirent *entry; (entry = readdir(dir));) {
        const char *name = entry->d_name;
        if (!strcmp(name, ".") || !strcmp(name, ".."))
            continue;
        if (!unlinkat(dirfd(dir), name, 0))
            continue;
        int below = openat(dirfd(dir), name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (below >= 0)
            empty_at(below);
        unlinkat(dirfd(dir), name, AT_REMOVEDIR);
    }
    closedir(dir);
}

void fs_empty_dir(const char *path)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd >= 0)
        empty_at(fd);
}

void fs_remove_tree(const char *path)
{
    if (unlink(path) == 0)
        return;
    fs_empty_dir(path);
    rmdir(path);
}

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
