/* One child process, from start to end, under limits.
 *
 * The run in order: make pipes, fork, let poll move the bytes until the child has ended or must
 * end, kill what is left of its family, read what is left in the pipes, decide how it ended.
 *
 * Why this way:
 *   - The end of the child is seen through a pidfd in the same poll as the pipes, and not as the
 *     end of its output: a daemon may hold the pipes open for ever.
 *   - The family is killed before the pipes are emptied, so that nobody fills them meanwhile.
 *   - The group is killed while its leader is still a zombie, so that its number cannot belong to
 *     someone else. Who left the group is found as a child of ours, which a subreaper makes true.
 *   - What exec could not do comes back through a channel that a successful exec closes.
 *   - How a run ended is decided from what was measured, not from which signal came first, so that
 *     the same program gets the same verdict on a busy machine.
 *   - The search in PATH is ours: execvp would hand a broken executable to the shell, and a
 *     compiler's broken output must not be taken for a script. */
#include "base/child_internal.h"

#include "base/arena.h"
#include "base/fs.h"
#include "base/pulse.h"
#include "base/sees.h"
#include "base/starve.h"
#include "base/text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

const char *const child_end_name[CHILD_ENDS] = {
    [CHILD_EXITED] = "exited",
    [CHILD_SIGNALED] = "signaled",
    [CHILD_TIMEOUT_WALL] = "timeout-wall",
    [CHILD_TIMEOUT_CPU] = "timeout-cpu",
    [CHILD_STARVED] = "starved",
    [CHILD_OUTPUT] = "output",
    [CHILD_FILE_SIZE] = "file-size",
    [CHILD_MEMORY] = "memory",
    [CHILD_STOPPED] = "stopped",
    [CHILD_NOT_STARTED] = "not-started",
};

#define STANDARD_PATH "/usr/local/bin:/usr/bin:/bin"

enum {
    CHUNK = 65536,      /* bytes moved at a time: what a pipe holds */
    STOP_POLL_MS = 100, /* how long a set stop flag may go unseen */
    MOST_WALLS = 10,    /* wall limits for what hardly gets a processor */
    KEEPER_MS = 10000,  /* for a keeper to end the command and to tell what it took */
};

struct run {
    const struct child_spec *spec;
    struct child_result *result;
    struct arena arena; /* of the plan */
    struct child_plan plan;
    int in, out, err, channel, pidfd; /* our ends; -1 when closed */
    size_t fed;                       /* bytes of spec->input written */
    pid_t pid;
    int64_t started_us;
    int64_t wall_ms;      /* the limit, lengthened while it waits for a processor */
    struct starve looked; /* when it was lengthened last */
    int raw_status;       /* of the process we started: the command, or its keeper */
    struct rusage usage;  /* of the whole family, as far as waited for */
    bool killed;          /* by us, because of: */
    enum child_end cause; /* CHILD_STOPPED, CHILD_OUTPUT, CHILD_MEMORY or a timeout */
    int64_t insist_us;    /* when a keeper that was asked to do it is killed itself; 0: none was */
};

void child_result_init(struct child_result *r, size_t out_cap, size_t err_cap)
{
    *r = (struct child_result){.end = CHILD_NOT_STARTED};
    strbuf_init(&r->out, out_cap);
    strbuf_init(&r->err, err_cap);
}

void child_result_release(struct child_result *r)
{
    strbuf_release(&r->out);
    strbuf_release(&r->err);
}

static void result_clear(struct child_result *r)
{
    struct strbuf out = r->out, err = r->err;
    strbuf_clear(&out);
    strbuf_clear(&err);
    *r = (struct child_result){.end = CHILD_NOT_STARTED, .out = out, .err = err};
}

/* -- in the new process ------------------------------------------------------------------------ */

void child_send(const struct child_report *report)
{
    /* Whole or not at all; when nobody listens any more, nobody needs it, and SIGPIPE may end us.
     * Not send: the filter of the sandbox forbids it. */
    (void)!write(CHILD_CHANNEL, report, sizeof *report);
}

