/* What may be taken away from a C program: one function per pass, which lists the places. The order
 * of the table is that of the schedule: what takes away much for one test comes first. */
#include "reduce/c_internal.h"

#include "cc/walk.h"

/* -- walking ----------------------------------------------------------------------------------- */

enum { MOST_LEVELS = 1000 };

struct visit {
    struct shrink *k;
    struct c_visitor to;
    void *of;
    int level; /* how many statements are around */
};

static bool visit_stmt(const struct cc_stmt *s, void *visit);

static bool visit_expr(const struct cc_expr *e, void *visit)
{
    struct visit *v = visit;
    if (v->to.expr)
        v->to.expr(v, e);
    int level = v->level;
    if (e->kind == CC_E_STMTS) /* statements in an expression go with it */
        v->level = MOST_LEVELS;
    cc_expr_parts(e, &(struct cc_walk){visit_stmt, visit_expr, v});
    v->level = level;
    return false;
}

static bool visit_stmt(const struct cc_stmt *s, void *visit)
{
    struct visit *v = visit;
    if (v->to.stmt)
        v->to.stmt(v, s);
    if (s->kind == CC_S_DECL && v->to.var)
        v->to.var(v, s->var);
    v->level++;
    cc_stmt_parts(s, &(struct cc_walk){visit_stmt, visit_expr, v});
    v->level--;
    return false;
}

/* The body's own block is no statement that could go. */
static void visit_func(struct visit *v, const struct cc_func *f)
{
    for (int i = 0; i < f->n_params && v->to.var; i++)
        if (!f->library)
            v->to.var(v, f->params[i]);
    for (size_t i = 0; f->body && i < f->body->list.n; i++)
        visit_stmt(f->body->list.at[i], v);
}

static void visit_program(struct shrink *k, struct c_visitor to, void *of)
{
    const struct cc_program *p = &k->tree;
    struct visit all = {.k = k, .to = to, .of = of}, *v = &all;
    for (size_t i = 0; i < p->globals.n; i++) {
        if (v->to.var)
            v->to.var(v, p->globals.at[i]);
        if (p->globals.at[i]->init)
            visit_expr(p->globals.at[i]->init, v);
    }
    for (size_t i = 0; i < p->funcs.n; i++)
        visit_func(v, p->funcs.at[i]);
    if (k->options.whole_main && p->main)
        visit_func(v, p->main);
}

void c_collect(struct shrink *k, const struct c_pass *pass)
{
    if (pass->list)
        pass->list(k);
    else
        visit_program(k, pass->visit, NULL);
}

/* One site more. Returns its edit, for what is to be said beside its kind, until the next one. */
static struct edit *site(struct shrink *k, const void *at, enum edit_kind kind)
{
    vec_push(&k->sites, (struct site){.edits = {{.at = at, .kind = kind}}, .n = 1});
    return k->sites.at[k->sites.n - 1].edits;
}

/* What the newest site takes besides. */
static struct edit *and_edit(struct shrink *k, const void *at, enum edit_kind kind)
{
    struct site *s = &k->sites.at[k->sites.n - 1];
    s->edits[s->n] = (struct edit){.at = at, .kind = kind};
    return &s->edits[s->n++];
}

static void drop(struct shrink *k, const void *at)
{
    site(k, at, EDIT_DROP);
}

/* -- statements -------------------------------------------------------------------------------- */

static bool is_label(const struct cc_stmt *s)
{
    return s->kind == CC_S_LABEL || s->kind == CC_S_CASE || s->kind == CC_S_DEFAULT;
}

static void dead_stmt(struct visit *v, const struct cc_stmt *s)
{
    if (!v->k->c->run)
        return;
    if (!s->ran && !is_label(s) && s->kind != CC_S_DECL)
        drop(v->k, s);
    if (s->kind == CC_S_IF && s->ran && s->a && !s->a->ran && s->b)
        site(v->k, s, EDIT_ELSE);
}

/* The last `return` of main may be left out (C11 5.1.2.2.3), but some compilers do not know that:
 * were it left out early, their mistake would be found in place of any other. So it goes last. */
static bool ends_main(const struct shrink *k, const struct cc_stmt *s)
{
    const struct cc_func *f = k->tree.main;
    return s->kind == CC_S_RETURN && f && f->body && f->body->list.n &&
           f->body->list.at[f->body->list.n - 1] == s;
}

static void end_stmt(struct visit *v, const struct cc_stmt *s)
{
    if (ends_main(v->k, s))
        drop(v->k, s);
}

