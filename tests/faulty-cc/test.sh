#!/bin/sh
# faulty-cc: each fault strikes on its construct, in its own way, and nowhere else.
# usage: test.sh TESTS-FOLDER FAULTY-CC
. "$1/tap.sh"
cc=$(realpath "$2")
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
mkdir tmp
export TMPDIR="$work/tmp" FAULTY_CC_STATE="$work/state"
unset FAULTY_CC_EXPLAIN
export LC_ALL=C # the quotes in gcc's messages
ulimit -c 0

# program NAME: NAME.c from standard input, behind a comment that does not count.
program() {
    { echo "/* $1: union first line(void); */" && cat; } >"$1.c"
}

# build FLAGS...: sets rc and said.
build() {
    said=$("$cc" -w "$@" 2>&1)
    rc=$?
}

# prints FAULT LEVEL PROGRAM: what the program prints and how it ends, built with the fault.
prints() {
    rm -f exe
    "$cc" -w ${1:+-ffault=$1} "$2" -o exe "$3.c" && timeout 0.5 ./exe 2>/dev/null
    echo "rc $?"
}

# A program that no fault of the text strikes on: the constructs are in comments and strings only.
program plain <<'END'
#include <stdio.h>
// volatile unsigned f : 3;
/* union U f(void); signed : 3; char * const f(void);
   unsigned f : 31; unsigned f : 22; x -= ~y; { break; } *p; return (int8_t) switch ((int16_t) */
const char *text = "union U f(void) signed : 3; static inline _Bool f( const _Bool b = 1";
struct S { unsigned f : 3; volatile unsigned g; };
int main(void) { puts("hello"); return 0; }
END
program crash <<'END'
struct S {
    int a;
    const volatile unsigned f0 : 3;
};
int main(void) { return 0; }
END
program segv <<'END'
union U { int a; };
static union U make(void) { union U u = {0}; return u; }
int main(void) { return make().a; }
END
program hang <<'END'
struct S { int a : 3; unsigned : 0; int b : 2; } s;
int main(void) { return s.b; }
END
program reject <<'END'
static int g;
static int * const at(void) { return &g; }
int main(void) { return *at(); }
END
program slow <<'END'
struct S { unsigned f : 31; } s;
int main(void) { return s.f; }
END
program memory <<'END'
struct S { unsigned f : 22; } s;
int main(void) { return s.f; }
END
# The twelve of -ffault=dozen.
program ice-compound <<'END'
int main(void) {
    int a = 1, b = 2;
    while (a > 0) {
        a -= ~b;
    }
    return 0;
}
END
program fatal-inline <<'END'
static inline _Bool is(int a) { return a; }
int main(void) { return is(0); }
END
program segv-break <<'END'
int g, *p = &g;
int main(void) {
    for (;;) {
        if (!g) {
            break;
        }
        *p = 0;
    }
    return g;
}
END
program dump-return <<'END'
typedef signed char int8_t;
int narrow(int a) { return (int8_t)a; }
int main(void) { return narrow(0); }
END
program hang-switch <<'END'
typedef short int16_t;
int main(void) { int a = 0; switch ((int16_t)a) { case 1: return 1; } return 0; }
END
program reject-bool <<'END'
static const _Bool yes = 1;
int main(void) { return !yes; }
END
# The same without what makes it one: another operator, type or place.
program near <<'END'
typedef unsigned short uint16_t;
typedef unsigned char uint8_t;
int g, *p = &g;
const int b1 = 1;
_Bool b2 = 1;
static _Bool f1(int a) { return a; }
static inline int f2(int a) { return (uint8_t)a; }
static uint16_t f3(int a) { return a; }
int main(void) {
    int a = 1;
    a += ~g; a -= -g; a = a - ~g;
    for (;;) { if (!g) { break; } g = 0; *p = 1; }
    do { break; } while (0);
    *p = 0;
    switch (a) { case 7: return 1; }
    switch ((uint16_t)a) { case 7: return 1; }
    return f1(g) + f2(g) + f3(g);
}
END

# ---- without a fault it is gcc

is "$("$cc" --version)" "faulty-cc 1.0 (gcc $(gcc -dumpfullversion))" "--version"
is "$("$cc" -dumpmachine)" "$(gcc -dumpmachine)" "other questions go to gcc"
texts="crash segv hang reject slow memory"
dozen="ice-compound fatal-inline segv-break dump-return hang-switch reject-bool"
for p in plain near $texts $dozen; do
    build -O1 -o exe $p.c
    is "$rc $said" "0 " "no fault, no harm: $p"
