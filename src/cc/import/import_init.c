/* Initialisers, C11 6.7.9.
 *
 * What initialises an object is collected in a tree of its parts, because later initialisers may
 * name earlier parts again (p19) and designators may name them in any order. `walk` goes through
 * one pair of braces: a stack of frames has the current object of p17, from the object of the
 * braces down to the subobject that the last initialiser ended in; the next one without designator
 * goes to what follows there. An expression that does not fit an aggregate as a whole starts its
 * first part (p20, brace elision).
 *
 * The tree then becomes the positional list that ast.h asks for, as short as it can be. */
#include "cc/import/import_internal.h"

enum { MAX_FRAMES = 64, MAX_PARTS = 1 << 20 };

struct part {
    const struct cc_type *type;
    struct cc_expr *value; /* of the whole; NULL: `parts` */
    struct part **parts;   /* by position; NULL: not initialised */
    uint32_t n, cap;
    int member; /* of a union: which field; -1: none yet */
};

static void walk(struct importer *im, struct part *object, uint32_t list);
static struct cc_expr *list_of(struct importer *im, const struct part *p);
static struct cc_expr *zero_of(struct importer *im, const struct cc_type *type);

/* -- parts ------------------------------------------------------------------------------------ */

static struct part *new_part(struct importer *im, const struct cc_type *type)
{
    struct part *p = arena_new(im->p->arena, struct part);
    p->type = type;
    p->member = -1;
    return p;
}

static bool is_aggregate(const struct cc_type *t)
{
    return t->kind == CC_ARRAY || cc_is_composite(t);
}

/* Fields that take part (p9), in order: the number of those before `field`. */
static uint32_t position_of(const struct cc_record *r, int field)
{
    uint32_t at = 0;
    for (int i = 0; i < field; i++)
        at += r->fields[i].name != NULL;
    return at;
}

static int field_at(const struct cc_record *r, uint32_t position)
{
    for (int i = 0; i < r->n_fields; i++)
        if (r->fields[i].name && position-- == 0)
            return i;
    return -1;
}

/* How many parts there are to initialise in order; of a union one (p17). */
static uint32_t count_parts(const struct cc_type *t)
{
    if (!cc_is_record(t))
        return t->length;
    uint32_t n = position_of(t->record, t->record->n_fields);
    return t->record->is_union && n > 1 ? 1 : n;
}

static void reserve(struct importer *im, struct part *whole, uint32_t n, uint32_t node)
{
    if (n > MAX_PARTS)
        import_fail(im, node, "an initialiser of %u elements", n);
    if (n > whole->cap) {
        uint32_t cap = whole->cap * 2 > n ? whole->cap * 2 : n;
        struct part **grown = arena_array(im->p->arena, struct part *, cap);
        if (whole->n)
            memcpy(grown, whole->parts, whole->n * sizeof *grown);
        whole->parts = grown;
        whole->cap = cap;
    }
    if (whole->n < n)
        whole->n = n;
}

static const struct cc_type *field_type(struct importer *im, const struct cc_record *r, int field,
                                        uint32_t node)
{
    if (!strncmp(r->fields[field].name, "(opaque", 7))
        import_fail(im, node, "an initialiser of a type that is not supported");
    return r->fields[field].type;
}

/* The part at a position; of a union, its current member (the first, or the designated one). */
static struct part *part_at(struct importer *im, struct part *whole, uint32_t at, uint32_t node)
{
    const struct cc_type *t = whole->type;
    if (whole->value)
        import_fail(im, node, "an initialiser that changes a part of another one");
    reserve(im, whole, at + 1, node);
    if (whole->parts[at])
        return whole->parts[at];
    const struct cc_type *type = t->to;
    if (t->kind == CC_UNION) {
        if (whole->member < 0)
            whole->member = field_at(t->record, 0);
        type = field_type(im, t->record, whole->member, node);
    } else if (t->kind == CC_STRUCT) {
        type = field_type(im, t->record, field_at(t->record, at), node);
    }
    return whole->parts[at] = new_part(im, type);
}

