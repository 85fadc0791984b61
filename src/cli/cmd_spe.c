/* assay spe: the skeleton of a C file and its variants: looked at, counted, listed, drawn, written.
 *
 * Every action goes the same way: files are parsed, a skeleton is made of each (or of each function
 * with --intra), src/spe counts and enumerates, and a filling becomes a line or a file. Mode paper
 * counts and enumerates nothing. docs/SPE.md describes the modes. */
#include "cli/cli.h"

#ifdef ASSAY_NO_SPE

int cmd_spe(int argc, char **argv)
{
    (void)argc, (void)argv;
    struct error e;
    error_set(&e, ERROR_ENVIRONMENT,
              "this assay was built without GMP: install libgmp-dev and configure again");
    return cli_fail(&e);
}

#else

#include "base/choice.h"
#include "base/fs.h"
#include "base/json.h"
#include "base/map.h"
#include "base/text.h"
#include "cli/cmd_spe.h"
#include "gen/spe/corpus.h"
#include "spe/vectors.h"

#include <math.h>
#include <unistd.h>

/* -- files ------------------------------------------------------------------------------------- */

int spe_load(const struct spe_command *c, const char *path, struct arena *a, struct parsed *out,
             struct error *e)
{
    const struct parse_options o = {.cxx = parsed_is_cxx(path)};
    if (!fs_exists(path))
        return error_set(e, ERROR_USAGE, "there is no file %s", path);
    if (parsed_load(path, &o, a, out, e))
        return -1;
    if (!c->hoist || o.cxx)
        return 0;
    struct strbuf text;
    strbuf_init(&text, 0);
    int status = skeleton_hoist(out, &c->skeleton, &text)
                     ? parsed_load_text(path, text.s, text.n, &o, a, out, e)
                     : 0;
    strbuf_release(&text);
    return status;
}

static int find_in_folder(struct arena *a, const char *dir, spe_paths *out, struct error *e)
{
    const char **files;
    int n;
    if (corpus_files(dir, false, a, &files, &n, e) ||
        (n == 0 && corpus_files(dir, true, a, &files, &n, e)))
        return -1;
    if (n == 0)
        return error_set(e, ERROR_USAGE, "%s: there is no .c file in it", dir);
    for (int i = 0; i < n; i++)
        vec_push(out, files[i]);
    return 0;
}

int spe_find_files(struct arena *a, int n, char **words, spe_paths *out, struct error *e)
{
    for (int i = 0; i < n; i++)
        if (!fs_is_dir(words[i]))
            vec_push(out, words[i]);
        else if (find_in_folder(a, words[i], out, e))
            return -1;
    return 0;
}

void spe_progress(size_t done, size_t n)
{
    if (!isatty(STDERR_FILENO))
        return;
    if (!n)
        fputs("\r\033[K", stderr);
    else if (done % 16 == 0)
        text_print(stderr, "\r%zu/%zu files", done, n);
    fflush(stderr);
}

/* -- numbers ----------------------------------------------------------------------------------- */

static void digits_of(const struct natural *n, struct strbuf *out)
{
    strbuf_clear(out);
    natural_text(n, out);
}

const char *spe_number(const struct natural *n, char *out)
{
    enum { EXACT = 9, SHOWN = 3 };
    struct strbuf digits;
    strbuf_init(&digits, 0);
    natural_text(n, &digits);
    if (digits.n <= EXACT) {
        text_copy(out, 48, digits.s);
    } else {
        size_t exponent = digits.n - 1;
        double head = 0; /* of the first digits, more than enough to round by */
        for (size_t i = 0; i < 9; i++)
            head = head * 10 + (digits.s[i] - '0');
        head = round(head / 1e6) / 100;
        if (head >= 10) {
            head /= 10;
            exponent++;
        }
        snprintf(out, 48, "%.2fe+%zu", head, exponent);
    }
    strbuf_release(&digits);
    return out;
}

struct json *spe_number_json(const struct natural *n)
{
    struct strbuf digits;
    strbuf_init(&digits, 0);
    natural_text(n, &digits);
    struct json *out = json_new("s", digits.s);
    strbuf_release(&digits);
    return out;
}

void spe_counts_init(struct spe_counts *c)
{
    for (int mode = 0; mode < SPE_N_MODES; mode++)
        natural_init(&c->of[mode]);
}

void spe_counts_clear(struct spe_counts *c)
{
    for (int mode = 0; mode < SPE_N_MODES; mode++)
        natural_clear(&c->of[mode]);
}

