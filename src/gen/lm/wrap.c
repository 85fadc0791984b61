#include "gen/lm/wrap.h"
#include "cc/import/import.h"
#include "interp/interp.h"

#include <string.h>

enum { ELEMENTS = 32, MOST_STEPS = 2 * 1000 * 1000 };

const char *const lm_wrap_verdict_name[LM_WRAP_VERDICTS] = {
    "does not compile", "nothing to call", "defined", "undefined",
    "endless",          "left open",       "aborts",  "undecided"};

/* -- main -------------------------------------------------------------------------------------- */

static bool is_integer(const struct parsed_type *t)
{
    return (t->kind >= PARSED_T_BOOL && t->kind <= PARSED_T_ULLONG) || t->kind == PARSED_T_ENUM;
}

static bool is_real(const struct parsed_type *t)
{
    return t->kind == PARSED_T_FLOAT || t->kind == PARSED_T_DOUBLE;
}

/* As C writes it, without qualifiers; NULL: it has no name. */
static const char *spelled(const struct parsed *u, const struct parsed_type *t)
{
    static const char *const qualifiers[] = {"const ", "volatile ", "restrict ", "_Atomic "};
    const char *name = parsed_string(u, t->name);
    for (size_t i = 0; i < sizeof qualifiers / sizeof *qualifiers; i++)
        if (!strncmp(name, qualifiers[i], strlen(qualifiers[i]))) {
            name += strlen(qualifiers[i]);
            i = (size_t)-1;
        }
    return strchr(name, '(') || strchr(name, '*') || strchr(name, '[') || !*name ? NULL : name;
}

enum input { INPUT_NONE, INPUT_INTEGER, INPUT_REAL, INPUT_ARRAY, INPUT_RECORD, INPUT_RECORDS };

static enum input input_of(const struct parsed *u, uint32_t type)
{
    const struct parsed_type *t = &u->types[type];
    if (is_integer(t))
        return INPUT_INTEGER;
    if (is_real(t))
        return INPUT_REAL;
    if (t->kind == PARSED_T_RECORD)
        return t->complete && spelled(u, t) ? INPUT_RECORD : INPUT_NONE;
    if (t->kind != PARSED_T_POINTER)
        return INPUT_NONE;
    const struct parsed_type *to = &u->types[t->to];
    if (is_integer(to) || is_real(to))
        return spelled(u, to) ? INPUT_ARRAY : INPUT_NONE;
    if (to->kind == PARSED_T_VOID)
        return INPUT_ARRAY;
    return to->kind == PARSED_T_RECORD && to->complete && spelled(u, to) ? INPUT_RECORDS
                                                                         : INPUT_NONE;
}

static const char *element_name(const struct parsed *u, uint32_t pointer)
{
    const struct parsed_type *to = &u->types[u->types[pointer].to];
    return to->kind == PARSED_T_VOID ? "int" : spelled(u, to);
}

/* The objects of one call: assay_FUNCTION_PARAMETER. */
static void add_objects(const struct parsed *u, const struct parsed_type *f, int call,
                        struct strbuf *out)
{
    for (uint32_t i = 0; i < f->n_params; i++) {
        uint32_t type = u->params[f->params + i];
        enum input input = input_of(u, type);
        if (input == INPUT_ARRAY) {
            strbuf_addf(out, "  static %s assay_%d_%u[%d] = {", element_name(u, type), call, i,
                        ELEMENTS);
            for (int k = 0; k < ELEMENTS; k++)
                strbuf_addf(out, "%s%d", k ? ", " : "", k + 1);
            strbuf_adds(out, "};\n");
        } else if (input == INPUT_RECORDS) {
            strbuf_addf(out, "  static %s assay_%d_%u[4];\n", element_name(u, type), call, i);
        } else if (input == INPUT_RECORD) {
            strbuf_addf(out, "  static %s assay_%d_%u;\n", spelled(u, &u->types[type]), call, i);
        }
    }
}

