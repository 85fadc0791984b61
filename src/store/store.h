/* The campaign's database: a file of SQLite in WAL mode, or a server of PostgreSQL for many
 * machines. The only folder with SQL in it.
 *
 * One writer per process, several processes: the supervisor and each worker open their own handle;
 * readers (`assay bugs`, `assay show`) may look in at any time. Each function that writes is one
 * transaction, so that killing any process at any instant leaves each test either wholly recorded
 * or not at all. A transaction with a finding in it is on the disk (synchronous=FULL) before the
 * call returns; one without may be lost by a power failure, but not by a killed process.
 *
 * The way of a test:
 *
 *     store_claim          takes a seed: first one whose worker died, else the next fresh one
 *     store_record_test    results, program and findings (state new); with findings the claim goes
 *                          on in stage CONFIRM, else it ends
 *     store_confirm        what trying again has shown; the claim ends
 *
 * No seed is run twice and none is skipped: a seed is fresh (not yet handed out), claimed, or done.
 *
 * A handle belongs to one thread of one process: after a fork the child opens its own.
 *
 * Strings in results live in the arena that the caller passes. Functions return 0, or -1 with the
 * error set. Full disk, read-only folder, corrupt file, foreign file, newer schema: each has its
 * sentence, of kind ERROR_ENVIRONMENT, naming the file and what to do. */
#ifndef ASSAY_STORE_STORE_H
#define ASSAY_STORE_STORE_H

#include "base/arena.h"
#include "base/error.h"
#include "base/words.h"
#include "program/finding.h"
#include "program/observation.h"
#include "program/program.h"
#include "program/testbed.h"
#include "program/verdict.h"

#include <stdbool.h>
#include <stdint.h>

struct store;

enum store_mode {
    STORE_READ,  /* must exist; nothing is changed. An older schema is read through a private
                    copy, migrated; a read-only folder is fine */
    STORE_WRITE, /* made if missing, an older schema is migrated */
};

/* A file, or postgresql://user@host/database: libpq's form, with all that it allows. */
bool store_is_url(const char *path);
/* For people: an address without its password. */
void store_show_path(const char *path, struct strbuf *out);
int store_open(const char *path, enum store_mode mode, struct store **out, struct error *e);
void store_close(struct store *s); /* NULL is fine */
/* While another process has the lock, `look` is called every few milliseconds: it may see to it
 * that the other one ends. */
void store_while_waiting(struct store *s, void (*look)(void *of), void *of);

/* -- campaigns --------------------------------------------------------------------------------- */

/* The options that a campaign was begun with, each a column of its own with a type: a text (NULL:
 * not given), a flag, or a number (0: not given). A campaign with the same generator and the same
 * options is the same one. The names are those of `assay run`. */
#define STORE_OPTIONS(X)                                                                           \
    X(TEXT, testbeds, "--testbeds")                                                                \
    X(TEXT, testbed_dir, "--testbed-dir")                                                          \
    X(FLAG, all_flags, "--all-flags")                                                              \
    X(FLAG, random_flags, "--flags=random")                                                        \
    X(FLAG, seed_given, "--seed") /* it is the campaign's first seed */                            \
    X(REAL, majority, "--majority")                                                                \
    X(FLAG, sandbox, "--sandbox")                                                                  \
    X(FLAG, no_sandbox, "--no-sandbox")                                                            \
    X(TEXT, settings, "# ") /* of the generator, as its config writes them */

typedef const char *store_option_TEXT;
typedef bool store_option_FLAG;
typedef double store_option_REAL;

struct store_options {
#define X(type, field, name) store_option_##type field;
    STORE_OPTIONS(X)
#undef X
};
/* Is none of them given? */
bool store_options_none(const struct store_options *o);

struct store_campaign {
    int64_t id;
    const char *generator; /* "csmith" */
    struct store_options options;
    uint64_t first_seed;
    int64_t started; /* seeds handed out: first_seed .. first_seed + started - 1 */
    int64_t tests;   /* seeds done */
    int64_t findings;
    int64_t incidents;
    int64_t elapsed_ms; /* time that supervisors spent on it, all runs together */
    /* What the current round began with; a round is one budget, and goes on after an interruption.
     */
    int64_t round_tests, round_findings, round_elapsed_ms, round_cpu_us;
    int64_t generate_us, build_us, run_us, own_us; /* CPU time so far; own: assay's */
    int64_t created_at;                            /* seconds since 1970 */
    int64_t last_finding_at;                       /* 0: none yet */
    int64_t slipped_from; /* it holds what showed while findings of that campaign were being
                             reduced (store_slip), and is never run; 0: any other campaign. Its own
                             id: what was imported (store_import_known) */
};

