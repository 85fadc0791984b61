/* From tokens to probabilities, in bytes and integers.
 *
 * lm_bytes_new brings the matrices into the order in which the loops of lm/kernels.c read them: of
 * a layer, a group is the four gates of 16 units, so that their new state is computed while the
 * sums are still at hand; of the last matrix, 64 tokens. A group is read once for all streams.
 *
 * A stream has two places for its outputs, of which one is read while the other is written, since
 * the gates of all groups need the outputs of the last step; `side` tells which is which. Streams
 * that rest keep theirs: the work is done on the list of those that have a token.
 *
 * A draw (DeepSmith 2.1): softmax at a temperature, as integers up to 2^24. What is less likely
 * than that, next to the likeliest, is never drawn. Tokens are sorted by buckets, then by
 * insertion: with qsort a draw took a third of the whole time, so it takes a tenth. */
#include "lm/sample.h"
#include "lm/kernels.h"

#include <math.h>

struct layer {
    int8_t *inner, *outer;            /* (H/16, H/2, LM_ROWS, 2); outer of layer 0: NULL */
    float *inner_scale, *outer_scale; /* (4H) in the order of groups; of sums of h * LM_ONE */
    float *bias;                      /* (4H) in the order of groups */
};

struct lm_bytes {
    struct arena arena;
    struct lm_shape shape;
    const struct lm_kernels *kernels;
    int groups;     /* of a layer: H / 16 */
    int out_groups; /* of the last matrix: V / 64, rounded up */
    int8_t *table;  /* (V, 4H), each row in the order of groups */
    float *table_scale;
    struct layer *layers;
    int8_t *out;                 /* (out_groups, H/2, LM_ROWS, 2) */
    float *out_scale, *out_bias; /* (out_groups * LM_ROWS) */
};

struct lm_sampler {
    struct arena arena;
    const struct lm_bytes *b;
    int streams;
    int16_t *h;    /* (2, L, streams, H) */
    float *c;      /* (L, streams, H) */
    float *logits; /* (streams, out_groups * LM_ROWS) */
    uint8_t *side; /* (streams): which h is the current one */
    bool *fed;     /* (streams): the logits are there */
    /* while feeding */
    int *active; /* (streams): those that have a token */
    int n_active;
    const int16_t **last, **below; /* (streams): what the gates of the active ones depend on */
    int32_t *inner, *outer;        /* (streams, LM_ROWS): sums of one group */
};

struct lm_state {
    int units, layers, rows; /* of the sampler that it was made for */
    bool fed;
    int16_t *h;    /* (L, H) */
    float *c;      /* (L, H) */
    float *logits; /* (rows) */
};

/* -- the model as bytes ------------------------------------------------------------------------ */

/* A load that crosses a line of the cache costs two. */
static void *lined(struct arena *a, size_t size)
{
    enum { LINE = 64 };
    char *p = arena_alloc(a, size + LINE);
    return p + (LINE - (uintptr_t)p % LINE) % LINE;
}

/* Where a row of a layer stands in the order of groups. */
static size_t place_of_row(const struct lm_bytes *b, int row)
{
    int gate = row / b->shape.units, unit = row % b->shape.units;
    return (size_t)(unit / LM_LANES * LM_ROWS + gate * LM_LANES + unit % LM_LANES);
}

/* A training that diverged leaves infinities; lm_quantise_row takes them for 0, too. */
static float or_zero(float x)
{
    return x - x == 0 ? x : 0;
}

/* One row of a matrix with H columns to its place. */
static void pack_row(const struct lm_bytes *b, const float *row, size_t place, int8_t *q,
                     int8_t *packed, float *scale)
{
    size_t h = (size_t)b->shape.units;
    int8_t *group = packed + place / LM_ROWS * LM_ROWS * h + place % LM_ROWS * 2;
    lm_quantise_row(row, b->shape.units, q, &scale[place]);
    scale[place] /= LM_ONE;
    for (size_t k = 0; k < h; k++)
        group[k / 2 * 2 * LM_ROWS + k % 2] = q[k];
}

