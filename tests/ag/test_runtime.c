/* Runtimes: what is built in, modules that are compiled here and loaded, crashes that are survived.
 *
 *   test-runtime ROOT       the repository: its include/ and docs/ */
#include "ag/runtime.h"
#include "ag/spaces.h"
#include "ag/value.h"
#include "base/fs.h"
#include "tap.h"

#include <pthread.h>
#include <signal.h>

static char folder[256]; /* for modules; removed at the end */
static const char *include_dir;

#define HEAD "#include <assay/lala.h>\n"
#define CALL(name, body)                                                                           \
    "static lala " name "(struct lala_env *env, const lala *arg, int n)\n"                         \
    "{ (void)env; (void)arg; (void)n; " body " }\n"
#define TABLE(...)                                                                                 \
    "static const struct lala_function functions[] = {" __VA_ARGS__ "};\n"                         \
    "static const struct lala_namespace spaces[] = {LALA_NAMESPACE(\"Mine\", functions)};\n"       \
    "LALA_MODULE(spaces);\n"

/* Writes and compiles FOLDER/NAME.c; the module's path into `out`. */
static int build(const char *name, const char *source, char *out, size_t size,
                 struct strbuf *messages, struct error *e)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s.c", folder, name);
    snprintf(out, size, "%s/%s.so", folder, name);
    if (fs_write(path, source, strlen(source), e))
        return -1;
    return ag_runtime_build(path, out, include_dir, messages, e);
}

/* Builds and loads; 0 or -1 with the error. */
static int load(struct ag_runtime *rt, const char *name, const char *source, struct error *e)
{
    char path[512];
    struct strbuf messages;
    strbuf_init(&messages, 0);
    int rc = build(name, source, path, sizeof path, &messages, e);
    ok(!rc && !messages.n, "%s compiles without a word", name);
    if (messages.n)
        tap_note("messages", messages.s);
    strbuf_release(&messages);
    return rc ? rc : ag_runtime_load(rt, path, e);
}

/* -- signatures -------------------------------------------------------------------------------- */

/* Prints it back: "a, b... : c"; "" of what is none. */
static const char *parsed(struct arena *a, const char *text)
{
    struct ag_signature s;
    if (ag_signature_parse(a, text, &s))
        return "";
    const char *out = "";
    for (int i = 0; i < s.n; i++)
        out = arena_printf(a, "%s%s%s", out, i ? ", " : "", s.parameters[i]);
    return arena_printf(a, "%s%s : %s", out, s.variadic ? "..." : "", s.result);
}

static void test_signatures(void)
{
    static const struct {
        const char *text, *wanted;
    } cases[] = {
        {": SymbTab", " : SymbTab"},
        {"SymbTab, String : boolean", "SymbTab, String : boolean"},
        {"  int,int:int ", "int, int : int"},
        {"any... : String", "any... : String"},
        {"String, any ... : Type", "String, any... : Type"},
        {"List < int > : Map<String, List<int>>", "List<int> : Map<String,List<int>>"},
        {"a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a:b", "a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a : b"},
        {"a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a:b", ""},
        {"", ""},
        {"int", ""},
        {":", ""},
        {"int :", ""},
        {"int, : int", ""},
        {", int : int", ""},
        {"int int : int", ""},
        {"any..., int : int", ""},
        {"int : int...", ""},
        {"int : int int", ""},
        {"List<int : int", ""},
        {"List<> : int", ""},
        {"3 : int", ""},
        {"T<T<T<T<T<T<T<T<T<T>>>>>>>>> : int", ""},
    };
    struct arena a;
    arena_init(&a);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        is_str(parsed(&a, cases[i].text), cases[i].wanted, "signature \"%s\"", cases[i].text);
    arena_release(&a);
}

/* -- what is built in -------------------------------------------------------------------------- */

static const struct ag_runtime *calling;

/* The answer, shown as in a message. */
static void answers(struct lala_env *env, const char *space, const char *name, const lala *args,
                    int n, const char *wanted)
{
    const struct lala_function *f = ag_runtime_find(calling, space, name);
    struct strbuf text;
    strbuf_init(&text, 0);
    if (f)
        lala_describe(f->call(env, args, n), &text);
    is_str(text.s, wanted, "%s:%s", space, name);
    strbuf_release(&text);
}
#define ANSWERS(space, name, wanted, ...)                                                          \
    answers(env, space, name, (lala[]){LALA_NIL, __VA_ARGS__} + 1,                                 \
            (int)(sizeof((lala[]){LALA_NIL, __VA_ARGS__}) / sizeof(lala)) - 1, wanted)

