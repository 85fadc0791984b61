/* Building and running one program on one testbed after the other, in a work folder of its own.
 *
 * The compiler and what it made run in the sandbox, under limits, unless the program is trusted
 * (valid by construction): the compiler itself is trusted, but its text may name any file of the
 * user's, and what it reads comes out in messages and reports. It sees the system's programs, its
 * own installation, the work folder, and what the testbed names. A program that is build_only is
 * never run: it is OK when it was built.
 *
 * The clients of a testbed with a server (testbed/server.h) are like compilers, and reach the
 * socket of their server; the commands around a test, which are the testbed's own, run outside.
 * When a server crashes under a test, the test is repeated alone, and what it does then is what was
 * observed. */
#ifndef ASSAY_TESTBED_RUNNER_H
#define ASSAY_TESTBED_RUNNER_H

#include "base/arena.h"
#include "base/child.h"
#include "base/pulse.h"
#include "program/observation.h"
#include "program/program.h"
#include "program/testbed.h"

#include <limits.h>

/* What is built, in the work folder. */
#define RUNNER_EXE "./program.exe"

struct runner {
    char dir[PATH_MAX];       /* the work folder, removed by runner_release */
    char temp[PATH_MAX];      /* its subfolder for the compilers' temporary files */
    bool sandbox_all;         /* sandbox trusted programs too */
    bool sandbox_none;        /* the user said so */
    const volatile int *stop; /* see child_spec */
    struct pulse *pulse;      /* told ahead of each command; NULL: nobody watches */
    struct child_result child;
    const char *vmstat;    /* where the system counts whom it kills for memory: /proc/vmstat */
    int64_t killed_before; /* so many when the program was loaded */
    const struct server_link *server; /* that of the test in hand; NULL: it has none */
};

int runner_init(struct runner *r, struct error *e);
void runner_release(struct runner *r);

/* Put a program's files into the emptied work folder. */
int runner_load(struct runner *r, const struct program *p, struct error *e);

/* Build and run the loaded program. A compiler that cannot be started, or that the
 * machine has let down, yields SKIPPED with `of_machine`. `run` false: build only; the outcome is
 * then SKIPPED when the build succeeds, with `why` in messages. Strings live in the arena. -1 is
 * our own failure, or an interruption (stop).
 *
 * Flags that were drawn at random may be in each other's way: when the build fails, succeeds with
 * the level alone, and the message names one of the flags, that is no observation of the program
 * but SKIPPED, with the reason in messages. */
int runner_observe(struct runner *r, const struct program *p, const struct testbed *t, bool run,
                   const char *why, struct arena *a, struct observation *out, struct error *e);

/* Run once more what was built last: the program may have been changed since. */
int runner_run(struct runner *r, const struct program *p, const struct testbed *t, struct arena *a,
               struct observation *out, struct error *e);

/* A question to the compiler, from outside of the sandbox unless it is of another system; its work
 * folder is where it writes what it must. */
int runner_ask(struct runner *r, const struct testbed *t, const char *const *argv,
               struct child_result *result, struct error *e);

/* Some other tool on what is in the work folder, confined as the compiler. 1: it succeeded; 0: it
 * is not there, or failed. What it said is in r->child. */
int runner_run_tool(struct runner *r, const struct program *p, const struct testbed *t,
                    const char *const *argv, struct arena *a, struct error *e);

/* The commands that build the program, as lines for a shell in a folder with its files. Those of
 * another system go through scripts/in-root. */
void runner_commands(const struct testbed *t, const struct program *p, struct strbuf *out);

/* Does the testbed work at all? Builds and runs a small program. 0: yes; 1: no, and `why` (in the
 * arena) says it; -1: our own failure. */
int runner_probe(struct runner *r, const struct testbed *t, struct arena *a, const char **why,
                 struct error *e);

#endif
