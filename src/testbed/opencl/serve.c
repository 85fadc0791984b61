/* The server's loop: one poll over the socket, the clients and the children. All state is in
 * struct server; a job is one child. */
#include "testbed/opencl/serve.h"
#include "base/fs.h"
#include "testbed/opencl/harness.h"
#include "testbed/opencl/limits.h"
#include "testbed/opencl/wire.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    MOST_JOBS = 64,
    MOST_PARKED = 16,
    PARK_MS = 30000,    /* how long a program that was built waits to be run */
    THREAD_TRIES = 100, /* of 10 ms each */
    REQUEST_S = 10,     /* for a client to say what it wants */
};

/* How a child says by its exit status what became of it: numbers that no library ends with. */
enum child_status { STATUS_DONE = 211, STATUS_REJECTED, STATUS_REFUSED, STATUS_BROKEN };

struct job {
    pid_t pid;
    int pidfd, link; /* link: a socket to the child */
    int client;      /* -1: it is parked */
    uint64_t token;
    int64_t deadline; /* on clock_ms; 0: none */
    bool late;        /* killed for that */
    char folder[64];
};

struct server {
    struct harness *harness;
    int listener, signals;
    struct job jobs[MOST_JOBS];
    int n_jobs;
    unsigned count; /* of tests */
};

/* -- the child --------------------------------------------------------------------------------- */

struct work {
    struct wire_request request;
    int client, link;
    int fds[WIRE_FDS];
    const char *folder;
};

static _Noreturn void end(enum child_status status)
{
    fflush(NULL);
    _exit((int)status);
}

static _Noreturn void end_broken(const struct error *e)
{
    fprintf(stderr, "assay-opencl: %s\n", e->message);
    end(STATUS_BROKEN);
}

static void take_streams(const int *fds)
{
    fflush(NULL);
    for (int i = 0; i < WIRE_FDS; i++)
        if (fds[i] >= 0) {
            dup2(fds[i], STDOUT_FILENO + i);
            close(fds[i]);
        }
}

/* The client that built it is answered; its pipes are not to be held open meanwhile. */
static void park(struct work *w)
{
    int null[WIRE_FDS] = {open("/dev/null", O_WRONLY | O_CLOEXEC),
                          open("/dev/null", O_WRONLY | O_CLOEXEC)};
    take_streams(null);
    struct wire_reply built = {.end = WIRE_OK};
    if (wire_send(w->link, &built, sizeof built, NULL) ||
        wire_receive(w->link, &w->request, sizeof w->request, w->fds))
        _exit(STATUS_BROKEN);
    take_streams(w->fds);
    limits_cpu(w->request.cpu_ms);
}

/* PoCL's cache, where it is a path relative to the server's folder: each test then has its own. */
static const char *own_cache(void)
{
    const char *cache = getenv("POCL_CACHE_DIR");
    return cache && *cache && *cache != '/' ? cache : NULL;
}

/* Nothing of the server but the runtime: no handlers, no masks, no descriptors of other jobs. */
static void settle(const struct server *s, struct work *w)
{
    sigset_t none;
    sigemptyset(&none);
    setsid();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    close(s->listener);
    close(s->signals);
    for (int i = 0; i < s->n_jobs; i++) {
        close(s->jobs[i].link);
        close(s->jobs[i].pidfd);
        if (s->jobs[i].client >= 0)
            close(s->jobs[i].client);
    }
    if (chdir(w->folder))
        _exit(STATUS_BROKEN);
    setenv("TMPDIR", ".", 1);
    if (own_cache())
        mkdir(own_cache(), 0700);
}

static char *read_part(int fd, size_t n)
{
    char *text = mem_alloc(n + 1);
    if (wire_read(fd, text, n))
        _exit(STATUS_BROKEN);
    text[n] = '\0';
    return text;
}

static _Noreturn void be_child(struct server *s, struct work *w)
{
    struct error e = {0};
    struct harness_program *program;
    settle(s, w);
    char *options = read_part(w->client, w->request.options_size);
    char *source = read_part(w->client, w->request.source_size);
    close(w->client);
    take_streams(w->fds);
    limits_apply(".", w->request.memory_bytes);
    limits_cpu(w->request.cpu_ms);
    int status = harness_build(s->harness, source, options, &program, &e);
    if (status < 0)
        end_broken(&e);
    if (status > 0)
        end(STATUS_REJECTED);
    if (w->request.op == WIRE_BUILD)
        park(w);
    status = harness_run(s->harness, program, w->request.inputs, &e);
    if (status < 0)
        end_broken(&e);
    end(status ? STATUS_REFUSED : STATUS_DONE);
}

/* -- jobs -------------------------------------------------------------------------------------- */

static void answer(int client, enum wire_end how, int value, uint64_t token, int64_t cpu_us)
{
    struct wire_reply reply = {
        .end = (uint32_t)how, .value = value, .token = token, .cpu_us = cpu_us};
    wire_send(client, &reply, sizeof reply, NULL);
    close(client);
}

