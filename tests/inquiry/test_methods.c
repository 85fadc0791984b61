/* The schedule of a reduction: which method applies to what, what is kept of each, and what is told
 * at the end. The argument is the root of the sources, where the languages are. */
#include "inquiry/found.h"
#include "store/denied.h"

static struct fixture f;
static struct pattern crash_line;
static struct found found;
static struct inquiry_reducing how;
static struct inquiry_reduced got;

#define RIGHT "printf '#!/bin/sh\\necho 1\\n' >program.exe; chmod +x program.exe\n"
#define WRONG "printf '#!/bin/sh\\necho 2\\n' >program.exe; chmod +x program.exe\n"
#define CRASHES_ON(what)                                                                           \
    "grep -q '" what "' t.* && { echo 'internal error: in pass 7' >&2; exit 1; }\n" RIGHT
#define WRONG_ON(what) "grep -q '" what "' t.* && { " WRONG "exit; }\n" RIGHT

/* Nothing of how the generator was opened for the campaign may matter but where its files are. */
static void no_progress(int so_many, int of_so_many)
{
    BUG("%d of %d: nobody asked", so_many, of_so_many);
}
static const char *const other_settings[] = {"no-such-setting"};

static int reduced(const char *method)
{
    how.method = method;
    f.e = (struct error){0};
    return inquiry_reduce(f.s, &found.c, &how, &f.a, &got, &f.e);
}

static const char *content(void)
{
    return got.program.n_files ? got.program.files[0].text : "";
}

/* The text behind the first comment. */
static const char *body(void)
{
    return content() + strcspn(content(), "\n");
}

static struct program made_by(const char *name, const char *const *settings, int n, uint64_t seed,
                              const char *choices)
{
    struct gen_context context = how.gen;
    struct generator *g;
    struct choice c;
    struct program p, out;
    choice_values values = {0};
    context.settings = settings;
    context.n_settings = n;
    context.progress = NULL;
    must(gen_open(name, &context, &g, &f.e), &f.e);
    if (choices && choice_parse(choices, &values))
        choice_init_replay(&c, values.at, values.n);
    else
        choice_init_random(&c, seed);
    if (gen_next(g, &c, &f.a, &p, &f.e))
        BUG("no program: %s", f.e.message);
    struct strbuf packed;
    strbuf_init(&packed, 0);
    program_pack(&p, &packed);
    out = p;
    must(program_unpack(&f.a, packed.s, packed.n, &out), &f.e);
    out.language = arena_strdup(&f.a, p.language);
    out.needs = arena_strdup(&f.a, p.needs);
    out.expected = bytes_copy(&f.a, p.expected);
    out.made = (struct provenance){.generator = arena_strdup(&f.a, p.made.generator),
                                   .version = arena_strdup(&f.a, p.made.version),
                                   .config = arena_strdup(&f.a, p.made.config),
                                   .seed = seed,
                                   .choices = choices};
    strbuf_release(&packed);
    vec_release(&values);
    choice_release(&c);
    gen_close(g);
    return out;
}

static struct program written(struct program_file *file, const char *content)
{
    *file = (struct program_file){"t.c", content, strlen(content)};
    return (struct program){.language = "c",
                            .files = file,
                            .n_files = 1,
                            .needs = "",
                            .trusted = true,
                            .made = {"nobody", "1", "", 1, NULL}};
}

static const char *const small[] = {"size=50",           "max-funcs=1",   "max-block-size=1",
                                    "max-block-depth=1", "max-records=0", "max-expr-complexity=1"};
enum { N_SMALL = sizeof small / sizeof *small };

/* -- programs that are made again -------------------------------------------------------------- */

