/* The side of the servers: the process that waits, the keeper, and pid 1 of each server.
 *
 * Nothing here goes through child_run, which would end every other child. Each of the three has one
 * simple duty, so that no way of ending leaves anything behind:
 *
 *   - the process that waits (wait_for_worker) does nothing else, so it has no reason to die;
 *   - the keeper (keep) sees through a pidfd that it died all the same, and removes the folder;
 *   - pid 1 (be_init) dies with the keeper, and the kernel ends the server with pid 1.
 *
 * Where all of them are killed at once, the folder is left to the next assay that hosts servers
 * (remove_orphans).
 *
 * Nothing in a server's folder matters to anyone once assay has ended: a server is not shut down
 * with care, but killed, or asked once and then killed. */
#include "testbed/server_internal.h"

#include "base/apart.h"
#include "base/fs.h"
#include "base/text.h"
#include "testbed/toolchain.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <grp.h>
#include <poll.h>
#include <pwd.h>
#include <sched.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    PULSE_MS = 20,     /* how often the keeper looks around, and a server is asked if it is ready */
    INIT_MS = 120000,  /* for each command of init */
    READY_MS = 120000, /* from the start until it is ready */
    STOP_MS = 2000,    /* between the question and the kill */
    ORPHAN_SECONDS = 60, /* how old a folder without a lock must be to be one */
};

#define HOST_PLACE_MEMORY "/dev/shm"
#define HOST_PLACE_DISK "/tmp"
#define HOST_FOLDER "assay-s-"

static const uint64_t memory_bytes = 1 << 30; /* free in /dev/shm before we use it */

struct hosted { /* one server, as the keeper sees it */
    struct testbed_server rules;
    const char *compiler, *dir; /* {cc}, {dir} */
    const struct toolchain *toolchain;
    bool initialised; /* it was up once in this folder */
    pid_t init;       /* pid 1 of its namespaces; 0: it is not up */
    bool apart;
    unsigned before; /* generation ahead of this start */
    int asked;       /* wishes that this start answers */
};

struct host {
    char folder[64];
    int lock; /* on the folder; the keeper has it as long as it lives */
    struct server_board *board;
    struct hosted servers[SERVER_MOST];
    toolchain_list toolchains;
    compiler_list compilers;
    struct arena arena;
};

/* -- pid 1 of a server ------------------------------------------------------------------------- */

enum { PROGRAM = 3 }; /* behind standard error */

struct init {
    const struct hosted *server;
    struct server_slot *slot;
    char folder[PATH_MAX]; /* {server} */
    const char *compiler;  /* {cc}: its path, or, as PROGRAM, the open file */
    struct arena arena;
    pid_t process; /* the server itself */
};

static char **words_of(struct init *i, const char *template)
{
    char **words;
    text_split(&i->arena, template, &words);
    const char *bin = fs_folder(&i->arena, i->server->compiler);
    for (char **w = words; *w; w++)
        *w = text_fill(&i->arena, *w, "{cc}", i->compiler, "{bin}", bin, "{dir}", i->server->dir,
                       "{server}", i->folder, NULL);
    return words;
}

static pid_t spawn(struct init *i, const char *template)
{
    char **argv = words_of(i, template);
    pid_t pid = fork();
    if (pid)
        return pid;
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    execvp(argv[0], argv);
    dprintf(STDERR_FILENO, "%s: %s\n", argv[0], strerror(errno));
    _exit(127);
}

/* Reap whoever has ended, the server among them. True: `pid` has, with this status. */
static bool reap(struct init *i, pid_t pid, int *status)
{
    bool ended = false;
    int one;
    for (pid_t who; (who = waitpid(-1, &one, WNOHANG)) > 0;) {
        if (who == i->process)
            i->process = 0;
        if (who == pid) {
            ended = true;
            *status = one;
        }
    }
    return ended;
}

/* Run a command to its end. 0: it ended well. */
static int run(struct init *i, const char *template, int64_t limit_ms)
{
    pid_t pid = spawn(i, template);
    int status = -1;
    for (int64_t until = clock_ms() + limit_ms; pid > 0 && !reap(i, pid, &status);) {
        if (clock_ms() > until) {
            kill(pid, SIGKILL);
            return -1;
        }
        poll(NULL, 0, 5);
    }
    return pid > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : -1;
}

static _Noreturn void give_up(struct init *i, const char *what)
{
    dprintf(STDERR_FILENO, "assay: %s\n", what);
    server_set(i->slot->state, SERVER_DOWN);
    _exit(1);
}

