/* undecided */
int g; __attribute__((pure, noinline)) static int f(void) { return ++g; }
int main(void) { return f() + f(); }