static void test_tree(void)
{
    const struct program p = made_by("smith", small, N_SMALL, 1, NULL);
    found_begin(&f, &(struct found_how){.accused = CRASHES_ON("main"), .verdict = crashed}, &p,
                &crash_line, &found);
    must(reduced(NULL), &f.e);
    is_int(got.row.state, REDUCTION_DONE, "a program of smith");
    is_str(got.row.method, "c", "  is reduced by its tree, and by nothing else");
    ok(got.row.bytes < 200 && got.row.from_bytes == (int64_t)program_size(&p), "  to %lld bytes",
       (long long)got.row.bytes);
    ok(got.row.tests > 0 && got.row.kept > 0 && got.row.cpu_us > 0, "  which is counted");
    has_str(content(), "/* finding ", "  the story is told");
    has_str(content(), ", reduced by assay from smith seed 1: bad: the compiler crashed",
            "  of what");
    ok(!strstr(content(), "assay gen"), "  and not that of the original");
    is_int(reduced("c"), 0, "once more");
    ok(!got.interrupted && got.row.state == REDUCTION_DONE, "  it is done");
    struct store_reduction before = got.row;
    how.again = true;
    must(reduced("choices"), &f.e);
    is_str(got.row.method, "choices", "by its choices, where that is asked for");
    ok(got.row.bytes < got.row.from_bytes && got.row.bytes > before.bytes,
       "  to %lld bytes, which is less well", (long long)got.row.bytes);
    has_str(content(), "int main", "  the story stands ahead of a program");
    ok(!strstr(content(), "assay gen"), "  which does not say that smith makes it");
    before = got.row;
    is_int(reduced("lala"), -1, "it has no tree of lala");
    is_str(f.e.message,
           arena_printf(&f.a, "finding %lld cannot be reduced by the method 'lala'",
                        (long long)found.c.finding.id),
           "  is told");
    struct store_reduction now;
    must(store_reduction_get(f.s, found.c.finding.id, &f.a, &now, &f.e), &f.e);
    ok(now.state == REDUCTION_DONE && !strcmp(now.method, "choices") && now.tests == before.tests,
       "  and all is as it was");
    how.again = false;
}

/* Of which it is said how it was made, but that makes another one. */
static void test_not_again(void)
{
    static const char given[] = "3,1,4,1,5,9,2,6,5,3,5,8,9,7,9,3,2,3,8,4,6";
    struct program p = made_by("smith", small, N_SMALL, 2, given);
    found_begin(&f, &(struct found_how){.accused = CRASHES_ON("main"), .verdict = crashed}, &p,
                &crash_line, &found);
    must(reduced("choices"), &f.e);
    is_str(got.row.method, "choices", "a program of recorded choices is made again");
    ok(got.row.bytes <= got.row.from_bytes, "  and is no larger");
    p = made_by("smith", small, N_SMALL, 3, NULL);
    p.made.seed = 4;
    found_begin(&f, &(struct found_how){.accused = CRASHES_ON("main"), .verdict = crashed}, &p,
                &crash_line, &found);
    is_int(reduced("choices"), -1, "what another seed makes");
    has_str(f.e.message, "cannot be reduced by the method 'choices'", "  is not what was found");
    p.made.generator = "nobody";
    found_begin(&f, &(struct found_how){.accused = CRASHES_ON("main"), .verdict = crashed}, &p,
                &crash_line, &found);
    is_int(reduced("choices"), -1, "nor is there a generator that nobody has");
}

static void test_lala(void)
{
    const struct program p = made_by("lala:lua", NULL, 0, 3, NULL);
    struct found_how h = {.accused = CRASHES_ON("local function main"), .verdict = crashed};
    found_begin(&f, &h, &p, &crash_line, &found);
    must(reduced("lala"), &f.e);
    is_str(got.row.method, "lala", "a program of lala is reduced by its tree");
    ok(got.row.bytes < got.row.from_bytes, "  from %lld to %lld bytes",
       (long long)got.row.from_bytes, (long long)got.row.bytes);
    has_str(content(), "local function step()", "  which leaves the frame");
    has_str(content(), "-- finding ", "  the story as the language writes it");
    ok(!strstr(content(), "assay gen"), "  and not that of the original");
    how.again = true;
    must(reduced(NULL), &f.e);
    is_str(got.row.method, "text", "what crashes is reduced as text then");
    ok(got.row.bytes < 200 && !strstr(content(), "step"), "  to next to nothing");
    how.again = false;
    h = (struct found_how){.accused = "grep -q 'local function main' $1 && echo 2 || echo 1\n",
                           .others = "echo 1\n",
                           .verdict = found_wrong,
                           .output = "2\n",
                           .run = "{cc} {src}",
                           .only_runs = true};
    found_begin(&f, &h, &p, &crash_line, &found);
    must(reduced(NULL), &f.e);
    is_str(got.row.method, "lala", "what is wrong by a vote is not");
    has_str(content(), "local function step()", "  it keeps its frame");
}