static void level_stmt(struct visit *v, const struct cc_stmt *s)
{
    if (v->level == v->k->level && s->kind != CC_S_LABEL && !ends_main(v->k, s))
        drop(v->k, s);
}

static void wrapped_stmt(struct visit *v, const struct cc_stmt *s)
{
    switch ((enum cc_stmt_kind)s->kind) {
    case CC_S_EXPR:
        if (s->expr->effects && s->expr->kind != CC_E_INCDEC)
            site(v->k, s, EDIT_SPLIT);
        return;
    case CC_S_IF:
        site(v->k, s, EDIT_BODY);
        if (s->expr->effects)
            site(v->k, s, EDIT_CONDITION);
        if (s->b) {
            site(v->k, s, EDIT_ELSE);
            site(v->k, s, EDIT_NO_ELSE);
        }
        return;
    case CC_S_BLOCK:
    case CC_S_FOR:
    case CC_S_WHILE:
    case CC_S_DO:
    case CC_S_SWITCH:
        site(v->k, s, EDIT_BODY);
        if ((s->expr && s->expr->effects) || s->init)
            site(v->k, s, EDIT_CONDITION);
        return;
    default:
        return;
    }
}

/* -- functions --------------------------------------------------------------------------------- */

static void list_functions(struct shrink *k)
{
    const struct cc_program *p = &k->tree;
    for (size_t i = 0; i < p->funcs.n; i++)
        if (p->funcs.at[i] != p->entry)
            drop(k, p->funcs.at[i]);
}

static void list_parameters(struct shrink *k)
{
    const struct cc_program *p = &k->tree;
    for (int j = 0; k->options.whole_main && p->main && j < p->main->n_params; j++)
        drop(k, p->main->params[j]);
    for (size_t i = 0; i < p->funcs.n; i++)
        for (int j = 0; j < p->funcs.at[i]->n_params && !p->funcs.at[i]->library; j++)
            drop(k, p->funcs.at[i]->params[j]);
}

static void list_results(struct shrink *k)
{
    const struct cc_program *p = &k->tree;
    for (size_t i = 0; i < p->funcs.n; i++) {
        const struct cc_func *f = p->funcs.at[i];
        if (f->library || f->type->to->kind == CC_VOID)
            continue;
        site(k, f, EDIT_TYPE)->type = cc_basic(&p->types, CC_VOID);
        if (f->type->to->kind != CC_INT)
            site(k, f, EDIT_TYPE)->type = cc_basic(&p->types, CC_INT);
    }
}

struct counting {
    const struct cc_func *f;
    int n;
};

static void count_use(struct visit *v, const struct cc_expr *e)
{
    struct counting *c = v->of;
    c->n += e->kind == CC_E_FUNC && e->func == c->f;
}

/* The last call takes the function with it. */
static void inline_site(struct shrink *k, const void *at, const struct cc_func *f)
{
    struct counting c = {f, 0};
    visit_program(k, (struct c_visitor){.expr = count_use}, &c);
    site(k, at, EDIT_INLINE);
    if (c.n == 1)
        and_edit(k, f, EDIT_DROP);
}

static bool calls_body(const struct cc_expr *e)
{
    return e->kind == CC_E_CALL && e->callee->kind == CC_E_FUNC && e->callee->func->body;
}

static void call_expr(struct visit *v, const struct cc_expr *e)
{
    if (calls_body(e))
        inline_site(v->k, e, e->callee->func);
}

static void call_stmt(struct visit *v, const struct cc_stmt *s)
{
    if ((s->kind != CC_S_EXPR && s->kind != CC_S_RETURN) || !s->expr || !s->expr->calls)
        return;
    const struct cc_expr *e = s->expr;
    while (e->kind == CC_E_CAST || (e->kind == CC_E_ASSIGN && e->op == CC_NONE))
        e = e->kind == CC_E_CAST ? e->a : e->b;
    if (calls_body(e))
        inline_site(v->k, s, e->callee->func);
}

static void list_function_style(struct shrink *k)
{
    const struct cc_program *p = &k->tree;
    for (size_t i = 0; i < p->funcs.n; i++) {
        const struct cc_func *f = p->funcs.at[i];
        if (f->library)
            continue;
        if (f->attributes)
            site(k, f, EDIT_PLAIN);
        if (f->storage == CC_STATIC)
            site(k, f, EDIT_LINKAGE);
    }
    for (size_t i = 0; i < p->globals.n; i++)
        if (p->globals.at[i]->storage == CC_STATIC)
            site(k, p->globals.at[i], EDIT_LINKAGE);
}

