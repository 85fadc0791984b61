/* undefined: shift-count */
int main(void) { int i = 32; return 1 << i; }
