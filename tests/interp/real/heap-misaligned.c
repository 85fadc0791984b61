/* undefined: misaligned */
#include <stdlib.h>
int main(void){ char*p=malloc(16); int*q=(int*)(p+1); *q=5; return *q-5;}
