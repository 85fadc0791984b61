/* The writers of reports on campaigns made by hand. With `--write DIR` it writes the sample pages
 * for the browser, and SARIF for code_scanning.py, instead. */
#include "base/fs.h"
#include "report/report_internal.h"
#include "sample.h"
#include "tap.h"

#include <ctype.h>
#include <jansson.h>
#include <limits.h>
#include <unistd.h>

static char dir[PATH_MAX];
static struct arena kept; /* texts that helpers give back, for the whole run */

static const char *keep(struct strbuf *b)
{
    const char *text = arena_memdup(&kept, b->s, b->n);
    strbuf_release(b);
    return text;
}

static const char *path_of(const char *name)
{
    static char path[PATH_MAX + 256];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    return path;
}

/* The file's text; "" where there is none. */
static const char *read_text(const char *name)
{
    struct strbuf b;
    strbuf_init(&b, 0);
    fs_read(path_of(name), &b, NULL);
    return keep(&b);
}

/* -- text -------------------------------------------------------------------------------------- */

static const char *html(const char *s)
{
    struct strbuf b;
    strbuf_init(&b, 0);
    report_markup(&b, s, strlen(s));
    return keep(&b);
}

static void test_text(void)
{
    struct strbuf b;
    char number[REPORT_NUMBER_SIZE];
    strbuf_init(&b, 0);
    is_str(html("<a href=\"x\">&'"), "&lt;a href=&quot;x&quot;&gt;&amp;&#39;", "markup");
    is_str(html("a\x01\x1b\x7f\r\n\t"), "a\\x01\\x1b\\x7f\\x0d\n\t", "controls are told");
    is_str(html("\xff\xc0\x80|\xed\xa0\x80|\xef\xbf\xbe"),
           "\\xff\\xc0\\x80|\\xed\\xa0\\x80|\\xef\\xbf\\xbe", "as is what is no character");
    is_str(html("\xe2\x80\xae\xc3\xa9\xf0\x9f\x98\x80"), "\\u{202E}\xc3\xa9\xf0\x9f\x98\x80",
           "and direction; characters stay");
    report_markup(&b, "a\0<", 3);
    is_str(b.s, "a\\x00&lt;", "what is behind a NUL is there");
    is_int(text_lines("a\nb", 3), 2, "lines");
    is_int(text_lines("", 0), 0, "no lines");
    is_str(report_number(-1234567, number), "-1,234,567", "numbers");
    is_str(report_number(12, number), "12", "small ones");
    strbuf_release(&b);
}

static const char *highlighted(const char *language, const char *text, int most)
{
    struct strbuf b;
    strbuf_init(&b, 0);
    report_highlight(&b, language, text, strlen(text), most);
    return keep(&b);
}

/* Without its tags, it is the text. */
static const char *without_tags(const char *s)
{
    struct strbuf b;
    strbuf_init(&b, 0);
    for (; *s; s++) {
        if (*s == '<')
            s = strchr(s, '>');
        else
            strbuf_addc(&b, *s);
    }
    return keep(&b);
}

static void test_highlight(void)
{
    is_str(highlighted("c", "int x = 0x1f; // <y>\n", 9),
           "<span class=\"l\"><span class=\"t\">int</span> x = <span class=\"m\">0x1f</span>; "
           "<span class=\"c\">// &lt;y&gt;</span></span>",
           "a line of C");
    is_str(highlighted("c", "/*a\nb*/", 9),
           "<span class=\"l\"><span class=\"c\">/*a</span>\n</span><span class=\"l\"><span "
           "class=\"c\">b*/</span></span>",
           "a comment over two lines");
    has_str(highlighted("c", "#include <a.h>\n", 9), "class=\"p\"", "the preprocessor");
    has_str(highlighted("c", "f(\"a\\\"b\", 'c')", 9),
            "<span class=\"s\">&quot;a\\&quot;b&quot;</span>", "strings with quotes in them");
    has_str(highlighted("sql", "SELECT 1 -- x", 9), "<span class=\"k\">SELECT</span>",
            "keywords of SQL in any case");
    has_str(highlighted("lua", "local x --[[a]] = 1", 9), "<span class=\"c\">--[[a]]</span>",
            "Lua");
    has_str(highlighted("smtlib", "(declare-const x Int) ; y", 9),
            "<span class=\"k\">declare-const", "SMT-LIB");
    has_str(highlighted("klingon", "a = 'b' # c", 9), "<span class=\"s\">", "any language");
    is_str(without_tags(highlighted("c", sample_sources[0], 99)),
           "/* reduced */\n#include &lt;stdio.h&gt;\n\nstruct S { unsigned a : 31; int b; };\n"
           "static struct S g = {1, -1};\n\nint main(void)\n{\n    for (int i = 0; i &lt; 3; i++)\n"
           "        g.b ^= (int)(g.a &lt;&lt; i) + 0x1fUL;\n    printf(&quot;%d\\n&quot;, g.b); // "
           "the checksum\n    return 0;\n}",
           "no character is lost");
    struct strbuf b;
    strbuf_init(&b, 0);
    is_int(report_highlight(&b, "c", "a\nb\nc\nd\n", 8, 2), 2, "lines that are left out");
    is_str(b.s, "<span class=\"l\">a\n</span><span class=\"l\">b</span>", "  are left out");
    strbuf_release(&b);
    static const char *const broken[] = {"\"", "'\\", "/*", "#", "\xff\"", "--[[", ""};
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++)
        for (int k = 0; k < 2; k++)
            ok(highlighted(k ? "lua" : "c", broken[i], 9) != NULL, "  '%s' does no harm",
               i == 4 ? "a byte" : broken[i]);
}

/* -- titles ------------------------------------------------------------------------------------ */

