/* Whole programs as text: a table of programs with what they are printed as, then trees that no
 * import makes.
 *
 * Each text of the table is imported, printed and compared; what was printed is imported and
 * printed again and must be the same text, so that nothing is lost on the way. The printed ones go
 * through gcc and clang in printed.py. */
#include "cc/build.h"
#include "cc/import/import.h"
#include "cc/library.h"
#include "cc/print.h"
#include "tap.h"

#include <stdlib.h>

static struct arena arena;
static struct cc_program program;
static struct strbuf text;

static void forget(void)
{
    cc_program_release(&program);
    arena_release(&arena);
}

static void begin(void)
{
    arena_init(&arena);
    cc_program_init(&program, &arena, &cc_lp64);
}

/* Import a text and print it into `text`; false: it cannot be imported. */
static bool print_again(const char *source)
{
    struct parsed parsed;
    struct import import;
    struct error e = {0};
    const struct cc_print_options o = {.whole_main = true, .plain_types = true};
    begin();
    bool good = !parsed_load_text("t.c", source, strlen(source), NULL, &arena, &parsed, &e) &&
                !cc_import(&parsed, "t.c", &program, &import, &e);
    if (!good)
        printf("# line %d: %s\n", e.line, e.message);
    strbuf_clear(&text);
    if (good)
        cc_print_unit(&program, &o, &text);
    forget();
    return good;
}

/* -- imported programs ------------------------------------------------------------------------- */

