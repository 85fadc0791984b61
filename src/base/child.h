/* One child process, from start to end, under limits.
 *
 * child_run starts a command, feeds and drains its pipes without deadlock, enforces every limit,
 * and returns when the command and everything it started is gone:
 *
 *   - the child leads a process group of its own, which is killed whole at the end;
 *   - the calling process is made a child subreaper, so that a daemon which left the group comes
 *     back to us and is killed too;
 *   - with `sandbox`, the command lives in its own user, pid, mount, network, IPC and UTS
 *     namespaces, and when its pid 1 goes, the kernel ends the rest. It sees the programs and
 *     libraries of the system and the work folder, nobody's home, no network and a minimal /dev; a
 *     private /tmp of limited size; of our environment PATH, the locale and the time zone. TMPDIR
 *     and HOME are /tmp. It may make only the system calls of a list (sandbox_calls.h): none for
 *     sockets, keys, or memory outside its address space.
 *
 * The caller must have no children of its own while child_run is active, and SIGCHLD at default.
 * No descriptor but 0, 1 and 2 reaches the child. Nothing is printed. */
#ifndef ASSAY_BASE_CHILD_H
#define ASSAY_BASE_CHILD_H

#include "base/error.h"
#include "base/strbuf.h"

#include <stdbool.h>
#include <stdint.h>

struct child_limits {     /* 0 means none, except where noted */
    int64_t wall_ms;      /* from start to end */
    int64_t cpu_ms;       /* user + system of the whole family as far as waited for. Exact for
                             the classification. The child itself is killed for it at once; its
                             descendants and all in a sandbox by RLIMIT_CPU, at a quarter more,
                             rounded up to seconds */
    int64_t memory_bytes; /* address space of each process (RLIMIT_AS); sandbox: also what all of
                             them have in memory together, which is looked at so often that 8 GB/s
                             are seen in time. Files in /tmp and the like come on top */
    int64_t file_bytes;   /* size of each file written (RLIMIT_FSIZE); sandbox: also of all in
                             /tmp, then 64 MiB where 0 */
    int processes;        /* processes and threads. Exact in the sandbox. Outside, RLIMIT_NPROC,
                             which Linux does not apply to root, on top of
                             the tasks that the machine has already */
    int64_t output_bytes; /* stdout and stderr together before the child is killed */
};

enum { CHILD_SANDBOX_ID = 65534 }; /* uid and gid inside, "nobody"; as root, outside as well */

struct child_sandbox {
    bool on;
    bool work_writable; /* may the work folder (cwd) be written? It is mounted as /tmp/work: name
                           programs there by a path relative to cwd. Without cwd the command starts
                           in /tmp. When we are root the command is not: the folder's mode becomes
                           at least a+rx, and if writable it is given to uid 65534. The number of
                           files in a writable folder has no limit, and what is left there may be
                           links to anywhere */
    bool unix_sockets;  /* may it make them? It reaches those that it sees */
    const char *root; /* absolute: the folder of another system, whose programs, libraries and PATH
                         are seen in place of ours; the command is named as it is in there. NULL:
                         this system's */
    const char *const *sees; /* files and folders of this system, at their own places and
                                read-only; ends with NULL; NULL: none. The program itself need not
                                be named, see base/sees.h */
};

/* Takes standard error as it comes, in pieces of any size, instead of child_result.err: for output
 * that is too much to keep. It counts for no limit on output. */
struct child_sink {
    void (*take)(void *context, const char *data, size_t n); /* NULL: there is none */
    void *context;
};

struct child_spec {
    const char *const *argv; /* NULL-terminated; argv[0] is looked up in the child's PATH */
    const char *cwd;         /* NULL: ours */
    const char *const *env;  /* NULL: ours; else "NAME=value" added to or replacing ours,
                                NULL-terminated. In a  sandbox, ours is a short list of names */
    const char *input;       /* standard input, NULL: /dev/null */
    size_t input_size;
    struct child_limits limits;
    struct child_sandbox sandbox;
    struct child_sink err_sink;
    struct pulse *pulse; /* told when a limit of time is lengthened; NULL: nobody */
    const volatile int
        *stop; /* not NULL: when it becomes non-zero the child is killed (CHILD_STOPPED) */
};

enum child_end {
    CHILD_EXITED,   /* status = exit status */
    CHILD_SIGNALED, /* status = signal */
    CHILD_TIMEOUT_WALL,
    CHILD_TIMEOUT_CPU,
    CHILD_OUTPUT,      /* killed for printing more than output_bytes */
    CHILD_FILE_SIZE,   /* died of SIGXFSZ; status = that signal */
    CHILD_MEMORY,      /* killed because all processes together had more than memory_bytes */
    CHILD_STARVED,     /* killed by the wall limit many times over: it hardly got the processor */
    CHILD_STOPPED,     /* killed because *stop was set */
    CHILD_NOT_STARTED, /* could not be executed; `err` says why, status = errno */
    CHILD_ENDS
};

struct child_result {
    enum child_end end;
    int status;             /* see child_end; 0 where it says nothing */
    struct strbuf out, err; /* capped at what the caller initialised them with; the rest is read
                               and dropped up to limits.output_bytes */
    uint64_t out_bytes, err_bytes; /* how much was really printed */
    int64_t wall_us, user_us, system_us;
    int64_t peak_kb; /* largest resident set of any process waited for; Linux counts from
                        the fork on, so never below our own at that moment */
};

/* Caps for the texts we keep; init once, reuse for many runs. */
void child_result_init(struct child_result *r, size_t out_cap, size_t err_cap);
void child_result_release(struct child_result *r);

/* 0 when the child was run, however it ended. -1 when it is we who failed: no pipe, no fork, no
 * namespaces. CHILD_NOT_STARTED is not our failure. */
int child_run(const struct child_spec *spec, struct child_result *result, struct error *e);

/* Can this machine sandbox? 0, or -1 with the reason and what to do. */
int child_sandbox_available(struct error *e);

/* May a variable "NAME=value" of ours go where text from others is worked on? Others may be tokens
 * and passwords. */
bool child_env_is_harmless(const char *entry);

extern const char *const child_end_name[CHILD_ENDS];

#endif
