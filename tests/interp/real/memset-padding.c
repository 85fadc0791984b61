/* undecided */
#include <string.h>
struct s{char c;int i;} a,b;
int main(void){ struct s x,y; memset(&x,1,sizeof x); memset(&y,1,sizeof y); return memcmp(&x,&y,sizeof x)!=0;}
