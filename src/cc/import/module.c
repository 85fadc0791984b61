/* The reader with libclang is a module of its own, loaded when the first file is parsed: linked in,
 * libclang would cost every start of assay some twenty milliseconds. It lies beside the program (or
 * one folder up, for tests and benchmarks), or where it was installed. */
#include "cc/import/parsed_internal.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifdef ASSAY_NO_CLANG

void *parsed_module_symbol(const char *name, struct error *error)
{
    (void)name;
    error_set(error, ERROR_ENVIRONMENT,
              "this assay was built without libclang: install libclang-19-dev and configure again");
    return NULL;
}

#else

static const char *const places[] = {"%s/assay-clang.so", "%s/../assay-clang.so",
                                     "%s/../lib/assay/assay-clang.so"};
enum { N_PLACES = sizeof places / sizeof *places };

/* The folder of the running program. */
static bool own_folder(char *out, size_t size)
{
    ssize_t n = readlink("/proc/self/exe", out, size - 1);
    if (n <= 0)
        return false;
    out[n] = '\0';
    char *slash = strrchr(out, '/');
    if (slash)
        *slash = '\0';
    return slash != NULL;
}

static void *load_module(struct error *error)
{
    char folder[PATH_MAX], path[PATH_MAX + 64];
    for (int i = 0; own_folder(folder, sizeof folder) && i < N_PLACES; i++) {
        snprintf(path, sizeof path, places[i], folder);
        if (access(path, R_OK))
            continue;
        void *handle = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
        if (!handle)
            error_set(error, ERROR_ENVIRONMENT, "libclang cannot be loaded: %s", dlerror());
        return handle;
    }
    error_set(error, ERROR_ENVIRONMENT,
              "assay-clang.so, which reads C files, is not where assay is: install assay anew");
    return NULL;
}

void *parsed_module_symbol(const char *name, struct error *error)
{
    static void *module; /* loaded once, never unloaded */
    if (!module)
        module = load_module(error);
    void *symbol = module ? dlsym(module, name) : NULL;
    if (module && !symbol)
        error_set(error, ERROR_ENVIRONMENT, "libclang cannot be loaded: %s", dlerror());
    return symbol;
}

#endif

parse_work *parsed_reader(struct error *error)
{
    parse_work *reader = NULL;
    void *symbol = parsed_module_symbol("clang_read", error);
    memcpy(&reader, &symbol, sizeof reader); /* POSIX has it so, C11 has no such cast */
    return reader;
}
