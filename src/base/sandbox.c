/* The other way to start a child: in a world of its own, for programs that nobody trusts.
 *
 * clone(2) makes the "keeper", the first process of new user, pid, mount, network, IPC and UTS
 * namespaces. It builds the world, forks the command, waits for it, tells us how it ended, and
 * exits; with its pid 1 gone, the kernel kills whatever the command left in the namespace. The
 * command cannot be pid 1 itself: that process ignores every signal it has no handler for, so that
 * abort() and a null pointer would not end it the way they end a program elsewhere.
 *
 * Who it is: inside, uid 65534. Outside that is uid 65534 too when we are root, because as root
 * outside it could open block devices and would be exempt from RLIMIT_NPROC; else it is our own
 * uid, as nothing else is allowed to us. As the uid inside is not 0, exec drops all capabilities
 * that came with the namespace (capabilities(7), "Transformation of capabilities during
 * execve()"), and no_new_privs keeps set-uid programs from bringing any back.
 *
 * What it sees: the file system read-only, with empty file systems over every place that is
 * meant for writing, a /dev of five harmless devices, a /proc of its own, and the work folder at
 * /tmp/work. That folder is taken as a detached mount first, while we may still reach it: its
 * parents may be closed to uid 65534, or lie under what is hidden.
 *
 * What it may ask for: limits hold per process and per file, so a short seccomp filter takes away
 * the system calls that lead around them (see `forbidden`). */
#include "base/child_internal.h"

#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    INSIDE_ID = 65534,            /* "nobody", uid and gid */
    TMP_BYTES = 64 << 20,         /* of /tmp, where no limit is given for files */
    SIDE_BYTES = 16 << 20,        /* of the other places for writing, at most */
    TMP_FILES = 16384,            /* inodes: empty files fill memory too */
    X32_SYSCALL = 0x40000000,     /* bit of the system call numbers of the x32 ABI */
    AVAILABLE_WALL_MS = 30 * 1000 /* for /bin/true */
};

/* -- what it may not ask for ------------------------------------------------------------------- */

/* x86-64 runs two system call tables; `gcc -m32` makes programs for the second. -1: not there. */
static const struct {
    int x86_64, i386;
    int error;
} forbidden[] = {
    /* Memory that belongs to no address space, so that RLIMIT_AS does not count it. */
    {SYS_memfd_create, 356, EPERM},
    {447 /* memfd_secret */, 447, EPERM},
    {SYS_shmget, 395, EPERM},
    {SYS_msgget, 399, EPERM},
    {-1, 117 /* ipc: all of System V */, EPERM},
    /* A namespace in which it has capabilities again: it could mount a tmpfs of any size. clone3
     * hides its flags from a filter; without it the C library uses clone, which is looked into. */
    {SYS_unshare, 310, EPERM},
    {SYS_clone3, 435, ENOSYS},
    /* The network namespace has no network, but a Unix socket with a path can be reached through
     * a read-only mount from any namespace. io_uring makes sockets unseen by filters. */
    {SYS_socket, 359, EPERM},
    {-1, 102 /* socketcall */, EPERM},
    {SYS_io_uring_setup, 425, ENOSYS},
};

enum {
    FORBIDDEN = sizeof forbidden / sizeof *forbidden,
    FILTER_SIZE = 2 * (2 * FORBIDDEN + 16),
    I386_CLONE = 120,
};

struct filter {
    struct sock_filter at[FILTER_SIZE];
    unsigned short n;
};

static void emit(struct filter *f, unsigned code, unsigned k, unsigned char yes, unsigned char no)
{
    f->at[f->n++] = (struct sock_filter){(unsigned short)code, yes, no, k};
}

static void emit_load(struct filter *f, size_t offset)
{
    emit(f, BPF_LD | BPF_W | BPF_ABS, (unsigned)offset, 0, 0);
}

static void emit_return(struct filter *f, int error)
{
    emit(f, BPF_RET | BPF_K, error ? SECCOMP_RET_ERRNO | (unsigned)error : SECCOMP_RET_ALLOW, 0, 0);
}

