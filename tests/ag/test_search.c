/* The search: every tree it accepts satisfies all guards, it finds every one there is in small
 * scopes, and it stands long lists, failures of every kind and sequences of choices that were cut
 * short.
 *
 * Each accepted tree is proved by evaluating all of its rules again (tree_verify, in debug builds).
 */
#include "ag/runtime.h"
#include "ag/search.h"
#include "tap.h"

#include <ctype.h>
#include <stdlib.h>

static lala crash(struct lala_env *env, const lala *arg, int n)
{
    (void)env;
    (void)n;
    if (lala_is_true(arg[0]))
        abort();
    return LALA_TRUE;
}
static lala never(struct lala_env *env, const lala *arg, int n)
{
    (void)env;
    (void)arg;
    (void)n;
    return LALA_UNDEFINED;
}
static lala number(struct lala_env *env, const lala *arg, int n)
{
    (void)env;
    (void)n;
    return lala_int((int64_t)(lala_node_number(arg[0]) % 10));
}
static lala upto(struct lala_env *env, const lala *arg, int n)
{
    lala list = LALA_NIL;
    (void)n;
    for (int64_t i = lala_to_int(arg[0]); i > 0; i--)
        list = lala_cons(env, lala_int(i), list);
    return list;
}
static const struct lala_function functions[] = {
    {"crash", "boolean : boolean", crash, 0},
    {"never", "any : int", never, 0},
    {"number", "Node : int", number, 0},
    {"upto", "int : List<int>", upto, 0},
};
static const struct lala_namespace spaces[] = {LALA_NAMESPACE("T", functions)};
static const struct lala_module module = {LALA_VERSION, spaces, 1};

struct made {
    struct arena arena;
    struct ag_runtime *rt;
    struct ag_messages m;
    struct ag_spec *spec;
    struct ag_search *search;
    struct strbuf text;
    struct error e;
};

static bool open_with(struct made *t, const char *text, const struct ag_options *o)
{
    *t = (struct made){0};
    arena_init(&t->arena);
    strbuf_init(&t->text, 0);
    t->rt = ag_runtime_new();
    ag_runtime_add(t->rt, &module);
    ag_messages_init(&t->m, &t->arena, "t");
    t->spec = ag_parse(&t->arena, text, strlen(text), &t->m);
    if (!t->m.errors)
        ag_bind(t->spec, t->rt, &t->m);
    if (!t->m.errors)
        ag_check(t->spec, t->rt, &t->m);
    if (t->m.errors) {
        ag_messages_text(&t->m, &t->text);
        tap_note("the specification is wrong", t->text.s);
        return false;
    }
    return !ag_search_new(t->spec, o, &t->search, &t->e);
}

static bool open_text(struct made *t, const char *text)
{
    const struct ag_options o = {0};
    return open_with(t, text, &o);
}

static void close_text(struct made *t)
{
    ag_search_free(t->search);
    ag_messages_release(&t->m);
    ag_runtime_free(t->rt);
    strbuf_release(&t->text);
    arena_release(&t->arena);
}

/* The text of these choices; NULL where there is none. */
static const char *with_choices(struct made *t, struct choice *c)
{
    strbuf_clear(&t->text);
    t->e = (struct error){0};
    if (ag_search_next(t->search, c, &t->e) || ag_search_text(t->search, &t->text, &t->e))
        return NULL;
    return t->text.s;
}

static const char *of_seed(struct made *t, uint64_t seed)
{
    struct choice c;
    choice_init_random(&c, seed);
    const char *text = with_choices(t, &c);
    choice_release(&c);
    return text;
}

/* -- Fig. 3, with what is built in ------------------------------------------------------------- */

