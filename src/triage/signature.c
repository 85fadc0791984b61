/* Signatures: what the compiler says of the bug, or where nothing is said, the testbed.
 *
 * Of a crash the assertion and its place count most, then the frames of a stack dump (crash.c);
 * else the most telling line of the messages is taken, with places, names and numbers generalised.
 */
#include "triage/signature.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "program/undefined.h"
#include "triage/triage_internal.h"

#include <ctype.h>

enum { LONGEST = 240 };

static bool contains(const char *line, size_t n, const char *word)
{
    return memmem(line, n, word, strlen(word)) != NULL;
}

static int interest(const struct testbed *t, const char *line, size_t n)
{
    char copy[TEXT_LINE_MOST + 1];
    memcpy(copy, line, n);
    copy[n] = '\0';
    if (strspn(copy, " \t") == n)
        return 0;
    /* The request for a report and the driver's farewell come with every crash. */
    bool polite = contains(line, n, "ubmit a ") || contains(line, n, "due to signal");
    for (int i = 0; i < t->n_crash; i++)
        if (regexec(&t->crash[i].regex, copy, 0, NULL, 0) == 0)
            return polite ? 2 : 4;
    /* The driver's farewell is not what went wrong: it stands above. */
    if (contains(line, n, "ld returned") || contains(line, n, "terminated with status"))
        return 1;
    if (contains(line, n, "rror:") || contains(line, n, "ssertion") ||
        contains(line, n, "undefined reference"))
        return 3;
    /* Nor are the linker's remarks on stacks. */
    return contains(line, n, "warning:") || contains(line, n, "NOTE:") ? 1 : 2;
}

/* What the toolchain file says is the message; else the most interesting line. */
static void telling_line(const struct testbed *t, const char *messages, const char **line,
                         size_t *length)
{
    regmatch_t m[2];
    if (t->message.text && regexec(&t->message.regex, messages, 2, m, 0) == 0 && m[1].rm_so >= 0) {
        *line = messages + m[1].rm_so;
        *length = (size_t)(m[1].rm_eo - m[1].rm_so);
        return;
    }
    int best = 0;
    *line = "";
    *length = 0;
    for (const char *at = messages; *at;) {
        size_t n = strcspn(at, "\n");
        int value = interest(t, at, n);
        if (value > best) {
            best = value;
            *line = at;
            *length = n;
        }
        at += n + (at[n] == '\n');
    }
}

