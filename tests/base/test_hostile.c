/* Attacks on the sandbox: each ends contained and under its right name, and nothing is left.
 *
 *     hostile ATTACKER
 *
 * ATTACKER is the program built from attacker.c. It is copied into the work folder, because its
 * own place may be hidden in the sandbox. */
#include "base/child.h"
#include "base/fs.h"
#include "processes.h"
#include "tap.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MEGABYTE = 1 << 20, KEEP = 1 << 16, LEAK_RUNS = 100, ARGUMENTS = 10 };

/* Limits on time are met only where they are the point: a busy machine must not make others fail.
 */
static const struct child_limits usual = {
    .wall_ms = 120 * 1000,
    .cpu_ms = 30 * 1000,
    .memory_bytes = 128 * MEGABYTE,
    .file_bytes = 8 * MEGABYTE,
    .processes = 16,
    .output_bytes = MEGABYTE,
};

struct bench {
    char work[512];   /* the work folder */
    char secret[512]; /* a folder with a file of the user's in it: */
    char file[600];
    char key[64];  /* a key in our session keyring; "": there are none here */
    char mark[64]; /* in the arguments of every process of ours */
    struct child_result result;
};

static int attack_in(struct bench *b, struct child_limits limits, struct child_sandbox sandbox,
                     const char *name, const char *const *arguments)
{
    const char *argv[ARGUMENTS + 4] = {"./attacker", name, b->mark};
    for (int i = 0; arguments && arguments[i] && i < ARGUMENTS; i++)
        argv[3 + i] = arguments[i];
    struct child_spec spec = {.argv = argv, .cwd = b->work, .limits = limits};
    spec.sandbox = sandbox;
    struct error e = {0};
    int failed = child_run(&spec, &b->result, &e);
    if (failed)
        printf("# %s: %s\n", name, e.message);
    return failed;
}

static int attack_with(struct bench *b, struct child_limits limits, bool writable, const char *name,
                       const char *const *arguments)
{
    struct child_sandbox sandbox = {.on = true, .work_writable = writable};
    return attack_in(b, limits, sandbox, name, arguments);
}

/* The run ended so, and nothing of it is left. */
static void ended(struct bench *b, enum child_end end, int status, const char *what)
{
    struct child_result *r = &b->result;
    bool clean = waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD && !process_running(b->mark);
    if (!ok(r->end == end && r->status == status && clean, "%s: %s", what, child_end_name[end]))
        printf("# %s %d, clean %d, after %lld ms\n# out %.300s\n# err %.300s\n",
               child_end_name[r->end], r->status, clean, (long long)r->wall_us / 1000, r->out.s,
               r->err.s);
}

/* Attacks that simply find every door closed. */
static void test_closed_doors(struct bench *b)
{
    static const struct {
        const char *name, *what;
    } doors[] = {
        {"kill", "no process outside can be signalled, the keeper does not mind"},
        {"keeper", "the keeper cannot be traced or looked into, no descriptor is open"},
        {"hidden-memory", "no memory outside the address space"},
        {"mapped-memory", "nor what is mapped and belongs to no file"},
        {"devices", "no devices"},
        {"interfaces", "no network interface but loopback"},
        {"capabilities", "no capabilities after exec"},
        {"namespaces", "no namespaces of its own, by any system call table"},
        {"calls", "no system call but those of the list, by both tables"},
        {"home", "the home is empty"},
    };
    for (size_t i = 0; i < sizeof doors / sizeof *doors; i++) {
        attack_with(b, usual, false, doors[i].name, NULL);
        ended(b, CHILD_EXITED, 0, doors[i].what);
    }
    attack_with(b, usual, false, "see", NULL);
    if (b->result.end == CHILD_EXITED && b->result.status == 77)
        tap_skip("only its own processes are seen", "a fresh /proc cannot be mounted here");
    else
        ended(b, CHILD_EXITED, 0, "only its own processes are seen");
}

