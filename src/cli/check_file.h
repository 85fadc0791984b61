/* assay check FILE: one program, once, on every testbed, and who did what. */
#ifndef ASSAY_CLI_CHECK_FILE_H
#define ASSAY_CLI_CHECK_FILE_H

#include "cli/check_suite.h"

/* Prints what each testbed did. 0: they agree, or what they do is right; 1: one is wrong, or they
 * differ; -1: that cannot be told. A file that nobody builds is ERROR_USAGE. */
int check_file(const char *path, const char *language, const struct check_options *o,
               const struct cli_data *data, struct error *e);

#endif
