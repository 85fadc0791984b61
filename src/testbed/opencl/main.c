/* assay-opencl: the harness between assay and OpenCL runtimes, as a program of its own: a runtime's
 * libraries are large, start threads and crash, and assay is linked with none of them. */
#include "base/fs.h"
#include "base/text.h"
#include "base/vec.h"
#include "testbed/opencl/as_c.h"
#include "testbed/opencl/client.h"
#include "testbed/opencl/harness.h"
#include "testbed/opencl/serve.h"
#include "testbed/opencl/source.h"

#include <errno.h>
#include <limits.h>
#include <unistd.h>

static const char help[] =
    "assay-opencl %s: builds and runs OpenCL kernels for assay\n\n"
    "  assay-opencl list [--icd FILE] [--env NAME=VALUE]... the available platforms\n"
    "  assay-opencl serve --platform NAME --socket PATH [--icd FILE] [--env NAME=VALUE]...\n"
    "  assay-opencl build --socket PATH FILE.cl -o RESULT [options of clBuildProgram]\n"
    "  assay-opencl run --socket PATH RESULT [--inputs K]\n"
    "  assay-opencl try --socket PATH FILE.cl [--inputs K] [options of clBuildProgram]\n"
    "  assay-opencl ping --socket PATH\n"
    "  assay-opencl kernels FILE.cl                        the arguments that its kernels get\n"
    "  assay-opencl as-c FILE.cl -o FILE.c [--main] [--abstain]\n\n"
    "build, run, try: --cpu 60s, --wall 10m, --memory 4G limit the test; --cost prints its CPU "
    "time.\n"
    "%s has the details.\n";

struct options {
    const char *command, *platform, *icd, *file, *output;
    bool main_only, abstain;
    struct client client;
    struct strbuf build; /* for clBuildProgram */
};

/* -- options ----------------------------------------------------------------------------------- */

static int put_env(const char *text, struct error *e)
{
    const char *equals = strchr(text, '=');
    if (!equals || equals == text)
        return error_set(e, ERROR_USAGE, "--env %s: NAME=VALUE is meant", text);
    char *name = strndup(text, (size_t)(equals - text));
    setenv(name, equals + 1, 1);
    free(name);
    return 0;
}

/* 1: it takes a value and is known; 0: not known. */
static int read_value(struct options *o, const char *name, const char *value, struct error *e)
{
    int64_t n;
    bool good = true;
    if (!strcmp(name, "--platform"))
        o->platform = value;
    else if (!strcmp(name, "--socket"))
        o->client.socket = value;
    else if (!strcmp(name, "--icd"))
        o->icd = value;
    else if (!strcmp(name, "-o"))
        o->output = value;
    else if (!strcmp(name, "--env"))
        return value && put_env(value, e) ? -1 : 1;
    else if (!strcmp(name, "--cpu"))
        good = value && text_parse_duration(value, &o->client.cpu_ms);
    else if (!strcmp(name, "--wall"))
        good = value && text_parse_duration(value, &o->client.wall_ms);
    else if (!strcmp(name, "--memory"))
        good = value && text_parse_size(value, &o->client.memory_bytes);
    else if (!strcmp(name, "--inputs")) {
        good = value && text_parse_int(value, 0, 1000, &n);
        o->client.inputs = good ? (unsigned)n : 0;
    } else
        return 0;
    if (!value || !good)
        return error_set(e, ERROR_USAGE, "%s: this needs another value", name);
    return 1;
}

static void add_build_option(struct options *o, const char *word)
{
    if (o->build.n)
        strbuf_addc(&o->build, ' ');
    strbuf_adds(&o->build, word);
}

