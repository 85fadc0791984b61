/* What a campaign says of itself while it runs and at its end, against what stands in status.txt.
 * `test_status FILE print` prints the file as it would have to be. */
#include "base/strbuf.h"
#include "campaign/campaign_internal.h"
#include "store/fixture.h"

#include <unistd.h>

/* When the last finding was, and the version, change. */
static const struct {
    const char *before, *of; /* the characters of what is not compared */
} changing[] = {{"last finding  ", " 0123456789.msago"},
                {"\"last_finding_at\":", " 0123456789"},
                {"assay ", "0123456789."}};

/* How much of the text changes behind this; 0: nothing. */
static size_t changes(const char *p, const char **before)
{
    for (size_t i = 0; i < sizeof changing / sizeof *changing; i++) {
        size_t n = strlen(changing[i].before);
        *before = changing[i].before;
        if (!strncmp(p, *before, n) && strspn(p + n, changing[i].of))
            return n + strspn(p + n, changing[i].of);
    }
    return 0;
}

static void add_masked(struct strbuf *out, const char *text)
{
    const char *before;
    for (const char *p = text; *p;) {
        size_t n = changes(p, &before);
        if (n)
            strbuf_addf(out, "%s(changes) ", before);
        else
            strbuf_addc(out, *p);
        p += n ? n : 1;
    }
}

/* What status_begin, two updates and status_end print. */
static void tell(struct fixture *f, struct status s, const char *title, struct strbuf *out)
{
    struct strbuf text;
    const char *path = arena_printf(&f->a, "%s/out", f->dir);
    strbuf_init(&text, 0);
    fflush(stdout);
    int kept = dup(STDOUT_FILENO);
    if (!freopen(path, "w", stdout))
        BUG("no output");
    s.store = f->s;
    s.campaign = f->campaign;
    s.dir = "there";
    status_begin(&s);
    int status = status_update(&s, &f->e) || status_update(&s, &f->e) ||
                 status_end(&s, "all is done", &f->e);
    fflush(stdout);
    dup2(kept, STDOUT_FILENO);
    close(kept);
    must(status ? -1 : fs_read(path, &text, &f->e), &f->e);
    strbuf_addf(out, "== %s\n", title);
    add_masked(out, text.s);
    strbuf_release(&text);
}

static void tell_all(struct fixture *f, const char *when, struct strbuf *out)
{
    tell(f, (struct status){.mode = STATUS_LIVE, .workers = 3, .colour = true},
         arena_printf(&f->a, "%s, live", when), out);
    tell(f,
         (struct status){.mode = STATUS_LIVE,
                         .workers = 1,
                         .reduce = true,
                         .budget = {.ms = 90000, .tests = 50}},
         arena_printf(&f->a, "%s, live with a budget", when), out);
    tell(f, (struct status){.mode = STATUS_PLAIN}, arena_printf(&f->a, "%s, plain", when), out);
    tell(f, (struct status){.mode = STATUS_JSON, .reduce = true},
         arena_printf(&f->a, "%s, JSON", when), out);
    tell(f, (struct status){.mode = STATUS_NONE}, arena_printf(&f->a, "%s, none", when), out);
}

int main(int argc, char **argv)
{
    struct fixture f;
    struct strbuf seen, wanted;
    setup(&f, 7);
    strbuf_init(&seen, 0);
    strbuf_init(&wanted, 0);
    if (argc < 2 || fs_read(argv[1], &wanted, &f.e))
        BUG("no file of what is said");
    tell_all(&f, "new", &seen);
    whole_test(&f, 0, 100, "", FINDING_NEW);
    int64_t first = whole_test(&f, 1, 100, "clang build-crash: error: in z", FINDING_CONFIRMED);
    must(store_campaign_tick(f.s, f.campaign, 61500, 1000, &f.e), &f.e);
    tell_all(&f, "one bug", &seen);
    for (int i = 0; i < 14; i++)
        whole_test(&f, 1 + i % 2, 100,
                   arena_printf(&f.a, "clang build-crash: error: in %c", "abcdefghijklmn"[i]),
                   FINDING_CONFIRMED);
    whole_test(&f, 1, 100, "wobbly", FINDING_FLAKY);
    must(store_mark_put(
             f.s,
             &(struct store_mark){.finding = first, .mark = MARK_KNOWN, .covers_signature = true},
             &f.e),
         &f.e);
    must(store_campaign_tick(f.s, f.campaign, 3600000, 500, &f.e), &f.e);
    tell_all(&f, "many bugs", &seen);
    if (argc > 2)
        printf("%s", seen.s);
    else
        is_str(seen.s, wanted.s, "what is said of a campaign");
    strbuf_release(&seen);
    strbuf_release(&wanted);
    teardown(&f);
    return argc > 2 ? 0 : tap_done();
}
