/* defined: main returned 0 */
#include <float.h>
#include <stdio.h>
int main(void) { printf("%Lg %Lg %Lg\n", LDBL_MAX, LDBL_MIN, LDBL_EPSILON); return 0; }
