/* The other way to start a child: in a world of its own, for programs that nobody trusts.
 *
 * clone(2) makes the "keeper", the first process of new user, pid, mount, network, IPC and UTS
 * namespaces. It builds the world, forks the command, waits for it, ends what it left, tells us how
 * it ended and what all of it took, and exits; whatever is left in the namespace with its pid 1
 * gone, the kernel kills. A limit that is met outside is told to the keeper, which kills. The
 * command cannot be pid 1 itself: that process ignores every signal it has no handler for, so that
 * abort() and a null pointer would not end it the way they end a program elsewhere.
 *
 * Who it is: inside, uid 65534. Outside that is uid 65534 too when we are root, because as root
 * outside it could open block devices and would be exempt from RLIMIT_NPROC; else it is our own
 * uid, as nothing else is allowed to us. As the uid inside is not 0, exec drops all capabilities
 * that came with the namespace (capabilities(7), "Transformation of capabilities during
 * execve()"), and no_new_privs keeps set-uid programs from bringing any back.
 *
 * What it sees is in sandbox_root.c, what it may ask for in sandbox_calls.h. Of our environment it
 * gets a few names (child.c). Its session keyring is a new one: the user's may hold passwords.
 *
 * How much memory it may use: RLIMIT_AS holds for each process, and sixteen of them may use it
 * sixteen times. So the keeper adds up what they have, and kills all when it is more than one may
 * use. A memory cgroup would be exact. But who is not root may make one only where a part of the
 * tree was delegated to him, and not even then beside processes in the same group, as we are: there
 * would be two ways, and on most machines only this one. */
#include "base/child_internal.h"

#include "base/fs.h"
#include "base/text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/keyctl.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    AVAILABLE_WALL_MS = 30 * 1000, /* for /bin/true */
    SOCKET_BYTES = 208 << 10,      /* that a socket can hold, as the system sets it up */
    FASTEST_GROWTH = 8 << 20,      /* bytes that all together may get in a millisecond */
    SHORTEST_WATCH_MS = 2,
    LONGEST_WATCH_MS = 1000, /* a look takes 0.04 ms */
};

static void step(int failed, const char *what)
{
    if (failed)
        child_fail(CHILD_REPORT_SETUP, what, "");
}

/* -- the memory of all processes --------------------------------------------------------------- */

/* The number behind `label` in a small file of /proc, -1: the process is gone, or it is not told.
 */
