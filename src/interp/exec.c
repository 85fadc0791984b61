/* Statements, calls, blocks.
 *
 * A function is looked through once, at its first call: each local gets its place in the frame
 * (blocks that are not alive at the same time share theirs), each statement its parent. Entering a
 * block, by whatever way, starts the lifetimes of its objects with an indeterminate value; leaving
 * it, by whatever way, ends them (6.2.4p6), because entering and leaving is what exec_block does.
 *
 * exec returns how the statement ended. A goto travels up as FLOW_GOTO to the innermost block
 * around its label. That block starts again at the child that the label is in, with interp.entering
 * set: each compound statement on the way down goes straight on to the part that has the label, and
 * the label ends the journey. */
#include "cc/walk.h"
#include "interp/interp_internal.h"

enum flow { FLOW_NEXT, FLOW_BREAK, FLOW_CONTINUE, FLOW_RETURN, FLOW_GOTO };

enum { C_STACK_LIMIT = 5 << 20 }; /* bytes of our own stack; deeper than any real nesting */

static enum flow exec(struct interp *in, struct cc_stmt *s);

/* -- objects outside of frames ---------------------------------------------------------------- */

struct object *interp_new_literal(struct interp *in, struct literal **list, const struct cc_expr *e,
                                  const struct cc_type *type)
{
    struct literal *l = in->free_literals;
    const struct layout *layout = layout_of(in, type);
    if (l) {
        in->free_literals = l->next;
    } else {
        l = arena_new(&in->arena, struct literal);
        l->object = arena_new(&in->arena, struct object);
        l->older = in->all_literals;
        in->all_literals = l;
    }
    struct object *o = l->object;
    *o = (struct object){.cells = mem_alloc(layout->n * sizeof *o->cells),
                         .type = type,
                         .serial = next_serial(in),
                         .n = layout->n};
    interp_fill(o->cells, layout, false);
    l->expr = e;
    l->next = *list;
    *list = l;
    return o;
}

void interp_end_literals(struct interp *in, struct literal **list, struct literal *until)
{
    while (*list != until) {
        struct literal *l = *list;
        *list = l->next;
        if (l->object->exposed)
            interp_end_address(in, l->object);
        l->object->serial = 0;
        free(l->object->cells);
        l->object->cells = NULL;
        l->next = in->free_literals;
        in->free_literals = l;
    }
}

void interp_add_static(struct interp *in, struct cc_var *v)
{
    const struct layout *l = layout_of(in, v->type);
    struct object *o = arena_new(&in->arena, struct object);
    *o = (struct object){.cells = arena_array(&in->arena, struct cell, l->n),
                         .type = v->type,
                         .var = v,
                         .serial = next_serial(in),
                         .n = l->n};
    interp_fill(o->cells, l, true);
    v->slot = SLOT_STATIC | (uint32_t)in->static_list.n;
    vec_push(&in->static_list, o);
    in->statics = in->static_list.at;
}

void interp_init_static(struct interp *in, struct cc_var *v)
{
    if (v->init)
        interp_init(in, object_of(in, v)->cells, v->type, v->init);
}

/* -- looking through a function --------------------------------------------------------------- */

/* What is taken so far of a frame, in the blocks around. */
struct extent {
    uint32_t objects, cells;
};

static void add_local(struct interp *in, struct func *f, struct block *b, struct cc_var *v,
                      struct extent *x)
{
    const struct layout *l = layout_of(in, v->type);
    v->slot = x->objects++;
    b->locals[b->n++] = (struct local){v, l, x->cells};
    x->cells += l->n;
    if (f->n_objects < x->objects)
        f->n_objects = x->objects;
    if (f->n_cells < x->cells)
        f->n_cells = x->cells;
}

static void look_through(struct interp *in, struct func *f, struct cc_stmt *s,
                         struct cc_stmt *parent, uint32_t index, struct extent x);

static void add_locals(struct interp *in, struct func *f, struct cc_stmt *s, struct extent *x)
{
    struct block *b = &in->stmts[s->id].block;
    size_t n = 0;
    *b = (struct block){0};
    for (size_t i = 0; i < s->list.n; i++)
        n += s->list.at[i]->kind == CC_S_DECL;
    if (!n)
        return;
    b->locals = arena_array(&in->arena, struct local, n);
    for (size_t i = 0; i < s->list.n; i++) {
        if (s->list.at[i]->kind != CC_S_DECL)
            continue;
        struct cc_var *v = s->list.at[i]->var;
        if (v->storage == CC_AUTO) {
            add_local(in, f, b, v, x);
        } else {
            interp_add_static(in, v);
            interp_init_static(in, v);
        }
    }
}

/* Where an expression stands. */
struct place {
    struct interp *in;
    struct func *f;
    struct cc_stmt *stmt;
    struct extent x;
};

