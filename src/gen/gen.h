/* The one interface behind which every generator stands.
 *
 *     gen_open    from a name ("csmith") or a file ("./mine.ini")
 *     gen_next    one program, determined by the configuration and the choices
 *     gen_close
 *
 * No globals: several generators run side by side in one process. A generator that is a foreign
 * command may fail on a seed (it crashed, or did not end); our own never do. */
#ifndef ASSAY_GEN_GEN_H
#define ASSAY_GEN_GEN_H

#include "base/arena.h"
#include "base/choice.h"
#include "base/error.h"
#include "program/program.h"

struct generator;

struct gen_context {
    const char *const *dirs; /* where presets (*.ini) are looked for, later ones first */
    int n_dirs;
    const volatile int *stop; /* see child_spec; may be NULL */
};

struct gen_class { /* one per folder under gen/ */
    /* 1: the name is not this class's; 0 and -1 as usual. */
    int (*open)(const char *name, const struct gen_context *context, struct generator **out,
                struct error *e);
    int (*next)(struct generator *g, struct choice *c, struct arena *a, struct program *out,
                struct error *e);
    void (*close)(struct generator *g);
    /* Names and one line of help each, for listings. */
    void (*list)(const struct gen_context *context,
                 void (*each)(void *to, const char *name, const char *help), void *to);
};

struct generator { /* the head of each class's own struct */
    const struct gen_class *class;
    const char *name;     /* as it is recorded: "csmith" */
    const char *version;  /* "2.3.0" */
    const char *language; /* "c" */
    const char *config;   /* canonical text of all that a program depends on besides the choices */
    int64_t cpu_us;       /* CPU time of foreign processes so far */
};

enum { GEN_FAILED = 1 }; /* gen_next: no program for this seed; the error says why */

int gen_open(const char *name, const struct gen_context *context, struct generator **out,
             struct error *e);
int gen_next(struct generator *g, struct choice *c, struct arena *a, struct program *out,
             struct error *e);
void gen_close(struct generator *g);
void gen_list(const struct gen_context *context,
              void (*each)(void *to, const char *name, const char *help), void *to);

#endif