/* All of its CPU time so far; reductions are not in it. */
static inline int64_t store_campaign_cpu(const struct store_campaign *c)
{
    return c->generate_us + c->build_us + c->run_us + c->own_us;
}

/* The generator and the options for people, a line each. */
void store_campaign_text(const struct store_campaign *c, struct strbuf *out);

/* The newest campaign with these options, made with `first_seed` if there is none. */
int store_campaign_open(struct store *s, const char *generator, const struct store_options *o,
                        uint64_t first_seed, int64_t *id, struct error *e);
int store_campaign_get(struct store *s, int64_t id, struct arena *a, struct store_campaign *out,
                       struct error *e);
/* All campaigns, oldest first. */
int store_campaigns(struct store *s, struct arena *a, struct store_campaign **out, int *n,
                    struct error *e);
/* Supervisor: add to the time spent, and its own CPU time to the campaign's. */
int store_campaign_tick(struct store *s, int64_t id, int64_t add_ms, int64_t own_us,
                        struct error *e);
/* Supervisor: the budget is used up; the next run in this folder begins a new round. */
int store_campaign_end_round(struct store *s, int64_t id, struct error *e);

/* -- testbeds ---------------------------------------------------------------------------------- */

/* The id of a testbed in this campaign, registered on first sight (by name, path, version, compile
 * and run templates, model). One whose flags are drawn is registered once, as "random". 1: it is
 * registered already, with other contents of its files. */
int store_testbed_id(struct store *s, int64_t campaign, const struct testbed *t, int64_t *id,
                     struct error *e);

struct store_testbed {
    int64_t id;
    const char *name, *toolchain, *version, *path, *flags, *model;
    const char *compile; /* the templates, one per line */
    const char *library; /* "" where there is none */
    const char *dir;     /* {dir} */
    const char *content; /* hash of the compiler's files; "": not known */
    bool reference;
    bool filter; /* it never votes: its RUN_CRASH and RUN_TIMEOUT are programs that it marked */
    int64_t only_inputs; /* findings that were dropped (store_confirmation) */
    int64_t outcomes[OUTCOME_COUNT];
    int64_t anomalies[ANOMALY_COUNT]; /* flaky ones not counted */
    int64_t flaky;
    int64_t build_us, run_us;
};
/* The same as DeepSmith counts, table 2. All are 0 for a filter. */
struct store_classes {
    int64_t of[CLASS_COUNT];
    int64_t other; /* anomalies of any other kind: run-hang, wrong-volatile, ... */
    int64_t pass;  /* the rest: no anomaly, or none that was believed */
    int64_t total; /* tests, those not counted that the testbed skipped */
};
void store_count_classes(const struct store_testbed *t, struct store_classes *out);
struct json *store_classes_json(const struct store_testbed *t);
/* How many programs a filter has marked as none to run. */
int64_t store_marked(const struct store_testbed *filter);

/* The testbeds of a campaign with their statistics, in order of registration. */
int store_testbeds(struct store *s, int64_t campaign, struct arena *a, struct store_testbed **out,
                   int *n, struct error *e);

/* -- the way of a test ------------------------------------------------------------------------- */

enum store_stage { STORE_RUN, STORE_CONFIRM };

struct store_claim {
    int64_t campaign;
    uint64_t seed;
    enum store_stage stage;
    int attempts; /* workers that died on it before */
};

/* 1: claimed; 0: nothing to do, because `max_started` (0: no limit) seeds have been handed out and
 * none waits; -1: error. `worker` names the process in the books. */
int store_claim(struct store *s, int64_t campaign, int worker, int64_t max_started,
                struct store_claim *out, struct error *e);

struct store_result { /* one testbed's part */
    int64_t testbed;  /* id */
    const struct observation *observation;
    struct verdict verdict;
    const char *signature; /* "" where the verdict is no anomaly */
};

struct store_test {
    const struct program *program;
    const struct store_result *results;
    int n_results;
    int64_t generate_us, build_us, run_us, own_us; /* CPU time */
};

/* Observations and program are kept only when there is a finding; statistics always. The ids of
 * the new findings, in the order of results, go to `ids` (room for n_results), their number to
 * `n_findings`. The same program text found before is stored once. */
int store_record_test(struct store *s, const struct store_claim *c, const struct store_test *t,
                      int64_t *ids, int *n_findings, struct error *e);

