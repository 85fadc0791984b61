/* The hostile program: one attack per name, run in the sandbox by hostile.c.
 *
 *     attacker NAME MARK [ARGUMENT...]
 *
 * Exit status 0: the attack was made and did not get through. 1: it got through, and standard
 * output says "ESCAPED" and how. Attacks that end in another way (for ever, by a signal) say so.
 * MARK only makes our processes findable from outside.
 *
 * Built without sanitizers: they reserve more address space than the limits here allow. */
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MEGABYTE = 1 << 20 };

static int escaped(const char *how)
{
    printf("ESCAPED: %s\n", how);
    fflush(stdout);
    return 1;
}

/* -- processes --------------------------------------------------------------------------------- */

static int fork_bomb(char **arguments)
{
    (void)arguments;
    while (fork() >= -1) /* always */
        continue;
    return 0;
}

/* How many processes can there be at once? Prints it, this one included. */
static int fork_count(char **arguments)
{
    (void)arguments;
    int n = 1;
    for (pid_t pid; (pid = fork()) >= 0; n++)
        if (pid == 0)
            for (;;)
                pause();
    printf("%d\n", n);
    return 0;
}

static int loop_for_ever(char **arguments)
{
    (void)arguments;
    for (int sig = 1; sig < 65; sig++)
        signal(sig, SIG_IGN);
    for (volatile bool on = true; on;)
        continue;
    return 0;
}

/* A child uses so many milliseconds of CPU time, and stays. */
static bool child_works(const char *ms)
{
    int ready[2];
    char byte;
    if (pipe(ready))
        return false;
    if (fork() == 0) {
        struct timespec used;
        do
            clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
        while (used.tv_sec * 1000 + used.tv_nsec / 1000000 < atoi(ms));
        (void)!write(ready[1], "r", 1);
        for (;;)
            pause();
    }
    return read(ready[0], &byte, 1) == 1;
}

static int work_and_leave(char **arguments)
{
    return child_works(arguments[0]) ? 0 : 2;
}

static int work_and_print(char **arguments)
{
    bool good = child_works(arguments[0]);
    while (good && write(1, "and again\n", 10) > 0)
        continue;
    return 2;
}

/* Double fork and setsid; the standard streams stay open. */
static int leave_daemon(char **arguments)
{
    (void)arguments;
    int ready[2];
    char byte;
    if (pipe(ready))
        return 2;
    if (fork() == 0) {
        setsid();
        if (fork() > 0)
            _exit(0);
        (void)!write(ready[1], "r", 1);
        for (;;)
            pause();
    }
    return read(ready[0], &byte, 1) == 1 ? 0 : 2;
}

static int kill_everything(char **arguments)
{
    (void)arguments;
    kill(-1, SIGKILL); /* everyone but ourselves */
    kill(1, SIGKILL);
    kill(1, SIGSTOP);
    kill(1, SIGTERM);
    for (pid_t pid = 2; pid < 100000; pid++)
        if (pid != getpid() && kill(pid, SIGKILL) == 0)
            return escaped("a process outside can be signalled");
    return getppid() == 1 ? 0 : escaped("the keeper is gone");
}

/* Status 77: this /proc is not ours alone, so it says nothing. */
static int see_processes(char **arguments)
{
    (void)arguments;
    char self[32] = "";
    int n = 0;
    if (readlink("/proc/self", self, sizeof self - 1) < 0 || atoi(self) != getpid())
        return 77;
    DIR *proc = opendir("/proc");
    for (struct dirent *entry; proc && (entry = readdir(proc));)
        n += *entry->d_name >= '1' && *entry->d_name <= '9';
    if (n != 2)
        return escaped("more processes are seen than this one and its keeper");
    int fd = open("/proc/1/cmdline", O_RDONLY);
    for (char c; fd >= 0 && read(fd, &c, 1) == 1;)
        if (c)
            return escaped("the arguments of who started the keeper are seen");
    return 0;
}

