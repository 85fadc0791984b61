/* Everything here walks the rows of a table: a row that is added can be set, written, read back and
 * listed without another line of code. */
#include "base/settings.h"
#include "base/ini.h"
#include "base/json.h"
#include "base/pattern.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>

/* -- names ------------------------------------------------------------------------------------- */

static bool has_value(const struct setting *s)
{
    return s->kind != SETTING_SECTION && s->kind != SETTING_PHRASE && s->kind != SETTING_FOREIGN &&
           (s->kind != SETTING_OWN || s->text);
}

static bool has_other_name(const struct setting *s)
{
    return s->also && *s->also && strcmp(s->also, s->name) != 0;
}

/* In its section of a file. */
static const char *key_of(const struct setting *s)
{
    const char *dot = strchr(s->name, '.');
    return dot ? dot + 1 : s->name;
}

static const struct setting *find(const struct settings *t, const char *name)
{
    for (const struct setting *s = t->rows; s < t->rows + t->n; s++)
        if (s->kind != SETTING_SECTION &&
            (!strcmp(s->name, name) || (has_other_name(s) && !strcmp(s->also, name))))
            return s;
    return NULL;
}

/* The value that the name alone stands for; NULL: it needs one. */
static const char *alone(const struct setting *s)
{
    return s->kind == SETTING_SWITCH || s->kind == SETTING_SHARE ? "on" : s->alone;
}

static bool is_switch(const struct setting *s)
{
    return alone(s) && s->kind != SETTING_PHRASE && strncmp(s->name, "no-", 3) != 0;
}

/* The row that no-NAME switches off; NULL where the name is not of that form or not a switch's. */
static const struct setting *find_negated(const struct settings *t, const char *name)
{
    const struct setting *s = strncmp(name, "no-", 3) ? NULL : find(t, name + 3);
    return s && is_switch(s) ? s : NULL;
}

int settings_takes_value(const struct settings *t, const char *name)
{
    const struct setting *s = find(t, name);
    if (s)
        return !alone(s);
    return find_negated(t, name) ? 0 : strcmp(name, "config") ? -1 : 1;
}

void settings_names(const struct settings *t, struct arena *a, string_list *out)
{
    for (const struct setting *s = t->rows; s < t->rows + t->n; s++) {
        const char *both[] = {s->name, has_other_name(s) ? s->also : NULL};
        if (s->kind == SETTING_FOREIGN)
            continue;
        for (int i = 0; i < 2 && both[i] && s->kind != SETTING_SECTION; i++) {
            vec_push(out, both[i]);
            if (is_switch(s))
                vec_push(out, arena_printf(a, "no-%s", both[i]));
        }
    }
    vec_push(out, "config");
}

static int unknown(const struct settings *t, const char *name, struct error *e)
{
    bool off = !strncmp(name, "no-", 3);
    for (const struct setting *s = t->rows; s < t->rows + t->n; s++) /* "loops" of "policy.loops" */
        if (key_of(s) != s->name && !strcmp(key_of(s), off ? name + 3 : name))
            return error_set(e, ERROR_USAGE, "%s has no option --%s: did you mean --%s=%s?",
                             t->whose, name, s->name, off ? "off" : "on");
    string_list names = {0};
    struct arena a;
    arena_init(&a);
    settings_names(t, &a, &names);
    const char *near = text_nearest(name, names.at, names.n);
    error_set(e, ERROR_USAGE, "%s has no option --%s: %s%s%s", t->whose, name,
              near ? "did you mean --" : "--options lists them", near ? near : "", near ? "?" : "");
    vec_release(&names);
    arena_release(&a);
    return -1;
}

/* -- values ------------------------------------------------------------------------------------ */

/* What the value may be: a noun, to stand behind "is not" and "needs". */
static void allowed(const struct setting *s, struct strbuf *out)
{
    static const char *const nouns[SETTING_OWN + 1] = {
        [SETTING_WORDS] = "a list of words",
        [SETTING_COMMAND] = "a command (is a quote left open?)",
        [SETTING_SWITCH] = "on or off",
        [SETTING_YES] = "yes or no",
        [SETTING_SHARE] = "on, off or a probability such as 0.2 or 20%",
        [SETTING_DURATION] = "a time such as 30s or 2m",
        [SETTING_SIZE] = "a size such as 64M or 2G",
    };
    if (s->what)
        strbuf_adds(out, s->what);
    else if (s->kind == SETTING_INT || s->kind == SETTING_NUMBER)
        strbuf_addf(out, "%s%lld to %lld",
                    s->alone                 ? "on, off or "
                    : s->kind == SETTING_INT ? "a whole number from "
                                             : "a number from ",
                    (long long)s->least, (long long)s->most);
    else if (s->kind == SETTING_WORD)
        for (int i = 0; s->words[i]; i++)
            strbuf_addf(out, "%s%s", !i ? "" : s->words[i + 1] ? ", " : " or ", s->words[i]);
    else
        strbuf_adds(out, nouns[s->kind] ? nouns[s->kind] : "a text");
}

