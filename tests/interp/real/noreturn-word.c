/* undecided */
#include <stdnoreturn.h>
static noreturn void f(void) { }
int main(void) { f(); return 0; }