static void test_lists_and_sets(struct lala_env *env)
{
    lala one = lala_int(1), two = lala_int(2), three = lala_int(3);
    lala list = lala_list(env, (lala[]){one, two}, 2);
    lala set = lala_set_add(env, lala_set_add(env, LALA_NIL, two), one);
    lala other = lala_set_add(env, lala_set_add(env, LALA_NIL, two), three);
    answers(env, "List", "empty", NULL, 0, "nil");
    ANSWERS("List", "of", "[1, 2]", one, two);
    ANSWERS("List", "cons", "[3, 1, 2]", three, list);
    ANSWERS("List", "append", "[1, 2, 1, 2]", list, list);
    ANSWERS("List", "reverse", "[2, 1]", list);
    ANSWERS("List", "head", "1", list);
    ANSWERS("List", "tail", "[2]", list);
    ANSWERS("List", "at", "2", list, one);
    ANSWERS("List", "at", "undefined", list, lala_int(-1));
    ANSWERS("List", "has", "true", list, two);
    ANSWERS("List", "has", "false", LALA_NIL, two);
    ANSWERS("List", "has", "undefined", set, two);
    ANSWERS("List", "size", "2", list);
    answers(env, "Set", "empty", NULL, 0, "nil");
    ANSWERS("Set", "of", "{1, 2}", two, one);
    ANSWERS("Set", "add", "{1, 2, 3}", set, three);
    ANSWERS("Set", "has", "true", set, one);
    ANSWERS("Set", "remove", "{2}", set, one);
    ANSWERS("Set", "union", "{1, 2, 3}", set, other);
    ANSWERS("Set", "intersect", "{2}", set, other);
    ANSWERS("Set", "minus", "{1}", set, other);
    ANSWERS("Set", "items", "[1, 2]", set);
    ANSWERS("Set", "size", "2", set);
    ANSWERS("Set", "size", "undefined", list);
}

static void test_maps_and_strings(struct lala_env *env)
{
    lala one = lala_int(1), a = lala_str(env, "a"), b = lala_str(env, "b");
    lala map = lala_map_put(env, LALA_NIL, a, one);
    answers(env, "Map", "empty", NULL, 0, "nil");
    ANSWERS("Map", "put", "{\"a\": 1, \"b\": 1}", map, b, one);
    ANSWERS("Map", "get", "1", map, a);
    ANSWERS("Map", "get", "undefined", map, b);
    ANSWERS("Map", "has", "false", map, b);
    ANSWERS("Map", "remove", "nil", map, a);
    ANSWERS("Map", "keys", "[\"a\"]", map);
    ANSWERS("Map", "values", "[1]", map);
    ANSWERS("Map", "size", "1", map);
    answers(env, "Str", "concat", NULL, 0, "\"\"");
    ANSWERS("Str", "concat", "\"a1true\"", a, one, LALA_TRUE);
    ANSWERS("Str", "fromInt", "\"1\"", one);
    ANSWERS("Str", "fromInt", "undefined", a);
    ANSWERS("Str", "equals", "true", a, a);
    ANSWERS("Str", "equals", "undefined", a, one);
    ANSWERS("Str", "join", "\"a + b\"", lala_list(env, (lala[]){a, b}, 2), lala_str(env, " + "));
    ANSWERS("Str", "join", "\"\"", LALA_NIL, a);
}

