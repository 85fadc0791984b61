/* defined: main returned 0 */
int main(void) { int x = 5; unsigned long n = (unsigned long)&x; int *p = (int *)n; return *p == 5 ? 0 : 1; }
