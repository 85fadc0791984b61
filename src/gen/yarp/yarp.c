/* The generator: draws the policies, makes environment and functions, finds the checksum, prints
 * the files. */
#include "gen/yarp/yarp.h"

#include "cc/checksum.h"
#include "cc/emi.h"
#include "gen/yarp/yarp_internal.h"
#include "interp/interp.h"

#include <string.h>

static const char version[] = "3";

struct yarp_generator {
    struct generator head;
    struct yarp_config config, standard;
    bool check;
    struct yarp_counts counts;
};

/* Tokens of a program whose size is not given: mostly 90 to 280 KB of text. */
enum { TOKENS_LEAST = 30000, TOKENS_MOST = 66000, TOKENS_PER_TEST = 2500, LEAST_TOKENS = 300 };

/* -- op= and ++ ------------------------------------------------------------------------------- */

static bool same(const struct cc_expr *a, const struct cc_expr *b)
{
    if (a->kind != b->kind || a->type != b->type || a->effects || b->effects)
        return false;
    switch (a->kind) {
    case CC_E_VAR:
        return a->var == b->var;
    case CC_E_INT:
        return a->value == b->value;
    case CC_E_MEMBER:
        return a->field == b->field && same(a->a, b->a);
    case CC_E_INDEX:
    case CC_E_BINARY:
        return a->op == b->op && same(a->a, b->a) && same(a->b, b->b);
    case CC_E_DEREF:
    case CC_E_UNARY:
    case CC_E_CAST:
        return a->op == b->op && same(a->a, b->a);
    default:
        return false;
    }
}

static struct cc_expr *bare(struct cc_expr *e) /* without what C converts by itself */
{
    while (e->kind == CC_E_CAST && e->implicit)
        e = e->a;
    return e;
}

/* x = x op e means the same as x op= e, also in the types it is computed in (6.5.16.2p3). Only now,
 * when nothing will be rewritten any more, can it be written so. */
static struct cc_expr *compound(struct yarp *y, struct cc_expr *e)
{
    if (!e || e->kind != CC_E_ASSIGN || e->op != CC_NONE || !takes(y, YARP_COMPOUND))
        return e;
    struct cc_expr *value = bare(e->b);
    if (value->kind != CC_E_BINARY || value->op > CC_XOR || cc_bitfield_bits(e->a) >= 0)
        return e;
    /* the value may have been narrowed only by the assignment itself */
    if (e->type->kind == CC_BOOL || !same(e->a, bare(value->a)))
        return e;
    struct cc_expr *right = bare(value->b);
    bool one = right->kind == CC_E_INT && right->value == 1;
    if (one && (value->op == CC_ADD || value->op == CC_SUB) && percent(y, 60))
        return cc_incdec(y->p, value->op, percent(y, 50), e->a);
    return cc_assign(y->p, value->op, e->a, right);
}

static void write_compounds(struct yarp *y, struct cc_stmt *s)
{
    if (!s)
        return;
    if (s->kind == CC_S_EXPR)
        s->expr = compound(y, s->expr);
    if (s->kind == CC_S_BLOCK)
        for (size_t i = 0; i < s->list.n; i++)
            write_compounds(y, s->list.at[i]);
    s->step = compound(y, s->step);
    write_compounds(y, s->a);
    write_compounds(y, s->b);
}

/* -- the tree --------------------------------------------------------------------------------- */

static void yarp_init(struct yarp *y, struct cc_program *p, struct choice *c,
                      const struct yarp_config *k, struct arena *a)
{
    *y = (struct yarp){.p = p, .c = c, .k = k, .arena = a, .at.times = 1};
    cc_program_init(p, a, &cc_lp64);
    values_init(&y->v, p, c, a);
    yarp_draw(k, c, &y->d);
    p->n_units = k->form == YARP_SINGLE_FILE ? 1 : 2;
    y->v.negative_right_shift = has(y, YARP_NEGATIVE_SHIFTS);
    y->v.skips = has(y, YARP_DEAD_UB);
    y->room = k->limit[YARP_LIMIT_STEPS];
    y->tokens = k->limit[YARP_LIMIT_SIZE] ? k->limit[YARP_LIMIT_SIZE]
                                          : between(y, TOKENS_LEAST, TOKENS_MOST);
    if (y->tokens < LEAST_TOKENS)
        y->tokens = LEAST_TOKENS;
}

static void yarp_release(struct yarp *y)
{
    values_release(&y->v);
    vec_release(&y->structs);
    for (int r = 0; r < N_ROLES; r++)
        for (int s = 0; s < N_SHAPES; s++)
            vec_release(&y->vars[r][s]);
    vec_release(&y->bounds);
    vec_release(&y->locals);
    vec_release(&y->read);
    vec_release(&y->loops);
    vec_release(&y->funcs);
    vec_release(&y->kept_local);
}

