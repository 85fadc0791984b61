/* What a program makes a compiler do.
 *
 * A reduced program that shows a fault has little left but what the fault needs: an operator with
 * operands of certain types, a conversion, a kind of statement, an access. Names, values and the
 * shape around it are accident. So the program is read by a small tolerant parser of C that knows
 * the types of its variables, and each thing done is noted at several depths: "shift", "shift of a
 * narrow unsigned", ">>". Two reductions of one fault then agree at some depth even where one has
 * `<` and the other `>=`, or a char and a short.
 *
 * For other languages the constructs are the words that are no names, and pairs of neighbours. */
#include "triage/reading.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct value expression(struct reading *r);
static struct value unary(struct reading *r);

/* -- expressions ------------------------------------------------------------------------------- */

static struct value of_type(enum base base)
{
    return (struct value){.type = plain(base)};
}

void read_initialiser(struct reading *r, const struct type *type)
{
    if (!here(r, "{")) {
        struct value v = read_assignment(r);
        note_conversion(r, &v, type);
        if (is_record(type))
            reading_note(r, TYPED, "copy of a record");
        return;
    }
    r->at++;
    int lists = 0;
    if (++r->nesting < NESTING_MOST)
        for (int before = -1; more(r, "}", &before); accept(r, ",")) {
            if (accept(r, ".")) {
                reading_note(r, COMMON, "designated initialiser");
                r->at++;
                accept(r, "=");
            } else if (accept(r, "[")) {
                reading_note(r, COMMON, "designated initialiser");
                expression(r);
                accept(r, "]");
                accept(r, "=");
            }
            struct type element = type->made[0] == 'a' ? inner(*type) : plain(B_UNKNOWN);
            lists += here(r, "{");
            read_initialiser(r, &element);
        }
    r->nesting--;
    accept(r, "}");
    if (lists)
        reading_note(r, NESTED, "list of %s", lists > 1 ? "several lists" : "one list");
}

/* An access to an object that is more than a variable. */
static void note_access(struct reading *r, const struct type *t)
{
    if (t->bits)
        reading_note(r, ACCESS, "access to a bit-field");
    if (t->in_union)
        reading_note(r, ACCESS, "access to a union");
    if (t->is_volatile && !t->made[0])
        reading_note(r, ACCESS, "access to a volatile");
}

/* An operation on the result of another one. */
static void note_nested(struct reading *r, const char *class, const struct value *operand)
{
    if (!operand->by)
        return;
    reading_note(r, NESTED, "%s of an operation", class);
    reading_note(r, NESTED, "%s of %s", class, operand->by);
}

static struct value made_by(struct value v, const char *by)
{
    v.by = by;
    return v;
}

static struct value call(struct reading *r, struct value f, const struct token *name)
{
    bool print = name && token_is(name, "printf");
    int n = 0;
    for (int before = -1; more(r, ")", &before); accept(r, ",")) {
        struct value v = read_assignment(r);
        if (!print)
            note_nested(r, "argument", &v);
        if (!print && is_record(&v.type))
            reading_note(r, TYPED, "record as argument");
        n++;
    }
    accept(r, ")");
    if (print)
        return of_type(B_S32);
    if (name && r->function && same_name(name, r->function))
        reading_note(r, CONTROL, "recursion");
    const struct symbol *s = name ? symbol_named(r, name) : NULL;
    if (name && !s)
        reading_note(r, CONTROL, "call of %.*s", name->n, name->s);
    else
        reading_note(r, COMMON, "call");
    if (!name || (s && s->type.made[0] == 'p'))
        reading_note(r, CONTROL, "call through a pointer");
    if (n > 6)
        reading_note(r, TYPED, "more than six arguments");
    struct type t = f.type.made[0] == 'p' ? inner(f.type) : f.type;
    return (struct value){.type = t.made[0] == 'f' ? inner(t) : plain(B_UNKNOWN), .by = "call"};
}

