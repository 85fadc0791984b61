/* Clusters: what evidence decides, what likeness decides, and the order.
 *
 * cases/ and others/ have 12 imaginary faults each, with five reduced programs per fault as a
 * reducer leaves them: minimal, but with different surroundings. The number of clusters must be
 * right at the threshold in use, and stay right around it. `test_cluster DIR table` prints the
 * number for each threshold, with the pairs that are wrongly together and wrongly apart. */
#include "base/fs.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "tap.h"
#include "triage/trees.h"
#include "triage/triage_internal.h"

#include <glob.h>
#include <math.h>
#include <stdlib.h>

static struct arena arena;

static const struct triage_finding wrong = {.anomaly = ANOMALY_WRONG_OUTPUT,
                                            .toolchain = "mycc",
                                            .testbed = "mycc -O1",
                                            .signature = "mycc -O1 wrong-output",
                                            .pass = "",
                                            .flags = "-O1",
                                            .language = "c"};

/* -- imaginary faults -------------------------------------------------------------------------- */

struct suite {
    VEC(struct triage_finding) cases;
    VEC(int) fault; /* of each case */
    int faults;
};

static void add_file(struct suite *s, const char *path)
{
    struct strbuf text;
    struct error e;
    strbuf_init(&text, 0);
    if (fs_read(path, &text, &e)) {
        strbuf_release(&text);
        return;
    }
    char *copy = arena_strdup(&arena, text.s);
    strbuf_release(&text);
    for (char *p = strchr(copy, '\n') + 1, *end; p; p = end) {
        end = strstr(p, "\n---\n");
        if (end) {
            *end = '\0';
            end += 5;
        }
        struct triage_finding c = wrong;
        c.id = (int64_t)s->cases.n + 1;
        c.text = p;
        c.constructs = constructs_in(p);
        vec_push(&s->cases, c);
        vec_push(&s->fault, s->faults);
    }
    s->faults++;
}

static void add_folder(struct suite *s, const char *root, const char *folder)
{
    glob_t found;
    if (!glob(arena_printf(&arena, "%s/%s/*.txt", root, folder), 0, NULL, &found)) {
        for (size_t i = 0; i < found.gl_pathc; i++)
            add_file(s, found.gl_pathv[i]);
        globfree(&found);
    }
}

struct measured {
    int clusters, together, apart; /* pairs of different faults, and of one fault */
};

static struct measured measure(const struct suite *s, double alike)
{
    struct arena a;
    arena_init(&a);
    struct triage_cluster *list;
    struct measured m = {0};
    int *cluster = arena_array(&a, int, s->cases.n);
    triage_clusters_at(alike, s->cases.at, (int)s->cases.n, &a, &list, &m.clusters);
    for (int c = 0; c < m.clusters; c++)
        for (int i = 0; i < list[c].n_members; i++)
            cluster[list[c].members[i]] = c;
    for (size_t i = 0; i < s->cases.n; i++)
        for (size_t j = 0; j < i; j++) {
            bool one = s->fault.at[i] == s->fault.at[j];
            m.together += !one && cluster[i] == cluster[j];
            m.apart += one && cluster[i] != cluster[j];
        }
    arena_release(&a);
    return m;
}

static void test_suite(const struct suite *s, const char *name)
{
    is_int(s->cases.n, s->faults * 5, "%s: five programs for each of %d faults", name, s->faults);
    for (int step = -2; step <= 2; step++) {
        double alike = triage_alike + step * 0.02;
        struct measured m = measure(s, alike);
        ok(abs(m.clusters - s->faults) <= 1, "%s: %d clusters for %d faults at %.2f", name,
           m.clusters, s->faults, alike);
        if (step == 0)
            ok(m.together <= 10 && m.apart <= 10, "  %d pairs wrongly together, %d apart",
               m.together, m.apart);
    }
    /* The first of a ranking are different bugs. */
    struct triage_cluster *list;
    int n;
    triage_clusters(s->cases.at, (int)s->cases.n, &arena, &list, &n);
    bool seen[64] = {false};
    int different = 0;
    for (int i = 0; i < n && i < 10; i++) {
        int fault = s->fault.at[list[i].representative];
        different += !seen[fault];
        seen[fault] = true;
    }
    ok(different >= 9, "  %d of the first 10 are different bugs", different);
}

/* The clusters in their order, a line each. */
static const char *describe(const struct suite *s)
{
    struct triage_cluster *list;
    int n;
    struct strbuf out;
    strbuf_init(&out, 0);
    triage_clusters(s->cases.at, (int)s->cases.n, &arena, &list, &n);
    for (int i = 0; i < n; i++)
        strbuf_addf(&out, "case %d stands for %d: %s\n", list[i].representative, list[i].n_members,
                    list[i].because);
    const char *text = arena_strdup(&arena, out.s);
    strbuf_release(&out);
    return text;
}

/* clusters.txt has them as they must be; `test_cluster DIR print` prints it. */
static void test_description(const struct suite *s, const char *root)
{
    struct strbuf wanted;
    struct error e;
    strbuf_init(&wanted, 0);
    fs_read(arena_printf(&arena, "%s/clusters.txt", root), &wanted, &e);
    is_str(describe(s), wanted.s, "order, representatives and reasons");
    strbuf_release(&wanted);
}

static void print_table(const struct suite *s)
{
    printf("%d programs of %d faults\n", (int)s->cases.n, s->faults);
    for (double alike = 0.40; alike < 0.90; alike += 0.02) {
        struct measured m = measure(s, alike);
        printf("%.2f  %3d clusters  %4d pairs together  %4d apart\n", alike, m.clusters, m.together,
               m.apart);
    }
}

/* -- evidence ---------------------------------------------------------------------------------- */

static int count(const struct triage_finding *cases, int n, struct triage_cluster **list)
{
    struct triage_finding *with_trees = arena_array(&arena, struct triage_finding, n);
    int found;
    for (int i = 0; i < n; i++) {
        with_trees[i] = cases[i];
        if (cases[i].text && !strcmp(cases[i].language, "c"))
            with_trees[i].constructs = constructs_in(cases[i].text);
    }
    triage_clusters(with_trees, n, &arena, list, &found);
    return found;
}

static const char shift_text[] = "int printf(const char *, ...);\nunsigned char a = 200;\n"
                                 "int main(void)\n{\n    printf(\"%d\\n\", a >> 3);\n}\n";
