/* The interpreter's face: set-up, running, and questions about how it ended.
 *
 * Set-up makes the globals and nothing else; functions are looked through when they are first
 * called. The output is not formatted during the run: each hash keeps its node and the indices it
 * had. */
#include "interp/interp_internal.h"

#include "base/text.h"
#include "cc/print.h"

#include <inttypes.h>

enum { MAX_STEPS = 100 * 1000 * 1000, MAX_DEPTH = 200, MAX_REAL_DEPTH = 4000 };

/* -- violations ------------------------------------------------------------------------------- */

void interp_fail(struct interp *in, enum cc_ub rule, const struct cc_expr *e, const char *format,
                 ...)
{
    va_list args;
    in->ub.rule = rule;
    in->ub.expr = e;
    in->ub.stmt = in->stmt;
    in->ub.func = in->frame ? in->frame->func->f : NULL;
    va_start(args, format);
    vsnprintf(in->ub.detail, sizeof in->ub.detail, format, args);
    va_end(args);
    longjmp(in->out, 1);
}

const struct interp_ub *interp_violation(const struct interp *in)
{
    return &in->ub;
}

void interp_explain(const struct interp *in, struct strbuf *out)
{
    const struct interp_ub *ub = &in->ub;
    const struct cc_ub_rule *rule = &cc_ub_rules[ub->rule];
    if (!ub->rule)
        return;
    strbuf_adds(out, ub->func ? ub->func->name : "initialisers");
    if (ub->stmt && ub->stmt->line)
        strbuf_addf(out, ", line %" PRIu32, ub->stmt->line);
    strbuf_addf(out, ": %s (%s): %s", rule->name, rule->clause, rule->message);
    if (ub->expr) {
        strbuf_adds(out, ": `");
        cc_print_expr(in->p, ub->expr, out);
        strbuf_addc(out, '`');
    }
    if (ub->detail[0])
        strbuf_addf(out, ": %s", ub->detail);
}

/* -- running ---------------------------------------------------------------------------------- */

/* stdin, stdout and stderr, which the library defines: each points to something that is known by
 * the variable's name. */
static void make_stream(struct interp *in, const struct cc_var *v)
{
    bool stream =
        !strcmp(v->name, "stdout") || !strcmp(v->name, "stderr") || !strcmp(v->name, "stdin");
    struct object *o = object_of(in, v);
    if (stream && v->type->kind == CC_POINTER && !v->init)
        o->cells->v = (union value){.p = {o, o->serial, AT_WIDE}};
}

static void make_globals(struct interp *in)
{
    if (setjmp(in->out))
        return;
    for (size_t i = 0; i < in->p->globals.n; i++)
        interp_add_static(in, in->p->globals.at[i]);
    for (size_t i = 0; i < in->p->globals.n; i++)
        interp_init_static(in, in->p->globals.at[i]);
    for (size_t i = 0; in->options.real && i < in->p->globals.n; i++)
        make_stream(in, in->p->globals.at[i]);
}

/* Is there a record with a member that is less aligned than its type asks for? */
static bool has_packed(const struct cc_types *types)
{
    for (size_t i = 0; i < types->records.n; i++) {
        const struct cc_type *t = types->records.at[i];
        for (int k = 0; k < t->record->n_fields; k++) {
            const struct cc_field *f = &t->record->fields[k];
            if (f->bits < 0 && (f->type->align > t->align || f->offset % f->type->align))
                return true;
        }
    }
    return false;
}

