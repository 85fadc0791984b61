/* Whole campaigns in this process: what is done with each seed, when it is over, and what is told.
 *
 * The generator is a script that prints a line with its seed, the compilers are scripts that look
 * for that line. */
#include "base/log.h"
#include "campaign/campaign_internal.h"
#include "campaign/trust.h"
#include "inquiry/avoid.h"
#include "store/denied.h"
#include "testbed/extensions.h"
#include "testbed/identity.h"

#include <sys/stat.h>
#include <unistd.h>

enum { N = 3 };

static struct arena arena;
static struct error e;
static char top[PATH_MAX / 2];
static const char *top_path = top;
static struct testbed beds[N];
static struct pattern crash_line;
static struct campaign_config config;
static struct campaign_summary sum;
static const char *db; /* of the last campaign */
static int64_t took_ms;

static const char *in(const char *name)
{
    return arena_printf(&arena, "%s/%s", top, name);
}

static void put(const char *name, const char *text)
{
    must(fs_write(in(name), text, strlen(text), &e), &e);
    must(chmod(in(name), 0755), &e);
}

static const char *text_of(const char *path)
{
    struct strbuf text;
    strbuf_init(&text, 0);
    const char *out = fs_read(path, &text, NULL) ? "" : arena_strdup(&arena, text.s);
    strbuf_release(&text);
    return out;
}

/* Seed 3 crashes the last compiler, 4 is miscompiled, 5 crashes it the first time that it is seen,
 * 6 is rejected by all; 13 kills the worker, 14 is no program. */
static void make_scripts(void)
{
    put("gen.sh", "case $1 in\n"
                  "13) kill -ABRT $PPID; sleep 5 ;;\n"
                  "14) echo 'no luck' >&2; exit 1 ;;\n"
                  "esac\n"
                  "echo \"int x$1;\"\n");
    put("tiny.ini", arena_printf(&arena,
                                 "[generator]\nname = tiny\nlanguage = c\ncommand = sh %s/gen.sh "
                                 "{seed}\ntrusted = yes\n",
                                 top));
    put("good", "#!/bin/sh\ngrep -q 'x6;' $2 && { echo 'error: six' >&2; exit 1; }\n"
                "printf '#!/bin/sh\\necho 1\\n' >$1; chmod +x $1\n");
    put("bad", arena_printf(
                   &arena,
                   "#!/bin/sh\n"
                   "[ -n \"$2\" ] || exit 1\n"
                   "case $(cat $2) in\n"
                   "*'int x3;'*) echo 'internal error: three' >&2; exit 1 ;;\n"
                   "*'int x4;'*) printf '#!/bin/sh\\necho 2\\n' >$1; chmod +x $1; exit ;;\n"
                   "*'int x5;'*) [ -e %s/five ] || { : >%s/five; echo 'internal error: five' >&2; "
                   "exit 1; } ;;\n"
                   "esac\n"
                   "exec %s/good $1 $2\n",
                   top, top, top));
}

static void make_beds(void)
{
    static const char *const steps[] = {"{cc} {exe} {src}", NULL};
    static const char *const names[N] = {"good1", "good2", "bad"};
    for (int i = 0; i < N; i++)
        beds[i] = (struct testbed){.name = names[i],
                                   .toolchain = names[i],
                                   .compiler = names[i],
                                   .path = in(i < 2 ? "good" : "bad"),
                                   .version = "1",
                                   .language = "c",
                                   .suffix = ".c",
                                   .flags = "",
                                   .model = "lp64",
                                   .reference = i < 2,
                                   .compile = steps,
                                   .run = "{exe}",
                                   .crash = &crash_line,
                                   .n_crash = 1,
                                   .limits = {.compile = {.wall_ms = 60000, .cpu_ms = 50000},
                                              .run = {.wall_ms = 60000, .cpu_ms = 50000}}};
}

/* A campaign of so many tests in this folder, by one worker. */
static void prepare(const char *dir, uint64_t seed, int64_t tests)
{
    config = (struct campaign_config){
        .dir = in(dir),
        .generator = "tiny",
        .gen = {.dirs = &top_path, .n_dirs = 1},
        .options = {.testbeds = "mine"},
        .first_seed = seed,
        .test = {.testbeds = beds, .n_testbeds = N, .oracle = oracle_defaults},
        .tries = 3,
        .workers = 1,
        .budget = {.tests = tests},
        .status = STATUS_NONE,
        .own_before_us = own_cpu_us()};
    db = arena_printf(&arena, "%s/assay.db", config.dir);
}

static int run(void)
{
    struct campaign_folder folder;
    int64_t began = clock_ms();
    e = (struct error){0};
    must(campaign_enter(config.dir, &folder, &e), &e);
    int status = campaign_run(&config, &sum, &e);
    campaign_leave(&folder);
    took_ms = clock_ms() - began;
    return status;
}

