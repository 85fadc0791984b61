/* The sampler: the same bits everywhere, close to the network of floats, fair draws, and programs
 * that do not depend on their neighbours. The network of floats here is plain loops and libm,
 * written from the equations in lm/model.h. */
#include "lm/batch.h"
#include "lm/kernels.h"
#include "tap.h"

#include <math.h>

/* -- models ------------------------------------------------------------------------------------ */

/* Sums of uniform numbers: most are small, some are large, as in a trained network. Every operation
 * is exact, so that the weights are the same wherever they are made. */
static void fill(float *to, size_t n, float size, struct choice *c)
{
    for (size_t i = 0; i < n; i++) {
        int64_t sum = -4 * (1 << 15);
        for (int k = 0; k < 4; k++)
            sum += (int64_t)choose_bits(c, 16);
        to[i] = (float)sum / (1 << 16) * size;
    }
}

static void make_model(struct lm_model *m, int vocabulary, int layers, int units, uint64_t seed)
{
    struct choice c;
    *m = (struct lm_model){.shape = {vocabulary, layers, units}};
    m->at = lm_layout(&m->shape);
    m->weights = mem_alloc(m->at.total * sizeof *m->weights);
    choice_init_random(&c, seed);
    fill(m->weights, m->at.bias, 1.0f, &c);
    fill(m->weights + m->at.bias, m->at.inner - m->at.bias, 0.5f, &c);
    fill(m->weights + m->at.inner, m->at.out - m->at.inner, units > 100 ? 0.125f : 0.5f, &c);
    fill(m->weights + m->at.out, m->at.total - m->at.out, 1.0f, &c);
    choice_release(&c);
}

static int fixed_token(int stream, int step, int vocabulary)
{
    return (int)((uint32_t)(stream * 7919 + step * 104729 + stream * step) % (uint32_t)vocabulary);
}

/* -- the same bits ----------------------------------------------------------------------------- */

static uint64_t hash_floats(uint64_t hash, const float *x, int n)
{
    for (int i = 0; i < n; i++) {
        uint32_t bits;
        memcpy(&bits, &x[i], sizeof bits);
        hash = (hash ^ bits) * 0x100000001b3u;
    }
    return hash;
}

/* All logits of some streams over some steps; of the streams some rest now and then. */
static uint64_t hash_logits(const struct lm_bytes *b, int vocabulary, int streams, int steps)
{
    struct lm_sampler *s = lm_sampler_new(b, streams);
    int tokens[64];
    uint64_t hash = 0xcbf29ce484222325u;
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < streams; i++)
            tokens[i] = (i + t) % 5 == 4 ? -1 : fixed_token(i, t, vocabulary);
        lm_sampler_feed(s, tokens);
        for (int i = 0; i < streams; i++)
            if (tokens[i] >= 0)
                hash = hash_floats(hash, lm_sampler_logits(s, i), vocabulary);
    }
    lm_sampler_free(s);
    return hash;
}

/* Any build on any machine: a difference here means that seeds no longer mean what they meant. */
static void test_pinned(void)
{
    static const struct {
        int vocabulary, layers, units;
        const char *hash;
    } cases[] = {
        {131, 2, 64, "b834c7b2e3614dd8"},
        {7, 1, 16, "0582b613fa0c31e7"},
        {400, 3, 272, "94eb0b492765d2ab"},
    };
    const struct lm_kernels *kernels[LM_MOST_KERNELS];
    int n = lm_kernels_list(kernels);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct lm_model m;
        make_model(&m, cases[i].vocabulary, cases[i].layers, cases[i].units, 17 + i);
        struct lm_bytes *b = lm_bytes_new(&m);
        for (int k = 0; k < n; k++) {
            char text[32];
            lm_bytes_use(b, kernels[k]);
            snprintf(text, sizeof text, "%016llx",
                     (unsigned long long)hash_logits(b, cases[i].vocabulary, 9, 12));
            is_str(text, cases[i].hash, "logits of %d layers of %d units: %s", cases[i].layers,
                   cases[i].units, kernels[k]->name);
        }
        lm_bytes_free(b);
        free(m.weights);
    }
}

/* -- loops ------------------------------------------------------------------------------------- */

