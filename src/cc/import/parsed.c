/* From one process to the other: tables as a block of bytes, and whether to believe them.
 *
 * The child makes the tables in its own memory and writes them, behind a head with their sizes, to
 * a memory file that parent and child share. The parent waits with a limit on the wall clock (the
 * child has one on CPU time and memory as well), reads the file after the child's end, and checks
 * every index before anybody follows one: a library that crashes may well have scribbled over its
 * memory before.
 *
 * The checks also promise what the readers of the tables rely on: node 1 is the UNIT, numbers are
 * in preorder (a child and a next sibling have greater numbers, so that every walk ends), each
 * kind has as many children as the table says, and references lead to nodes of the right kinds. */
#include "cc/import/parsed_internal.h"

#include "base/text.h"
#include "base/fs.h"
#include "base/inside.h"
#include "base/sanitizer.h"
#include "base/strbuf.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

const char *const parsed_kind_name[PARSED_N_KINDS] = {PARSED_KIND_TABLE(WORD_NAME)};

/* -- checks ----------------------------------------------------------------------------------- */

/* Children per kind; many: no upper limit. */
enum { MANY = 1 << 30 };
static const struct arity {
    int least, most;
} arity[PARSED_N_KINDS] = {
    [PARSED_UNIT] = {0, MANY},
    [PARSED_FUNCTION] = {1, MANY},
    [PARSED_PARAM] = {0, MANY},
    [PARSED_VAR] = {1, MANY},
    [PARSED_RECORD] = {0, MANY},
    [PARSED_ENUM] = {0, MANY},
    [PARSED_OTHER_DECL] = {0, MANY},
    [PARSED_BLOCK] = {0, MANY},
    [PARSED_DECLS] = {0, MANY},
    [PARSED_IF] = {3, 3},
    [PARSED_FOR] = {4, 4},
    [PARSED_WHILE] = {2, 2},
    [PARSED_DO] = {2, 2},
    [PARSED_SWITCH] = {2, 2},
    [PARSED_CASE] = {3, 3},
    [PARSED_DEFAULT] = {1, 1},
    [PARSED_COMPUTED_GOTO] = {1, 1},
    [PARSED_LABEL] = {1, 1},
    [PARSED_RETURN] = {1, 1},
    [PARSED_ASM] = {0, MANY},
    [PARSED_OTHER_STMT] = {0, MANY},
    [PARSED_MEMBER] = {1, 1},
    [PARSED_INDEX] = {2, 2},
    [PARSED_CALL] = {1, MANY},
    [PARSED_UNARY] = {1, 1},
    [PARSED_BINARY] = {2, 2},
    [PARSED_ASSIGN] = {2, 2},
    [PARSED_COND] = {3, 3},
    [PARSED_CAST] = {1, 1},
    [PARSED_SIZEOF] = {0, MANY},
    [PARSED_LITERAL] = {1, 1},
    [PARSED_INIT_LIST] = {0, MANY},
    [PARSED_DESIGNATED] = {2, MANY},
    [PARSED_STMT_EXPR] = {1, 1},
    [PARSED_VA_ARG] = {1, 1},
    [PARSED_OTHER_EXPR] = {0, MANY},
};

static uint16_t kind_at(const struct parsed *p, uint32_t node)
{
    return p->nodes[node].kind;
}

/* Does the reference lead where its kind says? */
static bool good_reference(const struct parsed *p, const struct parsed_node *n)
{
    uint16_t to = kind_at(p, n->ref);
    switch ((enum parsed_kind)n->kind) {
    case PARSED_USE:
        return to == PARSED_VAR || to == PARSED_PARAM || to == PARSED_FUNCTION ||
               to == PARSED_ENUMERATOR;
    case PARSED_FUNCTION:
    case PARSED_VAR:
        return to == n->kind;
    case PARSED_MEMBER:
    case PARSED_FIELD_DESIGNATOR:
        return to == PARSED_FIELD;
    case PARSED_GOTO:
    case PARSED_LABEL_ADDRESS:
        return to == PARSED_LABEL;
    default:
        return n->ref == 0;
    }
}

