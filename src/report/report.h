/* What was found, written down: for compiler developers, for people, for CI.
 *
 * Reads the store, never writes it. Everything is made from one `struct report_data`, loaded once:
 *
 *     report_folder    one folder per bug, ready to be sent
 *     report_html      the campaign as one file without outside resources, with plots
 *     report_json, report_junit, report_sarif
 *     report_table     the classes of DeepSmith, testbed by testbed
 *     report_suite     all reduced cases as a regression suite: `assay check DIR`, or lit */
#ifndef ASSAY_REPORT_REPORT_H
#define ASSAY_REPORT_REPORT_H

#include "base/strbuf.h"
#include "bugs/bugs.h"

/* How a testbed runs what it built, for a script; from its toolchain file. All may be "". */
struct report_way {
    const char *run;       /* a command for a shell, "./program.exe"; "": nothing is run */
    const char *script;    /* the same with "$cc" in place of the compiler's path */
    const char *normalise; /* a script for `sed -E` that makes outputs comparable */
    const char *crash;     /* a failed build that prints one of these crashed: POSIX extended
                              regular expressions, one per line */
    const char *run_crash; /* a run that prints one of these did */
    bool silent_crash;     /* so did a failed build that prints nothing */
    bool ignore_status;    /* the exit status of a run says nothing */
    bool by_hand;          /* it needs what no script has: a server, a tracer */
    const char *message;   /* what a failed build says is the first group of this one; "" */
    const char *about;     /* what the compiler says of itself (`gcc -v`) */
    const char *compiler;  /* what a script calls it: its name where PATH leads there, else its
                              path; "": its path */
};
extern const struct report_way report_no_way; /* all texts empty */

/* The machine that the report is made on. What is not known is NULL. */
struct report_system {
    const char *kernel, *distribution, *processor, *memory;
};

struct report_bug {
    int number;        /* from 1, in the order of the ranking */
    const char *title; /* one line: "gcc 12.2.0 -O3: wrong code (prints 7 instead of 8)" */
    struct bug bug;
    const struct finding *finding;      /* of bug.first */
    const struct observation *seen;     /* what the accused testbed does with `reduced` */
    const struct observation *recorded; /* what it did with `original`, as the store has it */
    struct program original, reduced;   /* reduced: the original where it was not reduced */
    bool is_reduced;
    const char *flags;     /* that it is built with */
    const char *build;     /* commands for a shell, one per line, made by the caller; the compiler
                              by its name alone */
    const char *script;    /* the same with "$cc" in place of the compiler's path */
    struct report_way way; /* how the result is run */
    struct bytes expected; /* the right output; no data: not known */
    int expected_status;   /* and exit status */
    bool seen_original;    /* `seen` is of the original: the reduced one was not tried here */
};

struct report_data {
    struct arena arena;
    const char *dir; /* of the campaign */
    struct store_campaign *campaigns;
    int n_campaigns;
    struct store_testbed *testbeds; /* of all campaigns */
    int n_testbeds;
    struct finding *findings;
    int n_findings;
    struct report_bug *bugs;
    int n_bugs;
    struct store_moment *history; /* of all campaigns together */
    int n_history;
    struct report_history {
        int64_t campaign;
        struct store_moment *at;
        int n;
    } * histories; /* of each campaign that was run */
    int n_histories;
    struct store_size *sizes;
    int n_sizes;
    /* Set by the caller, who may leave them as they are. */
    struct report_system system;
    const char *folders; /* where the folders of the bugs are, seen from the page: "bugs"; NULL:
                            nowhere */
};

/* What the room testbed knows and is not ours to know. Any but `build` may be NULL. */
struct report_commands {
    void *of;
    /* Writes the build commands of a testbed for a program with these flags. */
    void (*build)(void *of, const struct store_testbed *t, const char *flags,
                  const struct program *p, struct strbuf *out);
    /* How the program of a finding is run afterwards. */
    void (*way)(void *of, const struct finding *f, const struct store_testbed *t, const char *flags,
                const struct program *p, struct arena *a, struct report_way *out);
    /* What the accused testbed does with the program here and now. 1: that cannot be known here. */
    int (*observe)(void *of, const struct finding *f, const char *flags, const struct program *p,
                   struct arena *a, struct observation *out, struct error *e);
    /* What the others agree that the program does, likewise. */
    int (*agreed)(void *of, const struct finding *f, const struct program *p, struct arena *a,
                  struct observation *out, struct error *e);
};
/* How many bugs it tells of. */
struct bug_counts report_count(const struct report_data *d);
/* Of the findings that the query asks for. */
int report_load(struct store *s, const char *dir, const struct store_query *f,
                const struct report_commands *commands, struct report_data *out, struct error *e);
void report_release(struct report_data *d);

/* Would a reduced program take too long to be tried again for a report? */
bool report_is_endless(enum anomaly kind);

/* Removes what an earlier report_folder or report_suite left in DIR: entries called like a bug
 * (bug_is_name). */
void report_clear(const char *dir);
/* DIR/NAME/: program files reduced/, original/, repro.sh, expected.txt, seen.txt, report.md. */
int report_folder(const struct report_data *d, const struct report_bug *b, const char *dir,
                  struct error *e);
void report_html(const struct report_data *d, struct strbuf *out);
void report_json(const struct report_data *d, struct strbuf *out);
void report_junit(const struct report_data *d, struct strbuf *out);
void report_sarif(const struct report_data *d, struct strbuf *out);
/* The classes of DeepSmith 2.3 for each testbed, as its table 2; plain text. */
void report_table(const struct report_data *d, struct strbuf *out);

/* One file per reduced case with RUN: lines for lit, an assay-readable header, lit.cfg.py. */
int report_suite(const struct report_data *d, const char *dir, int *n, struct error *e);

/* A case of such a suite, read back. */
struct report_case {
    const char *path;
    struct program program; /* without the header; `expected` where the case knows it */
    enum anomaly kind;
    const char *testbed, *version, *flags; /* of the accused */
    int flags_line, needs_line;            /* where they stand in the file; 0: nowhere */
    int status;                            /* the right exit status */
    int64_t cpu_ms, memory_kb;             /* the build may take no more; 0: no such limit */
};
/* The cases in a folder, by name; what is none is passed over. */
int report_suite_read(const char *dir, struct arena *a, struct report_case **out, int *n,
                      struct error *e);

#endif
