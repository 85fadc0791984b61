/* Statements as text.
 *
 * A label is a statement of its own in the tree; in C it needs one behind it (6.8.1p1). Bodies of
 * control statements have braces around whatever they are.
 *
 * In whole programs they have none where C needs none: around one statement that is no declaration
 * and no label, unless an `else` would join another `if` then (6.8.4.1p3). A block that only has
 * declarations and a `for` behind them is a `for` that declares, as it was imported from. */
#include "cc/print_internal.h"

#include "base/error.h"
#include "cc/build.h"
#include "cc/builtin.h"

static bool is_label(const struct cc_stmt *s)
{
    return s->kind == CC_S_LABEL || s->kind == CC_S_CASE || s->kind == CC_S_DEFAULT;
}

/* -- lists ------------------------------------------------------------------------------------ */

static void note_line(struct printer *p, struct cc_stmt *s)
{
    if (!p->set_lines)
        return;
    s->line = p->line;
    vec_push(&p->printed, s);
}

/* Null statements and comments say nothing in a whole program. */
static bool is_shown(const struct printer *p, const struct cc_stmt *s)
{
    return !p->whole || (s->kind != CC_S_COMMENT && s->kind != CC_S_EMPTY);
}

/* Is it a block that prints as a `for` with declarations? Then that one. */
static struct cc_stmt *declaring_for(const struct printer *p, const struct cc_stmt *s)
{
    if (!p->whole || s->kind != CC_S_BLOCK || s->list.n < 2)
        return NULL;
    struct cc_stmt *loop = s->list.at[s->list.n - 1];
    if (loop->kind != CC_S_FOR || loop->init)
        return NULL;
    for (size_t i = 0; i + 1 < s->list.n; i++)
        if (s->list.at[i]->kind != CC_S_DECL || s->list.at[i]->var->storage != CC_AUTO ||
            (i && !print_joins(p, s->list.at[0]->var, s->list.at[i]->var)))
            return NULL;
    return loop;
}

/* A block that declares nothing: what it has may stand where it stands. */
static bool is_needless(const struct printer *p, const struct cc_stmt *s)
{
    if (!p->whole || s->kind != CC_S_BLOCK)
        return false;
    for (size_t i = 0; i < s->list.n; i++)
        if (s->list.at[i]->kind == CC_S_DECL)
            return false;
    return true;
}

static bool is_empty(const struct cc_stmt *s)
{
    if (!s || s->kind == CC_S_EMPTY)
        return true;
    if (s->kind != CC_S_BLOCK)
        return false;
    for (size_t i = 0; i < s->list.n; i++)
        if (s->list.at[i]->kind != CC_S_COMMENT && !is_empty(s->list.at[i]))
            return false;
    return true;
}

/* Does the label need a null statement: is there nothing to label behind it (6.8.1p1)? */
static bool label_is_bare(const struct printer *p, const struct cc_stmt *block, size_t at)
{
    for (size_t i = at + 1; i < block->list.n; i++) {
        const struct cc_stmt *next = block->list.at[i];
        if (next->kind == CC_S_COMMENT || !is_shown(p, next) ||
            (is_needless(p, next) && is_empty(next)))
            continue;
        return next->kind == CC_S_DECL;
    }
    return true;
}

void put_list_of(struct printer *p, struct cc_stmt *block, size_t from, size_t to, int depth)
{
    for (size_t i = from; i < to; i++) {
        struct cc_stmt *s = block->list.at[i];
        if (!is_shown(p, s))
            continue;
        if (is_needless(p, s)) {
            note_line(p, s);
            put_list_of(p, s, 0, s->list.n, depth);
            continue;
        }
        put_stmt(p, s, is_label(s) && depth ? depth - 1 : depth);
        if (is_label(s) && label_is_bare(p, block, i))
            p->whole ? PUT(p, ";") : PUT(p, " ;");
        put_newline(p);
    }
}

