#include "gen/smith/facts.h"
#include "base/error.h"

#include <stdlib.h>
#include <string.h>

struct join_memo {
    uint32_t a, b, joined;
};
enum { N_JOIN_MEMO = 4096, FIRST_SET_TABLE = 1024 };

/* -- sets ------------------------------------------------------------------------------------- */

static uint32_t hash_set(const uint32_t *at, uint32_t n)
{
    uint64_t h = 0x9e3779b97f4a7c15u + n;
    for (uint32_t i = 0; i < n; i++)
        h = (h ^ at[i]) * 0xff51afd7ed558ccdu;
    return (uint32_t)(h >> 32);
}

static void grow_set_table(struct facts *f)
{
    uint32_t size = f->n_set_table ? f->n_set_table * 2 : FIRST_SET_TABLE;
    free(f->set_table);
    f->set_table = mem_alloc(size * sizeof *f->set_table);
    memset(f->set_table, 0, size * sizeof *f->set_table);
    f->n_set_table = size;
    for (uint32_t s = 0; s < f->sets.n; s++) {
        uint32_t at = hash_set(f->sets.at[s].at, f->sets.at[s].n) & (size - 1);
        while (f->set_table[at])
            at = (at + 1) & (size - 1);
        f->set_table[at] = s + 1;
    }
}

/* The number of the set with these members (sorted, each once). */
static uint32_t set_intern(struct facts *f, const uint32_t *at, uint32_t n)
{
    if (f->sets.n * 2 >= f->n_set_table)
        grow_set_table(f);
    uint32_t mask = f->n_set_table - 1, i = hash_set(at, n) & mask;
    for (; f->set_table[i]; i = (i + 1) & mask) {
        const struct pointee_set *s = &f->sets.at[f->set_table[i] - 1];
        if (s->n == n && !memcmp(s->at, at, n * sizeof *at))
            return f->set_table[i] - 1;
    }
    struct pointee_set s = {.n = n};
    s.at = arena_array(f->arena, uint32_t, n ? n : 1);
    for (uint32_t k = 0; k < n; k++) {
        s.at[k] = at[k];
        s.has_null |= at[k] == LOC_NULL;
        s.has_garbage |= at[k] == LOC_GARBAGE;
        s.has_auto |= f->locs.at[at[k]].home != 0;
    }
    vec_push(&f->sets, s);
    f->set_table[i] = (uint32_t)f->sets.n;
    return (uint32_t)f->sets.n - 1;
}

uint32_t set_single(struct facts *f, uint32_t loc)
{
    if (!f->locs.at[loc].single)
        f->locs.at[loc].single = set_intern(f, &loc, 1);
    return f->locs.at[loc].single;
}

uint32_t set_join(struct facts *f, uint32_t a, uint32_t b)
{
    if (a == b || b == 0)
        return a;
    if (a == 0)
        return b;
    if (a > b) {
        uint32_t t = a;
        a = b;
        b = t;
    }
    struct join_memo *memo = &f->joins[(a * 31 + b) & (N_JOIN_MEMO - 1)];
    if (memo->a == a && memo->b == b)
        return memo->joined;
    const struct pointee_set *x = &f->sets.at[a], *y = &f->sets.at[b];
    uint32_t *all = mem_alloc((x->n + y->n) * sizeof *all), n = 0;
    for (uint32_t i = 0, j = 0; i < x->n || j < y->n;) {
        if (j == y->n || (i < x->n && x->at[i] < y->at[j]))
            all[n++] = x->at[i++];
        else if (i == x->n || y->at[j] < x->at[i])
            all[n++] = y->at[j++];
        else
            all[n++] = x->at[i++], j++;
    }
    uint32_t joined = set_intern(f, all, n);
    free(all);
    *memo = (struct join_memo){a, b, joined};
    return joined;
}

uint32_t set_kill(struct facts *f, uint32_t set, uint32_t home)
{
    const struct pointee_set *s = &f->sets.at[set];
    if (!s->has_auto)
        return set;
    uint32_t *left = mem_alloc((s->n + 1) * sizeof *left), n = 0;
    bool killed = false;
    for (uint32_t i = 0; i < s->n; i++)
        if (f->locs.at[s->at[i]].home == home)
            killed = true;
        else
            left[n++] = s->at[i];
    uint32_t result = set;
    if (killed)
        result = set_join(f, set_intern(f, left, n), f->set_garbage);
    free(left);
    return result;
}

/* -- locations -------------------------------------------------------------------------------- */

static const struct cc_type *element(const struct cc_type *t, bool *array)
{
    while (t->kind == CC_ARRAY) {
        t = t->to;
        *array = true;
    }
    return t;
}

