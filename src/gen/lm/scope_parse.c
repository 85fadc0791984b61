/* Statements and the stack of frames, for the mask. Declarations are in scope_decls.c, expressions
 * in scope_exprs.c. */
#include "gen/lm/scope_internal.h"

#include <string.h>

struct lm_frame *lm_top(struct lm_parser *p)
{
    return &p->frames[p->n_frames - 1];
}

/* A program nested this deep is no program: the parser gives up on it. */
struct lm_frame *lm_push(struct lm_parser *p, enum lm_frame_kind kind)
{
    if (p->n_frames == LM_MOST_FRAMES)
        p->lost = true;
    else
        p->n_frames++;
    struct lm_frame *f = lm_top(p);
    *f = (struct lm_frame){.kind = (uint8_t)kind, .record = -1, .name = -1, .entry = -1};
    f->type = f->whole = f->target = f->cast = unknown;
    return f;
}

void lm_pop(struct lm_parser *p)
{
    p->n_frames--;
}

void lm_parser_init(struct lm_parser *p, const struct lm_words *words)
{
    p->words = words;
    p->lost = p->kernel = false;
    p->boundary = true;
    p->current = -1;
    p->loops = p->switches = p->n_open = p->n_frames = 0;
    p->symbols = (struct lm_symbols){0};
    lm_push(p, LM_F_FILE);
}

/* -- statements -------------------------------------------------------------------------------- */

static void hide(struct lm_parser *p, int entry)
{
    for (int i = entry; entry >= 0 && i < p->symbols.n_variables; i++)
        p->symbols.hidden[i] = true;
}

bool lm_parser_may_else(const struct lm_parser *p)
{
    const struct lm_frame *f = &p->frames[p->n_frames - 1];
    return f->kind == LM_F_IF && f->at == 1;
}

/* A statement is over: so are those that it is the body of. */
void lm_statement_ended(struct lm_parser *p)
{
    p->boundary = true;
    for (;;) {
        struct lm_frame *f = lm_top(p);
        switch (f->kind) {
        case LM_F_IF:
            f->at = 1;
            return;
        case LM_F_DO:
            f->at = 1;
            p->loops--;
            return;
        case LM_F_LOOP:
            p->loops--;
            hide(p, f->entry);
            lm_pop(p);
            break;
        case LM_F_SWITCH:
            p->switches--;
            lm_pop(p);
            break;
        case LM_F_ELSE:
        case LM_F_LABELLED:
            lm_pop(p);
            break;
        default:
            return;
        }
    }
}

void lm_parser_settle(struct lm_parser *p)
{
    bool boundary = p->boundary;
    while (!p->lost && lm_parser_may_else(p)) {
        lm_pop(p);
        lm_statement_ended(p);
    }
    p->boundary = boundary;
}

static bool is_statement_place(const struct lm_frame *f)
{
    return f->kind == LM_F_BLOCK || f->kind == LM_F_ELSE || f->kind == LM_F_LOOP ||
           f->kind == LM_F_SWITCH || f->kind == LM_F_LABELLED ||
           ((f->kind == LM_F_IF || f->kind == LM_F_DO) && f->at == 0);
}

static bool labels_are_defined(const struct lm_parser *p)
{
    for (int i = 0; i < p->symbols.n_labels; i++)
        if (p->symbols.labels[i] == LM_LABEL_USED)
            return false;
    return true;
}

static bool is_body(const struct lm_parser *p)
{
    return p->n_frames == 2; /* the file, and its block */
}

static struct lm_frame statement_expression(void)
{
    struct lm_frame f = {.kind = LM_F_EXPR, .context = LM_X_STATEMENT, .at = LM_E_OPERAND};
    f.type = f.whole = f.target = f.cast = unknown;
    f.arity = f.function = -1;
    return f;
}

static bool decide_label(const struct lm_parser *p, int label)
{
    return label >= 0 && label < LM_MOST_LABELS &&
           (label == p->symbols.n_labels ||
            (label < p->symbols.n_labels && !(p->symbols.labels[label] & LM_LABEL_DEFINED)));
}

