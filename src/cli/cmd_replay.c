/* assay replay: make the program of a finding again from its provenance, and try it again. */
#include "base/json.h"
#include "base/text.h"
#include "campaign/trust.h"
#include "cli/cli.h"
#include "inquiry/inquiry.h"

struct replay_options {
    const char *dir, *testbed_dir;
    bool stored, json, trust;
};

struct replaying {
    struct inquiry found;
    struct program again;
    struct cli_machine machine;
    struct arena arena;
};

static int load(struct replaying *r, const struct replay_options *o, const char *id,
                struct error *e)
{
    struct store *s;
    struct finding f;
    if (cli_open_store(o->dir, &s, e))
        return -1;
    int status = cli_find(s, id, &r->arena, &f, e) || inquiry_load(s, &f, &r->arena, &r->found, e);
    store_close(s);
    return status ? -1 : 0;
}

static bool same_files(const struct program *p, const struct program *q)
{
    struct strbuf one, other;
    strbuf_init(&one, 0);
    strbuf_init(&other, 0);
    program_pack(p, &one);
    program_pack(q, &other);
    bool same = one.n == other.n && !memcmp(one.s, other.s, one.n);
    strbuf_release(&one);
    strbuf_release(&other);
    return same;
}

/* The first line in which two texts differ, from 1. */
static int first_difference(struct bytes p, struct bytes q)
{
    int line = 1;
    for (size_t i = 0; i < p.size && i < q.size && p.data[i] == q.data[i]; i++)
        line += p.data[i] == '\n';
    return line;
}

/* Where the program that was made differs from the one that was found; their hashes do. */
static const char *place_of_difference(struct arena *a, const struct program *again,
                                       const struct program *found)
{
    for (int i = 0; i < again->n_files && i < found->n_files; i++) {
        struct bytes p = program_bytes(&again->files[i]), q = program_bytes(&found->files[i]);
        if (strcmp(again->files[i].name, found->files[i].name) != 0)
            return arena_printf(a, "the file is now called %s, it was %s", again->files[i].name,
                                found->files[i].name);
        if (!bytes_equal(p, q))
            return arena_printf(a, "%s differs from line %d on", again->files[i].name,
                                first_difference(p, q));
    }
    if (again->n_files != found->n_files)
        return arena_printf(a, "it has %d files now, it had %d", again->n_files, found->n_files);
    return arena_printf(a, "the compiler gets '%s' now, it got '%s'", again->needs, found->needs);
}

/* Why another program came out, as far as it can be told. */
static void say_what_differs(struct replaying *r, const struct generator *g, struct error *e)
{
    const struct program *found = &r->found.program;
    if (r->found.campaign.slipped_from)
        error_set(e, ERROR_ENVIRONMENT,
                  "no generator made it: it appeared while another finding was being reduced");
    else if (strcmp(g->version, found->made.version) != 0)
        error_set(e, ERROR_ENVIRONMENT, "%s %s is installed now, it was %s", g->name,
                  *g->version ? g->version : "of no version",
                  *found->made.version ? found->made.version : "of no version");
    else if (strcmp(g->config, found->made.config) != 0)
        error_set(e, ERROR_ENVIRONMENT,
                  "%s %s is the same version, but its configuration is '%s' now, it was '%s'",
                  g->name, g->version, g->config, found->made.config);
    else
        error_set(
            e, ERROR_ENVIRONMENT,
            "%s %s now generates a different program from seed %llu with the same options: %s",
            g->name, g->version, (unsigned long long)found->made.seed,
            place_of_difference(&r->arena, &r->again, found));
}

/* 0: made again, bit by bit the same; 1: it is not; -1: it cannot be made here. */
static int rebuild(struct replaying *r, struct error *e)
{
    struct gen_context context = cli_gen_context(&r->machine.data, NULL);
    context.config = r->found.program.made.config;
    struct generator *g = NULL;
    struct choice choice;
    choice_init_random(&choice, r->found.program.made.seed);
    int status = gen_open(r->found.program.made.generator, &context, &g, e);
    if (!status)
        status = gen_next(g, &choice, &r->arena, &r->again, e) ? -1 : 0;
    if (!status) {
        status = strcmp(r->again.language, r->found.program.language) != 0 ||
                 !same_files(&r->again, &r->found.program);
        if (status)
            say_what_differs(r, g, e);
    }
    choice_release(&choice);
    gen_close(g);
    return status;
}

static void print_json(const struct finding *f, bool made_again, bool reproduced,
                       const struct observation *o, const char *changed)
{
    struct json *all =
        json_new("{s:I,s:s,s:s,s:s,s:b,s:b,s:s,s:s,s:s,s:s}", "id", (int64_t)f->id, "kind",
                 anomaly_name[f->verdict.anomaly], "testbed", f->testbed, "state",
                 finding_state_name[f->state], "made_again", made_again, "reproduced", reproduced,
                 "outcome", outcome_name[o->outcome], "detail", o->detail, "flags", o->flags,
                 "changed", changed ? changed : "");
    json_print(all, true);
}

/* Make it again and say so. A generator that has gone or changed since does not stop us. */
static bool make_again(struct replaying *r, bool quiet)
{
    const struct provenance *made = &r->found.program.made;
    struct error e = {0};
    struct strbuf command;
    strbuf_init(&command, 0);
    gen_command(made->generator, made->config, made->seed, &command);
    bool same = rebuild(r, &e) == 0;
    if (same && !quiet)
        text_print(stdout, "regenerated: %s, %zu bytes, identical\n", command.s,
                   program_size(&r->found.program));
    else if (!quiet)
        text_print(stdout, "not regenerated (%s): using the stored program\n", e.message);
    strbuf_release(&command);
    return same;
}