static bool look_block(const struct cc_stmt *s, void *to)
{
    const struct place *p = to;
    look_through(p->in, p->f, (struct cc_stmt *)s, p->stmt, 0, p->x);
    return false;
}

static bool look_part(const struct cc_expr *e, void *to)
{
    return cc_expr_parts(e, &(struct cc_walk){look_block, look_part, to});
}

/* Statement expressions of a real program are blocks as well. */
static void look_into(struct interp *in, struct func *f, const struct cc_expr *e,
                      struct cc_stmt *in_stmt, struct extent x)
{
    struct place place = {in, f, in_stmt, x};
    if (e && in->options.real)
        look_part(e, &place);
}

static void look_through(struct interp *in, struct func *f, struct cc_stmt *s,
                         struct cc_stmt *parent, uint32_t index, struct extent x)
{
    if (!s)
        return;
    look_into(in, f, s->expr, s, x);
    look_into(in, f, s->init, s, x);
    look_into(in, f, s->step, s, x);
    in->stmts[s->id].parent = parent;
    in->stmts[s->id].index = index;
    if (s->kind == CC_S_BLOCK)
        add_locals(in, f, s, &x);
    if (s->kind == CC_S_DECL && s->var->storage == CC_AUTO)
        look_into(in, f, s->var->init, s, x);
    for (size_t i = 0; i < s->list.n; i++)
        look_through(in, f, s->list.at[i], s, (uint32_t)i, x);
    look_through(in, f, s->a, s, 0, x);
    look_through(in, f, s->b, s, 0, x);
}

static void grow_tables(struct interp *in)
{
    const struct cc_program *p = in->p;
    if (in->n_stmts < p->n_stmts) {
        in->stmts = mem_resize(in->stmts, p->n_stmts * sizeof *in->stmts);
        in->n_stmts = p->n_stmts;
    }
    if (in->n_funcs < p->n_funcs) {
        in->funcs = mem_resize(in->funcs, p->n_funcs * sizeof *in->funcs);
        memset(in->funcs + in->n_funcs, 0, (p->n_funcs - in->n_funcs) * sizeof *in->funcs);
        in->n_funcs = p->n_funcs;
    }
}

static struct func *prepared(struct interp *in, struct cc_func *f)
{
    if (LIKELY(f->id < in->n_funcs && in->funcs[f->id]))
        return in->funcs[f->id];
    if (!f->body) /* a function of the library, through a pointer */
        interp_fail(in, CC_UB_UNDECIDED, NULL, "a call of %s through a pointer", f->name);
    REQUIRE(f->body->kind == CC_S_BLOCK);
    grow_tables(in);
    struct func *made = arena_new(&in->arena, struct func);
    struct extent x = {0, 0};
    made->f = f;
    in->funcs[f->id] = made;
    made->params.locals = arena_array(&in->arena, struct local, f->n_params);
    for (int i = 0; i < f->n_params; i++)
        add_local(in, made, &made->params, f->params[i], &x);
    struct frame *frame = in->frame; /* initialisers of static locals belong to no frame */
    in->frame = NULL;
    look_through(in, made, f->body, NULL, 0, x);
    in->frame = frame;
    return made;
}

/* -- blocks ----------------------------------------------------------------------------------- */

static inline void begin_objects(struct interp *in, const struct block *b, struct object *objects,
                                 struct cell *cells)
{
    for (uint32_t i = 0; i < b->n; i++) {
        const struct local *l = &b->locals[i];
        struct object *o = objects + l->var->slot;
        o->cells = cells + l->cell;
        o->type = l->var->type;
        o->var = l->var;
        o->serial = next_serial(in);
        o->n = l->layout->n;
        o->heap = o->exposed = 0;
        interp_fill(o->cells, l->layout, false);
        if (UNLIKELY(o->n > 64)) /* it takes time, too */
            in->steps += o->n / 16;
    }
}

static inline void end_objects(struct interp *in, const struct block *b, struct object *objects)
{
    for (uint32_t i = 0; i < b->n; i++) {
        struct object *o = objects + b->locals[i].var->slot;
        if (UNLIKELY(o->exposed))
            interp_end_address(in, o);
        o->serial = 0;
    }
}

static inline void end_literals(struct interp *in, struct literal *until)
{
    if (UNLIKELY(in->frame->literals != until))
        interp_end_literals(in, &in->frame->literals, until);
}

/* Which child of the block the label is in; -1: in none. */
static int64_t child_with(const struct interp *in, const struct cc_stmt *block,
                          const struct cc_stmt *label)
{
    for (const struct cc_stmt *s = label; s; s = in->stmts[s->id].parent)
        if (in->stmts[s->id].parent == block)
            return in->stmts[s->id].index;
    return -1;
}

static bool is_inside(const struct interp *in, const struct cc_stmt *s, const struct cc_stmt *of)
{
    while (s && s != of)
        s = in->stmts[s->id].parent;
    return s != NULL;
}

