#include "gen/smith/smith.h"
#include "base/error.h"
#include "cc/builtin.h"
#include "cc/checksum.h"
#include "cc/emi.h"
#include "cc/print.h"
#include "gen/smith/smith_internal.h"
#include "interp/accesses.h"

#include <string.h>
#include <time.h>

static const char version[] = "4";

struct smith_generator {
    struct generator head;
    struct smith_config config, standard;
    uint64_t steps;     /* nodes that interp evaluated */
    int64_t interp_ns;  /* CPU time that it took */
    uint64_t n_dropped; /* programs that interp found invalid: defects of ours */
    struct strbuf why;  /* of the last of them */
};

/* -- the tree --------------------------------------------------------------------------------- */

enum { TOKENS_LEAST = 16000, TOKENS_MOST = 38000, SUPPORT_TOKENS = 600, LEAST_TOKENS = 200 };

static int64_t draw_size(struct smith *s)
{
    int64_t asked = s->k.limit[SMITH_SIZE];
    return asked ? asked : between(s, TOKENS_LEAST, TOKENS_MOST);
}

/* The notes of facts become assertions or comments (4.4.4, 7.4.4): joined over every path and
 * context that was walked, so they are context insensitive, as the dissertation has it. */
static void write_note(struct smith *s, struct cc_stmt *n)
{
    const struct pointee_set *set = set_of(&s->g.f, (uint32_t)n->value);
    struct strbuf text;
    strbuf_init(&text, 4096);
    strbuf_addf(&text, "%s ->", n->var->name);
    struct cc_expr *test = NULL;
    bool whole = true;
    for (uint32_t i = 0; i < set->n; i++) {
        const struct loc *l = &s->g.f.locs.at[set->at[i]];
        struct cc_expr *address = NULL;
        if (set->at[i] == LOC_NULL) {
            strbuf_adds(&text, " NULL");
            address = cc_null(s->p, n->var->type->plain);
        } else if (set->at[i] == LOC_GARBAGE) {
            strbuf_adds(&text, " GARBAGE");
        } else {
            strbuf_addf(&text, " %s%s", l->var->name, l->parent ? ".*" : "");
            /* only a whole global has an address that can be written anywhere */
            if (l->var->global && !l->parent && !l->in_array)
                address =
                    cc_convert(s->p, n->var->type->plain, cc_addr(s->p, cc_use(s->p, l->var)));
        }
        whole &= address != NULL;
        if (address) {
            struct cc_expr *same = cc_binary(s->p, CC_EQ, cc_use(s->p, n->var), address);
            test = test ? cc_binary(s->p, CC_LOR, test, same) : same;
        }
    }
    if (whole && test && may(s, SMITH_ASSERT_FACTS)) {
        struct cc_expr *trap = cc_builtin(s->p, CC_BUILTIN_TRAP, NULL, 0);
        n->kind = CC_S_IF;
        n->expr = cc_unary(s->p, CC_NOT, test);
        n->a = cc_block(s->p);
        cc_append(n->a, cc_expr_stmt(s->p, trap));
        n->var = NULL;
    } else if (may(s, SMITH_COMMENT_FACTS)) {
        n->kind = CC_S_COMMENT;
        n->name = arena_strdup(s->arena, text.s);
    }
    strbuf_release(&text);
}

static void write_notes(struct smith *s, struct cc_stmt *st)
{
    if (!st)
        return;
    if (st->kind == CC_S_EMPTY && st->var) {
        write_note(s, st);
        return;
    }
    if (st->kind == CC_S_BLOCK)
        for (size_t i = 0; i < st->list.n; i++)
            write_notes(s, st->list.at[i]);
    write_notes(s, st->a);
    write_notes(s, st->b);
}

static void list_effects(struct smith *s, const char *what, const uint32_t *locs, uint32_t n,
                         struct strbuf *out)
{
    strbuf_addf(out, "%s:", what);
    const struct cc_var *last = NULL;
    for (uint32_t i = 0; i < n; i++) {
        const struct cc_var *v = s->g.f.locs.at[locs[i]].var;
        if (v != last)
            strbuf_addf(out, " %s", v->name);
        last = v;
    }
}

/* Csmith's comment above each function: what it reads and writes. */
static void comment_effects(struct smith *s)
{
    for (size_t i = 0; i < s->funcs.n; i++) {
        struct cc_func *f = s->funcs.at[i]->f;
        const struct gtav_summary *sum = gtav_latest(&s->g, f);
        struct strbuf text;
        strbuf_init(&text, 8192);
        list_effects(s, "reads", sum->reads, sum->n_reads, &text);
        strbuf_adds(&text, "\n");
        list_effects(s, "writes", sum->writes, sum->n_writes, &text);
        f->comment = strbuf_keep(&text, s->arena);
    }
}

