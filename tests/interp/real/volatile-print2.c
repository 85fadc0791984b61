/* defined: main returned 0 */
#include <stdio.h>
volatile int v=1;
int main(void){ printf("%d %d\n",v,printf("x\n")); return 0;}
