/* What of C a compiler takes: asked of compilers that refuse one thing each. */
#include "base/fs.h"
#include "inquiry/avoid.h"
#include "tap.h"
#include "testbed/extensions.h"
#include "testbed/runner.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static struct arena arena;
static char dir[] = "/tmp/assay-extensions-XXXXXX";

/* gcc, but what has the word in it is refused; with "crash" it dies instead. */
static struct testbed refusing(const char *word, const char *how)
{
    static const char *const compile[] = {
        "{cc} {flags} {needs} -w -Wl,--no-as-needed -lm -o {exe} {src}", NULL};
    const char *path = arena_printf(&arena, "%s/cc", dir);
    const char *script = arena_printf(
        &arena,
        "#!/bin/sh\nfor w; do s=$w; done\necho build >>%s/builds\ngrep -q -- '%s' \"$s\" && "
        "%s\nexec gcc \"$@\"\n",
        dir, word, how);
    fs_write(path, script, strlen(script), NULL);
    chmod(path, 0755);
    struct child_limits limits = {.wall_ms = 60000, .output_bytes = 1 << 20};
    return (struct testbed){.name = "cc",
                            .toolchain = "cc",
                            .compiler = "cc",
                            .path = path,
                            .version = "",
                            .language = "c",
                            .flags = "",
                            .model = "lp64",
                            .suffix = ".c",
                            .compile = compile,
                            .run = "{exe}",
                            .dir = dir,
                            .limits = {limits, limits}};
}

static uint64_t lacks(struct runner *r, const struct testbed *t)
{
    struct error e = {0};
    uint64_t out = 1;
    ok(extensions_ask(r, t, NULL, &arena, &out, &e) == 0, "a compiler is asked%s", e.message);
    return out;
}

static int number_of(const char *name)
{
    for (int i = 0; i < n_extensions; i++)
        if (!strcmp(extensions[i].name, name))
            return i;
    BUG("no extension '%s'", name);
}

static void test_asking(struct runner *r)
{
    struct testbed t = refusing("no such word", "exit 1");
    struct strbuf builds;
    strbuf_init(&builds, 0);
    is_int(lacks(r, &t), 0, "gcc takes all of them");
    fs_read(arena_printf(&arena, "%s/builds", dir), &builds, NULL);
    is_str(builds.s, "build\nbuild\n", "at once, but for what depends on flags");
    strbuf_release(&builds);
    t = refusing("__int128", "{ echo error >&2; exit 1; }");
    is_str(extensions_names(lacks(r, &t), &arena), "128-bit integers", "one is refused");
    t = refusing("__int128\\|_Complex", "{ echo error >&2; exit 1; }");
    is_str(extensions_names(lacks(r, &t), &arena), "128-bit integers, complex numbers", "two are");
    t = refusing("__int128", "kill -SEGV $$");
    is_int(lacks(r, &t), 0, "what crashes it is for tests to find");
    t.traces = true;
    is_int(lacks(r, &t), 0, "who only runs what says so is not asked");
    t.language = "lua";
    is_int(lacks(r, &t), 0, "another language has none");
}

/* What flags take away, though the compiler refuses nothing. */
static void test_flags(struct runner *r)
{
    static const struct {
        const char *flags, *lacks;
    } all[] = {
        {"-O2", ""},
        {"-O2 -ffast-math", "floats of IEEE 754"},
        {"-O2 -funsafe-math-optimizations", "floats of IEEE 754"},
        {"-O2 -ffinite-math-only", "floats of IEEE 754"},
        {"-O2 -fno-signed-zeros -fno-trapping-math -fassociative-math", "floats of IEEE 754"},
        {"-O2 -freciprocal-math", "floats of IEEE 754"},
#ifdef __x86_64__
        {"-O1 -mfpmath=387", "floats of IEEE 754"},
#endif
    };
    struct testbed t = refusing("no such word", "exit 1"), like = {0};
    uint64_t wide = (uint64_t)1 << number_of("128-bit integers"), out;
    struct error e = {0};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        t.flags = all[i].flags;
        is_str(extensions_names(lacks(r, &t), &arena), all[i].lacks, "what %s lacks", t.flags);
    }
    like.lacks_extensions = wide | (uint64_t)1 << number_of("floats of IEEE 754");
    t.flags = "-O2";
    ok(!extensions_ask(r, &t, &like, &arena, &out, &e) && out == wide,
       "of other flags only that is asked again");
}

static int builds(void)
{
    struct strbuf text;
    strbuf_init(&text, 0);
    fs_read(arena_printf(&arena, "%s/builds", dir), &text, NULL);
    int n = text_lines(text.s, text.n);
    strbuf_release(&text);
    return n;
}

