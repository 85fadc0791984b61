/* Programs cut out of files: the style, the closure, names, what is left out; and how a shim is
 * mended. What needs libclang is skipped where there is none. */
#include "gen/lm/rewrite.h"
#include "gen/lm/prepare.h"

#include "tap.h"

/* -- style ------------------------------------------------------------------------------------ */

static const char *styled(const char *text)
{
    static struct strbuf out;
    lm_lexemes l = {0};
    strbuf_release(&out);
    strbuf_init(&out, 0);
    int bad =
        lm_lex(text, strlen(text), &l) || lm_style_clean(&l) || lm_style_print(l.at, l.n, &out);
    vec_release(&l);
    return bad ? "BAD" : out.s;
}

static const struct {
    const char *text, *wanted, *what;
} styles[] = {
    {"int a ;int*b,* c;", "int a;\nint *b, *c;\n", "declarations"},
    {"void f(){}", "void f() {\n}\n", "an empty body"},
    {"int f ( int a ) { return - a * ( b - - a ) + ~ c ; }",
     "int f(int a) {\n  return -a * (b - -a) + ~c;\n}\n", "unary and binary operators"},
    {"int f(){return a - --b+ ++c*d++;}", "int f() {\n  return a - --b + ++c * d++;\n}\n",
     "increments"},
    {"void f(){if(a)b=1;else if(c){d();}else for(;;)e();}",
     "void f() {\n  if (a) {\n    b = 1;\n  } else if (c) {\n    d();\n  } else {\n    for (;;) {\n"
     "      e();\n    }\n  }\n}\n",
     "braces around every body"},
    {"void f(){for(int i=0;i<n;++i);do x++;while(x<3);while(1)break;}",
     "void f() {\n  for (int i = 0; i < n; ++i) {\n  }\n  do {\n    x++;\n  } while (x < 3);\n"
     "  while (1) {\n    break;\n  }\n}\n",
     "loops"},
    {"void f(){switch(a){case 1:case x?2:3:b();break;default:;}l:goto l;}",
     "void f() {\n  switch (a) {\n    case 1:\n    case x ? 2 : 3:\n      b();\n      break;\n"
     "    default:\n    ;\n  }\n  l:\n  goto l;\n}\n",
     "labels"},
    {"__kernel void f(__global const float4*restrict p){p[0]=(float4)(1,2,3,4)*(float)x;}",
     "kernel void f(global const float4 *restrict p) {\n  p[0] = (float4)(1, 2, 3, 4) * (float)x;\n"
     "}\n",
     "OpenCL's words without underscores, casts"},
    {"struct s{int a:3,b;union{float c;}u;};enum{A,B=2};struct s x={1,{2}};",
     "struct s {\n  int a : 3, b;\n  union {\n    float c;\n  } u;\n};\nenum {A, B = 2};\n"
     "struct s x = {1, {2}};\n",
     "records and initialisers"},
    {"static inline __attribute__((always_inline)) int f(int *p){return*p&&sizeof(int)*2;}",
     "static int f(int *p) {\n  return *p && sizeof(int) * 2;\n}\n", "attributes and inline go"},
    {"typedef int v __attribute__((vector_size(16)));",
     "typedef int v __attribute__((vector_size(16)));\n", "one that matters stays"},
    {"int x=1e+5+0x1e+5;char*s=\"a\\\"b\"\"c\";/* c */char c='\\'';//x\n",
     "int x = 1e+5 + 0x1e + 5;\nchar *s = \"a\\\"b\" \"c\";\nchar c = '\\'';\n", "literals"},
    {"int f(){return({int a=1;a;});}", "int f() {\n  return ({\n    int a = 1;\n    a;\n  });\n}\n",
     "statements in an expression"},
    {"int f(void(*g)(int),int a[]){(*g)(1);return a[1]?b:c;}",
     "int f(void (*g)(int), int a[]) {\n  (*g)(1);\n  return a[1] ? b : c;\n}\n",
     "pointers to functions"},
    {"int f(){asm(\"nop\");}", "BAD", "assembly"},
    {"int f({)}", "BAD", "brackets that do not match"},
    {"int \xc3\xa4;", "BAD", "other bytes than ASCII"},
};

static void test_style(void)
{
    for (size_t i = 0; i < sizeof styles / sizeof *styles; i++) {
        char once[2000];
        snprintf(once, sizeof once, "%s", styled(styles[i].text));
        is_str(once, styles[i].wanted, "%s", styles[i].what);
        if (strcmp(once, "BAD") != 0)
            is_str(styled(once), once, "%s: the style of it is itself", styles[i].what);
    }
}

/* -- cutting ---------------------------------------------------------------------------------- */

