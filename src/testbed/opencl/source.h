/* What can be read from a kernel's text: its arguments, and whether it computes with floats.
 *
 * clGetKernelArgInfo would tell, but not every runtime has it, and those that do write types in
 * their own ways. All runtimes must get the same data, so the text decides: comments are dropped,
 * macros without parameters replaced, simple typedefs followed. Conditional directives are not
 * evaluated. What is not understood is compiled and not run: better than data of a wrong size.
 *
 * OpenCL C 1.2: 6.1 types, 6.7 qualifiers of kernels. */
#ifndef ASSAY_TESTBED_OPENCL_SOURCE_H
#define ASSAY_TESTBED_OPENCL_SOURCE_H

#include "base/arena.h"
#include "base/vec.h"
#include <opencl_values.h>

#include <stdbool.h>

enum token_kind { TOKEN_WORD, TOKEN_NUMBER, TOKEN_TEXT, TOKEN_SIGN };

struct token {
    enum token_kind kind;
    const char *s; /* NUL-terminated, in the arena; a sign is one character, "<<" or ">>" */
};
typedef VEC(struct token) token_list;

enum arg_kind { ARG_SCALAR, ARG_GLOBAL, ARG_CONSTANT, ARG_LOCAL };

struct kernel_arg {
    enum arg_kind kind;
    enum value_base base;
    unsigned width; /* lanes: 1, 2, 3, 4, 8, 16 */
    bool read_only; /* what it points to is const */
};

struct kernel_text {
    const char *name;
    const struct kernel_arg *args;
    int n_args;
    unsigned group[3];   /* reqd_work_group_size; 0: none is required */
    const char *why_not; /* why it can only be compiled: "an argument is an image"; NULL: it runs */
};

struct source_text {
    struct token *tokens; /* macros replaced */
    size_t n_tokens;
    const struct kernel_text *kernels; /* in the order of the text */
    int n_kernels;
    bool floats; /* a floating type or constant occurs */
};

/* Everything lives in the arena. Any text can be read; what makes no sense has no kernels. */
void source_read(const char *text, struct arena *a, struct source_text *out);

/* One launch, the same on every runtime. false: the kernel cannot be launched with so many. */
struct launch {
    unsigned dims;
    size_t global[3], local[3];
};
bool source_launch(const struct kernel_text *k, unsigned threads, struct launch *out);

/* The threads of the two launches (DeepSmith 3.3). */
enum { LAUNCHES = 2 };
extern const unsigned source_threads[LAUNCHES];

/* Elements of a local buffer: as many as threads, as far as all of the kernel's local buffers fit
 * into half of the 32 KiB that the smallest runtime has. */
size_t source_local_elements(const struct kernel_text *k, int arg, unsigned threads);

#endif
