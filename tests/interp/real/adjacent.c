/* undecided */
#include <stdio.h>
int main(void){ int a[4],b[4]; a[0]=b[0]=0; printf("%d %d\n",(char*)(a+4)==(char*)b,(char*)(b+4)==(char*)a); return 0;}
