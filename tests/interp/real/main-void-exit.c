/* defined: it exited with 3 */
void exit(int);
void main(void) { exit(3); }
