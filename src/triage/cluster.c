/* Clusters of findings, and the order in which to look at them.
 *
 * Evidence first, likeness second. A compiler that explains itself decides: an assertion that
 * failed, the pass whose absence makes the case right, flags that are needed. Findings whose
 * evidence is equal belong together, those whose evidence differs do not, and a level of
 * optimisation is no evidence: one bug shows at -O1 and at -O2. What then is left undecided,
 * mostly wrong results of compilers that say nothing, is decided by the reduced programs: average
 * linkage over the distance of their constructs (triage_internal.h), up to a threshold. Chen et al.
 * (Csmith 7.2.4) found edit distance good for what crashes and poor for wrong code, where the
 * coverage of the compiler did best; constructs are the nearest to that coverage that a black box
 * allows. Edit distance on top of them was tried, and brought nothing.
 *
 * A finding that is not reduced yet is not compared: its text is hundreds of lines of accident. It
 * joins the only cluster that it can belong to, or waits with its like.
 *
 * The order is furthest point first. Known bugs count as seen before all others, so that the first
 * one is the one least like any known; they come last themselves. */
#include "triage/cluster.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "triage/signature.h"
#include "triage/triage_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Measured with tests/triage/test_cluster.c, which prints the number of clusters over the whole
 * range: it is the middle of the range in which the number is right. */
const double triage_alike = 0.72;
/* So much further apart are one that a predictor explains and one that lacks it. */
static const double for_what_it_lacks = 0.12;
/* More programs of one family than this are not compared each with each; the rest is compared with
 * the clusters of these. */
enum { COMPARED_MOST = 600 };

/* A wrong value may be printed, lead astray, or keep a loop from ending: one family. */
#define FAMILIES(X)                                                                                \
    X(ANOMALY_NONE, ANOMALY_NONE)                                                                  \
    X(ANOMALY_BUILD_CRASH, ANOMALY_BUILD_CRASH)                                                    \
    X(ANOMALY_BUILD_HANG, ANOMALY_BUILD_HANG)                                                      \
    X(ANOMALY_BUILD_FAIL, ANOMALY_BUILD_FAIL)                                                      \
    X(ANOMALY_RUN_CRASH, ANOMALY_WRONG_OUTPUT)                                                     \
    X(ANOMALY_RUN_HANG, ANOMALY_WRONG_OUTPUT)                                                      \
    X(ANOMALY_WRONG_OUTPUT, ANOMALY_WRONG_OUTPUT)                                                  \
    X(ANOMALY_WRONG_VOLATILE, ANOMALY_WRONG_VOLATILE)                                              \
    X(ANOMALY_SLOW_COMPILE, ANOMALY_SLOW_COMPILE)                                                  \
    X(ANOMALY_MEMORY, ANOMALY_MEMORY)                                                              \
    X(ANOMALY_DISAGREEMENT, ANOMALY_DISAGREEMENT)                                                  \
    X(ANOMALY_MISSED, ANOMALY_MISSED)                                                              \
    X(ANOMALY_FALSE_ALARM, ANOMALY_FALSE_ALARM)                                                    \
    X(ANOMALY_MISPLACED, ANOMALY_MISPLACED)                                                        \
    X(ANOMALY_SUSPECT, ANOMALY_SUSPECT)

static const enum anomaly family[] = {
#define X(anomaly, of) [anomaly] = of,
    FAMILIES(X)
#undef X
};
_Static_assert(sizeof family / sizeof *family == ANOMALY_COUNT, "a family for each anomaly");

/* -- distances --------------------------------------------------------------------------------- */

/* Words as sets: 0 where they are the same, 1 where none is shared. */
static double words_distance(const struct words *x, const struct words *y)
{
    int both = 0;
    for (int i = 0, j = 0; i < x->n && j < y->n;) {
        uint32_t a = x->at[i], b = y->at[j];
        both += a == b;
        i += a <= b;
        j += b <= a;
    }
    int all = x->n + y->n - both;
    return all ? 1 - (double)both / all : 0;
}

/* -- evidence ---------------------------------------------------------------------------------- */

/* What tells bugs apart for certain, the strongest that a finding has. A LEVEL says that no pass is
 * to blame: different from any pass, but not the same bug for that. */
