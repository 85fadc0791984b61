#!/bin/sh
# third-cc: each fault strikes on its construct, in its own way, from -O1 on, and nowhere else.
# usage: test.sh TESTS-FOLDER THIRD-CC
. "$1/tap.sh"
cc=$(realpath "$2")
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export LC_ALL=C
unset OTHER_CC_EXPLAIN
ulimit -c 0

# ends FAULT STATUS MESSAGE, the program on standard input: the compiler ends so, and says so.
ends() {
    cat >t.c
    said=$(OTHER_CC_EXPLAIN=1 "$cc" -O1 -w -o exe t.c 2>&1)
    is $? "$2" "$1: exit $2"
    has "$said" ": $1" "  by its own word"
    has "$said" "$3" "  and what it tells its user"
    said=$("$cc" -O0 -w -o exe t.c 2>&1)
    is "$? $said" "0 " "  nothing of it at -O0"
}

# changes FAULT RIGHT WRONG, the program on standard input.
changes() {
    cat >t.c
    said=$(OTHER_CC_EXPLAIN=1 "$cc" -O1 -w -o exe t.c 2>&1)
    is "$? $(echo "$said" | grep -c ": $1")" "0 1" "$1 strikes once"
    is "$(./exe)" "$3" "  and is seen"
    "$cc" -O0 -w -o exe t.c && is "$(./exe)" "$2" "  nothing of it at -O0"
    "$cc" -O1 -Xfault=store-bits -Xfault=double-less -w -o exe t.c 2>/dev/null
    case $1 in
    store-bits | double-less) is "$(./exe)" "$3" "  alone, too" ;;
    *) is "$(./exe)" "$2" "  nor with others alone" ;;
    esac
}

ends bug-enum-pointer 5 "COMPILER BUG: types/pointee.c" <<'END'
enum E { A };
enum E *p;
int main(void) { return p != 0; }
END
ends panic-increment 101 "panicked at" <<'END'
int x, *p = &x;
int main(void) { ++*p; return 0; }
END
ends dump-literal 139 "SIGSEGV" <<'END'
struct S { int a; };
int f(int a, struct S b) { return a + b.a; }
int main(void) { return f(0, (struct S){0}); }
END
ends reject-character 1 "cannot be converted" <<'END'
int main(void) { char a = 'x'; return a != 'x'; }
END
cat >t.c <<'END'
int main(void) { int a = 0; do { if (a) return 1; } while (a); return 0; }
END
(ulimit -S -t 1 && exec "$cc" -O1 -w -o exe t.c) >/dev/null 2>&1
is $? 152 "hang-do-if: without an end"
"$cc" -O0 -w -o exe t.c
is $? 0 "  nothing of it at -O0"

changes octal-unsigned 9 11 <<'END'
#include <stdio.h>
int main(void) { printf("%u\n", 011U); }
END
changes store-bits 1 7 <<'END'
#include <stdio.h>
struct S { unsigned a : 3, b : 5; } s = {6, 0};
__attribute__((noipa)) void set(unsigned v) { s.a = v; }
int main(void) { set(1); printf("%u\n", s.a); }
END
changes select-wide 5 3 <<'END'
#include <stdio.h>
__attribute__((noipa)) long most(long a, long b) { return a > b ? a : b; }
int main(void) { printf("%ld\n", most(3, 5)); }
END
changes decrement-memory 6 8 <<'END'
#include <stdio.h>
int g = 7;
__attribute__((noipa)) void less(void) { g--; }
int main(void) { less(); printf("%d\n", g); }
END
changes update-lost 3 1 <<'END'
#include <stdio.h>
int g = 1;
__attribute__((noipa)) void more(int v) { g |= v; }
int main(void) { more(2); printf("%d\n", g); }
END
changes minus-lost -4 4 <<'END'
#include <stdio.h>
__attribute__((noipa)) int minus(int v) { return -v; }
int main(void) { printf("%d\n", minus(4)); }
END
changes double-less 1 0 <<'END'
#include <stdio.h>
__attribute__((noipa)) int less(double a, double b) { return a < b; }
int main(void) { printf("%d\n", less(1, 2)); }
END

"$cc" -O1 -Xfault=nonsense -o exe t.c 2>said
is $? 2 "an unknown fault: exit 2"
has "$(cat said)" "nonsense" "  which is named"
tap_done
