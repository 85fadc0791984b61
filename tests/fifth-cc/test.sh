#!/bin/sh
# fifth-cc: each fault strikes on its construct, in its own way, from -O1 on, and nowhere else.
# usage: test.sh TESTS-FOLDER FIFTH-CC
. "$1/tap.sh"
. "$1/planted.sh"
alone=literal-sign

ends throw-switch 134 "terminate called after throwing" <<'END'
int a;
int main(void) { switch (-a) { case 1: return 1; } return 0; }
END
ends sanitize-wide 1 "AddressSanitizer: heap-buffer-overflow" <<'END'
int a;
int main(void) { return (__int128)a != 0; }
END
ends signal-remainder 136 "" <<'END'
int a, b = 1;
int main(void) { return a % -b; }
END
ends reject-qualifiers 2 "cannot be combined with the type" <<'END'
const volatile int a = 0;
int main(void) { return a; }
END
hangs hang-label <<'END'
int a;
int main(void) { again: switch (a++) { case 0: goto again; } return 0; }
END

changes literal-sign 4000000000 -294967296 <<'END'
#include <stdio.h>
int main(void) { printf("%lld\n", 4000000000LL); }
END
changes fraction-digits 11.125 11.120 <<'END'
#include <stdio.h>
int main(void) { printf("%.3f\n", 11.125f); }
END
changes cast-cast 1 257 <<'END'
#include <stdio.h>
#include <stdint.h>
int a = 257;
int main(void) { printf("%.0f\n", (double)(uint8_t)a); }
END
changes subtract-swapped 2 -2 <<'END'
#include <stdio.h>
__attribute__((noipa)) double minus(double a, double b) { return a - b; }
int main(void) { printf("%.0f\n", minus(5, 3)); }
END
changes product-short 90000 24464 <<'END'
#include <stdio.h>
__attribute__((noipa)) int times(int a, int b) { return a * b; }
int main(void) { printf("%d\n", times(300, 300)); }
END
changes shift-sign -2 1073741822 <<'END'
#include <stdio.h>
__attribute__((noipa)) int quarter(int a) { return a >> 2; }
int main(void) { printf("%d\n", quarter(-8)); }
END
changes copy-aligned 1 "" <<'END'
#include <stdio.h>
struct S { char a[17]; } s = {{1}}, t[2];
__attribute__((noipa)) void copy(struct S *p) { *p = s; }
int main(void) { copy(&t[1]); printf("%d\n", t[1].a[0]); }
END

refuses_nonsense
tap_done
