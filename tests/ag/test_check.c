/* What ag_bind and ag_check say of wrong specifications, and what they compute of right ones.
 *
 * A mistake is tested by its message as a user sees it, with line and column; messages are compared
 * as a whole, so that a second one that nobody asked for is a failure too. */
#include "ag/runtime.h"
#include "ag/spec.h"
#include "base/strbuf.h"
#include "tap.h"

#include <jansson.h>
#include <stdlib.h>

/* A namespace of its own, with a type that no other has; `T:broken` has no signature. */
static lala nothing(struct lala_env *env, const lala *arg, int n)
{
    (void)env;
    (void)arg;
    (void)n;
    return LALA_NIL;
}
static const struct lala_function table[] = {
    {"empty", ": Tab", nothing, 0},
    {"put", "Tab, String : Tab", nothing, 0},
    {"has", "Tab, String : boolean", nothing, 0},
    {"names", "Tab : List<String>", nothing, 0},
    {"count", "Tab : int", nothing, 0},
    {"sum", "int, int... : int", nothing, 0},
    {"draw", "Node, int : int", nothing, 0},
    {"broken", "Tab", nothing, 0},
};
static const struct lala_namespace spaces[] = {LALA_NAMESPACE("T", table)};
static const struct lala_module module = {LALA_VERSION, spaces, 1};

struct checked {
    struct arena arena;
    struct ag_messages m;
    struct ag_spec *s;
    struct strbuf text; /* the messages */
};

static void check(struct checked *c, const char *text, bool trust)
{
    arena_init(&c->arena);
    strbuf_init(&c->text, 0);
    ag_messages_init(&c->m, &c->arena, "t");
    struct ag_runtime *rt = trust ? NULL : ag_runtime_new();
    if (rt)
        ag_runtime_add(rt, &module);
    c->s = ag_parse(&c->arena, text, strlen(text), &c->m);
    if (!c->m.errors)
        ag_bind(c->s, rt, &c->m);
    if (!c->m.errors)
        ag_check(c->s, rt, &c->m);
    ag_messages_text(&c->m, &c->text);
    if (rt)
        ag_runtime_free(rt);
}

static void release(struct checked *c)
{
    strbuf_release(&c->text);
    ag_messages_release(&c->m);
    arena_release(&c->arena);
}

static void says(const char *text, const char *wanted, const char *name)
{
    struct checked c;
    check(&c, text, false);
    is_str(c.text.s, wanted, "%s", name);
    release(&c);
}

static const struct ag_production *production(const struct checked *c, const char *class,
                                              const char *name)
{
    const struct ag_class *of = ag_class_named(c->s, class);
    for (int i = 0; of && i < of->n_productions; i++)
        if (!strcmp(of->productions[i].name, name))
            return &of->productions[i];
    return NULL;
}

/* -- names ------------------------------------------------------------------------------------- */

static void test_names(void)
{
    says("class A { a(\"${b : Bee}\") {} }\nclass Be { b(\"\") {} }",
         "t:1:16: error: there is no class 'Bee'\n    hint: did you mean 'Be'?\n",
         "an unknown class");
    says("class A { a(\"${b : B}\") { bb.i = 1; } }\nclass B { inh i : int; b(\"\") {} }",
         "t:1:27: error: production 'a' has no child 'bb'\n    hint: did you mean 'b'?\n",
         "an unknown child");
    says("class A { a(\"${b : B}\") {\n b.idd = 1; } }\nclass B { inh id : int; b(\"\") {} }",
         "t:2:2: error: class 'B' has no attribute 'idd'\n    hint: did you mean 'id'?\n",
         "an unknown attribute in a rule");
    says("class A { syn s : int; a(\"\") {\n this.s = this.x; } }",
         "t:2:11: error: class 'A' has no attribute 'x'\n    hint: did you mean 's'?\n",
         "an unknown attribute in an expression");
    says("class A { syn s : int; a(\"\") { loc one = 1; this.s = .two; } }",
         "t:1:54: error: production 'a' has no loc 'two'\n", "an unknown loc");
    says("class A { syn s : int; a(\"\") { this.s = thiss; } }",
         "t:1:41: error: production 'a' has no child 'thiss'\n    hint: did you mean 'this'?\n",
         "a node that is none");
    says("class A { a(\"\") {} }\nclass A { a(\"\") {} }",
         "t:2:7: error: there are two classes 'A', the first in line 1\n", "a class twice");
    says("class A { syn s : int;\n grd s; a(\"\") { this.s = 1; } }",
         "t:2:6: error: class 'A' has two attributes 's', the first in line 1\n",
         "an attribute twice");
    says("class A { a(\"\") {}\n a(\"x\") {} }",
         "t:2:2: error: class 'A' has two productions 'a', the first in line 1\n",
         "a production twice");
    says("class A { a(\"${b : B}${b : B}\") {} }\nclass B(\"x\");",
         "t:1:24: error: production 'a' has two children 'b'\n"
         "    hint: `#{child}` prints a child once more\n",
         "a child twice");
    says("class A { a(\"#{.x}\") { loc x = 1; loc x = 2; } }",
         "t:1:39: error: production 'a' has two locs 'x', the first in line 1\n", "a loc twice");
    says("class A { a(\"#{this}\") {} }", "t:1:16: error: a production cannot print itself\n",
         "a production in its own text");
    says("class A { a(\"${b : Bee}${c : See}\") { d.x = 1; } }",
         "t:1:16: error: there is no class 'Bee'\n"
         "t:1:26: error: there is no class 'See'\n"
         "t:1:39: error: production 'a' has no child 'd'\n    hint: did you mean 'b'?\n",
         "several mistakes in one run");
    says("@copy(a, c)\nclass A { syn a : int; a(\"\") { this.a = 1; } }",
         "t:2:7: warning: @copy names 'c', but class 'A' has no such attribute\n"
         "    hint: did you mean 'a'?\n",
         "an unknown attribute in @copy");
}