static enum flow exec_block(struct interp *in, struct cc_stmt *s, size_t first)
{
    const struct block *b = &in->stmts[s->id].block;
    struct literal *literals = in->frame->literals;
    enum flow flow = FLOW_NEXT;
    begin_objects(in, b, in->objects, in->frame->cells);
    if (UNLIKELY(in->entering))
        first = (size_t)child_with(in, s, in->entering);
    for (size_t i = first; i < s->list.n; i++) {
        flow = exec(in, s->list.at[i]);
        if (LIKELY(flow == FLOW_NEXT))
            continue;
        int64_t child = flow == FLOW_GOTO ? child_with(in, s, in->target) : -1;
        if (child < 0)
            break;
        in->entering = in->target;
        i = (size_t)child - 1;
        flow = FLOW_NEXT;
    }
    end_literals(in, literals);
    end_objects(in, b, in->objects);
    return flow;
}

/* -- full expressions (6.8p4) ----------------------------------------------------------------- */

static inline void end_temporaries(struct interp *in, struct literal *until)
{
    if (UNLIKELY(in->temporaries != until))
        interp_end_literals(in, &in->temporaries, until);
}

static bool full_truth(struct interp *in, struct cc_expr *e)
{
    struct literal *temporaries = in->temporaries;
    bool v = interp_truth(in, e);
    end_temporaries(in, temporaries);
    return v;
}

static void full_void(struct interp *in, struct cc_expr *e)
{
    struct literal *temporaries = in->temporaries;
    interp_eval_void(in, e);
    end_temporaries(in, temporaries);
}

/* -- statements ------------------------------------------------------------------------------- */

/* The substatement of an if or a loop is a block of its own (6.8.4p3, 6.8.5p5). */
static inline enum flow exec_part(struct interp *in, struct cc_stmt *s)
{
    struct literal *literals = in->frame->literals;
    enum flow flow = exec(in, s);
    end_literals(in, literals);
    return flow;
}

static NOINLINE bool decided(struct interp *in, struct cc_stmt *s)
{
    struct literal *temporaries = in->temporaries;
    cc_wide left;
    struct cc_expr *e = s->expr;
    bool compared, outcome = interp_compared(in, e, &left, &compared);
    end_temporaries(in, temporaries);
    outcome ^= s->expr != e; /* a call in it came here, and its opposite was put there */
    const struct interp_steering *by = in->options.steering;
    return by->condition(by->to, s, outcome, compared ? &left : NULL);
}

static enum flow exec_if(struct interp *in, struct cc_stmt *s)
{
    struct literal *literals = in->frame->literals;
    bool truth = UNLIKELY(in->entering)           ? is_inside(in, in->entering, s->a)
                 : UNLIKELY(in->options.steering) ? decided(in, s)
                                                  : full_truth(in, s->expr);
    struct cc_stmt *part = truth ? s->a : s->b;
    enum flow flow = part ? exec_part(in, part) : FLOW_NEXT;
    end_literals(in, literals);
    return flow;
}

/* for, while, do: the same but for where the condition stands. */
static enum flow exec_loop(struct interp *in, struct cc_stmt *s)
{
    struct literal *literals = in->frame->literals;
    bool skip = in->entering || s->kind == CC_S_DO; /* the first condition */
    enum flow flow = FLOW_NEXT;
    if (s->init && !in->entering)
        full_void(in, s->init);
    for (;;) {
        if (!skip && s->expr && !full_truth(in, s->expr))
            break;
        skip = false;
        flow = exec_part(in, s->a);
        if (UNLIKELY(flow == FLOW_BREAK || flow >= FLOW_RETURN))
            break;
        flow = FLOW_NEXT;
        in->stmt = s;
        if (s->step)
            full_void(in, s->step);
    }
    end_literals(in, literals);
    return flow == FLOW_BREAK ? FLOW_NEXT : flow;
}

static bool is_case(const struct cc_stmt *s, const struct cc_type *t, union value v)
{
    if (s->kind != CC_S_CASE)
        return false;
    if (!cc_is_small(t))
        return t->is_signed
                   ? s->value <= v.w && v.w <= s->high
                   : (cc_uwide)s->value <= (cc_uwide)v.w && (cc_uwide)v.w <= (cc_uwide)s->high;
    return t->is_signed ? (int64_t)s->value <= v.i && v.i <= (int64_t)s->high
                        : (uint64_t)s->value <= (uint64_t)v.i && (uint64_t)v.i <= (uint64_t)s->high;
}

/* The label of a real program's switch that the value goes to, however deep; NULL: none. */
static struct cc_stmt *label_for(const struct cc_stmt *s, union value v)
{
    struct cc_stmt *otherwise = NULL;
    for (struct cc_stmt *l = s->labels; l; l = l->labels) {
        if (is_case(l, s->expr->type, v))
            return l;
        if (l->kind == CC_S_DEFAULT)
            otherwise = l;
    }
    return otherwise;
}

