#include "testbed/opencl/client.h"
#include "base/fs.h"
#include "base/text.h"
#include "testbed/opencl/wire.h"

#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

static const char magic[] = "assay-opencl 1";

/* One request and its reply. */
static int ask(const struct client *c, enum wire_op op, uint64_t token, const char *options,
               const char *source, size_t source_size, struct wire_reply *reply, struct error *e)
{
    struct wire_request request = {.version = WIRE_VERSION,
                                   .op = op,
                                   .inputs = c->inputs,
                                   .options_size = (uint32_t)strlen(options),
                                   .source_size = (uint32_t)source_size,
                                   .token = token,
                                   .cpu_ms = c->cpu_ms,
                                   .wall_ms = c->wall_ms,
                                   .memory_bytes = c->memory_bytes};
    const int fds[WIRE_FDS] = {STDOUT_FILENO, STDERR_FILENO};
    if (source_size > WIRE_MOST)
        return error_set(e, ERROR_USAGE, "the source is over %d bytes", WIRE_MOST);
    int fd = wire_connect(c->socket, e);
    if (fd < 0)
        return -1;
    fflush(NULL);
    int status = wire_send(fd, &request, sizeof request, fds);
    if (!status && op != WIRE_RESUME && op != WIRE_PING)
        status = wire_write(fd, options, strlen(options)) || wire_write(fd, source, source_size);
    /* A child that dies early does not read all: its end is the reply all the same. */
    int got = wire_receive(fd, reply, sizeof *reply, NULL);
    close(fd);
    if (got)
        return error_at(e, ERROR_ENVIRONMENT, c->socket, 0,
                        status ? "the server took no request" : "the server is gone");
    return 0;
}

static const char *signal_text(int number, char *out, size_t size)
{
    const char *name = sigabbrev_np(number);
    if (name)
        snprintf(out, size, "SIG%s", name);
    else
        snprintf(out, size, "signal %d", number);
    return out;
}

static _Noreturn void die_of(int number)
{
    struct rlimit none = {0};
    sigset_t one;
    fflush(NULL);
    setrlimit(RLIMIT_CORE, &none);
    signal(number, SIG_DFL);
    sigemptyset(&one);
    sigaddset(&one, number);
    sigprocmask(SIG_UNBLOCK, &one, NULL);
    raise(number);
    _exit(128 + number);
}

/* The exit status for the end of a build, or of a run. */
static int judge(const struct wire_reply *r, bool build, struct error *e)
{
    const char *what = build ? "build" : "run";
    char name[32];
    switch (r->end) {
    case WIRE_OK:
        return 0;
    case WIRE_REJECTED:
        return 1;
    case WIRE_SIGNAL:
        if (!build)
            die_of(r->value);
        fprintf(stderr, "build crash: %s\n", signal_text(r->value, name, sizeof name));
        return 1;
    case WIRE_EXIT:
        fprintf(stderr, "%s crash: exit %d\n", what, r->value);
        return build ? 1 : 5;
    case WIRE_CPU:
    case WIRE_WALL:
        fprintf(stderr, "%s timeout\n", what);
        die_of(SIGXCPU);
    default:
        if (r->end == WIRE_REFUSED && !build)
            return 4;
        return error_set(e, ERROR_ENVIRONMENT, "the harness failed (%u, %d)", r->end, r->value);
    }
}

static void tell_cost(const struct client *c, const struct wire_reply *r)
{
    if (c->cost)
        fprintf(stderr, "cpu %.1f ms\n", (double)r->cpu_us / 1000);
}

/* -- the commands ------------------------------------------------------------------------------ */

int client_build(const struct client *c, const char *options, const char *file, const char *result,
                 struct error *e)
{
    struct strbuf source, text;
    struct wire_reply reply;
    strbuf_init(&source, WIRE_MOST + 1);
    strbuf_init(&text, 0);
    int status = fs_read(file, &source, e);
    if (!status)
        status = ask(c, WIRE_BUILD, 0, options, source.s, source.n, &reply, e);
    if (!status)
        status = judge(&reply, true, e);
    if (!status) {
        strbuf_addf(&text, "%s\n%016llx\n%zu\n%s\n", magic, (unsigned long long)reply.token,
                    strlen(options), options);
        strbuf_add(&text, source.s, source.n);
        status = fs_write(result, text.s, text.n, e);
    }
    strbuf_release(&source);
    strbuf_release(&text);
    return status;
}

struct built {
    uint64_t token;
    char *options, *source;
    size_t source_size;
};

/* A number alone on a line, at `*at`, which moves behind it. */
static bool read_line(char **at, int base, uint64_t *value)
{
    char *end;
    *value = strtoull(*at, &end, base);
    bool good = end > *at && *end == '\n';
    *at = end + good;
    return good;
}

/* The parts are cut out of the text itself. */
static int read_result(const char *path, struct strbuf *text, struct built *b, struct error *e)
{
    uint64_t size;
    if (fs_read(path, text, e))
        return -1;
    char *at = text->s + sizeof magic; /* behind the newline */
    if (text->n < sizeof magic || memcmp(text->s, magic, sizeof magic - 1) != 0 ||
        !read_line(&at, 16, &b->token) || !read_line(&at, 10, &size) ||
        size >= text->n - (size_t)(at - text->s) || at[size] != '\n')
        return error_at(e, ERROR_USAGE, path, 0, "not a result of `assay-opencl build`");
    b->options = at;
    b->options[size] = '\0';
    b->source = b->options + size + 1;
    b->source_size = text->n - (size_t)(b->source - text->s);
    return 0;
}

int client_run(const struct client *c, const char *result, struct error *e)
{
    struct strbuf text;
    struct built b = {0};
    struct wire_reply reply;
    strbuf_init(&text, 2 * WIRE_MOST);
    int status = read_result(result, &text, &b, e);
    if (!status)
        status = ask(c, WIRE_RESUME, b.token, "", "", 0, &reply, e);
    if (!status && reply.end == WIRE_GONE)
        status = ask(c, WIRE_RUN, 0, b.options, b.source, b.source_size, &reply, e);
    strbuf_release(&text);
    if (status)
        return -1;
    tell_cost(c, &reply);
    return judge(&reply, false, e);
}

int client_build_and_run(const struct client *c, const char *options, const char *file,
                         struct error *e)
{
    struct strbuf source;
    struct wire_reply reply;
    strbuf_init(&source, WIRE_MOST + 1);
    int status = fs_read(file, &source, e);
    if (!status)
        status = ask(c, WIRE_RUN, 0, options, source.s, source.n, &reply, e);
    strbuf_release(&source);
    if (status)
        return -1;
    tell_cost(c, &reply);
    return judge(&reply, false, e);
}

int client_ping(const struct client *c, struct error *e)
{
    struct wire_reply reply;
    return ask(c, WIRE_PING, 0, "", "", 0, &reply, e);
}
