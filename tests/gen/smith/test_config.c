/* smith's settings: each way to give one, what is wrong with a wrong one, and that every text that
 * is written can be read back. */
#include "base/fs.h"
#include "base/text.h"
#include "gen/smith/config.h"
#include "tap.h"

#include <jansson.h>
#include <unistd.h>

static void smith_config_default(struct smith_config *c)
{
    *c = (struct smith_config){0};
    settings_default(&smith_settings, c);
}

static int smith_config_set(struct smith_config *c, const char *name, const char *value,
                            struct error *e)
{
    return settings_set(&smith_settings, c, NULL, name, value, e);
}

static int smith_config_parse(struct smith_config *c, const char *text, struct error *e)
{
    smith_config_default(c);
    return settings_parse(&smith_settings, c, NULL, text, e);
}

static void smith_config_text(const struct smith_config *c, struct strbuf *out)
{
    struct smith_config standard;
    smith_config_default(&standard);
    settings_text(&smith_settings, c, &standard, out);
}

static void smith_config_list(const struct smith_config *c, bool json, struct strbuf *out)
{
    struct smith_config standard;
    smith_config_default(&standard);
    settings_list(&smith_settings, c, &standard, json, out);
}

static int takes_value(const char *name)
{
    return settings_takes_value(&smith_settings, name);
}

static bool same(const struct smith_config *a, const struct smith_config *b)
{
    for (int i = 0; i < SMITH_N_FEATURES; i++)
        if (a->feature[i] != b->feature[i])
            return false;
    return !memcmp(a->limit, b->limit, sizeof a->limit) &&
           !memcmp(a->weight, b->weight, sizeof a->weight) && a->wrappers == b->wrappers &&
           a->wrappers_drawn == b->wrappers_drawn && a->language == b->language &&
           a->swarm == b->swarm && a->plain_types == b->plain_types && a->emi == b->emi;
}

/* -- names ------------------------------------------------------------------------------------- */

/* Every name with the setting that it belongs to. */
static const struct spelling {
    const char *name, *of;
    bool is_switch;
} spellings[] = {
#define X(id, name, percent, swarm, csmith, help) {name, name, true}, {csmith, name, true},
    SMITH_FEATURE_TABLE(X)
#undef X
#define X(id, name, value, least, most, csmith, help) {name, name, false}, {csmith, name, false},
        SMITH_LIMIT_TABLE(X)
#undef X
#define X(group, id, name, weight, help) {name, name, false},
            SMITH_WEIGHT_TABLE(X)
#undef X
                {"wrappers", "wrappers", false},
    {"lang", "lang", false},
    {"swarm", "swarm", true},
    {"plain-types", "plain-types", true},
    {"emi", "emi", true},
    {"no-safe-math", "no-safe-math", true},
    {"lang-cpp", "lang-cpp", true},
    {"config", "config", false},
    /* options of the commands, which would hide a setting */
    {"seed", "run", false},
    {"output", "gen", false},
    {"list", "gen", false},
    {"options", "gen", false},
    {"json", "gen", false},
    {"help", "gen", false},
    {"dir", "run", false},
    {"generator", "run", false},
    {"testbeds", "run", false},
    {"testbed-dir", "run", false},
    {"all-flags", "run", false},
    {"majority", "run", false},
    {"sandbox", "run", false},
    {"no-sandbox", "run", false},
    {"time", "run", false},
    {"tests", "run", false},
    {"findings", "run", false},
    {"workers", "run", false},
    {"plain", "run", false},
    {"quiet", "run", false},
};
enum { N_SPELLINGS = sizeof spellings / sizeof *spellings };

