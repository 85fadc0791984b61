/* The test of interest: who is tried, what is interesting, what is remembered, what is kept. */
#include "inquiry/interest.h"
#include "inquiry/interest_internal.h"
#include "inquiry/scripted.h"
#include "store/fixture.h"
#include "testbed/identity.h"

#include <sys/stat.h>
#include <unistd.h>

enum { MOST = 10 };

static struct fixture f;
static struct pattern suspicious = {.text = "suspicious"};
static struct testbed beds[MOST];
static struct inquiry c;
static struct interest t;
static struct reduction figures; /* of a reduction, to be shown and saved */

/* A finding of one of the testbeds, the one with a star; those in `seen` were observed, those in
 * `bad` with an anomaly. */
static void begin_spec(const char *described, struct verdict v, const char *seen, const char *bad,
                       struct interest_spec spec)
{
    char **names;
    struct error e;
    static int64_t finding;
    if (!finding)
        finding = whole_test(&f, 1, 100, "clang build-crash: error: a", FINDING_CONFIRMED);
    c = (struct inquiry){.finding = {.id = finding, .verdict = v, .state = FINDING_CONFIRMED}};
    c.config = (struct test_setup){.testbeds = beds, .oracle = oracle_defaults};
    c.config.n_testbeds = scripted_testbeds(&f.a, described, beds, &suspicious);
    c.accused = test_find(beds, c.config.n_testbeds, "bad");
    c.finding.testbed = "bad";
    int n = text_split(&f.a, seen, &names);
    c.observations = arena_array(&f.a, struct store_observation, n);
    for (int i = 0; i < n; i++) {
        struct store_observation *o = &c.observations[c.n_observations++];
        o->testbed = names[i];
        o->observation.flags = "";
        if (strstr(bad, names[i]))
            o->verdict.anomaly = ANOMALY_WRONG_OUTPUT;
    }
    spec.c = &c;
    spec.store = f.s;
    spec.slots = spec.slots ? spec.slots : 1;
    must(interest_init(&t, &spec, &e), &e);
}

static void begin(const char *described, struct verdict v)
{
    begin_spec(described, v, "", "", (struct interest_spec){0});
}

static const char *names_of(const struct testbed *list, int n)
{
    const char *out = "";
    for (int i = 0; i < n; i++)
        out = arena_printf(&f.a, "%s%s%s", out, i ? " " : "", list[i].name);
    return out;
}

static const struct verdict crashes = {ANOMALY_BUILD_CRASH, EVIDENCE_SELF, 1, false},
                            wrong = {ANOMALY_WRONG_OUTPUT, EVIDENCE_VOTE, 1, false},
                            known = {ANOMALY_WRONG_OUTPUT, EVIDENCE_EXPECTED, 1, false},
                            rejects = {ANOMALY_BUILD_FAIL, EVIDENCE_VOTE, 1, false},
                            dies = {ANOMALY_RUN_CRASH, EVIDENCE_VOTE, 1, false},
                            hangs = {ANOMALY_RUN_HANG, EVIDENCE_VOTE, 1, false},
                            build_hangs = {ANOMALY_BUILD_HANG, EVIDENCE_SELF, 1, false},
                            differ = {ANOMALY_DISAGREEMENT, EVIDENCE_VOTE, 0.5, true},
                            suspect = {ANOMALY_SUSPECT, EVIDENCE_VOTE, 0.5, true};

/* -- who is tried ------------------------------------------------------------------------------ */

static void test_chosen(void)
{
    static const struct {
        const char *what, *testbeds, *seen, *bad, *tried, *sanitizers, *filters;
        bool group;
    } all[] = {
        {"the accused first", "one two bad", "", "", "bad one two", "", "", false},
        {"  where it stood", "bad one two", "", "", "bad one two", "", "", false},
        {"three voters at most", "a b bad d e f", "", "", "bad a b d", "", "", false},
        {"those that agreed", "a b bad d", "a b d", "b", "bad a d", "", "", false},
        {"filters apart", "f:a b bad f:d", "", "", "bad b", "", "a d", false},
        {"of a disagreement all", "a b bad d e x", "a b", "b", "bad a b d e x", "", "", true},
        {"  but no filter", "a f:b bad", "", "", "bad a", "", "b", true},
        {"sanitizers", "g:a k:b bad g:d", "", "", "bad a b d", "a b", "", false},
        {"  whoever is accused", "k:b g:bad", "", "", "bad b", "bad b", "", false},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        begin_spec(all[i].testbeds, all[i].group ? differ : wrong, all[i].seen, all[i].bad,
                   (struct interest_spec){0});
        is_str(names_of(t.config.testbeds, t.config.n_testbeds), all[i].tried, "%s: %s",
               all[i].what, all[i].testbeds);
        is_str(names_of(t.patient.testbeds, t.patient.n_testbeds), all[i].tried, "  twice");
        ok(t.config.testbeds != t.patient.testbeds, "  each its own");
        is_str(names_of(t.sanitizers, t.n_sanitizers), all[i].sanitizers, "  sanitizers");
        is_str(names_of(t.filters, t.n_filters), all[i].filters, "  filters");
        interest_release(&t);
    }
    /* Different compilers are less likely to be wrong together. */
    struct error e;
    const struct interest_spec spec = {.c = &c, .store = f.s, .slots = 1};
    begin("a b c bad d", wrong);
    interest_release(&t);
    beds[1].compiler = "a";
    beds[4].compiler = "bad";
    must(interest_init(&t, &spec, &e), &e);
    is_str(names_of(t.config.testbeds, t.config.n_testbeds), "bad a c b",
           "those of other compilers first, then those of the same");
    interest_release(&t);
    begin("g:b bad", wrong);
    interest_release(&t);
    beds[0].compiler = "bad";
    beds[0].limits.run.memory_bytes = 77;
    beds[0].traces = beds[0].random = true;
    must(interest_init(&t, &spec, &e), &e);
    is_str(names_of(t.config.testbeds, t.config.n_testbeds), "bad b", "or of the accused's own");
    ok(t.n_sanitizers == 1 && !t.sanitizers->traces && !t.sanitizers->random &&
           !t.sanitizers->limits.run.memory_bytes,
       "a sanitizer needs addresses");
    has_str(t.sanitizers->flags, "-fsanitize=address,undefined", "  and its flags");
    interest_release(&t);
}