static void test_scopes_and_types(struct lala_env *env)
{
    lala one = lala_int(1), a = lala_str(env, "a"), b = lala_str(env, "b");
    lala outer = lala_scope_put(env, LALA_NIL, a, one), inner = lala_scope_open(env, outer);
    answers(env, "Scope", "empty", NULL, 0, "nil");
    ANSWERS("Scope", "open", "scope {\"a\": 1}", outer);
    ANSWERS("Scope", "close", "scope {\"a\": 1}", inner);
    ANSWERS("Scope", "close", "undefined", outer);
    ANSWERS("Scope", "put", "scope {\"a\": 1, \"b\": 1}", inner, b, one);
    ANSWERS("Scope", "change", "scope {\"a\": \"b\"}", inner, a, b);
    ANSWERS("Scope", "get", "1", inner, a);
    ANSWERS("Scope", "has", "true", inner, a);
    ANSWERS("Scope", "has", "undefined", a, a);
    ANSWERS("Scope", "here", "false", inner, a);
    ANSWERS("Scope", "names", "[\"a\"]", inner);
    ANSWERS("Scope", "names", "undefined", a);
    ANSWERS("Scope", "of", "[\"a\"]", inner, one);
    ANSWERS("Scope", "depth", "1", inner);
    lala type = lala_type(env, "ptr", lala_type(env, "int"));
    ANSWERS("Type", "make", "ptr(int)", lala_str(env, "ptr"), lala_type(env, "int"));
    ANSWERS("Type", "make", "undefined", one);
    ANSWERS("Type", "is", "true", type, lala_str(env, "ptr"));
    ANSWERS("Type", "is", "false", type, lala_str(env, "int"));
    ANSWERS("Type", "is", "undefined", a, a);
    ANSWERS("Type", "name", "\"ptr\"", type);
    ANSWERS("Type", "arg", "int", type, lala_int(0));
    ANSWERS("Type", "arg", "undefined", type, one);
    ANSWERS("Name", "make", "\"v12\"", lala_str(env, "v"), lala_int(12));
    ANSWERS("Name", "make", "undefined", one, one);
}

/* The table in docs/LALA.md has every function with its signature, and no more. */
static void test_docs(const char *root)
{
    char path[512];
    snprintf(path, sizeof path, "%s/docs/LALA.md", root);
    struct strbuf docs, row;
    strbuf_init(&docs, 0);
    strbuf_init(&row, 0);
    ok(!fs_read(path, &docs, NULL), "docs/LALA.md can be read");
    const char *section = strstr(docs.s, "\n## Built-in functions\n");
    int rows = 0, missing = 0, functions = 0;
    for (const char *at = section; at && (at = strstr(at, "\n| `")); at++)
        rows++;
    const struct lala_module *m = ag_spaces();
    for (int i = 0; i < m->n; i++)
        for (int j = 0; j < m->namespaces[i].n; j++, functions++) {
            const struct lala_function *f = &m->namespaces[i].functions[j];
            strbuf_clear(&row);
            strbuf_addf(&row, "\n| `%s:%s` | `%s%s` | ", m->namespaces[i].name, f->name,
                        *f->signature == ':' ? " " : "", f->signature);
            if (!section || !strstr(section, row.s)) {
                missing++;
                tap_note("not in docs/LALA.md", row.s + 1);
            }
        }
    is_int(missing, 0, "every function that is built in is described");
    is_int(rows, functions, "and nothing else is");
    strbuf_release(&row);
    strbuf_release(&docs);
}

static void test_lookup(const struct ag_runtime *rt)
{
    ok(ag_runtime_has_space(rt, "Scope") && !ag_runtime_has_space(rt, "Scop"), "namespaces");
    ok(!ag_runtime_find(rt, "Scope", "putt") && !ag_runtime_find(rt, "Scop", "put"), "none");
    is_str(ag_runtime_nearest(rt, "Set", "intersects"), "intersect", "the nearest function");
    ok(!ag_runtime_nearest(rt, "Set", "somethingElse"), "nothing is near");
    is_str(ag_runtime_nearest(rt, "Scop", NULL), "Scope", "the nearest namespace");
}

static void test_built_in(const char *root)
{
    struct ag_runtime *rt = ag_runtime_new();
    struct lala_env *env = lala_env_new();
    calling = rt;
    test_lists_and_sets(env);
    test_maps_and_strings(env);
    test_scopes_and_types(env);
    test_lookup(rt);
    test_docs(root);
    lala_env_free(env);
    ag_runtime_free(rt);
    ag_runtime_free(NULL);
}

/* -- modules ----------------------------------------------------------------------------------- */

