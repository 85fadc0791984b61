/* Builtins for kernels that clang compiles as OpenCL for the machine itself, where no library has
 * them. The names are declared by clang; the bodies are the shortest that are right, lane by lane.
 * Maths goes to libm. What is missing makes the link fail, and the testbed abstains. Halves of a
 * vector are x.lo and x.hi, so that each width is made from the one below. */

#define OVERLOAD __attribute__((overloadable))

#define EACH_INTEGER(X)                                                                            \
    X(char, uchar) X(uchar, uchar) X(short, ushort) X(ushort, ushort)                              \
    X(int, uint) X(uint, uint) X(long, ulong) X(ulong, ulong)

/* T f(T): from the scalar to all widths. R is the type of the result. */
#define WIDEN1(R, f, T)                                                                            \
    R##2 OVERLOAD f(T##2 x) { return (R##2)(f(x.x), f(x.y)); }                                     \
    R##3 OVERLOAD f(T##3 x) { return (R##3)(f(x.x), f(x.y), f(x.z)); }                             \
    R##4 OVERLOAD f(T##4 x) { return (R##4)(f(x.lo), f(x.hi)); }                                   \
    R##8 OVERLOAD f(T##8 x) { return (R##8)(f(x.lo), f(x.hi)); }                                   \
    R##16 OVERLOAD f(T##16 x) { return (R##16)(f(x.lo), f(x.hi)); }
