/* Small programs for smith's analysis: interp/make.h makes them, this has them walked.
 *
 *     start();                        the globals below, and an empty func_1
 *     set(STAR(p), I(1));
 *     valid("name");                  or invalid("why", "name")
 *
 * For more than that: adopt(), walk(), questions about the facts, done(). Sets of locations are
 * compared as text: "NULL x s.f1", in order of definition. */
#ifndef ASSAY_TESTS_GEN_WALK_H
#define ASSAY_TESTS_GEN_WALK_H

#include "base/error.h"
#include "gen/smith/gtav.h"
#include "interp/make.h"

static struct gtav G;

/* -- from a tree to something that can be walked ----------------------------------------------- */

static void adopt_stmt(struct cc_stmt *s, struct cc_func *f, uint32_t home)
{
    if (!s)
        return;
    if (s->kind == CC_S_BLOCK) {
        home = gtav_new_home(&G, f);
        s->facts = (void *)(uintptr_t)home;
        for (size_t i = 0; i < s->list.n; i++)
            adopt_stmt(s->list.at[i], f, home);
    } else if (s->kind == CC_S_DECL) {
        gtav_add_var(&G, s->var, s->var->storage == CC_STATIC ? 0 : home);
        gtav_initialise(&G, s->var);
    } else if (s->kind == CC_S_LABEL) {
        s->facts = arena_new(&make_arena, struct gtav_label);
        G.blocks.at[home].has_labels = true;
    }
    adopt_stmt(s->a, f, home);
    adopt_stmt(s->b, f, home);
}

/* What smith does bit by bit while it makes a program: every object gets its locations and initial
 * facts, every block its home. Afterwards `now` holds the facts at the start. */
static void adopt(void)
{
    gtav_init(&G, &make_arena);
    for (size_t i = 0; i < P->globals.n; i++) {
        gtav_add_var(&G, P->globals.at[i], 0);
        gtav_initialise(&G, P->globals.at[i]);
    }
    for (size_t i = P->funcs.n; i-- > 0;) { /* the entry last: its locals may point to parameters */
        struct cc_func *f = P->funcs.at[i];
        for (int k = 0; k < f->n_params; k++) /* the next home is that of the body */
            gtav_add_var(&G, f->params[k], (uint32_t)G.blocks.n);
        adopt_stmt(f->body, f, 0);
    }
}

static bool walk(void)
{
    struct state in = state_take(&G.f);
    state_copy(&G.f, &in, &G.now);
    bool good = gtav_function(&G, P->entry, &in);
    state_give(&G.f, &in);
    return good;
}

static void give_back(struct cc_stmt *s) /* what labels hold */
{
    if (!s)
        return;
    for (size_t i = 0; s->kind == CC_S_BLOCK && i < s->list.n; i++)
        give_back(s->list.at[i]);
    if (s->kind == CC_S_LABEL)
        state_give(&G.f, &((struct gtav_label *)s->facts)->in);
    give_back(s->a);
    give_back(s->b);
}

static void done(void)
{
    for (size_t i = 0; i < P->funcs.n; i++)
        give_back(P->funcs.at[i]->body);
    gtav_release(&G);
    finish();
}

/* The program is complete: it is valid. */
__attribute__((unused)) static void valid(const char *name)
{
    adopt();
    if (!ok(walk(), "%s", name))
        printf("# rejected: %s\n", G.why);
    done();
}

/* ... or not, because of `why`. */
__attribute__((unused)) static void invalid(const char *why, const char *name)
{
    adopt();
    if (ok(!walk(), "%s", name))
        is_str(G.why, why, "  because: %s", why);
    done();
}

/* -- what the facts say ------------------------------------------------------------------------ */

static const char *set_text(uint32_t set)
{
    static char texts[8][128];
    static int next;
    char *text = texts[next++ % 8];
    size_t n = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < set_of(&G.f, set)->n; i++) {
        uint32_t loc = set_of(&G.f, set)->at[i];
        const struct loc *l = &G.f.locs.at[loc];
        const char *name = loc == LOC_NULL ? "NULL" : loc == LOC_GARBAGE ? "GARBAGE" : l->var->name;
        n += (size_t)snprintf(text + n, 128 - n, "%s%s", n ? " " : "", name);
        if (loc >= LOC_FIRST && l->parent)
            n += (size_t)snprintf(text + n, 128 - n, ".%s",
                                  G.f.locs.at[l->parent].type->record->fields[l->field].name);
    }
    return text;
}

