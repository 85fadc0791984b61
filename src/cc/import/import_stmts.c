/* Statements.
 *
 * In cc a label is a statement of its own, and so is `case`: `case 1: x = 2;` becomes two of the
 * enclosing block, and where C has a single statement (`if (c) l: x = 2;`) a block is put around
 * them. A switch links all its labels, wherever they are nested. `for` with a declaration becomes a
 * block with the declaration and the loop (6.8.5.3p1).
 *
 * asm is understood where it has no instructions, as in barriers against optimisation: operands
 * that are read and written stay what they are, and one that is tied to an input gets its value. */
#include "cc/import/import_internal.h"

#include <ctype.h>

static void add_stmt(struct importer *im, uint32_t node, struct cc_stmt *block);

/* Append a statement that a node stands for. */
static struct cc_stmt *add(struct importer *im, uint32_t node, struct cc_stmt *block,
                           struct cc_stmt *s)
{
    s->line = import_node(im, node)->line;
    if (!im->out->stmts[node])
        im->out->stmts[node] = s;
    cc_append(block, s);
    return s;
}

struct cc_stmt *import_block(struct importer *im, uint32_t node)
{
    struct cc_stmt *block = cc_block(im->p);
    block->line = import_node(im, node)->line;
    im->out->stmts[node] = block;
    for (uint32_t c = import_node(im, node)->first; c; c = import_node(im, c)->next)
        add_stmt(im, c, block);
    return block;
}

/* A statement where C has just one: itself, or a block of what it became. */
static struct cc_stmt *sub_stmt(struct importer *im, uint32_t node)
{
    if (import_kind(im, node) == PARSED_BLOCK)
        return import_block(im, node);
    struct cc_stmt *block = cc_block(im->p);
    block->line = import_node(im, node)->line;
    add_stmt(im, node, block);
    bool single = block->list.n == 1;
    if (single) {
        uint8_t kind = block->list.at[0]->kind;
        single =
            kind != CC_S_LABEL && kind != CC_S_CASE && kind != CC_S_DEFAULT && kind != CC_S_DECL;
    }
    return single ? block->list.at[0] : block;
}

/* -- declarations ----------------------------------------------------------------------------- */

static void add_variable(struct importer *im, uint32_t node, struct cc_stmt *block)
{
    const struct parsed_node *n = import_node(im, node);
    if (n->flags & PARSED_THREAD && !im->partly) /* there is only one thread */
        import_fail(im, node, "a thread-local variable");
    if (n->flags & PARSED_GLOBAL) { /* extern: an object of file scope, if the file has it */
        im->out->vars[node] = import_entity(im, node)->var;
        return;
    }
    import_attributes(im, node);
    import_is_restrict(im, node, false);
    const struct cc_type *type = import_object_type(im, n->type, node);
    struct cc_var *v = cc_local(im->p, import_name(im, node), type, NULL);
    v->storage = n->flags & PARSED_STATIC ? CC_STATIC : CC_AUTO;
    v->is_register = (n->flags & PARSED_REGISTER) != 0;
    v->align = import_alignment(im, node);
    im->out->vars[node] = v; /* its scope begins before its initialiser (6.2.1p7) */
    add(im, node, block, cc_decl(im->p, v));
    uint32_t init = import_part(im, node, 0);
    if (init)
        cc_initialise(im->p, v, import_init(im, type, init));
}

static void add_trap(struct importer *im, uint32_t node, struct cc_stmt *block)
{
    struct cc_expr *trap = import_trap(im, cc_basic(&im->p->types, CC_VOID));
    im->out->stmts[node] = NULL;
    add(im, node, block, cc_expr_stmt(im->p, trap));
}

/* A variable without an initialiser that can be run is one whose initialiser is a trap; one that is
 * none at all, a trap at its place, and where it is used. */
static void add_variable_or_trap(struct importer *im, uint32_t node, struct cc_stmt *block)
{
    struct recovery r;
    import_begin(im, &r);
    if (!setjmp(r.here)) {
        add_variable(im, node, block);
        import_end(im, &r);
        return;
    }
    import_recover(im, &r);
    struct cc_var *v = im->out->vars[node];
    if (v)
        v->init = import_trap(im, v->type);
    else
        add_trap(im, node, block);
}

