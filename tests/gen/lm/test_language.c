/* Languages as text files: what is read, what is refused and where. */
#include "base/fs.h"
#include "gen/lm/language.h"
#include "tap.h"

#include <stdlib.h>
#include <unistd.h>

static char dir[4096];

static const char *put(struct arena *a, const char *name, const char *text)
{
    struct error e;
    const char *path = arena_printf(a, "%s/%s", dir, name);
    ok(!fs_write(path, text, strlen(text), &e), "%s written", name);
    return path;
}

static void reads(struct arena *a)
{
    struct lm_language l;
    struct error e = {0};
    const char *dirs[] = {dir};
    put(a, "mine.ini",
        "[language]\nhelp = my own\nsuffix = .my\nseed = \"begin \"\nseed = \"x;\\n\"\n"
        "names = any\nreader = text\ncheck = mycc -c {src}\nposition = line ([0-9]+)\n"
        "atoms = one two\natoms = three\nline-comment = --\nblock-comment = (* *)\n"
        "open = {(\nclose = })\ntemperature = 0.75\nmost-tokens = 50\n");
    if (!ok(!lm_language_load("mine", dirs, 1, a, &l, &e), "a file is read by name"))
        printf("# %s\n", e.message);
    is_str(l.name, "mine", "its name is the file's");
    is_str(l.suffix, ".my", "suffix");
    is_int(l.n_seeds, 2, "a key may stand twice");
    is_str(l.seeds[0], "begin ", "quotes keep blanks");
    is_str(l.seeds[1], "x;\n", "and semicolons and line ends");
    is_int(l.n_atoms, 3, "atoms of all lines");
    is_str(l.own.scan.comment_end, "*)", "comments");
    is_str(l.position, "line ([0-9]+)", "the expression as it stands");
    ok(l.temperature == 0.75 && l.most_tokens == 50 && l.least_lines == 3, "numbers");
    is_int(l.wrap, LM_WRAP_NONE, "what is not said is the default");
}

static void refuses(struct arena *a)
{
    static const struct {
        const char *line, *says;
        int at;
    } bad[] = {
        {"reader = paper", "reader: 'paper' is not text or clang", 2},
        {"most-tokens = 0", "from 1 to", 2},
        {"position = line [0-9]+", "no group", 2},
        {"position = (", "regular expression", 2},
        {"begin = a++++++++++++++++++++++++++++++", "is too large: at most", 2},
        {"check = cc", "{src}", 2},
        {"open = {", "go together", 0},
        {"sufix = .x", "suffix", 2},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct lm_language l;
        struct error e = {0};
        const char *path = put(a, "bad.ini", arena_printf(a, "[language]\n%s\n", bad[i].line));
        ok(lm_language_load(path, NULL, 0, a, &l, &e) == -1, "refused: %s", bad[i].line);
        has_str(e.message, bad[i].says, "and why");
        is_int(e.line, bad[i].at, "and where");
    }
    unlink(arena_printf(a, "%s/bad.ini", dir));
}

static void lists(struct arena *a)
{
    const char *dirs[] = {dir}, **names;
    struct lm_language l;
    struct error e = {0};
    int n;
    put(a, "another.ini", "[language]\n");
    lm_language_list(dirs, 1, a, &names, &n, &e);
    is_int(n, 2, "two languages");
    is_str(names[0], "another", "sorted by name");
    ok(lm_language_load("mien", dirs, 1, a, &l, &e) == -1, "an unknown name");
    has_str(e.message, "'mine'", "has a nearest one");
}

int main(void)
{
    struct arena a;
    struct error e;
    arena_init(&a);
    if (fs_make_temp_dir("assay-test", dir, sizeof dir, &e))
        return 1;
    reads(&a);
    refuses(&a);
    lists(&a);
    fs_remove_tree(dir);
    arena_release(&a);
    return tap_done();
}
