/* From the events of a file to parts that can be enumerated.
 *
 * A part is a type; its scopes are not those of the text but segments of them: one begins with the
 * first variable of the type, and another inside of it with a variable that is declared after a
 * hole. Blocks without variables of the type need none: their holes lie in the segment around them.
 *
 * A segment promises its variables to every hole in it. Where a hole cannot see one (shadowed, or
 * register under `&`), the pair is listed as hidden; in a plain skeleton the variable is taken out
 * instead, with its holes, and everything is built again. Each round takes
 * out at least one variable or hole, and two or three rounds are what it takes. */
#include "gen/spe/skeleton_internal.h"

const char *const skeleton_left_text[SKELETON_N_LEFT] = {SKELETON_LEFT_TABLE(WORD_NAME)};

struct segment {
    int parent;
    bool touched; /* there is a hole in it, or in one within */
    int n_variables;
};
typedef VEC(struct segment) segment_list;

struct type { /* of a part */
    uint32_t type;
    int n_holes, n_variables, n_classes, n_hidden;
    segment_list segments;
};

struct place { /* of a use, for sorting */
    uint32_t at;
    int use;
};

struct hole {
    int first, n_uses; /* of `places` */
    int variable, part, segment, index;
    int n_seen; /* candidates */
};

struct pair { /* the hole cannot see the variable */
    int hole, variable;
};

struct builder {
    struct survey s;
    const struct parsed *parsed;
    const struct skeleton_options *o;
    struct arena *arena;
    int only;             /* the function whose holes vary; -1: all */
    struct place *places; /* of all uses, in textual order */
    VEC(struct hole) holes;
    VEC(struct type) types;  /* one for each part */
    VEC(struct pair) hidden; /* in order of holes */
    int *looked, *seen;      /* by name, by variable: see look_from */
    int round;
};

/* -- which uses are holes ---------------------------------------------------------------------- */

bool skeleton_type_has_holes(const struct parsed *p, uint32_t type,
                             const struct skeleton_options *o)
{
    switch ((enum parsed_type_kind)p->types[type].kind) {
    case PARSED_T_BOOL:
    case PARSED_T_CHAR:
    case PARSED_T_SCHAR:
    case PARSED_T_UCHAR:
    case PARSED_T_SHORT:
    case PARSED_T_USHORT:
    case PARSED_T_INT:
    case PARSED_T_UINT:
    case PARSED_T_LONG:
    case PARSED_T_ULONG:
    case PARSED_T_LLONG:
    case PARSED_T_ULLONG:
    case PARSED_T_INT128:
    case PARSED_T_UINT128:
    case PARSED_T_FLOAT:
    case PARSED_T_DOUBLE:
    case PARSED_T_LDOUBLE:
    case PARSED_T_FLOAT16:
    case PARSED_T_FLOAT128:
        return true; /* clang's builtin types (SPE 5.1) */
    case PARSED_T_POINTER:
        return o->pointers || o->any;
    case PARSED_T_RECORD:
    case PARSED_T_ENUM:
    case PARSED_T_COMPLEX:
    case PARSED_T_VECTOR:
        return o->structs || o->any;
    default:
        return o->any;
    }
}

static const struct parsed_node *declaration(const struct builder *b, int variable)
{
    return &b->parsed->nodes[b->s.variables.at[variable].node];
}

/* What is only declared and never used may not exist at all. Taking the address of a member of a
 * register structure can hide in too many places. */
static void choose_variables(struct builder *b)
{
    for (size_t i = 0; i < b->s.variables.n; i++) {
        struct survey_variable *v = &b->s.variables.at[i];
        const struct parsed_node *n = declaration(b, (int)i);
        bool absent = n->kind == PARSED_VAR && !(n->flags & PARSED_DEFINED) && !v->n_uses;
        bool odd = (n->flags & PARSED_REGISTER) && !b->o->any &&
                   b->parsed->types[n->type].kind == PARSED_T_RECORD;
        v->takes_part =
            v->takes_part && !absent && !odd && skeleton_type_has_holes(b->parsed, n->type, b->o);
    }
}

