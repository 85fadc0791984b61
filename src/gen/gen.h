/* The one interface behind which every generator stands.
 *
 *     gen_open    from a name ("csmith") or a file ("./mine.ini")
 *     gen_next    one program, determined by the configuration and the choices
 *     gen_close
 *
 * A generator may have settings, which the user gives as options: `assay gen smith --no-goto`. All
 * of them together are its `config`, from which it can be opened again just so: a campaign that
 * goes on and a replay need no more than that text.
 *
 * No globals: several generators run side by side in one process. A generator that is a foreign
 * command may fail on a seed (it crashed, or did not end); our own never do. */
#ifndef ASSAY_GEN_GEN_H
#define ASSAY_GEN_GEN_H

#include "base/arena.h"
#include "base/choice.h"
#include "base/error.h"
#include "base/settings.h"
#include "base/strbuf.h"
#include "program/language.h"
#include "program/program.h"

struct generator;
struct ag_search;
struct cc_program;
struct cc_print_options;

struct gen_context {
    const char *const *dirs; /* where presets (*.ini) are looked for, later ones first */
    int n_dirs;
    const volatile int *stop; /* see child_spec; may be NULL */
    /* For opening that takes long: so many of so many are done; NULL: nobody looks. */
    void (*progress)(int done, int all);
    /* For a class with settings: what to begin with, the `config` of an earlier generator (NULL:
     * the defaults), and the settings that are made then, in order: "name" or "name=value". The
     * setting "config=FILE" reads a file of them. */
    const char *config;
    const char *const *settings;
    int n_settings;
};

struct gen_class {      /* one per folder under gen/ */
    size_t size;        /* of its own struct, which begins with a struct generator */
    const char *name;   /* of its generator; NULL: it is opened by other names */
    const char *prefix; /* of the names of many, "lala:"; NULL: there are none such */
    const char *help;   /* one line, for lists; of a class with `list`: unused */
    /* Fills `g`, which is zero but for what gen_open knows. 1: there is no generator of this name,
     * which only a class without name and prefix says; 0 and -1 as usual. */
    int (*open)(struct generator *g, const char *name, const struct gen_context *context,
                struct error *e);
    int (*next)(struct generator *g, struct choice *c, struct arena *a, struct program *out,
                struct error *e);
    /* What is not in its arena; after an `open` that failed, too. NULL: all is. */
    void (*release)(struct generator *g);
    /* Can it make programs as it is set up? NULL: always. */
    int (*ready)(struct generator *g, struct error *e);
    /* Names and one line of help each, for lists; NULL: there is one, `name`. */
    void (*list)(const struct gen_context *context,
                 void (*each)(void *to, const char *name, const char *help), void *to);
    /* What can be set. Classes agree on whether a name that they share needs a
     * value. */
    const struct settings *settings;
    /* For people: what is drawn for the program as a whole before it is generated from these
     * choices. NULL where nothing is. */
    void (*explain)(struct generator *g, struct choice *c, struct strbuf *out);
    /* Of the program that was made last: what it cost, and the tree behind its text. NULL where
     * there is nothing to say. */
    void (*stats)(struct generator *g, struct strbuf *out);
    void (*tree)(struct generator *g, bool json, struct strbuf *out);
    /* Of a class whose programs are trees of a LALA specification, for reduction: the search that
     * holds the last one, and the program of the tree that it holds now, with the provenance of the
     * last that `next` made. Both NULL elsewhere. */
    struct ag_search *(*search)(struct generator *g);
    int (*print)(struct generator *g, struct arena *a, struct program *out, struct error *e);
    /* The tree of the C program that these choices make, main included, and how it is printed; for
     * reduction. NULL: there is none, and the error says why. A class without it: NULL. */
    struct cc_program *(*cc)(struct generator *g, struct choice *c, struct arena *a,
                             struct cc_print_options *print, struct error *e);
};

struct generator { /* the head of each class's own struct */
    const struct gen_class *class;
    struct arena arena;       /* lives as long as it is open */
    const volatile int *stop; /* of the context */
    const char *name;         /* as it is recorded: "csmith"; at first that of the class */
    const char *version;      /* "2.3.0" */
    const char *language;     /* "c" */
    const char *config; /* canonical text of all that a program depends on besides the choices;
                         * of a class with settings: "name=value" with commas between, "" for the
                         * defaults */
    const void *values, *standard; /* of the class's settings: as they are, and by default */
    int64_t cpu_us;                /* CPU time of foreign processes so far */
    int64_t own_us;   /* and of gen_next in ours; 0 for a class that only starts commands */
    uint64_t total;   /* programs that there are, for seeds from 0; 0: without end */
    const char *note; /* for people, when a campaign begins; NULL: nothing to say */
};

enum { GEN_FAILED = 1 }; /* gen_next: no program for this seed; the error says why */

int gen_open(const char *name, const struct gen_context *context, struct generator **out,
             struct error *e);
int gen_next(struct generator *g, struct choice *c, struct arena *a, struct program *out,
             struct error *e);
void gen_close(struct generator *g);
/* -1 and the error: something must be set first, which is not needed to list its options. */
int gen_ready(struct generator *g, struct error *e);
/* What the class says of the program that gen_next would make of the same choices. ERROR_USAGE
 * where it has nothing to say. */
int gen_explain(struct generator *g, struct choice *c, struct strbuf *out, struct error *e);
void gen_list(const struct gen_context *context,
              void (*each)(void *to, const char *name, const char *help), void *to);

/* -- settings ---------------------------------------------------------------------------------- */

/* settings_takes_value of whichever class knows the name: the words of a command line are told
 * apart before it is clear which generator they are for. */
int gen_takes_value(const char *setting);
/* What can be set in the generator of this name, which need not be open; NULL: nothing. */
const struct settings *gen_settings(const char *name);
/* List them; `g` has settings. */
void gen_options(const struct generator *g, bool json, struct strbuf *out);
/* Into the struct that the class's settings are of: the config of the context, then its settings.
 */
int gen_take_settings(struct generator *g, const struct gen_context *context, void *values,
                      struct error *e);
/* These are the values of `g`, and its config is what differs. */
void gen_keep_settings(struct generator *g, const void *values, const void *standard);
/* The version of a generator that is made of files, of which the last is followed by NULL: with
 * other texts it is another one. */
int gen_set_version(struct generator *g, const char *version, const char *const *files,
                    struct error *e);
/* Presets lie in BASE/generators: BASE/NAME of each folder of the context, or, for NULL, BASE. */
string_list gen_beside(const struct gen_context *context, const char *name, struct arena *a);
/* How to make a program again: "assay gen smith -s 7 --goto=0". */
void gen_command(const char *name, const char *config, uint64_t seed, struct strbuf *out);
/* A program of this generator, yet without files. */
struct program gen_program(const struct generator *g, uint64_t seed);
/* It is compiled only, nor linked, since it may call what is nowhere; not every testbed can do
 * that, and its text says so. `maybe_invalid`: compilers may reject it (program_may_be_invalid). */
void gen_only_compile(struct program *p, struct arena *a, bool maybe_invalid);
/* The first comment of a program of this language: that command, and who made it. Nothing where it
 * is not known how a comment is written. */
void gen_add_header(const struct generator *g, const struct language *l, uint64_t seed,
                    struct strbuf *out);

#endif