static void add_declaration(struct importer *im, uint32_t node, struct cc_stmt *block)
{
    switch (import_kind(im, node)) {
    case PARSED_VAR:
        add_variable_or_trap(im, node, block);
        break;
    case PARSED_FUNCTION:
        if (import_node(im, node)->flags & PARSED_DEFINED)
            import_fail(im, node, "a nested function");
        break;
    case PARSED_TYPEDEF: /* its sizes would be evaluated */
        if (im->s->types[import_node(im, node)->type].kind == PARSED_T_VLA)
            import_fail(im, node, "a variable length array");
        break;
    default:
        break;
    }
}

static void add_declarations(struct importer *im, uint32_t node, struct cc_stmt *block)
{
    size_t before = block->list.n;
    for (uint32_t c = import_node(im, node)->first; c; c = import_node(im, c)->next)
        add_declaration(im, c, block);
    if (block->list.n > before)
        im->out->stmts[node] = block->list.at[before];
}

/* -- labels ----------------------------------------------------------------------------------- */

static struct cc_stmt *label_of(struct importer *im, uint32_t node)
{
    if (!im->out->stmts[node])
        im->out->stmts[node] = cc_label(im->p, import_name(im, node));
    return im->out->stmts[node];
}

static void add_goto(struct importer *im, uint32_t node, struct cc_stmt *block)
{
    uint32_t label = import_node(im, node)->ref;
    if (import_kind(im, label) != PARSED_LABEL)
        import_fail(im, node, "a goto without label");
    struct goto_seen *g = arena_new(im->p->arena, struct goto_seen);
    struct cc_stmt *s = add(im, node, block, cc_goto(im->p, label_of(im, label)));
    *g = (struct goto_seen){im->gotos, s, NULL, node, im->around.home};
    im->gotos = g;
}

struct cc_expr *import_label_address(struct importer *im, uint32_t node)
{
    uint32_t label = import_node(im, node)->ref;
    if (!im->func || import_kind(im, label) != PARSED_LABEL)
        import_fail(im, node, "the address of a label");
    struct cc_expr *e = cc_label_address(im->p, label_of(im, label));
    struct goto_seen *g = arena_new(im->p->arena, struct goto_seen);
    *g = (struct goto_seen){.next = im->gotos, .address = e, .node = node};
    im->gotos = g;
    return e;
}

static void add_computed_goto(struct importer *im, uint32_t node, struct cc_stmt *block)
{
    if (!im->partly || im->around.home)
        import_fail(im, node, "a computed goto");
    struct cc_expr *e = import_expr(im, import_child(im, node, 0));
    if (import_value_type(im, e)->kind != CC_POINTER)
        import_fail(im, node, "a computed goto");
    struct cc_stmt *s = cc_stmt(im->p, CC_S_GOTO);
    s->expr = e;
    add(im, node, block, s);
}

static void trap_goto(struct importer *im, struct goto_seen *g)
{
    struct recovery r;
    import_begin(im, &r);
    if (!setjmp(r.here))
        import_fail(im, g->node, "a goto out of a statement expression");
    import_recover(im, &r);
    if (g->address) {
        *g->address = *import_trap(im, g->address->type);
        return;
    }
    g->stmt->kind = CC_S_EXPR;
    g->stmt->target = NULL;
    g->stmt->expr = import_trap(im, cc_basic(&im->p->types, CC_VOID));
}

/* Nobody jumps into or out of a statement expression. */
static void check_gotos(struct importer *im)
{
    for (struct goto_seen *g = im->gotos; g; g = g->next)
        if (im->label_home[import_node(im, g->node)->ref] != g->home + 1)
            trap_goto(im, g);
    im->gotos = NULL;
}

static void link_label(struct importer *im, uint32_t node, struct cc_stmt *s)
{
    struct surroundings *a = &im->around;
    im->n_labels++;
    if (!a->in_switch)
        import_fail(im, node, "a case in a statement expression within its switch");
    if (a->last_label)
        a->last_label->labels = s;
    else
        a->in_switch->labels = s;
    a->last_label = s;
}

static struct cc_stmt *make_case(struct importer *im, uint32_t node)
{
    const struct parsed_node *n = import_node(im, node);
    if (!im->around.in_switch)
        import_fail(im, node, "a case in a statement expression within its switch");
    const struct cc_type *type = im->around.in_switch->expr->type;
    struct cc_stmt *s = cc_case(im->p, cc_wrap(type, n->value));
    if (import_part(im, node, 1))
        s->high = cc_wrap(type, n->value2);
    return s;
}

