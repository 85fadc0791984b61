/* The tables of the header become arrays of rows; all that is done here is done by walking them. So
 * a policy, parameter or limit that is added to a table is drawn, set, written, read back, listed
 * and explained without another line of code.
 *
 * The listing as text is an ini file with the help as comments: what `--options` prints, edited,
 * is what `--config` reads. */
#include "gen/yarp/policy.h"
#include "base/ini.h"
#include "base/json.h"
#include "base/text.h"
#include "cc/emi.h"
#include "gen/gen.h"

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

static const struct limit {
    const char *name, *help;
    int64_t value, least, most;
} limits[YARP_N_LIMITS] = {
#define X(id, name, value, least, most, help) {name, help, value, least, most},
    YARP_LIMIT_TABLE(X)
#undef X
};

/* What a list of policies may name besides single ones. */
static const char *const group_names[] = {"all", "paper", "features", "contexts"};
enum { N_GROUP_NAMES = sizeof group_names / sizeof *group_names };

static const char *const language_name[] = {[CC_C11] = "c", [CC_CXX17] = "c++"};
static const char *const form_name[] = {[YARP_SEPARATE] = "separate",
                                        [YARP_SINGLE_FILE] = "single-file",
                                        [YARP_SHARED_LIBRARY] = "shared-library"};
enum {
    N_LANGUAGES = sizeof language_name / sizeof *language_name,
    N_FORMS = sizeof form_name / sizeof *form_name,
};

/* All that can be set and is part of the canonical text. */
enum kind { POLICY, LIMIT, LANG, FORM, EMI, N_KINDS };

static const char *const section_name[N_KINDS] = {"policies", "limits", "yarp", "yarp", "yarp"};

