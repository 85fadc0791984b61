/* The three tables of the header, and the few settings beside them, as rows. */
#include "gen/smith/config.h"
#include "cc/emi.h"

static const char *const wrappers_name[] = {[CC_WRAP_FUNCTIONS] = "functions",
                                            [CC_WRAP_MACROS] = "macros",
                                            [CC_WRAP_NEEDED] = "needed",
                                            [CC_WRAP_NONE] = "none"};
static const char *const language_name[] = {[CC_C11] = "c", [CC_CXX17] = "c++", NULL};
enum { N_WRAPPERS = sizeof wrappers_name / sizeof *wrappers_name, HEAVIEST = 1000000 };

static const char *const weight_group[] = {
#define X(group, id, name, weight, help) #group,
    SMITH_WEIGHT_TABLE(X)
#undef X
};

/* Something must be left to draw. In table order, as the canonical text has it, no group becomes
 * empty half-way, because no weight is 0 by default. */
static int set_weight(const struct setting *s, void *to, struct arena *arena, const char *value,
                      struct error *e)
{
    struct smith_config *c = to, changed = *c;
    size_t own = (s->at - offsetof(struct smith_config, weight)) / sizeof *c->weight;
    uint64_t all = 0;
    if (setting_take(s, &changed, arena, value, e))
        return -1;
    for (int i = 0; i < SMITH_N_WEIGHTS; i++)
        if (!strcmp(weight_group[i], weight_group[own]))
            all += changed.weight[i];
    if (all == 0)
        return error_set(e, ERROR_USAGE, "%s: all others of its group are 0, so it cannot be",
                         s->name);
    *c = changed;
    return 0;
}

static int set_wrappers(const struct setting *s, void *to, struct arena *arena, const char *value,
                        struct error *e)
{
    struct smith_config *c = to;
    int word = 0;
    (void)arena;
    while (word < N_WRAPPERS && strcmp(wrappers_name[word], value) != 0)
        word++;
    bool mixed = !strcmp(value, "mixed");
    if (word == N_WRAPPERS && !mixed)
        return error_set(e, ERROR_USAGE, "%s: '%s' is not %s", s->name, value, s->what);
    c->wrappers_drawn = mixed;
    c->wrappers = mixed ? CC_WRAP_FUNCTIONS : (enum cc_wrappers)word;
    return 0;
}

static void wrappers_text(const void *of, const struct setting *s, struct strbuf *out)
{
    const struct smith_config *c = of;
    (void)s;
    strbuf_adds(out, c->wrappers_drawn ? "mixed" : wrappers_name[c->wrappers]);
}

/* Csmith's options that ask for what smith does in any case. */
#define CSMITH_ANYWAY_TABLE(X)                                                                     \
    X("concise")                                                                                   \
    X("argc")                                                                                      \
    X("checksum")                                                                                  \
    X("main")                                                                                      \
    X("math64")                                                                                    \
    X("global-variables")                                                                          \
    X("no-paranoid")

/* And those that it has none for: X(name, "on" where it takes no value, what comes nearest). */
#define CSMITH_OTHER_TABLE(X)                                                                      \
    X("no-argc", "on",                                                                             \
      "its main has argc to print checksums one by one, with the argument 1; without arguments "   \
      "nothing depends on it")                                                                     \
    X("no-checksum", "on", "the checksum is how wrong results are detected")                       \
    X("nomain", "on", "its programs have a main, and run")                                         \
    X("stop-by-stmt", NULL, "--size N aims at N tokens, --max-block-size N at N statements")       \
    X("safe-math", "on", "--wrappers functions keeps operations defined as Csmith does")           \
    X("pre-incr-operator", "on",                                                                   \
      "--increment and --no-increment are for ++ and --, on both sides")                           \
    X("pre-decr-operator", "on",                                                                   \
      "--increment and --no-increment are for ++ and --, on both sides")                           \
    X("post-incr-operator", "on",                                                                  \
      "--increment and --no-increment are for ++ and --, on both sides")                           \
    X("post-decr-operator", "on",                                                                  \
      "--increment and --no-increment are for ++ and --, on both sides")                           \
    X("inline-function-prob", NULL, "--inline=20% is the share of functions that are inline")      \
    X("builtin-function-prob", NULL, "--builtins=5% is the share of operations that are builtins") \
    X("enable-builtin-kinds", NULL, "--builtins is for all of them")                               \
    X("disable-builtin-kinds", NULL, "--no-builtins is for all of them")                           \
    X("cpp11", "on", "--lang c++ makes C++17")