enum evidence_kind { NO_EVIDENCE, BY_MESSAGE, BY_PASS, BY_LEVEL, BY_FLAGS, BY_KIN };

struct evidence_of_finding {
    enum evidence_kind kind;
    const char *text;
    bool unexplained; /* its kin were asked, and it lacks what explains others */
};

static bool is_level(const char *word)
{
    return !strncmp(word, "-O", 2) || !strncmp(word, "-march", 6) || !strncmp(word, "-mtune", 6);
}

/* The flags without levels and machines. */
static const char *telling_flags(struct arena *a, const char *flags)
{
    struct strbuf out;
    strbuf_init(&out, 0);
    for (const char *p = flags; *p;) {
        size_t n = strcspn(p, " ");
        if (n && !is_level(p))
            strbuf_addf(&out, "%s%.*s", out.n ? " " : "", (int)n, p);
        p += n + (p[n] == ' ');
    }
    const char *result = arena_strdup(a, out.s);
    strbuf_release(&out);
    return result;
}

static struct evidence_of_finding find_evidence(struct arena *a, const struct triage_finding *c)
{
    const char *message = signature_evidence(c->signature);
    if (message)
        return (struct evidence_of_finding){BY_MESSAGE, message, false};
    if (*c->pass)
        return (struct evidence_of_finding){is_level(c->pass) ? BY_LEVEL : BY_PASS, c->pass, false};
    /* Flags that were drawn at random say nothing before the superfluous ones are gone. */
    const char *flags = c->text ? telling_flags(a, c->flags) : "";
    return *flags ? (struct evidence_of_finding){BY_FLAGS, flags, false}
                  : (struct evidence_of_finding){NO_EVIDENCE, "", false};
}

/* A compiler that says nothing of it: is it right about one without optimisation, and wrong about
 * the other? A reduction keeps that as it is (inquiry/interest.h). */
static bool differ_plain(const struct triage_finding *c, const struct triage_finding *d,
                         enum evidence_kind x, enum evidence_kind y)
{
    bool silent = (x == NO_EVIDENCE || x == BY_LEVEL || x == BY_KIN) &&
                  (y == NO_EVIDENCE || y == BY_LEVEL || y == BY_KIN);
    return silent && c->plain != PLAIN_UNKNOWN && d->plain != PLAIN_UNKNOWN && c->plain != d->plain;
}

static bool excluded(const struct triage_finding *c, const struct triage_finding *d,
                     const struct evidence_of_finding *x, const struct evidence_of_finding *y)
{
    if (differ_plain(c, d, x->kind, y->kind))
        return true;
    if (x->kind == y->kind && x->kind != NO_EVIDENCE && x->kind != BY_LEVEL)
        return strcmp(x->text, y->text) != 0;
    if ((x->kind == BY_LEVEL && y->kind == BY_PASS) || (x->kind == BY_PASS && y->kind == BY_LEVEL))
        return true;
    /* A compiler that explains a crash explains it each time. */
    return family[c->anomaly] == ANOMALY_BUILD_CRASH &&
           (x->kind == BY_MESSAGE) != (y->kind == BY_MESSAGE);
}

/* -- average linkage --------------------------------------------------------------------------- */

/* n things, their distances (symmetric, INFINITY: never together) and the cluster of each. */
struct linkage {
    int n;
    double *d;
    int *cluster; /* of each thing: the least number in it */
    int *size;    /* of the cluster of that number; 0: it is part of another */
    int *nearest; /* behind it; -1: none */
};

static double *between(const struct linkage *l, int i, int j)
{
    return &l->d[(size_t)i * (size_t)l->n + (size_t)j];
}

static void find_nearest(struct linkage *l, int i)
{
    l->nearest[i] = -1;
    for (int j = i + 1; j < l->n; j++)
        if (l->size[j] && (l->nearest[i] < 0 || *between(l, i, j) < *between(l, i, l->nearest[i])))
            l->nearest[i] = j;
}

/* Cluster j becomes part of cluster i < j. The distance of two clusters is the average over their
 * members; what may not come together with one of them keeps away from both. */
static void merge(struct linkage *l, int i, int j)
{
    double a = l->size[i], b = l->size[j];
    for (int k = 0; k < l->n; k++)
        if (k != i && k != j && l->size[k]) {
            double d = (a * *between(l, i, k) + b * *between(l, j, k)) / (a + b);
            *between(l, i, k) = *between(l, k, i) = d;
        }
    l->size[i] += l->size[j];
    l->size[j] = 0;
    for (int k = 0; k < l->n; k++)
        if (l->cluster[k] == j)
            l->cluster[k] = i;
}

