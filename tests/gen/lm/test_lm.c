/* The generator, with a network that learned nothing: opening, settings, the same program from the
 * same seed, names that are all declared, and repair that gets further. */
#include "base/child.h"
#include "base/fs.h"
#include "gen/gen.h"
#include "gen/lm/repair.h"
#include "tap.h"

#include <stdlib.h>

static char base[4096];

static const char language[] =
    "[language]\nhelp = kernels\nsuffix = .cl\nnames = c\nunit = kernel\n"
    "seed = \"kernel void A(\"\nopen = {\nclose = }\ntemperature = 1\nmost-tokens = 200\n"
    "check = clang -x cl -cl-std=CL1.2 -Xclang -finclude-default-header -fsyntax-only -w "
    "-fno-color-diagnostics -ferror-limit=0 {src}\n";

static const char *const kernels[] = {
    "kernel void A(global float* a, int b) {\n  int c = get_global_id(0);\n"
    "  if (c < b) {\n    a[c] = a[c] * 2.0f + b;\n  }\n}\n",
    "kernel void A(global int* a, local int* b) {\n  int c = get_local_id(0);\n"
    "  for (int d = 0; d < 8; d++) {\n    b[c] += a[d];\n    while (c > 3) c--;\n  }\n  "
    "return;\n}\n",
    "abcdefghijklmnopqrstuvwxyz ABCDEFGHIJKLMNOPQRSTUVWXYZ 0123456789 +-*/%&|^~!=<>?:.,;",
};

/* BASE/generators, BASE/languages/opencl.ini, BASE/models/opencl.lm */
static bool make_base(struct arena *a, bool model)
{
    static const char *const folders[] = {"generators", "languages", "models"};
    struct error e = {0};
    const size_t sizes[] = {strlen(kernels[0]), strlen(kernels[1]), strlen(kernels[2])};
    const struct lm_encoder_options o = {.most = 200, .at_least = 2};
    struct lm_encoder encoder;
    struct lm_model m = {0};
    for (int i = 0; i < 3; i++)
        if (fs_make_dirs(arena_printf(a, "%s/%s", base, folders[i]), &e))
            return false;
    if (fs_write(arena_printf(a, "%s/languages/opencl.ini", base), language, strlen(language), &e))
        return false;
    if (!model)
        return true;
    if (lm_encoder_derive(&encoder, kernels, sizes, 3, &o, &e))
        return false;
    struct lm_shape shape = {.vocabulary = encoder.n, .layers = 2, .units = 32};
    lm_model_init(&m, &shape, &encoder, 3);
    bool saved =
        !lm_model_save(&m, LM_SAVE_BYTES, arena_printf(a, "%s/models/opencl.lm", base), &e);
    lm_model_release(&m);
    return saved;
}

static struct generator *open_with(struct arena *a, const char *config, const char *const *settings,
                                   int n)
{
    struct error e = {0};
    struct generator *g = NULL;
    const char *dirs[] = {arena_printf(a, "%s/generators", base)};
    const struct gen_context context = {
        .dirs = dirs, .n_dirs = 1, .config = config, .settings = settings, .n_settings = n};
    if (gen_open("lm", &context, &g, &e))
        printf("# %s\n", e.message);
    return g;
}

static const char *make(struct generator *g, uint64_t seed, struct arena *a)
{
    struct choice c;
    struct program p;
    struct error e = {0};
    choice_init_random(&c, seed);
    int status = gen_next(g, &c, a, &p, &e);
    choice_release(&c);
    if (status)
        printf("# %s\n", e.message);
    return status ? "" : p.files[0].text;
}

static void opens(struct arena *a)
{
    static const char *const none[] = {"repair=0"}, *const wrong[] = {"masked=101"};
    struct error e = {0};
    make_base(a, false);
    struct generator *g = open_with(a, NULL, none, 1);
    ok(g && gen_ready(g, &e) == -1, "without a model it opens, but is not ready");
    has_str(e.message, "assay lm train", "and says what to do");
    gen_close(g);
    ok(make_base(a, true), "a model of two kernels");
    ok(!open_with(a, NULL, wrong, 1), "a setting out of range");
    g = open_with(a, NULL, none, 1);
    if (!ok(g && !gen_ready(g, &e), "with a model it is ready"))
        return;
    is_str(g->name, "lm:opencl", "lm is lm:opencl");
    is_str(g->language, "opencl", "its language");
    is_str(g->config, "repair=0", "its config");
    gen_close(g);
}

