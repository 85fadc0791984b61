/* Variants equivalent modulo inputs, of texts.
 *
 * Of small texts all variants of one change are made, by going through every choice; of some with
 * all that must be left alone, thousands of random ones. Each is parsed, imported and run again: it
 * ends as the text itself does, and prints the same. */
#include "gen/spe/emi.h"

#include "interp/interp.h"
#include "tap.h"

#include <stdlib.h>

/* -- running ---------------------------------------------------------------------------------- */

struct ran {
    struct arena arena;
    struct parsed parsed;
    struct cc_program program;
    struct import import;
    struct strbuf printed;
    struct interp_end end;
    const char *wrong; /* NULL: it is a program without undefined behaviour */
};

static void run(struct ran *r, const char *text)
{
    struct error e = {0};
    const struct parse_options none = {0};
    const struct interp_options o = {.max_steps = 1000000, .real = true};
    *r = (struct ran){0};
    arena_init(&r->arena);
    strbuf_init(&r->printed, 0);
    cc_program_init(&r->program, &r->arena, &cc_lp64);
    if (parsed_load_text("t.c", text, strlen(text), &none, &r->arena, &r->parsed, &e) ||
        cc_import(&r->parsed, "t.c", &r->program, &r->import, &e)) {
        printf("# %s:%d: %s\n", e.file, e.line, e.message);
        r->wrong = "no program";
        return;
    }
    struct interp *in = interp_new(&r->program, &o);
    if (interp_main(in) != CC_UB_NONE) {
        struct strbuf why;
        strbuf_init(&why, 0);
        interp_explain(in, &why);
        printf("# %s\n", why.s);
        strbuf_release(&why);
        r->wrong = "undefined behaviour";
    } else {
        r->end = *interp_ended(in);
        strbuf_add(&r->printed, interp_printed(in)->s, interp_printed(in)->n);
    }
    interp_free(in);
}

static void forget(struct ran *r)
{
    strbuf_release(&r->printed);
    cc_program_release(&r->program);
    arena_release(&r->arena);
}

static const char *compare(const struct ran *before, const char *text)
{
    struct ran r;
    run(&r, text);
    const char *wrong = r.wrong;
    if (!wrong && (r.end.how != before->end.how || r.end.status != before->end.status))
        wrong = "it ends differently";
    if (!wrong && strcmp(r.printed.s, before->printed.s) != 0)
        wrong = "it prints something else";
    forget(&r);
    return wrong;
}

/* -- all variants ----------------------------------------------------------------------------- */

typedef VEC(char *) texts;

static bool known(const texts *t, const char *text)
{
    for (size_t i = 0; i < t->n; i++)
        if (!strcmp(t->at[i], text))
            return true;
    return false;
}

static void forget_texts(texts *t)
{
    for (size_t i = 0; i < t->n; i++)
        free(t->at[i]);
    vec_release(t);
}

/* The text is between two others that are always there: `x` is 0, and f is called once. */
static const char head[] = "int printf(const char *, ...);\nvoid abort(void);\n"
                           "int x, y, z;\nint f(int a)\n{\n";
static const char tail[] = "\n}\nint main(void) { f(0); printf(\"%d %d %d\\n\", x, y, z); "
                           "return 0; }\n";

static void whole(const char *body, char *out, size_t size)
{
    snprintf(out, size, "%s%s%s", head, body, tail);
}

/* Of the body of f. */
static texts all_variants(const char *body, int changes)
{
    char text[4096];
    struct ran r;
    texts out = {0};
    struct choice c;
    const char *wrong = NULL;
    whole(body, text, sizeof text);
    run(&r, text);
    wrong = r.wrong;
    choice_init_exhaustive(&c);
    do {
        struct strbuf b;
        strbuf_init(&b, 0);
        if (!wrong && emi_text(&r.parsed, &r.import, &c, changes, &b, NULL))
            wrong = "it cannot be changed";
        size_t around = strlen(head) + strlen(tail);
        if (!wrong && (strncmp(b.s, head, strlen(head)) != 0 || b.n < around ||
                       strcmp(b.s + b.n - strlen(tail), tail) != 0))
            wrong = "other functions are changed";
        if (!wrong) {
            char *part = strndup(b.s + strlen(head), b.n - around);
            bool before = known(&out, part);
            if (!before)
                wrong = compare(&r, b.s);
            if (wrong)
                tap_note(wrong, part);
            if (before)
                free(part);
            else
                vec_push(&out, part);
        }
        strbuf_release(&b);
    } while (!wrong && choice_next_sequence(&c));
    const char *line = body + (*body == '\n');
    ok(!wrong, "%d variants of: %.*s", (int)out.n, (int)strcspn(line, "\n"), line);
    choice_release(&c);
    forget(&r);
    return out;
}

