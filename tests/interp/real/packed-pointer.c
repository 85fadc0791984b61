/* undefined: misaligned */
struct __attribute__((packed)) s { char c; int i; };
int main(void) { struct s s = {0, 0}; int *p = &s.i; return *p; }
