/* <iso646.h> for chibicc (C11 7.9). */
#ifndef ASSAY_CHIBICC_ISO646_H
#define ASSAY_CHIBICC_ISO646_H

#define and &&
#define and_eq &=
#define bitand &
#define bitor |
#define compl ~
#define not !
#define not_eq !=
#define or ||
#define or_eq |=
#define xor ^
#define xor_eq ^=

#endif
