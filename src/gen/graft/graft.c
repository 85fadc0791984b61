/* One program: the host's tree, a run that tells where it goes, calls put in to be tried, a run
 * that tells what they give, their forms, and the run that is the proof. */
#include "gen/graft/graft.h"

#include "cc/checksum.h"
#include "cc/print.h"
#include "gen/graft/graft_internal.h"
#include "interp/accesses.h"

#include <limits.h>
#include <stdlib.h>

static const char version[] = "1";

enum graft_host { HOST_SMITH, HOST_YARP };

struct graft_values {
    enum graft_host host;
    const char *library;
    int64_t count, size;
};

struct graft_generator {
    struct generator head;
    struct graft_values values, standard;
    struct generator *host;
    const char *file; /* of the library; NULL: it is not there */
    struct graft_library library;
    bool loaded;
    struct graft_counts counts;
    struct strbuf why; /* of the last program that was given up */
};

/* -- settings ---------------------------------------------------------------------------------- */

#define ROW(kind, name, member, standard, help)                                                    \
    SETTING_ROW(kind, name, struct graft_values, member, standard, help)
static const char *const hosts[] = {[HOST_SMITH] = "smith", [HOST_YARP] = "yarp", NULL};

enum { MOST_COUNT = 200, MOST_SIZE = 1000000 };
static const struct setting rows[] = {
    {.name = "graft", .kind = SETTING_SECTION, .help = "--NAME VALUE"},
    {ROW(WORD, "host", host, "smith", "generator of the programs that the calls go into"),
     .words = hosts},
    {ROW(TEXT, "library", library, "", "file of functions (default: the one that comes along)")},
    {ROW(INT, "count", count, "0", "calls to put in; 0: random, 10 to 40"), .most = MOST_COUNT},
    {ROW(INT, "size", size, "0", "size of the host in tokens; 0: as the host has it"),
     .most = MOST_SIZE},
};
static const struct settings graft_settings = {"graft", rows, SETTINGS_COUNT(rows), NULL};

/* -- the answer -------------------------------------------------------------------------------- */

enum {
    MORE_STEPS = 20 * 1000 * 1000, /* than the host alone */
    MOST_DROPS = 24,
};

struct made {
    struct cc_program *p;
    struct cc_print_options print;
    char expected[32];
    const char *accesses;
    int grafts;
};

/* Run all of it; main is made by how the globals ended. NULL: no violation. */
static bool run(struct graft_generator *g, struct cc_program *p, const struct interp_options *o,
                struct interp **out)
{
    struct interp *in = *out = interp_new(p, o);
    struct cc_final final = {in, interp_union_member, interp_points_to};
    bool good = interp_call(in, p->entry) == CC_UB_NONE;
    if (good) {
        cc_make_main(p, &final);
        good = interp_checksum(in) == CC_UB_NONE;
    }
    g->counts.runs++;
    g->counts.steps += interp_steps(in);
    return good;
}

static void note_failure(struct graft_generator *g, const struct interp *in)
{
    strbuf_clear(&g->why);
    interp_explain(in, &g->why);
}

static void take_answer(struct made *m, const struct interp *in, struct arena *a)
{
    snprintf(m->expected, sizeof m->expected, "checksum = %X\n", interp_checksum_value(in));
    m->accesses = interp_volatile_comment(m->p, in, a);
}

/* Until a run is good, with what is left of the grafts. */
static bool run_until_good(struct graft_generator *g, struct planter *t,
                           const struct interp_options *o, struct interp **in)
{
    for (int drops = 0;; drops++) {
        if (run(g, t->p, o, in))
            return true;
        note_failure(g, *in);
        const struct interp_ub ub = *interp_violation(*in);
        interp_free(*in);
        *in = NULL;
        if (drops == MOST_DROPS || !plant_drop(t, &ub))
            return false;
        sites_refresh(t->p);
    }
}

static int planted(const struct planter *t)
{
    int n = 0;
    for (size_t i = 0; i < t->grafts.n; i++)
        n += !t->grafts.at[i].dropped;
    return n;
}

