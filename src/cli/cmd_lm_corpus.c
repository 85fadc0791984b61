/* assay lm corpus: real programs in one style, for `assay lm train` (gen/lm/corpus.h). */
#include "base/fs.h"
#include "base/json.h"
#include "base/text.h"
#include "cli/cli.h"
#include "cli/cmd_lm.h"
#include "gen/lm/corpus.h"

#include <unistd.h>

struct request {
    const char *language, *out;
    int64_t jobs, most_bytes, alike;
    bool quiet, json;
};

static void show_progress(void *to, const char *what, uint32_t done, uint32_t n)
{
    const struct request *s = to;
    if (!s->quiet && isatty(STDERR_FILENO))
        text_print(stderr, "\r%u of %u %s   ", done, n, what);
}

/* -- results ---------------------------------------------------------------------------------- */

static struct lm_package total_of(const struct lm_corpus_result *r)
{
    struct lm_package total = {.name = "all", .licences = ""};
    for (size_t i = 0; i < r->packages.n; i++) {
        total.files += r->packages.at[i].files;
        total.bytes += r->packages.at[i].bytes;
        for (int f = 0; f < LM_FATES; f++)
            total.fates[f] += r->packages.at[i].fates[f];
    }
    return total;
}

static void print_row(const struct lm_package *p)
{
    text_print(stdout, "%-20s %6u %8.1f", p->name, p->files, (double)p->bytes / 1024);
    for (int f = 0; f < LM_FATES; f++)
        text_print(stdout, " %10u", p->fates[f]);
    puts("");
}

static void print_table(const struct lm_corpus_result *r)
{
    struct lm_package total = total_of(r);
    text_print(stdout, "%-20s %6s %8s", "package", "files", "KiB");
    for (int f = 0; f < LM_FATES; f++)
        text_print(stdout, " %10s", lm_fate_name[f]);
    puts("");
    for (size_t i = 0; i < r->packages.n; i++)
        print_row(&r->packages.at[i]);
    if (r->packages.n > 1)
        print_row(&total);
}

static struct json *package_json(const struct lm_package *p)
{
    struct json *dropped = json_new("{}");
    for (int f = LM_FATE_KEPT + 1; f < LM_FATES; f++)
        json_extend(dropped, "{s:I}", lm_fate_name[f], (int64_t)p->fates[f]);
    return json_new("{s:s,s:s,s:I,s:I,s:I,s:o}", "name", p->name, "licences", p->licences, "files",
                    (int64_t)p->files, "programs", (int64_t)p->fates[LM_FATE_KEPT], "bytes",
                    (int64_t)p->bytes, "dropped", dropped);
}

/* As manifest.json has it. */
static void add_manifest(const struct request *s, const struct lm_corpus_result *r,
                         struct strbuf *out)
{
    struct lm_package total = total_of(r);
    struct json *packages = json_new("[]");
    for (size_t i = 0; i < r->packages.n; i++)
        json_append(packages, "o", package_json(&r->packages.at[i]));
    struct json *all =
        json_new("{s:i,s:s,s:I,s:I,s:I,s:I,s:o}", "version", 1, "language", s->language, "programs",
                 (int64_t)total.fates[LM_FATE_KEPT], "bytes", (int64_t)total.bytes, "most-bytes",
                 (int64_t)s->most_bytes, "alike", (int64_t)s->alike, "packages", packages);
    json_write(all, false, out);
}

static int write_results(const struct request *s, const struct lm_corpus_result *r,
                         const struct strbuf *manifest, struct error *e)
{
    struct arena a;
    arena_init(&a);
    const char *corpus = arena_printf(&a, "%s/corpus.txt", s->out);
    const char *part = arena_printf(&a, "%s/corpus.txt.part", s->out);
    const char *beside = arena_printf(&a, "%s/manifest.json", s->out);
    int bad =
        fs_write(part, r->text.s, r->text.n, e) || fs_write(beside, manifest->s, manifest->n, e);
    if (!bad && rename(part, corpus))
        bad = error_at(e, ERROR_ENVIRONMENT, corpus, 0, "this file cannot be written");
    arena_release(&a);
    return bad;
}

/* Files first, then the table. */
static int tell(const struct request *s, const struct lm_corpus_result *r, struct error *e)
{
    struct strbuf manifest;
    int bad = 0;
    strbuf_init(&manifest, 0);
    add_manifest(s, r, &manifest);
    if (r->text.n)
        bad = write_results(s, r, &manifest, e);
    if (!bad && s->json)
        fputs(manifest.s, stdout);
    else if (!bad)
        print_table(r);
    if (!bad && !r->text.n)
        bad = error_set(e, ERROR_USAGE, "no program was kept, so nothing was written: see the %s",
                        s->json ? "list of packages" : "table");
    strbuf_release(&manifest);
    return bad;
}

/* -- the command ------------------------------------------------------------------------------ */

static int make(const struct request *s, char **folders, int n, struct error *e)
{
    struct arena a;
    struct lm_language language;
    struct lm_corpus_result result = {0};
    arena_init(&a);
    int bad = lm_find_language(s->language, &a, &language, e) || fs_make_dirs(s->out, e);
    if (!bad) {
        struct lm_corpus_options o = {.language = &language,
                                      .folders = (const char *const *)folders,
                                      .n_folders = n,
                                      .workers = (int)s->jobs,
                                      .most_bytes = (size_t)s->most_bytes,
                                      .alike = (int)s->alike,
                                      .stop = cli_heed_signals(),
                                      .progress = show_progress,
                                      .to = (void *)s};
        bad = lm_corpus_make(&o, &result, e);
        if (!s->quiet && isatty(STDERR_FILENO))
            fputs("\r\033[K", stderr);
        if (!bad)
            bad = tell(s, &result, e);
        lm_corpus_result_release(&result);
    }
    arena_release(&a);
    return bad;
}

int lm_corpus_command(int argc, char **argv)
{
    struct request s = {.most_bytes = 6000, .jobs = sysconf(_SC_NPROCESSORS_ONLN)};
    struct error e = {0};
    int rest, status;
    const struct option_spec options[] = {
        TEXT('l', "language", "NAME", "a language in languages/, or a file", &s.language),
        TEXT('o', "output", "DIR", "output folder for corpus.txt and manifest.json", &s.out),
        INT('j', "jobs", "N", "worker processes (default: one per core)", &s.jobs),
        INT(0, "most-bytes", "N", "size of the largest program to keep (6000)", &s.most_bytes),
        INT(0, "alike", "N", "keep N programs that differ only in words and numbers (all)",
            &s.alike),
        FLAG(0, "json", "print the manifest, not the table", &s.json),
        FLAG('q', "quiet", "do not print progress", &s.quiet),
    };
    if (!cli_parse(&command_lm_corpus, options, sizeof options / sizeof *options, argc, argv, &rest,
                   &status))
        return status;
    if (!s.language || !s.out)
        return cli_usage(&command_lm_corpus, "%s is missing", s.language ? "-o" : "--language");
    if (!rest)
        return cli_usage(&command_lm_corpus, "which folders?");
    if (s.jobs > 64)
        s.jobs = 64;
    return make(&s, argv, rest, &e) ? cli_fail(&e) : EXIT_CLEAN;
}
