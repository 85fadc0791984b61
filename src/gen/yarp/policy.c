/* The tables of the header become arrays of rows; all that is done here is done by walking them. So
 * a policy, parameter or limit that is added to a table is drawn, set, written, read back, listed
 * and explained without another line of code. */
#include "gen/yarp/policy.h"
#include "base/text.h"
#include "cc/emi.h"

/* -- the tables -------------------------------------------------------------------------------- */

static const struct policy {
    const char *name, *help;
    enum yarp_group group;
    uint8_t percent;  /* of programs */
    uint8_t from, to; /* bounds of the strength, percent of opportunities */
} policies[YARP_N_POLICIES] = {
#define X(id, name, group, percent, from, to, help) {name, help, YARP_##group, percent, from, to},
    YARP_POLICY_TABLE(X)
#undef X
};

/* Where the weights of each parameter begin. An opening P counts as an enumerator of its own, and
 * the second one takes that back. */
enum {
#define P(id, name, help) FIRST_##id, TAKE_BACK_##id = FIRST_##id - 1,
#define W(id, name, weight) AT_##id,
    YARP_PARAMETER_TABLE(P, W)
#undef P
#undef W
        FIRST_AFTER_ALL
};
_Static_assert((int)FIRST_AFTER_ALL == YARP_N_WEIGHTS, "each weight is counted once");

static const struct parameter {
    const char *name, *help;
    int first; /* enum yarp_weight; the next one's first is the end */
} parameters[YARP_N_PARAMETERS + 1] = {
#define P(id, name, help) {name, help, FIRST_##id},
#define W(id, name, weight)
    YARP_PARAMETER_TABLE(P, W)
#undef P
#undef W
        {"", "", YARP_N_WEIGHTS},
};

static const struct weight {
    const char *name;
    unsigned weight;
} weights[YARP_N_WEIGHTS] = {
#define P(id, name, help)
#define W(id, name, weight) {name, weight},
    YARP_PARAMETER_TABLE(P, W)
#undef P
#undef W
};

/* What a list of policies may name besides single ones. */
static const char *const group_names[] = {"all", "paper", "features", "contexts"};
enum { N_GROUP_NAMES = sizeof group_names / sizeof *group_names };

/* -- settings ---------------------------------------------------------------------------------- */

/* Does the name, a policy's or a group's, stand for this one? */
static bool stands_for(const char *name, int policy)
{
    const struct policy *p = &policies[policy];
    bool context = policy >= YARP_ADDITIVE && policy <= YARP_ADDITIVE_MULTIPLICATIVE;
    return !strcmp(name, p->name) || (p->group != YARP_OPTION && !strcmp(name, "all")) ||
           (p->group == YARP_PAPER && !strcmp(name, "paper")) ||
           (p->group == YARP_FEATURE && !strcmp(name, "features")) ||
           (context && !strcmp(name, "contexts"));
}

static int no_such_policy(const char *name, struct error *e)
{
    const char *names[YARP_N_POLICIES + N_GROUP_NAMES];
    size_t n = 0;
    for (int i = 0; i < YARP_N_POLICIES; i++)
        names[n++] = policies[i].name;
    for (int i = 0; i < N_GROUP_NAMES; i++)
        names[n++] = group_names[i];
    const char *near = text_nearest(name, names, n);
    return error_set(e, ERROR_USAGE, "yarp has no policy '%s': %s%s%s", name,
                     near ? "did you mean '" : "--options lists them", near ? near : "",
                     near ? "'?" : "");
}

/* Of every policy that the name stands for. */
static int set_policies(struct yarp_config *c, const char *name, const char *value, struct error *e)
{
    int64_t percent = 0;
    bool by_default = !strcmp(value, "default"), found = false;
    if (!strcmp(value, "on"))
        percent = 100;
    else if (!strcmp(value, "force"))
        percent = YARP_FORCED;
    else if (strcmp(value, "off") != 0 && !by_default && !text_parse_int(value, 0, 100, &percent))
        return error_set(e, ERROR_USAGE,
                         "policy %s: '%s' is not on, off, force, default or a percentage of the "
                         "programs from 0 to 100",
                         name, value);
    for (int i = 0; i < YARP_N_POLICIES; i++) {
        if (!stands_for(name, i))
            continue;
        c->policy[i] = by_default ? policies[i].percent : (uint8_t)percent;
        found = true;
    }
    return found ? 0 : no_such_policy(name, e);
}

