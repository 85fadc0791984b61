/* undefined: uninitialised */
struct s { int a, b; }; int main(void) { struct s x, y; x.a = 1; y = x; return y.b; }
