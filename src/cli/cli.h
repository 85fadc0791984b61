/* What the commands share: where the data files are, the testbeds of this machine, messages. */
#ifndef ASSAY_CLI_CLI_H
#define ASSAY_CLI_CLI_H

#include "campaign/campaign.h"
#include "cli/options.h"
#include "testbed/flags.h"
#include "testbed/runner.h"
#include "testbed/toolchain.h"

enum { EXIT_CLEAN = 0, EXIT_FINDINGS = 1, EXIT_USAGE = 2, EXIT_ENVIRONMENT = 3 };

/* check --ub. 0: nothing undefined; 1: something is, and was printed; -1: it cannot be judged. */
int check_ub(const char *path, const char *needs, bool json, struct error *e);

extern const struct command command_run, command_gen, command_check, command_testbeds, command_bugs,
    command_show, command_replay, command_lala, command_spe, command_lm, command_reduce,
    command_report;

/* The option by which the user gives their word for a folder (campaign/trust.h). */
#define CLI_TRUST(to)                                                                              \
    {                                                                                              \
        0, "trust", OPTION_FLAG, NULL, "run what a folder names that was not made here by you",    \
            (to), NULL                                                                             \
    }

/* Print "assay: message" on standard error; the exit status that goes with it. */
int cli_fail(const struct error *e);
/* Parse the options of a command. True: go on, with *rest words left at the front of argv. False:
 * the command is over with *status, because help was asked for or the usage is wrong. */
bool cli_parse(const struct command *c, const struct option_spec *specs, size_t n, int argc,
               char **argv, int *rest, int *status);
/* The same, for a command that opens a generator: settings of generators are collected. */
bool cli_parse_settings(const struct command *c, const struct option_spec *specs, size_t n,
                        struct option_settings *settings, int argc, char **argv, int *rest,
                        int *status);
#define CLI_DEFAULT_GENERATOR "smith"
/* `generator`: where its name will be, or NULL for the default; NULL: it is one of the words. */
void cli_settings_init(struct option_settings *s, struct arena *a, const char *const *generator);
void cli_settings_release(struct option_settings *s);

struct json;
/* null where nothing is to blame. */
struct json *cli_blame_json(const struct store_blame *b);

/* A usage error that the option table cannot see: the sentence, and the usage line. */
int cli_usage(const struct command *c, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The word is none of the names of what the command can do. */
int cli_unknown_action(const struct command *c, const char *word, const char *const *names,
                       size_t n);

/* Folders with toolchain files and generator presets: what is shipped (beside the program, in
 * ../share/assay or in the source tree), $ASSAY_DATA, the user's own (~/.config/assay), and those
 * given by options, later ones overriding. */
struct cli_data {
    struct arena arena;
    string_list testbed_dirs, generator_dirs;
};
void cli_data_init(struct cli_data *d, const char *extra_testbed_dir);
void cli_data_release(struct cli_data *d);
/* `settings` may be NULL. */
struct gen_context cli_gen_context(const struct cli_data *d,
                                   const struct option_settings *settings);

/* The testbeds for a language that the user selected: "gcc,clang:-O3"; NULL: all that are used by
 * default; "*": every one there is, not probed. Those with random flags have their space listed
 * (testbed/flags.h), except for "*". Each is probed; one that does not work is left out
 * with a warning, or is an error when it was asked for by name. References come first. */
enum cli_flags {
    CLI_FLAGS_DEFAULT, /* the flag sets of each toolchain */
    CLI_FLAGS_ALL,     /* and its extra ones */
    CLI_FLAGS_RANDOM,  /* its first one, and another that is drawn for each test */
};

struct cli_testbeds {
    struct arena arena;
    toolchain_list toolchains;
    compiler_list compilers;
    testbed_list list;
};
int cli_testbeds_find(struct cli_testbeds *t, const struct cli_data *d, const char *language,
                      const char *selection, enum cli_flags flags, bool quiet, struct error *e);
void cli_testbeds_release(struct cli_testbeds *t);

/* Open the campaign database of a folder for reading. */
int cli_open_store(const char *dir, struct store **out, struct error *e);

/* One finding by the id that the user typed ("17" or "#17"). */
int cli_find(struct store *s, const char *id_text, struct arena *a, struct finding *out,
             struct error *e);

/* From now on SIGINT, SIGTERM, SIGHUP and SIGALRM set the flag that this returns, which a command
 * may set itself; and a limit of file sizes is a full disk, not a death. */
volatile int *cli_heed_signals(void);

bool cli_colour(void); /* standard output is a terminal, and NO_COLOR is not set */
const char *cli_time(int64_t at, char *out); /* "2026-11-15 04:12", at least 32 bytes */

#endif
