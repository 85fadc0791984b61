/* The three tables of the header, and the few settings beside them, become one list of rows; all
 * that is done here is done by walking that list. So a row that is added to a table can be set,
 * written, read back and listed without another line of code.
 *
 * The listing as text is an ini file with the help as comments: what `--options` prints, edited,
 * is what `--config` reads. */
#include "gen/smith/config.h"
#include "base/ini.h"
#include "base/text.h"
#include "cc/emi.h"
#include "gen/gen.h"

#include <jansson.h>

enum kind { FEATURE, LIMIT, WEIGHT, OTHER, N_KINDS };

/* Of the ini file, and of the listing. */
static const char *const section_name[N_KINDS] = {"features", "limits", "weights", "smith"};

/* X(id, name, what it may be, or "" for a switch, help). EMI is a switch and a number. */
#define OTHER_TABLE(X)                                                                             \
    X(WRAPPERS, "wrappers", "functions, macros, needed, none or mixed",                            \
      "how operations are kept defined; mixed: drawn per program")                                 \
    X(LANG, "lang", "c or c++", "language of the programs")                                        \
    X(SWARM, "swarm", "", "switch about half of the features off, others in each program")         \
    X(PLAIN_TYPES, "plain-types", "", "print int and long long, not int32_t and int64_t")          \
    X(EMI, "emi", "on, off or 0 to 100", "changes of code that never ran (alone: 8)")

enum other {
#define X(id, name, words, help) OTHER_##id,
    OTHER_TABLE(X)
#undef X
};

struct row {
    enum kind kind;
    int index; /* in the array of its kind; enum other */
    const char *name, *csmith, *help;
    int64_t value, least, most; /* the default and its bounds: percent, number or weight */
    bool swarm;
    const char *words; /* OTHER: what it may be; "" for a switch */
    const char *group; /* WEIGHT: which others it is weighed against */
};

enum { HEAVIEST = 1000000 };

