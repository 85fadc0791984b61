/* Texts of several languages, each with a predicate that stands for a compiler's bug. The bounds
 * are numbers of tests, because that is what a reduction costs. */
#include "reduce/fake.h"
#include "tap.h"

struct result {
    char text[4096];
    int64_t tests;
    int kept;
    int n_files;
};

static void reduce(const char *language, const char *text, int slots, enum fake_order order,
                   fake_predicate *interesting, struct result *out)
{
    struct fake f;
    struct program_file file;
    struct reduce_case c = fake_case(&file, language, text, "-O2 -g");
    struct reduction r;
    struct error e = {0};
    if (!interesting(&c))
        ok(false, "%s: not interesting to begin with", language);
    fake_init(&f, slots, order, interesting);
    reduction_init(&r, &f.test, &c);
    out->kept = reduce_text(&r, &e);
    out->tests = f.begun;
    snprintf(out->text, sizeof out->text, "%s", fake_text(&r.best));
    if (f.broken + f.wrong + f.busy || !interesting(&r.best) || strcmp(r.best.flags, "-O2 -g") ||
        out->kept != r.stats.kept)
        ok(false, "%s: the contract was not kept", language);
    reduction_release(&r);
    fake_release(&f);
}

/* The same with every number of slots and every order. */
static void check(const char *what, const char *language, const char *text,
                  fake_predicate *interesting, const char *wanted, int64_t most_tests)
{
    static const int slot_counts[] = {1, 2, 5};
    struct result first, other, again;
    reduce(language, text, 1, FAKE_FIRST, interesting, &first);
    is_str(first.text, wanted, "%s", what);
    ok(first.tests <= most_tests, "in %lld tests", (long long)first.tests);
    for (int i = 0; i < 3; i++)
        for (enum fake_order o = 0; o < FAKE_ORDERS; o++) {
            reduce(language, text, slot_counts[i], o, interesting, &other);
            if (strcmp(first.text, other.text) || first.kept != other.kept)
                is_str(other.text, first.text, "the same with %d slots, order %d", slot_counts[i],
                       o);
        }
    reduce(language, first.text, 1, FAKE_FIRST, interesting, &again);
    is_int(again.kept, 0, "nothing is left to do");
}

/* -- lines ------------------------------------------------------------------------------------- */

static bool has_three_lines(const struct reduce_case *c)
{
    const char *one = strstr(fake_text(c), "line 17 x"), *two = strstr(fake_text(c), "line 1100 x"),
               *three = strstr(fake_text(c), "line 1999 x");
    return one && two && three && strchr(one, '\n') && strchr(one, '\n') < two &&
           strchr(two, '\n') && strchr(two, '\n') < three;
}

static void test_lines(void)
{
    struct strbuf text;
    strbuf_init(&text, 0);
    for (int i = 0; i < 2000; i++)
        strbuf_addf(&text, "line %d x and more\n", i);
    check("three of 2000 lines", "none", text.s, has_three_lines,
          "line 17 x\nline 1100 x\nline 1999 x\n", 250);
    strbuf_release(&text);
}

/* -- C ----------------------------------------------------------------------------------------- */

/* The end of the string or the comment to the end of the line that begins here; `s` itself. */
static const char *past_string(const char *s)
{
    const char *end = s;
    if (*s == '"' || *s == '|')
        end = strchr(s + 1, *s);
    else if (!strncmp(s, "//", 2))
        end = strchr(s, '\n');
    return end ? end : s;
}

static bool balanced(const char *s)
{
    char open[64];
    int n = 0;
    for (; *s; s++) {
        s = past_string(s);
        if (strchr("([{", *s) && n < 64)
            open[n++] = *s == '(' ? ')' : *s == '[' ? ']' : '}';
        else if (strchr(")]}", *s) && (!n || *s != open[--n]))
            return false;
    }
    return n == 0;
}

/* The body of main divides by 0. */
static bool divides(const struct reduce_case *c)
{
    const char *body = strstr(fake_text(c), "int main");
    body = body ? strchr(body, '{') : NULL;
    const char *slash = body ? strstr(body, "/ 0") : NULL;
    return slash && balanced(fake_text(c)) && strchr(slash, ';') && strchr(slash, '}');
}