static bool decide_statement(const struct lm_parser *p, const struct lm_frame *f,
                             const struct lm_scope_lexeme *x)
{
    const struct lm_frame expression = statement_expression();
    if (x->kind == LM_SCOPE_OP) {
        if (x->op == '}')
            return f->kind == LM_F_BLOCK && (!is_body(p) || labels_are_defined(p));
        if (x->op == '{' || x->op == ';')
            return true;
        return lm_decide_expr(p, &expression, x);
    }
    if (x->kind != LM_SCOPE_WORD)
        return false;
    switch (x->word.class) {
    case LM_W_IF:
    case LM_W_FOR:
    case LM_W_WHILE:
    case LM_W_DO:
    case LM_W_SWITCH:
    case LM_W_RETURN:
    case LM_W_GOTO:
        return true;
    case LM_W_ASM:
        return !p->words->opencl;
    case LM_W_BREAK:
        return p->loops || p->switches;
    case LM_W_CONTINUE:
        return p->loops > 0;
    case LM_W_CASE:
    case LM_W_DEFAULT:
        return p->switches > 0;
    case LM_W_KERNEL:
    case LM_W_ATTRIBUTE:
    case LM_W_ELSE:
        return false;
    default:
        break;
    }
    if (lm_begins_type(p, x))
        return f->kind == LM_F_BLOCK;
    if (x->number[LM_NAME_LABEL] >= 0)
        return f->kind == LM_F_BLOCK && decide_label(p, x->number[LM_NAME_LABEL]);
    return lm_decide_expr(p, &expression, x);
}

static void perform_statement_op(struct lm_parser *p, const struct lm_scope_lexeme *x)
{
    if (x->op == '{') {
        lm_push(p, LM_F_BLOCK)->entry = (int16_t)p->symbols.n_variables;
        p->boundary = true;
    } else if (x->op == ';') {
        lm_statement_ended(p);
    } else if (x->op == '}') {
        bool body = is_body(p);
        hide(p, lm_top(p)->entry);
        lm_pop(p);
        lm_statement_ended(p);
        if (body)
            p->current = -1;
    } else {
        lm_push_expr(p, LM_X_STATEMENT, unknown);
        lm_perform_expr(p, x);
    }
}

static void head(struct lm_parser *p, enum lm_frame_kind body)
{
    lm_push(p, LM_F_HEAD)->context = (uint8_t)body;
}

static void word(struct lm_parser *p, int class)
{
    lm_push(p, LM_F_WORD)->context = (uint8_t) class;
}

static void define_label(struct lm_parser *p, int label)
{
    struct lm_symbols *s = &p->symbols;
    s->labels[label] = LM_LABEL_USED | LM_LABEL_DEFINED;
    if (label == s->n_labels)
        s->n_labels++;
    word(p, LM_W_DEFAULT);
}

static void perform_statement_word(struct lm_parser *p, const struct lm_scope_lexeme *x)
{
    struct lm_type result = p->current >= 0 ? p->symbols.functions[p->current].result : unknown;
    switch (x->word.class) {
    case LM_W_IF:
        head(p, LM_F_IF);
        break;
    case LM_W_FOR:
    case LM_W_WHILE:
        head(p, LM_F_LOOP);
        lm_top(p)->at = x->word.class == LM_W_FOR;
        break;
    case LM_W_SWITCH:
        head(p, LM_F_SWITCH);
        break;
    case LM_W_DO:
        lm_push(p, LM_F_DO);
        p->loops++;
        break;
    case LM_W_RETURN:
        lm_push_expr(p, LM_X_RETURN, result);
        break;
    case LM_W_CASE:
        lm_push_expr(p, LM_X_CASE, unknown);
        break;
    case LM_W_GOTO:
    case LM_W_BREAK:
    case LM_W_CONTINUE:
    case LM_W_DEFAULT:
        word(p, x->word.class);
        break;
    case LM_W_ASM:
        word(p, LM_W_BREAK);
        lm_push(p, LM_F_FREE);
        break;
    default:
        if (lm_begins_type(p, x)) {
            lm_push(p, LM_F_DECL)->context = LM_C_LOCAL;
            lm_perform(p, x);
        } else if (x->number[LM_NAME_LABEL] >= 0) {
            define_label(p, x->number[LM_NAME_LABEL]);
        } else {
            lm_push_expr(p, LM_X_STATEMENT, unknown);
            lm_perform_expr(p, x);
        }
    }
}

/* -- what is between statements and expressions ------------------------------------------------ */

static bool decide_word(const struct lm_parser *p, const struct lm_frame *f,
                        const struct lm_scope_lexeme *x)
{
    if (f->context == LM_W_GOTO && f->at == 0)
        return x->kind == LM_SCOPE_WORD && x->number[LM_NAME_LABEL] >= 0 &&
               x->number[LM_NAME_LABEL] <= p->symbols.n_labels &&
               x->number[LM_NAME_LABEL] < LM_MOST_LABELS;
    return x->kind == LM_SCOPE_OP && x->op == (f->context == LM_W_DEFAULT ? ':' : ';');
}

static void perform_word(struct lm_parser *p, const struct lm_scope_lexeme *x)
{
    struct lm_frame *f = lm_top(p);
    if (f->context == LM_W_GOTO && f->at == 0) {
        int label = x->number[LM_NAME_LABEL];
        p->symbols.labels[label] |= LM_LABEL_USED;
        if (label == p->symbols.n_labels)
            p->symbols.n_labels++;
        f->at = 1;
        return;
    }
    bool labels = f->context == LM_W_DEFAULT;
    lm_pop(p);
    if (labels)
        lm_push(p, LM_F_LABELLED);
    else
        lm_statement_ended(p);
}

