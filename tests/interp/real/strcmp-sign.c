/* defined: main returned 0 */
#include <string.h>
int main(void) { return strcmp("b", "a") > 0 && memcmp("a", "b", 1) < 0 ? 0 : 1; }
