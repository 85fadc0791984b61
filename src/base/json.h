/* JSON as everything here prints it.
 *
 * Texts come from anywhere and hold any bytes; JSON is UTF-8. In a text each byte that is no UTF-8
 * becomes U+FFFD, and as a member of an object it has a second one beside it, NAME_base64, with all
 * of its bytes as they are. Characters that a terminal would obey are written as \uXXXX.
 *
 * A value is made by a format: `{s:s,s:i}` takes name, text, name, number; also `[s,s]`, and values
 * alone.
 *
 *     s  const char *, null where it is NULL      i  int        b  bool      n  null
 *     y  struct bytes, null where it has no data  I  int64_t    f  double    o  struct json *
 *     Y  struct bytes, never a second member
 *     B  struct bytes in base64
 *
 * A value that is put into another is gone with it; json_write takes the last one. */
#ifndef ASSAY_BASE_JSON_H
#define ASSAY_BASE_JSON_H

#include "base/strbuf.h"

#include <stdint.h>

struct json;

struct json *json_new(const char *format, ...);
/* An object of numbers: names[i] is n[i], for i from `from` up to, and without, `to`. */
struct json *json_counts(const int64_t *n, const char *const *names, int from, int to);
struct json *json_texts(const char *const *at, size_t n);
/* One more element of a list: json_new("[]"). */
void json_append(struct json *list, const char *format, ...);
/* More members of an object; the format is that of an object. */
void json_extend(struct json *object, const char *format, ...);
void json_drop(struct json *value);

/* Written and dropped: on one line, or indented. `out` is marked truncated where it is too long. */
void json_write(struct json *value, bool one_line, struct strbuf *out);
/* The same on standard output. */
void json_print(struct json *value, bool one_line);

#endif
