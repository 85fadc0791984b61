/* Findings as triage wants to see them: with their reduced programs, what was blamed, and whether
 * they are known.
 *
 * triage knows no store, and the store no triage; this is where the one is read for the other. Both
 * `assay bugs` and the reports load their clusters through it, so that they show the same ones.
 *
 * A bug may show ten thousand times. That is no reason to leave findings out: those that are not
 * reduced have no text and cost nothing to compare, and triage itself compares no more texts with
 * each other than it can afford. */
#ifndef ASSAY_REPORT_CASES_H
#define ASSAY_REPORT_CASES_H

#include "store/store.h"
#include "triage/cluster.h"

/* The findings that pass the filter, oldest first, and beside each its case: (*cases)[i] is that of
 * (*findings)[i]. A flaky one is left out where another with its signature is not flaky. */
int report_cases(struct store *s, const struct store_filter *f, struct arena *a,
                 struct finding **findings, struct triage_case **cases, int *n, struct error *e);

#endif
