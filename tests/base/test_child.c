/* child_run without a sandbox: every way to end, every limit, and nothing left over.
 *
 * The programs run are those of any Linux: sh, cat, dd, setsid. None is built with a sanitizer,
 * which would not start under a limit of address space. */
#include "base/child.h"
#include "base/arena.h"
#include "base/fs.h"
#include "base/starve.h"
#include "processes.h"
#include "tap.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MEGABYTE = 1 << 20, KEEP = 16 * MEGABYTE, LEAK_RUNS = 200 };

/* Run a line of sh; what else the spec holds stays. */
static void shell(struct child_result *r, struct child_spec spec, const char *line)
{
    const char *const argv[] = {"sh", "-c", line, NULL};
    struct error e = {0};
    spec.argv = argv;
    if (child_run(&spec, r, &e))
        printf("# %s: %s\n", line, e.message);
}

static void ended(const struct child_result *r, enum child_end end, int status, const char *what)
{
    if (!ok(r->end == end && r->status == status, "%s: %s %d", what, child_end_name[end], status))
        printf("# %s %d after %lld ms\n# out %.300s\n# err %.300s\n", child_end_name[r->end],
               r->status, (long long)r->wall_us / 1000, r->out.s, r->err.s);
}

static bool no_children(void)
{
    return waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD;
}

static void test_ends(struct child_result *r)
{
    struct child_spec plain = {0};
    shell(r, plain, "echo out; echo err >&2; exit 7");
    ended(r, CHILD_EXITED, 7, "exit 7");
    is_str(r->out.s, "out\n", "standard output");
    is_str(r->err.s, "err\n", "standard error");
    is_int(r->out_bytes, 4, "its size");
    shell(r, plain, "kill -SEGV $$");
    ended(r, CHILD_SIGNALED, SIGSEGV, "a signal");
    is_int(r->out.n, 0, "the result starts empty");
    shell(r, plain, "cat");
    ended(r, CHILD_EXITED, 0, "no input is an end of file");
}

static void test_not_started(struct child_result *r)
{
    const char *argv[] = {"assay-no-such-program", NULL};
    struct child_spec spec = {.argv = argv};
    struct error e = {0};
    is_int(child_run(&spec, r, &e), 0, "a missing program is not our failure");
    ended(r, CHILD_NOT_STARTED, ENOENT, "a missing program");
    is_str(r->err.s, "cannot run 'assay-no-such-program': No such file or directory", "and why");
    argv[0] = "/";
    child_run(&spec, r, &e);
    ended(r, CHILD_NOT_STARTED, EACCES, "a folder");
    argv[0] = "true";
    spec.cwd = "/no/such/folder";
    is_int(child_run(&spec, r, &e), -1, "a missing work folder is an error");
    has_str(e.message, "/no/such/folder: No such file", "that names it");
    is_int(e.kind, ERROR_ENVIRONMENT, "of the environment");
}

/* A damaged executable is not a script. */
static void test_broken_executable(struct child_result *r, const char *folder)
{
    const char *const argv[] = {"./broken", NULL};
    struct child_spec spec = {.argv = argv, .cwd = folder};
    struct error e = {0};
    char path[600];
    snprintf(path, sizeof path, "%s/broken", folder);
    fs_write(path, "echo 1\n", 7, &e);
    chmod(path, 0755);
    child_run(&spec, r, &e);
    ended(r, CHILD_NOT_STARTED, ENOEXEC, "a file that is no program");
}

/* The wall limit passes while another one has the processor: that is no hang. Both are tied to one
 * processor, where the child only gets what is left over, until the other one is ended. */
