/* The folder of a campaign: whose it is, and its place for temporary files. */
#include "campaign/campaign.h"
#include "campaign/trust.h"
#include "store/fixture.h"

#include <sys/stat.h>
#include <unistd.h>

static char top[PATH_MAX / 2];
static struct arena arena;

static const char *in(const char *name)
{
    return arena_printf(&arena, "%s/%s", top, name);
}

static void put(const char *name, const char *text)
{
    struct error e = {0};
    must(fs_write(in(name), text, strlen(text), &e), &e);
}

static const char *text_of(const char *name)
{
    struct strbuf text;
    strbuf_init(&text, 0);
    const char *out = fs_read(in(name), &text, NULL) ? "" : arena_strdup(&arena, text.s);
    strbuf_release(&text);
    return out;
}

static int lines_of(const char *name)
{
    int n = 0;
    for (const char *p = text_of(name); *p; p++)
        n += *p == '\n';
    return n;
}

/* A folder with a campaign in it. */
static const char *folder(const char *name)
{
    struct error e = {0};
    struct store *s;
    const char *dir = in(name);
    must(fs_make_dirs(dir, &e), &e);
    must(store_open(arena_printf(&arena, "%s/assay.db", dir), STORE_WRITE, &s, &e), &e);
    store_close(s);
    return dir;
}

/* -- whose it is ------------------------------------------------------------------------------- */

static void test_trust(void)
{
    struct error e = {0};
    setenv("XDG_STATE_HOME", in("state"), 1);
    must(fs_make_dirs(in("new"), &e), &e);
    ok(!campaign_is_trusted(in("new")), "a folder without a database is nobody's");
    is_int(campaign_need_trust(in("new"), false, &e), 0, "  and may be used");
    ok(!campaign_is_trusted(in("new")), "  which makes it nobody's");
    is_int(campaign_begin_folder(in("new"), &e), 0, "a campaign begins there");
    ok(campaign_is_trusted(in("new")), "  from then on it is ours");
    is_int(lines_of("state/assay/folders"), 1, "  by a line");
    is_int(campaign_begin_folder(in("new"), &e), 0, "killed, and begun again");
    is_int(lines_of("state/assay/folders"), 1, "  by no other");
    folder("new");
    is_int(campaign_begin_folder(in("new"), &e), 0, "it goes on");
    is_int(campaign_need_trust(in("new"), false, &e), 0, "  and may be used");
    is_int(lines_of("state/assay/folders"), 1, "  by no other line");

    const char *received = folder("received");
    ok(!campaign_is_trusted(received), "one with a database that nobody noted");
    is_int(campaign_begin_folder(received, &e), 0, "  where a campaign goes on");
    ok(!campaign_is_trusted(received), "  is not ours for that");
    is_int(campaign_need_trust(received, false, &e), -1, "  and may not be used");
    ok(e.kind == ERROR_USAGE && strstr(e.message, "this campaign was not made here by you"),
       "  which is told");
    is_int(campaign_need_trust(received, true, &e), 0, "  unless the user says so");
    ok(campaign_is_trusted(received), "  which is noted");
    is_int(lines_of("state/assay/folders"), 2, "  beside the other");
    ok(campaign_is_trusted(in("new")), "  which is still ours");
    is_int(campaign_need_trust(received, false, &e), 0, "  from then on without a word");
    put("received/other", "x");
    must(rename(in("received"), in("moved")), &e);
    ok(campaign_is_trusted(in("moved")), "a folder may be moved");
    must(fs_make_dirs(in("bad"), &e), &e);
    put("bad/assay.db", "garbage");
    is_int(campaign_need_trust(in("bad"), false, &e), -1, "a database that is none");
    ok(!strstr(e.message, "--trust"), "  has a sentence of its own: %s", e.message);
    put("bad/assay.db", "g");
    is_int(campaign_need_trust(in("bad"), false, &e), -1, "  of one byte, too");
    must(fs_make_dirs(in("begun"), &e), &e);
    put("begun/assay.db", "");
    is_int(campaign_need_trust(in("begun"), false, &e), 0, "one that is empty may be used");
    is_int(campaign_begin_folder(in("begun"), &e), 0, "  for a campaign");
    ok(campaign_is_trusted(in("begun")), "  which is ours");
    must(fs_make_dirs(in("link"), &e), &e);
    must(symlink("../new/assay.db", in("link/assay.db")), &e);
    ok(!campaign_is_trusted(in("link")), "a link to one that is ours");
    must(fs_make_dirs(in("dangling"), &e), &e);
    must(symlink(in("elsewhere"), in("dangling/assay.db")), &e);
    is_int(campaign_begin_folder(in("dangling"), &e), 0, "a link to nothing");
    ok(!fs_exists(in("elsewhere")), "  is not followed");
    must(fs_make_dirs(in("a\tb"), &e), &e);
    is_int(campaign_begin_folder(in("a\tb"), &e), 0, "a name of two words");
    ok(campaign_is_trusted(in("a\tb")) && strstr(text_of("state/assay/folders"), "/a?b\n"),
       "  in one line");
    is_int(campaign_trust(in("nowhere"), &e), 0, "what is not there needs no note");
    is_int(lines_of("state/assay/folders"), 4, "  and has none");
}

