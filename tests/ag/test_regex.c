/* Regular expressions of literal classes: what is drawn is matched, the count is that of the
 * different strings, choice 0 is the shortest, and mistakes are told with their place.
 *
 * The matcher works on sets of positions and shares no code with drawing, so that the two check
 * each other; hand-written strings check the matcher. */
#include "ag/regex_internal.h"
#include "base/map.h"
#include "tap.h"

static struct arena arena;

static struct ag_regex *parsed(const char *text)
{
    int where = -1;
    const char *why = NULL;
    struct ag_regex *r = ag_regex_parse(&arena, text, &where, &why);
    if (!r)
        printf("# %s: at %d: %s\n", text, where, why);
    return r;
}

struct matcher {
    const char *text;
    size_t n;
    struct arena scratch;
};

/* Positions 0 to n of the text, as one bool each. */
static bool *positions(struct matcher *m, const bool *copy)
{
    bool *set = arena_array(&m->scratch, bool, m->n + 1);
    if (copy)
        memcpy(set, copy, m->n + 1);
    return set;
}

static void unite(const struct matcher *m, bool *into, const bool *from)
{
    for (size_t i = 0; i <= m->n; i++)
        into[i] |= from[i];
}

/* Where can a match end that begins at one of these positions? */
static bool *ends(struct matcher *m, const struct node *n, const bool *starts)
{
    bool *result = positions(m, NULL), *reached;
    switch (n->kind) {
    case SET:
        for (size_t i = 0; i < m->n; i++)
            result[i + 1] = starts[i] && memchr(n->set, m->text[i], (size_t)n->n);
        break;
    case SEQUENCE:
        unite(m, result, starts);
        for (int i = 0; i < n->n; i++)
            result = ends(m, n->parts[i], result);
        break;
    case CHOICE:
        for (int i = 0; i < n->n; i++)
            unite(m, result, ends(m, n->parts[i], starts));
        break;
    case REPEAT:
        reached = positions(m, starts);
        for (int i = 0; i <= n->at_most; i++) {
            if (i >= n->at_least)
                unite(m, result, reached);
            if (i < n->at_most)
                reached = ends(m, n->parts[0], reached);
        }
        break;
    }
    return result;
}

/* Does it match the whole text? Follows sets of positions through the tree, never a single path. */
static bool regex_matches(const struct ag_regex *r, const char *text, size_t n)
{
    struct matcher m = {.text = text, .n = n};
    arena_init(&m.scratch);
    bool *start = positions(&m, NULL);
    start[0] = true;
    bool matches = ends(&m, r->root, start)[n];
    arena_release(&m.scratch);
    return matches;
}

/* All ways tried, the different strings counted. */
static size_t count_each(const struct ag_regex *r)
{
    struct map seen;
    map_init(&seen);
    struct strbuf s;
    strbuf_init(&s, 0);
    struct choice c;
    choice_init_exhaustive(&c);
    do {
        strbuf_clear(&s);
        ag_regex_draw(r, &c, &s);
        map_put(&seen, s.s, s.n, NULL);
    } while (choice_next_sequence(&c));
    size_t n = seen.n;
    choice_release(&c);
    strbuf_release(&s);
    map_release(&seen);
    return n;
}

static bool matches(const char *regex, const char *text)
{
    struct ag_regex *r = parsed(regex);
    return r && regex_matches(r, text, strlen(text));
}

/* What choice 0 everywhere draws; in the arena. */
static const char *simplest(const char *regex)
{
    struct ag_regex *r = parsed(regex);
    if (!r)
        return NULL;
    struct choice c;
    choice_init_replay(&c, NULL, 0);
    struct strbuf s;
    strbuf_init(&s, 0);
    ag_regex_draw(r, &c, &s);
    const char *drawn = arena_memdup(&arena, s.s, s.n);
    strbuf_release(&s);
    choice_release(&c);
    return drawn;
}

