/* undecided */
static int f(void) { static int x = (int)(2 * 1.0i); return x; }
int main(void) { return f(); }
