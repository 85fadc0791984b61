/* <float.h> for chibicc (C11 5.2.4.2.2): x86-64, long double is the x87's 80-bit format. */
#ifndef ASSAY_CHIBICC_FLOAT_H
#define ASSAY_CHIBICC_FLOAT_H

#define FLT_RADIX 2
#define FLT_ROUNDS 1
#define FLT_EVAL_METHOD 0
#define DECIMAL_DIG 21

#define FLT_MANT_DIG 24
#define FLT_DIG 6
#define FLT_DECIMAL_DIG 9
#define FLT_MIN_EXP (-125)
#define FLT_MIN_10_EXP (-37)
#define FLT_MAX_EXP 128
#define FLT_MAX_10_EXP 38
#define FLT_HAS_SUBNORM 1
#define FLT_MAX 0x1.fffffep+127f
#define FLT_MIN 0x1p-126f
#define FLT_EPSILON 0x1p-23f
#define FLT_TRUE_MIN 0x1p-149f

#define DBL_MANT_DIG 53
#define DBL_DIG 15
#define DBL_DECIMAL_DIG 17
#define DBL_MIN_EXP (-1021)
#define DBL_MIN_10_EXP (-307)
#define DBL_MAX_EXP 1024
#define DBL_MAX_10_EXP 308
#define DBL_HAS_SUBNORM 1
#define DBL_MAX 0x1.fffffffffffffp+1023
#define DBL_MIN 0x1p-1022
#define DBL_EPSILON 0x1p-52
#define DBL_TRUE_MIN 0x1p-1074

#define LDBL_MANT_DIG 64
#define LDBL_DIG 18
#define LDBL_DECIMAL_DIG 21
#define LDBL_MIN_EXP (-16381)
#define LDBL_MIN_10_EXP (-4931)
#define LDBL_MAX_EXP 16384
#define LDBL_MAX_10_EXP 4932
#define LDBL_HAS_SUBNORM 1
#define LDBL_MAX 0x1.fffffffffffffffep+16383L
#define LDBL_MIN 0x1p-16382L
#define LDBL_EPSILON 0x1p-63L
#define LDBL_TRUE_MIN 0x1p-16445L

#endif
