/* defined: main returned 0 */
typedef int v4 __attribute__((vector_size(16)));
int main(void) { v4 a = {1, 2, 3, 4}, b = a * a + a; int *p = (int *)&b; return b[3] == 20 && p[2] == 12 ? 0 : 1; }