static int count_in(const struct parsed *p, const struct skeleton_options *o, enum spe_mode mode,
                    struct arena *a, struct natural *out, struct error *e)
{
    struct skeleton s;
    struct spe *spe = skeleton_space(p, o, mode, a, &s, e);
    if (!spe)
        return -1;
    natural_set(out, spe_count(spe));
    spe_free(spe);
    return 0;
}

int spe_count_functions(const struct parsed *p, const struct skeleton_options *o,
                        enum spe_mode mode, struct arena *a, struct natural *out, struct error *e)
{
    struct skeleton all;
    struct natural count;
    int status = skeleton_build(p, o, a, &all, e);
    natural_init(&count);
    natural_set_u64(out, 1);
    for (int i = 0; !status && i < all.n_functions; i++) {
        struct skeleton_options flat = *o;
        flat.flat = flat.plain = true;
        flat.function = all.functions[i].name;
        if (o->function && strcmp(o->function, flat.function))
            continue;
        status = count_in(p, &flat, mode, a, &count, e);
        natural_mul(out, out, &count);
    }
    natural_clear(&count);
    return status ? -1 : 0;
}

int spe_count_modes(const struct parsed *p, const struct skeleton_options *o, struct arena *a,
                    struct spe_counts *out, struct error *e)
{
    for (int mode = 0; mode < SPE_PAPER; mode++)
        if (count_in(p, o, (enum spe_mode)mode, a, &out->of[mode], e))
            return -1;
    return spe_count_functions(p, o, SPE_PAPER, a, &out->of[SPE_PAPER], e);
}

/* -- count ------------------------------------------------------------------------------------- */

struct counting {
    struct spe_command *c;
    struct arena arena;
    struct json *array;
    bool many; /* a table */
    int width;
    struct spe_counts total;
};

/* Were this mode's counts asked for? */
static bool is_counted(const struct spe_command *c, int mode)
{
    return !c->mode_text || mode == (int)c->mode;
}

static struct json *counts_json(const struct spe_command *c, const struct spe_counts *counts)
{
    struct json *out = json_new("{}");
    for (int mode = 0; mode < SPE_N_MODES; mode++)
        if (is_counted(c, mode))
            json_extend(out, "{s:o}", spe_mode_name[mode], spe_number_json(&counts->of[mode]));
    return out;
}

static void print_counts_row(struct counting *k, const char *name, const struct spe_counts *counts)
{
    char text[48];
    text_print(stdout, "%-*s", k->width, name);
    for (int mode = 0; mode < SPE_N_MODES; mode++)
        if (is_counted(k->c, mode))
            text_print(stdout, "  %11s", spe_number(&counts->of[mode], text));
    putchar('\n');
}

static void print_counts_head(struct counting *k)
{
    text_print(stdout, "%-*s", k->width, "file");
    for (int mode = 0; mode < SPE_N_MODES; mode++)
        if (is_counted(k->c, mode))
            text_print(stdout, "  %11s", spe_mode_name[mode]);
    putchar('\n');
}

/* One file alone gets all its digits, and what the modes mean. */
static void print_counts_exactly(const struct spe_command *c, const struct spe_counts *counts)
{
    static const char *const meaning[] = {SPE_MODE_TABLE(WORD_HELP)};
    struct strbuf digits;
    strbuf_init(&digits, 0);
    for (int mode = 0; mode < SPE_N_MODES; mode++) {
        if (!is_counted(c, mode))
            continue;
        digits_of(&counts->of[mode], &digits);
        text_print(stdout, "%-8s %s   (%s)\n", spe_mode_name[mode], digits.s, meaning[mode]);
    }
    strbuf_release(&digits);
}

static void put_counts(struct counting *k, const char *path, const char *function,
                       const struct spe_counts *counts)
{
    const char *name = function ? arena_printf(&k->arena, "%s:%s", path, function) : path;
    for (int mode = 0; mode < SPE_N_MODES; mode++)
        natural_add(&k->total.of[mode], &k->total.of[mode], &counts->of[mode]);
    if (k->array)
        json_append(k->array, "{s:s,s:s,s:o}", "file", path, "function", function, "variants",
                    counts_json(k->c, counts));
    else if (k->many)
        print_counts_row(k, name, counts);
    else
        print_counts_exactly(k->c, counts);
}

static int count_unit(struct counting *k, const char *path, const struct parsed *p,
                      const struct skeleton_options *o, struct error *e)
{
    struct spe_counts counts;
    spe_counts_init(&counts);
    int status = spe_count_modes(p, o, &k->arena, &counts, e);
    if (!status)
        put_counts(k, path, o->function, &counts);
    spe_counts_clear(&counts);
    return status;
}

