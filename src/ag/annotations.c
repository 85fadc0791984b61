/* Annotations: what may be said of a class or a production, and where.
 *
 * They are read before it shows what they belong to, and kept until then. */
#include "ag/parse_internal.h"

#include "base/text.h"

#include <string.h>

enum { MAX_SETTING = 1000000 }; /* of an annotation's number */

static const char *const annotation_names[] = {
#define X(text, name, on, takes, least) text,
    ANNOTATIONS(X)
#undef X
};

static const struct {
    int on;
    enum argument takes;
    int least;
} annotation_rules[] = {
#define X(text, name, on, takes, least) {on, takes, least},
    ANNOTATIONS(X)
#undef X
};

static const char *const takes_text[] = {
    [NOTHING] = "takes nothing",
    [NUMBER] = "takes a number",
    [MAYBE_NUMBER] = "takes a number or nothing",
    [NAMES] = "takes names",
    [MAYBE_NAMES] = "takes names or nothing",
};

typedef VEC(const char *) names;

/* "a, b" as two names. */
static void split_names(struct parser *p, const char *list, names *out)
{
    for (;;) {
        list += strspn(list, ", \t");
        size_t n = strcspn(list, ", \t");
        if (!n)
            return;
        vec_push(out, arena_memdup(p->a, list, n));
        list += n;
    }
}

static bool annotation_argument(struct parser *p, struct annotation *out, names *list)
{
    const struct ag_token *t = &p->lex.token;
    int64_t value = 0;
    size_t size;
    const char *text;
    switch (t->kind) {
    case AG_T_NUMBER:
        if (out->has_number)
            return fail(p, t->place, NULL, "one number is enough");
        text = arena_memdup(p->a, t->text, t->size);
        if (!text_parse_int(text, -MAX_SETTING, MAX_SETTING, &value))
            return fail(p, t->place, NULL, "the number %s is too large", text);
        out->has_number = true;
        out->number = (int)value;
        parse_next(p);
        return true;
    case AG_T_QUOTE:
        if (!(text = ag_lex_string(&p->lex, AG_STRING_VALUE, &size)))
            return false;
        split_names(p, text, list);
        return true;
    case AG_T_WORD:
        vec_push(list, parse_name(p, "a name"));
        return true;
    default:
        return fail(p, t->place, NULL, "expected a number, a string or a name, found %s",
                    parse_found(p));
    }
}

/* (arg, arg,), behind the '('. */
static bool annotation_arguments(struct parser *p, struct annotation *out)
{
    names list = {0};
    bool good = true;
    while (good && !parse_at_sign(p, ")")) {
        good = annotation_argument(p, out, &list);
        if (good && parse_at_sign(p, ","))
            parse_next(p);
        else
            break;
    }
    freeze(p, &list, &out->names.at, &out->names.n);
    return good && parse_expect(p, ")", "after the annotation's arguments");
}

static bool annotation_kind(struct parser *p, const char *name, struct annotation *out)
{
    for (int i = 0; i < N_ANNOTATIONS; i++) {
        if (!strcmp(name, annotation_names[i])) {
            out->kind = (enum annotation_kind)i;
            return true;
        }
    }
    const char *near = text_nearest(name, annotation_names, N_ANNOTATIONS);
    return fail(p, out->place, near ? arena_printf(p->a, "did you mean '@%s'?", near) : NULL,
                "there is no annotation '@%s'", name);
}

static bool arguments_fit(struct parser *p, const struct annotation *a)
{
    enum argument takes = annotation_rules[a->kind].takes;
    bool number = takes == NUMBER || takes == MAYBE_NUMBER;
    bool needed = takes == NUMBER || takes == NAMES;
    bool names_taken = takes == NAMES || takes == MAYBE_NAMES;
    const char *name = annotation_names[a->kind];
    if ((a->has_number && !number) || (a->names.n && !names_taken) ||
        (needed && !(number ? a->has_number : a->names.n)))
        return fail(p, a->place, NULL, "'@%s' %s", name, takes_text[takes]);
    if (a->has_number && a->number < annotation_rules[a->kind].least)
        return fail(p, a->place, NULL, "the number of '@%s' is at least %d", name,
                    annotation_rules[a->kind].least);
    return true;
}

void parse_annotations(struct parser *p)
{
    while (parse_at_sign(p, "@")) {
        struct annotation a = {.place = p->lex.token.place};
        parse_next(p);
        const char *name = parse_name(p, "the name of an annotation");
        if (!name)
            continue;
        bool known = annotation_kind(p, name, &a);
        if (parse_at_sign(p, "(")) {
            parse_next(p);
            if (!annotation_arguments(p, &a)) {
                while (!parse_at_end(p) && !parse_at_sign(p, ")") && !parse_at_sign(p, "{") &&
                       !parse_at_sign(p, "}"))
                    parse_skip_token(p);
                if (parse_at_sign(p, ")"))
                    parse_next(p);
                continue;
            }
        }
        if (known && arguments_fit(p, &a))
            vec_push(&p->annotations, a);
    }
}

/* The annotations that were read and may stand on `where`, the last one of each kind; the others
 * are told. */
struct said {
    const struct annotation *of[N_ANNOTATIONS];
};

static struct said take_annotations(struct parser *p, int where)
{
    struct said said = {0};
    for (size_t i = 0; i < p->annotations.n; i++) {
        const struct annotation *a = &p->annotations.at[i];
        const char *name = annotation_names[a->kind];
        if (!(annotation_rules[a->kind].on & where)) {
            tell(p, a->place, NULL, "'@%s' belongs to a %s", name,
                 where == ON_CLASS ? "production" : "class");
            continue;
        }
        if (said.of[a->kind])
            ag_say(p->m, AG_WARNING, a->place, NULL, "'@%s' stands here twice, the last one counts",
                   name);
        said.of[a->kind] = a;
    }
    p->annotations.n = 0;
    return said;
}

/* What the annotation says; where it was not read, what holds without it. */
static int number_of(const struct annotation *a, int otherwise)
{
    return a ? a->number : otherwise;
}

static struct ag_names names_of(const struct annotation *a, struct ag_names otherwise)
{
    return a ? a->names : otherwise;
}

void parse_annotate_class(struct parser *p, struct ag_class *c)
{
    struct said said = take_annotations(p, ON_CLASS);
    c->list |= said.of[A_LIST] != NULL;
    c->list_max = number_of(said.of[A_LIST], c->list_max);
    c->unit |= said.of[A_UNIT] != NULL;
    c->count = number_of(said.of[A_COUNT], c->count);
    c->max_height = number_of(said.of[A_MAX_HEIGHT], c->max_height);
    c->max_alternatives = number_of(said.of[A_MAX_ALTERNATIVES], c->max_alternatives);
    c->hidden |= said.of[A_HIDDEN] != NULL;
    c->copy |= said.of[A_COPY] != NULL;
    c->copy_only = names_of(said.of[A_COPY], c->copy_only);
}

void parse_annotate_production(struct parser *p, struct ag_production *out)
{
    struct said said = take_annotations(p, ON_PRODUCTION);
    out->weight = (unsigned)number_of(said.of[A_WEIGHT], (int)out->weight);
    out->features = names_of(said.of[A_FEATURE], out->features);
    out->precedence = number_of(said.of[A_PRECEDENCE], out->precedence);
    out->hidden |= said.of[A_HIDDEN] != NULL;
    out->copy |= said.of[A_COPY] != NULL;
    out->copy_only = names_of(said.of[A_COPY], out->copy_only);
}
