/* undecided */
int main(void) { void *p = &&a; int n = ({ int i = 1; a: i; }); if (n == 1) goto *p; return n; }