static int count_file(struct counting *k, const char *path, struct error *e)
{
    struct parsed p;
    struct skeleton s;
    arena_reset(&k->arena);
    if (spe_load(k->c, path, &k->arena, &p, e))
        return -1;
    if (!k->c->intra)
        return count_unit(k, path, &p, &k->c->skeleton, e);
    if (skeleton_build(&p, &k->c->skeleton, &k->arena, &s, e))
        return -1;
    for (int i = 0; i < s.n_functions; i++) {
        struct skeleton_options o = k->c->skeleton;
        o.function = s.functions[i].name;
        if (s.functions[i].n_holes && count_unit(k, path, &p, &o, e))
            return -1;
    }
    return 0;
}

static int longest(const spe_paths *paths)
{
    size_t n = 5;
    for (size_t i = 0; i < paths->n; i++)
        n = strlen(paths->at[i]) > n ? strlen(paths->at[i]) : n;
    return n < 60 ? (int)n : 60;
}

static void say_left_out(const struct error *e)
{
    char text[1200];
    text_print(stderr, "assay: left out: %s\n", error_text(e, text, sizeof text));
}

/* Several files: one that cannot be parsed is told of and left out. */
static int count_files(struct counting *k, const spe_paths *paths)
{
    struct error e = {0};
    int skipped = 0;
    for (size_t i = 0; i < paths->n; i++) {
        if (!count_file(k, paths->at[i], &e))
            continue;
        if (paths->n == 1 || e.kind == ERROR_ENVIRONMENT)
            return cli_fail(&e);
        say_left_out(&e);
        skipped++;
    }
    if (skipped)
        text_print(stderr, "assay: %d of %zu files left out\n", skipped, paths->n);
    return skipped == (int)paths->n ? EXIT_USAGE : EXIT_CLEAN;
}

static int count(struct spe_command *c, int n, char **words)
{
    struct counting k = {.c = c, .array = c->json ? json_new("[]") : NULL};
    struct arena names;
    spe_paths paths = {0};
    struct error e = {0};
    arena_init(&names);
    arena_init(&k.arena);
    spe_counts_init(&k.total);
    int status = spe_find_files(&names, n, words, &paths, &e) ? cli_fail(&e) : EXIT_CLEAN;
    k.many = paths.n > 1 || c->intra;
    k.width = longest(&paths);
    if (!status && k.many && !k.array)
        print_counts_head(&k);
    if (!status)
        status = count_files(&k, &paths);
    if (!status && k.many && !k.array)
        print_counts_row(&k, "total", &k.total);
    if (k.array && !status)
        json_print(k.array, false);
    else
        json_drop(k.array);
    spe_counts_clear(&k.total);
    vec_release(&paths);
    arena_release(&k.arena);
    arena_release(&names);
    return status;
}

/* -- show -------------------------------------------------------------------------------------- */

static const char *type_name(const struct parsed *p, const struct skeleton *s, int part)
{
    uint32_t type = s->part_types[part];
    const struct skeleton_variable *first = &s->variables[s->part_variables[part]];
    return type                                         ? parsed_string(p, p->types[type].name)
           : p->nodes[first->node].kind == PARSED_FIELD ? "members"
                                                        : "any type";
}

/* The text with numbered holes, which stand out on a terminal. */
static void show_text(const struct skeleton *s)
{
    bool colour = cli_colour();
    for (int i = 0; i < s->n_holes; i++) {
        fwrite(s->holes[i].before, 1, s->holes[i].before_size, stdout);
        printf(colour ? "\033[1;36m[%d]\033[0m" : "[%d]", i + 1);
    }
    fwrite(s->tail, 1, s->tail_size, stdout);
    if (s->source_size && s->source[s->source_size - 1] != '\n')
        putchar('\n');
}

static void show_holes(const struct skeleton *s, struct arena *a)
{
    int *candidates = arena_array(a, int, s->n_variables);
    text_print(stdout, "\n%4s  %-10s %-12s %s\n", "hole", "place", "original", "candidates");
    for (int i = 0; i < s->n_holes; i++) {
        const struct skeleton_hole *h = &s->holes[i];
        int n = skeleton_candidates(s, h, candidates);
        text_print(stdout, "%4d  %-10s %-12s", i + 1, arena_printf(a, "%u:%u", h->line, h->column),
                   s->variables[h->variable].name);
        for (int k = 0; k < n; k++)
            text_print(stdout, " %s", s->variables[candidates[k]].name);
        putchar('\n');
    }
}

