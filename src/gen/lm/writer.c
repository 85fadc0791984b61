#include "gen/lm/writer.h"

#include <stdlib.h>
#include <string.h>

struct point { /* the state before the token was fed */
    size_t token;
    struct lm_state *state;
};

struct refusal { /* not this token at this place, while what is before it stays */
    size_t at;
    lm_token token;
};

struct lm_writer {
    struct lm_writer_options o;
    struct lm_sampler *sampler;
    struct lm_scope *scope; /* NULL: none */
    uint8_t *mask;
    bool masked;
    bool dead; /* behind this text nothing fits that the model would say */
    enum lm_end end;
    double temperature;
    size_t most, seed_tokens;
    size_t furthest;      /* statements that have been whole */
    int turns, all_turns; /* back from a dead end: since then, and in all */
    uint64_t drawn;

    lm_tokens tokens;
    VEC(size_t) begins; /* of each token: its first byte in `text` */
    struct strbuf text;
    VEC(size_t) ends; /* behind these tokens a statement ends, in order */
    VEC(struct point) points;
    VEC(struct lm_state *) spare;
    VEC(struct refusal) refusals;
    int depth; /* of the language's own brackets */
};

struct lm_writer *lm_writer_new(const struct lm_writer_options *o)
{
    struct lm_writer *w = mem_alloc(sizeof *w);
    *w = (struct lm_writer){.o = *o};
    w->sampler = lm_sampler_new(o->bytes, 1);
    w->scope = o->words ? lm_scope_new(o->words) : NULL;
    w->mask = mem_alloc((size_t)o->encoder->n);
    strbuf_init(&w->text, 0);
    return w;
}

void lm_writer_free(struct lm_writer *w)
{
    if (!w)
        return;
    for (size_t i = 0; i < w->points.n; i++)
        lm_state_free(w->points.at[i].state);
    for (size_t i = 0; i < w->spare.n; i++)
        lm_state_free(w->spare.at[i]);
    lm_sampler_free(w->sampler);
    lm_scope_free(w->scope);
    free(w->mask);
    vec_release(&w->tokens);
    vec_release(&w->begins);
    vec_release(&w->ends);
    vec_release(&w->points);
    vec_release(&w->spare);
    vec_release(&w->refusals);
    strbuf_release(&w->text);
    free(w);
}

const struct strbuf *lm_writer_text(const struct lm_writer *w)
{
    return &w->text;
}

size_t lm_writer_size(const struct lm_writer *w)
{
    return w->tokens.n - 1;
}

uint64_t lm_writer_drawn(const struct lm_writer *w)
{
    return w->drawn;
}

enum lm_end lm_writer_end(const struct lm_writer *w)
{
    return w->end;
}

/* -- forwards ---------------------------------------------------------------------------------- */

static void drop_points(struct lm_writer *w, size_t from)
{
    while (w->points.n && w->points.at[w->points.n - 1].token >= from)
        vec_push(&w->spare, w->points.at[--w->points.n].state);
}

static void save_point(struct lm_writer *w)
{
    struct lm_state *state = w->spare.n ? w->spare.at[--w->spare.n] : lm_state_new(w->sampler);
    lm_state_save(w->sampler, 0, state);
    vec_push(&w->points, (struct point){w->tokens.n, state});
}

static bool ends_statement(const struct lm_writer *w)
{
    if (w->scope && lm_scope_is_clear(w->scope))
        return lm_scope_is_boundary(w->scope);
    return w->text.n && w->text.s[w->text.n - 1] == '\n';
}

static void follow_depth(struct lm_writer *w, const char *text, size_t n)
{
    const char *open = w->o.language->open, *close = w->o.language->close;
    for (size_t i = 0; open && i < n; i++)
        w->depth += strchr(open, text[i]) ? 1 : strchr(close, text[i]) ? -1 : 0;
}

/* The text, without the network. */
static void note(struct lm_writer *w, lm_token token)
{
    const struct lm_encoder *e = w->o.encoder;
    vec_push(&w->tokens, token);
    vec_push(&w->begins, w->text.n);
    strbuf_add(&w->text, e->texts[token], e->sizes[token]);
    follow_depth(w, e->texts[token], e->sizes[token]);
    if (w->scope)
        lm_scope_feed(w->scope, token);
    if (ends_statement(w))
        vec_push(&w->ends, w->tokens.n);
}

static void feed(struct lm_writer *w, lm_token token)
{
    const int next = token;
    if (w->ends.n && w->ends.at[w->ends.n - 1] == w->tokens.n)
        save_point(w);
    lm_sampler_feed(w->sampler, &next);
    note(w, token);
}

