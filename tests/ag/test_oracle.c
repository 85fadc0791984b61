/* The search against brute force: small random specifications, all of whose valid texts are known.
 *
 * A specification is a tower of classes: productions have up to three children of classes further
 * down, so that all trees are finite. Each class has an inherited and a synthesized number, some
 * have guards. What a child inherits may depend on what its elder siblings synthesize. The oracle
 * enumerates every tree; the search must find a valid one whenever there is one, nothing else, and,
 * given enough seeds, each of them: a fail pattern that is too general would lose some (IV-B4). */
#include "ag/runtime.h"
#include "ag/search.h"
#include "base/map.h"
#include "tap.h"

#include <stdlib.h>

enum { CLASSES = 4, PRODUCTIONS = 3, CHILDREN = 3, MOST_TEXTS = 300, MOST_STEPS = 20000 };

/* a + b * inherited + the synthesized numbers of some children */
struct sum {
    int constant, inherited;
    bool uses[CHILDREN];
};

struct a_production {
    int n_children, child[CHILDREN];
    struct sum inherits[CHILDREN]; /* may use elder siblings only */
    struct sum result;
    struct sum guard; /* sum compared with `limit` */
    int compare, limit;
};

struct a_class {
    bool guarded, unit, literal;
    int n_productions;
    struct a_production productions[PRODUCTIONS];
};

struct a_spec {
    struct a_class classes[CLASSES];
};

/* -- drawing a specification ------------------------------------------------------------------- */

static struct sum draw_sum(struct choice *c, int n_children)
{
    struct sum s = {.constant = (int)choose(c, 4)};
    s.inherited = (int)choose(c, 3) - 1;
    for (int i = 0; i < n_children; i++)
        s.uses[i] = choose_flip(c, 0.5);
    return s;
}

static void draw_spec(struct choice *c, struct a_spec *s)
{
    *s = (struct a_spec){0};
    for (int k = 0; k < CLASSES; k++) {
        struct a_class *class = &s->classes[k];
        class->guarded = choose_flip(c, 0.6);
        class->unit = choose_flip(c, 0.2);
        class->n_productions = 1 + (int)choose(c, PRODUCTIONS);
        for (int i = 0; i < class->n_productions; i++) {
            struct a_production *p = &class->productions[i];
            p->n_children = k == CLASSES - 1 ? 0 : (int)choose(c, CHILDREN + 1);
            if (k == 0 && p->n_children < 2)
                p->n_children = 2;
            for (int j = 0; j < p->n_children; j++) {
                p->child[j] = k + 1 + (int)choose(c, (uint64_t)(CLASSES - 1 - k));
                p->inherits[j] = draw_sum(c, j);
            }
            p->result = draw_sum(c, p->n_children);
            p->guard = draw_sum(c, p->n_children);
            p->compare = (int)choose(c, 3);
            p->limit = (int)choose(c, 7);
        }
    }
}

static void add_sum(struct strbuf *out, const struct sum *s)
{
    strbuf_addf(out, "(+ %d (* %d this.i)", s->constant, s->inherited);
    for (int j = 0; j < CHILDREN; j++)
        if (s->uses[j])
            strbuf_addf(out, " c%d.s", j);
    strbuf_adds(out, ")");
}

static void add_production(struct strbuf *out, const struct a_class *class, int index)
{
    static const char *const compares[] = {"<=", ">=", "=="};
    const struct a_production *p = &class->productions[index];
    strbuf_addf(out, "  p%d(\"%d", index, index);
    for (int j = 0; j < p->n_children; j++)
        strbuf_addf(out, "%s${c%d : K%d}%s", j ? "" : "(", j, p->child[j],
                    j + 1 == p->n_children ? ")" : ",");
    strbuf_adds(out, "\") { this.s = ");
    add_sum(out, &p->result);
    for (int j = 0; j < p->n_children; j++) {
        strbuf_addf(out, "; c%d.i = ", j);
        add_sum(out, &p->inherits[j]);
    }
    if (class->guarded) {
        strbuf_addf(out, "; this.g = (%s ", compares[p->compare]);
        add_sum(out, &p->guard);
        strbuf_addf(out, " %d)", p->limit);
    }
    strbuf_adds(out, "; }\n");
}

static void write_spec(const struct a_spec *s, struct strbuf *out)
{
    strbuf_adds(out, "class Root { r(\"${k : K0}\") { k.i = 1; } }\n");
    for (int k = 0; k < CLASSES; k++) {
        const struct a_class *class = &s->classes[k];
        strbuf_addf(out, "@max_alternatives(1000000) %sclass K%d { inh i : int; syn s : int;%s\n",
                    class->unit ? "@unit " : "", k, class->guarded ? " grd g;" : "");
        for (int i = 0; i < class->n_productions; i++)
            add_production(out, class, i);
        strbuf_adds(out, "}\n");
    }
}

/* -- the oracle -------------------------------------------------------------------------------- */

struct text {
    char s[160];
    int value; /* what it synthesizes */
};

struct texts {
    struct text *at;
    int n;
    bool overflow;
    int *steps; /* left for the whole enumeration */
};

static int sum_of(const struct sum *s, int inherited, const int *below)
{
    int value = s->constant + s->inherited * inherited;
    for (int j = 0; j < CHILDREN; j++)
        value += s->uses[j] ? below[j] : 0;
    return value;
}

static bool holds(const struct a_class *class, const struct a_production *p, int inherited,
                  const int *below)
{
    int value = sum_of(&p->guard, inherited, below);
    return !class->guarded || (p->compare == 0   ? value <= p->limit
                               : p->compare == 1 ? value >= p->limit
                                                 : value == p->limit);
}

