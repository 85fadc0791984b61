#include "campaign/trust.h"
#include "base/fs.h"
#include "campaign/campaign.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sys/stat.h>
#include <unistd.h>

/* The notes: a line for each folder, `inode birth path`. The path is for people, and stands for the
 * time of birth where a file system has none. Lines are only ever added: a folder that is gone
 * never comes back with the same inode and birth. */
static bool notes_path(char *out, size_t size)
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    int n = state && *state == '/' ? snprintf(out, size, "%s/assay/folders", state)
            : home && *home == '/' ? snprintf(out, size, "%s/.local/state/assay/folders", home)
                                   : -1;
    return n > 0 && (size_t)n < size;
}

/* The line of this folder; false where there is no database in it. */
static bool line_of(const char *dir, struct strbuf *out)
{
    char path[PATH_MAX], real[PATH_MAX];
    struct statx st;
    campaign_db_path(dir, path, sizeof path);
    if (!realpath(dir, real) ||
        statx(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, STATX_INO | STATX_BTIME | STATX_TYPE, &st) ||
        !S_ISREG(st.stx_mode))
        return false;
    bool born = st.stx_mask & STATX_BTIME;
    strbuf_addf(out, "%" PRIu64 " %" PRId64 ".%09" PRIu32 " ", (uint64_t)st.stx_ino,
                born ? (int64_t)st.stx_btime.tv_sec : 0, born ? st.stx_btime.tv_nsec : 0);
    for (const char *at = real; *at; at++)
        strbuf_addc(out, (unsigned char)*at < ' ' ? '?' : *at);
    strbuf_addc(out, '\n');
    return true;
}

/* Up to where two lines must be the same: a folder may be moved. */
static size_t key_length(const char *line)
{
    const char *birth = strchr(line, ' ') + 1;
    const char *path = strchr(birth, ' ') + 1;
    bool born = strncmp(birth, "0.", 2) != 0;
    return born ? (size_t)(path - line) : strlen(line);
}

static bool is_noted(const char *notes, const char *line)
{
    size_t n = key_length(line);
    for (const char *at = notes; *at; at += strcspn(at, "\n") + (at[strcspn(at, "\n")] == '\n'))
        if (!strncmp(at, line, n))
            return true;
    return false;
}

bool campaign_is_trusted(const char *dir)
{
    char path[PATH_MAX];
    struct strbuf line, notes;
    strbuf_init(&line, 0);
    strbuf_init(&notes, 0);
    bool trusted = notes_path(path, sizeof path) && line_of(dir, &line) &&
                   !fs_read(path, &notes, NULL) && is_noted(notes.s, line.s);
    strbuf_release(&line);
    strbuf_release(&notes);
    return trusted;
}

/* One write at the end of the file: several may do it at once. */
static int append(const char *path, const struct strbuf *line, struct error *e)
{
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(path, '/') - path), path);
    if (fs_make_dirs(folder, e))
        return -1;
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    ssize_t n = fd < 0 ? -1 : write(fd, line->s, line->n);
    int failed = errno;
    if (fd >= 0)
        close(fd);
    return n == (ssize_t)line->n
               ? 0
               : error_at(e, ERROR_ENVIRONMENT, path, 0, "cannot be written: %s", strerror(failed));
}

int campaign_trust(const char *dir, struct error *e)
{
    char path[PATH_MAX];
    struct strbuf line;
    if (campaign_is_trusted(dir))
        return 0;
    if (!notes_path(path, sizeof path))
        return error_set(e, ERROR_ENVIRONMENT,
                         "cannot record that %s is yours: set HOME or XDG_STATE_HOME", dir);
    strbuf_init(&line, 0);
    int status = line_of(dir, &line) ? append(path, &line, e) : 0;
    strbuf_release(&line);
    return status;
}

/* SQLite takes nothing from a log beside an empty file. */
static bool is_new(const char *path)
{
    struct stat st;
    return stat(path, &st) || st.st_size == 0;
}

int campaign_begin_folder(const char *dir, struct error *e)
{
    char path[PATH_MAX];
    campaign_db_path(dir, path, sizeof path);
    if (!is_new(path))
        return 0;
    int fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0644);
    if (fd < 0)
        return 0; /* whoever opens the database says why */
    close(fd);
    return campaign_trust(dir, e);
}

int campaign_need_trust(const char *dir, bool trust, struct error *e)
{
    char path[PATH_MAX];
    campaign_db_path(dir, path, sizeof path);
    if (!store_is_url(path) && (is_new(path) || campaign_is_trusted(dir)))
        return 0;
    if (trust) {
        campaign_trust(dir, NULL); /* else it must be said again the next time */
        return 0;
    }
    struct store *store; /* what is no campaign at all has a sentence of its own */
    if (store_open(path, STORE_READ, &store, e))
        return -1;
    store_close(store);
    struct strbuf name;
    strbuf_init(&name, 0);
    store_show_path(dir, &name);
    error_at(
        e, ERROR_USAGE, name.s, 0,
        "this campaign was not made here by you, and the commands that it names could do anything: "
        "bugs, show and report only read it; pass --trust if you trust its author");
    strbuf_release(&name);
    return -1;
}
