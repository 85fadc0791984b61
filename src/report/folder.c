/* One folder per bug: all that a compiler developer needs, and nothing else to install.
 *
 *     reduced/  original/    the program, and what it was before its reduction
 *     repro.sh               needs a POSIX shell and the compiler; says whether the bug is there
 *     expected.txt seen.txt  what the program should do, and what it does
 *     report.md              the text for the bug tracker: see markdown.c
 *
 * repro.sh judges by the rules of the testbed: a failed build is a crash when the compiler died or
 * printed what its toolchain file knows as a crash; outputs are compared after the same filter. A
 * cost (time, memory) is bounded by half of what was seen. */
#include "base/fs.h"
#include "base/text.h"
#include "report/folder_internal.h"

#include <dirent.h>
#include <inttypes.h>
#include <unistd.h>
#include <limits.h>
#include <sys/stat.h>

/* "# text" on one line. */
static void add_comment(struct strbuf *out, const char *text)
{
    strbuf_adds(out, "# ");
    size_t from = out->n;
    text_visible(out, bytes_of(text));
    for (char *at = out->s + from; *at; at++)
        if (*at == '\n')
            *at = ' ';
    strbuf_addc(out, '\n');
}

/* The compiler is one of another system, and so is what it builds: the script begins anew in there,
 * with the folder of the bug, unless a compiler of this system is named. */
static void add_entrance(const char *path, struct strbuf *out)
{
    struct arena a;
    arena_init(&a);
    strbuf_adds(out, "if [ $# = 0 ]; then\n    root=");
    text_quote_shown(out, testbed_root(path, &a));
    strbuf_adds(
        out,
        "\n    [ -d \"$root\" ] || cannot \"there is no system $root; name a compiler: $0 "
        "COMPILER\"\n"
        "    unshare -rm true 2>/dev/null || cannot \"entering $root needs user namespaces\"\n"
        "    PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin exec unshare -rm sh -c '\n"
        "        mount --rbind /dev \"$1/dev\" && mount --rbind /proc \"$1/proc\" &&\n"
        "            mount -t tmpfs tmpfs \"$1/tmp\" && mkdir \"$1/tmp/bug\" &&\n"
        "            mount --bind \"$2\" \"$1/tmp/bug\" || exit 2\n"
        "        exec chroot \"$1\" /bin/sh \"/tmp/bug/$3\" \"$4\"\n"
        "    ' sh \"$root\" \"$(cd \"$(dirname \"$0\")\" && pwd)\" \"$(basename \"$0\")\" \"$cc\"\n"
        "fi\n");
    arena_release(&a);
}

static void add_head(const struct report_bug *b, struct strbuf *out)
{
    strbuf_adds(out, "#!/bin/sh\n");
    add_comment(out, b->title);
    strbuf_adds(out, "#\n#     repro.sh [COMPILER]\n#\n# Builds and runs reduced/ and prints what "
                     "is wrong. Exit status: 1 the bug is there, 0 it is\n# not, 2 undecided, for "
                     "example because the compiler is missing.\n");
    const char *path = b->bug.first->testbed->path, *inside = testbed_inside(path);
    strbuf_adds(out, "cc=${1:-");
    text_quote_shown(out, inside != path ? inside : *b->way.compiler ? b->way.compiler : path);
    strbuf_adds(out, "}\n"
                     "cannot() {\n    printf 'undecided: %s\\n' \"$1\" |\n"
                     "        LC_ALL=C tr -d '\\001-\\010\\013-\\037\\177'\n    exit 2\n}\n");
    if (inside != path)
        add_entrance(path, out);
    strbuf_adds(out, "case $cc in /*) ;; */*) cc=$PWD/$cc ;; esac\n"
                     "command -v \"$cc\" >/dev/null 2>&1 ||\n"
                     "    cannot \"there is no compiler $cc; name another: $0 COMPILER\"\n");
}

/* Lines of regular expressions as arguments of grep -E. */
static void add_patterns(struct strbuf *out, const char *patterns, const char *files)
{
    struct arena a;
    arena_init(&a);
    strbuf_adds(out, "grep -E -q");
    for (const char *at = patterns; *at;) {
        size_t n = strcspn(at, "\n");
        strbuf_adds(out, " -e ");
        text_quote_shown(out, arena_memdup(&a, at, n));
        at += n + (at[n] == '\n');
    }
    strbuf_addf(out, " %s", files);
    arena_release(&a);
}

