/* Texts as tokens and words: what generators add is dropped, numbers and names are generalised. */
#include "base/strbuf.h"
#include "tap.h"
#include "triage/triage_internal.h"

static struct arena arena;

static const char *joined(struct tokens t)
{
    struct strbuf out;
    strbuf_init(&out, 0);
    for (int i = 0; i < t.n; i++)
        strbuf_addf(&out, "%s%.*s", i ? " " : "", t.at[i].n, t.at[i].s);
    const char *text = arena_strdup(&arena, out.s);
    strbuf_release(&out);
    return text;
}

/* -- what is left of a text -------------------------------------------------------------------- */

static const struct {
    const char *what, *text, *left;
} texts[] = {
    {"comments and directives", "#define X\nint /* a */ b; // c\n#if 0\nint d;", "int b ; int d ;"},
    {"texts and characters are one", "x = \"a b\" + 'c';", "x = \"a b\" + 'c' ;"},
    {"marks of several characters", "a >>= b->c <= 1;", "a >>= b -> c <= 1 ;"},
    {"a variable of the checksum", "static int crc32_tab[256]; int a;", "int a ;"},
    {"  with its values", "int crc32_tab[] = {1, {2}, 3}; int a;", "int a ;"},
    {"a function of it", "void crc32_gentab(int a[2]) { if (a) { b(); } c[1]; } int a;", "int a ;"},
    {"a type of it", "struct platform_s { int a; }; int b;", "int b ;"},
    {"  a variable of that is found by its name", "int x = crc32_y; int b;",
     "int x = crc32_y ; int b ;"},
    {"an assertion", "_Static_assert(sizeof(int) == 4, \"\"); int b;", "int b ;"},
    {"a wrapper", "static int safe_add(int a, int b) { return a + b; } int b;", "int b ;"},
    {"ours", "int assay_x = 1; int b;", "int b ;"},
    {"what only contains such a word", "int my_safe_x; int b;", "int my_safe_x ; int b ;"},
    {"one without an end", "int b; int safe_x", "int b ;"},
    {"  or without its brackets", "int b; int safe_x(", "int b ;"},
    {"a call of it", "void f(void) { transparent_crc(x, (y)); y = 1; }",
     "void f ( void ) { y = 1 ; }"},
    {"  at the end", "void f(void) { y = 1; transparent_crc(x); } int z;",
     "void f ( void ) { y = 1 ; } int z ;"},
    {"a condition on it", "void f(void) { if (print_hash_value) printf(\"x\"); y = 1; }",
     "void f ( void ) { y = 1 ; }"},
    {"  with a block", "void f(void) { if (print_hash_value) { g(); h(); } y = 1; }",
     "void f ( void ) { y = 1 ; }"},
    {"  on something else", "void f(void) { if (x) transparent_crc(x); y = 1; }",
     "void f ( void ) { if ( x ) transparent_crc ( x ) ; y = 1 ; }"},
    {"  cut off", "void f(void) { if (", "void f ( void ) { if ("},
    {"  cut off earlier", "void f(void) { if", "void f ( void ) { if"},
    {"  outside of a function", "if (safe_x) y;", "if ( safe_x ) y ;"},
    {"what is printed of it", "void f(void) { printf(\"%d\", crc32_context ^ 1); y = 1; }",
     "void f ( void ) { y = 1 ; }"},
    {"  or of something else", "void f(void) { printf(\"%d\", x); crc32_context; }",
     "void f ( void ) { printf ( \"%d\" , x ) ; }"},
    {"  outside of a function", "printf(crc32_context);", "printf ( crc32_context ) ;"},
    {"a word in the middle of a statement", "void f(void) { y = safe_add(1, 2); }",
     "void f ( void ) { y = safe_add ( 1 , 2 ) ; }"},
    {"the arguments of main", "int main(int argc, char **argv) { x(); }",
     "int main ( ) { x ( ) ; }"},
    {"  of nobody else", "int domain(int a) { x(); }", "int domain ( int a ) { x ( ) ; }"},
    {"  without an end", "int main(int a", "int main ( int a"},
    {"a loop around nothing else",
     "void f(void) { for (i = 0; i < g(1); i++) { transparent_crc(x); } y = 1; }",
     "void f ( void ) { y = 1 ; }"},
    {"  around something", "void f(void) { for (;;) { x; } y = 1; }",
     "void f ( void ) { for ( ; ; ) { x ; } y = 1 ; }"},
    {"  without a block", "void f(void) { for (;;) ; y = 1; }",
     "void f ( void ) { for ( ; ; ) ; y = 1 ; }"},
    {"  of another kind", "void f(void) { while (x) { } y = 1; }",
     "void f ( void ) { while ( x ) { } y = 1 ; }"},
    {"  cut off", "for (;;) {", "for ( ; ; ) {"},
    {"  cut off earlier", "for", "for"},
    {"  at the very end", "for (;;) {}", ""},
    {"nothing", "", ""},
};

static void test_texts(void)
{
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        is_str(joined(tokens_of(&arena, "c", texts[i].text)), texts[i].left, "%s: %s",
               texts[i].what, texts[i].text);
    is_str(joined(tokens_of(&arena, "lua", "local safe_x = 1 -- a\nsafe_x()")),
           "local safe_x = 1 safe_x ( )", "another language has no such words");
    ok(language_is_c("c") && language_is_c("c++") && !language_is_c("lua") && !language_is_c(""),
       "what is C");
    struct tokens t = tokens_of(&arena, "c", "ab 1 \"x\" +");
    ok(t.at[0].kind == TOKEN_NAME && t.at[1].kind == TOKEN_NUMBER && t.at[2].kind == TOKEN_TEXT &&
           t.at[3].kind == TOKEN_MARK,
       "kinds");
    ok(token_is(t.at, "ab") && !token_is(t.at, "a") && !token_is(t.at, "abc") &&
           !token_is(t.at, "xy"),
       "a token is its whole text");
}

