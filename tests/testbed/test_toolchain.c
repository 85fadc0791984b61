/* Toolchain files, what is found through them, and each outcome class from a fake compiler. */
#include "testbed/toolchain.h"
#include "base/fs.h"
#include "tap.h"
#include "testbed/runner.h"
#include "testbed/server.h"

#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

static char dir[256];
static struct arena arena;

static const char *put(const char *name, const char *text, int mode)
{
    const char *path = arena_printf(&arena, "%s/%s", dir, name);
    fs_write(path, text, strlen(text), NULL);
    chmod(path, (mode_t)mode);
    return path;
}

static const struct {
    const char *what, *text;
    int line;
    const char *message;
} wrong[] = {
    {"an unknown key", "[toolchain]\nname = x\ncompil = x\n", 3, "did you mean 'compile'?"},
    {"an unknown section", "[limit]\nrun-cpu = 1s\n", 2, "did you mean 'limits'?"},
    {"a missing name", "[toolchain]\nlanguage = c\nfind = x\ncompile = x\n", 0, "lacks 'name'"},
    {"a missing find", "[toolchain]\nname = x\nlanguage = c\ncompile = x\n", 0, "lacks 'find'"},
    {"nothing to do", "[toolchain]\nname = x\nlanguage = c\nfind = x\n", 0, "lacks 'compile'"},
    {"a wrong pattern", "[toolchain]\nname = x\ncrash = (\n", 3, "is not a regular expression"},
    {"a hostile pattern", "[toolchain]\ncrash = a{255}{255}\n", 2, "is too large: at most"},
    {"a version without a group", "[toolchain]\nversion = [0-9]+\n", 2, "in parentheses"},
    {"a wrong placeholder", "[toolchain]\ncompile = {cc} {source}\n", 2, "{src}"},
    {"an open quote", "[toolchain]\ncompile = {cc} 'x\n", 2, "quote left open"},
    {"is not yes or no", "[toolchain]\nreference = maybe\n", 2, "is not yes or no"},
    {"a trace of nothing we know", "[toolchain]\ntrace = all\n", 2, "is not no or volatile"},
    {"a trace that votes",
     "[toolchain]\nname = x\nlanguage = c\nfind = x\ncompile = x\nrun = {exe}\n"
     "trace = volatile\nreference = yes\n",
     0, "does not vote"},
    {"a trace of no program",
     "[toolchain]\nname = x\nlanguage = c\nfind = x\ncompile = x\nrun = x\ntrace = volatile\n", 0,
     "{exe}"},
    {"a filter that votes",
     "[toolchain]\nname = x\nlanguage = c\nfind = x\ncompile = x\nrun = {exe}\n"
     "filter = yes\nreference = yes\n",
     0, "'reference = yes' exclude each other"},
    {"a filter that traces",
     "[toolchain]\nname = x\nlanguage = c\nfind = x\ncompile = x\nrun = {exe}\n"
     "filter = yes\ntrace = volatile\n",
     0, "'trace = volatile' exclude each other"},
    {"a filter that runs nothing",
     "[toolchain]\nname = x\nlanguage = c\nfind = x\ncompile = x\nfilter = yes\n", 0,
     "needs a 'run'"},
    {"what is undefined, by no filter",
     "[toolchain]\nname = x\nlanguage = c\nfind = x\ncompile = x\nrun = {exe}\n"
     "undefined = race\n",
     0, "'filter = yes' is missing"},
    {"other inputs that go nowhere",
     "[toolchain]\nname = x\nlanguage = c\nfind = x\ncompile = x\nrun = {exe}\n"
     "other-inputs = 1\n",
     0, "needs a 'run' with {inputs}"},
    {"a tolerance that is none", "[toolchain]\ntolerance = little\n", 2,
     "is not a share such as 1e-3"},
    {"a tolerance above all", "[toolchain]\ntolerance = 2\n", 2, "is not a share such as 1e-3"},
    {"a tolerance below all", "[toolchain]\ntolerance = -1e-3\n", 2, "is not a share such as 1e-3"},
    {"a library that goes nowhere",
     "[toolchain]\nname = x\nlanguage = c\nfind = x\ncompile = x\nlibrary = {cc} {src}\n", 6,
     "lacks {lib}"},
    {"what is done for a server that is none",
     "[toolchain]\nname = x\nlanguage = c\nfind = x\ncompile = x\nserver-begin = x\n", 0,
     "need a 'server'"},
    {"a wrong placeholder of a server", "[toolchain]\nserver = x {socket}\n", 2, "{server} {test}"},
    {"a wrong word on time", "[toolchain]\nmay-time-out = often\n", 2, "is not yes or no"},
    {"flags without a level",
     "[toolchain]\nname = x\nlanguage = c\nfind = x\ncompile = x\nflag-list = {cc} -h\n", 0,
     "'flag-level' is missing"},
    {"a form that is none", "[toolchain]\nflag-also = -f[a|b\n", 2, "is not a form"},
    {"a rule that is no substitution", "[toolchain]\nflag-form = -f\n", 2, "s/FROM/TO/"},
    {"a wrong exclusion", "[toolchain]\nflag-exclude = (\n", 2, "is not a regular expression"},
    {"a place that is relative", "[toolchain]\nsees = lib\n", 2, "is not an absolute path"},
    {"a system that is relative", "[toolchain]\nroot = sid\n", 2, "is not an absolute path"},
    {"a system that is this one", "[toolchain]\nroot = /usr/..\n", 2, "this system itself"},
    {"a server of another system",
     "[toolchain]\nname = x\nlanguage = c\nfind = x\ncompile = x\nrun = x\nserver = x\n"
     "root = /srv/sid\n",
     0, "'root' and 'server' exclude each other"},
    {"a wrong substitution", "[toolchain]\nnormalise = s/a\n", 2, "s/FROM/TO/"},
    {"a wrong time", "[limits]\nrun-cpu = soon\n", 2, "30s"},
    {"a wrong size", "[limits]\nrun-memory = much\n", 2, "64M"},
    {"half a count", "[blame]\ncount = -fdbg-cnt={n}\n", 2, "count: '-fdbg-cnt={n}' lacks {name}"},
    {"a pass without its name", "[blame]\npass = ([0-9]+)\n", 2,
     "pass: '([0-9]+)' lacks two groups: put the number of a pass and its name in parentheses"},
    {"a wrong number", "[limits]\nprocesses = 0\n", 2,
     "processes: '0' is not a whole number from 1 to 100000"},
};

