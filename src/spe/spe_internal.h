/* What the files of skeletal enumeration share. Included by src/spe/ alone.
 *
 * A mode is a table of operations on one part; spe.c makes a list of parts of it, as the digits of
 * one number. Who implements which:
 *
 *   orbits.c   naive, compact, sound; burnside.c counts for it
 *   pattern.c  pattern; veiled.c does it for parts where something is hidden
 *   paper.c    paper
 *
 * A part's variables have numbers from 0 in order of scope, class, index; the candidates of a hole
 * in ascending order are those of the order that spe.h promises, because a parent's number is
 * smaller than its child's. */
#ifndef ASSAY_SPE_SPE_INTERNAL_H
#define ASSAY_SPE_SPE_INTERNAL_H

#include "base/arena.h"
#include "spe/spe.h"

struct spe_mode_ops {
    /* Counts the fillings. The part outlives the state; it is NULL in a mode that only counts. -1
     * where the mode refuses the part. */
    int (*open)(const struct spe_part *part, enum spe_mode mode, struct natural *count,
                void **state, struct error *error);
    /* The rest is NULL in a mode that only counts. */
    void (*close)(void *state);
    /* Fillings are of this part alone: n_holes
     * variable numbers. The functions of spe.h with the same names say what they do. */
    void (*unrank)(void *state, const struct natural *rank, uint32_t *filling);
    void (*rank)(void *state, const uint32_t *filling, struct natural *rank);
    void (*canonical)(void *state, uint32_t *filling);
    /* `filling` is the representative of its class, of whatever call. False after the last one;
     * the filling is then undefined. */
    bool (*next)(void *state, uint32_t *filling, int *from);
};

extern const struct spe_mode_ops spe_orbits_ops; /* naive, compact, sound */
extern const struct spe_mode_ops spe_pattern_ops, spe_veiled_ops;
extern const struct spe_mode_ops spe_paper_ops;

/* -- one list of parts, spe.c ------------------------------------------------------------------ */

struct spe_digit {        /* one part */
    struct spe_part part; /* our copy */
    const struct spe_mode_ops *ops;
    void *state; /* of the mode's open */
    struct natural count;
    int offset;      /* of its first hole among those of all parts */
    uint32_t *first; /* n_holes; its filling of rank 0, made when it is needed */
};

struct spe {
    struct arena arena; /* the copies of parts, and all arrays here */
    enum spe_mode mode;
    int n_parts, n_holes;
    struct spe_digit *parts;
    int n_moving, *moving; /* parts with more than one filling, ascending */
    struct natural count;
};

/* -- the variables of a part, spe.c ------------------------------------------------------------ */

struct spe_variable {
    int scope;
    int declared; /* class of the scope, as the part has it */
    int class;    /* of interchangeable variables in the mode, numbered over the whole part */
    int index;    /* in that class, ascending with the variable's number */
    bool hidden;  /* from some hole */
};

struct spe_variables {
    int n, n_classes;
    struct spe_variable *at; /* n */
    int *class_size;         /* n_classes */
};

/* What is interchangeable in modes naive, compact and sound (SPE 3.2.2): in naive every variable is
 * a class of its own; in compact the classes of a scope that the same holes see are one. */
struct spe_variables spe_variables(const struct spe_part *part, enum spe_mode mode,
                                   struct arena *arena);
/* The variables that a hole may hold, ascending: those of its scope and of every enclosing one,
 * without the hidden ones. `out` has room for all variables of the part; returns how many. */
int spe_candidates(const struct spe_part *part, const struct spe_variables *variables, int hole,
                   uint32_t *out);

#endif
