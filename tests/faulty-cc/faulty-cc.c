/* faulty-cc: gcc with faults that we planted, to prove that assay finds, tells apart and reduces
 * what it is said to find. Built with the tests, never installed. README.md tells each fault to the
 * reader; the two tables below are the truth.
 *
 * A fault is asked for with -ffault=NAME; without any, gcc takes our place and no fault exists.
 *
 *   A fault of the text looks at the program's own tokens (no header, no comment, not the first
 *   line) and fires on a construct, before gcc is even started.
 *   A fault of the assembly compiles each source to assembly, edits some instructions, and lets
 *   gcc assemble and link the rest of the way.
 *
 * Both depend on one construct or one instruction alone and not on, say, a hash of the program: a
 * reducer may cut anything else away and the fault stays, as with the faults of real compilers.
 * (Only `flaky` goes by a hash, since it must tell a program that it knows from a new one.)
 *
 * An instruction is edited only where it stems from a line of the program itself or from csmith's
 * safe_math.h, which holds the operators of its programs. We know it from the line table (-g1,
 * which changes no code). The checksum of a generated program stays right, or every program would
 * fail in it: its functions (transparent_crc and the like) are spared even where they were inlined,
 * and so are the statements of main that call them. Everything else in main is as anywhere else, so
 * that a reducer can get rid of all other functions.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    STATUS_REJECT = 1,
    STATUS_USAGE = 2,
    STATUS_ICE = 4, /* what gcc's driver exits with when its cc1 dies */
    SLOW_CPU_SECONDS = 12,
    MEMORY_MIB = 1536,
    FLAKY_ONE_IN = 10, /* programs, by their hash */
};

/* ------------------------------------------------------------------ the faults */

/* How a fault of the text shows itself. */
enum way {
    DIE_OF_ICE,    /* gcc's message of an internal error */
    DIE_OF_ASSERT, /* the same, followed by the frames of the stack */
    DIE_OF_FATAL,  /* a fatal error of the back end */
    DIE_WITH_DUMP, /* clang's stack dump, then SIGABRT */
    DIE_SILENTLY,  /* SIGSEGV */
    NEVER_END,
    REJECT,
    BE_SLOW,
    TAKE_MEMORY,
};

/* A construct is a row of words: $id and $num stand for any identifier and any number, a|b for
 * either spelling, {? and }? for a brace that need not be there, and every other word for itself.
 */
static const struct text_fault {
    const char *name;
    const char *construct; /* NULL: by the program's hash */
    enum way way;
    bool dozen;       /* switched on by -ffault=dozen */
    const char *says; /* what the message is about */
} text_faults[] = {
    {"crash", "volatile signed|unsigned|int $id : $num ;", DIE_OF_ICE, false,
     "lower_volatile_bit_field, at faulty-cc.c:411"},
    {"segv", "union $id $id (", DIE_SILENTLY, false, NULL},
    {"hang", "signed|unsigned|int : $num ;", NEVER_END, false, NULL},
    {"reject", "* const $id (", REJECT, false, "function cannot return a qualified type"},
    {"flaky", NULL, DIE_OF_ICE, false, "fold_if_not_seen_before, at faulty-cc.c:97"},
    {"slow", "unsigned $id : 31 ;", BE_SLOW, false, NULL},
    {"memory", "unsigned $id : 22|25 ;", TAKE_MEMORY, false, NULL},
    {"ice-compound", "- = ~", DIE_OF_ASSERT, true, "fold_compound_assign"},
    {"fatal-inline", "static inline _Bool $id (", DIE_OF_FATAL, true,
     "cannot select: i1 = function_result"},
    {"segv-break", ") {? break ; }? *", DIE_SILENTLY, true, NULL},
    {"dump-return", "return ( int8_t )", DIE_WITH_DUMP, true, "Narrow Function Results"},
    {"hang-switch", "switch ( ( int16_t )", NEVER_END, true, NULL},
    {"reject-bool", "const _Bool $id = $num", REJECT, true,
     "initializer element of type '_Bool' is not constant"},
};
enum { TEXT_FAULTS = sizeof text_faults / sizeof *text_faults };

/* One line of assembly that holds an instruction. */
struct insn {
    const char *name;   /* "sarl" */
    const char *args;   /* "$3, %eax" */
    const char *before; /* the instruction ahead of it in the file, as "cmpl\t$7, %eax" */
    bool loops;         /* it jumps to a label that stands further up */
    bool volatile_load; /* it moves a volatile object of the program into a register */
    bool member;        /* the line that it comes from names a member: x.y, x->y */
    bool complement;    /* the line that it comes from has a ~ */
    bool to_default;    /* it jumps past a jump table, when no case is the switch's value */
};

typedef bool edit_fn(const struct insn *in, FILE *out); /* true: it wrote something else instead */
static edit_fn wrong_shift, wrong_compare, wrong_extend, wrong_constant, wrong_volatile, run_crash,
    run_hang, wrong_remainder, wrong_rotate, wrong_complement, wrong_bit_field, wrong_double,
    run_default;

static const struct {
    const char *name;
    edit_fn *edit;
    bool dozen;
} asm_faults[] = {
    {"wrong-shift", wrong_shift, false},
    {"wrong-compare", wrong_compare, false},
    {"wrong-extend", wrong_extend, false},
    {"wrong-constant", wrong_constant, false},
    {"wrong-volatile", wrong_volatile, false},
    {"run-crash", run_crash, false},
    {"run-hang", run_hang, false},
    {"wrong-remainder", wrong_remainder, true},
    {"wrong-rotate", wrong_rotate, true},
    {"wrong-complement", wrong_complement, true},
    {"wrong-bit-field", wrong_bit_field, true},
    {"wrong-double", wrong_double, true},
    {"run-default", run_default, true},
};
enum { ASM_FAULTS = sizeof asm_faults / sizeof *asm_faults };

/* ------------------------------------------------------------------ what one call works on */

struct token {
    const char *at;
    size_t len;
    unsigned line, column; /* from 1 */
};

struct source {
    const char *path;
    char *raw;            /* as read, for the line shown under a message */
    char *clean;          /* the same with comments blanked */
    struct token *tokens; /* into clean */
    size_t count;
    unsigned lines;
    bool *spared; /* by line: it belongs to the checksum, and is not ours to edit */
};