struct store_confirmation {
    int64_t finding;
    int seen, tried;
    enum finding_state state;
    int64_t build_us, run_us; /* CPU time that the tries took */
    bool only_inputs;         /* it shows with these inputs alone, as what divides by zero does */
};
/* Ends the claim. A finding that shows only with these inputs is dropped, and counted at its
 * testbed: it is none. */
int store_confirm(struct store *s, const struct store_claim *c,
                  const struct store_confirmation *all, int n, struct error *e);

/* A generator that made nothing of this seed (it failed, or timed out): the seed is done, with the
 * reason as an incident, and the CPU time is spent all the same. Ends the claim. */
int store_record_failure(struct store *s, const struct store_claim *c, const char *what,
                         int64_t generate_us, int64_t own_us, struct error *e);

/* Something that whoever looks at the campaign should know, as an incident with that seed. 1: it is
 * noted; 0: it was already; -1. */
int store_note(struct store *s, int64_t campaign, uint64_t seed, const char *what, struct error *e);

/* Claims of a dead worker (-1: of all, when a supervisor starts) go back to the queue, and so do
 * reductions that it had begun. A seed on which `max_attempts` workers died is given up instead:
 * done, with an incident; a reduction has then failed, or, if it was done, nobody is to blame.
 * `what` says how the worker ended and is recorded as an incident with the seed, or with the next
 * one where it held none; NULL records none (the whole campaign was killed or stopped: not the
 * seed's fault, and attempts do not count up).
 * No seed is given up with `max_attempts` 0. */
int store_release(struct store *s, int64_t campaign, int worker, const char *what, int max_attempts,
                  struct error *e);

/* -- reading ----------------------------------------------------------------------------------- */

/* What is read between the two is of one moment, whatever other processes write meanwhile: a text
 * that was named is still there. Views may stand within each other; in one nothing is written, and
 * nothing is waited for, since the log cannot be emptied as long as it lasts. */
int store_view(struct store *s, struct error *e);
void store_view_end(struct store *s);

struct store_query {
    int64_t campaign;      /* 0: all */
    int64_t id;            /* 0: all */
    const char *signature; /* NULL: all */
    const char *testbed;   /* NULL: all; else name, or toolchain */
    int anomaly, state;    /* -1: all; so {0} is not "all" */
    uint64_t seed;         /* only with has_seed */
    bool has_seed;
    int64_t limit; /* 0: no limit */
};

extern const struct store_query store_everything;

/* Oldest first. */
int store_findings(struct store *s, const struct store_query *f, struct arena *a,
                   struct finding **out, int *n, struct error *e);
/* One of them, which must be there. */
int store_finding(struct store *s, int64_t id, struct arena *a, struct finding *out,
                  struct error *e);

/* How many findings of the campaign, what slipped into its reductions included, came after the
 * finding `since` (-1: since the round began) and are not known (store_marks). */
int store_news(struct store *s, int64_t campaign, int64_t since, int64_t *n, struct error *e);

/* By content hash (32 hexadecimal digits). Where several seeds made the same text, `made` tells of
 * the first. */
int store_program(struct store *s, const char *hash, struct arena *a, struct program *out,
                  struct error *e);

struct store_observation {
    const char *testbed;
    int64_t testbed_id;
    struct observation observation;
    struct verdict verdict;
};
/* In order of the testbeds' registration; none for a test without findings. */
int store_observations(struct store *s, int64_t campaign, uint64_t seed, struct arena *a,
                       struct store_observation **out, int *n, struct error *e);

struct store_incident {
    uint64_t seed;
    const char *what;
    int64_t at;
};
int store_incidents(struct store *s, int64_t campaign, struct arena *a, struct store_incident **out,
                    int *n, struct error *e);

/* Seeds that are done, ascending; for checking that none is missing. */
int store_done_seeds(struct store *s, int64_t campaign, struct arena *a, uint64_t **out, int *n,
                     struct error *e);

/* -- reductions -------------------------------------------------------------------------------- */

/* How far the reduction of a finding is. Its best case is in the store from the first step on, and
 * so is every answer of its tests: who starts it again goes on. */
#define REDUCTION_STATES(X)                                                                        \
    X(REDUCTION_BEGUN, "begun", "interrupted, or still at work")                                   \
    X(REDUCTION_DONE, "done", "nothing more to take away")                                         \
    X(REDUCTION_FAILED, "failed", "it did not show again, or could not be reduced")

enum reduction_state { REDUCTION_STATES(WORD_ID) REDUCTION_STATE_COUNT };
extern const char *const reduction_state_name[REDUCTION_STATE_COUNT];

