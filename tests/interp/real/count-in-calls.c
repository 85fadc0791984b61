/* defined: main returned 2 */
static int count;
static int f(void) { count++; return 1; }
int main(void) { int x = f() + f(); return x + count - 2; }
