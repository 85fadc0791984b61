/* The network's parameters: made, saved, loaded.
 *
 * The file, all numbers little-endian:
 *
 *     "assay-lm 2 ...\n"   a line for people; its first two words are the format and its version
 *     uint64               bytes of the whole file, so that one that was cut short is told as such
 *     struct head          kind, shape, language, note, progress, size of the state
 *     encoder              lm_encoder_write
 *     known                uint64 each: hashes of the programs that it was trained on
 *     parameters           floats, in the order of the block; or, quantised: for each row of table,
 *                          inner, outer and out a float (its scale) and its bytes; the biases stay
 *                          floats, of which there are few
 *     checkpoint only      m, v, state
 *     uint64               checksum of all that stands before: FNV-1a
 *
 * A file is checked from its start to its end before any of it is believed: what comes after the
 * checksum can only be wrong if a program wrote it so, and is checked all the same. */
#include "lm/model.h"
#include "base/choice.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "floats are written as they are");

/* -- made -------------------------------------------------------------------------------------- */

struct lm_layout lm_layout(const struct lm_shape *s)
{
    size_t V = (size_t)s->vocabulary, L = (size_t)s->layers, H = (size_t)s->units;
    struct lm_layout at = {.table = 0};
    at.bias = at.table + V * 4 * H;
    at.inner = at.bias + L * 4 * H;
    at.outer = at.inner + L * 4 * H * H;
    at.out = at.outer + (L - 1) * 4 * H * H;
    at.out_bias = at.out + V * H;
    at.total = at.out_bias + V;
    return at;
}

float *lm_floats(size_t n)
{
    size_t size = (n * sizeof(float) + 63) / 64 * 64;
    float *p = aligned_alloc(64, size ? size : 64);
    if (!p)
        BUG("out of memory: %zu bytes for a model", size);
    memset(p, 0, size);
    return p;
}

static size_t state_size(const struct lm_shape *s, int batch)
{
    return (size_t)s->layers * 2 * (size_t)batch * (size_t)s->units;
}

void lm_model_reserve(struct lm_model *m, int batch)
{
    if (!m->m)
        m->m = lm_floats(m->at.total);
    if (!m->v)
        m->v = lm_floats(m->at.total);
    if (!m->state || m->state_batch != batch) {
        free(m->state);
        m->state = lm_floats(state_size(&m->shape, batch));
        m->state_batch = batch;
    }
}

static void draw_uniform(float *w, size_t n, double within, struct choice *c)
{
    for (size_t i = 0; i < n; i++)
        w[i] = (float)(((double)choose_bits(c, 24) / (1 << 23) - 1) * within);
}

void lm_model_init(struct lm_model *m, const struct lm_shape *s, struct lm_encoder *encoder,
                   uint64_t seed)
{
    REQUIRE(s->vocabulary == encoder->n && s->layers >= 1 && s->units > 0 && s->units % 16 == 0);
    *m = (struct lm_model){.shape = *s, .at = lm_layout(s), .encoder = *encoder};
    *encoder = (struct lm_encoder){0};
    m->weights = lm_floats(m->at.total);
    m->progress.seed = seed;
    struct choice c;
    choice_init_random(&c, seed);
    size_t H = (size_t)s->units;
    double within = 1 / sqrt((double)H);
    draw_uniform(m->weights + m->at.table, m->at.bias - m->at.table, within, &c);
    draw_uniform(m->weights + m->at.inner, m->at.out_bias - m->at.inner, within, &c);
    /* An LSTM that forgets at first learns slowly what lies far back. */
    for (int l = 0; l < s->layers; l++)
        for (size_t i = 0; i < H; i++)
            m->weights[m->at.bias + (size_t)l * 4 * H + H + i] = 1;
    choice_release(&c);
}

void lm_model_release(struct lm_model *m)
{
    lm_encoder_release(&m->encoder);
    free(m->weights);
    free(m->m);
    free(m->v);
    free(m->state);
    free(m->known);
    *m = (struct lm_model){0};
}

/* -- quantised --------------------------------------------------------------------------------- */

/* The scale has 16 significant bits, rounded up: then scale * q is exact in a float for every q,
 * the largest value of the row is still 127 times the scale, and quantising what was read back
 * gives the same scale and the same bytes. */
