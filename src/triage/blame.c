/* Pass, flag and version bisection.
 *
 * The ideas are Whalley's, as YARPGen 3.4 took them up: leave parts of the optimiser out until the
 * case comes out right. What is left out last is "a useful fingerprint", though not always the
 * culprit. In order:
 *
 *     at the level that optimises nothing   still wrong: no pass is to blame
 *     limit       binary search over the number of passes that run (clang)
 *     switches    all off at once; where that helps, as few as will do (gcc)
 *     counters    the same with every counter at 0, then up to the first number that is wrong
 *     passes      the same with single passes disabled
 *
 * Switches come before counters because their names mean the same in all versions, and a counter
 * of pattern matching hides half of all bugs; behind a switch that was found, a counter still says
 * which transformation it was. A compiler with too much left out may fail by itself. Then nothing
 * is known of the whole, its halves are tried, and what fails alone is left alone. */
#include "triage/blame.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "base/vec.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One thing that can be left out, by which flag, and what it is called. */
struct item {
    const char *off, *name;
};

typedef VEC(struct item) item_list;

enum answer { FAILED = -1, RIGHT, BAD, BROKEN };

struct trial {
    const struct testbed_blame *rules;
    const char *flags;
    const struct blame_probe *probe;
    struct arena *arena;
    struct blame *out;
    struct error *e;
};

enum { NO_LIMIT = 1000000000, COUNTER_MOST = 1 << 24 };

static enum answer try_flags(struct trial *t, const char *flags, const char **messages)
{
    struct blame_try seen = {.messages = ""};
    t->out->tries++;
    if (t->probe->with_flags(t->probe->of, flags, t->arena, &seen, t->e))
        return FAILED;
    if (messages)
        *messages = seen.messages;
    return seen.bad ? BAD : seen.broken ? BROKEN : RIGHT;
}

static enum answer try_and(struct trial *t, const char *more, const char **messages)
{
    return try_flags(t, arena_printf(t->arena, "%s%s%s", t->flags, *t->flags ? " " : "", more),
                     messages);
}

/* -- texts ------------------------------------------------------------------------------------- */

static const char *with_number(struct arena *a, const char *form, long n)
{
    char number[24];
    snprintf(number, sizeof number, "%ld", n);
    return text_fill(a, form, "{n}", number, NULL);
}

/* As patterns see it. */
static const char *line_at(struct arena *a, const char *s, size_t n)
{
    return arena_memdup(a, s, n < TEXT_LINE_MOST ? n : TEXT_LINE_MOST);
}

/* What the line becomes by the rule: its text with \1 to \9 filled in; NULL where it does not
 * match. */
static const char *rewrite(const struct substitution *rule, const char *line, struct arena *a)
{
    regmatch_t m[10];
    if (regexec(&rule->from.regex, line, 10, m, 0))
        return NULL;
    struct strbuf out;
    strbuf_init(&out, 4096);
    for (const char *p = rule->to; *p; p++) {
        if (*p != '\\' || !isdigit((unsigned char)p[1])) {
            strbuf_addc(&out, *p);
            continue;
        }
        const regmatch_t *group = &m[*++p - '0'];
        if (group->rm_so >= 0)
            strbuf_add(&out, line + group->rm_so, (size_t)(group->rm_eo - group->rm_so));
    }
    const char *result = arena_strdup(a, out.s);
    strbuf_release(&out);
    return result;
}

static bool matches(const struct pattern *list, int n, const char *text)
{
    for (int i = 0; i < n; i++)
        if (regexec(&list[i].regex, text, 0, NULL, 0) == 0)
            return true;
    return false;
}

/* "-fno-tree-vrp" -> "-ftree-vrp", "-fdisable-tree-vrp1" -> "tree-vrp": passes that run several
 * times are numbered, and a bug may show in any of them. */
static const char *name_of(struct arena *a, const char *off)
{
    if (!strncmp(off, "-fno-", 5))
        return arena_printf(a, "-f%s", off + 5);
    if (!strncmp(off, "-fdisable-", 10)) {
        const char *name = off + 10;
        size_t n = strlen(name);
        while (n > 1 && isdigit((unsigned char)name[n - 1]))
            n--;
        return arena_memdup(a, name, n);
    }
    return off;
}

/* What of the compiler's answer can be switched off; those to be blamed last stand first, because
 * minimisation gives up the first ones first. */