static void leave(struct builder *b, struct survey_use *u, enum skeleton_left why)
{
    u->left = (int)why;
    if (u->variable >= 0)
        b->s.variables.at[u->variable].elsewhere = true;
}

static int why_no_hole(const struct builder *b, const struct survey_use *u)
{
    if (u->variable < 0)
        return u->left;
    if (!skeleton_type_has_holes(b->parsed, declaration(b, u->variable)->type, b->o))
        return SKELETON_TYPE;
    if (u->left >= 0)
        return u->left;
    if (!b->s.variables.at[u->variable].takes_part)
        return SKELETON_UNNAMED;
    if (b->only >= 0 && u->function != b->only)
        return SKELETON_OUTSIDE;
    /* A value, not an address, in a constant initialiser: clang knows constants that others may
     * not. */
    if (u->constant && !u->addressed && !b->o->any)
        return SKELETON_CONSTANT;
    return -1;
}

static void choose_uses(struct builder *b)
{
    for (size_t i = 0; i < b->s.uses.n; i++) {
        int why = why_no_hole(b, &b->s.uses.at[i]);
        if (why >= 0)
            leave(b, &b->s.uses.at[i], (enum skeleton_left)why);
    }
}

static int by_place(const void *x, const void *y)
{
    const struct place *a = x, *b = y;
    int order = ORDER(a->at, b->at);
    return order ? order : ORDER(a->use, b->use);
}

static void sort_uses(struct builder *b)
{
    b->places = arena_array(b->arena, struct place, b->s.uses.n);
    for (size_t i = 0; i < b->s.uses.n; i++)
        b->places[i] = (struct place){b->s.uses.at[i].at, (int)i};
    qsort(b->places, b->s.uses.n, sizeof *b->places, by_place);
}

/* Uses at one place are one hole: a macro repeats its argument. All of them must agree. */
static void add_hole(struct builder *b, int first, int n)
{
    struct survey_use *uses = b->s.uses.at, *u = &uses[b->places[first].use];
    int why = -1;
    for (int i = 0; i < n && why < 0; i++) {
        const struct survey_use *other = &uses[b->places[first + i].use];
        why = other->variable != u->variable ? SKELETON_ODD : other->left;
    }
    if (why < 0)
        vec_push(&b->holes, (struct hole){.first = first, .n_uses = n, .variable = u->variable});
    for (int i = 0; i < n; i++) {
        struct survey_use *each = &uses[b->places[first + i].use];
        each->hole = why < 0 ? (int)b->holes.n - 1 : -1;
        if (why >= 0 && each->left < 0)
            leave(b, each, (enum skeleton_left)why);
    }
}

static void choose_holes(struct builder *b)
{
    b->holes.n = 0;
    for (int i = 0, n; i < (int)b->s.uses.n; i += n) {
        for (n = 1; i + n < (int)b->s.uses.n && b->places[i + n].at == b->places[i].at; n++)
            ;
        add_hole(b, i, n);
    }
}

/* -- parts and their segments ------------------------------------------------------------------ */

static int part_of_type(struct builder *b, uint32_t type)
{
    for (size_t i = 0; i < b->types.n; i++)
        if (b->types.at[i].type == type)
            return (int)i;
    return -1;
}

static void forget_parts(struct builder *b)
{
    for (size_t i = 0; i < b->types.n; i++)
        vec_release(&b->types.at[i].segments);
    b->types.n = 0;
}

/* With `any` there are two parts: ordinary names, and members. */
enum { MEMBERS = -1 };

static uint32_t type_of_part(const struct builder *b, int variable)
{
    return !b->o->any                           ? declaration(b, variable)->type
           : b->s.variables.at[variable].member ? (uint32_t)MEMBERS
                                                : 0;
}