/* Does the line speak of the program's grammar? */
static bool is_about_syntax(const char *line, size_t n)
{
    static const char *const words[] = {"expected", "before", "after", "token", "syntax",  "near",
                                        "got",      "parse",  "stray", "extra", "missing", "found"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (contains(line, n, words[i]))
            return true;
    return false;
}

/* How long is the place in the program, "cache/tempfile_x1.cl:12:5:", that stands here? 0: none. */
static size_t program_place(const char *p, const char *end, const char *suffix)
{
    const char *word = p;
    while (p < end && !isspace((unsigned char)*p))
        p++;
    size_t n = (size_t)(p - word), k = strlen(suffix);
    const char *at = k ? memmem(word, n, suffix, k) : NULL;
    bool place = at && word[n - 1] == ':' && (size_t)(at - word) + k + 1 < n && at[k] == ':' &&
                 isdigit((unsigned char)at[k + 1]);
    return place ? n : 0;
}

/* How long is the name between double quotes that stands here, with them? 0: none. */
static size_t quoted_name(const char *p, const char *end)
{
    const char *at = p + 1;
    if (*p != '"' || at == end || isdigit((unsigned char)*at))
        return 0;
    while (at < end && (isalnum((unsigned char)*at) || *at == '_'))
        at++;
    return at > p + 1 && at < end && *at == '"' ? (size_t)(at + 1 - p) : 0;
}

/* A symbol that the linker lacks is what the compiler calls, and tells which of its bugs it is:
 * kept unless it is a generated name, with a number in it. Those that begin with __ are not
 * generated. */
static bool is_missing_symbol(const char *line, const char *quote, const char *quote_end)
{
    static const char before[] = "undefined reference to ";
    size_t n = sizeof before - 1;
    if ((size_t)(quote - line) < n || memcmp(quote - n, before, n) != 0)
        return false;
    if (quote_end - quote > 2 && quote[1] == '_' && quote[2] == '_')
        return true;
    for (const char *p = quote + 1; p < quote_end; p++)
        if (!isalpha((unsigned char)*p) && *p != '_')
            return false;
    return true;
}

/* "t.c:12:5: error: 'x' undeclared" -> "error: '' undeclared": drop the place in front, what is
 * quoted, and every number; and places in the program, whose suffix is given, anywhere. */
static void generalise(const char *line, size_t n, const char *suffix, struct strbuf *out)
{
    const char *end = line + n;
    const char *p = line;
    bool syntax = is_about_syntax(line, n);
    for (const char *q = line; q < end && !isspace((unsigned char)*q); q++)
        if (*q == ':' && q + 1 < end && q[1] == ' ') /* "word: " in front is a place or a tool */
            p = q + 2;
    if (p == end)
        p = line;
    bool space = false;
    while (p < end) {
        unsigned char c = (unsigned char)*p;
        bool begins = p == line || isspace((unsigned char)p[-1]);
        size_t place = begins ? program_place(p, end, suffix) : 0;
        if (isspace(c) || place) {
            space = true;
            p += place ? place : 1;
            continue;
        }
        if (space && out->n)
            strbuf_addc(out, ' ');
        space = false;
        char close = c == '\'' ? '\'' : c == '`' ? '\'' : '\0';
        const char *quote_end = close ? memchr(p + 1, close, (size_t)(end - p - 1)) : NULL;
        if (quote_end) {
            /* Punctuation is the parser's token where the message is about syntax, and tells much;
             * elsewhere it is a piece of the program, as a name is anywhere, and tells nothing. */
            bool name = isalnum((unsigned char)p[1]) || p[1] == '_';
            strbuf_addc(out, '\'');
            if ((!name && syntax) || is_missing_symbol(line, p, quote_end))
                strbuf_add(out, p + 1, (size_t)(quote_end - p - 1));
            strbuf_addc(out, '\'');
            p = quote_end + 1;
        } else if (syntax && quoted_name(p, end)) { /* a parser's token, as it stands there */
            p += quoted_name(p, end);
            strbuf_adds(out, "\"N\"");
        } else if (isdigit(c)) {
            while (p < end && isxdigit((unsigned char)*p))
                p++;
            strbuf_addc(out, 'N');
        } else if (isalpha(c) || c == '_') {
            const char *start = p;
            bool digits = false;
            while (p < end && (isalnum((unsigned char)*p) || *p == '_'))
                digits |= isdigit((unsigned char)*p++) != 0;
            if (digits) /* l_123, g_7: a generated name */
                strbuf_addc(out, 'N');
            else
                strbuf_add(out, start, (size_t)(p - start));
        } else {
            strbuf_addc(out, (char)c);
            p++;
        }
    }
}

static bool is_plain(const char *text);

/* A compiler died while it wrote, and nobody told: what the assembler or the linker say of the rest
 * depends on where it ended. */
static bool is_truncated(const char *messages)
{
    return strstr(messages, "end of file not at end of a line; newline inserted") ||
           strstr(messages, "undefined reference to `main'");
}

/* What a crash or a rejection says, in `out`. */
static void say(struct arena *a, const struct testbed *t, const struct observation *o, bool crash,
                struct strbuf *out)
{
    bool vague = true;
    const char *place = crash ? crash_place(a, o->messages, &vague) : NULL;
    if (place) {
        strbuf_adds(out, place);
    } else if (crash && is_truncated(o->messages)) {
        strbuf_adds(out, "truncated output");
    } else {
        const char *line;
        size_t n;
        telling_line(t, o->messages, &line, &n);
        generalise(line, n, t->suffix ? t->suffix : "", out);
        if (!out->n)
            strbuf_adds(out, o->detail);
        vague = crash && is_plain(out->s);
    }
    const char *frames = vague && crash ? crash_frames(a, o->messages) : NULL;
    if (!frames && vague && crash && !place)
        frames = crash_pass(a, o->messages);
    if (!frames)
        return;
    /* What a driver says of the death of its child differs with its version and its shell. */
    if (!place && !strstr(out->s, "internal compiler error")) {
        strbuf_clear(out);
        strbuf_adds(out, "crash");
    }
    strbuf_addf(out, " [%s]", frames);
}

/* A run that crashed: of a program that was compiled its end is all there is; an interpreter, a
 * solver or a database may have said more. */
static void say_run(struct arena *a, const struct testbed *t, const struct observation *o,
                    struct strbuf *out)
{
    bool compiled = t->compile && t->compile[0] && !t->n_run_crash, vague = true;
    const char *messages = compiled ? "" : *o->messages ? o->messages : o->output.data;
    const char *place = crash_place(a, messages, &vague);
    const char *frames = vague ? crash_frames(a, messages) : NULL;
    if (place)
        strbuf_adds(out, place);
    else if (is_plain(o->detail))
        strbuf_adds(out, o->detail);
    else
        generalise(o->detail, strlen(o->detail), "", out);
    if (frames)
        strbuf_addf(out, " [%s]", frames);
}

/* Colours hide where a line begins, and what is a number. */
static const char *without_colours(struct arena *a, const char *text)
{
    if (!strchr(text, '\033'))
        return text;
    char *copy = arena_strdup(a, text), *out = copy;
    for (const char *p = text; *p;) {
        if (p[0] == '\033' && p[1] == '[') {
            p += 2 + strspn(p + 2, "0123456789;");
            p += *p != '\0'; /* the letter that says what the sequence does */
        } else {
            *out++ = *p++;
        }
    }
    *out = '\0';
    return copy;
}

/* As patterns see it; NULL where it is NULL. */
static const char *to_read(struct arena *a, const char *text)
{
    return text ? text_cut_lines(a, without_colours(a, text)) : NULL;
}

/* One line that any terminal may show. */
static const char *printable(struct arena *a, const char *text)
{
    char *copy = arena_strdup(a, text);
    for (char *p = copy; *p; p++)
        if (iscntrl((unsigned char)*p))
            *p = '?';
    return copy;
}

const char *signature_make(struct arena *a, const struct testbed *t, const struct observation *o,
                           const struct verdict *v)
{
    struct observation shown = *o;
    shown.messages = to_read(a, o->messages);
    if (o->output.data)
        shown.output = bytes_of(to_read(a, o->output.data));
    o = &shown;
    struct strbuf s, said;
    struct detection seen;
    strbuf_init(&s, LONGEST);
    strbuf_init(&said, 1024);
    const char *kind = anomaly_name[v->anomaly];
    switch (v->anomaly) {
    case ANOMALY_NONE:
        break;
    case ANOMALY_BUILD_CRASH:
    case ANOMALY_BUILD_FAIL:
        say(a, t, o, v->anomaly == ANOMALY_BUILD_CRASH, &said);
        strbuf_addf(&s, "%s %s: %s", t->compiler, kind, said.s);
        break;
    case ANOMALY_DISAGREEMENT:
    case ANOMALY_SUSPECT:
        strbuf_addf(&s, "%s %s", t->model, kind);
        break;
    case ANOMALY_RUN_CRASH:
        say_run(a, t, o, &said);
        strbuf_addf(&s, "%s %s: %s", t->name, kind, said.s);
        break;
    case ANOMALY_MISSED:
    case ANOMALY_FALSE_ALARM:
    case ANOMALY_MISPLACED:
        strbuf_addf(&s, "%s %s", t->name, kind);
        if (detection_read(o->output, a, &seen))
            strbuf_addf(&s, ": %s", seen.what);
        break;
    default:
        strbuf_addf(&s, "%s %s", t->name, kind);
        break;
    }
    const char *result = printable(a, s.s);
    strbuf_release(&said);
    strbuf_release(&s);
    return result;
}

/* Ends that tell nothing: how the runner writes them (testbed/runner.c), and what compilers say of
 * a signal. Frames behind such a word tell something after all. */
static const char *const plain_ends[] = {"SIG",
                                         "signal ",
                                         "exit ",
                                         "over ",
                                         "a file over ",
                                         "truncated output",
                                         "the server died",
                                         "was terminated by signal",
                                         "got signal",
                                         "server closed the connection",
                                         "connection to server was lost",
                                         "Lost connection"};
static const char *const signal_words[] = {"Segmentation fault",  "Aborted",      "Bus error",
                                           "Illegal instruction", "Killed",       "due to signal",
                                           "PLEASE submit",       "Please submit"};

static bool is_plain(const char *text)
{
    for (size_t i = 0; i < sizeof plain_ends / sizeof *plain_ends; i++)
        if (!strncmp(text, plain_ends[i], strlen(plain_ends[i])))
            return true;
    for (size_t i = 0; i < sizeof signal_words / sizeof *signal_words; i++)
        if (strstr(text, signal_words[i]))
            return true;
    return false;
}

#define X(id, name, help) " " name ": ",
static const char *const behind_kind[ANOMALY_COUNT] = {ANOMALIES(X)};
#undef X

const char *signature_evidence(const char *signature)
{
    for (int i = ANOMALY_NONE + 1; i < ANOMALY_COUNT; i++) {
        const char *text = strstr(signature, behind_kind[i]);
        if (!text)
            continue;
        text += strlen(behind_kind[i]);
        bool frames = *text && text[strlen(text) - 1] == ']' && strstr(text, " [");
        return *text && (frames || !is_plain(text)) ? text : NULL;
    }
    return NULL;
}