static uint32_t add_loc(struct facts *f, struct loc l)
{
    bool array = false;
    l.type = element(l.type, &array);
    l.in_array |= array;
    bool is_volatile = l.is_volatile || l.type->quals & CC_VOLATILE; /* what its parts inherit */
    bool is_const = l.is_const || l.type->quals & CC_CONST;
    l.is_volatile |= l.type->has_volatile;
    l.is_const |= l.type->has_const;
    l.slot = NO_SLOT;
    uint32_t id = (uint32_t)f->locs.n;
    bool tracked =
        l.type->kind == CC_UNION || (l.type->kind == CC_POINTER && l.type->to->kind != CC_FUNCTION);
    if (tracked) {
        l.slot = (uint32_t)f->slot_loc.n;
        vec_push(&f->slot_loc, id);
        vec_push(&f->initial, l.type->kind == CC_UNION ? (uint32_t)UNION_UNKNOWN : f->set_garbage);
    }
    vec_push(&f->locs, l);
    if (cc_is_record(l.type)) {
        const struct cc_record *r = l.type->record;
        for (int i = 0; i < r->n_fields; i++) {
            if (!r->fields[i].name)
                continue;
            struct loc part = {.var = l.var, .type = r->fields[i].type, .parent = id, .field = i};
            part.union_of = r->is_union ? id : l.union_of;
            part.home = l.home;
            part.in_array = l.in_array;
            part.no_address = l.no_address || r->packed || r->fields[i].bits >= 0;
            part.is_volatile = is_volatile;
            part.is_const = is_const;
            add_loc(f, part);
        }
    }
    f->locs.at[id].end = (uint32_t)f->locs.n;
    return id;
}

uint32_t facts_add_var(struct facts *f, struct cc_var *v, uint32_t home)
{
    v->mark = add_loc(f, (struct loc){.var = v, .type = v->type, .home = home});
    return v->mark;
}

uint32_t facts_field(const struct facts *f, uint32_t loc, int field)
{
    uint32_t at = loc + 1;
    while (at < f->locs.at[loc].end && f->locs.at[at].field != field)
        at = f->locs.at[at].end;
    REQUIRE(at < f->locs.at[loc].end);
    return at;
}

void facts_set_initial(struct facts *f, uint32_t slot, uint32_t value)
{
    f->initial.at[slot] = value;
}

void facts_init(struct facts *f, struct arena *a)
{
    *f = (struct facts){.arena = a};
    for (int i = 0; i < LOC_FIRST; i++)
        vec_push(&f->locs, (struct loc){.end = (uint32_t)i + 1, .slot = NO_SLOT});
    f->joins = arena_array(a, struct join_memo, N_JOIN_MEMO);
    REQUIRE(set_intern(f, NULL, 0) == 0);
    f->set_null = set_single(f, LOC_NULL);
    f->set_garbage = set_single(f, LOC_GARBAGE);
}

void facts_release(struct facts *f)
{
    for (size_t i = 0; i < f->pool.n; i++)
        free(f->pool.at[i].at);
    vec_release(&f->pool);
    vec_release(&f->locs);
    vec_release(&f->initial);
    vec_release(&f->slot_loc);
    vec_release(&f->sets);
    free(f->set_table);
}

/* -- states ----------------------------------------------------------------------------------- */

struct state state_take(struct facts *f)
{
    struct state s = {0};
    if (f->pool.n)
        s = f->pool.at[--f->pool.n];
    s.n = 0;
    s.live = false;
    return s;
}

void state_give(struct facts *f, struct state *s)
{
    if (s->at)
        vec_push(&f->pool, *s);
    *s = (struct state){0};
}

static void reserve(struct state *s, uint32_t n)
{
    if (s->cap < n) {
        s->cap = n * 2 < 64 ? 64 : n * 2;
        s->at = mem_resize(s->at, s->cap * sizeof *s->at);
    }
}

void state_fit(struct facts *f, struct state *s)
{
    uint32_t n = (uint32_t)f->initial.n;
    if (s->n == n)
        return;
    reserve(s, n);
    memcpy(s->at + s->n, f->initial.at + s->n, (n - s->n) * sizeof *s->at);
    s->n = n;
}

void state_copy(struct facts *f, struct state *to, const struct state *from)
{
    (void)f;
    reserve(to, from->n);
    if (from->n)
        memcpy(to->at, from->at, from->n * sizeof *to->at);
    to->n = from->n;
    to->live = from->live;
}

struct state state_keep(struct facts *f, const struct state *from)
{
    struct state s = state_take(f);
    state_copy(f, &s, from);
    return s;
}

void state_join(struct facts *f, struct state *to, const struct state *from)
{
    if (!from->live)
        return;
    if (!to->live) {
        state_copy(f, to, from);
        return;
    }
    state_fit(f, to);
    for (uint32_t i = 0; i < to->n; i++) {
        uint32_t other = state_get(f, from, i);
        if (to->at[i] != other)
            to->at[i] = slot_join(f, i, to->at[i], other);
    }
}

bool state_equal(const struct facts *f, const struct state *a, const struct state *b)
{
    if (a->live != b->live)
        return false;
    uint32_t n = a->n > b->n ? a->n : b->n;
    for (uint32_t i = 0; a->live && i < n; i++)
        if (state_get(f, a, i) != state_get(f, b, i))
            return false;
    return true;
}

void state_kill(struct facts *f, struct state *s, uint32_t home)
{
    for (uint32_t i = 0; i < s->n; i++)
        if (!slot_is_union(f, i) && f->sets.at[s->at[i]].has_auto)
            s->at[i] = set_kill(f, s->at[i], home);
}
