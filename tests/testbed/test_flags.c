/* Flags at random: forms, what a compiler's list becomes, drawing, and combinations that it
 * rejects. The compiler is a script that says what it has and does as its flags tell. */
#include "testbed/flags.h"
#include "base/fs.h"
#include "tap.h"
#include "testbed/runner.h"

#include <sys/stat.h>
#include <unistd.h>

static char dir[256];
static struct arena arena;
static struct runner runner;

static void put(const char *name, const char *text, mode_t mode)
{
    const char *path = arena_printf(&arena, "%s/%s", dir, name);
    fs_write(path, text, strlen(text), NULL);
    chmod(path, mode);
}

/* -- forms ------------------------------------------------------------------------------------- */

static void test_forms(void)
{
    static const char *const good[] = {"-fgcse",
                                       "-f[|no-]gcse",
                                       "--param=x=<0,100,9>",
                                       "-march=[a|b] -ffp-contract=off",
                                       "--param=x=<0,64,-1>",
                                       "-f=[a]"};
    static const char *const bad[] = {"",           "gcse",    "-f[|no-gcse", "-f|x",
                                      "-f]x",       "-f<1,2>", "-f<2,1,1>",   "-f<0,x,1>",
                                      "-f<number>", "-fx=>",   "-f[a<0,1,0>]"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        ok(flag_form_good(good[i]), "a form: %s", good[i]);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        ok(!flag_form_good(bad[i]), "no form: '%s'", bad[i]);
    is_str(flag_form_text("-f[|no-]gcse", 0, &arena), "-fgcse", "its first text");
    is_str(flag_form_text("-f[|no-]gcse", 1, &arena), "-fno-gcse", "its second");
    is_str(flag_form_text("-a=[x|y] -b=[1|2|3]", 2, &arena), "-a=y -b=3",
           "the last where there are fewer");
    is_str(flag_form_text("--param=x=<0,64,16>", 0, &arena), "--param=x=16", "a number's default");
    is_str(flag_form_text("--param=x=<1,64,-1>", 0, &arena), "--param=x=1",
           "the nearest, where the default is outside");
}

/* -- listing ----------------------------------------------------------------------------------- */

/* Each command line is noted in `calls`. -fbad and -fno-half are unknown, -march=alien makes a
 * program of another machine, -fclash and -fcrash exclude each other, -fmute fails and says only
 * something about the program. */
static const char fake_cc[] =
    "#!/bin/sh\n"
    "echo x >>\"${0%/*}/calls\"\n"
    "[ \"$1\" = --flags ] && { cat \"${0%/*}/list\"; exit 0; }\n"
    "run='echo hello'\n"
    "case \" $* \" in *' broken.c '*) echo 'broken.c:1: error: -fclash is in it' >&2; exit 1;; "
    "esac\n"
    "case \" $* \" in *' -fclash -fcrash '*) echo 'error: -fclash and -fcrash' >&2; exit 1;; "
    "esac\n"
    "for flag; do case $flag in\n"
    "-fbad | -fno-half) echo \"error: unrecognized option '$flag'\" >&2; exit 1 ;;\n"
    "-fmute) echo 't.c:3: error: no such register' >&2; exit 1 ;;\n"
    "-funsure) echo 'fork: Cannot allocate memory' >&2; exit 1 ;;\n"
    "-march=alien) run='kill -ILL $$' ;;\n"
    "esac; done\n"
    "printf '#!/bin/sh\\n%s\\n' \"$run\" >program.exe; chmod +x program.exe\n";

static const char fake_list[] = "The options:\n"
                                "  -fgood                [enabled]\n"
                                "  -fbad                 [disabled]\n"
                                "  -fhalf                [enabled]\n"
                                "  -ffast-math           [disabled]\n"
                                "  -fgood                [enabled]\n"
                                "  -fmodel=[one|two]     one\n"
                                "  -fsize=<number>\n"
                                "  --param=depth=<0,9>   3\n"
                                "  --param=free=         7\n"
                                "  --param=word=         none\n";

static const char fake_ini[] =
    "[toolchain]\nname = fakecc\nlanguage = c\nfind = fakecc\n"
    "compile = {cc} {flags} {needs} -o {exe} {src}\nrun = {exe}\nflags = -O0\n"
    "flag-level = -O1 -O2 -O3\n"
    "flag-list = {cc} --flags\n"
    "flag-form = s/^ +-f([a-z-]+) +\\[(enabled|disabled)\\]$/-f[|no-]\\1/\n"
    "flag-form = s/^ +(-f[a-z]+=\\[[a-z|]+\\]).*/\\1/\n"
    "param-form = s/^ +(--param=[a-z]+=)<([0-9]+),([0-9]+)> +([0-9]+)/\\1<\\2,\\3,\\4>/\n"
    "param-form = s/^ +(--param=[a-z]+=) +([0-9]+)/\\1<0,2147483647,\\2>/\n"
    "flag-also = -march=[here|alien] -ffp-contract=off\n"
    "flag-exclude = math\n";

static int count_calls(void)
{
    struct strbuf calls;
    strbuf_init(&calls, 0);
    fs_read(arena_printf(&arena, "%s/calls", dir), &calls, NULL);
    int n = (int)calls.n / 2;
    strbuf_release(&calls);
    return n;
}

static const char *joined(const struct flag_forms *forms)
{
    struct strbuf all;
    strbuf_init(&all, 0);
    for (int i = 0; i < forms->n; i++)
        strbuf_addf(&all, "%s%s", i ? " ; " : "", forms->at[i]);
    const char *text = arena_strdup(&arena, all.s);
    strbuf_release(&all);
    return text;
}

static void test_list(const struct toolchain *t, const struct testbed *testbed,
                      struct flag_space *space)
{
    struct error e = {0};
    int before = count_calls();
    is_int(flag_space_list(t, testbed, &runner, &arena, space, &e), 0, "listed %s", e.message);
    is_str(joined(&space->levels), "-O1 ; -O2 ; -O3", "the levels");
    is_str(joined(&space->switches), "-f[|no-]good ; -fno-bad ; -fhalf ; -fmodel=[one|two]",
           "what is listed, once, without what is excluded or rejected");
    is_str(joined(&space->params), "--param=depth=<0,9,3> ; --param=free=<0,2147483647,7>",
           "parameters with numbers");
    is_str(joined(&space->also), "-march=here -ffp-contract=off",
           "what the machine cannot run is out");
    int calls = count_calls() - before;
    ok(calls < 25, "many are tried at once: %d calls", calls);
}

/* How often the compiler is called to list its space. */
static int calls_to_list(const struct toolchain *t, const struct testbed *testbed,
                         const char *wanted)
{
    struct flag_space space;
    struct error e = {0};
    int before = count_calls();
    is_int(flag_space_list(t, testbed, &runner, &arena, &space, &e), 0, "listed %s", e.message);
    const char *all =
        arena_printf(&arena, "%s | %s | %s | %s", joined(&space.levels), joined(&space.switches),
                     joined(&space.params), joined(&space.also));
    is_str(all, wanted, "  as it is");
    return count_calls() - before;
}

/* What is known is not tried again, as long as nothing has changed. */
static void test_cache(const struct toolchain *t, struct testbed testbed)
{
    static const char wanted[] = "-O1 ; -O2 ; -O3 | -f[|no-]good ; -fno-bad ; -fhalf ; "
                                 "-fmodel=[one|two] | --param=depth=<0,9,3> ; "
                                 "--param=free=<0,2147483647,7> | -march=here -ffp-contract=off";
    static const char unsure[] = "-O1 ; -O2 ; -O3 | -fno-unsure |  | -march=here -ffp-contract=off";
    struct testbed_identity one = {.stamp = 1}, two = {.stamp = 2};
    testbed.identity = &one;
    int first = calls_to_list(t, &testbed, wanted);
    ok(first > 10, "all is tried, with %d calls", first);
    is_int(calls_to_list(t, &testbed, wanted), 1, "then the compiler is only asked for its list");
    testbed.identity = &two;
    is_int(calls_to_list(t, &testbed, wanted), first, "another compiler is tried");
    put("list", "  -fgood                [enabled]\n", 0644);
    ok(calls_to_list(t, &testbed,
                     "-O1 ; -O2 ; -O3 | -f[|no-]good |  | "
                     "-march=here -ffp-contract=off") > 1,
       "so is another list");
    put("list", "  -funsure              [enabled]\n", 0644);
    ok(calls_to_list(t, &testbed, unsure) > 1, "a machine that is let down");
    ok(calls_to_list(t, &testbed, unsure) > 1, "  answers nothing for good");
    put("list", fake_list, 0644);
    string_list files = {0};
    const char *cache = arena_printf(&arena, "%s/cache/assay", dir);
    fs_list(cache, &arena, &files, NULL);
    is_int(files.n, 3, "three answers are kept");
    for (size_t i = 0; i < files.n; i++)
        put(arena_printf(&arena, "cache/assay/%s", files.at[i]), "sx\n", 0644);
    vec_release(&files);
    is_int(calls_to_list(t, &testbed, wanted), first, "where they are damaged, all is tried again");
}

static void test_useless_list(const struct toolchain *t, const struct testbed *testbed)
{
    struct flag_space space;
    struct error e = {0};
    put("list", "nothing\n", 0644);
    is_int(flag_space_list(t, testbed, &runner, &arena, &space, &e), -1,
           "a list that no form matches is an error");
    has_str(e.message, "flag-list = {cc} --flags", "  that names the command");
    put("list", fake_list, 0644);
}

static void test_only(const struct testbed *testbed)
{
    toolchain_list list = {0};
    struct flag_space space;
    struct error e = {0};
    const char *folder = arena_printf(&arena, "%s/only", dir);
    fs_make_dirs(folder, &e);
    put("only/fakecc.ini",
        arena_printf(&arena, "%sflag-only = good$\nflag-only = depth\n", fake_ini), 0644);
    toolchains_read(&folder, 1, &arena, &list, &e);
    is_int(flag_space_list(&list.at[0], testbed, &runner, &arena, &space, &e), 0, "with flag-only");
    is_str(joined(&space.switches), "-f[|no-]good", "  a switch must match one");
    is_str(joined(&space.params), "--param=depth=<0,9,3>", "  and so must a parameter");
    is_int(space.also.n, 1, "  but not what is named in the file");
    toolchains_release(&list);
}

/* -- drawing ----------------------------------------------------------------------------------- */

static const char *draw(const struct flag_space *space, uint64_t seed)
{
    struct choice c;
    choice_init_random(&c, seed);
    const char *text = flag_space_draw(space, &c, &arena);
    choice_release(&c);
    return text;
}

/* Every text of every form comes, nothing else does, and numbers stay near their defaults. */
static void test_draw(const struct flag_space *space)
{
    static const char *const wanted[] = {"-O1",
                                         "-O2",
                                         "-O3",
                                         "-fgood",
                                         "-fno-good",
                                         "-fno-bad",
                                         "-fhalf",
                                         "-fmodel=one",
                                         "-fmodel=two",
                                         "--param=depth=0",
                                         "--param=depth=9",
                                         "--param=free=0",
                                         "--param=free=1",
                                         "--param=free=30",
                                         "-march=here"};
    enum { WANTED = sizeof wanted / sizeof *wanted, DRAWS = 2000 };
    int seen[WANTED] = {0}, with_params = 0, with_also = 0, wrong = 0, differ = 0;
    for (uint64_t seed = 0; seed < DRAWS; seed++) {
        const char *text = draw(space, seed), *padded = arena_printf(&arena, " %s ", text);
        differ += strcmp(text, draw(space, seed)) != 0;
        for (int i = 0; i < WANTED; i++)
            seen[i] += strstr(padded, arena_printf(&arena, " %s ", wanted[i])) != NULL;
        with_params += strstr(text, "--param") != NULL;
        with_also += strstr(text, "-march") != NULL;
        wrong += strncmp(text, "-O", 2) != 0 || strstr(text, "-fbad") || strstr(text, "math") ||
                 strstr(text, "alien") || strpbrk(text, "[]|<>");
        const char *number = strstr(text, "free=");
        int64_t value = number ? atoi(number + 5) : 0;
        wrong += value < 0 || value > 30;
    }
    is_int(differ, 0, "the same seed draws the same");
    is_int(wrong, 0, "nothing but what is in the space");
    for (int i = 0; i < WANTED; i++)
        ok(seen[i] > 0, "%s is drawn", wanted[i]);
    ok(with_params > DRAWS / 3 && with_params < DRAWS * 2 / 3, "parameters in half of the draws");
    ok(with_also > DRAWS / 6 && with_also < DRAWS / 3, "others in a quarter");
}

/* -- combinations that are rejected ------------------------------------------------------------ */

static void test_names(void)
{
    static const struct {
        const char *flags, *message;
        bool named;
    } table[] = {
        {"-O2 -fgcse -fweb", "cc1: error: -fweb is not for this target", true},
        {"-O2 -fno-web", "error: '-fweb' requires more", true},
        {"-O2 -fweb", "error: '-fno-web' is wrong", true},
        {"-O2 -flive=inline", "error: -flive makes no sense", true},
        {"-O2 --param=max-x=3", "error: invalid --param name 'max-x'", true},
        {"-O2 -mllvm -enable-x=true", "Unknown command line argument '-enable-x=true'.", true},
        {"-O2 -fweb --param=max-x=3", "t.c:1:2: error: web and parameters", false},
        {"-O2 -fweb", "", false},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        is_int(flags_named(table[i].flags, table[i].message, &arena), table[i].named, "%s: %s",
               table[i].flags, table[i].message);
    is_str(flags_level("-O2 -fweb", &arena), "-O2", "the level comes first");
}

static const struct observation *observe(const struct testbed *testbed, const char *file,
                                         const char *flags)
{
    struct observation *o = arena_new(&arena, struct observation);
    struct error e = {0};
    struct program_file source = {file, "x\n", 2};
    struct program p = {
        .language = "c", .files = &source, .n_files = 1, .needs = "", .trusted = true};
    struct testbed t = *testbed;
    t.flags = flags;
    runner_load(&runner, &p, &e);
    is_int(runner_observe(&runner, &p, &t, true, "", &arena, o, &e), 0, "observed with %s", flags);
    return o;
}

static void test_rejection(const struct testbed *testbed)
{
    const struct observation *o = observe(testbed, "t.c", "-O1 -fgood");
    is_str(outcome_name[o->outcome], "ok", "  flags that it takes");
    is_str(o->flags, "-O1 -fgood", "  are recorded");
    o = observe(testbed, "t.c", "-O1 -fclash -fcrash");
    is_str(outcome_name[o->outcome], "skipped",
           "  a combination that is rejected is no observation");
    has_str(o->messages, "the flags are rejected: error: -fclash and -fcrash", "  and says why");
    o = observe(testbed, "t.c", "-O1 -fmute");
    is_str(outcome_name[o->outcome], "build-fail", "  a message about the program is one");
    o = observe(testbed, "broken.c", "-O1 -fclash");
    is_str(outcome_name[o->outcome], "build-fail", "  and so is what fails with the level alone");
    struct testbed fixed = *testbed;
    fixed.random = false;
    o = observe(&fixed, "t.c", "-O1 -fclash -fcrash");
    is_str(outcome_name[o->outcome], "build-fail", "  flags that nobody drew are not excused");
    is_str(o->flags, "", "  nor recorded");
}

int main(void)
{
    struct error e;
    toolchain_list toolchains = {0};
    compiler_list compilers = {0};
    testbed_list testbeds = {0};
    struct flag_space space = {0};
    arena_init(&arena);
    if (fs_make_temp_dir("assay-test", dir, sizeof dir, &e) || runner_init(&runner, &e))
        return 1;
    put("fakecc", fake_cc, 0755);
    put("list", fake_list, 0644);
    put("fakecc.ini", fake_ini, 0644);
    setenv("PATH", arena_printf(&arena, "%s:%s", dir, getenv("PATH")), 1);
    setenv("XDG_CACHE_HOME", arena_printf(&arena, "%s/cache", dir), 1);
    const char *folder = dir;
    test_forms();
    test_names();
    is_int(toolchains_read(&folder, 1, &arena, &toolchains, &e), 0, "the file is read");
    toolchain_find(&toolchains.at[0], &arena, &compilers);
    compiler_random_testbed(&compilers.at[0], &arena, &testbeds);
    is_int(testbeds.n, 1, "one testbed draws its flags");
    is_str(testbeds.at[0].name, "fakecc random", "  and is named so");
    test_list(&toolchains.at[0], &testbeds.at[0], &space);
    test_cache(&toolchains.at[0], testbeds.at[0]);
    test_draw(&space);
    test_only(&testbeds.at[0]);
    test_useless_list(&toolchains.at[0], &testbeds.at[0]);
    test_rejection(&testbeds.at[0]);
    vec_release(&testbeds);
    vec_release(&compilers);
    toolchains_release(&toolchains);
    runner_release(&runner);
    fs_remove_tree(dir);
    arena_release(&arena);
    return tap_done();
}
