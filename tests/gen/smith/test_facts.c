/* The facts of smith's analysis: locations, sets, states
 * (dissertation, 4.3.1, 4.4.1, 4.4.2, 4.6.1). The laws of the lattices are checked on random sets.
 */
#include "base/choice.h"
#include "cc/build.h"
#include "gen/smith/facts.h"
#include "tap.h"

#include <stdlib.h>

static struct arena arena;
static struct cc_program program;
static struct facts f;

static void begin(void)
{
    arena_init(&arena);
    cc_program_init(&program, &arena, &cc_lp64);
    facts_init(&f, &arena);
}

static void end(void)
{
    facts_release(&f);
    cc_program_release(&program);
    arena_release(&arena);
}

static const struct cc_type *basic(enum cc_kind kind)
{
    return cc_basic(&program.types, kind);
}

static const struct cc_type *pointer(const struct cc_type *t)
{
    return cc_pointer_to(&program.types, t);
}

static struct cc_var *variable(const char *name, const struct cc_type *type, uint32_t home)
{
    struct cc_var *v = cc_global(&program, name, type, NULL);
    facts_add_var(&f, v, home);
    return v;
}

static const struct loc *loc(uint32_t at)
{
    return &f.locs.at[at];
}

#define FIELD(n, t)                                                                                \
    {                                                                                              \
        .name = (n), .type = (t), .bits = -1                                                       \
    }
#define BITS(n, t, w)                                                                              \
    {                                                                                              \
        .name = (n), .type = (t), .bits = (w)                                                      \
    }
#define RECORD(tag, is_union, packed, ...)                                                         \
    cc_record_type(                                                                                \
        &program.types, (tag), (is_union), (packed), (const struct cc_field[]){__VA_ARGS__},       \
        (int)(sizeof((const struct cc_field[]){__VA_ARGS__}) / sizeof(struct cc_field)))

/* -- locations --------------------------------------------------------------------------------- */

static void test_scalars(void)
{
    begin();
    struct cc_var *x = variable("x", basic(CC_INT), 0), *p = variable("p", pointer(x->type), 0);
    struct cc_var *a = variable("a", cc_array_of(&program.types, p->type, 5), 7);
    is_int(x->mark, LOC_FIRST, "NULL and GARBAGE come first, then the first variable");
    is_int(p->mark, x->mark + 1, "each scalar is one location");
    is_int(a->mark, p->mark + 1, "in order");
    is_int(f.locs.n, a->mark + 1, "and so is an array");
    ok(loc(x->mark)->slot == NO_SLOT, "nothing is known about an integer");
    is_int(loc(p->mark)->slot, 0, "a pointer has a slot");
    is_int(loc(a->mark)->slot, 1, "and all elements of an array have one");
    is_int(f.slot_loc.at[1], a->mark, "a slot knows its location");
    ok(loc(a->mark)->type == p->type, "the type of an array's location is that of its elements");
    ok(loc(a->mark)->in_array && !loc(p->mark)->in_array, "which is noted");
    ok(loc(p->mark)->var == p && !loc(p->mark)->parent, "a location knows its variable");
    is_int(loc(a->mark)->home, 7, "and the block that ends it");
    is_int(f.initial.at[0], f.set_garbage, "a pointer starts with garbage");
    facts_set_initial(&f, 0, f.set_null);
    is_int(f.initial.at[0], f.set_null, "until its initial value is set");
    is_int(f.initial.at[1], f.set_garbage, "each its own");

    const struct cc_type *none = cc_function_type(&program.types, basic(CC_VOID), NULL, 0);
    struct cc_var *fp = variable("fp", pointer(none), 0);
    ok(loc(fp->mark)->slot == NO_SLOT, "a pointer to a function is not tracked");
    struct cc_var *m = variable(
        "m", cc_array_of(&program.types, cc_array_of(&program.types, basic(CC_CHAR), 2), 3), 0);
    is_int(f.locs.n, m->mark + 1, "an array of arrays is one location too");
    ok(loc(m->mark)->type == basic(CC_CHAR), "with the type of its innermost elements");
    end();
}

