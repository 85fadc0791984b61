/* assay spe tables: a folder of C files measured as SPE 5.2 measures GCC's test suite.
 *
 * Sizes (Table 1): the variants of all files, and of those with no more than the threshold, in
 * every mode. Two granularities (4.3): the file as a whole, where a variable of the file is the
 * same one in all functions; and the product over the functions, each for itself, which is what
 * Algorithm 1 counts. Characteristics (Table 2): what a file consists of, over all files and over
 * those up to the threshold in one mode. Distribution (Figure 9a): files by the order of magnitude
 * of their variants. A file without holes has one variant, itself. */
#include "cli/cmd_spe.h"

#ifndef ASSAY_NO_SPE

#include "base/fs.h"
#include "base/json.h"
#include "base/text.h"

/* id, name, what it counts */
#define ROW_TABLE(X)                                                                               \
    X(NAIVE, "naive", SPE_NAIVE, false)                                                            \
    X(COMPACT, "compact", SPE_COMPACT, false)                                                      \
    X(SOUND, "sound", SPE_SOUND, false)                                                            \
    X(PATTERN, "pattern", SPE_PATTERN, false)                                                      \
    X(F_NAIVE, "naive", SPE_NAIVE, true)                                                           \
    X(F_COMPACT, "compact", SPE_COMPACT, true)                                                     \
    X(F_PAPER, "paper", SPE_PAPER, true)

enum row {
#define X(id, name, mode, functions) ROW_##id,
    ROW_TABLE(X)
#undef X
        N_ROWS
};

static const struct {
    const char *name;
    enum spe_mode mode;
    bool functions; /* the product over the functions */
} rows[N_ROWS] = {
#define X(id, name, mode, functions) [ROW_##id] = {name, mode, functions},
    ROW_TABLE(X)
#undef X
};

/* Powers of ten up to which files are told apart; the last one is for all that have more. */
enum { N_SIZES = 11 };

struct size_row {
    struct natural total;      /* variants of all files */
    struct natural kept;       /* of those up to the threshold */
    struct natural kept_naive; /* naive variants of the same files, of the same granularity */
    size_t n_kept;
    size_t by_size[N_SIZES]; /* files with fewer than 10^(i+1), and not fewer than 10^i */
};

/* Sums over files. */
struct traits {
    size_t files, holes, scopes, functions, types, variables;
    size_t functions_with_holes;
    double visible; /* candidates of all holes */
};

struct tables {
    struct spe_command *c;
    struct arena arena; /* of one file */
    struct size_row rows[N_ROWS];
    struct traits all, kept; /* `kept`: up to the threshold in c->mode */
    size_t files, skipped;
    int64_t began;
};

/* -- one file ---------------------------------------------------------------------------------- */

static void add_size(struct tables *t, enum row row, const struct natural *count,
                     const struct natural *naive)
{
    struct size_row *r = &t->rows[row];
    natural_add(&r->total, &r->total, count);
    int size = 0;
    for (uint64_t power = 10; size < N_SIZES - 1 && natural_compare_u64(count, power) >= 0;
         power *= 10)
        size++;
    r->by_size[size]++;
    if (natural_compare_u64(count, (uint64_t)t->c->threshold) > 0)
        return;
    r->n_kept++;
    natural_add(&r->kept, &r->kept, count);
    natural_add(&r->kept_naive, &r->kept_naive, naive);
}

static void add_traits(struct traits *to, const struct skeleton *s)
{
    to->files++;
    to->holes += (size_t)s->n_holes;
    to->scopes += (size_t)s->n_scopes;
    to->functions += (size_t)s->n_functions;
    to->types += (size_t)s->n_parts;
    to->variables += (size_t)s->n_variables;
    to->visible += s->visible;
    for (int i = 0; i < s->n_functions; i++)
        to->functions_with_holes += s->functions[i].n_holes > 0;
}

static int count_rows(struct tables *t, const struct parsed *p, struct natural *counts,
                      struct error *e)
{
    const struct skeleton_options *o = &t->c->skeleton;
    struct spe_counts whole;
    spe_counts_init(&whole);
    int status = spe_count_modes(p, o, &t->arena, &whole, e);
    for (int row = 0; row < N_ROWS && !status; row++)
        if (rows[row].functions && row != ROW_F_PAPER)
            status = spe_count_functions(p, o, rows[row].mode, &t->arena, &counts[row], e);
        else
            natural_set(&counts[row], &whole.of[rows[row].mode]);
    spe_counts_clear(&whole);
    return status;
}