#define FIG3(use)                                                                                  \
    "use Set;\n"                                                                                   \
    "class Program { prog(\"${stmts : StmtList}\\n\") { stmts.syms = (Set:empty); } }\n"           \
    "@list class StmtList { inh syms : Set;\n"                                                     \
    "  one(\"${s : Stmt}\") { s.before = this.syms; }\n"                                           \
    "  @weight(3) mult(\"${s : Stmt}\\n${r : StmtList}\") { s.before = this.syms;\n"               \
    "    r.syms = s.after; } }\n"                                                                  \
    "class Stmt { inh before : Set; syn after : Set;\n"                                            \
    "  assign(\"${i : Identifier} := ${e : Expr};\") { e.syms = this.before;\n"                    \
    "    this.after = (Set:add this.before i.str); } }\n"                                          \
    "class Expr { inh syms : Set;\n"                                                               \
    "  num(\"${val : Number}\") {}\n"                                                              \
    "  use_var(\"${var : " use "}\") { var.syms = this.syms; }\n"                                  \
    "  binop(\"${l : Expr} ${op : Op} ${r : Expr}\") { l.syms = this.syms; r.syms = this.syms; } " \
    "}\n"                                                                                          \
    "class UseVariable { inh syms : Set; grd defined;\n"                                           \
    "  var(\"${var : Identifier}\") { this.defined = (Set:has this.syms var.str); } }\n"           \
    "class UseVariableGen { inh syms : Set; var(Set:items this.syms) : String {} }\n"              \
    "class Identifier(\"[a-z]{1,3}\");\nclass Number(\"[0-9]{1,2}\");\nclass Op(\"[+*/-]\");\n"

/* Does every name that stands right of := stand left of one before? */
static bool all_defined(const char *text)
{
    char names[4096] = " ";
    for (; *text; text += strcspn(text, "\n"), text += *text == '\n') {
        const char *end = text + strcspn(text, "\n"), *sign = strstr(text, ":=");
        char name[8];
        if (!sign || sign > end)
            return false;
        for (const char *at = sign; at < end; at++) {
            size_t n = strspn(at, "abcdefghijklmnopqrstuvwxyz");
            if (!n)
                continue;
            snprintf(name, sizeof name, " %.*s ", (int)n, at);
            if (!strstr(names, name))
                return false;
            at += n - 1;
        }
        size_t n = strlen(names);
        if (n < sizeof names - 8)
            snprintf(names + n, sizeof names - n, "%.*s ", (int)(sign - text - 1), text);
    }
    return true;
}

static void test_figure_3(void)
{
    static const char *const variants[] = {FIG3("UseVariable"), FIG3("UseVariableGen")};
    static const char *const names[] = {"a guard", "a generator"};
    const struct ag_options o = {.max_height = 6};
    ok(!all_defined("a := b;\n") && all_defined("a := 1;\nb := a + 2;\n"), "the test can fail");
    for (int v = 0; v < 2; v++) {
        struct made t;
        int wrong = 0, uses = 0, none = 0;
        if (!ok(open_with(&t, variants[v], &o), "Fig. 3 with %s", names[v]))
            continue;
        for (uint64_t seed = 1; seed <= 400; seed++) {
            const char *text = of_seed(&t, seed);
            none += !text;
            wrong += text && !all_defined(text);
            uses += text && strlen(text) > 12;
        }
        is_int(none, 0, "Fig. 3 with %s: a program for every seed", names[v]);
        is_int(wrong, 0, "Fig. 3 with %s: no undefined variable", names[v]);
        ok(uses > 200, "Fig. 3 with %s: programs of some size (%d)", names[v], uses);
        close_text(&t);
    }
}

/* -- small scopes, completely ------------------------------------------------------------------ */

static bool is_among(char list[][64], int n, const char *text)
{
    for (int i = 0; i < n; i++)
        if (!strcmp(list[i], text))
            return true;
    return false;
}

/* All texts that any sequence of choices yields; -1 where one of them fails. */
static int all_texts(struct made *t, char list[][64], int room)
{
    struct choice c;
    int n = 0;
    choice_init_exhaustive(&c);
    do {
        const char *text = with_choices(t, &c);
        if (!text || strlen(text) > 63 || n == room)
            return -1;
        if (!is_among(list, n, text))
            snprintf(list[n++], 64, "%s", text);
    } while (choice_next_sequence(&c));
    choice_release(&c);
    return n;
}

