/* Listing what flags there are, trying them, drawing.
 *
 * Trying: round k puts the k-th text of every form into one command. When the compiler takes it,
 * that was all; otherwise halves are tried, down to the single ones that are at fault. A compiler
 * of 300 flags that rejects three of them is asked some fifty times, and not 600. Flags that are
 * only in each other's way stay: a test that meets both is skipped (runner.c). What came of it is
 * kept in the cache: on a machine that is busy it is a matter of minutes. */
#include "testbed/flags.h"
#include "base/fs.h"
#include "base/text.h"
#include "testbed/runner.h"

#include <ctype.h>
#include <inttypes.h>
#include <limits.h>

enum {
    MOST_SWITCHES = 12, /* in one draw; at least 1 */
    MOST_PARAMS = 4,    /* in one draw that has any; at least 1 */
    MOST_TEXTS = 64,    /* of one form */
    LIST_BYTES = 4 << 20,
    GROUPS = 10, /* \0 .. \9 of a pattern */
};

static const double share_with_params = 0.5, share_with_also = 0.25;

/* -- forms ------------------------------------------------------------------------------------- */

struct number_hole {
    int64_t least, greatest, usual;
};

static const char *read_number(const char *at, char end, int64_t *out)
{
    char digits[24];
    size_t n = strcspn(at, ",>");
    if (at[n] != end || n >= sizeof digits)
        return NULL;
    memcpy(digits, at, n);
    digits[n] = '\0';
    return text_parse_int(digits, INT32_MIN, INT32_MAX, out) ? at + n + 1 : NULL;
}

/* `at` is behind the <; returns what is behind the >, or NULL. Some defaults are outside of the
 * range (-1: the compiler decides); the nearest number inside takes their place. */
static const char *read_hole(const char *at, struct number_hole *out)
{
    if (!(at = read_number(at, ',', &out->least)) || !(at = read_number(at, ',', &out->greatest)) ||
        !(at = read_number(at, '>', &out->usual)) || out->least > out->greatest)
        return NULL;
    if (out->usual < out->least)
        out->usual = out->least;
    if (out->usual > out->greatest)
        out->usual = out->greatest;
    return at;
}

bool flag_form_good(const char *form)
{
    struct number_hole hole;
    bool any = false;
    for (const char *at = form; *at;) {
        any |= *at == '-';
        if (strchr("|]>", *at))
            return false;
        if (*at == '[') {
            at += 1 + strcspn(at + 1, "[]<>");
            if (*at != ']')
                return false;
        }
        at = *at == '<' ? read_hole(at + 1, &hole) : at + 1;
        if (!at)
            return false;
    }
    return any;
}

static int count_texts(const char *form)
{
    int most = 1;
    for (const char *at = form; (at = strchr(at, '[')); at++) {
        int n = 1;
        for (const char *c = at; *c != ']'; c++)
            n += *c == '|';
        most = n > most ? n : most;
    }
    return most > MOST_TEXTS ? MOST_TEXTS : most;
}

/* The k-th text of the brackets at `at`; returns what is behind them. */
static const char *add_text(const char *at, int k, struct strbuf *out)
{
    at++;
    for (size_t n; at[n = strcspn(at, "|]")] == '|' && k > 0; k--)
        at += n + 1;
    strbuf_add(out, at, strcspn(at, "|]"));
    return strchr(at, ']') + 1;
}

const char *flag_form_text(const char *form, int k, struct arena *a)
{
    struct strbuf out;
    struct number_hole hole;
    strbuf_init(&out, 0);
    for (const char *at = form; *at;) {
        if (*at == '[') {
            at = add_text(at, k, &out);
        } else if (*at == '<') {
            at = read_hole(at + 1, &hole);
            strbuf_addf(&out, "%lld", (long long)hole.usual);
        } else {
            strbuf_addc(&out, *at++);
        }
    }
    return strbuf_keep(&out, a);
}

/* -- the list ---------------------------------------------------------------------------------- */

static bool matches(const pattern_list *patterns, const char *form)
{
    for (size_t i = 0; i < patterns->n; i++)
        if (regexec(&patterns->at[i].regex, form, 0, NULL, 0) == 0)
            return true;
    return false;
}

static void add_form(const struct flag_rules *rules, const char *form, string_list *out)
{
    if (!flag_form_good(form) || matches(&rules->exclude, form) ||
        (rules->only.n && !matches(&rules->only, form)))
        return;
    text_add_once(out, form);
}