static const char c_text[] = "/* made by hand */\n"
                             "#include <stdio.h>\n"
                             "#include <stdlib.h>\n"
                             "\n"
                             "static int helper(int a, int b)\n"
                             "{\n"
                             "    if (a > b) {\n"
                             "        return a - b; // a comment; with } brackets {\n"
                             "    } else {\n"
                             "        puts(\"a string; with } brackets {\");\n"
                             "    }\n"
                             "    return 7;\n"
                             "}\n"
                             "\n"
                             "int main(void)\n"
                             "{\n"
                             "    int values[] = {1, 2, 3, 4};\n"
                             "    for (int i = 0; i < 4; i++) {\n"
                             "        int total = helper(values[i], 3) + values[i] / 0;\n"
                             "        printf(\"%d\\n\", total);\n"
                             "    }\n"
                             "    return 0;\n"
                             "}\n";

static void test_c(void)
{
    check("a division in C", "c", c_text, divides, "int main\n{\n/ 0;\n}\n", 200);
}

/* All of a function that says `keep`, with brackets that match. */
static bool keeps_call(const struct reduce_case *c)
{
    const char *at = strstr(fake_text(c), "keep(");
    return at && balanced(fake_text(c)) && strchr(at, '7');
}

static void test_members(void)
{
    struct strbuf text;
    strbuf_init(&text, 0);
    strbuf_adds(&text, "int f(void) { return keep(");
    for (int i = 0; i < 400; i++)
        strbuf_addf(&text, "x%d, ", i);
    strbuf_adds(&text, "(7 + y), z); }\n");
    check("one argument of 402", "c", text.s, keeps_call, "keep(7)\n", 80);
    strbuf_release(&text);
}

/* -- other languages --------------------------------------------------------------------------- */

static bool lua_calls(const struct reduce_case *c)
{
    const char *s = fake_text(c);
    int open = 0;
    for (const char *at = s; *at; at++) {
        open += !strncmp(at, "function ", 9) || !strncmp(at, "do ", 3) || !strncmp(at, "do\n", 3);
        open -= !strncmp(at, "end", 3);
    }
    return open == 0 && strstr(s, "string.rep(\"--[[\", 0)");
}

static void test_lua(void)
{
    check("a call in Lua", "lua",
          "-- a comment\n"
          "--[[ a long\n comment ]]\n"
          "local function first(v)\n"
          "  local t = [[ a long\n string ]]\n"
          "  return v .. t\n"
          "end\n"
          "for i = 1, 10 do\n"
          "  local x = i * 2\n"
          "  print(string.rep(\"--[[\", 0), first('x'), x)\n"
          "end\n"
          "print(2 ^ 53)\n",
          lua_calls, "string.rep(\"--[[\", 0)\n", 120);
}

/* Comments of a language of the user's own are known by the first line, and go as a whole. This one
 * is longer than any run of tokens that is tried. */
#define TEN "a b c d e f g h i j "
#define REMARK "# " TEN TEN TEN TEN "k"

static bool whole_remarks(const struct reduce_case *c)
{
    const char *s = fake_text(c);
    for (const char *at = s; (at = strchr(at, '#')); at++)
        if (strncmp(at, "# assay gen mine -s 1 (mine 1)", 30) != 0 &&
            strncmp(at, REMARK, strlen(REMARK)) != 0)
            return false;
    return strstr(s, "x = 1") != NULL;
}

static void test_own(void)
{
    check("a language of one's own", "mine",
          "# assay gen mine -s 1 (mine 1)\nx = 1 " REMARK "\ny = 2\n", whole_remarks, "x = 1\n",
          60);
}

static bool sql_joins(const struct reduce_case *c)
{
    const char *s = fake_text(c), *made = strstr(s, "CREATE TABLE "), *join = strstr(s, "JOIN ");
    return made && join && strchr(made, ';') && strchr(made, ';') < join && strchr(join, ';') &&
           strstr(join, "'it''s; a -- string'") && balanced(s);
}

static void test_sql(void)
{
    struct strbuf text;
    strbuf_init(&text, 0);
    strbuf_adds(&text, "CREATE TABLE t0 (c0 INTEGER, c1 VARCHAR(20));\n");
    for (int i = 0; i < 300; i++)
        strbuf_addf(&text, "INSERT INTO t0 (c0, c1)\n  VALUES (%d, 'row; %d');\n", i, i);
    strbuf_adds(&text, "SELECT c0 FROM t0 AS a INNER JOIN t0 AS b ON (a.c0 = b.c0)\n"
                       "WHERE b.c1 <> 'it''s; a -- string' ORDER BY 1;\n");
    check("a join in SQL", "sql", text.s, sql_joins,
          "CREATE TABLE ;\nJOIN \n'it''s; a -- string'\n", 150);
    strbuf_release(&text);
}

