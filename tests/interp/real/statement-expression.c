/* defined: main returned 0 */
#define MAX(a, b) ({ __typeof__(a) x = (a), y = (b); x > y ? x : y; })
int main(void) { int i = 1; int m = MAX(i++, 5); return m == 5 && i == 2 && MAX(3, MAX(9, 4)) == 9 ? 0 : 1; }
