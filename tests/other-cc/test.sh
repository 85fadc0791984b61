#!/bin/sh
# other-cc: each fault strikes on its construct, in its own way, and nowhere else.
# usage: test.sh TESTS-FOLDER OTHER-CC
. "$1/tap.sh"
cc=$(realpath "$2")
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
unset OTHER_CC_EXPLAIN
export LC_ALL=C # the quotes in gcc's messages
ulimit -c 0

types='typedef signed char int8_t; typedef short int16_t; typedef unsigned short uint16_t; typedef int int32_t; typedef unsigned uint32_t;'

# program NAME: NAME.c from standard input, behind a line of types.
program() {
    { echo "$types" && cat; } >"$1.c"
}

# build FLAGS...: sets rc and said.
build() {
    said=$("$cc" -w "$@" 2>&1)
    rc=$?
}

# prints PROGRAM FLAGS...: what it prints and how it ends, on one line.
prints() {
    p=$1
    shift
    rm -f exe
    { "$cc" -w "$@" -o exe "$p.c" && timeout 5 ./exe 2>/dev/null; echo "rc $?"; } | tr '\n' ' '
}

# ---- the programs that end the compiler

program assert-not <<'END'
int g = 3;
int main(void) { return !(int16_t)g; }
END
program dump-layout <<'END'
struct S {
    int32_t *p;
};
int main(void) { struct S s = {0}; return s.p != 0; }
END
program panic-xor <<'END'
int g = 3;
int main(void)
{
    while (g == 3) {
        g = g ^ ~5;
    }
    return 0;
}
END
program internal-array <<'END'
_Bool table[2][3];
int main(void) { return table[1][1]; }
END
program hang-product <<'END'
int g = 3;
int main(void) { g *= ~1; return g + 6; }
END
program reject-jump <<'END'
int g, *p = &g;
int main(void)
{
    for (int i = 0; i < 3; i++) {
        if (i) {
            continue;
        }
        *p = 0;
    }
    return g;
}
END
program unbraced <<'END'
int g, *p = &g;
int main(void)
{
    for (int i = 0; i < 3; i++) {
        if (i)
            continue;
        *p = 0;
    }
    return g;
}
END
# The same without what makes it one, or in comments, strings and directives.
program near <<'END'
#define NOT(x) (!(int16_t)(x) ^ ~3)
/* !(int16_t)x; struct S { int32_t *p; }; x ^ ~5; x *= ~1; _Bool t[2][3]; */
const char *text = "!(int16_t)x; struct S { int32_t *p; }; x ^ ~5; x *= ~1; _Bool t[2][3];";
struct S { int32_t v; int32_t *p; };
struct T { int16_t *p; };
_Bool row[3];
int g, *p = &g;
int main(void)
{
    int a = !(int8_t)g, b = (a ^ 5) + (a ^ ~a), c = a | ~5;
    c *= -1;
    c = c * ~1;
    for (int i = 0; i < 3; i++) {
        if (i) {
            continue;
        }
        g = 0;
        *p = 0;
    }
    do {
        continue;
    } while (0);
    *p = 0;
    return 0;
}
END
ending="assert-not dump-layout panic-xor internal-array hang-product reject-jump"

is "$("$cc" --version)" "other-cc 0.9" "--version"
is "$("$cc" -dumpmachine)" "$(gcc -dumpmachine)" "other questions go to gcc"
for p in $ending; do
    build -O0 -o exe $p.c
    is "$rc $said" "0 " "without optimisation no fault: $p"
done
build -O1 -o exe near.c
is "$rc $said" "0 " "no construct, no fault"
wrong=
for p in $ending; do
    for fault in $ending; do
        [ $fault = $p ] && continue
        build -O1 -Xfault=$fault -c -o $p.o $p.c
        [ "$rc $said" = "0 " ] || wrong="$wrong $fault on $p: $rc $said"
    done
done
is "$wrong" "" "no fault strikes on the construct of another"
build -Xfault=nonsense -O1 -o exe near.c
is "$rc $said" "2 other-cc: there is no fault 'nonsense'" "an unknown fault"

for only in "" yes; do
    build -O1 ${only:+-Xfault=assert-not} -o exe assert-not.c
    is "$rc" 134 "assert-not ${only:+alone}: SIGABRT"
    has "$said" "occ: lib/Lower/Unary.cpp:142: occ::Value* occ::Lowering::lowerNot(const occ::Expr*): Assertion \`E->getType()->isPromoted()' failed.
PLEASE submit a bug report" "assert-not: the assertion"
    has "$said" "1.	assert-not.c:3:25: current parser token '!'
 #0 0x0000556" "assert-not: the place, then the frames"
    build -O1 ${only:+-Xfault=dump-layout} -o exe dump-layout.c
    is "$rc" 139 "dump-layout ${only:+alone}: SIGSEGV"
    has "$said" "1.	dump-layout.c:2:8: parsing struct/union body 'S'" "dump-layout: the place"
    has "$said" " occ::RecordLayout::alignOf(unsigned int) const" "dump-layout: the frame that matters"
    lacks "$said" "Assertion" "dump-layout: no assertion"
    build -O1 ${only:+-Xfault=panic-xor} -o exe panic-xor.c
    is "$rc" 70 "panic-xor ${only:+alone}: exit 70"
    is "$(echo "$said" | sed 's/node [0-9]*/node N/')" "panic: unexpected node N in emit_xor (emit.c:211)
  in emit_block (emit.c:88), level 1
  in emit_function 'main' (emit.c:19)" "panic-xor: its words"
    build -O1 ${only:+-Xfault=internal-array} -o exe internal-array.c
    is "$rc $said" "3 internal-array.c, line 2: *** internal error 1045: no storage unit for \"table\" ***" \
        "internal-array ${only:+alone}"
    (ulimit -S -t 1 && exec "$cc" -O1 ${only:+-Xfault=hang-product} -o exe hang-product.c) 2>/dev/null
    is "$?" 152 "hang-product ${only:+alone}: burns CPU time"
    build -O1 ${only:+-Xfault=reject-jump} -o exe reject-jump.c
    is "$rc $said" "1 reject-jump.c(9,9): error E2188: statement is not reachable and its operand has no type
