/* <stdarg.h> for chibicc (C11 7.16): Debian's package brings none of the freestanding headers.
 *
 * chibicc gives each variadic function a hidden array __va_area__. It opens with a va_list element
 * that is filled in already, and goes on with the saved registers: 6 general ones of 8 bytes, then
 * 8 floating ones of 8 bytes. (The System V ABI keeps 16 bytes for each of the latter. So a va_list
 * with a double in it that goes to libc's vprintf is read wrongly: chibicc's fault, not ours.)
 * __builtin_reg_class(type) is 0 for an integer or pointer, 1 for a floating type, 2 for the rest.
 * Class 2 and long double are read from the stack, as the ABI lays it out. What chibicc's calls do
 * differently stays wrong: a struct of at most 16 bytes in registers is not found there, and a long
 * double behind an odd number of stack words is not aligned to 16 by the caller. */
#ifndef ASSAY_CHIBICC_STDARG_H
#define ASSAY_CHIBICC_STDARG_H

typedef struct {
    unsigned gp_offset;      /* of the next general register in the save area, 48 = none left */
    unsigned fp_offset;      /* of the next floating one, 112 = none left */
    void *overflow_arg_area; /* the next argument on the stack */
    void *reg_save_area;
} __va_elem;

typedef __va_elem va_list[1];
typedef va_list __gnuc_va_list; /* the name by which glibc asks for it */

static inline void *__va_next(__va_elem *ap, int reg_class, unsigned long size, unsigned long align)
{
    char *at;
    if (reg_class == 0 && ap->gp_offset < 48) {
        at = (char *)ap->reg_save_area + ap->gp_offset;
        ap->gp_offset += 8;
        return at;
    }
    if (reg_class == 1 && size <= 8 && ap->fp_offset < 112) {
        at = (char *)ap->reg_save_area + ap->fp_offset;
        ap->fp_offset += 8;
        return at;
    }
    at = ap->overflow_arg_area;
    if (align > 8)
        at = (char *)(((unsigned long)at + 15) / 16 * 16);
    ap->overflow_arg_area = at + (size + 7) / 8 * 8;
    return at;
}

#define va_start(ap, last) ((void)(*(ap) = *(__va_elem *)__va_area__))
#define va_arg(ap, type)                                                                           \
    (*(type *)__va_next(ap, __builtin_reg_class(type), sizeof(type), _Alignof(type)))
#define va_copy(to, from) ((void)(*(to) = *(from)))
#define va_end(ap) ((void)(ap))

#endif
