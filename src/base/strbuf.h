/* A string under construction, with a cap.
 *
 * Always NUL-terminated. What does not fit under the cap is dropped and `truncated` is set: output
 * of a foreign program can fill no more memory than we said it may. A cap of 0 means 256 MiB, which
 * is more than any text of ours. */
#ifndef ASSAY_BASE_STRBUF_H
#define ASSAY_BASE_STRBUF_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct arena;

struct strbuf {
    char *s;        /* NUL-terminated; never NULL after init */
    size_t n;       /* length without the NUL */
    size_t size;    /* bytes allocated, 0 while `s` is the shared empty string */
    size_t cap;     /* largest n */
    bool truncated; /* something was dropped */
};

void strbuf_init(struct strbuf *b, size_t cap);
void strbuf_release(struct strbuf *b);
void strbuf_clear(struct strbuf *b); /* keeps the memory and the cap */
/* The text in an arena, and the buffer released. */
char *strbuf_keep(struct strbuf *b, struct arena *a);

void strbuf_add(struct strbuf *b, const void *data, size_t n);
void strbuf_adds(struct strbuf *b, const char *s);
void strbuf_addc(struct strbuf *b, char c);
void strbuf_addf(struct strbuf *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
void strbuf_vaddf(struct strbuf *b, const char *format, va_list args);

#endif
