/* Models: made from a seed, saved in three kinds, read back; what is damaged is told as such. */
#include "base/choice.h"
#include "base/fs.h"
#include "lm/model.h"
#include "tap.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[200], path[256];

static void make(struct lm_model *m, int units, uint64_t seed)
{
    static const char *const text = "int a = b + c;\nint d;\n";
    const struct lm_encoder_options o = {10, 2, NULL};
    size_t size = strlen(text);
    struct lm_encoder e;
    if (lm_encoder_derive(&e, &text, &size, 1, &o, NULL))
        exit(1);
    const struct lm_shape shape = {e.n, 2, units};
    lm_model_init(m, &shape, &e, seed);
    snprintf(m->language, sizeof m->language, "opencl");
    snprintf(m->note, sizeof m->note, "made by a test");
}

/* With moments and a state, as in the middle of a training. */
static void make_trained(struct lm_model *m, int units, uint64_t seed)
{
    make(m, units, seed);
    lm_model_reserve(m, 3);
    for (size_t i = 0; i < m->at.total; i++) {
        m->m[i] = (float)i;
        m->v[i] = (float)seed;
    }
    for (size_t i = 0; i < (size_t)(2 * 2 * 3 * units); i++)
        m->state[i] = (float)i / 7;
    m->progress = (struct lm_progress){seed, 3, 4, 5, 0.5, 0.25};
}

static bool same_weights(const struct lm_model *a, const struct lm_model *b)
{
    return a->at.total == b->at.total &&
           !memcmp(a->weights, b->weights, a->at.total * sizeof(float));
}

static void test_init(void)
{
    struct lm_model a, b, c;
    make(&a, 32, 1);
    make(&b, 32, 1);
    make(&c, 32, 2);
    size_t V = (size_t)a.shape.vocabulary;
    is_int(a.at.total, V * 128 + 2 * 128 + 2 * 128 * 32 + 128 * 32 + V * 32 + V,
           "all parameters are in one block");
    ok(same_weights(&a, &b), "a seed means a model");
    ok(!same_weights(&a, &c), "and another seed another");
    ok((uintptr_t)a.weights % 64 == 0, "weights are aligned");
    float most = 0;
    for (size_t i = a.at.inner; i < a.at.out_bias; i++)
        most = fabsf(a.weights[i]) > most ? fabsf(a.weights[i]) : most;
    double bound = 1 / sqrt(32.0);
    ok((double)most <= bound && (double)most > 0.99 * bound, "within 1 / sqrt(units), up to it");
    bool forget = true;
    for (size_t i = 0; i < 256; i++)
        forget = forget && a.weights[a.at.bias + i] == (i % 128 / 32 == 1 ? 1.0f : 0.0f);
    ok(forget, "biases are 0, those of the forget gates 1");
    lm_model_release(&a);
    lm_model_release(&b);
    lm_model_release(&c);
}

static void test_floats(void)
{
    struct lm_model a, b;
    struct error e = {0};
    make_trained(&a, 16, 9);
    is_int(lm_model_save(&a, LM_SAVE_CHECKPOINT, path, &e), 0, "a checkpoint is saved");
    is_int(lm_model_load(&b, path, &e), 0, "and loaded");
    ok(same_weights(&a, &b) && !memcmp(a.m, b.m, a.at.total * 4) &&
           !memcmp(a.v, b.v, a.at.total * 4),
       "weights and moments are the same");
    ok(b.state_batch == 3 && !memcmp(a.state, b.state, 2 * 2 * 3 * 16 * 4), "the state, too");
    ok(b.progress.seed == 9 && b.progress.epoch == 3 && b.progress.step == 4 &&
           b.progress.all_steps == 5 && b.progress.loss == 0.5 && b.progress.held_out == 0.25,
       "and where the training was");
    is_str(b.language, "opencl", "its language");
    is_str(b.note, "made by a test", "its note");
    is_str(b.encoder.texts[b.encoder.n - 1], a.encoder.texts[a.encoder.n - 1], "its tokens");
    lm_model_release(&b);
    is_int(lm_model_save(&a, LM_SAVE_FLOATS, path, &e), 0, "without the training");
    is_int(lm_model_load(&b, path, &e), 0, "it is loaded");
    ok(same_weights(&a, &b) && !b.m && !b.v && !b.state && b.state_batch == 0,
       "the weights are the same, and there is no more");
    lm_model_release(&a);
    lm_model_release(&b);
}

