/* defined: main returned 0 */
struct s { int a[3]; double d; }; static struct s f(struct s s) { s.a[1] = 9; return s; }
int main(void) { struct s x = {{1, 2, 3}, 4}, y; y = f(x); return x.a[1] == 2 && y.a[1] == 9 && f(y).d == 4 && f(y).a[2] == 3 ? 0 : 1; }