static const char shift_again[] = "int printf(const char *, ...);\nunsigned short g_1 = 65000;\n"
                                  "int main(void)\n{\n    int b = g_1 >> 1;\n"
                                  "    printf(\"%d\\n\", b);\n    return 0;\n}\n";
static const char goto_text[] = "int printf(const char *, ...);\nint a;\nint main(void)\n{\n"
                                "again:\n    a = a + 1;\n    if (a < 3)\n        goto again;\n"
                                "    printf(\"%d\\n\", a);\n}\n";

/* As a generator prints it, with a checksum of its variables around it. */
#define FRAMED(code)                                                                               \
    "typedef unsigned char uint8_t;\nint printf(const char *, ...);\n"                             \
    "static unsigned int crc32_context = 0xFFFFFFFFU;\nstatic unsigned int crc32_tab[256];\n"      \
    "static void crc32_gentab(void)\n{\n    for (int i = 0; i < 256; i++)\n"                       \
    "        crc32_tab[i] = i ^ 7;\n}\n"                                                           \
    "static void transparent_crc(unsigned long long v, const char *s, int flag)\n{\n"              \
    "    crc32_context = crc32_tab[(crc32_context ^ v) & 255];\n    if (flag)\n"                   \
    "        printf(\"%s\\n\", s);\n}\nstatic int g_4;\n" code                                     \
    "int main(int argc, char **argv)\n{\n    int i;\n    int print_hash_value = argc > 1;\n"       \
    "    crc32_gentab();\n    func_1();\n    for (i = 0; i < 1; i++) {\n"                          \
    "        transparent_crc(g_4, \"g_4\", print_hash_value);\n"                                   \
    "        if (print_hash_value)\n            printf(\"index = [%d]\\n\", i);\n    }\n"          \
    "    printf(\"checksum = %X\\n\", crc32_context ^ 0xFFFFFFFFU);\n    return 0;\n}\n"

static const char framed_shift[] = FRAMED("static uint8_t g_3 = 200;\nstatic void func_1(void)\n{\n"
                                          "    g_4 = g_3 >> 2;\n}\n");
static const char framed_goto[] = FRAMED("static void func_1(void)\n{\nl:\n    g_4 = g_4 + 1;\n"
                                         "    if (g_4 < 3)\n        goto l;\n}\n");

static struct triage_finding with(const char *text, const char *pass, const char *flags)
{
    struct triage_finding c = wrong;
    c.text = text;
    c.pass = pass;
    c.flags = flags;
    return c;
}

static struct triage_finding crash(const char *signature, const char *text)
{
    struct triage_finding c = wrong;
    c.anomaly = ANOMALY_BUILD_CRASH;
    c.signature = signature;
    c.text = text;
    return c;
}

static void test_evidence(void)
{
    struct triage_cluster *list;
#define COUNT(...)                                                                                 \
    count((struct triage_finding[]){__VA_ARGS__},                                                  \
          (int)(sizeof((struct triage_finding[]){__VA_ARGS__}) / sizeof(struct triage_finding)),   \
          &list)
    is_int(COUNT(with(shift_text, "", "-O1"), with(shift_again, "", "-O3 -march=native")), 1,
           "levels alone separate nothing");
    is_int(COUNT(with(shift_text, "", "-O1"), with(goto_text, "", "-O1")), 2, "programs do");
    is_int(COUNT(with(shift_text, "", ""), with(framed_shift, "", ""), with(goto_text, "", ""),
                 with(framed_goto, "", "")),
           2, "  whatever a generator prints around them");
    is_int(COUNT(with(framed_shift, "", ""), with(framed_goto, "", "")), 2,
           "  which makes nothing alike");
    is_int(COUNT(with(shift_text, "gvn", ""), with(goto_text, "gvn", "")), 1,
           "one pass, one cluster");
    is_str(list[0].because, "blamed on gvn", "  and it says why");
    is_int(COUNT(with(shift_text, "gvn", ""), with(shift_text, "licm", "")), 2, "two passes, two");
    is_int(COUNT(with(shift_text, "gvn", ""), with(NULL, "gvn", "")), 1, "  reduced or not");
    is_int(COUNT(with(shift_text, "gvn", ""), with(shift_again, "", "")), 1,
           "a case without evidence joins by its program");
    is_int(
        COUNT(with(shift_text, "gvn", ""), with(shift_again, "", ""), with(shift_text, "licm", "")),
        2, "  but brings no two passes together");
    is_int(COUNT(with(shift_text, "-O0", ""), with(goto_text, "-O0", "")), 2,
           "no pass to blame is no evidence");
    is_int(COUNT(with(shift_text, "-O0", ""), with(shift_text, "gvn", "")), 2,
           "  but another thing than a pass");
    is_int(COUNT(with(shift_text, "", "-O1 -fwrapv"), with(goto_text, "", "-O2 -fwrapv"),
                 with(shift_again, "", "-O1")),
           1, "flags that are needed, by some");
    ok(!strcmp(list[0].because, "needs -fwrapv") || !strcmp(list[1].because, "needs -fwrapv"),
       "  and it says which");
    is_int(COUNT(with(shift_text, "", "-O1 -fwrapv"), with(goto_text, "", "-O1 -fwrapv")), 2,
           "  by all: they tell nothing apart");
    is_int(COUNT(with(shift_text, "", "-fa"), with(shift_text, "", "-fb")), 2, "  two, two");
    is_int(COUNT(with(NULL, "", "-fa"), with(NULL, "", "-fb")), 1,
           "  unless they were not reduced");

    is_int(COUNT(crash("mycc build-crash: overflow [pair < convert < visit]", shift_text),
                 crash("mycc build-crash: overflow [pair < convert]", goto_text),
                 crash("mycc build-crash: overflow [pair < convert < fold]", goto_text)),
           1, "a stack that ends sooner");
    is_int(COUNT(crash("mycc build-crash: overflow [pair < convert]", shift_text),
                 crash("mycc build-crash: overflow [pair < converted < visit]", goto_text),
                 crash("mycc build-crash: overflow [pair]", goto_text)),
           3, "  not one that goes another way, or has only one frame");
    is_int(COUNT(crash("mycc-1 build-crash: error: in fold", shift_text),
                 crash("mycc-2 build-crash: error: in fold", goto_text)),
           1, "one message, one cluster, in all versions");
    is_str(list[0].because, "says: error: in fold", "  and it says what");
    is_int(COUNT(crash("mycc-1 build-crash: error: in fold", shift_text),
                 crash("mycc-1 build-crash: error: in cse", shift_text)),
           2, "two messages, two");
    is_int(COUNT(crash("mycc build-crash: SIGSEGV", shift_text),
                 crash("mycc build-crash: SIGSEGV", goto_text)),
           2, "a signal is no message");
    is_int(COUNT(crash("mycc build-crash: SIGSEGV", shift_text),
                 crash("mycc build-crash: SIGABRT", shift_again)),
           1, "  and programs decide");
    is_int(COUNT(crash("mycc build-crash: SIGSEGV", shift_text),
                 crash("mycc build-crash: error: in fold", shift_text)),
           2, "  but who explains a crash explains it each time");
    is_int(COUNT(crash("mycc build-crash: SIGSEGV", shift_text), with(shift_text, "", "")), 2,
           "a crash and a wrong result are two");

    struct triage_finding hang = with(shift_again, "", ""), other = with(shift_text, "", "");
    hang.anomaly = ANOMALY_RUN_HANG;
    is_int(COUNT(with(shift_text, "", ""), hang), 1,
           "a wrong value may keep a program from ending");
    other.toolchain = "yourcc";
    is_int(COUNT(with(shift_text, "", ""), other), 2, "two compilers, two clusters");
}

