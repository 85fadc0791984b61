/* The supervisor. campaign_run is the whole story; everything above it is one step each. */
#include "base/apart.h"
#include "base/fs.h"
#include "base/json.h"
#include "base/log.h"
#include "base/text.h"
#include "campaign/campaign_internal.h"
#include "campaign/trust.h"
#include "inquiry/avoid.h"
#include "inquiry/known.h"
#include "inquiry/reduce.h"
#include "testbed/identity.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    PULSE_MS = 100,      /* how often the supervisor looks around */
    TICK_MS = 1000,      /* how often it writes the time spent and redraws */
    GRACE_MS = 10000,    /* for workers to stop before they are killed */
    CONFIRM_MS = 300000, /* for confirming what was found when the tests or findings were enough */
    SOON_MS = 30000,     /* so long before the time is up, or a twentieth of it, no test begins */
    HALT_MS = 3000,      /* a worker that a signal stopped for longer is replaced */
    LATE_MS = 5000,      /* so long a worker must be seen to be late */
    CRASHES_IN_A_ROW = 20, /* without a test between: something is broken, stop */
};

struct seat {              /* one worker's place */
    pid_t keeper;          /* 0: empty */
    int64_t late_since_ms; /* 0: it is not late (base/pulse.h) */
    bool killed;           /* for that */
};

struct supervisor {
    const struct campaign_config *config;
    struct store *store;
    int64_t campaign;
    int self; /* pidfd of the supervisor */
    struct seat *seats;
    struct worker_board *boards; /* shared with the workers */
    struct status status;
    struct arena arena; /* as long as the run */
    struct worker_avoids avoids;
    int64_t last_tick_ms, last_own_us;
    int64_t looked_ms; /* for workers that are late */
    struct log log;
    bool soon;    /* workers were told to end with the test that they have */
    bool spent;   /* the CPU time; what is done from now on is not charged */
    bool unshown; /* the status, when it was to be shown last */
    int crashes;  /* in a row */
    int64_t tests_at_crash;
    int64_t tests_before, tried_before; /* when this run began (tried) */
};

/* Signal handlers can reach nothing but this. */
static volatile sig_atomic_t stop_signal;
static struct worker_stop worker_stop;

static void on_stop(int signal)
{
    stop_signal = signal;
}

static void on_worker_stop(int signal)
{
    worker_stop.soon = 1;
    worker_stop.now |= signal == SIGTERM;
}

/* -- the database ------------------------------------------------------------------------------ */

/* Workers that were to be heard of and were not: killed, and replaced when they are reaped. Late is
 * what was late for a while as we looked on: when the whole machine slept, nobody is. One that
 * hangs with the lock of the database is waited for by everybody, us included. */
static void end_late(void *of)
{
    struct supervisor *s = of;
    for (int i = 0; i < s->config->workers; i++) {
        struct seat *seat = &s->seats[i];
        if (!seat->keeper || seat->killed)
            continue;
        if (!pulse_is_late(&s->boards[i].pulse))
            seat->late_since_ms = 0;
        else if (!seat->late_since_ms || clock_ms() - s->looked_ms > LATE_MS)
            seat->late_since_ms = clock_ms();
        else if (clock_ms() - seat->late_since_ms > LATE_MS) {
            seat->killed = true;
            kill(seat->keeper, SIGKILL);
        }
    }
    s->looked_ms = clock_ms();
}

static int open_store(struct supervisor *s, struct error *e)
{
    char path[PATH_MAX];
    campaign_db_path(s->config->dir, path, sizeof path);
    int status = store_open(path, STORE_WRITE, &s->store, e);
    s->status.store = s->store;
    if (!status && s->seats)
        store_while_waiting(s->store, end_late, s);
    return status;
}

/* Where it cannot be noted whose a new folder is, the user must say it later. */
static void begin_folder(const struct supervisor *s)
{
    struct error e = {0};
    char text[1200];
    if (campaign_begin_folder(s->config->dir, &e) && s->config->status != STATUS_NONE)
        text_print(stderr, "assay: %s; commands that try findings again will need --trust\n",
                   error_text(&e, text, sizeof text));
}

/* Another build of a version that the campaign knows is another testbed. */
static int register_testbed(struct supervisor *s, struct testbed *t, struct error *e)
{
    int64_t id;
    int known = store_testbed_id(s->store, s->campaign, t, &id, e);
    if (known <= 0)
        return known;
    t->version = arena_printf(&s->arena, "%s%sof %s", t->version, *t->version ? ", " : "",
                              identity_time(t->identity, &s->arena));
    return store_testbed_id(s->store, s->campaign, t, &id, e) < 0 ? -1 : 0;
}