static bool decide_free(const struct lm_parser *p, const struct lm_frame *f,
                        const struct lm_scope_lexeme *x)
{
    if (f->op == 0)
        return lm_is_op(x, '(');
    if (x->kind != LM_SCOPE_OP)
        return true;
    char open = p->n_open ? p->open[p->n_open - 1] : 0;
    if (x->op == ')' || x->op == ']' || x->op == '}')
        return open == (x->op == ')' ? '(' : x->op == ']' ? '[' : '{');
    return x->op < 256 && strchr("([,*&.+-:=", x->op) != NULL;
}

static void perform_free(struct lm_parser *p, const struct lm_scope_lexeme *x)
{
    struct lm_frame *f = lm_top(p);
    if (x->kind == LM_SCOPE_OP && (x->op == '(' || x->op == '['))
        f->op++;
    else if (x->kind == LM_SCOPE_OP && (x->op == ')' || x->op == ']'))
        f->op--;
    if (!f->op)
        lm_pop(p);
}

static bool decide_for(const struct lm_parser *p, const struct lm_scope_lexeme *x)
{
    struct lm_frame expression = statement_expression();
    expression.context = LM_X_FOR_INIT;
    if (x->kind == LM_SCOPE_WORD && lm_begins_type(p, x))
        return x->word.class != LM_W_TYPEDEF && x->word.class != LM_W_STORAGE &&
               x->word.class != LM_W_LOCAL && x->word.class != LM_W_GLOBAL;
    return lm_decide_expr(p, &expression, x);
}

static void perform_for(struct lm_parser *p, const struct lm_scope_lexeme *x)
{
    if (x->kind == LM_SCOPE_WORD && lm_begins_type(p, x))
        lm_push(p, LM_F_DECL)->context = LM_C_FOR;
    else
        lm_push_expr(p, LM_X_FOR_INIT, unknown);
    lm_perform(p, x);
}

static bool decide_do(const struct lm_frame *f, const struct lm_scope_lexeme *x)
{
    switch (f->at) {
    case 1:
        return lm_is_word(x, LM_W_WHILE);
    case 2:
        return lm_is_op(x, '(');
    default:
        return lm_is_op(x, ';');
    }
}

static void perform_do(struct lm_parser *p)
{
    struct lm_frame *f = lm_top(p);
    if (f->at == 4) {
        lm_pop(p);
        lm_statement_ended(p);
        return;
    }
    if (f->at++ == 2)
        lm_push_expr(p, LM_X_DO, unknown);
}

static void perform_head(struct lm_parser *p)
{
    struct lm_frame *f = lm_top(p);
    if (f->context == LM_F_LOOP && f->at == 1) {
        f->kind = LM_F_FOR;
        f->at = 0;
        f->entry = (int16_t)p->symbols.n_variables;
        return;
    }
    lm_push_expr(p, f->context == LM_F_SWITCH ? LM_X_SWITCH : LM_X_CONDITION, unknown);
}

/* -- ends of expressions ----------------------------------------------------------------------- */

static void body_begins(struct lm_parser *p, enum lm_frame_kind kind)
{
    struct lm_frame *f = lm_top(p);
    f->kind = (uint8_t)kind;
    f->at = 0;
    p->loops += kind == LM_F_LOOP;
    p->switches += kind == LM_F_SWITCH;
}

void lm_list_ended(struct lm_parser *p)
{
    struct lm_frame gone = *lm_top(p), *f;
    lm_pop(p);
    f = lm_top(p);
    if (f->kind == LM_F_LIST) {
        f->at = 1; /* behind an element */
    } else if (f->kind == LM_F_EXPR) {
        gone.type = f->cast;
        if (f->n_prefixes)
            f->n_prefixes--;
        gone.context = LM_X_PAREN;
        lm_part_ended(p, &gone);
    } else {
        f->at = LM_D_INITIALISED;
    }
}

void lm_expr_ended(struct lm_parser *p, const struct lm_frame *expr, int op)
{
    switch (expr->context) {
    case LM_X_STATEMENT:
    case LM_X_RETURN:
        lm_statement_ended(p);
        break;
    case LM_X_CASE:
        lm_push(p, LM_F_LABELLED);
        break;
    case LM_X_PAREN:
    case LM_X_VECTOR:
    case LM_X_CALL:
    case LM_X_INDEX:
        lm_part_ended(p, expr);
        break;
    case LM_X_CONDITION:
    case LM_X_SWITCH:
        body_begins(p, (enum lm_frame_kind)lm_top(p)->context);
        break;
    case LM_X_DO:
        lm_top(p)->at = 4;
        break;
    case LM_X_FOR_INIT:
    case LM_X_FOR_CONDITION: /* the next part is the next of the enum */
        lm_push_expr(p, (enum lm_expr_context)(expr->context + 1), unknown);
        break;
    case LM_X_FOR_STEP:
        body_begins(p, LM_F_LOOP);
        break;
    case LM_X_LIST:
        if (op == ',')
            lm_push_expr(p, LM_X_LIST, unknown);
        else
            lm_list_ended(p);
        break;
    default:
        lm_decl_expr_ended(p, expr, op);
    }
}

