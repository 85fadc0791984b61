#include "cli/system.h"
#include "base/fs.h"
#include "base/text.h"

#include <sys/utsname.h>
#include <unistd.h>

/* The value of the first line that begins with `key`, up to `end`; NULL: there is none. */
static const char *value_in(const char *path, const char *key, const char *end, struct arena *a)
{
    struct strbuf text;
    const char *value = NULL;
    strbuf_init(&text, 1 << 20);
    fs_read(path, &text, NULL);
    for (const char *at = text.s; *at && !value;) {
        size_t n = strcspn(at, "\n"), k = strlen(key);
        if (!strncmp(at, key, k)) {
            const char *from = at + k + strspn(at + k, " \t:=\"'");
            value = arena_memdup(a, from, strcspn(from, end));
        }
        at += n + (at[n] == '\n');
    }
    strbuf_release(&text);
    return value;
}

static const char *memory(struct arena *a)
{
    enum { MIB = 1 << 20 };
    int64_t bytes = (int64_t)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE);
    return bytes > 0 ? arena_printf(a, "%lld MiB", (long long)(bytes / MIB)) : NULL;
}

static const char *processor(struct arena *a)
{
    const char *model = value_in("/proc/cpuinfo", "model name", "\n", a);
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return model ? arena_printf(a, "%s, %ld core%s", model, cores, cores == 1 ? "" : "s") : NULL;
}

struct report_system cli_system(struct arena *a)
{
    struct utsname u;
    struct report_system s = {0};
    if (!uname(&u))
        s.kernel = arena_printf(a, "%s %s %s", u.sysname, u.release, u.machine);
    s.distribution = value_in("/etc/os-release", "PRETTY_NAME", "\"'\n", a);
    s.processor = processor(a);
    s.memory = memory(a);
    return s;
}
