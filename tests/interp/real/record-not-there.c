/* undefined: effective-type */
struct a { int x; } a; struct b { int x; };
int main(void) { a.x = 1; ((struct b *)&a)->x = 2; return a.x; }
