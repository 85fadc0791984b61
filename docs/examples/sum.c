#include <stdlib.h>

static int sum;

int main(void)
{
    int n = 3, last;
    while (n) {
        last = n;
        sum += last;
        n--;
    }
    if (sum != 6)
        abort();
    return 0;
}
