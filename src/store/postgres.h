/* What the two files of the engine PostgreSQL share: postgres.c and postgres_text.c. */
#ifndef ASSAY_STORE_POSTGRES_H
#define ASSAY_STORE_POSTGRES_H

#include "store/store_internal.h"

/* -- postgres_schema.c ------------------------------------------------------------------------- */

/* The tables of SCHEMA_VERSION, and what the queries need of other functions. */
extern const char postgres_tables[];

/* -- postgres_text.c --------------------------------------------------------------------------- */

/* Our SQL as PostgreSQL takes it: values are $1 instead of ?1, and a ? without a number has the
 * next one. */
void postgres_translate(const char *sql, struct strbuf *out);

/* A text of PostgreSQL's is UTF-8 without NUL; what compilers print may be anything. A byte b that
 * is part of no UTF-8 becomes the private character U+10F700 + b, and so does each byte of such a
 * character. Reversible; a text without such bytes stays as it is. */
void postgres_encode(struct bytes text, struct strbuf *out);
/* In place; the new size. */
size_t postgres_decode(char *text, size_t size);

#endif
