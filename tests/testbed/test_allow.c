/* Which flags of others a compiler may be given. */
#include "testbed/allow.h"
#include "tap.h"

static const char *const good[] = {
    "",
    "-O3 -march=native",
    "-O2 -fno-tree-vrp -fno-strict-aliasing -flto",
    "-Ofast -ffast-math",
    "-fdbg-cnt=store_merging:0-3",
    "-fdisable-tree-vrp1",
    "-fsanitize=address,undefined",
    "--param=max-peel-times=0 --param lto-partitions=1",
    "-mllvm -opt-bisect-limit=12 -O1",
    "-mllvm -enable-gvn-hoist=true",
    "-std=gnu++17 -w -Wall -Wno-error=foo -g -ggdb3",
    "-DX -DY=1 '-DZ=a b/c' -UX",
    "-I/usr/include/csmith -I/usr/local/include/csmith-2.3 -Iinclude",
    "-lm -pthread -static",
    "-x c",
    "-target amdgcn-amd-amdhsa",
    "--target=x86_64-linux-gnu",
    "-cl-std=CL2.0",
    "-m32 -mcpu=gfx900",
    "-rwl0",
    "--own=x/y",
};

static const struct {
    const char *flags, *word;
} bad[] = {
    {"-O2 -wrapper sh,-c,true", "-wrapper"},
    {"-B. -O2", "-B."},
    {"-specs=x", "-specs=x"},
    {"--specs=x", "--specs=x"},
    {"-fplugin=x.so", "-fplugin=x.so"},
    {"-fplugin=./x.so", "-fplugin=./x.so"},
    {"-fplugin-arg-x-y", "-fplugin-arg-x-y"},
    {"-fpass-plugin=x", "-fpass-plugin=x"},
    {"-Xclang -load -Xclang x.so", "-Xclang"},
    {"-mllvm -load=x.so", "-mllvm"},
    {"-mllvm -pass-remarks-output=x", "-mllvm"},
    {"@file", "@file"},
    {"-o x", "-o"},
    {"-ox", "-ox"},
    {"-include /etc/passwd", "-include"},
    {"-imacros x", "-imacros"},
    {"-imultilib x", "-imultilib"},
    {"-isysroot/", "-isysroot/"},
    {"-ivfsoverlay x", "-ivfsoverlay"},
    {"--sysroot=/x", "--sysroot=/x"},
    {"--config=x", "--config=x"},
    {"--config x", "--config"},
    {"-Wl,-rpath,x", "-Wl,-rpath,x"},
    {"-Wa,-al=x", "-Wa,-al=x"},
    {"-Wp,-MD,x", "-Wp,-MD,x"},
    {"-MF x", "-MF"},
    {"-MD", "-MD"},
    {"-save-temps=obj", "-save-temps=obj"},
    {"-fsave-optimization-record", "-fsave-optimization-record"},
    {"-fdump-tree-all=x", "-fdump-tree-all=x"},
    {"-fprofile-use=x", "-fprofile-use=x"},
    {"-fprofile-generate", "-fprofile-generate"},
    {"-fsanitize-blacklist=x", "-fsanitize-blacklist=x"},
    {"-fsanitize-ignorelist=x", "-fsanitize-ignorelist=x"},
    {"-fuse-ld=x", "-fuse-ld=x"},
    {"-fmodule-mapper=x", "-fmodule-mapper=x"},
    {"-ffile-prefix-map=a=b", "-ffile-prefix-map=a=b"},
    {"-fdebug-prefix-map=a", "-fdebug-prefix-map=a"},
    {"-fopt-info=x", "-fopt-info=x"},
    {"-ftime-trace=x", "-ftime-trace=x"},
    {"-fcrash-diagnostics-dir=x", "-fcrash-diagnostics-dir=x"},
    {"-frandom-seed=a/b", "-frandom-seed=a/b"},
    {"-I/home/me", "-I/home/me"},
    {"-I../x", "-I../x"},
    {"-I/usr/include/../../home", "-I/usr/include/../../home"},
    {"-I x", "-I"},
    {"-L.", "-L."},
    {"-x none", "-x"},
    {"t.c", "t.c"},
    {"'-O2\n-wrapper'", "-O2\n-wrapper"},
    {"-O2 'open", "-O2 'open"},
    {"-foffload=-B.", "-foffload=-B."},
    {"-rwl2", "-rwl2"},
    {"-DX=1 -fplugin=./x.so", "-fplugin=./x.so"},
    {"-DX= -specs=x", "-specs=x"},
    {"-UX -wrapper", "-wrapper"},
    {"-DX=1 @file", "@file"},
    {"--own=x @file", "@file"},
    {"-O2 -x c -B.", "-B."},
    {"--own", "--own"},
};

int main(void)
{
    struct arena a;
    struct toolchain t = {.name = "x"};
    struct pattern own;
    arena_init(&a);
    vec_push(&t.extra_flags, "-rwl1 -rwl0");
    is_int(pattern_compile(&own, "--own=[a-z/]+", NULL), 0, "a pattern of its own");
    vec_push(&t.allow_flags, own);
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        const char *word = flags_refused(&t, good[i], &a);
        ok(!word, "'%s' may be given%s%s", good[i], word ? ", but not " : "", word ? word : "");
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const char *word = flags_refused(&t, bad[i].flags, &a);
        is_str(word ? word : "(nothing)", bad[i].word, "'%s' may not", bad[i].flags);
    }
    is_str(flags_refused(NULL, "-O2 -rwl0", &a), "-rwl0", "without a file nothing is added");
    ok(!flags_refused(NULL, "-O2 -fno-gcse", &a), "to what all may be given");
    pattern_release(&own);
    vec_release(&t.extra_flags);
    vec_release(&t.allow_flags);
    arena_release(&a);
    return tap_done();
}
