/* Workers are forked; a page of memory that all share says which item is next and who has which.
 * Results go to a file for each worker, a block for each item, written at once: a worker that is
 * lost leaves whole blocks. */
#include "gen/lm/crew.h"

#include "base/arena.h"
#include "base/fs.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

struct shared {
    _Atomic uint32_t next, done;
    _Atomic int failed; /* errno of a worker that cannot hand back anything */
};

struct block {
    uint32_t item, size;
};

/* Of an item: where its bytes are among all that were read. */
struct result {
    bool there;
    size_t at, n;
};

struct run {
    const struct lm_crew *crew;
    struct shared *shared;
    char folder[256];
    pid_t pids[LM_CREW_MOST]; /* 0: it has ended */
    struct result *results;   /* by item */
};

static void results_path(const struct run *r, int worker, char *out, size_t size)
{
    snprintf(out, size, "%s/results-%d", r->folder, worker);
}

/* SIGPROF ends the worker when an item has used its time. */
static void limit_item(int seconds)
{
    struct itimerval t = {.it_value.tv_sec = seconds};
    setitimer(ITIMER_PROF, &t, NULL);
}

/* The disk is full, or there is a limit: no other worker would fare better. */
static _Noreturn void give_up(struct run *r)
{
    atomic_store(&r->shared->failed, errno);
    _exit(1);
}

static _Noreturn void be_worker(struct run *r, int worker, pid_t parent)
{
    char path[320], folder[320];
    struct strbuf out;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(1);
    fs_be_quiet();            /* libclang says what it thinks of a crash on stderr */
    signal(SIGXFSZ, SIG_IGN); /* a file that grows too large is an error like any other */
    results_path(r, worker, path, sizeof path);
    snprintf(folder, sizeof folder, "%s/worker-%d", r->folder, worker);
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (fd < 0 || fs_make_dirs(folder, NULL))
        give_up(r);
    strbuf_init(&out, 0);
    for (uint32_t i; (i = atomic_fetch_add(&r->shared->next, 1)) < r->crew->n;) {
        struct block b = {.item = i};
        strbuf_clear(&out);
        strbuf_add(&out, &b, sizeof b);
        limit_item(r->crew->seconds);
        r->crew->work(r->crew->context, i, folder, &out);
        limit_item(0);
        b.size = (uint32_t)(out.n - sizeof b);
        memcpy(out.s, &b, sizeof b);
        if (fs_write_all(fd, out.s, out.n))
            give_up(r);
        atomic_fetch_add(&r->shared->done, 1);
    }
    _exit(0);
}

static int start_worker(struct run *r, int worker, struct error *e)
{
    pid_t self = getpid();
    fflush(NULL); /* what is buffered is ours to write, once */
    pid_t pid = fork();
    if (pid == 0)
        be_worker(r, worker, self);
    if (pid < 0)
        return error_set(e, ERROR_ENVIRONMENT, "no process for a worker: %s", strerror(errno));
    r->pids[worker] = pid;
    return 0;
}

/* Until all have ended: one that is lost is replaced while there is something to do. */
static int watch_workers(struct run *r, struct error *e)
{
    int left = r->crew->workers, bad = 0;
    while (left && !bad && !atomic_load(&r->shared->failed)) {
        int ended = 0;
        if (r->crew->stop && *r->crew->stop)
            return error_set(e, ERROR_ENVIRONMENT, "stopped: nothing was written");
        for (int w = 0; w < r->crew->workers && !bad; w++) {
            int status;
            if (!r->pids[w] || waitpid(r->pids[w], &status, WNOHANG) != r->pids[w])
                continue;
            ended++;
            r->pids[w] = 0;
            bool lost = !WIFEXITED(status) || WEXITSTATUS(status);
            if (lost && atomic_load(&r->shared->next) < r->crew->n)
                bad = start_worker(r, w, e);
            else
                left--;
        }
        if (r->crew->progress)
            r->crew->progress(r->crew->context, atomic_load(&r->shared->done), r->crew->n);
        if (!ended)
            usleep(100 * 1000);
    }
    int failed = atomic_load(&r->shared->failed);
    if (failed)
        bad =
            error_at(e, ERROR_ENVIRONMENT, r->folder, 0, "cannot be written: %s", strerror(failed));
    return bad;
}

static void end_workers(struct run *r)
{
    for (int w = 0; w < r->crew->workers; w++)
        if (r->pids[w]) {
            kill(r->pids[w], SIGKILL);
            waitpid(r->pids[w], NULL, 0);
        }
}

static void read_results(struct run *r, struct strbuf *all)
{
    char path[320];
    for (int w = 0; w < r->crew->workers; w++) {
        results_path(r, w, path, sizeof path);
        size_t at = all->n;
        struct block b;
        if (fs_exists(path))
            fs_read(path, all, NULL);
        while (at + sizeof b <= all->n) {
            memcpy(&b, all->s + at, sizeof b);
            at += sizeof b;
            if (b.item >= r->crew->n || b.size > all->n - at)
                break;
            r->results[b.item] = (struct result){.there = true, .at = at, .n = b.size};
            at += b.size;
        }
    }
}

static void hand_over(struct run *r)
{
    struct strbuf all;
    size_t size = (r->crew->n + 1) * sizeof *r->results;
    strbuf_init(&all, (size_t)4 << 30);
    r->results = mem_alloc(size);
    memset(r->results, 0, size);
    read_results(r, &all);
    for (uint32_t i = 0; i < r->crew->n; i++) {
        const struct result *x = &r->results[i];
        r->crew->take(r->crew->context, i, x->there ? all.s + x->at : NULL, x->n);
    }
    free(r->results);
    strbuf_release(&all);
}

int lm_crew_run(const struct lm_crew *crew, struct error *e)
{
    struct run r = {.crew = crew};
    int bad = 0;
    if (!crew->n)
        return 0;
    if (fs_make_temp_dir("assay-crew", r.folder, sizeof r.folder, e))
        return -1;
    r.shared =
        mmap(NULL, sizeof *r.shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (r.shared == MAP_FAILED)
        bad = error_set(e, ERROR_ENVIRONMENT, "no memory for the workers: %s", strerror(errno));
    for (int w = 0; w < crew->workers && !bad; w++)
        bad = start_worker(&r, w, e);
    if (!bad)
        bad = watch_workers(&r, e);
    end_workers(&r);
    if (!bad)
        hand_over(&r);
    if (r.shared != MAP_FAILED)
        munmap(r.shared, sizeof *r.shared);
    fs_remove_tree(r.folder);
    return bad;
}
