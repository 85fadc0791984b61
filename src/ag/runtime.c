/* Modules: found, opened, checked, compiled.
 *
 * A module is checked whole when it is loaded (its version, every name, every signature), so that
 * whoever calls its functions later need not think of a broken one. Namespaces are looked for from
 * the last module to the first, which is what is built in: so a module's own win. */
#include "ag/runtime.h"

#include "ag/spaces.h"
#include "base/child.h"
#include "base/text.h"
#include "base/vec.h"

#include <ctype.h>
#include <dlfcn.h>
#include <errno.h>
#include <unistd.h>

struct ag_runtime {
    VEC(const struct lala_module *) modules;
    VEC(void *) handles; /* of dlopen */
};

struct ag_runtime *ag_runtime_new(void)
{
    struct ag_runtime *rt = mem_alloc(sizeof *rt);
    *rt = (struct ag_runtime){0};
    ag_runtime_add(rt, ag_spaces());
    return rt;
}

void ag_runtime_free(struct ag_runtime *rt)
{
    if (!rt)
        return;
    for (size_t i = 0; i < rt->handles.n; i++)
        dlclose(rt->handles.at[i]);
    vec_release(&rt->handles);
    vec_release(&rt->modules);
    free(rt);
}

void ag_runtime_add(struct ag_runtime *rt, const struct lala_module *module)
{
    vec_push(&rt->modules, module);
}

/* -- loading ----------------------------------------------------------------------------------- */

static int check_function(const struct lala_namespace *space, int i, const char *path,
                          struct error *e)
{
    const struct lala_function *f = &space->functions[i];
    if (!f->name || !*f->name)
        return error_at(e, ERROR_USAGE, path, 0, "function %d of namespace %s has no name", i + 1,
                        space->name);
    if (!f->call)
        return error_at(e, ERROR_USAGE, path, 0, "%s:%s is in the table without a function",
                        space->name, f->name);
    for (int j = 0; j < i; j++)
        if (!strcmp(space->functions[j].name, f->name))
            return error_at(e, ERROR_USAGE, path, 0, "%s:%s is in the table twice", space->name,
                            f->name);
    struct arena scratch;
    arena_init(&scratch);
    struct ag_signature signature;
    int rc = f->signature ? ag_signature_parse(&scratch, f->signature, &signature) : -1;
    arena_release(&scratch);
    if (rc)
        return error_at(e, ERROR_USAGE, path, 0,
                        "%s:%s has the signature \"%s\"; write it as \"String, int : boolean\"",
                        space->name, f->name, f->signature ? f->signature : "");
    return 0;
}

static int check_module(const struct lala_module *module, const char *path, struct error *e)
{
    if (module->version != LALA_VERSION)
        return error_at(e, ERROR_USAGE, path, 0,
                        "is built for version %d of the interface and this is version %d: rebuild "
                        "it (assay lala build)",
                        module->version, LALA_VERSION);
    if (module->n < 0 || (module->n && !module->namespaces))
        return error_at(e, ERROR_USAGE, path, 0, "its table of namespaces is broken");
    for (int i = 0; i < module->n; i++) {
        const struct lala_namespace *space = &module->namespaces[i];
        if (!space->name || !*space->name)
            return error_at(e, ERROR_USAGE, path, 0, "namespace %d has no name", i + 1);
        if (space->n < 0 || (space->n && !space->functions))
            return error_at(e, ERROR_USAGE, path, 0, "the table of namespace %s is broken",
                            space->name);
        for (int j = 0; j < space->n; j++)
            if (check_function(space, j, path, e))
                return -1;
    }
    return 0;
}

