/* The side of the tests.
 *
 * A test that crashes a server takes the tests of other workers down with it, and none of them can
 * tell who it was. So tests share a server by a lock, and a test that saw a crash is repeated
 * alone: what happens then is its own doing. Locks are open-file-description locks on bytes of the
 * board, two per server: who holds the first may ask for the second, so that a test that wants the
 * server alone does not wait for ever behind others that share it. The kernel drops them with the
 * process that held them. */
#include "testbed/server_internal.h"

#include "base/fs.h"
#include "base/strbuf.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    PULSE_MS = 5,
    START_MS = 300000, /* a server that takes longer will not come */
};

void server_board_path(const char *folder, char *out, size_t out_size)
{
    snprintf(out, out_size, "%s/board", folder);
}

void server_slot_path(const char *folder, int slot, char *out, size_t out_size)
{
    snprintf(out, out_size, "%s/%d", folder, slot);
}

int server_link_init(struct server_link *l, const struct testbed *t, struct error *e)
{
    const char *folder = getenv(SERVERS_ENV);
    char path[PATH_MAX];
    *l = (struct server_link){.fd = -1};
    if (!folder || !*folder)
        return 1;
    server_board_path(folder, path, sizeof path);
    l->fd = open(path, O_RDWR | O_CLOEXEC);
    void *memory = l->fd < 0
                       ? MAP_FAILED
                       : mmap(NULL, sizeof *l->board, PROT_READ | PROT_WRITE, MAP_SHARED, l->fd, 0);
    if (memory == MAP_FAILED) {
        int failed = errno;
        server_link_release(l);
        return error_at(e, ERROR_ENVIRONMENT, path, 0, "no servers: %s", strerror(failed));
    }
    l->board = memory;
    for (int i = 0; i < l->board->n; i++) {
        struct server_slot *s = &l->board->slots[i];
        if (strcmp(s->compiler, t->path) || strcmp(s->toolchain, t->toolchain))
            continue;
        l->slot = s;
        server_slot_path(folder, i, l->folder, sizeof l->folder);
        return 0;
    }
    server_link_release(l);
    return 1;
}

void server_link_release(struct server_link *l)
{
    if (l->board)
        munmap(l->board, sizeof *l->board);
    if (l->fd >= 0)
        close(l->fd);
    l->board = NULL;
    l->fd = -1;
}

/* -- locks ------------------------------------------------------------------------------------- */

enum { GATE, USE };

static int set_lock(const struct server_link *l, int which, int type)
{
    long slot = l->slot - l->board->slots;
    struct flock lock = {.l_type = (short)type, .l_start = 2 * slot + which, .l_len = 1};
    return fcntl(l->fd, F_OFD_SETLK, &lock);
}

static int wait_for_lock(const struct server_link *l, int which, int type, const volatile int *stop,
                         struct error *e)
{
    while (set_lock(l, which, type)) {
        if (errno != EAGAIN && errno != EACCES && errno != EINTR)
            return error_set(e, ERROR_ENVIRONMENT, "no lock on the servers: %s", strerror(errno));
        if (stop && *stop)
            return error_set(e, ERROR_NONE, "stopped");
        poll(NULL, 0, PULSE_MS);
    }
    return 0;
}

/* -- the server -------------------------------------------------------------------------------- */

/* 0: it is ready; 1: it does not start; -1: we were stopped, or nobody answers. */
static int wish(struct server_link *l, const volatile int *stop, struct error *e)
{
    struct server_slot *s = l->slot;
    int number = 0; /* of our wish */
    for (int64_t until = clock_ms() + START_MS; server_get(s->state) != SERVER_READY;) {
        if (number && server_get(s->granted) >= number) { /* it came up and died, or failed */
            if (server_get(s->state) == SERVER_FAILED)
                return 1;
            number = 0;
            poll(NULL, 0, PULSE_MS);
            continue;
        }
        if (!number)
            number = __atomic_add_fetch(&s->wishes, 1, __ATOMIC_ACQ_REL);
        if (stop && *stop)
            return error_set(e, ERROR_NONE, "stopped");
        if (clock_ms() > until)
            return error_set(e, ERROR_ENVIRONMENT, "the server of %s does not come up",
                             s->toolchain);
        poll(NULL, 0, PULSE_MS);
    }
    l->generation = server_get(s->generation);
    return 0;
}

static long log_size(const struct server_link *l)
{
    char path[PATH_MAX + 8];
    struct stat st;
    snprintf(path, sizeof path, "%s/log", l->folder);
    return stat(path, &st) ? 0 : (long)st.st_size;
}

int server_enter(struct server_link *l, bool alone, const volatile int *stop, const char **why,
                 struct error *e)
{
    if (wait_for_lock(l, GATE, F_WRLCK, stop, e))
        return -1;
    int status = wait_for_lock(l, USE, alone ? F_WRLCK : F_RDLCK, stop, e);
    set_lock(l, GATE, F_UNLCK);
    if (!status)
        status = wish(l, stop, e);
    if (status == 1 && server_worked(l))
        status = error_set(e, ERROR_ENVIRONMENT, "the server of %s cannot be started again: %s",
                           l->slot->toolchain, l->slot->why);
    if (status == 1)
        *why = l->slot->why;
    if (status) {
        server_leave(l);
        return status;
    }
    snprintf(l->test, sizeof l->test, "t%u",
             __atomic_add_fetch(&l->slot->tests, 1, __ATOMIC_ACQ_REL));
    l->log_begin = log_size(l);
    return 0;
}

void server_leave(struct server_link *l)
{
    set_lock(l, USE, F_UNLCK);
}

bool server_lives(const struct server_link *l)
{
    return server_get(l->slot->state) == SERVER_READY &&
           server_get(l->slot->generation) == l->generation;
}

bool server_worked(const struct server_link *l)
{
    return server_get(l->slot->worked) != 0;
}

void server_note_success(struct server_link *l)
{
    server_set(l->slot->worked, 1);
}

void server_log(const struct server_link *l, size_t cap, struct strbuf *out)
{
    char path[PATH_MAX + 8], chunk[4096];
    snprintf(path, sizeof path, "%s/log", l->folder);
    /* The folder is the server's, which may have put anything there. */
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    FILE *log = fd < 0 ? NULL : fdopen(fd, "r");
    if (!log)
        return;
    long begin = l->log_begin, end = log_size(l);
    if (end - begin > (long)cap)
        begin = end - (long)cap;
    fseek(log, begin, SEEK_SET);
    for (size_t n; (n = fread(chunk, 1, sizeof chunk, log)) > 0;)
        strbuf_add(out, chunk, n);
    fclose(log);
}