/* -- what is interesting ----------------------------------------------------------------------- */

#define BAD_CRASHES "if [ $1$2 = buildbad ]; then kill -SEGV $$; fi\n"
#define BAD_IS_WRONG "[ $1$2 = runbad ] && echo 2\n[ $1$2 = runbad ] || echo 1\n"
#define ENDLESS "while :; do :; done\n"

static const struct {
    const char *what;
    struct verdict found;
    const char *testbeds, *seen, *script, *expected;
    bool interesting, unclean;
    enum anomaly anomaly;
} candidates[] = {
    {"a crash", crashes, "one bad", "one", BAD_CRASHES, NULL, true, false, ANOMALY_BUILD_CRASH},
    {"  of what another rejects", crashes, "one bad", "one", BAD_CRASHES "exit 1", NULL, false,
     true, ANOMALY_NONE},
    {"  who did not see the original", crashes, "one bad", "", BAD_CRASHES "exit 1", NULL, true,
     false, ANOMALY_BUILD_CRASH},
    {"  the first who did", crashes, "one two bad", "two", BAD_CRASHES "[ $2 = two ]", NULL, true,
     false, ANOMALY_BUILD_CRASH},
    {"  where it is known what it prints", crashes, "one bad", "one", BAD_CRASHES "exit 1", "1\n",
     true, false, ANOMALY_BUILD_CRASH},
    {"no crash", crashes, "one bad", "one", "", NULL, false, false, ANOMALY_NONE},
    {"  but another anomaly", crashes, "one bad", "one", BAD_IS_WRONG, "1\n", false, false,
     ANOMALY_WRONG_OUTPUT},
    {"a wrong output", wrong, "one two bad", "", BAD_IS_WRONG, NULL, true, false,
     ANOMALY_WRONG_OUTPUT},
    {"  that nobody disputes", wrong, "one two bad", "", "echo 1", NULL, false, false,
     ANOMALY_NONE},
    {"  where others do not agree", wrong, "one two bad", "", "[ $1 = build ] || echo $2", NULL,
     false, false, ANOMALY_DISAGREEMENT},
    {"  where another rejects it", wrong, "one two bad", "",
     "[ $1$2 = buildtwo ] && exit 1\n" BAD_IS_WRONG, NULL, false, false, ANOMALY_NONE},
    {"  or crashes", wrong, "one two bad", "", "[ $1$2 = runone ] && exit 1\n" BAD_CRASHES, NULL,
     false, false, ANOMALY_BUILD_CRASH},
    {"  that the accused rejects", wrong, "one two bad", "", "[ $2 != bad ]", NULL, false, false,
     ANOMALY_NONE},
    {"  to which a sanitizer objects", wrong, "g:one two bad", "",
     "case $* in run*sanitize=address*) kill -SEGV $$;; esac\n" BAD_IS_WRONG, NULL, false, true,
     ANOMALY_NONE},
    {"  or the other one", wrong, "k:one two bad", "",
     "case $* in run*sanitize=memory*) kill -SEGV $$;; esac\n" BAD_IS_WRONG, NULL, false, true,
     ANOMALY_NONE},
    {"  or none", wrong, "g:one k:two bad", "", BAD_IS_WRONG, NULL, true, false,
     ANOMALY_WRONG_OUTPUT},
    {"  to which a filter objects", wrong, "one two f:three bad", "",
     "[ $1$2 = runthree ] && kill -SEGV $$\n" BAD_IS_WRONG, NULL, false, true, ANOMALY_NONE},
    {"  of which one warns", wrong, "one two bad", "",
     "[ $1$2 = buildtwo ] && echo suspicious >&2\n" BAD_IS_WRONG, NULL, false, true, ANOMALY_NONE},
    {"it is known what it prints", known, "one two bad", "", BAD_IS_WRONG, "1\n", true, false,
     ANOMALY_WRONG_OUTPUT},
    {"  or so we think", known, "one two bad", "",
     "[ $1$2 = runbad ] && echo 2\n[ $1$2 = runbad ] || echo 3\n", "1\n", false, true,
     ANOMALY_NONE},
    {"  the second voter is not asked", known, "one two bad", "",
     "[ $2 = two ] && exit 1\n" BAD_IS_WRONG, "1\n", true, false, ANOMALY_WRONG_OUTPUT},
    {"  and there is nobody else", known, "bad", "", "echo 2", "1\n", true, false,
     ANOMALY_WRONG_OUTPUT},
    {"a rejection", rejects, "one two bad", "", "[ $2 != bad ]", NULL, true, false,
     ANOMALY_BUILD_FAIL},
    {"  that all share", rejects, "one two bad", "", "exit 1", NULL, false, false, ANOMALY_NONE},
    {"a crash of the program", dies, "one two bad", "",
     "[ $1$2 = runbad ] && kill -SEGV $$; :", NULL, true, false, ANOMALY_RUN_CRASH},
    {"  or not", dies, "one two bad", "", "", NULL, false, false, ANOMALY_NONE},
    {"an endless run", hangs, "one two bad", "", "[ $1$2 = runbad ] && " ENDLESS ":", NULL, true,
     false, ANOMALY_RUN_HANG},
    {"  or not", hangs, "one two bad", "", "", NULL, false, false, ANOMALY_NONE},
    {"a disagreement", differ, "bad one", "", "[ $1 = build ] || echo $2", NULL, true, false,
     ANOMALY_DISAGREEMENT},
    {"  of some", differ, "bad one two three", "",
     "[ $2 = three ] && exit 1\n[ $1 = build ] || echo $2", NULL, true, false,
     ANOMALY_DISAGREEMENT},
    {"  that was settled", differ, "bad one", "", "echo 1", NULL, false, false, ANOMALY_NONE},
    {"what nobody prints as expected", suspect, "g:bad k:one two", "", "echo 2", "1\n", true, false,
     ANOMALY_SUSPECT},
    {"  but does the same otherwise", suspect, "g:bad k:one two", "",
     "[ $1 = run ] && kill -SEGV $$; :", "1\n", false, true, ANOMALY_NONE},
    {"  sanitizers aside", suspect, "bad x:one two", "", "[ $1 = run ] && kill -SEGV $$; :", "1\n",
     true, false, ANOMALY_SUSPECT},
    {"  that all print", suspect, "g:bad k:one two", "", "echo 1", "1\n", false, false,
     ANOMALY_NONE},
    {"  to which a sanitizer objects", suspect, "g:bad k:one two", "",
     "case $* in run*sanitize=address*) kill -SEGV $$;; esac\necho 2", "1\n", false, true,
     ANOMALY_NONE},
};