/* A bug of gcc 12.2.0 -O2 with these messages. */
static const char *title(struct report_data *d, enum anomaly kind, const char *signature,
                         const char *messages)
{
    struct report_bug b = d->bugs[0];
    struct finding f = *b.finding;
    struct observation o = {.outcome = OUTCOME_BUILD_FAIL,
                            .output = {"", 0},
                            .messages = messages,
                            .detail = "exit 1",
                            .flags = "",
                            .build = {20000000, 0, 3 << 20}};
    f.verdict.anomaly = kind;
    f.signature = signature;
    b.finding = &f;
    b.seen = b.recorded = &o;
    b.flags = "-O2";
    const char *text = report_title(&b, &d->arena), *begin = "gcc 12.2.0 -O2: ";
    return strncmp(text, begin, strlen(begin)) ? text : text + strlen(begin);
}

/* What compilers print, and what of it is the title. */
static void test_words(void)
{
    static const struct {
        enum anomaly kind;
        const char *signature, *messages, *title;
    } rows[] = {
        {ANOMALY_BUILD_CRASH, "gcc build-crash: internal compiler error: in gimplify_expr",
         "t.c: In function 'main':\nt.c:4:1: internal compiler error: in gimplify_expr, at "
         "gimplify.cc:15423\nPlease submit a full bug report, with preprocessed source.\n",
         "internal compiler error: in gimplify_expr, at gimplify.cc:15423"},
        {ANOMALY_BUILD_CRASH, "gcc build-crash: internal compiler error",
         "during GIMPLE pass: vrp\n\033[01m\033[Kt.c:4:1:\033[m\033[K internal compiler error: "
         "Segmentation fault\n",
         "internal compiler error: Segmentation fault"},
        {ANOMALY_BUILD_CRASH, "x build-crash: N", "t.c, line 12: compiler error: cannot do op =\n",
         "compiler error: cannot do op ="},
        {ANOMALY_BUILD_CRASH, "x build-crash: assertion",
         "clang-14: /build/llvm/lib/IR/Type.cpp:33: T llvm::f(int): Assertion `x > /usr/y' failed."
         "\nPLEASE submit a bug report to https://github.com/llvm/llvm-project/issues/\n",
         "T llvm::f(int): Assertion `x > y' failed."},
        {ANOMALY_BUILD_CRASH, "clang build-crash: crash [llvm::f < llvm::g < main]",
         "PLEASE submit a bug report to x and include the crash backtrace.\nStack dump:\n"
         "0.\tProgram arguments: /usr/bin/clang t.c\n1.\t<eof> parser at end of file\n"
         " #0 0x00007f llvm::f(int)\nclang: error: unable to execute command: Segmentation fault\n"
         "clang: error: clang frontend command failed due to signal (use -v to see invocation)\n",
         "the compiler crashes in llvm::f"},
        {ANOMALY_BUILD_CRASH, "chibicc build-crash: exit 1", "",
         "the compiler crashes without a message"},
        {ANOMALY_BUILD_CRASH, "pcc build-crash: truncated output",
         "/tmp/ctm.x: Assembler messages:\n(.text+0x17): undefined reference to `main'\n",
         "the compiler crashes while writing its output, without a message"},
        {ANOMALY_BUILD_FAIL, "pcc build-fail: error: '' undeclared",
         "t.c:7: warning: x\nt.c, line 9: error: invalid type conversion\n9 error lines\n",
         "rejects a valid program: invalid type conversion"},
        {ANOMALY_BUILD_FAIL, "gcc build-fail: error: '' undeclared",
         "/tmp/assay-Ab12Cd/t.c:3:5: error: 'x' undeclared\n    3 | error: y\n",
         "rejects a valid program: 'x' undeclared"},
        {ANOMALY_BUILD_FAIL, "gcc build-fail: cannot find N",
         "/usr/bin/ld: cannot find /tmp/assay-Ab12Cd/tmp/ccX.o: No such file\n"
         "collect2: error: ld returned 1 exit status\n",
         "rejects a valid program: cannot find ccX.o: No such file"},
        {ANOMALY_BUILD_FAIL, "x build-fail: exit 1", "", "rejects a valid program"},
        {ANOMALY_BUILD_HANG, "x build-hang", "", "the compiler does not terminate (over 20 s)"},
        {ANOMALY_RUN_HANG, "x run-hang", "", "wrong code: the program does not terminate"},
        {ANOMALY_RUN_CRASH, "x run-crash: exit 1", "", "wrong code: the program crashes"},
        {ANOMALY_SLOW_COMPILE, "x", "", "takes 20.0 s to compile, far more than others"},
        {ANOMALY_MEMORY, "x", "", "takes 3072 MiB of memory to compile, far more than others"},
        {ANOMALY_DISAGREEMENT, "x", "", "compilers disagree on the output"},
        {ANOMALY_SUSPECT, "x", "", "our interpreter is wrong, or all of the compilers are"},
    };
    struct report_data d;
    sample_make(&d, 1000, 4, 3);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        is_str(title(&d, rows[i].kind, rows[i].signature, rows[i].messages), rows[i].title,
               "title: %s", rows[i].title);
    report_release(&d);
}

static const char *wrong_code(struct report_bug *b, const char *seen, const char *right,
                              struct arena *a)
{
    struct observation o = {.outcome = OUTCOME_OK, .output = bytes_of(seen), .messages = ""};
    b->seen = &o;
    b->expected = bytes_of(right);
    return report_title(b, a);
}