static void test_long(void)
{
    struct strbuf text;
    struct map names;
    strbuf_init(&text, 0);
    map_init(&names);
    for (int i = 0; i < TOKENS_MOST + 100; i++)
        strbuf_addf(&text, "x%d ", i);
    struct tokens t = tokens_of(&arena, "c", text.s);
    is_int(t.n, TOKENS_MOST, "a long text is cut");
    is_str(joined((struct tokens){t.at + t.n - 1, 1}), "x3999", "  at its end");
    is_int(words_of(&names, &arena, t).n, WORDS_MOST, "so are words");
    map_release(&names);
    strbuf_release(&text);
}

/* -- numbers ----------------------------------------------------------------------------------- */

static const struct {
    const char *text;
    bool floating, is_unsigned;
    int longs;
    uint64_t value;
    const char *class;
} numbers[] = {
    {"0", false, false, 0, 0, "N zero"},
    {"1", false, false, 0, 1, "N one"},
    {"2", false, false, 0, 2, "N small"},
    {"63", false, false, 0, 63, "N small"},
    {"64", false, false, 0, 64, "N middle"},
    {"65535", false, false, 0, 65535, "N middle"},
    {"65536", false, false, 0, 65536, "N large"},
    {"0x1f", false, false, 0, 31, "N small"},
    {"0X1F", false, false, 0, 31, "N small"},
    {"0x1e5", false, false, 0, 0x1e5, "N middle"},
    {"017", false, false, 0, 15, "N small"},
    {"7u", false, true, 0, 7, "N small"},
    {"7UL", false, true, 1, 7, "N small"},
    {"7llu", false, true, 2, 7, "N small"},
    {"0xfLL", false, false, 2, 15, "N small"},
    {"1.5", true, false, 0, 0, "N float"},
    {"1e5", true, false, 0, 0, "N float"},
    {"1E5f", true, false, 0, 0, "N float"},
    {"0x1p3", true, false, 0, 0, "N float"},
    {"0x1P3", true, false, 0, 0, "N float"},
    {"0x.8", true, false, 0, 0, "N float"},
    {"1.0UL", true, false, 0, 0, "N float"},
    {"18446744073709551615u", false, true, 0, UINT64_MAX, "N large"},
    /* what stands behind the 63rd character is not seen */
    {"00000000000000000000000000000000000000000000000000000000000000777u", false, false, 0, 7,
     "N small"},
    {"0000000000000000000000000000000000000000000000000000000000000007u", false, false, 0, 0,
     "N zero"},
};

static void test_numbers(void)
{
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        const char *text = arena_printf(&arena, "%s9999", numbers[i].text); /* what follows */
        struct token t = {TOKEN_NUMBER, text, (int)strlen(numbers[i].text)};
        struct number n = number_of(&t);
        ok(n.floating == numbers[i].floating && n.is_unsigned == numbers[i].is_unsigned &&
               n.longs == numbers[i].longs,
           "%s: its form (%d %d %d)", numbers[i].text, n.floating, n.is_unsigned, n.longs);
        ok(n.value == numbers[i].value, "  its value, %llu", (unsigned long long)n.value);
        is_str(number_class(&n), numbers[i].class, "  its class");
    }
}

/* -- words ------------------------------------------------------------------------------------- */

static const struct {
    const char *text, *words;
} worded[] = {
    {"x = -3;", "a name|=|N negative|;"},
    {"x - 3;", "a name|-|N small|;"},
    {"(x) - 3;", "(|a name|)|-|N small|;"},
    {"x[1] - 3;", "a name|[|N one|]|-|N small|;"},
    {"(-3)", "(|N negative|)"},
    {"[-3]", "[|N negative|]"},
    {"-3", "N negative"},
    {"3 - 3", "N small|-|N small"},
    {"-x", "-|a name"},
    {"-", "-"},
    {"= - -3", "=|-|N negative"},
    {"x1 y_z q Return INT name2 na2me", "a name|a name|a name|return|int|a name|na2me"},
    {"\"a\" 'b' 1.5 0x77777", "a text|a text|N float|N large"},
    {"abcdefghijabcdefghijabcdefghijab abcdefghijabcdefghijabcdefghijabc",
     "abcdefghijabcdefghijabcdefghijab|abcdefghijabcdefghijabcdefghijab"},
    {"", ""},
};

static void test_words(void)
{
    struct map names;
    map_init(&names);
    for (size_t i = 0; i < sizeof worded / sizeof *worded; i++) {
        struct words w = words_of(&names, &arena, tokens_of(&arena, "c", worded[i].text));
        const char *out = "";
        for (int k = 0; k < w.n; k++)
            out = arena_printf(&arena, "%s%s%s", out, k ? "|" : "", intern_text(&names, w.at[k]));
        is_str(out, worded[i].words, "words of %s", worded[i].text);
    }
    uint32_t numbers_of[] = {5, 3, 5, 1, 3, 3, 9};
    struct words set = words_as_set((struct words){numbers_of, 7});
    ok(set.n == 4 && set.at[0] == 1 && set.at[1] == 3 && set.at[2] == 5 && set.at[3] == 9,
       "as a set");
    is_int(words_as_set((struct words){numbers_of, 0}).n, 0, "  of none");
    map_release(&names);
}

int main(void)
{
    arena_init(&arena);
    test_texts();
    test_long();
    test_numbers();
    test_words();
    arena_release(&arena);
    return tap_done();
}
