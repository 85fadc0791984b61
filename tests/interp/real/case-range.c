/* defined: main returned 0 */
static int f(int c) { switch (c) { case 'a' ... 'z': return 1; case -5 ... -1: return 2; default: return 3; } }
int main(void) { return f('q') == 1 && f(-3) == 2 && f(7) == 3 ? 0 : 1; }