static int list_items(struct trial *t, const char *question, const struct substitution *forms,
                      int n_forms, item_list *out)
{
    const char *answer = "";
    const char *arguments =
        arena_printf(t->arena, "%s%s%s", t->flags, *t->flags ? " " : "", question);
    if (t->probe->ask(t->probe->of, arguments, t->arena, &answer, t->e))
        return -1;
    item_list rest = {0};
    for (const char *p = answer; *p;) {
        size_t n = strcspn(p, "\n");
        const char *line = line_at(t->arena, p, n), *off = NULL;
        p += n + (p[n] == '\n');
        for (int i = 0; i < n_forms && !off; i++)
            off = rewrite(&forms[i], line, t->arena);
        if (!off || matches(t->rules->keep, t->rules->n_keep, off))
            continue;
        struct item item = {off, name_of(t->arena, off)};
        if (matches(t->rules->last, t->rules->n_last, off))
            vec_push(out, item);
        else
            vec_push(&rest, item);
    }
    for (size_t i = 0; i < rest.n; i++)
        vec_push(out, rest.at[i]);
    vec_release(&rest);
    return 0;
}

static const char *joined(struct arena *a, const struct item *list, size_t n, bool names)
{
    struct strbuf out;
    strbuf_init(&out, 0);
    for (size_t i = 0; i < n; i++) {
        const char *word = names ? list[i].name : list[i].off;
        bool again = false; /* instances of one pass */
        for (size_t j = 0; names && j < i; j++)
            again |= !strcmp(list[j].name, word);
        if (!again)
            strbuf_addf(&out, "%s%s", !out.n ? "" : names ? " + " : " ", word);
    }
    const char *result = arena_strdup(a, out.s);
    strbuf_release(&out);
    return result;
}

/* -- what must be left out --------------------------------------------------------------------- */

static enum answer try_off(struct trial *t, const struct item *list, size_t n)
{
    return try_and(t, joined(t->arena, list, n, false), NULL);
}

/* The case is right with all of these off: keep as few off as will do. Groups are given back from
 * the front, halves first, then smaller ones, until no single one can be given back. */
static int minimise(struct trial *t, item_list *list)
{
    item_list rest = {0};
    int status = 0;
    for (size_t size = (list->n + 1) / 2; size && list->n > 1 && status == 0;) {
        bool gave_back = false;
        for (size_t from = 0; from < list->n && list->n > 1;) {
            size_t n = from + size < list->n ? size : list->n - from;
            rest.n = 0;
            for (size_t i = 0; i < list->n; i++)
                if (i < from || i >= from + n)
                    vec_push(&rest, list->at[i]);
            enum answer answer = rest.n ? try_off(t, rest.at, rest.n) : BAD;
            if (answer == FAILED) {
                status = -1;
                break;
            }
            if (answer == RIGHT) {
                memcpy(list->at, rest.at, rest.n * sizeof *rest.at);
                list->n = rest.n;
                gave_back = true;
            } else {
                from += n;
            }
        }
        if (size == 1 && !gave_back)
            break;
        size = size > 1 ? size / 2 : 1;
    }
    vec_release(&rest);
    return status;
}

/* Is there a group among these whose absence makes the case right? 1: `found` has it; 0; -1.
 * `harmless` collects what can be off without breaking anything. */
static int search(struct trial *t, const struct item *list, size_t n, item_list *found,
                  item_list *harmless)
{
    if (!n)
        return 0;
    enum answer answer = try_off(t, list, n);
    item_list *to = answer == RIGHT ? found : harmless;
    switch (answer) {
    case FAILED:
        return -1;
    case RIGHT:
    case BAD:
        for (size_t i = 0; i < n; i++)
            vec_push(to, list[i]);
        return answer == RIGHT;
    default:
        break;
    }
    if (n == 1)
        return 0;
    /* The later half first: what is to be blamed last stands in front. */
    int status = search(t, list + n / 2, n - n / 2, found, harmless);
    return status ? status : search(t, list, n / 2, found, harmless);
}

static int by_flag(const void *x, const void *y)
{
    const struct item *a = x, *b = y;
    return strcmp(a->off, b->off);
}