/* Those of one change, in any order, and no others; the text itself comes first. */
static void variants_are(const char *body, const char *const *wanted)
{
    texts got = all_variants(body, 1);
    size_t n = 0;
    for (; wanted[n]; n++)
        if (!known(&got, wanted[n]))
            ok(false, "missing: %s", wanted[n]);
    for (size_t i = 0; got.n != n + 1 && i < got.n; i++)
        printf("# %s\n", got.at[i]);
    is_int(got.n, n + 1, "  as many as there should be");
    is_str(got.n ? got.at[0] : NULL, body, "  the simplest choice leaves it as it is");
    forget_texts(&got);
}

#define TEXTS(...)                                                                                 \
    (const char *const[])                                                                          \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }
#define NO_TEXTS                                                                                   \
    (const char *const[])                                                                          \
    {                                                                                              \
        NULL                                                                                       \
    }

static void test_each_kind(void)
{
    variants_are("if (a) y = 1; return 2;",
                 TEXTS("if (a) ; return 2;")); /* a branch, not a statement of the block */
    variants_are("if (a) { y = 1; } return 2;",
                 TEXTS("if (a) ; return 2;", "if (a) { ; } return 2;",
                       "if (a) { { y = 1; } y = 1; } return 2;"));
    variants_are("if (a) { y = 1; z++; } return 2;",
                 TEXTS("if (a) ; return 2;", "if (a) { ; z++; } return 2;",
                       "if (a) { y = 1; ; } return 2;", "if (a) { z++; y = 1; } return 2;",
                       "if (a) { { y = 1; } y = 1; z++; } return 2;",
                       "if (a) { { z++; } y = 1; z++; } return 2;",
                       "if (a) { y = 1; { y = 1; } z++; } return 2;",
                       "if (a) { y = 1; { z++; } z++; } return 2;"));
    variants_are("y = 5; return 2; z = 1 ;", /* the last statement of a function is no return */
                 TEXTS("y = 5; return 2; ;", "y = 5; return 2; { y = 5; } z = 1 ;",
                       "y = 5; return 2; { return 2; } z = 1 ;",
                       "y = 5; return 2; { z = 1 ; } z = 1 ;"));
    variants_are("if (!a) return 1; else y = 2; return 2;",
                 TEXTS("if (!a) return 1; else ; return 2;",
                       "if (!a) return 1; else y = 2; { if (!a) return 1; else y = 2; } return 2;",
                       "if (!a) return 1; else y = 2; { return 2; } return 2;"));
    variants_are("while (a) /* never */ { y--; }\n// why\nreturn 2;",
                 TEXTS("while (a) /* never */ { ; }\n// why\nreturn 2;",
                       "while (a) /* never */ { { y--; } y--; }\n// why\nreturn 2;"));
    texts t = all_variants("if (a) { y = 1; z = 2; { int t = 3; y = t; } } return 2;", 2);
    ok(t.n > 90, "two changes: %d variants", (int)t.n);
    ok(known(&t, "if (a) { ; ; { int t = 3; y = t; } } return 2;"), "  two are gone");
    forget_texts(&t);
}

