/* undecided */
#include <stdio.h>
union u { struct { int n; int a[]; } f; struct { int n, m; } b; };
static union u v = {.b = {0, 2}};
int main(void) { union u *p = &v; p->f.a[0] = 7; printf("%d %d\n", v.b.m, p->f.a[0]); return 0; }
