/* undecided */
#include <stdlib.h>
#include <stdio.h>
int gl;
int f(void){printf("%d\n",gl);exit(1);}
int h(int a,int b){return a+b;}
int main(void){ return h(f(),gl=4);}
