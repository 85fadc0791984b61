/* undefined: call-type */
int f(a, b) int a, b; { return a; }
int main() { return f(1); }
