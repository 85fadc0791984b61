/* Bisection with the real clang and gcc, in which faults were planted (tests/bisect-cc): the pass,
 * switch or counter that is blamed must be the planted one. Arguments: the source root. */
#include "base/child.h"
#include "base/fs.h"
#include "base/text.h"
#include "tap.h"
#include "testbed/toolchain.h"
#include "triage/blame.h"

#include <stdlib.h>
#include <unistd.h>

static struct arena arena;

/* One operator for each kind of damage, on operands that no pass can know; loops and calls for the
 * passes that need some. */
#define PROGRAM(type, expression, format)                                                          \
    "int printf(const char *, ...);\n"                                                             \
    "volatile " type " a = 21, b = 5;\n"                                                           \
    "static int twice(int x) { return x + x; }\n"                                                  \
    "int main(void)\n{\n    int n = 0;\n    for (int i = 0; i < 3; i++)\n        n += (int)b;\n"   \
    "    " type " r = " expression ";\n"                                                           \
    "    printf(\"" format " %d\\n\", r, twice(n));\n    return 0;\n}\n"

static const char product[] = PROGRAM("int", "a * b", "%d");
static const char remainder_[] = PROGRAM("int", "(0 - a) % b", "%d");
static const char complement[] = PROGRAM("long long", "~a", "%lld");
static const char shift[] = PROGRAM("unsigned", "(a + 0xC0000000u) << b", "%u");
static const char quotient[] = PROGRAM("unsigned", "a / b", "%u");
static const char sum[] = PROGRAM("double", "a + b", "%g");

static const struct {
    const char *toolchain, *flags, *program, *pass, *detail;
    bool quick; /* tried in the gate, too */
} faults[] = {
    {"clang", "-O1 -ffault=instcombine", product, "InstCombinePass", "opt-bisect-limit=", false},
    {"clang", "-O3 -ffault=instcombine", product, "InstCombinePass", "opt-bisect-limit=", false},
    {"clang", "-O1 -ffault=sroa", remainder_, "SROAPass", "opt-bisect-limit=", false},
    {"clang", "-O1 -ffault=licm", complement, "LICMPass", "opt-bisect-limit=", false},
    {"clang", "-O1 -ffault=inliner", shift, "InlinerPass", "opt-bisect-limit=", false},
    {"clang", "-O1 -ffault=peephole", sum, "Peephole Optimizations", "opt-bisect-limit=", false},
    {"clang", "-O2 -ffault=gvn", quotient, "GVNPass", "opt-bisect-limit=", false},
    {"gcc", "-O2 -ffault=tree-vrp", remainder_, "-ftree-vrp", "-fno-tree-vrp", false},
    {"gcc", "-O3 -ffault=tree-vrp", remainder_, "-ftree-vrp", "-fno-tree-vrp", false},
    {"gcc", "-O2 -ffault=gcse", product, "-fgcse", "-fno-gcse", false},
    {"gcc", "-O2 -ffault=ipa-cp", quotient, "-fipa-cp", "-fno-ipa-cp", false},
    {"gcc", "-O1 -ffault=ivopts", complement, "-fivopts", "-fno-ivopts", false},
    {"gcc", "-O1 -ffault=mergephi", sum, "tree-mergephi", "-fdisable-tree-mergephi2", true},
    {"gcc", "-O1 -ffault=ccp", shift, "-ftree-ccp", "-fdbg-cnt=ccp:3 is the first", false},
};

struct patient {
    const char *compiler, *dir, *program;
    struct strbuf right; /* what the program prints where it was built without a fault */
};

/* Run the words in the patient's folder; the output goes to r. True: it ended with 0. */
static bool run(const struct patient *p, const char *command, struct child_result *r)
{
    char **words;
    struct error e;
    text_split(&arena, command, &words);
    struct child_spec spec = {.argv = (const char *const *)words,
                              .cwd = p->dir,
                              .limits = {.wall_ms = 120000, .cpu_ms = 60000}};
    return !child_run(&spec, r, &e) && r->end == CHILD_EXITED && r->status == 0;
}

