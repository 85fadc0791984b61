#include "campaign/compilers.h"
#include "testbed/identity.h"

static void collect(struct compilers *c)
{
    c->n = 0;
    for (int i = 0; i < c->n_all; i++) {
        if (c->away[i])
            continue;
        c->here[c->n] = c->all[i];
        c->ids[c->n++] = c->all_ids[i];
    }
}

int compilers_init(struct compilers *c, const struct test_setup *setup, struct store *store,
                   int64_t campaign, struct runner *runner, struct log *log, struct error *e)
{
    int n = setup->n_testbeds;
    *c = (struct compilers){
        .n_all = n, .store = store, .campaign = campaign, .runner = runner, .log = log};
    arena_init(&c->arena);
    c->all = arena_array(&c->arena, struct testbed, n);
    c->here = arena_array(&c->arena, struct testbed, n);
    c->printed = arena_array(&c->arena, const char *, n);
    c->stamps = arena_array(&c->arena, uint64_t, n);
    c->all_ids = arena_array(&c->arena, int64_t, n);
    c->ids = arena_array(&c->arena, int64_t, n);
    c->away = arena_array(&c->arena, bool, n);
    c->broken = arena_array(&c->arena, bool, n);
    for (int i = 0; i < n; i++) {
        const struct testbed *t = &setup->testbeds[i];
        c->all[i] = *t;
        c->printed[i] = t->version;
        c->stamps[i] = t->identity ? t->identity->stamp : 0;
        if (store_testbed_id(store, campaign, t, &c->all_ids[i], e) < 0)
            return -1;
    }
    collect(c);
    return 0;
}

void compilers_release(struct compilers *c)
{
    arena_release(&c->arena);
}

/* Once for all workers and flags. */
static int tell(struct compilers *c, uint64_t seed, const struct testbed *t, const char *what,
                struct error *e)
{
    const char *text = arena_printf(&c->arena, "%s (%s) %s", t->compiler, t->path, what);
    int told = store_note(c->store, c->campaign, seed, text, e);
    if (told > 0)
        log_line(c->log, LOG_ERROR, "%s", text);
    return told < 0 ? -1 : 0;
}

static int leave_out(struct compilers *c, int i, uint64_t seed, const char *why, struct error *e)
{
    c->away[i] = true;
    return tell(c, seed, &c->all[i], why, e);
}

/* Does it build a small program? 1: no, and `why`. */
static int probe(struct compilers *c, int i, const char **why, struct error *e)
{
    struct testbed plain = c->all[i];
    if (plain.random) /* drawn for each test */
        plain.flags = "";
    return runner_probe(c->runner, &plain, &c->arena, why, e);
}

/* It is what it was, and accused of a build that fails. 1: any build would, it is left out. */
static int doubt(struct compilers *c, int i, uint64_t seed, struct error *e)
{
    const char *why;
    int broken = probe(c, i, &why, e);
    if (broken <= 0)
        return broken;
    c->broken[i] = true;
    why = arena_printf(&c->arena, "does not work any more: %s; left out until it does", why);
    return leave_out(c, i, seed, why, e) ? -1 : 1;
}

/* It was left out, as it built nothing. 1: it does now. */
static int try_broken(struct compilers *c, int i, uint64_t seed, struct error *e)
{
    const char *why;
    int broken = probe(c, i, &why, e);
    if (broken)
        return broken < 0 ? -1 : 0;
    c->away[i] = c->broken[i] = false;
    if (store_testbed_id(c->store, c->campaign, &c->all[i], &c->all_ids[i], e) < 0)
        return -1;
    return tell(c, seed, &c->all[i], "works again", e) ? -1 : 1;
}

/* The version by which the store knows it: another build of the same version is another testbed. */
static const char *version_now(struct compilers *c, int i, const char *printed)
{
    const struct testbed *t = &c->all[i];
    if (strcmp(printed, c->printed[i]) != 0)
        return printed;
    return arena_printf(&c->arena, "%s%sof %s", printed, *printed ? ", " : "",
                        identity_time(t->identity, &c->arena));
}

/* It is there, and not what it was. Until it can build a small program it is left out. */
static int renew(struct compilers *c, int i, uint64_t seed, struct error *e)
{
    struct testbed *t = &c->all[i];
    const char *printed, *why = "", *before = t->version;
    c->broken[i] = false;
    if (c->away[i] && c->stamps[i] == t->identity->stamp) {
        c->away[i] = false;
        return tell(c, seed, t, "is back, unchanged", e);
    }
    if (identity_version(t->identity, &c->arena, &printed, e))
        return -1;
    struct testbed_identity *identity = arena_new(&c->arena, struct testbed_identity);
    *identity = *t->identity;
    identity->stamp = c->stamps[i];
    t->identity = identity;
    t->content = identity_content(identity, &c->arena);
    t->version = version_now(c, i, printed);
    c->printed[i] = printed;
    int broken = probe(c, i, &why, e);
    if (broken < 0)
        return -1;
    c->broken[i] = broken;
    if (broken)
        return leave_out(
            c, i, seed, arena_printf(&c->arena, "was replaced and does not work: %s; skipped", why),
            e);
    c->away[i] = false;
    if (store_testbed_id(c->store, c->campaign, t, &c->all_ids[i], e) < 0)
        return -1;
    return tell(c, seed, t,
                arena_printf(&c->arena,
                             "was replaced: version %s, then %s; it continues as a new testbed",
                             *before ? before : "unknown", *t->version ? t->version : "unknown"),
                e);
}

/* 1: it is not what it was. */
static int has_changed(struct compilers *c, int i, bool ask, struct error *e)
{
    const struct testbed_identity *identity = c->all[i].identity;
    uint64_t now = identity_stamp(identity);
    const char *printed;
    if (now != c->stamps[i]) {
        c->stamps[i] = now;
        return 1;
    }
    if (!ask || !identity->probe)
        return 0;
    if (identity_version(identity, &c->arena, &printed, e))
        return -1;
    return strcmp(printed, c->printed[i]) != 0;
}

static bool fails_to_build(enum anomaly kind)
{
    return kind == ANOMALY_BUILD_FAIL || kind == ANOMALY_BUILD_CRASH;
}

int compilers_look(struct compilers *c, uint64_t seed, const struct verdict *verdicts,
                   struct error *e)
{
    int changed = 0;
    for (int i = 0, at = 0; i < c->n_all; i++) {
        bool here = !c->away[i];
        enum anomaly accused = here && verdicts ? verdicts[at].anomaly : ANOMALY_NONE;
        bool known = c->all[i].identity != NULL; /* else nobody has found or tried it before */
        int now = known ? has_changed(c, i, accused, e) : 0;
        at += here;
        if (now < 0 || (now && c->stamps[i] && renew(c, i, seed, e)) ||
            (now && !c->stamps[i] && leave_out(c, i, seed, "is gone: skipped until it is back", e)))
            return -1;
        if (!now && known && fails_to_build(accused))
            now = doubt(c, i, seed, e);
        else if (!now && c->broken[i] && !verdicts)
            now = try_broken(c, i, seed, e);
        if (now < 0)
            return -1;
        changed |= now > 0;
    }
    collect(c);
    if (!c->n)
        return error_set(e, ERROR_ENVIRONMENT, "no compiler is left: see `assay show incidents`");
    return changed;
}
