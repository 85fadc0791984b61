/* undefined: unsequenced */
#include <stdio.h>
int main(void){ union{float f;int i;}u; u.f=1; int x=(int)u.f+(u.i=5); printf("%d\n",x); return 0;}
