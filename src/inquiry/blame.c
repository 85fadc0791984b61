/* Which part of the compiler is to blame: the questions of triage/blame.h, answered by tests of the
 * reduced case. */
#include "base/fs.h"
#include "base/text.h"
#include "inquiry/reduce.h"
#include "triage/blame.h"

struct accusing {
    struct interest *t;
    const struct inquiry_reducing *how;
    const struct reduce_case *best;
};

/* Neither the anomaly nor the right answer: nothing can be said. */
static bool is_broken(const struct interest_seen *seen)
{
    return seen->answer == REDUCE_BORING && seen->observation.outcome != OUTCOME_OK;
}

static int with_flags(void *of, const char *flags, struct arena *a, struct blame_try *out,
                      struct error *e)
{
    struct accusing *x = of;
    struct reduce_case c = {x->best->program, flags};
    struct interest_seen seen;
    if (interest_try(x->t, &c, &(struct interest_how){0}, &seen, e))
        return -1;
    *out = (struct blame_try){seen.answer == REDUCE_INTERESTING, is_broken(&seen),
                              arena_strdup(a, seen.observation.messages)};
    return 0;
}

static int ask(void *of, const char *arguments, struct arena *a, const char **output,
               struct error *e)
{
    struct accusing *x = of;
    const char *said;
    if (interest_ask(x->t, arguments, &said, e))
        return -1;
    *output = arena_strdup(a, said);
    return 0;
}

static int version_is_bad(void *of, int index, struct error *e)
{
    struct accusing *x = of;
    struct interest_how how = {.instead = &x->how->installed[index]};
    struct interest_seen seen;
    if (interest_try(x->t, x->best, &how, &seen, e))
        return -1;
    return seen.answer == REDUCE_INTERESTING ? 1 : is_broken(&seen) ? -2 : 0;
}

static const char *version_name(const struct testbed *t, struct arena *a)
{
    return arena_printf(a, "%s %s", t->toolchain, t->version);
}

/* One of each installed compiler of the accused's toolchain. */
static struct blame_version *versions_of(const struct accusing *x, struct arena *a, int *n)
{
    const char *toolchain = x->t->patient.testbeds[0].toolchain;
    struct blame_version *list = arena_array(a, struct blame_version, x->how->n_installed + 1);
    *n = 0;
    for (int i = 0; i < x->how->n_installed; i++) {
        const struct testbed *t = &x->how->installed[i];
        bool known = t->random || strcmp(t->toolchain, toolchain) != 0;
        for (int k = 0; k < *n && !known; k++)
            known = !strcmp(list[k].compiler, t->compiler);
        if (!known)
            list[(*n)++] = (struct blame_version){t->compiler, t->version, i};
    }
    return list;
}

static int accuse_version(struct accusing *x, struct arena *a, struct store_blame *out,
                          struct error *e)
{
    int n, accused = -1;
    struct blame_range range;
    const char *compiler = x->t->patient.testbeds[0].compiler;
    struct blame_version *list = versions_of(x, a, &n);
    blame_sort_versions(list, n);
    for (int i = 0; i < n; i++)
        if (!strcmp(list[i].compiler, compiler))
            accused = i;
    if (n < 2 || accused < 0)
        return 0;
    if (blame_versions(list, n, accused, x, version_is_bad, &range, e))
        return -1;
    const struct {
        const char **name;
        int version;
    } found[] = {{&out->first_bad, range.first_bad},
                 {&out->last_good, range.last_good},
                 {&out->last_bad, range.last_bad},
                 {&out->next_good, range.next_good}};
    for (size_t i = 0; i < sizeof found / sizeof *found; i++)
        if (found[i].version >= 0)
            *found[i].name = version_name(&x->how->installed[list[found[i].version].index], a);
    return 0;
}

const char *inquiry_last_good(const struct inquiry_reducing *how, const struct testbed *accused,
                              const struct store_blame *b, struct arena *a)
{
    for (int i = 0; i < how->n_installed; i++)
        if (!strcmp(b->last_good, version_name(&how->installed[i], a)))
            return text_same(how->installed[i].root, accused->root)
                       ? testbed_inside(how->installed[i].path)
                       : NULL;
    return NULL;
}

int inquiry_blame(struct interest *t, const struct inquiry_reducing *how,
                  const struct reduce_case *best, struct arena *a, struct store_blame *out,
                  struct error *e)
{
    struct accusing x = {t, how, best};
    struct blame_probe probe = {&x, with_flags, ask};
    struct blame blame = {.pass = "", .detail = ""};
    *out = (struct store_blame){.finding = t->spec.c->finding.id,
                                .pass = "",
                                .detail = "",
                                .first_bad = "",
                                .last_good = "",
                                .last_bad = "",
                                .next_good = "",
                                .at = clock_wall()};
    if (blame_pass(&t->patient.testbeds[0], best->flags, &probe, a, &blame, e) ||
        accuse_version(&x, a, out, e))
        return -1;
    out->pass = blame.pass;
    out->detail = blame.detail;
    return 0;
}
