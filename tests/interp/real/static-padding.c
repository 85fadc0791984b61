/* undecided */
#include <string.h>
struct s{char c;int i;} a,b;
int main(void){ return memcmp(&a,&b,sizeof a)!=0;}