/* In this process, and told as from another one. */
static struct interest_told try_here(const struct interest_job *job)
{
    static struct strbuf out;
    struct interest_told told;
    struct arena *a = &t.heard;
    if (!out.s)
        strbuf_init(&out, 0);
    strbuf_clear(&out);
    t.jobs[0] = *job;
    interest_test(&t, 0, NULL, &out);
    if (!interest_read(&out, a, &told))
        BUG("nothing was told");
    return told;
}

static struct reduce_case case_of(struct program_file *file, const char *script, const char *flags)
{
    return (struct reduce_case){scripted_program(file, script), flags};
}

static void test_candidates(void)
{
    for (size_t i = 0; i < sizeof candidates / sizeof *candidates; i++) {
        struct program_file file;
        struct reduce_case given = case_of(&file, candidates[i].script, "bad");
        if (candidates[i].expected)
            given.program.expected = bytes_of(candidates[i].expected);
        begin_spec(candidates[i].testbeds, candidates[i].found, candidates[i].seen, "",
                   (struct interest_spec){0});
        struct interest_told told = try_here(&(struct interest_job){.c = &given});
        is_int(told.kind, TOLD_SEEN, "%s", candidates[i].what);
        is_int(told.seen.answer == REDUCE_INTERESTING, candidates[i].interesting,
               "  whether it is interesting");
        is_int(told.seen.unclean, candidates[i].unclean, "  whether something speaks against it");
        is_str(anomaly_name[told.seen.verdict.anomaly], anomaly_name[candidates[i].anomaly],
               "  what it shows");
        ok((*told.seen.signature != 0) >= (told.seen.verdict.anomaly != ANOMALY_NONE),
           "  with a signature");
        t.signature = "another one";
        if (candidates[i].interesting)
            is_int(try_here(&(struct interest_job){.c = &given}).seen.answer, REDUCE_BORING,
                   "  with another signature it would not be");
        interest_release(&t);
    }
}

/* Another version stands under the name of the accused. */
static void test_instead(void)
{
    struct program_file file;
    struct reduce_case given = case_of(&file, "kill -SEGV $$", "bad");
    begin("one bad", crashes);
    struct testbed old = t.config.testbeds[0];
    old.name = old.compiler = "older";
    struct interest_told told =
        try_here(&(struct interest_job){.c = &given, .how = {.instead = &old}});
    is_str(told.seen.signature, "bad build-crash: SIGSEGV", "by the name of the accused");
    interest_release(&t);
    begin("one bad", wrong);
    given = case_of(&file, "[ $1$2 = runbad ] && echo $3; :", "bad");
    t.config.testbeds[0].inputs = "config";
    t.patient.testbeds[0].inputs = "patient";
    old = t.config.testbeds[0];
    old.inputs = "old";
    is_str(try_here(&(struct interest_job){.c = &given}).seen.observation.output.data, "config\n",
           "with what is tightened");
    is_str(try_here(&(struct interest_job){.c = &given, .how = {.patient = true}})
               .seen.observation.output.data,
           "patient\n", "  as it was found");
    is_str(try_here(&(struct interest_job){.c = &given, .how = {.instead = &old}})
               .seen.observation.output.data,
           "old\n", "  or of another version");
    given = case_of(&file, "[ $1 = build ] || echo $2", "-x");
    is_str(try_here(&(struct interest_job){.c = &given}).seen.observation.output.data, "-x\n",
           "with the flags of the case");
    interest_release(&t);
}

/* What is told, in full or not at all. */
static void test_told(void)
{
    struct program_file file;
    struct reduce_case given =
        case_of(&file, "[ $1 = build ] && echo words >&2; [ $1 = build ] || echo 2", "bad");
    struct strbuf out, part;
    struct interest_told told;
    int whole = 0;
    begin("one bad", wrong);
    strbuf_init(&out, 0);
    strbuf_init(&part, 0);
    t.jobs[0] = (struct interest_job){.c = &given};
    interest_test(&t, 0, NULL, &out);
    for (size_t n = 0; n < out.n; n += n < sizeof told ? 97 : 1) {
        strbuf_clear(&part);
        strbuf_add(&part, out.s, n);
        whole += interest_read(&part, &f.a, &told);
    }
    is_int(whole, 0, "what is cut off is not believed");
    ok(interest_read(&out, &f.a, &told), "  what is whole is");
    has_str(told.seen.observation.messages, "words", "  with what the compiler said");
    is_str(told.seen.observation.output.data, "2\n", "  what was printed");
    is_str(told.seen.observation.detail, "exit 0", "  how it ended");
    is_str(told.seen.observation.flags, "", "  no flags that were drawn");
    ok(!told.seen.observation.suspect && !*told.output && !*told.listing && !*told.second,
       "  and nothing else");
    ok(!t.has_failed && told.seen.observation.outcome == OUTCOME_OK, "  in order");
    strbuf_release(&out);
    strbuf_release(&part);
    interest_release(&t);
}

