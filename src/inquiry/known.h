/* Known bugs do not block.
 *
 * What is marked known (store/store.h) is counted and not reported. That needs three things of a
 * campaign:
 *
 *     known_recognise    a wrong output says nothing of its bug, but its reduced program does: one
 *                        that is like that of a known bug (triage/cluster.h) shares its mark
 *     known_recheck      with another version of its compiler a known bug's case is run again; one
 *                        that does not show any more is closed
 *     known_avoid        settings of the generator that make what known bugs need rarer, so that
 *                        they do not stand in front of others */
#ifndef ASSAY_INQUIRY_KNOWN_H
#define ASSAY_INQUIRY_KNOWN_H

#include "program/testbed.h"
#include "inquiry/inquiry.h"
#include "store/store.h"

/* What came of a known bug. */
struct known_checked {
    int64_t finding;
    const char *signature, *testbed;
    const char *toolchain, *version; /* with which it was run now: "gcc", "12.3.0" */
    const char *before;              /* the version with which it was seen last */
    enum mark mark;                  /* MARK_FIXED, or as it was */
};

/* Run the case of each bug that is marked known or wontfix and was last seen with another version
 * than the testbed of its name has that is `here`, or, with `all`, with any. `tell` is called for
 * each. A bug of a baseline is run with `all` alone. It is fixed when three tries are right; when
 * one cannot be judged, or shows another anomaly, it stays as it is. 0 also when it was stopped. */
int known_recheck(struct store *s, const struct testbed *here, int n, bool all,
                  const volatile int *stop, void (*tell)(void *to, const struct known_checked *c),
                  void *to, struct error *e);
/* How many bugs are marked known or wontfix. */
int known_count(struct store *s, int *out, struct error *e);
/* One line about it. */
void known_print(const struct known_checked *c);

/* Where the testbeds of the marked cases are to be looked for; each place once. */
int known_places(struct store *s, struct arena *a, struct inquiry_place **out, int *n,
                 struct error *e);

/* Mark reduced findings that are like one that is marked known. */
int known_recognise(struct store *s, struct error *e);

/* The settings for a generator of this name, "bitfields=0", and what they avoid for people:
 * "bit-fields, goto"; "" where there is nothing to avoid, or nothing that can be. */
int known_avoid(struct store *s, const char *generator, struct arena *a,
                const char *const **settings, int *n, const char **what, struct error *e);

#endif
