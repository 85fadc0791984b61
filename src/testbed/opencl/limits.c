#include "testbed/opencl/limits.h"

#include "base/fs.h"

#include <fcntl.h>
#include <limits.h>
#include <linux/landlock.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* From the second version of Landlock on: to move files from one folder to another. */
#ifndef LANDLOCK_ACCESS_FS_REFER
#define LANDLOCK_ACCESS_FS_REFER (1ULL << 13)
#endif

enum { FILE_BYTES = 256 << 20, SECOND_MS = 1000 };

static void set_limit(int what, uint64_t soft, uint64_t hard)
{
    struct rlimit old, now;
    getrlimit((__rlimit_resource_t)what, &old);
    now.rlim_max = hard < old.rlim_max ? hard : old.rlim_max;
    now.rlim_cur = soft < now.rlim_max ? soft : now.rlim_max;
    setrlimit((__rlimit_resource_t)what, &now);
}

/* What a runtime reads while it builds: its libraries and those of the system, settings, and what
 * /proc and /sys tell of the processor. Nobody's home: a kernel may include any file that it names.
 */
static const char *const readable[] = {
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/opt",
    "/nix/store",
    "/gnu/store",
    "/etc/ld.so.cache",
    "/etc/OpenCL",
    "/etc/clang",
    "/etc/alternatives",
    "/etc/localtime",
    "/proc",
    "/sys",
    "/dev",
};

static int allow(int set, const char *path, uint64_t access)
{
    struct landlock_path_beneath_attr rule = {.allowed_access = access,
                                              .parent_fd = open(path, O_PATH | O_CLOEXEC)};
    struct stat st;
    if (rule.parent_fd < 0)
        return -1;
    if (!fstat(rule.parent_fd, &st) && !S_ISDIR(st.st_mode)) /* or it is no rule for a file */
        rule.allowed_access &= LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE;
    int failed = (int)syscall(SYS_landlock_add_rule, set, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    close(rule.parent_fd);
    return failed;
}

/* Landlock: files are made, written and removed below the folder only, and read there, in the
 * places above, beside this program, and where OPENCL_SEES says. /dev/null may be written. Where
 * Linux has none, or its first version, which forbids all moving of files (PoCL's cache does it),
 * the limits are all there is. */
static void keep_inside(const char *folder)
{
    const uint64_t writing =
        LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_DIR |
        LANDLOCK_ACCESS_FS_MAKE_SYM | LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
        LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REFER;
    const uint64_t reading = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
    struct landlock_ruleset_attr rules = {.handled_access_fs = writing | reading};
    char own[PATH_MAX], sees[PATH_MAX];
    if (syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION) < 2)
        return;
    int set = (int)syscall(SYS_landlock_create_ruleset, &rules, sizeof rules, 0);
    if (set < 0)
        return;
    for (size_t i = 0; i < sizeof readable / sizeof *readable; i++)
        allow(set, readable[i], reading);
    if (fs_own_folder(own, sizeof own))
        allow(set, own, reading);
    const char *more = getenv(OPENCL_SEES);
    for (size_t n; more && *more; more += n + (more[n] == ':')) {
        n = strcspn(more, ":");
        snprintf(sees, sizeof sees, "%.*s", (int)n, more);
        allow(set, sees, reading);
    }
    if (!allow(set, folder, writing | reading) &&
        !allow(set, "/dev/null", LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_READ_FILE))
        syscall(SYS_landlock_restrict_self, set, 0);
    close(set);
}

void limits_apply(const char *folder, int64_t memory_bytes)
{
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    set_limit(RLIMIT_CORE, 0, 0);
    set_limit(RLIMIT_FSIZE, FILE_BYTES, FILE_BYTES);
    if (memory_bytes)
        set_limit(RLIMIT_AS, (uint64_t)memory_bytes, (uint64_t)memory_bytes);
    keep_inside(folder);
}

void limits_cpu(int64_t cpu_ms)
{
    struct rusage own;
    if (!cpu_ms)
        return;
    getrusage(RUSAGE_SELF, &own);
    int64_t used = own.ru_utime.tv_sec + own.ru_stime.tv_sec + 1; /* the limit counts seconds */
    set_limit(RLIMIT_CPU, (uint64_t)(used + (cpu_ms + SECOND_MS - 1) / SECOND_MS), RLIM_INFINITY);
}