/* The line as the first rule that matches rewrites it, or NULL. */
static const char *rewrite(const substitution_list *rules, const char *line, struct arena *a)
{
    regmatch_t groups[GROUPS];
    for (size_t i = 0; i < rules->n; i++) {
        if (regexec(&rules->at[i].from.regex, line, GROUPS, groups, 0))
            continue;
        struct strbuf form;
        strbuf_init(&form, 0);
        for (const char *c = rules->at[i].to; *c; c++) {
            const regmatch_t *g = *c == '\\' && isdigit(c[1]) ? &groups[*++c - '0'] : NULL;
            if (!g)
                strbuf_addc(&form, *c);
            else if (g->rm_so >= 0)
                strbuf_add(&form, line + g->rm_so, (size_t)(g->rm_eo - g->rm_so));
        }
        return strbuf_keep(&form, a);
    }
    return NULL;
}

struct found {
    string_list switches, params;
};

static void read_list(const struct flag_rules *rules, char *text, struct arena *a,
                      struct found *out)
{
    for (char *line = text; *line;) {
        size_t n = strcspn(line, "\n");
        char *next = line + n + (line[n] == '\n');
        line[n] = '\0';
        const char *form = rewrite(&rules->forms, line, a);
        const char *param = form ? NULL : rewrite(&rules->params, line, a);
        if (form)
            add_form(rules, form, &out->switches);
        if (param)
            add_form(rules, param, &out->params);
        line = next;
    }
}

static int ask_list(const struct flag_rules *rules, const char *template,
                    const struct testbed *testbed, struct runner *r, struct arena *a,
                    struct found *out, struct error *e)
{
    char **words;
    text_split(a, template, &words);
    for (char **w = words; *w; w++)
        *w = text_fill(a, *w, "{cc}", testbed_inside(testbed->path), NULL);
    struct child_result child;
    child_result_init(&child, LIST_BYTES, LIST_BYTES);
    size_t before = out->switches.n + out->params.n;
    int status = runner_ask(r, testbed, (const char *const *)words, &child, e);
    if (!status) {
        read_list(rules, child.out.s, a, out);
        read_list(rules, child.err.s, a, out);
        if (out->switches.n + out->params.n == before)
            status = error_set(e, ERROR_ENVIRONMENT,
                               "'flag-list = %s' prints nothing that 'flag-form' or 'param-form' "
                               "matches",
                               template);
    }
    child_result_release(&child);
    return status;
}

/* -- trying ------------------------------------------------------------------------------------ */

/* Loops that vectorise, shifts, products: what -march changes is in the program, so that one for
 * another machine dies of an illegal instruction here and not in a campaign. */
static const char trial_program[] =
    "#ifdef __cplusplus\nextern \"C\"\n#endif\nint printf(const char *, ...);\n"
    "static int a[64], b[64];\nstatic long long c[64], d[64];\nstatic double x[64], y[64];\n"
    "volatile int seed = 7;\n"
    "int main(void)\n{\n    int i;\n    long long sum = 0;\n"
    "    for (i = 0; i < 64; i++) {\n        a[i] = seed * i;\n        b[i] = i & 15;\n"
    "        c[i] = (long long)seed << (i & 31);\n        d[i] = i;\n        x[i] = seed + i;\n    "
    "}\n"
    "    for (i = 0; i < 64; i++)\n        a[i] = (a[i] >> b[i]) ^ (~a[i] & b[i]);\n"
    "    for (i = 0; i < 64; i++)\n        c[i] = (-c[i] >> d[i]) * d[i];\n"
    "    for (i = 0; i < 64; i++)\n        y[i] = x[i] > 20 ? x[i] * x[i] + y[i] : x[i];\n"
    "    for (i = 0; i < 64; i++)\n        sum += a[i] + c[i] + (long long)y[i];\n"
    "    printf(\"%lld\\n\", sum);\n    return 0;\n}\n";

struct trial {
    const char *level; /* the strongest: where the most is done */
    struct testbed testbed;
    struct runner *runner;
    struct program program;
    struct arena *arena;
    bool certain; /* no limit of time was met, and the machine let nothing down */
};