static const struct {
    const char *what, *source, *wanted; /* wanted NULL: it is printed as it is written */
} programs[] = {
    {"short statements",
     "int f(int a, int b) {\n"
     "  if (a)\n"
     "    return b;\n"
     "  else if (b)\n"
     "    a = 2;\n"
     "  else {\n"
     "    a = 3;\n"
     "    b = 4;\n"
     "  }\n"
     "  while (a)\n"
     "    a--;\n"
     "  do\n"
     "    a++;\n"
     "  while (a < 5);\n"
     "  for (int i = 0, *p = &i; i < a; i++)\n"
     "    b += *p;\n"
     "  for (;;) {}\n"
     "}\n",
     NULL},
    {"an else keeps to its if",
     "int f(int a, int b) {\n"
     "  if (a) {\n"
     "    if (b)\n"
     "      return 1;\n"
     "  } else\n"
     "    return 2;\n"
     "  if (a)\n"
     "    if (b)\n"
     "      return 3;\n"
     "    else\n"
     "      return 4;\n"
     "  if (a) {\n"
     "    while (b)\n"
     "      if (a)\n"
     "        b--;\n"
     "  } else\n"
     "    a = 1;\n"
     "  return 0;\n"
     "}\n",
     NULL},
    {"blocks that declare nothing and null statements are left out",
     "int f(void) { int a = 1; { a++; { a--; } ; } ; return a; }",
     "int f(void) {\n  int a = 1;\n  a++;\n  a--;\n  return a;\n}\n"},
    {"labels need a statement",
     "int f(int a) {\n"
     "  if (a)\n"
     "    goto end;\n"
     "here:;\n"
     "  int b = a;\n"
     "  goto here;\n"
     "end:\n"
     "  a = 1;\n"
     "last:;\n"
     "}\n",
     NULL},
    {"switch",
     "int f(int a) {\n"
     "  switch (a) {\n"
     "  case 1 ... 5:\n"
     "    return 1;\n"
     "  case -3:\n"
     "    if (a) {\n"
     "    case 9:\n"
     "      return 9;\n"
     "    }\n"
     "  default:\n"
     "    break;\n"
     "  }\n"
     "  return 0;\n"
     "}\n",
     NULL},
    {"parentheses that C needs",
     "int a, b, c;\n"
     "int f(void) {\n"
     "  return (a + b) * c - (a - b) << (a & b | c) && (a == b) < c || !(a && -(-b)) ? a : b, c;\n"
     "}\n",
     NULL},
    {"constants have a suffix where it says something",
     "unsigned a = 5;\nlong b;\n"
     "unsigned long f(int c, ...) { a = a + 7U; b = b * 2L; f(3, 4U, 5L); a <<= 2U; a += 1U;\n"
     "return c + 6U + (c < 3L) + ((unsigned char)7U) + -1; }",
     "unsigned a = 5;\nlong b;\n"
     "unsigned long f(int c, ...) {\n  a = a + 7;\n  b = b * 2;\n  f(3, 4U, 5L);\n  a <<= 2;\n"
     "  a += 1;\n  return c + 6U + (c < 3L) + (unsigned char)7 + -1;\n}\n"},
    {"types",
     "unsigned a;\n"
     "unsigned char b;\n"
     "long long c;\n"
     "_Bool d;\n"
     "__int128 e;\n"
     "const volatile int *const *f;\n"
     "int (*g[3])(int, char *(*)(void), ...), (*(*h)())[4];\n"
     "void (*i)(void);\n"
     "int (*j)[];\n"
     "_Alignas(32) static short k;\n",
     NULL},
    {"constants of other types",
     "double a = 1e999;\n"
     "double b = -1e999;\n"
     "float c = 0.1f;\n"
     "double d = __builtin_nan(\"\");\n"
     "double e = -0.0;\n"
     "double h = 1e300;\n"
     "__int128 f = (__int128)1 << 100;\n"
     "int g = (-2147483647 - 1);\n",
     "double a = 1e999, b = -1e999;\n"
     "float c = 0.1f;\n"
     "double d = __builtin_nan(\"\"), e = -0.0, h = 1e300;\n"
     "__int128 f = (__int128)1 << 100;\n"
     "int g = -2147483647 - 1;\n"},
    {"string literals",
     "const char *a = \"\\\"\\\\\\n\\t\\0017?\\?=\\3779\", *b = \"\\0\";\n"
     "char c[3] = \"abc\", d[9] = \"abc\";\n"
     "unsigned char e[2][4] = {\"x\", \"y\\200\"};\n"
     "const int *f = L\"\\x1234\" L\"a\\x10ffffg\";\n"
     "const unsigned short *g = u\"ab\";\n",
     NULL},
    {"lists are as short as they can be",
     "struct s { int a, b; char *c; };\n"
     "int a[100] = {1, 0, 2, [50] = 3, 4, [99] = 5};\n"
     "struct s b = {.c = \"\"};\n"
     "struct s c[2] = {{0}, {1, 2}};\n"
     "double d[5] = {0, 0, 0, -0.0, 0};\n"
     "int e[9] = {0};\n",
     "struct s { int a, b; char *c; };\n"
     "int a[100] = {1, 0, 2, [50] = 3, 4, [99] = 5};\n"
     "struct s b = {.c = \"\"}, c[2] = {{0}, {1, 2}};\n"
     "double d[5] = {[3] = -0.0};\n"
     "int e[9] = {0};\n"},
    {"members without a name",
     "struct s { int a; union { int b; struct { short c, d; }; }; };\n"
     "union u { int a; struct { char b; union { int c; float d; }; }; double e; };\n"
     "struct s a = {1, {.d = 4}};\n"
     "union u b = {.b = 1, .d = 2.5f}, c = {.e = 3.0}, d = {.e = 0.0};\n"
     "int f(struct s *p) {\n"
     "  return p->d + a.c + b.c;\n"
     "}\n",
     NULL},
    {"layouts",
     "struct packed { char a; int b; } __attribute__((packed));\n"
     "struct two {\n"
     "  char a;\n"
     "  int b __attribute__((aligned(2)));\n"
     "} __attribute__((packed));\n"
     "struct member { char a; int b __attribute__((aligned(16))); };\n"
     "struct whole { int a; } __attribute__((aligned(32)));\n"
     "struct bits { int a : 3; unsigned b : 5; unsigned : 0; long long c : 40; };\n"
     "struct tight { int a : 20, b : 20; } __attribute__((packed));\n"
     "struct flexible { int n; char a[]; };\n"
     "struct none { int n; int a[0]; int b; };\n"
     "struct packed a;\n"
     "struct two b;\n"
     "struct member c;\n"
     "struct whole d;\n"
     "struct bits e;\n"
     "struct tight f;\n"
     "struct flexible g;\n"
     "struct none h;\n",
     NULL},
    {"#pragma pack", "#pragma pack(2)\nstruct s { char a; int b; } s;",
     "struct s { char a; int b __attribute__((aligned(2))); } __attribute__((packed));\n"
     "struct s s;\n"},
    {"records in order",
     "struct known { int a; };\n"
     "struct far;\n"
     "struct list { struct list *next; struct other *other; int (*f)(struct far *); };\n"
     "struct outer { struct list a; struct known b[2]; };\n"
     "struct outer a;\n"
     "struct other { struct outer *back; };\n",
     "struct far;\n"
     "struct list { struct list *next; struct other *other; int (*f)(struct far *); };\n"
     "struct known { int a; };\n"
     "struct outer { struct list a; struct known b[2]; };\n"
     "struct outer a;\n"},
    {"tags of all scopes",
     "struct s { int a; } a; int f(void) { struct s { char b; } b = {1}; enum { A, B } c = B;\n"
     "union { int d; } w = {2}; return b.b + c + w.d; }",
     "enum e { A };\nstruct s { int a; };\nstruct s0 { char b; };\nunion u { int d; };\n"
     "struct s a;\n"
     "int f(void) {\n  struct s0 b = {1};\n  enum e c = 1;\n  union u w = {2};\n"
     "  return b.b + c + w.d;\n}\n"},
    {"enumerations have what makes their type",
     "enum a { A, B, C } a = B; enum b { D = 7, E = -2 } b = D; enum c { F = 3 } c; int d = E;",
     "enum a { A };\nenum b { E = -2 };\nenum c { F = 3 };\n"
     "enum a a = 1;\nenum b b = 7;\nenum c c;\nint d = -2;\n"},
    {"globals and functions that are named before",
     "struct s { struct s *next; int (*f)(void); };\n"
     "static int f(void);\n"
     "extern struct s b;\n"
     "struct s a = {&b, f}, b = {&a};\n"
     "static struct s d;\n"
     "static struct s c = {&d}, d = {&c};\n"
     "static int f(void) {\n"
     "  return 1;\n"
     "}\n",
     NULL},
    {"an initialiser that names a later global",
     "extern int later[]; int *a = later; int later[2] = {1}; int *b = (int[]){3};",
     "int later[2] = {1}, *a = later;\nstatic int literal_0[1] = {3};\nint *b = literal_0;\n"},
    {"functions in the old style",
     "int f(a, b) int a; char *b; {\n  return a + *b;\n}\nint main() {\n  return f(1, \"x\");\n}\n",
     NULL},
    {"a call by a declaration without prototype",
     "int f(); int main(void) { return 0 && f(1, 2) && f(3); } int f(int a) { return a; }",
     "int f(int a) {\n  return a;\n}\n"
     "int main(void) {\n  return 0 && ((int (*)())f)(1, 2) && f(3);\n}\n"},
    {"variable arguments",
     "int vprintf(const char *, __builtin_va_list);\n"
     "int f(const char *a, ...) {\n"
     "  __builtin_va_list ap;\n"
     "  __builtin_va_list other;\n"
     "  __builtin_va_list *p = &ap;\n"
     "  __builtin_va_start(ap, a);\n"
     "  __builtin_va_copy(other, *p);\n"
     "  __builtin_va_arg(ap, int);\n"
     "  __builtin_va_arg(ap, char *(*)(int));\n"
     "  vprintf(a, other);\n"
     "  __builtin_va_end(ap);\n"
     "}\n",
     NULL},
    {"the library",
     "#include <stdio.h>\n#include <string.h>\n"
     "int main(void) { fprintf(stdout, \"%d\", 3); putchar(10); __builtin_printf(\"a\");\n"
     "return strlen(\"abc\") - 3; }",
     "struct _IO_FILE;\n"
     "int fprintf(struct _IO_FILE *, const char *, ...);\n"
     "int putchar(int);\n"
     "unsigned long strlen(const char *);\n"
     "extern struct _IO_FILE *stdout;\n"
     "int main(void) {\n  fprintf(stdout, \"%d\", 3);\n  putchar(10);\n"
     "  __builtin_printf(\"a\");\n  return strlen(\"abc\") - 3;\n}\n"},
    {"GNU's expressions",
     "int f(int a) {\n"
     "  int b = ({\n"
     "    int c = a ?: 3;\n"
     "    c * 2;\n"
     "  });\n"
     "  ({\n"
     "    {\n"
     "      b++;\n"
     "    }\n"
     "  });\n"
     "  return b;\n"
     "}\n",
     NULL},
    {"pointers",
     "int f(int *p, void *q, char **r) { q = p; r = q; r = p; p = 0; if (p == 0 || (void *)0 != "
     "q)\n"
     "p = q ? p : 0; f(0, (void *)0, 0); printf(\"%p\", (int *)0); return *(int *)0 + (p - (int "
     "*)q); }\n",
     "int printf(const char *, ...);\n"
     "int f(int *p, void *q, char **r) {\n"
     "  q = p;\n"
     "  r = q;\n"
     "  r = (char **)p;\n"
     "  p = 0;\n"
     "  if (p == 0 || 0 != q)\n"
     "    p = q ? p : (void*)0;\n"
     "  f(0, 0, 0);\n"
     "  printf(\"%p\", (void*)0);\n"
     "  return *(int *)0 + (p - (int *)q);\n"
     "}\n"},
    {"compound literals and static locals",
     "struct s { int a; };\n"
     "int f(struct s a) {\n"
     "  static int n = 3;\n"
     "  register int b = n;\n"
     "  return f((struct s){4}) + *(int[2]){1, 2} + b + ((struct s){5}).a;\n"
     "}\n",
     NULL},
    {"a name that another one hides",
     "int x[3]; int f(void) { int r = 0; { int x = 3; { extern int x[3]; r = x[1]; } r += x; }\n"
     "return r; }",
     "int x[3];\n"
     "int f(void) {\n  int r = 0;\n  {\n    int x0 = 3;\n    r = x[1];\n    r += x0;\n  }\n"
     "  return r;\n}\n"},
    {"vectors",
     "typedef int v __attribute__((vector_size(16))); typedef float w "
     "__attribute__((vector_size(16)));\n"
     "v a; w f(v b) { return (w)(a + b) + 2.0f + (w)(v){(a * b)[2]}; }",
     "typedef int vec4_int __attribute__((vector_size(16)));\n"
     "typedef float vec4_float __attribute__((vector_size(16)));\n"
     "vec4_int a;\n"
     "vec4_float f(vec4_int b) {\n"
     "  return ((vec4_float)(a + b)) + (vec4_float){2.0f, 2.0f, 2.0f, 2.0f} + "
     "((vec4_float)(vec4_int){(a * b)[2]});\n"
     "}\n"},
    {"overflow builtins",
     "int r;\n"
     "int f(long a, int b) {\n"
     "  return __builtin_add_overflow(a, b, &r) + __builtin_mul_overflow((int)a, b, &r);\n"
     "}\n",
     NULL},
    {"one of a type", "int r; int f(long a, int b) { return __builtin_sadd_overflow(a, b, &r); }",
     "int r;\nint f(long a, int b) {\n  return __builtin_add_overflow((int)a, b, &r);\n}\n"},
};

