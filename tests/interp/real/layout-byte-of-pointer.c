/* undecided */
int x;
int main(void) { int *p = &x; return ((unsigned char *)&p)[4] != 0; }
