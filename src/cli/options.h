/* Options of a command as a table: parsing, --help and the shell completion all come from it.
 *
 *     --name VALUE, --name=VALUE, -n VALUE, -nVALUE; flags take no value; `--` ends the options.
 *
 * An option that does not exist gets the nearest one that does; one that is given twice, with
 * another value, is an error. A command that opens a generator
 * also takes the generator's settings, which are in no table here: they are collected as text. */
#ifndef ASSAY_CLI_OPTIONS_H
#define ASSAY_CLI_OPTIONS_H

#include "base/settings.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum option_kind {
    OPTION_FLAG,     /* bool */
    OPTION_TEXT,     /* const char * */
    OPTION_INT,      /* int64_t, 1 or more */
    OPTION_U64,      /* uint64_t; `given` tells whether it was */
    OPTION_DURATION, /* int64_t milliseconds */
    OPTION_SHARE,    /* double, 0 < x <= 1 */
    OPTION_NUMBER,   /* double, 0 or more */
};

struct option_spec {
    char short_name; /* 0: none */
    const char *name;
    enum option_kind kind;
    const char *value; /* "DIR": how the value is called in the help; NULL for a flag */
    const char *help;
    void *to;
    bool *given; /* set when the option stands there; may be NULL */
};

/* Rows: letter, name, how the value is called, help, where it goes, which must be of its type. */
#define OPTION_ROW(kind, type, letter, name, value, help, to)                                      \
    {                                                                                              \
        (letter), (name), (kind), (value), (help), 1 ? (to) : (type *)NULL, NULL                   \
    }
#define FLAG(letter, name, help, to) OPTION_ROW(OPTION_FLAG, bool, letter, name, NULL, help, to)
#define TEXT(letter, name, value, help, to)                                                        \
    OPTION_ROW(OPTION_TEXT, const char *, letter, name, value, help, to)
#define INT(letter, name, value, help, to)                                                         \
    OPTION_ROW(OPTION_INT, int64_t, letter, name, value, help, to)
#define U64(letter, name, value, help, to)                                                         \
    OPTION_ROW(OPTION_U64, uint64_t, letter, name, value, help, to)
#define DURATION(letter, name, value, help, to)                                                    \
    OPTION_ROW(OPTION_DURATION, int64_t, letter, name, value, help, to)
#define NUMBER(letter, name, value, help, to)                                                      \
    OPTION_ROW(OPTION_NUMBER, double, letter, name, value, help, to)
#define SHARE(letter, name, value, help, to)                                                       \
    OPTION_ROW(OPTION_SHARE, double, letter, name, value, help, to)

/* A table as two arguments. */
#define OPTIONS(table) (table), sizeof(table) / sizeof *(table)

struct command {
    const char *name;
    const char *summary; /* one line in the list of commands */
    const char *usage;   /* "assay run [options]" */
    const char *text;    /* a paragraph */
    const char *example; /* a line or more, each a command */
    int (*run)(int argc, char **argv);
};

struct option_settings {
    /* 1: the setting takes a value; 0: it may stand alone or have one after `=`; -1: unknown. */
    int (*takes_value)(const char *name);
    /* For "did you mean": every name of the generator that is meant. Returns its name; NULL: it is
     * not clear, or has none. `words` are those that are no options. */
    const char *(*names)(const struct option_settings *s, char *const *words, int n,
                         string_list *out);
    const char *const
        *generator; /* where the option --generator goes; NULL: it is one of the words */
    struct arena *arena;
    string_list given;   /* "name" or "name=value", in order; in the arena */
    const char *unknown; /* the first option that nobody knows */
};

/* Parses argv[1..]; what is no option is moved to the front, its number is returned. -1 with the
 * error set. *help is set when --help stands there. `settings` may be NULL. */
int options_parse(const struct option_spec *specs, size_t n, struct option_settings *settings,
                  int argc, char **argv, bool *help, struct error *e);
/* What the help calls docs/NAME or scripts/NAME is printed as where it is (fs_shipped). */
void options_print_help(const struct command *c, const struct option_spec *specs, size_t n);

#endif