/* One line for each class: its scope with indentation, its variables, why it is alone. */
static void show_classes(const struct parsed *p, const struct skeleton *s)
{
    for (int part = 0; part < s->n_parts; part++) {
        const struct spe_part *tree = &s->parts[part];
        text_print(stdout, "\n%s: %d %s, %d %s\n", type_name(p, s, part), tree->n_holes,
                   tree->n_holes == 1 ? "hole" : "holes", tree->n_scopes,
                   tree->n_scopes == 1 ? "scope" : "scopes");
        for (int v = s->part_variables[part]; v < s->n_variables && s->variables[v].part == part;) {
            const struct skeleton_variable *first = &s->variables[v];
            int depth = 0;
            for (int scope = first->scope; scope > 0; scope = tree->scopes[scope].parent)
                depth++;
            text_print(stdout, "  %*sscope %d: {", 2 * depth, "", first->scope);
            const char *space = "";
            for (; v < s->n_variables && s->variables[v].part == part &&
                   s->variables[v].scope == first->scope && s->variables[v].class == first->class;
                 v++, space = " ")
                text_print(stdout, "%s%s", space, s->variables[v].name);
            text_print(stdout, "}%s%s\n", first->alone ? " " : "",
                       first->alone ? skeleton_alone_text[first->alone] : "");
        }
    }
}

static void show_left(const struct skeleton *s)
{
    bool any = false;
    for (int i = 0; i < SKELETON_N_LEFT; i++) {
        if (s->left[i])
            text_print(stdout, "%s%4d  %s\n", any ? "" : "\nleft alone\n", s->left[i],
                       skeleton_left_text[i]);
        any = any || s->left[i];
    }
}

static struct json *names_json(const struct skeleton *s, const int *variables, int n)
{
    struct json *out = json_new("[]");
    for (int i = 0; i < n; i++)
        json_append(out, "s", s->variables[variables[i]].name);
    return out;
}

static struct json *holes_json(const struct skeleton *s, struct arena *a)
{
    struct json *out = json_new("[]");
    int *candidates = arena_array(a, int, s->n_variables);
    for (int i = 0; i < s->n_holes; i++) {
        const struct skeleton_hole *h = &s->holes[i];
        int n = skeleton_candidates(s, h, candidates);
        struct json *numbers = json_new("[]");
        for (int k = 0; k < n; k++)
            json_append(numbers, "i", candidates[k]);
        json_append(out, "{s:i,s:i,s:i,s:i,s:i,s:s,s:s,s:o,s:o}", "number", i + 1, "line",
                    (int)h->line, "column", (int)h->column, "offset", (int)h->at, "part", h->part,
                    "function", h->function < 0 ? NULL : s->functions[h->function].name, "original",
                    s->variables[h->variable].name, "candidates", names_json(s, candidates, n),
                    "variables", numbers);
    }
    return out;
}

/* How many holes in the scope of a variable cannot see it. */
static int count_hidden(const struct skeleton *s, const struct skeleton_variable *v)
{
    const struct spe_part *part = &s->parts[v->part];
    int n = 0;
    for (int i = 0; i < part->n_hidden; i++)
        n += part->hidden[i].scope == v->scope && part->hidden[i].class == v->class;
    return n;
}

static struct json *variable_json(const struct parsed *p, const struct skeleton *s,
                                  const struct skeleton_variable *v)
{
    const struct parsed_node *n = &p->nodes[v->node];
    bool here = !(n->flags & PARSED_INCLUDED);
    return json_new("{s:s,s:s,s:i,s:i,s:i,s:i,s:i,s:b,s:s,s:i}", "name", v->name, "function",
                    v->function < 0 ? NULL : s->functions[v->function].name, "offset",
                    here ? (int)n->at : -1, "part", v->part, "number", v->number, "scope", v->scope,
                    "class", v->class, "interchangeable", !v->alone, "why",
                    skeleton_alone_text[v->alone], "hidden", count_hidden(s, v));
}

static struct json *show_json(const struct parsed *p, const struct skeleton *s, const char *path,
                              struct arena *a)
{
    struct json *types = json_new("[]"), *variables = json_new("[]"), *left = json_new("{}");
    struct strbuf text;
    strbuf_init(&text, 0);
    skeleton_render_holes(s, &text);
    for (int part = 0; part < s->n_parts; part++)
        json_append(types, "s", type_name(p, s, part));
    for (int v = 0; v < s->n_variables; v++)
        json_append(variables, "o", variable_json(p, s, &s->variables[v]));
    for (int i = 0; i < SKELETON_N_LEFT; i++)
        if (s->left[i])
            json_extend(left, "{s:I}", skeleton_left_text[i], (int64_t)s->left[i]);
    struct json *out =
        json_new("{s:s,s:y,s:o,s:o,s:o,s:o}", "file", path, "skeleton", bytes_in(&text), "types",
                 types, "holes", holes_json(s, a), "variables", variables, "left_alone", left);
    strbuf_release(&text);
    return out;
}

