/* Statements: ten kinds (dissertation, 3.4) and ours, drawn by Table 3.1. Loops are in loops.c,
 * switch statements in control.c. */
#include "gen/smith/smith_internal.h"
#include "base/error.h"

/* -- blocks ----------------------------------------------------------------------------------- */

static void enter_block(struct smith *s, struct cc_stmt *block)
{
    vec_push(&s->g.open, gtav_home(block));
    vec_push(&s->at.scopes, (struct smith_scope){.block = block, .n_tested = s->at.n_tested});
    s->at.block_depth++;
}

void open_block(struct smith *s, struct cc_stmt *block)
{
    block->facts = (void *)(uintptr_t)gtav_new_home(&s->g, s->at.func->f);
    enter_block(s, block);
}

void close_block(struct smith *s)
{
    use_locals(s);
    uint32_t home = s->g.open.at[--s->g.open.n];
    if (s->g.now.live && s->g.blocks.at[home].address_taken)
        state_kill(&s->g.f, &s->g.now, home);
    s->at.scopes.n--;
    s->at.n_tested = s->at.scopes.at[s->at.scopes.n].n_tested;
    vec_release(&s->at.scopes.at[s->at.scopes.n].vars);
    s->at.block_depth--;
}

struct cc_stmt *innermost_block(struct smith *s)
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
    cc_append(innermost_block(s), n);
}

struct cc_stmt *assign_stmt(struct smith *s)
{
    struct cc_expr *e = NULL;
    for (int i = 0; i < 3 && !e; i++)
        e = assignment(s, true);
    if (!e)
        return cc_stmt(s->p, CC_S_EMPTY);
    cc_append(innermost_block(s), cc_expr_stmt(s->p, e));
    note_facts(s, e);
    return NULL;
}

static struct cc_stmt *call_stmt(struct smith *s)
{
    uint32_t set;
    struct cc_expr *e = call(s, NULL, &set);
    if (!e)
        return assign_stmt(s);
    return wants(s, SMITH_DEAD) || e->type->kind == CC_ENUM ? cc_expr_stmt(s->p, e)
                                                            : use_value(s, e);
}

struct cc_stmt *if_stmt(struct smith *s)
{
    struct cc_expr *c = condition(s);
    struct state other = gtav_fork(&s->g);
    struct cc_stmt *a = block_of(s, block_size(s)), *b = NULL;
    if (percent(s, 35)) {
        gtav_other_way(&s->g, &other);
        b = block_of(s, block_size(s));
        gtav_other_way(&s->g, &other);
    }
    gtav_meet(&s->g, &other);
    spend(s, 1);
    struct cc_stmt *branch = cc_if(s->p, c, a, b);
    turnable(branch);
    return branch;
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
    struct cc_stmt *branch = cc_if(s->p, c, then, NULL);
    turnable(branch);
    return branch;
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
    if (t->kind == CC_POINTER)
        return returned_pointer(s, t);
    /* A call of the same type as it is: no more than a jump where the compiler sees it. */
    struct cc_expr *tail = wants(s, SMITH_TAIL_CALLS) ? call(s, t, &set) : NULL;
    return tail ? tail : value_of(s, t, &set);
}

static struct cc_stmt *return_stmt(struct smith *s)
{
    struct cc_func *f = s->at.func->f;
    struct cc_stmt *r = cc_return(s->p, f, with_sum(s, returned_value(s, f->type->to)));
    s->g.now.live = false;
    return r;
}

/* Most stand under a condition of their own: what comes behind a loop or a block that always
 * returns is dead. */
static struct cc_stmt *early_return(struct smith *s)
{
    if (s->at.block_depth > s->k.limit[SMITH_BLOCK_DEPTH] || percent(s, 12))
        return return_stmt(s);
    struct cc_expr *c = condition(s);
    struct state other = state_keep(&s->g.f, &s->g.now);
    struct cc_stmt *then = cc_block(s->p);
    open_block(s, then);
    cc_append(then, return_stmt(s));
    close_block(s);
    state_copy(&s->g.f, &s->g.now, &other);
    state_give(&s->g.f, &other);
    struct cc_stmt *branch = cc_if(s->p, c, then, NULL);
    turnable(branch);
    return branch;
}

/* -- any statement ---------------------------------------------------------------------------- */

static struct cc_stmt *statement(struct smith *s)
{
    enum {
        ASSIGN,
        IF,
        FOR,
        ARRAY,
        RETURN,
        CONTINUE,
        BREAK,
        GOTO,
        SWITCH,
        BLOCK,
        CALL,
        NEST,
        IDIOM,
        N
    };
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
    w[NEST] =
        nest && room && may(s, SMITH_LOOP_NESTS) && may(s, SMITH_LOOPS) && may(s, SMITH_ARRAYS)
            ? w[NEST]
            : 0;
    w[IDIOM] = may(s, SMITH_IDIOMS) ? w[IDIOM] : 0;
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
        return early_return(s);
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
    case NEST:
        return nest_stmt(s);
    case IDIOM:
        return idiom_stmt(s);
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
            cc_append(innermost_block(s), st);
    }
}

static void call_new_function(struct smith *s)
{
    s->prefer_new = true;
    struct cc_stmt *st = call_stmt(s);
    s->prefer_new = false;
    if (st && st->kind != CC_S_EMPTY)
        cc_append(innermost_block(s), st);
}

/* The whole of a function: parameters are bound, `now` is its input. */
void function_body(struct smith *s, struct smith_func *f)
{
    bool entry = s->p->entry == f->f;
    state_copy(&s->g.f, &f->in, &s->g.now);
    enter_block(s, f->f->body);
    int64_t quota = s->size / 100 * between(s, 2, 12) + 200, start = s->tokens;
    if (f->nest)
        cc_append(f->f->body, nest_block(s, f->nest));
    while (!f->nest && s->g.now.live && s->tokens > 0 && (entry || start - s->tokens < quota) &&
           (entry || s->at.room > 60)) {
        /* no statement takes more than a part of the room: there is something left for the others
         */
        int64_t reserve = s->at.room / 8 * (entry ? 7 : 5);
        s->at.room -= reserve;
        if (entry && start - s->tokens > quota && percent(s, 60))
            call_new_function(s); /* the rest goes into others, as long as there may be more */
        else
            statements(s, 1);
        s->at.room += reserve;
    }
    if (entry)
        encore(s);
    end_of_function(s);
    s->g.now.live = true; /* a return is always there, also where nothing reaches it */
    cc_append(f->f->body, return_stmt(s));
    close_block(s);
}
