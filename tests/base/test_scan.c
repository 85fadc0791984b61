#include "base/scan.h"
#include "base/strbuf.h"
#include "tap.h"

static const struct scan_syntax lua = {
    .line_comment = "--", .quotes = "\"'", .escapes = true, .long_brackets = true};
static const struct scan_syntax sql = {.line_comment = "--",
                                       .comment = "/*",
                                       .comment_end = "*/",
                                       .quotes = "'\"`",
                                       .across_lines = true};
static const struct scan_syntax smtlib = {
    .line_comment = ";", .quotes = "\"|", .word = "-#.", .across_lines = true};
static const struct scan_syntax nothing;

/* Each token with the letter of its kind before it, and ! where its end is missing. */
static void test_tokens(void)
{
    static const struct {
        const struct scan_syntax *syntax;
        const char *text, *tokens;
    } table[] = {
        {&scan_c, "", ""},
        {&scan_c, "i--;", "Wi M-- M; "},
        {&scan_c, "a\n b", "Wa N B  Wb "},
        {&scan_c, "a /* b */ c", "Wa B  C/* b */ B  Wc "},
        {&scan_c, "a // b\\\nc\nd", "Wa B  C// b\\\nc N Wd "},
        {&scan_c, "/*/ */b", "C/*/ */ Wb "},
        {&scan_c, "/* open", "C!/* open "},
        {&scan_c, "\"a\\\"b\" 'c'", "S\"a\\\"b\" B  S'c' "},
        {&scan_c, "don't\nx", "Wdon S!'t N Wx "},
        {&scan_c, "\"\\", "S!\"\\ "},
        {&scan_c, "1e-5+0x1p+3", "D1e-5 M+ D0x1p+3 "},
        {&scan_c, "0xe+1", "D0xe M+ D1 "},
        {&scan_c, ".5f a.b", "D.5f B  Wa M. Wb "},
        {&scan_c, "x<<=3>>y", "Wx M<<= D3 M>> Wy "},
        {&scan_c, "$a_\xc3\xa9", "W$a_\xc3\xa9 "},
        {&lua, "--[[ a\n]] b", "C--[[ a\n]] B  Wb "},
        {&lua, "--[==[ ]] ]==]b", "C--[==[ ]] ]==] Wb "},
        {&lua, "-- a\nb", "C-- a N Wb "},
        {&lua, "[[ a ]]..[=[b]=]", "S[[ a ]] M.. S[=[b]=] "},
        {&lua, "a[b[1]]", "Wa M[ Wb M[ D1 M] M] "},
        {&sql, "'a\\' -- b\nc", "S'a\\' B  C-- b N Wc "},
        {&sql, "'a\nb'", "S'a\nb' "},
        {&smtlib, "(check-sat) ; x\n#x2a", "M( Wcheck-sat M) B  C; x N W#x2a "},
        {&smtlib, "|a b|", "S|a b| "},
        {&nothing, "i-- // /* 'x", "Wi M-- B  M// B  M/ M* B  M' Wx "},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct scan s = scan_of(table[i].syntax, table[i].text, strlen(table[i].text));
        struct strbuf got;
        strbuf_init(&got, 0);
        for (struct scan_token t; (t = scan_token(&s)).kind != SCAN_END;) {
            strbuf_addf(&got, "%c%s", "EBNCWDSM"[t.kind], t.open ? "!" : "");
            if (t.kind != SCAN_NEWLINE)
                strbuf_add(&got, s.text + t.from, t.to - t.from);
            strbuf_addc(&got, ' ');
        }
        is_str(got.s, table[i].tokens, "tokens of <%s>", table[i].text);
        strbuf_release(&got);
    }
}

static void test_steps(void)
{
    static const char text[] = " \\\n/* x */# if 1\\\n2\n#a # b";
    struct scan s = scan_of(&scan_c, text, sizeof text - 1);
    ok(scan_space(&s) && scan_peek(&s, 0) == '#', "space: blanks, continued lines and comments");
    ok(!scan_directive(&s), "what has a comment before it on its line is taken for no directive");
    scan_line(&s);
    ok(scan_take(&s, "\\") == false && scan_peek(&s, 0) == '\n', "a line ends at its newline");
    s.at = 0;
    ok(scan_past(&s, "2\n") && scan_directive(&s) && s.at == s.n, "a directive is a whole line");
    s = scan_of(&scan_c, "#a\\\nb\nc", 7);
    ok(scan_directive(&s) && s.at == 5, "  and the line that continues it");
    s = scan_of(&scan_c, "(a, \")\" [/* ) */ {x}]) b", 24);
    ok(scan_brackets(&s) && s.at == 22, "brackets in strings and comments do not count");
    s = scan_of(&scan_c, "((a)", 4);
    ok(scan_brackets(&s) && s.at == 4, "a bracket without its partner goes to the end");
    s = scan_of(&scan_c, "a", 1);
    ok(!scan_brackets(&s) && !scan_string(&s) && !scan_number(&s) && !scan_comment(&s) && s.at == 0,
       "what is not there moves nothing");
    ok(scan_word(&s) && scan_peek(&s, 0) == '\0' && scan_token(&s).kind == SCAN_END, "the end");
    s.at = 7;
    ok(!scan_space(&s) && !scan_peek(&s, 0) && !scan_starts(&s, "a") && !scan_string(&s) &&
           scan_token(&s).kind == SCAN_END,
       "behind the end there is nothing");
    s = scan_of(&scan_c, "a\0'b\0c'", 7);
    scan_word(&s);
    ok(scan_token(&s).kind == SCAN_MARK && scan_string(&s) && s.at == 7, "bytes may be NUL");
    ok(scan_listed(" a bc ", "bc", 2) && !scan_listed(" a bc ", "b", 1) &&
           !scan_listed(" a ", "", 0),
       "words of a list");
}

int main(void)
{
    test_tokens();
    test_steps();
    return tap_done();
}