static int wrong(const struct setting *s, const char *value, struct error *e)
{
    struct strbuf what;
    strbuf_init(&what, 1024);
    allowed(s, &what);
    if (value)
        error_set(e, ERROR_USAGE, "%s: '%s' is not %s", s->name, value, what.s);
    else
        error_set(e, ERROR_USAGE, "%s needs a value: %s", s->name, what.s);
    strbuf_release(&what);
    return -1;
}

static void store_int(const struct setting *s, void *at, int64_t number)
{
    if (s->size == 8)
        *(int64_t *)at = number;
    else if (s->size == 4)
        *(int32_t *)at = (int32_t)number;
    else
        *(uint8_t *)at = (uint8_t)number;
}

static int64_t load_int(const struct setting *s, const void *at)
{
    return s->size == 8   ? *(const int64_t *)at
           : s->size == 4 ? *(const int32_t *)at
                          : *(const uint8_t *)at;
}

static int find_word(const char *const *words, const char *word)
{
    for (int i = 0; words[i]; i++)
        if (!strcmp(words[i], word))
            return i;
    return -1;
}

/* 1: on, 0: off, -1: neither. */
static int read_switch(const char *value)
{
    static const char *const words[] = {"off", "on", "no", "yes", "0", "1", NULL};
    int i = find_word(words, value);
    return i < 0 ? -1 : i % 2;
}

/* A share that is simply on: as by default, unless that is off. */
static double share_on(const struct setting *s)
{
    double share = 0;
    if (s->standard)
        text_parse_share(s->standard, &share);
    return share > 0 ? share : 1;
}

static bool take_number(const struct setting *s, void *at, const char *value)
{
    int64_t number = 0;
    double real = 0;
    bool open = !*value && s->standard && !*s->standard;
    int on = alone(s) ? read_switch(value) : -1;
    switch (s->kind) {
    case SETTING_SWITCH:
    case SETTING_YES:
        on = read_switch(value);
        if (on < 0)
            return false;
        *(bool *)at = on;
        return true;
    case SETTING_INT:
        if (on == 1 && !strcmp(value, "on"))
            value = s->alone;
        else if (on == 0)
            value = "0";
        if (!open && !text_parse_int(value, s->least, s->most, &number))
            return false;
        store_int(s, at, open ? s->least - 1 : number);
        return true;
    case SETTING_SHARE:
        if (!strcmp(value, "on") || !strcmp(value, "off"))
            real = on ? share_on(s) : 0;
        else if (!text_parse_share(value, &real))
            return false;
        *(double *)at = real;
        return true;
    case SETTING_NUMBER:
        if (!open && !text_parse_number(value, (double)s->least, (double)s->most, &real))
            return false;
        *(double *)at = open ? NAN : real;
        return true;
    case SETTING_WORD:
        number = find_word(s->words, value);
        if (number >= 0)
            store_int(s, at, number);
        return number >= 0;
    case SETTING_DURATION:
        return text_parse_duration(value, at);
    default:
        return text_parse_size(value, at);
    }
}

/* "{cc} -o {exe}": does the word know every hole in it? */
static int check_holes(const struct setting *s, const char *word, struct error *e)
{
    for (const char *hole = word; s->words && (hole = strchr(hole, '{')); hole++) {
        bool known = false;
        struct strbuf all;
        for (int i = 0; s->words[i]; i++)
            known |= !strncmp(hole, s->words[i], strlen(s->words[i]));
        if (known)
            continue;
        strbuf_init(&all, 1024);
        for (int i = 0; s->words[i]; i++)
            strbuf_addf(&all, " %s", s->words[i]);
        error_set(e, ERROR_USAGE, "%s: '%s' has a placeholder other than%s", s->name, word, all.s);
        strbuf_release(&all);
        return -1;
    }
    return 0;
}

