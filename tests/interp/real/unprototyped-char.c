/* undefined: call-type */
static int f(char c) { return c; }
int main(void) { int (*p)() = (int (*)())f; return p('a'); }