static enum flow exec_switch(struct interp *in, struct cc_stmt *s)
{
    struct literal *literals = in->frame->literals;
    struct cc_stmt *block = s->a;
    size_t at = 0, n = block->list.n, otherwise = n;
    if (LIKELY(!in->entering)) {
        struct literal *temporaries = in->temporaries;
        union value v = interp_eval(in, s->expr);
        end_temporaries(in, temporaries);
        if (UNLIKELY(in->options.steering) && !s->labels)
            in->options.steering->value(in->options.steering->to, s, to_scalar(s->expr->type, v).i);
        if (s->labels) {
            in->entering = label_for(s, v);
            n = in->entering ? n : 0;
        }
        for (; at < n && !s->labels && !is_case(block->list.at[at], s->expr->type, v); at++)
            if (block->list.at[at]->kind == CC_S_DEFAULT)
                otherwise = at;
        if (at == n)
            at = otherwise;
    }
    enum flow flow = FLOW_NEXT;
    if (at < n) {
        in->steps++;
        block->ran = true;
        flow = exec_block(in, block, at);
    }
    end_literals(in, literals);
    return flow == FLOW_BREAK ? FLOW_NEXT : flow;
}

/* 6.2.4p6: a declaration without initialiser makes the value indeterminate each time. */
static void exec_decl(struct interp *in, struct cc_var *v)
{
    if (v->storage != CC_AUTO)
        return;
    struct object *o = in->objects + v->slot;
    struct literal *temporaries = in->temporaries;
    const struct layout *l = layout_of(in, v->type);
    if (!v->init) {
        interp_fill(o->cells, l, false);
    } else if (v->init->kind != CC_E_LIST) {
        interp_init(in, o->cells, v->type, v->init);
        if (UNLIKELY(in->history) && cc_is_scalar(v->type))
            interp_note_store(in, NULL, v, v->type, o->cells->v);
    } else { /* the object is not initialised while its own list is evaluated */
        struct stack_mark mark = stack_mark(&in->cells);
        struct cell *cells = stack_alloc(&in->cells, l->n * sizeof *cells);
        interp_fill(cells, l, true);
        interp_init(in, cells, v->type, v->init);
        memcpy(o->cells, cells, l->n * sizeof *cells);
        stack_release(&in->cells, mark);
    }
    end_temporaries(in, temporaries);
}

struct pointer interp_label_address(struct interp *in, const struct cc_expr *e)
{
    for (size_t i = 0; i < in->labels.n; i++) {
        struct object *o = in->labels.at[i].object;
        if (in->labels.at[i].stmt == e->label)
            return (struct pointer){o, o->serial, AT_WIDE};
    }
    const struct cc_type *type = cc_basic(&in->p->types, CC_CHAR);
    struct object *o = interp_new_literal(in, &in->static_literals, NULL, type);
    vec_push(&in->labels, (struct label){e->label, o});
    return (struct pointer){o, o->serial, AT_WIDE};
}

bool interp_is_label(const struct interp *in, const struct object *o)
{
    for (size_t i = 0; o && i < in->labels.n; i++)
        if (in->labels.at[i].object == o)
            return true;
    return false;
}

/* GNU's goto *p: to a label of this function. */
static enum flow exec_computed_goto(struct interp *in, struct cc_stmt *s)
{
    struct literal *temporaries = in->temporaries;
    struct pointer p = interp_eval(in, s->expr).p;
    end_temporaries(in, temporaries);
    in->target = NULL;
    for (size_t i = 0; i < in->labels.n; i++)
        if (in->labels.at[i].object == p.object && p.at >> AT_CELL_SHIFT == 0)
            in->target = in->labels.at[i].stmt;
    if (!in->target || !is_inside(in, in->target, in->frame->func->f->body))
        interp_fail(in, CC_UB_UNDECIDED, s->expr, "goto to no label of the function");
    return FLOW_GOTO;
}

static enum flow exec_return(struct interp *in, struct cc_stmt *s)
{
    struct literal *temporaries = in->temporaries;
    const struct cc_type *type = in->frame->func->f->type->to;
    if (!s->expr)
        return FLOW_RETURN;
    if (type->kind == CC_VOID) {
        interp_eval_void(in, s->expr);
    } else {
        if (cc_is_composite(type))
            interp_eval_record(in, s->expr, in->frame->record);
        else
            in->result = interp_eval(in, s->expr);
        in->frame->returned = true;
    }
    end_temporaries(in, temporaries);
    return FLOW_RETURN;
}

