/* defined: main returned 0 */
#include <stdlib.h>
#include <string.h>
struct s{const int a;int b;};
int main(void){ struct s i={1,2}; struct s*p=malloc(sizeof*p); memcpy(p,&i,sizeof i); return p->a-1;}
