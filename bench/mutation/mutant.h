/* What a program with planted mutants is compiled with: bench/mutating.py puts it on the first line
   of each file that it changed. C and C++, and no other header: the program may have poisoned
   names. */
#ifndef MUTANT_H
#define MUTANT_H

#ifdef __cplusplus
extern "C" {
#endif

/* 0: all mutants are off, which is all that a site asks then. Read from the environment at start.
 */
extern unsigned char mutant_state;

/* Is mutant n, which was reached, the one that is on? Tracing, it is noted and off. */
int mutant_hit(unsigned n);

/* A site of n mutants from number `first`, whose condition is evaluated by f (context, number), 0
   being the original. Tracing, every mutant whose value differs is noted, and the original's is
   returned. */
int mutant_choose(unsigned first, unsigned n, int (*f)(const void *, unsigned),
                  const void *context);

#ifdef __cplusplus
}

template <typename F> static int mutant_call(const void *f, unsigned n)
{
    return (*(const F *)f)(n);
}

/* The condition is a function object, so that what it captures by copy stays in registers. */
template <typename F> static inline bool mutant_site(unsigned first, unsigned n, const F &f)
{
    return mutant_choose(first, n, mutant_call<F>, &f);
}
#endif

#define MUTANT_ANY __builtin_expect(mutant_state, 0)
#define MUTANT(N) (MUTANT_ANY && mutant_hit(N))

#endif
