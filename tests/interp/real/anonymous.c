/* defined: main returned 0 */
struct s { int a; union { int b; struct { short c, d; }; }; } s;
int main(void) { s.b = 0x00020001; return s.c == 1 && s.d == 2 ? 0 : 1; }
