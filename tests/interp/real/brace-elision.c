/* defined: main returned 0 */
struct p { int x, y; } a[2] = {1, 2, 3, 4}; int m[2][2] = {1, 2, 3}; char n[2][3] = {"ab", {"c"}};
int main(void) { return a[1].y == 4 && m[1][0] == 3 && m[1][1] == 0 && n[1][0] == 'c' ? 0 : 1; }
