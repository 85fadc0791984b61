/* Findings as cases for triage: the reduced text, what was blamed, what is known, and nothing that
 * belongs to another finding. */
#include "report/cases.h"
#include "store/fixture.h"

static void reduce_to(struct fixture *f, int64_t id, const char *text, const char *flags)
{
    struct program_file file = {"t.c", text, strlen(text)};
    struct program p = make_program(&f->a, 1, 10);
    p.files = &file;
    must(store_reduction_put(f->s, &(struct store_reduction){.finding = id, .flags = flags}, &p,
                             &f->e),
         &f->e);
}

static int load(struct fixture *f, const struct store_filter *filter, struct finding **findings,
                struct triage_case **cases)
{
    int n;
    must(report_cases(f->s, filter, &f->a, findings, cases, &n, &f->e), &f->e);
    return n;
}

int main(void)
{
    struct fixture f;
    struct finding *findings;
    struct triage_case *c;
    setup(&f, 0);
    is_int(load(&f, &all_findings, &findings, &c), 0, "nothing was found");
    int64_t plain = whole_test(&f, 1, 100, "ice", FINDING_CONFIRMED);
    whole_test(&f, 1, 100, "ice", FINDING_FLAKY);
    int64_t blamed = whole_test(&f, 1, 100, "other", FINDING_CONFIRMED),
            wobbly = whole_test(&f, 1, 100, "wobbly", FINDING_FLAKY), slipped;
    reduce_to(&f, blamed, "int x;", "-O1");
    /* a failed reduction has no case */
    must(store_reduction_put(f.s,
                             &(struct store_reduction){.finding = plain, .state = REDUCTION_FAILED},
                             NULL, &f.e),
         &f.e);
    must(store_blame_put(f.s, &(struct store_blame){.finding = blamed, .pass = "-fgcse"}, &f.e),
         &f.e);
    must(store_mark_put(
             f.s,
             &(struct store_mark){.finding = plain, .mark = MARK_KNOWN, .covers_signature = true},
             &f.e),
         &f.e);
    struct program p = make_program(&f.a, 99, 50);
    must(store_slip(f.s, blamed, &p, &crash, &crashed, "ice", 3, 3, &slipped, &f.e), &f.e);
    is_int(slipped, 0, "that signature is there already");
    must(store_slip(f.s, blamed, &p, &crash, &crashed, "slipped", 3, 3, &slipped, &f.e), &f.e);

    int n = load(&f, &all_findings, &findings, &c);
    is_int(n, 4, "a flaky one with the signature of a steady one is left out");
    bool beside = true;
    for (int i = 0; i < n; i++)
        beside = beside && findings[i].id == c[i].id && !strcmp(c[i].toolchain, "clang") &&
                 !strcmp(c[i].language, "c");
    ok(beside, "each case beside its finding, with toolchain and language");
    ok(c[0].id == plain && c[0].known && !c[0].text && !*c[0].pass && !*c[0].flags,
       "known, not reduced, nobody to blame");
    ok(c[1].id == blamed && !c[1].known && !c[1].flaky, "not known");
    is_str(c[1].text, "int x;", "its reduced text");
    is_str(c[1].flags, "-O1", "the flags that are left");
    is_str(c[1].pass, "-fgcse", "what was blamed");
    ok(c[2].id == wobbly && c[2].flaky && !c[2].text, "a signature that is always flaky stays");
    ok(c[3].id == slipped && !c[3].text, "what slipped in has its own");

    struct store_filter x = all_findings;
    x.signature = "other";
    n = load(&f, &x, &findings, &c);
    ok(n == 1 && c[0].id == blamed && c[0].text, "filtered, with what belongs to it");
    x = all_findings, x.state = FINDING_FLAKY;
    is_int(load(&f, &x, &findings, &c), 2, "flaky ones, where one asks for them");
    teardown(&f);
    return tap_done();
}