/* "loops=off,contexts=30,floats". All of it or, where something is wrong, nothing. */
static int set_policy_list(const struct setting *s, void *to, struct arena *arena, const char *list,
                           struct error *e)
{
    struct yarp_config *c = to, changed = *c;
    struct arena a;
    int status = 0;
    bool more = true;
    (void)s;
    (void)arena;
    arena_init(&a);
    while (more && !status) {
        size_t n = strcspn(list, ","), name = strcspn(list, "=,");
        const char *value = name < n ? arena_memdup(&a, list + name + 1, n - name - 1) : "on";
        status = set_policies(&changed, arena_memdup(&a, list, name), value, e);
        more = list[n];
        list += n + 1;
    }
    arena_release(&a);
    if (!status)
        *c = changed;
    return status;
}

/* Of the row's policy, or of its group. */
static int set_policy(const struct setting *s, void *to, struct arena *arena, const char *value,
                      struct error *e)
{
    (void)arena;
    return set_policies(to, strchr(s->name, '.') + 1, value, e);
}

static void policy_text(const void *of, const struct setting *s, struct strbuf *out)
{
    uint8_t percent = *((const uint8_t *)of + s->at);
    if (percent == YARP_FORCED)
        strbuf_adds(out, "force");
    else
        strbuf_addf(out, "%d", percent);
}

static void list_parameters(struct strbuf *out)
{
    strbuf_adds(
        out,
        "\n; The parameters (redrawn by shuffle for each program) and their default weights:\n");
    for (const struct parameter *p = parameters; p < parameters + YARP_N_PARAMETERS; p++) {
        strbuf_addf(out, "; %s, %s:", p->name, p->help);
        for (int i = p[0].first; i < p[1].first; i++)
            strbuf_addf(out, "%s %s %u", i > p->first ? "," : "", weights[i].name,
                        weights[i].weight);
        strbuf_addc(out, '\n');
    }
}

#define ROW(kind, name, member, standard, help)                                                    \
    SETTING_ROW(kind, name, struct yarp_config, member, standard, help)
#define SHARES "on, off, force, default or 0 to 100"
#define GROUP(text)                                                                                \
    {                                                                                              \
        .name = "policy." text, .kind = SETTING_OWN, .set = set_policy, .what = SHARES             \
    }

static const char *const language_name[] = {[CC_C11] = "c", [CC_CXX17] = "c++", NULL};
static const char *const form_name[] = {[YARP_SEPARATE] = "separate",
                                        [YARP_SINGLE_FILE] = "single-file",
                                        [YARP_SHARED_LIBRARY] = "shared-library",
                                        NULL};

