/* Statements: ten kinds (dissertation, 3.4) and ours, drawn by Table 3.1.
 *
 * A loop is made with optimism: its body is valid for the first iteration; when it is complete, the
 * fixed point over all iterations is computed (4.3.7.1), and if it fails, the statement that failed
 * and all behind it are removed, and so on until it holds. Loops count: their variable is protected
 * inside the body, so that every loop ends and its values are known as indices. */
#include "gen/smith/smith_internal.h"
#include "base/error.h"

/* -- blocks ----------------------------------------------------------------------------------- */

static void enter_block(struct smith *s, struct cc_stmt *block)
{
    vec_push(&s->g.open, gtav_home(block));
    vec_push(&s->at.scopes, (struct smith_scope){.block = block});
    s->at.block_depth++;
}

void open_block(struct smith *s, struct cc_stmt *block)
{
    block->facts = (void *)(uintptr_t)gtav_new_home(&s->g, s->at.func->f);
    enter_block(s, block);
}

void close_block(struct smith *s)
{
    uint32_t home = s->g.open.at[--s->g.open.n];
    if (s->g.now.live && s->g.blocks.at[home].address_taken)
        state_kill(&s->g.f, &s->g.now, home);
    s->at.scopes.n--;
    vec_release(&s->at.scopes.at[s->at.scopes.n].vars);
    s->at.block_depth--;
}

static struct cc_stmt *innermost(struct smith *s)
{
    return s->at.scopes.at[s->at.scopes.n - 1].block;
}

struct cc_stmt *block_of(struct smith *s, int n)
{
    struct cc_stmt *block = cc_block(s->p);
    open_block(s, block);
    statements(s, n);
    close_block(s);
    return block;
}

int block_size(struct smith *s)
{
    return (int)between(s, 1, s->k.limit[SMITH_BLOCK_SIZE]);
}

/* -- simple statements ------------------------------------------------------------------------ */

/* After a store to a pointer variable: what the facts say it points to (4.4.4, 7.4.4). The set is
 * joined over all walks; smith.c turns it into an assertion or a comment at the end. */
static void note_facts(struct smith *s, const struct cc_expr *e)
{
    bool note = wants(s, SMITH_ASSERT_FACTS) || wants(s, SMITH_COMMENT_FACTS);
    if (!note || e->kind != CC_E_ASSIGN || e->a->kind != CC_E_VAR ||
        e->a->var->type->kind != CC_POINTER || e->a->var->type->has_volatile)
        return;
    struct cc_stmt *n = cc_stmt(s->p, CC_S_EMPTY);
    n->var = e->a->var;
    n->value = state_get(&s->g.f, &s->g.now, s->g.f.locs.at[n->var->mark].slot);
    cc_append(innermost(s), n);
}

static struct cc_stmt *assign_stmt(struct smith *s)
{
    struct cc_expr *e = NULL;
    for (int i = 0; i < 3 && !e; i++)
        e = assignment(s, true);
    if (!e)
        return cc_stmt(s->p, CC_S_EMPTY);
    cc_append(innermost(s), cc_expr_stmt(s->p, e));
    note_facts(s, e);
    return NULL;
}

static struct cc_stmt *call_stmt(struct smith *s)
{
    uint32_t set;
    struct cc_expr *e = call(s, NULL, &set);
    return e ? cc_expr_stmt(s->p, e) : assign_stmt(s);
}

static struct cc_stmt *if_stmt(struct smith *s)
{
    struct cc_expr *c = condition(s);
    struct state other = state_take(&s->g.f);
    state_copy(&s->g.f, &other, &s->g.now);
    struct cc_stmt *a = block_of(s, block_size(s)), *b = NULL;
    struct state after = s->g.now;
    s->g.now = other;
    other = after;
    if (percent(s, 60))
        b = block_of(s, block_size(s));
    state_join(&s->g.f, &other, &s->g.now);
    state_copy(&s->g.f, &s->g.now, &other);
    state_give(&s->g.f, &other);
    spend(s, 1);
    return cc_if(s->p, c, a, b);
}

/* A jump out, under a condition where a block may be nested here. */
static struct cc_stmt *under_condition(struct smith *s, struct cc_stmt *jump)
{
    if (s->at.block_depth > s->k.limit[SMITH_BLOCK_DEPTH]) {
        s->g.now.live = false;
        return jump;
    }
    bool simple = s->at.simple;
    s->at.simple = simple || percent(s, 70);
    struct cc_expr *c = condition(s);
    s->at.simple = simple;
    struct cc_stmt *then = cc_block(s->p);
    then->facts = (void *)(uintptr_t)gtav_new_home(&s->g, s->at.func->f);
    cc_append(then, jump);
    return cc_if(s->p, c, then, NULL);
}