/* Braces around whatever the body is; what follows `}` stands on the same line. */
static void put_body(struct printer *p, struct cc_stmt *s, int depth)
{
    put_char(p, '{');
    if (s && s->kind == CC_S_BLOCK)
        note_line(p, s);
    put_newline(p);
    if (s && s->kind == CC_S_BLOCK) {
        put_list_of(p, s, 0, s->list.n, depth + 1);
    } else if (s) {
        put_stmt(p, s, depth + 1);
        if (is_label(s))
            PUT(p, " ;");
        put_newline(p);
    }
    put_indent(p, depth);
    put_char(p, '}');
}

/* -- bodies of whole programs ------------------------------------------------------------------ */

/* The statement that stands for a body where no braces are needed; NULL: there is no such one. */
static struct cc_stmt *only_statement(const struct printer *p, struct cc_stmt *s)
{
    while (s && s->kind == CC_S_BLOCK && !declaring_for(p, s)) {
        struct cc_stmt *only = NULL;
        for (size_t i = 0; i < s->list.n; i++) {
            struct cc_stmt *next = s->list.at[i];
            if (next->kind == CC_S_COMMENT)
                continue;
            if (only || is_label(next) || next->kind == CC_S_DECL)
                return NULL;
            only = next;
        }
        s = only;
    }
    return !s || is_label(s) || s->kind == CC_S_DECL ? NULL : s;
}

/* Would an `else` behind the text of this statement belong to it? */
static bool ends_in_if(const struct printer *p, struct cc_stmt *s)
{
    while (s) {
        switch (s->kind) {
        case CC_S_IF:
            if (!s->b || is_empty(s->b))
                return true;
            s = only_statement(p, s->b);
            break;
        case CC_S_FOR:
        case CC_S_WHILE:
            s = is_empty(s->a) ? NULL : only_statement(p, s->a);
            break;
        case CC_S_BLOCK:
            s = declaring_for(p, s);
            break;
        default:
            return false;
        }
    }
    return false;
}

/* A body as short as it can be. Returns whether it ended in `}`, so that the line goes on. */
static bool put_short_body(struct printer *p, struct cc_stmt *s, int depth, bool else_follows)
{
    if (s && s->kind == CC_S_BLOCK)
        note_line(p, s);
    if (is_empty(s)) {
        PUT(p, " {}");
        return true;
    }
    struct cc_stmt *only = p->braces ? NULL : only_statement(p, s);
    if (only && !(else_follows && ends_in_if(p, only))) {
        put_newline(p);
        put_stmt(p, only, depth + 1);
        return false;
    }
    put_char(p, ' ');
    put_body(p, s, depth);
    return true;
}

/* -- control ---------------------------------------------------------------------------------- */

/* The body of a loop. */
static void put_loop_body(struct printer *p, struct cc_stmt *s, int depth)
{
    if (p->whole) {
        put_short_body(p, s, depth, false);
        return;
    }
    put_char(p, ' ');
    put_body(p, s, depth);
}

/* A controlling expression; gcc takes a bare assignment there for a mistyped ==. */
static void put_condition(struct printer *p, const struct cc_expr *e)
{
    const struct cc_expr *shown = print_visible(p, e);
    bool is_assignment = shown->kind == CC_E_ASSIGN || shown->kind == CC_E_INCDEC;
    put_char(p, '(');
    put_expr(p, e, is_assignment && !p->whole ? P_ASSIGN + 1 : P_COMMA);
    put_char(p, ')');
}

static void put_short_if(struct printer *p, struct cc_stmt *s, int depth)
{
    for (;;) {
        bool has_else = s->b && !is_empty(s->b);
        PUT(p, "if ");
        put_condition(p, s->expr);
        bool braces = put_short_body(p, s->a, depth, has_else);
        if (!has_else)
            return;
        if (braces) {
            put_char(p, ' ');
        } else {
            put_newline(p);
            put_indent(p, depth);
        }
        PUT(p, "else");
        struct cc_stmt *only = only_statement(p, s->b);
        if (!only || only->kind != CC_S_IF) {
            put_short_body(p, s->b, depth, false);
            return;
        }
        put_char(p, ' ');
        s = only;
        note_line(p, s);
    }
}

