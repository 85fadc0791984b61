/* undecided */
#include <stdlib.h>
#include <stdio.h>
int f(void){exit(1);} int g(void){puts("g");return 1;}
int h(int a,int b){return a+b;}
int main(void){ return h(f(),g());}
