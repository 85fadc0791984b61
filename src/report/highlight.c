/* Source text with its tokens marked, for HTML. What a comment, a string and a keyword are comes
 * from the row of the language (program/language.h). Wrong guesses cost a colour, never a
 * character: the text between the tags is the text, escaped. */
#include "program/language.h"
#include "report/report_internal.h"
#include "base/text.h"

struct page {
    struct strbuf *out;
    int lines, max_lines; /* begun; the most that are written */
};

/* A token may go over several lines: each line of it is a span, so that lines can be numbered. */
static void emit(struct page *p, const struct scan *s, size_t from, const char *class)
{
    while (from < s->at && p->lines <= p->max_lines) {
        const char *newline = memchr(s->text + from, '\n', s->at - from);
        size_t piece = newline ? (size_t)(newline - (s->text + from)) : s->at - from;
        if (piece && class)
            strbuf_addf(p->out, "<span class=\"%s\">", class);
        report_markup(p->out, s->text + from, piece);
        if (piece && class)
            strbuf_adds(p->out, "</span>");
        from += piece + (newline != NULL);
        if (newline && from < s->n && ++p->lines <= p->max_lines)
            strbuf_adds(p->out, "\n</span><span class=\"l\">");
    }
}

/* Behind the next token, whose class it says. */
static const char *next_class(struct scan *s, const struct language *l)
{
    static const char *const classes[] = {
        [SCAN_COMMENT] = "c", [SCAN_STRING] = "s", [SCAN_NUMBER] = "m", [SCAN_MARK] = NULL};
    if (scan_directive(s))
        return "p";
    struct scan_token t = scan_token(s);
    const char *word = s->text + t.from;
    return t.kind != SCAN_WORD                           ? classes[t.kind]
           : language_is_keyword(l, word, t.to - t.from) ? "k"
           : language_is_type(l, word, t.to - t.from)    ? "t"
                                                         : NULL;
}

int report_highlight(struct strbuf *out, const char *language, const char *text, size_t n,
                     int max_lines)
{
    struct arena a;
    struct language l;
    arena_init(&a);
    language_of_text(language, arena_memdup(&a, text, n), &a, &l);
    struct scan s = scan_of(&l.scan, text, n);
    struct page p = {.out = out, .lines = 1, .max_lines = max_lines};
    strbuf_adds(out, "<span class=\"l\">");
    while (s.at < n && p.lines <= max_lines) {
        size_t from = s.at;
        const char *class = next_class(&s, &l);
        emit(&p, &s, from, class);
    }
    strbuf_adds(out, "</span>");
    arena_release(&a);
    int all = text_lines(text, n);
    return all > max_lines ? all - max_lines : 0;
}