int ag_runtime_load(struct ag_runtime *rt, const char *path, struct error *e)
{
    if (access(path, R_OK))
        return error_at(e, ERROR_USAGE, path, 0, "cannot be read: %s", strerror(errno));
    struct arena scratch;
    arena_init(&scratch);
    /* A name without a slash would be looked for in the system's folders. */
    const char *file = strchr(path, '/') ? path : arena_printf(&scratch, "./%s", path);
    void *handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    const char *why = handle ? NULL : dlerror();
    arena_release(&scratch);
    if (!handle)
        return error_at(e, ERROR_USAGE, path, 0, "cannot be loaded: %s", why);
    const struct lala_module *module = dlsym(handle, "lala_module");
    if (!module)
        error_at(e, ERROR_USAGE, path, 0,
                 "has no table of namespaces: end its source with LALA_MODULE(namespaces)");
    if (!module || check_module(module, path, e)) {
        dlclose(handle);
        return -1;
    }
    vec_push(&rt->handles, handle);
    ag_runtime_add(rt, module);
    return 0;
}

/* -- looking up -------------------------------------------------------------------------------- */

static const struct lala_namespace *find_space(const struct ag_runtime *rt, const char *name)
{
    for (size_t i = rt->modules.n; i-- > 0;) {
        const struct lala_module *module = rt->modules.at[i];
        for (int j = 0; j < module->n; j++)
            if (!strcmp(module->namespaces[j].name, name))
                return &module->namespaces[j];
    }
    return NULL;
}

bool ag_runtime_has_space(const struct ag_runtime *rt, const char *space)
{
    return find_space(rt, space);
}

const struct lala_function *ag_runtime_find(const struct ag_runtime *rt, const char *space,
                                            const char *name)
{
    const struct lala_namespace *s = find_space(rt, space);
    for (int i = 0; s && i < s->n; i++)
        if (!strcmp(s->functions[i].name, name))
            return &s->functions[i];
    return NULL;
}

const char *ag_runtime_nearest(const struct ag_runtime *rt, const char *space, const char *name)
{
    VEC(const char *) names = {0};
    const struct lala_namespace *s = find_space(rt, space);
    for (int i = 0; name && s && i < s->n; i++)
        vec_push(&names, s->functions[i].name);
    for (size_t i = 0; !name && i < rt->modules.n; i++)
        for (int j = 0; j < rt->modules.at[i]->n; j++)
            vec_push(&names, rt->modules.at[i]->namespaces[j].name);
    const char *nearest = text_nearest(name ? name : space, names.at, names.n);
    vec_release(&names);
    return nearest;
}

/* -- signatures ----------------------------------------------------------------------------------
 *
 *     signature = [parameter {"," parameter}] ":" type
 *     parameter = type ["..."]         the dots after the last alone
 *     type      = word ["<" type {"," type} ">"] */

enum { DEEPEST_TYPE = 8 };

static void skip_blanks(const char **at)
{
    while (isspace((unsigned char)**at))
        ++*at;
}

static bool skip(const char **at, const char *token)
{
    skip_blanks(at);
    size_t n = strlen(token);
    if (strncmp(*at, token, n))
        return false;
    *at += n;
    return true;
}

/* A type without its blanks is added to `out`. */
static bool parse_type(const char **at, struct strbuf *out, int depth)
{
    skip_blanks(at);
    size_t n = 0;
    while (isalnum((unsigned char)(*at)[n]) || (*at)[n] == '_')
        n++;
    if (!n || isdigit((unsigned char)**at) || depth > DEEPEST_TYPE)
        return false;
    strbuf_add(out, *at, n);
    *at += n;
    if (!skip(at, "<"))
        return true;
    strbuf_addc(out, '<');
    for (;;) {
        if (!parse_type(at, out, depth + 1))
            return false;
        if (skip(at, ">"))
            break;
        if (!skip(at, ","))
            return false;
        strbuf_addc(out, ',');
    }
    strbuf_addc(out, '>');
    return true;
}

static const char *take_type(struct arena *a, const char **at)
{
    struct strbuf text;
    strbuf_init(&text, 0);
    const char *type = parse_type(at, &text, 1) ? arena_memdup(a, text.s, text.n) : NULL;
    strbuf_release(&text);
    return type;
}