static int open_campaign(struct supervisor *s, struct error *e)
{
    const struct campaign_config *c = s->config;
    begin_folder(s);
    if (open_store(s, e) ||
        store_campaign_open(s->store, c->generator, &c->options, c->first_seed, &s->campaign, e) ||
        /* whoever was at work here is dead: their seeds go back to the queue */
        store_release(s->store, s->campaign, -1, NULL, WORKER_ATTEMPTS, e))
        return -1;
    for (int i = 0; i < c->test.n_testbeds; i++)
        if (register_testbed(s, &c->test.testbeds[i], e))
            return -1;
    return 0;
}

/* -- workers ----------------------------------------------------------------------------------- */

static void set_handler(int signal, void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler};
    sigemptyset(&action.sa_mask);
    sigaction(signal, &action, NULL);
}

static _Noreturn void be_worker(const struct supervisor *s, int slot)
{
    terminal_forget();
    worker_stop = (struct worker_stop){0};
    set_handler(SIGTERM, on_worker_stop);
    set_handler(SIGUSR1, on_worker_stop);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    int status =
        worker_main(s->config, &s->avoids, s->campaign, slot, &s->boards[slot], &worker_stop);
    exit(status);
}

/* Wait for a signal, but no longer than until `until_ms`, if that is not 0. */
static int next_signal(const sigset_t *all, int64_t until_ms)
{
    int64_t left = until_ms - clock_ms();
    if (!until_ms)
        return sigwaitinfo(all, NULL);
    const struct timespec wait = {left > 0 ? left / 1000 : 0, left > 0 ? left % 1000 * 1000000 : 0};
    return sigtimedwait(all, NULL, &wait);
}

/* The keeper: pid 1 of the worker's namespace. It passes SIGTERM and SIGUSR1 on, reaps orphans, and
 * ends as the worker ends; then the kernel kills whatever else is in the namespace. A signal that
 * killed the worker is told as 128 + signal, because pid 1 cannot kill itself with it. A worker
 * that is stopped (SIGSTOP) holds up everything, the lock of the database included: it is not
 * waited for.
 */
static _Noreturn void be_keeper(const struct supervisor *s, int slot, bool apart)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    /* If the supervisor was killed before that line, nobody will tell us. getppid says nothing
     * across a pid namespace; the supervisor's pidfd does. */
    struct pollfd supervisor = {.fd = s->self, .events = POLLIN};
    if (poll(&supervisor, 1, 0) != 0)
        _exit(WORKER_DONE);
    setpgid(0, 0); /* Ctrl-C is for the supervisor */
    sigset_t all;
    sigfillset(&all); /* signals are waited for, one by one: none can slip in between */
    sigprocmask(SIG_SETMASK, &all, NULL);
    if (apart)
        apart_mount_proc();
    pid_t worker = fork();
    if (worker == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        be_worker(s, slot);
    }
    int64_t halted_until_ms = 0; /* not 0: it is stopped, and may be until then */
    while (worker > 0) {
        int status, signal = next_signal(&all, halted_until_ms);
        if (signal == SIGTERM || signal == SIGUSR1)
            kill(worker, signal);
        for (pid_t ended; (ended = waitpid(-1, &status, WNOHANG | WUNTRACED | WCONTINUED)) > 0;) {
            if (ended != worker)
                continue;
            if (WIFSTOPPED(status))
                halted_until_ms = clock_ms() + HALT_MS;
            else if (WIFCONTINUED(status))
                halted_until_ms = 0;
            else
                _exit(WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
        }
        if (halted_until_ms && clock_ms() >= halted_until_ms)
            _exit(WORKER_HALTED); /* and the kernel ends the worker with us */
    }
    _exit(WORKER_ERROR);
}

static int start_worker(struct supervisor *s, int slot, struct error *e)
{
    bool apart;
    s->boards[slot].error[0] = '\0';
    s->boards[slot].reducing.finding = 0;
    pulse_allow(&s->boards[slot].pulse, PULSE_SLACK_MS);
    fflush(NULL);
    /* SQLite keeps its locks per process: an open database must not be carried through a fork, not
     * even unused, because a second connection to the same file would believe in those locks. */
    store_close(s->store);
    s->store = NULL;
    pid_t pid = apart_fork(0, &apart);
    if (pid == 0)
        be_keeper(s, slot, apart);
    int failed = errno;
    if (open_store(s, e))
        return -1;
    if (pid < 0)
        return error_set(e, ERROR_ENVIRONMENT, "no worker can be started: %s", strerror(failed));
    s->seats[slot] = (struct seat){.keeper = pid};
    return 0;
}

