/* What smtlib.lala calls: the names in sight, sorts as text, and the numbers within terms.
 *
 * An `Env` is a record. Names are looked up by sort alone ("what may stand here?"), so a scoped
 * table from names to sorts answers in O(log n). Beside it stand short lists without duplicates:
 * the widths and array sorts that some name has. A script whose terms keep to the widths of its
 * own names shares them, and shared terms are what solvers' rewriting and theory combination work
 * on.
 *
 * A `Sort` is an integer: 0 is Bool, n < 1000 a vector of n bits, 1000 i + e an array from vectors
 * of i bits to such of e bits. `Sorts` is a list of them, a `Function` a record of its name, the
 * sorts of its parameters and that of its result.
 *
 * Chance is the number of the node that is passed as last argument; `draw` splits it. Number 0 is
 * the simplest: the first width, value 0. */
#include <assay/lala.h>

#include <stdio.h>
#include <string.h>

enum {
    ENV,      /* scope table, widths, array sorts, functions, number of the next name, arrays? */
    FUNCTION, /* name, sorts of the parameters, sort of the result */
};
enum { TABLE, WIDTHS, ARRAYS, FUNCTIONS, NEXT, HAS_ARRAYS };
enum { NAME, PARAMETERS, RESULT };

enum {
    ARRAY_BASE = 1000,    /* sorts from here on are arrays */
    WIDEST = 64,          /* of a declared vector, bits */
    WIDEST_TERM = 80,     /* beyond this, an extract takes all of its operand */
    WIDEST_INDEX = 8,     /* of a declared array, bits */
    OTHER_WIDTH = 12,     /* one of so many terms has a width that no name need have */
    MOST_SUBSTITUTES = 4, /* names offered, fitted, where none has the wanted width */
};

/* An independent number below `bound` per salt. */
static uint64_t draw(lala node, unsigned salt, uint64_t bound)
{
    uint64_t z = lala_node_number(node);
    if (!z)
        return 0;
    z += salt * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    z ^= z >> 31;
    return bound ? z % bound : z;
}

static int to_int(lala v)
{
    return lala_is_int(v) ? (int)lala_to_int(v) : 0;
}

/* -- sorts ------------------------------------------------------------------------------------- */

static bool is_array(int sort)
{
    return sort >= ARRAY_BASE;
}

static int print_sort(char *to, size_t room, int sort)
{
    if (sort == 0)
        return snprintf(to, room, "Bool");
    if (!is_array(sort))
        return snprintf(to, room, "(_ BitVec %d)", sort);
    return snprintf(to, room, "(Array (_ BitVec %d) (_ BitVec %d))", sort / ARRAY_BASE,
                    sort % ARRAY_BASE);
}

static lala sort_text(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    char text[64];
    print_sort(text, sizeof text, to_int(arg[0]));
    return lala_str(env, text);
}

/* "(_ BitVec 8) Bool" */
static lala sort_list(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    char text[512];
    int at = 0;
    text[0] = '\0';
    for (lala l = arg[0]; lala_more(l) && at < 400; l = lala_tail(l)) {
        if (at)
            text[at++] = ' ';
        at += print_sort(text + at, sizeof text - (size_t)at, to_int(lala_head(l)));
    }
    return lala_str(env, text);
}

static lala sort_first(struct lala_env *env, const lala *arg, int n)
{
    (void)env, (void)n;
    return lala_head(arg[0]);
}

static lala sort_rest(struct lala_env *env, const lala *arg, int n)
{
    (void)env, (void)n;
    return lala_tail(arg[0]);
}

static lala sort_index(struct lala_env *env, const lala *arg, int n)
{
    (void)env, (void)n;
    return lala_int(to_int(arg[0]) / ARRAY_BASE);
}

static lala sort_element(struct lala_env *env, const lala *arg, int n)
{
    (void)env, (void)n;
    return lala_int(to_int(arg[0]) % ARRAY_BASE);
}

