/* What tests/bench/constructs.py counts. */
#define safe_add_macro_int32_t_s_s(a, b) ((a) > 0 && (b) < 0 ? (a) : (a) + (b))
#define TWICE(x) ((x) + (x))

struct record {
    int bit : 3;
    const volatile int *const **deep;
};

static int data[10], by[10], cube[4][5][6];
static int (*const table[2])(int);

static int safe_div_func_int32_t_s_s(int a, int b)
{
    return b ? a / b : a;
}

static int generated(int n, int *restrict p, int rows[5], const int fixed, struct record r)
{
    for (int i = 0; i < n; i += 2) {
        data[i + 1] = by[data[i]];
        p++;
        if (*p)
            break;
        for (int j = 9; j >= 0; j--)
            if (j == n)
                return 4;
    }
    for (int i = 0, k = 9; i < 8; i++, k--)
        cube[1][i & 3][k / 2] = fixed;
    switch (n) {
    case 1:
        return safe_div_func_int32_t_s_s(r.bit, n);
    case 2 ... 5:
        break;
    }
    int lengths[n];
    while (n--)
        lengths[n] = ({
            int y = safe_add_macro_int32_t_s_s(n, 1);
            TWICE(y);
        });
    return table[n & 1](lengths[0]) + __builtin_popcount((unsigned)n) + (p - rows > 2) +
           (p == rows);
}

int main(void)
{
    for (int i = 0; i < 10; i++)
        data[i] = generated(1, data, by, 2, (struct record){0});
}