/* A worker that ended by itself is done, or could not go on; any other way is a crash of ours (or
 * someone killed it): the seed is noted, and a new worker takes the seat. */
static int take_note_of_end(struct supervisor *s, int slot, int status, struct error *e)
{
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    bool late = s->seats[slot].killed;
    s->boards[slot].reducing.finding = 0;
    s->seats[slot] = (struct seat){0};
    if (code == WORKER_DONE)
        return store_release(s->store, s->campaign, slot, NULL, WORKER_ATTEMPTS, e);
    if (code == WORKER_ERROR && s->boards[slot].error[0]) {
        log_line(&s->log, LOG_ERROR, "worker %d gave up: %s", slot, s->boards[slot].error);
        store_release(s->store, s->campaign, slot, NULL, WORKER_ATTEMPTS, NULL);
        return error_set(e, ERROR_ENVIRONMENT, "%s", s->boards[slot].error);
    }
    char what[128];
    if (late)
        snprintf(what, sizeof what, "the worker made no progress, beyond all its limits");
    else if (code == WORKER_HALTED)
        snprintf(what, sizeof what, "the worker was stopped by a signal");
    else if (code > 128)
        snprintf(what, sizeof what, "the worker died of SIG%s", sigabbrev_np(code - 128));
    else
        snprintf(what, sizeof what, "the worker ended with status %d", code);
    log_line(&s->log, LOG_ERROR, "seat %d: %s", slot, what);
    if (store_release(s->store, s->campaign, slot, what, WORKER_ATTEMPTS, e))
        return -1;
    struct arena a;
    struct store_campaign now;
    arena_init(&a);
    int failed = store_campaign_get(s->store, s->campaign, &a, &now, e);
    arena_release(&a);
    if (failed)
        return -1;
    s->crashes = now.tests == s->tests_at_crash ? s->crashes + 1 : 1;
    s->tests_at_crash = now.tests;
    if (s->crashes >= CRASHES_IN_A_ROW)
        return error_set(
            e, ERROR_ENVIRONMENT,
            "workers die faster than they finish tests (%s): see `assay show incidents`", what);
    return s->soon ? 0 : start_worker(s, slot, e);
}

static int reap(struct supervisor *s, struct error *e)
{
    int status;
    for (pid_t pid; (pid = waitpid(-1, &status, WNOHANG)) > 0;)
        for (int i = 0; i < s->config->workers; i++)
            if (s->seats[i].keeper == pid && take_note_of_end(s, i, status, e))
                return -1;
    return 0;
}

static int seats_taken(const struct supervisor *s)
{
    int n = 0;
    for (int i = 0; i < s->config->workers; i++)
        n += s->seats[i].keeper != 0;
    return n;
}

static void signal_workers(struct supervisor *s, int signal)
{
    for (int i = 0; i < s->config->workers; i++)
        if (s->seats[i].keeper)
            kill(s->seats[i].keeper, signal);
}

/* One worker that has ended; false when none has. */
static bool empty_a_seat(struct supervisor *s)
{
    int status;
    pid_t pid = waitpid(-1, &status, WNOHANG);
    if (pid < 0 && errno == ECHILD) /* all gone, whatever we believed */
        for (int i = 0; i < s->config->workers; i++)
            s->seats[i].keeper = 0;
    for (int i = 0; pid > 0 && i < s->config->workers; i++)
        if (s->seats[i].keeper == pid)
            s->seats[i].keeper = 0;
    return pid > 0;
}

/* Ask, wait, insist. What they had in hand goes back to the queue. */
static void stop_workers(struct supervisor *s)
{
    signal_workers(s, SIGTERM);
    s->status.doing = "stopping: unfinished tests go back to the queue";
    if (s->store && s->config->status == STATUS_LIVE)
        status_update(&s->status, NULL);
    int64_t deadline = clock_ms() + GRACE_MS;
    while (seats_taken(s)) {
        if (!empty_a_seat(s))
            poll(NULL, 0, 10);
        if (clock_ms() > deadline) {
            signal_workers(s, SIGKILL);
            deadline = INT64_MAX;
        }
    }
    store_release(s->store, s->campaign, -1, NULL, WORKER_ATTEMPTS, NULL);
}

