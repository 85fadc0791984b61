/* undefined: temporary-write */
struct s { int n, a[2]; } x, y;
int main(void) { return (x = y).a[0]++; }
