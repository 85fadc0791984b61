/* The oracle by tables. One line per case: testbeds as letters with their outcomes, then the
 * verdicts that must come out.
 *
 *   testbed  [r]OUTCOME[OUTPUT][@model][+|-|~|b][*] r: a reference; OUTPUT: one letter for what it
 * printed; *: of another toolchain;
 *            +: it traces, and saw what the program claims; -: it saw something else;
 *            ~: it may run out of time; b: it only builds
 *   OUTCOME  o ok, f build-fail, c build-crash, t build-timeout, x run-crash, h run-timeout,
 *            X run-crash of a server, s skipped
 *   verdict  . agrees, c crash, H build-hang, f build-fail, x run-crash, h run-hang, w wrong,
 *            v wrong-volatile, d disagreement, s suspect */
#include "oracle/oracle.h"
#include "base/arena.h"
#include "base/choice.h"
#include "tap.h"

#include <string.h>

enum { MOST = 16 };

static const struct {
    const char *name, *testbeds;
    char expected; /* 0, or the output that is known to be right */
    const char *verdicts;
} cases[] = {
    {"all agree", "oa oa oa", 0, "..."},
    {"one of three is wrong", "oa ob oa", 0, ".w."},
    {"two thirds of six", "oa oa oa oa ob oc", 0, "....ww"},
    {"one less than two thirds decides nothing", "oa oa oa ob ob ob", 0, "d....."},
    {"two testbeds that differ", "oa ob", 0, "d."},
    {"one testbed alone", "oa", 0, "."},
    {"one alone may still crash", "c", 0, "c"},
    {"a crash needs no vote", "c f f", 0, "c.."},
    {"nor does a hang of the compiler", "oa t oa", 0, ".H."},
    {"a build failure that the others do not share", "oa oa f", 0, "..f"},
    {"one that most share is no anomaly", "oa f f", 0, "..."},
    {"a run-time crash", "oa oa x", 0, "..x"},
    {"a crash everywhere is the program's fault", "x x x", 0, "..."},
    {"an endless run", "oa oa h", 0, "..h"},
    {"endless everywhere", "h h s", 0, "..."},
    {"majority ran, but printed different things: crashes are judged, outputs are not",
     "oa oa ob ob x f", 0, "d...xf"},
    {"five ran of six, three alike: failure judged, no output wins", "oa oa oa ob ob f", 0,
     "d....f"},
    {"references decide alone", "roa roa ob ob ob", 0, "..www"},
    {"small compilers that all reject do not outvote them", "roa roa roa roa f f f x", 0,
     "....fffx"},
    {"a reference can be wrong", "roa roa rob roa", 0, "..w."},
    {"references that differ", "roa rob oa", 0, "d.."},
    {"skipped ones do not vote", "oa oa s s s s", 0, "......"},
    {"skipped references leave the vote to the rest", "rs rs oa oa ob", 0, "....w"},
    {"models are compared among themselves", "roa roa rob@m rob@m rof@m", 0, "....w"},
    {"each model has its own disagreement", "roa rob roa@m rob@m", 0, "d.d."},
    {"a model without references votes by all", "roa roa ob@m ob@m oc@m", 0, "....w"},
    {"expected output beats the vote", "oa oa oa", 'b', "www"},
    {"expected output and one that has it", "oa ob oa", 'b', "w.w"},
    {"one testbed alone is enough with it", "oa", 'b', "w"},
    {"failures are anomalies by themselves with it", "f x h", 'b', "fxh"},
    {"and a crash stays a crash", "c t oa", 'a', "cH."},
    {"a trace that is right", "roa roa oa+", 0, "..."},
    {"a trace that is wrong", "roa roa oa-", 0, "..v"},
    {"the program's claim needs no others", "oa-", 0, "v"},
    {"an output that is known, a trace that is wrong", "oa- oa+", 'a', "v."},
    {"a wrong output weighs more than a wrong trace", "roa roa ob- ob+", 0, "..ww"},
    {"also where the output is known", "ob-", 'a', "w"},
    {"testbeds that trace do not vote", "oa ob ob+ ob+ ob+", 0, "d...."},
    {"nor as references", "roa roa rob+ rob+ rob+ rob+ rob+", 0, "..wwwww"},
    {"nor where there is nobody else", "oa+ ob+ oc+", 0, "..."},
    {"a disagreement is not told at one of them", "oa+ oa ob", 0, ".d."},
    {"nor at one that was skipped", "s oa ob s", 0, ".d.."},
    {"they may be slow", "roa roa h+", 0, "..."},
    {"even where the output is known", "h+ h", 'a', ".h"},
    {"but not crash", "roa roa x+ f+ c+ t+", 0, "..xfcH"},
    {"skipped ones say nothing", "roa roa s-", 0, "..."},
    {"two of three agree", "roa rob roa", 0, ".w."},
    {"two of three agree, the third rejects", "roa rf roa", 0, ".f."},
    {"three that all differ", "roa rob roc", 0, "d.."},
    {"one of three has no opinion, the others agree", "roa rs roa", 0, "..."},
    {"one of three has no opinion, the others differ", "roa rs rob", 0, "d.."},
    {"two of three have no opinion", "rs roa rs", 0, "..."},
    {"four of six agree, two are wrong alike", "roa rob roa roa rob roa", 0, ".w..w."},
    {"five of six agree", "roa roa roa rob roa roa", 0, "...w.."},
    {"three of six against three", "roa roa roa rob rob rob", 0, "d....."},
    {"four of five with an opinion", "roa roa roa rob roa rs", 0, "...w.."},
    {"a server that dies needs no vote", "rX rs roa", 0, "x.."},
    {"a client that crashes does", "rx rs roa", 0, "..."},
    {"a solver may run out of time", "roa~ roa~ rh~", 0, "..."},
    {"and then has no vote", "roa~ rob~ roa~ rh~ rh~ rh~", 0, ".w...."},
    {"others must not", "roa~ roa~ h", 0, "..h"},
    {"even where the answer is known", "h~ oa~ ob~", 'a', "..w"},
    {"it may crash no more than others", "roa~ roa~ x~ f~ c~", 0, "..xfc"},
    {"who only builds prints nothing wrong", "oa oa ozb", 0, "..."},
    {"also where the output is known", "oa ozb", 'a', ".."},
    {"but may reject what others run", "oa oa fb", 0, "..f"},
    {"or crash", "oa oa cb", 0, "..c"},
    {"it does not outvote them", "oa oa ob ozb ozb ozb ozb", 0, "..w...."},
    {"and is no disagreement", "oa ozb", 0, ".."},
    {"nor does it keep them from a majority by rejecting", "oa oa oa ob fb fb fb", 0, "...wfff"},
    {"what all others print", "ob ob* ob", 'a', "s.."},
    {"all but one", "oa ob ob* ob", 'a', ".s.."},
    {"or that one prints something else", "ob ob* ob oc*", 'a', "s..."},
    {"all but two", "oa oa* ob ob* ob", 'a', "..www"},
    {"two are too few", "ob ob*", 'a', "ww"},
    {"two against one are, too", "oa ob ob*", 'a', ".ww"},
    {"so is one toolchain", "ob ob ob", 'a', "www"},
    {"the one beside it does not count", "ob ob ob oa*", 'a', "www."},
    {"not the same wrong output", "ob ob* oc oc*", 'a', "wwww"},
    {"what the references print", "oa oa* rob rob* rob", 'a', "..s.."},
    {"not what the others do", "ob ob* ob roa roa*", 'a', "www.."},
    {"nobody is blamed then", "rob rob* rob oc x h f", 'a', "s......"},
    {"but who is wrong by itself", "rob rob* rob c", 'a', "s..c"},
    {"compilers that crash doubt nothing", "c c* c", 'a', "ccc"},
    {"all reject it", "f f* f", 'a', "s.."},
    {"all crash", "x x* x x", 'a', "s..."},
    {"all but one crash", "x oa x* x", 'a', "s..."},
    {"each model by itself", "ob ob* ob ob@m ob@m* oa@m", 'a', "s..ww."},
    {"traces do not vote", "ob+ ob+* ob+ oa", 'a', "www."},
    {"without an expected output there is none", "ob ob* ob", 0, "..."},
};

