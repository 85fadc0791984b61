#include "gen/spe/corpus.h"
#include "base/fs.h"
#include "base/map.h"
#include "gen/spe/spe.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* -- files ------------------------------------------------------------------------------------- */

enum { MOST_LEVELS = 32, KEEP_EVERY = 256 };

/* No links are followed, and nothing that is hidden is looked at (.git). */
static int find_files(const char *dir, bool cxx, int levels, struct arena *arena, string_list *out,
                      struct error *e)
{
    string_list names = {0};
    struct stat s;
    int status = fs_list(dir, arena, &names, e);
    for (size_t i = 0; i < names.n && !status; i++) {
        const char *path = arena_printf(arena, "%s/%s", dir, names.at[i]);
        if (names.at[i][0] == '.' || lstat(path, &s))
            continue;
        if (S_ISREG(s.st_mode) && (cxx ? parsed_is_cxx(path) : text_ends(path, ".c")))
            vec_push(out, path);
        else if (S_ISDIR(s.st_mode) && levels > 0)
            status = find_files(path, cxx, levels - 1, arena, out, e);
    }
    vec_release(&names);
    return status;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

int corpus_files(const char *dir, bool cxx, struct arena *arena, const char ***out, int *n,
                 struct error *e)
{
    string_list found = {0};
    if (!fs_is_dir(dir))
        return error_set(e, ERROR_USAGE, "there is no folder %s", dir);
    int status = find_files(dir, cxx, MOST_LEVELS, arena, &found, e);
    vec_sort(&found, by_name);
    *out = arena_array(arena, const char *, found.n + 1);
    *n = (int)found.n;
    for (size_t i = 0; i < found.n; i++)
        (*out)[i] = found.at[i];
    vec_release(&found);
    return status;
}

/* Below the folder. */
static const char *name_in(const char *dir, const char *path)
{
    return path + strlen(dir) + 1;
}

/* -- counting ---------------------------------------------------------------------------------- */

static bool has_main(const struct skeleton *k)
{
    for (int i = 0; i < k->n_functions; i++)
        if (!strcmp(k->functions[i].name, "main"))
            return true;
    return false;
}

/* Variants within the radius; no further than the threshold, and one. */
static uint64_t count_ball(const struct subject *s, const struct corpus_options *o)
{
    struct spe_ball *ball = spe_ball_new(s->space, s->skeleton.original, o->radius);
    uint32_t *filling = mem_alloc(((size_t)s->skeleton.n_holes + 1) * sizeof *filling);
    uint64_t n = 0;
    int distance;
    while (n <= o->threshold && spe_ball_next(ball, filling, &distance))
        n++;
    free(filling);
    spe_ball_free(ball);
    return n;
}

static void add_unit(struct corpus *c, const struct corpus_options *o, const struct subject *s,
                     const struct skeleton *whole, const char *function)
{
    struct strbuf digits;
    strbuf_init(&digits, 0);
    if (o->radius)
        strbuf_addf(&digits, "%" PRIu64, count_ball(s, o));
    else
        natural_text(spe_count(s->space), &digits);
    vec_push(&c->units, (struct corpus_unit){.path = arena_strdup(&c->arena, s->path),
                                             .function = function,
                                             .has_main = !o->cxx && has_main(whole),
                                             .count = arena_strdup(&c->arena, digits.s)});
    strbuf_release(&digits);
}

/* One function at a time: each is a skeleton of its own. */
static int add_functions(struct corpus *c, const struct corpus_options *o, const char *path,
                         struct subject_options one, const struct skeleton *whole, struct error *e)
{
    for (int i = 0; i < whole->n_functions; i++) {
        struct subject s;
        one.skeleton.function = arena_strdup(&c->arena, whole->functions[i].name);
        if (!whole->functions[i].n_holes)
            continue;
        if (subject_open(path, &one, &s, e)) {
            if (e->kind != ERROR_USAGE)
                return -1;
            continue;
        }
        if (natural_compare_u64(spe_count(s.space), 1) > 0)
            add_unit(c, o, &s, whole, one.skeleton.function);
        subject_close(&s);
    }
    return 0;
}

/* A file that failed by a limit, or for want of a process, is not known to be bad: it is left out
 * now, and tried again next time. */
static void add_file(struct corpus *c, const struct corpus_options *o, const char *path)
{
    struct subject_options plain = o->subject;
    struct subject s;
    struct error e = {0};
    size_t units = c->units.n;
    plain.import = plain.observe = false;
    int status = subject_open(path, &plain, &s, &e);
    if (!status) {
        if (natural_compare_u64(spe_count(s.space), 1) <= 0)
            c->no_holes++;
        else if (o->intra)
            status = add_functions(c, o, path, plain, &s.skeleton, &e);
        else
            add_unit(c, o, &s, &s.skeleton, NULL);
        subject_close(&s);
    }
    if (status && e.kind != ERROR_USAGE) {
        c->units.n = units;
        vec_push(&c->again, path);
    } else if (status) {
        c->unparsed++;
    }
}

/* -- order and choice -------------------------------------------------------------------------- */

static int by_size(const void *a, const void *b)
{
    const struct corpus_unit *x = a, *y = b;
    size_t m = strlen(x->count), n = strlen(y->count);
    int size = m != n ? ORDER(m, n) : strcmp(x->count, y->count);
    int path = size ? size : strcmp(x->path, y->path);
    return path || !x->function ? path : strcmp(x->function, y->function);
}

/* How many of each skeleton are taken; those that are left out go to the end, and off it. */
static void choose_units(struct corpus *c, const struct corpus_options *o)
{
    size_t kept = 0;
    vec_sort(&c->units, by_size);
    for (size_t i = 0; i < c->units.n; i++) {
        struct corpus_unit *u = &c->units.at[i];
        if (o->with_main && !u->has_main) {
            c->no_main++;
            continue;
        }
        uint64_t count = strtoull(u->count, NULL, 10);
        bool large = strlen(u->count) > 18 || count > o->threshold;
        if (large && !o->sample) {
            c->too_large++;
            continue;
        }
        uint64_t most = o->variants ? o->variants : o->threshold;
        u->take = large || count > most ? most : count;
        u->sampled = !o->radius && (large || count > most); /* of a ball: the nearest */
        u->first = c->total;
        if (o->files && kept == o->files)
            break;
        c->total += u->take;
        c->only_compiled += !u->has_main;
        c->units.at[kept++] = *u;
    }
    c->units.n = kept;
}

const struct corpus_unit *corpus_find(const struct corpus *c, uint64_t i)
{
    size_t next;
    sorted_first(next, c->units.n, c->units.at[next].first <= i);
    return &c->units.at[next - 1];
}

/* -- the cache --------------------------------------------------------------------------------- */

/* The first line of a list: all that the counts depend on besides the files. */
static const char *cache_head(const char *dir, const struct corpus_options *o, struct arena *a)
{
    const struct subject_options *s = &o->subject;
    char clang[256], folder[PATH_MAX];
    parsed_version(clang, sizeof clang);
    return arena_printf(a, "assay %s, skeletons %s, %s, %s %d%d%d%d%d%d%d%d %d %" PRIu64 ", %s\n",
                        ASSAY_VERSION, SPE_VERSION, clang, spe_mode_name[s->mode], o->cxx,
                        s->skeleton.pointers, s->skeleton.structs, s->skeleton.any,
                        s->skeleton.plain, s->skeleton.flat, s->hoist, o->intra, o->radius,
                        o->radius ? o->threshold : 0, realpath(dir, folder) ? folder : dir);
}

/* That, and the names and the contents of the files. */
static uint64_t cache_key(const char *head, const char *dir, const char *const *files, int n)
{
    struct strbuf b, text;
    strbuf_init(&b, 0);
    strbuf_init(&text, 0);
    strbuf_adds(&b, head);
    for (int i = 0; i < n; i++) {
        strbuf_clear(&text);
        fs_read(files[i], &text, NULL);
        strbuf_addf(&b, "%s %016" PRIx64 "\n", name_in(dir, files[i]), map_hash(text.s, text.n));
    }
    uint64_t key = map_hash(b.s, b.n);
    strbuf_release(&text);
    strbuf_release(&b);
    return key;
}

static bool cache_path(uint64_t key, char *out, size_t size)
{
    char name[40];
    snprintf(name, sizeof name, "skeletons-%016" PRIx64, key);
    return fs_cache_file(name, out, size);
}

static void cache_write(const struct corpus *c, const char *dir, const char *head, const char *path)
{
    struct strbuf b;
    strbuf_init(&b, 0);
    strbuf_addf(&b, "%s%d %d %d\n", head, c->files, c->unparsed, c->no_holes);
    for (size_t i = 0; i < c->units.n; i++)
        strbuf_addf(&b, "%s\t%s\t%s\t%s\n", c->units.at[i].count,
                    c->units.at[i].has_main ? "main" : "",
                    c->units.at[i].function ? c->units.at[i].function : "",
                    name_in(dir, c->units.at[i].path));
    for (size_t i = 0; i < c->again.n; i++)
        strbuf_addf(&b, "again\t\t\t%s\n", name_in(dir, c->again.at[i]));
    strbuf_adds(&b, "end\n");
    fs_cache_write(path, b.s, b.n);
    strbuf_release(&b);
}

/* The line that begins at `*at`, which moves on to the next; NULL at the end. */
static char *next_line(char **at)
{
    char *line = *at, *end = strchr(line, '\n');
    if (!end)
        return NULL;
    *end = '\0';
    *at = end + 1;
    return line;
}

static bool cache_take(struct corpus *c, const char *dir, const char *head, char *text)
{
    if (strncmp(text, head, strlen(head)) != 0)
        return false;
    char *at = text + strlen(head), *line = next_line(&at);
    if (!line || sscanf(line, "%d %d %d", &c->files, &c->unparsed, &c->no_holes) != 3)
        return false;
    while ((line = next_line(&at)) && strcmp(line, "end") != 0) {
        char *main = strchr(line, '\t'), *function = main ? strchr(main + 1, '\t') : NULL,
             *name = function ? strchr(function + 1, '\t') : NULL;
        if (!name)
            return false;
        *main++ = *function++ = *name++ = '\0';
        const char *path = arena_printf(&c->arena, "%s/%s", dir, name);
        if (!strcmp(line, "again"))
            vec_push(&c->again, path);
        else
            vec_push(&c->units, (struct corpus_unit){.count = line,
                                                     .function = *function ? function : NULL,
                                                     .has_main = *main != '\0',
                                                     .path = path});
    }
    return line != NULL;
}

static bool cache_read(struct corpus *c, const char *dir, const char *head, const char *path)
{
    struct strbuf b;
    struct error ignored;
    strbuf_init(&b, 0);
    bool found = fs_exists(path) && !fs_read(path, &b, &ignored) &&
                 cache_take(c, dir, head, arena_memdup(&c->arena, b.s, b.n));
    strbuf_release(&b);
    return found;
}

/* -- the whole --------------------------------------------------------------------------------- */

/* The list when it is as good as known up to here: the files that are left are tried again. */
static void keep_so_far(struct corpus *c, const char *dir, const char *head, const char *path,
                        const char *const *left, int n)
{
    size_t failed = c->again.n;
    for (int i = 0; i < n; i++)
        vec_push(&c->again, left[i]);
    cache_write(c, dir, head, path);
    c->again.n = failed;
}

int corpus_open(const char *dir, const struct corpus_options *o, struct corpus *c, struct error *e)
{
    const char **files;
    int n;
    char cache[PATH_MAX];
    *c = (struct corpus){0};
    arena_init(&c->arena);
    if (parsed_available(e) || corpus_files(dir, o->cxx, &c->arena, &files, &n, e)) {
        corpus_close(c);
        return -1;
    }
    const char *head = cache_head(dir, o, &c->arena);
    bool cached = cache_path(cache_key(head, dir, files, n), cache, sizeof cache);
    bool known = cached && cache_read(c, dir, head, cache);
    size_t waiting = c->again.n;
    if (known) {
        n = (int)waiting;
        files = arena_array(&c->arena, const char *, n + 1);
        for (int i = 0; i < n; i++)
            files[i] = c->again.at[i];
        c->again.n = 0;
    } else {
        c->units.n = c->again.n = 0;
        c->files = n;
        c->unparsed = c->no_holes = 0;
    }
    int keep_every = o->keep_every ? o->keep_every : KEEP_EVERY;
    for (int i = 0; i < n; i++) {
        add_file(c, o, files[i]);
        if (cached && (i + 1) % keep_every == 0)
            keep_so_far(c, dir, head, cache, files + i + 1, n - i - 1);
        if (o->progress)
            o->progress(i + 1, n);
    }
    if (cached && (!known || c->again.n < waiting))
        cache_write(c, dir, head, cache);
    c->unparsed += (int)c->again.n;
    choose_units(c, o);
    return 0;
}

void corpus_close(struct corpus *c)
{
    vec_release(&c->units);
    vec_release(&c->again);
    arena_release(&c->arena);
}
