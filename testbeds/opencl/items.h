/* Threads one after the other: what the work-item functions of OpenCL (6.12.1) return while the
 * main of a kernel that was turned into C loops over them.
 *
 * For clang in OpenCL mode the functions have the names that it gives to overloaded ones; a C
 * compiler knows the same names through scalar.h. */
#ifndef ASSAY_OPENCL_ITEMS_H
#define ASSAY_OPENCL_ITEMS_H

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define ASSAY_ITEM(type, name, parameters, mangled) type assay_##name parameters __asm__(mangled)

ASSAY_ITEM(unsigned, work_dim, (void), "_Z12get_work_dimv");
ASSAY_ITEM(size_t, global_id, (unsigned d), "_Z13get_global_idj");
ASSAY_ITEM(size_t, global_size, (unsigned d), "_Z15get_global_sizej");
ASSAY_ITEM(size_t, global_offset, (unsigned d), "_Z17get_global_offsetj");
ASSAY_ITEM(size_t, local_id, (unsigned d), "_Z12get_local_idj");
ASSAY_ITEM(size_t, local_size, (unsigned d), "_Z14get_local_sizej");
ASSAY_ITEM(size_t, group_id, (unsigned d), "_Z12get_group_idj");
ASSAY_ITEM(size_t, num_groups, (unsigned d), "_Z14get_num_groupsj");
#undef ASSAY_ITEM

static unsigned assay_inputs; /* which values: opencl_values.h */

static inline void assay_options(int argc, char **argv)
{
    if (argc == 3 && !strcmp(argv[1], "--inputs"))
        assay_inputs = (unsigned)strtoul(argv[2], NULL, 10);
}

static struct {
    unsigned dims;
    size_t global[3], local[3], id[3];
} assay_item;

unsigned assay_work_dim(void) { return assay_item.dims; }
size_t assay_global_id(unsigned d) { return d < 3 ? assay_item.id[d] : 0; }
size_t assay_global_size(unsigned d) { return d < 3 ? assay_item.global[d] : 1; }
size_t assay_global_offset(unsigned d) { return (void)d, 0; }
size_t assay_local_id(unsigned d) { return d < 3 ? assay_item.id[d] % assay_item.local[d] : 0; }
size_t assay_local_size(unsigned d) { return d < 3 ? assay_item.local[d] : 1; }
size_t assay_group_id(unsigned d) { return d < 3 ? assay_item.id[d] / assay_item.local[d] : 0; }
size_t assay_num_groups(unsigned d)
{
    return d < 3 ? assay_item.global[d] / assay_item.local[d] : 1;
}

static inline void assay_size(unsigned dims, size_t gx, size_t gy, size_t gz, size_t lx, size_t ly,
                              size_t lz)
{
    assay_item.dims = dims;
    assay_item.global[0] = gx, assay_item.global[1] = gy, assay_item.global[2] = gz;
    assay_item.local[0] = lx, assay_item.local[1] = ly, assay_item.local[2] = lz;
}

static inline void assay_first(void)
{
    assay_item.id[0] = assay_item.id[1] = assay_item.id[2] = 0;
}

static inline int assay_more(void)
{
    return assay_item.id[2] < assay_item.global[2];
}

static inline void assay_next(void)
{
    if (++assay_item.id[0] < assay_item.global[0])
        return;
    assay_item.id[0] = 0;
    if (++assay_item.id[1] < assay_item.global[1])
        return;
    assay_item.id[1] = 0;
    ++assay_item.id[2];
}

/* Scalar arguments that are vectors, for clang. */
#ifdef __clang__
#define ASSAY_VECTORS(type, name)                                                                  \
    typedef type assay_##name##2 __attribute__((ext_vector_type(2)));                              \
    typedef type assay_##name##3 __attribute__((ext_vector_type(3)));                              \
    typedef type assay_##name##4 __attribute__((ext_vector_type(4)));                              \
    typedef type assay_##name##8 __attribute__((ext_vector_type(8)));                              \
    typedef type assay_##name##16 __attribute__((ext_vector_type(16)));
ASSAY_VECTORS(char, char)
ASSAY_VECTORS(unsigned char, uchar)
ASSAY_VECTORS(short, short)
ASSAY_VECTORS(unsigned short, ushort)
ASSAY_VECTORS(int, int)
ASSAY_VECTORS(unsigned, uint)
ASSAY_VECTORS(long, long)
ASSAY_VECTORS(unsigned long, ulong)
ASSAY_VECTORS(float, float)
ASSAY_VECTORS(double, double)
#undef ASSAY_VECTORS
#endif

#endif