/* Types in the order of their first holes; a type without holes is no part. */
static void choose_parts(struct builder *b)
{
    forget_parts(b);
    for (size_t i = 0; i < b->holes.n; i++) {
        struct hole *hole = &b->holes.at[i];
        uint32_t type = type_of_part(b, hole->variable);
        hole->part = part_of_type(b, type);
        if (hole->part < 0) {
            vec_push(&b->types, (struct type){.type = type});
            hole->part = (int)b->types.n - 1;
        }
        hole->index = b->types.at[hole->part].n_holes++;
    }
    for (size_t i = 0; i < b->s.variables.n; i++) {
        struct survey_variable *v = &b->s.variables.at[i];
        v->part = v->takes_part ? part_of_type(b, type_of_part(b, (int)i)) : -1;
    }
}

struct level { /* of the text */
    int segment;
    bool own; /* the segment began in this scope */
};

/* The way through the events for one part. */
struct replay {
    struct builder *b;
    int part;
    segment_list *segments;
    VEC(struct level) levels;
};

static int new_segment(struct replay *r, int parent)
{
    vec_push(r->segments, (struct segment){.parent = parent});
    return (int)r->segments->n - 1;
}

/* In a flat tree what the function declares before its first hole joins the variables of the file.
 */
static void open_level(struct replay *r, int function)
{
    int segment = r->levels.at[r->levels.n - 1].segment;
    bool joins = r->b->o->flat && function >= 0 && function == r->b->only && segment == 0;
    vec_push(&r->levels, (struct level){segment, joins});
}

static void declare_in(struct replay *r, struct survey_variable *v)
{
    struct level *level = &r->levels.at[r->levels.n - 1];
    bool fits = level->own && !r->segments->at[level->segment].touched;
    if (!fits)
        *level = (struct level){new_segment(r, level->segment), true};
    v->segment = level->segment;
    r->segments->at[level->segment].n_variables++;
}

static void place_hole(struct replay *r, struct hole *hole)
{
    hole->segment = r->levels.at[r->levels.n - 1].segment;
    for (int s = hole->segment; s >= 0 && !r->segments->at[s].touched;
         s = r->segments->at[s].parent)
        r->segments->at[s].touched = true;
}

static void replay_event(struct replay *r, struct survey_event e)
{
    switch (e.kind) {
    case SURVEY_OPEN:
        open_level(r, e.what);
        break;
    case SURVEY_CLOSE:
        r->levels.n--;
        break;
    case SURVEY_DECLARE:
        if (r->b->s.variables.at[e.what].part == r->part)
            declare_in(r, &r->b->s.variables.at[e.what]);
        break;
    case SURVEY_USE: {
        const struct survey_use *u = &r->b->s.uses.at[e.what];
        struct hole *hole = u->hole >= 0 ? &r->b->holes.at[u->hole] : NULL;
        if (hole && hole->part == r->part && r->b->places[hole->first].use == e.what)
            place_hole(r, hole);
        break;
    }
    }
}

/* What has no hole is no scope. The numbers of the segments that stay close up. */
static void prune(struct replay *r)
{
    struct builder *b = r->b;
    int *to = arena_array(b->arena, int, r->segments->n), n = 0;
    for (int i = 0; i < (int)r->segments->n; i++) {
        struct segment s = r->segments->at[i];
        to[i] = s.touched || i == 0 ? n++ : -1;
        s.parent = s.parent < 0 ? -1 : to[s.parent];
        if (to[i] >= 0)
            r->segments->at[to[i]] = s;
    }
    r->segments->n = (size_t)n;
    for (size_t i = 0; i < b->holes.n; i++)
        if (b->holes.at[i].part == r->part)
            b->holes.at[i].segment = to[b->holes.at[i].segment];
    for (size_t i = 0; i < b->s.variables.n; i++) {
        struct survey_variable *v = &b->s.variables.at[i];
        if (v->part != r->part)
            continue;
        v->segment = to[v->segment];
        v->part = v->segment < 0 ? -1 : v->part;
    }
}

