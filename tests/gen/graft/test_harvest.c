/* From a folder to a library and back: what is kept and on which arguments, what is refused and
 * why, and that a file which does not say the truth is not taken. */
#include "base/fs.h"
#include "base/text.h"
#include "gen/graft/harvest.h"
#include "tap.h"

static struct arena arena;
static char folder[256];
static struct strbuf fates, library;

static void put(const char *name, const char *text)
{
    struct error e;
    if (fs_write(arena_printf(&arena, "%s/%s", folder, name), text, strlen(text), &e))
        printf("Bail out! %s\n", e.message);
}

static void note(void *to, const char *path, const char *function, const char *why)
{
    (void)to;
    strbuf_addf(&fates, "%s %s: %s\n", fs_name(path), function ? function : "-",
                why ? why : "kept");
}

static struct harvest_counts harvest(uint64_t steps)
{
    struct harvest_counts n;
    struct error e = {0};
    const char *paths[] = {folder};
    const struct harvest_options o = {.steps = steps, .each = note};
    strbuf_clear(&fates);
    strbuf_clear(&library);
    ok(!graft_harvest(paths, 1, &o, &library, &n, &e), "harvested %s", e.message);
    return n;
}

static void fate(const char *wanted)
{
    ok(strstr(fates.s, wanted) != NULL, "%s", wanted);
}

/* -- what is kept ------------------------------------------------------------------------------ */

static const char kept[] =
    "#include <stdlib.h>\n"
    "static const unsigned char squares[8] = {0, 1, 4, 9, 16, 25, 36, 49};\n"
    "static int square(int i) { return squares[i & 7]; }\n"
    "int divided(int x, int y) { return x / y; }\n"
    "unsigned shifted(unsigned x, int n) { return x << n; }\n"
    "int both(int a, int b) { return square(a) - square(b); }\n"
    "unsigned sum(const unsigned char *p, int n)\n"
    "{ unsigned s = 0; for (int i = 0; i < n; i++) s = s * 31 + p[i]; return s; }\n"
    "unsigned length(const char *s) { const char *p = s; while (*p) p++; return p - s; }\n"
    "void reverse(short *a, unsigned n)\n"
    "{ for (unsigned i = 0; i < n / 2; i++) {\n"
    "  short t = a[i]; a[i] = a[n - 1 - i]; a[n - 1 - i] = t; } }\n"
    "int old(a, b) int a; short b; { return a ^ b; }\n"
    "int checked(int x) { if (x < 0) abort(); return abs(x - 1000); }\n"
    "unsigned far(const unsigned *p) { return p[40] + p[2]; }\n";

static struct graft_library loaded;

static const struct graft_function *named(const char *name)
{
    for (int i = 0; i < loaded.n; i++)
        if (!strcmp(loaded.at[i].name, name))
            return &loaded.at[i];
    return NULL;
}

static void domain(const char *name, int param, const char *wanted)
{
    struct strbuf text;
    strbuf_init(&text, 0);
    const struct graft_function *f = named(name);
    if (f && param < f->n_params)
        graft_write_domain(&f->params[param], &text);
    is_str(text.s, wanted, "parameter %d of %s", param, name);
    strbuf_release(&text);
}

static bool load(const char *text)
{
    struct error e = {0};
    put("library.txt", text);
    bool good = !graft_load(arena_printf(&arena, "%s/library.txt", folder), &loaded, &e);
    if (!good)
        tap_note("error", e.message);
    return good;
}

static void what_is_kept(void)
{
    put("kept.c", kept);
    struct harvest_counts n = harvest(0);
    is_int(n.kept, n.functions, "every function is kept");
    tap_note("fates", fates.s);
    ok(load(library.s), "what was written can be read");
    is_int(loaded.n, n.kept, "all of it");
    domain("divided", 0, "-2147483648..2147483647");
    domain("divided", 1, "1..2147483647");
    domain("shifted", 0, "0..4294967295");
    domain("shifted", 1, "0..31");
    domain("both", 0, "-2147483648..2147483647");
    domain("sum", 0, "in 16 of 0..255");
    domain("sum", 1, "0..16");
    domain("length", 0, "in text 16 of -128..127");
    domain("reverse", 0, "inout 16 of -32768..32767");
    domain("reverse", 1, "0..16");
    domain("old", 1, "-32768..32767");
    domain("checked", 0, "0..2147483647");
    domain("far", 0, "in 64 of 0..4294967295");
    for (int i = 0; i < loaded.n; i++)
        ok(loaded.at[i].n_tries > 1 && loaded.at[i].steps, "%s has runs", loaded.at[i].name);
    graft_release(&loaded);
    char *first = arena_strdup(&arena, library.s);
    harvest(0);
    is_str(library.s, first, "again, the same");
}

