/* undecided */
#include <stdio.h>
char c[64];
int main(void){ printf("%d\n",(int)((unsigned long)&c[3]&63)); return 0;}