enum arg_kind { ARG_SOURCE = 's', ARG_INPUT = 'i', ARG_OUTPUT = 'o', ARG_OPTION = ' ' };

struct job {
    bool text_on[TEXT_FAULTS], asm_on[ASM_FAULTS];
    char **args; /* for gcc, NULL at the end: ours without -ffault */
    size_t arg_count;
    char *kind;         /* of args[i]: one of enum arg_kind */
    bool only_assembly; /* -S */
    const char *output; /* the name after -o, or NULL */
    bool whole;         /* nothing to compile, or in a way we do not follow: gcc does it all */
    bool explain;       /* FAULTY_CC_EXPLAIN is set: name each fault as it strikes, on stderr */
    char **command;     /* argv, for a message that shows it */
    char *folder;       /* for temporary files, NULL when there is none */
    struct block *kept; /* all memory, freed at the end */
};

struct block {
    struct block *next;
    max_align_t bytes[];
};

static _Noreturn void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
static _Noreturn void fail(const char *format, ...)
{
    va_list ap;
    fputs("faulty-cc: ", stderr);
    va_start(ap, format);
    vfprintf(stderr, format, ap);
    va_end(ap);
    fputc('\n', stderr);
    exit(STATUS_USAGE);
}

/* Zeroed memory that lives as long as the job. */
static void *keep(struct job *job, size_t size)
{
    struct block *b = calloc(1, sizeof *b + size);
    if (!b)
        fail("out of memory");
    b->next = job->kept;
    job->kept = b;
    return b->bytes;
}