/* -- what is not ------------------------------------------------------------------------------- */

static const char refused[] =
    "#include <string.h>\n"
    "int endless(int x) { for (;;) x ^= 1; return x; }\n"
    "int counter(int x) { static int n; n += x; return n; }\n"
    "static int total;\n"
    "int counted(int x) { total += x; return total; }\n"
    "static int cells[4];\n"
    "int kept_cells(int x) { int *p = cells; p[x & 3] += x; return p[1]; }\n"
    "int same(int x) { return x * 0; }\n"
    "int nothing(void) { return 3; }\n"
    "void silent(int x) { (void)x; }\n"
    "double real(double x) { return x; }\n"
    "int inside(int x) { double d = x; return d > 1.5 ? x : 0; }\n"
    "#include <stdio.h>\n"
    "int library(const char *s) { return puts(s) + s[0]; }\n"
    "int nowhere(int x); int calls(int x) { return nowhere(x) + 1; }\n"
    "struct packed { char c; int i; } __attribute__((packed));\n"
    "int layout(int x) { struct packed p = {0, x}; return p.i + 1; }\n"
    "int never(int x) { return x / (x - x); }\n"
    "volatile int device; int reads(int x) { return device + x; }\n";

static void what_is_refused(void)
{
    put("kept.c", "int other(int x) { return x ^ 9; }\n");
    put("refused.c", refused);
    struct harvest_counts n = harvest(0);
    is_int(n.kept, 1, "all but one are refused");
    fate("endless: endless: step-budget");
    fate("counter: it keeps state in n");
    fate("counted: it keeps state in total");
    fate("kept_cells: it keeps state in cells");
    fate("same: the result is always the same");
    fate("nothing: no parameters");
    fate("silent: nothing comes out of it");
    fate("real: a result that is no integer");
    fate("inside: floating point");
    fate("library: a call of the library's puts");
    fate("layout: a record with a layout of its own");
    fate("never: never: division-by-zero");
    fate("reads: a volatile object");
    fate("kept.c other: kept");
}

/* What cannot be imported costs the functions that use it, and no others. */
static void files_in_part(void)
{
    put("refused.c", "static long double wide(long double x) { return x * 2; }\n"
                     "static long double (*way)(long double) = wide;\n"
                     "static int helper(int x) { return x ^ 0x55; }\n"
                     "int fine(int x) { return helper(x) & 0xFFF; }\n"
                     "int uses(int x) { return (int)way(x); }\n"
                     "int old(a) int a; { long double d = a; return d > 1; }\n");
    harvest(0);
    fate("fine: kept");
    ok(!strstr(fates.s, "uses: kept"), "uses: not kept");
    ok(!strstr(fates.s, "old: kept"), "old: not kept");
    ok(strstr(library.s, "helper") != NULL, "the helper comes along");
}

/* What is called of the library comes along as plain C, once. */
static void library_calls(void)
{
    put("kept.c", "#include <string.h>\n"
                  "int shorter(const char *a, const char *b) { return strlen(a) < strlen(b); }\n"
                  "int filled(char *p, int c) { char t[16]; memset(t, c, 16); memcpy(p, t, 8);\n"
                  "  return t[3]; }\n");
    put("refused.c", "unsigned long strlen(const char *);\n"
                     "int twice(const char *s) { return (int)(strlen(s) * 2); }\n");
    struct harvest_counts n = harvest(0);
    is_int(n.kept, 3, "three functions");
    const char *first = strstr(library.s, "long standard_strlen(const char *s)\n{");
    ok(first && !strstr(first + 1, "long standard_strlen(const char *s)\n{"), "strlen once");
    ok(strstr(library.s, "standard_memset") != NULL, "memset, too");
    ok(load(library.s), "can be read");
    graft_release(&loaded);
}

/* What a text asks of its compiler is answered when it is harvested. */
static void words(void)
{
    put("kept.c", "#if __GNUC__ >= 4\n#define STEP 7\n#else\n#define STEP 5\n#endif\n"
                  "int stepped(int x) { return x ^ STEP; }\n");
    put("refused.c", "#ifdef __OPTIMIZE__\nint one(int x) { return x ^ 1; }\n#else\n"
                     "static long double no;\nint two(int x) { return x ^ 2; }\n#endif\n");
    harvest(0);
    ok(strstr(library.s, "x ^ 7") != NULL, "as clang reads it");
    fate("two: kept");
}