/* The host's tree with grafts in it, and its answer. */
static bool graft_tree(struct graft_generator *g, struct choice *c, struct arena *a, struct made *m)
{
    struct interp *in = NULL;
    struct planter t;
    struct interp_options o = {0};
    int64_t count = g->values.count ? g->values.count : 10 + (int64_t)choose(c, 31);
    bool good = run(g, m->p, &o, &in);
    o = (struct interp_options){.max_steps = interp_steps(in) + MORE_STEPS, .values = true};
    if (!good)
        note_failure(g, in);
    interp_free(in);
    if (!good)
        return false;
    planter_init(&t, m->p, c, &g->library, a);
    t.may_change = g->values.host == HOST_SMITH;
    plant(&t, (int)count);
    good = run_until_good(g, &t, &o, &in);
    if (good) {
        plant_settle(&t, in);
        interp_free(in);
        o.values = false;
        o.trace_volatile = true;
        good = run_until_good(g, &t, &o, &in);
    }
    if (good)
        take_answer(m, in, a);
    interp_free(in);
    m->grafts = planted(&t);
    g->counts.planted += t.grafts.n;
    g->counts.dropped += t.grafts.n - (size_t)m->grafts;
    planter_release(&t);
    return good;
}

enum { ATTEMPTS = 4 };

static struct cc_program *host_tree(struct graft_generator *g, struct choice *c, struct arena *a,
                                    struct cc_print_options *print, struct error *e)
{
    return g->host->class->cc(g->host, c, a, print, e);
}

static bool make(struct graft_generator *g, struct choice *c, struct arena *a, struct made *m,
                 struct error *e)
{
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        *m = (struct made){.p = host_tree(g, c, a, &m->print, e)};
        if (!m->p)
            return false;
        if (graft_tree(g, c, a, m))
            return true;
        g->counts.failed++;
        cc_program_release(m->p);
    }
    error_set(e, ERROR_ENVIRONMENT, "graft made no valid program for seed %llu: %.500s",
              (unsigned long long)c->seed, g->why.s);
    return false;
}

/* -- its text ---------------------------------------------------------------------------------- */

static const char *header(const struct graft_generator *g, const struct choice *c,
                          const struct made *m, struct arena *a)
{
    struct strbuf h;
    strbuf_init(&h, 0);
    strbuf_adds(&h, "made by assay: ");
    gen_command(g->head.name, g->head.config, c->seed, &h);
    strbuf_addf(&h, "\ngraft %s, %d calls in a program of %s, data model %s, C11", g->head.version,
                m->grafts, g->host->name, m->p->types.model->name);
    if (m->p->ieee_floats)
        strbuf_adds(&h, "\nneeds: " PROGRAM_NEEDS_IEEE_TOLD);
    strbuf_addf(&h, "\nexpected: %.*s", (int)strcspn(m->expected, "\n"), m->expected);
    if (m->accesses)
        strbuf_addf(&h, "\n%s", m->accesses);
    return strbuf_keep(&h, a);
}

static void print_program(const struct graft_generator *g, const struct choice *c, struct made *m,
                          struct arena *a, struct program *out)
{
    struct strbuf text;
    strbuf_init(&text, 0);
    *out = gen_program(&g->head, c->seed);
    out->trusted = true;
    out->expected = bytes_of(arena_strdup(a, m->expected));
    if (m->p->ieee_floats)
        out->needs = PROGRAM_NEEDS_IEEE;
    out->n_files = 1;
    out->files = arena_array(a, struct program_file, 1);
    m->print.header = header(g, c, m, a);
    cc_print_unit(m->p, &m->print, &text);
    out->files[0] = program_file_new(a, "t.c", bytes_in(&text));
    strbuf_release(&text);
}

/* -- the generator ----------------------------------------------------------------------------- */

static int ready(struct generator *head, struct error *e)
{
    struct graft_generator *g = (struct graft_generator *)head;
    if (g->loaded)
        return 0;
    if (!g->file)
        return error_set(e, ERROR_USAGE, "there is no library %s: name one by --library FILE",
                         *g->values.library ? g->values.library : "grafts/own.c");
    if (graft_load(g->file, &g->library, e))
        return -1;
    g->loaded = true;
    return 0;
}

