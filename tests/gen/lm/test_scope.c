/* The mask over C and OpenCL C: texts that are right are taken, what is wrong is refused, and a
 * network that knows nothing makes no undeclared name under it. */
#include "base/strbuf.h"
#include "gen/lm/scope.h"
#include "lm/sample.h"
#include "tap.h"

#include <stdlib.h>

static const char *const kernels[] = {
    "kernel void A(global float* a, const int b) {\n  int c = get_global_id(0);\n  if (c < b) {\n"
    "    a[c] = sqrt(a[c]) * 2.0f;\n  } else {\n    a[c] += 1;\n  }\n}\n",
    "typedef struct {\n  float fa;\n  int4 fb;\n  float* fc[3];\n} Ta;\n\n"
    "constant float Ga[4] = {1.0f, 2.0f, 0.5f, -1e-3f};\n\n"
    "float A(Ta a, float4 b) {\n  float4 c = (float4)(a.fa, 0.0f, b.zw);\n"
    "  c.xy = b.s23 * (float2)(1.0f);\n  return dot(c, b) + Ga[2] + (float)a.fb.x;\n}\n\n"
    "kernel void B(global float4* restrict a, local float* b, int c) {\n"
    "  Ta d;\n  d.fa = b[c];\n  d.fb = convert_int4(a[0]);\n"
    "  for (int e = 0; e < c; e++) {\n    if (e % 2 == 0) continue;\n"
    "    b[e] = A(d, a[e]) + (e > 3 ? 1.0f : b[0]);\n    barrier(CLK_LOCAL_MEM_FENCE);\n  }\n"
    "  do {\n    c -= 1;\n    switch (c & 3) {\n      case 0:\n        a[c].x = 1;\n        "
    "break;\n"
    "      default:\n        break;\n    }\n  } while (c > 0 && b[c] > 0.5f);\n"
    "  int f, g = 3, *h = &f;\n  *h = g << 2;\n}\n",
    "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
    "__attribute__((reqd_work_group_size(64, 1, 1))) kernel void A(global uint* a, uint b) {\n"
    "  local uint c[64];\n  uint d = get_local_id(0), e;\n  c[d] = a[d] ^ 0xFFu;\n"
    "  if (d == 0) {\n    for (e = 0; e < 64; ++e) {\n      if (c[e]) {\n        a[0] |= c[e];\n"
    "      } else {\n        a[1] = ~b;\n      }\n    }\n  }\n  while (1) {\n    break;\n  }\n"
    "  if (d == 0) a[0] = 1; else a[1] = ~b;\n"
    "  a[d] = (d << 1) + sizeof(uint) + (uint)(d * 0.5f);\n  return;\n}\n",
    "kernel void A(global int* a, read_only image2d_t b, global float* c, uchar4 d, float2 e) {\n"
    "  int f = get_global_id(0);\n  float g = fmax(c[f], 0), h = mad24(f, 3, get_local_id(1));\n"
    "  a[f] = min(f, 3) + atomic_add(a, 1);\n  float4 i = read_imagef(b, (int2)(f, 0));\n"
    "  vstore4(i * 2, 0, c);\n  vstore2(vload2(f, c) + e, f + 1, c);\n  d = d + d;\n"
    "  if (any(e < vload2(0, c)) || g > h) {\n    f++;\n  }\n  switch (f) {\n    case 1:\n"
    "      printf(\"x\");\n      c[0] = (float)f + sqrt(g);\n  }\n  i = fmax(0.0f, i);\n  i += "
    "e.xyxy > 0 ? i : -i;\n"
    "  ulong j = 0xFFFFFFFFFFFFFFFFUL + 9223372036854775807;\n"
    "  g = fract(g, &h) + (e.x > 0 ? e : -e).y;\n}\n",
};

static const char *const c_programs[] = {
    "struct Ta {\n  int fa;\n  struct Ta* fb;\n  unsigned long long fc : 3;\n};\n"
    "enum Tb { Ga, Gb = 4, Gc };\nint Gd[] = {1, 2, Gb};\nstatic struct Ta Ge = {1, 0, 2};\n"
    "int A(struct Ta* a, char b[]);\n"
    "static unsigned int B(int (*a)(int, char*), ...) {\n  return a(1, \"x\\n\") + 'a' + "
    "'\\n';\n}\n"
    "int A(struct Ta* a, char b[]) {\n  struct Ta c = {1};\n  int d[10][2];\n"
    "  if (a->fb) {\n    goto La;\n  }\n  for (;;) {\n    d[1][0] = a->fa++ + --c.fa;\n"
    "    if (!strcmp(b, \"abc\")) break;\n  }\n  La:\n  memset(d, 0, sizeof d);\n"
    "  return (a && b[0] != 0) ? Gd[1] : *(int*)b;\n}\n",
    "double A(double a, long b) {\n  double c = 0.0, d;\n  long double e = 1.5e10L;\n"
    "  for (long f = b; f > 0; f--, c++) {\n    d = a / f;\n    c += d * (b - 1);\n  }\n"
    "  e = c;\n  {\n    int g = 1;\n    c = g;\n  }\n  return c + (double)e;\n}\n"
    "void B(int* a) { *a = 3; a[1] = (*a)++; }\n"
    "const char* C(void) {\n  return \"x\";\n}\n"
    "int D(void) {\n  int a;\n  B(&a);\n  printf(\"%d\\n\", a);\n  return 0;\n}\n",
};

