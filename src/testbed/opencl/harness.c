/* The host side of OpenCL, as short as it can be: one device, one context, one queue per program,
 * buffers that are copied in and read back. What each argument gets is decided by the text of the
 * program alone (source.h), so that no runtime has an influence on it. */
#include "testbed/opencl/harness.h"
#include "testbed/opencl/cl.h"
#include "testbed/opencl/source.h"

#include <unistd.h>

enum { MOST_PLATFORMS = 32, MOST_ARGS = 256, LOG_KEPT = 256 << 10 };

struct harness {
    cl_platform_id platform;
    cl_device_id device;
    cl_context context;
};

struct harness_program {
    struct arena arena;
    struct source_text text;
    cl_program program;
};

static int failed(struct error *e, const char *what, cl_int code)
{
    return error_set(e, ERROR_ENVIRONMENT, "%s fails: OpenCL error %d", what, (int)code);
}

/* -- opening ----------------------------------------------------------------------------------- */

static int get_platforms(cl_platform_id *list, cl_uint *n, struct error *e)
{
    cl_int code = clGetPlatformIDs(MOST_PLATFORMS, list, n);
    if (code != CL_SUCCESS || !*n)
        return error_set(e, ERROR_ENVIRONMENT,
                         "the OpenCL loader finds no platform (error %d): is an ICD installed, and "
                         "does OCL_ICD_VENDORS name it?",
                         (int)code);
    *n = *n < MOST_PLATFORMS ? *n : MOST_PLATFORMS;
    return 0;
}

static void platform_name(cl_platform_id p, char *out, size_t size)
{
    out[0] = '\0';
    clGetPlatformInfo(p, CL_PLATFORM_NAME, size, out, NULL);
    out[size - 1] = '\0';
}

static void list_platform(cl_platform_id p, struct strbuf *out)
{
    cl_device_id device = NULL;
    cl_uint n = 0;
    char text[512];
    platform_name(p, text, sizeof text);
    strbuf_addf(out, "%s\t", text);
    text[0] = '\0';
    clGetPlatformInfo(p, CL_PLATFORM_VERSION, sizeof text, text, NULL);
    strbuf_addf(out, "%s\t", text);
    text[0] = '\0';
    if (clGetDeviceIDs(p, CL_DEVICE_TYPE_ALL, 1, &device, &n) == CL_SUCCESS && n) {
        clGetDeviceInfo(device, CL_DRIVER_VERSION, sizeof text, text, NULL);
        strbuf_addf(out, "driver %s\t", text);
        clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof text, text, NULL);
    }
    strbuf_addf(out, "%s\n", *text ? text : "no device");
}

int harness_list(struct strbuf *out, struct error *e)
{
    cl_platform_id list[MOST_PLATFORMS];
    cl_uint n = 0;
    if (get_platforms(list, &n, e))
        return -1;
    for (cl_uint i = 0; i < n; i++)
        list_platform(list[i], out);
    return 0;
}

/* What is loaded lazily, such as the library of builtins, is loaded ahead of the first test. The
 * program stays: PoCL drops its library with the last one that there is, and reading it again took
 * half a second in each test. */
static int warm_up(struct harness *h, struct error *e)
{
    static const char kernel[] = "kernel void A(global float4* a, global int* b, int c) {\n"
                                 "  int i = get_global_id(0);\n"
                                 "  if (i < c) { a[i] = sqrt(a[i]); b[i] = max(b[i], c); }\n"
                                 "}\n";
    struct harness_program *p;
    int out = dup(STDOUT_FILENO);
    fflush(stdout);
    int status = harness_build(h, kernel, "", &p, e);
    if (status > 0)
        error_set(e, ERROR_ENVIRONMENT, "the compiler rejects a kernel that is right");
    FILE *nowhere = freopen("/dev/null", "w", stdout);
    if (!status && nowhere)
        status = harness_run(h, p, 0, e);
    fflush(stdout);
    dup2(out, STDOUT_FILENO);
    close(out);
    return status ? -1 : 0;
}

static struct harness *open_platform(cl_platform_id p, const char *name, struct error *e)
{
    struct harness h = {.platform = p};
    cl_uint n = 0;
    cl_int code = clGetDeviceIDs(p, CL_DEVICE_TYPE_ALL, 1, &h.device, &n);
    if (code != CL_SUCCESS || !n) {
        error_set(e, ERROR_ENVIRONMENT, "the platform %s has no device", name);
        return NULL;
    }
    h.context = clCreateContext(NULL, 1, &h.device, NULL, NULL, &code);
    if (code != CL_SUCCESS) {
        failed(e, "clCreateContext", code);
        return NULL;
    }
    struct harness *own = mem_alloc(sizeof *own);
    *own = h;
    if (!warm_up(own, e))
        return own;
    free(own);
    return NULL;
}

