#include "cli/options.h"
#include "base/text.h"
#include "base/vec.h"

#include <unistd.h>

static int take_value(const struct option_spec *o, const char *value, struct error *e)
{
    int64_t number;
    uint64_t unsigned_number;
    double share;
    char *end;
    if (o->given)
        *o->given = true;
    switch (o->kind) {
    case OPTION_FLAG:
        *(bool *)o->to = true;
        return 0;
    case OPTION_TEXT:
        *(const char **)o->to = value;
        return 0;
    case OPTION_INT:
        if (!text_parse_int(value, 1, INT64_MAX, &number))
            return error_set(e, ERROR_USAGE, "--%s: '%s' is not a whole number of 1 or more",
                             o->name, value);
        *(int64_t *)o->to = number;
        return 0;
    case OPTION_U64:
        if (!text_parse_u64(value, &unsigned_number))
            return error_set(e, ERROR_USAGE, "--%s: '%s' is not a number from 0 to 2^64 - 1",
                             o->name, value);
        *(uint64_t *)o->to = unsigned_number;
        return 0;
    case OPTION_DURATION:
        if (!text_parse_duration(value, &number) || number <= 0)
            return error_set(e, ERROR_USAGE, "--%s: '%s' is not a time such as 20s, 5m or 1h30m",
                             o->name, value);
        *(int64_t *)o->to = number;
        return 0;
    case OPTION_SHARE:
        share = strtod(value, &end);
        if (end == value || *end || !(share > 0 && share <= 1))
            return error_set(e, ERROR_USAGE, "--%s: '%s' is not a share between 0 and 1", o->name,
                             value);
        *(double *)o->to = share;
        return 0;
    }
    return 0;
}

static int unknown_option(const struct option_spec *specs, size_t n,
                          const struct option_settings *settings, const char *name, struct error *e)
{
    option_words names = {0};
    for (size_t i = 0; i < n; i++)
        vec_push(&names, specs[i].name);
    vec_push(&names, "help");
    if (settings)
        settings->names(settings->arena, &names);
    const char *near = text_nearest(name, names.at, names.n);
    vec_release(&names);
    if (near)
        return error_set(e, ERROR_USAGE, "there is no option --%s: did you mean --%s?", name, near);
    return error_set(e, ERROR_USAGE, "there is no option --%s: --help lists them", name);
}

/* The value of --name, which takes one: after `=`, or the next word. */
static int find_value(const char *name, const char *called, int argc, char **argv, int *i,
                      const char **value, struct error *e)
{
    if (*value)
        return 0;
    if (*i + 1 >= argc)
        return error_set(e, ERROR_USAGE, "--%s needs a value: --%s %s", name, name, called);
    *value = argv[++*i];
    return 0;
}

static int parse_long(const struct option_spec *specs, size_t n, struct option_settings *settings,
                      const char *word, int argc, char **argv, int *i, struct error *e)
{
    char name[64];
    size_t length = strcspn(word, "=");
    const char *value = word[length] == '=' ? word + length + 1 : NULL;
    snprintf(name, sizeof name, "%.*s", (int)length, word);
    for (size_t k = 0; k < n; k++) {
        if (strcmp(specs[k].name, name) != 0)
            continue;
        if (specs[k].kind == OPTION_FLAG && value)
            return error_set(e, ERROR_USAGE, "--%s takes no value", name);
        if (specs[k].kind != OPTION_FLAG &&
            find_value(name, specs[k].value, argc, argv, i, &value, e))
            return -1;
        return take_value(&specs[k], value, e);
    }
    int takes = settings ? settings->takes_value(name) : -1;
    if (takes < 0)
        return unknown_option(specs, n, settings, name, e);
    if (takes && find_value(name, "VALUE", argc, argv, i, &value, e))
        return -1;
    vec_push(&settings->given,
             arena_printf(settings->arena, "%s%s%s", name, value ? "=" : "", value ? value : ""));
    return 0;
}

static int parse_short(const struct option_spec *specs, size_t n, const char *word, int argc,
                       char **argv, int *i, struct error *e)
{
    for (size_t k = 0; k < n; k++) {
        if (!specs[k].short_name || specs[k].short_name != word[0])
            continue;
        const char *value = word[1] ? word + 1 : NULL;
        if (specs[k].kind == OPTION_FLAG && value)
            return error_set(e, ERROR_USAGE, "-%c takes no value", word[0]);
        if (specs[k].kind != OPTION_FLAG && !value) {
            if (*i + 1 >= argc)
                return error_set(e, ERROR_USAGE, "-%c needs a value: -%c %s", word[0], word[0],
                                 specs[k].value);
            value = argv[++*i];
        }
        return take_value(&specs[k], value, e);
    }
    return error_set(e, ERROR_USAGE, "there is no option -%c: --help lists them", word[0]);
}

int options_parse(const struct option_spec *specs, size_t n, struct option_settings *settings,
                  int argc, char **argv, bool *help, struct error *e)
{
    int rest = 0;
    bool ended = false;
    *help = false;
    for (int i = 1; i < argc; i++) {
        char *word = argv[i];
        int status = 0;
        if (ended || word[0] != '-' || !word[1])
            argv[rest++] = word;
        else if (!strcmp(word, "--"))
            ended = true;
        else if (!strcmp(word, "--help") || !strcmp(word, "-h"))
            *help = true;
        else if (word[1] == '-')
            status = parse_long(specs, n, settings, word + 2, argc, argv, &i, e);
        else
            status = parse_short(specs, n, word + 1, argc, argv, &i, e);
        if (status)
            return -1;
    }
    return rest;
}

void options_print_help(const struct command *c, const struct option_spec *specs, size_t n)
{
    printf("usage: %s\n\n%s\n", c->usage, c->text);
    if (n)
        printf("\noptions:\n");
    for (size_t i = 0; i < n; i++) {
        char left[64];
        char letter[8] = "    ";
        if (specs[i].short_name)
            snprintf(letter, sizeof letter, "-%c, ", specs[i].short_name);
        snprintf(left, sizeof left, "%s--%s%s%s", letter, specs[i].name, specs[i].value ? " " : "",
                 specs[i].value ? specs[i].value : "");
        printf("  %-26s %s\n", left, specs[i].help);
    }
    printf("\nexample:\n%s\n", c->example);
    printf("\nexit status: 0 nothing found, 1 findings, 2 wrong usage, 3 the machine lacks "
           "something\n");
}
