/* The encoder (DeepSmith 2.1): which words become atoms, and texts to tokens and back.
 *
 * The paper has a list of keywords by hand; here the corpus decides. Each word of two bytes or more
 * and each line end with the blanks behind it is counted; a candidate of n bytes that stands there
 * k times saves k * (n - 1) tokens against bytes alone, and those that save most are taken. That is
 * not optimal for runs of blanks (a short run is also a prefix of a long one), but nothing else
 * overlaps, and a run that is no atom begins with a shorter one that is.
 *
 * Tokens are numbered LM_END, the single bytes in their order, the atoms that were asked for, the
 * derived ones with the most saving first. */
#include "lm/encoder.h"

enum { MOST_ATOM = 63 /* bytes; what is longer is rare, and data */ };

bool lm_is_word_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '$';
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n';
}

/* -- which tokens there are -------------------------------------------------------------------- */

static void encoder_init(struct lm_encoder *e, int n)
{
    *e = (struct lm_encoder){0};
    arena_init(&e->arena);
    map_init(&e->by_text);
    e->texts = arena_array(&e->arena, const char *, n);
    e->sizes = arena_array(&e->arena, uint8_t, n);
    e->texts[LM_END] = "";
    e->n = 1;
}

void lm_encoder_release(struct lm_encoder *e)
{
    map_release(&e->by_text);
    arena_release(&e->arena);
    *e = (struct lm_encoder){0};
}

/* False: it is there already. */
static bool add_token(struct lm_encoder *e, const char *text, size_t size)
{
    bool added;
    struct map_entry *entry = map_put(&e->by_text, text, size, &added);
    if (!added)
        return false;
    entry->value.number = (uint64_t)e->n;
    e->texts[e->n] = arena_memdup(&e->arena, text, size);
    e->sizes[e->n] = (uint8_t)size;
    unsigned char first = (unsigned char)text[0];
    if (size == 1)
        e->by_byte[first] = (lm_token)e->n;
    else if (e->longest_from[first] < size)
        e->longest_from[first] = (uint8_t)size;
    if (e->longest < (int)size)
        e->longest = (int)size;
    e->n++;
    return true;
}

/* Bytes of the candidate that begins here, or of what is passed over; *atom tells which. */
static size_t candidate(const char *text, size_t left, bool *atom)
{
    size_t n = 1;
    if (lm_is_word_byte(text[0]))
        while (n < left && lm_is_word_byte(text[n]))
            n++;
    else if (text[0] == '\n')
        while (n < left && is_blank(text[n]))
            n++;
    *atom = n >= 2 && n <= MOST_ATOM;
    return n;
}

static void count_candidates(struct map *counts, const char *text, size_t size)
{
    bool atom;
    for (size_t i = 0, n; i < size; i += n) {
        n = candidate(text + i, size - i, &atom);
        if (atom)
            map_put(counts, text + i, n, NULL)->value.number++;
    }
}

static uint64_t saving(const struct map_entry *e)
{
    return e->value.number * (e->key_size - 1);
}

static int by_saving(const void *a, const void *b)
{
    const struct map_entry *x = *(struct map_entry *const *)a, *y = *(struct map_entry *const *)b;
    if (saving(x) != saving(y))
        return saving(x) > saving(y) ? -1 : 1;
    size_t n = x->key_size < y->key_size ? x->key_size : y->key_size;
    int order = memcmp(x->key, y->key, n);
    return order ? order : x->key_size < y->key_size ? -1 : 1;
}

static void add_best(struct lm_encoder *e, const struct map *counts, int at_least, int limit)
{
    const struct map_entry **sorted = mem_alloc((counts->n + 1) * sizeof *sorted);
    size_t n = 0;
    for (size_t i = 0; i < counts->n; i++)
        if (counts->entries[i].value.number >= (uint64_t)(at_least > 1 ? at_least : 1))
            sorted[n++] = &counts->entries[i];
    qsort(sorted, n, sizeof *sorted, by_saving);
    for (size_t i = 0; i < n && e->n < limit; i++)
        add_token(e, sorted[i]->key, sorted[i]->key_size);
    free(sorted);
}

static void add_bytes(struct lm_encoder *e, const bool used[256])
{
    for (int c = 0; c < 256; c++)
        if (used[c])
            add_token(e, &(char){(char)c}, 1);
}

/* The atoms that were asked for. */
static int add_always(struct lm_encoder *e, const char *const *always, struct error *error)
{
    for (int i = 0; always && always[i]; i++) {
        size_t n = strlen(always[i]);
        if (n < 1 || n > MOST_ATOM)
            return error_set(error, ERROR_USAGE, "the atom '%s' must have 1 to %d bytes", always[i],
                             MOST_ATOM);
        if (e->n == LM_MOST_TOKENS)
            return error_set(error, ERROR_USAGE, "there are more than %d atoms", LM_MOST_TOKENS);
        add_token(e, always[i], n);
    }
    return 0;
}

