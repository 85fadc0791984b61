/* defined: main returned 0 */
extern int later[]; int *p = &later[1]; int main(void) { return *p == 8 ? 0 : 1; } int later[] = {7, 8, 9};
