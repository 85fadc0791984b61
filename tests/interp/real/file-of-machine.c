/* undecided */
#include <stdio.h>
int main(void) { return fopen("/etc/passwd", "r") == NULL; }
