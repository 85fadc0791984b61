/* defined: main returned 0 */
int main(void){ int x=0,y=0; char*p=(char*)&x,*q=(char*)&y; for(int i=0;i<4;i++) *p++ = *q++ = i; return x!=y;}