/* What it prints does not matter: finding that wrong is what campaigns are for. */
static int accepts(struct trial *t, const char *const *texts, size_t n, bool *out, struct error *e)
{
    struct strbuf flags;
    struct observation o;
    strbuf_init(&flags, 0);
    strbuf_adds(&flags, t->level);
    for (size_t i = 0; i < n; i++)
        strbuf_addf(&flags, " %s", texts[i]);
    t->testbed.flags = flags.s;
    int status = runner_observe(t->runner, &t->program, &t->testbed, true, "", t->arena, &o, e);
    strbuf_release(&flags);
    *out = !status && o.outcome == OUTCOME_OK;
    t->certain &= !status && o.outcome != OUTCOME_BUILD_TIMEOUT &&
                  o.outcome != OUTCOME_RUN_TIMEOUT && o.outcome != OUTCOME_SKIPPED;
    return status;
}

/* Sets bad[i] for each text that is rejected by itself. */
static int find_bad(struct trial *t, const char *const *texts, bool *bad, size_t n, struct error *e)
{
    bool good = true;
    if (n && accepts(t, texts, n, &good, e))
        return -1;
    if (good)
        return 0;
    if (n == 1) {
        bad[0] = true;
        return 0;
    }
    if (find_bad(t, texts, bad, n / 2, e))
        return -1;
    return find_bad(t, texts + n / 2, bad + n / 2, n - n / 2, e);
}

/* The form without the texts that were rejected; NULL when none is left. A form without brackets
 * has one text. */
static const char *without_bad(const char *form, const bool *bad, int n, struct arena *a)
{
    int good = 0;
    for (int k = 0; k < n; k++)
        good += !bad[k];
    if (good == n)
        return form;
    const char *open = strchr(form, '[');
    if (!good || !open)
        return NULL;
    struct strbuf out;
    strbuf_init(&out, 0);
    strbuf_add(&out, form, (size_t)(open - form) + (good > 1));
    const char *rest = NULL;
    for (int k = 0, written = 0; k < n; k++) {
        if (bad[k])
            continue;
        if (written++)
            strbuf_addc(&out, '|');
        rest = add_text(open, k, &out);
    }
    strbuf_addf(&out, "%s%s", good > 1 ? "]" : "", rest);
    return strbuf_keep(&out, a);
}

/* Keeps of the forms what the compiler takes and the machine runs. */
static int try_forms(struct trial *t, const string_list *forms, struct flag_forms *out,
                     struct error *e)
{
    size_t n = forms->n;
    bool(*bad)[MOST_TEXTS] = arena_alloc(t->arena, sizeof *bad * (n + 1));
    const char **texts = arena_array(t->arena, const char *, n + 1);
    size_t *which = arena_array(t->arena, size_t, n + 1);
    bool *rejected = arena_array(t->arena, bool, n + 1);
    size_t m = 1;
    for (int k = 0; m; k++) {
        m = 0;
        for (size_t i = 0; i < n; i++)
            if (k < count_texts(forms->at[i])) {
                texts[m] = flag_form_text(forms->at[i], k, t->arena);
                rejected[m] = false;
                which[m++] = i;
            }
        if (find_bad(t, texts, rejected, m, e))
            return -1;
        for (size_t i = 0; i < m; i++)
            bad[which[i]][k] = rejected[i];
    }
    out->at = arena_array(t->arena, const char *, n + 1);
    for (size_t i = 0; i < n; i++) {
        int count = count_texts(forms->at[i]);
        const char *form = without_bad(forms->at[i], bad[i], count, t->arena);
        if (form)
            out->at[out->n++] = form;
    }
    return 0;
}

static int try_all(const struct toolchain *tc, struct found *found, struct trial *t,
                   struct flag_space *out, struct error *e)
{
    const struct flag_rules *rules = &tc->random;
    struct program_file file = {arena_printf(t->arena, "trial%s", tc->suffix), trial_program,
                                sizeof trial_program - 1};
    t->program = (struct program){
        .language = tc->language, .files = &file, .n_files = 1, .needs = "", .trusted = true};
    t->testbed.random = false; /* a build that fails must be seen as it is */
    if (runner_load(t->runner, &t->program, e))
        return -1;
    t->level = "";
    if (try_forms(t, &rules->levels, &out->levels, e))
        return -1;
    if (!out->levels.n)
        return error_set(e, ERROR_ENVIRONMENT, "it takes none of the flags of 'flag-level'");
    t->level = out->levels.at[out->levels.n - 1];
    return try_forms(t, &found->switches, &out->switches, e) ||
                   try_forms(t, &found->params, &out->params, e) ||
                   try_forms(t, &rules->also, &out->also, e)
               ? -1
               : 0;
}

