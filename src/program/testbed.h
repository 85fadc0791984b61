/* A testbed: one compiler, in one version, with one set of flags, and how to use it.
 *
 * Plain data, made by the room `testbed` from the files under testbeds/. A toolchain file yields
 * one testbed per installed compiler and flag set. */
#ifndef ASSAY_PROGRAM_TESTBED_H
#define ASSAY_PROGRAM_TESTBED_H

#include "base/arena.h"
#include "base/child.h"
#include "base/pattern.h"

/* Testbeds are compared with each other only within the same model, because a valid program may
 * print something else where `long` is shorter or bytes are the other way round. */
#define TESTBED_DEFAULT_MODEL "lp64"

struct testbed_limits {
    struct child_limits compile, run;
};

/* A process that a testbed needs beside the program, such as a database (testbed/server.h). All
 * commands are templates; the lists end with NULL. */
struct testbed_server {
    const char *const *init;  /* once per folder, in order, ahead of the first start */
    const char *command;      /* the server itself; it stays in the foreground */
    const char *ready;        /* succeeds when the server can be used; NULL: at once */
    const char *stop;         /* ends the server; NULL: SIGTERM does */
    const char *users;        /* words: as root, the first of these users that exists; NULL: none */
    const char *const *begin; /* ahead of each test */
    const char *const *end;   /* and behind it */
};

/* How a compiler can be asked which of its parts is to blame (triage/blame.h). Strings are NULL and
 * lists empty where the toolchain's file says nothing. */
struct testbed_blame {
    const char *none; /* the level at which nothing is optimised: "-O0" */

    const char *limit;   /* passes behind the {n}-th are left out: "-mllvm -opt-bisect-limit={n}" */
    struct pattern pass; /* in the messages of that: number and name of a pass that ran */

    /* What is asked of the compiler, and how a line of its answer becomes a flag that switches one
     * thing off. Asked with the flags of the case before it. */
    const char *switch_list;
    struct substitution *switches;
    struct pattern *keep, *last; /* flags never tried; flags blamed only if no other will do */
    const char *pass_list;
    struct substitution *passes; /* single passes, for what no switch controls */
    int n_switches, n_keep, n_last, n_passes;

    const char *counter_list;
    struct substitution counter; /* a line of that, and the name of the counter */
    const char *count;           /* {name} does its work {n} times: "-fdbg-cnt={name}:{n}" */
};

/* What tells a compiler from the one that takes its place (testbed/identity.h). */
struct testbed_identity {
    const char *const *files; /* the compiler and its parts; ends with NULL */
    uint64_t stamp;           /* of all of them when the testbed was made */
    const char *root;         /* see struct testbed */
    const char *const *probe; /* the command that prints the version; NULL: there is none */
    const regex_t *version;   /* its first group */
    struct child_limits limits;
};

struct testbed {
    const char *name;      /* "gcc-12 -O3": how it is listed and selected */
    const char *toolchain; /* "gcc": the file's name; of another system's compiler that of the
                              file which its own extends, so that versions of one compiler are
                              compared wherever they are installed */
    const char *called;    /* "gcc-newest": the file's own name, by which it is selected */
    const char *compiler;  /* "gcc-12": as found in PATH */
    const char *path;      /* "/usr/bin/gcc-12"; "/srv/sid//usr/bin/gcc-16" of another system */
    const char *root;      /* that system's folder, "/srv/sid"; NULL: it is of this one */
    const char *version;   /* "12.2.0", "" where none could be read */
    const struct testbed_identity *identity; /* NULL: nobody looks */
    const char *content; /* hash of its files (testbed/identity.h); NULL: nobody looked */
    const char *language;
    const char *flags;  /* "-O3"; "random" until those of a test are drawn */
    const char *model;  /* "lp64", "ilp32", ...: what may be compared with what */
    const char *suffix; /* ".c" */
    bool reference;     /* does it vote? (oracle) */
    bool filter;        /* it judges programs and not itself: see below; it never votes */
    bool traces;        /* its runs are traced (program/trace.h); it never votes */
    bool random;        /* its flags are drawn anew for each test (testbed/flags.h) ... */
    const struct flag_space *space; /* ... from these; NULL where nobody draws, as in a replay */