/* A pointer that is returned points to nothing that ends with the function (4.4.3). */
static struct cc_expr *returned_pointer(struct smith *s, const struct cc_type *t)
{
    uint32_t set;
    size_t n = s->at.scopes.n;
    s->at.scopes.n = 0; /* no locals */
    struct cc_expr *e = pointer_value(s, t, percent(s, 10), &set);
    for (uint32_t i = 0; i < set_of(&s->g.f, set)->n; i++) {
        uint32_t home = s->g.f.locs.at[set_of(&s->g.f, set)->at[i]].home;
        if (home && s->g.blocks.at[home].func == s->at.func->f) {
            e = cc_addr(s->p, cc_use(s->p, new_variable(s, t->to, true)));
            break;
        }
    }
    s->at.scopes.n = n;
    return e;
}

static struct cc_expr *returned_value(struct smith *s, const struct cc_type *t)
{
    uint32_t set;
    return t->kind == CC_POINTER ? returned_pointer(s, t) : value_of(s, t, &set);
}

static struct cc_stmt *return_stmt(struct smith *s)
{
    struct cc_func *f = s->at.func->f;
    struct cc_stmt *r = cc_return(s->p, f, returned_value(s, f->type->to));
    s->g.now.live = false;
    return r;
}

/* -- loops ------------------------------------------------------------------------------------ */

struct header { /* of a counting loop */
    struct cc_var *var;
    int64_t first, step; /* step < 0: downwards */
    int64_t n;           /* iterations, if nothing leaves it */
    bool is_while, is_do;
    struct cc_expr *init; /* of those two: what stands before the loop */
};

static bool loop_variable(const struct smith *s, const struct cc_var *v)
{
    return cc_is_integer(v->type) && !v->type->quals && v->type->kind != CC_ENUM &&
           v->type->kind != CC_BOOL && v->type->kind != CC_CHAR && v->type->bits <= 64 &&
           !s->g.locked.at[v->mark] && v->storage != CC_EXTERN;
}

static struct cc_var *draw_loop_variable(struct smith *s, int fresh_percent)
{
    if (!percent(s, fresh_percent))
        for (int i = 0; i < 6; i++) {
            struct cc_var *v = pick_variable(s);
            if (loop_variable(s, v))
                return v;
        }
    const struct cc_type *t =
        percent(s, 60) ? cc_basic(&s->p->types, CC_INT) : s->ints.at[pick(s, s->ints.n)];
    return new_local_plain(s, t, cc_int(s->p, t, between(s, 0, 9), CC_DECIMAL));
}

static struct cc_expr *number(struct smith *s, int64_t v)
{
    return cc_int(s->p, cc_basic(&s->p->types, CC_INT), v, CC_DECIMAL);
}

/* The condition that holds for the first n values and not for the next. */
static struct cc_expr *loop_test(struct smith *s, const struct header *h)
{
    int64_t last = h->first + (h->n - 1) * h->step, next = last + h->step;
    struct cc_expr *v = cc_use(s->p, h->var);
    switch (pick(s, 3)) {
    case 0:
        return cc_binary(s->p, h->step > 0 ? CC_LT : CC_GT, v,
                         number(s, h->step > 0 ? last + 1 : last - 1));
    case 1:
        return cc_binary(s->p, h->step > 0 ? CC_LE : CC_GE, v, number(s, last));
    default:
        return cc_binary(s->p, CC_NE, v, number(s, next));
    }
}

static struct cc_expr *loop_step(struct smith *s, const struct header *h)
{
    struct cc_expr *v = cc_use(s->p, h->var);
    enum cc_op op = h->step > 0 ? CC_ADD : CC_SUB;
    int64_t size = h->step > 0 ? h->step : -h->step;
    if (size == 1 && percent(s, 60))
        return cc_incdec(s->p, op, percent(s, 60), v);
    return cc_assign(s->p, op, v, number(s, size));
}