done
build -o exe missing.c
is "$rc" 1 "gcc's status is ours"
has "$said" "missing.c: No such file" "and so are its words"

build -ffault=nonsense -o exe plain.c
is "$rc" 2 "an unknown fault is a usage error"
has "$said" "no fault 'nonsense'; there are: all dozen crash segv hang reject flaky slow memory ice-compound" \
    "that lists the names"

# ---- faults of the text

each= # but flaky, which goes by a hash
for fault in $texts $dozen; do
    each="$each -ffault=$fault"
done
for p in plain near; do
    build $each -o exe $p.c
    is "$rc $said" "0 " "a program without the constructs: no fault of the text strikes: $p"
done

build -ffault=crash -o exe crash.c
is "$rc" 4 "crash: exit 4"
has "$said" "crash.c:4:11: internal compiler error: in lower_volatile_bit_field, at" "crash: gcc's words, with line and column"
has "$said" "    4 |     const volatile unsigned f0 : 3;" "crash: shows the line"
build -ffault=segv -o exe segv.c
is "$rc $said" "139 " "segv: dies by SIGSEGV without a word"
build -ffault=reject -o exe reject.c
is "$rc" 1 "reject: exit 1"
has "$said" "reject.c:3:12: error: function cannot return a qualified type" "reject: a message like any other"
lacks "$said" "internal compiler error" "reject: not taken for a crash"
timeout 1 "$cc" -ffault=hang -o exe hang.c
is "$?" 124 "hang: does not end, and can be ended by SIGTERM"
(ulimit -S -t 1 && exec "$cc" -ffault=hang -o exe hang.c) 2>/dev/null
is "$?" 152 "hang: burns CPU time (SIGXCPU)"
(ulimit -S -t 1 && exec "$cc" -ffault=slow -o exe slow.c) 2>/dev/null
is "$?" 152 "slow: burns CPU time"
said=$( (ulimit -v 1000000 && exec "$cc" -ffault=memory -o exe memory.c) 2>&1)
rc=$?
# Under AddressSanitizer a limit on the address space stops the program at its start.
if nm "$cc" 2>/dev/null | grep -q __asan_init; then
    skip "memory: is too much for 1 GB" "AddressSanitizer"
else
    is "$rc $said" "1 cc1: out of memory allocating 1610612736 bytes" "memory: is too much for 1 GB"
fi
build -ffault=memory -o exe memory.c
is "$rc $said" "0 " "memory: compiles rightly where there is enough"

# The dozen, each by its own name and by that of all twelve.
for by in ice-compound dozen; do
    build -ffault=$by -o exe ice-compound.c
    is "$rc" 4 "ice-compound by $by: exit 4"
    has "$said" "ice-compound.c: In function 'main':
ice-compound.c:5:11: internal compiler error: in fold_compound_assign, at faulty-fold.c:1423
    5 |         a -= ~b;
      |           ^
0x7f" "ice-compound by $by: gcc's words"
    is "$(echo "$said" | sed -n 's/^0x7f[0-9a-f]\{10\} //p; s/^\t//p' | tr '\n' ' ')" "fold_compound_assign faulty-fold.c:1423 \
fold_statement faulty-fold.c:318 lower_block faulty-lower.c:907 lower_block faulty-lower.c:907 \
lower_function_body faulty-lower.c:2206 " "ice-compound by $by: frames, one for each block around it"
done
first=$said
build -ffault=dozen -o exe ice-compound.c
is "$said" "$first" "ice-compound: the same program has the same addresses"
sed 's/a > 0/a > 1/' ice-compound.c >other.c && mv other.c ice-compound.c
build -ffault=dozen -o exe ice-compound.c
[ "$said" != "$first" ]
ok $? "ice-compound: another program has others"
for by in fatal-inline dozen; do
    build -ffault=$by -o exe fatal-inline.c
    is "$rc $said" "1 fatal-inline.c:2:1: fatal error: error in backend: cannot select: i1 = function_result<2>
compilation terminated." "fatal-inline by $by"
done
tr -d '{}' <segv-break.c | sed 's/main(void)/main(void) {/; s/for (;;)/for (;;) {/; s/return/} return/; $s/$/}/' >unbraced.c
build -ffault=segv-break -o exe unbraced.c
is "$rc $said" "139 " "segv-break: braces do not matter"
for by in segv-break dozen; do
    build -ffault=$by -o exe segv-break.c
    is "$rc $said" "139 " "segv-break by $by: dies by SIGSEGV without a word"
