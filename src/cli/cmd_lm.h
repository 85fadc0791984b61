/* What the actions of `assay lm` share. Included by cmd_lm*.c and commands.c alone. */
#ifndef ASSAY_CLI_CMD_LM_H
#define ASSAY_CLI_CMD_LM_H

#include "base/arena.h"
#include "base/error.h"
#include "cli/options.h"
#include "gen/lm/language.h"

/* argv[0] is the action's name, options and words follow. An exit status. */
int lm_corpus_command(int argc, char **argv);
int lm_train_command(int argc, char **argv);
int lm_sample_command(int argc, char **argv);

/* A language by name or path, from the languages/ folders beside those of the other data files. */
int lm_find_language(const char *name, struct arena *a, struct lm_language *out, struct error *e);

extern const struct command command_lm_corpus, command_lm_train, command_lm_sample;

#endif
