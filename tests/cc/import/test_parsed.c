/* Reading C through libclang: what the tables say of small texts.
 *
 * Most checks are rows of a table: a text, and lines of its dump (parsed_dump) that must be there,
 * in this order. Blanks at the start of a line are not compared, so that a row can name the lines
 * that matter; what is nested in what is pinned by a few rows with `deep`, and by the checks of
 * parsed_check, which every text passes on its way. */
#include "dump.h"
#include "base/fs.h"
#include "cc/import/parsed_internal.h"
#include "tap.h"

#include <signal.h>
#include <unistd.h>

static struct arena arena;
static struct parsed p;
static struct error error;

static bool load(const char *text)
{
    arena_reset(&arena);
    if (!parsed_load_text("test.c", text, strlen(text), NULL, &arena, &p, &error))
        return true;
    printf("# %s:%d: %s\n", error.file, error.line, error.message);
    return false;
}

/* -- dumps ------------------------------------------------------------------------------------ */

struct row {
    const char *what, *text;
    const char *lines[14]; /* each stands in the dump, in this order */
};

static const struct row rows[] = {
    {"a missing part of for: each alone",
     "void f(int n) { for (;;) break; for (n = 1;;) break; for (; n < 2;) break; for (;; n++) "
     "break; "
     "}",
     {"for (1)\nnothing (0)\nnothing (0)\nnothing (0)\nbreak (1)",
      "for (1)\nassignment = <int> (1)\nuse n",
      "integer constant <int> = 1 (1)\nnothing (0)\nnothing (0)\nbreak (1)",
      "for (1)\nnothing (0)\nbinary operator < <int> (1)",
      "integer constant <int> = 2 (1)\nnothing (0)\nbreak (1)",
      "for (1)\nnothing (0)\nnothing (0)\nunary operator ++ <int> postfix (1)"}},
    {"semicolons that do not count",
     "void f(int n) {\n for (/* ; */ n = \";\"[0]; // ;\n ; n += ';')\n break; }",
     {"for (2)\nassignment = <int> (2)", "string literal <char[2]> \";\" (2)",
      "integer constant <int> = 0 (2)\nnothing (0)\nassignment + <int> (3)",
      "integer constant <int> = 59 (3)\nbreak (4)"}},
    {"for out of a macro's body",
     "#define EACH(i) for (i = 0; \\\n ; i++)\nvoid f(int i) { EACH(i) break; }",
     {"for macro (3)\nassignment = <int> (3)\nuse i <int> -> line 3 (3)\n"
      "integer constant <int> = 0 macro (3)\nnothing (0)\nunary operator ++ <int> postfix (3)"}},
    {"for whose parts cannot be told",
     "#define NO\n#define STEP i++\nvoid f(int i) { for (NO; NO; STEP) break; }",
     {"statement \"for (NO; NO; STEP) break\" (3)"}},
    {"strings: escapes, NUL, concatenation",
     "char *s = \"a\\0b\" \"\\x41\" \"1\\\"\\n\\377\";",
     {"string literal <char[9]> \"a\\000bA1\\042\\012\\377\" (1)"}},
    {"wide strings",
     "int *s = L\"a\\x1234\" L\"b\"; unsigned short *u = u\"\\U0001F600\";",
     {"string literal <int[4]> \"a\\000\\000\\0004\\022\\000\\000b\\000\\000\\000\" (1)",
      "string literal <unsigned short[3]> \"=\\330\\000\\336\" (1)"}},
    {"constants",
     "unsigned long long a = 0xffffffffffffffffULL; int b = 'a', c = -3; double d = 0.1;\n"
     "float e = 0x1p-3f; long double g = 0.5L; int h = '\\377'; long i = 1234567890123;",
     {"integer constant <unsigned long long> = 18446744073709551615 (1)",
      "integer constant <int> = 97 (1)", "unary operator - <int> (1)\ninteger constant <int> = 3",
      "floating constant <double> = 0.10000000000000001 (1)",
      "floating constant <float> = 0.125 (2)", "floating constant <long double> = 0.5 \"0.5L\" (2)",
      "integer constant <int> = -1 (2)", "integer constant <long> = 1234567890123 (2)"}},
    {"constants that clang folds, and those it must not",
     "#include <stddef.h>\nstruct s { int a, b[4]; };\nenum { E = 7 };\nint x;\n"
     "int a = sizeof x, b = offsetof(struct s, b[2]), c = _Alignof(double), d = E, e = 1 + 2,\n"
     " f = __builtin_types_compatible_p(int, long), g = __builtin_choose_expr(1, 4, x);",
     {"integer constant <unsigned long> = 4 folded (5)",
      "integer constant <unsigned long> = 12 folded macro (5)",
      "integer constant <unsigned long> = 8 folded (5)", "use E <int> -> line 3 (5)",
      "binary operator + <int> (5)\ninteger constant <int> = 1 (5)\ninteger constant <int> = 2 (5)",
      "integer constant <int> = 0 folded (6)", "integer constant <int> = 4 (6)"}},
    {"variable length arrays",
     "int f(int n, int m[n]) { int v[n][n + 1]; return sizeof v + sizeof(int[n]) + m[0]; }",
     {"parameter m <int *> (1)\nuse n <int> -> line 1 (1)",
      "variable v <int[n][n + 1]> defined (1)\nnothing (0)\nuse n <int> -> line 1 (1)\n"
      "binary operator + <int> (1)\nuse n",
      "sizeof <unsigned long> (1)\nuse v", "sizeof <unsigned long> (1)\nuse n",
      "subscript <int> (1)\nuse m <int *> -> line 1 (1)"}},
    {"cases",
     "int f(int n) { switch (n) { case 1 ... 3: n = 2; case 'a': case 1 + 4: break; default:; } "
     "return n; }",
     {"switch (1)\nuse n <int> -> line 1 (1)\nblock (1)",
      "case = 1 ... 3 (1)\ninteger constant <int> = 1 (1)\ninteger constant <int> = 3 (1)\n"
      "assignment",
      "case = 97 (1)\ninteger constant <int> = 97 (1)\nnothing (0)\ncase = 5 (1)\nbinary operator "
      "+",
      "break (1)", "default (1)\nempty statement (1)"}},
    {"statements",
     "int f(int n) {\n if (n) ; else n--;\n while (n) continue;\n do { } while (0);\n"
     " goto out;\n void *l = &&out; goto *l;\nout:\n return;\n}",
     {"if (2)\nuse n <int> -> line 1 (2)\nempty statement (2)\nunary operator -- <int> postfix (2)",
      "while (3)\nuse n <int> -> line 1 (3)\ncontinue (3)",
      "do (4)\nblock (4)\ninteger constant <int> = 0 (4)", "goto out -> line 7 (5)",
      "address of a label <void *> -> line 7 (6)", "computed goto (6)\nuse l", "label out (7)",
      "return (8)\nnothing (0)"}},
    {"designators",
     "struct s { int a; int b[4]; } x = {.b = {[1] = 2, [2 ... 3] = 4}, a: 5};\n"
     "int q[2][2] = {[1][0] = 3, 4, {5}};",
     {"initialiser list <struct s> (1)",
      "designator b -> line 1 (1)\ninitialiser list <int[4]> (1)", "designator = 1 (1)\n",
      "designator = 2 ... 3 (1)\ninteger constant <int> = 4 (1)",
      "designator a -> line 1 (1)\ninteger constant <int> = 5 (1)",
      "designator = 1 (2)\ndesignator = 0 (2)\ninteger constant <int> = 3 (2)",
      "integer constant <int> = 4 (2)\ninitialiser list"}},
    {"anonymous members",
     "struct s { int a; struct { int b; union { int c; float d; }; }; } x = {.c = 1}, *p;\n"
     "int f(void) { return x.c + p->d + p->b; }",
     {"struct or union <union s::", "member c <int> at 0 (1)\nmember d <float> at 0 (1)",
      "member b <int> at 0 (1)\nmember <union s::", "at 32 (1)", "struct or union s <struct s>",
      "member a <int> at 0 (1)\nmember <struct s::",
      "designator -> line 1 (1)\n"
      "designator -> line 1 (1)\ndesignator c -> line 1 (1)",
      "member access c <int> -> line 1 (2)\nmember access <union s::", "member access <struct s::",
      "use x <struct s>", "member access d <float> -> line 1 (2)\nmember access <union s::",
      ":19)> -> -> line 1 (2)\nuse p", "member access b <int> -> line 1 (2)",
      ":19)> -> -> line 1 (2)\nuse p"}},
    {"bit-fields",
     "struct s { unsigned a : 3; int : 5; int b : 4; int : 0; long c; };\nstruct s x;",
     {"member a <unsigned int> = 3 at 0 (1)", "member <int> = 5 at 3 (1)",
      "member b <int> = 4 at 8 (1)", "member <int> = 0 at 32 (1)", "member c <long> at 64 (1)"}},
    {"redeclarations lead to one node",
     "extern int x;\nint x;\nint x = 1;\nint f(void);\nint g(void) { extern int x; return f() + x; "
     "}\n"
     "int f(void) { return x; }",
     {"variable x <int> global extern -> line 3 (1)",
      "variable x <int> global defined -> line 3 (2)", "variable x <int> global defined (3)",
      "function f <int (void)> -> line 6 (4)", "variable x <int> global extern -> line 3 (5)",
      "use f <int (void)> -> line 6 (5)", "use x <int> -> line 3 (5)",
      "function f <int (void)> defined (6)", "use x <int> -> line 3 (6)"}},
    {"tentative definitions, static locals",
     "extern int x;\nint x;\nint x;\nint f(void) { static int s; register int r; return x + s; }",
     {"variable x <int> global extern -> line 2 (1)", "variable x <int> global defined (2)",
      "variable x <int> global defined -> line 2 (3)", "variable s <int> static defined (4)",
      "variable r <int> register defined (4)", "use x <int> -> line 2 (4)"}},
    {"parameters are adjusted",
     "int f(int a[3], int g(void), char **v) { a++; v = v; return *a + g() + (0, a)[1]; }",
     {"parameter a <int *> (1)", "parameter g <int (*)(void)> (1)", "parameter v <char **> (1)",
      "unary operator ++ <int *> postfix (1)\nuse a <int *> -> line 1 (1)",
      "binary operator , <int *> (1)"}},
    {"old style functions and implicit ones",
     "f(a, b) char *b; { return g(a) + *b; }\nmain() { f(1, \"\"); abort(); }",
     {"function abort <void (void)", "implicit (2)\nnothing (0)", "function g <int ()> ",
      "implicit",
      "function f <int (int, char *)> defined (1)\nparameter a <int> (1)\nparameter b <char *> (1)",
      "call <int> (1)\nuse g", "function main <int ()> defined (2)", "call <void> (2)\nuse abort"}},
    {"attributes",
     "int x __attribute__((aligned(16), unused));\ntypedef int v4 "
     "__attribute__((vector_size(16)));\n"
     "void die(void) __attribute__((noreturn));\n__attribute__((__noinline__)) int f(void)\n"
     "{ return 0; }\nstruct s { int a __attribute__((packed)); } __attribute__((__packed__));\n"
     "int y __asm__(\"z\"); int w;\n",
     {"variable x <int> \"aligned unused\" global defined attributes (1)",
      "typedef v4 <__attribute__((__vector_size__(4 * sizeof(int)))) int> \"vector_size\" "
      "attributes (2)",
      "function die <void (void) __attribute__((noreturn))> \"noreturn\" attributes (3)",
      "function f <int (void)> \"noinline\" defined attributes (4)",
      "struct or union s <struct s> \"packed\" defined attributes (6)",
      "member a <int> at 0 \"packed\" attributes (6)",
      "variable y <int> \"asm\" global defined attributes (7)",
      "variable w <int> global defined (7)"}},
    {"hidden expressions",
     "#include <stdarg.h>\nint f(int n, ...) {\n va_list ap; va_start(ap, n);\n"
     " n = va_arg(ap, int);\n n = n ?: 3;\n const char *s = __func__;\n"
     " n = __extension__ ({ int k = 3; k; });\n n = _Generic(1.0f, int: 4, float: 5.0f);\n"
     " __atomic_store_n(&n, 7, __ATOMIC_SEQ_CST);\n _Complex double c = 2.0i;\n"
     " return __real__ c;\n}",
     {"variable ap <struct __va_list_tag[1]>", "va_arg <int> macro (4)\nuse ap",
      "conditional <int> (5)\nuse n <int> -> line 2 (5)\nnothing (0)\ninteger constant <int> = 3",
      "string literal <const char[2]> \"f\" (6)", "statement expression <int> (7)\nblock (7)",
      "floating constant <float> = 5 (8)",
      "call <void> (9)\nuse __atomic_store_n -> line 0 (9)\nunary operator & <int *> (9)\nuse n",
      "integer constant <int> = 7 (9)\ninteger constant <int> = 5 macro (9)",
      "imaginary constant <_Complex double> = 2 (10)", "unary operator r <double> (11)\nuse c"}},
    {"asm and other declarations",
     "asm(\"nop\");\n_Static_assert(1, \"x\");\nint f(int n) { __asm__(\"\" : \"+r\"(n)); return "
     "n; }",
     {"declaration \"asm(\\042nop\\042)\" (1)",
      "declaration \"_Static_assert(1, \\042x\\042)\" (2)",
      "asm \"__asm__(\\042\\042 : \\042+r\\042(n))\" (3)\nuse n <int> -> line 3 (3)"}},
    {"types are canonical",
     "typedef const int ci; ci a[2][3]; typedef struct { int q; } T; T t; volatile T *const p = "
     "&t;\n"
     "enum e { A = -1 }; enum e v = A; struct s; struct s *o; _Atomic int at;",
     {"variable a <const int[2][3]> global defined (1)", "struct or union <T> defined (1)",
      "variable t <T> global defined (1)", "variable p <volatile T *const> global defined (1)",
      "enumeration e <enum e> defined (2)\nenumerator A <int> = -1 (2)",
      "use A <int> -> line 2 (2)", "struct or union s <struct s> (2)",
      "variable at <_Atomic(int)> global defined (2)"}},
    {"casts and literals",
     "struct s { int a; };\nint f(int n) { typeof(n) k = (typeof(n))n; char *c = "
     "(char[]){\"ab\"};\n"
     " return ((struct s){n}).a + k + c[0] + 1[c]; }",
     {"variable k <int> defined (2)\ncast <int> (2)\nuse n <int> -> line 2 (2)",
      "compound literal <char[3]> (2)\ninitialiser list <char[3]> (2)\nstring literal <char[3]> "
      "\"ab\" (2)",
      "member access a <int> -> line 1 (3)\ncompound literal <struct s> (3)\ninitialiser list "
      "<struct s> (3)\nuse n",
      "subscript <char> (3)\ninteger constant <int> = 1 (3)\nuse c"}},
    {"compound assignment and comma",
     "int f(int a, int b) { a <<= 2; a %= b; return a = 1, a && b || a != b; }",
     {"assignment << <int> (1)", "assignment % <int> (1)", "binary operator , <int> (1)",
      "assignment = <int> (1)", "binary operator || <int> (1)", "binary operator && <int> (1)",
      "binary operator != <int> (1)"}},
};

