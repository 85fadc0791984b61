/* defined: main returned 0 */
#include <string.h>
struct s { int a; short b[3]; char *p; double d; } s = {1, {2, 3, 4}, 0, 5};
int main(void) { memset(&s, 0, sizeof s); return s.a || s.b[2] || s.p || s.d; }