_Noreturn void child_fail(enum child_report_kind kind, const char *what, const char *which)
{
    struct child_report report = {.kind = kind, .error = errno};
    snprintf(report.what, sizeof report.what, "%s%s%s", what, *which ? " " : "", which);
    child_send(&report);
    _exit(127);
}

/* Handlers end with exec, but ignored signals would stay ignored. The parent blocked everything
 * before the fork, so that no handler of its own runs in here. */
static void default_signals(const sigset_t *blocked)
{
    struct sigaction standard = {.sa_handler = SIG_DFL};
    for (int sig = 1; sig < NSIG; sig++)
        sigaction(sig, &standard, NULL);
    sigprocmask(SIG_SETMASK, blocked, NULL);
}

void child_settle(const struct child_plan *plan, const sigset_t *blocked)
{
    setpgid(0, 0);
    default_signals(blocked);
    bool placed = dup2(plan->in, 0) == 0 && dup2(plan->out, 1) == 1 && dup2(plan->err, 2) == 2;
    if (plan->channel != CHILD_CHANNEL) /* dup3 onto itself is an error */
        placed = placed && dup3(plan->channel, CHILD_CHANNEL, O_CLOEXEC) == CHILD_CHANNEL;
    /* Our end of the channel closes here too: without that, our death would not be seen. */
    if (!placed || close_range(CHILD_CHANNEL + 1, UINT_MAX, 0))
        child_fail(CHILD_REPORT_SETUP, "place the descriptors", "");
}

void child_die_with_parent(void)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    /* We may have died before that. (getppid cannot tell: from a new pid namespace it is 0.) */
    struct pollfd parent = {.fd = CHILD_CHANNEL};
    if (poll(&parent, 1, 0) > 0 && parent.revents & POLLHUP)
        _exit(127);
}

void child_set_limit(int resource, uint64_t soft, uint64_t hard)
{
    struct rlimit now;
    if (getrlimit((__rlimit_resource_t)resource, &now))
        return;
    now.rlim_max = hard < now.rlim_max ? hard : now.rlim_max;
    now.rlim_cur = soft < now.rlim_cur ? soft : now.rlim_cur;
    if (now.rlim_cur > now.rlim_max)
        now.rlim_cur = now.rlim_max;
    if (setrlimit((__rlimit_resource_t)resource, &now))
        child_fail(CHILD_REPORT_SETUP, "set a limit", "");
}

void child_set_limits(const struct child_limits *limits)
{
    child_set_limit(RLIMIT_CORE, 0, 0);
    if (limits->cpu_ms > 0) {
        /* The kernel counts RLIMIT_CPU in ticks, which on a busy virtual machine were seen to run
         * 14% ahead of the time it reports. A quarter more, then, or who was killed for it would
         * not have reached cpu_ms by what we measure. */
        uint64_t seconds = ((uint64_t)limits->cpu_ms * 5 / 4 + 999) / 1000;
        /* SIGXCPU at the soft limit; who ignores it meets SIGKILL at the hard one. */
        child_set_limit(RLIMIT_CPU, seconds, seconds + 1);
    }
    if (limits->file_bytes > 0)
        child_set_limit(RLIMIT_FSIZE, (uint64_t)limits->file_bytes, (uint64_t)limits->file_bytes);
    if (limits->memory_bytes > 0)
        child_set_limit(RLIMIT_AS, (uint64_t)limits->memory_bytes, (uint64_t)limits->memory_bytes);
}

_Noreturn void child_exec(const struct child_plan *plan)
{
    int reason = ENOENT;
    bool search = !strchr(plan->argv[0], '/');
    for (char **path = plan->paths; *path; path++) {
        execve(*path, plan->argv, plan->env);
        int failed = errno;
        if (failed == ENOENT || failed == ENOTDIR)
            continue;
        if (failed == EACCES && search && access(*path, F_OK)) /* a folder of PATH closed to us */
            continue;
        reason = failed;
        if (failed != EACCES) /* as in execvp: a better one may follow, but the reason is kept */
            break;
    }
    errno = reason;
    child_fail(CHILD_REPORT_EXEC, "", "");
}

