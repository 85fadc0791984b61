/* defined: main returned 0 */
union u { struct { unsigned a : 3, b : 5; unsigned char c; short d; } s; unsigned i; } u;
int main(void) { u.i = 0; u.s.a = 5; u.s.b = 3; u.s.c = 7; u.s.d = -1; return u.i == 0xffff071d ? 0 : 1; }