static void build_segments(struct builder *b)
{
    for (int part = 0; part < (int)b->types.n; part++) {
        struct replay r = {.b = b, .part = part, .segments = &b->types.at[part].segments};
        vec_push(&r.levels, (struct level){new_segment(&r, -1), true});
        for (size_t i = 0; i < b->s.events.n; i++)
            replay_event(&r, b->s.events.at[i]);
        prune(&r);
        vec_release(&r.levels);
    }
}

/* -- what a hole can see ----------------------------------------------------------------------- */

static bool may_stand(const struct builder *b, const struct survey_use *u, int variable)
{
    const struct survey_variable *v = &b->s.variables.at[variable];
    if (b->o->any)
        return true;
    return (!u->constant || v->constant_address) &&
           !(u->addressed && (declaration(b, variable)->flags & PARSED_REGISTER));
}

/* Count in `seen` the uses of one hole that can name a variable. The first declaration of a name on
 * the way out is the one that counts; `looked` remembers which names have been met. Numbers of
 * rounds are never used again, so that nothing has to be cleared. */
static void look_from(struct builder *b, const struct survey_use *u, int i, int base)
{
    int round = ++b->round;
    for (const struct seen *s = u->seen; s; s = s->up) {
        if (b->looked[s->name] == round)
            continue;
        b->looked[s->name] = round;
        if (s->variable >= 0 && (i == 0 || b->seen[s->variable] == base + i) &&
            may_stand(b, u, s->variable))
            b->seen[s->variable] = base + i + 1;
    }
}

static bool encloses(const segment_list *segments, int outer, int inner)
{
    while (inner > outer)
        inner = segments->at[inner].parent;
    return inner == outer;
}

/* List what the hole cannot see. False: not even what stands there. */
static bool look(struct builder *b, int number)
{
    struct hole *hole = &b->holes.at[number];
    const segment_list *segments = &b->types.at[hole->part].segments;
    bool quoted = b->s.marks[b->places[hole->first].at] & NAMES_QUOTED;
    int base = b->round;
    for (int i = 0; i < hole->n_uses; i++)
        look_from(b, &b->s.uses.at[b->places[hole->first + i].use], i, base);
    bool itself = false;
    for (int v = 0; v < (int)b->s.variables.n; v++) {
        struct survey_variable *variable = &b->s.variables.at[v];
        if (variable->part != hole->part || !encloses(segments, variable->segment, hole->segment))
            continue;
        bool visible = b->seen[v] == base + hole->n_uses;
        hole->n_seen += visible;
        variable->quoted = variable->quoted || (quoted && visible);
        itself = itself || (visible && v == hole->variable);
        if (!visible)
            vec_push(&b->hidden, (struct pair){number, v});
    }
    return itself;
}

static void leave_hole(struct builder *b, const struct hole *hole, enum skeleton_left why)
{
    for (int i = 0; i < hole->n_uses; i++)
        leave(b, &b->s.uses.at[b->places[hole->first + i].use], why);
}

static void take_out(struct builder *b, int variable)
{
    b->s.variables.at[variable].takes_part = false;
    for (size_t i = 0; i < b->s.uses.n; i++)
        if (b->s.uses.at[i].variable == variable && b->s.uses.at[i].left < 0)
            leave(b, &b->s.uses.at[i], SKELETON_HIDDEN);
}

/* One round. True: something was taken out, and it takes another one. */
static bool build_round(struct builder *b)
{
    bool again = false;
    choose_holes(b);
    choose_parts(b);
    build_segments(b);
    b->hidden.n = 0;
    for (int i = 0; i < (int)b->holes.n; i++)
        if (!look(b, i)) {
            leave_hole(b, &b->holes.at[i], SKELETON_ODD);
            again = true;
        }
    if (again)
        return true;
    for (size_t i = 0; b->o->plain && i < b->hidden.n; i++)
        if (b->s.variables.at[b->hidden.at[i].variable].takes_part)
            take_out(b, b->hidden.at[i].variable);
    return b->o->plain && b->hidden.n;
}

