/* undefined: uninitialised */
int main(int argc, char **argv) { int x; if (argc > 5) x = 1; return x; }
