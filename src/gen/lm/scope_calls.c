/* Arguments of OpenCL's functions, for the mask: will a call find its overload (OpenCL C 6.15)?
 *
 * A function of the library is there for a set of types. The arguments whose type is in the set
 * must agree on one of them; others are converted, which no choice can be made by. So `mad24(int,
 * int, size_t)` is a call and `sqrt(int)` is ambiguous. */
#include "gen/lm/scope_internal.h"

static bool is_number(struct lm_type t)
{
    return !t.depth && t.base >= LM_T_BOOL && t.base <= LM_T_DOUBLE;
}

static bool is_index(struct lm_type t)
{
    return is_number(t) && t.width == 1 && !lm_type_is_float(t);
}

static uint8_t promoted(enum lm_takes takes, struct lm_type t)
{
    return takes == LM_A_WORDS && t.base >= LM_T_CHAR && t.base < LM_T_INT ? LM_T_INT : t.base;
}

static bool in_set(enum lm_takes takes, struct lm_type t)
{
    uint8_t base = promoted(takes, t);
    switch (takes) {
    case LM_A_FLOATS:
    case LM_A_FLOAT_OUT:
        return base >= LM_T_HALF && base <= LM_T_DOUBLE;
    case LM_A_INTEGERS:
        return base >= LM_T_CHAR && base <= LM_T_ULONG;
    case LM_A_WORDS:
        return base == LM_T_INT || base == LM_T_UINT;
    default:
        return base >= LM_T_CHAR && base <= LM_T_DOUBLE;
    }
}

/* One of the arguments that choose the overload. */
static bool agrees(const struct lm_frame *f, bool last, struct lm_type t)
{
    enum lm_takes takes = (enum lm_takes)f->takes;
    struct lm_type agreed = f->agreed;
    bool begun = agreed.base != LM_T_UNKNOWN;
    bool widths = t.width == 1 || agreed.width == 1 || t.width == agreed.width;
    if (!is_number(t) || (f->args && !widths)) /* a scalar is widened */
        return false;
    if (in_set(takes, t))
        return !begun || agreed.base == promoted(takes, t);
    return begun || !last;
}

static bool is_pointer_to(struct lm_type t, uint8_t base, int width)
{
    return t.depth == 1 && !(t.flags & LM_TF_CONST) && t.width == width &&
           (base == LM_T_UNKNOWN || t.base == base);
}

bool lm_argument_fits(const struct lm_frame *f, bool last, struct lm_type t)
{
    if (t.base == LM_T_UNKNOWN)
        return true;
    switch (f->takes) {
    case LM_A_ANY:
        return true;
    case LM_A_FLOAT_OUT:
        return f->args ? is_pointer_to(t, f->agreed.base, f->agreed.width) : agrees(f, true, t);
    case LM_A_IMAGE:
        return f->args ? !t.depth : !t.depth && t.base == LM_T_OPAQUE;
    case LM_A_ATOMIC:
        return f->args ? is_number(t) && t.width == 1
                       : is_pointer_to(t, LM_T_UNKNOWN, 1) && t.base >= LM_T_INT &&
                             t.base <= LM_T_UINT && t.space != LM_SPACE_CONSTANT;
    case LM_A_LOAD:
        return f->args ? t.depth == 1 && t.width == 1 && t.base <= LM_T_DOUBLE : is_index(t);
    case LM_A_STORE:
        return f->args == 0   ? is_number(t) && t.width == f->agreed.width
               : f->args == 1 ? is_index(t)
                              : is_pointer_to(t, f->agreed.base, 1);
    default:
        return agrees(f, last, t);
    }
}

void lm_argument_ended(struct lm_frame *f, struct lm_type t)
{
    enum lm_takes takes = (enum lm_takes)f->takes;
    if (t.base == LM_T_UNKNOWN) {
        f->takes = LM_A_ANY; /* it may have chosen anything */
    } else if (takes == LM_A_LOAD) {
        return;
    } else if (takes == LM_A_STORE ? !f->args : in_set(takes, t)) {
        f->agreed.base = promoted(takes, t);
        f->agreed.width = f->args && t.width == 1 ? f->agreed.width : t.width;
    } else if (!f->args) {
        f->agreed.width = t.width;
    }
}