static void test_wrong_files(void)
{
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct toolchain t;
        struct error e = {0};
        const char *path = put("wrong.ini", wrong[i].text, 0644);
        is_int(toolchain_read(path, &arena, &t, &e), -1, "%s", wrong[i].what);
        has_str(e.message, wrong[i].message, "  the message");
        is_int(e.line, wrong[i].line, "  the line");
        is_str(e.file, path, "  the file");
        is_int(e.kind, ERROR_USAGE, "  the user's");
    }
    unlink(arena_printf(&arena, "%s/wrong.ini", dir));
}

/* A compiler that does what the source's first line says. */
static const char fake_cc[] =
    "#!/bin/sh\n"
    "[ \"$1\" = --version ] && { echo 'fakecc (test) version 4.2'; exit 0; }\n"
    "out=program.exe; src=t.c\n"
    "say() { printf '#!/bin/sh\\n%s\\n' \"$1\" >$out; chmod +x $out; exit 0; }\n"
    "read -r what <$src\n"
    "case $what in\n"
    "ok) say 'echo result 0xdeadbeef; echo flags '\"$1\" ;;\n"
    "status) say 'echo x; exit 3' ;;\n"
    "fail) echo 't.c:1: error: no good' >&2; exit 1 ;;\n"
    "ice) echo 't.c:1: internal compiler error: oops' >&2; exit 1 ;;\n"
    "silent) exit 1 ;;\n"
    "segv) kill -SEGV $$ ;;\n"
    "cut) echo 't.s:3: Warning: end of file not at end of a line; newline inserted' >&2; exit 1 "
    ";;\n"
    "nothing) exit 0 ;;\n"
    "hang) while :; do :; done ;;\n"
    "sleep) sleep 60 ;;\n"
    "litter) echo x >$TMPDIR/litter; echo y >leftover; say 'ls' ;;\n"
    "runsegv) say 'kill -SEGV $$' ;;\n"
    "runhang) say 'while :; do :; done' ;;\n"
    "flood) say 'yes' ;;\n"
    "broken) echo none >$out; chmod +x $out; exit 0 ;;\n"
    "input) say cat ;;\n"
    "status2) say 'echo x; exit 2' ;;\n"
    "unknown) say 'echo sat; echo unknown' ;;\n"
    "overflow) say 'echo 1; echo at line 3: integer out of range >&2; exit 1' ;;\n"
    "memory) say 'echo out of memory >&2; kill -ABRT $$' ;;\n"
    "killed) echo 'fakecc: fatal error: Killed signal terminated program cc1' >&2; exit 1 ;;\n"
    "shot) kill -KILL $$ ;;\n"
    "runshot) say 'kill -KILL $$' ;;\n"
    "full) echo 'cannot write t.o: No space left on device' >&2; exit 1 ;;\n"
    "out) printf '\\noom_kill 8\\n' >\"$VMSTAT\"; exit 1 ;;\n"
    "lost) say 'echo 1; echo unknown; echo the connection was lost >&2' ;;\n"
    "esac\n";

