/* defined: main returned 0 */
static int f(int a) { if (a) return 1; }
int main(void) { f(0); return 0; }