static void test_titles(void)
{
    struct report_data d;
    sample_make(&d, 1000, 4, 3);
    struct report_bug b = d.bugs[0];
    struct arena *a = &d.arena;
    struct bug_member first = *b.bug.first;
    first.blame = NULL;
    b.bug.first = &first;
    b.bug.because = "";
    b.flags = "-O3";
    is_str(wrong_code(&b, "7\n", "8\n", a), "gcc 12.2.0 -O3: wrong code (prints 7 instead of 8)",
           "the outputs");
    is_str(wrong_code(&b, "1\n2\n3\n", "1\n5\n3\n", a),
           "gcc 12.2.0 -O3: wrong code (prints 2 instead of 5)", "  the first line that differs");
    is_str(wrong_code(&b, "", "8\n", a), "gcc 12.2.0 -O3: wrong code (prints nothing instead of 8)",
           "  nothing at all");
    is_str(wrong_code(&b, "a line that is far longer than any title may be\n", "8\n", a),
           "gcc 12.2.0 -O3: wrong code", "  a long one is left out");
    b.expected_status = 3;
    is_str(wrong_code(&b, "8\n", "8\n", a),
           "gcc 12.2.0 -O3: wrong code (exit status 0 instead of 3)", "  the status alone");
    struct store_testbed t = *first.testbed;
    t.compile = "";
    first.testbed = &t;
    is_str(wrong_code(&b, "sat\n", "unsat\n", a),
           "gcc 12.2.0 -O3: wrong output (prints sat instead of unsat)", "a solver has no code");
    b.flags = "-O2 -fno-a-flag -fno-b-flag -fno-c-flag -fno-d-flag -fno-e-flag -fno-f-flag";
    is_str(wrong_code(&b, "7", "8", a),
           "gcc 12.2.0 -O2 -fno-a-flag -fno-b-flag -fno-c-flag -fno-d-flag ...: wrong output "
           "(prints 7 instead of 8)",
           "many flags are cut");
    report_release(&d);
}

/* -- HTML -------------------------------------------------------------------------------------- */

static int count(const char *text, const char *part)
{
    int n = 0;
    for (; (text = strstr(text, part)) != NULL; text++)
        n++;
    return n;
}

static void test_html(void)
{
    for (int i = 0; i < N_SAMPLES; i++) {
        struct report_data d;
        struct strbuf b;
        strbuf_init(&b, 0);
        sample_make(&d, samples[i].tests, samples[i].testbeds, samples[i].bugs);
        report_html(&d, &b);
        is_int(count(b.s, "<script"), 1, "%s: one script, ours", samples[i].name);
        is_int(count(b.s, "<svg class=\"plot\""), 6, "  six plots");
        is_int(count(b.s, "<article"), samples[i].bugs, "  an article per bug");
        is_int(count(b.s, "<svg class=\"bar\""), samples[i].testbeds, "  a bar per testbed");
        is_int(count(b.s, "http:") + count(b.s, "https:") + count(b.s, "url("), 0,
               "  nothing from outside");
        is_int(count(b.s, "nan") + count(b.s, "inf\""), 0, "  no number that is none");
        is_int(count(b.s, "<div") - count(b.s, "</div>"), 0, "  as many ends as beginnings");
        is_int(count(b.s, "<span") - count(b.s, "</span>"), 0, "  of spans, too");
        strbuf_release(&b);
        report_release(&d);
    }
}

/* -- JSON and SARIF ---------------------------------------------------------------------------- */

static json_t *parsed(void (*write)(const struct report_data *, struct strbuf *),
                      const struct report_data *d)
{
    struct strbuf b;
    json_error_t e;
    strbuf_init(&b, 0);
    write(d, &b);
    json_t *j = json_loadb(b.s, b.n, JSON_ALLOW_NUL, &e);
    if (!j)
        printf("# %s in line %d\n", e.text, e.line);
    strbuf_release(&b);
    return j;
}

static json_t *at(json_t *j, const char *key)
{
    return json_is_array(j) ? json_array_get(j, (size_t)atoi(key)) : json_object_get(j, key);
}

static const char *text_at(json_t *j, const char *key)
{
    return json_string_value(at(j, key));
}

static void test_json(void)
{
    struct report_data d;
    sample_make(&d, 50000, 12, 12);
    json_t *j = parsed(report_json, &d);
    json_t *bug = at(at(j, "bugs"), "0"), *rejected = at(at(j, "bugs"), "3");
    is_int(json_integer_value(at(j, "schema")), 2, "JSON: the schema's number");
    is_int(json_array_size(at(j, "bugs")), 12, "  bugs");
    is_int(json_integer_value(at(at(j, "summary"), "open")), 11, "  of them open");
    is_str(text_at(bug, "kind"), "wrong-output", "  a kind");
    is_str(text_at(bug, "name"), "wrong-output-gcc-00000001", "  the name of its folder");
    is_str(text_at(bug, "expected"), "-32\n", "  what is right");
    is_str(text_at(at(bug, "observed"), "output"), "-31\n", "  and what was seen");
    is_str(text_at(at(at(at(bug, "program"), "files"), "0"), "text"), sample_sources[0],
           "  the program");
    has_str(text_at(rejected, "signature"), "\xef\xbf\xbd", "  what is no UTF-8 is replaced");
    is_int(json_array_size(at(j, "testbeds")), 12, "  testbeds");
    is_int(json_array_size(at(j, "history")), 60, "  history");
    is_int(json_integer_value(at(at(at(j, "history"), "7"), "campaign")), 1, "  of a campaign");
    json_decref(j);
    report_release(&d);
    sample_make(&d, -1, 0, 0);
    j = parsed(report_json, &d);
    is_int(json_array_size(at(j, "bugs")), 0, "JSON of an empty campaign");
    json_decref(j);
    report_release(&d);
}