static bool dot_is_right(const struct lm_kernels *k, int pairs, int streams, bool extreme)
{
    enum { MOST = 13 };
    struct choice c;
    int8_t *w = mem_alloc((size_t)pairs * 2 * LM_ROWS);
    int16_t *h = mem_alloc((size_t)pairs * 2 * MOST * sizeof *h);
    const int16_t *at[MOST];
    int32_t out[MOST * LM_ROWS + 1];
    choice_init_random(&c, (uint64_t)streams);
    for (int i = 0; i < pairs * 2 * LM_ROWS; i++)
        w[i] = extreme ? 127 : (int8_t)((int)choose(&c, 255) - 127);
    for (int i = 0; i < pairs * 2 * MOST; i++)
        h[i] = (int16_t)(extreme ? -LM_ONE : (int)choose(&c, 2 * LM_ONE + 1) - LM_ONE);
    for (int s = 0; s < MOST; s++)
        at[s] = h + s * pairs * 2;
    out[streams * LM_ROWS] = 12345;
    k->dot(w, pairs, at, streams, out);
    bool good = out[streams * LM_ROWS] == 12345;
    for (int s = 0; s < streams; s++)
        for (int r = 0; r < LM_ROWS; r++) {
            int64_t sum = 0;
            for (int i = 0; i < 2 * pairs; i++)
                sum += w[(i / 2 * LM_ROWS + r) * 2 + i % 2] * at[s][i];
            good &= out[s * LM_ROWS + r] == sum;
        }
    choice_release(&c);
    free(w);
    free(h);
    return good;
}

static bool weights_are_right(const struct lm_kernels *k)
{
    enum { N = 1024 };
    float x[N];
    uint32_t weight[N];
    uint8_t bucket[N];
    bool good = true;
    for (int i = 0; i < N; i++)
        x[i] = 3 - (float)i / 32;
    k->weights(x, 3, 0.5f, N, weight, bucket);
    for (int i = 0; i < N; i++) {
        double wanted = LM_CERTAIN * exp((double)(x[i] - 3) / 2);
        good &= fabs(weight[i] - wanted) <= 0.51 + 2e-6 * wanted;
        good &= i == 0 || (weight[i] <= weight[i - 1] && bucket[i] >= bucket[i - 1]);
    }
    return good && weight[0] == LM_CERTAIN && weight[N - 1] == 2 && bucket[0] == 0 &&
           k->largest(x, N) == 3;
}

static void test_loops(void)
{
    const struct lm_kernels *kernels[LM_MOST_KERNELS];
    int n = lm_kernels_list(kernels);
    is_str(kernels[n - 1]->name, "plain", "plain C is always there");
    for (int k = 0; k < n; k++) {
        bool good = true;
        for (int streams = 1; streams <= 13; streams++)
            good &= dot_is_right(kernels[k], 24, streams, false);
        ok(good, "dot products of 1 to 13 streams: %s", kernels[k]->name);
        ok(dot_is_right(kernels[k], LM_MOST_UNITS / 2, 2, true),
           "the largest sum that there can be: %s", kernels[k]->name);
        ok(weights_are_right(kernels[k]), "exponentials: %s", kernels[k]->name);
    }
}

/* -- close to floats --------------------------------------------------------------------------- */

static double logistic(double x)
{
    return 1 / (1 + exp(-x));
}

static double product(const float *row, const double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += (double)row[i] * x[i];
    return sum;
}

/* h, c: (L, H); z: (4H) */
static void float_step(const struct lm_model *m, int token, double *h, double *c, double *z,
                       double *logits)
{
    int H = m->shape.units;
    for (int l = 0; l < m->shape.layers; l++) {
        double *own = h + l * H, *cell = c + l * H;
        for (int r = 0; r < 4 * H; r++) {
            size_t row = (size_t)(l * 4 * H + r);
            z[r] = (double)m->weights[m->at.bias + row] +
                   product(m->weights + m->at.inner + row * (size_t)H, own, H);
            if (l)
                z[r] += product(m->weights + m->at.outer + (row - (size_t)(4 * H)) * (size_t)H,
                                own - H, H);
            else
                z[r] += (double)m->weights[m->at.table + (size_t)(token * 4 * H + r)];
        }
        for (int u = 0; u < H; u++) {
            cell[u] = logistic(z[H + u]) * cell[u] + logistic(z[u]) * tanh(z[2 * H + u]);
            own[u] = logistic(z[3 * H + u]) * tanh(cell[u]);
        }
    }
    for (int t = 0; t < m->shape.vocabulary; t++)
        logits[t] =
            (double)m->weights[m->at.out_bias + (size_t)t] +
            product(m->weights + m->at.out + (size_t)(t * H), h + (m->shape.layers - 1) * H, H);
}

