/* main(): calls the entry function, hashes every observable global, prints `checksum = %X`.
 *
 * The contract is Csmith's (dissertation 3.3): CRC-32 over the 64-bit value of each scalar global,
 * scalar field and array element in order; with the argument `1` the hash after each one is printed
 * ("...checksum after hashing g_3.f0 : 1A2B3C4D").
 *
 * What can be hashed depends on how the one execution ended (which member of a union was stored
 * last, which pointers are still valid), so main is made after the entry function has been
 * interpreted; the caller answers through a `struct cc_final`. */
#ifndef ASSAY_CC_CHECKSUM_H
#define ASSAY_CC_CHECKSUM_H

#include "cc/ast.h"

/* How a global ended. `path` is a sequence of choices from the variable's type down to a subobject:
 * field indices of records (array elements are not chosen: the answer must hold for all). */
struct cc_final {
    void *of;
    /* The union member at this lvalue that may be read in every element; -1: none. The lvalue has
     * index expressions made of the loop variables of main. */
    int (*union_member)(void *of, const struct cc_var *v, const int *path, int n);
    /* The object that the pointer at this lvalue points to: an address constant to compare with, or
     * NULL if it has to be left out; not asked inside arrays. */
    struct cc_expr *(*points_to)(void *of, const struct cc_var *v, const int *path, int n);
};

/* Make p->main: int main(void), not in p->funcs. The interpreter runs `entry` and then main's
 * checksum statements: main's body is [0] the call of entry (absent if entry is NULL), then the
 * declarations of the loop variables and the checksum statements; what prints the checksum is the
 * printer's. Of an
 * __int128 the low half is hashed, then the high half. Without `final` (NULL) unions and pointers
 * are left out. Called again, it makes another main in place of the old one. */
void cc_make_main(struct cc_program *p, const struct cc_final *final);

/* The hash itself, as the printed support computes it. */
uint32_t cc_crc_start(void);                       /* 0xFFFFFFFF */
uint32_t cc_crc_u64(uint32_t crc, uint64_t value); /* low byte first */
/* Object bytes in the order given: of a float or double, low byte first. */
uint32_t cc_crc_bytes(uint32_t crc, const void *bytes, size_t n);
uint32_t cc_crc_end(uint32_t crc); /* ^ 0xFFFFFFFF */

#endif