/* The rules of one table; always ends in a return. */
static void emit_rules(struct filter *f, bool x86_64)
{
    emit_load(f, offsetof(struct seccomp_data, nr));
    if (x86_64) {
        emit(f, BPF_JMP | BPF_JGE | BPF_K, X32_SYSCALL, 0, 1);
        emit_return(f, ENOSYS);
    }
    for (int i = 0; i < FORBIDDEN; i++) {
        int nr = x86_64 ? forbidden[i].x86_64 : forbidden[i].i386;
        if (nr < 0)
            continue;
        emit(f, BPF_JMP | BPF_JEQ | BPF_K, (unsigned)nr, 0, 1);
        emit_return(f, forbidden[i].error);
    }
    emit(f, BPF_JMP | BPF_JEQ | BPF_K, x86_64 ? SYS_clone : I386_CLONE, 1, 0);
    emit_return(f, 0);
    emit_load(f, offsetof(struct seccomp_data, args[0])); /* its low half: flags need no more */
    emit(f, BPF_JMP | BPF_JSET | BPF_K, CLONE_NEWUSER, 0, 1);
    emit_return(f, EPERM);
    emit_return(f, 0);
}

static void forbid_system_calls(void)
{
    struct filter rules = {.n = 0}, f = {.n = 0};
    emit_rules(&rules, true);
    emit_load(&f, offsetof(struct seccomp_data, arch));
    emit(&f, BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 0, (unsigned char)rules.n);
    emit_rules(&f, true);
    emit(&f, BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_I386, 1, 0);
    emit_return(&f, ENOSYS);
    emit_rules(&f, false);
    struct sock_fprog program = {.len = f.n, .filter = f.at};
    if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program))
        child_fail(CHILD_REPORT_SETUP, "seccomp", "");
}

/* -- what it sees ------------------------------------------------------------------------------ */

static const struct place {
    const char *path;
    bool writable;
} places[] = {
    {"/run", false}, /* holds the sockets of daemons */
    {"/var/tmp", true},
    {"/tmp", true},
};

static const char *const devices[] = {"/dev/null", "/dev/zero", "/dev/full", "/dev/random",
                                      "/dev/urandom"};
enum { DEVICES = sizeof devices / sizeof *devices };

static const char *const dev_links[][2] = {{"/proc/self/fd", "/dev/fd"},
                                           {"/proc/self/fd/0", "/dev/stdin"},
                                           {"/proc/self/fd/1", "/dev/stdout"},
                                           {"/proc/self/fd/2", "/dev/stderr"}};

static void step(int failed, const char *what, const char *which)
{
    if (failed)
        child_fail(CHILD_REPORT_SETUP, what, which);
}

static int take_tree(const char *path)
{
    return open_tree(AT_FDCWD, path, OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE);
}

static void restrict_mount(int fd, const char *path, unsigned flags, uint64_t attributes)
{
    struct mount_attr attr = {.attr_set = attributes | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV};
    step(mount_setattr(fd, path, flags, &attr, sizeof attr), "restrict", *path ? path : "work");
}

static void put_tree(int fd, const char *path)
{
    step(move_mount(fd, "", AT_FDCWD, path, MOVE_MOUNT_F_EMPTY_PATH), "mount", path);
    close(fd);
}

static void mount_tmpfs(const char *path, int64_t bytes, const char *mode)
{
    char options[96];
    snprintf(options, sizeof options, "size=%lld,nr_inodes=%d,mode=%s", (long long)bytes, TMP_FILES,
             mode);
    step(mount("tmpfs", path, "tmpfs", MS_NOSUID | MS_NODEV, options), "mount", path);
}

static bool is_real_folder(const char *path)
{
    struct stat st;
    return !lstat(path, &st) && S_ISDIR(st.st_mode);
}

/* `trees` are the devices, taken from the old /dev; -1 where one was missing. */
static void build_dev(const int trees[DEVICES], int64_t shm_bytes)
{
    bool shm = is_real_folder("/dev/shm");
    mount_tmpfs("/dev", 1 << 20, "0755");
    for (int i = 0; i < DEVICES; i++) {
        if (trees[i] < 0)
            continue;
        step(mknod(devices[i], S_IFREG | 0666, 0), "create", devices[i]);
        put_tree(trees[i], devices[i]);
    }
    for (size_t i = 0; i < sizeof dev_links / sizeof *dev_links; i++)
        step(symlink(dev_links[i][0], dev_links[i][1]), "create", dev_links[i][1]);
    if (shm) {
        step(mkdir("/dev/shm", 0755), "create", "/dev/shm");
        mount_tmpfs("/dev/shm", shm_bytes, "1777");
    }
    restrict_mount(AT_FDCWD, "/dev", 0, MOUNT_ATTR_RDONLY);
}

