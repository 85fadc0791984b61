/* C source text, looked at where a parser's tree keeps silent.
 *
 * Small scanners without any state: they know comments, literals, joined lines and brackets, and
 * nothing else of C. A place carries the limits of its text, which need not end with a NUL. */
#ifndef ASSAY_CC_IMPORT_SPELLED_H
#define ASSAY_CC_IMPORT_SPELLED_H

#include "base/strbuf.h"

#include <stdbool.h>
#include <stdint.h>

/* A place in a text. */
struct spelled {
    const char *at, *begin, *end;
};

/* Does the text here begin so? As a word: and go on with something else than a letter. */
bool spelled_starts(struct spelled s, const char *text);
bool spelled_starts_word(struct spelled s, const char *word);
/* The identifier here into `out`, cut to its size. */
void spelled_word(struct spelled s, char *out, size_t out_size);
/* Behind blanks, comments and joined lines; before them. */
struct spelled spelled_skip_blank(struct spelled s);
struct spelled spelled_back_blank(struct spelled s);

/* Which of the three parts of the `for` here are written: bits 0, 1, 2; -1: cannot be seen. */
int spelled_for_parts(struct spelled s);

/* The name of the attribute here joins `names` (separated by blanks, none twice), without the
 * underscores around it. */
void spelled_add_attribute(struct strbuf *names, struct spelled s);
/* The names of all the __attribute__ that begin before `stop`. */
void spelled_add_attributes(struct strbuf *names, struct spelled s, const char *stop);
/* The end of the attributes and the asm label that follow a declarator; `s` if there are none. */
struct spelled spelled_behind_attributes(struct spelled s);

/* The elements of a string literal (NUL-terminated, any prefix, one or more pairs of quotes), each
 * of `size` bytes, the lowest first. Escapes of any kind; a code point that is too large for
 * elements of two bytes becomes a pair. */
void spelled_add_string(struct strbuf *bytes, const char *literal, unsigned size);

#endif
