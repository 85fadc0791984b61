/* undefined: call-type */
int printf(const char *, ...);
int main(void) { printf("%Lf\n", 1.0); return 0; }
