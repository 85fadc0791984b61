/* undecided */
/* glibc goes on from the end of a range. */
#include <stdio.h>
int main(void) { char s[9] = ""; return sscanf("a5", "%8[a0-1-9]", s); }
