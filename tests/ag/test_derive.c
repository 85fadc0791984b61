/* Derivations: a tree that is built again is the same; one that was edited satisfies every guard,
 * or is refused; names follow what they name.
 *
 * The argument is the root of the sources, where the languages are. Each tree that is accepted is
 * proved by evaluating all of its rules once more (tree_verify). */
#include "ag/derive.h"
#include "ag/runtime.h"
#include "ag/search_internal.h"
#include "gen/gen.h"
#include "tap.h"

#include <stdlib.h>

static bool proved(struct ag_search *s)
{
    return !tree_verify(&s->tree);
}

/* -- languages --------------------------------------------------------------------------------- */

static struct generator *open_language(const char *root, const char *name)
{
    static char dir[4096];
    const char *dirs = dir;
    struct gen_context context = {.dirs = &dirs, .n_dirs = 1};
    struct generator *g = NULL;
    struct error e = {0};
    snprintf(dir, sizeof dir, "%s/generators", root);
    if (gen_open(name, &context, &g, &e))
        tap_note(name, e.message);
    return g;
}

static bool next_program(struct generator *g, uint64_t seed, struct arena *a, struct program *p)
{
    struct choice c;
    struct error e = {0};
    choice_init_random(&c, seed);
    bool made = !gen_next(g, &c, a, p, &e);
    choice_release(&c);
    return made;
}

static bool same_program(const struct program *a, const struct program *b)
{
    return a->files[0].size == b->files[0].size &&
           !memcmp(a->files[0].text, b->files[0].text, a->files[0].size);
}

static bool same_derivation(const struct ag_derivation *a, const struct ag_derivation *b)
{
    if (a->n != b->n)
        return false;
    for (size_t i = 0; i < a->n; i++) {
        const struct ag_derived *x = &a->at[i], *y = &b->at[i];
        if (x->class != y->class || x->production != y->production || x->span != y->span ||
            x->parent != y->parent || x->is_rest != y->is_rest || x->bytes != y->bytes ||
            x->number != y->number || x->hash != y->hash || x->size != y->size ||
            memcmp(x->text, y->text, x->size) != 0)
            return false;
    }
    return true;
}

static void round_trips(struct generator *g, int seeds)
{
    struct ag_search *s = g->class->search(g);
    struct error e = {0};
    int made = 0, good = 0;
    for (int seed = 1; seed <= seeds; seed++) {
        struct arena a;
        struct program before, after;
        struct ag_derivation d, again;
        arena_init(&a);
        if (next_program(g, (uint64_t)seed, &a, &before)) {
            made++;
            good += !ag_search_derivation(s, &a, &d, &e) &&
                    d.n == (size_t)ag_search_stats(s)->nodes &&
                    !ag_search_derive(s, &d, AG_DERIVE_STRICT, &e) && proved(s) &&
                    !g->class->print(g, &a, &after, &e) && same_program(&before, &after) &&
                    !ag_search_derivation(s, &a, &again, &e) && same_derivation(&d, &again);
        }
        arena_release(&a);
    }
    is_int(made, seeds, "%s: programs", g->name);
    is_int(good, made, "%s: built again they are the same, text and tree", g->name);
}

/* Deriving leaves nothing behind in the search. */
static void seeds_mean_the_same(struct generator *g)
{
    struct arena a;
    struct program first, again;
    struct ag_derivation d, cut;
    struct error e = {0};
    struct ag_search *s = g->class->search(g);
    arena_init(&a);
    bool good = next_program(g, 7, &a, &first) && !ag_search_derivation(s, &a, &d, &e) &&
                ag_edit_free(s, &d, d.n / 2, &a, &cut) &&
                ag_search_derive(s, &cut, AG_DERIVE_REPAIR, &e) >= 0 &&
                next_program(g, 7, &a, &again) && same_program(&first, &again);
    ok(good, "%s: a seed makes the same program after a derivation", g->name);
    arena_release(&a);
}

struct tally {
    int edits, strict, repaired, wrong, differ;
};

