/* Pieces, closures, names. The order of work stands in lm_cut_program. */
#include "gen/lm/rewrite.h"

#include "base/map.h"
#include "cc/library.h"
#include "gen/lm/names.h"
#include "gen/lm/shrink.h"

#include <string.h>

/* -- pieces ----------------------------------------------------------------------------------- */

/* Clang puts the value of a sampler where its name was, so that the name refers to nothing: it is
 * the variable of file scope of that name, since locals are never treated so. */
static uint32_t global_named(const struct lm_cut *c, const struct map *globals, size_t i)
{
    const struct lm_lexeme *x = &c->lexemes.at[i];
    bool member = i && (lm_lexeme_is(x - 1, ".") || lm_lexeme_is(x - 1, "->"));
    if (x->kind != LM_LEX_WORD || member)
        return 0;
    const struct map_entry *e = map_find(globals, x->s, x->n);
    return e ? (uint32_t)e->value.number : 0;
}

/* Words that are names, by their places: both lists are in the order of the text. */
static void resolve_names(struct lm_cut *c)
{
    const struct outline *l = c->outline;
    struct map globals;
    uint32_t k = 0;
    map_init(&globals);
    for (uint32_t i = 1; i < l->n_entities; i++)
        if (l->entities[i].kind == OUTLINE_GLOBAL && l->entities[i].declared)
            map_put_str(&globals, l->entities[i].name, NULL)->value.number = i;
    for (size_t i = 0; i < c->lexemes.n; i++) {
        struct lm_lexeme *x = &c->lexemes.at[i];
        while (k < l->n_names && l->names[k].at < x->at)
            k++;
        bool here = k < l->n_names && l->names[k].at == x->at && l->names[k].size == x->n;
        uint8_t kind = here ? l->entities[l->names[k].entity].kind : OUTLINE_OTHER;
        x->entity = here ? l->names[k].entity : global_named(c, &globals, i);
        x->type = kind == OUTLINE_TAG || kind == OUTLINE_TYPEDEF;
        x->declares = here && l->names[k].declares;
    }
    map_release(&globals);
}

/* Where bodies of functions end; `body` goes along with the text. */
static const struct outline_body *body_at(const struct outline *l, uint32_t *body, uint32_t at)
{
    while (*body < l->n_bodies && l->bodies[*body].end <= at)
        ++*body;
    const struct outline_body *b = *body < l->n_bodies ? &l->bodies[*body] : NULL;
    return b && b->begin <= at ? b : NULL;
}

static void end_piece(struct lm_cut *c, uint32_t *first, size_t last, uint32_t function)
{
    struct lm_piece p = {.first = *first, .end = (uint32_t)last + 1, .function = function};
    for (size_t i = p.first; i < p.end; i++)
        c->lexemes.at[i].piece = (uint32_t)c->pieces.n;
    for (size_t i = p.first; i < p.end && !lm_is_sign(&c->lexemes.at[i], '{'); i++)
        p.kernel |= lm_lexeme_is(&c->lexemes.at[i], "__kernel") ||
                    lm_lexeme_is(&c->lexemes.at[i], "kernel");
    vec_push(&c->pieces, p);
    *first = p.end;
}

/* A piece ends with the `;` or the body of a function on the outermost level; a `;` between the
 * parameters of an old-style definition and its body does not count. What clang did not understand
 * has no body: then braces behind parentheses end it. */
static void find_pieces(struct lm_cut *c)
{
    uint32_t first = 0, body = 0;
    int depth = 0;
    bool looks = false, assigned = false; /* like a function; an initialiser */
    for (size_t i = 0; i < c->lexemes.n; i++) {
        const struct lm_lexeme *x = &c->lexemes.at[i];
        if (x->kind != LM_LEX_SIGN || x->n != 1)
            continue;
        if (lm_is_sign(x, '{') && !depth)
            looks = i && lm_is_sign(x - 1, ')') && !assigned;
        assigned |= lm_is_sign(x, '=') && !depth;
        depth += lm_bracket(x);
        if (depth < 0)
            depth = 0;
        if (depth || !strchr(";}", *x->s))
            continue;
        const struct outline_body *b = body_at(c->outline, &body, x->at);
        bool closes = lm_is_sign(x, '}') && (b ? b->end == x->at + 1 : looks);
        if (closes || (lm_is_sign(x, ';') && !b)) {
            end_piece(c, &first, i, closes && b ? b->entity : 0);
            looks = assigned = false;
        }
    }
}

static int by_entity(const void *a, const void *b)
{
    const struct lm_declares *x = a, *y = b;
    int order = ORDER(x->entity, y->entity);
    return order ? order : ORDER(x->piece, y->piece);
}