struct interp *interp_new(struct cc_program *p, const struct interp_options *o)
{
    struct interp *in = mem_alloc(sizeof *in);
    memset(in, 0, sizeof *in);
    in->p = p;
    if (o)
        in->options = *o;
    in->annex_f = in->options.real || p->ieee_floats;
    in->packed = in->options.real && has_packed(&p->types);
    in->max_steps = in->options.max_steps ? in->options.max_steps : MAX_STEPS;
    in->max_depth = in->options.max_depth ? in->options.max_depth
                    : in->options.real    ? MAX_REAL_DEPTH
                                          : MAX_DEPTH;
    strbuf_init(&in->printed, 0);
    in->seen = UINT64_C(14695981039346656037);
    in->clock = 1;
    in->lowest = UINT32_MAX;
    in->crc = cc_crc_start();
    arena_init(&in->arena);
    in->c_stack = __builtin_frame_address(0);
    if (in->options.history)
        interp_start_history(in, in->options.history);
    make_globals(in);
    in->watching = in->options.values ? WATCH_NEXT : WATCH_OFF;
    return in;
}

void interp_free(struct interp *in)
{
    if (!in)
        return;
    for (struct literal *l = in->all_literals; l; l = l->older)
        free(l->object->cells);
    for (size_t i = 0; i < in->allocations.n; i++)
        free(in->allocations.at[i].object->cells);
    vec_release(&in->allocations);
    vec_release(&in->addresses);
    vec_release(&in->strings);
    vec_release(&in->labels);
    vec_release(&in->at_exit);
    interp_end_files(in);
    vec_release(&in->taken);
    vec_release(&in->counts);
    strbuf_release(&in->printed);
    interp_end_history(in);
    interp_stack_free(&in->cells);
    interp_stack_free(&in->object_stack);
    vec_release(&in->intervals);
    vec_release(&in->ranges);
    vec_release(&in->pending);
    vec_release(&in->leaves);
    vec_release(&in->static_list);
    vec_release(&in->hashes);
    vec_release(&in->indices);
    vec_release(&in->trace);
    free(in->values);
    free(in->layouts);
    free(in->funcs);
    free(in->stmts);
    arena_release(&in->arena);
    free(in);
}

/* After a violation the frames, which lay on our own stack, are no more. */
static enum cc_ub run(struct interp *in, struct cc_func *f, size_t first)
{
    if (in->ub.rule)
        return in->ub.rule;
    in->c_stack = __builtin_frame_address(0);
    if (!setjmp(in->out))
        interp_run_function(in, f, first);
    in->frame = NULL;
    in->objects = NULL;
    return in->ub.rule;
}

const char *const interp_verdict_name[INTERP_N_VERDICTS] = {INTERP_VERDICTS(WORD_NAME)};

enum interp_verdict interp_verdict(enum cc_ub rule)
{
    return rule == CC_UB_NONE                           ? INTERP_DEFINED
           : rule == CC_UB_UNDECIDED                    ? INTERP_UNDECIDED
           : rule == CC_UB_STEPS || rule == CC_UB_STACK ? INTERP_ENDLESS
                                                        : INTERP_UNDEFINED;
}

enum cc_ub interp_call(struct interp *in, struct cc_func *f)
{
    return run(in, f, 0);
}

enum cc_ub interp_checksum(struct interp *in)
{
    REQUIRE(in->p->main);
    return run(in, in->p->main, in->p->entry ? 1 : 0);
}

enum cc_ub interp_run(struct interp *in)
{
    REQUIRE(in->p->main);
    return run(in, in->p->main, 0);
}

/* -- real programs ----------------------------------------------------------------------------- */

void interp_leave(struct interp *in, enum interp_ending how, int status)
{
    if (in->open) /* which of the operands come before is not known */
        interp_fail(in, CC_UB_UNDECIDED, NULL, "it ends within an expression with other effects");
    in->end = (struct interp_end){how, status};
    longjmp(in->out, 2);
}

