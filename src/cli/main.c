/* assay: one table of commands, one file per command. */
#include "base/fs.h"
#include "base/text.h"
#include "cli/cli.h"

static void print_help(void)
{
    text_print(stdout, "assay %s: finds bugs in compilers\n\nusage: assay COMMAND [options]\n\n",
               ASSAY_VERSION);
    for (int i = 0; i < N_COMMANDS; i++)
        text_print(stdout, "  %-10s %s\n", all_commands[i]->name, all_commands[i]->summary);
    text_print(stdout, "\nassay COMMAND --help lists the options, with examples. To start:\n"
                       "  assay run --generator smith --time 20s\n");
}

static int unknown_command(const char *name)
{
    const char *names[N_COMMANDS];
    for (int i = 0; i < N_COMMANDS; i++)
        names[i] = all_commands[i]->name;
    const char *near = text_nearest(name, names, N_COMMANDS);
    if (near)
        text_print(stderr, "assay: there is no command '%s': did you mean '%s'?\n", name, near);
    else
        text_print(stderr, "assay: there is no command '%s': `assay --help` lists them\n", name);
    return EXIT_USAGE;
}

/* What could not be written was not said, whatever else went well. */
static int said_all(int status)
{
    if (!fflush(stdout) && !ferror(stdout))
        return status;
    const struct error e = {ERROR_ENVIRONMENT, "", 0, "standard output cannot be written"};
    return cli_fail(&e);
}

int main(int argc, char **argv)
{
    if (argc < 2 || !strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") ||
        (!strcmp(argv[1], "help") && argc == 2)) {
        print_help();
        return argc < 2 ? EXIT_USAGE : EXIT_CLEAN;
    }
    if (!strcmp(argv[1], "--version")) {
        text_print(stdout, "assay %s\n", ASSAY_VERSION);
        return EXIT_CLEAN;
    }
    if (!strcmp(argv[1], "help")) { /* assay help run */
        argv[1] = argv[2];
        argv[2] = "--help";
    }
    fs_clean_on_signals();
    for (int i = 0; i < N_COMMANDS; i++)
        if (!strcmp(all_commands[i]->name, argv[1]))
            return said_all(all_commands[i]->run(argc - 1, argv + 1));
    return unknown_command(argv[1]);
}