static void link_all(struct linkage *l, double threshold)
{
    for (int i = 0; i < l->n; i++)
        find_nearest(l, i);
    for (;;) {
        int best = -1;
        for (int i = 0; i < l->n; i++)
            if (l->size[i] && l->nearest[i] >= 0 &&
                (best < 0 || *between(l, i, l->nearest[i]) < *between(l, best, l->nearest[best])))
                best = i;
        if (best < 0 || *between(l, best, l->nearest[best]) >= threshold)
            return;
        int other = l->nearest[best];
        merge(l, best, other);
        /* Only rows that pointed to one of the two, or now have it nearer, can change. */
        for (int i = 0; i <= other; i++) {
            int to = l->nearest[i];
            bool nearer =
                i < best && l->size[i] && to >= 0 && *between(l, i, best) < *between(l, i, to);
            if (l->size[i] && (i == best || to == best || to == other))
                find_nearest(l, i);
            else if (nearer)
                l->nearest[i] = best;
        }
    }
}

/* -- clusters ---------------------------------------------------------------------------------- */

struct sorting {
    const struct triage_finding *findings;
    int n;
    double alike; /* less than this far apart: the same bug */
    struct arena *arena;
    struct map words;
    struct evidence_of_finding *evidence; /* of each finding */
    struct constructs *constructs;        /* of each reduced case */
    int *cluster;         /* of each finding: the least number in it; -1: none yet */
    int *first, *next;    /* the first finding of a cluster, and the one behind a finding; -1:
                             none. By link_members */
    int one;              /* the finding that others are compared with; -1: none */
    VEC(float) weight_of; /* its constructs by number; 0: it lacks that one */
    struct triage_work *work;
};

static bool of_one_block(const struct triage_finding *x, const struct triage_finding *y)
{
    return family[x->anomaly] == family[y->anomaly] && !strcmp(x->language, y->language) &&
           (anomaly_is_of_group(x->anomaly) || !strcmp(x->toolchain, y->toolchain));
}

/* Lay out the constructs of finding i by their numbers. Whoever compares it with many does this
 * once: walking two sorted lists for each pair took four times as long. */
static void compare_with(struct sorting *s, int i)
{
    const struct constructs *old = s->one >= 0 ? &s->constructs[s->one] : NULL;
    const struct constructs *now = &s->constructs[i];
    for (int k = 0; old && k < old->n; k++)
        s->weight_of.at[old->at[k].id] = 0;
    while (s->weight_of.n < s->words.n)
        vec_push(&s->weight_of, 0);
    for (int k = 0; k < now->n; k++)
        s->weight_of.at[now->at[k].id] = now->at[k].weight;
    s->one = i;
}

/* Half Jaccard and half overlap: what the smaller one has must be in the larger one, which may have
 * more around it. */
static double distance_of_programs(struct sorting *s, int i, int j)
{
    const struct constructs *x = &s->constructs[i], *y = &s->constructs[j];
    if (s->one != i || s->weight_of.n < s->words.n) /* programs were read since */
        compare_with(s, i);
    s->work->compared++;
    float shared = 0;
    for (int k = 0; k < y->n; k++) {
        float its = y->at[k].weight, other = s->weight_of.at[y->at[k].id];
        shared += its < other ? its : other;
    }
    double both = (double)shared, all = (double)x->weight + (double)y->weight - both;
    double least = (double)(x->weight < y->weight ? x->weight : y->weight);
    if (least <= 0)
        return all > 0;
    return 1 - (both / all + both / least) / 2;
}

static double distance_within(struct sorting *s, int i, int j)
{
    if (excluded(&s->findings[i], &s->findings[j], &s->evidence[i], &s->evidence[j]))
        return INFINITY;
    const struct evidence_of_finding *x = &s->evidence[i], *y = &s->evidence[j];
    bool lacks = (x->kind == BY_KIN && y->unexplained) || (x->unexplained && y->kind == BY_KIN);
    return distance_of_programs(s, i, j) + (lacks ? for_what_it_lacks : 0);
}

