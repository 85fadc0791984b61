/* Characters of a LALA specification to tokens, one at a time.
 *
 * The lexer holds one token that has been read and not yet used. Words are not told apart from
 * keywords here: published specifications name productions `if` and `not` and children `return`,
 * so only the parser, which knows what may come, can tell.
 *
 * A string is not one token. Its opening quote is, and whoever meets it decides how to read on:
 * ag_lex_string for the plain ones, the parser itself, character by character, for a production's
 * text, in which `${...}` and `#{...}` hold tokens again. Internal to src/ag. */
#ifndef ASSAY_AG_LEX_H
#define ASSAY_AG_LEX_H

#include "ag/spec.h"

enum ag_token_kind {
    AG_T_END,
    AG_T_WORD,   /* [a-zA-Z_][a-zA-Z0-9_]* */
    AG_T_NUMBER, /* -?[0-9]+ */
    AG_T_CHAR,   /* 'c': `value` is the character */
    AG_T_QUOTE,  /* " that opens a string, in a hole also \"; the lexer stands behind it */
    AG_T_SIGN,   /* punctuation and operators, as written */
};

struct ag_token {
    enum ag_token_kind kind;
    const char *text; /* in the specification */
    size_t size;
    struct ag_place place;
    bool glued; /* nothing stands between it and the token before: `this.a` is not `this .a` */
    char value; /* CHAR */
};

struct ag_lexer {
    const char *at, *end, *line_start;
    int line;
    struct arena *arena;
    struct ag_messages *messages;
    bool in_hole; /* of a text: a string may be quoted \"...\" there, for it stands in another */
    struct ag_token token;
    struct ag_place last_end; /* where the token before it ended */
};

/* Reads the first token. */
void ag_lex_init(struct ag_lexer *l, struct arena *a, const char *text, size_t size,
                 struct ag_messages *m);
void ag_lex_next(struct ag_lexer *l);

/* Characters, for the parser of texts. ag_lex_char looks `ahead` characters further and answers -1
 * past the end; ag_lex_take goes one on. */
int ag_lex_char(const struct ag_lexer *l, size_t ahead);
char ag_lex_take(struct ag_lexer *l);
struct ag_place ag_lex_place(const struct ag_lexer *l);
/* Passes the line break that stands here and the blanks after it; false where none does. */
bool ag_lex_line_break(struct ag_lexer *l);
/* The first character of the token after the current one, -1 at the end. */
int ag_lex_after(const struct ag_lexer *l);

enum ag_string {
    AG_STRING_VALUE, /* \n \t \\ \" are what they are in C, another backslash is itself */
    AG_STRING_REGEX, /* only \" is undone: the rest is for the regular expression's parser */
};
/* The rest of a string whose opening quote is the current token, and the token behind it becomes
 * the current one. NULL, with a message, when it is not closed. */
char *ag_lex_string(struct ag_lexer *l, enum ag_string kind, size_t *size);

#endif