/* Both ways to derive an edit; where the strict one can, the other does the same. */
static void try_edit(struct generator *g, const struct ag_derivation *d, struct tally *t)
{
    struct ag_search *s = g->class->search(g);
    struct error e = {0};
    struct arena a;
    struct program strict = {0}, repaired;
    arena_init(&a);
    t->edits++;
    int status = ag_search_derive(s, d, AG_DERIVE_STRICT, &e);
    bool valid = status == 0;
    t->strict += valid;
    t->wrong += status < 0 || (valid && (!proved(s) || g->class->print(g, &a, &strict, &e)));
    status = ag_search_derive(s, d, AG_DERIVE_REPAIR, &e);
    t->repaired += status == 0;
    t->wrong += status < 0 ||
                (status == 0 && (!proved(s) || g->class->print(g, &a, &repaired, &e))) ||
                (valid && status != 0);
    t->differ += valid && status == 0 && !same_program(&strict, &repaired);
    arena_release(&a);
}

static void edits_at(struct generator *g, const struct ag_derivation *d, size_t at, struct tally *t)
{
    struct ag_search *s = g->class->search(g);
    struct ag_derivation edited;
    struct arena a;
    size_t length = ag_list_length(s, d, at);
    arena_init(&a);
    for (size_t n = length; n; n /= 2)
        if (ag_edit_drop(s, d, at, (length - n) / 2, n, &a, &edited))
            try_edit(g, &edited, t);
    if (ag_edit_free(s, d, at, &a, &edited))
        try_edit(g, &edited, t);
    if (ag_edit_simplest(s, d, at, &a, &edited))
        try_edit(g, &edited, t);
    if (ag_edit_splice(s, d, at, &a, &edited))
        try_edit(g, &edited, t);
    if (ag_production_children(s, d, at, 0) >= 0 && ag_edit_fresh(s, d, at, 0, &a, &edited))
        try_edit(g, &edited, t);
    if (ag_edit_production(s, d, at, 0, &a, &edited))
        try_edit(g, &edited, t);
    for (size_t i = 1, tried = 0; i < d->n && tried < 2; i++)
        if (ag_edit_graft(s, d, at, i, &a, &edited)) {
            try_edit(g, &edited, t);
            tried++;
        }
    arena_release(&a);
}

enum { SMALL = 6000 }; /* nodes: each edit costs two trees and two proofs */

static void edits_are_valid(struct generator *g, int programs, size_t places)
{
    struct tally t = {0};
    for (uint64_t seed = 1; programs && seed < 100; seed++) {
        struct arena a;
        struct program p;
        struct ag_derivation d;
        struct error e = {0};
        arena_init(&a);
        if (next_program(g, seed, &a, &p) &&
            !ag_search_derivation(g->class->search(g), &a, &d, &e) && d.n <= SMALL) {
            for (size_t i = 0; i < d.n; i += 1 + d.n / places)
                edits_at(g, &d, i, &t);
            programs--;
        }
        arena_release(&a);
    }
    printf("# %s: %d edits, %d valid as they are, %d when repaired\n", g->name, t.edits, t.strict,
           t.repaired);
    ok(t.edits > 100, "%s: edits", g->name);
    is_int(t.wrong, 0, "%s: each is refused, or satisfies every guard", g->name);
    is_int(t.differ, 0, "%s: what is valid is not repaired", g->name);
    ok(t.strict < t.edits, "%s: some are refused", g->name);
    ok(t.repaired > t.strict, "%s: more can be had by repair", g->name);
}

/* -- small specifications ---------------------------------------------------------------------- */

static lala crash(struct lala_env *env, const lala *arg, int n)
{
    (void)env;
    (void)n;
    if (lala_is_true(arg[0]))
        abort();
    return LALA_TRUE;
}
static const struct lala_function functions[] = {{"crash", "boolean : boolean", crash, 0}};
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

static bool open_text(struct made *t, const char *text)
{
    const struct ag_options o = {0};
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
    }
    return !t->m.errors && !ag_search_new(t->spec, &o, &t->search, &t->e);
}

static void close_text(struct made *t)
{
    ag_search_free(t->search);
    ag_messages_release(&t->m);
    ag_runtime_free(t->rt);
    strbuf_release(&t->text);
    arena_release(&t->arena);
}

static const char *text_now(struct made *t)
{
    strbuf_clear(&t->text);
    return ag_search_text(t->search, &t->text, &t->e) ? NULL : t->text.s;
}

