#include "base/pattern.h"

#include <stdbool.h>
#include <stdlib.h>

/* What an expression grows to, counted while it is read from left to right. */
struct growth {
    double done[PATTERN_DEEPEST + 1]; /* parts of each open group, but for ... */
    double last[PATTERN_DEEPEST + 1]; /* ... those that a repetition would repeat */
    int depth;
};

/* Behind the bracket expression that begins here. */
static const char *skip_brackets(const char *s)
{
    s += s[1] == '^' ? 2 : 1;
    s += *s == ']';
    while (*s && *s != ']') {
        char kind = s[0] == '[' && s[1] && strchr(":.=", s[1]) ? s[1] : '\0';
        s += kind ? 2 : 1;
        while (kind && *s && !(s[-1] == kind && *s == ']'))
            s++;
        s += kind && *s;
    }
    return s + (*s == ']');
}

/* How often {n}, {n,}, {,m} or {n,m} writes out what it repeats; its end goes to `*s`. 0: it is
 * none, and a brace is a brace. */
static double read_bounds(const char **s)
{
    char *end = (char *)*s + 1, *behind;
    double least = (double)strtol(end, &behind, 10), most = least;
    bool any = behind > end;
    end = behind;
    if (*end == ',') {
        most = (double)strtol(end + 1, &behind, 10);
        most = behind > end + 1 ? most : least + 1;
        any |= behind > end + 1;
        end = behind > end + 1 ? behind : end + 1;
    }
    if (!any || *end != '}')
        return 0;
    *s = end + 1;
    return most > least ? most : least;
}

static void add_part(struct growth *g, double size)
{
    g->done[g->depth] += g->last[g->depth];
    g->last[g->depth] = size;
}

/* Reads one part or operator; false: the groups are nested too deep. */
static bool read_part(struct growth *g, const char **at)
{
    const char *s = *at;
    double times = 0;
    *at = *s == '[' ? skip_brackets(s) : s + 1 + (*s == '\\' && s[1]);
    if (*s == '(') {
        if (g->depth == PATTERN_DEEPEST)
            return false;
        add_part(g, 0);
        g->depth++;
        g->done[g->depth] = g->last[g->depth] = 0;
    } else if (*s == ')' && g->depth > 0) {
        double size = g->done[g->depth] + g->last[g->depth] + 1;
        g->depth--;
        add_part(g, size);
    } else if (*s == '*' || *s == '?') {
        g->last[g->depth] += 1;
    } else if (*s == '+') {
        g->last[g->depth] = 2 * g->last[g->depth] + 1;
    } else if (*s == '{' && (times = read_bounds(&s)) > 0) {
        g->last[g->depth] = times * g->last[g->depth] + 1;
        *at = s;
    } else {
        add_part(g, 1);
    }
    return true;
}

/* Would the C library take a moment and little memory for it? */
static bool is_small(const char *text)
{
    struct growth g = {.depth = 0};
    double size = 0;
    if (strlen(text) > PATTERN_LONGEST)
        return false;
    while (*text && size <= PATTERN_LARGEST) {
        if (!read_part(&g, &text))
            return false;
        size = 0;
        for (int i = 0; i <= g.depth; i++)
            size += g.done[i] + g.last[i];
    }
    return size <= PATTERN_LARGEST;
}

int pattern_compile(struct pattern *out, const char *text, struct error *e)
{
    char why[128];
    out->text = NULL;
    if (!is_small(text))
        return error_set(e, ERROR_USAGE,
                         "the regular expression '%.60s%s' is too large: at most %d characters, %d "
                         "groups in each other, and %d parts when each repetition is written out",
                         text, strlen(text) > 60 ? "..." : "", PATTERN_LONGEST, PATTERN_DEEPEST,
                         PATTERN_LARGEST);
    int status = regcomp(&out->regex, text, REG_EXTENDED | REG_NEWLINE);
    if (status) {
        regerror(status, &out->regex, why, sizeof why);
        return error_set(e, ERROR_USAGE, "'%s' is not a regular expression: %s", text, why);
    }
    out->text = text;
    return 0;
}

int substitution_compile(struct substitution *out, const char *text, struct arena *a,
                         struct error *e)
{
    char delimiter = text[0] == 's' ? text[1] : '\0';
    const char *from = text + 2;
    const char *middle = delimiter ? strchr(from, delimiter) : NULL;
    const char *last = middle ? strchr(middle + 1, delimiter) : NULL;
    out->from.text = NULL;
    if (!last || last[1])
        return error_set(e, ERROR_USAGE, "'%s' is not of the form s/FROM/TO/", text);
    out->to = arena_memdup(a, middle + 1, (size_t)(last - middle - 1));
    return pattern_compile(&out->from, arena_memdup(a, from, (size_t)(middle - from)), e);
}

void pattern_release(struct pattern *p)
{
    if (p->text)
        regfree(&p->regex);
    p->text = NULL;
}
