/* What lua.lala knows about names and types while it writes a Lua program.
 *
 * Lua is dynamically typed, so a variable may hold values of other types on other paths. Two kinds
 * of variables make that safe. The type of a *flow* variable is that of the last assignment; where
 * paths meet, types are joined: equal ones stay, different ones become `any`, which may be tested,
 * compared and printed. It is not visible in nested functions, which may run at any time. The type
 * of a *fixed* variable never changes; closures may use it.
 *
 * In a loop, what is assigned to a variable from outside must fit the type that it had when the
 * loop was entered (SNAP): that type then holds at every turn, at every break, and behind the loop,
 * and no fixpoint is needed. A table of known fields is a family of variables (`t1`, `t1.k1`,
 * `t1.k2.k3`), so that members have flow types just as variables do.
 *
 * A state is one record, changed by copying. It lists names by type, the last first, so that what
 * may stand at a place is one look, and a declaration one cell in front. Nothing is taken out when
 * a block ends: what was before is taken up again, and the types that changed are applied to it. */
#include <assay/lala.h>

#include <string.h>

/* -- types ------------------------------------------------------------------------------------- */

/* Of functions, those that end in 0 are leaves, which call nothing; the others may call leaves. */
#define ALL_TYPES(X)                                                                               \
    X(NONE)      /* nothing is known, nothing may be done */                                       \
    X(INT)       /* integral, magnitude below 2^31; in Lua 5.3 of either subtype */                \
    X(NUM)       /* a double; in Lua 5.3 a float for sure */                                       \
    X(STR)       /* at most 60 bytes where it is stored */                                         \
    X(BOOL)      /* true or false */                                                               \
    X(ANY)       /* any of those from INT to OBJ, or nil */                                        \
    X(INTS)      /* array of INT without holes, never empty */                                     \
    X(STRS)      /* array of STR without holes, never empty */                                     \
    X(MAP)       /* from strings to INT, read with a default */                                    \
    X(OBJ)       /* has the metatable M */                                                         \
    X(INDEX)     /* a constant below 2^15: variables of loops */                                   \
    X(TAB)       /* its fields are names of their own */                                           \
    X(INT_FN)    /* (INT, INT) -> INT; variables of this type may be assigned */                   \
    X(INT_FN0)   /* (INT, INT) -> INT */                                                           \
    X(STR_FN)    /* (STR, INT) -> STR */                                                           \
    X(STR_FN0)   /* (STR, INT) -> STR */                                                           \
    X(NUM_FN)    /* (NUM, NUM) -> NUM */                                                           \
    X(NUM_FN0)   /* (NUM, NUM) -> NUM */                                                           \
    X(BOOL_FN)   /* (ANY, ANY) -> BOOL */                                                          \
    X(BOOL_FN0)  /* (ANY, ANY) -> BOOL */                                                          \
    X(ANY_FN)    /* (ANY, INT) -> ANY */                                                           \
    X(ANY_FN0)   /* (ANY, INT) -> ANY */                                                           \
    X(VARARG_FN) /* (INT...) -> INT */                                                             \
    X(HIGHER_FN) /* (INT_FN, INT) -> INT */                                                        \
    X(MAKER_FN)  /* (INT) -> INT_FN */                                                             \
    X(METHOD)    /* t:m, (INT, INT) -> INT */                                                      \
    X(PROC)      /* (INT, ANY) -> INT, ANY, with side effects */

enum type {
#define X(name) name,
    ALL_TYPES(X)
#undef X
};

static lala type_value(enum type t)
{
    return lala_int(t);
}

static enum type type_of(lala v)
{
    return (enum type)lala_to_int(v);
}

/* May a value of type `is` stand where `wanted` is? Functions are no `any`: whether two closures
 * are equal is left open by Lua 5.2. */
static bool fits(enum type is, enum type wanted)
{
    return is == wanted || (wanted == ANY && is >= INT && is <= OBJ);
}

static enum type join(enum type a, enum type b)
{
    return fits(a, b) ? b : fits(b, a) ? a : fits(a, ANY) && fits(b, ANY) ? ANY : NONE;
}

/* -- the state --------------------------------------------------------------------------------- */

/* Lists of names, one per type: records of at most 16 fields, so that it takes two of them. */
enum { LISTS = 14 };
_Static_assert((int)PROC < 2 * LISTS && (int)INT_FN < LISTS,
               "a list for every type, flow types in the first");

enum field {
    ALL,      /* lists: every visible name */
    ALL_2,    /* ... of the types from LISTS on */
    FIXED,    /* lists: the fixed ones, all that a nested function sees */
    FIXED_2,  /* ... of the types from LISTS on */
    FLOW,     /* lists: the flow ones of this function */
    TYPES,    /* map: flow name -> type */
    SNAP,     /* TYPES when the innermost loop was entered; nil outside of loops */
    CHANGED,  /* map: flow name -> type, for what changed since the branch began, and new globals */
    HIDDEN,   /* set: names that a local of this block hides */
    NEXT,     /* number of the next name */
    CONTEXT,  /* level | flags | returned type << RETURN_SHIFT | version << VERSION_SHIFT */
    LOCALS,   /* active locals of the function: Lua allows 200 */
    UPVALUES, /* fixed locals that are visible: Lua 5.1 allows a function 60 upvalues */
    GLOBALS,  /* list: globals to print at the end, the last one first */
    LABEL,    /* number of the label at the end of an enclosing loop; nil */
    SHAPES,   /* map: table -> list of suffix, type, suffix, type */
    N_FIELDS
};
_Static_assert((int)N_FIELDS <= LALA_MAX_FIELDS, "a state is one record");

/* Who may be called: a function of level n calls those below n, so that every call ends. Level 3,
 * the main program and procedures, may have side effects; all else is pure, and can stand in
 * expressions whose order of evaluation Lua leaves open. */
enum {
    LEVEL = 3,
    IN_LOOP = 4,
    IN_FUNCTION = 8,
    IN_PCALL = 16,
    IN_METATABLE = 32,
    RETURN_SHIFT = 8,
    RETURN_MASK = 63,
    VERSION_SHIFT = 16,
    VERSION_MASK = 255 << VERSION_SHIFT
};