static const char fake_ini[] =
    "[toolchain]\nname = fakecc\nlanguage = c\nfind = fakecc fakecc-[0-9]\n"
    "probe = {cc} --version\nversion = version ([0-9.]+)\n"
    "compile = {cc} {flags} {needs} -o {exe} {src}\nrun = {exe}\n"
    "crash = internal compiler error\nsilent-crash = yes\nreference = yes\n"
    "stdin = fed\nnormalise = s/0x[0-9a-f]+/POINTER/\nnormalise = s/^x/y/\n"
    "flags = -O0\nflags = -O2 -g\nextra-flags = -O3\n"
    "[limits]\ncompile-cpu = 1s\ncompile-wall = 60s\nrun-cpu = 1s\nrun-wall = 60s\noutput = 1M\n";

static void test_find(toolchain_list *toolchains, compiler_list *compilers, testbed_list *testbeds)
{
    struct error e = {0};
    put("fakecc", fake_cc, 0755);
    put("fakecc-9", fake_cc, 0755);
    put("fakecc-8", fake_cc, 0644); /* not executable */
    if (symlink("fakecc", arena_printf(&arena, "%s/fakecc-7", dir)))
        printf("# no symlink\n");
    put("fakecc.ini", fake_ini, 0644);
    const char *dirs[] = {"/nonexistent", dir};
    is_int(toolchains_read(dirs, 2, &arena, toolchains, &e), 0, "the folder is read");
    is_int(toolchains->n, 1, "one toolchain");
    setenv("PATH", arena_printf(&arena, "%s//:%s", dir, getenv("PATH")), 1);
    toolchain_find(&toolchains->at[0], &arena, compilers);
    is_int(compilers->n, 2, "two compilers: a second name and one that cannot run do not count");
    is_str(compilers->at[0].name, "fakecc", "the first");
    is_str(compilers->at[1].name, "fakecc-9", "the second");
    is_str(compilers->at[0].path, arena_printf(&arena, "%s/fakecc", dir),
           "two slashes in a row are those of another system");
    ok(!*compilers->at[0].version && !compilers->at[0].identity, "nobody asked for its version");
    is_int(compiler_ask(compilers, 0, &arena, &e), 0, "it is asked");
    is_str(compilers->at[0].version, "4.2", "its version");
    ok(!compilers->at[1].identity, "and no other is");
    struct compiler same = {.toolchain = &toolchains->at[0], .path = compilers->at[0].path};
    vec_push(compilers, same);
    is_int(compiler_ask(compilers, 2, &arena, &e), 0, "the same file once more");
    ok(compilers->at[2].identity == compilers->at[0].identity, "has the answer from the first");
    compilers->n--;
    compiler_testbeds(&compilers->at[0], false, &arena, testbeds);
    is_int(testbeds->n, 2, "a testbed for each flag set");
    is_str(testbeds->at[1].name, "fakecc -O2 -g", "named by them");
    testbeds->n = 0;
    compiler_testbeds(&compilers->at[0], true, &arena, testbeds);
    is_int(testbeds->n, 3, "the extra ones on request");
    ok(testbed_selected(&testbeds->at[0], "fakecc") &&
           testbed_selected(&testbeds->at[1], "fakecc:-O2 -g") &&
           !testbed_selected(&testbeds->at[0], "fakecc:-O2") &&
           !testbed_selected(&testbeds->at[0], "fake"),
       "selected by name, or name and flags");
}

