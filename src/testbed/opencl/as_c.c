/* Writing a kernel's C program, and seeing beforehand whether it can be one.
 *
 * What the text alone shows is checked here: what needs threads at the same time, and what OpenCL
 * defines otherwise than C. What is left, such as a builtin that our headers lack, the C compiler
 * rejects, and testbeds/opencl/as_c.sh then abstains. */
#include "testbed/opencl/as_c.h"
#include "base/text.h"
#include "testbed/opencl/source.h"

#include <ctype.h>

/* -- what cannot be C -------------------------------------------------------------------------- */

struct obstacle {
    const char *words; /* with a star behind: the beginning of one */
    const char *why;
    bool scalar_only;
};

static const struct obstacle obstacles[] = {
    {"barrier* work_group_* sub_group_* mem_fence read_mem_fence write_mem_fence",
     "it has barriers", false},
    {"async_work_group_* wait_group_events prefetch event_t", "it copies asynchronously", false},
    {"atomic_* atom_* atomic*", "it has atomic accesses", false},
    {"local __local", "it has local memory", false},
    {"image* read_image* write_image* sampler_t pipe read_pipe write_pipe queue_t",
     "it has images, samplers or pipes", false},
    {"half* vload_half* vstore_half*", "it has halves", false},
    {"printf", "it prints", false},
    {"main", "it has a name that C reserves", false},
    {"vload* vstore* shuffle* vec_step", "it has vectors", true},
    {"asm __asm __asm__", "it has assembly", false},
};

static bool in_list(const char *word, const char *list)
{
    while (*list) {
        size_t n = strcspn(list, " ");
        bool star = list[n - 1] == '*';
        if (!strncmp(word, list, n - star) && (star || strlen(word) == n))
            return true;
        list += n + (list[n] == ' ');
    }
    return false;
}

static bool is_vector_type(const char *word)
{
    for (int b = 0; b < VALUE_BASE_COUNT; b++) {
        size_t n = strlen(value_bases[b].name);
        if (!strncmp(word, value_bases[b].name, n) && isdigit((unsigned char)word[n]))
            return true;
    }
    return false;
}

/* OpenCL C 1.2, 6.3.j: the amount is taken modulo the width; in C it must be below. A constant that
 * is alone on the right side is fine. */
static bool is_free_shift(const struct source_text *t, size_t i)
{
    size_t k = i + 1;
    while (k < t->n_tokens && (*t->tokens[k].s == '=' || *t->tokens[k].s == '('))
        k++;
    if (k + 1 >= t->n_tokens || t->tokens[k].kind != TOKEN_NUMBER)
        return true;
    char *end;
    unsigned long n = strtoul(t->tokens[k].s, &end, 0);
    if (n > 31 || end[strspn(end, "uUlL")])
        return true;
    return t->tokens[k + 1].kind != TOKEN_SIGN || strchr("+-*/%.[", *t->tokens[k + 1].s);
}

static const char *obstacle_of(const struct source_text *t, enum as_c_form form)
{
    for (size_t i = 0; i < t->n_tokens; i++) {
        const struct token *word = &t->tokens[i];
        bool shift = !strncmp(word->s, "<<", 2) || !strncmp(word->s, ">>", 2);
        if (form == AS_C_SCALAR && word->kind == TOKEN_SIGN && shift && is_free_shift(t, i))
            return "it shifts by what may be too much for C";
        if (word->kind != TOKEN_WORD)
            continue;
        if (form == AS_C_SCALAR && is_vector_type(word->s))
            return "it has vectors";
        for (size_t k = 0; k < sizeof obstacles / sizeof *obstacles; k++)
            if ((form == AS_C_SCALAR || !obstacles[k].scalar_only) &&
                in_list(word->s, obstacles[k].words))
                return obstacles[k].why;
    }
    return NULL;
}

/* -- the program ------------------------------------------------------------------------------- */

static const char *const c_types[VALUE_BASE_COUNT] = {[VALUE_CHAR] = "char",
                                                      [VALUE_UCHAR] = "unsigned char",
                                                      [VALUE_SHORT] = "short",
                                                      [VALUE_USHORT] = "unsigned short",
                                                      [VALUE_INT] = "int",
                                                      [VALUE_UINT] = "unsigned int",
                                                      [VALUE_LONG] = "long",
                                                      [VALUE_ULONG] = "unsigned long",
                                                      [VALUE_HALF] = "unsigned short",
                                                      [VALUE_FLOAT] = "float",
                                                      [VALUE_DOUBLE] = "double"};

static const char *const enumerators[VALUE_BASE_COUNT] = {
#define NAME(e, name, bytes, kind) [e] = #e,
    VALUE_BASES(NAME)
#undef NAME
};

static void add_type(const struct kernel_arg *arg, struct strbuf *out)
{
    if (arg->kind != ARG_SCALAR)
        strbuf_adds(out, "void *");
    else if (arg->width == 1)
        strbuf_addf(out, "%s ", c_types[arg->base]);
    else
        strbuf_addf(out, "assay_%s%u ", value_bases[arg->base].name, arg->width);
}