static bool smt_multiplies(const struct reduce_case *c)
{
    const char *s = fake_text(c), *in = strstr(s, "(assert "),
               *at = in ? strstr(in, "(bvmul ") : NULL;
    return at && balanced(in) && strstr(at, "(check-sat)");
}

static void test_smt(void)
{
    check(
        "a term of SMT-LIB", "smtlib",
        "; a comment\n"
        "(set-logic QF_BV)\n"
        "(declare-const x1 (_ BitVec 16))\n"
        "(declare-fun f5 (Bool (_ BitVec 16)) (_ BitVec 16))\n"
        "(define-fun f17 ((p18 (_ BitVec 32))) (_ BitVec 3) (bvor x7 x7))\n"
        "(assert (distinct (ite (f15 x2) (_ bv1 32) #x01) (bvnot (bvmul x1 (bvadd x1 #x00ff)))))\n"
        "(assert (= x1 x1))\n"
        "(check-sat)\n"
        "(get-value (|a strange ( symbol|))\n",
        smt_multiplies, "(assert (bvmul ))\n(check-sat)\n", 150);
}

/* A line is further to the right than the one before if and only if that ends with a colon. */
static bool python_raises(const struct reduce_case *c)
{
    size_t before = 0;
    bool opened = false;
    for (const char *s = fake_text(c); *s;) {
        size_t blanks = strspn(s, " "), n = strcspn(s, "\n");
        if (blanks < n) {
            if (blanks > before ? !opened : opened)
                return false;
            opened = s[n - 1] == ':';
            before = blanks;
        }
        s += n + (s[n] == '\n');
    }
    return !opened && strstr(fake_text(c), "raise");
}

static void test_indentation(void)
{
    check("a statement out of three blocks", "none",
          "def f(x):\n"
          "    if x:\n"
          "        for y in x:\n"
          "            print(y)\n"
          "            raise\n"
          "    else:\n"
          "        pass\n"
          "f(1)\n",
          python_raises, "raise\n", 50);
}

/* -- words, numbers, names, bytes -------------------------------------------------------------- */

static bool valid_utf8(const char *s)
{
    for (; *s; s++) {
        unsigned char c = (unsigned char)*s;
        int more = c < 0x80 ? 0 : c >= 0xf0 ? 3 : c >= 0xe0 ? 2 : c >= 0xc0 ? 1 : -1;
        if (more < 0)
            return false;
        for (; more; more--)
            if (((unsigned char)*++s & 0xc0) != 0x80)
                return false;
    }
    return true;
}

static int broken_texts; /* candidates that were not UTF-8, or had half a string */

static bool keeps_bytes(const struct reduce_case *c)
{
    const char *s = fake_text(c);
    int quotes = 0;
    for (const char *at = s; *at; at++)
        quotes += *at == '"';
    broken_texts += !valid_utf8(s) || quotes % 2;
    return strstr(s, "größe") && strstr(s, "\"ñ\"");
}

static void test_bytes(void)
{
    check("words and strings beyond ASCII", "c",
          "int größe = 1, höhe = 2; // naïve\n"
          "char *s = \"日本 \\\\\", *t = \"ñ\";\n"
          "char u = '\\'';\n"
          "f(größe, höhe, \"—\");\n",
          keeps_bytes, "größe\n\"ñ\"\n", 100);
    is_int(broken_texts, 0, "no candidate had half a character or half a string");
}

static bool compares(const struct reduce_case *c)
{
    const char *s = fake_text(c), *at = strstr(s, "if (");
    long a = 0, b = 0;
    char x[64], y[64];
    return at && sscanf(at, "if (%63s < %ld) %63s = %ld;", x, &a, y, &b) == 4 && a >= 300 &&
           !strcmp(x, y) && strstr(s, x) < at;
}

static void test_numbers_and_names(void)
{
    check("numbers become smaller, names shorter", "c",
          "long counter_of_things = 0;\nif (counter_of_things < 987654321) counter_of_things = "
          "55555;\n",
          compares, "a\nif (a < 987) a = 0\n", 150);
}

static bool uses_both(const struct reduce_case *c)
{
    const struct program *p = &c->program;
    const char *header = NULL, *source = NULL;
    char name[64];
    for (int i = 0; i < p->n_files; i++) {
        if (!strcmp(p->files[i].name, "a.h"))
            header = p->files[i].text;
        if (!strcmp(p->files[i].name, "b.c"))
            source = p->files[i].text;
    }
    return header && source && sscanf(header, "int %63[a-z_];", name) == 1 &&
           strstr(source, name) && strstr(source, "return");
}