static void test_starved(struct child_result *r)
{
    struct timespec while_late = {1, 0};
    cpu_set_t one;
    sched_getaffinity(0, sizeof one, &one);
    size_t cpu = 0;
    while (!CPU_ISSET(cpu, &one))
        cpu++;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    pid_t spinner = fork();
    if (spinner == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        sched_setaffinity(0, sizeof one, &one);
        for (volatile unsigned i = 0;; i = i + 1)
            ;
    }
    pid_t killer = fork();
    if (killer == 0) {
        nanosleep(&while_late, NULL);
        kill(spinner, SIGKILL);
        _exit(0);
    }
    char command[200];
    snprintf(command, sizeof command,
             "taskset -c %zu chrt -i 0 sh -c 'i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done'",
             cpu);
    struct child_spec spec = {.limits = {.wall_ms = 300, .cpu_ms = 60000}};
    shell(r, spec, command);
    if (starve_look(getpid()).ran_us == 0)
        tap_skip("one that gets no processor", "the system does not tell");
    else /* where others want it, too, it may not get it in time */
        ok(r->end == CHILD_EXITED || r->end == CHILD_STARVED, "one without a processor: %s",
           child_end_name[r->end]);
    ok(r->wall_us > 300000, "it was given more time");
    const struct starve none = {0}, busy = {400000, 0, true}, half = {500000, 0, true},
                        late = {10000, 250000, false}, asleep = {10000, 0, false};
    ok(starve_excuses(none, busy, 1000), "ready, and ran for less than half of the time");
    ok(!starve_excuses(none, half, 1000), "ran for half of it");
    ok(starve_excuses(none, late, 1000), "waited for a quarter of it");
    ok(!starve_excuses(late, late, 1000), "not since the last look");
    ok(!starve_excuses(none, asleep, 1000), "sleeps");
    /* child_run has ended our other children */
    while (waitpid(-1, NULL, 0) > 0)
        ;
}

static void test_streams(struct child_result *r)
{
    size_t size = 4 * MEGABYTE;
    char *input = mem_alloc(size);
    for (size_t i = 0; i < size; i++)
        input[i] = (char)(i * 7 + i / 251);
    struct child_spec spec = {.input = input, .input_size = size, .limits = {.wall_ms = 20000}};
    shell(r, spec, "head -c 3000000 /dev/zero >&2 & cat; wait");
    ended(r, CHILD_EXITED, 0, "all three streams are busy");
    ok(r->out.n == size && !memcmp(r->out.s, input, size), "the input came back whole");
    is_int(r->err_bytes, 3000000, "so did the other stream");
    shell(r, spec, "exec <&-; echo done");
    ended(r, CHILD_EXITED, 0, "input that nobody reads");
    is_str(r->out.s, "done\n", "does no harm");
    sigset_t blocked, pending;
    sigprocmask(SIG_BLOCK, NULL, &blocked);
    sigpending(&pending);
    ok(!sigismember(&blocked, SIGPIPE) && !sigismember(&pending, SIGPIPE), "nor to our signals");
    spec.input_size = 0;
    shell(r, spec, "cat");
    ended(r, CHILD_EXITED, 0, "empty input");
    free(input);
}

static void test_caps(void)
{
    struct child_result r;
    child_result_init(&r, 1000, 10);
    shell(&r, (struct child_spec){0}, "head -c 100000 /dev/zero; echo 1234567890123 >&2");
    is_int(r.out.n, 1000, "what is kept of the output");
    ok(r.out.truncated && r.err.truncated, "it is marked as cut");
    is_int(r.out_bytes, 100000, "all of it is counted");
    is_int(r.err_bytes, 14, "of the other stream too");
    is_str(r.err.s, "1234567890", "the beginning is kept");
    shell(&r, (struct child_spec){0}, "echo again");
    ok(!r.out.truncated && !strcmp(r.out.s, "again\n"), "the next run starts anew");
    child_result_release(&r);
}

static void count_bytes(void *context, const char *data, size_t n)
{
    size_t *counts = context; /* all, and those that are an x */
    counts[0] += n;
    for (size_t i = 0; i < n; i++)
        counts[1] += data[i] == 'x';
}

/* Standard error as it comes: nothing is kept, and no limit on output counts it. */
static void test_sink(struct child_result *r)
{
    size_t counts[2] = {0};
    struct child_spec spec = {.limits = {.output_bytes = MEGABYTE},
                              .err_sink = {count_bytes, counts}};
    shell(r, spec, "echo out; dd if=/dev/zero bs=65536 count=100 | tr '\\0' x >&2");
    ended(r, CHILD_EXITED, 0, "a flood into a sink");
    is_int(counts[1], 100 * 65536, "all of it arrives");
    ok(r->err.n == 0 && r->err_bytes == 0, "and is not kept");
    is_str(r->out.s, "out\n", "standard output is, as always");
}