void lm_quantise_row(const float *row, int n, int8_t *q, float *scale)
{
    float most = 0;
    for (int i = 0; i < n; i++)
        if (isfinite(row[i]) && fabsf(row[i]) > most)
            most = fabsf(row[i]);
    float s = most > 1e-30f ? most / 127 : 0; /* near the smallest floats nothing is exact */
    uint32_t bits;
    memcpy(&bits, &s, sizeof bits);
    bits = (bits + 0xff) & ~(uint32_t)0xff;
    memcpy(&s, &bits, sizeof s);
    *scale = s;
    for (int i = 0; i < n; i++)
        q[i] = (int8_t)(s > 0 && isfinite(row[i]) ? rintf(row[i] / s) : 0);
}

/* Rows of one width that lie one after the other; bias and out_bias are rows that stay floats. */
struct rows {
    size_t at, n, width;
    bool bytes;
};
enum { N_ROWS = 6 };

static void rows_of(const struct lm_model *m, struct rows out[N_ROWS])
{
    size_t V = (size_t)m->shape.vocabulary, L = (size_t)m->shape.layers, H = (size_t)m->shape.units;
    const struct rows rows[N_ROWS] = {
        {m->at.table, V, 4 * H, true},     {m->at.bias, L, 4 * H, false},
        {m->at.inner, L * 4 * H, H, true}, {m->at.outer, (L - 1) * 4 * H, H, true},
        {m->at.out, V, H, true},           {m->at.out_bias, 1, V, false},
    };
    memcpy(out, rows, sizeof rows);
}

static size_t parameters_size(const struct lm_model *m, enum lm_save how)
{
    struct rows rows[N_ROWS];
    size_t size = 0;
    rows_of(m, rows);
    for (int i = 0; i < N_ROWS; i++)
        size += rows[i].bytes && how == LM_SAVE_BYTES ? rows[i].n * (sizeof(float) + rows[i].width)
                                                      : rows[i].n * rows[i].width * sizeof(float);
    return size;
}

static uint64_t checksum(uint64_t h, const void *data, size_t n)
{
    const unsigned char *p = data;
    for (size_t i = 0; i < n; i++)
        h = (h ^ p[i]) * 0x100000001b3u;
    return h;
}
static const uint64_t checksum_start = 0xcbf29ce484222325u;

/* -- what it knows ----------------------------------------------------------------------------- */

static uint64_t text_hash(const char *text, size_t size)
{
    uint64_t h = checksum_start;
    for (size_t i = 0; i < size; i++)
        if (!strchr(" \n\t\r", text[i]) || !text[i])
            h = checksum(h, &text[i], 1);
    return h;
}

static int compare_hashes(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return ORDER(x, y);
}

void lm_model_know(struct lm_model *m, const char *const *texts, const size_t *sizes, size_t n)
{
    uint64_t *all = mem_alloc((m->n_known + n + 1) * sizeof *all);
    if (m->n_known)
        memcpy(all, m->known, m->n_known * sizeof *all);
    for (size_t i = 0; i < n; i++)
        all[m->n_known + i] = text_hash(texts[i], sizes[i]);
    qsort(all, m->n_known + n, sizeof *all, compare_hashes);
    size_t kept = 0;
    for (size_t i = 0; i < m->n_known + n; i++)
        if (!kept || all[i] != all[kept - 1])
            all[kept++] = all[i];
    free(m->known);
    m->known = all;
    m->n_known = kept;
}

bool lm_model_knows(const struct lm_model *m, const char *text, size_t size)
{
    uint64_t hash = text_hash(text, size);
    return m->n_known && bsearch(&hash, m->known, m->n_known, sizeof hash, compare_hashes);
}

/* -- the file ---------------------------------------------------------------------------------- */

static const char magic[] = "assay-lm 2 ";
static const char *const kind_name[] = {"checkpoint", "floats", "bytes"};

struct head {
    uint32_t kind, vocabulary, layers, units, state_batch, encoder_size;
    uint64_t known, seed;
    int64_t epoch, step, all_steps;
    double loss, held_out;
    char language[32], note[512];
};
_Static_assert(sizeof(struct head) == 24 + 7 * 8 + 32 + 512, "no padding goes into a file");

struct writer {
    FILE *file;
    uint64_t sum;
    bool failed; /* errno says why */
};

