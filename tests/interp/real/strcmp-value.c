/* undecided */
#include <string.h>
int main(void) { return strcmp("b", "a"); }