static void test_files(void)
{
    struct program_file files[] = {
        {"a.h", "int shared_name;\nint other;\n", 28},
        {"unused.h", "int x;\n", 7},
        {"b.c", "int f(void) { return shared_name + other; }\n", 44},
        {"unused.c", "int g(void) { return 0; }\n", 26},
    };
    struct reduce_case c = {.program = {.language = "c",
                                        .files = files,
                                        .n_files = 4,
                                        .needs = "",
                                        .made = {"", "", "", 0, NULL}},
                            .flags = ""};
    struct fake f;
    struct reduction r;
    fake_init(&f, 2, FAKE_LAST, uses_both);
    reduction_init(&r, &f.test, &c);
    ok(reduce_text(&r, NULL) > 0, "several files");
    is_int(r.best.program.n_files, 2, "two of four files are needed");
    is_str(r.best.program.files[0].name, "a.h", "the header");
    is_str(r.best.program.files[0].text, "int a\n", "has one name");
    is_str(r.best.program.files[1].name, "b.c", "the source");
    is_str(r.best.program.files[1].text, "return a\n", "has the same");
    is_int(f.broken + f.wrong + f.busy, 0, "the contract was kept");
    reduction_release(&r);
    fake_release(&f);
}

/* -- what only one pass can do ------------------------------------------------------------------
 */

/* A call with commas between its arguments and nowhere else. The last argument is too long for a
 * window, and cannot be made shorter. */
static bool is_call(const struct reduce_case *c)
{
    static const char whole[] = "(1 2 3 4 5 6 7 8 9)";
    const char *s = fake_text(c), *digit = strpbrk(s, "123456789");
    char last = '(';
    if (digit && (digit < s + 3 || strncmp(digit - 1, whole, strlen(whole))))
        return false;
    if (strncmp(s, "f(", 2) || !strstr(s, "keep") || strstr(s, "()"))
        return false;
    for (s += 2; *s && *s != ')'; s++) {
        s += strncmp(s, whole, strlen(whole)) ? 0 : strlen(whole) - 1;
        if (*s == ',' && (last == ',' || last == '('))
            return false;
        last = *s == ' ' ? last : *s;
    }
    return last != ',' && *s == ')';
}

/* Words with a plus between them. */
static bool is_sum(const struct reduce_case *c)
{
    const char *s = fake_text(c);
    bool word = true;
    while (*(s += strspn(s, " \n"))) {
        size_t n = strcspn(s, " +\n");
        if (word ? n == 0 : *s != '+')
            return false;
        s += word ? n : 1;
        word = !word;
    }
    return !word && strstr(fake_text(c), "keep");
}

/* A word, or a bracket with a word and at least one term after it; NULL: neither. */
static const char *past_term(const char *s)
{
    s += strspn(s, " \n");
    size_t n = strcspn(s, " \n()");
    if (n)
        return s + n;
    if (*s != '(' || !(n = strcspn(s + 1, " \n()")))
        return NULL;
    s += 1 + n;
    do
        s = past_term(s);
    while (s && s[strspn(s, " \n")] != ')');
    return s ? s + strspn(s, " \n") + 1 : NULL;
}

static bool is_term(const struct reduce_case *c)
{
    const char *end = past_term(fake_text(c));
    return end && !end[strspn(end, " \n")] && strstr(fake_text(c), "keep");
}

/* Each call has all three of its arguments, or none; the one in the middle has them. */
static bool is_all_or_none(const struct reduce_case *c)
{
    const char *s = fake_text(c);
    static const char *const calls[] = {"a(1, 2, 3)", "b(4, 5, 6)", "c(7, 8, 9)"};
    for (int i = 0; i < 3; i++) {
        char none[] = {calls[i][0], '(', ')', '\0'};
        if (!strstr(s, calls[i]) && (i == 1 || !strstr(s, none)))
            return false;
    }
    return true;
}

static bool is_whole_index(const struct reduce_case *c)
{
    const char *s = fake_text(c);
    return !strncmp(s, "keep", 4) && !strstr(s, "[]") &&
           (!strpbrk(s, "[]123456789") || strstr(s, "keep[1 2 3 4 5 6 7 8 9]"));
}

static bool is_string(const struct reduce_case *c)
{
    const char *s = strstr(fake_text(c), "f(\"");
    return s && strstr(s + 3, "\")");
}