static void test_surroundings(struct child_result *r, const char *folder)
{
    const char *const env[] = {"ASSAY_A=new", "ASSAY_B=b=c", NULL};
    struct child_spec spec = {.env = env, .cwd = folder};
    setenv("ASSAY_A", "old", 1);
    setenv("ASSAY_C", "kept", 1);
    shell(r, spec, "echo $ASSAY_A $ASSAY_B $ASSAY_C; env | grep -c ^ASSAY_A=");
    is_str(r->out.s, "new b=c kept\n1\n", "environment: replaced, added, kept");
    shell(r, spec, "pwd -P");
    has_str(r->out.s, folder, "work folder");
    spec.env = NULL;
    shell(r, spec, "echo $ASSAY_A");
    is_str(r->out.s, "old\n", "environment: ours");

    const char *const path[] = {"PATH=/nowhere", NULL};
    spec.env = path;
    shell(r, spec, "");
    ended(r, CHILD_NOT_STARTED, ENOENT, "the program is searched in the PATH of the child");
}

static void test_descriptors_and_signals(struct child_result *r)
{
    int fds[8];
    for (int i = 0; i < 8; i++)
        fds[i] = open("/dev/null", O_RDONLY); /* not close-on-exec */
    shell(r, (struct child_spec){0}, "ls /proc/self/fd | wc -l");
    is_int(atoi(r->out.s), 4, "open in the child: 0, 1, 2 and the folder of ls");
    for (int i = 0; i < 8; i++)
        close(fds[i]);

    sigset_t interrupt;
    sigemptyset(&interrupt);
    sigaddset(&interrupt, SIGINT);
    sigprocmask(SIG_BLOCK, &interrupt, NULL);
    signal(SIGTERM, SIG_IGN);
    shell(r, (struct child_spec){0}, "kill -TERM $$; exit 3");
    ended(r, CHILD_SIGNALED, SIGTERM, "a signal that we ignore");
    shell(r, (struct child_spec){0}, "kill -INT $$; exit 3");
    ended(r, CHILD_SIGNALED, SIGINT, "a signal that we block");
    sigprocmask(SIG_UNBLOCK, &interrupt, NULL);
    signal(SIGTERM, SIG_DFL);
}

/* The caller's own standard streams may be closed: their numbers must not confuse us. */
static void test_closed_streams(struct child_result *r)
{
    int saved[2] = {fcntl(0, F_DUPFD_CLOEXEC, 10), fcntl(2, F_DUPFD_CLOEXEC, 10)};
    close(0);
    close(2);
    struct child_spec spec = {.input = "through", .input_size = 7};
    shell(r, spec, "cat; echo err >&2");
    dup2(saved[0], 0);
    dup2(saved[1], 2);
    close(saved[0]);
    close(saved[1]);
    ok(!strcmp(r->out.s, "through") && !strcmp(r->err.s, "err\n"), "with our 0 and 2 closed");
}

static void test_time_limits(struct child_result *r)
{
    struct child_spec spec = {.limits = {.wall_ms = 300}};
    shell(r, spec, "trap '' TERM INT HUP; echo started; while :; do sleep 0.05; done");
    ended(r, CHILD_TIMEOUT_WALL, 0, "wall limit, SIGTERM ignored");
    ok(r->wall_us >= 300000 && r->wall_us < 3000000, "after %lld us", (long long)r->wall_us);
    is_str(r->out.s, "started\n", "its output is kept");

    spec.limits = (struct child_limits){.wall_ms = 20000, .cpu_ms = 500};
    shell(r, spec, "while :; do :; done");
    ended(r, CHILD_TIMEOUT_CPU, 0, "CPU limit");
    int64_t cpu = r->user_us + r->system_us;
    ok(cpu > 500000 && cpu < 2500000, "after %lld us", (long long)cpu);
    ok(r->peak_kb > 100 && r->peak_kb < 4000000, "peak memory of %lld kB", (long long)r->peak_kb);

    /* As a compiler driver does when its compiler proper is killed. */
    shell(r, spec, "sh -c 'while :; do :; done'; exit 1");
    ended(r, CHILD_TIMEOUT_CPU, 0, "CPU limit of a grandchild");
}