static void test_module(void)
{
    struct error e = {0};
    struct ag_runtime *rt = ag_runtime_new();
    struct lala_env *env = lala_env_new();
    is_int(load(rt, "good",
                HEAD CALL("twice", "return lala_concat(env, arg[0], arg[0]);")
                    CALL("type", "return lala_type(env, \"ptr\", lala_type(env, \"int\"));")
                        TABLE("{\"twice\", \"String : String\", twice, 0},"
                              "{\"type\", \": Type\", type, 0}"),
                &e),
           0, "a module is loaded");
    calling = rt;
    ANSWERS("Mine", "twice", "\"abab\"", lala_str(env, "ab"));
    answers(env, "Mine", "type", NULL, 0, "ptr(int)");
    ok(ag_runtime_find(rt, "List", "cons"), "beside what is built in");

    static const struct lala_function ours[] = {{"own", ": int", NULL, 0}};
    static const struct lala_namespace spaces[] = {LALA_NAMESPACE("List", ours)};
    static const struct lala_module module = {LALA_VERSION, spaces, 1};
    ag_runtime_add(rt, &module);
    ok(ag_runtime_find(rt, "List", "own") && !ag_runtime_find(rt, "List", "cons"),
       "a namespace of a module wins over one that is built in");
    lala_env_free(env);
    ag_runtime_free(rt);
}

static void refused(const char *name, const char *source, const char *why)
{
    struct error e = {0};
    struct ag_runtime *rt = ag_runtime_new();
    ok(load(rt, name, source, &e) == -1 && e.kind == ERROR_USAGE, "%s is refused", name);
    has_str(e.message, why, "%s: why", name);
    has_str(e.file, name, "%s: which", name);
    ok(!ag_runtime_has_space(rt, "Mine"), "%s: nothing of it stays", name);
    ag_runtime_free(rt);
}

static void test_broken_modules(void)
{
    struct error e = {0};
    struct ag_runtime *rt = ag_runtime_new();
    refused("old", HEAD "const struct lala_module lala_module = {LALA_VERSION + 1, 0, 0};\n",
            "version 2");
    refused("plain", "int answer = 42;\n", "LALA_MODULE");
    refused("unknown",
            HEAD "lala lala_no_such(void);\n" CALL("f", "return lala_no_such();")
                TABLE("{\"f\", \": int\", f, 0}"),
            "lala_no_such");
    refused("unsigned", HEAD CALL("f", "return 0;") TABLE("{\"f\", \"int\", f, 0}"),
            "Mine:f has the signature \"int\"");
    refused("hollow", HEAD TABLE("{\"f\", \": int\", 0, 0}"), "without a function");
    refused("double",
            HEAD CALL("f", "return 0;") TABLE("{\"f\", \": int\", f, 0}, {\"f\", \": int\", f, 0}"),
            "twice");

    char path[512];
    snprintf(path, sizeof path, "%s/text.so", folder);
    fs_write(path, "text", 4, NULL);
    ok(ag_runtime_load(rt, path, &e) == -1, "a text is refused");
    has_str(e.message, "cannot be loaded", "as it should be");
    snprintf(path, sizeof path, "%s/none.so", folder);
    ok(ag_runtime_load(rt, path, &e) == -1, "a missing file is refused");
    has_str(e.message, "No such file", "as it should be");
    ag_runtime_free(rt);
}

static void test_build(void)
{
    struct error e = {0};
    struct strbuf messages;
    char path[512];
    strbuf_init(&messages, 0);
    ok(build("wrong", HEAD "int f(void) { return wrong_word; }\n", path, sizeof path, &messages,
             &e) == -1 &&
           e.kind == ERROR_USAGE,
       "what does not compile");
    has_str(messages.s, "wrong_word", "the compiler's messages");
    has_str(e.message, "wrong_word", "the first of them in the error");
    ok(!fs_exists(path), "no module is left");

    const char *cc = getenv("CC");
    char *saved = cc ? strdup(cc) : NULL;
    setenv("CC", "no-such-compiler -m64", 1);
    ok(build("any", HEAD, path, sizeof path, &messages, &e) == -1 && e.kind == ERROR_ENVIRONMENT,
       "without a compiler");
    has_str(e.message, "no-such-compiler cannot be run", "the error says which");
    setenv("CC", "'cc", 1);
    ok(build("any", HEAD, path, sizeof path, &messages, &e) == -1 && e.kind == ERROR_USAGE,
       "CC with an open quote");
    if (saved)
        setenv("CC", saved, 1);
    else
        unsetenv("CC");
    free(saved);
    strbuf_release(&messages);
}

/* -- crashes ----------------------------------------------------------------------------------- */

struct call {
    const struct lala_function *f;
    struct lala_env *env;
    lala answer;
};