static void become(const struct passwd *user)
{
    if (user && (setgroups(0, NULL) || setresgid(user->pw_gid, user->pw_gid, user->pw_gid) ||
                 setresuid(user->pw_uid, user->pw_uid, user->pw_uid)))
        _exit(1);
}

/* A few names, what the toolchain asks for, and what it sees, for those who keep to it. */
static void clean_environment(struct init *i)
{
    const struct toolchain *t = i->server->toolchain;
    string_list kept = {0};
    for (char **entry = environ; *entry; entry++)
        if (child_env_is_harmless(*entry))
            vec_push(&kept, *entry);
    for (size_t k = 0; k < t->env.n; k++) {
        const char *value = getenv(t->env.at[k]);
        if (strchr(t->env.at[k], '='))
            vec_push(&kept, t->env.at[k]);
        else if (value)
            vec_push(&kept, arena_printf(&i->arena, "%s=%s", t->env.at[k], value));
    }
    const char *sees = "ASSAY_SEES=";
    for (size_t k = 0; k < t->sees.n; k++)
        sees = arena_printf(&i->arena, "%s%s%s", sees, k ? ":" : "", t->sees.at[k]);
    vec_push(&kept, sees);
    clearenv();
    for (size_t k = 0; k < kept.n; k++)
        putenv((char *)kept.at[k]);
    vec_release(&kept);
}

/* The folder, the log, and the little of an environment that matters. */
static void settle(struct init *i)
{
    char log[PATH_MAX + 8];
    snprintf(log, sizeof log, "%s/log", i->folder);
    umask(077);
    int out = open(log, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, 0600);
    int null = open("/dev/null", O_RDONLY);
    if (out < 0 || null < 0 || chdir(i->folder) || dup2(null, 0) < 0 || dup2(out, 1) < 0 ||
        dup2(out, 2) < 0)
        _exit(1);
    close_range(i->compiler == i->server->compiler ? PROGRAM : PROGRAM + 1, ~0U, 0);
    clean_environment(i);
    setenv("HOME", i->folder, 1);
    setenv("TMPDIR", i->folder, 1);
    setenv("LC_ALL", "C", 1);
}

static void start_server(struct init *i)
{
    const struct testbed_server *rules = &i->server->rules;
    for (const char *const *step = rules->init; !i->server->initialised && *step; step++)
        if (run(i, *step, INIT_MS))
            give_up(i, "a command of server-init failed");
    i->process = spawn(i, rules->command);
    if (i->process < 0)
        give_up(i, "no process for the server");
    for (int64_t until = clock_ms() + READY_MS; rules->ready;) {
        int status;
        if (!run(i, rules->ready, INIT_MS))
            break;
        reap(i, -1, &status);
        if (!i->process)
            give_up(i, "the server ended before it was ready");
        if (clock_ms() > until)
            give_up(i, "the server does not become ready");
        poll(NULL, 0, PULSE_MS);
    }
    if (!i->process)
        give_up(i, "the server ended before it was ready");
}

/* The user that a server of root's becomes may not be let into the folder of the program, as into
 * /root: then it is started by the file that root has open. A process that changed its user may not
 * follow its own links in /proc unless it says that it has nothing to hide. */
static void become_with_compiler(struct init *i, const struct passwd *user)
{
    i->compiler = i->server->compiler;
    int file = user ? open(i->compiler, O_PATH) : -1;
    become(user);
    if (file < 0)
        return;
    if (access(i->compiler, X_OK) == 0) {
        close(file);
        return;
    }
    if (dup2(file, PROGRAM) < 0)
        _exit(1);
    i->compiler = "/proc/self/fd/3";
    prctl(PR_SET_DUMPABLE, 1);
}

/* Until the server ends, or we are asked to stop it. */
static _Noreturn void be_init(struct init *i, const struct passwd *user, bool apart, int keeper)
{
    sigset_t all;
    sigfillset(&all); /* signals are waited for, one by one */
    sigprocmask(SIG_SETMASK, &all, NULL);
    setsid();
    if (apart)
        apart_mount_proc();
    become_with_compiler(i, user);
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* changing the user would undo it */
    struct pollfd alive = {.fd = keeper, .events = POLLIN};
    if (poll(&alive, 1, 0) != 0)
        _exit(1);
    settle(i);
    start_server(i);
    server_set(i->slot->generation, server_get(i->slot->generation) + 1);
    server_set(i->slot->state, SERVER_READY);
    for (int status; i->process;) {
        int signal = sigwaitinfo(&all, NULL);
        reap(i, -1, &status);
        if (signal != SIGTERM || !i->process)
            continue;
        if (i->server->rules.stop)
            run(i, i->server->rules.stop, STOP_MS);
        else
            kill(i->process, SIGTERM);
    }
    server_set(i->slot->state, SERVER_DOWN);
    _exit(0);
}

