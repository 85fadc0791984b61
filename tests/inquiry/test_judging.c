/* One program on all testbeds: how what they did is judged, and the test around that. */
#include "base/fs.h"
#include "base/map.h"
#include "inquiry/test.h"
#include "inquiry/scripted.h"
#include "program/trace.h"
#include "tap.h"
#include "testbed/flags.h"

enum { MOST = 8 };

static struct arena arena;

/* -- judging ----------------------------------------------------------------------------------- */

/* A testbed is what is special about it, then `=` and what its program prints, or in place of that
 * `h` for an endless run and `s` for one that was skipped:
 *   r a reference  f a filter  ~ its numbers may differ by a thousandth  i the exit status does not
 *   count  m of another model  k of another toolchain  b it only builds  t it traces, and saw what
 * was announced; and behind the output /1: exit status 1. The verdict of each: as in tests/oracle;
 * then the groups, by the letter of the first. */
static const struct {
    const char *what, *testbeds, *expected, *verdicts, *groups;
} cases[] = {
    {"equal", "=1.0 =1.0 =1.0", NULL, "...", "aaa"},
    {"as it stands there", "=1.0 =1.0005 =1.0", NULL, ".w.", "aba"},
    {"within a thousandth", "~=1.0 ~=1.0005 ~=1.0", NULL, "...", "aaa"},
    {"  of which one knows", "=1.0 ~=1.0005 =1.0", NULL, "...", "aaa"},
    {"  beyond it", "~=1.0 ~=1.0015 ~=1.0", NULL, ".w.", "aba"},
    {"  from the first", "~=1.0005 ~=1.0 ~=1.0012 ~=1.0", NULL, "....", "aaaa"},
    {"filters judge others", "f=9 =1 =2 =1", NULL, "..w.", "-bcb"},
    {"  and their numbers are no matter", "f~=1.0 =1.0 =1.0005 =1.0", NULL, "..w.", "-bcb"},
    {"  at either end", "=1 =1 =2 f=2", NULL, "..w.", "aac-"},
    {"an exit status is a part of it", "=1 =1 =1/1", NULL, "..w", "aac"},
    {"  beside numbers", "~=1.0 ~=1.0 ~=1.0005/1", NULL, "..w", "aac"},
    {"  of which two are alike", "~=1.0/1 ~=1.0005/1 ~=1.0", NULL, "..w", "aac"},
    {"  where it counts", "i=1 =1 i=1/1", NULL, "...", "aaa"},
    {"  and where numbers do, too", "i~=1.0 i~=1.0 i~=1.0005/1", NULL, "...", "aaa"},
    {"known", "~=1.0 =2.0", "2.0", "w.", "ab"},
    {"  within a thousandth", "~=1.0005 ~=1.0 =1.1", "1.0", "..w", "aac"},
    {"  but not with another status", "~=1.0/1 ~=1.0005", "1.0", "w.", "ab"},
    {"what nobody prints is suspect", "=2 k=2 =2 =2", "1", "s...", "aaaa"},
    {"  where there are two toolchains", "=2 =2 =2", "1", "www", "aaa"},
    {"  by the references", "=1 r=2 rk=2 r=2", "1", ".s..", "abbb"},
    {"models by themselves", "~=1.0 m~=2.0 ~=1.0005 m~=2.001", NULL, "....", "abab"},
    {"  also where one differs", "=1 m=2 =1 m=3 =1 m=2 m=2", NULL, "...w...", "abadabb"},
    {"references", "r=1 r=1 =2 =2 =2", NULL, "..www", "aaccc"},
    {"who only builds has no output", "b= =1 =1 =2", NULL, "...w", "-bbd"},
    {"  unless nobody runs anything", "b=x b=x b=y", NULL, "..w", "aac"},
    {"  or filters alone do", "b=x b=x b=y f=1", NULL, "..w.", "aac-"},
    {"skipped", "s =1 =1 =2", NULL, "...w", "-bbd"},
    {"endless", "=1 =1 h", NULL, "..h", "aac"},
    {"traced", "=1 =1 t=1 t=2", NULL, "...w", "aaad"},
    {"  beside numbers", "~=1.0 ~=1.0 t~=1.0005 t~=2.0", NULL, "...w", "aaad"},
};

