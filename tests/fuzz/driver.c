/* Every target on its seeds: tests/fuzz/seeds/TARGET/... A crash ends it, with the seed's name as
 * the last line. Argument: the folder of seeds. */
#include "fuzz.h"
#include "base/fs.h"
#include "tap.h"

#include <dirent.h>

#define TARGETS(X)                                                                                 \
    X(lala)                                                                                        \
    X(toolchain)                                                                                   \
    X(settings) X(model) X(program) X(choices) X(database) X(messages) X(tables) X(baseline)
#ifdef HAVE_VECTORS
#define MORE(X) X(vectors)
#else
#define MORE(X)
#endif
#define DECLARE(name) int fuzz_##name(const uint8_t *data, size_t size);
TARGETS(DECLARE)
MORE(DECLARE)
#define ROW(name) {#name, fuzz_##name},
static const struct {
    const char *name;
    int (*one)(const uint8_t *data, size_t size);
} targets[] = {TARGETS(ROW) MORE(ROW)};

static int run_seed(const char *path, int (*one)(const uint8_t *, size_t))
{
    struct error e = {0};
    struct strbuf text;
    strbuf_init(&text, 1 << 24);
    printf("# %s\n", path);
    fflush(stdout);
    int bad = fs_read(path, &text, &e);
    /* in memory of its own size: reading behind the end is seen */
    uint8_t *copy = malloc(text.n + !text.n);
    if (!copy)
        abort();
    memcpy(copy, text.s, text.n);
    for (size_t n = text.n; !bad; n = n / 2) { /* the whole, and cut short */
        uint8_t *part = malloc(n + !n);
        if (!part)
            abort();
        memcpy(part, copy, n);
        one(part, n);
        free(part);
        if (n == 0)
            break;
    }
    free(copy);
    strbuf_release(&text);
    return bad;
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        char path[4096];
        int seeds = 0, bad = 0;
        struct dirent *entry;
        snprintf(path, sizeof path, "%s/%s", argv[1], targets[i].name);
        DIR *d = opendir(path);
        while (d && (entry = readdir(d)))
            if (entry->d_name[0] != '.') {
                snprintf(path, sizeof path, "%s/%s/%s", argv[1], targets[i].name, entry->d_name);
                bad += run_seed(path, targets[i].one);
                seeds++;
            }
        if (d)
            closedir(d);
        ok(seeds > 0 && !bad, "%s: %d seeds are read", targets[i].name, seeds);
    }
    return tap_done();
}