enum { MAX_LOCALS = 100, MAX_UPVALUES = 36 };

static lala get(lala state, enum field f)
{
    return lala_field(state, (int)f);
}

static int64_t number(lala state, enum field f)
{
    return lala_to_int(get(state, f));
}

static int context(lala state)
{
    return (int)number(state, CONTEXT);
}

static int level(lala state)
{
    return context(state) & LEVEL;
}

/* A copy of a state that is being changed; `seal` makes it a value again. */
struct draft {
    lala field[N_FIELDS];
};

static struct draft draft_of(lala state)
{
    struct draft d;
    for (int i = 0; i < N_FIELDS; i++)
        d.field[i] = lala_field(state, i);
    return d;
}

static lala seal(struct lala_env *env, const struct draft *d)
{
    return lala_record(env, 0, N_FIELDS, d->field);
}

static void add(struct draft *d, enum field f, int64_t n)
{
    d->field[f] = lala_int(lala_to_int(d->field[f]) + n);
}

/* The n-th name from here: the prefix tells readers what it is. */
static lala name_at(struct lala_env *env, lala state, const char *prefix, int ahead)
{
    return lala_name(env, prefix, lala_int(number(state, NEXT) + ahead));
}

static lala list_of(lala state, enum field table, enum type t)
{
    return lala_field(get(state, table + (enum field)(t / LISTS)), (int)t % LISTS);
}

static void set_list(struct lala_env *env, struct draft *d, enum field table, enum type t,
                     lala list)
{
    lala *record = &d->field[table + (enum field)(t / LISTS)];
    *record = lala_with(env, *record, (int)t % LISTS, list);
}

static lala no_lists(struct lala_env *env)
{
    lala list[LISTS];
    for (int i = 0; i < LISTS; i++)
        list[i] = LALA_NIL;
    return lala_record(env, 0, LISTS, list);
}

static void put(struct lala_env *env, struct draft *d, enum field table, lala name, enum type t)
{
    lala list = lala_field(d->field[table + (enum field)(t / LISTS)], (int)t % LISTS);
    set_list(env, d, table, t, lala_cons(env, name, list));
}

static lala without(struct lala_env *env, lala list, lala name)
{
    if (!lala_more(list))
        return list;
    return lala_head(list) == name
               ? lala_tail(list)
               : lala_cons(env, lala_head(list), without(env, lala_tail(list), name));
}

static void take(struct lala_env *env, struct draft *d, enum field table, lala name, enum type t)
{
    lala list = lala_field(d->field[table], (int)t);
    set_list(env, d, table, t, without(env, list, name));
}

/* A flow variable: a new one, or one that gets another type. */
static void put_flow(struct lala_env *env, struct draft *d, lala name, enum type t)
{
    lala old = lala_map_get(d->field[TYPES], name);
    if (old == type_value(t))
        return;
    if (old) {
        take(env, d, ALL, name, type_of(old));
        take(env, d, FLOW, name, type_of(old));
    }
    put(env, d, ALL, name, t);
    put(env, d, FLOW, name, t);
    d->field[TYPES] = lala_map_put(env, d->field[TYPES], name, type_value(t));
}

static void put_fixed(struct lala_env *env, struct draft *d, lala name, enum type t)
{
    put(env, d, ALL, name, t);
    put(env, d, FIXED, name, t);
}

static void begin_block(struct draft *d)
{
    d->field[CHANGED] = d->field[HIDDEN] = LALA_NIL;
}

/* -- the beginning ----------------------------------------------------------------------------- */

/* What the head of every program defines, so that there is something of each type to use. */
static const struct {
    const char *name;
    enum type type;
} given[] = {
    {"gi", INT},  {"gj", INT},    {"gn", NUM},  {"gs", STR},    {"gb", BOOL},
    {"ga", ANY},  {"li", INTS},   {"ls", STRS}, {"lm", MAP},    {"lo", OBJ},
    {"K", INDEX}, {"note", PROC}, {"box", TAB}, {"box.k", INT},
};

static lala start(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    struct draft d;
    for (int i = 0; i < N_FIELDS; i++)
        d.field[i] = LALA_NIL;
    for (enum field f = ALL; f <= FLOW; f++)
        d.field[f] = no_lists(env);
    d.field[NEXT] = lala_int(1);
    d.field[CONTEXT] = lala_int(3 | lala_to_int(arg[0]) << VERSION_SHIFT);
    d.field[LOCALS] = d.field[UPVALUES] = lala_int(0);
    begin_block(&d);
    for (size_t i = 0; i < sizeof given / sizeof *given; i++)
        put_fixed(env, &d, lala_str(env, given[i].name), given[i].type);
    put_flow(env, &d, lala_str(env, "gx"), ANY);
    d.field[SHAPES] = lala_map_put(
        env, LALA_NIL, lala_str(env, "box"),
        lala_cons(env, lala_str(env, ".k"), lala_cons(env, type_value(INT), LALA_NIL)));
    return seal(env, &d);
}

/* -- blocks and the places where paths meet ---------------------------------------------------- */

static lala enter(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    struct draft d = draft_of(arg[0]);
    begin_block(&d);
    return seal(env, &d);
}

/* (Env:again before first): the next branch begins where the first did, but with names of its own.
 */
static lala again(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    struct draft d = draft_of(arg[0]);
    d.field[NEXT] = get(arg[1], NEXT);
    d.field[GLOBALS] = get(arg[1], GLOBALS);
    begin_block(&d);
    return seal(env, &d);
}

static struct draft loop_draft(lala before)
{
    struct draft d = draft_of(before);
    d.field[SNAP] = d.field[TYPES];
    d.field[CONTEXT] = lala_int(context(before) | IN_LOOP);
    begin_block(&d);
    return d;
}

static bool is_global(lala name)
{
    const char *text = lala_text(name);
    return text[0] == 'g' && !strpbrk(text, ".[");
}

