#include "gen/lm/repair.h"
#include "base/child.h"
#include "base/fs.h"
#include "base/pattern.h"
#include "base/sees.h"
#include "base/text.h"

#include <string.h>

static const struct child_limits limits = {.wall_ms = 30000,
                                           .cpu_ms = 10000,
                                           .memory_bytes = (int64_t)4 << 30,
                                           .file_bytes = 64 << 20,
                                           .output_bytes = 4 << 20};

/* That of gcc and clang. */
static const char usual[] = "^[^:\n]*:([0-9]+):([0-9]+): (fatal )?error: ";

/* -- the checker ------------------------------------------------------------------------------- */

static int group_number(const char *text, const regmatch_t *m)
{
    return m->rm_so < 0 ? 0 : atoi(text + m->rm_so);
}

void lm_check_read(const struct lm_language *l, const char *messages, struct lm_check *out)
{
    struct pattern position;
    regmatch_t m[3] = {{-1, -1}, {-1, -1}, {-1, -1}};
    *out = (struct lm_check){0};
    text_copy(out->message, sizeof out->message, messages);
    out->message[strcspn(out->message, "\n")] = '\0';
    if (pattern_compile(&position, l->position ? l->position : usual, NULL))
        return;
    if (!regexec(&position.regex, messages, 3, m, 0)) {
        const char *line = messages + m[0].rm_so, *end = messages + m[0].rm_eo;
        while (line > messages && line[-1] != '\n')
            line--;
        /* the sentence, where the place stands before it; else the line */
        const char *said = l->position ? line : end;
        text_copy(out->message, sizeof out->message, said);
        out->message[strcspn(out->message, "\n")] = '\0';
        out->line = group_number(messages, &m[1]);
        out->column = position.regex.re_nsub > 1 ? group_number(messages, &m[2]) : 0;
        out->placed = out->line > 0;
    }
    pattern_release(&position);
}

/* In the sandbox: the text may include whatever it likes. What the language's author names by a
 * path is seen. */
static int run_check(struct lm_checker *c, const char *file, struct child_result *r,
                     struct error *e)
{
    struct arena a;
    char **words;
    sees_list sees = {0};
    arena_init(&a);
    int n = text_split(&a, c->language->check, &words), status = -1;
    if (n < 1) {
        error_set(e, ERROR_USAGE, "%s: check = %s is not a command", c->language->file,
                  c->language->check);
    } else {
        for (int i = 0; i < n; i++) {
            sees_add_word(&a, &sees, words[i]);
            words[i] = text_fill(&a, words[i], "{src}", file, NULL);
        }
        vec_push(&sees, NULL);
        const char *const env[] = {"LC_ALL=C", NULL};
        struct child_spec spec = {.argv = (const char *const *)words,
                                  .cwd = c->folder,
                                  .env = env,
                                  .limits = limits,
                                  .sandbox = {.on = true, .work_writable = true, .sees = sees.at},
                                  .stop = c->stop};
        status = child_run(&spec, r, e);
        if (!status && r->end == CHILD_NOT_STARTED)
            status = error_set(e, ERROR_ENVIRONMENT,
                               "%s cannot be started (%s): install it, or set --repair=0", words[0],
                               r->err.s);
    }
    vec_release(&sees);
    arena_release(&a);
    return status;
}

int lm_check_text(struct lm_checker *c, const char *text, size_t n, struct lm_check *out,
                  struct error *e)
{
    struct child_result r;
    char file[64];
    *out = (struct lm_check){0};
    snprintf(file, sizeof file, "t%s", c->language->suffix);
    if (fs_write_in(c->folder, file, text, n, e)) /* the last check may have left a link there */
        return -1;
    child_result_init(&r, 1 << 16, 1 << 16);
    int status = run_check(c, file, &r, e);
    if (!status) {
        c->cpu_us += r.user_us + r.system_us;
        bool good = r.end == CHILD_EXITED && r.status == 0;
        if (good)
            out->good = true;
        else
            lm_check_read(c->language, r.err.n ? r.err.s : r.out.s, out);
        if (!good && r.end != CHILD_EXITED) /* a crash of the checker is a find, not an error */
            text_copy(out->message, sizeof out->message, child_end_name[r.end]);
    }
    child_result_release(&r);
    return status;
}