static struct value primary(struct reading *r, const struct token **name)
{
    const struct token *t = peek(r, 0);
    if (t->kind == TOKEN_NUMBER) {
        struct value v = {.constant = true, .number = number_of(t)};
        const struct number *n = &v.number;
        bool large = n->longs || n->value > (n->is_unsigned ? UINT32_MAX : INT32_MAX);
        v.type = plain(n->floating ? B_F64
                       : large     ? n->is_unsigned ? B_U64 : B_S64
                                   : (n->is_unsigned ? B_U32 : B_S32));
        r->at++;
        return v;
    }
    if (t->kind == TOKEN_TEXT) {
        r->at++;
        if (*t->s == '\'')
            return (struct value){.constant = true, .type = plain(B_S32), .number = {.value = 65}};
        return (struct value){.type = outer(plain(B_S8), 'a')};
    }
    if (accept(r, "(")) {
        if (here(r, "{")) { /* a statement expression */
            reading_note(r, CONTROL, "statement expression");
            read_statement(r);
            accept(r, ")");
            return of_type(B_UNKNOWN);
        }
        struct value v = expression(r);
        accept(r, ")");
        return v;
    }
    if (t->kind == TOKEN_NAME) {
        r->at++;
        *name = t;
        const struct symbol *s = symbol_named(r, t);
        struct value v = {.type = s ? s->type : plain(B_UNKNOWN)};
        if (s && !here(r, "["))
            note_access(r, &s->type);
        if (s && s->is_enumerator)
            reading_note(r, NESTED, "enumerator as a value");
        return v;
    }
    r->at += !here(r, ")") && !here(r, "]") && !here(r, "}") && !here(r, ";") && !here(r, ",");
    return of_type(B_UNKNOWN);
}

static void note_unary(struct reading *r, const char *class, const char *exact,
                       const struct value *v)
{
    enum base b = scalar(&v->type);
    bool dull = b == B_S32 && !strcmp(class, "increment");
    reading_note(r, dull ? COMMON : CLASS, "%s", class);
    reading_note(r, dull ? COMMON : TYPED, "%s of %s", class, base_group[b]);
    reading_note(r, dull ? DETAIL : EXACT, "%s", exact);
    if (v->where && !strcmp(class, "increment"))
        reading_note(r, ACCESS, "increment of %s", v->where);
    note_nested(r, exact, v);
}

static struct value element(struct reading *r, struct value v)
{
    struct value index = expression(r);
    accept(r, "]");
    reading_note(r, COMMON, "element");
    note_nested(r, "index", &index);
    if (!index.constant)
        reading_note(r, COMMON, "element by a variable");
    struct value out = {.type = inner(v.type), .where = "element"};
    if (out.type.made[0] == 'a')
        reading_note(r, COMMON, "element of an element");
    else
        note_access(r, &out.type);
    return out;
}

/* What changes an object does so wherever it stands; most often its value is not asked for. */
static void note_used(struct reading *r, const char *what, int begin)
{
    if (begin != r->idle)
        reading_note(r, NESTED, "%s as a value", what);
}

static struct value postfix(struct reading *r)
{
    const struct token *name = NULL;
    int begin = r->at;
    struct value v = primary(r, &name);
    for (;;) {
        if (accept(r, "[")) {
            v = element(r, v);
        } else if (accept(r, "(")) {
            v = call(r, v, name);
        } else if (here(r, ".") || here(r, "->")) {
            bool arrow = here(r, "->");
            r->at++;
            const struct symbol *m = symbol_find(r->members.at, r->members.n, peek(r, 0));
            r->at++;
            reading_note(r, COMMON, "member");
            if (arrow)
                reading_note(r, DETAIL, "->");
            v = (struct value){.type = m ? m->type : plain(B_UNKNOWN), .where = "member"};
            if (m)
                note_access(r, &m->type);
        } else if (here(r, "++") || here(r, "--")) {
            note_unary(r, "increment", "postfix", &v);
            note_used(r, "increment", begin);
            v.by = "increment";
            r->at++;
        } else {
            return v;
        }
        name = NULL;
    }
}

static struct value cast(struct reading *r)
{
    struct specifiers s = read_specifiers(r);
    const struct token *name = NULL;
    struct type type = read_declarator(r, s.type, &name);
    accept(r, ")");
    if (here(r, "{")) {
        reading_note(r, CONTROL, "compound literal");
        read_initialiser(r, &type);
        return (struct value){.type = type};
    }
    struct value v = unary(r);
    reading_note(r, DETAIL, "cast");
    note_nested(r, "cast", &v);
    note_conversion(r, &v, &type);
    v.type = type;
    return made_by(v, "cast");
}