static const char announced[] =
    "/* t\n * volatile: 2 accesses, hash 12345678, of g_1\n */\nint x;\n";
static const char summary[] = "volatile: 2 accesses, hash 12345678\n";

static int parse(const char *text, struct testbed *beds, struct observation *o)
{
    char **words;
    int n = text_split(&arena, text, &words);
    for (int i = 0; i < n; i++) {
        const char *w = words[i], *equals = strchr(w, '='), *slash = strchr(w, '/');
        size_t kinds = equals ? (size_t)(equals - w) : strlen(w);
#define IS(letter) (memchr(w, letter, kinds) != NULL)
        beds[i] = (struct testbed){.name = w,
                                   .model = IS('m') ? "ilp32" : "lp64",
                                   .toolchain = IS('k') ? "clang" : "gcc",
                                   .reference = IS('r'),
                                   .filter = IS('f'),
                                   .traces = IS('t'),
                                   .ignore_status = IS('i'),
                                   .tolerance = IS('~') ? 1e-3 : 0,
                                   .run = IS('b') ? NULL : "{exe}",
                                   .limits.run.cpu_ms = 10};
        o[i] = (struct observation){.outcome = IS('h')   ? OUTCOME_RUN_TIMEOUT
                                               : IS('s') ? OUTCOME_SKIPPED
                                                         : OUTCOME_OK,
                                    .messages = "",
                                    .detail = "",
                                    .flags = "",
                                    .run.cpu_us = 1000,
                                    .output = {"", 0}};
        if (equals) {
            size_t size = slash ? (size_t)(slash - equals - 1) : strlen(equals + 1);
            const char *printed = arena_printf(&arena, "%.*s\n", (int)size, equals + 1);
            o[i].exit_status = slash != NULL;
            o[i].output = bytes_of(arena_printf(&arena, "%s%s", printed, IS('t') ? summary : ""));
            observation_hash(IS('i') ? 0 : o[i].exit_status, bytes_of(printed), o[i].output_hash);
        }
#undef IS
    }
    return n;
}

static void test_cases(void)
{
    static const char letters[ANOMALY_COUNT + 1] = ".cHfxhwvSMdmaps";
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct testbed beds[MOST];
        struct observation o[MOST];
        struct verdict v[MOST];
        int groups[MOST];
        char verdicts[MOST + 1] = "", grouped[MOST + 1] = "";
        struct program_file file = {"t.c", announced, sizeof announced - 1};
        struct program p = {.language = "c", .files = &file, .n_files = 1};
        int n = parse(cases[i].testbeds, beds, o);
        if (cases[i].expected)
            p.expected = bytes_of(arena_printf(&arena, "%s\n", cases[i].expected));
        const struct test_setup s = {beds, n, oracle_defaults, false, false};
        test_judge(&s, &p, o, &arena, v);
        test_groups(&s, &p, o, &arena, groups);
        for (int k = 0; k < n; k++) {
            verdicts[k] = letters[v[k].anomaly];
            grouped[k] = (char)(groups[k] < 0 ? '-' : 'a' + groups[k]);
        }
        is_str(verdicts, cases[i].verdicts, "%s: %s", cases[i].what, cases[i].testbeds);
        is_str(grouped, cases[i].groups, "  in groups");
    }
}

/* -- the test ---------------------------------------------------------------------------------- */

static struct pattern suspicious = {.text = "suspicious"};