static struct observation observe(const char **at)
{
    static const char letters[] = "ofctxhsX";
    static const enum outcome outcomes[] = {
        OUTCOME_OK,        OUTCOME_BUILD_FAIL,  OUTCOME_BUILD_CRASH, OUTCOME_BUILD_TIMEOUT,
        OUTCOME_RUN_CRASH, OUTCOME_RUN_TIMEOUT, OUTCOME_SKIPPED,     OUTCOME_RUN_CRASH};
    struct observation o = {.outcome = outcomes[strchr(letters, **at) - letters],
                            .server_died = **at == 'X'};
    (*at)++;
    if (o.outcome == OUTCOME_OK)
        o.output_hash[0] = *(*at)++;
    o.run.cpu_us = 1000;
    return o;
}

static int parse(const char *text, struct observation *observations, struct oracle_input *inputs)
{
    int n = 0;
    for (const char *at = text; *at;) {
        struct oracle_input in = {.model = "lp64", .toolchain = "one", .run_limit_us = 5000000};
        if (*at == 'r') {
            in.reference = true;
            at++;
        }
        observations[n] = observe(&at);
        in.observation = &observations[n];
        if (*at == '@') {
            in.model = "m";
            at += 2;
        }
        observations[n].output = bytes_of("x\nvolatile: 2 accesses, hash 12345678\n");
        if (*at == '+')
            in.trace = "volatile: 2 accesses, hash 12345678";
        if (*at == '-')
            in.trace = "volatile: 2 accesses, hash 1234567";
        in.may_time_out = *at == '~';
        in.only_builds = *at == 'b';
        at += *at == '+' || *at == '-' || *at == '~' || *at == 'b';
        if (*at == '*') {
            in.toolchain = "another";
            at++;
        }
        inputs[n++] = in;
        at += *at == ' ';
    }
    return n;
}

static void test_cases(void)
{
    static const char letters[ANOMALY_COUNT + 1] = ".cHfxhwvSMdmaps";
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct observation observations[MOST];
        struct oracle_input inputs[MOST];
        struct verdict verdicts[MOST];
        char got[MOST + 1] = "", expected[2] = {cases[i].expected, 0};
        int n = parse(cases[i].testbeds, observations, inputs);
        oracle_judge(&oracle_defaults, cases[i].expected ? expected : NULL, inputs, n, verdicts);
        for (int k = 0; k < n; k++)
            got[k] = letters[verdicts[k].anomaly];
        is_str(got, cases[i].verdicts, "%s", cases[i].name);
    }
}