static const char *bad_node(const struct parsed *p, uint32_t i)
{
    const struct parsed_node *n = &p->nodes[i];
    if (n->kind >= PARSED_N_KINDS)
        return "a node of no kind";
    if (n->type >= p->n_types || n->ref >= p->n_nodes || n->name >= p->n_strings)
        return "a node that refers to nothing";
    if (n->first >= p->n_nodes || n->next >= p->n_nodes || (n->first && n->first <= i) ||
        (n->next && n->next <= i))
        return "a tree with a knot";
    if (n->begin > n->end || n->end > p->source_size || n->at > p->source_size)
        return "a place outside of the file";
    if ((uint64_t)n->text + n->text_size >= p->n_strings)
        return "a text outside of the texts";
    return NULL;
}

/* A node is the first of one parent or the next of one sibling. */
static const char *bad_shape(const struct parsed *p)
{
    const char *why = NULL;
    unsigned char *seen = mem_alloc(p->n_nodes);
    memset(seen, 0, p->n_nodes);
    for (uint32_t i = 1; i < p->n_nodes && !why; i++) {
        int children = 0;
        if (p->nodes[i].next && seen[p->nodes[i].next]++)
            why = "a node with two places";
        if (p->nodes[i].first && seen[p->nodes[i].first]++)
            why = "a node with two places";
        for (uint32_t c = p->nodes[i].first; c; c = p->nodes[c].next)
            children++;
        const struct arity *a = &arity[p->nodes[i].kind];
        if (children < a->least || children > a->most)
            why = "a node with the wrong number of children";
        else if (!good_reference(p, &p->nodes[i]))
            why = "a reference to a node of the wrong kind";
    }
    free(seen);
    return why;
}

/* Types are built from earlier ones, so that whoever follows them comes to an end. */
static const char *bad_type(const struct parsed *p, uint32_t i)
{
    const struct parsed_type *t = &p->types[i];
    if (t->kind >= PARSED_N_TYPES)
        return "a type of no kind";
    if ((t->to && t->to >= i) || t->decl >= p->n_nodes || t->name >= p->n_strings)
        return "a type that refers to nothing";
    if ((uint64_t)t->params + t->n_params > p->n_params)
        return "parameters outside of their table";
    for (uint32_t a = 0; a < t->n_params; a++)
        if (p->params[t->params + a] >= i)
            return "a parameter of no type";
    bool tag = t->kind == PARSED_T_RECORD || t->kind == PARSED_T_ENUM;
    if (t->decl &&
        (!tag || (kind_at(p, t->decl) != PARSED_RECORD && kind_at(p, t->decl) != PARSED_ENUM)))
        return "a type declared by something else";
    return NULL;
}

const char *parsed_check(const struct parsed *p)
{
    const char *why = NULL;
    if (p->n_nodes < 2 || !p->n_types || !p->n_strings || p->nodes[1].kind != PARSED_UNIT)
        return "no unit";
    if (p->strings[p->n_strings - 1] || p->strings[0] || p->source[p->source_size])
        return "texts without an end";
    for (uint32_t i = 0; i < p->n_nodes && !why; i++)
        why = bad_node(p, i);
    for (uint32_t i = 0; i < p->n_types && !why; i++)
        why = bad_type(p, i);
    return why ? why : bad_shape(p);
}

/* -- the block -------------------------------------------------------------------------------- */

enum { MAGIC = 0x70617273, LARGEST_BLOCK = 1 << 30 /* bytes */ };

struct head {
    uint32_t magic;
    int status; /* of the work: 0, or -1 and `error` */
    struct error error;
    struct parsed tables; /* its numbers; the addresses mean nothing here */
};

/* The tables in the order in which they are written: what a block of bytes is carved into. */
struct part {
    void **table;
    size_t size, extra; /* extra: bytes for the NUL behind */
};

enum { PARTS = 6 };
static void parts_of(struct parsed *p, struct part parts[PARTS])
{
    parts[0] = (struct part){(void **)&p->nodes, p->n_nodes * sizeof *p->nodes, 0};
    parts[1] = (struct part){(void **)&p->types, p->n_types * sizeof *p->types, 0};
    parts[2] = (struct part){(void **)&p->offsets, p->n_nodes * sizeof *p->offsets, 0};
    parts[3] = (struct part){(void **)&p->params, p->n_params * sizeof *p->params, 0};
    parts[4] = (struct part){(void **)&p->strings, p->n_strings, 0};
    parts[5] = (struct part){(void **)&p->source, p->source_size, 1};
}

static int read_all(int fd, void *data, size_t n, off_t from)
{
    for (size_t done = 0; done < n;) {
        ssize_t got = pread(fd, (char *)data + done, n - done, from + (off_t)done);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return -1;
        done += (size_t)got;
    }
    return 0;
}

