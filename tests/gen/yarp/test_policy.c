/* yarp's settings: each way to give one, what is wrong with a wrong one, and that every text that
 * is written can be read back. And what is drawn from them for one program. */
#include "base/fs.h"
#include "gen/gen.h"
#include "gen/smith/config.h"
#include "gen/yarp/policy.h"
#include "tap.h"

#include <jansson.h>
#include <unistd.h>

/* -- the tables once more, for comparison ------------------------------------------------------ */

static const struct {
    const char *name;
    enum yarp_group group;
    int percent, from, to;
} policies[] = {
#define X(id, name, group, percent, from, to, help) {name, YARP_##group, percent, from, to},
    YARP_POLICY_TABLE(X)
#undef X
};

static const struct {
    const char *name;
    int64_t value, least, most;
} limits[] = {
#define X(id, name, value, least, most, help) {name, value, least, most},
    YARP_LIMIT_TABLE(X)
#undef X
};

/* Parameters and outcomes as they stand in the table. */
static const struct entry {
    const char *name;
    bool opens;
    unsigned weight;
} entries[] = {
#define P(id, name, help) {name, true, 0},
#define W(id, name, weight) {name, false, weight},
    YARP_PARAMETER_TABLE(P, W)
#undef P
#undef W
};
enum { N_ENTRIES = sizeof entries / sizeof *entries };

static int owner[YARP_N_WEIGHTS]; /* the parameter of each weight */
static unsigned table[YARP_N_WEIGHTS];

static void test_tables(void)
{
    int p = -1, w = 0, zero = 0;
    for (int i = 0; i < N_ENTRIES; i++) {
        if (entries[i].opens) {
            p++;
        } else {
            owner[w] = p;
            table[w++] = entries[i].weight;
            zero += entries[i].weight == 0;
        }
    }
    is_int(w, YARP_N_WEIGHTS, "every outcome is counted");
    is_int(p + 1, YARP_N_PARAMETERS, "every parameter, too");
    ok(YARP_N_PARAMETERS >= 23, "as many as in the paper or more: %d", YARP_N_PARAMETERS);
    is_int(zero, 0, "no weight of the table is 0");
    ok(owner[YARP_TYPE_ULLONG] == YARP_P_INT_TYPE && owner[YARP_ELEMENT_SCALAR] == YARP_P_ELEMENT &&
           owner[YARP_SPELLING_HEX] == YARP_P_SPELLING,
       "outcomes and parameters have the same order");
    int odd = 0;
    for (int i = 0; i < YARP_N_POLICIES; i++)
        odd += policies[i].percent > 100 || policies[i].from < 1 ||
               policies[i].from > policies[i].to || policies[i].to > 100 ||
               (policies[i].group == YARP_OPTION) != (policies[i].percent == 0);
    is_int(odd, 0, "what is on has a strength, and only options are off by default");
}

static void yarp_config_default(struct yarp_config *c)
{
    *c = (struct yarp_config){0};
    settings_default(&yarp_settings, c);
}

static int yarp_config_set(struct yarp_config *c, const char *name, const char *value,
                           struct error *e)
{
    return settings_set(&yarp_settings, c, NULL, name, value, e);
}

static int yarp_config_parse(struct yarp_config *c, const char *text, struct error *e)
{
    yarp_config_default(c);
    return settings_parse(&yarp_settings, c, NULL, text, e);
}

static void yarp_config_text(const struct yarp_config *c, struct strbuf *out)
{
    struct yarp_config standard;
    yarp_config_default(&standard);
    settings_text(&yarp_settings, c, &standard, out);
}

static void yarp_config_list(const struct yarp_config *c, bool json, struct strbuf *out)
{
    struct yarp_config standard;
    yarp_config_default(&standard);
    settings_list(&yarp_settings, c, &standard, json, out);
}

static bool same(const struct yarp_config *a, const struct yarp_config *b)
{
    return !memcmp(a->policy, b->policy, sizeof a->policy) &&
           !memcmp(a->limit, b->limit, sizeof a->limit) && a->language == b->language &&
           a->form == b->form && a->emi == b->emi;
}

static void test_default(void)
{
    struct yarp_config c;
    int wrong = 0;
    memset(&c, 0x55, sizeof c);
    yarp_config_default(&c);
    for (int i = 0; i < YARP_N_POLICIES; i++)
        wrong += c.policy[i] != policies[i].percent;
    for (int i = 0; i < YARP_N_LIMITS; i++)
        wrong += c.limit[i] != limits[i].value;
    is_int(wrong, 0, "the defaults are the tables'");
    ok(c.language == CC_C11 && c.form == YARP_SEPARATE, "C in separate files");
}

