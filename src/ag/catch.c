/* Crashes of runtime functions: a jump out of the signal handler.
 *
 * The handler runs on a stack of its own, because endless recursion is the likeliest crash. That
 * stack is a part of the frame of ag_catching: it lies above whatever the function has used up.
 *
 * What a signal does is a matter of the whole process, so the calls of all threads share one
 * installation, which the first makes and the last undoes. A signal in a thread without such a call
 * gets what it would have had without us. ASan's handlers are replaced in the same way for as long
 * as one lasts. */
#include "ag/runtime.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>

static const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
enum { N_FATAL = sizeof fatal / sizeof *fatal };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int catching; /* calls that last, in all threads */
static struct sigaction before[N_FATAL];

static _Thread_local sigjmp_buf *way_out; /* NULL: no call in this thread */

static void catch (int signal)
{
    if (way_out)
        siglongjmp(*way_out, signal);
    for (int i = 0; i < N_FATAL; i++)
        if (fatal[i] == signal)
            sigaction(signal, &before[i], NULL);
    raise(signal); /* blocked until we return */
}

static void install(void)
{
    struct sigaction action = {.sa_handler = catch, .sa_flags = SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    pthread_mutex_lock(&lock);
    if (!catching++)
        for (int i = 0; i < N_FATAL; i++)
            sigaction(fatal[i], &action, &before[i]);
    pthread_mutex_unlock(&lock);
}

static void uninstall(void)
{
    pthread_mutex_lock(&lock);
    if (!--catching)
        for (int i = 0; i < N_FATAL; i++)
            sigaction(fatal[i], &before[i], NULL);
    pthread_mutex_unlock(&lock);
}

/* In a frame of its own, so that the jump ends where no variable has changed. */
static int run(void (*body)(void *to), void *to)
{
    sigjmp_buf here;
    int signal = sigsetjmp(here, 1);
    if (signal == 0) {
        way_out = &here;
        body(to);
    }
    way_out = NULL;
    return signal;
}

int ag_catching(void (*body)(void *to), void *to)
{
    char stack[65536];
    stack_t ours = {.ss_sp = stack, .ss_size = sizeof stack}, theirs;
    REQUIRE(!way_out);
    REQUIRE(!sigaltstack(&ours, &theirs));
    install();
    int signal = run(body, to);
    uninstall();
    REQUIRE(!sigaltstack(&theirs, NULL));
    return signal;
}