/* argc is 1, argv[0] some name: an array of char * with a null pointer at its end (5.1.2.2.1). */
static struct object *program_arguments(struct interp *in)
{
    struct cc_types *t = &in->p->types;
    const struct cc_type *text = cc_array_of(t, cc_basic(t, CC_CHAR), 2);
    const struct cc_type *list = cc_array_of(t, cc_pointer_to(t, cc_basic(t, CC_CHAR)), 2);
    struct object *name = interp_new_literal(in, &in->static_literals, NULL, text);
    struct object *o = interp_new_literal(in, &in->static_literals, NULL, list);
    interp_fill(name->cells, layout_of(in, text), true);
    interp_fill(o->cells, layout_of(in, list), true);
    name->cells[0].v.i = in->options.way == 1 ? 'b' : 'a';
    interp_note_choice(in, "the name of the program");
    o->cells[0].v = (union value){.p = {name, name->serial, 0}};
    return o;
}

static void call_main(struct interp *in, struct cc_func *f)
{
    struct object *arguments = f->n_params > 1 ? program_arguments(in) : NULL;
    bool fits = f->n_params <= 2 && (f->n_params < 1 || cc_is_integer(f->params[0]->type)) &&
                (f->n_params < 2 || f->params[1]->type->kind == CC_POINTER);
    if (!fits)
        interp_fail(in, CC_UB_UNDECIDED, NULL, "the parameters of main");
    union value args[2] = {{.i = 1}, {.p = {arguments, arguments ? arguments->serial : 0, 0}}};
    in->result = (union value){.i = 0};
    bool returned = interp_run_main(in, f, args);
    if (f->type->to->plain != in->p->types.basic[CC_INT]) /* 5.1.2.2.3: the status is unspecified */
        interp_fail(in, CC_UB_UNDECIDED, NULL, "main does not return int");
    in->end = (struct interp_end){INTERP_RETURNED, returned ? (int)(in->result.i & 0xFF) : 0};
}

/* What exit or abort left under way. */
static void forget_way(struct interp *in)
{
    in->frame = NULL;
    in->objects = NULL;
    in->intervals.n = in->pending.n = in->ranges.n = in->counts.n = in->taken.n = 0;
    in->lowest = UINT32_MAX;
    in->span = 0;
    in->watch = in->depth = in->open = 0;
    in->entering = NULL;
}

/* 7.22.4.4p3: in the reverse order of their registration, and each may register more. */
static void call_at_exit(struct interp *in)
{
    const struct interp_end end = in->end;
    while (in->at_exit.n && !in->ub.rule && in->end.how <= INTERP_EXITED) {
        struct cc_func *f = in->at_exit.at[--in->at_exit.n];
        int left = setjmp(in->out);
        if (!left)
            interp_run_function(in, f, 0);
        forget_way(in);
        if (left == 2 && in->end.how <= INTERP_QUIT) { /* exit called again (p2), or _exit */
            in->ub = (struct interp_ub){.rule = CC_UB_UNDECIDED, .func = f};
            return;
        }
    }
    if (in->end.how <= INTERP_EXITED)
        in->end = end;
}

enum cc_ub interp_main(struct interp *in)
{
    REQUIRE(in->p->main);
    if (in->ub.rule)
        return in->ub.rule;
    in->c_stack = __builtin_frame_address(0);
    if (!setjmp(in->out))
        call_main(in, in->p->main);
    forget_way(in);
    call_at_exit(in);
    return in->ub.rule;
}

const struct interp_end *interp_ended(const struct interp *in)
{
    return &in->end;
}

/* -- what C leaves open ------------------------------------------------------------------------ */

void interp_note_choice(struct interp *in, const char *what)
{
    if (in->choice.what && (strcmp(what, CHOICE_ADDRESS) || !strcmp(in->choice.what, what)))
        return;
    in->choice = (struct choice){what, in->stmt, in->frame ? in->frame->func->f : NULL};
}

static bool same_end(const struct interp *a, const struct interp *b)
{
    return a->end.how == b->end.how && a->end.status == b->end.status && a->seen == b->seen &&
           bytes_equal(bytes_in(&a->printed), bytes_in(&b->printed));
}

