/* What the specification of C asks: types, the names in scope, and the state of a function's body.
 *
 *     Ty     a type: a record with its spelling, its kind and what it is made of
 *     Vars   what an expression may use: names by what can be done with them
 *     Env    what a statement may do: Vars, labels, the switch and the loops around it
 *
 * Validity comes from lists, not from guards: a generator asks Vars for "everything that may be
 * assigned an integer here" and picks one, so that next to nothing ever has to be taken back. Each
 * list is kept when a name is declared and is handed out as it is. Where nothing of a type is in
 * scope, a compound literal of that type stands in (C11 6.5.2.5: an lvalue, with an address), so
 * that no list is empty. Scopes need no structure of their own: an environment is a value, and
 * leaving a block means to go on with the one from before it.
 *
 * Programs are compiled and never run (the paper's V-A): undefined behaviour is welcome,
 * constraint violations are not. */
#include <assay/lala.h>

#include <string.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))
#define MAYBE __attribute__((unused))
#define FUNCTION(name)                                                                             \
    static lala name(MAYBE struct lala_env *env, MAYBE const lala *arg, MAYBE int n)

enum tag { TYPE, FIELD, MEMBER, FUN, KEY, WORLD, VARS, ENV };

/* -- types ------------------------------------------------------------------------------------- */

enum kind { K_VOID, K_INT, K_FLT, K_CPX, K_PTR, K_FPTR, K_ARR, K_REC, K_FUN };
enum qualifier { Q_CONST = 1, Q_VOLATILE = 2, Q_RESTRICT = 4 };

/* The spelling comes first: types then print as it, and it alone tells two types apart. */
enum type_field {
    T_TEXT,
    T_KIND,
    T_OF,    /* pointee, element, result; fields of a record; otherwise the name */
    T_EXTRA, /* length of an array, parameters of a function, name of a record */
    T_QUALS,
};
enum field_field { F_NAME, F_TYPE, F_IS_BITS };
enum member_field { M_PATH, M_RECORD };
enum fun_field { FUN_NAME, FUN_TYPE, FUN_LINKAGE };

static enum kind kind_of(lala t)
{
    return lala_tag(t) == TYPE ? (enum kind)lala_to_int(lala_field(t, T_KIND)) : K_VOID;
}

static int quals_of(lala t)
{
    return (int)lala_to_int(lala_field(t, T_QUALS));
}

static lala type_of(lala t) /* what it is made of */
{
    return lala_field(t, T_OF);
}

static const char *quals_text(int quals)
{
    static const char *const text[] = {
        "",          "const ",          "volatile ",          "const volatile ",
        "restrict ", "const restrict ", "volatile restrict ", "const volatile restrict "};
    return text[quals & 7];
}

static lala declare(struct lala_env *env, lala t, const char *inner);

/* "(int p0, long *p1)"; names only where `prefix` is one. */
static lala parameters_text(struct lala_env *env, lala types, const char *prefix)
{
    if (!lala_more(types))
        return lala_str(env, "(void)");
    lala text = lala_str(env, "(");
    int i = 0;
    for (lala l = types; lala_more(l); l = lala_tail(l), i++) {
        lala name = *prefix ? lala_format(env, "%s%d", prefix, i) : lala_str(env, "");
        text = lala_format(env, "%s%s%s", lala_text(text), i ? ", " : "",
                           lala_text(declare(env, lala_head(l), lala_text(name))));
    }
    return lala_format(env, "%s)", lala_text(text));
}

/* A declarator is written from the inside out (C11 6.7.6). */
static lala declare(struct lala_env *env, lala t, const char *inner)
{
    lala of = type_of(t);
    switch (kind_of(t)) {
    case K_PTR:
    case K_FPTR: {
        bool group = kind_of(of) == K_ARR || kind_of(of) == K_FUN;
        lala star = lala_format(env, "%s*%s%s%s", group ? "(" : "", quals_text(quals_of(t)), inner,
                                group ? ")" : "");
        return declare(env, of, lala_text(star));
    }
    case K_ARR: {
        int length = (int)lala_to_int(lala_field(t, T_EXTRA));
        return declare(env, of, lala_text(lala_format(env, "%s[%d]", inner, length)));
    }
    case K_FUN: {
        lala parameters = parameters_text(env, lala_field(t, T_EXTRA), "");
        return declare(env, of, lala_text(lala_format(env, "%s%s", inner, lala_text(parameters))));
    }
    default: {
        const char *name = lala_text(kind_of(t) == K_REC ? lala_field(t, T_EXTRA) : of);
        return lala_format(env, "%s%s%s%s", quals_text(quals_of(t)), name, *inner ? " " : "",
                           inner);
    }
    }
}

static lala make_type(struct lala_env *env, enum kind kind, lala of, lala extra, int quals)
{
    lala draft = lala_make(env, TYPE, LALA_NIL, lala_int(kind), of, extra, lala_int(quals));
    return lala_with(env, draft, T_TEXT, declare(env, draft, ""));
}

static lala named(struct lala_env *env, enum kind kind, const char *name)
{
    return make_type(env, kind, lala_str(env, name), LALA_NIL, 0);
}

static lala pointer_to(struct lala_env *env, lala t)
{
    return make_type(env, kind_of(t) == K_FUN ? K_FPTR : K_PTR, t, LALA_NIL, 0);
}

static lala array_of(struct lala_env *env, lala t, int64_t length)
{
    return make_type(env, K_ARR, t, lala_int(length), 0);
}

static lala function_type(struct lala_env *env, lala result, lala parameters)
{
    return make_type(env, K_FUN, result, parameters, 0);
}

/* The type with just these qualifiers. Those of an array are its elements' (6.7.3p9); only pointers
 * to objects can be restricted; functions have none. */
static lala with_quals(struct lala_env *env, lala t, int quals)
{
    enum kind kind = kind_of(t);
    if (kind == K_FUN)
        return t;
    if (kind == K_ARR)
        return array_of(env, with_quals(env, type_of(t), quals),
                        lala_to_int(lala_field(t, T_EXTRA)));
    if (kind != K_PTR)
        quals &= ~Q_RESTRICT;
    return quals == quals_of(t) ? t
                                : make_type(env, kind, type_of(t), lala_field(t, T_EXTRA), quals);
}