/* -- those that wait --------------------------------------------------------------------------- */

static void test_waiting(void)
{
    struct triage_cluster *list;
    is_int(COUNT(with(NULL, "", "-O1"), with(NULL, "", "-O2")), 1, "what waits, waits together");
    is_str(list[0].because, "not reduced yet", "  and says so");
    struct triage_finding known = with(NULL, "", "");
    known.known = true;
    is_int(COUNT(known, with(NULL, "", ""), with(NULL, "", ""), known), 2,
           "  what is known by itself");
    is_int(list[0].n_members, 2, "  two of each");
    ok(!list[0].known && list[1].known, "  and those that nobody has seen stay new");
    is_int(COUNT(with(NULL, "", ""), with(shift_text, "", "")), 1, "one bug known: it is that one");
    is_int(list[0].representative, 1, "  the reduced one stands for both");
    struct triage_finding plain = with(shift_text, "", ""), optimised = with(NULL, "", "");
    plain.plain = PLAIN_WRONG;
    optimised.plain = PLAIN_RIGHT;
    is_int(COUNT(plain, optimised), 2, "  but not what shows at -O0 where -O0 was right");
    is_int(COUNT(plain, with(NULL, "", ""), optimised, optimised), 2, "  nor with what joined it");
    is_int(list[0].n_members, 2, "  two of each");
    plain.text = NULL;
    is_int(COUNT(plain, optimised), 2, "  reduced or not");
    optimised.text = goto_text;
    is_int(COUNT(optimised, plain), 2, "  nor the other way round");
    plain.text = shift_text;
    struct triage_finding both = with(NULL, "", "");
    both.plain = PLAIN_WRONG;
    is_int(COUNT(plain, both, optimised, both), 2, "of two bugs the one that can be");
    is_int(list[0].n_members + 10 * list[1].n_members, list[0].representative ? 31 : 13,
           "  with all that wait");
    struct triage_finding dies = with(goto_text, "", ""), falls = with(shift_text, "", "");
    dies.anomaly = falls.anomaly = ANOMALY_RUN_CRASH;
    dies.signature = "mycc run-crash: SIGILL";
    falls.signature = "mycc run-crash: SIGSEGV";
    struct triage_finding again = dies;
    again.text = NULL;
    is_int(COUNT(dies, falls, again), 2, "of two crashes the one with its signal");
    is_int(list[0].n_members, list[0].representative ? 1 : 2, "  that one");
    falls.signature = dies.signature;
    is_int(COUNT(dies, falls, again), 3, "  unless both have it");
    struct triage_finding stays = with(NULL, "", "");
    stays.anomaly = ANOMALY_RUN_HANG;
    is_int(COUNT(dies, stays), 1, "a hang where a crash is the only bug");
    is_int(COUNT(dies, falls, stays), 3, "  where two are, it waits");
    is_int(COUNT(with(NULL, "", ""), stays), 2, "  and where none is reduced");
    is_int(COUNT(dies, with(NULL, "", "")), 2, "  a wrong output waits");
    falls.signature = "mycc run-crash: SIGSEGV";
    dies.known = true;
    is_int(COUNT(dies, stays), 2, "  or where that is known");
    is_int(COUNT(dies, falls, again), 3, "  or it is known");
    optimised.text = shift_again;
    is_int(COUNT(plain, optimised), 2, "programs that are alike are two, too");
    plain.pass = optimised.pass = "gvn";
    is_int(COUNT(plain, optimised), 1, "  unless something is to blame");
    is_int(COUNT(with(shift_text, "", ""), with(NULL, "", ""), with(goto_text, "", "")), 3,
           "two known: it waits");
    is_int(COUNT(crash("mycc build-crash: SIGSEGV", shift_text),
                 crash("mycc build-crash: error: in fold", goto_text),
                 crash("mycc build-crash: SIGSEGV", NULL)),
           2, "  unless one of them says what it is each time");
    is_int(COUNT(with(shift_again, "", ""), with(shift_text, "", "")), 1, "two of one bug");
    is_int(list[0].representative, 1, "  the shorter one stands for both");
    struct triage_finding flaky = with(shift_text, "", "");
    flaky.flaky = true;
    is_int(COUNT(flaky, with(shift_again, "", "")), 1, "one that is not always there");
    is_int(list[0].representative, 1, "  does not stand for others");
}

/* -- order ------------------------------------------------------------------------------------- */