static void add_file(struct tables *t, const struct skeleton *s, const struct natural *counts)
{
    for (int row = 0; row < N_ROWS; row++)
        add_size(t, (enum row)row, &counts[row],
                 &counts[rows[row].functions ? ROW_F_NAIVE : ROW_NAIVE]);
    int decides = t->c->mode == SPE_PAPER ? ROW_F_PAPER : (int)t->c->mode;
    add_traits(&t->all, s);
    if (natural_compare_u64(&counts[decides], (uint64_t)t->c->threshold) <= 0)
        add_traits(&t->kept, s);
}

static int measure(struct tables *t, const char *path, struct error *e)
{
    struct parsed p;
    struct skeleton s;
    struct natural counts[N_ROWS];
    arena_reset(&t->arena);
    for (int row = 0; row < N_ROWS; row++)
        natural_init(&counts[row]);
    int status = spe_load(t->c, path, &t->arena, &p, e) ||
                 skeleton_build(&p, &t->c->skeleton, &t->arena, &s, e) ||
                 count_rows(t, &p, counts, e);
    if (!status)
        add_file(t, &s, counts);
    for (int row = 0; row < N_ROWS; row++)
        natural_clear(&counts[row]);
    return status ? -1 : 0;
}

/* -- for people -------------------------------------------------------------------------------- */

static const char *average(const struct natural *total, size_t n, char *out)
{
    struct natural quotient, by;
    natural_init(&quotient);
    natural_init(&by);
    natural_set_u64(&by, n ? n : 1);
    natural_divide(&quotient, NULL, total, &by);
    if (natural_compare_u64(&quotient, 1000000) < 0)
        snprintf(out, 48, "%.1f", natural_double(total) / (double)(n ? n : 1));
    else
        spe_number(&quotient, out);
    natural_clear(&quotient);
    natural_clear(&by);
    return out;
}

static double percent(size_t part, size_t all)
{
    return all ? 100.0 * (double)part / (double)all : 0;
}

static void print_sizes(const struct tables *t)
{
    char a[48], b[48], c[48], d[48], f[48];
    text_print(stdout, "Sizes            all files: %-18zu up to %lld variants\n", t->all.files,
               (long long)t->c->threshold);
    text_print(stdout, "%-10s %12s %12s   %6s %5s %12s %10s %12s\n", "mode", "variants", "average",
               "files", "", "variants", "average", "naively");
    for (int i = 0; i < N_ROWS; i++) {
        const struct size_row *r = &t->rows[i];
        if (i == ROW_F_NAIVE)
            puts("each function for itself, and the product of them");
        text_print(stdout, "%-10s %12s %12s   %6zu %4.0f%% %12s %10s %12s\n", rows[i].name,
                   spe_number(&r->total, a), average(&r->total, t->all.files, b), r->n_kept,
                   percent(r->n_kept, t->all.files), spe_number(&r->kept, c),
                   average(&r->kept, r->n_kept, d), spe_number(&r->kept_naive, f));
    }
}

static double mean(double sum, size_t n)
{
    return n ? sum / (double)n : 0;
}

static void print_traits_row(const char *name, const struct traits *t)
{
    text_print(stdout, "%-26s %6zu %8.2f %8.2f %8.2f %8.2f %8.2f %8.2f\n", name, t->files,
               mean((double)t->holes, t->files), mean((double)t->scopes, t->files),
               mean((double)t->functions, t->files), mean((double)t->types, t->files),
               mean((double)t->variables, t->files), mean(t->visible, t->holes));
}

static void print_traits(const struct tables *t)
{
    char kept[64];
    snprintf(kept, sizeof kept, "up to %lld (%s)", (long long)t->c->threshold,
             spe_mode_name[t->c->mode]);
    text_print(stdout, "\n%-26s %6s %8s %8s %8s %8s %8s %8s\n", "A file has", "files", "holes",
               "scopes", "funcs", "types", "vars", "per hole");
    print_traits_row("all", &t->all);
    print_traits_row(kept, &t->kept);
    text_print(stdout, "A function has %.2f holes; one with holes %.2f (%zu of %zu have some)\n",
               mean((double)t->all.holes, t->all.functions),
               mean((double)t->all.holes, t->all.functions_with_holes), t->all.functions_with_holes,
               t->all.functions);
}

