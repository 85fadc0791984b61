#define NEXT(x) ((x) + step)

static int step = 2;

int f(int a, int *p)
{
    int b;
    b = NEXT(a);
    return b + *p;
}

int g(void)
{
    int c = step;
    return c;
}