/* -- setting ----------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    int takes;
} names[] = {
    {"policy", 1},
    {"no-policies", 0},
    {"size", 1},
    {"max-functions", 1},
    {"max-block-depth", 1},
    {"max-loop-depth", 1},
    {"max-steps", 1},
    {"lang", 1},
    {"single-file", 0},
    {"shared-library", 0},
    {"emi", 0},
    {"no-emi", 0},
    {"form", 1},
    {"config", 1},
    {"policy.loops", 1},
    {"policy.additive-multiplicative", 1},
    {"policy.", -1},
    {"policy.lops", -1},
    {"policy.paper", 1},
    {"loops", -1},
    {"no-loops", -1},
    {"policies", -1},
    {"no-policy", -1},
    {"no-single-file", -1},
    {"no-policy.loops", -1},
    {"", -1},
    {"int-type", -1},
    {"seed", -1},
    {"explain", -1},
    {"options", -1},
};

static void test_names(void)
{
    int disagreed = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        int takes = settings_takes_value(&yarp_settings, names[i].name);
        int smith = settings_takes_value(&smith_settings, names[i].name);
        is_int(takes, names[i].takes, "'%s' %s", names[i].name,
               names[i].takes < 0   ? "is no setting"
               : names[i].takes > 0 ? "takes a value"
                                    : "stands alone");
        disagreed += takes >= 0 && smith >= 0 && takes != smith;
    }
    is_int(disagreed, 0, "the generators agree on the names that they share");
    int unknown = 0;
    for (int i = 0; i < YARP_N_POLICIES; i++) {
        char name[64];
        snprintf(name, sizeof name, "policy.%s", policies[i].name);
        unknown += settings_takes_value(&yarp_settings, name) != 1;
        unknown += strlen(name) > 40; /* options have at most 63 characters */
    }
    is_int(unknown, 0, "every policy is a setting of its own");
}