static void set_deadline(struct job *j, int64_t ms)
{
    j->deadline = ms ? clock_ms() + ms : 0;
}

static int64_t microseconds(struct timeval t)
{
    return (int64_t)t.tv_sec * 1000000 + t.tv_usec;
}

static enum wire_end judge(const struct job *j, int status, int *value)
{
    *value = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
    if (j->late)
        return WIRE_WALL;
    if (WIFSIGNALED(status))
        return *value == SIGXCPU ? WIRE_CPU : WIRE_SIGNAL;
    switch (*value) {
    case STATUS_DONE:
        return WIRE_OK;
    case STATUS_REJECTED:
        return WIRE_REJECTED;
    case STATUS_REFUSED:
        return WIRE_REFUSED;
    case STATUS_BROKEN:
        return WIRE_BROKEN;
    default:
        return WIRE_EXIT;
    }
}

/* The child has ended: whatever it started goes, and its folder. */
static void finish(struct server *s, struct job *j)
{
    int status = 0, value;
    struct rusage used = {0};
    kill(-j->pid, SIGKILL);
    wait4(j->pid, &status, 0, &used);
    enum wire_end how = judge(j, status, &value);
    if (j->client >= 0)
        answer(j->client, how, value, 0, microseconds(used.ru_utime) + microseconds(used.ru_stime));
    close(j->pidfd);
    close(j->link);
    fs_remove_tree(j->folder);
    *j = s->jobs[--s->n_jobs];
}

static struct job *find_job(struct server *s, uint64_t token)
{
    for (int i = 0; i < s->n_jobs; i++)
        if (s->jobs[i].client < 0 && s->jobs[i].token == token)
            return &s->jobs[i];
    return NULL;
}

static void end_job(struct job *j)
{
    kill(-j->pid, SIGKILL);
    kill(j->pid, SIGKILL); /* it may not have a session yet */
}

/* Too many that wait: the one that has waited longest goes. */
static void make_room(struct server *s)
{
    struct job *oldest = NULL;
    int parked = 0;
    for (int i = 0; i < s->n_jobs; i++) {
        struct job *j = &s->jobs[i];
        parked += j->client < 0;
        if (j->client < 0 && (!oldest || j->deadline < oldest->deadline))
            oldest = j;
    }
    if (parked > MOST_PARKED) {
        end_job(oldest);
        finish(s, oldest);
    }
}

static void begin_job(struct server *s, struct work *w)
{
    int pair[2];
    struct job j = {.client = w->client};
    snprintf(j.folder, sizeof j.folder, "t%u", s->count++);
    if (getrandom(&j.token, sizeof j.token, 0) != sizeof j.token || mkdir(j.folder, 0700) ||
        socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair)) {
        answer(w->client, WIRE_BROKEN, errno, 0, 0);
        rmdir(j.folder);
        return;
    }
    w->link = pair[1];
    w->folder = j.folder;
    fflush(NULL);
    j.pid = fork();
    if (j.pid == 0) {
        close(pair[0]);
        be_child(s, w);
    }
    close(pair[1]);
    j.link = pair[0];
    j.pidfd = j.pid > 0 ? (int)syscall(SYS_pidfd_open, j.pid, 0) : -1;
    if (j.pidfd < 0) {
        answer(w->client, WIRE_BROKEN, errno, 0, 0);
        if (j.pid > 0) {
            kill(j.pid, SIGKILL);
            waitpid(j.pid, NULL, 0);
        }
        close(j.link);
        fs_remove_tree(j.folder);
        return;
    }
    set_deadline(&j, w->request.wall_ms);
    s->jobs[s->n_jobs++] = j;
}

static void resume(struct server *s, struct work *w)
{
    struct job *j = find_job(s, w->request.token);
    if (!j || wire_send(j->link, &w->request, sizeof w->request, w->fds)) {
        answer(w->client, WIRE_GONE, 0, 0, 0);
        return;
    }
    j->client = w->client;
    set_deadline(j, w->request.wall_ms);
}

/* -- the loop ---------------------------------------------------------------------------------- */