static void test_processes(struct bench *b)
{
    struct child_limits limits = usual;
    limits.wall_ms = 1000;
    limits.cpu_ms = 0; /* what has one, and is kept from it by others, is given more time */
    attack_with(b, limits, false, "fork-bomb", NULL);
    ended(b, CHILD_TIMEOUT_WALL, 0, "fork bomb");

    attack_with(b, usual, false, "fork-count", NULL);
    ended(b, CHILD_EXITED, 0, "as many processes as it can");
    is_int(atoi(b->result.out.s), usual.processes, "the limit of processes is exact");

    limits.wall_ms = 500;
    attack_with(b, limits, false, "loop", NULL);
    ended(b, CHILD_TIMEOUT_WALL, 0, "loop for ever, all signals ignored");

    limits.wall_ms = usual.wall_ms;
    limits.cpu_ms = 500;
    attack_with(b, limits, false, "loop", NULL);
    ended(b, CHILD_TIMEOUT_CPU, 0, "loop for ever, SIGXCPU ignored");

    attack_with(b, usual, false, "daemon", NULL);
    ended(b, CHILD_EXITED, 0, "a daemon that never ends is left behind, and not waited for");
}

/* What it took counts, whoever is killed: what is left behind, and what a limit was met by. */
static void test_costs(struct bench *b)
{
    static const char *const ms[] = {"100", NULL};
    struct child_limits limits = usual;
    attack_with(b, usual, false, "work-and-leave", ms);
    ended(b, CHILD_EXITED, 0, "a child works and is left behind");
    int64_t cpu = b->result.user_us + b->result.system_us;
    ok(cpu >= 100000, "its time counts: %lld us", (long long)cpu);
    limits.output_bytes = 100;
    attack_with(b, limits, false, "work-and-print", ms);
    ended(b, CHILD_OUTPUT, 0, "a child works, and a limit is met");
    cpu = b->result.user_us + b->result.system_us;
    ok(cpu >= 100000, "its time counts: %lld us", (long long)cpu);
}

static void test_memory_and_output(struct bench *b)
{
    attack_with(b, usual, false, "memory", NULL);
    ended(b, CHILD_EXITED, 0, "fill memory");
    ok(atoi(b->result.out.s) > 50 && atoi(b->result.out.s) <= 128, "until the limit: %d MB",
       atoi(b->result.out.s));
    ok(b->result.peak_kb < 128 * 1024, "peak of %lld kB", (long long)b->result.peak_kb);

    attack_with(b, usual, false, "memory-together", NULL);
    ended(b, CHILD_MEMORY, 0, "fill memory with many processes");
    struct child_limits large = usual; /* looked at seldom, as long as there is much left */
    large.memory_bytes = 512 * MEGABYTE;
    const char *const part[] = {"60", NULL};
    attack_with(b, large, false, "memory-behind-signals", part);
    ended(b, CHILD_MEMORY, 0, "the same while the keeper gets signals without end");
    attack_with(b, usual, false, "sockets", NULL);
    ended(b, CHILD_MEMORY, 0, "fill the buffers of sockets");
    const char *const shared[] = {"60", "12", NULL}; /* counted each by itself, 720 MB */
    attack_with(b, usual, false, "shared-memory", shared);
    ended(b, CHILD_EXITED, 0, "what processes share counts once");

    attack_with(b, usual, false, "print", NULL);
    ended(b, CHILD_OUTPUT, 0, "print 10 GB");
    ok(b->result.out.n + b->result.err.n <= 2 * KEEP, "little of it was kept");
}

