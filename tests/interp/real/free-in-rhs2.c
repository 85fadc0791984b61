/* undefined: indeterminately-sequenced */
#include <stdlib.h>
struct s{struct s*n;int a[4];};
int f(struct s*p){free(p);return 1;}
int main(void){struct s*p=malloc(sizeof*p);p->a[2]=1;p->a[2]+=f(p);return 0;}