static enum flow exec(struct interp *in, struct cc_stmt *s)
{
    if (UNLIKELY(++in->steps > in->max_steps))
        interp_fail(in, CC_UB_STEPS, NULL, "%llu", (unsigned long long)in->max_steps);
    s->ran = true;
    in->stmt = s;
    in->ranges.n = in->frame->n_ranges;
    if (UNLIKELY(in->counts.n) && !in->open)
        in->counts.n = 0;
    switch ((enum cc_stmt_kind)s->kind) {
    case CC_S_BLOCK:
        return exec_block(in, s, 0);
    case CC_S_EXPR:
        full_void(in, s->expr);
        return FLOW_NEXT;
    case CC_S_DECL:
        exec_decl(in, s->var);
        return FLOW_NEXT;
    case CC_S_IF:
        return exec_if(in, s);
    case CC_S_FOR:
    case CC_S_WHILE:
    case CC_S_DO:
        return exec_loop(in, s);
    case CC_S_SWITCH:
        return exec_switch(in, s);
    case CC_S_BREAK:
        return FLOW_BREAK;
    case CC_S_CONTINUE:
        return FLOW_CONTINUE;
    case CC_S_GOTO:
        if (UNLIKELY(!s->target))
            return exec_computed_goto(in, s);
        in->target = s->target;
        return FLOW_GOTO;
    case CC_S_LABEL:
        in->entering = NULL; /* whoever was on the way is here */
        return FLOW_NEXT;
    case CC_S_RETURN:
        return exec_return(in, s);
    case CC_S_CASE:
    case CC_S_DEFAULT:
        if (in->entering == s)
            in->entering = NULL;
        return FLOW_NEXT;
    case CC_S_EMPTY:
    case CC_S_COMMENT:
        return FLOW_NEXT;
    case CC_N_STMT:
        break;
    }
    BUG("statement kind %d", s->kind);
}

/* GNU's ({ ... }): its value is that of its last statement, made before its objects end. */
union value interp_eval_stmts(struct interp *in, struct cc_expr *e, struct cell *record)
{
    struct cc_stmt *s = e->block;
    const struct cc_stmt *outer = in->stmt;
    struct literal *literals = in->frame->literals;
    union value v = {.i = 0};
    size_t n = s->list.n;
    int watch = in->watch;
    in->watch = 0;
    s->ran = true;
    begin_objects(in, &in->stmts[s->id].block, in->objects, in->frame->cells);
    for (size_t i = 0; i < n; i++) {
        struct cc_stmt *part = s->list.at[i];
        if (i + 1 < n || part->kind != CC_S_EXPR || e->type->kind == CC_VOID) {
            if (exec(in, part) != FLOW_NEXT)
                interp_fail(in, CC_UB_UNDECIDED, e, "a jump out of a statement expression");
            continue;
        }
        part->ran = true;
        in->steps++;
        if (record)
            interp_eval_record(in, part->expr, record);
        else
            v = interp_eval(in, part->expr);
    }
    end_literals(in, literals);
    end_objects(in, &in->stmts[s->id].block, in->objects);
    in->watch = watch;
    in->stmt = outer;
    return v;
}

/* -- calls ------------------------------------------------------------------------------------ */

/* An enumeration is an int, or wider. */
bool interp_is_promoted(const struct cc_types *types, const struct cc_type *t)
{
    return t->kind != CC_FLOAT && (!cc_is_integer(t) || t->size >= cc_basic(types, CC_INT)->size);
}

/* 6.7.6.3p15, of a function and the type that it is called by: parameters are compared where both
 * have them; where one has none, the other's must be promoted types. Without prototypes, what
 * counts is the arguments (see pass). */
static bool may_call(const struct cc_types *types, const struct cc_type *f,
                     const struct cc_type *by)
{
    if (!cc_compatible_type(f->to, by->to) || f->variadic != by->variadic)
        return false;
    if (f->unprototyped || by->unprototyped) {
        const struct cc_type *prototype = f->unprototyped ? by : f;
        bool promoted = true;
        for (int i = 0; i < prototype->n_params && !prototype->unprototyped; i++)
            promoted &= interp_is_promoted(types, prototype->params[i]);
        return promoted;
    }
    if (f->n_params != by->n_params)
        return false;
    for (int i = 0; i < f->n_params; i++)
        if (!cc_compatible_type(f->params[i], by->params[i]))
            return false;
    return true;
}

/* The call itself is undefined, after its arguments: one of them may end the program. */
static _Noreturn void refuse_call(struct interp *in, struct cc_expr *e, enum cc_ub rule,
                                  const char *why)
{
    for (uint32_t i = 0; in->options.real && i < e->n_args; i++)
        interp_eval_void(in, e->args[i]);
    interp_fail(in, rule, e, "%s", why);
}

