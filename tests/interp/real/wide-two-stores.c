/* defined: main returned 0 */
int main(void){ int x; char*p=(char*)&x; p[0]=p[1]=p[2]=p[3]=1; return x!=0x01010101;}