static void test_functions(void)
{
    says("use TT;\nclass A { a(\"\") {} }",
         "t:1:5: error: no runtime has a namespace 'TT'\n"
         "    hint: `assay lala build DIR` compiles a runtime; --no-runtime takes it on trust\n",
         "a namespace that nobody has");
    says("class A { syn s : Tab; a(\"\") { this.s = (T:empty); } }",
         "t:1:41: error: the namespace 'T' is not declared\n"
         "    hint: add `use T;` at the top of the file\n",
         "a namespace that is not used");
    says("use T;\nclass A { syn s : Tab; a(\"\") { this.s = (T:emty); } }",
         "t:2:41: error: the namespace 'T' has no function 'emty'\n"
         "    hint: did you mean 'empty'?\n",
         "an unknown function");
    says("use T;\nclass A { syn s : Tab; a(\"\") { this.s = (T:put (T:empty)); } }",
         "t:2:41: error: 'T:put' takes 2 arguments, not 1\n"
         "    hint: its signature is \"Tab, String : Tab\"\n",
         "a missing argument");
    says("use T;\nclass A { syn s : int; a(\"\") { this.s = (T:sum); } }",
         "t:2:41: error: 'T:sum' takes at least 1 argument, not 0\n"
         "    hint: its signature is \"int, int... : int\"\n",
         "too few for a variadic function");
    says("use T;\nclass A { syn s : int; a(\"\") { this.s = (T:sum 1 2 3 4); } }", "",
         "many for a variadic function");
    says("use T;\nclass A { syn s : int; a(\"\") { this.s = (T:broken 1); } }",
         "t:2:41: error: the signature of 'T:broken' is broken: \"Tab\"\n"
         "    hint: it looks like \"SymbTab, String : boolean\"\n",
         "a broken signature");
    says("class A { syn s : boolean; a(\"\") { this.s = (not true true); } }",
         "t:1:45: error: 'not' takes 1 argument, not 2\n", "a built-in with too many");
    says("class A { syn s : boolean; a(\"\") { this.s = (and true); } }",
         "t:1:45: error: 'and' takes at least 2 arguments, not 1\n", "a built-in with too few");
}

/* -- directions -------------------------------------------------------------------------------- */

#define CHILD                                                                                      \
    "\nclass B { inh i : int; syn s : int; grd g; b(\"\") { this.s = 1; this.g = true; } }"