static int take_text(const struct setting *s, void *at, struct arena *a, const char *value,
                     struct error *e)
{
    char **words = NULL;
    int n = 0;
    struct arena own;
    arena_init(&own);
    if (s->must && !strstr(value, s->must)) {
        arena_release(&own);
        return error_set(e, ERROR_USAGE, "%s: '%s' lacks %s", s->name, value, s->must);
    }
    if (s->kind != SETTING_TEXT)
        n = text_split(s->kind == SETTING_WORDS ? a : &own, value, &words);
    int status = s->kind != SETTING_TEXT && n < 1 ? wrong(s, value, e) : 0;
    for (int i = 0; i < n && !status; i++)
        status = check_holes(s, words[i], e);
    arena_release(&own);
    if (status)
        return -1;
    if (s->kind == SETTING_WORDS) {
        for (int i = 0; i < n; i++)
            vec_push((string_list *)at, words[i]);
        return 0;
    }
    value = a ? arena_strdup(a, value) : value;
    if (s->many)
        vec_push((string_list *)at, value);
    else
        *(const char **)at = value;
    return 0;
}

/* The name stands in front of what the compiler of expressions says. */
static int take_pattern(const struct setting *s, void *at, struct arena *a, const char *value,
                        struct error *e)
{
    static const char *const numbers[] = {"no", "a", "two"};
    struct substitution new = {0};
    struct error why;
    int status = s->kind == SETTING_PATTERN ? pattern_compile(&new.from, value, &why)
                                            : substitution_compile(&new, value, a, &why);
    if (!status && new.from.regex.re_nsub < (size_t)s->least) {
        pattern_release(&new.from);
        status = error_set(&why, ERROR_USAGE, "'%s' lacks %s group%s: put %s in parentheses", value,
                           numbers[s->least], s->least > 1 ? "s" : "",
                           s->what ? s->what : "the part that is meant");
    }
    if (status)
        return error_set(e, ERROR_USAGE, "%s: %s", s->name, why.message);
    if (s->kind == SETTING_PATTERN && s->many)
        vec_push((pattern_list *)at, new.from);
    else if (s->many)
        vec_push((substitution_list *)at, new);
    else {
        pattern_release(at); /* the first member of a substitution, too */
        memcpy(at, &new, s->size);
    }
    return 0;
}

int setting_take(const struct setting *s, void *to, struct arena *a, const char *value,
                 struct error *e)
{
    void *at = (char *)to + s->at;
    switch (s->kind) {
    case SETTING_SECTION:
    case SETTING_PHRASE:
    case SETTING_FOREIGN:
    case SETTING_OWN:
        BUG("%s has no place", s->name);
    case SETTING_TEXT:
    case SETTING_COMMAND:
    case SETTING_WORDS:
        return take_text(s, at, a, value, e);
    case SETTING_PATTERN:
    case SETTING_SUBSTITUTION:
        return take_pattern(s, at, a, value, e);
    default:
        return take_number(s, at, value) ? 0 : wrong(s, value, e);
    }
}

static int take(const struct setting *s, void *to, struct arena *a, const char *value,
                struct error *e)
{
    return s->set ? s->set(s, to, a, value, e) : setting_take(s, to, a, value, e);
}

/* May it be set to nothing? */
static bool may_be_empty(const struct setting *s)
{
    return s->kind == SETTING_TEXT || (s->standard && !*s->standard);
}

static int set_by_name(const struct settings *t, void *to, struct arena *a, const char *name,
                       const char *value, struct error *e)
{
    const struct setting *s = find(t, name), *off = s ? NULL : find_negated(t, name);
    bool none = !value || !*value;
    if (!s && !off)
        return unknown(t, name, e);
    if ((s ? s : off)->kind == SETTING_FOREIGN)
        return error_set(e, ERROR_USAGE, "%s has no option --%s: %s", t->whose, name,
                         (s ? s : off)->help);
    if ((off || s->kind == SETTING_PHRASE) && !none)
        return error_set(e, ERROR_USAGE, "%s takes no value", name);
    if (off)
        return take(off, to, a, "off", e);
    if (s->kind == SETTING_PHRASE)
        return settings_parse(t, to, a, s->alone, e);
    if (none && alone(s))
        value = alone(s);
    else if (!value || (none && !may_be_empty(s)))
        return wrong(s, NULL, e);
    if (s->kind == SETTING_TEXT && strchr(value, ','))
        return error_set(e, ERROR_USAGE, "%s: '%s' contains a comma, which is not allowed", name,
                         value);
    return take(s, to, a, value, e);
}