static void clear(struct lm_writer *w)
{
    drop_points(w, 0);
    w->tokens.n = w->begins.n = w->ends.n = w->refusals.n = 0;
    w->depth = 0;
    w->drawn = 0;
    w->end = LM_END_ITSELF;
    strbuf_clear(&w->text);
    if (w->scope)
        lm_scope_reset(w->scope);
    lm_sampler_reset(w->sampler, 0);
}

int lm_writer_begin(struct lm_writer *w, const char *seed, bool masked, double temperature,
                    int most_tokens, struct error *e)
{
    lm_tokens tokens = {0};
    clear(w);
    w->masked = masked && w->scope;
    w->temperature = temperature;
    w->most = (size_t)most_tokens;
    int status = lm_encode(w->o.encoder, seed, strlen(seed), &tokens, e);
    if (!status) {
        feed(w, LM_END);
        for (size_t i = 0; i < tokens.n; i++)
            feed(w, tokens.at[i]);
        w->seed_tokens = w->tokens.n;
    }
    vec_release(&tokens);
    return status;
}

/* The last bracket has closed. Of C, a program may begin with types and helpers: only what makes it
 * a unit ends it, and where any function does, the model itself says when. */
static bool is_over(const struct lm_writer *w, lm_token last)
{
    const struct lm_language *l = w->o.language;
    const char *text = w->o.encoder->texts[last];
    if (!l->close || w->depth > 0 || !*text || !strchr(l->close, text[0]))
        return false;
    return l->names == LM_NAMES_ANY || (strcmp(l->unit, "all") != 0 && strstr(w->text.s, l->unit));
}

/* False: with them nothing would be left. */
static bool apply_refusals(struct lm_writer *w)
{
    int left = 0;
    for (size_t i = 0; i < w->refusals.n; i++)
        if (w->refusals.at[i].at == w->tokens.n)
            w->mask[w->refusals.at[i].token] = 0;
    for (int t = 0; t < w->o.encoder->n; t++)
        left += w->mask[t];
    return left > 0;
}

/* The mask sees one token ahead: it may let in an operand behind which nothing fits that the model
 * would say. What the model is then made to say it has never seen, and neither has anyone. */
enum { LEAST_SHARE = 300, SURE = 200 };

static bool is_dead_end(const struct lm_writer *w)
{
    int refused;
    return lm_share(w->sampler, 0, 1, w->mask, &refused) < LEAST_SHARE && refused >= SURE;
}

static void mask_by_scope(struct lm_writer *w)
{
    memset(w->mask, 1, (size_t)w->o.encoder->n);
    w->dead = w->masked && (!lm_scope_mask(w->scope, w->mask) || is_dead_end(w));
}

static void make_mask(struct lm_writer *w)
{
    mask_by_scope(w);
    if (!apply_refusals(w))
        mask_by_scope(w);
}

static lm_token draw(struct lm_writer *w, struct choice *c)
{
    w->drawn++;
    return (lm_token)lm_draw(w->sampler, 0, w->temperature, w->mask, c);
}

/* -- backwards --------------------------------------------------------------------------------- */

size_t lm_writer_token_at(const struct lm_writer *w, size_t byte)
{
    size_t token = w->tokens.n - 1;
    while (token > 1 && w->begins.at[token] > byte)
        token--;
    return token;
}

static bool is_blank(const struct lm_writer *w, size_t token)
{
    const char *text = w->o.encoder->texts[w->tokens.at[token]];
    return strspn(text, " \t\r\n") == strlen(text);
}

size_t lm_writer_statement_at(const struct lm_writer *w, size_t token, int back)
{
    size_t i = w->ends.n;
    while (i && w->ends.at[i - 1] > token)
        i--;
    i = i > (size_t)back ? i - (size_t)back : 0;
    size_t begin = i ? w->ends.at[i - 1] : w->seed_tokens;
    begin = begin < w->seed_tokens ? w->seed_tokens : begin;
    while (begin < token && is_blank(w, begin))
        begin++;
    return begin;
}

/* The first `n` tokens alone: text and mask are made again, which is cheap, the network's state is
 * that of the last point before, and what came behind it. */
