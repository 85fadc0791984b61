/* Skeletons of small texts: which uses are holes, what each can hold, which variables are
 * interchangeable, and that everything else stays what it is. */
#include "gen/spe/skeleton.h"
#include "tap.h"

#include <stdlib.h>

struct made {
    struct arena arena;
    struct parsed parsed;
    struct skeleton s;
    struct strbuf text;
    int hoisted;
    bool cxx;
};

static const struct skeleton_options by_default,
    plain = {.plain = true}, flat = {.flat = true, .plain = true, .function = "f"},
    all_types = {.pointers = true, .structs = true};

static void parse(struct made *m, const char *text, size_t n)
{
    struct error e = {0};
    const struct parse_options o = {.cxx = m->cxx};
    if (parsed_load_text(m->cxx ? "test.C" : "test.c", text, n, &o, &m->arena, &m->parsed, &e)) {
        printf("Bail out! %s:%d: %s\n", e.file, e.line, e.message);
        exit(1);
    }
}

static void make(struct made *m, const char *text, struct skeleton_options o)
{
    struct error e = {0};
    arena_init(&m->arena);
    strbuf_init(&m->text, 0);
    parse(m, text, strlen(text));
    if (skeleton_build(&m->parsed, &o, &m->arena, &m->s, &e)) {
        printf("Bail out! %s\n", e.message);
        exit(1);
    }
}

static void drop(struct made *m)
{
    strbuf_release(&m->text);
    arena_release(&m->arena);
}

/* "a:a,b b:a,b": what stands in each hole, and what may. */
static const char *holes(struct made *m)
{
    strbuf_clear(&m->text);
    int *candidates = arena_array(&m->arena, int, m->s.n_variables);
    for (int i = 0; i < m->s.n_holes; i++) {
        const struct skeleton_hole *h = &m->s.holes[i];
        strbuf_addf(&m->text, "%s%s:", i ? " " : "", m->s.variables[h->variable].name);
        int n = skeleton_candidates(&m->s, h, candidates);
        for (int k = 0; k < n; k++)
            strbuf_addf(&m->text, "%s%s", k ? "," : "", m->s.variables[candidates[k]].name);
    }
    return m->text.s;
}

/* "{a b}{c} | {d}": classes, a bar between types. */
static const char *classes(struct made *m)
{
    strbuf_clear(&m->text);
    for (int i = 0; i < m->s.n_variables; i++) {
        const struct skeleton_variable *v = &m->s.variables[i], *before = i ? v - 1 : NULL;
        bool same_part = before && before->part == v->part;
        bool same = same_part && before->scope == v->scope && before->class == v->class;
        if (before && !same)
            strbuf_adds(&m->text, same_part ? "}" : "} | ");
        strbuf_addf(&m->text, "%s%s", same ? " " : "{", v->name);
    }
    strbuf_adds(&m->text, m->s.n_variables ? "}" : "");
    return m->text.s;
}

static const char *count(struct made *m, enum spe_mode mode)
{
    struct error e = {0};
    struct spe *spe = spe_new(m->s.parts, m->s.n_parts, mode, &e);
    strbuf_clear(&m->text);
    if (!spe)
        return "refused";
    natural_text(spe_count(spe), &m->text);
    spe_free(spe);
    return m->text.s;
}

/* The filling of the file itself gives the file, byte for byte. */
static void renders(struct made *m, const char *text, const char *name)
{
    strbuf_clear(&m->text);
    skeleton_render(&m->s, m->s.original, &m->text);
    ok(m->text.n == strlen(text) && !memcmp(m->text.s, text, m->text.n), "%s: renders itself",
       name);
}

static void expect(const char *name, const char *text, struct skeleton_options o,
                   const char *wanted_holes, const char *wanted_classes)
{
    struct made m = {0};
    make(&m, text, o);
    is_str(holes(&m), wanted_holes, "%s: holes", name);
    is_str(classes(&m), wanted_classes, "%s: classes", name);
    renders(&m, text, name);
    drop(&m);
}

/* -- the paper's examples ---------------------------------------------------------------------- */

