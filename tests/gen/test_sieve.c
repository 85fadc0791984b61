/* The sieve for programs that the interpreter cannot run: each kind of undefined behaviour is seen
 * by the stage that looks for it, and what is clean passes all of them. Nobody asks the
 * interpreter here. */
#include "gen/sieve.h"
#include "tap.h"

static const struct {
    const char *what, *text;
    enum sieve_verdict verdict;
    const char *by;
} cases[] = {
    {"a clean program",
     "#include <stdio.h>\nint main(void) { long double a = 2; printf(\"%d\\n\", (int)(a * 3)); }\n",
     SIEVE_CLEAN, ""},
    {"an overflow",
     "int main(int a, char **b) { long double c = 2147483647; int d = c; d += a; }\n",
     SIEVE_UNDEFINED, "gcc ASan and UBSan"},
    {"a write beyond the heap",
     "#include <stdlib.h>\nint main(void) { long double *a = malloc(16); a[1] = 2; }\n",
     SIEVE_UNDEFINED, "gcc ASan and UBSan"},
    {"a variable without a value that the compiler sees",
     "int main(void) { long double a; return a > 1; }\n", SIEVE_UNDEFINED, "clang -Wuninitialized"},
    {"one that it does not see",
     "#include <stdlib.h>\nint main(void) { long double *a = malloc(64); if (a[1] > 1) a[2] = 3; "
     "}\n",
     SIEVE_UNDEFINED, "clang MSan"},
    {"a loop without end",
     "int main(void) { volatile long double a = 1; while (a > 0) a = a + 0; }\n", SIEVE_ENDLESS,
     NULL},
    {"what does not link", "long double A(void); int main(void) { return A(); }\n", SIEVE_FAILED,
     NULL},
};

int main(void)
{
    static const char *const names[] = {"clean", "undefined", "endless", "failed"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (cases[i].verdict == SIEVE_ENDLESS && !tap_amount(false, true))
            continue; /* takes all of the CPU time that a program may */
        struct program_file file = {
            .name = "t.c", .text = cases[i].text, .size = strlen(cases[i].text)};
        struct program p = {.language = "c", .needs = "-w", .files = &file, .n_files = 1};
        struct sieve_result r;
        struct error e = {0};
        if (sieve_try(&p, NULL, &r, &e)) {
            tap_skip(cases[i].what, e.message);
            continue;
        }
        is_str(names[r.verdict], names[cases[i].verdict], "%s", cases[i].what);
        if (cases[i].by)
            is_str(r.by, cases[i].by, "  is seen by its stage (%s)", r.why);
        ok(r.cpu_us > 0, "  and what that cost is told");
    }
    return tap_done();
}