static void put_if(struct printer *p, struct cc_stmt *s, int depth)
{
    if (p->whole) {
        put_short_if(p, s, depth);
        return;
    }
    for (;;) {
        PUT(p, "if ");
        put_condition(p, s->expr);
        put_char(p, ' ');
        put_body(p, s->a, depth);
        if (!s->b)
            return;
        PUT(p, " else ");
        if (s->b->kind != CC_S_IF) {
            put_body(p, s->b, depth);
            return;
        }
        s = s->b;
        note_line(p, s);
    }
}

/* `block`: that of the declarations, or NULL. */
static void put_for_of(struct printer *p, struct cc_stmt *s, const struct cc_stmt *block, int depth)
{
    PUT(p, "for (");
    for (size_t i = 0; block && i + 1 < block->list.n; i++) {
        if (i)
            PUT(p, ", ");
        put_variable_part(p, block->list.at[i]->var, i > 0);
        note_line(p, block->list.at[i]);
    }
    if (s->init)
        put_expr(p, s->init, P_COMMA);
    put_char(p, ';');
    if (s->expr) {
        const struct cc_expr *shown = print_visible(p, s->expr);
        put_char(p, ' ');
        put_expr(p, s->expr, shown->kind == CC_E_ASSIGN && !p->whole ? P_ASSIGN + 1 : P_COMMA);
    }
    put_char(p, ';');
    if (s->step) {
        put_char(p, ' ');
        put_expr(p, s->step, P_COMMA);
    }
    put_char(p, ')');
    put_loop_body(p, s->a, depth);
}

static void put_for(struct printer *p, struct cc_stmt *s, int depth)
{
    put_for_of(p, s, NULL, depth);
}

static void put_while(struct printer *p, struct cc_stmt *s, int depth)
{
    PUT(p, "while ");
    put_condition(p, s->expr);
    put_loop_body(p, s->a, depth);
}

static void put_do(struct printer *p, struct cc_stmt *s, int depth)
{
    if (p->whole) {
        PUT(p, "do");
        if (put_short_body(p, s->a, depth, false)) {
            put_char(p, ' ');
        } else {
            put_newline(p);
            put_indent(p, depth);
        }
        PUT(p, "while ");
    } else {
        PUT(p, "do ");
        put_body(p, s->a, depth);
        PUT(p, " while ");
    }
    put_condition(p, s->expr);
    put_char(p, ';');
}

static void put_switch(struct printer *p, struct cc_stmt *s, int depth)
{
    const struct cc_type *outer = p->switch_type;
    PUT(p, "switch ");
    put_condition(p, s->expr);
    put_char(p, ' ');
    p->switch_type = s->expr->type->plain;
    put_body(p, s->a, depth);
    p->switch_type = outer;
}

/* Its value is converted to the promoted type of the switch (6.8.4.2p5). */
static void put_case_value(struct printer *p, cc_wide value)
{
    const struct cc_type *type = p->switch_type;
    if (!type || (p->whole && value > INT32_MIN && value <= INT32_MAX)) /* or a message */
        type = cc_basic(&p->program->types, value == (int32_t)value ? CC_INT : CC_LLONG);
    if (type->kind == CC_ENUM || type->bits < 32) /* promoted */
        type = cc_promoted(&p->program->types, type, -1);
    put_int(p, type, value, CC_DECIMAL);
}

static void put_case(struct printer *p, const struct cc_stmt *s)
{
    PUT(p, "case ");
    put_case_value(p, s->value);
    if (s->high != s->value) { /* GNU's ranges; spaces, since 1...5 is one token */
        PUT(p, " ... ");
        put_case_value(p, s->high);
    }
    put_char(p, ':');
}

