/* A language that programs are learned of, as data: languages/NAME.ini.
 *
 * It says how a corpus is read and checked, what a sample begins with and where it ends, and what
 * becomes of it. Everything that knows OpenCL or C in code stands behind `reader`, `names` and
 * `wrap`; a language without them needs nothing but such a file. */
#ifndef ASSAY_GEN_LM_LANGUAGE_H
#define ASSAY_GEN_LM_LANGUAGE_H

#include "base/arena.h"
#include "base/error.h"
#include "program/language.h"

#include <stdbool.h>
#include <stdint.h>

enum lm_reader {
    LM_READ_TEXT,  /* files as they are, without comments and blank lines */
    LM_READ_CLANG, /* preprocessed, closures of functions, renamed: through libclang */
};

enum lm_names {
    LM_NAMES_ANY,
    LM_NAMES_C, /* canonical names (gen/lm/names.h), scopes and declarators as in C: masks */
};

enum lm_wrap {
    LM_WRAP_NONE, /* a sample is a program */
    LM_WRAP_C,    /* functions: a main that calls them is added */
};

struct lm_language {
    const char *name;    /* "opencl" */
    const char *help;    /* one line */
    const char *suffix;  /* ".cl" */
    const char *file;    /* the .ini */
    struct language own; /* what is known of it: its row, and what the file says */
    enum lm_reader reader;
    enum lm_names names;
    enum lm_wrap wrap;
    const char *arguments;    /* of clang, for the reader */
    const char *unit;         /* reader clang: which functions begin a program: "kernel", "all" */
    const char *check;        /* command that accepts a right program: {src}; NULL: none. In its
                                 messages FILE:LINE:COLUMN or FILE:LINE says where it is wrong */
    const char *position;     /* regular expression with a group for the line, and one for the
                                 column or none; NULL: that of compilers */
    const char *const *seeds; /* what samples begin with; one is drawn */
    int n_seeds;
    const char *const *atoms; /* words that are always one token */
    int n_atoms;
    const char *begin, *end;  /* reader text: regular expressions of the first and the last line of
                                 a program; NULL: a file is one */
    const char *open, *close; /* brackets that are counted: a sample ends when the last closes */
    const char *after;        /* put behind each sample: what calls the function that it is; NULL */
    double temperature;
    int most_tokens; /* of a sample */
    int least_lines; /* of a program of the corpus */
};

/* By name, in the folders (later ones first), or by path. */
int lm_language_load(const char *name, const char *const *dirs, int n_dirs, struct arena *a,
                     struct lm_language *out, struct error *e);
/* All that there are, sorted by name. */
int lm_language_list(const char *const *dirs, int n_dirs, struct arena *a, const char ***names,
                     int *n, struct error *e);

#endif