static void derive(struct lm_encoder *e, const char *const *texts, size_t n)
{
    struct error error = {0};
    size_t sizes[8] = {0};
    const struct lm_encoder_options o = {.most = 300, .at_least = 1};
    for (size_t i = 0; i < n; i++)
        sizes[i] = strlen(texts[i]);
    if (!ok(!lm_encoder_derive(e, texts, sizes, n, &o, &error), "encoder of %zu programs", n))
        printf("# %s\n", error.message);
}

/* Which byte is refused first; -1: none. */
static long refused_at(struct lm_scope *s, const struct lm_encoder *e, const char *text)
{
    lm_tokens tokens = {0};
    struct error error = {0};
    uint8_t *mask = malloc((size_t)e->n);
    long at = 0, result = -1;
    lm_scope_reset(s);
    if (lm_encode(e, text, strlen(text), &tokens, &error))
        result = -2;
    for (size_t i = 0; i < tokens.n && result == -1; i++) {
        bool some = lm_scope_mask(s, mask);
        if (!some || !mask[tokens.at[i]])
            result = at;
        lm_scope_feed(s, tokens.at[i]);
        at += e->sizes[tokens.at[i]];
    }
    if (result == -1 && (!lm_scope_mask(s, mask) || !mask[LM_END]))
        result = at;
    vec_release(&tokens);
    free(mask);
    return result;
}

static void accepts(const char *const *programs, size_t n, bool opencl)
{
    struct lm_encoder e;
    derive(&e, programs, n);
    struct lm_words *w = lm_words_new(&e, opencl);
    struct lm_scope *s = lm_scope_new(w);
    for (size_t i = 0; i < n; i++) {
        long at = refused_at(s, &e, programs[i]);
        if (!ok(at == -1, "%s program %zu is allowed token by token", opencl ? "OpenCL" : "C", i))
            printf("# refused: %.*s\n#  after: ...%.*s\n", 20, programs[i] + (at < 0 ? 0 : at),
                   at > 60 ? 60 : (int)(at < 0 ? 0 : at), programs[i] + (at > 60 ? at - 60 : 0));
    }
    lm_scope_free(s);
    lm_words_free(w);
    lm_encoder_release(&e);
}

/* Text up to `|` is right; the token behind it is not. */
static const struct {
    const char *text, *why;
} wrong[] = {
    {"kernel void A(global float* a) {\n  |b", "an undeclared name"},
    {"kernel void A(global float* a, int |a", "a parameter twice"},
    {"kernel void A(global float* a) {\n  int |a", "a variable with a parameter's name"},
    {"kernel void A(int a) {\n  int b = |b", "a variable in its own initialiser"},
    {"kernel void A(int a) {\n  for (int b = 0; b < a; b++) {\n  }\n  a = |b",
     "a variable of a loop that is over"},
    {"kernel void A(int a) {\n  a = (a + 1|;", "a statement that ends in parentheses"},
    {"kernel void A(int a) {\n  a = (a + 1|]", "another bracket"},
    {"kernel void A(int a) {\n  a = 1|}", "a block that ends within a statement"},
    {"kernel void A(int a) {\n  |break", "break outside of a loop"},
    {"kernel void A(int a) {\n  a = |barrier", "nothing as a value"},
    {"kernel void A(int a) {\n  a|.", "a component of what has none"},
    {"kernel void A(int a) {\n  return |a", "a kernel that returns a value"},
    {"float A(float2 a) {\n  return a.|z", "a component that is not there"},
    {"float A(float a) {\n  return a; }\nkernel void B(int a) {\n  a = A(a|,",
     "too many arguments"},
    {"float A(float a) {\n  return a; }\nfloat |A", "a function twice"},
    {"kernel void A(const int a) {\n  a =| ", "const that is changed"},
    {"kernel void A(global int* a) {\n  a[0] = 2 * a |;", "a pointer times two"},
    {"kernel void A(float a) {\n  a = a |%", "the remainder of a float"},
    {"kernel void A(float4 a, float2 b) {\n  a = b |;", "two lanes for four"},
    {"kernel void A(float |* a", "a pointer of a kernel into no space"},
    {"kernel void A(int a) {\n  a = 12|x", "a letter in a number"},
    {"kernel void A(int a) {\n  a = | ", "a second blank"},
    {"kernel void A(int a) {\n  a = 1; |\n", "a blank at the end of a line"},
    {"kernel void A(int a) {\n  a = 1;\n|\n", "an empty line in a function"},
    {"kernel void A(int a) {\n  | ", "more indentation than brackets are open"},
    {"kernel void A(int a) {\n |a", "less"},
    {"kernel void A(int a) {\n  printf(\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx|x",
     "a string without an end"},
    {"kernel void A(int a) {\n  a = sqrt(a|)", "a call that no overload is the best for"},
    {"kernel void A(int a, float b, global float* c) {\n  b = fmax(b, c|)",
     "a pointer for a number"},
    {"kernel void A(int a, uint b) {\n  a = min(a, b|)", "arguments that do not agree"},
    {"kernel void A(global float* a) {\n  atomic_add(a|,", "an atomic sum of floats"},
    {"kernel void A(int a) {\n  a = read_imagef(a|,", "an image that is none"},
    {"kernel void A(float2 a, global float* b) {\n  vstore4(a|,", "two lanes to store for four"},
    {"kernel void A(uchar4 a) {\n  a = a + 1|;", "a number that is wider than the lanes"},
    {"kernel void A(float4 a) {\n  if (a < a|)", "a vector that decides"},
    {"kernel void A(float a) {\n  switch (a|)", "a float to choose by"},
    {"kernel void A(float4 a) {\n  a+|+", "a vector and one more"},
    {"kernel void A(float4 a, float b) {\n  b = (float)a|;", "a vector that is cast"},
    {"kernel void A(int a, global int* b) {\n  a = a - b|;", "a number minus a pointer"},
    {"kernel void A(int a) {\n  if (a) a = 1;\n  a = 2;\n  |else", "else without if"},
};

