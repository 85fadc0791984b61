/* defined: main returned 1 */
int main(void){ _Bool b=(void*)8; return b;}