/* Logits to probabilities, in place; the likeliest. */
static int to_probabilities(double *x, int n)
{
    int best = 0;
    double sum = 0, most;
    for (int i = 1; i < n; i++)
        best = x[i] > x[best] ? i : best;
    most = x[best];
    for (int i = 0; i < n; i++)
        sum += x[i] = exp(x[i] - most);
    for (int i = 0; i < n; i++)
        x[i] /= sum;
    return best;
}

static void test_quality(void)
{
    enum { V = 300, L = 2, H = 192, STEPS = 150 };
    static double h[L * H], c[L * H], z[4 * H], wanted[V], got[V];
    struct lm_model m;
    make_model(&m, V, L, H, 5);
    for (size_t i = m.at.inner; i < m.at.out_bias; i++)
        m.weights[i] *= i < m.at.out ? 2 : 4;
    struct lm_bytes *b = lm_bytes_new(&m);
    struct lm_sampler *s = lm_sampler_new(b, 1);
    double divergence = 0, entropy = 0;
    int same = 0;
    for (int t = 0; t < STEPS; t++) {
        int token = fixed_token(1, t, V);
        float_step(&m, token, h, c, z, wanted);
        lm_sampler_feed(s, &token);
        for (int i = 0; i < V; i++)
            got[i] = (double)lm_sampler_logits(s, 0)[i];
        same += to_probabilities(wanted, V) == to_probabilities(got, V);
        for (int i = 0; i < V; i++) {
            divergence += wanted[i] * log(wanted[i] / got[i]) / STEPS;
            entropy -= wanted[i] * log(wanted[i]) / STEPS;
        }
    }
    printf("# divergence %.6f nats, same likeliest %d of %d, entropy %.2f nats\n", divergence, same,
           STEPS, entropy);
    ok(divergence < 0.01, "less than 0.01 nats from the network of floats");
    ok(same >= STEPS * 9 / 10, "mostly the same token is the likeliest");
    ok(entropy > 0.5 && entropy < 5, "of distributions that are neither sure nor flat");
    lm_sampler_free(s);
    lm_bytes_free(b);
    free(m.weights);
}

/* -- streams and states ------------------------------------------------------------------------ */

static bool same_logits(const struct lm_sampler *a, int i, const struct lm_sampler *b, int j, int v)
{
    return !memcmp(lm_sampler_logits(a, i), lm_sampler_logits(b, j), (size_t)v * sizeof(float));
}

static void test_streams(const struct lm_model *m, const struct lm_bytes *b)
{
    enum { STREAMS = 14, STEPS = 10 };
    int v = m->shape.vocabulary, tokens[STREAMS];
    struct lm_sampler *many = lm_sampler_new(b, STREAMS);
    struct lm_sampler *alone = lm_sampler_new(b, 1);
    bool good = true;
    for (int t = 0; t < STEPS; t++) {
        for (int i = 0; i < STREAMS; i++)
            tokens[i] = i != 3 && i % 3 == t % 3 ? -1 : fixed_token(i, t, v);
        lm_sampler_feed(many, tokens);
        lm_sampler_feed(alone, &tokens[3]);
        good &= same_logits(many, 3, alone, 0, v);
    }
    ok(good, "a stream's logits do not depend on its neighbours");

    /* come back */
    struct lm_state *state = lm_state_new(many);
    int one = 5, other[STREAMS];
    for (int i = 0; i < STREAMS; i++)
        other[i] = i == 7 ? 5 : -1;
    lm_state_save(many, 3, state);
    lm_sampler_feed(alone, &one);
    lm_state_restore(many, 7, state);
    ok(same_logits(many, 3, many, 7, v), "a state that is restored has its logits");
    lm_sampler_feed(many, other);
    ok(same_logits(many, 7, alone, 0, v), "another stream goes on from a state");
    ok(!same_logits(many, 3, alone, 0, v), "which moved nobody else");
    lm_state_restore(alone, 0, state);
    lm_sampler_feed(alone, &one);
    ok(same_logits(many, 7, alone, 0, v), "back, and the same way again");

    /* begin anew */
    struct lm_sampler *fresh = lm_sampler_new(b, 1);
    lm_sampler_reset(alone, 0);
    lm_sampler_feed(alone, &one);
    lm_sampler_feed(fresh, &one);
    ok(same_logits(fresh, 0, alone, 0, v), "a stream that is reset is a new one");
    lm_state_free(state);
    lm_sampler_free(fresh);
    lm_sampler_free(many);
    lm_sampler_free(alone);
}

