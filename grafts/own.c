/* A library of functions for `assay gen graft`, made by `assay graft harvest`. */

typedef char only_lp64[sizeof(long) == 8 ? 1 : -1];
struct matrix {
    unsigned int at[2][2];
};

struct random {
    unsigned int a;
    unsigned int b;
    unsigned steps : 5;
    signed last : 11;
};

static void insertion_sort(int *a, int n);
static void shell_sort(short *a, unsigned int n);
static void order(unsigned int *a, int i, int k);
static unsigned int median_of_five(const unsigned int *from);
static int lower_bound(const unsigned char *sorted, int n, unsigned char wanted);
static void prefix_sums(unsigned int *a, int n);
static long dot(const short *a, const short *b, int n);
static unsigned int distance(const unsigned char *a, const unsigned char *b);
static void transpose(unsigned short *m);
static unsigned int fibonacci(unsigned int n);
static struct matrix product(struct matrix a, struct matrix b);
static void smooth(const unsigned char *from, unsigned char *to);
static int largest_sum(const short *a, int n);
static void move_up(long *a, int from, int n);
static unsigned int reversed(unsigned int x);
static int ones(unsigned long x);
static unsigned int gray(unsigned int x);
static unsigned int ungray(unsigned int g);
static unsigned long gathered(unsigned long x, unsigned long mask);
static unsigned int interleaved(unsigned short x, unsigned short y);
static int sign_extended(unsigned int field, int width);
static long average_down(long a, long b);
static unsigned short shift_register(unsigned short state, unsigned int steps);
static unsigned int crc32_nibbles(const unsigned char *p, unsigned int n);
static unsigned short crc16_bitwise(const unsigned char *p, int n, unsigned short crc);
static unsigned char crc8_step(unsigned char crc, unsigned char byte);
static unsigned int adler(const unsigned char *s, unsigned int n);
static unsigned long fnv(const char *text);
static unsigned int rotated(unsigned int x, int by);
static unsigned int mix_words(const unsigned int *w, int n, unsigned int seed);
static int saturated_sum(int a, int b);
static int fixed_product(int a, int b);
static int fixed_quotient(int a, int b);
static unsigned int root(unsigned long n);
static unsigned int divisor(unsigned int a, unsigned int b);
static unsigned int power_modulo(unsigned int base, unsigned int exponent, unsigned int m);
static int is_leap(int year);
static int day_of_year(int year, int month, int day);
static int collatz(unsigned int n, int most);
static int wave(int angle, int fraction);
static int clamped_blend(int a, int b, int weight);
static int place(unsigned int columns, unsigned int left, unsigned int right, int row, int n);
static int queens(int n);
static unsigned short next_generation(unsigned short cells);
static long drawn(unsigned int seed, int n);
static unsigned int draw(struct random *r);
static int best_load(const unsigned char *weights, const unsigned char *values, int room);
static unsigned int sieve(int n);
static int light(int state, int button, int ticks);
static int number_in(const char *s);
static int hex_digit(char c);
static long hex_number(const char *s);
static int nesting(const char *s);
static int words(const char *s);
static int character(const unsigned char *s);
static unsigned long variable_length(const unsigned char *p, int n);
static int run_lengths(const unsigned char *from, int n, unsigned char *to);
static void three_to_four(const unsigned char *from, char *to);
static int matches(const char *pattern, const char *s, int depth);
static int op_add(int a, int b);
static int op_mul(int a, int b);
static int op_xor(int a, int b);
static int op_min(int a, int b);
static int machine(const unsigned char *code, int n);
static int edits(const char *a, const char *b);

static const unsigned int crc_of_nibble[16] = {0x0, 0x1DB71064, 0x3B6E20C8, 0x26D930AC, 0x76DC4190,
        0x6B6B51F4, 0x4DB26158, 0x5005713C, 0xEDB88320U, 0xF00F9344U, 0xD6D6A3E8U, 0xCB61B38CU,
        0x9B64C2B0U, 0x86D3D2D4U, 0xA00AE278U, 0xBDBDF21CU};
static const short quarter_wave[17] = {0, 98, 195, 290, 383, 473, 558, 639, 714, 783, 846,
        902, 951, 992, 1023, 1046, 1060};

/* graft insertion_sort
 * a: inout 16 of -2147483648..2147483647
 * n: 0..16
 * steps: 2500
 * try: {-1 x 16}, 3 -> {-1 x 16}
 * try: {-134217728, 1584973422, -976161948, -2147483648, -268435457, -2147483648, -1, 1605631343, 2147483646 x 2, 0, 13847, 0 x 2, 1, 1221621826}, 0 -> {-134217728, 1584973422, -976161948, -2147483648, -268435457, -2147483648, -1, 1605631343, 2147483646 x 2, 0, 13847, 0 x 2, 1, 1221621826}
 * try: {-1817929312 x 16}, 0 -> {-1817929312 x 16}
 * try: {-1889406366, -1535285315, 0, -1138839594, 193, 1913416596, 2147483647, -2147483648, -776044118, -2006229490, 0, 2147483646, -1840468609, -2147483648, 0, 2147483646}, 0 -> {-1889406366, -1535285315, 0, -1138839594, 193, 1913416596, 2147483647, -2147483648, -776044118, -2006229490, 0, 2147483646, -1840468609, -2147483648, 0, 2147483646} */
static void insertion_sort(int *a, int n)
{
    {
        int i = 1;
        for (; i < n; i++) {
            int v = a[i];
            int k = i;
            for (; k > 0 && a[k - 1] > v; k--) {
                a[k] = a[k - 1];
            }
            a[k] = v;
        }
    }
}

/* graft shell_sort
 * a: inout 16 of -32768..32767
 * n: 0..16
 * steps: 2320
 * try: {-1 x 16}, 3 -> {-1 x 16}
 * try: {-32768, 18030, 29540, -32768 x 3, -1, 32111, 32766 x 2, 0, 13847, 0 x 2, 1, -1982}, 0 -> {-32768, 18030, 29540, -32768 x 3, -1, 32111, 32766 x 2, 0, 13847, 0 x 2, 1, -1982}
 * try: {6560 x 16}, 0 -> {6560 x 16}
 * try: {29282, -6211, 0, 12246, 193, -5228, 32767, -32768, 426, -8690, 0, 32766, 11647, -32768, 0, 32766}, 0 -> {29282, -6211, 0, 12246, 193, -5228, 32767, -32768, 426, -8690, 0, 32766, 11647, -32768, 0, 32766} */
static void shell_sort(short *a, unsigned int n)
{
    {
        unsigned int gap = 7;
        for (; gap > 0; gap /= 2) {
            unsigned int i = gap;
            for (; i < n; i++) {
                short v = a[i];
                unsigned int k = i;
                while (k >= gap && a[k - gap] > v) {
                    a[k] = a[k - gap];
                    k -= gap;
                }
                a[k] = v;
            }
        }
    }
}

/* graft order
 * a: inout 16 of 0..4294967295
 * i: 1..12
 * k: 1..12
 * steps: 175
 * try: {1621260080, 4294967293, 2113494967, 0, 2900168806, 4155181389, 0 x 2, 8077, 161, 63058, 0, 4294967294, 2986825657, 12645, 1}, 1, 11 -> {1621260080, 0, 2113494967, 0, 2900168806, 4155181389, 0 x 2, 8077, 161, 63058, 4294967293, 4294967294, 2986825657, 12645, 1}
 * try: {0, 3227904269, 6541, 2, 26, 1, 13, 2, 1, 3292405985, 583424181, 0 x 2, 4294967295 x 2, 2470311294}, 11, 12 -> {0, 3227904269, 6541, 2, 26, 1, 13, 2, 1, 3292405985, 583424181, 0 x 2, 4294967295 x 2, 2470311294}
 * try: {3494671174, 2021906477, 1706905105, 1998583758, 3674602837, 1, 4294967295 x 3, 4294967294, 91, 1, 65536, 0, 1, 1516041529}, 11, 2 -> {3494671174, 2021906477, 1706905105, 1998583758, 3674602837, 1, 4294967295 x 3, 4294967294, 91, 1, 65536, 0, 1, 1516041529}
 * try: {2698564828, 8, 0, 3, 4294967295, 4294967293, 0, 1206550480, 990541786, 4294967295, 2711957116, 4294967294, 0, 4098907786, 0, 4294967293}, 1, 1 -> {2698564828, 8, 0, 3, 4294967295, 4294967293, 0, 1206550480, 990541786, 4294967295, 2711957116, 4294967294, 0, 4098907786, 0, 4294967293} */
