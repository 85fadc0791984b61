/* assay show: one finding with all that is known about it; or the incidents of a campaign. */
#include "base/fs.h"
#include "base/vec.h"
#include "cli/cli.h"

#include <jansson.h>

struct shown {
    struct finding finding;
    struct program program;
    struct store_observation *observations;
    int n;
    const struct store_observation *accused; /* that of the finding */
    const char *commands;                    /* how its testbed builds the program, line by line */
};

/* The commands of the accused testbed, from its templates as they were then. */
static const char *commands_of(const struct shown *s, const struct store_testbed *b,
                               struct arena *a)
{
    char *text = arena_strdup(a, b->compile);
    VEC(const char *) steps = {0};
    struct strbuf lines;
    for (char *line = text; *line;) {
        size_t n = strcspn(line, "\n");
        char *next = line + n + (line[n] == '\n');
        line[n] = '\0';
        vec_push(&steps, line);
        line = next;
    }
    vec_push(&steps, NULL);
    const char *drawn = s->accused->observation.flags;
    struct testbed t = {.path = b->path,
                        .flags = *drawn ? drawn : b->flags,
                        .dir = b->dir,
                        .library = *b->library ? b->library : NULL,
                        .compile = steps.at};
    strbuf_init(&lines, 0);
    runner_commands(&t, &s->program, &lines);
    const char *commands = arena_strdup(a, lines.s);
    strbuf_release(&lines);
    vec_release(&steps);
    return commands;
}

static int load_commands(struct store *s, struct arena *a, struct shown *out, struct error *e)
{
    struct store_testbed *testbeds;
    int n;
    out->commands = "";
    for (int i = 0; i < out->n; i++)
        if (!strcmp(out->observations[i].testbed, out->finding.testbed))
            out->accused = &out->observations[i];
    if (store_testbeds(s, out->finding.campaign, a, &testbeds, &n, e))
        return -1;
    for (int i = 0; i < n && out->accused; i++)
        if (testbeds[i].id == out->accused->testbed_id)
            out->commands = commands_of(out, &testbeds[i], a);
    return 0;
}

static int load(struct store *s, const char *id, struct arena *a, struct shown *out,
                struct error *e)
{
    if (cli_find(s, id, a, &out->finding, e) ||
        store_program(s, out->finding.program, a, &out->program, e) ||
        store_observations(s, out->finding.campaign, out->finding.seed, a, &out->observations,
                           &out->n, e))
        return -1;
    return load_commands(s, a, out, e);
}

static void print_text(const char *title, const char *text, const char *indent)
{
    if (!*text)
        return;
    printf("\n%s\n", title);
    int lines = 0;
    while (*text && lines++ < 40) {
        size_t n = strcspn(text, "\n");
        printf("%s%.*s\n", indent, (int)n, text);
        text += n + (text[n] == '\n');
    }
    if (*text)
        printf("%s... (--json has it all)\n", indent);
}

static void print_commands(const char *commands)
{
    const char *title = "built by";
    for (const char *line = commands; *line; title = "") {
        size_t n = strcspn(line, "\n");
        printf("  %-10s %.*s\n", title, (int)n, line);
        line += n + (line[n] == '\n');
    }
}

/* Line n of a text, from 0; "" past its end. */
static const char *line_of(const char *text, int n)
{
    for (; n > 0 && *text; n--)
        text += strcspn(text, "\n"), text += *text == '\n';
    return text;
}

/* The first line, from 0, in which not all outputs agree; 0 where they do: programs in which a late
 * line differs would look the same by their first one. */
static int first_difference(const struct shown *s)
{
    for (int line = 0;; line++) {
        const char *first = NULL;
        bool more = false;
        for (int i = 0; i < s->n; i++) {
            if (s->observations[i].observation.outcome != OUTCOME_OK)
                continue;
            const char *here = line_of(s->observations[i].observation.output, line);
            size_t n = strcspn(here, "\n") + 1;
            if (first && strncmp(first, here, n) != 0)
                return line;
            first = here;
            more |= *here != '\0';
        }
        if (!more)
            return 0;
    }
}

