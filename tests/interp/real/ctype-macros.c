/* defined: main returned 0 */
#include <ctype.h>
#include <stdio.h>
int main(void)
{
  int n[12] = {0}, c;
  for (c = -1; c < 256; c++) {
    n[0] += !!isdigit(c); n[1] += !!isalpha(c); n[2] += !!isspace(c); n[3] += !!isxdigit(c);
    n[4] += !!ispunct(c); n[5] += !!iscntrl(c); n[6] += !!isgraph(c); n[7] += !!isblank(c);
    n[8] += !!(isupper)(c); n[9] += (toupper)(c) != c; n[10] += tolower(c) != c; n[11] += !!isalnum(c);
  }
  for (c = 0; c < 12; c++)
    printf("%d ", n[c]);
  printf("%c%c\n", toupper('x'), tolower('Y'));
  return 0;
}