static void test_programs(void)
{
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        const char *wanted = programs[i].wanted ? programs[i].wanted : programs[i].source;
        if (!ok(print_again(programs[i].source), "imported: %s", programs[i].what))
            continue;
        is_str(text.s, wanted, "%s", programs[i].what);
        char *first = strdup(text.s);
        if (ok(print_again(first), "imported again: %s", programs[i].what))
            is_str(text.s, first, "and the same: %s", programs[i].what);
        free(first);
    }
}

/* A prototype only where a function is named before its definition; main is the last one. Imported
 * again, k stands where its prototype does. */
static void test_prototypes(void)
{
    ok(print_again(
           "int h(); static int f(int a) { return a ? f(a) : h(); } int g(int a) { return f(a); }\n"
           "static int k(void); int main(void) { return k() + g(1); }\n"
           "int h() { return k(); } static int k(void) { return 0; }"),
       "imported: prototypes");
    is_str(text.s,
           "static int k(void);\n"
           "int h() {\n  return k();\n}\n"
           "static int f(int a) {\n  return a ? f(a) : h();\n}\n"
           "int g(int a) {\n  return f(a);\n}\n"
           "static int k(void) {\n  return 0;\n}\n"
           "int main(void) {\n  return k() + g(1);\n}\n",
           "prototypes");
}