static void forget(struct part *p)
{
    p->value = NULL;
    p->parts = NULL;
    p->n = p->cap = 0;
    p->member = -1;
}

static struct part *copy(struct importer *im, const struct part *p)
{
    struct part *c = arena_new(im->p->arena, struct part);
    *c = *p;
    c->parts = arena_array(im->p->arena, struct part *, p->n);
    c->cap = p->n;
    for (uint32_t i = 0; i < p->n; i++)
        c->parts[i] = p->parts[i] ? copy(im, p->parts[i]) : NULL;
    return c;
}

/* -- values ----------------------------------------------------------------------------------- */

static bool is_character(const struct cc_type *t)
{
    return cc_is_integer(t) && t->kind != CC_BOOL && t->kind != CC_ENUM && t->size <= 4;
}

static bool takes_string(struct importer *im, const struct cc_type *t, uint32_t node)
{
    if (t->kind != CC_ARRAY || !is_character(t->to) || import_kind(im, node) != PARSED_STRING)
        return false;
    const struct parsed_type *s = &im->s->types[import_node(im, node)->type];
    return im->s->types[s->to].size == t->to->size;
}

/* p14: a NUL that does not fit is left out; elements beyond it are 0. */
static void set_string(struct importer *im, struct part *array, uint32_t node)
{
    const struct parsed_node *n = import_node(im, node);
    const struct cc_type *element = array->type->to->plain;
    const unsigned char *bytes = (const unsigned char *)parsed_string(im->s, n->text);
    uint32_t length = n->text_size / element->size;
    forget(array);
    if (length > array->type->length)
        length = array->type->length;
    reserve(im, array, length, node);
    for (uint32_t i = 0; i < length; i++) {
        uint32_t value = 0;
        for (uint32_t k = element->size; k-- > 0;)
            value = value << 8 | bytes[i * element->size + k];
        array->parts[i] = new_part(im, array->type->to);
        array->parts[i]->value = cc_int(im->p, element, value, CC_CHARACTER);
    }
}

/* An initialiser that is not a list, for an object that is no aggregate or is taken as a whole. */
static bool set_whole(struct importer *im, struct part *p, uint32_t node, struct cc_expr **e)
{
    if (takes_string(im, p->type, node)) {
        set_string(im, p, node);
        return true;
    }
    if (import_kind(im, node) == PARSED_LITERAL && is_aggregate(p->type) &&
        (p->type->kind == CC_ARRAY || !im->func)) { /* GNU: a literal for what it would hold */
        const struct cc_type *t = import_type(im, import_node(im, node)->type, node);
        if (cc_same_type(t, p->type)) {
            forget(p);
            walk(im, p, import_child(im, node, 0));
            return true;
        }
    }
    if (!*e)
        *e = import_expr(im, node);
    bool vectors = p->type->kind == CC_VECTOR && (*e)->type->kind == CC_VECTOR &&
                   p->type->size == (*e)->type->size; /* the bits of one for another */
    if (p->type->kind == CC_ARRAY ||
        (is_aggregate(p->type) && (*e)->type->plain != p->type->plain && !vectors))
        return false;
    forget(p);
    p->value = import_fit(im, node, p->type, *e);
    if (!is_aggregate(p->type))
        p->value = cc_convert(im->p, p->type, p->value);
    return true;
}

/* -- one pair of braces ----------------------------------------------------------------------- */

struct frame {
    struct part *object;
    uint32_t next; /* position of the part that comes next */
};

struct walk {
    struct frame frames[MAX_FRAMES];
    int n;
};

static void push(struct importer *im, struct walk *w, struct part *object, uint32_t node)
{
    if (w->n == MAX_FRAMES)
        import_fail(im, node, "an initialiser nested too deeply");
    w->frames[w->n++] = (struct frame){object, 0};
}

