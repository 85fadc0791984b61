/* What is known of languages: one row each, and every room asks here.
 *
 * A language that has no row gets the careful one: nothing is a comment, no word is reserved, no
 * program is at hand to try a testbed with. A user's own language (specs/NAME/language.ini,
 * languages/NAME.ini) is a row as well: it begins as a copy of what language_find says, and what
 * its file says goes over that. Whoever has only a program of it sees what that says by its first
 * comment, which assay wrote. */
#ifndef ASSAY_PROGRAM_LANGUAGE_H
#define ASSAY_PROGRAM_LANGUAGE_H

#include "base/arena.h"
#include "base/scan.h"
#include "program/program.h"

struct language {
    const char *name;     /* "c"; "": not known */
    const char *suffixes; /* of its files, " .c .i "; the first is the usual one */
    struct scan_syntax scan;
    /* Around the comment that a program begins with, in one line; NULL: none is written. */
    const char *note, *note_end;
    bool lists;               /* members of brackets have blanks between them, not commas */
    bool any_case;            /* of its words */
    const char *open, *close; /* words that are brackets, " do if "; NULL */
    const char *then;         /* words that end the head of such a bracket; NULL */
    const char *keywords;     /* " if else "; NULL: not known */
    const char *types;        /* likewise, names of types */
    /* A small program and what it prints, to try a testbed with; NULL: there is none. */
    const char *smoke, *smoke_output;
};

/* Never NULL. */
const struct language *language_find(const char *name);
/* By the suffix of a file's name; the one without a name where that says nothing. */
const struct language *language_of_file(const char *path);

/* By name; and where that has no row, with comments as they look in the first line of the text: "#
 * assay gen lala:mine -s 1 ...", "(* finding 3, reduced by assay from ... *)". */
void language_of_text(const char *name, const char *text, struct arena *a, struct language *out);
void language_of_program(const struct program *p, struct arena *a, struct language *out);

/* "-- %s" or "(* %s *)": how a language of the user's own writes a comment. `text` has its %s. */
void language_set_note(struct language *l, const char *text, struct arena *a);

bool language_is_keyword(const struct language *l, const char *word, size_t n);
bool language_is_type(const struct language *l, const char *word, size_t n); /* the name of one */

#endif
