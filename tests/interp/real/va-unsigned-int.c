/* undefined: call-type */
#include <stdarg.h>
#include <stdio.h>
int f(int n,...){va_list a;va_start(a,n);int r=va_arg(a,int);va_end(a);return r<0;}
int main(void){ printf("%d\n",f(1,0x80000000u)); return 0;}