static int write_block(int fd, struct head *h)
{
    struct part parts[PARTS];
    parts_of(&h->tables, parts);
    int bad = fs_write_all(fd, h, sizeof *h);
    for (int i = 0; i < PARTS && !h->status && !bad; i++)
        bad = fs_write_all(fd, *parts[i].table, parts[i].size);
    return bad;
}

static int read_block(int fd, struct arena *arena, struct parsed *out, struct error *error)
{
    struct head h;
    struct part parts[PARTS];
    off_t end = lseek(fd, 0, SEEK_END), at = sizeof h;
    if (read_all(fd, &h, sizeof h, 0) || h.magic != MAGIC)
        return error_set(error, ERROR_ENVIRONMENT, "libclang's answer is cut short");
    if (h.status) {
        h.error.file[sizeof h.error.file - 1] = h.error.message[sizeof h.error.message - 1] = 0;
        if (error)
            *error = h.error;
        return -1;
    }
    parts_of(&h.tables, parts);
    for (int i = 0; i < PARTS; i++) {
        if (end < at || (size_t)(end - at) < parts[i].size)
            return error_set(error, ERROR_ENVIRONMENT, "libclang's answer is cut short");
        *parts[i].table = arena_alloc(arena, parts[i].size + parts[i].extra);
        if (read_all(fd, *parts[i].table, parts[i].size, at))
            return error_set(error, ERROR_ENVIRONMENT, "libclang's answer cannot be read");
        at += (off_t)parts[i].size;
    }
    const char *why = parsed_check(&h.tables);
    if (why)
        return error_set(error, ERROR_ENVIRONMENT, "libclang's answer makes no sense: %s", why);
    *out = h.tables;
    return 0;
}

/* -- the process ------------------------------------------------------------------------------ */

enum { DEFAULT_SECONDS = 10, WALL_PER_CPU = 3 /* on a busy machine */ };

static int seconds_of(const struct parse_job *job)
{
    return job->options && job->options->seconds > 0 ? job->options->seconds : DEFAULT_SECONDS;
}

/* The hard limit lies above the soft one, so that its signal tells what happened. */
static void limit(int what, rlim_t most)
{
    struct rlimit l = {most, most + 1};
    setrlimit((__rlimit_resource_t)what, &l);
}

/* Address space in bytes; sanitizers map terabytes of it, which they never touch. */
enum { LIMIT_MEMORY = !ADDRESS_SANITIZER && !THREAD_SANITIZER };

/* The text may include any file that it names: it gets the system's, those of its own folder, and
 * what the arguments name ("-I../include", "-include" "x.h"). */
static void keep_inside(const struct parse_job *job)
{
    static const char *const none[] = {NULL};
    const char *const *more =
        job->options && job->options->arguments ? job->options->arguments : none;
    int set = inside_begin();
    inside_read_system(set);
    if (job->folder)
        inside_read(set, job->folder);
    for (; *more; more++)
        inside_read(set, strncmp(*more, "-I", 2) ? *more : *more + 2);
    inside_end(set);
}

static _Noreturn void run_child(int fd, parse_work *work, const struct parse_job *job, pid_t parent)
{
    struct head h = {.magic = MAGIC};
    struct arena arena;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(1);
    for (int s = 1; s < NSIG; s++)
        if (s != SIGKILL && s != SIGSTOP)
            signal(s, SIG_DFL);
    fs_be_quiet(); /* libclang says what it thinks of a crash on stderr */
    limit(RLIMIT_CPU, (rlim_t)seconds_of(job));
    limit(RLIMIT_CORE, 0);
    if (LIMIT_MEMORY)
        limit(RLIMIT_AS, (rlim_t)4 << 30);
    keep_inside(job);
    arena_init(&arena);
    h.status = work(job, &arena, &h.tables, &h.error);
    _exit(write_block(fd, &h) ? 1 : 0);
}

