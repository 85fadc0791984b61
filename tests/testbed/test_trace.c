/* The volatile oracle from end to end: programs whose accesses are known, on gcc and clang at every
 * level, must be traced as they say; and a compiler that reads twice must be caught by the trace
 * alone. Argument: a compiler with planted faults. */
#include "base/fs.h"
#include "inquiry/test.h"
#include "program/trace.h"
#include "tap.h"
#include "testbed/runner.h"
#include "testbed/symbols.h"
#include "testbed/toolchain.h"
#include "testbed/tracer.h"

#include <unistd.h>

static struct arena arena;
static char dir[256];

/* `accesses`: "r OBJECT OFFSET SIZE" each, in order; N* repeats what follows up to the bar. */
static const struct sample {
    const char *name, *objects, *accesses, *text, *prints;
} samples[] = {
    {"scalars of each size", "g_1 g_2 g_3 g_4 g_5 g_6 g_7",
     "w g_1 0 1|r g_2 0 2|w g_2 0 2|r g_3 0 4|w g_4 0 8|r g_5 0 4|w g_6 0 8|r g_7 0 8|",
     "static volatile signed char g_1;\n"
     "volatile unsigned short g_2 = 65535;\n"
     "static volatile int g_3 = -7;\n"
     "volatile unsigned long g_4;\n"
     "static volatile float g_5 = 2.5f;\n"
     "static volatile double g_6;\n"
     "static int plain = 9;\n"
     "static int *volatile g_7 = &plain;\n"
     "int main(void)\n{\n"
     "    g_1 = 3;\n    g_2++;\n    int a = g_3;\n    g_4 = 0x123456789abcdef0;\n"
     "    float f = g_5;\n    g_6 = f;\n    printf(\"%d %d %g\\n\", *g_7, a, f);\n    return "
     "0;\n}\n",
     "9 -7 2.5\n"},
    {"reads whose value is not used", "g_1 g_2",
     "r g_1 0 4|r g_1 0 4|r g_2 8 8|r g_1 0 4|w g_2 16 8|",
     "static volatile int g_1;\nstatic volatile long g_2[3];\n"
     "int main(void)\n{\n    g_1;\n    (void)g_1;\n    g_2[1];\n    g_2[2] = g_1;\n"
     "    return 0;\n}\n",
     ""},
    {"writes of the same value, and of one that is never read", "g_1",
     "w g_1 0 4|w g_1 0 4|w g_1 0 4|",
     "static volatile int g_1;\nint main(void)\n{\n    g_1 = 5;\n    g_1 = 5;\n    g_1 = 6;\n"
     "    return 0;\n}\n",
     ""},
    {"increments and compound assignments", "g_1 g_2",
     "r g_1 0 4|w g_1 0 4|r g_1 0 4|w g_1 0 4|r g_2 0 1|w g_2 0 1|r g_1 0 4|w g_1 0 4|",
     "volatile int g_1 = 1;\nvolatile unsigned char g_2 = 255;\n"
     "int main(void)\n{\n    g_1++;\n    --g_1;\n    g_2 += 2;\n    g_1 <<= 3;\n    return 0;\n}\n",
     ""},
    {"loops over arrays", "g_1",
     "10*w g_1 0 2|w g_1 2 2|w g_1 4 2|w g_1 6 2|10*r g_1 0 2|r g_1 2 2|r g_1 4 2|r g_1 6 2|",
     "static volatile short g_1[4];\n"
     "int main(void)\n{\n    int sum = 0;\n"
     "    for (int k = 0; k < 10; k++)\n        for (int i = 0; i < 4; i++)\n"
     "            g_1[i] = (short)(k + i);\n"
     "    for (int k = 0; k < 10; k++)\n        for (int i = 0; i < 4; i++)\n"
     "            sum += g_1[i];\n"
     "    printf(\"%d\\n\", sum);\n    return 0;\n}\n",
     "420\n"},
    {"members of structures", "g_1 g_2",
     "w g_1 0 1|w g_1 4 4|r g_1 4 4|w g_1 16 8|r g_2 20 4|w g_2 8 2|",
     "struct s { char a; int b; short c; long d; };\n"
     "static volatile struct s g_1;\n"
     "static struct { volatile short x[8]; int y; volatile int z; } g_2;\n"
     "int main(void)\n{\n    g_1.a = 1;\n    g_1.b = 2;\n    g_1.d = g_1.b;\n"
     "    g_2.x[4] = (short)g_2.z;\n    return 0;\n}\n",
     ""},
    {"through pointers and in functions", "g_1 g_2",
     "r g_1 0 4|w g_1 0 4|r g_1 0 4|w g_2 0 4|r g_2 0 4|",
     "static volatile int g_1 = 4;\nstatic volatile int g_2;\n"
     "static int take(volatile int *p)\n{\n    return (*p)++;\n}\n"
     "static void put(volatile int *p, int v)\n{\n    *p = v;\n}\n"
     "int main(void)\n{\n    int a = take(&g_1);\n    put(&g_2, g_1 + a);\n"
     "    printf(\"%d\\n\", g_2);\n    return 0;\n}\n",
     "9\n"},
    {"a static object of a function, and others that do not count", "l_1", "3*r l_1 0 4|w l_1 0 4|",
     "volatile int g_1;\n"
     "static int count(void)\n{\n    static volatile int l_1;\n    g_1 = 1;\n"
     "    return l_1++;\n}\n"
     "int main(void)\n{\n    int n = count();\n    n = count();\n    n = count();\n"
     "    printf(\"%d\\n\", n);\n    return 0;\n}\n",
     "2\n"},
    {"an object that is never used", "g_1", "",
     "static volatile int g_1;\nint main(void) { return 0; }\n", ""},
};

