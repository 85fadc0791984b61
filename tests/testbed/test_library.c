/* Programs one of whose sources is a shared library, on the compilers that are installed. */
#include "base/fs.h"
#include "tap.h"
#include "testbed/detector.h"
#include "testbed/runner.h"
#include "testbed/toolchain.h"

#include <sys/stat.h>

static struct arena arena;
static struct runner runner;

/* The library calls back into the program and reads and writes its objects; it says whether it was
 * built as position-independent code of its own. */
static const char driver[] =
    "#include <stdio.h>\n"
    "#include \"shared.h\"\n"
    "int counter = 40;\nint table[3] = {1, 2, 3};\n"
    "int twice(int x) { return 2 * x; }\n"
    "int main(void)\n{\n"
    "    int r = work(5);\n    printf(\"%d %d %d %d\\n\", r, counter, table[1], is_shared());\n"
    "    return 0;\n}\n";
static const char library[] =
    "#include \"shared.h\"\n"
    "int work(int x) { counter += 2; table[1] = twice(x); return x + 1; }\n"
    "#ifdef __PIC__\n#define HOW (__PIC__ * 10)\n#else\n#define HOW 0\n"
    "#endif\n"
    "int is_shared(void) { return HOW; }\n";
static const char header[] = "#ifdef __cplusplus\nextern \"C\" {\n#endif\n"
                             "extern int counter, table[3];\n"
                             "int twice(int), work(int), is_shared(void);\n"
                             "#ifdef __cplusplus\n}\n#endif\n";

static struct program make_program(const char *language, const char *suffix, bool trusted)
{
    struct program_file *files = arena_array(&arena, struct program_file, 3);
    files[0] = (struct program_file){arena_printf(&arena, "libfunc%s", suffix), library,
                                     sizeof library - 1};
    files[1] =
        (struct program_file){arena_printf(&arena, "driver%s", suffix), driver, sizeof driver - 1};
    files[2] = (struct program_file){"shared.h", header, sizeof header - 1};
    return (struct program){
        .language = language, .files = files, .n_files = 3, .needs = "", .trusted = trusted};
}

static void check(const struct testbed *t, const struct program *p, const char *wanted,
                  const char *how)
{
    struct observation o;
    struct error e = {0};
    if (runner_load(&runner, p, &e) || runner_observe(&runner, p, t, true, "", &arena, &o, &e)) {
        ok(false, "%s %s: %s", t->name, how, e.message);
        return;
    }
    is_str(outcome_name[o.outcome], "ok", "%s %s", t->name, how);
    is_str(o.output.data, wanted, "  the library and the program see each other's objects");
    if (o.outcome != OUTCOME_OK)
        tap_note("messages", o.messages);
}

static void check_all(const struct testbed *t, bool sandbox)
{
    struct program trusted = make_program(t->language, t->suffix, true);
    struct program other = make_program(t->language, t->suffix, false);
    check(t, &trusted, "6 42 10 20\n", "");
    if (sandbox)
        check(t, &other, "6 42 10 20\n", "in the sandbox");
    struct strbuf commands;
    strbuf_init(&commands, 0);
    runner_commands(t, &trusted, &commands);
    has_str(commands.s, arena_printf(&arena, "-shared -o ./libfunc.so libfunc%s\n", t->suffix),
            "  its commands: the library by itself");
    has_str(commands.s, arena_printf(&arena, " driver%s ./libfunc.so -lm\n", t->suffix),
            "  and the rest with it");
    strbuf_release(&commands);
    struct testbed plain = *t;
    plain.library = NULL;
    strbuf_init(&commands, 0);
    runner_commands(&plain, &trusted, &commands);
    has_str(commands.s, arena_printf(&arena, " libfunc%s driver%s -lm\n", t->suffix, t->suffix),
            "  without `library`: all sources together");
    strbuf_release(&commands);
}

/* A library that is not made is no reason to take that of the testbed before. */
static void check_stale(const struct testbed *t)
{
    struct program p = make_program(t->language, t->suffix, true);
    struct testbed lazy = *t;
    struct observation o;
    struct error e = {0};
    lazy.library = "true {lib}";
    if (runner_load(&runner, &p, &e) || runner_observe(&runner, &p, t, true, "", &arena, &o, &e) ||
        runner_observe(&runner, &p, &lazy, true, "", &arena, &o, &e))
        ok(false, "%s", e.message);
    is_str(outcome_name[o.outcome], "build-fail", "a library that was not made is missed");
}

int main(int argc, char **argv)
{
    struct error e = {0};
    toolchain_list toolchains = {0};
    compiler_list compilers = {0};
    testbed_list testbeds = {0};
    (void)argc;
    arena_init(&arena);
    const char *folder = argv[1];
    bool sandbox = child_sandbox_available(&e) == 0;
    if (runner_init(&runner, &e) || toolchains_read(&folder, 1, &arena, &toolchains, &e))
        return 1;
    for (size_t i = 0; i < toolchains.n; i++)
        if (toolchains.at[i].library)
            toolchain_find(&toolchains.at[i], &arena, &compilers);
    for (size_t i = 0; i < compilers.n; i++)
        compiler_testbeds(&compilers.at[i], true, &arena, &testbeds);
    ok(testbeds.n > 0, "%zu testbeds build libraries", testbeds.n);
    for (size_t i = 0; i < testbeds.n; i++) /* of each compiler all flags, or the first */
        if (!detector_is(&testbeds.at[i]) &&
            (tap_amount(false, true) || !i ||
             strcmp(testbeds.at[i].compiler, testbeds.at[i - 1].compiler) != 0))
            check_all(&testbeds.at[i], sandbox);
    if (testbeds.n)
        check_stale(&testbeds.at[0]);
    vec_release(&testbeds);
    vec_release(&compilers);
    toolchains_release(&toolchains);
    runner_release(&runner);
    arena_release(&arena);
    return tap_done();
}
