/* What a command in the sandbox sees: a root of its own, made of little.
 *
 *     /usr /bin /sbin /lib*     read-only; links stay links
 *     /etc                      what toolchains read there, and nothing that tells of users
 *     /dev                      five harmless devices, and an empty /dev/shm
 *     /proc                     of its own processes
 *     /tmp /var/tmp             empty, for writing; HOME and TMPDIR are /tmp
 *     /tmp/work                 the work folder
 *     what the caller names     read-only, at its own place
 *
 * With child_sandbox.root the first two are those of another system, whose root folder that is, and
 * so is /opt. Links on the way to them are followed as if that folder were the root.
 *
 * Not there are homes, /var, /run, /sys, mounted disks: they are not covered but absent, since the
 * command is confined to the new root and the old one is taken out of its namespace.
 *
 * What is to be seen is taken first, as detached mounts, while we may still reach it: folders above
 * it may be closed to the user that we become. Building this takes 0.4 ms of CPU time for each
 * command (the namespaces alone take 1 ms), so it is not kept from one command to the next. */
#include "base/child_internal.h"

#include "base/fs.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    TMP_BYTES = 64 << 20,  /* of /tmp, where no limit is given for files */
    SIDE_BYTES = 16 << 20, /* of the other places for writing, at most */
    TMP_FILES = 16384,     /* inodes: empty files fill memory too */
    MOST_TREES = 256,
};

/* Folders or links of the root. */
static const char *const system_places[] = {
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store"};
/* Whatever is there of it. */
static const char *const settings[] = {
    "/etc/alternatives",    "/etc/ld.so.cache",     "/etc/ld.so.conf",      "/etc/ld.so.conf.d",
    "/etc/localtime",       "/etc/OpenCL",          "/etc/clang",           "/etc/fpc.cfg",
    "/etc/java-8-openjdk",  "/etc/java-11-openjdk", "/etc/java-17-openjdk", "/etc/java-21-openjdk",
    "/etc/java-25-openjdk",
};
/* Where they are to be, and what is put there. What /dev/full gives to read is zeros, too, but it
 * cannot be mapped: of /dev/zero that is memory that nobody counts (sandbox_calls.h). */
static const char *const devices[][2] = {{"/dev/null", "/dev/null"},
                                         {"/dev/zero", "/dev/full"},
                                         {"/dev/full", "/dev/full"},
                                         {"/dev/random", "/dev/random"},
                                         {"/dev/urandom", "/dev/urandom"}};
static const char *const dev_links[][2] = {{"/proc/self/fd", "/dev/fd"},
                                           {"/proc/self/fd/0", "/dev/stdin"},
                                           {"/proc/self/fd/1", "/dev/stdout"},
                                           {"/proc/self/fd/2", "/dev/stderr"}};
/* They list the keys of the user, whose uid this is. */
static const char *const told_of_keys[] = {"/proc/keys", "/proc/key-users"};

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* A part of the old root on its way to the new one. */
struct tree {
    const char *path; /* absolute; it gets the same in the new root */
    int fd;
    bool folder;
};

struct world {
    struct tree trees[MOST_TREES];
    int n;
    int work; /* -1: there is none */
    int root; /* the folder of the system that is seen */
};

static void step(int failed, const char *what, const char *which)
{
    if (failed)
        child_fail(CHILD_REPORT_SETUP, what, which);
}

/* -- taking ------------------------------------------------------------------------------------ */

enum { TAKEN = OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE };

static int take_tree(const char *path)
{
    return open_tree(AT_FDCWD, path, TAKEN);
}

/* What is not there, `fd` -1, is left out. */
static void add_tree(struct world *w, const char *path, int fd)
{
    struct stat st;
    if (fd < 0)
        return;
    step(fstat(fd, &st), "look at", path);
    if (w->n < MOST_TREES)
        w->trees[w->n++] = (struct tree){path, fd, S_ISDIR(st.st_mode)};
    else
        close(fd);
}

static void take(struct world *w, const char *path)
{
    add_tree(w, path, take_tree(path));
}

/* Of the system that is seen. */
static void take_of_system(struct world *w, const char *path)
{
    if (w->root < 0) {
        take(w, path);
        return;
    }
    int there = fs_open_in_root(w->root, path);
    add_tree(w, path, there < 0 ? -1 : open_tree(there, "", TAKEN | AT_EMPTY_PATH));
    if (there >= 0)
        close(there);
}

static bool is_link(const char *path)
{
    struct stat st;
    return !lstat(path, &st) && S_ISLNK(st.st_mode);
}

/* What a link straight in the root of the system says; NULL: it is none. */
static const char *link_of_system(const struct world *w, const char *path, char target[PATH_MAX])
{
    ssize_t n = w->root < 0 ? readlink(path, target, PATH_MAX - 1)
                            : readlinkat(w->root, path + 1, target, PATH_MAX - 1);
    target[n > 0 ? n : 0] = '\0';
    return n > 0 ? target : NULL;
}

static void take_all(struct world *w, const struct child_plan *plan)
{
    const struct child_spec *spec = plan->spec;
    const char *root = spec->sandbox.root;
    char target[PATH_MAX];
    w->n = 0;
    w->work = w->root = -1;
    if (root)
        step((w->root = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC)) < 0, "open", root);
    if (spec->cwd)
        step((w->work = take_tree(spec->cwd)) < 0, "mount", spec->cwd);
    for (size_t i = 0; i < COUNT(system_places); i++)
        if (!link_of_system(w, system_places[i], target))
            take_of_system(w, system_places[i]);
    if (root)
        take_of_system(w, "/opt");
    for (size_t i = 0; i < COUNT(settings); i++)
        take_of_system(w, settings[i]);
    for (size_t i = 0; i < COUNT(devices); i++)
        add_tree(w, devices[i][0], take_tree(devices[i][1]));
    for (const char *const *path = plan->sees; *path; path++)
        take(w, *path);
}

