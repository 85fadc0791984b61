/* What client and server tell each other, over a socket of the Unix domain.
 *
 * A connection is one request and one reply. With the request come the client's standard output and
 * standard error (SCM_RIGHTS): what a test prints, an assertion's last words included, goes there
 * straight from the process that runs it. */
#ifndef ASSAY_TESTBED_OPENCL_WIRE_H
#define ASSAY_TESTBED_OPENCL_WIRE_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum wire_op {
    WIRE_PING,
    WIRE_BUILD, /* build, and stay ready to run it: the reply has a token */
    WIRE_RUN,   /* build and run */
    WIRE_RESUME /* run what was built: the token. WIRE_GONE if that process is no more */
};

struct wire_request {
    uint32_t version; /* WIRE_VERSION */
    uint32_t op;
    uint32_t inputs;
    uint32_t options_size, source_size; /* the bytes that follow; neither counts a NUL */
    uint64_t token;
    int64_t cpu_ms, wall_ms, memory_bytes;
};

enum wire_end {
    WIRE_OK,       /* built, or run */
    WIRE_REJECTED, /* the compiler said no; its log is on standard error */
    WIRE_REFUSED,  /* the runtime said no to the run; standard output says what */
    WIRE_BROKEN,   /* the harness failed: standard error says how */
    WIRE_SIGNAL,   /* `value`: the process died of it */
    WIRE_EXIT,     /* `value`: the runtime ended the process with it */
    WIRE_CPU,      /* over its CPU time */
    WIRE_WALL,     /* over its time */
    WIRE_GONE,
};

struct wire_reply {
    uint32_t end; /* enum wire_end */
    int32_t value;
    uint64_t token;
    int64_t cpu_us; /* of the process, so far as it has ended */
};

enum { WIRE_VERSION = 0x61636c31, WIRE_FDS = 2, WIRE_MOST = 16 << 20 };

int wire_connect(const char *path, struct error *e);
int wire_listen(const char *path, struct error *e);

/* A structure with WIRE_FDS descriptors beside it (`fds` NULL: none). -1: the other end is gone. */
int wire_send(int fd, const void *data, size_t n, const int *fds);
/* Descriptors that did not come are -1. */
int wire_receive(int fd, void *data, size_t n, int *fds);

/* All n bytes. */
int wire_write(int fd, const void *data, size_t n);
int wire_read(int fd, void *data, size_t n);

#endif