/* -- draws ------------------------------------------------------------------------------------- */

/* A model whose logits are just these, whatever it is fed: all weights are 0 but out_bias. */
static struct lm_bytes *bytes_of_logits(const float *logits, int n)
{
    struct lm_model m = {.shape = {n, 1, 16}};
    m.at = lm_layout(&m.shape);
    m.weights = mem_alloc(m.at.total * sizeof *m.weights);
    memset(m.weights, 0, m.at.total * sizeof *m.weights);
    memcpy(m.weights + m.at.out_bias, logits, (size_t)n * sizeof *logits);
    struct lm_bytes *b = lm_bytes_new(&m);
    free(m.weights);
    return b;
}

static struct lm_sampler *fed_sampler(const struct lm_bytes *b)
{
    struct lm_sampler *s = lm_sampler_new(b, 1);
    int token = LM_END;
    lm_sampler_feed(s, &token);
    return s;
}

static void test_fairness(void)
{
    enum { V = 9, DRAWS = 60000 };
    static const float logits[V] = {1, -2, 0.5f, 3, 3, -40, 2.25f, -1, 0};
    static const double temperatures[] = {1, 0.5, 2};
    struct lm_bytes *b = bytes_of_logits(logits, V);
    struct lm_sampler *s = fed_sampler(b);
    for (int k = 0; k < 3; k++) {
        int count[V] = {0};
        double p[V], apart = 0;
        struct choice c;
        choice_init_random(&c, 99);
        for (int i = 0; i < DRAWS; i++)
            count[lm_draw(s, 0, temperatures[k], NULL, &c)]++;
        for (int i = 0; i < V; i++)
            p[i] = (double)logits[i] / temperatures[k];
        to_probabilities(p, V);
        for (int i = 0; i < V; i++)
            apart += fabs(count[i] / (double)DRAWS - p[i]) / 2;
        ok(apart < 0.006, "draws as softmax says at temperature %g", temperatures[k]);
        choice_release(&c);
    }
    lm_sampler_free(s);
    lm_bytes_free(b);
}

static void test_ranks(void)
{
    enum { V = 9 };
    static const float logits[V] = {1, -2, 0.5f, 3, 3, -40, 2.25f, -1, 0};
    static const int order[] = {3, 4, 6, 0, 2, 8, 7, 1}; /* 5 is less likely than 2^-24 */
    static const uint8_t mask[V] = {0, 1, 1, 0, 1, 1, 0, 0, 0};
    static const uint8_t none[V], unlikely[V] = {[5] = 1};
    struct lm_bytes *b = bytes_of_logits(logits, V);
    struct lm_sampler *s = fed_sampler(b);
    struct choice c, again;
    bool good = true;
    for (uint64_t rank = 0; rank < 8; rank++) {
        choice_init_replay(&c, &rank, 1);
        c.record = true;
        good &= lm_draw(s, 0, 1, NULL, &c) == order[rank];
        good &= c.path.n == 1 && c.path.at[0].value == rank && c.path.at[0].limit == 8;
        choice_release(&c);
    }
    ok(good, "a rank stands for a token: likely ones first, of equals the first one");
    choice_init_random(&c, 4);
    c.record = true;
    int drawn[200];
    for (int i = 0; i < 200; i++)
        drawn[i] = lm_draw(s, 0, 1.5, i % 2 ? mask : NULL, &c);
    good = true;
    for (int i = 1; i < 200; i += 2)
        good &= mask[drawn[i]];
    ok(good, "never a token that is masked");
    choice_values given = {0};
    for (size_t i = 0; i < c.path.n; i++)
        vec_push(&given, c.path.at[i].value);
    choice_init_replay(&again, given.at, given.n);
    good = given.n == 200;
    for (int i = 0; i < 200; i++)
        good &= lm_draw(s, 0, 1.5, i % 2 ? mask : NULL, &again) == drawn[i];
    ok(good, "what was recorded draws the same again");
    size_t recorded = c.path.n;
    is_int(lm_draw(s, 0, 0, NULL, &c), 3, "temperature 0: the likeliest");
    is_int(lm_draw(s, 0, 0, mask, &c), 4, "of those that are allowed");
    is_int(c.path.n, recorded, "which is no choice");
    is_int(lm_draw(s, 0, 1, none, &c), -1, "nothing is allowed");
    is_int(lm_draw(s, 0, 0, none, &c), -1, "not at temperature 0 either");
    is_int(lm_draw(s, 0, 1, unlikely, &c), 5, "an unlikely one that alone is allowed");
    int refused; /* e^3 / (2 e^3 + e^2.25 + e + e^0.5 + 1 + e^-1 + e^-2) */
    is_int(lm_share(s, 0, 1, mask, &refused), 393, "what a mask leaves");
    is_int(refused, 361, "and the most that it refuses");
    is_int(lm_share(s, 0, 0, mask, &refused), 500, "at temperature 0, with two that are likeliest");
    is_int(lm_share(s, 0, 1, none, &refused), 0, "nothing");
    is_int(lm_draw(s, 0, 1e-300, mask, &c), 4, "a temperature next to 0");
    choice_release(&c);
    choice_release(&again);
    vec_release(&given);
    lm_sampler_free(s);
    lm_bytes_free(b);
}