static int touch_keeper(char **arguments)
{
    (void)arguments;
    if (ptrace(PTRACE_ATTACH, 1, NULL, NULL) == 0 || ptrace(PTRACE_SEIZE, 1, NULL, NULL) == 0)
        return escaped("the keeper can be traced");
    if (open("/proc/1/mem", O_RDWR) >= 0 || open("/proc/1/environ", O_RDONLY) >= 0)
        return escaped("the keeper's memory can be opened");
    if (opendir("/proc/1/fd"))
        return escaped("the keeper's descriptors are seen");
    for (int fd = 3; fd < 4096; fd++)
        if (fcntl(fd, F_GETFD) >= 0)
            return escaped("a descriptor was left open");
    return 0;
}

/* -- memory ------------------------------------------------------------------------------------ */

/* Prints how many megabytes there were. */
static int fill_memory(char **arguments)
{
    (void)arguments;
    int n = 0;
    char *volatile block; /* or the compiler sees that nobody needs it */
    for (; (block = malloc(MEGABYTE)); n++)
        memset(block, 1, MEGABYTE);
    printf("%d\n", n);
    return 0;
}

/* Each process of many as much as it may have, and then wait for ever. */
static int fill_memory_together(char **arguments)
{
    while (fork() > 0) /* as many as there may be: the last one fails, and this one joins in */
        continue;
    fill_memory(arguments);
    while (pause())
        continue;
    return 0;
}

/* Many processes have a part of what each may have, which is too much together, while the keeper
 * gets one signal after the other. Ends when it was told so for long. */
static int fill_memory_behind_signals(char **arguments)
{
    enum { PROCESSES = 12, SIGNALS = 20000 };
    size_t size = (size_t)atoi(arguments[0]) * MEGABYTE;
    for (int i = 0; i < PROCESSES; i++)
        if (fork() == 0) {
            char *volatile block = malloc(size);
            for (size_t at = 0; block && at < size; at += MEGABYTE) {
                memset(block + at, 1, MEGABYTE);
                usleep(1000);
            }
            while (pause())
                continue;
        }
    for (int i = 0; i < SIGNALS; i++) {
        kill(1, SIGCHLD);
        usleep(100);
    }
    return 0;
}

/* Arguments: megabytes, and how many processes share them for a while, the same pages. */
static int share_memory(char **arguments)
{
    size_t size = (size_t)atoi(arguments[0]) * MEGABYTE;
    char *volatile block = malloc(size);
    int over[2];
    char byte;
    if (!block || pipe(over))
        return 2;
    memset(block, 1, size);
    for (int i = 1; i < atoi(arguments[1]); i++)
        if (fork() == 0) {
            close(over[1]);
            return read(over[0], &byte, 1) == 0 ? 0 : 2;
        }
    usleep(300 * 1000); /* the keeper looks at us every few milliseconds */
    close(over[1]);
    while (wait(NULL) > 0)
        continue;
    return 0;
}

/* Each process of many fills the buffers of all sockets that it can have, and waits for ever. */
static int fill_sockets(char **arguments)
{
    (void)arguments;
    static char block[65536];
    while (fork() > 0)
        continue;
    for (int ends[2]; socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends) == 0;)
        for (int i = 0; i < 2; i++)
            while (write(ends[i], block, sizeof block) > 0)
                continue;
    while (pause())
        continue;
    return 0;
}

/* Memory that counts in no address space. */
static int hide_memory(char **arguments)
{
    (void)arguments;
    if (syscall(SYS_memfd_create, "m", 0) >= 0)
        return escaped("memfd_create");
    if (syscall(447 /* memfd_secret */, 0) >= 0)
        return escaped("memfd_secret");
    return shmget(IPC_PRIVATE, MEGABYTE, IPC_CREAT | 0600) >= 0 ? escaped("shmget") : 0;
}

/* -- files ------------------------------------------------------------------------------------- */

static int64_t fill_file(const char *path, int64_t most)
{
    static char block[65536];
    int64_t done = 0;
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
    for (ssize_t n; fd >= 0 && done < most && (n = write(fd, block, sizeof block)) > 0;)
        done += n;
    if (fd >= 0)
        close(fd);
    return done;
}