static void put(struct writer *w, const void *data, size_t n)
{
    w->sum = checksum(w->sum, data, n);
    w->failed = w->failed || (n && fwrite(data, 1, n, w->file) != n);
}

static void put_bytes(struct writer *w, const float *row, size_t width, int8_t *q)
{
    float scale;
    lm_quantise_row(row, (int)width, q, &scale);
    put(w, &scale, sizeof scale);
    put(w, q, width);
}

static void put_parameters(struct writer *w, const struct lm_model *m, enum lm_save how)
{
    struct rows rows[N_ROWS];
    rows_of(m, rows);
    if (how != LM_SAVE_BYTES) {
        put(w, m->weights, m->at.total * sizeof(float));
        return;
    }
    size_t widest = (size_t)m->shape.units * 4;
    int8_t *q = mem_alloc(widest);
    for (int i = 0; i < N_ROWS; i++)
        for (size_t r = 0; r < rows[i].n; r++) {
            const float *row = m->weights + rows[i].at + r * rows[i].width;
            if (rows[i].bytes)
                put_bytes(w, row, rows[i].width, q);
            else
                put(w, row, rows[i].width * sizeof(float));
        }
    free(q);
}

static struct head head_of(const struct lm_model *m, enum lm_save how, size_t encoder_size)
{
    struct head h = {.kind = how,
                     .vocabulary = (uint32_t)m->shape.vocabulary,
                     .layers = (uint32_t)m->shape.layers,
                     .units = (uint32_t)m->shape.units,
                     .state_batch = how == LM_SAVE_CHECKPOINT ? (uint32_t)m->state_batch : 0,
                     .encoder_size = (uint32_t)encoder_size,
                     .known = m->n_known,
                     .seed = m->progress.seed,
                     .epoch = m->progress.epoch,
                     .step = m->progress.step,
                     .all_steps = m->progress.all_steps,
                     .loss = m->progress.loss,
                     .held_out = m->progress.held_out};
    snprintf(h.language, sizeof h.language, "%s", m->language);
    snprintf(h.note, sizeof h.note, "%s", m->note);
    return h;
}

/* Bytes behind the parameters: moments and state. */
static size_t training_size(const struct lm_model *m, enum lm_save how, int state_batch)
{
    if (how != LM_SAVE_CHECKPOINT)
        return 0;
    return (2 * m->at.total + state_size(&m->shape, state_batch)) * sizeof(float);
}

static void put_model(struct writer *w, const struct lm_model *m, enum lm_save how)
{
    struct strbuf line, encoder;
    strbuf_init(&line, 0);
    strbuf_init(&encoder, 0);
    lm_encoder_write(&m->encoder, &encoder);
    strbuf_addf(&line, "%s%s %s: %d tokens, %d layers of %d units, %d epochs\n", magic,
                kind_name[how], m->language[0] ? m->language : "-", m->shape.vocabulary,
                m->shape.layers, m->shape.units, m->progress.epoch);
    const struct head head = head_of(m, how, encoder.n);
    uint64_t size = line.n + 2 * sizeof size + sizeof head + encoder.n +
                    m->n_known * sizeof *m->known + parameters_size(m, how) +
                    training_size(m, how, m->state_batch);
    put(w, line.s, line.n);
    put(w, &size, sizeof size);
    put(w, &head, sizeof head);
    put(w, encoder.s, encoder.n);
    put(w, m->known, m->n_known * sizeof *m->known);
    put_parameters(w, m, how);
    if (how == LM_SAVE_CHECKPOINT) {
        put(w, m->m, m->at.total * sizeof(float));
        put(w, m->v, m->at.total * sizeof(float));
        put(w, m->state, state_size(&m->shape, m->state_batch) * sizeof(float));
    }
    uint64_t sum = w->sum;
    put(w, &sum, sizeof sum);
    strbuf_release(&line);
    strbuf_release(&encoder);
}

