/* undecided */
int main(void) { union { int i; char c; } u; u.c = 1; return u.i; }
