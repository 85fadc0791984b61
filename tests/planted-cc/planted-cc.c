/* planted-cc --set=NAME: the table of faults, and the way from a command line through gcc. Text
 * and assembly live in memory: there is nothing to clean up. README.md tells what it is for. */
#include "planted.h"

#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct {
    const char *name, *version;
    const char *flag; /* what gcc gets in any case: altered programs stay defined */
} sets[SETS] = {
    [FAULTY] = {"faulty", "1.0", NULL},        [OTHER] = {"other", "0.9", NULL},
    [THIRD] = {"third", "3.1", NULL},          [FOURTH] = {"fourth", "4.0", "-fwrapv"},
    [FIFTH] = {"fifth", "5.0", "-fwrapv"},     [SIXTH] = {"sixth", "6.0", "-fwrapv"},
    [SEVENTH] = {"seventh", "7.0", "-fwrapv"}, [EIGHTH] = {"eighth", "8.0", "-fwrapv"},
};

static const struct fault faults[] = {
#define TEXT(set, name, kind, construct, strike, what)                                             \
    {set, name, kind, construct, strike, NULL, what},
#define CODE(set, name, kind, edit, what) {set, name, kind, NULL, NULL, edit, what},
#include "faults.def"
};
enum { FAULTS = sizeof faults / sizeof *faults };

enum kind { OPTION, OUTPUT, SOURCE, OTHER_FILE };

struct call {
    enum set set;
    char **args; /* for gcc: ours without --set, -Xfault and -ffault */
    enum kind *kinds;
    struct unit *units; /* by argument, of sources */
    int count;
    bool on[FAULTS];
    bool chosen;    /* some faults were named */
    bool code;      /* a fault of the assembly is on */
    bool optimises; /* the last -O is not -O0 */
    bool whole;     /* gcc does it all */
    bool object, assembly;
    char *output;
    int sources;
};

/* -- the command line -------------------------------------------------------------------------- */

static _Noreturn void fail(const char *what, const char *why)
{
    fprintf(stderr, "planted-cc: %s: %s\n", what, why);
    exit(STATUS_USAGE);
}

/* The second half of the first set; see README.md. */
static bool in_dozen(const struct fault *f)
{
    const struct fault *first = faults;
    while (strcmp(first->name, "ice-compound") != 0)
        first++;
    return f->set == FAULTY && f >= first;
}

static void switch_on(struct call *c, const char *name)
{
    bool known = false;
    for (int f = 0; f < FAULTS; f++) {
        bool several = c->set == FAULTY && (strcmp(name, "all") == 0 ||
                                            (strcmp(name, "dozen") == 0 && in_dozen(&faults[f])));
        if (faults[f].set == c->set && (several || strcmp(name, faults[f].name) == 0))
            known = c->chosen = c->on[f] = true;
    }
    if (!known)
        fail(name, "there is no such fault in the set; --list names them");
}

static bool one_of(const char *word, const char *const *list)
{
    for (; *list; list++)
        if (strcmp(word, *list) == 0)
            return true;
    return false;
}

static void add(struct call *c, char *word, enum kind kind)
{
    size_t n = strlen(word);
    if (kind == OTHER_FILE && n > 2 && strcmp(word + n - 2, ".c") == 0) {
        kind = SOURCE;
        c->sources++;
    }
    c->kinds[c->count] = kind;
    c->args[c->count++] = word;
}

/* What compiles nothing, or in a way that we do not follow. */
static bool leave_to_gcc(const struct call *c, const char *word)
{
    static const char *const others[] = {"-E", "-M", "-MM", "-fsyntax-only", "-###", NULL};
    return one_of(word, others) || starts(word, "-x") || word[0] == '@' ||
           (c->set != FAULTY && strcmp(word, "-S") == 0);
}

static void read_word(struct call *c, char ***word)
{
    static const char *const takers[] = {"-I",        "-D",
                                         "-U",        "-L",
                                         "-l",        "-include",
                                         "-isystem",  "-iquote",
                                         "-MF",       "-MT",
                                         "-MQ",       "--param",
                                         "-imacros",  "-idirafter",
                                         "-T",        "-u",
                                         "-z",        "-B",
                                         "-Xlinker",  "-Xassembler",
                                         "-e",        "-Xpreprocessor",
                                         "-isysroot", NULL};
    char *at = **word, *next = (*word)[1];
    c->whole = c->whole || leave_to_gcc(c, at);
    c->object = c->object || strcmp(at, "-c") == 0;
    c->assembly = c->assembly || strcmp(at, "-S") == 0;
    if (starts(at, "-O"))
        c->optimises = strcmp(at, "-O0") != 0;
    if (starts(at, "-Xfault=") || starts(at, "-ffault=")) {
        switch_on(c, at + 8);
    } else if (starts(at, "-o")) {
        add(c, at, OUTPUT);
        c->output = at[2] ? at + 2 : next;
        if (!at[2] && next)
            add(c, *++*word, OUTPUT);
    } else if (one_of(at, takers) && next) {
        add(c, at, OPTION);
        add(c, *++*word, OPTION);
    } else if (!starts(at, "--set=")) {
        add(c, at, at[0] == '-' ? OPTION : OTHER_FILE);
    }
}