/* -- trees that were changed ------------------------------------------------------------------- */

static const struct cc_type *basic(enum cc_kind kind)
{
    return cc_basic(&program.types, kind);
}

static struct cc_expr *number(int v)
{
    return cc_int(&program, basic(CC_INT), v, CC_DECIMAL);
}

static struct cc_func *function(const char *name, enum cc_kind result)
{
    struct cc_func *f = cc_function(&program, name, basic(result), NULL, 0);
    f->body = cc_block(&program);
    return f;
}

/* main that stands beside the others, as in every program. */
static struct cc_func *make_main(void)
{
    struct cc_func *f = function("main", CC_INT);
    f->storage = CC_EXTERN;
    program.funcs.n--;
    program.main = f;
    return f;
}

static struct cc_func *make_printf(void)
{
    const struct cc_type *params[] = {
        cc_pointer_to(&program.types, cc_qualified(&program.types, basic(CC_CHAR), CC_CONST))};
    struct cc_func *f = cc_function_of(
        &program, "printf",
        cc_function_type_of(&program.types, basic(CC_INT), params, 1, true, false), NULL, 0);
    f->library = CC_LIB_PRINTF;
    return f;
}

static void print_value(struct cc_func *f, struct cc_func *printer, struct cc_expr *value)
{
    struct cc_expr *args[] = {
        cc_string(&program, cc_array_of(&program.types, basic(CC_CHAR), 3), "%d", 2), value};
    cc_append(f->body,
              cc_expr_stmt(&program, cc_call(&program, cc_func_use(&program, printer), args, 2)));
}

