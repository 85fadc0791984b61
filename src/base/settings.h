/* Settings as a table: what can be set, in a file and on the command line, and where it goes.
 *
 * A row has a name, a kind, bounds or words, a default and help, and says where in a struct its
 * value is. All of the rest follows from the rows: `--name=value`, `--name`, `--no-name`, INI files
 * ([section] and key = value), the canonical text of what differs from the defaults, the lists
 * of
 * `--options`, and what is said of a wrong name or value. The list as text is a file that
 * `--config` reads.
 *
 * A row of the kind SETTING_SECTION opens a section of files. Rows ahead of the first one are for
 * the command line alone. A name with a dot, "policy.loops", is the key "loops" in its section. */
#ifndef ASSAY_BASE_SETTINGS_H
#define ASSAY_BASE_SETTINGS_H

#include "base/arena.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where a value goes, and what it may be. */
enum setting_kind {
    SETTING_SECTION,  /* nowhere: name of the section; help: a line above it in the list */
    SETTING_PHRASE,   /* nowhere: stands for "other=value", which is in `alone`; "" for what is
                         so anyway */
    SETTING_FOREIGN,  /* nowhere: an option of another program that there is none for; `help` says
                         what comes nearest. With `alone`: it takes no value */
    SETTING_TEXT,     /* const char *: anything; with `must`: with this in it */
    SETTING_COMMAND,  /* const char *: words, with no {hole} but those in `words` */
    SETTING_WORDS,    /* string_list: split, and added to it */
    SETTING_SWITCH,   /* bool: on or off */
    SETTING_YES,      /* bool: yes or no. Both take on, off, yes, no, 1 and 0 */
    SETTING_INT,      /* an integer of any type, from `least` to `most` */
    SETTING_SHARE,    /* double: on, off, or a probability */
    SETTING_NUMBER,   /* double from `least` to `most` */
    SETTING_WORD,     /* an enum: the index of one of `words`, which end with NULL */
    SETTING_DURATION, /* int64_t: milliseconds */
    SETTING_SIZE,     /* int64_t: bytes */
    SETTING_PATTERN,  /* struct pattern with `least` groups or more */
    SETTING_SUBSTITUTION, /* struct substitution */
    SETTING_OWN,          /* wherever `set` puts it */
};

struct setting {
    const char *name;
    enum setting_kind kind;
    bool required;        /* text, command: a file without it is wrong */
    bool quoted;          /* text of a file: may stand in quotes, with \n, \t, \" and \\ as in C */
    bool many;            /* text, command, pattern, substitution: a list, each value is added. The
                             first one in a file replaces what was there before the file */
    bool first;           /* of a file: taken ahead of all other keys, wherever it stands */
    size_t at, size;      /* SETTING_AT(struct, member) */
    const char *standard; /* the default, as text; "" of a number: it may be left open (NAN, or one
                             less than the least) */
    const char *alone;    /* the value that the name alone stands for; NULL: it needs one, but for a
                             switch and a share, which are on then. A row with it is off as no-NAME,
                             and takes on and off */
    int64_t least, most;
    const char *const *words;
    const char *what; /* what it may be, for people; NULL: told by the kind. Of a section: what its
                         help says of all its rows */
    const char *must; /* text: what stands in it */
    const char *also; /* another name, of another program; NULL or "": none */
    const char *help;
    /* A row that does it in its own way; without `text` it has no value that could be shown. `to`
     * is not changed on failure. */
    int (*set)(const struct setting *s, void *to, struct arena *a, const char *value,
               struct error *e);
    void (*text)(const void *of, const struct setting *s, struct strbuf *out);
};

#define SETTING_AT(type, member) .at = offsetof(type, member), .size = sizeof(((type *)0)->member)
/* What nearly every row has: SETTING_ROW(INT, "size", struct config, size, "0", "what it is") */
#define SETTING_ROW(of, called, type, member, value, says)                                         \
    .name = called, .kind = SETTING_##of, SETTING_AT(type, member), .standard = value, .help = says
#define SETTINGS_COUNT(rows) ((int)(sizeof(rows) / sizeof *(rows)))

struct settings {
    const char *whose; /* "smith": on the command line; NULL: only in files */
    const struct setting *rows;
    int n;
    void (*notes)(struct strbuf *out); /* comments at the end of the list; NULL: none */
};

/* Every row with a default gets it; nothing else is touched. */
void settings_default(const struct settings *t, void *to);
/* One by name: "goto", "no-goto" (value NULL or ""), "max-funcs" "5"; "config" reads the file that
 * is its value. Texts live in the arena, which may be NULL where there are none. */
int settings_set(const struct settings *t, void *to, struct arena *a, const char *name,
                 const char *value, struct error *e);
/* Each "name=value" of a text with commas between, in order; no file is read for it. */
int settings_parse(const struct settings *t, void *to, struct arena *a, const char *text,
                   struct error *e);
int settings_file(const struct settings *t, void *to, struct arena *a, const char *path,
                  struct error *e);
/* The same for a value that is there already: what a row's `set` leaves to its kind. */
int setting_take(const struct setting *s, void *to, struct arena *a, const char *value,
                 struct error *e);
/* Frees lists and regular expressions. */
void settings_release(const struct settings *t, void *of);

/* 1: the setting needs a value; 0: it may stand alone; -1: there is none of this name. */
int settings_takes_value(const struct settings *t, const char *name);
/* Every name that can be given, for "did you mean". */
void settings_names(const struct settings *t, struct arena *a, string_list *out);

/* Canonical text: what differs, in the order of the rows, "goto=0,max-funcs=5"; "" if nothing. */
void settings_text(const struct settings *t, const void *of, const void *standard,
                   struct strbuf *out);
/* All of them with their values, as text or JSON. */
void settings_list(const struct settings *t, const void *of, const void *standard, bool json,
                   struct strbuf *out);

#endif