static void test_order(void)
{
    struct triage_cluster *list;
    struct triage_finding known = with(shift_text, "", ""), slow = with(goto_text, "", "");
    struct triage_finding flaky = crash("mycc build-crash: error: b", goto_text);
    known.known = true;
    flaky.flaky = true;
    slow.anomaly = ANOMALY_SLOW_COMPILE;
    slow.signature = "mycc -O1 slow-compile";
    is_int(COUNT(known, slow, flaky, with(goto_text, "", "")), 4, "four clusters");
    is_int(list[0].representative, 3, "  what is new comes first");
    ok(list[1].representative != 0 && list[2].representative != 0, "  then the dull");
    is_int(list[3].representative, 0, "  then the known");
    ok(list[3].known && !list[0].known, "  which are marked so");
    is_int(COUNT(known, with(shift_again, "", "")), 1, "a case of a known bug");
    ok(list[0].known, "  is known");

    /* Two crashes that are alike and a wrong result: the second to look at is the result. */
    is_int(COUNT(crash("mycc build-crash: error: in fold of tree one", shift_text),
                 crash("mycc build-crash: error: in fold of tree two", shift_again),
                 with(goto_text, "", "")),
           3, "furthest point first");
    is_int(list[1].representative, 2, "  the least alike comes second");

    struct triage_finding x = with(shift_text, "", "");
    is_int(COUNT(x), 1, "one case");
    triage_clusters(NULL, 0, &arena, &list, &(int){0});
}

/* -- many -------------------------------------------------------------------------------------- */

/* A campaign may find two thousand bugs. Each text is read once, and no pair is compared twice. */
static void test_distinct(void)
{
    enum { MANY = 300 };
    static const char *const operators[] = {"+", "-", "*", "/", "&", "|", "<<", ">>", "<", "=="};
    struct triage_finding cases[MANY];
    struct triage_cluster *list;
    int n;
    for (int i = 0; i < MANY; i++) {
        char word[] = {(char)('a' + i % 20), (char)('a' + i / 20), '\0'};
        const char *text = arena_printf(
            &arena,
            "long a;\nint b;\nint main(void)\n{\n    a = b %s 3;\n    b = a %s b %s 7;\n}\n",
            operators[i % 10], operators[i / 10 % 10], operators[i / 100]);
        cases[i] = crash(arena_printf(&arena, "mycc build-crash: error: in %s", word), text);
    }
    struct triage_work work = triage_clusters_at(triage_alike, cases, MANY, &arena, &list, &n);
    is_int(n, MANY, "many bugs");
    is_int(work.read, 3 * MANY, "  program, signature and flags of each are read once");
    ok(work.compared > 0 && work.compared <= MANY * (MANY - 1) / 2,
       "  at most each program with each");
    for (int i = 0; i < MANY; i++)
        cases[i].known = true;
    work = triage_clusters_at(triage_alike, cases, MANY, &arena, &list, &n);
    ok(work.compared <= MANY * (MANY - 1), "  known ones at most twice");
    for (int i = 0; i < MANY; i++)
        cases[i] = with(cases[i].text, "", "");
    work = triage_clusters_at(0, cases, MANY, &arena, &list, &n);
    ok(n == MANY && work.compared <= MANY * (MANY - 1),
       "  and where programs decide, at most twice: to sort, and to rank");
}

/* More than are compared each with each: a rare signature has its place among those that are, and
 * the rest goes where it is nearest. */
static void test_beyond(void)
{
    enum { FREQUENT = 615, RARE = 3, BEYOND = FREQUENT + RARE + 2 };
    struct triage_finding *cases = arena_array(&arena, struct triage_finding, BEYOND);
    struct triage_cluster *list;
    int n;
    for (int i = 0; i < BEYOND; i++) {
        bool rare = i >= FREQUENT && i < FREQUENT + RARE;
        cases[i] = with(rare ? "gamma delta" : "alpha beta", "", "");
        cases[i].language = "of words";
        cases[i].signature = rare ? "mycc -O2 wrong-output" : "mycc -O1 wrong-output";
    }
    cases[FREQUENT + RARE].text = "epsilon zeta";
    triage_clusters(cases, BEYOND, &arena, &list, &n);
    is_int(n, 3, "very many programs of two bugs and a half");
    for (int i = 0; i < n; i++)
        is_int(list[i].n_members,
               list[i].representative < FREQUENT          ? FREQUENT + 1
               : list[i].representative < FREQUENT + RARE ? RARE
                                                          : 1,
               "  all of one");
}

/* One cluster is what it is among all. */
static void test_one(void)
{
    struct triage_finding cases[] = {
        with(shift_text, "", ""),
        with(goto_text, "", ""),
        with(shift_again, "", ""),
        with(NULL, "gvn", ""),
        crash("mycc build-crash: error: in fold", shift_text),
        with(NULL, "", "-fa"),
    };
    enum { N = sizeof cases / sizeof *cases };
    struct triage_cluster *list;
    bool same = true;
    for (int i = 0; i < N; i++)
        cases[i].constructs = cases[i].text ? constructs_in(cases[i].text) : "";
    int n = count(cases, N, &list);
    for (int c = 0; c < n; c++)
        for (int k = 0; k < list[c].n_members; k++) {
            struct triage_cluster one = triage_cluster_of(cases, N, list[c].members[k], &arena);
            same &=
                one.n_members == list[c].n_members && one.known == list[c].known &&
                one.representative == list[c].representative &&
                !strcmp(one.because, list[c].because) &&
                !memcmp(one.members, list[c].members, (size_t)one.n_members * sizeof *one.members);
        }
    ok(same && n > 3, "the cluster of one case alone");
}

/* -- texts of any kind ------------------------------------------------------------------------- */