/* Widths that programs have, as often as they stand here; the rest is any up to WIDEST. */
static const unsigned char usual_widths[] = {8, 4, 1, 2, 3, 5, 7, 8, 8, 12, 16, 16, 24, 32, 32, 64};

static int any_width(lala node, unsigned salt)
{
    enum { N = sizeof usual_widths };
    uint64_t i = draw(node, salt, N + N / 4);
    return i < N ? usual_widths[i] : 1 + (int)draw(node, salt + 1, WIDEST);
}

/* (Sort:vector node salt) */
static lala sort_vector(struct lala_env *env, const lala *arg, int n)
{
    (void)env, (void)n;
    return lala_int(any_width(arg[0], 2 * (unsigned)to_int(arg[1])));
}

/* What stands ahead of a term of sort `from` where one of sort `to` is wanted, neither an array. */
static lala fit_open(struct lala_env *env, int from, int to, lala node)
{
    char text[64];
    if (from == to)
        return lala_string(env, "", 0);
    if (to == 0)
        snprintf(text, sizeof text, "(distinct (_ bv0 %d) ", from);
    else if (from == 0)
        snprintf(text, sizeof text, "(ite ");
    else if (from > to) {
        int low = (int)draw(node, 21, (uint64_t)(from - to + 1));
        snprintf(text, sizeof text, "((_ extract %d %d) ", low + to - 1, low);
    } else
        snprintf(text, sizeof text, "((_ %s_extend %d) ", draw(node, 22, 2) ? "sign" : "zero",
                 to - from);
    return lala_str(env, text);
}

static lala fit_close(struct lala_env *env, int from, int to)
{
    if (from == to)
        return lala_string(env, "", 0);
    if (from == 0)
        return lala_format(env, " (_ bv1 %d) (_ bv0 %d))", to, to);
    return lala_string(env, ")", 1);
}

static lala sort_open(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    return fit_open(env, to_int(arg[0]), to_int(arg[1]), arg[2]);
}

static lala sort_close(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    return fit_close(env, to_int(arg[0]), to_int(arg[1]));
}

static const struct lala_function sort_functions[] = {
    {"text", "int : String", sort_text, 0},
    {"list", "Sorts : String", sort_list, 0},
    {"first", "Sorts : int", sort_first, 0},
    {"rest", "Sorts : Sorts", sort_rest, 0},
    {"index", "int : int", sort_index, 0},
    {"element", "int : int", sort_element, 0},
    {"vector", "Node, int : int", sort_vector, 0},
    {"open", "int, int, Node : String", sort_open, 0},
    {"close", "int, int : String", sort_close, 0},
};

/* -- names in sight ---------------------------------------------------------------------------- */

static lala env_empty(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    return lala_make(env, ENV, LALA_NIL, LALA_NIL, LALA_NIL, LALA_NIL, lala_int(0), arg[0]);
}

static lala numbered(struct lala_env *env, lala e, const char *prefix)
{
    return lala_name(env, prefix, lala_field(e, NEXT));
}

static const char *prefix_of(int sort)
{
    return sort == 0 ? "b" : is_array(sort) ? "m" : "x";
}

/* (Env:next env "f"): the name that the next declaration gets. */
static lala env_next(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    return numbered(env, arg[0], lala_text(arg[1]));
}

static lala env_next_of(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    return numbered(env, arg[0], prefix_of(to_int(arg[1])));
}

static lala add_once(struct lala_env *env, lala list, lala item)
{
    return lala_list_has(list, item) ? list : lala_cons(env, item, list);
}

static lala bind(struct lala_env *env, lala e, const char *prefix, lala sort)
{
    int s = to_int(sort);
    lala table = lala_scope_put(env, lala_field(e, TABLE), numbered(env, e, prefix), sort);
    lala widths = lala_field(e, WIDTHS);
    lala arrays = lala_field(e, ARRAYS);
    if (is_array(s))
        arrays = add_once(env, arrays, sort);
    else if (s)
        widths = add_once(env, widths, sort);
    return lala_make(env, ENV, table, widths, arrays, lala_field(e, FUNCTIONS),
                     lala_int(lala_to_int(lala_field(e, NEXT)) + 1), lala_field(e, HAS_ARRAYS));
}

