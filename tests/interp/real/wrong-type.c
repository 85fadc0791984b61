/* undefined: effective-type */
int main(void) { int i = 1; return *(float *)&i == 0; }
