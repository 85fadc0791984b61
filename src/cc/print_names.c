/* What things are called in a whole program.
 *
 * A tree has identities, a text has names. Those of an imported program were right in its own text,
 * but tags of all scopes come to stand at file scope, and some things have names that no program
 * can write: "(literal 3)", the empty tag. Trees that were changed since (a body put in the place
 * of a call) may name a variable where another one of the same name is nearer.
 *
 * One walk along C's scopes (6.2.1) finds every name that would mean something else, or is there
 * twice, and gives the thing that is in the way a name that nothing in the program has: so no
 * change makes another one wrong, and one walk is enough. */
#include "cc/print_internal.h"
#include "cc/walk.h"

#include <ctype.h>

struct naming {
    struct printer *p;
    VEC(const struct cc_var *) visible; /* innermost last */
    size_t block;                       /* where those of the innermost block start */
    VEC(const struct cc_stmt *) labels; /* of the function so far */
};

bool print_is_identifier(const char *name)
{
    if (!name || isdigit((unsigned char)*name) || !*name)
        return false;
    for (; *name; name++)
        if (!isalnum((unsigned char)*name) && *name != '_' && *name != '$' &&
            (unsigned char)*name < 128)
            return false;
    return true;
}

/* -- names that nothing has ------------------------------------------------------------------- */

static bool collect_declared(const struct cc_stmt *s, void *taken)
{
    if (s->kind == CC_S_DECL)
        map_put_str(taken, s->var->name, NULL);
    return false;
}

static void collect_function(struct map *taken, const struct cc_func *f)
{
    map_put_str(taken, f->name, NULL);
    for (int i = 0; i < f->n_params; i++)
        map_put_str(taken, f->params[i]->name, NULL);
    cc_walk_stmt(f->body, &(struct cc_walk){.stmt = collect_declared, .to = taken});
}

static void collect_names(struct printer *p)
{
    const struct cc_program *program = p->program;
    struct map *taken = &p->names.taken;
    for (size_t i = 0; i < program->globals.n; i++)
        map_put_str(taken, program->globals.at[i]->name, NULL);
    for (size_t i = 0; i < program->funcs.n; i++)
        collect_function(taken, program->funcs.at[i]);
    if (program->main)
        collect_function(taken, program->main);
    for (size_t i = 0; i < program->types.records.n; i++)
        map_put_str(taken, program->types.records.at[i]->record->tag, NULL);
    for (size_t i = 0; i < program->types.enums.n; i++) {
        const struct cc_enum *e = program->types.enums.at[i]->enumeration;
        map_put_str(taken, e->tag, NULL);
        for (int k = 0; k < e->n_values; k++)
            map_put_str(taken, e->values[k].name, NULL);
    }
    p->names.collected = true;
}

/* "(literal 3)" becomes literal_3. */
static const char *printable(struct arena *a, const char *name)
{
    char *made = arena_printf(a, "%s", name);
    size_t n = 0;
    for (const char *s = name; *s; s++) {
        if (isalnum((unsigned char)*s))
            made[n++] = *s;
        else if (n && made[n - 1] != '_')
            made[n++] = '_';
    }
    while (n && made[n - 1] == '_')
        n--;
    made[n] = '\0';
    return n && !isdigit((unsigned char)*made) ? made : "";
}

const char *print_fresh_name(struct printer *p, const char *base)
{
    struct print_names *n = &p->names;
    if (!n->collected)
        collect_names(p);
    if (!print_is_identifier(base))
        base = printable(&n->arena, base);
    const char *name = *base ? base : "s";
    bool added = false;
    map_put_str(&n->taken, name, &added);
    for (int i = 0; !added; i++) {
        const char *gap = *base && isdigit((unsigned char)base[strlen(base) - 1]) ? "_" : "";
        name = arena_printf(&n->arena, "%s%s%d", *base ? base : "s", gap, i);
        map_put_str(&n->taken, name, &added);
    }
    return name;
}

/* -- file scope ------------------------------------------------------------------------------- */

/* Is the name good for another thing of file scope? */
static bool take(struct map *names, const char *name)
{
    bool added = false;
    if (print_is_identifier(name))
        map_put_str(names, name, &added);
    return added;
}

const char *print_enumerator_name(struct printer *p, const char *name)
{
    return take(&p->names.file, name) ? name : print_fresh_name(p, name);
}

static void name_globals(struct printer *p)
{
    const struct cc_program *program = p->program;
    if (program->main)
        take(&p->names.file, program->main->name);
    for (size_t i = 0; i < program->funcs.n; i++) /* they are called what they are called */
        if (program->funcs.at[i]->library)
            take(&p->names.file, program->funcs.at[i]->name);
    for (size_t i = 0; i < program->globals.n; i++) {
        const struct cc_var *v = program->globals.at[i];
        if (!take(&p->names.file, v->name))
            p->names.vars[v->id] = print_fresh_name(p, v->name);
    }
    for (size_t i = 0; i < program->funcs.n; i++) {
        const struct cc_func *f = program->funcs.at[i];
        if (f != program->main && !f->library && !take(&p->names.file, f->name))
            p->names.funcs[f->id] = print_fresh_name(p, f->name);
    }
}

