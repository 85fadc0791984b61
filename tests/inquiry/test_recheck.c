/* Known bugs with another version of their compiler: which are run again, what that says, and where
 * their compilers are to be looked for. */
#include "inquiry/found.h"
#include "inquiry/known.h"
#include "store/denied.h"

#include <unistd.h>

static struct fixture f;
static struct pattern crash_line;
static struct found found;
static const char *told; /* a line for each */

#define RIGHT "printf '#!/bin/sh\\necho 1\\n' >program.exe; chmod +x program.exe\n"
#define WRONG "printf '#!/bin/sh\\necho 2\\n' >program.exe; chmod +x program.exe\n"
#define CRASHES "echo 'internal error: in pass 7' >&2; exit 1\n"

static void tell(void *to, const struct known_checked *c)
{
    ok(to == &found, "told to whoever asked");
    told = arena_printf(&f.a, "%s%s %s, by %s %s, before %s: %s\n", told, c->testbed, c->signature,
                        c->toolchain, c->version, c->before, mark_name[c->mark]);
}

static int recheck(bool all, const volatile int *stop)
{
    told = "";
    f.e = (struct error){0};
    return known_recheck(f.s, found.beds, found.n, all, stop, tell, &found, &f.e);
}

static struct store_mark mark_of(int64_t finding)
{
    struct store_mark *marks;
    int n;
    must(store_marks(f.s, &f.a, &marks, &n, &f.e), &f.e);
    for (int i = 0; i < n; i++)
        if (marks[i].finding == finding)
            return marks[i];
    BUG("no mark of finding %lld", (long long)finding);
}

static void mark(int64_t finding, enum mark as, const char *version, const char *note)
{
    must(store_mark_put(
             f.s,
             &(struct store_mark){.finding = finding, .mark = as, .version = version, .note = note},
             &f.e),
         &f.e);
}

/* The only known bug: a finding that was seen with version 1. */
static int64_t begin(const struct found_how *how, const struct program *p)
{
    struct store_mark *marks;
    int n;
    must(store_marks(f.s, &f.a, &marks, &n, &f.e), &f.e);
    for (int i = 0; i < n; i++)
        mark(marks[i].finding, MARK_NONE, "", "");
    found_begin(&f, how, p, &crash_line, &found);
    mark(found.c.finding.id, MARK_KNOWN, "1", "PR 7");
    found.beds[found.n - 1].version = "2";
    return found.c.finding.id;
}

static struct program written(struct program_file *file, const char *content)
{
    *file = (struct program_file){"t.c", content, strlen(content)};
    return (struct program){.language = "c",
                            .files = file,
                            .n_files = 1,
                            .needs = "",
                            .trusted = true,
                            .made = {"nobody", "1", "", 1, NULL}};
}

/* -- what it does now -------------------------------------------------------------------------- */

enum { OPEN, STILL, FIXED };

static const struct {
    const char *what;
    enum anomaly anomaly;
    enum evidence evidence;
    const char *now, *others; /* scripts */
    bool others_see_it;       /* they are there now */
    const char *expected;
    bool build_only;
    int result;
} cases[] = {
    {"a crash", ANOMALY_BUILD_CRASH, EVIDENCE_SELF, CRASHES, NULL, false, NULL, false, STILL},
    {"  that is gone", ANOMALY_BUILD_CRASH, EVIDENCE_SELF, RIGHT, NULL, false, NULL, false, FIXED},
    {"  what cannot be built now", ANOMALY_BUILD_CRASH, EVIDENCE_SELF, "exit 1\n", NULL, false,
     NULL, false, OPEN},
    {"  what crashes elsewhere now", ANOMALY_RUN_CRASH, EVIDENCE_VOTE, CRASHES, RIGHT, false, NULL,
     false, OPEN},
    {"a rejection that is gone", ANOMALY_BUILD_FAIL, EVIDENCE_VOTE, RIGHT, RIGHT, false, NULL,
     false, FIXED},
    {"a wrong output", ANOMALY_WRONG_OUTPUT, EVIDENCE_VOTE, WRONG, RIGHT, false, NULL, false,
     STILL},
    {"  that is gone", ANOMALY_WRONG_OUTPUT, EVIDENCE_VOTE, RIGHT, RIGHT, false, NULL, false,
     FIXED},
    {"  with nobody to judge", ANOMALY_WRONG_OUTPUT, EVIDENCE_VOTE, RIGHT, NULL, false, NULL, false,
     OPEN},
    {"  where the others cannot tell", ANOMALY_WRONG_OUTPUT, EVIDENCE_VOTE, RIGHT,
     "case $0 in *good1) " RIGHT ";; *) exit 1;; esac\n", false, NULL, false, OPEN},
    {"  that is known", ANOMALY_WRONG_OUTPUT, EVIDENCE_EXPECTED, WRONG, NULL, false, "1\n", false,
     STILL},
    {"  and gone", ANOMALY_WRONG_OUTPUT, EVIDENCE_EXPECTED, RIGHT, NULL, false, "1\n", false,
     FIXED},
    {"  of what must not be run", ANOMALY_WRONG_OUTPUT, EVIDENCE_EXPECTED, RIGHT, NULL, false,
     "1\n", true, OPEN},
};