static void test_sarif(void)
{
    static struct program_file odd = {"t.c", "int x; // \xff\n", 12};
    struct report_data d;
    sample_make(&d, 50000, 12, 12);
    d.bugs[1].reduced.files = &odd;
    json_t *j = parsed(report_sarif, &d);
    json_t *run = at(at(j, "runs"), "0"), *results = at(run, "results"), *result;
    size_t i;
    is_str(text_at(j, "version"), "2.1.0", "SARIF: its version");
    is_str(text_at(at(at(run, "tool"), "driver"), "name"), "assay", "  the tool");
    is_int(json_array_size(results), 12, "  a result per bug");
    json_t *rules = at(at(at(run, "tool"), "driver"), "rules"), *artifacts = at(run, "artifacts");
    json_array_foreach(results, i, result)
    {
        json_t *rule = json_array_get(rules, (size_t)json_integer_value(at(result, "ruleIndex")));
        is_str(text_at(rule, "id"), text_at(result, "ruleId"), "  its rule is its kind");
        json_t *place =
            at(at(at(at(result, "locations"), "0"), "physicalLocation"), "artifactLocation");
        json_t *artifact =
            json_array_get(artifacts, (size_t)json_integer_value(at(place, "index")));
        is_str(text_at(at(artifact, "location"), "uri"), text_at(place, "uri"), "  its program");
        ok(json_string_length(at(at(artifact, "contents"), "text")) > 0, "  which is in the log");
        ok(json_string_length(at(at(result, "message"), "text")) > 0, "  and a message");
    }
    /* One compiler is enough for these: nobody says that there were others. */
    for (int kind = ANOMALY_BUILD_CRASH; kind <= ANOMALY_WRONG_OUTPUT; kind++) {
        json_t *rule = json_array_get(rules, (size_t)kind - 1);
        const char *full = text_at(at(rule, "fullDescription"), "text");
        is_str(text_at(rule, "id"), anomaly_name[kind], "the rules are the kinds");
        ok(!strstr(full, "other compiler") && !strstr(full, "others"), "  at length: %s", full);
        ok(!strstr(anomaly_help[kind], "others") && !strstr(anomaly_help[kind], "elsewhere"),
           "  in short: %s", anomaly_help[kind]);
    }
    is_str(text_at(at(at(artifacts, "1"), "contents"), "binary"), "aW50IHg7IC8vIP8K",
           "bytes that are no UTF-8 are told all the same");
    ok(!at(at(at(artifacts, "0"), "contents"), "binary"), "  and only they");
    is_int(json_array_size(at(at(results, "6"), "suppressions")), 1, "a known bug is suppressed");
    ok(!at(at(results, "0"), "suppressions"), "an open one is not");
    json_decref(j);
    report_release(&d);
}

/* -- JUnit ------------------------------------------------------------------------------------- */

/* Is it well-formed, as far as our writer can go wrong: balanced elements, quoted attributes, known
 * entities, no forbidden character? NULL, or where it goes wrong. */
static const char *xml_error(const char *s)
{
    const char *open[32];
    size_t length;
    int depth = 0;
    if (strncmp(s, "<?xml", 5) != 0)
        return s;
    for (s = strstr(s, "?>") + 2; *s; s += length) {
        int32_t c = text_character(s, strlen(s), &length);
        if (c < 0 || (c < 0x20 && c != '\n' && c != '\t' && c != '\r') || (depth == 0 && c == '&'))
            return s;
        if (c == '&') {
            length = strcspn(s, ";") + 1;
            if (strncmp(s, "&lt;", 4) && strncmp(s, "&gt;", 4) && strncmp(s, "&amp;", 5) &&
                strncmp(s, "&quot;", 6) && strncmp(s, "&#", 2))
                return s;
        } else if (c == '<' && s[1] == '/') {
            size_t n = strcspn(s + 2, ">");
            if (depth == 0 || strncmp(open[--depth], s + 2, n) != 0)
                return s;
            length = n + 3;
        } else if (c == '<') {
            const char *end = s + 1;
            open[depth++] = s + 1;
            for (bool quoted = false; *end && (quoted || *end != '>'); end++) {
                quoted ^= *end == '"';
                if (*end == '<')
                    return end;
            }
            depth -= end[-1] == '/';
            length = (size_t)(end - s) + 1;
        } else if (depth == 0 && !isspace((unsigned char)c)) {
            return s;
        }
    }
    return depth ? "the end" : NULL;
}

static void test_junit(void)
{
    is_str(xml_error("<?xml?><a b=\"<\"/>"), "<\"/>", "the checker sees markup in attributes");
    ok(xml_error("<?xml?><a></b>") && xml_error("<?xml?><a>&x;</a>") &&
           xml_error("<?xml?><a>\x01</a>"),
       "  and other faults");
    for (int i = 0; i < N_SAMPLES; i++) {
        struct report_data d;
        struct strbuf b;
        strbuf_init(&b, 0);
        sample_make(&d, samples[i].tests, samples[i].testbeds, samples[i].bugs);
        report_junit(&d, &b);
        is_str(xml_error(b.s), NULL, "JUnit, %s: well-formed", samples[i].name);
        int shown = 0, closed = 0;
        for (int k = 0; k < d.n_bugs; k++)
            for (int t = 0; t < d.n_testbeds; t++)
                if (bug_shows_on(&d.bugs[k].bug, d.testbeds[t].name))
                    *(!bug_is_closed(&d.bugs[k].bug) ? &shown : &closed) += 1;
        is_int(count(b.s, "<failure"), shown, "  a failure per open bug and testbed");
        is_int(count(b.s, "<skipped"), closed, "  known ones are skipped");
        is_int(count(b.s, "<testcase"), shown + closed + samples[i].testbeds,
               "  and one more each");
        strbuf_release(&b);
        report_release(&d);
    }
}

/* The number in the first attribute `time` behind `part`. */
static double time_behind(const char *text, const char *part)
{
    const char *at = strstr(text, part), *time = at ? strstr(at, " time=\"") : NULL;
    return time ? strtod(time + 7, NULL) : -1;
}

static void test_times(void)
{
    struct report_data d;
    struct strbuf b;
    strbuf_init(&b, 0);
    sample_make(&d, 1000, 2, 1);
    d.testbeds[1].build_us = 1500000;
    d.testbeds[1].run_us = 250000;
    report_junit(&d, &b);
    ok(time_behind(b.s, "name=\"wrong-output-gcc-00000001\"") == 30,
       "JUnit: the time of a finding's build and run, by its stable name");
    ok(time_behind(b.s, "classname=\"gcc-12 -O3\" name=\"programs\"") == 1.75,
       "  of all programs on a testbed");
    ok(time_behind(b.s, "<testsuite name=\"gcc-12 -O3\"") == 31.75, "  of a suite the sum");
    ok(time_behind(b.s, "<testsuites") == 31.75, "  as of all suites");
    strbuf_release(&b);
    report_release(&d);
}