static void test_drawn_strings_match(void)
{
    static const char *const all[] = {
        "",
        "x",
        "[a-z]{1,3}",
        "[0-9]{0,2}",
        "[+*/-]",
        "0|[1-9][0-9]{0,6}",
        "[0-9]{1,4}.[0-9]{1,4}",
        "'[0-9a-zA-Z .]{0,35}'",
        "L[a-zA-Z0-9_]{2,5}",
        "&&|[|][|]",
        "+=|-=|*=|/=",
        "++|--",
        "(a|bc){2,4}(d?e*)+",
        "[^\"\\\\]{3}",
        "\\[\\]\\(\\)\\n\\t\\\\\\.",
        "((x|y)(0|1)?){1,}",
        "[a-zA-Z0-9+-=_{};]{1,100}",
        "#x[0-9a-fA-F]{1,4}",
        "a||b",
        "{x}[{}]",
        "caf\xc3\xa9|na\xc3\xafve",
    };
    struct choice c;
    choice_init_random(&c, 7);
    struct strbuf s;
    strbuf_init(&s, 0);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct ag_regex *r = parsed(all[i]);
        int good = 0;
        for (int k = 0; r && k < 500; k++) {
            strbuf_clear(&s);
            ag_regex_draw(r, &c, &s);
            good += regex_matches(r, s.s, s.n);
        }
        is_int(good, 500, "500 strings drawn from %s match it", all[i]);
    }
    strbuf_release(&s);
    choice_release(&c);
}

