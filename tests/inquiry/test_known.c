/* Known bugs: which settings make what they need rarer, and which reduced findings are the same bug
 * as one that is marked. */
#include "bugs/baseline.h"
#include "inquiry/avoid.h"
#include "inquiry/known.h"
#include "inquiry/reduce.h"
#include "gen/gen.h"
#include "store/fixture.h"

/* -- the table --------------------------------------------------------------------------------- */

/* A setting that no generator takes would end every campaign that avoids it. */
static void check_settings(const char *generator, const struct avoidance *row)
{
    struct error e = {0};
    const char *settings[4];
    int n = 0;
    char *text = strdup(avoidance_settings(row, generator));
    for (char *at = text; *at && n < 4;) {
        settings[n++] = at;
        at += strcspn(at, " ");
        if (*at)
            *at++ = '\0';
    }
    struct generator *plain = NULL, *avoiding = NULL;
    const struct gen_context defaults = {0}, context = {.settings = settings, .n_settings = n};
    if (n) {
        must(gen_open(generator, &defaults, &plain, &e), &e);
        int status = gen_open(generator, &context, &avoiding, &e);
        ok(status == 0 && strcmp(plain->config, avoiding->config) != 0,
           "%s: %s are avoided by %s%s", generator, row->construct,
           avoidance_settings(row, generator), status ? e.message : "");
    }
    gen_close(plain);
    gen_close(avoiding);
    free(text);
}

static void test_settings(void)
{
    for (int i = 0; i < n_avoidances; i++) {
        check_settings("smith", &avoidances[i]);
        check_settings("yarp", &avoidances[i]);
    }
    is_str(avoidance_settings(&avoidances[0], "csmith"), "", "a generator without settings");
}

/* -- what is in a program ---------------------------------------------------------------------- */

