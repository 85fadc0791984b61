#include "cc/library.h"

#include <string.h>

const char *const cc_library_name[CC_N_LIBRARY] = {[CC_LIB_NONE] = "",
#define X(id, name, kind) [CC_LIB_##id] = name,
                                                   CC_LIBRARY_TABLE(X)
#undef X
};
const enum cc_library_kind cc_library_kind[CC_N_LIBRARY] = {
#define X(id, name, kind) [CC_LIB_##id] = CC_LIB_##kind,
    CC_LIBRARY_TABLE(X)
#undef X
};

enum cc_library cc_library_named(const char *name)
{
    if (strncmp(name, "__builtin_", 10) == 0)
        name += 10;
    for (int i = 1; i < CC_N_LIBRARY; i++)
        if (strcmp(cc_library_name[i], name) == 0)
            return (enum cc_library)i;
    return CC_LIB_NONE;
}