/* 1: the pass and how it was found are in t->out; 0: none of these; -1. */
static int blame_items(struct trial *t, const item_list *items, item_list *found)
{
    item_list harmless = {0};
    int status = search(t, items->at, items->n, found, &harmless);
    if (status == 0 && harmless.n && harmless.n < items->n) {
        /* Two that must be off together may have been in different halves. */
        enum answer answer = try_off(t, harmless.at, harmless.n);
        status = answer == FAILED ? -1 : answer == RIGHT;
        for (size_t i = 0; status == 1 && i < harmless.n; i++)
            vec_push(found, harmless.at[i]);
    }
    vec_release(&harmless);
    if (status == 1 && minimise(t, found))
        status = -1;
    if (status == 1) {
        qsort(found->at, found->n, sizeof *found->at, by_flag);
        t->out->pass = joined(t->arena, found->at, found->n, true);
        t->out->detail = arena_printf(t->arena, "right with %s%s%s", t->flags, *t->flags ? " " : "",
                                      joined(t->arena, found->at, found->n, false));
    }
    return status;
}

static int blame_list(struct trial *t, const char *question, const struct substitution *forms,
                      int n_forms)
{
    item_list items = {0}, found = {0};
    int status = list_items(t, question, forms, n_forms, &items);
    if (status == 0)
        status = blame_items(t, &items, &found);
    vec_release(&items);
    vec_release(&found);
    return status;
}

/* -- counters ---------------------------------------------------------------------------------- */

/* The first number of steps of the one counter with which the case is wrong; 0: it cannot be told;
 * -1. */
static long first_bad_count(struct trial *t, const char *name)
{
    const char *form = text_fill(t->arena, t->rules->count, "{name}", name, NULL);
    long right = 0, bad = 1;
    for (; bad <= COUNTER_MOST; bad *= 2) {
        enum answer answer = try_and(t, with_number(t->arena, form, bad), NULL);
        if (answer == FAILED)
            return -1;
        if (answer == BAD)
            break;
        right = bad;
    }
    if (bad > COUNTER_MOST)
        return 0;
    while (bad - right > 1) {
        long middle = right + (bad - right) / 2;
        enum answer answer = try_and(t, with_number(t->arena, form, middle), NULL);
        if (answer == FAILED)
            return -1;
        if (answer == BAD)
            bad = middle;
        else
            right = middle;
    }
    return bad;
}

/* Where a switch was found before, the counter adds to its detail; else it is the one to blame. */
static int blame_counter(struct trial *t, bool name_it)
{
    item_list items = {0}, found = {0};
    struct blame before = *t->out;
    int status = list_items(t, t->rules->counter_list, &t->rules->counter, 1, &items);
    for (size_t i = 0; i < items.n; i++) {
        const char *form = text_fill(t->arena, t->rules->count, "{name}", items.at[i].off, NULL);
        items.at[i].name = items.at[i].off;
        items.at[i].off = with_number(t->arena, form, 0);
    }
    if (status == 0)
        status = blame_items(t, &items, &found);
    const char *detail = t->out->detail;
    if (!name_it) {
        t->out->pass = before.pass;
        t->out->detail = before.detail;
    }
    if (status == 1 && found.n == 1) {
        long n = first_bad_count(t, found.at[0].name);
        const char *form = text_fill(t->arena, t->rules->count, "{name}", found.at[0].name, NULL);
        if (n < 0)
            status = -1;
        else if (n > 0)
            t->out->detail =
                arena_printf(t->arena, "%s; %s is the first that is wrong",
                             name_it ? detail : before.detail, with_number(t->arena, form, n));
    }
    vec_release(&items);
    vec_release(&found);
    return status;
}

/* -- limit ------------------------------------------------------------------------------------- */

/* The pass with the number, or the one with the highest where `number` is 0; its name goes to
 * `name`. Returns its number, 0: none. */
static long pass_in(struct trial *t, const char *messages, long number, const char **name)
{
    long best = 0;
    for (const char *p = messages; *p;) {
        size_t n = strcspn(p, "\n");
        const char *line = line_at(t->arena, p, n);
        regmatch_t m[3];
        p += n + (p[n] == '\n');
        if (regexec(&t->rules->pass.regex, line, 3, m, 0) || m[1].rm_so < 0 || m[2].rm_so < 0)
            continue;
        long its = strtol(line + m[1].rm_so, NULL, 10);
        if (number ? its != number : its <= best)
            continue;
        best = its;
        *name = arena_memdup(t->arena, line + m[2].rm_so, (size_t)(m[2].rm_eo - m[2].rm_so));
        if (number)
            break;
    }
    return best;
}

/* A number strictly between the two at which something can be told: the middle, else ever nearer
 * to the bad end, else to the right one. BROKEN: there is none on this way. */