/* Which holes do not see a variable, as one number: equal for equal sets, 0 for none. */
static void number_unseen(struct builder *b)
{
    struct map known; /* (set, hole) -> the set with this hole */
    map_init(&known);
    for (size_t i = 0; i < b->hidden.n; i++) {
        struct survey_variable *v = &b->s.variables.at[b->hidden.at[i].variable];
        int key[2] = {v->unseen, b->hidden.at[i].hole};
        bool added;
        struct map_entry *entry = map_put(&known, key, sizeof key, &added);
        if (added)
            entry->value.number = known.n;
        v->unseen = (int)entry->value.number;
    }
    map_release(&known);
}

/* -- the result -------------------------------------------------------------------------------- */

struct key { /* the order of variables: that of spe.h */
    int part, segment, class, variable;
};

static int by_key(const void *x, const void *y)
{
    const struct key *a = x, *b = y;
    int order = a->part - b->part;
    order = order ? order : a->segment - b->segment;
    order = order ? order : a->class - b->class;
    return order ? order : a->variable - b->variable;
}

/* Classes of a segment are numbered by their first variables. */
static int class_of(struct builder *b, const struct key *begin, const struct key *end, int variable)
{
    const struct survey_variable *v = &b->s.variables.at[variable];
    int next = 0;
    for (const struct key *k = begin; k < end; k++) {
        const struct survey_variable *other = &b->s.variables.at[k->variable];
        next = k->class >= next ? k->class + 1 : next;
        if (!skeleton_alone(&b->s, v) && !skeleton_alone(&b->s, other) &&
            skeleton_interchangeable(&b->s, v, other))
            return k->class;
    }
    return next;
}

static struct key *sort_variables(struct builder *b, int *n)
{
    struct key *keys = arena_array(b->arena, struct key, b->s.variables.n);
    *n = 0;
    for (int i = 0; i < (int)b->s.variables.n; i++) {
        const struct survey_variable *v = &b->s.variables.at[i];
        if (v->part >= 0)
            keys[(*n)++] = (struct key){v->part, v->segment, 0, i};
    }
    qsort(keys, (size_t)*n, sizeof *keys, by_key);
    const struct key *begin = keys;
    for (struct key *k = keys; k < keys + *n; k++) {
        if (k->part != begin->part || k->segment != begin->segment)
            begin = k;
        k->class = class_of(b, begin, k, k->variable);
    }
    qsort(keys, (size_t)*n, sizeof *keys, by_key);
    return keys;
}

static void put_variables(struct builder *b, struct skeleton *out)
{
    struct key *keys = sort_variables(b, &out->n_variables);
    out->variables = arena_array(b->arena, struct skeleton_variable, out->n_variables);
    for (int i = 0; i < out->n_variables; i++) {
        struct survey_variable *v = &b->s.variables.at[keys[i].variable];
        const char *name = parsed_string(b->parsed, b->parsed->nodes[v->node].name);
        v->class = keys[i].class;
        v->number = b->types.at[v->part].n_variables++;
        out->variables[i] = (struct skeleton_variable){
            .name = name,
            .size = (uint32_t)strlen(name),
            .node = v->node,
            .part = v->part,
            .number = v->number,
            .scope = v->segment,
            .class = v->class,
            .function = v->function,
            .alone = skeleton_alone(&b->s, v),
        };
    }
}

static void put_scopes(struct builder *b, const struct skeleton *out, int part, struct spe_part *to)
{
    const segment_list *segments = &b->types.at[part].segments;
    struct spe_scope *scopes = arena_array(b->arena, struct spe_scope, segments->n);
    struct spe_class *classes =
        arena_array(b->arena, struct spe_class, b->types.at[part].n_variables);
    to->n_scopes = (int)segments->n;
    to->scopes = scopes;
    for (int i = 0; i < to->n_scopes; i++)
        scopes[i].parent = segments->at[i].parent;
    for (int i = 0; i < out->n_variables; i++) {
        const struct skeleton_variable *v = &out->variables[i];
        if (v->part != part)
            continue;
        struct spe_scope *scope = &scopes[v->scope];
        if (!scope->n_classes)
            scope->classes = classes;
        if (v->class == scope->n_classes) {
            scope->n_classes++;
            classes++;
        }
        classes[-1].size++;
    }
}