static void test_small_scopes(void)
{
    /* digits whose sum is 3, through a guard that looks at both */
    static const char sum[] =
        "class P { grd three; p(\"${a : D} ${b : D}\") { this.three = (== (+ a.n b.n) 3); } }\n"
        "class D { syn n : int; zero(\"0\") { this.n = 0; } one(\"1\") { this.n = 1; }\n"
        "  two(\"2\") { this.n = 2; } three(\"3\") { this.n = 3; } four(\"4\") { this.n = 4; } }\n";
    static const char *const sums[] = {"0 3", "1 2", "2 1", "3 0"};
    /* the second is greater than the first, and the third what the second says */
    static const char chain[] =
        "use T; class P { p(\"${a : D}${b : B}${c : C}\") { b.a = a.n; c.b = b.n; } }\n"
        "class D { syn n : int; one(\"1\") { this.n = 1; } two(\"2\") { this.n = 2; } }\n"
        "class B { inh a : int; syn n : int; grd more; b(\"${d : D}\") { this.n = d.n;\n"
        "  this.more = (> d.n this.a); } }\n"
        "class C { inh b : int; c (T:upto this.b) : int { } }\n";
    static const char *const chains[] = {"121", "122"};
    char list[512][64];
    struct made t;
    ok(open_text(&t, sum), "two digits of a sum");
    is_int(all_texts(&t, list, 512), 4, "there are four");
    for (int i = 0; i < 4; i++)
        ok(is_among(list, 4, sums[i]), "%s is one", sums[i]);
    close_text(&t);
    ok(open_text(&t, chain), "a chain of dependencies");
    is_int(all_texts(&t, list, 512), 2, "there are two");
    for (int i = 0; i < 2; i++)
        ok(is_among(list, 2, chains[i]), "%s is one", chains[i]);
    close_text(&t);
}

/* -- lists ------------------------------------------------------------------------------------- */

static int count(const char *text, char c)
{
    int n = 0;
    for (; *text; text++)
        n += *text == c;
    return n;
}

static void test_long_lists(void)
{
    static const struct {
        const char *name, *text;
    } lists[] = {
        {"to the right", "class P { p(\"${l : L}\") { l.n = 0; } }\n"
                         "@list(100000) class L { inh n : int; one(\"${e : E}\") {}\n"
                         "@weight(1000000) more(\"${e : E}${r : L}\") { r.n = (+ this.n 1); } }\n"
                         "class E { e(\"x\") {} }\n"},
        {"to the left", "class P { p(\"${l : L}\") {} }\n"
                        "@list(100000) class L { syn n : int; one(\"${e : E}\") { this.n = 1; }\n"
                        "@weight(1000000) more(\"${r : L}${e : E}\") { this.n = (+ r.n 1); } }\n"
                        "@unit class E { e(\"x\") {} }\n"},
        {"that are guarded",
         "class P { p(\"${l : L}\") { l.n = 0; } }\n"
         "@list(100000) class L { inh n : int; syn m : int; grd ok; one(\"x\") { this.ok = true;\n"
         "  this.m = 1; }\n"
         "@weight(1000000) more(\"x${r : L}\") { r.n = (+ this.n 1); this.m = (+ r.m 1);\n"
         "  this.ok = (> r.m 0); } }\n"},
    };
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        struct made t;
        struct strbuf tree;
        if (!ok(open_text(&t, lists[i].text), "lists %s", lists[i].name))
            continue;
        const char *text = of_seed(&t, 1);
        is_int(text ? count(text, 'x') : -1, 100000, "100,000 elements %s", lists[i].name);
        strbuf_init(&tree, 0);
        ag_search_tree(t.search, false, &tree);
        ok(count(tree.s, '\n') > 100000, "and their tree");
        strbuf_clear(&tree);
        ag_search_tree(t.search, true, &tree);
        is_int(count(tree.s, '{'), count(tree.s, '}'), "and as JSON");
        ok(count(tree.s, '[') > 100000, "with all nodes");
        strbuf_release(&tree);
        close_text(&t);
    }
}

