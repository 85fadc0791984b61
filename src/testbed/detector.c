#include "testbed/detector.h"
#include "base/text.h"
#include "program/undefined.h"

#include <ctype.h>
#include <elf.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

bool detector_is(const struct testbed *t)
{
    return (t->detects && *t->detects) || (t->may_detect && *t->may_detect);
}

bool detector_must(const struct testbed *t, const char *rule, const char *row)
{
    return undefined_listed(t->detects, rule, row) && !undefined_listed(t->may_detect, rule, row);
}

/* -- reports ----------------------------------------------------------------------------------- */

/* A line that the text names, "t.c:120", from here on; 0: none. */
static int place_in(const char *text, const char *file)
{
    size_t n = strlen(file);
    for (const char *at = text; (at = strstr(at, file)); at += n) {
        bool begins = at == text || !(isalnum((unsigned char)at[-1]) || at[-1] == '_');
        if (begins && at[n] == ':' && isdigit((unsigned char)at[n + 1]))
            return atoi(at + n + 1);
    }
    return 0;
}

struct report {
    const char *said; /* NULL: there is none */
    int line;
    const char *text;
};

/* The first report in a text; with `u`, the first that is about its rule and its statement. */
static struct report find_report(const struct testbed *t, const char *text, const char *file,
                                 const struct undefined *u, struct arena *a)
{
    for (const char *at = text; *at;) {
        size_t n = strcspn(at, "\n");
        const char *line = text_cut_lines(a, arena_memdup(a, at, n));
        for (int i = 0; i < t->n_report; i++) {
            if (regexec(&t->report[i].from.regex, line, 0, NULL, 0))
                continue;
            int place = place_in(at, file);
            if (!u || (place >= u->first && place <= u->last &&
                       undefined_stands_for(t->report[i].to, u->rule, u->row)))
                return (struct report){t->report[i].to, place, line};
        }
        at += n + (at[n] == '\n');
    }
    return (struct report){0};
}

static struct report report_of(const struct testbed *t, const struct runner *r,
                               const struct observation *o, const char *file,
                               const struct undefined *u, struct arena *a)
{
    if (!t->run)
        return find_report(t, o->messages, file, u, a);
    return find_report(t, arena_printf(a, "%s\n%s", r->child.err.s, r->child.out.s), file, NULL, a);
}

/* -- the site ---------------------------------------------------------------------------------- */

/* Where an address of the running program is in the file; NULL: nowhere. */
static unsigned char *at_address(unsigned char *image, size_t size, uint64_t address)
{
    const Elf64_Ehdr *head = (const Elf64_Ehdr *)image;
    bool good = size >= sizeof *head && !memcmp(image, ELFMAG, SELFMAG) &&
                head->e_ident[EI_CLASS] == ELFCLASS64 && head->e_phoff < size &&
                head->e_phoff % _Alignof(Elf64_Phdr) == 0 &&
                (uint64_t)head->e_phnum * sizeof(Elf64_Phdr) <= size - head->e_phoff;
    for (int i = 0; good && i < head->e_phnum; i++) {
        const Elf64_Phdr *part = (const Elf64_Phdr *)(image + head->e_phoff) + i;
        uint64_t in = address - part->p_vaddr;
        if (part->p_type == PT_LOAD && (part->p_flags & PF_X) && address >= part->p_vaddr &&
            in < part->p_filesz && in < size && part->p_offset < size - in)
            return image + part->p_offset + in;
    }
    return NULL;
}

/* Rows of the table are "t.c   120   0x1139   x"; other lines are passed over. */
static int break_lines(unsigned char *image, size_t size, const char *table, const char *file,
                       int line)
{
    static const unsigned char breakpoint = 0xCC;
    int n = 0;
    for (const char *at = table; *at;) {
        char name[64];
        int row;
        unsigned long long address;
        bool fits = sscanf(at, "%63s %d 0x%llx", name, &row, &address) == 3;
        unsigned char *code =
            fits && row == line && !strcmp(name, file) ? at_address(image, size, address) : NULL;
        if (code) {
            *code = breakpoint;
            n++;
        }
        at += strcspn(at, "\n");
        at += *at == '\n';
    }
    return n;
}

int detector_break(const char *exe, const char *table, const char *file, int line, struct error *e)
{
    struct stat st;
    int fd = open(exe, O_RDWR | O_CLOEXEC | O_NOFOLLOW), n = -1;
    if (fd < 0 || fstat(fd, &st) || !S_ISREG(st.st_mode) || !st.st_size) {
        if (fd >= 0)
            close(fd);
        return error_at(e, ERROR_ENVIRONMENT, exe, 0, "cannot be changed");
    }
    void *image = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (image != MAP_FAILED) {
        n = break_lines(image, (size_t)st.st_size, table, file, line);
        munmap(image, (size_t)st.st_size);
    }
    close(fd);
    return n >= 0 ? n : error_at(e, ERROR_ENVIRONMENT, exe, 0, "cannot be changed");
}

