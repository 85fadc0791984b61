/* defined: main returned 0 */
struct __attribute__((packed)) s { char c; int i; };
int main(void) { struct s s = {0, 0}; return *&s.i; }