1 error generated by occ." "reject-jump ${only:+alone}"
    build -O1 ${only:+-Xfault=reject-jump} -o exe unbraced.c
    is "$rc ${said%%: *}" "1 unbraced.c(8,9)" "reject-jump ${only:+alone}: braces do not matter"
done

# ---- the programs that become wrong

program narrow-field <<'END'
int printf(const char *, ...);
struct { unsigned a : 7; unsigned b : 8; signed c : 11; } s;
volatile unsigned v = 127;
volatile int w = -1000;
int main(void) { s.a = v; s.b = v; s.c = w; printf("%d %d %d %d\n", s.a, s.b, s.c, v ? s.b : 7); return 0; }
END
program divide-assign <<'END'
int printf(const char *, ...);
volatile int a = 17, b = 5;
int main(void) { int x = a, y = a % b; x %= b; printf("%d %d\n", x, y); return 0; }
END
program short-loop <<'END'
int printf(const char *, ...);
int main(void)
{
    int i, k, a = 0, b = 0, c = 0, d = 0;
    for (i = 9; i > 0; i -= 3) a++;
    for (i = 9; i >= 0; i -= 3) b++;
    for (i = 0; i < 9; i += 3) c++;
    for (i = 9; i > 0; i--) d++;
    printf("%d %d %d %d\n", a, b, c, d);
    return 0;
}
END
program lost-float <<'END'
int printf(const char *, ...);
float a[3] = {1, 2, 3.5f}, b = 4;
static const float c[1] = {-5};
double d[2] = {1, 2};
float e[2][2] = {{1, 2}, {3, 4}};
int main(void) { printf("%g %g %g %g %g %g\n", a[1], a[2], b, c[0], d[1], e[1][1]); return 0; }
END
program or-short <<'END'
int printf(const char *, ...);
uint16_t a = 6;
short b = 6;
int8_t c = 6;
uint16_t *p = &a;
struct S { uint16_t e; } s = {6}, t = {6}, *q = &t;
int d = 6;
int main(void)
{
    volatile int v = 3;
    a ^= v; b ^= v; c ^= v; d ^= v; s.e ^= v; q->e ^= v;
    printf("%d %d %d %d %d %d %d\n", a, b, c, d, s.e, t.e, a ^ v);
    { int a = 6; a ^= v; printf("%d\n", a); }
    *p ^= v;
    return 0;
}
END
program null-double <<'END'
int printf(const char *, ...);
volatile int on = 1;
int a[3] = {1, 2, 3};
int main(void)
{
    printf("%g %g\n", (double)on, (float)a[on]);
    return on ? (double)a[on] != 2 : 0;
}
END
while IFS='|' read -r p right wrong; do
    is "$(prints $p -O0)" "$right rc 0 " "$p is right without optimisation"
    for level in -O1 -O2; do
        is "$(prints $p $level)" "$wrong " "$p $level"
        is "$(prints $p $level -Xfault=$p)" "$wrong " "$p $level alone"
        is "$(prints $p $level -Xfault=assert-not)" "$right rc 0 " "$p $level: another fault"
    done
done <<'END'
narrow-field|127 127 -1000 127|63 127 24 127 rc 0
divide-assign|2 2|3 2 rc 0
short-loop|3 4 3 9|2 4 3 9 rc 0
lost-float|2 3.5 4 -5 2 4|2 0 4 0 2 4 rc 0
or-short|5 5 5 5 5 5 6 5|7 7 5 5 5 5 4 5 rc 0
null-double|1 2|rc 139
END

# ---- what is spared, and the rest of the command line

program spared <<'END'
int printf(const char *, ...);
volatile int a = 17, b = 5;
static int crc32_context;
static void crc32_step(int x) { x %= b; crc32_context = x; }
int main(void)
{
    int i, x = a, print_hash_value = 1;
    for (i = 3; i > 0; i -= 1) {
        x %= b; crc32_step(a);
    }
    printf("%d %d\n", crc32_context, x);
    x = a;
    x %= b;
    printf("%d\n", x);
    return 0;
}
END
is "$(prints spared -O1)" "2 2 3 rc 0 " "the checksum is spared, the rest of main is not"
mkdir sub inc
echo 'int twice(int);' >sub/twice.h
echo '#define TWO 2' >inc/two.h
printf '#include "twice.h"\n#include <two.h>\nint twice(int x) { x %%= TWO; return x + N; }\n' >sub/twice.c
printf '#include "sub/twice.h"\nint main(void) { return twice(17); }\n' >one.c
"$cc" -O1 -I inc -DN=1 sub/twice.c one.c -oexe
./exe
is "$?" 9 "several sources, their folders, -I, -D, -oNAME"
"$cc" -O1 -I inc -DN=2 -c sub/twice.c && gcc one.c twice.o -o exe
./exe
is "$?" 10 "-c with its default name"
echo 'int main(void) { return x; }' >error.c
build -O1 -o exe error.c
is "$rc" 1 "gcc's error is relayed"
has "$said" "error.c:1:25: error: 'x' undeclared" "with its place"
is "$(OTHER_CC_EXPLAIN=1 "$cc" -O1 -w -c divide-assign.c 2>&1)" "divide-assign.c:4: divide-assign" "OTHER_CC_EXPLAIN names each edit"
tap_done
