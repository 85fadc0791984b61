/* assay bugs: what was found, one line per bug, in the order in which to look at them; and what is
 * known of them.
 *
 *     bugs            as bugs/bugs.h puts them together, each next one the least like those before
 *     bugs --all      every finding
 *     bugs mark       what a person says of one
 *     bugs recheck    is what is known still there? (inquiry/known.h)
 *     bugs export     all of them as a text for version control (bugs/baseline.h)
 *
 * A bug that is known or fixed is not in the list unless it is asked for: a line at the end says
 * how many there are. One that was fixed and has shown since is, as "again". */
#include "base/json.h"
#include "base/text.h"
#include "bugs/baseline.h"
#include "campaign/trust.h"
#include "cli/cli.h"
#include "inquiry/known.h"
#include "triage/signature.h"

#include <limits.h>

struct bugs_options {
    const char *dir, *testbed_dir, *note;
    struct cli_query which;
    bool all, known, json, trust;
};

/* -- printing ---------------------------------------------------------------------------------- */

static struct json *reduction_json(const struct bug_member *m)
{
    const struct store_reduction *r = m->reduction;
    if (!m->text)
        return json_new("n");
    return json_new("{s:s,s:s,s:i,s:I,s:I,s:s,s:s}", "state", reduction_state_name[r->state],
                    "program", r->program, "lines", text_lines(m->text, strlen(m->text)), "bytes",
                    (int64_t)r->bytes, "from_bytes", (int64_t)r->from_bytes, "flags", r->flags,
                    "method", r->method);
}

static const char *reduction_of(const struct bug_member *m)
{
    return m->reduction ? reduction_state_name[m->reduction->state] : "none";
}

static struct json *bug_json(const struct bug *b)
{
    const struct finding *f = b->first->finding;
    struct json *members = json_new("[]");
    for (int i = 0; i < b->n_members; i++)
        json_append(members, "I", (int64_t)b->members[i]->finding->id);
    return json_new(
        "{s:I,s:s,s:s,s:s,s:s,s:I,s:I,s:I,s:I,s:s,s:b,s:s,s:s,s:s,s:I,s:o,s:o,s:o}", "id",
        (int64_t)f->id, "name", b->name, "kind", anomaly_name[f->verdict.anomaly], "signature",
        f->signature, "testbeds", b->testbeds, "count", (int64_t)b->n_seen, "flaky",
        (int64_t)b->n_flaky, "first_at", (int64_t)b->first_at, "last_at", (int64_t)b->last_at,
        "because", b->because, "known", b->known, "mark", mark_name[bug_mark(b)], "note",
        bug_note(b), "reduction", reduction_of(b->first), "slips", (int64_t)b->n_slips, "reduced",
        reduction_json(b->first), "blame", store_blame_json(b->first->blame), "members", members);
}

static struct json *finding_json(const struct finding *f)
{
    return json_new("{s:I,s:I,s:I,s:s,s:s,s:s,s:f,s:s,s:s,s:i,s:i,s:I,s:s}", "id", (int64_t)f->id,
                    "campaign", (int64_t)f->campaign, "seed", (int64_t)f->seed, "testbed",
                    f->testbed, "kind", anomaly_name[f->verdict.anomaly], "evidence",
                    evidence_name[f->verdict.evidence], "confidence", f->verdict.confidence,
                    "signature", f->signature, "state", finding_state_name[f->state], "seen",
                    f->seen, "tried", f->tried, "found_at", (int64_t)f->found_at, "program",
                    f->program);
}

/* Is the reason, or what it quotes, in the signature already? */
static bool says_the_same(const char *signature, const char *because)
{
    const char *quoted = strstr(because, ": ");
    return strstr(signature, because) || (quoted && strstr(signature, quoted + 2));
}

static void print_bug(const struct bug *b, bool colour)
{
    char at[32], size[32] = "unreduced";
    const struct finding *f = b->first->finding;
    bool dim = colour && bug_is_closed(b);
    if (b->first->text)
        snprintf(size, sizeof size, "%d/%lld%s", text_lines(b->first->text, strlen(b->first->text)),
                 (long long)b->first->reduction->bytes,
                 bug_reduced(b) == BUG_HALF_REDUCED ? "~" : "");
    bool more = *b->because && !says_the_same(f->signature, b->because);
    bool said = b->again || bug_mark(b) != MARK_NONE;
    fputs(dim ? "\033[2m" : "", stdout);
    text_print(stdout, "%-6lld %6d %-14s %-11s %-7s %-16s %s%s%s%s", (long long)f->id, b->n_seen,
               anomaly_name[f->verdict.anomaly], size, said ? bug_mark_name(b) : "-",
               cli_time(b->last_at, at), f->signature, more ? "; " : "", more ? b->because : "",
               b->n_flaky == b->n_members ? "  (flaky)" : "");
    puts(dim ? "\033[0m" : "");
}

