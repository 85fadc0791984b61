#include "base/error.h"
#include "base/fs.h"
#include "base/ini.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "tap.h"

#include <unistd.h>

static void test_split(struct arena *a)
{
    static const struct {
        const char *text;
        int n;
        const char *joined; /* words with | between */
    } table[] = {
        {"", 0, ""},
        {"  ", 0, ""},
        {"gcc -O2 t.c", 3, "gcc|-O2|t.c"},
        {" a\tb ", 2, "a|b"},
        {"'a b' c", 2, "a b|c"},
        {"\"a 'b'\" c\\ d", 2, "a 'b'|c d"},
        {"-D'X=1 2'", 1, "-DX=1 2"},
        {"''", 1, ""},
        {"\"a\\\"b\"", 1, "a\"b"},
        {"'open", -1, ""},
        {"\"open", -1, ""},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        char **words;
        struct strbuf b;
        strbuf_init(&b, 0);
        int n = text_split(a, table[i].text, &words);
        is_int(n, table[i].n, "words in <%s>", table[i].text);
        for (int k = 0; k < n; k++)
            strbuf_addf(&b, "%s%s", k ? "|" : "", words[k]);
        is_str(b.s, table[i].joined, "  which are");
        strbuf_release(&b);
    }
}

static void test_fill(void)
{
    struct arena a;
    arena_init(&a);
    is_str(text_fill(&a, "{cc} -o {exe} {cc}", "{cc}", "gcc", "{exe}", "t", NULL), "gcc -o t gcc",
           "each hole, wherever it stands");
    is_str(text_fill(&a, "{a}{b}", "{a}", "{a}{b}", "{b}", "{a}", NULL), "{a}{b}{a}",
           "a value that holds a hole stands as it is");
    is_str(text_fill(&a, "{x} {", "{cc}", "gcc", NULL), "{x} {", "what is no hole stays");
    is_str(text_fill(&a, "50 % of %", "%", "%%", NULL), "50 %% of %%", "what is doubled");
    is_str(text_join(&a, (const char *const[]){"a", "", "b"}, 3, ", "), "a, , b", "joined");
    is_str(text_join(&a, NULL, 0, ", "), "", "nothing joined");
    is_str(fs_folder(&a, "a/b/t.c"), "a/b", "the folder of a file");
    is_str(fs_folder(&a, "t.c"), ".", "  of one right here");
    is_str(fs_folder(&a, "/t.c"), "/", "  of one in the root");
    arena_release(&a);
}

static void test_quote(void)
{
    struct strbuf b;
    strbuf_init(&b, 0);
    text_quote(&b, "-O2");
    strbuf_addc(&b, ' ');
    text_quote(&b, "a b");
    strbuf_addc(&b, ' ');
    text_quote(&b, "it's");
    strbuf_addc(&b, ' ');
    text_quote(&b, "");
    is_str(b.s, "-O2 'a b' 'it'\\''s' ''", "quoted for sh where needed");
    strbuf_clear(&b);
    text_quote_shown(&b, "\033[1m it's \xc3\xa9\xff\xc2\x9b");
    strbuf_addc(&b, ' ');
    text_quote_shown(&b, "");
    strbuf_addc(&b, ' ');
    text_quote_shown(&b, "-O2");
    is_str(b.s,
           "\"$(printf '\\033')\"'[1m it'\\''s \xc3\xa9'\"$(printf '\\377\\302\\233')\" '' -O2",
           "what moves a cursor is made by printf");
    strbuf_release(&b);
}

static void test_numbers(void)
{
    static const struct {
        const char *text;
        long long ms; /* -1: wrong */
    } durations[] = {{"20s", 20000}, {"5m", 300000}, {"1h30m", 5400000}, {"250ms", 250},
                     {"90", 90000},  {"1.5s", 1500}, {"2d", 172800000},  {"", -1},
                     {"x", -1},      {"5x", -1},     {"-3s", -1},        {"10 s", -1},
                     {"s", -1},      {"1e99s", -1}};
    for (size_t i = 0; i < sizeof durations / sizeof *durations; i++) {
        int64_t ms = -1;
        if (!text_parse_duration(durations[i].text, &ms))
            ms = -1;
        is_int(ms, durations[i].ms, "duration '%s'", durations[i].text);
    }
    static const struct {
        const char *text;
        long long bytes;
    } sizes[] = {{"4096", 4096},       {"512K", 524288}, {"64M", 67108864}, {"2G", 2147483648},
                 {"1GiB", 1073741824}, {"", -1},         {"M", -1},         {"-1", -1},
                 {"9999999999G", -1},  {"1X", -1}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        int64_t bytes = -1;
        if (!text_parse_size(sizes[i].text, &bytes))
            bytes = -1;
        is_int(bytes, sizes[i].bytes, "size '%s'", sizes[i].text);
    }
    int64_t n;
    uint64_t u;
    ok(!text_parse_int("7x", 0, 9, &n) && !text_parse_int("10", 0, 9, &n) &&
           text_parse_int("9", 0, 9, &n) && n == 9,
       "integers in a range");
    ok(text_parse_u64("18446744073709551615", &u) && u == UINT64_MAX &&
           !text_parse_u64("18446744073709551616", &u) && !text_parse_u64("-1", &u),
       "64-bit seeds");
    char out[32];
    is_str(text_duration(5400, out), "5.4s", "seconds");
    is_str(text_duration(3725000, out), "1h 02m 05s", "hours");
    is_str(text_duration(90061000, out), "1d 01h 01m", "days");
}

