/* defined: main returned 0 */
int main(void) { int i = -1; unsigned *p = (unsigned *)&i; return *p == 0xffffffffu ? 0 : 1; }
