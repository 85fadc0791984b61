/* Pass, flag and version bisection, on compilers that are simulated: what they list is written as
 * gcc and clang write it, and their faults are planted. The rules are those that are shipped.
 * Argument: the source root. */
#include "base/fs.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "tap.h"
#include "testbed/toolchain.h"
#include "triage/blame.h"

#include <stdlib.h>
#include <unistd.h>

static struct arena arena;

/* A compiler with one fault. */
struct simulated {
    const char *level;     /* the fault shows with these -O words, with blanks around each */
    const char *any;       /* ... while any of these switches, passes or counters works */
    const char *all;       /* ... and while each of these does */
    const char *breaks;    /* leaving one of these out breaks the compiler */
    const char *first;     /* the switches that are on at -O1 ... */
    const char *more;      /* ... and at -O2 as well */
    const char *passes;    /* listed by -fdump-passes */
    const char *counters;  /* listed by -fdbg-cnt-list */
    int count;             /* the counter that is planted must work so often */
    int n_passes, culprit; /* of a compiler that counts its passes */
    int broken_from, broken_to;
    bool negated; /* one of the switches that are on is a -fno-, as from GCC 14 on */
    bool never;   /* the case does not show any more */
};

static bool has_word(const char *text, const char *word)
{
    size_t n = strlen(word);
    for (const char *p = text ? text : ""; (p = strstr(p, word)); p += n)
        if ((p == text || p[-1] == ' ') && (p[n] == ' ' || !p[n]))
            return true;
    return false;
}

/* The number behind a counter's name in the flags; -1: it is not limited. */
static int counted(const char *flags, const char *name)
{
    const char *p = strstr(flags, arena_printf(&arena, "-fdbg-cnt=%s:", name));
    return p ? atoi(strchr(p, ':') + 1) : -1;
}

/* Is the thing that is called `word` left out? */
static bool is_off(const struct simulated *s, const char *flags, const char *word)
{
    if (has_word(flags, arena_printf(&arena, "-fno-%s", word)) ||
        has_word(flags, arena_printf(&arena, "-fdisable-%s", word)))
        return true;
    int n = counted(flags, word);
    return n >= 0 && n < s->count;
}

static bool some_off(const struct simulated *s, const char *flags, const char *words, bool all)
{
    char **list;
    int n = text_split(&arena, words ? words : "", &list), off = 0;
    for (int i = 0; i < n; i++)
        off += is_off(s, flags, list[i]);
    return all ? n && off == n : off > 0;
}

static const char *level_of(const char *flags)
{
    const char *level = "-O0";
    char **words;
    text_split(&arena, flags, &words);
    for (; *words; words++)
        if (!strncmp(*words, "-O", 2))
            level = *words;
    return level;
}

static int with_flags(void *of, const char *flags, struct arena *a, struct blame_try *out,
                      struct error *e)
{
    const struct simulated *s = of;
    (void)e;
    *out = (struct blame_try){.messages = ""};
    bool bad = !s->never && has_word(s->level, level_of(flags));
    bad &= !some_off(s, flags, s->any, true) && !some_off(s, flags, s->all, false);
    const char *limit = strstr(flags, "-opt-bisect-limit=");
    int runs = limit ? atoi(strchr(limit, '=') + 1) : s->n_passes;
    if (s->n_passes && strcmp(level_of(flags), "-O0") != 0) {
        struct strbuf text;
        strbuf_init(&text, 0);
        for (int i = 1; limit && i <= s->n_passes; i++)
            strbuf_addf(&text, "BISECT: %srunning pass (%d) Pass%cPass on function (f)\n",
                        i <= runs ? "" : "NOT ", i, 'A' + i % 26);
        out->messages = arena_strdup(a, text.s);
        strbuf_release(&text);
        bad &= !s->culprit || runs >= s->culprit;
        out->broken = limit && runs >= s->broken_from && runs < s->broken_to;
    }
    out->broken |= some_off(s, flags, s->breaks, false) || strstr(flags, "-fno-no-");
    out->bad = bad && !out->broken;
    return 0;
}

static void list_words(struct strbuf *out, const char *format, const char *words)
{
    char **list;
    text_split(&arena, words ? words : "", &list);
    for (; *list; list++) {
        const char *line = text_fill(&arena, format, "{}", *list, NULL);
        strbuf_addf(out, "%s\n", line);
    }
}