/* Arguments: folders. One file in each, as large as it gets; dies of SIGXFSZ. */
static int fill_one_file(char **arguments)
{
    char path[4096];
    for (; *arguments; arguments++) {
        snprintf(path, sizeof path, "%s/one", *arguments);
        fill_file(path, INT64_MAX);
    }
    return 0;
}

/* Prints the bytes that went into many files of 1 MB. */
static int fill_many_files(char **arguments)
{
    char path[4096];
    int64_t total = 0;
    signal(SIGXFSZ, SIG_IGN);
    for (; *arguments; arguments++) {
        int64_t n = 1;
        for (int i = 0; n > 0; i++) {
            snprintf(path, sizeof path, "%s/many-%d", *arguments, i);
            total += n = fill_file(path, MEGABYTE);
        }
    }
    printf("%lld\n", (long long)total);
    return 0;
}

/* Prints how many empty files there can be. */
static int fill_inodes(char **arguments)
{
    char path[4096];
    int n = 0;
    for (; *arguments; arguments++)
        for (int i = 0;; i++, n++) {
            snprintf(path, sizeof path, "%s/empty-%d", *arguments, i);
            if (mknod(path, S_IFREG | 0600, 0))
                break;
        }
    printf("%d\n", n);
    return 0;
}

/* Arguments: files and folders that must not be there. */
static int read_outside(char **arguments)
{
    struct stat st;
    for (; *arguments; arguments++)
        if (lstat(*arguments, &st) == 0 || open(*arguments, O_RDONLY) >= 0 || errno != ENOENT)
            return escaped(*arguments);
    return 0;
}

/* The home is there, is ours alone, and has nothing in it but the work folder. */
static int look_into_home(char **arguments)
{
    (void)arguments;
    const char *home = getenv("HOME");
    DIR *dir = home ? opendir(home) : NULL;
    if (!dir)
        return escaped("there is no home");
    for (struct dirent *entry; (entry = readdir(dir));)
        if (*entry->d_name != '.' && strcmp(entry->d_name, "work") != 0)
            return escaped(entry->d_name);
    return 0;
}

/* Argument: a text that must not be in any value. Only these names may be there. */
static int read_environment(char **arguments)
{
    static const char *const names[] = {"PATH=", "LANG=", "LANGUAGE=", "LC_",
                                        "TZ=",   "HOME=", "TMPDIR="};
    for (char **entry = environ; *entry; entry++) {
        bool known = false;
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            known |= !strncmp(*entry, names[i], strlen(names[i]));
        if (!known || strstr(*entry, arguments[0]))
            return escaped(*entry);
    }
    char name[64] = "";
    gethostname(name, sizeof name - 1);
    return strcmp(name, "sandbox") ? escaped(name) : 0;
}

/* Argument: the name of a key in the session keyring of who started us. */
static int read_keys(char **arguments)
{
    char line[256];
    errno = 0;
    if (syscall(SYS_request_key, "user", arguments[0], NULL, 0) >= 0 || errno != ENOSYS)
        return escaped("request_key");
    if (syscall(SYS_keyctl, 10 /* search */, -3 /* session */, "user", arguments[0], 0) >= 0 ||
        errno != ENOSYS)
        return escaped("keyctl");
    if (syscall(SYS_add_key, "user", "mine", "x", 1, -3) >= 0 || errno != ENOSYS)
        return escaped("add_key");
    FILE *keys = fopen("/proc/keys", "r");
    return keys && fgets(line, sizeof line, keys) ? escaped(line) : 0;
}

