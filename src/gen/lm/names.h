/* Canonical names (DeepSmith 2.1, "Encoder"): every name that a program declares itself is
 * replaced, by order of declaration, so that a model learns structure and not spelling, and so that
 * whoever samples knows which name a new declaration must have.
 *
 *     functions                 A, B, ... Z, AA, AB, ...      in the program
 *     parameters, variables     a, b, ... z, aa, ab, ...      anew in each function
 *     variables of file scope,
 *     enumerators               Ga, Gb, ... Gz, Gaa, ...      in the program
 *     tags and typedef names    Ta, Tb, ...                   in the program
 *     members                   fa, fb, ...                   anew in each struct or union
 *     labels                    La, Lb, ...                   anew in each function
 *
 * A name that is a word of the language (`do`, `if`) is passed over. A declaration in an inner
 * block takes the next name of its function: no name is declared twice in a function. */
#ifndef ASSAY_GEN_LM_NAMES_H
#define ASSAY_GEN_LM_NAMES_H

#include <stdbool.h>
#include <stddef.h>

enum lm_name_kind {
    LM_NAME_FUNCTION,
    LM_NAME_VARIABLE,
    LM_NAME_GLOBAL,
    LM_NAME_TYPE,
    LM_NAME_MEMBER,
    LM_NAME_LABEL,
    LM_NAME_KINDS
};

enum { LM_NAME_SIZE = 16 };

/* The n-th name of its kind, from 0, those that are keywords of C or OpenCL C left out. */
const char *lm_name(enum lm_name_kind kind, size_t n, char out[LM_NAME_SIZE]);
/* Which name of which kind is it? False: it is no canonical name (of at most four letters). A
 * variable `fa` or `aa` is also a member's name: `kind` says what is asked for. */
bool lm_name_number(enum lm_name_kind kind, const char *text, size_t size, size_t *n);
bool lm_is_keyword(const char *text, size_t size);

#endif