static const struct row rows[] = {
#define X(id, name, percent, swarm, csmith, help)                                                  \
    {FEATURE, SMITH_##id, name, csmith, help, percent, 0, 100, swarm, "", ""},
    SMITH_FEATURE_TABLE(X)
#undef X
#define X(id, name, value, least, most, csmith, help)                                              \
    {LIMIT, SMITH_##id, name, csmith, help, value, least, most, false, "", ""},
        SMITH_LIMIT_TABLE(X)
#undef X
#define X(group, id, name, weight, help)                                                           \
    {WEIGHT, SMITH_##group##_##id, name, "", help, weight, 0, HEAVIEST, false, "", #group},
            SMITH_WEIGHT_TABLE(X)
#undef X
#define X(id, name, words, help) {OTHER, OTHER_##id, name, "", help, 0, 0, 0, false, words, ""},
                OTHER_TABLE(X)
#undef X
};
enum { N_ROWS = sizeof rows / sizeof *rows };

/* Options of Csmith that are a setting of ours together with its value. */
static const struct phrase {
    const char *csmith, *name, *value;
} phrases[] = {{"no-safe-math", "wrappers", "none"}, {"lang-cpp", "lang", "c++"}};
enum { N_PHRASES = sizeof phrases / sizeof *phrases };

static const char *const wrappers_name[] = {[CC_WRAP_FUNCTIONS] = "functions",
                                            [CC_WRAP_MACROS] = "macros",
                                            [CC_WRAP_NEEDED] = "needed",
                                            [CC_WRAP_NONE] = "none"};
static const char *const language_name[] = {[CC_C11] = "c", [CC_CXX17] = "c++"};
enum {
    N_WRAPPERS = sizeof wrappers_name / sizeof *wrappers_name,
    N_LANGUAGES = sizeof language_name / sizeof *language_name,
};

/* May it stand alone, and be switched off by no-NAME? */
static bool is_switch(const struct row *r)
{
    return r->kind == FEATURE || (r->kind == OTHER && (!*r->words || r->index == OTHER_EMI));
}

void smith_config_default(struct smith_config *c)
{
    *c = (struct smith_config){
        .wrappers = CC_WRAP_FUNCTIONS, .wrappers_drawn = true, .language = CC_C11};
    for (const struct row *r = rows; r < rows + N_ROWS; r++) {
        if (r->kind == FEATURE)
            c->feature[r->index] = (double)r->value / 100;
        else if (r->kind == LIMIT)
            c->limit[r->index] = r->value;
        else if (r->kind == WEIGHT)
            c->weight[r->index] = (unsigned)r->value;
    }
}

/* -- names ------------------------------------------------------------------------------------- */

static const struct row *find_row(const char *name)
{
    for (const struct row *r = rows; r < rows + N_ROWS; r++)
        if (!strcmp(r->name, name) || (*r->csmith && !strcmp(r->csmith, name)))
            return r;
    return NULL;
}

static const struct phrase *find_phrase(const char *name)
{
    for (int i = 0; i < N_PHRASES; i++)
        if (!strcmp(phrases[i].csmith, name))
            return &phrases[i];
    return NULL;
}

/* The row that no-NAME switches off; NULL where the name is not of that form or not a switch's. */
static const struct row *find_negated(const char *name)
{
    const struct row *r = strncmp(name, "no-", 3) ? NULL : find_row(name + 3);
    return r && is_switch(r) ? r : NULL;
}

static int unknown(const char *name, struct error *e)
{
    VEC(const char *) names = {0};
    struct arena a;
    arena_init(&a);
    for (const struct row *r = rows; r < rows + N_ROWS; r++) {
        const char *both[] = {r->name, *r->csmith ? r->csmith : NULL};
        for (int k = 0; k < 2 && both[k]; k++) {
            vec_push(&names, both[k]);
            if (is_switch(r))
                vec_push(&names, arena_printf(&a, "no-%s", both[k]));
        }
    }
    for (int i = 0; i < N_PHRASES; i++)
        vec_push(&names, phrases[i].csmith);
    const char *near = text_nearest(name, names.at, names.n);
    if (near)
        error_set(e, ERROR_USAGE, "smith has no setting '%s': did you mean '%s'?", name, near);
    else
        error_set(e, ERROR_USAGE,
                  "smith has no setting '%s': `assay gen smith --options` lists them", name);
    vec_release(&names);
    arena_release(&a);
    return -1;
}

int smith_config_takes_value(const char *name)
{
    const struct row *r = find_row(name);
    if (r)
        return !is_switch(r);
    if (find_negated(name) || find_phrase(name))
        return 0;
    return strcmp(name, "config") ? -1 : 1;
}

/* -- values ------------------------------------------------------------------------------------ */

/* "0.2" or "20%" -> 0.2. */
static bool parse_probability(const char *value, double *out)
{
    char *end;
    if (!strchr("0123456789.", value[0]) || strpbrk(value, "xX")) /* strtod takes more than we do */
        return false;
    double p = strtod(value, &end);
    if (end == value)
        return false;
    if (*end == '%') {
        p /= 100;
        end++;
    }
    if (*end || !(p >= 0 && p <= 1))
        return false;
    *out = p;
    return true;
}

static int set_feature(struct smith_config *c, const struct row *r, const char *value,
                       struct error *e)
{
    double p;
    if (!strcmp(value, "on"))
        p = r->value ? (double)r->value / 100 : 1;
    else if (!strcmp(value, "off"))
        p = 0;
    else if (!parse_probability(value, &p))
        return error_set(e, ERROR_USAGE,
                         "%s: '%s' is not on, off or a probability such as 0.2 or 20%%", r->name,
                         value);
    c->feature[r->index] = p;
    return 0;
}

static int set_number(struct smith_config *c, const struct row *r, const char *value,
                      struct error *e)
{
    int64_t number;
    if (!text_parse_int(value, r->least, r->most, &number))
        return error_set(e, ERROR_USAGE, "%s: '%s' is not a whole number from %lld to %lld",
                         r->name, value, (long long)r->least, (long long)r->most);
    if (r->kind == LIMIT) {
        c->limit[r->index] = number;
        return 0;
    }
    /* Something must be left to draw. In table order, as the canonical text has it, no group
     * becomes empty half-way, because no weight is 0 by default. */
    uint64_t others = 0;
    for (const struct row *o = rows; o < rows + N_ROWS; o++)
        if (o != r && o->kind == WEIGHT && !strcmp(o->group, r->group))
            others += c->weight[o->index];
    if (number == 0 && others == 0)
        return error_set(e, ERROR_USAGE, "%s: all others of its group are 0, so it cannot be",
                         r->name);
    c->weight[r->index] = (unsigned)number;
    return 0;
}

static int name_index(const char *const *names, int n, const char *name)
{
    for (int i = 0; i < n; i++)
        if (!strcmp(names[i], name))
            return i;
    return -1;
}

static int set_other(struct smith_config *c, const struct row *r, const char *value,
                     struct error *e)
{
    bool on = !strcmp(value, "on") || !strcmp(value, "1");
    bool off = !strcmp(value, "off") || !strcmp(value, "0");
    int64_t number;
    int word;
    switch ((enum other)r->index) {
    case OTHER_WRAPPERS:
        word = name_index(wrappers_name, N_WRAPPERS, value);
        if (word < 0 && strcmp(value, "mixed") != 0)
            break;
        c->wrappers_drawn = word < 0;
        c->wrappers = word < 0 ? CC_WRAP_FUNCTIONS : (enum cc_wrappers)word;
        return 0;
    case OTHER_LANG:
        word = name_index(language_name, N_LANGUAGES, value);
        if (word < 0)
            break;
        c->language = (enum cc_language)word;
        return 0;
    case OTHER_SWARM:
        if (!on && !off)
            break;
        c->swarm = on;
        return 0;
    case OTHER_PLAIN_TYPES:
        if (!on && !off)
            break;
        c->plain_types = on;
        return 0;
    case OTHER_EMI:
        if (!strcmp(value, "on"))
            number = CC_EMI_CHANGES;
        else if (!off && !text_parse_int(value, 0, CC_EMI_MOST_CHANGES, &number))
            break;
        c->emi = off ? 0 : (int)number;
        return 0;
    }
    return error_set(e, ERROR_USAGE, "%s: '%s' is not %s", r->name, value,
                     *r->words ? r->words : "on or off");
}

/* What the row needs, for one who gave it nothing. */
static int needs_value(const struct row *r, struct error *e)
{
    if (r->kind == OTHER)
        return error_set(e, ERROR_USAGE, "%s needs a value: %s", r->name, r->words);
    return error_set(e, ERROR_USAGE, "%s needs a value: a whole number from %lld to %lld", r->name,
                     (long long)r->least, (long long)r->most);
}

static int set_row(struct smith_config *c, const struct row *r, const char *value, struct error *e)
{
    if (!value || !*value) {
        if (!is_switch(r))
            return needs_value(r, e);
        value = "on";
    }
    return r->kind == FEATURE ? set_feature(c, r, value, e)
           : r->kind == OTHER ? set_other(c, r, value, e)
                              : set_number(c, r, value, e);
}

static int set_by_name(struct smith_config *c, const char *name, const char *value, struct error *e)
{
    const struct row *r = find_row(name);
    if (r)
        return set_row(c, r, value, e);
    const struct row *negated = find_negated(name);
    const struct phrase *phrase = find_phrase(name);
    if ((negated || phrase) && value && *value)
        return error_set(e, ERROR_USAGE, "%s takes no value", name);
    if (negated)
        return set_row(c, negated, "off", e);
    if (phrase)
        return set_row(c, find_row(phrase->name), phrase->value, e);
    if (!strncmp(name, "no-", 3) && find_row(name + 3))
        return error_set(e, ERROR_USAGE, "%s: %s is not a switch that could be off", name,
                         name + 3);
    return unknown(name, e);
}

int smith_config_set(struct smith_config *c, const char *name, const char *value, struct error *e)
{
    if (strcmp(name, "config") != 0)
        return set_by_name(c, name, value, e);
    if (!value || !*value)
        return error_set(e, ERROR_USAGE, "config needs a value: the name of an ini file");
    return smith_config_file(c, value, e);
}

/* The value as it can be set again; a probability as short as gives the same double. */
static void value_text(const struct smith_config *c, const struct row *r, char *out, size_t size)
{
    switch (r->kind) {
    case FEATURE:
        for (int digits = 1; digits <= 17; digits++) {
            snprintf(out, size, "%.*g", digits, c->feature[r->index]);
            if (strtod(out, NULL) == c->feature[r->index])
                break;
        }
        return;
    case LIMIT:
        snprintf(out, size, "%lld", (long long)c->limit[r->index]);
        return;
    case WEIGHT:
        snprintf(out, size, "%u", c->weight[r->index]);
        return;
    case OTHER:
    case N_KINDS:
        break;
    }
    const char *text = "";
    switch ((enum other)r->index) {
    case OTHER_WRAPPERS:
        text = c->wrappers_drawn ? "mixed" : wrappers_name[c->wrappers];
        break;
    case OTHER_LANG:
        text = language_name[c->language];
        break;
    case OTHER_SWARM:
        text = c->swarm ? "1" : "0";
        break;
    case OTHER_PLAIN_TYPES:
        text = c->plain_types ? "1" : "0";
        break;
    case OTHER_EMI:
        snprintf(out, size, "%d", c->emi);
        return;
    }
    text_copy(out, size, text);
}
enum { VALUE_SIZE = 32 };

/* -- text and files ---------------------------------------------------------------------------- */

void smith_config_text(const struct smith_config *c, struct strbuf *out)
{
    struct smith_config plain;
    const char *between = "";
    smith_config_default(&plain);
    for (const struct row *r = rows; r < rows + N_ROWS; r++) {
        char now[VALUE_SIZE], before[VALUE_SIZE];
        value_text(c, r, now, sizeof now);
        value_text(&plain, r, before, sizeof before);
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

int smith_config_parse(struct smith_config *c, const char *text, struct error *e)
{
    smith_config_default(c);
    return gen_config_parse(text, set_one, c, e);
}

struct reading {
    struct smith_config *config;
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
    if (set_by_name(r->config, name, value, &why))
        return error_at(e, ERROR_USAGE, r->path, line, "%s", why.message);
    return 0;
}

int smith_config_file(struct smith_config *c, const char *path, struct error *e)
{
    struct ini_key keys[2 * N_ROWS];
    int n = 0;
    for (const struct row *r = rows; r < rows + N_ROWS; r++) {
        keys[n++] = (struct ini_key){section_name[r->kind], r->name};
        if (*r->csmith)
            keys[n++] = (struct ini_key){section_name[r->kind], r->csmith};
    }
    struct reading reading = {c, path, keys};
    struct arena a;
    arena_init(&a);
    int status = ini_read(path, keys, n, &a, take, &reading, e);
    arena_release(&a);
    return status;
}

/* -- swarm ------------------------------------------------------------------------------------- */

void smith_config_swarm(struct smith_config *c, struct choice *ch)
{
    for (const struct row *r = rows; r < rows + N_ROWS; r++)
        if (r->swarm && c->feature[r->index] > 0 &&
            !choose_flip(ch, 0.5)) /* 0, the simplest: off */
            c->feature[r->index] = 0;
}

/* -- the listing ------------------------------------------------------------------------------- */

static void list_text(const struct smith_config *c, struct strbuf *out)
{
    static const char *const head[N_KINDS] = {
        [FEATURE] = "; --NAME, --no-NAME, or --NAME=X: on, off, or a probability as 0.2 or 20%\n",
        [LIMIT] = "; --NAME N\n",
        [WEIGHT] = "; --NAME N: how often, against the others of its group\n",
        [OTHER] = "; of smith as a whole\n",
    };
    enum kind open = N_KINDS;
    for (const struct row *r = rows; r < rows + N_ROWS; r++) {
        char value[VALUE_SIZE];
        value_text(c, r, value, sizeof value);
        if (r->kind != open)
            strbuf_addf(out, "%s%s[%s]\n", r == rows ? "" : "\n", head[r->kind],
                        section_name[r->kind]);
        open = r->kind;
        strbuf_addf(out, "%-23s = %-9s ; %s", r->name, value, r->help);
        if (r->kind == LIMIT)
            strbuf_addf(out, " (%lld to %lld)", (long long)r->least, (long long)r->most);
        if (r->kind == OTHER && *r->words)
            strbuf_addf(out, " (%s)", r->words);
        if (*r->csmith && strcmp(r->csmith, r->name) != 0)
            strbuf_addf(out, " (Csmith: %s)", r->csmith);
        strbuf_addc(out, '\n');
    }
}

static json_t *value_json(const struct smith_config *c, const struct row *r)
{
    char text[VALUE_SIZE];
    value_text(c, r, text, sizeof text);
    if (r->kind == FEATURE)
        return json_real(c->feature[r->index]);
    if (r->kind == OTHER && r->index == OTHER_EMI)
        return json_integer(c->emi);
    if (r->kind == OTHER)
        return is_switch(r) ? json_boolean(!strcmp(text, "1")) : json_string(text);
    return json_integer(r->kind == LIMIT ? c->limit[r->index] : c->weight[r->index]);
}

static void list_json(const struct smith_config *c, struct strbuf *out)
{
    struct smith_config plain;
    json_t *all = json_array();
    smith_config_default(&plain);
    for (const struct row *r = rows; r < rows + N_ROWS; r++) {
        json_t *o = json_pack("{s:s,s:s,s:o,s:o,s:b,s:s,s:s}", "name", r->name, "section",
                              section_name[r->kind], "value", value_json(c, r), "default",
                              value_json(&plain, r), "takes_value", !is_switch(r), "csmith",
                              r->csmith, "help", r->help);
        if (r->kind == LIMIT || r->kind == WEIGHT)
            json_object_update_new(o, json_pack("{s:I,s:I}", "least", (json_int_t)r->least, "most",
                                                (json_int_t)r->most));
        json_array_append_new(all, o);
    }
    char *text = json_dumps(all, JSON_INDENT(2) | JSON_REAL_PRECISION(15));
    strbuf_addf(out, "%s\n", text);
    free(text);
    json_decref(all);
}

void smith_config_list(const struct smith_config *c, bool json, struct strbuf *out)
{
    if (json)
        list_json(c, out);
    else
        list_text(c, out);
}
