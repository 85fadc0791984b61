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
 * The file's header comment (how to make it again) is put in front of each source file.
 *
 * The setting `args` is words that stand behind those of the command, each as it is: no shell reads
 * them. They are part of its config, which is "args=WORDS|command|needs|version", the first part
 * only where there are some. */
#ifndef ASSAY_GEN_EXTERN_H
#define ASSAY_GEN_EXTERN_H

#include "gen/gen.h"

extern const struct gen_class gen_extern;

/* " --args='...'" as it must be typed for what is in a config; nothing where there are none. */
void extern_add_args(const char *config, struct strbuf *out);

#endif