/* (Env:bind env sort): the next name, with this sort. */
static lala env_bind(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    return bind(env, arg[0], prefix_of(to_int(arg[1])), arg[1]);
}

static lala env_has_arrays(struct lala_env *env, const lala *arg, int n)
{
    (void)env, (void)n;
    return lala_bool(lala_more(lala_field(arg[0], ARRAYS)));
}

static lala pick(lala list, lala node, unsigned salt)
{
    size_t n = lala_size(list);
    return n ? lala_at(list, draw(node, salt, n)) : LALA_UNDEFINED;
}

/* (Env:width env node): mostly one that a name has. */
static lala env_width(struct lala_env *env, const lala *arg, int n)
{
    (void)env, (void)n;
    lala widths = lala_field(arg[0], WIDTHS);
    if (!lala_more(widths) || draw(arg[1], 1, OTHER_WIDTH) == OTHER_WIDTH - 1)
        return lala_int(any_width(arg[1], 2));
    return pick(widths, arg[1], 4);
}

/* (Env:newVector env node): the width of a new name, two of three times one that there is. */
static lala env_new_vector(struct lala_env *env, const lala *arg, int n)
{
    (void)env, (void)n;
    lala widths = lala_field(arg[0], WIDTHS);
    if (!lala_more(widths) || draw(arg[1], 1, 3) == 2)
        return lala_int(any_width(arg[1], 2));
    return pick(widths, arg[1], 4);
}

/* (Env:newArray env node): the sort of a new array, half of the time one that there is, so that
 * arrays can be compared; a vector where the logic has no arrays. */
static lala env_new_array(struct lala_env *env, const lala *arg, int n)
{
    (void)env, (void)n;
    if (!lala_is_true(lala_field(arg[0], HAS_ARRAYS)))
        return lala_int(any_width(arg[1], 2));
    lala arrays = lala_field(arg[0], ARRAYS);
    if (lala_more(arrays) && !draw(arg[1], 1, 2))
        return pick(arrays, arg[1], 4);
    int index = any_width(arg[1], 5);
    int element = any_width(arg[1], 7);
    return lala_int((index > WIDEST_INDEX ? 1 + index % WIDEST_INDEX : index) * ARRAY_BASE +
                    element);
}

static lala env_array(struct lala_env *env, const lala *arg, int n)
{
    (void)env, (void)n;
    return pick(lala_field(arg[0], ARRAYS), arg[1], 11);
}

static lala env_bools(struct lala_env *env, const lala *arg, int n)
{
    (void)env, (void)n;
    return lala_scope_of(lala_field(arg[0], TABLE), lala_int(0));
}

static lala env_arrays(struct lala_env *env, const lala *arg, int n)
{
    (void)env, (void)n;
    return lala_scope_of(lala_field(arg[0], TABLE), arg[1]);
}

/* "((_ extract 7 0) x3)": a name of width `from` where width `to` is wanted. */
static lala fitted(struct lala_env *env, lala name, int from, int to)
{
    if (from > to)
        return lala_format(env, "((_ extract %d %d) %s)", from - 1, from - to, lala_text(name));
    return lala_format(env, "((_ zero_extend %d) %s)", to - from, lala_text(name));
}

/* (Env:vectors env width): the names of this width. Where there is none, some of other widths,
 * cut or extended: a place for a name is never without one. */
static lala env_vectors(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    lala table = lala_field(arg[0], TABLE);
    lala names = lala_scope_of(table, arg[1]);
    if (lala_more(names))
        return names;
    lala found = LALA_NIL;
    int left = MOST_SUBSTITUTES;
    for (lala w = lala_field(arg[0], WIDTHS); lala_more(w) && left; w = lala_tail(w), left--) {
        lala name = lala_head(lala_scope_of(table, lala_head(w)));
        if (name)
            found = lala_cons(env, fitted(env, name, to_int(lala_head(w)), to_int(arg[1])), found);
    }
    return found;
}