/* How many tasks there are on this machine: the number behind the slash in /proc/loadavg. */
static uint64_t tasks_now(void)
{
    char text[128];
    int fd = open("/proc/loadavg", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof text - 1);
    if (fd >= 0)
        close(fd);
    text[n > 0 ? n : 0] = '\0';
    const char *slash = strchr(text, '/');
    return slash ? strtoull(slash + 1, NULL, 10) : 0;
}

_Noreturn static void plain_command(const struct child_plan *plan)
{
    const struct child_spec *spec = plan->spec;
    sigset_t none;
    sigemptyset(&none);
    child_settle(plan, &none);
    child_die_with_parent();
    if (spec->cwd && chdir(spec->cwd))
        child_fail(CHILD_REPORT_SETUP, "enter", spec->cwd);
    if (spec->limits.processes > 0) {
        /* RLIMIT_NPROC counts all tasks of the user, and a desktop has hundreds before we start. */
        uint64_t most = tasks_now() + (uint64_t)spec->limits.processes;
        child_set_limit(RLIMIT_NPROC, most, most);
    }
    child_set_limits(&spec->limits);
    child_exec(plan);
}

/* -- the plan ---------------------------------------------------------------------------------- */

static const char *env_value(const char *entry, const char *name, size_t name_size)
{
    bool same = !strncmp(entry, name, name_size) && entry[name_size] == '=';
    return same ? entry + name_size + 1 : NULL;
}

/* `env` has room for one more. */
static void put_env(char **env, char *entry)
{
    size_t name_size = strcspn(entry, "=");
    while (*env && !env_value(*env, entry, name_size))
        env++;
    if (!*env)
        env[1] = NULL;
    *env = entry;
}

bool child_env_is_harmless(const char *entry)
{
    static const char *const names[] = {"PATH", "LANG", "LANGUAGE", "TZ"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (env_value(entry, names[i], strlen(names[i])))
            return true;
    return !strncmp(entry, "LC_", 3);
}

static char **merged_env(struct arena *a, const struct child_spec *spec)
{
    size_t ours = 0, theirs = 0, n = 0;
    while (environ && environ[ours])
        ours++;
    while (spec->env && spec->env[theirs])
        theirs++;
    char **env = arena_array(a, char *, ours + theirs + 4);
    for (size_t i = 0; i < ours; i++)
        if (!spec->sandbox.on || child_env_is_harmless(environ[i]))
            env[n++] = environ[i];
    env[n] = NULL;
    if (spec->sandbox.on) {
        put_env(env, arena_strdup(a, "TMPDIR=/tmp"));
        put_env(env, arena_strdup(a, "HOME=/tmp"));
        if (spec->sandbox.root)
            put_env(env, arena_strdup(a, "PATH=" STANDARD_PATH));
    }
    for (size_t i = 0; i < theirs; i++)
        put_env(env, arena_strdup(a, spec->env[i]));
    return env;
}

static char **candidate_paths(struct arena *a, const char *name, char **env)
{
    const char *path = STANDARD_PATH;
    for (; *env; env++)
        if (env_value(*env, "PATH", 4))
            path = env_value(*env, "PATH", 4);
    char **paths = arena_array(a, char *, strlen(path) + 2);
    if (strchr(name, '/')) {
        paths[0] = arena_strdup(a, name);
        return paths;
    }
    for (size_t n = 0; *name; n++) {
        size_t size = strcspn(path, ":");
        paths[n] = size ? arena_printf(a, "%.*s/%s", (int)size, path, name)
                        : arena_printf(a, "./%s", name); /* an empty entry is the work folder */
        if (!path[size])
            break;
        path += size + 1;
    }
    return paths;
}

/* Of a sandbox: what the spec names, and the program. */
static const char *const *all_seen(struct arena *a, const struct child_spec *spec, char **paths)
{
    sees_list list = {0};
    for (const char *const *path = spec->sandbox.sees; path && *path; path++)
        vec_push(&list, *path);
    while (*paths && access(*paths, X_OK))
        paths++;
    if (*paths && !spec->sandbox.root)
        sees_add_program(a, &list, *paths);
    const char *const *all = sees_all(a, &list);
    vec_release(&list);
    return all;
}

static char **copied_argv(struct arena *a, const char *const *argv)
{
    size_t n = 0;
    while (argv[n])
        n++;
    char **copy = arena_array(a, char *, n + 1);
    for (size_t i = 0; i < n; i++)
        copy[i] = arena_strdup(a, argv[i]);
    return copy;
}

/* -- pipes ------------------------------------------------------------------------------------- */

static void close_fd(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

/* A caller that closed its standard streams gets their numbers for new descriptors. Those must be
 * free for the child's own. Takes fd; -1 stays -1. */
static int above_streams(int fd)
{
    if (fd < 0 || fd > 2)
        return fd;
    int higher = fcntl(fd, F_DUPFD_CLOEXEC, 3);
    int reason = errno;
    close(fd);
    errno = reason;
    return higher;
}

static int make_pipe(int *reader, int *writer, int *ours)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC))
        return -1;
    *reader = above_streams(ends[0]);
    *writer = above_streams(ends[1]);
    if (*reader < 0 || *writer < 0)
        return -1;
    return fcntl(*ours, F_SETFL, O_NONBLOCK); /* our end only: the child's is another description */
}

