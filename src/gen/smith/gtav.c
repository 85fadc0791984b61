#include "gen/smith/gtav_internal.h"

void gtav_invalid(struct gtav *g, const char *why)
{
    if (!g->bad)
        g->why = why;
    if (!g->bad)
        g->by_context = false;
    g->bad = true;
}

/* Invalid here, between these operands or in this loop; elsewhere it may be valid. */
static void conflict(struct gtav *g, const char *why)
{
    gtav_invalid(g, why);
    g->by_context = true;
}

/* -- set-up ----------------------------------------------------------------------------------- */

void gtav_init(struct gtav *g, struct arena *a)
{
    *g = (struct gtav){.clock = 1, .relaxed_unions = true};
    facts_init(&g->f, a);
    vec_push(&g->blocks, (struct gtav_block){0});
    g->now.live = true;
}

void gtav_release(struct gtav *g)
{
    facts_release(&g->f);
    free(g->now.at);
    vec_release(&g->last_read);
    vec_release(&g->last_write);
    vec_release(&g->stores);
    vec_release(&g->intervals);
    vec_release(&g->locked);
    vec_release(&g->blocks);
    vec_release(&g->open);
    vec_release(&g->loops);
    vec_release(&g->frames);
    vec_release(&g->summaries);
    for (size_t i = 0; i < g->labels.n; i++)
        free(g->labels.at[i]->in.at);
    vec_release(&g->labels);
}

struct gtav_label *gtav_new_label(struct gtav *g)
{
    struct gtav_label *l = arena_new(g->f.arena, struct gtav_label);
    vec_push(&g->labels, l);
    return l;
}

uint32_t gtav_new_home(struct gtav *g, struct cc_func *f)
{
    vec_push(&g->blocks, (struct gtav_block){.func = f});
    return (uint32_t)g->blocks.n - 1;
}

void gtav_add_var(struct gtav *g, struct cc_var *v, uint32_t home)
{
    facts_add_var(&g->f, v, home);
    while (g->last_read.n < g->f.locs.n) {
        vec_push(&g->last_read, 0);
        vec_push(&g->last_write, 0);
        vec_push(&g->locked, 0);
    }
}

void gtav_lock(struct gtav *g, uint32_t loc, int by)
{
    for (uint32_t l = loc; l < g->f.locs.at[loc].end; l++)
        g->locked.at[l] = (uint8_t)(g->locked.at[l] + by);
}

/* -- order (4.5) ------------------------------------------------------------------------------ */

static bool in_interval(const struct gtav *g, uint32_t stamp)
{
    for (size_t i = g->intervals.n; i-- > 0;)
        if (stamp >= g->intervals.at[i].start && stamp < g->intervals.at[i].end)
            return true;
    return false;
}

struct gtav_frame *gtav_frame_now(struct gtav *g)
{
    return g->frames.n ? &g->frames.at[g->frames.n - 1] : NULL;
}

static uint64_t *grow_bits(uint64_t *bits, size_t words, size_t wanted)
{
    bits = mem_resize(bits, wanted * sizeof *bits);
    memset(bits + words, 0, (wanted - words) * sizeof *bits);
    return bits;
}

static void set_bits(uint64_t *bits, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++)
        bits[i / 64] |= (uint64_t)1 << (i % 64);
}

static void touch(struct gtav *g, uint32_t slot)
{
    struct gtav_frame *f = gtav_frame_now(g);
    if (!f)
        return;
    if (slot >= f->n_touched * 64) {
        size_t words = slot / 64 + 8;
        f->touched = grow_bits(f->touched, f->n_touched, words);
        f->n_touched = words;
    }
    set_bits(f->touched, slot, slot + 1);
}

/* The function that is being walked reads or writes these locations. */
static void note_effect(struct gtav *g, uint32_t from, uint32_t to, bool write)
{
    struct gtav_frame *f = gtav_frame_now(g);
    if (!f)
        return;
    if (to > f->n_locs * 64) {
        size_t words = to / 64 + 16;
        f->reads = grow_bits(f->reads, f->n_locs, words);
        f->writes = grow_bits(f->writes, f->n_locs, words);
        f->n_locs = words;
    }
    set_bits(write ? f->writes : f->reads, from, to);
}

uint32_t gtav_get(struct gtav *g, uint32_t slot)
{
    touch(g, slot);
    return state_get(&g->f, &g->now, slot);
}

void gtav_put(struct gtav *g, uint32_t slot, uint32_t value)
{
    touch(g, slot);
    state_fit(&g->f, &g->now);
    g->now.at[slot] = value;
}

