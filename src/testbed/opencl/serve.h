/* The server: one process per runtime that initialises it once and splits for each test.
 *
 * Starting a runtime costs more than a test (PoCL: 1.2 s against 0.2). So the server opens it,
 * warms its compiler up, and from then on does nothing but fork: a test lives and dies in a child.
 * Nothing that a kernel does, to the child's whole memory if it must, reaches the server.
 *
 *     client                server                      child
 *     build FILE  ------->  fork -------------------->  limits, clBuildProgram
 *     (RESULT)    <-------  token  <------------------  built; waits
 *     run RESULT  ------->  the client's descriptors->  the launches; ends
 *     (status)    <-------  how it ended
 *
 * The child that has built the program waits to run it, so that no program is compiled twice. It
 * waits PARK_MS, and with at most MOST_PARKED others; a client that comes too late sends the text
 * again. When a client goes away, the child of its test and all that it started are killed. */
#ifndef ASSAY_TESTBED_OPENCL_SERVE_H
#define ASSAY_TESTBED_OPENCL_SERVE_H

#include "base/error.h"

/* Until SIGTERM or SIGINT. Tests get folders of their own in the current one, which is the
 * server's. Returns -1 if it could not begin. */
int serve(const char *platform, const char *socket_path, struct error *e);

#endif
