/* A vocabulary is one table: a macro with a row for each word, X(ID, "name", ...). From it come the
 * enum, the names and the help:
 *
 *     enum mark { MARKS(WORD_ID) MARK_COUNT };
 *     const char *const mark_name[MARK_COUNT] = {MARKS(WORD_NAME)}; */
#ifndef ASSAY_BASE_WORDS_H
#define ASSAY_BASE_WORDS_H

#define WORD_ID(id, ...) id,
#define WORD_NAME(id, name, ...) name,
#define WORD_HELP(id, name, help) help,

/* The index of a name; -1: it is none. */
int word_find(const char *name, const char *const *names, int n);

#endif
