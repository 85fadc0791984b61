/* triage_many KIND N FOLDER: a store with N findings in FOLDER, each reduced to a program of its
 * own. A helper of bench/triage. KIND is one of
 *
 *     crashes   of a compiler that says something else each time: N bugs
 *     passes    wrong outputs, each with another pass to blame: N bugs
 *     programs  wrong outputs of which nothing is known but their programs */
#include "base/choice.h"
#include "base/strbuf.h"
#include "inquiry/reduce.h"
#include "store/store.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const steps[] = {"{cc} {flags} -o {exe} {src}", NULL};
static const struct testbed beds[] = {{.name = "good -O0",
                                       .toolchain = "good",
                                       .path = "/usr/bin/good",
                                       .version = "1.0",
                                       .flags = "-O0",
                                       .model = "lp64",
                                       .compile = steps,
                                       .run = "{exe}"},
                                      {.name = "bad -O2",
                                       .toolchain = "bad",
                                       .path = "/usr/bin/bad",
                                       .version = "1.0",
                                       .flags = "-O2",
                                       .model = "lp64",
                                       .compile = steps,
                                       .run = "{exe}"}};

static const struct observation good = {.outcome = OUTCOME_OK,
                                        .output = {"1\n", 2},
                                        .output_size = 2,
                                        .messages = "",
                                        .detail = "exit 0"};
static const struct observation wrong = {.outcome = OUTCOME_OK,
                                         .output = {"2\n", 2},
                                         .output_size = 2,
                                         .messages = "",
                                         .detail = "exit 0"};
static const struct observation crash = {.outcome = OUTCOME_BUILD_CRASH,
                                         .output = {"", 0},
                                         .messages = "internal compiler error",
                                         .detail = "SIGSEGV"};

static void must(int status, const struct error *e)
{
    if (status < 0)
        BUG("%s: %s", e->file, e->message);
}

/* ---------------------------------------------------------------- */

/* In a form @ is some variable, # some operator. */
static const char *const forms[] = {
    "@ = @ # @;",
    "if (@ < @ # 3)\n        @++;",
    "@ += @ # y[@ & 3];",
    "for (int i = 0; i < 3; i++)\n        y[@ & 3] = @ # @;",
    "while (@-- > 5) {\n        @ = 3 # y[2];\n        if (@)\n            break;\n    }",
    "@ = @ # 3 ? @ : y[1];",
    "do\n        @ += y[0] # 5;\n    while (@ == 9 && --@);",
    "switch (@) {\n    case 3:\n        @ = 4 # 1;\n    default:\n        @--;\n    }",
};
static const char *const types[] = {"char",         "unsigned char", "short", "unsigned short",
                                    "unsigned int", "long",          "int",   "unsigned long"};
static const char *const operators[] = {"+", "-", "*", "&", "|", "^", "<<", ">>"};
enum { VARIABLES = 5 };

static const char *one_of(struct choice *c, const char *const *list, size_t n)
{
    return list[choose(c, n)];
}

#define ONE_OF(c, list) one_of((c), (list), sizeof(list) / sizeof *(list))

/* Three to a dozen statements on variables of all types. */
static const char *make_text(struct choice *c, struct arena *a)
{
    struct strbuf out;
    strbuf_init(&out, 0);
    strbuf_adds(&out, "int printf(const char *, ...);\n");
    for (int i = 0; i < VARIABLES; i++)
        strbuf_addf(&out, "%s x%d = %d;\n", ONE_OF(c, types), i, (int)choose(c, 99));
    strbuf_addf(&out, "%s y[4];\nint main(void)\n{\n", ONE_OF(c, types));
    for (uint64_t left = 3 + choose(c, 10); left > 0; left--) {
        strbuf_adds(&out, "    ");
        for (const char *p = ONE_OF(c, forms); *p; p++)
            if (*p == '@')
                strbuf_addf(&out, "x%d", (int)choose(c, VARIABLES));
            else if (*p == '#')
                strbuf_adds(&out, ONE_OF(c, operators));
            else
                strbuf_addc(&out, *p);
        strbuf_addc(&out, '\n');
    }
    strbuf_adds(&out, "    printf(\"%d\\n\", (int)(x0 + y[0]));\n    return 0;\n}\n");
    const char *text = arena_strdup(a, out.s);
    strbuf_release(&out);
    return text;
}

/* A word that no other number has. */
static const char *word_of(struct arena *a, int n)
{
    static const char *const parts[] = {"fold", "tree", "range", "block", "alias",
                                        "loop", "cost", "value", "phi",   "insn"};
    return arena_printf(a, "%s_%s_%s_%s", parts[n % 10], parts[n / 10 % 10], parts[n / 100 % 10],
                        parts[n / 1000 % 10]);
}

int main(int argc, char **argv)
{
    struct error e;
    struct arena a;
    struct choice c;
    struct store *s;
    int64_t campaign, ids[2];
    if (argc != 4)
        return 2;
    bool crashes = !strcmp(argv[1], "crashes"), passes = !strcmp(argv[1], "passes");
    int n = atoi(argv[2]);
    arena_init(&a);
    choice_init_random(&c, 1);
    must(store_open(arena_printf(&a, "%s/assay.db", argv[3]), STORE_WRITE, &s, &e), &e);
    must(store_campaign_open(s, "smith", &(struct store_options){0}, 0, &campaign, &e), &e);
    for (int i = 0; i < 2; i++)
        must(store_testbed_id(s, campaign, &beds[i], &ids[i], &e), &e);
    for (int i = 0; i < n; i++) {
        const char *text = make_text(&c, &a), *word = word_of(&a, i);
        struct program_file file = {"t.c", text, strlen(text)};
        struct program p = {.language = "c",
                            .files = &file,
                            .n_files = 1,
                            .needs = "",
                            .trusted = true,
                            .made = {"smith", "1", "", (uint64_t)i, NULL}};
        const char *signature =
            crashes ? arena_printf(&a, "bad build-crash: internal compiler error: in %s, at %s",
                                   word, word_of(&a, i / 7))
                    : "bad -O2 wrong-output";
        struct store_result results[] = {
            {.testbed = ids[0], .observation = &good, .signature = ""},
            {.testbed = ids[1],
             .observation = crashes ? &crash : &wrong,
             .verdict = {crashes ? ANOMALY_BUILD_CRASH : ANOMALY_WRONG_OUTPUT, EVIDENCE_SELF, 1,
                         false},
             .signature = signature}};
        struct store_claim claim;
        int64_t finding[2];
        int found;
        must(store_claim(s, campaign, 1, 0, &claim, &e), &e);
        must(store_record_test(s, &claim, &(struct store_test){&p, results, 2, 1, 1, 1, 1}, finding,
                               &found, &e),
             &e);
        must(store_confirm(
                 s, &claim,
                 &(struct store_confirmation){
                     .finding = finding[0], .seen = 3, .tried = 3, .state = FINDING_CONFIRMED},
                 1, &e),
             &e);
        must(store_reduction_put(
                 s,
                 &(struct store_reduction){
                     .finding = finding[0], .state = REDUCTION_DONE, .flags = "-O2", .method = "c"},
                 &p, &e),
             &e);
        if (passes)
            must(store_blame_put(s, &(struct store_blame){.finding = finding[0], .pass = word}, &e),
                 &e);
    }
    must(inquiry_look_at_old(s, &e), &e);
    store_close(s);
    choice_release(&c);
    arena_release(&a);
    return 0;
}
