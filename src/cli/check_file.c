/* One file is judged as a test of a campaign is, with two differences. Its first comment may say
 * what it prints (program_announced_output): whoever prints something else is wrong. And where the
 * oracle accuses nobody, because there are too few voters, any difference between testbeds of one
 * model is still told, as a disagreement of those that differ: whoever checks a program with two
 * compilers wants to know that they differ, though nobody knows who is right. */
#include "cli/check_file.h"
#include "base/fs.h"
#include "base/json.h"
#include "base/text.h"

enum {
    SHOWN_LINES = 20, /* of an output */
    SHOWN_BYTES = 4000,
    MESSAGE_LINES = 5,
};

struct check {
    const char *path;
    struct test_setup setup;
    struct program program;
    struct observation *seen; /* of each testbed */
    struct verdict *verdicts;
    int *groups;      /* test_groups */
    bool *disagree;   /* it is one of those that differ, and nobody knows who is right */
    bool any_differs; /* there are such */
    struct arena arena;
};

static int load(struct check *c, const char *language, const char *needs, struct error *e)
{
    struct program_file *file = arena_new(&c->arena, struct program_file);
    int status = program_file_read(c->path, 64 << 20, &c->arena, file, e);
    if (status) {
        e->kind = ERROR_USAGE;
        return -1;
    }
    if (!fs_is_plain_name(file->name)) /* -c.c, @x.c: no compiler gets it as it is */
        file->name = arena_printf(&c->arena, "_%s", file->name);
    c->program = (struct program){.language = language,
                                  .files = file,
                                  .n_files = 1,
                                  .needs = needs ? needs : program_announced_needs(file),
                                  .expected = program_announced_output(file, &c->arena),
                                  .made = {"file", "", c->path, 0, NULL}};
    return 0;
}

/* -- who differs ------------------------------------------------------------------------------- */

static bool has_opinion(const struct check *c, int i)
{
    return c->groups[i] >= 0;
}

/* Is what it did known to be wrong? Time and memory say nothing of that. */
static bool is_accused(const struct verdict *v)
{
    return v->anomaly != ANOMALY_NONE && !v->of_group && v->anomaly != ANOMALY_SLOW_COMPILE &&
           v->anomaly != ANOMALY_MEMORY;
}

/* Of those of one model that nobody accuses, all must have done the same. */
static void find_differences(struct check *c)
{
    int n = c->setup.n_testbeds;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            if (has_opinion(c, i) && has_opinion(c, k) && c->groups[i] != c->groups[k] &&
                !is_accused(&c->verdicts[i]) && !is_accused(&c->verdicts[k]) &&
                !strcmp(c->setup.testbeds[i].model, c->setup.testbeds[k].model))
                c->disagree[i] = c->any_differs = true;
    for (int i = 0; i < n; i++)
        if (c->disagree[i])
            c->verdicts[i] = (struct verdict){ANOMALY_DISAGREEMENT, EVIDENCE_NONE, 0, true};
}

/* What everybody rejects is no program, whatever its comment says. */
static bool is_rejected(const struct check *c)
{
    for (int i = 0; i < c->setup.n_testbeds; i++)
        if (has_opinion(c, i) && c->seen[i].outcome != OUTCOME_BUILD_FAIL)
            return false;
    return true;
}

/* Are there two of one model? */
static bool is_compared(const struct check *c)
{
    for (int i = 0; i < c->setup.n_testbeds; i++)
        for (int k = 0; k < i; k++)
            if (has_opinion(c, i) && has_opinion(c, k) &&
                !strcmp(c->setup.testbeds[i].model, c->setup.testbeds[k].model))
                return true;
    return false;
}

/* -- telling it -------------------------------------------------------------------------------- */

/* A text of others, indented, and no more of it than people read. */
static void print_text(struct bytes text, int most_lines)
{
    size_t at = 0;
    for (int i = 0; i < most_lines && at < text.size && at < SHOWN_BYTES; i++) {
        const char *line = text.data + at;
        const char *newline = memchr(line, '\n', text.size - at);
        size_t n = newline ? (size_t)(newline - line) : text.size - at;
        struct strbuf shown;
        strbuf_init(&shown, 0);
        text_visible(&shown, (struct bytes){line, at + n > SHOWN_BYTES ? SHOWN_BYTES - at : n});
        text_print(stdout, "    %s\n", shown.s);
        strbuf_release(&shown);
        at += n + (newline != NULL);
    }
    if (at < text.size || at > SHOWN_BYTES)
        text_print(stdout, "    ... (%zu bytes in all)\n", text.size);
}

static bool was_run(const struct observation *o)
{
    return o->outcome == OUTCOME_OK || o->outcome == OUTCOME_RUN_CRASH ||
           o->outcome == OUTCOME_RUN_TIMEOUT;
}

/* Built, run, and exit status 0. */
static bool is_plain(const struct observation *o)
{
    return o->outcome == OUTCOME_OK && !strcmp(o->detail, "exit 0");
}