static void test_records(void)
{
    begin();
    const struct cc_type *in = basic(CC_INT), *to = pointer(in);
    const struct cc_type *inner = RECORD("I", false, false, FIELD("a", in), FIELD("p", to));
    const struct cc_type *outer =
        RECORD("O", false, false, FIELD("x", in), FIELD("i", cc_array_of(&program.types, inner, 2)),
               FIELD("q", to));
    struct cc_var *before = variable("before", in, 0), *s = variable("s", outer, 3),
                  *after = variable("after", in, 0);
    /* s, s.x, s.i, s.i.a, s.i.p, s.q */
    is_int(s->mark, before->mark + 1, "a record follows the variable before it");
    is_int(loc(s->mark)->end, s->mark + 6, "its fields lie inside, in preorder");
    is_int(after->mark, s->mark + 6, "what follows begins behind them");
    uint32_t i = facts_field(&f, s->mark, 1);
    is_int(facts_field(&f, s->mark, 0), s->mark + 1, "field x");
    is_int(i, s->mark + 2, "field i");
    is_int(facts_field(&f, s->mark, 2), s->mark + 5, "field q, behind all of i");
    is_int(facts_field(&f, i, 1), s->mark + 4, "field p of field i");
    is_int(loc(i)->end, i + 3, "a record inside is a range too");
    ok(loc(i)->in_array && loc(i + 1)->in_array && loc(i + 2)->in_array,
       "what is in an array inside is marked");
    ok(!loc(s->mark + 1)->in_array && !loc(s->mark + 5)->in_array, "and the rest is not");
    is_int(loc(i + 2)->parent, i, "a field knows its parent");
    is_int(loc(i + 2)->field, 1, "and its index");
    is_int(loc(i + 2)->home, 3, "all end with the block of the variable");
    is_int(f.slot_loc.n, 2, "slots for the pointers inside");
    is_int(f.slot_loc.at[0], i + 2, "  s.i.p");
    is_int(f.slot_loc.at[1], s->mark + 5, "  s.q");
    for (uint32_t l = s->mark; l < loc(s->mark)->end; l++)
        ok(loc(l)->var == s && !loc(l)->union_of && !loc(l)->no_address, "location %u of s",
           l - s->mark);
    end();
}

static void test_bits_and_qualifiers(void)
{
    begin();
    const struct cc_type *in = basic(CC_INT);
    const struct cc_type *vol = cc_qualified(&program.types, in, CC_VOLATILE),
                         *con = cc_qualified(&program.types, in, CC_CONST);
    struct cc_var *b = variable(
        "b", RECORD("B", false, false, BITS("a", in, 3), BITS(NULL, in, 0), FIELD("c", in)), 0);
    is_int(loc(b->mark)->end, b->mark + 3, "an unnamed bit-field is no location");
    is_int(facts_field(&f, b->mark, 2), b->mark + 2, "but the fields behind it keep their index");
    ok(loc(b->mark + 1)->no_address && !loc(b->mark + 2)->no_address, "a bit-field has no address");
    struct cc_var *k = variable("k", RECORD("K", false, true, FIELD("a", in), FIELD("c", in)), 0);
    ok(loc(k->mark + 1)->no_address && loc(k->mark + 2)->no_address, "nor a field of a packed one");
    ok(!loc(k->mark)->no_address, "the packed struct itself has");

    const struct cc_type *t =
        RECORD("Q", false, false, FIELD("v", vol), FIELD("c", con), FIELD("n", in));
    struct cc_var *q = variable("q", t, 0);
    ok(loc(q->mark)->is_volatile && loc(q->mark)->is_const, "a struct of such fields is both");
    ok(loc(q->mark + 1)->is_volatile && !loc(q->mark + 1)->is_const, "the field v is volatile");
    ok(!loc(q->mark + 2)->is_volatile && loc(q->mark + 2)->is_const, "the field c is const");
    ok(!loc(q->mark + 3)->is_volatile && !loc(q->mark + 3)->is_const, "the field n is neither");
    const struct cc_type *plain = RECORD("N", false, false, FIELD("a", in), FIELD("b", in));
    struct cc_var *r =
        variable("r", cc_qualified(&program.types, plain, CC_VOLATILE | CC_CONST), 0);
    ok(loc(r->mark + 1)->is_volatile && loc(r->mark + 2)->is_const,
       "the fields of a qualified struct are qualified");
    struct cc_var *x = variable("x", vol, 0), *y = variable("y", in, 0);
    ok(loc(x->mark)->is_volatile && !loc(y->mark)->is_volatile, "a volatile variable");
    struct cc_var *pv = variable("pv", pointer(vol), 0);
    ok(!loc(pv->mark)->is_volatile, "a pointer to volatile is not volatile itself");
    end();
}

