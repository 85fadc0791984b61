#include <stdio.h>

struct packet {
    unsigned kind : 3;
    int length;
};

static int padding = 5;

static int scale(int x)
{
    int y = x * 3;
    return y << 2;
}

static int other(int x)
{
    return x + padding;
}

int main(void)
{
    struct packet p = {2, 7};
    int sum = 0;
    for (int i = 0; i < 4; i++)
        sum += scale(i) + other(i) * p.length;
    printf("sum = %d\n", sum);
    return 0;
}
