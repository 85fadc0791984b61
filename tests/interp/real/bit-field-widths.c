/* defined: main returned 0 */
struct s { signed a : 3; unsigned long long b : 40; _Bool c : 1; } s;
int main(void) { s.a = 5; s.b = 1ull << 39; s.c = 2; unsigned long long b = s.b; return s.a == -3 && b >> 39 == 1 && s.c == 1 ? 0 : 1; }