static enum answer try_between(struct trial *t, long right, long bad, long *at)
{
    long middle = right + (bad - right) / 2;
    for (*at = middle; *at < bad; *at += (bad - *at + 1) / 2) {
        enum answer answer = try_and(t, with_number(t->arena, t->rules->limit, *at), NULL);
        if (answer != BROKEN)
            return answer;
    }
    for (*at = right + (middle - right) / 2; *at > right; *at = right + (*at - right) / 2) {
        enum answer answer = try_and(t, with_number(t->arena, t->rules->limit, *at), NULL);
        if (answer != BROKEN)
            return answer;
    }
    return BROKEN;
}

static int blame_limit(struct trial *t)
{
    const char *messages = "", *name = "";
    enum answer answer = try_and(t, with_number(t->arena, t->rules->limit, NO_LIMIT), &messages);
    if (answer != BAD)
        return answer == FAILED ? -1 : 0;
    long right = 0, bad = pass_in(t, messages, 0, &name);
    if (!bad)
        return 0; /* it does not count */
    answer = try_and(t, with_number(t->arena, t->rules->limit, 0), NULL);
    if (answer != RIGHT)
        return answer == FAILED ? -1 : 0;
    while (bad - right > 1) {
        long at;
        answer = try_between(t, right, bad, &at);
        if (answer == FAILED)
            return -1;
        if (answer == BROKEN)
            break;
        if (answer == BAD)
            bad = at;
        else
            right = at;
    }
    answer = try_and(t, with_number(t->arena, t->rules->limit, bad), &messages);
    if (answer == FAILED)
        return -1;
    if (!pass_in(t, messages, bad, &name))
        return 0;
    t->out->pass = name;
    t->out->detail = arena_printf(t->arena, "right with %s, wrong with %s",
                                  with_number(t->arena, t->rules->limit, right),
                                  with_number(t->arena, t->rules->limit, bad));
    return 1;
}

/* -- all ways ---------------------------------------------------------------------------------- */

/* The flags with another level; `*level` is theirs. */
static const char *at_level(struct arena *a, const char *flags, const char *other,
                            const char **level)
{
    struct strbuf out;
    strbuf_init(&out, 0);
    *level = "";
    for (const char *p = flags; *p;) {
        size_t n = strcspn(p, " ");
        if (!strncmp(p, "-O", 2))
            *level = arena_memdup(a, p, n);
        else if (n)
            strbuf_addf(&out, "%.*s ", (int)n, p);
        p += n + (p[n] == ' ');
    }
    strbuf_adds(&out, other);
    const char *result = arena_strdup(a, out.s);
    strbuf_release(&out);
    return result;
}

static int blame_by_rules(struct trial *t)
{
    const struct testbed_blame *r = t->rules;
    int found = 0;
    if (r->limit && (found = blame_limit(t)))
        return found;
    if (r->switch_list && (found = blame_list(t, r->switch_list, r->switches, r->n_switches)) < 0)
        return -1;
    if (r->counter_list) {
        int counted = blame_counter(t, !found);
        found = counted < 0 ? -1 : found | counted;
    }
    if (!found && r->pass_list)
        found = blame_list(t, r->pass_list, r->passes, r->n_passes);
    return found;
}

int blame_pass(const struct testbed *testbed, const char *flags, const struct blame_probe *probe,
               struct arena *a, struct blame *out, struct error *e)
{
    *out = (struct blame){.pass = "", .detail = "its toolchain has no rules for this"};
    struct trial t = {testbed->blame, flags, probe, a, out, e};
    if (!testbed->blame)
        return 0;
    enum answer answer = try_flags(&t, flags, NULL);
    if (answer != BAD) {
        out->detail = arena_printf(a, "it does not show with %s", *flags ? flags : "no flags");
        return answer == FAILED ? -1 : 0;
    }
    const char *level = "", *none = t.rules->none;
    if (none) {
        const char *unoptimised = at_level(a, flags, none, &level);
        answer = !*level ? BAD : try_flags(&t, unoptimised, NULL);
        if (answer == FAILED)
            return -1;
        if (answer == BAD) {
            out->pass = none;
            out->detail = arena_printf(a, "wrong at %s already: no optimisation is to blame", none);
            return 0;
        }
    }
    int found = blame_by_rules(&t);
    if (found)
        return found < 0 ? -1 : 0;
    out->pass = none ? level : "";
    out->detail = *out->pass ? arena_printf(a,
                                            "right at %s; at %s no pass or switch that can be "
                                            "left out makes it right",
                                            none, level)
                             : "nothing that can be left out makes it right";
    return 0;
}