struct store_reduction {
    int64_t finding;
    enum reduction_state state;
    char program[PROGRAM_HASH_SIZE];          /* the best so far; "" where there is none */
    const char *flags;                        /* the flags that are left of the testbed's */
    const char *method;                       /* "c", "lala", "choices", "text", "cvise" */
    const char *why;                          /* FAILED: a sentence */
    int64_t from_bytes, bytes;                /* of the program: before, now */
    int64_t tests, remembered, refused, kept; /* see struct reduce_stats, all runs together */
    int64_t cpu_us, wall_ms;
    int64_t at;             /* seconds since 1970, of the last change */
    const char *constructs; /* of the reduced case (triage/constructs.h); "": none are known.
                               store_constructs_put writes them */
};

/* Insert or update the row of r->finding; `best` (may be NULL) is stored as its program in the same
 * transaction, and on the disk when the call returns. A best case that was there is not lost when
 * there is none now; the text of one that is superseded is dropped, unless somebody else needs it.
 */
int store_reduction_put(struct store *s, const struct store_reduction *r,
                        const struct program *best, struct error *e);
/* 1: there is none for this finding. */
int store_reduction_get(struct store *s, int64_t finding, struct arena *a,
                        struct store_reduction *out, struct error *e);
/* All, by finding. */
int store_reductions(struct store *s, struct arena *a, struct store_reduction **out, int *n,
                     struct error *e);

/* Which findings a campaign reduces, and in which order. */
struct store_reducing {
    int per_signature;         /* so many of one signature ... */
    int per_silent;            /* ... or of one that only tells the kind and the testbed */
    int64_t round_ms, dear_us; /* see below */
};

/* For a worker of a campaign: the next finding that wants to be reduced, which from now on is this
 * worker's until it gives it back, its blame is put or it has failed. 1: *finding is its id; 0:
 * nothing to do; -1: error.
 *
 * Those are the ones that were begun, or reduced and have no blame, and that no worker has; and
 * confirmed ones that are not known (store_marks) and of whose signature not enough were begun.
 * What slipped into reductions of this campaign belongs to it. Last come those whose test is dear:
 * hangs, slow compiles, and what took the accused more than `dear_us`. Among those that are equal
 * in that, first the ones that have had fewer rounds of `round_ms`; then the ones that were begun,
 * so that they end; then those of whose program no reduction was begun for the same kind and
 * compiler, which is likely to end in the same case; then those of signatures of which few were. */
int store_reduction_claim(struct store *s, int64_t campaign, int worker,
                          const struct store_reducing *how, int64_t *finding, struct error *e);
/* It is no worker's any more. */
int store_reduction_give_back(struct store *s, int64_t finding, struct error *e);

/* Answers of tests, by content hash. */
struct store_answer {
    char hash[PROGRAM_HASH_SIZE];
    int answer;
};
int store_answers_put(struct store *s, int64_t finding, const struct store_answer *list, int n,
                      struct error *e);
int store_answers(struct store *s, int64_t finding, struct arena *a, struct store_answer **out,
                  int *n, struct error *e);
/* The reduction is over: they are not needed any more. */
int store_answers_drop(struct store *s, int64_t finding, struct error *e);

/* A finding with another signature that showed while one was being reduced: kept as a finding of
 * its own, in a campaign of its own ("slipped"), as confirmed `seen` of `tried` times. `*id` is
 * that of the new finding, or 0 where one with this signature and testbed is in the store already.
 * `testbed` is copied from that of `from`. */
int store_slip(struct store *s, int64_t from, const struct program *p, const struct observation *o,
               const struct verdict *v, const char *signature, int seen, int tried, int64_t *id,
               struct error *e);

/* -- recognition ------------------------------------------------------------------------------- */

/* What bisection found out about a finding. Strings may be "". */
struct store_blame {
    int64_t finding;
    const char *pass;      /* "instcombine" (clang), "-ftree-vrp" (gcc): what must run for it */
    const char *detail;    /* a sentence: how that was found */
    const char *first_bad; /* version: "gcc 11.3.0" */
    const char *last_good; /* the newest installed version before it that is right */
    const char *last_bad;  /* the newest installed version known to be bad */
    const char *next_good; /* the oldest installed version behind it that is right */
    int64_t at;
};
/* null where nothing is to blame. */
struct json *store_blame_json(const struct store_blame *b);
int store_blame_put(struct store *s, const struct store_blame *b, struct error *e);
int store_blames(struct store *s, struct arena *a, struct store_blame **out, int *n,
                 struct error *e);

