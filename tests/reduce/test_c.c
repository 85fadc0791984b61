/* The C reducer on programs of smith and yarp, with a test of interest that says yes or no by a
 * hash of the text: every pass is exercised on every kind of node, and what is kept must be what
 * interp said it is. */
#include "base/error.h"
#include "cc/import/import.h"
#include "gen/gen.h"
#include "interp/interp.h"
#include "reduce/c.h"
#include "tap.h"

#include <ctype.h>
#include <string.h>

struct whim { /* begins and answers at once */
    int slots;
    unsigned one_in; /* so many are interesting */
    bool pending[8], answer[8];
    const char *needle; /* where set: the text must have it, instead of a whim */
    bool import;        /* read every text that was kept, and run it */
    int kept, disagreed;
    int stray; /* candidates with labels of no switch */
    size_t last;
    char why[300];
};

static bool is_interesting(const struct whim *w, const struct reduce_case *c)
{
    if (w->needle) {
        for (int i = 0; i < c->program.n_files; i++)
            if (strstr(c->program.files[i].text, w->needle))
                return true;
        return false;
    }
    char hash[PROGRAM_HASH_SIZE];
    reduce_hash(c, hash);
    return (unsigned char)hash[3] % w->one_in == 0;
}

static bool is_word(const char *at, const char *word)
{
    size_t n = strlen(word);
    return !strncmp(at, word, n) && !isalnum((unsigned char)at[n]) && at[n] != '_';
}

/* Is there a `case` or `default` outside of the braces of any switch? */
static bool has_stray_label(const char *text)
{
    enum { DEEPEST = 200 };
    bool of_switch[DEEPEST] = {false}, next = false;
    int depth = 0;
    for (const char *p = text; *p; p++) {
        bool begins = p == text || !(isalnum((unsigned char)p[-1]) || p[-1] == '_');
        if (begins && is_word(p, "switch")) {
            next = true;
        } else if (*p == '{' && depth < DEEPEST - 1) {
            of_switch[depth + 1] = of_switch[depth] || next;
            depth++;
            next = false;
        } else if (*p == '}' && depth) {
            depth--;
        } else if (begins && !of_switch[depth] && (is_word(p, "case") || is_word(p, "default"))) {
            return true;
        }
    }
    return false;
}

static int begin(void *of, int slot, const struct reduce_case *c, struct error *e)
{
    struct whim *w = of;
    (void)e;
    for (int i = 0; i < c->program.n_files; i++)
        w->stray += has_stray_label(c->program.files[i].text);
    w->pending[slot] = true;
    w->answer[slot] = w->last == 0 || is_interesting(w, c);
    w->last++;
    return 0;
}

static int end(void *of, int *slot, enum reduce_answer *answer, struct error *e)
{
    struct whim *w = of;
    (void)e;
    for (int i = w->slots - 1; i >= 0; i--) /* the last begun answers first */
        if (w->pending[i]) {
            w->pending[i] = false;
            *slot = i;
            *answer = w->answer[i] ? REDUCE_INTERESTING : REDUCE_BORING;
            return 0;
        }
    return -1;
}

static void drop(void *of, int slot)
{
    ((struct whim *)of)->pending[slot] = false;
}

/* The text must say what the tree does: read again, it prints what interp said of the tree. */
static void better(void *of, const struct reduce_case *c, const char *pass)
{
    struct whim *w = of;
    w->kept++;
    if (!w->import || c->program.n_files != 1 || w->kept % 3)
        return;
    struct arena a;
    struct error e = {0};
    struct reduce_c again;
    arena_init(&a);
    if (reduce_c_import(&c->program, &a, &again, &e) != 0) {
        w->disagreed++;
        snprintf(w->why, sizeof w->why, "after %s: %s", pass, e.message);
    } else {
        cc_program_release(again.program);
    }
    arena_release(&a);
}

static struct generator *open_generator(const char *name, const char *const *settings, int n)
{
    struct gen_context context = {.settings = settings, .n_settings = n};
    struct generator *g = NULL;
    struct error e = {0};
    if (gen_open(name, &context, &g, &e))
        BUG("%s", e.message);
    return g;
}

static int reduce_seed(struct generator *g, uint64_t seed, struct whim *w, struct strbuf *text)
{
    struct arena a;
    struct error e = {0};
    struct reduce_case c = {.flags = "-O2"};
    struct reduce_c how = {.run = true, .strict = true};
    struct choice choice;
    arena_init(&a);
    choice_init_random(&choice, seed);
    if (gen_next(g, &choice, &a, &c.program, &e))
        BUG("%s", e.message);
    choice_release(&choice);
    choice_init_random(&choice, seed);
    how.program = g->class->cc(g, &choice, &a, &how.print, &e);
    choice_release(&choice);
    struct reduce_test test = {
        .of = w, .slots = w->slots, .begin = begin, .end = end, .drop = drop, .better = better};
    struct reduction r;
    reduction_init(&r, &test, &c);
    int kept = reduce_c(&r, &how, &e);
    strbuf_clear(text);
    for (int i = 0; i < r.best.program.n_files; i++)
        strbuf_addf(text, "%s\n", r.best.program.files[i].text);
    strbuf_add(text, r.best.program.expected.data, r.best.program.expected.size);
    reduction_release(&r);
    cc_program_release(how.program);
    arena_release(&a);
    return kept;
}

