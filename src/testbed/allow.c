#include "testbed/allow.h"
#include "base/text.h"

/* Of a whole word, or of two with a blank between. */
static const char *const allowed[] = {
    "-O[0-9a-z]*",
    "-[fm][A-Za-z0-9_+-]+(=[A-Za-z0-9_+.,:-]*)?",
    "-W[A-Za-z0-9_+-]+(=[A-Za-z0-9_+.-]*)?", /* no comma: not -Wl,... */
    "-(w|ansi|pedantic|pedantic-errors|pthread|static|pie|no-pie)",
    "-g([0-3]|dwarf(-[2-5])?|gdb[0-3]?)?",
    "-std=[a-z0-9+]+",
    "-[DU][A-Za-z_][A-Za-z0-9_]*(=.*)?",
    "-I(/usr/(local/)?include/)?[A-Za-z0-9_+-][A-Za-z0-9_+./-]*",
    "-l[A-Za-z0-9_+-]+",
    "-x ?(c|c[+][+]|cl)",
    "(--target=|-target )[A-Za-z0-9_-]+",
    "--param[= ][a-z0-9-]+=-?[0-9]+",
    "-mllvm -[a-z0-9-]+(=(true|false|-?[0-9]+))?",
    "-cl-[a-z0-9-]+(=[A-Za-z0-9.]+)?",
};

/* Even so: these load code, choose another linker, or read and write files by themselves. */
static const char *const refused[] = {
    "-mllvm",
    "-f(no-)?(plugin|pass-plugin|offload|use-ld|ld-path|lto-|wpa|ltrans).*",
    "-f(no-)?(thinlto|module|implicit|prebuilt).*",
    "-f(no-)?(profile|cs-profile|auto-profile|memory-profile|coverage|test-coverage|xray).*",
    "-f(no-)?(dump|save|crash|callgraph|stack-usage|opt-info|time-trace|proc-stat|embed|pch).*",
    "-f(no-)?(sanitize-.*list|[a-z-]*prefix|diagnostics-.*file|basic-block|preprocessed|include).*",
};

static bool matches(const char *pattern, const char *text)
{
    char whole[PATTERN_LONGEST];
    struct pattern p;
    snprintf(whole, sizeof whole, "^(%s)$", pattern);
    REQUIRE(!pattern_compile(&p, whole, NULL));
    bool found = !regexec(&p.regex, text, 0, NULL, 0);
    pattern_release(&p);
    return found;
}

static bool matches_one(const char *const *patterns, size_t n, const char *text)
{
    for (size_t i = 0; i < n; i++)
        if (matches(patterns[i], text))
            return true;
    return false;
}

static bool in_sets(const string_list *sets, const char *word, struct arena *a)
{
    for (size_t i = 0; i < sets->n; i++) {
        char **words;
        text_split(a, sets->at[i], &words);
        for (char **w = words; *w; w++)
            if (!strcmp(*w, word))
                return true;
    }
    return false;
}

static bool may_take(const struct toolchain *t, const char *text, struct arena *a)
{
    for (const char *at = text; *at; at++)
        if ((unsigned char)*at < ' ') /* patterns are of lines */
            return false;
    for (size_t i = 0; t && i < t->allow_flags.n; i++)
        if (matches(t->allow_flags.at[i].text, text))
            return true;
    if (t && (in_sets(&t->flags, text, a) || in_sets(&t->extra_flags, text, a)))
        return true;
    return matches_one(allowed, sizeof allowed / sizeof *allowed, text) &&
           !matches_one(refused, sizeof refused / sizeof *refused, text) &&
           !(text[1] == 'I' && strstr(text, ".."));
}

const char *flags_refused(const struct toolchain *t, const char *flags, struct arena *a)
{
    char **words;
    if (text_split(a, flags, &words) < 0)
        return arena_strdup(a, flags);
    for (char **w = words; *w; w++) {
        if (may_take(t, w[0], a))
            continue; /* by itself: with -DX=1 before it, any word would be a part of that value */
        if (!w[1] || !may_take(t, arena_printf(a, "%s %s", w[0], w[1]), a))
            return *w;
        w++;
    }
    return NULL;
}
