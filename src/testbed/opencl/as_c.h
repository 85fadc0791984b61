/* A kernel as a C program, so that C compilers can be testbeds of OpenCL programs.
 *
 * Where a kernel has no barrier, no atomics and no local memory, its threads can run one after the
 * other: a main that loops over them is all that is missing. The data and the text that is printed
 * are those of the harness (testbeds/opencl/opencl_values.h), the builtins those of a header of
 * ours.
 *
 * Two forms: for any C compiler, scalars only, the kernel's text behind macros that make it C
 * (testbeds/opencl/scalar.h); and for clang, which is asked to compile the text as the OpenCL that
 * it is: then only the main is written, and builtins come from testbeds/opencl/builtins.cl.
 * The program takes `--inputs K` as the harness does. */
#ifndef ASSAY_TESTBED_OPENCL_AS_C_H
#define ASSAY_TESTBED_OPENCL_AS_C_H

#include "base/strbuf.h"

enum as_c_form {
    AS_C_SCALAR, /* the whole program */
    AS_C_MAIN,   /* the main that calls the kernels */
};

/* NULL: `out` is the program. Otherwise a constant, one sentence that says why it is none. */
const char *as_c(const char *source, const char *file, enum as_c_form form, struct strbuf *out);

/* A program that says `abstain: WHY` and nothing else. */
void as_c_abstain(const char *why, struct strbuf *out);

#endif
