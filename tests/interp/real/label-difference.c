/* undecided */
int main(void) { int n = (char *)&&b - (char *)&&a; a: n++; b: return n > 0; }