/* The first program with this text among many seeds, as a derivation. */
static bool find_program(struct made *t, const char *wanted, struct ag_derivation *d)
{
    for (uint64_t seed = 0; seed < 200000; seed++) {
        struct choice c;
        choice_init_random(&c, seed);
        int status = ag_search_next(t->search, &c, &t->e);
        choice_release(&c);
        if (!status && !strcmp(text_now(t), wanted))
            return !ag_search_derivation(t->search, &t->arena, d, &t->e);
    }
    return ok(false, "a program with the text %s", wanted);
}

/* The list of the program: all that there is above it is the root. */
enum { LIST = 1 };

/* The text after elements have gone; NULL where that is refused. */
static const char *without(struct made *t, const struct ag_derivation *d, size_t first, size_t n,
                           enum ag_derive_mode mode)
{
    struct ag_derivation edited;
    if (!ag_edit_drop(t->search, d, LIST, first, n, &t->arena, &edited) ||
        ag_search_derive(t->search, &edited, mode, &t->e))
        return NULL;
    return proved(t->search) ? text_now(t) : "not proved";
}

#define STATEMENTS(stmt)                                                                           \
    "class Program { prog(\"${l : List}\") { l.known = (Set:empty); } }\n"                         \
    "@list class List { inh known : Set;\n"                                                        \
    "  one(\"${s : Stmt}\") { s.known = this.known; }\n"                                           \
    "  @weight(4) more(\"${s : Stmt}${r : List}\") {\n"                                            \
    "    s.known = this.known; r.known = s.after; } }\n" stmt

/* Names are literals: a use of one that was declared. */
static void a_use_without_its_declaration(void)
{
    struct made t;
    struct ag_derivation d;
    bool opened = open_text(
        &t, "use Set;\n" STATEMENTS("@unit class Stmt { inh known : Set; syn after : Set;\n"
                                    "  say(\"!\") { this.after = this.known; }\n"
                                    "  declare(\"${n : Name};\") {\n"
                                    "    this.after = (Set:add this.known n.str); }\n"
                                    "  use(\"?${u : Use}\") { u.known = this.known;\n"
                                    "    this.after = this.known; } }\n"
                                    "class Use { inh known : Set; grd defined;\n"
                                    "  name(\"${n : Name}\") {\n"
                                    "    this.defined = (Set:has this.known n.str); } }\n"
                                    "class Name(\"[ab]\");\n"));
    if (ok(opened, "names that are literals") && find_program(&t, "a;b;?a?b", &d)) {
        is_int(ag_list_length(t.search, &d, LIST), 4, "the list has four elements");
        is_str(without(&t, &d, 3, 1, AG_DERIVE_STRICT), "a;b;?a", "the last statement goes");
        is_str(without(&t, &d, 2, 2, AG_DERIVE_STRICT), "a;b;", "the last two go");
        is_str(without(&t, &d, 2, 1, AG_DERIVE_STRICT), "a;b;?b", "one in the middle goes");
        is_str(without(&t, &d, 0, 1, AG_DERIVE_STRICT), NULL,
               "a declaration that is used does not");
        is_str(without(&t, &d, 1, 1, AG_DERIVE_STRICT), NULL, "nor does another");
        is_str(without(&t, &d, 0, 1, AG_DERIVE_REPAIR), "b;!?b", "or its use goes with it");
        is_str(without(&t, &d, 0, 2, AG_DERIVE_REPAIR), "!!", "or all uses");
        is_str(without(&t, &d, 0, 4, AG_DERIVE_STRICT), "!", "of all that goes something is left");
        is_str(without(&t, &d, 4, 1, AG_DERIVE_STRICT), NULL, "a fifth there is not");
    }
    close_text(&t);
}

