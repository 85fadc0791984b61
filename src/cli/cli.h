/* What the commands share: where the data files are, the testbeds of this machine, messages. */
#ifndef ASSAY_CLI_CLI_H
#define ASSAY_CLI_CLI_H

#include "campaign/campaign.h"
#include "cli/options.h"
#include "inquiry/inquiry.h"
#include "testbed/flags.h"
#include "testbed/runner.h"
#include "testbed/toolchain.h"

enum { EXIT_CLEAN = 0, EXIT_FINDINGS = 1, EXIT_USAGE = 2, EXIT_ENVIRONMENT = 3 };

struct check_ub_options {
    const char *needs; /* arguments that the file cannot be read without */
    int64_t steps;     /* at most so many nodes of the tree are evaluated */
    bool json;
    bool trace; /* also the way to where it ended */
};

/* check --ub. 0: nothing undefined; 1: something is, and was printed; -1: it cannot be judged. */
int check_ub(const char *path, const struct check_ub_options *o, struct error *e);

/* commands.c */
extern const struct command command_run, command_gen, command_check, command_testbeds, command_bugs,
    command_show, command_replay, command_lala, command_spe, command_lm, command_graft,
    command_reduce, command_report, command_compare, command_store;
enum { N_COMMANDS = 15 };
extern const struct command *const all_commands[N_COMMANDS];
/* cmd_*.c: each gives the exit status. */
typedef int command_main(int argc, char **argv);
command_main cmd_run, cmd_gen, cmd_check, cmd_testbeds, cmd_bugs, cmd_show, cmd_replay, cmd_lala,
    cmd_spe, cmd_lm, cmd_graft, cmd_reduce, cmd_report, cmd_compare, cmd_store;

/* Options that several commands have. */
#define CLI_DIR(to) TEXT('d', "dir", "DIR", "folder of the campaign (default: current folder)", to)
#define CLI_TESTBED_DIR(to)                                                                        \
    TEXT(0, "testbed-dir", "DIR", "a folder with your own toolchain files", to)
/* Which testbeds, for a `struct store_options *` and where --flags goes. */
#define CLI_TESTBEDS(o, to_flags)                                                                  \
    TEXT('t', "testbeds", "LIST", "such as gcc,clang:-O3,tcc (default: all that work)",            \
         &(o)->testbeds),                                                                          \
        CLI_TESTBED_DIR(&(o)->testbed_dir),                                                        \
        FLAG(0, "all-flags", "also use the extra flag sets of each toolchain", &(o)->all_flags),   \
        TEXT(0, "flags", "HOW",                                                                    \
             "default, or random: random flags for each test (default: default)", to_flags)
#define CLI_SANDBOX(o)                                                                             \
    FLAG(0, "sandbox", "build and run trusted programs in the sandbox too", &(o)->sandbox),        \
        FLAG(0, "no-sandbox", "build and run untrusted programs without the sandbox",              \
             &(o)->no_sandbox)
/* Which findings (cli_query). */
#define CLI_QUERY(o)                                                                               \
    TEXT('k', "kind", "KIND", "only this kind: build-crash, wrong-output, ...", &(o)->kind),       \
        TEXT(0, "state", "STATE", "only: new, confirmed or flaky", &(o)->state),                   \
        TEXT('t', "testbed", "NAME", "only this testbed or toolchain", &(o)->testbed)
/* The user gives their word for a folder (campaign/trust.h). */
#define CLI_TRUST(to) FLAG(0, "trust", "trust a campaign folder that somebody else made", to)

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

/* Which findings the user asks for. */
struct cli_query {
    const char *kind, *state, *testbed; /* as given; NULL: any */
};
int cli_query(const struct cli_query *q, struct store_query *out, struct error *e);

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
    string_list looked_in; /* where what is shipped may be; for who finds nothing */
};
void cli_data_init(struct cli_data *d, const char *extra_testbed_dir);
void cli_data_release(struct cli_data *d);
/* -1: there are no toolchain files at all; the error says where they were looked for. */
int cli_data_check(const struct cli_data *d, struct error *e);
/* `settings` may be NULL. */
struct gen_context cli_gen_context(const struct cli_data *d,
                                   const struct option_settings *settings);

/* The testbeds for a language that the user selected: "gcc,clang:-O3,/opt/gcc/bin/gcc:-O2 -fwrapv";
 * NULL: all that are used by default; "*": every one there is, and what else is named, if it is
 * there; not probed. Those with random flags have their space listed (testbed/flags.h), except for
 * "*". Each is probed; one that does not work is left out with a warning, or is an error when it
 * was asked for by name. References come first. */
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
/* A case of a file that others may have written. */
struct cli_foreign {
    const char *what, *path, *toolchain; /* what: "suite" */
    struct {
        const char *words;
        int line;
    } flags, needs; /* of the compiler, and of the program */
};
/* -1: it asks for words that nobody but the user may give (testbed/allow.h). */
int cli_refuse_flags(const toolchain_list *toolchains, const struct cli_foreign *f,
                     struct error *e);
/* For a campaign, which knows them by path and content: hash the files of each compiler. */
void cli_testbeds_contents(struct cli_testbeds *t);

/* Every testbed of this machine for such a place, not probed. Loaded again only when another
 * language or folder is asked for, and with `host` with their servers (testbed/server.h). {0} is
 * empty. */
struct cli_machine {
    struct arena arena;
    struct cli_data data;
    struct cli_testbeds testbeds;
    const char *language, *testbed_dir; /* language NULL: nothing is loaded */
    const char *named;                  /* by the campaign */
    struct error error;                 /* why there are none; kind ERROR_NONE: there are */
};
int cli_machine_for(struct cli_machine *m, const struct inquiry_place *place, bool host,
                    struct error *e);
void cli_machine_release(struct cli_machine *m);

/* What the lines of a template of a testbed, as a store has it, become for a program. */
void cli_commands(const struct store_testbed *t, const char *flags, const char *lines,
                  const struct program *p, struct strbuf *out);
/* The program's files, each with its name where there are several. */
void cli_print_program(const struct program *p);

/* Open the campaign database of a folder for reading. */
int cli_open_store(const char *dir, struct store **out, struct error *e);

/* One finding by the id that the user typed ("17" or "#17"). */
int cli_find(struct store *s, const char *id_text, struct arena *a, struct finding *out,
             struct error *e);

/* From now on SIGINT, SIGTERM, SIGHUP and SIGALRM set the flag that this returns, which a command
 * may set itself; and a limit of file sizes is a full disk, not a death. */
volatile int *cli_heed_signals(void);

/* A first seed of 31 bits, not 0: any generator's command line takes it, and 0 means "by the clock"
 * to some. */
uint64_t cli_draw_seed(void);

bool cli_colour(void); /* standard output is a terminal, and NO_COLOR is not set */
const char *cli_time(int64_t at, char *out); /* "2026-11-15 04:12", at least 32 bytes */

#endif