static int ask(void *of, const char *arguments, struct arena *a, const char **output,
               struct error *e)
{
    const struct simulated *s = of;
    struct strbuf out;
    strbuf_init(&out, 0);
    (void)e;
    if (strstr(arguments, "--help=optimizers")) {
        strbuf_adds(&out, "The following options control optimizations:\n  -O<number>\t\t\n"
                          "  -fassociative-math \t\t[disabled]\n"
                          "  -fsigned-zeros \t\t[enabled]\n  -falign-jumps= \t\t16:11:8\n");
        strbuf_adds(&out, s->negated ? "  -fno-inline-stringops \t\t[enabled]\n" : "");
        list_words(&out, "  -f{}       \t\t[enabled]", s->first);
        bool more = strcmp(level_of(arguments), "-O1") != 0;
        list_words(&out, more ? "  -f{} \t\t[enabled]" : "  -f{} \t\t[disabled]", s->more);
    } else if (strstr(arguments, "-fdump-passes")) {
        strbuf_adds(&out, "   *warn_unused_result                   :  ON\n"
                          "   tree-tmlower                          :  OFF\n");
        list_words(&out, "      {}                     :  ON", s->passes);
    } else if (strstr(arguments, "-fdbg-cnt-list")) {
        strbuf_adds(&out, "  counter name                  counter value     closed intervals\n"
                          "-----------------------------------------------------------------\n");
        list_words(&out, "  {}                   0                 unset", s->counters);
    }
    *output = arena_strdup(a, out.s);
    strbuf_release(&out);
    return 0;
}

/* -- the cases --------------------------------------------------------------------------------- */

#define SWITCHES                                                                                   \
    "tree-ccp tree-ch tree-dce inline-functions-called-once if-conversion omit-frame-pointer"
#define MORE "tree-vrp gcse inline-small-functions ipa-cp tree-pre strict-aliasing code-hoisting"
#define PASSES                                                                                     \
    "tree-cfg tree-ssa tree-ccp1 tree-fre1 tree-evrp tree-ccp2 tree-vrp1 tree-vrp2 rtl-expand "    \
    "rtl-cse1 rtl-combine rtl-reload rtl-split2"
#define GCC .first = SWITCHES, .more = MORE, .passes = PASSES
#define CLANG .n_passes = 177