static void test_any_text(void)
{
    static const char *const texts[] = {
        "",
        "}",
        "((((((((((",
        "int main(void) { return 0; }",
        "int (*f(int (*)(int)))[3] = {[1] = {.a = 3}}; case default: goto",
        "struct { int a : ; } * x -> . y ? : ; for (;;) while do if else switch",
        "#define A(x) x\nint a = 'x' + \"",
        "((int){3}) = sizeof (int[3]) ^ __builtin_clz(3u) , (unsigned char)-5 -- ++",
        "SELECT c0 FROM t0 WHERE c0 > 3; -- a remark",
    };
    struct triage_cluster *list;
    int n = (int)(sizeof texts / sizeof *texts);
    struct triage_finding cases[sizeof texts / sizeof *texts];
    for (int i = 0; i < n; i++)
        cases[i] = with(texts[i], "", "");
    ok(count(cases, n, &list) >= 1, "texts that are no programs");
    char *deep = arena_alloc(&arena, 8001);
    for (const char *p = "([{-*!?"; *p; p++) {
        memset(deep, *p, 8000);
        cases[0].text = deep;
        ok(count(cases, 1, &list) == 1, "8000 times %c", *p);
    }
    static const char *const sql[] = {
        "CREATE TABLE t0(c0); SELECT CASE WHEN c0 THEN 1 ELSE 2 END FROM t0;",
        "CREATE TABLE t1(c3); SELECT CASE WHEN c3 THEN 7 ELSE 9 END FROM t1;",
        "CREATE TABLE t0(c0); SELECT max(c0) OVER (PARTITION BY c0) FROM t0;"};
    for (int i = 0; i < 3; i++) {
        cases[i] = with(sql[i], "", "");
        cases[i].language = "sql";
        cases[i].toolchain = "sqlite";
    }
    is_int(count(cases, 3, &list), 2, "two faults of a database");
    /* What is a comment in one language is code in another: these differ behind the `--` alone. */
    static const char *const kernels[] = {
        "kernel void A(global int *a) { a[1]--; barrier(1); float4 b = vload4(0, (global float "
        "*)a);"
        " if (any(isnan(b))) b = native_sin(b) * b.wzyx; vstore4(b, 1, (global float *)a); }",
        "kernel void A(global int *a) { a[1]--; for (int i = 9; i > 2; i -= 3) switch (a[i] / 5) {"
        " case 2: continue; default: atomic_add(a + i, rotate(a[i], 7) ^ 0xff); } }"};
    for (int i = 0; i < 2; i++) {
        cases[i] = with(kernels[i], "", "");
        cases[i].language = "opencl";
    }
    is_int(count(cases, 2, &list), 2, "two faults of kernels");
    cases[0].language = cases[1].language = "a language of my own";
    triage_clusters_at(0.2, cases, 2, &arena, &list, &n);
    is_int(n, 2, "in an unknown language nothing is a comment");
    cases[0].text = "# assay gen lala:mine -s 1 (lala:mine 1)\nlet a = b -- c # one two three four";
    cases[1].text = "# assay gen lala:mine -s 2 (lala:mine 1)\nlet a = b -- c # five";
    triage_clusters_at(0.2, cases, 2, &arena, &list, &n);
    is_int(n, 1, "  but what the first line shows to be one");
}

/* Two faults of a code generator: a conditional move of 64 bits that is wrong, which three very
 * different programs make, and a wrong multiplication, in a program that looks like the first. */
#define PRINTS "int printf(const char *, ...);\n"
#define MAIN_BEGIN "main:\nsub i,r64\n"
#define MAIN_END "mov r64,r64\nlea m,r64\ncall to\nxor r32,r32\nadd i,r64\nret\n"

static const struct {
    int fault;
    const char *text, *code, *right[2], *right_code[2];
} by_code[] = {
    {0,
     PRINTS "long a, b = 3;\nint main(void)\n{\n    printf(\"%ld\", a ? b : 5);\n}\n",
     MAIN_BEGIN "cmp i,m64\nmov i,r32\ncmovne m,r64\n" MAIN_END,
     {PRINTS "long a, b = 3;\nint main(void)\n{\n    printf(\"%ld\", b);\n}\n",
      PRINTS "int a, b = 3;\nint main(void)\n{\n    printf(\"%ld\", a ? b : 5);\n}\n"},
     {MAIN_BEGIN "mov m,r64\n" MAIN_END, MAIN_BEGIN "cmp i,m32\nmov i,r32\n" MAIN_END}},
    {0,
     PRINTS "unsigned long c = 7;\nvoid f(unsigned long d)\n{\n    if (c > d)\n        c = d;\n}\n"
            "int main(void)\n{\n    f(2);\n    printf(\"%lu\", c);\n}\n",
     "f:\nmov m,r64\ncmp r64,r64\ncmova m,r64\nmov r64,m\nret\n" MAIN_BEGIN "call to\n" MAIN_END,
     {PRINTS "unsigned long c = 7;\nvoid f(unsigned long d)\n{\n    c = d;\n}\n"
             "int main(void)\n{\n    f(2);\n    printf(\"%lu\", c);\n}\n",
      PRINTS "unsigned long c = 7;\nvoid f(unsigned long d)\n{\n    if (c > d) {}\n}\n"
             "int main(void)\n{\n    f(2);\n    printf(\"%lu\", c);\n}\n"},
     {"f:\nmov r64,m\nret\n" MAIN_BEGIN "call to\n" MAIN_END,
      "f:\nret\n" MAIN_BEGIN "call to\n" MAIN_END}},
    {0,
     PRINTS "long g[4] = {4, 1, 3}, h = 9;\nint main(void)\n{\n    for (int i = 0; i < 4; i++)\n"
            "        h = g[i] < h ? g[i] : h;\n    printf(\"%ld\", h);\n}\n",
     MAIN_BEGIN "lea m,r64\nmov m,r64\ncmp r64,r64\ncmovg r64,r64\nadd i,r64\nj to\n" MAIN_END,
     {PRINTS "long g[4] = {4, 1, 3}, h = 9;\nint main(void)\n{\n    for (int i = 0; i < 4; i++)\n"
             "        h = g[i];\n    printf(\"%ld\", h);\n}\n",
      PRINTS "long h = 9;\nint main(void)\n{\n    for (int i = 0; i < 4; i++) {}\n"
             "    printf(\"%ld\", h);\n}\n"},
     {MAIN_BEGIN "lea m,r64\nmov m,r64\nadd i,r64\njne to\n" MAIN_END,
      MAIN_BEGIN "mov m,r64\n" MAIN_END}},
    {1,
     PRINTS "long a = 2, b = 3;\nint main(void)\n{\n    printf(\"%ld\", a ? b * a : 5);\n}\n",
     MAIN_BEGIN "cmp i,m64\nje to\nmov m,r64\nimul m,r64\n" MAIN_END,
     {PRINTS "long a = 2, b = 3;\nint main(void)\n{\n    printf(\"%ld\", a ? b : 5);\n}\n",
      PRINTS "long a = 2, b = 3;\nint main(void)\n{\n    printf(\"%ld\", a ? a : 5);\n}\n"},
     {MAIN_BEGIN "cmp i,m64\nje to\nmov m,r64\n" MAIN_END,
      MAIN_BEGIN "cmp i,m64\nje to\nmov m,r64\n" MAIN_END}},
};
enum { N_BY_CODE = sizeof by_code / sizeof *by_code };

