/* Tables of settings: every kind of row, set by name, by text and by file, and what is said of a
 * wrong one. The tables of the generators have tests of their own. */
#include "base/fs.h"
#include "base/pattern.h"
#include "base/settings.h"
#include "tap.h"

#include <math.h>
#include <unistd.h>

enum colour { RED, GREEN, BLUE };

struct values {
    const char *text, *comment;
    bool on, yes;
    int64_t wide;
    int narrow;
    unsigned char tiny;
    int count;
    double share, heat;
    enum colour colour;
    int64_t time, size;
    string_list words, texts, commands;
    const char *command;
    struct pattern pattern;
    pattern_list patterns;
    struct substitution form;
    substitution_list forms;
    int own;
};

static int set_own(const struct setting *s, void *to, struct arena *arena, const char *value,
                   struct error *e)
{
    (void)arena;
    if (strcmp(value, "even") && strcmp(value, "odd"))
        return error_set(e, ERROR_USAGE, "%s: '%s' is not %s", s->name, value, s->what);
    ((struct values *)to)->own = *value == 'o';
    return 0;
}

static void own_text(const void *of, const struct setting *s, struct strbuf *out)
{
    (void)s;
    strbuf_adds(out, ((const struct values *)of)->own ? "odd" : "even");
}

#define AT(member) SETTING_AT(struct values, member)
static const char *const colours[] = {"red", "green", "blue", NULL};
static const char *const holes[] = {"{cc}", "{src}", NULL};

static const struct setting rows[] = {
    {.name = "quick", .kind = SETTING_PHRASE, .alone = "narrow=1", .help = "less"},
    {.name = "usual", .kind = SETTING_PHRASE, .alone = "", .help = "as it is"},
    {.name = "strange", .kind = SETTING_FOREIGN, .alone = "on", .help = "--wide is near"},
    {.name = "stranger", .kind = SETTING_FOREIGN, .help = "nothing is near"},
    {.name = "first", .kind = SETTING_SECTION, .help = "numbers"},
    {.name = "on", .kind = SETTING_SWITCH, AT(on), .standard = "off", .alone = "on", .help = "a"},
    {.name = "wide",
     .kind = SETTING_INT,
     AT(wide),
     .standard = "7",
     .least = -5,
     .most = INT64_MAX,
     .help = "b"},
    {.name = "narrow",
     .kind = SETTING_INT,
     AT(narrow),
     .standard = "",
     .most = 9,
     .help = "c",
     .also = "thin"},
    {.name = "group.tiny",
     .kind = SETTING_INT,
     AT(tiny),
     .standard = "200",
     .most = 255,
     .help = "d"},
    {.name = "count",
     .kind = SETTING_INT,
     AT(count),
     .standard = "0",
     .alone = "8",
     .most = 100,
     .help = "e"},
    {.name = "share",
     .kind = SETTING_SHARE,
     AT(share),
     .standard = "25%",
     .alone = "on",
     .help = "f"},
    {.name = "heat", .kind = SETTING_NUMBER, AT(heat), .standard = "", .most = 10, .help = "g"},
    {.name = "second", .kind = SETTING_SECTION, .help = "words"},
    {.name = "colour",
     .kind = SETTING_WORD,
     AT(colour),
     .standard = "red",
     .words = colours,
     .help = "h"},
    {.name = "text", .kind = SETTING_TEXT, AT(text), .standard = "", .help = "i"},
    {.name = "own",
     .kind = SETTING_OWN,
     .standard = "even",
     .set = set_own,
     .text = own_text,
     .what = "even or odd",
     .help = "j"},
};
static const struct settings table = {"tester", rows, SETTINGS_COUNT(rows), NULL};

static const struct setting file_rows[] = {
    {.name = "file", .kind = SETTING_SECTION},
    {.name = "yes", .kind = SETTING_YES, AT(yes)},
    {.name = "time", .kind = SETTING_DURATION, AT(time)},
    {.name = "size", .kind = SETTING_SIZE, AT(size)},
    {.name = "comment", .kind = SETTING_TEXT, AT(comment), .must = "%s"},
    {.name = "words", .kind = SETTING_WORDS, AT(words)},
    {.name = "texts", .kind = SETTING_TEXT, AT(texts), .many = true},
    {.name = "command", .kind = SETTING_COMMAND, AT(command), .words = holes, .must = "{src}"},
    {.name = "commands", .kind = SETTING_COMMAND, AT(commands), .many = true},
    {.name = "pattern", .kind = SETTING_PATTERN, AT(pattern), .least = 1},
    {.name = "patterns", .kind = SETTING_PATTERN, AT(patterns), .many = true},
    {.name = "form", .kind = SETTING_SUBSTITUTION, AT(form)},
    {.name = "forms", .kind = SETTING_SUBSTITUTION, AT(forms), .many = true},
};
static const struct settings files = {NULL, file_rows, SETTINGS_COUNT(file_rows), NULL};