/* -- variables --------------------------------------------------------------------------------- */

static void drop_var(struct visit *v, const struct cc_var *x)
{
    if (!x->param)
        drop(v->k, x);
}

static void fold_var(struct visit *v, const struct cc_var *x)
{
    if (!x->param && x->init && x->init->kind != CC_E_LIST)
        site(v->k, x, EDIT_FOLD);
}

static void init_var(struct visit *v, const struct cc_var *x)
{
    if (x->init)
        site(v->k, x, EDIT_NO_INIT);
}

static const struct cc_type *innermost(const struct cc_type *t)
{
    while (t->kind == CC_ARRAY)
        t = t->to;
    return t;
}

static void qualified_var(struct visit *v, const struct cc_var *x)
{
    if (innermost(x->type)->quals || x->align || x->is_register)
        site(v->k, x, EDIT_PLAIN);
}

static void array_var(struct visit *v, const struct cc_var *x)
{
    if (x->type->kind != CC_ARRAY || x->param)
        return;
    site(v->k, x, EDIT_SCALAR);
    for (uint32_t n = 1; n < x->type->length; n *= 2)
        site(v->k, x, EDIT_LENGTH)->number = (int)n;
    if (x->type->length > 2)
        site(v->k, x, EDIT_LENGTH)->number = (int)x->type->length - 1;
}

static void list_seen(struct shrink *k)
{
    for (size_t i = 0; i < k->tree.globals.n && !k->options.whole_main; i++)
        if (!k->tree.globals.at[i]->not_hashed)
            site(k, k->tree.globals.at[i], EDIT_UNSEEN);
}

/* Two variables of one type may be one. Each is tried with those before it. */
enum { MOST_TO_MERGE = 12 };

struct merging {
    const struct cc_var *vars[MOST_TO_MERGE];
    int n;
};

static void merge_var(struct visit *v, const struct cc_var *x)
{
    struct merging *m = v->of;
    for (int i = 0; i < m->n && !x->param; i++)
        if (m->vars[i]->type == x->type && (m->vars[i]->global || !x->global))
            site(v->k, x, EDIT_SAME)->other = m->vars[i];
    if (m->n < MOST_TO_MERGE)
        m->vars[m->n++] = x;
}

static void list_merging(struct shrink *k)
{
    struct merging m = {.n = 0};
    visit_program(k, (struct c_visitor){.var = merge_var}, &m);
}

/* -- types ------------------------------------------------------------------------------------- */

/* Plainest first; a type is only exchanged for one that stands before it. */
static const enum cc_kind plainest[] = {
    CC_INT,   CC_CHAR, CC_SHORT, CC_LONG,   CC_SCHAR, CC_UINT,   CC_UCHAR,  CC_USHORT,
    CC_ULONG, CC_BOOL, CC_LLONG, CC_ULLONG, CC_FLOAT, CC_DOUBLE, CC_INT128, CC_UINT128};
enum { N_PLAINEST = sizeof plainest / sizeof *plainest };

static void plainer_types(struct shrink *k, const void *at, const struct cc_type *t)
{
    for (int i = 0; i < N_PLAINEST && plainest[i] != t->kind; i++)
        if (t->kind < CC_N_BASIC || t->kind == CC_ENUM)
            if (k->tree.types.basic[plainest[i]] && t->kind != CC_VOID)
                site(k, at, EDIT_TYPE)->type = cc_basic(&k->tree.types, plainest[i]);
}

static void list_types(struct shrink *k)
{
    for (int i = N_PLAINEST - 1; i > 0; i--) {
        const struct cc_type *t = k->tree.types.basic[plainest[i]];
        if (t)
            plainer_types(k, t, t);
    }
}

static void typed_var(struct visit *v, const struct cc_var *x)
{
    if (cc_is_arithmetic(x->type))
        plainer_types(v->k, x, x->type);
    else if (x->type->kind == CC_VECTOR || cc_is_record(x->type))
        site(v->k, x, EDIT_TYPE)->type = cc_basic(&v->k->tree.types, CC_INT);
}

static void typed_expr(struct visit *v, const struct cc_expr *e)
{
    bool cast = e->kind == CC_E_CAST && !e->implicit;
    if ((cast || e->kind == CC_E_INT) && cc_is_arithmetic(e->type))
        plainer_types(v->k, e, e->type);
}

