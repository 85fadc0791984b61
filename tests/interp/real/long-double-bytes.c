/* defined: main returned 63 */
int main(void) { long double x = 1; return ((unsigned char *)&x)[9]; }