/* -- texts ------------------------------------------------------------------------------------- */

static const char words[] = "one two; three four; wrong me; five six; seven eight; nine ten;\n";

static void test_text(void)
{
    struct program_file file;
    struct program p = written(&file, words);
    struct found_how h = {.accused = WRONG_ON("wrong me"),
                          .others = RIGHT,
                          .verdict = found_known,
                          .output = "2\n",
                          .run = "{exe}"};
    p.expected = bytes_of("1\n");
    found_begin(&f, &h, &p, &crash_line, &found);
    must(reduced("text"), &f.e);
    is_str(got.row.method, "text", "a text of which it is known what it prints");
    is_str(body(), "\nwrong me\n", "  is reduced by the vote");
    has_str(content(), ": bad prints \"2\" */", "  nobody knows what the new one prints");
    ok(!got.program.expected.data, "  nor is that stored");
    h.others = NULL;
    found_begin(&f, &h, &p, &crash_line, &found);
    is_int(reduced("text"), -1, "without a vote");
    has_str(f.e.message,
            "cannot be reduced by the method 'text': the correct output of a changed program is "
            "not known, and the other testbeds do not form a majority against this one",
            "  it cannot be reduced");
    must(reduced(NULL), &f.e);
    is_int(got.row.state, REDUCTION_DONE, "  and is left as it is");
    is_str(body(), arena_printf(&f.a, "\n%s", words), "  its text");
    has_str(content(), "expected \"1\", bad prints \"2\" */", "  known as it was");
}

static void test_flags(void)
{
    struct program_file file;
    const struct program p = written(&file, words);
    const struct found_how h = {.accused = "case $* in *KEEP*) " CRASHES_ON("me") ";; esac\n" RIGHT,
                                .flags = "-DX -DKEEP -DY",
                                .verdict = crashed};
    found_begin(&f, &h, &p, &crash_line, &found);
    must(reduced("text"), &f.e);
    is_str(got.row.flags, "-DKEEP", "flags are reduced, too");
    has_str(content(), "seed 1: bad -DKEEP: ", "  and told");
    is_str(found.beds[0].flags, "-DX -DKEEP -DY", "  those of the testbed stay");
}

/* What a program without a right output is told to print: as one line of a comment. */
static void test_quoted(void)
{
    static const struct {
        const char *prints, *told;
    } all[] = {
        {"2\\n", " prints \"2\" */"},
        {"2\\n3\\n", " prints \"2...\" */"},
        {"a*/b\\n", " prints \"a?/b\" */"},
        {"", " prints \"\" */"},
        {"a\\tb", " prints \"a?b\" */"},
        {"012345678901234567890123456789012345678901234567890123456789",
         " prints \"012345678901234567890123456789012345678901234567890123456789\" */"},
        {"012345678901234567890123456789012345678901234567890123456789x",
         " prints \"012345678901234567890123456789012345678901234567890123456789...\" */"},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct program_file file;
        const struct program p = written(&file, "wrong\n");
        const char *script = arena_printf(&f.a, "[ $1 = t.c ] && printf '%s'; :\n", all[i].prints);
        const struct found_how h = {.accused = script,
                                    .others = "echo 1\n",
                                    .verdict = found_wrong,
                                    .run = "{cc} {src}",
                                    .only_runs = true};
        found_begin(&f, &h, &p, &crash_line, &found);
        must(reduced("text"), &f.e);
        has_str(content(), all[i].told, "'%s' in a comment", all[i].prints);
    }
}

/* What it prints beside what is expected: the first line that is wrong, or the exit status. */
static void test_expected(void)
{
    static const struct {
        const char *expected, *script, *told;
    } all[] = {
        {"1\n2\n3\n", "printf '1\\n5\\n3\\n'", "seed 1: expected \"2...\", bad prints \"5...\" */"},
        {"1\n", "printf '1\\n2\\n'", "seed 1: expected \"\", bad prints \"2\" */"},
        {"1\n2\n", "printf '1\\n'", "seed 1: expected \"2\", bad prints \"\" */"},
        {"12\n", "printf '13\\n'", "seed 1: expected \"12\", bad prints \"13\" */"},
        {"1\n", "echo 1; exit 3", "seed 1: expected exit status 0, bad exits with 3 */"},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct program_file file;
        struct program p = written(&file, arena_printf(&f.a, "wrong %zu\n", i));
        const struct found_how h = {.accused = arena_printf(&f.a, "%s\n", all[i].script),
                                    .verdict = found_known,
                                    .run = "{cc} {src}",
                                    .only_runs = true};
        p.expected = bytes_of(all[i].expected);
        found_begin(&f, &h, &p, &crash_line, &found);
        must(reduced(NULL), &f.e);
        has_str(content(), all[i].told, "%s", all[i].script);
        is_int(got.program.expected.size, strlen(all[i].expected), "  it is still known");
    }
}

