/* defined: main returned 0 */
#include <stdio.h>
union u{int i;char c;} arr[2];
int main(void){ printf("%d\n",(int)((char*)&arr[2]-(char*)arr)); union u*e=arr+2; printf("%d\n", (int)(e-arr)); char*q=(char*)e; union u*b=(union u*)q; printf("%d %d\n", b==e,(int)(b-arr)); return 0;}