/* The prefix operators. An operator that has another word for itself is noted by that. */
static struct value prefix(struct reading *r)
{
    const struct token *op = peek(r, 0);
    int begin = r->at++;
    struct value v = unary(r);
    switch (*op->s) {
    case '-':
    case '+':
        if (op->n == 2) {
            note_unary(r, "increment", "prefix", &v);
            note_used(r, "increment", begin);
            note_used(r, "prefix increment", begin);
            return made_by(v, "increment");
        }
        v.negative = *op->s == '-';
        if (v.constant)
            return v;
        /* fallthrough */
    case '~':
        note_unary(r, "negation", *op->s == '~' ? "complement" : "minus", &v);
        return made_by(of_type(promoted(scalar(&v.type))), "negation");
    case '!':
        note_unary(r, "logic", "not", &v);
        return made_by(of_type(B_S32), "not");
    case '*':
        reading_note(r, COMMON, "dereference");
        v.type = inner(v.type);
        v.where = "dereference";
        note_access(r, &v.type);
        return v;
    default:
        reading_note(r, DETAIL, "address");
        v.type = outer(v.type, 'p');
        v.constant = false;
        return v;
    }
}

static struct value unary(struct reading *r)
{
    if (too_deep(r))
        return of_type(B_UNKNOWN);
    struct value v;
    const struct token *t = peek(r, 0);
    if (token_is(t, "(") && type_begins(r, 1)) {
        r->at++;
        v = cast(r);
    } else if (token_is(t, "sizeof") || token_is(t, "_Alignof")) {
        r->at++;
        reading_note(r, COMMON, "sizeof");
        if (here(r, "(") && type_begins(r, 1)) {
            reading_note(r, NESTED, "sizeof %.*s", peek(r, 1)->n, peek(r, 1)->s);
            skip_brackets(r);
        } else {
            unary(r);
        }
        v = made_by(of_type(B_U64), "sizeof");
    } else if (t->kind == TOKEN_MARK && t->n == 1 && strchr("-+~!*&", *t->s)) {
        v = prefix(r);
    } else if (token_is(t, "++") || token_is(t, "--")) {
        v = prefix(r);
    } else {
        v = postfix(r);
    }
    r->nesting--;
    return v;
}

static const struct operator
{
    const char *text;
    int precedence;
    const char *class;
}
operators[] = {{"*", 10, "multiplication"},
               {"/", 10, "division"},
               {"%", 10, "remainder"},
               {"+", 9, "addition"},
               {"-", 9, "addition"},
               {"<<", 8, "shift left"},
               {">>", 8, "shift right"},
               {"<", 7, "comparison"},
               {">", 7, "comparison"},
               {"<=", 7, "comparison"},
               {">=", 7, "comparison"},
               {"==", 6, "equality"},
               {"!=", 6, "equality"},
               {"&", 5, "bits"},
               {"^", 4, "bits"},
               {"|", 3, "bits"},
               {"&&", 2, "logic"},
               {"||", 1, "logic"}};

static const struct operator* operator_here(const struct reading *r, bool assigns)
{
    const struct token *t = peek(r, 0);
    int n = t->n - assigns;
    if (t->kind != TOKEN_MARK || (assigns && (t->n < 2 || t->s[n] != '=')))
        return NULL;
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if ((int)strlen(operators[i].text) == n && !memcmp(operators[i].text, t->s, (size_t)n) &&
            !(assigns && operators[i].precedence < 8 && operators[i].precedence > 5))
            return &operators[i];
    return NULL;
}

static struct value note_binary(struct reading *r, const struct operator* op, const struct value *x,
                                const struct value *y)
{
    enum base a = scalar(&x->type), b = scalar(&y->type);
    bool shift = op->precedence == 8;
    enum base all = shift ? promoted(a) : common(a, b);
    bool truth = op->precedence <= 2 || op->precedence == 6 || op->precedence == 7;
    bool dull = all == B_S32 && (truth ? op->precedence > 2 : op->precedence == 9);
    reading_note(r, dull ? COMMON : CLASS, "%s", op->class);
    if (op->precedence > 2)
        reading_note(r, dull ? COMMON : TYPED, "%s in %s", op->class, base_group[all]);
    if (!x->constant && a != all && a != B_UNKNOWN)
        reading_note(r, TYPED, "%s of %s", op->class, base_group[a]);
    if (!y->constant && b != all && b != B_UNKNOWN && !shift)
        reading_note(r, TYPED, "%s of %s", op->class, base_group[b]);
    reading_note(r, EXACT, "%s", op->text);
    if (y->constant || x->constant)
        reading_note(r, DETAIL, "%s with a constant", op->class);
    struct value v = of_type(truth ? B_S32 : all);
    if (all == B_POINTER && !truth)
        v.type = x->type.made[0] ? x->type : y->type;
    if (all == B_POINTER && a == b && !truth)
        v.type = plain(B_S64);
    v.constant = x->constant && y->constant;
    note_nested(r, op->class, x);
    note_nested(r, op->class, y);
    return made_by(v, op->class);
}

