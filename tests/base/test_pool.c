/* Jobs side by side: what they say arrives, whoever ends first; a job that dies says nothing; one
 * that is dropped stops, and so does what it has started. */
#include "base/arena.h"
#include "base/child.h"
#include "base/fs.h"
#include "base/pool.h"
#include "tap.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

enum { LONG_MS = 60000, BIG = 1 << 20 };

struct order {
    int pipe[2]; /* job 0 waits for a byte in it */
};

static void speak(void *of, int slot, const volatile int *stop, struct strbuf *out)
{
    struct order *o = of;
    char byte;
    (void)stop;
    if (slot == 0)
        (void)!read(o->pipe[0], &byte, 1);
    strbuf_addf(out, "job %d", slot);
}

static void speak_much(void *of, int slot, const volatile int *stop, struct strbuf *out)
{
    (void)of;
    (void)slot;
    (void)stop;
    for (int i = 0; i < BIG; i++) /* more than a pipe holds */
        strbuf_addc(out, (char)('a' + i % 26));
}

static void die(void *of, int slot, const volatile int *stop, struct strbuf *out)
{
    (void)of;
    (void)slot;
    (void)stop;
    strbuf_adds(out, "not heard");
    raise(SIGKILL);
}

/* Starts a shell that starts a sleep, and waits for it. */
static void start_daemon(void *of, int slot, const volatile int *stop, struct strbuf *out)
{
    const char *path = of;
    const char *argv[] = {"sh", "-c", "sleep 1000 & echo $! >\"$0\"; wait", path, NULL};
    struct child_spec spec = {.argv = argv, .limits = {.wall_ms = LONG_MS}, .stop = stop};
    struct child_result result;
    (void)slot;
    child_result_init(&result, 100, 100);
    child_run(&spec, &result, NULL);
    strbuf_addf(out, "%s", child_end_name[result.end]);
    child_result_release(&result);
}

static void test_order(void)
{
    struct pool p;
    struct order o;
    struct strbuf said;
    struct error e = {0};
    int slot = -1;
    strbuf_init(&said, 0);
    pool_init(&p, 2);
    ok(!pipe(o.pipe), "a pipe");
    ok(!pool_begin(&p, 0, speak, &o, &e) && !pool_begin(&p, 1, speak, &o, &e), "two jobs begin");
    ok(!pool_end(&p, LONG_MS, NULL, &slot, &said, &e) && slot == 1 && !strcmp(said.s, "job 1"),
       "the second is heard first");
    ok(pool_end(&p, 10, NULL, &slot, &said, &e) == 1, "the first has not ended");
    ok(!pool_begin(&p, 1, speak_much, &o, &e), "its slot is free again");
    ok(!pool_end(&p, LONG_MS, NULL, &slot, &said, &e) && slot == 1 && said.n == BIG &&
           said.s[BIG - 1] == 'a' + (BIG - 1) % 26,
       "a long answer arrives whole");
    ok(write(o.pipe[1], "x", 1) == 1, "now the first may end");
    ok(!pool_end(&p, LONG_MS, NULL, &slot, &said, &e) && slot == 0 && !strcmp(said.s, "job 0"),
       "and is heard");
    pool_release(&p);
    strbuf_release(&said);
}

static void test_ends(void)
{
    struct pool p;
    struct strbuf said;
    struct error e = {0};
    volatile int stop = 1;
    int slot = -1;
    strbuf_init(&said, 0);
    pool_init(&p, 1);
    ok(!pool_begin(&p, 0, die, NULL, &e) && !pool_end(&p, LONG_MS, NULL, &slot, &said, &e) &&
           slot == 0 && said.n == 0,
       "a job that dies says nothing");
    ok(pool_end(&p, LONG_MS, &stop, &slot, &said, &e) == -1 && e.kind == ERROR_NONE,
       "who is stopped does not wait");
    pool_release(&p);
    strbuf_release(&said);
}

/* The pid that is in the file, as soon as it is there. */
static pid_t daemon_pid(const char *path)
{
    struct strbuf text;
    strbuf_init(&text, 0);
    for (int i = 0; i < 6000 && text.n < 2; i++) {
        strbuf_clear(&text);
        if (fs_exists(path))
            fs_read(path, &text, NULL);
        usleep(10000);
    }
    pid_t pid = (pid_t)strtol(text.s, NULL, 10);
    strbuf_release(&text);
    return pid;
}

static void test_drop(void)
{
    struct pool p;
    struct error e = {0};
    char dir[256], path[300];
    pool_init(&p, 1);
    ok(!fs_make_temp_dir("pool", dir, sizeof dir, &e), "a folder");
    snprintf(path, sizeof path, "%s/pid", dir);
    ok(!pool_begin(&p, 0, start_daemon, path, &e), "a job that starts something");
    pid_t pid = daemon_pid(path);
    ok(pid > 1 && kill(pid, 0) == 0, "which is there");
    pool_drop(&p, 0);
    ok(kill(pid, 0) < 0 && errno == ESRCH, "and gone when the job is dropped");
    ok(p.slots[0].pid == 0, "the slot is free");
    pool_drop(&p, 0); /* nothing to drop */
    fs_remove_tree(dir);
    pool_release(&p);
}

int main(void)
{
    test_order();
    test_ends();
    test_drop();
    return tap_done();
}