static const char figure_6[] = "int printf(const char *, ...);\n"
                               "int main() {\n"
                               "  int a=1, b=0;\n"
                               "  if(a){\n"
                               "    int c=3, d=5;\n"
                               "    b = c + d;\n"
                               "  }\n"
                               "  printf(\"%d\", a);\n"
                               "  printf(\"%d\", b);\n"
                               "  return 0;\n"
                               "}\n";

static void test_figure_6(void)
{
    struct made m = {0};
    struct strbuf text;
    make(&m, figure_6, by_default);
    is_str(count(&m, SPE_NAIVE), "512", "Figure 6 as it is: 2^3 * 4^3");
    is_str(count(&m, SPE_COMPACT), "144", "its compact orbits");
    is_str(count(&m, SPE_SOUND), "512", "initialisers keep the variables apart");
    is_str(classes(&m), "{a}{b}{c}{d}", "so that each is alone");
    strbuf_init(&text, 0);
    is_int(skeleton_hoist(&m.parsed, &by_default, &text), 4, "four initialisers are hoisted");
    has_str(text.s, "int a, b; a =1; b =0;", "they are assignments now");
    drop(&m);
    make(&m, text.s, by_default);
    is_int(m.s.n_holes, 10, "ten holes, as in the paper");
    is_str(count(&m, SPE_NAIVE), "32768", "2^5 * 4^5 variants (3.2.2)");
    is_str(classes(&m), "{a b}{c d}", "and the variables are interchangeable");
    is_str(count(&m, SPE_SOUND), "8448", "the compact count is sound now");
    is_str(count(&m, SPE_COMPACT), "8448", "and the same as compact");
    drop(&m);
    strbuf_release(&text);
}

static const char example_6[] = "int f(void)\n"
                                "{\n"
                                "    int a, b;\n"
                                "    a = 1;\n"
                                "    if (a) {\n"
                                "        int c, d;\n"
                                "        c = d;\n"
                                "    }\n"
                                "    return b;\n"
                                "}\n";

static void test_example_6(void)
{
    struct made m = {0};
    make(&m, example_6, by_default);
    is_str(holes(&m), "a:a,b a:a,b c:a,b,c,d d:a,b,c,d b:a,b", "Example 6: candidates");
    is_str(count(&m, SPE_NAIVE), "128", "Example 6: naive");
    is_str(count(&m, SPE_COMPACT), "40", "Example 6: compact");
    is_str(count(&m, SPE_SOUND), "40", "Example 6: sound");
    drop(&m);
    make(&m, example_6, plain);
    is_str(count(&m, SPE_PATTERN), "35", "Example 6: pattern");
    drop(&m);
    make(&m, example_6, flat);
    is_str(count(&m, SPE_PAPER), "36", "Example 6: as the paper counts");
    drop(&m);
}

/* -- scopes ------------------------------------------------------------------------------------ */

static void test_scopes(void)
{
    expect("in the middle of a block", "int f(void) { int a; a = 1; int b; b = a; return b; }",
           by_default, "a:a b:a,b a:a,b b:a,b", "{a}{b}");
    expect("blocks side by side",
           "int g; void f(void) { { int a; a = g; } { int b; b = g; } g = 2; }", by_default,
           "a:g,a g:g,a b:g,b g:g,b g:g", "{g}{a}{b}");
    expect("for", "int f(int n) { for (int i = 0, k; i < n; i++) k = i; return n; }", by_default,
           "i:n,i,k n:n,i,k i:n,i,k k:n,i,k i:n,i,k n:n", "{n}{i}{k}");
    expect("declared later in the file",
           "int a; int f(void) { return a; } int b; int g(void) { "
           "return b; }",
           by_default, "a:a b:a,b", "{a}{b}");
    expect("not in its own initialiser", "int f(int p) { int a = p; int b = b; return a + b; }",
           by_default, "p:p a:p,a,b b:p,a,b", "{p}{a}{b}");
    expect("statement expressions", "int f(int p) { return ({ int t = p; t + p; }) + p; }",
           by_default, "p:p t:p,t p:p,t p:p", "{p}{t}");
}

static const char shadows[] = "int a, b;\n"
                              "int f(void) { return a; }\n"
                              "int g(void) { char a = 1; return a + b; }\n";