/* Those whose evidence is the same, reduced or not. */
static void join_by_evidence(struct sorting *s, const int *block, int n)
{
    struct map groups;
    map_init(&groups);
    for (int i = 0; i < n; i++) {
        const struct evidence_of_finding *e = &s->evidence[block[i]];
        if (e->kind == NO_EVIDENCE || e->kind == BY_LEVEL)
            continue;
        bool added;
        int plain = e->kind == BY_KIN ? (int)s->findings[block[i]].plain : 0;
        struct map_entry *group = map_put_str(
            &groups, arena_printf(s->arena, "%d %d %s", e->kind, plain, e->text), &added);
        if (added)
            group->value.number = (uint64_t)block[i];
        s->cluster[block[i]] = (int)group->value.number;
    }
    map_release(&groups);
}

/* Which of the reduced cases are compared each with each: of each signature the first, then the
 * second, and so on, so that a frequent bug leaves room for a rare one. */
static int choose(const struct sorting *s, int *list, int n)
{
    if (n <= COMPARED_MOST)
        return n;
    int *round = arena_array(s->arena, int, n), *sorted = arena_array(s->arena, int, n);
    struct map seen;
    map_init(&seen);
    for (int i = 0; i < n; i++)
        round[i] = (int)map_put_str(&seen, s->findings[list[i]].signature, NULL)->value.number++;
    map_release(&seen);
    int filled = 0;
    for (int turn = 0; filled < n; turn++)
        for (int i = 0; i < n; i++)
            if (round[i] == turn)
                sorted[filled++] = list[i];
    memcpy(list, sorted, (size_t)n * sizeof *list);
    return COMPARED_MOST;
}

/* The reduced cases list[0..n-1] by likeness, on top of what evidence says. */
static void join_by_likeness(struct sorting *s, const int *list, int n)
{
    struct linkage l = {n, mem_alloc((size_t)n * (size_t)n * sizeof(double)),
                        arena_array(s->arena, int, n), arena_array(s->arena, int, n),
                        arena_array(s->arena, int, n)};
    for (int i = 0; i < n; i++) {
        l.cluster[i] = i;
        l.size[i] = 1;
        for (int j = 0; j < i; j++)
            *between(&l, i, j) = *between(&l, j, i) = distance_within(s, list[i], list[j]);
    }
    for (int j = 1; j < n; j++)
        for (int i = 0; i < j; i++)
            if (s->cluster[list[i]] >= 0 && s->cluster[list[i]] == s->cluster[list[j]]) {
                merge(&l, l.cluster[i], j);
                break;
            }
    link_all(&l, s->alike);
    for (int i = 0; i < n; i++) {
        int to = s->cluster[list[l.cluster[i]]], own = s->cluster[list[i]];
        to = to < 0 ? list[l.cluster[i]] : to;
        if (own < 0)
            s->cluster[list[i]] = to;
        else if (own != to) /* all that has the evidence of this one */
            for (int k = 0; k < s->n; k++)
                if (s->cluster[k] == own)
                    s->cluster[k] = to;
    }
    free(l.d);
}

/* A reduced case beyond those that were compared goes to the cluster that is nearest on average. */
static void join_nearest(struct sorting *s, const int *list, int n, int one)
{
    double *sum = arena_array(s->arena, double, s->n);
    int *count = arena_array(s->arena, int, s->n), best = -1;
    for (int i = 0; i < n; i++) {
        int c = s->cluster[list[i]];
        sum[c] += distance_within(s, one, list[i]);
        count[c]++;
    }
    for (int c = 0; c < s->n; c++)
        if (count[c] && (best < 0 || sum[c] / count[c] < sum[best] / count[best]))
            best = c;
    s->cluster[one] = best >= 0 && sum[best] / count[best] < s->alike ? best : one;
}

/* The cluster that is named; 0 of them, or several. */
struct candidate {
    int cluster;
    bool several;
};

static void add_candidate(struct candidate *c, int cluster)
{
    c->several |= c->cluster >= 0 && c->cluster != cluster;
    c->cluster = cluster;
}

static bool is_sure(const struct candidate *c)
{
    return c->cluster >= 0 && !c->several;
}