/* The name of a file is on the disk when its folder is. */
static void sync_folder(const char *path)
{
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%s", path);
    char *slash = strrchr(folder, '/');
    if (slash)
        slash[slash == folder] = '\0';
    int fd = open(slash ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return;
    fsync(fd);
    close(fd);
}

int lm_model_save(const struct lm_model *m, enum lm_save how, const char *path, struct error *e)
{
    char part[PATH_MAX];
    REQUIRE(how != LM_SAVE_CHECKPOINT || (m->m && m->v && m->state));
    if (snprintf(part, sizeof part, "%s.part", path) >= (int)sizeof part)
        return error_at(e, ERROR_USAGE, path, 0, "path too long");
    int fd = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    struct writer w = {.file = fd < 0 ? NULL : fdopen(fd, "w"), .sum = checksum_start};
    if (!w.file)
        return error_at(e, ERROR_ENVIRONMENT, path, 0, "cannot be written: %s", strerror(errno));
    errno = 0;
    put_model(&w, m, how);
    w.failed = w.failed || fflush(w.file) || fsync(fd);
    int why = errno;
    if (fclose(w.file) && !w.failed) {
        w.failed = true;
        why = errno;
    }
    if (!w.failed && rename(part, path)) {
        w.failed = true;
        why = errno;
    }
    if (w.failed) {
        unlink(part);
        return error_at(e, ERROR_ENVIRONMENT, path, 0, "cannot be written: %s",
                        why == ENOSPC ? "the disk is full, free some space" : strerror(why));
    }
    sync_folder(path);
    return 0;
}

/* -- and back ---------------------------------------------------------------------------------- */

struct reader {
    const char *path;
    char *data;
    size_t n, at;
};

static int read_whole(struct reader *r, struct error *e)
{
    struct stat st;
    int fd = open(r->path, O_RDONLY | O_CLOEXEC);
    ssize_t got = 1;
    if (fd < 0 || fstat(fd, &st)) {
        int why = errno;
        if (fd >= 0)
            close(fd);
        return error_at(e, why == ENOENT ? ERROR_USAGE : ERROR_ENVIRONMENT, r->path, 0,
                        "cannot be read: %s", strerror(why));
    }
    if (!S_ISREG(st.st_mode)) {
        close(fd);
        return error_at(e, ERROR_USAGE, r->path, 0, "is not a file");
    }
    r->data = mem_alloc((size_t)st.st_size + 1);
    while (r->n < (size_t)st.st_size && got > 0) {
        got = read(fd, r->data + r->n, (size_t)st.st_size - r->n);
        r->n += got > 0 ? (size_t)got : 0;
    }
    int why = errno;
    close(fd);
    if (got < 0)
        return error_at(e, ERROR_ENVIRONMENT, r->path, 0, "cannot be read: %s", strerror(why));
    return 0;
}

static bool take(struct reader *r, void *out, size_t n)
{
    if (r->n - r->at < n)
        return false;
    memcpy(out, r->data + r->at, n);
    r->at += n;
    return true;
}

/* Is it a model, of this version, whole and as it was written? */
static int check_file(struct reader *r, struct error *e)
{
    enum { LONGEST_LINE = 200, NAME = sizeof "assay-lm " - 1, MAGIC = sizeof magic - 1 };
    if (r->n < NAME || memcmp(r->data, magic, NAME))
        return error_at(e, ERROR_USAGE, r->path, 0, "is not a model: `assay lm train` makes one");
    if (r->n >= MAGIC && memcmp(r->data, magic, MAGIC))
        return error_at(e, ERROR_USAGE, r->path, 0,
                        "is a model of another version of assay: this one reads %.*s", (int)MAGIC,
                        magic);
    const char *end = memchr(r->data, '\n', r->n < LONGEST_LINE ? r->n : LONGEST_LINE);
    uint64_t size, sum;
    r->at = end ? (size_t)(end - r->data) + 1 : 0;
    if ((!end && r->n < LONGEST_LINE) || (end && !take(r, &size, sizeof size)))
        return error_at(e, ERROR_USAGE, r->path, 0, "is truncated: it has only %zu bytes", r->n);
    if (end && r->n < size)
        return error_at(e, ERROR_USAGE, r->path, 0, "is truncated: it has %zu of %llu bytes", r->n,
                        (unsigned long long)size);
    if (end && r->n == size && r->n - r->at >= sizeof sum) {
        memcpy(&sum, r->data + r->n - sizeof sum, sizeof sum);
        if (sum == checksum(checksum_start, r->data, r->n - sizeof sum)) {
            r->n -= sizeof sum;
            return 0;
        }
    }
    return error_at(e, ERROR_USAGE, r->path, 0,
                    "is damaged: its checksum is wrong; take an older copy");
}

static bool take_parameters(struct reader *r, struct lm_model *m, enum lm_save how)
{
    struct rows rows[N_ROWS];
    rows_of(m, rows);
    if (how != LM_SAVE_BYTES)
        return take(r, m->weights, m->at.total * sizeof(float));
    for (int i = 0; i < N_ROWS; i++)
        for (size_t k = 0; k < rows[i].n; k++) {
            float *row = m->weights + rows[i].at + k * rows[i].width, scale;
            if (!rows[i].bytes) {
                if (!take(r, row, rows[i].width * sizeof(float)))
                    return false;
                continue;
            }
            if (!take(r, &scale, sizeof scale) || r->n - r->at < rows[i].width)
                return false;
            for (size_t x = 0; x < rows[i].width; x++)
                row[x] = scale * (float)(int8_t)r->data[r->at + x];
            r->at += rows[i].width;
        }
    return true;
}

static bool is_sane(const struct head *h)
{
    return h->kind <= LM_SAVE_BYTES && h->vocabulary >= 2 && h->vocabulary <= LM_MOST_TOKENS &&
           h->layers >= 1 && h->layers <= 64 && h->units >= 16 && h->units <= LM_MOST_UNITS &&
           h->units % 16 == 0 && h->state_batch <= 1 << 20;
}

static void take_head(struct lm_model *m, const struct head *h)
{
    m->shape = (struct lm_shape){(int)h->vocabulary, (int)h->layers, (int)h->units};
    m->at = lm_layout(&m->shape);
    m->progress = (struct lm_progress){.seed = h->seed,
                                       .epoch = (int32_t)h->epoch,
                                       .step = h->step,
                                       .all_steps = h->all_steps,
                                       .loss = h->loss,
                                       .held_out = h->held_out};
    snprintf(m->language, sizeof m->language, "%.*s", (int)sizeof h->language - 1, h->language);
    snprintf(m->note, sizeof m->note, "%.*s", (int)sizeof h->note - 1, h->note);
}

/* The checksum is right; sizes are compared with what is there before memory is asked for. */
static bool take_model(struct reader *r, struct lm_model *m)
{
    struct head h;
    size_t used;
    if (!take(r, &h, sizeof h) || !is_sane(&h) || r->n - r->at < h.encoder_size ||
        lm_encoder_read(&m->encoder, r->data + r->at, h.encoder_size, &used, NULL))
        return false;
    r->at += h.encoder_size;
    take_head(m, &h);
    if (h.known > (r->n - r->at) / sizeof *m->known)
        return false;
    m->n_known = (size_t)h.known;
    m->known = mem_alloc((m->n_known + 1) * sizeof *m->known);
    if (!take(r, m->known, m->n_known * sizeof *m->known))
        return false;
    if (used != h.encoder_size || m->encoder.n != m->shape.vocabulary ||
        r->n - r->at != parameters_size(m, (enum lm_save)h.kind) +
                            training_size(m, (enum lm_save)h.kind, (int)h.state_batch))
        return false;
    m->weights = lm_floats(m->at.total);
    if (!take_parameters(r, m, (enum lm_save)h.kind))
        return false;
    if (h.kind != LM_SAVE_CHECKPOINT)
        return true;
    lm_model_reserve(m, (int)h.state_batch);
    return take(r, m->m, m->at.total * sizeof(float)) &&
           take(r, m->v, m->at.total * sizeof(float)) &&
           take(r, m->state, state_size(&m->shape, m->state_batch) * sizeof(float));
}

static bool is_finite(const struct lm_model *m)
{
    for (size_t i = 0; i < m->at.total; i++)
        if (!isfinite(m->weights[i]))
            return false;
    return true;
}

int lm_model_load(struct lm_model *m, const char *path, struct error *e)
{
    struct reader r = {.path = path};
    *m = (struct lm_model){0};
    int status = read_whole(&r, e) || check_file(&r, e) ? -1 : 0;
    if (!status && !take_model(&r, m)) {
        status = error_at(e, ERROR_USAGE, path, 0, "is damaged: its parts do not fit together");
        lm_model_release(m);
    } else if (!status && !is_finite(m)) {
        status = error_at(
            e, ERROR_USAGE, path, 0,
            "contains a weight that is not a number: its training diverged; train again with "
            "a lower --rate");
        lm_model_release(m);
    }
    free(r.data);
    return status;
}
