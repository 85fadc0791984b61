#!/bin/sh
# third-cc: each fault strikes on its construct, in its own way, from -O1 on, and nowhere else.
# usage: test.sh TESTS-FOLDER THIRD-CC
. "$1/tap.sh"
. "$1/planted.sh"
alone=store-bits

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
hangs hang-do-if <<'END'
int main(void) { int a = 0; do { if (a) return 1; } while (a); return 0; }
END

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

refuses_nonsense
tap_done