/* A finding that says nothing and is not reduced: the only cluster with its anomaly, if there is
 * exactly one, or the only one with its signal at its level; a hang, which is rare, where no other
 * hang is reduced, the only one of its family; else a cluster of those that wait; known ones wait
 * among themselves, as nobody has seen that a new one is the same. */
static void join_waiting(struct sorting *s, const int *block, int n, int one)
{
    const struct triage_finding *d = &s->findings[one];
    struct candidate any = {-1, false}, same = {-1, false}, kin = {-1, false};
    int waiting = -1;
    for (int i = 0; i < n; i++) {
        int other = block[i];
        const struct triage_finding *c = &s->findings[other];
        if (s->cluster[other] < 0 || excluded(c, d, &s->evidence[one], &s->evidence[other]))
            continue;
        if (c->anomaly != d->anomaly) {
            if (c->text)
                add_candidate(&kin, s->cluster[other]);
            kin.several |= c->text && c->known;
        } else if (c->text) {
            add_candidate(&any, s->cluster[other]);
            any.several |= c->known; /* it may be that one, but nobody has seen it */
            if (!strcmp(c->signature, d->signature)) {
                add_candidate(&same, s->cluster[other]);
                same.several |= c->known;
            }
        } else if (!s->findings[s->cluster[other]].text && c->known == d->known &&
                   (s->evidence[other].kind == NO_EVIDENCE ||
                    s->evidence[other].kind == BY_LEVEL)) {
            waiting = s->cluster[other];
        }
    }
    if (d->anomaly == ANOMALY_RUN_HANG && any.cluster < 0)
        any = kin;
    else if (d->anomaly == ANOMALY_RUN_CRASH && !is_sure(&any))
        any = same;
    s->cluster[one] = is_sure(&any) ? any.cluster : waiting >= 0 ? waiting : one;
}

/* Flags that every reduced case needs tell none apart: they may be the testbed's own. */
static void forget_common_flags(struct sorting *s, const int *block, int n)
{
    const struct evidence_of_finding *first = NULL;
    bool vary = false;
    for (int i = 0; i < n; i++) {
        const struct evidence_of_finding *e = &s->evidence[block[i]];
        if (!s->findings[block[i]].text || (e->kind != BY_FLAGS && e->kind != NO_EVIDENCE))
            continue;
        vary |= first && (first->kind != e->kind || strcmp(first->text, e->text) != 0);
        first = e;
    }
    for (int i = 0; i < n && !vary; i++)
        if (s->evidence[block[i]].kind == BY_FLAGS)
            s->evidence[block[i]] = (struct evidence_of_finding){NO_EVIDENCE, "", false};
}

/* Does it end with frames, "overflow [a < b]"? */
static bool has_frames(const char *text)
{
    size_t n = strlen(text);
    const char *frames = n && text[n - 1] == ']' ? strstr(text, " [") : NULL;
    return frames && strstr(frames, " < ");
}

/* "overflow [a < b]" and "overflow [a < b < c]": a stack that ends sooner, in a smaller program. */
static bool begins_stack(const char *shorter, size_t n, const char *longer)
{
    return !strncmp(shorter, longer, n - 1) && !strncmp(longer + n - 1, " < ", 3);
}

/* Of stacks that begin alike, the shortest stands for all. */
static void forget_lower_frames(struct sorting *s, const int *block, int n)
{
    for (int i = 0; i < n; i++) {
        const struct evidence_of_finding *x = &s->evidence[block[i]];
        if (x->kind != BY_MESSAGE || !has_frames(x->text))
            continue;
        size_t length = strlen(x->text);
        for (int j = 0; j < n; j++) {
            struct evidence_of_finding *y = &s->evidence[block[j]];
            if (y->kind == BY_MESSAGE && begins_stack(x->text, length, y->text))
                y->text = x->text;
        }
    }
}

/* Where nothing else is evidence: what right kin lack. */
static void explain(struct sorting *s, const int *list, int n)
{
    const char **kin = arena_array(s->arena, const char *, n);
    const char **explanation = arena_array(s->arena, const char *, n);
    for (int i = 0; i < n; i++) {
        enum evidence_kind kind = s->evidence[list[i]].kind;
        kin[i] = kind == NO_EVIDENCE || kind == BY_LEVEL ? s->findings[list[i]].kin : NULL;
    }
    if (n)
        spectrum_explain(&s->words, s->arena, s->findings[list[0]].language, kin, n, explanation);
    for (int i = 0; i < n; i++)
        if (explanation[i] && *explanation[i])
            s->evidence[list[i]] = (struct evidence_of_finding){BY_KIN, explanation[i], false};
        else
            s->evidence[list[i]].unexplained = explanation[i] != NULL;
}

