/* planted-cc: gcc with faults that we planted, to find out what assay finds, tells apart and
 * reduces. This is what its files share: a program's text as tokens, its assembly as lines, and
 * the faults.
 *
 * A fault of the text fires on a construct (a row of tokens): it ends the compiler, or edits the
 * text before gcc sees it. A fault of the assembly edits what gcc -S made, by the instruction. All
 * depend on one construct or one instruction alone, so that a reducer may cut anything else away.
 *
 * The checksum of a generated program is spared, or every program would fail in it: its functions,
 * also where they were inlined, and the statements of main that call them. For the assembly these
 * are lines, from the line table (-g1, which changes no code). */
#ifndef ASSAY_TESTS_PLANTED_H
#define ASSAY_TESTS_PLANTED_H

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STATUS_USAGE = 2 };

/* Compilers that pretend to be eight different ones, written one after the other. */
enum set { FAULTY, OTHER, THIRD, FOURTH, FIFTH, SIXTH, SEVENTH, EIGHTH, SETS };

struct token {
    const char *at; /* into the text */
    size_t len;
    unsigned line, column; /* from 1 */
    bool spared;           /* of the checksum, or of a preprocessor line */
    const char *instead;   /* what gcc gets to see; NULL: the token itself */
};

struct unit {
    const char *path;
    char *text;
    struct token *tokens;
    size_t count;
    bool *spared; /* by line, from 1 */
    unsigned lines;
    const struct fault *striking;
    char **command; /* argv, for messages */
    bool edited, explain;
    bool touched; /* by `memory` */
};

/* A line of assembly. */
struct line {
    char *text;              /* without the newline */
    const char *name, *args; /* of an instruction; name is NULL for all else */
    unsigned from;           /* the line of the source */
    bool ours;               /* that line may be edited */
    char *instead;           /* NULL: the line itself */
};

struct listing {
    const struct unit *unit;
    struct line *lines;
    size_t count;
};

/* `t` is the first token of the construct. A fault that ends the compiler does not return; another
 * edits, and says whether it did. */
typedef bool strike_fn(struct unit *u, size_t t);
/* `i` is an instruction. The text to write instead, or NULL. */
typedef char *edit_fn(const struct listing *l, size_t i);

struct fault {
    enum set set;
    const char *name;
    const char *kind; /* the class of what a campaign finds */
    const char *construct;
    strike_fn *strike;
    edit_fn *edit;
    const char *what;
};

#define TEXT(set, name, kind, construct, strike, what) strike_fn strike;
#define CODE(set, name, kind, edit, what) edit_fn edit;
#include "faults.def"
#undef TEXT
#undef CODE

/* text.c. Memory is never freed: the program is short. */
void *need(void *p);
char *text_of(const char *format, ...) __attribute__((format(printf, 1, 2)));
bool starts(const char *text, const char *with);
bool is_word(char c);
void unit_cut(struct unit *u); /* needs u->text */
bool is(const struct token *t, const char *spelling);
bool among(const struct token *t, const char *const *list);
bool same(const struct token *a, const struct token *b);
bool is_name(const struct token *t);
/* The name of the function around token i, NULL if there is none; the blocks open there. */
const char *function_around(const struct unit *u, size_t i, int *depth);
/* The end of the element that begins at i: the `,` or the closing bracket behind it. */
size_t element_end(const struct unit *u, size_t i);
/* A construct is a row of words: $id, $num and $chr stand for any name, number and character
 * constant, a|b|c for one of them, {? and }? for a brace that need not be there, every other word
 * for itself. */
bool construct_at(const struct unit *u, size_t i, const char *construct);
/* What is spared is left alone by all sets but the first, whose constructs count anywhere. */

/* assembly.c */
struct listing listing_of(const struct unit *u, char *text, bool operators);
bool named(const struct line *l, const char *name);
/* The instruction ahead of or behind *i in the same block; NULL: there is none. */
const struct line *step(const struct listing *l, size_t *i, bool ahead);
const struct line *ahead_of(const struct listing *l, size_t i);
const char *last_operand(const char *args);
enum { BYTE, WORD, LONG, QUAD };
extern const char *const registers[16][4];                    /* by number and width */
int register_of(const char *operand, size_t len, int *width); /* -1 for what is no register */
bool two_registers(const struct line *at, int width, int *from, int *to);
bool immediate(const char *args, long long *value); /* the operand that comes first */

/* ends.c: says which fault it is if asked to, then the words; ends by a status, or by a signal if
 * it is negative. */
_Noreturn void ends(const struct unit *u, size_t t, int how, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void explain(const struct unit *u, unsigned line, const char *instruction);
_Noreturn void die_by(int number);

#endif