static void test_nearest(void)
{
    static const char *const names[] = {"compile", "crash", "flags", "find", "run"};
    is_str(text_nearest("complie", names, 5), "compile", "two letters swapped");
    is_str(text_nearest("flag", names, 5), "flags", "one missing");
    is_str(text_nearest("run", names, 5), "run", "the same");
    ok(!text_nearest("zebra-crossing", names, 5), "nothing near");
}

static const struct ini_key keys[] = {
    {"toolchain", "name"}, {"toolchain", "flags"}, {"limits", "cpu"}};

struct taken {
    int n;
    int lines[8];
    char text[200];
};

static int take(void *context, int key, const char *value, int line, struct error *e)
{
    struct taken *t = context;
    t->lines[t->n++] = line;
    size_t at = strlen(t->text);
    snprintf(t->text + at, sizeof t->text - at, "%s=%s;", keys[key].name, value);
    if (!strcmp(value, "bad"))
        return error_at(e, ERROR_USAGE, "f", line, "bad value");
    return 0;
}

static int read_ini(const char *text, struct taken *t, struct arena *a, struct error *e)
{
    char path[] = "/tmp/assay-ini-XXXXXX";
    int fd = mkstemp(path);
    close(fd);
    fs_write(path, text, strlen(text), NULL);
    *t = (struct taken){0};
    *e = (struct error){0};
    int status = ini_read(path, keys, 3, a, take, t, e);
    unlink(path);
    return status;
}

static void test_ini(struct arena *a)
{
    struct taken t;
    struct error e;
    is_int(
        read_ini("; comment\n[toolchain]\nname = gcc\nflags = -O0\nflags = -O1 ; why\n\n[limits]\n"
                 "cpu = 3\n",
                 &t, a, &e),
        0, "a good file");
    is_str(t.text, "name=gcc;flags=-O0;flags=-O1;cpu=3;", "values in order, keys repeated");
    ok(t.lines[0] == 3 && t.lines[3] == 8, "each with its line");
    is_int(read_ini("[toolchain]\nname = x\nflgas = -O0\n", &t, a, &e), -1, "a wrong key");
    is_int(e.line, 3, "  its line");
    is_str(e.message, "unknown key 'flgas': did you mean 'flags'?", "  and the nearest right one");
    is_int(read_ini("[toolchian]\nname = x\n", &t, a, &e), -1, "a wrong section");
    is_str(e.message, "unknown section 'toolchian': did you mean 'toolchain'?", "  is named");
    is_int(read_ini("name = x\n", &t, a, &e), -1, "a key before any section");
    has_str(e.message, "before any [section]", "  is named");
    is_int(read_ini("[toolchain]\nname = x\nwhat is this\n", &t, a, &e), -1, "no key = value");
    is_int(e.line, 3, "  its line");
    is_int(read_ini("[toolchain]\nname = bad\nflags = never\n", &t, a, &e), -1, "a refused value");
    ok(t.n == 1 && e.line == 2, "  stops there");
    char longer[600];
    memset(longer, 'x', sizeof longer);
    snprintf(longer, 30, "[toolchain]\nflags = ");
    longer[20] = 'x';
    longer[sizeof longer - 1] = '\0';
    is_int(read_ini(longer, &t, a, &e), -1, "a line that libinih would cut");
    has_str(e.message, "longer than", "  is refused instead");
    is_int(ini_read("/nonexistent.ini", keys, 3, a, take, &t, &e), -1, "no file");
    has_str(e.message, "cannot be read", "  says so");
}