/* Between two unsequenced operands at most one may access volatile objects (4.5.3). */
static void access_volatile(struct gtav *g)
{
    if (g->intervals.n && in_interval(g, g->last_volatile)) {
        conflict(g, "volatile accesses in no given order");
        return;
    }
    g->last_volatile = g->clock++;
    if (gtav_frame_now(g))
        gtav_frame_now(g)->is_volatile = true;
}

/* One access to the locations from..to. A union is accessed as a whole (4.5.2). */
static void access(struct gtav *g, uint32_t from, uint32_t to, bool write)
{
    bool ordered = g->intervals.n == 0;
    for (uint32_t l = from; l < to && !ordered; l++)
        if (in_interval(g, g->last_write.at[l]) || (write && in_interval(g, g->last_read.at[l]))) {
            conflict(g, "unsequenced");
            return;
        }
    for (uint32_t l = from; l < to && write; l++)
        if (g->locked.at[l]) {
            conflict(g, "store to a loop variable");
            return;
        }
    uint32_t now = g->clock++;
    for (uint32_t l = from; l < to; l++) {
        uint32_t *last = write ? &g->last_write.at[l] : &g->last_read.at[l];
        /* an older stamp that still counts must not be hidden by a newer one */
        if (ordered || !in_interval(g, *last))
            *last = now;
    }
    note_effect(g, from, to, write);
}

static void access_place(struct gtav *g, uint32_t loc, const struct cc_type *type, bool write)
{
    uint32_t from = loc;
    while (g->f.locs.at[from].union_of)
        from = g->f.locs.at[from].union_of;
    if (type->has_volatile || g->f.locs.at[loc].is_volatile)
        access_volatile(g);
    access(g, from, g->f.locs.at[from].end, write);
}

/* -- places ----------------------------------------------------------------------------------- */

static uint32_t place_member(struct gtav *g, uint32_t place, int field)
{
    const struct pointee_set *s = set_of(&g->f, place);
    uint32_t n = s->n, result = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t loc = set_of(&g->f, place)->at[i];
        if (loc < LOC_FIRST) {
            gtav_invalid(g, "member of nothing");
            return place;
        }
        result = set_join(&g->f, result, set_single(&g->f, facts_field(&g->f, loc, field)));
    }
    return result;
}

/* 4.4.3.2: neither NULL nor GARBAGE may be among what is dereferenced. */
static uint32_t dereferenced(struct gtav *g, uint32_t set)
{
    const struct pointee_set *s = set_of(&g->f, set);
    if (s->has_null || s->has_garbage || !s->n)
        gtav_invalid(g, s->has_null ? "null pointer" : "dangling pointer");
    return set;
}

uint32_t gtav_place(struct gtav *g, const struct cc_expr *e)
{
    if (e->marked) /* invalid on purpose (4.4.3.3) */
        return 0;
    switch (e->kind) {
    case CC_E_VAR:
        return set_single(&g->f, e->var->mark);
    case CC_E_MEMBER: {
        uint32_t base = gtav_place(g, e->a);
        return g->bad ? 0 : place_member(g, base, e->field);
    }
    case CC_E_INDEX: {
        uint32_t start = gtav_operand(g);
        uint32_t base = e->a->type->kind == CC_ARRAY ? gtav_place(g, e->a)
                                                     : dereferenced(g, gtav_value(g, e->a));
        if (g->bad)
            return 0;
        if (e->b->kind == CC_E_INT)
            return base;
        gtav_push(g, start);
        gtav_value(g, e->b);
        gtav_pop(g);
        return base;
    }
    case CC_E_DEREF: {
        uint32_t set = gtav_value(g, e->a);
        return g->bad ? 0 : dereferenced(g, set);
    }
    default:
        gtav_invalid(g, "not a place");
        return 0;
    }
}

/* -- reads (4.4.3, 4.6.2) --------------------------------------------------------------------- */

static bool same_but_for_sign(const struct cc_type *a, const struct cc_type *b)
{
    int x = (int)a->kind - CC_SCHAR, y = (int)b->kind - CC_SCHAR;
    return a->kind == b->kind || (x >= 0 && y >= 0 && x / 2 == y / 2);
}

/* May a member of type `wanted` be read where one of type `stored` was stored last? Only integers,
 * no wider than what was stored: no padding is read. By a pointer, and not through the union, 6.5p7
 * asks for the type that was stored but for its sign, or for a character type. */
