#include "base/error.h"

#include <stdarg.h>

static int fill(struct error *e, enum error_kind kind, const char *file, int line,
                const char *format, va_list args)
{
    if (!e)
        return -1;
    e->kind = kind;
    e->line = line;
    snprintf(e->file, sizeof e->file, "%s", file ? file : "");
    vsnprintf(e->message, sizeof e->message, format, args);
    return -1;
}

int error_set(struct error *e, enum error_kind kind, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fill(e, kind, NULL, 0, format, args);
    va_end(args);
    return -1;
}

int error_at(struct error *e, enum error_kind kind, const char *file, int line, const char *format,
             ...)
{
    va_list args;
    va_start(args, format);
    fill(e, kind, file, line, format, args);
    va_end(args);
    return -1;
}

void error_place(struct error *e, const char *file, int line)
{
    if (!e || e->file[0])
        return;
    snprintf(e->file, sizeof e->file, "%s", file);
    e->line = line;
}

const char *error_text(const struct error *e, char *out, unsigned long out_size)
{
    if (e->file[0] && e->line > 0)
        snprintf(out, out_size, "%s:%d: %s", e->file, e->line, e->message);
    else if (e->file[0])
        snprintf(out, out_size, "%s: %s", e->file, e->message);
    else
        snprintf(out, out_size, "%s", e->message);
    return out;
}

void assay_bug(const char *file, int line, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fprintf(stderr, "assay: bug at %s:%d: ", file, line);
    vfprintf(stderr, format, args);
    fputs("\nassay: please report this line together with the command that led to it\n", stderr);
    va_end(args);
    abort();
}
