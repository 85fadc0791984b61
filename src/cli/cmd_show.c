/* assay show: one finding with all that is known about it; or the incidents of a campaign.
 *
 * What was observed belongs to the finding alone. How small it became, what is to blame and what
 * people say of it is told as `assay bugs` tells it: a mark is that of the whole bug, whichever of
 * its findings bears it. */
#include "base/fs.h"
#include "base/json.h"
#include "base/text.h"
#include "bugs/bugs.h"
#include "cli/cli.h"

#include <inttypes.h>

struct shown {
    struct finding finding;
    struct program program;
    struct store_observation *observations;
    const char **outputs; /* of these, for people */
    int n;
    const struct store_observation *accused; /* that of the finding */
    const char *commands;                    /* how its testbed builds the program, line by line */
    int64_t slipped_from;                    /* the finding in whose reduction it showed; 0: none */
    bool slipped;                            /* in some reduction */
    struct bug_member of;                    /* what is known of the finding */
    const struct bug *bug;                   /* that it belongs to; NULL: in no list */
    struct program reduced;                  /* no files: there is none */
};

/* How the accused testbed built it, from its templates as they were then. */
static void find_commands(struct shown *s, struct arena *a)
{
    struct strbuf lines;
    strbuf_init(&lines, 0);
    for (int i = 0; i < s->n; i++)
        if (s->observations[i].testbed_id == s->finding.testbed_id)
            s->accused = &s->observations[i];
    if (s->accused) {
        const struct store_testbed *t = s->of.testbed;
        const char *drawn = s->accused->observation.flags;
        cli_commands(t, *drawn ? drawn : t->flags, t->compile, &s->program, &lines);
    }
    s->commands = strbuf_keep(&lines, a);
}

static int load_all(struct store *s, const char *id, struct arena *a, struct shown *out,
                    struct error *e)
{
    struct bug_list l;
    struct finding *f = &out->finding;
    if (cli_find(s, id, a, f, e) || store_program(s, f->program, a, &out->program, e) ||
        store_observations(s, f->campaign, f->seed, a, &out->observations, &out->n, e) ||
        bugs_load_with(s, f, a, &l, &out->of, e))
        return -1;
    out->outputs = arena_array(a, const char *, out->n);
    for (int i = 0; i < out->n; i++)
        out->outputs[i] = text_shown(a, out->observations[i].observation.output);
    out->bug = l.n ? l.bugs : NULL;
    find_commands(out, a);
    const struct store_reduction *r = out->of.reduction;
    if (r && *r->program && store_program(s, r->program, a, &out->reduced, e))
        return -1;
    return bugs_slipped_from(s, f, &out->program, a, &out->slipped, &out->slipped_from, e);
}

static int load(struct store *s, const char *id, struct arena *a, struct shown *out,
                struct error *e)
{
    if (store_view(s, e))
        return -1;
    int status = load_all(s, id, a, out, e);
    store_view_end(s);
    return status;
}

static void print_text(const char *title, const char *text, const char *indent)
{
    if (!*text)
        return;
    text_print(stdout, "\n%s\n", title);
    int lines = 0;
    while (*text && lines++ < 40) {
        size_t n = strcspn(text, "\n");
        text_print(stdout, "%s%.*s\n", indent, (int)n, text);
        text += n + (text[n] == '\n');
    }
    if (*text)
        text_print(stdout, "%s... (--json has it all)\n", indent);
}

