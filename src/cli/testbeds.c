/* Which testbeds the user means: selectors, the compilers of this machine, and whether they work.
 */
#include "base/fs.h"
#include "base/text.h"
#include "cli/cli.h"
#include "testbed/allow.h"
#include "testbed/extensions.h"
#include "testbed/identity.h"
#include "testbed/server.h"

/* "gcc,clang:-O3", split at commas: flags may hold blanks, and commas as "\\,". */
struct selectors {
    const char **at;
    const char **label; /* of the one compiler that is meant, where a path was named; else NULL */
    int n;
    bool *used;
    bool all; /* "*": every testbed there is; what else is named may be gone */
};

static struct selectors split_selection(struct arena *a, const char *selection)
{
    struct selectors s = {0};
    size_t most = selection ? strlen(selection) + 1 : 1;
    s.at = arena_array(a, const char *, most);
    s.label = arena_array(a, const char *, most);
    s.used = arena_array(a, bool, most);
    for (const char *at = selection ? selection : ""; *at;) {
        char *one = arena_array(a, char, most);
        size_t n = 0;
        for (; *at && *at != ','; at++) {
            at += at[0] == '\\' && at[1] == ',';
            one[n++] = *at;
        }
        at += *at == ',';
        if (!strcmp(one, "*"))
            s.all = true;
        else if (n)
            s.at[s.n++] = one;
    }
    return s;
}

/* -- what a selector means --------------------------------------------------------------------- */

static bool means(const struct selectors *s, int i, const struct testbed *t)
{
    if (!s->label[i])
        return testbed_selected(t, s->at[i]);
    const char *flags = selector_flags(s->at[i]);
    return !strcmp(t->compiler, s->label[i]) && (!flags || !strcmp(t->flags, flags));
}

static bool means_compiler(const struct selectors *s, int i, const struct compiler *c)
{
    return s->label[i] ? !strcmp(c->label, s->label[i]) : compiler_selected(c, s->at[i]);
}

static bool wanted(const struct testbed *t, bool by_default, const struct selectors *s)
{
    bool any = s->all || (s->n == 0 && by_default);
    for (int i = 0; i < s->n; i++)
        if (means(s, i, t))
            any = s->used[i] = true;
    return any;
}

/* Was it asked for by its full name, "gcc-12:-O3"? */
static bool named(const struct testbed *t, const struct selectors *s)
{
    for (int i = 0; i < s->n; i++)
        if (selector_flags(s->at[i]) && means(s, i, t))
            return true;
    return false;
}

/* Flags that no file lists: "gcc:-O2 -fno-strict-aliasing". */
static void add_own_flags(struct cli_testbeds *t, const struct compiler *c,
                          const struct selectors *s)
{
    for (int i = 0; i < s->n; i++) {
        const char *flags = selector_flags(s->at[i]);
        if (!flags || !strcmp(flags, "random") || s->used[i] || !means_compiler(s, i, c))
            continue;
        bool known = false;
        for (size_t k = 0; k < t->list.n; k++)
            known |=
                !strcmp(t->list.at[k].compiler, c->label) && !strcmp(t->list.at[k].flags, flags);
        if (!known)
            compiler_testbed(c, flags, &t->arena, &t->list);
    }
}

/* Those of one compiler. An extra flag set is used when all are asked for, or by its full name.
 * With random flags the first set is enough: it is there to compare with. */
static void collect_compiler(struct cli_testbeds *t, const struct compiler *c,
                             const struct selectors *s, enum cli_flags flags)
{
    const struct toolchain *tc = c->toolchain;
    testbed_list all = {0};
    bool random = s->all || flags == CLI_FLAGS_RANDOM;
    compiler_testbeds(c, flags == CLI_FLAGS_ALL || s->n, &t->arena, &all);
    size_t before = t->list.n;
    for (size_t k = 0; k < all.n; k++) {
        bool extra = k >= tc->flags.n && flags != CLI_FLAGS_ALL;
        bool second = flags == CLI_FLAGS_RANDOM && tc->random.levels.n && t->list.n > before;
        bool take = wanted(&all.at[k], tc->by_default, s);
        if (take && ((!extra && !second) || named(&all.at[k], s)))
            vec_push(&t->list, all.at[k]);
    }
    add_own_flags(t, c, s);
    if (random && t->list.n > before)
        compiler_random_testbed(c, &t->arena, &t->list);
    vec_release(&all);
}

