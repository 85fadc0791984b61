/* Opening and closing a store, whichever engine it has. */
#include "store/store_internal.h"

#include "base/fs.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <limits.h>

bool store_is_url(const char *path)
{
    return !strncmp(path, "postgresql://", 13) || !strncmp(path, "postgres://", 11);
}

void store_show_path(const char *path, struct strbuf *out)
{
    const char *name = strstr(path, "://"), *host = name ? strchr(name, '@') : NULL;
    const char *colon = host ? memchr(name + 3, ':', (size_t)(host - name - 3)) : NULL;
    if (colon) {
        strbuf_add(out, path, (size_t)(colon - path));
        path = host;
    }
    const char *word = store_is_url(path) || colon ? strstr(path, "password=") : NULL;
    if (word) {
        strbuf_add(out, path, (size_t)(word - path));
        path = word + strcspn(word, "&");
    }
    strbuf_adds(out, path);
}

/* libpq, with all that it needs for encryption, would cost every start of assay milliseconds: the
 * engine is a module of its own, loaded once and never unloaded. NULL and the error. */
static const struct engine *load_postgres(struct error *e)
{
#ifdef ASSAY_NO_POSTGRES
    error_set(e, ERROR_ENVIRONMENT,
              "this assay was built without PostgreSQL: install libpq-dev and configure again");
    return NULL;
#else
    char path[PATH_MAX + 64];
    if (!fs_find_own("assay-postgres.so", path, sizeof path)) {
        error_set(e, ERROR_ENVIRONMENT,
                  "assay-postgres.so, which speaks to databases, is not where assay is: reinstall "
                  "assay");
        return NULL;
    }
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const struct engine *engine = handle ? dlsym(handle, "engine_postgres") : NULL;
    if (!engine)
        error_set(e, ERROR_ENVIRONMENT, "assay-postgres.so cannot be loaded: %s", dlerror());
    return engine;
#endif
}

int store_open(const char *path, enum store_mode mode, struct store **out, struct error *e)
{
    const struct engine *engine = store_is_url(path) ? load_postgres(e) : &engine_sqlite;
    *out = NULL;
    if (!engine)
        return -1;
    struct store *s = mem_alloc(sizeof *s);
    *s = (struct store){.engine = engine, .path = strdup(path), .mode = mode};
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
