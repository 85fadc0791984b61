/* undefined: unsequenced */
static int count;
int main(void) { return (count++, 1) + (count++, 1) - 2; }