static void set_part(struct importer *im, struct walk *w, struct part *p, uint32_t node,
                     struct cc_expr *e);

/* The next part in order, objects that are full being left; NULL: there is no more (excess). */
static struct part *next_part(struct importer *im, struct walk *w, uint32_t node)
{
    while (w->n > 1 && w->frames[w->n - 1].next >= count_parts(w->frames[w->n - 1].object->type))
        w->n--;
    struct frame *f = &w->frames[w->n - 1];
    if (f->next >= count_parts(f->object->type))
        return NULL;
    return part_at(im, f->object, f->next++, node);
}

/* `p`, and where an expression is for its first part, that one. */
static void set_part(struct importer *im, struct walk *w, struct part *p, uint32_t node,
                     struct cc_expr *e)
{
    if (p->type->kind == CC_ARRAY && p->type->length == 0)
        import_fail(im, node, "an initialised flexible array member");
    if (import_kind(im, node) == PARSED_INIT_LIST) {
        forget(p);
        walk(im, p, node);
        return;
    }
    while (!set_whole(im, p, node, &e)) {
        push(im, w, p, node);
        p = next_part(im, w, node);
        if (!p)
            import_fail(im, node, "an initialiser of an object without parts");
        if (p->type->kind == CC_ARRAY && p->type->length == 0)
            import_fail(im, node, "an initialised flexible array member");
    }
}

/* One step of a designator: the frame on top is that of the object it is in. */
static struct part *step_to(struct importer *im, struct walk *w, uint32_t at, uint32_t node)
{
    struct frame *f = &w->frames[w->n - 1];
    f->next = at + 1;
    return part_at(im, f->object, at, node);
}

static struct part *step_to_field(struct importer *im, struct walk *w, uint32_t node)
{
    int path[MAX_PATH];
    struct part *p = w->frames[w->n - 1].object;
    int n = cc_is_record(p->type)
                ? import_member_path(im, p->type, import_node(im, node)->ref, path)
                : 0;
    if (!n)
        import_fail(im, node, "the designator %s", import_name(im, import_node(im, node)->ref));
    for (int i = 0; i < n; i++) {
        if (i > 0)
            push(im, w, p, node);
        const struct cc_record *r = p->type->record;
        if (path[i] >= r->n_fields || !r->fields[path[i]].name)
            import_fail(im, node, "a designator of an unnamed member");
        uint32_t at = position_of(r, path[i]);
        if (r->is_union) {
            if (p->member != path[i])
                forget(p);
            p->member = path[i];
            at = 0;
        }
        p = step_to(im, w, at, node);
    }
    return p;
}

static void set_designated(struct importer *im, struct walk *w, uint32_t designator);

/* What a designator leads to: by further ones, or with the value behind it. */
static void set_behind(struct importer *im, struct walk *w, struct part *p, uint32_t designator)
{
    uint32_t after = import_node(im, designator)->next;
    enum parsed_kind kind = import_kind(im, after);
    if (kind == PARSED_FIELD_DESIGNATOR || kind == PARSED_INDEX_DESIGNATOR) {
        push(im, w, p, designator);
        set_designated(im, w, after);
    } else {
        set_part(im, w, p, after, NULL);
    }
}

/* GNU's [first ... last]: one evaluation, and its value for all. */
static void set_range(struct importer *im, struct walk *w, uint32_t node)
{
    const struct parsed_node *n = import_node(im, node);
    struct frame *f = &w->frames[w->n - 1];
    const struct cc_type *t = f->object->type;
    if (t->kind != CC_ARRAY || n->value < 0 || n->value2 < n->value || n->value2 >= t->length)
        import_fail(im, node, "a designator outside of its array");
    int frame = w->n - 1;
    struct part *p = step_to(im, w, (uint32_t)n->value, node);
    set_behind(im, w, p, node);
    if (n->value2 > n->value && list_of(im, p)->effects)
        import_fail(im, node, "an initialiser with effects of several elements");
    for (int64_t i = n->value + 1; i <= n->value2; i++) {
        struct part *whole = w->frames[frame].object;
        reserve(im, whole, (uint32_t)i + 1, node);
        whole->parts[i] = copy(im, p);
    }
    if (n->value2 > n->value) { /* what follows comes after the last one */
        w->n = frame + 1;
        w->frames[frame].next = (uint32_t)n->value2 + 1;
    }
}

