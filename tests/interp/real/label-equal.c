/* undecided */
int main(void) { void *p = &&a, *q = &&b; goto *p; a: b: return p == q; }