static lala plain(struct lala_env *env, lala t)
{
    return with_quals(env, t, 0);
}

static int quals_in(const char *text)
{
    return (strstr(text, "const") ? Q_CONST : 0) | (strstr(text, "volatile") ? Q_VOLATILE : 0) |
           (strstr(text, "restrict") ? Q_RESTRICT : 0);
}

static bool is_modifiable(lala t)
{
    return kind_of(t) == K_ARR ? is_modifiable(type_of(t)) : !(quals_of(t) & Q_CONST);
}

FUNCTION(ty_integer)
{
    return named(env, K_INT, lala_text(arg[0]));
}
FUNCTION(ty_floating)
{
    return named(env, K_FLT, lala_text(arg[0]));
}
FUNCTION(ty_complex)
{
    return named(env, K_CPX, lala_text(arg[0]));
}
FUNCTION(ty_nothing)
{
    return named(env, K_VOID, "void");
}
FUNCTION(ty_unfinished) /* a record within itself: one spelling, one type */
{
    return make_type(env, K_REC, LALA_NIL, arg[0], 0);
}
FUNCTION(ty_pointer)
{
    return pointer_to(env, arg[0]);
}
FUNCTION(ty_array)
{
    return array_of(env, arg[0], lala_to_int(arg[1]));
}
FUNCTION(ty_function)
{
    return function_type(env, arg[0], arg[1]);
}
FUNCTION(ty_qualified)
{
    return with_quals(env, arg[1], quals_in(lala_text(arg[0])));
}
FUNCTION(ty_plain)
{
    return plain(env, arg[0]);
}
/* A function may be asked before the guard that makes sense of the question. */
FUNCTION(ty_of)
{
    enum kind kind = kind_of(arg[0]);
    return kind == K_PTR || kind == K_ARR ? type_of(arg[0]) : LALA_UNDEFINED;
}
FUNCTION(ty_parameters)
{
    return kind_of(arg[0]) == K_FUN ? lala_field(arg[0], T_EXTRA) : LALA_UNDEFINED;
}
FUNCTION(ty_declare)
{
    return declare(env, arg[0], lala_text(arg[1]));
}
FUNCTION(ty_number)
{
    enum kind kind = kind_of(arg[0]);
    return lala_bool(kind == K_INT || kind == K_FLT || kind == K_CPX);
}
FUNCTION(ty_is)
{
    static const char *const names[] = {
        [K_VOID] = "void",   [K_INT] = "integer", [K_FLT] = "floating",
        [K_CPX] = "complex", [K_PTR] = "pointer", [K_FPTR] = "function pointer",
        [K_ARR] = "array",   [K_REC] = "record",  [K_FUN] = "function"};
    return lala_bool(strcmp(names[kind_of(arg[0])], lala_text(arg[1])) == 0);
}
FUNCTION(ty_floats)
{
    return lala_bool(kind_of(arg[0]) == K_FLT || kind_of(arg[0]) == K_CPX);
}
FUNCTION(ty_points)
{
    return lala_bool(kind_of(arg[0]) == K_PTR || kind_of(arg[0]) == K_FPTR);
}
/* An array that a string of the specification can initialise, and has room for it (6.7.9p2, p14).
 */
enum { LONGEST_STRING = 12 };
FUNCTION(ty_characters)
{
    lala of = kind_of(arg[0]) == K_ARR ? type_of(arg[0]) : LALA_NIL;
    return lala_bool(kind_of(of) == K_INT && strstr(lala_text(type_of(of)), "char") &&
                     lala_to_int(lala_field(arg[0], T_EXTRA)) >= LONGEST_STRING);
}

/* Initialisers of elements in a row: past the end of the array they begin again (6.7.9p2). */
FUNCTION(ty_restart) /* array, index */
{
    bool past = lala_to_int(arg[1]) >= lala_to_int(lala_field(arg[0], T_EXTRA));
    return lala_str(env, past ? "[0] = " : "");
}
FUNCTION(ty_following) /* array, index */
{
    int64_t i = lala_to_int(arg[1]);
    return lala_int(i >= lala_to_int(lala_field(arg[0], T_EXTRA)) ? 1 : i + 1);
}
FUNCTION(ty_fields)
{
    return kind_of(arg[0]) == K_REC ? type_of(arg[0]) : LALA_UNDEFINED;
}
FUNCTION(ty_indices)
{
    lala list = LALA_NIL;
    if (kind_of(arg[0]) != K_ARR)
        return LALA_UNDEFINED;
    for (int64_t i = lala_to_int(lala_field(arg[0], T_EXTRA)); i > 0; i--)
        list = lala_cons(env, lala_int(i - 1), list);
    return list;
}
FUNCTION(ty_field)
{
    return lala_make(env, FIELD, arg[0], arg[1], arg[2]);
}
FUNCTION(ty_field_type)
{
    return plain(env, lala_field(arg[0], F_TYPE));
}

static const struct lala_function ty[] = {
    {"integer", "String : Type", ty_integer, LALA_MEMO},
    {"floating", "String : Type", ty_floating, LALA_MEMO},
    {"complex", "String : Type", ty_complex, LALA_MEMO},
    {"nothing", ": Type", ty_nothing, LALA_MEMO},
    {"unfinished", "String : Type", ty_unfinished, 0},
    {"pointer", "Type : Type", ty_pointer, LALA_MEMO},
    {"array", "Type, int : Type", ty_array, LALA_MEMO},
    {"function", "Type, List : Type", ty_function, LALA_MEMO},
    {"qualified", "String, Type : Type", ty_qualified, LALA_MEMO},
    {"plain", "Type : Type", ty_plain, LALA_MEMO},
    {"of", "Type : Type", ty_of, 0},
    {"parameters", "Type : List", ty_parameters, 0},
    {"declare", "Type, String : String", ty_declare, LALA_MEMO},
    {"number", "Type : boolean", ty_number, 0},
    {"is", "Type, String : boolean", ty_is, 0},
    {"floats", "Type : boolean", ty_floats, 0},
    {"points", "Type : boolean", ty_points, 0},
    {"characters", "Type : boolean", ty_characters, 0},
    {"restart", "Type, int : String", ty_restart, 0},
    {"following", "Type, int : int", ty_following, 0},
    {"fields", "Type : List<Field>", ty_fields, 0},
    {"indices", "Type : List<int>", ty_indices, 0},
    {"field", "String, Type, boolean : Field", ty_field, 0},
    {"fieldType", "Field : Type", ty_field_type, LALA_MEMO},
};

