/* undecided */
int main(void) { int x = 0, y = 0; return &x + 1 == &y; }
