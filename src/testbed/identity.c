#include "testbed/identity.h"
#include "base/fs.h"
#include "base/map.h"
#include "base/probe.h"
#include "base/text.h"
#include "base/vec.h"
#include "program/program.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { KEEP = 65536, LONGEST_LIST_MS = 20000 };

/* The words of a command; NULL where there is none. */
static const char *const *words_of(const char *command, const char *path, struct arena *a)
{
    char **words;
    if (!command || text_split(a, command, &words) < 1)
        return NULL;
    for (char **w = words; *w; w++)
        *w = text_fill(a, *w, "{cc}", testbed_inside(path), NULL);
    return (const char *const *)words;
}

typedef VEC(const char *) file_list;

/* Where a file of the compiler's system is on this one. */
static const char *file_here(const char *root, const char *path, struct arena *a)
{
    char real[PATH_MAX];
    if (!root)
        return path;
    return fs_resolve_in_root(root, path, real, sizeof real) ? arena_strdup(a, real)
                                                             : arena_printf(a, "%s/%s", root, path);
}

/* Files that a command names: words that begin with a slash. */
static int list_parts(const char *const *argv, const char *root, struct arena *a, file_list *out,
                      struct error *e)
{
    struct child_spec spec = {.argv = argv,
                              .limits = {.wall_ms = LONGEST_LIST_MS, .output_bytes = 1 << 20},
                              .sandbox = {.on = root != NULL, .root = root}};
    struct child_result r;
    struct stat st;
    child_result_init(&r, KEEP, KEEP);
    int status = child_run(&spec, &r, e);
    char **words = NULL;
    if (!status)
        text_split(a, r.out.s, &words);
    for (char **w = words; w && *w; w++) {
        const char *file = **w == '/' ? file_here(root, *w, a) : NULL;
        if (file && stat(file, &st) == 0 && S_ISREG(st.st_mode))
            vec_push(out, file);
    }
    child_result_release(&r);
    return status;
}

int identity_make(const char *path, const char *parts, const char *probe, const regex_t *version,
                  const struct child_limits *limits, struct arena *a, struct testbed_identity *out,
                  struct error *e)
{
    const char *root = testbed_root(path, a);
    *out = (struct testbed_identity){.root = root,
                                     .probe = version ? words_of(probe, path, a) : NULL,
                                     .version = version,
                                     .limits = *limits};
    const char *const *list = words_of(parts, path, a);
    file_list files = {0};
    vec_push(&files, file_here(root, testbed_inside(path), a));
    int status = list ? list_parts(list, root, a, &files, e) : 0;
    vec_push(&files, NULL);
    const char **kept = arena_array(a, const char *, files.n);
    memcpy(kept, files.at, sizeof *kept * files.n);
    out->files = kept;
    vec_release(&files);
    out->stamp = identity_stamp(out);
    return status;
}

uint64_t identity_stamp(const struct testbed_identity *i)
{
    uint64_t stamp = 1;
    for (const char *const *file = i->files; *file; file++) {
        struct stat st;
        if (stat(*file, &st)) /* links are followed: what they point to is what is run */
            return 0;
        const int64_t of[] = {(int64_t)stamp,      (int64_t)st.st_dev, (int64_t)st.st_ino,
                              (int64_t)st.st_size, st.st_mtim.tv_sec,  st.st_mtim.tv_nsec};
        stamp = map_hash((const char *)of, sizeof of) | 1;
    }
    return stamp;
}

int identity_version(const struct testbed_identity *i, struct arena *a, const char **out,
                     struct error *e)
{
    struct probe probe = {
        .argv = i->probe, .root = i->root, .limits = i->limits, .version = i->version};
    *out = "";
    return i->probe && probe_version(&probe, a, out, e) < 0 ? -1 : 0;
}

/* Of one file into `hash`. */
static int hash_file(const char *path, char hash[PROGRAM_HASH_SIZE])
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    void *data = MAP_FAILED;
    if (fd >= 0 && !fstat(fd, &st) && st.st_size > 0)
        data = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (fd >= 0)
        close(fd);
    if (data == MAP_FAILED)
        return -1;
    hash_bytes(data, (size_t)st.st_size, hash);
    munmap(data, (size_t)st.st_size);
    return 0;
}

const char *identity_content(const struct testbed_identity *i, struct arena *a)
{
    char hash[PROGRAM_HASH_SIZE];
    struct strbuf all;
    int status = 0;
    strbuf_init(&all, 0);
    for (const char *const *file = i->files; *file && !status; file++)
        if (!(status = hash_file(*file, hash)))
            strbuf_adds(&all, hash);
    hash_bytes(all.s, all.n, hash);
    strbuf_release(&all);
    return status ? "" : arena_strdup(a, hash);
}

const char *identity_time(const struct testbed_identity *i, struct arena *a)
{
    time_t newest = 0;
    struct tm tm;
    char text[32];
    for (const char *const *file = i->files; *file; file++) {
        struct stat st;
        if (stat(*file, &st) == 0 && st.st_mtim.tv_sec > newest)
            newest = st.st_mtim.tv_sec;
    }
    localtime_r(&newest, &tm);
    strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &tm);
    return arena_strdup(a, text);
}