static void find_declarations(struct lm_cut *c)
{
    for (uint32_t p = 0; p < c->pieces.n; p++)
        for (uint32_t i = c->pieces.at[p].first; i < c->pieces.at[p].end; i++) {
            uint32_t entity = c->lexemes.at[i].entity;
            uint8_t kind = c->outline->entities[entity].kind;
            if (!c->lexemes.at[i].declares || kind == OUTLINE_LOCAL || kind == OUTLINE_MEMBER ||
                kind == OUTLINE_LABEL)
                continue;
            bool defines = true;
            if (kind == OUTLINE_FUNCTION)
                defines = c->pieces.at[p].function == entity;
            if (kind == OUTLINE_TAG)
                defines = i + 1 < c->pieces.at[p].end && lm_is_sign(&c->lexemes.at[i + 1], '{');
            vec_push(&c->declares,
                     (struct lm_declares){.entity = entity, .piece = p, .defines = defines});
        }
    vec_sort(&c->declares, by_entity);
}

int lm_cut_init(struct lm_cut *c, const char *text, size_t n, const struct outline *l)
{
    *c = (struct lm_cut){.outline = l};
    if (lm_lex(text, n, &c->lexemes))
        return -1;
    resolve_names(c);
    find_pieces(c);
    find_declarations(c);
    return 0;
}

void lm_cut_release(struct lm_cut *c)
{
    vec_release(&c->lexemes);
    vec_release(&c->pieces);
    vec_release(&c->declares);
}

/* -- closures --------------------------------------------------------------------------------- */

/* The rows of an entity: from the first one on. */
static size_t first_row(const struct lm_cut *c, uint32_t entity)
{
    size_t row;
    sorted_first(row, c->declares.n, c->declares.at[row].entity < entity);
    return row;
}

typedef VEC(uint32_t) numbers;

static void add_piece(struct lm_cut *c, uint32_t piece, numbers *waiting)
{
    if (c->pieces.at[piece].in)
        return;
    c->pieces.at[piece].in = true;
    vec_push(waiting, piece);
}

/* What declares the entity, for a use in a piece: its definition, and where that comes later or is
 * missing, the declarations too. */
static void need_entity(struct lm_cut *c, uint32_t entity, uint32_t user, numbers *waiting)
{
    bool before = false;
    size_t row = first_row(c, entity);
    for (size_t i = row; i < c->declares.n && c->declares.at[i].entity == entity; i++)
        if (c->declares.at[i].defines) {
            before |= c->declares.at[i].piece <= user;
            add_piece(c, c->declares.at[i].piece, waiting);
        }
    for (size_t i = row; i < c->declares.n && c->declares.at[i].entity == entity && !before; i++)
        add_piece(c, c->declares.at[i].piece, waiting);
}

static void close_over(struct lm_cut *c, uint32_t root)
{
    numbers waiting = {0};
    for (size_t i = 0; i < c->pieces.n; i++)
        c->pieces.at[i].in = false;
    add_piece(c, root, &waiting);
    while (waiting.n) {
        uint32_t p = waiting.at[--waiting.n];
        for (uint32_t i = c->pieces.at[p].first; i < c->pieces.at[p].end; i++)
            if (c->lexemes.at[i].entity)
                need_entity(c, c->lexemes.at[i].entity, p, &waiting);
    }
    vec_release(&waiting);
}

/* -- names ------------------------------------------------------------------------------------ */

typedef char name[LM_NAME_SIZE];

struct naming {
    const struct outline *outline;
    name *names;                /* by entity; "": it has none yet */
    size_t next[LM_NAME_KINDS]; /* variables and labels: of the function */
    uint32_t *members;          /* by record */
};

static const struct {
    bool named;
    enum lm_name_kind as;
} canonical[OUTLINE_KINDS] = {
    [OUTLINE_FUNCTION] = {true, LM_NAME_FUNCTION}, [OUTLINE_GLOBAL] = {true, LM_NAME_GLOBAL},
    [OUTLINE_ENUMERATOR] = {true, LM_NAME_GLOBAL}, [OUTLINE_LOCAL] = {true, LM_NAME_VARIABLE},
    [OUTLINE_TAG] = {true, LM_NAME_TYPE},          [OUTLINE_TYPEDEF] = {true, LM_NAME_TYPE},
    [OUTLINE_MEMBER] = {true, LM_NAME_MEMBER},     [OUTLINE_LABEL] = {true, LM_NAME_LABEL}};

static void give_name(struct naming *n, uint32_t entity)
{
    const struct outline_entity *e = &n->outline->entities[entity];
    char *out = n->names[entity];
    if (*out || !canonical[e->kind].named)
        return;
    enum lm_name_kind kind = canonical[e->kind].as;
    lm_name(kind, kind == LM_NAME_MEMBER ? n->members[e->parent]++ : n->next[kind]++, out);
}

/* A function of a library keeps its name where the program only declares it. */
static bool is_library(const struct outline_entity *e)
{
    return e->kind == OUTLINE_FUNCTION && !e->defined &&
           (cc_library_named(e->name) != CC_LIB_NONE || !strncmp(e->name, "__builtin_", 10));
}