/* -- names in scope ---------------------------------------------------------------------------- */

/* What does not change within a function. */
#define WORLD_LISTS(X) /* field, function of the specification, what it lists */                   \
    X(W_RECORDS, records, "Type")                                                                  \
    X(W_INT_MEMBERS, intMembers, "Member")                                                         \
    X(W_FLT_MEMBERS, floatMembers, "Member")                                                       \
    X(W_FUNS, functions, "Fun")                                                                    \
    X(W_INT_FUNS, intFunctions, "Fun")                                                             \
    X(W_FLT_FUNS, floatFunctions, "Fun")                                                           \
    X(W_PTR_FUNS, addressFunctions, "Fun") /* of which the result can be cast to a pointer */      \
    X(W_FTYPES, functionTypes, "Type")                                                             \
    X(W_INT_FTYPES, intFunctionTypes, "Type")                                                      \
    X(W_FLT_FTYPES, floatFunctionTypes, "Type")                                                    \
    X(W_ITYPES, intTypes, "Type")                                                                  \
    X(W_CONSTANTS, constants, "String")

/* What grows as names are declared. _TARGETS may be assigned to. Of arrays, the elements. */
#define VARS_LISTS(X)                                                                              \
    X(V_INTS, ints, "String")                                                                      \
    X(V_INT_TARGETS, intTargets, "String")                                                         \
    X(V_FLTS, floats, "String")                                                                    \
    X(V_FLT_TARGETS, floatTargets, "String")                                                       \
    X(V_CPXS, complexes, "String")                                                                 \
    X(V_CPX_TARGETS, complexTargets, "String")                                                     \
    X(V_ROWS, rows, "String") /* of integers, constant ones too */                                 \
    X(V_ROW_TARGETS, rowTargets, "String")                                                         \
    X(V_PLANE_TARGETS, planeTargets, "String") /* two dimensions */                                \
    X(V_CUBE_TARGETS, cubeTargets, "String")   /* three */                                         \
    X(V_FLT_ROW_TARGETS, floatRowTargets, "String")                                                \
    X(V_PTYPES, pointerTypes, "Type")                                                              \
    X(V_INT_PTYPES, intPointerTypes, "Type") /* to integers that can be assigned to */             \
    X(V_FLT_PTYPES, floatPointerTypes, "Type")

enum world_field {
#define X(field, name, type) field,
    WORLD_LISTS(X)
#undef X
        N_WORLD
};
enum vars_field {
#define X(field, name, type) field,
    VARS_LISTS(X)
#undef X
        V_WORLD,
    V_EXACT, /* (use, type) -> names: where one exact type is needed */
    N_VARS
};
_Static_assert((int)N_WORLD <= (int)LALA_MAX_FIELDS, "a world is one record");
_Static_assert((int)N_VARS <= (int)LALA_MAX_FIELDS, "the variables are one record");

/* Uses that ask for one exact type. Types are plain but for OBJECT. */
enum use {
    VALUE,  /* pointers, function pointers, records that can be read */
    TARGET, /* those that can be assigned to */
    OBJECT, /* lvalues of just this qualified type that have an address */
    DECAY,  /* arrays, functions and strings: address constants of this pointer type */
    MAKER,  /* functions that return this record */
};

/* Changes to a record are gathered here and become a value once. */
struct draft {
    struct lala_env *env;
    lala vars[N_VARS], world[N_WORLD];
};

static void unpack(lala record, lala *fields, int n)
{
    for (int i = 0; i < n; i++)
        fields[i] = lala_field(record, i);
}

static struct draft open_vars(struct lala_env *env, lala vars)
{
    struct draft d = {.env = env};
    unpack(vars, d.vars, N_VARS);
    return d;
}

static void open_world(struct draft *d)
{
    unpack(d->vars[V_WORLD], d->world, N_WORLD);
}

static void close_world(struct draft *d)
{
    d->vars[V_WORLD] = lala_record(d->env, WORLD, N_WORLD, d->world);
}

static lala close_vars(struct draft *d)
{
    return lala_record(d->env, VARS, N_VARS, d->vars);
}

static void add(struct draft *d, enum vars_field field, lala item)
{
    d->vars[field] = lala_cons(d->env, item, d->vars[field]);
}

static void add_to_world(struct draft *d, enum world_field field, lala item)
{
    d->world[field] = lala_cons(d->env, item, d->world[field]);
}

static lala exact_key(struct lala_env *env, enum use use, lala type)
{
    return lala_make(env, KEY, lala_field(type, T_TEXT), lala_int(use));
}

/* NIL where there is none. */
static lala exact(struct lala_env *env, lala vars, enum use use, lala type)
{
    lala list = lala_map_get(lala_field(vars, V_EXACT), exact_key(env, use, type));
    return list ? list : LALA_NIL;
}

/* Was it the first? */
static bool add_exact(struct draft *d, enum use use, lala type, lala item)
{
    lala key = exact_key(d->env, use, type);
    lala list = lala_map_get(d->vars[V_EXACT], key);
    lala longer = lala_cons(d->env, item, list ? list : LALA_NIL);
    d->vars[V_EXACT] = lala_map_put(d->env, d->vars[V_EXACT], key, longer);
    return !list;
}

static void add_pointer_type(struct draft *d, lala type)
{
    lala to = type_of(type);
    add(d, V_PTYPES, type);
    if (kind_of(to) == K_INT && is_modifiable(to))
        add(d, V_INT_PTYPES, type);
    if (kind_of(to) == K_FLT && is_modifiable(to))
        add(d, V_FLT_PTYPES, type);
}

static void add_value(struct draft *d, lala type, lala name)
{
    lala bare = plain(d->env, type);
    bool first = add_exact(d, VALUE, bare, name);
    if (first && kind_of(bare) == K_PTR)
        add_pointer_type(d, bare);
    if (is_modifiable(type))
        add_exact(d, TARGET, bare, name);
}