/* Do both have the same to show: the output of one group, or the same words? */
static bool shows_the_same(const struct check *c, int i, int k)
{
    if (!has_opinion(c, k) || was_run(&c->seen[i]) != was_run(&c->seen[k]))
        return false;
    return was_run(&c->seen[i]) ? c->groups[i] == c->groups[k]
                                : c->seen[i].outcome == c->seen[k].outcome &&
                                      !strcmp(c->seen[i].messages, c->seen[k].messages);
}

/* "gcc -O0, gcc -O3", "all"; they are those that show what testbed `first` does. */
static const char *names_of(struct check *c, int first)
{
    struct strbuf names;
    int others = 0, same = 0;
    strbuf_init(&names, 0);
    for (int i = 0; i < c->setup.n_testbeds; i++) {
        if (!has_opinion(c, i))
            continue;
        if (!shows_the_same(c, first, i)) {
            others++;
            continue;
        }
        strbuf_addf(&names, "%s%s", names.n ? ", " : "", c->setup.testbeds[i].name);
        same++;
    }
    if (!others && same > 1) {
        strbuf_release(&names);
        return "all";
    }
    return strbuf_keep(&names, &c->arena);
}

static void print_shown(struct check *c, int first)
{
    const struct observation *o = &c->seen[first];
    const char *who = names_of(c, first);
    bool one = strcmp(who, "all") != 0 && !strstr(who, ", "), ran = was_run(o);
    struct bytes text = ran ? o->output : bytes_of(o->messages);
    const char *verb = ran ? one ? "prints" : "print" : one ? "says" : "say";
    bool more = ran && !is_plain(o);
    text_print(stdout, "  %s %s%s%s%s%s\n", who, verb, text.size ? "" : " nothing",
               more ? " (" : "", more ? o->detail : "", more ? ")" : "");
    print_text(text, ran ? SHOWN_LINES : MESSAGE_LINES);
}

/* What they printed, each text once, and what compilers said that built nothing. */
static void print_outputs(struct check *c)
{
    if (c->program.build_only)
        text_print(stdout, "  the program is built but not run: its behaviour may be undefined\n");
    for (int i = 0; i < c->setup.n_testbeds; i++) {
        bool told = !has_opinion(c, i) || (c->program.build_only && was_run(&c->seen[i]));
        for (int k = 0; k < i && !told; k++)
            told = has_opinion(c, k) && shows_the_same(c, i, k);
        if (!told)
            print_shown(c, i);
    }
    if (c->program.expected.data && !is_rejected(c)) {
        text_print(stdout, "  its first comment expects\n");
        print_text(c->program.expected, SHOWN_LINES);
    }
}

static void print_conclusion(const struct check *c)
{
    bool outputs = true, all_wrong = c->program.expected.data != NULL, suspect = false;
    for (int i = 0; i < c->setup.n_testbeds; i++) {
        outputs &= !c->disagree[i] || c->seen[i].outcome == OUTCOME_OK;
        all_wrong &= !has_opinion(c, i) || c->verdicts[i].anomaly == ANOMALY_WRONG_OUTPUT;
        suspect |= c->verdicts[i].anomaly == ANOMALY_SUSPECT;
    }
    if (c->any_differs)
        text_print(stdout, "  %s differ: it is not known which is right\n",
                   outputs ? "outputs" : "results");
    else if ((all_wrong || suspect) && !is_rejected(c))
        text_print(stdout, "  none prints the expected output: if you changed the program after "
                           "assay made it, remove its first comment\n");
    else if (!c->program.expected.data && !is_rejected(c) && !is_compared(c))
        text_print(stdout, "  there is nothing to compare with\n");
}

/* One line; of a program that was skipped, why it was. */
static const char *detail_of(struct check *c, const struct observation *o)
{
    bool skipped = o->outcome == OUTCOME_SKIPPED && !*o->detail;
    return skipped ? arena_memdup(&c->arena, o->messages, strcspn(o->messages, "\n")) : o->detail;
}

static void print_all(struct check *c)
{
    int width = 24;
    for (int i = 0; i < c->setup.n_testbeds; i++)
        if (strlen(c->setup.testbeds[i].name) > (size_t)width)
            width = (int)strlen(c->setup.testbeds[i].name);
    text_print(stdout, "%s\n", c->path);
    for (int i = 0; i < c->setup.n_testbeds; i++) {
        const struct observation *o = &c->seen[i];
        const struct verdict *v = &c->verdicts[i];
        text_print(stdout, "  %-*s %-14s %-*.100s", width, c->setup.testbeds[i].name,
                   outcome_name[o->outcome], v->anomaly ? 12 : 0, detail_of(c, o));
        if (v->of_group)
            text_print(stdout, " %s", anomaly_name[v->anomaly]);
        else if (v->anomaly)
            text_print(stdout, " %s (%s, %.0f %%)", anomaly_name[v->anomaly],
                       evidence_name[v->evidence], v->confidence * 100);
        putchar('\n');
    }
    print_outputs(c);
    print_conclusion(c);
}

