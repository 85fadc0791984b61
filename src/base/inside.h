/* Landlock: a process gives up all files but those below some paths, for itself and its children.
 *
 *     int set = inside_begin();
 *     inside_read_system(set);
 *     inside_read(set, "/home/me/corpus");
 *     inside_end(set);
 *
 * Where Linux has none, or its first version, which forbids all moving of files, nothing happens:
 * who relies on it has limits besides. */
#ifndef ASSAY_BASE_INSIDE_H
#define ASSAY_BASE_INSIDE_H

/* -1: there is no Landlock; the other functions then do nothing. */
int inside_begin(void);
/* What is read to build something: programs and libraries of the system, settings of loaders, what
 * /proc and /sys tell, and the folder of this program. Nobody's home. */
void inside_read_system(int set);
void inside_read(int set, const char *path);
void inside_write(int set, const char *path); /* and read */
/* From now on; the process gets no new privileges any more. */
void inside_end(int set);

#endif
