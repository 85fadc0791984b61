/* The parser of specifications: its state, and the tools that its files share. */
#ifndef ASSAY_AG_PARSE_INTERNAL_H
#define ASSAY_AG_PARSE_INTERNAL_H

#include "ag/lex.h"
#include "ag/spec.h"
#include "base/vec.h"

enum { ON_CLASS = 1, ON_PRODUCTION = 2, ON_BOTH = 3 };
enum argument { NOTHING, NUMBER, MAYBE_NUMBER, NAMES, MAYBE_NAMES };

#define ANNOTATIONS(X) /* name in text, enum, where it may stand, what it takes, least number */   \
    X("list", LIST, ON_CLASS, MAYBE_NUMBER, 1)                                                     \
    X("unit", UNIT, ON_CLASS, NOTHING, 0)                                                          \
    X("count", COUNT, ON_CLASS, NUMBER, 1)                                                         \
    X("max_height", MAX_HEIGHT, ON_CLASS, NUMBER, 1)                                               \
    X("max_alternatives", MAX_ALTERNATIVES, ON_CLASS, NUMBER, 1)                                   \
    X("weight", WEIGHT, ON_PRODUCTION, NUMBER, 0)                                                  \
    X("feature", FEATURE, ON_PRODUCTION, NAMES, 0)                                                 \
    X("precedence", PRECEDENCE, ON_PRODUCTION, NUMBER, 0)                                          \
    X("hidden", HIDDEN, ON_BOTH, NOTHING, 0)                                                       \
    X("copy", COPY, ON_BOTH, MAYBE_NAMES, 0)

enum annotation_kind {
#define X(text, name, on, takes, least) A_##name,
    ANNOTATIONS(X)
#undef X
        N_ANNOTATIONS
};

struct annotation {
    enum annotation_kind kind;
    struct ag_place place;
    bool has_number;
    int number;
    struct ag_names names;
};

struct parser {
    struct ag_lexer lex;
    struct arena *a;
    struct ag_messages *m;
    int depth;
    VEC(struct annotation) annotations; /* read, and not yet given to a class or production */
};

/* The elements of a VEC as an array in the arena; the VEC is released. */
#define freeze(p, vec, array, count)                                                               \
    do {                                                                                           \
        *(count) = (int)(vec)->n;                                                                  \
        *(array) = (vec)->n                                                                        \
                       ? (void *)arena_memdup((p)->a, (vec)->at, (vec)->n * sizeof *(vec)->at)     \
                       : NULL;                                                                     \
        vec_release(vec);                                                                          \
    } while (0)

#define tell(p, place, hint, ...) ag_say((p)->m, AG_ERROR, (place), (hint), __VA_ARGS__)
#define fail(p, ...) (tell(p, __VA_ARGS__), false)

void parse_next(struct parser *p);
bool parse_at_end(const struct parser *p);
bool parse_at_sign(const struct parser *p, const char *sign);
/* What stands here, for a message: "'foo'". */
const char *parse_found(struct parser *p);
/* The sign, or an error that says where it was wanted. */
bool parse_expect(struct parser *p, const char *sign, const char *where);
const char *parse_name(struct parser *p, const char *what);
/* One token further, a string as a whole. */
void parse_skip_token(struct parser *p);

/* -- annotations (annotations.c) --------------------------------------------------------------- */

/* All that stand here, kept until it shows what they belong to. */
void parse_annotations(struct parser *p);
/* Those that were kept belong to this. */
void parse_annotate_class(struct parser *p, struct ag_class *c);
void parse_annotate_production(struct parser *p, struct ag_production *out);
#endif
