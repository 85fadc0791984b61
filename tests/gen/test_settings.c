/* Settings at the door of the generators: those of a generator that has none, and how a program is
 * named that was made with some. */
#include "base/fs.h"
#include "gen/gen.h"
#include "tap.h"

static const char preset[] = "[generator]\nname = tiny\nlanguage = c\ncommand = echo {seed}\n";

static void test_split(void)
{
    char name[16];
    is_str(gen_setting_split("goto", name, sizeof name), NULL, "a setting without a value");
    is_str(name, "goto", "  its name");
    is_str(gen_setting_split("max-funcs=5", name, sizeof name), "5", "one with a value");
    is_str(name, "max-funcs", "  its name");
    is_str(gen_setting_split("a=b=c", name, sizeof name), "b=c", "the first = counts");
    is_str(gen_setting_split("a=", name, sizeof name), "", "an empty value is one");
    gen_setting_split("a-name-that-is-too-long=1", name, sizeof name);
    is_str(name, "a-name-that-is-", "a name is cut, not written beyond its place");
}

static void test_open(const char *dir)
{
    static const char *const settings[] = {"max-funcs=5", "no-goto"};
    struct gen_context context = {.dirs = &dir, .n_dirs = 1};
    struct generator *g = NULL;
    struct error e = {0};
    is_int(gen_open("tiny", &context, &g, &e), 0, "a generator without settings opens");
    ok(!g->class->takes_value && !g->class->options && !gen_has_settings("tiny"), "  it has none");
    gen_close(g);
    g = NULL;
    context.config = "whatever a record says";
    is_int(gen_open("tiny", &context, &g, &e), 0, "a recorded config does not disturb it");
    gen_close(g);
    g = NULL;
    context.settings = settings;
    context.n_settings = 2;
    is_int(gen_open("tiny", &context, &g, &e), -1, "settings do");
    is_str(e.message, "the generator tiny has no option --max-funcs", "  says which");
    ok(e.kind == ERROR_USAGE && !g, "  and nothing is open");
    is_int(gen_open("tony", &context, &g, &e), -1, "settings for nobody");
    has_str(e.message, "did you mean 'tiny'?", "  it is the name that is wrong");
}

static void test_command(void)
{
    struct strbuf out;
    strbuf_init(&out, 0);
    gen_command("tiny", "echo {seed},x|y|1.0", 7, &out);
    is_str(out.s, "assay gen tiny -s 7", "what is no settings is not shown as such");
    strbuf_clear(&out);
    gen_command("tiny", NULL, UINT64_MAX, &out);
    is_str(out.s, "assay gen tiny -s 18446744073709551615", "nor is nothing");
    strbuf_release(&out);
    is_int(gen_takes_value("no-such-setting-anywhere"), -1, "a setting that no generator knows");
}

int main(void)
{
    char dir[256], path[300];
    if (fs_make_temp_dir("assay-test", dir, sizeof dir, NULL))
        return 1;
    snprintf(path, sizeof path, "%s/tiny.ini", dir);
    fs_write(path, preset, sizeof preset - 1, NULL);
    test_split();
    test_open(dir);
    test_command();
    fs_remove_tree(dir);
    return tap_done();
}