static void read_all(struct strbuf *out)
{
    strbuf_clear(out);
    if (fs_read(path, out, NULL))
        exit(1);
}

static void test_bytes(void)
{
    struct lm_model a, b;
    struct strbuf one, two;
    strbuf_init(&one, 0);
    strbuf_init(&two, 0);
    make(&a, 64, 4);
    lm_model_save(&a, LM_SAVE_BYTES, path, NULL);
    read_all(&one);
    is_int(lm_model_load(&b, path, NULL), 0, "a quantised model is loaded");
    double worst = 0, bound = 1 / 8.0 / 127 * 0.5 * 1.001;
    for (size_t i = 0; i < a.at.total; i++)
        worst = fmax(worst, fabs((double)(a.weights[i] - b.weights[i])));
    ok(worst <= bound && worst > bound / 10, "the nearest of 255 values");
    ok(!memcmp(a.weights + a.at.bias, b.weights + b.at.bias, 2 * 256 * 4),
       "biases are as they were");
    ok(one.n < a.at.total * 4 / 3, "a third of the size at most");
    lm_model_save(&b, LM_SAVE_BYTES, path, NULL);
    read_all(&two);
    ok(one.n == two.n && !memcmp(one.s, two.s, one.n), "quantised again: the same file");
    lm_model_release(&a);
    lm_model_release(&b);
    strbuf_release(&one);
    strbuf_release(&two);
}

static void test_rows(void)
{
    struct choice c;
    int bad = 0;
    choice_init_random(&c, 3);
    for (int round = 0; round < 2000; round++) {
        float row[32], back[32], scale, again;
        int8_t q[32], p[32];
        double size = pow(10, (double)choose(&c, 48) - 28);
        for (int i = 0; i < 32; i++)
            row[i] = (float)(((double)choose_bits(&c, 24) / (1 << 23) - 1) * size);
        lm_quantise_row(row, 32, q, &scale);
        for (int i = 0; i < 32; i++)
            back[i] = scale * (float)q[i];
        lm_quantise_row(back, 32, p, &again);
        bad += scale != again || memcmp(q, p, 32);
        for (int i = 0; i < 32; i++)
            bad += fabs((double)back[i] - (double)row[i]) > (double)scale * 0.5001;
    }
    is_int(bad, 0, "rows of all sizes: the nearest, and the same bytes again");
    float zeros[4] = {0, 1e-38f}, odd[4] = {NAN, INFINITY, -2, 1},
          ties[4] = {127, 0.5f, 1.5f, -2.5f}, s;
    int8_t q[4];
    lm_quantise_row(zeros, 4, q, &s);
    ok(s == 0 && q[0] == 0 && q[1] == 0, "a row of zeros, or of what is next to nothing");
    lm_quantise_row(odd, 4, q, &s);
    ok(q[0] == 0 && q[1] == 0 && q[2] == -127, "what is no number is 0");
    lm_quantise_row(ties, 4, q, &s);
    ok(s == 1 && q[1] == 0 && q[2] == 2 && q[3] == -2, "ties go to even");
    choice_release(&c);
}

/* -- damaged files ----------------------------------------------------------------------------- */

static void write_file(const void *data, size_t n)
{
    unlink(path); /* truncating a file that has blocks waits for the disk on some file systems */
    if (fs_write(path, data, n, NULL))
        exit(1);
}

/* What is told of a file with this content; "" where it is loaded. */
static const char *complaint(const void *data, size_t n)
{
    static struct error e;
    struct lm_model m;
    e = (struct error){0};
    write_file(data, n);
    if (!lm_model_load(&m, path, &e))
        lm_model_release(&m);
    return e.message;
}

static void fix_checksum(struct strbuf *f)
{
    uint64_t h = 0xcbf29ce484222325u;
    for (size_t i = 0; i < f->n - 8; i++)
        h = (h ^ (unsigned char)f->s[i]) * 0x100000001b3u;
    memcpy(f->s + f->n - 8, &h, 8);
}