/* More tokens than a draw chooses among, in no order, and all alike. */
static void test_many(void)
{
    enum { V = 700, MOST = 256 };
    float logits[V];
    for (int i = 0; i < V; i++)
        logits[i] = (float)(i * 389 % V) / 50;
    struct lm_bytes *b = bytes_of_logits(logits, V);
    struct lm_sampler *s = fed_sampler(b);
    bool good = true;
    for (uint64_t rank = 0; rank < MOST + 1; rank++) {
        struct choice c;
        choice_init_replay(&c, &rank, 1);
        c.record = true;
        int token = lm_draw(s, 0, 1, NULL, &c);
        good &= token * 389 % V == V - 1 - (int)(rank % MOST) && c.path.at[0].limit == MOST;
        choice_release(&c);
    }
    ok(good, "the best 256 of 700, by rank");
    lm_sampler_free(s);
    lm_bytes_free(b);
    memset(logits, 0, sizeof logits);
    logits[1] = -0.0f;
    b = bytes_of_logits(logits, V);
    s = fed_sampler(b);
    good = true;
    for (uint64_t rank = 0; rank < MOST; rank++) {
        struct choice c;
        choice_init_replay(&c, &rank, 1);
        good &= lm_draw(s, 0, 1, NULL, &c) == (int)rank;
        choice_release(&c);
    }
    ok(good, "700 that are alike, by number");
    lm_sampler_free(s);
    lm_bytes_free(b);
}

/* -- programs ---------------------------------------------------------------------------------- */

struct taken {
    struct strbuf text;
    int stops[3];
    uint64_t next; /* seed */
    bool in_order;
    int64_t longest; /* tokens */
};

static void take(void *to, const struct lm_sampled *p)
{
    struct taken *t = to;
    t->in_order &= p->seed == t->next++;
    t->stops[p->stop]++;
    t->longest = p->tokens > t->longest ? p->tokens : t->longest;
    strbuf_add(&t->text, p->text.s, p->text.n);
    strbuf_adds(&t->text, "\n---\n");
}

static void run_batch(const struct lm_bytes *b, const struct lm_encoder *e,
                      struct lm_batch_options o, struct taken *out)
{
    struct error error;
    *out = (struct taken){.next = o.seed, .in_order = true};
    strbuf_init(&out->text, 0);
    is_int(lm_batch(b, e, &o, take, out, &error), 0, "a batch of %d streams", o.streams);
}

/* A network that knows nothing but draws brackets and ends often enough. */
static void make_language(struct lm_model *m)
{
    static const char *const text = "int a = 0; { b } ( c ) begin end\n";
    size_t size = strlen(text);
    struct lm_encoder_options o = {.most = 8, .at_least = 1};
    struct lm_encoder encoder;
    struct error e;
    ok(!lm_encoder_derive(&encoder, &text, &size, 1, &o, &e), "an encoder");
    const struct lm_shape shape = {encoder.n, 2, 32};
    lm_model_init(m, &shape, &encoder, 3);
    for (size_t i = m->at.out; i < m->at.out_bias; i++)
        m->weights[i] *= 8;
}

