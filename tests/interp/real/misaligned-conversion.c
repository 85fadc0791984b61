/* undefined: misaligned */
int main(void) { char b[8] = {0}; _Alignas(4) char c[8] = {0}; int *p = (int *)(c + 1); (void)b; return p == 0; }
