/* Flags: a predicate over the words of a command line. */
#include "reduce/fake.h"
#include "tap.h"

static void check(const char *flags, fake_predicate *interesting, const char *wanted,
                  int64_t most_tests)
{
    static const int slot_counts[] = {1, 2, 5};
    for (int i = 0; i < 3; i++)
        for (enum fake_order o = 0; o < FAKE_ORDERS; o++) {
            struct fake f;
            struct program_file file;
            struct reduce_case c = fake_case(&file, "c", "int x;", flags);
            struct reduction r;
            struct error e = {0};
            fake_init(&f, slot_counts[i], o, interesting);
            reduction_init(&r, &f.test, &c);
            int kept = reduce_flags(&r, &e);
            is_str(r.best.flags, wanted, "%.40s with %d slots", flags, slot_counts[i]);
            is_int(kept, r.stats.kept, "steps are counted");
            is_str(fake_text(&r.best), "int x;", "the program is as it was");
            is_int(f.broken + f.wrong + f.busy, 0, "the contract was kept");
            ok(slot_counts[i] > 1 || f.begun <= most_tests, "%lld tests", (long long)f.begun);
            reduction_release(&r);
            fake_release(&f);
        }
}

static const char *has(const struct reduce_case *c, const char *part)
{
    return strstr(c->flags, part);
}

static bool needs_gcse(const struct reduce_case *c)
{
    return has(c, "-O2 ") && has(c, "-fno-gcse");
}

static bool needs_level(const struct reduce_case *c)
{
    return has(c, "-O1") || has(c, "-O2") || has(c, "-O3") || has(c, "-Ofast");
}

/* An option without its argument, or an argument without its option, is no command line. */
static bool needs_pairs(const struct reduce_case *c)
{
    return has(c, "-mllvm -two=2") && has(c, "--param b=2") && has(c, "-DX='a b'");
}

static int torn;

static bool needs_pairs_whole(const struct reduce_case *c)
{
    torn += (has(c, "-one") != NULL) != (has(c, "-mllvm -one") != NULL);
    torn += (has(c, "a=1") != NULL) != (has(c, "--param a=1") != NULL);
    torn += (has(c, "-DY=\"c") != NULL) != (has(c, "d\"") != NULL);
    torn += (has(c, "a b") != NULL) != (has(c, "-DX='a b'") != NULL);
    return needs_pairs(c);
}

static bool needs_order(const struct reduce_case *c)
{
    const char *off = has(c, "-fno-x"), *on = has(c, "-fx");
    return off && on && off < on;
}

static bool needs_nothing(const struct reduce_case *c)
{
    (void)c;
    return true;
}

static bool needs_all(const struct reduce_case *c)
{
    return !strcmp(c->flags, "-O2 -a -b -c");
}

int main(void)
{
    check("-O2 -fwrapv -fno-gcse -march=x86-64-v3 -fno-tree-pre --param=max-peel-times=0",
          needs_gcse, "-O2 -fno-gcse", 16);
    check("-O3 -g", needs_level, "-O1", 8);
    check("-Ofast -g", needs_level, "-O1", 8);
    check("-mllvm -one -mllvm -two=2 --param a=1 --param b=2 -O1  -DX='a b' -a -DY=\"c d\"",
          needs_pairs_whole, "-mllvm -two=2 --param b=2 -DX='a b'", 24);
    is_int(torn, 0, "what belongs together was never torn apart");
    check("-fno-x -a -b -c -fx -d", needs_order, "-fno-x -fx", 16);
    check("-O3 -a -b -c -d -e -f", needs_nothing, "", 2);
    check("", needs_nothing, "", 0);
    check("-O2 -a -b -c", needs_all, "-O2 -a -b -c", 12);
    check("-mllvm", needs_nothing, "", 1);
    return tap_done();
}