static const struct {
    const char *what, *toolchain, *flags;
    struct simulated s;
    const char *pass;
} cases[] = {
    {"a switch", "gcc", "-O2", {GCC, .level = "-O2 -O3", .all = "tree-vrp"}, "-ftree-vrp"},
    {"the same at -O3, with flags",
     "gcc",
     "-O3 -fwrapv",
     {GCC, .level = "-O2 -O3", .all = "tree-vrp"},
     "-ftree-vrp"},
    {"a switch among others whose names begin with no-",
     "gcc",
     "-O2",
     {GCC, .level = "-O2 -O3", .all = "tree-vrp", .negated = true},
     "-ftree-vrp"},
    {"one of -O1", "gcc", "-O1", {GCC, .level = "-O1 -O2", .all = "tree-dce"}, "-ftree-dce"},
    {"either of two will do",
     "gcc",
     "-O2",
     {GCC, .level = "-O2", .all = "tree-dce gcse"},
     "-fgcse"},
    {"  inlining is blamed last",
     "gcc",
     "-O2",
     {GCC, .level = "-O2", .all = "inline-small-functions if-conversion"},
     "-fif-conversion"},
    {"  but blamed where nothing else will do",
     "gcc",
     "-O2",
     {GCC, .level = "-O2", .all = "inline-small-functions"},
     "-finline-small-functions"},
    {"two must be off together",
     "gcc",
     "-O2",
     {GCC, .level = "-O2", .any = "tree-ccp tree-pre"},
     "-ftree-ccp + -ftree-pre"},
    {"a switch that may not be off",
     "gcc",
     "-O2",
     {GCC, .level = "-O2", .all = "tree-vrp", .breaks = "tree-ch"},
     "-ftree-vrp"},
    {"  with two that must be",
     "gcc",
     "-O2",
     {GCC, .level = "-O2", .any = "tree-ccp tree-pre", .breaks = "gcse"},
     "-ftree-ccp + -ftree-pre"},
    {"a switch that changes the meaning is never tried",
     "gcc",
     "-O2",
     {GCC, .level = "-O2", .all = "signed-zeros"},
     "-O2"},
    {"a pass that no switch controls",
     "gcc",
     "-O2",
     {GCC, .level = "-O2", .all = "tree-evrp", .breaks = "tree-cfg tree-ssa rtl-expand rtl-reload"},
     "tree-evrp"},
    {"  instances of it",
     "gcc",
     "-O2",
     {GCC, .level = "-O2", .any = "tree-vrp1 tree-vrp2", .breaks = "tree-cfg rtl-expand"},
     "tree-vrp"},
    {"a counter",
     "gcc",
     "-O2",
     {GCC, .level = "-O2", .all = "match", .counters = "dce match ccp", .count = 37},
     "match"},
    {"  behind a switch",
     "gcc",
     "-O2",
     {GCC, .level = "-O2", .all = "gcse match", .counters = "dce match ccp", .count = 1},
     "-fgcse"},
    {"a fault of the level", "gcc", "-O1", {GCC, .level = "-O1 -O2"}, "-O1"},
    {"a fault of the front end", "gcc", "-O3", {GCC, .level = "-O0 -O1 -O2 -O3"}, "-O0"},
    {"  without flags", "gcc", "", {GCC, .level = "-O0"}, "-O0"},
    {"a case that went away", "gcc", "-O2", {GCC, .never = true}, ""},

    {"a pass", "clang", "-O2", {CLANG, .level = "-O1 -O2", .culprit = 58}, "PassGPass"},
    {"  the first", "clang", "-O1", {CLANG, .level = "-O1", .culprit = 1}, "PassBPass"},
    {"  the last", "clang", "-O1", {CLANG, .level = "-O1", .culprit = 177}, "PassVPass"},
    {"  with some that break",
     "clang",
     "-O2",
     {CLANG, .level = "-O2", .culprit = 92, .broken_from = 86, .broken_to = 91},
     "PassOPass"},
    {"  or hide it",
     "clang",
     "-O2",
     {CLANG, .level = "-O2", .culprit = 60, .broken_from = 30, .broken_to = 70},
     "PassSPass"},
    {"no pass", "clang", "-O2", {CLANG, .level = "-O2"}, "-O2"},
    {"not even optimised", "clang", "-O2", {CLANG, .level = "-O0 -O2", .culprit = 7}, "-O0"},
    {"one that does not count", "clang", "-O2", {.level = "-O2"}, "-O2"},
    {"a compiler without rules", "tcc", "-O2", {.level = "-O0 -O2"}, ""},
    {"a level among other flags",
     "gcc",
     "-g  -O2 -fwrapv",
     {GCC, .level = "-O2", .all = "tree-vrp"},
     "-ftree-vrp"},
    {"  that is to blame", "gcc", "-g -O1 -fwrapv", {GCC, .level = "-O1"}, "-O1"},
};

