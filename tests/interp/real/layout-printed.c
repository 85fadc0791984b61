/* undecided */
#include <stdio.h>
int x;
int main(void) { printf("%p\n", (void *)&x); return 0; }
