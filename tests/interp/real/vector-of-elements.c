/* defined: main returned 0 */
typedef float v4 __attribute__((vector_size(16)));
_Alignas(16) float b[8] = {1, 2, 3, 4, 5, 6, 7, 8};
int main(void) { v4 *p = (v4 *)b, x = p[0] + p[1]; ((v4 *)b)[1] = x; return x[2] == 10 && b[7] == 12 ? 0 : 1; }