static int show_file(struct spe_command *c, const char *path, bool many, struct error *e)
{
    struct arena a;
    struct parsed p;
    struct skeleton s;
    arena_init(&a);
    int status = spe_load(c, path, &a, &p, e) || skeleton_build(&p, &c->skeleton, &a, &s, e);
    if (!status && c->json) {
        json_print(show_json(&p, &s, path, &a), many);
    } else if (!status) {
        if (many)
            text_print(stdout, "== %s\n", path);
        show_text(&s);
        show_holes(&s, &a);
        show_classes(&p, &s);
        show_left(&s);
    }
    arena_release(&a);
    return status;
}

static int show(struct spe_command *c, int n, char **words)
{
    struct arena names;
    struct error e = {0};
    spe_paths paths = {0};
    arena_init(&names);
    int status = spe_find_files(&names, n, words, &paths, &e) ? cli_fail(&e) : EXIT_CLEAN;
    for (size_t i = 0; i < paths.n && !status; i++)
        if (show_file(c, paths.at[i], paths.n > 1, &e)) {
            if (paths.n == 1 || e.kind == ERROR_ENVIRONMENT)
                status = cli_fail(&e);
            else
                say_left_out(&e);
        }
    vec_release(&paths);
    arena_release(&names);
    return status;
}

/* -- variants: list, sample, emit -------------------------------------------------------------- */

/* Variants of one skeleton on their way out. */
struct delivery {
    struct spe_command *c;
    const char *path;
    const char *function; /* --intra, --function; NULL: of the whole file */
    const struct skeleton *s;
    struct spe *spe;
    struct strbuf text, rank;
    uint64_t done;
    bool files; /* write the text, not a line */
};

static void print_line(struct delivery *d, const uint32_t *filling)
{
    const struct skeleton *s = d->s;
    struct json *names = json_new("[]");
    if (!d->c->json)
        text_print(stdout, "%s%s%s:", d->function ? d->function : "", d->function ? " " : "",
                   d->rank.s);
    for (int i = 0; i < s->n_holes; i++) {
        const char *name = skeleton_filled(s, &s->holes[i], filling)->name;
        if (d->c->json)
            json_append(names, "s", name);
        else
            text_print(stdout, " %s", name);
    }
    if (!d->c->json) {
        json_drop(names);
        putchar('\n');
        return;
    }
    struct json *line = json_new("{}");
    if (d->function)
        json_extend(line, "{s:s}", "function", d->function);
    json_extend(line, "{s:s,s:o}", "rank", d->rank.s, "filling", names);
    json_print(line, true);
}

/* The command that makes exactly this variant, in a comment. */
static void add_header(struct delivery *d)
{
    const struct spe_command *c = d->c;
    size_t begin = d->text.n;
    strbuf_adds(&d->text, "/* made by assay: assay spe emit ");
    text_quote(&d->text, d->path);
    strbuf_addf(&d->text, " --mode %s", spe_mode_name[c->mode]);
    if (d->function)
        strbuf_addf(&d->text, " --function %s", d->function);
    strbuf_addf(&d->text, "%s%s%s%s", c->skeleton.pointers ? " --pointers" : "",
                c->skeleton.structs ? " --structs" : "", c->skeleton.any ? " --any" : "",
                c->hoist ? " --hoist-init" : "");
    if (c->has_radius)
        strbuf_addf(&d->text, " --radius %llu", (unsigned long long)c->radius);
    strbuf_addf(&d->text, " --from %s --limit 1 */\n", d->rank.s);
    /* The path may hold what ends a comment or a line. */
    for (size_t i = begin + 2; i + 3 < d->text.n; i++)
        if (d->text.s[i] == '\n' || (d->text.s[i] == '*' && d->text.s[i + 1] == '/'))
            d->text.s[i] = '?';
}

/* "DIR/name-17.c"; a rank of more digits than a file name may have gets a number instead. */
static void variant_path(const struct delivery *d, struct strbuf *out)
{
    enum { LONGEST = 100 };
    const char *name = fs_name(d->path);
    const char *end = parsed_is_cxx(name) ? strrchr(name, '.') : ".c";
    int n = (int)strlen(name) - (text_ends(name, end) ? (int)strlen(end) : 0);
    strbuf_addf(out, "%s/%.*s", d->c->output, n < LONGEST ? n : LONGEST, name);
    if (d->function)
        strbuf_addf(out, "-%s", d->function);
    if (d->rank.n <= LONGEST)
        strbuf_addf(out, "-%s%s", d->rank.s, end);
    else
        strbuf_addf(out, "-x%016llx%s", (unsigned long long)map_hash(d->rank.s, d->rank.n), end);
}

