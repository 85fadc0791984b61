/* What went wrong, for a person.
 *
 * Library functions return 0 or -1 and fill a struct error; only `cli` and `campaign` print it.
 * The kind is also the exit status that the command ends with (docs: exit statuses). A broken
 * invariant of our own is not an error of this kind: it aborts, through `assay_bug`. */
#ifndef ASSAY_BASE_ERROR_H
#define ASSAY_BASE_ERROR_H

enum error_kind {
    ERROR_NONE = 0,
    ERROR_USAGE = 2,       /* the user's words or files are wrong */
    ERROR_ENVIRONMENT = 3, /* the machine lacks something: a compiler, space, a permission */
    ERROR_LIMIT = 4, /* a limit on time or memory: it may go well another time. Exit status 3 */
};

struct error {
    enum error_kind kind;
    char file[256];    /* the file to look at, "" where there is none */
    int line;          /* 1-based, 0 where there is none */
    char message[768]; /* one sentence, no newline: what is wrong, and what to do */
};

/* Fill `e` (which may be NULL) and return -1, so that a caller can `return error_set(...)`.
 * error_at adds the place. */
int error_set(struct error *e, enum error_kind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
int error_at(struct error *e, enum error_kind kind, const char *file, int line, const char *format,
             ...) __attribute__((format(printf, 5, 6)));

/* The place of an error that has none yet. `e` may be NULL. */
void error_place(struct error *e, const char *file, int line);

/* "file:line: message" into `out`; returns `out`. */
const char *error_text(const struct error *e, char *out, unsigned long out_size);

/* An invariant of ours does not hold: say which and abort. */
_Noreturn void assay_bug(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
#define BUG(...) assay_bug(__FILE__, __LINE__, __VA_ARGS__)
#define REQUIRE(condition)                                                                         \
    do {                                                                                           \
        if (!(condition))                                                                          \
            BUG("%s does not hold", #condition);                                                   \
    } while (0)

#endif
