/* The only source of randomness in assay.
 *
 * Everything a generator decides, it decides through a `struct choice`. Behind it is one of three
 * back ends:
 *
 *   random      a stream from a 64-bit seed: xoshiro256**, seeded by splitmix64. Our own code with
 *               pinned test vectors, so that a seed means the same program on every machine, in
 *               every build, for good.
 *   replay      a recorded sequence. Tolerant, so that a reducer may cut and change it at will: a
 *               value out of range wraps, and a sequence that has ended yields 0.
 *   exhaustive  depth first over every sequence, for small scopes (choice_next_sequence).
 *
 * Choices are ordered so that 0 is the simplest. What was chosen is recorded on request; the
 * recorded sequence is the program's shortest name, with a text form that reads back.
 *
 * No clock, pid, address or hash order may reach a choice. */
#ifndef ASSAY_BASE_CHOICE_H
#define ASSAY_BASE_CHOICE_H

#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

struct strbuf;

enum choice_kind { CHOICE_RANDOM, CHOICE_REPLAY, CHOICE_EXHAUSTIVE };

struct choice_step {
    uint64_t value; /* what was chosen */
    uint64_t limit; /* it was chosen below this; 0 stands for 2^64 */
};

typedef VEC(struct choice_step) choice_steps;
typedef VEC(uint64_t) choice_values;

struct choice {
    enum choice_kind kind;
    uint64_t seed;       /* random: what the stream was made from */
    uint64_t state[4];   /* random */
    choice_values given; /* replay: the sequence, owned */
    size_t next;         /* replay, exhaustive: index of the next step */
    choice_steps path;   /* recorded steps; exhaustive: the current path */
    bool record;         /* random, replay: append to path */
};

void choice_init_random(struct choice *c, uint64_t seed);
void choice_init_replay(struct choice *c, const uint64_t *values, size_t n);
void choice_init_exhaustive(struct choice *c);
void choice_release(struct choice *c);

/* Exhaustive: go to the next sequence. False when all have been seen. */
bool choice_next_sequence(struct choice *c);

/* A number below n (n >= 1). */
uint64_t choose(struct choice *c, uint64_t n);
/* An index below n, with probability proportional to weights[i]. At least one weight is not 0, and
 * one that is 0 is never chosen. */
size_t choose_weighted(struct choice *c, const unsigned *weights, size_t n);
/* True with probability p, 0 <= p <= 1. */
bool choose_flip(struct choice *c, double p);
/* n random bits, 0 <= n <= 64. */
uint64_t choose_bits(struct choice *c, unsigned n);

/* Of "5,0,12"; false on anything else, with nothing in `out`. */
bool choice_parse(const char *text, choice_values *out);

#endif
