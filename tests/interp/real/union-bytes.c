/* defined: main returned 0 */
union u { unsigned i; unsigned char c[4]; } u;
int main(void) { u.i = 0x01020304; u.c[1] = 9; return u.i == 0x01020904 && u.c[0] == 4 ? 0 : 1; }