static void test_whims(const char *name, const char *const *settings, int n, int seeds)
{
    struct generator *g = open_generator(name, settings, n);
    struct strbuf one, three;
    strbuf_init(&one, 0);
    strbuf_init(&three, 0);
    int failed = 0, differ = 0, disagreed = 0, kept = 0, stray = 0;
    struct error e = {0};
    bool reads = parsed_available(&e) == 0;
    for (int seed = 1; seed <= seeds; seed++) {
        struct whim w = {.slots = 1, .one_in = 3, .import = reads}, v = {.slots = 3, .one_in = 3};
        failed += reduce_seed(g, (uint64_t)seed, &w, &one) < 0;
        failed += reduce_seed(g, (uint64_t)seed, &v, &three) < 0;
        differ += strcmp(one.s, three.s) != 0;
        disagreed += w.disagreed;
        kept += w.kept;
        stray += w.stray + v.stray;
        if (w.disagreed)
            tap_note("the last one", w.why);
    }
    is_int(failed, 0, "%s: no reduction fails", name);
    is_int(differ, 0, "%s: one slot or three, the same result", name);
    is_int(disagreed, 0, "%s: what is printed is what interp ran", name);
    is_int(stray, 0, "%s: no label of a switch stands without it", name);
    ok(kept > seeds * 10, "%s: %d steps were kept", name, kept);
    strbuf_release(&one);
    strbuf_release(&three);
    gen_close(g);
}

/* A construct alone is left of the whole program. */
static void test_needle(const char *name, uint64_t seed, const char *needle, size_t most)
{
    struct generator *g = open_generator(name, NULL, 0);
    struct strbuf text;
    strbuf_init(&text, 0);
    struct whim w = {.slots = 2, .needle = needle};
    reduce_seed(g, seed, &w, &text);
    ok(strstr(text.s, needle) && text.n <= most, "%s: `%s` in %zu bytes, at most %zu", name, needle,
       text.n, most);
    if (text.n > most)
        tap_note("left", text.s);
    strbuf_release(&text);
    gen_close(g);
}

/* A switch in a switch: where one of them goes, its labels go with it, and no others. */
static void test_switches(const char *needle, int switches)
{
    static const char text[] = "int printf(const char *, ...);\n"
                               "int a = 1, b;\n"
                               "int main(void)\n{\n"
                               "    switch (a) {\n"
                               "    case 1:\n"
                               "        switch (b) {\n"
                               "        case 0: a = 2; break;\n"
                               "        case 7: b = 3;\n"
                               "        }\n"
                               "        break;\n"
                               "    default: a = 5;\n"
                               "    }\n"
                               "    printf(\"%d\", a);\n"
                               "    return 0;\n}\n";
    struct program_file file = {"t.c", text, sizeof text - 1};
    struct reduce_case c = {
        .flags = "", .program = {.language = "c", .files = &file, .n_files = 1, .needs = ""}};
    struct whim w = {.slots = 1, .needle = needle};
    struct reduce_test test = {
        .of = &w, .slots = 1, .begin = begin, .end = end, .drop = drop, .better = better};
    struct arena a;
    struct error e = {0};
    struct reduce_c how;
    struct reduction r;
    arena_init(&a);
    if (parsed_available(&e) || reduce_c_import(&c.program, &a, &how, &e)) {
        tap_skip("a switch in a switch", e.message);
        arena_release(&a);
        return;
    }
    reduction_init(&r, &test, &c);
    reduce_c(&r, &how, &e);
    const char *left = r.best.program.files[0].text;
    int n = 0;
    for (const char *at = left; (at = strstr(at, "switch")) != NULL; at++)
        n++;
    is_int(w.stray, 0, "`%s` of two switches: no label stands without its switch", needle);
    ok(strstr(left, needle) && n == switches, "  %d of them are left", switches);
    if (n != switches)
        tap_note("left", left);
    reduction_release(&r);
    cc_program_release(how.program);
    arena_release(&a);
}

