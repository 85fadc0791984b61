/* undecided */
#include <stdio.h>
int main(void) { int x = 0; return sscanf("0xg", "%x", &x); }
