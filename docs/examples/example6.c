int a, b;
int f(void)
{
    a = 1;
    {
        int c, d;
        c = d;
    }
    return a + b;
}
