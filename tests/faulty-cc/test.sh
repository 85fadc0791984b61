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

# program NAME: NAME.c from standard input, behind a first line that does not count.
program() {
    { echo "/* $1 */ union first line(void);" && cat; } >"$1.c"
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
   unsigned f : 31; unsigned f : 22; */
const char *text = "union U f(void) signed : 3;";
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

# ---- without a fault it is gcc

is "$("$cc" --version)" "faulty-cc 1.0 (gcc $(gcc -dumpfullversion))" "--version"
is "$("$cc" -dumpmachine)" "$(gcc -dumpmachine)" "other questions go to gcc"
for p in plain crash segv hang reject slow memory; do
    build -O1 -o exe $p.c
    is "$rc $said" "0 " "no fault, no harm: $p"
done
build -o exe missing.c
is "$rc" 1 "gcc's status is ours"
has "$said" "missing.c: No such file" "and so are its words"

build -ffault=nonsense -o exe plain.c
is "$rc" 2 "an unknown fault is a usage error"
has "$said" "no fault 'nonsense'; there are: all crash segv hang reject flaky slow memory wrong-shift" \
    "that lists the names"

# ---- faults of the text

build -ffault=all -o exe plain.c
is "$rc $said" "0 " "a program without the constructs: no fault of the text strikes"

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

wrong=
for p in crash segv hang reject slow memory; do
    others=
    for fault in crash segv hang reject slow memory; do
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

# The same operations in main, which prints, or in a header: not edited.
program elsewhere <<'END'
#include <stdio.h>
#include "elsewhere.h"
static int nothing(void) { return 0; }
int main(int argc, char **argv) {
    volatile int a = -64, b = 3;
    printf("%d %d %d\n", a >> b, in_header(a, b), nothing());
    return 0;
}
END
echo 'static int in_header(int a, int b) { return a >> b; }' >elsewhere.h
is "$(prints wrong-shift -O1 elsewhere)" "-8 -8 0
rc 0" "main and headers stay right"
program alone <<'END'
#include <stdio.h>
int main(void) { volatile int a = -64, b = 3; printf("%d\n", a >> b); return 0; }
END
is "$(prints wrong-shift -O1 alone)" "-512
rc 0" "unless main is all there is"

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