static struct value binary(struct reading *r, int least)
{
    struct value x = unary(r);
    const struct operator* op;
    while ((op = operator_here(r, false)) && op->precedence >= least) {
        r->at++;
        struct value y = ++r->nesting < NESTING_MOST ? binary(r, op->precedence + 1) : unary(r);
        r->nesting--;
        x = note_binary(r, op, &x, &y);
    }
    return x;
}

static struct value conditional(struct reading *r)
{
    struct value c = binary(r, 1);
    if (!accept(r, "?"))
        return c;
    reading_note(r, CONTROL, "conditional");
    struct value x = expression(r);
    accept(r, ":");
    struct value y = ++r->nesting < NESTING_MOST ? conditional(r) : of_type(B_UNKNOWN);
    r->nesting--;
    enum base a = scalar(&x.type), b = scalar(&y.type);
    struct value v = of_type(common(a, b));
    reading_note(r, TYPED, "conditional in %s", base_group[v.type.base]);
    if (a != b)
        reading_note(r, TYPED, "conditional with different types");
    if (x.type.made[0] || x.type.base == B_RECORD)
        v.type = x.type;
    note_nested(r, "condition", &c);
    note_nested(r, "conditional", &x);
    note_nested(r, "conditional", &y);
    return made_by(v, "conditional");
}

struct value read_assignment(struct reading *r)
{
    if (too_deep(r))
        return of_type(B_UNKNOWN);
    int begin = r->at;
    struct value x = conditional(r);
    const struct operator* op = operator_here(r, true);
    if (op || here(r, "="))
        note_used(r, "assignment", begin);
    if (op) {
        r->at++;
        struct value y = read_assignment(r);
        reading_note(r, COMMON, "assignment by an operator");
        reading_note(r, ACCESS, "assignment to %s by %s", x.where ? x.where : "variable",
                     op->class);
        note_nested(r, "assignment by an operator", &y);
        struct value v = note_binary(r, op, &x, &y);
        note_conversion(r, &v, &x.type);
    } else if (accept(r, "=")) {
        struct value y = read_assignment(r);
        reading_note(r, DETAIL, "assignment");
        note_nested(r, "assignment", &y);
        if (is_record(&x.type))
            reading_note(r, TYPED, "copy of a record");
        note_conversion(r, &y, &x.type);
        x.constant = false;
    }
    r->nesting--;
    return x;
}

static struct value expression(struct reading *r)
{
    struct value v = read_assignment(r);
    while (accept(r, ",")) {
        reading_note(r, CONTROL, "comma");
        v = read_assignment(r);
    }
    return v;
}

/* For what it does. */
static void idle_expression(struct reading *r)
{
    r->idle = r->at;
    expression(r);
}

/* -- statements -------------------------------------------------------------------------------- */

static void block(struct reading *r)
{
    size_t scope = r->symbols.n;
    for (int before = -1; more(r, "}", &before);)
        read_statement(r);
    accept(r, "}");
    r->symbols.n = scope;
}

static void loop(struct reading *r, const char *kind)
{
    reading_note(r, COMMON, "loop");
    reading_note(r, EXACT, "%s loop", kind);
    if (r->loops++)
        reading_note(r, COMMON, "loop in a loop");
    read_statement(r);
    r->loops--;
}

static void for_loop(struct reading *r)
{
    size_t scope = r->symbols.n;
    r->header = true;
    accept(r, "(");
    if (type_begins(r, 0)) {
        read_declaration(r, false, true);
    } else {
        if (!here(r, ";"))
            idle_expression(r);
        accept(r, ";");
    }
    if (!here(r, ";"))
        expression(r);
    accept(r, ";");
    if (!here(r, ")"))
        idle_expression(r);
    accept(r, ")");
    r->header = false;
    loop(r, "for");
    r->symbols.n = scope;
}

static void condition(struct reading *r)
{
    accept(r, "(");
    expression(r);
    accept(r, ")");
}

