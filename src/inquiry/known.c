/* All three begin with the marks, of which there are few, and look up what belongs to them. */
#include "inquiry/known.h"
#include "base/text.h"
#include "base/vec.h"
#include "bugs/bugs.h"
#include "inquiry/avoid.h"
#include "inquiry/interest.h"
#include "triage/signature.h"

enum { TRIES = 3 }; /* a bug that shows now and then is not fixed because it did not show once */

/* A mark with what belongs to it. */
struct marked {
    struct store_mark mark;
    struct finding finding;
    struct store_reduction reduction; /* program "": there is no smaller case */
    struct program program;           /* to be run: that case, else the original */
};

static bool is_known(enum mark m)
{
    return m == MARK_KNOWN || m == MARK_WONTFIX;
}

static int load_parts(struct store *s, struct arena *a, struct marked *m, struct error *e)
{
    const char *smaller = m->reduction.program;
    return store_finding(s, m->mark.finding, a, &m->finding, e) ||
                   store_reduction_get(s, m->mark.finding, a, &m->reduction, e) < 0 ||
                   store_program(s, *smaller ? smaller : m->finding.program, a, &m->program, e)
               ? -1
               : 0;
}

static int load_marked(struct store *s, const struct store_mark *m, struct arena *a,
                       struct marked *out, struct error *e)
{
    *out = (struct marked){.mark = *m};
    if (store_view(s, e))
        return -1;
    int status = load_parts(s, a, out, e);
    store_view_end(s);
    return status;
}

/* -- running them again ------------------------------------------------------------------------ */

enum shown { NOT_SEEN, SEEN, CANNOT_BE_TOLD };

/* Do as many of the others as decide a vote do what the accused does? */
static bool others_agree(const struct inquiry *c, const struct program *p,
                         const struct observation *observations, struct arena *a)
{
    const struct test_setup *setup = &c->config;
    const struct testbed *accused = &setup->testbeds[c->accused];
    int *groups = arena_array(a, int, setup->n_testbeds), others = 0, same = 0;
    test_groups(setup, p, observations, a, groups);
    for (int i = 0; i < setup->n_testbeds; i++) {
        const struct testbed *t = &setup->testbeds[i];
        if (i == c->accused || t->traces || strcmp(t->model, accused->model) || groups[i] < 0)
            continue;
        others++;
        same += groups[i] == groups[c->accused];
    }
    return same >= oracle_quorum(&setup->oracle, others);
}

/* Was what the accused does, where it is no anomaly, judged to be right? A verdict that there is
 * none does not say whether there was anybody to judge. */
static bool is_judged(const struct inquiry *c, const struct program *p,
                      const struct observation *observations, struct arena *a)
{
    const struct verdict *was = &c->finding.verdict;
    if (was->evidence == EVIDENCE_SELF || was->anomaly == ANOMALY_BUILD_FAIL)
        return true; /* that it builds is all */
    if (p->build_only && interest_runs(was->anomaly))
        return false;
    return p->expected.data || was->anomaly == ANOMALY_WRONG_VOLATILE || /* by its first comment */
           others_agree(c, p, observations, a);
}

/* Not to show is to be right: built and run, and judged to agree. */
static enum shown judge_try(const struct inquiry *c, const struct program *p,
                            const struct observation *observations, const struct verdict *verdicts,
                            struct arena *a)
{
    const struct verdict *now = &verdicts[c->accused];
    if (now->anomaly == c->finding.verdict.anomaly)
        return SEEN;
    bool right = observations[c->accused].outcome == OUTCOME_OK && now->anomaly == ANOMALY_NONE &&
                 is_judged(c, p, observations, a);
    return right ? NOT_SEEN : CANNOT_BE_TOLD;
}

static int run_case(const struct inquiry *c, const struct program *p, struct runner *r,
                    struct arena *a, enum shown *out, struct error *e)
{
    int n = c->config.n_testbeds;
    struct observation *observations = arena_array(a, struct observation, n);
    struct verdict *verdicts = arena_array(a, struct verdict, n);
    *out = NOT_SEEN;
    for (int i = 0; i < TRIES && *out == NOT_SEEN; i++) {
        struct program again = *p;
        if (test_try(&c->config, r, &again, a, observations, verdicts, e))
            return -1;
        *out = judge_try(c, &again, observations, verdicts, a);
    }
    return 0;
}

