/* assay gen: one program, as a campaign would make it. */
#include "base/fs.h"
#include "base/json.h"
#include "base/text.h"
#include "cli/cli.h"
#include "program/language.h"

static void print_generator(void *to, const char *name, const char *help)
{
    struct json *array = to; /* NULL: as text */
    if (array)
        json_append(array, "{s:s,s:s}", "name", name, "help", help);
    else
        text_print(stdout, "  %-12s %s\n", name, help);
}

static int list_generators(bool json)
{
    struct cli_data data;
    struct json *array = json ? json_new("[]") : NULL;
    struct error e = {0};
    cli_data_init(&data, NULL);
    struct gen_context context = cli_gen_context(&data, NULL);
    gen_list(&context, print_generator, array);
    if (cli_data_check(&data, &e)) /* what is shipped is missing in the list */
        cli_fail(&e);
    if (json) {
        json_print(array, false);
    }
    cli_data_release(&data);
    return EXIT_CLEAN;
}

/* Several files were asked to go where one was meant. */
static bool names_a_source(const char *path)
{
    return *language_of_file(path)->name;
}

/* One file: to the path or standard output. Several: into the path as a folder. */
static int emit(const struct program *p, const char *output, struct error *e)
{
    if (p->n_files == 1 && output && !fs_is_dir(output))
        return fs_write(output, p->files[0].text, p->files[0].size, e);
    if (output && !names_a_source(output))
        return fs_make_dirs(output, e) ? -1 : program_write(p, output, e);
    if (p->n_files > 1)
        return error_set(e, ERROR_USAGE,
                         "the program has %d files: name a folder with -o (or generate a single "
                         "file: yarp --single-file, spe --observe=0)",
                         p->n_files);
    if (fwrite(p->files[0].text, 1, p->files[0].size, stdout) != p->files[0].size || fflush(stdout))
        return error_set(e, ERROR_ENVIRONMENT, "standard output cannot be written");
    return 0;
}

/* What the user asked for. */
struct request {
    const char *generator;
    struct option_settings settings;
    uint64_t seed;
    const char *output;
    const char *tree; /* "text", "json"; NULL: the program */
    bool seed_given, list, options, explain, stats, json;
};

static int list_options(const struct generator *g, bool json)
{
    struct strbuf text;
    strbuf_init(&text, 0);
    gen_options(g, json, &text);
    fputs(text.s, stdout);
    strbuf_release(&text);
    return 0;
}

/* The tree behind the text, instead of it. */
static int emit_tree(struct generator *g, const struct request *r, struct error *e)
{
    struct strbuf text;
    strbuf_init(&text, 0);
    g->class->tree(g, !strcmp(r->tree, "json"), &text);
    const struct program_file file = {.name = "tree", .text = text.s, .size = text.n};
    const struct program program = {.files = (struct program_file *)&file, .n_files = 1};
    int status = emit(&program, r->output, e);
    strbuf_release(&text);
    return status;
}

static void print_stats(struct generator *g)
{
    struct strbuf text;
    strbuf_init(&text, 0);
    g->class->stats(g, &text);
    fputs(text.s, stderr);
    strbuf_release(&text);
}

/* Can the generator tell what is asked of it? */
static int may_tell(const struct generator *g, const struct request *r, struct error *e)
{
    if (r->stats && !g->class->stats)
        return error_set(e, ERROR_USAGE, "the generator %s has no --stats", g->name);
    if (r->tree && !g->class->tree)
        return error_set(e, ERROR_USAGE, "the generator %s has no --tree", g->name);
    if (r->tree && strcmp(r->tree, "text") != 0 && strcmp(r->tree, "json") != 0)
        return error_set(e, ERROR_USAGE, "--tree is text or json, not '%s'", r->tree);
    return 0;
}

static int generate(struct generator *g, const struct request *r, struct error *e)
{
    struct arena a;
    struct choice choice;
    struct program program;
    arena_init(&a);
    choice_init_random(&choice, r->seed);
    int status = gen_next(g, &choice, &a, &program, e);
    if (!status)
        status = r->tree ? emit_tree(g, r, e) : emit(&program, r->output, e);
    if (!status && r->stats)
        print_stats(g);
    choice_release(&choice);
    arena_release(&a);
    return status;
}

static int explain(struct generator *g, uint64_t seed, struct error *e)
{
    struct choice choice;
    struct strbuf text;
    choice_init_random(&choice, seed);
    strbuf_init(&text, 0);
    int status = gen_explain(g, &choice, &text, e);
    fputs(text.s, stdout);
    strbuf_release(&text);
    choice_release(&choice);
    return status;
}

static int open_and_do(const struct request *r, struct error *e)
{
    struct cli_data data;
    struct generator *g = NULL;
    cli_data_init(&data, NULL);
    struct gen_context context = cli_gen_context(&data, &r->settings);
    int status = gen_open(r->generator, &context, &g, e);
    if (!status)
        status = may_tell(g, r, e);
    if (!status)
        status = r->options   ? list_options(g, r->json)
                 : r->explain ? explain(g, r->seed, e)
                              : generate(g, r, e);
    gen_close(g);
    cli_data_release(&data);
    return status;
}

static int do_request(struct request *r, int argc, char **argv)
{
    int rest, status;
    struct error e = {0};
    const struct option_spec specs[] = {
        {'s', "seed", OPTION_U64, "N", "seed of the program (required)", &r->seed, &r->seed_given},
        TEXT('o', "output", "FILE", "output file (default: standard output)", &r->output),
        FLAG('l', "list", "list the generators", &r->list),
        FLAG(0, "options", "list the options of the generator", &r->options),
        FLAG(0, "explain", "print the random choices made for the program instead", &r->explain),
        FLAG(0, "stats", "print generation statistics to standard error", &r->stats),
        TEXT(0, "tree", "FORMAT", "print the syntax tree instead: text or json", &r->tree),
        FLAG(0, "json", "with --list or --options: print JSON", &r->json),
    };
    if (!cli_parse_settings(&command_gen, OPTIONS(specs), &r->settings, argc, argv, &rest, &status))
        return status;
    if (r->list)
        return list_generators(r->json);
    if (rest != 1)
        return cli_usage(&command_gen, "name one generator (assay gen --list)");
    if (!r->seed_given && !r->options)
        return cli_usage(&command_gen, "no seed: choose the program with -s N");
    r->generator = argv[0];
    return open_and_do(r, &e) ? cli_fail(&e) : EXIT_CLEAN;
}

int cmd_gen(int argc, char **argv)
{
    struct request r = {0};
    struct arena a;
    arena_init(&a);
    cli_settings_init(&r.settings, &a, NULL);
    int status = do_request(&r, argc, argv);
    cli_settings_release(&r.settings);
    arena_release(&a);
    return status;
}