int settings_set(const struct settings *t, void *to, struct arena *a, const char *name,
                 const char *value, struct error *e)
{
    if (strcmp(name, "config") != 0)
        return set_by_name(t, to, a, name, value, e);
    if (!value || !*value)
        return error_set(e, ERROR_USAGE, "config needs a value: the name of an ini file");
    return settings_file(t, to, a, value, e);
}

void settings_default(const struct settings *t, void *to)
{
    for (const struct setting *s = t->rows; s < t->rows + t->n; s++)
        if (s->standard)
            REQUIRE(!take(s, to, NULL, s->standard, NULL));
}

int settings_parse(const struct settings *t, void *to, struct arena *a, const char *text,
                   struct error *e)
{
    struct arena own;
    int status = 0;
    arena_init(&own);
    while (*text && !status) {
        size_t n = strcspn(text, ","), name = strcspn(text, "=,");
        const char *value = name < n ? arena_memdup(&own, text + name + 1, n - name - 1) : NULL;
        status = set_by_name(t, to, a, arena_memdup(&own, text, name), value, e);
        text += n + (text[n] == ',');
    }
    arena_release(&own);
    return status;
}

static void release_pattern(const struct setting *s, void *at)
{
    pattern_list *patterns = at;
    substitution_list *substitutions = at;
    if (!s->many) {
        pattern_release(at);
    } else if (s->kind == SETTING_PATTERN) {
        for (size_t i = 0; i < patterns->n; i++)
            pattern_release(&patterns->at[i]);
        vec_release(patterns);
    } else {
        for (size_t i = 0; i < substitutions->n; i++)
            pattern_release(&substitutions->at[i].from);
        vec_release(substitutions);
    }
}

static bool is_list(const struct setting *s)
{
    return s->kind == SETTING_WORDS || (s->many && s->kind != SETTING_OWN);
}

static void release(const struct setting *s, void *at)
{
    if (s->kind == SETTING_PATTERN || s->kind == SETTING_SUBSTITUTION)
        release_pattern(s, at);
    else if (is_list(s))
        vec_release((string_list *)at);
}

void settings_release(const struct settings *t, void *of)
{
    for (const struct setting *s = t->rows; s < t->rows + t->n; s++)
        release(s, (char *)of + s->at);
}

/* -- files ------------------------------------------------------------------------------------- */

struct reading {
    void *to;
    struct arena *arena;
    VEC(struct ini_key) keys;
    VEC(const struct setting *) rows; /* of the keys */
    VEC(const struct setting *) seen; /* in this file */
    bool first;                       /* only what goes ahead of the others is taken */
};

/* "; %s": without the quotes a semicolon would begin a comment of the file itself. */
static const char *unquoted(struct arena *a, const char *value)
{
    size_t n = strlen(value), k = 0;
    bool quoted = n > 1 && value[0] == '"' && value[n - 1] == '"';
    value += quoted;
    n -= quoted ? 2 : 0;
    char *out = arena_memdup(a, value, n);
    for (size_t i = 0; i < n; i++) {
        bool escape = value[i] == '\\' && i + 1 < n && strchr("nt\\\"", value[i + 1]);
        char c = escape ? value[++i] : value[i];
        out[k++] = (char)(escape && c == 'n' ? '\n' : escape && c == 't' ? '\t' : c);
    }
    out[k] = '\0';
    return out;
}

/* The first value of a list in a file: it takes the place of all that were there. */
static int take_instead(const struct setting *s, void *to, struct arena *arena, const char *value,
                        struct error *e)
{
    pattern_list before, none = {0}; /* as every list: three words */
    void *at = (char *)to + s->at;
    memcpy(&before, at, sizeof before);
    memcpy(at, &none, sizeof none);
    int status = take(s, to, arena, value, e);
    release(s, status ? at : (void *)&before);
    if (status)
        memcpy(at, &before, sizeof before);
    return status;
}

static int take_key(void *context, int key, const char *value, int line, struct error *e)
{
    struct reading *r = context;
    const struct setting *s = r->rows.at[key];
    bool seen = false;
    (void)line;
    if (s->first != r->first)
        return 0;
    if (!*value && !may_be_empty(s))
        return error_set(e, ERROR_USAGE, "%s has no value", r->keys.at[key].name);
    for (size_t i = 0; i < r->seen.n; i++)
        seen |= r->seen.at[i] == s;
    if (s->quoted)
        value = unquoted(r->arena, value);
    if (seen || !is_list(s))
        return take(s, r->to, r->arena, value, e);
    vec_push(&r->seen, s);
    return take_instead(s, r->to, r->arena, value, e);
}

