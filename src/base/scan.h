/* A cursor over the bytes of a text, for all that looks at programs without a grammar: triage, the
 * reducer of texts, highlighting, readers of C and OpenCL.
 *
 * What a language writes differently is a `scan_syntax`; program/language.h has one for each
 * language that is known. Nothing here allocates, no byte behind the end is read, and any bytes may
 * stand in the text, NUL included. All bytes above 127 belong to words, so that a text stays as
 * good UTF-8 as it was.
 *
 *     struct scan s = scan_of(&language->scan, text, size);
 *     for (struct scan_token t; (t = scan_token(&s)).kind != SCAN_END;)
 *         ... text + t.from, t.to - t.from ...
 *
 * The functions that return bool step over what they name and say whether it was there; where it
 * was not, the cursor stays. */
#ifndef ASSAY_BASE_SCAN_H
#define ASSAY_BASE_SCAN_H

#include <stdbool.h>
#include <stddef.h>

/* Texts may be NULL: there is none. An empty one is a language of which nothing is known: words,
 * numbers and marks. */
struct scan_syntax {
    const char *line_comment;          /* "//" */
    const char *comment, *comment_end; /* of several lines */
    const char *quotes;                /* bytes that begin and end strings */
    const char *word;                  /* bytes of words, besides letters, digits and '_' */
    bool escapes;                      /* a backslash takes the next byte of a string */
    bool across_lines;                 /* a string may hold newlines */
    bool long_brackets;                /* Lua's [[ ]] and [=[ ]=]; behind a line_comment, too */
    bool c_lines; /* a backslash at the end of a line continues it; a line that begins with # is a
                     directive */
};

/* C, and all that is written like it. */
#define SCAN_C                                                                                     \
    {                                                                                              \
        .line_comment = "//", .comment = "/*", .comment_end = "*/", .quotes = "\"'", .word = "$",  \
        .escapes = true, .c_lines = true                                                           \
    }
extern const struct scan_syntax scan_c;

struct scan {
    const struct scan_syntax *syntax;
    const char *text;
    size_t n, at;
};

enum scan_kind {
    SCAN_END,
    SCAN_BLANK,   /* as much as there is in this line */
    SCAN_NEWLINE, /* one */
    SCAN_COMMENT,
    SCAN_WORD,
    SCAN_NUMBER,
    SCAN_STRING,
    SCAN_MARK, /* of up to three bytes: the longest that any language has */
};

struct scan_token {
    enum scan_kind kind;
    bool open; /* of a comment or a string: its end is missing. It ends with the line or the text */
    size_t from, to;
};

struct scan scan_of(const struct scan_syntax *syntax, const char *text, size_t n);

/* The next token, and behind it. Directives are tokens like others. */
struct scan_token scan_token(struct scan *s);
bool scan_token_is(const struct scan *s, const struct scan_token *t, const char *text);

/* The byte so far ahead; 0 behind the end. */
char scan_peek(const struct scan *s, size_t ahead);
bool scan_starts(const struct scan *s, const char *with);
bool scan_take(struct scan *s, const char *text);
/* Behind the next place of the text; to the end where there is none. */
bool scan_past(struct scan *s, const char *text);
/* To the newline that ends this line, or the end of the text. */
void scan_line(struct scan *s);

bool scan_comment(struct scan *s);
bool scan_string(struct scan *s);
bool scan_word(struct scan *s);
bool scan_number(struct scan *s);
/* A directive of the preprocessor that begins here, up to the end of its line. */
bool scan_directive(struct scan *s);
/* Blanks, newlines, comments. */
bool scan_space(struct scan *s);
/* From an opening bracket to behind its partner, brackets of all kinds counted; to the end of the
 * text where that is missing. */
bool scan_brackets(struct scan *s);

/* Does one of the patterns stand in the text? A pattern is tokens with blanks between: a word or a
 * mark stands for itself, @ for any name, # for any number, and a word that ends with * for every
 * word that begins so. Several patterns are separated by |. Space, comments, strings and directives
 * are passed over. */
bool scan_has(const struct scan_syntax *syntax, const char *text, size_t n, const char *patterns);

bool scan_in_word(const struct scan_syntax *syntax, char c);
/* Is the word in a list " like this "? */
bool scan_listed(const char *list, const char *word, size_t n);

#endif
