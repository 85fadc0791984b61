/* <stdalign.h> for chibicc (C11 7.15). */
#ifndef ASSAY_CHIBICC_STDALIGN_H
#define ASSAY_CHIBICC_STDALIGN_H

#define alignas _Alignas
#define alignof _Alignof
#define __alignas_is_defined 1
#define __alignof_is_defined 1

#endif
