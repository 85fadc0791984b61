/* defined: main returned 0 */
static int add(int a, int b) { return a + b; } static int sub(int a, int b) { return a - b; }
static int (*table[])(int, int) = {add, sub, &add};
int main(void) { int (*f)(int, int) = *table[1]; return f(5, 3) == 2 && (**table)(1, 2) == 3 && table[0] == table[2] ? 0 : 1; }