/* Labels in front of a statement, of any number. Returns the statement behind them. */
static uint32_t add_labels(struct importer *im, uint32_t node, struct cc_stmt *block)
{
    for (;;) {
        struct cc_stmt *s;
        switch (import_kind(im, node)) {
        case PARSED_CASE:
            s = add(im, node, block, make_case(im, node));
            link_label(im, node, s);
            node = import_child(im, node, 2);
            break;
        case PARSED_DEFAULT:
            s = add(im, node, block, cc_stmt(im->p, CC_S_DEFAULT));
            link_label(im, node, s);
            node = import_child(im, node, 0);
            break;
        case PARSED_LABEL:
            add(im, node, block, label_of(im, node));
            im->label_home[node] = im->around.home + 1;
            im->n_labels++;
            node = import_child(im, node, 0);
            break;
        default:
            return node;
        }
    }
}

/* -- control ---------------------------------------------------------------------------------- */

static struct cc_stmt *loop_body(struct importer *im, uint32_t node)
{
    im->around.loops++;
    im->around.breakables++;
    struct cc_stmt *s = sub_stmt(im, node);
    im->around.loops--;
    im->around.breakables--;
    return s;
}

static void add_if(struct importer *im, uint32_t node, struct cc_stmt *block)
{
    struct cc_expr *c = import_condition(im, import_child(im, node, 0));
    struct cc_stmt *a = sub_stmt(im, import_child(im, node, 1));
    uint32_t otherwise = import_part(im, node, 2);
    add(im, node, block, cc_if(im->p, c, a, otherwise ? sub_stmt(im, otherwise) : NULL));
}

static void add_for(struct importer *im, uint32_t node, struct cc_stmt *block)
{
    uint32_t init = import_part(im, node, 0), c = import_part(im, node, 1),
             step = import_part(im, node, 2);
    struct cc_stmt *inner = block;
    struct cc_expr *first = NULL;
    if (init && import_kind(im, init) == PARSED_DECLS) {
        inner = cc_block(im->p);
        inner->line = import_node(im, node)->line;
        cc_append(block, inner);
        add_declarations(im, init, inner);
    } else if (init) {
        first = import_expr(im, init);
    }
    struct cc_expr *condition = c ? import_condition(im, c) : NULL;
    struct cc_expr *last = step ? import_expr(im, step) : NULL;
    struct cc_stmt *body = loop_body(im, import_child(im, node, 3));
    add(im, node, inner, cc_for(im->p, first, condition, last, body));
}

static void add_while(struct importer *im, uint32_t node, struct cc_stmt *block)
{
    bool is_do = import_kind(im, node) == PARSED_DO;
    struct cc_stmt *s = cc_stmt(im->p, is_do ? CC_S_DO : CC_S_WHILE);
    s->a = is_do ? loop_body(im, import_child(im, node, 0)) : NULL;
    s->expr = import_condition(im, import_child(im, node, is_do ? 1 : 0));
    if (!is_do)
        s->a = loop_body(im, import_child(im, node, 1));
    add(im, node, block, s);
}

static void add_switch(struct importer *im, uint32_t node, struct cc_stmt *block)
{
    uint32_t of = import_child(im, node, 0);
    struct cc_expr *value = import_expr(im, of);
    if (!cc_is_integer(value->type))
        import_fail(im, node, "a switch on %s", cc_kind_text[value->type->kind]);
    struct cc_stmt *body = cc_block(im->p);
    struct cc_stmt *s = cc_switch(im->p, import_operand(im, of, value), body);
    add(im, node, block, s);
    struct surroundings outer = im->around;
    im->around.in_switch = s;
    im->around.last_label = NULL;
    im->around.breakables++;
    uint32_t inside = import_child(im, node, 1);
    body->line = import_node(im, inside)->line;
    if (import_kind(im, inside) == PARSED_BLOCK) {
        im->out->stmts[inside] = body;
        for (uint32_t c = import_node(im, inside)->first; c; c = import_node(im, c)->next)
            add_stmt(im, c, body);
    } else {
        add_stmt(im, inside, body);
    }
    im->around = outer;
}

static void add_return(struct importer *im, uint32_t node, struct cc_stmt *block)
{
    uint32_t of = import_part(im, node, 0);
    const struct cc_type *type = im->func->type->to;
    if (im->around.home)
        import_fail(im, node, "a return out of a statement expression");
    struct cc_expr *value = of ? import_expr(im, of) : NULL;
    if (value && type->kind == CC_VOID) { /* GNU: return f(); */
        struct cc_stmt *s = cc_expr_stmt(im->p, value);
        s->line = import_node(im, node)->line;
        cc_append(block, s);
        value = NULL;
    }
    if (value)
        value = import_fit(im, of, type, value);
    add(im, node, block, cc_return(im->p, im->func, value));
}