/* What the list leaves out. `unseen`: of those that are known, by a baseline alone. */
static void print_rest(const struct bug_counts *c, int unseen)
{
    int seen = c->known - unseen, fixed = c->fixed;
    long long times = (long long)c->known_findings;
    if (seen)
        text_print(stdout, "%d known bug%s seen %lld time%s", seen, seen == 1 ? "" : "s", times,
                   times == 1 ? "" : "s");
    if (unseen)
        text_print(stdout, "%s%d known bug%s not seen here", seen ? ", " : "", unseen,
                   unseen == 1 ? "" : "s");
    if (fixed)
        text_print(stdout, "%s%d fixed bug%s", c->known ? ", " : "", fixed, fixed == 1 ? "" : "s");
    if (c->known || fixed)
        text_print(stdout, ": --known shows %s\n", c->known + fixed == 1 ? "it" : "them");
}

static int list_bugs(struct store *s, const struct store_query *f, const struct bugs_options *o,
                     struct arena *a, struct error *e)
{
    struct bug_list l;
    if (bugs_load(s, f, a, &l, e))
        return -1;
    struct json *array = json_new("[]");
    struct bug_counts counts = {0};
    int shown = 0, half = 0, unseen = 0;
    for (int i = 0; i < l.n; i++) {
        const struct bug *b = &l.bugs[i];
        bug_count(&counts, b, b->n_seen);
        unseen += b->known && !b->n_seen;
        if (o->json)
            json_append(array, "o", bug_json(b));
        if (o->json || (bug_is_closed(b) && !o->known))
            continue;
        if (!shown++)
            text_print(stdout, "%-6s %6s %-14s %-11s %-7s %-16s %s\n", "id", "count", "kind",
                       "lines/bytes", "mark", "last seen", "signature; what they have in common");
        print_bug(b, cli_colour());
        half += bug_reduced(b) == BUG_HALF_REDUCED;
    }
    if (half)
        text_print(stdout, "~ half reduced: `assay reduce ID` resumes\n");
    if (o->json)
        json_print(array, false);
    else
        json_drop(array);
    if (!o->json && !l.n)
        text_print(stdout, "nothing found\n");
    if (!o->json && !o->known)
        print_rest(&counts, unseen);
    if (!o->json && l.n_slips)
        text_print(stdout, "%d slip%s of these not reduced yet: `assay reduce --all`\n", l.n_slips,
                   l.n_slips == 1 ? "" : "s");
    return counts.open > 0;
}

static int list_findings(struct store *s, const struct store_query *f, const struct bugs_options *o,
                         struct arena *a, struct error *e)
{
    struct finding *list;
    int n;
    if (store_findings(s, f, a, &list, &n, e))
        return -1;
    struct json *array = json_new("[]");
    if (!o->json && n)
        text_print(stdout, "%-6s %-14s %-10s %-12s %-24s %s\n", "id", "kind", "state", "seed",
                   "testbed", "signature");
    for (int i = 0; i < n; i++) {
        if (o->json)
            json_append(array, "o", finding_json(&list[i]));
        else
            text_print(stdout, "%-6lld %-14s %-10s %-12llu %-24s %s\n", (long long)list[i].id,
                       anomaly_name[list[i].verdict.anomaly], finding_state_name[list[i].state],
                       (unsigned long long)list[i].seed, list[i].testbed, list[i].signature);
    }
    if (o->json)
        json_print(array, false);
    else
        json_drop(array);
    if (!o->json && !n)
        text_print(stdout, "nothing found\n");
    return n > 0;
}

/* "nothing found" on a testbed that was never there would be no news. */
static int need_testbed(struct store *s, const char *name, struct arena *a, struct error *e)
{
    struct store_campaign *campaigns;
    int n;
    if (store_campaigns(s, a, &campaigns, &n, e))
        return -1;
    for (int i = 0; i < n; i++) {
        struct store_testbed *list;
        int m;
        if (store_testbeds(s, campaigns[i].id, a, &list, &m, e))
            return -1;
        for (int k = 0; k < m; k++)
            if (!strcmp(list[k].name, name) || !strcmp(list[k].toolchain, name))
                return 0;
    }
    return error_set(e, ERROR_USAGE, "--testbed: this campaign has no testbed or toolchain '%s'",
                     name);
}