/* Programs that come with assay lie beside it, and go ahead of those on PATH. Two versions under a
 * toolchain's own name are told apart. */
static void test_beside_us(void)
{
    char own[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", own, sizeof own - 1);
    own[n > 0 ? n : 0] = '\0';
    char *slash = strrchr(own, '/');
    REQUIRE(slash);
    const char *name = arena_printf(&arena, "beside-%d", (int)getpid());
    const char *path = arena_printf(&arena, "%.*s/%s", (int)(slash - own), own, name);
    const char *ini = arena_printf(
        &arena, "[toolchain]\nname = x\nlanguage = c\nfind = %s fakecc-9\ncompile = {cc}\n", name);
    struct toolchain t;
    struct error e = {0};
    compiler_list found = {0};
    testbed_list beds = {0};
    fs_write(path, fake_cc, strlen(fake_cc), NULL);
    chmod(path, 0755);
    put(name, fake_cc, 0755);
    is_int(toolchain_read(put("beside.txt", ini, 0644), &arena, &t, &e), 0, "a file is read");
    toolchain_find(&t, &arena, &found);
    is_int(found.n, 2, "found once, and another on PATH");
    is_str(found.n ? found.at[0].path : "", path, "the one beside us");
    for (size_t i = 0; i < found.n; i++)
        compiler_testbeds(&found.at[i], false, &arena, &beds);
    ok(beds.n == 2 && !strcmp(beds.at[1].name, "x-9"), "a version is part of the name");
    unlink(path);
    unlink(arena_printf(&arena, "%s/%s", dir, name));
    unlink(arena_printf(&arena, "%s/beside.txt", dir));
    toolchain_list one = {0};
    vec_push(&one, t);
    toolchains_release(&one);
    vec_release(&found);
    vec_release(&beds);
}

static const struct {
    const char *word;
    enum outcome outcome;
    const char *detail, *output;
} runs[] = {
    {"ok", OUTCOME_OK, "exit 0", "result POINTER\nflags -O0\n"},
    {"status", OUTCOME_OK, "exit 3", "y\n"},
    {"fail", OUTCOME_BUILD_FAIL, "exit 1", ""},
    {"ice", OUTCOME_BUILD_CRASH, "exit 1", ""},
    {"silent", OUTCOME_BUILD_CRASH, "exit 1", ""},
    {"segv", OUTCOME_BUILD_CRASH, "SIGSEGV", ""},
    {"cut", OUTCOME_BUILD_CRASH, "exit 1", ""},
    {"nothing", OUTCOME_BUILD_FAIL, "exit 0, but no result", ""},
    {"hang", OUTCOME_BUILD_TIMEOUT, "over 1 s of CPU time", ""},
    {"sleep", OUTCOME_BUILD_TIMEOUT, "over 0.5 s", ""},
    {"runsegv", OUTCOME_RUN_CRASH, "SIGSEGV", ""},
    {"runhang", OUTCOME_RUN_TIMEOUT, "over 1 s of CPU time", ""},
    {"flood", OUTCOME_RUN_CRASH, "over 1 MB of output", NULL},
    {"input", OUTCOME_OK, "exit 0", "fed"},
    {"overflow", OUTCOME_OK, "exit 1", "1\n"},
};

/* What a run says of itself, on either stream. */
static void test_what_is_said(struct runner *r, const struct testbed *t)
{
    static const struct {
        const char *word;
        enum outcome outcome;
        const char *detail, *messages;
    } said[] = {
        {"unknown", OUTCOME_SKIPPED, "abstains", "abstains: unknown"},
        {"overflow", OUTCOME_SKIPPED, "abstains", "abstains: out of range"},
        {"lost", OUTCOME_RUN_CRASH, "connection was lost", "the connection was lost\n"},
        {"memory", OUTCOME_SKIPPED, "abstains", "abstains: out of memory"},
        {"runsegv", OUTCOME_RUN_CRASH, "SIGSEGV", ""},
        {"status", OUTCOME_OK, "exit 3", ""},
        {"status2", OUTCOME_OK, "exit 2", ""},
    };
    enum { N = sizeof said / sizeof *said };
    struct observation o[N];
    struct error e = {0};
    struct toolchain tc;
    testbed_list beds = {0};
    const char *path = put(
        "says.txt",
        "[toolchain]\nname = says\nlanguage = c\nfind = x\ncompile = {cc} {src}\nrun = {exe}\n"
        "abstain = ^unknown$\nabstain = out of (range|memory)\nrun-crash = connection was lost\n"
        "ignore-status = yes\nmay-time-out = yes\n",
        0644);
    is_int(toolchain_read(path, &arena, &tc, &e), 0, "what may be said");
    toolchain_list all = {0};
    vec_push(&all, tc);
    struct compiler c = {.toolchain = &all.at[0], .name = "says", .path = t->path, .version = ""};
    compiler_testbeds(&c, false, &arena, &beds);
    ok(beds.at[0].may_time_out && !t->may_time_out, "it may run out of time, others may not");
    for (int i = 0; i < N; i++) {
        const char *text = arena_printf(&arena, "%s\n", said[i].word);
        struct program_file file = {"t.c", text, strlen(text)};
        struct program p = {
            .language = "c", .files = &file, .n_files = 1, .needs = "", .trusted = true};
        runner_load(r, &p, &e);
        is_int(runner_observe(r, &p, &beds.at[0], true, "", &arena, &o[i], &e), 0, "%s",
               said[i].word);
        is_str(outcome_name[o[i].outcome], outcome_name[said[i].outcome], "  outcome");
        is_str(o[i].detail, said[i].detail, "  detail");
        is_str(o[i].messages, said[i].messages, "  messages");
        ok((o[i].outcome == OUTCOME_OK) == (o[i].output_hash[0] != 0), "  a hash when it counts");
    }
    is_str(o[N - 2].output_hash, o[N - 1].output_hash, "the exit status is not compared");
    struct testbed served = beds.at[0];
    served.server = &(struct testbed_server){.command = "x"};
    unsetenv(SERVERS_ENV);
    struct program_file file = {"t.c", "ok\n", 3};
    struct program p = {
        .language = "c", .files = &file, .n_files = 1, .needs = "", .trusted = true};
    is_int(runner_observe(r, &p, &served, true, "", &arena, &o[0], &e), 0, "without a host");
    ok(o[0].outcome == OUTCOME_SKIPPED && strstr(o[0].messages, "needs a server"),
       "  what needs a server is skipped");
    vec_release(&beds);
    toolchains_release(&all);
}

static void try_words(struct runner *r, const struct testbed *t, const char *words,
                      struct observation *o)
{
    struct error e = {0};
    struct program_file file = {"t.c", words, strlen(words)};
    struct program p = {
        .language = "c", .files = &file, .n_files = 1, .needs = "", .trusted = true};
    runner_load(r, &p, &e);
    is_int(runner_observe(r, &p, t, true, "", &arena, o, &e), 0, "%s", words);
}

/* What the system does to a compiler says nothing of the program. */
static void test_let_down(struct runner *r, const struct testbed *t)
{
    static const char *const words[] = {"killed\n", "shot\n", "runshot\n", "full\n", "out\n"};
    static const char counts[] = "nr_free_pages 1\noom_kill 7\n";
    struct observation o;
    r->vmstat = put("vmstat", counts, 0644);
    setenv("VMSTAT", r->vmstat, 1);
    for (int i = 0; i < 5; i++) {
        try_words(r, t, words[i], &o);
        ok(o.outcome == OUTCOME_SKIPPED && o.of_machine && *o.messages, "  the machine's fault");
    }
    put("vmstat", counts, 0644);
    try_words(r, t, "fail\n", &o);
    is_str(outcome_name[o.outcome], "build-fail", "what was killed before does not matter");
    try_words(r, t, "full\nchar *s = \"No space left on device\";\n", &o);
    is_str(outcome_name[o.outcome], "build-fail", "nor what the program says");
    r->sandbox_all = !child_sandbox_available(NULL);
    if (r->sandbox_all) {
        try_words(r, t, "full\n", &o);
        is_str(outcome_name[o.outcome], "build-fail", "nor how much the sandbox has room for");
        r->sandbox_all = false;
    }
    if (mount("tmpfs", r->dir, "tmpfs", 0, "size=1m")) {
        tap_skip("a full disk", "nothing can be mounted");
        return;
    }
    try_words(r, t, "silent\n", &o);
    ok(o.outcome == OUTCOME_SKIPPED && o.of_machine && *o.messages,
       "on a full disk nobody is to blame");
    umount(r->dir);
}

/* A compiler that went away says nothing of the program; a result that is no program does. */
static void test_not_started(struct runner *r, const struct testbed *t)
{
    static const char *const no_steps[] = {NULL};
    struct program_file file = {"t.c", "broken\n", 7};
    struct program p = {.language = "c", .files = &file, .n_files = 1, .needs = ""};
    struct testbed gone = *t;
    struct observation o;
    struct error e = {0};
    for (int sandbox = 0; sandbox < 2; sandbox++) {
        p.trusted = !sandbox;
        gone = *t;
        gone.path = "/no/such/cc";
        runner_load(r, &p, &e);
        is_int(runner_observe(r, &p, &gone, true, "", &arena, &o, &e), 0, "a compiler is gone");
        ok(o.outcome == OUTCOME_SKIPPED && o.of_machine, "  that is no failure to build");
        is_str(o.messages, "cannot run '/no/such/cc': No such file or directory", "  it says so");
        gone.compile = no_steps;
        gone.run = "{cc} {src}";
        runner_observe(r, &p, &gone, true, "", &arena, &o, &e);
        ok(o.outcome == OUTCOME_SKIPPED && o.of_machine, "  nor is an interpreter a crash");
        ok(runner_observe(r, &p, t, true, "", &arena, &o, &e) == 0 &&
               o.outcome == OUTCOME_RUN_CRASH && !o.of_machine,
           "a result that cannot be executed is the compiler's");
    }
}

static void test_outcomes(const struct testbed *t)
{
    struct runner r;
    struct error e = {0};
    struct observation o;
    is_int(runner_init(&r, &e), 0, "a runner");
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        const char *text = arena_printf(&arena, "%s\n", runs[i].word);
        struct program_file file = {"t.c", text, strlen(text)};
        struct program p = {
            .language = "c", .files = &file, .n_files = 1, .needs = "", .trusted = true};
        /* Only sleeping may run into the wall limit, however busy the machine is. */
        struct testbed with_limits = *t;
        if (!strcmp(runs[i].word, "sleep"))
            with_limits.limits.compile.wall_ms = 500;
        runner_load(&r, &p, &e);
        is_int(runner_observe(&r, &p, &with_limits, true, "", &arena, &o, &e), 0, "%s",
               runs[i].word);
        is_str(outcome_name[o.outcome], outcome_name[runs[i].outcome], "  outcome");
        is_str(o.detail, runs[i].detail, "  detail");
        if (runs[i].output)
            is_str(o.output.data, runs[i].output, "  output");
        ok((o.outcome == OUTCOME_OK) == (o.output_hash[0] != 0), "  a hash when it ran");
    }
    struct program_file file = {"t.c", "litter\n", 7};
    struct program p = {
        .language = "c", .files = &file, .n_files = 1, .needs = "", .trusted = true};
    runner_load(&r, &p, &e);
    runner_observe(&r, &p, t, true, "", &arena, &o, &e);
    ok(!fs_exists(arena_printf(&arena, "%s/litter", r.temp)), "temporary files are swept");
    runner_load(&r, &p, &e);
    ok(!fs_exists(arena_printf(&arena, "%s/leftover", r.dir)),
       "and others before the next program");
    static const char *const never_run[] = {"runsegv", "ok", "runhang", "fail", "ice", "nothing"};
    static const enum outcome built[] = {OUTCOME_OK,          OUTCOME_OK,
                                         OUTCOME_OK,          OUTCOME_BUILD_FAIL,
                                         OUTCOME_BUILD_CRASH, OUTCOME_BUILD_FAIL};
    for (size_t i = 0; i < sizeof built / sizeof *built; i++) {
        const char *text = arena_printf(&arena, "%s\n", never_run[i]);
        struct program_file source = {"t.c", text, strlen(text)};
        struct program q = {.language = "c", .files = &source, .n_files = 1, .needs = ""};
        q.build_only = true;
        runner_load(&r, &q, &e);
        is_int(runner_observe(&r, &q, t, true, "", &arena, &o, &e), 0, "%s, not to be run",
               never_run[i]);
        is_str(outcome_name[o.outcome], outcome_name[built[i]], "  outcome");
        ok(!o.output.size && !o.run.wall_us, "  it did not run");
        ok((o.outcome == OUTCOME_OK) == (o.output_hash[0] != 0), "  a hash when it was built");
    }
    struct program_file file2 = {"t.c", "ok\n", 3};
    struct program unbuilt = {.files = &file2, .n_files = 1, .build_only = true, .needs = ""};
    struct testbed interpreter = *t;
    interpreter.compile = (const char *const[]){NULL};
    runner_observe(&r, &unbuilt, &interpreter, true, "", &arena, &o, &e);
    is_int(o.outcome, OUTCOME_SKIPPED, "an interpreter has nothing to do with such a program");
    test_what_is_said(&r, t);
    test_not_started(&r, t);
    test_let_down(&r, t);
    runner_load(&r, &p, &e);
    runner_observe(&r, &p, t, false, "no need", &arena, &o, &e);
    ok(o.outcome == OUTCOME_SKIPPED && !strcmp(o.messages, "no need"),
       "built but not run: skipped");
    const char *why;
    is_int(runner_probe(&r, t, &arena, &why, &e), 1, "the probe of a compiler that is none");
    has_str(why, "no result", "  says why");
    char work[PATH_MAX];
    memcpy(work, r.dir, sizeof work);
    runner_release(&r);
    ok(!fs_exists(work), "the work folder is gone in the end");
}