static void add_jump(struct importer *im, uint32_t node, struct cc_stmt *block)
{
    bool is_break = import_kind(im, node) == PARSED_BREAK;
    if (!(is_break ? im->around.breakables : im->around.loops))
        import_fail(im, node, "a %s out of a statement expression",
                    parsed_kind_name[import_kind(im, node)]);
    add(im, node, block, cc_stmt(im->p, is_break ? CC_S_BREAK : CC_S_CONTINUE));
}

/* -- asm -------------------------------------------------------------------------------------- */

/* An operand as it is written: [name] "constraint" (expression). */
struct asm_operand {
    char constraint[16];
};

struct asm_text {
    struct asm_operand outputs[8], inputs[8];
    int n_outputs, n_inputs;
};

static const char *skip_space(const char *s)
{
    while (isspace((unsigned char)*s))
        s++;
    return s;
}

/* Behind a string literal; NULL: it does not end. */
static const char *skip_string(const char *s)
{
    for (s++; *s && *s != '"'; s++)
        if (*s == '\\' && s[1])
            s++;
    return *s ? s + 1 : NULL;
}

/* Behind the parenthesis that closes the one at `s`. */
static const char *skip_parentheses(const char *s)
{
    int depth = 0;
    while (s && *s) {
        if (*s == '"') {
            s = skip_string(s);
            continue;
        }
        depth += *s == '(' ? 1 : *s == ')' ? -1 : 0;
        s++;
        if (depth == 0)
            return s;
    }
    return NULL;
}

/* Operands up to the next colon or the end; returns what stands there, or NULL. */
static const char *scan_operands(const char *s, struct asm_operand *list, int *n)
{
    for (s = skip_space(s); s && *s && *s != ':' && *s != ')'; s = s ? skip_space(s) : NULL) {
        if (*s == ',') {
            s++;
        } else if (*s == '[') {
            s = strchr(s, ']');
            s = s ? s + 1 : NULL;
        } else if (*s == '"' && *n < 8) {
            const char *end = skip_string(s);
            if (!end || (size_t)(end - s) > sizeof list->constraint)
                return NULL;
            snprintf(list[*n].constraint, sizeof list->constraint, "%.*s", (int)(end - s) - 2,
                     s + 1);
            s = skip_space(end);
            s = *s == '(' ? skip_parentheses(s) : NULL;
            (*n)++;
        } else {
            return NULL;
        }
    }
    return s && *s ? s : NULL;
}

/* asm volatile ("" : outputs : inputs : clobbers); false: it has instructions, or is not clear. */
static bool scan_asm(const char *s, struct asm_text *out)
{
    *out = (struct asm_text){.n_outputs = 0};
    const char *open = strchr(s, '(');
    if (!open)
        return false;
    for (const char *w = s; w < open; w++) /* asm goto jumps */
        if (!strncmp(w, "goto", 4))
            return false;
    s = skip_space(open + 1);
    while (*s == '"') { /* an empty template, maybe of several strings */
        for (s++; *s && *s != '"'; s++) {
            bool blank = isspace((unsigned char)*s) || (*s == '\\' && (s[1] == 'n' || s[1] == 't'));
            if (!blank)
                return false;
            s += *s == '\\';
        }
        s = *s ? skip_space(s + 1) : s;
    }
    if (*s == ')')
        return true;
    s = *s == ':' ? scan_operands(s + 1, out->outputs, &out->n_outputs) : NULL;
    if (s && *s == ':')
        s = scan_operands(s + 1, out->inputs, &out->n_inputs);
    return s && (*s == ')' || *s == ':');
}

/* The input that an output is tied to; -1: none. */
static int tied_input(const struct asm_text *a, int output)
{
    for (int i = 0; i < a->n_inputs; i++)
        if (isdigit((unsigned char)a->inputs[i].constraint[0]) &&
            a->inputs[i].constraint[0] - '0' == output && !a->inputs[i].constraint[1])
            return i;
    return -1;
}

static void add_effect(struct importer *im, uint32_t node, struct cc_stmt *block, struct cc_expr *e)
{
    struct cc_stmt *s = cc_expr_stmt(im->p, e);
    s->line = import_node(im, node)->line;
    cc_append(block, s);
}

static bool is_lane(const struct cc_expr *e)
{
    return e->kind == CC_E_INDEX && e->a->type->kind == CC_VECTOR;
}

