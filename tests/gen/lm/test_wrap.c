/* A main for functions: what is called, what it prints, and who is not run. */
#include "base/strbuf.h"
#include "gen/lm/wrap.h"
#include "tap.h"

static const struct {
    const char *what, *text;
    enum lm_wrap_verdict verdict;
    const char *prints; /* NULL: it is not looked at */
} cases[] = {
    {"a sum", "int A(int a, int b) { return a + b; }\n", LM_WRAP_DEFINED, "A 7\n"},
    {"reals", "double A(float a) { return a * 2; }\n", LM_WRAP_DEFINED, "A 3\n"},
    {"an array that is changed", "void A(int *a, int b) { a[b] = -1; }\n", LM_WRAP_DEFINED,
     "1 2 3 4 -1 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 \n"},
    {"two functions and a global",
     "int Ga = 2;\nint A(void) { return Ga++; }\nlong B(const char *a) { return a[1] + Ga; }\n",
     LM_WRAP_DEFINED,
     "A 2\nB 5\n1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 "
     "31 32 \nGa 3\n"},
    {"globals that are set",
     "extern int Gd;\nint Ga[3], Gb;\ndouble Gc;\nvoid A(void) { Ga[1] = 4; Gb = 5; Gc = 1.5; }\n",
     LM_WRAP_DEFINED, "Ga 0\nGa 4\nGa 0\nGb 5\nGc 1.5\n"},
    {"a struct", "struct Ta { int fa; double fb; };\nvoid A(struct Ta *a) { a->fa = 3; }\n",
     LM_WRAP_DEFINED, "3 0 \n"},
    {"a struct by value", "typedef struct { int fa; } Ta;\nint A(Ta a) { return a.fa + 1; }\n",
     LM_WRAP_DEFINED, "A 1\n"},
    {"an overflow", "int A(int a) { return 2147483647 + a; }\n", LM_WRAP_UNDEFINED, NULL},
    {"a read beyond the array", "int A(int *a) { return a[1000]; }\n", LM_WRAP_UNDEFINED, NULL},
    {"a loop without end", "int A(int a) { while (a) a |= 1; return a; }\n", LM_WRAP_ENDLESS, NULL},
    {"an address as a number", "long A(int *a) { return (long)a; }\n", LM_WRAP_OPEN, NULL},
    {"where one object ends and another starts",
     "int A(void) { int a = 0, b = 0; return (long)(&a + 1) == (long)&b; }\n", LM_WRAP_OPEN, NULL},
    {"alignment",
     "int A(void) { int a = 0, b = 0; return (long)&a % 4 || (long)&b % 4 || &a == &b; }\n",
     LM_WRAP_DEFINED, "A 0\n"},
    {"an end by abort", "void abort(void);\nint A(int a) { if (a) abort(); return 1; }\n",
     LM_WRAP_ABORTED, NULL},
    {"what interp has not", "int A(int a) { _Complex double b = a; return (int)(b * 2); }\n",
     LM_WRAP_UNDECIDED, NULL},
    {"a pointer to a function", "int A(int (*a)(int)) { return a(1); }\n", LM_WRAP_NOTHING, NULL},
    {"only a type", "struct Ta { int fa; };\n", LM_WRAP_NOTHING, NULL},
    {"an undeclared name", "int A(int a) { return b; }\n", LM_WRAP_REFUSED, NULL},
    {"its own main", "int main(void) { return 0; }\n", LM_WRAP_NOTHING, NULL},
};

int main(void)
{
    struct error e = {0};
    if (parsed_available(&e)) {
        tap_skip("wrapping", e.message);
        return tap_done();
    }
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct strbuf text, expected, why;
        strbuf_init(&text, 0);
        strbuf_init(&expected, 0);
        strbuf_init(&why, 0);
        strbuf_adds(&text, cases[i].text);
        enum lm_wrap_verdict verdict = lm_wrap_run(&text, &expected, &why);
        is_str(lm_wrap_verdict_name[verdict], lm_wrap_verdict_name[cases[i].verdict], "%s",
               cases[i].what);
        if (verdict != cases[i].verdict)
            printf("# %s\n", why.s);
        if (cases[i].prints)
            is_str(expected.s, cases[i].prints, "what it prints");
        bool runs = verdict >= LM_WRAP_DEFINED;
        ok(!strstr(text.s, "int main(void)\n{") == !runs, "a main where it is run, only there");
        strbuf_release(&text);
        strbuf_release(&expected);
        strbuf_release(&why);
    }
    return tap_done();
}