static char *keep_text(struct job *job, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static char *keep_text(struct job *job, const char *format, ...)
{
    va_list ap;
    char *made;
    va_start(ap, format);
    int len = vasprintf(&made, format, ap);
    va_end(ap);
    if (len < 0)
        fail("out of memory");
    char *text = keep(job, (size_t)len + 1);
    memcpy(text, made, (size_t)len + 1);
    free(made);
    return text;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool starts(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* ------------------------------------------------------------------ reading the program */

/* NULL when it cannot be read: gcc then says so better than we could. */
static char *read_file(struct job *job, const char *path)
{
    FILE *f = fopen(path, "r");
    if (!f)
        return NULL;
    size_t len = 0, room = 1 << 16;
    char *text = keep(job, room + 1);
    for (;;) {
        len += fread(text + len, 1, room - len, f);
        if (len < room)
            break;
        char *more = keep(job, 2 * room + 1);
        memcpy(more, text, len);
        text = more;
        room *= 2;
    }
    fclose(f);
    text[len] = '\0';
    return text;
}

/* The end of the string or character literal that opens at p, behind its closing quote. */
static char *literal_end(char *p)
{
    char quote = *p++;
    while (*p && *p != quote && *p != '\n')
        p += p[0] == '\\' && p[1] ? 2 : 1;
    return *p == quote ? p + 1 : p;
}

/* Comments become blanks; lines and columns stay. */
static void blank_comments(char *text)
{
    for (char *p = text; *p;) {
        if (*p == '"' || *p == '\'') {
            p = literal_end(p);
        } else if (p[0] == '/' && (p[1] == '/' || p[1] == '*')) {
            bool block = p[1] == '*';
            const char *end = block ? strstr(p + 2, "*/") : strchr(p, '\n');
            end = !end ? p + strlen(p) : block ? end + 2 : end;
            for (; p < end; p++)
                if (*p != '\n')
                    *p = ' ';
        } else {
            p++;
        }
    }
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static void split_tokens(struct job *job, struct source *s)
{
    s->tokens = keep(job, (strlen(s->clean) + 1) * sizeof *s->tokens);
    unsigned line = 1;
    const char *line_start = s->clean;
    for (char *p = s->clean; *p;) {
        if (isspace((unsigned char)*p)) {
            if (*p++ == '\n') {
                line++;
                line_start = p;
            }
            continue;
        }
        char *end = p + 1;
        if (is_word(*p))
            while (is_word(*end))
                end++;
        else if (*p == '"' || *p == '\'')
            end = literal_end(p);
        s->tokens[s->count++] =
            (struct token){p, (size_t)(end - p), line, (unsigned)(p - line_start) + 1};
        p = end;
    }
    s->lines = line;
}

static bool token_is(const struct token *t, const char *spelling)
{
    return strlen(spelling) == t->len && memcmp(t->at, spelling, t->len) == 0;
}

/* The name of the function whose body opens at token i, or NULL. */
static const struct token *function_name(const struct source *s, size_t i)
{
    if (i < 3 || !token_is(&s->tokens[i], "{") || !token_is(&s->tokens[i - 1], ")"))
        return NULL;
    int depth = 0;
    while (i-- > 1) {
        depth += token_is(&s->tokens[i], ")") - token_is(&s->tokens[i], "(");
        if (depth == 0)
            return &s->tokens[i - 1];
    }
    return NULL;
}

/* A name of the checksum that generated programs compute: smith's, yarp's and csmith's. */
static bool of_checksum(const struct token *t)
{
    static const char *const prefixes[] = {"crc32_", "transparent_crc", "platform_main_",
                                           "print_hash_value", "hide_nothing"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (starts(t->at, prefixes[i]))
            return true;
    return false;
}

static void spare_lines(struct source *s, unsigned first, unsigned last)
{
    for (unsigned line = first; line <= last; line++)
        s->spared[line] = true;
}

/* Does a statement of the block that opened at depth 1 end with this token? */
static bool ends_statement(const struct source *s, size_t i, int braces, int parens)
{
    const struct token *t = &s->tokens[i];
    bool otherwise = i + 1 < s->count && token_is(t + 1, "else");
    return braces == 1 && parens == 0 &&
           (token_is(t, ";") || token_is(t, "}") || token_is(t, "{")) && !otherwise;
}

/* Spares the functions of the checksum, and the statements of main that use them. */
static void spare_checksum(struct job *job, struct source *s)
{
    s->spared = keep(job, (s->lines + 2) * sizeof *s->spared);
    int braces = 0, parens = 0;
    bool in_main = false, in_checksum = false, mentions = false;
    unsigned first = 0; /* of the function, or of the statement in main */
    for (size_t i = 0; i < s->count; i++) {
        const struct token *t = &s->tokens[i], *name = braces == 0 ? function_name(s, i) : NULL;
        if (name) {
            in_main = token_is(name, "main");
            in_checksum = of_checksum(name);
            first = name->line;
            mentions = false;
        }
        braces += token_is(t, "{") - token_is(t, "}");
        parens += token_is(t, "(") - token_is(t, ")");
        mentions = mentions || of_checksum(t);
        if (in_checksum && braces == 0 && token_is(t, "}"))
            spare_lines(s, first, t->line);
        if (in_main && ends_statement(s, i, braces, parens)) {
            if (mentions)
                spare_lines(s, first, t->line);
            first = i + 1 < s->count ? t[1].line : 0;
            mentions = false;
        }
        if (braces == 0 && token_is(t, "}"))
            in_main = in_checksum = mentions = false;
    }
}

static bool source_read(struct job *job, struct source *s, const char *path)
{
    *s = (struct source){.path = path, .raw = read_file(job, path)};
    if (!s->raw)
        return false;
    s->clean = keep_text(job, "%s", s->raw);
    blank_comments(s->clean);
    split_tokens(job, s);
    spare_checksum(job, s);
    return true;
}

/* FNV-1a, 64 bits, of the tokens: the layout does not count. */
static uint64_t source_hash(const struct source *s)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < s->count; i++)
        for (size_t k = 0; k <= s->tokens[i].len; k++) {
            unsigned char c = k < s->tokens[i].len ? (unsigned char)s->tokens[i].at[k] : ' ';
            hash = (hash ^ c) * 0x100000001b3u;
        }
    return hash;
}

/* ------------------------------------------------------------------ constructs */

/* Does the token match the word of a construct that ends at `end`? */
static bool word_matches(const char *word, const char *end, const struct token *t)
{
    size_t len = (size_t)(end - word);
    if (len == 3 && memcmp(word, "$id", len) == 0)
        return is_word(t->at[0]) && !isdigit((unsigned char)t->at[0]);
    if (len == 4 && memcmp(word, "$num", len) == 0)
        return isdigit((unsigned char)t->at[0]);
    while (word < end) {
        size_t n = 0;
        while (word + n < end && word[n] != '|')
            n++;
        if (n == t->len && memcmp(word, t->at, n) == 0)
            return true;
        word += n + (word + n < end);
    }
    return false;
}

static bool construct_at(const struct source *s, size_t i, const char *construct)
{
    for (const char *word = construct, *end; *word; word = end + (*end == ' ')) {
        end = word + strcspn(word, " ");
        bool optional = end == word + 2 && word[1] == '?';
        bool there = i < s->count && word_matches(word, end - optional, &s->tokens[i]);
        if (!there && !optional)
            return false;
        i += there;
    }
    return true;
}

static const struct token *find_construct(const struct source *s, const char *construct)
{
    for (size_t i = 0; i < s->count; i++)
        if (construct_at(s, i, construct))
            return &s->tokens[i];
    return NULL;
}

/* ------------------------------------------------------------------ faults of the text */

/* As gcc prints it: "t.c:12:5: error: why", then the line and a caret. */
static void print_message(const struct source *s, const struct token *t, const char *what)
{
    fprintf(stderr, "%s:%u:%u: %s\n", s->path, t->line, t->column, what);
    const char *line = s->raw + (t->at - s->clean) - (t->column - 1);
    fprintf(stderr, "%5u | %.*s\n      | %*s^\n", t->line, (int)strcspn(line, "\n"), line,
            (int)t->column - 1, "");
}

static _Noreturn void die_of_signal(int sig)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, sig);
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    signal(sig, SIG_DFL);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    raise(sig);
    _exit(128 + sig); /* the signal was one that does not kill */
}

static _Noreturn void die_of_ice(const struct source *s, const struct token *t, const char *where)
{
    char what[128];
    snprintf(what, sizeof what, "internal compiler error: in %s", where);
    print_message(s, t, what);
    fputs("Please submit a full bug report, with preprocessed source.\n"
          "See tests/faulty-cc/README.md for instructions.\n",
          stderr);
    exit(STATUS_ICE);
}

/* The function that holds the token, "" outside of all; *depth: how many blocks are open there. */
static const char *enclosing(struct job *job, const struct source *s, const struct token *t,
                             int *depth)
{
    const struct token *name = NULL;
    *depth = 0;
    for (size_t i = 0; &s->tokens[i] < t; i++) {
        if (*depth == 0 && function_name(s, i))
            name = function_name(s, i);
        *depth += token_is(&s->tokens[i], "{") - token_is(&s->tokens[i], "}");
    }
    return *depth && name ? keep_text(job, "%.*s", (int)name->len, name->at) : "";
}

/* gcc's words, with frames below: first those of the fault, then one for each block around it, so
 * that no two programs have quite the same; nor have they the same addresses. */
static _Noreturn void die_of_assert(struct job *job, const struct source *s, const struct token *t,
                                    const char *function)
{
    static const char *const callers[][2] = {{"fold_statement", "faulty-fold.c:318"},
                                             {"lower_function_body", "faulty-lower.c:2206"}};
    int depth;
    const char *in = enclosing(job, s, t, &depth);
    unsigned long long base = 0x7f0000000000u + (source_hash(s) % 0x1000000) * 4096;
    if (*in)
        fprintf(stderr, "%s: In function '%s':\n", s->path, in);
    print_message(
        s, t, keep_text(job, "internal compiler error: in %s, at faulty-fold.c:1423", function));
    fprintf(stderr, "0x%llx %s\n\tfaulty-fold.c:1423\n", base + 0x3f10, function);
    fprintf(stderr, "0x%llx %s\n\t%s\n", base + 0x5126, callers[0][0], callers[0][1]);
    for (int i = 0; i < depth; i++)
        fprintf(stderr, "0x%llx lower_block\n\tfaulty-lower.c:907\n", base + 0x8a44);
    fprintf(stderr, "0x%llx %s\n\t%s\n", base + 0x91b7, callers[1][0], callers[1][1]);
    fputs("Please submit a full bug report, with preprocessed source.\n"
          "See tests/faulty-cc/README.md for instructions.\n",
          stderr);
    exit(STATUS_ICE);
}

static _Noreturn void die_of_fatal(const struct source *s, const struct token *t, const char *why)
{
    fprintf(stderr, "%s:%u:%u: fatal error: error in backend: %s<%u>\n", s->path, t->line,
            t->column, why, t->line % 64);
    fputs("compilation terminated.\n", stderr);
    exit(STATUS_REJECT);
}

/* As clang tells it, down to the signal. */
static _Noreturn void die_with_dump(struct job *job, const struct source *s, const struct token *t,
                                    const char *pass)
{
    static const char *const frames[] = {
        "faulty::sys::PrintStackTrace(faulty::raw_ostream&, int) Signals.c:565:13",
        "faulty::sys::RunSignalHandlers() Signals.c:98:18",
        "SignalHandler(int) Signals.c:407:1",
        "faulty::Value::getType() const Value.h:255:34",
        "NarrowResults::runOnFunction(faulty::Function&) NarrowResults.c:77:21",
        "faulty::PassManager::run(faulty::Module&) PassManager.c:1439:23",
        "main driver.c:503:12"};
    int depth;
    const char *in = enclosing(job, s, t, &depth);
    unsigned long long base = 0x55d000000000u + (source_hash(s) % 0x100000) * 4096;
    fputs("PLEASE submit a bug report to tests/faulty-cc/README.md and include the crash "
          "backtrace, preprocessed source, and associated run script.\nStack dump:\n"
          "0.\tProgram arguments:",
          stderr);
    for (char **arg = job->command; *arg; arg++)
        fprintf(stderr, " %s", *arg);
    fprintf(stderr,
            "\n1.\t<eof> parser at end of file\n2.\tCode generation\n"
            "3.\tRunning pass 'Function Pass Manager' on module '%s'.\n"
            "4.\tRunning pass '%s' on function '@%s'\n",
            s->path, pass, in);
    for (size_t i = 0; i < sizeof frames / sizeof *frames; i++)
        fprintf(stderr, " #%zu 0x%016llx %s\n", i, base + i * 0x1b3, frames[i]);
    die_of_signal(SIGABRT);
}

static _Noreturn void hang(void)
{
    for (volatile unsigned long n = 0;; n++)
        ;
}

static void burn_cpu(void)
{
    struct timespec now;
    do {
        for (volatile int n = 0; n < 1000000; n++)
            ;
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    } while (now.tv_sec < SLOW_CPU_SECONDS);
}

static void touch_memory(void)
{
    size_t size = (size_t)MEMORY_MIB << 20;
    char *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) {
        fprintf(stderr, "cc1: out of memory allocating %zu bytes\n", size);
        exit(STATUS_REJECT);
    }
    for (size_t i = 0; i < size; i += 4096)
        ((volatile char *)p)[i] = 1;
    munmap(p, size);
}

