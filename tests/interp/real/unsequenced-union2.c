/* undefined: unsequenced */
#include <stdio.h>
union{int i;int j;}u;
int main(void){ u.j=1; u.i=u.j++; printf("%d\n",u.i); return 0;}