static void order(unsigned int *a, int i, int k)
{
    unsigned int low = a[i] < a[k] ? a[i] : a[k];
    unsigned int high = a[i] < a[k] ? a[k] : a[i];
    a[i] = low;
    a[k] = high;
}

/* graft median_of_five
 * from: in 16 of 0..4294967295
 * steps: 410
 * try: {1, 0, 92, 1, 16, 3624283178, 2, 1, 0, 4294967295, 2147483648, 3, 2822597904, 4294967295, 2, 1407879048} -> 1
 * try: {896, 3671483456, 14435274, 4294967293, 26, 1127242166, 209765604, 2, 0, 4294967293, 1, 958697418, 4294967293, 4294967295, 392197370, 4294967294} -> 14435274
 * try: {4126275342, 2963919329, 2204566407, 2, 0, 1, 587943321, 2461153800, 1, 0, 1, 3882734742, 4294967294 x 2, 4294967295, 4294967293} -> 2204566407
 * try: {2941076980, 0, 4294967295, 1947528583, 2481183722, 0, 2385372083, 1, 2759694462, 3694725685, 3975594167, 0, 4294967295, 1279465109, 4072341672, 4294967295} -> 2481183722 */
static unsigned int median_of_five(const unsigned int *from)
{
    unsigned int a[5];
    {
        int i = 0;
        for (; i < 5; i++) {
            a[i] = from[i];
        }
    }
    order(a, 0, 1);
    order(a, 3, 4);
    order(a, 0, 3);
    order(a, 1, 4);
    order(a, 1, 2);
    order(a, 2, 3);
    order(a, 1, 2);
    return a[2];
}

/* graft lower_bound
 * sorted: in 16 of 0..255
 * n: 0..16
 * wanted: 0..1
 * steps: 168
 * try: {57 x 16}, 2, 0 -> 0
 * try: {0 x 2, 255, 0 x 2, 1, 171, 255, 54, 1, 38, 37, 129, 56, 84, 0}, 7, 1 -> 5
 * try: {0, 32, 67, 52, 0, 255, 11, 0, 107, 0, 168, 42, 221, 255, 99, 63}, 6, 1 -> 1
 * try: {0 x 16}, 11, 1 -> 11 */
