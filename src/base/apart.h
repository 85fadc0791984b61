/* fork, with namespaces around the child where the system allows them.
 *
 * The child is pid 1 of a pid namespace of its own: when it ends or is killed, the kernel ends
 * everything that was started below it, however well that hid. As root this is always possible;
 * else inside a user namespace that maps us to ourselves, which not every system allows. */
#ifndef ASSAY_BASE_APART_H
#define ASSAY_BASE_APART_H

#include <stdbool.h>
#include <sys/types.h>

/* As fork. `*apart` says whether the child is in namespaces: pid, mount, and those of the flags
 * `more` (CLONE_NEWNET, ...). */
pid_t apart_fork(long more, bool *apart);

/* In such a child, so that it recognises its own descendants: the /proc of its namespace. */
void apart_mount_proc(void);

#endif
