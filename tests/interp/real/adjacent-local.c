/* undecided */
int main(void) { int x, y; return &x + 1 == &y; }
