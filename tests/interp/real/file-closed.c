/* undefined: dangling-pointer */
#include <stdio.h>
int main(void) { FILE *f = tmpfile(); fclose(f); fputc('a', f); return 0; }
