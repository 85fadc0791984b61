/* undecided */
int x;
__attribute__((constructor)) static void f(void) { x = 1; }
int main(void) { return x; }