/* Arguments: folders that must be closed to us. */
static int write_outside(char **arguments)
{
    static const char *const files[] = {"/etc/passwd", "/etc/hosts", "/usr/bin/env"};
    char path[4096];
    struct statvfs root;
    if (statvfs("/", &root) == 0 && !(root.f_flag & ST_RDONLY))
        return escaped("/ is not mounted read-only"); /* though we may be just anybody in it */
    for (; *arguments; arguments++) {
        snprintf(path, sizeof path, "%s/assay-escape", *arguments);
        if (open(path, O_WRONLY | O_CREAT, 0600) >= 0 || mkdir(path, 0700) == 0 ||
            symlink("/", path) == 0 || mknod(path, S_IFIFO | 0600, 0) == 0)
            return escaped(path);
        if (chmod(*arguments, 0777) == 0)
            return escaped(*arguments);
    }
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (open(files[i], O_WRONLY | O_APPEND) >= 0 || unlink(files[i]) == 0 ||
            chmod(files[i], 0777) == 0 || truncate(files[i], 0) == 0)
            return escaped(files[i]);
    return 0;
}

/* Into the private /tmp, which is allowed; hostile.c looks whether it came out. */
static int write_tmp(char **arguments)
{
    for (; *arguments; arguments++)
        if (fill_file(*arguments, 1) <= 0)
            return 2;
    return 0;
}

/* A file in the work folder, which is writable this time. */
static int write_work(char **arguments)
{
    (void)arguments;
    return fill_file("made", 1) > 0 ? 0 : 2;
}

static int open_devices(char **arguments)
{
    (void)arguments;
    static const char harmless[] = " null zero full random urandom fd stdin stdout stderr shm ";
    char name[300];
    DIR *dev = opendir("/dev");
    for (struct dirent *entry; dev && (entry = readdir(dev));) {
        snprintf(name, sizeof name, " %s ", entry->d_name);
        if (*entry->d_name != '.' && !strstr(harmless, name))
            return escaped(name);
    }
    if (mknod("/tmp/block", S_IFBLK | 0600, (dev_t)0xfe00) == 0 ||
        mknod("/tmp/memory", S_IFCHR | 0600, (dev_t)0x0101) == 0)
        return escaped("a device can be made");
    return open("/dev/mem", O_RDONLY) >= 0 || open("/dev/kmsg", O_WRONLY) >= 0
               ? escaped("/dev/mem or /dev/kmsg")
               : 0;
}

/* -- network ----------------------------------------------------------------------------------- */

static bool can_connect(int family, const void *address, socklen_t size)
{
    int fd = socket(family, SOCK_STREAM, 0);
    return fd >= 0 && connect(fd, (const struct sockaddr *)address, size) == 0;
}

/* Arguments: a port on which hostile.c listens, and a socket of its in the work folder. */
static int use_network(char **arguments)
{
    struct sockaddr_in in = {.sin_family = AF_INET,
                             .sin_port = htons((uint16_t)atoi(arguments[0]))};
    struct sockaddr_un un = {.sun_family = AF_UNIX};
    in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    snprintf(un.sun_path, sizeof un.sun_path, "%s", arguments[1]);
    if (can_connect(AF_INET, &in, sizeof in))
        return escaped("connected to 127.0.0.1");
    if (can_connect(AF_UNIX, &un, sizeof un))
        return escaped("connected to a Unix socket");
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd >= 0 && bind(fd, (struct sockaddr *)&in, sizeof in) == 0)
        return escaped("bound a port of 127.0.0.1");
    return 0;
}

/* Whatever the filter says: the namespace itself has nothing but a loopback. */
static int list_interfaces(char **arguments)
{
    (void)arguments;
    char line[512];
    FILE *dev = fopen("/proc/self/net/dev", "r");
    while (dev && fgets(line, sizeof line, dev))
        if (strchr(line, ':') && !strstr(line, "lo:"))
            return escaped(line);
    return 0;
}

/* -- privilege --------------------------------------------------------------------------------- */

static int use_capabilities(char **arguments)
{
    (void)arguments;
    char line[256];
    FILE *status = fopen("/proc/self/status", "r");
    while (status && fgets(line, sizeof line, status))
        if ((!strncmp(line, "CapEff:", 7) || !strncmp(line, "CapPrm:", 7)) &&
            strtoull(line + 7, NULL, 16))
            return escaped(line);
    if (mount("tmpfs", "/tmp", "tmpfs", 0, NULL) == 0 || umount2("/tmp/work", MNT_DETACH) == 0 ||
        mount(NULL, "/tmp/work", NULL, MS_REMOUNT | MS_BIND, NULL) == 0)
        return escaped("mount");
    if (setuid(0) == 0 || setgid(0) == 0 || setgroups(0, NULL) == 0)
        return escaped("another uid or gid");
    return sethostname("x", 1) == 0 || chroot("/tmp") == 0 ? escaped("sethostname, chroot") : 0;
}