static void repeats(struct arena *a)
{
    static const char *const settings[] = {"repair=0", "masked=100"};
    struct generator *g = open_with(a, NULL, settings, 2);
    struct generator *h = open_with(a, g->config, NULL, 0);
    bool same = true, differ = false;
    const char *last = "";
    for (uint64_t seed = 1; seed <= 5; seed++) {
        const char *one = make(g, seed, a), *two = make(h, seed, a);
        same &= *one && !strcmp(one, two);
        differ |= *last && strcmp(strchr(one, '\n'), strchr(last, '\n')) != 0;
        last = one;
    }
    ok(same, "the same config and seed, the same program");
    ok(differ, "another seed, another");
    has_str(last, "/* assay gen lm:opencl -s 5 --masked=100 --repair=0 ", "the first comment");
    struct strbuf stats;
    strbuf_init(&stats, 0);
    g->class->stats(g, &stats);
    has_str(stats.s, "tokens", "what it cost");
    strbuf_release(&stats);
    gen_close(g);
    gen_close(h);
}

static bool has_clang(void)
{
    struct child_result r;
    struct error e;
    const char *const argv[] = {"clang",         "-x",        "cl", "-cl-std=CL1.2",
                                "-fsyntax-only", "/dev/null", NULL};
    struct child_spec spec = {.argv = argv, .limits = {.wall_ms = 20000}};
    child_result_init(&r, 100, 100);
    bool good = !child_run(&spec, &r, &e) && r.end == CHILD_EXITED && !r.status;
    child_result_release(&r);
    return good;
}

/* clang's first error, if there is one, is not about a name or a bracket. */
static void names_are_right(struct arena *a)
{
    static const char *const settings[] = {"repair=0", "masked=100"}, *const about[] = {
                                                                          "undeclared",
                                                                          "redefinition",
                                                                          "no member named",
                                                                          "unknown type name",
                                                                          "expected '",
                                                                          "expected expr"};
    struct generator *g = open_with(a, NULL, settings, 2);
    struct lm_language l;
    struct error e = {0};
    int bad = 0, good = 0, n = 25;
    lm_language_load(arena_printf(a, "%s/languages/opencl.ini", base), NULL, 0, a, &l, &e);
    struct lm_checker checker = {.language = &l, .folder = base};
    for (uint64_t seed = 1; seed <= (uint64_t)n; seed++) {
        struct lm_check check;
        const char *text = make(g, seed, a);
        if (lm_check_text(&checker, text, strlen(text), &check, &e))
            break;
        good += check.good;
        for (size_t i = 0; !check.good && i < sizeof about / sizeof *about; i++)
            if (strstr(check.message, about[i]) && bad++ < 3)
                printf("# seed %d, %d:%d: %s\n", (int)seed, check.line, check.column,
                       check.message);
    }
    is_int(bad, 0, "no name and no bracket is wrong in %d programs of a random network", n);
    ok(good > 0, "%d of %d build", good, n);
    gen_close(g);
}

static void repairs(struct arena *a)
{
    static const char *const with[] = {"repair=12", "masked=100"};
    struct generator *g = open_with(a, NULL, with, 2);
    int builds = 0, attempts = 0, same = 0;
    ok(strstr(g->config, "checker=") != NULL, "the checker's version is in the config");
    for (uint64_t seed = 1; seed <= 8; seed++) {
        struct strbuf s;
        strbuf_init(&s, 0);
        const char *one = make(g, seed, a);
        g->class->stats(g, &s);
        builds += strstr(s.s, "builds                        yes") != NULL;
        attempts += !strstr(s.s, "attempts                        0");
        strbuf_release(&s);
        if (seed == 3)
            same = !strcmp(one, make(g, seed, a));
    }
    ok(builds >= 4, "%d of 8 build (%d of them needed attempts)", builds, attempts);
    ok(same, "repair is determined by the seed");
    gen_close(g);
}

static void places(void)
{
    struct lm_language l = {0};
    struct lm_check c;
    lm_check_read(&l, "t.cl:1:2: warning: w\nt.cl:12:7: error: use of undeclared 'x'\nrest", &c);
    ok(c.placed && c.line == 12 && c.column == 7, "where the first error is");
    is_str(c.message, "use of undeclared 'x'", "and what it says");
    l.position = "line ([0-9]+)";
    lm_check_read(&l, "lua: line 4: oops\n", &c);
    ok(c.placed && c.line == 4 && !c.column, "by the language's own expression");
    is_str(c.message, "lua: line 4: oops", "the line that says it");
    lm_check_read(&l, "nothing", &c);
    ok(!c.placed, "no place");
}

int main(void)
{
    struct arena a;
    struct error e;
    arena_init(&a);
    if (fs_make_temp_dir("assay-test", base, sizeof base, &e))
        return 1;
    opens(&a);
    repeats(&a);
    places();
    if (has_clang()) {
        names_are_right(&a);
        repairs(&a);
    } else {
        tap_skip("names of random programs", "no clang with OpenCL");
    }
    fs_remove_tree(base);
    arena_release(&a);
    return tap_done();
}
