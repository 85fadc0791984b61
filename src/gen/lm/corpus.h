/* From folders of files that people wrote to a corpus that a model is trained on (DeepSmith 2.1).
 *
 *     files -> preprocessed -> cut into programs -> renamed, one style     (prepare.h, rewrite.h)
 *           -> large, short and strange ones dropped -> repeated ones dropped -> compiled ->
 * corpus.txt
 *
 * A language with `reader = text` takes files as they are, without comments and blank lines, and
 * its `check` command compiles.
 *
 * A folder FOLDER/files holds a folder for each package (scripts/corpus-opencl makes such), and
 * FOLDER/licences says their licences; any other folder is one package. The corpus depends on the
 * files, their names and the compiler alone, not on the number of workers. */
#ifndef ASSAY_GEN_LM_CORPUS_H
#define ASSAY_GEN_LM_CORPUS_H

#include "base/strbuf.h"
#include "base/vec.h"
#include "base/words.h"
#include "gen/lm/language.h"

/* What becomes of a function or, with `reader = text`, of a file. Rows are in the order in which
 * they are found out. */
#define LM_FATE_TABLE(X)                                                                           \
    X(LM_FATE_KEPT, "kept", "in the corpus")                                                       \
    X(LM_FATE_UNREADABLE, "unreadable", "files that cannot be preprocessed or read")               \
    X(LM_FATE_EMPTY, "empty", "files with no program that can be taken")                           \
    X(LM_FATE_UNDEFINED, "undefined", "calls or reads what is defined nowhere")                    \
    X(LM_FATE_ASSEMBLY, "assembly", "has assembly in it")                                          \
    X(LM_FATE_STRANGE, "strange", "not plain ASCII, or cannot be laid out")                        \
    X(LM_FATE_LARGE, "large", "more bytes than allowed")                                           \
    X(LM_FATE_SHORT, "short", "fewer lines than asked for")                                        \
    X(LM_FATE_REPEATED, "repeated", "the same as another, after renaming")                         \
    X(LM_FATE_WRONG, "wrong", "does not compile")                                                  \
    X(LM_FATE_ALIKE, "alike", "differs from enough others in words and numbers only")

enum lm_fate { LM_FATE_TABLE(WORD_ID) LM_FATES };
extern const char *const lm_fate_name[LM_FATES];
extern const char *const lm_fate_help[LM_FATES];

struct lm_package {
    const char *name;
    const char *folder;
    const char *licences; /* "": not known */
    uint32_t files;
    uint64_t bytes; /* of what is kept */
    uint32_t fates[LM_FATES];
};

struct lm_corpus_options {
    const struct lm_language *language;
    const char *const *folders;
    int n_folders;
    int workers;
    size_t most_bytes; /* of a program */
    int alike;         /* so many that differ in words and numbers only; 0: as many as there are */
    /* Now and then: what is being done, how much of it; may be NULL. */
    void (*progress)(void *to, const char *what, uint32_t done, uint32_t n);
    const volatile int *stop; /* NULL: nothing stops it */
    void *to;
};

struct lm_corpus_result {
    struct arena arena;
    VEC(struct lm_package) packages; /* in the order of the folders, by name in each */
    struct strbuf text;              /* programs, a NUL behind each (lm/train.h) */
};

int lm_corpus_make(const struct lm_corpus_options *o, struct lm_corpus_result *out,
                   struct error *e);
void lm_corpus_result_release(struct lm_corpus_result *r);

#endif
