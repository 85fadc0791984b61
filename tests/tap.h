/* Our test harness: the Test Anything Protocol, in one header.
 *
 *     int main(void) { ok(1 + 1 == 2, "addition"); is_str(name, "gcc", "its name"); return
 * tap_done(); }
 *
 * A test file is a program; Meson reads its output. State is static because each test program has
 * just one. A failed check prints where it stands and what it got, and the run goes on. */
#ifndef ASSAY_TESTS_TAP_H
#define ASSAY_TESTS_TAP_H

#include <dirent.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int tap_count, tap_failed;

/* How much of something is tried: little in the gate, all in the slow suite (AT_LENGTH). */
__attribute__((unused)) static int tap_amount(int quick, int full)
{
    return getenv("AT_LENGTH") ? full : quick;
}

__attribute__((format(printf, 4, 5), unused)) static bool
tap_check(bool good, const char *file, int line, const char *format, ...)
{
    va_list args;
    char name[1000];
    va_start(args, format);
    tap_count++;
    tap_failed += !good;
    vsnprintf(name, sizeof name, format, args);
    for (char *c = name; *c; c++)
        if (*c == '\n') /* a check is a line */
            *c = ' ';
    printf("%sok %d - %s\n", good ? "" : "not ", tap_count, name);
    if (!good)
        printf("# failed at %s:%d\n", file, line);
    fflush(stdout);
    va_end(args);
    return good;
}

/* A text of any number of lines, each as a comment. */
__attribute__((unused)) static void tap_note(const char *title, const char *text)
{
    printf("# %s\n", title);
    for (int lines = 0; text && *text && lines < 20; lines++) {
        size_t n = strcspn(text, "\n");
        printf("#   %.*s\n", (int)n, text);
        text += n + (text[n] == '\n');
    }
}

#define ok(condition, ...) tap_check((condition), __FILE__, __LINE__, __VA_ARGS__)

#define is_int(got, wanted, ...)                                                                   \
    do {                                                                                           \
        long long tap_got_ = (long long)(got), tap_wanted_ = (long long)(wanted);                  \
        if (!tap_check(tap_got_ == tap_wanted_, __FILE__, __LINE__, __VA_ARGS__))                  \
            printf("# got %lld, wanted %lld\n", tap_got_, tap_wanted_);                            \
    } while (0)

#define is_str(got, wanted, ...)                                                                   \
    do {                                                                                           \
        const char *tap_got_ = (got), *tap_wanted_ = (wanted);                                     \
        bool tap_same_ = tap_got_ && tap_wanted_ && !strcmp(tap_got_, tap_wanted_);                \
        if (!tap_check(tap_same_ || (!tap_got_ && !tap_wanted_), __FILE__, __LINE__,               \
                       __VA_ARGS__)) {                                                             \
            tap_note("got", tap_got_);                                                             \
            tap_note("wanted", tap_wanted_);                                                       \
        }                                                                                          \
    } while (0)

/* The text contains the part. */
#define has_str(text, part, ...)                                                                   \
    do {                                                                                           \
        const char *tap_text_ = (text), *tap_part_ = (part);                                       \
        if (!tap_check(tap_text_ && strstr(tap_text_, tap_part_), __FILE__, __LINE__,              \
                       __VA_ARGS__)) {                                                             \
            tap_note("missing", tap_part_);                                                        \
            tap_note("in", tap_text_);                                                             \
        }                                                                                          \
    } while (0)

__attribute__((unused)) static void tap_skip(const char *what, const char *why)
{
    printf("ok %d - %s # SKIP %s\n", ++tap_count, what, why);
    fflush(stdout);
}

/* Files that this process has open: as many at the end of a test as at its beginning. */
__attribute__((unused)) static int tap_open_files(void)
{
    int n = 0;
    DIR *d = opendir("/proc/self/fd");
    while (d && readdir(d))
        n++;
    if (d)
        closedir(d);
    return n;
}

__attribute__((unused)) static int tap_done(void)
{
    printf("1..%d\n", tap_count);
    return tap_failed ? 1 : 0;
}

#endif