static void test_passes(void)
{
    struct strbuf text;
    strbuf_init(&text, 0);
    strbuf_adds(&text, "f(keep");
    for (int i = 0; i < 100; i++)
        strbuf_adds(&text, ", x");
    strbuf_adds(&text, ", (1 2 3 4 5 6 7 8 9))");
    check("commas", "c", text.s, is_call, "f(keep)", 40);
    strbuf_release(&text);
    check("windows of tokens", "c", "a + b + keep + c + d", is_sum, "keep", 25);
    check("members for their brackets", "smtlib", "(a (b (c x keep) y) (d z))", is_term, "keep",
          60);
    check("contents of brackets", "c", "a(1, 2, 3); b(4, 5, 6); c(7, 8, 9);", is_all_or_none,
          "a()b(4, 5, 6)c()", 150);
    check("brackets and all", "c", "keep[1 2 3 4 5 6 7 8 9];", is_whole_index, "keep", 60);
    check("contents of strings", "c", "f(\"a word, and more\");", is_string, "f(\"\")", 25);
}

/* -- hostile texts ----------------------------------------------------------------------------- */

static bool is_anything(const struct reduce_case *c)
{
    (void)c;
    return true;
}

static bool has_x(const struct reduce_case *c)
{
    return strchr(fake_text(c), 'x') != NULL;
}

static void test_strange(void)
{
    static const char *const texts[] = {
        "x",          ")x(",          "\"x",      "'x\n'",       "/* x",
        "[[x",        "[==[ x ]==]",  "((((x",    "}}x{{",       "--[[x",
        "x\\",        "1e+x",         "x\n",      "\n\n\tx\n\n", "\xff\xfex",
        "\"\\\"x\"",  "#define x \\", "x //",     "|x",          "do end x end do",
        "((((x))))x", "\r\nx\r\n",    "x;x;x;;;",
    };
    static const char *const languages[] = {"c", "lua", "sql", "smtlib", "none"};
    int wrong = 0;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (size_t l = 0; l < 5; l++) {
            struct result out;
            reduce(languages[l], texts[i], 2, FAKE_LAST, has_x, &out);
            wrong += strlen(out.text) > strlen(texts[i]) || out.kept < 0;
            reduce(languages[l], texts[i], 1, FAKE_LAST, is_anything, &out);
            if (strlen(out.text)) {
                wrong++;
                tap_note(languages[l], out.text);
            }
        }
    is_int(wrong, 0, "texts that are no programs");
    struct program_file file = {"t", "a\0x\0(\0\"\0", 8};
    struct reduce_case c = {.program = {.language = "c",
                                        .files = &file,
                                        .n_files = 1,
                                        .needs = "",
                                        .made = {"", "", "", 0, NULL}},
                            .flags = ""};
    struct fake f;
    struct reduction r;
    fake_init(&f, 1, FAKE_FIRST, is_anything);
    reduction_init(&r, &f.test, &c);
    ok(reduce_text(&r, NULL) > 0 && r.best.program.files[0].size == 0, "bytes that are 0");
    reduction_release(&r);
    fake_release(&f);
}

static void test_stop(void)
{
    int stopped = 0, wrong = 0, few = 0;
    struct result whole;
    reduce("c", c_text, 1, FAKE_FIRST, divides, &whole);
    for (int64_t k = 1; k < 120; k += 7) {
        struct fake f;
        struct program_file file;
        struct reduce_case c = fake_case(&file, "c", c_text, "");
        struct reduction r;
        struct error e = {0};
        fake_init(&f, 2, FAKE_LAST, divides);
        f.stop_after = k;
        reduction_init(&r, &f.test, &c);
        r.stop = &f.stop;
        stopped += reduce_text(&r, &e) == -1;
        wrong += e.kind || f.busy || f.broken || !divides(&r.best);
        reduction_release(&r);
        f.stop = 0;
        f.stop_after = 0;
        f.recalls = true;
        reduction_init(&r, &f.test, &c);
        wrong += reduce_text(&r, &e) < 0 || strcmp(fake_text(&r.best), whole.text);
        few += r.stats.remembered < k / 3;
        reduction_release(&r);
        fake_release(&f);
    }
    ok(stopped > 10, "%d reductions were stopped", stopped);
    is_int(wrong, 0, "and ended where one that was not stopped ends");
    is_int(few, 0, "with the help of what they knew");
}

int main(void)
{
    test_lines();
    test_c();
    test_members();
    test_lua();
    test_own();
    test_sql();
    test_smt();
    test_indentation();
    test_bytes();
    test_numbers_and_names();
    test_files();
    test_passes();
    test_strange();
    test_stop();
    return tap_done();
}
