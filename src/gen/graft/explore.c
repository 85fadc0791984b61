/* On which inputs is a function defined? */
#include "base/choice.h"
#include "gen/graft/harvest.h"
#include "gen/graft/run.h"

enum {
    SEARCHED = 40,  /* runs for a box while one is looked for */
    VERIFIED = 400, /* for the one that is kept */
    KEPT = 4,       /* runs that are recorded */
    MOST_RUNGS = 40,
    MOST_PARAMS = 16,
    MOST_NARROWED = 6, /* how often a box that was found may turn out too wide */
};
static const uint64_t most_work = 40 * 1000 * 1000; /* nodes, for one function */

struct rung {
    cc_wide low, high;
    bool text;
};

struct ladder {
    struct rung at[MOST_RUNGS];
    int n, on; /* which one is in use */
};

struct search {
    struct graft_function *f;
    struct graft_runner *runner;
    struct ladder *ladders;
    struct choice choice;
    cc_wide *in, *out;
    uint64_t max_steps, work, steps; /* steps: the most of a run */
    struct strbuf why;               /* of the last run that failed */
};

/* -- ladders ----------------------------------------------------------------------------------- */

static void add_rung(struct ladder *l, const struct cc_type *t, cc_wide low, cc_wide high,
                     bool text)
{
    bool fits = low >= cc_int_min(t) && high <= (cc_wide)cc_int_max(t) && low <= high;
    if (fits && l->n < MOST_RUNGS)
        l->at[l->n++] = (struct rung){low, high, text};
}

/* Ranges that real functions ask for, the widest first. */
static void add_ranges(struct ladder *l, const struct cc_type *t, bool text)
{
    static const struct {
        int low, high;
    } ranges[] = {{-1000, 1000}, {0, 65535}, {1, 65535}, {0, 1000}, {-128, 127}, {0, 255}, {1, 255},
                  {0, 127},      {32, 126},  {0, 63},    {1, 63},   {0, 31},     {1, 31},  {0, 16},
                  {1, 16},       {1, 12},    {0, 11},    {0, 15},   {48, 57},    {0, 8},   {1, 8},
                  {0, 7},        {0, 3},     {1, 3},     {0, 1}};
    cc_wide least = cc_int_min(t), most = (cc_wide)cc_int_max(t);
    add_rung(l, t, least, most, text);
    if (least < 0)
        add_rung(l, t, 0, most, text);
    add_rung(l, t, 1, most, text);
    if (least < 0) {
        add_rung(l, t, least / 2 + 1, most / 2, text);
        add_rung(l, t, 1, most / 2, text);
    }
    if (t->bits > 16) {
        cc_wide half = (cc_wide)1 << (t->bits / 2 - 1);
        add_rung(l, t, -half, half - 1, text);
        add_rung(l, t, 0, half - 1, text);
        add_rung(l, t, 1, half - 1, text);
    }
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (ranges[i].low > least || ranges[i].high < most)
            add_rung(l, t, ranges[i].low, ranges[i].high, text);
}

static bool is_character(const struct cc_type *t)
{
    return t->kind == CC_CHAR || t->kind == CC_SCHAR || t->kind == CC_UCHAR;
}

/* Characters may also have to end with 0; what is only read is taken for a text at first. */
static void make_ladder(struct ladder *l, const struct graft_param *p)
{
    l->n = l->on = 0;
    if (!p->array || !is_character(p->type)) {
        add_ranges(l, p->type, false);
        return;
    }
    static const struct {
        int low, high;
        bool text;
    } ranges[] = {{0, 0, false},   {0, 0, true},    {0, 127, false}, {0, 127, true}, {1, 127, true},
                  {32, 126, true}, {97, 122, true}, {48, 57, true},  {0, 15, false}, {0, 3, false}};
    bool text_first = p->type->kind == CC_CHAR && !p->written;
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        bool text = i < 4 && text_first ? !ranges[i].text : ranges[i].text;
        if (!ranges[i].high)
            add_rung(l, p->type, cc_int_min(p->type), (cc_wide)cc_int_max(p->type), text);
        else
            add_rung(l, p->type, ranges[i].low, ranges[i].high, text);
    }
}

static void step_on(struct search *s, int param, int rung)
{
    struct ladder *l = &s->ladders[param];
    struct graft_param *p = &s->f->params[param];
    l->on = rung < l->n ? rung : l->n - 1;
    p->low = l->at[l->on].low;
    p->high = l->at[l->on].high;
    p->text = l->at[l->on].text;
}

/* -- inputs ------------------------------------------------------------------------------------ */

/* The first runs are at the corners. */
static void draw_inputs(struct search *s, int run)
{
    cc_wide *in = s->in;
    for (int i = 0; i < s->f->n_params; in += s->f->params[i++].length) {
        const struct graft_param *p = &s->f->params[i];
        bool alike = run > 2 && choose(&s->choice, 8) == 0;
        bool digits = run > 2 && p->array && p->type->bits == 8 && choose(&s->choice, 6) == 0;
        for (uint32_t k = 0; k < p->length; k++) {
            cc_wide corner = run == 0 ? p->low : run == 1 ? p->high : graft_clamp(p, 0);
            in[k] = run < 3      ? corner
                    : alike && k ? in[0]
                    : digits     ? graft_clamp(p, '0' + (cc_wide)choose(&s->choice, 10))
                                 : graft_draw(p, &s->choice);
        }
        if (p->text)
            in[p->length - 1] = 0;
    }
}

/* -- boxes ------------------------------------------------------------------------------------- */

