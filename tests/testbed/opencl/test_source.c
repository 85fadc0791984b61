/* What is read from kernels' texts, the launches, the data and how it is printed, and which kernels
 * can be C. */
#include "tap.h"
#include "testbed/opencl/as_c.h"
#include "testbed/opencl/source.h"

#include <unistd.h>

static struct arena arena;

/* "A(global int4 const, scalar uint1)", or "A: why it can only be compiled". */
static const char *args_of(const char *text)
{
    static const char *const kinds[] = {"scalar", "global", "constant", "local"};
    struct source_text s;
    struct strbuf out;
    source_read(text, &arena, &s);
    strbuf_init(&out, 0);
    for (int i = 0; i < s.n_kernels; i++) {
        const struct kernel_text *k = &s.kernels[i];
        strbuf_addf(&out, "%s%s%s", i ? " " : "", k->name, k->why_not ? ": " : "(");
        for (int j = 0; j < k->n_args && !k->why_not; j++)
            strbuf_addf(&out, "%s%s %s%u%s", j ? ", " : "", kinds[k->args[j].kind],
                        value_bases[k->args[j].base].name, k->args[j].width,
                        k->args[j].read_only ? " const" : "");
        strbuf_adds(&out, k->why_not ? k->why_not : ")");
    }
    const char *own = arena_strdup(&arena, out.s);
    strbuf_release(&out);
    return own;
}

static const struct {
    const char *what, *text, *wanted;
} prototypes[] = {
    {"the paper's kind of kernel",
     "kernel void A(global int* a, const global float4* b, local uchar* c, const int d) {}",
     "A(global int1, global float4 const, local uchar1, scalar int1)"},
    {"old names and orders",
     "__kernel void A(__global unsigned int *a, int const __constant * b, float3 c) { }",
     "A(global uint1, constant int1 const, scalar float3)"},
    {"a constant pointer to what may be written", "kernel void A(global int* const restrict a) {}",
     "A(global int1)"},
    {"attributes ahead and behind",
     "__attribute__((reqd_work_group_size(8, 4, 1))) kernel\n"
     "__attribute__((vec_type_hint(int))) void A(global short a[]) {}",
     "A(global short1)"},
    {"macros without parameters, typedefs",
     "#define REAL float\n#define K __kernel\n#define P global \\\n const\ntypedef REAL real_t;\n"
     "typedef unsigned long size;\nK void A(P real_t *a, size b) {}",
     "A(global float1 const, scalar ulong1)"},
    {"a macro that means itself", "#define int int\nkernel void A(int a) {}", "A(scalar int1)"},
    {"comments and texts",
     "/* kernel void B() {} */ // kernel void C() {}\nkernel /*x*/ void A() {}", "A()"},
    {"a declaration, then the kernel", "kernel void A(int a); kernel void A(int a) {}",
     "A(scalar int1)"},
    {"two kernels", "kernel void A(int a) { if (a) {} } kernel void B(void) {}",
     "A(scalar int1) B()"},
    {"an image", "kernel void A(read_only image2d_t a, sampler_t b) {}",
     "A: an argument is an image"},
    {"a structure", "struct S { int a; }; kernel void A(global struct S* a) {}",
     "A: an argument is a structure"},
    {"a type of its own", "typedef struct { int a; } S; kernel void A(global S* a) {}",
     "A: an argument has a type of the program's own"},
    {"a pointer without a space", "kernel void A(int* a) {}", "A: a pointer has no address space"},
    {"a pointer to a pointer", "kernel void A(global int** a) {}",
     "A: an argument is a pointer to a pointer"},
    {"no kernel", "int A(int a) { return a; }", ""},
    {"half of a kernel", "kernel void A(global int*", ""},
    {"nothing", "", ""},
};

static void test_prototypes(void)
{
    for (size_t i = 0; i < sizeof prototypes / sizeof *prototypes; i++)
        is_str(args_of(prototypes[i].text), prototypes[i].wanted, "%s", prototypes[i].what);
}

static bool has_floats(const char *text)
{
    struct source_text s;
    source_read(text, &arena, &s);
    return s.floats;
}

static void test_floats(void)
{
    ok(has_floats("kernel void A(global float2* a) {}"), "a floating type");
    ok(has_floats("kernel void A(global int* a) { a[0] = 1e3; }"), "a floating constant");
    ok(has_floats("kernel void A(global int* a) { a[0] = as_float(a[1]) > 2; }"), "a conversion");
    ok(!has_floats("kernel void A(global int* a) { a[0] = 0xE3f; /* 1.5 */ }"), "neither");
}

