/* The table of `gcc -m32`. Both tables have the same names for different numbers, so that each has
 * a file of its own. */
#include "base/sandbox_calls.h"

#include <asm/unistd_32.h>

static const short calls[] = {
    SANDBOX_CALLS(SANDBOX_NUMBER) SANDBOX_CALLS_32(SANDBOX_NUMBER) SANDBOX_CALLS_LATER, -1};
static const short sockets[] = {SANDBOX_CALLS_SOCKETS(SANDBOX_NUMBER)(-1)};

const struct sandbox_table sandbox_table_32 = {calls,      sockets,     __NR_clone,
                                               __NR_mmap2, __NR_socket, __NR_socketpair};