/* -- the two steps ----------------------------------------------------------------------------- */

static void follow_brackets(struct lm_parser *p, const struct lm_scope_lexeme *x)
{
    if (x->kind != LM_SCOPE_OP)
        return;
    if (x->op == '(' || x->op == '[' || x->op == '{') {
        if (p->n_open < LM_MOST_FRAMES)
            p->open[p->n_open++] = (char)x->op;
        else
            p->lost = true;
    } else if ((x->op == ')' || x->op == ']' || x->op == '}') && p->n_open) {
        p->n_open--;
    }
}

/* Lost: until the file's level is reached again. */
static void recover(struct lm_parser *p, const struct lm_scope_lexeme *x)
{
    if (x->kind != LM_SCOPE_OP || p->n_open || (x->op != '}' && x->op != ';'))
        return;
    p->lost = false;
    p->boundary = true;
    p->current = -1;
    p->loops = p->switches = 0;
    p->n_frames = 0;
    lm_push(p, LM_F_FILE);
}

static bool decide_lost(const struct lm_parser *p, const struct lm_scope_lexeme *x)
{
    char open = p->n_open ? p->open[p->n_open - 1] : 0;
    if (x->kind != LM_SCOPE_OP)
        return true;
    return x->op == ')'   ? open == '('
           : x->op == ']' ? open == '['
           : x->op == '}' ? open == '{'
                          : true;
}

bool lm_decide(const struct lm_parser *p, const struct lm_scope_lexeme *x)
{
    const struct lm_frame *f = &p->frames[p->n_frames - 1];
    if (p->lost)
        return decide_lost(p, x);
    switch (f->kind) {
    case LM_F_EXPR:
        return lm_decide_expr(p, f, x);
    case LM_F_FREE:
        return decide_free(p, f, x);
    case LM_F_WORD:
        return decide_word(p, f, x);
    case LM_F_HEAD:
        return lm_is_op(x, '(');
    case LM_F_FOR:
        return decide_for(p, x);
    case LM_F_LIST:
        return x->kind == LM_SCOPE_OP && (x->op == ',' || x->op == '}');
    case LM_F_DO:
        if (f->at)
            return decide_do(f, x);
        break;
    case LM_F_IF:
        if (f->at)
            return lm_is_word(x, LM_W_ELSE);
        break;
    default:
        break;
    }
    return is_statement_place(f) ? decide_statement(p, f, x) : lm_decide_decl(p, f, x);
}

/* Called for the lexeme of the text; frames call it again for one that begins what is in them. */
void lm_perform(struct lm_parser *p, const struct lm_scope_lexeme *x)
{
    struct lm_frame *f = lm_top(p);
    switch (f->kind) {
    case LM_F_EXPR:
        lm_perform_expr(p, x);
        return;
    case LM_F_FREE:
        perform_free(p, x);
        return;
    case LM_F_WORD:
        perform_word(p, x);
        return;
    case LM_F_HEAD:
        perform_head(p);
        return;
    case LM_F_FOR:
        perform_for(p, x);
        return;
    case LM_F_LIST:
        f->at = 0;
        if (x->op == ',')
            lm_push_expr(p, LM_X_LIST, unknown);
        else
            lm_list_ended(p);
        return;
    case LM_F_DO:
        if (!f->at)
            break;
        perform_do(p);
        return;
    case LM_F_IF:
        if (!f->at)
            break;
        f->kind = LM_F_ELSE;
        f->at = 0;
        return;
    default:
        break;
    }
    if (!is_statement_place(f))
        lm_perform_decl(p, x);
    else if (x->kind == LM_SCOPE_OP)
        perform_statement_op(p, x);
    else
        perform_statement_word(p, x);
}

void lm_parser_take(struct lm_parser *p, const struct lm_scope_lexeme *x)
{
    bool is_else = lm_is_word(x, LM_W_ELSE);
    if (!is_else)
        lm_parser_settle(p);
    p->boundary = false;
    if (!p->lost && !lm_decide(p, x))
        p->lost = true;
    if (!p->lost)
        lm_perform(p, x);
    follow_brackets(p, x);
    if (p->lost)
        recover(p, x);
}
