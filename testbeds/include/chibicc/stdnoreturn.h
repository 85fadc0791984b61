/* <stdnoreturn.h> for chibicc (C11 7.23). */
#ifndef ASSAY_CHIBICC_STDNORETURN_H
#define ASSAY_CHIBICC_STDNORETURN_H

#define noreturn _Noreturn

#endif