static bool run_once(struct search *s, int run)
{
    uint64_t steps = 0;
    strbuf_clear(&s->why);
    draw_inputs(s, run);
    enum cc_ub rule = graft_runner_run(s->runner, s->in, s->max_steps, s->out, &steps, &s->why);
    s->work += steps;
    s->steps = steps > s->steps ? steps : s->steps;
    return rule == CC_UB_NONE;
}

static bool holds(struct search *s, int runs)
{
    s->steps = 0;
    for (int i = 0; i < runs; i++)
        if (s->work > most_work || !run_once(s, i))
            return false;
    return true;
}

/* All parameters a rung down, until the box holds. */
static bool go_down(struct search *s, int from)
{
    for (int level = from; level < MOST_RUNGS; level++) {
        bool lower = false;
        for (int i = 0; i < s->f->n_params; i++) {
            lower |= level < s->ladders[i].n;
            step_on(s, i, level > s->ladders[i].on ? level : s->ladders[i].on);
        }
        if (!lower)
            break;
        if (holds(s, SEARCHED))
            return true;
    }
    return false;
}

static bool holds_below(struct search *s, int array)
{
    for (int level = 0; level < MOST_RUNGS; level++) {
        bool lower = false;
        for (int i = 0; i < s->f->n_params; i++) {
            const struct ladder *l = &s->ladders[i];
            if (i == array || s->f->params[i].array || level <= l->on)
                continue;
            lower |= level < l->n;
            step_on(s, i, level);
        }
        if ((lower || !level) && holds(s, SEARCHED))
            return true;
    }
    return false;
}

/* What arrays hold matters more than how much of them is used: for them, numbers go down. */
static void widen_array(struct search *s, int array)
{
    int on[MOST_PARAMS];
    for (int i = 0; i < s->f->n_params; i++)
        on[i] = s->ladders[i].on;
    for (int rung = 0; rung < on[array]; rung++) {
        step_on(s, array, rung);
        if (holds_below(s, array))
            return;
        for (int i = 0; i < s->f->n_params; i++)
            step_on(s, i, on[i]);
    }
}

static void widen_number(struct search *s, int i)
{
    int on = s->ladders[i].on;
    for (int rung = 0; rung < on; rung++) {
        step_on(s, i, rung);
        if (holds(s, SEARCHED))
            return;
        step_on(s, i, on);
    }
}

static void widen(struct search *s)
{
    for (int i = 0; i < s->f->n_params; i++)
        if (s->f->params[i].array)
            widen_array(s, i);
    for (int i = 0; i < s->f->n_params; i++)
        if (!s->f->params[i].array)
            widen_number(s, i);
}

/* What was found with few runs holds with many, or one parameter goes down again. */
static bool verify(struct search *s)
{
    for (int narrowed = 0; narrowed < MOST_NARROWED; narrowed++) {
        if (holds(s, VERIFIED))
            return true;
        bool found = false;
        for (int i = 0; i < s->f->n_params && !found; i++) {
            int on = s->ladders[i].on;
            for (int rung = on + 1; rung < s->ladders[i].n && !found; rung++) {
                step_on(s, i, rung);
                found = holds(s, SEARCHED * 4);
            }
            if (!found)
                step_on(s, i, on);
        }
        if (!found && !go_down(s, 1))
            return false;
    }
    return false;
}

static bool find_box(struct search *s)
{
    for (int i = 0; i < s->f->n_params; i++) {
        make_ladder(&s->ladders[i], &s->f->params[i]);
        step_on(s, i, 0);
    }
    if (!go_down(s, 0))
        return false;
    widen(s);
    return verify(s);
}

/* -- runs to keep ------------------------------------------------------------------------------ */

/* Those that come out in another way than the ones before. */
static void record(struct search *s, struct arena *a)
{
    size_t n_in = (size_t)graft_inputs(s->f), n_out = (size_t)graft_outputs(s->f);
    struct graft_function *f = s->f;
    f->tries = arena_array(a, struct graft_try, KEPT);
    for (int run = 3; run < VERIFIED && f->n_tries < KEPT; run++) {
        if (!run_once(s, run))
            continue;
        bool seen = false;
        for (int i = 0; i < f->n_tries; i++)
            seen |= !memcmp(f->tries[i].out, s->out, n_out * sizeof *s->out);
        if (seen)
            continue;
        struct graft_try *t = &f->tries[f->n_tries++];
        t->in = arena_array(a, cc_wide, n_in + 1);
        t->out = arena_array(a, cc_wide, n_out + 1);
        memcpy(t->in, s->in, n_in * sizeof *t->in);
        memcpy(t->out, s->out, n_out * sizeof *t->out);
    }
}

static const char *explore(struct search *s, struct arena *a)
{
    if (!find_box(s))
        return s->work > most_work ? "it takes too long"
               : s->why.n          ? arena_strdup(a, s->why.s)
                                   : "no range of values was found";
    s->f->steps = s->steps;
    record(s, a);
    return s->f->n_tries > 1 ? NULL : "the result is always the same";
}

const char *graft_explore(struct graft_function *f, uint64_t max_steps, struct arena *a)
{
    struct search s = {.f = f, .max_steps = max_steps};
    const char *why = NULL;
    if (f->n_params > MOST_PARAMS)
        return "too many parameters";
    s.runner = graft_runner_new(f, a, &why);
    if (!s.runner)
        return why;
    s.ladders = arena_array(a, struct ladder, f->n_params);
    s.in = arena_array(a, cc_wide, graft_inputs(f) + 1);
    s.out = arena_array(a, cc_wide, graft_outputs(f) + 1);
    choice_init_random(&s.choice, 1);
    strbuf_init(&s.why, 700);
    why = explore(&s, a);
    strbuf_release(&s.why);
    choice_release(&s.choice);
    graft_runner_free(s.runner);
    return why;
}