/* Does it end as the first run did? One that fails may have failed by its doubts alone. */
static bool same_otherwise(const struct interp *first, uint32_t way, struct cc_func *last)
{
    struct interp_options o = first->options;
    o.way = way;
    o.values = o.trace_volatile = false;
    o.history = 0;
    struct interp *in = interp_new(first->p, &o);
    enum cc_ub rule = interp_main(in);
    if (!rule && last && in->end.how != INTERP_TRAPPED)
        rule = interp_call(in, last);
    bool same = rule ? in->doubtful : same_end(first, in);
    interp_free(in);
    return same;
}

/* A long run is not repeated in every layout. */
enum { STEPS_AGAIN = 20 * 1000 * 1000 };

bool interp_settled(const struct interp *first, struct cc_func *last, struct strbuf *why)
{
    const struct choice *c = &first->choice;
    size_t n = first->addresses.n, lanes = n < INTERP_LANES ? n : INTERP_LANES;
    size_t affordable = 1 + STEPS_AGAIN / INTERP_WAYS_OF_LANES / (first->steps + 1);
    lanes = lanes < affordable ? lanes : affordable;
    size_t ways = c->what ? 2 + INTERP_WAYS_OF_LANES * lanes : 1;
    for (uint32_t way = 1; way < ways; way++) {
        if (same_otherwise(first, way, last))
            continue;
        if (!why)
            return false;
        strbuf_addf(why, "%s", c->func ? c->func->name : "initialisers");
        if (c->stmt && c->stmt->line)
            strbuf_addf(why, ", line %" PRIu32, c->stmt->line);
        strbuf_addf(why, ": the outcome depends on %s: %s",
                    way > 1 ? "the layout of memory" : "what C leaves open", c->what);
        return false;
    }
    return true;
}

uint64_t interp_seen(const struct interp *in)
{
    return in->seen;
}

const struct strbuf *interp_printed(const struct interp *in)
{
    return &in->printed;
}

/* -- output ----------------------------------------------------------------------------------- */

uint32_t interp_checksum_value(const struct interp *in)
{
    return cc_crc_end(in->crc);
}

uint64_t interp_steps(const struct interp *in)
{
    return in->steps;
}

const struct interp_access *interp_trace(const struct interp *in, size_t *n)
{
    *n = in->trace.n;
    return in->trace.at;
}

void interp_output(const struct interp *in, bool each_variable, struct strbuf *out)
{
    for (size_t i = 0; each_variable && i < in->hashes.n; i++) {
        const struct hash *h = &in->hashes.at[i];
        strbuf_adds(out, "...checksum after hashing ");
        cc_print_expr(in->p, h->expr->args[0], out);
        strbuf_addf(out, " : %" PRIX32 "\n", cc_crc_end(h->crc));
        if (!h->n_indices)
            continue;
        strbuf_adds(out, "index = ");
        for (uint32_t k = 0; k < h->n_indices; k++)
            strbuf_addf(out, "[%" PRId32 "]", in->indices.at[h->first_index + k]);
        strbuf_addc(out, '\n');
    }
    strbuf_addf(out, "checksum = %" PRIX32 "\n", interp_checksum_value(in));
}

/* Blocks, labels and comments do nothing by themselves and are not counted. */
static void count_statements(const struct cc_stmt *s, uint64_t *all, uint64_t *ran)
{
    if (!s)
        return;
    switch (s->kind) {
    case CC_S_BLOCK:
    case CC_S_CASE:
    case CC_S_DEFAULT:
    case CC_S_LABEL:
    case CC_S_EMPTY:
    case CC_S_COMMENT:
        break;
    default:
        *all += 1;
        *ran += s->ran;
    }
    for (size_t i = 0; i < s->list.n; i++)
        count_statements(s->list.at[i], all, ran);
    count_statements(s->a, all, ran);
    count_statements(s->b, all, ran);
}