static void test_cut_lines(struct arena *a)
{
    char text[3 * TEXT_LINE_MOST];
    memset(text, 'x', sizeof text);
    text[TEXT_LINE_MOST] = '\n';
    text[2 * TEXT_LINE_MOST] = '\0'; /* the second line has one less */
    ok(text_cut_lines(a, text) == text, "no line is too long");
    text[TEXT_LINE_MOST] = 'x';
    text[TEXT_LINE_MOST + 1] = '\n';
    text[TEXT_LINE_MOST + 2] = 'y';
    const char *cut = text_cut_lines(a, text);
    ok(strlen(cut) == 2 * TEXT_LINE_MOST - 1 && cut[TEXT_LINE_MOST] == '\n' &&
           cut[TEXT_LINE_MOST + 1] == 'y',
       "one is cut, the next is whole");
    is_str(text_cut_lines(a, ""), "", "nothing to cut");
    snprintf(text, sizeof text, "a\n\n%*s\n", TEXT_LINE_MOST + 100, "^ not a constant");
    is_str(text_cut_lines(a, text), "a\n\n ^ not a constant\n", "behind many blanks");
}

static void test_fs(void)
{
    char dir[256], path[300];
    struct error e = {0};
    struct strbuf b;
    strbuf_init(&b, 0);
    is_int(fs_make_temp_dir("assay-test", dir, sizeof dir, &e), 0, "a temporary folder");
    snprintf(path, sizeof path, "%s/a/b/c", dir);
    is_int(fs_make_dirs(path, &e), 0, "folders in folders");
    snprintf(path, sizeof path, "%s/a/b/c/file", dir);
    is_int(fs_write(path, "hello", 5, &e), 0, "written");
    is_int(fs_read(path, &b, &e), 0, "read");
    is_str(b.s, "hello", "the same");
    ok(fs_write("/nonexistent/x", "", 0, &e) && strstr(e.message, "No such file"), "a clear error");
    snprintf(path, sizeof path, "%s/link", dir);
    ok(symlink("/etc", path) == 0, "a link to outside");
    fs_remove_tree(dir);
    ok(!fs_exists(dir) && fs_exists("/etc/passwd"), "the tree is gone, what the link meant is not");
    strbuf_release(&b);
}

static void test_visible(void)
{
    static const struct {
        struct bytes text;
        const char *wanted;
    } table[] = {
        {{"plain\ttext\n", 11}, "plain\ttext\n"},
        {{"a\0b", 3}, "a\\x00b"},
        {{"\x1b[31mred\r\b\x7f", 11}, "\\x1b[31mred\\x0d\\x08\\x7f"},
        {{"\x1b]8;;http://x\x07", 14}, "\\x1b]8;;http://x\\x07"},
        {{"\xc3\xa9 \xff \xc3", 6}, "\xc3\xa9 \\xff \\xc3"},
        {{"\xc2\x9b", 2}, "\\xc2\\x9b"},
        {{"\xe2\x80\xae\xe2\x81\xa6\xe2\x80\x8f", 9}, "\\u{202E}\\u{2066}\\u{200F}"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct strbuf out;
        strbuf_init(&out, 0);
        text_visible(&out, table[i].text);
        is_str(out.s, table[i].wanted, "what a terminal may be given");
        strbuf_release(&out);
    }
}

static void test_lists(struct arena *a)
{
    char dir[256];
    string_list names = {0};
    struct error e = {0};
    ok(text_ends("a.ini", ".ini") && !text_ends(".ini", ".ini") && !text_ends("a.in", ".ini"),
       "a name and its end");
    fs_make_temp_dir("assay-test", dir, sizeof dir, NULL);
    static const char *const files[] = {"b", "a.c", ".hidden", "c"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        fs_write(arena_printf(a, "%s/%s", dir, files[i]), "x", 1, NULL);
    is_int(fs_list(dir, a, &names, &e), 0, "a folder is listed");
    ok(names.n == 3 && !strcmp(names.at[0], "a.c") && !strcmp(names.at[2], "c"),
       "  sorted, without what is hidden");
    fs_remove_tree(dir);
    is_int(fs_list(dir, a, &names, &e), -1, "one that is not there is not");
    has_str(e.message, "this folder cannot be read", "  says so");
    vec_release(&names);
    text_sort(&names);
    is_int(names.n, 0, "nothing is sorted already");
}

int main(void)
{
    struct arena a;
    arena_init(&a);
    test_split(&a);
    test_fill();
    test_quote();
    test_numbers();
    test_nearest();
    test_ini(&a);
    test_cut_lines(&a);
    test_fs();
    test_visible();
    test_lists(&a);
    ok(bytes_equal((struct bytes){NULL, 0}, (struct bytes){"", 0}), "no bytes are equal, wherever");
    char text[100];
    struct error e;
    error_at(&e, ERROR_USAGE, "x.ini", 3, "no %s", "good");
    is_str(error_text(&e, text, sizeof text), "x.ini:3: no good", "an error with its place");
    arena_release(&a);
    return tap_done();
}