#define ROW(kind, name, member, standard, help)                                                    \
    SETTING_ROW(kind, name, struct smith_config, member, standard, help)

static const struct setting rows[] = {
    {.name = "no-safe-math", .kind = SETTING_PHRASE, .alone = "wrappers=none"},
    {.name = "lang-cpp", .kind = SETTING_PHRASE, .alone = "lang=c++"},
    {.name = "paranoid", .kind = SETTING_PHRASE, .alone = "assert-facts=on"},
    {.name = "no-global-variables", .kind = SETTING_PHRASE, .alone = "scope-global=0"},
    {.name = "no-math64", .kind = SETTING_PHRASE, .alone = "int64=off"},
#define X(csmith)                                                                                  \
    {.name = csmith, .kind = SETTING_PHRASE, .alone = "", .help = "of Csmith; always the case"},
    CSMITH_ANYWAY_TABLE(X)
#undef X
#define X(csmith, value, near)                                                                     \
    {.name = csmith, .kind = SETTING_FOREIGN, .alone = value, .help = near},
        CSMITH_OTHER_TABLE(X)
#undef X
            {.name = "features",
             .kind = SETTING_SECTION,
             .help = "--NAME, --no-NAME, or --NAME=X: on, off, or a probability as 0.2 or 20%"},
#define X(id, name, percent, swarm, csmith, help)                                                  \
    {ROW(SHARE, name, feature[SMITH_##id], #percent "%", help), .also = csmith},
    SMITH_FEATURE_TABLE(X)
#undef X
        {.name = "limits", .kind = SETTING_SECTION, .help = "--NAME N"},
#define X(id, name, value, low, high, csmith, help)                                                \
    {ROW(INT, name, limit[SMITH_##id], #value, help), .least = low, .most = high, .also = csmith},
    SMITH_LIMIT_TABLE(X)
#undef X
        {.name = "weights", .kind = SETTING_SECTION, .help = "--NAME N: weight within its group"},
#define X(group, id, name, value, help)                                                            \
    {ROW(INT, name, weight[SMITH_##group##_##id], #value, help), .most = HEAVIEST,                 \
     .set = set_weight},
    SMITH_WEIGHT_TABLE(X)
#undef X
        {.name = "smith", .kind = SETTING_SECTION, .help = "of smith as a whole"},
    {ROW(OWN, "wrappers", wrappers, "mixed",
         "how operations are kept defined; mixed: random per program"),
     .what = "functions, macros, needed, none or mixed", .set = set_wrappers,
     .text = wrappers_text},
    {ROW(WORD, "lang", language, "c", "language of the programs"), .words = language_name},
    {ROW(SWITCH, "swarm", swarm, "off",
         "disable about half of the features, different ones in each program")},
    {ROW(SWITCH, "plain-types", plain_types, "off",
         "print int and long long, not int32_t and int64_t")},
    {ROW(INT, "emi", emi, "0", "changes to code that never ran (alone: 8)"), .alone = "8",
     .most = CC_EMI_MOST_CHANGES},
};
_Static_assert(CC_EMI_CHANGES == 8, "what the row of emi says");

const struct settings smith_settings = {"smith", rows, SETTINGS_COUNT(rows), NULL};

double smith_feature_standard(enum smith_feature f)
{
    static const int percents[] = {
#define X(id, name, percent, swarm, csmith, help) percent,
        SMITH_FEATURE_TABLE(X)
#undef X
    };
    return (double)percents[f] / 100;
}

void smith_config_swarm(struct smith_config *c, struct choice *ch)
{
    static const bool in_swarm[] = {
#define X(id, name, percent, swarm, csmith, help) swarm,
        SMITH_FEATURE_TABLE(X)
#undef X
    };
    for (int i = 0; i < SMITH_N_FEATURES; i++)
        if (in_swarm[i] && c->feature[i] > 0 && !choose_flip(ch, 0.5)) /* 0, the simplest: off */
            c->feature[i] = 0;
}
