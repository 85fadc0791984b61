/* A sample that its language's checker refuses, mended where it is wrong.
 *
 * The checker says where its first error is. What stands before is fine: so the writer goes back to
 * the statement (or to the word itself; later to statements before it), refuses what was drawn
 * there last time, and samples on. The program whose first error is furthest down is the one to go
 * on from. What cannot be mended in so many attempts stays as it is: programs that are wrong in a
 * plausible way find bugs of front ends (DeepSmith 4.1). */
#ifndef ASSAY_GEN_LM_REPAIR_H
#define ASSAY_GEN_LM_REPAIR_H

#include "gen/lm/writer.h"

/* What says whether a program is right. */
struct lm_checker {
    const struct lm_language *language;
    const char *folder; /* a temporary one, for the file */
    const volatile int *stop;
    int64_t cpu_us; /* of all runs */
};

struct lm_check {
    bool good;
    bool placed;       /* there is a place */
    int line, column;  /* 1-based; column 0: only the line is known */
    char message[200]; /* the first error */
};

/* -1: there is no such command, or it cannot be run. */
int lm_check_text(struct lm_checker *c, const char *text, size_t n, struct lm_check *out,
                  struct error *e);
/* First line of what the command says of its version, without commas; "" if it has no check. */
const char *lm_check_version(const struct lm_language *l, struct arena *a);
/* Where the messages say that the first error is; for tests. */
void lm_check_read(const struct lm_language *l, const char *messages, struct lm_check *out);

struct lm_repair {
    int attempts; /* that were made */
    struct lm_check last;
};

/* Mend what the writer holds, in at most so many attempts. */
int lm_repair(struct lm_writer *w, struct lm_checker *checker, int most, struct choice *c,
              struct lm_repair *out, struct error *e);

#endif