static void test_shortened(void)
{
    static const struct {
        const char *name, *text;
    } lists[] = {
        {"to the right",
         "class P { p(\"${l : L}\") { l.n = 1; } }\n"
         "@list class L { inh n : int; one(\"${e : E}\") { e.n = this.n; }\n"
         "@weight(50) more(\"${e : E}${r : L}\") { e.n = this.n; r.n = (+ this.n 1); } }\n"
         "class E { inh n : int; grd few; e(\"x\") { this.few = (<= this.n 5); } }\n"},
        {"to the left",
         "class P { p(\"${l : L}\") { } }\n"
         "@list class L { syn n : int; one(\"${e : E}\") { e.n = 1; this.n = 1; }\n"
         "@weight(20) more(\"${r : L}${e : E}\") { e.n = (+ r.n 1); this.n = (+ r.n 1); } }\n"
         "class E { inh n : int; grd few; e(\"x\") { this.few = (<= this.n 5); } }\n"},
        {"that end with nothing",
         "class P { p(\"${l : L}\") { l.n = 1; } }\n"
         "@list class L { inh n : int; none(\"\") { }\n"
         "@weight(50) more(\"${e : E}${r : L}\") { e.n = this.n; r.n = (+ this.n 1); } }\n"
         "class E { inh n : int; grd few; e(\"x\") { this.few = (<= this.n 5); } }\n"},
    };
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        struct made t;
        int most = 0, five = 0, none = 0;
        int64_t shortened = 0, patterns = 0;
        if (!ok(open_text(&t, lists[i].text), "short lists %s", lists[i].name))
            continue;
        for (uint64_t seed = 1; seed <= 100; seed++) {
            const char *text = of_seed(&t, seed);
            int n = text ? count(text, 'x') : 0;
            none += !text;
            most = n > most ? n : most;
            five += n == 5;
            shortened += ag_search_stats(t.search)->shortened;
            patterns += ag_search_stats(t.search)->patterns;
        }
        is_int(none, 0, "a list for every seed, %s", lists[i].name);
        is_int(most, 5, "no list is longer than its guards allow, %s", lists[i].name);
        ok(five > 50, "most are as long (%d)", five);
        ok(shortened > 50, "they were shortened (%lld)", (long long)shortened);
        ok(patterns < 20 * 100, "with few patterns (%lld)", (long long)patterns);
        close_text(&t);
    }
}

/* What fails far inside a long list costs one look at the list, not one per element. */
static void test_long_shortened(void)
{
    static const char *const lists[] = {
        "class P { p(\"${l : L}\") { l.n = 1; } }\n"
        "@list(60000) class L { inh n : int; one(\"${e : E}\") { e.n = this.n; }\n"
        "@weight(1000000) more(\"${e : E}${r : L}\") { e.n = this.n; r.n = (+ this.n 1); } }\n"
        "class E { inh n : int; grd few; e(\"x\") { this.few = (<= this.n 30000); } }\n",
        "class P { p(\"${l : L}\") { } }\n"
        "@list(60000) class L { syn n : int; one(\"${e : E}\") { e.n = 1; this.n = 1; }\n"
        "@weight(1000000) more(\"${r : L}${e : E}\") { e.n = (+ r.n 1); this.n = (+ r.n 1); } }\n"
        "class E { inh n : int; grd few; e(\"x\") { this.few = (<= this.n 30000); } }\n"};
    for (int i = 0; i < 2; i++) {
        struct made t;
        ok(open_text(&t, lists[i]), "a long list to the %s", i ? "left" : "right");
        const char *text = of_seed(&t, 1);
        is_int(text ? count(text, 'x') : -1, 30000, "ends where an element fails");
        is_int(ag_search_stats(t.search)->alternatives, 1, "at once");
        close_text(&t);
    }
}

/* -- failures ---------------------------------------------------------------------------------- */