static void test_evidence(void)
{
    struct observation o[MOST];
    struct oracle_input in[MOST];
    struct verdict v[MOST];
    int n = parse("oa oa oa ob c f", o, in);
    struct oracle_config half = oracle_defaults;
    half.majority = 0.5;
    oracle_judge(&half, NULL, in, n, v);
    ok(v[3].anomaly == ANOMALY_WRONG_OUTPUT && v[3].evidence == EVIDENCE_VOTE &&
           v[3].confidence == 0.5,
       "with a majority of one half, three of six win: confidence 0.5");
    ok(v[4].evidence == EVIDENCE_SELF && v[4].confidence == 1, "a crash is sure");
    ok(v[5].confidence > 0.66 && v[5].confidence < 0.67, "four of six ran it");
    oracle_judge(&half, "b", in, n, v);
    ok(v[0].evidence == EVIDENCE_EXPECTED && v[0].confidence == 1 && !v[3].anomaly,
       "expected output is sure");
    static const int quorums[] = {2, 2, 2, 2, 3, 4, 4, 5, 6, 6, 7};
    for (int k = 1; k <= 10; k++)
        is_int(oracle_quorum(&oracle_defaults, k), quorums[k], "two thirds of %d", k);
    n = parse("rob rob* rob", o, in);
    oracle_judge(&oracle_defaults, "a", in, n, v);
    ok(v[0].of_group && v[0].evidence == EVIDENCE_VOTE && v[0].confidence == 0.5,
       "what is suspect is of the group, and not sure");
    n = parse("roa rob", o, in);
    oracle_judge(&oracle_defaults, NULL, in, n, v);
    ok(v[0].of_group, "a disagreement is of the group");
}

/* Each with the letter of the first that did the same. */
static void test_groups(void)
{
    static const struct {
        const char *testbeds, *groups;
    } all[] = {
        {"oa", "a"},          {"roa ob", "ab"},   {"oa ob oa ob", "abab"}, {"oa oa@m ob@m", "abc"},
        {"oa f f x", "abbd"}, {"oa s ob", "a-c"}, {"oa h h", "abb"},       {"oa h~ h+", "a--"},
        {"oa ozb fb", "a-c"},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct observation o[MOST];
        struct oracle_input in[MOST];
        int groups[MOST], n = parse(all[i].testbeds, o, in);
        char got[MOST + 1] = "";
        oracle_groups(&oracle_defaults, in, n, groups);
        for (int k = 0; k < n; k++)
            got[k] = (char)(groups[k] < 0 ? '-' : 'a' + groups[k]);
        is_str(got, all[i].groups, "who did the same: %s", all[i].testbeds);
    }
    struct observation o[MOST];
    struct oracle_input in[MOST];
    int groups[MOST], n = parse("oa h", o, in);
    o[0].run.cpu_us = 3000000; /* of a limit of 5 seconds */
    oracle_groups(&oracle_defaults, in, n, groups);
    is_int(groups[1], -1, "a run that took too long to wait for says nothing");
}

static void test_hang_margin(void)
{
    struct observation o[MOST];
    struct oracle_input in[MOST];
    struct verdict v[MOST];
    int n = parse("roa roa roa h", o, in);
    o[1].run.cpu_us = 400000; /* a tenth of the limit is 500 ms */
    oracle_judge(&oracle_defaults, NULL, in, n, v);
    is_int(v[3].anomaly, ANOMALY_RUN_HANG, "others are fast: it hangs");
    o[1].run.cpu_us = 600000;
    oracle_judge(&oracle_defaults, NULL, in, n, v);
    is_int(v[3].anomaly, ANOMALY_NONE, "another takes a while, too: it may just be slow");
}

static void test_resources(void)
{
    struct observation o[MOST];
    struct oracle_input in[MOST];
    struct verdict v[MOST];
    int n = parse("oa oa oa oa", o, in);
    for (int i = 0; i < n; i++) {
        o[i].build.cpu_us = 300000;
        o[i].build.peak_kb = 50000;
    }
    o[2].build.cpu_us = 12000000;
    o[3].build.peak_kb = 2000000;
    oracle_judge(&oracle_defaults, NULL, in, n, v);
    is_int(v[2].anomaly, ANOMALY_SLOW_COMPILE, "12 s against 0.3 s");
    is_int(v[3].anomaly, ANOMALY_MEMORY, "2 GB against 50 MB");
    ok(!v[0].anomaly && !v[1].anomaly, "the others are fine");
    o[2].build.cpu_us = 9000000;
    o[3].build.peak_kb = 900000;
    oracle_judge(&oracle_defaults, NULL, in, n, v);
    ok(!v[2].anomaly && !v[3].anomaly, "below the floor a ratio means nothing");
    o[2].build.cpu_us = 12000000;
    o[0].build.cpu_us = o[1].build.cpu_us = 2000000;
    oracle_judge(&oracle_defaults, NULL, in, n, v);
    ok(!v[2].anomaly, "slow for all");
    o[2].output_hash[0] = 'z';
    o[0].build.cpu_us = o[1].build.cpu_us = 300000;
    oracle_judge(&oracle_defaults, NULL, in, n, v);
    is_int(v[2].anomaly, ANOMALY_WRONG_OUTPUT, "a wrong output weighs more than a slow compile");
    n = parse("oa oa", o, in);
    o[0].build.cpu_us = 100;
    o[1].build.cpu_us = 30000000;
    oracle_judge(&oracle_defaults, NULL, in, n, v);
    ok(!v[1].anomaly, "one other is no measure");
}

