/* undecided */
static int __attribute__((nonnull(1))) get(int *p) { return 3; }
int main(void) { return get(0); }