static void test_disk(struct bench *b)
{
    const char *const tmp[] = {"/tmp", NULL}, *const work[] = {"/tmp/work", NULL};
    const char *const all[] = {"/tmp", "/var/tmp", "/dev/shm", "/dev", "/run", "/tmp/work", NULL};
    attack_with(b, usual, false, "one-file", tmp);
    ended(b, CHILD_FILE_SIZE, SIGXFSZ, "one big file in /tmp");
    attack_with(b, usual, false, "one-file", work);
    ended(b, CHILD_EXITED, 0, "one big file in the read-only work folder");
    attack_with(b, usual, true, "one-file", work);
    ended(b, CHILD_FILE_SIZE, SIGXFSZ, "one big file in the writable work folder");
    attack_with(b, usual, false, "many-files", all);
    ended(b, CHILD_EXITED, 0, "many files everywhere");
    ok(atoll(b->result.out.s) <= 3 * usual.file_bytes, "until the limit: %lld bytes",
       atoll(b->result.out.s));
    attack_with(b, usual, false, "many-files", work);
    is_int(atoll(b->result.out.s), 0, "many files in the work folder: none");
    attack_with(b, usual, false, "inodes", all);
    ended(b, CHILD_EXITED, 0, "many empty files");
    ok(atoi(b->result.out.s) < 3 * 16384, "until the limit: %d", atoi(b->result.out.s));
}

static void test_outside(struct bench *b)
{
    char path[3][128], open_to_all[] = "hostile-XXXXXX", here[PATH_MAX] = "/";
    const char *home = getenv("HOME");
    /* Outside the sandbox anyone may write here: it is the mount that must prevent it. */
    if (mkdtemp(open_to_all) && !chmod(open_to_all, 0777) && !realpath(open_to_all, here))
        printf("# realpath: %s\n", strerror(errno));
    const char *const closed[] = {"/",     "/etc",  "/var",      "/home", "/usr/bin",
                                  "/root", "/proc", "/tmp/work", here,    home ? home : "/",
                                  NULL};
    attack_with(b, usual, false, "outside", closed);
    ended(b, CHILD_EXITED, 0, "write outside and into the read-only work folder");
    rmdir(open_to_all);

    static const char *const open_places[] = {"/tmp", "/var/tmp", "/dev/shm"};
    const char *files[4] = {0};
    for (int i = 0; i < 3; i++) {
        snprintf(path[i], sizeof path[i], "%s/escape-%s", open_places[i], b->mark);
        files[i] = path[i];
    }
    attack_with(b, usual, false, "tmp", files);
    ended(b, CHILD_EXITED, 0, "write into the private /tmp, /var/tmp, /dev/shm");
    ok(!fs_exists(path[0]) && !fs_exists(path[1]) && !fs_exists(path[2]), "nothing came out");
}

/* Files of the user, the environment and keys: nothing of it is seen. */
static void test_secrets(struct bench *b)
{
    const char *home = getenv("HOME");
    char here[PATH_MAX] = "/";
    if (!getcwd(here, sizeof here))
        printf("# getcwd: %s\n", strerror(errno));
    const char *const files[] = {
        b->file,    b->secret, b->work, "/etc/passwd",         "/etc/shadow",
        "/etc/ssh", "/root",   "/home", home ? home : "/root", NULL};
    attack_with(b, usual, false, "read", files);
    ended(b, CHILD_EXITED, 0, "no file of the user's is there");
    const char *const more[] = {"/var/lib", "/run", "/sys", "/mnt", "/boot", here, NULL};
    attack_with(b, usual, false, "read", more);
    ended(b, CHILD_EXITED, 0, "nor of the machine's");
    const char *const token[] = {"hostile-token", NULL};
    attack_with(b, usual, false, "environment", token);
    ended(b, CHILD_EXITED, 0, "nothing of the environment but a few names");
    const char *const key[] = {b->key, NULL};
    attack_with(b, usual, false, "keys", key);
    ended(b, CHILD_EXITED, 0, "no key of the user's is found");
}

