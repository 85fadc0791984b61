#include "base/probe.h"

enum { KEEP = 65536 };

static bool take(const regex_t *pattern, const char *text, struct arena *a, const char **version)
{
    regmatch_t m[2];
    if (regexec(pattern, text, 2, m, 0) != 0 || m[1].rm_so < 0)
        return false;
    *version = arena_memdup(a, text + m[1].rm_so, (size_t)(m[1].rm_eo - m[1].rm_so));
    return true;
}

int probe_version(const struct probe *p, struct arena *a, const char **version, struct error *e)
{
    struct child_spec spec = {.argv = p->argv,
                              .cwd = p->cwd,
                              .limits = p->limits,
                              .sandbox = {.on = p->root != NULL, .root = p->root}};
    struct child_result r;
    *version = "";
    child_result_init(&r, KEEP, KEEP);
    int status = child_run(&spec, &r, e);
    if (!status && r.end == CHILD_NOT_STARTED) {
        error_set(e, ERROR_ENVIRONMENT, "%s", r.err.s);
        status = 1;
    } else if (!status && p->version && !take(p->version, r.out.s, a, version)) {
        take(p->version, r.err.s, a, version);
    }
    child_result_release(&r);
    return status;
}
