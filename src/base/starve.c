#include "base/starve.h"
#include "base/vec.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct process {
    pid_t pid, parent;
    char state;
    bool below; /* it is the root, or below it */
};

/* The first bytes of a file of /proc/PID; "" where it is gone. */
static void read_proc(int proc, const char *pid, const char *file, char *text, size_t size)
{
    char path[64];
    snprintf(path, sizeof path, "%.20s/%s", pid, file);
    int fd = openat(proc, path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, text, size - 1);
    if (fd >= 0)
        close(fd);
    text[n > 0 ? n : 0] = '\0';
}

/* From "pid (any name) state ppid ...": the name itself may hold any of these signs. */
static struct process process_in(const char *stat, pid_t root)
{
    const char *name_end = strrchr(stat, ')');
    struct process p = {(pid_t)strtol(stat, NULL, 10), -1, '?', false};
    if (name_end && strlen(name_end) > 4) {
        p.state = name_end[2];
        p.parent = (pid_t)strtol(name_end + 4, NULL, 10);
    }
    p.below = p.pid == root;
    return p;
}

struct starve starve_look(pid_t root)
{
    VEC(struct process) all = {0};
    char text[512], name[24];
    struct starve sum = {0};
    DIR *proc = opendir("/proc");
    for (struct dirent *entry; proc && (entry = readdir(proc));) {
        if (*entry->d_name < '1' || *entry->d_name > '9')
            continue;
        read_proc(dirfd(proc), entry->d_name, "stat", text, sizeof text);
        vec_push(&all, process_in(text, root));
    }
    for (bool more = true; more;) { /* a child may stand ahead of its parent */
        more = false;
        for (size_t i = 0; i < all.n; i++)
            for (size_t k = 0; k < all.n && !all.at[i].below; k++)
                if (all.at[k].below && all.at[k].pid == all.at[i].parent)
                    more = all.at[i].below = true;
    }
    for (size_t i = 0; i < all.n; i++) {
        unsigned long long ran = 0, waited = 0;
        if (!all.at[i].below)
            continue;
        snprintf(name, sizeof name, "%d", (int)all.at[i].pid);
        read_proc(dirfd(proc), name, "schedstat", text, sizeof text);
        sum.ready |= all.at[i].state == 'R';
        if (sscanf(text, "%llu %llu", &ran, &waited) == 2) {
            sum.ran_us += (int64_t)(ran / 1000);
            sum.waited_us += (int64_t)(waited / 1000);
        }
    }
    if (proc)
        closedir(proc);
    vec_release(&all);
    return sum;
}