static void add_build(const struct report_bug *b, struct strbuf *out)
{
    enum anomaly kind = b->finding->verdict.anomaly;
    int64_t cpu = report_of_build(kind) ? report_cpu_limit_s(b) : 0,
            memory = report_memory_limit_kb(b);
    strbuf_adds(out, "here=$(cd \"$(dirname \"$0\")\" && pwd) && work=$(mktemp -d) || exit 2\n"
                     "trap 'rm -rf \"$work\"' EXIT\ntrap 'exit 2' HUP INT TERM\n"
                     "cp \"$here\"/reduced/* \"$work\" && cd \"$work\" || exit 2\n"
                     "export LC_ALL=C\n\nbuild() {\n");
    for (const char *line = b->script; *line;) {
        size_t n = strcspn(line, "\n");
        strbuf_addf(out, "    %.*s || return\n", (int)n, line);
        line += n + (line[n] == '\n');
    }
    strbuf_adds(out, *b->script ? "}\n" : "    :\n}\n");
    strbuf_adds(out, "began=$(date +%s)\n(\n");
    if (cpu)
        strbuf_addf(out, "    ulimit -t %" PRId64 "\n", cpu);
    if (memory)
        strbuf_addf(out, "    ulimit -v %" PRId64 "\n", memory);
    strbuf_adds(out, "    build\n) >messages.txt 2>&1\nstatus=$?\n");
}

static void add_build_verdict(const struct report_bug *b, struct strbuf *out)
{
    switch (b->finding->verdict.anomaly) {
    case ANOMALY_BUILD_CRASH:
        strbuf_adds(out, "crashed() {\n    [ $status -ge 128 ]");
        if (*b->way.crash) {
            strbuf_adds(out, " || ");
            add_patterns(out, b->way.crash, "messages.txt");
        }
        if (b->way.silent_crash)
            strbuf_adds(out, " || [ ! -s messages.txt ]");
        if (!*b->way.crash && !b->way.silent_crash)
            strbuf_adds(out, " || [ $status != 0 ]");
        strbuf_adds(out, "\n}\n"
                         "[ $status = 0 ] && echo \"the bug is not there: the program is built\" "
                         "&& exit 0\n"
                         "if ! crashed; then\n    cat messages.txt\n"
                         "    cannot \"the compiler rejects the program, but does not crash\"\nfi\n"
                         "echo \"expected: the program is built\"\n"
                         "echo \"seen: the compiler crashes (exit status $status):\"\n");
        break;
    case ANOMALY_BUILD_HANG:
    case ANOMALY_SLOW_COMPILE:
        strbuf_adds(out, "[ $status = 0 ] && echo \"the bug is not there: built in time\" && "
                         "exit 0\n");
        /* Drivers report a killed compiler each in its own way: the clock tells. */
        strbuf_addf(out,
                    "if [ $(($(date +%%s) - began)) -lt %" PRId64 " ]; then\n    cat messages.txt\n"
                    "    cannot \"the compiler rejects the program in time\"\nfi\n",
                    report_cpu_limit_s(b) > 1 ? report_cpu_limit_s(b) - 1 : 0);
        strbuf_addf(out,
                    "echo \"expected: the program is built within %" PRId64 " s of CPU time\"\n"
                    "echo \"seen: the build is not done by then (exit status $status):\"\n",
                    report_cpu_limit_s(b));
        break;
    case ANOMALY_MEMORY:
        strbuf_addf(out,
                    "[ $status = 0 ] && echo \"the bug is not there: built\" && exit 0\n"
                    "echo \"expected: the program is built within %" PRId64 " MiB of memory\"\n"
                    "echo \"seen: that is not enough (exit status $status):\"\n",
                    report_memory_limit_kb(b) >> 10);
        break;
    default: /* ANOMALY_BUILD_FAIL */
        strbuf_adds(out, "[ $status = 0 ] && echo \"the bug is not there: the program is built\" "
                         "&& exit 0\n"
                         "echo \"expected: the program is built\"\n"
                         "echo \"seen: the compiler rejects it (exit status $status):\"\n");
    }
    strbuf_adds(out, "cat messages.txt\nexit 1\n");
}