static void print(const struct shown *s)
{
    char at[32];
    const struct finding *f = &s->finding;
    const struct provenance *made = &s->program.made;
    struct strbuf command;
    strbuf_init(&command, 0);
    gen_command(made->generator, made->config, f->seed, &command);
    printf("finding %lld: %s\n\n", (long long)f->id, f->signature);
    printf("  kind       %s: %s\n", anomaly_name[f->verdict.anomaly],
           anomaly_help[f->verdict.anomaly]);
    printf("  testbed    %s\n", f->testbed);
    if (s->accused && *s->accused->observation.flags)
        printf("  flags      %s\n", s->accused->observation.flags);
    print_commands(s->commands);
    printf("  evidence   %s, confidence %.0f %%\n", evidence_name[f->verdict.evidence],
           f->verdict.confidence * 100);
    printf("  state      %s, seen %d of %d times\n", finding_state_name[f->state], f->seen,
           f->tried);
    printf("  found      %s, campaign %lld\n", cli_time(f->found_at, at), (long long)f->campaign);
    printf("  made by    %s   (%s %s)\n", command.s, made->generator, made->version);
    strbuf_release(&command);
    printf("  program    %zu bytes, %s%s\n\n", program_size(&s->program), f->program,
           s->program.build_only ? ", is built and never run" : "");
    int differs = first_difference(s);
    char title[64] = "output";
    if (differs)
        snprintf(title, sizeof title, "output, line %d", differs + 1);
    printf("  %-24s %-14s %-34s %s\n", "testbed", "outcome", title, "verdict");
    const char *messages = "", *output = "";
    for (int i = 0; i < s->n; i++) {
        const struct store_observation *o = &s->observations[i];
        bool ok = o->observation.outcome == OUTCOME_OK;
        const char *what = ok ? line_of(o->observation.output, differs) : o->observation.detail;
        size_t line = strcspn(what, "\n");
        printf("  %-24s %-14s %-34.*s %s\n", o->testbed, outcome_name[o->observation.outcome],
               (int)(ok ? (line < 34 ? line : 34) : 34), what,
               o->verdict.anomaly ? anomaly_name[o->verdict.anomaly] : "");
        if (!strcmp(o->testbed, f->testbed)) {
            messages = o->observation.messages;
            output = o->observation.output;
        }
    }
    print_text("what the compiler said:", messages, "  ");
    print_text("what the program printed:", output, "  ");
}

static void print_json(const struct shown *s)
{
    const struct finding *f = &s->finding;
    json_t *files = json_array(), *observations = json_array();
    for (int i = 0; i < s->program.n_files; i++)
        json_array_append_new(files,
                              json_pack("{s:s,s:s%}", "name", s->program.files[i].name, "text",
                                        s->program.files[i].text, s->program.files[i].size));
    for (int i = 0; i < s->n; i++) {
        const struct store_observation *o = &s->observations[i];
        /* Output of a broken program may be no UTF-8; jansson then gives NULL. */
        json_t *output = json_string(o->observation.output);
        json_t *messages = json_string(o->observation.messages);
        json_array_append_new(
            observations,
            json_pack("{s:s,s:s,s:s,s:s,s:s,s:o,s:o,s:s,s:f,s:f,s:I}", "testbed", o->testbed,
                      "flags", o->observation.flags, "outcome",
                      outcome_name[o->observation.outcome], "detail", o->observation.detail,
                      "output_hash", o->observation.output_hash, "output",
                      output ? output : json_null(), "messages", messages ? messages : json_null(),
                      "verdict", anomaly_name[o->verdict.anomaly], "build_cpu_s",
                      (double)o->observation.build.cpu_us / 1e6, "run_cpu_s",
                      (double)o->observation.run.cpu_us / 1e6, "build_peak_kb",
                      (json_int_t)o->observation.build.peak_kb));
    }
    json_t *all = json_pack(
        "{s:I,s:s,s:s,s:s,s:s,s:f,s:s,s:i,s:i,s:I,s:s,s:b,s:{s:s,s:s,s:s,s:I},s:s,s:o,s:o}", "id",
        (json_int_t)f->id, "signature", f->signature, "kind", anomaly_name[f->verdict.anomaly],
        "testbed", f->testbed, "evidence", evidence_name[f->verdict.evidence], "confidence",
        f->verdict.confidence, "state", finding_state_name[f->state], "seen", f->seen, "tried",
        f->tried, "found_at", (json_int_t)f->found_at, "program", f->program, "build_only",
        s->program.build_only, "made", "generator", s->program.made.generator, "version",
        s->program.made.version, "config", s->program.made.config, "seed", (json_int_t)f->seed,
        "commands", s->commands, "files", files, "observations", observations);
    cli_print_json(all, false);
}