static void contained(int sig)
{
    (void)sig;
    _exit(0); /* the kernel has no 32-bit system calls */
}

/* A namespace in which we would be root. */
static int enter_namespaces(char **arguments)
{
    (void)arguments;
    struct clone_args args = {.flags = CLONE_NEWUSER, .exit_signal = SIGCHLD};
    if (unshare(CLONE_NEWUSER) == 0 || unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0)
        return escaped("unshare");
    if (syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, NULL, NULL, NULL, NULL) >= 0)
        return escaped("clone");
    if (syscall(SYS_clone3, &args, sizeof args) >= 0)
        return escaped("clone3");
    signal(SIGSEGV, contained);
    long result = 310; /* unshare by the 32-bit table */
    __asm__ volatile("int $0x80" : "+a"(result) : "b"((long)CLONE_NEWUSER) : "memory");
    if (result == 0)
        return escaped("32-bit unshare");
    result = 120; /* clone */
    __asm__ volatile("int $0x80" : "+a"(result) : "b"((long)CLONE_NEWUSER), "c"(0L) : "memory");
    if (result >= 0)
        return escaped("32-bit clone");
    return syscall(0x40000000 + SYS_unshare, CLONE_NEWUSER) == 0 ? escaped("x32 unshare") : 0;
}

/* Shared memory that no file holds: it counts for nobody when it is hardly mapped any more. */
static int map_memory(char **arguments)
{
    (void)arguments;
    enum { ACCESS = PROT_READ | PROT_WRITE, NOWHERE = MAP_SHARED | MAP_ANONYMOUS };
    char zeros[2] = "x";
    int zero = open("/dev/zero", O_RDWR);
    if (read(zero, zeros, 2) != 2 || zeros[0])
        return escaped("/dev/zero does not give zeros");
    if (mmap(NULL, MEGABYTE, ACCESS, MAP_SHARED, zero, 0) != MAP_FAILED)
        return escaped("/dev/zero can be mapped");
    if (mmap(NULL, MEGABYTE, ACCESS, NOWHERE, -1, 0) != MAP_FAILED || errno != EPERM)
        return escaped("mmap");
    if (mmap(NULL, MEGABYTE, ACCESS, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED)
        return escaped("memory of its own is not to be had");
    signal(SIGSEGV, contained);
    long result = 192; /* mmap2 of the 32-bit table */
    __asm__ volatile("int $0x80"
                     : "+a"(result)
                     : "b"(0L), "c"((long)MEGABYTE), "d"((long)ACCESS), "S"((long)NOWHERE), "D"(-1L)
                     : "memory");
    if (result != -EPERM)
        return escaped("32-bit mmap2");
    result = 90; /* mmap, which would not find its structure */
    __asm__ volatile("int $0x80" : "+a"(result) : "b"(0L) : "memory");
    return result != -ENOSYS ? escaped("32-bit mmap") : 0;
}

/* System calls that no program needs here, by both tables and by numbers that nobody has yet. Made
 * with arguments that would fail in another way if they were let through. */
static int make_calls(char **arguments)
{
    (void)arguments;
    static const struct {
        const char *name;
        long x86_64, i386;
    } calls[] = {
        {"userfaultfd", SYS_userfaultfd, 374},
        {"add_key", SYS_add_key, 286},
        {"request_key", SYS_request_key, 287},
        {"keyctl", SYS_keyctl, 288},
        {"bpf", SYS_bpf, 357},
        {"perf_event_open", SYS_perf_event_open, 336},
        {"io_uring_setup", SYS_io_uring_setup, 425},
        {"io_setup", SYS_io_setup, 245},
        {"process_vm_readv", SYS_process_vm_readv, 347},
        {"process_vm_writev", SYS_process_vm_writev, 348},
        {"kcmp", SYS_kcmp, 349},
        {"pidfd_getfd", 438, 438},
        {"name_to_handle_at", SYS_name_to_handle_at, 341},
        {"open_by_handle_at", SYS_open_by_handle_at, 342},
        {"fanotify_init", SYS_fanotify_init, 338},
        {"modify_ldt", SYS_modify_ldt, 123},
        {"mq_open", SYS_mq_open, 277},
        {"semget", SYS_semget, 393},
        {"mount", SYS_mount, 21},
        {"fsopen", 430, 430},
        {"open_tree", 428, 428},
        {"setns", SYS_setns, 346},
        {"sync", SYS_sync, 36},
        {"one that there is not", 511, 511},
        {"another", 100000, 100000},
    };
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        errno = 0;
        if (syscall(calls[i].x86_64, -1, -1, -1, -1, -1, -1) != -1 || errno != ENOSYS)
            return escaped(calls[i].name);
    }
    signal(SIGSEGV, contained);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        long result = calls[i].i386;
        __asm__ volatile("int $0x80"
                         : "+a"(result)
                         : "b"(-1L), "c"(-1L), "d"(-1L), "S"(-1L), "D"(-1L)
                         : "memory");
        if (result != -ENOSYS)
            return escaped(calls[i].name);
    }
    return 0;
}

