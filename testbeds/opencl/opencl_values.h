/* The data that kernels get, and how what they made of it is printed.
 *
 * Two programs include this: the harness, which gives the data to an OpenCL runtime, and each
 * kernel that was turned into C (assay-opencl as-c). One text for both is what makes their outputs
 * equal. It needs nothing but the C library, and no compiler's extensions.
 *
 * DeepSmith 2.2: a launch of n threads has buffers of n elements with the values 1 to n, and n for
 * every scalar. `inputs` 0 means these; other numbers mean other values that are not zero, for the
 * check of 2.3 whether an anomaly depends on the input. */
#ifndef ASSAY_OPENCL_VALUES_H
#define ASSAY_OPENCL_VALUES_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* enumerator, name in OpenCL, bytes, kind: s(igned), u(nsigned), f(loating) */
#define VALUE_BASES(X)                                                                             \
    X(VALUE_CHAR, "char", 1, 's')                                                                  \
    X(VALUE_UCHAR, "uchar", 1, 'u')                                                                \
    X(VALUE_SHORT, "short", 2, 's')                                                                \
    X(VALUE_USHORT, "ushort", 2, 'u')                                                              \
    X(VALUE_INT, "int", 4, 's')                                                                    \
    X(VALUE_UINT, "uint", 4, 'u')                                                                  \
    X(VALUE_LONG, "long", 8, 's')                                                                  \
    X(VALUE_ULONG, "ulong", 8, 'u')                                                                \
    X(VALUE_HALF, "half", 2, 'f')                                                                  \
    X(VALUE_FLOAT, "float", 4, 'f')                                                                \
    X(VALUE_DOUBLE, "double", 8, 'f')

#define VALUE_ENUMERATOR(e, name, bytes, kind) e,
enum value_base { VALUE_BASES(VALUE_ENUMERATOR) VALUE_BASE_COUNT };
#undef VALUE_ENUMERATOR

struct value_base_info {
    const char *name;
    unsigned bytes;
    char kind;
};
#define VALUE_ROW(e, name, bytes, kind) {name, bytes, kind},
static const struct value_base_info value_bases[VALUE_BASE_COUNT] = {VALUE_BASES(VALUE_ROW)};
#undef VALUE_ROW

enum { VALUE_FIRST_INTEGERS = 16, VALUE_FIRST_FLOATS = 64 }; /* lanes that are printed */

/* Lanes that an element has in memory: three take the place of four. */
static inline unsigned value_stride(unsigned width)
{
    return width == 3 ? 4 : width;
}

static inline size_t value_size(enum value_base base, unsigned width)
{
    return (size_t)value_bases[base].bytes * value_stride(width);
}

/* The number `i` (from 0) of the values of n lanes: 1 to n, or a shuffle of them. A single lane
 * cannot be shuffled, so it gets another number. */
static inline uint64_t value_number(uint64_t i, uint64_t n, unsigned inputs)
{
    if (!inputs)
        return i + 1;
    if (n == 1)
        return 1 + inputs;
    uint64_t step = 2 * (uint64_t)inputs + 1; /* n is a power of two: an odd step meets all */
    return 1 + (i * step + 5 * (uint64_t)inputs) % n;
}

static inline uint64_t value_scalar(uint64_t n, unsigned inputs)
{
    return n > inputs ? n - inputs : n; /* never above n: it is used as the size of buffers */
}

/* A whole number as IEEE 754 binary16, cut to its 11 digits. */
static inline uint16_t value_half(uint64_t v)
{
    unsigned top = 0;
    while (v >> (top + 1))
        top++;
    if (!v)
        return 0;
    if (top > 15)
        return 0x7c00;
    uint64_t digits = top > 10 ? v >> (top - 10) : v << (10 - top);
    return (uint16_t)((top + 15) << 10 | (digits & 0x3ff));
}

static inline double value_of_half(uint16_t h)
{
    int e = h >> 10 & 31, sign = h >> 15;
    double v = h & 0x3ff;
    if (e == 31)
        v = v != 0 ? __builtin_nan("") : __builtin_inf();
    else if (e)
        v += 1024;
    for (int k = e ? e : 1; e != 31 && k < 25; k++)
        v /= 2;
    for (int k = 25; e != 31 && k < e; k++)
        v *= 2;
    return sign ? -v : v;
}

