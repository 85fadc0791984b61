/* undecided */
static void *p;
static int f(int n) { if (n) goto *p; p = &&l; return 0; l: return 1; }
static int g(void) { if (p) goto *p; l: return 2; p = &&l; }
int main(void) { f(0); return g(); }
