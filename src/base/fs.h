/* Files, folders and clocks, each call with an error that names the path. */
#ifndef ASSAY_BASE_FS_H
#define ASSAY_BASE_FS_H

#include "base/error.h"
#include "base/strbuf.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

/* The whole file appended to `out`, up to its cap. */
int fs_read(const char *path, struct strbuf *out, struct error *e);
/* The same of a path in a folder that somebody else made: no link leads out of it, and what is no
 * file is not waited at. */
int fs_read_in(const char *dir, const char *path, struct strbuf *out, struct error *e);
int fs_write(const char *path, const void *data, size_t n, struct error *e);
/* The same for a name that somebody else chose: it must be plain, and no link is followed. */
int fs_write_in(const char *dir, const char *name, const void *data, size_t n, struct error *e);
/* A name that stays in its folder, and that a command line takes for a file: not empty, no slash,
 * neither "." nor "..", and neither - nor @ in front. */
bool fs_is_plain_name(const char *name);
/* The last part of a path: "t.c" of "a/t.c". */
const char *fs_name(const char *path);
/* The folder that it is in: "a" of "a/t.c", "." of "t.c". */
const char *fs_folder(struct arena *a, const char *path);
/* The program of that name that PATH leads to; NULL: none. */
const char *fs_on_path(struct arena *a, const char *name);
/* From now on what is printed, on either stream, goes nowhere. */
void fs_be_quiet(void);
/* All of it; -1 with errno set. */
int fs_write_all(int fd, const void *data, size_t n);
bool fs_exists(const char *path);
bool fs_is_dir(const char *path);
bool fs_is_file(const char *path); /* no folder, and nothing that a reader waits at */

/* The names in a folder that do not begin with a dot, sorted; in the arena. */
int fs_list(const char *dir, struct arena *a, string_list *out, struct error *e);

/* Make the folder and those above it. */
int fs_make_dirs(const char *path, struct error *e);
/* A new private folder under $TMPDIR or /tmp; its path into `out`. */
int fs_make_temp_dir(const char *prefix, char *out, size_t out_size, struct error *e);
/* From now on SIGINT, SIGTERM, SIGHUP and SIGPIPE, where they are left at their default, remove our
 * temporary folders before they end the program, and kill its children first. */
void fs_clean_on_signals(void);
/* Remove a folder and everything in it, following no link. Missing is fine. */
void fs_remove_tree(const char *path);
/* Remove everything in a folder that stays. */
void fs_empty_dir(const char *path);

/* Milliseconds and microseconds of a clock that only goes forward. For limits and statistics,
 * never for anything that reaches a program. */
int64_t clock_ms(void);
int64_t clock_us(void);
/* CPU time of this process so far. */
int64_t own_cpu_us(void);
/* Seconds since 1970, for showing when something was found. */
int64_t clock_wall(void);

/* The folder of the running program. False: the system does not say. */
bool fs_own_folder(char *out, size_t size);
/* The path of a file in the user's cache, $XDG_CACHE_HOME/assay or ~/.cache/assay, which is made.
 * false: there is no place for one. */
bool fs_cache_file(const char *name, char *out, size_t size);
/* The same content for whoever reads it meanwhile, or none at all: written beside, then moved
 * there. Whether it could be written is of no matter. */
void fs_cache_write(const char *path, const char *data, size_t n);
/* Files of another system, whose root folder `root` is: links on the way are followed as if nothing
 * lay above it. O_PATH; -1 with errno set. */
int fs_open_in_root(int root, const char *path);
/* Where such a file really is, as a path of this system. False: it is not there. */
bool fs_resolve_in_root(const char *root, const char *path, char *out, size_t size);
/* A file that belongs to the program, such as a module that it loads: beside it, one folder up
 * (tests and benchmarks are in folders of the build), or where it was installed. */
bool fs_find_own(const char *file, char *path, size_t size);
/* The sources of a program that is not installed: the build leaves their place beside it. */
bool fs_sources(char *out, size_t size);
/* Where a file is that a text calls "docs/LALA.md" or "scripts/torture": for PREFIX/bin/assay in
 * PREFIX/share/doc/assay and PREFIX/share/assay/scripts, otherwise in the sources. It is written to
 * `path`, which is returned; where the file is in none of these places that is the name itself. */
const char *fs_shipped(const char *name, char *path, size_t size);

#endif