done
for by in dump-return dozen; do
    build -ffault=$by -o exe dump-return.c
    is "$rc" 134 "dump-return by $by: dies by SIGABRT"
    has "$said" "Program arguments: $cc -w -ffault=$by -o exe dump-return.c
1." "dump-return by $by: tells the command"
    has "$said" "4.	Running pass 'Narrow Function Results' on function '@narrow'
 #0 0x000055d" "dump-return by $by: the pass, the function, the frames"
    has "$said" " NarrowResults::runOnFunction(faulty::Function&) NarrowResults.c:77:21
 #5 0x000055d" "dump-return by $by: the frame that matters"
done
for by in hang-switch dozen; do
    timeout 0.5 "$cc" -ffault=$by -o exe hang-switch.c
    is "$?" 124 "hang-switch by $by: does not end"
done
for by in reject-bool dozen; do
    build -ffault=$by -o exe reject-bool.c
    is "$rc" 1 "reject-bool by $by: exit 1"
    has "$said" "reject-bool.c:2:8: error: initializer element of type '_Bool' is not constant
    2 | static const _Bool yes = 1;" "reject-bool by $by: a message like any other"
done

wrong=
for p in $texts $dozen; do
    others=
    for fault in $texts $dozen; do
        [ $fault = $p ] || others="$others -ffault=$fault"
    done
    build $others -c -o $p.o $p.c
    [ "$rc $said" = "0 " ] || wrong="$wrong $p: $rc $said"
done
is "$wrong" "" "no fault strikes on the construct of another"

# ---- flaky: one program in ten, the first time only

n=0 struck=0 twice=0
while [ $n -lt 40 ]; do
    n=$((n + 1))
    printf '\nint main(void) { return %d; }\n' $n >flaky.c
    build -ffault=flaky -c flaky.c
    [ $rc = 0 ] && continue
    struck=$((struck + 1))
    has "$rc $said" "4 flaky.c:2:1: internal compiler error: in fold_if_not" "flaky: a crash ($n)"
    printf '/* new */ \nint   main(void)\n{ return %d; } // layout\n' $n >flaky.c
    build -ffault=flaky -c flaky.c
    [ $rc = 0 ] || twice=$((twice + 1))
done
[ $struck -ge 1 ] && [ $struck -le 12 ]
ok $? "flaky: strikes on some programs ($struck of 40)"
is $twice 0 "flaky: never a second time, whatever the layout"
is "$(ls state | wc -l)" $struck "flaky: one file per program in FAULTY_CC_STATE"

# ---- miscompilations

program shift <<'END'
#include <stdio.h>
__attribute__((noipa)) static int f(int a, int b) { return a >> b; }
int main(void) { printf("%d\n", f(-64, 3)); return 0; }
END
program compare <<'END'
#include <stdio.h>
__attribute__((noipa)) static int f(int a, int b) { return a < b; }
int main(void) { printf("%d\n", f(-1, 1)); return 0; }
END
program extend <<'END'
#include <stdio.h>
static volatile signed char c = -2;
__attribute__((noipa)) static int f(void) { return c; }
int main(void) { printf("%d\n", f()); return 0; }
END
program constant <<'END'
#include <stdio.h>
static volatile int g;
__attribute__((noipa)) static void f(void) { g = 123456; }
int main(void) { f(); printf("%d\n", g); return 0; }
END
program run-crash <<'END'
#include <stdio.h>
static volatile int g = 5;
__attribute__((noipa)) static int f(void) { return g ^ 77; }
int main(void) { printf("%d\n", f()); return 0; }
END
program run-hang <<'END'
#include <stdio.h>
static volatile int g;
__attribute__((noipa)) static void f(void) { for (int i = 0; i < 40; i++) g = i; }
int main(void) { f(); printf("%d\n", g); return 0; }
END
# The right-hand sides: what it prints without the fault, and with it.
while read -r fault p right wrong; do
    for level in -O0 -O1 -O2; do
        is "$(prints "" $level $p | tr '\n' ' ')" "$(echo "$right" | tr , ' ') rc 0 " "$p is right with gcc $level"
        is "$(prints $fault $level $p | tr '\n' ' ')" "$(echo "$wrong" | tr , ' ') " "$fault $level: $p"
    done
done <<'END'
wrong-shift shift -8 -512,rc,0
wrong-compare compare 1 0,rc,0
wrong-extend extend -2 254,rc,0
wrong-constant constant 123456 123457,rc,0
run-crash run-crash 72 rc,132
run-hang run-hang 39 rc,124
END