static int make_channel(struct run *r)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
        return -1;
    r->channel = above_streams(ends[0]);
    r->plan.channel = above_streams(ends[1]);
    return r->channel < 0 || r->plan.channel < 0 ? -1 : 0;
}

static int open_ends(struct run *r, struct error *e)
{
    struct child_plan *plan = &r->plan;
    int failed;
    if (r->spec->input)
        failed = make_pipe(&plan->in, &r->in, &r->in);
    else
        failed = (plan->in = above_streams(open("/dev/null", O_RDONLY | O_CLOEXEC))) < 0;
    if (failed || make_pipe(&r->out, &plan->out, &r->out) ||
        make_pipe(&r->err, &plan->err, &r->err) || make_channel(r))
        return error_set(e, ERROR_ENVIRONMENT, "no pipe to a child process: %s", strerror(errno));
    return 0;
}

static void close_child_ends(struct run *r)
{
    close_fd(&r->plan.in);
    close_fd(&r->plan.out);
    close_fd(&r->plan.err);
    close_fd(&r->plan.channel);
}

/* -- start and release ------------------------------------------------------------------------- */

static int prepare(struct run *r, const struct child_spec *spec, struct child_result *result,
                   struct error *e)
{
    REQUIRE(spec->argv && spec->argv[0]);
    *r = (struct run){
        .spec = spec, .result = result, .started_us = clock_us(), .wall_ms = spec->limits.wall_ms};
    r->in = r->out = r->err = r->channel = r->pidfd = -1;
    r->plan = (struct child_plan){.spec = spec, .in = -1, .out = -1, .err = -1, .channel = -1};
    result_clear(result);
    arena_init(&r->arena);
    r->plan.argv = copied_argv(&r->arena, spec->argv);
    r->plan.env = merged_env(&r->arena, spec);
    r->plan.paths = candidate_paths(&r->arena, spec->argv[0], r->plan.env);
    if (spec->sandbox.on)
        r->plan.sees = all_seen(&r->arena, spec, r->plan.paths);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    return open_ends(r, e);
}

static void release(struct run *r)
{
    close_child_ends(r);
    close_fd(&r->in);
    close_fd(&r->out);
    close_fd(&r->err);
    close_fd(&r->channel);
    close_fd(&r->pidfd);
    arena_release(&r->arena);
}