static void pack_layer(struct lm_bytes *b, const struct lm_model *m, int l, int8_t *q)
{
    size_t h = (size_t)b->shape.units, rows = 4 * h;
    struct layer *y = &b->layers[l];
    y->inner = lined(&b->arena, rows * h);
    y->inner_scale = lined(&b->arena, rows * sizeof *y->inner_scale);
    y->bias = lined(&b->arena, rows * sizeof *y->bias);
    if (l) {
        y->outer = lined(&b->arena, rows * h);
        y->outer_scale = lined(&b->arena, rows * sizeof *y->outer_scale);
    }
    for (size_t r = 0; r < rows; r++) {
        size_t place = place_of_row(b, (int)r), from = ((size_t)l * rows + r) * h;
        pack_row(b, m->weights + m->at.inner + from, place, q, y->inner, y->inner_scale);
        if (l)
            pack_row(b, m->weights + m->at.outer + from - rows * h, place, q, y->outer,
                     y->outer_scale);
        y->bias[place] = or_zero(m->weights[m->at.bias + (size_t)l * rows + r]);
    }
}

static void pack_table(struct lm_bytes *b, const struct lm_model *m, int8_t *q)
{
    size_t v = (size_t)b->shape.vocabulary, rows = 4 * (size_t)b->shape.units;
    b->table = lined(&b->arena, v * rows);
    b->table_scale = lined(&b->arena, v * sizeof *b->table_scale);
    for (size_t t = 0; t < v; t++) {
        lm_quantise_row(m->weights + m->at.table + t * rows, (int)rows, q, &b->table_scale[t]);
        for (size_t r = 0; r < rows; r++)
            b->table[t * rows + place_of_row(b, (int)r)] = q[r];
    }
}

static void pack_out(struct lm_bytes *b, const struct lm_model *m, int8_t *q)
{
    size_t h = (size_t)b->shape.units, rows = (size_t)b->out_groups * LM_ROWS;
    b->out = lined(&b->arena, rows * h);
    b->out_scale = lined(&b->arena, rows * sizeof *b->out_scale);
    b->out_bias = lined(&b->arena, rows * sizeof *b->out_bias);
    for (size_t t = 0; t < (size_t)b->shape.vocabulary; t++) {
        pack_row(b, m->weights + m->at.out + t * h, t, q, b->out, b->out_scale);
        b->out_bias[t] = or_zero(m->weights[m->at.out_bias + t]);
    }
    for (size_t t = (size_t)b->shape.vocabulary; t < rows; t++)
        b->out_bias[t] = -INFINITY; /* rows that only fill the group */
}

struct lm_bytes *lm_bytes_new(const struct lm_model *m)
{
    const struct lm_shape *s = &m->shape;
    REQUIRE(s->units > 0 && s->units % LM_LANES == 0 && s->units <= LM_MOST_UNITS);
    REQUIRE(s->layers >= 1 && s->vocabulary >= 1 && s->vocabulary <= LM_MOST_TOKENS);
    struct lm_bytes *b = mem_alloc(sizeof *b);
    const struct lm_kernels *kernels[LM_MOST_KERNELS];
    lm_kernels_list(kernels);
    *b = (struct lm_bytes){.shape = *s, .kernels = kernels[0]};
    arena_init(&b->arena);
    b->groups = s->units / LM_LANES;
    b->out_groups = (s->vocabulary + LM_ROWS - 1) / LM_ROWS;
    b->layers = arena_array(&b->arena, struct layer, s->layers);
    int8_t *q = mem_alloc(4 * (size_t)s->units);
    for (int l = 0; l < s->layers; l++)
        pack_layer(b, m, l, q);
    pack_table(b, m, q);
    pack_out(b, m, q);
    free(q);
    return b;
}

void lm_bytes_free(struct lm_bytes *b)
{
    if (!b)
        return;
    arena_release(&b->arena);
    free(b);
}

void lm_bytes_use(struct lm_bytes *b, const struct lm_kernels *k)
{
    b->kernels = k;
}

/* -- streams and their states ------------------------------------------------------------------ */

static size_t logits_per_stream(const struct lm_bytes *b)
{
    return (size_t)b->out_groups * LM_ROWS;
}

static int16_t *outputs(const struct lm_sampler *s, int side, int layer, int stream)
{
    size_t at = ((size_t)side * (size_t)s->b->shape.layers + (size_t)layer) * (size_t)s->streams;
    return s->h + (at + (size_t)stream) * (size_t)s->b->shape.units;
}

