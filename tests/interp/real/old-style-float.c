/* undefined: call-type */
static int f(x) float x; { return (int)x; }
int main(void) { int (*p)(float) = (int (*)(float))f; return p(1.0f); }