static void test_notes(void)
{
    struct error e = {0};
    const char *dir = folder("noted");
    setenv("XDG_STATE_HOME", "relative", 1);
    setenv("HOME", in("home"), 1);
    is_int(campaign_trust(dir, &e), 0, "noted at home");
    is_int(lines_of("home/.local/state/assay/folders"), 1, "  in the usual place");
    ok(campaign_is_trusted(dir), "  and found there");
    unsetenv("XDG_STATE_HOME");
    ok(campaign_is_trusted(dir), "  also where no other place was named");
    setenv("HOME", "relative", 1);
    ok(!campaign_is_trusted(dir), "without a home");
    is_int(campaign_trust(dir, &e), -1, "  nothing can be noted");
    has_str(e.message, "set HOME or XDG_STATE_HOME", "  which is told");
    unsetenv("HOME");
    is_int(campaign_trust(dir, &e), -1, "  at all");
    is_int(campaign_need_trust(dir, true, &e), 0, "  though the word of the user counts");
    put("file", "x");
    setenv("XDG_STATE_HOME", in("file"), 1);
    is_int(campaign_trust(dir, &e), -1, "a place that is none");
    must(fs_make_dirs(in("odd/assay/folders"), &e), &e);
    setenv("XDG_STATE_HOME", in("odd"), 1);
    is_int(campaign_trust(dir, &e), -1, "a file that is a folder");
    has_str(e.message, "cannot be written", "  is told");
    is_int(campaign_begin_folder(in("home"), &e), -1, "nor can a new folder be noted there");
    char *long_one = arena_alloc(&arena, PATH_MAX + 2);
    memset(long_one, 'x', PATH_MAX);
    long_one[0] = '/';
    long_one[PATH_MAX] = '\0';
    setenv("XDG_STATE_HOME", long_one, 1);
    is_int(campaign_trust(dir, &e), -1, "a place with too long a name");
    setenv("XDG_STATE_HOME", in("state"), 1);
}

/* -- what is in it ----------------------------------------------------------------------------- */

static void test_enter(void)
{
    struct campaign_folder f;
    struct error e = {0};
    char path[PATH_MAX];
    campaign_db_path("/x", path, sizeof path);
    is_str(path, "/x/assay.db", "the database");
    setenv("TMPDIR", "/before", 1);
    must(fs_make_dirs(in("c/work/old"), &e), &e);
    put("c/assay.db", "");
    is_int(campaign_enter(in("c"), &f, &e), 0, "in a folder");
    ok(f.lock >= 0 && fs_exists(in("c/assay.lock")), "  alone");
    is_str(getenv("TMPDIR"), f.work, "  temporary files have a place there");
    ok(fs_exists(f.work) && !fs_exists(in("c/work/old")), "  an empty one");
    campaign_leave(&f);
    ok(!fs_exists(in("c/work")), "  which goes");
    is_str(getenv("TMPDIR"), "/before", "  and all is as it was");
    unsetenv("TMPDIR");
    is_int(campaign_enter(in("c"), &f, &e), 0, "again");
    campaign_leave(&f);
    ok(!getenv("TMPDIR"), "  and all is as it was");
    is_int(campaign_enter(in("new-one"), &f, &e), 0, "in a new one");
    ok(fs_exists(in("new-one/assay.lock")), "  which is made");
    campaign_leave(&f);
    ok(!fs_exists(in("new-one")), "  and goes when no campaign began in it");
    must(fs_make_dirs(in("empty"), &e), &e);
    is_int(campaign_enter(in("empty"), &f, &e), 0, "one that was there");
    campaign_leave(&f);
    ok(fs_exists(in("empty")) && !fs_exists(in("empty/assay.lock")), "  stays, as it was");
    put("no-folder", "x");
    is_int(campaign_enter(in("no-folder"), &f, &e), -1, "a file");
    campaign_leave(&f);
    must(fs_make_dirs(in("d/assay.lock"), &e), &e);
    is_int(campaign_enter(in("d"), &f, &e), -1, "one that cannot be locked");
    has_str(e.message, "the folder cannot be written", "  is told");
    ok(f.lock < 0, "  and not held");
    campaign_leave(&f);
    ok(!getenv("TMPDIR"), "  nothing has changed");
}

int main(void)
{
    struct error e = {0};
    int files = tap_open_files();
    arena_init(&arena);
    must(fs_make_temp_dir("assay-test", top, sizeof top, &e), &e);
    test_trust();
    test_notes();
    test_enter();
    fs_remove_tree(top);
    arena_release(&arena);
    is_int(tap_open_files(), files, "no file is left open");
    return tap_done();
}