/* Whoever else is asked and cannot be started: the machine is to blame, and no answer is believed.
 */
static void test_unstarted(void)
{
    static const char *const nobody[] = {"/nowhere/cc", NULL};
    static const struct {
        const char *what, *testbeds, *seen, *script, *expected;
        struct verdict found;
        int gone; /* of those that are tried; -1: the sanitizer */
        bool asked;
    } all[] = {
        {"the first voter",
         "one two bad",
         "",
         BAD_IS_WRONG,
         NULL,
         {ANOMALY_WRONG_OUTPUT, EVIDENCE_VOTE, 1, false},
         1,
         true},
        {"the second",
         "one two bad",
         "",
         BAD_IS_WRONG,
         NULL,
         {ANOMALY_WRONG_OUTPUT, EVIDENCE_VOTE, 1, false},
         2,
         true},
        {"the sanitizer",
         "g:one two bad",
         "",
         BAD_IS_WRONG,
         NULL,
         {ANOMALY_WRONG_OUTPUT, EVIDENCE_VOTE, 1, false},
         -1,
         true},
        {"whoever agreed with what is known",
         "one two bad",
         "",
         BAD_IS_WRONG,
         "1\n",
         {ANOMALY_WRONG_OUTPUT, EVIDENCE_EXPECTED, 1, false},
         1,
         true},
        {"who needs not agree",
         "one two bad",
         "",
         BAD_IS_WRONG,
         "1\n",
         {ANOMALY_WRONG_OUTPUT, EVIDENCE_EXPECTED, 1, false},
         2,
         false},
        {"who built the original",
         "one bad",
         "one",
         BAD_CRASHES,
         NULL,
         {ANOMALY_BUILD_CRASH, EVIDENCE_SELF, 1, false},
         1,
         true},
        {"who was never seen",
         "one bad",
         "",
         BAD_CRASHES,
         NULL,
         {ANOMALY_BUILD_CRASH, EVIDENCE_SELF, 1, false},
         1,
         false},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct program_file file;
        struct reduce_case given = case_of(&file, all[i].script, "bad");
        begin_spec(all[i].testbeds, all[i].found, all[i].seen, "", (struct interest_spec){0});
        if (all[i].expected)
            given.program.expected = bytes_of(all[i].expected);
        struct testbed *gone = all[i].gone < 0 ? t.sanitizers : &t.config.testbeds[all[i].gone];
        gone->compile = nobody;
        struct interest_told told = try_here(&(struct interest_job){.c = &given});
        is_int(told.kind, all[i].asked ? TOLD_ERROR : TOLD_SEEN, "%s cannot be started",
               all[i].what);
        if (all[i].asked)
            ok(told.error.kind == ERROR_ENVIRONMENT && strstr(told.error.message, gone->name),
               "  and is named: %s", told.error.message);
        else
            is_int(told.seen.answer, REDUCE_INTERESTING, "  nor is asked");
        interest_release(&t);
    }
}

/* What the others took is what limits are made of: the most of any. */
static void test_costs(void)
{
    struct program_file file;
    struct reduce_case given =
        case_of(&file,
                "i=0\ncase $1$2 in buildone|runtwo)\n"
                "while [ $i -lt 20000 ]; do i=$((i + 1)); done ;; esac\n" BAD_IS_WRONG,
                "bad");
    begin("one two bad", wrong);
    struct interest_told told = try_here(&(struct interest_job){.c = &given});
    const struct observation *o = &told.seen.observation;
    is_int(told.seen.answer, REDUCE_INTERESTING, "two that are slower");
    ok(told.seen.others_build_us > 2 * o->build.cpu_us, "  the one in building");
    ok(told.seen.others_run_us > 2 * o->run.cpu_us, "  the other in running");
    interest_release(&t);
}

/* A case that shows with its own inputs alone is the program's fault, or may be. */
static void test_inputs(void)
{
    struct program_file file;
    struct reduce_case given =
        case_of(&file, "[ $1$2$3 = runbad ] && echo 2 || { [ $1 = build ] || echo 1; }", "bad");
    begin("+:one +:two +:bad", wrong);
    struct interest_told told = try_here(&(struct interest_job){.c = &given});
    is_int(told.seen.answer, REDUCE_BORING, "with other inputs it does not show");
    ok(told.seen.unclean && !told.seen.verdict.anomaly, "  which speaks against it");
    given = case_of(&file, BAD_IS_WRONG, "bad");
    told = try_here(&(struct interest_job){.c = &given});
    is_int(told.seen.answer, REDUCE_INTERESTING, "with others it does");
    interest_release(&t);
}