/* A program that is not reduced, or half, is told so wherever it is shown. */
static void test_unreduced(void)
{
    static const char half[] = "This program is half reduced: its reduction was started but is not "
                               "finished; run assay reduce 100 to resume.";
    struct report_data d;
    struct strbuf b;
    struct error e = {0};
    char path[PATH_MAX];
    sample_make(&d, 1000, 4, 5);
    struct store_reduction r = *d.bugs[0].bug.first->reduction;
    struct bug_member first = *d.bugs[0].bug.first;
    r.state = REDUCTION_BEGUN;
    memset(r.program, 'a', 32);
    first.reduction = &r;
    d.bugs[0].bug.first = &first;
    snprintf(path, sizeof path, "%s/half", dir);
    is_int(report_folder(&d, &d.bugs[0], path, &e), 0, "a half reduced case");
    has_str(read_text("half/wrong-output-gcc-00000001/report.md"),
            arena_printf(&kept, "\n\n**%s**\n\n", half), "  says so at its top");
    is_int(report_folder(&d, &d.bugs[4], path, &e), 0, "one that is not reduced");
    has_str(read_text(arena_printf(&kept, "half/%s/report.md", d.bugs[4].bug.name)),
            "\n\n**This program is not reduced: run assay reduce 104.**\n\n", "  likewise");
    is_int(report_folder(&d, &d.bugs[1], path, &e), 0, "one that is");
    ok(!strstr(read_text("half/build-crash-clang-00000002/report.md"), "This program is"),
       "  says nothing");
    strbuf_init(&b, 0);
    report_html(&d, &b);
    has_str(b.s, arena_printf(&kept, "<b>%s</b>", half), "the page says it");
    has_str(b.s, "<span title=\"half reduced\">~</span>", "  in its list, too");
    strbuf_release(&b);
    report_release(&d);
}

/* Links, the machine, words. */
static void test_page(void)
{
    struct report_data d;
    struct strbuf b;
    strbuf_init(&b, 0);
    sample_make(&d, 1000, 4, 3);
    report_html(&d, &b);
    ok(!strstr(b.s, "repro.sh\"") && strstr(b.s, "assay report --bugs DIR"),
       "a page without folders has no links to them");
    ok(!strstr(b.s, "id=\"machine\""), "  nor a machine that nobody named");
    d.folders = "my bugs";
    d.system = (struct report_system){"Linux 6.1 x86_64", "Debian <12>", NULL, "8 MiB"};
    strbuf_clear(&b);
    report_html(&d, &b);
    has_str(b.s, "<a href=\"my%20bugs/wrong-output-gcc-00000001/\">folder</a>", "its folder");
    has_str(b.s, "<a href=\"my%20bugs/wrong-output-gcc-00000001/repro.sh\">", "  its script");
    has_str(b.s, "<dt>kernel</dt><dd>Linux 6.1 x86_64</dd>", "the machine");
    has_str(b.s, "<dd>Debian &lt;12&gt;</dd>", "  as text");
    ok(!strstr(b.s, "<dt>processor</dt>"), "  what is not known is left out");
    has_str(b.s, "<dt>build-crash</dt><dd>the compiler crashed</dd>", "what a kind is");
    has_str(b.s, "<dt>flaky</dt><dd>reproduced, but not each time</dd>", "  a state");
    has_str(b.s, "<dt>confidence</dt><dd>the share of the voters", "  confidence");
    strbuf_release(&b);
    report_release(&d);
}

/* What clang asks for when it crashes. */
static void test_clang(void)
{
    struct report_data d;
    struct error e = {0};
    char path[PATH_MAX];
    sample_make(&d, 1000, 4, 3);
    struct observation o = *d.bugs[1].seen;
    d.bugs[1].seen = &o;
    o.messages = "PLEASE submit a bug report to https://github.com/llvm/llvm-project/issues/ and "
                 "include the crash backtrace, preprocessed source, and associated run script.\n"
                 "Stack dump:\n0.\tProgram arguments: clang -cc1\n #0 0x55 llvm::f(int)\n"
                 " #1 0x66 main\n";
    d.bugs[1].way.about =
        "clang version 14.0.6\nTarget: x86_64-pc-linux-gnu\nThread model: posix\n";
    snprintf(path, sizeof path, "%s/clang", dir);
    is_int(report_folder(&d, &d.bugs[1], path, &e), 0, "a crash of clang");
    const char *text = read_text("clang/build-crash-clang-00000002/report.md");
    has_str(text, "- Crash backtrace: in the messages below, from `Stack dump:` on.\n",
            "  where the backtrace is");
    has_str(text, " #0 0x55 llvm::f(int)\n #1 0x66 main\n", "  which is whole");
    has_str(text, "- Preprocessed source: the program above, which includes nothing.\n",
            "  source");
    has_str(text, "- Associated run script: the command above, or `repro.sh`.\n", "  script");
    has_str(text, "- Target: `x86_64-pc-linux-gnu`.\n", "  the target");
    has_str(text, "Thread model: posix\n", "  and all that -v says");
    o.messages = "t.c:1:1: fatal error: error in backend: x\n";
    is_int(report_folder(&d, &d.bugs[1], path, &e), 0, "one that asks for nothing");
    ok(!strstr(read_text("clang/build-crash-clang-00000002/report.md"), "What clang asks for"),
       "  has no such words");
    report_release(&d);
}

/* What a reduced program prints may not be known here: then no form may pass off what the original
 * printed as its output. */
