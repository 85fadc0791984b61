/* Functions of the C library, and GCC's builtins of the same meaning, that imported programs may
 * call and that `interp` runs itself. A function that is only declared and has one of these names,
 * with or without `__builtin_` before it, is that function. */
#ifndef ASSAY_CC_LIBRARY_H
#define ASSAY_CC_LIBRARY_H

/* clang-format off */
#define CC_LIBRARY_TABLE(X)                                                                        \
    /* control */                                                                                  \
    X(ABORT, "abort")                                                                              \
    X(EXIT, "exit")                                                                                \
    X(QUICK_EXIT, "_exit") X(TRAP, "trap") X(ASSERT_FAIL, "__assert_fail") X(UNREACHABLE, "unreachable")                           \
        X(ATEXIT, "atexit")                                               /* arguments */          \
        X(VA_START, "va_start") X(VA_END, "va_end") X(VA_COPY, "va_copy") /* memory */             \
        X(MALLOC, "malloc") X(CALLOC, "calloc") X(REALLOC, "realloc") X(FREE, "free")              \
            X(ALLOCA, "alloca") X(MEMCPY, "memcpy") X(MEMMOVE, "memmove") X(MEMPCPY, "mempcpy")    \
                X(MEMSET, "memset") X(MEMCMP, "memcmp") X(MEMCHR, "memchr") X(BZERO, "bzero")      \
                    X(BCOPY, "bcopy") X(BCMP, "bcmp") /* strings */                                \
        X(STRLEN, "strlen") X(STRNLEN, "strnlen") X(STRCPY, "strcpy") X(STRNCPY, "strncpy")        \
            X(STPCPY, "stpcpy") X(STRCAT, "strcat") X(STRNCAT, "strncat") X(STRCMP, "strcmp")      \
                X(STRNCMP, "strncmp") X(STRCHR, "strchr") X(STRRCHR, "strrchr")                    \
                    X(STRSTR, "strstr") X(STRSPN, "strspn") X(STRCSPN, "strcspn")                  \
                        X(STRPBRK, "strpbrk") X(INDEX, "index") X(RINDEX, "rindex")                \
                            X(STRDUP, "strdup") /* output */                                       \
        X(PRINTF, "printf") X(SPRINTF, "sprintf") X(SNPRINTF, "snprintf") X(FPRINTF, "fprintf")    \
            X(VPRINTF, "vprintf") X(VSPRINTF, "vsprintf") X(VSNPRINTF, "vsnprintf")                \
                X(VFPRINTF, "vfprintf") X(PUTS, "puts") X(PUTCHAR, "putchar") X(FPUTS, "fputs")    \
                    X(FPUTC, "fputc") X(PUTC, "putc") X(FFLUSH, "fflush") /* numbers */            \
        X(ABS, "abs") X(LABS, "labs") X(LLABS, "llabs") X(ATOI, "atoi") X(FABS, "fabs")            \
            X(FABSF, "fabsf") X(SQRT, "sqrt") X(SQRTF, "sqrtf") X(FLOOR, "floor") X(CEIL, "ceil")  \
                X(TRUNC, "trunc") X(RINT, "rint") X(FMOD, "fmod") X(COPYSIGN, "copysign")          \
                    X(COPYSIGNF, "copysignf") X(FMIN, "fmin") X(FMAX, "fmax") X(ISNAN, "isnan")    \
                        X(ISINF, "isinf") X(ISFINITE, "isfinite") X(SIGNBIT, "signbit")            \
                            X(INF, "inf") X(INFF, "inff") X(HUGE_VAL, "huge_val")                  \
                                X(HUGE_VALF, "huge_valf") X(NAN, "nan") X(NANF, "nanf")            \
                                    X(ISGREATER, "isgreater") X(ISGREATEREQUAL, "isgreaterequal")  \
                                        X(ISLESS, "isless") X(ISLESSEQUAL, "islessequal")          \
                                            X(ISLESSGREATER, "islessgreater")                      \
                                                X(ISUNORDERED, "isunordered") /* characters */     \
        X(ISDIGIT, "isdigit") X(ISALPHA, "isalpha") X(ISALNUM, "isalnum") X(ISSPACE, "isspace") X( \
            ISUPPER, "isupper") X(ISLOWER, "islower") X(ISPRINT, "isprint") X(TOUPPER, "toupper")  \
            X(TOLOWER, "tolower") /* bits, of the widths that cc's own builtins do not have */     \
        X(CLZL, "clzl") X(CTZL, "ctzl") X(FFSL, "ffsl") X(POPCOUNTL, "popcountl")                  \
            X(PARITYL, "parityl") X(CLRSBL, "clrsbl") X(ASSUME_ALIGNED, "assume_aligned")          \
                X(PREFETCH, "prefetch") /* what assay adds to a program, to see its variables */   \
        X(SEE, "assay_see") X(SEE_DOUBLE, "assay_see_double")
/* clang-format on */

enum cc_library {
    CC_LIB_NONE,
#define X(id, name) CC_LIB_##id,
    CC_LIBRARY_TABLE(X)
#undef X
        CC_N_LIBRARY
};

extern const char *const cc_library_name[CC_N_LIBRARY];
/* The function of that name, `__builtin_` before it left out; CC_LIB_NONE: it is none of them. */
enum cc_library cc_library_named(const char *name);

#endif