/* What an optimiser does wrong must not become what its compiler always does wrong. */
static void test_unoptimised(void)
{
    static const char everywhere[] =
        "[ $1 = build ] || case $2 in bad|-[Og]*) echo 2;; *) echo 1;; esac";
    static const struct {
        const char *what, *testbeds, *flags, *compiler, *seen, *wrong;
        bool asked;
    } all[] = {
        {"the same compiler at -O0", "one bad plain", "-O0 -g", "bad", "one bad plain", "", true},
        {"  at no level", "one bad plain", "-g", "bad", "one bad plain", "", true},
        {"  at -O1", "one bad plain", "-O1", "bad", "one bad plain", "", false},
        {"  at two levels", "one bad plain", "-O0 -O2", "bad", "one bad plain", "", false},
        {"  that draws its flags", "one bad d:plain", "-O0", "bad", "one bad plain", "", false},
        {"  that is a filter", "one bad f:plain", "-O0", "bad", "one bad plain", "", false},
        {"  that was wrong, too", "one bad plain", "-O0", "bad", "one bad plain", "plain", false},
        {"  that was not there", "one bad plain", "-O0", "bad", "one bad", "", false},
        {"another compiler", "one bad plain", "-O0", "plain", "one bad plain", "", false},
    };
    struct error e;
    const struct interest_spec spec = {.c = &c, .store = f.s, .slots = 1};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct program_file file;
        begin_spec(all[i].testbeds, known, all[i].seen, all[i].wrong, (struct interest_spec){0});
        interest_release(&t);
        beds[2].flags = all[i].flags;
        beds[2].compiler = all[i].compiler;
        must(interest_init(&t, &spec, &e), &e);
        is_str(t.unoptimised ? t.unoptimised->name : "", all[i].asked ? "plain" : "", "%s",
               all[i].what);
        struct reduce_case given = case_of(&file, BAD_IS_WRONG, "bad");
        given.program.expected = bytes_of("1\n");
        is_int(try_here(&(struct interest_job){.c = &given}).seen.answer, REDUCE_INTERESTING,
               "  what it does right");
        given = case_of(&file, everywhere, "bad");
        given.program.expected = bytes_of("1\n");
        const struct interest_told told = try_here(&(struct interest_job){.c = &given});
        if (all[i].asked)
            ok(told.seen.answer == REDUCE_BORING && told.seen.unclean && !told.seen.verdict.anomaly,
               "  and what it does wrong, which is another bug");
        interest_release(&t);
    }
}

/* A wrong exit status is no wrong output: main without a return is a bug of some compilers. */
static void test_status(void)
{
    static const char status[] = "[ $1 = build ] || echo 1\n[ $1$2 != runbad ] || exit 3";
    static const struct {
        const char *what, *original, *expected;
        bool prints;
    } all[] = {{"the original prints something wrong", BAD_IS_WRONG, "1\n", true},
               {"  by vote", BAD_IS_WRONG, NULL, false},
               {"its exit status is wrong", status, "1\n", false},
               {"both are", BAD_IS_WRONG "[ $1$2 != runbad ] || exit 3", "1\n", true}};
    struct error e;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct program_file file;
        const char *why;
        struct reduce_case given = case_of(&file, all[i].original, "bad");
        if (all[i].expected)
            given.program.expected = bytes_of(all[i].expected);
        begin("one two bad", all[i].expected ? known : wrong);
        is_int(interest_begin(&t, &given, &why, &e), 1, "%s", all[i].what);
        is_int(t.prints, all[i].prints, "  which is known");
        given = case_of(&file, status, "bad");
        given.program.expected = bytes_of("1\n");
        const struct interest_told told = try_here(&(struct interest_job){.c = &given});
        is_int(told.seen.answer, all[i].prints ? REDUCE_BORING : REDUCE_INTERESTING,
               "  and whether its status alone would do");
        ok(!told.seen.verdict.anomaly == all[i].prints, "  which is no other finding");
        interest_release(&t);
    }
}

/* The code of a case, and what another compiler makes of it. */
static void test_witness(void)
{
    struct program_file file;
    struct reduce_case given = case_of(&file, BAD_CRASHES, "bad");
    begin("one bad", crashes);
    struct interest_job job = {.c = &given, .how = {.witness = "sh -c 'exit 1'"}};
    struct interest_told told = try_here(&job);
    ok(told.kind == TOLD_SEEN && told.seen.answer == REDUCE_INTERESTING, "beside a witness");
    ok(!*told.listing && !*told.second, "  where there is no code");
    job.how.witness = "sh -c 'exit 1";
    told = try_here(&job);
    is_int(told.kind, TOLD_ERROR, "a witness that is no command");
    has_str(told.error.message, "a quote is not closed", "  is told");
    interest_release(&t);
}

/* -- in processes of their own ----------------------------------------------------------------- */

static int shows(const char *script, struct interest_seen *seen, struct error *e)
{
    struct program_file file;
    struct reduce_case given = case_of(&file, script, "bad");
    *e = (struct error){0};
    int status = interest_try(&t, &given, &(struct interest_how){0}, seen, e);
    return status ? status : (int)seen->answer;
}