static bool relaxed_read(const struct gtav *g, const struct cc_field *stored,
                         const struct cc_field *wanted, bool by_pointer)
{
    if (by_pointer && wanted->type->size != 1 && !same_but_for_sign(wanted->type, stored->type))
        return false;
    return g->relaxed_unions && stored->bits < 0 && wanted->bits < 0 &&
           cc_is_integer(stored->type) && cc_is_integer(wanted->type) &&
           stored->type->kind != CC_BOOL && wanted->type->kind != CC_BOOL &&
           stored->type->kind != CC_ENUM && wanted->type->kind != CC_ENUM &&
           wanted->type->size <= stored->type->size;
}

static void check_union_read(struct gtav *g, uint32_t loc, bool by_pointer)
{
    uint32_t under = loc;
    for (uint32_t u = g->f.locs.at[loc].union_of; u; under = u, u = g->f.locs.at[u].union_of) {
        while (g->f.locs.at[under].parent != u)
            under = g->f.locs.at[under].parent;
        uint32_t fact = gtav_get(g, g->f.locs.at[u].slot);
        int member = g->f.locs.at[under].field;
        if (fact == (uint32_t)member + 1)
            continue;
        const struct cc_field *fields = g->f.locs.at[u].type->record->fields;
        if (fact == UNION_UNKNOWN || under != loc || g->f.locs.at[loc].in_array ||
            !relaxed_read(g, &fields[fact - 1], &fields[member], by_pointer)) {
            gtav_invalid(g, "union member that was not stored last");
            return;
        }
    }
}

uint32_t gtav_read(struct gtav *g, uint32_t place, const struct cc_expr *lvalue)
{
    const struct cc_type *type = lvalue->type;
    uint32_t n = set_of(&g->f, place)->n, result = 0;
    bool pointer = type->kind == CC_POINTER && type->to->kind != CC_FUNCTION;
    for (uint32_t i = 0; i < n && !g->bad; i++) {
        uint32_t loc = set_of(&g->f, place)->at[i];
        if (loc < LOC_FIRST) {
            gtav_invalid(g, "read of nothing");
            return 0;
        }
        check_union_read(g, loc, lvalue->kind != CC_E_MEMBER);
        if (g->bad)
            return 0;
        access_place(g, loc, type, false);
        if (pointer && !g->bad)
            result = set_join(&g->f, result, gtav_get(g, g->f.locs.at[loc].slot));
    }
    if (pointer && !g->bad && set_of(&g->f, result)->has_garbage)
        gtav_invalid(g, "read of a dangling pointer");
    return result;
}

/* -- stores ----------------------------------------------------------------------------------- */

bool gtav_writable(const struct gtav *g, uint32_t place)
{
    const struct pointee_set *s = set_of(&g->f, place);
    for (uint32_t i = 0; i < s->n; i++)
        if (s->at[i] < LOC_FIRST || g->f.locs.at[s->at[i]].is_const || g->locked.at[s->at[i]])
            return false;
    return s->n > 0;
}

/* 6.5.16.1p3: two members of one union, or parts of them. */
bool gtav_overlaps(const struct gtav *g, uint32_t place, uint32_t value)
{
    const struct pointee_set *a = set_of(&g->f, place), *b = set_of(&g->f, value);
    for (uint32_t i = 0; i < a->n; i++)
        for (uint32_t k = 0; k < b->n; k++) {
            uint32_t x = a->at[i], y = b->at[k];
            uint32_t u = g->f.locs.at[x].union_of, v = g->f.locs.at[y].union_of;
            while (u && g->f.locs.at[u].union_of)
                u = g->f.locs.at[u].union_of;
            while (v && g->f.locs.at[v].union_of)
                v = g->f.locs.at[v].union_of;
            if (u && u == v && (x != y || g->f.locs.at[x].in_array))
                return true;
        }
    return false;
}

uint32_t gtav_source(struct gtav *g, const struct cc_expr *value)
{
    while (value->kind == CC_E_CAST)
        value = value->a;
    bool lvalue = value->kind == CC_E_VAR || value->kind == CC_E_MEMBER ||
                  value->kind == CC_E_INDEX || value->kind == CC_E_DEREF;
    if (!lvalue || (value->kind == CC_E_MEMBER && value->a->kind == CC_E_CALL))
        return 0;
    return gtav_place(g, value);
}

/* All slots in a range lose what they knew. */
static void garbage(struct gtav *g, uint32_t from, uint32_t to, bool strong)
{
    for (uint32_t l = from; l < to; l++) {
        uint32_t slot = g->f.locs.at[l].slot;
        if (slot == NO_SLOT)
            continue;
        if (g->f.locs.at[l].type->kind == CC_UNION)
            gtav_put(g, slot, UNION_UNKNOWN);
        else
            gtav_put(g, slot,
                     strong ? g->f.set_garbage
                            : set_join(&g->f, gtav_get(g, slot), g->f.set_garbage));
    }
}

