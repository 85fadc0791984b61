/* A short command line: which of the accused compiler's flags does the failure need?
 *
 * First the level of optimisation goes down as far as it can, because most of what a level switches
 * on is then out of the question (triage asks for the rest). Then words are taken away by delta
 * debugging, until no single one can go. Words that belong together (`-mllvm -x`) go together, and
 * those that stay keep their order: the last of two contrary flags wins. */
#include "reduce/reduce.h"

#include <string.h>

/* Options whose argument is the next word, even if that begins with a dash. */
static const char *const takes_word[] = {
    "-mllvm",    "--param", "-Xclang",  "-Xlinker", "-Xassembler", "-Xpreprocessor",
    "-Xarch",    "-plugin", "-include", "-imacros", "-isystem",    "-idirafter",
    "-iquote",   "-I",      "-D",       "-U",       "-L",          "-l",
    "-x",        "-T",      "-u",       "-z",       "-target",     "-arch",
    "--sysroot", "-B",      "-iprefix", "--target", "-isysroot",   "-fplugin-arg",
};

/* Levels, and how many of the plain ones, -O0 -O1 -O2 -O3, are simpler. */
static const struct level {
    const char *word;
    int simpler;
} levels[] = {
    {"-O0", 0}, {"-O1", 1}, {"-O", 1},  {"-Og", 1},    {"-O2", 2},
    {"-Os", 3}, {"-Oz", 3}, {"-O3", 3}, {"-Ofast", 4}, {"-O4", 4},
};
static const char *const plain_levels[] = {"-O0", "-O1", "-O2", "-O3"};

typedef VEC(const char *) words;

struct command {
    struct reduction *r;
    struct arena a;
    words at;     /* a word, or several that go together */
    size_t level; /* index of the level under search */
    int simpler;  /* how many simpler ones there are */
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n';
}

/* The end of the word that begins here; quotes and backslashes as in sh. */
static const char *word_end(const char *s)
{
    char quote = 0;
    for (; *s && (quote || !is_blank(*s)); s++) {
        if (*s == '\\' && quote != '\'' && s[1])
            s++;
        else if (quote ? *s == quote : *s == '"' || *s == '\'')
            quote = quote ? 0 : *s;
    }
    return s;
}

static bool is_pair(const char *word, size_t n)
{
    for (size_t i = 0; i < sizeof takes_word / sizeof *takes_word; i++)
        if (strlen(takes_word[i]) == n && !memcmp(takes_word[i], word, n))
            return true;
    return false;
}

static void split(struct command *c, const char *flags)
{
    const char *s = flags;
    for (;;) {
        while (is_blank(*s))
            s++;
        if (!*s)
            return;
        const char *from = s;
        s = word_end(s);
        if (is_pair(from, (size_t)(s - from))) {
            const char *next = s;
            while (is_blank(*next))
                next++;
            s = *next ? word_end(next) : s;
        }
        vec_push(&c->at, arena_memdup(&c->a, from, (size_t)(s - from)));
    }
}

/* Words from .. from + n - 1 become `with`, or nothing. */
static const char *join(const struct command *c, size_t from, size_t n, const char *with,
                        struct arena *a)
{
    struct strbuf out;
    strbuf_init(&out, 0);
    for (size_t i = 0; i < c->at.n; i++) {
        bool gone = i >= from && i < from + n;
        const char *word = gone ? i == from ? with : NULL : c->at.at[i];
        if (word)
            strbuf_addf(&out, "%s%s", out.n ? " " : "", word);
    }
    return strbuf_keep(&out, a);
}

/* -- levels ------------------------------------------------------------------------------------ */

static const struct level *level_of(const char *word)
{
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
        if (!strcmp(levels[i].word, word))
            return &levels[i];
    return NULL;
}

/* Candidate 0 has no level at all, then -O0, -O1, ...: the first that is interesting is the
 * simplest. */
static const char *simpler_level(size_t i)
{
    return i == 0 ? NULL : plain_levels[i - 1];
}

static enum reduce_made make_level(void *of, size_t i, struct arena *a, struct reduce_case *out)
{
    const struct command *c = of;
    if (i > (size_t)c->simpler)
        return REDUCE_END;
    *out = c->r->best;
    out->flags = join(c, c->level, 1, simpler_level(i), a);
    return REDUCE_MADE;
}

static void remove_words(struct command *c, size_t from, size_t n)
{
    memmove(c->at.at + from, c->at.at + from + n, (c->at.n - from - n) * sizeof *c->at.at);
    c->at.n -= n;
}

static int lower_levels(struct command *c, struct error *e)
{
    int kept = 0;
    for (c->level = c->at.n; c->level-- > 0;) {
        const struct level *now = level_of(c->at.at[c->level]);
        if (!now)
            continue;
        struct reduce_space space = {c, make_level};
        size_t found = 0;
        c->simpler = now->simpler;
        int status = reduction_first(c->r, &space, &found, e);
        if (status < 0)
            return -1;
        if (status && found == 0)
            remove_words(c, c->level, 1);
        else if (status)
            c->at.at[c->level] = simpler_level(found);
        kept += status;
    }
    return kept;
}

/* -- words ------------------------------------------------------------------------------------- */

static size_t count_words(void *of)
{
    return ((const struct command *)of)->at.n;
}

static enum reduce_made make_without(void *of, size_t from, size_t n, struct arena *a,
                                     struct reduce_case *out)
{
    const struct command *c = of;
    *out = c->r->best;
    out->flags = join(c, from, n, NULL, a);
    return REDUCE_MADE;
}

static void took_words(void *of, size_t from, size_t n)
{
    remove_words(of, from, n);
}

static int reduce_words(struct command *c, struct error *e)
{
    const struct reduce_atoms atoms = {
        .of = c, .count = count_words, .make = make_without, .took = took_words};
    int kept = lower_levels(c, e), more;
    if (kept < 0)
        return -1;
    do {
        more = reduction_atoms(c->r, &atoms, e);
        kept += more;
    } while (more > 0);
    return more < 0 ? -1 : kept;
}

int reduce_flags(struct reduction *r, struct error *e)
{
    struct command c = {.r = r};
    arena_init(&c.a);
    r->pass = "flags";
    split(&c, r->best.flags);
    int kept = reduce_words(&c, e);
    vec_release(&c.at);
    arena_release(&c.a);
    return kept;
}