static void rewind_to(struct lm_writer *w, const lm_token *tokens, size_t same, size_t n)
{
    lm_tokens copy = {0};
    for (size_t i = 0; i < n; i++)
        vec_push(&copy, tokens[i]);
    drop_points(w, same);
    size_t from = w->points.n ? w->points.at[w->points.n - 1].token : 0;
    w->tokens.n = w->begins.n = w->ends.n = 0;
    w->depth = 0;
    strbuf_clear(&w->text);
    if (w->scope)
        lm_scope_reset(w->scope);
    for (size_t i = 0; i < from; i++)
        note(w, copy.at[i]);
    if (w->points.n)
        lm_state_restore(w->sampler, 0, w->points.at[w->points.n - 1].state);
    else
        lm_sampler_reset(w->sampler, 0);
    drop_points(w, from);
    for (size_t i = from; i < n; i++)
        feed(w, copy.at[i]);
    vec_release(&copy);
}

static void drop_refusals(struct lm_writer *w, size_t behind)
{
    size_t kept = 0;
    for (size_t i = 0; i < w->refusals.n; i++)
        if (w->refusals.at[i].at <= behind)
            w->refusals.at[kept++] = w->refusals.at[i];
    w->refusals.n = kept;
}

/* -- dead ends --------------------------------------------------------------------------------- */

/* The statement is drawn anew: a few times this one, then the one before it, too. Every second time
 * it may not begin as it did, or a model that is sure of itself would end where it did. */
enum { TURNS_PER_STATEMENT = 4, MOST_TURNS = 100 };

/* False: there is nothing to go back on. */
static bool turn_back(struct lm_writer *w)
{
    if (w->ends.n > w->furthest) {
        w->furthest = w->ends.n;
        w->turns = 0;
    }
    int back = w->turns / TURNS_PER_STATEMENT;
    size_t to = lm_writer_statement_at(w, w->tokens.n - 1, back);
    if (to == w->tokens.n)
        to = lm_writer_statement_at(w, w->tokens.n - 1, back + 1);
    if (to == w->tokens.n)
        return false;
    drop_refusals(w, to);
    if (w->turns++ % 2)
        vec_push(&w->refusals, (struct refusal){to, w->tokens.at[to]});
    w->all_turns++;
    rewind_to(w, w->tokens.at, to, to);
    return true;
}

static void cut(struct lm_writer *w, enum lm_end end)
{
    w->end = end;
    if (w->masked)
        lm_writer_close(w);
}

void lm_writer_run(struct lm_writer *w, struct choice *c)
{
    w->end = LM_END_ITSELF;
    w->furthest = w->ends.n;
    w->turns = w->all_turns = 0;
    for (;;) {
        if (w->tokens.n > w->most || w->all_turns > MOST_TURNS) {
            cut(w, w->tokens.n > w->most ? LM_END_SIZE : LM_END_TURNS);
            return;
        }
        make_mask(w);
        if (w->dead && turn_back(w))
            continue;
        lm_token token = draw(w, c);
        if (token == LM_END)
            return;
        feed(w, token);
        if (is_over(w, token))
            return;
    }
}

void lm_writer_back(struct lm_writer *w, size_t token)
{
    if (token < w->seed_tokens)
        token = w->seed_tokens;
    if (token >= w->tokens.n)
        return;
    drop_refusals(w, token);
    vec_push(&w->refusals, (struct refusal){token, w->tokens.at[token]});
    rewind_to(w, w->tokens.at, token, token);
}

void lm_writer_close(struct lm_writer *w)
{
    struct strbuf text;
    struct error ignored;
    lm_tokens tokens = {0};
    if (!w->scope)
        return;
    size_t end = w->ends.n ? w->ends.at[w->ends.n - 1] : w->seed_tokens;
    while (end > w->seed_tokens && is_blank(w, end - 1))
        end--;
    if (end >= w->seed_tokens && end < w->tokens.n)
        rewind_to(w, w->tokens.at, end, end);
    strbuf_init(&text, 0);
    while (lm_scope_closer(w->scope, &text) && w->tokens.n < 2 * w->most) {
        tokens.n = 0;
        if (lm_encode(w->o.encoder, text.s, text.n, &tokens, &ignored))
            break;
        for (size_t i = 0; i < tokens.n; i++)
            feed(w, tokens.at[i]);
    }
    strbuf_release(&text);
    vec_release(&tokens);
}

void lm_writer_keep(const struct lm_writer *w, lm_tokens *out)
{
    out->n = 0;
    for (size_t i = 0; i < w->tokens.n; i++)
        vec_push(out, w->tokens.at[i]);
}

void lm_writer_restore(struct lm_writer *w, const lm_tokens *from)
{
    size_t same = 0;
    while (same < from->n && same < w->tokens.n && from->at[same] == w->tokens.at[same])
        same++;
    rewind_to(w, from->at, same, from->n);
}
