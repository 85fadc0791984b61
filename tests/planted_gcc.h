/* The second half of a compiler that is gcc with its text and its assembly altered: included behind
 * its faults, by a file that has said
 *
 *     PLANTED_NAME, PLANTED_VERSION    how it calls itself
 *     PLANTED_FLAG                     what gcc gets in any case; may be missing
 */
/* -- reading and editing the assembly ---------------------------------------------------------- */

static char *read_all(FILE *f)
{
    char part[1 << 14], *text = NULL;
    size_t size = 0, n;
    FILE *all = open_memstream(&text, &size);
    while (all && (n = fread(part, 1, sizeof part, f)) > 0)
        fwrite(part, 1, n, all);
    if (!all || fclose(all) != 0)
        need(NULL);
    return text;
}

/* Does the line `.file 1 "dir/t.c"`, or `.file 0 "/dir" "t.c"`, name the unit? */
static bool names_unit(const struct unit *u, const char *text)
{
    const char *last = strrchr(text, '"'), *open = last;
    const char *slash = strrchr(u->path, '/'), *base = slash ? slash + 1 : u->path;
    while (open && open > text && open[-1] != '"' && open[-1] != '/')
        open--;
    return open && strlen(base) == (size_t)(last - open) && starts(open, base);
}

static struct listing parse(const struct unit *u, char *text)
{
    size_t room = 1;
    for (const char *p = text; *p; p++)
        room += *p == '\n';
    struct listing l = {need(calloc(room, sizeof *l.lines)), 0};
    bool unit_file[1000] = {false}, ours = false;
    unsigned from = 1;
    for (char *p = text; *p;) {
        char *end = strchr(p, '\n');
        if (end)
            *end = '\0';
        unsigned long file = 1000;
        char *rest;
        if (starts(p, "\t.file ") && isdigit((unsigned char)p[7])) {
            file = strtoul(p + 7, &rest, 10);
            if (file < 1000)
                unit_file[file] = names_unit(u, p);
        } else if (starts(p, "\t.loc ")) {
            file = strtoul(p + 6, &rest, 10);
            from = (unsigned)strtoul(rest, NULL, 10);
            ours = file < 1000 && unit_file[file] && from <= u->lines && !u->spared[from];
        }
        struct line *at = &l.lines[l.count++];
        *at = (struct line){.text = p, .from = from, .ours = ours, .args = ""};
        if (p[0] == '\t' && isalpha((unsigned char)p[1])) {
            size_t n = strcspn(p + 1, "\t");
            at->name = text_of("%.*s", (int)n, p + 1);
            at->args = p[1 + n] ? p + 2 + n : "";
        }
        p = end ? end + 1 : p + strlen(p);
    }
    return l;
}

static void edit(const struct unit *u, struct listing *l, const bool *on)
{
    bool explain = getenv("OTHER_CC_EXPLAIN") != NULL;
    for (size_t i = 0; i < l->count; i++) {
        struct line *at = &l->lines[i];
        for (int f = 0; f < FAULTS && at->ours && !at->instead; f++) {
            if (!on[f] || !faults[f].edit || !at->name)
                continue;
            at->instead = faults[f].edit(l, i);
            if (at->instead && explain)
                fprintf(stderr, "%s:%u: %s\n", u->path, at->from, faults[f].name);
        }
    }
}

/* -- the compiler ------------------------------------------------------------------------------ */

static bool unit_read(struct unit *u, const char *path)
{
    FILE *f = fopen(path, "r");
    if (!f)
        return false;
    u->text = read_all(f);
    fclose(f);
    u->path = path;
    cut(u);
    spare_checksum(u);
    return true;
}

static void strike_all(struct unit *u, const bool *on)
{
    bool explain = getenv("OTHER_CC_EXPLAIN") != NULL;
    for (int f = 0; f < FAULTS; f++)
        for (size_t i = 0; on[f] && faults[f].construct && i < u->count; i++) {
            if (!construct_at(u, i, faults[f].construct))
                continue;
            if (explain && faults[f].ends)
                fprintf(stderr, "%s:%u: %s\n", u->path, u->tokens[i].line, faults[f].name);
            if (faults[f].strike(u, i) && explain)
                fprintf(stderr, "%s:%u: %s\n", u->path, u->tokens[i].line, faults[f].name);
        }
}

/* A file in memory that gcc, our child or what takes our place, can open by *path. */
static FILE *memory_file(char **path)
{
    int fd = memfd_create("unit", 0);
    FILE *out = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (!out) {
        fprintf(stderr, PLANTED_NAME ": cannot write a file in memory: %s\n", strerror(errno));
        exit(STATUS_USAGE);
    }
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

static char *listing_write(const struct listing *l)
{
    char *path;
    FILE *out = memory_file(&path);
    for (size_t i = 0; i < l->count; i++)
        fprintf(out, "%s\n", l->lines[i].instead ? l->lines[i].instead : l->lines[i].text);
    fflush(out);
    return path;
}

/* What gcc prints; if it fails, so do we. */
static char *output_of(char **args)
{
    int ends[2], status = 0;
    fflush(NULL);
    pid_t pid = pipe(ends) == 0 ? fork() : -1;
    if (pid < 0) {
        fprintf(stderr, PLANTED_NAME ": cannot start gcc: %s\n", strerror(errno));
        exit(STATUS_USAGE);
    }
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        execvp(args[0], args);
        _exit(127);
    }
    close(ends[1]);
    FILE *in = need(fdopen(ends[0], "r"));
    char *text = read_all(in);
    fclose(in);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    if (WIFSIGNALED(status))
        die_by(WTERMSIG(status));
    if (status != 0)
        exit(WEXITSTATUS(status));
    return text;
}

