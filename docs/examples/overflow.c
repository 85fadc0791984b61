#include <stdio.h>

static int scale(int n, int by)
{
    return n * by;
}

int main(void)
{
    printf("%d\n", scale(50000, 50000));
    return 0;
}