/* The dump without what is nested in what. */
static char *flat_dump(void)
{
    struct strbuf b, flat;
    strbuf_init(&b, 0);
    strbuf_init(&flat, 0);
    parsed_dump(&p, &b);
    for (const char *s = b.s; *s;) {
        s += strspn(s, " ");
        size_t n = strcspn(s, "\n");
        strbuf_add(&flat, s, n + (s[n] == '\n'));
        s += n + (s[n] == '\n');
    }
    char *text = arena_strdup(&arena, flat.s);
    strbuf_release(&b);
    strbuf_release(&flat);
    return text;
}

static void check_row(const struct row *row)
{
    bool loaded = load(row->text);
    const char *at = loaded ? flat_dump() : "", *all = at, *lost = loaded ? NULL : "anything";
    for (int i = 0; i < 14 && row->lines[i] && !lost; i++) {
        const char *found = strstr(at, row->lines[i]);
        if (found)
            at = found + strlen(row->lines[i]);
        else
            lost = row->lines[i];
    }
    if (!ok(!lost, "%s", row->what)) {
        tap_note("missing", lost);
        tap_note("in", at);
        tap_note("of", all);
    }
}

/* -- walks ------------------------------------------------------------------------------------ */

/* The n-th node of the kind with the name (NULL: any), in preorder; 0: there is none. */
static uint32_t find(enum parsed_kind kind, const char *name, int n)
{
    for (uint32_t i = 1; i < p.n_nodes; i++)
        if (p.nodes[i].kind == kind &&
            (!name || !strcmp(parsed_string(&p, p.nodes[i].name), name)) && !n--)
            return i;
    return 0;
}

