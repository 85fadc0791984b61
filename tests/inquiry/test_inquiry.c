/* Who must be tried again for a finding: of what was recorded, and of the testbeds that are here.
 */
#include "inquiry/inquiry.h"
#include "store/fixture.h"
#include "testbed/identity.h"

static struct arena arena;

/* -- the testbeds ------------------------------------------------------------------------------ */

enum { HERE = 9, RECORDED_MOST = 8 };

/* clang-format off */
static const struct testbed here[HERE] = {
    {.name = "ref1", .path = "/x/ref1", .toolchain = "r", .flags = "-O0", .model = "lp64", .reference = true, .version = "1.0"},
    {.name = "ref2", .path = "/x/ref2", .toolchain = "r", .flags = "-O0", .model = "lp64", .reference = true, .version = "1.0"},
    {.name = "bad", .path = "/x/bad", .toolchain = "b", .flags = "-O1", .model = "lp64", .version = "2.0"},
    {.name = "other", .path = "/x/bad", .toolchain = "b", .flags = "-O2", .model = "lp64", .version = "2.0"},
    {.name = "small", .path = "/x/small", .toolchain = "s", .flags = "", .model = "ilp32", .reference = true, .version = ""},
    {.name = "odd", .path = "/x/odd", .toolchain = "s", .flags = "", .model = "ilp32", .version = "3"},
    {.name = "filter", .path = "/x/filter", .toolchain = "f", .flags = "", .model = "lp64", .filter = true, .version = ""},
    {.name = "drawn", .path = "/x/drawn", .toolchain = "d", .flags = "random", .model = "lp64", .random = true, .version = ""},
    {.name = "lottery", .path = "/x/drawn", .toolchain = "e", .flags = "random", .model = "lp64", .random = true, .reference = true, .version = ""},
};

/* The accused has a star; flags that were drawn stand in brackets. */
static const struct {
    const char *what, *recorded, *accused, *tried;
} bindings[] = {
    {"references vote, filters are asked", "ref1 ref2 bad other small filter", "bad", "ref1 ref2 *bad filter"},
    {"  in the order of the record", "filter bad ref2 ref1", "bad", "filter *bad ref2 ref1"},
    {"without references all of the model", "bad other odd drawn", "bad", "*bad other drawn[-Od]"},
    {"  where those of another model are none", "small bad other", "other", "bad *other"},
    {"of another model", "ref1 bad small odd", "odd", "small *odd"},
    {"one that is not here any more", "ref1 gone bad", "bad", "ref1 *bad"},
    {"a reference that is accused", "ref1 ref2 bad", "ref2", "ref1 *ref2"},
    {"its flags were drawn", "ref1 drawn", "drawn", "ref1 *drawn[-Od]"},
    {"  and nobody knows which", "ref1 ref2", "drawn", "ref1 ref2 *drawn[]"},
    {"a reference with drawn flags", "lottery bad", "bad", "lottery[-Ol] *bad"},
    {"alone, as what slipped is: whoever votes here", "bad", "bad", "*bad ref1 ref2 filter"},
    {"  recorded nowhere", "", "odd", "*odd small filter"},
    {"two were recorded, and one of them is gone", "bad gone", "bad", "*bad"},
    {"two of two models", "bad small", "bad", "*bad"},
};
/* clang-format on */

static struct store_testbed as_registered(const struct testbed *t, int64_t id)
{
    return (struct store_testbed){.id = id,
                                  .name = t->name,
                                  .path = t->path,
                                  .toolchain = t->toolchain,
                                  .flags = t->flags,
                                  .version = t->version,
                                  .content = ""};
}

static int index_of(const char *name)
{
    return test_find(here, HERE, name);
}

/* All that are here were registered; with these observations, of a finding of the accused. */
static struct inquiry make(const char *recorded, const char *accused)
{
    struct inquiry c = {.finding = {.testbed = accused, .testbed_id = index_of(accused) + 1}};
    c.testbeds = arena_array(&arena, struct store_testbed, HERE);
    for (int i = 0; i < HERE; i++)
        c.testbeds[c.n_testbeds++] = as_registered(&here[i], i + 1);
    char **names;
    int n = text_split(&arena, recorded, &names);
    c.observations = arena_array(&arena, struct store_observation, n);
    for (int i = 0; i < n; i++)
        c.observations[c.n_observations++] = (struct store_observation){
            .testbed = names[i], .observation.flags = !strcmp(names[i], "drawn") ? "-Od" : "-Ol"};
    return c;
}

