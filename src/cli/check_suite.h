/* assay check DIR: the cases of a regression suite (`assay report --suite`) tried again. */
#ifndef ASSAY_CLI_CHECK_SUITE_H
#define ASSAY_CLI_CHECK_SUITE_H

#include "cli/cli.h"

struct check_options {
    const char *testbeds, *testbed_dir, *needs;
    bool all_flags, no_sandbox, json, ub;
    double majority;
};

/* To be called ahead of everything: starts what the languages of the cases need. */
int check_suite_host(const char *dir, const struct cli_data *data, struct error *e);
/* Tries each case on the testbeds that were selected or, where none were, on the one that it
 * accuses. 0: none fails; 1: some do, and were printed; -1. */
int check_suite(const char *dir, const struct check_options *o, const struct cli_data *data,
                struct error *e);

#endif
