/* assay bugs: what was found, one line per signature. */
#include "cli/cli.h"

#include <jansson.h>

static json_t *bug_json(const struct store_bug *b)
{
    return json_pack("{s:I,s:s,s:s,s:s,s:I,s:I,s:I,s:I}", "id", (json_int_t)b->first_id, "kind",
                     anomaly_name[b->anomaly], "signature", b->signature, "testbeds", b->testbeds,
                     "count", (json_int_t)b->count, "flaky", (json_int_t)b->flaky, "first_at",
                     (json_int_t)b->first_at, "last_at", (json_int_t)b->last_at);
}

static json_t *finding_json(const struct finding *f)
{
    return json_pack(
        "{s:I,s:I,s:I,s:s,s:s,s:s,s:f,s:s,s:s,s:i,s:i,s:I,s:s}", "id", (json_int_t)f->id,
        "campaign", (json_int_t)f->campaign, "seed", (json_int_t)f->seed, "testbed", f->testbed,
        "kind", anomaly_name[f->verdict.anomaly], "evidence", evidence_name[f->verdict.evidence],
        "confidence", f->verdict.confidence, "signature", f->signature, "state",
        finding_state_name[f->state], "seen", f->seen, "tried", f->tried, "found_at",
        (json_int_t)f->found_at, "program", f->program);
}

/* As JSON or, with the rows printed already, a word when there were none. */
static int finish(json_t *array, bool json, int n)
{
    if (json)
        cli_print_json(array, false);
    else
        json_decref(array);
    if (!json && !n)
        printf("nothing found\n");
    return n > 0;
}

static int list_bugs(struct store *s, const struct store_filter *f, struct arena *a, bool json,
                     struct error *e)
{
    struct store_bug *bugs;
    int n;
    char at[32];
    if (store_bugs(s, f, a, &bugs, &n, e))
        return -1;
    json_t *array = json_array();
    if (!json && n)
        printf("%-6s %6s %-13s %-16s %s\n", "id", "count", "kind", "last seen", "signature");
    for (int i = 0; i < n; i++) {
        const struct store_bug *b = &bugs[i];
        if (json)
            json_array_append_new(array, bug_json(b));
        else
            printf("%-6lld %6lld %-13s %-16s %s%s\n", (long long)b->first_id, (long long)b->count,
                   anomaly_name[b->anomaly], cli_time(b->last_at, at), b->signature,
                   b->flaky == b->count ? "  (flaky)" : "");
    }
    return finish(array, json, n);
}

static int list_findings(struct store *s, const struct store_filter *f, struct arena *a, bool json,
                         struct error *e)
{
    struct finding *list;
    int n;
    if (store_findings(s, f, a, &list, &n, e))
        return -1;
    json_t *array = json_array();
    if (!json && n)
        printf("%-6s %-13s %-10s %-12s %-24s %s\n", "id", "kind", "state", "seed", "testbed",
               "signature");
    for (int i = 0; i < n; i++) {
        if (json)
            json_array_append_new(array, finding_json(&list[i]));
        else
            printf("%-6lld %-13s %-10s %-12llu %-24s %s\n", (long long)list[i].id,
                   anomaly_name[list[i].verdict.anomaly], finding_state_name[list[i].state],
                   (unsigned long long)list[i].seed, list[i].testbed, list[i].signature);
    }
    return finish(array, json, n);
}

static int run(int argc, char **argv)
{
    const char *dir = ".", *kind = NULL, *state = NULL, *testbed = NULL;
    bool json = false, all = false;
    int rest, status;
    struct error e = {0};
    struct store *store;
    const struct option_spec specs[] = {
        {'d', "dir", OPTION_TEXT, "DIR", "folder of the campaign (default: this one)", &dir, NULL},
        {'a', "all", OPTION_FLAG, NULL, "every finding, not one line per signature", &all, NULL},
        {'k', "kind", OPTION_TEXT, "KIND", "only this kind: build-crash, wrong-output, ...", &kind,
         NULL},
        {0, "state", OPTION_TEXT, "STATE", "only: new, confirmed or flaky", &state, NULL},
        {'t', "testbed", OPTION_TEXT, "NAME", "only this testbed or toolchain", &testbed, NULL},
        {0, "json", OPTION_FLAG, NULL, "print JSON", &json, NULL},
    };
    enum { N = sizeof specs / sizeof *specs };
    if (!cli_parse(&command_bugs, specs, N, argc, argv, &rest, &status))
        return status;
    struct store_filter filter = {.testbed = testbed,
                                  .anomaly = kind ? anomaly_from_name(kind) : -1,
                                  .state = state ? finding_state_from_name(state) : -1};
    if (rest > 0)
        return cli_usage(&command_bugs, "bugs takes options only");
    if (kind && filter.anomaly < 1)
        return cli_usage(&command_bugs, "--kind: there is no kind '%s'", kind);
    if (state && filter.state < 0)
        return cli_usage(&command_bugs, "--state: there is no state '%s'", state);
    if (cli_open_store(dir, &store, &e))
        return cli_fail(&e);
    struct arena a;
    arena_init(&a);
    int found =
        all ? list_findings(store, &filter, &a, json, &e) : list_bugs(store, &filter, &a, json, &e);
    arena_release(&a);
    store_close(store);
    return found < 0 ? cli_fail(&e) : found ? EXIT_FINDINGS : EXIT_CLEAN;
}

const struct command command_bugs = {
    .name = "bugs",
    .summary = "list what was found",
    .usage = "assay bugs [options]",
    .text =
        "One line per signature, which is probably one bug: how often it showed, and the id of\n"
        "the finding with the smallest program, for `assay show` and `assay replay`.",
    .example = "  assay bugs --kind wrong-output",
    .run = run,
};
