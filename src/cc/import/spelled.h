/* C source text, looked at where a parser's tree keeps silent. A place is a scan of C
 * (base/scan.h).
 */
#ifndef ASSAY_CC_IMPORT_SPELLED_H
#define ASSAY_CC_IMPORT_SPELLED_H

#include "base/scan.h"
#include "base/strbuf.h"

#include <stdbool.h>
#include <stdint.h>

/* Does the text here begin with this word, and go on with something else than a letter? */
bool spelled_starts_word(struct scan s, const char *word);
/* The identifier here into `out`, cut to its size. */
void spelled_word(struct scan s, char *out, size_t out_size);
/* The byte before this place and the blanks in front of it; 0 at the beginning. */
char spelled_before(struct scan s);

/* Which of the three parts of the `for` here are written: bits 0, 1, 2; -1: cannot be seen. */
int spelled_for_parts(struct scan s);

/* The name of the attribute here joins `names` (separated by blanks, none twice), without the
 * underscores around it. */
void spelled_add_attribute(struct strbuf *names, struct scan s);
/* The names of all the __attribute__ that begin before the place `stop`. */
void spelled_add_attributes(struct strbuf *names, struct scan s, size_t stop);
/* The end of the attributes and the asm label that follow a declarator; `s` if there are none. */
struct scan spelled_behind_attributes(struct scan s);

/* The elements of a string literal (NUL-terminated, any prefix, one or more pairs of quotes), each
 * of `size` bytes, the lowest first. Escapes of any kind; a code point that is too large for
 * elements of two bytes becomes a pair. */
void spelled_add_string(struct strbuf *bytes, const char *literal, unsigned size);

#endif
