/* undecided */
/* It does not link, at least without optimisation. */
extern int nowhere(int);
int main(int argc, char **argv) { return argc > 5 ? nowhere(1) : 0; }
