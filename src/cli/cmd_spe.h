/* What the actions of `assay spe` share. Included by src/cli/cmd_spe*.c alone. */
#ifndef ASSAY_CLI_CMD_SPE_H
#define ASSAY_CLI_CMD_SPE_H

#include "cli/cli.h"
#include "gen/spe/skeleton.h"

#include <stdio.h>

struct spe_command {
    /* which holes */
    struct skeleton_options skeleton;
    bool intra, hoist;
    /* which variants of them */
    const char *mode_text, *from_text, *shard_text;
    enum spe_mode mode;
    struct natural from;
    bool has_from, has_limit, has_radius;
    uint64_t limit, radius, shard, shards; /* shards 0: all */
    uint64_t number, seed;                 /* of sample */
    /* what becomes of them */
    int64_t threshold;
    const char *output;
    bool json;
};

/* The words after the action. 0 or an exit status. */
int spe_tables(struct spe_command *c, int n, char **words);
int spe_judge(struct spe_command *c, int n, char **words);
int spe_coverage(struct spe_command *c, int n, char **words);

/* Parse a file, with initialisers hoisted where that is asked for. */
int spe_load(const struct spe_command *c, const char *path, struct arena *a, struct parsed *out,
             struct error *e);
/* The .c files of the words: a folder stands for those in it, in order of their names. */
typedef VEC(const char *) spe_paths;
int spe_find_files(struct arena *a, int n, char **words, spe_paths *out, struct error *e);

/* What a file or a function amounts to in each mode. */
struct spe_counts {
    struct natural of[SPE_N_MODES];
};
void spe_counts_init(struct spe_counts *c);
void spe_counts_clear(struct spe_counts *c);
/* In mode paper it is Algorithm 1: each function for itself, and the product of all. */
int spe_count_modes(const struct parsed *p, const struct skeleton_options *o, struct arena *a,
                    struct spe_counts *out, struct error *e);
/* The product over the functions of the file, each with the tree that Algorithm 1 wants. */
int spe_count_functions(const struct parsed *p, const struct skeleton_options *o,
                        enum spe_mode mode, struct arena *a, struct natural *out, struct error *e);

/* All digits where there are few, else "3.14e+28". `out` holds at least 48 bytes. */
const char *spe_number(const struct natural *n, char *out);

/* As a text: it may have more digits than any reader's numbers. */
struct json;
struct json *spe_number_json(const struct natural *n);

/* "12/1592 files" on a terminal, now and then; a line of its own is cleared by n == 0. */
void spe_progress(size_t done, size_t n);

#endif