static void test_names(void)
{
    int ambiguous = 0, unusable = 0, wrong_kind = 0;
    for (int i = 0; i < N_SPELLINGS; i++) {
        const struct spelling *s = &spellings[i];
        if (!*s->name)
            continue;
        unusable += strspn(s->name, "abcdefghijklmnopqrstuvwxyz0123456789-") != strlen(s->name);
        for (int k = 0; k < i; k++) {
            const struct spelling *o = &spellings[k];
            char negated[64];
            snprintf(negated, sizeof negated, "no-%s", o->name);
            bool taken = !strcmp(s->name, o->name) && strcmp(s->of, o->of) != 0;
            taken |= o->is_switch && !strcmp(s->name, negated);
            snprintf(negated, sizeof negated, "no-%s", s->name);
            taken |= s->is_switch && !strcmp(o->name, negated);
            if (taken)
                printf("# %s is both %s and %s\n", s->name, s->of, o->of);
            ambiguous += taken;
        }
        bool of_command = !strcmp(s->of, "run") || !strcmp(s->of, "gen");
        if (takes_value(s->name) != (of_command ? -1 : !s->is_switch)) {
            printf("# takes_value(\"%s\") is wrong\n", s->name);
            wrong_kind++;
        }
    }
    is_int(ambiguous, 0, "no name means two things, and none hides behind a command's option");
    is_int(unusable, 0, "every name can be typed as an option");
    is_int(wrong_kind, 0, "every name is known, and whether it takes a value");
    is_int(takes_value("no-goto"), 0, "no-goto stands alone");
    is_int(takes_value("no-jumps"), 0, "no-jumps, too");
    is_int(takes_value("no-swarm"), 0, "no-swarm, too");
    is_int(takes_value("no-max-funcs"), -1, "a limit has no no-");
    is_int(takes_value("no-lang-cpp"), -1, "nor has a phrase");
    is_int(takes_value("safe-math"), 0, "safe-math is explained");
    is_int(takes_value(""), -1, "the empty name is none");
    is_int(takes_value("no-"), -1, "nor is no-");
}

/* -- setting ----------------------------------------------------------------------------------- */

