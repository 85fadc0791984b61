/* undefined: dangling-access */
#include <stdlib.h>
int f(int*p){free(p);return 1;}
int main(void){int*p=malloc(8);*p=2;*p=f(p);return 0;}