/* Which texts become trees: not those whose output depends on where objects lie. */
static void test_layout(const char *condition, bool imported)
{
    struct arena a;
    struct error e = {0};
    struct reduce_c how;
    arena_init(&a);
    if (parsed_available(&e)) {
        tap_skip("the layout of memory", e.message);
        arena_release(&a);
        return;
    }
    const char *text = arena_printf(&a,
                                    "int printf(const char *, ...);\n"
                                    "int x, y;\n"
                                    "int main(void) { printf(\"%%d\", %s); return 0; }\n",
                                    condition);
    struct program_file file = {"t.c", text, strlen(text)};
    struct program p = {.language = "c", .files = &file, .n_files = 1, .needs = ""};
    struct bytes expected = {0};
    is_int(reduce_c_import(&p, &a, &how, &e), !imported, "`%s`: %s", condition,
           imported ? "a tree" : e.message);
    ok(imported || strstr(e.message, "layout of memory"), "  and why not");
    is_int(reduce_c_expect(&p, &a, &expected), !imported, "  with%s output that is known",
           imported ? "" : "out");
    if (imported)
        cc_program_release(how.program);
    arena_release(&a);
}

/* Arguments that every compiler gets: those that the text cannot be read without, and those that
 * make it another program. */
static void test_needs(const char *needs, const char *prints)
{
    static const char text[] = "int printf(const char *, ...);\n"
                               "int main(void) { printf(\"%d\", N); return 0; }\n";
    struct program_file file = {"t.c", text, sizeof text - 1};
    struct program p = {.language = "c", .files = &file, .n_files = 1, .needs = needs};
    struct arena a;
    struct error e = {0};
    struct reduce_c how;
    struct bytes expected = {0};
    arena_init(&a);
    if (parsed_available(&e)) {
        tap_skip(needs, e.message);
        arena_release(&a);
        return;
    }
    int status = reduce_c_import(&p, &a, &how, &e);
    is_int(status, !prints, "with `%s`: %s", needs, prints ? "a tree" : e.message);
    is_int(reduce_c_expect(&p, &a, &expected), !prints, "  with%s output that is known",
           prints ? "" : "out");
    if (prints)
        is_str(expected.data ? expected.data : "", prints, "  %s", prints);
    if (!status)
        cc_program_release(how.program);
    arena_release(&a);
}

/* Texts that are trees which can be built again. */
static void test_text(const char *what, const char *text, const char *needle)
{
    struct program_file file = {"t.c", text, strlen(text)};
    struct reduce_case c = {.program = {.language = "c", .files = &file, .n_files = 1, .needs = ""},
                            .flags = ""};
    struct whim w = {.slots = 1, .needle = needle};
    struct reduce_test test = {
        .of = &w, .slots = 1, .begin = begin, .end = end, .drop = drop, .better = better};
    struct arena a;
    struct error e = {0};
    struct reduce_c how;
    struct reduction r;
    arena_init(&a);
    if (parsed_available(&e)) {
        tap_skip(what, e.message);
    } else if (ok(!reduce_c_import(&c.program, &a, &how, &e), "%s: %s", what, e.message)) {
        reduction_init(&r, &test, &c);
        ok(reduce_c(&r, &how, &e) > 0, "  are reduced");
        ok(r.best.program.files[0].size < strlen(text) / 2, "  to %zu bytes",
           r.best.program.files[0].size);
        reduction_release(&r);
        cc_program_release(how.program);
    }
    arena_release(&a);
}

static void test_texts(void)
{
    test_text("pointers to other types",
              "static const int **a; static int **b, c; static volatile int *p;\n"
              "int f(int **q) { return q == 0; }\n"
              "int g(void) { return a == b; }\n"
              "int main(void) { a = b; p = &c; c = f(a) + g(); return c - 2; }\n",
              "==");
    test_text(
        "what is not supported, and not reached",
        "static _Complex double f(_Complex double z) { return z * 2; }\n"
        "static int g(int x) { if (x) { _Complex int y = x; return f(y) + 3; } return 3; }\n"
        "int main(void) { int a = g(0) * 7; return a > 100 ? (int)(f(a) + 1.0i) : a - 21; }\n",
        "* 7");
}

int main(void)
{
    static const char *const single[] = {"single-file", "size=2500"}, *const size[] = {"size=800"};
    bool full = tap_amount(false, true);
    test_whims("smith", size, full ? 0 : 1, tap_amount(2, 12));
    test_whims("yarp", single, full ? 1 : 2, tap_amount(1, 4));
    test_whims("yarp", single + 1, full ? 0 : 1, tap_amount(1, 2));
    test_needle("smith", 3, ">>", 300);
    test_needle("smith", 4, "}, {",
                150); /* a row of zeros is left out where it need not be there */
    test_layout("(long)(&x + 1) == (long)&y", false);
    test_layout("(long)&x == (long)&y", true);
    test_texts();
    test_needs("-DN=3 -lm", "3");
    test_needs("-w -D N=4 -UM -isystem /usr/include", "4");
    test_needs("-D 'N=5", NULL);
    test_needs("-m32 -DN=6", NULL);
    test_needs("-DN=7 -include stdio.h", NULL);
    test_switches("a = 2", 0);
    test_switches("case 7", 1);
    if (full) {
        test_needle("smith", 4, "for (", 300);
        test_needle("smith", 5, "struct ", 300);
    }
    return tap_done();
}