/* A branch that ends: the state before it, with the types that it changed and with its globals. */
static struct draft closed(struct lala_env *env, lala before, lala after)
{
    struct draft d = draft_of(before);
    lala changed = get(after, CHANGED);
    d.field[CHANGED] = LALA_NIL;
    for (size_t i = 0; i < lala_size(changed); i++) {
        lala name = lala_map_key(changed, i), t = lala_map_value(changed, i);
        bool known = lala_map_has(d.field[TYPES], name);
        if (known)
            put_flow(env, &d, name, type_of(t));
        if (known || is_global(name))
            d.field[CHANGED] = lala_map_put(env, d.field[CHANGED], name, t);
    }
    d.field[NEXT] = get(after, NEXT);
    d.field[GLOBALS] = get(after, GLOBALS);
    d.field[SHAPES] = get(after, SHAPES);
    return d;
}

/* What was assigned on a path, if anything: could `any` be its type? */
static bool fits_any(lala changed, lala name)
{
    lala t = lala_map_get(changed, name);
    return !t || fits(type_of(t), ANY);
}

/* Where two paths meet, both closed: for what changed the join of the types. A global that only one
 * path defines is nil on the other. */
static void meet(struct lala_env *env, const struct draft *earlier, struct draft *later)
{
    lala changed = lala_map_merge(env, earlier->field[CHANGED], later->field[CHANGED]);
    for (size_t i = 0; i < lala_size(changed); i++) {
        lala name = lala_map_key(changed, i);
        lala a = lala_map_get(earlier->field[TYPES], name);
        lala b = lala_map_get(later->field[TYPES], name);
        bool value =
            fits_any(earlier->field[CHANGED], name) && fits_any(later->field[CHANGED], name);
        enum type t = a && b ? join(type_of(a), type_of(b)) : value ? ANY : NONE;
        put_flow(env, later, name, t);
        changed = lala_map_put(env, changed, name, type_value(t));
    }
    later->field[CHANGED] = changed;
}

/* Back in the block around: its own changes, and those within of what it has not hidden itself. */
static lala left(struct lala_env *env, lala before, struct draft *d)
{
    lala within = d->field[CHANGED];
    d->field[CHANGED] = get(before, CHANGED);
    for (size_t i = 0; i < lala_size(within); i++) {
        lala name = lala_map_key(within, i);
        if (!lala_set_has(d->field[HIDDEN], name))
            d->field[CHANGED] =
                lala_map_put(env, d->field[CHANGED], name, lala_map_value(within, i));
    }
    return seal(env, d);
}

/* (Env:maybe before after): behind a block that may have run, any number of times. */
static lala maybe(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    struct draft skipped = draft_of(arg[0]), ran = closed(env, arg[0], arg[1]);
    skipped.field[CHANGED] = LALA_NIL;
    meet(env, &skipped, &ran);
    return left(env, arg[0], &ran);
}

/* (Env:done before after): behind a block that has run. */
static lala done(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    struct draft ran = closed(env, arg[0], arg[1]);
    lala changed = ran.field[CHANGED];
    for (size_t i = 0; i < lala_size(changed); i++)
        if (!lala_map_has(ran.field[TYPES], lala_map_key(changed, i)))
            put_flow(env, &ran, lala_map_key(changed, i), type_of(lala_map_value(changed, i)));
    return left(env, arg[0], &ran);
}

/* (Env:one before after...): behind branches of which one has run. */
static lala one(struct lala_env *env, const lala *arg, int n)
{
    struct draft met = closed(env, arg[0], arg[1]);
    for (int i = 2; i < n; i++) {
        struct draft branch = closed(env, arg[0], arg[i]);
        meet(env, &met, &branch);
        met = branch;
    }
    return left(env, arg[0], &met);
}

/* -- declarations ------------------------------------------------------------------------------ */

static bool room_for_local(lala state)
{
    return number(state, LOCALS) < (context(state) & IN_FUNCTION ? MAX_LOCALS + 50 : MAX_LOCALS);
}

static bool room_for_upvalue(lala state)
{
    return room_for_local(state) && number(state, UPVALUES) < MAX_UPVALUES;
}

/* (Env:local state type): "local v7 = ..."; where Lua has no room for more, a global. */
static lala declare_local(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    struct draft d = draft_of(arg[0]);
    put_flow(env, &d, name_at(env, arg[0], "v", 0), type_of(arg[1]));
    if (room_for_local(arg[0]))
        add(&d, LOCALS, 1);
    add(&d, NEXT, 1);
    return seal(env, &d);
}

static void count_fixed(struct draft *d, lala state)
{
    if (room_for_upvalue(state)) {
        add(d, LOCALS, 1);
        add(d, UPVALUES, 1);
    }
    add(d, NEXT, 1);
}

/* (Env:fixed state type): "local u7 = ...". */
static lala declare_fixed(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    struct draft d = draft_of(arg[0]);
    put_fixed(env, &d, name_at(env, arg[0], "u", 0), type_of(arg[1]));
    count_fixed(&d, arg[0]);
    return seal(env, &d);
}

/* (Env:index state): a local that is never assigned, of few bits. */
static lala declare_index(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    struct draft d = draft_of(arg[0]);
    put(env, &d, ALL, name_at(env, arg[0], "i", 0), INDEX);
    add(&d, LOCALS, 1);
    add(&d, NEXT, 1);
    return seal(env, &d);
}

/* (Env:global state type): "g7 = ...". A function defines no globals of its own: it gets a local.
 */
static lala declare_global(struct lala_env *env, const lala *arg, int n)
{
    if (context(arg[0]) & IN_FUNCTION)
        return declare_local(env, arg, n);
    struct draft d = draft_of(arg[0]);
    lala name = name_at(env, arg[0], "g", 0);
    put_flow(env, &d, name, type_of(arg[1]));
    d.field[CHANGED] = lala_map_put(env, d.field[CHANGED], name, arg[1]);
    d.field[GLOBALS] = lala_cons(env, name, d.field[GLOBALS]);
    add(&d, NEXT, 1);
    return seal(env, &d);
}

/* (Env:shadow state name type): "local v3 = ..." where there is a v3 already. */
static lala shadow(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    struct draft d = draft_of(arg[0]);
    put_flow(env, &d, arg[1], type_of(arg[2]));
    d.field[HIDDEN] = lala_set_add(env, d.field[HIDDEN], arg[1]);
    add(&d, LOCALS, 1);
    return seal(env, &d);
}