/* Clusters with more than one fault. */
static int mixed(const struct triage_cluster *list, int n)
{
    int found = 0;
    for (int i = 0; i < n; i++) {
        bool other = false;
        for (int k = 1; k < list[i].n_members; k++)
            other |= by_code[list[i].members[k]].fault != by_code[list[i].members[0]].fault;
        found += other;
    }
    return found;
}

static void test_kin(void)
{
    struct triage_finding cases[N_BY_CODE];
    struct triage_cluster *list;
    for (int i = 0; i < N_BY_CODE; i++) {
        struct strbuf kin;
        strbuf_init(&kin, 0);
        add_kin(&kin, false, by_code[i].text, by_code[i].code, "");
        for (int k = 0; k < 2; k++)
            add_kin(&kin, true, by_code[i].right[k], by_code[i].right_code[k], "");
        cases[i] = wrong;
        cases[i].id = i + 1;
        cases[i].text = by_code[i].text;
        cases[i].kin = arena_strdup(&arena, kin.s);
        strbuf_release(&kin);
    }
    int n = count(cases, N_BY_CODE, &list);
    is_int(n, 2, "two faults by what right kin lack");
    is_int(mixed(list, n), 0, "each in a cluster of its own");
    const char *why = list[list[0].n_members == 3 ? 0 : 1].because;
    has_str(why, "right without: code cmov", "what they have in common is told");
    int told[3] = {0}; /* of each kind, the clusters that have it */
    const struct triage_cluster three = list[list[0].n_members == 3 ? 0 : 1];
    for (int i = 0; i < three.n_members; i++)
        cases[three.members[i]].plain = i ? PLAIN_WRONG : PLAIN_RIGHT;
    n = count(cases, N_BY_CODE, &list);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < list[i].n_members; k++)
            told[cases[list[i].members[k]].plain] |= 1 << i;
    ok(!(told[PLAIN_RIGHT] & told[PLAIN_WRONG]), "  -O0 right or wrong tells apart, all the same");
    for (int i = 0; i < N_BY_CODE; i++)
        cases[i].plain = PLAIN_UNKNOWN;
    for (int i = 0; i < N_BY_CODE; i++)
        cases[i].kin = "";
    int blind = count(cases, N_BY_CODE, &list);
    ok(blind != 2 || mixed(list, blind), "which is not to be seen without");
    cases[0].kin = "damaged";
    cases[1].kin = "-no end";
    ok(count(cases, N_BY_CODE, &list) == blind, "kin that cannot be read are none");
}

/* A compiler and its twin, whose code is right: the programs are alike in all three faults, and
 * what is different in the code tells them apart. Some of the right kin have the changed code, too,
 * where it does no harm, and one has the same. */
static const struct {
    int fault;
    const char *right, *wrong;
} by_twin[] = {
    {0, "mov m,r32\nmovslq r32,r64\n", "mov m,r32\nmov r32,r32\n"},
    {0, "mov m,r32\ncltq\n", "mov m,r32\nmov r32,r32\n"},
    {0, "add r32,r32\nmovslq r32,r64\nmov r64,m\n", "add r32,r32\nmov r32,r32\nmov r64,m\n"},
    {1, "cmp $0x7,r32\njbe to\nmov m,r32\n", "cmp $0x7,r32\njb to\nmov m,r32\n"},
    {1, "cmp r32,m\nsetbe r8\n", "cmp r32,m\nsetb r8\n"},
    {1, "mov m,r32\ncmp $0x1,r32\ncmovbe r32,r32\n", "mov m,r32\ncmp $0x1,r32\ncmovb r32,r32\n"},
    {2, "mov m,r32\nmov r16,m\n", "mov m,r32\nmov r8,m\n"},
    {2, "mov r16,m\nadd $0x8,m32\n", "mov r8,m\nadd $0x8,m32\n"},
};
enum { N_BY_TWIN = sizeof by_twin / sizeof *by_twin };

static void make_twins(struct triage_finding *cases, bool twins, int struck)
{
    static const char same[] = PRINTS "int a = 9;\nint main(void)\n{\n    printf(\"%d\", a);\n}\n";
    for (int i = 0; i < N_BY_TWIN; i++) {
        const char *was = by_twin[i].right, *is = by_twin[i].wrong;
        const char *other = twins ? "mov m,r32\n" : "push r64\nmov r64,r64\nmov m,r32\n";
        struct strbuf kin;
        strbuf_init(&kin, 0);
        add_kin(&kin, false, same, is, was);
        for (int k = 0; k < struck; k++)
            add_kin(&kin, true, same, is, was);
        add_kin(&kin, true, same, "mov m,r32\n", other);
        cases[i] = wrong;
        cases[i].id = i + 1;
        cases[i].text = same;
        cases[i].kin = arena_strdup(&arena, kin.s);
        strbuf_release(&kin);
    }
}

static void test_twins(void)
{
    struct triage_finding cases[N_BY_TWIN];
    struct triage_cluster *list;
    int mixed = 0;
    make_twins(cases, true, 1);
    int n = count(cases, N_BY_TWIN, &list);
    is_int(n, 3, "three faults by what the code of a twin has instead");
    for (int i = 0; i < n; i++)
        for (int k = 1; k < list[i].n_members; k++)
            mixed += by_twin[list[i].members[k]].fault != by_twin[list[i].members[0]].fault;
    is_int(mixed, 0, "each in a cluster of its own");
    bool told = false;
    for (int i = 0; i < n; i++)
        told |= strstr(list[i].because, "code mov instead of movslq") != NULL;
    ok(told, "and told");
    make_twins(cases, true, 15);
    is_int(count(cases, N_BY_TWIN, &list), 3,
           "one right kin of sixteen that is not struck is enough");
    make_twins(cases, false, 1);
    n = count(cases, N_BY_TWIN, &list);
    for (int i = 0; i < n; i++)
        ok(!strstr(list[i].because, "instead of"), "compilers that always differ are no twins");
}

/* Twins that make the same instructions with other constants: the fault is ahead of the code, and
 * the source tells. A conversion to _Bool that does not convert, and a number that is taken for
 * negative; each shows once in a byte and once in an int. */