static void test_union_locations(void)
{
    begin();
    const struct cc_type *in = basic(CC_INT), *to = pointer(in);
    const struct cc_type *inner = RECORD("I", true, false, FIELD("a", in), FIELD("p", to));
    const struct cc_type *body = RECORD("B", false, false, FIELD("x", in), FIELD("y", inner));
    const struct cc_type *outer = RECORD("O", true, false, FIELD("b", body), FIELD("z", in));
    struct cc_var *u = variable("u", outer, 0);
    /* u, u.b, u.b.x, u.b.y, u.b.y.a, u.b.y.p, u.z */
    is_int(loc(u->mark)->union_of, 0, "a union is in none");
    is_int(loc(u->mark + 1)->union_of, u->mark, "its member is in it");
    is_int(loc(u->mark + 2)->union_of, u->mark, "and so is a field of its member");
    is_int(loc(u->mark + 3)->union_of, u->mark, "and a union in it");
    is_int(loc(u->mark + 4)->union_of, u->mark + 3, "whose members are in that one");
    is_int(loc(u->mark + 6)->union_of, u->mark, "and the rest is in the outer again");
    ok(loc(u->mark)->slot != NO_SLOT && slot_is_union(&f, loc(u->mark)->slot), "it has a slot");
    ok(slot_is_union(&f, loc(u->mark + 3)->slot), "and the inner one");
    ok(!slot_is_union(&f, loc(u->mark + 5)->slot), "a pointer's slot is another kind");
    is_int(f.initial.at[loc(u->mark)->slot], UNION_UNKNOWN,
           "what was stored last is not known yet");

    uint32_t slot = loc(u->mark)->slot; /* 4.6.1: flat */
    is_int(slot_join(&f, slot, 1, 1), 1, "join of a member with itself");
    is_int(slot_join(&f, slot, 1, 2), UNION_UNKNOWN, "join of two members");
    is_int(slot_join(&f, slot, 1, UNION_UNKNOWN), UNION_UNKNOWN, "join with unknown");
    is_int(slot_join(&f, slot, UNION_UNKNOWN, 2), UNION_UNKNOWN, "unknown with a member");
    bool good = true;
    for (uint32_t a = 0; a < 4; a++)
        for (uint32_t b = 0; b < 4; b++)
            for (uint32_t c = 0; c < 4; c++)
                good &= slot_join(&f, slot, a, slot_join(&f, slot, b, c)) ==
                            slot_join(&f, slot, slot_join(&f, slot, a, b), c) &&
                        slot_join(&f, slot, a, b) == slot_join(&f, slot, b, a);
    ok(good, "it is associative and commutative");
    end();
}

/* -- sets -------------------------------------------------------------------------------------- */

enum { N_VARS = 40, N_HOMES = 4 };

static struct cc_var *vars[N_VARS];

