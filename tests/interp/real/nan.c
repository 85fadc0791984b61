/* defined: main returned 0 */
#include <stdio.h>
int main(void){ volatile double z=0; double n=z/z; printf("%d%d%d%d%d\n",n==n,n!=n,n<1,n>1,!n); double m=-z; printf("%g %g %d\n",m,1/m,m==z); printf("%g %g\n",1/z,-1/z); float f=1e38f; f*=10; printf("%g\n",f); return 0;}
