/* Kin as text, and instructions out of what a disassembler prints. */
#include "triage/kin.h"
#include "base/choice.h"
#include "tap.h"
#include "triage/listing.h"

static struct arena arena;

static void test_text(void)
{
    struct strbuf out;
    strbuf_init(&out, 0);
    kin_add(&out, &(struct kin){false, "int main(void)\n{\n}\n", "ccall\n", "main:\nxor r32,r32\n",
                                "main:\nmov i,r32\n"});
    kin_add(&out, &(struct kin){true, "", "", "", ""});
    kin_add(&out, &(struct kin){true, "int a;\n", "", "", ""});
    const char *at = out.s;
    struct kin k;
    ok(kin_next(&at, &arena, &k) && !k.right, "the case itself is first");
    is_str(k.text, "int main(void)\n{\n}\n", "with its text");
    is_str(k.constructs, "ccall\n", "what it does");
    is_str(k.code, "main:\nxor r32,r32\n", "and its code");
    is_str(k.second, "main:\nmov i,r32\n", "and that of another compiler");
    ok(kin_next(&at, &arena, &k) && k.right && !*k.text && !*k.code && !*k.second, "an empty one");
    ok(kin_next(&at, &arena, &k) && k.right, "one without code");
    is_str(k.text, "int a;\n", "has its text");
    ok(!kin_next(&at, &arena, &k), "that was all");
    out.s[out.n - 1] = '\0';
    at = out.s;
    int whole = 0;
    while (kin_next(&at, &arena, &k))
        whole++;
    is_int(whole, 2, "a text that was cut off: what is whole of it");
    at = "-int a;\n\x1f"
         "ret\n\x1f"
         "nop\n\x1e";
    ok(kin_next(&at, &arena, &k) && !strcmp(k.second, "nop\n") && !*k.constructs,
       "one of before constructs were noted");
    at = "";
    ok(!kin_next(&at, &arena, &k), "nothing is nothing");
    strbuf_release(&out);
}

static void code(const char *program, const char *listing, const char *wanted, const char *what)
{
    struct strbuf out;
    strbuf_init(&out, 0);
    kin_code(&out, program, listing);
    is_str(out.s, wanted, "%s", what);
    strbuf_release(&out);
}

/* Lines that only one of the two has, "+" and "-". */
static void compare(const char *first, const char *second, const char *wanted, const char *what)
{
    struct listing x, y;
    struct strbuf out;
    strbuf_init(&out, 0);
    listings_compare(&arena, first, second, &x, &y);
    for (int i = 0; i < x.n; i++)
        if (x.at[i].only)
            strbuf_addf(&out, "-%.*s", x.at[i].n, x.at[i].s);
    for (int i = 0; i < y.n; i++)
        if (y.at[i].only)
            strbuf_addf(&out, "+%.*s", y.at[i].n, y.at[i].s);
    is_str(out.s, wanted, "%s", what);
    strbuf_release(&out);
}

/* The longest common subsequence, by trying everything. */
static int in_common(const char *x, const char *y)
{
    if (!*x || !*y)
        return 0;
    if (*x == *y)
        return 1 + in_common(x + 1, y + 1);
    int without_x = in_common(x + 1, y), without_y = in_common(x, y + 1);
    return without_x > without_y ? without_x : without_y;
}

/* One letter per line; `common` gets the letters of those that both have. */
static const char *lines_of(const char *letters)
{
    const char *out = "";
    for (; *letters; letters++)
        out = arena_printf(&arena, "%s%c\n", out, *letters);
    return out;
}

static const char *common_of(const struct listing *l)
{
    const char *out = "";
    for (int i = 0; i < l->n; i++)
        if (!l->at[i].only)
            out = arena_printf(&arena, "%s%c", out, *l->at[i].s);
    return out;
}