static int64_t number_in(int proc, const char *pid, const char *file, const char *label)
{
    char path[64], text[1024];
    snprintf(path, sizeof path, "%.20s/%s", pid, file);
    int fd = openat(proc, path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    if (fd >= 0)
        close(fd);
    text[n > 0 ? n : 0] = '\0';
    const char *at = strstr(text, label);
    return at ? strtoll(at + strlen(label), NULL, 10) : -1;
}

/* Bytes that all processes of the namespace but us have in memory, and may have in their sockets.
 * Pages that several of them share count once if `exact`, which takes long; else each time. */
static int64_t bytes_in_memory(DIR *proc, bool exact)
{
    int64_t sockets = number_in(dirfd(proc), "1", "net/sockstat", "used ");
    int64_t sum = sockets > 0 ? sockets * SOCKET_BYTES : 0;
    rewinddir(proc);
    for (struct dirent *entry; (entry = readdir(proc));) {
        const char *pid = entry->d_name;
        if (*pid < '1' || *pid > '9' || !strcmp(pid, "1"))
            continue;
        int64_t shared = exact ? number_in(dirfd(proc), pid, "smaps_rollup", "\nPss:") : -1;
        int64_t pages = shared < 0 ? number_in(dirfd(proc), pid, "statm", " ") : 0;
        sum += shared >= 0 ? shared * 1024 : pages > 0 ? pages * sysconf(_SC_PAGESIZE) : 0;
    }
    return sum;
}

struct watch {
    DIR *proc;     /* NULL: there is no limit, or no /proc of our own */
    int64_t limit; /* bytes */
    bool over;     /* it was too much a moment ago */
    bool killed;
};

/* Look, and say when to look again, in milliseconds. A process that has just been split off by
 * vfork shares all of its memory and counts twice, so once too much is not enough. */
static int64_t look_at_memory(struct watch *w)
{
    int64_t used = bytes_in_memory(w->proc, false);
    if (used > w->limit)
        used = bytes_in_memory(w->proc, true);
    if (used > w->limit && w->over) {
        w->killed = true;
        kill(-1, SIGKILL);
    }
    w->over = used > w->limit;
    int64_t wait = (w->limit - used) / FASTEST_GROWTH;
    return wait < SHORTEST_WATCH_MS  ? SHORTEST_WATCH_MS
           : wait > LONGEST_WATCH_MS ? LONGEST_WATCH_MS
                                     : wait;
}

/* -- the keeper -------------------------------------------------------------------------------- */

_Noreturn static void command(const struct child_plan *plan)
{
    const struct child_limits *limits = &plan->spec->limits;
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    setpgid(0, 0);
    if (limits->processes > 0) {
        /* Counted per user namespace since Linux 5.14, and the keeper is one of them. */
        uint64_t processes = (uint64_t)limits->processes + 1;
        child_set_limit(RLIMIT_NPROC, processes, processes);
    }
    child_set_limit(RLIMIT_NOFILE, SANDBOX_FILES, SANDBOX_FILES); /* pipes are memory, too */
    child_set_limits(limits);
    sandbox_filter_calls(plan->spec->sandbox.unix_sockets);
    child_exec(plan);
}

/* What a keeper waits for; blocked, so that it waits for us. A first process of a namespace gets no
 * signal that it does not ask for, but keeps one that is blocked. */
static sigset_t awaited_signals(void)
{
    sigset_t awaited;
    sigemptyset(&awaited);
    sigaddset(&awaited, SIGCHLD);
    sigaddset(&awaited, SIGTERM);
    return awaited;
}

/* Reap orphans until the command itself has ended. SIGTERM from outside says that it must. */
static int wait_for(pid_t wanted, struct watch *w)
{
    const sigset_t awaited = awaited_signals();
    int64_t due_ms = clock_ms() + w->limit / FASTEST_GROWTH + 1; /* the next look at the memory */
    for (;;) {
        int status = 0;
        pid_t pid = wait4(-1, &status, WNOHANG, NULL);
        if (pid == wanted || (pid < 0 && errno == ECHILD))
            return status;
        if (w->proc && clock_ms() >= due_ms) /* by the clock: signals may come without end */
            due_ms = look_at_memory(w) + clock_ms();
        if (pid != 0)
            continue;
        int64_t wait = due_ms - clock_ms();
        wait = wait < 0 ? 0 : wait;
        struct timespec time = {wait / 1000, wait % 1000 * 1000000};
        siginfo_t info;
        if (sigtimedwait(&awaited, &info, w->proc ? &time : NULL) == SIGTERM &&
            info.si_pid == 0) /* whoever sent it has no number in here */
            kill(-1, SIGKILL);
    }
}

/* What the command has left behind goes here, and not with us: the kernel that ends a namespace
 * forgets how much time its processes took. */
static void end_all(void)
{
    kill(-1, SIGKILL);
    while (wait4(-1, NULL, 0, NULL) > 0)
        continue;
}

static struct watch watch_for(const struct child_plan *plan, bool fresh_proc)
{
    int64_t limit = plan->spec->limits.memory_bytes;
    struct watch w = {.limit = limit};
    if (fresh_proc && limit > 0)
        w.proc = opendir("/proc");
    return w;
}

/* The arguments of our caller name files of the user's. Our memory is a copy, and the command would
 * find them in /proc/1/cmdline. */
static void forget_arguments(void)
{
    char text[1024];
    enum { ARGUMENTS_BEGIN = 48, STATE = 3 }; /* fields, as proc(5) numbers them */
    int fd = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    if (fd >= 0)
        close(fd);
    text[n > 0 ? n : 0] = '\0';
    char *at = strrchr(text, ')'); /* of the name, which may hold any sign */
    for (int field = STATE; at && field <= ARGUMENTS_BEGIN; field++)
        at = strchr(at + 1, ' ');
    if (!at)
        return;
    uintptr_t begin = strtoull(at, &at, 10), end = strtoull(at, NULL, 10);
    if (begin && end > begin)
        memset((void *)begin, 0, end - begin);
}

_Noreturn static void keeper(const struct child_plan *plan, bool root)
{
    char go;
    const sigset_t awaited = awaited_signals();
    child_settle(plan, &awaited);
    if (recv(CHILD_CHANNEL, &go, 1, 0) != 1) /* the id maps are not there, or we are gone */
        _exit(127);
    bool fresh_proc = sandbox_build_root(plan, root);
    /* One more key may be over the user's quota, and a kernel may have none: then the filter alone
     * must keep the command away from them. */
    (void)syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, NULL);
    step(sethostname("sandbox", 7), "set the name of the host");
    forget_arguments();
    /* Not dumpable: the command has the same uid, and may not look into our copy of memory. */
    prctl(PR_SET_DUMPABLE, 0);
    step(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "set no_new_privs");
    struct watch watch = watch_for(plan, fresh_proc);
    pid_t pid = vfork(); /* our memory is a copy of the caller's: no need to copy it once more */
    step(pid < 0, "fork");
    if (pid == 0)
        command(plan);
    for (int fd = 0; fd < CHILD_CHANNEL; fd++)
        close(fd); /* a pipe with no reader or writer but us should look so */
    struct child_report report = {.kind = CHILD_REPORT_ENDED};
    report.status = wait_for(pid, &watch);
    end_all();
    report.over_memory = watch.killed;
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
    if (!failed && root && spec->sandbox.work_writable && st.st_uid != CHILD_SANDBOX_ID)
        failed = fchown(fd, CHILD_SANDBOX_ID, CHILD_SANDBOX_ID);
    mode_t wanted = spec->sandbox.work_writable ? 0755 : 0555;
    if (!failed && root && (st.st_mode & wanted) != wanted)
        failed = fchmod(fd, (st.st_mode | wanted) & 07777);
    int reason = errno;
    if (fd >= 0)
        close(fd);
    if (failed)
        return error_at(e, ERROR_ENVIRONMENT, spec->cwd, 0, "cannot be used as the work folder: %s",
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
    unsigned uid = root ? CHILD_SANDBOX_ID : geteuid(), gid = root ? CHILD_SANDBOX_ID : getegid();
    snprintf(uid_map, sizeof uid_map, "%d %u 1\n", CHILD_SANDBOX_ID, uid);
    snprintf(gid_map, sizeof gid_map, "%d %u 1\n", CHILD_SANDBOX_ID, gid);
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
