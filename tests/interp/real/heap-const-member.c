/* defined: main returned 0 */
#include <stdlib.h>
struct s{const int a;int b;};
int main(void){ struct s*p=malloc(sizeof*p); p->b=1; return p->b-1;}
