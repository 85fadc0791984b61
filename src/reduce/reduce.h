/* A failing case becomes small, and stays the same failure.
 *
 *     case         a program, and the flags that the accused compiler gets
 *     test         is this candidate interesting? Answered by a callback, several at a time
 *     pass         a way to make smaller candidates (the table in schedule.c)
 *     reduction    the best case so far, and what it took to get there
 *
 * A pass lists candidates in an order that depends on the best case alone. They are tested side by
 * side, but the first interesting one in that order wins, whoever ends first: so the same case and
 * the same answers give the same result, however many cores there are. Because of that an
 * interrupted reduction goes on by starting again: answers are remembered by content hash, and what
 * was tested before costs no test.
 *
 * How candidates are made (files of this room):
 *
 *     choices.c    from the recorded choices of a generator (Csmith's Seq-Reduce, 7.2.1)
 *     c_*.c        from the tree of a C program, each checked by interp before it is tested
 *     lala.c       from the tree of a LALA program, its attributes evaluated again
 *     text.c       from lines and tokens
 *     flags.c      from the command line
 */
#ifndef ASSAY_REDUCE_REDUCE_H
#define ASSAY_REDUCE_REDUCE_H

#include "base/arena.h"
#include "base/error.h"
#include "base/map.h"
#include "base/vec.h"
#include "program/language.h"
#include "program/program.h"

#include <stdbool.h>
#include <stdint.h>

struct reduce_case {
    struct program program;
    const char *flags; /* of the accused testbed, words with blanks between */
};

enum reduce_answer { REDUCE_BORING, REDUCE_INTERESTING };

/* The test of interest. `begin` may be called for every slot that is free; `end` waits until one of
 * those begun has its answer. */
struct reduce_test {
    void *of;
    int slots; /* how many tests may run side by side, at least 1 */
    int (*begin)(void *of, int slot, const struct reduce_case *c, struct error *e);
    int (*end)(void *of, int *slot, enum reduce_answer *answer, struct error *e);
    void (*drop)(void *of, int slot); /* its answer is not wanted any more; the slot is free */
    /* What was answered in an earlier run: an answer, or -1. `hash` is reduce_hash. */
    int (*recall)(void *of, const char *hash);
    /* Every new answer, as it comes. */
    void (*note)(void *of, const char *hash, enum reduce_answer answer);
    /* A better case was found: time to save it, and to show progress. */
    void (*better)(void *of, const struct reduce_case *c, const char *pass);
};

struct reduce_stats {
    int64_t tests;      /* run */
    int64_t remembered; /* answered without a test */
    int64_t refused;    /* by interp or by the guards of a specification: never tested */
    int64_t kept;       /* candidates that became the best */
};

struct reduction {
    const struct reduce_test *test;
    const volatile int *stop; /* not 0: end soon, with -1 and no error; may be NULL */
    struct reduce_case best;  /* lives in one of the arenas below */
    struct language language; /* as the first case shows it */
    const char *pass;         /* the one at work */
    struct reduce_stats stats;
    struct arena first;   /* what was seen of the first case */
    struct arena keep[2]; /* the best, and the place for the next best */
    int kept_in;
    struct arena *work; /* one per slot: the candidate in test */
    struct map known;   /* reduce_hash -> answer */
};

/* `c` is copied. */
void reduction_init(struct reduction *r, const struct reduce_test *test,
                    const struct reduce_case *c);
void reduction_release(struct reduction *r);

/* What tells candidates apart: program and flags. */
void reduce_hash(const struct reduce_case *c, char hash[PROGRAM_HASH_SIZE]);

/* -- for passes -------------------------------------------------------------------------------- */

enum reduce_made { REDUCE_END, REDUCE_MADE, REDUCE_REFUSED };

/* Candidates, numbered from 0, that depend on the best case alone. */
struct reduce_space {
    void *of;
    /* Make candidate `i` in the arena. END: there is none of this number or of any later one;
     * REFUSED: it is not to be tested (not valid, or nothing changes). */
    enum reduce_made (*make)(void *of, size_t i, struct arena *a, struct reduce_case *out);
};

/* Test candidates from number *at on until one is interesting. 1: it is the best now, *at is its
 * number; 0: none is; -1. After 1 the candidates may be others, and the caller decides where to go
 * on. */
int reduction_first(struct reduction *r, const struct reduce_space *s, size_t *at, struct error *e);

/* Take away as many of n atoms as possible: all at once, halves, quarters, ... single ones, as in
 * delta debugging. `make` builds the case in which atoms from .. from + n - 1 of those that are
 * left are gone as well; `took` tells that this has become the best: the caller drops them, and
 * those left are numbered anew. */
struct reduce_atoms {
    void *of;
    size_t (*count)(void *of);
    enum reduce_made (*make)(void *of, size_t from, size_t n, struct arena *a,
                             struct reduce_case *out);
    void (*took)(void *of, size_t from, size_t n);
    size_t least; /* the smallest group to try; 0: 1 */
    size_t most;  /* the largest; 0: all */
};
/* The number of groups that were taken away; -1. */
int reduction_atoms(struct reduction *r, const struct reduce_atoms *atoms, struct error *e);

/* -- sources of candidates --------------------------------------------------------------------- */

/* Each pass function reduces r->best as far as it can and returns the number of steps that were
 * kept, or -1. */

/* choices.c: `make` gives the program of a sequence: 0, or 1 where there is none. The sequence that
 * made the best is in `values` and is updated. Only programs that are smaller (program_size, then a
 * shorter or lower sequence) are tested. */
struct reduce_choices {
    void *of;
    int (*make)(void *of, const uint64_t *values, size_t n, struct arena *a, struct program *out);
    VEC(uint64_t) values;
};
int reduce_choices(struct reduction *r, struct reduce_choices *c, struct error *e);

/* text.c: lines and tokens of every file, by brackets and indentation too; for any language. */
int reduce_text(struct reduction *r, struct error *e);

/* flags.c: words of the flags, a level for a lower one. */
int reduce_flags(struct reduction *r, struct error *e);

#endif