/* Written under another name first: a file that is there is complete. */
static int write_variant(struct delivery *d, struct error *e)
{
    struct strbuf path, part;
    strbuf_init(&path, 0);
    strbuf_init(&part, 0);
    variant_path(d, &path);
    strbuf_addf(&part, "%s.part", path.s);
    int status = fs_write(part.s, d->text.s, d->text.n, e);
    if (!status && rename(part.s, path.s))
        status = error_set(e, ERROR_ENVIRONMENT, "%s: %m", path.s);
    strbuf_release(&path);
    strbuf_release(&part);
    return status;
}

static int deliver(struct delivery *d, const struct natural *rank, const uint32_t *filling,
                   struct error *e)
{
    digits_of(rank, &d->rank);
    d->done++;
    if (!d->files) {
        print_line(d, filling);
        return ferror(stdout) ? error_set(e, ERROR_ENVIRONMENT, "standard output: %m") : 0;
    }
    strbuf_clear(&d->text);
    add_header(d);
    skeleton_render(d->s, filling, &d->text);
    if (d->c->output)
        return write_variant(d, e);
    fwrite(d->text.s, 1, d->text.n, stdout);
    return ferror(stdout) ? error_set(e, ERROR_ENVIRONMENT, "standard output: %m") : 0;
}

/* In the order of ranks. */
static int deliver_range(struct delivery *d, uint32_t *filling, struct natural *first,
                         struct natural *end, struct error *e)
{
    const struct spe_command *c = d->c;
    natural_set_u64(first, 0);
    natural_set(end, spe_count(d->spe));
    if (c->shards)
        spe_shard(d->spe, c->shard, c->shards, first, end);
    if (c->has_from && natural_compare(&c->from, spe_count(d->spe)) >= 0) {
        char text[48];
        return error_set(e, ERROR_USAGE, "--from %s: there are %s variants, counted from 0",
                         c->from_text, spe_number(spe_count(d->spe), text));
    }
    if (c->has_from && natural_compare(&c->from, first) > 0)
        natural_set(first, &c->from);
    if (natural_compare(first, end) >= 0)
        return 0;
    spe_unrank(d->spe, first, filling);
    for (int from; !c->has_limit || d->done < c->limit;) {
        if (deliver(d, first, filling, e))
            return -1;
        natural_add_u64(first, first, 1);
        if (natural_compare(first, end) >= 0 || !spe_next(d->spe, filling, &from))
            break;
    }
    return 0;
}

/* In the order of distance from the file as it is; the rank is the number in that order. */
static int deliver_ball(struct delivery *d, uint32_t *filling, struct natural *rank,
                        struct error *e)
{
    const struct spe_command *c = d->c;
    int radius = c->radius < (uint64_t)d->s->n_holes ? (int)c->radius : d->s->n_holes, distance;
    struct spe_ball *ball = spe_ball_new(d->spe, d->s->original, radius);
    int status = 0;
    natural_set_u64(rank, 0);
    while (!status && (!c->has_limit || d->done < c->limit) &&
           spe_ball_next(ball, filling, &distance)) {
        if (!c->has_from || natural_compare(rank, &c->from) >= 0)
            status = deliver(d, rank, filling, e);
        natural_add_u64(rank, rank, 1);
    }
    spe_ball_free(ball);
    return status;
}

static int deliver_sample(struct delivery *d, uint32_t *filling, struct natural *rank,
                          struct error *e)
{
    struct choice choice;
    int status = 0;
    choice_init_random(&choice, d->c->seed);
    for (uint64_t i = 0; i < d->c->number && !status; i++) {
        natural_random(rank, spe_count(d->spe), &choice);
        spe_unrank(d->spe, rank, filling);
        status = deliver(d, rank, filling, e);
    }
    choice_release(&choice);
    return status;
}

/* Nobody wants 10^80 files, and few want a million by accident. */
static int check_amount(const struct delivery *d, struct error *e)
{
    char text[48];
    const struct spe_command *c = d->c;
    if (!d->files || c->has_limit || c->has_radius || c->number || c->shards ||
        natural_compare_u64(spe_count(d->spe), (uint64_t)c->threshold) <= 0)
        return 0;
    return error_set(e, ERROR_USAGE,
                     "%s has %s variants: choose some with --limit, --shard or --radius, or raise "
                     "--threshold",
                     d->path, spe_number(spe_count(d->spe), text));
}