static void add_vars(void)
{
    for (uint32_t i = 0; i < N_VARS; i++)
        vars[i] = variable(arena_printf(&arena, "v%u", i), basic(CC_INT), i % N_HOMES);
}

/* A set as the bits of its locations, to compare with. */
static uint64_t bits(uint32_t set)
{
    uint64_t b = 0;
    for (uint32_t i = 0; i < set_of(&f, set)->n; i++)
        b |= (uint64_t)1 << set_of(&f, set)->at[i];
    return b;
}

static uint32_t random_set(struct choice *c)
{
    uint32_t set = 0, n = (uint32_t)choose(c, 9);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t at = 1 + (uint32_t)choose(c, LOC_FIRST + N_VARS - 1);
        set = set_join(&f, set, set_single(&f, at));
    }
    return set;
}

static bool well_formed(uint32_t set)
{
    const struct pointee_set *s = set_of(&f, set);
    bool null = false, garbage = false, automatic = false;
    for (uint32_t i = 0; i < s->n; i++) {
        if (i && s->at[i - 1] >= s->at[i])
            return false;
        null |= s->at[i] == LOC_NULL;
        garbage |= s->at[i] == LOC_GARBAGE;
        automatic |= loc(s->at[i])->home != 0;
    }
    return s->has_null == null && s->has_garbage == garbage && s->has_auto == automatic;
}

static void test_sets(void)
{
    begin();
    add_vars();
    uint32_t a = set_single(&f, vars[1]->mark), b = set_single(&f, vars[2]->mark);
    ok(a != b && a == set_single(&f, vars[1]->mark), "equal sets are equal numbers");
    is_int(set_of(&f, a)->n, 1, "a single location");
    is_int(set_of(&f, 0)->n, 0, "0 is the empty set");
    is_int(set_single(&f, LOC_NULL), f.set_null, "{NULL}");
    ok(set_of(&f, f.set_null)->has_null && !set_of(&f, f.set_null)->has_garbage, "  has it");
    ok(set_of(&f, f.set_garbage)->has_garbage && !set_of(&f, f.set_garbage)->has_null,
       "{GARBAGE} has that");
    uint32_t ab = set_join(&f, a, b);
    size_t n = f.sets.n;
    is_int(set_join(&f, b, a), ab, "a join the other way round");
    is_int(set_join(&f, ab, a), ab, "a join with a part");
    is_int(f.sets.n, n, "makes no new set");

    struct choice c;
    choice_init_random(&c, 1);
    bool idempotent = true, commutative = true, associative = true, exact = true, formed = true,
         zero = true;
    for (int i = 0; i < 20000; i++) {
        uint32_t x = random_set(&c), y = random_set(&c), z = random_set(&c);
        uint32_t xy = set_join(&f, x, y);
        exact &= bits(xy) == (bits(x) | bits(y));
        idempotent &= set_join(&f, x, x) == x && set_join(&f, xy, y) == xy;
        commutative &= xy == set_join(&f, y, x);
        associative &= set_join(&f, xy, z) == set_join(&f, x, set_join(&f, y, z));
        formed &= well_formed(xy);
        zero &= set_join(&f, x, 0) == x && set_join(&f, 0, x) == x;
    }
    ok(exact, "a join is the union");
    ok(idempotent, "join is idempotent");
    ok(commutative, "join is commutative");
    ok(associative, "join is associative");
    ok(zero, "the empty set is neutral");
    ok(formed, "every set is sorted, and its flags say what is in it");
    bool unique = true;
    for (uint32_t i = 0; i < f.sets.n && i < 2000; i++)
        for (uint32_t k = i + 1; k < f.sets.n && k < 2000; k++)
            unique &= bits(i) != bits(k);
    ok(unique && f.sets.n > 2000, "no two of %zu sets are equal", f.sets.n);
    choice_release(&c);
    end();
}