static void test_tries(void)
{
    struct interest_seen seen;
    struct error e;
    const char *said;
    static const volatile int stop = 1;
    begin("one bad", crashes);
    is_int(shows(BAD_CRASHES, &seen, &e), REDUCE_INTERESTING, "a crash");
    is_str(seen.signature, "bad build-crash: SIGSEGV", "  with its signature");
    is_int(shows("", &seen, &e), REDUCE_BORING, "none");
    is_int(interest_ask(&t, "-c 'echo \"one  two\"; echo three >&2; pwd; ls'", &said, &e), 0,
           "the compiler is asked");
    ok(!strncmp(said, "one  two\n", 9) && strstr(said, "\nthree\n"), "  and answers: %s", said);
    is_int(interest_ask(&t, "'-c", &said, &e), -1, "a quote without an end");
    has_str(e.message, "''-c': a quote is not closed", "  is told");
    static const char *const nobody[] = {"/nowhere/cc", NULL};
    t.config.testbeds[0].compile = nobody;
    is_int(shows("", &seen, &e), -1, "a compiler that cannot be started");
    ok(e.kind == ERROR_ENVIRONMENT && strstr(e.message, "bad: "), "  is told: %s", e.message);
    t.config.testbeds[0].compile = scripted_steps;
    is_int(shows(BAD_CRASHES, &seen, &e), REDUCE_INTERESTING, "  and forgotten");

    const char *part = arena_printf(&f.a, "%s/part", f.dir);
    const char *const files[] = {part, NULL};
    must(fs_write(part, "x", 1, &e), &e);
    struct testbed_identity identity = {.files = files};
    identity.stamp = identity_stamp(&identity);
    t.config.testbeds[0].identity = &identity;
    is_int(shows(BAD_CRASHES, &seen, &e), REDUCE_INTERESTING, "the same compiler");
    must(fs_write(part, "xyz", 3, &e), &e);
    is_int(shows(BAD_CRASHES, &seen, &e), -1, "another one in its place");
    is_str(e.message,
           "bad (/bin/sh) was replaced or removed meanwhile: the same command starts over with the "
           "current one",
           "  is told");
    interest_release(&t);
    begin_spec("one bad", crashes, "", "", (struct interest_spec){.stop = &stop});
    is_int(shows("sleep 100", &seen, &e), -1, "stopped");
    is_int(e.kind, ERROR_NONE, "  is no error");
    interest_release(&t);
}

/* -- the original ------------------------------------------------------------------------------ */

static int begins(const char *script, const char **why)
{
    struct program_file file;
    struct error e = {0};
    struct reduce_case given = case_of(&file, script, "bad");
    return interest_begin(&t, &given, why, &e);
}

static void test_original(void)
{
    const char *why = "", *count = arena_printf(&f.a, "%s/count", f.dir);
    const char *once = arena_printf(&f.a, "[ $1 = build ] && echo >>%s\n" BAD_CRASHES, count);
    struct strbuf lines;
    struct error e;
    begin("one bad", crashes);
    is_int(begins(BAD_CRASHES, &why), 1, "it shows again");
    is_str(t.signature, "bad build-crash: SIGSEGV", "  by which it is known from now on");
    ok(t.times == 1 && t.from_bytes == strlen(BAD_CRASHES) && t.best_bytes == t.from_bytes,
       "  once is enough");
    t.signature = NULL;
    is_int(begins("exit 7", &why), 0, "it does not");
    is_str(why, "it did not reproduce in 2 tries: build-crash on bad is now build-fail, exit 7",
           "  which is told");
    is_int(begins("", &why), 0, "it does not, and all is well");
    is_str(why, "it did not reproduce in 2 tries: build-crash on bad is now ok, exit 0", "  too");
    c.finding.state = FINDING_FLAKY;
    is_int(begins("", &why), 0, "a flaky one");
    has_str(why, "reproduce in 10 tries", "  has ten chances");
    is_int(begins(once, &why), 1, "  and shows");
    is_int(t.times, 2, "  and must from now on show twice");
    strbuf_init(&lines, 0);
    must(fs_read(count, &lines, &e), &e);
    is_int(lines.n, 1, "  after one that does");
    is_int(
        try_here(&(struct interest_job){
                     .c = &(struct reduce_case){scripted_program(&(struct program_file){0}, once),
                                                "bad"}})
            .seen.answer,
        REDUCE_INTERESTING, "  twice");
    strbuf_clear(&lines);
    must(fs_read(count, &lines, &e), &e);
    is_int(lines.n, 3, "  each time");
    interest_release(&t);
    strbuf_release(&lines);

    static const char unclean[] = BAD_IS_WRONG "case $* in run*sanitize*) kill -SEGV $$;; esac\n";
    begin("g:one two bad", wrong);
    is_int(t.n_sanitizers, 1, "a sanitizer");
    is_int(begins(unclean, &why), 1, "  that cannot judge the original");
    is_int(t.n_sanitizers, 0, "  judges nothing");
    interest_release(&t);
}

/* -- limits ------------------------------------------------------------------------------------ */

/* Milliseconds that a right compiler and its program were recorded to need, and what the limits on
 * a compiler with these are then. The costs of this test itself are next to nothing. */
static void test_limits(void)
{
    static const struct {
        const char *what;
        struct verdict found;
        const char *script;
        int64_t build, run, compile_cpu, run_cpu;
        int64_t wanted_compile, wanted_run, compile_wall;
    } all[] = {
        {"nothing is known: a second", crashes, BAD_CRASHES, 0, 0, 60000, 60000, 1000, 1000, 20000},
        {"ten times as much", crashes, BAD_CRASHES, 300, 400, 60000, 60000, 3000, 4000, 30000},
        {"  unless it had less", crashes, BAD_CRASHES, 300, 400, 2000, 3000, 2000, 3000, 30000},
        {"  or nothing", crashes, BAD_CRASHES, 300, 400, 0, 0, 3000, 4000, 30000},
        {"of a hanging compiler five", build_hangs, "[ $2 = bad ] && " ENDLESS ":", 400, 400, 100,
         60000, 100, 4000, 20000},
        {"of a hanging program ten", hangs, "[ $1$2 = runbad ] && " ENDLESS ":", 300, 400, 60000,
         100, 3000, 100, 30000},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const char *why;
        begin_spec("one two bad", all[i].found, "one two bad", "", (struct interest_spec){0});
        c.observations[0].observation.build.cpu_us = 100 * 1000;
        c.observations[1].observation.build.cpu_us = all[i].build * 1000;
        c.observations[1].observation.run.cpu_us = all[i].run * 1000;
        c.observations[2].observation.build.cpu_us = 3600 * 1000000LL; /* of the accused */
        if (all[i].build < 100)
            c.observations[0].observation.build.cpu_us = 0;
        for (int k = 0; k < 3; k++) {
            t.config.testbeds[k].limits.compile.cpu_ms = all[i].compile_cpu;
            t.config.testbeds[k].limits.run.cpu_ms = all[i].run_cpu;
            t.patient.testbeds[k].limits = t.config.testbeds[k].limits;
        }
        is_int(begins(all[i].script, &why), 1, "%s", all[i].what);
        for (int k = 0; k < 3; k++) {
            is_int(t.config.testbeds[k].limits.compile.cpu_ms, all[i].wanted_compile,
                   "  to compile");
            is_int(t.config.testbeds[k].limits.run.cpu_ms, all[i].wanted_run, "  to run");
            is_int(t.config.testbeds[k].limits.compile.wall_ms, all[i].compile_wall,
                   "  by the clock");
        }
        is_int(t.patient.testbeds[0].limits.compile.cpu_ms, all[i].compile_cpu,
               "  what it had is not forgotten");
        interest_release(&t);
    }
}

