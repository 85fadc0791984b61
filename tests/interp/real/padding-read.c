/* undecided */
struct s { char c; int i; };
int main(void) { struct s a = {1, 2}; a.c = 3; return ((char *)&a)[1]; }