static inline void value_put(void *at, enum value_base base, uint64_t v)
{
    float f = (float)v;
    double d = (double)v;
    uint16_t h = value_half(v);
    switch (base) {
    case VALUE_HALF:
        memcpy(at, &h, sizeof h);
        break;
    case VALUE_FLOAT:
        memcpy(at, &f, sizeof f);
        break;
    case VALUE_DOUBLE:
        memcpy(at, &d, sizeof d);
        break;
    default:
        memcpy(at, &v, value_bases[base].bytes);
        break; /* the low bytes: x86, aarch64 */
    }
}

/* All lanes of n elements, each lane with a number of its own. */
static inline void values_fill(void *data, enum value_base base, unsigned width, uint64_t n,
                               unsigned inputs)
{
    char *at = data;
    memset(data, 0, n * value_size(base, width));
    for (uint64_t i = 0; i < n; i++)
        for (unsigned lane = 0; lane < width; lane++)
            value_put(at + (i * value_stride(width) + lane) * value_bases[base].bytes, base,
                      value_number(i * width + lane, n * width, inputs));
}

static inline void value_fill_scalar(void *data, enum value_base base, unsigned width, uint64_t n,
                                     unsigned inputs)
{
    char *at = data;
    memset(data, 0, value_size(base, width));
    for (unsigned lane = 0; lane < width; lane++)
        value_put(at + lane * value_bases[base].bytes, base, value_scalar(n, inputs));
}

static inline double value_get_float(const void *at, enum value_base base)
{
    float f;
    double d;
    uint16_t h;
    switch (base) {
    case VALUE_HALF:
        memcpy(&h, at, sizeof h);
        return value_of_half(h);
    case VALUE_FLOAT:
        memcpy(&f, at, sizeof f);
        return (double)f;
    default:
        memcpy(&d, at, sizeof d);
        return d;
    }
}

/* Four digits and always a point, by which a comparison with a tolerance knows it from an integer;
 * one zero, and a NaN without a sign. */
static inline void value_print_float(double v)
{
    if (v != v)
        printf(" nan");
    else
        printf(" %#.4g", v == 0 ? 0.0 : v);
}

static inline void value_print_integer(const void *at, enum value_base base)
{
    unsigned bytes = value_bases[base].bytes;
    uint64_t v = 0;
    memcpy(&v, at, bytes);
    if (value_bases[base].kind == 'u')
        printf(" %llu", (unsigned long long)v);
    else /* extend the sign by shifting it up and back */
        printf(" %lld", (long long)((int64_t)(v << (64 - 8 * bytes)) >> (64 - 8 * bytes)));
}

static inline void values_print_floats(const char *data, enum value_base base, unsigned width,
                                       uint64_t n)
{
    unsigned long long nans = 0, infinities = 0;
    double sum = 0;
    for (uint64_t i = 0; i < n * width; i++) {
        uint64_t slot = i / width * value_stride(width) + i % width;
        double v = value_get_float(data + slot * value_bases[base].bytes, base);
        if (v != v)
            nans++;
        else if (v - v != 0)
            infinities++;
        else
            sum += v;
    }
    printf("nan %llu inf %llu sum", nans, infinities);
    value_print_float(sum);
    printf(":");
    for (uint64_t i = 0; i < n * width && i < VALUE_FIRST_FLOATS; i++) {
        uint64_t slot = i / width * value_stride(width) + i % width;
        value_print_float(value_get_float(data + slot * value_bases[base].bytes, base));
    }
}

static inline void values_print_integers(const char *data, enum value_base base, unsigned width,
                                         uint64_t n)
{
    unsigned bytes = value_bases[base].bytes;
    uint32_t hash = 2166136261u; /* FNV-1a */
    for (uint64_t i = 0; i < n * width; i++) {
        uint64_t slot = i / width * value_stride(width) + i % width;
        for (unsigned b = 0; b < bytes; b++)
            hash = (hash ^ (unsigned char)data[slot * bytes + b]) * 16777619u;
    }
    printf("hash %08x:", (unsigned)hash);
    for (uint64_t i = 0; i < n * width && i < VALUE_FIRST_INTEGERS; i++) {
        uint64_t slot = i / width * value_stride(width) + i % width;
        value_print_integer(data + slot * bytes, base);
    }
}

/* "buffer 0 int4 2048 hash 1c9dca65: 1 2 3 ...". The unused fourth lane of three is passed over. */
static inline void values_print(unsigned index, const void *data, enum value_base base,
                                unsigned width, uint64_t n)
{
    printf("buffer %u %s", index, value_bases[base].name);
    if (width > 1)
        printf("%u", width);
    printf(" %llu ", (unsigned long long)n);
    if (value_bases[base].kind == 'f')
        values_print_floats(data, base, width, n);
    else
        values_print_integers(data, base, width, n);
    printf("\n");
}

#endif
