/* Engines are modules, loaded when a training asks for one: OpenBLAS would cost every start of
 * assay some milliseconds and a thread, and CUDA is not on every machine. */
#include "lm/engine.h"
#include "base/fs.h"

#include <dlfcn.h>
#include <limits.h>

typedef int engine_open(const struct lm_model *m, int batch, int length, struct lm_engine **out,
                        struct error *e);

static const struct module {
    const char *file, *symbol, *what, *advice;
} cpu_module = {"assay-blas.so", "lm_cpu_engine_open", "trains on the processor",
                "install libopenblas-dev and build assay again"},
  cuda_module = {"assay-cuda.so", "lm_cuda_engine_open", "trains on a GPU",
                 "build assay where nvcc is, or train with --device cpu"};

/* Loaded once, never unloaded: dlopen counts, and threads of a library may outlive an engine. */
static engine_open *load(const struct module *m, struct error *e)
{
    char path[PATH_MAX + 64];
    engine_open *open = NULL;
    if (!fs_find_own(m->file, path, sizeof path)) {
        error_set(e, ERROR_ENVIRONMENT, "%s, which %s, is not where assay is: %s", m->file, m->what,
                  m->advice);
        return NULL;
    }
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void *symbol = handle ? dlsym(handle, m->symbol) : NULL;
    if (!symbol)
        error_set(e, ERROR_ENVIRONMENT, "%s cannot be loaded: %s", m->file, dlerror());
    memcpy(&open, &symbol, sizeof open); /* POSIX has it so, C11 has no such cast */
    return open;
}

/* OpenBLAS chooses its kernels by the processor's model number, and takes those of a Pentium 4 for
 * one that is newer than itself: a training is then three to four times slower. What the processor
 * can do is a better guide. Who sets the variable knows better still. */
static void choose_kernels(void)
{
#ifdef __x86_64__
    const char *kernels = NULL;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl"))
        kernels = "SkylakeX";
    else if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        kernels = "Haswell";
    if (kernels)
        setenv("OPENBLAS_CORETYPE", kernels, 0);
#endif
}

int lm_cpu_open(const struct lm_model *m, int batch, int length, struct lm_engine **out,
                struct error *e)
{
    /* Both are read once, when OpenBLAS is loaded. It need not make threads that are never used. */
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
    choose_kernels();
    engine_open *open = load(&cpu_module, e);
    return open ? open(m, batch, length, out, e) : -1;
}

int lm_cuda_open(const struct lm_model *m, int batch, int length, struct lm_engine **out,
                 struct error *e)
{
    engine_open *open = load(&cuda_module, e);
    return open ? open(m, batch, length, out, e) : -1;
}
