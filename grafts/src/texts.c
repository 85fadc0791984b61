/* Small parsers and state machines. */
#include <stdint.h>

int number_in(const char *s)
{
    int sign = 1, value = 0;
    while (*s == ' ')
        s++;
    if (*s == '-' || *s == '+')
        sign = *s++ == '-' ? -1 : 1;
    for (; *s >= '0' && *s <= '9'; s++) {
        if (value > (INT32_MAX - (*s - '0')) / 10)
            return sign < 0 ? INT32_MIN : INT32_MAX;
        value = value * 10 + (*s - '0');
    }
    return sign * value;
}

static int hex_digit(char c)
{
    switch (c) {
    case '0': case '1': case '2': case '3': case '4':
    case '5': case '6': case '7': case '8': case '9':
        return c - '0';
    case 'a': case 'b': case 'c': case 'd': case 'e': case 'f':
        return c - 'a' + 10;
    case 'A': case 'B': case 'C': case 'D': case 'E': case 'F':
        return c - 'A' + 10;
    default:
        return -1;
    }
}

long hex_number(const char *s)
{
    unsigned long value = 0;
    int digits = 0;
    for (int d; (d = hex_digit(*s)) >= 0 && digits < 15; s++, digits++)
        value = value << 4 | (unsigned long)d;
    return digits ? (long)value : -1;
}

/* How deep brackets nest; -1 where they do not match. */
int nesting(const char *s)
{
    int depth = 0, most = 0;
    for (; *s; s++) {
        if (*s == '(' || *s == '[')
            depth++;
        else if ((*s == ')' || *s == ']') && --depth < 0)
            return -1;
        most = depth > most ? depth : most;
    }
    return depth ? -1 : most;
}

int words(const char *s)
{
    enum { BETWEEN, INSIDE, QUOTED } state = BETWEEN;
    int n = 0;
    for (; *s; s++)
        switch (state) {
        case BETWEEN:
            if (*s > ' ') {
                n++;
                state = *s == '\'' ? QUOTED : INSIDE;
            }
            break;
        case INSIDE:
            if (*s <= ' ')
                state = BETWEEN;
            break;
        case QUOTED:
            if (*s == '\'')
                state = INSIDE;
        }
    return n;
}

/* The first character of UTF-8, or -1. */
int32_t character(const unsigned char *s)
{
    int more = s[0] < 0x80 ? 0 : s[0] < 0xC0 ? -1 : s[0] < 0xE0 ? 1 : s[0] < 0xF0 ? 2 : 3;
    if (more < 0)
        return -1;
    int32_t c = more ? s[0] & (0x3F >> more) : s[0];
    for (int i = 1; i <= more; i++) {
        if ((s[i] & 0xC0) != 0x80)
            return -1;
        c = c << 6 | (s[i] & 0x3F);
    }
    return c;
}

/* 7 bits to a byte, the lowest first. */
uint64_t variable_length(const uint8_t *p, int n)
{
    uint64_t value = 0;
    for (int i = 0; i < n && i < 9; i++) {
        value |= (uint64_t)(p[i] & 0x7F) << (7 * i);
        if (!(p[i] & 0x80))
            break;
    }
    return value;
}

int run_lengths(const unsigned char *from, int n, unsigned char *to)
{
    int out = 0;
    for (int i = 0; i < n && out < 15;) {
        int same = 1;
        while (i + same < n && from[i + same] == from[i] && same < 255)
            same++;
        to[out++] = (unsigned char)same;
        to[out++] = from[i];
        i += same;
    }
    return out;
}

void three_to_four(const unsigned char *from, char *to)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (int i = 0; i < 12; i += 3, to += 4) {
        unsigned v = (unsigned)from[i] << 16 | (unsigned)from[i + 1] << 8 | from[i + 2];
        to[0] = digits[v >> 18 & 63];
        to[1] = digits[v >> 12 & 63];
        to[2] = digits[v >> 6 & 63];
        to[3] = digits[v & 63];
    }
}

int matches(const char *pattern, const char *s, int depth)
{
    if (!*pattern)
        return !*s;
    if (*pattern == '*' && depth < 6) {
        for (;; s++) {
            if (matches(pattern + 1, s, depth + 1))
                return 1;
            if (!*s)
                return 0;
        }
    }
    return *s && (*pattern == '?' || *pattern == *s) && matches(pattern + 1, s + 1, depth);
}

static int op_add(int a, int b) { return (int)((unsigned)a + (unsigned)b); }
static int op_mul(int a, int b) { return (int)((unsigned)a * (unsigned)b); }
static int op_xor(int a, int b) { return a ^ b; }
static int op_min(int a, int b) { return a < b ? a : b; }

/* A machine with a stack: digits push themselves, other codes take two and push one. */
int machine(const unsigned char *code, int n)
{
    static int (*const operations[4])(int, int) = {op_add, op_mul, op_xor, op_min};
    int stack[8] = {0}, top = 0;
    for (int at = 0; at < n; at++) {
        unsigned char c = code[at];
        if (c < 200) {
            if (top == 8)
                goto full;
            stack[top++] = c;
        } else if (top >= 2) {
            top--;
            stack[top - 1] = operations[c & 3](stack[top - 1], stack[top]);
        }
    }
    return top ? stack[top - 1] : 0;
full:
    return -1;
}

/* Changes that make one word of the other. */
int edits(const char *a, const char *b)
{
    unsigned char row[9];
    int n = 0;
    while (n < 8 && b[n])
        n++;
    for (int k = 0; k <= n; k++)
        row[k] = (unsigned char)k;
    for (int i = 0; i < 8 && a[i]; i++) {
        int before = row[0];
        row[0] = (unsigned char)(i + 1);
        for (int k = 1; k <= n; k++) {
            int keep = before + (a[i] != b[k - 1]);
            before = row[k];
            int other = (row[k] < row[k - 1] ? row[k] : row[k - 1]) + 1;
            row[k] = (unsigned char)(keep < other ? keep : other);
        }
    }
    return row[n];
}