static void test_failures(void)
{
    static const char undefined[] =
        "use T; class P { p(\"${a : A}\") { a.z = 0; } }\n"
        "@unit class A { inh z : int; syn n : int; bad(\"bad\") { this.n = (/ 1 this.z); }\n"
        "worse(\"worse\") { this.n = (T:never 1); } good(\"good\") { this.n = 1; } }\n";
    static const char hopeless[] = "class P { grd g; p(\"x\") { this.g = false; } }\n";
    static const char crashes[] =
        "use T; class P { grd g; p(\"${l : L}\") { this.g = (T:crash (== l.str \"b\")); } }\n"
        "class L(\"a|b\");\n";
    static const char prints[] = "use T; class P { p(\"#{(T:crash true)}\") {} }\n";
    static const char deep[] =
        "class P { p(\"${e : E}\") {} }\n"
        "class E { one(\"1\") {} @weight(30) two(\"(${a : E}${b : E})\") {} }\n";
    struct made t;
    const char *path;
    int good = 0;
    ok(open_text(&t, undefined), "undefined attributes");
    for (uint64_t seed = 1; seed <= 50; seed++) {
        const char *text = of_seed(&t, seed);
        good += text && !strcmp(text, "good");
    }
    is_int(good, 50, "what is undefined is not built");
    close_text(&t);

    ok(open_text(&t, hopeless), "a guard that never holds");
    ok(!of_seed(&t, 1) && strstr(t.e.message, "no program was found"), "has no program: %s",
       t.e.message);
    close_text(&t);

    ok(open_text(&t, prints), "a function that crashes in the text");
    ok(!of_seed(&t, 1) && strstr(t.e.message, "T:crash"), "is named, too: %s", t.e.message);
    path = strstr(t.e.message, "/tmp/");
    if (path)
        remove(path);
    close_text(&t);

    ok(open_text(&t, crashes), "a function that crashes");
    bool crashed = false;
    for (uint64_t seed = 1; seed <= 50 && !crashed; seed++)
        crashed = !of_seed(&t, seed);
    ok(crashed && strstr(t.e.message, "T:crash") && strstr(t.e.message, "tree"),
       "is named with the tree: %s", t.e.message);
    path = strstr(t.e.message, "/tmp/");
    if (path)
        remove(path);
    close_text(&t);

    const struct ag_options low = {.max_height = 5};
    int highest = 0;
    ok(open_with(&t, deep, &low), "a height budget");
    for (uint64_t seed = 1; seed <= 50; seed++) {
        int depth = 0;
        for (const char *at = of_seed(&t, seed); at && *at; at++) {
            depth += (*at == '(') - (*at == ')');
            highest = depth > highest ? depth : highest;
        }
    }
    is_int(highest, 4, "is used up and kept");
    close_text(&t);
}

/* A name at the front on which nodes in the middle depend, and a guard at the end that wants
 * another: what was built in between must go when the name changes. */
static void test_cascades(void)
{
    static const char text[] =
        "use Set;\n"
        "class P { grd both; p(\"${a : D}|${l : L}|${z : Z}\") { l.syms = (Set:of a.str); z.l = "
        "l.n;\n"
        "  this.both = (and (equals a.str \"c\") (equals z.n 3)); } }\n"
        "class D(\"a|b|c|d|e\");\n"
        "@list(4) class L { inh syms : Set; syn n : int; one(\"${u : U}\") { u.syms = this.syms;\n"
        "   this.n = 1; }\n"
        "  more(\"${u : U}${r : L}\") { u.syms = this.syms; r.syms = this.syms;\n"
        "   this.n = (+ r.n 1); } }\n"
        "class U { inh syms : Set; u (Set:items this.syms) : String {} }\n"
        "class Z { inh l : int; syn n : int; grd ok; z(\"${d : N}\") { this.n = (int d.str);\n"
        "  this.ok = (== (int d.str) this.l); } }\n"
        "class N(\"[1-9]\");\n";
    struct made t;
    int right = 0;
    ok(open_text(&t, text), "a guard far from its cause");
    for (uint64_t seed = 1; seed <= 100; seed++) {
        const char *got = of_seed(&t, seed);
        right += got && !strcmp(got, "c|ccc|3");
    }
    is_int(right, 100, "everything between follows");
    close_text(&t);
}

/* Several things are wrong at once, and what mends one of them leaves the others. */
static void test_many_faults(void)
{
    static const char text[] =
        "use T;\n"
        "class P { grd f; grd g; syn n : int; p(\"${a : D}${b : D}${c : D}\") {\n"
        "  this.f = (equals a.str \"c\"); this.g = (equals b.str \"d\");\n"
        "  this.n = (/ 1 (if (equals c.str \"e\") 1 0)); } }\n"
        "class D(\"a|b|c|d|e\");\n";
    const struct ag_options naive = {.no_fail_patterns = true}, plain = {0};
    for (int i = 0; i < 2; i++) {
        struct made t;
        int right = 0;
        ok(open_with(&t, text, i ? &naive : &plain), "three faults at once");
        for (uint64_t seed = 1; seed <= 100; seed++) {
            const char *got = of_seed(&t, seed);
            right += got && !strcmp(got, "cde");
        }
        is_int(right, 100, "all are mended%s", i ? ", without patterns too" : "");
        close_text(&t);
    }
}

/* Lists whose links are passed as nodes or have numbers, that are searched by themselves, or whose
 * end has other children; guards that read numbers. No seed needs a second beginning, and all rules
 * hold. */