static const char *const opencl[] = {"-x", "cl", "-cl-std=CL2.0", "-w", NULL};
static const char *const c17[] = {"-x", "c", "-std=gnu17", "-w", NULL};

/* The program of the last function in the text. */
static const char *cut_last(const char *text, const char *const *arguments, size_t most)
{
    static struct strbuf out;
    static const char *const ends[] = {"", "UNDEFINED", "ASSEMBLY", "LARGE", "STRANGE"};
    struct outline l;
    struct lm_cut c;
    struct arena a;
    struct outline_job job = {
        .name = "t.c", .text = text, .n = strlen(text), .arguments = arguments};
    uint32_t piece = 0;
    arena_init(&a);
    strbuf_release(&out);
    strbuf_init(&out, 0);
    enum lm_cut_end end = LM_CUT_STRANGE;
    if (!outline_read(&job, &a, &l, NULL) && !lm_cut_init(&c, text, strlen(text), &l)) {
        for (uint32_t p = 0; p < c.pieces.n; p++)
            if (c.pieces.at[p].function)
                piece = p;
        end = lm_cut_program(&c, piece, most, &out);
        lm_cut_release(&c);
    }
    arena_release(&a);
    return end ? ends[end] : out.s;
}

static void test_closure(void)
{
    is_str(
        cut_last(
            "typedef struct s{float x;int unused;}s_t;\nconstant float unrelated=1;\n"
            "constant float k=2;float sq(float v);int other(int v){return v;}\n"
            "float sq(float v){return v*v*k;}\n"
            "__kernel void run(__global s_t*out,__global float*in,int n){int i=get_global_id(0);\n"
            "out[i].x=sq(in[i])+sin(M_PI_F);}",
            opencl, 6000),
        "typedef struct {\n  float fa;\n} Ta;\nconstant float Ga = 2;\n\n"
        "float A(float a) {\n  return a * a * Ga;\n}\n\n"
        "kernel void B(global Ta *a, global float *b) {\n  int c = get_global_id(0);\n"
        "  a[c].fa = A(b[c]) + sin(M_PI_F);\n}\n",
        "types, constants and helpers come along, builtins keep their names");
    is_str(cut_last("int even(int n);int odd(int n){return n?even(n-1):0;}\n"
                    "int even(int n){return n?odd(n-1):1;}",
                    c17, 6000),
           "int A(int a);\n\nint B(int a) {\n  return a ? A(a - 1) : 0;\n}\n\n"
           "int A(int a) {\n  return a ? B(a - 1) : 1;\n}\n",
           "a prototype stays where it is needed");
}

static void test_names(void)
{
    is_str(cut_last("enum e{RED,GREEN};struct p{int x;struct{int y;};}g;\n"
                    "int f(int x,int y){int z=x;{int z=y;x+=z;}again:if(x<GREEN)goto again;\n"
                    "for(int z=0;z<g.y;z++)x+=g.x;return x+z;}",
                    c17, 6000),
           "enum Ta {Ga, Gb};\nstruct Tb {\n  int fa;\n  struct {\n    int fb;\n  };\n} Gc;\n\n"
           "int A(int a, int b) {\n  int c = a;\n  {\n    int d = b;\n    a += d;\n  }\n  La:\n"
           "  if (a < Gb) {\n    goto La;\n  }\n  for (int e = 0; e < Gc.fb; e++) {\n"
           "    a += Gc.fa;\n  }\n  return a + c;\n}\n",
           "every declaration has a name of its own");
    is_str(cut_last("extern void abort(void);int f(int a){if(a)abort();return a;}", c17, 6000),
           "extern void abort(void);\n\nint A(int a) {\n  if (a) {\n    abort();\n  }\n"
           "  return a;\n}\n",
           "functions of the library keep theirs");
}

static void test_shrinking(void)
{
    is_str(cut_last("typedef unsigned int u32;typedef u32 word;\n"
                    "word inner(word a,word dead,word b){return a+b;}\n"
                    "word outer(word x,word y){return inner(x,y,3);}",
                    c17, 6000),
           "unsigned int A(unsigned int a, unsigned int b) {\n  return a + b;\n}\n\n"
           "unsigned int B(unsigned int a) {\n  return A(a, 3);\n}\n",
           "names of builtin types, and parameters that are only handed on, go");
    is_str(cut_last("int f(int a,int b){return a;}int g(int n){return f(n,n++);}", c17, 6000),
           "int A(int a, int b) {\n  return a;\n}\n\nint B(int a) {\n  return A(a, a++);\n}\n",
           "an argument with an effect stays");
    is_str(
        cut_last("struct s{int a,b;int c;};int f(void){struct s x={1,2,3};return x.c;}", c17, 6000),
        "struct Ta {\n  int fa, fb;\n  int fc;\n};\n\nint A(void) {\n"
        "  struct Ta a = {1, 2, 3};\n  return a.fc;\n}\n",
        "members that an initialiser counts stay");
}