static void test_not_tried(void)
{
    static const struct {
        const char *name;
        void (*write)(const struct report_data *, struct strbuf *);
    } forms[] = {{"JUnit", report_junit}, {"SARIF", report_sarif}, {"HTML", report_html}};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        for (int tried = 0; tried < 2; tried++) {
            struct report_data d;
            struct strbuf b;
            strbuf_init(&b, 0);
            sample_make(&d, 1000, 4, 3);
            for (int k = 0; k < d.n_bugs; k++)
                d.bugs[k].seen_original = !tried;
            forms[i].write(&d, &b);
            int times = count(b.s, "<failure"); /* JUnit: on each testbed that shows it */
            is_int(count(b.s, "seen (of the program before reduction)"),
                   tried   ? 0
                   : times ? times
                           : d.n_bugs,
                   "%s says of which program the output is, %s", forms[i].name,
                   tried ? "tried" : "not tried");
            strbuf_release(&b);
            report_release(&d);
        }
}

/* What a program claims of its accesses to volatile objects is what is expected of them. */
static void test_accesses(void)
{
    struct report_data d;
    sample_make(&d, 1000, 4, 3);
    struct report_bug b = d.bugs[0];
    struct finding f = *b.finding;
    struct program_file file = {
        .name = "t.c",
        .text = "/* volatile: 1 accesses, hash D4BDA455, of a */\nvolatile int a;\n"};
    file.size = strlen(file.text);
    f.verdict.anomaly = ANOMALY_WRONG_VOLATILE;
    b.finding = &f;
    b.reduced.files = &file;
    b.reduced.n_files = 1;
    b.expected = bytes_of("7\n");
    is_str(report_expected(&b, &d.arena), "7\nvolatile: 1 accesses, hash D4BDA455\n",
           "the output and the accesses that are expected");
    report_release(&d);
}

/* A program that prints nothing, as it should: then the exit status is what is wrong. */
static void test_nothing(void)
{
    struct report_data d;
    sample_make(&d, 1000, 4, 3);
    struct report_bug b = d.bugs[0];
    struct observation seen = {.outcome = OUTCOME_OK, .output = {"", 0}, .exit_status = 193};
    struct bug_member first = *b.bug.first;
    struct finding f = *b.finding;
    f.verdict.anomaly = ANOMALY_WRONG_OUTPUT;
    b.finding = &f;
    b.seen = &seen;
    b.expected = bytes_of("");
    b.expected_status = 0;
    is_str(report_expected(&b, &d.arena), "[exit status 0]\n", "an exit status that is expected");
    is_str(report_seen(&b, &d.arena), "[exit status 193]\n", "  and seen");
    seen.output = bytes_of("7");
    is_str(report_expected(&b, &d.arena), "(nothing)\n", "nothing is expected");
    b.expected = (struct bytes){0};
    is_str(report_expected(&b, &d.arena), "(not known)\n", "nobody knows what is expected");

    b.expected = bytes_of("8");
    first.blame = NULL;
    b.bug.first = &first;
    b.bug.because = "right without: code neg";
    b.seen_original = true; /* so that the outputs cannot be compared */
    has_str(report_title(&b, &d.arena), ": wrong code (right without: code neg)",
            "a title that tells");
    b.seen_original = false;
    b.title = report_title(&b, &d.arena);
    d.bugs[0] = b;
    json_t *j = parsed(report_sarif, &d), *r = at(at(at(at(j, "runs"), "0"), "results"), "0");
    has_str(text_at(at(r, "message"), "text"), "expected: 8\nseen: 7", "SARIF: in lines");
    has_str(text_at(at(r, "message"), "text"), "wrong code (prints 7 instead of 8)\n",
            "  a title that tells");
    is_str(text_at(at(r, "partialFingerprints"), "assayBug/v1"), b.bug.name,
           "  its name is the fingerprint");
    json_decref(j);
    f.verdict.anomaly = ANOMALY_BUILD_CRASH;
    b.expected = bytes_of("");
    is_str(report_expected(&b, &d.arena), "the program is built\n", "of a compiler that crashes");
    report_release(&d);
}

/* -- folders ----------------------------------------------------------------------------------- */

static void test_folder(void)
{
    struct report_data d;
    struct error e = {0};
    char path[PATH_MAX];
    sample_make(&d, 50000, 12, 12);
    snprintf(path, sizeof path, "%s/bugs", dir);
    for (int i = 0; i < d.n_bugs; i++)
        is_int(report_folder(&d, &d.bugs[i], path, &e), 0, "folder %d", i + 1);
    is_str(read_text("bugs/wrong-output-gcc-00000001/reduced/t.c"), sample_sources[0],
           "its program");
    ok(strlen(read_text("bugs/wrong-output-gcc-00000001/original/t.c")) > 4000, "  the original");
    is_str(read_text("bugs/wrong-output-gcc-00000001/expected.txt"), "-32\n", "  expected");
    is_str(read_text("bugs/wrong-output-gcc-00000001/seen.txt"), "-31\n", "  seen");
    const char *gcc = read_text("bugs/wrong-output-gcc-00000001/report.md");
    has_str(gcc, "Keywords: wrong-code", "GCC's keyword");
    has_str(gcc, "Component: tree-optimization", "  component");
    has_str(gcc, "gcc version 12.2.0 (Debian", "  what -v says");
    has_str(gcc, "```\ngcc-12 -O3 -fno-strict-aliasing -w -o t t.c -lm && ./t\n```",
            "  the command line, as one types it");
    has_str(gcc, "First bad version: gcc 12.1.0; last good: gcc 11.3.0", "  the first bad version");
    has_str(gcc, "Last bad version: gcc 12.2.0; right again: gcc 13.5.0", "  the last bad version");
    has_str(gcc, "-E", "  the preprocessed file of one with includes");
    const char *llvm = read_text("bugs/build-hang-clang-00000003/report.md");
    has_str(llvm, "clang 14.0.6", "LLVM's text");
    has_str(llvm, "Actual:", "  expected and actual");
    const char *script = read_text("bugs/build-crash-clang-00000002/repro.sh");
    has_str(script, "grep -E -q -e 'internal compiler error' messages.txt",
            "crashes as the toolchain knows them");
    has_str(read_text("bugs/memory-blowup-gcc-0000000a/repro.sh"), "ulimit -v 1048576",
            "half of the memory");
    has_str(read_text("bugs/slow-compile-clang-00000009/repro.sh"), "ulimit -t 10",
            "half of the time");
    has_str(read_text("bugs/build-fail-gcc-00000004/repro.sh"),
            "\n# gcc 12.2.0 -O3 -fno-strict-aliasing: rejects a valid program",
            "a comment stays one");
    is_int(access(path_of("bugs/wrong-output-gcc-00000001/repro.sh"), X_OK), 0,
           "it can be executed");
    is_int(fs_write(path_of("bugs/notes.txt"), "x", 1, &e), 0, "a file of the user's");
    report_clear(path);
    ok(!fs_exists(path_of("bugs/wrong-output-gcc-00000001")) &&
           fs_exists(path_of("bugs/notes.txt")),
       "old folders are cleared, others stay");
    report_release(&d);
}