/* The first of the declared widths, from a random one on, that is in range; 0 where none is. */
static int width_within(lala e, lala node, int least, int most)
{
    lala widths = lala_field(e, WIDTHS);
    size_t n = lala_size(widths);
    size_t start = (size_t)draw(node, 13, n);
    int before = 0; /* the last one in range ahead of the start */
    size_t i = 0;
    for (lala l = widths; lala_more(l); l = lala_tail(l), i++) {
        int w = to_int(lala_head(l));
        if (w < least || w > most)
            continue;
        if (i >= start)
            return w;
        before = w;
    }
    return before;
}

/* (Env:wider env width node): the width of what an extract takes from. */
static lala env_wider(struct lala_env *env, const lala *arg, int n)
{
    (void)env, (void)n;
    int w = to_int(arg[1]);
    int found = draw(arg[2], 14, 4) ? width_within(arg[0], arg[2], w + 1, WIDEST_TERM) : 0;
    if (!found)
        found = w + 1 + (int)draw(arg[2], 15, 8);
    return lala_int(found <= WIDEST_TERM ? found : w);
}

/* (Env:narrower env width node): the width of what is extended; itself where it is one bit. */
static lala env_narrower(struct lala_env *env, const lala *arg, int n)
{
    (void)env, (void)n;
    int w = to_int(arg[1]);
    int found = draw(arg[2], 14, 4) ? width_within(arg[0], arg[2], 1, w - 1) : 0;
    return lala_int(found ? found : w - (int)draw(arg[2], 15, (uint64_t)w));
}

/* -- functions */

/* A sort of a parameter: Bool, a width, or an array where `arrays`. */
static lala parameter_sort(lala e, lala node, unsigned salt, bool arrays)
{
    uint64_t kind = draw(node, salt, 8);
    lala known = lala_field(e, ARRAYS);
    if (kind == 7)
        return lala_int(0);
    if (kind == 6 && arrays && lala_more(known))
        return pick(known, node, salt + 1);
    lala widths = lala_field(e, WIDTHS);
    if (kind == 5 || !lala_more(widths))
        return lala_int(any_width(node, salt + 1));
    return pick(widths, node, salt + 1);
}

enum { MOST_PARAMETERS = 4 };

static lala signature(struct lala_env *env, lala e, lala node, bool arrays)
{
    lala sorts = LALA_NIL;
    unsigned count = 1 + (unsigned)draw(node, 31, MOST_PARAMETERS);
    for (unsigned i = 0; i < count; i++)
        sorts = lala_cons(env, parameter_sort(e, node, 40 + 4 * i, arrays), sorts);
    return sorts;
}

/* (Env:signature env node): the sorts of the parameters of an uninterpreted function; none, which
 * makes it a constant, where the logic has no such functions. */
static lala env_signature(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    if (lala_is_true(lala_field(arg[0], HAS_ARRAYS)))
        return LALA_NIL;
    return signature(env, arg[0], arg[1], false);
}

/* (Env:formalSorts env node): the same of a function that is defined. */
static lala env_formal_sorts(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    return signature(env, arg[0], arg[1], true);
}

/* (Env:result env node): Bool for one function of four. */
static lala env_result(struct lala_env *env, const lala *arg, int n)
{
    return draw(arg[1], 32, 4) == 3 ? lala_int(0) : env_width(env, arg, n);
}

/* (Env:function env sorts result): the next name is this function. Without parameters it is a name
 * like any other. */