static void test_foreign(const struct strbuf *f)
{
    struct strbuf other;
    strbuf_init(&other, 0);
    strbuf_add(&other, f->s, f->n);
    other.s[9] = '1';
    has_str(complaint(other.s, other.n), "another version", "another version");
    strbuf_add(&other, "x", 1);
    other.s[9] = '2';
    has_str(complaint(other.s, other.n), "damaged", "something behind the end");
    has_str(complaint("\x7f"
                      "ELF and so on",
                      13),
            "not a model", "another kind of file");
    has_str(complaint("", 0), "not a model", "an empty file");
    strbuf_release(&other);
}

static void test_cut(const struct strbuf *f)
{
    int bad = 0;
    for (size_t n = 12; n < f->n; n += n < 900 ? 1 : 97)
        bad += !strstr(complaint(f->s, n), "truncated");
    is_int(bad, 0, "a file that was cut anywhere is told as such");
}

static void test_flipped(struct strbuf *f, struct choice *c)
{
    int accepted = 0;
    for (size_t i = 0; i < f->n; i += i < 900 ? 1 : 1 + choose(c, 100)) {
        char was = f->s[i];
        f->s[i] = (char)(was ^ (1 << choose(c, 8)));
        accepted += !*complaint(f->s, f->n);
        f->s[i] = was;
    }
    is_int(accepted, 0, "no file with a changed bit is accepted");
}

/* With a right checksum: sizes and tokens that lie must not be believed. */
static void test_lies(const struct strbuf *f, struct choice *c)
{
    struct strbuf lie;
    int refused = 0;
    strbuf_init(&lie, 0);
    for (int i = 0; i < 1500; i++) {
        strbuf_clear(&lie);
        strbuf_add(&lie, f->s, f->n);
        size_t head = (size_t)(strchr(lie.s, '\n') - lie.s) + 9; /* kind and sizes; the tokens */
        size_t at = head + (choose(c, 2) ? choose(c, 32) : 624 + choose(c, 40));
        lie.s[at] = (char)choose(c, 256);
        lie.s[at + 1] = choose(c, 2) ? (char)choose(c, 256) : lie.s[at + 1];
        fix_checksum(&lie);
        refused += *complaint(lie.s, lie.n) != '\0';
    }
    ok(refused > 100, "sizes that lie are refused (%d of 1500), none crashes", refused);
    strbuf_release(&lie);
}

/* Programs of the corpus are known again, whatever their blanks, also from a file. */
static void test_known(void)
{
    static const char *const texts[] = {"int a;\n", "if (a) {\n  b;\n}\n", "int a;\n"};
    static const size_t sizes[] = {7, 17, 7};
    struct lm_model m, again;
    struct error e = {0};
    make(&m, 16, 3);
    ok(!lm_model_knows(&m, texts[0], sizes[0]), "nothing is known before a training");
    lm_model_know(&m, texts, sizes, 3);
    is_int((long long)m.n_known, 2, "what stands twice is known once");
    is_int(lm_model_save(&m, LM_SAVE_BYTES, path, &e), 0, "it is saved");
    is_int(lm_model_load(&again, path, &e), 0, "and loaded");
    ok(lm_model_knows(&again, "int\ta ;", 7), "a copy is known, whatever its blanks");
    ok(!lm_model_knows(&again, "int b;", 6), "another text is not");
    lm_model_know(&again, &texts[1], &sizes[1], 1);
    is_int((long long)again.n_known, 2, "a second corpus adds what is new");
    lm_model_release(&m);
    lm_model_release(&again);
}

