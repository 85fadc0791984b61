/* defined: main returned 2 */
static int __attribute__((nonnull)) get(int *p) { return *p; }
int main(void) { int x = 2; return get(&x); }
