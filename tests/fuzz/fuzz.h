/* What the targets share. A target is a file that exports LLVMFuzzerTestOneInput: it hands bytes to
 * one reader of texts from outside. tests/fuzz/run builds each with libFuzzer; in the gate they are
 * one program that reads the seeds (driver.c). */
#ifndef ASSAY_TESTS_FUZZ_H
#define ASSAY_TESTS_FUZZ_H

#include "base/arena.h"
#include "base/error.h"
#include "base/strbuf.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The bytes as a file, for readers that take a path. */
struct fuzz_file {
    int fd;
    char path[40];
};

static inline void fuzz_file_make(struct fuzz_file *f, const void *data, size_t size)
{
    f->fd = memfd_create("fuzz", MFD_CLOEXEC);
    if (f->fd < 0 || write(f->fd, data, size) != (ssize_t)size)
        abort();
    snprintf(f->path, sizeof f->path, "/proc/self/fd/%d", f->fd);
}

static inline char *fuzz_text(struct arena *a, const uint8_t *data, size_t size)
{
    char *text = arena_alloc(a, size + 1);
    memcpy(text, data, size);
    text[size] = '\0';
    return text;
}

#endif
