#include "base/split.h"
#include "base/apart.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* Those that are passed on. A terminal sends SIGINT to all of us at once; that the worker then
 * hears it twice does no harm. */
static const int passed[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};

static sigset_t watched_signals(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    for (size_t i = 0; i < sizeof passed / sizeof *passed; i++)
        sigaddset(&set, passed[i]);
    return set;
}

/* Until `child` has ended; its status. Signals that a process sent (and not the terminal, which
 * told everybody) are passed on. */
static int wait_for(pid_t child, const sigset_t *watched)
{
    for (;;) {
        int status;
        for (pid_t ended; (ended = waitpid(-1, &status, WNOHANG)) > 0;)
            if (ended == child)
                return status;
        siginfo_t info;
        int signal = sigwaitinfo(watched, &info);
        if (signal > 0 && signal != SIGCHLD && info.si_code <= 0)
            kill(child, signal);
    }
}

static _Noreturn void end_as(int status)
{
    if (WIFSIGNALED(status)) {
        sigset_t none;
        signal(WTERMSIG(status), SIG_DFL);
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, NULL);
        raise(WTERMSIG(status)); /* as pid 1 of a namespace we live on */
    }
    _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

/* Returns in the worker. */
static void be_keeper(int parent, bool apart, const sigset_t *watched, const sigset_t *before)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    /* If assay was killed before that line, nobody will tell us. */
    struct pollfd alive = {.fd = parent, .events = POLLIN};
    if (poll(&alive, 1, 0) != 0)
        _exit(0);
    if (apart)
        apart_mount_proc();
    pid_t worker = fork();
    if (worker < 0)
        _exit(3);
    if (worker > 0)
        end_as(wait_for(worker, watched));
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    sigprocmask(SIG_SETMASK, before, NULL);
}

int split_command(struct error *e)
{
    sigset_t watched = watched_signals(), before;
    bool apart;
    int self = (int)syscall(SYS_pidfd_open, getpid(), 0);
    if (self < 0)
        return error_set(e, ERROR_ENVIRONMENT, "no pidfd: %s (Linux 5.3 or newer is needed)",
                         strerror(errno));
    fflush(NULL);
    sigprocmask(SIG_BLOCK, &watched, &before);
    pid_t keeper = apart_fork(0, &apart);
    int failed = errno;
    if (keeper > 0)
        end_as(wait_for(keeper, &watched));
    if (keeper == 0)
        be_keeper(self, apart, &watched, &before);
    close(self);
    if (keeper == 0)
        return 0;
    sigprocmask(SIG_SETMASK, &before, NULL);
    return error_set(e, ERROR_ENVIRONMENT, "no process can be started: %s", strerror(failed));
}