static struct json *result_json(const struct testbed *t, const struct observation *o,
                                const struct verdict *v)
{
    return json_new("{s:s,s:s,s:s,s:i,s:y,s:s,s:s,s:s,s:s,s:f,s:f}", "testbed", t->name, "outcome",
                    outcome_name[o->outcome], "detail", o->detail, "exit_status", o->exit_status,
                    "output", o->output, "output_hash", o->output_hash, "messages", o->messages,
                    "verdict", anomaly_name[v->anomaly], "evidence", evidence_name[v->evidence],
                    "build_cpu_s", (double)o->build.cpu_us / 1e6, "run_cpu_s",
                    (double)o->run.cpu_us / 1e6);
}

static void print_json(const struct check *c)
{
    struct json *results = json_new("[]");
    for (int i = 0; i < c->setup.n_testbeds; i++)
        json_append(results, "o", result_json(&c->setup.testbeds[i], &c->seen[i], &c->verdicts[i]));
    json_print(json_new("{s:s,s:y,s:b,s:o}", "file", c->path, "expected", c->program.expected,
                        "differs", c->any_differs, "results", results),
               true);
}

/* -- the verdict ------------------------------------------------------------------------------- */

/* What its toolchain file says is the message; else the first line that says what is wrong. */
static const char *first_line(struct check *c, int i)
{
    const struct pattern *own = &c->setup.testbeds[i].message;
    const char *messages = text_cut_lines(&c->arena, c->seen[i].messages);
    regmatch_t m[2];
    if (own->text && !regexec(&own->regex, messages, 2, m, 0) && m[1].rm_so >= 0)
        return arena_memdup(&c->arena, messages + m[1].rm_so, (size_t)(m[1].rm_eo - m[1].rm_so));
    const char *line = strstr(messages, "error");
    while (line && line > messages && line[-1] != '\n')
        line--;
    line = line ? line : messages;
    return arena_memdup(&c->arena, line, strcspn(line, "\n"));
}

static int tell_rejected(struct check *c, struct error *e)
{
    for (int i = 0; i < c->setup.n_testbeds; i++)
        if (c->seen[i].outcome == OUTCOME_BUILD_FAIL)
            return error_set(e, ERROR_USAGE, "%s: no testbed builds it; %s: %.300s", c->path,
                             c->setup.testbeds[i].name, first_line(c, i));
    for (int i = 0; i < c->setup.n_testbeds; i++)
        if (!c->setup.testbeds[i].filter)
            return error_set(e, ERROR_ENVIRONMENT, "%s: no testbed could try it; %s: %.300s",
                             c->path, c->setup.testbeds[i].name, first_line(c, i));
    return error_set(e, ERROR_USAGE, "%s: filters alone do not build a program", c->path);
}

static int judge(struct check *c, bool json, struct error *e)
{
    int bad = 0;
    test_groups(&c->setup, &c->program, c->seen, &c->arena, c->groups);
    if (is_rejected(c)) /* nobody is to blame */
        memset(c->verdicts, 0, sizeof *c->verdicts * (size_t)c->setup.n_testbeds);
    find_differences(c);
    if (json)
        print_json(c);
    else
        print_all(c);
    for (int i = 0; i < c->setup.n_testbeds; i++)
        bad += c->verdicts[i].anomaly != ANOMALY_NONE;
    return is_rejected(c) ? tell_rejected(c, e) : bad > 0;
}

static int run(struct check *c, const struct check_options *o, struct error *e)
{
    struct runner runner;
    int n = c->setup.n_testbeds;
    if (runner_init(&runner, e))
        return -1;
    c->seen = arena_array(&c->arena, struct observation, n);
    c->verdicts = arena_array(&c->arena, struct verdict, n);
    c->groups = arena_array(&c->arena, int, n);
    c->disagree = arena_array(&c->arena, bool, n);
    runner.sandbox_none = o->no_sandbox;
    int status = test_try(&c->setup, &runner, &c->program, &c->arena, c->seen, c->verdicts, e);
    runner_release(&runner);
    return status ? -1 : judge(c, o->json, e);
}

int check_file(const char *path, const char *language, const struct check_options *o,
               const struct cli_data *data, struct error *e)
{
    struct cli_testbeds testbeds = {0};
    struct check c = {.path = path, .setup.oracle = oracle_defaults};
    arena_init(&c.arena);
    c.setup.oracle.majority = o->majority;
    int status = load(&c, language, o->needs, e);
    if (!status && !o->no_sandbox && child_sandbox_available(e))
        status = -1;
    if (!status)
        status = cli_testbeds_find(&testbeds, data, language, o->testbeds,
                                   o->all_flags ? CLI_FLAGS_ALL : CLI_FLAGS_DEFAULT, o->json, e);
    if (!status) {
        c.setup.testbeds = testbeds.list.at;
        c.setup.n_testbeds = (int)testbeds.list.n;
        status = run(&c, o, e);
    }
    cli_testbeds_release(&testbeds);
    arena_release(&c.arena);
    return status;
}