static void smith_init(struct smith *s, struct cc_program *p, struct choice *c,
                       const struct smith_config *k, struct arena *a)
{
    *s = (struct smith){.p = p, .c = c, .k = *k, .arena = a};
    cc_program_init(p, a, &cc_lp64);
    gtav_init(&s->g, a);
    p->n_units = (int)k->limit[SMITH_UNITS];
}

static void smith_release(struct smith *s)
{
    for (size_t i = 0; i < s->funcs.n; i++)
        state_give(&s->g.f, &s->funcs.at[i]->in);
    gtav_release(&s->g);
    vec_release(&s->ints);
    vec_release(&s->records);
    vec_release(&s->enums);
    vec_release(&s->globals);
    vec_release(&s->gathers);
    vec_release(&s->funcs);
    vec_release(&s->families);
}

/* Unless it was asked for, a feature at its default is there in so many of a hundred programs. */
static void draw_extension(struct smith *s, enum smith_feature f, int programs)
{
    if (s->k.feature[f] == smith_feature_standard(f) && !percent(s, programs))
        s->k.feature[f] = 0;
}

/* Everything but main. */
static void make_tree(struct smith *s)
{
    if (s->k.swarm)
        smith_config_swarm(&s->k, s->c);
    /* Programs differ in how much of them is memory and how much values in registers: what is good
     * for one optimisation is bad for another. Yes or no stays as it was asked. */
    if (s->k.feature[SMITH_POINTERS] < 1)
        s->k.feature[SMITH_POINTERS] *= (double)between(s, 2, 10) / 10;
    if (s->k.feature[SMITH_ARRAYS] < 1)
        s->k.feature[SMITH_ARRAYS] *= (double)between(s, 2, 10) / 10;
    /* What not every C compiler has comes in some programs only, so that all compilers get programs
     * that they must take. */
    draw_extension(s, SMITH_INT128, 10);
    draw_extension(s, SMITH_BUILTINS, 15);
    draw_extension(s, SMITH_CASE_RANGES, 15);
    draw_extension(s, SMITH_ODD_BITFIELDS, 50);
    draw_extension(s, SMITH_ALIGNED, 50);
    ieee_draw(s);
    s->g.relaxed_unions = may(s, SMITH_UNION_RELAXED);
    if (s->k.wrappers_drawn) {
        static const enum cc_wrappers kinds[] = {CC_WRAP_NEEDED, CC_WRAP_FUNCTIONS, CC_WRAP_MACROS};
        static const unsigned weights[] = {15, 8, 77};
        s->k.wrappers = kinds[choose_weighted(s->c, weights, 3)];
    }
    /* Main and the support come on top. Attempts that are dropped and nodes that print as nothing
     * are counted too: about a third. */
    int64_t size = draw_size(s) - SUPPORT_TOKENS;
    s->size = s->tokens = (size > LEAST_TOKENS ? size : LEAST_TOKENS) * 3 / 2;
    make_types(s);
    s->at.times = 1;
    s->at.room = INT64_MAX / 4;
    int n = (int)between(s, 4, 10);
    for (int i = 0; i < n; i++)
        new_variable(s, draw_variable_type(s, true), true);
    if (s->p->ieee_floats)
        ieee_globals(s);
    make_entry(s);
    drop_unused(s);
    for (size_t i = 0; i < s->funcs.n; i++)
        write_notes(s, s->funcs.at[i]->f->body);
    if (may(s, SMITH_COMMENT_FACTS))
        comment_effects(s);
}

/* -- its answer ------------------------------------------------------------------------------- */

struct answer {
    bool known;
    char expected[32];    /* what it prints */
    const char *accesses; /* the volatile accesses; NULL: none */
};

struct interp_options smith_interp_options(const struct smith *s)
{
    return (struct interp_options){.max_steps = (uint64_t)s->k.limit[SMITH_STEPS] * 40 + 1000000,
                                   .trace_volatile = may(s, SMITH_VOLATILES),
                                   .strict_unions = !may(s, SMITH_UNION_RELAXED)};
}

/* Run it: the checksum, and the proof that it has no undefined behaviour. False: it has, which is a
 * defect of ours; `why` says what. */
