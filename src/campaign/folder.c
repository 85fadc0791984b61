/* The campaign's folder: who may work in it, and where its files are. */
#include "base/fs.h"
#include "base/text.h"
#include "campaign/campaign.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LOCK_WAIT_MS = 3000 };

void campaign_db_path(const char *dir, char *out, size_t out_size)
{
    snprintf(out, out_size, store_is_url(dir) ? "%s" : "%s/assay.db", dir);
}

/* Is it still the file of that name? Who leaves a folder without a campaign takes it away. */
static bool is_there(int lock, const char *path)
{
    struct stat ours, there;
    return !fstat(lock, &ours) && !stat(path, &there) && ours.st_dev == there.st_dev &&
           ours.st_ino == there.st_ino;
}

/* The lock goes with the last process that holds it, workers included, so a new supervisor never
 * meets the workers of a dead one. */
static int take_lock(const char *dir, int *lock, struct error *e)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/assay.lock", dir);
    /* The workers of a supervisor that was just killed need a moment to be gone. */
    for (int64_t until = clock_ms() + LOCK_WAIT_MS;;) {
        if (*lock < 0)
            *lock = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0644);
        if (*lock < 0)
            return error_at(e, ERROR_ENVIRONMENT, dir, 0,
                            "the folder cannot be written: %s (choose another with --dir)",
                            strerror(errno));
        bool taken = !flock(*lock, LOCK_EX | LOCK_NB);
        if (taken && is_there(*lock, path))
            return 0;
        if ((!taken && errno != EWOULDBLOCK) || clock_ms() > until)
            return error_at(
                e, ERROR_ENVIRONMENT, dir, 0,
                "another `assay run` is running in this folder: wait for it, or use another --dir");
        if (taken) {
            close(*lock);
            *lock = -1;
        } else {
            poll(NULL, 0, 50);
        }
    }
}

static int make_work_folder(const char *dir, struct campaign_folder *f, struct error *e)
{
    char real[PATH_MAX];
    if (!realpath(dir, real) ||
        (size_t)snprintf(f->work, sizeof f->work, "%s/work", real) >= sizeof f->work)
        return error_at(e, ERROR_ENVIRONMENT, dir, 0, "cannot be used: %s", strerror(errno));
    fs_remove_tree(f->work);
    if (fs_make_dirs(f->work, e))
        return -1;
    setenv("TMPDIR", f->work, 1);
    return 0;
}

static int refuse_server(const char *url, struct error *e)
{
    struct strbuf name;
    strbuf_init(&name, 0);
    store_show_path(url, &name);
    error_set(e, ERROR_USAGE,
              "%s: programs are run for a campaign in a folder: `assay store copy` makes one of it",
              name.s);
    strbuf_release(&name);
    return -1;
}

int campaign_enter(const char *dir, struct campaign_folder *f, struct error *e)
{
    const char *before = getenv("TMPDIR");
    *f = (struct campaign_folder){.lock = -1, .made = !fs_exists(dir)};
    text_copy(f->before, sizeof f->before, before ? before : "");
    if (store_is_url(dir))
        return refuse_server(dir, e);
    if (fs_make_dirs(dir, e) || take_lock(dir, &f->lock, e))
        return -1;
    return make_work_folder(dir, f, e);
}

/* Where no campaign began, as after a misspelling, nothing is left behind. */
static void leave_no_trace(const struct campaign_folder *f)
{
    char dir[PATH_MAX], path[PATH_MAX + 16];
    text_copy(dir, sizeof dir, f->work);
    *strrchr(dir, '/') = '\0';
    campaign_db_path(dir, path, sizeof path);
    if (fs_exists(path))
        return;
    snprintf(path, sizeof path, "%s/assay.lock", dir);
    unlink(path);
    if (f->made)
        rmdir(dir);
}

void campaign_leave(struct campaign_folder *f)
{
    if (f->work[0]) {
        fs_remove_tree(f->work);
        leave_no_trace(f);
        if (f->before[0])
            setenv("TMPDIR", f->before, 1);
        else
            unsetenv("TMPDIR");
    }
    if (f->lock >= 0)
        close(f->lock);
}
