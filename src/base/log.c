#include "base/log.h"
#include "base/strbuf.h"
#include "base/text.h"

#include <fcntl.h>
#include <unistd.h>

enum { LONGEST_LINE = 2000 };

void log_open(struct log *l, const char *path, enum log_level level, const char *who)
{
    /* a pipe that nobody reads is no log, and is not waited for */
    l->fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0644);
    l->level = level;
    text_copy(l->who, sizeof l->who, who);
}

void log_close(struct log *l)
{
    if (l->fd >= 0)
        close(l->fd);
    l->fd = -1;
}

void log_line(struct log *l, enum log_level level, const char *format, ...)
{
    if (l->fd < 0 || level > l->level)
        return;
    char when[32];
    struct timespec now;
    struct tm tm;
    clock_gettime(CLOCK_REALTIME, &now);
    localtime_r(&now.tv_sec, &tm);
    strftime(when, sizeof when, "%Y-%m-%d %H:%M:%S", &tm);
    struct strbuf line, said;
    va_list args;
    strbuf_init(&line, LONGEST_LINE);
    strbuf_addf(&line, "%s %s: %s", when, l->who, level == LOG_ERROR ? "error: " : "");
    va_start(args, format);
    strbuf_init(&said, LONGEST_LINE);
    strbuf_vaddf(&said, format, args);
    text_visible(&line, bytes_in(&said));
    strbuf_release(&said);
    va_end(args);
    for (size_t i = 0; i < line.n; i++) /* one line is one line */
        if (line.s[i] == '\n')
            line.s[i] = ' ';
    line.cap++;
    strbuf_addc(&line, '\n');
    (void)!write(l->fd, line.s, line.n);
    strbuf_release(&line);
}