static void test_programs(void)
{
    struct lm_model m;
    struct taken one, some, all;
    make_language(&m);
    struct lm_bytes *b = lm_bytes_new(&m);
    struct lm_batch_options o = {.streams = 1,
                                 .programs = 40,
                                 .seed = 1000,
                                 .temperature = 1,
                                 .most = 60,
                                 .start = "a = {}{",
                                 .open = "{",
                                 .close = "}"};
    run_batch(b, &m.encoder, o, &one);
    o.streams = 7;
    run_batch(b, &m.encoder, o, &some);
    o.streams = 64;
    run_batch(b, &m.encoder, o, &all);
    is_str(one.text.s, some.text.s, "7 streams give what one gives");
    is_str(one.text.s, all.text.s, "64 streams do, too");
    ok(one.in_order && some.in_order && all.in_order, "in order of their seeds");
    ok(one.stops[0] && one.stops[1] && one.stops[2], "ended, closed, cut: %d, %d, %d", one.stops[0],
       one.stops[1], one.stops[2]);
    ok(one.longest == 60, "cut where it was asked for");
    has_str(one.text.s, "a = {}{", "with what was to be their start");

    /* Program 5 of a seed is program 0 of the seed plus 5. */
    struct taken alone;
    o.seed += 5;
    o.programs = 1;
    run_batch(b, &m.encoder, o, &alone);
    has_str(one.text.s, alone.text.s, "a program has a seed of its own");

    struct error e;
    o.start = "\x01";
    is_int(lm_batch(b, &m.encoder, &o, take, &alone, &e), -1, "a start that is no text of it");
    strbuf_release(&one.text);
    strbuf_release(&some.text);
    strbuf_release(&all.text);
    strbuf_release(&alone.text);
    lm_bytes_free(b);
    lm_model_release(&m);
}

/* Brackets of several bytes, also where a token ends within one. */
static void test_brackets(void)
{
    struct lm_model m;
    struct taken t;
    make_language(&m);
    struct lm_bytes *b = lm_bytes_new(&m);
    struct lm_batch_options o = {.streams = 8,
                                 .programs = 300,
                                 .seed = 1,
                                 .temperature = 1.5,
                                 .most = 60,
                                 .start = "{( ",
                                 .open = "{(",
                                 .close = " )"};
    run_batch(b, &m.encoder, o, &t);
    int closed = 0;
    for (char *p = t.text.s, *end; (end = strstr(p, "\n---\n")); p = end + 5) {
        int depth = 0;
        for (char *q = p; q < end; q++) {
            depth += !strncmp(q, "{(", 2) - !strncmp(q, " )", 2);
            closed += depth == 0 && q + 2 == end && q > p;
        }
    }
    ok(t.stops[LM_STOP_CLOSED] > 0 && closed == t.stops[LM_STOP_CLOSED],
       "%d programs ended with their last bracket", t.stops[LM_STOP_CLOSED]);
    strbuf_release(&t.text);
    lm_bytes_free(b);
    lm_model_release(&m);
}

/* `test-sample make FILE`: a model for the tests of the command (tests/lm/sample.sh). */
static int make_file(const char *path)
{
    struct lm_model m;
    struct error e;
    char text[1024];
    make_language(&m);
    int status = lm_model_save(&m, LM_SAVE_BYTES, path, &e);
    if (status)
        fprintf(stderr, "%s\n", error_text(&e, text, sizeof text));
    lm_model_release(&m);
    return status ? 1 : 0;
}

int main(int argc, char **argv)
{
    struct lm_model m;
    if (argc == 3 && !strcmp(argv[1], "make"))
        return make_file(argv[2]);
    test_pinned();
    test_loops();
    test_quality();
    make_model(&m, 131, 2, 64, 17);
    struct lm_bytes *b = lm_bytes_new(&m);
    test_streams(&m, b);
    lm_bytes_free(b);
    free(m.weights);
    test_fairness();
    test_ranks();
    test_many();
    test_programs();
    test_brackets();
    return tap_done();
}