/* How many tries each takes, and what is said: another number is another search. */
static const struct {
    int tries;
    const char *detail;
} outcomes[] = {
    {9, "right with -O2 -fno-tree-vrp"},
    {9, "right with -O3 -fwrapv -fno-tree-vrp"},
    {9, "right with -O2 -fno-tree-vrp"},
    {7, "right with -O1 -fno-tree-dce"},
    {8, "right with -O2 -fno-gcse"},
    {9, "right with -O2 -fno-if-conversion"},
    {10, "right with -O2 -fno-inline-small-functions"},
    {18, "right with -O2 -fno-tree-ccp -fno-tree-pre"},
    {9, "right with -O2 -fno-tree-vrp"},
    {26, "right with -O2 -fno-tree-ccp -fno-tree-pre"},
    {4, "right at -O0; at -O2 no pass or switch that can be left out makes it right"},
    {20, "right with -O2 -fdisable-tree-evrp"},
    {25, "right with -O2 -fdisable-tree-vrp1 -fdisable-tree-vrp2"},
    {19, "right with -O2 -fdbg-cnt=match:0; -fdbg-cnt=match:37 is the first that is wrong"},
    {13, "right with -O2 -fno-gcse; -fdbg-cnt=match:1 is the first that is wrong"},
    {4, "right at -O0; at -O1 no pass or switch that can be left out makes it right"},
    {2, "wrong at -O0 already: no optimisation is to blame"},
    {1, "wrong at -O0 already: no optimisation is to blame"},
    {1, "it does not show with -O2"},
    {12, "right with -mllvm -opt-bisect-limit=57, wrong with -mllvm -opt-bisect-limit=58"},
    {12, "right with -mllvm -opt-bisect-limit=0, wrong with -mllvm -opt-bisect-limit=1"},
    {13, "right with -mllvm -opt-bisect-limit=176, wrong with -mllvm -opt-bisect-limit=177"},
    {17, "right with -mllvm -opt-bisect-limit=91, wrong with -mllvm -opt-bisect-limit=92"},
    {63, "right with -mllvm -opt-bisect-limit=29, wrong with -mllvm -opt-bisect-limit=70"},
    {4, "right at -O0; at -O2 no pass or switch that can be left out makes it right"},
    {2, "wrong at -O0 already: no optimisation is to blame"},
    {3, "right at -O0; at -O2 no pass or switch that can be left out makes it right"},
    {0, "its toolchain has no rules for this"},
    {9, "right with -g  -O2 -fwrapv -fno-tree-vrp"},
    {4, "right at -O0; at -O1 no pass or switch that can be left out makes it right"},
};
_Static_assert(sizeof outcomes / sizeof *outcomes == sizeof cases / sizeof *cases,
               "an outcome for each case");

static const struct testbed *testbed(const char *root, const char *name, struct toolchain *t,
                                     testbed_list *list)
{
    struct error e;
    const char *path = arena_printf(&arena, "%s/testbeds/%s.ini", root, name);
    if (toolchain_read(path, &arena, t, &e)) {
        printf("Bail out! %s\n", e.message);
        exit(1);
    }
    struct compiler c = {.toolchain = t, .name = name, .path = name, .version = "1.0"};
    compiler_testbeds(&c, false, &arena, list);
    return &list->at[0];
}

/* The same, of a machine on which something fails after so many tries and questions. */
struct failing {
    struct simulated s;
    int left;
};

static int with_flags_or_fail(void *of, const char *flags, struct arena *a, struct blame_try *out,
                              struct error *e)
{
    struct failing *f = of;
    return --f->left < 0 ? error_set(e, ERROR_ENVIRONMENT, "no space left")
                         : with_flags(&f->s, flags, a, out, e);
}

static int ask_or_fail(void *of, const char *arguments, struct arena *a, const char **output,
                       struct error *e)
{
    struct failing *f = of;
    return --f->left < 0 ? error_set(e, ERROR_ENVIRONMENT, "no space left")
                         : ask(&f->s, arguments, a, output, e);
}

/* Whenever something fails, it fails: how often it can. */
static int count_failures(const struct testbed *bed, const char *flags, const struct simulated *s)
{
    for (int n = 0;; n++) {
        struct failing f = {*s, n};
        struct blame_probe probe = {&f, with_flags_or_fail, ask_or_fail};
        struct blame out;
        struct error e;
        if (!blame_pass(bed, flags, &probe, &arena, &out, &e))
            return n;
    }
}

static void test_cases(const char *root)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        toolchain_list toolchains = {0};
        struct toolchain t;
        testbed_list list = {0};
        struct blame out;
        struct error e;
        const struct testbed *bed = testbed(root, cases[i].toolchain, &t, &list);
        struct simulated s = cases[i].s;
        struct blame_probe probe = {&s, with_flags, ask};
        int status = blame_pass(bed, cases[i].flags, &probe, &arena, &out, &e);
        is_int(status, 0, "%s", cases[i].what);
        is_str(out.pass, cases[i].pass, "  is '%s'", cases[i].pass);
        is_int(out.tries, outcomes[i].tries, "  in %d tries", outcomes[i].tries);
        is_str(out.detail, outcomes[i].detail, "  %s", outcomes[i].detail);
        int failures = count_failures(bed, cases[i].flags, &cases[i].s);
        ok(failures >= out.tries && failures <= out.tries + 4,
           "  each of them, and of %d questions, may fail", failures - out.tries);
        vec_release(&list);
        vec_push(&toolchains, t);
        toolchains_release(&toolchains);
    }
}

