/* How a run came to where it ended: the calls under way, with their arguments, and the last values
 * that were stored. Each line is made when it happens, because the objects that it names may be
 * gone at the end; that is slow, and only done where it is asked for. */
#include "interp/interp_internal.h"

#include "cc/print.h"

#include <inttypes.h>

enum { MOST_VALUE = 100, MOST_CALLS = 8 };

static void add_place(struct interp *in, struct strbuf *line)
{
    const struct cc_func *f = in->frame ? in->frame->func->f : NULL;
    strbuf_adds(line, f ? f->name : "initialisers");
    if (in->stmt && in->stmt->line)
        strbuf_addf(line, ", line %" PRIu32, in->stmt->line);
    strbuf_adds(line, ": ");
}

/* A text of at most one line, with dots where it is longer. */
static void add_short(struct strbuf *line, const struct strbuf *text)
{
    size_t n = strcspn(text->s, "\n");
    bool more = n > MOST_VALUE || text->s[n];
    strbuf_add(line, text->s, n > MOST_VALUE ? MOST_VALUE : n);
    if (more)
        strbuf_adds(line, "...");
}

static void add_value(struct interp *in, struct strbuf *line, const struct cc_type *type,
                      union value v)
{
    struct strbuf text;
    strbuf_init(&text, 0);
    interp_put_value(in, &text, type, v);
    add_short(line, &text);
    strbuf_release(&text);
}

static void keep(struct interp *in, struct strbuf *line, bool call)
{
    struct history *h = in->history;
    struct event e = {.at = h->n_events++};
    snprintf(e.text, sizeof e.text, "%s", line->s);
    if (call)
        vec_push(&h->calls, e);
    else
        h->stores[h->n_stores++ % h->most] = e;
}

void interp_note_store(struct interp *in, const struct cc_expr *e, const struct cc_var *declared,
                       const struct cc_type *type, union value v)
{
    struct strbuf line, text;
    strbuf_init(&line, 0);
    strbuf_init(&text, 0);
    add_place(in, &line);
    if (declared)
        strbuf_adds(&text, declared->name);
    else
        cc_print_expr(in->p, e, &text);
    strbuf_addc(&line, '`');
    add_short(&line, &text);
    strbuf_adds(&line, declared ? "` begins as " : "` stores ");
    add_value(in, &line, type, v);
    keep(in, &line, false);
    strbuf_release(&line);
    strbuf_release(&text);
}

/* The frame is the new one, and in->stmt still the caller's. */
void interp_note_call(struct interp *in, const struct frame *frame)
{
    const struct cc_func *f = frame->func->f;
    struct strbuf line;
    strbuf_init(&line, 0);
    if (in->frame)
        add_place(in, &line);
    strbuf_addf(&line, "%s(", f->name);
    for (int i = 0; i < f->n_params; i++) {
        const struct cc_var *v = f->params[i];
        strbuf_addf(&line, "%s%s = ", i ? ", " : "", v->name);
        if (cc_is_composite(v->type))
            strbuf_adds(&line, "{...}");
        else
            add_value(in, &line, v->type, frame->cells[frame->func->params.locals[i].cell].v);
    }
    strbuf_adds(&line, in->frame ? ") is called" : ")");
    keep(in, &line, true);
    strbuf_release(&line);
}

void interp_note_return(struct interp *in)
{
    in->history->calls.n--;
}

void interp_start_history(struct interp *in, uint32_t most)
{
    in->history = arena_new(&in->arena, struct history);
    in->history->most = most;
    in->history->stores = arena_array(&in->arena, struct event, most);
}

void interp_end_history(struct interp *in)
{
    if (in->history)
        vec_release(&in->history->calls);
}

/* The first call, and the last ones. */
static size_t add_calls(const struct history *h, size_t *call, uint64_t before, struct arena *a,
                        const char **out)
{
    size_t n = 0, last = h->calls.n > MOST_CALLS ? h->calls.n - MOST_CALLS : 0;
    for (; *call < h->calls.n && h->calls.at[*call].at < before; ++*call) {
        if (*call == 0 || *call > last)
            out[n++] = h->calls.at[*call].text;
        else if (*call == last)
            out[n++] = arena_printf(a, "... %zu more calls", last);
    }
    return n;
}

size_t interp_history(const struct interp *in, struct arena *a, const char *const **lines)
{
    const struct history *h = in->history;
    *lines = NULL;
    if (!h)
        return 0;
    size_t kept = h->n_stores < h->most ? h->n_stores : h->most, n = 0, call = 0;
    const char **out = arena_array(a, const char *, h->calls.n + kept);
    for (size_t i = h->n_stores - kept; i < h->n_stores; i++) {
        const struct event *e = &h->stores[i % h->most];
        n += add_calls(h, &call, e->at, a, out + n);
        out[n++] = e->text;
    }
    n += add_calls(h, &call, UINT64_MAX, a, out + n);
    *lines = out;
    return n;
}
