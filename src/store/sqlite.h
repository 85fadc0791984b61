/* What the two files of the engine SQLite share: sqlite.c and sqlite_schema.c. The store's tests
 * include it as well, to make old and foreign files. */
#ifndef ASSAY_STORE_SQLITE_H
#define ASSAY_STORE_SQLITE_H

#include "store/store_internal.h"

#include <sqlite3.h>

static inline sqlite3 *sqlite_of(const struct store *s)
{
    return s->db;
}

/* Whatever SQLite answered, as a sentence: -1. */
int sqlite_fail(struct store *s, int code, struct error *e);
/* Statements that take no value and whose rows do not matter. */
int sqlite_exec(struct store *s, const char *sql, struct error *e);
/* For a new connection: the file may come from someone else. */
int sqlite_distrust(struct store *s, struct error *e);

/* -- sqlite_schema.c --------------------------------------------------------------------------- */

/* Migration k takes a file from version k to k + 1; an empty file has version 0. */
enum { SCHEMA_APPLICATION_ID = 0x41535359 /* "ASSY" */ };
extern const char *const schema_migrations[SCHEMA_VERSION];

/* Is it ours, from what version, and are its tables and indexes those of that version, with nothing
 * else? 0 with *version (0: empty file), or -1: foreign, newer or changed. */
int schema_version(struct store *s, int *version, struct error *e);
/* Bring the open file from `version` to SCHEMA_VERSION, one transaction per step. */
int schema_migrate(struct store *s, int version, struct error *e);
/* Replace the handle's connection by a private, migrated copy of an older file. */
int schema_copy_old(struct store *s, int version, struct error *e);

#endif
