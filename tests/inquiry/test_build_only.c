/* A program that must not be run, through trying, judging and trying again: only what compilers do
 * with it counts. The compilers are shell scripts that do what the flags say. */
#include "base/fs.h"
#include "inquiry/test.h"
#include "tap.h"
#include "testbed/runner.h"

#include <sys/stat.h>

static const char compiler[] = "#!/bin/sh\n"
                               "case $1 in\n"
                               "good) printf '#!/bin/sh\\ntouch \"$ASSAY_TRACE\"; echo ran\\n' "
                               ">program.exe; chmod +x program.exe ;;\n"
                               "fail) echo 'error: no' >&2; exit 1 ;;\n"
                               "crash) kill -SEGV $$ ;;\n"
                               "esac\n";

enum { MOST = 4 };

static const struct {
    const char *what;
    const char *flags[MOST];
    enum anomaly anomalies[MOST];
} cases[] = {
    {"all build it", {"good", "good", "good"}, {0}},
    {"one crashes", {"good", "crash", "good"}, {0, ANOMALY_BUILD_CRASH}},
    {"one rejects it", {"good", "good", "fail"}, {0, 0, ANOMALY_BUILD_FAIL}},
    {"most reject it", {"good", "fail", "fail"}, {0}},
    {"all reject it", {"fail", "fail", "fail"}, {0}},
};

static void try_case(size_t k, const char *cc, struct runner *r, struct arena *a)
{
    struct program_file file = {"t.c", "x\n", 2};
    struct program p = {.language = "c",
                        .files = &file,
                        .n_files = 1,
                        .needs = "",
                        .expected = {"something else\n", 15}, /* which no one can print */
                        .trusted = true,
                        .build_only = true};
    static const char *const steps[] = {"{cc} {flags} {src}", NULL};
    struct testbed beds[MOST];
    struct observation o[MOST];
    struct verdict v[MOST];
    struct error e = {0};
    int n = 0;
    for (; n < MOST && cases[k].flags[n]; n++)
        beds[n] = (struct testbed){
            .name = cases[k].flags[n],
            .compiler = "cc",
            .path = cc,
            .flags = cases[k].flags[n],
            .model = TESTBED_DEFAULT_MODEL,
            .compile = steps,
            .run = "{exe}",
            .limits = {.compile = {.wall_ms = 60000}, .run = {.wall_ms = 60000}},
        };
    struct test_setup c = {.testbeds = beds, .n_testbeds = n, .oracle = oracle_defaults};
    is_int(test_try(&c, r, &p, a, o, v, &e), 0, "%s", cases[k].what);
    for (int i = 0; i < n; i++) {
        is_str(anomaly_name[v[i].anomaly], anomaly_name[cases[k].anomalies[i]], "  %s %d",
               cases[k].flags[i], i);
        if (v[i].anomaly)
            is_int(test_again(&c, r, &p, &v[i], i, a, o, &e), 1, "  and again");
    }
    ok(!fs_exists(getenv("ASSAY_TRACE")), "  nobody ran it");
}

int main(void)
{
    struct arena a;
    struct runner r;
    struct error e = {0};
    char dir[256];
    arena_init(&a);
    if (fs_make_temp_dir("assay-test", dir, sizeof dir, &e) || runner_init(&r, &e))
        return 1;
    const char *cc = arena_printf(&a, "%s/cc", dir);
    setenv("ASSAY_TRACE", arena_printf(&a, "%s/ran", dir), 1);
    fs_write(cc, compiler, strlen(compiler), &e);
    chmod(cc, 0755);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        try_case(k, cc, &r, &a);
    runner_release(&r);
    fs_remove_tree(dir);
    arena_release(&a);
    return tap_done();
}