static void test_cases(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct program_file file;
        struct program p = written(&file, arena_printf(&f.a, "case %zu\n", i));
        const struct found_how how = {.accused = cases[i].now,
                                      .others = cases[i].others,
                                      .verdict = {cases[i].anomaly, cases[i].evidence, 1, false},
                                      .output = "2\n",
                                      .run = "{exe}"};
        if (cases[i].expected)
            p.expected = bytes_of(cases[i].expected);
        p.build_only = cases[i].build_only;
        int64_t id = begin(&how, &p);
        is_int(recheck(false, NULL), 0, "%s: %s", cases[i].what, f.e.message);
        const struct store_mark m = mark_of(id);
        is_str(mark_name[m.mark], mark_name[cases[i].result == FIXED ? MARK_FIXED : MARK_KNOWN],
               "  its mark");
        is_str(m.version, cases[i].result == OPEN ? "1" : "2", "  the version");
        is_str(m.note, cases[i].result == FIXED ? "PR 7; not seen with bad 2" : "PR 7",
               "  the note");
        is_str(told,
               cases[i].result == OPEN ? ""
                                       : arena_printf(&f.a, "bad %s, by bad 2, before 1: %s\n",
                                                      found.c.finding.signature, mark_name[m.mark]),
               "  what is told");
    }
}

/* -- which are run ----------------------------------------------------------------------------- */

static void test_which(void)
{
    static const volatile int stop = 1;
    struct program_file file;
    const struct program p = written(&file, "which\n");
    const struct found_how how = {.accused = RIGHT, .verdict = crashed};
    int64_t id = begin(&how, &p);
    int known;
    must(known_count(f.s, &known, &f.e), &f.e);
    is_int(known, 1, "one is known");
    found.beds[0].version = "1";
    must(recheck(false, NULL), &f.e);
    is_str(told, "", "with the version that it was seen with it is not run");
    is_int(recheck(true, &stop), 0, "nor where that was stopped");
    is_str(told, "", "  with all");
    found.beds[0].name = "elsewhere";
    must(recheck(true, NULL), &f.e);
    is_str(told, "", "nor with another compiler");
    found.beds[0].name = "bad";
    mark(id, MARK_KNOWN, "", "");
    must(recheck(false, NULL), &f.e);
    is_str(told, "", "one without a version is not, either");
    must(recheck(true, NULL), &f.e);
    has_str(told, "before : fixed", "  unless all are to be");
    is_str(mark_of(id).note, "not seen with bad 1", "  the only note");
    must(known_count(f.s, &known, &f.e), &f.e);
    is_int(known, 0, "  then none is known");
    must(recheck(true, NULL), &f.e);
    is_str(told, "", "  and it is not run again");
    mark(id, MARK_WONTFIX, "0", "");
    must(recheck(false, NULL), &f.e);
    has_str(told, "before 0: fixed", "what is never fixed is run, too");
    found_begin(&f, &how, &p, &crash_line, &found);
    found.beds[0].version = "2";
    mark(id, MARK_KNOWN, "2", "");
    must(store_mark_put(
             f.s,
             &(struct store_mark){
                 .finding = found.c.finding.id, .mark = MARK_KNOWN, .version = "1", .same_as = id},
             &f.e),
         &f.e);
    must(known_count(f.s, &known, &f.e), &f.e);
    is_int(known, 1, "one that shares a mark is no other");
    must(recheck(false, NULL), &f.e);
    is_str(told, "", "  and not run");
}

/* The reduced case is what is run, with the flags that are left. It is right when it is so three
 * times. */
static void test_how(void)
{
    struct program_file file, best = {"t.c", "best\n", 5};
    struct program p = written(&file, "how\n"), reduced = p;
    const struct found_how how = {.accused = "grep -q best t.c && [ \"$1\" = -DKEEP ] && { " CRASHES
                                             "}\n" RIGHT,
                                  .flags = "-DX -DKEEP",
                                  .verdict = crashed};
    int64_t id = begin(&how, &p);
    reduced.files = &best;
    must(store_reduction_put(
             f.s,
             &(struct store_reduction){.finding = id, .state = REDUCTION_DONE, .flags = "-DKEEP"},
             &reduced, &f.e),
         &f.e);
    must(recheck(false, NULL), &f.e);
    has_str(told, "before 1: known", "the reduced case is run with its flags");
    const struct found_how rare = {
        .accused = arena_printf(&f.a, "echo >>%s/times; [ $(wc -l <%s/times) != 3 ] || { %s}\n%s",
                                f.dir, f.dir, CRASHES, RIGHT),
        .verdict = crashed};
    p.files[0].text = "how rare\n";
    p.files[0].size = 9;
    begin(&rare, &p);
    must(recheck(false, NULL), &f.e);
    has_str(told, "before 1: known", "what shows the third time is still there");
    const struct found_how rarer = {
        .accused = arena_printf(&f.a, "echo >>%s/more; [ $(wc -l <%s/more) != 4 ] || { %s}\n%s",
                                f.dir, f.dir, CRASHES, RIGHT),
        .verdict = crashed};
    begin(&rarer, &p);
    must(recheck(false, NULL), &f.e);
    has_str(told, "before 1: fixed", "  the fourth time nobody tries");
}