static void build_places(int64_t tmp_bytes, int64_t side_bytes)
{
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const struct place *place = &places[i];
        bool tmp = !strcmp(place->path, "/tmp");
        if (!tmp && !is_real_folder(place->path)) /* a link leads to something read-only */
            continue;
        mount_tmpfs(place->path, tmp ? tmp_bytes : side_bytes, place->writable ? "1777" : "0755");
        if (!place->writable)
            restrict_mount(AT_FDCWD, place->path, 0, MOUNT_ATTR_RDONLY);
    }
}

/* A container whose own /proc is partly covered may not mount a fresh one. The old one then stays:
 * it shows processes outside, but they can be neither signalled nor looked into. */
static void build_proc(void)
{
    unsigned long flags = MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_RDONLY;
    step(mount("proc", "/proc", "proc", flags, NULL) && errno != EPERM, "mount", "/proc");
}

static void put_work(int work, bool writable)
{
    if (work < 0) {
        step(chdir("/tmp"), "enter", "/tmp");
        return;
    }
    restrict_mount(work, "", AT_EMPTY_PATH | AT_RECURSIVE, writable ? 0 : MOUNT_ATTR_RDONLY);
    step(mkdir("/tmp/work", 0755), "create", "/tmp/work");
    put_tree(work, "/tmp/work");
    step(chdir("/tmp/work"), "enter", "/tmp/work");
}

/* Only now do we become the uid of inside: `work` had to be reached first. */
static void change_user(bool root)
{
    step(root && setgroups(0, NULL), "leave groups", "");
    step(setresgid(INSIDE_ID, INSIDE_ID, INSIDE_ID), "change group", "");
    step(setresuid(INSIDE_ID, INSIDE_ID, INSIDE_ID), "change user", "");
}

/* The order matters: take what will be hidden, make all read-only, then cover places with what is
 * not. */
static void build_world(const struct child_spec *spec, bool root)
{
    int64_t tmp_bytes = spec->limits.file_bytes > 0 ? spec->limits.file_bytes : TMP_BYTES;
    int64_t side_bytes = tmp_bytes < SIDE_BYTES ? tmp_bytes : SIDE_BYTES;
    int trees[DEVICES], work = -1;
    step(mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL), "mount", "/ as private");
    if (spec->cwd)
        step((work = take_tree(spec->cwd)) < 0, "mount", spec->cwd);
    for (int i = 0; i < DEVICES; i++)
        trees[i] = take_tree(devices[i]);
    change_user(root);
    child_die_with_parent(); /* the change of uid forgot an earlier one */
    restrict_mount(AT_FDCWD, "/", AT_RECURSIVE, MOUNT_ATTR_RDONLY);
    build_dev(trees, side_bytes);
    build_places(tmp_bytes, side_bytes);
    build_proc();
    put_work(work, spec->sandbox.work_writable);
}

/* -- the keeper -------------------------------------------------------------------------------- */

_Noreturn static void command(const struct child_plan *plan)
{
    const struct child_limits *limits = &plan->spec->limits;
    setpgid(0, 0);
    if (limits->processes > 0) {
        /* Counted per user namespace since Linux 5.14, and the keeper is one of them. */
        uint64_t processes = (uint64_t)limits->processes + 1;
        child_set_limit(RLIMIT_NPROC, processes, processes);
    }
    child_set_limit(RLIMIT_NOFILE, SANDBOX_FILES, SANDBOX_FILES); /* pipes are memory, too */
    child_set_limits(limits);
    forbid_system_calls();
    child_exec(plan);
}

/* Reap orphans until the command itself has ended. */
static int wait_for(pid_t wanted)
{
    int status = 0;
    pid_t pid;
    do
        pid = wait4(-1, &status, 0, NULL);
    while (pid != wanted && !(pid < 0 && errno == ECHILD));
    return status;
}

_Noreturn static void keeper(const struct child_plan *plan, bool root)
{
    char go;
    child_settle(plan);
    if (recv(CHILD_CHANNEL, &go, 1, 0) != 1) /* the id maps are not there, or we are gone */
        _exit(127);
    build_world(plan->spec, root);
    /* Not dumpable: the command has the same uid, and may not look into our copy of memory. */
    prctl(PR_SET_DUMPABLE, 0);
    step(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "set no_new_privs", "");
    pid_t pid = fork();
    step(pid < 0, "fork", "");
    if (pid == 0)
        command(plan);
    for (int fd = 0; fd < CHILD_CHANNEL; fd++)
        close(fd); /* a pipe with no reader or writer but us should look so */
    struct child_report report = {.kind = CHILD_REPORT_ENDED};
    report.status = wait_for(pid);
    getrusage(RUSAGE_CHILDREN, &report.usage);
    child_send(&report);
    _exit(0);
}