/* Without what is weightless: that is for predictors. */
static struct constructs read_program(struct sorting *s, const struct triage_finding *c)
{
    s->work->read++;
    struct constructs all = constructs_of(&s->words, s->arena, c->language,
                                          tokens_of(s->arena, c->language, c->text), c->constructs);
    int kept = 0;
    for (int i = 0; i < all.n; i++)
        if (all.at[i].weight > 0)
            all.at[kept++] = all.at[i];
    all.n = kept;
    return all;
}

static void sort_block(struct sorting *s, const int *block, int n)
{
    int *reduced = arena_array(s->arena, int, n), n_reduced = 0;
    forget_common_flags(s, block, n);
    forget_lower_frames(s, block, n);
    for (int i = 0; i < n; i++)
        if (s->findings[block[i]].text) {
            reduced[n_reduced++] = block[i];
            s->constructs[block[i]] = read_program(s, &s->findings[block[i]]);
        }
    explain(s, reduced, n_reduced);
    join_by_evidence(s, block, n);
    int n_compared = choose(s, reduced, n_reduced);
    if (n_compared)
        join_by_likeness(s, reduced, n_compared);
    for (int i = n_compared; i < n_reduced; i++)
        if (s->cluster[reduced[i]] < 0)
            join_nearest(s, reduced, i, reduced[i]);
    for (int i = 0; i < n; i++)
        if (s->cluster[block[i]] < 0)
            join_waiting(s, block, n, block[i]);
}

/* -- what people see --------------------------------------------------------------------------- */

/* The constructs that nearly all reduced programs of the cluster have, the weightiest first. */
static void shared_constructs(const struct sorting *s, const struct triage_cluster *c,
                              struct strbuf *out)
{
    int reduced = 0;
    for (int i = 0; i < c->n_members; i++)
        reduced += s->findings[c->members[i]].text != NULL;
    const struct constructs *first = &s->constructs[c->representative];
    bool *told = arena_array(s->arena, bool, first->n + 1);
    for (int shown = 0; shown < 3; shown++) {
        int best = -1;
        for (int k = 0; k < first->n; k++) {
            int having = 0;
            for (int i = 0; i < c->n_members; i++) {
                const struct constructs *o = &s->constructs[c->members[i]];
                for (int m = 0; s->findings[c->members[i]].text && m < o->n; m++)
                    having += o->at[m].id == first->at[k].id;
            }
            if (!told[k] && having * 5 >= reduced * 4 && first->at[k].weight >= 1 &&
                (best < 0 || first->at[k].weight > first->at[best].weight))
                best = k;
        }
        if (best < 0)
            return;
        told[best] = true;
        strbuf_addf(out, "%s%s", shown ? ", " : "", intern_text(&s->words, first->at[best].id));
    }
}

static const char *because(const struct sorting *s, const struct triage_cluster *c)
{
    enum evidence_kind kind = NO_EVIDENCE;
    const char *text = "";
    for (int i = 0; i < c->n_members && kind == NO_EVIDENCE; i++)
        if (s->evidence[c->members[i]].kind != BY_LEVEL) {
            kind = s->evidence[c->members[i]].kind;
            text = s->evidence[c->members[i]].text;
        }
    switch (kind) {
    case BY_MESSAGE:
        return arena_printf(s->arena, "says: %s", text);
    case BY_PASS:
        return arena_printf(s->arena, "blamed on %s", text);
    case BY_FLAGS:
        return arena_printf(s->arena, "needs %s", text);
    case BY_KIN:
        return arena_printf(s->arena, "right without: %s", text);
    default:
        break;
    }
    if (!s->findings[c->representative].text)
        return "not reduced yet";
    struct strbuf shared;
    strbuf_init(&shared, 0);
    shared_constructs(s, c, &shared);
    const char *result = shared.n           ? arena_printf(s->arena, "with %s", shared.s)
                         : c->n_members > 1 ? "alike"
                                            : "unlike the others";
    strbuf_release(&shared);
    return result;
}

