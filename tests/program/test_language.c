#include "program/language.h"
#include "tap.h"

/* Every row: what it says of itself is read by its own scanner. */
static void test_rows(void)
{
    static const char *const names[] = {"c", "c++", "opencl", "lua", "sql", "smtlib"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const struct language *l = language_find(names[i]);
        struct arena a;
        arena_init(&a);
        is_str(l->name, names[i], "%s has a row", names[i]);
        const char *note = arena_printf(&a, "%sassay%s\n", l->note, l->note_end);
        struct scan s = scan_of(&l->scan, note, strlen(note));
        ok(scan_comment(&s) && scan_peek(&s, 0) == '\n', "  whose first comment is one");
        const char *file =
            arena_printf(&a, "a/b.x%.*s", (int)strcspn(l->suffixes + 1, " "), l->suffixes + 1);
        ok(language_of_file(file) == l, "  %s is a file of it", file);
        s = scan_of(&l->scan, l->smoke, strlen(l->smoke));
        bool open = false;
        for (struct scan_token t; (t = scan_token(&s)).kind != SCAN_END;)
            open |= t.open;
        ok(!open && *l->smoke_output, "  and a small program without loose ends");
        arena_release(&a);
    }
    ok(language_is_keyword(language_find("sql"), "SELECT", 6), "SQL has its words in any case");
    ok(!language_is_keyword(language_find("lua"), "END", 3), "Lua has not");
    ok(language_is_keyword(language_find("opencl"), "kernel", 6), "a word of OpenCL");
    ok(language_is_type(language_find("c"), "int16_t", 7), "a type of C");
}

static void test_unknown(void)
{
    const struct language *l = language_find("brainf");
    is_str(l->name, "", "a language that has no row");
    ok(!l->scan.line_comment && !l->scan.comment && !l->note, "  has no comments that we know of");
    ok(!language_is_keyword(l, "if", 2), "  and no words");
    ok(language_of_file("a.b/c") == l && language_of_file("README") == l, "nor have its files one");
}

static void test_own(void)
{
    struct arena a;
    arena_init(&a);
    struct language l = *language_find("mine");
    language_set_note(&l, "%% %s", &a);
    is_str(l.scan.line_comment, "%%", "a comment up to the end of its line");
    is_str(l.note, "%% ", "  is written with its blank");
    l = *language_find("mine");
    language_set_note(&l, "(* %s *)", &a);
    is_str(l.scan.comment, "(*", "a comment that begins");
    is_str(l.scan.comment_end, "*)", "  and ends");
    ok(!l.scan.line_comment, "  and nothing else");
    l = *language_find("c");
    language_set_note(&l, "// %s", &a);
    is_str(l.scan.comment, "/*", "what is known of C stays");
    is_str(l.note, "// ", "  but the first comment is the user's");
    arena_release(&a);
}

/* A program of a language of the user's own says itself what its comments look like. */
static void test_seen(void)
{
    static const struct {
        const char *name, *text, *line, *begin, *end;
    } table[] = {
        {"mine", "# assay gen lala:mine -s 1 (lala:mine 1)\nx", "#", NULL, NULL},
        {"mine", "%assay gen mine -s 1\n", "%", NULL, NULL},
        {"mine", "(* assay gen lala:mine -s 1 (lala:mine 1) *)\nx", NULL, "(*", "*)"},
        {"mine", "{- finding 3, reduced by assay from x seed 1: y -}", NULL, "{-", "-}"},
        {"mine", "assay gen lala:mine -s 1", NULL, NULL, NULL},
        {"mine", "# somebody else's\n# assay gen", NULL, NULL, NULL},
        {"mine", "", NULL, NULL, NULL},
        {"c", "# assay gen c -s 1\n", "//", "/*", "*/"},
    };
    struct arena a;
    arena_init(&a);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct language l;
        language_of_text(table[i].name, table[i].text, &a, &l);
        is_str(l.scan.line_comment, table[i].line, "seen in <%s>", table[i].text);
        is_str(l.scan.comment, table[i].begin, "  a comment begins");
        is_str(l.scan.comment_end, table[i].end, "  and ends");
    }
    struct program_file files[] = {{"a.h", "x", 1}, {"b.my", "-- assay gen x -s 1", 19}};
    struct program p = {.language = "mine", .files = files, .n_files = 2, .needs = ""};
    struct language l;
    language_of_program(&p, &a, &l);
    is_str(l.note, "-- ", "the first source of a program says it");
    is_str(l.note_end, "", "  to the end of the line");
    arena_release(&a);
}

int main(void)
{
    test_seen();
    test_rows();
    test_unknown();
    test_own();
    return tap_done();
}