static void test_constructs(void)
{
    static const struct {
        const char *text, *construct; /* NULL: none */
    } cases[] = {
        {"int main(void) { return 0; }", NULL},
        {"struct S { unsigned f : 3; } s; int main(void) { return s.f; }", "bit-fields"},
        {"struct S { int a; signed : 3; } s;", "bit-fields"},
        {"struct S { int a : 2, b : 3; int : 0; } s;", "zero-width bit-fields"},
        {"int f(int x) { return x ? x : 3; }", "conditional expressions"},
        {"int f(int x) { switch (x) { case 1: 2; } }", "switch"},
        {"union U { int a; }; struct S { int f : 3; };", "unions"},
        {"struct S f(void);", "functions that return structs"},
        {"struct S { int a; } s;", "structs"},
        {"volatile int g; int x = 1 << 3;", "volatile objects"},
        {"int f(int x) { x >>= 1; return x; }", "shifts"},
        {"int f(int x) { return x % 3; }", "division"},
        {"int f(int x) { return __builtin_ffs(x); }", "builtins"},
        {"/* goto */ // union\n#define switch\nchar *s = \"volatile %\\\" / ?\"; char c = '?';",
         NULL},
        {"int reunion, gotos, volatiles;", NULL},
        {"\"not closed", NULL},
        {"/* not closed", NULL},
        {"", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct avoidance *found = avoidance_find(cases[i].text, "smith");
        is_str(found ? found->construct : "none", cases[i].construct ? cases[i].construct : "none",
               "program %zu", i);
    }
    ok(!avoidance_find("union U { int a; };", "yarp"), "yarp has no unions to avoid");
    ok(!avoidance_find("union U { int a; };", "csmith"), "csmith has no settings");
}

static void test_share(void)
{
    int avoiding = 0;
    for (uint64_t seed = 0; seed < 10000; seed++)
        avoiding += avoidance_applies(seed, AVOID_KNOWN);
    ok(avoiding > 7300 && avoiding < 7700, "three of four seeds: %d of 10000", avoiding);
}

/* -- recognising ------------------------------------------------------------------------------- */

static const struct verdict wrong = {ANOMALY_WRONG_OUTPUT, EVIDENCE_EXPECTED, 1.0, false};

/* A finding with a reduced case; the signature says no more than the testbed. */
static int64_t reduced(struct fixture *f, const char *text, const char *signature)
{
    struct program p = make_program(&f->a, (uint64_t)strlen(text), 200), best = p;
    struct store_result r = {f->beds[1], &good, wrong, signature};
    struct store_test t = {.program = &p, .results = &r, .n_results = 1};
    struct program_file file = {"t.c", text, strlen(text)};
    struct store_claim c;
    int64_t id;
    int n;
    must(claim(f, 1, &c), &f->e);
    must(store_record_test(f->s, &c, &t, &id, &n, &f->e), &f->e);
    must(confirm(f, &c, &id, 1, FINDING_CONFIRMED), &f->e);
    best.files = &file;
    must(store_reduction_put(
             f->s,
             &(struct store_reduction){.finding = id, .state = REDUCTION_DONE, .flags = "-O3"},
             &best, &f->e),
         &f->e);
    must(inquiry_look_at_old(f->s, &f->e), &f->e);
    return id;
}

static bool is_known(struct fixture *f, int64_t id)
{
    int64_t *known;
    int n;
    must(store_known(f->s, &f->a, &known, &n, &f->e), &f->e);
    for (int i = 0; i < n; i++)
        if (known[i] == id)
            return true;
    return false;
}

static void mark(struct fixture *f, int64_t id, enum mark as)
{
    must(store_mark_put(f->s, &(struct store_mark){.finding = id, .mark = as}, &f->e), &f->e);
}

static const char shifts[] = "#include <stdio.h>\n"
                             "struct S { unsigned f : 7; } s = {3};\n"
                             "int main(void) { printf(\"%d\\n\", s.f >> 2); return 0; }\n";
static const char shifts_too[] = "#include <stdio.h>\n"
                                 "struct T { unsigned g : 5; } t = {9};\n"
                                 "int main(void) { printf(\"%d\\n\", t.g >> 1); return 0; }\n";
static const char loops[] = "#include <stdio.h>\n"
                            "double d[4]; union U { long a; char b; } u;\n"
                            "int main(void) { do { d[u.b] += 0.5; } while (u.a++ < 3);\n"
                            "  printf(\"%f\\n\", d[1] / d[2]); goto end; end: return 0; }\n";
static const char spins[] = "#include <stdio.h>\n"
                            "volatile int v; int main(void) { v--; v = v * v; "
                            "printf(\"%d\\n\", v); return v != 1; }\n";

static void test_recognise(void)
{
    static const char signature[] = "gcc-12 -O3 wrong-output";
    struct fixture f;
    setup(&f, 0);
    int64_t first = reduced(&f, shifts, signature), alike = reduced(&f, shifts_too, signature),
            other = reduced(&f, loops, signature);
    must(known_recognise(f.s, &f.e), &f.e);
    ok(!is_known(&f, first) && !is_known(&f, alike), "nothing was said, nothing is known");
    mark(&f, first, MARK_KNOWN);
    ok(!is_known(&f, alike), "the signature makes no other one known");
    must(known_recognise(f.s, &f.e), &f.e);
    ok(is_known(&f, alike), "one with a like program is recognised");
    ok(!is_known(&f, other), "one with another program is not");
    struct store_mark *marks;
    int n;
    must(store_marks(f.s, &f.a, &marks, &n, &f.e), &f.e);
    ok(n == 2 && marks[1].finding == alike && marks[1].same_as == first, "it shares the mark");

    const char *const *settings;
    const char *what;
    must(known_avoid(f.s, "smith", &f.a, &settings, &n, &what, &f.e), &f.e);
    ok(n == 1 && !strcmp(settings[0], "bitfields=0"), "one setting for the two");
    is_str(what, "bit-fields", "for people");
    mark(&f, other, MARK_WONTFIX);
    must(known_avoid(f.s, "smith", &f.a, &settings, &n, &what, &f.e), &f.e);
    is_str(what, "bit-fields, unions", "one construct for each bug");
    int64_t third = reduced(&f, spins, signature);
    mark(&f, third, MARK_KNOWN);
    must(known_avoid(f.s, "smith", &f.a, &settings, &n, &what, &f.e), &f.e);
    ok(n == 4 && !strcmp(settings[2], "volatiles=0") && !strcmp(settings[3], "volatile-pointers=0"),
       "two settings for one construct: %d", n);
    mark(&f, third, MARK_NONE);
    mark(&f, first, MARK_FIXED);
    mark(&f, other, MARK_NONE);
    ok(!is_known(&f, alike), "fixed: so is the one that shares the mark");
    must(known_avoid(f.s, "smith", &f.a, &settings, &n, &what, &f.e), &f.e);
    ok(n == 0 && !*what, "and nothing is avoided");
    mark(&f, alike, MARK_NONE);
    mark(&f, first, MARK_KNOWN);
    must(known_recognise(f.s, &f.e), &f.e);
    ok(!is_known(&f, alike), "what a person calls open stays open");
    teardown(&f);
}

/* -- from elsewhere ---------------------------------------------------------------------------- */

static const char baseline[] = "# comment\n"
                               "assay baseline 1\n\n"
                               "bug\n"
                               "  signature: gcc-12 -O3 wrong-output\n"
                               "  kind: wrong-output\n"
                               "  toolchain: gcc\n"
                               "  testbed: gcc-12 -O3\n"
                               "  mark: known\n"
                               "  note: PR 7\n"
                               "  language: c\n"
                               "  flags: -O3\n"
                               "  file: t.c\n"
                               "    |#include <stdio.h>\n"
                               "    |struct S { unsigned f : 7; } s = {3};\n"
                               "    |int main(void) { printf(\"%d\\n\", s.f >> 2); return 0; }\n";

/* A bug of a baseline is recognised by its case, in a store that never saw it. */
static void test_baseline(void)
{
    static const char signature[] = "gcc-12 -O3 wrong-output";
    struct fixture f;
    struct baseline b;
    struct bug_list l;
    struct strbuf out;
    int silent, known;
    setup(&f, 0);
    int64_t alike = reduced(&f, shifts_too, signature), other = reduced(&f, loops, signature), n;
    must(baseline_parse("known.txt", bytes_of(baseline), &f.a, &b, &f.e), &f.e);
    is_int(b.n, 1, "one bug");
    is_str(b.entries[0].program.files[0].text, shifts, "its case, byte by byte");
    must(store_news(f.s, f.campaign, 0, &n, &f.e), &f.e);
    is_int((int)n, 2, "two findings are news");
    for (int i = 0; i < 2; i++) {
        must(baseline_import(f.s, &b, &f.e), &f.e);
        must(known_count(f.s, &known, &f.e), &f.e);
        is_int(known, 1, i ? "imported twice, it is there once" : "imported, it is known");
    }
    must(inquiry_look_at_old(f.s, &f.e), &f.e);
    must(known_recognise(f.s, &f.e), &f.e);
    ok(is_known(&f, alike), "one with a like program is recognised");
    ok(!is_known(&f, other), "one with another program is not");
    must(store_news(f.s, f.campaign, 0, &n, &f.e), &f.e);
    is_int((int)n, 1, "it is no news any more, and the entry itself is none");
    must(bugs_load(f.s, &store_everything, &f.a, &l, &f.e), &f.e);
    for (int i = 0; i < l.n; i++)
        if (l.bugs[i].known)
            ok(l.bugs[i].n_members == 2 && l.bugs[i].n_seen == 1, "it was seen once");
    strbuf_init(&out, 0);
    must(baseline_write(f.s, &l, &out, &silent, &f.e), &f.e);
    is_int(silent, 0, "all of them have a case");
    must(baseline_parse("again", bytes_in(&out), &f.a, &b, &f.e), &f.e);
    is_int(b.n, 2, "both are exported");
    strbuf_release(&out);
    teardown(&f);
}

/* What was imported does not use up the reductions of a signature. */
static void test_baseline_reductions(void)
{
    struct fixture f;
    struct baseline b;
    struct program p;
    struct store_claim c;
    int64_t id, claimed = 0;
    int n;
    setup(&f, 0);
    must(baseline_parse("known.txt", bytes_of(baseline), &f.a, &b, &f.e), &f.e);
    must(baseline_import(f.s, &b, &f.e), &f.e);
    p = make_program(&f.a, 1, 200);
    struct store_result r = {f.beds[1], &good, wrong, "gcc-12 -O3 wrong-output"};
    struct store_test t = {.program = &p, .results = &r, .n_results = 1};
    must(claim(&f, 1, &c), &f.e);
    must(store_record_test(f.s, &c, &t, &id, &n, &f.e), &f.e);
    must(confirm(&f, &c, &id, 1, FINDING_CONFIRMED), &f.e);
    const struct store_reducing one = {1, 1, 1000, 1000000};
    is_int(store_reduction_claim(f.s, f.campaign, 1, &one, &claimed, &f.e), 1,
           "a finding with the signature of a known one");
    is_int((int)claimed, (int)id, "  is reduced");
    teardown(&f);
}

int main(void)
{
    test_baseline();
    test_baseline_reductions();
    test_settings();
    test_constructs();
    test_share();
    test_recognise();
    return tap_done();
}