static const struct row {
    enum kind kind;
    int index;        /* enum yarp_policy, enum yarp_limit */
    const char *name; /* as a setting */
    const char *key;  /* in its section of a file */
    const char *help, *words;
} rows[] = {
#define X(id, name, group, percent, from, to, help)                                                \
    {POLICY, YARP_##id, "policy." name, name, help, "on, off, force, default or 0 to 100"},
    YARP_POLICY_TABLE(X)
#undef X
#define X(id, name, value, least, most, help)                                                      \
    {LIMIT, YARP_LIMIT_##id, name, name, help, #least " to " #most},
        YARP_LIMIT_TABLE(X)
#undef X
            {LANG, 0, "lang", "lang", "language of the programs", "c or c++"},
    {FORM, 0, "form", "form", "how a program is laid out in files",
     "separate, single-file or shared-library"},
    {EMI, 0, "emi", "emi", "changes of code that never ran (alone: 8)", "on, off or 0 to 100"},
};
enum { N_ROWS = sizeof rows / sizeof *rows };

/* Settings that are another one together with its value. */
static const struct shortcut {
    const char *name, *of, *value, *help;
} shortcuts[] = {
    {"no-policies", "policy", "paper=off", "the policies of the paper off"},
    {"single-file", "form", "single-file",
     "one file: functions that are not inlined, values that are hidden"},
    {"shared-library", "form", "shared-library", "the tested functions in a shared library"},
};
enum { N_SHORTCUTS = sizeof shortcuts / sizeof *shortcuts };

void yarp_config_default(struct yarp_config *c)
{
    *c = (struct yarp_config){.language = CC_C11, .form = YARP_SEPARATE};
    for (int i = 0; i < YARP_N_POLICIES; i++)
        c->policy[i] = policies[i].percent;
    for (int i = 0; i < YARP_N_LIMITS; i++)
        c->limit[i] = limits[i].value;
}

/* -- names ------------------------------------------------------------------------------------- */

static const struct row *find_row(const char *name)
{
    for (const struct row *r = rows; r < rows + N_ROWS; r++)
        if (!strcmp(r->name, name))
            return r;
    return NULL;
}

static const struct shortcut *find_shortcut(const char *name)
{
    for (int i = 0; i < N_SHORTCUTS; i++)
        if (!strcmp(shortcuts[i].name, name))
            return &shortcuts[i];
    return NULL;
}

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

int yarp_config_takes_value(const char *name)
{
    const struct row *r = find_row(name);
    if (r && r->kind == EMI)
        return 0;
    if (r || !strcmp(name, "policy") || !strcmp(name, "config"))
        return 1;
    return find_shortcut(name) ? 0 : -1;
}

static int no_such(const char *what, const char *name, const char *const *names, size_t n,
                   struct error *e)
{
    const char *near = text_nearest(name, names, n);
    if (near)
        return error_set(e, ERROR_USAGE, "yarp has no %s '%s': did you mean '%s'?", what, name,
                         near);
    return error_set(e, ERROR_USAGE, "yarp has no %s '%s': `assay gen yarp --options` lists them",
                     what, name);
}

static int no_such_policy(const char *name, struct error *e)
{
    const char *names[YARP_N_POLICIES + N_GROUP_NAMES];
    size_t n = 0;
    for (int i = 0; i < YARP_N_POLICIES; i++)
        names[n++] = policies[i].name;
    for (int i = 0; i < N_GROUP_NAMES; i++)
        names[n++] = group_names[i];
    return no_such("policy", name, names, n, e);
}

static int no_such_setting(const char *name, struct error *e)
{
    const char *names[N_ROWS + N_SHORTCUTS + 2] = {"policy", "config"};
    size_t n = 2;
    bool negated = !strncmp(name, "no-", 3);
    for (const struct row *r = rows; r < rows + N_ROWS; r++) {
        /* smith's users are used to --loops and --no-loops */
        if (r->kind == POLICY && !strcmp(r->key, name + (negated ? 3 : 0)))
            return error_set(e, ERROR_USAGE,
                             "yarp has no setting '%s': did you mean '--policy %s=%s'?", name,
                             r->key, negated ? "off" : "on");
        names[n++] = r->name;
    }
    for (int i = 0; i < N_SHORTCUTS; i++)
        names[n++] = shortcuts[i].name;
    return no_such("setting", name, names, n, e);
}

/* -- values ------------------------------------------------------------------------------------ */

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
static int set_policy_list(struct yarp_config *c, const char *list, struct error *e)
{
    struct yarp_config changed = *c;
    struct arena a;
    int status = 0;
    bool more = true;
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

/* The index of the word; -1 where it is none of them. */
static int find_word(const char *const *words, int n, const char *word)
{
    for (int i = 0; i < n; i++)
        if (!strcmp(words[i], word))
            return i;
    return -1;
}

static int set_row(struct yarp_config *c, const struct row *r, const char *value, struct error *e)
{
    const struct limit *l = r->kind == LIMIT ? &limits[r->index] : NULL;
    int64_t number;
    int word = -1;
    switch (r->kind) {
    case POLICY:
        return set_policies(c, r->key, value, e);
    case LIMIT:
        if (!text_parse_int(value, l->least, l->most, &number))
            return error_set(e, ERROR_USAGE, "%s: '%s' is not a whole number from %s", r->name,
                             value, r->words);
        c->limit[r->index] = number;
        return 0;
    case LANG:
        word = find_word(language_name, N_LANGUAGES, value);
        if (word >= 0)
            c->language = (enum cc_language)word;
        break;
    case FORM:
        word = find_word(form_name, N_FORMS, value);
        if (word >= 0)
            c->form = (enum yarp_form)word;
        break;
    case EMI:
        number = !strcmp(value, "on") ? CC_EMI_CHANGES : 0;
        if (number || !strcmp(value, "off") ||
            text_parse_int(value, 0, CC_EMI_MOST_CHANGES, &number)) {
            c->emi = (int)number;
            return 0;
        }
        break;
    case N_KINDS:
        break;
    }
    return word >= 0 ? 0
                     : error_set(e, ERROR_USAGE, "%s: '%s' is not %s", r->name, value, r->words);
}

/* All but config: a text or a file cannot name a file. */
static int set_by_name(struct yarp_config *c, const char *name, const char *value, struct error *e)
{
    const struct row *r = find_row(name);
    const struct shortcut *s = find_shortcut(name);
    bool none = !value || !*value;
    if (s && !none)
        return error_set(e, ERROR_USAGE, "%s takes no value", name);
    if (s)
        return set_by_name(c, s->of, s->value, e);
    if (r && none && r->kind == EMI)
        return set_row(c, r, "on", e);
    if (r && none)
        return error_set(e, ERROR_USAGE, "%s needs a value: %s", name, r->words);
    if (r)
        return set_row(c, r, value, e);
    if (strcmp(name, "policy") != 0)
        return no_such_setting(name, e);
    if (none)
        return error_set(e, ERROR_USAGE, "policy needs a value: NAME or NAME=%s", rows->words);
    return set_policy_list(c, value, e);
}

enum { VALUE_SIZE = 32 };

/* The value as it can be set again. */
static void value_text(const struct yarp_config *c, const struct row *r, char *out)
{
    switch (r->kind) {
    case POLICY:
        if (c->policy[r->index] == YARP_FORCED)
            text_copy(out, VALUE_SIZE, "force");
        else
            snprintf(out, VALUE_SIZE, "%d", c->policy[r->index]);
        return;
    case LIMIT:
        snprintf(out, VALUE_SIZE, "%lld", (long long)c->limit[r->index]);
        return;
    case LANG:
        text_copy(out, VALUE_SIZE, language_name[c->language]);
        return;
    case FORM:
        text_copy(out, VALUE_SIZE, form_name[c->form]);
        return;
    case EMI:
        snprintf(out, VALUE_SIZE, "%d", c->emi);
        return;
    case N_KINDS:
        return;
    }
}

/* -- text and files ---------------------------------------------------------------------------- */

void yarp_config_text(const struct yarp_config *c, struct strbuf *out)
{
    struct yarp_config plain;
    const char *between = "";
    yarp_config_default(&plain);
    for (const struct row *r = rows; r < rows + N_ROWS; r++) {
        char now[VALUE_SIZE], before[VALUE_SIZE];
        value_text(c, r, now);
        value_text(&plain, r, before);
        if (!strcmp(now, before))
            continue;
        strbuf_addf(out, "%s%s=%s", between, r->name, now);
        between = ",";
    }
}

static int set_one(void *to, const char *name, const char *value, struct error *e)
{
    return set_by_name(to, name, value, e);
}

int yarp_config_parse(struct yarp_config *c, const char *text, struct error *e)
{
    yarp_config_default(c);
    return gen_config_parse(text, set_one, c, e);
}

struct reading {
    struct yarp_config *config;
    const char *path;
    const struct ini_key *keys;
};

static int take(void *context, int key, const char *value, int line, struct error *e)
{
    const struct reading *r = context;
    const char *name = r->keys[key].name;
    struct error why = {0};
    if (!*value)
        return error_at(e, ERROR_USAGE, r->path, line, "%s has no value", name);
    int status = key < N_ROWS ? set_row(r->config, &rows[key], value, &why)
                              : set_policies(r->config, name, value, &why);
    return status ? error_at(e, ERROR_USAGE, r->path, line, "%s", why.message) : 0;
}

static int read_file(struct yarp_config *c, const char *path, struct error *e)
{
    struct ini_key keys[N_ROWS + N_GROUP_NAMES]; /* the rows, in their order, then the groups */
    for (int i = 0; i < N_ROWS; i++)
        keys[i] = (struct ini_key){section_name[rows[i].kind], rows[i].key};
    for (int i = 0; i < N_GROUP_NAMES; i++)
        keys[N_ROWS + i] = (struct ini_key){section_name[POLICY], group_names[i]};
    struct reading reading = {c, path, keys};
    struct arena a;
    arena_init(&a);
    int status = ini_read(path, keys, N_ROWS + N_GROUP_NAMES, &a, take, &reading, e);
    arena_release(&a);
    return status;
}

int yarp_config_set(struct yarp_config *c, const char *name, const char *value, struct error *e)
{
    if (strcmp(name, "config") != 0)
        return set_by_name(c, name, value, e);
    if (!value || !*value)
        return error_set(e, ERROR_USAGE, "config needs a value: the name of an ini file");
    return read_file(c, value, e);
}

/* -- the listing ------------------------------------------------------------------------------- */

static const char policy_help[] = "on (or nothing): in every program; off; force: at every "
                                  "opportunity, too; default; 30: in 30 % of the programs";
static const char config_help[] = "read a file like this listing";

static void list_parameters(struct strbuf *out)
{
    strbuf_adds(out, "\n; The parameters, which shuffle draws anew for each program, and their "
                     "weights else:\n");
    for (const struct parameter *p = parameters; p < parameters + YARP_N_PARAMETERS; p++) {
        strbuf_addf(out, "; %s, %s:", p->name, p->help);
        for (int i = p[0].first; i < p[1].first; i++)
            strbuf_addf(out, "%s %s %u", i > p->first ? "," : "", weights[i].name,
                        weights[i].weight);
        strbuf_addc(out, '\n');
    }
}

static void list_text(const struct yarp_config *c, struct strbuf *out)
{
    static const char *const head[N_KINDS] = {
        [POLICY] =
            "; percent of the programs, or force; also groups: all, paper, features, contexts\n",
        [LIMIT] = "; --NAME N\n",
        [LANG] = "; --NAME VALUE\n",
        [FORM] = "",
        [EMI] = "",
    };
    const char *open = "";
    strbuf_addf(out, "; --policy NAME[=VALUE],...  %s\n", policy_help);
    for (const struct shortcut *s = shortcuts; s < shortcuts + N_SHORTCUTS; s++)
        strbuf_addf(out, "; --%-24s %s\n", s->name, s->help);
    strbuf_addf(out, "; --%-24s %s\n", "config FILE", config_help);
    for (const struct row *r = rows; r < rows + N_ROWS; r++) {
        char value[VALUE_SIZE];
        value_text(c, r, value);
        if (strcmp(open, section_name[r->kind]) != 0)
            strbuf_addf(out, "\n%s[%s]\n", head[r->kind], section_name[r->kind]);
        open = section_name[r->kind];
        strbuf_addf(out, "%-23s = %-14s ; %s", r->key, value, r->help);
        if (r->kind != POLICY)
            strbuf_addf(out, " (%s)", r->words);
        strbuf_addc(out, '\n');
    }
    list_parameters(out);
}

static struct json *value_json(const struct yarp_config *c, const struct row *r)
{
    char text[VALUE_SIZE];
    value_text(c, r, text);
    bool number = r->kind == LIMIT || r->kind == EMI ||
                  (r->kind == POLICY && c->policy[r->index] != YARP_FORCED);
    return number ? json_new("I", (int64_t)strtoll(text, NULL, 10)) : json_new("s", text);
}

static struct json *parameters_json(void)
{
    struct json *all = json_new("{}");
    for (const struct parameter *p = parameters; p < parameters + YARP_N_PARAMETERS; p++) {
        struct json *of = json_new("{}");
        for (int i = p[0].first; i < p[1].first; i++)
            json_extend(of, "{s:I}", weights[i].name, (int64_t)weights[i].weight);
        json_extend(all, "{s:{s:s,s:o}}", p->name, "help", p->help, "weights", of);
    }
    return all;
}

static struct json *setting_json(const char *name, bool takes_value, const char *help)
{
    return json_new("{s:s,s:b,s:s}", "name", name, "takes_value", takes_value, "help", help);
}

static void list_json(const struct yarp_config *c, struct strbuf *out)
{
    struct yarp_config plain;
    struct json *all = json_new("[]");
    yarp_config_default(&plain);
    json_append(all, "o", setting_json("policy", true, policy_help));
    for (const struct shortcut *s = shortcuts; s < shortcuts + N_SHORTCUTS; s++)
        json_append(all, "o", setting_json(s->name, false, s->help));
    json_append(all, "o", setting_json("config", true, config_help));
    for (const struct row *r = rows; r < rows + N_ROWS; r++) {
        struct json *o = setting_json(r->name, r->kind != EMI, r->help);
        json_extend(o, "{s:s,s:o,s:o,s:s}", "section", section_name[r->kind], "value",
                    value_json(c, r), "default", value_json(&plain, r), "values", r->words);
        if (r->kind == LIMIT)
            json_extend(o, "{s:I,s:I}", "least", (int64_t)limits[r->index].least, "most",
                        (int64_t)limits[r->index].most);
        if (r->kind == POLICY && r->index == YARP_SHUFFLE)
            json_extend(o, "{s:o}", "parameters", parameters_json());
        json_append(all, "o", o);
    }
    json_write(all, false, out);
}

void yarp_config_list(const struct yarp_config *c, bool json, struct strbuf *out)
{
    if (json)
        list_json(c, out);
    else
        list_text(c, out);
}

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
