#include "testbed/opencl/limits.h"

#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/resource.h>
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

/* Landlock: files are made, written and removed below the folder only; /dev/null may be
 * written. Reading stays free: compilers have their libraries somewhere. Where Linux has none, or
 * its first version, which forbids all moving of files (PoCL's cache does it), the limits are all
 * there is. */
static void keep_inside(const char *folder)
{
    const uint64_t writing =
        LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_DIR |
        LANDLOCK_ACCESS_FS_MAKE_SYM | LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
        LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REFER;
    struct landlock_ruleset_attr rules = {.handled_access_fs = writing};
    if (syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION) < 2)
        return;
    int set = (int)syscall(SYS_landlock_create_ruleset, &rules, sizeof rules, 0);
    if (set < 0)
        return;
    struct landlock_path_beneath_attr own = {
        .allowed_access = writing, .parent_fd = open(folder, O_PATH | O_CLOEXEC | O_DIRECTORY)};
    struct landlock_path_beneath_attr null = {.allowed_access = LANDLOCK_ACCESS_FS_WRITE_FILE,
                                              .parent_fd = open("/dev/null", O_PATH | O_CLOEXEC)};
    if (own.parent_fd >= 0 && null.parent_fd >= 0 &&
        !syscall(SYS_landlock_add_rule, set, LANDLOCK_RULE_PATH_BENEATH, &own, 0) &&
        !syscall(SYS_landlock_add_rule, set, LANDLOCK_RULE_PATH_BENEATH, &null, 0))
        syscall(SYS_landlock_restrict_self, set, 0);
    close(own.parent_fd);
    close(null.parent_fd);
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
