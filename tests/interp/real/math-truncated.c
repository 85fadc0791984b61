/* undecided */
/* 1000 or 999. */
#include <math.h>
int main(void) { int n = (int)(exp(log(1000))); return n == 1000; }