#define WIDEN2(R, f, T)                                                                            \
    R##2 OVERLOAD f(T##2 x, T##2 y) { return (R##2)(f(x.x, y.x), f(x.y, y.y)); }                   \
    R##3 OVERLOAD f(T##3 x, T##3 y)                                                                \
    {                                                                                              \
        return (R##3)(f(x.x, y.x), f(x.y, y.y), f(x.z, y.z));                                      \
    }                                                                                              \
    R##4 OVERLOAD f(T##4 x, T##4 y) { return (R##4)(f(x.lo, y.lo), f(x.hi, y.hi)); }               \
    R##8 OVERLOAD f(T##8 x, T##8 y) { return (R##8)(f(x.lo, y.lo), f(x.hi, y.hi)); }               \
    R##16 OVERLOAD f(T##16 x, T##16 y) { return (R##16)(f(x.lo, y.lo), f(x.hi, y.hi)); }
#define WIDEN3(R, f, T)                                                                            \
    R##2 OVERLOAD f(T##2 x, T##2 y, T##2 z)                                                        \
    {                                                                                              \
        return (R##2)(f(x.x, y.x, z.x), f(x.y, y.y, z.y));                                         \
    }                                                                                              \
    R##3 OVERLOAD f(T##3 x, T##3 y, T##3 z)                                                        \
    {                                                                                              \
        return (R##3)(f(x.x, y.x, z.x), f(x.y, y.y, z.y), f(x.z, y.z, z.z));                       \
    }                                                                                              \
    R##4 OVERLOAD f(T##4 x, T##4 y, T##4 z)                                                        \
    {                                                                                              \
        return (R##4)(f(x.lo, y.lo, z.lo), f(x.hi, y.hi, z.hi));                                   \
    }                                                                                              \
    R##8 OVERLOAD f(T##8 x, T##8 y, T##8 z)                                                        \
    {                                                                                              \
        return (R##8)(f(x.lo, y.lo, z.lo), f(x.hi, y.hi, z.hi));                                   \
    }                                                                                              \
    R##16 OVERLOAD f(T##16 x, T##16 y, T##16 z)                                                    \
    {                                                                                              \
        return (R##16)(f(x.lo, y.lo, z.lo), f(x.hi, y.hi, z.hi));                                  \
    }
/* min(float4, float) and the like. */
#define SCALAR2(T, f)                                                                              \
    T##2 OVERLOAD f(T##2 x, T y) { return f(x, (T##2)(y)); }                                       \
    T##3 OVERLOAD f(T##3 x, T y) { return f(x, (T##3)(y)); }                                       \
    T##4 OVERLOAD f(T##4 x, T y) { return f(x, (T##4)(y)); }                                       \
    T##8 OVERLOAD f(T##8 x, T y) { return f(x, (T##8)(y)); }                                       \
    T##16 OVERLOAD f(T##16 x, T y) { return f(x, (T##16)(y)); }
#define SCALAR3(T, f)                                                                              \
    T##2 OVERLOAD f(T##2 x, T y, T z) { return f(x, (T##2)(y), (T##2)(z)); }                       \
    T##3 OVERLOAD f(T##3 x, T y, T z) { return f(x, (T##3)(y), (T##3)(z)); }                       \
    T##4 OVERLOAD f(T##4 x, T y, T z) { return f(x, (T##4)(y), (T##4)(z)); }                       \
    T##8 OVERLOAD f(T##8 x, T y, T z) { return f(x, (T##8)(y), (T##8)(z)); }                       \
    T##16 OVERLOAD f(T##16 x, T y, T z) { return f(x, (T##16)(y), (T##16)(z)); }

/* -- integers ---------------------------------------------------------------------------------- */

#define INTEGER(T, U)                                                                              \
    T OVERLOAD min(T a, T b) { return b < a ? b : a; }                                             \
    T OVERLOAD max(T a, T b) { return a < b ? b : a; }                                             \
    T OVERLOAD clamp(T x, T a, T b) { return min(max(x, a), b); }                                  \
    U OVERLOAD abs(T a) { return a < 0 ? (U)(0 - (U)a) : (U)a; }                                   \
    U OVERLOAD abs_diff(T a, T b) { return a < b ? (U)((U)b - (U)a) : (U)((U)a - (U)b); }          \
    T OVERLOAD rotate(T a, T b)                                                                    \
    {                                                                                              \
        uint n = (uint)b & (8 * sizeof(T) - 1);                                                    \
        return n ? (T)((U)((U)a << n) | (U)((U)a >> (8 * sizeof(T) - n))) : a;                     \
    }                                                                                              \
    T OVERLOAD hadd(T a, T b) { return (T)((a >> 1) + (b >> 1) + (a & b & 1)); }                   \
    T OVERLOAD rhadd(T a, T b) { return (T)((a >> 1) + (b >> 1) + ((a | b) & 1)); }                \
    T OVERLOAD popcount(T a) { return (T)__builtin_popcountl((U)a); }                              \
    T OVERLOAD clz(T a)                                                                            \
    {                                                                                              \
        return (T)(a ? __builtin_clzl((U)a) - (64 - 8 * (int)sizeof(T)) : 8 * (int)sizeof(T));     \
    }                                                                                              \
    T OVERLOAD add_sat(T a, T b)                                                                   \
    {                                                                                              \
        T r, high = (T)((U)-1 >> ((T)-1 < 0));                                                     \
        return __builtin_add_overflow(a, b, &r) ? (b < 0 ? (T)~high : high) : r;                   \
    }                                                                                              \
    T OVERLOAD sub_sat(T a, T b)                                                                   \
    {                                                                                              \
        T r, high = (T)((U)-1 >> ((T)-1 < 0));                                                     \
        return __builtin_sub_overflow(a, b, &r) ? (a < b ? (T)~high : high) : r;                   \
    }                                                                                              \
    WIDEN2(T, min, T) WIDEN2(T, max, T) WIDEN3(T, clamp, T) WIDEN1(U, abs, T)                      \
    WIDEN2(U, abs_diff, T) WIDEN2(T, rotate, T) WIDEN2(T, hadd, T) WIDEN2(T, rhadd, T)             \
    WIDEN1(T, popcount, T) WIDEN1(T, clz, T) WIDEN2(T, add_sat, T) WIDEN2(T, sub_sat, T)           \
    SCALAR2(T, min) SCALAR2(T, max) SCALAR3(T, clamp)
EACH_INTEGER(INTEGER)

#define MUL24(T)                                                                                   \
    T OVERLOAD mul24(T a, T b) { return a * b; }                                                   \
    T OVERLOAD mad24(T a, T b, T c) { return a * b + c; }                                          \
    WIDEN2(T, mul24, T) WIDEN3(T, mad24, T)
MUL24(int)
MUL24(uint)

#define MUL_HI(T, W)                                                                               \
    T OVERLOAD mul_hi(T a, T b) { return (T)(((W)a * (W)b) >> (8 * sizeof(T))); }                  \
    T OVERLOAD mad_hi(T a, T b, T c) { return (T)(mul_hi(a, b) + c); }                             \
    WIDEN2(T, mul_hi, T) WIDEN3(T, mad_hi, T)
MUL_HI(char, int)
MUL_HI(uchar, uint)
MUL_HI(short, int)
MUL_HI(ushort, uint)
MUL_HI(int, long)
MUL_HI(uint, ulong)

/* -- maths ------------------------------------------------------------------------------------- */

#define MATH1(F)                                                                                   \
    float OVERLOAD F(float x) { return __builtin_##F##f(x); }                                      \
    WIDEN1(float, F, float)
#define MATH2(F)                                                                                   \
    float OVERLOAD F(float x, float y) { return __builtin_##F##f(x, y); }                          \
    WIDEN2(float, F, float)
#define OWN1(f, value)                                                                             \
    float OVERLOAD f(float x) { return value; }                                                    \
    WIDEN1(float, f, float)
#define OWN2(f, value)                                                                             \
    float OVERLOAD f(float x, float y) { return value; }                                           \
    WIDEN2(float, f, float)
#define OWN3(f, value)                                                                             \
    float OVERLOAD f(float x, float y, float z) { return value; }                                  \
    WIDEN3(float, f, float)
MATH1(acos) MATH1(asin) MATH1(atan) MATH1(cbrt) MATH1(ceil) MATH1(cos) MATH1(cosh) MATH1(exp)
MATH1(exp2) MATH1(expm1) MATH1(fabs) MATH1(floor) MATH1(log) MATH1(log10) MATH1(log1p) MATH1(log2)
MATH1(rint) MATH1(round) MATH1(sin) MATH1(sinh) MATH1(sqrt) MATH1(tan) MATH1(tanh) MATH1(trunc)
MATH1(acosh) MATH1(asinh) MATH1(atanh) MATH1(erf) MATH1(erfc) MATH1(logb) MATH1(lgamma)
MATH1(tgamma)
MATH2(atan2) MATH2(copysign) MATH2(fdim) MATH2(fmax) MATH2(fmin) MATH2(fmod) MATH2(hypot)
MATH2(pow)
OWN1(rsqrt, 1 / __builtin_sqrtf(x))
OWN1(sign, x > 0 ? 1.0f : x < 0 ? -1.0f : x == 0 ? x : 0.0f)
OWN1(degrees, x * 57.295779513f)
OWN1(radians, x * 0.01745329252f)
OWN1(native_sqrt, __builtin_sqrtf(x))
OWN1(native_rsqrt, 1 / __builtin_sqrtf(x))
OWN1(native_recip, 1 / x)
OWN1(native_sin, __builtin_sinf(x))
OWN1(native_cos, __builtin_cosf(x))
OWN1(native_tan, __builtin_tanf(x))
OWN1(native_exp, __builtin_expf(x))
OWN1(native_exp2, __builtin_exp2f(x))
OWN1(native_log, __builtin_logf(x))
OWN1(native_log2, __builtin_log2f(x))
OWN1(native_log10, __builtin_log10f(x))
OWN2(powr, __builtin_powf(x, y))
OWN2(native_powr, __builtin_powf(x, y))
OWN2(native_divide, x / y)
OWN2(min, y < x ? y : x)
OWN2(max, x < y ? y : x)
OWN2(step, y < x ? 0.0f : 1.0f)
OWN3(clamp, __builtin_fminf(__builtin_fmaxf(x, y), z))
OWN3(mix, x + (y - x) * z)
OWN3(mad, x * y + z)
OWN3(fma, __builtin_fmaf(x, y, z))
SCALAR2(float, min) SCALAR2(float, max) SCALAR2(float, fmin) SCALAR2(float, fmax)
SCALAR3(float, clamp)
double OVERLOAD sqrt(double x) { return __builtin_sqrt(x); }
double OVERLOAD fabs(double x) { return __builtin_fabs(x); }
double OVERLOAD floor(double x) { return __builtin_floor(x); }
double OVERLOAD sin(double x) { return __builtin_sin(x); }
double OVERLOAD cos(double x) { return __builtin_cos(x); }
double OVERLOAD exp(double x) { return __builtin_exp(x); }
double OVERLOAD log(double x) { return __builtin_log(x); }
double OVERLOAD pow(double x, double y) { return __builtin_pow(x, y); }
double OVERLOAD min(double x, double y) { return y < x ? y : x; }
double OVERLOAD max(double x, double y) { return x < y ? y : x; }

/* -- geometry ---------------------------------------------------------------------------------- */

float OVERLOAD dot(float x, float y) { return x * y; }
float OVERLOAD dot(float2 x, float2 y) { return x.x * y.x + x.y * y.y; }
float OVERLOAD dot(float3 x, float3 y) { return x.x * y.x + x.y * y.y + x.z * y.z; }
float OVERLOAD dot(float4 x, float4 y) { return x.x * y.x + x.y * y.y + x.z * y.z + x.w * y.w; }
#define GEOMETRY(T)                                                                                \
    float OVERLOAD length(T x) { return __builtin_sqrtf(dot(x, x)); }                              \
    float OVERLOAD fast_length(T x) { return __builtin_sqrtf(dot(x, x)); }                         \
    float OVERLOAD distance(T x, T y) { return length(x - y); }                                    \
    float OVERLOAD fast_distance(T x, T y) { return length(x - y); }                               \
    T OVERLOAD normalize(T x) { return x / length(x); }                                            \
    T OVERLOAD fast_normalize(T x) { return x / length(x); }
GEOMETRY(float2)
GEOMETRY(float3)
GEOMETRY(float4)
float3 OVERLOAD cross(float3 a, float3 b)
{
    return (float3)(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
float4 OVERLOAD cross(float4 a, float4 b) { return (float4)(cross(a.xyz, b.xyz), 0.0f); }

/* -- relations, choices ------------------------------------------------------------------------ */

int OVERLOAD isnan(float x) { return x != x; }
int OVERLOAD isinf(float x) { return __builtin_isinf(x) != 0; }
int OVERLOAD isnormal(float x) { return __builtin_isnormal(x) != 0; }
int OVERLOAD signbit(float x) { return __builtin_signbit(x) != 0; }
int OVERLOAD isfinite(float x) { return __builtin_isfinite(x) != 0; }
int OVERLOAD any(int x) { return x < 0; }
int OVERLOAD any(int2 x) { return any(x.x | x.y); }
int OVERLOAD any(int3 x) { return any(x.x | x.y | x.z); }
int OVERLOAD any(int4 x) { return any(x.lo | x.hi); }
int OVERLOAD all(int x) { return x < 0; }
int OVERLOAD all(int2 x) { return all(x.x & x.y); }
int OVERLOAD all(int3 x) { return all(x.x & x.y & x.z); }
int OVERLOAD all(int4 x) { return all(x.lo & x.hi); }
int OVERLOAD select(int a, int b, int c) { return c ? b : a; }
int OVERLOAD select(int a, int b, uint c) { return c ? b : a; }
uint OVERLOAD select(uint a, uint b, int c) { return c ? b : a; }
uint OVERLOAD select(uint a, uint b, uint c) { return c ? b : a; }
float OVERLOAD select(float a, float b, int c) { return c ? b : a; }
float4 OVERLOAD select(float4 a, float4 b, int4 c) { return c ? b : a; }
int4 OVERLOAD select(int4 a, int4 b, int4 c) { return c ? b : a; }

/* -- conversions ------------------------------------------------------------------------------- */

#define CONVERT(T, F)                                                                              \
    T OVERLOAD convert_##T(F x) { return (T)x; }                                                   \
    T##2 OVERLOAD convert_##T##2(F##2 x) { return __builtin_convertvector(x, T##2); }              \
    T##3 OVERLOAD convert_##T##3(F##3 x) { return __builtin_convertvector(x, T##3); }              \
    T##4 OVERLOAD convert_##T##4(F##4 x) { return __builtin_convertvector(x, T##4); }              \
    T##8 OVERLOAD convert_##T##8(F##8 x) { return __builtin_convertvector(x, T##8); }              \
    T##16 OVERLOAD convert_##T##16(F##16 x) { return __builtin_convertvector(x, T##16); }
#define CONVERTS(T)                                                                                \
    CONVERT(T, char) CONVERT(T, uchar) CONVERT(T, short) CONVERT(T, ushort) CONVERT(T, int)        \
    CONVERT(T, uint) CONVERT(T, long) CONVERT(T, ulong) CONVERT(T, float) CONVERT(T, double)
CONVERTS(char) CONVERTS(uchar) CONVERTS(short) CONVERTS(ushort) CONVERTS(int) CONVERTS(uint)
CONVERTS(long) CONVERTS(ulong) CONVERTS(float) CONVERTS(double)

/* -- vectors in memory ------------------------------------------------------------------------- */

#define LANES2(p) p[0], p[1]
#define LANES3(p) p[0], p[1], p[2]
#define LANES4(p) LANES2(p), p[2], p[3]
#define LANES8(p) LANES4(p), p[4], p[5], p[6], p[7]
#define LANES16(p) LANES8(p), p[8], p[9], p[10], p[11], p[12], p[13], p[14], p[15]
#define LOAD(T, S, n)                                                                              \
    T##n OVERLOAD vload##n(size_t i, const S T *p)                                                 \
    {                                                                                              \
        p += n * i;                                                                                \
        return (T##n)(LANES##n(p));                                                                \
    }
#define STORE(T, S, n)                                                                             \
    void OVERLOAD vstore##n(T##n v, size_t i, S T *p)                                              \
    {                                                                                              \
        for (int k = 0; k < n; k++)                                                                \
            p[n * i + k] = v[k];                                                                   \
    }
#define LOADS(T, S) LOAD(T, S, 2) LOAD(T, S, 3) LOAD(T, S, 4) LOAD(T, S, 8) LOAD(T, S, 16)
#define STORES(T, S) STORE(T, S, 2) STORE(T, S, 3) STORE(T, S, 4) STORE(T, S, 8) STORE(T, S, 16)
#define MEMORY(T, U)                                                                               \
    LOADS(T, global) LOADS(T, private) LOADS(T, constant) STORES(T, global) STORES(T, private)
EACH_INTEGER(MEMORY)
MEMORY(float, )