static void test_override(void)
{
    toolchain_list list = {0};
    struct error e = {0};
    const char *other = arena_printf(&arena, "%s/mine", dir);
    fs_make_dirs(other, &e);
    put("mine/other.ini", "[toolchain]\nname = fakecc\nlanguage = c\nfind = x\ncompile = x\n",
        0644);
    const char *dirs[] = {dir, other};
    toolchains_read(dirs, 2, &arena, &list, &e);
    ok(list.n == 1 && !strcmp(list.at[0].find.at[0], "x"),
       "a later file of the same name replaces");
    is_int(list.at[0].flags.n, 1, "without flags there is one empty set");
    toolchains_release(&list);
}

/* What speaks against programs: the keys, and what the runner makes of them. */
static const char watch_cc[] =
    "#!/bin/sh\n"
    "echo \"t.c:1: warning: comparison between pointer and integer\" >&2\n"
    "{ echo '#!/bin/sh'; cat t.c; } >program.exe; chmod +x program.exe\n";
static const char watch_ini[] =
    "[toolchain]\nname = watchcc\nlanguage = c\nfind = watchcc\ncompile = {cc} -o {exe} {src}\n"
    "run = {exe} first {inputs} last\nother-inputs = --inputs 1\ntolerance = 1e-3\n"
    "filter = yes\nundefined = Invalid (read|write)[^,]*\nundefined = Race\n"
    "suspect = uninitialized\nsuspect = between pointer and integer\n";