static void test_shadowing(void)
{
    struct made m = {0};
    expect("shadowed by another type", shadows, by_default, "a:a,b a:a b:b", "{a}{b} | {a}");
    make(&m, shadows, by_default);
    is_int(m.s.parts[0].n_hidden, 1, "one pair is hidden");
    is_str(count(&m, SPE_COMPACT), "2", "which no renaming can bring about");
    drop(&m);
    expect("plain", shadows, plain, "a:a b:b", "{a} | {b}");
    make(&m, shadows, plain);
    is_int(m.s.left[SKELETON_HIDDEN], 1, "and leaves its use alone");
    is_int(m.s.parts[0].n_hidden + m.s.parts[1].n_hidden, 0, "nothing is hidden");
    drop(&m);
    expect("shadowed in an initialiser", "int a, b; void f(void) { int a = b; b = a; }", by_default,
           "b:b b:b,a a:b,a", "{a}{b}{a}");
    expect("two that the same hole does not see",
           "void g(int *); void f(void) { register int a, b; int c; a = b; g(&c); }", by_default,
           "a:a,b,c b:a,b,c c:c", "{a b}{c}");
    expect("by a parameter, a typedef, a constant",
           "int a, b, c, d; int f(char *a) { typedef int b; enum { c }; "
           "return d; } int g(void) { return a; }",
           by_default, "d:d a:a,b,c,d", "{a}{b}{c}{d}");
}

/* -- types and storage ------------------------------------------------------------------------- */

static void test_types(void)
{
    const char *text = "typedef int number; struct s { int a; } x, y; int *p, *q;\n"
                       "int i; number k; const int c = 1; volatile int v; char h;\n"
                       "int f(void) { i = k + c + v + h; x = y; p = q; return x.a + *p; }";
    expect("scalars", text, by_default, "i:i,k k:i,k c:c v:v h:h", "{i k} | {c} | {v} | {h}");
    expect("pointers and structures", text, all_types,
           "i:i,k k:i,k c:c v:v h:h x:x,y y:x,y p:p,q q:p,q x:x,y p:p,q",
           "{i k} | {c} | {v} | {h} | {x y} | {p q}");
    struct made m = {0};
    make(&m, text, (struct skeleton_options){.any = true});
    is_int(m.s.n_parts, 2, "any: names and members");
    is_int(m.s.n_holes, 12, "any: every use");
    is_int((int)m.s.visible, 11 * 11 + 1, "any: every name in each, the function's and type's too");
    is_str(classes(&m), "{number}{x y}{p q}{i k}{c}{v}{h}{f} | {a}",
           "any: classes keep types apart");
    drop(&m);
    expect("members",
           "struct s { int a; struct { int b; } c; } x, *p; union u { int a; } v;\n"
           "#define B c.b\n"
           "int f(void) { return x.a + p\n->c.b + v. a + x.B; }",
           (struct skeleton_options){.any = true},
           "x:x,p,v,f a:b,a,c p:x,p,v,f c:b,a,c b:b,a,c v:x,p,v,f a:b,a,c x:x,p,v,f",
           "{x}{p}{v}{f} | {b}{a}{c}");
}

static void test_storage(void)
{
    expect("static initialisers",
           "int a; static int b; _Thread_local int t;\n"
           "int *f(void) { int l; static int *p = &a; l = b; t = l; "
           "return p; }",
           by_default, "a:a,b l:a,b,t,l b:a,b,t,l t:a,b,t,l l:a,b,t,l", "{a}{b}{t}{l}");
    expect("at file scope", "int a, b; int *p = &a; int c;", by_default, "a:a,b", "{a b}");
    expect("a value that must be constant",
           "const int a = 1, b = 2; int c = a; "
           "int f(void) { return a + b; }",
           by_default, "a:a,b b:a,b", "{a}{b}");
    expect("register under &",
           "void g(int *); void f(void) { register int a; int b, c; "
           "g(&b); a = c; }",
           by_default, "b:b,c a:a,b,c c:a,b,c", "{a}{b c}");
    expect("extern without a use", "extern int a, b; int c; int f(void) { return b + c; }",
           by_default, "b:b,c c:b,c", "{b}{c}");
}

/* -- what is interchangeable ------------------------------------------------------------------- */

