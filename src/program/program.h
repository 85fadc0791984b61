/* A test program and how it was made: what generators hand to everything below them.
 *
 * A program is immutable once its generator has filled it; everything it points to lives in the
 * arena that the generator was given. Its identity is the hash of its language, of its files and of
 * whether it may be run, so the same text from two generators is one program. */
#ifndef ASSAY_PROGRAM_PROGRAM_H
#define ASSAY_PROGRAM_PROGRAM_H

#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

struct program_file {
    const char *name; /* "t.c", "init.h": plain (fs_is_plain_name) */
    const char *text;
    size_t size;
};

static inline struct bytes program_bytes(const struct program_file *f)
{
    return (struct bytes){f->text, f->size};
}

/* What a compiler is told of a program whose floats are those of IEEE 754: that it must not
 * multiply and add in one step, which GCC does by default, and clang within an expression. */
#define PROGRAM_NEEDS_IEEE "-ffp-contract=off"
/* The same for whoever builds one by hand: testbeds link the library of mathematics in any case. */
#define PROGRAM_NEEDS_IEEE_TOLD PROGRAM_NEEDS_IEEE " -lm"

struct provenance {
    const char *generator; /* as the user names it: "csmith" */
    const char *version;   /* of the generator: "2.3.0" */
    const char *config;    /* everything besides the seed that the program depends on */
    uint64_t seed;
    const char *choices; /* recorded sequence; NULL where the seed says it all */
};

struct program {
    const char *language; /* "c", "c++", ... */
    struct program_file *files;
    int n_files;
    const char *needs;     /* arguments that every compiler must get, "-I/usr/include/csmith"; "" */
    struct bytes expected; /* its output; no data where the generator does not know it */
    bool trusted;          /* valid by construction; otherwise it runs in the sandbox */
    bool build_only;       /* it may do anything when run, and never is: only the compilers are
                              tested, for crashes and hangs; `expected` then says nothing. Its
                              generator says so, or a filter does (test_try) */
    bool varied;           /* from another program of its generator, that of the seed `origin`: what
                              that shows as well is no finding of this one (not stored) */
    uint64_t origin;
    struct provenance made;
};

/* The content hash, as 32 hexadecimal digits (XXH3, 128 bits). */
enum { PROGRAM_HASH_SIZE = 33 };
void program_hash(const struct program *p, char hash[PROGRAM_HASH_SIZE]);
/* The same function over any bytes: outputs, configurations. */
void hash_bytes(const void *data, size_t n, char hash[PROGRAM_HASH_SIZE]);

/* All files as one block and back, for the store: name, NUL, size (8 bytes), text. */
void program_pack(const struct program *p, struct strbuf *out);
int program_unpack(struct arena *a, const void *data, size_t n, struct program *p);

/* A list of names and texts. */
struct json *program_files_json(const struct program *p);

size_t program_size(const struct program *p); /* bytes of text */
int program_lines(const struct program *p);   /* of all files */

/* Write the files into a folder, and nowhere else: a name that is not plain is an error, and so is
 * a link in the place of a file. */
int program_write(const struct program *p, const char *dir, struct error *e);

/* With all of its texts in the arena. */
struct program program_copy(struct arena *a, const struct program *p);
/* The name is used, the text copied. */
struct program_file program_file_new(struct arena *a, const char *name, struct bytes text);
/* A file of at most so many bytes, by its name without the folder. */
int program_file_read(const char *path, size_t most, struct arena *a, struct program_file *out,
                      struct error *e);
/* See fs_read_in. */
int program_file_read_in(const char *dir, const char *path, size_t most, struct arena *a,
                         struct program_file *out, struct error *e);

/* The output that the first comment of a file announces: "expected: checksum = 1F3A", in one that
 * begins with "made by assay: ". No data: it announces none. Only whole programs of one file can be
 * held to it, and what was changed since by hand may print anything. */
struct bytes program_announced_output(const struct program_file *f, struct arena *a);
/* What it announces that compilers must be told: "needs: -ffp-contract=off". "": nothing, or what
 * nobody but the user may tell a compiler. */
const char *program_announced_needs(const struct program_file *f);

/* How a program ends that is only compiled, and that may be rejected: it is for crashes and hangs
 * of front ends. */
#define PROGRAM_MAYBE_INVALID "/* only compiled, not linked; maybe invalid */\n"
bool program_may_be_invalid(const struct program *p);

/* Is it a file that a compiler is given, and not a header? */
bool program_is_source(const char *name);
/* NULL: it has none. */
const struct program_file *program_first_source(const struct program *p);
/* One that includes nothing is its own preprocessed form. */
bool program_includes(const struct program *p);
/* A source whose name begins with `lib`: testbeds that can build it as a shared library of its own,
 * with which the rest is linked. No optimiser sees across that border. */
bool program_is_library(const char *name);

#endif