static struct observation watch(const struct testbed *t, const char *text)
{
    struct program_file file = {"t.c", text, strlen(text)};
    struct program p = {
        .language = "c", .files = &file, .n_files = 1, .needs = "", .trusted = true};
    struct observation o = {0};
    struct runner r;
    struct error e = {0};
    if (runner_init(&r, &e) || runner_load(&r, &p, &e) ||
        runner_observe(&r, &p, t, true, "", &arena, &o, &e))
        ok(false, "%s", e.message);
    runner_release(&r);
    return o;
}

static void test_watching(void)
{
    struct error e = {0};
    compiler_list compilers = {0};
    testbed_list beds = {0};
    toolchain_list list = {0};
    struct toolchain t;
    put("watchcc", watch_cc, 0755);
    is_int(toolchain_read(put("watch.ini", watch_ini, 0644), &arena, &t, &e), 0, "a filter");
    vec_push(&list, t);
    toolchain_find(&list.at[0], &arena, &compilers);
    compiler_testbeds(&compilers.at[0], false, &arena, &beds);
    struct testbed bed = beds.at[0];
    ok(bed.filter && !bed.reference && bed.n_undefined == 2 && bed.n_suspect == 2, "its keys");
    ok(bed.tolerance > 0.9e-3 && bed.tolerance < 1.1e-3, "a tolerance");
    is_str(bed.other_inputs, "--inputs 1", "other inputs");

    struct observation o = watch(&bed, "echo \"$#: $*\"\n");
    is_str(o.output.data, "2: first last\n", "{inputs} is nothing at first");
    is_str(o.suspect, "between pointer and integer", "a warning that is suspect");
    is_str(o.detail, "exit 0", "what is clean is as anywhere");
    bed.inputs = bed.other_inputs;
    o = watch(&bed, "echo \"$#: $*\"\n");
    is_str(o.output.data, "4: first --inputs 1 last\n", "and then it is the others, word by word");

    o = watch(&bed, "echo 1; echo 'Invalid write of size 4, at line 3' >&2\n");
    is_str(outcome_name[o.outcome], "run-crash", "undefined, on the second stream");
    is_str(o.detail, "undefined: Invalid write of size 4", "  says what");
    has_str(o.messages, "at line 3", "  and all of it");
    is_str(o.output_hash, "", "  and has nothing to compare");
    o = watch(&bed, "echo Race; kill -SEGV $$\n");
    is_str(o.detail, "undefined: Race", "undefined, on the first, and then a crash");
    o = watch(&bed, "echo Invalid argument\n");
    is_str(outcome_name[o.outcome], "ok", "what matches no pattern");
    bed.n_suspect = 1;
    o = watch(&bed, "echo uninitialized >&2; kill -SEGV $$\n");
    ok(!o.suspect, "what the program prints is not what the compiler says");
    unlink(arena_printf(&arena, "%s/watch.ini", dir));
    vec_release(&beds);
    vec_release(&compilers);
    toolchains_release(&list);
}

int main(void)
{
    struct error e;
    toolchain_list toolchains = {0};
    compiler_list compilers = {0};
    testbed_list testbeds = {0};
    arena_init(&arena);
    if (fs_make_temp_dir("assay-test", dir, sizeof dir, &e))
        return 1;
    test_wrong_files();
    test_find(&toolchains, &compilers, &testbeds);
    test_beside_us();
    test_outcomes(&testbeds.at[0]);
    test_override();
    test_watching();
    vec_release(&testbeds);
    vec_release(&compilers);
    toolchains_release(&toolchains);
    fs_remove_tree(dir);
    arena_release(&arena);
    return tap_done();
}
