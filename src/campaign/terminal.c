#include "campaign/terminal.h"
#include "base/fs.h"
#include "base/text.h"

#include <errno.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* The alternate screen; lines that do not wrap; no cursor. */
#define ENTER "\033[?1049h\033[?7l\033[?25l"
#define LEAVE "\033[?25h\033[?7h\033[?1049l"
#define HOME "\033[H"
#define ERASE_RIGHT "\033[K"
#define ERASE_BELOW "\033[J"

/* -- signals ----------------------------------------------------------------------------------- */

/* Those that end the process, but for the ones that the supervisor stops at by itself. */
static const int fatal[] = {SIGQUIT, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL};
enum { N_FATAL = sizeof fatal / sizeof *fatal };

static void on_fatal(int signal)
{
    fs_write_all(STDOUT_FILENO, LEAVE, strlen(LEAVE));
    raise(signal); /* as if nobody had caught it: see SA_RESETHAND */
}

/* Ctrl-Z: the shell has its screen meanwhile. The next frame fills ours again. */
static void on_suspend(int signal)
{
    int kept = errno;
    (void)signal;
    fs_write_all(STDOUT_FILENO, LEAVE, strlen(LEAVE));
    raise(SIGSTOP);
    fs_write_all(STDOUT_FILENO, ENTER, strlen(ENTER));
    errno = kept;
}

/* From one handler to another. Where there is yet another, as of a sanitizer, it stays. */
static void replace(int signal, void (*old)(int), void (*new)(int), int flags)
{
    struct sigaction now, action = {.sa_handler = new, .sa_flags = flags};
    sigemptyset(&action.sa_mask);
    if (!sigaction(signal, NULL, &now) && now.sa_handler == old)
        sigaction(signal, &action, NULL);
}

static void watch_signals(void)
{
    for (int i = 0; i < N_FATAL; i++)
        replace(fatal[i], SIG_DFL, on_fatal, (int)SA_RESETHAND);
    replace(SIGTSTP, SIG_DFL, on_suspend, SA_RESTART);
}

void terminal_forget(void)
{
    for (int i = 0; i < N_FATAL; i++)
        replace(fatal[i], on_fatal, SIG_DFL, 0);
    replace(SIGTSTP, on_suspend, SIG_DFL, 0);
}

/* -- frames ------------------------------------------------------------------------------------ */

void terminal_size(int *rows, int *columns)
{
    struct winsize w;
    *rows = 24;
    *columns = 80;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col) {
        *rows = w.ws_row ? w.ws_row : 24;
        *columns = w.ws_col;
    }
}

bool terminal_is_resized(const struct terminal *t)
{
    int rows, columns;
    terminal_size(&rows, &columns);
    return t->on && (rows != t->rows || columns != t->columns);
}

/* Cut ahead of the last column: to erase behind a character that stands there would erase it. */
static void add_line(struct strbuf *out, const struct line *l, int columns, bool colour)
{
    struct strbuf text;
    bool coloured = colour && *l->colour;
    strbuf_init(&text, 0);
    text_visible(&text, bytes_of(l->text));
    size_t n = text.n < (size_t)columns ? text.n : (size_t)columns - 1;
    while (n && n < text.n && (text.s[n] & 0xc0) == 0x80) /* not within a character */
        n--;
    strbuf_addf(out, "%s%.*s%s" ERASE_RIGHT, coloured ? l->colour : "", (int)n, text.s,
                coloured ? "\033[0m" : "");
    strbuf_release(&text);
}

void terminal_draw(struct terminal *t, const screen *lines, int rows, int columns)
{
    struct strbuf frame;
    strbuf_init(&frame, 0);
    if (!t->on) {
        watch_signals();
        strbuf_adds(&frame, ENTER);
    }
    strbuf_adds(&frame, HOME);
    for (size_t i = 0; i < lines->n && (int)i < rows; i++) {
        strbuf_adds(&frame, i ? "\r\n" : "");
        add_line(&frame, &lines->at[i], columns, t->colour);
    }
    strbuf_adds(&frame, ERASE_BELOW);
    fflush(stdout);
    fs_write_all(STDOUT_FILENO, frame.s, frame.n); /* that it is gone is seen by whoever prints */
    *t = (struct terminal){.on = true, .colour = t->colour, .rows = rows, .columns = columns};
    strbuf_release(&frame);
}

void terminal_off(struct terminal *t)
{
    if (!t->on)
        return;
    fflush(stdout);
    fs_write_all(STDOUT_FILENO, LEAVE, strlen(LEAVE));
    terminal_forget();
    t->on = false;
}

const char *terminal_shorten(struct arena *a, const char *text, int width)
{
    static const char gap[] = "..";
    size_t n = strlen(text), room = width > 0 ? (size_t)width : 0;
    if (n <= room)
        return text;
    if (room <= 2 * strlen(gap))
        return arena_printf(a, "%.*s", (int)room, text);
    size_t kept = room - strlen(gap), head = (kept + 1) / 2, tail = n - kept / 2;
    while (head && (text[head] & 0xc0) == 0x80) /* not within a character */
        head--;
    while (text[tail] && (text[tail] & 0xc0) == 0x80)
        tail++;
    return arena_printf(a, "%.*s%s%s", (int)head, text, gap, text + tail);
}