static void add_call(const struct parsed *u, const char *name, const struct parsed_type *f,
                     int call, struct strbuf *out)
{
    const struct parsed_type *r = &u->types[f->to];
    bool integer = is_integer(r), real = is_real(r), pointer = r->kind == PARSED_T_POINTER;
    if (integer || pointer)
        strbuf_addf(out, "  printf(\"%s %%lld\\n\", (long long)(", name);
    else if (real)
        strbuf_addf(out, "  printf(\"%s %%.4g\\n\", (double)(", name);
    else
        strbuf_adds(out, "  ");
    strbuf_addf(out, "%s(", name);
    for (uint32_t i = 0; i < f->n_params; i++) {
        enum input input = input_of(u, u->params[f->params + i]);
        strbuf_adds(out, i ? ", " : "");
        if (input == INPUT_INTEGER)
            strbuf_addf(out, "%u", i + 3);
        else if (input == INPUT_REAL)
            strbuf_addf(out, "%u.5", i + 1);
        else
            strbuf_addf(out, "assay_%d_%u", call, i);
    }
    strbuf_adds(out, ")");
    strbuf_adds(out, pointer ? " != 0));\n" : integer || real ? "));\n" : ";\n");
}

static void add_loop(const char *object, const char *format, const char *cast, struct strbuf *out)
{
    strbuf_addf(out,
                "  for (int i = 0; i < %d; i++)\n    printf(\"%s \", (%s)%s[i]);\n"
                "  printf(\"\\n\");\n",
                ELEMENTS, format, cast, object);
}

/* What is left in the arrays, and in the arithmetic members of structs. */
static void add_objects_print(const struct parsed *u, const struct parsed_type *f, int call,
                              struct strbuf *out)
{
    char object[64];
    for (uint32_t i = 0; i < f->n_params; i++) {
        uint32_t type = u->params[f->params + i];
        enum input input = input_of(u, type);
        snprintf(object, sizeof object, "assay_%d_%u", call, i);
        if (input == INPUT_ARRAY)
            add_loop(object, is_real(&u->types[u->types[type].to]) ? "%.4g" : "%lld",
                     is_real(&u->types[u->types[type].to]) ? "double" : "long long", out);
        if (input != INPUT_RECORDS)
            continue;
        const struct parsed_type *record = &u->types[u->types[type].to];
        for (uint32_t m = u->nodes[record->decl].first; m; m = u->nodes[m].next) {
            const struct parsed_type *t = &u->types[u->nodes[m].type];
            const char *name = parsed_string(u, u->nodes[m].name);
            if (u->nodes[m].kind != PARSED_FIELD || !*name || (!is_integer(t) && !is_real(t)))
                continue;
            if (record->is_union)
                break;
            strbuf_addf(out, "  printf(\"%s \", (%s)%s[0].%s);\n", is_real(t) ? "%.4g" : "%lld",
                        is_real(t) ? "double" : "long long", object, name);
        }
        strbuf_adds(out, "  printf(\"\\n\");\n");
    }
}

/* What is left in the program's own variables, and in the first elements of its arrays. */
static void add_globals_print(const struct parsed *u, struct strbuf *out)
{
    for (uint32_t i = u->nodes[1].first; i; i = u->nodes[i].next) {
        const struct parsed_node *n = &u->nodes[i];
        const char *name = parsed_string(u, n->name);
        if (n->kind != PARSED_VAR || !(n->flags & PARSED_DEFINED) || (n->flags & PARSED_INCLUDED) ||
            (n->ref && n->ref != i))
            continue;
        const struct parsed_type *t = &u->types[n->type];
        uint64_t elements = t->kind == PARSED_T_ARRAY ? t->length : 1;
        bool array = t->kind == PARSED_T_ARRAY;
        t = array ? &u->types[t->to] : t;
        if ((!is_integer(t) && !is_real(t)) || !elements)
            continue;
        elements = elements < ELEMENTS ? elements : ELEMENTS;
        if (array)
            strbuf_addf(out, "  for (int i = 0; i < %d; i++)\n  ", (int)elements);
        strbuf_addf(out, "  printf(\"%s %s\\n\", (%s)%s%s);\n", name, is_real(t) ? "%.4g" : "%lld",
                    is_real(t) ? "double" : "long long", name, array ? "[i]" : "");
    }
}

static bool can_call(const struct parsed *u, const struct parsed_node *n)
{
    const struct parsed_type *f = &u->types[n->type];
    if (n->kind != PARSED_FUNCTION || !(n->flags & PARSED_DEFINED) ||
        (n->flags & PARSED_INCLUDED) || f->kind != PARSED_T_FUNCTION)
        return false;
    for (uint32_t i = 0; i < f->n_params; i++)
        if (input_of(u, u->params[f->params + i]) == INPUT_NONE)
            return false;
    return true;
}

