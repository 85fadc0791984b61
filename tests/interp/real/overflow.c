/* undefined: signed-overflow */
int main(void) { int i = 2147483647; return i + 1 > i; }
