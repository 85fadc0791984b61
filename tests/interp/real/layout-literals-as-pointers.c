/* undecided */
int main(void) { const char *p = "xabc", *q = "abc"; return p + 1 == q; }