static bool find_answer(struct smith *s, struct answer *a, struct strbuf *why, uint64_t *steps)
{
    struct interp_options o = smith_interp_options(s);
    if (s->k.feature[SMITH_DEAD] < 1)
        steer(s, &o);
    struct interp *in = interp_new(s->p, &o);
    struct cc_final final = {in, interp_union_member, interp_points_to};
    bool good = interp_call(in, s->p->entry) == CC_UB_NONE;
    if (good) {
        cc_make_main(s->p, &final);
        good = interp_checksum(in) == CC_UB_NONE;
    }
    if (good) {
        snprintf(a->expected, sizeof a->expected, "checksum = %X\n", interp_checksum_value(in));
        a->known = true;
        a->accesses = may(s, SMITH_VOLATILES) ? interp_volatile_comment(s->p, in, s->arena) : NULL;
    } else {
        interp_explain(in, why);
    }
    *steps += interp_steps(in);
    interp_free(in);
    return good;
}

/* A variant with the same answer: what never ran is changed (cc/emi.h). In debug builds it is run
 * to see; false, with `why`: the answer is another one. */
static bool make_variant(struct smith *s, const struct answer *a, struct strbuf *why)
{
    cc_emi(s->p, s->c, s->k.emi, NULL);
#ifdef ASSAY_DEBUG
    char now[sizeof a->expected];
    struct interp_options o = smith_interp_options(s);
    struct interp *in = interp_new(s->p, &o);
    bool good = interp_run(in) == CC_UB_NONE;
    snprintf(now, sizeof now, "checksum = %X\n", interp_checksum_value(in));
    if (!good)
        interp_explain(in, why);
    else if (strcmp(now, a->expected) != 0)
        strbuf_addf(why, "a variant has the %.*s", (int)strcspn(now, "\n"), now);
    interp_free(in);
    return good && !strcmp(now, a->expected);
#else
    (void)a;
    (void)why;
    return true;
#endif
}

static int64_t cpu_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void skip_answer(struct smith *s)
{
    static const struct cc_final nothing = {0};
    cc_make_main(s->p, &nothing);
}

/* -- its text --------------------------------------------------------------------------------- */

static const char *header(struct smith *s, const struct generator *head, const struct choice *c,
                          const struct answer *a)
{
    struct strbuf h;
    strbuf_init(&h, 0);
    strbuf_adds(&h, "made by assay: ");
    gen_command(head->name, head->config, c->seed, &h);
    strbuf_addf(&h, "\nsmith %s, data model %s, %s", version, s->p->types.model->name,
                s->k.language == CC_CXX17 ? "C++17" : "C11");
    if (s->p->ieee_floats)
        strbuf_adds(&h, "\nneeds: " PROGRAM_NEEDS_IEEE_TOLD);
    if (a->known)
        strbuf_addf(&h, "\nexpected: checksum = %s", a->expected + strlen("checksum = "));
    if (h.n && h.s[h.n - 1] == '\n')
        h.s[--h.n] = '\0';
    if (a->accesses)
        strbuf_addf(&h, "\n%s", a->accesses);
    return strbuf_keep(&h, s->arena);
}

static void print_program(struct smith *s, const struct generator *head, const struct choice *c,
                          const struct answer *a, struct arena *arena, struct program *out)
{
    bool cxx = s->k.language == CC_CXX17;
    struct cc_print_options o = {
        .language = s->k.language, .wrappers = s->k.wrappers, .plain_types = s->k.plain_types};
    out->n_files = s->p->n_units;
    out->files = arena_array(arena, struct program_file, out->n_files);
    struct strbuf text;
    strbuf_init(&text, 0);
    for (int i = 0; i < out->n_files; i++) {
        strbuf_clear(&text);
        o.unit = i;
        o.header = header(s, head, c, a);
        cc_print_unit(s->p, &o, &text);
        const char *suffix = cxx ? "cc" : "c";
        const char *name =
            i ? arena_printf(arena, "t%d.%s", i, suffix) : arena_printf(arena, "t.%s", suffix);
        out->files[i] = program_file_new(arena, name, bytes_in(&text));
    }
    strbuf_release(&text);
}

/* -- the generator ---------------------------------------------------------------------------- */

enum { ATTEMPTS = 4 };