/* What is named is seen, at its place and read-only, and nothing beside it. */
static void test_seen(struct bench *b)
{
    char beside[640];
    snprintf(beside, sizeof beside, "%s/beside", b->secret);
    const char *const sees[] = {b->file, NULL};
    const char *const argv[] = {
        "sh", "-c", "cat \"$1\" && ! echo x >\"$1\" && ! ls \"$2\"", "sh", b->file, beside, NULL};
    struct child_spec spec = {.argv = argv, .cwd = b->work, .limits = usual};
    spec.sandbox = (struct child_sandbox){.on = true, .sees = sees};
    struct error e = {0};
    if (mkdir(beside, 0755) || child_run(&spec, &b->result, &e))
        printf("# %s\n", e.message);
    is_str(b->result.out.s, "secret\n", "a file that is named is seen");
    ended(b, CHILD_EXITED, 0, "read-only, and not what is beside it");
}

static void test_writable_work(struct bench *b)
{
    char path[600];
    struct stat st = {0};
    attack_with(b, usual, true, "work", NULL);
    ended(b, CHILD_EXITED, 0, "write into the writable work folder");
    snprintf(path, sizeof path, "%s/made", b->work);
    ok(stat(path, &st) == 0, "the file is there outside");
    is_int(st.st_uid, geteuid() ? geteuid() : 65534, "its owner is never root");
}

/* The work folder works though the folders above it are closed. */
static void test_closed_parents(struct bench *b)
{
    char closed[600], inner[640];
    const char *const argv[] = {"sh", "-c", "pwd && ls /tmp/work", NULL};
    struct child_spec spec = {.argv = argv, .cwd = inner, .limits = usual, .sandbox = {.on = true}};
    struct error e = {0};
    snprintf(closed, sizeof closed, "%s/closed", b->work);
    snprintf(inner, sizeof inner, "%s/inner", closed);
    if (mkdir(closed, 0700) || mkdir(inner, 0700))
        printf("# mkdir: %s\n", strerror(errno));
    ok(!child_run(&spec, &b->result, &e), "a work folder below closed folders");
    is_int(b->result.status, 0, "can be entered");
    has_str(b->result.out.s, "/tmp/work\n", "and is /tmp/work");
}

static int listen_on(int family, const void *address, socklen_t size)
{
    int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (bind(fd, (const struct sockaddr *)address, size) || listen(fd, 4))
        printf("# cannot listen: %s\n", strerror(errno));
    return fd;
}