/* Names are counted: each use is one that a generator offers. */
static void names_follow(void)
{
    struct made t;
    struct ag_derivation d;
    bool opened = open_text(
        &t, "use Set;\nuse Name;\n" STATEMENTS(
                "@unit class Stmt { inh known : Set; syn after : Set;\n"
                "  declare(\"let #{.name};\") { loc name = (Name:make \"v\" (len (Set:items "
                "this.known)));\n"
                "    this.after = (Set:add this.known .name); }\n"
                "  use(\"?${u : Use};\") { u.known = this.known; this.after = this.known; } }\n"
                "class Use { inh known : Set; any(Set:items this.known) : String {} }\n"));
    if (ok(opened, "names that count") && find_program(&t, "let v0;let v1;let v2;?v1;?v2;", &d)) {
        is_str(without(&t, &d, 0, 1, AG_DERIVE_STRICT), "let v0;let v1;?v0;?v1;",
               "what was v1 is v0 now, and its uses know it");
        is_str(without(&t, &d, 1, 1, AG_DERIVE_STRICT), NULL,
               "v1 is gone, and v2, which has its name now, is not taken for it");
        is_str(without(&t, &d, 1, 1, AG_DERIVE_REPAIR), "let v0;let v1;?v0;?v1;",
               "a use of what is gone becomes the simplest use");
        is_str(without(&t, &d, 0, 3, AG_DERIVE_REPAIR), "let v0;?v0;",
               "without anything to use something else takes its place");
    }
    close_text(&t);
}

/* A list to the left, with an end that has no element. */
static void lists_to_the_left(void)
{
    struct made t;
    struct ag_derivation d;
    bool opened = open_text(&t, "class Program { prog(\"${l : List}.\") {} }\n"
                                "@list class List { none(\"\") {}\n"
                                "  @weight(4) more(\"${r : List}${x : Digit},\") {} }\n"
                                "class Digit(\"[0-3]\");\n");
    if (ok(opened, "a list to the left") && find_program(&t, "3,1,2,0,.", &d)) {
        is_int(ag_list_length(t.search, &d, LIST), 4, "its end is no element");
        is_str(without(&t, &d, 0, 1, AG_DERIVE_STRICT), "3,1,2,.", "elements count from the root");
        is_str(without(&t, &d, 1, 2, AG_DERIVE_STRICT), "3,0,.", "two in the middle");
        is_str(without(&t, &d, 0, 4, AG_DERIVE_STRICT), ".", "all of them");
    }
    close_text(&t);
}

/* The statements of a block instead of the block. */
static void blocks_are_opened(void)
{
    enum { BLOCK = 3 }; /* the fourth class */
    static const char *const texts[][2] = {
        {"x;{y;{x;}}y;", "x;y;{x;}y;"}, {"x;{y;x;}", "x;y;x;"}, {"{y;}", "y;"}};
    struct made t;
    struct ag_derivation d, out;
    bool opened = open_text(&t, "class Program { prog(\"${l : List}\") {} }\n"
                                "@list class List { one(\"${s : Stmt}\") {}\n"
                                "  more(\"${s : Stmt}${r : List}\") {} }\n"
                                "class Stmt { @weight(2) say(\"${n : Name};\") {}\n"
                                "  block(\"{${b : Block}}\") {} }\n"
                                "@list class Block { one(\"${s : Stmt}\") {}\n"
                                "  more(\"${s : Stmt}${r : Block}\") {} }\n"
                                "class Name(\"[xy]\");\n");
    ok(opened, "blocks");
    for (int i = 0; opened && i < 3; i++) {
        size_t block = 0;
        if (!find_program(&t, texts[i][0], &d))
            continue;
        while (d.at[block + 1].class != BLOCK)
            block++;
        ok(ag_edit_splice(t.search, &d, block, &t.arena, &out) &&
               !ag_search_derive(t.search, &out, AG_DERIVE_STRICT, &t.e),
           "a block is opened");
        is_str(text_now(&t), texts[i][1], "... and its statements are left");
        ok(!ag_edit_splice(t.search, &d, LIST, &t.arena, &out), "a list is no element");
    }
    close_text(&t);
}

