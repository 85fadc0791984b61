/* undefined: call-type */
static int f(float x) { return (int)x; }
int main(void) { int (*p)() = (int (*)())f; return p(1.0f); }
