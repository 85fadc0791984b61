/* undefined: division-by-zero */
int z; int main(void) { return 1 / z; }