/* The comment that says how the original is made goes, where it is one. */
static void test_origin(void)
{
    static const struct {
        const char *text, *left;
    } all[] = {
        {"/* x: assay gen a */\none\n", "one\n"},
        {"/* x: assay gen a\n * and more */\ntwo\n", "two\n"},
        {"/* x: assay gen a */ int three;\n", NULL},
        {"/* four */\n/* assay gen a */\n", NULL},
        {"int five; /* assay gen a */\n", NULL},
        {"/* assay gen a, six\n", NULL},
        {"/* seven */\n", NULL},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct program_file file;
        struct program p = written(&file, all[i].text);
        const struct found_how h = {
            .accused = "echo 2\n", .verdict = found_known, .run = "{cc} {src}", .only_runs = true};
        p.expected = bytes_of("1\n");
        found_begin(&f, &h, &p, &crash_line, &found);
        must(reduced(NULL), &f.e);
        is_str(body(), arena_printf(&f.a, "\n%s", all[i].left ? all[i].left : all[i].text),
               "what is left of text %zu", i);
    }
}

/* The story stands in the first source, whatever stands ahead of it. */
static void test_first_source(void)
{
    struct program_file files[] = {{"t.h", "int crash_me;\n", 14},
                                   {"t.c", "#include \"t.h\"\n", 15},
                                   {"u.c", "int other;\n", 11}};
    struct program p = written(&files[0], files[0].text);
    files[0].name = "t.h";
    p.n_files = 3;
    const struct found_how h = {.accused = "grep -q me t.h && grep -q include t.c && "
                                           "grep -q other u.c && " CRASHES_ON("i"),
                                .verdict = crashed};
    found_begin(&f, &h, &p, &crash_line, &found);
    must(reduced("text"), &f.e);
    is_int(got.program.n_files, 3, "three files that are all needed");
    for (int i = 0; i < got.program.n_files; i++) {
        const struct program_file *file = &got.program.files[i];
        is_int(strstr(file->text, "reduced by assay") != NULL, !strcmp(file->name, "t.c"),
               "the story in %s", file->name);
    }
}

/* -- trees of texts ---------------------------------------------------------------------------- */

static void test_import(void)
{
    static const char undefined[] =
        "int crash_me, besides = 2;\n"
        "int main(void)\n{\n    besides++;\n    return 1 / crash_me;\n}\n";
    struct program_file file;
    struct program p = written(&file, undefined);
    struct found_how h = {.accused = CRASHES_ON("crash_me"), .verdict = crashed};
    found_begin(&f, &h, &p, &crash_line, &found);
    must(reduced(NULL), &f.e);
    is_str(got.row.method, "c", "a text of C has a tree, also where it cannot be run");
    ok(!strstr(content(), "besides") && strstr(content(), "crash_me"), "  which is reduced");
    h = (struct found_how){.accused = "grep -q crash_me $1 && kill -SEGV $$; echo 1\n",
                           .others = "echo 1\n",
                           .verdict = {ANOMALY_RUN_CRASH, EVIDENCE_VOTE, 1, false},
                           .run = "{cc} {src}",
                           .only_runs = true};
    found_begin(&f, &h, &p, &crash_line, &found);
    is_int(reduced("c"), -1, "where it must be run it has none");
    has_str(f.e.message, "cannot be reduced by the method 'c': main, line 5: division-by-zero",
            "  and why is told");
}

/* -- versions ---------------------------------------------------------------------------------- */

/* One compiler that is older and wrong, one that is older still and right, and one that is newer
 * and right. */
