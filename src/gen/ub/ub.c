#include "gen/ub/ub.h"
#include "base/text.h"
#include "cc/checksum.h"
#include "cc/build.h"
#include "cc/fork.h"
#include "cc/print.h"
#include "cc/walk.h"
#include "gen/ub/rows.h"
#include "interp/interp.h"
#include "program/undefined.h"

#include <string.h>

static const char version[] = "1";

enum base { BASE_SMITH, BASE_YARP, N_BASES };
static const char *const base_name[] = {"smith", "yarp", NULL};

struct ub_config {
    enum base base;
    const char *rule; /* a rule or row; "": any */
    int64_t size;
    bool heap;
};

struct ub_generator {
    struct generator head;
    struct ub_config config, standard;
    struct generator *base;
};

/* -- settings ---------------------------------------------------------------------------------- */

static int set_rule(const struct setting *s, void *to, struct arena *a, const char *value,
                    struct error *e)
{
    string_list names = {0};
    bool known = !*value;
    for (int i = 0; i < ub_n_rows && !known; i++) {
        const char *rule = cc_ub_rules[ub_rows[i].rule].name;
        known = ub_row_is(&ub_rows[i], value);
        vec_push(&names, rule);
        vec_push(&names, arena_printf(a, "%s/%s", rule, ub_rows[i].name));
    }
    const char *near = known ? NULL : text_nearest(value, names.at, names.n);
    vec_release(&names);
    if (!known)
        return error_set(e, ERROR_USAGE, "%s: there is no rule or row '%s'%s%s%s", s->name, value,
                         near ? ": did you mean '" : "", near ? near : "", near ? "'?" : "");
    return setting_take(s, to, a, value, e);
}

static void list_rows(struct strbuf *out)
{
    strbuf_adds(out, "; The rows, as rule/row:\n");
    for (int i = 0; i < ub_n_rows; i++)
        strbuf_addf(out, ";   %s/%s\n", cc_ub_rules[ub_rows[i].rule].name, ub_rows[i].name);
}

#define ROW(of, called, member, value, says)                                                       \
    SETTING_ROW(of, called, struct ub_config, member, value, says)
static const struct setting rows[] = {
    {ROW(WORD, "base", base, "smith", "whose programs are edited (smith or yarp)"),
     .words = base_name},
    {ROW(TEXT, "rule", rule, "", "only this rule, as out-of-bounds, or row, as out-of-bounds/heap"),
     .set = set_rule},
    {ROW(INT, "size", size, "600", "aim at a program of this many tokens"), .least = 200,
     .most = 1000000},
    {ROW(SWITCH, "heap", heap, "on", "also memory from malloc")},
};
static const struct settings ub_settings = {"ub", rows, SETTINGS_COUNT(rows), list_rows};

/* -- places ------------------------------------------------------------------------------------ */

/* A value in a statement that was executed. */
struct site {
    struct cc_expr **slot;
    struct cc_stmt *block; /* the statement is its `at`th */
    size_t at;
};

struct sites {
    VEC(struct site) values;     /* what can be replaced by another value */
    VEC(struct site) operations; /* whose right operand can be replaced */
};

static bool is_value(const struct cc_expr *e)
{
    bool reads = e->kind == CC_E_VAR || e->kind == CC_E_MEMBER || e->kind == CC_E_INDEX ||
                 e->kind == CC_E_DEREF || e->kind == CC_E_INT;
    enum cc_kind kind = e->type->kind;
    return reads && kind > CC_BOOL && kind <= CC_ULLONG && !e->safe && cc_bitfield_bits(e) < 0;
}

/* What is computed in it, but no lvalues: those that are written, and indices, stay. */
static void look_at(struct sites *s, struct cc_expr **slot, struct cc_stmt *block, size_t at)
{
    struct cc_expr *e = *slot;
    struct site here = {slot, block, at};
    switch ((enum cc_expr_kind)e->kind) {
    case CC_E_BINARY:
        vec_push(&s->operations, here);
        break;
    case CC_E_ASSIGN:
        if (e->op != CC_NONE)
            vec_push(&s->operations, here);
        look_at(s, &e->b, block, at);
        return;
    case CC_E_UNARY:
    case CC_E_LOGICAL:
    case CC_E_COND:
    case CC_E_COMMA:
    case CC_E_CAST:
    case CC_E_CALL:
        break;
    default:
        if (is_value(e))
            vec_push(&s->values, here);
        return;
    }
    struct cc_expr **part;
    for (uint32_t i = e->kind == CC_E_CALL; (part = cc_operand(e, i)); i++)
        look_at(s, part, block, at);
}