static void add_accesses(struct volatile_trace *t, const char *text)
{
    while (*text) {
        int times = 1, used = 0, n = 0;
        if (sscanf(text, "%d*%n", &times, &used) == 1 && used)
            text += used;
        else
            times = 1;
        /* A repetition goes to the next number with a star, or to the end. */
        const char *end = text;
        while (*end && !(end > text && end[-1] == '|' && *end >= '0' && *end <= '9'))
            end++;
        for (; times > 0; times--)
            for (const char *at = text; at < end; at += n) {
                char kind, object[16];
                unsigned offset, size;
                if (sscanf(at, "%c %15s %u %u|%n", &kind, object, &offset, &size, &n) != 4)
                    return;
                volatile_trace_add(t, object, offset, size, kind == 'w');
            }
        text = end;
    }
}

static struct program make_program(const struct sample *s)
{
    struct volatile_trace t;
    struct strbuf accesses;
    volatile_trace_init(&t);
    add_accesses(&t, s->accesses);
    strbuf_init(&accesses, 0);
    volatile_trace_comment(&t, (const char *const[]){s->objects}, 1, &accesses);
    const char *text = arena_printf(&arena, "/* A sample\n *\n * %s\n */\n#include <stdio.h>\n%s",
                                    accesses.s, s->text);
    strbuf_release(&accesses);
    struct program_file *file = arena_new(&arena, struct program_file);
    *file = (struct program_file){"t.c", text, strlen(text)};
    return (struct program){.language = "c",
                            .files = file,
                            .n_files = 1,
                            .needs = "",
                            .expected = bytes_of(s->prints),
                            .trusted = true};
}

/* The testbeds of one toolchain file of ours, written for this test. */
static void add_testbeds(const char *name, const char *find, const char *flags,
                         toolchain_list *toolchains, testbed_list *out)
{
    struct error e = {0};
    struct toolchain t;
    compiler_list compilers = {0};
    const char *path = arena_printf(&arena, "%s/%s.ini", dir, name);
    const char *text = arena_printf(
        &arena,
        "[toolchain]\nname = %s\nlanguage = c\nfind = %s\ntrace = volatile\nrun = {exe}\n"
        "compile = {cc} {flags} -w -fno-pie -static -o {exe} {src} -lm\n%s"
        "[limits]\nrun-cpu = 60s\nrun-wall = 300s\nrun-memory = 16G\n",
        name, find, flags);
    fs_write(path, text, strlen(text), &e);
    if (toolchain_read(path, &arena, &t, &e)) {
        ok(false, "%s: %s", path, e.message);
        return;
    }
    vec_push(toolchains, t);
    toolchain_find(&toolchains->at[toolchains->n - 1], &arena, &compilers);
    if (compilers.n)
        compiler_testbeds(&compilers.at[0], false, &arena, out);
    vec_release(&compilers);
}

static struct verdict try_one(struct runner *r, const struct program *p, const struct testbed *t,
                              struct observation *o)
{
    struct error e = {0};
    struct verdict v = {0};
    struct testbed bed = *t;
    struct program tried = *p;
    struct test_setup c = {.testbeds = &bed, .n_testbeds = 1, .oracle = oracle_defaults};
    if (test_try(&c, r, &tried, &arena, o, &v, &e))
        ok(false, "%s: %s", t->name, e.message);
    return v;
}

