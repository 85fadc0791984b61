/* assay gen: one program, as a campaign would make it. */
#include "base/fs.h"
#include "base/text.h"
#include "cli/cli.h"

#include <jansson.h>

static void print_generator(void *to, const char *name, const char *help)
{
    json_t *array = to; /* NULL: as text */
    if (array)
        json_array_append_new(array, json_pack("{s:s,s:s}", "name", name, "help", help));
    else
        printf("  %-12s %s\n", name, help);
}

static int list_generators(bool json)
{
    struct cli_data data;
    json_t *array = json ? json_array() : NULL;
    cli_data_init(&data, NULL);
    struct gen_context context = cli_gen_context(&data);
    gen_list(&context, print_generator, array);
    if (json) {
        cli_print_json(array, false);
    }
    cli_data_release(&data);
    return EXIT_CLEAN;
}

/* One file: to the path or standard output. Several: into the path as a folder. */
static int emit(const struct program *p, const char *output, struct error *e)
{
    if (p->n_files == 1 && output)
        return fs_write(output, p->files[0].text, p->files[0].size, e);
    if (output)
        return fs_make_dirs(output, e) ? -1 : program_write(p, output, e);
    if (p->n_files > 1)
        return error_set(e, ERROR_USAGE, "the program has %d files: name a folder with -o",
                         p->n_files);
    if (fwrite(p->files[0].text, 1, p->files[0].size, stdout) != p->files[0].size || fflush(stdout))
        return error_set(e, ERROR_ENVIRONMENT, "standard output cannot be written");
    return 0;
}

static int generate(const char *name, uint64_t seed, const char *output, struct error *e)
{
    struct cli_data data;
    struct generator *g = NULL;
    struct arena a;
    struct choice choice;
    struct program program;
    arena_init(&a);
    cli_data_init(&data, NULL);
    choice_init_random(&choice, seed);
    struct gen_context context = cli_gen_context(&data);
    int status = gen_open(name, &context, &g, e);
    if (!status)
        status = gen_next(g, &choice, &a, &program, e);
    if (!status)
        status = emit(&program, output, e);
    choice_release(&choice);
    gen_close(g);
    cli_data_release(&data);
    arena_release(&a);
    return status;
}

static int run(int argc, char **argv)
{
    const char *output = NULL;
    uint64_t seed = 0;
    bool seed_given = false, list = false, json = false;
    int rest, status;
    struct error e = {0};
    const struct option_spec specs[] = {
        {'s', "seed", OPTION_U64, "N", "which program (required)", &seed, &seed_given},
        {'o', "output", OPTION_TEXT, "FILE", "where to (default: standard output)", &output, NULL},
        {'l', "list", OPTION_FLAG, NULL, "list the generators", &list, NULL},
        {0, "json", OPTION_FLAG, NULL, "with --list: print JSON", &json, NULL},
    };
    enum { N = sizeof specs / sizeof *specs };
    if (!cli_parse(&command_gen, specs, N, argc, argv, &rest, &status))
        return status;
    if (list)
        return list_generators(json);
    if (rest != 1)
        return cli_usage(&command_gen, "name one generator (assay gen --list)");
    if (!seed_given)
        return cli_usage(&command_gen, "which program? give a seed with -s N");
    return generate(argv[0], seed, output, &e) ? cli_fail(&e) : EXIT_CLEAN;
}

const struct command command_gen = {
    .name = "gen",
    .summary = "print one generated program",
    .usage = "assay gen GENERATOR -s SEED [-o FILE]",
    .text = "Prints the program that the generator makes of the seed: the same bytes each time,\n"
            "and the same that `assay run` tests.",
    .example = "  assay gen csmith -s 7 -o t.c",
    .run = run,
};