/* The case as it is run here: with the flags that are left of it. */
static int bind_case(struct store *s, const struct marked *m, const struct testbed *here, int n,
                     struct arena *a, struct inquiry *c, struct error *e)
{
    if (inquiry_load(s, &m->finding, a, c, e) || inquiry_bind(c, here, n, a, e))
        return -1;
    if (*m->reduction.program)
        c->config.testbeds[c->accused].flags = m->reduction.flags;
    return 0;
}

static int try_marked(struct store *s, const struct marked *m, const struct testbed *here, int n,
                      const volatile int *stop, struct arena *a, enum shown *out, struct error *e)
{
    struct inquiry c;
    struct runner r;
    if (bind_case(s, m, here, n, a, &c, e) || test_runner_init(&c.config, &r, e))
        return -1;
    r.stop = stop;
    *out = CANNOT_BE_TOLD; /* of a baseline, and without a case */
    int status = m->program.n_files ? run_case(&c, &m->program, &r, a, out, e) : 0;
    runner_release(&r);
    return status;
}

/* Write down what was seen with this version, and tell it. */
static int close_or_renew(struct store *s, const struct marked *m, const struct testbed *t,
                          enum shown shown, struct arena *a, struct known_checked *out,
                          struct error *e)
{
    struct store_mark now = m->mark;
    now.version = t->version;
    now.at = 0;
    if (shown == NOT_SEEN) {
        const char *note = arena_printf(a, "not seen with %s %s", t->toolchain, t->version);
        now.mark = MARK_FIXED;
        now.note = *now.note ? arena_printf(a, "%s; %s", now.note, note) : note;
    }
    *out = (struct known_checked){.finding = m->finding.id,
                                  .signature = m->finding.signature,
                                  .testbed = t->name,
                                  .toolchain = t->toolchain,
                                  .version = t->version,
                                  .before = m->mark.version,
                                  .mark = now.mark};
    return store_mark_put(s, &now, e);
}

int known_count(struct store *s, int *out, struct error *e)
{
    struct arena a;
    struct store_mark *marks;
    int n = 0;
    arena_init(&a);
    int status = store_marks(s, &a, &marks, &n, e);
    *out = 0;
    for (int i = 0; i < n && !status; i++)
        *out += is_known(marks[i].mark) && !marks[i].same_as;
    arena_release(&a);
    return status;
}

int known_recheck(struct store *s, const struct testbed *here, int n, bool all,
                  const volatile int *stop, void (*tell)(void *to, const struct known_checked *c),
                  void *to, struct error *e)
{
    struct arena a;
    struct store_mark *marks;
    int n_marks = 0;
    arena_init(&a);
    int status = store_marks(s, &a, &marks, &n_marks, e);
    for (int i = 0; i < n_marks && !status && !(stop && *stop); i++) {
        struct marked m;
        enum shown shown;
        struct known_checked checked;
        if (!is_known(marks[i].mark) || marks[i].same_as)
            continue;
        status = load_marked(s, &marks[i], &a, &m, e);
        int at = status ? -1 : test_find(here, n, m.finding.testbed);
        const struct testbed *t = at < 0 ? NULL : &here[at];
        bool same = !*marks[i].version || (t && !strcmp(t->version, marks[i].version));
        if (!t || (!all && same)) /* what was imported has no version, and is not run unasked */
            continue;
        status = try_marked(s, &m, here, n, stop, &a, &shown, e);
        if (status || shown == CANNOT_BE_TOLD)
            continue;
        status = close_or_renew(s, &m, t, shown, &a, &checked, e);
        if (!status)
            tell(to, &checked);
    }
    if (status && stop && *stop) /* stopped in the middle of one */
        status = 0;
    arena_release(&a);
    return status;
}

void known_print(const struct known_checked *c)
{
    text_print(stdout, "known bug %lld (%s): %s with %s %s\n", (long long)c->finding, c->signature,
               c->mark == MARK_FIXED ? "fixed, no longer reproduced" : "still there", c->toolchain,
               c->version);
}