static void test_samples(struct runner *r, const testbed_list *beds)
{
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        struct program p = make_program(&samples[i]);
        struct volatile_accesses accesses;
        program_volatile_accesses(&p, &arena, &accesses);
        /* a compiler and a level each, in turn */
        for (size_t k = i % (size_t)tap_amount(3, 1); k < beds->n; k += (size_t)tap_amount(3, 1)) {
            struct observation o;
            struct verdict v = try_one(r, &p, &beds->at[k], &o);
            const char *wanted =
                arena_printf(&arena, "%s%s\n", samples[i].prints, accesses.summary);
            is_str(o.output.data, wanted, "%s: %s", samples[i].name, beds->at[k].name);
            is_str(anomaly_name[v.anomaly], "agrees", "  no anomaly");
        }
    }
}

/* In the sandbox, as programs are that nobody vouches for. */
static void test_sandbox(struct runner *r, const struct testbed *t)
{
    struct error e = {0};
    struct observation o;
    struct program p = make_program(&samples[0]);
    if (child_sandbox_available(&e)) {
        tap_skip("traced in the sandbox", "no namespaces");
        return;
    }
    p.trusted = false;
    is_int(try_one(r, &p, t, &o).anomaly, ANOMALY_NONE, "traced in the sandbox");
    is_str(outcome_name[o.outcome], "ok", "  %s", o.messages);
}

static const struct sample caught = {
    "caught", "g_1 g_2", "r g_1 0 4|r g_2 0 2|",
    "static volatile int g_1 = 3;\nstatic volatile short g_2 = 4;\n"
    "__attribute__((noipa)) static int f(void)\n{\n    int a = g_1;\n    return a + g_2;\n}\n"
    "int main(void)\n{\n    printf(\"%d\\n\", f());\n    return 0;\n}\n",
    "7\n"};

static void test_faults(struct runner *r, const testbed_list *beds)
{
    struct program p = make_program(&caught);
    for (size_t k = 0; k < beds->n; k++) {
        const char *fault = strstr(beds->at[k].flags, "fault=");
        const char *wanted = fault ? fault + strlen("fault=") : "agrees";
        struct observation o;
        struct verdict v = try_one(r, &p, &beds->at[k], &o);
        is_str(anomaly_name[v.anomaly], wanted, "%s", beds->at[k].name);
        if (!fault)
            continue;
        ok(v.evidence == EVIDENCE_EXPECTED && v.confidence == 1, "  the program says so itself");
        has_str(o.output.data, "7\nvolatile: 4 accesses, hash ", "  with the right output");
        p.expected = (struct bytes){0};
        v = try_one(r, &p, &beds->at[k], &o);
        is_str(anomaly_name[v.anomaly], wanted, "  also when the output is not known");
        struct test_setup c = {
            .testbeds = &beds->at[k], .n_testbeds = 1, .oracle = oracle_defaults};
        struct error e = {0};
        runner_load(r, &p, &e);
        is_int(test_again(&c, r, &p, &v, 0, &arena, &o, &e), 1, "  and it shows again");
        const char *why;
        is_int(runner_probe(r, &beds->at[k], &arena, &why, &e), 0, "  the probe lets it pass");
        p.expected = bytes_of("8\n");
        v = try_one(r, &p, &beds->at[k], &o);
        is_str(anomaly_name[v.anomaly], "wrong-output", "  a wrong output weighs more");
        p.expected = bytes_of(caught.prints);
    }
}

