/* A reduction that is interrupted after each slice of time: it gets on in each, tests nothing
 * twice, and comes to the same end as one that is left alone. The compiler is a shell script. */
#include "inquiry/found.h"

static const char compiler[] = "case $(cat t.c) in *'crash me'*)\n"
                               "    echo 'internal error: in pass 7' >&2\n"
                               "    exit 1 ;;\n"
                               "esac\n"
                               ": >program.exe\n";
static const char original[] = "one two; three four; crash me; five six; seven eight; nine ten;\n";

int main(void)
{
    struct fixture f;
    struct pattern crash_line;
    struct found first, second;
    struct inquiry_reduced whole, done;
    setup(&f, 0);
    must(pattern_compile(&crash_line, "internal error", &f.e), &f.e);
    struct program_file file = {"t.c", original, strlen(original)};
    const struct program p = {.language = "c",
                              .files = &file,
                              .n_files = 1,
                              .needs = "",
                              .trusted = true,
                              .made = {"nobody", "1", "", 1, NULL}};
    const struct found_how crashes = {.accused = compiler, .verdict = crashed};
    found_begin(&f, &crashes, &p, &crash_line, &first);
    found_begin(&f, &crashes, &p, &crash_line, &second);
    struct inquiry_reducing how = {.slots = 1, .method = "text", .show = INTEREST_QUIET};
    must(inquiry_reduce(f.s, &first.c, &how, &f.a, &whole, &f.e), &f.e);
    is_int(whole.row.state, REDUCTION_DONE, "left alone, it comes to its end");
    ok(whole.row.tests > 10 && whole.row.bytes < 20, "%lld tests, %lld bytes",
       (long long)whole.row.tests, (long long)whole.row.bytes);

    how.slice_ms = 1;
    how.blame = true;
    int64_t tests = -1;
    int slices = 0, idle = 0;
    do {
        must(inquiry_reduce(f.s, &second.c, &how, &f.a, &done, &f.e), &f.e);
        slices++;
        idle += done.row.state == REDUCTION_BEGUN && done.row.tests <= tests;
        tests = done.row.tests;
    } while (done.interrupted && slices < 1000);
    ok(slices > 2, "in %d slices", slices);
    is_int(idle, 0, "each of which gets on");
    is_int(done.row.state, REDUCTION_DONE, "it comes to its end");
    ok(done.blamed, "and the question of blame is answered");
    is_int(tests, whole.row.tests, "nothing is tested twice");
    is_str(done.program.files[0].text + strcspn(done.program.files[0].text, "\n"),
           whole.program.files[0].text + strcspn(whole.program.files[0].text, "\n"),
           "and the result is the same");
    struct store_answer *left;
    int n;
    must(store_answers(f.s, second.c.finding.id, &f.a, &left, &n, &f.e), &f.e);
    is_int(n, 0, "what was remembered is forgotten");
    pattern_release(&crash_line);
    teardown(&f);
    return tap_done();
}