/* -- spaces that are known --------------------------------------------------------------------- */

static const char space_words[] = "lspa"; /* of a line: which kind of form it is */

static struct flag_forms *forms_of(struct flag_space *s, char word)
{
    struct flag_forms *const all[] = {&s->levels, &s->switches, &s->params, &s->also};
    const char *at = word ? strchr(space_words, word) : NULL;
    return at ? all[at - space_words] : NULL;
}

static void add_forms(struct strbuf *out, char word, const char *const *forms, size_t n)
{
    for (size_t i = 0; i < n; i++)
        strbuf_addf(out, "%c%s\n", word, forms[i]);
}

/* What the processor can do: whether a program for another one runs was tried on it. */
static void add_processor(struct strbuf *out)
{
    struct strbuf text;
    strbuf_init(&text, 1 << 16);
    fs_read("/proc/cpuinfo", &text, NULL); /* of many processors the first are enough */
    const char *at = strstr(text.s, "\nflags");
    if (!at)
        at = strstr(text.s, "\nFeatures");
    if (at)
        strbuf_add(out, at, strcspn(at + 1, "\n") + 1);
    strbuf_release(&text);
}

/* Another compiler, another way to call it, another list, other rules, another processor: another
 * file. */
static bool cache_file(const struct toolchain *tc, const struct testbed *t,
                       const struct found *found, char *path, size_t size)
{
    char hash[PROGRAM_HASH_SIZE], name[64];
    struct strbuf key;
    if (!t->identity || !t->identity->stamp)
        return false;
    strbuf_init(&key, 0);
    strbuf_addf(&key, "%016" PRIx64 " %s\n%s\n%s", t->identity->stamp, t->path, tc->language,
                trial_program);
    for (const char *const *step = t->compile; *step; step++)
        strbuf_addf(&key, "%s\n", *step);
    add_forms(&key, 'l', tc->random.levels.at, tc->random.levels.n);
    add_forms(&key, 's', found->switches.at, found->switches.n);
    add_forms(&key, 'p', found->params.at, found->params.n);
    add_forms(&key, 'a', tc->random.also.at, tc->random.also.n);
    add_processor(&key);
    hash_bytes(key.s, key.n, hash);
    strbuf_release(&key);
    snprintf(name, sizeof name, "flags-%s", hash);
    return fs_cache_file(name, path, size);
}

static bool cache_read(const char *path, struct arena *a, struct flag_space *out)
{
    struct strbuf text;
    string_list lines = {0};
    strbuf_init(&text, LIST_BYTES);
    bool good = fs_exists(path) && !fs_read(path, &text, NULL) && text.n;
    for (size_t at = 0, n; good && at < text.n; at += n + 1) {
        n = strcspn(text.s + at, "\n");
        const char *line = arena_memdup(a, text.s + at, n);
        struct flag_forms *forms = forms_of(out, *line);
        good = forms && text.s[at + n] == '\n' && flag_form_good(line + 1);
        if (good)
            forms->n++;
        vec_push(&lines, line);
    }
    good &= out->levels.n > 0;
    for (const char *word = space_words; *word; word++) {
        struct flag_forms *forms = forms_of(out, *word);
        forms->at = arena_array(a, const char *, forms->n + 1);
        forms->n = 0;
    }
    for (size_t i = 0; good && i < lines.n; i++) {
        struct flag_forms *forms = forms_of(out, *lines.at[i]);
        forms->at[forms->n++] = lines.at[i] + 1;
    }
    vec_release(&lines);
    strbuf_release(&text);
    return good;
}

static void cache_write(const char *path, struct flag_space *space)
{
    struct strbuf text;
    strbuf_init(&text, 0);
    for (const char *word = space_words; *word; word++) {
        const struct flag_forms *forms = forms_of(space, *word);
        add_forms(&text, *word, forms->at, (size_t)forms->n);
    }
    fs_cache_write(path, text.s, text.n);
    strbuf_release(&text);
}

/* The compiler is asked for its list each time, so that it is known when that has changed. */
static int list_or_recall(const struct toolchain *tc, struct found *found, struct trial *t,
                          struct flag_space *out, struct error *e)
{
    char path[PATH_MAX];
    bool cached = cache_file(tc, &t->testbed, found, path, sizeof path);
    if (cached && cache_read(path, t->arena, out))
        return 0;
    *out = (struct flag_space){0};
    if (try_all(tc, found, t, out, e))
        return -1;
    if (cached && t->certain)
        cache_write(path, out);
    return 0;
}