static void make_tests(struct yarp *y)
{
    struct cc_stmt *calls = cc_block(y->p);
    const struct cc_type *nothing = basic(y, CC_VOID);
    int n = (int)(y->tokens / TOKENS_PER_TEST) + 1;
    int64_t each = y->tokens / n;
    for (int i = 0; i < n; i++) {
        struct cc_func *f =
            cc_function(y->p, arena_printf(y->arena, "test_%d", i + 1), nothing, NULL, 0);
        f->unit = y->p->n_units - 1;
        if (y->k->form == YARP_SINGLE_FILE)
            f->attributes = CC_ATTR_NOINLINE;
        yarp_new_test(y, f, each);
        cc_append(calls, cc_expr_stmt(y->p, cc_call(y->p, cc_func_use(y->p, f), NULL, 0)));
    }
    y->p->entry = cc_function(y->p, "run_tests", nothing, NULL, 0);
    y->p->entry->body = calls;
}

/* What the program prints, by construction: the values are known, main is run on them. */
static uint32_t find_checksum(struct yarp *y)
{
    cc_make_main(y->p, NULL);
    struct cc_stmt *body = y->p->main->body;
    y->v.mode = VALUES_RUNNING;
    y->v.crc = cc_crc_start();
    for (size_t i = 1; i < body->list.n; i++) { /* [0] is the call of the entry */
        struct cc_stmt *s = body->list.at[i];
        if (s->kind == CC_S_DECL)
            values_add(&y->v, s->var);
        else
            values_exec(&y->v, s);
        values_forget(&y->v);
    }
    return cc_crc_end(y->v.crc);
}

/* Everything, with main; returns the checksum. */
static uint32_t make_tree(struct yarp *y, struct yarp_counts *counts)
{
    yarp_new_environment(y);
    make_tests(y);
    if (y->v.stale) { /* what called it before may come out differently */
        values_reset(&y->v);
        yarp_settle(y, y->p->entry->body);
        counts->again++;
    }
    for (size_t i = 0; i < y->p->funcs.n; i++)
        write_compounds(y, y->p->funcs.at[i]->body);
    uint32_t checksum = find_checksum(y);
    counts->programs++;
    counts->with_loops += y->n_loops > 0;
    counts->loops += y->n_loops;
    counts->steps += y->v.steps;
    counts->rewritten += y->v.n_rewritten;
    return checksum;
}

/* The interpreter's opinion; 0, or GEN_FAILED with an error that says what it saw. Afterwards each
 * statement knows whether it ran. */
static int check(struct yarp *y, uint32_t checksum, struct error *e)
{
    int status = 0;
    struct interp *in = interp_new(y->p, &(struct interp_options){0});
    if (interp_run(in) != CC_UB_NONE) {
        struct strbuf why;
        strbuf_init(&why, 4096);
        interp_explain(in, &why);
        error_set(e, ERROR_ENVIRONMENT, "yarp, seed %llu: %.500s", (unsigned long long)y->c->seed,
                  why.s);
        strbuf_release(&why);
        status = GEN_FAILED;
    } else if (interp_checksum_value(in) != checksum) {
        error_set(e, ERROR_ENVIRONMENT, "yarp, seed %llu: the checksum is %X, interp has %X",
                  (unsigned long long)y->c->seed, checksum, interp_checksum_value(in));
        status = GEN_FAILED;
    }
    interp_free(in);
    return status;
}

/* -- its files -------------------------------------------------------------------------------- */

static const char *header(struct yarp *y, const struct generator *head, const char *expected)
{
    struct strbuf h;
    strbuf_init(&h, 0);
    strbuf_adds(&h, "made by assay: ");
    gen_command(head->name, head->config, y->c->seed, &h);
    strbuf_addf(&h, "\nyarp %s, data model %s, %s\nexpected: %.*s", version,
                y->p->types.model->name, y->k->language == CC_CXX17 ? "C++17" : "C11",
                (int)strcspn(expected, "\n"), expected);
    return strbuf_keep(&h, y->arena);
}

static struct program_file file(struct arena *a, const char *name, const char *suffix,
                                struct strbuf *text)
{
    struct program_file f =
        program_file_new(a, arena_printf(a, "%s.%s", name, suffix), bytes_in(text));
    strbuf_release(text);
    return f;
}