static int fail_later(void *of, const char *flags, struct arena *a, struct blame_try *out,
                      struct error *e)
{
    int *left = of;
    (void)flags, (void)a;
    *out = (struct blame_try){.bad = true, .messages = ""};
    return --*left < 0 ? error_set(e, ERROR_ENVIRONMENT, "no space left") : 0;
}

static int ask_nothing(void *of, const char *arguments, struct arena *a, const char **output,
                       struct error *e)
{
    (void)of, (void)arguments, (void)a, (void)e;
    *output = "  -ftree-vrp \t\t[enabled]\n";
    return 0;
}

/* An error of the probe ends it at once. */
static void test_errors(const char *root)
{
    toolchain_list toolchains = {0};
    struct toolchain t;
    testbed_list list = {0};
    const struct testbed *bed = testbed(root, "gcc", &t, &list);
    for (int left = 0; left < 2; left++) {
        int n = left;
        struct blame out;
        struct error e = {0};
        struct blame_probe probe = {&n, fail_later, ask_nothing};
        is_int(blame_pass(bed, "-O2", &probe, &arena, &out, &e), -1, "the %d. try fails", left + 1);
        is_str(e.message, "no space left", "  and says why");
    }
    vec_release(&list);
    vec_push(&toolchains, t);
    toolchains_release(&toolchains);
}

/* Rules that lead nowhere are told with the file. */
static void test_rules(void)
{
    static const struct {
        const char *rules, *said;
    } wrong[] = {
        {"limit = -limit={n}\n", "'limit' and 'pass' need each other"},
        {"limit = -limit\n", "lacks {n}"},
        {"pass = pass ([0-9]+)\n", "lacks two groups"},
        {"switch-list = -Q\n", "'switch-list' and 'switch-form' need each other"},
        {"pass-form = s/a/b/\n", "'pass-list' and 'pass-form' need each other"},
        {"counter-list = -l\ncounter-form = s/a/b/\n", "and 'count' need each other"},
        {"count = -c={name}\n", "lacks {n}"},
        {"counter-form = a\n", "is not of the form s/FROM/TO/"},
        {"switch-forms = s/a/b/\n", "switch-form"},
    };
    char path[] = "/tmp/assay-rules-XXXXXX";
    int fd = mkstemp(path);
    if (!ok(fd >= 0, "a file for rules"))
        return;
    close(fd);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct toolchain t;
        struct error e = {0};
        const char *text = arena_printf(&arena,
                                        "[toolchain]\nname = x\nlanguage = c\nfind = x\n"
                                        "compile = {cc} {src}\n[blame]\n%s",
                                        wrong[i].rules);
        fs_write(path, text, strlen(text), &e);
        is_int(toolchain_read(path, &arena, &t, &e), -1, "wrong rules %d", (int)i + 1);
        has_str(e.message, wrong[i].said, "  %s", wrong[i].said);
    }
    unlink(path);
}

/* -- versions ---------------------------------------------------------------------------------- */

struct history {
    const char *answers; /* of each version: 'b'ad, 'g'ood, '?', 'e'rror */
    int asked;
};

static int version_bad(void *of, int index, struct error *e)
{
    struct history *h = of;
    h->asked++;
    switch (h->answers[index]) {
    case 'b':
        return 1;
    case 'g':
        return 0;
    case '?':
        return -2;
    default:
        return error_set(e, ERROR_ENVIRONMENT, "gone");
    }
}