static void test_directions(void)
{
    says("class R { r(\"${a : A}\") { a.i = 1; } }\n"
         "class A { inh i : int; a(\"\") {\n this.i = 1; } }",
         "t:3:2: error: 'this.i' is inherited: it comes from the parent, and no rule here may set "
         "it\n",
         "setting this.inh");
    says("class A { a(\"${b : B}\") { b.i = 1;\n b.s = 1;\n b.g = true; } }" CHILD,
         "t:2:2: error: 'b.s' is synthesized: class 'B' computes it, and no rule here may set it\n"
         "t:3:2: error: 'b.g' is a guard: class 'B' computes it, and no rule here may set it\n",
         "setting child.syn and child.grd");
    says("class A { syn s : int; syn t : int; a(\"\") { this.s = 1;\n this.t = this.s; } }",
         "t:2:11: error: 'this.s' is synthesized: this production computes it and cannot read it\n"
         "    hint: name its expression with `loc`, and use that twice\n",
         "reading this.syn");
    says("class A { syn s : int; a(\"${b : B}\") { b.i = 1;\n this.s = b.i; } }" CHILD,
         "t:2:11: error: 'b.i' is inherited: this production computes it and cannot read it\n"
         "    hint: name its expression with `loc`, and use that twice\n",
         "reading child.inh");
    says("class A { syn s : boolean; a(\"${b : B}\") { b.i = 1;\n this.s = b.g; } }" CHILD,
         "t:2:11: error: 'b.g' is a guard: no rule may read it\n"
         "    hint: name its expression with `loc`, and use that twice\n",
         "reading a guard");
    says("class A { syn s : int; a(\"#{this.s}#{b.i}#{b.s}${b : B}\") {\n b.i = 1;\n this.s = b.s; "
         "} }" CHILD,
         "", "a text may read everything");
    says("class A { a(\"#{.x}\") { loc x = (+ .y 1);\n loc y = (- .x 1); } }",
         "t:2:13: error: the loc 'x' is defined by itself\n", "cyclic locs");
    says("class A { a(\"#{.x}\") { loc x = (+ .y 1); loc y = 2; } }", "", "a loc used before");
}

static void test_generators(void)
{
    says("class A { a(\"#{$}\") {} }",
         "t:1:16: error: '$' is the value of a generator, and 'a' is "
         "none\n",
         "$ in a tree production");
    says("use T;\nclass A { a(\"${g : G}\") { g.t = (T:empty); } }\n"
         "class G { inh t : Tab; g(T:names $) : String {} }",
         "t:3:34: error: '$' is chosen from what the generator answers: its arguments cannot use "
         "it\n",
         "$ in a generator's arguments");
    says("use T;\nclass A { a(\"${g : G}\") { g.t = (T:empty); } }\n"
         "class G { inh t : Tab; g(T:names .x) : String { loc x = $; } }",
         "t:3:34: error: '.x' uses '$', so that the generator's arguments cannot use it\n",
         "$ through a loc in a generator's arguments");
    says(
        "use T;\nclass A { a(\"${g : G}\") { g.t = (T:empty); } }\n"
        "class G { inh t : Tab; syn s : int; g(T:names this.t) : int { this.s = $; } }",
        "t:3:39: error: the generator 'g' must choose from a List<int>, but 'T:names' answers with "
        "List<String>\n",
        "a generator of another type");
    says(
        "use T;\nclass A { a(\"${g : G}\") { g.t = (T:empty); } }\n"
        "class G { inh t : Tab; syn s : int; g(T:count this.t) : int { this.s = $; } }",
        "t:3:39: error: the generator 'g' must choose from a List<int>, but 'T:count' answers with "
        "int\n",
        "a generator that answers no list");
    says("use T;\nclass A { a(\"${g : G}\") { g.t = (T:empty); } }\n"
         "class G { inh t : Tab; syn s : int;\n"
         " g(T:names this.s) : String { this.s = 1; } }",
         "t:4:12: error: 'this.s' cannot be an argument of a generator: only inherited attributes "
         "of 'this' can\n",
         "a generator's argument that is not inherited");
}

/* -- rules ------------------------------------------------------------------------------------- */

