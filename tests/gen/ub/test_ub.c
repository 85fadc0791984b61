/* ub: each row makes what it says. For each, programs are generated, and their tree is run here:
 * the valid way it prints what the twin announces, the other way its first undefined operation is
 * the marked one, by the row's rule. Texts say the same, differ in the edit alone, and are the same
 * when made again. Every rule has a row or a reason. */
#include "cc/checksum.h"
#include "cc/fork.h"
#include "cc/print.h"
#include "gen/ub/rows.h"
#include "gen/ub/ub.h"
#include "interp/interp.h"
#include "program/undefined.h"
#include "tap.h"

static struct generator *open_ub(const char *rule, const char *base)
{
    char rule_is[128], base_is[32];
    const char *const list[] = {rule_is, base_is};
    struct gen_context context = {.settings = list, .n_settings = 2};
    struct generator *g = NULL;
    struct error e = {0};
    snprintf(rule_is, sizeof rule_is, "rule=%s", rule);
    snprintf(base_is, sizeof base_is, "base=%s", base);
    if (gen_open("ub", &context, &g, &e)) {
        ok(false, "%s: %s", rule, e.message);
        exit(tap_done());
    }
    return g;
}

/* Lines of two texts behind their first comments that differ. */
static int differing_lines(const struct program_file *f, const struct program_file *g)
{
    const char *a = strstr(f->text, "*/"), *b = strstr(g->text, "*/");
    int n = 0;
    while (a && b && *a && *b) {
        size_t an = strcspn(a, "\n"), bn = strcspn(b, "\n");
        n += an != bn || memcmp(a, b, an) != 0;
        a += an + (a[an] != '\0');
        b += bn + (b[bn] != '\0');
    }
    return n + (a && b && *a != *b);
}

static bool line_has_mark(const struct program_file *f, int line)
{
    const char *at = f->text;
    for (int i = 1; i < line && at; i++) {
        at = strchr(at, '\n');
        at += at != NULL;
    }
    size_t n = at ? strcspn(at, "\n") : 0, mark = strlen(CC_PRINT_SITE);
    return n >= mark && !memcmp(at + n - mark, CC_PRINT_SITE, mark);
}

static void check_text(const struct program *p, const struct ub_row *row, uint64_t seed,
                       struct arena *a)
{
    struct undefined u = {.rule = "", .row = ""};
    const char *rule = cc_ub_rules[row->rule].name;
    bool said = p->n_files == 2 && program_undefined(p, a, &u);
    ok(said && !strcmp(u.rule, rule) && !strcmp(u.row, row->name), "%s/%s %d: says so", rule,
       row->name, (int)seed);
    ok(said && line_has_mark(&p->files[0], u.line) && u.first < u.line && u.line < u.last,
       "line %d has the operation", u.line);
    int n = p->n_files == 2 ? differing_lines(&p->files[0], &p->files[1]) : -1;
    ok(n == 1, "one line differs, %d do", n);
    ok(p->build_only && !p->trusted && !p->expected.data, "it is not to be run");
}

/* Both ways of the tree. */
static void check_tree(struct generator *g, const struct program *text, const struct ub_row *row,
                       uint64_t seed, struct arena *a)
{
    struct choice c;
    struct cc_print_options print;
    char says[64] = "";
    choice_init_random(&c, seed);
    struct cc_program *p = g->class->cc(g, &c, a, &print, NULL);
    choice_release(&c);
    if (!ok(p && cc_marked(p) && cc_forks_go(p, false) == 1, "it has one mark and one fork"))
        return;
    struct interp *in = interp_new(p, NULL);
    bool good = interp_run(in) == CC_UB_NONE;
    snprintf(says, sizeof says, "expected: checksum = %X", interp_checksum_value(in));
    ok(good && strstr(text->files[1].text, says), "the twin is valid: %s", says);
    interp_free(in);
    cc_forks_go(p, true);
    in = interp_new(p, NULL);
    enum cc_ub rule = interp_run(in);
    ok(rule == row->rule && cc_is_within(interp_violation(in)->expr, cc_marked(p)),
       "the first undefined operation is the marked one, by %s", cc_ub_rules[rule].name);
    interp_free(in);
    cc_program_release(p);
}

static void check_row(const struct ub_row *row, const char *base, int programs)
{
    char name[128];
    snprintf(name, sizeof name, "%s/%s", cc_ub_rules[row->rule].name, row->name);
    struct generator *g = open_ub(name, base);
    int made = 0;
    for (uint64_t seed = 1; made < programs && seed < (uint64_t)programs + 30; seed++) {
        struct choice c;
        struct arena a;
        struct program p = {0}, again = {0};
        arena_init(&a);
        choice_init_random(&c, seed);
        int status = gen_next(g, &c, &a, &p, NULL); /* some programs have no place for it */
        choice_release(&c);
        if (!status) {
            char hash[2][PROGRAM_HASH_SIZE];
            made++;
            check_text(&p, row, seed, &a);
            check_tree(g, &p, row, seed, &a);
            choice_init_random(&c, seed);
            gen_next(g, &c, &a, &again, NULL);
            choice_release(&c);
            program_hash(&p, hash[0]);
            program_hash(&again, hash[1]);
            ok(!strcmp(hash[0], hash[1]), "the same again");
        }
        arena_release(&a);
    }
    ok(made == programs, "%s on programs of %s: %d", name, base, made);
    gen_close(g);
}

static void check_rules(void)
{
    for (int rule = 1; rule < CC_N_UB; rule++) {
        int n = 0;
        for (int i = 0; i < ub_n_rows; i++)
            n += ub_rows[i].rule == (enum cc_ub)rule;
        const char *why = ub_why_none((enum cc_ub)rule);
        ok((n > 0) == (why == NULL), "%s: %d rows%s%s", cc_ub_rules[rule].name, n, why ? ": " : "",
           why ? why : "");
    }
}

static void check_settings(void)
{
    const char *const list[] = {"rule=out-of-bound"};
    struct gen_context context = {.settings = list, .n_settings = 1};
    struct generator *g = NULL;
    struct error e = {0};
    ok(gen_open("ub", &context, &g, &e) && strstr(e.message, "did you mean 'out-of-bounds'"),
       "a wrong rule: %s", e.message);
}

int main(void)
{
    check_rules();
    check_settings();
    for (int i = 0; i < ub_n_rows; i++) {
        check_row(&ub_rows[i], "smith", tap_amount(1, 200));
        if (tap_amount(0, 1) || i % 8 == 0)
            check_row(&ub_rows[i], "yarp", tap_amount(1, 50));
    }
    return tap_done();
}
