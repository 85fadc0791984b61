/* undecided */
static int f(int c) { return c < 100 ? (int)(1.0i + c) : c; }
int main(void) { return f(0); }
