#include "cli/options.h"
#include "base/fs.h"
#include "base/text.h"
#include "base/vec.h"

#include <limits.h>
#include <unistd.h>

static bool read_value(const struct option_spec *o, const char *value)
{
    switch (o->kind) {
    case OPTION_FLAG:
        return *(bool *)o->to = true;
    case OPTION_TEXT:
        return (*(const char **)o->to = value);
    case OPTION_INT:
        return text_parse_int(value, 1, INT64_MAX, o->to);
    case OPTION_U64:
        return text_parse_u64(value, o->to);
    case OPTION_DURATION:
        return text_parse_duration(value, o->to) && *(int64_t *)o->to > 0;
    case OPTION_SHARE:
        return text_parse_number(value, 0, 1, o->to) && *(double *)o->to > 0;
    case OPTION_NUMBER:
        return text_parse_number(value, 0, 1e6, o->to);
    }
    return false;
}

static int take_value(const struct option_spec *o, const char *value, struct error *e)
{
    static const char *const nouns[] = {
        [OPTION_INT] = "a whole number of 1 or more",
        [OPTION_U64] = "a number from 0 to 2^64 - 1",
        [OPTION_DURATION] = "a time such as 20s, 5m or 1h30m",
        [OPTION_SHARE] = "a share between 0 and 1",
        [OPTION_NUMBER] = "a number of 0 or more",
    };
    if (o->given)
        *o->given = true;
    return read_value(o, value)
               ? 0
               : error_set(e, ERROR_USAGE, "--%s: '%s' is not %s", o->name, value, nouns[o->kind]);
}

struct command_line {
    const struct option_spec *specs;
    size_t n;
    struct option_settings *settings; /* NULL: it takes none */
    int argc;
    char **argv;
    int at;              /* the word in hand */
    const char **values; /* of each option that stood there; NULL: it did not */
};

/* `n_words`: those at the front of argv that are no options. */
static int unknown_option(const struct command_line *l, const char *name, int n_words,
                          struct error *e)
{
    string_list names = {0};
    for (size_t i = 0; i < l->n; i++)
        vec_push(&names, l->specs[i].name);
    vec_push(&names, "help");
    const char *whose =
        l->settings ? l->settings->names(l->settings, l->argv, n_words, &names) : NULL;
    const char *near = text_nearest(name, names.at, names.n);
    vec_release(&names);
    if (near)
        return error_set(e, ERROR_USAGE, "there is no option --%s: did you mean --%s?", name, near);
    return error_set(e, ERROR_USAGE, "there is no option --%s: --help lists them%s%s%s", name,
                     whose ? ", `assay gen " : "", whose ? whose : "",
                     whose ? " --options` those of the generator" : "");
}

/* Is the word an option of the command, and so no value of another? A value that looks like one is
 * written behind `=`. */
static bool is_option(const struct option_spec *specs, size_t n, const char *word)
{
    if (!strcmp(word, "--") || !strcmp(word, "--help") || !strcmp(word, "-h"))
        return true;
    for (size_t i = 0; i < n; i++) {
        size_t length = strlen(specs[i].name);
        if (word[0] == '-' && word[1] == '-' && !strncmp(word + 2, specs[i].name, length) &&
            (!word[2 + length] || word[2 + length] == '='))
            return true;
        if (word[0] == '-' && word[1] && word[1] == specs[i].short_name && !word[2])
            return true;
    }
    return false;
}

/* The value of an option that takes one, called "--name" or "-n": in its own word, or the next. */
static int find_value(struct command_line *l, const char *option, const char *called,
                      const char **value, struct error *e)
{
    if (*value)
        return 0;
    if (l->at + 1 >= l->argc || is_option(l->specs, l->n, l->argv[l->at + 1]))
        return error_set(e, ERROR_USAGE, "%s needs a value: %s %s", option, option, called);
    *value = l->argv[++l->at];
    return 0;
}

static int take_option(struct command_line *l, const struct option_spec *o, const char *option,
                       const char *value, struct error *e)
{
    if (o->kind == OPTION_FLAG && value)
        return error_set(e, ERROR_USAGE, "%s takes no value", option);
    if (o->kind != OPTION_FLAG && find_value(l, option, o->value, &value, e))
        return -1;
    const char **before = &l->values[o - l->specs];
    if (*before && strcmp(*before, value) != 0)
        return error_set(e, ERROR_USAGE,
                         "%s is given twice, as '%s' and as '%s': it takes one value", option,
                         *before, value);
    *before = value;
    return take_value(o, value, e);
}

