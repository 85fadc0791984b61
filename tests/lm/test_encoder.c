/* Which atoms are chosen, and that texts come back. */
#include "base/choice.h"
#include "lm/encoder.h"
#include "tap.h"

#include <stdlib.h>

static void derive(struct lm_encoder *e, const char *text, int most, int at_least,
                   const char *const *always)
{
    const struct lm_encoder_options o = {most, at_least, always};
    size_t size = strlen(text);
    struct error error = {0};
    if (lm_encoder_derive(e, &text, &size, 1, &o, &error)) {
        printf("Bail out! %s\n", error.message);
        exit(1);
    }
}

static bool is_token(const struct lm_encoder *e, const char *text)
{
    for (int i = 1; i < e->n; i++)
        if (!strcmp(e->texts[i], text))
            return true;
    return false;
}

/* The tokens' texts with | between them. */
static const char *cut(const struct lm_encoder *e, const char *text, struct strbuf *out)
{
    lm_tokens tokens = {0};
    struct error error = {0};
    strbuf_clear(out);
    if (lm_encode(e, text, strlen(text), &tokens, &error))
        strbuf_adds(out, error.message);
    else
        for (size_t i = 0; i < tokens.n; i++)
            strbuf_addf(out, "%s%s", i ? "|" : "", e->texts[tokens.at[i]]);
    vec_release(&tokens);
    return out->s;
}

static void test_atoms(struct strbuf *b)
{
    struct lm_encoder e;
    derive(&e, "int a;\nint b;\nint printf;\n    int c;\n    return;\n    return", 100, 2, NULL);
    ok(is_token(&e, "int") && is_token(&e, "return"), "words that come twice are atoms");
    ok(!is_token(&e, "printf"), "one that comes once is none");
    ok(is_token(&e, "\n    "), "a line end with its indentation is one");
    ok(!is_token(&e, "a;"), "nothing across words is one");
    is_str(e.texts[LM_END], "", "the end has no text");
    is_str(cut(&e, "int printf", b), "int| |p|r|i|n|t|f", "an atom within a word is not taken");
    is_str(cut(&e, "print int", b), "p|r|i|n|t| |int", "nor at its end");
    is_str(cut(&e, "intint", b), "i|n|t|i|n|t", "nor twice");
    is_str(cut(&e, "\n    int", b), "\n    |int", "the longest run of blanks is taken");
    is_str(cut(&e, "\n     int", b), "\n    | |int", "and the rest is bytes");
    lm_encoder_release(&e);
}

static void test_choice_of_atoms(struct strbuf *b)
{
    static const char text[] = "bb bb bb bb cccc cccc aa aa aa aa dd";
    static const char *const always[] = {"zz", "bb", "->", "+", NULL};
    struct lm_encoder e;
    derive(&e, text, 2, 1, NULL); /* cccc saves 6, aa and bb 4 each: by text */
    ok(is_token(&e, "cccc") && is_token(&e, "aa") && !is_token(&e, "bb"),
       "what saves most is taken, ties by text");
    is_str(e.texts[e.n - 2], "cccc", "the best first");
    lm_encoder_release(&e);
    derive(&e, text, 100, 3, NULL);
    ok(is_token(&e, "aa") && !is_token(&e, "cccc"), "and nothing that comes less often than asked");
    lm_encoder_release(&e);
    derive(&e, text, 3, 3, always);
    ok(is_token(&e, "zz") && is_token(&e, "bb") && is_token(&e, "->") && !is_token(&e, "aa"),
       "what is asked for is there, and counts");
    is_str(cut(&e, "zz->bb+z", b), "zz|->|bb|+|z", "with its bytes");
    lm_encoder_release(&e);
    derive(&e, "a b", 0, 1, NULL);
    is_int(e.n, 4, "no atoms: the end and three bytes");
    lm_encoder_release(&e);
}

static void test_errors(struct strbuf *b)
{
    static const char *const empty[] = {"", NULL};
    const struct lm_encoder_options o = {10, 1, NULL}, bad = {10, 1, empty};
    struct lm_encoder e;
    struct error error = {0};
    const char *text = "x";
    size_t size = 1;
    derive(&e, "a b\n", 10, 1, NULL);
    has_str(cut(&e, "a\nb\nb\x01", b), "line 3", "a byte that is no token: its line");
    has_str(b->s, "0x01", "and which it is");
    lm_encoder_release(&e);
    ok(lm_encoder_derive(&e, NULL, NULL, 0, &o, &error) == -1, "a corpus without text");
    ok(lm_encoder_derive(&e, &text, &size, 1, &bad, &error) == -1, "an empty atom");
}

