/* undecided */
#include <stdio.h>
int main(void) { char s[9] = ""; return sscanf("a5", "%8[z-a]", s); }
