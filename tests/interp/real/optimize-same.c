/* defined: main returned 5 */
#ifdef __OPTIMIZE__
static int f(void) { return 2 + 3; }
#else
static int f(void) { return 5; }
#endif
int main(void) { return f(); }