/* A store into a member makes it the one stored last in all unions around it (4.6.1). */
static void store_in_unions(struct gtav *g, uint32_t loc, bool strong)
{
    uint32_t under = loc;
    for (uint32_t u = g->f.locs.at[loc].union_of; u; under = u, u = g->f.locs.at[u].union_of) {
        while (g->f.locs.at[under].parent != u)
            under = g->f.locs.at[under].parent;
        uint32_t fact = (uint32_t)g->f.locs.at[under].field + 1, slot = g->f.locs.at[u].slot;
        if (gtav_get(g, slot) == fact)
            continue;
        /* A part of a struct member is stored: its other parts are indeterminate. */
        garbage(g, u + 1, g->f.locs.at[u].end, strong);
        gtav_put(g, slot, strong && under == loc ? fact : (uint32_t)UNION_UNKNOWN);
    }
}

static void store_one(struct gtav *g, uint32_t loc, uint32_t value, uint32_t from, bool strong)
{
    const struct loc *l = &g->f.locs.at[loc];
    strong = strong && !l->in_array;
    store_in_unions(g, loc, strong);
    if (l->type->kind == CC_POINTER && l->slot != NO_SLOT) {
        gtav_put(g, l->slot, strong ? value : set_join(&g->f, gtav_get(g, l->slot), value));
        return;
    }
    if (!cc_is_record(l->type))
        return;
    if (!from) { /* the value of a call or a literal: nothing is known of its parts */
        garbage(g, loc, l->end, strong);
        return;
    }
    uint32_t end = l->end;
    for (uint32_t at = loc; at < end; at++) { /* same type: same locations inside */
        uint32_t slot = g->f.locs.at[at].slot;
        if (slot == NO_SLOT)
            continue;
        uint32_t n = set_of(&g->f, from)->n, copied = 0;
        for (uint32_t i = 0; i < n; i++) {
            uint32_t other = set_of(&g->f, from)->at[i] + (at - loc);
            uint32_t fact = gtav_get(g, g->f.locs.at[other].slot);
            copied = i ? slot_join(&g->f, slot, copied, fact) : fact;
        }
        gtav_put(g, slot, strong ? copied : slot_join(&g->f, slot, gtav_get(g, slot), copied));
    }
}

/* 6.5.16p3: the store comes after the values of both operands, but in no order with other stores
 * inside them. Those inside calls are complete when the call has its value. */
void gtav_store(struct gtav *g, uint32_t place, const struct cc_type *type, uint32_t value,
                uint32_t from, uint32_t start)
{
    uint32_t n = set_of(&g->f, place)->n;
    bool strong = n == 1;
    for (uint32_t i = 0; i < n && !g->bad; i++) {
        uint32_t loc = set_of(&g->f, place)->at[i];
        if (loc < LOC_FIRST) {
            gtav_invalid(g, "store to nothing");
            return;
        }
        uint32_t whole = loc;
        while (g->f.locs.at[whole].union_of)
            whole = g->f.locs.at[whole].union_of;
        uint32_t end = g->f.locs.at[whole].end;
        bool is_volatile = type->has_volatile || g->f.locs.at[loc].is_volatile;
        for (size_t k = g->first_store; k < g->stores.n; k++) {
            const struct gtav_store *other = &g->stores.at[k];
            bool same =
                (other->from < end && whole < other->to) || (is_volatile && other->is_volatile);
            if (same && other->clock >= start) {
                conflict(g, "two stores in one expression");
                return;
            }
        }
        access_place(g, loc, type, true);
        if (!g->bad)
            store_one(g, loc, value, from, strong);
    }
    for (uint32_t i = 0; i < n && !g->bad; i++) { /* not before all are checked: one store */
        uint32_t loc = set_of(&g->f, place)->at[i], whole = loc;
        while (g->f.locs.at[whole].union_of)
            whole = g->f.locs.at[whole].union_of;
        vec_push(&g->stores,
                 (struct gtav_store){whole, g->f.locs.at[whole].end, g->clock - 1,
                                     type->has_volatile || g->f.locs.at[loc].is_volatile});
    }
}

/* -- initialisers ----------------------------------------------------------------------------- */

