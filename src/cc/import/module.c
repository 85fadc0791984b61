/* The reader with libclang is a module of its own, loaded when the first file is parsed: linked in,
 * libclang would cost every start of assay some twenty milliseconds. */
#include "base/fs.h"
#include "cc/import/parsed_internal.h"

#include <dlfcn.h>
#include <limits.h>
#include <string.h>

#ifdef ASSAY_NO_CLANG

void *parsed_module_symbol(const char *name, struct error *error)
{
    (void)name;
    error_set(error, ERROR_ENVIRONMENT,
              "this assay was built without libclang: install libclang-19-dev and configure again");
    return NULL;
}

#else

static void *load_module(struct error *error)
{
    char path[PATH_MAX + 64];
    if (fs_find_own("assay-clang.so", path, sizeof path)) {
        void *handle = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
        if (!handle)
            error_set(error, ERROR_ENVIRONMENT, "libclang cannot be loaded: %s", dlerror());
        return handle;
    }
    error_set(error, ERROR_ENVIRONMENT,
              "assay-clang.so, which reads C files, is not where assay is: reinstall assay");
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