static float *cells(const struct lm_sampler *s, int layer, int stream)
{
    size_t at = (size_t)layer * (size_t)s->streams + (size_t)stream;
    return s->c + at * (size_t)s->b->shape.units;
}

struct lm_sampler *lm_sampler_new(const struct lm_bytes *b, int streams)
{
    REQUIRE(streams >= 1);
    struct lm_sampler *s = mem_alloc(sizeof *s);
    size_t n = (size_t)streams, all = (size_t)b->shape.layers * n * (size_t)b->shape.units;
    *s = (struct lm_sampler){.b = b, .streams = streams};
    arena_init(&s->arena);
    s->h = lined(&s->arena, 2 * all * sizeof *s->h);
    s->c = lined(&s->arena, all * sizeof *s->c);
    s->logits = lined(&s->arena, n * logits_per_stream(b) * sizeof *s->logits);
    s->side = arena_array(&s->arena, uint8_t, n);
    s->fed = arena_array(&s->arena, bool, n);
    s->active = arena_array(&s->arena, int, n);
    s->last = arena_array(&s->arena, const int16_t *, n);
    s->below = arena_array(&s->arena, const int16_t *, n);
    s->inner = lined(&s->arena, n * LM_ROWS * sizeof *s->inner);
    s->outer = lined(&s->arena, n * LM_ROWS * sizeof *s->outer);
    return s;
}

void lm_sampler_free(struct lm_sampler *s)
{
    if (!s)
        return;
    arena_release(&s->arena);
    free(s);
}

static void check_stream(const struct lm_sampler *s, int stream)
{
    REQUIRE(stream >= 0 && stream < s->streams);
}

void lm_sampler_reset(struct lm_sampler *s, int stream)
{
    check_stream(s, stream);
    size_t units = (size_t)s->b->shape.units;
    for (int l = 0; l < s->b->shape.layers; l++) {
        memset(outputs(s, s->side[stream], l, stream), 0, units * sizeof *s->h);
        memset(cells(s, l, stream), 0, units * sizeof *s->c);
    }
    s->fed[stream] = false;
}

struct lm_state *lm_state_new(const struct lm_sampler *s)
{
    const struct lm_shape *shape = &s->b->shape;
    size_t all = (size_t)shape->layers * (size_t)shape->units, rows = logits_per_stream(s->b);
    struct lm_state *state =
        mem_alloc(sizeof *state + (all + rows) * sizeof(float) + all * sizeof(int16_t));
    *state = (struct lm_state){shape->units, shape->layers, (int)rows, false, NULL, NULL, NULL};
    state->c = (float *)(state + 1);
    state->logits = state->c + all;
    state->h = (int16_t *)(state->logits + rows);
    memset(state->c, 0, all * sizeof(float));
    memset(state->h, 0, all * sizeof(int16_t));
    return state;
}

void lm_state_free(struct lm_state *state)
{
    free(state);
}

static void check_state(const struct lm_sampler *s, int stream, const struct lm_state *state)
{
    check_stream(s, stream);
    REQUIRE(state->units == s->b->shape.units && state->layers == s->b->shape.layers &&
            state->rows == (int)logits_per_stream(s->b));
}

void lm_state_save(const struct lm_sampler *s, int stream, struct lm_state *out)
{
    check_state(s, stream, out);
    size_t units = (size_t)s->b->shape.units, rows = (size_t)out->rows;
    for (int l = 0; l < out->layers; l++) {
        size_t at = (size_t)l * units;
        memcpy(out->h + at, outputs(s, s->side[stream], l, stream), units * sizeof *out->h);
        memcpy(out->c + at, cells(s, l, stream), units * sizeof *out->c);
    }
    out->fed = s->fed[stream];
    if (out->fed)
        memcpy(out->logits, s->logits + (size_t)stream * rows, rows * sizeof *out->logits);
}

void lm_state_restore(struct lm_sampler *s, int stream, const struct lm_state *from)
{
    check_state(s, stream, from);
    size_t units = (size_t)s->b->shape.units, rows = (size_t)from->rows;
    for (int l = 0; l < from->layers; l++) {
        size_t at = (size_t)l * units;
        memcpy(outputs(s, s->side[stream], l, stream), from->h + at, units * sizeof *from->h);
        memcpy(cells(s, l, stream), from->c + at, units * sizeof *from->c);
    }
    s->fed[stream] = from->fed;
    if (from->fed)
        memcpy(s->logits + (size_t)stream * rows, from->logits, rows * sizeof *from->logits);
}

