/* defined: main returned 0 */
struct s { int a, b[4], c; } s = {.c = 3, .b = {[2] = 5, 6}}, t[3] = {[1].b[1] = 4, [2] = {1}};
int main(void) { return s.a == 0 && s.b[2] == 5 && s.b[3] == 6 && s.c == 3 && t[1].b[1] == 4 && t[2].a == 1 ? 0 : 1; }