/* The statements that begin with a word of their own. */
static bool keyword_statement(struct reading *r)
{
    if (accept(r, "if")) {
        condition(r);
        reading_note(r, DETAIL, "if");
        read_statement(r);
        if (accept(r, "else")) {
            reading_note(r, COMMON, "else");
            read_statement(r);
        }
    } else if (accept(r, "for")) {
        for_loop(r);
    } else if (accept(r, "while")) {
        condition(r);
        loop(r, "while");
    } else if (accept(r, "do")) {
        reading_note(r, CONTROL, "do");
        loop(r, "do");
        accept(r, "while");
        condition(r);
        accept(r, ";");
    } else if (accept(r, "switch")) {
        reading_note(r, CONTROL, "switch");
        reading_note(r, CONTROL, "switch statement");
        condition(r);
        read_statement(r);
    } else if (accept(r, "case")) {
        struct value v = conditional(r);
        if (v.negative)
            reading_note(r, COMMON, "negative case");
        accept(r, ":");
    } else if (here(r, "default") || here(r, "break")) {
        reading_note(r, DETAIL, "%.*s", peek(r, 0)->n, peek(r, 0)->s);
        r->at += 2;
    } else if (accept(r, "continue")) {
        reading_note(r, CONTROL, "continue");
        accept(r, ";");
    } else if (accept(r, "goto")) {
        reading_note(r, CONTROL, "goto");
        reading_note(r, CONTROL, "jump");
        r->at++;
        accept(r, ";");
    } else if (accept(r, "return")) {
        if (!here(r, ";")) {
            struct value v = expression(r);
            note_conversion(r, &v, &r->returns);
            if (is_record(&r->returns))
                reading_note(r, TYPED, "record as result");
        }
        accept(r, ";");
    } else {
        return false;
    }
    return true;
}

void read_statement(struct reading *r)
{
    if (too_deep(r))
        return;
    if (accept(r, "{")) {
        block(r);
    } else if (accept(r, ";") || keyword_statement(r)) {
        /* done */
    } else if (peek(r, 0)->kind == TOKEN_NAME && token_is(peek(r, 1), ":")) {
        r->at += 2;
    } else if (type_begins(r, 0)) {
        read_declaration(r, false, true);
    } else {
        idle_expression(r);
        accept(r, ";");
    }
    r->nesting--;
}

static void read_c(struct reading *r)
{
    for (int before = -1; more(r, "", &before);)
        if (type_begins(r, 0) || peek(r, 0)->kind == TOKEN_NAME)
            read_declaration(r, false, false);
}

/* -- other languages --------------------------------------------------------------------------- */

/* Words that every program of its language has: tables are made, something is printed. */
static const char *const dull_words[] = {
    "create", "table",     "insert",      "into",          "values",    "select",
    "from",   "int",       "local",       "print",         "return",    "end",
    "then",   "do",        "function",    "assert",        "let",       "=",
    "define", "check-sat", "declare-fun", "declare-const", "set-logic", "exit",
};

static bool is_dull(const char *word)
{
    for (size_t i = 0; i < sizeof dull_words / sizeof *dull_words; i++)
        if (!strcmp(word, dull_words[i]))
            return true;
    return false;
}

static void read_words(struct reading *r, struct arena *a)
{
    struct words s = words_of(r->names, a, r->t);
    for (int i = 0; i < s.n; i++) {
        const char *word = intern_text(r->names, s.at[i]);
        if (!strncmp(word, "a ", 2) || !strncmp(word, "N ", 2) || strchr("(),;.", *word))
            continue;
        bool dull = is_dull(word);
        reading_note(r, dull ? DETAIL : CLASS, "%.40s", word);
        if (i + 1 < s.n)
            reading_note(r, dull ? DETAIL : EXACT, "%.40s %.40s", word,
                         intern_text(r->names, s.at[i + 1]));
    }
}

static int by_id(const void *x, const void *y)
{
    const struct construct *a = x, *b = y;
    return (a->id > b->id) - (a->id < b->id);
}

struct constructs constructs_of(struct map *names, struct arena *a, const char *language,
                                struct tokens t)
{
    struct reading r = {.t = t, .names = names};
    if (language_is_c(language))
        read_c(&r);
    else
        read_words(&r, a);
    if (r.list.n)
        qsort(r.list.at, r.list.n, sizeof *r.list.at, by_id);
    struct constructs out = {arena_array(a, struct construct, r.list.n + 1), 0, 0};
    for (size_t i = 0; i < r.list.n; i++) {
        if (!out.n || out.at[out.n - 1].id != r.list.at[i].id)
            out.at[out.n++] = r.list.at[i];
        else if (out.at[out.n - 1].weight < r.list.at[i].weight)
            out.at[out.n - 1].weight = r.list.at[i].weight;
    }
    for (int i = 0; i < out.n; i++)
        out.weight += out.at[i].weight;
    vec_release(&r.list);
    vec_release(&r.symbols);
    vec_release(&r.members);
    return out;
}