static int show_incidents(struct store *s, struct arena *a, bool json, struct error *e)
{
    json_t *array = json_array();
    struct store_campaign *campaigns;
    int n;
    char at[32];
    int status = store_campaigns(s, a, &campaigns, &n, e);
    for (int i = 0; !status && i < n; i++) {
        struct store_incident *list;
        int m = 0;
        status = store_incidents(s, campaigns[i].id, a, &list, &m, e);
        for (int k = 0; !status && k < m; k++) {
            if (json)
                json_array_append_new(
                    array, json_pack("{s:I,s:I,s:I,s:s}", "campaign", (json_int_t)campaigns[i].id,
                                     "seed", (json_int_t)list[k].seed, "at", (json_int_t)list[k].at,
                                     "what", list[k].what));
            else
                printf("%s  campaign %lld, seed %llu: %s\n", cli_time(list[k].at, at),
                       (long long)campaigns[i].id, (unsigned long long)list[k].seed, list[k].what);
        }
    }
    if (!status && json)
        cli_print_json(array, false);
    else
        json_decref(array);
    return status;
}

static int run(int argc, char **argv)
{
    const char *dir = ".", *output = NULL;
    bool json = false;
    int rest, status;
    struct error e = {0};
    struct store *store;
    const struct option_spec specs[] = {
        {'d', "dir", OPTION_TEXT, "DIR", "folder of the campaign (default: this one)", &dir, NULL},
        {'o', "output", OPTION_TEXT, "DIR", "write the program's files into this folder", &output,
         NULL},
        {0, "json", OPTION_FLAG, NULL, "print JSON, program and all", &json, NULL},
    };
    enum { N = sizeof specs / sizeof *specs };
    if (!cli_parse(&command_show, specs, N, argc, argv, &rest, &status))
        return status;
    if (rest != 1)
        return cli_usage(&command_show, "name one finding (`assay bugs` lists them)");
    if (cli_open_store(dir, &store, &e))
        return cli_fail(&e);
    struct arena a;
    struct shown shown = {0};
    arena_init(&a);
    if (!strcmp(argv[0], "incidents")) {
        status = show_incidents(store, &a, json, &e);
    } else {
        status = load(store, argv[0], &a, &shown, &e);
        if (!status && output)
            status = fs_make_dirs(output, &e) ? -1 : program_write(&shown.program, output, &e);
        if (!status && json)
            print_json(&shown);
        else if (!status)
            print(&shown);
    }
    arena_release(&a);
    store_close(store);
    return status ? cli_fail(&e) : EXIT_CLEAN;
}

const struct command command_show = {
    .name = "show",
    .summary = "show one finding with all its evidence",
    .usage = "assay show ID|incidents [options]",
    .text =
        "Shows who misbehaved, what every testbed did, what the compiler said, and how to make\n"
        "the program again. `assay show incidents` lists seeds on which a worker or a generator\n"
        "died.",
    .example = "  assay show 17\n  assay show 17 -o bug17",
    .run = run,
};