/* The statement around a body; the values that its variable takes inside are in low..high. */
static struct cc_stmt *loop_around_body(struct smith *s, struct header *h, struct cc_stmt *body)
{
    struct cc_expr *init = cc_assign(s->p, CC_NONE, cc_use(s->p, h->var), number(s, h->first));
    struct cc_stmt *l;
    if (h->is_while || h->is_do) {
        h->init = init;
        l = cc_stmt(s->p, h->is_do ? CC_S_DO : CC_S_WHILE);
        /* while: the variable is one ahead inside */
        struct cc_expr *count = cc_incdec(s->p, CC_ADD, h->is_while, cc_use(s->p, h->var));
        l->expr = cc_binary(s->p, CC_LT, count, number(s, h->first + h->n));
        l->a = body;
    } else {
        struct cc_expr *test = loop_test(s, h);
        l = cc_for(s->p, init, test, loop_step(s, h), body);
    }
    l->facts = (void *)(uintptr_t)h->var->mark;
    return l;
}

static void truncate(struct smith *s, struct cc_stmt *body, size_t n)
{
    s->n_backtracks += body->list.n - n;
    body->list.n = n;
}

bool walk_watched(struct smith *s, struct cc_stmt *st, const struct cc_stmt *block,
                  const struct state *before, size_t *at)
{
    size_t open = s->g.open.n, loops = s->g.loops.n;
    const struct cc_stmt *watched = s->g.watched;
    state_copy(&s->g.f, &s->g.now, before);
    s->g.watched = block;
    s->g.failed_at = SIZE_MAX;
    gtav_stmt(&s->g, st);
    *at = s->g.failed_at;
    s->g.watched = watched;
    s->g.open.n = open;
    while (s->g.loops.n > loops)
        gtav_leave_loop(&s->g);
    bool valid = !s->g.bad;
    s->g.bad = false;
    return valid;
}

/* Remove from the loop what does not survive the iterations. */
static bool fixed_point(struct smith *s, struct cc_stmt *loop, const struct state *before)
{
    size_t at;
    while (!walk_watched(s, loop, loop->a, before, &at)) {
        if (at >= loop->a->list.n)
            return false;
        truncate(s, loop->a, at);
    }
    return true;
}

static void draw_header(struct smith *s, struct header *h, int64_t most)
{
    const struct cc_type *t = h->var->type;
    h->n = between(s, 1, most);
    bool down = percent(s, 30);
    h->step = percent(s, 65) ? 1 : between(s, 1, 4);
    h->first = percent(s, 60) ? 0 : between(s, t->is_signed ? -12 : 0, 12);
    if (wants(s, SMITH_WHILE))
        h->is_while = true;
    else if (wants(s, SMITH_DO))
        h->is_do = true;
    if (h->is_while || h->is_do) {
        h->step = 1;
        return;
    }
    if (down) {
        /* the value after the last must be representable: 0 or more if unsigned */
        if (!t->is_signed || h->first < 0)
            h->first = h->n * h->step + pick(s, 8);
        h->step = -h->step;
    }
}

static void push_iv(struct smith *s, const struct header *h)
{
    int64_t last = h->first + (h->n - 1) * h->step;
    struct smith_iv iv = {h->var, h->step > 0 ? h->first : last, h->step > 0 ? last : h->first};
    if (h->is_while) {
        iv.low++;
        iv.high++;
    }
    vec_push(&s->at.ivs, iv);
    gtav_lock(&s->g, h->var->mark, 1);
}

static void pop_iv(struct smith *s, const struct header *h)
{
    gtav_lock(&s->g, h->var->mark, -1);
    s->at.ivs.n--;
}

/* How many iterations the room allows; 0: no loop here. */
static int64_t affordable(const struct smith *s)
{
    int64_t n = s->at.room / s->at.times / 120;
    return n > 10 ? 10 : n;
}

/* A body inside the loop's context: `fill` makes its statements. */
static struct cc_stmt *loop_with(struct smith *s, struct header *h,
                                 void (*fill)(struct smith *s, void *arg), void *arg)
{
    struct state before = state_take(&s->g.f);
    state_copy(&s->g.f, &before, &s->g.now);
    int64_t times = s->at.times;
    int switches = s->at.switch_depth;
    spend(s, 8);
    s->at.times *= h->n;
    s->at.loop_depth++;
    s->at.switch_depth = 0;
    gtav_enter_loop(&s->g, false);
    push_iv(s, h);
    struct cc_stmt *body = cc_block(s->p);
    open_block(s, body);
    fill(s, arg);
    spend(s, 4);
    close_block(s);
    pop_iv(s, h);
    gtav_leave_loop(&s->g);
    s->at.loop_depth--;
    s->at.switch_depth = switches;
    s->at.times = times;
    struct cc_stmt *l = loop_around_body(s, h, body);
    if (h->init)
        gtav_value(&s->g, h->init); /* stores an integer: facts stay as they are */
    bool good = !s->g.bad && fixed_point(s, l, &before);
    if (good && h->init)
        cc_append(innermost(s), cc_expr_stmt(s->p, h->init));
    if (!good) {
        s->g.bad = false;
        state_copy(&s->g.f, &s->g.now, &before);
        l = cc_stmt(s->p, CC_S_EMPTY);
    }
    state_give(&s->g.f, &before);
    return l;
}

