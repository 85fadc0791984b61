/* defined: main returned 7 */
int remove(int n) { return n + 1; }
int fseek(void) { return 3; }
int main(void) { return remove(3) + fseek(); }