static int deliver_skeleton(struct delivery *d, struct error *e)
{
    uint32_t *filling = mem_alloc(sizeof *filling * ((size_t)d->s->n_holes + 1));
    struct natural first, end;
    natural_init(&first);
    natural_init(&end);
    int status = check_amount(d, e);
    if (status)
        ;
    else if (d->c->number)
        status = deliver_sample(d, filling, &first, e);
    else if (d->c->has_radius)
        status = deliver_ball(d, filling, &first, e);
    else
        status = deliver_range(d, filling, &first, &end, e);
    natural_clear(&first);
    natural_clear(&end);
    free(filling);
    spe_free(d->spe);
    return status;
}

static int deliver_unit(struct delivery *d, const struct parsed *p, const char *function,
                        struct arena *a, struct error *e)
{
    struct skeleton s;
    struct skeleton_options o = d->c->skeleton;
    o.function = function;
    d->spe = skeleton_space(p, &o, d->c->mode, a, &s, e);
    if (!d->spe)
        return -1;
    d->s = &s;
    d->function = function;
    return deliver_skeleton(d, e);
}

static int deliver_file(struct delivery *d, struct arena *a, struct error *e)
{
    struct parsed p;
    struct skeleton s;
    if (spe_load(d->c, d->path, a, &p, e) || (d->c->output && fs_make_dirs(d->c->output, e)))
        return -1;
    if (!d->c->intra)
        return deliver_unit(d, &p, d->c->skeleton.function, a, e);
    if (skeleton_build(&p, &d->c->skeleton, a, &s, e))
        return -1;
    for (int i = 0; i < s.n_functions; i++) {
        d->done = 0; /* the limit is one for each function */
        if (s.functions[i].n_holes && deliver_unit(d, &p, s.functions[i].name, a, e))
            return -1;
    }
    return 0;
}

static int deliver_all(struct spe_command *c, const char *path, bool files)
{
    struct delivery d = {.c = c, .path = path, .files = files};
    struct error e = {0};
    struct arena a;
    if (c->mode == SPE_PAPER)
        return cli_usage(&command_spe, "mode paper only counts: it has no variants to list");
    if (c->has_radius && (c->mode == SPE_PATTERN || c->shards))
        return cli_usage(&command_spe, "--radius goes with modes naive, compact and sound, and "
                                       "not with --shard");
    arena_init(&a);
    strbuf_init(&d.text, 0);
    strbuf_init(&d.rank, 0);
    int status = deliver_file(&d, &a, &e) ? cli_fail(&e) : EXIT_CLEAN;
    if (fflush(stdout) && !status) {
        error_set(&e, ERROR_ENVIRONMENT, "standard output: %m");
        status = cli_fail(&e);
    }
    strbuf_release(&d.text);
    strbuf_release(&d.rank);
    arena_release(&a);
    return status;
}

static int list(struct spe_command *c, int n, char **words)
{
    (void)n;
    c->number = 0;
    return deliver_all(c, words[0], false);
}

static int sample(struct spe_command *c, int n, char **words)
{
    (void)n;
    c->number = c->number ? c->number : 1;
    return deliver_all(c, words[0], c->output != NULL);
}

static int emit(struct spe_command *c, int n, char **words)
{
    (void)n;
    c->number = 0;
    if (!c->output && !(c->has_limit && c->limit == 1 && !c->intra))
        return cli_usage(&command_spe, "emit needs a folder: -o DIR (or --limit 1, for one variant "
                                       "on standard output)");
    return deliver_all(c, words[0], true);
}

/* -- vectors ----------------------------------------------------------------------------------- */

static int vectors(struct spe_command *c, int n, char **words)
{
    struct error e = {0};
    struct strbuf said;
    int passed = 0, failed = 0;
    (void)n;
    strbuf_init(&said, 0);
    int status = spe_check_vectors(words[0], &said, &passed, &failed, &e);
    if (status) {
        status = cli_fail(&e);
    } else if (c->json) {
        json_print(
            json_new("{s:i,s:i,s:s}", "passed", passed, "failed", failed, "failures", said.s),
            false);
    } else {
        fputs(said.s, stdout);
        text_print(stdout, "%d passed, %d failed\n", passed, failed);
    }
    strbuf_release(&said);
    return status ? status : failed ? EXIT_FINDINGS : EXIT_CLEAN;
}

/* -- the command ------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    int (*run)(struct spe_command *c, int n, char **words);
    const char *words; /* what it takes, for a message */
    bool many;
} actions[] = {
    {"show", show, "files or a folder", true},
    {"count", count, "files or a folder", true},
    {"list", list, "one file", false},
    {"sample", sample, "one file", false},
    {"emit", emit, "one file", false},
    {"vectors", vectors, "one file of vectors", false},
    {"tables", spe_tables, "a folder or files", true},
    {"judge", spe_judge, "files or a folder", true},
    {"coverage", spe_coverage, "a folder or files", true},
};
enum { N_ACTIONS = sizeof actions / sizeof *actions };

