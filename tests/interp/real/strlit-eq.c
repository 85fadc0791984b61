/* undecided */
#include <string.h>
int main(void){ const char*a="abc",*b="abc"; return a==b;}
