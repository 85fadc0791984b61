/* Known bugs as a text for version control: `assay bugs export` writes it, `assay run --baseline`
 * reads it, so that a campaign in an empty folder knows what was known elsewhere.
 *
 *     # Known bugs: ...
 *     assay baseline 1
 *
 *     bug
 *       signature: gcc build-crash: internal compiler error: in foo
 *       kind: build-crash
 *       toolchain: gcc
 *       testbed: gcc -O3
 *       mark: known                 or wontfix
 *       note: PR 7
 *       pass: -ftree-vrp            that is blamed
 *       language: c
 *       flags: -O3                  the case is built with these
 *       needs: -I/usr/include/csmith
 *       build-only: yes             never run it
 *       file: t.c                   the reduced case, a line of it behind each bar
 *         |int main(void)
 *         |{ return 0; }
 *
 * Entries are sorted, and nothing in them tells when or where it was found. A value or a line that
 * cannot be shown as it is has its odd bytes as \xNN: `note= two\x0alines`, and `\` in place of the
 * bar. A last line without a newline is followed by `-`. Lines that begin with # are comments.
 *
 * The text may come from anybody. Nothing of it is run by importing it; a case is one of an
 * untrusted program, and its flags are for the caller to refuse (testbed/allow.h). */
#ifndef ASSAY_BUGS_BASELINE_H
#define ASSAY_BUGS_BASELINE_H

#include "bugs/bugs.h"

struct baseline_entry {
    struct store_known_bug bug;       /* bug.program is `program` */
    struct program program;           /* no files: it was not reduced */
    int line, flags_line, needs_line; /* where it begins, and where these stand; 0: nowhere */
};

struct baseline {
    const char *path;
    struct baseline_entry *entries;
    int n;
};

/* The bugs of the list that are not fixed. `silent` counts those by which nothing can be
 * recognised: they tell nothing of themselves, and are not reduced. */
int baseline_write(struct store *s, const struct bug_list *l, struct strbuf *out, int *silent,
                   struct error *e);
/* ERROR_USAGE with file and line where something is wrong. All lives in the arena. */
int baseline_parse(const char *path, struct bytes text, struct arena *a, struct baseline *out,
                   struct error *e);
int baseline_read(const char *path, struct arena *a, struct baseline *out, struct error *e);
/* Make them known in a store; who is there already stays as it is. */
int baseline_import(struct store *s, const struct baseline *b, struct error *e);

#endif