/* The designators from here on, then the value: 6.7.9p7. */
static void set_designated(struct importer *im, struct walk *w, uint32_t designator)
{
    if (import_kind(im, designator) == PARSED_INDEX_DESIGNATOR) {
        set_range(im, w, designator);
        return;
    }
    set_behind(im, w, step_to_field(im, w, designator), designator);
}

/* p11: a scalar may have braces around it. */
static void walk_scalar(struct importer *im, struct part *object, uint32_t list)
{
    uint32_t first = import_child(im, list, 0);
    if (!first)
        object->value = zero_of(im, object->type);
    else if (import_kind(im, first) == PARSED_INIT_LIST)
        walk(im, object, first);
    else
        object->value = cc_convert(im->p, object->type,
                                   import_fit(im, first, object->type, import_expr(im, first)));
}

static void walk(struct importer *im, struct part *object, uint32_t list)
{
    import_enter(im, list);
    if (import_kind(im, list) != PARSED_INIT_LIST)
        import_fail(im, list, "this initialiser");
    uint32_t first = import_child(im, list, 0);
    if (!is_aggregate(object->type)) {
        walk_scalar(im, object, list);
    } else if (first && takes_string(im, object->type, first)) { /* p14 */
        set_string(im, object, first);
    } else {
        struct walk w = {.n = 0};
        push(im, &w, object, list);
        for (uint32_t c = first; c; c = import_node(im, c)->next) {
            if (import_kind(im, c) == PARSED_DESIGNATED) {
                w.n = 1;
                set_designated(im, &w, import_child(im, c, 0));
                continue;
            }
            struct part *p = next_part(im, &w, c);
            if (p) /* compilers ignore excess elements */
                set_part(im, &w, p, c, NULL);
        }
    }
    import_leave(im);
}

/* -- the result ------------------------------------------------------------------------------- */

/* What an object of static storage starts with (6.7.9p10). */
static struct cc_expr *zero_of(struct importer *im, const struct cc_type *type)
{
    if (cc_is_integer(type))
        return cc_int(im->p, type, 0, CC_DECIMAL);
    if (cc_is_float(type))
        return cc_float(im->p, type, 0, CC_DECIMAL);
    if (type->kind == CC_POINTER)
        return cc_null(im->p, type);
    return cc_list(im->p, type, NULL, 0, type->kind == CC_UNION ? field_at(type->record, 0) : 0);
}

static struct cc_expr *list_of(struct importer *im, const struct part *p)
{
    if (p->value)
        return p->value;
    if (p->n == 0)
        return zero_of(im, p->type);
    struct cc_expr **list = arena_array(im->p->arena, struct cc_expr *, p->n);
    for (uint32_t i = 0; i < p->n; i++) {
        if (p->parts[i]) {
            list[i] = list_of(im, p->parts[i]);
            continue;
        }
        const struct cc_type *t = p->type->to;
        if (p->type->kind == CC_STRUCT)
            t = p->type->record->fields[field_at(p->type->record, i)].type;
        list[i] = zero_of(im, t);
    }
    return cc_list(im->p, p->type, list, (int)p->n, p->member);
}

struct cc_expr *import_init(struct importer *im, const struct cc_type *type, uint32_t node)
{
    struct part *object = new_part(im, type);
    struct cc_expr *e = NULL;
    if (import_kind(im, node) == PARSED_INIT_LIST)
        walk(im, object, node);
    else if (!set_whole(im, object, node, &e))
        import_fail(im, node, "an initialiser that is %s", cc_kind_text[e->type->kind]);
    return list_of(im, object);
}
