/* defined: main returned 0 */
#include <stdio.h>
#include <string.h>
int main(void) { char b[40]; int n = sprintf(b, "%d %s %c %5.2f %#x %ld", -3, "ab", 'c', 1.5, 255, 7L); return n == 22 && !strcmp(b, "-3 ab c  1.50 0xff 7") ? 1 : n == 20 ? 0 : 2; }