static bool better(const struct triage_finding *x, const struct triage_finding *y)
{
    if (x->flaky != y->flaky)
        return y->flaky;
    if (!x->text || !y->text)
        return x->text && !y->text;
    return strlen(x->text) < strlen(y->text);
}

/* When all that are asked for have their cluster. */
static void link_members(struct sorting *s)
{
    s->first = arena_array(s->arena, int, s->n);
    s->next = arena_array(s->arena, int, s->n);
    for (int i = 0; i < s->n; i++)
        s->first[i] = -1;
    for (int i = s->n; i-- > 0;)
        if (s->cluster[i] >= 0) {
            s->next[i] = s->first[s->cluster[i]];
            s->first[s->cluster[i]] = i;
        }
}

static struct triage_cluster make_cluster(const struct sorting *s, int number)
{
    struct triage_cluster c = {.representative = -1};
    for (int i = s->first[number]; i >= 0; i = s->next[i])
        c.n_members++;
    c.members = arena_array(s->arena, int, c.n_members);
    for (int i = s->first[number], at = 0; i >= 0; i = s->next[i]) {
        c.members[at++] = i;
        c.known |= s->findings[i].known;
        if (c.representative < 0 || better(&s->findings[i], &s->findings[c.representative]))
            c.representative = i;
    }
    c.because = because(s, &c);
    return c;
}

/* 0 first: what is new and certain; then the dull and the uncertain; then the known. */
static int tier(const struct sorting *s, const struct triage_cluster *c)
{
    const struct triage_finding *r = &s->findings[c->representative];
    bool dull = r->anomaly == ANOMALY_SLOW_COMPILE || r->anomaly == ANOMALY_MEMORY;
    return c->known ? 2 : dull || r->flaky;
}

/* A cluster as it is ranked: its representative, with what is compared of it. */
struct ranked {
    struct triage_cluster cluster;
    const struct triage_finding *of;
    const struct constructs *program; /* NULL: not reduced */
    struct words signature, flags;
    int tier;
    double nearest; /* the distance to the nearest of those that it has looked at */
    int looked;     /* at so many of those that were chosen */
};

static struct words words_of_line(struct sorting *s, const char *line)
{
    s->work->read++;
    return words_as_set(words_of(&s->words, s->arena, tokens_of(s->arena, "", line)));
}

static struct ranked to_rank(struct sorting *s, const struct triage_cluster *c)
{
    const struct triage_finding *of = &s->findings[c->representative];
    return (struct ranked){.cluster = *c,
                           .of = of,
                           .program = of->text ? &s->constructs[c->representative] : NULL,
                           .signature = words_of_line(s, of->signature),
                           .flags = words_of_line(s, of->flags),
                           .tier = tier(s, c),
                           .nearest = INFINITY};
}

/* `r` looks at x. What is far away by its message alone needs no look at the programs. */
static void see(struct sorting *s, struct ranked *r, const struct ranked *x)
{
    double d = 0.3 * words_distance(&r->signature, &x->signature) +
               0.1 * words_distance(&r->flags, &x->flags) +
               0.1 * (strcmp(r->of->pass, x->of->pass) != 0);
    if (d >= r->nearest)
        return;
    bool both = r->program && x->program && !strcmp(r->of->language, x->of->language);
    d += 0.5 * (both ? distance_of_programs(s, r->cluster.representative, x->cluster.representative)
                     : 0.5); /* nothing is known */
    r->nearest = fmin(r->nearest, d);
}

/* Furthest point first: each next one is, among those of the lowest tier, the one whose nearest
 * among those before it, and among the known ones, is furthest away. Where there is nothing to be
 * far from, the most frequent comes first. */
static bool comes_before(const struct ranked *x, const struct ranked *y)
{
    if (x->tier != y->tier)
        return x->tier < y->tier;
    return x->nearest > y->nearest ||
           (isinf(x->nearest) && x->cluster.n_members > y->cluster.n_members);
}

/* Those that are left, as a heap: the one that comes first is at 0. Of equal ones it is that of the
 * least number. */
struct left {
    struct ranked *all;
    int *heap, n;
};

static bool is_ahead(const struct left *l, int i, int j)
{
    const struct ranked *x = &l->all[i], *y = &l->all[j];
    return comes_before(x, y) || (!comes_before(y, x) && i < j);
}