static void list_members(struct shrink *k)
{
    for (size_t i = 0; i < k->tree.types.records.n; i++) {
        const struct cc_type *t = k->tree.types.records.at[i];
        const struct cc_record *r = t->record;
        int named = 0;
        for (int j = 0; j < r->n_fields; j++) {
            site(k, r, EDIT_FIELD)->number = j;
            named += r->fields[j].name != NULL;
        }
        if (named == 1)
            site(k, r, EDIT_FLAT);
    }
    for (size_t i = 0; i < k->tree.types.records.n; i++) {
        const struct cc_record *r = k->tree.types.records.at[i]->record;
        for (int j = 0; j < r->n_fields; j++)
            if (r->fields[j].bits >= 0 && r->fields[j].name)
                site(k, r, EDIT_NO_BITS)->number = j;
    }
}

/* -- expressions ------------------------------------------------------------------------------- */

static bool is_leaf(const struct cc_expr *e)
{
    return e->kind == CC_E_INT || e->kind == CC_E_FLOAT || e->kind == CC_E_NULL ||
           e->kind == CC_E_STRING || e->kind == CC_E_FUNC;
}

static bool is_silent_cast(const struct cc_expr *e)
{
    return e->kind == CC_E_CAST && e->implicit;
}

static void valued_expr(struct visit *v, const struct cc_expr *e)
{
    cc_wide value;
    if (!is_leaf(e) && !is_silent_cast(e) && e->kind != CC_E_LIST && cc_is_integer(e->type) &&
        shrink_value(v->k, e, &value))
        site(v->k, e, EDIT_CONSTANT)->value = value;
}

static void zero_expr(struct visit *v, const struct cc_expr *e)
{
    if (!is_leaf(e) && !is_silent_cast(e) && e->kind != CC_E_LIST && cc_is_scalar(e->type))
        site(v->k, e, EDIT_CONSTANT);
}

static void operand_expr(struct visit *v, const struct cc_expr *e)
{
    int n = 0;
    switch ((enum cc_expr_kind)e->kind) {
    case CC_E_CALL:
    case CC_E_BUILTIN:
        n = (int)e->n_args;
        break;
    case CC_E_MEMBER:
    case CC_E_UNARY:
    case CC_E_CAST:
    case CC_E_INCDEC:
        n = !is_silent_cast(e);
        break;
    case CC_E_INDEX:
    case CC_E_BINARY:
    case CC_E_LOGICAL:
    case CC_E_COMMA:
    case CC_E_ASSIGN:
    case CC_E_ELVIS:
        n = 2;
        break;
    case CC_E_COND:
        n = 3;
        break;
    default:
        break;
    }
    for (int i = n - 1; i >= 0; i--)
        site(v->k, e, EDIT_OPERAND)->number = i;
}

static void wrapped_expr(struct visit *v, const struct cc_expr *e)
{
    if (e->safe)
        site(v->k, e, EDIT_BARE);
}

/* Operators that do the same kind of work; each is only exchanged for one before it. */
static const uint8_t kin[][7] = {{CC_ADD, CC_SUB},
                                 {CC_DIV, CC_REM},
                                 {CC_SHL, CC_SHR},
                                 {CC_AND, CC_OR, CC_XOR},
                                 {CC_LT, CC_GT, CC_LE, CC_GE, CC_NE, CC_EQ},
                                 {CC_LAND, CC_LOR}};

static void operator_expr(struct visit *v, const struct cc_expr *e)
{
    if (e->kind == CC_E_ASSIGN && e->op != CC_NONE)
        site(v->k, e, EDIT_OP)->number = CC_NONE;
    if (e->kind != CC_E_BINARY && e->kind != CC_E_LOGICAL && e->kind != CC_E_ASSIGN)
        return;
    for (size_t i = 0; i < sizeof kin / sizeof *kin; i++)
        for (int j = 1; j < 7 && kin[i][j]; j++)
            if (kin[i][j] == e->op)
                for (int before = 0; before < j; before++)
                    site(v->k, e, EDIT_OP)->number = kin[i][before];
}

