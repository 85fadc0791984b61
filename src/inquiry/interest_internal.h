/* Between the two sides of a test: interest.c asks, interest_test.c runs in a process of its own.
 */
#ifndef ASSAY_INQUIRY_INTEREST_INTERNAL_H
#define ASSAY_INQUIRY_INTEREST_INTERNAL_H

#include "inquiry/interest.h"

enum { INTEREST_TRIES = 3 }; /* times that slippage is run before it is believed */

struct interest_told {
    enum { TOLD_SEEN, TOLD_ASKED, TOLD_STOPPED, TOLD_ERROR } kind;
    struct interest_seen seen;
    bool slipped; /* another anomaly, which showed each time it was tried */
    struct error error;
    const char *output;           /* TOLD_ASKED */
    const char *listing, *second; /* of the code, by the accused and by another compiler */
};

/* Begin a test in a slot; wait until one has ended, and what it told: it lives until the next one.
 */
int interest_start(struct interest *t, int slot, const struct interest_job *job, struct error *e);
int interest_hear(struct interest *t, int *slot, struct interest_told *told, struct error *e);

/* The job of a slot; `of` is the interest. */
void interest_test(void *of, int slot, const volatile int *stop, struct strbuf *out);
/* What it told, in the arena. False: nothing that could be read. */
bool interest_read(const struct strbuf *text, struct arena *a, struct interest_told *out);

#endif
