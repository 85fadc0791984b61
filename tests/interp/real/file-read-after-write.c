/* undecided */
#include <stdio.h>
int main(void) { FILE *f = tmpfile(); fputc('a', f); return fgetc(f); }