static void read_options(struct call *c, char **argv)
{
    for (char **word = argv + 1; *word; word++)
        read_word(c, &word);
    for (int f = 0; f < FAULTS; f++) {
        c->on[f] = c->on[f] || (!c->chosen && c->set != FAULTY && faults[f].set == c->set);
        c->code = c->code || (c->on[f] && faults[f].edit);
    }
    /* the faults of the first set are asked for, at any level */
    c->whole = c->whole || c->sources == 0 || (c->set == FAULTY ? !c->chosen : !c->optimises);
}

static enum set find_set(char **argv)
{
    for (char **word = argv + 1; *word; word++)
        for (int s = 0; s < SETS && starts(*word, "--set="); s++)
            if (strcmp(*word + 6, sets[s].name) == 0)
                return (enum set)s;
    fail("--set=NAME", "which faults? --list names them");
}

static int list(void)
{
    for (int f = 0; f < FAULTS; f++)
        printf("%s\t%s\t%s\t%s\t%s\t%s\n", sets[faults[f].set].name, faults[f].name, faults[f].kind,
               faults[f].set == FAULTY ? "any level" : "from -O1 on",
               faults[f].construct ? faults[f].construct : "(assembly)", faults[f].what);
    return 0;
}

/* -- text, gcc, assembly ----------------------------------------------------------------------- */

static char *read_all(FILE *f)
{
    char part[1 << 14], *text = NULL;
    size_t size = 0, n;
    FILE *all = need(open_memstream(&text, &size));
    while ((n = fread(part, 1, sizeof part, f)) > 0)
        fwrite(part, 1, n, all);
    fclose(f);
    if (fclose(all) != 0)
        need(NULL);
    return text;
}

/* False where it cannot be read: gcc then says so better than we could. */
static bool strike_unit(const struct call *c, struct unit *u, char *path, char **argv)
{
    FILE *f = fopen(path, "r");
    if (!f)
        return false;
    *u = (struct unit){.path = path, .text = read_all(f), .command = argv};
    u->explain = getenv("PLANTED_CC_EXPLAIN") != NULL;
    unit_cut(u);
    for (int k = 0; k < FAULTS; k++)
        for (size_t i = 0; c->on[k] && faults[k].construct && i < u->count; i++) {
            u->striking = &faults[k];
            if (construct_at(u, i, faults[k].construct) && faults[k].strike(u, i)) {
                u->edited = true;
                explain(u, u->tokens[i].line, NULL);
            }
        }
    return true;
}

/* A file in memory that gcc, our child or what takes our place, can open by *path. */
static FILE *memory_file(char **path)
{
    int fd = memfd_create("unit", 0);
    FILE *out = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (!out)
        fail("cannot write a file in memory", strerror(errno));
    *path = text_of("/dev/fd/%d", fd);
    return out;
}

static char *unit_write(const struct unit *u)
{
    char *path;
    FILE *out = memory_file(&path);
    fprintf(out, "# 1 \"%s\"\n", u->path);
    const char *p = u->text;
    for (size_t i = 0; i < u->count; i++) {
        const struct token *t = &u->tokens[i];
        fwrite(p, 1, (size_t)(t->at - p), out);
        fprintf(out, "%.*s", t->instead ? (int)strlen(t->instead) : (int)t->len,
                t->instead ? t->instead : t->at);
        p = t->at + t->len;
    }
    fputs(p, out);
    fflush(out);
    return path;
}

/* What gcc prints; if it fails, so do we. */
static char *output_of(char **args)
{
    int pair[2], status = 0;
    fflush(NULL);
    signal(SIGCHLD, SIG_DFL); /* whoever ignores it passes that on to us, and wait would fail */
    pid_t parent = getpid(), pid = pipe(pair) == 0 ? fork() : -1;
    if (pid < 0)
        fail("cannot start gcc", strerror(errno));
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        dup2(pair[1], STDOUT_FILENO);
        close(pair[0]);
        close(pair[1]);
        if (getppid() == parent)
            execvp(args[0], args);
        _exit(127);
    }
    close(pair[1]);
    char *text = read_all(need(fdopen(pair[0], "r")));
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    if (WIFSIGNALED(status))
        die_by(WTERMSIG(status));
    if (status != 0)
        exit(WEXITSTATUS(status));
    return text;
}