int lm_encoder_derive(struct lm_encoder *e, const char *const *texts, const size_t *sizes, size_t n,
                      const struct lm_encoder_options *o, struct error *error)
{
    bool used[256] = {false};
    struct map counts;
    map_init(&counts);
    encoder_init(e, LM_MOST_TOKENS);
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < sizes[i]; k++)
            used[(unsigned char)texts[i][k]] = true;
        count_candidates(&counts, texts[i], sizes[i]);
    }
    for (int i = 0; o->always && o->always[i]; i++)
        for (const char *p = o->always[i]; *p; p++)
            used[(unsigned char)*p] = true;
    add_bytes(e, used);
    int limit = e->n + o->most, status = add_always(e, o->always, error);
    if (!status)
        add_best(e, &counts, o->at_least, limit < LM_MOST_TOKENS ? limit : LM_MOST_TOKENS);
    map_release(&counts);
    if (!status && e->n < 2)
        status = error_set(error, ERROR_USAGE, "the corpus has no text");
    if (status)
        lm_encoder_release(e);
    return status;
}

/* -- texts and tokens -------------------------------------------------------------------------- */

/* May an atom stand at text[at .. at + n), or is one of its ends within a word? */
static bool is_whole(const char *text, size_t size, size_t at, size_t n)
{
    if (at > 0 && lm_is_word_byte(text[at]) && lm_is_word_byte(text[at - 1]))
        return false;
    return at + n == size || !lm_is_word_byte(text[at + n - 1]) || !lm_is_word_byte(text[at + n]);
}

static lm_token longest_match(const struct lm_encoder *e, const char *text, size_t size, size_t at)
{
    size_t n = e->longest_from[(unsigned char)text[at]];
    for (n = n < size - at ? n : size - at; n >= 2; n--) {
        if (!is_whole(text, size, at, n))
            continue;
        const struct map_entry *found = map_find(&e->by_text, text + at, n);
        if (found)
            return (lm_token)found->value.number;
    }
    return e->by_byte[(unsigned char)text[at]];
}

int lm_encode(const struct lm_encoder *e, const char *text, size_t n, lm_tokens *out,
              struct error *error)
{
    for (size_t i = 0; i < n;) {
        lm_token token = longest_match(e, text, n, i);
        if (token == LM_END) {
            int line = 1;
            for (size_t k = 0; k < i; k++)
                line += text[k] == '\n';
            return error_set(error, ERROR_USAGE,
                             "line %d has a byte that the model has no token for: 0x%02x", line,
                             (unsigned)(unsigned char)text[i]);
        }
        vec_push(out, token);
        i += e->sizes[token];
    }
    return 0;
}

void lm_decode(const struct lm_encoder *e, const lm_token *tokens, size_t n, struct strbuf *out)
{
    for (size_t i = 0; i < n; i++) {
        REQUIRE(tokens[i] < e->n);
        strbuf_add(out, e->texts[tokens[i]], e->sizes[tokens[i]]);
    }
}

/* -- in a file --------------------------------------------------------------------------------- */

/* Number of tokens (4 bytes), the size of each (a byte), their texts one after the other. */
void lm_encoder_write(const struct lm_encoder *e, struct strbuf *out)
{
    for (int i = 0; i < 4; i++)
        strbuf_addc(out, (char)((unsigned)e->n >> (8 * i) & 0xff));
    strbuf_add(out, e->sizes, (size_t)e->n);
    for (int i = 0; i < e->n; i++)
        strbuf_add(out, e->texts[i], e->sizes[i]);
}

static int not_one(struct lm_encoder *e, struct error *error)
{
    if (e)
        lm_encoder_release(e);
    return error_set(error, ERROR_USAGE, "its list of tokens is damaged");
}

int lm_encoder_read(struct lm_encoder *e, const void *data, size_t n, size_t *used,
                    struct error *error)
{
    const unsigned char *p = data;
    uint32_t count = 0;
    for (int i = 0; n >= 4 && i < 4; i++)
        count |= (uint32_t)p[i] << (8 * i);
    if (count < 2 || count > LM_MOST_TOKENS || n - 4 < count || p[4] != 0)
        return not_one(NULL, error);
    const unsigned char *sizes = p + 4;
    size_t at = 4 + count;
    encoder_init(e, (int)count);
    for (uint32_t i = 1; i < count; at += sizes[i++])
        if (sizes[i] == 0 || n - at < sizes[i] || !add_token(e, (const char *)p + at, sizes[i]))
            return not_one(e, error);
    *used = at;
    return 0;
}