# The dozen's, all in main, as a reduced program has it; static volatile objects keep gcc from folding.
program remainder <<'END'
#include <stdio.h>
volatile long long a = -17, b = 5;
volatile unsigned long long ua = 17, ub = 5;
volatile int ia = -17, ib = 5;
int main(void) { printf("%lld %lld %llu %d\n", a / b, a % b, ua % ub, ia % ib); return 0; }
END
program rotate <<'END'
#include <stdio.h>
volatile unsigned a = 0xC0000003;
volatile unsigned long long la = 0xC000000000000003;
volatile int b = 1;
int main(void) { printf("%x %x %llx %x %x\n", a << b, a << 1, la << b, a >> b, 1 << b); return 0; }
END
program complement <<'END'
#include <stdio.h>
volatile long long a = 8;
volatile int b = 8;
int main(void) { printf("%lld %lld %d\n", ~a, -a, ~b); return 0; }
END
program bit-field <<'END'
#include <stdio.h>
struct { signed a : 3; unsigned b : 3; signed d : 20; } s = {-2, 6, -2};
struct { signed c : 12; } t = {-2};
int main(void) { printf("%d %d %d %d\n", s.a, s.b, t.c, s.d); return 0; }
END
program double <<'END'
#include <stdio.h>
volatile double a = 5, b = 3;
volatile float fa = 5, fb = 3;
volatile unsigned long long big = 0x8000000000000000;
int main(void) { printf("%g %g %g %g\n", a + b, a - b, (double)(fa + fb), (double)big); return 0; }
END
program default <<'END'
#include <stdio.h>
volatile int a = 9, b = 2;
static int number(int i) {
    switch (i) {
    case 0: return 5;
    case 1: return 3;
    case 2: return 8;
    case 3: puts("three"); return 1;
    case 4: return 2;
    case 5: puts("five"); return 6;
    default: puts("default"); return 0;
    }
}
int main(void) { printf("%d\n", number(b)); fflush(stdout); return number(a); }
END
# Two cases are not enough for a jump table; nor is a plain comparison a switch.
program no-table <<'END'
#include <stdio.h>
volatile unsigned a = 9;
int main(void) {
    switch (a) { case 1: puts("1"); break; case 5: puts("5"); break; default: puts("default"); }
    if (a > 7u) puts("more");
    return 0;
}
END
while read -r fault p right wrong; do
    for level in -O0 -O1 -O2; do
        is "$(prints "" $level $p | tr '\n' ' ')" "$(echo "$right" | tr , ' ') rc 0 " "$p is right with gcc $level"
        for by in $fault dozen; do
            is "$(prints $by $level $p | tr '\n' ' ')" "$(echo "$wrong" | tr , ' ') " "$fault by $by $level: $p"
        done
    done
done <<'END'
wrong-remainder remainder -3,-2,2,-2 -3,2,2,-2,rc,0
wrong-rotate rotate 80000006,80000006,8000000000000006,60000001,2 80000007,80000006,8000000000000006,60000001,2,rc,0
wrong-complement complement -9,-8,-9 -8,-8,-9,rc,0
wrong-bit-field bit-field -2,6,-2,-2 6,6,4094,-2,rc,0
wrong-double double 8,2,8,9.22337e+18 2,2,8,9.22337e+18,rc,0
run-default default 8,default 8,rc,132
run-default no-table default,more default,more,rc,0
END
for p in shift compare extend constant run-crash run-hang; do
    is "$(prints dozen -O1 $p)" "$(prints "" -O1 $p)" "the dozen does nothing to the program of $p"
done

# Read twice, to the same effect.
program volatile <<'END'
#include <stdio.h>
static volatile int g_1[2] = {3, 4};
static volatile short g_2 = 5;
static int g_3 = 6;
__attribute__((noipa)) static int f(void) { return g_1[1] + g_2 + g_3; }
int main(void) { printf("%d\n", f()); return 0; }
END
for level in -O0 -O1 -O2; do
    is "$(prints wrong-volatile $level volatile | tr '\n' ' ')" "15 rc 0 " "wrong-volatile $level: the output is right"
    said=$(FAULTY_CC_EXPLAIN=1 "$cc" -w $level -ffault=wrong-volatile -c volatile.c 2>&1)
    has "$said" "volatile.c:6: wrong-volatile: mov" "  it struck"
    has "$said" "4+g_1(%rip)" "  on an element"
    has "$said" "g_2(%rip)" "  on a scalar"
    lacks "$said" "g_3" "  and not on what is not volatile"