static bool keeps_name(const struct lm_cut *c, uint32_t entity)
{
    return !entity || is_library(&c->outline->entities[entity]);
}

/* Declarations get names in the order of the text; a tag is declared by being mentioned. */
static void name_declarations(const struct lm_cut *c, struct naming *n, const lm_lexemes *program)
{
    for (size_t i = 0; i < program->n; i++) {
        const struct lm_lexeme *l = &program->at[i];
        if (!i || l->piece != l[-1].piece)
            n->next[LM_NAME_VARIABLE] = n->next[LM_NAME_LABEL] = 0;
        if (!keeps_name(c, l->entity) &&
            (l->declares || c->outline->entities[l->entity].kind == OUTLINE_TAG))
            give_name(n, l->entity);
    }
}

/* The new names in place of the old ones; they live as long as `n`. */
static enum lm_cut_end rename_all(const struct lm_cut *c, struct naming *n, lm_lexemes *program)
{
    for (size_t i = 0; i < program->n; i++) {
        struct lm_lexeme *l = &program->at[i];
        const struct outline_entity *e = &c->outline->entities[l->entity];
        if (keeps_name(c, l->entity))
            continue;
        if ((e->kind == OUTLINE_FUNCTION || e->kind == OUTLINE_GLOBAL) && !e->defined)
            return LM_CUT_UNDEFINED;
        give_name(n, l->entity);
        l->s = n->names[l->entity];
        l->n = (uint32_t)strlen(l->s);
    }
    return LM_CUT_DONE;
}

/* -- the whole -------------------------------------------------------------------------------- */

static void gather(const struct lm_cut *c, lm_lexemes *program)
{
    for (size_t p = 0; p < c->pieces.n; p++)
        for (uint32_t i = c->pieces.at[p].first; i < c->pieces.at[p].end && c->pieces.at[p].in; i++)
            vec_push(program, c->lexemes.at[i]);
}

static enum lm_cut_end write_program(const struct lm_cut *c, struct naming *n, lm_lexemes *program,
                                     size_t most_bytes, struct strbuf *out)
{
    size_t n_entities = c->outline->n_entities, before = out->n;
    name *names = n->names;
    uint32_t *members = n->members;
    if (program->n > most_bytes) /* no lexeme is smaller than a byte */
        return LM_CUT_LARGE;
    memset(names, 0, n_entities * sizeof *names);
    memset(members, 0, n_entities * sizeof *members);
    *n = (struct naming){.outline = c->outline, .names = names, .members = members};
    name_declarations(c, n, program);
    enum lm_cut_end end = rename_all(c, n, program);
    if (end)
        return end;
    if (lm_style_print(program->at, program->n, out))
        return LM_CUT_STRANGE;
    if (out->n - before <= most_bytes)
        return LM_CUT_DONE;
    out->n = before;
    out->s[before] = '\0';
    return LM_CUT_LARGE;
}

/* Bytes of a lexeme, with what is between them: two and a half in most programs; and some more in
 * those that are still too large then. */
static const double bytes_per_lexeme[] = {2.5, 3.5, 5};
enum { TRIES = sizeof bytes_per_lexeme / sizeof *bytes_per_lexeme };

static enum lm_cut_end shrink_and_write(const struct lm_cut *c, uint32_t root, struct naming *n,
                                        lm_lexemes *program, size_t most_bytes, struct strbuf *out)
{
    if (lm_style_clean(program))
        return LM_CUT_ASSEMBLY;
    bool huge = program->n > most_bytes * 4; /* settling that would take too long */
    if (!huge)
        lm_shrink(program, c->outline, root);
    enum lm_cut_end end = write_program(c, n, program, most_bytes, out);
    for (int i = 0; i < TRIES && end == LM_CUT_LARGE; i++) {
        size_t most = (size_t)((double)most_bytes / bytes_per_lexeme[i]);
        if (!lm_shrink_below(program, c->outline, root, most))
            return LM_CUT_LARGE;
        if (huge)
            lm_shrink(program, c->outline, root);
        end = write_program(c, n, program, most_bytes, out);
    }
    return end;
}

enum lm_cut_end lm_cut_program(struct lm_cut *c, uint32_t piece, size_t most_bytes,
                               struct strbuf *out)
{
    size_t n_entities = c->outline->n_entities;
    struct naming n = {.names = mem_alloc(n_entities * sizeof *n.names),
                       .members = mem_alloc(n_entities * sizeof *n.members)};
    lm_lexemes program = {0};
    close_over(c, piece);
    gather(c, &program);
    enum lm_cut_end end = shrink_and_write(c, piece, &n, &program, most_bytes, out);
    vec_release(&program);
    free(n.names);
    free(n.members);
    return end;
}