static void test_rules(void)
{
    says("class A {\n a(\"${b : B}\") {} }" CHILD,
         "t:2:2: error: production 'a' of class 'A' has no rule for 'b.i'\n"
         "    hint: add `b.i = ...;`, its type is int\n",
         "a missing rule for a child");
    says("class R { r(\"${a : A}\") { a.i = 1; } }\n"
         "class A { inh i : int;\n a(\"${b : B}\") {} }" CHILD,
         "t:3:2: error: production 'a' of class 'A' has no rule for 'b.i'\n"
         "    hint: add `b.i = this.i;`, or @copy(i)\n",
         "a missing rule that could be a copy");
    says("class A { syn s : int; grd g;\n a(\"\") {} }",
         "t:2:2: error: production 'a' of class 'A' has no rule for 'this.s'\n"
         "    hint: add `this.s = ...;`, its type is int\n"
         "t:2:2: error: production 'a' of class 'A' has no rule for 'this.g'\n"
         "    hint: add `this.g = ...;`, its type is boolean\n",
         "missing rules for this");
    says("class A { syn s : int; a(\"\") { this.s = 1;\n this.s = 2; } }",
         "t:2:2: error: 'this.s' has two rules, the first in line 1\n"
         "    hint: one of them must go\n",
         "a rule twice");
    says("class A { inh i : int; a(\"\") {} }",
         "t:1:15: error: 'A.i' is inherited, but the root has no parent\n"
         "    hint: the first class of a file is the root of all trees\n",
         "a root with an inherited attribute");
    says("class A(\"[a-\");",
         "t:1:10: error: the regular expression of 'A' is wrong: this class is not closed with "
         "']'\n",
         "a broken regular expression");
}

static void test_copy(void)
{
    static const char text[] =
        "class R { r(\"${a : A}\") { a.i = 1; a.k = 2; a.n = \"\"; } }\n"
        "@copy(i, s)\n"
        "class A { inh i : int; inh k : int; inh n : String; syn s : int; syn u : int; grd g;\n"
        "  @copy(k)\n"
        "  a(\"${x : B}${y : B}${z : C}\") { y.i = 7; this.g = true; this.u = 3;\n"
        "    x.n = true; y.n = true; } }\n"
        "class B { inh i : int; inh k : int; inh n : boolean; syn s : int; syn u : int;\n"
        "  b(\"\") { this.s = this.i; this.u = 1; } }\n"
        "class C { syn s : String; c(\"\") { this.s = \"\"; } }\n";
    struct checked c;
    check(&c, text, false);
    is_str(c.text.s, "", "@copy of a class and of a production add up");
    const struct ag_production *p = production(&c, "A", "a");
    int copies = 0;
    bool from_last = false, kept = true;
    for (int i = 0; p && i < p->n_rules; i++) {
        const struct ag_rule *r = &p->rules[i];
        copies += r->copied;
        from_last |=
            r->copied && r->child == AG_THIS && !strcmp(r->attribute, "s") && r->expr->child == 1;
        kept &= !(r->copied && r->child == 1 && !strcmp(r->attribute, "i"));
    }
    is_int(copies, 4, "x.i, x.k, y.k and this.s");
    ok(from_last, "a synthesized one comes from the last child that has it with this type");
    ok(kept, "an explicit rule wins");
    release(&c);
    says(
        "@copy\nclass A { grd g;\n a(\"${b : B}\") {} }\nclass B { grd g; b(\"\") { this.g = true; "
        "} }",
        "t:3:2: error: production 'a' of class 'A' has no rule for 'this.g'\n"
        "    hint: add `this.g = ...;`, its type is boolean\n",
        "guards are never copied");
}

static void test_types(void)
{
    says("class A { syn s : int; a(\"\") {\n this.s = \"x\"; } }",
         "t:2:11: error: 'this.s' must be int, but this is String\n", "a rule of another type");
    says("class A { grd g; a(\"\") {\n this.g = 1; } }",
         "t:2:11: error: 'this.g' must be boolean, but this is int\n",
         "a guard that is no boolean");
    says("use T;\nclass A { syn s : Tab; a(\"\") {\n this.s = (T:put 1 \"x\"); } }",
         "t:3:18: error: argument 1 of 'T:put' must be Tab, but this is int\n",
         "an argument of another type");
    says("use T;\nclass A { syn s : int; a(\"\") {\n this.s = (T:sum 1 2 \"3\"); } }",
         "t:3:22: error: argument 3 of 'T:sum' must be int, but this is String\n",
         "a variadic argument of another type");
    says("use T;\nclass A { syn s : boolean; a(\"\") {\n this.s = (T:count (T:empty)); } }",
         "t:3:11: error: 'this.s' must be boolean, but this is int\n", "a result of another type");
    says("class A { syn s : int; a(\"\") {\n this.s = (if 1 2 \"x\"); } }",
         "t:2:15: error: the condition of 'if' must be boolean, but this is int\n"
         "t:2:19: error: the two values of 'if' must be of one type, but they are int and String\n",
         "an if that does not fit");
    says("class A { syn s : int; a(\"\") { loc x = (+ 1 true);\n this.s = (* .x .x); } }",
         "t:1:45: error: an argument of '+' must be int, but this is boolean\n",
         "a mistake in a loc, told once");
    says("class A { syn s : boolean; a(\"\") { this.s = (== 1 \"1\"); } }",
         "t:1:45: warning: '==' compares int with String: they are never equal\n",
         "a comparison that never holds");
    says("class A { syn s : int; a(\"\") { this.s = (len 7); } }",
         "t:1:46: error: 'len' is that of a string or a list, but this is int\n",
         "the length of a number");
    says("use T; use List;\nclass A { syn s : Tab; syn c : char; syn l : List<int>; a(\"\") {\n"
         " this.s = (if true nil (T:empty)); this.c = \"x\";\n"
         " this.l = (List:cons (T:draw this 3) nil); } }",
         "", "nil, char, lists, nodes");
}