static void test_hard_lists(void)
{
    static const char *const hard[] = {
        "use T; class P { p(\"${k : K}\") { } }\n"
        "class K { grd g; a(\"x\") { this.g = (== (T:number this) 3); } }\n",
        "use T; class P { p(\"${l : L}\") { l.n = 0; } }\n"
        "@list class L { inh n : int; one(\"${e : E}\") { e.x = (T:number this); e.n = this.n; }\n"
        "@weight(9) more(\"${e : E}${r : L}\") { e.x = (T:number this); e.n = this.n;\n"
        "  r.n = (+ this.n 1); } }\n"
        "class E { inh x : int; inh n : int; grd g; a(\"#{this.x}\") { this.g = (< this.n 3); } "
        "}\n",
        "use T; class P { p(\"${l : L}\") { l.n = 0; } }\n"
        "@list class L { inh n : int;\n"
        "one(\"${e : E}${f : F}${h : F}\") { e.x = (T:number h); e.n = this.n; }\n"
        "@weight(9) more(\"${e : E}${r : L}\") { e.x = (T:number r); e.n = this.n;\n"
        "  r.n = (+ this.n 1); } }\n"
        "class F { a(\"f\") {} }\n"
        "class E { inh x : int; inh n : int; grd g; a(\"a\") { this.g = (< this.n 3); } }\n",
        "class P { p(\"${l : L}${q : Q}\") { q.x = l; } } class Q { inh x : Node; a(\"q\") {} }\n"
        "@list class L { syn n : int; one(\"${e : E}\") { e.n = 0; this.n = 1; }\n"
        "@weight(9) more(\"${r : L}${e : E}\") { e.n = r.n; this.n = (+ r.n 1); } }\n"
        "class E { inh n : int; grd g; a(\"a\") { this.g = (< this.n 3); } }\n",
        "@list class L { syn n : int; one(\"${e : E}\") { e.n = 0; this.n = 1; }\n"
        "@weight(9) more(\"${r : L}${e : E}\") { e.n = r.n; this.n = (+ r.n 1); } }\n"
        "class E { inh n : int; grd g; a(\"a\") { this.g = (< this.n 3); } }\n",
        "class P { p(\"${l : L}\") {} }\n"
        "@unit @list class L { syn n : int; one(\"${e : E}\") { e.n = 0; this.n = 1; }\n"
        "@weight(9) more(\"${r : L}${e : E}\") { e.n = r.n; this.n = (+ r.n 1); } }\n"
        "class E { inh n : int; grd g; a(\"a\") { this.g = (< this.n 3); } }\n",
        "class P { p(\"${l : L}\") { l.n = 0; } }\n"
        "@list class L { inh n : int;\n"
        "one(\"${e : E}${f : F}\") { e.x = f; e.n = this.n; f.k = 1; }\n"
        "@weight(9) more(\"${e : E}${f : F}${r : L}\") { e.x = f; e.n = this.n; r.n = (+ this.n "
        "1);\n"
        "  f.k = 2; } }\n"
        "class F { inh k : int; a(\"f\") {} }\n"
        "class E { inh x : Node; inh n : int; grd g; a(\"a\") { this.g = (< this.n 3); } }\n"};
    for (size_t i = 0; i < sizeof hard / sizeof *hard; i++) {
        struct made t;
        int right = 0;
        if (!ok(open_text(&t, hard[i]), "hard list %zu", i))
            continue;
        for (uint64_t seed = 1; seed <= 60; seed++)
            right += of_seed(&t, seed) && !ag_search_stats(t.search)->restarts;
        is_int(right, 60, "is found at once for every seed");
        close_text(&t);
    }
}

/* Where every number is forbidden in turn and the program is large already, the search still ends.
 */
static void test_numbers_end(void)
{
    static const char text[] =
        "use T; class P { p(\"${f : F}${k : K}${l : G}\") { l.n = k.s; } }\n"
        "class F { a(\"${a : E}${b : E}${c : E}${d : E}\") {} }\n"
        "class E { a(\"${a : X}${b : X}${c : X}${d : X}\") {} } class X { a(\"\") {} }\n"
        "class K { syn s : int; a(\"x\") { this.s = (T:number this); } }\n"
        "class G { inh n : int; grd g; a(\"y\") { this.g = (== this.n 100); } }\n";
    const struct ag_options small = {.size = 1};
    struct made t;
    struct choice nothing;
    ok(open_with(&t, text, &small), "a number that no node has");
    choice_init_replay(&nothing, NULL, 0);
    ok(!with_choices(&t, &nothing), "is not found, in the end");
    choice_release(&nothing);
    close_text(&t);
}

