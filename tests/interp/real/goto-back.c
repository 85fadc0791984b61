/* defined: main returned 0 */
int main(void) { int i = 0, s = 0; again: s += i; if (++i < 5) goto again; { int k; for (k = 0; ; k++) if (k == 3) goto out; } out: return s == 10 ? 0 : 1; }