/* -- in the calling process -------------------------------------------------------------------- */

int sandbox_explain(struct error *e, const char *what, int error)
{
    return error_set(e, ERROR_ENVIRONMENT,
                     "the sandbox cannot be set up (%s: %s); it needs user namespaces: look at "
                     "sysctl user.max_user_namespaces (not 0), kernel.unprivileged_userns_clone "
                     "(1, where it exists) and kernel.apparmor_restrict_unprivileged_userns (0, "
                     "where it exists); inside a container, its runtime must allow them",
                     what, strerror(error));
}

/* As root we leave our uid behind, so the folder must be open to the other one. Not as root: the
 * uid outside is ours, and what we can use the command can. */
static int prepare_work(const struct child_spec *spec, bool root, struct error *e)
{
    struct stat st;
    int fd = open(spec->cwd, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool failed = fd < 0 || fstat(fd, &st);
    if (!failed && root && spec->sandbox.work_writable && st.st_uid != INSIDE_ID)
        failed = fchown(fd, INSIDE_ID, INSIDE_ID);
    mode_t wanted = spec->sandbox.work_writable ? 0755 : 0555;
    if (!failed && root && (st.st_mode & wanted) != wanted)
        failed = fchmod(fd, (st.st_mode | wanted) & 07777);
    int reason = errno;
    if (fd >= 0)
        close(fd);
    if (failed)
        return error_at(e, ERROR_ENVIRONMENT, spec->cwd, 0, "cannot be the work folder: %s",
                        strerror(reason));
    return 0;
}

static int write_proc(pid_t pid, const char *name, const char *text)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, name);
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return -1;
    ssize_t n = write(fd, text, strlen(text)); /* a map must come in a single write */
    int reason = errno;
    close(fd);
    errno = reason;
    return n < 0 ? -1 : 0;
}

/* user_namespaces(7), "Defining user and group ID mappings". Who is not root must give up
 * setgroups in exchange for a gid map; as root we keep it, so that the keeper can leave the groups
 * of root behind. Returns what failed. */
static const char *write_maps(pid_t pid, bool root)
{
    char uid_map[64], gid_map[64];
    unsigned uid = root ? INSIDE_ID : geteuid(), gid = root ? INSIDE_ID : getegid();
    snprintf(uid_map, sizeof uid_map, "%d %u 1\n", INSIDE_ID, uid);
    snprintf(gid_map, sizeof gid_map, "%d %u 1\n", INSIDE_ID, gid);
    if (!root && write_proc(pid, "setgroups", "deny"))
        return "setgroups";
    if (write_proc(pid, "gid_map", gid_map))
        return "gid_map";
    return write_proc(pid, "uid_map", uid_map) ? "uid_map" : NULL;
}

/* Fork, with namespaces. The C library's wrapper would want a stack and a function. */
static pid_t clone_into_namespaces(void)
{
    unsigned long flags = CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWIPC |
                          CLONE_NEWUTS | SIGCHLD;
    return (pid_t)syscall(SYS_clone, flags, NULL, NULL, NULL, NULL);
}

pid_t sandbox_start(const struct child_plan *plan, int our_channel, struct error *e)
{
    bool root = geteuid() == 0;
    if (plan->spec->cwd && prepare_work(plan->spec, root, e))
        return -1;
    pid_t pid = clone_into_namespaces();
    if (pid == 0)
        keeper(plan, root);
    if (pid < 0)
        return sandbox_explain(e, "clone", errno);
    const char *failed = write_maps(pid, root);
    if (!failed && send(our_channel, "g", 1, MSG_NOSIGNAL) != 1)
        failed = "go";
    if (!failed)
        return pid;
    sandbox_explain(e, failed, errno);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    return -1;
}

int child_sandbox_available(struct error *e)
{
    const char *const argv[] = {"true", NULL};
    struct child_spec spec = {
        .argv = argv, .limits = {.wall_ms = AVAILABLE_WALL_MS}, .sandbox = {.on = true}};
    struct child_result result;
    child_result_init(&result, 256, 256);
    int failed = child_run(&spec, &result, e);
    if (!failed && (result.end != CHILD_EXITED || result.status != 0))
        failed = error_set(e, ERROR_ENVIRONMENT, "the sandbox does not work: 'true' %s with %d%s%s",
                           child_end_name[result.end], result.status, result.err.n ? ": " : "",
                           result.err.s);
    child_result_release(&result);
    return failed;
}
