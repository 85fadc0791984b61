/* assay reduce SCRIPT FILE...: any files, by any test in the convention of C-Vise and C-Reduce.
 *
 * The script is run in a fresh folder in which the candidates stand under the names of the
 * originals; exit status 0 means interesting. One C file that can be imported is reduced on its
 * tree, and where interp can run it no candidate with undefined behaviour reaches the script; any
 * other file, and several, are reduced as text. All files are there in every test: one that is not
 * needed at all is empty at the end. */
#ifndef ASSAY_CLI_REDUCE_FILE_H
#define ASSAY_CLI_REDUCE_FILE_H

#include "inquiry/interest.h"

struct reduce_file {
    const char *const *files; /* in the folder of a test they have their names alone */
    int n_files;
    const char *test;
    const char *output; /* of one file; NULL: FILE.reduced.EXT */
    bool in_place;      /* where there is no output: the files themselves become the smaller ones,
                           and what they were is kept as FILE.orig */
    int slots;
    enum interest_show show;
    bool json;
    const char *method; /* "c", "text"; NULL: by the file */
    const volatile int *stop;
};

/* The exit status, or -1. The process is split (base/split.h) and has no children. */
int reduce_file_run(const struct reduce_file *s, struct error *e);

#endif