/* -- what is wrong with a selector ------------------------------------------------------------- */

static const struct toolchain *toolchain_for(const struct cli_testbeds *t, const char *name,
                                             const char *language, bool same)
{
    for (size_t i = 0; i < t->toolchains.n; i++) {
        const struct toolchain *tc = &t->toolchains.at[i];
        if (!strcmp(tc->language, language) == same &&
            (!strcmp(tc->name, name) || toolchain_would_find(tc, name)))
            return tc;
    }
    return NULL;
}

static int unused_selector(struct cli_testbeds *t, const char *selector, const char *language,
                           struct error *e)
{
    const char *name = arena_memdup(&t->arena, selector, strcspn(selector, ":"));
    const char *flags = selector_flags(selector);
    for (size_t i = 0; i < t->compilers.n; i++)
        if (flags && !strcmp(flags, "random") && compiler_selected(&t->compilers.at[i], selector))
            return error_set(e, ERROR_USAGE, "%s: --flags random is missing", selector);
    const struct toolchain *here = toolchain_for(t, name, language, true);
    const struct toolchain *other = toolchain_for(t, name, language, false);
    if (here)
        return error_set(e, ERROR_ENVIRONMENT, "%s is not installed (see `assay testbeds`)", name);
    if (other)
        return error_set(e, ERROR_USAGE,
                         "testbed '%s' takes %s programs, not %s: choose another testbed, or a "
                         "generator of %s",
                         name, other->language, language, other->language);
    string_list names = {0};
    for (size_t i = 0; i < t->compilers.n; i++)
        vec_push(&names, t->compilers.at[i].label);
    for (size_t i = 0; i < t->toolchains.n; i++)
        if (!strcmp(t->toolchains.at[i].language, language))
            vec_push(&names, t->toolchains.at[i].name);
    const char *near = text_nearest(name, names.at, names.n);
    vec_release(&names);
    if (*name == '-')
        return error_set(e, ERROR_USAGE,
                         "there is no testbed '%s': a comma that belongs to flags is written '\\,'",
                         name);
    return error_set(e, ERROR_USAGE, "there is no testbed '%s': %s%s%s", name,
                     near ? "did you mean '" : "`assay testbeds` lists them", near ? near : "",
                     near ? "'?" : "");
}

/* Flags can be drawn only where the toolchain says from what. Who named the compiler is told. */
static int check_random(const struct cli_testbeds *t, const struct selectors *s, bool quiet,
                        struct error *e)
{
    for (size_t i = 0; i < t->compilers.n; i++) {
        const struct compiler *c = &t->compilers.at[i];
        bool takes_part = false;
        for (size_t k = 0; k < t->list.n; k++)
            takes_part |= !strcmp(t->list.at[k].compiler, c->label);
        if (!takes_part || c->toolchain->random.levels.n)
            continue;
        if (s->n) {
            char page[PATH_MAX];
            return error_set(e, ERROR_USAGE,
                             "--flags random: %s has no list of flags to choose from; its "
                             "toolchain file needs flag-level, or 'extends' one that has it (%s)",
                             c->label, fs_shipped("docs/TESTBEDS.md", page, sizeof page));
        }
        if (!quiet)
            text_print(stderr, "assay: %s has no list of flags: using its flag sets\n", c->label);
    }
    return 0;
}

/* -- all of it --------------------------------------------------------------------------------- */

/* The path that a selector names: as it stands, or on PATH, of a name that a toolchain looks for
 * and that none of its compilers is listed by, as gcc-12 where gcc is the same file. NULL: it is a
 * name of what is listed, or of nothing. */
static const char *path_of(struct cli_testbeds *t, const char *selector, const char *language)
{
    const char *name = arena_memdup(&t->arena, selector, strcspn(selector, ":"));
    if (strchr(name, '/'))
        return name;
    for (size_t i = 0; i < t->compilers.n; i++)
        if (!strcmp(t->compilers.at[i].label, name))
            return NULL;
    const struct toolchain *tc = toolchain_for(t, name, language, true);
    return tc && strcmp(tc->name, name) != 0 ? fs_on_path(&t->arena, name) : NULL;
}

/* Its place in the list, where it is there once: a file that several toolchains know (gcc, gcc-m32)
 * is of the kind that it is recognised as. Else -1. */
static int listed_once(const struct cli_testbeds *t, const char *path)
{
    int at = -1;
    for (size_t k = 0; k < t->compilers.n; k++)
        if (!strcmp(t->compilers.at[k].path, path)) {
            if (at >= 0)
                return -1;
            at = (int)k;
        }
    return at;
}