static void look_in(struct sites *s, struct cc_stmt *stmt)
{
    for (size_t i = 0; stmt && i < stmt->list.n; i++) {
        struct cc_stmt *child = stmt->list.at[i];
        bool fits = child->kind == CC_S_EXPR || child->kind == CC_S_IF ||
                    (child->kind == CC_S_RETURN && child->expr);
        if (child->ran && fits)
            look_at(s, &child->expr, stmt, i);
        look_in(s, child);
    }
    if (stmt && stmt->a)
        look_in(s, stmt->a);
    if (stmt && stmt->b)
        look_in(s, stmt->b);
}

static struct sites find_sites(const struct cc_program *p)
{
    struct sites s = {0};
    for (size_t i = 0; i < p->funcs.n; i++)
        if (p->funcs.at[i] != p->main)
            look_in(&s, p->funcs.at[i]->body);
    return s;
}

/* -- one edit ---------------------------------------------------------------------------------- */

/* What there was before, to be put back. */
struct before {
    struct cc_expr *value;
    struct cc_stmt *stmt;
    size_t n_globals, n_funcs;
    bool safe, changed;
};

/* The operand of an operation that is there. */
static bool change(const struct ub_row *row, struct ub_edit *u, const struct site *s)
{
    struct cc_expr *e = *s->slot, *operand = row->change(u, e);
    if (!operand)
        return false;
    e->b = operand;
    e->safe = false;
    e->marked = true;
    return true;
}

static bool replace(const struct ub_row *row, struct ub_edit *u, const struct site *s)
{
    struct cc_expr *old = *s->slot, *made = row->make(u, old);
    if (!made)
        return false;
    *s->slot = made->type->plain == old->type->plain && made->type->quals == 0
                   ? made
                   : cc_cast(u->p, old->type->plain, made);
    return true;
}

/* Ahead of the statement: the operation's value is stored. What it stands for is a variable. */
static bool store(const struct ub_row *row, struct ub_edit *u)
{
    static const enum cc_kind kinds[] = {CC_INT, CC_UCHAR, CC_LLONG, CC_UINT, CC_SHORT};
    const struct cc_types *t = &u->p->types;
    const struct cc_type *type = cc_basic(t, kinds[choose(u->c, 5)]), *i = cc_basic(t, CC_INT);
    struct cc_var *old = ub_global(u, i, cc_int(u->p, i, 77, CC_DECIMAL));
    struct cc_var *to = ub_global(u, type, cc_int(u->p, type, 0, CC_DECIMAL));
    struct cc_expr *made = row->make(u, cc_use(u->p, old));
    if (made)
        vec_push(&u->before, cc_expr_stmt(u->p, cc_assign(u->p, CC_NONE, cc_use(u->p, to), made)));
    return made != NULL;
}

enum { STORED_OF = 3 }; /* one edit of so many is a statement of its own */

static bool edit(struct cc_program *p, struct choice *c, const struct ub_row *row,
                 const struct site *s, struct before *b)
{
    struct ub_edit u = {.p = p, .c = c};
    struct cc_expr *e = *s->slot;
    *b = (struct before){.value = row->change ? e->b : e,
                         .stmt = s->block->list.at[s->at],
                         .n_globals = p->globals.n,
                         .n_funcs = p->funcs.n,
                         .safe = e->safe,
                         .changed = row->change != NULL};
    jmp_buf *outer = p->misfit, misfit;
    p->misfit = &misfit;
    volatile bool done = false;
    bool stored = row->make && choose(c, STORED_OF) == 0;
    if (!setjmp(misfit))
        done = row->change ? change(row, &u, s) : stored ? store(row, &u) : replace(row, &u, s);
    p->misfit = outer;
    if (done && u.before.n) {
        struct cc_stmt *block = cc_block(p);
        for (size_t i = 0; i < u.before.n; i++)
            cc_append(block, u.before.at[i]);
        cc_append(block, b->stmt);
        s->block->list.at[s->at] = block;
    }
    vec_release(&u.before);
    return done;
}