/* Outputs with numbers: which of them are the same, the leader of each as a letter. */
static const struct {
    const char *name, *leaders;
    double tolerance;
    const char *texts[6];
} numbers[] = {
    {"equal texts", "aaa", 1e-3, {"x 1.5", "x 1.5", "x 1.5"}},
    {"near enough", "aaa", 1e-3, {"1.0000", "1.0009", "0.9992"}},
    {"too far", "ab", 1e-3, {"1.0000", "1.0011"}},
    {"the tolerance is what was said", "ab", 1e-5, {"1.0000", "1.0009"}},
    {"near zero the difference itself counts", "aab", 1e-3, {"0.0", "-0.0000009", "0.0000020"}},
    {"without a chain: the third is far from the first",
     "aac",
     1e-3,
     {"1.0000", "1.0008", "1.0016"}},
    {"with the second as leader of none", "abac", 1e-3, {"1.0", "2.0", "1.0005", "1.5"}},
    {"integers are exact", "ab", 1e-1, {"1000", "1001"}},
    {"also beside floats", "ab", 1e-1, {"1000 1.00", "1001 1.00"}},
    {"%g drops the point", "aa", 1e-3, {"1", "1.0001"}},
    {"an exponent", "aab", 1e-3, {"1.5e+10", "1.5001e+10", "1.5e+11"}},
    {"an exponent without a point has a sign", "aa", 1e-3, {"1e+10", "1.0001e+10"}},
    {"checksums are no numbers", "abc", 1e-1, {"12e5", "12e6", "12E5"}},
    {"nor are they in hexadecimal", "abc", 1e-1, {"0x1.8", "0x1.9", "0x1f"}},
    {"nor in a word", "ab", 1e-1, {"v1.50", "v1.51"}},
    {"nor versions", "ab", 1e-1, {"1.2.3", "1.2.4"}},
    {"nan is nan, with any sign", "aaab", 1e-3, {"nan", "-nan", "NaN", "1.0"}},
    {"inf has a sign", "aabc", 1e-3, {"inf", "+inf", "-inf", "1e+99"}},
    {"words that begin like them", "ab", 1e-3, {"info", "nano"}},
    {"signs", "ab", 1e-3, {"-1.0", "1.0"}},
    {"in lists", "aab", 1e-3, {"(1.0,2.0;3.0)", "(1.0001,2.0001;3.0001)", "(1.0,2.0;3.1)"}},
    {"one number more", "ab", 1e-3, {"1.0 2.0", "1.0 2.0 3.0"}},
    {"a shorter text", "aba", 1e-3, {"1.0\n", "1.0", "1.0001\n"}},
    {"other text", "ab", 1e-3, {"x = 1.0", "y = 1.0"}},
    {"a point at the end of a sentence", "aa", 1e-3, {"It is 1.0. So.", "It is 1.0001. So."}},
    {"nothing printed", "aab", 1e-3, {"", "", "1.0"}},
    {"as far apart as may be", "aab", 0.5, {"1.0", "2.0", "2.5"}},
    {"below zero", "aab", 0.5, {"-1.0", "-2.0", "-2.5"}},
    {"a millionth and no more", "aab", 0, {"0.0", "0.000001", "0.0000011"}},
    {"of the larger one, whichever it is", "aab", 0.5, {"2.0", "1.0", "0.9"}},
    {"a number beside inf", "ab", 0.5, {"1.0", "inf"}},
    {"a number beside nan", "ab", 0.5, {"1.0", "nan"}},
    {"four digits of an exponent", "aab", 1e-3, {"1.0e+0001", "1.0005e+0001", "1.0e+0002"}},
    {"five are none", "ab", 0.5, {"1.0e+00001", "1.1e+00001"}},
    {"an exponent in capitals, with a minus", "aab", 1e-3, {"1E-1", "1.0001E-1", "1.0001E-2"}},
    {"an exponent without a sign, behind a point", "aa", 1e-3, {"1.0e1", "1.0001e1"}},
    {"an exponent without digits", "ab", 0.5, {"1.0e", "1.1e"}},
    {"  but with a sign", "ab", 0.5, {"1.0e+", "1.1e+"}},
    {"a letter that is no exponent", "ab", 0.5, {"1.0x3", "1.1x3"}},
    {"nothing ahead of the point", "aab", 1e-3, {".5", ".5001", ".6"}},
    {"nothing behind it", "ab", 0.5, {"1.", "2."}},
    {"a point alone", "ab", 0.5, {". 1", ". 2"}},
    {"a plus", "aab", 1e-3, {"+1.5", "+1.5001", "+1.6"}},
    {"a sign alone", "ab", 0.5, {"- 1", "- 2"}},
    {"a word with a sign", "ab", 0.5, {"-infx", "-infy"}},
    {"a number behind a number", "ab", 0.5, {"1.0-2", "1.0-3"}},
    {"a name with digits at its end", "ab", 0.5, {"_1.5", "_1.6"}},
    {"a number behind a point", "ab", 0.5, {"a.1.5", "a.1.6"}},
    {"an integer beside a float", "aab", 0.5, {"2", "1.5", "3"}},
    {"another text behind the number", "ab", 0.5, {"1.0 x", "1.1 y"}},
    {"a text that goes on", "ab", 0.5, {"1.0", "1.0x"}},
};

