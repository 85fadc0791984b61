/* undefined: out-of-bounds */
#include <stdio.h>
int main(void) { char s[4]; sscanf("four", "%s", s); return 0; }
