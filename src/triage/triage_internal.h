/* What programs look like to triage: tokens, words, and constructs.
 *
 *     tokens      words, numbers, texts and marks, without white space and comments
 *     words       the tokens with names and numbers generalised
 *     constructs  what the program makes a compiler do ("shift right of a narrow unsigned"), as a
 *                 set with weights; two small programs that show one fault have the necessary ones
 *                 in common, whatever stands around them
 *
 * Texts may be anything: a reducer leaves no guarantee, and a language may be unknown. Nothing here
 * fails; what cannot be understood is passed over. */
#ifndef ASSAY_TRIAGE_INTERNAL_H
#define ASSAY_TRIAGE_INTERNAL_H

#include "base/arena.h"
#include "base/map.h"
#include "triage/cluster.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum token_kind { TOKEN_NAME, TOKEN_NUMBER, TOKEN_TEXT, TOKEN_MARK };

struct token {
    enum token_kind kind;
    const char *s; /* in the text that was given */
    int n;
};

struct tokens {
    struct token *at;
    int n;
};

/* Longer texts are cut: they are not reduced in any useful sense. */
enum { TOKENS_MOST = 4000, WORDS_MOST = 400 };

bool language_is_c(const char *language); /* or C++, or OpenCL C */
struct tokens tokens_of(struct arena *a, const char *language, const char *text);
/* Asked twenty times for each token: most are told by their first character. */
static inline bool token_is(const struct token *t, const char *text)
{
    return *t->s == *text && strlen(text) == (size_t)t->n && !memcmp(t->s, text, (size_t)t->n);
}

struct words {
    uint32_t *at; /* equal numbers: equal words; numbers of the map that was given */
    int n;
};
/* In the order of the text. */
struct words words_of(struct map *names, struct arena *a, struct tokens t);
/* The same array, each number once and in ascending order. */
struct words words_as_set(struct words w);

struct construct {
    uint32_t id; /* of the map that was given */
    float weight;
};
struct constructs {
    struct construct *at; /* by id, each once */
    int n;
    float weight; /* of all together */
};
/* `written` is what constructs_write gave; NULL or "": there was no tree. */
struct constructs constructs_of(struct map *names, struct arena *a, const char *language,
                                struct tokens t, const char *written);

/* What n cases of one language fail for, as far as their kin tell (spectrum.c): explanation[i] is a
 * feature that the case has and right programs lack, the same for cases with the same fault; "":
 * nothing explains it; NULL: nobody could be asked. kin[i] is what store_kin gave; "" or NULL: none
 * are known. */
void spectrum_explain(struct map *names, struct arena *a, const char *language,
                      const char *const *kin, int n, const char **explanation);

/* A number token: what kind, and how large. */
struct number {
    bool floating, is_unsigned;
    int longs; /* L and LL suffixes */
    uint64_t value;
};
struct number number_of(const struct token *t);
/* Large enough to tell apart what reducers leave: they shrink every number as far as they can. */
const char *number_class(const struct number *n);

/* The assertion that failed and where, without what differs from program to program and from
 * release to release; NULL: none. `vague`: many crashes share it, and frames should be told too. */
const char *crash_place(struct arena *a, const char *messages, bool *vague);
/* The top three functions of a stack dump, innermost first, with " < " between; NULL: none. */
const char *crash_frames(struct arena *a, const char *messages);
/* The pass that clang says it was running; NULL: none. */
const char *crash_pass(struct arena *a, const char *messages);

/* What it took: texts that were read, pairs of programs that were compared. */
struct triage_work {
    long read, compared;
};
/* triage_clusters with another threshold, to measure with; triage_alike is the one in use. */
extern const double triage_alike;
struct triage_work triage_clusters_at(double alike, const struct triage_finding *findings, int n,
                                      struct arena *a, struct triage_cluster **out, int *n_out);

#endif
