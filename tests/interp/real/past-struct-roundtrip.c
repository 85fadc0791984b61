/* defined: main returned 0 */
#include <stdio.h>
struct s{long l;char c;} arr[3];
int main(void){ void*e=&arr[3]; struct s*p; int n=0; for(p=arr;(void*)p!=e;p++)n++; struct s*q=e; printf("%d %d %d\n",n,(int)(q-arr), q==arr+3); return 0;}