static lala env_function(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    lala e = arg[0];
    if (!lala_more(arg[1]))
        return bind(env, e, "f", arg[2]);
    lala f = lala_make(env, FUNCTION, numbered(env, e, "f"), arg[1], arg[2]);
    lala next = lala_int(lala_to_int(lala_field(e, NEXT)) + 1);
    e = lala_with(env, e, FUNCTIONS, lala_cons(env, f, lala_field(e, FUNCTIONS)));
    return lala_with(env, e, NEXT, next);
}

/* (Env:inside env sorts): what the body of the next function sees. Its own name is not in sight,
 * but taken: parameters are numbered from behind it. */
static lala env_inside(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    lala e = lala_with(env, arg[0], NEXT, lala_int(lala_to_int(lala_field(arg[0], NEXT)) + 1));
    for (lala l = arg[1]; lala_more(l); l = lala_tail(l))
        e = bind(env, e, "p", lala_head(l));
    return e;
}

/* (Env:formals env sorts): "(p4 Bool) (p5 (_ BitVec 8))", numbered as `inside` does. */
static lala env_formals(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    char text[512];
    int at = 0;
    long next = (long)lala_to_int(lala_field(arg[0], NEXT));
    text[0] = '\0';
    for (lala l = arg[1]; lala_more(l) && at < 400; l = lala_tail(l)) {
        at += snprintf(text + at, sizeof text - (size_t)at, "%s(p%ld ", at ? " " : "", ++next);
        at += print_sort(text + at, sizeof text - (size_t)at, to_int(lala_head(l)));
        text[at++] = ')';
        text[at] = '\0';
    }
    return lala_str(env, text);
}

/* (Env:functions env sort): those with this result; all where there is none. */
static lala env_functions(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    lala all = lala_field(arg[0], FUNCTIONS);
    lala found = LALA_NIL;
    for (lala l = all; lala_more(l); l = lala_tail(l))
        if (lala_field(lala_head(l), RESULT) == arg[1])
            found = lala_cons(env, lala_head(l), found);
    return lala_more(found) ? found : all;
}

static lala env_parameters(struct lala_env *env, const lala *arg, int n)
{
    (void)env, (void)n;
    return lala_field(arg[0], PARAMETERS);
}

static lala env_result_of(struct lala_env *env, const lala *arg, int n)
{
    (void)env, (void)n;
    return lala_field(arg[0], RESULT);
}

static const struct lala_function env_table[] = {
    {"empty", "boolean : Env", env_empty, 0},
    {"next", "Env, String : String", env_next, 0},
    {"nextOf", "Env, int : String", env_next_of, 0},
    {"bind", "Env, int : Env", env_bind, 0},
    {"hasArrays", "Env : boolean", env_has_arrays, 0},
    {"width", "Env, Node : int", env_width, 0},
    {"newVector", "Env, Node : int", env_new_vector, 0},
    {"newArray", "Env, Node : int", env_new_array, 0},
    {"array", "Env, Node : int", env_array, 0},
    {"bools", "Env : List<String>", env_bools, 0},
    {"arrays", "Env, int : List<String>", env_arrays, 0},
    {"vectors", "Env, int : List<String>", env_vectors, 0},
    {"wider", "Env, int, Node : int", env_wider, 0},
    {"narrower", "Env, int, Node : int", env_narrower, 0},
    {"signature", "Env, Node : Sorts", env_signature, 0},
    {"formalSorts", "Env, Node : Sorts", env_formal_sorts, 0},
    {"result", "Env, Node : int", env_result, 0},
    {"function", "Env, Sorts, int : Env", env_function, 0},
    {"inside", "Env, Sorts : Env", env_inside, 0},
    {"formals", "Env, Sorts : String", env_formals, 0},
    {"functions", "Env, int : List<Function>", env_functions, 0},
    {"parameters", "Function : Sorts", env_parameters, 0},
    {"resultOf", "Function : int", env_result_of, 0},
};

/* -- bits -------------------------------------------------------------------------------------- */