/* -- what the patterns are for ----------------------------------------------------------------- */

static void test_ablation(void)
{
    static const char text[] =
        "class P { grd g; p(\"${a : D}${b : D}${c : D}${d : D}\") {\n"
        "  this.g = (and (== a.n 7) (>= d.n 0)); } }\n"
        "class D { syn n : int; d(\"${x : X}\") { this.n = (int x.str); } }\n"
        "@count(8) class X(\"[0-9]\");\n";
    const struct ag_options naive = {.no_fail_patterns = true};
    struct made t;
    int64_t with = 0, without = 0;
    ok(open_text(&t, text), "a guard that looks at two of four");
    for (uint64_t seed = 1; seed <= 40; seed++)
        with += of_seed(&t, seed) ? ag_search_stats(t.search)->alternatives : 1000;
    close_text(&t);
    ok(open_with(&t, text, &naive), "without fail patterns");
    for (uint64_t seed = 1; seed <= 40; seed++) {
        of_seed(&t, seed);
        without += ag_search_stats(t.search)->alternatives;
    }
    close_text(&t);
    ok(with > 0 && with < 40 * 60 && without > 10 * with,
       "patterns exclude what cannot help: %lld alternatives, %lld without", (long long)with,
       (long long)without);
}

static void test_early_guards(void)
{
    static const char text[] =
        "class P { p(\"${e : E}\") { e.t = 3; } }\n"
        "class E { inh t : int; grd ok; a(\"a${e : E}\") { this.ok = (== this.t 1); e.t = 1; }\n"
        "b(\"b${e : E}\") { this.ok = (== this.t 2); e.t = 2; }\n"
        "c(\"c\") { this.ok = (== this.t 3); } }\n";
    struct made t;
    ok(open_text(&t, text), "guards on inherited attributes alone");
    int64_t made = 0, patterns = 0;
    for (uint64_t seed = 1; seed <= 50; seed++) {
        const char *got = of_seed(&t, seed);
        made += got && !strcmp(got, "c") ? ag_search_stats(t.search)->created : 100;
        patterns += ag_search_stats(t.search)->patterns;
    }
    is_int(made, 100, "nothing is built for those that fail");
    is_int(patterns, 0, "and no pattern is needed");
    close_text(&t);
}

/* -- choices ----------------------------------------------------------------------------------- */

static void test_choices(void)
{
    struct made t;
    const struct ag_options o = {.max_height = 6};
    ok(open_with(&t, FIG3("UseVariable"), &o), "choices");
    char *first = strdup(of_seed(&t, 11));
    of_seed(&t, 12);
    is_str(of_seed(&t, 11), first, "a seed means the same, whatever came before");
    struct choice c, again;
    choice_init_random(&c, 11);
    c.record = true;
    with_choices(&t, &c);
    choice_values values = {0};
    for (size_t i = 0; i < c.path.n; i++)
        vec_push(&values, c.path.at[i].value);
    choice_init_replay(&again, values.at, values.n);
    is_str(with_choices(&t, &again), first, "and so does its recorded sequence");
    choice_release(&again);
    int wrong = 0;
    for (size_t n = 0; n < values.n; n++) {
        choice_init_replay(&again, values.at, n);
        const char *text = with_choices(&t, &again);
        wrong += !text || !all_defined(text);
        choice_release(&again);
    }
    is_int(wrong, 0, "every sequence that is cut short is a valid program (%zu)", values.n);
    for (size_t n = 0; n < values.n; n++) {
        uint64_t old = values.at[n];
        values.at[n] = old * 7 + 3;
        choice_init_replay(&again, values.at, values.n);
        const char *text = with_choices(&t, &again);
        wrong += !text || !all_defined(text);
        choice_release(&again);
        values.at[n] = old;
    }
    is_int(wrong, 0, "and every one that was changed");
    choice_init_replay(&again, NULL, 0);
    const char *simplest = with_choices(&t, &again);
    ok(simplest && count(simplest, '\n') == 1 && strlen(simplest) < 12, "nothing chosen: %s",
       simplest);
    choice_release(&again);
    vec_release(&values);
    choice_release(&c);
    free(first);
    close_text(&t);
}