__attribute__((unused)) static uint32_t fact(uint32_t loc)
{
    return state_get(&G.f, &G.now, G.f.locs.at[loc].slot);
}

__attribute__((unused)) static const char *points(const struct cc_var *v)
{
    return set_text(fact(v->mark));
}

/* A statement that notes what `v` points to, joined over all times that it is walked. */
__attribute__((unused)) static struct cc_stmt *note(struct cc_var *v)
{
    struct cc_stmt *s = put(cc_stmt(P, CC_S_EMPTY));
    s->var = v;
    return s;
}

__attribute__((unused)) static const char *noted(const struct cc_stmt *s)
{
    return set_text((uint32_t)s->value);
}

/* -- a few words more -------------------------------------------------------------------------- */

#define NIL(v) cc_null(P, (v)->type)
#define STAR(p) DEREF(V(p))
#define TO(v) ADDR(V(v))
#define COND(c, a, b) cc_cond(P, (c), (a), (b))
#define AND(a, b) BIN(CC_LAND, (a), (b))

static struct cc_var *x, *y, *z, *c; /* integers */
static struct cc_var *p, *q;         /* pointers to int, to x and to y */
static struct cc_var *row;           /* int[3] */

static void start(void)
{
    begin(&cc_lp64);
    x = global("x", INT, NULL);
    y = global("y", INT, NULL);
    z = global("z", INT, NULL);
    c = global("c", INT, NULL);
    p = global("p", PTR(INT), TO(x));
    q = global("q", PTR(INT), TO(y));
    row = global("row", ARRAY(INT, 3), NULL);
}

__attribute__((unused)) static void enter_else(void)
{
    struct cc_stmt *s = leave();
    struct cc_stmt *parent = make_blocks[make_depth];
    struct cc_stmt *i = parent->list.at[parent->list.n - 1];
    REQUIRE(i->kind == CC_S_IF && i->a == s);
    i->b = cc_block(P);
    enter(i->b);
}

__attribute__((unused)) static void enter_switch(struct cc_expr *e)
{
    enter(put(cc_switch(P, e, cc_block(P)))->a);
}

__attribute__((unused)) static void enter_do(struct cc_expr *condition)
{
    struct cc_stmt *s = put(cc_stmt(P, CC_S_DO));
    s->expr = condition;
    s->a = cc_block(P);
    enter(s->a);
}

__attribute__((unused)) static void put_kind(enum cc_stmt_kind kind)
{
    put(cc_stmt(P, kind));
}

__attribute__((unused)) static void goto_if(struct cc_expr *e, struct cc_stmt *label)
{
    enter_if(e);
    put(cc_goto(P, label));
    leave();
}

/* A program of this one expression; `e` is made when the program is there. */
#define ACCEPTED(e, name)                                                                          \
    do {                                                                                           \
        start();                                                                                   \
        eval(e);                                                                                   \
        valid(name);                                                                               \
    } while (0)
#define REJECTED(e, why, name)                                                                     \
    do {                                                                                           \
        start();                                                                                   \
        eval(e);                                                                                   \
        invalid(why, name);                                                                        \
    } while (0)

/* The same as the last expression of a program that was begun. */
__attribute__((unused)) static void valid_expr(struct cc_expr *e, const char *name)
{
    eval(e);
    valid(name);
}

__attribute__((unused)) static void invalid_expr(struct cc_expr *e, const char *why,
                                                 const char *name)
{
    eval(e);
    invalid(why, name);
}

/* int f(int a, int b) { x = x + a; return b; } */
__attribute__((unused)) static struct cc_func *writer(void)
{
    struct cc_var *a = param("a", INT), *b = param("b", INT);
    struct cc_func *f = function("f", INT, a, b);
    set(V(x), ADD(V(x), V(a)));
    give(V(b));
    end_function();
    return f;
}

#endif