static void name_tags(struct printer *p)
{
    const struct cc_types *t = &p->program->types;
    struct map tags;
    map_init(&tags);
    for (size_t i = 0; i < t->records.n; i++) {
        const struct cc_type *r = t->records.at[i];
        if (!take(&tags, r->record->tag))
            p->names.tags[r->id] = print_fresh_name(p, r->kind == CC_UNION ? "u" : "s");
    }
    for (size_t i = 0; i < t->enums.n; i++) {
        const struct cc_type *e = t->enums.at[i];
        if (!take(&tags, e->enumeration->tag))
            p->names.tags[e->id] = print_fresh_name(p, "e");
    }
    map_release(&tags);
}

/* -- blocks ----------------------------------------------------------------------------------- */

static void declare(struct naming *n, const struct cc_var *v)
{
    struct printer *p = n->p;
    bool good = print_is_identifier(v->name);
    for (size_t i = n->block; good && i < n->visible.n; i++)
        good = strcmp(print_var_name(p, n->visible.at[i]), v->name) != 0;
    if (!good && !p->names.vars[v->id])
        p->names.vars[v->id] = print_fresh_name(p, v->name);
    vec_push(&n->visible, v);
}

/* `name` is written and means `v`, or, if that is NULL, a thing of file scope. */
static void use(struct naming *n, const char *name, const struct cc_var *v)
{
    struct printer *p = n->p;
    for (size_t i = n->visible.n; i-- > 0;) {
        const struct cc_var *nearer = n->visible.at[i];
        if (nearer == v)
            return;
        const char *other = print_var_name(p, nearer);
        if (*other == *name && !strcmp(other, name))
            p->names.vars[nearer->id] = print_fresh_name(p, nearer->name);
    }
}

static void name_label(struct naming *n, const struct cc_stmt *s)
{
    struct printer *p = n->p;
    bool good = print_is_identifier(s->name);
    for (size_t i = 0; good && i < n->labels.n; i++)
        good = strcmp(print_label_name(p, n->labels.at[i]), s->name) != 0;
    if (!good) {
        map_put_str(&p->names.taken, s->name, NULL);
        p->names.labels[s->id] = print_fresh_name(p, s->name);
    }
    vec_push(&n->labels, s);
}

static bool name_stmt(const struct cc_stmt *s, void *naming);
static bool name_expr(const struct cc_expr *e, void *naming);

static bool name_stmt(const struct cc_stmt *s, void *naming)
{
    struct naming *n = naming;
    size_t outer = n->block, visible = n->visible.n;
    if (s->kind == CC_S_BLOCK)
        n->block = visible;
    if (s->kind == CC_S_DECL)
        declare(n, s->var); /* its initialiser is within its scope (6.2.1p7) */
    if (s->kind == CC_S_LABEL)
        name_label(n, s);
    cc_stmt_parts(s, &(struct cc_walk){name_stmt, name_expr, n});
    if (s->kind == CC_S_BLOCK)
        n->visible.n = visible;
    n->block = outer;
    return false;
}

static const char *enumerator_name(const struct cc_expr *e)
{
    if (e->spelling == CC_ENUMERATOR && e->type->kind == CC_ENUM)
        for (int i = 0; i < e->type->enumeration->n_values; i++)
            if (e->type->enumeration->values[i].value == e->value)
                return e->type->enumeration->values[i].name;
    return NULL;
}

static bool name_expr(const struct cc_expr *e, void *naming)
{
    struct naming *n = naming;
    if (e->kind == CC_E_INT && enumerator_name(e))
        use(n, enumerator_name(e), NULL);
    if (e->kind == CC_E_VAR)
        use(n, print_var_name(n->p, e->var), e->var);
    if (e->kind == CC_E_FUNC)
        use(n, print_func_name(n->p, e->func), NULL);
    return cc_expr_parts(e, &(struct cc_walk){name_stmt, name_expr, n});
}

/* Parameters are in the scope of the body's own block (6.9.1p7, 6.2.1p4). */
static void name_function(struct naming *n, const struct cc_func *f)
{
    n->visible.n = n->labels.n = n->block = 0;
    for (int i = 0; i < f->n_params; i++)
        declare(n, f->params[i]);
    for (size_t i = 0; f->body && i < f->body->list.n; i++)
        name_stmt(f->body->list.at[i], n);
}

/* -- all -------------------------------------------------------------------------------------- */

void print_names_init(struct printer *p)
{
    const struct cc_program *program = p->program;
    struct print_names *names = &p->names;
    struct naming n = {.p = p};
    arena_init(&names->arena);
    map_init(&names->taken);
    names->vars = arena_array(&names->arena, const char *, program->n_vars + 1);
    names->funcs = arena_array(&names->arena, const char *, program->n_funcs + 1);
    names->labels = arena_array(&names->arena, const char *, program->n_stmts + 1);
    names->tags = arena_array(&names->arena, const char *, program->types.n + 1);
    map_init(&names->file);
    name_globals(p);
    name_tags(p);
    for (size_t i = 0; i < program->funcs.n; i++)
        if (program->funcs.at[i] != program->main)
            name_function(&n, program->funcs.at[i]);
    if (program->main)
        name_function(&n, program->main);
    vec_release(&n.visible);
    vec_release(&n.labels);
}

void print_names_release(struct print_names *n)
{
    if (!n->vars)
        return;
    map_release(&n->taken);
    map_release(&n->file);
    arena_release(&n->arena);
}