/* The facts about `loc` (type as declared, with arrays) after initialisation by `e`; NULL: zero. */
static void initial_facts(struct gtav *g, uint32_t loc, const struct cc_type *type,
                          const struct cc_expr *e, bool first)
{
    if (type->kind == CC_ARRAY) {
        uint32_t n = e ? e->n_args : 0;
        for (uint32_t i = 0; i < n; i++)
            initial_facts(g, loc, type->to, e->args[i], first && i == 0);
        if (n < type->length)
            initial_facts(g, loc, type->to, NULL, first && n == 0);
        return;
    }
    uint32_t slot = g->f.locs.at[loc].slot;
    if (type->kind == CC_POINTER && slot != NO_SLOT) {
        uint32_t set = e ? gtav_value(g, e) : g->f.set_null;
        facts_set_initial(&g->f, slot, first ? set : set_join(&g->f, g->f.initial.at[slot], set));
    } else if (type->kind == CC_STRUCT) {
        const struct cc_record *r = type->record;
        uint32_t next = 0;
        for (int i = 0; i < r->n_fields; i++) {
            if (!r->fields[i].name)
                continue;
            const struct cc_expr *part = e && next < e->n_args ? e->args[next] : NULL;
            initial_facts(g, facts_field(&g->f, loc, i), r->fields[i].type, part, first);
            next++;
        }
    } else if (type->kind == CC_UNION) {
        int member = e ? e->field : 0;
        uint32_t fact = (uint32_t)member + 1;
        facts_set_initial(&g->f, slot,
                          slot_join(&g->f, slot, first ? fact : g->f.initial.at[slot], fact));
        initial_facts(g, facts_field(&g->f, loc, member), type->record->fields[member].type,
                      e && e->n_args ? e->args[0] : NULL, first);
    }
}

void gtav_initialise(struct gtav *g, struct cc_var *v)
{
    const struct loc *l = &g->f.locs.at[v->mark];
    bool tracked = false;
    for (uint32_t i = v->mark; i < l->end; i++)
        tracked |= g->f.locs.at[i].slot != NO_SLOT;
    if (!tracked)
        return;
    initial_facts(g, v->mark, v->type, v->init, true);
    state_fit(&g->f, &g->now);
    for (uint32_t i = v->mark; i < g->f.locs.at[v->mark].end; i++) {
        uint32_t slot = g->f.locs.at[i].slot;
        if (slot != NO_SLOT)
            g->now.at[slot] = g->f.initial.at[slot];
    }
}

/* -- expressions (Table 4.3) ------------------------------------------------------------------ */

uint32_t gtav_apply_any(struct gtav *g, struct cc_func *const *fs, size_t n)
{
    if (n == 1 || g->bad)
        return gtav_apply(g, fs[0]);
    struct state before = state_keep(&g->f, &g->now), after = state_take(&g->f);
    uint32_t result = 0;
    for (size_t i = 0; i < n && !g->bad; i++) {
        state_copy(&g->f, &g->now, &before);
        result = set_join(&g->f, result, gtav_apply(g, fs[i]));
        if (!g->bad)
            state_join(&g->f, &after, &g->now);
    }
    state_copy(&g->f, &g->now, g->bad ? &before : &after);
    state_give(&g->f, &before);
    state_give(&g->f, &after);
    return result;
}

/* What a call may call: what its pointer, or the table that it is taken from, always holds, since
 * it was initialised. */
static size_t targets_of(const struct cc_expr *callee, struct cc_func **fs, size_t most)
{
    while (callee->kind == CC_E_DEREF || callee->kind == CC_E_INDEX || callee->kind == CC_E_CAST)
        callee = callee->a;
    const struct cc_expr *init = callee->kind == CC_E_FUNC  ? callee
                                 : callee->kind == CC_E_VAR ? callee->var->init
                                                            : NULL;
    REQUIRE(init && (init->kind == CC_E_FUNC || init->kind == CC_E_LIST));
    if (init->kind == CC_E_FUNC) {
        fs[0] = init->func;
        return 1;
    }
    size_t n = 0;
    for (uint32_t i = 0; i < init->n_args; i++) {
        bool known = false;
        for (size_t k = 0; k < n; k++)
            known |= fs[k] == init->args[i]->func;
        REQUIRE(known || n < most);
        if (!known)
            fs[n++] = init->args[i]->func;
    }
    return n;
}