/* True the first time that this program is seen on this machine, for one program in ten. */
static bool flaky_strikes(struct job *job, const struct source *s)
{
    uint64_t hash = source_hash(s);
    if (hash % FLAKY_ONE_IN != 0)
        return false;
    const char *folder = getenv("FAULTY_CC_STATE");
    if (!folder || !*folder)
        folder = "/tmp/faulty-cc-state";
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        fail("cannot make the state folder %s: %s", folder, strerror(errno));
    const char *path = keep_text(job, "%s/%016llx", folder, (unsigned long long)hash);
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0 && errno != EEXIST)
        fail("cannot write %s: %s", path, strerror(errno));
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

static void strike(struct job *job, const struct source *s, const struct token *t,
                   const struct text_fault *fault)
{
    switch (fault->way) {
    case DIE_OF_ICE:
        die_of_ice(s, t, fault->says);
    case DIE_OF_ASSERT:
        die_of_assert(job, s, t, fault->says);
    case DIE_OF_FATAL:
        die_of_fatal(s, t, fault->says);
    case DIE_WITH_DUMP:
        die_with_dump(job, s, t, fault->says);
    case DIE_SILENTLY:
        die_of_signal(SIGSEGV);
    case NEVER_END:
        hang();
    case REJECT:
        print_message(s, t, keep_text(job, "error: %s", fault->says));
        exit(STATUS_REJECT);
    case BE_SLOW:
        burn_cpu();
        break;
    case TAKE_MEMORY:
        touch_memory();
        break;
    }
}

static void apply_text_faults(struct job *job, const struct source *s)
{
    for (int f = 0; f < TEXT_FAULTS; f++) {
        if (!job->text_on[f] || s->count == 0)
            continue;
        const struct token *t = &s->tokens[0];
        if (text_faults[f].construct)
            t = find_construct(s, text_faults[f].construct);
        else if (!flaky_strikes(job, s))
            t = NULL;
        if (t && job->explain)
            fprintf(stderr, "%s:%u: %s\n", s->path, t->line, text_faults[f].name);
        if (t)
            strike(job, s, t, &text_faults[f]);
    }
}

/* ------------------------------------------------------------------ faults of the assembly */

/* The immediate operand that comes first, as in "$-17, (%rax)". */
static bool immediate(const char *args, long long *value)
{
    char *end;
    if (args[0] != '$')
        return false;
    *value = strtoll(args + 1, &end, 10);
    return end != args + 1 && (*end == ',' || *end == '\0');
}

/* Some instructions become others, with the same operands. */
static bool exchange(const char *const (*pairs)[2], size_t count, const struct insn *in, FILE *out)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(in->name, pairs[i][0]) == 0) {
            fprintf(out, "\t%s\t%s\n", pairs[i][1], in->args);
            return true;
        }
    return false;
}

/* A shift goes the other way. (Not those of 64 bits: they scale indices, and programs would crash
 * instead of printing something else.) */
static bool wrong_shift(const struct insn *in, FILE *out)
{
    static const char *const pairs[][2] = {{"sarb", "salb"}, {"sarw", "salw"}, {"sarl", "sall"},
                                           {"shrb", "salb"}, {"shrw", "salw"}, {"shrl", "sall"},
                                           {"salb", "sarb"}, {"salw", "sarw"}, {"sall", "sarl"}};
    return exchange(pairs, sizeof pairs / sizeof *pairs, in, out);
}

