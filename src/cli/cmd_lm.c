/* assay lm: programs that are learned: a corpus is made, a model is trained on it, and sampled.
 *
 * The first word is the action; each has options of its own (cmd_lm_corpus.c, cmd_lm_train.c,
 * cmd_lm_sample.c), so that `assay lm train --help` tells of training alone. */
#include "cli/cmd_lm.h"
#include "base/text.h"
#include "base/vec.h"
#include "cli/cli.h"

int lm_find_language(const char *name, struct arena *a, struct lm_language *out, struct error *e)
{
    struct cli_data data;
    cli_data_init(&data, NULL);
    const struct gen_context context = cli_gen_context(&data, NULL);
    string_list dirs = gen_beside(&context, "languages", a);
    int status = lm_language_load(name, dirs.at, (int)dirs.n, a, out, e);
    vec_release(&dirs);
    cli_data_release(&data);
    return status;
}

static const struct command *const actions[] = {&command_lm_corpus, &command_lm_train,
                                                &command_lm_sample};
enum { N_ACTIONS = sizeof actions / sizeof *actions };

/* "train" of "lm train" */
static const char *name_of(int i)
{
    return strchr(actions[i]->name, ' ') + 1;
}

int cmd_lm(int argc, char **argv)
{
    const char *names[N_ACTIONS];
    if (argc < 2)
        return cli_usage(&command_lm, "which action: corpus, train or sample?");
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) {
        options_print_help(&command_lm, NULL, 0);
        puts("");
        for (int i = 0; i < N_ACTIONS; i++)
            text_print(stdout, "  %-10s %s   (assay lm %s --help)\n", name_of(i),
                       actions[i]->summary, name_of(i));
        return EXIT_CLEAN;
    }
    for (int i = 0; i < N_ACTIONS; i++)
        if (!strcmp(names[i] = name_of(i), argv[1]))
            return actions[i]->run(argc - 1, argv + 1);
    return cli_unknown_action(&command_lm, argv[1], names, N_ACTIONS);
}