static int graft_next(struct generator *head, struct choice *c, struct arena *a,
                      struct program *out, struct error *e)
{
    struct graft_generator *g = (struct graft_generator *)head;
    struct made m;
    struct arena work; /* the tree; the text lives longer */
    if (ready(head, e))
        return -1;
    arena_init(&work);
    bool good = make(g, c, &work, &m, e);
    if (good) {
        g->counts.programs++;
        print_program(g, c, &m, a, out);
        cc_program_release(m.p);
    }
    arena_release(&work);
    return good ? 0 : GEN_FAILED;
}

static struct cc_program *graft_cc(struct generator *head, struct choice *c, struct arena *a,
                                   struct cc_print_options *print, struct error *e)
{
    struct graft_generator *g = (struct graft_generator *)head;
    struct made m;
    if (ready(head, e) || !make(g, c, a, &m, e))
        return NULL;
    *print = m.print;
    return m.p;
}

struct graft_counts graft_measure(const struct generator *head)
{
    return ((const struct graft_generator *)head)->counts;
}

/* One file each: calls go everywhere. */
static int open_host(struct graft_generator *g, const struct gen_context *context, struct error *e)
{
    const char *form = g->values.host == HOST_YARP ? "form=single-file" : "";
    const char *size = g->values.size ? arena_printf(&g->head.arena, "%ssize=%lld",
                                                     *form ? "," : "", (long long)g->values.size)
                                      : "";
    struct gen_context inner = *context;
    inner.config = arena_printf(&g->head.arena, "%s%s", form, size);
    inner.settings = NULL;
    inner.n_settings = 0;
    return gen_open(hosts[g->values.host], &inner, &g->host, e);
}

/* With another host or other functions a seed gives another program. */
static int set_version(struct graft_generator *g, struct error *e)
{
    const char *own =
        arena_printf(&g->head.arena, "%s.%s%s", version, g->host->name, g->host->version);
    if (g->file)
        return gen_set_version(&g->head, own, (const char *const[]){g->file, NULL}, e);
    g->head.version = own;
    return 0;
}

static int graft_open(struct generator *head, const char *name, const struct gen_context *context,
                      struct error *e)
{
    (void)name; /* its own */
    struct graft_generator *g = (struct graft_generator *)head;
    strbuf_init(&g->why, 4096);
    settings_default(&graft_settings, &g->standard);
    g->values = g->standard;
    if (gen_take_settings(head, context, &g->values, e) || open_host(g, context, e))
        return -1;
    char path[PATH_MAX]; /* workers start elsewhere */
    if (*g->values.library && realpath(g->values.library, path))
        g->values.library = arena_strdup(&head->arena, path);
    head->language = "c";
    gen_keep_settings(head, &g->values, &g->standard);
    g->file = graft_library_file(context, g->values.library, &head->arena);
    return set_version(g, e);
}

static void graft_close(struct generator *head)
{
    struct graft_generator *g = (struct graft_generator *)head;
    if (g->loaded)
        graft_release(&g->library);
    gen_close(g->host);
    strbuf_release(&g->why);
}

static void stats(struct generator *head, struct strbuf *out)
{
    const struct graft_counts *n = &((const struct graft_generator *)head)->counts;
    strbuf_addf(
        out, "%llu programs: %llu calls put in, %llu taken out again; %llu runs, %llu steps\n",
        (unsigned long long)n->programs, (unsigned long long)n->planted,
        (unsigned long long)n->dropped, (unsigned long long)n->runs, (unsigned long long)n->steps);
}

const struct gen_class gen_graft = {
    .size = sizeof(struct graft_generator),
    .name = "graft",
    .help = "programs of smith or yarp with calls of real functions in them (ours)",
    .open = graft_open,
    .next = graft_next,
    .release = graft_close,
    .ready = ready,
    .settings = &graft_settings,
    .stats = stats,
    .cc = graft_cc};
