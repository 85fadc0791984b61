/* undefined: call-type */
static int f(short c) { return c; }
int main(void) { int (*p)() = (int (*)())f; return p(1); }
