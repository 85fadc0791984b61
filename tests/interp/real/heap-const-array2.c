/* defined: main returned 0 */
#include <stdlib.h>
int main(void){ void *m=calloc(4,4); const int (*p)[4]=m; return (*p)[1];}