static void test_size_limits(struct child_result *r, const char *folder)
{
    struct child_spec spec = {.cwd = folder, .limits = {.wall_ms = 20000}};
    spec.limits.memory_bytes = 128 * MEGABYTE;
    shell(r, spec, "exec dd if=/dev/zero of=/dev/null bs=512M count=1");
    ended(r, CHILD_EXITED, 1, "memory limit");
    has_str(r->err.s, "memory", "dd says so");
    spec.limits.memory_bytes = 0;
    spec.limits.file_bytes = MEGABYTE;
    shell(r, spec, "exec dd if=/dev/zero of=big bs=64k count=100");
    ended(r, CHILD_FILE_SIZE, SIGXFSZ, "file-size limit");
    spec.limits.file_bytes = 0;
    spec.limits.output_bytes = 100000;
    shell(r, spec, "yes; sleep 100");
    ended(r, CHILD_OUTPUT, 0, "output limit");
    ok(r->out_bytes > 100000 && r->out_bytes < MEGABYTE, "after %llu bytes",
       (unsigned long long)r->out_bytes);
    shell(r, spec, "head -c 60000 /dev/zero; head -c 40001 /dev/zero >&2");
    ended(r, CHILD_OUTPUT, 0, "one byte too much, on both streams");
    shell(r, spec, "head -c 60000 /dev/zero; head -c 40000 /dev/zero >&2");
    ended(r, CHILD_EXITED, 0, "exactly as much as allowed");
}

/* The limit does not count for root, so root's child becomes someone else. It stands on top of the
 * tasks that the machine has already: far fewer than are tried here. */
static void test_process_limit(struct child_result *r)
{
    struct child_spec spec = {.limits = {.processes = 1, .wall_ms = 30000}};
#define FORKS "i=0; while [ $i -lt 20000 ]; do sleep 20 & i=$((i + 1)); done"
    shell(r, spec,
          geteuid() ? FORKS
                    : "exec setpriv --reuid=64123 --regid=64123 --clear-groups sh -c '" FORKS "'");
    if (geteuid() == 0 && strstr(r->err.s, "setpriv"))
        tap_skip("process limit", "no setpriv here");
    else
        has_str(r->err.s, "fork", "process limit");
}

static void set_flag(int sig)
{
    (void)sig;
}

static void test_stop(struct child_result *r)
{
    volatile int stop = 1;
    struct child_spec spec = {.stop = &stop, .limits = {.wall_ms = 20000}};
    shell(r, spec, "sleep 100");
    ended(r, CHILD_STOPPED, 0, "stop flag");
    ok(r->wall_us < 2000000, "seen at once");
    /* Signals that only interrupt our calls change nothing. */
    stop = 0;
    struct sigaction action = {.sa_handler = set_flag};
    sigaction(SIGALRM, &action, NULL);
    ualarm(20000, 20000);
    shell(r, spec, "sleep 0.3; echo done");
    ualarm(0, 0);
    signal(SIGALRM, SIG_DFL);
    is_str(r->out.s, "done\n", "interrupted calls go on");
}

/* Whatever was started is gone when child_run returns. `mark` is a number of seconds nobody else
 * sleeps for. */