static void test_versions(void)
{
    struct testbed installed[7];
    struct program_file file;
    const struct program p = written(&file, "versions me\n");
    const struct found_how h = {.accused = CRASHES_ON("me"), .verdict = crashed};
    const char *right = found_script(&f, "older", RIGHT);
    found_begin(&f, &h, &p, &crash_line, &found);
    for (int i = 0; i < 7; i++)
        installed[i] = found.beds[0];
    installed[0].compiler = "bad-2", installed[0].version = "2.0";
    installed[1].compiler = "bad-1", installed[1].version = "1.0", installed[1].path = right;
    installed[2].version = "3.0"; /* the accused */
    installed[3].compiler = "bad-2", installed[3].version = "2.0", installed[3].flags = "-O9";
    installed[4].compiler = "bad-1.5", installed[4].version = "1.5",
    installed[4].toolchain = "else";
    installed[5].compiler = "bad-1.2", installed[5].version = "1.2", installed[5].random = true;
    how.blame = true;
    how.installed = installed;
    installed[6].compiler = "bad-4", installed[6].version = "4.0", installed[6].path = right;
    how.n_installed = 7;
    must(reduced("text"), &f.e);
    is_str(got.blame.first_bad, "bad 2.0", "the first version that is wrong");
    is_str(got.blame.last_good, "bad 1.0", "  the last that is right");
    is_str(got.blame.last_bad, "bad 3.0", "  the accused is the last that is wrong");
    is_str(got.blame.next_good, "bad 4.0", "  and the next is right again");
    is_str(inquiry_last_good(&how, &found.beds[0], &got.blame, &f.a), right, "  and where it is");
    installed[1].root = "/elsewhere";
    ok(!inquiry_last_good(&how, &found.beds[0], &got.blame, &f.a), "  unless it is of elsewhere");
    got.blame.last_good = "";
    ok(!inquiry_last_good(&how, &found.beds[0], &got.blame, &f.a), "  or not known");
    how.n_installed = 1;
    installed[0] = found.beds[0];
    how.again = true;
    must(reduced("text"), &f.e);
    ok(!*got.blame.first_bad && !*got.blame.last_good && !*got.blame.last_bad,
       "one version says nothing");
    installed[0].compiler = "another";
    installed[1] = installed[0];
    installed[1].compiler = "third";
    how.n_installed = 2;
    must(reduced("text"), &f.e);
    ok(!*got.blame.first_bad && !*got.blame.last_good, "nor do others, without the accused");
    how.again = how.blame = false;
    how.installed = NULL;
    how.n_installed = 0;
}

/* -- a tool from outside ----------------------------------------------------------------------- */

static void tool(const char *code)
{
    const char *path = getenv("PATH");
    found_script(
        &f, "cvise",
        arena_printf(&f.a, "[ \"$1\" != --version ] || { echo 'cvise 0'; exit; }\n%s", code));
    if (strncmp(path, f.dir, strlen(f.dir)) != 0)
        setenv("PATH", arena_printf(&f.a, "%s:%s", f.dir, path), 1);
}

static void test_tool(void)
{
    struct program_file file;
    const struct program p = written(&file, "crash me\nlast\nsecond\nfirst\n");
    const struct found_how h = {.accused = CRASHES_ON("crash me"), .verdict = crashed};
    const char *asked = arena_printf(&f.a, "%s/asked", f.dir);
    found_begin(&f, &h, &p, &crash_line, &found);
    tool(arena_printf(&f.a, "cp interesting.sh %s\nsed -i '/first/d;/second/d' t.c\n", asked));
    must(reduced("cvise"), &f.e);
    is_str(got.row.method, "cvise", "a tool from outside");
    is_str(body(), "\ncrash me\nlast\n", "  what it leaves is taken");
    struct strbuf script;
    strbuf_init(&script, 0);
    must(fs_read(asked, &script, &f.e), &f.e);
    has_str(script.s, arena_printf(&f.a, "# finding %lld\n", (long long)found.c.finding.id),
            "  it is given a test");
    has_str(script.s, arena_printf(&f.a, "limited 2 %s/bad t.c", f.dir), "  of the accused");
    has_str(script.s, "in pass ", "  by what its signature says");
    how.again = true;
    tool("sed -i 's/.*/nothing/' t.c\n");
    is_int(reduced("cvise"), 0, "what does not crash any more");
    has_str(content(), "crash me\nlast\nsecond\nfirst\n", "  is not taken");
    tool("exit 3\n");
    is_int(reduced("cvise"), -1, "a tool that fails");
    has_str(f.e.message, "by the method 'cvise': ", "  is no method");
    has_str(f.e.message, "ended with status 3", "  and why is told");
    /* Each slice is as long as all before it, and begins with what it had. */
    const char *begun = arena_printf(&f.a, "%s/begun", f.dir);
    tool(arena_printf(&f.a,
                      "cat t.c >>%s; echo - >>%s\n"
                      "for word in first second last; do\n"
                      "    if grep -q $word t.c; then sed -i /$word/d t.c; sleep 1.5; fi\n"
                      "done\n",
                      begun, begun));
    how.slice_ms = 1000;
    int slices = 0;
    do {
        must(reduced("cvise"), &f.e);
        how.again = false;
        slices++;
    } while (got.interrupted && slices < 20);
    how.slice_ms = 0;
    ok(slices > 1 && slices < 20, "a tool in %d slices", slices);
    is_str(got.row.method, "cvise", "  comes to an end");
    is_str(body(), "\ncrash me\n", "  the same");
    must(fs_read(begun, &script, &f.e), &f.e);
    has_str(script.s, "crash me\nlast\nsecond\nfirst\n-\n", "  it begins with all");
    has_str(script.s, "-\ncrash me\nlast\nsecond\n-\n", "  and goes on with what it had left");
    strbuf_release(&script);
}