/* What never ran, and nothing may be done to it but where it is said. */
static void test_left_alone(void)
{
    /* its declaration */
    variants_are("return 2; int b = 3; y = b;",
                 TEXTS("return 2; int b = 3; ;", "return 2; int b = 3; { y = b; } y = b;",
                       "return 2; int b = 3; { return 2; } y = b;"));
    variants_are("return 2; y = 1; int b = 3; y = b;", /* y = b may not go before it */
                 TEXTS("return 2; ; int b = 3; y = b;", "return 2; y = 1; int b = 3; ;",
                       "return 2; { return 2; } y = 1; int b = 3; y = b;",
                       "return 2; { y = 1; } y = 1; int b = 3; y = b;",
                       "return 2; y = 1; int b = 3; { return 2; } y = b;",
                       "return 2; y = 1; int b = 3; { y = 1; } y = b;",
                       "return 2; y = 1; int b = 3; { y = b; } y = b;"));
    /* another y */
    variants_are("return 2; y = 1; char *y; z = 3;",
                 TEXTS("return 2; ; char *y; z = 3;", "return 2; y = 1; char *y; ;",
                       "return 2; { return 2; } y = 1; char *y; z = 3;",
                       "return 2; { y = 1; } y = 1; char *y; z = 3;",
                       "return 2; { z = 3; } y = 1; char *y; z = 3;",
                       "return 2; y = 1; char *y; { return 2; } z = 3;",
                       "return 2; y = 1; char *y; { z = 3; } z = 3;"));
    /* labels: the statement behind one may be pruned, what has one stays */
    variants_are("goto on; while (a) { l: y = 1; goto l; } on: return 2;",
                 TEXTS("goto on; while (a) { l: ; goto l; } on: return 2;",
                       "goto on; while (a) { l: y = 1; ; } on: return 2;",
                       "goto on; while (a) { l: y = 1; { goto l; } goto l; } on: return 2;"));
    /* a jump into it: what ran is in something that did not */
    variants_are("goto in; if (a) { in: y = 1; } return 2;", NO_TEXTS);
    /* cases */
    variants_are(
        "switch (a) { case 1: y = 1; break; default: z = 1; } return 2;",
        TEXTS("switch (a) { case 1: ; break; default: z = 1; } return 2;",
              "switch (a) { case 1: y = 1; ; default: z = 1; } return 2;",
              "switch (a) { case 1: y = 1; { break; } break; default: z = 1; } return 2;"));
    texts t = all_variants("switch (a) { case 1: y = 1; { z = 1; case 2: z = 2; } } return 2;", 1);
    for (size_t i = 0; i < t.n; i++)
        ok(strstr(t.at[i], "case 2: "), "  a case of a switch around it: %s", t.at[i]);
    forget_texts(&t);
    /* copies: no static variables */
    variants_are("if (a) { { static int s; y = s; } } return 2;",
                 TEXTS("if (a) ; return 2;", "if (a) { ; } return 2;",
                       "if (a) { { static int s; ; } } return 2;",
                       "if (a) { { static int s; { y = s; } y = s; } } return 2;"));
    /* parentheses and words that are not in the node */
    variants_are("return 2; (y = 1);", NO_TEXTS);
    variants_are("return 2; __extension__ ({ y = 1; });", NO_TEXTS);
    variants_are("y = ({ int t = 1; if (a) t = 2; t; }); return 2;", NO_TEXTS);
    /* the last return of a function that ends otherwise */
    variants_are("for (;;) if (!a) return 1; return 2;",
                 TEXTS("for (;;) if (!a) return 1; { for (;;) if (!a) return 1; } return 2;",
                       "for (;;) if (!a) return 1; { return 2; } return 2;"));
    /* directives */
    variants_are("if (a) {\n#define K 1\ny = K;\n#undef K\n z = 1; } return 2;", NO_TEXTS);
    variants_are("if (a) { y = 1;\n#define K 1\nz = 1; y = 2; } return 2;",
                 TEXTS("if (a) { ;\n#define K 1\nz = 1; y = 2; } return 2;",
                       "if (a) { y = 1;\n#define K 1\nz = 1; ; } return 2;",
                       "if (a) { { y = 1; } y = 1;\n#define K 1\nz = 1; y = 2; } return 2;",
                       "if (a) { y = 1;\n#define K 1\nz = 1; { y = 2; } y = 2; } return 2;"));
    variants_are("if (a)\n#pragma GCC unroll 2\nfor (;;) y++; return 2;",
                 TEXTS("if (a)\n#pragma GCC unroll 2\nfor (;;) ; return 2;"));
    variants_are("if (a) y = __LINE__; return 2;", NO_TEXTS);
}

static void test_macros(void)
{
#define BEFORE "\n#define TWO y = 1; z = 1\ny = 0;\nif (a) TWO;\n"
    variants_are(BEFORE "if (a) { y = 3; }\nreturn 2;",
                 TEXTS(BEFORE "if (a) ;\nreturn 2;", BEFORE "if (a) { ; }\nreturn 2;",
                       BEFORE "if (a) { { y = 3; } y = 3; }\nreturn 2;"));
#undef BEFORE
    /* a macro's argument, and a statement that begins before it and ends in it */
    variants_are("\n#define RUN(s) s\nreturn 2; if (a) RUN({ y = 1; z = 2; })", NO_TEXTS);
    /* one that shares its text with a label that is jumped to */
    variants_are("\n#define TWO y = 1; l: z = 1\ngoto l; if (a) TWO;\nreturn 2;", NO_TEXTS);
    variants_are(
        "\n#define BEGIN {\n#define END }\ny = 0; if (a) BEGIN y = 1; z = 2; END\nreturn 2;",
        TEXTS("\n#define BEGIN {\n#define END }\ny = 0; if (a) BEGIN y = 1; ; END\nreturn 2;",
              "\n#define BEGIN {\n#define END }\ny = 0; if (a) BEGIN y = 1; { z = 2; } "
              "z = 2; END\nreturn 2;"));
    variants_are("\n#define BLOCK { y = 1; }\nif (a) BLOCK\nreturn 2;", NO_TEXTS);
    variants_are("\n#define DO(s) do { s } while (0)\nif (a) DO(y = 1; z = 2;);\nreturn 2;",
                 NO_TEXTS);
    variants_are("\n#define WHEN(c) if (c)\nWHEN(a) y = 1;\nreturn 2;",
                 TEXTS("\n#define WHEN(c) if (c)\nWHEN(a) ;\nreturn 2;"));
    variants_are("\n#define ONE 1\nif (a) { y = ONE; }\nreturn 2;",
                 TEXTS("\n#define ONE 1\nif (a) ;\nreturn 2;",
                       "\n#define ONE 1\nif (a) { ; }\nreturn 2;",
                       "\n#define ONE 1\nif (a) { { y = ONE; } y = ONE; }\nreturn 2;"));
}