/* -- the keeper -------------------------------------------------------------------------------- */

static const struct passwd *user_of(const struct testbed_server *rules, struct arena *a)
{
    char **words;
    if (geteuid() != 0 || !rules->users || text_split(a, rules->users, &words) < 0)
        return NULL;
    for (char **w = words; *w; w++) {
        const struct passwd *user = getpwnam(*w);
        if (user)
            return user;
    }
    return NULL;
}

static void start(struct host *h, int k, int self)
{
    struct hosted *s = &h->servers[k];
    struct init i = {.server = s, .slot = &h->board->slots[k]};
    const struct passwd *user = user_of(&s->rules, &h->arena);
    server_slot_path(h->folder, k, i.folder, sizeof i.folder);
    mkdir(i.folder, 0700);
    /* As root the tests' clients are another user, in the sandbox: they may pass, to the socket. */
    if (user && (chown(i.folder, user->pw_uid, CHILD_SANDBOX_ID) || chmod(i.folder, 0710)))
        user = NULL;
    s->before = server_get(i.slot->generation);
    server_set(i.slot->state, SERVER_STARTING);
    /* No network: the socket in the folder is the only way in. Nor shared memory that stays. */
    pid_t pid = apart_fork(CLONE_NEWNET | CLONE_NEWIPC, &s->apart);
    if (pid == 0) {
        arena_init(&i.arena);
        be_init(&i, user, s->apart, self);
    }
    s->init = pid > 0 ? pid : 0;
    if (pid < 0) {
        snprintf(i.slot->why, sizeof i.slot->why, "no process for its server: %s", strerror(errno));
        server_set(i.slot->granted, s->asked);
        server_set(i.slot->state, SERVER_FAILED);
    }
}

/* The end of the log, as one line. */
static void explain_failure(struct host *h, int k)
{
    struct server_slot *slot = &h->board->slots[k];
    struct server_link link = {.slot = slot};
    struct strbuf log;
    server_slot_path(h->folder, k, link.folder, sizeof link.folder);
    strbuf_init(&log, 0);
    server_log(&link, 400, &log);
    for (size_t i = 0; i < log.n; i++)
        if ((unsigned char)log.s[i] < ' ')
            log.s[i] = ' ';
    snprintf(slot->why, sizeof slot->why, "its server does not start: ... %s", log.s);
    strbuf_release(&log);
}

/* Pid 1 of a server has ended, and with its namespaces all of the server. What is left in a folder
 * may be what keeps a server from starting again, so it gets one more try in an empty one. */
static void take_note_of_end(struct host *h, int k, int self)
{
    struct hosted *s = &h->servers[k];
    struct server_slot *slot = &h->board->slots[k];
    if (!s->apart)
        kill(-s->init, SIGKILL);
    s->init = 0;
    if (server_get(slot->generation) != s->before) { /* it was up, and died */
        s->initialised = true;
        server_set(slot->granted, s->asked); /* or it would be started again for nobody */
        server_set(slot->state, SERVER_DOWN);
    } else if (s->initialised) {
        char folder[PATH_MAX];
        server_slot_path(h->folder, k, folder, sizeof folder);
        fs_empty_dir(folder);
        s->initialised = false;
        start(h, k, self);
    } else {
        explain_failure(h, k);
        server_set(slot->granted, s->asked);
        server_set(slot->state, SERVER_FAILED);
    }
}

static void look_after(struct host *h, int k, int self)
{
    struct hosted *s = &h->servers[k];
    struct server_slot *slot = &h->board->slots[k];
    int wishes = server_get(slot->wishes);
    if (s->init && waitpid(s->init, NULL, WNOHANG) == s->init)
        take_note_of_end(h, k, self);
    else if (s->init && server_get(slot->state) == SERVER_READY)
        server_set(slot->granted, wishes);
    else if (!s->init && wishes != server_get(slot->granted)) {
        s->asked = wishes;
        start(h, k, self);
    }
}

/* Nobody has an interest in a shutdown with care, where the kernel ends all of it anyway. */
static bool may_be_killed(const struct hosted *s)
{
    return s->apart && !s->rules.stop;
}