static void test_classes(void)
{
    expect("initialisers",
           "int f(void) { int a, b = 1, c, d = 1, e = 2, g = -1, h = -1; "
           "return a + b + c + d + e + g + h; }",
           by_default,
           "a:a,c,b,d,e,g,h b:a,c,b,d,e,g,h c:a,c,b,d,e,g,h d:a,c,b,d,e,g,h e:a,c,b,d,e,g,h "
           "g:a,c,b,d,e,g,h h:a,c,b,d,e,g,h",
           "{a c}{b d}{e}{g h}");
    expect("storage",
           "int f(void) { int a; static int b; register int c; int d; "
           "return a + b + c + d; }",
           by_default, "a:a,d,b,c b:a,d,b,c c:a,d,b,c d:a,d,b,c", "{a d}{b}{c}");
    expect("attributes",
           "int a, b; int c __attribute__((aligned(8))); "
           "int f(void) { return a + b + c; }",
           by_default, "a:a,b,c b:a,b,c c:a,b,c", "{a b}{c}");
    expect("parameters", "int f(int a, int b) { return a + b; }", by_default, "a:a,b b:a,b",
           "{a}{b}");
    expect("declared twice", "int a, b, c; int a; int f(void) { return a + b + c; }", by_default,
           "a:a,b,c b:a,b,c c:a,b,c", "{a}{b c}");
    expect("sizeof", "int f(void) { int a, b, c; a = sizeof b; return a + b + c; }", by_default,
           "a:a,c,b a:a,c,b b:a,c,b c:a,c,b", "{a c}{b}");
    expect("typeof", "int f(void) { int a, b, c; __typeof__(b) d; return a + b + c; }", by_default,
           "a:a,c,d,b b:a,c,d,b c:a,c,d,b", "{a c d}{b}");
    expect("a list of identifiers",
           "int f(a, b) int a, b; { return a - b; } int g(void) { int a, b; return a - b; }",
           by_default, "a:a,b b:a,b a:a,b b:a,b", "{a}{b}{a b}");
    expect("sizeof in a prototype", "int a, b; int f(int x[sizeof a]) { return a - b; }",
           by_default, "a:a,b b:a,b", "{a}{b}");
    expect("a member of the same name",
           "struct s { int a, b; } x; int a, b; "
           "int f(void) { return x.a + a + b; }",
           by_default, "a:a,b b:a,b", "{a b}");
}

/* -- macros and other places that are left alone ----------------------------------------------- */

static void left(const char *name, const char *text, enum skeleton_left why, int n)
{
    struct made m = {0};
    make(&m, text, by_default);
    is_int(m.s.left[why], n, "%s: left alone", name);
    drop(&m);
}

static void test_macros(void)
{
    const char *twice = "#define SQUARE(x) ((x) * (x))\nint f(int a, int b) { return SQUARE(a) + "
                        "b; }\n";
    struct made m = {0};
    expect("argument used twice", twice, by_default, "a:a,b b:a,b", "{a}{b}");
    make(&m, twice, by_default);
    is_int(m.s.holes[0].n_nodes, 2, "one hole, two uses in the tree");
    drop(&m);
    const char *body = "#define NEXT (a + 1)\nint a, b, c; int f(void) { b = NEXT; return a + c; }";
    expect("body", body, by_default, "b:a,b,c a:a,b,c c:a,b,c", "{a}{b c}");
    left("body", body, SKELETON_MACRO, 1);
    const char *paste = "#define OLD(x) x##_old\n#define BOTH(x) (x + OLD(x))\n"
                        "int a, a_old, b; int f(void) { return BOTH(a) + b; }";
    expect("##", paste, by_default, "b:a,a_old,b", "{a}{a_old}{b}");
    left("##", paste, SKELETON_PASTED, 1);
    expect("#",
           "#define SAY(x) say(#x, x)\nvoid say(const char *, int); int a, b; "
           "void f(void) { SAY(a); int c, d; c = d; }",
           by_default, "a:a,b c:a,b,c,d d:a,b,c,d", "{a}{b}{c d}");
    expect("declared by a macro",
           "#define MAX(x, y) ({ int t = (x), u = (y); t > u ? t : u; })\n"
           "int a, t; int f(void) { return MAX(a, t) + t; }",
           by_default, "a:a t:a,t", "{a}{t}");
    expect("name in a literal and a comment",
           "int a, b; int f(void) { /* a */ const char *s = \"a b\"; return a + s[b]; } // b",
           by_default, "a:a,b b:a,b", "{a b}");
}