static void undo(struct cc_program *p, const struct site *s, const struct before *b)
{
    if (b->changed) {
        struct cc_expr *e = *s->slot;
        e->b = b->value;
        e->safe = b->safe;
        e->marked = false;
    } else {
        *s->slot = b->value;
    }
    s->block->list.at[s->at] = b->stmt;
    p->globals.n = b->n_globals;
    p->funcs.n = b->n_funcs;
}

/* -- is it so? --------------------------------------------------------------------------------- */

struct known {
    uint32_t checksum; /* of the twin */
    struct interp_ub ub;
};

static bool run_twin(struct cc_program *p, const struct interp_options *o, struct known *k,
                     uint64_t *steps)
{
    cc_forks_go(p, false);
    struct interp *in = interp_new(p, o);
    bool good = interp_call(in, p->entry) == CC_UB_NONE;
    if (good) {
        struct cc_final final = {in, interp_union_member, interp_points_to};
        cc_make_main(p, &final);
        good = interp_checksum(in) == CC_UB_NONE;
        k->checksum = interp_checksum_value(in);
    }
    if (steps)
        *steps = interp_steps(in);
    interp_free(in);
    return good;
}

/* The first undefined operation is this one, by this rule. */
static bool run_undefined(struct cc_program *p, const struct interp_options *o,
                          const struct ub_row *row, struct known *k)
{
    const struct cc_expr *marked = cc_marked(p);
    cc_forks_go(p, true);
    struct interp *in = interp_new(p, o);
    bool good = marked && interp_call(in, p->entry) == row->rule;
    k->ub = *interp_violation(in);
    interp_free(in);
    cc_forks_go(p, false);
    return good && cc_is_within(k->ub.expr, marked);
}

enum { ROWS_TRIED = 40, SITES_TRIED = 6, SLACK_STEPS = 100000 };

static const struct ub_row *draw_row(const struct ub_config *k, struct choice *c)
{
    VEC(const struct ub_row *) list = {0};
    for (int i = 0; i < ub_n_rows; i++)
        if ((!*k->rule || ub_row_is(&ub_rows[i], k->rule)) && (k->heap || !ub_rows[i].heap))
            vec_push(&list, &ub_rows[i]);
    const struct ub_row *row = list.n ? list.at[choose(c, list.n)] : NULL;
    vec_release(&list);
    return row;
}

static bool try_row(struct cc_program *p, struct choice *c, const struct sites *s,
                    const struct ub_row *row, const struct interp_options *o, struct known *k)
{
    size_t n = row->change ? s->operations.n : s->values.n;
    for (int i = 0; i < SITES_TRIED && n; i++) {
        struct before b;
        const struct site *at =
            row->change ? &s->operations.at[choose(c, n)] : &s->values.at[choose(c, n)];
        bool made = edit(p, c, row, at, &b);
        if (made && run_twin(p, o, k, NULL) && run_undefined(p, o, row, k))
            return true;
        undo(p, at, &b);
    }
    return false;
}

/* The tree of an edited program; NULL: none of the edits that were tried is right. */
static struct cc_program *make(struct ub_generator *g, struct choice *c, struct arena *a,
                               struct cc_print_options *print, const struct ub_row **row,
                               struct known *k, struct error *e)
{
    struct cc_program *p = g->base->class->cc(g->base, c, a, print, e);
    if (!p)
        return NULL;
    struct interp_options o = {0};
    uint64_t steps;
    bool good = run_twin(p, &o, k, &steps);
    o.max_steps = steps * 4 + SLACK_STEPS;
    struct sites s = find_sites(p);
    bool done = false;
    for (int i = 0; i < ROWS_TRIED && good && !done; i++) {
        *row = draw_row(&g->config, c);
        done = *row && try_row(p, c, &s, *row, &o, k);
    }
    vec_release(&s.values);
    vec_release(&s.operations);
    print->wrappers = CC_WRAP_NEEDED;
    print->site = true;
    if (done)
        return p;
    cc_program_release(p);
    error_set(e, ERROR_ENVIRONMENT, "ub found no edit for seed %llu", (unsigned long long)c->seed);
    return NULL;
}

/* -- its text ---------------------------------------------------------------------------------- */

static const char *header(const struct generator *head, uint64_t seed, const char *more,
                          struct arena *a)
{
    struct ub_generator *g = (struct ub_generator *)head;
    struct strbuf h;
    strbuf_init(&h, 0);
    strbuf_adds(&h, "made by assay: ");
    gen_command(head->name, head->config, seed, &h);
    strbuf_addf(&h, "\nub %s, %s %s, data model lp64, C11\n%s", version, g->base->name,
                g->base->version, more);
    return strbuf_keep(&h, a);
}