/* -- budget ------------------------------------------------------------------------------------ */

/* What cannot be shown is noted once, and ends nothing: whether the campaign can go on is for those
 * to say who do its work. */
static void show_status(struct supervisor *s)
{
    struct error e = {0};
    bool failed = status_update(&s->status, &e) != 0;
    if (failed && !s->unshown)
        log_line(&s->log, LOG_ERROR, "the status cannot be shown: %s", e.message);
    s->unshown = failed;
}

static int tick(struct supervisor *s, struct error *e)
{
    int64_t now = clock_ms();
    int64_t spent = now - s->last_tick_ms, own = own_cpu_us();
    int64_t own_spent = own - s->last_own_us;
    s->last_tick_ms = now;
    s->last_own_us = own;
    return store_campaign_tick(s->store, s->campaign, spent, s->spent ? 0 : own_spent, e);
}

static const char time_is_up[] = "the time is up";

/* Why the campaign is over, or NULL. Ahead of the end of its time, workers are told to begin
 * nothing more: what they have in hand is ended with it. */
static int budget_spent(struct supervisor *s, const char **why, struct error *e)
{
    const struct campaign_budget *b = &s->config->budget;
    struct arena a;
    struct store_campaign now;
    arena_init(&a);
    int status = store_campaign_get(s->store, s->campaign, &a, &now, e);
    arena_release(&a);
    int64_t news = 0; /* what is known does not count */
    if (status || (b->findings && store_news(s->store, s->campaign, -1, &news, e)))
        return -1;
    int64_t left = b->ms - (now.elapsed_ms - now.round_elapsed_ms);
    int64_t soon = b->ms / 20 < SOON_MS ? b->ms / 20 : SOON_MS;
    if (b->ms && left <= soon && !s->soon) {
        s->soon = true;
        signal_workers(s, SIGUSR1);
    }
    s->spent = b->cpu_us && store_campaign_cpu(&now) - now.round_cpu_us >= b->cpu_us;
    if (b->ms && (left <= 0 || (s->soon && !seats_taken(s))))
        *why = time_is_up;
    else if (b->tests && now.tests - now.round_tests >= b->tests &&
             !seats_taken(s)) /* they still confirm and reduce, and end by themselves */
        *why = "all tests are done";
    else if (s->spent && !seats_taken(s)) /* the same */
        *why = "the CPU time is spent";
    else if (b->findings && news >= b->findings)
        *why = "enough was found";
    return 0;
}

/* Until the budget is spent, a signal comes, or every worker says that nothing is left. */
static int watch(struct supervisor *s, const char **why, struct error *e)
{
    int64_t next_tick = clock_ms() + TICK_MS;
    *why = NULL;
    while (!*why) {
        poll(NULL, 0, PULSE_MS);
        end_late(s);
        if (reap(s, e))
            return -1;
        if (s->config->stop && *s->config->stop)
            stop_signal = SIGTERM;
        if (stop_signal) {
            *why = "stopped";
            break;
        }
        bool idle = seats_taken(s) == 0;
        if (clock_ms() < next_tick && !idle && !status_is_resized(&s->status))
            continue;
        next_tick = clock_ms() + TICK_MS;
        if (tick(s, e))
            return -1;
        show_status(s);
        if (budget_spent(s, why, e))
            return -1;
        if (!*why && idle)
            *why = "nothing is left to do";
    }
    return 0;
}

/* There is enough: findings that have been seen once are still to be confirmed. */
static int let_confirm(struct supervisor *s, struct error *e)
{
    int64_t next_tick = clock_ms() + TICK_MS, deadline = clock_ms() + CONFIRM_MS;
    signal_workers(s, SIGUSR1);
    s->status.doing = "enough: confirming the findings; Ctrl-C stops";
    while (seats_taken(s) && !stop_signal && clock_ms() < deadline) {
        end_late(s);
        if (!empty_a_seat(s))
            poll(NULL, 0, 10);
        if (clock_ms() < next_tick && !status_is_resized(&s->status))
            continue;
        next_tick = clock_ms() + TICK_MS;
        if (tick(s, e))
            return -1;
        show_status(s);
    }
    return 0;
}

/* -- the whole --------------------------------------------------------------------------------- */

