/* Settings at the door of the generators: those of a command, and how a program is named that was
 * made with some. */
#include "base/fs.h"
#include "gen/gen.h"
#include "tap.h"

static const char preset[] = "[generator]\nname = tiny\nlanguage = c\ncommand = echo {seed}\n";

static void test_open(const char *dir)
{
    static const char *const settings[] = {"max-funcs=5", "no-goto"};
    struct gen_context context = {.dirs = &dir, .n_dirs = 1};
    struct generator *g = NULL;
    struct error e = {0};
    is_int(gen_open("tiny", &context, &g, &e), 0, "a generator that is a command opens");
    ok(!gen_settings("tiny"), "  its name tells of no settings");
    is_str(g->config, "echo {seed}||", "  its config is what it runs");
    gen_close(g);
    g = NULL;
    context.config = "whatever a record says";
    is_int(gen_open("tiny", &context, &g, &e), 0, "a recorded config does not disturb it");
    gen_close(g);
    g = NULL;
    context.settings = settings;
    context.n_settings = 2;
    is_int(gen_open("tiny", &context, &g, &e), -1, "settings do");
    is_str(e.message,
           "the generator tiny has no option --max-funcs: it is a command; pass options to it with "
           "--args='--max-funcs'",
           "  says which, and what to do");
    ok(e.kind == ERROR_USAGE && !g, "  and nothing is open");
    is_int(gen_open("tony", &context, &g, &e), -1, "settings for nobody");
    has_str(e.message, "did you mean 'tiny'?", "  it is the name that is wrong");
}

/* Words for a command: in its config, from which it is opened again just so. */
static void test_args(const char *dir)
{
    static const char *const settings[] = {"args=-a   'b|c' \"it's\""};
    struct gen_context context = {.dirs = &dir, .n_dirs = 1, .settings = settings, .n_settings = 1};
    struct generator *g = NULL, *again = NULL;
    struct error e = {0};
    struct strbuf command;
    strbuf_init(&command, 0);
    is_int(gen_open("tiny", &context, &g, &e), 0, "words for a command");
    is_str(g->config, "args=-a 'b|c' 'it'\\''s'|echo {seed}||", "  are part of its config");
    context = (struct gen_context){.dirs = &dir, .n_dirs = 1, .config = g->config};
    is_int(gen_open("tiny", &context, &again, &e), 0, "opened by that");
    is_str(again->config, g->config, "  it is the same");
    gen_command("tiny", g->config, 7, &command);
    has_str(command.s, "assay gen tiny -s 7 --args='-a", "and so it is typed");
    strbuf_release(&command);
    gen_close(g);
    gen_close(again);
}

/* A hint is only ever an option that the generator has itself. */
static void test_hints(void)
{
    static const char *const names[] = {"smith", "yarp", "graft", "lala:lua", "lm:c", "spe"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const struct settings *t = gen_settings(names[i]);
        string_list all = {0};
        struct arena a;
        int wrong = 0;
        if (!t && !strcmp(names[i], "spe")) {
            tap_skip("options of spe", "it is not in this build");
            continue;
        }
        arena_init(&a);
        settings_names(t, &a, &all);
        for (size_t k = 0; k < all.n; k++) /* one letter too many, for each of them */
            for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
                const struct settings *other = gen_settings(names[n]);
                struct error e = {0};
                char name[128], *hint;
                snprintf(name, sizeof name, "%sx", all.at[k]);
                if (!other || settings_set(other, NULL, &a, name, NULL, &e) != -1)
                    continue;
                hint = strstr(e.message, "did you mean --");
                if (!hint)
                    continue;
                hint += strlen("did you mean --");
                hint[strcspn(hint, "?=")] = '\0';
                wrong += settings_takes_value(other, hint) < 0 || gen_takes_value(hint) < 0;
            }
        ok(all.n > 3, "%s has %zu options", names[i], all.n);
        is_int(wrong, 0, "  and every hint for a wrong one is an option of that generator");
        vec_release(&all);
        arena_release(&a);
    }
    is_int(gen_settings("csmith") || gen_settings("nobody"), 0, "others have none");
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
    test_open(dir);
    test_args(dir);
    test_hints();
    test_command();
    fs_remove_tree(dir);
    return tap_done();
}