static int list(const struct bugs_options *o, struct error *e)
{
    struct store_query query;
    if (cli_query(&o->which, &query, e))
        return -1;
    struct store *store;
    if (cli_open_store(o->dir, &store, e))
        return -1;
    struct arena a;
    arena_init(&a);
    int found = o->which.testbed ? need_testbed(store, o->which.testbed, &a, e) : 0;
    if (!found)
        found =
            o->all ? list_findings(store, &query, o, &a, e) : list_bugs(store, &query, o, &a, e);
    arena_release(&a);
    store_close(store);
    return found;
}

/* -- marking ----------------------------------------------------------------------------------- */

/* The store of a campaign that is there, to be written. */
static int open_to_write(const char *dir, struct store **out, struct error *e)
{
    char path[PATH_MAX];
    if (cli_open_store(dir, out, e)) /* says it all where there is none */
        return -1;
    store_close(*out);
    campaign_db_path(dir, path, sizeof path);
    return store_open(path, STORE_WRITE, out, e);
}

static int put_mark(struct store *s, const struct bug_member *m, enum mark mark, const char *note,
                    struct error *e)
{
    const char *signature = m->finding->signature;
    struct store_mark new = {.finding = m->finding->id,
                             .mark = mark,
                             .covers_signature = signature_evidence(signature) != NULL,
                             .note = note,
                             .version = m->testbed->version};
    return store_mark_put(s, &new, e);
}

/* A mark is for the whole bug: other marks in the same cluster would contradict it. Where nothing
 * but the mark tells which findings are meant, each has it. */
static int mark_bug(struct store *s, const struct finding *f, enum mark mark, const char *note,
                    struct arena *a, struct error *e)
{
    struct bug_list l;
    struct bug_member itself;
    if (bugs_load_with(s, f, a, &l, &itself, e) || put_mark(s, &itself, mark, note, e))
        return -1;
    const struct bug *b = l.n ? l.bugs : NULL;
    bool by_message = signature_evidence(f->signature) != NULL,
         waits = b && !by_message && !b->first->text;
    for (int i = 0; b && i < b->n_members; i++) {
        const struct bug_member *other = b->members[i];
        if (other->finding->id != f->id && (waits || (other->mark && !other->mark->same_as)) &&
            put_mark(s, other, mark, note, e))
            return -1;
    }
    int findings = b ? b->n_members : 1;
    text_print(stdout, "finding %lld is %s now; its bug has %d finding%s%s\n", (long long)f->id,
               mark_name[mark], findings, findings == 1 ? "" : "s",
               findings == 1 || by_message || waits
                   ? ""
                   : ", and findings that are similar once reduced will join it");
    return 0;
}

static int mark(const struct bugs_options *o, const char *id, const char *word, struct error *e)
{
    int as = mark_from_name(word);
    if (as < 0)
        return error_set(e, ERROR_USAGE,
                         "a bug cannot be marked '%s': it is known, fixed, wontfix or open", word);
    struct store *store;
    if (open_to_write(o->dir, &store, e))
        return -1;
    struct arena a;
    struct finding f;
    arena_init(&a);
    int status = cli_find(store, id, &a, &f, e);
    if (!status)
        status = mark_bug(store, &f, (enum mark)as, o->note ? o->note : "", &a, e);
    arena_release(&a);
    store_close(store);
    return status;
}

/* -- exporting --------------------------------------------------------------------------------- */

static int export_bugs(const struct bugs_options *o, struct error *e)
{
    struct store_query query;
    struct store *store;
    struct bug_list l;
    struct arena a;
    struct strbuf out;
    int silent = 0;
    if (cli_query(&o->which, &query, e) || cli_open_store(o->dir, &store, e))
        return -1;
    arena_init(&a);
    strbuf_init(&out, 1 << 30);
    int status = o->which.testbed ? need_testbed(store, o->which.testbed, &a, e) : 0;
    if (!status)
        status = bugs_load(store, &query, &a, &l, e);
    if (!status)
        status = baseline_write(store, &l, &out, &silent, e);
    if (!status && (out.truncated || fwrite(out.s, 1, out.n, stdout) != out.n || fflush(stdout)))
        status = error_set(e, ERROR_ENVIRONMENT, "the baseline cannot be written");
    if (!status && silent)
        text_print(stderr,
                   "assay: %d bug%s without a message not reduced: no finding will match %s "
                   "(assay reduce)\n",
                   silent, silent == 1 ? "" : "s", silent == 1 ? "it" : "them");
    strbuf_release(&out);
    arena_release(&a);
    store_close(store);
    return status;
}