/* -- what slips -------------------------------------------------------------------------------- */

/* The answer on a candidate that should print 1. */
static enum reduce_answer slip(const char *script, const char *flags)
{
    struct program_file file;
    struct reduce_case given = case_of(&file, script, flags);
    enum reduce_answer answer = REDUCE_INTERESTING;
    struct error e = {0};
    int slot = -1;
    given.program.expected = bytes_of("1\n");
    must(t.test.begin(t.test.of, 0, &given, &e), &e);
    must(t.test.end(t.test.of, &slot, &answer, &e), &e);
    if (slot != 0)
        BUG("slot %d", slot);
    return answer;
}

/* It is kept once, where it shows each time. */
static void test_slips(void)
{
    static const char dying[] =
        "[ $1$2 = buildbad ] && { echo 'internal error: one'; kill -SEGV $$; }; echo 1";
    const char *count = arena_printf(&f.a, "%s/slips", f.dir), *why = "";
    const char *twice = arena_printf(&f.a,
                                     "[ $1$2 = buildbad ] && { echo >>%s; [ $(wc -l <%s) -lt 3 ] "
                                     "&& { echo 'error: twice' >&2; exit 1; }; }; echo 1",
                                     count, count);
    int before = count_matches(&f, all_findings);
    begin("one two bad", crashes);
    is_int(begins(dying, &why), 1, "a crash");
    is_int(slip(BAD_IS_WRONG, "bad"), REDUCE_BORING, "something else shows");
    is_int(count_matches(&f, all_findings), before + 1, "  and is kept");
    is_int(t.slips, 1, "  and counted");
    is_int(slip(BAD_IS_WRONG, "bad"), REDUCE_BORING, "it shows again");
    is_int(t.slips, 1, "  and is known");
    is_int(slip("exit 1", "worse"), REDUCE_BORING, "with other flags it is rejected");
    is_int(t.slips, 1, "  which it may need");
    is_int(slip(twice, "bad"), REDUCE_BORING, "what shows twice");
    is_int(t.slips, 1, "  is not sure");
    is_int(slip("[ $2 = bad ] && { echo 'error: twice' >&2; exit 1; }; echo 1", "bad"),
           REDUCE_BORING, "what was not");
    is_int(t.slips, 1, "  is not asked again");
    is_int(slip("[ $1$2 = runbad ] && kill -SEGV $$; echo 1", "bad"), REDUCE_BORING,
           "yet another anomaly");
    is_int(t.slips, 2, "  is kept, too");
    is_int(count_matches(&f, all_findings), before + 2, "  two in all");
    is_int(slip(dying, "bad"), REDUCE_INTERESTING, "and it is still found");
    interest_release(&t);
    begin("one two bad", crashes);
    t.signature = "x";
    slip(BAD_IS_WRONG, "bad");
    is_int(t.slips, 0, "in another reduction: the store has it already");
    is_int(count_matches(&f, all_findings), before + 2, "  and no more");
    for (int i = 0; i < 10; i++)
        slip(arena_printf(&f.a, "[ $2 = bad ] && { echo 'error: %c' >&2; exit 1; }; echo 1",
                          'a' + i),
             "bad");
    is_int(t.slips, 8, "eight in one reduction");
    interest_release(&t);
}

/* -- what is remembered ------------------------------------------------------------------------ */

static const char *hash_of(int i)
{
    return arena_printf(&f.a, "%032x", (unsigned)i);
}

static void test_answers(void)
{
    struct store_answer *list;
    struct error e = {0};
    int n;
    begin("one bad", crashes);
    is_int(t.test.recall(t.test.of, hash_of(0)), -1, "nothing is known");
    t.row.why = "attempt 1";
    for (int i = 0; i < 49; i++)
        t.test.note(t.test.of, hash_of(i), i % 3 ? REDUCE_BORING : REDUCE_INTERESTING);
    is_str(t.row.why, "", "who gets an answer gets on");
    must(store_answers(f.s, c.finding.id, &f.a, &list, &n, &e), &e);
    is_int(n, 0, "49 answers are kept here");
    t.test.note(t.test.of, hash_of(49), REDUCE_BORING);
    must(store_answers(f.s, c.finding.id, &f.a, &list, &n, &e), &e);
    is_int(n, 50, "50 are written");
    t.test.note(t.test.of, hash_of(50), REDUCE_INTERESTING);
    t.flush_ms -= 3000;
    t.test.note(t.test.of, hash_of(51), REDUCE_BORING);
    must(store_answers(f.s, c.finding.id, &f.a, &list, &n, &e), &e);
    is_int(n, 52, "  or fewer, after a while");
    t.test.note(t.test.of, hash_of(52), REDUCE_BORING);
    is_int(interest_flush(&t, &e), 0, "  or when they are asked for");
    is_int(interest_flush(&t, &e), 0, "  where there are none, too");
    interest_release(&t);
    begin("one bad", crashes);
    int right = 0;
    for (int i = 0; i < 53; i++)
        right += t.test.recall(t.test.of, hash_of(i)) == (i < 50 && i % 3 == 0) || i == 50;
    is_int(right, 53, "all are known the next time");
    is_int(t.test.recall(t.test.of, hash_of(50)), 1, "  interesting ones, too");
    is_int(t.test.recall(t.test.of, hash_of(60)), -1, "  and no others");
    must(store_answers_drop(f.s, c.finding.id, &e), &e);
    interest_release(&t);
}