static void print_commands(const char *commands)
{
    const char *title = "built by";
    for (const char *line = commands; *line; title = "") {
        size_t n = strcspn(line, "\n");
        text_print(stdout, "  %-10s %.*s\n", title, (int)n, line);
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
            const char *here = line_of(s->outputs[i], line);
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

/* How to make the program again; of one that slipped in, where it came from. */
static void print_origin(const struct shown *s)
{
    const struct provenance *made = &s->program.made;
    struct strbuf command;
    if (s->of.imported) { /* from a baseline */
        text_print(stdout, "  taken from a baseline (assay run --baseline)\n");
        return;
    }
    strbuf_init(&command, 0);
    gen_command(made->generator, made->config, s->slipped ? made->seed : s->finding.seed, &command);
    if (s->slipped_from)
        text_print(stdout, "  slipped    from finding %" PRId64 ", during its reduction\n",
                   s->slipped_from);
    text_print(stdout, "  %-10s %s   (%s %s)\n", s->slipped ? "taken from" : "made by", command.s,
               made->generator, made->version);
    strbuf_release(&command);
}

static void print_reduction(const struct shown *s)
{
    const struct store_reduction *r = s->of.reduction;
    if (!r)
        return;
    if (r->state == REDUCTION_FAILED) {
        text_print(stdout, "  reduced    failed: %s\n", r->why);
        return;
    }
    text_print(stdout, "  reduced    %s", r->state == REDUCTION_BEGUN ? "begun, " : "");
    if (s->reduced.n_files)
        text_print(stdout, "from %" PRId64 " to %" PRId64 " bytes, %d lines with the comment, ",
                   r->from_bytes, r->bytes, program_lines(&s->reduced));
    text_print(stdout, "%s%s%s%" PRId64 " tests\n", *r->method ? "by " : "", r->method,
               *r->method ? ", " : "", r->tests);
    if (*r->flags)
        text_print(stdout, "  flags left %s\n", r->flags);
}

static void print_blame(const struct store_blame *b)
{
    if (!b)
        return;
    if (*b->pass)
        text_print(stdout, "  blamed on  %s%s%s%s\n", b->pass, *b->detail ? " (" : "", b->detail,
                   *b->detail ? ")" : "");
    if (*b->first_bad)
        text_print(stdout, "  first bad  %s%s%s\n", b->first_bad,
                   *b->last_good ? ", last good " : "", b->last_good);
    if (*b->last_bad)
        text_print(stdout, "  last bad   %s%s%s\n", b->last_bad,
                   *b->next_good ? ", right again " : "", b->next_good);
}

/* Of one that is in no list, what was said of itself. */
static enum mark mark_of(const struct shown *s)
{
    return s->bug ? bug_mark(s->bug) : s->of.mark ? s->of.mark->mark : MARK_NONE;
}

static const char *note_of(const struct shown *s)
{
    return s->bug ? bug_note(s->bug) : s->of.mark ? s->of.mark->note : "";
}

static void print_bug(const struct shown *s)
{
    const struct bug *b = s->bug;
    if (b && b->n_members > 1)
        text_print(stdout,
                   "  bug        of %d findings, listed by `assay bugs` as %" PRId64 ": %s\n",
                   b->n_members, b->first->finding->id, b->because);
    if (b && b->n_slips)
        text_print(stdout, "  slips      %d slip%s of it not reduced yet: `assay reduce --all`\n",
                   b->n_slips, b->n_slips == 1 ? "" : "s");
    if ((b && b->again) || mark_of(s) != MARK_NONE)
        text_print(stdout, "  mark       %s%s%s\n", b ? bug_mark_name(b) : mark_name[mark_of(s)],
                   *note_of(s) ? ": " : "", note_of(s));
}

static void print_observations(const struct shown *s)
{
    int differs = first_difference(s);
    char title[64] = "output";
    if (differs)
        snprintf(title, sizeof title, "output, line %d", differs + 1);
    int width = 24;
    for (int i = 0; i < s->n; i++)
        if (strlen(s->observations[i].testbed) > (size_t)width)
            width = (int)strlen(s->observations[i].testbed);
    text_print(stdout, "  %-*s %-14s %-34s %s\n", width, "testbed", "outcome", title, "verdict");
    for (int i = 0; i < s->n; i++) {
        const struct store_observation *o = &s->observations[i];
        bool ok = o->observation.outcome == OUTCOME_OK && !s->program.build_only;
        bool skipped = o->observation.outcome == OUTCOME_SKIPPED && !*o->observation.detail;
        const char *what = ok        ? line_of(s->outputs[i], differs)
                           : skipped ? o->observation.messages
                                     : o->observation.detail;
        int line = (int)strcspn(what, "\n"), most = skipped ? 100 : 34;
        text_print(stdout, "  %-*s %-14s %-34.*s %s\n", width, o->testbed,
                   outcome_name[o->observation.outcome], line < most ? line : most, what,
                   o->verdict.anomaly ? anomaly_name[o->verdict.anomaly] : "");
    }
}

/* Why a program that could be run is not: what a filter or a warning says. A program that is not
 * run has no other end of a run. */
static void print_not_run(const struct shown *s)
{
    for (int i = 0; s->program.build_only && i < s->n; i++) {
        const struct observation *o = &s->observations[i].observation;
        if (o->outcome == OUTCOME_RUN_CRASH || o->outcome == OUTCOME_RUN_TIMEOUT ||
            !strncmp(o->detail, "suspect: ", 9))
            text_print(stdout, "  not run    %s: %s\n", s->observations[i].testbed, o->detail);
    }
}

static void print(const struct shown *s)
{
    char at[32];
    const struct finding *f = &s->finding;
    text_print(stdout, "finding %lld: %s\n\n", (long long)f->id, f->signature);
    text_print(stdout, "  kind       %s: %s\n", anomaly_name[f->verdict.anomaly],
               anomaly_help[f->verdict.anomaly]);
    text_print(stdout, "  testbed    %s\n", f->testbed);
    if (s->accused && *s->accused->observation.flags)
        text_print(stdout, "  flags      %s\n", s->accused->observation.flags);
    print_commands(s->commands);
    text_print(stdout, "  evidence   %s, confidence %.0f %%\n", evidence_name[f->verdict.evidence],
               f->verdict.confidence * 100);
    text_print(stdout, "  state      %s, seen %d of %d times\n", finding_state_name[f->state],
               f->seen, f->tried);
    text_print(stdout, "  found      %s, campaign %lld\n", cli_time(f->found_at, at),
               (long long)f->campaign);
    print_origin(s);
    text_print(stdout, "  program    %zu bytes, %s%s\n", program_size(&s->program), f->program,
               s->program.build_only ? ", built but never run" : "");
    print_not_run(s);
    print_reduction(s);
    print_blame(s->of.blame);
    print_bug(s);
    putchar('\n');
    print_observations(s);
    if (s->accused) {
        print_text("what the compiler said:", s->accused->observation.messages, "  ");
        print_text("what the program printed:", s->outputs[s->accused - s->observations], "  ");
    }
}

static struct json *reduction_json(const struct shown *s)
{
    const struct store_reduction *r = s->of.reduction;
    if (!r)
        return json_new("n");
    return json_new("{s:s,s:s,s:i,s:I,s:I,s:s,s:s,s:I,s:s,s:o}", "state",
                    reduction_state_name[r->state], "program", r->program, "lines",
                    program_lines(&s->reduced), "bytes", (int64_t)r->bytes, "from_bytes",
                    (int64_t)r->from_bytes, "flags", r->flags, "method", r->method, "tests",
                    (int64_t)r->tests, "why", r->state == REDUCTION_FAILED ? r->why : "", "files",
                    program_files_json(&s->reduced));
}

static struct json *observations_json(const struct shown *s)
{
    struct json *observations = json_new("[]");
    for (int i = 0; i < s->n; i++) {
        const struct store_observation *o = &s->observations[i];
        json_append(observations, "{s:s,s:s,s:s,s:s,s:s,s:y,s:s,s:s,s:f,s:f,s:I}", "testbed",
                    o->testbed, "flags", o->observation.flags, "outcome",
                    outcome_name[o->observation.outcome], "detail", o->observation.detail,
                    "output_hash", o->observation.output_hash, "output", o->observation.output,
                    "messages", o->observation.messages, "verdict",
                    anomaly_name[o->verdict.anomaly], "build_cpu_s",
                    (double)o->observation.build.cpu_us / 1e6, "run_cpu_s",
                    (double)o->observation.run.cpu_us / 1e6, "build_peak_kb",
                    (int64_t)o->observation.build.peak_kb);
    }
    return observations;
}

static void print_json(const struct shown *s)
{
    const struct finding *f = &s->finding;
    struct json *all = json_new(
        "{s:I,s:s,s:s,s:s,s:s,s:f,s:s,s:i,s:i,s:I,s:s,s:b,s:{s:s,s:s,s:s,s:I},s:s,s:o,s:o,"
        "s:o,s:o,s:b,s:s,s:s,s:o}",
        "id", (int64_t)f->id, "signature", f->signature, "kind", anomaly_name[f->verdict.anomaly],
        "testbed", f->testbed, "evidence", evidence_name[f->verdict.evidence], "confidence",
        f->verdict.confidence, "state", finding_state_name[f->state], "seen", f->seen, "tried",
        f->tried, "found_at", (int64_t)f->found_at, "program", f->program, "build_only",
        s->program.build_only, "made", "generator", s->program.made.generator, "version",
        s->program.made.version, "config", s->program.made.config, "seed",
        (int64_t)(s->slipped ? s->program.made.seed : f->seed), "commands", s->commands, "files",
        program_files_json(&s->program), "observations", observations_json(s), "reduced",
        reduction_json(s), "blame", store_blame_json(s->of.blame), "known", s->bug && s->bug->known,
        "mark", mark_name[mark_of(s)], "note", note_of(s), "slipped_from",
        s->slipped_from ? json_new("I", (int64_t)s->slipped_from) : json_new("n"));
    json_print(all, false);
}

static int show_incidents(struct store *s, struct arena *a, bool json, struct error *e)
{
    struct json *array = json_new("[]");
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
                json_append(array, "{s:I,s:I,s:I,s:s}", "campaign", (int64_t)campaigns[i].id,
                            "seed", (int64_t)list[k].seed, "at", (int64_t)list[k].at, "what",
                            list[k].what);
            else
                text_print(stdout, "%s  campaign %lld, seed %llu: %s\n", cli_time(list[k].at, at),
                           (long long)campaigns[i].id, (unsigned long long)list[k].seed,
                           list[k].what);
        }
    }
    if (!status && json)
        json_print(array, false);
    else
        json_drop(array);
    return status;
}