static int begin(struct supervisor *s, struct error *e)
{
    const struct campaign_config *c = s->config;
    if (open_campaign(s, e))
        return -1;
    size_t size = sizeof *s->boards * (size_t)c->workers;
    s->boards = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (s->boards == MAP_FAILED) {
        s->boards = NULL;
        return error_set(e, ERROR_ENVIRONMENT, "no memory for %d workers", c->workers);
    }
    s->seats = mem_alloc(sizeof *s->seats * (size_t)c->workers);
    memset(s->seats, 0, sizeof *s->seats * (size_t)c->workers);
    char log_path[PATH_MAX];
    snprintf(log_path, sizeof log_path, "%s/assay.log", c->dir);
    log_open(&s->log, log_path, LOG_NOTE, "supervisor");
    log_line(&s->log, LOG_NOTE, "assay %s, campaign %lld, %d workers, %d testbeds", ASSAY_VERSION,
             (long long)s->campaign, c->workers, c->test.n_testbeds);
    s->tests_at_crash = -1;
    s->self = (int)syscall(SYS_pidfd_open, getpid(), 0);
    if (s->self < 0)
        return error_set(e, ERROR_ENVIRONMENT, "no pidfd: %s (Linux 5.3 or newer is needed)",
                         strerror(errno));
    s->last_tick_ms = clock_ms();
    stop_signal = 0;
    set_handler(SIGINT, on_stop);
    set_handler(SIGTERM, on_stop);
    set_handler(SIGHUP, on_stop);
    set_handler(SIGXFSZ, SIG_IGN); /* a file-size limit is a full disk to us, not a death */
    s->status = (struct status){.mode = c->status,
                                .colour = c->colour,
                                .store = s->store,
                                .dir = c->dir,
                                .campaign = s->campaign,
                                .budget = c->budget,
                                .workers = c->workers,
                                .boards = s->boards,
                                .reduce = c->reduce};
    return 0;
}

static void end(struct supervisor *s)
{
    store_close(s->store);
    arena_release(&s->arena);
    log_close(&s->log);
    if (s->boards)
        munmap(s->boards, sizeof *s->boards * (size_t)s->config->workers);
    free(s->seats);
    if (s->self >= 0)
        close(s->self);
}

/* -- known bugs -------------------------------------------------------------------------------- */

static void tell_known(void *to, const struct known_checked *c)
{
    const struct supervisor *s = to;
    log_line(&((struct supervisor *)to)->log, LOG_NOTE, "known bug %lld with %s %s: %s",
             (long long)c->finding, c->toolchain, c->version, mark_name[c->mark]);
    if (s->config->status == STATUS_JSON) {
        json_print(json_new("{s:s,s:I,s:s,s:s,s:s,s:s}", "event", "known", "finding",
                            (int64_t)c->finding, "testbed", c->testbed, "version", c->version,
                            "before", c->before, "mark", mark_name[c->mark]),
                   true);
    } else if (s->config->status != STATUS_NONE) {
        known_print(c);
    }
    fflush(stdout);
}

static bool tells(const struct supervisor *s)
{
    return s->config->status == STATUS_PLAIN || s->config->status == STATUS_LIVE;
}

/* Programs are made without what no compiler has; of what some have, half of them are. */
static void look_at_lacking(struct supervisor *s)
{
    const struct campaign_config *c = s->config;
    struct lacking l;
    avoidance_lacking(c->test.testbeds, c->test.n_testbeds, c->generator, c->options.settings,
                      &s->arena, &l);
    const char **both = arena_array(&s->arena, const char *, l.n_all + l.n_some + 1);
    memcpy(both, l.all, sizeof *both * (size_t)l.n_all);
    memcpy(both + l.n_all, l.some, sizeof *both * (size_t)l.n_some);
    s->avoids = (struct worker_avoids){.always = l.all,
                                       .n_always = l.n_all,
                                       .settings = both,
                                       .n = l.n_some ? l.n_all + l.n_some : 0,
                                       .of_four = AVOID_LACKING};
    if (tells(s) && l.n_all)
        text_print(stdout, "programs omit features that no testbed supports: %s\n", l.what_all);
    if (tells(s) && l.n_some)
        text_print(stdout, "every other program omits features that some testbeds lack: %s\n",
                   l.what_some);
}