static int dispatch(struct spe_command *c, int n, char **words)
{
    const char *names[N_ACTIONS];
    if (n < 1)
        return cli_usage(
            &command_spe,
            "which action: show, count, list, sample, emit, judge, coverage, tables or vectors?");
    for (int i = 0; i < N_ACTIONS; i++) {
        names[i] = actions[i].name;
        if (strcmp(words[0], names[i]))
            continue;
        if (n < 2 || (n > 2 && !actions[i].many))
            return cli_usage(&command_spe, "spe %s takes %s", names[i], actions[i].words);
        return actions[i].run(c, n - 1, words + 1);
    }
    return cli_unknown_action(&command_spe, words[0], names, N_ACTIONS);
}

/* "3/16": the third of sixteen. */
static bool parse_shard(struct spe_command *c)
{
    char text[64];
    text_copy(text, sizeof text, c->shard_text);
    char *slash = strchr(text, '/');
    if (!slash)
        return false;
    *slash = '\0';
    return text_parse_u64(text, &c->shard) && text_parse_u64(slash + 1, &c->shards) &&
           c->shard-- >= 1 && c->shard < c->shards;
}

/* What the table of options cannot check. */
static int check_words(struct spe_command *c)
{
    int mode = c->mode_text ? spe_mode_named(c->mode_text) : SPE_SOUND;
    if (mode < 0) {
        const char *near = text_nearest(c->mode_text, spe_mode_name, SPE_N_MODES);
        return cli_usage(&command_spe, "there is no mode '%s'%s%s", c->mode_text,
                         near ? ": did you mean " : ": naive, compact, sound, pattern, paper",
                         near ? near : "");
    }
    c->mode = (enum spe_mode)mode;
    c->has_from = c->from_text != NULL;
    if (c->has_from && !natural_parse(&c->from, c->from_text))
        return cli_usage(&command_spe, "--from takes a rank, a number of 0 or more: not '%s'",
                         c->from_text);
    if (c->shard_text && !parse_shard(c))
        return cli_usage(&command_spe, "--shard takes I/N, such as 3/16: not '%s'", c->shard_text);
    if (c->intra && c->skeleton.function)
        return cli_usage(
            &command_spe,
            "--intra varies all functions one by one, --function only one: use either");
    return 0;
}

int cmd_spe(int argc, char **argv)
{
    struct spe_command c = {.threshold = 10000, .seed = 1};
    int rest, status;
    const struct option_spec specs[] = {
        TEXT('m', "mode", "MODE", "naive, compact, sound, pattern or paper (sound)", &c.mode_text),
        FLAG(0, "intra", "vary one function at a time", &c.intra),
        TEXT(0, "function", "NAME", "vary only this function", &c.skeleton.function),
        FLAG(0, "pointers", "also make holes of pointers", &c.skeleton.pointers),
        FLAG(0, "structs", "also of structs, unions, enums, complex and vector types",
             &c.skeleton.structs),
        FLAG(0, "any", "any name in any hole: to test front ends", &c.skeleton.any),
        FLAG(0, "hoist-init", "first turn initialisers into assignments", &c.hoist),
        TEXT(0, "from", "RANK", "list, emit: start at this variant, counted from 0", &c.from_text),
        {0, "limit", OPTION_U64, "N", "list, emit: at most N variants", &c.limit, &c.has_limit},
        TEXT(0, "shard", "I/N", "list, emit: the I-th of N parts, counted from 1", &c.shard_text),
        {0, "radius", OPTION_U64, "R", "list, emit: change at most R holes, nearest first",
         &c.radius, &c.has_radius},
        U64('n', "number", "N", "sample: N variants (1); judge: at most N per file", &c.number),
        U64('s', "seed", "SEED", "sample, judge: random seed (1)", &c.seed),
        TEXT('o', "output", "DIR", "emit, sample, judge: write the variants to DIR", &c.output),
        INT(0, "threshold", "N",
            "tables: skip larger files; emit: refuse more without --limit (10000)", &c.threshold),
        FLAG(0, "json", "print JSON", &c.json),
    };
    if (!cli_parse(&command_spe, OPTIONS(specs), argc, argv, &rest, &status))
        return status;
    natural_init(&c.from);
    status = check_words(&c);
    if (!status)
        status = dispatch(&c, rest, argv);
    natural_clear(&c.from);
    return status;
}

#endif
