/* A pipe per job: it ends when the job does, so that reading to the end and waiting are one. */
#include "base/pool.h"
#include "base/arena.h"
#include "base/fs.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    STOP_MS = 5000,       /* between asking a job to stop and killing it */
    LONGEST = 16 << 20,   /* bytes of an answer */
    LOOK_AGAIN_MS = 1000, /* a signal may come between looking at *stop and waiting */
};

/* In a job; its signal handler can reach nothing else. */
static volatile int job_stop;

static void on_stop(int signal)
{
    (void)signal;
    job_stop = 1;
}

void pool_init(struct pool *p, int slots)
{
    *p = (struct pool){.n = slots};
    p->slots = mem_alloc((size_t)slots * sizeof *p->slots);
    for (int i = 0; i < slots; i++) {
        p->slots[i] = (struct pool_slot){.from = -1};
        strbuf_init(&p->slots[i].text, LONGEST);
    }
    /* What a job that had to be killed leaves behind comes to us, and not to init. */
    prctl(PR_SET_CHILD_SUBREAPER, 1);
}

void pool_release(struct pool *p)
{
    for (int i = 0; i < p->n; i++) {
        if (p->slots[i].pid)
            pool_drop(p, i);
        strbuf_release(&p->slots[i].text);
    }
    free(p->slots);
}

/* -- in the new process ------------------------------------------------------------------------ */

static _Noreturn void be_job(pool_job *job, void *of, int slot, int to)
{
    static const int ignored[] = {SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGPIPE};
    struct sigaction stop = {.sa_handler = on_stop}, ignore = {.sa_handler = SIG_IGN},
                     standard = {.sa_handler = SIG_DFL};
    sigset_t none;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setpgid(0, 0); /* Ctrl-C is for the process that started us */
    job_stop = 0;
    sigaction(SIGTERM, &stop, NULL);
    sigaction(SIGCHLD, &standard, NULL);
    sigaction(SIGALRM, &ignore, NULL);
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
        sigaction(ignored[i], &ignore, NULL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    struct strbuf out;
    strbuf_init(&out, LONGEST);
    job(of, slot, &job_stop, &out);
    (void)fs_write_all(to, out.s, out.n);
    _exit(0);
}

/* -- in ours ----------------------------------------------------------------------------------- */

int pool_begin(struct pool *p, int slot, pool_job *job, void *of, struct error *e)
{
    struct pool_slot *s = &p->slots[slot];
    int ends[2];
    REQUIRE(!s->pid);
    if (pipe2(ends, O_CLOEXEC))
        return error_set(e, ERROR_ENVIRONMENT, "no pipe to a test: %s", strerror(errno));
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before); /* no handler of ours runs in the new process */
    pid_t pid = fork();
    if (pid == 0)
        be_job(job, of, slot, ends[1]);
    int failed = errno;
    sigprocmask(SIG_SETMASK, &before, NULL);
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        return error_set(e, ERROR_ENVIRONMENT, "no test can be started: %s", strerror(failed));
    }
    s->pid = pid;
    s->from = ends[0];
    strbuf_clear(&s->text);
    return 0;
}

static void await_end(struct pool *p, struct pool_slot *s)
{
    struct rusage usage = {0};
    while (wait4(s->pid, NULL, 0, &usage) < 0 && errno == EINTR)
        continue;
    p->cpu_us += (int64_t)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000 +
                 usage.ru_utime.tv_usec + usage.ru_stime.tv_usec;
    close(s->from);
    s->from = -1;
    s->pid = 0;
}

/* True: the job has ended. */
static bool take(struct pool_slot *s)
{
    char chunk[65536];
    ssize_t n = read(s->from, chunk, sizeof chunk);
    if (n > 0)
        strbuf_add(&s->text, chunk, (size_t)n);
    return n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN);
}

/* The slot of a job that has ended, or -1. */
static int look(struct pool *p, int wait_ms)
{
    struct pollfd fds[256];
    REQUIRE(p->n <= (int)(sizeof fds / sizeof *fds));
    for (int i = 0; i < p->n; i++) /* free ones, -1, are passed over */
        fds[i] = (struct pollfd){.fd = p->slots[i].from, .events = POLLIN};
    if (poll(fds, (nfds_t)p->n, wait_ms) <= 0)
        return -1;
    for (int i = 0; i < p->n; i++)
        if (fds[i].revents && take(&p->slots[i]))
            return i;
    return -1;
}

int pool_end(struct pool *p, int wait_ms, const volatile int *stop, int *slot, struct strbuf *out,
             struct error *e)
{
    int64_t until = clock_ms() + wait_ms;
    for (;;) {
        if (stop && *stop)
            return error_set(e, ERROR_NONE, "stopped");
        int64_t left = until - clock_ms();
        int ended = look(p, left < 0 ? 0 : left > LOOK_AGAIN_MS ? LOOK_AGAIN_MS : (int)left);
        if (ended >= 0) {
            struct pool_slot *s = &p->slots[ended];
            await_end(p, s);
            strbuf_clear(out);
            strbuf_add(out, s->text.s, s->text.n);
            *slot = ended;
            return 0;
        }
        if (clock_ms() >= until)
            return 1;
    }
}

void pool_drop(struct pool *p, int slot)
{
    struct pool_slot *s = &p->slots[slot];
    if (!s->pid)
        return;
    kill(s->pid, SIGTERM);
    for (int64_t until = clock_ms() + STOP_MS;;) {
        struct pollfd fd = {.fd = s->from, .events = POLLIN};
        if (poll(&fd, 1, 100) > 0 && take(s))
            break;
        if (clock_ms() > until) {
            kill(s->pid, SIGKILL);
            break;
        }
    }
    await_end(p, s);
}
