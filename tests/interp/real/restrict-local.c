/* undecided */
int main(void) { int x = 1; int *restrict p = &x; *p = 2; return x; }
