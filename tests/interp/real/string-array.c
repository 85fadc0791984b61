/* defined: main returned 0 */
int main(void) { char s[] = "abc"; s[0] = 'x'; return s[0] == 'x' && s[3] == 0 && sizeof s == 4 ? 0 : 1; }