uint64_t interp_statements(const struct interp *in, uint64_t *ran)
{
    uint64_t all = 0;
    *ran = 0;
    for (size_t i = 0; i < in->p->funcs.n; i++)
        count_statements(in->p->funcs.at[i]->body, &all, ran);
    return all;
}

/* -- how a global ended ----------------------------------------------------------------------- */

/* Does it hold for the union at the end of the path, in every element of the arrays on the way? */
static bool readable_everywhere(struct interp *in, struct cell *c, const struct cc_type *type,
                                const int *path, int n, int member)
{
    if (type->kind == CC_ARRAY) {
        uint32_t cells = layout_of(in, type->to)->n;
        for (uint32_t i = 0; i < type->length; i++)
            if (!readable_everywhere(in, c + (size_t)i * cells, type->to, path, n, member))
                return false;
        return true;
    }
    if (n == 0)
        return interp_member_readable(in, c, type, member);
    return readable_everywhere(in, c + layout_of(in, type)->field[path[0]],
                               type->record->fields[path[0]].type, path + 1, n - 1, member);
}

/* The subobject at the end of the path, of arrays the first element. */
static struct cell *at_path(struct interp *in, const struct cc_var *v, const int *path, int n,
                            const struct cc_type **type)
{
    struct cell *c = object_of(in, v)->cells;
    const struct cc_type *t = v->type;
    for (;;) {
        while (t->kind == CC_ARRAY)
            t = t->to;
        if (n-- == 0)
            break;
        c += layout_of(in, t)->field[*path];
        t = t->record->fields[*path++].type;
    }
    *type = t;
    return c;
}

int interp_union_member(void *of, const struct cc_var *v, const int *path, int n)
{
    struct interp *in = of;
    const struct cc_type *type;
    struct cell *first = at_path(in, v, path, n, &type), *whole = object_of(in, v)->cells;
    int stored = (int)first->v.i;
    REQUIRE(type->kind == CC_UNION);
    if (stored >= 0 && readable_everywhere(in, whole, v->type, path, n, stored))
        return stored;
    for (int i = 0; i < type->record->n_fields; i++)
        if (type->record->fields[i].name && readable_everywhere(in, whole, v->type, path, n, i))
            return i;
    return -1;
}

/* The lvalue of the first subobject on the way to a cell that starts there and has the type; void:
 * any type. */
static struct cc_expr *lvalue_of(struct interp *in, const struct object *o, uint32_t cell,
                                 const struct cc_type *type)
{
    struct cc_program *p = in->p;
    struct cc_expr *e = cc_use(p, (struct cc_var *)o->var);
    const struct cc_type *index = cc_basic(&p->types, CC_INT);
    struct spot s = {.type = o->type};
    while (s.cell != cell || !(type->kind == CC_VOID || cc_same_type(s.type, type))) {
        if (s.type->kind == CC_VECTOR || !interp_step_down(in, &s, cell))
            return NULL; /* lanes have no address */
        e = s.field ? cc_member(p, e, (int)s.index)
                    : cc_index(p, e, cc_int(p, index, s.index, CC_DECIMAL));
    }
    return e;
}

struct cc_expr *interp_points_to(void *of, const struct cc_var *v, const int *path, int n)
{
    struct interp *in = of;
    const struct cc_type *type;
    const struct cell *c = at_path(in, v, path, n, &type);
    REQUIRE(type->kind == CC_POINTER);
    if (c->flags & CELL_INDETERMINATE)
        return NULL;
    if (type->to->kind == CC_FUNCTION)
        return c->v.fn ? cc_func_use(in->p, c->v.fn) : cc_null(in->p, type);
    struct pointer to = c->v.p;
    if (!to.object)
        return cc_null(in->p, type);
    if (to.object->serial != to.serial || (to.at & AT_PAST) || byte_of(to) || !to.object->var ||
        !to.object->var->global)
        return NULL;
    struct cc_expr *e = lvalue_of(in, to.object, to.at >> AT_CELL_SHIFT, type->to);
    bool cast = e == NULL || type->to->kind == CC_VOID;
    if (!e)
        e = lvalue_of(in, to.object, to.at >> AT_CELL_SHIFT, cc_basic(&in->p->types, CC_VOID));
    if (!e)
        return NULL;
    e = cc_addr(in->p, e);
    return cast ? cc_cast(in->p, type, e) : e;
}

