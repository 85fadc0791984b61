/* Constructs and features of small texts, against what stands beside them.
 *
 * constructs.txt has a language and a text in each part, then, behind a line "=>", what is noted
 * of it: the weight and the name of each construct. Where the text is followed by "--- code" and
 * "--- second", what two compilers made of it, its features are noted instead, by their kinds.
 * `test_constructs FILE print` prints the file as it would have to be. */
#include "base/fs.h"
#include "base/strbuf.h"
#include "tap.h"
#include "triage/features.h"
#include "triage/trees.h"
#include "triage/triage_internal.h"

#include <stdlib.h>

struct noted {
    const char *name;
    double weight;
};

static int by_name(const void *x, const void *y)
{
    const struct noted *a = x, *b = y;
    return strcmp(a->name, b->name);
}

/* A line for each construct, by name. */
static const char *describe(struct arena *a, const char *language, const char *text)
{
    struct map names;
    struct strbuf out;
    map_init(&names);
    strbuf_init(&out, 0);
    const char *written = strcmp(language, "c") ? "" : constructs_in(text);
    struct constructs c = constructs_of(&names, a, language, tokens_of(a, language, text), written);
    struct noted *list = arena_array(a, struct noted, c.n + 1);
    double sum = 0;
    for (int i = 0; i < c.n; i++) {
        list[i] = (struct noted){intern_text(&names, c.at[i].id), (double)c.at[i].weight};
        sum += list[i].weight;
    }
    qsort(list, (size_t)c.n, sizeof *list, by_name);
    for (int i = 0; i < c.n; i++)
        strbuf_addf(&out, "%g %s\n", list[i].weight, list[i].name);
    if (sum != (double)c.weight)
        strbuf_addf(&out, "but %g in all\n", (double)c.weight);
    const char *result = arena_strdup(a, out.s);
    strbuf_release(&out);
    map_release(&names);
    return result;
}

/* A line for each feature, by name. */
static const char *describe_features(struct arena *a, const char *language, const char *text)
{
    static const char *const kinds[] = {"source", "code", "change"};
    struct map names;
    struct strbuf out;
    const char *code = strstr(text, "--- code\n"), *second = strstr(text, "--- second\n");
    const char *program = arena_memdup(a, text, (size_t)(code - text));
    struct kin k = {false, program, strcmp(language, "c") ? "" : constructs_in(program),
                    arena_memdup(a, code + 9, (size_t)(second - code - 9)), second + 11};
    map_init(&names);
    strbuf_init(&out, 0);
    struct features f = features_of(&names, a, language, &k);
    struct noted *list = arena_array(a, struct noted, f.list.n + 1);
    for (size_t i = 0; i < f.list.n; i++)
        list[i] = (struct noted){intern_text(&names, f.list.at[i].id), f.list.at[i].kind};
    qsort(list, f.list.n, sizeof *list, by_name);
    strbuf_addf(&out, "differs: %d, otherwise: %d\n", f.differs, f.otherwise);
    for (size_t i = 0; i < f.list.n; i++)
        strbuf_addf(&out, "%s: %s\n", kinds[(int)list[i].weight], list[i].name);
    const char *result = arena_strdup(a, out.s);
    vec_release(&f.list);
    strbuf_release(&out);
    map_release(&names);
    return result;
}

int main(int argc, char **argv)
{
    struct arena a;
    struct strbuf file;
    struct error e;
    arena_init(&a);
    strbuf_init(&file, 0);
    if (argc < 2 || fs_read(argv[1], &file, &e))
        BUG("no file of constructs");
    int parts = 0;
    for (char *part = file.s, *next; part; part = next) {
        next = strstr(part, "\n---\n");
        if (next) {
            next[1] = '\0';
            next += strlen("\n---\n");
        }
        char *text = strchr(part, '\n'), *wanted = strstr(part, "\n=>\n");
        if (!text || !wanted)
            BUG("no '=>' behind '%s'", part);
        *text++ = '\0'; /* the language stands in the first line */
        wanted[1] = '\0';
        wanted += strlen("\n=>\n");
        const char *seen = strstr(text, "--- code\n") ? describe_features(&a, part, text)
                                                      : describe(&a, part, text);
        if (argc > 2)
            printf("%s\n%s=>\n%s%s", part, text, seen, next ? "---\n" : "");
        else
            is_str(seen, wanted, "%s: %.*s", part, (int)strcspn(text, "\n"), text);
        parts++;
    }
    strbuf_release(&file);
    arena_release(&a);
    if (argc > 2)
        return 0;
    ok(parts > 20, "%d texts", parts);
    return tap_done();
}
