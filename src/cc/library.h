/* Functions of the C library, and GCC's builtins of the same meaning, that imported programs may
 * call and that `interp` runs itself. A function that is only declared and has one of these names,
 * with or without `__builtin_` before it, is that function. */
#ifndef ASSAY_CC_LIBRARY_H
#define ASSAY_CC_LIBRARY_H

/* Kinds: a FUNCTION of the library that compilers know; a PLAIN one, whose name a program may give
 * to a function of its own; a BUILTIN of compilers, called with `__builtin_` before its name and no
 * other way; one like that whose name is TAKEN: no function of a program may have it.
 */
/* clang-format off */
#define CC_LIBRARY_TABLE(X)                                                                        \
    /* control */                                                                                  \
    X(ABORT, "abort", FUNCTION) X(EXIT, "exit", FUNCTION) X(QUICK_EXIT, "_exit", FUNCTION)         \
    X(TRAP, "trap", BUILTIN) X(ASSERT_FAIL, "__assert_fail", FUNCTION)                             \
    X(UNREACHABLE, "unreachable", BUILTIN) X(ATEXIT, "atexit", FUNCTION)                           \
    /* arguments */                                                                                \
    X(VA_START, "va_start", BUILTIN) X(VA_END, "va_end", BUILTIN) X(VA_COPY, "va_copy", BUILTIN)   \
    /* memory */                                                                                   \
    X(MALLOC, "malloc", FUNCTION) X(CALLOC, "calloc", FUNCTION) X(REALLOC, "realloc", FUNCTION)    \
    X(FREE, "free", FUNCTION) X(ALLOCA, "alloca", FUNCTION) X(MEMCPY, "memcpy", FUNCTION)          \
    X(MEMMOVE, "memmove", FUNCTION) X(MEMPCPY, "mempcpy", FUNCTION) X(MEMSET, "memset", FUNCTION)  \
    X(MEMCMP, "memcmp", FUNCTION) X(MEMCHR, "memchr", FUNCTION) X(BZERO, "bzero", FUNCTION)        \
    X(BCOPY, "bcopy", FUNCTION) X(BCMP, "bcmp", FUNCTION)                                          \
    /* strings */                                                                                  \
    X(STRLEN, "strlen", FUNCTION) X(STRNLEN, "strnlen", FUNCTION) X(STRCPY, "strcpy", FUNCTION)    \
    X(STRNCPY, "strncpy", FUNCTION) X(STPCPY, "stpcpy", FUNCTION) X(STRCAT, "strcat", FUNCTION)    \
    X(STRNCAT, "strncat", FUNCTION) X(STRCMP, "strcmp", FUNCTION) X(STRNCMP, "strncmp", FUNCTION)  \
    X(STRCHR, "strchr", FUNCTION) X(STRRCHR, "strrchr", FUNCTION) X(STRSTR, "strstr", FUNCTION)    \
    X(STRSPN, "strspn", FUNCTION) X(STRCSPN, "strcspn", FUNCTION) X(STRPBRK, "strpbrk", FUNCTION)  \
    X(INDEX, "index", FUNCTION) X(RINDEX, "rindex", FUNCTION) X(STRDUP, "strdup", FUNCTION)        \
    /* output */                                                                                   \
    X(PRINTF, "printf", FUNCTION) X(SPRINTF, "sprintf", FUNCTION)                                  \
    X(SNPRINTF, "snprintf", FUNCTION) X(FPRINTF, "fprintf", FUNCTION)                              \
    X(VPRINTF, "vprintf", FUNCTION) X(VSPRINTF, "vsprintf", FUNCTION)                              \
    X(VSNPRINTF, "vsnprintf", FUNCTION) X(VFPRINTF, "vfprintf", FUNCTION)                          \
    X(PUTS, "puts", FUNCTION) X(PUTCHAR, "putchar", FUNCTION) X(FPUTS, "fputs", FUNCTION)          \
    X(FPUTC, "fputc", FUNCTION) X(PUTC, "putc", FUNCTION) X(FFLUSH, "fflush", FUNCTION)            \
    /* files */                                                                                    \
    X(FGETC, "fgetc", PLAIN) X(GETC, "getc", PLAIN) X(UNGETC, "ungetc", PLAIN)            \
    X(FGETS, "fgets", PLAIN) X(FREAD, "fread", PLAIN) X(FWRITE, "fwrite", FUNCTION)          \
    X(FSEEK, "fseek", PLAIN) X(REWIND, "rewind", PLAIN) X(FTELL, "ftell", PLAIN)          \
    X(FEOF, "feof", PLAIN) X(FERROR, "ferror", PLAIN) X(CLEARERR, "clearerr", PLAIN)      \
    X(TMPFILE, "tmpfile", PLAIN) X(TMPNAM, "tmpnam", PLAIN) X(FOPEN, "fopen", PLAIN)      \
    X(FCLOSE, "fclose", PLAIN) X(REMOVE, "remove", PLAIN) X(FSCANF, "fscanf", FUNCTION)      \
    X(SETVBUF, "setvbuf", PLAIN) X(SETBUF, "setbuf", PLAIN)                                  \
    /* input from strings */                                                                       \
    X(SSCANF, "sscanf", FUNCTION) X(VSSCANF, "vsscanf", FUNCTION)                                  \
    /* numbers */                                                                                  \
    X(ABS, "abs", FUNCTION) X(LABS, "labs", FUNCTION) X(LLABS, "llabs", FUNCTION)                  \
    X(ATOL, "atol", PLAIN) X(ATOLL, "atoll", PLAIN) X(ATOF, "atof", PLAIN)                \
    X(STRTOL, "strtol", PLAIN) X(STRTOUL, "strtoul", PLAIN) X(STRTOLL, "strtoll", PLAIN)  \
    X(STRTOULL, "strtoull", PLAIN) X(STRTOD, "strtod", PLAIN)                                \
    X(ATOI, "atoi", FUNCTION) X(FABS, "fabs", FUNCTION) X(FABSF, "fabsf", FUNCTION)                \
    X(SQRT, "sqrt", FUNCTION) X(SQRTF, "sqrtf", FUNCTION) X(FLOOR, "floor", FUNCTION)              \
    X(CEIL, "ceil", FUNCTION) X(TRUNC, "trunc", FUNCTION) X(RINT, "rint", FUNCTION)                \
    X(FMOD, "fmod", FUNCTION) X(COPYSIGN, "copysign", FUNCTION)                                    \
    X(COPYSIGNF, "copysignf", FUNCTION) X(FMIN, "fmin", FUNCTION) X(FMAX, "fmax", FUNCTION)        \
    X(ISNAN, "isnan", FUNCTION) X(ISINF, "isinf", FUNCTION) X(ISFINITE, "isfinite", TAKEN)         \
    X(SIGNBIT, "signbit", TAKEN) X(INF, "inf", BUILTIN) X(INFF, "inff", BUILTIN)                   \
    X(HUGE_VAL, "huge_val", BUILTIN) X(HUGE_VALF, "huge_valf", BUILTIN) X(NAN, "nan", FUNCTION)    \
    X(NANF, "nanf", FUNCTION) X(ISGREATER, "isgreater", TAKEN)                                     \
    X(ISGREATEREQUAL, "isgreaterequal", TAKEN) X(ISLESS, "isless", TAKEN)                          \
    X(ISLESSEQUAL, "islessequal", TAKEN) X(ISLESSGREATER, "islessgreater", TAKEN)                  \
    X(ISUNORDERED, "isunordered", TAKEN)                                                           \
    X(FLOORF, "floorf", FUNCTION) X(CEILF, "ceilf", FUNCTION) X(TRUNCF, "truncf", FUNCTION)        \
    X(RINTF, "rintf", FUNCTION) X(ROUND, "round", FUNCTION) X(ROUNDF, "roundf", FUNCTION)          \
    X(NEARBYINT, "nearbyint", FUNCTION) X(EXP, "exp", FUNCTION) X(EXPF, "expf", FUNCTION)          \
    X(EXP2, "exp2", FUNCTION) X(EXP2F, "exp2f", FUNCTION) X(LOG, "log", FUNCTION)                  \
    X(LOGF, "logf", FUNCTION) X(LOG2, "log2", FUNCTION) X(LOG2F, "log2f", FUNCTION)                \
    X(LOG10, "log10", FUNCTION) X(LOG10F, "log10f", FUNCTION) X(SIN, "sin", FUNCTION)              \
    X(SINF, "sinf", FUNCTION) X(COS, "cos", FUNCTION) X(COSF, "cosf", FUNCTION)                    \
    X(TAN, "tan", FUNCTION) X(TANF, "tanf", FUNCTION) X(ASIN, "asin", FUNCTION)                    \
    X(ASINF, "asinf", FUNCTION) X(ACOS, "acos", FUNCTION) X(ACOSF, "acosf", FUNCTION)              \
    X(ATAN, "atan", FUNCTION) X(ATANF, "atanf", FUNCTION) X(SINH, "sinh", FUNCTION)                \
    X(SINHF, "sinhf", FUNCTION) X(COSH, "cosh", FUNCTION) X(COSHF, "coshf", FUNCTION)              \
    X(TANH, "tanh", FUNCTION) X(TANHF, "tanhf", FUNCTION) X(CBRT, "cbrt", FUNCTION)                \
    X(CBRTF, "cbrtf", FUNCTION) X(POW, "pow", FUNCTION) X(POWF, "powf", FUNCTION)                  \
    X(ATAN2, "atan2", FUNCTION) X(ATAN2F, "atan2f", FUNCTION) X(HYPOT, "hypot", FUNCTION)          \
    X(HYPOTF, "hypotf", FUNCTION) X(LDEXP, "ldexp", FUNCTION) X(LDEXPF, "ldexpf", FUNCTION)        \
    X(SCALBN, "scalbn", FUNCTION) X(SCALBNF, "scalbnf", FUNCTION)                                  \
    X(NEXTAFTER, "nextafter", FUNCTION) X(NEXTAFTERF, "nextafterf", FUNCTION)                      \
    X(FDIM, "fdim", FUNCTION) X(REMAINDER, "remainder", FUNCTION) X(FMODF, "fmodf", FUNCTION)      \
    X(FMINF, "fminf", FUNCTION) X(FMAXF, "fmaxf", FUNCTION) X(FMA, "fma", FUNCTION)                \
    X(LROUND, "lround", FUNCTION) X(LRINT, "lrint", FUNCTION) X(LLROUND, "llround", FUNCTION)      \
    X(LLRINT, "llrint", FUNCTION) X(FREXP, "frexp", FUNCTION) X(MODF, "modf", FUNCTION)            \
    /* characters */                                                                               \
    X(ISDIGIT, "isdigit", FUNCTION) X(ISALPHA, "isalpha", FUNCTION)                                \
    X(ISALNUM, "isalnum", FUNCTION) X(ISSPACE, "isspace", FUNCTION)                                \
    X(ISUPPER, "isupper", FUNCTION)                                                                \
    X(ISLOWER, "islower", FUNCTION) X(ISPRINT, "isprint", FUNCTION)                                \
    X(ISXDIGIT, "isxdigit", FUNCTION) X(ISPUNCT, "ispunct", FUNCTION)                              \
    X(ISCNTRL, "iscntrl", FUNCTION) X(ISGRAPH, "isgraph", FUNCTION)                                \
    X(ISBLANK, "isblank", FUNCTION) X(CTYPE_B, "__ctype_b_loc", PLAIN)                          \
    X(CTYPE_TOUPPER, "__ctype_toupper_loc", PLAIN)                                              \
    X(CTYPE_TOLOWER, "__ctype_tolower_loc", PLAIN)                                              \
    X(TOUPPER, "toupper", FUNCTION) X(TOLOWER, "tolower", FUNCTION)                                \
    /* bits, of the widths that cc's own builtins do not have */                                   \
    X(CLZL, "clzl", TAKEN) X(CTZL, "ctzl", TAKEN) X(FFSL, "ffsl", FUNCTION)                        \
    X(POPCOUNTL, "popcountl", TAKEN) X(PARITYL, "parityl", TAKEN) X(CLRSBL, "clrsbl", TAKEN)       \
    X(ASSUME_ALIGNED, "assume_aligned", BUILTIN) X(PREFETCH, "prefetch", BUILTIN)                  \
    /* what assay adds to a program, to see its variables */                                       \
    X(SEE, "assay_see", FUNCTION) X(SEE_DOUBLE, "assay_see_double", FUNCTION)
/* clang-format on */

enum cc_library {
    CC_LIB_NONE,
#define X(id, name, kind) CC_LIB_##id,
    CC_LIBRARY_TABLE(X)
#undef X
        CC_N_LIBRARY
};

enum cc_library_kind { CC_LIB_FUNCTION, CC_LIB_PLAIN, CC_LIB_TAKEN, CC_LIB_BUILTIN };

extern const char *const cc_library_name[CC_N_LIBRARY];
extern const enum cc_library_kind cc_library_kind[CC_N_LIBRARY];
/* The function of that name, `__builtin_` before it left out; CC_LIB_NONE: it is none of them. */
enum cc_library cc_library_named(const char *name);

#endif