static int read_text(const struct settings *t, struct values *to, struct arena *a, const char *text,
                     struct error *e)
{
    char path[] = "/tmp/assay-settings-XXXXXX";
    close(mkstemp(path));
    fs_write(path, text, strlen(text), NULL);
    *e = (struct error){0};
    int status = settings_file(t, to, a, path, e);
    unlink(path);
    return status;
}

static void test_set(struct arena *a)
{
    static const struct {
        const char *name, *value, *text, *error;
    } cases[] = {
        {"on", NULL, "on=1", NULL},
        {"on", "yes", "on=1", NULL},
        {"no-on", NULL, "", NULL},
        {"on", "2", NULL, "on: '2' is not on or off"},
        {"no-on", "1", NULL, "no-on takes no value"},
        {"wide", "-5", "wide=-5", NULL},
        {"wide", "9223372036854775807", "wide=9223372036854775807", NULL},
        {"wide", "9223372036854775808", NULL, "wide: '9223372036854775808' is not a whole number"},
        {"wide", "-6", NULL, "wide: '-6' is not a whole number from -5 to 9223372036854775807"},
        {"wide", NULL, NULL, "wide needs a value: a whole number from -5"},
        {"wide", "", NULL, "wide needs a value"},
        {"narrow", "0", "narrow=0", NULL},
        {"narrow", "", "", NULL}, /* open, as by default */
        {"thin", "3", "narrow=3", NULL},
        {"quick", NULL, "narrow=1", NULL},
        {"quick", "1", NULL, "quick takes no value"},
        {"usual", NULL, "", NULL},
        {"strange", NULL, NULL, "tester has no option --strange: --wide is near"},
        {"no-strange", NULL, NULL, "tester has no option --no-strange: --wide is near"},
        {"stranger", "1", NULL, "tester has no option --stranger: nothing is near"},
        {"strangr", NULL, NULL, "tester has no option --strangr: --options lists them"},
        {"no-quick", NULL, NULL, "tester has no option --no-quick: did you mean --quick?"},
        {"group.tiny", "255", "group.tiny=255", NULL},
        {"tiny", "1", NULL, "tester has no option --tiny: did you mean --group.tiny=on?"},
        {"count", NULL, "count=8", NULL},
        {"count", "1", "count=1", NULL},
        {"count", "off", "", NULL},
        {"count", "101", NULL, "count: '101' is not on, off or 0 to 100"},
        {"share", NULL, "", NULL},
        {"no-share", NULL, "share=0", NULL},
        {"share", "1", "share=1", NULL},
        {"share", "12.5%", "share=0.125", NULL},
        {"share", "1e-3", "share=0.001", NULL},
        {"share", "1.5", NULL, "share: '1.5' is not on, off or a probability"},
        {"heat", "0.9", "heat=0.9", NULL},
        {"heat", "10", "heat=10", NULL},
        {"heat", "nan", NULL, "heat: 'nan' is not a number from 0 to 10"},
        {"colour", "blue", "colour=blue", NULL},
        {"colour", "pink", NULL, "colour: 'pink' is not red, green or blue"},
        {"text", "some thing", "text=some thing", NULL},
        {"text", "", "", NULL},
        {"text", NULL, NULL, "text needs a value"},
        {"text", "a,b", NULL, "contains a comma"},
        {"own", "odd", "own=odd", NULL},
        {"own", "prime", NULL, "own: 'prime' is not even or odd"},
        {"own", "", NULL, "own needs a value: even or odd"},
        {"colur", "x", NULL, "tester has no option --colur: did you mean --colour?"},
        {"no-shar", NULL, NULL, "did you mean --no-share?"},
        {"confg", "x", NULL, "did you mean --config?"},
        {"quantum-entanglement", NULL, NULL, "--quantum-entanglement: --options lists them"},
        {"first", NULL, NULL, "tester has no option --first"}, /* a section */
        {"config", NULL, NULL, "config needs a value: the name of an ini file"},
        {"config", "/nonexistent", NULL, "cannot be read"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct values v = {0}, standard = {0}, again = {0};
        struct error e = {0};
        struct strbuf text, second;
        strbuf_init(&text, 0);
        strbuf_init(&second, 0);
        settings_default(&table, &standard);
        v = again = standard;
        int status = settings_set(&table, &v, a, cases[i].name, cases[i].value, &e);
        settings_text(&table, &v, &standard, &text);
        is_int(status, cases[i].error ? -1 : 0, "%s %s", cases[i].name,
               cases[i].value ? cases[i].value : "");
        is_str(text.s, cases[i].error ? "" : cases[i].text, "  leads to");
        if (cases[i].error)
            has_str(e.message, cases[i].error, "  says why");
        settings_parse(&table, &again, a, text.s, NULL);
        settings_text(&table, &again, &standard, &second);
        is_str(second.s, text.s, "  and back");
        strbuf_release(&text);
        strbuf_release(&second);
    }
}

static void test_default(void)
{
    struct values v = {0};
    settings_default(&table, &v);
    ok(!v.on && v.wide == 7 && v.narrow == -1 && v.tiny == 200 && v.count == 0 && v.share == 0.25 &&
           isnan(v.heat) && v.colour == RED && !strcmp(v.text, "") && !v.own,
       "the defaults");
    is_int(settings_takes_value(&table, "wide"), 1, "a number takes a value");
    is_int(settings_takes_value(&table, "count"), 0, "one that may stand alone");
    is_int(settings_takes_value(&table, "no-count"), 0, "  also off");
    is_int(settings_takes_value(&table, "no-wide"), -1, "a number is not off");
    is_int(settings_takes_value(&table, "first"), -1, "a section is none");
    is_int(settings_takes_value(&table, "config"), 1, "each table has config");
}

/* What the list says can be read back, and every name of a hint can be set. */
static void test_list(struct arena *a)
{
    struct values v = {0}, standard = {0}, again = {0};
    struct error e;
    struct strbuf list, json, text, second;
    string_list names = {0};
    strbuf_init(&list, 0);
    strbuf_init(&json, 0);
    strbuf_init(&text, 0);
    strbuf_init(&second, 0);
    settings_default(&table, &standard);
    v = again = standard;
    settings_parse(&table, &v, a, "on,wide=-1,narrow=4,group.tiny=3,share=0.5,colour=green,own=odd",
                   NULL);
    settings_set(&table, &v, a, "text",
                 "/a/path/that/is/so/long/that/its/help/goes/on/a/line/of/its/own", NULL);
    settings_list(&table, &v, &standard, false, &list);
    has_str(list.s, "; --quick                   less: --narrow=1\n", "a phrase");
    has_str(list.s, "; --usual                   as it is\n", "one that changes nothing");
    ok(!strstr(list.s, "strange"), "nothing of what there is not");
    has_str(list.s, "; --config FILE             read a file like this list\n", "config");
    has_str(list.s, "\n; numbers\n[first]\non                      = 1              ; a\n",
            "a section and its first row");
    has_str(list.s, "\ntiny                    = 3              ; d (0 to 255)\n", "bounds");
    has_str(list.s, "; c (0 to 9) (also: thin)\n", "another name");
    has_str(list.s, "= green          ; h (red, green or blue)\n", "words");
    has_str(list.s, "\n; i\ntext                    = /a/path", "a long value");
    is_int(read_text(&table, &again, a, list.s, &e), 0, "the list is a file: %s", e.message);
    settings_text(&table, &v, &standard, &text);
    settings_text(&table, &again, &standard, &second);
    is_str(second.s, text.s, "  with the same values");
    settings_list(&table, &v, &standard, true, &json);
    has_str(json.s, "\"name\": \"group.tiny\"", "as JSON: the name on the command line");
    has_str(json.s, "\"heat\"", "  a number that is open");
    has_str(json.s, "\"value\": null", "    is null");
    settings_names(&table, a, &names);
    int unknown = 0;
    for (size_t i = 0; i < names.n; i++)
        unknown += settings_takes_value(&table, names.at[i]) < 0;
    ok(names.n == 17, "there are %zu names", names.n);
    is_int(unknown, 0, "a hint is only ever an option that there is");
    vec_release(&names);
    strbuf_release(&list);
    strbuf_release(&json);
    strbuf_release(&text);
    strbuf_release(&second);
}

static void test_files(struct arena *a)
{
    struct values v = {0};
    struct error e;
    is_int(read_text(&files, &v, a,
                     "[file]\nyes = yes\ntime = 2m\nsize = 2K\ncomment = -- %s\nwords = a 'b c'\n"
                     "words = d\ntexts = x, y\ntexts =\ncommand = {cc} -c {src}\ncommands = ls\n"
                     "pattern = (a)\npattern = (b+)\npatterns = x\npatterns = y\n"
                     "form = s/a/b/\nform = s/c/d/\nforms = s/a/b/\nforms = s:x:y:\n",
                     &e),
           0, "a file with every kind: %s", e.message);
    ok(v.yes && v.time == 120000 && v.size == 2048, "  numbers");
    is_str(v.comment, "-- %s", "  text");
    ok(v.words.n == 3 && !strcmp(v.words.at[1], "b c"), "  words of several lines");
    ok(v.texts.n == 2 && !strcmp(v.texts.at[0], "x, y") && !*v.texts.at[1], "  texts");
    ok(v.commands.n == 1 && !strcmp(v.command, "{cc} -c {src}"), "  commands");
    is_str(v.pattern.text, "(b+)", "  of two patterns the last");
    ok(v.patterns.n == 2 && v.forms.n == 2, "  lists of patterns");
    is_str(v.form.to, "d", "  a substitution");
    static const struct {
        const char *text;
        int line;
        const char *message;
    } wrong[] = {
        {"[file]\n\nyes = maybe\n", 3, "yes: 'maybe' is not yes or no"},
        {"[file]\ntime = soon\n", 2, "time: 'soon' is not a time such as 30s or 2m"},
        {"[file]\nsize = big\n", 2, "size: 'big' is not a size such as 64M or 2G"},
        {"[file]\nsize =\n", 2, "size has no value"},
        {"[file]\ncomment = --\n", 2, "comment: '--' lacks %s"},
        {"[file]\nwords = 'a\n", 2, "words: ''a' is not a list of words"},
        {"[file]\ncommand = {src} 'x\n", 2, "is a quote left open?"},
        {"[file]\ncommand = {src} {exe}\n", 2, "has a placeholder other than {cc} {src}"},
        {"[file]\ncommand = {cc}\n", 2, "command: '{cc}' lacks {src}"},
        {"[file]\npattern = a\n", 2, "pattern: 'a' lacks a group: put the part that is meant"},
        {"[file]\npattern = (\n", 2, "pattern: '(' is not a regular expression"},
        {"[file]\npatterns = a{255}{255}\n", 2, "patterns: the regular expression 'a{255}{255}'"},
        {"[file]\nforms = a/b\n", 2, "forms: 'a/b' is not of the form s/FROM/TO/"},
        {"[file]\nyse = yes\n", 2, "unknown key 'yse': did you mean 'yes'?"},
        {"[flie]\nyes = yes\n", 2, "unknown section 'flie': did you mean 'file'?"},
        {"[file]\nentanglement = yes\n", 2,
         "unknown key 'entanglement': there are yes, time, size, comment, words, texts, command, "
         "commands, pattern, patterns, form, forms"},
        {"[quantum]\nyes = yes\n", 2, "unknown section 'quantum': there are file"},
        {"yes = yes\n", 1, "key 'yes' comes before any [section]; the sections are file"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        is_int(read_text(&files, &v, a, wrong[i].text, &e), -1, "a wrong file");
        has_str(e.message, wrong[i].message, "  says what");
        ok(e.line == wrong[i].line && *e.file, "  and where");
    }
    ok(v.patterns.n == 2 && !strcmp(v.pattern.text, "(b+)"), "what was read before is still there");
    settings_release(&files, &v);
    ok(!v.patterns.n && !v.pattern.text && !v.form.from.text, "and is gone when it is released");
}

int main(void)
{
    struct arena a;
    arena_init(&a);
    test_default();
    test_set(&a);
    test_list(&a);
    test_files(&a);
    arena_release(&a);
    return tap_done();
}
