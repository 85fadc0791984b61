/* A call of a function of the C library, and what its handlers share. */
#ifndef ASSAY_INTERP_LIBRARY_INTERNAL_H
#define ASSAY_INTERP_LIBRARY_INTERNAL_H

#include "interp/interp_internal.h"

enum {
    MAX_OUTPUT = 64 * 1024, /* bytes: of all that a program prints, and of one call */
    MAX_PARAMETERS = 4,     /* of a function here, without those of ... */
};

struct call {
    struct interp *in;
    const struct cc_expr *e;
    const struct cc_func *f;
    const struct argument *args; /* all of them */
    uint32_t n;
    union value a[MAX_PARAMETERS]; /* the values of the parameters, normalised for their types */
};

#define FAIL(c, rule, ...) interp_fail((c)->in, CC_UB_##rule, (c)->e, __VA_ARGS__)

/* A string of the program (7.1.1p1), or the first bytes of one. */
struct text {
    const char *s; /* the host's copy, with a NUL */
    uint64_t n;    /* bytes before it */
    uint64_t read; /* bytes that were read: the NUL is one of them where it was in the limit */
};

enum { NO_LIMIT = -1 };

struct type_text {
    char s[48];
};

/* A result of the function's type. */
union value library_integer(const struct call *c, int64_t v);

/* A value that the standard leaves open but for its sign or for being 0: another one in a run that
 * decides otherwise. */
int library_open(struct call *c, int v);

/* What it points to; NULL: it is no pointer. */
const struct cc_type *library_pointee(const struct cc_type *type);
struct type_text library_type_text(const struct cc_type *type);

/* Memory of the host, on the stack, which whoever evaluates the call releases. */
void *library_space(struct call *c, uint64_t bytes);
/* So many bytes of the program's memory are there. */
void library_need(struct call *c, struct pointer p, uint64_t bytes);
/* Two ranges do not overlap: 7.24.2.1p2 and others. */
void library_need_apart(struct call *c, struct pointer a, uint64_t n, struct pointer b, uint64_t m);
struct text library_read_text(struct call *c, struct pointer p, int64_t limit);

/* Store a value of the type where `p`, the argument of that number, points. */
void library_store(struct call *c, uint32_t argument, struct pointer p, const struct cc_type *type,
                   union value v);

bool library_is_stdout(struct call *c, struct pointer stream);
void library_print(struct call *c, const char *text, size_t n);
/* To a stream: to stdout, nowhere (stderr), or into a file. */
void library_write(struct call *c, struct pointer to, const char *text, size_t n);
/* Formatted input from a text of the host; *used: so many bytes of it. */
union value library_scan_text(struct call *c, struct text text, uint64_t *used);

/* Print, or store at most `size` bytes of, what the format that is argument `at` says. */
union value library_print_format(struct call *c, uint32_t at, bool list);
union value library_store_format(struct call *c, uint64_t size, uint32_t at, bool list);

/* Handlers of the table that are in files of their own. */
typedef union value library_handler(struct call *c);
library_handler library_math, library_fmod, library_copysign, library_extreme, library_classify,
    library_infinity, library_nan, library_order, library_approximate, library_pow, library_angle,
    library_scale, library_two_floats, library_fma, library_to_long, library_frexp, library_modf;
library_handler library_ato, library_strtol, library_strtod, library_sscanf, library_vsscanf;

library_handler library_fgetc, library_ungetc, library_fgets, library_fread, library_fwrite,
    library_fseek, library_ftell, library_feof, library_tmpfile, library_tmpnam, library_fopen,
    library_puts, library_fputs, library_putchar, library_fputc, library_fflush, library_fclose,
    library_remove, library_fscanf, library_setvbuf;

#endif