static void test_left(void)
{
    const char *va = "int f(int a, int b, ...) { __builtin_va_list l; __builtin_va_start(l, b); "
                     "return a + b; }";
    expect("va_start", va, by_default, "a:a,b b:a,b", "{a}{b}");
    left("va_start", va, SKELETON_VA_START, 1);
    const char *assembly = "int f(void) { int a = 1, b = 1; __asm__(\"\" : \"+r\"(a)); "
                           "return a + b; }";
    expect("asm", assembly, by_default, "a:a,b b:a,b", "{a}{b}");
    left("asm", assembly, SKELETON_ASM, 1);
    expect("case",
           "const int one = 1; int f(int a) { switch (a) { case one: return one; } "
           "return a; }",
           by_default, "a:a one:one a:a", "{a} | {one}");
    expect("the length of an array is a hole", "int f(int n, int m) { int a[n]; return m; }",
           by_default, "n:n,m m:n,m", "{n}{m}");
}

/* -- one function ------------------------------------------------------------------------------ */

static void test_function(void)
{
    const char *text = "int a, b; int f(void) { int x, y; x = a; return y; }\n"
                       "int g(void) { return a + b; }";
    struct made m = {0};
    struct error e = {0};
    struct skeleton s;
    expect("inter-procedural", text, by_default, "x:a,b,x,y a:a,b,x,y y:a,b,x,y a:a,b b:a,b",
           "{a b}{x y}");
    expect("intra-procedural", text, (struct skeleton_options){.function = "f"},
           "x:a,b,x,y a:a,b,x,y y:a,b,x,y", "{a}{b}{x y}");
    make(&m, text, (struct skeleton_options){.function = "g"});
    is_str(holes(&m), "a:a,b b:a,b", "the other one");
    is_int(m.s.left[SKELETON_OUTSIDE], 3, "uses outside are left alone");
    is_int(m.s.n_functions, 2, "both are listed");
    is_int(m.s.functions[1].n_holes, 2, "with their holes");
    is_int(skeleton_build(&m.parsed, &(struct skeleton_options){.function = "h"}, &m.arena, &s, &e),
           -1, "no such function");
    has_str(e.message, "no function 'h'", "is an error");
    drop(&m);
}

static void test_flat(void)
{
    const char *text = "int g; void f(int p) { int a; if (p) { int b; { int c; c = b; } } "
                       "for (;;) a = 1; int d; d = g; }";
    struct made m = {0};
    make(&m, text, flat);
    is_str(holes(&m), "p:g,p,a c:g,p,a,b,c b:g,p,a,b,c a:g,p,a d:g,p,a,d g:g,p,a,d",
           "flat: every hole sees what it sees");
    is_int(m.s.parts[0].n_scopes, 4, "flat: the file with the function, two blocks, the rest");
    is_int(m.s.variables[2].scope, 0, "flat: what the function declares first joins the file");
    drop(&m);
    const char *two = "int f(int n) { return n; }\n"
                      "int g(void) { int i; i = 0; i = i + 1; return i; }";
    make(&m, two, (struct skeleton_options){.flat = true, .plain = true, .function = "g"});
    is_str(count(&m, SPE_PAPER), "1",
           "paper: the parameters of another function are no candidates");
    drop(&m);
}

/* -- C++ --------------------------------------------------------------------------------------- */

static void expect_cxx(const char *name, const char *text, const char *wanted)
{
    struct made m = {.cxx = true};
    make(&m, text, by_default);
    is_str(holes(&m), wanted, "C++, %s", name);
    renders(&m, text, name);
    drop(&m);
}