/* -- checking again ---------------------------------------------------------------------------- */

struct rechecking {
    const struct bugs_options *o;
    int told;
};

static void tell(void *to, const struct known_checked *c)
{
    struct rechecking *r = to;
    r->told++;
    if (r->o->json)
        json_print(json_new("{s:I,s:s,s:s,s:s,s:s}", "finding", (int64_t)c->finding, "testbed",
                            c->testbed, "version", c->version, "before", c->before, "mark",
                            mark_name[c->mark]),
                   true);
    else
        known_print(c);
}

static int recheck_place(struct rechecking *r, struct store *s, struct inquiry_place *place,
                         struct error *e)
{
    struct cli_machine m = {0};
    if (r->o->testbed_dir)
        place->testbed_dir = r->o->testbed_dir;
    int status = cli_machine_for(&m, place, true, e);
    if (!status)
        status =
            known_recheck(s, m.testbeds.list.at, (int)m.testbeds.list.n, true, NULL, tell, r, e);
    cli_machine_release(&m);
    return status;
}

static void tell_rest(int known, int told)
{
    if (!known)
        puts("no bug is marked known: use `assay bugs mark ID known`");
    else if (told < known)
        text_print(stdout,
                   "%d of %d known bug%s could not be checked: the compiler is missing, or behaves "
                   "differently now\n",
                   known - told, known, known == 1 ? "" : "s");
}

static int recheck(const struct bugs_options *o, struct error *e)
{
    struct store *store;
    if (campaign_need_trust(o->dir, o->trust, e) || open_to_write(o->dir, &store, e))
        return -1;
    struct arena a;
    struct rechecking r = {.o = o};
    struct inquiry_place *places;
    int n = 0, known = 0;
    arena_init(&a);
    int status = known_count(store, &known, e) || known_places(store, &a, &places, &n, e) ? -1 : 0;
    for (int i = 0; i < n && !status; i++)
        status = recheck_place(&r, store, &places[i], e);
    if (!status && !o->json)
        tell_rest(known, r.told);
    arena_release(&a);
    store_close(store);
    return status;
}

/* -- the command ------------------------------------------------------------------------------- */

int cmd_bugs(int argc, char **argv)
{
    struct bugs_options o = {.dir = "."};
    int rest, status;
    struct error e = {0};
    const struct option_spec specs[] = {
        CLI_DIR(&o.dir),
        FLAG('a', "all", "list every finding, not one line per bug", &o.all),
        CLI_QUERY(&o.which),
        FLAG(0, "known", "also list bugs marked known, wontfix or fixed", &o.known),
        TEXT(0, "note", "TEXT", "with mark: a comment, such as the bug number", &o.note),
        TEXT(0, "testbed-dir", "DIR", "with recheck: a folder with your own toolchain files",
             &o.testbed_dir),
        CLI_TRUST(&o.trust),
        FLAG(0, "json", "print JSON", &o.json),
    };
    if (!cli_parse(&command_bugs, OPTIONS(specs), argc, argv, &rest, &status))
        return status;
    if (o.note && (rest == 0 || strcmp(argv[0], "mark") != 0))
        return cli_usage(&command_bugs, "--note goes with mark");
    if (rest > 0 && !strcmp(argv[0], "mark")) {
        if (rest != 3)
            return cli_usage(&command_bugs, "bugs mark ID known|fixed|wontfix|open");
        status = mark(&o, argv[1], argv[2], &e);
    } else if (rest == 1 && !strcmp(argv[0], "recheck")) {
        status = recheck(&o, &e);
    } else if (rest == 1 && !strcmp(argv[0], "export")) {
        status = export_bugs(&o, &e);
    } else if (rest > 0 && !strcmp(argv[0], "export")) {
        return cli_usage(&command_bugs, "export takes no number: it writes all bugs");
    } else if (rest > 0 && !strcmp(argv[0], "recheck")) {
        return cli_usage(&command_bugs, "recheck takes no number: it tries all known bugs");
    } else if (rest > 0) {
        return cli_usage(&command_bugs, "'%s' is neither mark nor recheck nor export", argv[0]);
    } else {
        status = list(&o, &e);
    }
    return status < 0 ? cli_fail(&e) : status ? EXIT_FINDINGS : EXIT_CLEAN;
}