/* -- the grammar ------------------------------------------------------------------------------- */

static void test_heights(void)
{
    static const char text[] =
        "class P { p(\"${l : L}\") {} }\n"
        "@list class L { one(\"${s : S}\") {} more(\"${s : S}${r : L}\") {} }\n"
        "class S { expr(\"${e : E}\") {} block(\"${l : L}\") {} @weight(0) off(\"\") {} }\n"
        "class E { num(\"${n : N}\") {} bin(\"${l : E}${r : E}\") {} deep(\"${f : F}\") {} }\n"
        "class F { f(\"${g : G}\") {} }\n"
        "class G { g(\"${e : E}${n : N}\") {} }\n"
        "class N(\"1\");\n";
    struct checked c;
    check(&c, text, false);
    is_str(c.text.s, "", "a grammar of four components");
    const struct ag_spec *s = c.s;
    is_int(s->n_components, 4, "components");
    is_int(s->n_productions, 12, "productions, a literal's too");
    static const int components[] = {0, 1, 1, 2, 2, 2, 3};
    for (int i = 0; i < s->n_classes; i++)
        is_int(s->classes[i].component, components[i], "component of %s", s->classes[i].name);
    static const struct {
        const char *class, *name;
        int height, size;
        bool recursive;
    } wanted[] = {
        {"P", "p", 1, 5, false},    {"L", "one", 2, 4, true},   {"L", "more", 2, 8, true},
        {"S", "expr", 1, 3, false}, {"S", "block", 3, 5, true}, {"S", "off", 1, 1, false},
        {"E", "num", 1, 2, false},  {"E", "bin", 2, 5, true},   {"E", "deep", 4, 6, true},
        {"F", "f", 3, 5, true},     {"G", "g", 2, 4, true},
    };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        const struct ag_production *p = production(&c, wanted[i].class, wanted[i].name);
        is_int(p->min_height, wanted[i].height, "height of %s.%s", wanted[i].class, p->name);
        is_int(p->min_size, wanted[i].size, "size of %s.%s", wanted[i].class, p->name);
        ok(p->recursive == wanted[i].recursive, "%s.%s is%s recursive", wanted[i].class, p->name,
           wanted[i].recursive ? "" : " not");
    }
    ag_class_named(s, "E")->productions[0].weight = 0;
    ag_measure(c.s);
    is_int(s->classes[0].min_height, AG_INFINITE_HEIGHT, "without numbers nothing can be built");
    ok(!s->classes[0].guarded, "no guards");
    release(&c);
}

static void test_ends(void)
{
    says("class A {\n a(\"${b : B}\") {} end(\"\") {} }\nclass B {\n b(\"(${c : C})\") {} }\n"
         "class C {\n c(\"${b : B}\") {} }",
         "t:4:2: error: production 'b' of class 'B' never ends: its child 'c : C' always contains "
         "another 'C'\n    hint: give class 'C' a production that ends\n"
         "t:6:2: error: production 'c' of class 'C' never ends: its child 'b : B' always contains "
         "another 'B'\n    hint: give class 'B' a production that ends\n",
         "classes that never end");
    says("class A { a(\"\") {} }\nclass B { b(\"${c : C}\") {} }\nclass C(\"x\");",
         "t:2:7: warning: class 'B' cannot be reached from 'A'\n"
         "t:3:7: warning: class 'C' cannot be reached from 'A'\n",
         "classes that nobody uses");
    says("class A { a(\"\") {} b(\"${b : B}\") {} }\nclass B { @weight(0) b(\"\") {} }",
         "t:2:7: warning: all productions of class 'B' have weight 0: what has such a child is "
         "never built\n",
         "a class that is switched off");
}

