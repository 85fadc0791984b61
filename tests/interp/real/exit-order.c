/* undecided */
#include <stdlib.h>
int f(void){exit(1);} int g(void){exit(2);}
int h(int a,int b){return a+b;}
int main(void){ return h(f(),g());}