/* The script of a wrong output runs both. */
static void test_tool_runs(void)
{
    struct program_file file;
    const struct program p = written(&file, "wrong me\nfirst\n");
    struct found_how h = {.accused = WRONG_ON("wrong me"),
                          .others = RIGHT,
                          .verdict = found_wrong,
                          .output = "2\n",
                          .run = "{exe}"};
    tool("sed -i /first/d t.c\n");
    found_begin(&f, &h, &p, &crash_line, &found);
    must(reduced("cvise"), &f.e);
    is_str(body(), "\nwrong me\n", "a tool for what is wrong by a vote");
    h.verdict.anomaly = ANOMALY_WRONG_VOLATILE;
    found_begin(&f, &h, &p, &crash_line, &found);
    must(reduced(NULL), &f.e);
    is_int(got.row.state, REDUCTION_FAILED, "what does not show is not reduced");
}

/* -- the end ----------------------------------------------------------------------------------- */

/* Lower limits than it was found with make another answer: with those of the campaign it is reduced
 * again. Or what is left shows no more at all. */
static void test_check(void)
{
    static const char tight[] = "[ $(ulimit -t) -gt 10 ] || { echo 'internal error: in pass 7' "
                                ">&2; exit 1; }\n" CRASHES_ON("two.*nine");
    struct program_file file;
    const struct program p = written(&file, words);
    struct found_how h = {.accused = tight, .verdict = crashed};
    found_begin(&f, &h, &p, &crash_line, &found);
    must(reduced("text"), &f.e);
    is_int(got.row.state, REDUCTION_DONE, "what shows with low limits only");
    ok(strstr(content(), "two") && strstr(content(), "nine") && !strstr(content(), "seven"),
       "  is reduced again with those of the campaign");
    h.accused = arena_printf(&f.a,
                             "grep -q seven t.c || { sum=$(cksum <t.c | tr -d ' ')\n"
                             "    [ ! -e %s/$sum ] || exit 0; : >%s/$sum; }\n"
                             "echo 'internal error: in pass 7' >&2; exit 1\n",
                             f.dir, f.dir);
    found_begin(&f, &h, &p, &crash_line, &found);
    must(reduced("text"), &f.e);
    is_int(got.row.state, REDUCTION_FAILED, "what shows once for each");
    has_str(got.row.why, "does not reproduce every time", "  is flaky");
    ok(!got.interrupted && !got.blamed, "  and that is the end of it");
    is_int(inquiry_reduced(f.s, found.c.finding.id, &how, &f.a, &got, &f.e), 1,
           "  nothing is left to do");
    h.accused = RIGHT;
    found_begin(&f, &h, &p, &crash_line, &found);
    is_int(inquiry_reduced(f.s, found.c.finding.id, &how, &f.a, &got, &f.e), 0,
           "one that nobody has reduced");
    must(reduced("text"), &f.e);
    is_int(got.row.state, REDUCTION_FAILED, "what does not show again");
    has_str(got.row.why, "it did not reproduce in 2 tries", "  fails");
    is_int(got.row.tests, 0, "  without a test");
    h.flaky = true;
    found_begin(&f, &h, &p, &crash_line, &found);
    must(reduced("text"), &f.e);
    has_str(got.row.why, "it did not reproduce in 10 tries", "  later where it was flaky");
}

