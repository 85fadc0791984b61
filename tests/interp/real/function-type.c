/* undefined: call-type */
static int f(int a) { return a; }
int main(void) { return ((int (*)(long))f)(1L); }