static void test_kill(void)
{
    begin();
    add_vars();
    struct choice c;
    choice_init_random(&c, 2);
    bool right = true, distributes = true, again = true, order = true;
    for (int i = 0; i < 10000; i++) {
        uint32_t set = random_set(&c), other = random_set(&c), home = 1 + (uint32_t)choose(&c, 3);
        uint64_t wanted = 0;
        for (uint32_t k = 0; k < set_of(&f, set)->n; k++) {
            uint32_t at = set_of(&f, set)->at[k];
            wanted |= (uint64_t)1 << (loc(at)->home == home ? LOC_GARBAGE : at);
        }
        uint32_t killed = set_kill(&f, set, home);
        right &= bits(killed) == wanted && well_formed(killed);
        again &= set_kill(&f, killed, home) == killed;
        order &= set_kill(&f, set_kill(&f, set, 1), 2) == set_kill(&f, set_kill(&f, set, 2), 1);
        distributes &= set_kill(&f, set_join(&f, set, other), home) ==
                       set_join(&f, killed, set_kill(&f, other, home));
    }
    ok(right, "the end of a block turns its locations into garbage, and no others");
    ok(again, "once");
    ok(order, "in any order of blocks");
    ok(distributes, "before or after a join");
    choice_release(&c);
    end();
}

/* -- states ------------------------------------------------------------------------------------ */

static const struct cc_type *two_members(void)
{
    return RECORD("U", true, false, FIELD("a", basic(CC_INT)), FIELD("b", basic(CC_FLOAT)));
}

static void put(struct state *s, const struct cc_var *v, uint32_t value)
{
    state_fit(&f, s);
    s->at[loc(v->mark)->slot] = value;
}

static uint32_t get(const struct state *s, const struct cc_var *v)
{
    return state_get(&f, s, loc(v->mark)->slot);
}

static void test_states(void)
{
    begin();
    add_vars();
    const struct cc_type *to = pointer(basic(CC_INT));
    struct cc_var *p = variable("p", to, 0), *q = variable("q", to, 0),
                  *u = variable("u", two_members(), 0);
    uint32_t x = set_single(&f, vars[0]->mark), y = set_single(&f, vars[1]->mark);
    struct state a = state_take(&f), b = state_take(&f), none = state_take(&f);
    ok(!a.live && !a.n, "a new state cannot be reached");
    a.live = b.live = true;
    is_int(get(&a, p), f.set_garbage, "it has the initial values");
    put(&a, p, x);
    put(&b, p, y);
    put(&a, u, 1);
    put(&b, u, 2);
    ok(!state_equal(&f, &a, &b), "different states");
    state_join(&f, &a, &b);
    is_int(get(&a, p), set_join(&f, x, y), "join: a pointer may be either");
    is_int(get(&a, q), f.set_garbage, "join: what is equal stays");
    is_int(get(&a, u), UNION_UNKNOWN, "join: two members of a union");
    state_copy(&f, &b, &a);
    ok(state_equal(&f, &a, &b), "a copy is equal");
    state_join(&f, &a, &none);
    ok(state_equal(&f, &a, &b), "joining what cannot be reached changes nothing");
    state_join(&f, &none, &b);
    ok(none.live && state_equal(&f, &none, &b), "joining into it makes it a copy");

    /* variables that come later: an old state has their initial values */
    struct cc_var *r = variable("r", to, 2);
    facts_set_initial(&f, loc(r->mark)->slot, f.set_null);
    is_int(get(&a, r), f.set_null, "a later variable has its initial value");
    put(&b, q, x);
    is_int(b.n, f.initial.n, "a state grows");
    put(&b, q, f.set_garbage);
    ok(state_equal(&f, &a, &b) && state_equal(&f, &b, &a), "equal although one is shorter");
    put(&b, r, y);
    ok(!state_equal(&f, &a, &b) && !state_equal(&f, &b, &a), "or not, by what is behind its end");
    state_copy(&f, &none, &a);
    state_join(&f, &a, &b);
    is_int(get(&a, r), set_join(&f, f.set_null, y), "the shorter joined with the longer");
    state_join(&f, &b, &none);
    ok(state_equal(&f, &a, &b), "and the longer with the shorter");

    uint32_t local = set_single(&f, vars[2]->mark); /* of block 2 */
    put(&a, p, set_join(&f, local, x));
    put(&a, q, local);
    put(&a, u, 2); /* a member's number, which is no set */
    state_kill(&f, &a, 2);
    is_int(get(&a, p), set_join(&f, f.set_garbage, x), "the end of a block reaches every pointer");
    is_int(get(&a, q), f.set_garbage, "  all that it has");
    is_int(get(&a, u), 2, "  and no union");
    a.live = b.live = false;
    put(&a, p, y);
    ok(state_equal(&f, &a, &b), "what cannot be reached is equal");
    b.live = true;
    ok(!state_equal(&f, &a, &b), "but not to what can");

    uint32_t *buffer = a.at;
    state_give(&f, &a);
    struct state reused = state_take(&f);
    ok(!a.at && reused.at == buffer && !reused.n && !reused.live, "buffers are used again, empty");
    state_give(&f, &reused);
    state_give(&f, &b);
    state_give(&f, &none);
    end();
}