static void add_decayed(struct draft *d, lala pointer, lala name)
{
    bool first = add_exact(d, VALUE, pointer, name);
    if (first && kind_of(pointer) == K_PTR)
        add_pointer_type(d, pointer);
    add_exact(d, DECAY, pointer, name);
}

static void add_object(struct draft *d, lala type, lala name)
{
    add_exact(d, OBJECT, type, name);
}

static void add_array(struct draft *d, lala type, lala name)
{
    lala element = type_of(type);
    int dimensions = 1;
    for (; kind_of(element) == K_ARR; element = type_of(element))
        dimensions++;
    bool modifiable = is_modifiable(element);
    if (kind_of(element) == K_INT && dimensions == 1)
        add(d, V_ROWS, name);
    if (kind_of(element) == K_INT && dimensions <= 3 && modifiable)
        add(d,
            dimensions == 1   ? V_ROW_TARGETS
            : dimensions == 2 ? V_PLANE_TARGETS
                              : V_CUBE_TARGETS,
            name);
    if (kind_of(element) == K_FLT && dimensions == 1 && modifiable)
        add(d, V_FLT_ROW_TARGETS, name);
    add_decayed(d, pointer_to(d->env, type_of(type)), name);
    if (dimensions > 1)
        return;
    lala last = lala_format(d->env, "%s[%d]", lala_text(name),
                            (int)lala_to_int(lala_field(type, T_EXTRA)) - 1);
    add_object(d, element, last);
    if (kind_of(element) == K_PTR || kind_of(element) == K_FPTR || kind_of(element) == K_REC)
        add_value(d, element, last);
}

/* A member of a qualified record is so qualified (6.5.2.3p3). */
static void add_record_members(struct draft *d, lala type, lala name)
{
    for (lala l = type_of(type); lala_more(l); l = lala_tail(l)) {
        lala field = lala_head(l);
        if (lala_is_true(lala_field(field, F_IS_BITS)))
            continue;
        lala member = lala_field(field, F_TYPE);
        enum kind kind = kind_of(member);
        if (kind == K_ARR)
            continue;
        lala path =
            lala_format(d->env, "%s.%s", lala_text(name), lala_text(lala_field(field, F_NAME)));
        lala qualified =
            with_quals(d->env, member, quals_of(member) | (quals_of(type) & ~Q_RESTRICT));
        add_object(d, qualified, path);
        if (kind == K_PTR || kind == K_FPTR)
            add_value(d, qualified, path);
    }
}

/* Lists the name under all that can be done with it. */
static void add_variable(struct draft *d, lala type, lala name, bool has_address)
{
    bool modifiable = is_modifiable(type);
    switch (kind_of(type)) {
    case K_INT:
        add(d, V_INTS, name);
        if (modifiable)
            add(d, V_INT_TARGETS, name);
        break;
    case K_FLT:
        add(d, V_FLTS, name);
        if (modifiable)
            add(d, V_FLT_TARGETS, name);
        break;
    case K_CPX:
        add(d, V_CPXS, name);
        if (modifiable)
            add(d, V_CPX_TARGETS, name);
        break;
    case K_ARR:
        add_array(d, type, name);
        break;
    case K_REC:
        add_value(d, type, name);
        add_record_members(d, type, name);
        break;
    default:
        add_value(d, type, name);
        break;
    }
    if (has_address)
        add_object(d, type, name);
}