/* One letter for each testbed: o ran, b was only built, - was skipped, f c x h as it failed. */
static const struct {
    const char *what, *script, *testbeds, *expected, *outcomes, *verdicts;
    bool build_only;
    const char *detail; /* of the last one */
} tests[] = {
    {"all agree", "[ $1 = build ] || echo 1", "one two three", NULL, "ooo", "...", false, "exit 0"},
    {"one is wrong", "[ $1 = build ] || { [ $2 = two ] && echo 2 || echo 1; }", "one two three",
     NULL, "ooo", ".w.", false, "exit 0"},
    {"  which is known", "[ $1 = build ] || echo 1", "one two f:filter", "2\n", "oo-", "ww.", false,
     ""},
    {"a filter has nothing against it", "[ $1 = build ] || { [ $2 = two ] && echo 2 || echo 1; }",
     "one two three f:filter", NULL, "ooo-", ".w..", false, "clean"},
    {"  or it has", "case $1$2 in runfilter) kill -SEGV $$;; runtwo) echo 2;; run*) echo 1;; esac",
     "one two three f:filter", NULL, "bbbx", "....", true, "SIGSEGV"},
    {"  or it does not end",
     "case $1$2 in runfilter) while :; do :; done;; runtwo) echo 2;; run*) echo 1;; esac",
     "one two three f:filter", NULL, "bbbh", "....", true, NULL},
    {"  which it may", "case $1$2 in runfilter) while :; do :; done;; run*) echo 1;; esac",
     "one two f?:filter", NULL, "oo-", "...", false, NULL},
    {"  or cannot build it", "case $1$2 in buildfilter) exit 1;; run*) echo 1;; esac",
     "one two f:filter", NULL, "oo-", "...", false, "build-fail"},
    {"two of two do not end", "case $1$2 in run*) while :; do :; done;; esac", "one two three",
     NULL, "hh-", "...", false, "exit 0"},
    {"  one of two does", "case $1$2 in runone|runthree) while :; do :; done;; run*) echo 1;; esac",
     "one two three four", NULL, "hoho", "....", false, "exit 0"},
    {"  of those that may not be slow",
     "case $1$2 in runthree) echo 1;; run*) while :; do :; done;; esac", "?:one two three", NULL,
     "hho", "...", false, "exit 0"},
    {"  who knows its end goes on",
     "case $1$2 in runthree) echo 1;; run*) while :; do :; done;; esac", "one two three", "1\n",
     "hho", "hh.", false, "exit 0"},
    {"one that votes warns",
     "case $1$2 in buildtwo) echo suspicious >&2;; runone) kill -SEGV $$;; run*) echo $2;; esac",
     "one two three", NULL, "bbb", "...", true, "exit 0"},
    {"  the last one", "case $1$2 in buildtwo) echo suspicious >&2;; run*) echo $2;; esac",
     "one two", NULL, "bb", "..", true, "suspect: suspicious"},
    {"  one that does not vote", "case $1$2 in buildtwo) echo suspicious >&2;; run*) echo 1;; esac",
     "r:one two r:three", NULL, "ooo", "...", false, "exit 0"},
    {"  where the output is known",
     "case $1$2 in buildtwo) echo suspicious >&2;; run*) echo 1;; esac", "one two", "2\n", "oo",
     "ww", false, "exit 0"},
    {"  one that rejects it, too",
     "case $1$2 in buildone) exit 1;; buildtwo) echo suspicious >&2;; run*) echo 1;; esac",
     "one two three", NULL, "fbb", "f..", true, "exit 0"},
    {"  one that only runs was asked before",
     "case $1$2 in buildtwo) echo suspicious >&2;; run*) echo 1;; esac", "n:one two three", NULL,
     "-bb", "...", true, "exit 0"},
};

static char outcome_letter(const struct observation *o)
{
    char letter = "ofcHxh-"[o->outcome];
    return letter == 'o' && !o->output.size ? 'b' : letter;
}