static void welcome(struct server *s)
{
    struct work w = {.link = -1};
    struct timeval patience = {.tv_sec = REQUEST_S};
    w.client = accept4(s->listener, NULL, NULL, SOCK_CLOEXEC);
    if (w.client < 0)
        return;
    setsockopt(w.client, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    const struct wire_request *r = &w.request;
    bool good = !wire_receive(w.client, &w.request, sizeof w.request, w.fds) &&
                r->version == WIRE_VERSION && r->source_size <= WIRE_MOST &&
                r->options_size <= WIRE_MOST;
    if (!good)
        close(w.client);
    else if (r->op == WIRE_PING)
        answer(w.client, WIRE_OK, 0, 0, 0);
    else if (r->op == WIRE_RESUME)
        resume(s, &w);
    else
        begin_job(s, &w);
    for (int i = 0; i < WIRE_FDS; i++)
        if (w.fds[i] >= 0)
            close(w.fds[i]);
}

/* It has built its program. Elsewhere nothing comes from a child. */
static void hear_child(struct server *s, struct job *j)
{
    struct wire_reply built;
    if (j->client < 0 || wire_receive(j->link, &built, sizeof built, NULL)) {
        end_job(j);
        return;
    }
    answer(j->client, WIRE_OK, 0, j->token, 0);
    j->client = -1;
    set_deadline(j, PARK_MS);
    make_room(s);
}

static int patience(const struct server *s)
{
    int64_t least = INT_MAX, now = clock_ms();
    for (int i = 0; i < s->n_jobs; i++)
        if (s->jobs[i].deadline && s->jobs[i].deadline - now < least)
            least = s->jobs[i].deadline - now;
    return least == INT_MAX ? -1 : least > 0 ? (int)least : 0;
}

/* Jobs move when one ends: each round handles one event of one job, the last first. */
static void attend(struct server *s, const struct pollfd *polled)
{
    int64_t now = clock_ms();
    for (int i = s->n_jobs; i-- > 0;) {
        struct job *j = &s->jobs[i];
        const struct pollfd *p = polled + 2 + 3 * i;
        if (p[0].revents) {
            finish(s, j);
        } else if (p[2].revents) { /* the client is gone: so is its test */
            close(j->client);
            j->client = -1;
            j->token = 0;
            end_job(j);
        } else if (p[1].revents & (POLLIN | POLLHUP)) {
            hear_child(s, j);
            return;
        } else if (j->deadline && j->deadline <= now) {
            j->late = true;
            j->deadline = now + 1000;
            end_job(j);
        }
    }
}

static int loop(struct server *s)
{
    struct pollfd polled[2 + 3 * MOST_JOBS];
    for (;;) {
        /* With all places taken, new clients wait in the queue of the socket. */
        polled[0] =
            (struct pollfd){.fd = s->n_jobs < MOST_JOBS ? s->listener : -1, .events = POLLIN};
        polled[1] = (struct pollfd){.fd = s->signals, .events = POLLIN};
        for (int i = 0; i < s->n_jobs; i++) {
            polled[2 + 3 * i] = (struct pollfd){.fd = s->jobs[i].pidfd, .events = POLLIN};
            polled[3 + 3 * i] = (struct pollfd){.fd = s->jobs[i].link, .events = POLLIN};
            polled[4 + 3 * i] = (struct pollfd){.fd = s->jobs[i].client, .events = POLLRDHUP};
        }
        if (poll(polled, (nfds_t)(2 + 3 * s->n_jobs), patience(s)) < 0 && errno != EINTR)
            return -1;
        if (polled[1].revents)
            return 0;
        attend(s, polled);
        if (polled[0].revents)
            welcome(s);
    }
}

static int watch_signals(void)
{
    sigset_t ends;
    sigemptyset(&ends);
    sigaddset(&ends, SIGTERM);
    sigaddset(&ends, SIGINT);
    sigaddset(&ends, SIGHUP);
    signal(SIGPIPE, SIG_IGN);
    sigprocmask(SIG_BLOCK, &ends, NULL);
    return signalfd(-1, &ends, SFD_CLOEXEC);
}

static int count_threads(void)
{
    int n = 0;
    DIR *d = opendir("/proc/self/task");
    for (struct dirent *f; d && (f = readdir(d));)
        n += f->d_name[0] != '.';
    if (d)
        closedir(d);
    return n;
}

/* A thread of the runtime would be missing in every child: whoever waits for it waits forever. That
 * of a queue that was closed may need a moment to end. */
static void look_for_threads(void)
{
    int n = 1;
    for (int tries = 0; tries < THREAD_TRIES && (n = count_threads()) > 1; tries++)
        poll(NULL, 0, 10);
    if (n > 1)
        fprintf(stderr, "assay-opencl: the runtime has %d threads of its own, which no test has\n",
                n - 1);
}

int serve(const char *platform, const char *socket_path, struct error *e)
{
    struct server *s = mem_alloc(sizeof *s);
    *s = (struct server){0};
    /* What a server before us left there would keep the compiler from warming up. */
    if (own_cache())
        fs_remove_tree(own_cache());
    s->harness = harness_open(platform, e);
    if (!s->harness)
        return -1;
    look_for_threads();
    s->signals = watch_signals();
    s->listener = wire_listen(socket_path, e);
    if (s->listener < 0)
        return -1;
    int status = loop(s);
    while (s->n_jobs) {
        end_job(&s->jobs[0]);
        finish(s, &s->jobs[0]);
    }
    close(s->listener);
    unlink(socket_path);
    free(s);
    return status ? error_set(e, ERROR_ENVIRONMENT, "the server cannot wait: %s", strerror(errno))
                  : 0;
}
