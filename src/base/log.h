/* What the program did, for reading afterwards: lines with a time, appended to a file.
 *
 * Each line is one write to a file opened for appending, so that the lines of several processes
 * never mix. Only `cli` and `campaign` log; a library fills a struct error and returns. A log that
 * cannot be written is no reason to stop: lines are then dropped. */
#ifndef ASSAY_BASE_LOG_H
#define ASSAY_BASE_LOG_H

enum log_level { LOG_ERROR, LOG_NOTE, LOG_DETAIL };

struct log {
    int fd;               /* -1: closed, lines are dropped */
    enum log_level level; /* lines above it are dropped */
    char who[32];         /* "supervisor", "worker 1" */
};

void log_open(struct log *l, const char *path, enum log_level level, const char *who);
void log_close(struct log *l);
void log_line(struct log *l, enum log_level level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