/* -- one token more ---------------------------------------------------------------------------- */

/* The gates of one group, for the active streams. */
static void feed_gates(struct lm_sampler *s, int l, int group, const int *tokens)
{
    const struct lm_bytes *b = s->b;
    const struct layer *y = &b->layers[l];
    size_t row = (size_t)group * LM_ROWS, unit = (size_t)group * LM_LANES;
    size_t rows = 4 * (size_t)b->shape.units;
    struct lm_gates g = {.inner_scale = y->inner_scale + row, .bias = y->bias + row};
    if (l)
        g.outer_scale = y->outer_scale + row;
    for (int i = 0; i < s->n_active; i++) {
        int stream = s->active[i];
        if (l) {
            g.outer = s->outer + i * LM_ROWS;
        } else {
            g.table = b->table + (size_t)tokens[stream] * rows + row;
            g.table_scale = b->table_scale[tokens[stream]];
        }
        g.inner = s->inner + i * LM_ROWS;
        g.c = cells(s, l, stream) + unit;
        g.h = outputs(s, !s->side[stream], l, stream) + unit;
        b->kernels->gates(&g);
    }
}

static void feed_layer(struct lm_sampler *s, int l, const int *tokens)
{
    const struct lm_bytes *b = s->b;
    const struct layer *y = &b->layers[l];
    size_t size = LM_ROWS * (size_t)b->shape.units;
    int pairs = b->shape.units / 2;
    for (int i = 0; i < s->n_active; i++) {
        int stream = s->active[i], side = s->side[stream];
        s->last[i] = outputs(s, side, l, stream);
        s->below[i] = l ? outputs(s, !side, l - 1, stream) : NULL;
    }
    for (int g = 0; g < b->groups; g++) {
        b->kernels->dot(y->inner + (size_t)g * size, pairs, s->last, s->n_active, s->inner);
        if (l)
            b->kernels->dot(y->outer + (size_t)g * size, pairs, s->below, s->n_active, s->outer);
        feed_gates(s, l, g, tokens);
    }
}

static void feed_logits(struct lm_sampler *s)
{
    const struct lm_bytes *b = s->b;
    size_t size = LM_ROWS * (size_t)b->shape.units;
    for (int i = 0; i < s->n_active; i++)
        s->last[i] = outputs(s, s->side[s->active[i]], b->shape.layers - 1, s->active[i]);
    for (int g = 0; g < b->out_groups; g++) {
        size_t row = (size_t)g * LM_ROWS;
        b->kernels->dot(b->out + (size_t)g * size, b->shape.units / 2, s->last, s->n_active,
                        s->inner);
        for (int i = 0; i < s->n_active; i++)
            b->kernels->affine(s->inner + i * LM_ROWS, b->out_scale + row, b->out_bias + row,
                               s->logits + (size_t)s->active[i] * logits_per_stream(b) + row);
    }
}

void lm_sampler_feed(struct lm_sampler *s, const int *tokens)
{
    s->n_active = 0;
    for (int i = 0; i < s->streams; i++)
        if (tokens[i] >= 0) {
            REQUIRE(tokens[i] < s->b->shape.vocabulary);
            s->active[s->n_active++] = i;
        }
    if (!s->n_active)
        return;
    for (int l = 0; l < s->b->shape.layers; l++)
        feed_layer(s, l, tokens);
    for (int i = 0; i < s->n_active; i++) {
        s->side[s->active[i]] ^= 1;
        s->fed[s->active[i]] = true;
    }
    feed_logits(s);
}

const float *lm_sampler_logits(const struct lm_sampler *s, int stream)
{
    check_stream(s, stream);
    REQUIRE(s->fed[stream]);
    return s->logits + (size_t)stream * logits_per_stream(s->b);
}

/* -- draws ------------------------------------------------------------------------------------- */

enum { DRAW_MOST = 256 };

/* A token and its logit as one number: larger is likelier, of equals the first token is larger. One
 * load and one store move it, which matters while sorting. */