static void test_family(struct child_result *r)
{
    char mark[32], line[256];
    struct child_spec spec = {.limits = {.wall_ms = 10000}};
    snprintf(mark, sizeof mark, "1000.%d", (int)getpid());
    snprintf(line, sizeof line, "sleep %s & sleep %s & exit 5", mark, mark);
    shell(r, spec, line);
    ended(r, CHILD_EXITED, 5, "grandchildren in the group");
    ok(r->wall_us < 2000000 && !process_running(mark) && no_children(),
       "are not waited for, and gone");

    /* setsid -f forks; the daemon holds our pipes. Wait until it has left the group. */
    snprintf(line, sizeof line, "setsid -f sh -c 'echo up; sleep %s'; sleep 0.3; exit 6", mark);
    shell(r, spec, line);
    ended(r, CHILD_EXITED, 6, "a daemon that left the group");
    is_str(r->out.s, "up\n", "it was there");
    ok(r->wall_us < 3000000 && !process_running(mark) && no_children(),
       "is not waited for, and gone");

    snprintf(line, sizeof line, "setsid -f sh -c 'sleep %s & while :; do echo x; done'; sleep 100",
             mark);
    spec.limits.wall_ms = 400;
    shell(r, spec, line);
    ended(r, CHILD_TIMEOUT_WALL, 0, "a daemon that floods our pipes");
    ok(!process_running(mark) && no_children(), "is gone, too");
}

static void test_our_death(struct child_result *r)
{
    char mark[32], line[64];
    snprintf(mark, sizeof mark, "2000.%d", (int)getpid());
    snprintf(line, sizeof line, "exec sleep %s", mark);
    pid_t caller = fork();
    if (caller == 0) {
        shell(r, (struct child_spec){0}, line);
        _exit(0);
    }
    for (int i = 0; i < 250 && !process_running(mark); i++)
        poll(NULL, 0, 20);
    ok(process_running(mark), "a caller runs something long");
    kill(caller, SIGKILL);
    while (waitpid(-1, NULL, 0) > 0) /* what it leaves comes to us, a subreaper */
        continue;
    ok(!process_running(mark), "and takes it along when killed");
}

static int count_descriptors(void)
{
    int n = 0;
    DIR *dir = opendir("/proc/self/fd");
    while (dir && readdir(dir))
        n++;
    if (dir)
        closedir(dir);
    return n;
}

static void test_leaks(struct child_result *r)
{
    static const struct {
        const char *program, *cwd, *input;
        struct child_limits limits;
        enum child_end end;
        int result;
    } kinds[] = {
        {"true", NULL, NULL, {0}, CHILD_EXITED, 0},
        {"true", NULL, "unread", {0}, CHILD_EXITED, 0},
        {"./missing", NULL, "unread", {0}, CHILD_NOT_STARTED, 0},
        {"true", "/no/such/folder", NULL, {0}, CHILD_NOT_STARTED, -1},
        {"yes", NULL, NULL, {.output_bytes = 1}, CHILD_OUTPUT, 0},
        {"yes", NULL, NULL, {.wall_ms = 1}, CHILD_TIMEOUT_WALL, 0},
    };
    int before = count_descriptors(), bad = 0;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        const char *const argv[] = {kinds[k].program, NULL};
        struct child_spec spec = {.argv = argv, .cwd = kinds[k].cwd, .limits = kinds[k].limits};
        spec.input = kinds[k].input;
        spec.input_size = spec.input ? strlen(spec.input) : 0;
        for (int i = 0; i < LEAK_RUNS; i++)
            bad += child_run(&spec, r, NULL) != kinds[k].result || r->end != kinds[k].end;
    }
    is_int(bad, 0, "%d runs of every kind end as they should", LEAK_RUNS);
    is_int(count_descriptors(), before, "no descriptor is left open");
    ok(no_children(), "no process is left");
}

int main(void)
{
    struct child_result r;
    struct error e = {0};
    char folder[512];
    child_result_init(&r, KEEP, KEEP);
    if (!ok(!fs_make_temp_dir("assay-child", folder, sizeof folder, &e), "a folder to work in"))
        return tap_done();
    for (int end = 0; end < CHILD_ENDS; end++)
        ok(child_end_name[end], "end %d has a name", end);
    test_ends(&r);
    test_not_started(&r);
    test_starved(&r);
    test_broken_executable(&r, folder);
    test_streams(&r);
    test_caps();
    test_sink(&r);
    test_surroundings(&r, folder);
    test_descriptors_and_signals(&r);
    test_closed_streams(&r);
    test_time_limits(&r);
    test_size_limits(&r, folder);
    test_process_limit(&r);
    test_stop(&r);
    test_family(&r);
    test_our_death(&r);
    test_leaks(&r);
    fs_remove_tree(folder);
    child_result_release(&r);
    return tap_done();
}