/* A comparison for its value, not for a jump: signed becomes unsigned, equal becomes below or
 * equal, unequal becomes above. */
static bool wrong_compare(const struct insn *in, FILE *out)
{
    static const char *const pairs[][2] = {{"setl", "setb"},   {"setg", "seta"},
                                           {"setle", "setbe"}, {"setge", "setae"},
                                           {"sete", "setbe"},  {"setne", "seta"}};
    return exchange(pairs, sizeof pairs / sizeof *pairs, in, out);
}

/* What extends the sign extends by zeros, and the other way round. */
static bool wrong_extend(const struct insn *in, FILE *out)
{
    static const char *const pairs[][2] = {
        {"movsbw", "movzbw"}, {"movsbl", "movzbl"}, {"movsbq", "movzbq"}, {"movswl", "movzwl"},
        {"movswq", "movzwq"}, {"movzbl", "movsbl"}, {"movzwl", "movswl"}};
    return exchange(pairs, sizeof pairs / sizeof *pairs, in, out);
}

/* A large constant that is stored in memory has its lowest bit flipped. (Small ones count and index
 * too often.) */
static bool wrong_constant(const struct insn *in, FILE *out)
{
    long long value;
    if (!starts(in->name, "mov") || !immediate(in->args, &value) || !strchr(in->args, '(') ||
        (value >= -1 && value <= 255))
        return false;
    fprintf(out, "\t%s\t$%lld%s\n", in->name, value ^ 1, strchr(in->args, ','));
    return true;
}

/* A volatile object is read twice where it should be read once. */
static bool wrong_volatile(const struct insn *in, FILE *out)
{
    if (!in->volatile_load)
        return false;
    for (int i = 0; i < 2; i++)
        fprintf(out, "\t%s\t%s\n", in->name, in->args);
    return true;
}

/* The program dies by SIGILL where it flips bits with a constant. */
static bool run_crash(const struct insn *in, FILE *out)
{
    long long value;
    if (!starts(in->name, "xor") || !immediate(in->args, &value))
        return false;
    fputs("\tud2\n", out);
    return true;
}

/* A loop that compares with a constant of at least 10 at its end stops there, for ever. (To go
 * round for ever would run over the ends of arrays, and the program would crash.) */
static bool run_hang(const struct insn *in, FILE *out)
{
    if (!in->loops || in->name[0] != 'j' || strcmp(in->name, "jmp") == 0)
        return false;
    long long value;
    const char *tab = strchr(in->before, '\t');
    if (!starts(in->before, "cmp") || !tab || !immediate(tab + 1, &value) || value < 10)
        return false;
    fputs("0:\tjmp\t0b\n", out);
    return true;
}

/* The remainder of two numbers of 64 bits has the wrong sign. */
static bool wrong_remainder(const struct insn *in, FILE *out)
{
    if (strcmp(in->name, "idivq") != 0)
        return false;
    fprintf(out, "\tidivq\t%s\n\tnegq\t%%rdx\n", in->args);
    return true;
}

/* What a shift of 32 bits to the left by a variable pushes out comes in again at the right. */
static bool wrong_rotate(const struct insn *in, FILE *out)
{
    if (strcmp(in->name, "sall") != 0 || !starts(in->args, "%cl"))
        return false;
    fprintf(out, "\troll\t%s\n", in->args);
    return true;
}

/* ~x of 64 bits is -x. (Not where gcc makes a complement of x ^ -1 or of x >= 0.) */
static bool wrong_complement(const struct insn *in, FILE *out)
{
    static const char *const pairs[][2] = {{"notq", "negq"}};
    return in->complement && exchange(pairs, 1, in, out);
}

/* A signed bit-field of up to 16 bits, which is read by two shifts, loses its sign. (Where no
 * member is named, such a shift belongs to the division of a small number.) */
static bool wrong_bit_field(const struct insn *in, FILE *out)
{
    static const char *const pairs[][2] = {{"sarb", "shrb"}, {"sarw", "shrw"}};
    return in->member && !starts(in->args, "%cl") && exchange(pairs, 2, in, out);
}

/* The sum of two doubles is their difference. (Not x + x, which is also how an unsigned number of
 * 64 bits becomes a double.) */
static bool wrong_double(const struct insn *in, FILE *out)
{
    const char *second = strchr(in->args, ',');
    if (strcmp(in->name, "addsd") != 0 || !second ||
        strncmp(in->args, second + 2, (size_t)(second - in->args)) == 0)
        return false;
    fprintf(out, "\tsubsd\t%s\n", in->args);
    return true;
}

/* A switch with a jump table takes its default for a place that is never reached. */
static bool run_default(const struct insn *in, FILE *out)
{
    if (!in->to_default)
        return false;
    fputs("\tjbe\t0f\n\tud2\n0:\n", out);
    return true;
}

/* Where the editor stands in the assembly. */
struct editor {
    struct job *job;
    const struct source *source;
    const bool *on;
    bool is_source[1000];    /* which file numbers of the line table are the program itself */
    bool is_operators[1000]; /* which are csmith's operators */
    bool ours;               /* the last .loc was a line that we may edit */
    unsigned line;           /* of that .loc */
    char before[128];        /* the last instruction */
    size_t number;           /* of the line of assembly, from 0 */
    bool *to_default;        /* by number: see struct insn */
    bool *label_seen;        /* by the number of .Lnumber */
    size_t label_room;
};

/* `.file 1 "dir/t.c"`, in DWARF 5 also `.file 0 "/dir" "t.c"`. */
static void see_file(struct editor *ed, const char *args)
{
    char *end;
    unsigned long number = strtoul(args, &end, 10);
    char name[4096];
    const char *last = strrchr(args, '"');
    if (end == args || !last || number >= sizeof ed->is_source / sizeof *ed->is_source)
        return;
    const char *open = last;
    while (open > args && open[-1] != '"')
        open--;
    snprintf(name, sizeof name, "%.*s", (int)(last - open), open);
    ed->is_source[number] = strcmp(base_name(name), base_name(ed->source->path)) == 0;
    ed->is_operators[number] = strcmp(base_name(name), "safe_math.h") == 0;
}