static void test_damaged(void)
{
    static const enum lm_save kinds[] = {LM_SAVE_CHECKPOINT, LM_SAVE_FLOATS, LM_SAVE_BYTES};
    struct lm_model m;
    struct choice c;
    struct strbuf f;
    struct error e = {0};
    strbuf_init(&f, 0);
    choice_init_random(&c, 5);
    make_trained(&m, 16, 2);
    for (int i = 0; i < 3; i++) {
        lm_model_save(&m, kinds[i], path, NULL);
        read_all(&f);
        test_foreign(&f);
        test_cut(&f);
        test_flipped(&f, &c);
        test_lies(&f, &c);
    }
    unlink(path);
    lm_model_release(&m);
    ok(lm_model_load(&m, folder, &e) == -1 && strstr(e.message, "not a file"), "a folder");
    ok(lm_model_load(&m, path, &e) == -1 && e.kind == ERROR_USAGE, "a file that is not there");
    strbuf_release(&f);
    choice_release(&c);
}

/* -- writing that fails ------------------------------------------------------------------------ */

/* A training that diverged leaves such. */
static void test_no_numbers(void)
{
    struct lm_model m, back;
    struct error e = {0};
    make(&m, 32, 1);
    m.weights[7] = NAN;
    lm_model_save(&m, LM_SAVE_FLOATS, path, NULL);
    is_int(lm_model_load(&back, path, &e), -1, "a weight that is no number");
    has_str(e.message, "lower --rate", "  is told, with what to do");
    lm_model_release(&m);
}

static void test_failing(void)
{
    struct lm_model a, b, c;
    struct error e = {0};
    struct rlimit was, small;
    char part[300];
    make(&a, 16, 1);
    make(&b, 16, 2);
    snprintf(part, sizeof part, "%s.part", path);
    is_int(lm_model_save(&a, LM_SAVE_FLOATS, "/nowhere/at/all.lm", &e), -1, "no such folder");
    has_str(e.file, "/nowhere/at/all.lm", "which is named");
    lm_model_save(&a, LM_SAVE_FLOATS, path, NULL);
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &was);
    small = was;
    small.rlim_cur = 5000;
    setrlimit(RLIMIT_FSIZE, &small);
    is_int(lm_model_save(&b, LM_SAVE_FLOATS, path, &e), -1, "no room for it");
    setrlimit(RLIMIT_FSIZE, &was);
    ok(!lm_model_load(&c, path, &e) && same_weights(&a, &c), "the old one is still there");
    ok(!fs_exists(part), "and no part of the new one");
    lm_model_release(&a);
    lm_model_release(&b);
    lm_model_release(&c);
}

static _Noreturn void save_for_ever(struct lm_model *models)
{
    for (int i = 0;; i ^= 1)
        if (lm_model_save(&models[i], LM_SAVE_CHECKPOINT, path, NULL))
            _exit(1);
}

static void test_killed(void)
{
    struct lm_model models[2], found;
    struct choice c;
    int bad = 0, seen[2] = {0};
    choice_init_random(&c, 11);
    make_trained(&models[0], 64, 1);
    make_trained(&models[1], 64, 2);
    lm_model_save(&models[0], LM_SAVE_CHECKPOINT, path, NULL);
    for (int round = 0; round < 60; round++) {
        pid_t child = fork();
        if (child == 0)
            save_for_ever(models);
        usleep((useconds_t)(1000 + choose(&c, 30000)));
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        if (lm_model_load(&found, path, NULL)) {
            bad++;
            continue;
        }
        int which = found.progress.seed == 2;
        seen[which]++;
        bad += !same_weights(&found, &models[which]) ||
               memcmp(found.m, models[which].m, found.at.total * 4) != 0;
        lm_model_release(&found);
    }
    is_int(bad, 0, "killed while saving, 60 times: there is always a whole one");
    printf("# %d times one, %d times the other\n", seen[0], seen[1]);
    lm_model_release(&models[0]);
    lm_model_release(&models[1]);
    choice_release(&c);
}

int main(void)
{
    struct error e = {0};
    if (!access("/dev/shm", W_OK)) /* a kill is the same there, and fsync waits for no disk */
        setenv("TMPDIR", "/dev/shm", 1);
    if (fs_make_temp_dir("assay-test-model", folder, sizeof folder, &e))
        return 1;
    snprintf(path, sizeof path, "%s/model.lm", folder);
    test_init();
    test_floats();
    test_bytes();
    test_rows();
    test_known();
    test_damaged();
    test_no_numbers();
    test_failing();
    test_killed();
    fs_remove_tree(folder);
    return tap_done();
}