static int parse_long(struct command_line *l, const char *word, struct error *e)
{
    char option[64];
    size_t length = strcspn(word, "=");
    const char *value = word[length] == '=' ? word + length + 1 : NULL, *name = option + 2;
    snprintf(option, sizeof option, "%.*s", (int)length, word);
    for (size_t k = 0; k < l->n; k++)
        if (!strcmp(l->specs[k].name, name))
            return take_option(l, &l->specs[k], option, value, e);
    int takes = l->settings ? l->settings->takes_value(name) : -1;
    if (takes < 0 && !l->settings)
        return unknown_option(l, name, 0, e);
    if (takes < 0) { /* which generator is meant may stand behind it */
        if (!l->settings->unknown)
            l->settings->unknown = arena_strdup(l->settings->arena, name);
        return 0;
    }
    if (takes && find_value(l, option, "VALUE", &value, e))
        return -1;
    vec_push(&l->settings->given, arena_printf(l->settings->arena, "%s%s%s", name, value ? "=" : "",
                                               value ? value : ""));
    return 0;
}

static int parse_short(struct command_line *l, const char *word, struct error *e)
{
    const char option[] = {'-', word[1], '\0'};
    for (size_t k = 0; k < l->n; k++)
        if (l->specs[k].short_name && l->specs[k].short_name == word[1])
            return take_option(l, &l->specs[k], option, word[2] ? word + 2 : NULL, e);
    return error_set(e, ERROR_USAGE, "there is no option %s: --help lists them", option);
}

/* How many words are no options; -1. */
static int parse_words(struct command_line *l, bool *help, struct error *e)
{
    int rest = 0;
    bool ended = false;
    for (; l->at < l->argc; l->at++) {
        char *word = l->argv[l->at], **argv = l->argv;
        int status = 0;
        if (ended || word[0] != '-' || !word[1])
            argv[rest++] = word;
        else if (!strcmp(word, "--"))
            ended = true;
        else if (!strcmp(word, "--help") || !strcmp(word, "-h"))
            *help = true;
        else if (word[1] == '-')
            status = parse_long(l, word, e);
        else
            status = parse_short(l, word, e);
        if (status)
            return -1;
    }
    if (l->settings && l->settings->unknown)
        return unknown_option(l, l->settings->unknown, rest, e);
    return rest;
}

int options_parse(const struct option_spec *specs, size_t n, struct option_settings *settings,
                  int argc, char **argv, bool *help, struct error *e)
{
    struct arena a;
    arena_init(&a);
    struct command_line l = {
        specs, n, settings, argc, argv, 1, arena_array(&a, const char *, n + 1)};
    *help = false;
    int rest = parse_words(&l, help, e);
    arena_release(&a);
    return rest;
}

/* A text, with what it calls docs/NAME and scripts/NAME named by where that is. */
static void print_with_places(const char *text)
{
    while (*text) {
        bool is_shipped = !strncmp(text, "docs/", 5) || !strncmp(text, "scripts/", 8);
        size_t n = is_shipped ? strcspn(text, " \n),") : 1;
        char word[128], path[PATH_MAX];
        if (is_shipped && text[n - 1] == '.')
            n--; /* which ends the sentence */
        snprintf(word, sizeof word, "%.*s", (int)n, text);
        text_print(stdout, "%s", is_shipped ? fs_shipped(word, path, sizeof path) : word);
        text += n;
    }
}

void options_print_help(const struct command *c, const struct option_spec *specs, size_t n)
{
    text_print(stdout, "usage: %s\n\n", c->usage);
    print_with_places(c->text);
    text_print(stdout, n ? "\n\noptions:\n" : "\n");
    for (size_t i = 0; i < n; i++) {
        char left[64];
        char letter[8] = "    ";
        if (specs[i].short_name)
            snprintf(letter, sizeof letter, "-%c, ", specs[i].short_name);
        snprintf(left, sizeof left, "%s--%s%s%s", letter, specs[i].name, specs[i].value ? " " : "",
                 specs[i].value ? specs[i].value : "");
        text_print(stdout, "  %-26s %s\n", left, specs[i].help);
    }
    text_print(stdout, "\nexample:\n");
    print_with_places(c->example);
    text_print(
        stdout,
        "\n\nexit status: 0 nothing found, 1 findings, 2 usage error, 3 something is missing on "
        "the machine\n");
}
