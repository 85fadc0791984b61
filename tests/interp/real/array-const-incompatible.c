/* undefined: call-type */
static int f(const char (*p)[]) { return p == 0; }
int main(void) { char a[15] = {0}; int (*h)(char (*)[15]) = (int (*)(char (*)[15]))f; return h(&a); }