/* -- circularity ------------------------------------------------------------------------------- */

#define RING "class R { r(\"${a : A}${b : B}\") {\n a.i = b.s;\n b.i = a.s; } }\n"

static void test_circular(void)
{
    says("class R { r(\"${a : A}\") {\n a.i = a.s; } }\n"
         "class A { inh i : int; syn s : int; a(\"\") { this.s = this.i; } }",
         "t:2:2: error: attributes wait for each other in production 'r' of class 'R': a.s <- a.i "
         "<- a.s\n",
         "a cycle through one child");
    says(RING "class A { inh i : int; syn s : int; a(\"\") { this.s = this.i; } }\n"
              "class B { inh i : int; syn s : int; b(\"\") { this.s = (+ this.i 1); } }",
         "t:2:2: error: attributes wait for each other in production 'r' of class 'R': a.s <- a.i "
         "<- b.s <- b.i <- a.s\n",
         "a cycle through two");
    says(RING "class A { inh i : int; syn s : int; a(\"\") { this.s = 1; } }\n"
              "class B { inh i : int; syn s : int; b(\"\") { this.s = (+ this.i 1); } }",
         "", "the same, but one of them needs nothing");
    says(RING "class A { inh i : int; syn s : int; grd g;\n"
              "  a(\"\") { this.s = 1; this.g = true; } }\n"
              "class B { inh i : int; syn s : int; b(\"\") { this.s = (+ this.i 1); } }",
         "t:2:2: error: attributes wait for each other in production 'r' of class 'R': a.s <- a.i "
         "<- b.s <- b.i <- a.s\n"
         "    hint: class 'A' is searched by itself (it has guards): its synthesized attributes "
         "wait for all its inherited ones\n",
         "circular only because of inh -> grd -> syn");
    says(RING "@unit class A { inh i : int; syn s : int; a(\"\") { this.s = 1; } }\n"
              "class B { inh i : int; syn s : int; b(\"\") { this.s = (+ this.i 1); } }",
         "t:2:2: error: attributes wait for each other in production 'r' of class 'R': a.s <- a.i "
         "<- b.s <- b.i <- a.s\n"
         "    hint: class 'A' is searched by itself (@unit): its synthesized attributes wait for "
         "all its inherited ones\n",
         "circular only because of a unit");
    says("use List;\n" RING
         "class A { inh i : int; syn s : int; a(List:of this.i) : int { this.s = 1; } }\n"
         "class B { inh i : int; syn s : int; b(\"\") { this.s = this.i; } }",
         "t:3:2: error: attributes wait for each other in production 'r' of class 'R': a.s <- a.i "
         "<- b.s <- b.i <- a.s\n"
         "    hint: class 'A' is searched by itself (a generator): its synthesized attributes wait "
         "for all its inherited ones\n",
         "circular only because of a generator");
    says(RING "class A { inh i : int; syn s : int;\n a(\"${u : U}\") { u.x = this.i; this.s = u.y; "
              "} }\n"
              "class B { inh i : int; syn s : int; b(\"\") { this.s = this.i; } }\n"
              "@unit class U { inh x : int; syn y : int; u(\"\") { this.y = 0; } }",
         "t:2:2: error: attributes wait for each other in production 'r' of class 'R': a.s <- a.i "
         "<- b.s <- b.i <- a.s\n"
         "    hint: no rule says that 'A.s' waits for 'A.i': below class 'A' is one that is "
         "searched by itself (guards, @unit, a generator)\n",
         "a unit further below");
    says("class R { r(\"${a : A}\") {\n a.i = a.t;\n a.k = a.s; } }\n"
         "class A { inh i : int; inh k : int; syn s : int; syn t : int;\n"
         " x(\"\") { this.s = this.i; this.t = 0; }\n y(\"\") { this.s = 0; this.t = this.k; } }",
         "t:2:2: error: attributes wait for each other in production 'r' of class 'R': a.s <- a.i "
         "<- a.t <- a.k <- a.s\n",
         "no tree is circular, but the union of productions is: strong");
    says("class R { r(\"${a : A}${b : B}\") { a.i = 1; b.i = a.s; a.k = b.s; } }\n"
         "class A { inh i : int; inh k : int; syn s : int; syn t : int;\n"
         " a(\"\") { this.s = this.i; this.t = this.k; } }\n"
         "@unit class B { inh i : int; syn s : int; b(\"\") { this.s = this.i; } }",
         "", "nodes may depend on each other by disjoint attributes");
}

