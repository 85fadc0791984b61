/* undecided */
#include <stdlib.h>
static void first(void) { exit(1); }
int main(void) { atexit(first); return 0; }