int known_places(struct store *s, struct arena *a, struct inquiry_place **out, int *n,
                 struct error *e)
{
    struct store_mark *marks;
    int n_marks;
    if (store_marks(s, a, &marks, &n_marks, e))
        return -1;
    *out = arena_array(a, struct inquiry_place, n_marks);
    *n = 0;
    for (int i = 0; i < n_marks; i++) {
        struct marked m;
        struct inquiry c;
        if (load_marked(s, &marks[i], a, &m, e) || inquiry_load(s, &m.finding, a, &c, e))
            return -1;
        const struct inquiry_place place = inquiry_place(&c, a);
        bool told = false;
        for (int k = 0; k < *n && !told; k++)
            told = !strcmp((*out)[k].language, place.language) &&
                   text_same((*out)[k].testbed_dir, place.testbed_dir) &&
                   text_same((*out)[k].testbeds, place.testbeds);
        if (!told)
            (*out)[(*n)++] = place;
    }
    return 0;
}

/* -- recognising them -------------------------------------------------------------------------- */

/* Reduced to its end, and nothing was said of it: what is not is alike or unlike by accident, and
 * what tells by its message is known by it. */
static bool may_share(const struct bug_member *m)
{
    return m->text && m->reduction->state == REDUCTION_DONE && !m->mark &&
           !signature_evidence(m->finding->signature);
}

/* The first of a bug that is marked known and reduced; NULL: there is none. */
static const struct store_mark *known_mark(const struct bug *b)
{
    for (int i = 0; i < b->n_members; i++)
        if (b->members[i]->mark && is_known(b->members[i]->mark->mark) && b->members[i]->text)
            return b->members[i]->mark;
    return NULL;
}

/* Who is of one bug with a known one shares its mark. */
static int share_mark(struct store *s, const struct bug *b, struct error *e)
{
    const struct store_mark *original = known_mark(b);
    for (int i = 0; original && i < b->n_members; i++) {
        struct store_mark m = *original;
        m.finding = b->members[i]->finding->id;
        m.same_as = original->same_as ? original->same_as : original->finding;
        m.at = 0;
        if (may_share(b->members[i]) && store_mark_put(s, &m, e))
            return -1;
    }
    return 0;
}

int known_recognise(struct store *s, struct error *e)
{
    struct arena a;
    struct bug_list l = {0};
    int known;
    arena_init(&a);
    int status = known_count(s, &known, e);
    if (!status && known)
        status = bugs_load(s, &store_everything, &a, &l, e);
    for (int i = 0; i < l.n && !status; i++)
        status = share_mark(s, &l.bugs[i], e);
    arena_release(&a);
    return status;
}

/* -- avoiding them ----------------------------------------------------------------------------- */

static void add_settings(string_list *settings, const char *text, struct arena *a)
{
    while (*text) {
        size_t n = strcspn(text, " ");
        text_add_once(settings, arena_memdup(a, text, n));
        text += n + (text[n] == ' ');
    }
}

/* The construct to give up for one bug; only a reduced case says what that could be. */
static int avoid_one(struct store *s, const struct store_mark *mark, const char *generator,
                     struct arena *a, string_list *settings, string_list *what, struct error *e)
{
    struct marked m;
    if (!is_known(mark->mark) || mark->same_as)
        return 0;
    if (load_marked(s, mark, a, &m, e))
        return -1;
    if (!*m.reduction.program)
        return 0;
    const struct avoidance *found = NULL;
    for (int i = 0; i < m.program.n_files && !found; i++)
        found = avoidance_find(m.program.files[i].text, generator);
    if (found) {
        add_settings(settings, avoidance_settings(found, generator), a);
        text_add_once(what, found->construct);
    }
    return 0;
}

int known_avoid(struct store *s, const char *generator, struct arena *a,
                const char *const **settings, int *n, const char **what, struct error *e)
{
    struct store_mark *marks;
    string_list all = {0}, names = {0};
    int n_marks = 0;
    int status = store_marks(s, a, &marks, &n_marks, e);
    for (int i = 0; i < n_marks && !status; i++)
        status = avoid_one(s, &marks[i], generator, a, &all, &names, e);
    *what = text_join(a, names.at, names.n, ", ");
    *n = (int)all.n;
    const char **list = arena_array(a, const char *, *n + 1);
    for (int i = 0; i < *n; i++)
        list[i] = all.at[i];
    *settings = list;
    vec_release(&all);
    vec_release(&names);
    return status;
}