static void prints(struct cc_print_options o, const char *wanted, const char *what)
{
    o.whole_main = true;
    strbuf_clear(&text);
    cc_print_unit(&program, &o, &text);
    is_str(text.s, wanted, "%s", what);
}

/* A generated program whose main was exchanged: two units, a wrapped sum, an attribute, a packed
 * record, a comment. */
static void test_generated(void)
{
    begin();
    struct cc_program *p = &program;
    struct cc_field fields[] = {{.name = "a", .type = basic(CC_CHAR), .bits = -1},
                                {.name = "b", .type = basic(CC_UINT), .bits = -1}};
    const struct cc_type *record = cc_record_type(&p->types, "r", false, true, fields, 2);
    struct cc_var *g = cc_global(p, "g", basic(CC_INT), number(3));
    struct cc_var *s = cc_global(p, "s", record, NULL);
    struct cc_func *printer = make_printf(), *f = function("f", CC_INT), *m = make_main();
    p->n_units = 2;
    f->unit = g->unit = 1;
    f->attributes = CC_ATTR_NOINLINE;
    f->comment = "what it does";
    struct cc_expr *sum = cc_binary(p, CC_ADD, cc_use(p, g), number(1));
    cc_make_safe(sum);
    struct cc_stmt *note = cc_stmt(p, CC_S_COMMENT);
    note->name = "nothing";
    cc_append(f->body, note);
    cc_append(f->body, cc_return(p, f, sum));
    print_value(m, printer, cc_call(p, cc_func_use(p, f), NULL, 0));
    print_value(m, printer, cc_member(p, cc_use(p, s), 1));
    prints((struct cc_print_options){.unit = 0},
           "typedef int int32_t;\ntypedef unsigned int uint32_t;\n"
           "struct r { char a; uint32_t b; } __attribute__((packed));\n"
           "int32_t printf(const char *, ...);\n"
           "__attribute__((noinline)) int32_t f(void);\n"
           "static struct r s;\n"
           "int32_t main(void) {\n  printf(\"%d\", f());\n  printf(\"%d\", s.b);\n}\n",
           "the unit of main");
    prints((struct cc_print_options){.unit = 1, .plain_types = true},
           "static inline int safe_add_func_int32_t_s_s(int a, int b)\n{\n"
           "    return (b > 0 && a > 2147483647 - b) || (b < 0 && a < (-2147483647 - 1) - b) ? a : "
           "a + b;\n}\n"
           "static int g = 3;\n"
           "__attribute__((noinline)) int f(void) {\n"
           "  return safe_add_func_int32_t_s_s(g, 1);\n}\n",
           "another one, with a wrapper");
    prints((struct cc_print_options){.unit = 0,
                                     .plain_types = true,
                                     .no_attributes = true,
                                     .language = CC_CXX17,
                                     .header = "made"},
           "/* made */\n"
           "#pragma pack(push, 1)\nstruct r { char a; unsigned b; };\n#pragma pack(pop)\n"
           "extern \"C\" int printf(const char *, ...);\n"
           "int f(void);\n"
           "static struct r s;\n"
           "int main(void) {\n  printf(\"%d\", f());\n  printf(\"%d\", s.b);\n}\n",
           "C++ without attributes");
    struct strbuf header, units[2];
    strbuf_init(&header, 0);
    strbuf_init(&units[0], 0);
    strbuf_init(&units[1], 0);
    struct cc_print_options o = {.whole_main = true, .plain_types = true, .wrappers = CC_WRAP_NONE};
    cc_print_parts(p, &o, &header, units);
    is_str(header.s,
           "#ifndef INIT_H\n#define INIT_H\n"
           "struct r { char a; unsigned b; } __attribute__((packed));\n"
           "__attribute__((noinline)) int f(void);\n"
           "extern int g;\nextern struct r s;\n#endif\n",
           "a header");
    is_str(units[0].s,
           "#include \"init.h\"\nint printf(const char *, ...);\nstruct r s;\n"
           "int main(void) {\n  printf(\"%d\", f());\n  printf(\"%d\", s.b);\n}\n",
           "the unit of main that includes it");
    is_str(units[1].s,
           "#include \"init.h\"\nint g = 3;\n"
           "__attribute__((noinline)) int f(void) {\n  return g + 1;\n}\n",
           "the other one");
    strbuf_release(&header);
    strbuf_release(&units[0]);
    strbuf_release(&units[1]);
    forget();
}