static int64_t number(const char *sql)
{
    return ask_number(db, sql);
}

static const char *log_text(void)
{
    return text_of(arena_printf(&arena, "%s/assay.log", config.dir));
}

/* Between this and the end of it, standard output goes to a file. */
static int run_told(enum status_mode mode, const char **told)
{
    fflush(stdout);
    int kept = dup(STDOUT_FILENO);
    if (!freopen(in("told"), "w", stdout))
        BUG("no output");
    config.status = mode;
    int status = run();
    fflush(stdout);
    dup2(kept, STDOUT_FILENO);
    close(kept);
    *told = text_of(in("told"));
    return status;
}

static bool is_clean(void)
{
    return is_sound(db) && books_are_right(db) &&
           number("SELECT count(*) FROM claim WHERE worker IS NOT NULL") == 0;
}

/* -- rounds ------------------------------------------------------------------------------------ */

static void test_rounds(void)
{
    prepare("c", 1, 6);
    config.own_before_us -= 1000 * 1000000LL; /* a thousand seconds that are the campaign's */
    is_int(run(), 0, "six tests: %s", e.message);
    ok(sum.tests == 6 && sum.campaign == 1 && !sum.interrupted, "  are counted");
    is_int(sum.new_findings, 3, "  with what they found");
    ok(campaign_is_trusted(config.dir), "  in a folder of ours");
    ok(is_clean(), "  and nothing is left in hand");
    is_int(number("SELECT count(*) FROM finding WHERE state = 'confirmed'"), 2, "  two are sure");
    is_int(number("SELECT count(*) FROM finding WHERE state = 'flaky' AND seed = 5"), 1,
           "  one is flaky");
    is_int(number("SELECT min(seen) = 1 AND max(seen) = 3 AND min(tried) = 3 AND max(tried) = 3 "
                  "FROM finding"),
           1, "  after three tries");
    is_int(number("SELECT own_us / 1000000 / 100 FROM campaign"), 10,
           "  the time of this process is in the books");
    ok(number("SELECT elapsed_ms FROM campaign") > 0 &&
           number("SELECT elapsed_ms FROM campaign") <= took_ms,
       "  the time by the clock, too");
    ok(number("SELECT generate_us > 0 AND build_us > 0 AND run_us > 0 FROM campaign") == 1,
       "  and that of the others");
    has_str(log_text(), ", campaign 1, 1 workers, 3 testbeds\n", "the log tells who is at work");
    has_str(log_text(), "seed 3, confirmed: bad build-crash: internal error: three", "  and what");
    has_str(log_text(), "all tests are done: 3 new findings\n", "  and how it ended");

    prepare("c", 77, 4);
    is_int(run(), 0, "another round");
    ok(sum.tests == 4 && sum.campaign == 1 && !sum.new_findings, "  goes on by itself");
    is_int(number("SELECT max(number) FROM test"), 9, "  where the first ended");
    ok(is_clean(), "  and is clean");
    ok(number("SELECT own_us / 1000000 / 100 FROM campaign") == 10,
       "  what was before it is not charged");
    prepare("c", 20, 4);
    config.options.testbeds = "others";
    config.workers = 3;
    is_int(run(), 0, "other options");
    ok(sum.campaign == 2 && sum.tests == 4, "  are another campaign");
    is_int(number("SELECT count(*) FROM test JOIN campaign c ON c.id = campaign WHERE c.id = 2 AND "
                  "first_seed = 20"),
           4, "  with a first seed of its own; three workers");
    ok(is_clean(), "  do each once");
    is_int(number("SELECT count(*) FROM incident"), 0, "nothing went wrong");
}

/* What is enough. */
static void test_budgets(void)
{
    prepare("few", 2, 0);
    config.budget = (struct campaign_budget){.findings = 2};
    is_int(run(), 0, "until there are findings");
    ok(sum.new_findings >= 2 && sum.new_findings <= 3, "  enough of them: %lld",
       (long long)sum.new_findings);
    is_int(number("SELECT count(*) FROM finding WHERE state = 'new'"), 0, "  all are confirmed");
    has_str(log_text(), "enough was found: ", "  which is told");
    ok(is_clean() && !sum.interrupted, "  and it is over");

    prepare("time", 20, 0);
    config.budget = (struct campaign_budget){.ms = 1500};
    is_int(run(), 0, "until the time is up");
    ok(took_ms >= 1000 && sum.tests > 0, "  as long as it may");
    has_str(log_text(), "the time is up: ", "  which is told");
    ok(is_clean(), "  and it is over");
    int64_t before = number("SELECT elapsed_ms FROM campaign");
    is_int(run(), 0, "  and again as long");
    ok(number("SELECT elapsed_ms FROM campaign") >= before + 1000, "  as a round of its own");

    prepare("cpu", 20, 0);
    config.budget = (struct campaign_budget){.cpu_us = 200000};
    is_int(run(), 0, "until the CPU time is spent");
    has_str(log_text(), "the CPU time is spent: ", "  which is told");
    ok(number("SELECT generate_us + build_us + run_us + own_us FROM campaign") >= 200000 &&
           is_clean(),
       "  and it is");
}

