/* defined: main returned 0 */
int main(void) { union { float f; unsigned i; } u; u.f = 1.0f; return u.i == 0x3f800000 ? 0 : 1; }