/* The line of the text that holds this byte, as people may see it. */
static const char *line_at(struct arena *a, struct bytes text, size_t at)
{
    size_t from = at < text.size ? at : text.size, to = from;
    if (!text.size)
        return "";
    while (from && text.data[from - 1] != '\n')
        from--;
    while (to < text.size && text.data[to] != '\n')
        to++;
    return text_shown(a, (struct bytes){text.data + from, to - from});
}

/* What the program should have printed: what is known, else what one prints that is right by vote.
 * No data: nobody knows. */
static struct bytes right_output(const struct inquiry *c, const struct observation *all,
                                 const struct verdict *verdicts)
{
    struct bytes right = c->program.expected;
    for (int i = 0; i < c->config.n_testbeds && !right.data; i++)
        if (i != c->accused && all[i].outcome == OUTCOME_OK && !verdicts[i].anomaly)
            right = all[i].output;
    return right;
}

/* What the accused did: of a program that ran, the first line of its output that is not right. */
static const char *what_it_did(const struct observation *o, struct bytes right, struct arena *a)
{
    struct bytes is = o->output;
    size_t at = 0;
    while (at < is.size && at < right.size && is.data[at] == right.data[at])
        at++;
    if (o->outcome != OUTCOME_OK || !right.data || (at == is.size && at == right.size))
        return arena_printf(a, "%s%s%s", outcome_name[o->outcome], *o->detail ? ", " : "",
                            o->detail);
    return arena_printf(a, "it prints \"%s\" instead of \"%s\", %s", line_at(a, is, at),
                        line_at(a, right, at), o->detail);
}

static void print(const struct finding *f, bool reproduced, const struct observation *o,
                  struct bytes right, struct arena *a)
{
    text_print(stdout, "%s: %s on %s: %s\n", reproduced ? "reproduced" : "not reproduced",
               anomaly_name[f->verdict.anomaly], f->testbed, what_it_did(o, right, a));
    if (*o->flags)
        text_print(stdout, "with the flags %s\n", o->flags);
    if (!reproduced && f->state == FINDING_FLAKY)
        text_print(stdout, "it was marked flaky: seen %d of %d times\n", f->seen, f->tried);
}

static int try_again(struct replaying *r, const struct replay_options *o, struct error *e)
{
    struct inquiry *c = &r->found;
    struct runner runner;
    bool made_again = !o->stored && make_again(r, o->json);
    const testbed_list *here = &r->machine.testbeds.list;
    if (inquiry_bind(c, here->at, (int)here->n, &r->arena, e) ||
        test_runner_init(&c->config, &runner, e))
        return -1;
    if (c->changed && !o->json)
        text_print(stderr, "assay: %s\n", c->changed);
    int n = c->config.n_testbeds;
    struct observation *now = arena_array(&r->arena, struct observation, n);
    struct verdict *verdicts = arena_array(&r->arena, struct verdict, n);
    int status = test_try(&c->config, &runner, &c->program, &r->arena, now, verdicts, e);
    runner_release(&runner);
    if (status)
        return -1;
    if (now[c->accused].of_machine)
        return error_set(e, ERROR_ENVIRONMENT, "%s: %s", c->finding.testbed,
                         now[c->accused].messages);
    bool same = verdicts[c->accused].anomaly == c->finding.verdict.anomaly;
    if (o->json)
        print_json(&c->finding, made_again, same, &now[c->accused], c->changed);
    else
        print(&c->finding, same, &now[c->accused], right_output(c, now, verdicts), &r->arena);
    return same ? EXIT_FINDINGS : EXIT_CLEAN;
}

static int replay(const struct replay_options *o, const char *id, struct error *e)
{
    struct replaying r = {0};
    arena_init(&r.arena);
    int status = load(&r, o, id, e);
    if (!status) {
        /* The campaign knows where its toolchain files were. */
        struct inquiry_place place = inquiry_place(&r.found, &r.arena);
        place.testbed_dir = o->testbed_dir ? o->testbed_dir : place.testbed_dir;
        status = cli_machine_for(&r.machine, &place, true, e);
        if (!status)
            status = try_again(&r, o, e);
        cli_machine_release(&r.machine);
    }
    arena_release(&r.arena);
    return status;
}

int cmd_replay(int argc, char **argv)
{
    struct replay_options o = {.dir = "."};
    int rest, status;
    struct error e = {0};
    const struct option_spec specs[] = {
        CLI_DIR(&o.dir),
        CLI_TESTBED_DIR(&o.testbed_dir),
        FLAG(0, "stored", "use the stored program, do not regenerate it", &o.stored),
        CLI_TRUST(&o.trust),
        FLAG(0, "json", "print JSON", &o.json),
    };
    if (!cli_parse(&command_replay, OPTIONS(specs), argc, argv, &rest, &status))
        return status;
    if (rest != 1)
        return cli_usage(&command_replay, "name one finding (`assay bugs` lists them)");
    status = campaign_need_trust(o.dir, o.trust, &e);
    if (!status)
        status = replay(&o, argv[0], &e);
    return status < 0 ? cli_fail(&e) : status;
}