/* What is hidden is a class: its first variable speaks for it. */
static bool is_first_of_class(const struct skeleton *s, int part, const struct survey_variable *v)
{
    const struct skeleton_variable *x = &s->variables[s->part_variables[part] + v->number];
    return v->number == 0 || x[-1].scope != x->scope || x[-1].class != x->class;
}

static void put_parts(struct builder *b, struct skeleton *out)
{
    out->n_parts = (int)b->types.n;
    out->parts = arena_array(b->arena, struct spe_part, out->n_parts);
    out->part_holes = arena_array(b->arena, int, out->n_parts);
    out->part_variables = arena_array(b->arena, int, out->n_parts);
    out->part_types = arena_array(b->arena, uint32_t, out->n_parts);
    int holes = 0, variables = 0;
    for (int part = 0; part < out->n_parts; part++) {
        const struct type *type = &b->types.at[part];
        struct spe_part *to = &out->parts[part];
        out->part_types[part] = b->o->any ? 0 : type->type;
        out->part_holes[part] = holes;
        out->part_variables[part] = variables;
        holes += type->n_holes;
        variables += type->n_variables;
        put_scopes(b, out, part, to);
        int *scopes = arena_array(b->arena, int, type->n_holes);
        struct spe_hidden *hidden = arena_array(b->arena, struct spe_hidden, b->hidden.n);
        to->holes = scopes;
        to->hidden = hidden;
        for (size_t i = 0; i < b->holes.n; i++)
            if (b->holes.at[i].part == part)
                scopes[to->n_holes++] = b->holes.at[i].segment;
        for (size_t i = 0; i < b->hidden.n; i++) {
            const struct hole *hole = &b->holes.at[b->hidden.at[i].hole];
            const struct survey_variable *v = &b->s.variables.at[b->hidden.at[i].variable];
            if (hole->part == part && is_first_of_class(out, part, v))
                hidden[to->n_hidden++] = (struct spe_hidden){hole->index, v->segment, v->class};
        }
    }
}

static void put_holes(struct builder *b, struct skeleton *out)
{
    uint32_t end = 0;
    out->n_holes = (int)b->holes.n;
    out->holes = arena_array(b->arena, struct skeleton_hole, out->n_holes);
    out->original = arena_array(b->arena, uint32_t, out->n_holes);
    for (int i = 0; i < out->n_holes; i++) {
        const struct hole *hole = &b->holes.at[i];
        const struct survey_variable *v = &b->s.variables.at[hole->variable];
        uint32_t *nodes = arena_array(b->arena, uint32_t, hole->n_uses);
        for (int k = 0; k < hole->n_uses; k++)
            nodes[k] = b->s.uses.at[b->places[hole->first + k].use].node;
        const struct parsed_node *n = &b->parsed->nodes[nodes[0]];
        struct skeleton_hole *to = &out->holes[i];
        uint32_t at = b->places[hole->first].at, line = n->line, column = n->column;
        for (uint32_t k = n->at; k < at; k++) { /* of a member: behind what has it */
            column = out->source[k] == '\n' ? 1 : column + 1;
            line += out->source[k] == '\n';
        }
        *to = (struct skeleton_hole){
            .at = at,
            .size = out->variables[out->part_variables[hole->part] + v->number].size,
            .line = line,
            .column = column,
            .part = hole->part,
            .index = hole->index,
            .variable = out->part_variables[hole->part] + v->number,
            .function = b->s.uses.at[b->places[hole->first].use].function,
            .n_nodes = hole->n_uses,
            .nodes = nodes,
            .quoted = b->s.marks[b->places[hole->first].at] & NAMES_QUOTED,
            .before = out->source + end,
            .before_size = at - end,
        };
        end = to->at + to->size;
        out->original[skeleton_slot(out, to)] = (uint32_t)v->number;
        out->visible += hole->n_seen;
        if (to->function >= 0)
            b->s.functions.at[to->function].n_holes++;
    }
    out->tail = out->source + end;
    out->tail_size = out->source_size - end;
}