static void test_order(void)
{
    static const char text[] =
        "class R {\n"
        " chain(\"${a : A}${b : A}${c : A}\") { a.i = 1; b.i = a.s; c.i = b.s; }\n"
        " back(\"${a : A}${b : A}${c : A}\") { a.i = b.s; b.i = c.s; c.i = 1; }\n"
        " free(\"${a : A}${b : A}${c : A}\") { a.i = 1; b.i = 1; c.i = 1; }\n"
        " some(\"${a : A}${b : A}${c : A}\") { a.i = c.s; b.i = 1; c.i = 1; }\n"
        " both(\"${a : D}${b : D}${c : A}\") { c.i = 1; a.i = c.s; b.i = a.s; a.k = b.s; b.k = 1; "
        "} "
        "}\n"
        "class A { inh i : int; syn s : int; a(\"\") { this.s = this.i; } }\n"
        "class D { inh i : int; inh k : int; syn s : int; syn t : int;\n"
        " d(\"\") { this.s = this.i; this.t = this.k; } }\n";
    static const struct {
        const char *name;
        int order[3];
    } wanted[] = {{"chain", {2, 1, 0}},
                  {"back", {0, 1, 2}},
                  {"free", {2, 1, 0}},
                  {"some", {1, 0, 2}},
                  {"both", {1, 0, 2}}};
    struct checked c;
    check(&c, text, false);
    is_str(c.text.s, "", "five productions to visit");
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted && !c.m.errors; i++) {
        int order[3] = {-1, -1, -1};
        ag_visit_order(c.s, production(&c, "R", wanted[i].name), order);
        ok(!memcmp(order, wanted[i].order, sizeof order), "%s: %d %d %d", wanted[i].name, order[0],
           order[1], order[2]);
    }
    const struct ag_class *a = ag_class_named(c.s, "A");
    ok(a->needs && a->needs[1] == 1 && a->needs[0] == 0, "A.s needs A.i, and A.i nothing");
    release(&c);
}

/* -- what is explained ------------------------------------------------------------------------- */

static void test_explain(void)
{
    static const char text[] =
        "class R { r(\"${x : A}\") { x.i = 1; } }\n"
        "@copy(i)\n"
        "class A { inh i : int; syn s : int; grd g;\n"
        " @feature(\"far,wide\") @weight(3)\n"
        " a(\"${l : A}${r : A}\") { this.s = r.s; r.i = l.s; this.g = (> this.i 0); }\n"
        " end(\"${n : N}\") { this.s = 1; this.g = (> (int n.str) this.i); } }\n"
        "class N(\"[0-9]\");\n";
    struct checked c;
    struct strbuf out;
    check(&c, text, false);
    is_str(c.text.s, "", "a specification to explain");
    strbuf_init(&out, 0);
    ag_explain(c.s, false, &out);
    is_str(out.s,
           "R: tree, component 0, height 1, 3 nodes\n"
           "  r: weight 1, height 1, 3 nodes\n"
           "    x.i\n"
           "\n"
           "A: tree, guarded, component 1, height 1, 2 nodes\n"
           "  inh i : int\n"
           "  syn s : int\n"
           "  grd g\n"
           "  a: weight 3, height 2, 5 nodes, recursive, feature far,wide\n"
           "    changes first: r l\n"
           "    this.g <- this.i  (early guard)\n"
           "    l.i <- this.i  (copied)\n"
           "    r.i <- l.s\n"
           "    this.s <- r.s\n"
           "  end: weight 1, height 1, 2 nodes\n"
           "    this.s\n"
           "    this.g <- n.str, this.i\n"
           "\n"
           "N: literal, component 2, height 1, 1 node\n"
           "  \"[0-9]\", 50 values\n"
           "\n",
           "the text");
    strbuf_clear(&out);
    ag_explain(c.s, true, &out);
    json_t *all = json_loads(out.s, 0, NULL);
    json_t *a = json_array_get(json_object_get(all, "classes"), 1);
    json_t *p = json_array_get(json_object_get(a, "productions"), 0);
    json_t *rule = json_array_get(json_object_get(p, "rules"), 0);
    is_str(json_string_value(json_object_get(rule, "target")), "this.g", "JSON: the first rule");
    ok(json_is_true(json_object_get(rule, "early")), "JSON: it is early");
    is_int(json_integer_value(json_object_get(p, "min_height")), 2, "JSON: a height");
    ok(json_is_true(json_object_get(a, "guarded")), "JSON: guarded");
    json_decref(all);
    strbuf_release(&out);
    release(&c);
}

