/* Skeletal program enumeration: all ways to fill the holes of a skeleton with variables, each
 * class of interchangeable fillings once. Knows no language: a skeleton is a tree of scopes with
 * variables, and holes that lie in scopes (SPE 3, 4).
 *
 * A `struct spe_part` is one instance: the holes and variables of one type, which never mix with
 * those of another. A skeleton is a list of parts, and its fillings are the product of theirs.
 *
 * What counts as one class is the mode's:
 *
 *   naive    every filling is its own
 *   compact  orbits under renaming variables of one scope (3.2.2): the classes of a scope merged
 *            that the same holes see
 *   sound    orbits under renaming variables of one class: declarations that are interchangeable
 *   pattern  set partitions of the holes that some filling realises
 *   paper    Algorithm 1 as worked in Example 6; a count only
 *
 * The order of naive, compact and sound is lexicographic over the holes in textual order; the
 * candidates of a hole are ordered root scope first, then class, then index; the representative of
 * an orbit is its least filling, so that each class is first used in index order. That of pattern
 * is lexicographic over restricted growth strings (4.1.2). Parts follow each other like the digits
 * of a number, the last one fastest. */
#ifndef ASSAY_SPE_SPE_H
#define ASSAY_SPE_SPE_H

#include "base/error.h"
#include "base/words.h"
#include "spe/natural.h"

#define SPE_MODE_TABLE(X)                                                                          \
    X(SPE_NAIVE, "naive", "every filling")                                                         \
    X(SPE_COMPACT, "compact", "one for each class under renaming variables of a scope")            \
    X(SPE_SOUND, "sound", "one for each class under renaming interchangeable declarations")        \
    X(SPE_PATTERN, "pattern", "set partitions of the holes that some filling realises")            \
    X(SPE_PAPER, "paper", "Algorithm 1 as published, count only")

enum spe_mode { SPE_MODE_TABLE(WORD_ID) SPE_N_MODES };
extern const char *const spe_mode_name[SPE_N_MODES];
int spe_mode_named(const char *name); /* -1: none */

struct spe_class {
    int size; /* variables, at least 1 */
};

struct spe_scope {
    int parent; /* its number is smaller; the root has -1 */
    int n_classes;
    const struct spe_class *classes;
};

struct spe_hidden { /* a class that a hole does not see although its scope encloses it */
    int hole, scope, class;
};

/* Variables are numbered from 0 in order of scope, class, index. */
struct spe_part {
    int n_scopes, n_holes, n_hidden;
    const struct spe_scope *scopes;
    const int *holes;                /* the innermost scope of each, in textual order */
    const struct spe_hidden *hidden; /* sorted by hole; empty in mode paper */
};

struct spe; /* the fillings of a list of parts in one mode */

/* The parts are copied. The cost of opening is polynomial in holes, scopes and variables as long as
 * nothing is hidden; no filling is visited. NULL and the error: classes are hidden from so
 * many different holes that it would take too long. */
struct spe *spe_new(const struct spe_part *parts, int n_parts, enum spe_mode mode,
                    struct error *error);
void spe_free(struct spe *s);

const struct natural *spe_count(const struct spe *s);
int spe_n_holes(const struct spe *s); /* of all parts together */

/* Not in mode paper. A filling is one variable number per hole, the holes of the first part first;
 * of mode pattern it is the least filling (in the order above) that realises the partition. */
void spe_unrank(struct spe *s, const struct natural *rank, uint32_t *filling); /* rank < count */
/* The class that a filling belongs to: its rank. */
void spe_rank(struct spe *s, const uint32_t *filling, struct natural *rank);
/* The representative of a filling's class, in place. */
void spe_canonical(struct spe *s, uint32_t *filling);

/* The next filling, in constant amortised time; false after the last one. `*from`: no hole before
 * it has changed (counted over all parts). To go on from any rank: spe_unrank, then this. */
bool spe_next(struct spe *s, uint32_t *filling, int *from);

/* Ranks of the i-th of n shards (0 <= i < n): from `first` up to but not `end`. */
void spe_shard(const struct spe *s, uint64_t i, uint64_t n, struct natural *first,
               struct natural *end);

/* Fillings in order of their Hamming distance from `original`, up to `radius` holes changed; one
 * of each class, that nearest to the original. Not in modes pattern and paper. */
struct spe_ball;
struct spe_ball *spe_ball_new(struct spe *s, const uint32_t *original, int radius);
void spe_ball_free(struct spe_ball *b);
bool spe_ball_next(struct spe_ball *b, uint32_t *filling, int *distance);

#endif
