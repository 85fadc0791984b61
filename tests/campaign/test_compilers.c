/* Compilers that go, come back, break, and are replaced while a campaign runs: what is left, and
 * what is told. Each is a script that makes a script. */
#include "campaign/compilers.h"
#include "store/fixture.h"
#include "testbed/identity.h"

#include <sys/stat.h>
#include <unistd.h>

enum { N = 3 };

static struct fixture f;
static struct compilers c;
static struct testbed beds[N];
static struct testbed_identity identities[N];
static const char *const names[N] = {"one", "two", "three"};

static const char *in(const char *name)
{
    return arena_printf(&f.a, "%s/%s", f.dir, name);
}

/* As a package manager does: the old file is there until the new one is. */
static void install(const char *name, const char *version, const char *answer)
{
    const char *path = in("new"),
               *text = arena_printf(&f.a,
                                    "#!/bin/sh\n[ \"$1\" = --version ] && { cat %s/version; echo "
                                    "%s; exit 0; }\n[ -e %s/as ] || { echo no as >&2; exit 1; }\n"
                                    "printf '#!/bin/sh\\necho %s\\n' >\"$1\"\nchmod +x \"$1\"\n",
                                    f.dir, version, f.dir, answer);
    must(fs_write(path, text, strlen(text), &f.e), &f.e);
    chmod(path, 0755);
    must(rename(path, in(name)), &f.e);
}

static void make_beds(regex_t *version)
{
    static const char *const steps[] = {"{cc} {exe} {src}", NULL};
    for (int i = 0; i < N; i++) {
        const char **files = arena_array(&f.a, const char *, 2),
                   **probe = arena_array(&f.a, const char *, 3);
        install(names[i], "1.0", "assay 42");
        files[0] = probe[0] = in(names[i]);
        probe[1] = "--version";
        identities[i] = (struct testbed_identity){.files = files, .version = version};
        identities[i].probe = i < 2 ? probe : NULL; /* the third cannot be asked */
        identities[i].stamp = identity_stamp(&identities[i]);
        beds[i] = (struct testbed){.name = names[i],
                                   .toolchain = names[i],
                                   .compiler = names[i],
                                   .path = files[0],
                                   .version = i < 2 ? "1.0" : "",
                                   .language = "c",
                                   .suffix = ".c",
                                   .flags = "",
                                   .model = "lp64",
                                   .identity = &identities[i],
                                   .compile = steps,
                                   .run = "{exe}"};
    }
}

/* Those that are here, with the versions by which they are known. */
static const char *here(void)
{
    const char *out = "";
    for (int i = 0; i < c.n; i++)
        out = arena_printf(&f.a, "%s%s%s %s", out, i ? ", " : "", c.here[i].name,
                           strstr(c.here[i].version, "of 20") ? "(rebuilt)" : c.here[i].version);
    return out;
}

/* Nothing else was told since. */
static const char *told(void)
{
    static int before;
    struct store_incident *list;
    const char *out = "";
    int n;
    must(store_incidents(f.s, f.campaign, &f.a, &list, &n, &f.e), &f.e);
    for (int i = before; i < n; i++)
        out = arena_printf(&f.a, "%s%s%s", out, *out ? "; " : "", list[i].what);
    before = n;
    const char *dir = arena_printf(&f.a, "%s/", f.dir);
    struct strbuf text;
    strbuf_init(&text, 0);
    for (const char *p = out; *p;)
        if (!strncmp(p, dir, strlen(dir)))
            p += strlen(dir);
        else
            strbuf_addc(&text, *p++);
    out = arena_strdup(&f.a, text.s);
    strbuf_release(&text);
    return out;
}

static int look(const struct verdict *verdicts)
{
    f.e = (struct error){0};
    return compilers_look(&c, 5, verdicts, &f.e);
}

