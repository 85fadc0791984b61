/* The system calls that a command in the sandbox may make; nobody but sandbox_calls*.c includes
 * this. What is not in these lists fails with ENOSYS, as in a kernel that does not have it, for
 * which programs and C libraries are prepared: so fails what later kernels will have.
 *
 * In are the calls of compilers, interpreters, virtual machines, threads and the C library. Out are
 *   - memory that RLIMIT_AS and the watch of the keeper do not see: memfd_*, shmget, msgget, mq_*,
 *     userfaultfd, io_setup, io_uring_*, and by mmap what processes share and no file holds: it
 *     stays when it is mapped no more, as long as one page of it is;
 *   - what reaches beyond its own processes and files: sockets, keys (add_key, request_key,
 * keyctl), mount and its like, namespaces, process_vm_*, pidfd_getfd, kcmp, *_by_handle_at, sync;
 *   - what has been a way into the kernel and no test needs: bpf, perf_event_open, modify_ldt,
 *     vmsplice, fanotify_*, modules, clock_settime and whatever else is for administrators.
 * ptrace is in: it reaches only the command's own processes, since it sees no others and the keeper
 * is not dumpable. The leak check of the sanitizers needs it.
 * clone is looked into for namespaces, mmap for shared memory; the old mmap of 32 bits hides its
 * flags in memory and is out. clone3 hides its flags from a filter, so it is out; the C
 * library uses clone then. socketpair is in for Unix sockets, without which Java opens no file; the
 * keeper counts their buffers. */
#ifndef ASSAY_BASE_SANDBOX_CALLS_H
#define ASSAY_BASE_SANDBOX_CALLS_H

/* In both tables. */
/* clang-format off */
#define SANDBOX_CALLS(X)                                                                           \
    /* files */                                                                                    \
    X(read)                                                                                        \
    X(write)                                                                                       \
    X(open)                                                                                        \
    X(close) X(stat) X(fstat) X(lstat) X(lseek) X(readv) X(writev) X(pread64) X(pwrite64)          \
        X(preadv) X(pwritev) X(preadv2) X(pwritev2) X(access) X(faccessat) X(dup) X(dup2) X(dup3)  \
            X(pipe) X(pipe2) X(fcntl) X(flock) X(fsync) X(fdatasync) X(truncate) X(ftruncate)      \
                X(getdents) X(getdents64) X(getcwd) X(chdir) X(fchdir) X(rename) X(renameat)       \
                    X(renameat2) X(mkdir) X(mkdirat) X(rmdir) X(creat) X(link) X(linkat) X(unlink) \
                        X(unlinkat) X(symlink) X(symlinkat) X(readlink) X(readlinkat) X(chmod)     \
                            X(fchmod) X(fchmodat) X(chown) X(fchown) X(lchown) X(fchownat)         \
                                X(umask) X(utime) X(utimes) X(utimensat) X(futimesat) X(mknod)     \
                                    X(mknodat) X(statfs) X(fstatfs) X(statx) X(openat)             \
                                        X(fallocate) X(fadvise64) X(readahead) X(sendfile)         \
                                            X(splice) X(tee) X(copy_file_range) X(sync_file_range) \
                                                X(ioctl) X(getxattr) X(lgetxattr) X(fgetxattr)     \
                                                    X(listxattr) X(llistxattr) X(flistxattr)       \
                                                        X(inotify_init) X(inotify_init1)           \
                                                            X(inotify_add_watch)                   \
                                                                X(inotify_rm_watch) /* waiting */  \
        X(poll) X(ppoll) X(select) X(pselect6) X(epoll_create) X(epoll_create1) X(epoll_ctl)       \
            X(epoll_wait) X(epoll_pwait) X(eventfd) X(eventfd2) X(signalfd) X(signalfd4) X(pause)  \
                X(nanosleep) X(clock_nanosleep) X(alarm) X(getitimer) X(setitimer) X(timer_create) \
                    X(timer_settime) X(timer_gettime) X(timer_getoverrun) X(timer_delete)          \
                        X(timerfd_create) X(timerfd_settime) X(timerfd_gettime) X(gettimeofday)    \
                            X(time) X(times) X(clock_gettime) X(clock_getres) /* memory */         \
        X(brk) X(munmap) X(mremap) X(mprotect) X(msync) X(mincore) X(madvise) X(mlock)     \
            X(mlock2) X(munlock) X(mlockall) X(munlockall) X(pkey_mprotect) X(pkey_alloc)          \
                X(pkey_free) X(mbind) X(set_mempolicy) X(get_mempolicy)                            \
                    X(membarrier) /* processes and threads */                                      \
        X(fork) X(vfork) X(execve) X(execveat) X(exit) X(exit_group) X(wait4) X(waitid) X(kill)    \
            X(tkill) X(tgkill) X(getpid) X(gettid) X(getppid) X(getpgid) X(setpgid) X(getpgrp) X(  \
                getsid) X(setsid) X(getuid) X(geteuid) X(getgid) X(getegid) X(getgroups)           \
                X(setgroups) X(setuid) X(setgid) X(setreuid) X(setregid) X(setresuid) X(getresuid) \
                    X(setresgid) X(getresgid) X(setfsuid) X(setfsgid) X(capget) X(capset) X(futex) \
                        X(set_robust_list) X(get_robust_list) X(set_tid_address) X(rseq)           \
                            X(arch_prctl) X(prctl) X(ptrace) X(personality) X(seccomp)             \
                                X(restart_syscall) X(sched_yield) X(sched_setparam)                \
                                    X(sched_getparam) X(sched_setscheduler) X(sched_getscheduler)  \
                                        X(sched_get_priority_max) X(sched_get_priority_min)        \
                                            X(sched_rr_get_interval) X(sched_setaffinity)          \
                                                X(sched_getaffinity) X(sched_setattr)              \
                                                    X(sched_getattr) X(getpriority) X(setpriority) \
                                                        X(ioprio_get) X(ioprio_set) X(getcpu)      \
                                                            X(set_thread_area)                     \
                                                                X(get_thread_area) /* signals */   \
        X(rt_sigaction) X(rt_sigprocmask) X(rt_sigreturn) X(rt_sigpending) X(rt_sigtimedwait)      \
            X(rt_sigqueueinfo) X(rt_tgsigqueueinfo) X(rt_sigsuspend) X(sigaltstack) /* the rest */ \
        X(uname) X(sysinfo) X(getrlimit) X(setrlimit) X(prlimit64) X(getrusage) X(getrandom)
