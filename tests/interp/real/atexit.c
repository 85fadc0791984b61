/* defined: it exited with 3 */
#include <stdio.h>
#include <stdlib.h>
static int *seen;
static void third(void) { puts("third"); }
static void first(void) { printf("first %d\n", *seen); atexit(third); }
static void last(void) { puts("last"); }
int main(void) { int x = 4; seen = &x; atexit(last); atexit(first); exit(3); }
