/* undecided */
#include <stdio.h>
int main(void) { char name[L_tmpnam]; puts(tmpnam(name)); return 0; }
