/* undefined: dangling-pointer */
static char *f(void) { char *p = __builtin_alloca(4); *p = 1; return p; }
int main(void) { return *f(); }
