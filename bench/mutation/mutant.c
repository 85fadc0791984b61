/* The state of planted mutants (mutant.h). C and C++.
 *
 *   MUTANT=N,N           these mutants are on; of several at one site the first
 *   MUTANT_TRACE=FILE    which mutants would have made a difference: FILE has their numbers, a line
 *                        each, when the program exits
 *   MUTANT_OF=N,N        tracing: of these alone
 *   MUTANT_CRASHES=N,N   tracing: these are noted when they are reached, and not evaluated
 *
 * A condition that lacks one of its guards may crash where the original does not: while it is
 * evaluated for a trace, a fault is a difference. Where the program ends there, by an assertion
 * say, or where that takes TICKS, FILE has one line, "in N": the caller adds N to MUTANT_CRASHES
 * and tries again. */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>
#include "mutant.h"

enum { MOST = 1 << 16, OFF = 0, ON = 1, TRACING = 2 };
enum { TICK = 50000, TICKS = 3 }; /* microseconds of CPU time; so many for one evaluation */

unsigned char mutant_state;

static unsigned char on[MOST], differs[MOST], crashes[MOST], left_out[MOST];
static const char *trace;
static unsigned evaluated; /* the mutant that is being evaluated for the trace; 0: none */
static unsigned ticks;     /* since that began */
static sigjmp_buf back;

static void write_trace(void)
{
    FILE *f = fopen(trace, "w");
    if (!f)
        return;
    if (evaluated)
        fprintf(f, "in %u\n", evaluated);
    else
        for (unsigned n = 1; n < MOST; n++)
            if (differs[n] && !left_out[n])
                fprintf(f, "%u\n", n);
    fclose(f);
}

/* Sets those of the list of numbers that the variable has; returns whether there is one. */
static int read_numbers(const char *variable, unsigned char *set, unsigned char value)
{
    const char *list = getenv(variable);
    int found = list && *list;
    while (list && *list) {
        char *end;
        unsigned long n = strtoul(list, &end, 10);
        if (n < MOST)
            set[n] = value;
        list = *end ? end + 1 : end;
    }
    return found;
}

__attribute__((constructor)) static void read_environment(void)
{
    trace = getenv("MUTANT_TRACE");
    if (read_numbers("MUTANT", on, 1)) {
        mutant_state = ON;
    } else if (trace && *trace) {
        mutant_state = TRACING;
        atexit(write_trace);
        read_numbers("MUTANT_CRASHES", crashes, 1);
        const char *of = getenv("MUTANT_OF");
        memset(left_out, of && *of, sizeof left_out);
        read_numbers("MUTANT_OF", left_out, 0);
    }
}

static void fault(int number)
{
    if (evaluated)
        siglongjmp(back, 1);
    signal(number, SIG_DFL); /* it happens again on return */
}

/* A jump out of a loop without end might leave the allocator in between. */
static void tick(int number)
{
    (void)number;
    if (evaluated && ++ticks == TICKS) {
        write_trace();
        _exit(1);
    }
}

/* The program may have handlers of its own, set after ours would have been. */
static void catch_faults(void)
{
    static const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    static int done;
    if (done++)
        return;
    struct sigaction a = {};
    a.sa_flags = SA_RESTART;
    a.sa_handler = tick;
    sigaction(SIGPROF, &a, NULL);
    const struct itimerval every = {{0, TICK}, {0, TICK}};
    setitimer(ITIMER_PROF, &every, NULL);
    a.sa_flags = SA_NODEFER;
    a.sa_handler = fault;
    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++)
        sigaction(numbers[i], &a, NULL);
}

int mutant_hit(unsigned n)
{
    if (mutant_state == ON)
        return on[n];
    if (!evaluated)
        differs[n] = 1;
    return 0;
}

int mutant_choose(unsigned first, unsigned n, int (*f)(const void *, unsigned), const void *context)
{
    if (mutant_state == ON) {
        for (unsigned m = first; m < first + n; m++)
            if (on[m])
                return f(context, m);
        return f(context, 0);
    }
    int original = f(context, 0);
    if (evaluated) /* what a mutant calls is not looked at */
        return original;
    for (volatile unsigned m = first; m < first + n; m++) {
        if (differs[m] || left_out[m])
            continue;
        if (crashes[m]) {
            differs[m] = 1;
            continue;
        }
        catch_faults();
        ticks = 0;
        evaluated = m;
        differs[m] = sigsetjmp(back, 0) || !f(context, m) != !original;
        evaluated = 0;
    }
    return original;
}