/* Is the operation's code executed? Without a line table nobody knows. */
static int look_for_site(struct runner *r, const struct program *p, const struct testbed *t,
                         const struct undefined *u, struct arena *a, enum undefined_site *out,
                         struct error *e)
{
    const char *const argv[] = {"readelf", "--wide", "--debug-dump=decodedline", RUNNER_EXE, NULL};
    const char *exe = arena_printf(a, "%s/%s", r->dir, RUNNER_EXE);
    struct observation o;
    *out = SITE_UNKNOWN;
    int done = runner_run_tool(r, p, t, argv, a, e);
    if (done <= 0 || !strstr(r->child.out.s, UNDEFINED_FILE))
        return done < 0 ? -1 : 0;
    int n = detector_break(exe, r->child.out.s, UNDEFINED_FILE, u->line, e);
    if (n < 0)
        return -1;
    if (n && runner_run(r, p, t, a, &o, e))
        return -1;
    bool reached = n && r->child.end == CHILD_SIGNALED && r->child.status == SIGTRAP;
    *out = reached ? SITE_REACHED : SITE_GONE;
    return 0;
}

/* -- both programs ----------------------------------------------------------------------------- */

static void skip(struct observation *o, const char *why)
{
    *o = (struct observation){
        .outcome = OUTCOME_SKIPPED, .output = {"", 0}, .messages = why, .detail = "", .flags = ""};
}

static bool was_run(const struct observation *o)
{
    return o->outcome == OUTCOME_OK || o->outcome == OUTCOME_RUN_CRASH ||
           o->outcome == OUTCOME_RUN_TIMEOUT;
}

static void add_cost(struct step_cost *to, const struct step_cost *more)
{
    to->cpu_us += more->cpu_us;
    to->wall_us += more->wall_us;
    if (more->peak_kb > to->peak_kb)
        to->peak_kb = more->peak_kb;
}

/* The program with the operation. 1: it was not run, and `out` says why. */
static int observe_operation(struct runner *r, const struct program *p, const struct testbed *t,
                             const struct undefined *u, struct arena *a, struct detection *d,
                             struct observation *out, struct error *e)
{
    struct program half = undefined_half(p, UNDEFINED_FILE, a);
    if (runner_observe(r, &half, t, true, "", a, out, e))
        return -1;
    if (!was_run(out))
        return 1;
    struct report report = report_of(t, r, out, UNDEFINED_FILE, u, a);
    d->said = report.said;
    d->line = report.line;
    d->text = report.said ? report.text : "";
    bool look = !d->said && t->run;
    return look ? look_for_site(r, &half, t, u, a, &d->site, e) : 0;
}

static int observe_twin(struct runner *r, const struct program *p, const struct testbed *t,
                        const struct undefined *u, struct arena *a, struct detection *d,
                        struct observation *out, struct error *e)
{
    struct program half = undefined_half(p, UNDEFINED_TWIN, a);
    struct bytes right =
        half.n_files ? program_announced_output(&half.files[0], a) : (struct bytes){0};
    if (!half.n_files) {
        d->twin = TWIN_ABSENT;
        return 0;
    }
    struct step_cost build = out->build, run = out->run;
    if (runner_observe(r, &half, t, true, "", a, out, e))
        return -1;
    add_cost(&out->build, &build);
    add_cost(&out->run, &run);
    if (!was_run(out))
        return 1;
    if (out->outcome == OUTCOME_RUN_TIMEOUT) {
        skip(out, "its valid twin needs too long");
        return 1;
    }
    struct report report = report_of(t, r, out, UNDEFINED_TWIN, u, a);
    bool wrong =
        t->run && right.data &&
        (out->outcome != OUTCOME_OK || out->exit_status || !bytes_equal(out->output, right));
    d->twin = report.said ? TWIN_REPORTED : wrong ? TWIN_WRONG : TWIN_SILENT;
    d->twin_text = report.said ? report.text : wrong ? out->detail : "";
    return 0;
}

int detector_observe(struct runner *r, const struct program *p, const struct testbed *t,
                     struct arena *a, struct observation *out, struct error *e)
{
    struct undefined u;
    struct detection d = {.text = "", .twin_text = ""};
    struct testbed plain = *t;
    skip(out, "the program does not state what is undefined");
    if (!program_undefined(p, a, &u))
        return 0;
    if (!undefined_listed(t->detects, u.rule, u.row) &&
        !undefined_listed(t->may_detect, u.rule, u.row)) {
        skip(out, arena_printf(a, "it does not look for %s/%s", u.rule, u.row));
        return 0;
    }
    d.what = arena_printf(a, "%s/%s", u.rule, u.row);
    plain.detects = plain.may_detect = NULL;
    int status = observe_operation(r, p, &plain, &u, a, &d, out, e);
    if (!status)
        status = observe_twin(r, p, &plain, &u, a, &d, out, e);
    if (status)
        return status < 0 ? -1 : 0;
    out->outcome = OUTCOME_OK;
    out->exit_status = out->signal = 0;
    out->detail = "exit 0";
    out->messages = "";
    out->output = bytes_of(detection_text(&d, a));
    out->output_size = (int64_t)out->output.size;
    observation_hash(0, bytes_of(detection_facts(&d, a)), out->output_hash);
    return 0;
}