static uint32_t walk_call(struct gtav *g, const struct cc_expr *e)
{
    uint32_t values[64], froms[64], start = gtav_operand(g);
    struct cc_func *fs[GTAV_MOST_TARGETS];
    size_t n_targets = targets_of(e->callee, fs, GTAV_MOST_TARGETS);
    if (e->callee->kind != CC_E_FUNC)
        gtav_value(g, e->callee);
    REQUIRE(e->n_args <= 64);
    for (uint32_t i = 0; i < e->n_args && !g->bad; i++) {
        gtav_push(g, start);
        froms[i] = 0;
        if (cc_is_record(e->args[i]->type) && e->args[i]->kind <= CC_E_DEREF) {
            froms[i] = gtav_place(g, e->args[i]);
            values[i] = g->bad ? 0 : gtav_read(g, froms[i], e->args[i]);
        } else {
            values[i] = gtav_value(g, e->args[i]);
        }
        gtav_pop(g);
    }
    if (g->bad)
        return 0;
    for (size_t k = 0; k < n_targets; k++)
        for (uint32_t i = 0; i < e->n_args; i++)
            gtav_bind(g, fs[k]->params[i], values[i], froms[i]);
    return gtav_apply_any(g, fs, n_targets);
}

static uint32_t walk_assign(struct gtav *g, const struct cc_expr *e)
{
    uint32_t start = gtav_operand(g), value = 0, from = 0, source = 0;
    if (e->kind == CC_E_ASSIGN) {
        const struct cc_expr *b = e->b;
        if (cc_is_record(b->type) && (b->kind == CC_E_VAR || b->kind == CC_E_MEMBER ||
                                      b->kind == CC_E_INDEX || b->kind == CC_E_DEREF)) {
            from = gtav_place(g, b);
            if (!g->bad)
                gtav_read(g, from, b);
        } else {
            value = gtav_value(g, b);
        }
        if (!g->bad && e->op == CC_NONE)
            source = from ? from : gtav_source(g, b);
        if (g->bad)
            return 0;
    }
    gtav_push(g, start);
    uint32_t place = gtav_place(g, e->a);
    if (!g->bad && gtav_overlaps(g, place, source))
        gtav_invalid(g, "overlapping assignment");
    if (!g->bad && (e->kind == CC_E_INCDEC || e->op != CC_NONE))
        value = gtav_read(g, place, e->a); /* a pointer stays in its array */
    gtav_pop(g);
    if (!g->bad)
        gtav_store(g, place, e->a->type, value, from, start);
    return value;
}

/* a && b, a || b, c ? a : b: what is evaluated on one path only is joined. */
static uint32_t walk_conditional(struct gtav *g, const struct cc_expr *e)
{
    gtav_value(g, e->a);
    if (g->bad)
        return 0;
    if (!e->b->effects && !(e->kind == CC_E_COND && e->c->effects)) {
        uint32_t set = gtav_value(g, e->b);
        return e->kind == CC_E_COND && !g->bad ? set_join(&g->f, set, gtav_value(g, e->c)) : set;
    }
    struct state other = gtav_fork(g);
    uint32_t set = gtav_value(g, e->b);
    if (e->kind == CC_E_COND && !g->bad) {
        gtav_other_way(g, &other);
        set = set_join(&g->f, set, gtav_value(g, e->c));
    }
    gtav_meet(g, &other);
    return set;
}