static int lower_bound(const unsigned char *sorted, int n, unsigned char wanted)
{
    int low = 0;
    int high = n;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (sorted[middle] < wanted) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* graft prefix_sums
 * a: inout 16 of 0..4294967295
 * n: 0..16
 * steps: 384
 * try: {0 x 16}, 3 -> {0 x 16}
 * try: {0, 3732457070, 1171321700, 0 x 4, 3753114991, 4294967294 x 2, 0, 13847, 0 x 2, 1, 3369105474}, 0 -> {0, 3732457070, 1171321700, 0 x 4, 3753114991, 4294967294 x 2, 0, 13847, 0 x 2, 1, 3369105474}
 * try: {329554336 x 16}, 0 -> {329554336 x 16}
 * try: {258077282, 612198333, 0, 1008644054, 193, 4060900244, 4294967295, 0, 1371439530, 141254158, 0, 4294967294, 307015039, 0 x 2, 4294967294}, 0 -> {258077282, 612198333, 0, 1008644054, 193, 4060900244, 4294967295, 0, 1371439530, 141254158, 0, 4294967294, 307015039, 0 x 2, 4294967294} */
static void prefix_sums(unsigned int *a, int n)
{
    {
        int i = 1;
        for (; i < n; i++) {
            a[i] += a[i - 1];
        }
    }
}

/* graft dot
 * a: in 16 of -32768..32767
 * b: in 16 of -32768..32767
 * n: 0..16
 * steps: 364
 * try: {3171 x 16}, {-1, -32767, 32765, 13526, 32767, 32679, 3842, -32768, 32765, 14634, -24138, 1578, -32767, -2442, 8854, 32766}, 16 -> 257780103
 * try: {705, 24499, 29106, -30845, -4985, 0, -26041, 23395, 18101, 1, 0, 32767, 32766, -9549, -14197, 32767}, {-4585, -32767, 16207, -1, -31731, -27064, -2646, -32767, 20858, 32765, 1, 32766, 2954, 32766 x 2, -30394}, 16 -> -1099703740
 * try: {32767, 32765, 32767, 1, -8117, 32766, 63, -32768, 32766, -1, 32767, 223, 448, 15614, 25042, 32767}, {0, 25936, 1, -2, -926, -1023, 32765, 26812, 2515, 9583, 32765, -1, -8920, -13653, 32767, -1}, 16 -> 1706662892
 * try: {1 x 2, -32767 x 2, -18331, -32767, -32766, 24749, -17476, -7150, 32767, 114, -1893, -15817, 32767, -32766}, {21587, 32765, 5597, 26090, -1, -18962, -24923, -9223, 11311, 2348, 0, -25807, 0, -14656, -32767, -1}, 4 -> -1038233577 */
static long dot(const short *a, const short *b, int n)
{
    long sum = 0;
    {
        int i = 0;
        for (; i < n; i++) {
            sum += (int)a[i] * b[i];
        }
    }
    return sum;
}

/* graft distance
 * a: in 16 of 0..255
 * b: in 16 of 0..255
 * steps: 522
 * try: {125, 0 x 2, 121, 108, 63, 56, 89, 54, 0, 2, 254, 1, 0, 255, 254}, {57, 2, 97, 255, 1, 62, 0, 177, 0, 1, 255, 51, 1, 255 x 3} -> 1320
 * try: {106, 1, 51, 42, 1, 2 x 2, 88, 4, 236, 255, 91, 49, 255 x 2, 0}, {46, 254, 130, 255, 136, 255, 253, 255, 1, 48, 159, 0, 52, 10, 0, 115} -> 2407
 * try: {154, 123, 0, 1, 10, 43, 125, 98, 0, 254, 0, 254, 0, 1, 0, 255}, {67, 55, 183, 255, 1, 254, 56, 1, 255, 0, 39, 68, 1, 174, 1, 121} -> 2021
 * try: {203 x 16}, {56, 52, 56, 52, 57, 53, 57, 49, 53, 52, 55, 48, 53, 57, 54, 57} -> 2387 */
static unsigned int distance(const unsigned char *a, const unsigned char *b)
{
    unsigned int sum = 0;
    {
        int i = 0;
        for (; i < 16; i++) {
            sum += a[i] > b[i] ? a[i] - b[i] : b[i] - a[i];
        }
    }
    return sum;
}

/* graft transpose
 * m: inout 16 of 0..65535
 * steps: 438
 * try: {1, 0, 92, 1, 16, 11306, 2, 1, 0, 65535 x 2, 3, 27920, 65535, 2, 34696} -> {1, 16, 0, 27920, 0, 11306, 65535 x 2, 92, 2, 65535, 2, 1 x 2, 3, 34696}
 * try: {896, 25664, 17354, 65533, 26, 22966, 50404, 2, 0, 65533, 1, 36810, 65533, 65535, 29946, 65534} -> {896, 26, 0, 65533, 25664, 22966, 65533, 65535, 17354, 50404, 1, 29946, 65533, 2, 36810, 65534}
 * try: {63246, 53729, 903, 2, 0, 1, 19865, 14856, 1, 0, 1, 54422, 65534 x 2, 65535, 65533} -> {63246, 0, 1, 65534, 53729, 1, 0, 65534, 903, 19865, 1, 65535, 2, 14856, 54422, 65533}
 * try: {17908, 0, 65535, 60807, 56298, 0, 58291, 1, 39038, 2613, 49335, 0, 65535, 5781, 168, 65535} -> {17908, 56298, 39038, 65535, 0 x 2, 2613, 5781, 65535, 58291, 49335, 168, 60807, 1, 0, 65535} */
static void transpose(unsigned short *m)
{
    {
        int row = 0;
        for (; row < 4; row++) {
            int column = row + 1;
            for (; column < 4; column++) {
                unsigned short v = m[row * 4 + column];
                m[row * 4 + column] = m[column * 4 + row];
                m[column * 4 + row] = v;
            }
        }
    }
}

/* graft fibonacci
 * n: 0..4294967295
 * steps: 13581
 * try: 0 -> 0
 * try: 2 -> 1
 * try: 4294967295 -> 1070270178
 * try: 4046350940 -> 4183405501 */
static unsigned int fibonacci(unsigned int n)
{
    struct matrix power = {{{1, 0}, {0, 1}}};
    struct matrix step = {{{1, 1}, {1, 0}}};
    for (; n; n >>= 1) {
        if (n & 1) {
            power = product(power, step);
        }
        step = product(step, step);
    }
    return power.at[0][1];
}

static struct matrix product(struct matrix a, struct matrix b)
{
    struct matrix out;
    {
        int i = 0;
        for (; i < 2; i++) {
            int k = 0;
            for (; k < 2; k++) {
                out.at[i][k] = a.at[i][0] * b.at[0][k] + a.at[i][1] * b.at[1][k];
            }
        }
    }
    return out;
}

/* graft smooth
 * from: in 16 of 0..255
 * to: inout 16 of 0..255
 * steps: 681
 * try: {125, 0 x 2, 121, 108, 63, 56, 89, 54, 0, 2, 254, 1, 0, 255, 254}, {57, 2, 97, 255, 1, 62, 0, 177, 0, 1, 255, 51, 1, 255 x 3} -> {125, 31, 30, 88, 100, 73, 66, 72, 49, 14, 65, 128, 64 x 2, 191, 254}
 * try: {106, 1, 51, 42, 1, 2 x 2, 88, 4, 236, 255, 91, 49, 255 x 2, 0}, {46, 254, 130, 255, 136, 255, 253, 255, 1, 48, 159, 0, 52, 10, 0, 115} -> {106, 40, 36, 34, 12, 2, 24, 46, 83, 183, 209, 122, 111, 204, 191, 0}
 * try: {154, 123, 0, 1, 10, 43, 125, 98, 0, 254, 0, 254, 0, 1, 0, 255}, {67, 55, 183, 255, 1, 254, 56, 1, 255, 0, 39, 68, 1, 174, 1, 121} -> {154, 100, 31, 3, 16, 55, 98, 80, 88, 127 x 3, 64, 1, 64, 255}
 * try: {203 x 16}, {56, 52, 56, 52, 57, 53, 57, 49, 53, 52, 55, 48, 53, 57, 54, 57} -> {203 x 16} */
static void smooth(const unsigned char *from, unsigned char *to)
{
    to[0] = from[0];
    to[15] = from[15];
    {
        int i = 1;
        for (; i < 15; i++) {
            to[i] = (unsigned char)((from[i - 1] + 2 * from[i] + from[i + 1] + 2) / 4);
        }
    }
}

/* graft largest_sum
 * a: in 16 of -32768..32767
 * n: 0..16
 * steps: 458
 * try: {-1 x 16}, 3 -> 0
 * try: {18957 x 16}, 1 -> 18957
 * try: {32767 x 2, -8942, -32768, -21040, 18168, 1, -32766, -32767, 32767, -32767, -16514, -1, -32768, 11375, -32768}, 6 -> 65534
 * try: {-32767, 11982, 9511, -1, 7534, 31171, 608, 15495, 32765, -32768, 0 x 2, 1, -14200, -32768, -32766}, 16 -> 109065 */
static int largest_sum(const short *a, int n)
{
    int best = 0;
    int here = 0;
    {
        int i = 0;
        for (; i < n; i++) {
            here += a[i];
            if (here < 0) {
                here = 0;
            }
            if (here > best) {
                best = here;
            }
        }
    }
    return best;
}

/* graft move_up
 * a: inout 16 of -9223372036854775808..9223372036854775807
 * from: 0..8
 * n: 0..7
 * steps: 288
 * try: {9223372036854775807, -7831009402609206025, -72057594037927935, -1, -5380474919275324737, -5700988589701133022, -2867265375967767892, -7217076793915208769, -9223372036854775806, 32769, 262143, 9223372036854775807, 6094136282703978808, 142735245783913488, 9223372036854775806, -9223372036854775807}, 8, 5 -> {9223372036854775807, -7831009402609206025, -72057594037927935, -1, -5380474919275324737, -5700988589701133022, -2867265375967767892, -7217076793915208769, -9223372036854775806 x 2, 32769, 262143, 9223372036854775807, 6094136282703978808, 9223372036854775806, -9223372036854775807}
 * try: {-9223372036854775806, -7113077375065134793, 31, 32768, -9223372036854775806, 494, 6726464739925712670, 1, 0, -4991181064056264394, 9223372036854775807, 1, -9223372036854775807 x 2, 9223372036854775807, -1261307724300195618}, 2, 0 -> {-9223372036854775806, -7113077375065134793, 31, 32768, -9223372036854775806, 494, 6726464739925712670, 1, 0, -4991181064056264394, 9223372036854775807, 1, -9223372036854775807 x 2, 9223372036854775807, -1261307724300195618}
 * try: {-1, -9223372036854775808 x 2, 7819959180584183016, 123, -2623031712719920419, -2375711329592494883, 0, -9223372036854775808 x 2, 25240, -9223372036854775806, -5732613978885029849, -9223372036854775806, 7911680149064619542, -7651731339023091859}, 7, 5 -> {-1, -9223372036854775808 x 2, 7819959180584183016, 123, -2623031712719920419, -2375711329592494883, 0 x 2, -9223372036854775808 x 2, 25240, -9223372036854775806 x 2, 7911680149064619542, -7651731339023091859}
 * try: {9223372036854775806, 3993503089552511202, 1090728325670141755, -9223372036854775806, -3718973851862497745, 1105673218394230140, 118, -9223372036854775807, -4267489215504170638, -3422989158216572672, 902312932895075073, -2303350475418766251, 9223372036854775805, -1536092811651830704, -9223372036854775807, 1}, 0, 4 -> {9223372036854775806 x 2, 3993503089552511202, 1090728325670141755, -9223372036854775806, 1105673218394230140, 118, -9223372036854775807, -4267489215504170638, -3422989158216572672, 902312932895075073, -2303350475418766251, 9223372036854775805, -1536092811651830704, -9223372036854775807, 1} */
static void move_up(long *a, int from, int n)
{
    {
        int i = n - 1;
        for (; i >= 0; i--) {
            a[from + i + 1] = a[from + i];
        }
    }
}

/* graft reversed
 * x: 0..4294967295
 * steps: 82
 * try: 0 -> 0
 * try: 2 -> 1073741824
 * try: 4294967295 -> 4294967295
 * try: 4046350940 -> 978744463 */
static unsigned int reversed(unsigned int x)
{
    x = ((x & 0x55555555) << 1) | ((x >> 1) & 0x55555555);
    x = ((x & 0x33333333) << 2) | ((x >> 2) & 0x33333333);
    x = ((x & 0xF0F0F0F) << 4) | ((x >> 4) & 0xF0F0F0F);
    x = ((x & 0xFF00FF) << 8) | ((x >> 8) & 0xFF00FF);
    return (x << 16) | (x >> 16);
}

/* graft ones
 * x: 0..18446744073709551615
 * steps: 720
 * try: 0 -> 0
 * try: 2 -> 1
 * try: 18446744073709551615 -> 64
 * try: 10613882000927255132 -> 31 */
static int ones(unsigned long x)
{
    int n = 0;
    for (; x; n++) {
        x &= x - 1;
    }
    return n;
}

/* graft gray
 * x: 0..4294967295
 * steps: 16
 * try: 0 -> 0
 * try: 2 -> 3
 * try: 4294967295 -> 2147483648
 * try: 4046350940 -> 2310627186 */
static unsigned int gray(unsigned int x)
{
    return x ^ (x >> 1);
}

/* graft ungray
 * g: 0..4294967295
 * steps: 84
 * try: 0 -> 0
 * try: 2 -> 3
 * try: 4294967295 -> 2863311530
 * try: 4046350940 -> 2714481559 */
static unsigned int ungray(unsigned int g)
{
    {
        int shift = 1;
        for (; shift < 32; shift <<= 1) {
            g ^= g >> shift;
        }
    }
    return g;
}

/* graft gathered
 * x: 0..18446744073709551615
 * mask: 0..18446744073709551615
 * steps: 1559
 * try: 26795, 18446744073709551613 -> 13397
 * try: 0, 166 -> 0
 * try: 2040361377449339061, 13467720476118394987 -> 842352489
 * try: 11661728562585217445, 18446744073709551613 -> 5830864281292608723 */
static unsigned long gathered(unsigned long x, unsigned long mask)
{
    unsigned long out = 0;
    {
        unsigned long to = 1;
        for (; mask; to <<= 1) {
            if (x & mask & -mask) {
                out |= to;
            }
            mask &= mask - 1;
        }
    }
    return out;
}

/* graft interleaved
 * x: 0..65535
 * y: 0..65535
 * steps: 472
 * try: 26795, 65533 -> 3203067623
 * try: 0, 166 -> 34856
 * try: 65535, 25330 -> 2103312221
 * try: 0, 1 -> 2 */
static unsigned int interleaved(unsigned short x, unsigned short y)
{
    unsigned int out = 0;
    {
        int i = 0;
        for (; i < 16; i++) {
            out |= ((x & (1U << i)) << i) | ((y & (1U << i)) << (i + 1));
        }
    }
    return out;
}

/* graft sign_extended
 * field: 0..4294967295
 * width: 1..31
 * steps: 36
 * try: 4008507958, 7 -> 54
 * try: 3969582439, 15 -> 1383
 * try: 1, 2 -> 1
 * try: 622993657, 31 -> 622993657 */
static int sign_extended(unsigned int field, int width)
{
    unsigned int top = 1U << (width - 1);
    field &= top * 2 - 1;
    return (int)(field ^ top) - (int)top;
}

/* graft average_down
 * a: -9223372036854775808..9223372036854775807
 * b: -9223372036854775808..9223372036854775807
 * steps: 22
 * try: 26795, 9223372036854775805 -> 4611686018427401300
 * try: -32769, 166 -> -16302
 * try: 1125899906842625, 3754709663569371890 -> 1877917781738107257
 * try: -9223372036854775808, 1 -> -4611686018427387904 */
static long average_down(long a, long b)
{
    return (a & b) + ((a ^ b) >> 1);
}

/* graft shift_register
 * state: 0..65535
 * steps: 0..255
 * steps: 10255
 * try: 64054, 148 -> 13581
 * try: 1383, 61 -> 46310
 * try: 1, 60 -> 48267
 * try: 8441, 255 -> 5378 */
static unsigned short shift_register(unsigned short state, unsigned int steps)
{
    do {
        unsigned int bit = (state ^ (state >> 2) ^ (state >> 3) ^ (state >> 5)) & 1;
        state = (unsigned short)((state >> 1) | (bit << 15));
    } while (steps-- > 0);
    return state;
}

/* graft crc32_nibbles
 * p: in 16 of 0..255
 * n: 0..16
 * steps: 638
 * try: {53, 0, 2, 55, 254, 124, 1, 2, 253, 255, 0, 255, 0, 1 x 2, 42}, 16 -> 2607832187
 * try: {42 x 16}, 6 -> 3523295684
 * try: {0 x 2, 255, 253, 0, 41, 254, 0, 88, 59, 99 x 2, 166, 120, 246, 1}, 2 -> 1104745215
 * try: {253 x 16}, 10 -> 3001069715 */
static unsigned int crc32_nibbles(const unsigned char *p, unsigned int n)
{
    unsigned int crc = 0xFFFFFFFFU;
    while (n--) {
        crc ^= *p++;
        crc = (crc >> 4) ^ crc_of_nibble[crc & 15];
        crc = (crc >> 4) ^ crc_of_nibble[crc & 15];
    }
    return ~crc;
}

/* graft crc16_bitwise
 * p: in 16 of 0..255
 * n: 0..16
 * crc: 0..65535
 * steps: 3266
 * try: {2, 4, 0, 194, 236, 1 x 2, 0, 255, 156, 122, 0, 122, 0, 62, 0}, 0, 1 -> 1
 * try: {28, 253, 55, 62, 255, 0, 42, 1 x 2, 90, 2, 1 x 2, 120, 2, 35}, 13, 0 -> 53082
 * try: {1, 50, 255, 253, 26, 214, 1, 44, 1, 15, 255, 36, 1, 255, 33, 255}, 14, 0 -> 24584
 * try: {255, 39, 1, 12, 253, 0, 10, 255, 63, 175, 0, 189, 0, 95, 57, 11}, 3, 3125 -> 53042 */
static unsigned short crc16_bitwise(const unsigned char *p, int n, unsigned short crc)
{
    {
        int i = 0;
        for (; i < n; i++) {
            crc ^= (unsigned short)(p[i] << 8);
            {
                int bit = 0;
                for (; bit < 8; bit++) {
                    crc = (crc & 0x8000) ? (unsigned short)((crc << 1) ^ 0x1021) : (unsigned short)(crc << 1);
                }
            }
        }
    }
    return crc;
}

/* graft crc8_step
 * crc: 0..255
 * byte: 0..255
 * steps: 194
 * try: 255, 253 -> 14
 * try: 0, 166 -> 123
 * try: 255, 242 -> 35
 * try: 0, 1 -> 7 */
static unsigned char crc8_step(unsigned char crc, unsigned char byte)
{
    crc ^= byte;
    {
        int i = 8;
        for (; i > 0; --i) {
            crc = (unsigned char)((crc & 0x80) ? (crc << 1) ^ 0x7 : crc << 1);
        }
    }
    return crc;
}

/* graft adler
 * s: in 16 of 0..255
 * n: 0..16
 * steps: 481
 * try: {53, 0, 2, 55, 254, 124, 1, 2, 253, 255, 0, 255, 0, 1 x 2, 42}, 16 -> 732562707
 * try: {42 x 16}, 6 -> 58196221
 * try: {0 x 2, 255, 253, 0, 41, 254, 0, 88, 59, 99 x 2, 166, 120, 246, 1}, 2 -> 131073
 * try: {253 x 16}, 10 -> 912591331 */
static unsigned int adler(const unsigned char *s, unsigned int n)
{
    unsigned int low = 1;
    unsigned int high = 0;
    {
        unsigned int i = 0;
        for (; i < n; i++) {
            low = (low + s[i]) % 65521;
            high = (high + low) % 65521;
        }
    }
    return (high << 16) | low;
}

/* graft fnv
 * text: in text 16 of -128..127
 * steps: 274
 * try: {126, 10, 40, 127, 1, 126, 118, -127, 125, 9, -1, 22, -127, 47, -127, 0} -> -4554477546516553440
 * try: {127, 0, 93, 48, 126, 57, 126, 34, -128, 10, 120, 68, 0, 52, 126, 0} -> -5808532683898088978
 * try: {49, 56, 54, 53, 48 x 2, 56, 55 x 2, 50, 57, 56, 55, 54 x 2, 0} -> -8856325645586550731
 * try: {-128, 125, -128, -31, -119, 49, 127, -1, 126, -128, 0, -65, 125, 50, 127, 0} -> 4746072710234031591 */
static unsigned long fnv(const char *text)
{
    unsigned long h = 0xCBF29CE484222325UL;
    for (; *text; text++) {
        h = (h ^ (unsigned char)*text) * 0x100000001B3UL;
    }
    return h;
}

/* graft rotated
 * x: 0..4294967295
 * by: 1..31
 * steps: 22
 * try: 4008507958, 7 -> 1987910519
 * try: 3969582439, 15 -> 2192832077
 * try: 1, 2 -> 4
 * try: 622993657, 31 -> 2458980476 */
static unsigned int rotated(unsigned int x, int by)
{
    return (x << by) | (x >> (32 - by));
}

/* graft mix_words
 * w: in 16 of 0..4294967295
 * n: 0..16
 * seed: 0..4294967295
 * steps: 936
 * try: {4294967295, 1421606135, 0 x 2, 1639062207, 844041506, 4239004332, 3321367487, 2, 32769, 262143, 4294967295, 929292600, 635491344, 4294967294, 1}, 16, 722014357 -> 1004618604
 * try: {2, 1734338871, 31, 32768, 2, 494, 3916848926, 1, 0, 1128606006, 4294967295, 1 x 3, 4294967295, 3030477022}, 2, 0 -> 3156819931
 * try: {0 x 3, 1556505832, 123, 12493533, 4274304221, 0 x 3, 25240, 2, 2048819239, 2, 2105644566, 1154348909}, 15, 771803741 -> 2525910383
 * try: {4294967294, 3325284578, 503742267, 2, 1455752751, 470617468, 118, 1, 722485618, 310173952, 4050889473, 1064301653, 4294967293, 4084608080, 1 x 2}, 0, 488188644 -> 3857721095 */
static unsigned int mix_words(const unsigned int *w, int n, unsigned int seed)
{
    unsigned int h = seed;
    {
        int i = 0;
        for (; i < n; i++) {
            unsigned int k = w[i] * 0xCC9E2D51U;
            h ^= rotated(k, 15) * 0x1B873593U;
            h = rotated(h, 13) * 5 + 0xE6546B64U;
        }
    }
    h ^= h >> 16;
    h *= 0x85EBCA6BU;
    return h ^ (h >> 13);
}

/* graft saturated_sum
 * a: -2147483648..2147483647
 * b: -2147483648..2147483647
 * steps: 36
 * try: 26795, 2147483645 -> 2147483647
 * try: -32769, 166 -> -32603
 * try: -2147483648, 1 -> -2147483647
 * try: 0, 0 -> 0 */
static int saturated_sum(int a, int b)
{
    if (b > 0 && a > 2147483647 - b) {
        return 2147483647;
    }
    if (b < 0 && a < -2147483647 - 1 - b) {
        return -2147483647 - 1;
    }
    return a + b;
}

/* graft fixed_product
 * a: -2147483648..2147483647
 * b: -2147483648..2147483647
 * steps: 26
 * try: 26795, 2147483645 -> 878018559
 * try: -32769, 166 -> -83
 * try: 2147483647, 868705010 -> -1317483463
 * try: -2147483648, 1 -> -32768 */
static int fixed_product(int a, int b)
{
    long wide = (long)a * b + 0x8000;
    return (int)(wide >> 16);
}

/* graft fixed_quotient
 * a: -2147483648..2147483647
 * b: 1..2147483647
 * steps: 22
 * try: 1861024310, 365300048 -> 333873
 * try: 1822098791, 974643761 -> 122519
 * try: -2147483647, 1803403278 -> -78039
 * try: -1524489991, 63459 -> -1574386234 */
static int fixed_quotient(int a, int b)
{
    return (int)((long)a * 65536 / b);
}

/* graft root
 * n: 0..18446744073709551615
 * steps: 861
 * try: 0 -> 0
 * try: 2 -> 1
 * try: 18446744073709551615 -> 4294967295
 * try: 10613882000927255132 -> 3257895333 */
static unsigned int root(unsigned long n)
{
    unsigned long left = n;
    unsigned long result = 0;
    unsigned long bit = (unsigned long)1 << 62;
    while (bit > n) {
        bit >>= 2;
    }
    for (; bit; bit >>= 2) {
        if (left >= result + bit) {
            left -= result + bit;
            result = (result >> 1) + bit;
        } else {
            result >>= 1;
        }
    }
    return (unsigned int)result;
}

/* graft divisor
 * a: 0..4294967295
 * b: 0..4294967295
 * steps: 276
 * try: 26795, 4294967293 -> 1
 * try: 0, 166 -> 166
 * try: 0, 0 -> 0
 * try: 1511, 0 -> 1511 */
static unsigned int divisor(unsigned int a, unsigned int b)
{
    return b ? divisor(b, a % b) : a;
}

/* graft power_modulo
 * base: 0..4294967295
 * exponent: 0..4294967295
 * m: 1..4294967295
 * steps: 958
 * try: 0, 2896986085, 8535 -> 0
 * try: 2942381728, 0, 3 -> 1
 * try: 976, 803611743, 347161963 -> 341126848
 * try: 4294967293, 3217880179, 4294967294 -> 4294967293 */
static unsigned int power_modulo(unsigned int base, unsigned int exponent, unsigned int m)
{
    unsigned long result = 1 % m;
    unsigned long square = base % m;
    for (; exponent; exponent >>= 1) {
        if (exponent & 1) {
            result = result * square % m;
        }
        square = square * square % m;
    }
    return (unsigned int)result;
}

/* graft is_leap
 * year: -2147483648..2147483647
 * steps: 28
 * try: 0 -> 1
 * try: -2147483646 -> 0 */
static int is_leap(int year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

/* graft day_of_year
 * year: -2147483648..2147483647
 * month: 1..12
 * day: -1073741823..1073741823
 * steps: 76
 * try: -2147483648, 6, 8535 -> 8687
 * try: -112149753, 2, -1 -> 30
 * try: 794898080, 1, 3 -> 3
 * try: 976, 4, 298493299 -> 298493390 */
static int day_of_year(int year, int month, int day)
{
    static const short before[12] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
    return before[month - 1] + day + (month > 2 && is_leap(year));
}

/* graft collatz
 * n: 0..4294967295
 * most: -2147483648..2147483647
 * steps: 6997
 * try: 26795, 2147483645 -> 64
 * try: 0, 166 -> 0
 * try: 4294967295, 868705010 -> 144
 * try: 3427494069, -2125813653 -> -1 */
static int collatz(unsigned int n, int most)
{
    int steps = 0;
    while (n > 1 && steps < most) {
        n = (n & 1) ? n / 2 + n + 1 : n / 2;
        steps++;
    }
    return n > 1 ? -1 : steps;
}

/* graft wave
 * angle: -2147483648..2147483647
 * fraction: -2147483648..2147483647
 * steps: 98
 * try: 26795, 2147483645 -> -950
 * try: -32769, 166 -> -35
 * try: 2147483647, 868705010 -> -6
 * try: -2147483648, 1 -> 0 */
static int wave(int angle, int fraction)
{
    int quadrant = (angle >> 4) & 3;
    int at = angle & 15;
    int from = (quadrant & 1) ? quarter_wave[16 - at] : quarter_wave[at];
    int to = (quadrant & 1) ? quarter_wave[15 - at] : quarter_wave[at + 1];
    int value = from + (to - from) * (fraction & 255) / 256;
    return (quadrant & 2) ? -value : value;
}

/* graft clamped_blend
 * a: -1000..1000
 * b: -32768..32767
 * weight: -32768..32767
 * steps: 38
 * try: -571, 13415, 15814 -> 255
 * try: 519, -32768, 32767 -> 0
 * try: 223, 4096, 0 -> 223
 * try: -1, 3, 10652 -> 165 */
static int clamped_blend(int a, int b, int weight)
{
    int mixed = (a * (256 - weight) + b * weight + 128) >> 8;
    return mixed < 0 ? 0 : mixed > 255 ? 255 : mixed;
}

/* graft place
 * columns: 0..1
 * left: 0..1
 * right: 0..1
 * row: 0..3
 * n: 0..3
 * steps: 348
 * try: 0, 0, 1, 2, 3 -> 2
 * try: 0, 0, 1, 1, 0 -> 0
 * try: 1, 0, 1, 3, 3 -> 1
 * try: 0, 0, 0, 2, 3 -> 3 */
static int place(unsigned int columns, unsigned int left, unsigned int right, int row, int n)
{
    if (row == n) {
        return 1;
    }
    int found = 0;
    {
        unsigned int free = ~(columns | left | right) & ((1U << n) - 1);
        for (; free; free &= free - 1) {
            unsigned int bit = free & -free;
            found += place(columns | bit, (left | bit) << 1, (right | bit) >> 1, row + 1, n);
        }
    }
    return found;
}

/* graft queens
 * n: 0..3
 * steps: 352
 * try: 0 -> 1
 * try: 2 -> 0 */
static int queens(int n)
{
    return place(0, 0, 0, 0, n);
}

/* graft next_generation
 * cells: 0..65535
 * steps: 5753
 * try: 0 -> 0
 * try: 27228 -> 10257
 * try: 502 -> 9472
 * try: 55012 -> 4240 */
static unsigned short next_generation(unsigned short cells)
{
    unsigned int out = 0;
    {
        int at = 0;
        for (; at < 16; at++) {
            int row = at >> 2;
            int column = at & 3;
            int near = 0;
            {
                int dr = 3;
                for (; dr <= 5; dr++) {
                    int dc = 3;
                    for (; dc <= 5; dc++) {
                        if (dr != 4 || dc != 4) {
                            near += (cells >> ((((row + dr) & 3) << 2) | ((column + dc) & 3))) & 1;
                        }
                    }
                }
            }
            if (near == 3 || (near == 2 && (cells >> at) & 1)) {
                out |= 1U << at;
            }
        }
    }
    return (unsigned short)out;
}

/* graft drawn
 * seed: 0..4294967295
 * n: -128..127
 * steps: 12806
 * try: 4008507958, 20 -> 1916
 * try: 3969582439, -67 -> 0
 * try: 622993657, 127 -> 12609
 * try: 2702622144, 127 -> 1374 */
static long drawn(unsigned int seed, int n)
{
    struct random r = {seed | 1, (seed * 2654435761U) | 1, 0, 0};
    long sum = 0;
    {
        int i = 0;
        for (; i < n; i++) {
            sum += (long)(draw(&r) % 1000) * ((i & 1) ? -1 : 1);
            sum += r.last;
        }
    }
    return sum + r.steps;
}

static unsigned int draw(struct random *r)
{
    r->a = 36969 * (r->a & 65535) + (r->a >> 16);
    r->b = 18000 * (r->b & 65535) + (r->b >> 16);
    r->steps++;
    r->last = (int)(r->a & 1023) - 512;
    return (r->a << 16) + r->b;
}

/* graft best_load
 * weights: in 16 of 0..255
 * values: in 16 of 0..255
 * room: 0..31
 * steps: 19760
 * try: {54, 49, 57, 48, 56 x 3, 51, 50 x 2, 51, 55, 50, 57, 52, 48}, {57, 54, 56, 54, 48, 57, 52, 54, 57, 52, 53 x 2, 55, 56, 51, 53}, 1 -> 0
 * try: {0 x 2, 255, 0, 255, 253, 127, 0, 16, 0, 46, 255, 43, 34, 148, 1}, {253 x 16}, 0 -> 1265
 * try: {255, 124, 255, 0, 60, 65, 139, 0, 255, 69, 255, 1, 55, 0, 1, 102}, {248, 1, 253, 32, 255, 59, 50, 0, 253, 95, 48, 254, 1, 118, 255, 254}, 31 -> 659
 * try: {2, 54, 10, 2, 255, 0, 55, 99, 181, 1, 0, 255, 254, 179, 139, 255}, {23, 1, 122, 0, 120, 56, 170, 1, 122, 253, 1, 254, 255, 254 x 2, 54}, 31 -> 455 */
static int best_load(const unsigned char *weights, const unsigned char *values, int room)
{
    unsigned short best[64] = {0};
    {
        int i = 0;
        for (; i < 16; i++) {
            int w = room;
            for (; w >= weights[i]; w--) {
                unsigned int with = best[w - weights[i]] + values[i];
                if (with > best[w]) {
                    best[w] = (unsigned short)with;
                }
            }
        }
    }
    return best[room];
}

/* graft sieve
 * n: 0..63
 * steps: 1786
 * try: 0 -> 0
 * try: 63 -> 501
 * try: 28 -> 100
 * try: 3 -> 2 */
static unsigned int sieve(int n)
{
    _Bool crossed[64] = {0};
    unsigned int sum = 0;
    {
        int i = 2;
        for (; i < n; i++) {
            if (crossed[i]) {
                continue;
            }
            sum += (unsigned int)i;
            {
                int k = i * i;
                for (; k < n; k += i) {
                    crossed[k] = 1;
                }
            }
        }
    }
    return sum;
}

/* graft light
 * state: -32768..32767
 * button: -2147483648..2147483647
 * ticks: -1000..1000
 * steps: 18194
 * try: -32768, 749502437, 1000 -> -2
 * try: 15111, -2147483647, -1 -> 15111
 * try: -20832, 0, 3 -> 0
 * try: 976, -1343871905, 854 -> 3 */
static int light(int state, int button, int ticks)
{
    while (ticks-- > 0) {
        switch (state) {
        case 0:
            if (button) {
                state = 1;
            }
            break;
        case 1:
            state = 2 + (ticks & 1);
        case 2:
            if (ticks % 3 == 0) {
                state = 3;
            }
            break;
        case 3:
            button = 0;
            state = ticks > 4 ? 4 : 0;
            break;
        default:
            state = state * 5 % 7;
        }
    }
    return state;
}

/* graft number_in
 * s: in text 16 of -128..127
 * steps: 630
 * try: {126, 10, 40, 127, 1, 126, 118, -127, 125, 9, -1, 22, -127, 47, -127, 0} -> 0
 * try: {49, 56, 54, 53, 48 x 2, 56, 55 x 2, 50, 57, 56, 55, 54 x 2, 0} -> 2147483647
 * try: {52, 35, 127 x 2, -126, 127, 125, 89, 1, 90, -85, 19, 77, 125, -127, 0} -> 4
 * try: {53, -128, 0, 1, 52, 124, 127, -126, -128, 10, -19, -30, 1, -128, 1, 0} -> 5 */
static int number_in(const char *s)
{
    int sign = 1;
    int value = 0;
    while (*s == ' ') {
        s++;
    }
    if (*s == '-' || *s == '+') {
        sign = *s++ == '-' ? -1 : 1;
    }
    for (; *s >= '0' && *s <= '9'; s++) {
        if (value > (2147483647 - (*s - '0')) / 10) {
            return sign < 0 ? -2147483647 - 1 : 2147483647;
        }
        value = value * 10 + (*s - '0');
    }
    return sign * value;
}

/* graft hex_digit
 * c: -128..127
 * steps: 27
 * try: 0 -> -1
 * try: 100 -> 13
 * try: 57 -> 9
 * try: 52 -> 4 */
static int hex_digit(char c)
{
    switch (c) {
    case 48:
    case 49:
    case 50:
    case 51:
    case 52:
    case 53:
    case 54:
    case 55:
    case 56:
    case 57:
        return c - '0';
    case 97:
    case 98:
    case 99:
    case 100:
    case 101:
    case 102:
        return c - 'a' + 10;
    case 65:
    case 66:
    case 67:
    case 68:
    case 69:
    case 70:
        return c - 'A' + 10;
    default:
        return -1;
    }
}

/* graft hex_number
 * s: in text 16 of -128..127
 * steps: 763
 * try: {126, 10, 40, 127, 1, 126, 118, -127, 125, 9, -1, 22, -127, 47, -127, 0} -> -1
 * try: {49, 56, 54, 53, 48 x 2, 56, 55 x 2, 50, 57, 56, 55, 54 x 2, 0} -> 109863238206326630
 * try: {49, 50, 52, 55, 51, 50, 48, 53, 52 x 2, 48, 50, 57, 51, 57, 0} -> 82317275889150265
 * try: {55, 54, 53, 50, 55, 57, 50, 56, 50 x 2, 55, 51, 52, 53, 52, 0} -> 532875641115587668 */
static long hex_number(const char *s)
{
    unsigned long value = 0;
    int digits = 0;
    {
        int d;
        for (; (d = hex_digit(*s)) >= 0 && digits < 15; s++, digits++) {
            value = (value << 4) | (unsigned long)d;
        }
    }
    return digits ? (long)value : -1;
}

/* graft nesting
 * s: in text 16 of -128..127
 * steps: 623
 * try: {126, 10, 40, 127, 1, 126, 118, -127, 125, 9, -1, 22, -127, 47, -127, 0} -> -1
 * try: {127, 0, 93, 48, 126, 57, 126, 34, -128, 10, 120, 68, 0, 52, 126, 0} -> 0
 * try: {85, 40, 127, 126, 55, 127, -128, 127, 67, 41, 127, 99, 127, 84, 50, 0} -> 1 */
static int nesting(const char *s)
{
    int depth = 0;
    int most = 0;
    for (; *s; s++) {
        if (*s == '(' || *s == '[') {
            depth++;
        } else {
            if ((*s == ')' || *s == ']') && --depth < 0) {
                return -1;
            }
        }
        most = depth > most ? depth : most;
    }
    return depth ? -1 : most;
}

/* graft words
 * s: in text 16 of -128..127
 * steps: 418
 * try: {126, 10, 40, 127, 1, 126, 118, -127, 125, 9, -1, 22, -127, 47, -127, 0} -> 5
 * try: {127, 0, 93, 48, 126, 57, 126, 34, -128, 10, 120, 68, 0, 52, 126, 0} -> 1
 * try: {-128, 125, -128, -31, -119, 49, 127, -1, 126, -128, 0, -65, 125, 50, 127, 0} -> 3
 * try: {-32, -1, 88, 76, 98, -128, 7, -126, 67, 127 x 2, -1, -126, 23, -128, 0} -> 2 */
static int words(const char *s)
{
    unsigned int state = 0;
    int n = 0;
    for (; *s; s++) {
        switch (state) {
        case 0U:
            if (*s > ' ') {
                n++;
                state = *s == '\'' ? 2 : 1;
            }
            break;
        case 1U:
            if (*s <= ' ') {
                state = 0;
            }
            break;
        case 2U:
            if (*s == '\'') {
                state = 1;
            }
        }
    }
    return n;
}

/* graft character
 * s: in 16 of 0..255
 * steps: 121
 * try: {254, 10, 40, 255, 1, 254, 246, 1, 253, 9, 0, 150, 1, 47, 1, 10} -> -1
 * try: {49, 56, 54, 53, 48 x 2, 56, 55 x 2, 50, 57, 56, 55, 54 x 2, 56} -> 49
 * try: {0, 253, 0, 97, 9, 49, 129, 0, 254, 0 x 2, 63, 253, 178, 255, 49} -> 0
 * try: {96, 0, 88, 204, 98, 0, 135, 2, 67, 255 x 2, 0, 2, 151, 0, 255} -> 96 */
static int character(const unsigned char *s)
{
    int more = s[0] < 0x80 ? 0 : s[0] < 0xC0 ? -1 : s[0] < 0xE0 ? 1 : s[0] < 0xF0 ? 2 : 3;
    if (more < 0) {
        return -1;
    }
    int c = more ? s[0] & (0x3F >> more) : s[0];
    {
        int i = 1;
        for (; i <= more; i++) {
            if ((s[i] & 0xC0) != 0x80) {
                return -1;
            }
            c = (c << 6) | (s[i] & 0x3F);
        }
    }
    return c;
}

/* graft variable_length
 * p: in 16 of 0..255
 * n: -2147483648..2147483647
 * steps: 333
 * try: {255, 1, 255, 0, 1, 2, 53, 60, 249, 43, 97, 0, 253, 185, 255 x 2}, -1 -> 0
 * try: {48, 56 x 2, 55 x 3, 54, 48, 53, 54, 52 x 2, 51, 57, 49, 54}, 1693343869 -> 48
 * try: {1 x 2, 254, 252, 1, 255, 0, 254, 93, 255, 253, 42, 122, 1 x 2, 255}, 4194304 -> 1
 * try: {255, 2, 90, 0 x 2, 254, 141, 1, 0, 55, 255, 91, 122, 2, 253, 1}, 1 -> 127 */
static unsigned long variable_length(const unsigned char *p, int n)
{
    unsigned long value = 0;
    {
        int i = 0;
        for (; i < n && i < 9; i++) {
            value |= (unsigned long)(p[i] & 0x7F) << 7 * i;
            if (!(p[i] & 0x80)) {
                break;
            }
        }
    }
    return value;
}

/* graft run_lengths
 * from: in 16 of 0..255
 * n: 0..16
 * to: inout 16 of 0..255
 * steps: 749
 * try: {93, 0, 98, 63, 0, 255, 26, 133, 1, 62, 254, 159, 1, 0, 253, 51}, 0, {91, 51, 49, 245, 120, 1, 66, 2, 63, 216, 0, 65, 1, 0, 2, 255} -> 0, {91, 51, 49, 245, 120, 1, 66, 2, 63, 216, 0, 65, 1, 0, 2, 255}
 * try: {38, 255, 0, 255 x 2, 1, 166, 68, 255, 2, 255, 232, 2 x 2, 42, 255}, 15, {49, 0, 37, 255, 46, 1, 253, 234, 53, 254, 2, 0 x 3, 1, 32} -> 16, {1, 38, 1, 255, 1, 0, 2, 255, 1 x 3, 166, 1, 68, 1, 255}
 * try: {39, 1, 125, 2, 234, 1, 255, 59, 68, 253, 1, 253, 41, 0, 255, 43}, 1, {223, 0, 254, 57, 0, 62, 1, 218, 121, 211, 0, 97, 255, 1, 255, 63} -> 2, {1, 39, 254, 57, 0, 62, 1, 218, 121, 211, 0, 97, 255, 1, 255, 63}
 * try: {124, 40, 33, 255, 19, 56, 6, 226, 54, 0, 1, 160, 0 x 2, 35, 255}, 4, {120 x 16} -> 8, {1, 124, 1, 40, 1, 33, 1, 255, 120 x 8} */
static int run_lengths(const unsigned char *from, int n, unsigned char *to)
{
    int out = 0;
    {
        int i = 0;
        for (; i < n && out < 15;) {
            int same = 1;
            while (i + same < n && from[i + same] == from[i] && same < 255) {
                same++;
            }
            to[out++] = (unsigned char)same;
            to[out++] = from[i];
            i += same;
        }
    }
    return out;
}

/* graft three_to_four
 * from: in 16 of 0..255
 * to: inout 16 of -128..127
 * steps: 563
 * try: {125, 0 x 2, 121, 108, 63, 56, 89, 54, 0, 2, 254, 1, 0, 255, 254}, {57, -126, 97, 127, 1, 62, -128, 49, -128, -127, 127, 51, -127, 127 x 3} -> {102, 81, 65 x 2, 101, 87, 119, 47, 79, 70, 107, 50, 65 x 2, 76, 43}
 * try: {106, 1, 51, 42, 1, 2 x 2, 88, 4, 236, 255, 91, 49, 255 x 2, 0}, {46, 126, 2, 127, 8, 127, 125, 127, -127, 48, 31, 0, 52, 10, 0, -13} -> {97, 103, 69, 122, 75, 103, 69, 67, 65, 108, 103, 69, 55, 80, 57, 98}
 * try: {154, 123, 0, 1, 10, 43, 125, 98, 0, 254, 0, 254, 0, 1, 0, 255}, {67, 55 x 2, 127, -127, 126, 56, -127, 127, -128, 39, -60, 1, 46, -127, 121} -> {109, 110, 115, 65 x 2, 81, 111, 114, 102, 87, 73, 65, 47, 103, 68, 43}
 * try: {203 x 16}, {56, 52, 56, 52, 57, 53, 57, 49, 53, 52, 55, 48, 53, 57, 54, 57} -> {121, 56, 118, 76, 121, 56, 118, 76, 121, 56, 118, 76, 121, 56, 118, 76} */
static void three_to_four(const unsigned char *from, char *to)
{
    static const char digits[65] = {'A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I', 'J', 'K',
        'L', 'M', 'N', 'O', 'P', 'Q', 'R', 'S', 'T', 'U', 'V', 'W', 'X', 'Y', 'Z', 'a', 'b',
        'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm', 'n', 'o', 'p', 'q', 'r', 's',
        't', 'u', 'v', 'w', 'x', 'y', 'z', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9',
        '+', '/'};
    {
        int i = 0;
        for (; i < 12; i += 3, to += 4) {
            unsigned int v = ((unsigned int)from[i] << 16) | ((unsigned int)from[i + 1] << 8) | from[i + 2];
            to[0] = digits[(v >> 18) & 63];
            to[1] = digits[(v >> 12) & 63];
            to[2] = digits[(v >> 6) & 63];
            to[3] = digits[v & 63];
        }
    }
}

/* graft matches
 * pattern: in text 16 of -128..127
 * s: in text 16 of -128..127
 * depth: -2147483648..2147483647
 * steps: 642
 * try: {-128, 102, 125, 54, -20, 127 x 2, 88, 97, -1, -31, 35, 0, 127, 45, 0}, {127, 10, 127, -1, 57, 127, 19, -1, 10, -128, 125, 126, 86, 38, 10, 0}, -4070290 -> 0
 * try: {1, 0, -126, 127 x 2, 35, 7, 48, 125, -1, 46, -61, 127, 17, -1, 0}, {1, 0, -128, 0 x 2, -128, 127, 49, 45, 0, 127, -101, 35, 126, -126, 0}, -2147483646 -> 1 */
static int matches(const char *pattern, const char *s, int depth)
{
    if (!*pattern) {
        return !*s;
    }
    if (*pattern == '*' && depth < 6) {
        for (;; s++) {
            if (matches(pattern + 1, s, depth + 1)) {
                return 1;
            }
            if (!*s) {
                return 0;
            }
        }
    }
    return *s && (*pattern == '?' || *pattern == *s) && matches(pattern + 1, s + 1, depth);
}

/* graft op_add
 * a: -2147483648..2147483647
 * b: -2147483648..2147483647
 * steps: 19
 * try: 26795, 2147483645 -> -2147456856
 * try: -32769, 166 -> -32603
 * try: 2147483647, 868705010 -> -1278778639
 * try: -2147483648, 1 -> -2147483647 */
static int op_add(int a, int b)
{
    return (int)((unsigned int)a + (unsigned int)b);
}

/* graft op_mul
 * a: -2147483648..2147483647
 * b: -2147483648..2147483647
 * steps: 19
 * try: 26795, 2147483645 -> 2147403263
 * try: -32769, 166 -> -5439654
 * try: 2147483647, 868705010 -> -868705010
 * try: -2147483648, 1 -> -2147483648 */
static int op_mul(int a, int b)
{
    return (int)((unsigned int)a * (unsigned int)b);
}

/* graft op_xor
 * a: -2147483648..2147483647
 * b: -2147483648..2147483647
 * steps: 16
 * try: 26795, 2147483645 -> 2147456854
 * try: -32769, 166 -> -32935
 * try: 2147483647, 868705010 -> 1278778637
 * try: -2147483648, 1 -> -2147483647 */
static int op_xor(int a, int b)
{
    return a ^ b;
}

/* graft op_min
 * a: -2147483648..2147483647
 * b: -2147483648..2147483647
 * steps: 18
 * try: 26795, 2147483645 -> 26795
 * try: -32769, 166 -> -32769
 * try: 2147483647, 868705010 -> 868705010
 * try: -2147483648, 1 -> -2147483648 */
static int op_min(int a, int b)
{
    return a < b ? a : b;
}

/* graft machine
 * code: in 16 of 0..255
 * n: 0..16
 * steps: 652
 * try: {53, 0, 2, 55, 254, 124, 1, 2, 253, 255, 0, 255, 0, 1 x 2, 42}, 16 -> 42
 * try: {0 x 2, 255, 253, 0, 41, 254, 0, 88, 59, 99 x 2, 166, 120, 246, 1}, 2 -> 0
 * try: {1, 0, 54, 26, 44, 89, 12, 255, 0 x 2, 255, 0 x 4, 89}, 16 -> -1
 * try: {52, 27, 1, 0, 27, 123, 55, 0, 121, 0 x 2, 149, 0, 1 x 2, 122}, 2 -> 27 */
static int machine(const unsigned char *code, int n)
{
    static int (*const operations[4])(int, int) = {op_add, op_mul, op_xor, op_min};
    int stack[8] = {0};
    int top = 0;
    {
        int at = 0;
        for (; at < n; at++) {
            unsigned char c = code[at];
            if (c < 200) {
                if (top == 8) {
                    goto full;
                }
                stack[top++] = c;
            } else {
                if (top >= 2) {
                    top--;
                    stack[top - 1] = operations[c & 3](stack[top - 1], stack[top]);
                }
            }
        }
    }
    return top ? stack[top - 1] : 0;
full:
    return -1;
}

/* graft edits
 * a: in text 16 of -128..127
 * b: in text 16 of -128..127
 * steps: 4273
 * try: {125, -1, -128, 121, 108, 63, 56, 89, 54, 0, -126, 126, -127, 0, 127, 0}, {57, -126, 97, 127, 1, 62, -128, 49, -128, -127, 127, 51, -127, 127 x 2, 0} -> 8
 * try: {127, 60, 0 x 2, -126 x 2, -55, 127, -78, -127, 95, 64, -79, 122, 0 x 2}, {-127, 116, 50, 0, 122, 125, -127, -128, 126, 117, 125, -1, 125, 115, 7, 0} -> 3
 * try: {-128, 14, 127, 50, -1, 1, -126, -91, 123, 124, 29, -1, 127, -127, -15, 0}, {125, 127, -128, 38, 1, -127, 107, 124, 127 x 2, -127, 127, 1, -1, 123, 0} -> 7
 * try: {50, 57, 55, 48, 57 x 3, 49, 51, 49, 48, 49, 51, 57, 48, 0}, {51, 57 x 2, 56, 50, 52, 57, 56, 53, 50, 55, 48, 56 x 2, 49, 0} -> 6 */
static int edits(const char *a, const char *b)
{
    unsigned char row[9];
    int n = 0;
    while (n < 8 && b[n]) {
        n++;
    }
    {
        int k = 0;
        for (; k <= n; k++) {
            row[k] = (unsigned char)k;
        }
    }
    {
        int i = 0;
        for (; i < 8 && a[i]; i++) {
            int before = row[0];
            row[0] = (unsigned char)(i + 1);
            {
                int k = 1;
                for (; k <= n; k++) {
                    int keep = before + (a[i] != b[k - 1]);
                    before = row[k];
                    int other = (row[k] < row[k - 1] ? row[k] : row[k - 1]) + 1;
                    row[k] = (unsigned char)(keep < other ? keep : other);
                }
            }
        }
    }
    return row[n];
}