/* A helper that is too large goes: calls of it that are statements too, others become 0. */
static void test_too_large(void)
{
    static const char text[] =
        "constant int table[40]={1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,"
        "26,27,28,29,30,31,32,33,34,35,36,37,38,39,40};\n"
        "int large(int a){a+=table[a];a+=1;a+=1;a+=1;a+=1;a+=1;a+=1;a+=1;a+=1;a+=1;a+=1;return "
        "a;}\n"
        "kernel void k(global int*p){large(1);if(p[0])large(2);p[1]=large(3)+table[2];}";
    is_str(cut_last(text, opencl, 200),
           "constant int Ga[40] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};\n\n"
           "kernel void A(global int *a) {\n  if (a[0]) {\n  }\n  a[1] = 0 + Ga[2];\n}\n",
           "what is too large loses its largest helpers, and long lists their ends");
}

static void test_samplers(void)
{
    is_str(cut_last("constant sampler_t s=CLK_FILTER_NEAREST;\n"
                    "kernel void k(read_only image2d_t i,global float4*p){\n"
                    "p[0]=read_imagef(i,s,(int2)(0,1));}",
                    opencl, 6000),
           "constant sampler_t Ga = CLK_FILTER_NEAREST;\n\n"
           "kernel void A(read_only image2d_t a, global float4 *b) {\n"
           "  b[0] = read_imagef(a, Ga, (int2)(0, 1));\n}\n",
           "a sampler is found, though clang hides it");
}

static void test_ends(void)
{
    is_str(cut_last("int g(int);int f(void){return g(1);}", c17, 6000), "UNDEFINED",
           "what calls something that is defined nowhere");
    is_str(cut_last("int f(void){__asm__(\"\");return 1;}", c17, 6000), "ASSEMBLY", "assembly");
    is_str(cut_last("int f(void){return 1+1;}", c17, 20), "LARGE", "more bytes than allowed");
}

/* -- preparing -------------------------------------------------------------------------------- */

static const char *mended(const char *text, const char *at, const char *message)
{
    static char out[100];
    struct arena a;
    const char *name, *line;
    struct outline_message m = {
        .error = true, .at = (uint32_t)(strstr(text, at) - text), .text = message};
    arena_init(&a);
    lm_prepare_mend(text, strlen(text), &m, &a, &name, &line);
    snprintf(out, sizeof out, "%s", line);
    arena_release(&a);
    return out;
}

static void test_mending(void)
{
    is_str(mended("REAL x;", "REAL", "unknown type name 'REAL'"), "#define REAL float\n",
           "an unknown type is float");
    is_str(mended("x = N + 1;", "N", "use of undeclared identifier 'N'"), "#define N 1\n",
           "an undeclared name is 1");
    is_str(mended("x = (T)(y);", "T", "use of undeclared identifier 'T'"), "#define T float\n",
           "a cast is to a type");
    is_str(mended("x = LOAD(y);", "LOAD", "use of undeclared identifier 'LOAD'"),
           "#define LOAD(...) (__VA_ARGS__)\n", "a call is its arguments");
    is_str(mended("x;", "x", "expected ';'"), "", "other messages ask for nothing");
}

static void test_pruning(void)
{
    static const char text[] = "int helper(int a) { return other(a); }\n"
                               "int unused(int a) { return helper(a); }\n"
                               "struct s { int x; };\nint other(int a) { return a; }\n"
                               "__kernel void k(void) { helper(1); }\n";
    struct strbuf out;
    strbuf_init(&out, 0);
    lm_prepare_prune(text, strlen(text), &out);
    ok(strstr(out.s, "int helper") && strstr(out.s, "int other") && strstr(out.s, "void k"),
       "what a kernel reaches stays");
    ok(!strstr(out.s, "unused") && strstr(out.s, "struct s"), "functions that it does not go");
    strbuf_release(&out);
}

int main(void)
{
    struct error e;
    struct arena a;
    struct outline l;
    struct outline_job job = {.name = "t.c", .text = "", .arguments = c17};
    test_style();
    test_mending();
    test_pruning();
    arena_init(&a);
    if (outline_read(&job, &a, &l, &e)) {
        printf("# %s\n", e.message);
        printf("ok %d - programs that are cut out # SKIP no libclang\n", ++tap_count);
    } else {
        test_closure();
        test_names();
        test_shrinking();
        test_too_large();
        test_samplers();
        test_ends();
    }
    arena_release(&a);
    return tap_done();
}