static void unify(const char *const *texts, int n, double tolerance, int *leaders)
{
    struct bytes all[6] = {0};
    for (int i = 0; i < n; i++)
        if (texts[i])
            all[i] = bytes_of(texts[i]);
    oracle_unify(all, n, tolerance, leaders);
}

static void test_numbers(void)
{
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        int leaders[6], n = 0;
        char got[8] = "", names[8] = "";
        while (n < 6 && numbers[i].texts[n])
            n++;
        unify(numbers[i].texts, n, numbers[i].tolerance, leaders);
        for (int k = 0, next = 0; k < n; k++) {
            names[k] = leaders[k] == k ? (char)('a' + next++) : '?';
            got[k] = names[leaders[k]];
        }
        /* Letters are given in order of the leaders. */
        char wanted[8] = "";
        for (int k = 0, next = 0; k < n; k++) {
            const char *before = memchr(numbers[i].leaders, numbers[i].leaders[k], (size_t)k);
            wanted[k] = before ? wanted[before - numbers[i].leaders] : (char)('a' + next++);
        }
        is_str(got, wanted, "numbers: %s", numbers[i].name);
    }
    const char *const texts[] = {NULL, "1.0", NULL, "1.0001"};
    int leaders[4];
    unify(texts, 4, 1e-3, leaders);
    ok(leaders[0] == 0 && leaders[1] == 1 && leaders[2] == 2 && leaders[3] == 1,
       "numbers: no text is like no other");
    const struct bytes nuls[] = {{"a\0r 1.0", 7}, {"a\0WRONG", 7}, {"a", 1}, {"a\0r 1.0001", 10}};
    oracle_unify(nuls, 4, 1e-3, leaders);
    ok(leaders[1] == 1 && leaders[2] == 2 && leaders[3] == 0, "numbers: a NUL is a character");
}

/* DeepSmith 2.3: ceil(2/3 n), and never one alone. */
static void test_quorum(void)
{
    static const int wanted[] = {2, 2, 2, 2, 3, 4, 4, 5, 6, 6, 7, 8, 8};
    for (int n = 0; n < (int)(sizeof wanted / sizeof *wanted); n++)
        is_int(oracle_quorum(&oracle_defaults, n), wanted[n], "of %d", n);
    is_int(oracle_quorum(&oracle_defaults, 20), 14, "of 20, as in the paper");
}

/* -- by its definition ------------------------------------------------------------------------- */

/* The oracle as its header has it, counted in the plainest way, on testbeds that are drawn; with
 * limits so small that every figure stands near one. */
static const struct oracle_config tight = {.majority = 2.0 / 3.0,
                                           .slow_ratio = 2,
                                           .slow_floor_us = 6,
                                           .memory_ratio = 3,
                                           .memory_floor_kb = 6,
                                           .hang_margin = 2};
static const char summary[] = "volatile: 2 accesses, hash 12345678";

static int draw(struct choice *c, struct observation *o, struct oracle_input *in)
{
    static const enum outcome outcomes[] = {
        OUTCOME_OK,         OUTCOME_OK,        OUTCOME_OK,          OUTCOME_OK,
        OUTCOME_BUILD_FAIL, OUTCOME_RUN_CRASH, OUTCOME_RUN_TIMEOUT, OUTCOME_BUILD_CRASH,
        OUTCOME_SKIPPED,    OUTCOME_OK,        OUTCOME_OK,          OUTCOME_BUILD_TIMEOUT};
    int n = 1 + (int)choose(c, 8);
    bool plain = choose_flip(c, 0.5); /* nothing that keeps a testbed from voting */
    for (int i = 0; i < n; i++) {
        o[i] = (struct observation){
            .outcome = outcomes[choose(c, 12)],
            .server_died = choose_flip(c, 0.2),
            .run.cpu_us = (int64_t)choose(c, 4),
            .build = {.cpu_us = (int64_t)choose(c, 14), .peak_kb = (int64_t)choose(c, 20)}};
        if (o[i].outcome == OUTCOME_OK)
            o[i].output_hash[0] = "aaab"[choose(c, 4)];
        o[i].output = bytes_of(choose_flip(c, 0.5) ? "x\nvolatile: 2 accesses, hash 12345678\n"
                                                   : "volatile: 2 accesses, hash 123456789\n");
        in[i] = (struct oracle_input){.observation = &o[i],
                                      .model = choose_flip(c, 0.8) ? "lp64" : "ilp32",
                                      .toolchain = choose_flip(c, 0.5) ? "one" : "another",
                                      .reference = choose_flip(c, 0.4),
                                      .run_limit_us = (int64_t)choose(c, 8),
                                      .trace = !plain && choose_flip(c, 0.2) ? summary : NULL,
                                      .may_time_out = !plain && choose_flip(c, 0.2),
                                      .only_builds = !plain && choose_flip(c, 0.2)};
    }
    return n;
}

static bool says_something(const struct oracle_input *in)
{
    switch (in->observation->outcome) {
    case OUTCOME_SKIPPED:
        return false;
    case OUTCOME_RUN_TIMEOUT:
        return !in->trace && !in->may_time_out;
    case OUTCOME_OK:
        return !in->only_builds;
    default:
        return true;
    }
}