static void test_skipped(struct runner *r, const struct testbed *t)
{
    struct observation o;
    struct program p = make_program(&caught), q = p;
    struct program_file bare = {"t.c", "int main(void) { return 0; }\n", 29};
    struct testbed other = *t;
    q.files = &bare;
    is_int(try_one(r, &q, t, &o).anomaly, ANOMALY_NONE, "a program without a accesses");
    ok(o.outcome == OUTCOME_SKIPPED && !o.build.wall_us, "  is skipped, and not even built");
    has_str(o.messages, "does not state", "  with the reason");

    const char *const pie[] = {"{cc} -w -pie -fPIE -o {exe} {src}", NULL};
    other.compile = pie;
    is_int(try_one(r, &p, &other, &o).anomaly, ANOMALY_NONE, "no fixed addresses");
    ok(o.outcome == OUTCOME_SKIPPED, "  skipped");
    has_str(o.messages, "-no-pie", "  with the reason");
    const char *why;
    struct error e = {0};
    is_int(runner_probe(r, &other, &arena, &why, &e), 1, "the probe sees it");
    has_str(why, "-no-pie", "  and says what to do");
    is_int(runner_probe(r, t, &arena, &why, &e), 0, "the probe of one that works");

    const char *const stripped[] = {"{cc} -w -static -s -o {exe} {src}", NULL};
    other.compile = stripped;
    try_one(r, &p, &other, &o);
    ok(o.outcome == OUTCOME_SKIPPED, "no symbol table: skipped");
    has_str(o.messages, "no symbol table", "  with the reason");

    static const struct sample strange = {
        "strange", "g_1", "w g_1 0 4|",
        "static volatile int g_1;\nint main(void)\n{\n    g_1 = 1;\n"
        "    __asm__ volatile(\"vpxord %zmm0, %zmm0, %zmm0\");\n    return 0;\n}\n",
        ""};
    q = make_program(&strange);
    is_int(try_one(r, &q, t, &o).anomaly, ANOMALY_NONE, "an instruction strange to Valgrind");
    if (o.outcome != OUTCOME_OK) { /* a later Valgrind may know it */
        is_str(outcome_name[o.outcome], "skipped", "  skipped");
        has_str(o.messages, "Valgrind cannot trace it: ", "  with the reason");
    }

    char *path = arena_strdup(&arena, getenv("PATH"));
    setenv("PATH", dir, 1); /* the compiler is named by its path, and Valgrind is not here */
    struct testbed unable = *t;
    const char *const copy[] = {arena_printf(&arena, "/bin/cp %s/exe {exe}", dir), NULL};
    unable.compile = copy;
    try_one(r, &p, &unable, &o);
    setenv("PATH", path, 1);
    ok(o.outcome == OUTCOME_SKIPPED, "no valgrind: skipped");
    has_str(o.messages, "valgrind, which traces the run, is not installed", "  with the reason");
}

static void test_slow(struct runner *r, const struct testbed *t)
{
    static const struct sample busy = {
        "busy", "g_1", "w g_1 0 4|",
        "static volatile int g_1;\nint main(void)\n{\n    for (int i = 0; i < 100000000; i++)\n"
        "        __asm__ volatile(\"\");\n    g_1 = 1;\n    return 0;\n}\n",
        ""};
    struct program p = make_program(&busy);
    struct testbed other = *t;
    struct observation o;
    other.limits.run.cpu_ms = 500;
    is_int(try_one(r, &p, &other, &o).anomaly, ANOMALY_NONE, "too slow to trace: no anomaly");
    is_str(outcome_name[o.outcome], "run-timeout", "  but it is told");
    p.expected = (struct bytes){0};
    is_int(try_one(r, &p, &other, &o).anomaly, ANOMALY_NONE, "  nor without a known output");
}

/* -- the parts ----------------------------------------------------------------------------------
 */

/* A program whose objects have known sizes and names; also what test_skipped copies. */
static void test_symbols(void)
{
    static const char text[] = "volatile int g_1; static volatile char g_2[5]; volatile long g_3;\n"
                               "int f(void) { static volatile int g_1; return g_1++; }\n"
                               "int g(void) { static volatile short l_1; return l_1++; }\n"
                               "int h(void) { static volatile short l_1; return l_1++; }\n"
                               "int main(void) { g_2[1] = 1; return f() + g() + h(); }\n";
    struct error e = {0};
    struct child_result result;
    struct symbol s[4];
    const char *source = arena_printf(&arena, "%s/exe.c", dir);
    const char *exe = arena_printf(&arena, "%s/exe", dir);
    child_result_init(&result, 4096, 4096);
    fs_write(source, text, strlen(text), &e);
    const char *machines[] = {"-m64", "-m32"};
    for (int i = 1; i >= 0; i--) {
        const char *const argv[] = {"gcc", "-w", machines[i], "-no-pie", "-fno-pie",
                                    "-o",  exe,  source,      NULL};
        struct child_spec spec = {.argv = argv, .limits = {.wall_ms = 60000}};
        if (child_run(&spec, &result, &e) || result.end != CHILD_EXITED || result.status) {
            tap_skip("symbols", machines[i]);
            continue;
        }
        const char *const names[] = {"g_1", "g_2", "g_3", "g_4"};
        is_str(symbols_find(exe, names, 4, &arena, s), NULL, "symbols with %s", machines[i]);
        ok(s[0].size == 4 && s[1].size == 5 && s[2].size == (i ? 4 : 8) && s[3].size == 0,
           "  their sizes; one that is not there has none");
        ok(s[0].address && s[1].address && s[0].address != s[1].address, "  and addresses");
        has_str(symbols_find(exe, (const char *const[]){"l_1"}, 1, &arena, s),
                "has 2 objects that may be l_1", "  two of one name are refused");
    }
    has_str(symbols_find(source, (const char *const[]){"g_1"}, 1, &arena, s), "not an ELF file",
            "a file that is no program");
    struct strbuf whole;
    strbuf_init(&whole, 0);
    fs_read(exe, &whole, &e);
    bool refused = true;
    for (size_t n = 0; n < whole.n; n += whole.n / 97 + 1) {
        const char *cut = arena_printf(&arena, "%s/cut", dir);
        fs_write(cut, whole.s, n, &e);
        refused &= symbols_find(cut, (const char *const[]){"g_1"}, 1, &arena, s) != NULL;
    }
    ok(refused, "a program that is cut off is refused");
    strbuf_release(&whole);
    child_result_release(&result);
}