/* Wait for the end of the child or of our patience; how it ended into `status`. */
static int wait_child(pid_t pid, int seconds, int *status, struct error *error)
{
    int pidfd = pidfd_open(pid, 0);
    int64_t until = clock_ms() + (int64_t)seconds * WALL_PER_CPU * 1000;
    int ready = 0;
    while (pidfd >= 0 && ready == 0) {
        int64_t left = until - clock_ms();
        struct pollfd p = {.fd = pidfd, .events = POLLIN};
        if (left <= 0)
            break;
        ready = poll(&p, 1, (int)left);
        if (ready < 0 && errno == EINTR)
            ready = 0;
    }
    if (ready != 1)
        kill(pid, SIGKILL);
    while (waitpid(pid, status, 0) < 0 && errno == EINTR)
        ;
    if (pidfd < 0)
        return error_set(error, ERROR_ENVIRONMENT, "libclang cannot be watched (pidfd_open)");
    close(pidfd);
    if (ready != 1)
        return error_set(error, ERROR_LIMIT, "libclang took longer than %d seconds",
                         seconds * WALL_PER_CPU);
    return 0;
}

static int judge_end(int status, const struct parse_job *job, struct error *error)
{
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)
        return error_at(error, ERROR_LIMIT, job->name, 0,
                        "libclang took longer than %d seconds of CPU time", seconds_of(job));
    if (WIFSIGNALED(status)) { /* without memory it aborts, or the kernel kills it */
        bool memory = WTERMSIG(status) == SIGABRT || WTERMSIG(status) == SIGKILL;
        return error_at(error, memory ? ERROR_LIMIT : ERROR_USAGE, job->name, 0,
                        "libclang crashed on this file (%s)", strsignal(WTERMSIG(status)));
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status))
        return error_at(error, ERROR_USAGE, job->name, 0,
                        "libclang ended before it was done with this file (exit status %d)",
                        WEXITSTATUS(status));
    return 0;
}

int parsed_apart(parse_work *work, const struct parse_job *job, struct arena *arena,
                 struct parsed *out, struct error *error)
{
    int status, bad;
    int fd = memfd_create("parsed", MFD_CLOEXEC);
    pid_t self = getpid();
    fflush(NULL); /* what is buffered is ours to write, once */
    pid_t pid = fd < 0 ? -1 : fork();
    if (pid == 0)
        run_child(fd, work, job, self);
    if (pid < 0)
        bad = error_set(error, ERROR_ENVIRONMENT, "no process for libclang: %s", strerror(errno));
    else
        bad = wait_child(pid, seconds_of(job), &status, error) || judge_end(status, job, error) ||
              read_block(fd, arena, out, error);
    if (bad && error && !error->file[0])
        snprintf(error->file, sizeof error->file, "%s", job->name);
    if (fd >= 0)
        close(fd);
    return bad ? -1 : 0;
}

static int load(const char *name, const char *folder, const char *text, size_t n,
                const struct parse_options *o, struct arena *arena, struct parsed *out,
                struct error *error)
{
    /* what begins with a dash is an option to clang, or its standard input */
    const char *path = name[0] == '-' ? arena_printf(arena, "./%s", name) : name;
    struct parse_job job = {.name = path, .folder = folder, .text = text, .n = n, .options = o};
    if (error)
        *error = (struct error){0};
    if (n >= LARGEST_BLOCK)
        return error_at(error, ERROR_USAGE, name, 0, "this file is too large");
    parse_work *reader = parsed_reader(error);
    return reader ? parsed_apart(reader, &job, arena, out, error) : -1;
}

int parsed_load_text(const char *name, const char *text, size_t n, const struct parse_options *o,
                     struct arena *arena, struct parsed *out, struct error *error)
{
    return load(name, NULL, text, n, o, arena, out, error);
}

void parsed_version(char *out, size_t size)
{
    void (*version)(char *, size_t) = NULL;
    void *symbol = parsed_module_symbol("clang_version", NULL);
    memcpy(&version, &symbol, sizeof version);
    *out = '\0';
    if (version)
        version(out, size);
}

int parsed_available(struct error *error)
{
    return parsed_reader(error) ? 0 : -1;
}

bool parsed_is_cxx(const char *path)
{
    static const char *const ends[] = {".C", ".cc", ".cpp", ".cxx"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (text_ends(path, ends[i]))
            return true;
    return false;
}

int parsed_load(const char *path, const struct parse_options *o, struct arena *arena,
                struct parsed *out, struct error *error)
{
    struct strbuf text;
    strbuf_init(&text, 0);
    int bad = fs_read(path, &text, error);
    if (!bad)
        bad = load(path, fs_folder(arena, path), text.s, text.n, o, arena, out, error);
    strbuf_release(&text);
    return bad;
}
