#include "triage/listing.h"

#include <stdint.h>
#include <string.h>

enum { LINES_MOST = 1500 }; /* in 16 bits, and in some megabytes */

static struct listing listing_of(struct arena *a, const char *text)
{
    int lines = 1;
    for (const char *p = text; *p; p++)
        lines += *p == '\n';
    struct listing l = {arena_array(a, struct listing_line, lines), 0};
    for (const char *line = text; *line;) {
        size_t n = strcspn(line, "\n");
        l.at[l.n++] = (struct listing_line){line, (int)n, true};
        line += n + (line[n] == '\n');
    }
    return l;
}

static bool same(const struct listing_line *x, const struct listing_line *y)
{
    return x->n == y->n && !memcmp(x->s, y->s, (size_t)x->n);
}

void listings_compare(struct arena *a, const char *first, const char *second, struct listing *x,
                      struct listing *y)
{
    *x = listing_of(a, first);
    *y = listing_of(a, second);
    if (x->n > LINES_MOST || y->n > LINES_MOST)
        return;
    size_t wide = (size_t)y->n + 1;
    uint16_t *longest = arena_array(a, uint16_t, ((size_t)x->n + 1) * wide); /* from i and j on */
    for (int i = x->n - 1; i >= 0; i--)
        for (int j = y->n - 1; j >= 0; j--) {
            uint16_t *at = &longest[(size_t)i * wide + (size_t)j];
            uint16_t without = at[wide] > at[1] ? at[wide] : at[1];
            *at = same(&x->at[i], &y->at[j]) ? (uint16_t)(at[wide + 1] + 1) : without;
        }
    for (int i = 0, j = 0; i < x->n && j < y->n;) {
        const uint16_t *at = &longest[(size_t)i * wide + (size_t)j];
        if (same(&x->at[i], &y->at[j])) {
            x->at[i++].only = false;
            y->at[j++].only = false;
        } else if (at[wide] >= at[1]) {
            i++;
        } else {
            j++;
        }
    }
}

static int count_only(const struct listing *l)
{
    int n = 0;
    for (int i = 0; i < l->n; i++)
        n += l->at[i].only;
    return n;
}

double listings_distance(const char *first, const char *second)
{
    struct arena a;
    struct listing x, y;
    arena_init(&a);
    listings_compare(&a, first, second, &x, &y);
    int all = x.n + y.n, only = count_only(&x) + count_only(&y);
    arena_release(&a);
    return all ? (double)only / all : 0;
}