static int check_required(const struct settings *t, const void *to, const char *path,
                          struct error *e)
{
    const char *section = "";
    for (const struct setting *s = t->rows; s < t->rows + t->n; s++) {
        const void *at = (const char *)to + s->at;
        section = s->kind == SETTING_SECTION ? s->name : section;
        if (s->required && (s->many ? !((const string_list *)at)->n : !*(const char *const *)at))
            return error_at(e, ERROR_USAGE, path, 0, "[%s] lacks '%s'", section, s->name);
    }
    return 0;
}

int settings_file(const struct settings *t, void *to, struct arena *a, const char *path,
                  struct error *e)
{
    struct reading r = {.to = to, .arena = a};
    bool any_first = false;
    struct arena own;
    const char *section = NULL;
    for (const struct setting *s = t->rows; s < t->rows + t->n; s++) {
        if (s->kind == SETTING_SECTION)
            section = s->name;
        if (!section || s->kind == SETTING_SECTION || s->kind == SETTING_PHRASE ||
            s->kind == SETTING_FOREIGN)
            continue;
        vec_push(&r.keys, (struct ini_key){section, key_of(s)});
        vec_push(&r.rows, s);
        any_first |= s->first;
        if (!has_other_name(s))
            continue;
        vec_push(&r.keys, (struct ini_key){section, s->also});
        vec_push(&r.rows, s);
    }
    arena_init(&own);
    int status = 0;
    for (int pass = !any_first; pass < 2 && !status; pass++) {
        r.first = pass == 0;
        status = ini_read(path, r.keys.at, (int)r.keys.n, a ? a : &own, take_key, &r, e);
    }
    arena_release(&own);
    vec_release(&r.keys);
    vec_release(&r.rows);
    vec_release(&r.seen);
    return status ? status : check_required(t, to, path, e);
}

/* -- texts and lists --------------------------------------------------------------------------- */

/* The value as it can be set again; a real number as short as gives the same double. */
static void value_text(const struct setting *s, const void *of, struct strbuf *out)
{
    const void *at = (const char *)of + s->at;
    char text[32] = "";
    if (s->text) {
        s->text(of, s, out);
        return;
    }
    switch (s->kind) {
    case SETTING_TEXT:
        strbuf_adds(out, *(const char *const *)at ? *(const char *const *)at : "");
        return;
    case SETTING_SWITCH:
        strbuf_adds(out, *(const bool *)at ? "1" : "0");
        return;
    case SETTING_INT:
        if (load_int(s, at) >= s->least)
            strbuf_addf(out, "%lld", (long long)load_int(s, at));
        return;
    case SETTING_WORD:
        strbuf_adds(out, s->words[load_int(s, at)]);
        return;
    case SETTING_SHARE:
    case SETTING_NUMBER:
        for (int digits = 1; digits <= 17 && !isnan(*(const double *)at); digits++) {
            snprintf(text, sizeof text, "%.*g", digits, *(const double *)at);
            if (strtod(text, NULL) == *(const double *)at && !strstr(text, "e+"))
                break;
        }
        strbuf_adds(out, text);
        return;
    default:
        BUG("%s is for files and has no text", s->name);
    }
}

void settings_text(const struct settings *t, const void *of, const void *standard,
                   struct strbuf *out)
{
    struct strbuf now, before;
    const char *between = "";
    strbuf_init(&now, 0);
    strbuf_init(&before, 0);
    for (const struct setting *s = t->rows; s < t->rows + t->n; s++) {
        if (!has_value(s))
            continue;
        strbuf_clear(&now);
        strbuf_clear(&before);
        value_text(s, of, &now);
        value_text(s, standard, &before);
        if (!strcmp(now.s, before.s))
            continue;
        strbuf_addf(out, "%s%s=%s", between, s->name, now.s);
        between = ",";
    }
    strbuf_release(&now);
    strbuf_release(&before);
}