static void see_loc(struct editor *ed, const char *args)
{
    char *end;
    unsigned long file = strtoul(args, &end, 10);
    unsigned long line = strtoul(end, NULL, 10);
    const struct source *s = ed->source;
    ed->line = (unsigned)line;
    bool known = file < sizeof ed->is_source / sizeof *ed->is_source;
    bool spared = line <= s->lines && s->spared[line];
    ed->ours = known && (ed->is_operators[file] || (ed->is_source[file] && !spared));
}

/* Is this the number of a label that we met, .L12? If `meet`, we meet it now. */
static bool label(struct editor *ed, const char *name, bool meet)
{
    char *end;
    if (!starts(name, ".L"))
        return false;
    unsigned long number = strtoul(name + 2, &end, 10);
    if (end == name + 2 || number >= 10 * 1000 * 1000)
        return false;
    if (number >= ed->label_room && meet) {
        size_t room = 2 * number + 1000;
        bool *more = keep(ed->job, room * sizeof *more);
        if (ed->label_seen)
            memcpy(more, ed->label_seen, ed->label_room);
        ed->label_seen = more;
        ed->label_room = room;
    }
    if (meet)
        ed->label_seen[number] = true;
    return number < ed->label_room && ed->label_seen[number];
}

/* Does the program declare this object with `volatile TYPE NAME`? */
static bool declared_volatile(const struct source *s, const char *name, size_t len)
{
    for (size_t i = 2; i + 1 < s->count; i++) {
        const struct token *t = &s->tokens[i];
        if (t->len != len || memcmp(t->at, name, len) != 0 || !strchr(";=[,", t[1].at[0]))
            continue;
        size_t k = i - 1; /* back over the words of the type */
        while (k > 0 && is_word(s->tokens[k].at[0]) && !token_is(&s->tokens[k], "volatile"))
            k--;
        if (token_is(&s->tokens[k], "volatile"))
            return true;
    }
    return false;
}

/* "movl 4+g_5(%rip), %eax" of a volatile g_5. */
static bool loads_volatile(const struct source *s, const char *name, const char *args)
{
    size_t offset = strspn(args, "0123456789"), len = 0;
    const char *object = args + (offset && args[offset] == '+' ? offset + 1 : 0);
    while (is_word(object[len]))
        len++;
    return starts(name, "mov") && len > 0 && starts(object + len, "(%rip), %") &&
           declared_volatile(s, object, len);
}

static bool names_member(const struct source *s, unsigned line)
{
    for (size_t i = 1; i + 1 < s->count; i++) {
        const struct token *t = &s->tokens[i];
        bool arrow = token_is(t, ">") && token_is(t - 1, "-");
        if (t->line == line && (token_is(t, ".") || token_is(t, "->") || arrow) &&
            is_word(t[1].at[0]))
            return true;
    }
    return false;
}

static bool has_complement(const struct source *s, unsigned line)
{
    for (size_t i = 0; i < s->count; i++)
        if (s->tokens[i].line == line && token_is(&s->tokens[i], "~"))
            return true;
    return false;
}

/* Writes the instruction, edited or not. `line` is "\tname\targs\n". */
static void edit_insn(struct editor *ed, char *line, FILE *out)
{
    char copy[512];
    snprintf(copy, sizeof copy, "%.*s", (int)strcspn(line + 1, "\n"), line + 1);
    char *args = strchr(copy, '\t');
    if (args)
        *args++ = '\0';
    struct insn in = {.name = copy, .args = args ? args : "", .before = ed->before};
    in.loops = in.name[0] == 'j' && label(ed, in.args, false);
    in.volatile_load = loads_volatile(ed->source, in.name, in.args);
    in.member = starts(in.name, "sar") && names_member(ed->source, ed->line);
    in.complement = starts(in.name, "not") && has_complement(ed->source, ed->line);
    in.to_default = ed->to_default[ed->number];
    bool done = false;
    for (int f = 0; f < ASM_FAULTS && !done && ed->ours && strlen(line) < sizeof copy; f++) {
        done = ed->on[f] && asm_faults[f].edit(&in, out);
        if (done && ed->job->explain)
            fprintf(stderr, "%s:%u: %s: %s %s\n", ed->source->path, ed->line, asm_faults[f].name,
                    in.name, in.args);
    }
    if (!done)
        fputs(line, out);
    snprintf(ed->before, sizeof ed->before, "%.*s", (int)strcspn(line + 1, "\n"), line + 1);
}

/* Marks every "ja" ahead of a jump through a table: straight on leads to the table. */
static void find_defaults(struct editor *ed, FILE *in)
{
    char *line = NULL;
    size_t room = 0, count = 0, last = 0;
    while (getline(&line, &room, in) >= 0)
        count++;
    ed->to_default = keep(ed->job, (count + 1) * sizeof *ed->to_default);
    rewind(in);
    bool open = false;
    for (size_t i = 0; getline(&line, &room, in) >= 0; i++) {
        bool jumps = line[0] == '\t' && line[1] == 'j';
        if (starts(line, "\tja\t")) {
            open = true;
            last = i;
        } else if (starts(line, "\tjmp\t*") || starts(line, "\tnotrack jmp\t*")) {
            ed->to_default[last] = ed->to_default[last] || open;
            open = false;
        } else if (jumps || line[0] == '.') {
            open = false;
        }
    }
    rewind(in);
    free(line);
}

static void edit_assembly(struct job *job, const struct source *s, FILE *in, FILE *out)
{
    struct editor *ed = keep(job, sizeof *ed);
    *ed = (struct editor){.job = job, .source = s, .on = job->asm_on};
    find_defaults(ed, in);
    char *line = NULL;
    size_t room = 0;
    for (; getline(&line, &room, in) >= 0; ed->number++) {
        if (line[0] == '\t' && isalpha((unsigned char)line[1])) {
            edit_insn(ed, line, out);
            continue;
        }
        if (starts(line, "\t.file "))
            see_file(ed, line + strlen("\t.file "));
        else if (starts(line, "\t.loc "))
            see_loc(ed, line + strlen("\t.loc "));
        else if (line[0] == '.')
            label(ed, line, true);
        fputs(line, out);
    }
    free(line);
}

