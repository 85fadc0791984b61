/* defined: main returned 0 */
static int f(void) { static int n = 5; return n++; }
int main(void) { f(); f(); return f() == 7 ? 0 : 1; }
