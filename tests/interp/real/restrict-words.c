/* defined: main returned 0 */
extern int snprintf(char *__restrict s, unsigned long n, const char *__restrict format, ...);
extern int puts(const char *);
/* Nothing that may_alias is in need of restrict or [static, nor is a _Noreturn. */
int static_index, a[2];
int main(void) { char b[20]; snprintf(b, 20, "restrict %d", a[static_index]); puts(b); return 0; }