/* Smaller first: the first that works is kept. */
static void constant_expr(struct visit *v, const struct cc_expr *e)
{
    static const int small[] = {0, 1, 2, 9, 99, 255, 999};
    if (e->kind == CC_E_FLOAT && e->number != 0 && e->number != 1) {
        site(v->k, e, EDIT_CONSTANT);
        site(v->k, e, EDIT_CONSTANT)->value = 1;
    }
    if (e->kind != CC_E_INT || e->value == 0)
        return;
    cc_wide value = e->value, size = value < 0 ? -value : value;
    for (size_t i = 0; i < sizeof small / sizeof *small && small[i] < size; i++)
        site(v->k, e, EDIT_CONSTANT)->value = small[i];
    for (int shift = 32; shift >= 1; shift /= 2)
        if (size >> shift > 999)
            site(v->k, e, EDIT_CONSTANT)->value = value / ((cc_wide)1 << shift);
    if (value < 0)
        site(v->k, e, EDIT_CONSTANT)->value = -value;
    if (value < -1)
        site(v->k, e, EDIT_CONSTANT)->value = -1;
    if (size > 999) /* fewer digits */
        for (cc_wide digits = 10; digits <= size / 10; digits *= 100)
            site(v->k, e, EDIT_CONSTANT)->value = value / digits;
}

static void list_expr(struct visit *v, const struct cc_expr *e)
{
    if (e->kind == CC_E_LIST)
        for (uint32_t i = 0; i < e->n_args; i++)
            if (!is_leaf(e->args[i]) && cc_is_scalar(e->args[i]->type))
                site(v->k, e->args[i], EDIT_CONSTANT);
}

/* What is printed needs no words around it. */
static void string_expr(struct visit *v, const struct cc_expr *e)
{
    if (e->kind != CC_E_STRING || !e->n_args || e->type->to->size != 1)
        return;
    struct arena *a = &v->k->trees[v->k->tree_in];
    const char *from = memchr(e->text, '%', e->n_args);
    const char *texts[] = {"", from, from ? arena_memdup(a, from, strcspn(from, " ,\n")) : NULL,
                           arena_memdup(a, e->text, e->n_args - 1)};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (texts[i] && strlen(texts[i]) < e->n_args)
            site(v->k, e, EDIT_TEXT)->name = texts[i];
}

/* -- what is printed --------------------------------------------------------------------------- */

/* A wrong value often shows only in what it decides, three steps on. Here it is stored in a global
 * variable where it decides, and that variable is printed. */

enum { MOST_SHOWN = 3 }; /* globals that are tried */

struct showing {
    const struct cc_var *vars[MOST_SHOWN];
    int n;
    const struct cc_expr *printed; /* the first value that printf gets; NULL: none */
};

static void printed_expr(struct visit *v, const struct cc_expr *e)
{
    struct showing *w = v->of;
    if (!w->printed && e->kind == CC_E_CALL && e->callee->kind == CC_E_FUNC &&
        e->callee->func->library && !strcmp(e->callee->func->name, "printf") && e->n_args == 2 &&
        cc_is_arithmetic(e->args[1]->type))
        w->printed = e->args[1];
}

static const struct cc_var *shown_now(const struct cc_expr *e)
{
    while (e->kind == CC_E_CAST)
        e = e->a;
    return e->kind == CC_E_VAR ? e->var : NULL;
}

static void deciding_stmt(struct visit *v, const struct cc_stmt *s)
{
    struct showing *w = v->of;
    bool decides = s->kind == CC_S_IF || s->kind == CC_S_SWITCH || s->kind == CC_S_WHILE ||
                   s->kind == CC_S_DO || s->kind == CC_S_FOR;
    if (!decides || !s->ran || !s->expr || !cc_is_arithmetic(s->expr->type))
        return;
    for (int i = 0; i < w->n; i++) {
        site(v->k, s, EDIT_STORE)->other = w->vars[i];
        if (shown_now(w->printed) != w->vars[i])
            and_edit(v->k, w->printed, EDIT_VARIABLE)->other = w->vars[i];
    }
}

static void list_shown(struct shrink *k)
{
    struct showing w = {.n = 0};
    if (!k->options.whole_main || !k->c->run)
        return;
    visit_program(k, (struct c_visitor){.expr = printed_expr}, &w);
    if (!w.printed)
        return;
    const struct cc_var *now = shown_now(w.printed);
    for (size_t i = 0; i < k->tree.globals.n && w.n < MOST_SHOWN; i++)
        if (cc_is_arithmetic(k->tree.globals.at[i]->type))
            w.vars[w.n++] = k->tree.globals.at[i];
    visit_program(k, (struct c_visitor){.stmt = deciding_stmt}, &w);
    /* Without a store: only for one further on, so that this comes to an end. */
    bool behind = !now;
    for (int i = 0; i < w.n; i++) {
        if (behind && w.vars[i] != now)
            site(k, w.printed, EDIT_VARIABLE)->other = w.vars[i];
        behind |= w.vars[i] == now;
    }
}

