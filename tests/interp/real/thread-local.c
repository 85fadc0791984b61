/* defined: main returned 3 */
static _Thread_local int x = 1;
__thread int y;
static int f(void) { static __thread int n = 1; return n++; }
int main(void) { f(); return x + y + f(); }