/* Ask those that must be asked, wait a little, kill the rest. */
static void stop_all(struct host *h)
{
    int up = 0;
    for (int k = 0; k < h->board->n; k++)
        if (h->servers[k].init)
            up += !kill(h->servers[k].init, may_be_killed(&h->servers[k]) ? SIGKILL : SIGTERM);
    for (int64_t until = clock_ms() + STOP_MS; up && clock_ms() < until; poll(NULL, 0, 5)) {
        up = 0;
        for (int k = 0; k < h->board->n; k++) {
            struct hosted *s = &h->servers[k];
            if (s->init && waitpid(s->init, NULL, WNOHANG) == s->init) {
                if (!s->apart)
                    kill(-s->init, SIGKILL);
                s->init = 0;
            }
            up += s->init != 0;
        }
    }
    for (int k = 0; k < h->board->n; k++) {
        struct hosted *s = &h->servers[k];
        if (!s->init)
            continue;
        kill(s->apart ? s->init : -s->init, SIGKILL);
        waitpid(s->init, NULL, 0);
    }
}

/* `assay` is a pidfd of the process that waits: when it is gone, whatever the reason, so are we. */
static _Noreturn void keep(struct host *h, int assay)
{
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    setsid();
    int null = open("/dev/null", O_RDWR);
    for (int fd = 0; fd < 3; fd++)
        dup2(null, fd);
    /* Keep no lock and no pipe of the command's, but ours. */
    int lock = fcntl(h->lock, F_DUPFD, 5);
    assay = dup2(assay, 3);
    dup2(lock, 4);
    close_range(5, ~0U, 0);
    int self = (int)syscall(SYS_pidfd_open, getpid(), 0);
    struct pollfd alive = {.fd = assay, .events = POLLIN};
    while (poll(&alive, 1, PULSE_MS) == 0 && !server_get(h->board->stop))
        for (int k = 0; k < h->board->n; k++)
            look_after(h, k, self);
    stop_all(h);
    fs_remove_tree(h->folder);
    _exit(0);
}

/* -- the process that waits -------------------------------------------------------------------- */

/* Ctrl-C comes to both of us from the terminal; what comes to us alone is passed on. */
static _Noreturn void wait_for_worker(struct host *h, pid_t worker, pid_t keeper,
                                      const sigset_t *watched)
{
    int status = 0;
    close(h->lock);
    while (waitpid(worker, &status, WNOHANG) != worker) {
        siginfo_t info;
        int signal = sigwaitinfo(watched, &info);
        if (signal > 0 && signal != SIGCHLD && info.si_code <= 0)
            kill(worker, signal);
    }
    server_set(h->board->stop, 1);
    waitpid(keeper, NULL, 0);
    fs_remove_tree(h->folder); /* the keeper may have been killed */
    if (WIFSIGNALED(status)) {
        signal(WTERMSIG(status), SIG_DFL);
        sigset_t none;
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, NULL);
        raise(WTERMSIG(status));
    }
    _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

/* Returns in the worker. */
static int split(struct host *h, struct error *e)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGCHLD};
    sigset_t watched, before;
    sigemptyset(&watched);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaddset(&watched, signals[i]);
    pid_t assay = getpid(), keeper = -1, worker = -1;
    int self = (int)syscall(SYS_pidfd_open, assay, 0);
    fflush(NULL);
    sigprocmask(SIG_BLOCK, &watched, &before);
    if (self >= 0)
        keeper = fork();
    if (keeper == 0)
        keep(h, self);
    if (keeper > 0)
        worker = fork();
    if (worker > 0)
        wait_for_worker(h, worker, keeper, &watched);
    int failed = errno;
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (self >= 0)
        close(self);
    if (worker == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != assay)
            _exit(1);
        setenv(SERVERS_ENV, h->folder, 1);
        return 0;
    }
    server_set(h->board->stop, 1);
    if (keeper > 0)
        waitpid(keeper, NULL, 0);
    fs_remove_tree(h->folder);
    return error_set(e, ERROR_ENVIRONMENT, "no process for the servers: %s", strerror(failed));
}

/* -- what there is to host --------------------------------------------------------------------- */

/* Databases wait for their disk, however much they are told not to: memory where there is enough.
 * A check with MariaDB took 1.4 s instead of 5.3. */
static const char *place(void)
{
    static const char memory[] = HOST_PLACE_MEMORY;
    struct statvfs room;
    bool good = !access(memory, W_OK | X_OK) && !statvfs(memory, &room) &&
                room.f_bavail * room.f_frsize >= memory_bytes;
    return good ? memory : HOST_PLACE_DISK;
}