struct harness *harness_open(const char *platform, struct error *e)
{
    cl_platform_id list[MOST_PLATFORMS];
    cl_uint n = 0;
    if (get_platforms(list, &n, e))
        return NULL;
    for (cl_uint i = 0; i < n; i++) {
        char name[512];
        platform_name(list[i], name, sizeof name);
        if (strcasestr(name, platform))
            return open_platform(list[i], name, e);
    }
    error_set(e, ERROR_ENVIRONMENT,
              "there is no OpenCL platform '%s': `assay-opencl list` shows the available ones",
              platform);
    return NULL;
}

/* -- building ---------------------------------------------------------------------------------- */

static void print_log(const struct harness *h, cl_program p)
{
    size_t n = 0;
    clGetProgramBuildInfo(p, h->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &n);
    n = n ? n : LOG_KEPT; /* for less than all of it there is nothing */
    char *log = mem_alloc(n + 1);
    log[0] = '\0';
    clGetProgramBuildInfo(p, h->device, CL_PROGRAM_BUILD_LOG, n, log, NULL);
    log[n < LOG_KEPT ? n : LOG_KEPT] = '\0';
    if (*log)
        fprintf(stderr, "%s%s", log, log[strlen(log) - 1] == '\n' ? "" : "\n");
    fflush(stderr);
    free(log);
}

/* rusticl goes on compiling when a kernel is asked for: that belongs to the build. */
static void make_kernels(const struct harness_program *p)
{
    for (int i = 0; i < p->text.n_kernels; i++) {
        cl_int code;
        cl_kernel kernel = clCreateKernel(p->program, p->text.kernels[i].name, &code);
        if (code == CL_SUCCESS)
            clReleaseKernel(kernel);
    }
}

int harness_build(struct harness *h, const char *source, const char *options,
                  struct harness_program **out, struct error *e)
{
    cl_int code;
    cl_program program = clCreateProgramWithSource(h->context, 1, &source, NULL, &code);
    if (code != CL_SUCCESS)
        return failed(e, "clCreateProgramWithSource", code);
    struct strbuf all;
    strbuf_init(&all, 0);
    /* The version that all runtimes have; a later option replaces it. */
    strbuf_addf(&all, "-cl-std=CL1.2%s%s", *options ? " " : "", options);
    code = clBuildProgram(program, 1, &h->device, all.s, NULL, NULL);
    strbuf_release(&all);
    print_log(h, program); /* warnings, too: some tell that the program is undefined */
    if (code != CL_SUCCESS) {
        fprintf(stderr, "clBuildProgram: OpenCL error %d\n", (int)code);
        fflush(stderr);
        return 1;
    }
    struct harness_program *p = mem_alloc(sizeof *p);
    *p = (struct harness_program){.program = program};
    arena_init(&p->arena);
    source_read(source, &p->arena, &p->text);
    make_kernels(p);
    *out = p;
    return 0;
}

/* -- running ----------------------------------------------------------------------------------- */

struct launched {
    struct harness *h;
    cl_command_queue queue;
    cl_kernel kernel;
    const struct kernel_text *text;
    unsigned threads, inputs;
    cl_mem buffers[MOST_ARGS]; /* NULL where the argument has none */
};

/* The kernel was compiled, but this is refused. The line is compared with what the others print. */
static int refused(const char *what, cl_int code)
{
    printf("refused: %s, OpenCL error %d\n", what, (int)code);
    return 1;
}

static int refused_arg(int i, cl_int code)
{
    printf("refused: argument %d, OpenCL error %d\n", i, (int)code);
    return 1;
}

static int set_buffer(struct launched *l, int i, const struct kernel_arg *arg)
{
    cl_int code;
    size_t size = l->threads * value_size(arg->base, arg->width);
    void *data = mem_alloc(size);
    values_fill(data, arg->base, arg->width, l->threads, l->inputs);
    cl_mem_flags how =
        CL_MEM_COPY_HOST_PTR | (arg->kind == ARG_CONSTANT ? CL_MEM_READ_ONLY : CL_MEM_READ_WRITE);
    l->buffers[i] = clCreateBuffer(l->h->context, how, size, data, &code);
    free(data);
    if (code == CL_SUCCESS)
        code = clSetKernelArg(l->kernel, (cl_uint)i, sizeof(cl_mem), &l->buffers[i]);
    return code == CL_SUCCESS ? 0 : refused_arg(i, code);
}