static void names_apart(void)
{
    put("kept.c", "static int step(int x) { return x ^ 1; }\nint go(int x) { return step(x); }\n");
    put("refused.c", "static int step(int x) { return x ^ 2; }\nint go(int x) { return step(x); }\n"
                     "int twin(int x) { return x ^ 3; }\n");
    put("same.c", "static int step(int x) { return x ^ 2; }\n");
    harvest(0);
    fate("same.c step: it is there already");
    ok(strstr(library.s, "graft go_2\n") != NULL, "two functions of one name");
    ok(load(library.s), "can be read");
    graft_release(&loaded);
}

static void budgets(void)
{
    put("kept.c",
        "int waits(int n) { int s = 0; for (int i = 0; i < n; i++) s += i & 7; return s; }\n");
    put("refused.c", "int x;\n");
    harvest(1000);
    ok(load(library.s), "read");
    ok(named("waits") && named("waits")->params[0].high < 1000, "few steps, a small domain");
    ok(named("waits") && named("waits")->steps <= 1000, "none took more");
    graft_release(&loaded);
}

/* -- files that lie ---------------------------------------------------------------------------- */

static void lie(const char *what, const char *text, const char *error)
{
    struct error e = {0};
    put("library.txt", text);
    bool good = !graft_load(arena_printf(&arena, "%s/library.txt", folder), &loaded, &e);
    ok(!good && strstr(e.message, error), "%s: %s", what, e.message);
    if (good)
        graft_release(&loaded);
}

static void lies(void)
{
    static const char right[] = "/* graft f\n * x: 0..9\n * p: in 2 of 0..255\n * steps: 9\n"
                                " * try: 3, {1, 2} -> 5 */\n"
                                "int f(int x, const unsigned char *p) { return x + p[1]; }\n";
    ok(load(right), "a file by hand");
    graft_release(&loaded);
    lie("another result",
        "/* graft f\n * x: 0..9\n * steps: 9\n * try: 3 -> 5 */\n"
        "int f(int x) { return x + 1; }\n",
        "try 1 is 3 -> 4");
    lie("an undefined try",
        "/* graft f\n * x: 0..9\n * steps: 9\n * try: 0 -> 5 */\n"
        "int f(int x) { return 1 / x; }\n",
        "division-by-zero");
    lie("another name",
        "/* graft g\n * x: 0..9\n * steps: 9\n * try: 3 -> 5 */\n"
        "int f(int x) { return x; }\n",
        "there is no function of that name");
    lie("another parameter",
        "/* graft f\n * y: 0..9\n * steps: 9\n * try: 3 -> 3 */\n"
        "int f(int x) { return x; }\n",
        "here must be the values of x");
    lie("values that do not fit",
        "/* graft f\n * x: 0..300\n * steps: 9\n * try: 3 -> 3 */\n"
        "int f(unsigned char x) { return x; }\n",
        "here must be the values of x");
    lie("a try that is none",
        "/* graft f\n * x: 0..9\n * steps: 9\n * try: 3, 4 -> 3 */\n"
        "int f(int x) { return x; }\n",
        "not a try");
    lie("no try", "/* graft f\n * x: 0..9\n * steps: 9 */\nint f(int x) { return x; }\n", "no try");
    lie("an array too long",
        "/* graft f\n * p: in 2 of 0..9\n * steps: 9\n * try: {1 x 3} -> 1 */\n"
        "int f(const int *p) { return *p; }\n",
        "not a try");
    lie("nothing", "int f(int x) { return x; }\n", "there is no function with a comment");
    lie("no C", "/* graft f\n * x: 0..9 */\nint f(\n", "");
}

int main(void)
{
    struct error e = {0};
    arena_init(&arena);
    strbuf_init(&fates, 0);
    strbuf_init(&library, 0);
    if (fs_make_temp_dir("harvest", folder, sizeof folder, &e)) {
        printf("Bail out! %s\n", e.message);
        return 1;
    }
    what_is_kept();
    what_is_refused();
    files_in_part();
    library_calls();
    words();
    names_apart();
    budgets();
    lies();
    fs_remove_tree(folder);
    strbuf_release(&fates);
    strbuf_release(&library);
    arena_release(&arena);
    return tap_done();
}