static void fill_statements(struct smith *s, void *arg)
{
    statements(s, *(int *)arg);
}

static struct cc_stmt *for_stmt(struct smith *s)
{
    int64_t most = affordable(s);
    if (most < 1)
        return assign_stmt(s);
    struct header h = {.var = draw_loop_variable(s, 30)};
    draw_header(s, &h, most);
    int n = block_size(s);
    return loop_with(s, &h, fill_statements, &n);
}

/* -- array statements: one to three loops over the elements of an array (3.4) ----------------- */

struct sweep {
    uint32_t lengths[6];
    int dims, at;
    int n; /* statements in the innermost body */
};

static void sweep_body(struct smith *s)
{
    bool simple = s->at.simple, aiming = s->aiming;
    bool nest = s->at.block_depth <= s->k.limit[SMITH_BLOCK_DEPTH];
    s->aiming = true;
    s->at.simple = simple || percent(s, 85);
    int n = (int)between(s, 1, 3);
    for (int i = 0; i < n && s->g.now.live; i++) {
        struct cc_stmt *st =
            nest && may(s, SMITH_IFS) && percent(s, 12) ? if_stmt(s) : assign_stmt(s);
        if (st)
            cc_append(innermost(s), st);
    }
    s->aiming = aiming;
    s->at.simple = simple;
}

static struct cc_stmt *sweep_loop(struct smith *s, struct sweep *w);

static void fill_sweep(struct smith *s, void *arg)
{
    struct sweep *w = arg;
    w->at++;
    if (w->at < w->dims && s->at.room / s->at.times > 300)
        cc_append(innermost(s), sweep_loop(s, w));
    else
        sweep_body(s);
    w->at--;
}

static struct cc_stmt *sweep_loop(struct smith *s, struct sweep *w)
{
    struct header h = {.var = draw_loop_variable(s, 85), .step = 1};
    h.n = w->lengths[w->at];
    int64_t most = s->at.room / s->at.times / 60;
    h.n = h.n > most ? most : h.n;
    h.n = h.n < 1 ? 1 : h.n;
    if (percent(s, 20)) {
        h.first = h.n - 1;
        h.step = -1;
        if (!h.var->type->is_signed) { /* it would have to pass 0 */
            h.first = 0;
            h.step = 1;
        }
    } else if (h.n > 2 && percent(s, 25)) { /* room for neighbours */
        h.first = 1;
        h.n -= 2;
    } else if (h.n > 3 && percent(s, 15)) {
        h.step = 2;
        h.n = (h.n + 1) / 2;
    }
    return loop_with(s, &h, fill_sweep, w);
}

static struct cc_stmt *array_stmt(struct smith *s)
{
    if (affordable(s) < 2)
        return assign_stmt(s);
    struct cc_var *v = NULL;
    for (int i = 0; i < 6 && !v; i++) {
        struct cc_var *c = pick_variable(s);
        if (c->type->kind == CC_ARRAY && !c->type->has_const && cc_is_integer(c->type->to))
            v = c;
    }
    if (!v) {
        int64_t most = s->k.limit[SMITH_ARRAY_LENGTH] < s->k.limit[SMITH_ARRAY_TOTAL]
                           ? s->k.limit[SMITH_ARRAY_LENGTH]
                           : s->k.limit[SMITH_ARRAY_TOTAL];
        uint32_t n = (uint32_t)between(s, most < 4 ? most : 4, most);
        v = new_variable(s, cc_array_of(&s->p->types, s->ints.at[pick(s, s->ints.n)], n), true);
    }
    struct sweep w = {0};
    for (const struct cc_type *t = v->type; t->kind == CC_ARRAY && w.dims < 6; t = t->to)
        w.lengths[w.dims++] = t->length;
    int64_t deepest = s->k.limit[SMITH_BLOCK_DEPTH] + 1 - s->at.block_depth;
    w.dims = w.dims < deepest ? w.dims : (int)deepest;
    return sweep_loop(s, &w);
}