static int set_arg(struct launched *l, int i)
{
    const struct kernel_arg *arg = &l->text->args[i];
    size_t size = value_size(arg->base, arg->width);
    _Alignas(128) char value[128];
    cl_int code;
    switch (arg->kind) {
    case ARG_SCALAR:
        value_fill_scalar(value, arg->base, arg->width, l->threads, l->inputs);
        code = clSetKernelArg(l->kernel, (cl_uint)i, size, value);
        return code == CL_SUCCESS ? 0 : refused_arg(i, code);
    case ARG_LOCAL:
        size *= source_local_elements(l->text, i, l->threads);
        code = clSetKernelArg(l->kernel, (cl_uint)i, size, NULL);
        return code == CL_SUCCESS ? 0 : refused_arg(i, code);
    default:
        return set_buffer(l, i, arg);
    }
}

static int print_buffers(struct launched *l)
{
    for (int i = 0; i < l->text->n_args; i++) {
        const struct kernel_arg *arg = &l->text->args[i];
        if (arg->kind != ARG_GLOBAL || arg->read_only)
            continue;
        size_t size = l->threads * value_size(arg->base, arg->width);
        void *data = mem_alloc(size);
        cl_int code =
            clEnqueueReadBuffer(l->queue, l->buffers[i], CL_TRUE, 0, size, data, 0, NULL, NULL);
        if (code == CL_SUCCESS)
            values_print((unsigned)i, data, arg->base, arg->width, l->threads);
        free(data);
        if (code != CL_SUCCESS)
            return refused("reading a buffer", code);
    }
    return 0;
}

static int launch(struct launched *l)
{
    struct launch size;
    printf("kernel %s %u thread%s\n", l->text->name, l->threads, l->threads == 1 ? "" : "s");
    if (!source_launch(l->text, l->threads, &size)) {
        printf("compile only: its work-groups have another size\n");
        return 0;
    }
    int status = 0;
    for (int i = 0; !status && i < l->text->n_args; i++)
        status = set_arg(l, i);
    if (!status) {
        fflush(stdout); /* what is there is there when the kernel crashes */
        cl_int code = clEnqueueNDRangeKernel(l->queue, l->kernel, size.dims, NULL, size.global,
                                             size.local, 0, NULL, NULL);
        if (code == CL_SUCCESS)
            code = clFinish(l->queue);
        status = code == CL_SUCCESS ? print_buffers(l) : refused("the launch", code);
    }
    for (int i = 0; i < l->text->n_args; i++)
        if (l->buffers[i])
            clReleaseMemObject(l->buffers[i]);
    memset(l->buffers, 0, sizeof l->buffers);
    fflush(stdout);
    return status;
}

static int run_kernel(struct launched *l, cl_program program)
{
    const struct kernel_text *k = l->text;
    if (k->why_not || k->n_args > MOST_ARGS) {
        printf("kernel %s\ncompile only: %s\n", k->name,
               k->why_not ? k->why_not : "too many arguments");
        return 0;
    }
    int status = 0;
    for (int i = 0; !status && i < LAUNCHES; i++) {
        cl_int code;
        l->threads = source_threads[i];
        l->kernel = clCreateKernel(program, k->name, &code);
        if (code != CL_SUCCESS) {
            printf("kernel %s\n", k->name);
            return refused("the kernel", code);
        }
        status = launch(l);
        clReleaseKernel(l->kernel);
    }
    return status;
}

int harness_run(struct harness *h, const struct harness_program *p, unsigned inputs,
                struct error *e)
{
    cl_int code;
    struct launched l = {.h = h, .inputs = inputs};
    if (p->text.floats)
        printf("floats\n");
    if (!p->text.n_kernels)
        printf("compile only: no kernel is found in the text\n");
    fflush(stdout);
    l.queue = clCreateCommandQueue(h->context, h->device, 0, &code);
    if (code != CL_SUCCESS)
        return failed(e, "clCreateCommandQueue", code);
    int status = 0;
    for (int i = 0; !status && i < p->text.n_kernels; i++) {
        l.text = &p->text.kernels[i];
        status = run_kernel(&l, p->program);
    }
    clReleaseCommandQueue(l.queue);
    return status;
}