/* -- putting ----------------------------------------------------------------------------------- */

static void restrict_mount(int fd, const char *path, unsigned flags, uint64_t attributes)
{
    struct mount_attr attr = {.attr_set = attributes | MOUNT_ATTR_NOSUID};
    step(mount_setattr(fd, path, flags, &attr, sizeof attr), "restrict", *path ? path : "a tree");
}

static void mount_tmpfs(const char *path, int64_t bytes, const char *mode)
{
    char options[96];
    snprintf(options, sizeof options, "size=%lld,nr_inodes=%d,mode=%s", (long long)bytes, TMP_FILES,
             mode);
    step(mount("tmpfs", path, "tmpfs", MS_NOSUID | MS_NODEV, options), "mount", path);
}

static void make_folder(const char *path)
{
    step(mkdir(path, 0755) && errno != EEXIST, "create", path);
}

/* The folders above a path, as far as they are missing. */
static int make_parents(const char *path)
{
    char part[PATH_MAX];
    for (const char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        if (slash - path >= PATH_MAX)
            return -1;
        memcpy(part, path, (size_t)(slash - path));
        part[slash - path] = '\0';
        if (mkdir(part, 0755) && errno != EEXIST)
            return -1;
    }
    return 0;
}

static bool is_there(const struct tree *t)
{
    struct stat there, taken;
    return !stat(t->path, &there) && !fstat(t->fd, &taken) && there.st_dev == taken.st_dev &&
           there.st_ino == taken.st_ino;
}

/* A place that cannot be made lies behind a link in something that is read-only already: the
 * caller names the target of the link as well. */
static bool make_place(const struct tree *t)
{
    const char *path = t->path;
    int failed = make_parents(path);
    if (!failed)
        failed = t->folder ? mkdir(path, 0755) : mknod(path, S_IFREG | 0644, 0);
    if (failed && errno == EEXIST) /* something else is there, and can be covered unless a link */
        return !is_link(path);
    step(failed && errno != EROFS && errno != ENOENT, "create", t->path);
    return !failed;
}

static void put_tree(struct tree *t)
{
    bool device = !strncmp(t->path, "/dev/", 5) && strncmp(t->path, "/dev/shm/", 9) != 0;
    if (!is_there(t) && make_place(t)) {
        restrict_mount(t->fd, "", AT_EMPTY_PATH | AT_RECURSIVE,
                       MOUNT_ATTR_RDONLY | (device ? 0 : MOUNT_ATTR_NODEV));
        step(move_mount(t->fd, "", AT_FDCWD, t->path, MOVE_MOUNT_F_EMPTY_PATH), "mount", t->path);
    }
    close(t->fd);
}

static void put_work(int work, bool writable)
{
    if (work < 0)
        return;
    restrict_mount(work, "", AT_EMPTY_PATH | AT_RECURSIVE,
                   MOUNT_ATTR_NODEV | (writable ? 0 : MOUNT_ATTR_RDONLY));
    make_folder("/tmp/work");
    step(move_mount(work, "", AT_FDCWD, "/tmp/work", MOVE_MOUNT_F_EMPTY_PATH), "mount",
         "/tmp/work");
    close(work);
}