static void print_distribution(const struct tables *t)
{
    text_print(stdout, "\n%-10s", "Files with");
    for (int i = 0; i < N_SIZES - 1; i++)
        text_print(stdout, i ? "  <1e%-2d" : "   <%-3d", i ? i + 1 : 10);
    puts("  more   variants");
    for (int i = 0; i < N_ROWS; i++) {
        if (i == ROW_F_NAIVE)
            puts("each function for itself, and the product of them");
        text_print(stdout, "%-10s", rows[i].name);
        for (int k = 0; k < N_SIZES; k++)
            text_print(stdout, " %5.1f%%", percent(t->rows[i].by_size[k], t->all.files));
        putchar('\n');
    }
}

/* -- as JSON ----------------------------------------------------------------------------------- */

static struct json *traits_json(const struct traits *t)
{
    return json_new("{s:I,s:I,s:I,s:I,s:I,s:I,s:I,s:f}", "files", (int64_t)t->files, "holes",
                    (int64_t)t->holes, "scopes", (int64_t)t->scopes, "functions",
                    (int64_t)t->functions, "functions_with_holes", (int64_t)t->functions_with_holes,
                    "types", (int64_t)t->types, "variables", (int64_t)t->variables, "candidates",
                    t->visible);
}

static struct json *sizes_json(const struct tables *t)
{
    struct json *out = json_new("[]");
    for (int i = 0; i < N_ROWS; i++) {
        const struct size_row *r = &t->rows[i];
        struct json *by_size = json_new("[]");
        for (int k = 0; k < N_SIZES; k++)
            json_append(by_size, "I", (int64_t)r->by_size[k]);
        json_append(out, "{s:s,s:s,s:o,s:I,s:o,s:o,s:o}", "mode", rows[i].name, "granularity",
                    rows[i].functions ? "function" : "file", "variants", spe_number_json(&r->total),
                    "kept_files", (int64_t)r->n_kept, "kept_variants", spe_number_json(&r->kept),
                    "kept_naive", spe_number_json(&r->kept_naive), "files_by_power_of_ten",
                    by_size);
    }
    return out;
}

static void print_json(const struct tables *t, int64_t ms)
{
    json_print(json_new("{s:I,s:I,s:I,s:s,s:o,s:o,s:o,s:I}", "files", (int64_t)t->all.files,
                        "left_out", (int64_t)t->skipped, "threshold", (int64_t)t->c->threshold,
                        "mode", spe_mode_name[t->c->mode], "sizes", sizes_json(t), "all",
                        traits_json(&t->all), "kept", traits_json(&t->kept), "milliseconds",
                        (int64_t)ms),
               false);
}

/* -- all files --------------------------------------------------------------------------------- */

static int measure_all(struct tables *t, const spe_paths *paths, struct error *e)
{
    for (size_t i = 0; i < paths->n; i++) {
        spe_progress(i, paths->n);
        if (!measure(t, paths->at[i], e))
            continue;
        if (e->kind == ERROR_ENVIRONMENT && !t->all.files) /* libclang is not there at all */
            return -1;
        t->skipped++;
    }
    spe_progress(0, 0);
    if (!t->all.files) /* the last one's error says why */
        return -1;
    return 0;
}

static void print_tables(const struct tables *t)
{
    int64_t ms = clock_ms() - t->began;
    if (t->c->json) {
        print_json(t, ms);
        return;
    }
    print_sizes(t);
    print_traits(t);
    print_distribution(t);
    text_print(stdout, "\n%zu files in %.1f s; %zu more could not be parsed\n", t->all.files,
               (double)ms / 1e3, t->skipped);
}

int spe_tables(struct spe_command *c, int n, char **words)
{
    if (c->intra || c->skeleton.function)
        return cli_usage(&command_spe, "tables measures whole files: no --intra, no --function");
    struct tables t = {.c = c, .began = clock_ms()};
    struct error e = {0};
    struct arena names;
    spe_paths paths = {0};
    arena_init(&names);
    arena_init(&t.arena);
    for (int i = 0; i < N_ROWS; i++) {
        natural_init(&t.rows[i].total);
        natural_init(&t.rows[i].kept);
        natural_init(&t.rows[i].kept_naive);
    }
    int status = spe_find_files(&names, n, words, &paths, &e) || measure_all(&t, &paths, &e);
    if (status)
        status = cli_fail(&e);
    else
        print_tables(&t);
    for (int i = 0; i < N_ROWS; i++) {
        natural_clear(&t.rows[i].total);
        natural_clear(&t.rows[i].kept);
        natural_clear(&t.rows[i].kept_naive);
    }
    vec_release(&paths);
    arena_release(&t.arena);
    arena_release(&names);
    return status;
}

#endif