/* Those of the model of one that may vote, references or not. */
static bool is_candidate(const struct oracle_input *in, const struct oracle_input *of)
{
    return says_something(in) && !in->trace && !in->only_builds && !strcmp(in->model, of->model);
}

struct count {
    int voters, ran, of[2]; /* that printed a, and b */
    int64_t slowest;
};

static struct count count_votes(const struct oracle_input *in, int n, const struct oracle_input *of)
{
    struct count all = {0}, references = {0};
    for (int i = 0; i < n; i++)
        for (int k = 0; is_candidate(&in[i], of) && k < 1 + in[i].reference; k++) {
            struct count *to = k ? &references : &all;
            bool ran = in[i].observation->outcome == OUTCOME_OK;
            int64_t cpu = in[i].observation->run.cpu_us;
            to->voters++;
            to->ran += ran;
            to->of[0] += ran && *in[i].observation->output_hash == 'a';
            to->of[1] += ran && *in[i].observation->output_hash == 'b';
            if (ran && cpu > to->slowest)
                to->slowest = cpu;
        }
    return references.voters ? references : all;
}

static bool two_thirds(int part, int whole)
{
    return part >= 2 && 3 * part >= 2 * whole;
}

/* Is it a verdict of resources? The one in the middle of the others, counted. */
static bool takes_too_much(const struct oracle_input *in, int n, int i, bool memory)
{
#define COST(k) (memory ? in[k].observation->build.peak_kb : in[k].observation->build.cpu_us)
#define COUNTS(k) (k != i && !in[k].trace && was_built[in[k].observation->outcome])
    static const bool was_built[OUTCOME_COUNT] = {[OUTCOME_OK] = true,
                                                  [OUTCOME_RUN_CRASH] = true,
                                                  [OUTCOME_RUN_TIMEOUT] = true,
                                                  [OUTCOME_SKIPPED] = true};
    int64_t floor = memory ? tight.memory_floor_kb : tight.slow_floor_us, median = 0;
    double ratio = memory ? tight.memory_ratio : tight.slow_ratio;
    int others = 0;
    for (int k = 0; k < n; k++)
        others += COUNTS(k);
    for (int k = 0; k < n; k++) {
        int less = 0, same = 0;
        for (int m = 0; m < n; m++) {
            less += COUNTS(m) && COST(m) < COST(k);
            same += COUNTS(m) && COST(m) == COST(k);
        }
        if (COUNTS(k) && less <= others / 2 && less + same > others / 2)
            median = COST(k);
    }
    return was_built[in[i].observation->outcome] && others >= 2 && median > 0 && COST(i) >= floor &&
           (double)COST(i) >= ratio * (double)median;
#undef COUNTS
#undef COST
}

/* Is input i what stands for an expected output that is suspect? Of those that did as it did, and
 * vote, it is the first. */
static bool makes_doubt(const struct oracle_input *in, int n, int i, char expected)
{
    static const enum outcome of_program[] = {OUTCOME_OK, OUTCOME_BUILD_FAIL, OUTCOME_RUN_CRASH,
                                              OUTCOME_RUN_TIMEOUT};
    const struct observation *o = in[i].observation;
    int same = 0, voters = count_votes(in, n, &in[i]).voters, of_one = 0, first = -1;
    bool references = false, counts = false;
    for (int k = 0; k < n; k++)
        references |= is_candidate(&in[k], &in[i]) && in[k].reference;
    for (int k = n - 1; k >= 0; k--) {
        const struct observation *other = in[k].observation;
        if (!is_candidate(&in[k], &in[i]) || (references && !in[k].reference) ||
            other->outcome != o->outcome || *other->output_hash != *o->output_hash)
            continue;
        same++;
        of_one += !strcmp(in[k].toolchain, "one");
        first = other->server_died && o->outcome == OUTCOME_RUN_CRASH ? first : k;
    }
    for (int k = 0; k < 4; k++)
        counts |= o->outcome == of_program[k];
    return counts && *o->output_hash != expected && same >= 3 && voters - same <= 1 && of_one > 0 &&
           of_one < same && first == i;
}

