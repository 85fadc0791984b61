/* Regular expressions from outside: which are taken, and that hostile ones cost nothing. */
#include "base/pattern.h"
#include "tap.h"

#include <sys/resource.h>

static char *repeat(const char *before, int n, const char *what, const char *between, int m,
                    const char *behind)
{
    static char out[4096];
    size_t at = (size_t)snprintf(out, sizeof out, "%s", before);
    for (int i = 0; i < n; i++)
        at += (size_t)snprintf(out + at, sizeof out - at, "%s", what);
    at += (size_t)snprintf(out + at, sizeof out - at, "%s", between);
    for (int i = 0; i < m; i++)
        at += (size_t)snprintf(out + at, sizeof out - at, "%s", behind);
    return out;
}

static long peak_kib(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

static void refused(const char *text, const char *why)
{
    struct pattern p = {0};
    struct error e = {0};
    is_int(pattern_compile(&p, text, &e), -1, "refused: %.40s", text);
    has_str(e.message, why, "  says why");
    ok(!p.text && e.kind == ERROR_USAGE, "  and there is nothing to release");
    pattern_release(&p);
}

static void test_hostile(void)
{
    static const char large[] = "is too large: at most 1000 characters, 20 groups in each other, "
                                "and 1000 parts when each repetition is written out";
    long before = peak_kib();
    refused(repeat("a", 30, "+", "", 0, ""), large);
    refused(repeat("", 100, "a+", "", 20, "+"), large);
    refused("a{255}{255}", large);
    refused("a{255}{255}{255}", large);
    refused("(a{255}){2,255}", large);
    refused("(a{,255}){255,}", large);
    refused("((a?){16}){255}", large);
    refused("((((((a+)+)+b+)+c+)+)+d+)+{100}", large);
    refused("[[:alpha:]]{255}{255}", large);
    refused("[]+]{200}{200}", large);
    refused("\\({255}{255}", large);
    refused(repeat("", 300, "(", "a", 300, ")*"), large);
    refused(repeat("", 1001, "a", "", 0, ""), large);
    ok(peak_kib() - before < 20 * 1024, "in %ld KiB", peak_kib() - before);
}

static void test_good(void)
{
    static const struct {
        const char *pattern, *matches, *matches_not;
    } good[] = {
        {"gcc.* ([0-9]+\\.[0-9.]+)", "gcc (Debian) 12.2.0", "gcc"},
        {"^(a|b)+$", "abba", "abc"},
        {"a{3}b{,2}c{1,}", "aaabc", "aabc"},
        {"a{255}", NULL, "a"},
        {"[]+*{(]+x", "{(x", "x"},
        {"[^]a]z", "bz", "az"},
        {"[[:digit:]]+[[.-.]]", "7-", "x-"},
        {"\\++", "++", "-"},
        {"^b", "a\nb", "a b"}, /* by lines */
        {"(((a+)+)+)+", "a", "b"},
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct pattern p = {0};
        struct error e = {0};
        is_int(pattern_compile(&p, good[i].pattern, &e), 0, "%s", good[i].pattern);
        is_str(p.text, good[i].pattern, "  keeps its text");
        ok(!good[i].matches || !regexec(&p.regex, good[i].matches, 0, NULL, 0), "  matches");
        ok(regexec(&p.regex, good[i].matches_not, 0, NULL, 0), "  and does not match everything");
        pattern_release(&p);
        ok(!p.text, "  and is gone");
    }
    pattern_release(&(struct pattern){0});
    refused("(", "'(' is not a regular expression: ");
    refused("[a", "is not a regular expression");
    ok(pattern_compile(&(struct pattern){0}, "(", NULL), "an error nobody wants to read");
}

static void test_substitution(void)
{
    struct arena a;
    struct substitution s = {0};
    struct error e = {0};
    arena_init(&a);
    is_int(substitution_compile(&s, "s/0x[0-9a-f]+/ADDRESS/", &a, &e), 0, "a substitution");
    is_str(s.from.text, "0x[0-9a-f]+", "  from");
    is_str(s.to, "ADDRESS", "  to");
    pattern_release(&s.from);
    is_int(substitution_compile(&s, "s,/tmp/,,", &a, &e), 0, "with another delimiter");
    is_str(s.from.text, "/tmp/", "  from");
    is_str(s.to, "", "  to nothing");
    pattern_release(&s.from);
    static const char *const wrong[] = {"", "s", "s/", "s/a", "s/a/b", "s/a/b/g", "x/a/b/"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        is_int(substitution_compile(&s, wrong[i], &a, &e), -1, "'%s' is none", wrong[i]);
        has_str(e.message, "is not of the form s/FROM/TO/", "  says so");
    }
    is_int(substitution_compile(&s, "s/a++++++++++++++++++/b/", &a, &e), -1,
           "nor is a hostile one");
    has_str(e.message, "is too large", "  says why");
    arena_release(&a);
}

int main(void)
{
    test_hostile();
    test_good();
    test_substitution();
    return tap_done();
}