int lm_wrap_main(const struct parsed *u, struct strbuf *out)
{
    struct strbuf body;
    int calls = 0;
    bool has_main = false;
    strbuf_init(&body, 0);
    for (uint32_t i = u->nodes[1].first; i; i = u->nodes[i].next) {
        const struct parsed_node *n = &u->nodes[i];
        const char *name = parsed_string(u, n->name);
        has_main |= n->kind == PARSED_FUNCTION && !strcmp(name, "main");
        if (!can_call(u, n) || (n->ref && n->ref != i))
            continue;
        const struct parsed_type *f = &u->types[n->type];
        add_objects(u, f, calls, &body);
        add_call(u, name, f, calls, &body);
        add_objects_print(u, f, calls, &body);
        calls++;
    }
    if (calls)
        add_globals_print(u, &body);
    if (calls && !has_main)
        strbuf_addf(out, "\nint printf(const char *, ...);\nint main(void)\n{\n%s  return 0;\n}\n",
                    body.s);
    strbuf_release(&body);
    return has_main ? 0 : calls;
}

/* -- running it -------------------------------------------------------------------------------- */

static const enum lm_wrap_verdict verdict_of[INTERP_N_VERDICTS] = {
    [INTERP_DEFINED] = LM_WRAP_DEFINED,
    [INTERP_UNDEFINED] = LM_WRAP_UNDEFINED,
    [INTERP_ENDLESS] = LM_WRAP_ENDLESS,
    [INTERP_UNDECIDED] = LM_WRAP_UNDECIDED};

/* What depends on what C leaves open has no expected output. */
static enum lm_wrap_verdict run(struct cc_program *p, struct strbuf *expected, struct strbuf *why)
{
    const struct interp_options o = {.max_steps = MOST_STEPS, .real = true};
    struct interp *in = interp_new(p, &o);
    enum lm_wrap_verdict verdict = verdict_of[interp_verdict(interp_main(in))];
    if (verdict != LM_WRAP_DEFINED)
        interp_explain(in, why);
    else if (interp_ended(in)->how == INTERP_ABORTED || interp_ended(in)->how == INTERP_TRAPPED ||
             interp_ended(in)->status != 0)
        verdict = LM_WRAP_ABORTED;
    else if (!interp_settled(in, NULL, why))
        verdict = LM_WRAP_OPEN;
    else
        strbuf_add(expected, interp_printed(in)->s, interp_printed(in)->n);
    interp_free(in);
    return verdict;
}

static enum lm_wrap_verdict import_and_run(const struct parsed *u, struct arena *a,
                                           struct strbuf *expected, struct strbuf *why)
{
    struct cc_program program;
    struct import import;
    struct error e = {0};
    enum lm_wrap_verdict verdict = LM_WRAP_UNDECIDED;
    cc_program_init(&program, a, &cc_lp64);
    if (cc_import(u, "t.c", &program, &import, &e) || !program.main) {
        strbuf_adds(why, e.message);
        if (!strncmp(e.message, CC_IMPORT_NOT_PORTABLE, strlen(CC_IMPORT_NOT_PORTABLE)))
            verdict = LM_WRAP_UNDEFINED;
    } else {
        verdict = run(&program, expected, why);
    }
    cc_program_release(&program);
    return verdict;
}

enum lm_wrap_verdict lm_wrap_run(struct strbuf *text, struct strbuf *expected, struct strbuf *why)
{
    const struct parse_options none = {0};
    struct parsed unit, whole;
    struct arena a;
    struct error e = {0};
    enum lm_wrap_verdict verdict = LM_WRAP_REFUSED;
    size_t before = text->n;
    arena_init(&a);
    if (parsed_load_text("t.c", text->s, text->n, &none, &a, &unit, &e)) {
        strbuf_adds(why, e.message);
    } else if (!lm_wrap_main(&unit, text)) {
        verdict = LM_WRAP_NOTHING;
    } else if (parsed_load_text("t.c", text->s, text->n, &none, &a, &whole, &e)) {
        strbuf_adds(why, e.message);
        text->s[text->n = before] = '\0'; /* a main that clang does not take is none */
        verdict = LM_WRAP_NOTHING;
    } else {
        verdict = import_and_run(&whole, &a, expected, why);
    }
    if (verdict != LM_WRAP_DEFINED)
        strbuf_clear(expected);
    arena_release(&a);
    return verdict;
}