/* One setting on the defaults, and the canonical text that it leads to, or the error. */
static const struct {
    const char *name, *value, *text, *error;
} settings[] = {
    /* features */
    {"goto", NULL, "", NULL},
    {"goto", "", "", NULL},
    {"goto", "on", "", NULL},
    {"goto", "1", "", NULL},
    {"no-goto", NULL, "goto=0", NULL},
    {"no-goto", "", "goto=0", NULL},
    {"goto", "off", "goto=0", NULL},
    {"goto", "0", "goto=0", NULL},
    {"volatiles", "on", "", NULL},
    {"volatiles", "0.06", "", NULL},
    {"volatiles", "6%", "", NULL},
    {"volatiles", "0.2", "volatiles=0.2", NULL},
    {"volatiles", "20%", "volatiles=0.2", NULL},
    {"volatiles", ".5", "volatiles=0.5", NULL},
    {"volatiles", "100%", "volatiles=1", NULL},
    {"volatiles", "12.5%", "volatiles=0.125", NULL},
    {"volatiles", "0.1234567890123", "volatiles=0.1234567890123", NULL},
    {"assert-facts", NULL, "assert-facts=1", NULL},
    {"assert-facts", "on", "assert-facts=1", NULL},
    {"assert-facts", "0.25", "assert-facts=0.25", NULL},
    {"no-assert-facts", NULL, "", NULL},
    {"volatiles", "1.1", NULL,
     "volatiles: '1.1' is not on, off or a probability such as 0.2 or 20%"},
    {"volatiles", "101%", NULL, "volatiles: '101%' is not"},
    {"volatiles", "-0.1", NULL, "volatiles: '-0.1' is not"},
    {"volatiles", "nan", NULL, "volatiles: 'nan' is not"},
    {"volatiles", "0x1", NULL, "volatiles: '0x1' is not"},
    {"volatiles", "0.2x", NULL, "volatiles: '0.2x' is not"},
    {"volatiles", ".", NULL, "volatiles: '.' is not"},
    {"volatiles", "yes", NULL, "volatiles: 'yes' is not"},
    {"no-volatiles", "0.2", NULL, "no-volatiles takes no value"},
    /* limits */
    {"max-funcs", "5", "max-funcs=5", NULL},
    {"max-funcs", "25", "", NULL},
    {"max-funcs", "1", "max-funcs=1", NULL},
    {"max-funcs", "200", "max-funcs=200", NULL},
    {"max-funcs", "0", NULL, "max-funcs: '0' is not a whole number from 1 to 200"},
    {"max-funcs", "201", NULL, "max-funcs: '201' is not a whole number from 1 to 200"},
    {"max-funcs", "5.5", NULL, "max-funcs: '5.5' is not a whole number"},
    {"max-funcs", "many", NULL, "max-funcs: 'many' is not a whole number"},
    {"max-funcs", NULL, NULL, "max-funcs needs a value: a whole number from 1 to 200"},
    {"max-funcs", "", NULL, "max-funcs needs a value"},
    {"no-max-funcs", NULL, NULL, "smith has no option --no-max-funcs: did you mean --max-funcs?"},
    {"size", "4000", "size=4000", NULL},
    /* weights */
    {"stmt-goto", "9", "stmt-goto=9", NULL},
    {"stmt-goto", "0", "stmt-goto=0", NULL},
    {"stmt-goto", "1000000", "stmt-goto=1000000", NULL},
    {"stmt-goto", "1000001", NULL, "stmt-goto: '1000001' is not a whole number from 0 to 1000000"},
    {"stmt-goto", "-1", NULL, "stmt-goto: '-1' is not a whole number"},
    {"stmt-goto", NULL, NULL, "stmt-goto needs a value"},
    /* the others */
    {"wrappers", "functions", "wrappers=functions", NULL},
    {"wrappers", "macros", "wrappers=macros", NULL},
    {"wrappers", "needed", "wrappers=needed", NULL},
    {"wrappers", "none", "wrappers=none", NULL},
    {"wrappers", "mixed", "", NULL},
    {"wrappers", "some", NULL, "wrappers: 'some' is not functions, macros, needed, none or mixed"},
    {"wrappers", NULL, NULL, "wrappers needs a value: functions, macros"},
    {"lang", "c", "", NULL},
    {"lang", "c++", "lang=c++", NULL},
    {"lang", "rust", NULL, "lang: 'rust' is not c or c++"},
    {"swarm", NULL, "swarm=1", NULL},
    {"swarm", "on", "swarm=1", NULL},
    {"swarm", "off", "", NULL},
    {"swarm", "0.5", NULL, "swarm: '0.5' is not on or off"},
    {"no-swarm", NULL, "", NULL},
    {"plain-types", NULL, "plain-types=1", NULL},
    {"no-plain-types", NULL, "", NULL},
    {"emi", NULL, "emi=8", NULL},
    {"emi", "on", "emi=8", NULL},
    {"emi", "1", "emi=1", NULL},
    {"emi", "100", "emi=100", NULL},
    {"emi", "off", "", NULL},
    {"emi", "0", "", NULL},
    {"no-emi", NULL, "", NULL},
    {"emi", "101", NULL, "emi: '101' is not on, off or 0 to 100"},
    {"emi", "-1", NULL, "emi: '-1' is not on, off or 0 to 100"},
    /* as Csmith calls them */
    {"no-jumps", NULL, "goto=0", NULL},
    {"jumps", NULL, "", NULL},
    {"no-longlong", NULL, "int64=0", NULL},
    {"no-float", NULL, "floats=0", NULL},
    {"float", "0.5", "floats=0.5", NULL},
    {"no-muls", NULL, "multiplication=0", NULL},
    {"max-expr-complexity", "4", "max-expr-complexity=4", NULL},
    {"no-safe-math", NULL, "wrappers=none", NULL},
    {"no-safe-math", "1", NULL, "no-safe-math takes no value"},
    {"safe-math", NULL, NULL, "smith has no option --safe-math: --wrappers functions"},
    {"lang-cpp", NULL, "lang=c++", NULL},
    /* names that are none */
    {"gotoo", NULL, NULL, "smith has no option --gotoo: did you mean --goto?"},
    {"no-gotoo", NULL, NULL, "smith has no option --no-gotoo: did you mean --no-goto?"},
    {"max-func", "5", NULL, "smith has no option --max-func: did you mean --max-funcs?"},
    {"stmt-gogo", "5", NULL, "did you mean --stmt-goto?"},
    {"lang-cp", NULL, NULL, "did you mean --lang-cpp?"},
    {"quantum-entanglement", NULL, NULL,
     "smith has no option --quantum-entanglement: --options lists them"},
    {"config", NULL, NULL, "config needs a value"},
    {"config", "/nonexistent.ini", NULL, "cannot be read"},
};