static void test_network(struct bench *b)
{
    struct sockaddr_in in = {.sin_family = AF_INET};
    struct sockaddr_un un = {.sun_family = AF_UNIX};
    socklen_t size = sizeof in;
    char port[16], path[600];
    in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    snprintf(path, sizeof path, "%s/socket", b->work);
    snprintf(un.sun_path, sizeof un.sun_path, "%.100s", path);
    int fds[2] = {listen_on(AF_INET, &in, sizeof in), listen_on(AF_UNIX, &un, sizeof un)};
    chmod(path, 0777);
    getsockname(fds[0], (struct sockaddr *)&in, &size);
    snprintf(port, sizeof port, "%d", ntohs(in.sin_port));
    const char *const arguments[] = {port, "/tmp/work/socket", NULL};
    attack_with(b, usual, false, "network", arguments);
    ended(b, CHILD_EXITED, 0, "connect and bind");
    ok(accept(fds[0], NULL, NULL) < 0 && accept(fds[1], NULL, NULL) < 0, "nobody came through");
    struct child_sandbox with_sockets = {.on = true, .unix_sockets = true};
    attack_in(b, usual, with_sockets, "unix-socket", arguments + 1);
    ended(b, CHILD_EXITED, 0, "where Unix sockets are allowed, no others are");
    ok(accept(fds[1], NULL, NULL) >= 0, "and who is allowed comes through");
    close(fds[0]);
    close(fds[1]);
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

static void test_leaks(struct bench *b)
{
    const char *const argv[] = {"true", NULL}, *const missing[] = {"./missing", NULL};
    struct child_spec spec = {.cwd = b->work, .limits = usual, .sandbox = {.on = true}};
    int before = count_descriptors(), bad = 0;
    struct error e;
    for (int i = 0; i < LEAK_RUNS; i++) {
        spec.argv = i % 2 ? argv : missing;
        bad += child_run(&spec, &b->result, &e) != 0;
        bad += b->result.end != (i % 2 ? CHILD_EXITED : CHILD_NOT_STARTED);
    }
    spec.cwd = "/no/such/folder";
    for (int i = 0; i < LEAK_RUNS; i++)
        bad += child_run(&spec, &b->result, &e) != -1;
    is_int(bad, 0, "%d runs go well, and %d fail as they should", LEAK_RUNS, LEAK_RUNS);
    is_int(count_descriptors(), before, "no descriptor is left open");
    spec.cwd = b->work;
    spec.argv = missing;
    child_run(&spec, &b->result, &e);
    is_str(b->result.err.s, "cannot run './missing': No such file or directory",
           "a missing program is reported from inside");
}

/* When we die, so does the sandbox. */
static void test_our_death(struct bench *b)
{
    struct child_limits limits = {.wall_ms = 600 * 1000};
    pid_t caller = fork();
    if (caller == 0) {
        attack_with(b, limits, false, "loop", NULL);
        _exit(0);
    }
    for (int i = 0; i < 6000 && !process_running(b->mark); i++)
        poll(NULL, 0, 20);
    ok(process_running(b->mark), "a caller runs something endless");
    kill(caller, SIGKILL);
    waitpid(caller, NULL, 0);
    while (waitpid(-1, NULL, 0) > 0)
        continue;
    ok(!process_running(b->mark), "and takes it along when killed");
}

static int bring_attacker(struct bench *b, const char *program)
{
    struct strbuf text;
    struct error e = {0};
    char path[600];
    strbuf_init(&text, 0);
    snprintf(b->mark, sizeof b->mark, "assay-hostile-%d", (int)getpid());
    int failed = fs_make_temp_dir("assay-hostile", b->work, sizeof b->work, &e);
    snprintf(path, sizeof path, "%s/attacker", b->work);
    failed = failed || fs_read(program, &text, &e) || fs_write(path, text.s, text.n, &e) ||
             chmod(path, 0755);
    if (failed)
        printf("# %s: %s\n", e.file, e.message);
    strbuf_release(&text);
    return failed;
}

/* What a user has that nobody should see: a file that is his alone, a token, a key. */
static int bring_secrets(struct bench *b)
{
    struct error e = {0};
    snprintf(b->key, sizeof b->key, "assay-%s", b->mark);
    syscall(SYS_keyctl, 1 /* join a new session keyring */, NULL);
    long key = syscall(SYS_add_key, "user", b->key, "secret", (size_t)6, -3 /* session */);
    printf("# key %ld%s%s\n", key, key < 0 ? ": " : "", key < 0 ? strerror(errno) : "");
    int failed = fs_make_temp_dir("assay-secret", b->secret, sizeof b->secret, &e);
    snprintf(b->file, sizeof b->file, "%s/file", b->secret);
    failed = failed || fs_write(b->file, "secret\n", 7, &e) || chmod(b->secret, 0755) ||
             chmod(b->file, 0644) || setenv("HOSTILE_SECRET", "hostile-token", 1);
    return failed;
}

int main(int argc, char **argv)
{
    struct bench b = {0};
    struct error e = {0};
    if (argc < 2 || child_sandbox_available(&e)) {
        tap_skip("attacks on the sandbox", argc < 2 ? "no attacker given" : e.message);
        return tap_done();
    }
    child_result_init(&b.result, KEEP, KEEP);
    if (ok(!bring_attacker(&b, argv[1]) && !bring_secrets(&b), "the attacker is in its place")) {
        test_closed_doors(&b);
        test_processes(&b);
        test_costs(&b);
        test_memory_and_output(&b);
        test_disk(&b);
        test_outside(&b);
        test_secrets(&b);
        test_seen(&b);
        test_writable_work(&b);
        test_closed_parents(&b);
        test_network(&b);
        test_leaks(&b);
        test_our_death(&b);
    }
    fs_remove_tree(b.work);
    fs_remove_tree(b.secret);
    child_result_release(&b.result);
    return tap_done();
}
