/* The generator that is any command which prints a program: a user's own generator gets the whole
 * pipeline with a text file.
 *
 *     [generator]
 *     name     = csmith
 *     language = c
 *     command  = csmith -s {seed}        prints the program; or writes files into the folder {out}
 *     probe    = csmith --version
 *     version  = csmith ([0-9.]+)
 *     needs    = -I/usr/include/csmith   what every compiler must be told
 *     trusted  = yes                     its programs are free of undefined behaviour
 *
 * The file's header comment (how to make it again) is put in front of each source file. */
#ifndef ASSAY_GEN_EXTERN_H
#define ASSAY_GEN_EXTERN_H

#include "gen/gen.h"

extern const struct gen_class gen_extern;

#endif