/* What the main calls when the kernels are compiled elsewhere. */
static void declare(const struct kernel_text *k, struct strbuf *out)
{
    strbuf_addf(out, "void %s(", k->name);
    for (int i = 0; i < k->n_args; i++) {
        strbuf_adds(out, i ? ", " : "");
        add_type(&k->args[i], out);
    }
    strbuf_adds(out, k->n_args ? ");\n" : "void);\n");
}

static void add_data(const struct kernel_text *k, struct strbuf *out)
{
    for (int i = 0; i < k->n_args; i++) {
        const struct kernel_arg *arg = &k->args[i];
        const char *base = enumerators[arg->base];
        if (arg->kind == ARG_SCALAR) {
            strbuf_adds(out, "    ");
            add_type(arg, out);
            strbuf_addf(out,
                        "assay_%d;\n    value_fill_scalar(&assay_%d, %s, %u, n, assay_inputs);\n",
                        i, i, base, arg->width);
        } else {
            strbuf_addf(out,
                        "    static _Alignas(128) char assay_%d[%zu];\n"
                        "    values_fill(assay_%d, %s, %u, n, assay_inputs);\n",
                        i, source_threads[LAUNCHES - 1] * value_size(arg->base, arg->width), i,
                        base, arg->width);
        }
    }
}

static void add_launcher(const struct kernel_text *k, int index, struct strbuf *out)
{
    strbuf_addf(out, "static void assay_launch_%d(unsigned n)\n{\n", index);
    add_data(k, out);
    strbuf_addf(out,
                "    printf(\"kernel %s %%u thread%%s\\n\", n, n == 1 ? \"\" : \"s\");\n"
                "    fflush(stdout);\n"
                "    for (assay_first(); assay_more(); assay_next())\n        %s(",
                k->name, k->name);
    for (int i = 0; i < k->n_args; i++)
        strbuf_addf(out, "%s%sassay_%d", i ? ", " : "",
                    k->args[i].kind == ARG_SCALAR ? "" : "(void *)", i);
    strbuf_adds(out, ");\n");
    for (int i = 0; i < k->n_args; i++)
        if (k->args[i].kind == ARG_GLOBAL && !k->args[i].read_only)
            strbuf_addf(out, "    values_print(%d, assay_%d, %s, %u, n);\n", i, i,
                        enumerators[k->args[i].base], k->args[i].width);
    strbuf_adds(out, "}\n\n");
}

static void add_calls(const struct kernel_text *k, int index, struct strbuf *out)
{
    if (k->why_not) {
        strbuf_addf(out, "    printf(\"kernel %s\\ncompile only: %s\\n\");\n", k->name, k->why_not);
        return;
    }
    for (int i = 0; i < LAUNCHES; i++) {
        unsigned n = source_threads[i];
        struct launch l;
        if (source_launch(k, n, &l))
            strbuf_addf(out,
                        "    assay_size(%u, %zu, %zu, %zu, %zu, %zu, %zu);\n"
                        "    assay_launch_%d(%u);\n",
                        l.dims, l.global[0], l.global[1], l.global[2], l.local[0], l.local[1],
                        l.local[2], index, n);
        else
            strbuf_addf(out,
                        "    printf(\"kernel %s %u thread%s\\n"
                        "compile only: its work-groups have another size\\n\");\n",
                        k->name, n, n == 1 ? "" : "s");
    }
}

static void add_main(const struct source_text *t, struct strbuf *out)
{
    strbuf_adds(out, "int main(int argc, char **argv)\n{\n    assay_options(argc, argv);\n");
    if (t->floats)
        strbuf_adds(out, "    printf(\"floats\\n\");\n");
    if (!t->n_kernels)
        strbuf_adds(out, "    printf(\"compile only: no kernel is found in the text\\n\");\n");
    for (int i = 0; i < t->n_kernels; i++)
        add_calls(&t->kernels[i], i, out);
    strbuf_adds(out, "    return 0;\n}\n");
}

const char *as_c(const char *source, const char *file, enum as_c_form form, struct strbuf *out)
{
    struct arena a;
    struct source_text t;
    arena_init(&a);
    source_read(source, &a, &t);
    const char *why = obstacle_of(&t, form);
    if (!why) {
        strbuf_addf(out, "#include \"opencl_values.h\"\n#include \"items.h\"\n");
        if (form == AS_C_SCALAR)
            strbuf_addf(out, "#include \"scalar.h\"\n#line 1 \"%s\"\n%s\n#line 1 \"main\"\n", file,
                        source);
        for (int i = 0; i < t.n_kernels; i++) {
            if (form == AS_C_MAIN && !t.kernels[i].why_not)
                declare(&t.kernels[i], out);
            if (!t.kernels[i].why_not)
                add_launcher(&t.kernels[i], i, out);
        }
        add_main(&t, out);
    }
    arena_release(&a);
    return why;
}

void as_c_abstain(const char *why, struct strbuf *out)
{
    strbuf_addf(out,
                "#include <stdio.h>\nint main(void)\n{\n    printf(\"abstain: %s\\n\");\n"
                "    return 0;\n}\n",
                why);
}