static int read_options(int argc, char **argv, struct options *o, struct error *e)
{
    for (int i = 2; i < argc; i++) {
        const char *word = argv[i];
        int status = read_value(o, word, argv[i + 1], e);
        if (status < 0)
            return -1;
        if (status > 0)
            i++;
        else if (!strcmp(word, "--cost"))
            o->client.cost = true;
        else if (!strcmp(word, "--main"))
            o->main_only = true;
        else if (!strcmp(word, "--abstain"))
            o->abstain = true;
        else if (!strncmp(word, "--", 2))
            return error_set(e, ERROR_USAGE, "there is no option %s", word);
        else if (*word == '-') {
            add_build_option(o, word);
            if ((!strcmp(word, "-D") || !strcmp(word, "-I")) && i + 1 < argc)
                add_build_option(o, argv[++i]);
        } else if (o->file)
            return error_set(e, ERROR_USAGE, "one file at a time: %s, %s", o->file, word);
        else
            o->file = word;
    }
    return 0;
}

static int require(const char *value, const char *what, struct error *e)
{
    return value ? 0 : error_set(e, ERROR_USAGE, "%s is missing", what);
}

/* -- commands ---------------------------------------------------------------------------------- */

static int cmd_list(struct options *o, struct error *e)
{
    struct strbuf text;
    if (o->icd)
        setenv("OCL_ICD_VENDORS", o->icd, 1);
    strbuf_init(&text, 0);
    int status = harness_list(&text, e);
    printf("%s", text.s);
    strbuf_release(&text);
    return status;
}

/* The loader takes files that name a library; a library itself gets such a file. */
static int choose_icd(const char *icd, struct error *e)
{
    if (!icd)
        return 0;
    char text[PATH_MAX];
    size_t n = strlen(icd);
    if (n < 3 || strcmp(icd + n - 3, ".so") != 0) {
        setenv("OCL_ICD_VENDORS", icd, 1);
        return 0;
    }
    int length = snprintf(text, sizeof text, "%s\n", icd);
    char path[PATH_MAX];
    if (!getcwd(path, sizeof path - 16))
        return error_set(e, ERROR_ENVIRONMENT, "no current folder: %s", strerror(errno));
    snprintf(path + strlen(path), 16, "/chosen.icd");
    setenv("OCL_ICD_VENDORS", path, 1);
    return fs_write(path, text, (size_t)length, e);
}

static int cmd_serve(struct options *o, struct error *e)
{
    const char *path = o->client.socket;
    if (require(o->platform, "--platform", e) || require(path, "--socket", e))
        return -1;
    /* The folder of the socket is the server's: paths below it are short, and relative paths in the
     * environment (a cache) mean another folder in each test. */
    const char *slash = strrchr(path, '/');
    char *folder = slash ? strndup(path, (size_t)(slash - path)) : strdup(".");
    int status = chdir(*folder ? folder : "/");
    free(folder);
    if (status)
        return error_at(e, ERROR_ENVIRONMENT, path, 0, "no such folder: %s", strerror(errno));
    if (choose_icd(o->icd, e))
        return -1;
    return serve(o->platform, slash ? slash + 1 : path, e);
}

static int cmd_build(struct options *o, struct error *e)
{
    if (require(o->client.socket, "--socket", e) || require(o->file, "the file", e) ||
        require(o->output, "-o", e))
        return -1;
    return client_build(&o->client, o->build.s, o->file, o->output, e);
}

static int cmd_run(struct options *o, struct error *e)
{
    if (require(o->client.socket, "--socket", e) || require(o->file, "the result of build", e))
        return -1;
    return client_run(&o->client, o->file, e);
}

static int cmd_try(struct options *o, struct error *e)
{
    if (require(o->client.socket, "--socket", e) || require(o->file, "the file", e))
        return -1;
    return client_build_and_run(&o->client, o->build.s, o->file, e);
}

static int cmd_ping(struct options *o, struct error *e)
{
    return require(o->client.socket, "--socket", e) ? -1 : client_ping(&o->client, e);
}

