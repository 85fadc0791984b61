/* Mode paper: how many partitions Algorithm 1 of SPE 4.2.2 yields, as it is worked in Example 6.
 *
 * A count only, for comparison with what was published. The printed procedure and the example do
 * not agree; the example is what is followed:
 *
 *   - all holes in at most v_g blocks (v_g: variables of the root), which is S'_f, and then
 *   - each local scope of u holes and v variables keeps all but k of its holes, k from 0 to u-1, in
 *     at most v blocks; those promoted and the N global ones are in exactly min(v_g, N) blocks, not
 *     empty ones, over all ways to choose k holes in each scope.
 *
 * A scope without variables has the holes of the one around it, and one without holes is not there.
 * The paper has two levels. Here a deeper scope is a local one with the variables of those around
 * it up to the root, as if it shared them with none: each hole keeps the candidates that it has, so
 * that there are never more than fillings. The sum over the k of all scopes is a convolution by how
 * many are promoted in all, so that nothing is enumerated.
 */
#include "spe/spe_internal.h"

struct local {
    int holes, variables;
    struct natural *at_most; /* [holes + 1] partitions of n holes into at most `variables` blocks */
};

struct paper {
    struct natural *count; /* 0 at first */
    int n_locals;
    struct local *locals;
    int holes;                /* of the part */
    int global, variables;    /* holes, variables of the root */
    struct natural *exactly;  /* [holes + 1] partitions of n into min(variables, n) blocks */
    struct natural *promoted; /* [holes + 1] ways to promote n holes in all, and keep the rest */
};

static int n_variables(const struct spe_scope *scope)
{
    int n = 0;
    for (int c = 0; c < scope->n_classes; c++)
        n += scope->classes[c].size;
    return n;
}

static void normalize(struct paper *p, const struct spe_part *part)
{
    struct local *all = p->locals; /* [n_scopes] first, then only those with holes */
    p->holes = part->n_holes;
    for (int s = 0; s < part->n_scopes; s++) {
        int parent = part->scopes[s].parent;
        all[s] = (struct local){.variables = n_variables(&part->scopes[s])};
        if (s == 0)
            p->variables = all[s].variables;
        else if (parent > 0)
            all[s].variables += all[parent].variables;
    }
    for (int h = 0; h < part->n_holes; h++) {
        int s = part->holes[h];
        while (s > 0 && n_variables(&part->scopes[s]) == 0)
            s = part->scopes[s].parent;
        if (s == 0)
            p->global++;
        else
            all[s].holes++;
    }
    for (int s = 1; s < part->n_scopes; s++)
        if (all[s].holes)
            p->locals[p->n_locals++] = all[s];
}

/* Partitions of n into at most `most` blocks, from the Stirling numbers of n. No holes are
 * partitioned in one way. */
static void sum_row(struct natural *out, const struct natural *row, int n, int most)
{
    natural_set_u64(out, 0);
    for (int k = 0; k <= n && k <= most; k++)
        natural_add(out, out, &row[k]);
}

/* Row by row through the triangle S(n,k) = k S(n-1,k) + S(n-1,k-1). */
static void use_stirling_numbers(struct paper *p)
{
    struct natural *row = naturals_new((size_t)p->holes + 1);
    for (int n = 0; n <= p->holes; n++) {
        for (int k = n; k > 0; k--) {
            natural_mul_u64(&row[k], &row[k], (uint64_t)k);
            natural_add(&row[k], &row[k], &row[k - 1]);
        }
        natural_set_u64(&row[0], n == 0);
        natural_set(&p->exactly[n], &row[n < p->variables ? n : p->variables]);
        for (int i = 0; i < p->n_locals; i++)
            if (n <= p->locals[i].holes)
                sum_row(&p->locals[i].at_most[n], row, n, p->locals[i].variables);
    }
    sum_row(p->count, row, p->holes, p->variables);
    naturals_free(row, (size_t)p->holes + 1);
}

/* One more scope in p->promoted, which goes up to `n` so far. */
static void promote(struct paper *p, const struct local *local, int n)
{
    int u = local->holes;
    struct natural *sum = naturals_new((size_t)(n + u + 1)), choices, ways, divisor;
    natural_init(&choices); /* C(u,k) */
    natural_init(&ways);
    natural_init(&divisor);
    natural_set_u64(&choices, 1);
    for (int k = 0; k < u; k++) {
        natural_mul(&ways, &choices, &local->at_most[u - k]);
        for (int i = 0; i <= n; i++)
            natural_add_mul(&sum[i + k], &p->promoted[i], &ways);
        natural_mul_u64(&choices, &choices, (uint64_t)(u - k));
        natural_set_u64(&divisor, (uint64_t)k + 1);
        natural_divide(&choices, NULL, &choices, &divisor);
    }
    for (int i = 0; i <= n + u; i++)
        natural_set(&p->promoted[i], &sum[i]);
    naturals_free(sum, (size_t)(n + u + 1));
    natural_clear(&choices);
    natural_clear(&ways);
    natural_clear(&divisor);
}

static void count_partitions(struct paper *p)
{
    for (int i = 0; i < p->n_locals; i++)
        p->locals[i].at_most = naturals_new((size_t)p->locals[i].holes + 1);
    p->exactly = naturals_new((size_t)p->holes + 1);
    p->promoted = naturals_new((size_t)p->holes + 1);
    use_stirling_numbers(p);
    int n = 0;
    natural_set_u64(&p->promoted[0], 1);
    for (int i = 0; i < p->n_locals; n += p->locals[i++].holes)
        promote(p, &p->locals[i], n);
    for (int k = 0; p->n_locals && k <= n; k++)
        natural_add_mul(p->count, &p->promoted[k], &p->exactly[p->global + k]);
    naturals_free(p->promoted, (size_t)p->holes + 1);
    naturals_free(p->exactly, (size_t)p->holes + 1);
    for (int i = 0; i < p->n_locals; i++)
        naturals_free(p->locals[i].at_most, (size_t)p->locals[i].holes + 1);
}

static int paper_open(const struct spe_part *part, enum spe_mode mode, struct natural *count,
                      void **state, struct error *error)
{
    (void)mode, (void)state, (void)error; /* it only counts, and every part is fine */
    struct paper p = {.count = count,
                      .locals = mem_alloc(sizeof *p.locals * (size_t)(part->n_scopes + 1))};
    normalize(&p, part);
    count_partitions(&p);
    free(p.locals);
    return 0;
}

const struct spe_mode_ops spe_paper_ops = {.open = paper_open};