/* (Env:assign state name type): the name has this type from here on. */
static lala assign(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    lala old = lala_map_get(get(arg[0], TYPES), arg[1]);
    if (!old || old == arg[2])
        return arg[0];
    struct draft d = draft_of(arg[0]);
    put_flow(env, &d, arg[1], type_of(arg[2]));
    if (!lala_set_has(d.field[HIDDEN], arg[1]))
        d.field[CHANGED] = lala_map_put(env, d.field[CHANGED], arg[1], arg[2]);
    return seal(env, &d);
}

/* -- tables of known fields -------------------------------------------------------------------- */

static lala declare_fields(struct lala_env *env, const lala *arg, bool fixed)
{
    struct draft d = draft_of(arg[0]);
    lala name = name_at(env, arg[0], "t", 0);
    void (*bind)(struct lala_env *, struct draft *, lala, enum type) = fixed ? put_fixed : put_flow;
    bind(env, &d, name, TAB);
    for (lala l = arg[1]; lala_more(l); l = lala_tail(lala_tail(l)))
        bind(env, &d, lala_concat(env, name, lala_head(l)), type_of(lala_head(lala_tail(l))));
    if (fixed)
        d.field[SHAPES] = lala_map_put(env, d.field[SHAPES], name, arg[1]);
    if (fixed)
        count_fixed(&d, arg[0]);
    else
        add(&d, NEXT, 1), add(&d, LOCALS, 1);
    return seal(env, &d);
}

/* (Env:table state fields): its members have the types that they begin with for good. */
static lala declare_table(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    return declare_fields(env, arg, true);
}

/* (Env:flowTable state fields): its members are flow variables. */
static lala declare_flow_table(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    return declare_fields(env, arg, false);
}

/* (Env:alias state name): "local t9 = t3": the fields of t3, under another name. */
static lala declare_alias(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    lala shape = lala_map_get(get(arg[0], SHAPES), arg[1]);
    return shape ? declare_fields(env, (lala[]){arg[0], shape}, true) : LALA_UNDEFINED;
}

/* (Env:field state table type): "t3.n9 = ..." adds a member. */
static lala declare_field(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    struct draft d = draft_of(arg[0]);
    lala suffix = lala_format(env, ".n%lld", (long long)number(arg[0], NEXT));
    put_flow(env, &d, lala_concat(env, arg[1], suffix), type_of(arg[2]));
    add(&d, NEXT, 1);
    return seal(env, &d);
}

/* (Fields:one suffix type), (Fields:nest suffix inner), (Fields:join a b): lists of suffix, type,
 * ... */
static lala fields_one(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    return lala_cons(env, arg[0], lala_cons(env, arg[1], LALA_NIL));
}

static lala fields_join(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    return lala_append(env, arg[0], arg[1]);
}

static lala fields_nest(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    if (!lala_more(arg[1]))
        return LALA_NIL;
    lala rest = fields_nest(env, (lala[]){arg[0], lala_tail(lala_tail(arg[1]))}, 2);
    lala suffix = lala_concat(env, arg[0], lala_head(arg[1]));
    return lala_cons(env, suffix, lala_cons(env, lala_head(lala_tail(arg[1])), rest));
}

static lala fields_key(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    return lala_format(env, ".k%lld", (long long)lala_to_int(arg[0]));
}

static lala fields_text_key(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    return lala_format(env, "[\"k %lld\"]", (long long)lala_to_int(arg[0]));
}

static lala fields_position(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    return lala_format(env, "[%lld]", (long long)lala_to_int(arg[0]));
}

/* -- loops ------------------------------------------------------------------------------------- */

/* (Env:loop state): the body of a loop. */
static lala loop(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    struct draft d = loop_draft(arg[0]);
    add(&d, LOCALS, 4); /* what Lua keeps for a `for` */
    return seal(env, &d);
}

/* (Env:indexed state): one with the counter i7. */
static lala indexed(struct lala_env *env, const lala *arg, int n)
{
    lala inner = loop(env, arg, n);
    return declare_index(env, &inner, 1);
}

/* (Env:each state type): for i7, v8 in ... */
static lala each(struct lala_env *env, const lala *arg, int n)
{
    lala inner = indexed(env, arg, n);
    return declare_local(env, (lala[]){inner, arg[1]}, 2);
}

/* (Env:over state type): for v7 in ... */
static lala over(struct lala_env *env, const lala *arg, int n)
{
    lala inner = loop(env, arg, n);
    return declare_local(env, (lala[]){inner, arg[1]}, 2);
}

/* (Env:jump state): what runs again because of a goto. To break still means to leave the outer
 * loop. */
static lala jump(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    struct draft d = loop_draft(arg[0]);
    d.field[CONTEXT] = get(arg[0], CONTEXT);
    add(&d, NEXT, 1);
    return seal(env, &d);
}

/* (Env:labelled state): for i7 ... ::l7:: end */
static lala labelled(struct lala_env *env, const lala *arg, int n)
{
    lala inner = indexed(env, arg, n);
    return lala_with(env, inner, LABEL, get(arg[0], NEXT));
}

/* -- functions --------------------------------------------------------------------------------- */

/* Signatures: the type of the name, its parameters, what it returns, the level of its body. */
static const struct signature {
    enum type name;
    enum type parameter[2];
    enum type result;
    int level;
} signatures[] = {
    {INT_FN, {INT, INT}, INT, 1},       {INT_FN0, {INT, INT}, INT, 0},
    {STR_FN, {STR, INT}, STR, 1},       {STR_FN0, {STR, INT}, STR, 0},
    {NUM_FN, {NUM, NUM}, NUM, 1},       {NUM_FN0, {NUM, NUM}, NUM, 0},
    {BOOL_FN, {ANY, ANY}, BOOL, 1},     {BOOL_FN0, {ANY, ANY}, BOOL, 0},
    {ANY_FN, {ANY, INT}, ANY, 1},       {ANY_FN0, {ANY, INT}, ANY, 0},
    {HIGHER_FN, {INT_FN, INT}, INT, 2}, {PROC, {INT, ANY}, PROC, 3},
};
enum { N_SIGNATURES = sizeof signatures / sizeof *signatures };