/* What a compiler has answered is asked again when it is another one. */
static void test_cache(struct runner *r)
{
    struct testbed t = refusing("__int128", "{ echo error >&2; exit 1; }");
    struct testbed_identity identity = {.stamp = 7};
    setenv("XDG_CACHE_HOME", dir, 1);
    t.identity = &identity;
    uint64_t first = lacks(r, &t);
    int before = builds();
    ok(first && lacks(r, &t) == first, "the answer is the same");
    is_int(builds(), before, "and nothing was built for it");
    identity.stamp = 8;
    ok(lacks(r, &t) == first && builds() > before, "another compiler is asked");
    before = builds();
    t.flags = "-O1";
    ok(lacks(r, &t) == first && builds() > before, "so are other flags");
    t = refusing("__int128", "kill -KILL $$");
    t.identity = &(struct testbed_identity){.stamp = 9};
    lacks(r, &t);
    before = builds();
    lacks(r, &t);
    ok(builds() > before, "what the machine ended is asked again");
}

static void test_needing(void)
{
    uint64_t all = n_extensions < 64 ? ((uint64_t)1 << n_extensions) - 1 : UINT64_MAX;
    for (int i = 0; i < n_extensions; i++)
        ok(extensions_needed((uint64_t)1 << i, extensions[i].program) == &extensions[i],
           "%s is seen in its own program", extensions[i].name);
    ok(!extensions_needed(all, "int main(void) { int a = 3; /* __int128 */ return a << 1; }"),
       "a plain program needs none");
    ok(!extensions_needed(0, "__int128 a;"), "who lacks nothing takes all");
}

/* A program that needs what the compiler lacks is not given to it. */
static void test_skipping(struct runner *r)
{
    struct testbed t = refusing("__int128", "{ echo error >&2; exit 1; }");
    const char *text = "__int128 a;\nint main(void) { return 0; }\n";
    struct program_file file = {"t.c", text, strlen(text)};
    struct program p = {
        .language = "c", .files = &file, .n_files = 1, .needs = "", .trusted = true};
    struct observation o;
    struct error e = {0};
    runner_load(r, &p, &e);
    runner_observe(r, &p, &t, true, "", &arena, &o, &e);
    is_str(outcome_name[o.outcome], "build-fail", "where nobody asked, it is refused");
    t.lacks_extensions = lacks(r, &t);
    runner_observe(r, &p, &t, true, "", &arena, &o, &e);
    is_str(outcome_name[o.outcome], "skipped", "where somebody did, it is skipped");
    is_str(o.messages, "the program uses 128-bit integers, which this compiler does not have",
           "  and it says why");
}

static void test_doing_without(void)
{
    uint64_t wide = (uint64_t)1 << number_of("128-bit integers");
    uint64_t bits = (uint64_t)1 << number_of("builtins that count bits");
    struct testbed t[] = {{.lacks_extensions = wide | bits}, {.lacks_extensions = wide}};
    struct lacking l;
    avoidance_lacking(t, 2, "smith", NULL, &arena, &l);
    ok(l.n_all == 1 && !strcmp(l.all[0], "int128=0"), "what no compiler has");
    is_str(l.what_all, "128-bit integers", "  for people");
    ok(l.n_some == 1 && !strcmp(l.some[0], "builtins=0"), "what some lack");
    t[0].lacks_extensions |= (uint64_t)1 << number_of("builtins that swap bytes");
    t[1].lacks_extensions |= bits;
    avoidance_lacking(t, 2, "smith", NULL, &arena, &l);
    ok(l.n_all == 2 && l.n_some == 0 && !*l.what_some, "what none has is not told again");
    t[1].lacks_extensions = wide;
    avoidance_lacking(t, 2, "smith", "goto=0,int128=1", &arena, &l);
    ok(l.n_all == 0 && l.n_some == 1, "what the user has set is left alone");
    avoidance_lacking(t, 2, "lala:c", NULL, &arena, &l);
    ok(l.n_all == 0 && l.n_some == 0, "a generator without settings for it");
    avoidance_lacking(t, 0, "smith", NULL, &arena, &l);
    ok(l.n_all == 0 && l.n_some == 0, "no compilers");
    /* every construct that is named can be done without */
    for (int i = 0; i < n_extensions; i++)
        t[0].lacks_extensions |= (uint64_t)1 << i;
    avoidance_lacking(t, 1, "smith", NULL, &arena, &l);
    ok(l.n_all > 5, "all of them: %d settings", l.n_all);
    avoidance_lacking(t, 1, "yarp", NULL, &arena, &l);
    ok(l.n_all > 1, "of yarp: %d", l.n_all);
}

int main(void)
{
    struct runner r;
    struct error e;
    arena_init(&arena);
    if (!mkdtemp(dir) || runner_init(&r, &e))
        return 1;
    test_needing();
    test_asking(&r);
    test_flags(&r);
    test_cache(&r);
    test_skipping(&r);
    test_doing_without();
    runner_release(&r);
    fs_remove_tree(dir);
    arena_release(&arena);
    return tap_done();
}