static pid_t start_plain(const struct child_plan *plan, struct error *e)
{
    pid_t pid = vfork(); /* up to exec it only reads our memory, and a copy costs 0.1 ms and more */
    if (pid == 0)
        plain_command(plan);
    if (pid < 0)
        error_set(e, ERROR_ENVIRONMENT, "no child process can be started: %s", strerror(errno));
    return pid;
}

static void kill_family(const struct run *r)
{
    kill(-r->pid, SIGKILL);
    kill(r->pid, SIGKILL);
}

static int start(struct run *r, struct error *e)
{
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before);
    r->pid =
        r->spec->sandbox.on ? sandbox_start(&r->plan, r->channel, e) : start_plain(&r->plan, e);
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (r->pid < 0)
        return -1;
    setpgid(r->pid, r->pid); /* the child does it too; whoever is first */
    close_child_ends(r);
    r->pidfd = pidfd_open(r->pid, 0);
    if (r->pidfd >= 0)
        return 0;
    error_set(e, ERROR_ENVIRONMENT, "a child process cannot be watched (pidfd_open: %s)",
              strerror(errno));
    kill_family(r);
    waitpid(r->pid, NULL, 0);
    return -1;
}

/* -- while it runs ----------------------------------------------------------------------------- */

/* A keeper is asked to: it alone can tell how much time those took whom it kills. */
static void kill_because(struct run *r, enum child_end cause)
{
    r->killed = true;
    r->cause = cause;
    if (r->spec->sandbox.on) {
        r->insist_us = clock_us() + KEEPER_MS * 1000;
        kill(r->pid, SIGTERM);
    } else {
        kill_family(r);
    }
}

/* Milliseconds that a keeper still has; -1: nobody waits for one. */
static int keeper_patience(const struct run *r)
{
    int64_t left = (r->insist_us - clock_us()) / 1000 + 1;
    return !r->insist_us ? -1 : left > 0 ? (int)left : 0;
}

static bool printed_too_much(const struct run *r)
{
    int64_t limit = r->spec->limits.output_bytes;
    return limit > 0 && r->result->out_bytes + r->result->err_bytes > (uint64_t)limit;
}

/* What is there, at most one chunk, into `chunk`. 0 when there is nothing more now; -1: try again.
 */
static ssize_t read_chunk(int *fd, char chunk[CHUNK])
{
    if (*fd < 0)
        return 0;
    ssize_t n = read(*fd, chunk, CHUNK);
    if (n > 0 || (n < 0 && errno == EINTR))
        return n;
    if (n == 0 || errno != EAGAIN)
        close_fd(fd);
    return 0;
}

/* False when there is nothing more now. */
static bool take_out(struct run *r)
{
    char chunk[CHUNK];
    ssize_t n = read_chunk(&r->out, chunk);
    if (n > 0) {
        strbuf_add(&r->result->out, chunk, (size_t)n);
        r->result->out_bytes += (uint64_t)n;
    }
    return n != 0;
}

static bool take_err(struct run *r)
{
    const struct child_sink *sink = &r->spec->err_sink;
    char chunk[CHUNK];
    ssize_t n = read_chunk(&r->err, chunk);
    if (n > 0 && sink->take) {
        sink->take(sink->context, chunk, (size_t)n);
    } else if (n > 0) {
        strbuf_add(&r->result->err, chunk, (size_t)n);
        r->result->err_bytes += (uint64_t)n;
    }
    return n != 0;
}

