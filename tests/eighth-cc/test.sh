#!/bin/sh
# eighth-cc: each fault strikes on its construct, in its own way, from -O1 on, and nowhere else.
# usage: test.sh TESTS-FOLDER EIGHTH-CC
. "$1/tap.sh"
. "$1/planted.sh"
alone=union-short

ends panic-first 1 "octava: panic!" <<'END'
int a;
int main(void) { return __builtin_ffs(a); }
END
ends assert-return 134 "Assertion failed: " <<'END'
int a = 1;
int main(void) { return !a; }
END
ends trap-shift 132 "" <<'END'
int a, b;
int main(void) { a <<= b; return a; }
END
hangs hang-join <<'END'
int a, b = -1;
int main(void) { return a | ~b; }
END
ends link-copy 1 "undefined reference to" <<'END'
struct S { int a[100]; } s, t;
__attribute__((noipa)) void copy(struct S *p, struct S *q) { *p = *q; }
int main(void) { copy(&s, &t); return s.a[99]; }
END

changes once-do 3 1 <<'END'
#include <stdio.h>
int main(void) { int n = 0; do { n++; } while (n < 3); printf("%d\n", n); }
END
changes union-short 4294967295 2147483647 <<'END'
#include <stdio.h>
union U { unsigned f0; };
union U a = {4294967295U};
int main(void) { printf("%u\n", a.f0); }
END
changes not-flip 0 4 <<'END'
#include <stdio.h>
int a = 5;
int main(void) { printf("%d\n", !a); }
END
changes case-high 1 0 <<'END'
#include <stdio.h>
int a = 2;
int main(void) { int n = 0; switch (a) { case 2: n = 1; } printf("%d\n", n); }
END
changes imm-byte 201 -55 <<'END'
#include <stdio.h>
__attribute__((noipa)) int add(int *p) { *p += 200; return *p; }
int main(void) { int a = 1; printf("%d\n", add(&a)); }
END
changes unsigned-quotient -3 1431655762 <<'END'
#include <stdio.h>
__attribute__((noipa)) int quotient(int a, int b) { return a / b; }
int main(void) { printf("%d\n", quotient(-9, 3)); }
END
changes mask-top 31 15 <<'END'
#include <stdio.h>
__attribute__((noipa)) int low(int a) { return a & 31; }
int main(void) { printf("%d\n", low(-1)); }
END

refuses_nonsense
tap_done