static void test_cxx(void)
{
    expect_cxx("namespaces",
               "namespace N { int g; int q(int p) { return g + p; } }\n"
               "int a; int f() { return a + N::g + ::a; }",
               "g:g,p p:g,p a:a");
    expect_cxx("classes",
               "int a; struct S { int m; static int s; S(int x) : m(x) { m = a; }\n"
               "int f(int z) const { return m + s + z; } }; int S::s = 1;",
               "x:a,x a:a,x z:a,z");
    expect_cxx("declarations in conditions, references, lambdas",
               "int f(int x) { int &r = x; if (int t = x) return t + r;\n"
               "auto l = [=](int u) { return u + x; }; for (int i(0);;) return i; }",
               "x:x x:x t:x,t i:x,i");
    expect_cxx("what has to be constant",
               "template <int> struct A {}; int f(int b) { constexpr int k = 3; int a[k]; A<k> c;\n"
               "switch (b) { case k: return sizeof b; } return b; }",
               "b:b b:b");
    expect_cxx("templates", "template <class T> T f(T x, int k) { int m = k; return x + m; }",
               "k:k m:k,m");
}

/* -- text -------------------------------------------------------------------------------------- */

static void test_render(void)
{
    const char *text = "int longer, s;\r\n\tint f ( void )\n{return longer+s;/* s */}";
    struct made m = {0};
    make(&m, text, by_default);
    strbuf_clear(&m.text);
    skeleton_render_holes(&m.s, &m.text);
    is_str(m.text.s, "int longer, s;\r\n\tint f ( void )\n{return [1]+[2];/* s */}", "holes");
    uint32_t swapped[2] = {m.s.original[1], m.s.original[0]};
    strbuf_clear(&m.text);
    skeleton_render(&m.s, swapped, &m.text);
    is_str(m.text.s, "int longer, s;\r\n\tint f ( void )\n{return s+longer;/* s */}",
           "names of other lengths");
    drop(&m);
    expect("no holes", "int main(void) { return 0; }", by_default, "", "");
    expect("empty", "", by_default, "", "");
}

static void hoists(const char *name, const char *from, const char *to)
{
    struct made m = {0};
    struct strbuf text;
    make(&m, from, by_default);
    strbuf_init(&text, 0);
    skeleton_hoist(&m.parsed, &by_default, &text);
    is_str(text.s, to, "hoist: %s", name);
    drop(&m);
    make(&m, text.s, by_default); /* it is C still */
    drop(&m);
    strbuf_release(&text);
}

static void test_hoist(void)
{
    hoists("a row of declarations", "void f(int p) { int a = 1; char b; int c = (a + p), d = 2; }",
           "void f(int p) { int a; char b; int c, d; a = 1; c = (a + p); d = 2; }");
    hoists("nested", "void f(int p) { int a = ({ int b = p; b; }); { int c = a; } }",
           "void f(int p) { int a = ({ int b; b = p; b; }); { int c; c = a; } }");
    hoists("what must keep its initialiser",
           "void f(int p) { static int a = 1; const int b = 2; int c[] = {1}; int d = 3; "
           "for (int i = 0; i < p; i++); }",
           "void f(int p) { static int a = 1; const int b = 2; int c[] = {1}; int d; d = 3; "
           "for (int i = 0; i < p; i++); }");
    hoists("a row ends there", "void f(void) { int a = 2; int c[] = {a}; int d = 3; }",
           "void f(void) { int a; a = 2; int c[] = {a}; int d; d = 3; }");
    hoists("another variable of the name", "int y; void f(void) { int x = y; int y = 2; }",
           "int y; void f(void) { int x; x = y; int y; y = 2; }");
    hoists("in one declaration", "int y; void f(void) { int x = y, y = 2; }",
           "int y; void f(void) { int x = y, y = 2; }");
    hoists("macros in it", "#define ONE 1\nvoid f(void) { int x = ONE, y = ONE + 1; }",
           "#define ONE 1\nvoid f(void) { int x, y; x = ONE; y = ONE + 1; }");
    hoists("made by a macro", "#define VAR(x) int x = 1;\nvoid f(void) { VAR(a) int b = a; }",
           "#define VAR(x) int x = 1;\nvoid f(void) { VAR(a) int b; b = a; }");
}

int main(void)
{
#ifdef ASSAY_NO_CLANG
    tap_skip("skeletons", "built without libclang");
#else
    test_figure_6();
    test_example_6();
    test_scopes();
    test_shadowing();
    test_types();
    test_storage();
    test_classes();
    test_macros();
    test_left();
    test_function();
    test_flat();
    test_cxx();
    test_render();
    test_hoist();
#endif
    return tap_done();
}