const char *lm_check_version(const struct lm_language *l, struct arena *a)
{
    struct child_result r;
    struct error ignored;
    char **words;
    if (!l->check || text_split(a, l->check, &words) < 1)
        return "";
    const char *argv[] = {words[0], "--version", NULL};
    struct child_spec spec = {.argv = argv, .limits = limits};
    child_result_init(&r, 4096, 4096);
    bool ran = !child_run(&spec, &r, &ignored) && r.end == CHILD_EXITED;
    if (ran && r.status) { /* as of old */
        argv[1] = "-v";
        ran = !child_run(&spec, &r, &ignored) && r.end == CHILD_EXITED;
    }
    const char *said = r.out.n ? r.out.s : r.err.s;
    char *line = arena_memdup(a, ran ? said : "", ran ? strcspn(said, "\n") : 0);
    for (char *c = line; *c; c++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-+:~()", *c))
            *c = '_';
    child_result_release(&r);
    return line;
}

/* -- where to go back to ----------------------------------------------------------------------- */

enum place { AT_WORD, AT_STATEMENT, AT_END };

/* What messages ask for; the first row that is in the message. */
static const struct {
    const char *says;
    enum place place;
} kinds[] = {
    {"undeclared identifier", AT_WORD},
    {"undeclared (first use", AT_WORD},
    {"no member named", AT_WORD},
    {"redefinition", AT_WORD},
    {"unknown type name", AT_WORD},
    {"implicit declaration", AT_WORD},
    {"no matching", AT_STATEMENT},
    {"ambiguous", AT_STATEMENT},
    {"incompatible", AT_STATEMENT},
    {"invalid operands", AT_STATEMENT},
    {"cannot convert", AT_STATEMENT},
    {"at end of input", AT_END},
    {"end of file", AT_END},
    {"extraneous closing", AT_WORD},
};

static enum place place_of(const struct lm_check *c, bool at_end)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strstr(c->message, kinds[i].says))
            return kinds[i].place;
    return at_end ? AT_END : AT_STATEMENT;
}

static size_t byte_of(const struct strbuf *text, const struct lm_check *c)
{
    size_t at = 0;
    for (int line = 1; line < c->line && at < text->n; line++) {
        const char *next = memchr(text->s + at, '\n', text->n - at);
        if (!next)
            return text->n;
        at = (size_t)(next - text->s) + 1;
    }
    if (c->column > 0)
        at += (size_t)c->column - 1;
    else
        at += strspn(text->s + (at < text->n ? at : text->n), " \t");
    return at < text->n ? at : text->n;
}

/* How many statements before the one that is wrong, by attempt since the last progress: an error is
 * often seen behind what causes it. */
static const int statements_back[] = {0, 0, 1, 0, 2, 1, 4, 3};

static void go_back(struct lm_writer *w, const struct lm_check *c, int since)
{
    const struct strbuf *text = lm_writer_text(w);
    size_t byte = c->placed ? byte_of(text, c) : text->n;
    bool at_end = byte >= text->n;
    size_t token = lm_writer_token_at(w, at_end && text->n ? text->n - 1 : byte);
    enum place place = place_of(c, at_end);
    int rows = (int)(sizeof statements_back / sizeof *statements_back);
    int back = statements_back[since % rows];
    bool to_word = place == AT_WORD ? since < 2 : since % 2 == 1;
    lm_writer_back(w, to_word ? token : lm_writer_statement_at(w, token, back));
}

/* -- the loop ---------------------------------------------------------------------------------- */

struct best {
    lm_tokens tokens;
    struct lm_check check;
    size_t byte; /* of its first error */
    int since;   /* attempts without progress */
};

static void keep(struct best *b, const struct lm_writer *w, const struct lm_check *c)
{
    lm_writer_keep(w, &b->tokens);
    b->check = *c;
    b->byte = c->placed ? byte_of(lm_writer_text(w), c) : lm_writer_text(w)->n;
    b->since = 0;
}

/* The program at hand is good, gets further than the best, or is dropped. */
static int judge(struct best *b, struct lm_writer *w, struct lm_checker *checker, struct error *e)
{
    struct lm_check check;
    const struct strbuf *text = lm_writer_text(w);
    if (lm_check_text(checker, text->s, text->n, &check, e))
        return -1;
    size_t byte = check.good ? SIZE_MAX : check.placed ? byte_of(text, &check) : text->n;
    if (check.good || byte > b->byte)
        keep(b, w, &check);
    else
        b->since++;
    return 0;
}

static bool is_unfinished(const struct lm_check *c)
{
    return place_of(c, false) == AT_END;
}

int lm_repair(struct lm_writer *w, struct lm_checker *checker, int most, struct choice *c,
              struct lm_repair *out, struct error *e)
{
    struct best best = {0};
    const struct strbuf *text = lm_writer_text(w);
    int status;
    *out = (struct lm_repair){0};
    status = lm_check_text(checker, text->s, text->n, &best.check, e);
    keep(&best, w, &best.check);
    while (!status && !best.check.good && out->attempts < most &&
           !(checker->stop && *checker->stop)) {
        lm_writer_restore(w, &best.tokens);
        out->attempts++;
        if (is_unfinished(&best.check) && best.since == 0) {
            lm_writer_close(w);
        } else {
            go_back(w, &best.check, best.since);
            lm_writer_run(w, c);
        }
        status = judge(&best, w, checker, e);
    }
    lm_writer_restore(w, &best.tokens);
    out->last = best.check;
    vec_release(&best.tokens);
    return status;
}
