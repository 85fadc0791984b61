/* undecided */
#include "alone.h"
static int f(int *ALONE a, int *ALONE b) { *a = 1; *b = 2; return *a; }
int main(void) { int x; return f(&x, &x); }