done

# The same operations in the checksum of a generated program, or in a header: not edited. All else
# in main is.
program elsewhere <<'END'
#include <stdio.h>
#include "elsewhere.h"
static unsigned crc32_context = 5;
static void crc32_byte(int b) {
    crc32_context = crc32_context >> b;
}
__attribute__((noinline)) static void transparent_crc(int v, int n) {
    crc32_byte(n);
    printf("%d %u\n", v >> n, crc32_context);
}
int main(int argc, char **argv) {
    int print_hash_value = 3, i;
    volatile int a = -64, b = 3;
    printf("%d\n", in_header(a, b));
    for (i = 0; i < 2; i++) {
        transparent_crc(a >> b, i);
        if (print_hash_value)
            printf("%d\n", a >> b);
    }
    if (argc > 5) {
        a = 1;
    } else
        transparent_crc(a >> b, 1);
    printf("%d\n", a >> b);
    return 0;
}
END
echo 'static int in_header(int a, int b) { return a >> b; }' >elsewhere.h
for level in -O0 -O1 -O2; do
    right=$(prints "" $level elsewhere)
    is "$(prints wrong-shift $level elsewhere)" "$(echo "$right" | sed '7s/.*/-512/')" \
        "checksum and headers stay right $level"
done
program alone <<'END'
#include <stdio.h>
int main(void) { volatile int a = -64, b = 3; printf("%d\n", a >> b); return 0; }
END
is "$(prints wrong-shift -O1 alone)" "-512
rc 0" "main alone is as any function"

# ---- the rest of gcc's command line

echo 'int twice(int x);' >twice.h
printf '\nint twice(int x) { return x >> 1; }\n' >twice.c
printf '\n#include <stdio.h>\n#include <twice.h>\nint main(void) { printf("%%d\\n", twice(N) + M); return 0; }\n' >two.c
mkdir inc && mv twice.h inc/
"$cc" -ffault=wrong-shift -O1 -g -Iinc -D N=64 -DM=0 two.c twice.c -oexe
is "$? $(./exe)" "0 128" "several sources, -I, -D, -g, -oNAME"
"$cc" -ffault=wrong-shift -I inc -c twice.c && gcc -I inc -DN=64 -DM=0 two.c twice.o -o exe
is "$? $(./exe)" "0 128" "-c with its default name, linked by gcc"
"$cc" -ffault=wrong-shift -I inc -DN=64 -DM=1 -o exe two.c twice.o -lm
is "$? $(./exe)" "0 129" "an object and a library among the arguments"
rm -f twice.s && "$cc" -ffault=wrong-shift -O1 -S twice.c && grep -q 'sall' twice.s
ok $? "-S with its default name"
"$cc" -ffault=wrong-shift -O1 -S -o t.s twice.c && cmp -s t.s twice.s
ok $? "-S -o NAME"
is "$("$cc" -ffault=all -E -P crash.c | tail -n 1)" "int main(void) { return 0; }" "-E goes to gcc"
printf '\nint main(void) { return x; }\n' >error.c
build -ffault=wrong-shift -o exe error.c
is "$rc" 1 "gcc's error is relayed"
has "$said" "error.c:2:25: error: 'x' undeclared" "with its message"
is "$(FAULTY_CC_EXPLAIN=1 "$cc" -ffault=wrong-shift -O1 -c twice.c 2>&1)" "twice.c:2: wrong-shift: sarl %eax" \
    "FAULTY_CC_EXPLAIN names each edit"

# ---- how it ends when gcc does not, or badly: a gcc of our own is found first

mkdir bin
printf '#!/bin/sh\nexec sleep 20\n' >bin/gcc
chmod +x bin/gcc
PATH=$work/bin:$PATH "$cc" -ffault=wrong-shift -c twice.c &
pid=$!
sleep 0.5
is "$(ls tmp | wc -l)" 1 "one folder while gcc runs"
kill -TERM $pid
wait $pid
is "$?" 143 "SIGTERM ends it, and gcc with it"
printf '#!/bin/sh\nkill -SEGV $$\n' >bin/gcc
PATH=$work/bin:$PATH "$cc" -ffault=wrong-shift -c twice.c 2>/dev/null
is "$?" 139 "gcc's signal is ours"
is "$(ls tmp)" "" "no temporary file is left"
tap_done