/* One setting on the defaults, and the canonical text that it leads to, or the error. */
static const struct {
    const char *name, *value, *text, *error;
} settings[] = {
    /* policies */
    {"policy", "loops", "policy.loops=100", NULL},
    {"policy", "loops=on", "policy.loops=100", NULL},
    {"policy", "loops=off", "policy.loops=0", NULL},
    {"policy", "loops=0", "policy.loops=0", NULL},
    {"policy", "loops=force", "policy.loops=force", NULL},
    {"policy", "loops=30", "policy.loops=30", NULL},
    {"policy", "loops=100", "policy.loops=100", NULL},
    {"policy", "loops=92", "", NULL},
    {"policy", "loops=default", "", NULL},
    {"policy", "dead-ub", "policy.dead-ub=100", NULL},
    {"policy", "floats,loops=off,additive=1", "policy.additive=1,policy.loops=0,policy.floats=100",
     NULL},
    {"policy", "loops=off,loops=on,loops=7", "policy.loops=7", NULL},
    {"policy", "contexts=off",
     "policy.additive=0,policy.bitwise=0,policy.logical=0,policy.multiplicative=0,"
     "policy.bitwise-shift=0,policy.additive-multiplicative=0",
     NULL},
    {"policy", "contexts=force,logical=default,bitwise=off",
     "policy.additive=force,policy.bitwise=0,policy.multiplicative=force,"
     "policy.bitwise-shift=force,policy.additive-multiplicative=force",
     NULL},
    {"policy", "all=off,all=default", "", NULL},
    {"policy", "all=off,paper=default,features=default", "", NULL},
    {"policy", "all=force,paper=default,features=default,long=force", "policy.long=force", NULL},
    {"policy", "lops", NULL, "yarp has no policy 'lops': did you mean 'loops'?"},
    {"policy", "loops=off,contxts", NULL, "yarp has no policy 'contxts': did you mean 'contexts'?"},
    {"policy", "quantum-entanglement=on", NULL,
     "yarp has no policy 'quantum-entanglement': --options lists them"},
    {"policy", "loops=off,", NULL, "yarp has no policy ''"},
    {"policy", ",", NULL, "yarp has no policy ''"},
    {"policy", "=on", NULL, "yarp has no policy ''"},
    {"policy", "loops=maybe", NULL,
     "policy loops: 'maybe' is not on, off, force, default or a percentage of the programs from 0 "
     "to 100"},
    {"policy", "loops=off,nests=101", NULL, "policy nests: '101' is not on, off"},
    {"policy", "loops=-1", NULL, "policy loops: '-1' is not"},
    {"policy", "loops=", NULL, "policy loops: '' is not"},
    {"policy", "loops=on=off", NULL, "policy loops: 'on=off' is not"},
    {"policy", "", NULL, "policy needs a value: NAME or NAME=on, off, force, default or 0 to 100"},
    {"policy", NULL, NULL, "policy needs a value"},
    {"policy.loops", "0", "policy.loops=0", NULL},
    {"policy.loops", "100", "policy.loops=100", NULL},
    {"policy.loops", "force", "policy.loops=force", NULL},
    {"policy.long", "60", "policy.long=60", NULL},
    {"policy.loops", "92", "", NULL},
    {"policy.loops", "101", NULL, "policy loops: '101' is not"},
    {"policy.loops", NULL, NULL, "policy.loops needs a value: on, off, force, default or 0 to 100"},
    {"policy.loops", "", NULL, "policy.loops needs a value"},
    {"policy.loops", "30,nests=30", NULL, "policy loops: '30,nests=30' is not"},
    {"policy.lops", "0", NULL, "yarp has no option --policy.lops: did you mean --policy.loops?"},
    {"policy.contexts", "default", "", NULL},
    {"no-policies", "1", NULL, "no-policies takes no value"},
    /* limits */
    {"size", "5000", "size=5000", NULL},
    {"size", "0", "", NULL},
    {"max-functions", "0", "max-functions=0", NULL},
    {"max-functions", "200", "max-functions=200", NULL},
    {"max-functions", "24", "", NULL},
    {"max-functions", "201", NULL, "max-functions: '201' is not a whole number from 0 to 200"},
    {"max-block-depth", "1", "max-block-depth=1", NULL},
    {"max-block-depth", "0", NULL, "max-block-depth: '0' is not a whole number from 1 to 10"},
    {"max-loop-depth", "5", "max-loop-depth=5", NULL},
    {"max-loop-depth", "9", NULL, "max-loop-depth: '9' is not a whole number from 1 to 8"},
    {"max-steps", "100000000", "max-steps=100000000", NULL},
    {"max-steps", "many", NULL, "max-steps: 'many' is not a whole number from 1000 to 100000000"},
    {"max-steps", NULL, NULL, "max-steps needs a value: a whole number from 1000 to 100000000"},
    {"size", "", NULL, "size needs a value"},
    {"max-function", "1", NULL, "yarp has no option --max-function: did you mean --max-functions?"},
    /* language and form */
    {"lang", "c", "", NULL},
    {"lang", "c++", "lang=c++", NULL},
    {"lang", "d", NULL, "lang: 'd' is not c or c++"},
    {"lang", NULL, NULL, "lang needs a value: c or c++"},
    {"form", "separate", "", NULL},
    {"form", "single-file", "form=single-file", NULL},
    {"form", "shared-library", "form=shared-library", NULL},
    {"form", "pair", NULL, "form: 'pair' is not separate, single-file or shared-library"},
    {"form", NULL, NULL, "form needs a value: separate, single-file or shared-library"},
    {"single-file", NULL, "form=single-file", NULL},
    {"single-file", "", "form=single-file", NULL},
    {"single-file", "1", NULL, "single-file takes no value"},
    {"shared-library", NULL, "form=shared-library", NULL},
    {"shared-libary", NULL, NULL, "did you mean --shared-library?"},
    {"emi", NULL, "emi=8", NULL},
    {"emi", "", "emi=8", NULL},
    {"emi", "on", "emi=8", NULL},
    {"emi", "1", "emi=1", NULL},
    {"emi", "off", "", NULL},
    {"emi", "0", "", NULL},
    {"emi", "101", NULL, "emi: '101' is not on, off or 0 to 100"},
    /* names that are none */
    {"loops", NULL, NULL, "yarp has no option --loops: did you mean --policy.loops=on?"},
    {"no-loops", NULL, NULL, "yarp has no option --no-loops: did you mean --policy.loops=off?"},
    {"polcy", "loops", NULL, "yarp has no option --polcy: did you mean --policy?"},
    {"no-goto", NULL, NULL, "yarp has no option --no-goto: --options lists them"},
    {"config", NULL, NULL, "config needs a value: the name of an ini file"},
    {"config", "/nonexistent.ini", NULL, "cannot be read"},
};

static void test_set(void)
{
    struct yarp_config before;
    yarp_config_default(&before);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        const char *name = settings[i].name, *value = settings[i].value;
        struct yarp_config c = before;
        struct error e = {0};
        struct strbuf text;
        strbuf_init(&text, 0);
        int status = yarp_config_set(&c, name, value, &e);
        yarp_config_text(&c, &text);
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
    struct yarp_config c = before;
    ok(yarp_config_set(&c, "nonsense", NULL, NULL) == -1, "an error nobody wants to read");
}