/* ------------------------------------------------------------------ gcc as a child */

/* The files for argument `at`: what gcc made of it, and the same with our edits. The latter has
 * the name of the source, in a folder of its own, for gcc to derive its default output from. */
static char *plain_path(struct job *job, size_t at)
{
    return keep_text(job, "%s/%zu.s", job->folder, at);
}

static char *edited_path(struct job *job, size_t at)
{
    const char *name = base_name(job->args[at]);
    return keep_text(job, "%s/%zu/%.*s.s", job->folder, at, (int)strlen(name) - 2, name);
}

static void remove_folder(struct job *job)
{
    if (!job->folder)
        return;
    for (size_t i = 0; i < job->arg_count; i++)
        if (job->kind[i] == ARG_SOURCE) {
            unlink(plain_path(job, i));
            unlink(edited_path(job, i));
            rmdir(keep_text(job, "%s/%zu", job->folder, i));
        }
    rmdir(job->folder);
    job->folder = NULL;
}

/* Runs gcc and waits; returns its wait status. The signals that would end us are blocked while
 * there are files to remove: here is where we take them, pass them on, and remember them. */
static int run_gcc(struct job *job, char **args)
{
    sigset_t wanted, old;
    signal(SIGCHLD, SIG_DFL); /* whoever ignores it passes that on to us, and wait would fail */
    sigemptyset(&wanted);
    const int taken[] = {SIGCHLD, SIGTERM, SIGINT, SIGHUP};
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        sigaddset(&wanted, taken[i]);
    sigprocmask(SIG_BLOCK, &wanted, &old);
    fflush(NULL);
    pid_t pid = fork();
    if (pid < 0) {
        remove_folder(job);
        fail("cannot fork: %s", strerror(errno));
    }
    if (pid == 0) {
        sigprocmask(SIG_UNBLOCK, &wanted, NULL);
        execvp(args[0], args);
        fprintf(stderr, "faulty-cc: cannot start %s: %s\n", args[0], strerror(errno));
        _exit(127);
    }
    int status, end = 0;
    while (waitpid(pid, &status, WNOHANG) == 0) {
        int sig = sigwaitinfo(&wanted, NULL);
        if (sig > 0 && sig != SIGCHLD) {
            kill(pid, sig);
            end = sig;
        }
    }
    if (end) {
        remove_folder(job);
        die_of_signal(end);
    }
    sigprocmask(SIG_SETMASK, &old, NULL);
    return status;
}

/* Ends as gcc did, unless it did well. */
static void relay(struct job *job, int status)
{
    if (status == 0)
        return;
    remove_folder(job);
    if (WIFSIGNALED(status))
        die_of_signal(WTERMSIG(status));
    exit(WEXITSTATUS(status));
}

/* gcc -S for the source that is argument `at`, then the edits. */
static void compile_to_assembly(struct job *job, const struct source *s, size_t at)
{
    char **args = keep(job, (job->arg_count + 7) * sizeof *args);
    size_t n = 0;
    args[n++] = "gcc";
    args[n++] = "-g1"; /* ahead of the user's own -g */
    for (size_t i = 0; i < job->arg_count; i++)
        if (job->kind[i] == ARG_OPTION && strcmp(job->args[i], "-c") != 0)
            args[n++] = job->args[i];
    args[n++] = "-S";
    args[n++] = "-o";
    args[n++] = plain_path(job, at);
    args[n++] = job->args[at];
    relay(job, run_gcc(job, args));

    char *edited = edited_path(job, at);
    mkdir(keep_text(job, "%s/%zu", job->folder, at), 0700);
    FILE *in = fopen(plain_path(job, at), "r"), *out = fopen(edited, "w");
    if (in && out)
        edit_assembly(job, s, in, out);
    bool good = in && out && !ferror(in) && !ferror(out);
    if (in)
        fclose(in);
    if (out && fclose(out) != 0)
        good = false;
    if (!good) {
        remove_folder(job);
        fail("cannot edit the assembly of %s: %s", s->path, strerror(errno));
    }
}

/* The call as it was, with the edited assembly for each source. gcc would not copy assembly to
 * assembly: for -S, cp does. */
static void finish(struct job *job)
{
    char **args = keep(job, (job->arg_count + 5) * sizeof *args);
    size_t n = 0;
    args[n++] = "gcc";
    for (size_t i = 0; i < job->arg_count; i++) {
        if (job->kind[i] == ARG_SOURCE && job->only_assembly) {
            const char *name = base_name(edited_path(job, i));
            const char *to = job->output ? job->output : name;
            char *copy[] = {"cp", "--", edited_path(job, i), keep_text(job, "%s", to), NULL};
            relay(job, run_gcc(job, copy));
        } else if (job->kind[i] == ARG_SOURCE) {
            args[n++] = edited_path(job, i);
        } else if (!starts(job->args[i], "-g")) { /* the line table is in the assembly already */
            args[n++] = job->args[i];
        }
    }
    if (!job->only_assembly)
        relay(job, run_gcc(job, args));
}

/* ------------------------------------------------------------------ the command line */

static _Noreturn void bad_fault(const char *name)
{
    fprintf(stderr, "faulty-cc: there is no fault '%s'; there are: all dozen", name);
    for (int f = 0; f < TEXT_FAULTS; f++)
        fprintf(stderr, " %s", text_faults[f].name);
    for (int f = 0; f < ASM_FAULTS; f++)
        fprintf(stderr, " %s", asm_faults[f].name);
    fputc('\n', stderr);
    exit(STATUS_USAGE);
}

static void switch_on(struct job *job, const char *name)
{
    bool all = strcmp(name, "all") == 0, dozen = strcmp(name, "dozen") == 0, known = false;
    for (int f = 0; f < TEXT_FAULTS; f++)
        if (all || (dozen && text_faults[f].dozen) || strcmp(name, text_faults[f].name) == 0)
            known = job->text_on[f] = true;
    for (int f = 0; f < ASM_FAULTS; f++)
        if (all || (dozen && asm_faults[f].dozen) || strcmp(name, asm_faults[f].name) == 0)
            known = job->asm_on[f] = true;
    if (!known)
        bad_fault(name);
}

