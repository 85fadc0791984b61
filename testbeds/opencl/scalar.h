/* OpenCL C as C, scalars only: qualifiers become nothing, builtins become functions that are chosen
 * by the type of the first argument, as overloading would choose them. Vectors, barriers, atomics,
 * images and halves are not here: assay-opencl as-c keeps programs with them away, and what else is
 * missing the compiler complains about, in which case the testbed abstains.
 *
 * To be compiled with -std=gnu17 -fsigned-char -fwrapv -fgnu89-inline. OpenCL C 1.2, 6.2.3
 * (conversions), 6.12.2 (maths), 6.12.3 (integers), 6.12.4 (common), 6.12.6 (relational). */
#ifndef ASSAY_OPENCL_SCALAR_H
#define ASSAY_OPENCL_SCALAR_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;

#define __OPENCL_VERSION__ 120
#define __OPENCL_C_VERSION__ 120
#define kernel
#define __kernel
#define global
#define __global
#define constant const
#define __constant const
#define private
#define __private
#define __attribute__(x)

/* -- helpers ----------------------------------------------------------------------------------- */

#define EACH_INTEGER(X)                                                                            \
    X(char, uchar, CHAR_MIN, CHAR_MAX)                                                             \
    X(uchar, uchar, 0, UCHAR_MAX)                                                                  \
    X(short, ushort, SHRT_MIN, SHRT_MAX)                                                           \
    X(ushort, ushort, 0, USHRT_MAX)                                                                \
    X(int, uint, INT_MIN, INT_MAX)                                                                 \
    X(uint, uint, 0, UINT_MAX)                                                                     \
    X(long, ulong, LONG_MIN, LONG_MAX)                                                             \
    X(ulong, ulong, 0, ULONG_MAX)

/* The function of this name for the type of x; anything else counts as int. */
#define BY_INTEGER(x, f)                                                                           \
    char: f##_char, uchar: f##_uchar, short: f##_short, ushort: f##_ushort, int: f##_int,          \
    uint: f##_uint, long: f##_long, ulong: f##_ulong