static void test_set(void)
{
    struct smith_config before;
    smith_config_default(&before);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        const char *name = settings[i].name, *value = settings[i].value;
        struct smith_config c;
        struct error e = {0};
        struct strbuf text;
        strbuf_init(&text, 0);
        smith_config_default(&c);
        int status = smith_config_set(&c, name, value, &e);
        smith_config_text(&c, &text);
        is_int(status, settings[i].error ? -1 : 0, "%s %s%s", name, value ? value : "",
               settings[i].error ? ": wrong" : "");
        if (settings[i].error) {
            has_str(e.message, settings[i].error, "  says why");
            ok(e.kind == ERROR_USAGE && same(&c, &before), "  and changes nothing");
        } else {
            is_str(text.s, settings[i].text, "  leads to");
        }
        strbuf_release(&text);
    }
    struct smith_config c = before;
    ok(!smith_config_set(&c, "wrappers", "none", NULL) &&
           !smith_config_set(&c, "wrappers", "mixed", NULL) && same(&c, &before),
       "back to mixed is the default again");
    ok(smith_config_set(&c, "nonsense", NULL, NULL) == -1, "an error nobody wants to read");
}

static void test_weights(void)
{
    struct smith_config c;
    struct error e = {0};
    smith_config_default(&c);
    ok(!smith_config_set(&c, "scope-global", "0", &e) &&
           !smith_config_set(&c, "scope-local", "0", &e) &&
           !smith_config_set(&c, "scope-parameter", "0", &e),
       "most of a group may be 0");
    is_int(smith_config_set(&c, "scope-new", "0", &e), -1, "all of it may not");
    has_str(e.message, "scope-new: all others of its group are 0", "  says why");
    is_int(c.weight[SMITH_SCOPE_NEW], 5, "  and keeps the last");
    int zero = 0;
    smith_config_default(&c);
    for (int i = 0; i < SMITH_N_WEIGHTS; i++)
        zero += c.weight[i] == 0;
    is_int(zero, 0, "no weight is 0 by default, so that any canonical text can be read in order");
}

/* -- text and files ---------------------------------------------------------------------------- */

static bool reads_back(const struct smith_config *c)
{
    struct smith_config again;
    struct error e = {0};
    struct strbuf text, second;
    strbuf_init(&text, 0);
    strbuf_init(&second, 0);
    smith_config_text(c, &text);
    bool good = !smith_config_parse(&again, text.s, &e) && same(c, &again);
    smith_config_text(&again, &second);
    good &= !strcmp(text.s, second.s);
    if (!good)
        printf("# %s\n# %s\n", text.s, e.message);
    strbuf_release(&text);
    strbuf_release(&second);
    return good;
}

