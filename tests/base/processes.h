/* Looking through /proc for processes that should be gone. */
#ifndef ASSAY_TESTS_PROCESSES_H
#define ASSAY_TESTS_PROCESSES_H

#include "base/fs.h"

#include <dirent.h>

/* Is there a process with this text among its arguments? */
static bool process_running(const char *mark)
{
    struct strbuf line;
    bool found = false;
    DIR *proc = opendir("/proc");
    strbuf_init(&line, 65536);
    for (struct dirent *entry; proc && !found && (entry = readdir(proc));) {
        char path[300];
        snprintf(path, sizeof path, "/proc/%s/cmdline", entry->d_name);
        strbuf_clear(&line);
        if (*entry->d_name >= '1' && *entry->d_name <= '9' && !fs_read(path, &line, NULL))
            found = memmem(line.s, line.n, mark, strlen(mark)) != NULL;
    }
    if (proc)
        closedir(proc);
    strbuf_release(&line);
    return found;
}

#endif