int flag_space_list(const struct toolchain *tc, const struct testbed *testbed, struct runner *r,
                    struct arena *a, struct flag_space *out, struct error *e)
{
    struct found found = {0};
    struct trial trial = {.testbed = *testbed, .runner = r, .arena = a, .certain = true};
    *out = (struct flag_space){0};
    int status = 0;
    for (size_t i = 0; i < tc->random.lists.n && !status; i++)
        status = ask_list(&tc->random, tc->random.lists.at[i], testbed, r, a, &found, e);
    if (!status)
        status = list_or_recall(tc, &found, &trial, out, e);
    vec_release(&found.switches);
    vec_release(&found.params);
    return status;
}

/* -- drawing ----------------------------------------------------------------------------------- */

/* The ends of the range and the neighbourhood of the default, where passes change their minds. A
 * greatest value far above the default is a limit taken away, which makes compilers explode: those
 * are never drawn. */
static int64_t draw_number(struct choice *c, const struct number_hole *h)
{
    int64_t high = 2 * (h->usual < 0 ? 0 : h->usual) + 16;
    high = high > h->greatest ? h->greatest : high;
    switch (choose(c, 4)) {
    case 0:
        return h->least;
    case 1:
        return h->least < high ? h->least + 1 : h->least;
    case 2:
        return high;
    default:
        return high > h->least ? h->least + (int64_t)choose(c, (uint64_t)(high - h->least) + 1)
                               : h->least;
    }
}

static void draw_form(const char *form, struct choice *c, struct strbuf *out)
{
    struct number_hole hole;
    if (out->n)
        strbuf_addc(out, ' ');
    for (const char *at = form; *at;) {
        if (*at == '[') {
            int n = 1;
            for (const char *bar = at; *bar != ']'; bar++)
                n += *bar == '|';
            at = add_text(at, (int)choose(c, (uint64_t)n), out);
        } else if (*at == '<') {
            at = read_hole(at + 1, &hole);
            strbuf_addf(out, "%lld", (long long)draw_number(c, &hole));
        } else {
            strbuf_addc(out, *at++);
        }
    }
}

/* From 1 to `most` of the forms, none twice. */
static void draw_some(const struct flag_forms *forms, int most, struct choice *c, struct arena *a,
                      struct strbuf *out)
{
    if (!forms->n)
        return;
    bool *taken = arena_array(a, bool, forms->n);
    int n = 1 + (int)choose(c, (uint64_t)most);
    for (int i = 0; i < n; i++) {
        size_t k = choose(c, (uint64_t)forms->n);
        if (!taken[k])
            draw_form(forms->at[k], c, out);
        taken[k] = true;
    }
}

const char *flag_space_draw(const struct flag_space *s, struct choice *c, struct arena *a)
{
    struct strbuf out;
    strbuf_init(&out, 0);
    size_t level = choose(c, (uint64_t)s->levels.n);
    draw_form(s->levels.at[level], c, &out);
    draw_some(&s->switches, MOST_SWITCHES, c, a, &out);
    if (choose_flip(c, share_with_params))
        draw_some(&s->params, MOST_PARAMS, c, a, &out);
    for (int i = 0; i < s->also.n; i++)
        if (choose_flip(c, share_with_also))
            draw_form(s->also.at[i], c, &out);
    return strbuf_keep(&out, a);
}

/* -- what was drawn ---------------------------------------------------------------------------- */

const char *flags_level(const char *flags, struct arena *a)
{
    return arena_memdup(a, flags, strcspn(flags, " "));
}

/* A compiler may name the flag without its value, and by its opposite. */
static bool names(const char *messages, const char *word, struct arena *a)
{
    static const char param[] = "--param=";
    if (!strncmp(word, param, strlen(param)))
        word += strlen(param);
    const char *name = arena_memdup(a, word, strcspn(word, "="));
    if (strstr(messages, name))
        return true;
    if (strncmp(name, "-f", 2) != 0)
        return false;
    const char *other = !strncmp(name, "-fno-", 5) ? arena_printf(a, "-f%s", name + 5)
                                                   : arena_printf(a, "-fno-%s", name + 2);
    return strstr(messages, other) != NULL;
}

bool flags_named(const char *flags, const char *messages, struct arena *a)
{
    char **words;
    text_split(a, flags, &words);
    for (char **w = words; *w; w++)
        if (names(messages, *w, a))
            return true;
    return false;
}
