/* Flags drawn at random from what a compiler itself says that it has.
 *
 * The toolchain's file has the rules (struct flag_rules): commands that print flags, patterns that
 * turn a line of that into a form, and patterns of forms that are never drawn. A form is a flag, or
 * several words that belong together, with what is open in it:
 *
 *     -f[|no-]gcse                 one of the texts between the bars, here nothing or "no-"
 *     --param=max-peel-times=<0,1000,16>
 *                                  a number: least, greatest, default
 *     -march=[x86-64-v3|native] -ffp-contract=off
 *
 * Listing a space tries every text of every form once, many in one command: what the compiler
 * rejects, or what the machine cannot run, is out. The answers are kept in the user's cache, as
 * long as the compiler, its list and the rules stay the same. Drawing from a space is
 * deterministic. What was drawn is plain text, starts with the level, and says it all: repeating a
 * test needs no space. */
#ifndef ASSAY_TESTBED_FLAGS_H
#define ASSAY_TESTBED_FLAGS_H

#include "base/choice.h"
#include "testbed/toolchain.h"

struct runner;

struct flag_forms {
    const char **at;
    int n;
};

struct flag_space {
    struct flag_forms levels;   /* "-O1", simplest first */
    struct flag_forms switches; /* from flag-form: some are drawn */
    struct flag_forms params;   /* from param-form: fewer, and not always */
    struct flag_forms also;     /* from flag-also: each now and then */
};

/* What can be drawn for a testbed of this toolchain. All of it lives in the arena. */
int flag_space_list(const struct toolchain *t, const struct testbed *testbed, struct runner *r,
                    struct arena *a, struct flag_space *out, struct error *e);

/* "-O2 -fno-gcse --param=max-peel-times=0" */
const char *flag_space_draw(const struct flag_space *s, struct choice *c, struct arena *a);

/* The level that such a text starts with. */
const char *flags_level(const char *flags, struct arena *a);
/* Does a message of the compiler name one of the flags? */
bool flags_named(const char *flags, const char *messages, struct arena *a);

/* Is the text a form? Brackets in pairs, three numbers in order between < and >. */
bool flag_form_good(const char *form);
/* What the form says with the k-th text in each pair of brackets (the last where there are fewer),
 * and the default of each number. */
const char *flag_form_text(const char *form, int k, struct arena *a);

#endif
