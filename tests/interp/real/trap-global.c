/* defined: main returned 3 */
_Complex double z = 1.0;
struct list { struct list *next; _Complex double *z; } l;
int main(void) { return l.next ? (int)*l.z : 3; }