static void print_files(struct yarp *y, const struct generator *head, struct arena *a,
                        struct program *out)
{
    bool single = y->k->form == YARP_SINGLE_FILE;
    const char *suffix = y->k->language == CC_CXX17 ? "cc" : "c";
    struct cc_print_options o = {.language = y->k->language,
                                 .wrappers = CC_WRAP_NONE,
                                 .hide_globals = single,
                                 .brief_main = true,
                                 .header = header(y, head, out->expected.data)};
    struct strbuf shared, units[2];
    strbuf_init(&shared, 0);
    strbuf_init(&units[0], 0);
    strbuf_init(&units[1], 0);
    out->n_files = single ? 1 : 3;
    out->files = arena_array(a, struct program_file, out->n_files);
    if (single) {
        cc_print_unit(y->p, &o, &units[0]);
        out->files[0] = file(a, "t", suffix, &units[0]);
        strbuf_release(&units[1]);
        strbuf_release(&shared);
        return;
    }
    const char *func = y->k->form == YARP_SHARED_LIBRARY ? "libfunc" : "func";
    cc_print_parts(y->p, &o, &shared, units);
    out->files[0] = file(a, "driver", suffix, &units[0]);
    out->files[1] = file(a, func, suffix, &units[1]);
    out->files[2] = file(a, "init", "h", &shared);
}

/* -- the generator ---------------------------------------------------------------------------- */

static int yarp_next(struct generator *head, struct choice *c, struct arena *a, struct program *out,
                     struct error *e)
{
    struct yarp_generator *g = (struct yarp_generator *)head;
    struct arena work;
    arena_init(&work);
    struct cc_program p;
    struct yarp y;
    yarp_init(&y, &p, c, &g->config, &work);
    uint32_t checksum = make_tree(&y, &g->counts);
    int status = g->check || g->config.emi ? check(&y, checksum, e) : 0;
    if (!status && g->config.emi) { /* drawn last: without it, the seed's program is what it was */
        cc_emi(&p, c, g->config.emi, NULL);
        status = g->check ? check(&y, checksum, e) : 0;
    }
    if (!status) {
        *out = gen_program(head, c->seed);
        out->trusted = true;
        out->expected = bytes_of(arena_printf(a, "checksum = %X\n", checksum));
        print_files(&y, head, a, out);
    }
    yarp_release(&y);
    cc_program_release(&p);
    arena_release(&work);
    return status;
}

/* The same program as a tree; it is printed as units that stand alone. */
static struct cc_program *yarp_cc(struct generator *head, struct choice *c, struct arena *a,
                                  struct cc_print_options *print, struct error *e)
{
    struct yarp_generator *g = (struct yarp_generator *)head;
    struct cc_program *p = arena_new(a, struct cc_program);
    struct yarp y;
    yarp_init(&y, p, c, &g->config, a);
    uint32_t checksum = make_tree(&y, &g->counts);
    int status = 0;
    if (g->config.emi) {
        status = check(&y, checksum, e);
        if (!status)
            cc_emi(p, c, g->config.emi, NULL);
    }
    *print = (struct cc_print_options){.language = g->config.language,
                                       .wrappers = CC_WRAP_NONE,
                                       .hide_globals = g->config.form == YARP_SINGLE_FILE,
                                       .brief_main = true};
    yarp_release(&y);
    if (status)
        cc_program_release(p);
    return status ? NULL : p;
}

struct cc_program *yarp_tree(struct generator *head, struct choice *c, struct arena *a)
{
    struct yarp_generator *g = (struct yarp_generator *)head;
    struct cc_program *p = arena_new(a, struct cc_program);
    struct yarp y;
    yarp_init(&y, p, c, &g->config, a);
    make_tree(&y, &g->counts);
    yarp_release(&y);
    return p;
}

void yarp_check(struct generator *head, bool on)
{
    ((struct yarp_generator *)head)->check = on;
}

struct yarp_counts yarp_measure(const struct generator *head)
{
    return ((const struct yarp_generator *)head)->counts;
}

static int yarp_open(struct generator *head, const char *name, const struct gen_context *context,
                     struct error *e)
{
    (void)name; /* its own */
    struct yarp_generator *g = (struct yarp_generator *)head;
    settings_default(&yarp_settings, &g->standard);
    g->config = g->standard;
    if (gen_take_settings(head, context, &g->config, e))
        return -1;
#ifdef ASSAY_DEBUG
    g->check = true;
#endif
    head->version = version;
    head->language = g->config.language == CC_CXX17 ? "c++" : "c";
    gen_keep_settings(head, &g->config, &g->standard);
    return 0;
}

static void yarp_explain_hook(struct generator *head, struct choice *c, struct strbuf *out)
{
    struct yarp_drawn d;
    yarp_draw(&((struct yarp_generator *)head)->config, c, &d);
    yarp_explain(&d, out);
}

const struct gen_class gen_yarp = {
    .size = sizeof(struct yarp_generator),
    .name = "yarp",
    .help = "random C and C++ without wrappers, by generation policies (ours)",
    .open = yarp_open,
    .next = yarp_next,
    .settings = &yarp_settings,
    .explain = yarp_explain_hook,
    .cc = yarp_cc};