static void test_matches(void)
{
    static const struct {
        const char *regex, *text;
        bool match;
    } rows[] = {
        {"[a-z]{1,3}", "abc", true},
        {"[a-z]{1,3}", "", false},
        {"[a-z]{1,3}", "abcd", false},
        {"[a-z]{1,3}", "aB", false},
        {"a.b", "a.b", true},
        {"a.b", "axb", false},
        {"+|-|*|/", "*", true},
        {"+|-|*|/", "+", true},
        {"+|-|*|/", "", false},
        {"++|--", "++", true},
        {"++|--", "+", false},
        {"++|--", "+++", false},
        {"a+", "aaaaaaaaa", true},
        {"a+", "", false},
        {"a+", "aaaaaaaaaa", false},
        {"a{2,}", "aaaaaaaaaa", true},
        {"a{2,}", "a", false},
        {"a?b", "b", true},
        {"(ab|c){2}", "abc", true},
        {"(ab|c){2}", "ab", false},
        {"[^a-y]", "z", true},
        {"[^a-y]", "b", false},
        {"[^a-y]", "\t", false},
        {"[a\\]b]", "]", true},
        {"[a-]", "-", true},
        {"[+|-|*|/]", "|", true},
        {"[+|-|*|/]", "-", false},
        {"[+*/-]", "-", true},
        {"a{b}", "a{b}", true},
        {"\\*+", "***", true},
        {"a|", "", true},
        {"(a*)*", "aa", true},
        {"a**", "aa*", true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        ok(matches(rows[i].regex, rows[i].text) == rows[i].match, "%s %s '%s'", rows[i].regex,
           rows[i].match ? "matches" : "does not match", rows[i].text);
}

static void test_count(void)
{
    static const struct {
        const char *regex;
        size_t n;
    } rows[] = {
        {"", 1},
        {"x", 1},
        {"[a-c]{0,2}", 13},
        {"[a-z]{1,2}", 26 + 26 * 26},
        {"a|b|a", 2},  /* the same string twice */
        {"a?a?a?", 4}, /* eight ways, four strings */
        {"[aab]", 2},  /* a member named twice */
        {"(a|b){3}", 8},
        {"+|-|*|/", 4},
        {"[^ -y]", 5}, /* z { | } ~ */
        {"0|[1-9][0-9]", 91},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct ag_regex *r = parsed(rows[i].regex);
        ok(r && count_each(r) == rows[i].n, "%s has %zu strings", rows[i].regex, rows[i].n);
    }
}

static void test_simplest(void)
{
    is_str(simplest("[a-z]{1,3}"), "a", "the first character, as few as may be");
    is_str(simplest("[0-9]{0,2}"), "", "nothing where nothing will do");
    is_str(simplest("while|do|for"), "do", "the shortest alternative");
    is_str(simplest("[1-9][0-9]{2}|[x-z]+"), "x", "the shortest by its least length");
    is_str(simplest("or|and|do"), "or", "of equal ones the first");
    is_str(simplest("[_a]"), "_", "characters as they were written");
    is_str(simplest("[^_]"), "a", "letters before others in a negated class");
}

static void test_mistakes(void)
{
    static const struct {
        const char *regex;
        int where;
        const char *why;
    } rows[] = {
        {"ab(c", 2, "not closed with ')'"},
        {"ab)c", 2, "closes no group"},
        {"x[a-z", 1, "not closed with ']'"},
        {"x[", 1, "not closed with ']'"},
        {"x[a\\", 1, "not closed with ']'"},
        {"ab[]", 2, "holds no character"},
        {"[^ -~]", 0, "holds no character"},
        {"a[xz-y]", 3, "runs backwards"},
        {"abc\\", 3, "backslash"},
        {"a{3,1}", 1, "less than the lower"},
        {"a{3,0}", 1, "less than the lower"},
        {"a{3", 1, "bounds are"},
        {"a{3,x}", 1, "bounds are"},
        {"a{99999999999999999999}", 1, "too often"},
        {"(a{4000}){4000}", 0, "longer than 4096"},
        {"a{4096}b", 0, "longer than 4096"},
        {"[\xc3\xa9]", 1, "only ASCII"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int where = -1;
        const char *why = "";
        ok(!ag_regex_parse(&arena, rows[i].regex, &where, &why), "%s is refused", rows[i].regex);
        is_int(where, rows[i].where, "at its place");
        has_str(why, rows[i].why, "with the reason");
    }
    char deep[1000];
    memset(deep, '(', sizeof deep - 1);
    deep[sizeof deep - 1] = 0;
    int where;
    const char *why = "";
    ok(!ag_regex_parse(&arena, deep, &where, &why), "a thousand open groups are refused");
    has_str(why, "too deep", "as nested too deep");
}

/* Every string of two and three characters that mean something: parsed or refused, and what is
 * parsed draws what it matches. */
static void test_short_ones(void)
{
    static const char alphabet[] = "a-b|()[]{}1,*+?\\^.";
    size_t n = sizeof alphabet - 1;
    struct strbuf s;
    strbuf_init(&s, 0);
    struct choice c;
    choice_init_random(&c, 3);
    int regexes = 0, bad = 0;
    for (size_t i = 0; i < n * n * n * n; i++) {
        char text[] = {alphabet[i % n], alphabet[i / n % n], alphabet[i / n / n % n],
                       alphabet[i / n / n / n], 0};
        struct arena a;
        arena_init(&a);
        int where = -1;
        const char *why = NULL;
        struct ag_regex *r = ag_regex_parse(&a, text, &where, &why);
        if (r) {
            regexes++;
            strbuf_clear(&s);
            ag_regex_draw(r, &c, &s);
            bad += !regex_matches(r, s.s, s.n);
        } else {
            bad += where < 0 || where > 4 || !why;
        }
        arena_release(&a);
    }
    ok(!bad && regexes > 10000, "%d of %zu texts of four characters are expressions, %d are wrong",
       regexes, n * n * n * n, bad);
    strbuf_release(&s);
    choice_release(&c);
}

int main(void)
{
    arena_init(&arena);
    test_drawn_strings_match();
    test_matches();
    test_count();
    test_simplest();
    test_mistakes();
    test_short_ones();
    arena_release(&arena);
    return tap_done();
}
