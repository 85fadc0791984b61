/* undecided */
#include <stdio.h>
union u { struct { int n; int a[]; } f; int b[4]; };
int main(void) { union u v = {.b = {0, 2, 3, 4}}; v.f.a[0] = 7; printf("%d\n", v.b[1]); return 0; }