static void add_run(const struct report_bug *b, struct strbuf *out)
{
    enum { LIMIT_S = 60 }; /* CPU time of a run that should end */
    int64_t limit = report_cpu_limit_s(b);
    strbuf_adds(out, "if [ $status != 0 ]; then\n    cat messages.txt\n"
                     "    cannot \"the program is not built (exit status $status)\"\nfi\n");
    strbuf_addf(out, "(\n    ulimit -t %" PRId64 "\n    %s\n) >output.txt 2>errors.txt %s\n",
                limit ? limit : LIMIT_S, b->way.script,
                strchr(b->way.script, '<') ? "" : "</dev/null");
    strbuf_adds(out, "status=$?\n");
    if (*b->way.normalise) {
        strbuf_adds(out, "sed -E -e ");
        text_quote_shown(out, b->way.normalise);
        strbuf_adds(out, " <output.txt >seen.txt\n");
    } else {
        strbuf_adds(out, "mv output.txt seen.txt\n");
    }
}

static void add_comparison(const struct report_bug *b, struct strbuf *out)
{
    if (!b->expected.data) {
        strbuf_adds(out,
                    "echo\necho \"seen (exit status $status):\"\ncat seen.txt\necho\n"
                    "cannot \"the correct output is not known: compare with another compiler\"\n");
        return;
    }
    strbuf_adds(out, "if cmp -s \"$here/expected.txt\" seen.txt");
    if (!b->way.ignore_status)
        strbuf_addf(out, " && [ $status = %d ]", b->expected_status);
    strbuf_addf(out,
                "; then\n    echo \"the bug is not there: the output is right\"\n    exit 0\nfi\n"
                "echo \"expected (exit status %d):\"\nhead -n 40 \"$here/expected.txt\"\n"
                "echo\necho \"seen (exit status $status):\"\nhead -n 40 seen.txt\necho\n"
                "[ ! -s errors.txt ] || head -n 40 errors.txt\nexit 1\n",
                b->expected_status);
}

static void add_run_verdict(const struct report_bug *b, struct strbuf *out)
{
    enum anomaly kind = b->finding->verdict.anomaly;
    add_run(b, out);
    if (kind == ANOMALY_RUN_CRASH) {
        strbuf_adds(out, "if [ $status -lt 128 ]");
        if (*b->way.run_crash) {
            strbuf_adds(out, " && ! ");
            add_patterns(out, b->way.run_crash, "seen.txt errors.txt");
        }
        strbuf_adds(out,
                    "; then\n    echo \"the bug is not there: the program ends by itself\"\n"
                    "    exit 0\nfi\necho \"expected: the program ends by itself\"\n"
                    "echo \"seen: it crashes (exit status $status)\"\ncat seen.txt errors.txt\n"
                    "exit 1\n");
    } else if (kind == ANOMALY_RUN_HANG) {
        /* killed for the limit: SIGXCPU or SIGKILL, whatever their numbers here */
        strbuf_addf(out,
                    "if [ $status -lt 128 ]; then\n    echo \"the bug is not there: the program "
                    "ends\"\n    exit 0\nfi\necho \"expected: the program ends\"\n"
                    "echo \"seen: it is still running after %" PRId64 " s of CPU time\"\nexit 1\n",
                    report_cpu_limit_s(b));
    } else {
        add_comparison(b, out);
    }
}

static void add_by_hand(const struct report_bug *b, struct strbuf *out)
{
    strbuf_adds(out, "cannot \"this needs more than a compiler (a server, a tracer): assay check "
                     "--testbeds '");
    struct strbuf name;
    strbuf_init(&name, 0);
    text_visible(&name, bytes_of(b->finding->testbed));
    for (const char *at = name.s; *at; at++) /* as `check` selects it */
        if (!strchr("'\"$`\\", *at))
            strbuf_addc(out, *at == ' ' && at == strchr(name.s, ' ') ? ':' : *at);
    strbuf_release(&name);
    strbuf_adds(out, "' $(dirname \"$0\")/reduced/*\"\n");
}

