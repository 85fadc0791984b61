/* defined: main returned 7 */
struct s { int a; volatile int v; };
union u { volatile int v; char c[4]; };
static volatile unsigned char g[2];
int main(void)
{
    volatile int x = 0x01010101;
    struct s s = {1, 2};
    union u u = {1};
    *(volatile char *)&x = 3;
    g[1] = 1;
    return *(volatile char *)&x + ((char *)&s)[0] + ((unsigned char *)&s)[1] + u.c[0] + *((char *)&u) + *(g + 1);
}
