/* undecided */
#include <stdio.h>
#include <stdint.h>
int a[4],b[4];
int main(void){ printf("%d %d\n",(uintptr_t)a<(uintptr_t)b,(uintptr_t)b==(uintptr_t)(a+4)); return 0;}