static void make_call(void *to)
{
    struct call *c = to;
    c->answer = c->f->call(c->env, (lala[]){lala_int(0)}, 1);
}

static int guarded(struct lala_env *env, const char *name, lala *answer)
{
    struct call c = {ag_runtime_find(calling, "Mine", name), env, LALA_UNDEFINED};
    int signal = c.f ? ag_catching(make_call, &c) : -1;
    if (answer)
        *answer = c.answer;
    return signal;
}

static void *crash_in_thread(void *to)
{
    int *signal = to;
    struct lala_env *env = lala_env_new();
    *signal = guarded(env, "segv", NULL);
    lala_env_free(env);
    return NULL;
}

/* In a guard of this thread another one crashes in its own, and then we do. */
static void crash_in_both(void *to)
{
    pthread_t thread;
    if (!pthread_create(&thread, NULL, crash_in_thread, to))
        pthread_join(thread, NULL);
    abort();
}

static const char crashing[] =
    HEAD "#include <stdlib.h>\n"
         "static volatile int *volatile nowhere;\n"
         "static int dig(volatile char *above) { volatile char here[4096]; here[0] = above[0];\n"
         "    return nowhere ? 0 : dig(here) + here[0]; }\n" CALL(
             "fine", "return lala_str(env, \"fine\");") CALL("segv", "return lala_int(*nowhere);")
             CALL("die", "lala_str(env, \"before\"); abort();")
                 CALL("divide", "return lala_int(7 / lala_to_int(arg[0]));")
                     CALL("trap", "__builtin_trap();")
                         CALL("recurse", "char c = 0; return lala_int(dig(&c));")
                             TABLE("{\"fine\", \"int : String\", fine, 0},"
                                   "{\"segv\", \"int : int\", segv, 0},"
                                   "{\"die\", \"int : int\", die, 0},"
                                   "{\"divide\", \"int : int\", divide, 0},"
                                   "{\"trap\", \"int : int\", trap, 0},"
                                   "{\"recurse\", \"int : int\", recurse, 0}");

static void test_crashes(void)
{
    struct error e = {0};
    struct ag_runtime *rt = ag_runtime_new();
    struct lala_env *env = lala_env_new();
    calling = rt;
    is_int(load(rt, "crashing", crashing, &e), 0, "a module of crashes");
    struct sigaction before, after;
    sigset_t mask_before, mask_after;
    sigaction(SIGSEGV, NULL, &before);
    pthread_sigmask(SIG_SETMASK, NULL, &mask_before);
    lala answer;
    for (int round = 0; round < 2; round++) {
        is_int(guarded(env, "segv", NULL), SIGSEGV, "a null pointer");
        is_int(guarded(env, "die", NULL), SIGABRT, "abort");
        is_int(guarded(env, "divide", NULL), SIGFPE, "a division by zero");
        is_int(guarded(env, "trap", NULL), SIGILL, "a trap");
        is_int(guarded(env, "recurse", NULL), SIGSEGV, "endless recursion");
        is_int(guarded(env, "fine", &answer), 0, "no crash");
        is_str(lala_text(answer), "fine", "and its answer");
        lala_env_reset(env);
    }
    int in_thread = 0;
    is_int(ag_catching(crash_in_both, &in_thread), SIGABRT,
           "a crash while another thread's is over");
    is_int(in_thread, SIGSEGV, "which was caught as well");
    sigaction(SIGSEGV, NULL, &after);
    pthread_sigmask(SIG_SETMASK, NULL, &mask_after);
    ok(before.sa_handler == after.sa_handler, "the handler is what it was");
    int differ = 0;
    for (int i = 1; i < NSIG; i++)
        differ += sigismember(&mask_before, i) != sigismember(&mask_after, i);
    is_int(differ, 0, "so is the mask");
    lala_env_free(env);
    ag_runtime_free(rt);
}

int main(int argc, char **argv)
{
    const char *root = argc > 1 ? argv[1] : ".";
    char path[512];
    snprintf(path, sizeof path, "%s/include", root);
    include_dir = path;
    if (fs_make_temp_dir("assay-runtime", folder, sizeof folder, NULL))
        return 1;
    test_signatures();
    test_built_in(root);
    test_module();
    test_broken_modules();
    test_build();
    test_crashes();
    fs_remove_tree(folder);
    return tap_done();
}
