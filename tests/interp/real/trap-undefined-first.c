/* undefined: division-by-zero */
int main(int argc, char **argv) { int x = 1 / (argc - 1); return (int)(x * 1.0i); }
