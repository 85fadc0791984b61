#include "base/apart.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <unistd.h>

static int write_text(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    bool good = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);
    if (fd >= 0)
        close(fd);
    return good ? 0 : -1;
}

pid_t apart_fork(long more, bool *apart)
{
    long flags = CLONE_NEWPID | CLONE_NEWNS | SIGCHLD | more;
    uid_t uid = geteuid();
    gid_t gid = getegid();
    *apart = true;
    pid_t pid = (pid_t)syscall(SYS_clone, flags, NULL, NULL, NULL, NULL);
    if (pid < 0) {
        pid = (pid_t)syscall(SYS_clone, flags | CLONE_NEWUSER, NULL, NULL, NULL, NULL);
        if (pid == 0) {
            char map[64];
            snprintf(map, sizeof map, "%u %u 1", uid, uid);
            write_text("/proc/self/setgroups", "deny");
            write_text("/proc/self/uid_map", map);
            snprintf(map, sizeof map, "%u %u 1", gid, gid);
            write_text("/proc/self/gid_map", map);
        }
    }
    if (pid < 0) {
        *apart = false;
        pid = fork();
    }
    return pid;
}

void apart_mount_proc(void)
{
    mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL);
    mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL);
}