static void all_of_class(const struct a_spec *s, int k, int inherited, struct texts *out);

static void all_of_children(const struct a_spec *s, int k, int index, int inherited, int child,
                            const char *so_far, int *below, struct texts *out)
{
    const struct a_production *p = &s->classes[k].productions[index];
    if (child >= p->n_children || child >= CHILDREN) {
        if (!holds(&s->classes[k], p, inherited, below))
            return;
        if (out->n == MOST_TEXTS || strlen(so_far) > 150) {
            out->overflow = true;
            return;
        }
        snprintf(out->at[out->n].s, sizeof out->at->s, "%s%s", so_far, p->n_children ? ")" : "");
        out->at[out->n++].value = sum_of(&p->result, inherited, below);
        return;
    }
    struct texts here = {.at = malloc(MOST_TEXTS * sizeof *here.at), .steps = out->steps};
    out->overflow |= --*out->steps < 0;
    all_of_class(s, p->child[child], sum_of(&p->inherits[child], inherited, below), &here);
    out->overflow |= here.overflow;
    for (int i = 0; i < here.n && !out->overflow; i++) {
        char text[400];
        snprintf(text, sizeof text, "%s%s%s", so_far, child ? "," : "(", here.at[i].s);
        below[child] = here.at[i].value;
        all_of_children(s, k, index, inherited, child + 1, text, below, out);
    }
    below[child] = 0;
    free(here.at);
}

static void all_of_class(const struct a_spec *s, int k, int inherited, struct texts *out)
{
    for (int i = 0; i < s->classes[k].n_productions && *out->steps >= 0; i++) {
        int below[CHILDREN] = {0};
        char text[16];
        snprintf(text, sizeof text, "%d", i);
        all_of_children(s, k, i, inherited, 0, text, below, out);
    }
}

/* -- the search -------------------------------------------------------------------------------- */

struct tally {
    int specs, empty, wrong, missed, found_all, small, texts, restarts;
};

static void search_all(struct ag_search *search, const struct texts *valid, struct tally *t)
{
    struct map seen;
    struct strbuf text;
    int distinct = 0, seeds = valid->n <= 12 ? 400 : 30;
    map_init(&seen);
    strbuf_init(&text, 0);
    for (uint64_t seed = 1; seed <= (uint64_t)seeds; seed++) {
        struct choice c;
        struct error e;
        choice_init_random(&c, seed);
        strbuf_clear(&text);
        bool found = !ag_search_next(search, &c, &e) && !ag_search_text(search, &text, &e);
        bool known = false, added;
        choice_release(&c);
        if (!found) {
            t->missed += valid->n > 0;
            if (!valid->n)
                break;
            continue;
        }
        for (int i = 0; i < valid->n && !known; i++)
            known = !strcmp(valid->at[i].s, text.s);
        t->wrong += !known;
        t->texts++;
        t->restarts += ag_search_stats(search)->restarts > 0;
        map_put_str(&seen, text.s, &added);
        distinct += added;
    }
    if (valid->n > 0 && valid->n <= 12) {
        t->small++;
        t->found_all += distinct == valid->n;
    }
    strbuf_release(&text);
    map_release(&seen);
}

static void try_spec(struct choice *c, struct tally *t)
{
    struct a_spec s;
    struct strbuf text;
    struct arena a;
    struct ag_messages m;
    int steps = MOST_STEPS;
    struct texts valid = {.at = malloc(MOST_TEXTS * sizeof *valid.at), .steps = &steps};
    const struct ag_options o = {.effort = 1000000};
    draw_spec(c, &s);
    all_of_class(&s, 0, 1, &valid);
    strbuf_init(&text, 0);
    arena_init(&a);
    write_spec(&s, &text);
    ag_messages_init(&m, &a, "t");
    struct ag_runtime *rt = ag_runtime_new();
    struct ag_spec *spec = ag_parse(&a, text.s, text.n, &m);
    if (!m.errors)
        ag_bind(spec, rt, &m);
    if (!m.errors)
        ag_check(spec, rt, &m);
    struct ag_search *search = NULL;
    struct error e = {0};
    int before = t->wrong + t->missed;
    /* what is circular for the checker is not our matter; nor is what has too many texts */
    if (!m.errors && !valid.overflow && !ag_search_new(spec, &o, &search, &e)) {
        t->specs++;
        t->empty += !valid.n;
        search_all(search, &valid, t);
    }
    if (t->wrong + t->missed > before)
        tap_note("wrong or missed with", text.s);
    ag_search_free(search);
    ag_runtime_free(rt);
    ag_messages_release(&m);
    arena_release(&a);
    strbuf_release(&text);
    free(valid.at);
}

int main(void)
{
    struct tally t = {0};
    const int specs = tap_amount(160, 400);
    for (int seed = 1; seed <= specs; seed++) {
        struct choice c;
        choice_init_random(&c, (uint64_t)seed);
        try_spec(&c, &t);
        choice_release(&c);
    }
    ok(t.specs > specs * 3 / 8,
       "%d specifications could be compared, %d of them without a valid text", t.specs, t.empty);
    ok(t.empty > specs / 40 && t.small > specs / 14, "of all kinds: %d with few texts", t.small);
    is_int(t.wrong, 0, "none of %d texts was invalid", t.texts);
    is_int(t.restarts, 0, "none was found only by beginning anew");
    is_int(t.missed, 0, "no search failed where there is a valid text");
    is_int(t.found_all, t.small, "where there are few, each was found");
    return tap_done();
}