static const struct parsed_node *get(enum parsed_kind kind, const char *name, int n)
{
    return &p.nodes[find(kind, name, n)];
}

static void test_places(void)
{
    const char *text = "#define TWICE(a) ((a) + (a) + x)\n#define alias x\n#define y (y)\nint x;\n"
                       "int z;\n#undef y\nint y;\n#define y (y)\n"
                       "int f(void) { return TWICE(z) + alias + y; }\n";
    ok(load(text), "uses in macros load");
    const struct parsed_node *first = get(PARSED_USE, "z", 0), *second = get(PARSED_USE, "z", 1);
    ok(first->at && first->at == second->at, "an argument used twice has two nodes, one place");
    ok(!(first->flags & PARSED_IN_MACRO) && text[first->at] == 'z', "and can be edited there");
    is_int(first->line, 9, "its line");
    is_int(first->column, 28, "its column");
    for (int i = 0; i < 2; i++)
        ok(get(PARSED_USE, "x", i)->flags & PARSED_IN_MACRO, "a use in a macro's body (%d)", i);
    ok(get(PARSED_USE, "y", 0)->flags & PARSED_IN_MACRO,
       "a macro of the variable's name, though the name stands there");
    is_int(p.macro_uses, 3, "uses in macro bodies are counted");
    const struct parsed_node *var = get(PARSED_VAR, "z", 0);
    ok(!strncmp(text + var->begin, "int z", var->end - var->begin) && text[var->at] == 'z',
       "extent and place of a declaration");
    is_int(p.nodes[1].kind, PARSED_UNIT, "node 1 is the unit");
    is_str(p.source, text, "the source comes along");
}

