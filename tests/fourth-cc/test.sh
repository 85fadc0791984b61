#!/bin/sh
# fourth-cc: each fault strikes on its construct, in its own way, from -O1 on, and nowhere else.
# usage: test.sh TESTS-FOLDER FOURTH-CC
. "$1/tap.sh"
. "$1/planted.sh"
alone=sizeof-long

ends assert-select 134 "Assertion" <<'END'
int a;
int main(void) { return a ? !a : 0; }
END
ends internal-enum 3 "Internal error in layout_field" <<'END'
enum E { A };
struct S { enum E a; } s;
int main(void) { return s.a; }
END
ends signal-static 139 "caught signal 11" <<'END'
int main(void) { for (int i = 0; i < 1; i++) { static int a; a++; } return 0; }
END
ends reject-null 1 "point to incompatible types" <<'END'
int *p;
int main(void) { return !(p == (void *)0); }
END
hangs hang-minus <<'END'
int a = 1;
int main(void) { return -!a; }
END

changes compound-flat 0 1 <<'END'
#include <stdio.h>
int a;
int main(void) { a *= 0 + 1; printf("%d\n", a); }
END
changes sizeof-long 8 4 <<'END'
#include <stdio.h>
int main(void) { printf("%d\n", (int)sizeof(long long)); }
END
changes enum-byte 239 -17 <<'END'
#include <stdio.h>
enum E { A = 239 };
int main(void) { printf("%d\n", A); }
END
changes extend-long -1 4294967295 <<'END'
#include <stdio.h>
__attribute__((noipa)) long wide(int a) { return a; }
int main(void) { printf("%ld\n", wide(-1)); }
END
changes store-through -3 253 <<'END'
#include <stdio.h>
short a;
__attribute__((noipa)) void set(short *p, short v) { *p = v; }
int main(void) { set(&a, -3); printf("%d\n", a); }
END
changes double-equal 1 0 <<'END'
#include <stdio.h>
__attribute__((noipa)) int differ(double a, double b) { return a != b; }
int main(void) { printf("%d\n", differ(1, 2)); }
END
changes bound-off 1 0 <<'END'
#include <stdio.h>
__attribute__((noipa)) int small(unsigned a) { return a <= 7; }
int main(void) { printf("%d\n", small(7)); }
END

refuses_nonsense
tap_done