static void draw(struct smith_config *c, struct choice *ch)
{
    smith_config_default(c);
    for (int i = 0; i < SMITH_N_FEATURES; i++)
        if (choose_flip(ch, 0.5))
            c->feature[i] = (double)choose(ch, UINT64_C(1) << 53) / (double)(UINT64_C(1) << 53);
    static const int64_t bounds[][2] = {
#define X(id, name, value, least, most, csmith, help) {least, most},
        SMITH_LIMIT_TABLE(X)
#undef X
    };
    for (int i = 0; i < SMITH_N_LIMITS; i++)
        c->limit[i] =
            bounds[i][0] + (int64_t)choose(ch, (uint64_t)(bounds[i][1] - bounds[i][0] + 1));
    /* mostly zeros, but in each group one that is not */
    for (int i = 0; i < SMITH_N_WEIGHTS; i++)
        c->weight[i] = choose_flip(ch, 0.1) ? (unsigned)choose(ch, 1000001) : 0;
    c->weight[SMITH_STMT_ASSIGN + choose(ch, SMITH_EXPR_CALL - SMITH_STMT_ASSIGN)] = 1;
    c->weight[SMITH_EXPR_CALL + choose(ch, SMITH_SCOPE_GLOBAL - SMITH_EXPR_CALL)] = 2;
    c->weight[SMITH_SCOPE_GLOBAL + choose(ch, SMITH_KERNEL_MAP - SMITH_SCOPE_GLOBAL)] = 3;
    c->weight[SMITH_KERNEL_MAP + choose(ch, SMITH_IDIOM_ROTATE - SMITH_KERNEL_MAP)] = 4;
    c->weight[SMITH_IDIOM_ROTATE + choose(ch, SMITH_N_WEIGHTS - SMITH_IDIOM_ROTATE)] = 5;
    c->wrappers_drawn = choose_flip(ch, 0.5);
    if (!c->wrappers_drawn)
        c->wrappers = (enum cc_wrappers)choose(ch, 4);
    c->language = (enum cc_language)choose(ch, 2);
    c->swarm = choose_flip(ch, 0.5);
    c->plain_types = choose_flip(ch, 0.5);
    c->emi = (int)choose(ch, 101);
}

static int from_file(struct smith_config *c, const char *text, struct error *e)
{
    char path[] = "/tmp/assay-smith-XXXXXX";
    int fd = mkstemp(path);
    close(fd);
    fs_write(path, text, strlen(text), NULL);
    *e = (struct error){0};
    int status = settings_file(&smith_settings, c, NULL, path, e);
    unlink(path);
    return status;
}

static void test_text(void)
{
    struct smith_config c, plain;
    struct strbuf text;
    struct error e = {0};
    strbuf_init(&text, 0);
    smith_config_default(&plain);
    smith_config_text(&plain, &text);
    is_str(text.s, "", "the defaults are the empty text");
    c = plain;
    smith_config_set(&c, "lang", "c++", NULL);
    smith_config_set(&c, "stmt-goto", "0", NULL);
    smith_config_set(&c, "max-funcs", "5", NULL);
    smith_config_set(&c, "no-goto", NULL, NULL);
    smith_config_set(&c, "int8", "0.5", NULL);
    smith_config_text(&c, &text);
    is_str(text.s, "int8=0.5,goto=0,max-funcs=5,stmt-goto=0,lang=c++",
           "in the order of the tables");
    ok(reads_back(&c), "and back");
    ok(!smith_config_parse(&c, "", &e) && same(&c, &plain), "the empty text is the defaults");
    ok(!smith_config_parse(&c, "no-goto,max-funcs=5", &e) && c.feature[SMITH_GOTO] == 0 &&
           c.limit[SMITH_MAX_FUNCS] == 5,
       "it may be written by hand");
    is_int(smith_config_parse(&c, "goto=0,max-funcs=500", &e), -1, "a wrong value in it");
    has_str(e.message, "max-funcs: '500'", "  is named");
    is_int(smith_config_parse(&c, "goto=0,,swarm", &e), -1, "an empty part");
    is_int(smith_config_parse(&c, "config=/dev/null", &e), -1, "a text refers to no file");
    struct choice ch;
    int good = 0;
    choice_init_random(&ch, 1);
    for (int i = 0; i < 300; i++) {
        draw(&c, &ch);
        good += reads_back(&c);
    }
    choice_release(&ch);
    is_int(good, 300, "drawn configurations all read back exactly");
    strbuf_release(&text);
}

