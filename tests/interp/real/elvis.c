/* defined: main returned 0 */
int calls; int f(void) { calls++; return 4; }
int main(void) { return (f() ?: 9) == 4 && calls == 1 && (0 ?: 3) == 3 ? 0 : 1; }