/* -- versions ---------------------------------------------------------------------------------- */

/* Numbers as numbers, all else as text: 9.4.0 < 12.2.0 < 12.2.0-rc1. */
static int compare_versions(const char *x, const char *y)
{
    while (*x && *y) {
        if (isdigit((unsigned char)*x) && isdigit((unsigned char)*y)) {
            char *end_x, *end_y;
            unsigned long long a = strtoull(x, &end_x, 10), b = strtoull(y, &end_y, 10);
            if (a != b)
                return a < b ? -1 : 1;
            x = end_x;
            y = end_y;
        } else if (*x != *y) {
            return (unsigned char)*x < (unsigned char)*y ? -1 : 1;
        } else {
            x++;
            y++;
        }
    }
    return (*x != '\0') - (*y != '\0');
}

static int by_version(const void *x, const void *y)
{
    const struct blame_version *a = x, *b = y;
    int order = compare_versions(a->version, b->version);
    if (!order)
        order = compare_versions(a->compiler, b->compiler);
    return order ? order : (a->index > b->index) - (a->index < b->index);
}

void blame_sort_versions(struct blame_version *list, int n)
{
    if (n > 0)
        qsort(list, (size_t)n, sizeof *list, by_version);
}

enum { ALL_VERSIONS = 8, CANNOT_TELL = -2 };

/* Versions on one side of the accused one, by their distance from it: 1 is its neighbour. */
struct side {
    const struct blame_version *list;
    int accused, step, n;
    int (*bad)(void *of, int index, struct error *e);
    void *of;
    int near,
        far; /* the farthest known to be bad, 0 the accused; the nearest right one, or n + 1 */
};

static int ask_version(const struct side *s, int distance, struct error *e)
{
    return s->bad(s->of, s->list[s->accused + s->step * distance].index, e);
}

/* All of them, up to the first that is right. */
static int walk_versions(struct side *s, struct error *e)
{
    for (int i = 1; i <= s->n; i++) {
        int answer = ask_version(s, i, e);
        if (answer == -1)
            return -1;
        if (answer == 1)
            s->near = i;
        if (answer == 0) {
            s->far = i;
            break;
        }
    }
    return 0;
}

/* The answer of the one that can tell next to `*at`, between those that are known. */
static int ask_about(const struct side *s, int *at, struct error *e)
{
    int answer = CANNOT_TELL, middle = *at;
    for (int i = middle; answer == CANNOT_TELL && i > s->near; i--)
        answer = ask_version(s, *at = i, e);
    for (int i = middle + 1; answer == CANNOT_TELL && i < s->far; i++)
        answer = ask_version(s, *at = i, e);
    return answer;
}

/* The farthest is asked first: often it is bad as well, and that is all. */
static int bisect_versions(struct side *s, struct error *e)
{
    for (int next = s->n; s->far - s->near > 1; next = s->near + (s->far - s->near) / 2) {
        int answer = ask_about(s, &next, e);
        if (answer == -1)
            return -1;
        if (answer == CANNOT_TELL)
            break;
        if (answer == 0)
            s->far = next;
        else
            s->near = next;
        if (answer == 1 && s->far > s->n)
            break; /* the farthest that can tell is bad */
    }
    return 0;
}

static int look_aside(struct side *s, int *bad, int *good, struct error *e)
{
    s->near = 0;
    s->far = s->n + 1;
    if (s->n <= ALL_VERSIONS ? walk_versions(s, e) : bisect_versions(s, e))
        return -1;
    *bad = s->accused + s->step * s->near;
    *good = s->far <= s->n ? s->accused + s->step * s->far : -1;
    return 0;
}

int blame_versions(const struct blame_version *list, int n, int accused, void *of,
                   int (*bad)(void *of, int index, struct error *e), struct blame_range *out,
                   struct error *e)
{
    struct side older = {list, accused, -1, accused, bad, of, 0, 0};
    struct side newer = {list, accused, 1, n - 1 - accused, bad, of, 0, 0};
    *out = (struct blame_range){-1, -1, -1, -1};
    if (accused < 0 || accused >= n)
        return 0;
    return look_aside(&older, &out->first_bad, &out->last_good, e) ||
                   look_aside(&newer, &out->last_bad, &out->next_good, e)
               ? -1
               : 0;
}
