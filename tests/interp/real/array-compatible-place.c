/* defined: main returned 0 */
struct s { char (*p)[]; }; 
int main(void) { static char a[15]; struct s s = {&a}; char (*q)[15]; q = s.p; char (*r)[15] = *(char (**)[15])&s.p; return (*q)[0] + (q != r); }