static void test_groups(void)
{
    struct yarp_config c;
    int wrong = 0;
    yarp_config_default(&c);
    is_int(yarp_config_set(&c, "no-policies", NULL, NULL), 0, "no-policies");
    for (int i = 0; i < YARP_N_POLICIES; i++)
        wrong += c.policy[i] != (policies[i].group == YARP_PAPER ? 0 : policies[i].percent);
    is_int(wrong, 0, "  the paper's are off, the others as before");
    is_int(yarp_config_set(&c, "policy", "features=force", NULL), 0, "features=force");
    for (int i = 0; i < YARP_N_POLICIES; i++)
        wrong += c.policy[i] != (policies[i].group == YARP_FEATURE ? YARP_FORCED : 0);
    is_int(wrong, 0, "  the features are forced, and nothing else");
    is_int(yarp_config_set(&c, "policy", "all=7", NULL), 0, "all=7");
    for (int i = 0; i < YARP_N_POLICIES; i++)
        wrong += c.policy[i] != (policies[i].group == YARP_OPTION ? 0 : 7);
    is_int(wrong, 0, "  all of them but the options");
    yarp_config_set(&c, "single-file", NULL, NULL);
    yarp_config_set(&c, "form", "separate", NULL);
    ok(c.form == YARP_SEPARATE, "of several settings the last counts");
}

/* -- text and files ---------------------------------------------------------------------------- */

static bool reads_back(const struct yarp_config *c)
{
    struct yarp_config again;
    struct error e = {0};
    struct strbuf text, second;
    strbuf_init(&text, 0);
    strbuf_init(&second, 0);
    yarp_config_text(c, &text);
    bool good = !yarp_config_parse(&again, text.s, &e) && same(c, &again);
    yarp_config_text(&again, &second);
    good &= !strcmp(text.s, second.s);
    if (!good)
        printf("# %s\n# %s\n", text.s, e.message);
    strbuf_release(&text);
    strbuf_release(&second);
    return good;
}

static void any_config(struct yarp_config *c, struct choice *ch)
{
    yarp_config_default(c);
    for (int i = 0; i < YARP_N_POLICIES; i++)
        if (choose_flip(ch, 0.5))
            c->policy[i] = (uint8_t)choose(ch, YARP_FORCED + 1);
    for (int i = 0; i < YARP_N_LIMITS; i++)
        if (choose_flip(ch, 0.5))
            c->limit[i] = limits[i].least +
                          (int64_t)choose(ch, (uint64_t)(limits[i].most - limits[i].least + 1));
    c->language = (enum cc_language)choose(ch, 2);
    c->form = (enum yarp_form)choose(ch, 3);
}

static void test_text(void)
{
    struct yarp_config c;
    struct error e = {0};
    struct strbuf text;
    strbuf_init(&text, 0);
    yarp_config_default(&c);
    yarp_config_text(&c, &text);
    is_str(text.s, "", "the defaults are the empty text");
    yarp_config_set(&c, "shared-library", NULL, NULL);
    yarp_config_set(&c, "lang", "c++", NULL);
    yarp_config_set(&c, "max-steps", "5000", NULL);
    yarp_config_set(&c, "size", "700", NULL);
    yarp_config_set(&c, "policy", "long=force,shuffle=off", NULL);
    yarp_config_text(&c, &text);
    is_str(text.s,
           "policy.shuffle=0,policy.long=force,size=700,max-steps=5000,lang=c++,"
           "form=shared-library",
           "what differs, in the order of the tables");
    strbuf_release(&text);
    struct choice ch;
    int bad = 0;
    choice_init_random(&ch, 1);
    for (int round = 0; round < 500; round++) {
        any_config(&c, &ch);
        bad += !reads_back(&c);
    }
    choice_release(&ch);
    is_int(bad, 0, "500 configurations can be written and read back");
    is_int(yarp_config_parse(&c, "no-policies,policy=loops=off,single-file", &e), 0,
           "the names of the command line can be read, too");
    ok(c.policy[YARP_SHUFFLE] == 0 && c.policy[YARP_LOOPS] == 0 && c.form == YARP_SINGLE_FILE,
       "  and mean the same");
    is_int(yarp_config_parse(&c, "size=5,policy.lops=0", &e), -1, "a wrong text");
    has_str(e.message, "did you mean --policy.loops?", "  says why");
    is_int(yarp_config_parse(&c, "config=/dev/null", &e), -1, "a text names no file");
}

static int from_file(struct yarp_config *c, const char *text, struct error *e)
{
    char path[] = "/tmp/assay-yarp-XXXXXX";
    int fd = mkstemp(path);
    close(fd);
    fs_write(path, text, strlen(text), NULL);
    *e = (struct error){0};
    int status = yarp_config_set(c, "config", path, e);
    unlink(path);
    return status;
}