/* 6.5.2.2p9: through a pointer, the function must have the type that the pointer says. */
static struct cc_func *callee_of(struct interp *in, struct cc_expr *e)
{
    struct cc_expr *callee = e->callee;
    if (LIKELY(callee->kind == CC_E_FUNC)) {
        count_node(in, callee);
        return callee->func;
    }
    struct cc_func *f = interp_eval(in, callee).fn;
    if (!f)
        refuse_call(in, e, CC_UB_NULL_ACCESS, "a call");
    if (f->type != callee->type->to &&
        !(in->options.real && may_call(&in->p->types, f->type, callee->type->to)))
        refuse_call(in, e, CC_UB_CALL_TYPE, f->name);
    return f;
}

static void check_depth(struct interp *in, const struct cc_expr *e)
{
    const char *here = __builtin_frame_address(0);
    if (in->depth >= in->max_depth)
        interp_fail(in, CC_UB_STACK, e, "%d calls", in->max_depth);
    if (in->c_stack - here > C_STACK_LIMIT)
        interp_fail(in, CC_UB_STACK, e, "the interpreter's own");
}

static size_t round_up(size_t n) /* so that cells on the same stack stay aligned */
{
    return (n + 15) / 16 * 16;
}

/* An argument that has no parameter. */
static void pass_more(struct interp *in, struct cc_expr *e, struct argument *a)
{
    *a = (struct argument){.type = e->type->plain};
    if (e->type->kind == CC_ARRAY) {
        a->type = cc_pointer_to(&in->p->types, e->type->to);
    } else if (cc_is_composite(e->type)) {
        const struct layout *l = layout_of(in, e->type);
        a->cells = stack_alloc(&in->cells, l->n * sizeof *a->cells);
        interp_fill(a->cells, l, false);
        interp_eval_record(in, e, a->cells);
        return;
    }
    a->v = interp_eval(in, e);
}

/* Is an argument of type `a` what a parameter of type `t` takes, converted already or promoted? */
static bool fits_parameter(struct interp *in, const struct cc_type *t, const struct cc_type *a)
{
    const struct cc_types *types = &in->p->types;
    bool pointers = t->kind == CC_POINTER, given = a->kind == CC_POINTER || a->kind == CC_ARRAY;
    if (pointers || given)
        return pointers && given;
    if (cc_is_float(t) || cc_is_float(a))
        return cc_is_float(t) && cc_is_float(a) &&
               (t->kind == CC_LDOUBLE) == (a->kind == CC_LDOUBLE);
    return cc_promoted(types, cc_representation(types, t), -1)->bits ==
           cc_promoted(types, cc_representation(types, a), -1)->bits;
}

/* The value of an argument as its parameter has it, where the two differ in width or sign. */
static union value parameter_value(struct interp *in, const struct cc_type *from,
                                   const struct cell *c)
{
    const struct cc_type *to = in->leaves.at[c->leaf];
    if (to->kind == CC_FLOAT && cc_is_float(from))
        return (union value){.f = (double)(float)c->v.f};
    if (cc_is_small(to) && cc_is_small(from))
        return (union value){.i = to->kind == CC_BOOL ? c->v.i != 0 : cc_wrap_small(to, c->v.i)};
    return c->v;
}

/* 6.5.2.2p6: without a prototype, the promoted argument must be of the promoted parameter's type. A
 * parameter that was promoted is narrowed again. */
static void prepare_arguments(struct interp *in, struct cc_expr *e, struct frame *frame)
{
    const struct cc_func *f = frame->func->f;
    uint32_t n = (uint32_t)f->n_params;
    if (e->n_args < n || (e->n_args > n && !f->type->variadic))
        refuse_call(in, e, CC_UB_CALL_TYPE,
                    arena_printf(&in->arena, "%s takes %u arguments", f->name, n));
    for (uint32_t i = 0; i < n; i++) {
        const struct cc_type *t = f->params[i]->type, *a = e->args[i]->type;
        if (cc_is_composite(t) || cc_is_composite(a) ? t->plain != a->plain
                                                     : !fits_parameter(in, t, a))
            refuse_call(in, e, CC_UB_CALL_TYPE,
                        arena_printf(&in->arena, "argument %u of %s", i + 1, f->name));
    }
    frame->n_more = e->n_args - n;
    if (frame->n_more)
        frame->more = stack_alloc(&in->cells, frame->n_more * round_up(sizeof *frame->more));
}

static void check_nonnull(struct interp *in, const struct cc_expr *e, const struct frame *frame)
{
    const struct func *func = frame->func;
    for (int i = 0; i < func->f->n_params; i++) {
        const struct cc_type *t = func->f->params[i]->type;
        const union value *v = &frame->cells[func->params.locals[i].cell].v;
        if (t->kind == CC_POINTER && (t->to->kind == CC_FUNCTION ? !v->fn : is_null(v->p)))
            interp_fail(in, CC_UB_UNDECIDED, e, "null for a parameter that may not be null");
    }
}

