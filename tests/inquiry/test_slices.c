/* A reduction that is interrupted after each slice of time: it gets on in each, tests nothing
 * twice, and comes to the same end as one that is left alone. The compiler is a shell script. */
#include "inquiry/reduce.h"
#include "store/fixture.h"
#include "triage/signature.h"

#include <sys/stat.h>

static const char compiler[] = "#!/bin/sh\n"
                               "case $(cat t.c) in *'crash me'*)\n"
                               "    echo 'internal error: in pass 7' >&2\n"
                               "    exit 1 ;;\n"
                               "esac\n"
                               ": >program.exe\n";
static const char original[] = "one two; three four; crash me; five six; seven eight; nine ten;\n";

/* A finding of that compiler, which is put in its place. */
static struct inquiry finding_of(struct fixture *f, struct testbed *cc, struct pattern *crash_line)
{
    static const char *const steps[] = {"{cc} {src}", NULL};
    const struct observation o = {.outcome = OUTCOME_BUILD_CRASH,
                                  .exit_status = 1,
                                  .output = {"", 0},
                                  .messages = "internal error: in pass 7\n",
                                  .detail = "exit 1",
                                  .flags = ""};
    struct program_file file = {"t.c", original, strlen(original)};
    const struct program p = {.language = "c",
                              .files = &file,
                              .n_files = 1,
                              .needs = "",
                              .trusted = true,
                              .made = {"nobody", "1", "", 1, NULL}};
    struct store_result r = {.observation = &o, .verdict = crashed};
    struct store_test t = {.program = &p, .results = &r, .n_results = 1};
    struct store_claim c;
    struct finding found;
    struct inquiry out;
    int64_t id;
    int n;
    const char *path = arena_printf(&f->a, "%s/cc", f->dir);
    must(fs_write(path, compiler, strlen(compiler), &f->e), &f->e);
    must(chmod(path, 0755), &f->e);
    *cc = (struct testbed){.name = "cc",
                           .compiler = "cc",
                           .toolchain = "cc",
                           .language = "c",
                           .path = path,
                           .version = "",
                           .flags = "",
                           .model = TESTBED_DEFAULT_MODEL,
                           .compile = steps,
                           .crash = crash_line,
                           .n_crash = 1,
                           .limits = {.compile = {.wall_ms = 60000}}};
    must(store_testbed_id(f->s, f->campaign, cc, &r.testbed, &f->e), &f->e);
    r.signature = signature_make(&f->a, cc, &o, &crashed);
    must(claim(f, 1, &c), &f->e);
    must(store_record_test(f->s, &c, &t, &id, &n, &f->e), &f->e);
    must(confirm(f, &c, &id, 1, FINDING_CONFIRMED), &f->e);
    must(store_finding(f->s, id, &f->a, &found, &f->e), &f->e);
    must(inquiry_load(f->s, &found, &f->a, &out, &f->e), &f->e);
    must(inquiry_bind(&out, cc, 1, &f->a, &f->e), &f->e);
    return out;
}

int main(void)
{
    struct fixture f;
    struct testbed cc;
    struct pattern crash_line;
    struct inquiry_reduced whole, done;
    setup(&f, 0);
    must(pattern_compile(&crash_line, "internal error", &f.e), &f.e);
    const struct inquiry first = finding_of(&f, &cc, &crash_line),
                         second = finding_of(&f, &cc, &crash_line);
    struct inquiry_reducing how = {.slots = 1, .method = "text", .show = INTEREST_QUIET};
    must(inquiry_reduce(f.s, &first, &how, &f.a, &whole, &f.e), &f.e);
    is_int(whole.row.state, REDUCTION_DONE, "left alone, it comes to its end");
    ok(whole.row.tests > 10 && whole.row.bytes < 20, "%lld tests, %lld bytes",
       (long long)whole.row.tests, (long long)whole.row.bytes);

    how.slice_ms = 1;
    how.blame = true;
    int64_t tests = -1;
    int slices = 0, idle = 0;
    do {
        must(inquiry_reduce(f.s, &second, &how, &f.a, &done, &f.e), &f.e);
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
    must(store_answers(f.s, second.finding.id, &f.a, &left, &n, &f.e), &f.e);
    is_int(n, 0, "what was remembered is forgotten");
    pattern_release(&crash_line);
    teardown(&f);
    return tap_done();
}