/* -- all -------------------------------------------------------------------------------------- */

static void put_block(struct printer *p, struct cc_stmt *s, int depth)
{
    struct cc_stmt *loop = declaring_for(p, s);
    if (loop) {
        note_line(p, loop);
        put_for_of(p, loop, s, depth);
        return;
    }
    put_char(p, '{');
    put_newline(p);
    put_list_of(p, s, 0, s->list.n, depth + 1);
    put_indent(p, depth);
    put_char(p, '}');
}

static void put_expression(struct printer *p, struct cc_stmt *s, int depth)
{
    if (s->expr->kind == CC_E_BUILTIN && s->expr->field == CC_BUILTIN_CHECKSUM) {
        put_checksum(p, s->expr, depth);
    } else {
        put_expr(p, s->expr, P_COMMA);
        put_char(p, ';');
    }
}

static void put_text(struct printer *p, struct cc_stmt *s, int depth)
{
    static void (*const in_lines[CC_N_STMT])(struct printer * p, struct cc_stmt * s, int depth) = {
        [CC_S_BLOCK] = put_block,    [CC_S_IF] = put_if, [CC_S_FOR] = put_for,
        [CC_S_WHILE] = put_while,    [CC_S_DO] = put_do, [CC_S_SWITCH] = put_switch,
        [CC_S_EXPR] = put_expression};
    static const char *const words[CC_N_STMT] = {[CC_S_DEFAULT] = "default:",
                                                 [CC_S_BREAK] = "break;",
                                                 [CC_S_CONTINUE] = "continue;",
                                                 [CC_S_EMPTY] = ";"};
    if (in_lines[s->kind]) {
        in_lines[s->kind](p, s, depth);
        return;
    }
    if (words[s->kind]) {
        put_str(p, words[s->kind]);
        return;
    }
    switch ((enum cc_stmt_kind)s->kind) {
    case CC_S_DECL:
        put_variable(p, s->var, s->var->storage == CC_STATIC);
        return;
    case CC_S_CASE:
        put_case(p, s);
        return;
    case CC_S_GOTO:
        PUT(p, "goto ");
        if (s->expr) {
            put_char(p, '*');
            put_expr(p, s->expr, P_UNARY);
        } else {
            put_str(p, print_label_name(p, s->target));
        }
        put_char(p, ';');
        return;
    case CC_S_LABEL:
        put_str(p, print_label_name(p, s));
        put_char(p, ':');
        return;
    case CC_S_RETURN:
        PUT(p, "return");
        if (s->expr) {
            put_char(p, ' ');
            put_stored(p, s->expr, P_COMMA);
        }
        put_char(p, ';');
        return;
    case CC_S_COMMENT:
        put_comment(p, s->name ? s->name : "");
        return;
    default:
        BUG("statement of kind %d", s->kind);
    }
}

void put_stmt(struct printer *p, struct cc_stmt *s, int depth)
{
    int outer = p->depth;
    p->depth = depth;
    put_indent(p, depth);
    note_line(p, s);
    put_text(p, s, depth);
    p->depth = outer;
}

void put_function_body(struct printer *p, const struct cc_func *f)
{
    p->func = f;
    if (p->whole && is_empty(f->body)) {
        note_line(p, f->body);
        PUT(p, "{}");
    } else {
        put_body(p, f->body, 0);
    }
    p->func = NULL;
}

/* Its value is that of the last statement: it has none behind a block, whatever is in it. */
void put_statement_expression(struct printer *p, struct cc_stmt *block)
{
    int depth = p->depth;
    size_t n = block->list.n;
    bool keeps = n && is_needless(p, block->list.at[n - 1]);
    PUT(p, "({");
    note_line(p, block);
    put_newline(p);
    put_list_of(p, block, 0, n - keeps, depth + 1);
    if (keeps) {
        put_stmt(p, block->list.at[n - 1], depth + 1);
        put_newline(p);
    }
    put_indent(p, depth);
    PUT(p, "})");
}
