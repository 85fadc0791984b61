/* undecided */
/* 0 by 7.21.6.2p16, EOF in glibc. */
#include <stdio.h>
int main(void) { int x = 0; return sscanf("5", "%*d%d", &x); }