static void test_file(void)
{
    struct smith_config c;
    struct error e;
    struct strbuf text;
    strbuf_init(&text, 0);
    smith_config_default(&c);
    smith_config_set(&c, "no-comma", NULL, NULL);
    is_int(from_file(&c,
                     "; mine\n[features]\ngoto = off\nvolatiles = 20% ; many\nlonglong = off\n\n"
                     "[limits]\nmax-funcs = 5\n[weights]\nstmt-if = 0\n"
                     "[smith]\nlang = c++\nswarm = on\n",
                     &e),
           0, "a file");
    smith_config_text(&c, &text);
    is_str(text.s, "int64=0,volatiles=0.2,goto=0,comma=0,max-funcs=5,stmt-if=0,lang=c++,swarm=1",
           "  is taken on top of what was set before");
    strbuf_release(&text);
    static const struct {
        const char *text;
        int line;
        const char *message;
    } wrong[] = {
        {"[features]\ngoto = on\ngotoo = on\n", 3, "unknown key 'gotoo': did you mean 'goto'?"},
        {"[feature]\ngoto = on\n", 2, "unknown section 'feature': did you mean 'features'?"},
        {"[limits]\n\nmax-funcs = 999\n", 3,
         "max-funcs: '999' is not a whole number from 1 to 200"},
        {"[features]\ngoto =\n", 2, "goto has no value"},
        {"[features]\nvolatiles = much\n", 2, "volatiles: 'much' is not on, off"},
        {"[smith]\nconfig = /dev/null\n", 2, "unknown key 'config'"},
        {"[weights]\nwhat is this\n", 2, "not a section"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        is_int(from_file(&c, wrong[i].text, &e), -1, "a wrong file");
        has_str(e.message, wrong[i].message, "  says what");
        is_int(e.line, wrong[i].line, "  and in which line");
        ok(*e.file, "  of which file");
    }
}

/* -- swarm ------------------------------------------------------------------------------------- */

static int n_on(const struct smith_config *c)
{
    int n = 0;
    for (int i = 0; i < SMITH_N_FEATURES; i++)
        n += c->feature[i] > 0;
    return n;
}

static void swarm_once(struct smith_config *c, uint64_t seed)
{
    struct choice ch;
    choice_init_random(&ch, seed);
    smith_config_swarm(c, &ch);
    choice_release(&ch);
}

static void test_swarm(void)
{
    static const bool in_swarm[] = {
#define X(id, name, percent, swarm, csmith, help) swarm,
        SMITH_FEATURE_TABLE(X)
#undef X
    };
    struct smith_config plain, a, b;
    smith_config_default(&plain);
    a = b = plain;
    swarm_once(&a, 7);
    swarm_once(&b, 7);
    ok(same(&a, &b), "the same choices, the same mask");
    swarm_once(&b, 8);
    ok(!same(&a, &b), "others, another");
    int off[SMITH_N_FEATURES] = {0}, bad = 0, unbalanced = 0;
    enum { ROUNDS = 2000 };
    for (uint64_t seed = 0; seed < ROUNDS; seed++) {
        a = plain;
        swarm_once(&a, seed);
        for (int i = 0; i < SMITH_N_FEATURES; i++) {
            bad += a.feature[i] != plain.feature[i] && (a.feature[i] != 0 || !in_swarm[i]);
            off[i] += a.feature[i] == 0;
        }
    }
    is_int(bad, 0, "a feature of the swarm is kept as it was or is off; no other changes");
    for (int i = 0; i < SMITH_N_FEATURES; i++)
        unbalanced += in_swarm[i] && plain.feature[i] > 0 &&
                      (off[i] < ROUNDS * 45 / 100 || off[i] > ROUNDS * 55 / 100);
    is_int(unbalanced, 0, "each is off in about half of the programs");
    a = plain;
    smith_config_set(&a, "no-goto", NULL, NULL);
    int on = 0;
    for (uint64_t seed = 0; seed < 50; seed++) {
        b = a;
        swarm_once(&b, seed);
        on += b.feature[SMITH_GOTO] > 0;
    }
    is_int(on, 0, "what the user switched off stays off");
    struct choice ch;
    choice_init_replay(&ch, NULL, 0);
    b = plain;
    smith_config_swarm(&b, &ch);
    choice_release(&ch);
    int always = 0;
    for (int i = 0; i < SMITH_N_FEATURES; i++)
        always += !in_swarm[i] && plain.feature[i] > 0;
    is_int(n_on(&b), always, "the empty sequence is the simplest: all of them off");
    ok(b.limit[SMITH_MAX_FUNCS] == plain.limit[SMITH_MAX_FUNCS] &&
           !memcmp(b.weight, plain.weight, sizeof b.weight),
       "limits and weights are as before");
}

/* -- the listing ------------------------------------------------------------------------------- */

static void test_list(void)
{
    struct smith_config c, again;
    struct error e;
    struct strbuf out;
    strbuf_init(&out, 0);
    smith_config_default(&c);
    smith_config_set(&c, "no-goto", NULL, NULL);
    smith_config_set(&c, "max-funcs", "5", NULL);
    smith_config_set(&c, "wrappers", "none", NULL);
    smith_config_set(&c, "swarm", NULL, NULL);
    smith_config_list(&c, false, &out);
    has_str(out.s,
            "\ngoto                    = 0              ; goto statements in both directions "
            "(also: jumps)\n",
            "a feature, its value now, its help, its other name");
    has_str(out.s,
            "\nmax-funcs               = 5              ; functions besides main (1 to 200)\n",
            "a limit with its bounds");
    has_str(out.s, "\nwrappers                = none           ; ", "and the others");
    int lines = 0, misplaced = 0;
    for (const char *s = out.s; *s; s += strcspn(s, "\n") + 1) {
        bool is_setting = *s != '[' && *s != ';' && *s != '\n';
        lines += is_setting;
        misplaced += is_setting && (s[24] != '=' || s[41] != ';' || strcspn(s, "\n") > 150);
    }
    is_int(lines, SMITH_N_FEATURES + SMITH_N_LIMITS + SMITH_N_WEIGHTS + 5,
           "every setting has a line");
    is_int(misplaced, 0, "and they are aligned");
    smith_config_default(&again);
    is_int(from_file(&again, out.s, &e), 0, "the listing is a file of settings");
    ok(same(&c, &again), "with the same values");

    strbuf_clear(&out);
    smith_config_list(&c, true, &out);
    json_t *all = json_loads(out.s, 0, NULL);
    int phrases = 1; /* and --config */
    for (int k = 0; k < smith_settings.n; k++)
        phrases += smith_settings.rows[k].kind == SETTING_PHRASE;
    is_int(json_array_size(all), lines + phrases,
           "as JSON, as many, and those of the command line");
    size_t i;
    json_t *o;
    int found = 0;
    json_array_foreach(all, i, o)
    {
        const char *name = json_string_value(json_object_get(o, "name"));
        json_t *value = json_object_get(o, "value"), *def = json_object_get(o, "default");
        if (!strcmp(name, "goto"))
            found += json_real_value(value) == 0 && json_real_value(def) == 1 &&
                     !strcmp(json_string_value(json_object_get(o, "also")), "jumps") &&
                     json_is_false(json_object_get(o, "takes_value"));
        if (!strcmp(name, "max-funcs"))
            found += json_integer_value(value) == 5 && json_integer_value(def) == 25 &&
                     json_integer_value(json_object_get(o, "most")) == 200 &&
                     json_is_true(json_object_get(o, "takes_value"));
        if (!strcmp(name, "wrappers"))
            found += !strcmp(json_string_value(value), "none") &&
                     !strcmp(json_string_value(def), "mixed");
        if (!strcmp(name, "swarm"))
            found += json_is_true(value) && json_is_false(def);
    }
    is_int(found, 4, "  with values, defaults, bounds and other names");
    json_decref(all);
    strbuf_release(&out);
}

int main(void)
{
    test_names();
    test_set();
    test_weights();
    test_text();
    test_file();
    test_swarm();
    test_list();
    return tap_done();
}
