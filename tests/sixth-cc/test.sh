#!/bin/sh
# sixth-cc: each fault strikes on its construct, in its own way, from -O1 on, and nowhere else.
# usage: test.sh TESTS-FOLDER SIXTH-CC
. "$1/tap.sh"
. "$1/planted.sh"
alone=top-signed

ends assert-swap 1 "Assertion failure at line" <<'END'
unsigned a;
int main(void) { return (int)__builtin_bswap32(a); }
END
ends throw-union 134 "terminate called after throwing" <<'END'
volatile union U { int a; } u;
int main(void) { return u.a; }
END
ends trap-divide 136 "" <<'END'
int a;
int main(void) { a /= 3; return a; }
END
hangs hang-label <<'END'
int a;
int main(void) { switch (a) { case 0: switch (a) { case 1: return 1; } } return 0; }
END
ends reject-tag 1 "dubious tag in parameter list" <<'END'
enum E { A };
int f(enum E a) { return a; }
int main(void) { return f(A); }
END

changes bool-low 1 4 <<'END'
#include <stdio.h>
int main(void) { printf("%d\n", (_Bool)4); }
END
changes rest-repeats 0 7 <<'END'
#include <stdio.h>
char a[3] = {5, 7};
int main(void) { printf("%d\n", a[2]); }
END
changes top-signed 4294967288 -8 <<'END'
#include <stdio.h>
int main(void) { printf("%ld\n", (long)4294967288U); }
END
changes value-wide -1 255 <<'END'
#include <stdio.h>
signed char a;
int main(void) { printf("%d\n", (a = 255)); }
END
changes zero-store 0 1 <<'END'
#include <stdio.h>
char a = 1;
__attribute__((noipa)) void clear(void) { a = 0; }
int main(void) { clear(); printf("%d\n", a); }
END
changes or-adds 3 6 <<'END'
#include <stdio.h>
__attribute__((noipa)) int both(int a, int b) { return a | b; }
int main(void) { printf("%d\n", both(3, 3)); }
END
changes less-branch 1 2 <<'END'
#include <stdio.h>
__attribute__((noipa)) void say(int a) { printf("%d\n", a); }
__attribute__((noipa)) void less(int a, int b) { if (a < b) say(1); else say(2); }
int main(void) { less(-1, 1); }
END

refuses_nonsense
tap_done
