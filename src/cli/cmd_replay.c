/* assay replay: make the program of a finding again from its provenance, and try it again. */
#include "base/fs.h"
#include "base/text.h"
#include "cli/cli.h"

struct replay_options {
    const char *dir, *testbed_dir;
    bool stored;
};

struct replaying {
    struct finding finding;
    struct program stored, again;
    struct store_campaign campaign;
    struct store_observation *observations;
    int n_observations;
    struct cli_data data;
    struct cli_testbeds testbeds;
    struct arena arena;
};

static int load(struct replaying *r, const struct replay_options *o, const char *id,
                struct error *e)
{
    struct store *s;
    if (cli_open_store(o->dir, &s, e))
        return -1;
    int status = cli_find(s, id, &r->arena, &r->finding, e) ||
                 store_program(s, r->finding.program, &r->arena, &r->stored, e) ||
                 store_campaign_get(s, r->finding.campaign, &r->arena, &r->campaign, e) ||
                 store_observations(s, r->finding.campaign, r->finding.seed, &r->arena,
                                    &r->observations, &r->n_observations, e);
    store_close(s);
    return status ? -1 : 0;
}

static const char *recorded_dir(struct arena *a, const char *config)
{
    static const char option[] = "--testbed-dir=";
    const char *at = strstr(config, option);
    if (!at)
        return NULL;
    at += sizeof option - 1;
    return arena_memdup(a, at, strcspn(at, "\n"));
}

/* 0: made again, bit by bit the same; 1: it is not; -1: it cannot be made here. */
static int rebuild(struct replaying *r, struct error *e)
{
    struct gen_context context = cli_gen_context(&r->data);
    struct generator *g = NULL;
    struct choice choice;
    char hash[PROGRAM_HASH_SIZE];
    choice_init_random(&choice, r->finding.seed);
    int status = gen_open(r->stored.made.generator, &context, &g, e);
    if (!status)
        status = gen_next(g, &choice, &r->arena, &r->again, e) ? -1 : 0;
    if (!status) {
        program_hash(&r->again, hash);
        status = strcmp(hash, r->finding.program) != 0;
        if (status)
            error_set(e, ERROR_ENVIRONMENT, "%s %s is here now, it was %s", g->name, g->version,
                      r->stored.made.version);
    }
    choice_release(&choice);
    gen_close(g);
    return status;
}

/* The testbeds that took part, as far as they are still here, with their recorded observations:
 * the judgement is made among the same parties as then. */
static int assemble(struct replaying *r, struct campaign_config *c, int *index, struct error *e)
{
    if (cli_testbeds_find(&r->testbeds, &r->data, r->stored.language, "*", true, true, e))
        return -1;
    *index = -1;
    testbed_list *list = &r->testbeds.list;
    c->testbeds = arena_array(&r->arena, struct testbed, r->n_observations);
    for (int i = 0; i < r->n_observations; i++)
        for (size_t k = 0; k < list->n; k++)
            if (!strcmp(list->at[k].name, r->observations[i].testbed)) {
                if (!strcmp(list->at[k].name, r->finding.testbed))
                    *index = c->n_testbeds;
                c->testbeds[c->n_testbeds++] = list->at[k];
                break;
            }
    if (*index < 0)
        return error_set(e, ERROR_ENVIRONMENT,
                         "%s is not installed here any more (or give --testbed-dir)",
                         r->finding.testbed);
    return 0;
}

static int replay(const struct replay_options *o, const char *id, struct error *e)
{
    struct replaying r = {0};
    struct runner runner;
    struct campaign_config c = {.oracle = oracle_defaults};
    int index = 0, status;
    arena_init(&r.arena);
    status = load(&r, o, id, e);
    /* The campaign knows where its toolchain files were. */
    cli_data_init(&r.data, o->testbed_dir || status ? o->testbed_dir
                                                    : recorded_dir(&r.arena, r.campaign.config));
    if (!status && !o->stored) {
        int made = rebuild(&r, e);
        if (made == 0)
            printf("made again: assay gen %s -s %llu, %zu bytes, the same to the bit\n",
                   r.stored.made.generator, (unsigned long long)r.finding.seed,
                   program_size(&r.stored));
        else
            printf("not made again (%s): using the stored text\n", e->message);
    }
    if (!status)
        status = assemble(&r, &c, &index, e);
    if (!status && !(status = runner_init(&runner, e))) {
        struct observation *now = arena_array(&r.arena, struct observation, c.n_testbeds);
        struct verdict *verdicts = arena_array(&r.arena, struct verdict, c.n_testbeds);
        status = campaign_try(&c, &runner, &r.stored, &r.arena, now, verdicts, e);
        if (!status) {
            const struct finding *f = &r.finding;
            bool same = verdicts[index].anomaly == f->verdict.anomaly;
            printf("%s: %s on %s: %s%s%s\n", same ? "reproduced" : "not reproduced",
                   anomaly_name[f->verdict.anomaly], f->testbed,
                   outcome_name[now[index].outcome], *now[index].detail ? ", " : "",
                   now[index].detail);
            if (!same && f->state == FINDING_FLAKY)
                printf("it was marked flaky: seen %d of %d times\n", f->seen, f->tried);
            status = same ? EXIT_FINDINGS : EXIT_CLEAN;
        }
        runner_release(&runner);
    }
    cli_testbeds_release(&r.testbeds);
    cli_data_release(&r.data);
    arena_release(&r.arena);
    return status;
}

static int run(int argc, char **argv)
{
    struct replay_options o = {.dir = "."};
    bool help;
    struct error e = {0};
    const struct option_spec specs[] = {
        {'d', "dir", OPTION_TEXT, "DIR", "folder of the campaign (default: this one)", &o.dir, NULL},
        {0, "testbed-dir", OPTION_TEXT, "DIR", "a folder with toolchain files of your own",
         &o.testbed_dir, NULL},
        {0, "stored", OPTION_FLAG, NULL, "use the stored text, do not generate it again", &o.stored,
         NULL},
    };
    enum { N = sizeof specs / sizeof *specs };
    int rest = options_parse(specs, N, argc, argv, &help, &e);
    if (help) {
        options_print_help(&command_replay, specs, N);
        return EXIT_CLEAN;
    }
    if (rest < 0)
        return cli_usage(&command_replay, "%s", e.message);
    if (rest != 1)
        return cli_usage(&command_replay, "name one finding (`assay bugs` lists them)");
    int status = replay(&o, argv[0], &e);
    return status < 0 ? cli_fail(&e) : status;
}

const struct command command_replay = {
    .name = "replay",
    .summary = "make the program of a finding again and try it again",
    .usage = "assay replay ID [options]",
    .text = "Makes the program again from its provenance, checks that it is the same to the bit,\n"
            "and runs it on the testbeds of that time. Exit status 1: the anomaly is there again;\n"
            "0: it is not.",
    .example = "  assay replay 17",
    .run = run,
};