/* Arguments: a socket that we may connect to, and a port that we may not. */
static int use_unix_socket(char **arguments)
{
    struct sockaddr_un un = {.sun_family = AF_UNIX};
    snprintf(un.sun_path, sizeof un.sun_path, "%s", arguments[0]);
    if (!can_connect(AF_UNIX, &un, sizeof un))
        return 2;
    return socket(AF_INET, SOCK_STREAM, 0) >= 0 || socket(AF_NETLINK, SOCK_RAW, 0) >= 0 ||
                   socketpair(AF_INET, SOCK_STREAM, 0, (int[2]){0}) == 0
               ? escaped("a socket of another kind")
               : 0;
}

/* -- output ------------------------------------------------------------------------------------ */

/* 10 GB, half of it on standard error. */
static int print_much(char **arguments)
{
    (void)arguments;
    static char block[MEGABYTE];
    memset(block, 'x', sizeof block);
    for (int i = 0; i < 10000; i++)
        if (write(1 + i % 2, block, sizeof block) < 0)
            return 2;
    return 0;
}

static const struct {
    const char *name;
    int (*make)(char **arguments);
} attacks[] = {
    {"fork-bomb", fork_bomb},
    {"fork-count", fork_count},
    {"loop", loop_for_ever},
    {"daemon", leave_daemon},
    {"work-and-leave", work_and_leave},
    {"work-and-print", work_and_print},
    {"kill", kill_everything},
    {"see", see_processes},
    {"keeper", touch_keeper},
    {"memory", fill_memory},
    {"memory-together", fill_memory_together},
    {"memory-behind-signals", fill_memory_behind_signals},
    {"shared-memory", share_memory},
    {"sockets", fill_sockets},
    {"hidden-memory", hide_memory},
    {"mapped-memory", map_memory},
    {"one-file", fill_one_file},
    {"many-files", fill_many_files},
    {"inodes", fill_inodes},
    {"outside", write_outside},
    {"read", read_outside},
    {"home", look_into_home},
    {"environment", read_environment},
    {"keys", read_keys},
    {"calls", make_calls},
    {"unix-socket", use_unix_socket},
    {"tmp", write_tmp},
    {"work", write_work},
    {"devices", open_devices},
    {"network", use_network},
    {"interfaces", list_interfaces},
    {"capabilities", use_capabilities},
    {"namespaces", enter_namespaces},
    {"print", print_much},
};

int main(int argc, char **argv)
{
    for (size_t i = 0; argc > 2 && i < sizeof attacks / sizeof *attacks; i++)
        if (!strcmp(attacks[i].name, argv[1]))
            return attacks[i].make(argv + 3);
    fprintf(stderr, "attacker: no such attack\n");
    return 2;
}