uint32_t gtav_value(struct gtav *g, const struct cc_expr *e)
{
    g->n_walked++;
    if (g->bad)
        return 0;
    switch (e->kind) {
    case CC_E_INT:
    case CC_E_FLOAT:
    case CC_E_FUNC:
    case CC_E_SIZEOF:
    case CC_E_SIZEOF_OF:
        return 0;
    case CC_E_NULL:
        return g->f.set_null;
    case CC_E_VAR:
    case CC_E_MEMBER:
    case CC_E_INDEX:
    case CC_E_DEREF: {
        if (e->kind == CC_E_MEMBER && e->a->kind == CC_E_CALL)
            return gtav_value(g, e->a); /* a record without tracked parts, by construction */
        uint32_t place = gtav_place(g, e);
        if (e->type->kind == CC_ARRAY) /* decays: a pointer to its elements */
            return place;
        return g->bad ? 0 : gtav_read(g, place, e);
    }
    case CC_E_ADDR: {
        uint32_t place = gtav_place(g, e->a);
        for (uint32_t i = 0; !g->bad && i < set_of(&g->f, place)->n; i++) {
            uint32_t home = g->f.locs.at[set_of(&g->f, place)->at[i]].home;
            g->blocks.at[home].address_taken = true;
        }
        return place;
    }
    case CC_E_UNARY:
    case CC_E_CAST:
        return gtav_value(g, e->a);
    case CC_E_BINARY: {
        uint32_t start = gtav_operand(g);
        uint32_t set = gtav_value(g, e->a);
        if (e->a->effects || e->b->effects) {
            gtav_push(g, start);
            gtav_value(g, e->b);
            gtav_pop(g);
        } else {
            gtav_value(g, e->b);
        }
        return e->type->kind == CC_POINTER ? set : 0;
    }
    case CC_E_LOGICAL:
    case CC_E_COND:
        return walk_conditional(g, e);
    case CC_E_COMMA:
        gtav_value(g, e->a);
        return gtav_value(g, e->b);
    case CC_E_ASSIGN:
    case CC_E_INCDEC:
        return walk_assign(g, e);
    case CC_E_CALL:
        return walk_call(g, e);
    case CC_E_BUILTIN: {
        uint32_t start = gtav_operand(g);
        for (uint32_t i = 0; i < e->n_args; i++) {
            gtav_push(g, start);
            uint32_t set = gtav_value(g, e->args[i]);
            gtav_pop(g);
            if (!g->bad && e->args[i]->type->kind == CC_POINTER) /* the overflow builtins store */
                gtav_store(g, dereferenced(g, set), e->args[i]->type->to, 0, 0, g->clock);
        }
        return 0;
    }
    case CC_E_LITERAL:
    case CC_E_LIST: {
        uint32_t start = gtav_operand(g);
        for (uint32_t i = 0; i < e->n_args; i++) {
            gtav_push(g, start);
            gtav_value(g, e->args[i]);
            gtav_pop(g);
        }
        return 0;
    }
    }
    BUG("expression kind %d", e->kind);
}

/* -- functions (4.3.5) ------------------------------------------------------------------------ */

void gtav_bind(struct gtav *g, const struct cc_var *param, uint32_t value, uint32_t from)
{
    const struct loc *l = &g->f.locs.at[param->mark];
    if (l->type->kind == CC_POINTER && l->slot != NO_SLOT)
        gtav_put(g, l->slot, value);
    else if (cc_is_record(l->type))
        store_one(g, param->mark, 0, from, true);
}

static bool matches(struct gtav *g, const struct gtav_summary *s)
{
    for (uint32_t i = 0; i < s->n_slots; i++)
        if (state_get(&g->f, &g->now, s->slots[i]) != s->in[i])
            return false;
    return true;
}

/* A cached summary instead of the body: its effects are validated against the operands around the
 * call, and its output facts become ours. */
static uint32_t replay(struct gtav *g, const struct gtav_summary *s)
{
    for (uint32_t i = 0; i < s->n_slots; i++) /* the caller depends on them too */
        touch(g, s->slots[i]);
    if (!s->valid) {
        gtav_invalid(g, "the callee is not valid here");
        return 0;
    }
    if (s->is_volatile)
        access_volatile(g);
    for (uint32_t i = 0; i < s->n_reads && !g->bad; i++)
        access(g, s->reads[i], s->reads[i] + 1, false);
    for (uint32_t i = 0; i < s->n_writes && !g->bad; i++)
        access(g, s->writes[i], s->writes[i] + 1, true);
    for (uint32_t i = 0; i < s->n_slots && !g->bad; i++)
        gtav_put(g, s->slots[i], s->out[i]);
    return s->result;
}

static bool own(const struct gtav *g, const struct cc_func *f, uint32_t loc)
{
    uint32_t home = g->f.locs.at[loc].home;
    return home && g->blocks.at[home].func == f;
}

static uint32_t *collect(struct gtav *g, const struct cc_func *f, const uint64_t *bits,
                         size_t words, bool slots, uint32_t *n)
{
    uint32_t count = 0;
    for (size_t w = 0; w < words; w++)
        count += (uint32_t)__builtin_popcountll(bits[w]);
    uint32_t *list = arena_array(g->f.arena, uint32_t, count + 1);
    *n = 0;
    for (size_t w = 0; w < words; w++)
        for (uint64_t b = bits[w]; b; b &= b - 1) {
            uint32_t i = (uint32_t)(w * 64) + (uint32_t)__builtin_ctzll(b);
            uint32_t loc = slots ? g->f.slot_loc.at[i] : i;
            /* what is its own does not exist outside; but its parameters are its input */
            if (own(g, f, loc) && !(slots && g->f.locs.at[loc].var->param))
                continue;
            list[(*n)++] = i;
        }
    return list;
}

