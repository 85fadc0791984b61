/* Test vectors: the counts of every mode, and assignments by rank of mode sound.
 *
 * One vector is one part; an entry of "typed" names vectors that are the parts of one skeleton, so
 * that its counts are products. A count that is null is not checked. Each given rank is checked in
 * both directions: two checks. */
#include "spe/vectors.h"

#include "base/arena.h"
#include "spe/spe.h"

#include <jansson.h>

#define FIELD_TABLE(X)                                                                             \
    X("E1", SPE_NAIVE)                                                                             \
    X("E2", SPE_COMPACT)                                                                           \
    X("E2s", SPE_SOUND)                                                                            \
    X("E3", SPE_PAPER)                                                                             \
    X("E4", SPE_PATTERN)

static const struct {
    const char *field;
    enum spe_mode mode;
} fields[] = {
#define X(field, mode) {field, mode},
    FIELD_TABLE(X)
#undef X
};

struct check {
    const char *path;
    struct strbuf *out;
    int *passed, *failed;
    struct error *error;
    struct arena arena;
};

static int not_in_format(struct check *k, const char *id, const char *what)
{
    return error_at(k->error, ERROR_USAGE, k->path, 0, "vector %s: %s", id, what);
}

static bool judge(struct check *k, bool good)
{
    ++*(good ? k->passed : k->failed);
    return good;
}

static const char *id_of(const json_t *vector)
{
    const char *id = json_string_value(json_object_get(vector, "id"));
    return id ? id : "?";
}

/* -- one part ---------------------------------------------------------------------------------- */

static bool read_int(const json_t *from, int low, int high, int *out)
{
    if (!json_is_integer(from) || json_integer_value(from) < low ||
        json_integer_value(from) >= high)
        return false;
    *out = (int)json_integer_value(from);
    return true;
}

static bool read_scope(struct check *k, const json_t *parent, const json_t *classes, int number,
                       struct spe_scope *out)
{
    if (!json_is_array(classes))
        return false;
    out->n_classes = (int)json_array_size(classes);
    struct spe_class *sizes = arena_array(&k->arena, struct spe_class, out->n_classes);
    for (int c = 0; c < out->n_classes; c++)
        if (!read_int(json_array_get(classes, (size_t)c), 1, 1 << 20, &sizes[c].size))
            return false;
    out->classes = sizes;
    return read_int(parent, number ? 0 : -1, number, &out->parent);
}

static int read_part(struct check *k, const json_t *vector, struct spe_part *out)
{
    const json_t *parent = json_object_get(vector, "parent"),
                 *classes = json_object_get(vector, "classes"),
                 *holes = json_object_get(vector, "holes");
    if (!json_is_array(parent) || !json_is_array(holes) || !json_is_array(classes) ||
        json_array_size(classes) != json_array_size(parent))
        return not_in_format(k, id_of(vector), "needs lists `parent`, `classes` and `holes`");
    *out = (struct spe_part){.n_scopes = (int)json_array_size(parent),
                             .n_holes = (int)json_array_size(holes)};
    struct spe_scope *scopes = arena_array(&k->arena, struct spe_scope, out->n_scopes);
    for (int s = 0; s < out->n_scopes; s++)
        if (!read_scope(k, json_array_get(parent, (size_t)s), json_array_get(classes, (size_t)s), s,
                        &scopes[s]))
            return not_in_format(k, id_of(vector), "a scope is not in the format");
    int *in = arena_array(&k->arena, int, out->n_holes);
    for (int h = 0; h < out->n_holes; h++)
        if (!read_int(json_array_get(holes, (size_t)h), 0, out->n_scopes, &in[h]))
            return not_in_format(k, id_of(vector), "a hole is in no scope");
    out->scopes = scopes;
    out->holes = in;
    return 0;
}

/* The number of variable [scope, class, index]; -1: there is none, or the hole does not see it. */
static int variable_number(const struct spe_part *part, int hole, const json_t *triple)
{
    int scope, class, index, number = 0, seen = part->holes[hole];
    if (json_array_size(triple) != 3 ||
        !read_int(json_array_get(triple, 0), 0, part->n_scopes, &scope) ||
        !read_int(json_array_get(triple, 1), 0, part->scopes[scope].n_classes, &class) ||
        !read_int(json_array_get(triple, 2), 0, part->scopes[scope].classes[class].size, &index))
        return -1;
    while (seen > scope)
        seen = part->scopes[seen].parent;
    if (seen != scope)
        return -1;
    for (int s = 0; s <= scope; s++)
        for (int c = 0; c < (s < scope ? part->scopes[s].n_classes : class); c++)
            number += part->scopes[s].classes[c].size;
    return number + index;
}

/* -- checks ------------------------------------------------------------------------------------ */

static void check_number(struct check *k, const char *id, const char *field,
                         const struct natural *got, const struct natural *expected)
{
    if (judge(k, natural_compare(got, expected) == 0))
        return;
    strbuf_addf(k->out, "%s: %s is ", id, field);
    natural_text(got, k->out);
    strbuf_adds(k->out, ", expected ");
    natural_text(expected, k->out);
    strbuf_addc(k->out, '\n');
}

