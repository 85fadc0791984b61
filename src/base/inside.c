#include "base/inside.h"
#include "base/fs.h"

#include <fcntl.h>
#include <limits.h>
#include <linux/landlock.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* From the second version of Landlock on: to move files from one folder to another. */
#ifndef LANDLOCK_ACCESS_FS_REFER
#define LANDLOCK_ACCESS_FS_REFER (1ULL << 13)
#endif

static const uint64_t reading = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
static const uint64_t writing =
    LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_DIR |
    LANDLOCK_ACCESS_FS_MAKE_SYM | LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
    LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REFER;

int inside_begin(void)
{
    struct landlock_ruleset_attr rules = {.handled_access_fs = writing | reading};
    if (syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION) < 2)
        return -1;
    return (int)syscall(SYS_landlock_create_ruleset, &rules, sizeof rules, 0);
}

static void allow(int set, const char *path, uint64_t access)
{
    struct landlock_path_beneath_attr rule = {.allowed_access = access, .parent_fd = -1};
    struct stat st;
    if (set >= 0)
        rule.parent_fd = open(path, O_PATH | O_CLOEXEC);
    if (rule.parent_fd < 0)
        return;
    if (!fstat(rule.parent_fd, &st) && !S_ISDIR(st.st_mode)) /* or it is no rule for a file */
        rule.allowed_access &= LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE;
    syscall(SYS_landlock_add_rule, set, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    close(rule.parent_fd);
}

void inside_read_system(int set)
{
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
        "/proc",
        "/sys",
        "/dev",
        "/etc/OpenCL",
        "/etc/clang",
        "/etc/alternatives",
        "/etc/ld.so.cache",
        "/etc/localtime",
    };
    char own[PATH_MAX];
    for (size_t i = 0; i < sizeof readable / sizeof *readable; i++)
        allow(set, readable[i], reading);
    if (fs_own_folder(own, sizeof own))
        allow(set, own, reading);
    inside_write(set, "/dev/null");
}

void inside_read(int set, const char *path)
{
    allow(set, path, reading);
}

void inside_write(int set, const char *path)
{
    allow(set, path, writing | reading);
}

void inside_end(int set)
{
    if (set < 0)
        return;
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    syscall(SYS_landlock_restrict_self, set, 0);
    close(set);
}