/* clang-format on */

/* For 64 bits alone. */
#define SANDBOX_CALLS_64(X) X(newfstatat)

/* For 32 bits alone: what its C libraries use and used. */
/* clang-format off */
#define SANDBOX_CALLS_32(X)                                                                        \
    X(waitpid)                                                                                     \
    X(oldstat)                                                                                     \
    X(oldfstat)                                                                                    \
    X(oldlstat) X(oldolduname) X(olduname) X(nice) X(signal) X(sigaction) X(sigreturn)             \
        X(sigsuspend) X(sigpending) X(sigprocmask) X(sgetmask) X(ssetmask) X(readdir) X(_llseek)   \
            X(_newselect) X(ugetrlimit) X(truncate64) X(ftruncate64) X(stat64) X(lstat64) \
                X(fstat64) X(fstatat64) X(fcntl64) X(sendfile64) X(statfs64) X(fstatfs64)          \
                    X(fadvise64_64) X(getuid32) X(getgid32) X(geteuid32) X(getegid32)              \
                        X(setreuid32) X(setregid32) X(getgroups32) X(setgroups32) X(fchown32)      \
                            X(lchown32) X(chown32) X(setuid32) X(setgid32) X(setresuid32)          \
                                X(getresuid32) X(setresgid32) X(getresgid32) X(setfsuid32)         \
                                    X(setfsgid32) X(clock_gettime64) X(clock_getres_time64)        \
                                        X(clock_nanosleep_time64) X(timer_gettime64)               \
                                            X(timer_settime64) X(timerfd_gettime64)                \
                                                X(timerfd_settime64) X(utimensat_time64)           \
                                                    X(pselect6_time64) X(ppoll_time64)             \
                                                        X(rt_sigtimedwait_time64) X(futex_time64)  \
                                                            X(sched_rr_get_interval_time64)
/* clang-format on */

/* In both tables, which have the same numbers from here on; older headers do not know them all. */
#define SANDBOX_CALLS_LATER                                                                        \
    424 /* pidfd_send_signal */, 434 /* pidfd_open */, 436 /* close_range */, 437 /* openat2 */,   \
        439 /* faccessat2 */, 441 /* epoll_pwait2 */, 444 /* landlock_create_ruleset */,           \
        445 /* landlock_add_rule */, 446 /* landlock_restrict_self */, 449 /* futex_waitv */,      \
        452 /* fchmodat2 */, 453 /* map_shadow_stack */, 454 /* futex_wake */,                     \
        455 /* futex_wait */, 456 /* futex_requeue */, 462 /* mseal */

/* Where Unix sockets are allowed; `socket` is looked into. */
/* clang-format off */
#define SANDBOX_CALLS_SOCKETS(X)                                                                   \
    X(connect)                                                                                     \
    X(sendto)                                                                                      \
    X(recvfrom)                                                                                    \
    X(sendmsg) X(recvmsg) X(sendmmsg) X(recvmmsg) X(shutdown) X(getsockname) X(getpeername)        \
        X(setsockopt) X(getsockopt)
/* clang-format on */

/* A table of system calls, and the numbers of those that are looked into. The lists end with -1. */
struct sandbox_table {
    const short *calls, *sockets;
    short clone, mmap, socket, socketpair;
};
extern const struct sandbox_table sandbox_table_64, sandbox_table_32;

#define SANDBOX_NUMBER(name) __NR_##name,

#endif