static void test_reading(void)
{
    static const char text[] = "I  04001000,3\n L 1000,4\n S 1002,2\n M 1010,1\nplain words\n"
                               " L ffe,4\n S 1004,4\n L 100c,16\n L 2000,8\n X 1000,4\n"
                               "==12== valgrind: Unrecognised instruction at address 0x1.\n"
                               " L 1000,4 and more\n";
    struct symbol objects[] = {{"g_1", 0x1000, 4}, {"g_2", 0x1010, 1}};
    char seen[VOLATILE_SUMMARY_SIZE], wanted[VOLATILE_SUMMARY_SIZE];
    struct volatile_trace t;
    volatile_trace_init(&t);
    add_accesses(&t, "r g_1 0 4|w g_1 2 2|r g_2 0 1|w g_2 0 1|r g_1 0 4|r g_2 0 16|");
    for (size_t piece = 1; piece <= sizeof text; piece += piece < 20 ? 1 : 37) {
        struct tracer tracer = {.objects = objects, .n_objects = 2};
        volatile_trace_init(&tracer.trace);
        strbuf_init(&tracer.other, 4096);
        for (size_t at = 0; at < sizeof text - 1; at += piece)
            tracer_take(&tracer, text + at,
                        piece < sizeof text - 1 - at ? piece : sizeof text - 1 - at);
        is_str(volatile_trace_summary(&tracer.trace, seen), volatile_trace_summary(&t, wanted),
               "lackey's lines in pieces of %zu", piece);
        is_str(tracer.other.s,
               "plain words\n X 1000,4\n==12== valgrind: Unrecognised instruction at address 0x1.\n"
               " L 1000,4 and more\n",
               "  what is none of them is kept");
        is_str(tracer_complaint(&tracer, &arena),
               "Valgrind cannot trace it: valgrind: Unrecognised instruction at address 0x1.",
               "  and Valgrind's word found");
        tracer_release(&tracer);
    }
}

static bool has_valgrind(void)
{
    struct error e = {0};
    struct child_result result;
    child_result_init(&result, 256, 256);
    const char *const argv[] = {"valgrind", "--version", NULL};
    struct child_spec spec = {.argv = argv, .limits = {.wall_ms = 60000}};
    bool good = !child_run(&spec, &result, &e) && result.end == CHILD_EXITED && !result.status;
    child_result_release(&result);
    return good;
}

int main(int argc, char **argv)
{
    const char *levels = tap_amount(false, true)
                             ? "flags = -O0\nflags = -O1\nflags = -O2\nflags = -O3\nflags = -Os\n"
                             : "flags = -O0\nflags = -O2\n";
    struct error e = {0};
    toolchain_list toolchains = {0};
    testbed_list beds = {0}, faulty = {0};
    struct runner r;
    char faulty_cc[PATH_MAX];
    arena_init(&arena);
    if (argc < 2 || !realpath(argv[1], faulty_cc) ||
        fs_make_temp_dir("assay-test", dir, sizeof dir, &e) || runner_init(&r, &e))
        return 1;
    test_reading();
    test_symbols();
    if (has_valgrind()) {
        add_testbeds("gcc-volatile", "gcc", levels, &toolchains, &beds);
        add_testbeds("clang-volatile", "clang", levels, &toolchains, &beds);
        add_testbeds("faulty", faulty_cc,
                     "flags = -O1 --set=faulty\nflags = -O1 --set=faulty -ffault=wrong-volatile\n",
                     &toolchains, &faulty);
        test_samples(&r, &beds);
        test_faults(&r, &faulty);
        test_sandbox(&r, &beds.at[0]);
        test_skipped(&r, &beds.at[0]);
        test_slow(&r, &beds.at[0]);
    } else {
        tap_skip("runs that are traced", "no valgrind");
    }
    runner_release(&r);
    vec_release(&beds);
    vec_release(&faulty);
    toolchains_release(&toolchains);
    fs_remove_tree(dir);
    arena_release(&arena);
    return tap_done();
}
