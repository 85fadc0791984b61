#include "triage/signature.h"
#include "base/strbuf.h"

#include <ctype.h>

enum { LONGEST = 140 };

static bool contains(const char *line, size_t n, const char *word)
{
    return memmem(line, n, word, strlen(word)) != NULL;
}

static int interest(const struct testbed *t, const char *line, size_t n)
{
    char copy[1024];
    size_t m = n < sizeof copy - 1 ? n : sizeof copy - 1;
    memcpy(copy, line, m);
    copy[m] = '\0';
    if (strspn(copy, " \t") == m)
        return 0;
    for (int i = 0; i < t->n_crash; i++)
        if (regexec(&t->crash[i].regex, copy, 0, NULL, 0) == 0)
            return 4;
    if (contains(line, n, "rror:") || contains(line, n, "ssertion"))
        return 3;
    /* The linker's remarks on stacks and the driver's farewell are not what went wrong. */
    if (contains(line, n, "warning:") || contains(line, n, "NOTE:") ||
        contains(line, n, "terminated with status"))
        return 1;
    return 2;
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

/* "t.c:12:5: error: 'x' undeclared" -> "error: '' undeclared": drop the place in front, what is
 * quoted, and every number. */
static void generalise(const char *line, size_t n, struct strbuf *out)
{
    const char *end = line + n;
    const char *p = line;
    for (const char *q = line; q < end && !isspace((unsigned char)*q); q++)
        if (*q == ':' && q + 1 < end && q[1] == ' ') /* "word: " in front is a place or a tool */
            p = q + 2;
    if (p == end)
        p = line;
    bool space = false;
    while (p < end) {
        unsigned char c = (unsigned char)*p;
        if (isspace(c)) {
            space = true;
            p++;
            continue;
        }
        if (space && out->n)
            strbuf_addc(out, ' ');
        space = false;
        char close = c == '\'' ? '\'' : c == '`' ? '\'' : '\0';
        const char *quote_end = close ? memchr(p + 1, close, (size_t)(end - p - 1)) : NULL;
        if (quote_end) {
            /* Punctuation in quotes is the parser's token and tells much; a name tells nothing. */
            bool name = isalnum((unsigned char)p[1]) || p[1] == '_';
            strbuf_addc(out, '\'');
            if (!name)
                strbuf_add(out, p + 1, (size_t)(quote_end - p - 1));
            strbuf_addc(out, '\'');
            p = quote_end + 1;
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

const char *signature_make(struct arena *a, const struct testbed *t, const struct observation *o,
                           const struct verdict *v)
{
    struct strbuf s;
    strbuf_init(&s, LONGEST);
    switch (v->anomaly) {
    case ANOMALY_NONE:
        break;
    case ANOMALY_BUILD_CRASH:
    case ANOMALY_BUILD_FAIL: {
        const char *line;
        size_t n;
        struct strbuf text;
        strbuf_init(&text, 1024);
        telling_line(t, o->messages, &line, &n);
        generalise(line, n, &text);
        strbuf_addf(&s, "%s %s: %s", t->compiler, anomaly_name[v->anomaly],
                    text.n ? text.s : o->detail);
        strbuf_release(&text);
        break;
    }
    case ANOMALY_DISAGREEMENT:
        strbuf_addf(&s, "%s %s", t->model, anomaly_name[v->anomaly]);
        break;
    case ANOMALY_RUN_CRASH:
        strbuf_addf(&s, "%s %s: %s", t->name, anomaly_name[v->anomaly], o->detail);
        break;
    default:
        strbuf_addf(&s, "%s %s", t->name, anomaly_name[v->anomaly]);
        break;
    }
    const char *result = arena_strdup(a, s.s);
    strbuf_release(&s);
    return result;
}
