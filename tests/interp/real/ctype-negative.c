/* undefined: pointer-arithmetic */
#include <ctype.h>
int main(void) { char c = '\200'; return isdigit(c) != 0; }
