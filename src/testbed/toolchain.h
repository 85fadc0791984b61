/* Toolchains as data: one text file each, and the compilers of this machine found through them.
 *
 *     [toolchain]
 *     name     = mycc                          how it is listed and selected
 *     language = c
 *     find     = mycc mycc-[0-9]*              programs on PATH; each one found is a compiler
 *     probe    = {cc} --version                prints the version ...
 *     version  = mycc ([0-9.]+)                ... the first group of this pattern
 *     compile  = {cc} {flags} {needs} -o {exe} {src}
 *     run      = {exe}
 *     crash    = internal error                in the messages of a failed build: a crash
 *     flags    = -O0                           one flag set per line: one testbed each
 *     flags    = -O2
 *
 * The whole vocabulary is the table in toolchain.c; docs/TESTBEDS.md describes it. Files are read
 * from the folders given by toolchain_dirs, in order; a later file replaces an earlier one of the
 * same name, so that a user can override what is shipped. */
#ifndef ASSAY_TESTBED_TOOLCHAIN_H
#define ASSAY_TESTBED_TOOLCHAIN_H

#include "base/arena.h"
#include "base/error.h"
#include "base/pattern.h"
#include "base/settings.h"
#include "program/testbed.h"

/* What flags can be drawn at random: testbed/flags.h tells what a form is. */
struct flag_rules {
    string_list levels;              /* "-O1", simplest first; none: no flags can be drawn */
    string_list lists;               /* commands that print what there is */
    substitution_list forms, params; /* a line of that, and the form that it becomes */
    string_list also;                /* forms that no command lists */
    pattern_list only;               /* where there are any: a listed form must match one */
    pattern_list exclude;            /* forms that are never drawn */
};

struct toolchain_list;
struct toolchain {
    const char *file;                   /* where it was read from */
    const char *dir;                    /* that file's folder: {dir} */
    const struct toolchain_list *among; /* while it is read: those before it */
    int extends;                        /* how many files it builds upon */
    const char *name, *language, *suffix, *model;
    const char *kind; /* the name of the file that this one extends; NULL: none */
    const char *root; /* the system where its compilers are, absolute; NULL: this one */
    string_list find;
    const char *probe;
    const char *parts; /* a command that names files; NULL: the compiler is one */
    struct pattern version;
    struct pattern recognise; /* in what `{cc} --version` or `{cc} -v` prints */
    string_list compile;
    const char *library;
    const char *run;
    string_list flags, extra_flags;
    struct flag_rules random;
    pattern_list allow_flags; /* of others (testbed/allow.h), of whole words */
    pattern_list crash, lacks, run_crash, abstain, undefined, suspect;
    struct pattern message;
    bool silent_crash, may_time_out, ignore_status;
    bool reference;
    bool filter;
    const char *other_inputs;
    double tolerance;
    bool traces;       /* trace = volatile */
    bool by_default;   /* used when the user selects nothing */
    const char *input; /* "{src}": the source file */
    substitution_list normalise;
    string_list detects, may_detect;
    substitution_list report;
    string_list sees, env;
    string_list server_init, server_begin, server_end;
    struct testbed_server server; /* without a command: there is none */
    struct testbed_blame blame;   /* its lists are these: */
    substitution_list blame_switches, blame_passes;
    pattern_list blame_keep, blame_last;
    struct testbed_limits limits;
};

typedef struct toolchain_list {
    struct toolchain *at;
    size_t n, cap;
} toolchain_list; /* a VEC with a name */

/* Read one file. Everything lives in the arena, except regular expressions and lists, which
 * toolchains_release frees. */
int toolchain_read(const char *path, struct arena *a, struct toolchain *out, struct error *e);
/* All *.ini files of the folders, by name. A folder that does not exist is passed over. */
int toolchains_read(const char *const *dirs, int n_dirs, struct arena *a, toolchain_list *out,
                    struct error *e);
void toolchains_release(toolchain_list *list);
/* NULL: none has this name. */
struct toolchain *toolchain_named(const toolchain_list *list, const char *name);

/* A compiler of a toolchain on this machine. */
struct compiler {
    const struct toolchain *toolchain;
    const char *name;    /* "gcc-12": that of its file */
    const char *label;   /* how it is listed and selected; no two have the same */
    const char *path;    /* "/usr/bin/gcc-12", see struct testbed */
    const char *version; /* "" where none could be read, or nobody asked */
    const struct testbed_identity *identity; /* NULL: nobody asked */
};
typedef VEC(struct compiler) compiler_list;

/* Look for the toolchain's compilers on PATH, or in the usual folders of its root. Two names of one
 * file are one compiler. Of two that are called the same the second is listed by its path. */
void toolchain_find(const struct toolchain *t, struct arena *a, compiler_list *out);
/* The compiler at a path that no `find` names: of the first toolchain of the language whose `find`
 * fits its name, else of the first that recognises it. It is added to the list unless it is there.
 * Returns its index; -1: nobody knows it, or it is no program. */
int toolchain_recognise(const toolchain_list *list, const char *language, const char *path,
                        struct arena *a, compiler_list *out, struct error *e);
/* Would the toolchain find a compiler of this name? */
bool toolchain_would_find(const struct toolchain *t, const char *name);
/* Ask one of the list for its version and what it consists of, which takes some tens of
 * milliseconds: once for all toolchains that ask the same file the same. */
int compiler_ask(compiler_list *list, size_t which, struct arena *a, struct error *e);

typedef VEC(struct testbed) testbed_list;

/* The testbeds of the compilers: one per flag set. */
void compiler_testbeds(const struct compiler *c, bool extra_flags, struct arena *a,
                       testbed_list *out);

/* One testbed with flags that no file lists. */
void compiler_testbed(const struct compiler *c, const char *flags, struct arena *a,
                      testbed_list *out);

/* The testbed whose flags are drawn for each test, "gcc-12 random"; none for a toolchain without
 * `flag-level`. Its space is to be listed (testbed/flags.h) before anything can be drawn. */
void compiler_random_testbed(const struct compiler *c, struct arena *a, testbed_list *out);

/* Does `selector` mean this compiler, or one of its testbeds? "gcc" (toolchain or compiler) or a
 * path; "gcc-12:-O3" (with flags). */
bool compiler_selected(const struct compiler *c, const char *selector);
bool testbed_selected(const struct testbed *t, const char *selector);
/* The flags of a selector; NULL: it names none. */
const char *selector_flags(const char *selector);

#endif