static const struct signature *signature_of(lala type)
{
    for (int i = 0; i < N_SIGNATURES; i++)
        if (signatures[i].name == type_of(type))
            return &signatures[i];
    return NULL;
}

/* Inside a function nothing is seen but what is fixed. */
static struct draft function_draft(struct lala_env *env, lala before, int its_level,
                                   enum type result, int flags)
{
    struct draft d = draft_of(before);
    d.field[ALL] = d.field[FIXED];
    d.field[ALL_2] = d.field[FIXED_2];
    d.field[FLOW] = no_lists(env);
    d.field[TYPES] = d.field[SNAP] = d.field[LABEL] = LALA_NIL;
    flags |= context(before) & (IN_METATABLE | VERSION_MASK);
    d.field[CONTEXT] = lala_int(its_level | IN_FUNCTION | flags | (int)result << RETURN_SHIFT);
    d.field[LOCALS] = lala_int(8);
    begin_block(&d);
    return d;
}

static void parameter(struct lala_env *env, struct draft *d, enum type t)
{
    lala name = lala_name(env, t == INDEX ? "i" : "v", d->field[NEXT]);
    if (t == INDEX)
        put(env, d, ALL, name, t);
    else
        put_flow(env, d, name, t);
    add(d, NEXT, 1);
}

/* Every body begins with a local of each type, so that there is always something to assign. */
static void first_locals(struct lala_env *env, struct draft *d)
{
    for (enum type t = INT; t <= BOOL; t++)
        parameter(env, d, t);
}

/* (Env:function state type): the body of p7(v8, v9), with its first locals v10 to v13. */
static lala function_body(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    const struct signature *s = signature_of(arg[1]);
    if (!s)
        return LALA_UNDEFINED;
    struct draft d = function_draft(env, arg[0], s->level, s->result, 0);
    add(&d, NEXT, 1);
    parameter(env, &d, s->parameter[0]);
    parameter(env, &d, s->parameter[1]);
    first_locals(env, &d);
    return seal(env, &d);
}

/* (Env:recursive state): p7(i8, v9), which may call itself with i8 - 1. */
static lala recursive_body(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    struct draft d = function_draft(env, arg[0], 1, INT, 0);
    add(&d, NEXT, 1);
    parameter(env, &d, INDEX);
    parameter(env, &d, INT);
    first_locals(env, &d);
    return seal(env, &d);
}

/* (Env:vararg state): p7(...), whose head makes v8, v9 = ... and v10, i11 = {1, ...}, select("#",
 * ...) */
static lala vararg_body(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    static const enum type head[] = {ANY, ANY, INTS, INDEX};
    struct draft d = function_draft(env, arg[0], 1, INT, 0);
    add(&d, NEXT, 1);
    for (int i = 0; i < 4; i++)
        parameter(env, &d, head[i]);
    first_locals(env, &d);
    return seal(env, &d);
}

/* (Env:method state table): table:m7(v8, v9), with the members of self. */
static lala method_body(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    struct draft d = function_draft(env, arg[0], 1, INT, 0);
    add(&d, NEXT, 1);
    parameter(env, &d, INT);
    parameter(env, &d, INT);
    first_locals(env, &d);
    lala self = lala_str(env, "self");
    for (lala l = lala_map_get(get(arg[0], SHAPES), arg[1]); lala_more(l);
         l = lala_tail(lala_tail(l)))
        put(env, &d, ALL, lala_concat(env, self, lala_head(l)), type_of(lala_head(lala_tail(l))));
    return seal(env, &d);
}

/* (Env:maker state): p7(u8), whose inner functions see u8. */
static lala maker_body(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    struct draft d = function_draft(env, arg[0], 1, INT_FN, 0);
    put_fixed(env, &d, name_at(env, arg[0], "u", 1), INT);
    add(&d, UPVALUES, 1);
    add(&d, NEXT, 2);
    return seal(env, &d);
}

/* (Env:counter state): p7 = (function() local u8 ... return function(v9, v10): a procedure with a
 * memory of its own. */
static lala counter_body(struct lala_env *env, const lala *arg, int n)
{
    lala outer = maker_body(env, arg, n);
    struct draft d = function_draft(env, outer, 3, PROC, 0);
    parameter(env, &d, INT);
    parameter(env, &d, ANY);
    return seal(env, &d);
}

/* (Env:protected state): the function that pcall runs; may raise errors. */
static lala protected_body(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    struct draft d = function_draft(env, arg[0], 3, ANY, IN_PCALL);
    add(&d, NEXT, 2); /* of what pcall answers */
    return seal(env, &d);
}

/* (Env:coroutine state): for v7 in coroutine.wrap(function() for i8 ...: sees what is fixed and i8.
 */
static lala coroutine_body(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    struct draft d = function_draft(env, arg[0], level(arg[0]), INT, 0);
    add(&d, NEXT, 1);
    parameter(env, &d, INDEX);
    return seal(env, &d);
}

/* (Env:thunk state): function() in a statement. */
static lala thunk_body(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    struct draft d = function_draft(env, arg[0], level(arg[0]), INT, 0);
    return seal(env, &d);
}

/* (Env:lambda state): function(v7, v8) in an expression. */
static lala lambda_body(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    int outer = level(arg[0]);
    struct draft d = function_draft(env, arg[0], outer >= 2 ? 1 : 0, INT, 0);
    parameter(env, &d, INT);
    parameter(env, &d, INT);
    return seal(env, &d);
}

/* (Env:operator state): function(a, b) of a metatable, both of type OBJ. */
static lala operator_body(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    static const char *const names[] = {"a", "b"};
    struct draft d = function_draft(env, arg[0], 0, INT, IN_METATABLE);
    for (int i = 0; i < 2; i++) {
        put(env, &d, ALL, lala_format(env, "%s.v", names[i]), INT);
        put(env, &d, ALL, lala_format(env, "%s.w", names[i]), STR);
    }
    return seal(env, &d);
}