static void test_file(void)
{
    struct yarp_config c;
    struct error e;
    struct strbuf text;
    strbuf_init(&text, 0);
    yarp_config_default(&c);
    yarp_config_set(&c, "policy", "floats=off", NULL);
    is_int(from_file(&c,
                     "; mine\n[policies]\ncontexts = off\nlogical = default\n"
                     "loops = force ; always\nnests = 20\n\n"
                     "[limits]\nmax-functions = 5\n[yarp]\nlang = c++\nform = single-file\n",
                     &e),
           0, "a file");
    yarp_config_text(&c, &text);
    is_str(text.s,
           "policy.additive=0,policy.bitwise=0,policy.multiplicative=0,policy.bitwise-shift=0,"
           "policy.additive-multiplicative=0,policy.loops=force,policy.nests=20,policy.floats=0,"
           "max-functions=5,lang=c++,form=single-file",
           "  is taken on top of what was set before");
    strbuf_release(&text);
    static const struct {
        const char *text;
        int line;
        const char *message;
    } wrong[] = {
        {"[policies]\nloops = on\nlops = on\n", 3, "unknown key 'lops': did you mean 'loops'?"},
        {"[policy]\nloops = on\n", 2, "unknown section 'policy': did you mean 'policies'?"},
        {"[policies]\n\nloops = much\n", 3, "policy loops: 'much' is not on, off"},
        {"[policies]\npaper = 200\n", 2, "policy paper: '200' is not on, off"},
        {"[policies]\nloops =\n", 2, "loops has no value"},
        {"[limits]\n\nmax-functions = 999\n", 3,
         "max-functions: '999' is not a whole number from 0 to 200"},
        {"[yarp]\nform = pair\n", 2, "form: 'pair' is not separate, single-file or shared-library"},
        {"[yarp]\nconfig = /dev/null\n", 2, "unknown key 'config'"},
        {"[limits]\nwhat is this\n", 2, "not a section"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        is_int(from_file(&c, wrong[i].text, &e), -1, "a wrong file");
        has_str(e.message, wrong[i].message, "  says what");
        is_int(e.line, wrong[i].line, "  and in which line");
        ok(*e.file, "  of which file");
    }
}

/* -- the listing ------------------------------------------------------------------------------- */

static json_t *find_setting(json_t *all, const char *name)
{
    size_t i;
    json_t *o;
    json_array_foreach(
        all, i, o) if (!strcmp(json_string_value(json_object_get(o, "name")), name)) return o;
    return NULL;
}

static void test_list(void)
{
    struct yarp_config c, again;
    struct error e;
    struct strbuf out;
    strbuf_init(&out, 0);
    yarp_config_default(&c);
    yarp_config_set(&c, "policy", "loops=off,nests=force", NULL);
    yarp_config_set(&c, "size", "5000", NULL);
    yarp_config_set(&c, "shared-library", NULL, NULL);
    yarp_config_list(&c, false, &out);
    has_str(out.s, "\n[policies]\nadditive                = 60             ; regions of + -",
            "a policy, its value, its help");
    has_str(out.s, "\nnests                   = force          ; loops in loops\n", "a forced one");
    has_str(out.s,
            "\nmax-functions           = 24             ; functions besides the test "
            "functions (0 to 200)\n",
            "a limit with its bounds");
    has_str(out.s, "\n; int-type, types of integers: bool 4, signed-char 8,",
            "a parameter with its weights");
    has_str(out.s, "; --policy ", "the settings of the command line");
    has_str(out.s, "\n; --no-policies ", "  that stand alone");
    int lines = 0;
    for (const char *s = out.s; *s; s += strcspn(s, "\n") + 1)
        lines += *s != '[' && *s != ';' && *s != '\n' && s[24] == '=' && s[41] == ';';
    is_int(lines, YARP_N_POLICIES + YARP_N_LIMITS + 3, "every setting has a line");
    yarp_config_default(&again);
    is_int(from_file(&again, out.s, &e), 0, "the listing is a file of settings");
    ok(same(&c, &again), "  with the same values");

    strbuf_clear(&out);
    yarp_config_list(&c, true, &out);
    json_t *all = json_loads(out.s, 0, NULL), *o;
    is_int(json_array_size(all), lines + 5, "as JSON, with those of the command line");
    size_t i;
    int wrong = 0;
    json_array_foreach(all, i, o) wrong +=
        settings_takes_value(&yarp_settings, json_string_value(json_object_get(o, "name"))) !=
            json_is_true(json_object_get(o, "takes_value")) ||
        !json_is_string(json_object_get(o, "help"));
    is_int(wrong, 0, "  each with its name, its help and whether it takes a value");
    o = find_setting(all, "policy.loops");
    ok(json_integer_value(json_object_get(o, "value")) == 0 &&
           json_integer_value(json_object_get(o, "default")) == 92,
       "  a policy: its value and its default");
    o = find_setting(all, "policy.nests");
    is_str(json_string_value(json_object_get(o, "value")), "force", "  a forced one");
    o = find_setting(all, "size");
    ok(json_integer_value(json_object_get(o, "value")) == 5000 &&
           json_integer_value(json_object_get(o, "most")) == 1000000,
       "  a limit with its bounds");
    json_decref(all);
    strbuf_release(&out);
}

/* -- what is drawn ----------------------------------------------------------------------------- */

static struct yarp_drawn draw(const struct yarp_config *k, uint64_t seed)
{
    struct yarp_drawn d;
    struct choice ch;
    memset(&d, 0x55, sizeof d);
    choice_init_random(&ch, seed);
    yarp_draw(k, &ch, &d);
    choice_release(&ch);
    return d;
}

static bool same_draw(const struct yarp_drawn *a, const struct yarp_drawn *b)
{
    return !memcmp(a->strength, b->strength, sizeof a->strength) &&
           !memcmp(a->weight, b->weight, sizeof a->weight);
}

enum { ROUNDS = 1000 };

static void test_shares(void)
{
    struct yarp_config c;
    int on[YARP_N_POLICIES] = {0}, out_of_bounds = 0, far = 0, stuck = 0;
    int least[YARP_N_POLICIES], most[YARP_N_POLICIES] = {0};
    yarp_config_default(&c);
    c.policy[YARP_VECTORS] = 100;
    for (int i = 0; i < YARP_N_POLICIES; i++)
        least[i] = 255;
    for (uint64_t seed = 0; seed < ROUNDS; seed++) {
        struct yarp_drawn d = draw(&c, seed);
        for (int i = 0; i < YARP_N_POLICIES; i++) {
            int strength = d.strength[i];
            if (!strength)
                continue;
            on[i]++;
            out_of_bounds += strength < policies[i].from || strength > policies[i].to;
            least[i] = strength < least[i] ? strength : least[i];
            most[i] = strength > most[i] ? strength : most[i];
        }
    }
    for (int i = 0; i < YARP_N_POLICIES; i++) {
        int wanted = c.policy[i] * ROUNDS / 100;
        int room = c.policy[i] == 0 || c.policy[i] == 100 ? 0 : ROUNDS * 6 / 100;
        far += on[i] < wanted - room || on[i] > wanted + room;
        /* both ends are reached or nearly so */
        int slack = (policies[i].to - policies[i].from) / 10;
        stuck += on[i] && (least[i] > policies[i].from + slack || most[i] < policies[i].to - slack);
        if (stuck || far)
            printf("# %s: on in %d, strengths %d to %d\n", policies[i].name, on[i], least[i],
                   most[i]);
    }
    is_int(out_of_bounds, 0, "strengths are within the table's bounds");
    is_int(far, 0, "each policy is on in about its share of the programs");
    is_int(stuck, 0, "and its strength goes from one bound to the other");
}

static void test_user_decides(void)
{
    struct yarp_config c;
    int wrong = 0;
    yarp_config_default(&c);
    yarp_config_set(&c, "policy",
                    "loops=off,nests=force,floats=force,dead-ub=force,arrays=0,long=off", NULL);
    for (uint64_t seed = 0; seed < ROUNDS; seed++) {
        struct yarp_drawn d = draw(&c, seed);
        wrong += d.strength[YARP_LOOPS] != 0 || d.strength[YARP_ARRAYS] != 0 ||
                 d.strength[YARP_LONG] != 0 || d.strength[YARP_NESTS] != 100 ||
                 d.strength[YARP_FLOATS] != 100 || d.strength[YARP_DEAD_UB] != 100;
    }
    is_int(wrong, 0, "what is off is off and what is forced is forced in 1000 programs");

    /* no sequence of choices can change that */
    struct choice ch;
    uint64_t ones[400];
    for (int i = 0; i < 400; i++)
        ones[i] = UINT64_MAX;
    choice_init_replay(&ch, ones, 400);
    struct yarp_drawn d;
    yarp_draw(&c, &ch, &d);
    choice_release(&ch);
    ok(!d.strength[YARP_LOOPS] && !d.strength[YARP_LONG] && d.strength[YARP_NESTS] == 100 &&
           d.strength[YARP_CALLS] != 0,
       "nor in one of an invented sequence");

    yarp_config_set(&c, "policy", "all=off", NULL);
    yarp_config_set(&c, "policy", "features=force", NULL);
    int n = 0;
    choice_init_exhaustive(&ch);
    do {
        yarp_draw(&c, &ch, &d);
        n++;
    } while (choice_next_sequence(&ch) && n < 10);
    choice_release(&ch);
    is_int(n, 1, "what is settled takes no choice");
}

/* The distributions of a parameter are the same up to a factor. */
static bool proportional(const unsigned *a, const unsigned *b, int parameter)
{
    int first = 0;
    while (owner[first] != parameter)
        first++;
    for (int i = first + 1; i < YARP_N_WEIGHTS && owner[i] == parameter; i++)
        if ((uint64_t)a[i] * b[first] != (uint64_t)b[i] * a[first])
            return false;
    return true;
}

static void test_shuffle(void)
{
    struct yarp_config c;
    yarp_config_default(&c);
    yarp_config_set(&c, "policy", "shuffle=off,bools=on", NULL);
    struct yarp_drawn d = draw(&c, 3);
    ok(!memcmp(d.weight, table, sizeof table), "without shuffle the weights are the table's");
    yarp_config_set(&c, "policy", "bools=off", NULL);
    d = draw(&c, 3);
    is_int(d.weight[YARP_TYPE_BOOL], 0, "without bools there is no _Bool");
    d.weight[YARP_TYPE_BOOL] = table[YARP_TYPE_BOOL];
    ok(!memcmp(d.weight, table, sizeof table), "  and the others are as they were");

    yarp_config_set(&c, "policy", "shuffle=on,bools=on", NULL);
    int changed[YARP_N_PARAMETERS] = {0}, factors[7] = {0}, odd = 0, few = 0;
    for (uint64_t seed = 0; seed < ROUNDS; seed++) {
        d = draw(&c, seed);
        for (int p = 0; p < YARP_N_PARAMETERS; p++)
            changed[p] += !proportional(d.weight, table, p);
        for (int i = 0; i < YARP_N_WEIGHTS; i++) {
            int k = 0; /* weight = table * 2^(k - 3) * 8 */
            while (k < 7 && d.weight[i] != table[i] << k)
                k++;
            odd += k == 7;
            factors[k % 7] += k < 7;
        }
    }
    is_int(odd, 0, "with it each is multiplied by 1/8, 1/4, ... or 8, in eighths, and none is 0");
    for (int k = 0; k < 7; k++)
        few += factors[k] < ROUNDS * YARP_N_WEIGHTS / 8 || factors[k] > ROUNDS * YARP_N_WEIGHTS / 6;
    is_int(few, 0, "  each as often");
    int constant = 0;
    for (int p = 0; p < YARP_N_PARAMETERS; p++)
        constant += changed[p] < ROUNDS * 80 / 100;
    is_int(constant, 0, "  so every parameter is another in most programs");

    yarp_config_set(&c, "policy", "bools=50", NULL);
    int with = 0, wrong = 0;
    for (uint64_t seed = 0; seed < ROUNDS; seed++) {
        d = draw(&c, seed);
        wrong += (d.weight[YARP_TYPE_BOOL] == 0) != (d.strength[YARP_BOOLS] == 0);
        with += d.weight[YARP_TYPE_BOOL] > 0;
    }
    ok(wrong == 0 && with > 0 && with < ROUNDS,
       "_Bool is there where bools is on, shuffled or not");
}

static void test_same(void)
{
    struct yarp_config c;
    int same_seed = 0, next_seed = 0, replayed = 0;
    yarp_config_default(&c);
    for (uint64_t seed = 0; seed < 100; seed++) {
        struct yarp_drawn a = draw(&c, seed), b = draw(&c, seed), other = draw(&c, seed + 1), again;
        struct choice ch, replay;
        choice_values values = {0};
        choice_init_random(&ch, seed);
        ch.record = true;
        yarp_draw(&c, &ch, &again);
        for (size_t i = 0; i < ch.path.n; i++)
            vec_push(&values, ch.path.at[i].value);
        choice_init_replay(&replay, values.at, values.n);
        yarp_draw(&c, &replay, &again);
        same_seed += same_draw(&a, &b);
        next_seed += same_draw(&a, &other);
        replayed += same_draw(&a, &again);
        vec_release(&values);
        choice_release(&ch);
        choice_release(&replay);
    }
    is_int(same_seed, 100, "the same seed, the same draw");
    is_int(next_seed, 0, "another, another");
    is_int(replayed, 100, "what was recorded can be replayed");
    struct choice ch;
    struct yarp_drawn d;
    int on = 0;
    choice_init_replay(&ch, NULL, 0);
    yarp_draw(&c, &ch, &d);
    choice_release(&ch);
    for (int i = 0; i < YARP_N_POLICIES; i++)
        on += d.strength[i] != 0;
    is_int(on, 0, "the empty sequence is the simplest: all of them off");
}

static void test_pick(void)
{
    struct yarp_config c;
    int foreign = 0, far = 0, n[YARP_N_WEIGHTS] = {0};
    enum { PICKS = 20000 };
    yarp_config_default(&c);
    yarp_config_set(&c, "policy", "shuffle=force,bools=off", NULL);
    struct yarp_drawn d = draw(&c, 11);
    struct choice ch;
    choice_init_random(&ch, 12);
    uint64_t total[YARP_N_PARAMETERS] = {0};
    for (int i = 0; i < YARP_N_WEIGHTS; i++)
        total[owner[i]] += d.weight[i];
    for (int p = 0; p < YARP_N_PARAMETERS; p++) {
        for (int i = 0; i < PICKS; i++) {
            enum yarp_weight w = yarp_pick(&d, &ch, (enum yarp_parameter)p);
            foreign += owner[w] != p;
            n[w]++;
        }
    }
    for (int i = 0; i < YARP_N_WEIGHTS; i++) {
        double wanted = (double)d.weight[i] / (double)total[owner[i]];
        double got = (double)n[i] / PICKS;
        far += got < wanted - 0.02 || got > wanted + 0.02;
    }
    choice_release(&ch);
    is_int(foreign, 0, "a pick is an outcome of its parameter");
    is_int(far, 0, "each as often as it weighs");
    is_int(n[YARP_TYPE_BOOL], 0, "what weighs nothing is never picked");
    choice_init_replay(&ch, NULL, 0);
    is_int(yarp_pick(&d, &ch, YARP_P_INT_TYPE), YARP_TYPE_SCHAR, "0 is the first that is possible");
    is_int(yarp_pick(&d, &ch, YARP_P_SPELLING), YARP_SPELLING_DECIMAL, "  of the last, too");
    choice_release(&ch);
}

/* The line of the text that begins with the name. */
static const char *line_of(const char *text, const char *name, char *out, size_t size)
{
    char begin[64];
    snprintf(begin, sizeof begin, "\n  %s ", name);
    const char *at = strstr(text, begin);
    snprintf(out, size, "%.*s", at ? (int)strcspn(at + 1, "\n") : 0, at ? at + 1 : "");
    return out;
}

static void test_explain(void)
{
    struct yarp_config c;
    struct strbuf out;
    char line[512];
    int missing = 0;
    strbuf_init(&out, 0);
    yarp_config_default(&c);
    yarp_config_set(&c, "policy", "shuffle=off,loops=off,nests=force,bools=on", NULL);
    struct yarp_drawn d = draw(&c, 1);
    yarp_explain(&d, &out);
    for (int i = 0; i < YARP_N_POLICIES; i++) {
        char strength[16];
        snprintf(strength, sizeof strength, d.strength[i] ? " %d  " : " off  ", d.strength[i]);
        missing += !strstr(line_of(out.s, policies[i].name, line, sizeof line), strength);
    }
    is_int(missing, 0, "every policy is explained");
    for (int i = 0; i < N_ENTRIES; i++) {
        char outcome[64];
        snprintf(outcome, sizeof outcome, " %s ", entries[i].name);
        if (entries[i].opens)
            line_of(out.s, entries[i].name, line, sizeof line);
        missing += !*line || (!entries[i].opens && !strstr(line, outcome));
    }
    is_int(missing, 0, "every parameter with every outcome, too");
    has_str(out.s, "\n  loops                    off  loops of every kind\n",
            "a policy that is off");
    has_str(out.s, "\n  nests                    100  loops in loops\n", "one that is forced");
    has_str(out.s, "\n  array-dimensions         1 55.0, 2 30.0, 3 9.0, 4 6.0\n",
            "shares in percent");
    has_str(out.s, "parameters, and", "they are the table's");
    strbuf_clear(&out);
    yarp_config_set(&c, "policy", "shuffle=on", NULL);
    d = draw(&c, 1);
    yarp_explain(&d, &out);
    has_str(out.s, "parameters, shuffled, and", "or they are not");
    strbuf_release(&out);
}

static void explain_tiny(struct generator *g, struct choice *c, struct strbuf *out)
{
    strbuf_addf(out, "%s %llu", g->name, (unsigned long long)choose(c, 10));
}

static void test_explain_hook(void)
{
    static const struct gen_class silent = {0}, talking = {.explain = explain_tiny};
    struct generator g = {.class = &silent, .name = "tiny"};
    struct error e = {0};
    struct strbuf out;
    struct choice ch;
    uint64_t given = 7;
    choice_init_replay(&ch, &given, 1);
    strbuf_init(&out, 0);
    is_int(gen_explain(&g, &ch, &out, &e), -1, "a generator that explains nothing");
    is_str(e.message, "the generator tiny has no --explain", "  says so");
    ok(e.kind == ERROR_USAGE && !out.n && !ch.next, "  and does nothing");
    g.class = &talking;
    is_int(gen_explain(&g, &ch, &out, &e), 0, "one that does");
    is_str(out.s, "tiny 7", "  explains its choices");
    choice_release(&ch);
    strbuf_release(&out);
}

int main(void)
{
    test_tables();
    test_default();
    test_names();
    test_set();
    test_groups();
    test_text();
    test_file();
    test_list();
    test_shares();
    test_user_decides();
    test_shuffle();
    test_same();
    test_pick();
    test_explain();
    test_explain_hook();
    return tap_done();
}
