/* Servers that testbeds need: databases, which compile and run nothing by themselves.
 *
 * A toolchain with the key `server` gets one server per compiler and assay process, in a folder of
 * its own in /dev/shm or /tmp (short: a socket's path has at most 107 bytes), started when the
 * first test needs it, started again when it died, shared by all workers; each test has a name of
 * its own, for a database of its own. It lives in namespaces of its own where the system allows
 * that: it reaches no network, so that its socket is the only way to it.
 *
 * Who starts it? child_run allows its caller no children, so that nothing escapes. Therefore
 * server_host splits the process before the work begins:
 *
 *     assay          waits, passes signals on, and ends as the worker ends
 *      |- assay      does what the command does; $ASSAY_SERVERS is the folder of the servers
 *      '- keeper     starts the servers, and removes the folder when assay has ended in any way,
 *          |         SIGKILL included
 *          '- init   pid 1 of a server's namespaces: with it all of the server ends
 *              '- the server
 *
 * What they tell each other stands in a file that all map, `board` in that folder. */
#ifndef ASSAY_TESTBED_SERVER_H
#define ASSAY_TESTBED_SERVER_H

#include "base/error.h"
#include "program/testbed.h"

#include <limits.h>

#define SERVERS_ENV "ASSAY_SERVERS"

/* Where a toolchain of the folders for this language (NULL: for any) has a server, split as above:
 * returns in the new process. Elsewhere nothing happens. To be called while there are no threads,
 * no open database and no children. */
int server_host(const char *const *dirs, int n_dirs, const char *language, struct error *e);

/* -- in a test --------------------------------------------------------------------------------- */

struct server_link {
    int fd; /* the board; also what locks are held through */
    struct server_board *board;
    struct server_slot *slot;
    unsigned generation; /* of the server that the test began with */
    long log_begin;      /* bytes in its log then */
    char folder[PATH_MAX];
    char test[32];
};

/* Find the testbed's server. 1: there is none, nobody called server_host. */
int server_link_init(struct server_link *l, const struct testbed *t, struct error *e);
void server_link_release(struct server_link *l);

/* Begin a test: wait until the server is ready, starting it if need be, and until this test may use
 * it: `alone`, or together with others. 1: it cannot be started and never could, `why` says it;
 * -1: it cannot be started any more, or we were stopped. */
int server_enter(struct server_link *l, bool alone, const volatile int *stop, const char **why,
                 struct error *e);
void server_leave(struct server_link *l);
/* Is it the same server still? */
bool server_lives(const struct server_link *l);
/* Has any test ever got through? Then a server that fails is no broken installation. */
bool server_worked(const struct server_link *l);
void server_note_success(struct server_link *l);

/* What the server wrote into its log since the test began, at most the last `cap` bytes. */
struct strbuf;
void server_log(const struct server_link *l, size_t cap, struct strbuf *out);

#endif