static void cover_keys(void)
{
    for (size_t i = 0; i < COUNT(told_of_keys); i++)
        step(mount("/dev/null", told_of_keys[i], NULL, MS_BIND, NULL) && errno != ENOENT, "cover",
             told_of_keys[i]);
}

/* -- the new root ------------------------------------------------------------------------------ */

/* What needs the old root, besides trees. Paths without a slash at their beginning are in the new
 * one, where we are. */
static void put_system_links(const struct world *w)
{
    for (size_t i = 0; i < COUNT(system_places); i++) {
        char target[PATH_MAX];
        step(link_of_system(w, system_places[i], target) && symlink(target, system_places[i] + 1),
             "create", system_places[i]);
    }
    if (w->root >= 0)
        close(w->root);
}

/* A container whose own /proc is partly covered may not mount a fresh one. The old one then stays:
 * it shows processes outside, but they can be neither signalled nor looked into. */
static bool put_proc(void)
{
    make_folder("proc");
    bool fresh = !mount("proc", "proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_RDONLY, NULL);
    step(!fresh && errno != EPERM, "mount", "/proc");
    if (!fresh) {
        int old = take_tree("/proc");
        step(old < 0, "mount", "/proc");
        restrict_mount(old, "", AT_EMPTY_PATH | AT_RECURSIVE, MOUNT_ATTR_NODEV | MOUNT_ATTR_RDONLY);
        step(move_mount(old, "", AT_FDCWD, "proc", MOVE_MOUNT_F_EMPTY_PATH), "mount", "/proc");
        close(old);
    }
    return fresh;
}

/* Into the new root, and the old one out of the namespace: pivot_root(2), "pivot_root(".", ".")".
 */
static void change_root(void)
{
    step((int)syscall(SYS_pivot_root, ".", "."), "change the root", "");
    step(umount2(".", MNT_DETACH), "leave the old root", "");
    step(chdir("/"), "enter", "/");
}

/* Only now do we become the uid of inside: what was taken had to be reached first. */
static void change_user(bool root)
{
    step(root && setgroups(0, NULL), "leave groups", "");
    step(setresgid(CHILD_SANDBOX_ID, CHILD_SANDBOX_ID, CHILD_SANDBOX_ID), "change group", "");
    step(setresuid(CHILD_SANDBOX_ID, CHILD_SANDBOX_ID, CHILD_SANDBOX_ID), "change user", "");
}

bool sandbox_build_root(const struct child_plan *plan, bool root)
{
    const struct child_spec *spec = plan->spec;
    int64_t tmp_bytes = spec->limits.file_bytes > 0 ? spec->limits.file_bytes : TMP_BYTES;
    int64_t side_bytes = tmp_bytes < SIDE_BYTES ? tmp_bytes : SIDE_BYTES;
    static const char *const folders[] = {"/dev", "/dev/shm", "/tmp", "/var", "/var/tmp"};
    struct world w;
    step(mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL), "mount", "/ as private");
    take_all(&w, plan);
    change_user(root);
    child_die_with_parent(); /* the change of uid forgot an earlier one */

    mount_tmpfs("/tmp", 1 << 20, "0755"); /* the new root, on what is not needed any more */
    step(chdir("/tmp"), "enter", "/tmp");
    put_system_links(&w);
    bool fresh_proc = put_proc();
    change_root();
    for (size_t i = 0; i < COUNT(folders); i++)
        make_folder(folders[i]);
    mount_tmpfs("/dev/shm", side_bytes, "1777");
    mount_tmpfs("/var/tmp", side_bytes, "1777");
    mount_tmpfs("/tmp", tmp_bytes, "1777");
    for (size_t i = 0; i < COUNT(dev_links); i++)
        step(symlink(dev_links[i][0], dev_links[i][1]), "create", dev_links[i][1]);
    for (int i = 0; i < w.n; i++)
        put_tree(&w.trees[i]);
    put_work(w.work, spec->sandbox.work_writable);
    cover_keys();
    restrict_mount(AT_FDCWD, "/", 0, MOUNT_ATTR_NODEV | MOUNT_ATTR_RDONLY);
    step(chdir(w.work < 0 ? "/tmp" : "/tmp/work"), "enter", "/tmp/work");
    return fresh_proc;
}