static int lock_folder(const char *folder)
{
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0 || !flock(fd, LOCK_EX | LOCK_NB))
        return fd;
    close(fd);
    return -1;
}

/* Folders of ours whose keeper was killed together with all others: nobody holds their lock. One
 * that was only just made may not have it yet. */
static void remove_orphans(void)
{
    glob_t found = {0};
    if (glob(HOST_PLACE_MEMORY "/" HOST_FOLDER "*", 0, NULL, &found) == GLOB_NOSPACE ||
        glob(HOST_PLACE_DISK "/" HOST_FOLDER "*", GLOB_APPEND, NULL, &found) == GLOB_NOSPACE)
        return;
    for (size_t i = 0; i < found.gl_pathc; i++) {
        struct stat st;
        int lock = lock_folder(found.gl_pathv[i]);
        if (lock >= 0 && !fstat(lock, &st) && st.st_uid == geteuid() &&
            st.st_mtime + ORPHAN_SECONDS < clock_wall())
            fs_remove_tree(found.gl_pathv[i]);
        if (lock >= 0)
            close(lock);
    }
    globfree(&found);
}

static int make_board(struct host *h, struct error *e)
{
    char path[PATH_MAX];
    remove_orphans();
    snprintf(h->folder, sizeof h->folder, "%s/" HOST_FOLDER "XXXXXX", place());
    if (!mkdtemp(h->folder) || (h->lock = lock_folder(h->folder)) < 0 ||
        chmod(h->folder, 0711)) /* servers of another user live below */
        return error_at(e, ERROR_ENVIRONMENT, place(), 0, "no folder for servers: %s",
                        strerror(errno));
    server_board_path(h->folder, path, sizeof path);
    int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    void *memory = MAP_FAILED;
    if (fd >= 0 && !ftruncate(fd, sizeof *h->board))
        memory = mmap(NULL, sizeof *h->board, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    int failed = errno;
    if (fd >= 0)
        close(fd);
    if (memory == MAP_FAILED) {
        fs_remove_tree(h->folder);
        return error_at(e, ERROR_ENVIRONMENT, path, 0, "cannot be made: %s", strerror(failed));
    }
    h->board = memory;
    return 0;
}

/* Compilers whose toolchain has a server. */
static int find_servers(struct host *h, const char *const *dirs, int n_dirs, const char *language,
                        struct error *e)
{
    bool wanted = false;
    if (toolchains_read(dirs, n_dirs, &h->arena, &h->toolchains, e))
        return -1;
    for (size_t i = 0; i < h->toolchains.n; i++) {
        const struct toolchain *t = &h->toolchains.at[i];
        wanted |= t->server.command && (!language || !strcmp(t->language, language));
    }
    for (size_t i = 0; wanted && i < h->toolchains.n; i++)
        if (h->toolchains.at[i].server.command)
            toolchain_find(&h->toolchains.at[i], &h->arena, &h->compilers);
    return 0;
}

static void fill_board(struct host *h)
{
    for (size_t i = 0; i < h->compilers.n && h->board->n < SERVER_MOST; i++) {
        const struct compiler *c = &h->compilers.at[i];
        struct server_slot *slot = &h->board->slots[h->board->n];
        if (strlen(c->path) >= sizeof slot->compiler ||
            strlen(c->toolchain->name) >= sizeof slot->toolchain)
            continue;
        text_copy(slot->compiler, sizeof slot->compiler, c->path);
        text_copy(slot->toolchain, sizeof slot->toolchain, c->toolchain->name);
        h->servers[h->board->n++] = (struct hosted){.rules = c->toolchain->server,
                                                    .compiler = c->path,
                                                    .dir = c->toolchain->dir,
                                                    .toolchain = c->toolchain};
    }
}

int server_host(const char *const *dirs, int n_dirs, const char *language, struct error *e)
{
    if (getenv(SERVERS_ENV)) /* we are the worker of such a split already */
        return 0;
    struct host h = {.lock = -1};
    arena_init(&h.arena);
    int status = find_servers(&h, dirs, n_dirs, language, e);
    if (!status && h.compilers.n && !(status = make_board(&h, e))) {
        fill_board(&h);
        status = split(&h, e);
        munmap(h.board, sizeof *h.board);
        close(h.lock); /* the keeper has its own */
    }
    vec_release(&h.compilers);
    toolchains_release(&h.toolchains);
    arena_release(&h.arena);
    return status;
}