/* -- options and text -------------------------------------------------------------------------- */

static void test_options(void)
{
    static const char text[] =
        "class P { p(\"${l : L}\") {} }\n"
        "@list class L { one(\"${e : E}\") {} @weight(1000) more(\"${e : E}${r : L}\") {} }\n"
        "@unit class E { a(\"a\") {} @feature(\"x,y\") b(\"b\") {} @feature(\"z\") c(\"c\") {}\n"
        "@weight(0) d(\"d\") {} }\n";
    struct made t;
    struct ag_options o = {.size = 300, .features = "y"};
    ok(open_with(&t, text, &o), "features and size");
    const char *got = of_seed(&t, 3);
    ok(strchr(got, 'a') && strchr(got, 'b') && !strchr(got, 'c') && !strchr(got, 'd'),
       "one feature of two is enough; weight 0 is off");
    int64_t nodes = ag_search_stats(t.search)->nodes;
    ok(nodes >= 250 && nodes < 330, "a list ends when the program is large enough (%lld)",
       (long long)nodes);
    close_text(&t);
    struct map weights;
    map_init(&weights);
    map_put_str(&weights, "E.a", NULL)->value.number = 0;
    map_put_str(&weights, "E.d", NULL)->value.number = 5;
    o = (struct ag_options){.size = 300, .weights = &weights};
    ok(open_with(&t, text, &o), "weights");
    got = of_seed(&t, 3);
    ok(!strchr(got, 'a') && strchr(got, 'd'), "given ones count");
    close_text(&t);
    map_put_str(&weights, "E.d", NULL)->value.number = 0;
    ok(!open_with(&t, text, &o) && strstr(t.e.message, "no finite tree"), "nothing left: %s",
       t.e.message);
    close_text(&t);
    map_release(&weights);
}

static void test_text(void)
{
    static const char text[] =
        "use T; class P { p(\"{\\+${a : A};\\n#{a} #{(+ 1 2)} \\$\\#\\\"${h : H}\\-}\\n${s : "
        "Sum}\") {} }\n"
        "class A { a(\"x = #{.v}\") { loc v = (max 4 5); } }\n"
        "@hidden class H { h(\"never\") {} }\n"
        "class Sum { @precedence(1) sum(\"\\(${a : F}\\) + \\(${b : M}\\)\") {} }\n"
        "class M { @precedence(2) m(\"\\(${a : S}\\) * \\(${b : F}\\)\") {} }\n"
        "class S { @precedence(1) s(\"${a : F} - ${b : F}\") {} }\n"
        "class F { @precedence(3) f(\"7\") {} }\n";
    struct made t;
    ok(open_text(&t, text), "text");
    is_str(of_seed(&t, 1), "{\n  x = 5;\n  x = 5 3 $#\"\n}\n7 + (7 - 7) * 7", "as it should be");
    close_text(&t);
}

static void test_numbers(void)
{
    static const char text[] =
        "use T; class P { grd g; p(\"#{.n}${e : E}\") { loc n = (T:number this);\n"
        "  this.g = (and (> .n 4) (== e.n .n)); } }\n"
        "class E { syn n : int; e(\"#{.n}\") { loc n = (T:number this); this.n = .n; } }\n";
    struct made t;
    int right = 0;
    char seen[11] = "..........";
    ok(open_text(&t, text), "numbers of nodes");
    for (uint64_t seed = 1; seed <= 60; seed++) {
        const char *got = of_seed(&t, seed);
        right += got && strlen(got) == 2 && got[0] == got[1] && got[0] > '4';
        if (got && isdigit((unsigned char)got[0]))
            seen[got[0] - '0'] = 'x';
    }
    is_int(right, 60, "guards hold for what was drawn");
    is_str(seen, ".....xxxxx", "and all that may be is drawn");
    close_text(&t);
}

int main(void)
{
    test_figure_3();
    test_small_scopes();
    test_long_lists();
    test_shortened();
    test_long_shortened();
    test_failures();
    test_cascades();
    test_many_faults();
    test_hard_lists();
    test_numbers_end();
    test_ablation();
    test_early_guards();
    test_choices();
    test_options();
    test_text();
    test_numbers();
    return tap_done();
}