/* Texts of words, blanks and any bytes but NUL. */
static void random_text(struct choice *c, struct strbuf *out)
{
    static const char *const parts[] = {
        "int", "float4", "x", "\n    ", "\n        ", " ",  "get_global_id",
        "(",   ");",     "_", "\n",     "\t",         "$1", "\xc3\xa9"};
    strbuf_clear(out);
    for (size_t n = choose(c, 200); n > 0; n--)
        if (choose(c, 8))
            strbuf_adds(out, parts[choose(c, sizeof parts / sizeof *parts)]);
        else
            strbuf_addc(out, (char)(1 + choose(c, 255)));
}

static bool comes_back(const struct lm_encoder *e, const struct strbuf *text)
{
    lm_tokens tokens = {0};
    struct strbuf back;
    strbuf_init(&back, 0);
    int status = lm_encode(e, text->s, text->n, &tokens, NULL);
    lm_decode(e, tokens.at, tokens.n, &back);
    bool good = !status && back.n == text->n && !memcmp(back.s, text->s, back.n);
    strbuf_release(&back);
    vec_release(&tokens);
    return good;
}

static void test_round_trips(struct strbuf *b)
{
    struct choice c;
    int bad = 0, unread = 0;
    choice_init_random(&c, 7);
    for (int i = 0; i < 200; i++) {
        struct lm_encoder e, again;
        struct strbuf file, text;
        size_t used = 0;
        strbuf_init(&file, 0);
        strbuf_init(&text, 0);
        for (int k = 1; k < 256; k++) /* every byte, so that every text can be encoded */
            strbuf_addc(&file, (char)k);
        random_text(&c, &text);
        strbuf_add(&file, text.s, text.n);
        derive(&e, file.s, (int)choose(&c, 40), 1 + (int)choose(&c, 3), NULL);
        strbuf_clear(&file);
        lm_encoder_write(&e, &file);
        unread += lm_encoder_read(&again, file.s, file.n, &used, NULL) || used != file.n ||
                  again.n != e.n;
        for (int k = 0; k < 10; k++) {
            random_text(&c, b);
            bad += !comes_back(&e, b) || !comes_back(&again, b);
        }
        bad += !comes_back(&e, &text);
        lm_encoder_release(&e);
        lm_encoder_release(&again);
        strbuf_release(&file);
        strbuf_release(&text);
    }
    is_int(bad, 0, "every text comes back, as it was");
    is_int(unread, 0, "and every encoder from a file");
    choice_release(&c);
}

/* Of a file that was cut or changed nothing is believed, or it is another encoder that works. */
static void test_damaged(void)
{
    struct lm_encoder e, other;
    struct strbuf file;
    size_t used;
    int cut_accepted = 0, same = 0;
    strbuf_init(&file, 0);
    derive(&e, "int int float float (a)", 10, 2, NULL);
    lm_encoder_write(&e, &file);
    for (size_t n = 0; n < file.n; n++) {
        char *part = malloc(n ? n : 1); /* so that ASan sees where it ends */
        memcpy(part, file.s, n);
        if (!lm_encoder_read(&other, part, n, &used, NULL)) {
            cut_accepted++;
            lm_encoder_release(&other);
        }
        free(part);
    }
    is_int(cut_accepted, 0, "no beginning of an encoder is one");
    for (size_t i = 0; i < file.n * 256; i++) {
        char was = file.s[i / 256];
        file.s[i / 256] = (char)(i % 256);
        if (!lm_encoder_read(&other, file.s, file.n, &used, NULL)) {
            same += used == file.n;
            lm_encoder_release(&other);
        }
        file.s[i / 256] = was;
    }
    ok(same > 0, "any byte changed: no crash");
    strbuf_release(&file);
    lm_encoder_release(&e);
}

int main(void)
{
    struct strbuf b;
    strbuf_init(&b, 0);
    test_atoms(&b);
    test_choice_of_atoms(&b);
    test_errors(&b);
    test_round_trips(&b);
    test_damaged();
    strbuf_release(&b);
    return tap_done();
}
