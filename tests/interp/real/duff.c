/* defined: main returned 0 */
int main(void) { int n = 7, i = (n + 3) / 4, s = 0;
  switch (n % 4) { case 0: do { s++; case 3: s++; case 2: s++; case 1: s++; } while (--i > 0); }
  return s == 7 ? 0 : 1; }
