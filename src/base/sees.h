/* What a command in the sandbox must see beside the system's own programs.
 *
 * The sandbox shows /usr, /bin, /lib and their like. A compiler that is installed elsewhere, in a
 * home or a build folder, brings its own folders along: a list of paths, which child_sandbox.sees
 * takes. The list is made with care, since a compiler in ~/bin must not bring the whole home along.
 *
 *     folder of a program             /work/build/cc        /work/build
 *     its installation                /opt/gcc/bin/gcc      /opt/gcc
 *     in a home                       ~/bin/cc              ~/bin, ~/lib, ~/libexec, ~/include
 *     straight in a home, or in /tmp  ~/cc                  the file alone
 *     a script                        the same, and its interpreter
 *     a link                          the same for each step of the way to its target */
#ifndef ASSAY_BASE_SEES_H
#define ASSAY_BASE_SEES_H

#include "base/vec.h"

#include <stdbool.h>

typedef VEC(const char *) sees_list;

/* Does the sandbox show it anyway, or something of its own in its place (/dev, /proc)? */
bool sees_anyway(const char *path);
/* Exactly this, whatever it is. */
void sees_add(struct arena *a, sees_list *list, const char *path);
/* A program, by its absolute path, with what it needs. */
void sees_add_program(struct arena *a, sees_list *list, const char *path);
/* The files and folders that a word of a command names by absolute paths: "-I/opt/x/include". */
void sees_add_word(struct arena *a, sees_list *list, const char *word);
/* The list, ended by NULL, for child_sandbox.sees. As root we become someone else there:
 * of a folder that is closed to others, such as mktemp -d makes, each file by itself. */
const char *const *sees_all(struct arena *a, const sees_list *list);

#endif