static const struct {
    int fault;
    const char *text, *right, *was, *is;
} by_value[] = {
    {0, "_Bool a;\nint main(void)\n{\n    a = 4;\n    printf(\"%d\", a);\n}\n",
     "char a;\nint main(void)\n{\n    a = 4;\n    printf(\"%d\", a);\n}\n", "mov $0x1,m8\n",
     "mov $0x4,m8\n"},
    {0, "_Bool b;\nint c;\nint main(void)\n{\n    b = c = 9;\n    printf(\"%d\", b);\n}\n",
     "int b;\nint c;\nint main(void)\n{\n    b = c = 9;\n    printf(\"%d\", b);\n}\n",
     "mov $0x1,m32\nmov $0x1,r32\n", "mov $0x9,m32\nmov $0x9,r32\n"},
    {1, "long d;\nint main(void)\n{\n    d = 4294967295U;\n    printf(\"%ld\", d);\n}\n",
     "long d;\nint main(void)\n{\n    d = 1U;\n    printf(\"%ld\", d);\n}\n",
     "mov $0xffffffff,r32\nmov r64,m\n", "mov $0xffffffffffffffff,m64\n"},
    {1, "char e;\nint main(void)\n{\n    e = 1 < 4000000000U;\n    printf(\"%d\", e);\n}\n",
     "char e;\nint main(void)\n{\n    e = 1 < 4U;\n    printf(\"%d\", e);\n}\n", "mov $0x1,m8\n",
     "mov $0x0,m8\n"},
};
enum { N_BY_VALUE = sizeof by_value / sizeof *by_value };

static void test_values(void)
{
    struct triage_finding cases[N_BY_VALUE];
    struct triage_cluster *list;
    int mixed = 0;
    for (int i = 0; i < N_BY_VALUE; i++) {
        struct strbuf kin;
        strbuf_init(&kin, 0);
        add_kin(&kin, false, by_value[i].text, by_value[i].is, by_value[i].was);
        add_kin(&kin, true, by_value[i].right, "test r32,r32\n", "test r32,r32\n");
        cases[i] = wrong;
        cases[i].id = i + 1;
        cases[i].text = by_value[i].text;
        cases[i].kin = arena_strdup(&arena, kin.s);
        strbuf_release(&kin);
    }
    int n = count(cases, N_BY_VALUE, &list);
    is_int(n, 2, "two faults whose values are wrong before there is code");
    for (int i = 0; i < n; i++) {
        for (int k = 1; k < list[i].n_members; k++)
            mixed += by_value[list[i].members[k]].fault != by_value[list[i].members[0]].fault;
        ok(!strstr(list[i].because, "code"), "which says nothing of them: %s", list[i].because);
    }
    is_int(mixed, 0, "each in a cluster of its own");
}

/* A conversion that is not made is ahead of all code, and shows in other code each time; a jump
 * that is wrong shows in one. Of the right kin of a conversion, some have one that makes no
 * difference.
 */
static const struct {
    int fault;
    const char *was, *is;
} by_luck[] = {
    {0, "neg r32\n", "not r32\n"},
    {0, "neg r32\nmov r32,m\n", "not r32\nmov r32,m\n"},
    {0, "shl r32\n", "shr r32\n"},
    {0, "mov m,r32\nshl r32\n", "mov m,r32\nshr r32\n"},
    {0, "imul r32,r32\n", "add r32,r32\n"},
    {0, "sete r8\n", "or r32,r32\n"},
    {1, "cmp r32,m\njbe to\n", "cmp r32,m\njb to\n"},
    {1, "mov m,r32\njbe to\n", "mov m,r32\njb to\n"},
};
enum { N_BY_LUCK = sizeof by_luck / sizeof *by_luck };

/* `lucky` right kin have the construct and wrong code, `unhurt` ones have it and the same code. */
static int count_by_luck(int lucky, int unhurt, struct triage_cluster **list)
{
    static const char plain[] = PRINTS "int a = 9;\nint main(void)\n{\n    printf(\"%d\", a);\n}\n";
    static const char cast[] =
        PRINTS "int a = 9;\nint main(void)\n{\n    printf(\"%d\", (char)a);\n}\n";
    static const char same[] = "mov m,r32\n";
    static struct triage_finding cases[N_BY_LUCK];
    for (int i = 0; i < N_BY_LUCK; i++) {
        const char *text = by_luck[i].fault ? plain : cast;
        struct strbuf kin;
        strbuf_init(&kin, 0);
        add_kin(&kin, false, text, by_luck[i].is, by_luck[i].was);
        add_kin(&kin, true, plain, same, same);
        for (int k = 0; k < lucky; k++)
            add_kin(&kin, true, text, "test r32,r32\n", "test m,m\n");
        for (int k = 0; k < unhurt; k++)
            add_kin(&kin, true, text, same, same);
        cases[i] = wrong;
        cases[i].id = i + 1;
        cases[i].text = plain;
        cases[i].kin = arena_strdup(&arena, kin.s);
        strbuf_release(&kin);
    }
    return count(cases, N_BY_LUCK, list);
}

static void test_luck(void)
{
    struct triage_cluster *list;
    is_int(count_by_luck(3, 0, &list), 2, "a source that is struck may come out right by luck");
    has_str(list[list[0].n_members == 6 ? 0 : 1].because, "right without: ", "  and tells");
    ok(!strstr(list[list[0].n_members == 6 ? 0 : 1].because, "code"), "  more than its code");
    is_int(count_by_luck(0, 1, &list), 2, "cases that are scattered by their code");
    is_int(list[0].n_members + list[1].n_members, N_BY_LUCK, "  have a construct in common");
    ok(list[0].n_members == 6 || list[1].n_members == 6, "  that others lack");
}

/* Four cases whose code has something in common that their right kin lack: where twins differ is
 * what tells. A wrong width of `and` is one of `or`. */