/* What a compiler says stays text. */
static void test_hostile_folder(void)
{
    struct report_data d;
    struct error e = {0};
    char path[PATH_MAX];
    sample_make(&d, 50000, 12, 12);
    struct finding f = *d.bugs[1].finding;
    struct observation o = *d.bugs[1].seen;
    f.signature = "gcc build-crash: a\n# b `c` <img src=x> *d* \x1b[31m";
    o.messages = "cc1: fatal error: a `c` <img src=x> *d* \x1b[31m\a\n```\n# "
                 "out\n````\x1b]0;x\a\xff\xe2\x80\xae\n";
    d.bugs[1].finding = &f;
    d.bugs[1].seen = &o;
    d.bugs[1].flags = "-O2 `x`";
    struct bug_member first = *d.bugs[1].bug.first;
    struct store_testbed t = *first.testbed;
    t.path = "/usr/\x1b[31m/clang-14";
    first.testbed = &t;
    d.bugs[1].bug.first = &first;
    d.bugs[1].title = report_title(&d.bugs[1], &d.arena);
    snprintf(path, sizeof path, "%s/hostile", dir);
    is_int(report_folder(&d, &d.bugs[1], path, &e), 0, "a folder of what tries to be more");
    const char *text = read_text("hostile/build-crash-clang-00000002/report.md");
    has_str(text,
            "# clang 14.0.6 -O2 \\`x\\`: fatal error: a \\`c\\` \\<img src=x\\> \\*d\\* \\\\x07\n",
            "its title is one line without markup");
    has_str(text, "`` -O2 `x` ``.", "  flags are code");
    has_str(text, "\n`````\ncompiler: ", "  a fence is longer than those of the message");
    has_str(text, "\n# out\n````\\x1b]0;x\\x07\\xff\\u{202E}\n`````\n", "  which has no controls");
    has_str(read_text("hostile/build-crash-clang-00000002/seen.txt"),
            "````\\x1b]0;x\\x07\\xff\\u{202E}\n", "  nor has what was seen");
    text = read_text("hostile/build-crash-clang-00000002/repro.sh");
    has_str(text, "cc=${1:-/usr/\"$(printf '\\033')\"'[31m/clang-14'}\n", "  nor a path");
    ok(!strchr(text, '\x1b'), "  nor the rest of the script");
    report_clear(path);
    report_release(&d);
}

/* -- the suite --------------------------------------------------------------------------------- */

static bool same_program(const struct program *a, const struct program *b)
{
    char x[PROGRAM_HASH_SIZE], y[PROGRAM_HASH_SIZE];
    program_hash(a, x);
    program_hash(b, y);
    return !strcmp(x, y) && !strcmp(a->files[0].name, b->files[0].name) &&
           !strcmp(a->needs, b->needs);
}

/* The bug whose case has this name. */
static const struct report_bug *bug_named(const struct report_data *d, const char *file)
{
    for (int i = 0; i < d->n_bugs; i++)
        if (!strncmp(file, d->bugs[i].bug.name, strlen(d->bugs[i].bug.name)))
            return &d->bugs[i];
    ok(false, "no bug is called %s", file);
    return &d->bugs[0];
}

static void check_round_trip(const struct report_data *d, const char *name)
{
    struct report_case *cases;
    struct error e = {0};
    struct arena a;
    char path[PATH_MAX];
    int written, n;
    snprintf(path, sizeof path, "%s/%s", dir, name);
    arena_init(&a);
    is_int(report_suite(d, path, &written, &e), 0, "%s is written", name);
    is_int(report_suite_read(path, &a, &cases, &n, &e), 0, "  and read");
    is_str(e.message, "", "  without a word");
    is_int(n, written, "  all of it");
    for (int i = 0; i < n; i++) {
        const struct report_bug *b = bug_named(d, fs_name(cases[i].path));
        ok(same_program(&cases[i].program, &b->reduced), "  case %d: the same program", i + 1);
        ok(bytes_equal(cases[i].program.expected, b->expected), "  the same output");
        is_int(cases[i].status, b->expected_status, "  and status");
        is_int(cases[i].kind, b->finding->verdict.anomaly, "  the same kind");
        is_str(cases[i].testbed, b->finding->testbed, "  testbed");
        is_str(cases[i].flags, b->flags, "  flags");
        is_int(cases[i].program.build_only, b->reduced.build_only, "  and whether it may be run");
    }
    arena_release(&a);
}