static void edit(const struct call *c, struct unit *u, struct listing *l)
{
    for (size_t i = 0; i < l->count; i++) {
        struct line *at = &l->lines[i];
        for (int f = 0; f < FAULTS && at->ours && at->name && !at->instead; f++) {
            if (!c->on[f] || !faults[f].edit)
                continue;
            at->instead = faults[f].edit(l, i);
            u->striking = &faults[f];
            if (at->instead)
                explain(u, at->from, text_of("%s %s", at->name, at->args));
        }
    }
}

/* The assembly of a source, with the faults in it. */
static void compile(const struct call *c, struct unit *u, FILE *out)
{
    char **args = need(calloc((size_t)c->count + 13, sizeof *args));
    const char *slash = strrchr(u->path, '/');
    int n = 0;
    args[n++] = "gcc";
    args[n++] = "-g1"; /* ahead of the user's own -g */
    for (int i = 1; i < c->count; i++)
        if (c->kinds[i] == OPTION && strcmp(c->args[i], "-c") != 0 && !starts(c->args[i], "-l"))
            args[n++] = c->args[i];
    if (sets[c->set].flag)
        args[n++] = text_of("%s", sets[c->set].flag);
    args[n++] = "-iquote";
    args[n++] = slash ? text_of("%.*s", (int)(slash - u->path) + 1, u->path) : ".";
    args[n++] = "-S";
    args[n++] = "-o-";
    args[n++] = "-xc";
    args[n++] = unit_write(u);
    struct listing l = listing_of(u, output_of(args), c->set == FAULTY);
    edit(c, u, &l);
    for (size_t i = 0; i < l.count; i++)
        fprintf(out, "%s\n", l.lines[i].instead ? l.lines[i].instead : l.lines[i].text);
    fflush(out);
}

/* base.o, base.s */
static char *derived(const struct unit *u, const char *suffix)
{
    const char *slash = strrchr(u->path, '/'), *base = slash ? slash + 1 : u->path;
    return text_of("%.*s%s", (int)strlen(base) - 2, base, suffix);
}

/* -S: no more to do than to write the assembly. */
static void write_assembly(const struct call *c)
{
    for (int i = 1; i < c->count; i++) {
        if (c->kinds[i] != SOURCE)
            continue;
        const char *path = c->output ? c->output : derived(&c->units[i], ".s");
        FILE *out = fopen(path, "w");
        if (!out)
            fail(path, strerror(errno));
        compile(c, &c->units[i], out);
        fclose(out);
    }
}

/* The call as it was, with the assembly for its sources; -c without -o goes one by one. */
static void finish(const struct call *c)
{
    bool apart = c->object && !c->output;
    int n = 1;
    char **args = need(calloc(4 * (size_t)c->count + 8, sizeof *args));
    args[0] = "gcc";
    for (int i = 1; i < c->count; i++)
        if (c->kinds[i] != SOURCE) {
            if (c->kinds[i] != OPTION || !starts(c->args[i], "-g"))
                args[n++] = c->args[i];
        } else if (!apart) {
            args[n++] = "-xassembler";
            compile(c, &c->units[i], memory_file(&args[n++]));
            args[n++] = "-xnone";
        }
    for (int i = 1; i < c->count && apart; i++)
        if (c->kinds[i] == SOURCE) {
            args[n] = "-xassembler";
            compile(c, &c->units[i], memory_file(&args[n + 1]));
            args[n + 2] = text_of("-o%s", derived(&c->units[i], ".o"));
            output_of(args);
        }
    if (!apart)
        execvp("gcc", args);
}

int main(int argc, char **argv)
{
    size_t room = (size_t)argc + 2;
    struct call c = {.args = need(calloc(room, sizeof(char *))),
                     .kinds = need(calloc(room, sizeof(enum kind))),
                     .units = need(calloc(room, sizeof(struct unit))),
                     .count = 1};
    bool edited = false;
    if (argc == 2 && strcmp(argv[1], "--list") == 0)
        return list();
    c.set = find_set(argv);
    if (argc == 3 && strcmp(argv[2], "--version") == 0)
        return printf("%s-cc %s\n", sets[c.set].name, sets[c.set].version) < 0;
    read_options(&c, argv);
    c.args[0] = "gcc";
    for (int i = 1; i < c.count && !c.whole; i++)
        if (c.kinds[i] == SOURCE) {
            c.whole = !strike_unit(&c, &c.units[i], c.args[i], argv);
            edited = edited || c.units[i].edited;
        }
    if (c.whole || (!edited && !c.code && !sets[c.set].flag))
        execvp("gcc", c.args);
    else if (c.assembly)
        write_assembly(&c);
    else
        finish(&c);
    if (c.whole || !(c.assembly || (c.object && !c.output)))
        fail("cannot start gcc", strerror(errno));
    return 0;
}
