/* undefined: volatile-access */
struct s { int a; volatile int v; };
int main(void)
{
    struct s s = {1, 2};
    ((char *)&s)[5] = 3;
    return 0;
}