static void test_suite(void)
{
    struct report_data d;
    sample_make(&d, 50000, 12, 12);
    check_round_trip(&d, "suite");
    has_str(read_text("suite/wrong-output-gcc-00000001.c"), "// RUN: cd %t && %cc_gcc_12 -O3",
            "a RUN line");
    has_str(read_text("suite/wrong-output-gcc-00000001.c"), "// EXPECT: -32\n", "its expectation");
    has_str(read_text("suite/memory-blowup-gcc-0000000a.c"), "// MEMORY: 1024 MiB\n", "its limit");
    has_str(read_text("suite/lit.cfg.py"), "'cc_clang_14': '/usr/bin/clang-14'", "the compilers");
    report_release(&d);

    /* What does not go into a header: several files, odd languages, odd outputs. */
    sample_make(&d, 50000, 12, 6);
    struct program_file files[] = {{"a.c", "int main(void) { return f(); }\n", 31},
                                   {"libb.c", "int f(void) { return 0; }\n", 26}};
    d.bugs[0].reduced.files = files;
    d.bugs[0].reduced.n_files = 2;
    d.bugs[0].reduced.needs = "-I/usr/include/csmith -DX=\"a b\"";
    d.bugs[1].reduced.language = "klingon";
    d.bugs[1].reduced.build_only = true;
    d.bugs[4].expected = (struct bytes){"a \\\nno newline \xff\0b", 17};
    d.bugs[4].expected_status = 3;
    d.bugs[5].expected = bytes_of("");
    struct program_file nul = {"t.c", "int x;\0// assay end\n", 20};
    d.bugs[2].reduced.files = &nul;
    d.bugs[3].flags = "";
    check_round_trip(&d, "odd");
    has_str(read_text("odd/Inputs/wrong-output-gcc-00000001/libb.c"), "int f(void)",
            "a file beside it");
    has_str(read_text("odd/wrong-output-gcc-00000001.test"), "# RUN:", "  its header alone");
    int n_cases;
    struct error failed = {0};
    d.bugs[3].flags = "-O2\n// RUN: false";
    is_int(report_suite(&d, path_of("lines"), &n_cases, &failed), 0, "flags of two lines");
    has_str(read_text("lines/build-fail-gcc-00000004.c"), "// FLAGS: -O2 // RUN: false\n",
            "  are one");
    struct program_file named = {"t;id >x.'+f()+'", "int x;\n", 7};
    struct bug_member first = *d.bugs[3].bug.first;
    struct store_testbed escaped = *first.testbed;
    escaped.path = "/usr/\x1b[31m\xc2\x9b"
                   "1m\xe2\x80\xae\xff/gcc-13";
    first.testbed = &escaped;
    d.bugs[3].reduced.files = &named;
    d.bugs[3].flags = "-DX=\x1b[31m";
    d.bugs[3].bug.first = &first;
    is_int(report_suite(&d, path_of("escapes"), &n_cases, &failed), 0, "names that say more");
    const char *text = read_text("escapes/build-fail-gcc-00000004.'+f()+'");
    has_str(text, "// FLAGS: -DX=\\x1b[31m\n", "  flags move no cursor");
    has_str(text, "mkdir %t && cp %s %t/'t;id >x.'\\'", "  a file's name is a word");
    ok(!strchr(text, '\x1b'), "  nor do other lines");
    text = read_text("escapes/lit.cfg.py");
    has_str(text, "'/usr/\\x1b[31m\\U0000009b1m\\U0000202e\\udcff/gcc-13'", "  nor paths");
    has_str(text, "'.\\'+f()+\\''", "  a suffix is a string");
    struct strbuf table;
    strbuf_init(&table, 0);
    d.testbeds[0].name = "gcc\x1b[2J";
    report_table(&d, &table);
    has_str(keep(&table), "gcc\\x1b[2J", "the table has no controls");
    report_release(&d);

    struct report_case *cases;
    struct error e = {0};
    struct arena a;
    int n;
    arena_init(&a);
    fs_make_dirs(path_of("bad"), &e);
    fs_write(path_of("bad/x.c"), "// assay case: wrong-output\nint main;\n", 38, &e);
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/bad", dir);
    is_int(report_suite_read(path, &a, &cases, &n, &e), -1, "a header without an end");
    has_str(e.message, "assay end", "  is told");
    const char *outside = "// assay case: wrong-output\n// TESTBED: gcc\n// LANGUAGE: c\n"
                          "// EXPECT-FILE: ../../etc/passwd\n// assay end\nint main;\n";
    fs_write(path_of("bad/x.c"), outside, strlen(outside), &e);
    is_int(report_suite_read(path, &a, &cases, &n, &e), -1,
           "a case reads nothing outside its folder");
    fs_write(path_of("bad/x.c"), "int main;\n", 10, &e);
    is_int(report_suite_read(path, &a, &cases, &n, &e), 0, "a file that is no case");
    is_int(n, 0, "  is passed over");
    arena_release(&a);
}

static int write_pages(const char *to)
{
    for (int i = 0; i < N_SAMPLES; i++) {
        struct report_data d;
        struct strbuf b;
        struct error e = {0};
        char path[PATH_MAX];
        strbuf_init(&b, 0);
        sample_make(&d, samples[i].tests, samples[i].testbeds, samples[i].bugs);
        report_html(&d, &b);
        snprintf(path, sizeof path, "%s/%s.html", to, samples[i].name);
        int status = fs_write(path, b.s, b.n, &e);
        strbuf_clear(&b);
        report_sarif(&d, &b);
        snprintf(path, sizeof path, "%s/%s.sarif", to, samples[i].name);
        status |= fs_write(path, b.s, b.n, &e);
        strbuf_release(&b);
        report_release(&d);
        if (status)
            return 1;
    }
    return 0;
}

int main(int argc, char **argv)
{
    struct error e = {0};
    if (argc == 3 && !strcmp(argv[1], "--write"))
        return write_pages(argv[2]);
    arena_init(&kept);
    if (fs_make_temp_dir("test-report", dir, sizeof dir, &e))
        return 1;
    test_text();
    test_highlight();
    test_words();
    test_titles();
    test_html();
    test_json();
    test_sarif();
    test_junit();
    test_times();
    test_page();
    test_unreduced();
    test_clang();
    test_not_tried();
    test_accesses();
    test_nothing();
    test_folder();
    test_hostile_folder();
    test_suite();
    fs_remove_tree(dir);
    arena_release(&kept);
    return tap_done();
}
