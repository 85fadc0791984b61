/* Small things about text: words of a command template, "did you mean", durations, sizes. */
#ifndef ASSAY_BASE_TEXT_H
#define ASSAY_BASE_TEXT_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

struct strbuf;

/* Split at white space; 'single' and "double" quotes keep words together, a backslash takes the
 * next character as it is. Words live in the arena; the array ends with NULL. Returns the number
 * of words, or -1 when a quote is not closed. */
int text_split(struct arena *a, const char *s, char ***words);

/* `word` with the first `hole`, such as "{cc}", replaced; `word` itself where there is none. */
const char *text_fill(struct arena *a, const char *word, const char *hole, const char *value);

/* The inverse of splitting, for showing: a word is quoted for sh where it must be. */
void text_quote(struct strbuf *out, const char *word);

/* The name nearest to `wrong` by edit distance, or NULL when none is near enough to be meant. */
const char *text_nearest(const char *wrong, const char *const *names, size_t n);

/* "20s", "5m", "1h30m", "250ms", "90" (seconds) -> milliseconds; false on anything else. */
bool text_parse_duration(const char *s, int64_t *milliseconds);
/* "512K", "64M", "2G", "4096" -> bytes. */
bool text_parse_size(const char *s, int64_t *bytes);
bool text_parse_int(const char *s, int64_t low, int64_t high, int64_t *value);
bool text_parse_u64(const char *s, uint64_t *value);

/* 3725000 -> "1h 02m 05s"; `out` holds at least 32 bytes. Returns `out`. */
const char *text_duration(int64_t milliseconds, char *out);

/* Regular expressions take a time that grows with the square of a line: no pattern sees more of one
 * than this, in bytes. */
enum { TEXT_LINE_MOST = 1000 };
/* The text with longer lines cut there; the text itself where there are none. */
const char *text_cut_lines(struct arena *a, const char *s);

/* Copy into a fixed array, cut where it must be. */
void text_copy(char *out, size_t out_size, const char *s);

#endif