enum kind { OPTION, OUTPUT, SOURCE, OTHER };

struct call {
    char **args; /* for gcc, without -Xfault */
    enum kind *kinds;
    int count;
    bool on[FAULTS];
    bool only;      /* -Xfault was given */
    bool optimises; /* the last -O is not -O0 */
    bool whole;     /* gcc does it all */
    bool object, output;
};

static void switch_on(struct call *c, const char *name)
{
    for (int f = 0; f < FAULTS; f++)
        if (strcmp(name, faults[f].name) == 0) {
            c->only = c->on[f] = true;
            return;
        }
    fprintf(stderr, PLANTED_NAME ": there is no fault '%s'\n", name);
    exit(STATUS_USAGE);
}

static bool is_source(const char *word)
{
    size_t n = strlen(word);
    return word[0] != '-' && n > 2 && strcmp(word + n - 2, ".c") == 0;
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
    c->kinds[c->count] = kind;
    c->args[c->count++] = word;
}

static void read_options(struct call *c, char **argv)
{
    static const char *const others[] = {"-E", "-S", "-M", "-MM", "-fsyntax-only", "-x", NULL};
    static const char *const takers[] = {"-I",       "-D",       "-U",         "-L",  "-l",
                                         "-include", "-isystem", "-iquote",    "-MF", "-MT",
                                         "-MQ",      "--param",  "-Xlinker",   "-z",  "-u",
                                         "-T",       "-B",       "-idirafter", NULL};
    for (char **word = argv + 1; *word; word++) {
        if (starts(*word, "-Xfault=")) {
            switch_on(c, *word + 8);
        } else if (starts(*word, "-o")) {
            c->output = true;
            add(c, *word, OUTPUT);
            if (!(*word)[2] && word[1])
                add(c, *++word, OUTPUT);
        } else if (one_of(*word, takers) && word[1]) {
            add(c, *word, OPTION);
            add(c, *++word, OPTION);
        } else {
            add(c, *word, is_source(*word) ? SOURCE : (*word)[0] == '-' ? OPTION : OTHER);
        }
        if (starts(*word, "-O"))
            c->optimises = strcmp(*word, "-O0") != 0;
        c->object = c->object || strcmp(*word, "-c") == 0;
        c->whole = c->whole || one_of(*word, others) || (*word)[0] == '@';
    }
    for (int f = 0; f < FAULTS && !c->only; f++)
        c->on[f] = true;
}

/* The assembly of a source, with the faults in it: a file in memory. */
static char *compile(const struct call *c, struct unit *u)
{
    char **args = need(calloc((size_t)c->count + 13, sizeof *args));
    const char *slash = strrchr(u->path, '/');
    int n = 0;
    args[n++] = "gcc";
    args[n++] = "-g1"; /* ahead of the user's own -g */
    for (int i = 1; i < c->count; i++)
        if (c->kinds[i] == OPTION && strcmp(c->args[i], "-c") != 0 && !starts(c->args[i], "-l"))
            args[n++] = c->args[i];
#ifdef PLANTED_FLAG
    args[n++] = PLANTED_FLAG;
#endif
    args[n++] = "-iquote";
    args[n++] = slash ? text_of("%.*s", (int)(slash - u->path) + 1, u->path) : ".";
    args[n++] = "-S";
    args[n++] = "-o-";
    args[n++] = "-xc";
    args[n++] = unit_write(u);
    struct listing l = parse(u, output_of(args));
    edit(u, &l, c->on);
    return listing_write(&l);
}

int main(int argc, char **argv)
{
    struct call given = {.args = need(calloc((size_t)argc + 2, sizeof(char *))),
                         .kinds = need(calloc((size_t)argc + 2, sizeof(enum kind))),
                         .count = 1};
    char **args = need(calloc(4 * (size_t)argc + 8, sizeof *args));
    int n = 0;
    if (argc == 2 && strcmp(argv[1], "--version") == 0) {
        puts(PLANTED_NAME " " PLANTED_VERSION);
        return 0;
    }
    read_options(&given, argv);
    given.args[0] = args[n++] = "gcc";
    bool planted = given.optimises && !given.whole;
    for (int i = 1; planted && i < given.count; i++) {
        struct unit u = {0};
        if (given.kinds[i] != SOURCE || !unit_read(&u, given.args[i])) {
            if (!starts(given.args[i], "-g") || given.kinds[i] != OPTION)
                args[n++] = given.args[i];
            continue;
        }
        strike_all(&u, given.on);
        const char *slash = strrchr(u.path, '/'), *base = slash ? slash + 1 : u.path;
        args[n++] = "-xassembler";
        args[n++] = compile(&given, &u);
        args[n++] = "-xnone";
        if (given.object && !given.output)
            args[n++] = text_of("-o%.*s.o", (int)strlen(base) - 2, base);
    }
    execvp("gcc", planted ? args : given.args);
    fprintf(stderr, PLANTED_NAME ": cannot start gcc: %s\n", strerror(errno));
    return STATUS_USAGE;
}