/* The parameters of the new frame, from the arguments; and the callee, which has no order among
 * them (6.5.2.2p10). It has been evaluated already, from `begun` on; NULL: not yet. */
static struct func *pass(struct interp *in, struct cc_expr *e, struct cc_func *callee,
                         uint32_t begun, struct frame *frame)
{
    bool track = false;
    uint32_t n = e->n_args, some = e->callee->kind != CC_E_FUNC;
    for (uint32_t i = 0; i < n; i++)
        track |= e->args[i]->effects;
    track = (track || e->callee->effects) && n + some > 1;
    uint32_t start = !track ? 0 : callee ? begun : tick(in);
    struct func *func = prepared(in, callee ? callee : callee_of(in, e));
    if (track && some)
        next_operand(in, start, 0, false);
    frame->func = func;
    frame->objects = stack_alloc(&in->object_stack, func->n_objects * sizeof *frame->objects);
    frame->cells = stack_alloc(&in->cells, func->n_cells * sizeof *frame->cells);
    begin_objects(in, &func->params, frame->objects, frame->cells);
    bool open = UNLIKELY(in->options.real) && several_effects(e->args, n);
    if (UNLIKELY(in->options.real))
        prepare_arguments(in, e, frame);
    in->open += open;
    for (uint32_t i = 0; i < n; i++) {
        if (UNLIKELY(i >= (uint32_t)func->f->n_params)) {
            pass_more(in, e->args[i], &frame->more[i - (uint32_t)func->f->n_params]);
        } else if (UNLIKELY(cc_is_composite(e->args[i]->type))) {
            interp_eval_record(in, e->args[i], frame->cells + func->params.locals[i].cell);
        } else {
            struct cell *c = frame->cells + func->params.locals[i].cell;
            c->v = interp_eval(in, e->args[i]);
            c->flags &= (uint8_t)~CELL_INDETERMINATE;
            if (UNLIKELY(c->kind != e->args[i]->type->kind))
                c->v = parameter_value(in, e->args[i]->type, c);
        }
        if (track)
            next_operand(in, start, i + some, false);
    }
    if (track)
        interp_pop_interval(in);
    in->open -= open;
    if (UNLIKELY(func->f->promises & CC_PROMISE_NONNULL))
        check_nonnull(in, e, frame);
    if (UNLIKELY(func->f->restricts != NULL))
        interp_check_restrict(in, e, frame);
    return func;
}

static void see(struct interp *in, const struct cc_func *f, const struct argument *a)
{
    uint64_t bits = (uint64_t)a->v.i;
    if (f->library == CC_LIB_SEE_DOUBLE) {
        bits = 0;
        if (a->v.f == a->v.f)
            memcpy(&bits, &a->v.f, sizeof bits);
    }
    in->seen = (in->seen ^ bits) * UINT64_C(1099511628211);
}

/* A call of the library: arguments in no order, no frame. */
static union value call_library(struct interp *in, struct cc_expr *e, struct cc_func *f,
                                uint32_t begun)
{
    struct stack_mark mark = stack_mark(&in->cells);
    struct argument *args = stack_alloc(&in->cells, (e->n_args + 1) * round_up(sizeof *args));
    size_t pending = in->pending.n;
    uint32_t some = e->callee->kind != CC_E_FUNC;
    bool track = e->n_args + some > 1, open = several_effects(e->args, e->n_args);
    in->open += open;
    if (track && some)
        next_operand(in, begun, 0, false);
    for (uint32_t i = 0; i < e->n_args; i++) {
        pass_more(in, e->args[i], &args[i]);
        if (track)
            next_operand(in, begun, i + some, false);
    }
    if (track)
        interp_pop_interval(in);
    in->open -= open;
    in->pending.n = pending;
    count_node(in, e->callee);
    uint32_t start = tick(in);
    in->depth++; /* what it accesses is in a call, 6.5.2.2p10 */
    union value v = {.i = 0};
    if (f->library == CC_LIB_SEE || f->library == CC_LIB_SEE_DOUBLE)
        see(in, f, &args[0]);
    else
        v = interp_library(in, e, f, args, e->n_args);
    in->depth--;
    vec_push(&in->ranges, (struct range){start, in->clock});
    tick(in);
    stack_release(&in->cells, mark);
    return v;
}

