/* A store that fails: the database refuses to read or to write one table. */
#ifndef ASSAY_TESTS_STORE_DENIED_H
#define ASSAY_TESTS_STORE_DENIED_H

#include "store/fixture.h"

#include <stdatomic.h>
#include <sys/mman.h>

static const char *const denied_tables[] = {
    "campaign", "testbed",  "stat",      "claim",  "program", "origin", "test", "observation",
    "finding",  "incident", "reduction", "answer", "blame",   "mark",   "kin",  "option"};
enum { DENIED_TABLES = sizeof denied_tables / sizeof *denied_tables };

struct denied {
    const char *table; /* NULL: none */
    bool writes;       /* else what is read */
    _Atomic int times; /* that it was refused */
};

static inline int denied_ask(void *of, int action, const char *table, const char *b, const char *c,
                             const char *d)
{
    struct denied *denied = of;
    bool writes = action == SQLITE_INSERT || action == SQLITE_UPDATE || action == SQLITE_DELETE;
    (void)b;
    (void)c;
    (void)d;
    if ((!writes && action != SQLITE_READ) || !denied->table || writes != denied->writes ||
        strcmp(table, denied->table) != 0)
        return SQLITE_OK;
    atomic_fetch_add(&denied->times, 1);
    return SQLITE_DENY;
}

/* From now on; `times` is 0. */
static inline void denied_begin(struct denied *d, struct store *s, const char *table, bool writes)
{
    d->table = table;
    d->writes = writes;
    d->times = 0;
    sqlite3_set_authorizer(s->db, denied_ask, d);
}

static inline void denied_end(struct store *s)
{
    sqlite3_set_authorizer(s->db, NULL, NULL);
}

/* In every store that this process and its children open from now on, and in those alone. */
static struct denied *denied_everywhere;

static inline int denied_at_opening(sqlite3 *db, char **why, const void *api)
{
    (void)why;
    (void)api;
    return sqlite3_set_authorizer(db, denied_ask, denied_everywhere);
}

static inline void denied_begin_everywhere(void)
{
    denied_everywhere = mmap(NULL, sizeof *denied_everywhere, PROT_READ | PROT_WRITE,
                             MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    sqlite3_auto_extension((void (*)(void))denied_at_opening);
}

#endif
