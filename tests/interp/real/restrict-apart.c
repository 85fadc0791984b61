/* defined: main returned 0 */
int printf(const char *, ...);
void *memcpy(void *restrict, const void *restrict, unsigned long);
int total;
static void add(int n, int *restrict to, const int *restrict a, const int *restrict b)
{
  const int *end = a + n;
  while (a < end) *to++ = *a++ + *b++;
}
static int sum(int n, const int *restrict a) { int s = 0; for (int i = 0; i < n; i++) { s += a[i]; total++; } return s; }
static void copy(char *restrict to, const char *restrict from, int n) { char *at = to; memcpy(at, from, n); at[n] = 0; }
static int twice(const int *restrict a, const int *restrict b) { return *a + *b; }
int main(void)
{
  int x[3] = {1, 2, 3}, y[3] = {4, 5, 6}, z[3]; char s[8];
  add(3, z, x, y); copy(s, "abc", 3);
  printf("%d %d %d %d %s %d\n", z[0], z[1], z[2], sum(3, z), s, twice(x, x));
  add(3, z, x, x);
  return z[2] - 6;
}
