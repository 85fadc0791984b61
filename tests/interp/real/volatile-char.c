/* undefined: volatile-access */
int main(void) { volatile int x = 0; return *(char *)&x; }
