/* defined: main returned 0 */
#include <stdio.h>
struct s{int a;char c;} arr[2];
int main(void){ printf("%d %d\n",(int)((char*)&arr[2]-(char*)arr),(int)((char*)(arr+2)-(char*)(arr+1)));
 int n=0; for(char*p=(char*)arr;p!=(char*)(arr+2);p++)n++; printf("%d\n",n); return 0;}
