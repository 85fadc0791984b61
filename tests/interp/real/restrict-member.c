/* undecided */
struct s { int *restrict p, *restrict q; };
int main(void) { int x = 1; struct s s = {&x, &x}; *s.p = 2; *s.q = 3; return *s.p; }
