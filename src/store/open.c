/* Opening and closing a store, whichever engine it has. */
#include "store/store_internal.h"

#include <inttypes.h>

int store_open(const char *path, enum store_mode mode, struct store **out, struct error *e)
{
    struct store *s = mem_alloc(sizeof *s);
    *out = NULL;
    *s = (struct store){.engine = &engine_sqlite, .path = strdup(path), .mode = mode};
    REQUIRE(s->path);
    if (s->engine->open(s, e)) {
        store_close(s);
        return -1;
    }
    *out = s;
    return 0;
}

void store_close(struct store *s)
{
    if (!s)
        return;
    s->engine->close(s);
    ZSTD_freeCCtx(s->zstd);
    ZSTD_freeDCtx(s->unzstd);
    vec_release(&s->queries);
    free(s->cached);
    free(s->path);
    free(s);
}

void store_while_waiting(struct store *s, void (*look)(void *of), void *of)
{
    s->look = look;
    s->look_of = of;
}

int store_damaged(struct store *s, const char *what, struct error *e)
{
    return s->engine->damaged(s, what, e);
}

int store_no_campaign(struct store *s, int64_t campaign, struct error *e)
{
    return error_at(e, ERROR_USAGE, s->path, 0, "has no campaign %" PRId64, campaign);
}
