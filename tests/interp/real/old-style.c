/* defined: main returned 0 */
int f(a, b, c) char a; float b; short c; { return a + (int)b + c; }
int main() { return f(300, 2.5, 65537) == 44 + 2 + 1 ? 0 : 1; }