/* -- any statement ---------------------------------------------------------------------------- */

static struct cc_stmt *statement(struct smith *s)
{
    enum { ASSIGN, IF, FOR, ARRAY, RETURN, CONTINUE, BREAK, GOTO, SWITCH, BLOCK, CALL, N };
    unsigned w[N];
    for (int i = 0; i < N; i++)
        w[i] = s->k.weight[SMITH_STMT_ASSIGN + i];
    bool nest = s->at.block_depth < s->k.limit[SMITH_BLOCK_DEPTH] + 1;
    bool room = s->at.room / s->at.times > 500;
    w[GOTO] = 0; /* jumps.c */
    w[IF] = nest && may(s, SMITH_IFS) ? w[IF] : 0;
    w[FOR] = nest && room && may(s, SMITH_LOOPS) ? w[FOR] : 0;
    w[ARRAY] = nest && room && may(s, SMITH_ARRAY_STATEMENTS) && may(s, SMITH_LOOPS) &&
                       may(s, SMITH_ARRAYS)
                   ? w[ARRAY]
                   : 0;
    /* the first function returns early only when it is nearly complete: all else comes after it */
    bool early = s->p->entry != s->at.func->f || s->tokens < s->size / 10;
    w[RETURN] = s->at.block_depth > 1 && early && may(s, SMITH_EARLY_RETURN) ? w[RETURN] : 0;
    w[CONTINUE] = s->at.loop_depth && may(s, SMITH_BREAK) ? w[CONTINUE] : 0;
    w[BREAK] = s->at.loop_depth && !s->at.switch_depth && may(s, SMITH_BREAK) ? w[BREAK] : 0;
    w[SWITCH] = nest && may(s, SMITH_SWITCH) ? w[SWITCH] : 0;
    w[BLOCK] = nest ? w[BLOCK] : 0;
    w[ASSIGN] += !w[ASSIGN];
    gtav_full_expression(&s->g);
    spend(s, 1);
    switch (choose_weighted(s->c, w, N)) {
    case IF:
        return if_stmt(s);
    case FOR:
        return for_stmt(s);
    case ARRAY:
        return array_stmt(s);
    case RETURN:
        return return_stmt(s);
    case CONTINUE:
        return under_condition(s, cc_stmt(s->p, CC_S_CONTINUE));
    case BREAK:
        return under_condition(s, cc_stmt(s->p, CC_S_BREAK));
    case SWITCH:
        return switch_stmt(s);
    case BLOCK:
        return block_of(s, block_size(s));
    case CALL:
        return call_stmt(s);
    default:
        return assign_stmt(s);
    }
}

void statements(struct smith *s, int n)
{
    for (int i = 0; i < n && s->g.now.live && (i == 0 || s->tokens > 0); i++) {
        struct cc_stmt *st = statement(s);
        if (s->g.bad)
            BUG("statement kind %d left something invalid: %s", st ? st->kind : -1, s->g.why);
        if (st && st->kind != CC_S_EMPTY)
            cc_append(innermost(s), st);
    }
}

static void call_new_function(struct smith *s)
{
    s->prefer_new = true;
    struct cc_stmt *st = call_stmt(s);
    s->prefer_new = false;
    if (st && st->kind != CC_S_EMPTY)
        cc_append(innermost(s), st);
}

/* The whole of a function: parameters are bound, `now` is its input. */
void function_body(struct smith *s, struct smith_func *f)
{
    bool entry = s->p->entry == f->f;
    state_copy(&s->g.f, &f->in, &s->g.now);
    enter_block(s, f->f->body);
    int64_t quota = s->size / 100 * between(s, 2, 12) + 200, start = s->tokens;
    while (s->g.now.live && s->tokens > 0 && (entry || start - s->tokens < quota) &&
           (entry || s->at.room > 60)) {
        /* no statement takes more than a part of the room: there is something left for the others
         */
        int64_t reserve = s->at.room / 8 * (entry ? 7 : 5);
        s->at.room -= reserve;
        if (entry && start - s->tokens > quota && percent(s, 40))
            call_new_function(s); /* the rest goes into others, as long as there may be more */
        else
            statements(s, 1);
        s->at.room += reserve;
    }
    s->g.now.live = true; /* a return is always there, also where nothing reaches it */
    cc_append(f->f->body, return_stmt(s));
    close_block(s);
}