static void summarise(struct gtav *g, struct gtav_frame *fr, const struct state *in)
{
    struct gtav_summary *s = arena_new(g->f.arena, struct gtav_summary);
    s->valid = !g->bad;
    s->result = fr->result;
    s->is_volatile = fr->is_volatile;
    s->slots = collect(g, fr->func, fr->touched, fr->n_touched, true, &s->n_slots);
    s->reads = collect(g, fr->func, fr->reads, fr->n_locs, false, &s->n_reads);
    s->writes = collect(g, fr->func, fr->writes, fr->n_locs, false, &s->n_writes);
    s->in = arena_array(g->f.arena, uint32_t, s->n_slots + 1);
    s->out = arena_array(g->f.arena, uint32_t, s->n_slots + 1);
    for (uint32_t i = 0; i < s->n_slots; i++) {
        s->in[i] = state_get(&g->f, in, s->slots[i]);
        s->out[i] = state_get(&g->f, &g->now, s->slots[i]);
    }
    while (g->summaries.n <= fr->func->id)
        vec_push(&g->summaries, NULL);
    s->next = g->summaries.at[fr->func->id];
    g->summaries.at[fr->func->id] = s;
}

static void merge_up(struct gtav *g, const struct gtav_summary *s)
{
    struct gtav_frame *up = gtav_frame_now(g);
    if (!up)
        return;
    up->is_volatile |= s->is_volatile;
    for (uint32_t i = 0; i < s->n_slots; i++)
        touch(g, s->slots[i]);
    for (uint32_t i = 0; i < s->n_reads; i++)
        note_effect(g, s->reads[i], s->reads[i] + 1, false);
    for (uint32_t i = 0; i < s->n_writes; i++)
        note_effect(g, s->writes[i], s->writes[i] + 1, true);
}

static bool walk_function(struct gtav *g, struct cc_func *f)
{
    struct state in = state_keep(&g->f, &g->now);
    vec_push(&g->frames, (struct gtav_frame){.func = f,
                                             .returned = state_take(&g->f),
                                             .depth = g->open.n,
                                             .loops = g->loops.n});
    gtav_stmt(g, f->body);
    struct gtav_frame fr = g->frames.at[--g->frames.n];
    if (!g->bad) {
        state_join(&g->f, &fr.returned, &g->now); /* fell off the end: void */
        state_copy(&g->f, &g->now, &fr.returned);
        g->now.live = true;
    }
    if (!g->bad || !g->by_context)
        summarise(g, &fr, &in);
    free(fr.touched);
    free(fr.reads);
    free(fr.writes);
    g->open.n = fr.depth;
    while (g->loops.n > fr.loops)
        gtav_leave_loop(g);
    state_give(&g->f, &fr.returned);
    state_give(&g->f, &in);
    return !g->bad;
}

uint32_t gtav_apply(struct gtav *g, struct cc_func *f)
{
    if (g->bad)
        return 0;
    bool recursive = false;
    for (size_t i = 0; i < g->frames.n; i++)
        recursive |= g->frames.at[i].func == f;
    const struct gtav_summary *s = f->id < g->summaries.n ? g->summaries.at[f->id] : NULL;
    size_t outer = gtav_enter_call(g);
    uint32_t result = 0;
    if (recursive) {
        /* Only functions that change no fact call themselves: the effects are what is left. */
        REQUIRE(s);
        for (uint32_t i = 0; i < s->n_slots; i++)
            touch(g, s->slots[i]);
        if (matches(g, s)) {
            struct gtav_summary effects = *s;
            effects.n_slots = 0;
            result = replay(g, &effects);
        } else {
            gtav_invalid(g, "a self-call with other facts");
        }
    } else {
        while (s && !matches(g, s))
            s = s->next;
        if (s) {
            g->n_hits++;
            result = replay(g, s);
        } else {
            g->n_misses++;
            bool valid = walk_function(g, f);
            if (valid || !g->by_context) {
                s = g->summaries.at[f->id];
                merge_up(g, s);
                result = s->result;
            }
        }
    }
    gtav_leave_call(g, outer);
    return result;
}

bool gtav_function(struct gtav *g, struct cc_func *f, const struct state *in)
{
    state_copy(&g->f, &g->now, in);
    size_t outer = gtav_enter_call(g);
    bool good = walk_function(g, f);
    gtav_leave_call(g, outer);
    return good;
}

void gtav_forget(struct gtav *g, struct cc_func *f)
{
    if (f->id < g->summaries.n)
        g->summaries.at[f->id] = NULL;
}

const struct gtav_summary *gtav_latest(const struct gtav *g, const struct cc_func *f)
{
    return f->id < g->summaries.n ? g->summaries.at[f->id] : NULL;
}