static void print_arg(int i, const struct kernel_arg *arg)
{
    static const char *const kinds[] = {[ARG_SCALAR] = "scalar",
                                        [ARG_GLOBAL] = "global",
                                        [ARG_CONSTANT] = "constant",
                                        [ARG_LOCAL] = "local"};
    printf("  %d %s %s", i, kinds[arg->kind], value_bases[arg->base].name);
    if (arg->width > 1)
        printf("%u", arg->width);
    printf("%s\n", arg->kind == ARG_GLOBAL && !arg->read_only ? ", printed" : "");
}

static int cmd_kernels(struct options *o, struct error *e)
{
    struct strbuf text;
    struct source_text source;
    struct arena a;
    if (require(o->file, "the file", e))
        return -1;
    strbuf_init(&text, 0);
    arena_init(&a);
    int status = fs_read(o->file, &text, e);
    if (!status) {
        source_read(text.s, &a, &source);
        printf("%s", source.floats ? "floats\n" : "");
        for (int i = 0; i < source.n_kernels; i++) {
            const struct kernel_text *k = &source.kernels[i];
            printf("kernel %s%s%s\n", k->name, k->why_not ? ", compile only: " : "",
                   k->why_not ? k->why_not : "");
            for (int j = 0; j < k->n_args && !k->why_not; j++)
                print_arg(j, &k->args[j]);
        }
    }
    arena_release(&a);
    strbuf_release(&text);
    return status;
}

static int cmd_as_c(struct options *o, struct error *e)
{
    struct strbuf text, out;
    if (require(o->file, "the file", e) || require(o->output, "-o", e))
        return -1;
    strbuf_init(&text, 0);
    strbuf_init(&out, 0);
    int status = fs_read(o->file, &text, e);
    if (!status) {
        const char *why = as_c(text.s, o->file, o->main_only ? AS_C_MAIN : AS_C_SCALAR, &out);
        if (why && !o->abstain) {
            fprintf(stderr, "%s: not as C: %s\n", o->file, why);
            status = 3;
        } else {
            if (why)
                as_c_abstain(why, &out);
            status = fs_write(o->output, out.s, out.n, e);
        }
    }
    strbuf_release(&text);
    strbuf_release(&out);
    return status;
}

static const struct {
    const char *name;
    int (*run)(struct options *o, struct error *e);
} commands[] = {{"list", cmd_list}, {"serve", cmd_serve},    {"build", cmd_build},
                {"run", cmd_run},   {"try", cmd_try},        {"ping", cmd_ping},
                {"as-c", cmd_as_c}, {"kernels", cmd_kernels}};
enum { N_COMMANDS = sizeof commands / sizeof *commands };

static int dispatch(int argc, char **argv, struct error *e)
{
    struct options o = {.command = argv[1], .client = {.memory_bytes = (int64_t)4 << 30}};
    strbuf_init(&o.build, 0);
    int status = read_options(argc, argv, &o, e);
    int k = 0;
    while (k < N_COMMANDS && strcmp(commands[k].name, o.command) != 0)
        k++;
    if (k == N_COMMANDS)
        status =
            error_set(e, ERROR_USAGE, "there is no command '%s': --help lists them", o.command);
    if (!status)
        status = commands[k].run(&o, e);
    strbuf_release(&o.build);
    return status;
}

int main(int argc, char **argv)
{
    struct error e = {0};
    char text[1200];
    if (argc < 2 || !strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) {
        char page[PATH_MAX];
        printf(help, ASSAY_VERSION, fs_shipped("docs/OPENCL.md", page, sizeof page));
        return argc < 2 ? ERROR_USAGE : 0;
    }
    if (!strcmp(argv[1], "--version")) {
        printf("assay-opencl %s\n", ASSAY_VERSION);
        return 0;
    }
    int status = dispatch(argc, argv, &e);
    if (status >= 0)
        return status;
    fprintf(stderr, "assay-opencl: %s\n", error_text(&e, text, sizeof text));
    return e.kind ? (int)e.kind : ERROR_ENVIRONMENT;
}
