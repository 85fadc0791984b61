/* assay spe judge and coverage: what interp says of variants, and which files it can run at all. */
#ifndef ASSAY_NO_SPE

#include "base/fs.h"
#include "base/json.h"
#include "base/map.h"
#include "base/text.h"
#include "cli/cmd_spe.h"
#include "gen/spe/observe.h"
#include "gen/spe/subject.h"

static struct subject_options options_of(const struct spe_command *c)
{
    struct subject_options o = {.skeleton = c->skeleton,
                                .mode = c->mode,
                                .hoist = c->hoist,
                                .observe = true,
                                .import = true};
    return o;
}

/* -- judge ------------------------------------------------------------------------------------- */

/* The variant as a program of two files in a folder of its own: DIR/NAME-RANK. */
static int write_variant(const struct spe_command *c, const struct subject *s, const char *rank,
                         const uint32_t *filling, struct error *e)
{
    struct strbuf path, text;
    strbuf_init(&path, 0);
    strbuf_init(&text, 0);
    const char *name = fs_name(s->path);
    strbuf_addf(&path, "%s/%.*s-%s", c->output, (int)(strlen(name) - 2), name, rank);
    int status = fs_make_dirs(path.s, e);
    size_t folder = path.n;
    if (!status) {
        strbuf_adds(&path, "/t.c");
        subject_render(s, filling, &text);
        status = fs_write(path.s, text.s, text.n, e);
    }
    if (!status && *s->added) {
        path.n = folder;
        strbuf_adds(&path, "/observer.c");
        status = fs_write(path.s, observe_file, strlen(observe_file), e);
    }
    strbuf_release(&path);
    strbuf_release(&text);
    return status;
}

static int judge_one(const struct spe_command *c, struct subject *s, const struct natural *rank,
                     uint32_t *filling, int tally[], struct error *e)
{
    struct strbuf expected, why, digits;
    int status;
    strbuf_init(&expected, 0);
    strbuf_init(&why, 0);
    strbuf_init(&digits, 0);
    natural_text(rank, &digits);
    spe_unrank(s->space, rank, filling);
    int64_t before = own_cpu_us();
    enum interp_verdict verdict = subject_judge(s, filling, &expected, &status, &why);
    int64_t cpu = own_cpu_us() - before;
    tally[verdict]++;
    if (c->json)
        json_print(json_new("{s:s,s:s,s:s,s:s,s:y,s:i,s:I}", "file", s->path, "rank", digits.s,
                            "verdict", interp_verdict_name[verdict], "why", why.s, "expected",
                            bytes_in(&expected), "status", status, "cpu_us", (int64_t)cpu),
                   true);
    else
        text_print(stdout, "%s %s: %s%s%s\n", s->path, digits.s, interp_verdict_name[verdict],
                   why.n ? ": " : "", why.s);
    int failed = c->output ? write_variant(c, s, digits.s, filling, e) : 0;
    strbuf_release(&expected);
    strbuf_release(&why);
    strbuf_release(&digits);
    return failed;
}

/* All of the variants where they are no more than asked for, else a sample. */
static int judge_file(const struct spe_command *c, const char *path, int tally[], struct error *e)
{
    struct subject s;
    struct subject_options o = options_of(c);
    if (subject_open(path, &o, &s, e))
        return -1;
    uint64_t number = c->number ? c->number : (uint64_t)c->threshold;
    bool all = natural_compare_u64(spe_count(s.space), number) <= 0;
    uint32_t *filling = arena_array(&s.arena, uint32_t, s.skeleton.n_holes + 1);
    struct natural rank;
    struct choice choice;
    natural_init(&rank);
    choice_init_random(&choice, c->seed ^ map_hash(fs_name(path), strlen(fs_name(path))));
    int failed = 0;
    for (uint64_t i = 0; !failed && i < number; i++) {
        natural_set_u64(&rank, i);
        if (natural_compare(&rank, spe_count(s.space)) >= 0)
            break;
        if (!all)
            natural_random(&rank, spe_count(s.space), &choice);
        failed = judge_one(c, &s, &rank, filling, tally, e);
    }
    choice_release(&choice);
    natural_clear(&rank);
    subject_close(&s);
    return failed;
}