#define X(field, name, type)                                                                       \
    FUNCTION(world_##name)                                                                         \
    {                                                                                              \
        return lala_field(lala_field(arg[0], V_WORLD), field);                                     \
    }
WORLD_LISTS(X)
#undef X
#define X(field, name, type)                                                                       \
    FUNCTION(vars_##name)                                                                          \
    {                                                                                              \
        return lala_field(arg[0], field);                                                          \
    }
VARS_LISTS(X)
#undef X

static lala single(struct lala_env *env, lala item)
{
    return lala_cons(env, item, LALA_NIL);
}

static lala compound(struct lala_env *env, lala type)
{
    return lala_format(env, "(%s){0}", lala_text(lala_field(type, T_TEXT)));
}

/* Where nothing of a type is in scope: a compound literal, or what zp points to, of which compilers
 * know nothing. */
static lala some_objects(struct lala_env *env, lala type)
{
    const char *text = lala_text(lala_field(pointer_to(env, type), T_TEXT));
    return lala_cons(env, compound(env, type), single(env, lala_format(env, "(*(%s)zp)", text)));
}

static lala some_pointers(struct lala_env *env, lala type)
{
    const char *text = lala_text(lala_field(type, T_TEXT));
    if (kind_of(type) == K_FPTR) /* objects and functions do not convert, integers do (6.3.2.3) */
        return single(env, lala_format(env, "((%s)(long)zp)", text));
    lala cast = lala_format(env, "((%s)zp)", text);
    lala address = lala_format(env, "(&%s)", lala_text(compound(env, type_of(type))));
    return lala_cons(env, address, single(env, cast));
}

FUNCTION(vars_pointers)
{
    lala list = exact(env, arg[0], VALUE, arg[1]);
    return lala_more(list) ? list : some_pointers(env, arg[1]);
}
FUNCTION(vars_targets)
{
    lala list = exact(env, arg[0], TARGET, arg[1]);
    return lala_more(list) ? list : some_objects(env, arg[1]);
}
FUNCTION(vars_values)
{
    lala list = exact(env, arg[0], VALUE, arg[1]);
    return lala_more(list) ? list : some_objects(env, arg[1]);
}
FUNCTION(vars_objects)
{
    lala list = exact(env, arg[0], OBJECT, arg[1]);
    return lala_more(list) ? list : some_objects(env, arg[1]);
}
FUNCTION(vars_makers)
{
    return exact(env, arg[0], MAKER, arg[1]);
}

/* Address constants of this type (6.6p9), and the null pointer. */
FUNCTION(vars_addresses)
{
    lala list = single(env, lala_str(env, "0"));
    for (lala l = exact(env, arg[0], DECAY, arg[1]); lala_more(l); l = lala_tail(l))
        list = lala_cons(env, lala_head(l), list);
    if (kind_of(arg[1]) != K_PTR)
        return list;
    for (lala l = exact(env, arg[0], OBJECT, type_of(arg[1])); lala_more(l); l = lala_tail(l))
        list = lala_cons(env, lala_format(env, "&%s", lala_text(lala_head(l))), list);
    return list;
}

/* The simplest value of a type: what ends an expression that may not grow any more. */
static lala simple(struct lala_env *env, lala vars, lala type)
{
    static const enum vars_field lists[] = {[K_INT] = V_INTS, [K_FLT] = V_FLTS, [K_CPX] = V_CPXS};
    lala bare = plain(env, type);
    enum kind kind = kind_of(bare);
    if (kind == K_INT || kind == K_FLT || kind == K_CPX)
        return lala_head(lala_field(vars, (int)lists[kind]));
    lala list = exact(env, vars, VALUE, bare);
    if (lala_more(list))
        return lala_head(list);
    return kind == K_REC ? compound(env, bare) : lala_head(some_pointers(env, bare));
}

FUNCTION(vars_simple)
{
    return single(env, simple(env, arg[0], arg[1]));
}
FUNCTION(vars_simple_all)
{
    lala text = lala_str(env, "");
    for (lala l = arg[1]; lala_more(l); l = lala_tail(l))
        text = lala_format(env, "%s%s%s", lala_text(text), l == arg[1] ? "" : ", ",
                           lala_text(simple(env, arg[0], lala_head(l))));
    return single(env, text);
}

FUNCTION(member_record)
{
    return lala_field(arg[0], M_RECORD);
}
FUNCTION(fun_type)
{
    return lala_field(arg[0], FUN_TYPE);
}
FUNCTION(fun_parameters)
{
    return lala_field(lala_field(arg[0], FUN_TYPE), T_EXTRA);
}
FUNCTION(fun_make)
{
    lala name = lala_format(env, "f%d", (int)lala_to_int(arg[0]));
    return lala_make(env, FUN, name, arg[1], arg[2]);
}

FUNCTION(fun_main)
{
    lala type = function_type(env, named(env, K_INT, "int"), LALA_NIL);
    return lala_make(env, FUN, lala_str(env, "main"), type, lala_str(env, ""));
}

static lala head_of(struct lala_env *env, lala fun)
{
    lala type = lala_field(fun, FUN_TYPE);
    lala parameters = parameters_text(env, lala_field(type, T_EXTRA), "p");
    lala inner =
        lala_format(env, "%s%s", lala_text(lala_field(fun, FUN_NAME)), lala_text(parameters));
    return lala_format(env, "%s%s", lala_text(lala_field(fun, FUN_LINKAGE)),
                       lala_text(declare(env, type_of(type), lala_text(inner))));
}

FUNCTION(fun_head)
{
    return head_of(env, arg[0]);
}
FUNCTION(fun_prototypes)
{
    lala text = lala_str(env, "");
    for (lala l = arg[0]; lala_more(l); l = lala_tail(l))
        text = lala_format(env, "%s%s%s;", lala_text(text), l == arg[0] ? "" : "\n",
                           lala_text(head_of(env, lala_head(l))));
    return text;
}

static const struct lala_function vars[] = {
#define X(field, name, type) {#name, "Vars : List<" type ">", world_##name, 0},
    WORLD_LISTS(X)
#undef X
#define X(field, name, type) {#name, "Vars : List<" type ">", vars_##name, 0},
        VARS_LISTS(X)
#undef X
            {"pointers", "Vars, Type : List<String>", vars_pointers, LALA_MEMO},
    {"targets", "Vars, Type : List<String>", vars_targets, LALA_MEMO},
    {"values", "Vars, Type : List<String>", vars_values, LALA_MEMO},
    {"objects", "Vars, Type : List<String>", vars_objects, LALA_MEMO},
    {"makers", "Vars, Type : List<Fun>", vars_makers, LALA_MEMO},
    {"addresses", "Vars, Type : List<String>", vars_addresses, LALA_MEMO},
    {"simple", "Vars, Type : List<String>", vars_simple, LALA_MEMO},
    {"simpleAll", "Vars, List : List<String>", vars_simple_all, LALA_MEMO},
};

static const struct lala_function fun[] = {
    {"record", "Member : Type", member_record, 0},
    {"type", "Fun : Type", fun_type, 0},
    {"parameters", "Fun : List", fun_parameters, 0},
    {"make", "int, Type, String : Fun", fun_make, 0},
    {"main", ": Fun", fun_main, LALA_MEMO},
    {"head", "Fun : String", fun_head, LALA_MEMO},
    {"prototypes", "List : String", fun_prototypes, 0},
};

/* -- statements -------------------------------------------------------------------------------- */

enum env_field {
    E_VARS,
    E_STATICS, /* the variables that live as long as the program: for static initialisers */
    E_RESULT,  /* of the function */
    E_NEXT,    /* number of the next name */
    E_JUMPS,   /* "goto L0" for each label that there is */
    E_N_LABELS,
    E_CASE,      /* value of the next case label; nil outside of a switch */
    E_DEFAULT,   /* may this switch have one still? */
    E_BREAK,     /* is there something to leave */
    E_CONTINUE,  /* and to continue? */
    E_NO_LABELS, /* in the scope of a variably modified type, into which none may jump (6.8.6.1) */
    N_ENV
};

static lala change(struct lala_env *env, lala e, enum env_field field, lala value)
{
    return lala_with(env, e, (int)field, value);
}

static lala variable_name(struct lala_env *env, lala e, const char *prefix)
{
    return lala_name(env, prefix, lala_field(e, E_NEXT));
}

/* The names of a program's first lines, which the specification prints. */
static void add_prelude(struct draft *d)
{
    struct lala_env *env = d->env;
    lala int_type = named(env, K_INT, "int");
    lala flt_type = named(env, K_FLT, "double");
    add(d, V_INTS, lala_str(env, "zi"));
    add(d, V_INT_TARGETS, lala_str(env, "zi"));
    add(d, V_FLTS, lala_str(env, "zf"));
    add(d, V_FLT_TARGETS, lala_str(env, "zf"));
    add(d, V_CPXS, lala_str(env, "zz"));
    add(d, V_CPX_TARGETS, lala_str(env, "zz"));
    add(d, V_ROWS, lala_str(env, "za"));
    add(d, V_ROW_TARGETS, lala_str(env, "za"));
    add(d, V_PLANE_TARGETS, lala_str(env, "zb"));
    add(d, V_CUBE_TARGETS, lala_str(env, "zc"));
    add(d, V_FLT_ROW_TARGETS, lala_str(env, "zd"));
    add_variable(d, pointer_to(env, int_type), lala_str(env, "zu"), true);
    add_variable(d, pointer_to(env, flt_type), lala_str(env, "zw"), true);
    lala text = pointer_to(env, named(env, K_INT, "char"));
    add_decayed(d, text, lala_str(env, "\"\""));
    add_decayed(d, text, lala_str(env, "\"assay\""));
}

static void add_function(struct draft *d, lala function)
{
    lala type = lala_field(function, FUN_TYPE);
    lala result = type_of(type);
    add_to_world(d, W_FUNS, function);
    switch (kind_of(result)) {
    case K_INT:
        add_to_world(d, W_INT_FUNS, function);
        add_to_world(d, W_PTR_FUNS, function);
        break;
    case K_FLT:
        add_to_world(d, W_FLT_FUNS, function);
        break;
    case K_PTR:
        add_to_world(d, W_PTR_FUNS, function);
        break;
    case K_REC:
        add_exact(d, MAKER, plain(d->env, result), function);
        break;
    default:
        break;
    }
    add_decayed(d, pointer_to(d->env, type), lala_field(function, FUN_NAME));
}

static void add_function_type(struct draft *d, lala type)
{
    enum kind kind = kind_of(type_of(type));
    add_to_world(d, W_FTYPES, type);
    if (kind == K_INT)
        add_to_world(d, W_INT_FTYPES, type);
    if (kind == K_FLT)
        add_to_world(d, W_FLT_FTYPES, type);
}

FUNCTION(env_start)
{
    static const char *const integers[] = {"int",
                                           "unsigned",
                                           "char",
                                           "signed char",
                                           "unsigned char",
                                           "short",
                                           "unsigned short",
                                           "long",
                                           "unsigned long",
                                           "long long",
                                           "unsigned long long",
                                           "_Bool"};
    struct draft d = {.env = env};
    for (int i = 0; i < N_VARS; i++)
        d.vars[i] = LALA_NIL;
    for (int i = 0; i < N_WORLD; i++)
        d.world[i] = LALA_NIL;
    for (int i = COUNT(integers); i-- > 0;)
        add_to_world(&d, W_ITYPES, named(env, K_INT, integers[i]));
    lala int_type = named(env, K_INT, "int");
    lala flt_type = named(env, K_FLT, "double");
    add_function_type(&d, function_type(env, int_type, LALA_NIL));
    add_function_type(&d, function_type(env, flt_type, single(env, flt_type)));
    add_function(&d, fun_main(env, NULL, 0));
    lala half = function_type(env, flt_type, single(env, flt_type));
    add_function(&d, lala_make(env, FUN, lala_str(env, "zh"), half, lala_str(env, "")));
    add_prelude(&d);
    close_world(&d);
    lala fields[N_ENV];
    for (int i = 0; i < N_ENV; i++)
        fields[i] = LALA_NIL;
    fields[E_VARS] = fields[E_STATICS] = close_vars(&d);
    fields[E_NEXT] = fields[E_N_LABELS] = lala_int(0);
    fields[E_DEFAULT] = fields[E_BREAK] = fields[E_CONTINUE] = fields[E_NO_LABELS] = LALA_FALSE;
    return lala_record(env, ENV, N_ENV, fields);
}

FUNCTION(env_vars)
{
    return lala_field(arg[0], E_VARS);
}
FUNCTION(env_statics)
{
    return lala_field(arg[0], E_STATICS);
}
FUNCTION(env_result)
{
    return lala_field(arg[0], E_RESULT);
}
FUNCTION(env_next)
{
    return lala_field(arg[0], E_NEXT);
}
FUNCTION(env_name)
{
    return variable_name(env, arg[0], lala_text(arg[1]));
}

/* With other variables, and the next name's number one higher. */
static lala grown(struct lala_env *env, lala e, struct draft *d)
{
    lala fields[N_ENV];
    unpack(e, fields, N_ENV);
    fields[E_VARS] = close_vars(d);
    fields[E_NEXT] = lala_int(lala_to_int(fields[E_NEXT]) + 1);
    return lala_record(env, ENV, N_ENV, fields);
}

FUNCTION(env_enumeration) /* env, names of the constants */
{
    struct draft d = open_vars(env, lala_field(arg[0], E_VARS));
    open_world(&d);
    add_to_world(
        &d, W_ITYPES,
        named(env, K_INT,
              lala_text(lala_format(env, "enum %s", lala_text(variable_name(env, arg[0], "n"))))));
    for (lala l = arg[1]; lala_more(l); l = lala_tail(l))
        add_to_world(&d, W_CONSTANTS, lala_head(l));
    close_world(&d);
    return grown(env, arg[0], &d);
}

FUNCTION(env_synonym) /* env, name of an integer type */
{
    struct draft d = open_vars(env, lala_field(arg[0], E_VARS));
    open_world(&d);
    add_to_world(&d, W_ITYPES, named(env, K_INT, lala_text(variable_name(env, arg[0], "t"))));
    close_world(&d);
    return grown(env, arg[0], &d);
}

FUNCTION(env_function_type) /* env, type */
{
    struct draft d = open_vars(env, lala_field(arg[0], E_VARS));
    open_world(&d);
    add_function_type(&d, arg[1]);
    close_world(&d);
    return grown(env, arg[0], &d);
}

/* The numbers within a record, as paths from it: "m1", "m2.m0", "m3[4]". */
enum { MAX_MEMBERS = 24 };
static void add_members(struct draft *d, lala record, lala type, lala path, int *room)
{
    enum kind kind = kind_of(type);
    if (*room <= 0)
        return;
    if (kind == K_INT || kind == K_FLT) {
        --*room;
        add_to_world(d, kind == K_INT ? W_INT_MEMBERS : W_FLT_MEMBERS,
                     lala_make(d->env, MEMBER, path, record));
    } else if (kind == K_ARR) {
        int last = (int)lala_to_int(lala_field(type, T_EXTRA)) - 1;
        add_members(d, record, type_of(type), lala_format(d->env, "%s[%d]", lala_text(path), last),
                    room);
    } else if (kind == K_REC) {
        for (lala l = type_of(type); lala_more(l); l = lala_tail(l)) {
            lala name = lala_field(lala_head(l), F_NAME);
            add_members(d, record, lala_field(lala_head(l), F_TYPE),
                        lala_format(d->env, "%s%s%s", lala_text(path), lala_size(path) ? "." : "",
                                    lala_text(name)),
                        room);
        }
    }
}

/* "struct s3" */
static lala record_name(struct lala_env *env, lala e, lala keyword)
{
    return lala_format(env, "%s %s", lala_text(keyword), lala_text(variable_name(env, e, "s")));
}

/* A new record, and what the specification prints after it: an object, a pointer to it, and a
 * function that returns one. */
FUNCTION(env_record) /* env, "struct" or "union", fields */
{
    struct draft d = open_vars(env, lala_field(arg[0], E_VARS));
    open_world(&d);
    lala type = make_type(env, K_REC, arg[2], record_name(env, arg[0], arg[1]), 0);
    lala pointer = pointer_to(env, type);
    int room = MAX_MEMBERS;
    add_to_world(&d, W_RECORDS, type);
    add_members(&d, type, type, lala_str(env, ""), &room);
    add_variable(&d, type, variable_name(env, arg[0], "o"), true);
    add_variable(&d, pointer, variable_name(env, arg[0], "q"), true);
    lala maker = function_type(env, type, single(env, pointer));
    add_function(
        &d, lala_make(env, FUN, variable_name(env, arg[0], "h"), maker, lala_str(env, "static ")));
    close_world(&d);
    return grown(env, arg[0], &d);
}

FUNCTION(env_functions) /* env, functions */
{
    struct draft d = open_vars(env, lala_field(arg[0], E_VARS));
    open_world(&d);
    for (lala l = arg[1]; lala_more(l); l = lala_tail(l))
        add_function(&d, lala_head(l));
    close_world(&d);
    return grown(env, arg[0], &d);
}

FUNCTION(env_declare) /* env, prefix, type */
{
    struct draft d = open_vars(env, lala_field(arg[0], E_VARS));
    add_variable(&d, arg[2], variable_name(env, arg[0], lala_text(arg[1])), true);
    return grown(env, arg[0], &d);
}

FUNCTION(env_declare_static) /* the same: for everyone, and for static initialisers */
{
    lala name = variable_name(env, arg[0], lala_text(arg[1]));
    struct draft here = open_vars(env, lala_field(arg[0], E_VARS));
    add_variable(&here, arg[2], name, true);
    if (lala_field(arg[0], E_VARS) == lala_field(arg[0], E_STATICS)) {
        lala e = grown(env, arg[0], &here);
        return change(env, e, E_STATICS, lala_field(e, E_VARS));
    }
    struct draft all = open_vars(env, lala_field(arg[0], E_STATICS));
    add_variable(&all, arg[2], name, true);
    return change(env, grown(env, arg[0], &here), E_STATICS, close_vars(&all));
}

FUNCTION(env_declare_register) /* its address is nobody's (6.5.3.2p1) */
{
    struct draft d = open_vars(env, lala_field(arg[0], E_VARS));
    add_variable(&d, arg[2], variable_name(env, arg[0], lala_text(arg[1])), false);
    return grown(env, arg[0], &d);
}

/* Integers that count a loop are only read: most loops should have an end. */
FUNCTION(env_declare_index)
{
    struct draft d = open_vars(env, lala_field(arg[0], E_VARS));
    add(&d, V_INTS, variable_name(env, arg[0], "v"));
    return grown(env, arg[0], &d);
}

/* An array of variable length, in whose scope no label may stand. */
FUNCTION(env_declare_variable_length) /* env, type of the elements */
{
    struct draft d = open_vars(env, lala_field(arg[0], E_VARS));
    lala name = variable_name(env, arg[0], "v");
    add(&d, V_ROWS, name);
    add(&d, V_ROW_TARGETS, name);
    add_exact(&d, VALUE, pointer_to(env, arg[1]), name);
    lala e = grown(env, arg[0], &d);
    e = change(env, e, E_CASE, LALA_NIL);
    return change(env, e, E_NO_LABELS, LALA_TRUE);
}

FUNCTION(env_seal) /* all that there is now is static */
{
    return change(env, arg[0], E_STATICS, lala_field(arg[0], E_VARS));
}

FUNCTION(env_enter) /* env, function, jumps to its labels: the environment of its body */
{
    struct draft d = open_vars(env, lala_field(arg[0], E_VARS));
    lala type = lala_field(arg[1], FUN_TYPE);
    int i = 0;
    for (lala l = lala_field(type, T_EXTRA); lala_more(l); l = lala_tail(l))
        add_variable(&d, lala_head(l), lala_format(env, "p%d", i++), true);
    lala fields[N_ENV];
    unpack(arg[0], fields, N_ENV);
    fields[E_VARS] = close_vars(&d);
    fields[E_RESULT] = type_of(type);
    fields[E_JUMPS] = arg[2];
    fields[E_N_LABELS] = fields[E_NEXT] = lala_int(0);
    return lala_record(env, ENV, N_ENV, fields);
}

/* After a block: the names of before it, and the labels and cases that it has used up. */
static lala leave(struct lala_env *env, lala outer, lala inner, bool leaves_switch)
{
    if (outer == inner)
        return outer;
    lala fields[N_ENV];
    unpack(outer, fields, N_ENV);
    fields[E_N_LABELS] = lala_field(inner, E_N_LABELS);
    fields[E_JUMPS] = lala_field(inner, E_JUMPS);
    if (!leaves_switch && fields[E_CASE] != LALA_NIL) {
        fields[E_CASE] = lala_field(inner, E_CASE);
        fields[E_DEFAULT] = lala_field(inner, E_DEFAULT);
    }
    return lala_record(env, ENV, N_ENV, fields);
}

FUNCTION(env_leave)
{
    return leave(env, arg[0], arg[1], false);
}
FUNCTION(env_leave_switch) /* also of a scope that hid the switch around it */
{
    return leave(env, arg[0], arg[1], true);
}

FUNCTION(env_loop)
{
    lala fields[N_ENV];
    unpack(arg[0], fields, N_ENV);
    fields[E_BREAK] = fields[E_CONTINUE] = LALA_TRUE;
    return lala_record(env, ENV, N_ENV, fields);
}

FUNCTION(env_switch) /* env, value of the first case */
{
    lala fields[N_ENV];
    unpack(arg[0], fields, N_ENV);
    fields[E_BREAK] = fields[E_DEFAULT] = LALA_TRUE;
    fields[E_CASE] = arg[1];
    return lala_record(env, ENV, N_ENV, fields);
}

/* -- labels ------------------------------------------------------------------------------------ */

/* A case label is an integer constant expression (6.6p6): spelled in one way or another. */
static lala case_label(struct lala_env *env, int value)
{
    switch (value % 7) {
    case 0:
        return lala_format(env, "case (%d ^ 5):", value ^ 5);
    case 1:
        return lala_format(env, "case %d / 3:", value * 3);
    case 2:
        return lala_format(env, "case %d + 7:", value - 7);
    case 3:
        return lala_format(env, "case (short)1 * %d:", value);
    default:
        return lala_format(env, "case %d:", value);
    }
}

FUNCTION(env_cases)
{
    lala label = case_label(env, (int)lala_to_int(lala_field(arg[0], E_CASE)));
    lala others = LALA_NIL;
    if (lala_is_true(lala_field(arg[0], E_DEFAULT)))
        others = single(env, lala_str(env, "default:"));
    return lala_cons(env, label, others);
}

FUNCTION(env_marks) /* what may be put before a statement here; "" where nothing may */
{
    bool labels = !lala_is_true(lala_field(arg[0], E_NO_LABELS));
    lala label = lala_format(env, "M%d:", (int)lala_to_int(lala_field(arg[0], E_N_LABELS)));
    lala list = lala_is_int(lala_field(arg[0], E_CASE)) ? env_cases(env, arg, n) : LALA_NIL;
    if (!labels && !lala_more(list))
        return single(env, lala_str(env, ""));
    return labels ? lala_cons(env, label, list) : list;
}

/* Cases grow, and are distinct therefore: some dense, some sparse, all far from overflow. */
static int next_case(int value)
{
    return value + 1 + (value > 0 && value < 100000 && value % 3 == 0 ? value : 0);
}

FUNCTION(env_marked) /* env, mark: after it */
{
    const char *mark = lala_text(arg[1]);
    if (*mark == 'c')
        return change(env, arg[0], E_CASE,
                      lala_int(next_case((int)lala_to_int(lala_field(arg[0], E_CASE)))));
    if (*mark == 'd')
        return change(env, arg[0], E_DEFAULT, LALA_FALSE);
    if (*mark != 'M')
        return arg[0];
    lala jump = lala_format(env, "goto %.*s", (int)strlen(mark) - 1, mark);
    lala e = change(env, arg[0], E_JUMPS, lala_cons(env, jump, lala_field(arg[0], E_JUMPS)));
    return change(env, e, E_N_LABELS, lala_int(lala_to_int(lala_field(e, E_N_LABELS)) + 1));
}

FUNCTION(env_jumps)
{
    lala list = lala_field(arg[0], E_JUMPS);
    if (lala_is_true(lala_field(arg[0], E_BREAK)))
        list = lala_cons(env, lala_str(env, "break"), list);
    if (lala_is_true(lala_field(arg[0], E_CONTINUE)))
        list = lala_cons(env, lala_str(env, "continue"), list);
    return list;
}

FUNCTION(env_jump) /* to the n-th label of a function's outermost block */
{
    return lala_name(env, "goto L", arg[0]);
}
FUNCTION(env_enumerator) /* prefix, number */
{
    return lala_format(env, "%s_%d", lala_text(arg[0]), (int)lala_to_int(arg[1]));
}
FUNCTION(env_member)
{
    return lala_name(env, "m", arg[0]);
}
FUNCTION(env_label) /* the n-th label of a function's outermost block */
{
    return lala_name(env, "L", arg[0]);
}

static const struct lala_function environment[] = {
    {"start", ": Env", env_start, LALA_MEMO},
    {"vars", "Env : Vars", env_vars, 0},
    {"statics", "Env : Vars", env_statics, 0},
    {"result", "Env : Type", env_result, 0},
    {"next", "Env : int", env_next, 0},
    {"name", "Env, String : String", env_name, 0},
    {"enumeration", "Env, List : Env", env_enumeration, 0},
    {"synonym", "Env : Env", env_synonym, 0},
    {"functionType", "Env, Type : Env", env_function_type, 0},
    {"record", "Env, String, List : Env", env_record, 0},
    {"functions", "Env, List : Env", env_functions, 0},
    {"declare", "Env, String, Type : Env", env_declare, 0},
    {"declareStatic", "Env, String, Type : Env", env_declare_static, 0},
    {"declareRegister", "Env, String, Type : Env", env_declare_register, 0},
    {"declareIndex", "Env : Env", env_declare_index, 0},
    {"declareVariableLength", "Env, Type : Env", env_declare_variable_length, 0},
    {"seal", "Env : Env", env_seal, 0},
    {"enter", "Env, Fun, List : Env", env_enter, 0},
    {"leave", "Env, Env : Env", env_leave, 0},
    {"leaveSwitch", "Env, Env : Env", env_leave_switch, 0},
    {"loop", "Env : Env", env_loop, 0},
    {"switch", "Env, int : Env", env_switch, 0},
    {"cases", "Env : List<String>", env_cases, 0},
    {"marks", "Env : List<String>", env_marks, 0},
    {"marked", "Env, String : Env", env_marked, 0},
    {"jumps", "Env : List<String>", env_jumps, 0},
    {"enumerator", "String, int : String", env_enumerator, 0},
    {"member", "int : String", env_member, 0},
    {"jump", "int : String", env_jump, 0},
    {"label", "int : String", env_label, 0},
};

static const struct lala_namespace namespaces[] = {
    LALA_NAMESPACE("Ty", ty),
    LALA_NAMESPACE("Vars", vars),
    LALA_NAMESPACE("Fun", fun),
    LALA_NAMESPACE("Env", environment),
};
LALA_MODULE(namespaces);