/* Both lists of settings, in the arena. */
static void avoid_besides(struct supervisor *s, const char *const *settings, int n)
{
    struct worker_avoids *w = &s->avoids;
    int before = w->n ? w->n : w->n_always;
    const char **both = arena_array(&s->arena, const char *, before + n + 1);
    memcpy(both, w->n ? w->settings : w->always, sizeof *both * (size_t)before);
    memcpy(both + before, settings, sizeof *both * (size_t)n);
    w->settings = both;
    w->n = before + n;
    w->of_four = AVOID_KNOWN;
}

/* Is what is known still there, and what of it is to be avoided? */
static int look_at_known(struct supervisor *s, struct error *e)
{
    const struct campaign_config *c = s->config;
    const char *what = "", *const * settings;
    int n;
    look_at_lacking(s);
    if ((c->baseline && baseline_import(s->store, c->baseline, e)) ||
        inquiry_look_at_old(s->store, e) ||
        known_recheck(s->store, c->test.testbeds, c->test.n_testbeds, false,
                      (const volatile int *)&stop_signal, tell_known, s, e) ||
        known_recognise(s->store, e))
        return -1;
    if (!c->avoid_known)
        return 0;
    if (known_avoid(s->store, c->generator, &s->arena, &settings, &n, &what, e))
        return -1;
    if (n)
        avoid_besides(s, settings, n);
    if (tells(s))
        text_print(stdout, "%s%s\n",
                   *what ? "three of four programs omit what known bugs need: "
                         : "no known bug has a reduced program that shows what to avoid",
                   what);
    return 0;
}

/* How often a program of the campaign was given to a compiler. */
static int tried(struct supervisor *s, int64_t *n, struct error *e)
{
    struct store_testbed *list;
    int count;
    *n = 0;
    if (store_testbeds(s->store, s->campaign, &s->arena, &list, &count, e))
        return -1;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < OUTCOME_COUNT; k++)
            *n += k == OUTCOME_SKIPPED ? 0 : list[i].outcomes[k];
    return 0;
}

static int look_back(struct supervisor *s, struct error *e)
{
    struct store_campaign now;
    if (store_campaign_get(s->store, s->campaign, &s->arena, &now, e) ||
        tried(s, &s->tried_before, e))
        return -1;
    s->tests_before = now.tests;
    return 0;
}

/* What the whole round has done, whoever was killed in between. */
static int sum_up(struct supervisor *s, struct campaign_summary *out, struct error *e)
{
    struct store_campaign now;
    int64_t n;
    if (store_campaign_get(s->store, s->campaign, &s->arena, &now, e) || tried(s, &n, e) ||
        store_news(s->store, s->campaign, -1, &out->new_findings, e))
        return -1;
    out->tests = now.tests - now.round_tests;
    out->in_vain = n == s->tried_before ? now.tests - s->tests_before : 0;
    return 0;
}

static int run_workers(struct supervisor *s, struct campaign_summary *out, struct error *e)
{
    const char *why = NULL;
    int status = look_at_known(s, e) || look_back(s, e) ? -1 : 0;
    status_begin(&s->status);
    for (int i = 0; i < s->config->workers && !status; i++)
        status = start_worker(s, i, e);
    if (!status)
        status = watch(s, &why, e);
    if (!status && !stop_signal && why != time_is_up)
        status = let_confirm(s, e);
    stop_workers(s);
    /* The error that ended it is what the user must see; these may fail for the same reason. */
    struct error *later = status ? NULL : e;
    if (tick(s, later))
        status = -1;
    out->interrupted = stop_signal != 0;
    if (!status && known_recognise(s->store, e))
        status = -1;
    int told = status_end(&s->status, why ? why : "stopped by an error", later);
    if (sum_up(s, out, told ? NULL : later))
        status = -1;
    if (!status && !out->interrupted &&
        store_campaign_end_round(s->store, s->campaign, told ? NULL : e))
        status = -1;
    if (told)
        status = -1;
    log_line(&s->log, status ? LOG_ERROR : LOG_NOTE, "%s: %lld new findings%s%s",
             why ? why : "stopped", (long long)out->new_findings, status ? ": " : "",
             status ? e->message : "");
    return status;
}

int campaign_run(const struct campaign_config *config, struct campaign_summary *out,
                 struct error *e)
{
    struct supervisor s = {
        .config = config, .self = -1, .log.fd = -1, .last_own_us = config->own_before_us};
    *out = (struct campaign_summary){0};
    arena_init(&s.arena);
    int status = begin(&s, e);
    if (!status) {
        out->campaign = s.campaign;
        status = run_workers(&s, out, e);
    }
    end(&s);
    return status;
}