static int smith_next(struct generator *head, struct choice *c, struct arena *a,
                      struct program *out, struct error *e)
{
    struct smith_generator *g = (struct smith_generator *)head;
    struct arena work; /* the tree; the text lives longer */
    arena_init(&work);
    struct strbuf why;
    strbuf_init(&why, 4096);
    bool good = false;
    for (int attempt = 0; attempt < ATTEMPTS && !good; attempt++) {
        struct cc_program p;
        struct smith s;
        struct answer answer = {0};
        smith_init(&s, &p, c, &g->config, &work);
        make_tree(&s);
        if (may(&s, SMITH_INVALID_POINTERS)) {
            skip_answer(&s); /* undefined on purpose */
            good = true;
        } else {
            int64_t start = cpu_ns();
            good = find_answer(&s, &answer, &why, &g->steps);
            g->interp_ns += cpu_ns() - start;
            if (good && s.k.emi) /* drawn last: without it, the seed's program is what it was */
                good = make_variant(&s, &answer, &why);
        }
        if (good) {
            *out = gen_program(head, c->seed);
            out->trusted = answer.known;
            if (p.ieee_floats)
                out->needs = PROGRAM_NEEDS_IEEE;
            if (answer.known)
                out->expected = bytes_of(arena_strdup(a, answer.expected));
            print_program(&s, head, c, &answer, a, out);
        } else {
            g->n_dropped++;
            strbuf_clear(&g->why);
            strbuf_adds(&g->why, why.s);
            strbuf_clear(&why);
        }
        smith_release(&s);
        cc_program_release(&p);
        arena_reset(&work);
    }
    arena_release(&work);
    strbuf_release(&why);
    if (!good) {
        error_set(e, ERROR_ENVIRONMENT, "smith made no valid program for seed %llu: %.500s",
                  (unsigned long long)c->seed, g->why.s);
        return GEN_FAILED;
    }
    return 0;
}

/* The same program as a tree, with its main. */
static struct cc_program *smith_cc(struct generator *head, struct choice *c, struct arena *a,
                                   struct cc_print_options *print, struct error *e)
{
    struct smith_generator *g = (struct smith_generator *)head;
    struct strbuf why;
    strbuf_init(&why, 4096);
    struct cc_program *p = arena_new(a, struct cc_program);
    bool good = false;
    for (int attempt = 0; attempt < ATTEMPTS && !good; attempt++) {
        struct smith s;
        struct answer answer = {0};
        smith_init(&s, p, c, &g->config, a);
        make_tree(&s);
        good = !may(&s, SMITH_INVALID_POINTERS) && find_answer(&s, &answer, &why, &g->steps);
        if (good && s.k.emi)
            good = make_variant(&s, &answer, &why);
        *print = (struct cc_print_options){
            .language = s.k.language, .wrappers = s.k.wrappers, .plain_types = s.k.plain_types};
        smith_release(&s);
        if (!good)
            cc_program_release(p);
    }
    strbuf_release(&why);
    if (good)
        return p;
    error_set(e, ERROR_ENVIRONMENT, "smith has no valid tree for seed %llu",
              (unsigned long long)c->seed);
    return NULL;
}

struct cc_program *smith_tree(struct generator *head, struct choice *c, struct arena *a)
{
    struct cc_program *p = arena_new(a, struct cc_program);
    struct smith s;
    smith_init(&s, p, c, &((struct smith_generator *)head)->config, a);
    make_tree(&s);
    smith_release(&s);
    return p;
}

void smith_measure(const struct generator *head, uint64_t *steps, int64_t *interp_ns)
{
    const struct smith_generator *g = (const struct smith_generator *)head;
    *steps = g->steps;
    *interp_ns = g->interp_ns;
}

uint64_t smith_dropped(const struct generator *head, const char **why)
{
    const struct smith_generator *g = (const struct smith_generator *)head;
    if (why)
        *why = g->why.s;
    return g->n_dropped;
}

static void smith_close(struct generator *head)
{
    strbuf_release(&((struct smith_generator *)head)->why);
}

static int smith_open(struct generator *head, const char *name, const struct gen_context *context,
                      struct error *e)
{
    (void)name; /* its own */
    struct smith_generator *g = (struct smith_generator *)head;
    strbuf_init(&g->why, 4096);
    settings_default(&smith_settings, &g->standard);
    g->config = g->standard;
    if (gen_take_settings(head, context, &g->config, e))
        return -1;
    head->version = version;
    head->language = g->config.language == CC_CXX17 ? "c++" : "c";
    gen_keep_settings(head, &g->config, &g->standard);
    return 0;
}

const struct gen_class gen_smith = {
    .size = sizeof(struct smith_generator),
    .name = "smith",
    .help = "random C that is valid on every path, with its right answer (ours)",
    .open = smith_open,
    .next = smith_next,
    .release = smith_close,
    .settings = &smith_settings,
    .cc = smith_cc};