/* write, but a reader who is gone is an error and never a signal. */
static ssize_t write_quietly(int fd, const char *data, size_t n)
{
    sigset_t pipe_signal, before, pending;
    sigemptyset(&pipe_signal);
    sigaddset(&pipe_signal, SIGPIPE);
    sigpending(&pending);
    sigprocmask(SIG_BLOCK, &pipe_signal, &before);
    ssize_t done = write(fd, data, n);
    int reason = errno;
    /* Take back the signal we caused, and not one that was waiting before. */
    if (done < 0 && reason == EPIPE && !sigismember(&pending, SIGPIPE))
        sigtimedwait(&pipe_signal, NULL, &(struct timespec){0});
    sigprocmask(SIG_SETMASK, &before, NULL);
    errno = reason;
    return done;
}

static void feed_input(struct run *r)
{
    size_t left = r->spec->input_size - r->fed;
    if (r->in < 0)
        return;
    ssize_t n =
        left ? write_quietly(r->in, r->spec->input + r->fed, left < CHUNK ? left : CHUNK) : 0;
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (n > 0)
        r->fed += (size_t)n;
    if (n < 0 || r->fed == r->spec->input_size) /* who does not read on is free to do so */
        close_fd(&r->in);
}

/* CPU milliseconds that the child itself has left; -1 when that is not ours to see: there is no
 * limit, or the child is a sandbox's keeper. RLIMIT_CPU is the net below: it counts in whole
 * seconds, and this kills an endless program as soon as it has used up what it may. */
static int64_t cpu_left_ms(const struct run *r)
{
    clockid_t clock;
    struct timespec used;
    if (r->spec->limits.cpu_ms <= 0 || r->spec->sandbox.on || clock_getcpuclockid(r->pid, &clock) ||
        clock_gettime(clock, &used))
        return -1;
    int64_t left = r->spec->limits.cpu_ms - ((int64_t)used.tv_sec * 1000 + used.tv_nsec / 1000000);
    return left < 0 ? 0 : left;
}

/* Milliseconds until something must be looked at again; -1 for never. */
static int patience(const struct run *r)
{
    int64_t wait = -1;
    if (r->killed)
        return keeper_patience(r);
    int64_t cpu = cpu_left_ms(r);
    if (r->wall_ms > 0) {
        int64_t left = r->wall_ms - (clock_us() - r->started_us) / 1000;
        wait = left < 0 ? 0 : left > INT_MAX ? INT_MAX : left;
    }
    if (cpu >= 0 && (wait < 0 || wait > cpu))
        wait = cpu + 1;
    if (r->spec->stop && (wait < 0 || wait > STOP_POLL_MS))
        wait = STOP_POLL_MS;
    return (int)wait;
}

/* The wall limit is there for what hangs. What hardly gets a processor gets the same time again,
 * ten times at most: it is its CPU time that ends it. Without a limit on that there is nothing else
 * than the wall. */
static void end_of_wall(struct run *r)
{
    const struct child_limits *limits = &r->spec->limits;
    struct starve now = starve_look(r->pid);
    bool starved = limits->cpu_ms > 0 && starve_excuses(r->looked, now, limits->wall_ms);
    r->looked = now;
    if (limits->cpu_ms > 0 && now.ran_us / 1000 >= limits->cpu_ms) {
        kill_because(r, CHILD_TIMEOUT_CPU);
    } else if (!starved) {
        kill_because(r, CHILD_TIMEOUT_WALL);
    } else if (r->wall_ms >= limits->wall_ms * MOST_WALLS) {
        kill_because(r, CHILD_STARVED);
    } else {
        r->wall_ms += limits->wall_ms;
        pulse_allow_child(r->spec->pulse, limits->wall_ms);
    }
}

static void enforce_limits(struct run *r)
{
    int64_t wall = r->wall_ms;
    if (r->killed) {
        if (r->insist_us && clock_us() >= r->insist_us) {
            r->insist_us = 0;
            kill_family(r);
        }
        return;
    }
    if (r->spec->stop && *r->spec->stop)
        kill_because(r, CHILD_STOPPED);
    else if (printed_too_much(r))
        kill_because(r, CHILD_OUTPUT);
    else if (wall > 0 && clock_us() - r->started_us >= wall * 1000)
        end_of_wall(r);
    else if (cpu_left_ms(r) == 0)
        kill_because(r, CHILD_TIMEOUT_CPU);
}