/* Values on which arithmetic turns: 0, 1, -1, the least and the greatest signed one, or any. */
static uint64_t interesting(lala node, int width)
{
    uint64_t all = width >= 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
    uint64_t top = width >= 64 ? UINT64_C(1) << 63 : UINT64_C(1) << (width - 1);
    switch (draw(node, 61, 16)) {
    case 0:
        return 0;
    case 1:
        return 1;
    case 2:
        return all;
    case 3:
        return top;
    case 4:
        return top - 1;
    case 5:
    case 6:
        return draw(node, 62, 16) & all;
    case 7:
        return (UINT64_C(1) << draw(node, 62, 64)) & all;
    default:
        return draw(node, 62, 0) & all;
    }
}

/* The digits of `value`, `shift` bits each, until `width` bits are written. */
static int print_digits(char *to, const char *prefix, uint64_t value, int width, int shift)
{
    int at = 2;
    memcpy(to, prefix, 2);
    for (int bit = width - shift; bit >= 0; bit -= shift)
        to[at++] = "0123456789abcdef"[bit < 64 ? (value >> bit) & ((1U << shift) - 1) : 0];
    to[at] = '\0';
    return at;
}

/* (Bits:constant width node): #b, #x or (_ bvN w). */
static lala bits_constant(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    int w = to_int(arg[0]);
    uint64_t value = interesting(arg[1], w);
    uint64_t form = draw(arg[1], 63, 4);
    char text[64 + WIDEST_TERM];
    if (w % 4 == 0 && form < 3)
        print_digits(text, "#x", value, w, 4);
    else if (w <= 16 && form < 3)
        print_digits(text, "#b", value, w, 1);
    else
        snprintf(text, sizeof text, "(_ bv%llu %d)", (unsigned long long)value, w);
    return lala_str(env, text);
}

static lala bits_zero(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    return lala_format(env, "(_ bv0 %d)", to_int(arg[0]));
}

static lala bits_one(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    return lala_format(env, "(_ bv1 %d)", to_int(arg[0]));
}

/* (Bits:joining width): one bit cannot be joined from two. */
static lala bits_joining(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    return lala_str(env, to_int(arg[0]) > 1 ? "concat" : "bvxor");
}

/* (Bits:high env width node): the width of the left part of a concatenation. */
static lala bits_high(struct lala_env *env, const lala *arg, int n)
{
    (void)env, (void)n;
    int w = to_int(arg[1]);
    if (w < 2)
        return lala_int(1);
    int found = draw(arg[2], 14, 4) ? width_within(arg[0], arg[2], 1, w - 1) : 0;
    return lala_int(found ? found : 1 + (int)draw(arg[2], 15, (uint64_t)(w - 1)));
}

/* (Bits:slice from width node): "9 2". */
static lala bits_slice(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    int from = to_int(arg[0]), w = to_int(arg[1]);
    int low = (int)draw(arg[2], 16, (uint64_t)(from - w + 1));
    return lala_format(env, "%d %d", low + w - 1, low);
}

/* (Bits:part width node): a divisor of the width. */
static lala bits_part(struct lala_env *env, const lala *arg, int n)
{
    (void)env, (void)n;
    int w = to_int(arg[0]);
    int times = 2 + (int)draw(arg[1], 17, 7);
    while (w % times)
        times--;
    return lala_int(w / times);
}

static const struct lala_function bits_table[] = {
    {"constant", "int, Node : String", bits_constant, 0},
    {"zero", "int : String", bits_zero, 0},
    {"one", "int : String", bits_one, 0},
    {"joining", "int : String", bits_joining, 0},
    {"high", "Env, int, Node : int", bits_high, 0},
    {"slice", "int, int, Node : String", bits_slice, 0},
    {"part", "int, Node : int", bits_part, 0},
};

static const struct lala_namespace namespaces[] = {
    LALA_NAMESPACE("Sort", sort_functions),
    LALA_NAMESPACE("Env", env_table),
    LALA_NAMESPACE("Bits", bits_table),
};
LALA_MODULE(namespaces);
