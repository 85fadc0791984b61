/* undecided */
#include <math.h>
int main(void) { return powf(3, 30) == 205891132094649.0f; }