/* Does gcc take the next argument as the value of this one? */
static bool takes_value(const char *arg)
{
    static const char *const takers[] = {"-I",
                                         "-D",
                                         "-U",
                                         "-L",
                                         "-l",
                                         "-include",
                                         "-imacros",
                                         "-isystem",
                                         "-iquote",
                                         "-idirafter",
                                         "-iprefix",
                                         "-iwithprefix",
                                         "-isysroot",
                                         "-MF",
                                         "-MT",
                                         "-MQ",
                                         "-T",
                                         "-u",
                                         "-z",
                                         "-B",
                                         "-Xlinker",
                                         "-Xassembler",
                                         "-Xpreprocessor",
                                         "--param",
                                         "-aux-info",
                                         "-dumpbase",
                                         "-e"};
    for (size_t i = 0; i < sizeof takers / sizeof *takers; i++)
        if (strcmp(arg, takers[i]) == 0)
            return true;
    return false;
}

/* Calls whose way we do not follow: they compile nothing, or not from files called *.c. */
static bool leave_to_gcc(const char *arg)
{
    return strcmp(arg, "-E") == 0 || strcmp(arg, "-M") == 0 || strcmp(arg, "-MM") == 0 ||
           strcmp(arg, "-fsyntax-only") == 0 || strcmp(arg, "-###") == 0 || starts(arg, "-x") ||
           arg[0] == '@';
}

static bool is_c_file(const char *arg)
{
    size_t len = strlen(arg);
    return len > 2 && strcmp(arg + len - 2, ".c") == 0;
}

static void add_arg(struct job *job, char *arg, enum arg_kind kind)
{
    job->kind[job->arg_count] = (char)kind;
    job->args[job->arg_count++] = arg;
}

static void read_args(struct job *job, int argc, char **argv)
{
    job->args = keep(job, ((size_t)argc + 1) * sizeof *job->args);
    job->kind = keep(job, (size_t)argc + 1);
    for (int i = 1; i < argc; i++) {
        char *arg = argv[i];
        if (starts(arg, "-ffault=")) {
            switch_on(job, arg + strlen("-ffault="));
        } else if (strcmp(arg, "-o") == 0 && i + 1 < argc) {
            add_arg(job, arg, ARG_OUTPUT);
            add_arg(job, argv[++i], ARG_OUTPUT);
            job->output = argv[i];
        } else if (starts(arg, "-o") && arg[2]) {
            add_arg(job, arg, ARG_OUTPUT);
            job->output = arg + 2;
        } else if (arg[0] != '-') {
            add_arg(job, arg, is_c_file(arg) ? ARG_SOURCE : ARG_INPUT);
        } else {
            add_arg(job, arg, ARG_OPTION);
            if (takes_value(arg) && i + 1 < argc)
                add_arg(job, argv[++i], ARG_OPTION);
        }
        job->whole = job->whole || leave_to_gcc(arg);
        job->only_assembly = job->only_assembly || strcmp(arg, "-S") == 0;
    }
}

/* "faulty-cc 1.0 (gcc 12.2.0)". */
static int print_version(struct job *job)
{
    int ends[2];
    char version[64] = "";
    if (pipe(ends) != 0)
        fail("cannot make a pipe: %s", strerror(errno));
    pid_t pid = fork();
    if (pid < 0)
        fail("cannot fork: %s", strerror(errno));
    if (pid == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        execlp("gcc", "gcc", "-dumpfullversion", (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    ssize_t got = read(ends[0], version, sizeof version - 1);
    close(ends[0]);
    int status;
    if (waitpid(pid, &status, 0) < 0 || got <= 0)
        status = STATUS_USAGE << 8;
    version[got > 0 ? got : 0] = '\0';
    if (status == 0)
        printf("faulty-cc 1.0 (gcc %.*s)\n", (int)strcspn(version, "\n"), version);
    relay(job, status);
    return 0;
}

static bool any(const bool *on, size_t count)
{
    return memchr(on, true, count) != NULL;
}

static void make_folder(struct job *job)
{
    const char *parent = getenv("TMPDIR");
    job->folder = keep_text(job, "%s/faulty-cc-XXXXXX", parent && *parent ? parent : "/tmp");
    if (!mkdtemp(job->folder))
        fail("cannot make the folder %s: %s", job->folder, strerror(errno));
}

/* Every signal that we can outlive waits until our files are gone; see run_gcc. */
static void hold_signals(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGHUP);
    sigprocmask(SIG_BLOCK, &set, NULL);
}

static void compile(struct job *job)
{
    struct source *sources = keep(job, (job->arg_count + 1) * sizeof *sources);
    size_t read = 0, count = 0;
    for (size_t i = 0; i < job->arg_count && !job->whole; i++)
        if (job->kind[i] == ARG_SOURCE) {
            count++;
            read += source_read(job, &sources[i], job->args[i]);
        }
    if (count == 0 || read < count) {
        job->whole = true;
        return;
    }
    for (size_t i = 0; i < job->arg_count; i++)
        if (job->kind[i] == ARG_SOURCE)
            apply_text_faults(job, &sources[i]);
    if (!any(job->asm_on, ASM_FAULTS)) {
        job->whole = true;
        return;
    }
    hold_signals();
    make_folder(job);
    for (size_t i = 0; i < job->arg_count; i++)
        if (job->kind[i] == ARG_SOURCE)
            compile_to_assembly(job, &sources[i], i);
    finish(job);
    remove_folder(job);
}

int main(int argc, char **argv)
{
    struct job job = {.explain = getenv("FAULTY_CC_EXPLAIN") != NULL, .command = argv};
    int status = 0;
    read_args(&job, argc, argv);
    if (argc == 2 && strcmp(argv[1], "--version") == 0) {
        status = print_version(&job);
    } else {
        compile(&job);
        if (job.whole) {
            argv[0] = "gcc";
            memcpy(argv + 1, job.args, (job.arg_count + 1) * sizeof *argv);
            execvp("gcc", argv);
            fail("cannot start gcc: %s", strerror(errno));
        }
    }
    for (struct block *next; job.kept; job.kept = next) {
        next = job.kept->next;
        free(job.kept);
    }
    return status;
}