static int check_counts(struct check *k, const json_t *entry, const struct spe_part *parts, int n)
{
    int result = 0;
    struct natural expected;
    natural_init(&expected);
    for (size_t i = 0; i < sizeof fields / sizeof *fields && result == 0; i++) {
        const json_t *given = json_object_get(entry, fields[i].field);
        if (!given || json_is_null(given))
            continue;
        if (!json_is_string(given) || !natural_parse(&expected, json_string_value(given))) {
            result = not_in_format(k, id_of(entry), "a count is not a string of digits");
            break;
        }
        struct error why;
        struct spe *s = spe_new(parts, n, fields[i].mode, &why);
        if (s)
            check_number(k, id_of(entry), fields[i].field, spe_count(s), &expected);
        else if (!judge(k, false))
            strbuf_addf(k->out, "%s: %s: %s\n", id_of(entry), fields[i].field, why.message);
        spe_free(s);
    }
    natural_clear(&expected);
    return result;
}

static int check_rank(struct check *k, const json_t *vector, const struct spe_part *part,
                      struct spe *s, const char *text, const json_t *assignment)
{
    size_t n = (size_t)part->n_holes;
    uint32_t *expected = arena_array(&k->arena, uint32_t, n);
    uint32_t *got = arena_array(&k->arena, uint32_t, n);
    if (!json_is_array(assignment) || json_array_size(assignment) != n)
        return not_in_format(k, id_of(vector), "an assignment needs one variable for each hole");
    for (size_t h = 0; h < n; h++) {
        int number = variable_number(part, (int)h, json_array_get(assignment, h));
        if (number < 0)
            return not_in_format(k, id_of(vector),
                                 "an assignment names no variable that its hole sees");
        expected[h] = (uint32_t)number;
    }
    struct natural rank, back;
    natural_init(&rank);
    natural_init(&back);
    int result = 0;
    if (!natural_parse(&rank, text))
        result = not_in_format(k, id_of(vector), "a rank is not a string of digits");
    else if (natural_compare(&rank, spe_count(s)) >= 0) {
        judge(k, false);
        judge(k, false);
        strbuf_addf(k->out, "%s: rank %s is not below the count\n", id_of(vector), text);
    } else {
        spe_unrank(s, &rank, got);
        if (!judge(k, !n || !memcmp(got, expected, n * sizeof *got)))
            strbuf_addf(k->out, "%s: rank %s is another assignment\n", id_of(vector), text);
        spe_rank(s, expected, &back);
        check_number(k, id_of(vector), "the rank of an assignment", &back, &rank);
    }
    natural_clear(&rank);
    natural_clear(&back);
    return result;
}

static int check_ranks(struct check *k, json_t *vector, const struct spe_part *part)
{
    json_t *ranks = json_object_get(vector, "E2s_lex"), *assignment;
    const char *rank;
    int result = 0;
    if (!json_object_size(ranks))
        return 0;
    struct spe *s = spe_new(part, 1, SPE_SOUND, NULL);
    json_object_foreach(ranks, rank, assignment)
    {
        if (result == 0)
            result = check_rank(k, vector, part, s, rank, assignment);
    }
    spe_free(s);
    return result;
}

static int check_vector(struct check *k, json_t *vector)
{
    struct spe_part part;
    if (read_part(k, vector, &part) || check_counts(k, vector, &part, 1))
        return -1;
    return check_ranks(k, vector, &part);
}

static int check_typed(struct check *k, const json_t *typed, const json_t *vectors)
{
    const json_t *names = json_object_get(typed, "parts");
    size_t n = json_array_size(names);
    struct spe_part *parts = arena_array(&k->arena, struct spe_part, n);
    for (size_t p = 0; p < n; p++) {
        const char *name = json_string_value(json_array_get(names, p));
        const json_t *found = NULL, *vector;
        size_t i;
        json_array_foreach(vectors, i, vector)
        {
            if (name && !strcmp(id_of(vector), name))
                found = vector;
        }
        if (!found)
            return not_in_format(k, id_of(typed), "names a part that is no vector");
        if (read_part(k, found, &parts[p]))
            return -1;
    }
    return check_counts(k, typed, parts, (int)n);
}

static int check_all(struct check *k, const json_t *root)
{
    const json_t *vectors = json_object_get(root, "vectors"),
                 *typed = json_object_get(root, "typed");
    json_t *entry;
    size_t i;
    if (!json_is_array(vectors))
        return error_at(k->error, ERROR_USAGE, k->path, 0, "there is no list `vectors`");
    json_array_foreach(vectors, i, entry)
    {
        if (check_vector(k, entry))
            return -1;
    }
    json_array_foreach(typed, i, entry)
    {
        if (check_typed(k, entry, vectors))
            return -1;
    }
    return 0;
}

int spe_check_vectors(const char *path, struct strbuf *out, int *passed, int *failed,
                      struct error *error)
{
    json_error_t where;
    json_t *root = json_load_file(path, 0, &where);
    if (!root)
        return error_at(error, ERROR_USAGE, path, where.line > 0 ? where.line : 0, "%s",
                        where.text);
    struct check k = {path, out, passed, failed, error, {0}};
    arena_init(&k.arena);
    *passed = *failed = 0;
    int result = check_all(&k, root);
    arena_release(&k.arena);
    json_decref(root);
    return result;
}
