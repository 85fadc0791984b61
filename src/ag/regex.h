/* The regular expressions of literal classes: parsed once, then strings are drawn from them.
 *
 * alternation  a|b      group  (ab)      class  [a-z_]  [^"\\]      any of printable ASCII: none
 * repetition   {n} {m,n} {m,}  * + ?  after a character, a class or a group
 * escapes      \n \t \\ and \c for any other character itself; `.` is a literal full stop.
 * An operator where nothing can be repeated (`+|-|*|/`) is the character itself, as published
 * specifications write it. {m,} * and + repeat at most 8 times more than they must. */
#ifndef ASSAY_AG_REGEX_H
#define ASSAY_AG_REGEX_H

#include "base/arena.h"
#include "base/choice.h"
#include "base/strbuf.h"

struct ag_regex;

/* NULL when it is no regular expression; then *where is the offset of the mistake and *why says it.
 */
struct ag_regex *ag_regex_parse(struct arena *a, const char *text, int *where, const char **why);
/* Draws one string. Choice 0 everywhere yields the shortest, simplest one. It has at most
 * 4096 bytes: what could be longer is refused by the parser. */
void ag_regex_draw(const struct ag_regex *r, struct choice *c, struct strbuf *out);

#endif