/* Compilers that are named by their path: that one alone is meant. */
static int add_paths(struct cli_testbeds *t, const struct selectors *s, const char *language,
                     struct error *e)
{
    for (int i = 0; i < s->n; i++) {
        const char *path = path_of(t, s->at[i], language);
        if (!path)
            continue;
        int at = listed_once(t, path);
        if (at < 0)
            at = toolchain_recognise(&t->toolchains, language, path, &t->arena, &t->compilers,
                                     s->all ? NULL : e);
        if (at < 0 && !s->all)
            return -1;
        if (at >= 0)
            s->label[i] = t->compilers.at[at].label;
    }
    return 0;
}

static int collect(struct cli_testbeds *t, const char *language, const struct selectors *s,
                   enum cli_flags flags, bool quiet, struct error *e)
{
    if (add_paths(t, s, language, e))
        return -1;
    for (int round = 0; round < 2; round++) /* references first */
        for (size_t i = 0; i < t->compilers.n; i++)
            if (t->compilers.at[i].toolchain->reference == (round == 0))
                collect_compiler(t, &t->compilers.at[i], s, flags);
    for (int i = 0; i < s->n && !s->all; i++) {
        bool used = s->used[i];
        for (size_t k = 0; k < t->list.n && !used; k++)
            used = means(s, i, &t->list.at[k]);
        if (!used)
            return unused_selector(t, s->at[i], language, e);
    }
    return flags == CLI_FLAGS_RANDOM ? check_random(t, s, quiet, e) : 0;
}

/* The version of each compiler that takes part. */
static int ask_compilers(struct cli_testbeds *t, struct error *e)
{
    for (size_t i = 0; i < t->list.n; i++) {
        struct testbed *one = &t->list.at[i];
        size_t k = 0;
        while (strcmp(t->compilers.at[k].label, one->compiler) != 0)
            k++;
        if (compiler_ask(&t->compilers, k, &t->arena, e))
            return -1;
        one->version = t->compilers.at[k].version;
        one->identity = t->compilers.at[k].identity;
    }
    return 0;
}

/* What can be drawn for it; to list that is to try all of it. The counterpart of runner_probe for
 * testbeds with random flags. */
static int list_space(struct cli_testbeds *t, struct testbed *testbed, struct runner *r,
                      const char **why)
{
    struct toolchain *tc = toolchain_named(&t->toolchains, testbed->called);
    struct flag_space *space = arena_new(&t->arena, struct flag_space);
    struct error e = {0};
    REQUIRE(tc);
    testbed->space = space;
    if (!flag_space_list(tc, testbed, r, &t->arena, space, &e))
        return 0;
    *why = arena_strdup(&t->arena, e.message);
    return 1;
}

/* What the compiler does not have; asked once for all its flags, unless they choose a language, but
 * for what flags take away. Random ones are drawn from those that take nothing away. */
static int ask_extensions(struct cli_testbeds *t, size_t which, struct runner *r, struct error *e)
{
    struct testbed *one = &t->list.at[which];
    const struct testbed *like = NULL;
    for (size_t i = 0; i < which && !like && !strstr(one->flags, "-std"); i++)
        if (!strcmp(t->list.at[i].compiler, one->compiler))
            like = &t->list.at[i];
    if (like && one->random) {
        one->lacks_extensions = like->lacks_extensions;
        return 0;
    }
    return extensions_ask(r, one, like, &t->arena, &one->lacks_extensions, e);
}

static int probe_all(struct cli_testbeds *t, bool by_name, bool quiet, struct error *e)
{
    struct runner r;
    size_t kept = 0;
    if (runner_init(&r, e))
        return -1;
    int status = 0;
    for (size_t i = 0; i < t->list.n && status >= 0; i++) {
        const char *why = "";
        if (t->list.at[i].random && !quiet) /* some seconds */
            text_print(stderr, "trying the flags that %s lists\n", t->list.at[i].compiler);
        status = t->list.at[i].random ? list_space(t, &t->list.at[i], &r, &why)
                                      : runner_probe(&r, &t->list.at[i], &t->arena, &why, e);
        if (status == 0) {
            t->list.at[kept] = t->list.at[i];
            status = ask_extensions(t, kept++, &r, e);
        } else if (status > 0 && by_name) {
            status =
                error_set(e, ERROR_ENVIRONMENT, "%s does not work: %s", t->list.at[i].name, why);
        } else if (status > 0 && !quiet) {
            text_print(stderr, "assay: skipping %s: %s\n", t->list.at[i].name, why);
        }
    }
    t->list.n = kept;
    runner_release(&r);
    return status < 0 ? -1 : 0;
}

