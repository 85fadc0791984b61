/* undefined: effective-type */
union u { int i; float f; } u;
int main(void) { int *p = &u.i; u.f = 1.0f; return *p == 0; }