static void test_launches(void)
{
    struct source_text s;
    struct launch l;
    source_read("kernel void A() {}"
                "kernel __attribute__((reqd_work_group_size(8, 4, 1))) void B(local long16* a) {}"
                "kernel __attribute__((reqd_work_group_size(3, 1, 1))) void C() {}",
                &arena, &s);
    ok(source_launch(&s.kernels[0], 1, &l) && l.dims == 1 && l.global[0] == 1 && l.local[0] == 1,
       "one thread");
    ok(source_launch(&s.kernels[0], 2048, &l) && l.global[0] == 2048 && l.local[0] == 64,
       "2,048 threads in groups of 64");
    ok(source_launch(&s.kernels[1], 2048, &l) && l.dims == 3 && l.global[0] == 512 &&
           l.global[1] == 4 && l.local[0] == 8 && l.local[1] == 4 && l.local[2] == 1,
       "groups as they are required");
    ok(!source_launch(&s.kernels[1], 1, &l) && !source_launch(&s.kernels[2], 2048, &l),
       "groups that do not divide the threads cannot be launched");
    is_int((int)source_local_elements(&s.kernels[1], 0, 2048), 128, "local memory is limited");
    is_int((int)source_local_elements(&s.kernels[1], 0, 1), 1, "and never more than threads");
}

static void test_values(void)
{
    int ints[8];
    float floats[12];
    uint16_t halves[4];
    unsigned seen = 0;
    values_fill(ints, VALUE_INT, 2, 4, 0);
    ok(ints[0] == 1 && ints[7] == 8, "lane by lane from 1 on");
    values_fill(ints, VALUE_INT, 1, 8, 1);
    for (int i = 0; i < 8; i++)
        seen |= ints[i] >= 1 && ints[i] <= 8 ? 1U << (ints[i] - 1) : 0;
    ok(seen == 255 && ints[0] != 1, "other inputs are the same numbers in another order");
    values_fill(floats, VALUE_FLOAT, 3, 3, 0);
    ok(floats[2] == 3 && floats[3] == 0 && floats[4] == 4, "three lanes take the place of four");
    values_fill(halves, VALUE_HALF, 1, 4, 0);
    ok(value_of_half(halves[2]) == 3 && value_of_half(value_half(2048)) == 2048 &&
           value_of_half(0x3555) > 0.333 && value_of_half(0x3555) < 0.3334,
       "halves");
    value_fill_scalar(ints, VALUE_INT, 1, 2048, 0);
    is_int(ints[0], 2048, "a scalar is the number of threads");
    value_fill_scalar(ints, VALUE_INT, 1, 2048, 1);
    ok(ints[0] > 0 && ints[0] < 2048, "or less, with other inputs");
}

static const struct {
    const char *what, *text, *scalar, *opencl;
} forms[] = {
    {"scalars", "kernel void A(global int* a) { a[0] <<= 3; }", NULL, NULL},
    {"vectors", "kernel void A(global int2* a) {}", "it has vectors", NULL},
    {"a barrier", "kernel void A() { barrier(1); }", "it has barriers", "it has barriers"},
    {"atomics", "kernel void A(global int* a) { atomic_inc(a); }", "it has atomic accesses",
     "it has atomic accesses"},
    {"local memory", "kernel void A(local int* a) {}", "it has local memory",
     "it has local memory"},
    {"a shift by a variable", "kernel void A(global int* a) { a[0] = 1 << a[1]; }",
     "it shifts by what may be too much for C", NULL},
    {"a shift by a sum", "kernel void A(global int* a) { a[0] = 1 << 3 + a[1]; }",
     "it shifts by what may be too much for C", NULL},
    {"a shift by too much", "kernel void A(global int* a) { a[0] = 1 << 32; }",
     "it shifts by what may be too much for C", NULL},
};

static const char *said(const char *why)
{
    return why ? why : "yes";
}

static void test_as_c(void)
{
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        struct strbuf out;
        strbuf_init(&out, 0);
        is_str(said(as_c(forms[i].text, "a.cl", AS_C_SCALAR, &out)), said(forms[i].scalar),
               "%s as C", forms[i].what);
        is_str(said(as_c(forms[i].text, "a.cl", AS_C_MAIN, &out)), said(forms[i].opencl),
               "%s as OpenCL", forms[i].what);
        strbuf_release(&out);
    }
}

int main(void)
{
    arena_init(&arena);
    test_prototypes();
    test_floats();
    test_launches();
    test_values();
    test_as_c();
    arena_release(&arena);
    return tap_done();
}
