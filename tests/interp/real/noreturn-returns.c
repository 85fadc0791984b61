/* undecided */
__attribute__((noreturn)) static void f(int a) { if (a) __builtin_abort(); }
int main(void) { f(0); return 0; }