static void test_tries(struct runner *r)
{
    static const char letters[ANOMALY_COUNT + 1] = ".cHfxhwvSMdmaps";
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
        struct testbed beds[MOST];
        struct observation o[MOST];
        struct verdict v[MOST];
        struct program_file file;
        struct error e = {0};
        struct program p = scripted_program(&file, tests[i].script);
        char outcomes[MOST + 1] = "", verdicts[MOST + 1] = "";
        int n = scripted_testbeds(&arena, tests[i].testbeds, beds, &suspicious);
        const struct test_setup s = {beds, n, oracle_defaults, false, false};
        if (tests[i].expected)
            p.expected = bytes_of(tests[i].expected);
        is_int(test_try(&s, r, &p, &arena, o, v, &e), 0, "%s", tests[i].what);
        for (int k = 0; k < n; k++) {
            outcomes[k] = outcome_letter(&o[k]);
            verdicts[k] = letters[v[k].anomaly];
            ok(o[k].outcome != OUTCOME_OK || tests[i].build_only == !o[k].output.size,
               "  %s: printed '%s'", beds[k].name, o[k].output.data);
            ok(!tests[i].build_only || o[k].outcome != OUTCOME_OK ||
                   (!o[k].signal && !o[k].exit_status && !o[k].output_size),
               "  and how it ended");
        }
        is_str(outcomes, tests[i].outcomes, "  what they did");
        is_str(verdicts, tests[i].verdicts, "  what that means");
        is_int(p.build_only, tests[i].build_only, "  whether it may be run");
        if (tests[i].detail)
            is_str(o[n - 1].detail, tests[i].detail, "  what is told: %s", tests[i].detail);
    }
}

/* Those that forget what they ran have no output to compare, and have it to compare with others. */
static void test_forgotten(struct runner *r)
{
    struct testbed beds[MOST];
    struct observation o[MOST];
    struct verdict v[MOST];
    struct program_file file;
    struct error e = {0};
    struct program p =
        scripted_program(&file, "case $1$2 in buildtwo) echo suspicious >&2;; run*) echo 1;; esac");
    int n = scripted_testbeds(&arena, "n:one two three", beds, &suspicious);
    const struct test_setup s = {beds, n, oracle_defaults, false, false};
    is_int(test_try(&s, r, &p, &arena, o, v, &e), 0, "a warning behind one that only runs");
    is_str(o[0].messages, "the program must not be run", "  says why it has no say");
    is_str(o[0].output_hash, "", "  and has no output");
    is_str(o[1].detail, "suspect: suspicious", "  who warned says so");
    is_str(o[1].output_hash, o[2].output_hash, "  what was forgotten is what was never run");
    p = scripted_program(&file, "case $1$2 in runfilter) exit 3;; buildfilter) exit 1;; esac");
    n = scripted_testbeds(&arena, "f:filter", beds, &suspicious);
    ok(!runner_load(r, &p, &e), "another program");
    is_int(test_filter(r, &p, beds, &arena, o, &e), 1, "a filter that cannot build it has no say");
    has_str(o->messages, "the filter does not build it: ", "  says why");
    p.build_only = true;
    is_int(test_filter(r, &p, beds, &arena, o, &e), 1, "nor has it of what is not run");
    is_str(o->messages, "the program is not run", "  says why");
    p.expected = bytes_of("");
    p.build_only = false;
    is_int(test_filter(r, &p, beds, &arena, o, &e), 1, "nor of what is known");
    is_str(o->messages, "its output is known", "  says why");
    ok(o->outcome == OUTCOME_SKIPPED && !o->output.size && !*o->output_hash, "  and has none");
}

static void test_suspects(void)
{
    static const struct {
        const char *testbeds;
        unsigned warned; /* bits of those that did */
        int n, suspect;
    } all[] = {
        {"one two three", 0, 3, -1},   {"one two three", 4, 3, 2},    {"one two three", 6, 3, 1},
        {"one two three", 4, 2, -1},   {"r:one two three", 6, 3, -1}, {"one two r:three", 5, 3, 2},
        {"f:one two three", 1, 3, -1}, {"r:one two three", 1, 1, 0},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct testbed beds[MOST];
        struct observation o[MOST] = {0};
        int n = scripted_testbeds(&arena, all[i].testbeds, beds, NULL);
        for (int k = 0; k < n; k++)
            o[k].suspect = all[i].warned >> k & 1 ? "x" : NULL;
        const struct test_setup s = {beds, n, oracle_defaults, false, false};
        is_int(test_suspect(&s, o, all[i].n), all[i].suspect, "who warns among the first %d of %s",
               all[i].n, all[i].testbeds);
    }
}

/* -- once more --------------------------------------------------------------------------------- */

static struct observation as_if(const char *output)
{
    struct observation o = {.outcome = OUTCOME_OK,
                            .output = bytes_of(output),
                            .messages = "",
                            .detail = "as it was",
                            .flags = ""};
    observation_hash(0, o.output, o.output_hash);
    return o;
}