static void test_types(void)
{
    ok(load("typedef int t; const t a[2]; const int b[2]; int *p; t *q; struct s { struct s *n; } "
            "s;\n"
            "void f(const char *, ...); void g(); union u { int a; } u; void h(void) "
            "__attribute__((noreturn)); void k(void); enum { A } e; extern double v[];\n"
            "float c __attribute__((vector_size(8))); _Complex float cc; __int128 i;"),
       "types load");
    uint32_t a = get(PARSED_VAR, "a", 0)->type;
    is_int(a, get(PARSED_VAR, "b", 0)->type, "the same array type has one number");
    is_int(p.types[a].quals, 0, "an array has no qualifiers,");
    is_int(p.types[p.types[a].to].quals, PARSED_CONST, "its elements have");
    is_int(p.types[a].length, 2, "its length");
    is_int(p.types[a].size, 8, "its size");
    is_int(get(PARSED_VAR, "p", 0)->type, get(PARSED_VAR, "q", 0)->type, "typedefs are gone");
    const struct parsed_type *s = &p.types[get(PARSED_VAR, "s", 0)->type];
    is_int(s->kind, PARSED_T_RECORD, "a record");
    is_int(s->decl, find(PARSED_RECORD, "s", 0), "its declaration");
    const struct parsed_type *n = &p.types[p.nodes[p.nodes[s->decl].first].type];
    ok(n->kind == PARSED_T_POINTER && &p.types[n->to] == s, "a record that refers to itself");
    const struct parsed_type *f = &p.types[get(PARSED_FUNCTION, "f", 0)->type];
    ok(f->variadic && f->n_params == 1 && p.types[f->to].kind == PARSED_T_VOID, "a variadic type");
    is_int(p.types[p.types[p.params[f->params]].to].quals, PARSED_CONST, "of a pointer to const");
    ok(p.types[get(PARSED_FUNCTION, "g", 0)->type].unprototyped, "no prototype");
    ok(p.types[get(PARSED_VAR, "u", 0)->type].is_union && !s->is_union, "a union");
    is_int(get(PARSED_FUNCTION, "h", 0)->type, get(PARSED_FUNCTION, "k", 0)->type,
           "noreturn is no type of its own");
    const struct parsed_type *e = &p.types[get(PARSED_VAR, "e", 0)->type];
    ok(e->kind == PARSED_T_ENUM && p.types[e->to].kind == PARSED_T_UINT, "an enum and its integer");
    is_int(p.types[get(PARSED_VAR, "v", 0)->type].kind, PARSED_T_INCOMPLETE_ARRAY, "no length");
    const struct parsed_type *v = &p.types[get(PARSED_VAR, "c", 0)->type];
    ok(v->kind == PARSED_T_VECTOR && v->length == 2, "a vector");
    is_int(p.types[get(PARSED_VAR, "cc", 0)->type].kind, PARSED_T_COMPLEX, "a complex type");
    is_int(p.types[get(PARSED_VAR, "i", 0)->type].size, 16, "128 bits");
}