static void other_edits(void)
{
    struct made t;
    struct ag_derivation d, out;
    bool opened = open_text(&t, "class Program { prog(\"${e : Expr}\") {} }\n"
                                "class Expr { @weight(2) digit(\"${d : Digit}\") {}\n"
                                "  minus(\"-${e : Expr}\") {}\n"
                                "  sum(\"(${a : Expr}+${b : Expr})\") {} }\n"
                                "class Digit(\"[0-3]\");\n");
    if (ok(opened, "expressions") && find_program(&t, "(-3+2)", &d)) {
        struct ag_search *s = t.search;
        size_t left = ag_derived_child(&d, 1, 0), right = ag_derived_child(&d, 1, 1);
        is_int(ag_derived_children(s, &d, 1), 2, "a sum has two children");
        is_int(d.at[1].bytes, 6, "bytes of its text");
        is_int(d.at[left].bytes, 2, "bytes of a part");
        ok(ag_edit_graft(s, &d, 1, right, &t.arena, &out) &&
               !ag_search_derive(s, &out, AG_DERIVE_STRICT, &t.e),
           "a part instead of the whole");
        is_str(text_now(&t), "2", "... is the part");
        ok(ag_edit_production(s, &d, 1, 1, &t.arena, &out) &&
               !ag_search_derive(s, &out, AG_DERIVE_STRICT, &t.e),
           "another production with the same children");
        is_str(text_now(&t), "--3", "... has the first that fits");
        ok(ag_edit_fresh(s, &d, 1, 1, &t.arena, &out) &&
               !ag_search_derive(s, &out, AG_DERIVE_STRICT, &t.e),
           "another production without them");
        is_str(text_now(&t), "-0", "... has the simplest");
        ok(ag_edit_simplest(s, &d, ag_derived_child(&d, right, 0), &t.arena, &out) &&
               !ag_search_derive(s, &out, AG_DERIVE_STRICT, &t.e),
           "a leaf becomes the simplest");
        is_str(text_now(&t), "(-3+0)", "... and nothing else changes");
        ok(!ag_edit_graft(s, &d, 1, left + 2, &t.arena, &out), "a part of another class is none");
        const uint32_t *const *least = ag_least_texts(s, &t.arena);
        ok(least[1][0] == 1 && least[1][1] == 2 && least[1][2] == 5, "the shortest texts");
    }
    close_text(&t);
}

static void a_crash_is_contained(void)
{
    struct made t;
    struct ag_derivation d, out;
    bool opened =
        open_text(&t, "use T;\nclass Program { prog(\"${a : Good}${b : Part}\") {} }\n"
                      "class Good { good(\"g\") {} }\n"
                      "class Part { grd fine;\n"
                      "  @weight(0) bad(\"b\") { this.fine = true; }\n"
                      "  fine(\"f${x : Digit}\") { this.fine = (T:crash (== x.str \"1\")); } }\n"
                      "class Digit(\"[0]\");\n");
    if (ok(opened, "a function that crashes") && find_program(&t, "gf0", &d)) {
        out = d;
        out.at = memcpy(arena_array(&t.arena, struct ag_derived, d.n), d.at, d.n * sizeof *d.at);
        out.at[d.n - 1].text = "1";
        is_int(ag_search_derive(t.search, &out, AG_DERIVE_STRICT, &t.e), -1, "it is an error");
        has_str(t.e.message, "T:crash", "... that names it");
        char *path = strstr(t.e.message, "/tmp/assay-tree-");
        if (path)
            remove(path);
        is_int(ag_search_derive(t.search, &d, AG_DERIVE_STRICT, &t.e), 0,
               "and the next derivation is none the worse for it");
        is_str(text_now(&t), "gf0", "... nor is its text");
    }
    close_text(&t);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        int seeds, edited;
        size_t places;
    } languages[] = {
        {"lala:lua", 10, 2, 60},
        {"lala:sql", 10, 2, 60},
        {"lala:smtlib", 30, 5, 80},
        {"lala:c", 5, 2, 40},
    };
    if (argc < 2) {
        fprintf(stderr, "usage: test_derive ROOT\n");
        return 2;
    }
    a_use_without_its_declaration();
    names_follow();
    lists_to_the_left();
    blocks_are_opened();
    other_edits();
    a_crash_is_contained();
    for (size_t i = 0; i < sizeof languages / sizeof *languages; i++) {
        struct generator *g = open_language(argv[1], languages[i].name);
        if (!ok(g, "%s can be opened", languages[i].name))
            continue;
        round_trips(g, tap_amount((languages[i].seeds + 5) / 6, languages[i].seeds));
        seeds_mean_the_same(g);
        edits_are_valid(g, tap_amount(1, languages[i].edited), languages[i].places);
        gen_close(g);
    }
    return tap_done();
}
