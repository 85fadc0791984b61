/* defined: it called abort */
#include <stdlib.h>
static void first(void) { abort(); }
int main(void) { atexit(first); return 0; }