static void test_stopped(void)
{
    static const volatile int stop = 1;
    prepare("stopped", 1, 5);
    config.stop = &stop;
    is_int(run(), 0, "stopped ahead of its first test");
    ok(sum.interrupted && sum.tests < 5, "  it is interrupted");
    has_str(log_text(), "stopped: ", "  which is told");
    ok(is_clean(), "  what was in hand is given back");
    int64_t before = sum.tests;
    config.stop = NULL;
    is_int(run(), 0, "the same command");
    ok(sum.tests == 5 && !sum.interrupted, "  goes on with its round, after %lld tests",
       (long long)before);
    is_int(number("SELECT count(*) = 5 AND max(number) = 4 FROM test"), 1, "  to its end");
    ok(took_ms < 60000, "  without waiting");
}

/* -- what goes wrong --------------------------------------------------------------------------- */

static void test_deaths(void)
{
    prepare("deaths", 12, 4);
    is_int(run(), 0, "a seed on which workers die");
    is_int(sum.tests, 4, "  is left");
    is_int(number("SELECT count(*) FROM incident WHERE seed = 13 AND what LIKE 'the worker died of "
                  "SIGABRT%'"),
           WORKER_ATTEMPTS, "  after three have died");
    is_int(number("SELECT count(*) FROM incident WHERE seed = 14 AND what LIKE '%no luck%'"), 1,
           "one that yields no program");
    ok(is_clean(), "  and the books are right");
    has_str(log_text(), "seat 0: the worker died of SIGABRT", "  the log has both");
    has_str(log_text(), "seed 14: tiny failed: exit status 1", "  of them");

    put("die.sh", "kill -ABRT $PPID; sleep 5\n");
    put("deadly.ini", arena_printf(&arena,
                                   "[generator]\nname = deadly\nlanguage = c\ncommand = sh "
                                   "%s/gen.sh {seed}\nprobe = sh %s/die.sh\ntrusted = yes\n",
                                   top, top));
    prepare("broken", 1, 100);
    config.generator = "deadly";
    is_int(run(), -1, "a generator on which all workers die");
    is_str(
        e.message,
        "workers die faster than they finish tests (the worker died of SIGABRT): see `assay show "
        "incidents`",
        "  ends it");
    is_int(number("SELECT count(*) FROM incident"), 20, "  after twenty of them");
    has_str(log_text(), "stopped: 0 new findings: workers die faster", "  which is told");

    prepare("none", 1, 3);
    config.generator = "nobody";
    is_int(run(), -1, "a generator that is not there");
    ok(e.kind == ERROR_ENVIRONMENT && strstr(e.message, "nobody"), "  ends it: %s", e.message);
    has_str(log_text(), "supervisor: error: worker 0 gave up: ", "  by a worker that says why");
    is_int(number("SELECT count(*) FROM claim"), 0, "  and holds nothing");
}

/* -- what is made ------------------------------------------------------------------------------ */

static uint64_t extension_of(const char *construct)
{
    uint64_t set = 0;
    for (int i = 0; i < n_extensions; i++)
        if (extensions[i].construct && !strcmp(extensions[i].construct, construct))
            set |= UINT64_C(1) << i;
    return set;
}

/* What no compiler has is in no program, what some lack in half of them. */
static void test_lacking(void)
{
    const char *told;
    struct store *s;
    struct finding *found;
    int n, wrong = 0;
    prepare("lacking", 100, 8);
    config.generator = "smith";
    config.options.settings = "";
    config.gen.config = "size=50,max-funcs=1";
    put("bad", "#!/bin/sh\n[ -n \"$2\" ] || exit 1\necho 'internal error: all' >&2\nexit 1\n");
    for (int i = 0; i < N; i++)
        beds[i].lacks_extensions = extension_of("128-bit integers");
    beds[1].lacks_extensions |= extension_of("packed structs");
    is_int(run_told(STATUS_PLAIN, &told), 0, "compilers that lack something: %s", e.message);
    has_str(told, "programs omit features that no testbed supports: 128-bit integers\n",
            "  is told");
    has_str(told, "every other program omits features that some testbeds lack: packed structs\n",
            "  for both");
    const char *first = strstr(told, "programs omit features");
    ok(first && !strstr(first + 1, "programs omit features"), "  once");
    must(store_open(db, STORE_READ, &s, &e), &e);
    must(store_findings(s, &all_findings, &arena, &found, &n, &e), &e);
    ok(n >= 8, "  all are found");
    for (int i = 0; i < n; i++) {
        struct program p;
        must(store_program(s, found[i].program, &arena, &p, &e), &e);
        bool avoids = avoidance_applies(p.made.seed, AVOID_LACKING);
        wrong += !strstr(p.made.config, "int128=0") ||
                 (strstr(p.made.config, "packed=0") != NULL) != avoids;
    }
    store_close(s);
    is_int(wrong, 0, "  none is in all, the other in half of them");
    make_scripts();
    make_beds();
}

