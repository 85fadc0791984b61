/* The filter of system calls, as a program for the kernel (seccomp(2)).
 *
 * The numbers that are allowed are few ranges, and the program searches them by halving. A list
 * that is gone through costs the most where nobody looks: the kernel runs the program once for each
 * number there is when it is installed, to remember what is always allowed. */
#include "base/child_internal.h"
#include "base/sandbox_calls.h"

#include <asm/unistd_64.h>
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

static const short calls[] = {
    SANDBOX_CALLS(SANDBOX_NUMBER) SANDBOX_CALLS_64(SANDBOX_NUMBER) SANDBOX_CALLS_LATER, -1};
static const short sockets[] = {SANDBOX_CALLS_SOCKETS(SANDBOX_NUMBER)(-1)};

const struct sandbox_table sandbox_table_64 = {calls,     sockets,     __NR_clone,
                                               __NR_mmap, __NR_socket, __NR_socketpair};

enum {
    NUMBERS = 512, /* no table goes so far; what is above is refused */
    FILTER_SIZE = 2 * (2 * NUMBERS + 32),
    NAMESPACES = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC |
                 CLONE_NEWUTS | CLONE_NEWCGROUP,
};

struct filter {
    struct sock_filter at[FILTER_SIZE];
    unsigned n;
};

/* Where a run of numbers that are treated alike begins, and how. */
struct range {
    unsigned from;
    bool allowed;
};

static void emit(struct filter *f, unsigned code, unsigned k, unsigned char yes, unsigned char no)
{
    f->at[f->n++] = (struct sock_filter){(unsigned short)code, yes, no, k};
}

static void emit_load(struct filter *f, size_t offset)
{
    emit(f, BPF_LD | BPF_W | BPF_ABS, (unsigned)offset, 0, 0);
}

static void emit_return(struct filter *f, int error)
{
    emit(f, BPF_RET | BPF_K, error ? SECCOMP_RET_ERRNO | (unsigned)error : SECCOMP_RET_ALLOW, 0, 0);
}

/* 2 * n - 1 instructions for n ranges: a conditional jump reaches 255 of them, which is enough. */
static void emit_search(struct filter *f, const struct range *ranges, unsigned n)
{
    if (n == 1) {
        emit_return(f, ranges->allowed ? 0 : ENOSYS);
        return;
    }
    unsigned half = n / 2;
    emit(f, BPF_JMP | BPF_JGE | BPF_K, ranges[half].from, (unsigned char)(2 * half - 1), 0);
    emit_search(f, ranges, half);
    emit_search(f, ranges + half, n - half);
}

static unsigned make_ranges(const struct sandbox_table *t, bool with_sockets, struct range *out)
{
    bool allowed[NUMBERS] = {false};
    unsigned n = 0;
    for (const short *call = t->calls; *call >= 0; call++)
        allowed[*call] = true;
    for (const short *call = t->sockets; with_sockets && *call >= 0; call++)
        allowed[*call] = true;
    for (unsigned i = 0; i < NUMBERS; i++)
        if (i == 0 || allowed[i] != allowed[i - 1])
            out[n++] = (struct range){i, allowed[i]};
    if (allowed[NUMBERS - 1])
        out[n++] = (struct range){NUMBERS, false};
    return n;
}

/* One call, by its first argument: its low half, more is not looked at by the kernel either. */
static void emit_unix_only(struct filter *f, int call)
{
    emit(f, BPF_JMP | BPF_JEQ | BPF_K, (unsigned)call, 0, 4);
    emit_load(f, offsetof(struct seccomp_data, args[0]));
    emit(f, BPF_JMP | BPF_JEQ | BPF_K, AF_UNIX, 1, 0);
    emit_return(f, EAFNOSUPPORT);
    emit_return(f, 0);
}

/* mmap, unless it is of memory that processes share and no file holds. */
static void emit_mmap(struct filter *f, int call)
{
    emit(f, BPF_JMP | BPF_JEQ | BPF_K, (unsigned)call, 0, 5);
    emit_load(f, offsetof(struct seccomp_data, args[3]));
    emit(f, BPF_ALU | BPF_AND | BPF_K, MAP_SHARED | MAP_ANONYMOUS, 0, 0);
    emit(f, BPF_JMP | BPF_JEQ | BPF_K, MAP_SHARED | MAP_ANONYMOUS, 0, 1);
    emit_return(f, EPERM);
    emit_return(f, 0);
}

/* The rules of one table; always ends in a return. */
static void emit_rules(struct filter *f, const struct sandbox_table *t, bool with_sockets)
{
    struct range ranges[NUMBERS + 1];
    emit_load(f, offsetof(struct seccomp_data, nr));
    emit(f, BPF_JMP | BPF_JEQ | BPF_K, (unsigned)t->clone, 0, 4);
    emit_load(f, offsetof(struct seccomp_data, args[0]));
    emit(f, BPF_JMP | BPF_JSET | BPF_K, (unsigned)NAMESPACES, 0, 1);
    emit_return(f, EPERM);
    emit_return(f, 0);
    emit_mmap(f, t->mmap);
    emit_unix_only(f, t->socketpair);
    if (with_sockets)
        emit_unix_only(f, t->socket);
    unsigned n = make_ranges(t, with_sockets, ranges);
    if (n > 250) /* a table of ours is at fault */
        child_fail(CHILD_REPORT_SETUP, "make the filter of system calls", "");
    emit_search(f, ranges, n);
}

void sandbox_filter_calls(bool with_sockets)
{
    struct filter f = {.n = 0};
    emit_load(&f, offsetof(struct seccomp_data, arch));
    emit(&f, BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 0, 1);
    unsigned jump = f.n;
    emit(&f, BPF_JMP | BPF_JA, 0, 0, 0);
    emit(&f, BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_I386, 1, 0);
    emit_return(&f, ENOSYS);
    emit_rules(&f, &sandbox_table_32, with_sockets);
    f.at[jump].k = f.n - jump - 1;
    emit_rules(&f, &sandbox_table_64, with_sockets);
    struct sock_fprog program = {.len = (unsigned short)f.n, .filter = f.at};
    if (syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program))
        child_fail(CHILD_REPORT_SETUP, "seccomp", "");
}