/* The program that is asked for, to a folder or to standard output. */
static int show_program(const struct shown *s, bool reduced, const char *output, struct error *e)
{
    const struct program *p = reduced ? &s->reduced : &s->program;
    if (!p->n_files)
        return error_set(e, ERROR_USAGE,
                         "finding %" PRId64 " has no reduced program: `assay reduce %" PRId64
                         "` makes one",
                         s->finding.id, s->finding.id);
    if (output)
        return fs_make_dirs(output, e) ? -1 : program_write(p, output, e);
    cli_print_program(p);
    return 0;
}

int cmd_show(int argc, char **argv)
{
    const char *dir = ".", *output = NULL;
    bool json = false, reduced = false;
    int rest, status;
    struct error e = {0};
    struct store *store;
    const struct option_spec specs[] = {
        CLI_DIR(&dir),
        TEXT('o', "output", "DIR", "write the program's files into this folder", &output),
        FLAG(0, "reduced", "print only the reduced program", &reduced),
        FLAG(0, "json", "print JSON, with the program", &json),
    };
    if (!cli_parse(&command_show, OPTIONS(specs), argc, argv, &rest, &status))
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
        if (!status && (output || (reduced && !json)))
            status = show_program(&shown, reduced, output, &e);
        if (!status && json)
            print_json(&shown);
        else if (!status && !reduced)
            print(&shown);
    }
    arena_release(&a);
    store_close(store);
    return status ? cli_fail(&e) : EXIT_CLEAN;
}
