#include "program/testbed.h"

#include <string.h>

static const char *end_of_root(const char *path)
{
    return strstr(path, "//");
}

const char *testbed_inside(const char *path)
{
    const char *end = end_of_root(path);
    return end ? end + 1 : path;
}

const char *testbed_root(const char *path, struct arena *a)
{
    const char *end = end_of_root(path);
    return end ? arena_memdup(a, path, (size_t)(end - path)) : NULL;
}

bool testbed_optimises(const char *flags)
{
    const char *level = flags;
    if (!strcmp(flags, "random"))
        return true;
    while ((level = strstr(level, "-O")) != NULL && level[2] == '0')
        level += 2;
    return level != NULL;
}