static const struct {
    const char *answers;
    int accused;
    struct blame_range range; /* last good, first bad; last bad, next good */
    int most;
} histories[] = {
    {"ggbb", 3, {1, 2, 3, -1}, 3},
    {"bbbb", 3, {-1, 0, 3, -1}, 3},
    {"gggb", 3, {2, 3, 3, -1}, 3},
    {"b", 0, {-1, 0, 0, -1}, 0},
    {"g?b?b", 4, {0, 2, 4, -1}, 4},
    {"gbgbb", 4, {2, 3, 4, -1}, 4}, /* it was there, went away and came back */
    {"????b", 4, {-1, 4, 4, -1}, 4},
    {"ggggggggggggbbbb", 15, {11, 12, 15, -1}, 5},
    {"bbbbbbbbbbbb", 11, {-1, 0, 11, -1}, 1},
    {"ggggggggggggb", 12, {11, 12, 12, -1}, 5},
    {"?ggggg?bbbbb", 11, {5, 7, 11, -1}, 8},
    {"gbbbbbbbbbbbbb", 13, {0, 1, 13, -1}, 5},
    {"gbbbg", 2, {0, 1, 3, 4}, 4}, /* it was mended since */
    {"gbb?g", 1, {0, 1, 2, 4}, 4},
    {"bbb", 0, {-1, 0, 2, -1}, 2},
    {"b??", 0, {-1, 0, 0, -1}, 2},
    {"bbbbbbbbbbbb", 0, {-1, 0, 11, -1}, 1},
    {"gbbbbbbbbbbbbg", 1, {0, 1, 12, 13}, 6},
    {"bggggggggggggg", 0, {-1, 0, 0, 1}, 5},
    {"bbbbbbb?gggg?", 0, {-1, 0, 6, 8}, 7},
};

static void test_versions(void)
{
    struct blame_version list[16];
    struct error e;
    struct blame_range found;
    for (size_t i = 0; i < sizeof histories / sizeof *histories; i++) {
        int n = (int)strlen(histories[i].answers);
        struct history h = {histories[i].answers, 0};
        for (int k = 0; k < n; k++)
            list[k] = (struct blame_version){"gcc", arena_printf(&arena, "%d.0", k), k};
        const struct blame_range *want = &histories[i].range;
        is_int(blame_versions(list, n, histories[i].accused, &h, version_bad, &found, &e), 0,
               "versions %s, the accused is %d", h.answers, histories[i].accused);
        is_int(found.first_bad, want->first_bad, "  the first bad one");
        is_int(found.last_good, want->last_good, "  the last good one");
        is_int(found.last_bad, want->last_bad, "  the last bad one");
        is_int(found.next_good, want->next_good, "  the next good one");
        ok(h.asked <= histories[i].most, "  in %d tries", h.asked);
    }
    struct history h = {"eeb", 0};
    is_int(blame_versions(list, 3, 2, &h, version_bad, &found, &e), -1, "an error is passed on");
    struct history many = {"eeeeeeeeeeeeeeeb", 0};
    for (int k = 0; k < 16; k++)
        list[k] = (struct blame_version){"gcc", arena_printf(&arena, "%d.0", k), k};
    is_int(blame_versions(list, 16, 15, &many, version_bad, &found, &e), -1,
           "  where there are many versions, too");
    is_int(many.asked, 1, "  at once");

    struct blame_version mixed[] = {{"gcc-12", "12.2.0", 0}, {"gcc-9", "9.4.0", 1},
                                    {"gcc-11", "11.3.0", 2}, {"gcc-4", "4.10.1", 3},
                                    {"gcc-3", "4.9.9", 4},   {"gcc-x", "", 5}};
    blame_sort_versions(mixed, 6);
    int wanted[] = {5, 4, 3, 1, 2, 0};
    for (int i = 0; i < 6; i++)
        is_int(mixed[i].index, wanted[i], "  version '%s'", mixed[i].version);
    struct blame_version nines[] = {
        {"a", "19.9.0", 0}, {"b", "19.10.0", 1}, {"c", "8.99.0", 2}, {"d", "9.98.0", 3}};
    blame_sort_versions(nines, 4);
    static const int sorted[] = {2, 3, 0, 1};
    for (int i = 0; i < 4; i++)
        is_int(nines[i].index, sorted[i], "  version '%s'", nines[i].version);
    /* The callback is asked by the caller's index, not by the place in the list. */
    struct history named = {"bgbgg?", 0};
    is_int(blame_versions(mixed, 6, 5, &named, version_bad, &found, &e), 0,
           "by the caller's index");
    is_str(mixed[found.first_bad].version, "11.3.0", "  the first bad one");
    is_str(mixed[found.last_good].version, "9.4.0", "  the last good one");
}

int main(int argc, char **argv)
{
    const char *root = argc > 1 ? argv[1] : ".";
    arena_init(&arena);
    test_cases(root);
    test_errors(root);
    test_rules();
    test_versions();
    arena_release(&arena);
    return tap_done();
}