static struct program_file print_one(struct cc_program *p, struct cc_print_options print,
                                     const char *name, const char *head, struct arena *a)
{
    struct strbuf text;
    strbuf_init(&text, 0);
    print.header = head;
    cc_print_unit(p, &print, &text);
    struct program_file f = program_file_new(a, name, bytes_in(&text));
    strbuf_release(&text);
    return f;
}

static int ub_next(struct generator *head, struct choice *c, struct arena *a, struct program *out,
                   struct error *e)
{
    struct ub_generator *g = (struct ub_generator *)head;
    struct arena work;
    struct cc_print_options print;
    const struct ub_row *row;
    struct known k;
    arena_init(&work);
    struct cc_program *p = make(g, c, &work, &print, &row, &k, e);
    if (!p) {
        arena_release(&work);
        return GEN_FAILED;
    }
    *out = gen_program(head, c->seed);
    out->n_files = 2;
    out->files = arena_array(a, struct program_file, 2);
    out->build_only = true;
    if (p->ieee_floats)
        out->needs = PROGRAM_NEEDS_IEEE;
    const char *twin = arena_printf(
        &work, "valid twin of " UNDEFINED_FILE "\nexpected: checksum = %X", k.checksum);
    struct undefined u = {.rule = cc_ub_rules[row->rule].name, .row = row->name, .func = ""};
    cc_forks_go(p, true);
    /* Where it is depends on the lines that say where it is, but not on what they say. */
    for (int round = 0; round < 2; round++) {
        const char *says = undefined_comment(&u, &work);
        out->files[0] = print_one(p, print, UNDEFINED_FILE, header(head, c->seed, says, &work), a);
        undefined_locate(&out->files[0], CC_PRINT_SITE, &u);
        u.stored = cc_is_stored(k.ub.stmt, cc_marked(p));
        u.first = k.ub.stmt && k.ub.stmt->line ? (int)k.ub.stmt->line : u.line;
        u.func = k.ub.func ? k.ub.func->name : "";
    }
    cc_forks_go(p, false);
    out->files[1] = print_one(p, print, UNDEFINED_TWIN, header(head, c->seed, twin, &work), a);
    cc_program_release(p);
    arena_release(&work);
    return 0;
}

/* The same as a tree, whose forks go the valid way. */
static struct cc_program *ub_cc(struct generator *head, struct choice *c, struct arena *a,
                                struct cc_print_options *print, struct error *e)
{
    const struct ub_row *row;
    struct known k;
    return make((struct ub_generator *)head, c, a, print, &row, &k, e);
}

/* -- the generator ----------------------------------------------------------------------------- */

/* One file, no floats that ask for flags, one execution that is short. */
static int open_base(struct ub_generator *g, const struct gen_context *context, struct error *e)
{
    struct gen_context of_base = *context;
    const char *size = arena_printf(&g->head.arena, "size=%lld", (long long)g->config.size);
    const char *const smith[] = {size, "ieee-floats=off", "wrappers=needed"};
    const char *const yarp[] = {size, "form=single-file"};
    of_base.config = NULL;
    of_base.settings = g->config.base == BASE_YARP ? yarp : smith;
    of_base.n_settings = g->config.base == BASE_YARP ? 2 : 3;
    return gen_open(base_name[g->config.base], &of_base, &g->base, e);
}

static int ub_open(struct generator *head, const char *name, const struct gen_context *context,
                   struct error *e)
{
    (void)name; /* its own */
    struct ub_generator *g = (struct ub_generator *)head;
    settings_default(&ub_settings, &g->standard);
    g->config = g->standard;
    if (gen_take_settings(head, context, &g->config, e) || open_base(g, context, e))
        return -1;
    head->version = arena_printf(&head->arena, "%s.%s", version, g->base->version);
    head->language = "c";
    gen_keep_settings(head, &g->config, &g->standard);
    return 0;
}

static void ub_close(struct generator *head)
{
    gen_close(((struct ub_generator *)head)->base);
}

const struct gen_class gen_ub = {
    .size = sizeof(struct ub_generator),
    .name = "ub",
    .help = "programs with one undefined operation and their valid twins, for sanitizers (ours)",
    .open = ub_open,
    .next = ub_next,
    .release = ub_close,
    .settings = &ub_settings,
    .cc = ub_cc};
