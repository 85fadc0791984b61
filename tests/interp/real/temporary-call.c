/* undefined: temporary-write */
struct s { int a[2]; };
static struct s f(void) { struct s s = {{1, 2}}; return s; }
int main(void) { f().a[0] = 3; return 0; }