static void refuses(void)
{
    struct lm_encoder e;
    struct error error = {0};
    derive(&e, kernels, 4);
    struct lm_words *w = lm_words_new(&e, true);
    struct lm_scope *s = lm_scope_new(w);
    uint8_t *mask = malloc((size_t)e.n);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const char *bar = strchr(wrong[i].text, '|');
        lm_tokens right = {0}, next = {0};
        lm_scope_reset(s);
        if (lm_encode(&e, wrong[i].text, (size_t)(bar - wrong[i].text), &right, &error) ||
            lm_encode(&e, bar + 1, strlen(bar + 1), &next, &error)) {
            ok(false, "%s: %s", wrong[i].why, error.message);
            continue;
        }
        bool good = true;
        for (size_t j = 0; j < right.n; j++) {
            good &= lm_scope_mask(s, mask) && mask[right.at[j]];
            lm_scope_feed(s, right.at[j]);
        }
        good &= lm_scope_mask(s, mask);
        ok(good && !mask[next.at[0]], "refused: %s", wrong[i].why);
        vec_release(&right);
        vec_release(&next);
    }
    free(mask);
    lm_scope_free(s);
    lm_words_free(w);
    lm_encoder_release(&e);
}

/* A network that learned nothing, under the mask. */
static void random_model(void)
{
    struct lm_encoder e;
    struct lm_model m = {0};
    derive(&e, kernels, 4);
    struct lm_shape shape = {.vocabulary = e.n, .layers = 2, .units = 32};
    lm_model_init(&m, &shape, &e, 7);
    struct lm_bytes *bytes = lm_bytes_new(&m);
    struct lm_sampler *sampler = lm_sampler_new(bytes, 1);
    struct lm_words *w = lm_words_new(&m.encoder, true);
    struct lm_scope *s = lm_scope_new(w);
    uint8_t *mask = malloc((size_t)m.encoder.n);
    struct strbuf text;
    strbuf_init(&text, 0);
    int dead = 0, unclear = 0, drawn = 0;
    for (uint64_t seed = 0; seed < 40; seed++) {
        struct choice c;
        int token = m.encoder.by_byte['\n'];
        choice_init_random(&c, seed);
        lm_sampler_reset(sampler, 0);
        lm_scope_reset(s);
        strbuf_clear(&text);
        for (int i = 0; i < 300 && token != LM_END; i++) {
            lm_scope_feed(s, (lm_token)token);
            lm_sampler_feed(sampler, &token);
            bool some = lm_scope_mask(s, mask);
            lm_decode(&m.encoder, &(lm_token){(lm_token)token}, 1, &text);
            if (!some) {
                dead++;
                break;
            }
            token = lm_draw(sampler, 0, 1.0, mask, &c);
            drawn++;
        }
        unclear += !lm_scope_is_clear(s);
        choice_release(&c);
    }
    /* `*(1 | 2)`: what is wrong with the operand is seen when its bracket closes */
    ok(dead * 200 < drawn, "dead ends are rare: %d in %d tokens drawn at random", dead, drawn);
    is_int(unclear, 0, "the parser never loses its way");
    strbuf_release(&text);
    free(mask);
    lm_scope_free(s);
    lm_words_free(w);
    lm_sampler_free(sampler);
    lm_bytes_free(bytes);
    lm_model_release(&m);
}

int main(void)
{
    accepts(kernels, 4, true);
    accepts(c_programs, 2, false);
    refuses();
    random_model();
    return tap_done();
}
