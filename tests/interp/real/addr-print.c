/* undecided */
#include <stdio.h>
int x;
int main(void){ printf("%lx\n",(unsigned long)&x); return 0;}