static void test_drawn(void)
{
    struct choice c;
    int wrong = 0;
    choice_init_random(&c, 3);
    for (int round = 0; round < 400; round++) {
        struct listing l[2];
        char letters[2][8] = {{0}};
        for (int i = 0; i < 2; i++)
            for (uint64_t n = choose(&c, 7), k = 0; k < n; k++)
                letters[i][k] = "abc"[choose(&c, 3)];
        const char *x = lines_of(letters[0]), *y = lines_of(letters[1]);
        listings_compare(&arena, x, y, &l[0], &l[1]);
        int both = in_common(letters[0], letters[1]);
        int all = (int)(strlen(letters[0]) + strlen(letters[1]));
        bool good = !strcmp(common_of(&l[0]), common_of(&l[1])) &&
                    (int)strlen(common_of(&l[0])) == both && l[0].n + l[1].n == all &&
                    listings_distance(x, y) == (all ? (double)(all - 2 * both) / all : 0);
        if (!good && !wrong++)
            printf("# %s and %s: %s and %s\n", letters[0], letters[1], common_of(&l[0]),
                   common_of(&l[1]));
    }
    is_int(wrong, 0, "listings that are drawn");
    choice_release(&c);
}

static void test_listings(void)
{
    struct strbuf large;
    compare("a\nb\nc\n", "a\nc\nd", "-b+d", "lines of one listing only");
    compare("a\nb\nb\nc\n", "b\nc\na\nb\n", "-a-b+a+b", "the longest that is common");
    compare("", "a\n", "+a", "nothing beside something");
    compare("", "", "", "nothing beside nothing");
    ok(listings_distance("a\nb\n", "a\nb\n") == 0, "no distance");
    ok(listings_distance("a\nb\n", "a\nc\n") == 0.5, "half of the lines");
    ok(listings_distance("a\n", "b\n") == 1 && listings_distance("", "") == 0, "all, and none");
    strbuf_init(&large, 0);
    for (int i = 0; i < 100000; i++)
        strbuf_adds(&large, "mov m,r64\n");
    ok(listings_distance(large.s, large.s) == 1, "what is too long is not compared");
    strbuf_release(&large);
}

static const char program[] = "long f(int a) { return a ? 1 : 2; }\nint main(void) { f(0); }\n";

static const char x86[] = "\nt.exe:     file format elf64-x86-64\n\n\n"
                          "Disassembly of section .text:\n\n"
                          "0000000000001040 <_start>:\n"
                          "    1040:\txor    %ebp,%ebp\n\n"
                          "0000000000001030 <f@plt>:\n"
                          "    1030:\tjmp    *0x2fca(%rip)        # 4000 <f>\n\n"
                          "0000000000001139 <f.part.0>:\n"
                          "    1139:\tcmovne %rax,%r8\n"
                          "    113d:\tsubl   $0x1,0x2ed1(%rip)        # 4014 <a>\n"
                          "    1144:\tmovb   $0x7,(%rax,%rcx,4)\n"
                          "    1145:\tsetl   0x8(%rsp)\n"
                          "    1146:\tcall   *0x8(%rax)\n"
                          "    1147:\tmovzbl %al,%r9d\n"
                          "    1148:\tmovzbl 0x8(%rsp),%eax\n"
                          "    114a:\tcvtsi2sd %esi,%xmm0\n"
                          "    114e:\tnopw   0x0(%rax,%rax,1)\n\n"
                          "0000000000001150 <main>:\n"
                          "    1150:\tcall   1139 <f.part.0>\n"
                          "    1155:\tjne    1150 <main>\n"
                          "    1157:\tret\n\n"
                          "0000000000001158 <mainly>:\n"
                          "    1158:\tret\n";

static const char arm[] = "0000000000000714 <main>:\n"
                          " 714:\tldr\tw0, [sp, #12]\n"
                          " 718:\tadd\tx1, x1, #0x1\n"
                          " 71c:\tfadd\td0, d1, d0\n"
                          " 720:\tb.ne\t714 <main>  // b.any\n";

int main(void)
{
    arena_init(&arena);
    test_text();
    test_listings();
    test_drawn();
    code(program, x86,
         "f:\ncmovne r64,r64\nsub $0x1,m32\nmov $0x7,m8\nsetl m\ncall m\nmovzbl r8,r32\nmovzbl "
         "m,r32\ncvtsi2sd r32,v\n"
         "main:\ncall to\njne to\nret\n",
         "x86: the functions of the program, the kinds of operands, and constants");
    code(program, arm, "main:\nldr r32,m\nadd r64,r64,$0x1\nfadd v,v,v\nb.ne to\n", "aarch64");
    code("", x86, "", "a program that names none of the functions");
    code(program, "", "", "no listing");
    code(program, "0000 <main>:\n  1:\n  2:\t\n  3\n <\n", "main:\n", "what is no listing");
    arena_release(&arena);
    return tap_done();
}
