/* <stddef.h> for chibicc (C11 7.19): Debian's package brings none of the freestanding headers.
 * glibc asks for single types with __need_...; all of them may be given at once, so we do. */
#ifndef ASSAY_CHIBICC_STDDEF_H
#define ASSAY_CHIBICC_STDDEF_H

typedef unsigned long size_t;
typedef long ptrdiff_t;
typedef int wchar_t;
typedef unsigned int wint_t; /* not C11's place for it, but glibc's <wchar.h> asks here */
typedef struct {
    long long integer;
    long double floating;
} max_align_t;

#undef NULL
#define NULL ((void *)0)
#define offsetof(type, member) ((size_t) & (((type *)0)->member))

#endif