void folder_script(const struct report_bug *b, struct strbuf *out)
{
    add_head(b, out);
    if (b->way.by_hand || (!report_of_build(b->finding->verdict.anomaly) && !*b->way.run)) {
        add_by_hand(b, out);
        return;
    }
    add_build(b, out);
    strbuf_addc(out, '\n');
    if (report_of_build(b->finding->verdict.anomaly))
        add_build_verdict(b, out);
    else
        add_run_verdict(b, out);
}

/* -- files ------------------------------------------------------------------------------------- */

/* Reports were numbered once, 001-build-crash: such folders go, too. */
static bool is_numbered(const char *name)
{
    size_t digits = strspn(name, "0123456789");
    size_t rest = digits >= 3 && name[digits] == '-' ? strcspn(name + digits + 1, ".") : 0;
    for (int i = 1; rest && i < ANOMALY_COUNT; i++)
        if (rest == strlen(anomaly_name[i]) && !strncmp(name + digits + 1, anomaly_name[i], rest))
            return true;
    return false;
}

static bool is_ours(const char *name)
{
    return bug_is_name(name) || is_numbered(name);
}

/* What is written into the folder of a bug goes; what somebody has put beside it stays. */
static void clear_folder(const char *dir)
{
    static const char *const ours[] = {"reduced",      "original", "repro.sh",
                                       "expected.txt", "seen.txt", "report.md"};
    char path[PATH_MAX];
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++) {
        snprintf(path, sizeof path, "%s/%s", dir, ours[i]);
        fs_remove_tree(path);
        remove(path);
    }
    rmdir(dir);
}

static void clear(const char *dir, void (*folder)(const char *dir))
{
    DIR *all = opendir(dir);
    if (!all)
        return;
    struct dirent *entry;
    char path[PATH_MAX];
    while ((entry = readdir(all)) != NULL) {
        snprintf(path, sizeof path, "%s/%s", dir, entry->d_name);
        if (!strcmp(entry->d_name, "Inputs"))
            clear(path, fs_remove_tree); /* programs of a suite */
        else if (is_ours(entry->d_name) && fs_is_dir(path))
            folder(path);
        else if (is_ours(entry->d_name))
            remove(path);
    }
    closedir(all);
}

void report_clear(const char *dir)
{
    clear(dir, clear_folder);
}

static int write_program(const struct program *p, const char *dir, const char *name,
                         struct error *e)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    fs_remove_tree(path);
    return fs_make_dirs(path, e) || program_write(p, path, e) ? -1 : 0;
}

static int write_bytes(const char *dir, const char *name, struct bytes b, struct error *e)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    return fs_write(path, b.data, b.size, e);
}

static int write_script(const struct report_bug *b, const char *dir, struct error *e)
{
    struct strbuf script;
    char path[PATH_MAX];
    strbuf_init(&script, 0);
    folder_script(b, &script);
    snprintf(path, sizeof path, "%s/repro.sh", dir);
    int status = fs_write(path, script.s, script.n, e);
    if (!status)
        chmod(path, 0755); /* it can be run by sh anyhow */
    strbuf_release(&script);
    return status;
}

int report_folder(const struct report_data *d, const struct report_bug *b, const char *dir,
                  struct error *e)
{
    char path[PATH_MAX];
    struct strbuf markdown;
    struct arena a;
    (void)d;
    snprintf(path, sizeof path, "%s/%s", dir, b->bug.name);
    arena_init(&a);
    strbuf_init(&markdown, 0);
    folder_markdown(b, &markdown);
    int status =
        fs_make_dirs(path, e) || write_program(&b->reduced, path, "reduced", e) ||
        write_program(&b->original, path, "original", e) || write_script(b, path, e) ||
        write_bytes(path, "expected.txt",
                    b->expected.data ? b->expected : bytes_of(report_expected(b, &a)), e) ||
        write_bytes(path, "seen.txt", bytes_of(report_seen(b, &a)), e) ||
        write_bytes(path, "report.md", bytes_in(&markdown), e);
    strbuf_release(&markdown);
    arena_release(&a);
    return status ? -1 : 0;
}