static struct verdict defined(const struct oracle_input *in, int n, int i, char expected)
{
    static const enum anomaly failures[OUTCOME_COUNT] = {[OUTCOME_BUILD_FAIL] = ANOMALY_BUILD_FAIL,
                                                         [OUTCOME_RUN_CRASH] = ANOMALY_RUN_CRASH,
                                                         [OUTCOME_RUN_TIMEOUT] = ANOMALY_RUN_HANG};
    const struct oracle_input *x = &in[i];
    enum outcome o = x->observation->outcome;
    char printed = *x->observation->output_hash;
    struct count c = count_votes(in, n, x);
    char winner = two_thirds(c.of[0], c.voters) ? 'a' : two_thirds(c.of[1], c.voters) ? 'b' : 0;
    if (o == OUTCOME_BUILD_CRASH || o == OUTCOME_BUILD_TIMEOUT ||
        (o == OUTCOME_RUN_CRASH && x->observation->server_died))
        return (struct verdict){o == OUTCOME_BUILD_CRASH     ? ANOMALY_BUILD_CRASH
                                : o == OUTCOME_BUILD_TIMEOUT ? ANOMALY_BUILD_HANG
                                                             : ANOMALY_RUN_CRASH,
                                EVIDENCE_SELF, 1, false};
    struct verdict v = {failures[o], EVIDENCE_VOTE, (double)c.ran / c.voters, false};
    if (o == OUTCOME_OK && printed != (expected ? expected : winner) && (expected || winner))
        v = (struct verdict){ANOMALY_WRONG_OUTPUT, EVIDENCE_VOTE,
                             (double)c.of[winner == 'b'] / c.voters, false};
    bool doubted = false;
    for (int k = 0; k < n && expected; k++)
        doubted |= !strcmp(in[k].model, x->model) && makes_doubt(in, n, k, expected);
    if (expected && makes_doubt(in, n, i, expected))
        return (struct verdict){ANOMALY_SUSPECT, EVIDENCE_VOTE, 0.5, true};
    if (expected)
        v = (struct verdict){doubted ? ANOMALY_NONE : v.anomaly, EVIDENCE_EXPECTED, 1, false};
    bool hangs = o != OUTCOME_RUN_TIMEOUT || x->run_limit_us >= 2 * c.slowest;
    if (v.anomaly && says_something(x) && (expected || (two_thirds(c.ran, c.voters) && hangs)))
        return v;
    if (x->trace && o == OUTCOME_OK && *x->observation->output.data == 'v')
        return (struct verdict){ANOMALY_WRONG_VOLATILE, EVIDENCE_EXPECTED, 1, false};
    int first = -1; /* that printed something that counts */
    for (int k = n - 1; k >= 0; k--)
        if (is_candidate(&in[k], x) && in[k].observation->outcome == OUTCOME_OK)
            first = k;
    if (!expected && !winner && c.of[0] && c.of[1] && first == i)
        return (struct verdict){ANOMALY_DISAGREEMENT, EVIDENCE_VOTE, 0.5, true};
    if (takes_too_much(in, n, i, false))
        return (struct verdict){ANOMALY_SLOW_COMPILE, EVIDENCE_VOTE, 1, false};
    if (takes_too_much(in, n, i, true))
        return (struct verdict){ANOMALY_MEMORY, EVIDENCE_VOTE, 1, false};
    return (struct verdict){0};
}

static int group_defined(const struct oracle_input *in, int n, int i)
{
    const struct observation *o = in[i].observation;
    int64_t slowest = 0;
    for (int k = 0; k < n; k++)
        if (!strcmp(in[k].model, in[i].model) && in[k].observation->outcome == OUTCOME_OK &&
            in[k].observation->run.cpu_us > slowest)
            slowest = in[k].observation->run.cpu_us;
    if (!says_something(&in[i]) ||
        (o->outcome == OUTCOME_RUN_TIMEOUT && in[i].run_limit_us < 2 * slowest))
        return -1;
    for (int k = 0; k < i; k++)
        if (!strcmp(in[k].model, in[i].model) && in[k].observation->outcome == o->outcome &&
            *in[k].observation->output_hash == *o->output_hash && group_defined(in, n, k) >= 0)
            return k;
    return i;
}

static bool same_verdict(const struct verdict *x, const struct verdict *y)
{
    return x->anomaly == y->anomaly && x->of_group == y->of_group &&
           (!x->anomaly || (x->evidence == y->evidence && x->confidence == y->confidence));
}

static void test_definition(void)
{
    struct observation o[MOST];
    struct oracle_input in[MOST];
    struct verdict v[MOST];
    int groups[MOST], seen[ANOMALY_COUNT] = {0}, kinds = 0, wrong = 0;
    struct choice c;
    choice_init_random(&c, 1);
    for (int round = 0; round < tap_amount(6000, 1000000) && !wrong; round++) {
        int n = draw(&c, o, in);
        char expected[2] = {"\0\0ab"[choose(&c, 4)], 0};
        oracle_judge(&tight, *expected ? expected : NULL, in, n, v);
        oracle_groups(&tight, in, n, groups);
        for (int i = 0; i < n; i++) {
            struct verdict wanted = defined(in, n, i, *expected);
            int group = group_defined(in, n, i);
            seen[v[i].anomaly]++;
            if (same_verdict(&v[i], &wanted) && groups[i] == group)
                continue;
            wrong++;
            printf("# round %d, testbed %d of %d: %s (%g) instead of %s (%g), group %d of %d\n",
                   round, i, n, anomaly_name[v[i].anomaly], v[i].confidence,
                   anomaly_name[wanted.anomaly], wanted.confidence, groups[i], group);
        }
    }
    int all = 0; /* detectors have their own table */
    for (int i = 0; i < ANOMALY_COUNT; i++) {
        kinds += seen[i] >= 20;
        all += !anomaly_is_of_detector((enum anomaly)i);
    }
    is_int(wrong, 0, "as it is defined, on testbeds that are drawn");
    is_int(kinds, all, "  with each verdict");
    choice_release(&c);
}

/* What people are told of the limits. */
static void test_defaults(void)
{
    const struct oracle_config *d = &oracle_defaults;
    ok(d->slow_ratio == 20 && d->slow_floor_us == 10000000, "slow: 20 times, from 10 s on");
    ok(d->memory_ratio == 10 && d->memory_floor_kb == 1024 * 1024,
       "large: 10 times, from 1 GiB on");
    ok(d->hang_margin == 10, "a hang: 10 times as long as others");
}