/* The body, in the new frame. All that the caller's expression has under way waits. */
static void run_body(struct interp *in, struct frame *frame, size_t first)
{
    struct frame *up = in->frame;
    struct object *objects = in->objects;
    const struct cc_stmt *stmt = in->stmt;
    struct cc_stmt *body = frame->func->f->body;
    int watch = in->watch;
    uint32_t start = tick(in);
    size_t n_ranges = in->ranges.n;
    if (UNLIKELY(in->history))
        interp_note_call(in, frame);
    frame->up = up;
    frame->n_ranges = n_ranges;
    in->frame = frame;
    in->objects = frame->objects;
    in->watch = 0;
    in->depth++;
    in->steps++;
    body->ran = true;
    exec_block(in, body, first);
    if (UNLIKELY(frame->func->f->promises & CC_PROMISE_NORETURN))
        interp_fail(in, CC_UB_UNDECIDED, NULL, "%s returns, and has promised not to",
                    frame->func->f->name);
    if (UNLIKELY(in->history))
        interp_note_return(in);
    in->depth--;
    in->watch = watch;
    in->objects = objects;
    in->frame = up;
    in->stmt = stmt;
    in->ranges.n = n_ranges;
    vec_push(&in->ranges, (struct range){start, in->clock});
    tick(in);
}

static void end_frame(struct interp *in, const struct cc_expr *e, struct frame *frame)
{
    if (frame->n_lists) /* 7.16.1.3p2 */
        interp_fail(in, CC_UB_ARGUMENT_LIST, e, "%s returns without va_end", frame->func->f->name);
    if (frame->took)
        interp_spend_lists(in, e, frame);
    if (frame->list)
        frame->list->serial = 0;
    interp_end_alloca(in, frame);
}

union value interp_eval_call(struct interp *in, struct cc_expr *e, struct cell *record,
                             bool discard)
{
    struct stack_mark cells = stack_mark(&in->cells), objects = stack_mark(&in->object_stack);
    struct frame frame = {.record = record};
    size_t pending = in->pending.n;
    struct cc_func *callee = NULL;
    uint32_t begun = 0;
    if (UNLIKELY(in->options.real)) {
        begun = tick(in);
        callee = callee_of(in, e);
        if (callee->library)
            return call_library(in, e, callee, begun);
    } else if (UNLIKELY(e->callee->kind == CC_E_FUNC && e->callee->func->library)) {
        return call_library(in, e, e->callee->func, tick(in));
    }
    check_depth(in, e);
    if (UNLIKELY(cc_is_composite(e->type)) && !record) {
        const struct layout *l = layout_of(in, e->type);
        frame.record = stack_alloc(&in->cells, l->n * sizeof *frame.record);
        interp_fill(frame.record, l, false);
    }
    struct func *func = pass(in, e, callee, begun, &frame);
    in->pending.n = pending; /* a sequence point: what the arguments stored is stored */
    run_body(in, &frame, 0);
    end_objects(in, &func->params, frame.objects);
    if (UNLIKELY(in->options.real))
        end_frame(in, e, &frame);
    stack_release(&in->object_stack, objects);
    stack_release(&in->cells, cells);
    union value v = in->result;
    if (discard || e->type->kind == CC_VOID)
        return v;
    if (!frame.returned) /* 6.9.1p12 */
        interp_fail(in, CC_UB_NO_RETURN_VALUE, e, "%s", func->f->name);
    if (e->type->kind == CC_POINTER && e->type->to->kind != CC_FUNCTION && v.p.object &&
        v.p.object->serial != v.p.serial)
        interp_fail(in, CC_UB_DANGLING_READ, e, "%s", v.p.object->var ? v.p.object->var->name : "");
    return v;
}

/* main, with its arguments; whether it returned a value. */
bool interp_run_main(struct interp *in, struct cc_func *f, const union value *args)
{
    struct frame frame = {.func = prepared(in, f)};
    struct func *func = frame.func;
    frame.objects = stack_alloc(&in->object_stack, (func->n_objects + 1) * sizeof *frame.objects);
    frame.cells = stack_alloc(&in->cells, (func->n_cells + 1) * sizeof *frame.cells);
    begin_objects(in, &func->params, frame.objects, frame.cells);
    for (int i = 0; i < f->n_params; i++) {
        struct cell *c = frame.cells + func->params.locals[i].cell;
        c->v = args[i];
        c->flags &= (uint8_t)~CELL_INDETERMINATE;
    }
    run_body(in, &frame, 0);
    end_objects(in, &func->params, frame.objects);
    return frame.returned;
}

void interp_run_function(struct interp *in, struct cc_func *f, size_t first)
{
    REQUIRE(f->n_params == 0);
    struct stack_mark cells = stack_mark(&in->cells), objects = stack_mark(&in->object_stack);
    struct frame frame = {.func = prepared(in, f)};
    const struct layout *l = cc_is_composite(f->type->to) ? layout_of(in, f->type->to) : NULL;
    if (l) {
        frame.record = stack_alloc(&in->cells, l->n * sizeof *frame.record);
        interp_fill(frame.record, l, false);
    }
    frame.objects = stack_alloc(&in->object_stack, frame.func->n_objects * sizeof *frame.objects);
    frame.cells = stack_alloc(&in->cells, frame.func->n_cells * sizeof *frame.cells);
    run_body(in, &frame, first);
    stack_release(&in->object_stack, objects);
    stack_release(&in->cells, cells);
}