/* What it may be and its other name, as far as the head of the section does not say it. */
static void help_text(const struct setting *s, const struct setting *section, struct strbuf *out)
{
    strbuf_adds(out, s->help ? s->help : "");
    if (s->kind == SETTING_PHRASE && *s->alone)
        strbuf_addf(out, "%s--%s", s->help ? ": " : "the same as ", s->alone);
    if ((s->kind == SETTING_INT || s->kind == SETTING_NUMBER) && s->most < INT32_MAX)
        strbuf_addf(out, " (%s%lld to %lld)", s->alone ? "on, off or " : "", (long long)s->least,
                    (long long)s->most);
    bool told = section && section->what && s->what && !strcmp(section->what, s->what);
    if (s->kind == SETTING_WORD || (s->what && has_value(s) && !told)) {
        strbuf_adds(out, " (");
        allowed(s, out);
        strbuf_addc(out, ')');
    }
    if (has_other_name(s))
        strbuf_addf(out, " (also: %s)", s->also);
}

static const char config_help[] = "read a file like this list";

static void list_text(const struct settings *t, const void *of, struct strbuf *out)
{
    enum { LONGEST = 40 }; /* lines of files end somewhere */
    struct strbuf help, value;
    const struct setting *section = NULL;
    strbuf_init(&help, 0);
    strbuf_init(&value, 0);
    for (const struct setting *s = t->rows; s < t->rows + t->n; s++) {
        strbuf_clear(&help);
        strbuf_clear(&value);
        help_text(s, section, &help);
        if (!section && s->kind == SETTING_SECTION)
            strbuf_addf(out, "; --%-23s %s\n", "config FILE", config_help);
        if (s->kind == SETTING_SECTION) {
            section = s;
            strbuf_addf(out, "\n; %s\n[%s]\n", s->help, s->name);
        } else if (!section && s->kind != SETTING_FOREIGN) {
            strbuf_addf(out, "; --%-23s %s\n", s->name, help.s);
        } else if (has_value(s)) {
            value_text(s, of, &value);
            if (value.n > LONGEST)
                strbuf_addf(out, "; %s\n%-23s = %s\n", help.s, key_of(s), value.s);
            else
                strbuf_addf(out, "%-23s = %-14s ; %s\n", key_of(s), value.s, help.s);
        }
    }
    strbuf_release(&help);
    strbuf_release(&value);
    if (t->notes)
        t->notes(out);
}

static struct json *value_json(const struct setting *s, const void *of)
{
    const void *at = (const char *)of + s->at;
    struct strbuf text;
    int64_t number;
    strbuf_init(&text, 0);
    value_text(s, of, &text);
    bool real = s->kind == SETTING_SHARE || s->kind == SETTING_NUMBER;
    struct json *value = s->kind == SETTING_SWITCH ? json_new("b", *(const bool *)at)
                         : real && text.n          ? json_new("f", *(const double *)at)
                         : s->kind == SETTING_TEXT ? json_new("s", text.s)
                         : text_parse_int(text.s, INT64_MIN, INT64_MAX, &number)
                             ? json_new("I", (int64_t)number)
                         : text.n || s->kind == SETTING_OWN ? json_new("s", text.s)
                                                            : json_new("n");
    strbuf_release(&text);
    return value;
}

static void list_json(const struct settings *t, const void *of, const void *standard,
                      struct strbuf *out)
{
    struct json *all = json_new("[]");
    const char *section = NULL;
    struct strbuf what;
    strbuf_init(&what, 0);
    json_append(all, "{s:s,s:s,s:b,s:s}", "name", "config", "section", "", "takes_value", true,
                "help", config_help);
    for (const struct setting *s = t->rows; s < t->rows + t->n; s++) {
        if (s->kind == SETTING_SECTION)
            section = s->name;
        if (s->kind == SETTING_SECTION || s->kind == SETTING_FOREIGN || (section && !has_value(s)))
            continue;
        struct json *o =
            json_new("{s:s,s:s,s:b,s:s}", "name", s->name, "section", section ? section : "",
                     "takes_value", !alone(s), "help", s->help ? s->help : s->alone);
        strbuf_clear(&what);
        allowed(s, &what);
        if (has_value(s) && section)
            json_extend(o, "{s:o,s:o,s:s}", "value", value_json(s, of), "default",
                        value_json(s, standard), "values", what.s);
        if (s->kind == SETTING_INT || s->kind == SETTING_NUMBER)
            json_extend(o, "{s:I,s:I}", "least", (int64_t)s->least, "most", (int64_t)s->most);
        if (has_other_name(s))
            json_extend(o, "{s:s}", "also", s->also);
        json_append(all, "o", o);
    }
    json_write(all, false, out);
    strbuf_release(&what);
}

void settings_list(const struct settings *t, const void *of, const void *standard, bool json,
                   struct strbuf *out)
{
    if (json)
        list_json(t, of, standard, out);
    else
        list_text(t, of, out);
}
