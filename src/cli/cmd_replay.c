/* assay replay: make the program of a finding again from its provenance, and try it again. */
#include "base/fs.h"
#include "base/text.h"
#include "cli/cli.h"
#include "testbed/server.h"

#include <jansson.h>

struct replay_options {
    const char *dir, *testbed_dir;
    bool stored, json;
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

/* The value of an option that the campaign was run with, or NULL. */
static const char *recorded(struct arena *a, const char *config, const char *option)
{
    const char *at = strstr(config, option);
    if (!at)
        return NULL;
    at += strlen(option);
    return arena_memdup(a, at, strcspn(at, "\n"));
}

/* 0: made again, bit by bit the same; 1: it is not; -1: it cannot be made here. */
static int rebuild(struct replaying *r, struct error *e)
{
    struct gen_context context = cli_gen_context(&r->data, NULL);
    context.config = r->stored.made.config;
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

/* The testbed of this name on this machine, or NULL. */
static const struct testbed *here(const struct replaying *r, const char *name)
{
    for (size_t i = 0; i < r->testbeds.list.n; i++)
        if (!strcmp(r->testbeds.list.at[i].name, name))
            return &r->testbeds.list.at[i];
    return NULL;
}

/* Who must be tried again for a judgement: the accused and the voters of its model, which are the
 * references or, where it has none, all of its testbeds. */
static int assemble(struct replaying *r, struct campaign_config *c, int *index, struct error *e)
{
    if (cli_testbeds_find(&r->testbeds, &r->data, r->stored.language, "*", CLI_FLAGS_ALL, true, e))
        return -1;
    const struct testbed *accused = here(r, r->finding.testbed);
    if (!accused)
        return error_set(e, ERROR_ENVIRONMENT,
                         "%s is not installed here any more (or give --testbed-dir)",
                         r->finding.testbed);
    bool references = false;
    for (int i = 0; i < r->n_observations; i++) {
        const struct testbed *t = here(r, r->observations[i].testbed);
        references |= t && t->reference && !strcmp(t->model, accused->model);
    }
    c->testbeds = arena_array(&r->arena, struct testbed, r->n_observations);
    for (int i = 0; i < r->n_observations; i++) {
        const struct testbed *t = here(r, r->observations[i].testbed);
        bool votes = t && !strcmp(t->model, accused->model) && (t->reference || !references);
        if (t == accused)
            *index = c->n_testbeds;
        if (!votes && (!t || t != accused))
            continue;
        struct testbed *again = &c->testbeds[c->n_testbeds++];
        *again = *t;
        if (t->random)
            again->flags = r->observations[i].observation.flags;
    }
    return 0;
}

static void print_json(const struct finding *f, bool made_again, bool reproduced,
                       const struct observation *o)
{
    json_t *all =
        json_pack("{s:I,s:s,s:s,s:s,s:b,s:b,s:s,s:s,s:s}", "id", (json_int_t)f->id, "kind",
                  anomaly_name[f->verdict.anomaly], "testbed", f->testbed, "state",
                  finding_state_name[f->state], "made_again", made_again, "reproduced", reproduced,
                  "outcome", outcome_name[o->outcome], "detail", o->detail, "flags", o->flags);
    cli_print_json(all, true);
}

/* Make it again and say so. A generator that has gone or changed since does not stop us. */
static bool make_again(struct replaying *r, bool quiet)
{
    const struct provenance *made = &r->stored.made;
    struct error e = {0};
    struct strbuf command;
    strbuf_init(&command, 0);
    gen_command(made->generator, made->config, r->finding.seed, &command);
    bool same = rebuild(r, &e) == 0;
    if (same && !quiet)
        printf("made again: %s, %zu bytes, the same to the bit\n", command.s,
               program_size(&r->stored));
    else if (!quiet)
        printf("not made again (%s): using the stored text\n", e.message);
    strbuf_release(&command);
    return same;
}

static void print(const struct finding *f, bool reproduced, const struct observation *o)
{
    printf("%s: %s on %s: %s%s%s\n", reproduced ? "reproduced" : "not reproduced",
           anomaly_name[f->verdict.anomaly], f->testbed, outcome_name[o->outcome],
           *o->detail ? ", " : "", o->detail);
    if (*o->flags)
        printf("with the flags %s\n", o->flags);
    if (!reproduced && f->state == FINDING_FLAKY)
        printf("it was marked flaky: seen %d of %d times\n", f->seen, f->tried);
}

static int try_again(struct replaying *r, const struct replay_options *o, struct error *e)
{
    struct campaign_config c = {.oracle = oracle_defaults};
    struct runner runner;
    int index = 0;
    const char *majority = recorded(&r->arena, r->campaign.config, "--majority=");
    if (majority)
        c.oracle.majority = strtod(majority, NULL);
    bool made_again = !o->stored && make_again(r, o->json);
    if (assemble(r, &c, &index, e) || runner_init(&runner, e))
        return -1;
    runner.sandbox_none = recorded(&r->arena, r->campaign.config, "--no-sandbox") != NULL;
    struct observation *now = arena_array(&r->arena, struct observation, c.n_testbeds);
    struct verdict *verdicts = arena_array(&r->arena, struct verdict, c.n_testbeds);
    int status = campaign_try(&c, &runner, &r->stored, &r->arena, now, verdicts, e);
    runner_release(&runner);
    if (status)
        return -1;
    bool same = verdicts[index].anomaly == r->finding.verdict.anomaly;
    if (o->json)
        print_json(&r->finding, made_again, same, &now[index]);
    else
        print(&r->finding, same, &now[index]);
    return same ? EXIT_FINDINGS : EXIT_CLEAN;
}

static int replay(const struct replay_options *o, const char *id, struct error *e)
{
    struct replaying r = {0};
    arena_init(&r.arena);
    int status = load(&r, o, id, e);
    if (!status) {
        /* The campaign knows where its toolchain files were. */
        const char *dir = o->testbed_dir;
        cli_data_init(&r.data, dir ? dir : recorded(&r.arena, r.campaign.config, "--testbed-dir="));
        status =
            server_host(r.data.testbed_dirs.at, (int)r.data.testbed_dirs.n, r.stored.language, e);
        if (!status)
            status = try_again(&r, o, e);
        cli_testbeds_release(&r.testbeds);
        cli_data_release(&r.data);
    }
    arena_release(&r.arena);
    return status;
}

static int run(int argc, char **argv)
{
    struct replay_options o = {.dir = "."};
    int rest, status;
    struct error e = {0};
    const struct option_spec specs[] = {
        {'d', "dir", OPTION_TEXT, "DIR", "folder of the campaign (default: this one)", &o.dir,
         NULL},
        {0, "testbed-dir", OPTION_TEXT, "DIR", "a folder with toolchain files of your own",
         &o.testbed_dir, NULL},
        {0, "stored", OPTION_FLAG, NULL, "use the stored text, do not generate it again", &o.stored,
         NULL},
        {0, "json", OPTION_FLAG, NULL, "print JSON", &o.json, NULL},
    };
    enum { N = sizeof specs / sizeof *specs };
    if (!cli_parse(&command_replay, specs, N, argc, argv, &rest, &status))
        return status;
    if (rest != 1)
        return cli_usage(&command_replay, "name one finding (`assay bugs` lists them)");
    status = replay(&o, argv[0], &e);
    return status < 0 ? cli_fail(&e) : status;
}

const struct command command_replay = {
    .name = "replay",
    .summary = "make the program of a finding again and try it again",
    .usage = "assay replay ID [options]",
    .text = "Makes the program again from its provenance, checks that it is the same to the bit,\n"
            "and runs it on that testbed and those that vote. Exit status 1: the anomaly is there "
            "again;\n"
            "0: it is not.",
    .example = "  assay replay 17",
    .run = run,
};