static void test_includes(void)
{
    ok(load("#include <stdio.h>\n#include <stdarg.h>\n#include <limits.h>\n#include <stdlib.h>\n"
            "int main(void) { fprintf(stderr, \"%d\", INT_MAX); exit(0); }"),
       "the library's headers are found");
    uint32_t seen = 0, last = 0;
    bool in_front = true;
    for (uint32_t i = p.nodes[1].first; i; i = p.nodes[i].next, seen++) {
        in_front &=
            !(p.nodes[i].flags & PARSED_INCLUDED) == (i == find(PARSED_FUNCTION, "main", 0));
        last = i;
    }
    is_int(last, find(PARSED_FUNCTION, "main", 0), "what is included comes first");
    ok(in_front, "and is marked");
    ok(seen < 15, "only what is needed (%u declarations)", seen);
    uint32_t record = find(PARSED_RECORD, "_IO_FILE", 0);
    ok(record && record < find(PARSED_VAR, "stderr", 0), "with what it needs in turn");
    const struct parsed_node *f = get(PARSED_FUNCTION, "fprintf", 0);
    ok(!(f->flags & PARSED_IMPLICIT), "a declared function of the library is not implicit");
    ok(f->line > 1 && !f->end, "its line is one of its own file");
    is_str(parsed_string(&p, p.nodes[f->first].name), "__stream", "it is the one that is written");
}