static void test_rows(void)
{
    struct store_reduction row;
    struct interest_board board = {0};
    struct program_file file;
    struct error e = {0};
    begin_spec("one bad", crashes, "", "", (struct interest_spec){.board = &board});
    figures.pass = "a pass with a name of more than thirty-two characters";
    figures.stats = (struct reduce_stats){.tests = 5, .remembered = 6, .refused = 7, .kept = 8};
    t.row.tests = 10;
    t.row.remembered = 20;
    t.row.refused = 30;
    t.row.kept = 40;
    t.row.wall_ms = 50000;
    t.reduction = &figures;
    t.from_bytes = 1000;
    struct reduce_case better = case_of(&file, "twelve bytes", "-O1");
    t.test.better(t.test.of, &better, "");
    ok(!t.has_failed, "a better one");
    is_int(store_reduction_get(f.s, c.finding.id, &f.a, &row, &e), 0, "  is in the store");
    ok(row.tests == 15 && row.remembered == 26 && row.refused == 37 && row.kept == 48,
       "  with the figures of this run added");
    ok(row.wall_ms >= 50000 && row.wall_ms < 110000 && row.cpu_us > 0, "  and what it took");
    is_str(row.flags, "-O1", "  its flags");
    is_int(row.bytes, 12, "  its size");
    char hash[PROGRAM_HASH_SIZE];
    program_hash(&better.program, hash);
    is_str(row.program, hash, "  and itself");
    ok(board.finding == c.finding.id && board.from_bytes == 1000 && board.bytes == 12 &&
           board.began_ms == t.began_ms,
       "and the board");
    char pass[sizeof board.pass];
    for (size_t i = 0; i < sizeof pass; i++)
        pass[i] = board.pass[i];
    is_str(pass, "a pass with a name of more than", "  tells of it");
    interest_progress(&t, 7);
    is_int(board.bytes, 7, "  how far it is");
    interest_release(&t);
    is_int(board.finding, 0, "  until it is over");
    begin("one bad", crashes);
    ok(t.row.tests == 15 && t.row.bytes == 12, "the next time goes on from there");
    interest_release(&t);
}

/* -- what is shown ----------------------------------------------------------------------------- */

/* What is said on standard error. */
static const char *said(enum interest_show show, int64_t last_ms, const char *pass)
{
    const char *path = arena_printf(&f.a, "%s/said", f.dir);
    struct strbuf text;
    struct error e;
    strbuf_init(&text, 0);
    fflush(stderr);
    int kept = dup(STDERR_FILENO);
    if (!freopen(path, "w", stderr))
        BUG("no output");
    begin_spec("one bad", crashes, "", "", (struct interest_spec){.show = show});
    figures.pass = pass;
    figures.stats = (struct reduce_stats){.tests = 1800};
    t.reduction = &figures;
    t.from_bytes = 90;
    t.began_ms -= 600000;
    t.shown_ms -= last_ms;
    interest_progress(&t, 9);
    interest_progress(&t, 8);
    interest_hide(&t);
    interest_hide(&t);
    fflush(stderr);
    dup2(kept, STDERR_FILENO);
    close(kept);
    interest_release(&t);
    must(fs_read(path, &text, &e), &e);
    const char *out = arena_strdup(&f.a, text.s);
    strbuf_release(&text);
    return out;
}

static void test_shown(void)
{
    is_str(said(INTEREST_QUIET, 60000, "lines"), "", "nothing");
    is_str(said(INTEREST_LINES, 1000, "lines"), "", "not too often");
    has_str(said(INTEREST_LINES, 6000, "lines"),
            ": lines: 9 of 90 bytes, 1800 tests, 3.0/s, 10m 00s\n", "a line");
    has_str(said(INTEREST_LINES, 6000, ""), ": starting: 9 of 90 bytes", "ahead of the first pass");
    is_str(said(INTEREST_TERMINAL, 20, "lines"), "", "on a terminal not too often, either");
    const char *drawn = said(INTEREST_TERMINAL, 300, "lines");
    has_str(drawn, "\r\033[?7lfinding ", "on a terminal");
    has_str(drawn, ": lines: 9 of 90 bytes, 1800 tests, 3.0/s, 10m 00s\033[K\033[?7h\r\033[K",
            "  a line that goes");
    ok(!strstr(drawn, "8 of"), "  and no more of them");
    is_str(strstr(drawn, "\r\033[K"), "\r\033[K", "  once");
}

int main(void)
{
    int files = tap_open_files();
    setup(&f, 7);
    figures.pass = "";
    regcomp(&suspicious.regex, suspicious.text, REG_EXTENDED);
    test_chosen();
    test_candidates();
    test_instead();
    test_told();
    test_unstarted();
    test_costs();
    test_inputs();
    test_unoptimised();
    test_status();
    test_witness();
    test_tries();
    test_original();
    test_limits();
    test_slips();
    test_answers();
    test_rows();
    test_shown();
    regfree(&suspicious.regex);
    teardown(&f);
    is_int(tap_open_files(), files, "no file is left open");
    return tap_done();
}
