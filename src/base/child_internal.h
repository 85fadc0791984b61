/* What child.c and sandbox.c share; nobody else includes this.
 *
 * child.c owns the run: pipes, limits, the poll loop, the end. sandbox.c only knows another way to
 * start it. Both ways leave the same two things behind: a process to watch, and a channel (one
 * socket pair, whole messages) over which that process tells us what its exit status cannot. */
#ifndef ASSAY_BASE_CHILD_INTERNAL_H
#define ASSAY_BASE_CHILD_INTERNAL_H

#include "base/child.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/types.h>

/* Everything the new process needs, made before the fork: between fork and exec nothing is
 * allocated, because RLIMIT_AS may by then lie below what our own copy occupies. */
struct child_plan {
    const struct child_spec *spec;
    char **argv;
    char **env;
    char **paths;            /* where the program may be, in the order of PATH; ends with NULL */
    const char *const *sees; /* of a sandbox: that of the spec, and the program; ends with NULL */
    int in;                  /* the child's ends; all of them are above 2 */
    int out, err;
    int channel;
};

enum child_report_kind {
    CHILD_REPORT_SETUP, /* a step before exec failed: `what`, `error` */
    CHILD_REPORT_EXEC,  /* exec itself failed: `error` */
    CHILD_REPORT_ENDED, /* the sandbox's keeper saw the command end, and has ended the rest of its
                           family: `status`, `usage` of all, and whether it killed it for its
                           memory: `over_memory` */
};

struct child_report {
    enum child_report_kind kind;
    int error;  /* errno */
    int status; /* as wait4 gives it */
    bool over_memory;
    struct rusage usage;
    char what[96];
};

enum {
    CHILD_CHANNEL = 3, /* where the channel is, once child_settle has run */
    SANDBOX_FILES = 1024,
};

/* In the new process. */

/* A group of its own, default signals, of which some stay blocked, 0 to 2 from the plan, 3 the
 * channel, nothing else open. */
void child_settle(const struct child_plan *plan, const sigset_t *blocked);
/* From here on our death is its death. */
void child_die_with_parent(void);
void child_send(const struct child_report *report);
/* Report errno, and exit. */
_Noreturn void child_fail(enum child_report_kind kind, const char *what, const char *which);
/* Set every limit but RLIMIT_NPROC. A limit that is already stricter stays. */
void child_set_limits(const struct child_limits *limits);
void child_set_limit(int resource, uint64_t soft, uint64_t hard);
_Noreturn void child_exec(const struct child_plan *plan);

/* In the keeper: build the root of inside, become its user, and enter the work folder. `root`: we
 * are root outside. False: its /proc is that of outside. */
bool sandbox_build_root(const struct child_plan *plan, bool root);
/* In the command: from here on only the system calls of sandbox_calls.h. */
void sandbox_filter_calls(bool with_sockets);

/* In the calling process: start the plan in namespaces of its own; the keeper's pid, or -1.
 * `our_channel` is the other end of plan->channel. */
pid_t sandbox_start(const struct child_plan *plan, int our_channel, struct error *e);
/* The sentence for a step that failed. */
int sandbox_explain(struct error *e, const char *what, int error);

#endif