static void test_common_code(void)
{
    static const struct {
        const char *was, *is;
    } codes[] = {
        {"sub $0x1,m32\nand r64,r64\n", "sub $0x1,m32\nand r32,r32\n"},
        {"sub $0x1,m32\nor r64,r64\nmov r64,m\n", "sub $0x1,m32\nor r32,r32\nmov r64,m\n"},
        {"sub $0x1,m32\njle to\n", "sub $0x1,m32\njl to\n"},
        {"mov m,r32\nsub $0x1,m32\njle to\n", "mov m,r32\nsub $0x1,m32\njl to\n"},
    };
    static const char text[] = PRINTS "int a = 9;\nint main(void)\n{\n    printf(\"%d\", a);\n}\n";
    struct triage_finding cases[4];
    struct triage_cluster *list;
    for (int i = 0; i < 4; i++) {
        struct strbuf kin;
        strbuf_init(&kin, 0);
        add_kin(&kin, false, text, codes[i].is, codes[i].was);
        add_kin(&kin, true, text, "test r32,r32\n", "test r32,r32\n");
        cases[i] = wrong;
        cases[i].id = i + 1;
        cases[i].text = text;
        cases[i].kin = arena_strdup(&arena, kin.s);
        strbuf_release(&kin);
    }
    int n = count(cases, 4, &list);
    bool told = false;
    is_int(n, 2, "what twins make otherwise tells, not what they make");
    for (int i = 0; i < n; i++)
        told |= strstr(list[i].because, "bitwise r32,r32 instead of bitwise r64,r64") != NULL;
    ok(told, "  in one family of instructions");
}

/* What a source does where nothing is wrong with its code. */
static bool tells(const char *feature, const char *const *texts, int n)
{
    struct triage_finding cases[8];
    struct triage_cluster *list;
    for (int i = 0; i < n; i++) {
        struct strbuf kin;
        strbuf_init(&kin, 0);
        for (int right = 0; right < 2; right++)
            add_kin(&kin, right, texts[2 * i + right], "ret\n", "ret\n");
        cases[i] = wrong;
        cases[i].id = i + 1;
        cases[i].text = texts[2 * i];
        cases[i].kin = arena_strdup(&arena, kin.s);
        strbuf_release(&kin);
    }
    return count(cases, n, &list) == 1 &&
           !strcmp(list[0].because, arena_printf(&arena, "right without: %s", feature));
}

static void test_sources(void)
{
    static const char *const values[] = {
        "int a, b;\nint main(void)\n{\n    b = ++a;\n}\n",
        "int a, b;\nint main(void)\n{\n    ++a;\n    b = a;\n}\n",
        "int a;\nint main(void)\n{\n    do {} while (++a);\n}\n",
        "int a;\nint main(void)\n{\n    for (; a; ++a) {}\n    do {} while (a);\n}\n",
        "int a, b[3];\nint main(void)\n{\n    return b[a--];\n}\n",
        "int a, b[3];\nint main(void)\n{\n    a--;\n    return b[a];\n}\n"};
    static const char *const lists[] = {"short a[2][8] = {{0}, {1}};\n", "short a[2][8] = {{1}};\n",
                                        "struct s { int c[2], d[2]; } a = {{1}, {[1] = 2}};\n",
                                        "struct s { int c[2], d[2]; } a = {{1}};\n"};
    ok(tells("increment as a value", values, 3), "an increment whose value is used");
    ok(tells("list of several lists", lists, 2), "lists in a list");
}

/* Two faults of floating numbers: one of those that have many digits, one of those with a suffix.
 */
static void test_digits(void)
{
    static const struct {
        const char *wrong, *right;
    } numbers[] = {{"0.62515", "0.5"}, {"31.24475", "1.5"}, {"1.5F", "1.5"}, {"0.25F", "0.25"}};
    struct triage_finding cases[4];
    struct triage_cluster *list;
    for (int i = 0; i < 4; i++) {
        struct strbuf kin;
        strbuf_init(&kin, 0);
        cases[i] = wrong;
        cases[i].id = i + 1;
        for (int right = 0; right < 2; right++) {
            const char *number = right ? numbers[i].right : numbers[i].wrong;
            const char *text = arena_printf(
                &arena, PRINTS "double a = %s;\nint main(void)\n{\n    printf(\"%%f\", a);\n}\n",
                number);
            add_kin(&kin, right, text, "movsd m,x\n", "movsd m,x\n");
            cases[i].text = text;
        }
        cases[i].kin = arena_strdup(&arena, kin.s);
        strbuf_release(&kin);
    }
    int n = count(cases, 4, &list);
    bool told = false;
    is_int(n, 2, "two faults of floating numbers");
    for (int i = 0; i < n; i++)
        told |= strstr(list[i].because, "digits or more") != NULL;
    ok(told, "  one by how many digits they have");
}

/* More than are compared each with each. */
static void test_many(const struct suite *s)
{
    enum { MANY = 1500 };
    struct triage_finding *cases = arena_array(&arena, struct triage_finding, MANY);
    for (int i = 0; i < MANY; i++) {
        cases[i] = s->cases.at[(size_t)i % s->cases.n];
        cases[i].id = i;
    }
    struct triage_cluster *list;
    int n = count(cases, MANY, &list);
    ok(abs(n - s->faults) <= 1, "%d cases of %d faults are %d clusters", MANY, s->faults, n);
    int members = 0;
    for (int i = 0; i < n; i++)
        members += list[i].n_members;
    is_int(members, MANY, "  with every case in one");
    cases[0].toolchain = "another";
    is_int(count(cases, MANY, &list), n + 1, "  and the same behind one of another compiler");
}

int main(int argc, char **argv)
{
    const char *root = argc > 1 ? argv[1] : "tests/triage";
    arena_init(&arena);
    struct suite suites[3] = {0};
    add_folder(&suites[0], root, "cases");
    add_folder(&suites[1], root, "others");
    add_folder(&suites[2], root, "cases");
    add_folder(&suites[2], root, "others");
    if (argc > 2 && !strcmp(argv[2], "print")) {
        printf("%s", describe(&suites[2]));
    } else if (argc > 2) {
        for (int i = 0; i < 3; i++)
            print_table(&suites[i]);
    } else {
        test_suite(&suites[0], "twelve faults");
        test_suite(&suites[1], "twelve others");
        test_suite(&suites[2], "all");
        test_description(&suites[2], root);
        test_evidence();
        test_waiting();
        test_order();
        test_distinct();
        test_beyond();
        test_one();
        test_any_text();
        test_kin();
        test_twins();
        test_values();
        test_luck();
        test_common_code();
        test_sources();
        test_digits();
        test_many(&suites[0]);
    }
    for (int i = 0; i < 3; i++) {
        vec_release(&suites[i].cases);
        vec_release(&suites[i].fault);
    }
    arena_release(&arena);
    return argc > 2 ? 0 : tap_done();
}