/* Names that a change brought together: a local of the callee beside one of the caller, a use of a
 * variable behind one that hides it, two labels, a function that a local hides. */
static void test_names(void)
{
    begin();
    struct cc_program *p = &program;
    struct cc_var *g = cc_global(p, "x", basic(CC_INT), NULL);
    struct cc_func *f = function("y", CC_INT), *m = make_main();
    cc_append(f->body, cc_return(p, f, number(1)));
    struct cc_var *a = cc_local(p, "x", basic(CC_INT), cc_use(p, g));
    struct cc_var *b = cc_local(p, "x", basic(CC_INT), cc_use(p, a));
    struct cc_var *y = cc_local(p, "y", basic(CC_INT), NULL);
    struct cc_stmt *one = cc_label(p, "l"), *two = cc_label(p, "l");
    cc_append(m->body, cc_decl(p, a));
    cc_append(m->body, cc_decl(p, b));
    cc_append(m->body, cc_decl(p, y));
    cc_append(m->body, one);
    cc_append(m->body, cc_expr_stmt(p, cc_call(p, cc_func_use(p, f), NULL, 0)));
    cc_append(m->body, two);
    cc_append(m->body, cc_goto(p, one));
    cc_append(m->body, cc_goto(p, two));
    cc_append(m->body, cc_return(p, m, cc_binary(p, CC_ADD, cc_use(p, b), cc_use(p, y))));
    prints((struct cc_print_options){.plain_types = true},
           "static int x;\n"
           "static int y(void) {\n  return 1;\n}\n"
           "int main(void) {\n  int x0 = x;\n  int x = x0;\n  int y0;\nl:\n  y();\nl0:\n  goto l;\n"
           "  goto l0;\n  return x + y0;\n}\n",
           "names");
    forget();
}

int main(void)
{
    strbuf_init(&text, 0);
    test_programs();
    test_prototypes();
    test_generated();
    test_names();
    strbuf_release(&text);
    return tap_done();
}