int ag_signature_parse(struct arena *a, const char *text, struct ag_signature *out)
{
    *out = (struct ag_signature){0};
    const char *at = text;
    if (!skip(&at, ":")) {
        do {
            const char *type = out->n < AG_MAX_PARAMETERS ? take_type(a, &at) : NULL;
            if (!type || out->variadic)
                return -1;
            out->parameters[out->n++] = type;
            out->variadic = skip(&at, "...");
        } while (skip(&at, ","));
        if (!skip(&at, ":"))
            return -1;
    }
    out->result = take_type(a, &at);
    skip_blanks(&at);
    return out->result && !*at ? 0 : -1;
}

/* -- compiling --------------------------------------------------------------------------------- */

static const struct child_limits compiler_limits = {
    .wall_ms = 300000,
    .cpu_ms = 120000,
    .memory_bytes = INT64_C(4) << 30,
    .file_bytes = INT64_C(256) << 20,
    .output_bytes = INT64_C(16) << 20,
};

/* The words of $CC, and what we ask of it. */
static const char *const *compile_command(struct arena *a, const char *source, const char *output,
                                          const char *include_dir)
{
    const char *cc = getenv("CC");
    char **words = NULL;
    int n = text_split(a, cc && *cc ? cc : "cc", &words);
    if (n < 1)
        return NULL;
    const char *const rest[] = {"-shared",   "-fPIC", "-O2",  "-std=gnu17", "-Wall", "-I",
                                include_dir, "-o",    output, source,       NULL};
    const char **argv = arena_array(a, const char *, (size_t)n + sizeof rest / sizeof *rest);
    memcpy(argv, words, (size_t)n * sizeof *argv);
    memcpy(argv + n, rest, sizeof rest);
    return argv;
}

/* How it ended, as an error; 0 where it compiled. */
static int compile_error(const struct child_result *r, const char *cc, const char *source,
                         struct error *e)
{
    if (r->end == CHILD_EXITED && r->status == 0)
        return 0;
    if (r->end == CHILD_NOT_STARTED)
        return error_set(e, ERROR_ENVIRONMENT,
                         "the compiler %s cannot be run (%s): install one, or name it in CC", cc,
                         r->err.s);
    if (r->end != CHILD_EXITED)
        return error_at(e, ERROR_ENVIRONMENT, source, 0, "the compiler %s ended by: %s", cc,
                        child_end_name[r->end]);
    const char *said = strstr(r->err.s, "error: ");
    said = said ? said + strlen("error: ") : "see its messages";
    return error_at(e, ERROR_USAGE, source, 0, "does not compile: %.*s", (int)strcspn(said, "\n"),
                    said);
}

/* Into a file beside `output`, which then takes its place: who has the old module open keeps it. */
int ag_runtime_build(const char *source, const char *output, const char *include_dir,
                     struct strbuf *messages, struct error *e)
{
    struct arena a;
    arena_init(&a);
    const char *made = arena_printf(&a, "%s.%ld", output, (long)getpid());
    const char *const *argv = compile_command(&a, source, made, include_dir);
    if (!argv) {
        arena_release(&a);
        return error_set(e, ERROR_USAGE, "CC is not a command: a quote is not closed");
    }
    struct child_result r;
    child_result_init(&r, 1 << 20, 1 << 20);
    struct child_spec spec = {.argv = argv, .limits = compiler_limits};
    int rc = child_run(&spec, &r, e);
    if (!rc) {
        strbuf_add(messages, r.out.s, r.out.n);
        strbuf_add(messages, r.err.s, r.err.n);
        rc = compile_error(&r, argv[0], source, e);
    }
    if (!rc && rename(made, output))
        rc = error_at(e, ERROR_ENVIRONMENT, output, 0, "cannot be written: %s", strerror(errno));
    if (rc)
        unlink(made);
    child_result_release(&r);
    arena_release(&a);
    return rc;
}