/* -- errors ----------------------------------------------------------------------------------- */

static int crash(const struct parse_job *job, struct arena *a, struct parsed *out, struct error *e)
{
    (void)job, (void)a, (void)out, (void)e;
    raise(SIGSEGV);
    return 0;
}

static int leave(const struct parse_job *job, struct arena *a, struct parsed *out, struct error *e)
{
    (void)a, (void)out, (void)e;
    if (job)
        _exit(7);
    return 0;
}

static int spin(const struct parse_job *job, struct arena *a, struct parsed *out, struct error *e)
{
    (void)a, (void)out, (void)e;
    for (volatile const struct parse_job *j = job; j->n < SIZE_MAX;)
        ;
    return 0;
}

static int sleep_on(const struct parse_job *job, struct arena *a, struct parsed *out,
                    struct error *e)
{
    (void)job, (void)a, (void)out, (void)e;
    while (pause() <= 0)
        ;
    return 0;
}

/* Tables that a library in agony could leave. */
static void (*spoil)(struct parsed *);
static int spoiled(const struct parse_job *job, struct arena *a, struct parsed *out,
                   struct error *e)
{
    int bad = parsed_reader(e)(job, a, out, e);
    spoil(out);
    return bad;
}

static void spoil_child(struct parsed *t)
{
    t->nodes[2].first = 1;
}
static void spoil_next(struct parsed *t)
{
    t->nodes[t->n_nodes - 1].next = 0x7fffffff;
}
static void spoil_kind(struct parsed *t)
{
    t->nodes[2].kind = PARSED_N_KINDS;
}
static void spoil_use(struct parsed *t)
{
    for (uint32_t i = 1; i < t->n_nodes; i++)
        if (t->nodes[i].kind == PARSED_USE)
            t->nodes[i].ref = 1;
}
static void spoil_text(struct parsed *t)
{
    t->nodes[2].text_size = 1u << 31;
}
static void spoil_place(struct parsed *t)
{
    t->nodes[2].end = t->source_size + 1;
}
static void spoil_type(struct parsed *t)
{
    t->types[t->n_types - 1].to = t->n_types - 1;
}
static void spoil_arity(struct parsed *t)
{
    for (uint32_t i = 1; i < t->n_nodes; i++)
        if (t->nodes[i].kind == PARSED_RETURN)
            t->nodes[i].first = 0;
}
static void spoil_size(struct parsed *t)
{
    t->n_nodes += 0x1000000;
}

