/* Small things about text: words of a command template, "did you mean", durations, sizes. */
#ifndef ASSAY_BASE_TEXT_H
#define ASSAY_BASE_TEXT_H

#include "base/arena.h"
#include "base/strbuf.h"
#include "base/vec.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Bytes of any kind. A NUL, which they do not count, stands behind them. */
struct bytes {
    const char *data;
    size_t size;
};
static inline struct bytes bytes_of(const char *s)
{
    return (struct bytes){s, strlen(s)};
}
static inline struct bytes bytes_in(const struct strbuf *b)
{
    return (struct bytes){b->s, b->n};
}
/* A copy that lives in the arena; of none, none. */
static inline struct bytes bytes_copy(struct arena *a, struct bytes b)
{
    return b.data ? (struct bytes){arena_memdup(a, b.data, b.size), b.size} : b;
}
static inline bool bytes_equal(struct bytes a, struct bytes b)
{
    return a.size == b.size && (!a.size || !memcmp(a.data, b.data, a.size)); /* NULL is no bytes */
}

/* Both the same, or both NULL. */
static inline bool text_same(const char *a, const char *b)
{
    return a == b || (a && b && !strcmp(a, b));
}

/* -- text that came from anywhere -------------------------------------------------------------- */

/* The character at `s`, of n bytes (n > 0), and its length. -1 and length 1 for what is no UTF-8:
 * no overlong forms, no surrogates, nothing above U+10FFFF. */
int32_t text_character(const char *s, size_t n, size_t *length);
/* Is all of it UTF-8? */
bool text_is_utf8(struct bytes s);
/* Does it do anything else than be seen? C0 and C1 controls, DEL, what turns the direction of
 * writing, and what Unicode says is no character. */
bool text_is_control(int32_t character);
/* The text for a terminal or a file that people read: control characters but newline and tab, and
 * bytes that are no UTF-8, as \xNN; what turns the direction of writing as \u{202E}. */
void text_visible(struct strbuf *out, struct bytes s);
/* printf, of which nothing but visible text and newlines reaches the stream: all that commands
 * print for people goes through it, and what others wrote cannot move a cursor. */
void text_print(FILE *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_vprint(FILE *to, const char *format, va_list args);
/* The same as a string in the arena. */
const char *text_shown(struct arena *a, struct bytes s);

/* Split at white space; 'single' and "double" quotes keep words together, a backslash takes the
 * next character as it is. Words live in the arena; the array ends with NULL. Returns the number
 * of words, or -1 when a quote is not closed. */
int text_split(struct arena *a, const char *s, char ***words);

/* The text in the arena, with holes filled: pairs of a hole, such as "{cc}", and its value, and
 * NULL behind them. A value stands there as it is: what looks like a hole in it is none. */
char *text_fill(struct arena *a, const char *text, ...) __attribute__((sentinel));

/* n texts as one, with `between` between two. */
char *text_join(struct arena *a, const char *const *at, size_t n, const char *between);

/* The inverse of splitting, for showing: a word is quoted for sh where it must be. */
void text_quote(struct strbuf *out, const char *word);
/* For sh alone, in scripts and commands that people look at: what text_visible does not leave as it
 * is stands there as "$(printf '\033')". */
void text_quote_shown(struct strbuf *out, const char *word);

/* The name nearest to `wrong` by edit distance, or NULL when none is near enough to be meant. */
const char *text_nearest(const char *wrong, const char *const *names, size_t n);

/* "20s", "5m", "1h30m", "250ms", "90" (seconds) -> milliseconds; false on anything else. */
bool text_parse_duration(const char *s, int64_t *milliseconds);
/* "512K", "64M", "2G", "4096" -> bytes. */
bool text_parse_size(const char *s, int64_t *bytes);
bool text_parse_int(const char *s, int64_t low, int64_t high, int64_t *value);
bool text_parse_u64(const char *s, uint64_t *value);
/* In decimal digits, with a point or an exponent. */
bool text_parse_number(const char *s, double low, double high, double *value);
/* "0.2" or "20%" -> 0.2; from 0 to 1. */
bool text_parse_share(const char *s, double *value);

/* 3725000 -> "1h 02m 05s"; `out` holds at least 32 bytes. Returns `out`. */
const char *text_duration(int64_t milliseconds, char *out);

/* Regular expressions take a time that grows with the square of a line: no pattern sees more of one
 * than this, in bytes. */
enum { TEXT_LINE_MOST = 1000 };
/* Lines of a text of n bytes; a last one without a newline counts. */
int text_lines(const char *s, size_t n);
/* The text with longer lines cut there; the text itself where there are none. Of the blanks that
 * such a line begins with one is kept: a message may stand behind as many as the line above it is
 * long. */
const char *text_cut_lines(struct arena *a, const char *s);

/* Does it end with this, and is more than this? */
bool text_ends(const char *s, const char *end);
void text_sort(string_list *list);
/* To the end of the list, unless it is there. */
void text_add_once(string_list *list, const char *s);

/* Copy into a fixed array, cut where it must be. */
void text_copy(char *out, size_t out_size, const char *s);

#endif
