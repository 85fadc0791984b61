/* The command line: options of a table, and settings that somebody else knows. */
#include "base/text.h"
#include "cli/options.h"
#include "tap.h"

/* -- settings of a generator that is not there ------------------------------------------------- */

static int takes_value(const char *name)
{
    if (!strcmp(name, "max-funcs"))
        return 1;
    return !strcmp(name, "goto") || !strcmp(name, "no-goto") ? 0 : -1;
}

static const char *names(const struct option_settings *s, char *const *words, int n,
                         string_list *out)
{
    if (n < 1 || strcmp(words[0], "smith") != 0)
        return NULL;
    vec_push(out, arena_strdup(s->arena, "max-funcs"));
    vec_push(out, arena_strdup(s->arena, "goto"));
    vec_push(out, arena_strdup(s->arena, "no-goto"));
    return words[0];
}

struct parsed {
    bool verbose, help;
    const char *dir;
    int rest;
    char settings[100]; /* with | between */
    char words[100];
    struct error e;
};

static struct parsed parse(const char *line, bool with_settings)
{
    struct parsed p = {0};
    struct arena a;
    char **argv;
    const struct option_spec specs[] = {
        {'v', "verbose", OPTION_FLAG, NULL, "", &p.verbose, NULL},
        {'d', "dir", OPTION_TEXT, "DIR", "", &p.dir, NULL},
    };
    arena_init(&a);
    struct option_settings settings = {.takes_value = takes_value, .names = names, .arena = &a};
    int argc = text_split(&a, line, &argv);
    p.rest = options_parse(specs, 2, with_settings ? &settings : NULL, argc, argv, &p.help, &p.e);
    for (size_t i = 0, at = 0; i < settings.given.n; i++)
        at += (size_t)snprintf(p.settings + at, sizeof p.settings - at, "%s%s", i ? "|" : "",
                               settings.given.at[i]);
    for (int i = 0, at = 0; i < p.rest; i++)
        at += snprintf(p.words + at, sizeof p.words - (size_t)at, "%s%s", i ? "|" : "", argv[i]);
    vec_release(&settings.given);
    arena_release(&a);
    p.dir = p.dir ? "given" : NULL; /* the text has gone with the arena */
    return p;
}

static void test_settings(void)
{
    static const struct {
        const char *line, *settings, *words;
    } good[] = {
        {"gen smith --no-goto", "no-goto", "smith"},
        {"gen --no-goto smith", "no-goto", "smith"},
        {"gen smith --goto=0.2", "goto=0.2", "smith"},
        {"gen --goto 0.2", "goto", "0.2"}, /* may stand alone, so it takes no other word */
        {"gen smith --max-funcs 5", "max-funcs=5", "smith"},
        {"gen --max-funcs 5 smith", "max-funcs=5", "smith"},
        {"gen --max-funcs=5 smith", "max-funcs=5", "smith"},
        {"gen --max-funcs= smith", "max-funcs=", "smith"},
        {"gen --max-funcs -5 smith", "max-funcs=-5", "smith"},
        {"gen --goto -v --max-funcs 5 --dir x --no-goto smith", "goto|max-funcs=5|no-goto",
         "smith"},
        {"gen smith -- --no-goto", "", "smith|--no-goto"},
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct parsed p = parse(good[i].line, true);
        ok(p.rest >= 0, "%s", good[i].line);
        is_str(p.settings, good[i].settings, "  the settings");
        is_str(p.words, good[i].words, "  the other words");
    }
    struct parsed p = parse("gen --goto -v --dir x smith", true);
    ok(p.verbose && p.dir, "options of the command in between are its own");
    p = parse("gen --dir=--verbose", true);
    ok(p.dir && !p.verbose, "a value that looks like an option stands behind =");
    p = parse("gen --dir -O3", true);
    ok(p.dir && p.rest == 0, "a value may begin with -");
}

static void test_wrong(void)
{
    static const struct {
        const char *line;
        bool with_settings;
        const char *message;
    } wrong[] = {
        {"gen --gotoo smith", true, "there is no option --gotoo: did you mean --goto?"},
        {"gen smith --no-got", true, "there is no option --no-got: did you mean --no-goto?"},
        {"gen smith --max-func 5", true,
         "there is no option --max-func: did you mean --max-funcs?"},
        {"gen smith --max-func 5 --gotoo", true, "--max-func: did you mean --max-funcs?"},
        {"gen yarp --max-func 5", true, "there is no option --max-func: --help lists them"},
        {"gen --gotoo", true, "there is no option --gotoo: --help lists them"},
        {"gen --verbos", true, "there is no option --verbos: did you mean --verbose?"},
        {"gen smith --quantum-entanglement", true,
         "there is no option --quantum-entanglement: --help lists them, `assay gen smith "
         "--options` "
         "those of the generator"},
        {"gen smith --max-funcs", true, "--max-funcs needs a value: --max-funcs VALUE"},
        {"bugs --goto", false, "there is no option --goto: --help lists them"},
        {"bugs --verbos", false, "there is no option --verbos: did you mean --verbose?"},
        {"gen --verbose=1", true, "--verbose takes no value"},
        {"gen --dir", true, "--dir needs a value: --dir DIR"},
        {"gen --dir --verbose", true, "--dir needs a value: --dir DIR"},
        {"gen --dir --dir=x", true, "--dir needs a value: --dir DIR"},
        {"gen --dir -v", true, "--dir needs a value: --dir DIR"},
        {"gen -d --verbose", true, "-d needs a value: -d DIR"},
        {"gen --dir -- x", true, "--dir needs a value: --dir DIR"},
        {"gen --max-funcs --verbose", true, "--max-funcs needs a value: --max-funcs VALUE"},
        {"gen -x", true, "there is no option -x: --help lists them"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct parsed p = parse(wrong[i].line, wrong[i].with_settings);
        is_int(p.rest, -1, "%s: wrong", wrong[i].line);
        has_str(p.e.message, wrong[i].message, "  says why");
    }
}

int main(void)
{
    test_settings();
    test_wrong();
    return tap_done();
}
