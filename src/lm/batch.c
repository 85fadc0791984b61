/* The loop of a batch: each stream that has a program draws a token, those that go on are fed
 * together. A program that is done hands its stream over before the next round; the next begins
 * with the state after `start`, whose logits are already there.
 *
 * Programs end in another order than they begin: those that are done wait until all before them
 * were handed out. */
#include "lm/batch.h"

const char *const lm_stop_name[] = {"end", "closed", "most"};

struct slot {
    int64_t program; /* its number; -1: the stream has none left */
    struct choice choice;
    int64_t depth;  /* brackets that are open */
    size_t counted; /* bytes of the text that were looked at for brackets */
};

struct batch {
    const struct lm_encoder *encoder;
    const struct lm_batch_options *o;
    struct lm_sampler *sampler;
    struct lm_state *begin; /* after `start` */
    struct slot *slots;     /* (streams) */
    struct lm_sampled *all; /* (programs): begun, and not yet handed out */
    bool *done;             /* (programs) */
    int64_t begun, handed;  /* numbers of programs */
    int running;            /* streams that have one */
};

static bool stands_at(const struct strbuf *text, size_t at, const char *word, size_t n)
{
    return text->n - at >= n && !memcmp(text->s + at, word, n);
}

/* Counts the brackets in what is new. True: the last one was closed, and the text ends there. A
 * bracket of several bytes may be cut by the end of the text: its beginning is looked at again. */
static bool count_brackets(struct slot *s, const struct lm_batch_options *o, struct strbuf *text)
{
    if (!o->open || !o->close)
        return false;
    size_t open = strlen(o->open), close = strlen(o->close), most = open > close ? open : close;
    while (s->counted < text->n) {
        if (stands_at(text, s->counted, o->open, open)) {
            s->depth++;
            s->counted += open;
        } else if (stands_at(text, s->counted, o->close, close)) {
            s->counted += close;
            if (s->depth && --s->depth == 0) {
                text->n = s->counted;
                text->s[text->n] = '\0';
                return true;
            }
        } else if (text->n - s->counted < most) {
            return false;
        } else {
            s->counted++;
        }
    }
    return false;
}

static void begin_program(struct batch *b, int stream)
{
    struct slot *s = &b->slots[stream];
    *s = (struct slot){.program = -1};
    if (b->begun == b->o->programs)
        return;
    s->program = b->begun++;
    b->running++;
    struct lm_sampled *p = &b->all[s->program];
    *p = (struct lm_sampled){.seed = b->o->seed + (uint64_t)s->program};
    strbuf_init(&p->text, 0);
    strbuf_adds(&p->text, b->o->start);
    /* What `start` closes ends nothing: the model has not said a word yet. */
    while (count_brackets(s, b->o, &p->text)) {
        size_t rest = s->counted;
        strbuf_adds(&p->text, b->o->start + rest);
    }
    choice_init_random(&s->choice, p->seed);
    lm_state_restore(b->sampler, stream, b->begin);
}

static void end_program(struct batch *b, int stream, enum lm_stop stop)
{
    struct slot *s = &b->slots[stream];
    b->all[s->program].stop = stop;
    b->done[s->program] = true;
    b->running--;
    choice_release(&s->choice);
    begin_program(b, stream);
}

/* The token to be fed; -1: none, the stream has no program or begins one. */
static int draw_token(struct batch *b, int stream)
{
    struct slot *s = &b->slots[stream];
    if (s->program < 0)
        return -1;
    struct lm_sampled *p = &b->all[s->program];
    int token = lm_draw(b->sampler, stream, b->o->temperature, NULL, &s->choice);
    if (token == LM_END) {
        end_program(b, stream, LM_STOP_END);
        return -1;
    }
    lm_token one = (lm_token)token;
    lm_decode(b->encoder, &one, 1, &p->text);
    p->tokens++;
    bool closed = count_brackets(s, b->o, &p->text);
    if (closed || p->tokens >= b->o->most) {
        end_program(b, stream, closed ? LM_STOP_CLOSED : LM_STOP_MOST);
        return -1;
    }
    return token;
}

static void hand_out(struct batch *b, void (*take)(void *to, const struct lm_sampled *p), void *to)
{
    for (; b->handed < b->begun && b->done[b->handed]; b->handed++) {
        take(to, &b->all[b->handed]);
        strbuf_release(&b->all[b->handed].text);
    }
}

/* The state after `start`, as a program of the corpus begins: behind the end of another. */
static int feed_start(struct batch *b, int *tokens, struct error *e)
{
    lm_tokens start = {0};
    vec_push(&start, LM_END);
    int status = lm_encode(b->encoder, b->o->start, strlen(b->o->start), &start, e);
    for (size_t i = 0; !status && i < start.n; i++) {
        tokens[0] = start.at[i];
        lm_sampler_feed(b->sampler, tokens);
    }
    if (!status)
        lm_state_save(b->sampler, 0, b->begin);
    vec_release(&start);
    return status;
}

int lm_batch(const struct lm_bytes *bytes, const struct lm_encoder *encoder,
             const struct lm_batch_options *o, void (*take)(void *to, const struct lm_sampled *p),
             void *to, struct error *e)
{
    REQUIRE(o->streams >= 1 && o->programs >= 0 && o->most >= 1 && o->start);
    REQUIRE((!o->open || *o->open) && (!o->close || *o->close));
    struct arena a;
    struct batch b = {.encoder = encoder, .o = o};
    arena_init(&a);
    b.sampler = lm_sampler_new(bytes, o->streams);
    b.begin = lm_state_new(b.sampler);
    b.slots = arena_array(&a, struct slot, o->streams);
    b.all = arena_array(&a, struct lm_sampled, o->programs);
    b.done = arena_array(&a, bool, o->programs);
    int *tokens = arena_array(&a, int, o->streams);
    for (int i = 0; i < o->streams; i++)
        tokens[i] = -1;
    int status = feed_start(&b, tokens, e);
    for (int i = 0; !status && i < o->streams; i++)
        begin_program(&b, i);
    while (b.running) {
        for (int i = 0; i < o->streams; i++)
            tokens[i] = draw_token(&b, i);
        lm_sampler_feed(b.sampler, tokens);
        hand_out(&b, take, to);
    }
    lm_state_free(b.begin);
    lm_sampler_free(b.sampler);
    arena_release(&a);
    return status;
}