/* The laws of a join, over states of different lengths. */
static void test_state_laws(void)
{
    begin();
    add_vars();
    enum { SLOTS = 12 };
    struct cc_var *slots[SLOTS];
    struct choice c;
    choice_init_random(&c, 3);
    bool commutative = true, associative = true, idempotent = true, grows = true;
    struct state s[3], left = state_take(&f), right = state_take(&f);
    for (int i = 0; i < 3; i++)
        s[i] = state_take(&f);
    for (int round = 0; round < 40; round++) {
        uint32_t n = 0;
        for (int i = 0; i < SLOTS; i++) {
            bool is_union = i % 3 == 2;
            slots[n++] = variable(arena_printf(&arena, "s%d_%d", round, i),
                                  is_union ? two_members() : pointer(basic(CC_INT)), 0);
            facts_set_initial(&f, loc(slots[i]->mark)->slot,
                              is_union ? (uint32_t)choose(&c, 3) : random_set(&c));
            for (int k = 0; k < 3; k++) /* some stay behind */
                if (choose_flip(&c, 0.6))
                    put(&s[k], slots[i], is_union ? (uint32_t)choose(&c, 3) : random_set(&c));
        }
        for (int k = 0; k < 3; k++)
            s[k].live = choose(&c, 8) != 0;
        state_copy(&f, &left, &s[0]);
        state_join(&f, &left, &s[1]);
        state_copy(&f, &right, &s[1]);
        state_join(&f, &right, &s[0]);
        commutative &= state_equal(&f, &left, &right);
        for (int i = 0; i < SLOTS && s[0].live && s[1].live; i++)
            if (i % 3 != 2)
                grows &= bits(get(&left, slots[i])) ==
                         (bits(get(&s[0], slots[i])) | bits(get(&s[1], slots[i])));
        state_join(&f, &left, &s[2]);
        state_copy(&f, &right, &s[1]);
        state_join(&f, &right, &s[2]);
        state_join(&f, &right, &s[0]);
        associative &= state_equal(&f, &left, &right);
        state_join(&f, &right, &left);
        idempotent &= state_equal(&f, &left, &right);
    }
    ok(commutative, "the join of states is commutative");
    ok(associative, "associative");
    ok(idempotent, "idempotent");
    ok(grows, "and the union slot by slot");
    for (int i = 0; i < 3; i++)
        state_give(&f, &s[i]);
    state_give(&f, &left);
    state_give(&f, &right);
    choice_release(&c);
    end();
}

int main(void)
{
    test_scalars();
    test_records();
    test_bits_and_qualifiers();
    test_union_locations();
    test_sets();
    test_kill();
    test_states();
    test_state_laws();
    return tap_done();
}