static lala behind(struct lala_env *env, struct draft *d, lala after)
{
    d->field[NEXT] = get(after, NEXT);
    return seal(env, d);
}

/* (Env:defined state after type): behind the definition of p7. */
static lala defined(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    struct draft d = draft_of(arg[0]);
    put_fixed(env, &d, name_at(env, arg[0], "p", 0), type_of(arg[2]));
    count_fixed(&d, arg[0]);
    return behind(env, &d, arg[1]);
}

/* (Env:methodDefined state after table) */
static lala method_defined(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    struct draft d = draft_of(arg[0]);
    lala name = lala_format(env, "%s:m%lld", lala_text(arg[2]), (long long)number(arg[0], NEXT));
    put_fixed(env, &d, name, METHOD);
    return behind(env, &d, arg[1]);
}

/* (Env:results state after first second): local v7, v8 = what a call returns. */
static lala results(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    lala s = declare_local(env, (lala[]){arg[0], arg[2]}, 2);
    s = declare_local(env, (lala[]){s, arg[3]}, 2);
    struct draft d = draft_of(s);
    int64_t next = number(arg[1], NEXT);
    if (next > number(s, NEXT))
        d.field[NEXT] = lala_int(next);
    return seal(env, &d);
}

/* -- what may stand here: lists of names ------------------------------------------------------- */

static lala visible(lala state, enum type t)
{
    return list_of(state, ALL, t);
}

#define VISIBLE(X)                                                                                 \
    X(ints, INT)                                                                                   \
    X(nums, NUM)                                                                                   \
    X(strs, STR)                                                                                   \
    X(bools, BOOL)                                                                                 \
    X(anys, ANY)                                                                                   \
    X(int_arrays, INTS) X(str_arrays, STRS) X(maps, MAP) X(indices, INDEX) X(procs, PROC)

#define X(name, type)                                                                              \
    static lala name(struct lala_env *env, const lala *arg, int n)                                 \
    {                                                                                              \
        (void)env, (void)n;                                                                        \
        return visible(arg[0], type);                                                              \
    }
VISIBLE(X)
#undef X

/* Operators of the metatable M must not need themselves: they use objects of another, M0. */
static lala objects(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    return context(arg[0]) & IN_METATABLE ? lala_cons(env, lala_str(env, "lp"), LALA_NIL)
                                          : visible(arg[0], OBJ);
}

static lala makers(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    return lala_cons(env, lala_str(env, context(arg[0]) & IN_METATABLE ? "mk0" : "mk"), LALA_NIL);
}

/* What may be assigned: a pure function changes nothing but its own. */
#define SETTABLE(X)                                                                                \
    X(set_int, INT)                                                                                \
    X(set_num, NUM) X(set_str, STR) X(set_bool, BOOL) X(set_any, ANY) X(set_fn, INT_FN)

#define X(name, type)                                                                              \
    static lala name(struct lala_env *env, const lala *arg, int n)                                 \
    {                                                                                              \
        (void)env, (void)n;                                                                        \
        return list_of(arg[0], level(arg[0]) == 3 ? ALL : FLOW, type);                             \
    }
SETTABLE(X)
#undef X

/* Functions: of the highest level that may be called here; there is always one in the head. */
#define CALLABLE(X)                                                                                \
    X(int_fns, INT_FN, INT_FN0, "math.max", "math.min", "addm")                                    \
    X(str_fns, STR_FN, STR_FN0, "clip", "clip", "clip")                                            \
    X(num_fns, NUM_FN, NUM_FN0, "mean", "mean", "mean")                                            \
    X(bool_fns, BOOL_FN, BOOL_FN0, "same", "same", "same")                                         \
    X(any_fns, ANY_FN, ANY_FN0, "pick", "pick", "pick")                                            \
    X(vararg_fns, VARARG_FN, NONE, "count", "count", "count")                                      \
    X(maker_fns, MAKER_FN, NONE, "curry", "curry", "curry")                                        \
    X(methods, METHOD, NONE, "box:get", "box:get", "box:get")

static lala callable(struct lala_env *env, lala state, enum type upper, enum type leaf,
                     const char *const builtin[3])
{
    int here = level(state);
    lala found = here >= 2 ? visible(state, upper) : LALA_NIL;
    if (!lala_more(found) && here >= 1 && leaf != NONE)
        found = visible(state, leaf);
    if (lala_more(found))
        return found;
    lala list = LALA_NIL;
    for (int i = 0; i < 3; i++)
        if (i == 0 || strcmp(builtin[i], builtin[i - 1]) != 0)
            list = lala_cons(env, lala_str(env, builtin[i]), list);
    return list;
}

#define X(name, upper, leaf, ...)                                                                  \
    static lala name(struct lala_env *env, const lala *arg, int n)                                 \
    {                                                                                              \
        (void)n;                                                                                   \
        return callable(env, arg[0], upper, leaf, (const char *const[]){__VA_ARGS__});             \
    }
CALLABLE(X)
#undef X

/* Functions that take functions are called from the main program alone. */
static lala higher_fns(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    lala found = level(arg[0]) == 3 ? visible(arg[0], HIGHER_FN) : LALA_NIL;
    return lala_more(found) ? found : lala_cons(env, lala_str(env, "apply"), LALA_NIL);
}

/* Functions as values: a variable may hold what calls it, so that pure functions get constants
 * only. */
static lala fn_values(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    lala found = level(arg[0]) >= 2 ? visible(arg[0], INT_FN) : LALA_NIL;
    return lala_more(found)
               ? found
               : lala_list(env, (lala[]){lala_str(env, "math.min"), lala_str(env, "addm")}, 2);
}

static lala tables(struct lala_env *env, const lala *arg, int n)
{
    (void)env, (void)n;
    return list_of(arg[0], FIXED, TAB);
}

static lala flow_tables(struct lala_env *env, const lala *arg, int n)
{
    (void)env, (void)n;
    return list_of(arg[0], FLOW, TAB);
}

/* Flow variables of type `any`, for tests of their type. */
static lala open_types(struct lala_env *env, const lala *arg, int n)
{
    (void)env, (void)n;
    return list_of(arg[0], FLOW, ANY);
}

