/* What the writers of reports share.
 *
 * Programs, outputs and messages of compilers hold any byte, and no text reaches a file but through
 * text_visible (base/text.h), or what calls it: report_markup for HTML and XML, the functions of
 * markdown.c; and json_new (base/json.h). The programs themselves, and what a script compares
 * with, are bytes as they are. */
#ifndef ASSAY_REPORT_INTERNAL_H
#define ASSAY_REPORT_INTERNAL_H

#include "report/report.h"

/* For HTML and XML 1.0. A NUL ends nothing. */
void report_markup(struct strbuf *out, const char *s, size_t n);

/* "12,345" */
enum { REPORT_NUMBER_SIZE = 32 };
const char *report_number(int64_t n, char out[REPORT_NUMBER_SIZE]);
/* "2026-11-15 04:12" */
enum { REPORT_TIME_SIZE = 32 };
const char *report_time(int64_t at, char out[REPORT_TIME_SIZE]);

/* "gcc 12.2.0 -O2: internal compiler error: in f, at f.cc:1": compiler, version, flags, and what
 * happens, in the compiler's own words where it has any. One line without paths. */
const char *report_title(const struct report_bug *b, struct arena *a);
/* What is wrong, for a sentence: expected and seen. Where an output says it, the output; where the
 * compiler's message does, that. */
const char *report_seen(const struct report_bug *b, struct arena *a);
const char *report_expected(const struct report_bug *b, struct arena *a);
/* What one types to see it: commands for a shell in the folder of the program. */
const char *report_typed(const struct report_bug *b, struct arena *a);
/* "not reduced: ...", "half reduced: ..."; "" where the program is reduced. */
const char *report_unreduced(const struct report_bug *b, struct arena *a);
/* The text, or words that say that there is none. */
const char *report_shown(const char *text);
/* What the reduced cases of the bug have in common, as `assay bugs` says; "" where nothing is. */
const char *report_reason(const struct report_bug *b);
/* Behind the word "seen", where the reduced program was not tried; else "". */
const char *report_seen_of(const struct report_bug *b);
/* Does the anomaly show while the program is built (and not when it is run)? */
bool report_of_build(enum anomaly kind);
/* The limit that a script or a suite sets for a build that takes too much: half of what was seen.
 * 0: none. */
int64_t report_cpu_limit_s(const struct report_bug *b);
int64_t report_memory_limit_kb(const struct report_bug *b);

/* The program's text as HTML with its tokens in <span>s, each line in one of its own; at most
 * `max_lines` of it. Returns how many lines were left out. */
int report_highlight(struct strbuf *out, const char *language, const char *text, size_t n,
                     int max_lines);

/* Plots as SVG, PLOT_WIDTH wide in CSS pixels: small enough for a telephone as they are, and three
 * of them stand side by side on a screen. Colours come from classes of the page. */
enum { PLOT_WIDTH = 350 };
enum plot_series { PLOT_TESTS, PLOT_FINDINGS, PLOT_SIGNATURES };
void plot_history(const struct report_data *d, enum plot_series series, struct strbuf *out);
void plot_cpu(const struct report_data *d, struct strbuf *out);
void plot_sizes(const struct report_data *d, struct strbuf *out);  /* programs by size */
void plot_shares(const struct report_data *d, struct strbuf *out); /* with findings, by size */
/* A measure of all sides of an experiment over CPU time: medians, each in the band of its interval
 * (report/compare.h). */
struct compare_data;
void plot_sides(const struct compare_data *d, int measure, struct strbuf *out);
/* The outcomes of one testbed as a bar that is as wide as its place. */
void plot_outcomes(const struct store_testbed *t, struct strbuf *out);
/* The class of an outcome's colour. */
const char *plot_outcome_class(enum outcome o);

#endif