/* -- names ------------------------------------------------------------------------------------- */

struct naming {
    struct shrink *k;
    struct arena *a;
    edit_list *out;
    int n;
};

/* a .. z, then aa, ab ... without the two that are words of C. */
static const char *next_name(struct naming *m)
{
    for (;;) {
        int i = m->n++;
        const char *name =
            i < 26 ? arena_printf(m->a, "%c", 'a' + i)
                   : arena_printf(m->a, "%c%c", 'a' + i / 26 % 26 - 1 + (i < 26), 'a' + i % 26);
        if (i >= 26 * 26)
            name = arena_printf(m->a, "a%d", i);
        if (strcmp(name, "do") && strcmp(name, "if"))
            return name;
    }
}

static void give_name(struct naming *m, const void *at, const char *name)
{
    vec_push(m->out, (struct edit){.at = at, .kind = EDIT_NAME, .name = name});
}

static void name_var(struct visit *v, const struct cc_var *x)
{
    struct naming *m = v->of;
    give_name(m, x, next_name(m));
}

void shrink_names(struct shrink *k, struct arena *a, edit_list *out)
{
    struct naming m = {k, a, out, 0};
    const struct cc_program *p = &k->tree;
    for (size_t i = 0; i < p->types.records.n; i++) {
        const struct cc_record *r = p->types.records.at[i]->record;
        give_name(&m, r, arena_printf(a, "%c%.0d", 'A' + (int)(i % 26), (int)(i / 26)));
        for (int j = 0; j < r->n_fields; j++)
            if (r->fields[j].name && r->fields[j].name[0] != ' ')
                give_name(&m, &r->fields[j], arena_printf(a, "%c%.0d", 'a' + j % 26, j / 26));
    }
    for (size_t i = 0; i < p->funcs.n; i++)
        if (!p->funcs.at[i]->library)
            give_name(&m, p->funcs.at[i], next_name(&m));
    visit_program(k, (struct c_visitor){.var = name_var}, &m);
}

/* -- the schedule ------------------------------------------------------------------------------ */

const struct c_pass c_passes[] = {
    {"unexecuted code", .visit = {.stmt = dead_stmt}},
    {"seen variables", .list = list_seen},
    {"functions", .list = list_functions},
    {"statements", .visit = {.stmt = level_stmt}, .levels = true},
    {"unwrap", .visit = {.stmt = wrapped_stmt}, .most = 4, .may_tie = true},
    {"variables", .visit = {.var = drop_var}},
    {"wrappers", .visit = {.expr = wrapped_expr}, .may_tie = true},
    {"parameters", .list = list_parameters, .most = 4},
    {"members", .list = list_members, .most = 4},
    {"known values", .visit = {.expr = valued_expr}, .most = 32, .may_tie = true},
    {"zeros", .visit = {.expr = zero_expr}, .most = 8},
    {"operands", .visit = {.expr = operand_expr}, .most = 4, .may_tie = true},
    {"folding", .visit = {.var = fold_var}, .most = 4, .may_tie = true},
    {"initialisers", .visit = {.var = init_var}, .most = 4},
    {"lists", .visit = {.expr = list_expr}, .most = 8},
    {"arrays", .visit = {.var = array_var}, .most = 1, .may_tie = true},
    {"inlining", .visit = {.expr = call_expr, .stmt = call_stmt}, .most = 1, .may_tie = true},
    {"results", .list = list_results, .most = 2, .may_tie = true},
    {"what is printed", .list = list_shown, .most = 1, .may_tie = true},
    {"qualifiers", .visit = {.var = qualified_var}},
    {"linkage and attributes", .list = list_function_style},
    {"types", .list = list_types, .most = 1, .may_tie = true},
    {"types of single variables", .visit = {.var = typed_var, .expr = typed_expr}, .most = 1,
     .may_tie = true},
    {"constants", .visit = {.expr = constant_expr}, .most = 1},
    {"operators", .visit = {.expr = operator_expr}, .most = 1, .may_tie = true},
    {"merge variables", .list = list_merging, .most = 1},
    {"strings", .visit = {.expr = string_expr}, .most = 1},
};
const struct c_pass c_last_pass = {"end of main", .visit = {.stmt = end_stmt}, .most = 1};
const int n_c_passes = sizeof c_passes / sizeof *c_passes;
