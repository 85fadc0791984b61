/* undefined: float-conversion */
int main(void) { long double x = 1e30L; return (int)x; }
