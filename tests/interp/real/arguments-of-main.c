/* defined: main returned 0 */
int main(int argc, char **argv) { return argc == 1 && argv[0] && !argv[1] ? 0 : 1; }
