#include "testbed/opencl/limits.h"

#include "base/inside.h"

#include <limits.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>

enum { FILE_BYTES = 256 << 20, SECOND_MS = 1000 };

static void set_limit(int what, uint64_t soft, uint64_t hard)
{
    struct rlimit old, now;
    getrlimit((__rlimit_resource_t)what, &old);
    now.rlim_max = hard < old.rlim_max ? hard : old.rlim_max;
    now.rlim_cur = soft < now.rlim_max ? soft : now.rlim_max;
    setrlimit((__rlimit_resource_t)what, &now);
}

/* Files are made, written and removed below the folder only, and read there, where the system has
 * its own, and where OPENCL_SEES says: a kernel may include any file that it names. Without the
 * folder nothing could be done at all. */
static void keep_inside(const char *folder)
{
    char sees[PATH_MAX];
    int set = inside_begin();
    inside_read_system(set);
    const char *more = getenv(OPENCL_SEES);
    for (size_t n; more && *more; more += n + (more[n] == ':')) {
        n = strcspn(more, ":");
        snprintf(sees, sizeof sees, "%.*s", (int)n, more);
        inside_read(set, sees);
    }
    inside_write(set, folder);
    inside_end(set);
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