    /* Templates; each is split into words first, so a value with blanks stays one word:
     *   {cc}     path of the compiler     {flags}  the flag set, word by word
     *   {src}    the source files         {needs}  what the program asks for
     *   {exe}    where the result goes    {dir}    folder of the toolchain's file
     *   {lib}    where a library goes     {bin}    folder of the compiler
     *   {assay}  folder of assay's other programs
     *   {server} folder of the server     {test}   a name that no other test of it has
     *   {inputs} what the program is given to work on, word by word: see `other_inputs` */
    const char *const *compile; /* steps in order, NULL-terminated; empty: nothing to build */
    const char *library;        /* how a library is built ahead of the rest (program_is_library);
                                   NULL: its source is one like the others */
    const char *run;            /* NULL: compile only */
    const char *dir;            /* {dir} */
    const char *const *sees; /* paths that its programs see in the sandbox, too; ends with NULL */
    const char *const *env;  /* NAME=value, or NAME for ours; ends with NULL. NULL: none */
    const struct testbed_server *server; /* NULL: it needs none */
    const char *input;                   /* standard input of the run; NULL: none */
    bool input_is_source;                /* it is the program's source file instead */

    struct pattern *crash; /* in the messages of a failed build: it was a crash */
    int n_crash;
    struct pattern *lacks; /* in the text of a program: an extension that the compiler lacks */
    int n_lacks;
    uint64_t
        lacks_extensions; /* as it was asked (testbed/extensions.h); 0: none, or nobody asked */
    /* In what a run prints, on either stream: it crashed, though it ended by itself; it has no
     * opinion (SKIPPED). */
    struct pattern *run_crash, *abstain;
    int n_run_crash, n_abstain;
    /* Programs whose behaviour is undefined, or left to the compiler, explain any output (DeepSmith
     * 2.3). Of a filter: in what a run prints, on either stream, it says so. Of a reference: in the
     * messages of a build, it is likely. */
    struct pattern *undefined, *suspect;
    int n_undefined, n_suspect;
    const char *inputs;       /* {inputs}; NULL: none, as in every first run */
    const char *other_inputs; /* {inputs} by which an anomaly of the run is tried once more; NULL:
                                 it is believed without */
    double tolerance;         /* numbers with a point or an exponent may differ by this share; 0:
                                 outputs are compared as they are */
    bool may_time_out;        /* a run that takes too long is no opinion, and no anomaly */
    bool ignore_status;       /* the exit status of a run is not compared */
    /* It detects undefined operations (program/undefined.h): rules and rows that it must report and
     * may report, which end with NULL, empty where it detects nothing; and what a line of a report
     * looks like, with the rules that it stands for, words ("any": whichever it was). It never
     * votes. */
    const char *const *detects, *const *may_detect;
    struct substitution *report;
    int n_report;
    struct pattern message; /* its first group is what the compiler says; text NULL: by itself */
    bool silent_crash;      /* a build that fails without a word is a crash */
    struct substitution *normalise; /* applied to the output before it is compared */
    int n_normalise;

    const struct testbed_blame *blame; /* NULL: it cannot be asked */

    struct testbed_limits limits;
};

/* How a compiler is called on its own system: of "/srv/sid//usr/bin/gcc-16" what is behind the
 * first slash of the two, of a path of this system all. No other path has two slashes in a row. */
const char *testbed_inside(const char *path);
/* And that system's root folder, in the arena; NULL: it is this one. */
const char *testbed_root(const char *path, struct arena *a);

/* Is a level of optimisation among the flags, and not -O0 alone? One may be where they are drawn.
 */
bool testbed_optimises(const char *flags);

#endif