static bool is_path(lala name)
{
    return strpbrk(lala_text(name), ".[") != NULL;
}

/* (Var:retype state type): flow variables that may hold a value of this type from here on. */
static lala retype(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    lala found = LALA_NIL, snap = get(arg[0], SNAP);
    for (enum type t = NONE; t <= INT_FN; t++) {
        if (t == INDEX || t == TAB)
            continue;
        for (lala l = list_of(arg[0], FLOW, t); lala_more(l); l = lala_tail(l)) {
            lala old = lala_map_get(snap, lala_head(l));
            if (!old || fits(type_of(arg[1]), type_of(old)))
                found = lala_cons(env, lala_head(l), found);
        }
    }
    return found;
}

/* (Var:hide state): flow variables that an inner local may hide. */
static lala hide(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    lala found = LALA_NIL;
    if (!room_for_local(arg[0]))
        return found;
    for (enum type t = INT; t <= STRS; t++)
        for (lala l = list_of(arg[0], FLOW, t); lala_more(l); l = lala_tail(l))
            if (!is_path(lala_head(l)))
                found = lala_cons(env, lala_head(l), found);
    return found;
}

/* (Var:other state name): an integer variable to swap with; two paths may be one place. */
static lala other(struct lala_env *env, const lala *arg, int n)
{
    lala found = LALA_NIL;
    bool path = is_path(arg[1]);
    for (lala l = set_int(env, arg, n); lala_more(l); l = lala_tail(l))
        if (lala_head(l) != arg[1] && !(path && is_path(lala_head(l))))
            found = lala_cons(env, lala_head(l), found);
    return found;
}

/* (Var:signatures state): what kinds of pure functions may be defined. */
static lala all_signatures(struct lala_env *env, const lala *arg, int n)
{
    (void)arg, (void)n;
    lala list = LALA_NIL;
    for (int i = N_SIGNATURES; i--;)
        if (signatures[i].name != PROC)
            list = lala_cons(env, type_value(signatures[i].name), list);
    return list;
}

static lala impure(struct lala_env *env, const lala *arg, int n)
{
    (void)env, (void)n;
    return lala_bool(level(arg[0]) == 3);
}

static lala version(struct lala_env *env, const lala *arg, int n)
{
    (void)env, (void)n;
    return lala_int(context(arg[0]) >> VERSION_SHIFT);
}

/* (Env:returns state): the type of what this function returns. */
static lala returns(struct lala_env *env, const lala *arg, int n)
{
    (void)env, (void)n;
    return lala_int(context(arg[0]) >> RETURN_SHIFT & RETURN_MASK);
}

/* -- texts ------------------------------------------------------------------------------------- */

static lala declaration(struct lala_env *env, lala state, const char *prefix, bool local)
{
    return lala_format(env, "%s%s%lld", local ? "local " : "", prefix,
                       (long long)number(state, NEXT));
}

static lala say_local(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    return declaration(env, arg[0], "v", room_for_local(arg[0]));
}

/* Without a value. */
static lala say_bare(struct lala_env *env, const lala *arg, int n)
{
    return room_for_local(arg[0])
               ? say_local(env, arg, n)
               : lala_concat(env, say_local(env, arg, n), lala_str(env, " = nil"));
}

static lala say_locals(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    long long next = number(arg[0], NEXT);
    return lala_format(env, "%sv%lld, v%lld",
                       number(arg[0], LOCALS) + 1 < MAX_LOCALS ? "local " : "", next, next + 1);
}

static lala say_fixed(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    return declaration(env, arg[0], "u", room_for_upvalue(arg[0]));
}

static lala say_table(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    return declaration(env, arg[0], "t", room_for_upvalue(arg[0]));
}

static lala say_flow_table(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    return declaration(env, arg[0], "t", room_for_local(arg[0]));
}

static lala say_global(struct lala_env *env, const lala *arg, int n)
{
    bool global = !(context(arg[0]) & IN_FUNCTION);
    return global ? declaration(env, arg[0], "g", false) : say_local(env, arg, n);
}

static lala say_function(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    return lala_format(env, "%sfunction p%lld", room_for_upvalue(arg[0]) ? "local " : "",
                       (long long)number(arg[0], NEXT));
}

static lala say_bind(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    return declaration(env, arg[0], "p", room_for_upvalue(arg[0]));
}

/* (Say:name state prefix ahead): the name that is declared here, or some further on. */
static lala say_name(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    return lala_name(env, lala_text(arg[1]), lala_int(number(arg[0], NEXT) + lala_to_int(arg[2])));
}

/* (Say:first state ahead node): the first locals of a function, from the ahead-th name on. */
static lala say_first(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    long long at = number(arg[0], NEXT) + lala_to_int(arg[1]);
    unsigned draw = (unsigned)(lala_node_number(arg[2]) % 1000);
    return lala_format(env, "local v%lld, v%lld, v%lld, v%lld = %u, %u.5, \"%c\", %s", at, at + 1,
                       at + 2, at + 3, draw, draw % 32, 'a' + (char)(draw % 26),
                       draw & 1 ? "true" : "false");
}

/* (Say:entry state node): at the beginning of a block a number is printed; a pure one only counts.
 */
static lala say_entry(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    return level(arg[0]) == 3
               ? lala_format(env, "mark(%u)", (unsigned)(lala_node_number(arg[1]) % 100000))
               : lala_str(env, "step()");
}

/* (Say:tick state): false when time is up; pure functions must not notice. */
static lala say_tick(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    return lala_str(env, level(arg[0]) == 3 ? "tick()" : "step()");
}

/* (Say:turn state): at the beginning of a loop's body. */
static lala say_turn(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    return lala_str(env, level(arg[0]) == 3 ? "if not tick() then break end" : "step()");
}

static const char *default_result(enum type t)
{
    switch (t) {
    case INT:
        return "return 17";
    case NUM:
        return "return 0.25";
    case STR:
        return "return \"r\"";
    case BOOL:
        return "return false";
    case PROC:
        return "return 23, nil";
    default:
        return "return nil";
    }
}