/* What a reduced case makes a compiler do; and the findings whose case nobody looked at. */
int store_constructs_put(struct store *s, int64_t finding, const char *constructs, struct error *e);
int store_without_constructs(struct store *s, struct arena *a, int64_t **findings, int *n,
                             struct error *e);

/* The programs next to the reduced one that come out right (triage/kin.h), as one text; "": none
 * are known. */
int store_kin_put(struct store *s, int64_t finding, const char *programs, struct error *e);
int store_kin(struct store *s, int64_t finding, struct arena *a, const char **out, struct error *e);

/* Marks of a bug, by a finding of its cluster. */
#define MARKS(X)                                                                                   \
    X(MARK_NONE, "open", "not marked")                                                             \
    X(MARK_KNOWN, "known", "reported; counted, but not shown as new")                              \
    X(MARK_FIXED, "fixed", "no longer reproduces in the newest version")                           \
    X(MARK_WONTFIX, "wontfix", "will not be fixed; treated as known")

enum mark { MARKS(WORD_ID) MARK_COUNT };
extern const char *const mark_name[MARK_COUNT];
int mark_from_name(const char *name);

/* A mark covers more than its finding. A finding is known when it is marked known or wontfix
 * itself, when one with the same signature is whose mark covers that, or when one of the same kind
 * and toolchain is that is blamed on the same pass. A wrong output that nobody has reduced or
 * bisected may be any bug, and is not known. */
struct store_mark {
    int64_t finding;
    enum mark mark;
    bool covers_signature; /* it tells of the bug (triage/signature.h): who has it is known, too */
    const char *note;      /* what the user wrote, or assay: "not seen with gcc 12.3.0"; "" */
    const char *version;   /* of the compiler that was tried last; "" */
    int64_t same_as; /* assay found that it is the bug of that finding, whose mark it shares; 0: a
                        mark of its own */
    int64_t at;
};
/* Marks that share that of this finding change with it. */
int store_mark_put(struct store *s, const struct store_mark *m, struct error *e);
int store_marks(struct store *s, struct arena *a, struct store_mark **out, int *n, struct error *e);
/* The ids of all findings that are known, ascending. */
int store_known(struct store *s, struct arena *a, int64_t **out, int *n, struct error *e);

/* A bug that is known from elsewhere (bugs/baseline.h). */
struct store_known_bug {
    const char *signature;
    enum anomaly kind;
    const char *toolchain, *testbed; /* that showed it: "gcc", "gcc -O3" */
    enum mark mark;                  /* known or wontfix */
    bool covers_signature;
    const char *note, *pass;       /* pass: that is blamed. Both may be "" */
    const char *flags;             /* that the case is built with */
    const struct program *program; /* the reduced case; without files: there is none */
};
/* It becomes a finding of a campaign of its own ("baseline", whose slipped_from is itself: it is
 * never run, and its findings are no news), with its case as a reduction that is done, and its
 * mark, which has no version. One that is there stays as it is. */
int store_import_known(struct store *s, const struct store_known_bug *b, struct error *e);
/* Is it the campaign of those? */
bool store_is_import(const struct store_campaign *c);

/* -- for plots --------------------------------------------------------------------------------- */

struct store_moment { /* tests and findings up to then, all campaigns of the folder or one */
    int64_t at;       /* seconds since 1970 */
    int64_t tests, findings, signatures;
};
/* At most `points` moments, evenly spread over time, the first and last test included. */
int store_history(struct store *s, int64_t campaign, int points, struct arena *a,
                  struct store_moment **out, int *n, struct error *e);
struct store_done { /* a test */
    int64_t number; /* of its seed: its distance from the campaign's first */
    int64_t cpu_us; /* CPU time of the campaign when it was done, confirmation included */
};
/* The tests of a campaign in the order in which they were done; seeds without a program are none.
 */
int store_done_tests(struct store *s, int64_t campaign, struct arena *a, struct store_done **out,
                     int *n, struct error *e);

struct store_size { /* programs of so many bytes: a bin from `from` to below `to` */
    int64_t from, to, programs, with_findings;
};
/* Bins by powers of two. */
int store_sizes(struct store *s, int64_t campaign, struct arena *a, struct store_size **out, int *n,
                struct error *e);

/* -- other stores ------------------------------------------------------------------------------ */

/* All that is in one into another one, which must be empty, in one transaction. */
int store_copy(struct store *from, struct store *to, int64_t *rows, struct error *e);

#endif