static int again(struct runner *r, const char *script, const char *testbeds, struct verdict was,
                 int index, const char *outputs, struct observation *o)
{
    struct testbed beds[MOST];
    struct program_file file;
    struct error e = {0};
    struct program p = scripted_program(&file, script);
    int n = scripted_testbeds(&arena, testbeds, beds, &suspicious);
    const struct test_setup s = {beds, n, oracle_defaults, false, false};
    char **words;
    text_split(&arena, outputs, &words);
    for (int i = 0; i < n; i++) {
        o[i] = as_if(arena_printf(&arena, "%s\n", words[i]));
        if (beds[i].random)
            o[i].flags = "drawn";
    }
    if (runner_load(r, &p, &e))
        return -1;
    return test_again(&s, r, &p, &was, index, &arena, o, &e);
}

static void test_once_more(struct runner *r)
{
    const struct verdict wrong = {ANOMALY_WRONG_OUTPUT, EVIDENCE_VOTE, 1, false};
    const struct verdict differ = {ANOMALY_DISAGREEMENT, EVIDENCE_VOTE, 0.5, true};
    struct observation o[MOST];
    is_int(again(r, "echo 2", "one two three", wrong, 1, "1 2 1", o), 1, "wrong again");
    is_str(o[0].detail, "as it was", "  the others are not asked");
    is_str(o[1].detail, "exit 0", "  it is");
    is_int(again(r, "echo 3", "one two three", wrong, 1, "1 2 1", o), 0, "wrong in another way");
    is_int(again(r, "echo 1", "one two three", wrong, 1, "1 2 1", o), 0, "right now");
    is_int(again(r, "exit 1", "one two three", wrong, 1, "1 2 1", o), 0, "not built now");
    is_int(again(r, "[ $1 = build ] || echo $2", "one two", differ, 0, "one two", o), 1,
           "they differ again");
    is_str(o[1].detail, "exit 0", "  all of them were asked");
    is_int(again(r, "echo 1", "one two", differ, 0, "one two", o), 0, "  or do not");
    is_int(again(r, "echo $2", "one two m:three f:four", differ, 0, "one two x x", o), 1,
           "they differ again among others");
    ok(!strcmp(o[2].detail, "as it was") && !strcmp(o[3].detail, "as it was"),
       "  those of other models and filters are not asked");
    is_int(again(r, "[ $2 = drawn ] && echo 2", "one d:two three", wrong, 1, "1 2 1", o), 1,
           "with the flags that were drawn");
}

static int others(struct runner *r, const char *script, const char *testbeds, struct verdict was,
                  int64_t *cpu_us)
{
    struct testbed beds[MOST];
    struct observation o[MOST];
    struct program_file file;
    struct error e = {0};
    struct program p = scripted_program(&file, script);
    int n = scripted_testbeds(&arena, testbeds, beds, &suspicious);
    const struct test_setup s = {beds, n, oracle_defaults, false, false};
    for (int i = 0; i < n; i++) {
        o[i] = as_if("1\n");
        o[i].flags = "drawn";
    }
    if (runner_load(r, &p, &e))
        return -1;
    return test_other_inputs(&s, r, &p, &was, 0, o, &arena, cpu_us, &e);
}