/* (Say:exit state node): a way out of here: break, return, error, goto; else a number to print. */
static lala say_exit(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    lala way[5];
    int ways = 0, here = context(arg[0]);
    unsigned draw = (unsigned)(lala_node_number(arg[1]) % 100000);
    if (here & IN_LOOP)
        way[ways++] = lala_str(env, "break");
    if (here & IN_LOOP)
        way[ways++] = way[0];
    if (here & IN_FUNCTION)
        way[ways++] =
            lala_str(env, default_result((enum type)(here >> RETURN_SHIFT & RETURN_MASK)));
    if (here & IN_PCALL)
        way[ways++] = lala_format(env, "error(\"e%u\", 0)", draw);
    if (get(arg[0], LABEL) != LALA_NIL && here >> VERSION_SHIFT >= 52)
        way[ways++] = lala_format(env, "goto l%lld", (long long)number(arg[0], LABEL));
    return ways ? way[draw % (unsigned)ways] : say_entry(env, arg, n);
}

/* (Say:globals state): prints all globals, in the order in which they were defined. */
static lala say_globals(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    lala text = lala_str(env, "");
    for (lala l = get(arg[0], GLOBALS); lala_more(l); l = lala_tail(l)) {
        const char *name = lala_text(lala_head(l));
        text = lala_concat(env, lala_format(env, "final(\"%s\", %s)\n", name, name), text);
    }
    return text;
}

/* -- the tables -------------------------------------------------------------------------------- */

#define X(name)                                                                                    \
    static lala type_##name(struct lala_env *env, const lala *arg, int n)                          \
    {                                                                                              \
        (void)env, (void)arg, (void)n;                                                             \
        return type_value(name);                                                                   \
    }
ALL_TYPES(X)
#undef X

static const struct lala_function kinds[] = {
#define X(name) {#name, ": int", type_##name, 0},
    ALL_TYPES(X)
#undef X
};

static const struct lala_function env_functions[] = {
    {"start", "int : State", start, 0},
    {"enter", "State : State", enter, 0},
    {"again", "State, State : State", again, 0},
    {"maybe", "State, State : State", maybe, 0},
    {"done", "State, State : State", done, 0},
    {"one", "State, State... : State", one, 0},
    {"local", "State, int : State", declare_local, 0},
    {"fixed", "State, int : State", declare_fixed, 0},
    {"global", "State, int : State", declare_global, 0},
    {"index", "State : State", declare_index, 0},
    {"shadow", "State, String, int : State", shadow, 0},
    {"assign", "State, String, int : State", assign, 0},
    {"table", "State, Fields : State", declare_table, 0},
    {"flowTable", "State, Fields : State", declare_flow_table, 0},
    {"alias", "State, String : State", declare_alias, 0},
    {"field", "State, String, int : State", declare_field, 0},
    {"loop", "State : State", loop, 0},
    {"indexed", "State : State", indexed, 0},
    {"each", "State, int : State", each, 0},
    {"over", "State, int : State", over, 0},
    {"jump", "State : State", jump, 0},
    {"labelled", "State : State", labelled, 0},
    {"function", "State, int : State", function_body, 0},
    {"recursive", "State : State", recursive_body, 0},
    {"vararg", "State : State", vararg_body, 0},
    {"method", "State, String : State", method_body, 0},
    {"maker", "State : State", maker_body, 0},
    {"counter", "State : State", counter_body, 0},
    {"protected", "State : State", protected_body, 0},
    {"coroutine", "State : State", coroutine_body, 0},
    {"thunk", "State : State", thunk_body, 0},
    {"lambda", "State : State", lambda_body, 0},
    {"operator", "State : State", operator_body, 0},
    {"defined", "State, State, int : State", defined, 0},
    {"methodDefined", "State, State, String : State", method_defined, 0},
    {"results", "State, State, int, int : State", results, 0},
    {"impure", "State : boolean", impure, 0},
    {"version", "State : int", version, 0},
    {"returns", "State : int", returns, 0},
};

static const struct lala_function field_functions[] = {
    {"one", "String, int : Fields", fields_one, 0},
    {"nest", "String, Fields : Fields", fields_nest, 0},
    {"join", "Fields, Fields : Fields", fields_join, 0},
    {"key", "int : String", fields_key, 0},
    {"textKey", "int : String", fields_text_key, 0},
    {"position", "int : String", fields_position, 0},
};

static const struct lala_function var_functions[] = {
#define X(name, ...) {#name, "State : List<String>", name, 0},
    VISIBLE(X) SETTABLE(X) CALLABLE(X) X(objects) X(makers) X(higher_fns) X(fn_values) X(tables)
        X(flow_tables) X(open_types) X(hide)
#undef X
            {"retype", "State, int : List<String>", retype, 0},
    {"other", "State, String : List<String>", other, 0},
    {"signatures", "State : List<int>", all_signatures, 0},
};

static const struct lala_function say_functions[] = {
    {"local", "State : String", say_local, 0},
    {"bare", "State : String", say_bare, 0},
    {"locals", "State : String", say_locals, 0},
    {"fixed", "State : String", say_fixed, 0},
    {"table", "State : String", say_table, 0},
    {"flowTable", "State : String", say_flow_table, 0},
    {"global", "State : String", say_global, 0},
    {"function", "State : String", say_function, 0},
    {"bind", "State : String", say_bind, 0},
    {"name", "State, String, int : String", say_name, 0},
    {"first", "State, int, Node : String", say_first, 0},
    {"entry", "State, Node : String", say_entry, 0},
    {"tick", "State : String", say_tick, 0},
    {"turn", "State : String", say_turn, 0},
    {"exit", "State, Node : String", say_exit, 0},
    {"globals", "State : String", say_globals, 0},
};

static const struct lala_namespace namespaces[] = {
    LALA_NAMESPACE("Kind", kinds),
    LALA_NAMESPACE("Env", env_functions),
    LALA_NAMESPACE("Fields", field_functions),
    LALA_NAMESPACE("Var", var_functions),
    LALA_NAMESPACE("Say", say_functions),
};
LALA_MODULE(namespaces);
