#include "base/strbuf.h"
#include "base/arena.h"

enum { DEFAULT_CAP = 256 << 20 };

static char empty[1]; /* never written: `size` is 0 while a buffer points here */

void strbuf_init(struct strbuf *b, size_t cap)
{
    *b = (struct strbuf){.s = empty, .cap = cap ? cap : DEFAULT_CAP};
}

void strbuf_release(struct strbuf *b)
{
    if (b->size)
        free(b->s);
    strbuf_init(b, b->cap);
}

char *strbuf_keep(struct strbuf *b, struct arena *a)
{
    char *text = arena_memdup(a, b->s, b->n);
    strbuf_release(b);
    return text;
}

void strbuf_clear(struct strbuf *b)
{
    b->n = 0;
    b->truncated = false;
    if (b->size)
        b->s[0] = '\0';
}

static void reserve(struct strbuf *b, size_t n)
{
    if (n < b->size)
        return;
    size_t size = b->size ? b->size : 64;
    while (size <= n)
        size *= 2;
    b->s = mem_resize(b->size ? b->s : NULL, size);
    b->size = size;
    b->s[b->n] = '\0';
}

void strbuf_add(struct strbuf *b, const void *data, size_t n)
{
    size_t room = b->cap - b->n;
    if (n > room) {
        n = room;
        b->truncated = true;
    }
    if (!n)
        return;
    reserve(b, b->n + n);
    memcpy(b->s + b->n, data, n);
    b->n += n;
    b->s[b->n] = '\0';
}

void strbuf_adds(struct strbuf *b, const char *s)
{
    strbuf_add(b, s, strlen(s));
}

void strbuf_addc(struct strbuf *b, char c)
{
    strbuf_add(b, &c, 1);
}

void strbuf_vaddf(struct strbuf *b, const char *format, va_list args)
{
    char small[256];
    va_list again;
    va_copy(again, args);
    int n = vsnprintf(small, sizeof small, format, args);
    if (n >= 0 && (size_t)n < sizeof small) {
        strbuf_add(b, small, (size_t)n);
    } else if (n >= 0) {
        char *large = mem_alloc((size_t)n + 1);
        vsnprintf(large, (size_t)n + 1, format, again);
        strbuf_add(b, large, (size_t)n);
        free(large);
    }
    va_end(again);
}

void strbuf_addf(struct strbuf *b, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    strbuf_vaddf(b, format, args);
    va_end(args);
}