int cli_testbeds_find(struct cli_testbeds *t, const struct cli_data *d, const char *language,
                      const char *selection, enum cli_flags flags, bool quiet, struct error *e)
{
    *t = (struct cli_testbeds){0};
    arena_init(&t->arena);
    if (cli_data_check(d, e) ||
        toolchains_read(d->testbed_dirs.at, (int)d->testbed_dirs.n, &t->arena, &t->toolchains, e))
        return -1;
    for (size_t i = 0; i < t->toolchains.n; i++)
        if (!strcmp(t->toolchains.at[i].language, language))
            toolchain_find(&t->toolchains.at[i], &t->arena, &t->compilers);
    const struct selectors s = split_selection(&t->arena, selection);
    if (collect(t, language, &s, flags, quiet, e) || ask_compilers(t, e))
        return -1;
    if (s.all)
        return 0;
    if (probe_all(t, selection != NULL, quiet, e))
        return -1;
    if (!t->list.n)
        return error_set(e, ERROR_ENVIRONMENT,
                         "no compiler for %s works here: `assay testbeds --probe` shows why",
                         language);
    return 0;
}

/* The same for all testbeds of one compiler. */
static const char *content_of(struct cli_testbeds *t, size_t which)
{
    const struct testbed_identity *identity = t->list.at[which].identity;
    for (size_t i = 0; i < which; i++)
        if (t->list.at[i].identity == identity)
            return t->list.at[i].content;
    return identity ? identity_content(identity, &t->arena) : "";
}

int cli_refuse_flags(const toolchain_list *toolchains, const struct cli_foreign *f, struct error *e)
{
    const struct toolchain *tc = toolchain_named(toolchains, f->toolchain);
    struct arena a;
    arena_init(&a);
    const char *flag = flags_refused(tc, f->flags.words, &a);
    const char *bad = flag ? flag : flags_refused(tc, f->needs.words, &a);
    int status = bad ? error_at(e, ERROR_USAGE, f->path, flag ? f->flags.line : f->needs.line,
                                "%s takes no '%s' from a %s: it takes " FLAGS_ALLOWED, f->toolchain,
                                bad, f->what)
                     : 0;
    arena_release(&a);
    return status;
}

void cli_testbeds_contents(struct cli_testbeds *t)
{
    for (size_t i = 0; i < t->list.n; i++)
        t->list.at[i].content = content_of(t, i);
}

void cli_testbeds_release(struct cli_testbeds *t)
{
    vec_release(&t->list);
    vec_release(&t->compilers);
    toolchains_release(&t->toolchains);
    arena_release(&t->arena);
}

/* -- the machine ------------------------------------------------------------------------------- */

int cli_machine_for(struct cli_machine *m, const struct inquiry_place *place, bool host,
                    struct error *e)
{
    if (!m->language || strcmp(m->language, place->language) != 0 ||
        !text_same(m->testbed_dir, place->testbed_dir) || !text_same(m->named, place->testbeds)) {
        cli_machine_release(m);
        arena_init(&m->arena);
        m->language = arena_strdup(&m->arena, place->language);
        m->testbed_dir = place->testbed_dir ? arena_strdup(&m->arena, place->testbed_dir) : NULL;
        m->named = place->testbeds ? arena_strdup(&m->arena, place->testbeds) : NULL;
        const char *all = m->named ? arena_printf(&m->arena, "*,%s", m->named) : "*";
        cli_data_init(&m->data, m->testbed_dir);
        if (!host || !server_host(m->data.testbed_dirs.at, (int)m->data.testbed_dirs.n, m->language,
                                  &m->error))
            cli_testbeds_find(&m->testbeds, &m->data, m->language, all, CLI_FLAGS_ALL, true,
                              &m->error);
    }
    if (m->error.kind == ERROR_NONE)
        return 0;
    *e = m->error;
    return -1;
}

void cli_machine_release(struct cli_machine *m)
{
    if (m->language) {
        cli_testbeds_release(&m->testbeds);
        cli_data_release(&m->data);
        arena_release(&m->arena);
    }
    *m = (struct cli_machine){0};
}