static void test_all(void)
{
    struct verdict accused[N] = {0};
    is_int(look(NULL), 0, "all are as they were");
    is_str(here(), "one 1.0, two 1.0, three ", "  and here");
    is_str(told(), "", "  and nothing is told");
    int64_t ids[N];
    memcpy(ids, c.ids, sizeof ids);
    ok(ids[0] != ids[1] && ids[1] != ids[2], "  each under its number");

    must(rename(in("two"), in("away")), &f.e);
    is_int(look(NULL), 1, "one goes");
    is_str(here(), "one 1.0, three ", "  it is left out");
    ok(c.ids[0] == ids[0] && c.ids[1] == ids[2], "  the others keep their numbers");
    is_str(told(), "two (two) is gone: skipped until it is back", "  which is told");
    is_int(look(NULL), 0, "  once");
    accused[1].anomaly = ANOMALY_WRONG_OUTPUT; /* of the third */
    is_int(look(accused), 0, "one that cannot be asked");
    must(rename(in("away"), in("two")), &f.e);
    is_int(look(NULL), 1, "it comes back");
    is_str(here(), "one 1.0, two 1.0, three ", "  to its place");
    ok(!memcmp(c.ids, ids, sizeof ids), "  under its number");
    is_str(told(), "two (two) is back, unchanged", "  which is told");

    install("two", "2.0", "assay 42");
    is_int(look(NULL), 1, "one is replaced");
    is_str(here(), "one 1.0, two 2.0, three ", "  by another version");
    ok(c.ids[0] == ids[0] && c.ids[1] != ids[1] && c.ids[2] == ids[2], "  under another number");
    is_str(told(), "two (two) was replaced: version 1.0, then 2.0; it continues as a new testbed",
           "  which is told");
    is_int(look(NULL), 0, "  once");
    install("two", "2.0", "assay 42");
    int64_t second = c.ids[1];
    is_int(look(NULL), 1, "again");
    is_str(here(), "one 1.0, two (rebuilt), three ", "  by a build of the same version");
    ok(c.ids[1] != second, "  under another number");
    has_str(told(), "two (two) was replaced: version 2.0, then 2.0, of 20", "  which is told");
    install("three", "", "assay 42");
    is_int(look(NULL), 1, "one without a version");
    is_str(here(), "one 1.0, two (rebuilt), three (rebuilt)", "  has the time");
    has_str(told(), "three (three) was replaced: version unknown, then of 20", "  which is told");
    install("three", "", "nonsense");
    is_int(look(NULL), 1, "one is replaced by what does not work");
    is_str(here(), "one 1.0, two (rebuilt)", "  it is left out");
    has_str(told(), "three (three) was replaced and does not work: ", "  which is told");
    is_int(look(NULL), 0, "  once");
    install("three", "", "assay 42");
    is_int(look(NULL), 1, "it is mended");
    is_str(here(), "one 1.0, two (rebuilt), three (rebuilt)", "  and here again");
    has_str(told(), "three (three) was replaced: ", "  which is told");

    /* What it prints may change while its file does not. */
    must(fs_write(in("version"), "9.9\n", 4, &f.e), &f.e);
    memset(accused, 0, sizeof accused);
    is_int(look(accused), 0, "nobody is accused, and nobody asked");
    accused[0].anomaly = ANOMALY_BUILD_CRASH;
    is_int(look(accused), 1, "the accused is asked");
    is_str(here(), "one 9.9, two (rebuilt), three (rebuilt)", "  and is another one");
    has_str(told(), "one (one) was replaced: version 1.0, then 9.9; ", "  which is told");
    is_int(look(accused), 0, "  once");
    accused[0].anomaly = ANOMALY_NONE;
    accused[1].anomaly = ANOMALY_BUILD_CRASH;
    is_int(look(accused), 1, "so is another accused");
    has_str(told(), "two (two) was replaced: version 2.0, of 20", "  which is told");
    is_str(here(), "one 9.9, two 9.9, three (rebuilt)", "  all of them");

    /* A part that nobody looks at, such as the assembler. */
    memcpy(ids, c.ids, sizeof ids);
    memset(accused, 0, sizeof accused);
    must(unlink(in("as")), &f.e);
    accused[0].anomaly = ANOMALY_WRONG_OUTPUT;
    is_int(look(accused), 0, "a part is gone: one is accused, but not of its build");
    accused[0].anomaly = ANOMALY_BUILD_FAIL;
    is_int(look(accused), 1, "  one is accused of its build");
    is_str(here(), "two 9.9, three (rebuilt)", "  it is left out");
    is_str(told(),
           "one (one) does not work any more: build-fail (exit 1): no as; left out until it does",
           "  which is told");
    is_int(look(NULL), 0, "  once");
    must(fs_write(in("as"), "", 0, &f.e), &f.e);
    is_int(look(accused + 1), 0, "  it is tried ahead of a test alone");
    is_int(look(NULL), 1, "the part is back");
    is_str(here(), "one 9.9, two 9.9, three (rebuilt)", "  and so is the compiler");
    ok(!memcmp(c.ids, ids, sizeof ids), "  under its number");
    is_str(told(), "one (one) works again", "  which is told");
    is_int(look(accused), 0, "what works is accused of its build, and stays");

    for (int i = 0; i < N; i++)
        must(unlink(in(names[i])), &f.e);
    is_int(look(NULL), -1, "all go");
    is_str(f.e.message, "no compiler is left: see `assay show incidents`", "  that is the end");
}

int main(void)
{
    regex_t version;
    struct runner r;
    struct log log;
    const struct test_setup s = {.testbeds = beds, .n_testbeds = N, .oracle = oracle_defaults};
    struct strbuf lines;
    setup(&f, 7);
    regcomp(&version, "([0-9.]+)", REG_EXTENDED);
    must(fs_write(in("version"), "", 0, &f.e), &f.e);
    must(fs_write(in("as"), "", 0, &f.e), &f.e);
    make_beds(&version);
    must(runner_init(&r, &f.e), &f.e);
    r.sandbox_none = true;
    log_open(&log, in("log"), LOG_NOTE, "test");
    must(compilers_init(&c, &s, f.s, f.campaign, &r, &log, &f.e), &f.e);
    test_all();
    strbuf_init(&lines, 0);
    must(fs_read(in("log"), &lines, &f.e), &f.e);
    int n = 0;
    for (const char *p = lines.s; *p; p++)
        n += *p == '\n';
    is_int(n, 13, "all of it is in the log");
    strbuf_release(&lines);
    compilers_release(&c);
    log_close(&log);
    runner_release(&r);
    regfree(&version);
    teardown(&f);
    return tap_done();
}