static uint64_t key_of(float logit, int token)
{
    uint32_t bits;
    logit += 0.0f; /* -0 is 0 */
    memcpy(&bits, &logit, sizeof bits);
    bits = bits >> 31 ? ~bits : bits | 0x80000000u;
    return (uint64_t)bits << 32 | (UINT32_MAX - (uint32_t)token);
}

static int token_of(uint64_t key)
{
    return (int)(UINT32_MAX - (uint32_t)key);
}

/* What is left to be put in order after the buckets: few places from where it belongs. */
static void sort_near(uint64_t *keys, int n)
{
    for (int i = 1; i < n; i++) {
        uint64_t key = keys[i];
        int to = i;
        for (; to && keys[to - 1] < key; to--)
            keys[to] = keys[to - 1];
        keys[to] = key;
    }
}

/* Those of n tokens that have a weight, by falling logit. Returns how many. */
static int sort_tokens(const float *logits, const uint32_t *weights, const uint8_t *buckets, int n,
                       uint64_t *out)
{
    int start[LM_BUCKETS + 1] = {0}, found = 0;
    lm_token tokens[LM_MOST_TOKENS];
    for (int t = 0; t < n; t++) {
        tokens[found] = (lm_token)t;
        start[buckets[t] + 1] += weights[t] != 0;
        found += weights[t] != 0;
    }
    for (int i = 1; i < LM_BUCKETS; i++)
        start[i] += start[i - 1];
    for (int i = 0; i < found; i++) {
        int t = tokens[i];
        out[start[buckets[t]]++] = key_of(logits[t], t);
    }
    sort_near(out, found);
    return found;
}

static float inverse_of(double temperature)
{
    return (float)(1 / temperature < 1e30 ? 1 / temperature : 1e30); /* infinity * 0 is none */
}

int lm_share(const struct lm_sampler *s, int stream, double temperature, const uint8_t *mask,
             int *refused)
{
    const struct lm_kernels *k = s->b->kernels;
    const float *logits = lm_sampler_logits(s, stream);
    int n = s->b->shape.vocabulary, rows = s->b->out_groups * LM_ROWS;
    uint32_t weights[LM_MOST_TOKENS];
    uint8_t buckets[LM_MOST_TOKENS];
    uint64_t left = 0, all = 0, worst = 0;
    k->weights(logits, k->largest(logits, rows), inverse_of(temperature), rows, weights, buckets);
    for (int t = 0; t < n; t++) {
        all += weights[t];
        left += mask[t] ? weights[t] : 0;
        worst = !mask[t] && weights[t] > worst ? weights[t] : worst;
    }
    *refused = all ? (int)(worst * 1000 / all) : 0;
    return all ? (int)(left * 1000 / all) : 0;
}

int lm_draw(const struct lm_sampler *s, int stream, double temperature, const uint8_t *mask,
            struct choice *c)
{
    const struct lm_kernels *k = s->b->kernels;
    const float *logits = lm_sampler_logits(s, stream);
    int n = s->b->shape.vocabulary, rows = s->b->out_groups * LM_ROWS, best = 0;
    float allowed[LM_MOST_TOKENS];
    uint32_t weights[LM_MOST_TOKENS];
    uint8_t buckets[LM_MOST_TOKENS];
    uint64_t sorted[LM_MOST_TOKENS];
    unsigned of_rank[DRAW_MOST];
    REQUIRE(temperature >= 0);
    if (mask) {
        for (int t = 0; t < rows; t++)
            allowed[t] = t < n && mask[t] ? logits[t] : -INFINITY;
        logits = allowed;
    }
    float most = k->largest(logits, rows);
    while (best < n && logits[best] != most)
        best++;
    if (best == n || most == -INFINITY)
        return -1;
    if (temperature == 0)
        return best;
    k->weights(logits, most, inverse_of(temperature), rows, weights, buckets);
    int found = sort_tokens(logits, weights, buckets, n, sorted);
    found = found < DRAW_MOST ? found : DRAW_MOST;
    for (int i = 0; i < found; i++)
        of_rank[i] = weights[token_of(sorted[i])];
    return token_of(sorted[choose_weighted(c, of_rank, (size_t)found)]);
}