static const char *tried(const struct inquiry *c)
{
    const char *out = "";
    for (int i = 0; i < c->config.n_testbeds; i++) {
        const struct testbed *t = &c->config.testbeds[i];
        out = arena_printf(&arena, "%s%s%s%s", out, i ? " " : "", i == c->accused ? "*" : "",
                           t->random ? arena_printf(&arena, "%s[%s]", t->name, t->flags) : t->name);
    }
    return out;
}

static void test_bind(void)
{
    struct error e = {0};
    for (size_t i = 0; i < sizeof bindings / sizeof *bindings; i++) {
        struct inquiry c = make(bindings[i].recorded, bindings[i].accused);
        is_int(inquiry_bind(&c, here, HERE, &arena, &e), 0, "%s", bindings[i].what);
        is_str(tried(&c), bindings[i].tried, "  %s", bindings[i].tried);
        ok(!c.changed, "  nothing has changed");
        is_str(inquiry_flags(&c), c.config.testbeds[c.accused].flags, "  with its flags");
    }
    struct inquiry c = make("ref1 bad", "gone");
    is_int(inquiry_bind(&c, here, HERE, &arena, &e), -1, "an accused one that is gone");
    ok(e.kind == ERROR_ENVIRONMENT, "  is a matter of the machine");
    is_str(e.message, "gone is no longer installed here (or use --testbed-dir)", "  is named");
    c = make("ref1 bad", "bad");
    is_int(inquiry_bind(&c, here, 2, &arena, &e), -1, "so is one that is not among those here");
}

/* -- which of those here it is ----------------------------------------------------------------- */

static const char *found(const struct inquiry *c, const char *name)
{
    const struct testbed *t = inquiry_testbed(c, here, HERE, name);
    return t ? t->name : "none";
}

static void test_testbed(void)
{
    struct inquiry c = make("", "bad");
    is_str(found(&c, "bad"), "bad", "by its path, toolchain and flags");
    c.testbeds[2].name = "once"; /* it was called */
    c.finding.testbed = "once";
    is_str(found(&c, "once"), "bad", "  under whatever name");
    c.testbeds[2].flags = "-O2";
    is_str(found(&c, "once"), "other", "  with other flags another one");
    c.testbeds[2].toolchain = "x";
    is_str(found(&c, "once"), "none", "  of another toolchain none");
    c.testbeds[2].toolchain = "b";
    c.testbeds[2].path = "/y/bad";
    is_str(found(&c, "once"), "none", "  at another place none");
    is_str(found(&c, "ref2"), "ref2", "one that has its name still");
    c.testbeds[1].path = "/gone";
    is_str(found(&c, "ref2"), "ref2", "  at another place");
    is_str(found(&c, "nobody"), "none", "one that was never there");

    /* The same name was registered twice: the accused is known by its number, others are the
     * latest. */
    c = make("", "bad");
    c.testbeds[0].name = c.testbeds[1].name = "bad";
    is_str(found(&c, "bad"), "bad", "the accused by its number");
    c.finding.testbed_id = 1;
    is_str(found(&c, "bad"), "ref1", "  whichever that is");
    c.finding.testbed = "odd";
    is_str(found(&c, "bad"), "bad", "another one is the latest of its name");
    ok(!inquiry_seen(&c, "bad"), "nothing was seen of it");
    c = make("ref1 bad", "bad");
    ok(inquiry_seen(&c, "bad") == &c.observations[1], "what was");
}

static void test_place(void)
{
    struct inquiry c = make("", "bad");
    c.program.language = "c";
    c.campaign.options = (struct store_options){.testbed_dir = "/d"};
    struct inquiry_place p = inquiry_place(&c, &arena);
    is_str(p.language, "c", "the language");
    is_str(p.testbed_dir, "/d", "the folder of testbeds");
    is_str(p.testbeds, "/x/bad:-O1", "the accused, by its path");
    c.campaign.options.testbeds = "gcc,tcc";
    is_str(inquiry_place(&c, &arena).testbeds, "gcc,tcc,/x/bad:-O1",
           "  behind those that were named");
    c.testbeds[2].path = "bad";
    is_str(inquiry_place(&c, &arena).testbeds, "gcc,tcc", "  unless it has none");
    c.finding.testbed_id = 77;
    is_str(inquiry_place(&c, &arena).testbeds, "gcc,tcc", "  or was never registered");
}