/* -- many changes ----------------------------------------------------------------------------- */

static const char large[] = "#include <stddef.h>\n"
                            "int printf(const char *, ...);\n"
                            "void abort(void);\n"
                            "struct s { int a, b; struct s *next; };\n"
                            "static int calls;\n"
                            "static int helper(int n, struct s *p)\n"
                            "{\n"
                            "    int i, sum = 0;\n"
                            "    calls++;\n"
                            "    for (i = 0; i < n; i++) {\n"
                            "        if (p == NULL) {\n"
                            "            sum -= i; /* never: ) } ; */\n"
                            "            printf(\"} ; %d\\n\", i);\n"
                            "            continue;\n"
                            "        }\n"
                            "        sum += p->a;\n"
                            "        p = p->next ? p->next : p;\n"
                            "        switch (sum) {\n"
                            "        case 100:\n"
                            "            sum = 1;\n"
                            "            break;\n"
                            "        case 200: {\n"
                            "            int t = sum;\n"
                            "            sum = t + 1;\n"
                            "        }\n"
                            "        case 300:\n"
                            "            sum++;\n"
                            "            goto out;\n"
                            "        default:\n"
                            "            break;\n"
                            "        }\n"
                            "        while (sum > 1000) {\n"
                            "            int half = sum / 2;\n"
                            "            sum = half;\n"
                            "            if (half == 3)\n"
                            "                break;\n"
                            "            else\n"
                            "                do sum--; while (sum > half);\n"
                            "        }\n"
                            "    }\n"
                            "    return sum;\n"
                            "out:\n"
                            "    calls--;\n"
                            "    return -1;\n"
                            "}\n"
                            "static double unused(double d)\n"
                            "{\n"
                            "    double e = d * 2;\n"
                            "    if (e > 1)\n"
                            "        return e;\n"
                            "    e += unused(e);\n"
                            "    return e;\n"
                            "}\n"
                            "int main(void)\n"
                            "{\n"
                            "    struct s a = {1, 2, NULL}, b = {3, 4, &a};\n"
                            "    if (helper(3, &b) != 5) {\n"
                            "        printf(\"wrong\\n\");\n"
                            "        abort();\n"
                            "    }\n"
                            "    int last = helper(2, &a);\n"
                            "    printf(\"%d %d\\n\", last, calls);\n"
                            "    return 0;\n"
                            "}\n";

static void test_many(void)
{
    struct ran r;
    struct cc_emi_counts sum = {0};
    const char *wrong = NULL;
    enum { SEEDS = 300, CHANGES = 12 };
    run(&r, large);
    wrong = r.wrong;
    for (uint64_t seed = 0; seed < SEEDS && !wrong; seed++) {
        struct strbuf b;
        struct choice c;
        struct cc_emi_counts n = {0};
        strbuf_init(&b, 0);
        choice_init_random(&c, seed);
        if (emi_text(&r.parsed, &r.import, &c, CHANGES, &b, &n))
            wrong = "it cannot be changed";
        else
            wrong = compare(&r, b.s);
        if (wrong)
            printf("# seed %d\n%s\n", (int)seed, b.s);
        sum.pruned += n.pruned;
        sum.inserted += n.inserted;
        sum.swapped += n.swapped;
        choice_release(&c);
        strbuf_release(&b);
    }
    ok(!wrong, "%d variants of a larger text: %d pruned, %d inserted, %d swapped", SEEDS,
       sum.pruned, sum.inserted, sum.swapped);
    ok(sum.pruned > SEEDS && sum.inserted > SEEDS && sum.swapped > SEEDS / 2,
       "  each kind of change is there");
    forget(&r);
}

int main(void)
{
#ifdef ASSAY_NO_CLANG
    tap_skip("variants of texts", "built without libclang");
#else
    struct ran r;
    run(&r, "int main(void) { return 0; }");
    if (r.wrong) {
        printf("Bail out! %s\n", r.wrong);
        forget(&r);
        return 1;
    }
    forget(&r);
    test_each_kind();
    test_left_alone();
    test_macros();
    test_many();
#endif
    return tap_done();
}