#define OF_INTEGER(x, f) _Generic((x), BY_INTEGER(x, f), default: f##_int)
#define OF_FLOAT(x, f) _Generic((x), float: f##_float, default: f##_double)
#define OF_ANY(x, f)                                                                               \
    _Generic((x), BY_INTEGER(x, f), float: f##_float, double: f##_double, default: f##_int)

/* -- 6.12.1 ------------------------------------------------------------------------------------ */

#define get_work_dim assay_work_dim
#define get_global_id assay_global_id
#define get_global_size assay_global_size
#define get_global_offset assay_global_offset
#define get_local_id assay_local_id
#define get_local_size assay_local_size
#define get_group_id assay_group_id
#define get_num_groups assay_num_groups

/* -- 6.12.3 ------------------------------------------------------------------------------------ */

#define BITS(T) (8 * (int)sizeof(T))
#define INTEGER(T, U, low, high)                                                                   \
    static inline T cl_min_##T(T a, T b) { return b < a ? b : a; }                                 \
    static inline T cl_max_##T(T a, T b) { return a < b ? b : a; }                                 \
    static inline T cl_clamp_##T(T x, T a, T b) { return cl_min_##T(cl_max_##T(x, a), b); }        \
    static inline U cl_abs_##T(T a) { return a < 0 ? (U)(0 - (U)a) : (U)a; }                       \
    static inline U cl_abs_diff_##T(T a, T b)                                                      \
    {                                                                                              \
        return a < b ? (U)((U)b - (U)a) : (U)((U)a - (U)b);                                        \
    }                                                                                              \
    static inline T cl_add_sat_##T(T a, T b)                                                       \
    {                                                                                              \
        T r;                                                                                       \
        return __builtin_add_overflow(a, b, &r) ? (b < 0 ? (T)(low) : (T)(high)) : r;              \
    }                                                                                              \
    static inline T cl_sub_sat_##T(T a, T b)                                                       \
    {                                                                                              \
        T r;                                                                                       \
        return __builtin_sub_overflow(a, b, &r) ? (a < b ? (T)(low) : (T)(high)) : r;              \
    }                                                                                              \
    static inline T cl_hadd_##T(T a, T b) { return (T)(((__int128)a + b) >> 1); }                  \
    static inline T cl_rhadd_##T(T a, T b) { return (T)(((__int128)a + b + 1) >> 1); }             \
    static inline T cl_mul_hi_##T(T a, T b) { return (T)(((__int128)a * b) >> BITS(T)); }          \
    static inline T cl_mad_hi_##T(T a, T b, T c) { return (T)(cl_mul_hi_##T(a, b) + (U)c); }       \
    static inline T cl_mad_sat_##T(T a, T b, T c)                                                  \
    {                                                                                              \
        __int128 r = (__int128)a * b + c;                                                          \
        return r < (__int128)(low) ? (T)(low) : r > (__int128)(high) ? (T)(high) : (T)r;           \
    }                                                                                              \
    static inline T cl_rotate_##T(T a, T b)                                                        \
    {                                                                                              \
        unsigned n = (unsigned)b & (unsigned)(BITS(T) - 1);                                        \
        return n ? (T)((U)((U)a << n) | (U)((U)a >> (BITS(T) - (int)n))) : a;                      \
    }                                                                                              \
    static inline T cl_popcount_##T(T a) { return (T)__builtin_popcountl((U)a); }                  \
    static inline T cl_clz_##T(T a)                                                                \
    {                                                                                              \
        return (T)(a ? __builtin_clzl((U)a) - (64 - BITS(T)) : BITS(T));                           \
    }
EACH_INTEGER(INTEGER)
#undef INTEGER

#define min(a, b) OF_ANY(a, cl_min)(a, b)
#define max(a, b) OF_ANY(a, cl_max)(a, b)
#define clamp(x, a, b) OF_ANY(x, cl_clamp)(x, a, b)
#define abs(a) OF_INTEGER(a, cl_abs)(a)
#define abs_diff(a, b) OF_INTEGER(a, cl_abs_diff)(a, b)
#define add_sat(a, b) OF_INTEGER(a, cl_add_sat)(a, b)
#define sub_sat(a, b) OF_INTEGER(a, cl_sub_sat)(a, b)
#define hadd(a, b) OF_INTEGER(a, cl_hadd)(a, b)
#define rhadd(a, b) OF_INTEGER(a, cl_rhadd)(a, b)
#define mul_hi(a, b) OF_INTEGER(a, cl_mul_hi)(a, b)
#define mad_hi(a, b, c) OF_INTEGER(a, cl_mad_hi)(a, b, c)
#define mad_sat(a, b, c) OF_INTEGER(a, cl_mad_sat)(a, b, c)
#define rotate(a, b) OF_INTEGER(a, cl_rotate)(a, b)
#define popcount(a) OF_INTEGER(a, cl_popcount)(a)
#define clz(a) OF_INTEGER(a, cl_clz)(a)
#define mul24(a, b) ((a) * (b)) /* only with operands of 24 bits is there a result to compare */
#define mad24(a, b, c) ((a) * (b) + (c))

/* -- 6.12.2, 6.12.4 ---------------------------------------------------------------------------- */

#define FLOATING(T, S)                                                                             \
    static inline T cl_min_##T(T a, T b) { return b < a ? b : a; }                                 \
    static inline T cl_max_##T(T a, T b) { return a < b ? b : a; }                                 \
    static inline T cl_clamp_##T(T x, T a, T b)                                                    \
    {                                                                                              \
        return __builtin_fmin##S(__builtin_fmax##S(x, a), b);                                      \
    }                                                                                              \
    static inline T cl_mix_##T(T x, T y, T a) { return x + (y - x) * a; }                          \
    static inline T cl_mad_##T(T a, T b, T c) { return a * b + c; }                                \
    static inline T cl_step_##T(T edge, T x) { return x < edge ? 0 : 1; }                          \
    static inline T cl_smoothstep_##T(T e0, T e1, T x)                                             \
    {                                                                                              \
        T t = cl_clamp_##T((x - e0) / (e1 - e0), 0, 1);                                            \
        return t * t * (3 - 2 * t);                                                                \
    }                                                                                              \
    static inline T cl_sign_##T(T x) { return x > 0 ? 1 : x < 0 ? -1 : x == 0 ? x : 0; }           \
    static inline T cl_degrees_##T(T x) { return x * (T)57.29577951308232087680; }                 \
    static inline T cl_radians_##T(T x) { return x * (T)0.01745329251994329577; }                  \
    static inline T cl_rsqrt_##T(T x) { return 1 / __builtin_sqrt##S(x); }                         \
    static inline T cl_recip_##T(T x) { return 1 / x; }                                            \
    static inline T cl_divide_##T(T x, T y) { return x / y; }                                      \
    static inline T cl_dot_##T(T x, T y) { return x * y; }                                         \
    static inline T cl_length_##T(T x) { return __builtin_fabs##S(x); }                            \
    static inline T cl_distance_##T(T x, T y) { return __builtin_fabs##S(x - y); }                 \
    static inline T cl_exp10_##T(T x) { return __builtin_pow##S(10, x); }                          \
    static inline T cl_pown_##T(T x, int y) { return __builtin_pow##S(x, (T)y); }                  \
    static inline T cl_rootn_##T(T x, int y) { return __builtin_pow##S(x, 1 / (T)y); }             \
    static inline T cl_fract_##T(T x, T *p)                                                        \
    {                                                                                              \
        *p = __builtin_floor##S(x);                                                                \
        return x - *p;                                                                             \
    }
FLOATING(float, f)
FLOATING(double, )
#undef FLOATING

#define MATHS(X)                                                                                   \
    X(acos) X(acosh) X(asin) X(asinh) X(atan) X(atanh) X(cbrt) X(ceil) X(cos) X(cosh) X(erf)       \
    X(erfc) X(exp) X(exp2) X(expm1) X(fabs) X(floor) X(lgamma) X(log) X(log10) X(log1p) X(log2)    \
    X(logb) X(rint) X(round) X(sin) X(sinh) X(sqrt) X(tan) X(tanh) X(tgamma) X(trunc)
#define MATHS2(X)                                                                                  \
    X(atan2) X(copysign) X(fdim) X(fmax) X(fmin) X(fmod) X(hypot) X(nextafter) X(pow) X(remainder)
#define MATH(F)                                                                                    \
    static inline float cl_##F##_float(float x) { return __builtin_##F##f(x); }                    \
    static inline double cl_##F##_double(double x) { return __builtin_##F(x); }
#define MATH2(F)                                                                                   \
    static inline float cl_##F##_float(float x, float y) { return __builtin_##F##f(x, y); }        \
    static inline double cl_##F##_double(double x, double y) { return __builtin_##F(x, y); }
MATHS(MATH)
MATHS2(MATH2)
#undef MATH
#undef MATH2

#define acos(x) OF_FLOAT(x, cl_acos)(x)
#define acosh(x) OF_FLOAT(x, cl_acosh)(x)
#define asin(x) OF_FLOAT(x, cl_asin)(x)
#define asinh(x) OF_FLOAT(x, cl_asinh)(x)
#define atan(x) OF_FLOAT(x, cl_atan)(x)
#define atanh(x) OF_FLOAT(x, cl_atanh)(x)
#define cbrt(x) OF_FLOAT(x, cl_cbrt)(x)
#define ceil(x) OF_FLOAT(x, cl_ceil)(x)
#define cos(x) OF_FLOAT(x, cl_cos)(x)
#define cosh(x) OF_FLOAT(x, cl_cosh)(x)
#define erf(x) OF_FLOAT(x, cl_erf)(x)
#define erfc(x) OF_FLOAT(x, cl_erfc)(x)
#define exp(x) OF_FLOAT(x, cl_exp)(x)
#define exp2(x) OF_FLOAT(x, cl_exp2)(x)
#define exp10(x) OF_FLOAT(x, cl_exp10)(x)
#define expm1(x) OF_FLOAT(x, cl_expm1)(x)
#define fabs(x) OF_FLOAT(x, cl_fabs)(x)
#define floor(x) OF_FLOAT(x, cl_floor)(x)
#define lgamma(x) OF_FLOAT(x, cl_lgamma)(x)
#define log(x) OF_FLOAT(x, cl_log)(x)
#define log10(x) OF_FLOAT(x, cl_log10)(x)
#define log1p(x) OF_FLOAT(x, cl_log1p)(x)
#define log2(x) OF_FLOAT(x, cl_log2)(x)
#define logb(x) OF_FLOAT(x, cl_logb)(x)
#define rint(x) OF_FLOAT(x, cl_rint)(x)
#define round(x) OF_FLOAT(x, cl_round)(x)
#define rsqrt(x) OF_FLOAT(x, cl_rsqrt)(x)
#define sin(x) OF_FLOAT(x, cl_sin)(x)
#define sinh(x) OF_FLOAT(x, cl_sinh)(x)
#define sqrt(x) OF_FLOAT(x, cl_sqrt)(x)
#define tan(x) OF_FLOAT(x, cl_tan)(x)
#define tanh(x) OF_FLOAT(x, cl_tanh)(x)
#define tgamma(x) OF_FLOAT(x, cl_tgamma)(x)
#define trunc(x) OF_FLOAT(x, cl_trunc)(x)
#define atan2(x, y) OF_FLOAT(x, cl_atan2)(x, y)
#define copysign(x, y) OF_FLOAT(x, cl_copysign)(x, y)
#define fdim(x, y) OF_FLOAT(x, cl_fdim)(x, y)
#define fmax(x, y) OF_FLOAT(x, cl_fmax)(x, y)
#define fmin(x, y) OF_FLOAT(x, cl_fmin)(x, y)
#define fmod(x, y) OF_FLOAT(x, cl_fmod)(x, y)
#define hypot(x, y) OF_FLOAT(x, cl_hypot)(x, y)
#define nextafter(x, y) OF_FLOAT(x, cl_nextafter)(x, y)
#define pow(x, y) OF_FLOAT(x, cl_pow)(x, y)
#define powr(x, y) OF_FLOAT(x, cl_pow)(x, y)
#define pown(x, y) OF_FLOAT(x, cl_pown)(x, y)
#define rootn(x, y) OF_FLOAT(x, cl_rootn)(x, y)
#define remainder(x, y) OF_FLOAT(x, cl_remainder)(x, y)
#define ldexp(x, n) _Generic((x), float: __builtin_ldexpf, default: __builtin_ldexp)(x, n)
#define fma(x, y, z) _Generic((x), float: __builtin_fmaf, default: __builtin_fma)(x, y, z)
#define mad(x, y, z) OF_FLOAT(x, cl_mad)(x, y, z)
#define mix(x, y, a) OF_FLOAT(x, cl_mix)(x, y, a)
#define step(e, x) OF_FLOAT(x, cl_step)(e, x)
#define smoothstep(a, b, x) OF_FLOAT(x, cl_smoothstep)(a, b, x)
#define sign(x) OF_FLOAT(x, cl_sign)(x)
#define degrees(x) OF_FLOAT(x, cl_degrees)(x)
#define radians(x) OF_FLOAT(x, cl_radians)(x)
#define fract(x, p) OF_FLOAT(x, cl_fract)(x, p)
#define dot(x, y) OF_FLOAT(x, cl_dot)(x, y)
#define length(x) OF_FLOAT(x, cl_length)(x)
#define distance(x, y) OF_FLOAT(x, cl_distance)(x, y)
#define native_cos(x) cos(x)
#define native_divide(x, y) OF_FLOAT(x, cl_divide)(x, y)
#define native_exp(x) exp(x)
#define native_exp2(x) exp2(x)
#define native_exp10(x) exp10(x)
#define native_log(x) log(x)
#define native_log2(x) log2(x)
#define native_log10(x) log10(x)
#define native_powr(x, y) pow(x, y)
#define native_recip(x) OF_FLOAT(x, cl_recip)(x)
#define native_rsqrt(x) rsqrt(x)
#define native_sin(x) sin(x)
#define native_sqrt(x) sqrt(x)
#define native_tan(x) tan(x)

#define M_E_F 2.71828182845904523536f
#define M_PI_F 3.14159265358979323846f
#define M_PI_2_F 1.57079632679489661923f
#define M_PI_4_F 0.78539816339744830962f
#define M_1_PI_F 0.31830988618379067154f
#define M_2_PI_F 0.63661977236758134308f
#define M_SQRT2_F 1.41421356237309504880f
#define M_SQRT1_2_F 0.70710678118654752440f
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_E 2.71828182845904523536
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define HUGE_VALF __builtin_inff()
#define MAXFLOAT 3.40282346638528859812e+38f
#define FLT_MAX 3.40282346638528859812e+38f
#define FLT_MIN 1.17549435082228750797e-38f
#define FLT_EPSILON 1.1920928955078125e-7f
#define DBL_MAX __DBL_MAX__
#define DBL_MIN __DBL_MIN__
#define DBL_EPSILON __DBL_EPSILON__

/* -- 6.12.6 ------------------------------------------------------------------------------------ */

#define isnan(x) (!!__builtin_isnan(x))
#define isinf(x) (!!__builtin_isinf(x))
#define isfinite(x) (!!__builtin_isfinite(x))
#define isnormal(x) (!!__builtin_isnormal(x))
#define signbit(x) (!!__builtin_signbit(x))
#define isequal(x, y) ((x) == (y))
#define isnotequal(x, y) ((x) != (y))
#define isgreater(x, y) (!!__builtin_isgreater(x, y))
#define isgreaterequal(x, y) (!!__builtin_isgreaterequal(x, y))
#define isless(x, y) (!!__builtin_isless(x, y))
#define islessequal(x, y) (!!__builtin_islessequal(x, y))
#define select(a, b, c) ((c) ? (b) : (a))

/* -- 6.2.3, 6.2.4 ------------------------------------------------------------------------------ */

#define convert_char(x) ((char)(x))
#define convert_uchar(x) ((uchar)(x))
#define convert_short(x) ((short)(x))
#define convert_ushort(x) ((ushort)(x))
#define convert_int(x) ((int)(x))
#define convert_uint(x) ((uint)(x))
#define convert_long(x) ((long)(x))
#define convert_ulong(x) ((ulong)(x))
#define convert_float(x) ((float)(x))
#define convert_double(x) ((double)(x))
#define convert_int_rtz(x) ((int)(x))
#define convert_int_rte(x) ((int)__builtin_rint((double)(x)))
#define convert_uint_rtz(x) ((uint)(x))
#define convert_uint_rte(x) ((uint)__builtin_rint((double)(x)))

/* Exact for integers of up to 64 bits and for floating numbers: a long double has 64 digits. */
#define SATURATED(T, U, low, high)                                                                 \
    static inline T cl_sat_##T(long double x)                                                      \
    {                                                                                              \
        return x != x ? 0 : x <= (long double)(low) ? (T)(low)                                     \
                        : x >= (long double)(high) ? (T)(high) : (T)x;                             \
    }
EACH_INTEGER(SATURATED)
#undef SATURATED
#define convert_char_sat(x) cl_sat_char(x)
#define convert_uchar_sat(x) cl_sat_uchar(x)
#define convert_short_sat(x) cl_sat_short(x)
#define convert_ushort_sat(x) cl_sat_ushort(x)
#define convert_int_sat(x) cl_sat_int(x)
#define convert_uint_sat(x) cl_sat_uint(x)
#define convert_long_sat(x) cl_sat_long(x)
#define convert_ulong_sat(x) cl_sat_ulong(x)

#define AS_TYPE(T, x)                                                                              \
    ({                                                                                             \
        __typeof__(x) as_from_ = (x);                                                              \
        T as_to_;                                                                                  \
        _Static_assert(sizeof as_from_ == sizeof as_to_, "as_type keeps the size");                \
        memcpy(&as_to_, &as_from_, sizeof as_to_);                                                 \
        as_to_;                                                                                    \
    })
#define as_char(x) AS_TYPE(char, x)
#define as_uchar(x) AS_TYPE(uchar, x)
#define as_short(x) AS_TYPE(short, x)
#define as_ushort(x) AS_TYPE(ushort, x)
#define as_int(x) AS_TYPE(int, x)
#define as_uint(x) AS_TYPE(uint, x)
#define as_long(x) AS_TYPE(long, x)
#define as_ulong(x) AS_TYPE(ulong, x)
#define as_float(x) AS_TYPE(float, x)
#define as_double(x) AS_TYPE(double, x)

#endif
