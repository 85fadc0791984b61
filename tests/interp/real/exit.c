/* defined: it exited with 3 */
#include <stdlib.h>
static void f(int n) { if (!n) exit(3); f(n - 1); }
int main(void) { f(50); return 0; }