static void sink(struct left *l, int at)
{
    for (int child; (child = 2 * at + 1) < l->n; at = child) {
        child += child + 1 < l->n && is_ahead(l, l->heap[child + 1], l->heap[child]);
        if (!is_ahead(l, l->heap[child], l->heap[at]))
            return;
        int other = l->heap[at];
        l->heap[at] = l->heap[child];
        l->heap[child] = other;
    }
}

/* The first of those that are left: it has looked at all that were chosen. Looking makes nothing
 * but nearer, so that others, who are behind it with what they have seen, stay behind. */
static struct ranked *furthest(struct sorting *s, struct left *l, const int *chosen, int n)
{
    for (;;) {
        struct ranked *r = &l->all[l->heap[0]];
        double before = r->nearest;
        while (r->looked < n && r->nearest >= before)
            see(s, r, &l->all[chosen[r->looked++]]);
        if (r->nearest >= before)
            return r;
        sink(l, 0);
    }
}

static void rank(struct sorting *s, struct triage_cluster *list, int n)
{
    struct left l = {arena_array(s->arena, struct ranked, n), arena_array(s->arena, int, n), n};
    int *chosen = arena_array(s->arena, int, n), n_chosen = 0;
    for (int i = 0; i < n; i++) {
        l.all[i] = to_rank(s, &list[i]);
        l.heap[i] = i;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (l.all[j].cluster.known && j != i)
                see(s, &l.all[i], &l.all[j]);
    for (int i = n / 2; i-- > 0;)
        sink(&l, i);
    for (int at = 0; at < n; at++) {
        const struct ranked *next = furthest(s, &l, chosen, n_chosen);
        list[at] = next->cluster;
        if (!next->cluster.known) /* those are seen already */
            chosen[n_chosen++] = (int)(next - l.all);
        l.heap[0] = l.heap[--l.n];
        sink(&l, 0);
    }
}

static struct sorting begin(double alike, const struct triage_finding *findings, int n,
                            struct arena *a, struct triage_work *work)
{
    struct sorting s = {
        .findings = findings, .n = n, .alike = alike, .arena = a, .one = -1, .work = work};
    map_init(&s.words);
    s.evidence = arena_array(a, struct evidence_of_finding, n);
    s.constructs = arena_array(a, struct constructs, n);
    s.cluster = arena_array(a, int, n);
    for (int i = 0; i < n; i++) {
        s.evidence[i] = find_evidence(a, &findings[i]);
        s.cluster[i] = -1;
    }
    return s;
}

/* All that may be of one cluster with finding `one`. */
static void sort_block_of(struct sorting *s, int one)
{
    int *block = arena_array(s->arena, int, s->n), n = 0;
    for (int i = 0; i < s->n; i++)
        if (of_one_block(&s->findings[one], &s->findings[i]))
            block[n++] = i;
    sort_block(s, block, n);
}

struct triage_work triage_clusters_at(double alike, const struct triage_finding *findings, int n,
                                      struct arena *a, struct triage_cluster **out, int *n_out)
{
    struct triage_work work = {0};
    struct sorting s = begin(alike, findings, n, a, &work);
    for (int i = 0; i < n; i++)
        if (s.cluster[i] < 0)
            sort_block_of(&s, i);
    link_members(&s);
    *n_out = 0;
    *out = arena_array(a, struct triage_cluster, n);
    for (int i = 0; i < n; i++)
        if (s.cluster[i] == i)
            (*out)[(*n_out)++] = make_cluster(&s, i);
    rank(&s, *out, *n_out);
    vec_release(&s.weight_of);
    map_release(&s.words);
    return work;
}

void triage_clusters(const struct triage_finding *findings, int n, struct arena *a,
                     struct triage_cluster **out, int *n_out)
{
    triage_clusters_at(triage_alike, findings, n, a, out, n_out);
}

struct triage_cluster triage_cluster_of(const struct triage_finding *findings, int n, int one,
                                        struct arena *a)
{
    struct triage_work work = {0};
    struct sorting s = begin(triage_alike, findings, n, a, &work);
    sort_block_of(&s, one);
    link_members(&s);
    struct triage_cluster c = make_cluster(&s, s.cluster[one]);
    vec_release(&s.weight_of);
    map_release(&s.words);
    return c;
}