static const struct {
    const char *what;
    void (*how)(struct parsed *);
} spoilers[] = {
    {"a knot", spoil_child}, {"a sibling beyond the end", spoil_next},
    {"a kind", spoil_kind},  {"a use", spoil_use},
    {"a text", spoil_text},  {"a place", spoil_place},
    {"a type", spoil_type},  {"a number of children", spoil_arity},
    {"a size", spoil_size},
};

static int apart(parse_work *work, int seconds)
{
    static const char text[] = "int x; int *f(void) { return &x; }";
    struct parse_options o = {.seconds = seconds};
    struct parse_job job = {.name = "job.c", .text = text, .n = sizeof text - 1, .options = &o};
    arena_reset(&arena);
    error = (struct error){0};
    return parsed_apart(work, &job, &arena, &p, &error);
}

static void test_processes(void)
{
    is_int(apart(parsed_reader(NULL), 0), 0, "good work comes back");
    is_int(apart(crash, 0), -1, "a crash is an error");
    has_str(error.message, "crashed on this file (Segmentation fault)", "that says so");
    is_int(error.kind, ERROR_USAGE, "the file is to blame");
    is_str(error.file, "job.c", "and where");
    is_int(apart(leave, 0), -1, "so is an end without an answer");
    has_str(error.message, "exit status 7", "with its status");
    is_int(apart(spin, 1), -1, "so is work without an end");
    /* 1 second of CPU time, or 3 of the clock where others have the processor */
    has_str(error.message, "longer than ", "that says so");
    is_int(error.kind, ERROR_LIMIT, "and that it may go well another time");
    int64_t before = clock_ms();
    is_int(apart(sleep_on, 1), -1, "so is a child that sleeps");
    has_str(error.message, "took longer than 3 seconds", "that says so");
    ok(clock_ms() - before < 20000, "before long");
    for (size_t i = 0; i < sizeof spoilers / sizeof *spoilers; i++) {
        spoil = spoilers[i].how;
        ok(apart(spoiled, 0) == -1 && strstr(error.message, "libclang"),
           "tables are not believed: %s", spoilers[i].what);
    }
    is_int(apart(parsed_reader(NULL), 0), 0, "and the next file is none the worse");
}

static void test_errors(void)
{
    ok(!load("int x;\nint f(void) {\n    return y;\n}\n"), "an erroneous file is refused");
    is_str(error.message, "use of undeclared identifier 'y'", "with clang's own words");
    is_int(error.line, 3, "the line");
    is_str(error.file, "test.c", "and the file");
    is_int(error.kind, ERROR_USAGE, "it is the user's");
    ok(!load("main() { int f() { return 1; } return f(); }"), "nested functions are refused");
    has_str(error.message, "type specifier missing", "by the message of the first attempt");
    is_int(parsed_load("/nonexistent/x.c", NULL, &arena, &p, &error), -1, "no such file");
    is_str(error.file, "/nonexistent/x.c", "is named");
    struct parse_options o = {.arguments = (const char *[]){"-DN=7", "-std=gnu99", NULL}};
    static const char text[] = "int x = N; long v = __STDC_VERSION__;";
    ok(!parsed_load_text("a.c", text, sizeof text - 1, &o, &arena, &p, &error) &&
           get(PARSED_INT, NULL, 0)->value == 7 && get(PARSED_INT, NULL, 1)->value == 199901,
       "the caller's arguments come after ours");
    ok(!parsed_load_text("-", "int x;", 6, NULL, &arena, &p, &error) && find(PARSED_VAR, "x", 0),
       "a name like an option");
    ok(load(""), "an empty file");
    is_int(p.n_nodes, 2, "has a unit");
}

/* Deep trees: no stack of ours may overflow on what clang takes. */
static void test_deep(void)
{
    struct strbuf b;
    strbuf_init(&b, 0);
    strbuf_adds(&b, "int f(int x) { return x");
    for (int i = 0; i < 5000; i++)
        strbuf_adds(&b, "+1");
    strbuf_adds(&b, "; }");
    ok(load(b.s), "a sum of 5000 terms");
    ok(p.n_nodes > 10000, "is a tree of as many nodes");
    strbuf_release(&b);
}

int main(void)
{
    arena_init(&arena);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_row(&rows[i]);
    test_places();
    test_types();
    test_includes();
    test_processes();
    test_errors();
    test_deep();
    arena_release(&arena);
    return tap_done();
}
