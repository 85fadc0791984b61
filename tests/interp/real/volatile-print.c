/* defined: main returned 4 */
#include <stdio.h>
volatile int v=1;
int main(void){ int r=v+printf("hi\n"); return r;}