/* Scopes of the text with a hole, or a variable that a hole can hold. */
static int count_scopes(const struct builder *b)
{
    VEC(bool) open = {0};
    int n = 0;
    vec_push(&open, false);
    for (size_t i = 0; i < b->s.events.n; i++) {
        struct survey_event e = b->s.events.at[i];
        if (e.kind == SURVEY_OPEN)
            vec_push(&open, false);
        else if (e.kind == SURVEY_CLOSE)
            n += open.at[--open.n];
        else if (e.kind == SURVEY_DECLARE ? b->s.variables.at[e.what].part >= 0
                                          : b->s.uses.at[e.what].hole >= 0)
            open.at[open.n - 1] = true;
    }
    n += open.at[0];
    vec_release(&open);
    return n;
}

static void put_rest(struct builder *b, struct skeleton *out)
{
    out->n_functions = (int)b->s.functions.n;
    out->functions = arena_array(b->arena, struct skeleton_function, out->n_functions);
    for (int i = 0; i < out->n_functions; i++)
        out->functions[i] = b->s.functions.at[i];
    for (size_t i = 0; i < b->s.uses.n; i++)
        if (b->s.uses.at[i].left >= 0)
            out->left[b->s.uses.at[i].left]++;
    out->n_scopes = count_scopes(b);
}

static int find_function(const struct builder *b, const char *name, struct error *error)
{
    for (size_t i = 0; i < b->s.functions.n; i++)
        if (!strcmp(b->s.functions.at[i].name, name))
            return (int)i;
    return error_set(error, ERROR_USAGE, "the file defines no function '%s'", name);
}

int skeleton_build(const struct parsed *parsed, const struct skeleton_options *o,
                   struct arena *arena, struct skeleton *out, struct error *error)
{
    struct builder b = {.parsed = parsed, .o = o, .arena = arena, .only = -1};
    *out = (struct skeleton){.source = parsed->source, .source_size = parsed->source_size};
    survey_take(&b.s, parsed, o->any, arena);
    if (o->function)
        b.only = find_function(&b, o->function, error);
    bool found = !o->function || b.only >= 0;
    if (found) {
        b.looked = arena_array(arena, int, b.s.names.n);
        b.seen = arena_array(arena, int, b.s.variables.n);
        choose_variables(&b);
        choose_uses(&b);
        sort_uses(&b);
        survey_mentions(&b.s);
        while (build_round(&b))
            ;
        number_unseen(&b);
        put_variables(&b, out);
        put_parts(&b, out);
        put_holes(&b, out);
        put_rest(&b, out);
    }
    forget_parts(&b);
    vec_release(&b.types);
    vec_release(&b.holes);
    vec_release(&b.hidden);
    survey_release(&b.s);
    return found ? 0 : -1;
}

int skeleton_candidates(const struct skeleton *s, const struct skeleton_hole *hole, int *out)
{
    const struct spe_part *part = &s->parts[hole->part];
    int n = 0;
    for (int v = s->part_variables[hole->part];
         v < s->n_variables && s->variables[v].part == hole->part; v++) {
        const struct skeleton_variable *variable = &s->variables[v];
        int scope = part->holes[hole->index];
        while (scope > variable->scope)
            scope = part->scopes[scope].parent;
        bool visible = scope == variable->scope;
        for (int i = 0; i < part->n_hidden && visible; i++)
            visible = part->hidden[i].hole != hole->index ||
                      part->hidden[i].scope != variable->scope ||
                      part->hidden[i].class != variable->class;
        if (visible)
            out[n++] = v;
    }
    return n;
}
