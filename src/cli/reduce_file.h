/* assay reduce --test: any program, by any test in the convention of C-Vise and C-Reduce.
 *
 * The script is run in a fresh folder in which the candidate stands under the name of the original;
 * exit status 0 means interesting. A C file that can be imported is reduced on its tree, and where
 * interp can run it no candidate with undefined behaviour reaches the script; any other file is
 * reduced as text. */
#ifndef ASSAY_CLI_REDUCE_FILE_H
#define ASSAY_CLI_REDUCE_FILE_H

#include "inquiry/interest.h"

struct reduce_file {
    const char *file, *test;
    const char *output; /* NULL: FILE.reduced.EXT */
    int slots;
    enum interest_show show;
    bool json;
    const char *method; /* "c", "text"; NULL: by the file */
    const volatile int *stop;
};

/* The exit status, or -1. The process is split (base/split.h) and has no children. */
int reduce_file_run(const struct reduce_file *s, struct error *e);

#endif