static void test_trust(void)
{
    struct checked c;
    check(
        &c,
        "use Nowhere;\nclass A { syn s : Foo; grd g; a(\"\") { this.s = (Nowhere:f 1 \"x\" this);\n"
        " this.g = (Nowhere:ok (Nowhere:f)); } }",
        true);
    is_str(c.text.s, "", "without a runtime its functions are taken on trust");
    release(&c);
    check(&c, "class A { syn s : Foo; a(\"\") { this.s = (Nowhere:f); } }", true);
    has_str(c.text.s, "the namespace 'Nowhere' is not declared", "but not undeclared ones");
    release(&c);
    check(
        &c,
        "class A { syn s : Foo; syn i : int; a(\"${b : B}\") { this.s = b.t;\n this.i = true; } }\n"
        "class B { syn t : Bar; b(\"\") { this.t = nil; } }",
        true);
    is_str(c.text.s,
           "t:1:62: warning: 'this.s' must be Foo, but this is Bar\n"
           "t:2:11: error: 'this.i' must be int, but this is boolean\n",
           "of its types only the basic ones are known");
    release(&c);
}

/* What published specifications do and a stricter checker would forbid, in words of our own. */
static void test_dialect(void)
{
    struct checked c;
    check(&c,
          "use Env;\nuse Kind;\n"
          "class Unit { unit(\"${d : Dims}${o : Open}${use : Use}\") {\n"
          "  d.env = (Env:empty); d.open = o.open; use.env = (Env:empty); use.open = false; } }\n"
          "class Open { syn open : Boolean; open(\"open\") { this.open = true; } }\n"
          /* one word for two things: a class, a production, a child, a loc and an attribute */
          "@copy(env, open) @list(4)\n"
          "class Dims { inh env : Env; inh open : boolean; syn dims : Env;\n"
          "  one(\"[]\") { this.dims = this.env; }\n"
          "  @copy(dims,) dims(\"${dims : Dims}[${size : Size}]\") {\n"
          "    loc size = (int size.str); dims.env = (Env:more this.env .size); } }\n"
          /* a list that cannot go on; a text that reads what its production computes */
          "@list(2) @copy\n"
          "class Use { inh env : Env; inh open : boolean; syn name : Kind; syn at : int; grd ok;\n"
          "  use(\"#{(Kind:name this.name)}${at : At}\") {\n"
          "    loc kind = (Env:any this.env this);\n"
          "    this.ok = (or this.open (== .kind nil) (Env:has this.env .kind));\n"
          "    this.name = .kind; } }\n"
          "class At { inh env : Env; syn at : int; at(Env:all this.env) : Integer { this.at = $; } "
          "}\n"
          "class Size(\"[1-9]\");\n",
          true);
    is_str(c.text.s, "", "nothing is wrong with what published specifications do");
    if (c.s && !c.m.errors) {
        const struct ag_production *dims = production(&c, "Dims", "dims");
        is_int(dims->n_rules, 3, "the rules that are copied: by the class and by the production");
    }
    release(&c);
}

static void test_messages(void)
{
    static const struct ag_place places[] = {{3, 9}, {1, 4}, {3, 2}, {1, 4}, {2, 7}};
    static const char *const wanted[] = {"b", "d", "e", "c", "a"};
    enum { N = sizeof places / sizeof *places };
    struct arena arena;
    struct ag_messages m;
    arena_init(&arena);
    ag_messages_init(&m, &arena, "t");
    for (int i = 0; i < N; i++)
        ag_say(&m, i % 2 ? AG_ERROR : AG_WARNING, places[i], NULL, "%c", 'a' + i);
    const struct ag_message **sorted = ag_messages_in_order(&m);
    for (int i = 0; i < N; i++)
        is_str(sorted[i]->text, wanted[i], "message %d in the order of the places", i);
    free(sorted);
    ag_messages_release(&m);
    arena_release(&arena);
}

int main(void)
{
    test_names();
    test_functions();
    test_directions();
    test_generators();
    test_rules();
    test_copy();
    test_types();
    test_heights();
    test_ends();
    test_circular();
    test_order();
    test_explain();
    test_trust();
    test_dialect();
    test_messages();
    return tap_done();
}
