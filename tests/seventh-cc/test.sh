#!/bin/sh
# seventh-cc: each fault strikes on its construct, in its own way, from -O1 on, and nowhere else.
# usage: test.sh TESTS-FOLDER SEVENTH-CC
. "$1/tap.sh"
. "$1/planted.sh"
alone=row-merge

ends insn-count 4 "internal septima error: in fetch_insn" <<'END'
unsigned a;
int main(void) { return __builtin_popcount(a); }
END
ends verify-unequal 134 "SEPTIMA FATAL: broken function" <<'END'
int a = -1, b;
int main(void) { return a != ~b; }
END
ends memory-arrow 1 "out of memory allocating" <<'END'
struct S { int f0; } s, *p = &s;
int main(void) { return (*&p)->f0; }
END
hangs hang-mask <<'END'
int a, b;
int main(void) { a &= -b; return a; }
END
ends operand-float 1 "Error: " <<'END'
__attribute__((noipa)) float f(int a) { return a; }
int main(void) { return f(0) != 0; }
END

changes early-value 6 5 <<'END'
#include <stdio.h>
int a = 5;
int main(void) { printf("%d\n", ++a); }
END
changes lost-continue 3 0 <<'END'
#include <stdio.h>
int main(void) { int i, n = 0; for (i = 0; i < 4; i++) { if (i == 0) { continue; } n++; } printf("%d\n", n); }
END
changes lost-fall 3 1 <<'END'
#include <stdio.h>
int a = 1;
int main(void) { int n = 0; switch (a) { case 1: n += 1; case 2: n += 2; } printf("%d\n", n); }
END
changes row-merge 3 1 <<'END'
#include <stdio.h>
typedef short int16_t;
int16_t a[2][2] = {{1, 2}, {3, 4}};
int main(void) { printf("%d\n", a[1][0]); }
END
changes power-modulus 1 2 <<'END'
#include <stdio.h>
int a = 10;
int main(void) { printf("%d\n", a % 9); }
END
changes narrow-load 513 1 <<'END'
#include <stdio.h>
unsigned short a = 513;
__attribute__((noipa)) int get(unsigned short *p) { return *p; }
int main(void) { printf("%d\n", get(&a)); }
END
changes low-logic 4294967297 1 <<'END'
#include <stdio.h>
__attribute__((noipa)) long flip(long a, long b) { return a ^ b; }
int main(void) { printf("%ld\n", flip(4294967296, 1)); }
END

refuses_nonsense
tap_done