/* -- reductions -------------------------------------------------------------------------------- */

static void test_reduces(void)
{
    struct store *s;
    struct store_reduction row;
    prepare("reduces", 2, 2);
    config.reduce = true;
    is_int(run(), 0, "a campaign that reduces: %s", e.message);
    is_int(number("SELECT count(*) FROM reduction WHERE state = 'done'"), 1, "  what it found");
    has_str(log_text(), "finding 1, reduction done: ", "  which is told");
    is_int(number("SELECT count(*) FROM blame"), 1, "  with the question of blame");
    ok(is_clean(), "  and it is clean");
    for (int attempt = 2; attempt <= 3; attempt++) {
        const char *why = arena_printf(&arena, "attempt %d", attempt);
        must(store_open(db, STORE_WRITE, &s, &e), &e);
        must(store_reduction_get(s, 1, &arena, &row, &e), &e);
        row.state = REDUCTION_BEGUN;
        row.why = why;
        must(store_reduction_put(s, &row, NULL, &e), &e);
        store_close(s);
        config.budget.tests = 1;
        is_int(run(), 0, "one on which %d workers died", attempt);
        must(store_open(db, STORE_READ, &s, &e), &e);
        must(store_reduction_get(s, 1, &arena, &row, &e), &e);
        store_close(s);
        is_int(row.state, attempt == 2 ? REDUCTION_DONE : REDUCTION_FAILED, "  is it tried again?");
    }
    is_int(number("SELECT count(*) FROM reduction WHERE state = 'failed' AND why LIKE 'assay "
                  "itself crashed each time%'"),
           1, "  it says why it is not");
}

/* -- a store that fails ------------------------------------------------------------------------ */

/* What a campaign needs first and last is tried in the gate, all the rest at length. */
static bool is_quick(const char *table, bool writes)
{
    static const char *const read[] = {"mark", NULL}, *const written[] = {"campaign", "claim",
                                                                          "finding", "reduction",
                                                                          NULL};
    for (const char *const *at = writes ? written : read; *at; at++)
        if (!strcmp(*at, table))
            return true;
    return false;
}

/* Whatever cannot be read or written ends the campaign with an error; it goes on another time. */
static void test_failing_store(void)
{
    denied_begin_everywhere();
    for (int i = 0; i < 2 * DENIED_TABLES; i++) {
        struct denied *d = denied_everywhere;
        const char *table = denied_tables[i / 2];
        if (!tap_amount(is_quick(table, i % 2), 1))
            continue;
        unlink(in("five"));
        prepare(arena_printf(&arena, "fails%d", i), 3, 3);
        config.reduce = true;
        d->writes = i % 2;
        d->times = 0;
        d->table = table;
        int status = run();
        d->table = NULL;
        ok(status == (d->times ? -1 : 0) && (!status || *e.message), "%s cannot be %s: %s", table,
           i % 2 ? "written" : "read", e.message);
        if (!d->times)
            continue;
        is_int(run(), 0, "  and can again: %s", e.message);
        ok(sum.tests == 3 && is_clean(), "  it comes to its end");
    }
}

int main(void)
{
    int files = tap_open_files();
    arena_init(&arena);
    must(fs_make_temp_dir("assay-test", top, sizeof top, &e), &e);
    setenv("XDG_STATE_HOME", in("state"), 1);
    must(pattern_compile(&crash_line, "internal error", &e), &e);
    make_scripts();
    make_beds();
    put("cvise", "#!/bin/sh\nexit 3\n"); /* none that is installed here: it takes its time */
    setenv("PATH", arena_printf(&arena, "%s:%s", top, getenv("PATH")), 1);
    test_rounds();
    test_budgets();
    test_stopped();
    test_deaths();
    test_lacking();
    test_reduces();
    test_failing_store();
    pattern_release(&crash_line);
    fs_remove_tree(top);
    arena_release(&arena);
    is_int(tap_open_files(), files, "no file is left open");
    return tap_done();
}