static const struct setting rows[] = {
    {.name = "policy",
     .kind = SETTING_OWN,
     .set = set_policy_list,
     .what = "NAME or NAME=" SHARES,
     .help = "NAME[=VALUE],... on (or nothing): in every program; off; force: at every "
             "opportunity, too; default; 30: in 30 % of the programs"},
    {.name = "no-policies",
     .kind = SETTING_PHRASE,
     .alone = "policy=paper=off",
     .help = "the policies of the paper off"},
    {.name = "single-file",
     .kind = SETTING_PHRASE,
     .alone = "form=single-file",
     .help = "one file: functions that are not inlined, values that are hidden"},
    {.name = "shared-library",
     .kind = SETTING_PHRASE,
     .alone = "form=shared-library",
     .help = "the tested functions in a shared library"},
    {.name = "policies",
     .kind = SETTING_SECTION,
     .what = SHARES,
     .help = "percent of the programs, or force; also groups: all, paper, features, contexts"},
#define X(id, name, group, percent, from, to, help)                                                \
    {ROW(OWN, "policy." name, policy[YARP_##id], #percent, help), .set = set_policy,               \
     .text = policy_text, .what = SHARES},
    YARP_POLICY_TABLE(X)
#undef X
        GROUP("all"),
    GROUP("paper"),
    GROUP("features"),
    GROUP("contexts"),
    {.name = "limits", .kind = SETTING_SECTION, .help = "--NAME N"},
#define X(id, name, value, low, high, help)                                                        \
    {ROW(INT, name, limit[YARP_LIMIT_##id], #value, help), .least = low, .most = high},
    YARP_LIMIT_TABLE(X)
#undef X
        {.name = "yarp", .kind = SETTING_SECTION, .help = "--NAME VALUE"},
    {ROW(WORD, "lang", language, "c", "language of the programs"), .words = language_name},
    {ROW(WORD, "form", form, "separate", "how a program is laid out in files"), .words = form_name},
    {ROW(INT, "emi", emi, "0", "changes to code that never ran (alone: 8)"), .alone = "8",
     .most = CC_EMI_MOST_CHANGES},
};
_Static_assert(CC_EMI_CHANGES == 8, "what the row of emi says");

const struct settings yarp_settings = {"yarp", rows, SETTINGS_COUNT(rows), list_parameters};

/* -- what is drawn for one program ------------------------------------------------------------- */

/* What the user settled is not drawn: a small scope can then be gone through to its end. */
static uint8_t draw_strength(struct choice *c, const struct policy *p, uint8_t percent)
{
    if (percent == YARP_FORCED)
        return 100;
    bool on = percent == 100;
    if (percent > 0 && percent < 100)
        on = choose_flip(c, percent / 100.0);
    if (!on)
        return 0;
    uint64_t above = choose(c, (uint64_t)(p->to - p->from + 1));
    return (uint8_t)(p->from + above);
}

/* Parameter shuffling. Each weight in eighths, so that 1/8 of the smallest is still a whole number
 * and no outcome vanishes. */
static unsigned shuffle(struct choice *c, unsigned weight)
{
    static const uint8_t eighths[] = {8, 4, 16, 2, 32, 1, 64}; /* as it is comes first */
    uint64_t at = choose(c, sizeof eighths / sizeof *eighths);
    return weight * eighths[at];
}

void yarp_draw(const struct yarp_config *k, struct choice *c, struct yarp_drawn *out)
{
    for (int i = 0; i < YARP_N_POLICIES; i++)
        out->strength[i] = draw_strength(c, &policies[i], k->policy[i]);
    for (int i = 0; i < YARP_N_WEIGHTS; i++) {
        out->weight[i] = weights[i].weight;
        if (out->strength[YARP_SHUFFLE])
            out->weight[i] = shuffle(c, weights[i].weight);
    }
    if (!out->strength[YARP_BOOLS])
        out->weight[YARP_TYPE_BOOL] = 0;
}

enum yarp_weight yarp_pick(const struct yarp_drawn *d, struct choice *c, enum yarp_parameter p)
{
    int first = parameters[p].first, end = parameters[p + 1].first;
    size_t at = choose_weighted(c, d->weight + first, (size_t)(end - first));
    return (enum yarp_weight)((size_t)first + at);
}

static const char *const group_head[] = {
    [YARP_PAPER] = "policies, and at how many percent of the opportunities",
    [YARP_FEATURE] = "features",
    [YARP_OPTION] = "options",
};

static void explain_parameter(const struct yarp_drawn *d, const struct parameter *p,
                              struct strbuf *out)
{
    double total = 0;
    for (int i = p[0].first; i < p[1].first; i++)
        total += d->weight[i];
    strbuf_addf(out, "  %-24s", p->name);
    for (int i = p[0].first; i < p[1].first; i++)
        strbuf_addf(out, "%s %s %.1f", i > p->first ? "," : "", weights[i].name,
                    100 * d->weight[i] / total);
    strbuf_addc(out, '\n');
}

void yarp_explain(const struct yarp_drawn *d, struct strbuf *out)
{
    for (int i = 0; i < YARP_N_POLICIES; i++) {
        const struct policy *p = &policies[i];
        char strength[8] = "off";
        if (d->strength[i])
            snprintf(strength, sizeof strength, "%d", d->strength[i]);
        if (i == 0 || p->group != policies[i - 1].group)
            strbuf_addf(out, "%s%s:\n", i ? "\n" : "", group_head[p->group]);
        strbuf_addf(out, "  %-24s %3s  %s\n", p->name, strength, p->help);
    }
    strbuf_addf(out, "\nparameters%s, and the shares of their outcomes in percent:\n",
                d->strength[YARP_SHUFFLE] ? ", shuffled" : "");
    for (int i = 0; i < YARP_N_PARAMETERS; i++)
        explain_parameter(d, &parameters[i], out);
}