static void test_inputs(struct runner *r)
{
    static const char always[] = "[ $1 = build ] || { [ $2 = bad ] && echo 2 || echo 1; }",
                      never[] = "[ $1 = build ] || echo 1", all[] = "+:bad +:one +:two",
                      crash[] = "[ $1$2$3 = runbadother ] && kill -SEGV $$; echo 1",
                      drawn[] = "[ $1 = build ] || { [ $2 = drawn ] && echo 2 || echo 1; }";
    const struct verdict wrong = {ANOMALY_WRONG_OUTPUT, EVIDENCE_VOTE, 1, false};
    const struct verdict crashes = {ANOMALY_RUN_CRASH, EVIDENCE_VOTE, 1, false};
    const struct verdict known = {ANOMALY_WRONG_OUTPUT, EVIDENCE_EXPECTED, 1, false};
    const struct verdict rejects = {ANOMALY_BUILD_FAIL, EVIDENCE_VOTE, 1, false};
    int64_t cpu_us = 5;
    is_int(others(r, always, all, wrong, &cpu_us), 1, "wrong with other inputs, too");
    ok(cpu_us > 5, "  which has its price");
    is_int(others(r, never, all, wrong, NULL), 0, "with these alone");
    is_int(others(r, crash, all, crashes, NULL), 1, "a crash, too");
    is_int(others(r, never, all, crashes, NULL), 0, "  with these alone");
    is_int(others(r, never, "bad +:one +:two", wrong, NULL), 1, "there are no others");
    is_int(others(r, never, all, known, NULL), 1, "it is known what it prints");
    is_int(others(r, never, all, rejects, NULL), 1, "it does not run");
    is_int(others(r, never, "+:bad +:one two", wrong, NULL), 1, "one other is no majority");
    is_int(others(r, never, "+:bad +:one +m:two", wrong, NULL), 1, "  nor is one of another model");
    is_int(others(r, never, "+:bad +:one +f:two", wrong, NULL), 1, "  nor is a filter");
    is_int(others(r, drawn, "+d:bad +:one +:two", wrong, NULL), 1,
           "with the flags that were drawn");
    is_int(others(r, "exit 1", all, wrong, NULL), 0, "none of them builds it now");
}

/* -- drawing ----------------------------------------------------------------------------------- */

static void test_draws(void)
{
    static const char *levels[] = {"-O1", "-O2", "-O3"};
    static const char *switches[] = {"-f[|no-]a", "-f[|no-]b", "-f[|no-]c", "-f[|no-]d"};
    const struct flag_space space = {.levels = {levels, 3}, .switches = {switches, 4}};
    struct testbed beds[] = {
        {.name = "one", .flags = "random", .random = true, .space = &space},
        {.name = "two", .flags = "random", .random = true, .space = &space},
        {.name = "three", .flags = "-O9"},
    };
    const struct test_setup s = {beds, 3, oracle_defaults, false, false};
    int unlike = 0, changed = 0;
    for (uint64_t seed = 0; seed < 20; seed++) {
        const struct testbed *x = test_draw(&s, seed, &arena), *y = test_draw(&s, seed, &arena);
        ok(!strcmp(x[0].flags, y[0].flags) && !strcmp(x[1].flags, y[1].flags),
           "seed %d: %s, each time", (int)seed, x[0].flags);
        unlike += strcmp(x[0].flags, x[1].flags) != 0;
        changed += strcmp(x[0].flags, test_draw(&s, seed + 1, &arena)[0].flags) != 0;
        ok(!strcmp(x[2].flags, "-O9") && !strcmp(beds[0].flags, "random"), "  nothing else");
        ok(!strncmp(x[0].flags, "-O", 2) && !strcmp(x[1].name, "two"), "  for each its own");
    }
    ok(unlike > 10 && changed > 10, "by testbed (%d of 20) and by seed (%d of 20)", unlike,
       changed);
    is_int(test_find(beds, 3, "two"), 1, "by its name");
    is_int(test_find(beds, 3, "four"), -1, "  or none");
    is_int(test_find(beds, 2, "three"), -1, "  of the first two");
}

int main(void)
{
    struct runner r;
    struct error e = {0};
    const struct test_setup inside = {.sandbox_all = true}, outside = {.sandbox_none = true};
    arena_init(&arena);
    regcomp(&suspicious.regex, suspicious.text, REG_EXTENDED);
    test_cases();
    test_suspects();
    test_draws();
    if (!ok(!test_runner_init(&inside, &r, &e) && r.sandbox_all && !r.sandbox_none, "a runner"))
        return tap_done();
    runner_release(&r);
    if (!ok(!test_runner_init(&outside, &r, &e) && !r.sandbox_all && r.sandbox_none, "another"))
        return tap_done();
    test_tries(&r);
    test_forgotten(&r);
    test_once_more(&r);
    test_inputs(&r);
    runner_release(&r);
    regfree(&suspicious.regex);
    arena_release(&arena);
    return tap_done();
}