/* Until the process we started is a zombie. */
static void converse(struct run *r)
{
    enum { ENDED, IN, OUT, ERR, SLOTS };
    for (;;) {
        enforce_limits(r);
        struct pollfd fds[SLOTS] = {
            [ENDED] = {.fd = r->pidfd, .events = POLLIN},
            [IN] = {.fd = r->in, .events = POLLOUT}, /* a closed one, -1, is passed over */
            [OUT] = {.fd = r->out, .events = POLLIN},
            [ERR] = {.fd = r->err, .events = POLLIN},
        };
        int n = poll(fds, SLOTS, patience(r));
        if (n < 0 && errno != EINTR && errno != EAGAIN && errno != ENOMEM)
            BUG("poll: %s", strerror(errno));
        if (n <= 0)
            continue;
        if (fds[IN].revents)
            feed_input(r);
        if (fds[OUT].revents)
            take_out(r);
        if (fds[ERR].revents)
            take_err(r);
        if (fds[ENDED].revents)
            return;
    }
}

/* -- the end ----------------------------------------------------------------------------------- */

static void add_time(struct timeval *sum, const struct timeval *more)
{
    sum->tv_sec += more->tv_sec;
    sum->tv_usec += more->tv_usec;
    if (sum->tv_usec >= 1000000) {
        sum->tv_sec++;
        sum->tv_usec -= 1000000;
    }
}

static void add_usage(struct rusage *sum, const struct rusage *more)
{
    add_time(&sum->ru_utime, &more->ru_utime);
    add_time(&sum->ru_stime, &more->ru_stime);
    if (more->ru_maxrss > sum->ru_maxrss)
        sum->ru_maxrss = more->ru_maxrss;
}