/* Of an operation at line 10 of 9 to 11. */
static const struct {
    const char *name, *said;
    int line;
    enum undefined_site site;
    enum undefined_twin twin;
    bool must, optimises;
    enum anomaly wanted;
} detections[] = {
    {"reported", "out-of-bounds", 10, SITE_UNKNOWN, TWIN_SILENT, true, false, ANOMALY_NONE},
    {"at its statement", "out-of-bounds", 9, SITE_UNKNOWN, TWIN_SILENT, true, false, ANOMALY_NONE},
    {"without a place", "out-of-bounds", 0, SITE_UNKNOWN, TWIN_SILENT, true, false, ANOMALY_NONE},
    {"as one of several", "signed-overflow out-of-bounds", 10, SITE_UNKNOWN, TWIN_SILENT, true,
     false, ANOMALY_NONE},
    {"as the row", "out-of-bounds/heap", 10, SITE_UNKNOWN, TWIN_SILENT, true, false, ANOMALY_NONE},
    {"as anything", "any", 10, SITE_UNKNOWN, TWIN_SILENT, true, false, ANOMALY_NONE},
    {"as another row", "out-of-bounds/local", 10, SITE_UNKNOWN, TWIN_SILENT, true, false,
     ANOMALY_MISPLACED},
    {"as another rule", "misaligned", 10, SITE_UNKNOWN, TWIN_SILENT, true, false,
     ANOMALY_MISPLACED},
    {"elsewhere", "out-of-bounds", 12, SITE_UNKNOWN, TWIN_SILENT, true, false, ANOMALY_MISPLACED},
    {"elsewhere in optimised code", "out-of-bounds", 12, SITE_UNKNOWN, TWIN_SILENT, true, true,
     ANOMALY_NONE},
    {"elsewhere by who need not", "out-of-bounds", 12, SITE_UNKNOWN, TWIN_SILENT, false, false,
     ANOMALY_NONE},
    {"missed", NULL, 0, SITE_REACHED, TWIN_SILENT, true, false, ANOMALY_MISSED},
    {"missed in optimised code", NULL, 0, SITE_REACHED, TWIN_SILENT, true, true, ANOMALY_MISSED},
    {"gone", NULL, 0, SITE_GONE, TWIN_SILENT, true, true, ANOMALY_NONE},
    {"gone without optimisation", NULL, 0, SITE_GONE, TWIN_SILENT, true, false, ANOMALY_NONE},
    {"not looked for", NULL, 0, SITE_UNKNOWN, TWIN_SILENT, true, true, ANOMALY_NONE},
    {"missed by who need not", NULL, 0, SITE_REACHED, TWIN_SILENT, false, false, ANOMALY_NONE},
    {"a false alarm", "out-of-bounds", 10, SITE_UNKNOWN, TWIN_REPORTED, true, true,
     ANOMALY_FALSE_ALARM},
    {"a false alarm by who need not", NULL, 0, SITE_GONE, TWIN_REPORTED, false, true,
     ANOMALY_FALSE_ALARM},
    {"a twin that is wrong", "out-of-bounds", 10, SITE_UNKNOWN, TWIN_WRONG, true, true,
     ANOMALY_WRONG_OUTPUT},
};

static void test_detections(void)
{
    static const struct undefined u = {"out-of-bounds", "heap", "f", 10, 9, 11, false};
    static const struct undefined stored = {"out-of-bounds", "heap", "f", 10, 9, 11, true};
    for (size_t i = 0; i < sizeof detections / sizeof *detections; i++) {
        struct detection d = {.what = "out-of-bounds/heap",
                              .said = detections[i].said,
                              .line = detections[i].line,
                              .site = detections[i].site,
                              .twin = detections[i].twin,
                              .text = "",
                              .twin_text = ""};
        struct observation o[3] = {
            {.outcome = OUTCOME_OK, .output_hash = "d", .messages = "", .detail = ""},
            {.outcome = OUTCOME_OK, .output_hash = "a", .messages = "", .detail = ""},
            {.outcome = OUTCOME_OK, .output_hash = "a", .messages = "", .detail = ""}};
        struct oracle_input in[3];
        struct verdict v[3];
        for (int k = 0; k < 3; k++)
            in[k] = (struct oracle_input){
                .observation = &o[k], .model = "lp64", .toolchain = "t", .reference = k > 0};
        in[0].detects = true;
        in[0].undefined = &u;
        in[0].detection = &d;
        in[0].must_detect = detections[i].must;
        in[0].optimises = detections[i].optimises;
        oracle_judge(&oracle_defaults, NULL, in, 3, v);
        ok(v[0].anomaly == detections[i].wanted && !v[1].anomaly && !v[2].anomaly,
           "a detector: %s: %s", detections[i].name, anomaly_name[v[0].anomaly]);
        in[0].undefined = &stored;
        oracle_judge(&oracle_defaults, NULL, in, 3, v);
        bool left_out = !d.said && detections[i].must && !detections[i].optimises && !d.twin;
        ok(v[0].anomaly == (left_out ? ANOMALY_MISSED : detections[i].wanted),
           "  where the value is stored");
        ok(!v[0].anomaly || (v[0].evidence == EVIDENCE_EXPECTED && v[0].confidence == 1),
           "  which is sure");
    }
}

int main(void)
{
    test_definition();
    test_defaults();
    test_cases();
    test_numbers();
    test_quorum();
    test_evidence();
    test_groups();
    test_hang_margin();
    test_resources();
    test_detections();
    return tap_done();
}