/* -- what has changed -------------------------------------------------------------------------- */

static const char *changed(struct inquiry *c, const struct testbed *now)
{
    struct error e;
    return inquiry_bind(c, now, 1, &arena, &e) ? arena_printf(&arena, "%s", e.message) : c->changed;
}

static void test_changed(void)
{
    struct testbed now = here[2];
    struct inquiry c = make("bad", "bad");
    c.testbeds[2].version = "1.9";
    is_str(changed(&c, &now), "bad was 1.9 (/x/bad), and is 2.0 (/x/bad) now", "another version");
    c.testbeds[2].version = "2.0, of 2026";
    is_str(changed(&c, &now), NULL, "a build of the same");
    now.version = "";
    c.testbeds[2].path = "/y/bad";
    c.testbeds[2].version = "";
    is_str(changed(&c, &now),
           "bad was an unknown version (/y/bad), and is an unknown version (/x/bad) now",
           "another place");
    c.testbeds[2].path = "/x/bad";
    is_str(changed(&c, &now), NULL, "nobody knows its version");

    static const char *const files[] = {"/bin/sh", NULL};
    const struct testbed_identity identity = {.files = files};
    c.testbeds[2].content = "0123";
    is_str(changed(&c, &now), NULL, "nobody can look what is in it");
    now.identity = &identity;
    is_str(changed(&c, &now), "bad is another build of an unknown version now (/x/bad)",
           "another build");
    c.testbeds[2].content = identity_content(&identity, &arena);
    is_str(changed(&c, &now), NULL, "the same build");
    c.testbeds[2].content = "";
    is_str(changed(&c, &now), NULL, "nobody looked then");
    c.finding.testbed_id = 77;
    c.testbeds[2].version = "7";
    is_str(changed(&c, &now), NULL, "nor was it registered");
}

/* -- from the store ---------------------------------------------------------------------------- */

static void load(struct fixture *f, struct store_options o, struct inquiry *c)
{
    struct finding found;
    must(store_campaign_open(f->s, "csmith", &o, 7, &f->campaign, &f->e), &f->e);
    for (int i = 0; i < BEDS; i++)
        must(store_testbed_id(f->s, f->campaign, &testbeds[i], &f->beds[i], &f->e), &f->e);
    int64_t id = whole_test(f, 1, 100, "clang build-crash: error: a", FINDING_CONFIRMED);
    must(store_finding(f->s, id, &f->a, &found, &f->e), &f->e);
    must(inquiry_load(f->s, &found, &f->a, c, &f->e), &f->e);
}

static void test_load(void)
{
    struct fixture f;
    struct inquiry c;
    setup(&f, 7);
    load(&f, some_options, &c);
    ok(c.config.oracle.majority == 0.75, "the majority that was asked for");
    ok(!c.config.sandbox_none && !c.config.sandbox_all, "  the sandbox as usual");
    ok(c.n_observations == BEDS && c.n_testbeds == BEDS, "all observations and testbeds");
    ok(c.program.n_files == 1 && c.program.made.seed == 7, "the program");
    load(&f, (struct store_options){.sandbox = true}, &c);
    ok(c.config.oracle.majority == oracle_defaults.majority, "the usual majority");
    ok(!c.config.sandbox_none && c.config.sandbox_all, "  all in the sandbox");
    load(&f, (struct store_options){.no_sandbox = true}, &c);
    ok(c.config.sandbox_none && !c.config.sandbox_all, "  none in it");
    struct finding other = c.finding;
    other.campaign = 99;
    is_int(inquiry_load(f.s, &other, &f.a, &c, &f.e), -1, "a campaign that is not there");
    other = c.finding;
    other.program[0] ^= 1;
    is_int(inquiry_load(f.s, &other, &f.a, &c, &f.e), -1, "a program that is not there");
    teardown(&f);
}

int main(void)
{
    arena_init(&arena);
    test_bind();
    test_testbed();
    test_place();
    test_changed();
    test_load();
    arena_release(&arena);
    return tap_done();
}
