/* A database of campaigns that is damaged. The input is a list of changes to a new one, of four
 * bytes each: place (three) and value; with a first byte of 'w' it is the whole file. */
#include "fuzz.h"
#include "base/fs.h"
#include "store/store.h"

#include <fcntl.h>

/* A new database, made once. */
static const struct strbuf *fresh(void)
{
    static struct strbuf image;
    char folder[] = "/tmp/assay-fuzz-XXXXXX", path[64];
    struct store *s = NULL;
    struct error e = {0};
    if (image.s)
        return &image;
    strbuf_init(&image, 1 << 24);
    if (!mkdtemp(folder))
        abort();
    snprintf(path, sizeof path, "%s/assay.db", folder);
    if (store_open(path, STORE_WRITE, &s, &e))
        abort();
    store_close(s);
    if (fs_read(path, &image, &e))
        abort();
    fs_remove_tree(folder);
    return &image;
}

static void look_at(struct store *s, struct arena *a)
{
    struct error e = {0};
    struct store_campaign *campaigns;
    struct store_query filter = {0};
    struct finding *findings;
    struct program p;
    int n = 0;
    if (store_campaigns(s, a, &campaigns, &n, &e) == 0 && n > 0)
        store_campaign_get(s, campaigns[0].id, a, &campaigns[0], &e);
    if (store_findings(s, &filter, a, &findings, &n, &e) == 0)
        for (int i = 0; i < n && i < 5; i++)
            store_program(s, findings[i].program, a, &p, &e);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena a;
    struct error e = {0};
    struct store *s = NULL;
    struct strbuf file;
    char folder[] = "/tmp/assay-fuzz-XXXXXX", path[64];
    arena_init(&a);
    strbuf_init(&file, 1 << 24);
    if (size && data[0] == 'w') {
        strbuf_add(&file, (const char *)data + 1, size - 1);
    } else {
        strbuf_add(&file, fresh()->s, fresh()->n);
        for (size_t i = 0; i + 4 <= size; i += 4)
            file.s[(data[i] | (size_t)data[i + 1] << 8 | (size_t)data[i + 2] << 16) % file.n] =
                (char)data[i + 3];
    }
    if (!mkdtemp(folder))
        abort();
    snprintf(path, sizeof path, "%s/assay.db", folder);
    if (fs_write(path, file.s, file.n, &e))
        abort();
    if (store_open(path, STORE_READ, &s, &e) == 0)
        look_at(s, &a);
    store_close(s);
    fs_remove_tree(folder);
    strbuf_release(&file);
    arena_release(&a);
    return 0;
}