/* The parent of a process, from /proc/PID/stat: "pid (any name) state ppid ..."; -1 when gone. */
static long parent_of(int proc, const char *pid)
{
    char path[64], text[512];
    snprintf(path, sizeof path, "%.32s/stat", pid);
    int fd = openat(proc, path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return -1;
    ssize_t n = read(fd, text, sizeof text - 1);
    close(fd);
    text[n > 0 ? n : 0] = '\0';
    const char *name_end = strrchr(text, ')'); /* the name itself may hold any of these signs */
    return name_end && strlen(name_end) > 4 ? strtol(name_end + 4, NULL, 10) : -1;
}

/* SIGKILL to each child of ours. /proc/self/task/.../children would be quicker, but not every
 * kernel has it, and this is done only when something did escape. -1 without /proc. */
static int kill_strays(void)
{
    DIR *proc = opendir("/proc");
    if (!proc)
        return -1;
    for (struct dirent *entry; (entry = readdir(proc));) {
        const char *name = entry->d_name;
        if (*name >= '1' && *name <= '9' && parent_of(dirfd(proc), name) == getpid())
            kill((pid_t)strtol(name, NULL, 10), SIGKILL);
    }
    closedir(proc);
    return 0;
}

/* Until there is no child left. A stray's own children come to us when it dies, so once may not
 * be enough. */
static int reap_strays(struct run *r, struct error *e)
{
    for (;;) {
        struct rusage usage;
        pid_t pid = wait4(-1, NULL, WNOHANG, &usage);
        if (pid < 0 && errno == ECHILD)
            return 0;
        if (pid > 0)
            add_usage(&r->usage, &usage);
        if (pid != 0)
            continue;
        if (kill_strays())
            return error_set(e, ERROR_ENVIRONMENT,
                             "a process was left behind and cannot be found without /proc: %s",
                             strerror(errno));
        /* They die in their own time; wait for one without taking it. */
        waitid(P_ALL, 0, &(siginfo_t){0}, WEXITED | WNOWAIT);
    }
}

/* The message that matters most comes first: a failure is followed by the keeper's own report. */
static bool read_report(const struct run *r, struct child_report *report)
{
    ssize_t n;
    do
        n = recv(r->channel, report, sizeof *report, MSG_DONTWAIT);
    while (n < 0 && errno == EINTR);
    return n == (ssize_t)sizeof *report;
}

static int64_t microseconds(const struct timeval *t)
{
    return (int64_t)t->tv_sec * 1000000 + t->tv_usec;
}

static bool used_too_much_cpu(const struct run *r, int raw_status)
{
    int64_t limit = r->spec->limits.cpu_ms;
    if (limit <= 0)
        return false;
    /* A driver whose own child met the limit ends in its own way, hence the measured time. */
    return (WIFSIGNALED(raw_status) && WTERMSIG(raw_status) == SIGXCPU) ||
           r->result->user_us + r->result->system_us >= limit * 1000;
}

static enum child_end decide(const struct run *r, int raw_status)
{
    if (r->killed && r->cause == CHILD_STOPPED)
        return CHILD_STOPPED;
    if (printed_too_much(r))
        return CHILD_OUTPUT;
    if (r->killed)
        return r->cause;
    if (used_too_much_cpu(r, raw_status))
        return CHILD_TIMEOUT_CPU;
    if (WIFSIGNALED(raw_status))
        return WTERMSIG(raw_status) == SIGXFSZ ? CHILD_FILE_SIZE : CHILD_SIGNALED;
    return CHILD_EXITED;
}

static void measure(struct run *r, const struct rusage *usage)
{
    r->result->user_us = microseconds(&usage->ru_utime);
    r->result->system_us = microseconds(&usage->ru_stime);
    r->result->peak_kb = usage->ru_maxrss;
}

/* From what came through the channel and from wait4 to the result. */
static int judge(struct run *r, struct error *e)
{
    struct child_result *result = r->result;
    struct child_report report;
    int raw_status = r->raw_status;
    bool reported = read_report(r, &report);
    measure(r, &r->usage);
    if (reported && report.kind == CHILD_REPORT_SETUP) {
        if (r->spec->sandbox.on)
            return sandbox_explain(e, report.what, report.error);
        return error_set(e, ERROR_ENVIRONMENT, "'%s' cannot be started (%s: %s)", r->spec->argv[0],
                         report.what, strerror(report.error));
    }
    if (reported && report.kind == CHILD_REPORT_EXEC) {
        result->end = CHILD_NOT_STARTED;
        result->status = report.error;
        strbuf_addf(&result->err, "cannot run '%s': %s", r->spec->argv[0], strerror(report.error));
        return 0;
    }
    if (reported && report.kind == CHILD_REPORT_ENDED) {
        raw_status = report.status;
        if (report.over_memory && !r->killed) {
            r->killed = true;
            r->cause = CHILD_MEMORY;
        }
        measure(r, &report.usage); /* without the keeper's own share */
    }
    result->end = decide(r, raw_status);
    if (result->end == CHILD_EXITED)
        result->status = WEXITSTATUS(raw_status);
    else if (result->end == CHILD_SIGNALED || result->end == CHILD_FILE_SIZE)
        result->status = WTERMSIG(raw_status);
    return 0;
}

static int finish(struct run *r, struct error *e)
{
    struct child_result *result = r->result;
    result->wall_us = clock_us() - r->started_us;
    kill_family(r);
    while (wait4(r->pid, &r->raw_status, 0, &r->usage) < 0 && errno == EINTR)
        continue;
    if (reap_strays(r, e))
        return -1;
    while (take_out(r))
        continue;
    while (take_err(r))
        continue;
    return judge(r, e);
}

int child_run(const struct child_spec *spec, struct child_result *result, struct error *e)
{
    struct run r;
    int failed = prepare(&r, spec, result, e);
    if (!failed)
        failed = start(&r, e);
    if (!failed) {
        converse(&r);
        failed = finish(&r, e);
    }
    release(&r);
    return failed ? -1 : 0;
}