/* -- values as text --------------------------------------------------------------------------- */

static void put_wide(struct strbuf *out, cc_wide v, bool is_signed)
{
    char text[48];
    size_t at = sizeof text;
    bool negative = is_signed && v < 0;
    cc_uwide u = negative ? 0 - (cc_uwide)v : (cc_uwide)v;
    do
        text[--at] = (char)('0' + (int)(u % 10));
    while (u /= 10);
    if (negative)
        text[--at] = '-';
    strbuf_add(out, text + at, sizeof text - at);
}

static void put_pointer(struct interp *in, struct strbuf *out, const struct cc_type *to,
                        const union value *v)
{
    if (to->kind == CC_FUNCTION) {
        strbuf_adds(out, v->fn ? v->fn->name : "0");
        return;
    }
    const struct object *o = v->p.object;
    if (!o) {
        strbuf_adds(out, "0");
    } else if (o->serial != v->p.serial || !o->var) {
        strbuf_adds(out, o->serial != v->p.serial ? "dangling" : "&literal");
    } else {
        strbuf_addf(out, "&%s", o->var->name);
        uint32_t offset = v->p.at ? interp_byte_offset(in, v->p) : 0;
        if (offset)
            strbuf_addf(out, " + %" PRIu32, offset);
    }
}

static void put_scalar(struct interp *in, struct strbuf *out, const struct cc_type *type,
                       const struct cell *c)
{
    if (c->flags & (CELL_INDETERMINATE | CELL_TRAP))
        strbuf_adds(out, "?");
    else if (type->kind == CC_POINTER)
        put_pointer(in, out, type->to, &c->v);
    else if (type->kind == CC_LDOUBLE)
        strbuf_addf(out, "%.21Lg", c->v.x);
    else if (cc_is_float(type))
        strbuf_addf(out, "%.17g", c->v.f);
    else if (cc_is_small(type))
        put_wide(out, type->is_signed ? (cc_wide)c->v.i : (cc_wide)(uint64_t)c->v.i,
                 type->is_signed);
    else
        put_wide(out, c->v.w, type->is_signed);
}

void interp_put_value(struct interp *in, struct strbuf *out, const struct cc_type *type,
                      union value v)
{
    const struct cell c = {.v = v};
    put_scalar(in, out, type, &c);
}

static void put_value(struct interp *in, struct strbuf *out, const struct cc_type *type,
                      const struct cell *c)
{
    if (!cc_is_composite(type) && type->kind != CC_ARRAY) {
        put_scalar(in, out, type, c);
        return;
    }
    bool comma = false;
    strbuf_addc(out, '{');
    bool record = cc_is_record(type);
    uint32_t n = record ? (uint32_t)type->record->n_fields : type->length;
    for (uint32_t i = 0; i < n; i++) {
        const struct cc_type *part = type->to;
        uint32_t at = record ? 0 : i * layout_of(in, part)->n;
        if (record) {
            const struct cc_field *f = &type->record->fields[i];
            if (!f->name || (type->kind == CC_UNION && c->v.i != i))
                continue;
            part = f->type;
            at = layout_of(in, type)->field[i];
            if (type->kind == CC_UNION)
                strbuf_addf(out, ".%s = ", f->name);
        }
        if (comma)
            strbuf_adds(out, ", ");
        comma = true;
        put_value(in, out, part, c + at);
    }
    strbuf_addc(out, '}');
}

void interp_value_text(struct interp *in, const struct cc_var *v, struct strbuf *out)
{
    put_value(in, out, v->type, object_of(in, v)->cells);
}