int spe_judge(struct spe_command *c, int n, char **words)
{
    struct arena a;
    struct error e = {0};
    spe_paths files = {0};
    int tally[INTERP_N_VERDICTS] = {0}, refused = 0;
    if (c->mode == SPE_PAPER)
        return cli_usage(&command_spe, "mode paper only counts: it has no variants to judge");
    arena_init(&a);
    int failed = spe_find_files(&a, n, words, &files, &e);
    for (size_t i = 0; !failed && i < files.n; i++)
        if (judge_file(c, files.at[i], tally, &e)) {
            failed = e.kind == ERROR_ENVIRONMENT || files.n == 1;
            refused++;
        }
    if (!failed && !c->json)
        text_print(stdout, "%d defined, %d undefined, %d endless, %d undecided; %d files refused\n",
                   tally[INTERP_DEFINED], tally[INTERP_UNDEFINED], tally[INTERP_ENDLESS],
                   tally[INTERP_UNDECIDED], refused);
    vec_release(&files);
    arena_release(&a);
    return failed ? cli_fail(&e) : 0;
}

/* -- coverage ---------------------------------------------------------------------------------- */

struct coverage {
    int files, parsed, imported;
    struct map reasons; /* the first unsupported construct: how many files */
};

static const char *without_prefix(const char *message)
{
    static const char prefix[] = "unsupported: ";
    return strncmp(message, prefix, strlen(prefix)) ? message : message + strlen(prefix);
}

static void cover_file(struct coverage *v, const struct spe_command *c, const char *path,
                       struct json *list)
{
    const struct parse_options none = {0};
    struct arena a;
    struct parsed parsed;
    struct import import;
    struct cc_program program;
    struct error e = {0};
    arena_init(&a);
    cc_program_init(&program, &a, &cc_lp64);
    bool is_parsed = !parsed_load(path, &none, &a, &parsed, &e);
    bool imported = is_parsed && !cc_import(&parsed, path, &program, &import, &e);
    const char *why = imported ? "" : without_prefix(e.message);
    v->files++;
    v->parsed += is_parsed;
    v->imported += imported;
    if (is_parsed && !imported)
        map_put_str(&v->reasons, why, NULL)->value.number++;
    if (c->json)
        json_append(list, "{s:s,s:b,s:b,s:s,s:i}", "file", path, "parsed", is_parsed, "imported",
                    imported, "why", why, "line", e.line);
    else if (!imported)
        text_print(stdout, "%s:%d: %s%s\n", path, e.line, is_parsed ? "" : "clang: ", why);
    cc_program_release(&program);
    arena_release(&a);
}

static int by_number(const void *a, const void *b)
{
    const struct map_entry *x = a, *y = b;
    uint64_t m = x->value.number, n = y->value.number;
    return m != n ? ORDER(n, m) : strcmp(x->key, y->key);
}

static void print_coverage(struct coverage *v)
{
    double share = v->files ? 100.0 * v->imported / v->files : 0;
    if (v->reasons.n)
        qsort(v->reasons.entries, v->reasons.n, sizeof *v->reasons.entries, by_number);
    text_print(stdout, "\nwhat is not supported, by files that have it first\n");
    for (size_t i = 0; i < v->reasons.n; i++)
        text_print(stdout, "%6llu  %s\n", (unsigned long long)v->reasons.entries[i].value.number,
                   v->reasons.entries[i].key);
    text_print(
        stdout, "\n%d files, %d parsed, %d imported: %.1f %% of all, %.1f %% of the parsed\n",
        v->files, v->parsed, v->imported, share, v->parsed ? 100.0 * v->imported / v->parsed : 0);
}

int spe_coverage(struct spe_command *c, int n, char **words)
{
    struct arena a;
    struct error e = {0};
    spe_paths files = {0};
    struct coverage v = {0};
    struct json *list = c->json ? json_new("[]") : NULL;
    arena_init(&a);
    map_init(&v.reasons);
    int failed = spe_find_files(&a, n, words, &files, &e);
    for (size_t i = 0; !failed && i < files.n; i++) {
        cover_file(&v, c, files.at[i], list);
        spe_progress(i, files.n);
    }
    spe_progress(0, 0);
    if (!failed && c->json)
        json_print(json_new("{s:i,s:i,s:i,s:o}", "files", v.files, "parsed", v.parsed, "imported",
                            v.imported, "list", list),
                   true);
    else if (!failed)
        print_coverage(&v);
    else
        json_drop(list);
    map_release(&v.reasons);
    vec_release(&files);
    arena_release(&a);
    return failed ? cli_fail(&e) : 0;
}

#else
typedef int not_empty; /* C11 6.9p1: a file holds at least a declaration */
#endif