/* -- where ------------------------------------------------------------------------------------- */

static void test_places(void)
{
    struct inquiry_place *places;
    int n;
    must(known_places(f.s, &f.a, &places, &n, &f.e), &f.e);
    is_int(n, 1, "all marked cases are of one place");
    is_str(places[0].language, "c", "  its language");
    is_str(places[0].testbed_dir, some_options.testbed_dir, "  where its testbeds are from");
}

static void test_printed(void)
{
    const char *path = arena_printf(&f.a, "%s/printed", f.dir);
    struct known_checked c = {.finding = 7,
                              .signature = "gcc crash",
                              .toolchain = "gcc",
                              .version = "12",
                              .mark = MARK_KNOWN};
    struct strbuf text;
    strbuf_init(&text, 0);
    fflush(stdout);
    int kept = dup(STDOUT_FILENO);
    if (!freopen(path, "w", stdout))
        BUG("no output");
    known_print(&c);
    c.mark = MARK_FIXED;
    known_print(&c);
    fflush(stdout);
    dup2(kept, STDOUT_FILENO);
    close(kept);
    must(fs_read(path, &text, &f.e), &f.e);
    is_str(text.s,
           "known bug 7 (gcc crash): still there with gcc 12\n"
           "known bug 7 (gcc crash): fixed, no longer reproduced with gcc 12\n",
           "for people");
    strbuf_release(&text);
}

/* -- cases of older versions --------------------------------------------------------------------
 */

/* It was reduced to this when nobody noted what it makes a compiler do. */
static void old_case(int64_t finding, const char *text)
{
    struct program_file file;
    struct program p = written(&file, text);
    must(store_reduction_put(
             f.s,
             &(struct store_reduction){.finding = finding, .state = REDUCTION_DONE, .flags = ""},
             &p, &f.e),
         &f.e);
}

static const char *constructs_of(int64_t finding)
{
    struct store_reduction row;
    must(store_reduction_get(f.s, finding, &f.a, &row, &f.e), &f.e);
    return row.constructs;
}

static void test_old(void)
{
    struct program_file file;
    const struct program p = written(&file, "old\n");
    const struct found_how how = {.accused = RIGHT, .verdict = crashed};
    int64_t ids[3];
    static const char *const texts[] = {
        "int zero; int main(void) { return 1 / zero; }\n", "no C\n",
        "int f(int x) { do x <<= 1; while (x); return x; } int main(void) { return f(1); }\n"};
    for (int i = 0; i < 3; i++) {
        ids[i] = begin(&how, &p);
        old_case(ids[i], texts[i]);
    }
    must(inquiry_look_at_old(f.s, &f.e), &f.e);
    has_str(constructs_of(ids[0]), "/", "what cannot be run has constructs, too");
    is_str(constructs_of(ids[1]), "", "what is no C has none");
    has_str(constructs_of(ids[2]), "<<", "the next one has its own");
}

/* -- a store that fails ------------------------------------------------------------------------ */

static void test_failing_store(void)
{
    struct program_file file;
    const struct program p = written(&file, "fails\n");
    const struct found_how how = {.accused = RIGHT, .verdict = crashed};
    for (int i = 0; i < 2 * DENIED_TABLES; i++) {
        struct denied denied;
        struct inquiry_place *places;
        const char *table = denied_tables[i / 2], *what, *const * settings;
        int n;
        old_case(begin(&how, &p), "int x;\n");
        denied_begin(&denied, f.s, table, i % 2);
        int status = recheck(false, NULL);
        is_int(status, denied.times ? -1 : 0, "%s cannot be %s", table, i % 2 ? "written" : "read");
        ok((*told != 0) == !status, "  which ends it");
        denied.times = 0;
        status = known_places(f.s, &f.a, &places, &n, &f.e);
        is_int(status, denied.times ? -1 : 0, "  as it does the search for places");
        denied.times = 0;
        status = known_recognise(f.s, &f.e);
        is_int(status, denied.times ? -1 : 0, "  and that for what is alike");
        denied.times = 0;
        status = known_avoid(f.s, "smith", &f.a, &settings, &n, &what, &f.e);
        is_int(status, denied.times ? -1 : 0, "  and what is to be avoided");
        denied.times = 0;
        status = inquiry_look_at_old(f.s, &f.e);
        is_int(status, denied.times ? -1 : 0, "  and the look at what was reduced before");
        denied_end(f.s);
        must(inquiry_look_at_old(f.s, &f.e), &f.e);
    }
}

int main(void)
{
    int files = tap_open_files();
    setup(&f, 0);
    must(pattern_compile(&crash_line, "internal error", &f.e), &f.e);
    test_cases();
    test_which();
    test_how();
    test_places();
    test_printed();
    test_old();
    test_failing_store();
    pattern_release(&crash_line);
    teardown(&f);
    is_int(tap_open_files(), files, "no file is left open");
    return tap_done();
}
