#include "base/log.h"
#include "base/fs.h"
#include "tap.h"

#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    char dir[256], path[300];
    struct error e;
    struct strbuf text;
    struct log l;
    strbuf_init(&text, 0);
    fs_make_temp_dir("assay-log", dir, sizeof dir, &e);
    snprintf(path, sizeof path, "%s/log", dir);
    log_open(&l, path, LOG_NOTE, "worker 1");
    log_line(&l, LOG_NOTE, "seed %d\nfound", 7);
    log_line(&l, LOG_DETAIL, "not wanted");
    log_line(&l, LOG_ERROR, "bad");
    log_line(&l, LOG_ERROR, "\x1b[2J\xff");
    fs_read(path, &text, &e);
    has_str(text.s, " worker 1: seed 7 found\n", "a line with its author, newlines taken out");
    has_str(text.s, " worker 1: error: bad\n", "errors are marked");
    has_str(text.s, " error: \\x1b[2J\\xff\n", "what a terminal would obey is told");
    ok(!strstr(text.s, "not wanted"), "what is above the level is dropped");
    ok(text.s[4] == '-' && text.s[13] == ':', "the time comes first");
    for (int i = 0; i < 4; i++) {
        if (fork() == 0) {
            for (int k = 0; k < 500; k++)
                log_line(&l, LOG_NOTE, "%d%d%d%d%d%d%d%d%d%d.", i, i, i, i, i, i, i, i, i, i);
            _exit(0);
        }
    }
    while (wait(NULL) > 0) {
    }
    strbuf_clear(&text);
    fs_read(path, &text, &e);
    int lines = 0, whole = 0;
    for (char *at = text.s, *end; (end = strchr(at, '\n')); at = end + 1) {
        lines++;
        whole += end - at > 11 && end[-1] == '.' && end[-2] == end[-11];
    }
    is_int(lines, 2003, "no line of four processes is lost");
    is_int(whole, 2000, "and none is mixed");
    log_close(&l);
    log_line(&l, LOG_ERROR, "nobody listens");
    log_open(&l, "/nonexistent/log", LOG_NOTE, "x");
    log_line(&l, LOG_ERROR, "nor here");
    ok(l.fd == -1, "a log that cannot be written drops its lines");
    fs_remove_tree(dir);
    strbuf_release(&text);
    return tap_done();
}