static int with_flags(void *of, const char *flags, struct arena *a, struct blame_try *out,
                      struct error *e)
{
    struct patient *p = of;
    struct child_result build, ran;
    (void)e;
    child_result_init(&build, 1 << 20, 1 << 20);
    child_result_init(&ran, 1 << 16, 1 << 16);
    const char *command = arena_printf(a, "%s %s -w -o t t.c -lm", p->compiler, flags);
    bool built = run(p, command, &build), ended = built && run(p, "./t", &ran);
    *out = (struct blame_try){.bad = ended && strcmp(ran.out.s, p->right.s) != 0,
                              .broken = !ended,
                              .messages = arena_strdup(a, build.err.s)};
    child_result_release(&build);
    child_result_release(&ran);
    return 0;
}

static int ask(void *of, const char *arguments, struct arena *a, const char **output,
               struct error *e)
{
    struct patient *p = of;
    struct child_result r;
    (void)e;
    child_result_init(&r, 1 << 20, 1 << 20);
    run(p, arena_printf(a, "%s %s", p->compiler, arguments), &r);
    *output = arena_printf(a, "%s%s", r.out.s, r.err.s);
    child_result_release(&r);
    return 0;
}

static bool prepare(struct patient *p, const char *program)
{
    struct child_result r;
    struct error e;
    child_result_init(&r, 1 << 16, 1 << 16);
    bool good = !fs_write(arena_printf(&arena, "%s/t.c", p->dir), program, strlen(program), &e) &&
                run(p, arena_printf(&arena, "%s -O2 -w -o t t.c", p->compiler), &r) &&
                run(p, "./t", &r);
    strbuf_clear(&p->right);
    strbuf_adds(&p->right, r.out.s);
    child_result_release(&r);
    return good;
}

static void test_fault(const char *root, const char *dir, size_t i)
{
    struct error e;
    struct toolchain t;
    toolchain_list toolchains = {0};
    testbed_list list = {0};
    const char *name = faults[i].toolchain;
    if (toolchain_read(arena_printf(&arena, "%s/testbeds/%s.ini", root, name), &arena, &t, &e)) {
        ok(false, "%s: %s", name, e.message);
        return;
    }
    struct compiler c = {.toolchain = &t, .name = name, .path = name, .version = ""};
    compiler_testbeds(&c, false, &arena, &list);
    struct patient p = {
        .compiler = arena_printf(&arena, "%s/tests/bisect-cc/faulty-%s", root, name), .dir = dir};
    strbuf_init(&p.right, 1 << 16);
    if (!prepare(&p, faults[i].program)) {
        tap_skip(faults[i].flags, "the compiler is not there");
    } else {
        struct blame out;
        struct blame_probe probe = {&p, with_flags, ask};
        is_int(blame_pass(&list.at[0], faults[i].flags, &probe, &arena, &out, &e), 0, "%s %s", name,
               faults[i].flags);
        is_str(out.pass, faults[i].pass, "  is blamed on %s, in %d tries", faults[i].pass,
               out.tries);
        has_str(out.detail, faults[i].detail, "  %s", out.detail ? out.detail : "");
    }
    strbuf_release(&p.right);
    vec_release(&list);
    vec_push(&toolchains, t);
    toolchains_release(&toolchains);
}

int main(int argc, char **argv)
{
    char root[4096], dir[] = "/tmp/assay-blame-XXXXXX";
    arena_init(&arena);
    if (!realpath(argc > 1 ? argv[1] : ".", root) || !mkdtemp(dir)) {
        printf("Bail out! no folder to work in\n");
        return 1;
    }
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        if (faults[i].quick || tap_amount(false, true))
            test_fault(root, dir, i);
    fs_remove_tree(dir);
    arena_release(&arena);
    return tap_done();
}