static void add_asm(struct importer *im, uint32_t node, struct cc_stmt *block)
{
    const struct parsed_node *n = import_node(im, node);
    struct asm_text text;
    char *source = arena_memdup(im->p->arena, parsed_string(im->s, n->text), n->text_size);
    if (!scan_asm(source, &text) ||
        import_count(im, node) != (uint32_t)(text.n_outputs + text.n_inputs))
        import_fail(im, node, "asm");
    add(im, node, block, cc_stmt(im->p, CC_S_EMPTY));
    for (int i = 0; i < text.n_inputs; i++) {
        struct cc_expr *e = import_expr(im, import_child(im, node, text.n_outputs + i));
        if (e->effects)
            add_effect(im, node, block, e);
    }
    for (int i = 0; i < text.n_outputs; i++) {
        struct cc_expr *e = import_expr(im, import_child(im, node, i));
        int from = tied_input(&text, i);
        if (!cc_is_lvalue(e) || e->type->has_const || e->type->kind == CC_ARRAY)
            import_fail(im, node, "asm");
        if (text.outputs[i].constraint[0] == '+') {
            if (e->effects && e->kind != CC_E_VAR && cc_bitfield_bits(e) < 0 && !is_lane(e))
                add_effect(im, node, block, cc_addr(im->p, e)); /* finding it */
            continue;
        }
        if (from < 0)
            import_fail(im, node, "asm");
        struct cc_expr *value = import_expr(im, import_child(im, node, text.n_outputs + from));
        if (value->effects)
            import_fail(im, node, "asm");
        value = import_fit(im, node, e->type, value);
        add_effect(im, node, block, cc_assign(im->p, CC_NONE, e, value));
    }
}

/* -- all -------------------------------------------------------------------------------------- */

static void add_block(struct importer *im, uint32_t node, struct cc_stmt *block)
{
    cc_append(block, import_block(im, node));
}

static void add_nothing(struct importer *im, uint32_t node, struct cc_stmt *block)
{
    add(im, node, block, cc_stmt(im->p, CC_S_EMPTY));
}

/* How each kind is added; what is not here is an expression. NONE stands behind a label at the end
 * of a block. */
static void (*const adds[PARSED_N_KINDS])(struct importer *im, uint32_t node,
                                          struct cc_stmt *block) = {
    [PARSED_NONE] = add_nothing,
    [PARSED_EMPTY] = add_nothing,
    [PARSED_BLOCK] = add_block,
    [PARSED_DECLS] = add_declarations,
    [PARSED_VAR] = add_declaration,
    [PARSED_FUNCTION] = add_declaration,
    [PARSED_TYPEDEF] = add_declaration,
    [PARSED_RECORD] = add_declaration,
    [PARSED_ENUM] = add_declaration,
    [PARSED_OTHER_DECL] = add_declaration,
    [PARSED_IF] = add_if,
    [PARSED_FOR] = add_for,
    [PARSED_WHILE] = add_while,
    [PARSED_DO] = add_while,
    [PARSED_SWITCH] = add_switch,
    [PARSED_BREAK] = add_jump,
    [PARSED_CONTINUE] = add_jump,
    [PARSED_GOTO] = add_goto,
    [PARSED_COMPUTED_GOTO] = add_computed_goto,
    [PARSED_RETURN] = add_return,
    [PARSED_ASM] = add_asm};

static void add_unlabelled(struct importer *im, uint32_t node, struct cc_stmt *block)
{
    enum parsed_kind kind = import_kind(im, node);
    if (kind == PARSED_OTHER_STMT)
        import_fail(im, node, "this statement");
    if (adds[kind])
        adds[kind](im, node, block);
    else
        add(im, node, block, cc_expr_stmt(im->p, import_expr(im, node)));
}

static void add_or_trap(struct importer *im, uint32_t node, struct cc_stmt *block)
{
    struct recovery r;
    size_t before = block->list.n;
    import_begin(im, &r);
    if (!setjmp(r.here)) {
        add_unlabelled(im, node, block);
        import_end(im, &r);
        return;
    }
    import_recover(im, &r);
    block->list.n = before;
    add_trap(im, node, block);
}

static void add_stmt(struct importer *im, uint32_t node, struct cc_stmt *block)
{
    import_enter(im, node);
    node = add_labels(im, node, block);
    im->partly ? add_or_trap(im, node, block) : add_unlabelled(im, node, block);
    import_leave(im);
}

void import_body(struct importer *im, uint32_t node)
{
    im->around = (struct surroundings){.home = 0};
    im->func->body = import_block(im, node);
    check_gotos(im);
}