/* Blame is asked for later, or again. */
static void test_blame_later(void)
{
    struct program_file file;
    const struct program p = written(&file, words);
    const struct found_how h = {.accused = CRASHES_ON("me"), .verdict = crashed};
    found_begin(&f, &h, &p, &crash_line, &found);
    must(reduced("text"), &f.e);
    ok(!got.blamed, "nobody asked for blame");
    int64_t tests = got.row.tests, at = got.row.at;
    how.blame = true;
    is_int(inquiry_reduced(f.s, found.c.finding.id, &how, &f.a, &got, &f.e), 0,
           "somebody does: something is left to do");
    must(reduced(NULL), &f.e);
    ok(got.blamed && got.blame.finding == found.c.finding.id, "  there is an answer");
    ok(got.row.tests == tests && got.row.at == at && !strcmp(got.row.method, "text"),
       "  and no second reduction");
    is_int(inquiry_reduced(f.s, found.c.finding.id, &how, &f.a, &got, &f.e), 1, "  which is all");
    ok(got.blamed && *content(), "  and is known");
    how.again = true;
    is_int(inquiry_reduced(f.s, found.c.finding.id, &how, &f.a, &got, &f.e), 0,
           "unless it is to be done again");
    how.again = how.blame = false;
    found_begin(&f, &h, &p, &crash_line, &found);
    must(reduced("text"), &f.e);
    found_script(&f, "bad", RIGHT);
    how.blame = true;
    must(reduced(NULL), &f.e);
    ok(got.blamed && strstr(got.blame.detail, "did not reproduce"),
       "where it does not show any more, that is the answer");
    how.blame = false;
}

/* -- a store that fails ------------------------------------------------------------------------ */

/* Whatever cannot be read or written is an error, and what was done until then is not lost. */
static void test_failing_store(void)
{
    struct program_file file;
    const struct program p = written(&file, words);
    struct found_how h = {.verdict = crashed};
    how.blame = true;
    for (int i = 0; i < 2 * DENIED_TABLES; i++) {
        struct denied denied;
        const char *table = denied_tables[i / 2];
        h.accused =
            arena_printf(&f.a, /* another bug shows, a new one each time */
                         CRASHES_ON("wrong me") "grep -q six t.c && { echo 'internal error: "
                                                "%s %s' >&2; exit 1; }\n:",
                         table, i % 2 ? "out" : "in");
        found_begin(&f, &h, &p, &crash_line, &found);
        denied_begin(&denied, f.s, table, i % 2);
        int status = reduced("text");
        ok(status == (denied.times ? -1 : 0) && (!status || *f.e.message), "%s cannot be %s: %s",
           table, i % 2 ? "written" : "read", f.e.message);
        denied_end(f.s);
        if (!denied.times)
            continue;
        is_int(reduced("text"), 0, "  and can again");
        ok(got.row.state == REDUCTION_DONE && got.blamed, "  it comes to its end");
        is_str(body(), "\nwrong me\n", "  the same");
    }
    how.blame = false;
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    int files = tap_open_files();
    setup(&f, 0);
    must(pattern_compile(&crash_line, "internal error", &f.e), &f.e);
    const char *dir = arena_printf(&f.a, "%s/generators", argv[1]);
    how = (struct inquiry_reducing){.slots = 1,
                                    .show = INTEREST_QUIET,
                                    .gen = {.dirs = &dir,
                                            .n_dirs = 1,
                                            .progress = no_progress,
                                            .settings = other_settings,
                                            .n_settings = 1}};
    tool("exit 3\n"); /* none that is installed here */
    test_tree();
    test_not_again();
    test_lala();
    test_text();
    test_flags();
    test_quoted();
    test_expected();
    test_origin();
    test_first_source();
    test_import();
    test_check();
    test_blame_later();
    test_versions();
    test_tool();
    test_tool_runs();
    test_failing_store();
    pattern_release(&crash_line);
    teardown(&f);
    is_int(tap_open_files(), files, "no file is left open");
    return tap_done();
}
